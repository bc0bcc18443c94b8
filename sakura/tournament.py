"""Agents compared fairly: `tournament` lets every two of them meet on the same deals, from every side in turn.

The luck of the deal falls to both alike, and what is left of it is the same for all pairs. So the deal is the unit of
observation: whatever is measured, there is one number for each deal, and the intervals come from those.
"""

import html
import itertools
import json
import math
import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import closing, nullcontext, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .agents import Strategy, StrategyError, check_names, fingerprint, name_of, resolve
from .bits import SEEDS
from .checks import whole
from .results import winners
from .rules import Rules
from .run import Run
from .simulate import (
    MEMORY_LIMIT,
    STOPS,
    Job,
    check_executor,
    in_order,
    loops_for,
    play_chunk,
    progress_bar,
    unfinished,
)
from .version import __version__

# Statistics need scipy, which `import sakura` does not wait for.
if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

    from .stats import Estimate

Entrants = Sequence[str | Strategy] | Mapping[str, str | Strategy]

# Deals that a pair plays in one go: a few at first, then as many as take about so long, between two looks at the
# progress bar and at Ctrl-C.
FIRST_DEALS = 2
SECONDS = 0.25
# The share of the time that writing a file may take while there is still something to play.
SAVING = 0.1

# Whose rating is 1000, if it takes part.
ANCHOR = "greedy"

CONFIDENCE = 0.95

_FORMAT = "sakura tournament 1"
_FORMAT_KEY = b"sakura"


