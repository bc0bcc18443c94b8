"""Strategies: who decides for a seat.

A strategy is a function of two arguments that returns the index of the action to take::

    def dearest(obs, random):
        values = [sakura.points(action.captures) for action in obs.actions]
        return values.index(max(values))

`obs` is an `sakura.Observation`, all that the seat may know; `random` a whole number, 0 <= random < 2**63, new for each
decision, for whatever the strategy leaves to chance: `random % n`. It tells nothing of the cards or of what others get.
Nothing else may enter a decision, so that a round can be repeated. Decorated with `numba.njit` the same function runs
inside the compiled loop, if it keeps to loops over `range(len(obs.actions))` and to the helpers `points`, `completed`,
`own_captured`, `popcount` of this package.

A strategy is kept as a module: put it, with what it uses, into a `.py` file (`%%writefile mine.py` as the first line of
a notebook's cell does so) and `import mine`. Other processes find it there, too. Importing a file runs it, with all of
your rights: read what others sent you before you import it.

The built-in ones aim at the margin of their side over the best other side; `data/ladder.csv` says how strong they are.
Where to look: `random`, `greedy` and `careful` decide in a microsecond; `montecarlo` tries its actions in `playouts`,
which those three play; `clairvoyant` and `search` see every card; by their `identity` strategies are told apart.
"""

import inspect
import operator
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from ..checks import cut, items, shown
from ..engine import Observation, State
from ..rules import Rules
from .careful import ADVICE, Careful
from .clairvoyant import Clairvoyant, Solver
from .greedy import greedy_strategy
from .identity import identity
from .montecarlo import MonteCarlo
from .random import random_strategy

if TYPE_CHECKING:
    from ..results import Results
    from ..tournament import Tournament

__all__ = [
    "ADVICE",
    "BUILT_IN",
    "DESCRIPTIONS",
    "Agents",
    "Careful",
    "Clairvoyant",
    "MonteCarlo",
    "Solver",
    "Strategy",
    "StrategyError",
    "ask",
    "check_index",
    "check_names",
    "fingerprint",
    "greedy_strategy",
    "name_of",
    "random_strategy",
    "resolve",
    "seat_agents",
]

Strategy = Callable[[Observation, int], int]
Agents = str | Strategy | Sequence[str | Strategy]

# The strategies known by name.
BUILT_IN: dict[str, Strategy] = {
    "random": random_strategy,
    "greedy": greedy_strategy,
    "careful": Careful(),
    "montecarlo": MonteCarlo(playouts=1000),
    "expert": MonteCarlo(playouts=100, own="careful", advice=225),
    "master": MonteCarlo(playouts=1000, own="careful", advice=225),
    "clairvoyant": Clairvoyant(),
    "solver": Solver(),
}

# What each of them does, in a line.
DESCRIPTIONS: dict[str, str] = {
    "random": "takes any legal action",
    "greedy": "takes what brings most at once",
    "careful": "weighs the advice that the sources give",
    "montecarlo": "plays each action out 1,000 times on dealt-out hidden cards",
    "expert": "plays each action out 100 times, with careful in its own seat and in its mind",
    "master": "plays each action out 1,000 times, with careful in its own seat and in its mind",
    "clairvoyant": "sees all cards, and wins what can be won from ordinary players",
    "solver": "sees all cards, and searches to the end for what is best against best answers",
}


# What a user's code says of itself is quoted up to so many characters.
LONGEST = 300


class StrategyError(RuntimeError):
    """A strategy failed; the message says in which round and at which seat.

    results: after `simulate` and `tournament` what was finished before; None where that is in a folder.
    agent: its name there, as results show it.
    """

    def __init__(self, message: str, results: "Results | Tournament | None" = None, *, agent: str = "") -> None:
        super().__init__(message)
        self.results, self.agent = results, agent


def resolve(agent: str | Strategy) -> Strategy:
    """The strategy of that name, or the function itself. ValueError, TypeError for anything else."""
    if isinstance(agent, str):
        if agent not in BUILT_IN:
            raise ValueError(
                f"no agent is called {shown(agent)}; there are {', '.join(map(repr, BUILT_IN))}, "
                f"or give a function of (obs, random)"
            )
        return BUILT_IN[agent]
    if not callable(agent):
        raise TypeError(f"an agent is a name or a function of (obs, random), got {shown(agent)}")
    return agent


