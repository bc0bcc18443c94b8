"""Rounds in Parquet files: those that `Results.save` writes, and a folder of them that grows with a run.

Each file holds rounds of one run, one after the other without gaps. Its columns are the seed, the number of the round,
and those of `Results`: dealer, turns, and for each side, as in score_0, its score, captured (bit i for card i) and yaku
(bit k for `YAKU[k]`); where they were noted, also the turn of each yaku, as in turn_Ro_0.

Its metadata says in JSON, under "sakura", what run they are of, which is the first and how many there are. The last of
it are two checksums: of all bytes before Parquet's footer, and of the footer, in which they stand. Parquet's own do not
reach what says where things are and how many; here nothing is given to it to read before these were compared.
"""

import json
import os
import re
import secrets
import tempfile
import time
import warnings
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from itertools import pairwise
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from .checks import cut, parse
from .progress import bar
from .run import Run, Table
from .saving import UNFINISHED, add_file, sync_folder
from .yaku import YAKU

if TYPE_CHECKING:
    import pyarrow as pa

_FORMAT = "sakura rounds 3"
_DESCRIPTION = re.compile(
    rb'\{"format": "%b", .*?"checksums": "([0-9a-f]{8}) ([0-9a-f]{8})"\}' % _FORMAT.encode(), re.DOTALL
)

# A file of a folder is finished at so many rounds, or after so long: what can be lost when the power fails.
PART_ROUNDS = 1 << 20
PART_SECONDS = 300

# Rounds that are written and read at a time.
GROUP = 1 << 18

_PIECE = 1 << 20

# Also those of earlier versions, whose names say the last round, too.
_OF_A_FOLDER = re.compile(r"seed-\d+-rounds-[\d-]+\.parquet")

_LOCK = ".sakura.lock"


class DamagedFile(ValueError):
    """A file that does not have what was written into it."""


def _flat_columns(table: Table) -> dict[str, npt.NDArray[Any]]:
    """The columns of a file: some for each side, and one for each yaku's turn where those were noted."""
    columns: dict[str, npt.NDArray[Any]] = {"dealer": table.dealer, "turns": table.turns}
    for side in range(table.scores.shape[1]):
        columns[f"score_{side}"] = table.scores[:, side]
        columns[f"captured_{side}"] = table.captured[:, side]
        columns[f"yaku_{side}"] = table.yaku[:, side]
        if len(table.yaku_turns):
            for k, yaku in enumerate(YAKU):
                columns[f"turn_{yaku.syllable}_{side}"] = table.yaku_turns[:, side, k]
    return columns


def _to_arrow(run: Run, first: int, table: Table) -> "pa.Table":
    import pyarrow as pa

    count = len(table.dealer)
    seeds = np.full(count, run.seed, np.int64)
    rounds = np.arange(first, first + count, dtype=np.int64)
    return pa.table({"seed": seeds, "round": rounds, **_flat_columns(table)})


def _schema(run: Run) -> "pa.Schema":
    return _to_arrow(run, 0, Table.empty(1, run.rules.sides, run.yaku_turns)).schema


