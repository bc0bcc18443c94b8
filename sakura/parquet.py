"""Rounds in Parquet files: a single file for a run, or a folder of files that it is written to part by part.

Each file holds rounds of one run, one after the other without gaps, and the run in its metadata. Its columns are the
seed, the number of the round, and those of `Results`: dealer, turns, and for each side, as in score_0, its score,
captured (bit i for card i) and yaku (bit k for `YAKU[k]`); where they were noted, also the turn of each yaku, as in
turn_Ro_0.
"""

import hashlib
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import pairwise
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from .run import Run, Table
from .yaku import YAKU

if TYPE_CHECKING:
    import pyarrow as pa

_RUN_KEY = b"sakura"

# A file of a folder is finished at so many rounds, or after so long: what can be lost when the power fails.
PART_ROUNDS = 1 << 22
PART_SECONDS = 300

# Rounds written as a group, with which a file can be read piece by piece; and those read at a time.
GROUP = 1 << 16
BATCH = 1 << 18


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
    described = {_RUN_KEY: run.to_json()}
    return pa.table({"seed": seeds, "round": rounds, **_flat_columns(table)}).replace_schema_metadata(described)


def _no_rounds(run: Run) -> "pa.Table":
    return _to_arrow(run, 0, Table.empty(1, run.rules.sides, run.yaku_turns))[:0]


def _from_arrow(arrow: "pa.Table | pa.RecordBatch", run: Run) -> Table:
    table = Table.empty(arrow.num_rows, run.rules.sides, run.yaku_turns)
    # The columns of `table` are views into it, so filling them fills the table.
    for name, column in _flat_columns(table).items():
        column[:] = arrow[name].to_numpy()
    return table


# ---- Reading ----


class Part(NamedTuple):
    """A file, and the rounds of the run that are in it."""

    path: Path
    run: Run
    rounds: range

    @classmethod
    def at(cls, path: Path) -> "Part":
        """Raises ValueError, saying why, for a file that is not one of ours; OSError where it cannot be read."""
        run, parquet = _open(path)
        with parquet:
            return cls(path, run, _rounds_in(path, parquet))

    def load(self) -> Table:
        """All its rounds. Raises ValueError for damaged ones."""
        table = Table.empty(len(self.rounds), self.run.rules.sides, self.run.yaku_turns)
        for first, batch in self.tables():
            table.enter(first - self.rounds.start, batch)
        return table

    def tables(self) -> Iterator[tuple[int, Table]]:
        """The rounds a batch at a time, each with the number of its first round.

        Raises ValueError for damaged ones, or if the file was replaced by one of other rounds meanwhile.
        """
        first = self.rounds.start
        run, parquet = _open(self.path)
        with parquet:
            if (run, _rounds_in(self.path, parquet)) != (self.run, self.rounds):
                raise ValueError(f"{self.path} was replaced by other rounds meanwhile: scan it again")
            try:
                for batch in parquet.iter_batches(BATCH):
                    if not np.array_equal(batch["round"].to_numpy(), np.arange(first, first + batch.num_rows)):
                        raise _misnumbered(self.path)
                    yield first, _from_arrow(batch, self.run)
                    first += batch.num_rows
            except OSError as error:
                raise ValueError(f"{self.path} is damaged: {error}") from None


def find_parts(paths: Sequence[str | PathLike[str]]) -> list[Part]:
    """The files at some paths, and in the folders among them, in the order of their seeds and rounds.

    Raises ValueError for a folder without any, for files of ours that do not go together, with the reason, and for
    other files; OSError where there is nothing.
    """
    if not paths:
        raise ValueError("give at least one file or folder")
    files: list[Path] = []
    for path in map(Path, paths):
        if not path.exists():
            raise FileNotFoundError(f"{path}: no such file or folder")
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