def seat_agents(agents: Agents, rules: Rules) -> tuple[str | Strategy, ...]:
    """An agent for each seat: one for all, or several dealt out in turn, as often as their number divides the players.

    Raises ValueError for another number of agents or an unknown name.
    """
    # A set, or a mapping, has no order in which to sit.
    several = [agents] if isinstance(agents, str) or not isinstance(agents, Iterable) else items("agents", agents)
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
    if isinstance(agent, str):
        return agent
    return shown(agent, lambda own: getattr(own, "__name__", type(own).__name__), LONGEST)


def check_names(named: Iterable[tuple[str, str | Strategy]]) -> None:
    """ValueError where results could not tell agents apart by these names: two of one name, or one of a built-in's."""
    known: dict[str, str | Strategy] = {}
    for name, agent in named:
        mine, built_in = resolve(agent), BUILT_IN.get(name)
        if built_in is not None and (type(mine) is not type(built_in) or mine != built_in):
            raise ValueError(f"{name!r} is the name of a built-in agent, which yours is not; {_rename(name)}")
        if not _same(known.setdefault(name, agent), agent):
            raise ValueError(f"two different agents are called {name!r}; {_rename(name)}")


def _rename(name: str) -> str:
    other = f"my_{name}" if name.isidentifier() else "mine"
    return f"results could not tell them apart: rename it, strategy.__name__ = {other!r}, or in a tournament's mapping"


def _same(one: str | Strategy, other: str | Strategy) -> bool:
    if one is other:
        return True
    try:
        return identity(resolve(one)) == identity(resolve(other))
    except ValueError:
        return False


def fingerprint(agent: str | Strategy) -> str:
    """Tells another strategy of the same name: a built-in name, or the strategy's `identity`.

    Raises ValueError, in words for the one whose strategy it is, where it has none.
    """
    if isinstance(agent, str):
        return agent
    try:
        return identity(agent)
    except ValueError as error:
        raise ValueError(
            f"{name_of(agent)} cannot be told for sure from other strategies, and its rounds not from theirs: {error}. "
            f"Let it use nothing but functions and plain data (numbers, texts, lists, dicts, arrays)"
        ) from None


def ask(strategy: Strategy, obs: Observation, random: int, state: State | None = None) -> int:
    """The index of the action that a strategy takes. Only one that sees all cards is shown the `state` itself.

    It may take any time: what never answers is stopped by Ctrl-C. Raises StrategyError, from the strategy's own
    exception if it raised one, where it gives no such index; whatever else it raises, an exit included. Only
    KeyboardInterrupt stays, which a strategy's own cannot be told from.
    """
    name = name_of(strategy)
    try:
        if state is not None and isinstance(strategy, Clairvoyant | Solver):
            answer: object = strategy.foresee(state, obs.rules, random)
        else:
            answer = strategy(obs, random)
        index = _index(answer)
    except (KeyboardInterrupt, StrategyError):
        raise
    except BaseException as error:
        raise StrategyError(f"{name} raised {raised(error)}") from error
    if index is None:
        raise StrategyError(f"{name} returned {shown(answer)}{_hint(answer)}; {_wanted(len(obs.actions))}")
    check_index(name, index, len(obs.actions))
    return index


def _index(answer: object) -> int | None:
    """An answer as a plain int; None for what is no whole number."""
    if isinstance(answer, bool) or not hasattr(type(answer), "__index__"):
        return None
    try:
        # The inner one leaves a subclass of int as it is, which may compare as it likes.
        return int.__int__(operator.index(answer))  # type: ignore[arg-type]
    except TypeError:
        return None


def _hint(answer: object) -> str:
    """What may have been meant by an answer that is none."""
    if inspect.iscoroutine(answer):
        answer.close()
        return ", which nobody awaits: write def, not async def"
    if inspect.isgenerator(answer) or inspect.isasyncgen(answer):
        return ": write return, not yield"
    return ""


def check_index(name: str, index: int, n: int) -> None:
    """StrategyError unless `index` is that of one of `n` actions."""
    if not 0 <= index < n:
        raise StrategyError(f"{name} returned {shown(index)}; {_wanted(n)}")


def _wanted(n: int) -> str:
    return f"it must return the index of one of obs.actions, a whole number 0 to {n - 1}"


def raised(error: BaseException) -> str:
    """An exception of a user's in a line."""
    return f"{cut(type(error).__name__)}: {shown(error, str, LONGEST)}".removesuffix(": ")