@dataclass(frozen=True, repr=False, eq=False)
class Tournament:
    """Every deal, played by every two agents from every side.

    Agent `a` meets agent `b` alone on its side, `b` on all the others; then on the next side, until it had them all.
    With two sides that is the same for both of them, with more it is not.

    margins: float64 (agents, agents, deals): in `margins[a, b, k]` the score of `a`'s side less the mean of the others'
        scores, in points, averaged over the sides.
    wins: float64 (agents, agents, deals): the share of these rounds that `a`'s side wins; n sides that tie for the
        highest score have 1/n of the win each. An agent on a par with the others has 1/sides.

    Against itself an agent is exactly level.
    """

    rules: Rules
    seed: int
    names: tuple[str, ...]
    margins: npt.NDArray[np.float64]
    wins: npt.NDArray[np.float64]

    @property
    def deals(self) -> int:
        return int(self.margins.shape[2])

    def head(self, deals: int) -> "Tournament":
        """The first deals."""
        return Tournament(self.rules, self.seed, self.names, self.margins[..., :deals], self.wins[..., :deals])

    def _at(self, name: str) -> int:
        if name not in self.names:
            raise ValueError(f"no agent is called {name!r} here; there are {', '.join(map(repr, self.names))}")
        return self.names.index(name)

    def margin(self, a: str, b: str, confidence: float = CONFIDENCE) -> "Estimate":
        """By how many points a round `a` beats `b`, with Student's t interval over deals."""
        from . import stats

        return stats.mean(self.margins[self._at(a), self._at(b)], confidence)

    def win_share(self, a: str, b: str, confidence: float = CONFIDENCE) -> "Estimate":
        """The share of its rounds against `b` that `a` wins, with the interval of `stats.share` over deals."""
        from . import stats

        return stats.share(self.wins[self._at(a), self._at(b)], confidence)

    def compare(self, a: str, b: str, against: str, confidence: float = CONFIDENCE) -> "Estimate":
        """By how many more points `a` beats a third agent than `b` does, paired by the deals."""
        from . import stats

        third = self._at(against)
        return stats.paired_difference(self.margins[self._at(a), third], self.margins[self._at(b), third], confidence)

    def mean_margin(self, name: str) -> "Estimate":
        """By how many points a round an agent beats the others, each of them counting alike."""
        from . import stats

        return stats.mean(self._against_others(self.margins, name))

    def mean_win_share(self, name: str) -> "Estimate":
        """The share of its rounds against the others that an agent wins, each of them counting alike."""
        from . import stats

        return stats.share(self._against_others(self.wins, name))

    def _against_others(self, table: npt.NDArray[np.float64], name: str) -> npt.NDArray[np.float64]:
        """The mean over the others for each deal (deals,)."""
        me = self._at(name)
        others: npt.NDArray[np.float64] = np.delete(table[me], me, axis=0).mean(axis=0)
        return others

    @property
    def anchor(self) -> str:
        """The agent whose rating is 1000: "greedy", or the first where it does not take part."""
        return ANCHOR if ANCHOR in self.names else self.names[0]

    @cached_property
    def ratings(self) -> "dict[str, Estimate]":
        """Each agent's rating, the highest first: Elo's scale, from the shares of wins (`stats.elo`).

        The intervals are for the difference from the agent that has 1000.
        """
        from . import stats

        found = stats.elo(self.wins, self.rules.sides, self._at(self.anchor), self.seed)
        return dict(sorted(zip(self.names, found, strict=True), key=lambda item: -item[1].value))

    def standings(self) -> "pd.DataFrame":
        """A row for each agent, the highest rating first: name, deals; then rating, margin (points a round) and
        win_share against the others, each followed by the ends of its 95% interval, as in rating_low, rating_high."""
        import pandas as pd

        rows = []
        for name, rating in self.ratings.items():
            row: dict[str, object] = {"name": name, "deals": self.deals}
            measured = {"rating": rating, "margin": self.mean_margin(name), "win_share": self.mean_win_share(name)}
            for column, estimate in measured.items():
                row |= {column: estimate.value, f"{column}_low": estimate.low, f"{column}_high": estimate.high}
            rows.append(row)
        return pd.DataFrame(rows)

    def cross_table(self) -> "pd.DataFrame":
        """Who beats whom by how much: in row `a` and column `b` the margin of `a` against `b`, as text."""
        import pandas as pd

        cells = [["" if a == b else _points(self.margin(a, b)) for b in self.names] for a in self.names]
        return pd.DataFrame(cells, index=list(self.names), columns=list(self.names))

    def finding(self) -> str:
        """What came of it, in a sentence: whom the agent with the highest rating surely beats.

        Surely is with 95% for all pairs together (Bonferroni), as the best was only picked afterwards.
        """
        from . import stats

        confidence = stats.simultaneous(math.comb(len(self.names), 2))
        best, *others = self.ratings
        leads = {name: self.margin(best, name, confidence) for name in others}
        equals = [name for name, lead in leads.items() if not lead.above(0)]
        if equals:
            return f"{best} is rated highest, but these deals do not show that it beats {_listed(equals, 'or')}"
        nearest = min(leads, key=lambda name: leads[name].value)
        lead = f"{leads[nearest]:.1f} points a round"
        if len(others) == 1:
            return f"{best} beats {nearest} by {lead}"
        return f"{best} beats every other agent; {nearest} comes nearest, {lead} behind"

    @property
    def provenance(self) -> str:
        """Where the numbers come from, in a line."""
        sides = "both" if self.rules.sides == 2 else f"all {self.rules.sides}"
        return f"{self.deals:,} deals, each played from {sides} sides, {self.rules}, seed {self.seed}"

    @property
    def _columns(self) -> tuple[str, ...]:
        return "", "rating", "points a round, against the others", "rounds won"

    def _cells(self) -> list[tuple[str, ...]]:
        return [
            (name, f"{rating:.0f}", _points(self.mean_margin(name)), f"{self.mean_win_share(name):.1%}")
            for name, rating in self.ratings.items()
        ]

    @property
    def _note(self) -> str:
        return f"[95% intervals, from the deals]; {self.anchor} has a rating of {self.ratings[self.anchor].value:.0f}"

    def __repr__(self) -> str:
        return f"<Tournament: {_listed(self.names, 'and')}; {self.provenance}>"

    def __str__(self) -> str:
        rows = [self._columns, *self._cells()]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows)
        return "\n".join((f"Tournament: {self.provenance}", *lines, self._note))

    def _repr_html_(self) -> str:
        def row(kind: str, cells: Iterable[str]) -> str:
            first, *others = (html.escape(cell) for cell in cells)
            scope = "col" if kind == "th" else "row"
            opened = f'<{kind} scope="col">' if kind == "th" else f"<{kind}>"
            return f'<tr><th scope="{scope}">{first}</th>{"".join(f"{opened}{o}</{kind}>" for o in others)}</tr>'

        body = "".join(row("td", cells) for cells in self._cells())
        return (
            f'<table class="sakura-tournament"><caption>Tournament: {html.escape(self.provenance)}<br>'
            f"{html.escape(self._note)}</caption><thead>{row('th', self._columns)}</thead><tbody>{body}</tbody></table>"
        )


