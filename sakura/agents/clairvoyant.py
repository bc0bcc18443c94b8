"""Players that see every card, hands and pile. They are no fair players, but say how much there is to be won.

`clairvoyant` tries each action on the cards as they lie, the others playing as ordinary players do: what it wins from
those is more than anyone can who does not see the cards. `solver` reckons with the best answers of all instead.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

from ..checks import whole
from ..engine import NOBODY, SEAT, Observation, State, option_count, options
from ..rules import MAX_PLAYERS, RuleNumbers
from .careful import Careful
from .montecarlo import check_playing, race, seat_numbers


@dataclass(frozen=True)
class Clairvoyant:
    """Tries every action in play-outs over the cards as they lie, and takes the one with the best mean margin.

    playouts, own, others: as in `MonteCarlo`; only what the strategies leave to chance differs between play-outs.
    """

    playouts: int = 100
    own: str | Careful = "careful"
    others: str | Careful = "greedy"

    loops: ClassVar = ("play_outs",)

    def __post_init__(self) -> None:
        check_playing(self.playouts, self.own, self.others)

    @property
    def __name__(self) -> str:
        return repr(self)

    def __call__(self, obs: Observation, random: int) -> int:
        raise TypeError("a clairvoyant sees every card: it has to be asked by foresee(state, rules, random)")

    def foresee(self, state: State, rules: RuleNumbers, random: int) -> int:
        """The number of the action to take in a state that is fully known."""
        # The machine stands on the agents.
        from ..machine import machine

        here = machine()
        seat = state[SEAT]
        seen = options(state, rules)
        agents = seat_numbers(self.own, self.others, seat)
        setting = (state, rules, (0,) * MAX_PLAYERS, seen.targets, True, seat % rules.sides, agents, random)

        def trial(first: int, actions: Any, count: int) -> tuple[Any, Any]:
            return here.play_outs(*setting, first, actions, count)

        n = option_count(seen)
        return 0 if n == 1 else race(n, trial, self.playouts).best


@dataclass(frozen=True)
class Solver:
    """Searches every line of play to the end and takes the one that is best against best answers.

    Only where two sides play; where more do, or where it would look at more than `positions`, it does what
    `Clairvoyant` does.
    """

    positions: int = 3_000_000
    otherwise: Clairvoyant = Clairvoyant()

    loops: ClassVar = ("solve", "play_outs")

    def __post_init__(self) -> None:
        whole("positions", self.positions, 1)

    @property
    def __name__(self) -> str:
        return repr(self)

    def __call__(self, obs: Observation, random: int) -> int:
        return self.otherwise(obs, random)

    def foresee(self, state: State, rules: RuleNumbers, random: int) -> int:
        """The number of the action to take in a state that is fully known."""
        from ..machine import machine

        if rules.sides == 2:
            action, _ = machine().solve(state, rules, self.positions)
            if action != NOBODY:
                return action
        return self.otherwise.foresee(state, rules, random)
