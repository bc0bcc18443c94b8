"""`Results`: the rounds of a simulation as columns, tidy tables, and Parquet files."""

import json
from contextlib import suppress
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .cards import POINT_SETS
from .rules import Rules
from .version import __version__
from .yaku import YAKU

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

_FORMAT = "sakura rounds 2"
_FORMAT_KEY = b"sakura"


class Table(NamedTuple):
    """The columns of some rounds, as `Results` describes them. `yaku_turns` has no rows where it was not asked for."""

    scores: npt.NDArray[np.int16]
    captured: npt.NDArray[np.uint64]
    dealer: npt.NDArray[np.uint8]
    yaku: npt.NDArray[np.uint8]
    turns: npt.NDArray[np.uint8]
    yaku_turns: npt.NDArray[np.uint8]

    @classmethod
    def empty(cls, rounds: int, sides: int, yaku_turns: bool) -> "Table":
        """A table of so many rounds, all zero."""
        return cls(
            np.zeros((rounds, sides), np.int16),
            np.zeros((rounds, sides), np.uint64),
            np.zeros(rounds, np.uint8),
            np.zeros((rounds, sides), np.uint8),
            np.zeros(rounds, np.uint8),
            np.zeros((rounds if yaku_turns else 0, sides, len(YAKU)), np.uint8),
        )

    def head(self, rounds: int) -> "Table":
        """The first rounds."""
        return Table._make(column[:rounds] for column in self)


def bytes_per_round(sides: int, yaku_turns: bool) -> int:
    """The memory that one round of results takes."""
    return sum(column.nbytes for column in Table.empty(1, sides, yaku_turns))


@dataclass(frozen=True)
class Run:
    """What the rounds of a simulation follow from. `dealer` is a seat, or None for a deal that rotates."""

    seed: int
    rules: Rules
    agents: tuple[str, ...]
    dealer: int | None = None
    yaku_turns: bool = False
    version: str = __version__

    def __str__(self) -> str:
        dealer = "" if self.dealer is None else f", dealer {self.dealer}"
        # One name will do where all seats play alike.
        agents = self.agents[:1] if len(set(self.agents)) == 1 else self.agents
        return f"{self.rules}, agents {', '.join(agents)}, seed {self.seed}{dealer}"

    def to_json(self) -> bytes:
        """For the metadata of a file."""
        return json.dumps(
            {
                "format": _FORMAT,
                "version": self.version,
                "seed": self.seed,
                "rules": self.rules.to_dict(),
                "agents": self.agents,
                "dealer": self.dealer,
                "yaku_turns": self.yaku_turns,
            }
        ).encode()

    @classmethod
    def from_json(cls, text: bytes) -> "Run":
        """Raises ValueError where the text is not of ours."""
        try:
            run = json.loads(text)
            if run.pop("format") != _FORMAT:
                raise ValueError("its format is of another version")
            run["rules"] = Rules.from_dict(run["rules"])
            run["agents"] = tuple(run["agents"])
            return cls(**run)
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"its description of the run is damaged: {error}") from None


