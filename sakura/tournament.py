"""Agents compared fairly: `tournament` lets every two of them meet on the same deals, from every side in turn.

The luck of the deal falls to both alike, and what is left of it is the same for all pairs. So the deal is the unit of
observation: whatever is measured, there is one number for each deal, and the intervals come from those.
"""

import html
import itertools
import math
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from .agents import Strategy, StrategyError, check_names, name_of, resolve
from .bits import SEEDS
from .checks import listed, shown, switch, whole
from .results import winners
from .rules import Rules
from .run import Run
from .simulate import (
    MEMORY_LIMIT,
    STOPS,
    Job,
    check_executor,
    fingerprints,
    in_order,
    loops_for,
    play_chunk,
    progress_bar,
    unfinished,
)

# Statistics need scipy, which `import sakura` does not wait for.
if TYPE_CHECKING:
    import pandas as pd

    from .stats import Estimate

Entrants = Sequence[str | Strategy] | Mapping[str, str | Strategy]

# Deals that a pair plays in one go: a few at first, then as many as take about so long, between two looks at the
# progress bar and at Ctrl-C.
FIRST_DEALS = 2
SECONDS = 0.25

# Whose rating is 1000, if it takes part.
ANCHOR = "greedy"

CONFIDENCE = 0.95


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

    out: who took part, failed, and is not among the agents any more, and why.
    """

    rules: Rules
    seed: int
    names: tuple[str, ...]
    margins: npt.NDArray[np.float64]
    wins: npt.NDArray[np.float64]
    out: Mapping[str, str] = field(default_factory=dict)

    @property
    def deals(self) -> int:
        return int(self.margins.shape[2])

    def head(self, deals: int) -> "Tournament":
        """The first deals."""
        return replace(self, margins=self.margins[..., :deals], wins=self.wins[..., :deals])

    def without(self, out: Mapping[str, str]) -> "Tournament":
        """All but some agents, with the reasons why they are out."""
        names = tuple(name for name in self.names if name not in out)
        stay = np.array([name not in out for name in self.names])
        margins, wins = self.margins[stay][:, stay], self.wins[stay][:, stay]
        return replace(self, names=names, margins=margins, wins=wins, out={**self.out, **out})

    def _at(self, name: str) -> int:
        if name in self.out:
            raise ValueError(f"{name!r} is out: {self.out[name]}")
        if name not in self.names:
            raise ValueError(f"no agent is called {shown(name)} here; there are {listed(self.names)}")
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
        out = f", without {_listed(list(self.out), 'and')}, who failed" if self.out else ""
        return f"{self.deals:,} deals, each played from {sides} sides, {self.rules}, seed {self.seed}{out}"

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
        out = (f"{name} is out: {why}" for name, why in self.out.items())
        return "\n".join((f"Tournament: {self.provenance}", *lines, *out, self._note))

    def _repr_html_(self) -> str:
        def row(kind: str, cells: Iterable[str]) -> str:
            first, *others = (html.escape(cell) for cell in cells)
            scope = "col" if kind == "th" else "row"
            opened = f'<{kind} scope="col">' if kind == "th" else f"<{kind}>"
            return f'<tr><th scope="{scope}">{first}</th>{"".join(f"{opened}{o}</{kind}>" for o in others)}</tr>'

        body = "".join(row("td", cells) for cells in self._cells())
        for name, why in self.out.items():
            # All that is not its name is one cell.
            body += row("td", (name, f"out: {why}")).replace("<td>", f'<td colspan="{len(self._columns) - 1}">')
        return (
            f'<table class="sakura-tournament"><caption>Tournament: {html.escape(self.provenance)}<br>'
            f"{html.escape(self._note)}</caption><thead>{row('th', self._columns)}</thead><tbody>{body}</tbody></table>"
        )


def _points(estimate: "Estimate") -> str:
    return f"{estimate:+z.1f}"


def _listed(words: Sequence[str], last: str) -> str:
    """ "a, b and c"."""
    return f" {last} ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def tournament(
    agents: Entrants,
    rules: Rules | None = None,
    deals: int = 1000,
    seed: int = 0,
    *,
    executor: Executor | None = None,
    progress: bool = True,
    keep_going: bool = False,
) -> Tournament:
    """Let every two agents play the same `deals` deals against each other, from every side, and return what came of it.

    agents: at least two, each a name ("random", "greedy") or a strategy (`sakura.agents`); or a mapping from names of
        your choice to them, so that two versions of a strategy can meet.
    rules: two players by Hawaii's rules where none are given.
    seed: 0 <= seed < 2**63. Deal `k` is that of `simulate` with the same seed and rules, and the dealer passes on with
        `k`. What it brings follows from seed, k, rules and the two agents alone.
    executor: any `concurrent.futures.Executor`, to play in other threads, processes or machines.
    progress: show a bar when it takes long.
    keep_going: whoever fails is out, and the others go on; `Tournament.out` and the table say why. Every pair is played
        until one of the two fails, so that it does not depend on chance or speed who is out.

    A strategy may take any time for its decisions; Ctrl-C ends one that never answers.

    Raises ValueError or TypeError for arguments that make no sense; StrategyError where a strategy fails, or where with
    `keep_going` fewer than two are left; Interrupted after Ctrl-C, ExecutorError where the executor fails. The
    exception's `results` then has the deals that all pairs have finished.
    """
    rules = Rules() if rules is None else rules
    if not isinstance(rules, Rules):
        raise TypeError(f"rules must be sakura.Rules(...), got {shown(rules)}")
    switch("progress", progress)
    deals, entrants = whole("deals", deals, 2), _entrants(agents)
    table = _blank(rules, whole("seed", seed, 0, SEEDS), tuple(entrants), deals)
    if executor is not None:
        check_executor(Job(Run(table.seed, rules, table.names), tuple(entrants.values())), executor)
    out = _unfit(table, entrants) if keep_going else {}
    table, entrants = table.without(out), {name: agent for name, agent in entrants.items() if name not in out}
    return _play(table, _jobs(table, entrants), executor, progress, keep_going)


def _unfit(table: Tournament, entrants: Mapping[str, str | Strategy]) -> dict[str, str]:
    """The compiled entrants that do not fit, and why."""
    out = {}
    for name, agent in entrants.items():
        try:
            loops_for(Job(Run(table.seed, table.rules, (name,)), (agent,)))
        except TypeError as error:
            out[name] = str(error)
    return out


def _entrants(agents: Entrants) -> dict[str, str | Strategy]:
    """The agents by their names."""
    if isinstance(agents, str) or not isinstance(agents, Mapping | Sequence):
        raise TypeError(f"agents must be a list of at least two, or a mapping from names to them, got {shown(agents)}")
    named = list(agents.items()) if isinstance(agents, Mapping) else [(name_of(agent), agent) for agent in agents]
    for name, agent in named:
        resolve(agent)
        if not isinstance(name, str):
            raise TypeError(f"the name of an agent must be text, got {shown(name)}")
    if len(named) < 2:
        raise ValueError(f"a tournament needs at least two agents, got {len(named)}")
    names = [name for name, _ in named]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(
                f"{names.count(name)} agents are called {shown(name)}; give a mapping, as in "
                f"{{'old': ..., 'new': ...}}, to tell them apart"
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
    prints = dict(zip(entrants, fingerprints(tuple(entrants.values())), strict=False))
    for a, b in _pairs(table):
        names = [
            [table.names[a if rules.side_of(seat) == side else b] for seat in range(rules.players)]
            for side in range(rules.sides)
        ]
        jobs[a, b] = tuple(
            Job(
                Run(table.seed, rules, tuple(seated), strategies=tuple(prints.get(name, "") for name in seated)),
                tuple(entrants[name] for name in seated),
            )
            for seated in names
        )
    return jobs


def _play(
    table: Tournament,
    jobs: Mapping[Pair, tuple[Job, ...]],
    executor: Executor | None,
    progress: bool,
    keep_going: bool,
) -> Tournament:
    """Play all deals of the table, and return it. Raises StrategyError, Interrupted, ExecutorError."""
    # The compiled loops that will be needed; also refuses a compiled strategy that does not fit.
    loops = {loop for job, *_ in jobs.values() for loop in loops_for(job)}
    deals, sides, pace = table.deals, table.rules.sides, _Pace()
    failures: dict[Pair, _Failure] = {}

    def finished() -> Tournament:
        """Without those that are out, the deals that all the others have played."""
        left = table.without(_out(failures))
        # Every deal that all pairs have played comes before those that they have not.
        return left.head(int(np.sum(~np.isnan(left.margins).any(axis=(0, 1)))))

    try:
        with progress_bar(deals * len(jobs) * sides, 0, progress, loops) as bar:
            parts = ((unit, jobs[unit.pair], keep_going) for unit in _units(list(jobs), deals, pace, failures))
            with closing(in_order(executor, _meet, parts)) as results:
                for unit, found in results:
                    if isinstance(found, _Failure):
                        # The units after it may have been handed out already.
                        failures.setdefault(unit.pair, found)
                    else:
                        _enter(table, unit, *found)
                    pace.deals += unit.deals
                    bar.update(unit.deals * sides)
    except STOPS as stopped:
        left = finished()
        what = f"after {left.deals:_} of {deals:_} deals, which are in the exception's `results`"
        raise unfinished(stopped, what, left) from stopped.__cause__
    left = finished()
    if len(left.names) < 2:
        reasons = "; ".join(f"{name} is out: {why}" for name, why in left.out.items())
        raise StrategyError(f"fewer than two are left: {reasons}")
    return left


class _Failure(NamedTuple):
    """Who of a pair failed first: in which deal, and what there is to say of it."""

    deal: int
    name: str
    words: str


def _out(failures: Mapping[Pair, _Failure]) -> dict[str, str]:
    """Who is out, each with the words of its first failure."""
    latest_first = sorted(failures.items(), key=lambda item: (item[1].deal, item[0]), reverse=True)
    return {failure.name: failure.words for _, failure in latest_first}


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


def _units(pairs: Sequence[Pair], deals: int, pace: _Pace, failed: Collection[Pair]) -> Iterator[Unit]:
    """What is to be played, some deals for all pairs before the next, so that at any time many are whole.

    A pair that has failed does not meet again.
    """
    first = 0
    while first < deals:
        end = min(deals, first + pace.size())
        for pair in pairs:
            if pair not in failed:
                yield Unit(pair, first, end - first)
        first = end


# Margins and wins.
Found = tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]


def _meet(unit: Unit, jobs: Sequence[Job], keep_going: bool) -> tuple[Unit, Found | _Failure]:
    """The margins and the wins (deals,) of an agent that has side 0 in the first job, side 1 in the next, and so on.

    Workers run this. With `keep_going` it tells who fails first, which does not depend on what makes a unit.
    """
    try:
        return unit, _played(unit, jobs)
    except StrategyError as error:
        if not keep_going:
            raise
        # Unless it does not fail again.
        failure = _Failure(unit.first, error.agent, str(error))
    for deal in range(unit.first, unit.first + unit.deals):
        try:
            _played(Unit(unit.pair, deal, 1), jobs)
        except StrategyError as error:
            return unit, _Failure(deal, error.agent, str(error))
    return unit, failure


def _played(unit: Unit, jobs: Sequence[Job]) -> Found:
    """All is counted in whole numbers, so that what is level is so exactly."""
    sides = len(jobs)
    parts = math.lcm(*range(1, sides + 1))
    own, total, won = (np.zeros(unit.deals, np.int64) for _ in range(3))
    for side, job in enumerate(jobs):
        try:
            scores = play_chunk(job, unit.first, unit.deals).scores.astype(np.int64)
        except StrategyError as error:
            other = next(name for name in job.run.agents if name != error.agent)
            told = f"{error.agent} failed against {other}: {error}"
            raise StrategyError(told, agent=error.agent) from error
        best = winners(scores)
        own += scores[:, side]
        total += scores.sum(axis=1)
        won += best[:, side] * (parts // best.sum(axis=1))
    return (sides * own - total) / (sides * (sides - 1)), won / (parts * sides)


def _enter(table: Tournament, unit: Unit, margins: npt.NDArray[np.float64], wins: npt.NDArray[np.float64]) -> None:
    """Write the results of a unit into the table; last what says that they are there, as Ctrl-C may come between."""
    (a, b), deals = unit.pair, slice(unit.first, unit.first + unit.deals)
    table.wins[a, b, deals] = wins
    if table.rules.sides == 2:
        table.wins[b, a, deals] = 1 - wins
        table.margins[b, a, deals] = -margins
    table.margins[a, b, deals] = margins
