"""Rounds in Parquet files: a single file for a run, or a folder of files that it is written to part by part.

Each file holds rounds of one run, one after the other without gaps, and the run in its metadata. Its columns are those
of `Results`: round, dealer, turns, and for each side, as in score_0, its score, captured (bit i for card i) and yaku
(bit k for `YAKU[k]`); where they were noted, also the turn of each yaku, as in turn_Ro_0.
"""

import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import pairwise
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

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

# Rounds read at a time, which bounds the memory that reading takes.
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


def _to_arrow(first: int, table: Table) -> "pa.Table":
    import pyarrow as pa

    rounds = np.arange(first, first + len(table.dealer), dtype=np.int64)
    return pa.table({"round": rounds, **_flat_columns(table)})


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
        """The rounds a batch at a time, each with the number of its first round. Raises ValueError for damaged ones."""
        first = self.rounds.start
        with _open(self.path)[1] as parquet:
            try:
                for batch in parquet.iter_batches(BATCH):
                    yield first, _from_arrow(batch, self.run)
                    first += batch.num_rows
            except OSError as error:
                raise ValueError(f"{self.path} is damaged after round {first}: {error}") from None


def find_parts(paths: Sequence[str | PathLike[str]]) -> list[Part]:
    """The files at some paths, and in the folders among them, in the order of their seeds and rounds.

    Raises ValueError for a folder without any, for files of ours that do not go together, with the reason, and for
    other files; OSError where there is nothing.
    """
    if not paths:
        raise ValueError("give at least one file or folder")
    files: list[Path] = []
    for path in map(Path, paths):
        inside = sorted(path.glob("*.parquet")) if path.is_dir() else [path]
        if not inside:
            raise ValueError(f"{path} holds no rounds: there is no .parquet file in this folder")
        files += inside
    parts = [Part.at(file) for file in files]
    check_together(parts)
    return sorted(parts, key=lambda part: (part.run.seed, part.rounds.start))


def check_together(parts: Iterable[Part]) -> None:
    """Raises ValueError, naming two files, where some rounds are there twice or were played in another way."""
    for before, part in pairwise(sorted(parts, key=lambda part: (part.run.seed, part.rounds.start))):
        if differences := part.run.differences(before.run):
            raise ValueError(f"{part.path} does not go together with {before.path}: it has {'; '.join(differences)}")
        if part.run.seed == before.run.seed and part.rounds.start < before.rounds.stop:
            last = min(part.rounds.stop, before.rounds.stop) - 1
            raise ValueError(
                f"{part.path} and {before.path} overlap: rounds {part.rounds.start} to {last} of seed {part.run.seed} "
                f"are in both, and would count twice"
            )


def _open(path: Path) -> "tuple[Run, Any]":
    """A file's run and the open file; ValueError, saying why, for a file that is not one of ours."""
    import pyarrow as pa
    import pyarrow.parquet as pq

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
        missing = {"round", *_flat_columns(Table.empty(1, run.rules.sides, run.yaku_turns))} - set(
            parquet.schema_arrow.names
        )
        if missing:
            raise ValueError(f"it lacks the columns {', '.join(sorted(missing))}")
    except ValueError as error:
        parquet.close()
        raise ValueError(f"{path} cannot be used: {error}") from None
    return run, parquet


def _rounds_in(path: Path, parquet: Any) -> range:
    """The numbers of the rounds in an open file, from the statistics that it has of its row groups."""
    column = parquet.schema_arrow.get_field_index("round")
    groups = [parquet.metadata.row_group(k) for k in range(parquet.num_row_groups)]
    found: range | None = None
    for group in filter(lambda group: group.num_rows, groups):
        known = group.column(column).statistics
        rounds = range(known.min, known.max + 1) if known is not None and known.has_min_max else range(0)
        if len(rounds) != group.num_rows or (found is not None and rounds.start != found.stop):
            raise ValueError(f"{path} cannot be used: its rounds are not numbered one after the other")
        found = range(rounds.start if found is None else found.start, rounds.stop)
    return range(0) if found is None else found


