"""The engine compiled by numba.

The engine is plain Python; this module registers its functions with numba, so that compiled code can call them, and
compiles the loops of `sakura.kernel`. Import it only where numba is installed.

Numba's own cache looks at one source file and would miss an edit to another; ours lies in a folder named by the content
of everything that is compiled, the data tables included.
"""

import functools
import hashlib
import inspect
import os
import sys
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import config
from numba.core.errors import NumbaExperimentalFeatureWarning
from numba.extending import lower_builtin, overload, register_jitable, type_callable

from . import bits, cards, engine, kernel, rules, yaku
from .agents import greedy, random

# Everything that compiled code is made of, constants as well as functions.
SOURCES: tuple[ModuleType, ...] = (bits, cards, yaku, rules, engine, random, greedy, kernel)

# Worth a copy at each call: without, a round takes half as long again.
INLINED = {
    *(bits.select, bits.pick, cards.points, yaku.completed),
    *(engine.suit_of, engine.suits_of, engine.suits_of_two, engine.whole_suits),
    *(engine.first_capture, engine.second_capture, engine.side_captured, engine.add_action),
    *(engine.wild_cards, engine.offered_cards, engine.matching_only, engine.hands_empty),
    *(engine.claimed_by_lightning, engine.place, engine.act, engine.turn_up, engine.end_turn),
    *(engine.advance, engine.needs_no_decision, random.random_match, greedy.greedy_match),
    *(greedy.gain, kernel.choose, kernel.follow, kernel.play_on),
}

# No code here allocates, so numba's reference counting (nrt) has nothing to do but cost time.
_OPTIONS: dict[str, Any] = {"error_model": "numpy", "_nrt": False}

warnings.filterwarnings("ignore", category=NumbaExperimentalFeatureWarning)


# ---- The primitives that have machine instructions of their own ----


def _one_instruction(function: Callable[[int], int], emit: Callable[[Any, Any], Any]) -> None:
    """Let compiled code replace a function of one integer by what `emit` builds."""

    @type_callable(function)  # type: ignore[untyped-decorator]
    def typed(context: Any) -> Any:
        return lambda x: types.int64 if isinstance(x, types.Integer) else None

    @lower_builtin(function, types.Integer)  # type: ignore[untyped-decorator]
    def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return emit(builder, context.cast(builder, args[0], signature.args[0], types.int64))


_one_instruction(bits.popcount, lambda builder, x: builder.ctpop(x))
_one_instruction(bits.lowest, lambda builder, x: builder.cttz(x, ir.Constant(ir.IntType(1), True)))


@overload(bits.random63, jit_options=_OPTIONS)  # type: ignore[untyped-decorator]
def _random63(key, n):  # type: ignore[no-untyped-def]
    golden, first, second = map(np.uint64, bits.SPLITMIX)
    a, b, c, one = map(np.uint64, (30, 27, 31, 1))

    # Explicit 64-bit casts: numba mixes uint64 and int64 into int64, whose >> keeps the sign.
    def random63(key, n):  # type: ignore[no-untyped-def]
        z = np.uint64(key) + np.uint64(n + 1) * golden
        z = (z ^ (z >> a)) * first
        z = (z ^ (z >> b)) * second
        return np.int64((z ^ (z >> c)) >> one)

    return random63


# ---- Everything else, as it stands ----


def _functions(module: ModuleType) -> list[FunctionType]:
    return [
        f for f in vars(module).values() if inspect.isfunction(f) and f.__module__ == module.__name__
    ]


for _module in SOURCES:
    for _function in _functions(_module):
        if _function not in (bits.popcount, bits.lowest, bits.random63):
            register_jitable(
                **_OPTIONS,
                forceinline=_function in INLINED,
                no_cpython_wrapper=True,
                no_cfunc_wrapper=True,
            )(_function)


# ---- The types of the loops' arguments ----

ACTION = np.dtype([(name, np.int64) for name in ("kind", "card", "captures")])