@dataclass(frozen=True, repr=False)
class Results:
    """The rounds of a simulation, one a row, and what they follow from.

    scores: int16 (rounds, sides).
    captured: uint64 (rounds, sides): bit i set, card i captured.
    dealer: uint8 (rounds,), the dealer's seat.
    yaku: uint8 (rounds, sides): bit k set, `YAKU[k]` held.
    turns: uint8 (rounds,), how many turns were taken, of all players together.
    yaku_turns: uint8 (rounds, sides, 8): the turn of its player, from 1, in which a yaku was completed; one more than
        the last for what the Lightning sweeps in at the end; 0 for never. No rows unless `simulate` was asked for it.
    """

    run: Run
    table: Table

    def __len__(self) -> int:
        return len(self.table.dealer)

    def __repr__(self) -> str:
        return f"<Results: {len(self):_} rounds, {self.run}>"

    @property
    def rules(self) -> Rules:
        return self.run.rules

    @property
    def agents(self) -> tuple[str, ...]:
        return self.run.agents

    @property
    def seed(self) -> int:
        return self.run.seed

    @property
    def scores(self) -> npt.NDArray[np.int16]:
        return self.table.scores

    @property
    def captured(self) -> npt.NDArray[np.uint64]:
        return self.table.captured

    @property
    def dealer(self) -> npt.NDArray[np.uint8]:
        return self.table.dealer

    @property
    def yaku(self) -> npt.NDArray[np.uint8]:
        return self.table.yaku

    @property
    def turns(self) -> npt.NDArray[np.uint8]:
        return self.table.turns

    @property
    def yaku_turns(self) -> npt.NDArray[np.uint8]:
        return self.table.yaku_turns

    @property
    def points(self) -> npt.NDArray[np.int16]:
        """The face value of what each side captured: int16 (rounds, sides)."""
        points = np.zeros(self.captured.shape, np.int16)
        for value, cards in POINT_SETS:
            points += np.int16(value) * np.bitwise_count(self.captured & np.uint64(cards))
        return points

    @property
    def margins(self) -> npt.NDArray[np.int16]:
        """Each side's score less the best of the others: int16 (rounds, sides)."""
        ranked = np.sort(self.scores, axis=1)
        best, second = ranked[:, -1:], ranked[:, -2:-1]
        # The best of the others is the second best score for a side that is ahead, tied or not.
        return self.scores - np.where(self.scores == best, second, best)

    def has_captured(self, card: int) -> npt.NDArray[np.bool_]:
        """Which sides captured a card: bool (rounds, sides)."""
        return (self.captured >> np.uint64(card) & np.uint64(1)).astype(bool)

    def has_yaku(self, k: int) -> npt.NDArray[np.bool_]:
        """Which sides hold `YAKU[k]`: bool (rounds, sides)."""
        return (self.yaku >> k & 1).astype(bool)

    def to_frame(self) -> "pd.DataFrame":
        """A tidy table, a row for each side of each round: round, side, dealer, turns, score, points, yaku, and for
        each yaku a column of its syllable that says whether the side holds it."""
        import pandas as pd

        rounds, sides = self.scores.shape
        columns = {
            "round": np.repeat(np.arange(rounds), sides),
            "side": np.tile(np.arange(sides, dtype=np.uint8), rounds),
            "dealer": np.repeat(self.dealer, sides),
            "turns": np.repeat(self.turns, sides),
            "score": self.scores.ravel(),
            "points": self.points.ravel(),
            "yaku": np.bitwise_count(self.yaku).ravel(),
        }
        return pd.DataFrame(columns | {y.syllable: self.has_yaku(k).ravel() for k, y in enumerate(YAKU)})

    def save(self, path: str | PathLike[str]) -> None:
        """Write a Parquet file, with the run in its metadata. An existing file is replaced once the new one is whole.

        Raises OSError, naming the path, where it cannot be written.
        """
        with RoundsFile(path, self.run, fresh=True) as file:
            file.append(self.table)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> "Results":
        """Read a file that `save`, or `simulate` with `out`, has written. Raises ValueError for any other."""
        run, parquet = _open(Path(path))
        with parquet:
            return cls(run, _from_arrow(parquet.read(), run))


# ---- Parquet ----


def _flat_columns(table: Table) -> dict[str, npt.NDArray[Any]]:
    """The columns of a file: one for each side, and for each yaku's turn where those were noted."""
    columns: dict[str, npt.NDArray[Any]] = {"dealer": table.dealer, "turns": table.turns}
    for side in range(table.scores.shape[1]):
        columns[f"score_{side}"] = table.scores[:, side]
        columns[f"captured_{side}"] = table.captured[:, side]
        columns[f"yaku_{side}"] = table.yaku[:, side]
        if len(table.yaku_turns):
            for k, yaku in enumerate(YAKU):
                columns[f"turn_{yaku.syllable}_{side}"] = table.yaku_turns[:, side, k]
    return columns