# ---- Writing ----


class _Writer:
    """A Parquet file of rounds from `first` on that is growing under another name until it is `finish`ed."""

    def __init__(self, part: Path, run: Run, first: int) -> None:
        import pyarrow.parquet as pq

        self._part = part
        self.rounds = range(first, first)
        schema = _to_arrow(0, Table.empty(1, run.rules.sides, run.yaku_turns)).schema
        self._writer = pq.ParquetWriter(
            part,
            schema.with_metadata({_RUN_KEY: run.to_json()}),
            compression="zstd",
            use_dictionary=False,
            column_encoding={"round": "DELTA_BINARY_PACKED"},
            write_page_checksum=True,
        )

    def write(self, arrow: "pa.Table") -> None:
        self._writer.write_table(arrow)
        self.rounds = range(self.rounds.start, self.rounds.stop + arrow.num_rows)

    def close(self) -> None:
        import pyarrow.parquet as pq

        self._writer.close()
        # Ctrl-C may have come between the writing of rounds and their counting.
        written = pq.read_metadata(self._part).num_rows
        self.rounds = range(self.rounds.start, self.rounds.start + written)

    def move(self, path: Path) -> None:
        """Put the file, which is closed, in its place, in one step."""
        self._part.replace(path)

    def abandon(self) -> None:
        # Closing writes, too, and fails where writing has failed.
        with suppress(OSError):
            self._writer.close()
        with suppress(OSError):
            self._part.unlink(missing_ok=True)