def _open(path: Path) -> "tuple[Run, Any]":
    """A file's run and the open file; ValueError, saying why, for a file that is not one of ours."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    if path.is_dir():
        raise IsADirectoryError(f"{path} is a folder: Results.scan reads it")
    try:
        parquet = pq.ParquetFile(path, page_checksum_verification=True)
    except pa.ArrowInvalid:
        raise ValueError(f"{path} is not a Parquet file, or was cut off before its end") from None
    described = (parquet.schema_arrow.metadata or {}).get(_RUN_KEY)
    if described is None:
        parquet.close()
        raise ValueError(f"{path} holds no rounds of ours: it was not written by sakura.simulate or Results.save")
    try:
        run = Run.from_json(described)
        _check_columns(parquet.schema_arrow, _no_rounds(run).schema)
    except ValueError as error:
        parquet.close()
        raise ValueError(f"{path} cannot be used: {error}") from None
    return run, parquet


def _check_columns(found: "pa.Schema", wanted: "pa.Schema") -> None:
    missing = set(wanted.names) - set(found.names)
    if missing:
        raise ValueError(f"it lacks the columns {', '.join(sorted(missing))}")
    for field in wanted:
        kinds = [found.field(k).type for k in found.get_all_field_indices(field.name)]
        if kinds != [field.type]:
            raise ValueError(f"its column {field.name} is {', '.join(map(str, kinds))}, not {field.type}")


def _rounds_in(path: Path, parquet: Any) -> range:
    """The numbers of the rounds in an open file, from the statistics that it has of its row groups."""
    found: range | None = None
    for k in range(parquet.num_row_groups):
        group = parquet.metadata.row_group(k)
        if not group.num_rows:
            continue
        columns = map(group.column, range(group.num_columns))
        known = next(column.statistics for column in columns if column.path_in_schema == "round")
        if known is None or not known.has_min_max:
            raise ValueError(f"{path} cannot be used: it has no statistics of its column round; save it anew with them")
        rounds = range(known.min, known.max + 1)
        if len(rounds) != group.num_rows or (found is not None and rounds.start != found.stop):
            raise _misnumbered(path)
        found = range(rounds.start if found is None else found.start, rounds.stop)
    return range(0) if found is None else found


def _misnumbered(path: Path) -> ValueError:
    return ValueError(f"{path} cannot be used: its rounds are not numbered one after the other")


# ---- Writing ----


def is_folder(path: str | PathLike[str]) -> bool:
    """Whether rounds go into a folder of files there: not where the path ends in .parquet, or is a file already."""
    there = Path(path)
    return there.is_dir() or (there.suffix != ".parquet" and not there.exists())


@contextmanager
def alone(path: str | PathLike[str]) -> Iterator[None]:
    """Nobody else on this machine writes to this file or folder meanwhile. Raises BlockingIOError where somebody does.

    A process that is killed leaves no lock behind.
    """
    from filelock import FileLock, Timeout

    # Among the temporary files, so that nothing is left beside the rounds.
    name = hashlib.sha256(str(Path(path).resolve()).encode()).hexdigest()[:16]
    try:
        with FileLock(Path(tempfile.gettempdir(), f"sakura-{name}.lock"), timeout=0):
            yield
    except Timeout:
        raise BlockingIOError(
            f"cannot write to {path}: another process does; give another path, Results.scan reads both together"
        ) from None


class _Writer:
    """A Parquet file of rounds that is growing under another name, until it is closed and moved to its place.

    `rounds` are those that it has been given; once it is closed, those that are in it.
    """

    def __init__(self, part: Path, run: Run, first: int) -> None:
        import pyarrow.parquet as pq

        self._part = part
        self.rounds = range(first, first)
        self._waiting: list[pa.Table] = []
        self._writer = pq.ParquetWriter(
            part,
            _no_rounds(run).schema,
            compression="zstd",
            use_dictionary=False,
            column_encoding=dict.fromkeys(("seed", "round"), "DELTA_BINARY_PACKED"),
            write_page_checksum=True,
        )

    def write(self, arrow: "pa.Table") -> None:
        """Add the next rounds."""
        self._waiting.append(arrow)
        self.rounds = range(self.rounds.start, self.rounds.stop + arrow.num_rows)
        if sum(waiting.num_rows for waiting in self._waiting) >= GROUP:
            self._write_group()

    def _write_group(self) -> None:
        import pyarrow as pa

        # Emptied first: after Ctrl-C in the middle nothing may be written twice.
        waiting, self._waiting = self._waiting, []
        self._writer.write_table(pa.concat_tables(waiting))

    def close(self) -> None:
        import pyarrow.parquet as pq

        if self._waiting:
            self._write_group()
        self._writer.close()
        written = pq.read_metadata(self._part).num_rows
        self.rounds = range(self.rounds.start, self.rounds.start + written)

    def move(self, path: Path) -> None:
        """Put the file, which is closed, in its place, in one step, or abandon it."""
        try:
            self._part.replace(path)
        except OSError:
            self.abandon()
            raise

    def abandon(self) -> None:
        # Closing writes, too, and fails where writing has failed.
        with suppress(OSError):
            self._writer.close()
        with suppress(OSError):
            self._part.unlink(missing_ok=True)


class Destination(ABC):
    """Where the rounds of a run are written, a chunk at a time; at its end what could be written is put in its place.

    `missing` are the rounds among those wanted that are not there yet, and `done` is how many are there.
    """

    missing: list[range]
    done: int
    _writer: _Writer | None = None

    @abstractmethod
    def append(self, first: int, table: Table) -> None:
        """Add rounds from `first` on, the next of the missing ones. Raises OSError where they cannot be written."""

    @abstractmethod
    def _finish(self) -> None:
        """Close the file that is growing, and put it in its place, if there is anything in it."""

    @abstractmethod
    def _failure(self, error: OSError) -> OSError:
        """The error that says what could not be written, and what is there; gives up on the file that is growing."""

    def _abandon(self) -> None:
        """Give up on the file that is growing."""
        if self._writer is not None:
            self._writer.abandon()
            self._writer = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Finish the file that is growing, whatever has happened, if it could be written."""
        if self._writer is None:
            return
        try:
            self._finish()
        except OSError as error:
            raise self._failure(error) from None
        finally:
            self._abandon()


