"""Where the loops of `sakura.kernel` run: compiled by numba where it is installed, else as plain Python.

A machine has the loops of the kernel, the play-outs and the search under their names, without the scratch memory they
take, which is its own: one machine serves one thread.
"""

import functools
import importlib.util
import signal
import threading
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

import numpy as np

from . import kernel
from .agents import Strategy, name_of, playouts, search
from .engine import ACTION_SIZE, MAX_ACTIONS, NOBODY, STATE_SIZE, Choices, State
from .kernel import WHERE_SIZE
from .rules import MAX_PLAYERS, RuleNumbers


class Machine(Protocol):
    """`scratch` is (state, actions, listed, where), as `kernel.play_rounds` names them."""

    compiled: bool
    scratch: tuple[Any, Any, Any, Any]

    def play_rounds(self, *args: Any) -> bool: ...

    def play_to_questions(self, *args: Any) -> bool: ...

    def deal_rounds(self, *args: Any) -> None: ...

    def batch(self, rounds: int) -> tuple[Any, Any, Any, Any]:
        """(states, questions, counts, answers) for `play_to_questions`, ready to begin."""
        ...

    def play_outs(self, seen: State, *setting: Any) -> tuple[Any, Any]:
        """`playouts.play_outs`: `setting` is its arguments from `rules` to `choices`, and the number of play-outs.

        Returns its (margins, wins), each (play-outs, choices).
        """
        ...

    def solve(self, state: State, rules: RuleNumbers, budget: int) -> tuple[int, int]:
        """`search.solve`, with a table of its own."""
        ...

    def runs(self, strategy: Strategy) -> bool:
        """Whether the machine can call this strategy of a user's inside its loops."""
        ...

    def seats(self, strategies: Sequence[Strategy | None]) -> tuple[Any, ...]:
        """What the loops take as `strategies`: a place for each of seven seats."""
        ...


class PlainMachine:
    """The loops as they stand, over lists. Every strategy of a user's is asked from outside."""

    compiled = False

    def __init__(self) -> None:
        actions = [0] * (ACTION_SIZE * MAX_ACTIONS)
        self.scratch = ([0] * STATE_SIZE, actions, Choices(actions), [0] * WHERE_SIZE)

    play_rounds = staticmethod(kernel.play_rounds)
    play_to_questions = staticmethod(kernel.play_to_questions)
    deal_rounds = staticmethod(kernel.deal_rounds)

    def batch(self, rounds: int) -> tuple[Any, Any, Any, Any]:
        states = [[0] * STATE_SIZE for _ in range(rounds)]
        questions = [[0] * (ACTION_SIZE * MAX_ACTIONS) for _ in range(rounds)]
        return states, questions, [1] * rounds, [NOBODY] * rounds

    def play_outs(self, seen: State, *setting: Any) -> tuple[Any, Any]:
        *known, choices, count = setting
        margins, wins = np.zeros((count, len(choices)), np.int64), np.zeros((count, len(choices)))
        dealt, state = [0] * STATE_SIZE, self.scratch[0]
        rest: tuple[Any, ...] = (*known, choices, dealt, state, self.scratch[1], margins, wins)
        playouts.play_outs(seen, *rest)
        return margins, wins

    def solve(self, state: State, rules: RuleNumbers, budget: int) -> tuple[int, int]:
        return search.solve(list(state), rules, budget, *search.memory(search.TABLE, object))

    def runs(self, strategy: Strategy) -> bool:
        return False

    def seats(self, strategies: Sequence[Strategy | None]) -> tuple[Any, ...]:
        return (None,) * MAX_PLAYERS