def _to_arrow(table: Table, first: int) -> "pa.Table":
    import pyarrow as pa

    rounds = np.arange(first, first + len(table.dealer), dtype=np.int64)
    return pa.table({"round": rounds, **_flat_columns(table)})


def _from_arrow(arrow: "pa.Table", run: Run) -> Table:
    table = Table.empty(arrow.num_rows, run.rules.sides, run.yaku_turns)
    # The columns of `table` are views into it, so filling them fills the table.
    for name, column in _flat_columns(table).items():
        column[:] = arrow[name].to_numpy()
    return table


def _open(path: Path) -> "tuple[Run, Any]":
    """A file's run and the open file; ValueError, saying why, for a file that is not one of ours."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        parquet = pq.ParquetFile(path)
    except pa.ArrowInvalid:
        raise ValueError(f"{path} is not a Parquet file, or was cut off before its end") from None
    described = (parquet.schema_arrow.metadata or {}).get(_FORMAT_KEY)
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


class RoundsFile:
    """Rounds on their way into a Parquet file, a chunk at a time, after those that the file holds already.

    The new file is written beside the old one and takes its place in one step when it is closed, so that there is a
    whole file at every moment. `done` is how many rounds are written. Raises ValueError where the file holds rounds
    of another run, OSError, naming it, where it cannot be written; then an earlier file stays as it was.
    """

    def __init__(self, path: str | PathLike[str], run: Run, fresh: bool = False) -> None:
        import pyarrow.parquet as pq

        self._path = Path(path)
        self._part = self._path.with_name(self._path.name + ".part")
        self.done = 0
        if self._path.is_dir():
            raise IsADirectoryError(f"cannot write to {path}: it is a folder")
        earlier = None if fresh or not self._path.exists() else self._held_by(run)
        schema = _to_arrow(Table.empty(1, run.rules.sides, run.yaku_turns), 0).schema
        try:
            self._writer = pq.ParquetWriter(
                self._part,
                schema.with_metadata({_FORMAT_KEY: run.to_json()}),
                compression="zstd",
                use_dictionary=False,
                column_encoding={"round": "DELTA_BINARY_PACKED"},
            )
        except OSError as error:
            raise self._failure(error) from None
        if earlier is not None:
            try:
                with earlier:
                    for group in range(earlier.num_row_groups):
                        self._write(earlier.read_row_group(group))
            except BaseException:
                self._abandon()
                raise

    def _held_by(self, run: Run) -> Any:
        """The earlier file, open, if its rounds are of this run."""
        held, earlier = _open(self._path)
        if held != run:
            earlier.close()
            raise ValueError(
                f"{self._path} holds rounds of another run ({held}, version {held.version}); wanted are {run}, version "
                f"{run.version}: give another path, or remove the file"
            )
        return earlier

    def append(self, table: Table) -> None:
        """Add the next rounds."""
        self._write(_to_arrow(table, self.done))

    def _write(self, arrow: "pa.Table") -> None:
        try:
            self._writer.write_table(arrow)
        except OSError as error:
            raise self._failure(error) from None
        self.done += arrow.num_rows

    def _failure(self, error: OSError) -> OSError:
        return OSError(f"cannot write to {self._path} after {self.done:_} rounds: {error}")

    def _abandon(self) -> None:
        """Give up on the new file."""
        # Closing writes, too, and fails where writing has failed.
        with suppress(OSError):
            self._writer.close()
        self._part.unlink(missing_ok=True)

    def __enter__(self) -> "RoundsFile":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Put the new file in place; also after Ctrl-C, but not after an error in writing."""
        import pyarrow.parquet as pq

        if kind is not None and issubclass(kind, OSError):
            self._abandon()
            return
        try:
            self._writer.close()
            # Ctrl-C may have come between the writing of a chunk and its counting.
            self.done = pq.read_metadata(self._part).num_rows
            self._part.replace(self._path)
        except OSError as error:
            self._abandon()
            raise self._failure(error) from None