def _points(estimate: "Estimate") -> str:
    return f"{estimate:+z.1f}"


def _listed(words: Sequence[str], last: str) -> str:
    """ "a, b and c"."""
    return f" {last} ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def tournament(
    agents: Entrants,
    rules: Rules | None = None,
    deals: int = 1000,
    seed: int = 0,
    *,
    executor: Executor | None = None,
    progress: bool = True,
    out: str | os.PathLike[str] | None = None,
) -> Tournament:
    """Let every two agents play the same `deals` deals against each other, from every side, and return what came of it.

    agents: at least two, each a name ("random", "greedy") or a strategy (`sakura.agents`); or a mapping from names of
        your choice to them, so that two versions of a strategy can meet.
    rules: two players by Hawaii's rules where none are given.
    seed: 0 <= seed < 2**63. Deal `k` is that of `simulate` with the same seed and rules, and the dealer passes on with
        `k`. What it brings follows from seed, k, rules and the two agents alone.
    executor: any `concurrent.futures.Executor`, to play in other threads, processes or machines.
    progress: show a bar when it takes long.
    out: a Parquet file that keeps what was played, a row for each pair and deal. The same call goes on from there, and
        so does one with more deals or with more agents.

    Raises ValueError or TypeError for arguments that make no sense, or for a file of another tournament; StrategyError
    where a strategy fails; OSError where the file cannot be written; Interrupted after Ctrl-C, ExecutorError where the
    executor fails. What was played until then is in the file; without one, the exception's `results` has the deals that
    all pairs have finished.
    """
    rules = Rules() if rules is None else rules
    if not isinstance(rules, Rules):
        raise TypeError(f"rules must be sakura.Rules(...), got {rules!r}")
    deals, entrants = whole("deals", deals, 2), _entrants(agents)
    table = _blank(rules, whole("seed", seed, 0, SEEDS), tuple(entrants), deals)
    if executor is not None:
        check_executor(Job(Run(table.seed, rules, table.names), tuple(entrants.values())), executor)
    jobs = _jobs(table, entrants)
    loops = _loops(jobs)
    with nullcontext() if out is None else _File(out, table, entrants) as file:
        table = table if file is None else file.table
        _play(table, deals, jobs, loops, executor, progress, file)
    return table.head(deals)


def _entrants(agents: Entrants) -> dict[str, str | Strategy]:
    """The agents by their names."""
    if isinstance(agents, str) or not isinstance(agents, Iterable):
        raise TypeError(f"agents must be a list of at least two, or a mapping from names to them, got {agents!r}")
    named = list(agents.items()) if isinstance(agents, Mapping) else [(name_of(agent), agent) for agent in agents]
    for name, agent in named:
        resolve(agent)
        if not isinstance(name, str):
            raise TypeError(f"the name of an agent must be text, got {name!r}")
    if len(named) < 2:
        raise ValueError(f"a tournament needs at least two agents, got {len(named)}")
    names = [name for name, _ in named]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(
                f"{names.count(name)} agents are called {name!r}; give a mapping, as in {{'old': ..., 'new': ...}}, "
                f"to tell them apart"
            )
    check_names(named)
    return dict(named)