class CompiledMachine:
    """The loops compiled, over int64 arrays; each is compiled, or fetched from the cache, when it is first called."""

    compiled = True

    def __init__(self) -> None:
        from . import compiled

        self._code = compiled
        actions = np.zeros(ACTION_SIZE * MAX_ACTIONS, np.int64)
        listed = actions.view(compiled.ACTION)
        listed.flags.writeable = False
        state, where = np.zeros(STATE_SIZE, np.int64), np.zeros(WHERE_SIZE, np.int64)
        self.scratch = (state, actions, listed, where)

    def play_rounds(self, *args: Any) -> bool:
        return bool(self._code.play_rounds()(*args))

    def play_to_questions(self, *args: Any) -> bool:
        return bool(self._code.play_to_questions()(*args))

    def deal_rounds(self, *args: Any) -> None:
        self._code.deal_rounds()(*args)

    def batch(self, rounds: int) -> tuple[Any, Any, Any, Any]:
        states = np.zeros((rounds, STATE_SIZE), np.int64)
        questions = np.zeros((rounds, ACTION_SIZE * MAX_ACTIONS), np.int64)
        return states, questions, np.ones(rounds, np.int64), np.full(rounds, NOBODY)

    def play_outs(self, seen: State, *setting: Any) -> tuple[Any, Any]:
        *known, choices, count = setting
        margins, wins = np.zeros((count, len(choices)), np.int64), np.zeros((count, len(choices)))
        dealt, state, actions = np.zeros(STATE_SIZE, np.int64), self.scratch[0], self.scratch[1]
        self._code.play_outs()(np.array(seen), *known, np.array(choices), dealt, state, actions, margins, wins)
        return margins, wins

    def solve(self, state: State, rules: RuleNumbers, budget: int) -> tuple[int, int]:
        action, value = self._code.solve()(np.array(state), rules, budget, *search.memory(search.TABLE, np.int64))
        return int(action), int(value)

    def runs(self, strategy: Strategy) -> bool:
        if not self._code.is_compiled(strategy):
            return False
        self._code.check_strategy(name_of(strategy), strategy)
        return True

    def seats(self, strategies: Sequence[Strategy | None]) -> tuple[Any, ...]:
        nobody = self._code.no_strategy()
        seats = [nobody if strategy is None else strategy for strategy in strategies]
        return tuple(seats + [nobody] * (MAX_PLAYERS - len(seats)))


@functools.cache
def has_numba() -> bool:
    """Whether numba is there and works; the first time it is asked and does not, one warning says so."""
    trouble = _trouble()
    if trouble:
        warnings.warn(f"{trouble}: the same rounds, some hundred times slower", stacklevel=2)
    return not trouble


def _trouble() -> str:
    """Why nothing can be compiled; empty where it can."""
    if importlib.util.find_spec("numba") is None:
        return "numba is not installed (pip install numba)"
    try:
        config: Any = importlib.import_module("numba").config
        if config.DISABLE_JIT:
            return "numba is switched off by NUMBA_DISABLE_JIT"
        from . import compiled  # noqa: F401
    except Exception as error:
        first, *_ = [*str(error).splitlines(), ""]
        return f"numba is there but does not work ({type(error).__name__}: {first[:200]})"
    return ""


def machine() -> Machine:
    """A machine of the faster kind there is."""
    return CompiledMachine() if has_numba() else PlainMachine()


_READY: set[str] = set()


def must_compile(loop: str) -> bool:
    """Whether a loop of the kernel has to be compiled first, which takes some seconds."""
    if loop in _READY or not has_numba():
        return False
    from . import compiled

    if compiled.is_ready(loop):
        _READY.add(loop)
    return loop not in _READY


def loops_of(strategy: object) -> tuple[str, ...]:
    """The compiled loops that a built-in strategy uses itself, besides those that play the round."""
    return getattr(strategy, "loops", ())


def prepare(strategy: Strategy) -> None:
    """Compile what a strategy uses, so that no decision of it has to wait for that."""
    for loop in loops_of(strategy):
        if has_numba():
            compile_loop(loop)


def compile_loop(loop: str) -> None:
    """Compile a loop of the kernel, so that the next call of it goes at full speed."""
    from . import compiled

    with _interrupted_later():
        getattr(compiled, loop)()
    _READY.add(loop)


@contextmanager
def _interrupted_later() -> Iterator[None]:
    """Ctrl-C has its effect at the end: in the middle the compiler may swallow it. A second one does not wait."""
    pressed = False

    def press(*_: object) -> None:
        nonlocal pressed
        if pressed:
            raise KeyboardInterrupt
        pressed = True

    # Only the main thread hears of it.
    main = threading.current_thread() is threading.main_thread()
    usual = signal.signal(signal.SIGINT, press) if main else None
    try:
        yield
    finally:
        if usual is not None:
            signal.signal(signal.SIGINT, usual)
    if pressed:
        signal.raise_signal(signal.SIGINT)