class RoundsFile:
    """Rounds of a run on their way into a Parquet file, a chunk at a time, after those that the file holds already.

    `missing` are the rounds among `wanted` that it lacks, and `done` is how many it has. The new file is written beside
    the old one and takes its place in one step when it is closed, so that there is a whole file at every moment. Raises
    ValueError where the file holds other rounds, OSError, naming it, where it cannot be written; then an earlier file
    stays as it was.
    """

    def __init__(self, path: str | PathLike[str], run: Run, wanted: range, fresh: bool = False) -> None:
        self._path = Path(path)
        if self._path.is_dir():
            raise IsADirectoryError(f"cannot write to {path}: it is a folder")
        earlier = None if fresh or not self._path.exists() else self._earlier(run, wanted)
        part = self._path.with_name(self._path.name + ".part")
        try:
            self._writer = _Writer(part, run, wanted.start)
        except OSError as error:
            raise OSError(f"cannot write to {path}: {error}") from None
        if earlier is not None:
            try:
                with earlier:
                    for group in range(earlier.num_row_groups):
                        self._write(earlier.read_row_group(group))
            except BaseException:
                self._writer.abandon()
                raise
        start = self._writer.rounds.stop
        self.missing = [range(start, wanted.stop)] if start < wanted.stop else []

    def _earlier(self, run: Run, wanted: range) -> Any:
        """The earlier file, open, if its rounds are the first of those wanted."""
        held, earlier = _open(self._path)
        try:
            rounds = _rounds_in(self._path, earlier)
            if held != run:
                raise ValueError(
                    f"{self._path} holds rounds of another run ({held}, version {held.version}); wanted are {run}, "
                    f"version {run.version}: give another path, or remove the file"
                )
            if rounds and rounds.start != wanted.start:
                raise ValueError(
                    f"{self._path} holds the rounds from {rounds.start} on, wanted are those from {wanted.start} on: "
                    f"give another path, or that of a folder, which may hold both"
                )
        except BaseException:
            earlier.close()
            raise
        return earlier

    def __str__(self) -> str:
        return f"the file {self._path}"

    @property
    def done(self) -> int:
        return len(self._writer.rounds)

    def append(self, first: int, table: Table) -> None:
        """Add the next rounds."""
        self._write(_to_arrow(first, table))

    def _write(self, arrow: "pa.Table") -> None:
        try:
            self._writer.write(arrow)
        except OSError as error:
            raise self._failure(error) from None

    def _failure(self, error: OSError) -> OSError:
        return OSError(f"cannot write to {self._path} after {self.done:_} rounds: {error}")

    def __enter__(self) -> "RoundsFile":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Put the new file in place; also after Ctrl-C, but not after an error in writing."""
        if kind is not None and issubclass(kind, OSError):
            self._writer.abandon()
            return
        try:
            self._writer.close()
            self._writer.move(self._path)
        except OSError as error:
            self._writer.abandon()
            raise self._failure(error) from None


class RoundsFolder:
    """Rounds of a run on their way into a folder of Parquet files, a chunk at a time.

    A file is never touched again once it is finished: what is finished is kept whatever comes. `missing` are the rounds
    among `wanted` that no file has, and `done` is how many are kept. The folder may hold rounds of other seeds, but
    none that were played in another way. Raises ValueError where it does, OSError, naming it, where it cannot be
    written to.
    """

    def __init__(self, path: str | PathLike[str], run: Run, wanted: range) -> None:
        self._path, self._run = Path(path), run
        self._path.mkdir(exist_ok=True)
        held = [Part.at(file) for file in sorted(self._path.glob("*.parquet"))]
        for part in held:
            if differences := part.run.differences(run):
                raise ValueError(
                    f"{part.path} does not go together with these rounds: it has {'; '.join(differences)}; give "
                    f"another folder, or remove the file"
                )
        check_together(held)
        self.missing = _gaps(wanted, (part.rounds for part in held if part.run.seed == run.seed))
        self.done = len(wanted) - sum(map(len, self.missing))
        self._writer: _Writer | None = None
        self._opened = 0.0

    def __str__(self) -> str:
        return f"the folder {self._path}"

    def append(self, first: int, table: Table) -> None:
        """Add rounds from `first` on, which are among the missing ones."""
        try:
            if self._writer is not None and self._is_full(first):
                self._finish()
            if self._writer is None:
                self._writer = _Writer(self._path / f"seed-{self._run.seed}-from-{first}.part", self._run, first)
                self._opened = time.monotonic()
            self._writer.write(_to_arrow(first, table))
        except OSError as error:
            raise self._failure(error) from None

    def _is_full(self, first: int) -> bool:
        """Whether the rounds from `first` on begin another file."""
        assert self._writer is not None
        rounds = self._writer.rounds
        return first != rounds.stop or len(rounds) >= PART_ROUNDS or time.monotonic() > self._opened + PART_SECONDS

    def _finish(self) -> None:
        """Close the file that is growing, and give it its name."""
        assert self._writer is not None
        self._writer.close()
        rounds = self._writer.rounds
        # Names sort as the rounds do.
        name = f"seed-{self._run.seed}-rounds-{rounds.start:012}-{rounds.stop - 1:012}.parquet"
        writer, self._writer = self._writer, None
        writer.move(self._path / name)
        self.done += len(rounds)

    def _failure(self, error: OSError) -> OSError:
        return OSError(
            f"cannot write to {self._path}: {error}; {self.done:_} of the rounds are kept there, "
            f"and the same call goes on from them"
        )

    def __enter__(self) -> "RoundsFolder":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Finish the file that is growing; also after Ctrl-C, but not after an error in writing."""
        if self._writer is None:
            return
        if kind is not None and issubclass(kind, OSError):
            self._writer.abandon()
            return
        writer = self._writer
        try:
            self._finish()
        except OSError as error:
            writer.abandon()
            raise self._failure(error) from None


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


def open_to_write(path: str | PathLike[str], run: Run, wanted: range) -> RoundsFile | RoundsFolder:
    """A file where the path ends in .parquet or is a file already, else a folder."""
    there = Path(path)
    if there.is_dir() or (there.suffix != ".parquet" and not there.exists()):
        return RoundsFolder(path, run, wanted)
    return RoundsFile(path, run, wanted)
