"""Strategies: who decides for a seat.

A strategy is a function of two arguments that returns the index of the action to take::

    def dearest(obs, random):
        values = [sakura.points(action.captures) for action in obs.actions]
        return values.index(max(values))

`obs` is an `sakura.Observation`, all that the seat may know; `random` a whole number, 0 <= random < 2**63, new for each
decision, for whatever the strategy leaves to chance: `random % n`. Nothing else may enter a decision, so that a round
can be repeated. Decorated with `numba.njit` the same function runs inside the compiled loop, if it keeps to loops over
`range(len(obs.actions))` and to the helpers `points`, `completed`, `own_captured`, `popcount` of this package.
"""

import operator
from collections.abc import Callable, Iterable, Sequence

from ..engine import Observation
from ..rules import Rules
from .greedy import greedy_strategy
from .random import random_strategy

Strategy = Callable[[Observation, int], int]
Agents = str | Strategy | Sequence[str | Strategy]

# The strategies known by name. Their order is that of the numbers in `sakura.kernel`.
BUILT_IN: dict[str, Strategy] = {"random": random_strategy, "greedy": greedy_strategy}


class StrategyError(RuntimeError):
    """A strategy failed; the message says in which round and at which seat."""


def resolve(agent: str | Strategy) -> Strategy:
    """The strategy of that name, or the function itself. ValueError, TypeError for anything else."""
    if isinstance(agent, str):
        if agent not in BUILT_IN:
            raise ValueError(
                f"no agent is called {agent!r}; there are {', '.join(map(repr, BUILT_IN))}, "
                f"or give a function of (obs, random)"
            )
        return BUILT_IN[agent]
    if not callable(agent):
        raise TypeError(f"an agent is a name or a function of (obs, random), got {agent!r}")
    return agent


def seat_agents(agents: Agents, rules: Rules) -> tuple[str | Strategy, ...]:
    """An agent for each seat: one for all, or several dealt out in turn, as often as their number divides the players.

    Raises ValueError for another number of agents or an unknown name.
    """
    several = list(agents) if isinstance(agents, Iterable) and not isinstance(agents, str) else [agents]
    for agent in several:
        resolve(agent)
    if not several or rules.players % len(several):
        fitting = [n for n in range(1, rules.players + 1) if rules.players % n == 0]
        raise ValueError(
            f"{len(several)} agents cannot be dealt out to {rules.players} players; "
            f"give {' or '.join(map(str, fitting))}"
        )
    return tuple(several * (rules.players // len(several)))


def name_of(agent: str | Strategy) -> str:
    """An agent's name, as results show it."""
    return agent if isinstance(agent, str) else getattr(agent, "__name__", type(agent).__name__)


def ask(strategy: Strategy, obs: Observation, random: int) -> int:
    """The index of the action that a strategy takes.

    Raises StrategyError, from the strategy's own exception if it raised one, where it gives no such index.
    """
    name = name_of(strategy)
    try:
        answer = strategy(obs, random)
    except Exception as error:
        raise StrategyError(f"{name} raised {type(error).__name__}: {error}") from error
    try:
        if isinstance(answer, bool):
            raise TypeError
        index = operator.index(answer)
    except TypeError:
        raise StrategyError(f"{name} returned {answer!r}; {_wanted(len(obs.actions))}") from None
    check_index(name, index, len(obs.actions))
    return index


def check_index(name: str, index: int, n: int) -> None:
    """StrategyError unless `index` is that of one of `n` actions."""
    if not 0 <= index < n:
        raise StrategyError(f"{name} returned {index}; {_wanted(n)}")


def _wanted(n: int) -> str:
    return f"it must return the index of one of obs.actions, a whole number 0 to {n - 1}"