_int = types.int64
_tuple = types.UniTuple(_int, rules.MAX_PLAYERS)
_action_list = types.Array(numba.from_dtype(ACTION), 1, "C", readonly=True)
_observation = types.NamedTuple(
    [
        _tuple if name in ("captured", "hand_sizes") else _action_list if name == "actions" else _int
        for name in engine.Observation._fields
    ],
    engine.Observation,
)
_rules = types.NamedUniTuple(_int, len(rules.RuleNumbers._fields), rules.RuleNumbers)
STRATEGY = types.FunctionType(_int(_observation, _int))
STRATEGY_ARGUMENTS = (_observation, _int)
_table = (
    types.Array(types.int16, 2, "C"),
    types.Array(types.uint64, 2, "C"),
    types.Array(types.uint8, 1, "C"),
    types.Array(types.uint8, 2, "C"),
    types.Array(types.uint8, 3, "C"),
)
_numbers = types.Array(_int, 1, "C")
_table_and_scratch = (
    *(_rules, _int, _tuple, types.UniTuple(STRATEGY, rules.MAX_PLAYERS)),
    *(_numbers, _numbers, _action_list, _numbers),
    *_table,
)


# ---- The cache ----


def content_hash() -> str:
    """A name for the content of all that is compiled: sources, data tables, numba's version."""
    digest = hashlib.sha256(numba.__version__.encode())
    files = [Path(str(module.__file__)) for module in (*SOURCES, sys.modules[__name__])]
    for file in [*files, *sorted(cards.DATA.glob("*.csv"))]:
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def cache_folder() -> Path | None:
    """The folder for compiled code, made if it is missing; None where it cannot be written to."""
    home = os.environ.get("NUMBA_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    folder = Path(home).expanduser() / "sakura" / content_hash()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        return None


def is_ready() -> bool:
    """Whether the loops are compiled, in this process or in the cache, so that nothing takes long."""
    if play_rounds.cache_info().currsize:
        return True
    folder = cache_folder()
    return folder is not None and any(folder.rglob("*.nbc"))


def _compile(function: Callable[..., Any], signature: Any) -> Any:
    """Compile an entry point, or fetch it from the cache. A cache that fails costs time and nothing else."""
    folder = cache_folder()
    ordinary = config.CACHE_DIR
    # Numba reads this setting when it decorates a function, and only then.
    config.CACHE_DIR = str(folder or "")
    try:
        return numba.njit(signature, cache=folder is not None, nogil=True, **_OPTIONS)(function)
    except OSError:
        return numba.njit(signature, nogil=True, **_OPTIONS)(function)
    finally:
        config.CACHE_DIR = ordinary


@functools.cache
def play_rounds() -> Any:
    """`kernel.play_rounds`, compiled."""
    return _compile(kernel.play_rounds, types.boolean(_int, _int, _int, *_table_and_scratch))


@functools.cache
def play_to_question() -> Any:
    """`kernel.play_to_question`, compiled."""
    return _compile(kernel.play_to_question, _int(_int, _int, *_table_and_scratch, _int, _int))


@functools.cache
def no_strategy() -> Any:
    """What stands in the seats that have no strategy of a user's; the loops take seven."""
    return _compile(random.random_strategy, _int(*STRATEGY_ARGUMENTS))


@functools.cache
def deal_rounds() -> Any:
    """`kernel.deal_rounds`, compiled."""
    hands, field = types.Array(types.uint64, 2, "C"), types.Array(types.uint64, 1, "C")
    return _compile(
        kernel.deal_rounds, types.void(_int, _int, _int, _rules, _int, _numbers, hands, field)
    )


# ---- Strategies written by a user ----


def is_compiled(strategy: object) -> bool:
    """Whether a strategy has been decorated with numba.njit."""
    return isinstance(strategy, numba.core.dispatcher.Dispatcher)


def check_strategy(name: str, strategy: Any) -> None:
    """Compile a user's strategy for our arguments; TypeError, saying what is wrong, where it does not fit."""
    try:
        strategy.compile(STRATEGY_ARGUMENTS)
    except numba.core.errors.NumbaError as error:
        raise TypeError(
            f"numba cannot compile the strategy {name}(obs, random): {str(error).strip()}\n"
            "Left without @njit it runs as plain Python, slower."
        ) from None
    except TypeError as error:
        raise TypeError(f"{name} must take two arguments, (obs, random): {error}") from None
    returned = strategy.overloads[STRATEGY_ARGUMENTS].signature.return_type
    if not isinstance(returned, types.Integer):
        raise TypeError(
            f"the strategy {name} returns {returned}; it must return a whole number, the index of one of obs.actions"
        )
