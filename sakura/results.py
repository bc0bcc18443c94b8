"""`Results`: the rounds of a simulation as columns and tables. `Scan`: those that are in files, a batch at a time."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from .cards import DECK_SIZE, POINT_SETS
from .checks import shown, whole
from .parquet import Part, encode, find_parts
from .progress import bar
from .rules import Rules
from .run import Run, Table
from .saving import replace_file
from .yaku import YAKU

if TYPE_CHECKING:
    import pandas as pd

    from .stats import Estimate, Tally


@dataclass(frozen=True, repr=False)
class Results:
    """The rounds of a simulation, one a row, and what they follow from. Row `k` is round `first + k` of the run.
    The arrays cannot be written to; a copy of one can.

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
    first: int = 0

    def __post_init__(self) -> None:
        # Everybody who has these results reads the same arrays.
        for column in self.table:
            column.flags.writeable = False

    def __len__(self) -> int:
        return len(self.table.dealer)

    def __repr__(self) -> str:
        start = f" from round {self.first:_} on" if self.first else ""
        return f"<Results: {len(self):_} rounds{start}, {self.run}>"

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
        """Which sides captured a card, by its id: bool (rounds, sides)."""
        return (self.captured >> np.uint64(whole("card", card, 0, DECK_SIZE)) & np.uint64(1)).astype(bool)

    def has_yaku(self, k: int) -> npt.NDArray[np.bool_]:
        """Which sides hold `YAKU[k]`, `k` from 0: bool (rounds, sides)."""
        return (self.yaku >> whole("k", k, 0, len(YAKU)) & 1).astype(bool)

    def to_frame(self) -> "pd.DataFrame":
        """A tidy table, a row for each side of each round: round, side, dealer, turns, score, points, yaku, and for
        each yaku a column of its syllable that says whether the side holds it."""
        import pandas as pd

        rounds, sides = self.scores.shape
        columns = {
            "round": np.repeat(np.arange(self.first, self.first + rounds), sides),
            "side": np.tile(np.arange(sides, dtype=np.uint8), rounds),
            "dealer": np.repeat(self.dealer, sides),
            "turns": np.repeat(self.turns, sides),
            "score": self.scores.ravel(),
            "points": self.points.ravel(),
            "yaku": np.bitwise_count(self.yaku).ravel(),
        }
        return pd.DataFrame(columns | {y.syllable: self.has_yaku(k).ravel() for k, y in enumerate(YAKU)})

    def summary(self) -> "pd.DataFrame":
        """What is asked for first, a row for each measure and side: measure, side, value, low, high (95%), n.

        score and points are means. won (alone), tied (for the highest score), and the syllable of each yaku (held) are
        shares of the rounds, from 0 to 1. A last row, of no side, is the mean number of turns in a round.
        """
        return _summary([self], self.rules.sides)

    def save(self, path: str | PathLike[str]) -> None:
        """Write a Parquet file, with the run in its metadata. An existing file is replaced once the new one is whole.

        Raises OSError, naming the path, where it cannot be written.
        """
        replace_file(path, encode(self.run, self.first, self.table))

    @classmethod
    def load(cls, path: str | PathLike[str]) -> "Results":
        """Read a file that `save` has written, or one of the folder that `simulate` writes to with `out`.

        Raises ValueError, naming the file, for any other, and for a damaged one.
        """
        part = Part.at(Path(path))
        return cls(part.run, part.load(), part.rounds.start)

    @staticmethod
    def scan(*paths: str | PathLike[str]) -> "Scan":
        """Look at rounds in files, and in folders of files, without loading them all: also at more than memory holds.

        The files may be of several seeds, or hold several stretches of the rounds of one. Raises ValueError, naming
        the file, for a folder without any, for damaged or other files, for rounds that are there twice, and for those
        of other rules, agents or versions; OSError where there is nothing.
        """
        return Scan(find_parts(paths))