def _blank(rules: Rules, seed: int, names: tuple[str, ...], deals: int) -> Tournament:
    """A tournament of which nothing is played: NaN everywhere but between an agent and itself."""
    size = 2 * 8 * len(names) ** 2 * deals
    if size > MEMORY_LIMIT:
        raise ValueError(
            f"{deals:_} deals of {len(names)} agents need {size / 1e9:,.0f} GB of memory; "
            f"there is room for {MEMORY_LIMIT * deals // size:_}"
        )
    shape = (len(names), len(names), deals)
    table = Tournament(rules, seed, names, np.full(shape, np.nan), np.full(shape, np.nan))
    same = np.arange(len(names))
    table.margins[same, same], table.wins[same, same] = 0, 1 / rules.sides
    return table


# ---- Playing ----

Pair = tuple[int, int]


class Unit(NamedTuple):
    """What is played in one go: `deals` deals of a pair from deal `first` on."""

    pair: Pair
    first: int
    deals: int


def _pairs(table: Tournament) -> list[Pair]:
    """The pairs that have to meet. With two sides (b, a) is (a, b) seen from the other side."""
    choose = itertools.combinations if table.rules.sides == 2 else itertools.permutations
    return list(choose(range(len(table.names)), 2))


def _jobs(table: Tournament, entrants: Mapping[str, str | Strategy]) -> dict[Pair, tuple[Job, ...]]:
    """For each pair the jobs in which the first of the two has side 0, then side 1, and so on."""
    rules, jobs = table.rules, {}
    for a, b in _pairs(table):
        names = [
            [table.names[a if rules.side_of(seat) == side else b] for seat in range(rules.players)]
            for side in range(rules.sides)
        ]
        jobs[a, b] = tuple(
            Job(Run(table.seed, rules, tuple(seated)), tuple(entrants[name] for name in seated)) for seated in names
        )
    return jobs


def _loops(jobs: Mapping[Pair, tuple[Job, ...]]) -> set[str]:
    """The compiled loops that will be needed. Refuses a compiled strategy that does not fit."""
    return {loop for job, *_ in jobs.values() for loop in loops_for(job)}


def _play(
    table: Tournament,
    deals: int,
    jobs: Mapping[Pair, tuple[Job, ...]],
    loops: Iterable[str],
    executor: Executor | None,
    progress: bool,
    file: "_File | None",
) -> None:
    """Play what the first `deals` deals of the table lack. Raises Interrupted, ExecutorError."""
    done = {pair: int(count) for pair, count in np.ndenumerate(_done(table)) if pair in jobs}
    ready = sum(min(count, deals) for count in done.values())
    if ready == deals * len(jobs):
        return
    if file is not None:
        # Where it cannot be written nothing should be played in vain.
        file.save()
    sides, pace = table.rules.sides, _Pace()
    try:
        with progress_bar(deals * len(jobs) * sides, ready * sides, progress, loops) as bar:
            parts = ((unit, jobs[unit.pair]) for unit in _units(done, deals, pace))
            with closing(in_order(executor, _meet, parts)) as results:
                for unit, margins, wins in results:
                    _enter(table, unit, margins, wins)
                    pace.deals += unit.deals
                    bar.update(unit.deals * sides)
                    if file is not None:
                        file.save_at_times()
    except STOPS as stopped:
        finished = min(deals, *(int(_done(table)[pair]) for pair in jobs))
        what = f"after {finished:_} of {deals:_} deals"
        if file is not None:
            what = f"{what}; what was finished is in the file, the same call goes on there"
            raise unfinished(stopped, what) from stopped.__cause__
        what = f"{what}, which are in the exception's `results`"
        raise unfinished(stopped, what, table.head(finished)) from stopped.__cause__


def _done(table: Tournament) -> npt.NDArray[np.int64]:
    """How many deals every pair has played: whole (agents, agents)."""
    done: npt.NDArray[np.int64] = np.sum(~np.isnan(table.margins), axis=2)
    return done