class RoundsFile(Destination):
    """A Parquet file, which holds the rounds after those that it held before.

    The new file is written beside the old one and takes its place in one step when it is closed, so that there is a
    whole file at every moment.
    Raises ValueError where the file holds other rounds, OSError, naming it, where it cannot be written; then an earlier
    file stays as it was.
    """

    def __init__(self, path: str | PathLike[str], run: Run, wanted: range, fresh: bool = False) -> None:
        # A link stays one.
        self._path, self._name, self._run = Path(path).resolve(), path, run
        if self._path.is_dir():
            raise IsADirectoryError(f"cannot write to {path}: it is a folder")
        self._fresh = fresh
        earlier = None if fresh or not self._path.exists() else self._earlier(run, wanted)
        held = range(wanted.start, wanted.start) if earlier is None else earlier.rounds
        self.missing = [range(held.stop, wanted.stop)] if held.stop < wanted.stop else []
        self.done = len(held)
        if not self.missing and not fresh:
            return
        try:
            self._writer = _Writer(self._path.with_name(self._path.name + ".part"), run, wanted.start)
        except OSError as error:
            raise OSError(f"cannot write to {path}: {error}") from None
        if earlier is not None:
            try:
                for first, table in earlier.tables():
                    self.append(first, table)
            except BaseException:
                self._abandon()
                raise

    def _earlier(self, run: Run, wanted: range) -> Part:
        """The earlier file, if its rounds are the first of those wanted."""
        part = Part.at(self._path)
        if part.run != run:
            raise ValueError(
                f"{self._name} holds rounds of another run ({part.run}, version {part.run.version}); wanted are {run}, "
                f"version {run.version}: give another path, or remove the file"
            )
        if part.rounds and part.rounds.start != wanted.start:
            raise ValueError(
                f"{self._name} holds the rounds from {part.rounds.start} on, wanted are those from {wanted.start} on: "
                f"give another path, or that of a folder, which may hold both"
            )
        return part if part.rounds else part._replace(rounds=range(wanted.start, wanted.start))

    def __str__(self) -> str:
        return f"the file {self._name}"

    def append(self, first: int, table: Table) -> None:
        assert self._writer is not None
        try:
            self._writer.write(_to_arrow(self._run, first, table))
        except OSError as error:
            raise self._failure(error) from None

    def _failure(self, error: OSError) -> OSError:
        assert self._writer is not None
        given = len(self._writer.rounds)
        self._abandon()
        return OSError(f"cannot write to {self._name} after {given:_} rounds: {error}")

    def _finish(self) -> None:
        assert self._writer is not None
        self._writer.close()
        if self._writer.rounds or self._fresh:
            self._writer.move(self._path)
            self.done, self._writer = len(self._writer.rounds), None


