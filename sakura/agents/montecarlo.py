"""`montecarlo`: try each action on many deals of the hidden cards that agree with all that is seen.

The hidden cards are dealt out at random, every action is taken, and the round is played out by a fast strategy; the
same deals and random numbers for all actions, so that the luck of them cancels. It aims at the margin of its side over
the best other side: with many sides, being far ahead of most is worth nothing if one is further.
"""

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from ..bits import SEEDS
from ..checks import finite, shown, switch, whole
from ..engine import Observation, seen_state, seen_targets
from ..rules import MAX_PLAYERS
from .built_in import number_of
from .careful import POINT, VALUES, WHOLE, Careful, seen_values


class Evaluation(NamedTuple):
    """What play-outs say of each of `n` legal actions, in their order.

    margins: (play-outs, n) float64, how far the own side ended above the best other, in points; a row is one deal of
        the hidden cards, NaN where an action was no longer tried on it.
    wins: (play-outs, n) float64, 1 for the highest score, a share of it where several sides have it, else 0; NaN.
    best: the number of the action to take.
    """

    margins: npt.NDArray[np.float64]
    wins: npt.NDArray[np.float64]
    best: int

    @property
    def values(self) -> npt.NDArray[np.float64]:
        """(n,) the mean margin of each action."""
        return _mean(self.margins)

    @property
    def errors(self) -> npt.NDArray[np.float64]:
        """(n,) the standard errors of `values`; NaN after a single play-out, which says nothing of them."""
        count = self.playouts
        spread = np.nanvar(self.margins, axis=0)
        return np.asarray(np.sqrt(spread / np.where(count > 1, count - 1, np.nan)))

    @property
    def playouts(self) -> npt.NDArray[np.int64]:
        """(n,) how often each action was tried."""
        return np.asarray(np.count_nonzero(~np.isnan(self.margins), axis=0))

    @property
    def chances(self) -> npt.NDArray[np.float64]:
        """(n,) the mean share of wins."""
        return _mean(self.wins)


def check_playing(playouts: int, own: object, others: object) -> None:
    """ValueError unless there can be so many play-outs, with these agents in the own seat and in all others."""
    whole("playouts", playouts, 1)
    for name, agent in (("own", own), ("others", others)):
        if number_of(agent) is None:
            raise ValueError(
                f"{name} must be a fast strategy, 'random', 'greedy', 'careful' or a Careful, got {shown(agent)}"
            )


def seat_numbers(own: str | Careful, others: str | Careful, seat: int) -> tuple[int | None, ...]:
    """The agents of play-outs by seat, as numbers: one for `seat`, another for all the others of seven."""
    return tuple(number_of(own if place == seat else others) for place in range(MAX_PLAYERS))


