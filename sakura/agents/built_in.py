"""The strategies that compiled loops play themselves, each by its number."""

from ..engine import SEAT, Actions, State, options, side_captured
from ..rules import RuleNumbers
from .careful import Careful, careful_option
from .greedy import greedy_option
from .random import random_option

RANDOM, GREEDY, CAREFUL = range(3)
# The lower bits of a number say which, the bits above what `careful` does without.
KINDS = 16


def number_of(agent: object) -> int | None:
    """The number of a built-in strategy, by its name or as a `Careful`; None for any other agent."""
    if isinstance(agent, Careful):
        return CAREFUL + KINDS * agent.bits
    names = {"random": RANDOM, "greedy": GREEDY, "careful": CAREFUL}
    return names.get(agent) if isinstance(agent, str) else None


def built_in_option(
    state: State, rules: RuleNumbers, agent: int, actions: Actions, random: int
) -> tuple[int, int, int]:
    """What the seat that decides does, as (kind, card, captures), by strategy number `agent`. `actions` is scratch."""
    seen = options(state, rules)
    if agent == RANDOM:
        return random_option(seen, random)
    if agent == GREEDY:
        return greedy_option(seen, side_captured(state, rules, state[SEAT] % rules.sides), actions, random)
    return careful_option(state, rules, agent // KINDS, seen, actions, random)