def winners(scores: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Who has the highest score, or total: bool (n, sides), several True in a row where sides tie."""
    best: npt.NDArray[np.bool_] = scores == scores.max(axis=1, keepdims=True)
    return best


Question = Callable[[Results], npt.NDArray[Any]]


class Scan:
    """Rounds in files, looked at a batch at a time: `for results in scan` has each batch as `Results`.

    scan = Results.scan("monday", "tuesday")
    scan.mean(lambda results: results.margins[:, 0])
    scan.proportion(lambda results: (results.yaku == 0).all(axis=1))
    """

    def __init__(self, parts: Sequence[Part]) -> None:
        """`parts` as `parquet.find_parts` gives them: at least one, all of them of the same rules and agents."""
        self._parts = parts

    def __len__(self) -> int:
        return sum(len(part.rounds) for part in self._parts)

    def __str__(self) -> str:
        files = "1 file" if len(self._parts) == 1 else f"{len(self._parts)} files"
        seeds = "seed" if len(self.seeds) == 1 else "seeds"
        return f"{len(self):_} rounds in {files}, {self._parts[0].run.how}, {seeds} {', '.join(map(str, self.seeds))}"

    def __repr__(self) -> str:
        return f"<Scan: {self}>"

    @property
    def rules(self) -> Rules:
        return self._parts[0].run.rules

    @property
    def agents(self) -> tuple[str, ...]:
        return self._parts[0].run.agents

    @property
    def seeds(self) -> tuple[int, ...]:
        """The seeds that there are rounds of, ascending."""
        return tuple(sorted({part.run.seed for part in self._parts}))

    def __iter__(self) -> Iterator[Results]:
        """Batches in the order of their seeds and rounds. Raises ValueError, naming the file, where one is damaged."""
        for part in self._parts:
            for first, table in part.tables():
                yield Results(part.run, table, first)

    def mean(self, question: Question, *, progress: bool = True) -> "Estimate":
        """The mean of what `question` finds in each round, a number, with Student's t interval.

        question: takes `Results` and returns numbers (rounds,). It is called once for each batch.
        """
        return self._tally(question, progress).mean()

    def proportion(self, question: Question, *, progress: bool = True) -> "Estimate":
        """The share of the rounds in which the answer to `question` is yes, with Wilson's interval.

        question: takes `Results` and returns bool (rounds,). It is called once for each batch.
        """
        return self._tally(question, progress).proportion()

    def summary(self, *, progress: bool = True) -> "pd.DataFrame":
        """As `Results.summary`, with the same digits as that of all rounds in memory."""
        return _summary(self._batches(progress), self.rules.sides)

    def _tally(self, question: Question, progress: bool) -> "Tally":
        from .stats import Tally

        tally = Tally()
        for results in self._batches(progress):
            values = np.asarray(question(results))
            if values.shape != (len(results),):
                raise ValueError(
                    f"the question must return one value for each of {len(results)} rounds, shape ({len(results)},), "
                    f"got shape {values.shape}"
                )
            if values.dtype.kind not in "biuf" or not np.isfinite(values).all():
                raise ValueError(
                    f"the question must return a finite number, or yes or no, for each round, got {shown(values)}"
                )
            tally.add(values)
        return tally

    def _batches(self, progress: bool) -> Iterator[Results]:
        with bar(len(self), 0, progress) as shown:
            for results in self:
                yield results
                shown.update(len(results))


def _summary(batches: Iterable[Results], sides: int) -> "pd.DataFrame":
    import pandas as pd

    from .stats import Tally

    measures = ["score", "points", "won", "tied", *(yaku.syllable for yaku in YAKU)]
    tallies = [[Tally() for _ in range(sides)] for _ in measures]
    turns = Tally()
    for results in batches:
        margins = results.margins
        columns = [results.scores, results.points, margins > 0, margins == 0, *map(results.has_yaku, range(len(YAKU)))]
        for row, column in zip(tallies, columns, strict=True):
            for side, tally in enumerate(row):
                tally.add(column[:, side])
        turns.add(results.turns)
    rows: list[tuple[object, ...]] = [
        (measure, side, *(tally.mean() if measure in ("score", "points") else tally.proportion()))
        for measure, row in zip(measures, tallies, strict=True)
        for side, tally in enumerate(row)
    ]
    rows.append(("turns", pd.NA, *turns.mean()))
    table = pd.DataFrame(rows, columns=["measure", "side", "value", "low", "high", "n"])
    return table.astype({"side": "Int64"})