class RoundsFolder(Destination):
    """A folder of Parquet files, to which rounds are added as new ones.

    A file is never touched again once it is finished: what is finished is kept whatever comes. The folder may hold
    rounds of other seeds, but none that were played in another way. Raises ValueError where it does, OSError, naming
    it, where it cannot be written to.
    """

    def __init__(self, path: str | PathLike[str], run: Run, wanted: range) -> None:
        self._path, self._run = Path(path), run
        try:
            self._path.mkdir(exist_ok=True)
        except OSError as error:
            raise OSError(f"cannot write to {path}: {error}") from None
        held = [Part.at(file) for file in _files_in(self._path)]
        for part in held:
            _check_alike(part, run, "these rounds")
        check_together(held)
        self.missing = _gaps(wanted, (part.rounds for part in held if part.run.seed == run.seed))
        self.done = len(wanted) - sum(map(len, self.missing))
        self._opened = 0.0

    def __str__(self) -> str:
        return f"the folder {self._path}"

    def append(self, first: int, table: Table) -> None:
        try:
            if self._writer is not None and self._is_full(first):
                self._finish()
            if self._writer is None:
                self._writer = _Writer(self._path / f"seed-{self._run.seed}-from-{first}.part", self._run, first)
                self._opened = time.monotonic()
            self._writer.write(_to_arrow(self._run, first, table))
        except OSError as error:
            raise self._failure(error) from None

    def _is_full(self, first: int) -> bool:
        """Whether the rounds from `first` on begin another file."""
        assert self._writer is not None
        rounds = self._writer.rounds
        return first != rounds.stop or len(rounds) >= PART_ROUNDS or time.monotonic() > self._opened + PART_SECONDS

    def _finish(self) -> None:
        assert self._writer is not None
        self._writer.close()
        rounds = self._writer.rounds
        if not rounds:
            self._abandon()
            return
        # No longer growing, also where Ctrl-C comes after the move.
        writer, self._writer = self._writer, None
        # Names sort as the rounds do.
        writer.move(self._path / f"seed-{self._run.seed}-rounds-{rounds.start:012}-{rounds.stop - 1:012}.parquet")
        self.done += len(rounds)

    def _failure(self, error: OSError) -> OSError:
        self._abandon()
        return OSError(
            f"cannot write to {self._path}: {error}; {self.done:_} of the rounds are kept there, "
            f"and the same call goes on from them"
        )


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


def open_to_write(path: str | PathLike[str], run: Run, wanted: range) -> Destination:
    """What takes the rounds that are wanted there, and knows which of them are missing."""
    return RoundsFolder(path, run, wanted) if is_folder(path) else RoundsFile(path, run, wanted)