def _mean(table: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.asarray(np.nanmean(table, axis=0))


@dataclass(frozen=True)
class MonteCarlo:
    """A strategy that tries every action in play-outs.

    playouts: how many for each action, on average.
    milliseconds: how long a decision may take instead; what it does then depends on the machine.
    own, others: who plays for the own seat and for all others in the play-outs: "random", "greedy", "careful" or a
        `Careful`.
    halving: spend them where the decision is close: in rounds of equal cost, after each of which the better half of the
        actions stays (sequential halving: Karnin, Koren, Somekh 2013). Without it, all get the same.
    advice: the opinion of `careful` counts as much as so many play-outs.
    """

    playouts: int = 1000
    milliseconds: float | None = None
    own: str | Careful = "greedy"
    others: str | Careful = "greedy"
    halving: bool = True
    advice: int = 0

    loops: ClassVar = ("play_outs",)

    def __post_init__(self) -> None:
        check_playing(self.playouts, self.own, self.others)
        whole("advice", self.advice, 0)
        switch("halving", self.halving)
        if self.milliseconds is not None and not (finite(self.milliseconds) and self.milliseconds > 0):
            raise ValueError(f"milliseconds must be above 0, got {shown(self.milliseconds)}")

    @property
    def __name__(self) -> str:
        return repr(self)

    def __call__(self, obs: Observation, random: int) -> int:
        return 0 if len(obs.actions) == 1 else self.evaluate(obs, random).best

    def evaluate(self, obs: Observation, random: int) -> Evaluation:
        """What the play-outs say of every action; `random` (0 <= random < 2**63) is all that is left to chance.

        Raises ValueError where it is not the seat of the observation that decides.
        """
        if not obs.actions:
            raise ValueError(f"seat {obs.seat} does not decide here: there is nothing to evaluate")
        trial = self._trial(obs, whole("random", random, 0, SEEDS))
        return race(
            len(obs.actions),
            trial,
            self.playouts,
            milliseconds=self.milliseconds,
            halving=self.halving,
            opinion=self._opinion(obs),
            advice=self.advice,
        )

    def _trial(self, obs: Observation, random: int) -> "Trial":
        # The machine stands on the agents.
        from ..machine import machine

        here = machine()
        agents = seat_numbers(self.own, self.others, obs.seat)
        missing = tuple(0 if seat == obs.seat else size for seat, size in enumerate(obs.hand_sizes))
        seen, targets, side = seen_state(obs), seen_targets(obs), obs.seat % obs.sides

        def trial(first: int, actions: Any, count: int) -> tuple[Any, Any]:
            return here.play_outs(
                *(seen, obs.rules, missing, targets, False, side, agents, random, first), actions, count
            )

        return trial

    def _opinion(self, obs: Observation) -> npt.NDArray[np.float64]:
        """(n,) what `careful` thinks of each action, in points."""
        n = len(obs.actions)
        if not self.advice:
            return np.zeros(n)
        return np.array(seen_values(obs, 0)[VALUES : VALUES + n]) / (POINT * WHOLE)


# Plays actions out, from (number of the first play-out, actions, how many), as `playouts.play_outs` does.
Trial = Callable[[int, Any, int], tuple[Any, Any]]


def race(
    n: int,
    trial: Trial,
    playouts: int,
    *,
    milliseconds: float | None = None,
    halving: bool = True,
    opinion: Any = 0.0,
    advice: int = 0,
) -> Evaluation:
    """Try `n` actions against each other; the arguments are those of `MonteCarlo`, `opinion` (n,) is in points."""
    heats = max(1, math.ceil(math.log2(n))) if halving else 1
    thought = np.zeros(n) + opinion
    alive = np.arange(n)
    tables: list[tuple[Any, Any]] = []
    done = 0
    for _ in range(heats):
        for count in batches(playouts / heats * n / len(alive), milliseconds and milliseconds / heats):
            margins, wins = trial(done, alive, count)
            tables.append((_spread(margins, alive, n), _spread(wins, alive, n)))
            done += count
        so_far = _mean(np.concatenate([margins for margins, _ in tables]))[alive]
        # Both are of use only as differences between the actions.
        views = thought[alive] - thought[alive].mean() + so_far.mean()
        order = np.argsort(-(so_far * done + views * advice), kind="stable")
        best = int(alive[order[0]])
        alive = np.sort(alive[order[: (len(alive) + 1) // 2]])
    margins, wins = (np.concatenate(parts) for parts in zip(*tables, strict=True))
    return Evaluation(margins, wins, best)


def batches(playouts: float, milliseconds: float | None) -> Iterator[int]:
    """How many play-outs to make at a time: all at once, or few enough to end after so many milliseconds."""
    if milliseconds is None:
        yield max(1, round(playouts))
        return
    until = time.perf_counter() + milliseconds / 1000
    count = 1
    yield count
    while time.perf_counter() < until:
        count = min(2 * count, 64)
        yield count


def _spread(table: Any, alive: Any, n: int) -> npt.NDArray[np.float64]:
    """The columns of a table put in their places among `n`, NaN in the others."""
    full = np.full((len(table), n), np.nan)
    full[:, alive] = table
    return full