def encode(run: Run, first: int, table: Table) -> bytearray:
    """The content of a file of rounds, from round `first` of the run on."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rounds, sink = len(table.dealer), pa.BufferOutputStream()
    described = {"format": _FORMAT, **run.to_dict(), "first": first, "rounds": rounds, "checksums": "00000000 00000000"}
    with pq.ParquetWriter(
        sink,
        _to_arrow(run, first, Table.empty(1, run.rules.sides, run.yaku_turns)).schema,
        compression="zstd",
        use_dictionary=False,
        column_encoding=dict.fromkeys(("seed", "round"), "DELTA_BINARY_PACKED"),
    ) as writer:
        for start in range(0, rounds, GROUP):
            writer.write_table(_to_arrow(run, first + start, table.rows(start, start + GROUP)))
        writer.add_key_value_metadata({"sakura": json.dumps(described)})
    content = bytearray(sink.getvalue())
    start = _footer_start(content[-8:], len(content))
    found = _DESCRIPTION.search(content, start)
    assert found is not None
    content[slice(*found.span(1))] = b"%08x" % zlib.crc32(content[:start])
    # In place of itself it counts as zeros.
    content[slice(*found.span(2))] = b"%08x" % zlib.crc32(content[start:])
    return content


def _footer_start(end: bytes | bytearray, size: int) -> int:
    """Where the footer of a file of this size begins that ends in these 8 bytes: its length, and PAR1."""
    return size - 8 - int.from_bytes(end[:4], "little")


# ---- Reading ----


class Part(NamedTuple):
    """A file, and what it says is in it: rounds of a run, in so many bytes of this checksum."""

    path: Path
    run: Run
    rounds: range
    size: int
    checksum: int

    @classmethod
    def at(cls, path: Path) -> "Part":
        """Raises ValueError, saying why, for a file that is not one of ours; OSError where it cannot be read."""
        with _opened(path) as file:
            return cls._of(path, file)

    @classmethod
    def _of(cls, path: Path, file: BinaryIO) -> "Part":
        size = file.seek(0, os.SEEK_END)
        if not size:
            raise DamagedFile(f"{path} is empty, as a power cut may leave a file")
        file.seek(max(0, size - 8))
        end = file.read()
        start = _footer_start(end, size)
        if end[4:] != b"PAR1" or start < 0:
            raise DamagedFile(f"{path} is damaged, was cut off, or is not a Parquet file")
        file.seek(start)
        footer = bytearray(file.read())
        found = _DESCRIPTION.search(footer)
        if found is None and re.search(rb'"format": "sakura rounds [12]"', footer):
            raise ValueError(f"{path} is of an earlier version of sakura: play its rounds again")
        if found is None:
            raise DamagedFile(f"{path} is damaged, or was not written by sakura.simulate or Results.save")
        checksum, own = (int(part, 16) for part in found.groups())
        footer[slice(*found.span(2))] = b"00000000"
        if zlib.crc32(footer) != own:
            raise DamagedFile(f"{path} is damaged: what it says about its rounds has changed")
        try:
            described = parse(bytes(found[0]))
            first, rounds, *_ = (described.pop(key) for key in ("first", "rounds", "format", "checksums"))
            return cls(path, Run.from_dict(described), range(first, first + rounds), start, checksum)
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(f"{path} cannot be used: {error}") from None

    def load(self) -> Table:
        """All its rounds. Raises ValueError for damaged ones."""
        table = Table.empty(len(self.rounds), self.run.rules.sides, self.run.yaku_turns)
        for first, group in self.tables():
            table.enter(first - self.rounds.start, group)
        return table

    def tables(self) -> Iterator[tuple[int, Table]]:
        """The rounds a group at a time, each with the number of its first round.

        Raises ValueError for damaged ones, or if the file was replaced by one of other rounds meanwhile.
        """
        import pyarrow.parquet as pq

        with _opened(self.path) as file:
            if Part._of(self.path, file) != self:
                raise ValueError(f"{self.path} was replaced by other rounds meanwhile: scan it again")
            if _checksum(file, self.size) != self.checksum:
                raise DamagedFile(f"{self.path} is damaged: its rounds have changed")
            parquet, first = pq.ParquetFile(file), self.rounds.start
            for k in range(parquet.num_row_groups):
                arrow = parquet.read_row_group(k)
                table = Table.empty(arrow.num_rows, self.run.rules.sides, self.run.yaku_turns)
                # The columns are views into the table, so filling them fills it.
                for name, column in _flat_columns(table).items():
                    column[:] = arrow[name].to_numpy()
                yield first, table
                first += arrow.num_rows
            if first != self.rounds.stop:
                raise DamagedFile(f"{self.path} is damaged: it has not as many rounds as it says")


def _checksum(file: BinaryIO, size: int) -> int:
    """Of the first bytes of a file."""
    file.seek(0)
    found = 0
    for start in range(0, size, _PIECE):
        found = zlib.crc32(file.read(min(_PIECE, size - start)), found)
    return found


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    """An open file. What cannot be read of it is told as an OSError that names it."""
    if os.path.isdir(path):
        raise IsADirectoryError(f"{path} is a folder: Results.scan reads it")
    try:
        with open(path, "rb") as file:
            yield file
    except OSError as error:
        raise OSError(error.errno, f"cannot read {cut(str(path), 250)}: {error.strerror or error}") from None


def find_parts(paths: Sequence[str | PathLike[str]]) -> list[Part]:
    """The files at some paths, and in the folders among them, in the order of their seeds and rounds.

    Raises ValueError for a folder without any, for files of ours that do not go together, with the reason, and for
    other files; OSError where there is nothing.
    """
    if not paths:
        raise ValueError("give at least one file or folder")
    files: list[Path] = []
    for path in map(Path, paths):
        if not os.path.exists(path):
            raise FileNotFoundError(f"{cut(str(path), 250)}: no such file or folder")
        inside = _files_in(path) if path.is_dir() else [path]
        if not inside:
            raise ValueError(f"{path} holds no rounds: there is no .parquet file in this folder")
        files += inside
    parts = [Part.at(file) for file in files]
    check_together(parts)
    return sorted(parts, key=lambda part: (part.run.seed, part.rounds.start))


def check_together(parts: Iterable[Part]) -> None:
    """Raises ValueError, naming two files, where some rounds are there twice or were played in another way."""
    # A file without rounds has no place of its own among the others.
    order = sorted(parts, key=lambda part: (part.run.seed, part.rounds.start, part.rounds.stop))
    for before, part in pairwise(order):
        _check_alike(part, before.run, str(before.path))
        if part.run.seed == before.run.seed and part.rounds.start < before.rounds.stop:
            last = min(part.rounds.stop, before.rounds.stop) - 1
            raise ValueError(
                f"{part.path} and {before.path} overlap: rounds {part.rounds.start} to {last} of seed {part.run.seed} "
                f"are in both, and would count twice"
            )


def _check_alike(part: Part, run: Run, others: str) -> None:
    if differences := part.run.differences(run):
        raise ValueError(f"{part.path} does not go together with {others}: it has {'; '.join(differences)}")


def _files_in(folder: Path) -> list[Path]:
    """The Parquet files in a folder, but for those that a system hides."""
    return sorted(file for file in folder.glob("*.parquet") if file.is_file() and not file.name.startswith("."))


# ---- Writing ----


@contextmanager
def alone(path: str | PathLike[str]) -> Iterator[None]:
    """A folder to write to, which is made where there is none, and which nobody else writes to meanwhile.

    Raises BlockingIOError where somebody does. The lock is let go whatever ends a process. Where there is none to be
    had, as on some file systems or in a folder of others, two writers still leave whole files (`RoundsFolder`).
    """
    from filelock import FileLock, Timeout

    folder = Path(path)
    try:
        folder.mkdir()
        sync_folder(folder.parent)
    except OSError as error:
        if not os.path.isdir(folder):
            raise OSError(f"cannot write to {cut(str(path), 250)}: {error.strerror}") from None
    with ExitStack() as stack:
        try:
            # For everybody who may write there, whoever was first.
            stack.enter_context(FileLock(folder / _LOCK, timeout=0, mode=0o666, fallback_to_soft=False))
        except Timeout:
            raise BlockingIOError(
                f"cannot write to {path}: another process does; give another path, Results.scan reads both together"
            ) from None
        except OSError:
            pass
        else:
            for unfinished in folder.glob(UNFINISHED):
                with suppress(OSError):
                    unfinished.unlink()
        yield


class RoundsFolder:
    """A folder that the rounds of a run are written to, a chunk at a time; `alone` keeps others away.

    `missing` are the rounds among those wanted that are not there yet, and `done` is how many are there. These were
    read in full. A file that was damaged is set aside with a warning, and its rounds are missing.

    A file has its name from its first round, and is only put where there is none: of two writers that do not know of
    each other one gets an error.

    Raises ValueError, naming a file, where other rounds are there; OSError where the folder cannot be written to.
    """

    def __init__(self, path: str | PathLike[str], run: Run, wanted: range, progress: bool = True) -> None:
        self._path, self._run = Path(path), run
        held = self._held(wanted, progress)
        self.missing = _gaps(wanted, (part.rounds for part in held if part.run.seed == run.seed))
        self.done = len(wanted) - sum(map(len, self.missing))
        # The rounds of the next file: so many, from the first on.
        self._table = Table.empty(PART_ROUNDS, run.rules.sides, run.yaku_turns)
        self._count, self._first, self._began = 0, 0, 0.0
        if self.missing:
            # Better now than after an hour.
            try:
                tempfile.TemporaryFile(dir=self._path).close()
            except OSError as error:
                raise OSError(f"cannot write to {path}: {error.strerror}") from None

    def _held(self, wanted: range, progress: bool) -> list[Part]:
        """What is there already and whole; what is wanted of it was read."""
        held: list[Part] = []
        damaged: dict[Path, DamagedFile] = {}
        for file in _files_in(self._path):
            try:
                held.append(Part.at(file))
            except DamagedFile as error:
                damaged[file] = error
        for part in held:
            _check_alike(part, self._run, "these rounds")
        check_together(held)
        relied = [part for part in held if part.run.seed == self._run.seed and _both(part.rounds, wanted)]
        with bar(sum(len(part.rounds) for part in relied), 0, progress) as shown:
            for part in relied:
                try:
                    for _, table in part.tables():
                        shown.update(len(table.dealer))
                except DamagedFile as error:
                    damaged[part.path] = error
        for file, damage in damaged.items():
            self._set_aside(file, damage)
        return [part for part in held if part.path not in damaged]

    def _set_aside(self, file: Path, damage: DamagedFile) -> None:
        if not _OF_A_FOLDER.fullmatch(file.name):
            raise damage
        aside = file.with_name(f"{file.name}.{secrets.token_hex(4)}.damaged")
        try:
            file.rename(aside)
        except OSError as error:
            raise OSError(f"{damage}, and cannot be set aside: {error.strerror}") from None
        warnings.warn(f"{damage}: it is now called {aside.name}, and its rounds are played again", stacklevel=5)

    def __str__(self) -> str:
        return f"the folder {self._path}"

    def append(self, first: int, table: Table) -> None:
        """Add rounds from `first` on, the next of the missing ones. Raises OSError where they cannot be written."""
        count = len(table.dealer)
        if (
            first != self._first + self._count
            or self._count + count > PART_ROUNDS
            or time.monotonic() > self._began + PART_SECONDS
        ):
            self.finish()
        if not self._count:
            self._first, self._began = first, time.monotonic()
        self._table.enter(self._count, table)
        self._count += count

    def finish(self) -> None:
        """Put the rounds that were added since the last file into one. Raises OSError; then they are given up."""
        if not self._count:
            return
        # Names sort as the rounds do.
        file = self._path / f"seed-{self._run.seed}-rounds-{self._first:012}.parquet"
        try:
            add_file(file, encode(self._run, self._first, self._table.rows(0, self._count)))
        except OSError as error:
            self._count = 0
            taken = isinstance(error, FileExistsError)
            reason = f"another process has written {file.name} meanwhile" if taken else error.strerror
            raise OSError(
                f"cannot write to {self._path}: {reason}; {self.done:_} of the rounds are kept there, "
                f"and the same call goes on from them"
            ) from None
        self.done += self._count
        self._count = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Finish the last file, whatever has happened."""
        self.finish()


def _both(one: range, other: range) -> range:
    return range(max(one.start, other.start), min(one.stop, other.stop))


def _gaps(wanted: range, held: Iterable[range]) -> list[range]:
    """The stretches of `wanted` that are in none of the others."""
    gaps, start = [], wanted.start
    for rounds in sorted(held, key=lambda rounds: rounds.start):
        if start < min(rounds.start, wanted.stop):
            gaps.append(range(start, min(rounds.start, wanted.stop)))
        start = max(start, rounds.stop)
    if start < wanted.stop:
        gaps.append(range(start, wanted.stop))
    return gaps