class _Pace:
    """How many deals make a unit: as many as take about `SECONDS`, as far as is known from the `deals` played."""

    def __init__(self) -> None:
        self.deals = 0
        self._size = FIRST_DEALS
        self._started: float | None = None

    def size(self) -> int:
        if self._started is None:
            self._started = time.perf_counter()
        elif self.deals:
            fitting = SECONDS * self.deals / (time.perf_counter() - self._started)
            self._size = max(1, min(int(fitting), 4 * self._size))
        return self._size


def _units(done: Mapping[Pair, int], deals: int, pace: _Pace) -> Iterator[Unit]:
    """What is still to be played, some deals for all pairs before the next, so that at any time many are whole."""
    first = min(done.values())
    while first < deals:
        end = min(deals, first + pace.size())
        for pair, count in done.items():
            start = max(first, count)
            if start < end:
                yield Unit(pair, start, end - start)
        first = end


# What was played, its margins and its wins.
Found = tuple[Unit, npt.NDArray[np.float64], npt.NDArray[np.float64]]


def _meet(unit: Unit, jobs: Sequence[Job]) -> Found:
    """The margins and the wins (deals,) of an agent that has side 0 in the first job, side 1 in the next, and so on.

    Workers run this. All is counted in whole numbers, so that what is level is so exactly.
    """
    sides = len(jobs)
    parts = math.lcm(*range(1, sides + 1))
    own, total, won = (np.zeros(unit.deals, np.int64) for _ in range(3))
    try:
        for side, job in enumerate(jobs):
            scores = play_chunk(job, unit.first, unit.deals).scores.astype(np.int64)
            best = winners(scores)
            own += scores[:, side]
            total += scores.sum(axis=1)
            won += best[:, side] * (parts // best.sum(axis=1))
    except StrategyError as error:
        raise StrategyError(f"in {' against '.join(dict.fromkeys(jobs[0].run.agents))}: {error}") from error
    return unit, (sides * own - total) / (sides * (sides - 1)), won / (parts * sides)


def _enter(table: Tournament, unit: Unit, margins: npt.NDArray[np.float64], wins: npt.NDArray[np.float64]) -> None:
    """Write the results of a unit into the table; last what says that they are there, as Ctrl-C may come between."""
    (a, b), deals = unit.pair, slice(unit.first, unit.first + unit.deals)
    table.wins[a, b, deals] = wins
    if table.rules.sides == 2:
        table.wins[b, a, deals] = 1 - wins
        table.margins[b, a, deals] = -margins
    table.margins[a, b, deals] = margins


# ---- Parquet ----


class _File:
    """A tournament on its way into a Parquet file: `table` holds what the file had, and whatever is entered since.

    The rows of the file are the pairs' deals: deal, agent, opponent, margin, win. A new file is written beside the old
    one and takes its place in one step, so that there is a whole file at every moment. Raises ValueError where the
    file is of another tournament, OSError, naming it, where it cannot be written; then it stays as it was.
    """

    def __init__(self, path: str | os.PathLike[str], table: Tournament, agents: Mapping[str, str | Strategy]) -> None:
        self._path = Path(path)
        self._part = self._path.with_name(self._path.name + ".part")
        self._about: dict[str, Any] = {
            "format": _FORMAT,
            "version": __version__,
            "rules": table.rules.to_dict(),
            "seed": table.seed,
        }
        self._agents = {name: fingerprint(agent) for name, agent in agents.items()}
        self.table = table
        if self._path.is_dir():
            raise IsADirectoryError(f"cannot write to {path}: it is a folder")
        if self._path.exists():
            self._load()
        self._saved = _done(self.table).sum()
        self._opened, self._spent = time.perf_counter(), 0.0

    def _load(self) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        try:
            arrow = pq.read_table(self._path)
        except pa.ArrowInvalid:
            raise ValueError(f"{self._path} is not a Parquet file, or was cut off before its end") from None
        self._check((arrow.schema.metadata or {}).get(_FORMAT_KEY, b""))
        try:
            self._fill(arrow)
        except (KeyError, IndexError, ValueError) as error:
            raise ValueError(f"{self._path} cannot be used, it is damaged: {error}") from None

    def _fill(self, arrow: "pa.Table") -> None:
        """Enter the rows of a file into the table."""
        import pyarrow as pa
        import pyarrow.compute as pc

        names = pa.array(self.table.names)
        a, b = (pc.index_in(arrow[name].cast(pa.string()), names).to_numpy() for name in ("agent", "opponent"))
        deal = arrow["deal"].to_numpy()
        held = int(deal.max(initial=-1)) + 1
        if held > self.table.deals:
            self.table = _blank(self.table.rules, self.table.seed, self.table.names, held)
        self.table.margins[a, b, deal], self.table.wins[a, b, deal] = arrow["margin"], arrow["win"]
        if self.table.rules.sides == 2:
            self.table.margins[b, a, deal] = -self.table.margins[a, b, deal]
            self.table.wins[b, a, deal] = 1 - self.table.wins[a, b, deal]
        missing = np.isnan(self.table.margins)
        if np.any(missing[..., :-1] & ~missing[..., 1:]):
            raise ValueError("it lacks deals in between")

    def _check(self, described: bytes) -> None:
        """ValueError, naming what differs, unless the description is of this tournament, perhaps with fewer agents."""
        try:
            held = json.loads(described)
            agents = held.pop("agents")
            if held["format"] != _FORMAT:
                raise ValueError
        except (ValueError, KeyError, TypeError):
            raise ValueError(f"{self._path} holds no tournament: it was not written by sakura.tournament") from None
        differences = [
            f"its {what} {held.get(what)}, not {wanted}"
            for what, wanted in self._about.items()
            if held.get(what) != wanted
        ]
        for name, held_print in agents.items():
            if name not in self._agents:
                differences.append(f"{name!r} takes part in it")
            elif self._agents[name] != held_print:
                differences.append(f"{name!r} was another agent then")
        if differences:
            raise ValueError(
                f"{self._path} holds another tournament: {'; '.join(differences)}; give another path, "
                f"or remove the file"
            )

    def save(self) -> None:
        """Write all that is in the table."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        started, table = time.perf_counter(), self.table
        done = _done(table)
        pairs = _pairs(table)
        counts = [done[pair] for pair in pairs]
        a, b = (np.repeat(side, counts) for side in zip(*pairs, strict=True))
        deal = np.concatenate([np.arange(count) for count in counts])
        columns = {
            "deal": deal,
            "agent": pa.DictionaryArray.from_arrays(a, table.names),
            "opponent": pa.DictionaryArray.from_arrays(b, table.names),
            "margin": table.margins[a, b, deal],
            "win": table.wins[a, b, deal],
        }
        # An agent without rows is left out: one that failed at once may be mended and try again.
        agents = {table.names[player]: self._agents[table.names[player]] for player in np.union1d(a, b)}
        about = json.dumps({**self._about, "agents": agents})
        arrow = pa.table(columns).replace_schema_metadata({_FORMAT_KEY: about})
        try:
            pq.write_table(arrow, self._part, compression="zstd")
            self._part.replace(self._path)
        except BaseException as error:
            with suppress(OSError):
                self._part.unlink(missing_ok=True)
            if isinstance(error, OSError):
                raise OSError(f"cannot write to {self._path}: {error}") from None
            raise
        self._saved = int(done.sum())
        self._spent += time.perf_counter() - started

    def save_at_times(self) -> None:
        """Save, unless saving has taken too much of the time already."""
        if self._spent <= SAVING * (time.perf_counter() - self._opened):
            self.save()

    def __enter__(self) -> "_File":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Save what is not; also after Ctrl-C and errors, but not after one in writing."""
        failed = kind is not None and issubclass(kind, OSError)
        if not failed and self._saved < _done(self.table).sum():
            self.save()
