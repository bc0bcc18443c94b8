"""The engine compiled by numba.

The engine is plain Python; this module registers its functions with numba, so that compiled code can call them, and
compiles the loops of `sakura.kernel`. Import it only where numba is installed.

Numba's own cache looks at one source file and would miss an edit to another, and fails where a file of it is damaged.
Ours lies in a folder named by the content of everything that is compiled, the data tables that they read included, and
has a file for each loop: a digest, and what numba keeps of the loop, as a zip.
"""

import functools
import hashlib
import inspect
import os
import sys
import tempfile
import threading
import warnings
from collections.abc import Callable
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any
from uuid import uuid4
from zipfile import ZipFile

import llvmlite.binding as llvm
import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core.errors import NumbaExperimentalFeatureWarning
from numba.core.registry import cpu_target
from numba.extending import lower_builtin, overload, register_jitable, type_callable

from . import bits, card_sets, cards, engine, kernel, rules, yaku
from .agents import built_in, careful, greedy, playouts, random, search

# Everything that compiled code is made of, constants as well as functions.
AGENTS: tuple[ModuleType, ...] = (random, greedy, careful, built_in, playouts, search)
SOURCES: tuple[ModuleType, ...] = (bits, cards, yaku, rules, engine, *AGENTS, kernel)
TABLES = ("cards", "yaku", "careful")

# Worth a copy at each call: without, a round takes half as long again.
INLINED: set[Any] = {
    *(bits.select, bits.pick, bits.sip_round, cards.points, yaku.completed),
    *(engine.suit_of, engine.suits_of, engine.suits_of_two, engine.whole_suits),
    *(engine.first_capture, engine.second_capture, engine.wild_cards, engine.hiki_suits, engine.options),
    *(engine.option_count, engine.nth_option),
    *(engine.add_action, engine.legal_actions, engine.observe, engine.side_captured),
    *(engine.claimed_by_lightning, engine.place, engine.act, engine.turn_up),
    *(engine.hands_empty, engine.end_turn, engine.advance, engine.needs_no_decision),
    *(greedy.gain, greedy.greedy_option, random.random_option, built_in.built_in_option),
    *(kernel.choose, kernel.follow, kernel.play_on),
}

# No code here allocates, so numba's reference counting (nrt) has nothing to do but cost time.
_OPTIONS: dict[str, Any] = {"error_model": "numpy", "_nrt": False}

warnings.filterwarnings("ignore", category=NumbaExperimentalFeatureWarning)


# ---- The primitives that have machine instructions of their own ----


def _instruction(function: Callable[..., int], emit: Callable[..., Any]) -> None:
    """Let compiled code replace a function of whole numbers by what `emit` builds of 64-bit values."""
    arity = len(inspect.signature(function).parameters)
    typer = (lambda x: types.int64) if arity == 1 else (lambda x, n: types.int64)
    type_callable(function)(lambda context: typer)

    @lower_builtin(function, *[types.Integer] * arity)  # type: ignore[untyped-decorator]
    def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        values = [context.cast(builder, a, t, types.int64) for a, t in zip(args, signature.args, strict=True)]
        return emit(builder, *values)


def _lowest(builder: Any, x: Any) -> Any:
    return builder.cttz(x, ir.Constant(ir.IntType(1), True))


def _select(builder: Any, x: Any, n: Any) -> Any:
    """Deposit a single bit into the places of x: PDEP of x86, which spares a loop that nobody can predict."""
    word = ir.IntType(64)
    pdep = builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", (), ir.FunctionType(word, [word, word]))
    return _lowest(builder, builder.call(pdep, [builder.shl(ir.Constant(word, 1), n), x]))


# The processor that numba compiles for: system, name, features. It need not be all that this one is.
TARGET: tuple[str, str, str] = cpu_target.target_context.codegen().magic_tuple()


def _has_fast_pdep() -> bool:
    system, _, features = TARGET
    # On the first two generations of Zen the instruction exists but is slower than the loop.
    slow = llvm.get_host_cpu_name() in ("znver1", "znver2")
    return system.startswith("x86_64") and "+bmi2" in features.split(",") and not slow


_instruction(bits.popcount, lambda builder, x: builder.ctpop(x))
_instruction(bits.lowest, _lowest)
_REPLACED: set[Any] = {bits.popcount, bits.lowest, bits.random63, bits.siphash63}
if _has_fast_pdep():
    _instruction(bits.select, _select)
    _REPLACED.add(bits.select)


@overload(bits.random63, jit_options=_OPTIONS)  # type: ignore[arg-type]
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


@overload(bits.siphash63, jit_options=_OPTIONS)  # type: ignore[arg-type]
def _siphash63(first, second, block):  # type: ignore[no-untyped-def]
    s, t, u, v = map(np.uint64, bits.SIPHASH)
    last, one = map(np.uint64, (255, 1))
    sip_round: Any = bits.sip_round

    def siphash63(first, second, block):  # type: ignore[no-untyped-def]
        key, other, message = np.uint64(first), np.uint64(second), np.uint64(block)
        a, b, c, d = sip_round(s ^ key, t ^ other, u ^ key, v ^ other ^ message)
        a, b, c, d = sip_round(a, b, c, d)
        a, c = a ^ message, c ^ last
        for _ in range(4):
            a, b, c, d = sip_round(a, b, c, d)
        return np.int64((a ^ b ^ c ^ d) >> one)

    return siphash63


# ---- Everything else, as it stands ----


def _functions(module: ModuleType) -> list[FunctionType]:
    return [f for f in vars(module).values() if inspect.isfunction(f) and f.__module__ == module.__name__]


for _module in SOURCES:
    for _function in _functions(_module):
        if _function not in _REPLACED:
            register_jitable(
                **_OPTIONS,
                forceinline=_function in INLINED,
                no_cpython_wrapper=True,
                no_cfunc_wrapper=True,
            )(_function)


def _of_ints(function: Any) -> Any:
    return lambda cards: lambda cards: function(cards)


# A compiled strategy has its card sets as ints.
for _public, _inner in ((card_sets.points, cards.points), (card_sets.completed, yaku.completed)):
    overload(_public, jit_options=_OPTIONS)(_of_ints(_inner))  # type: ignore[arg-type]


# ---- The types of the loops' arguments ----

ACTION = np.dtype([(name, np.int64) for name in ("kind", "card", "captures")])

_int = types.int64
_tuple = types.UniTuple(_int, rules.MAX_PLAYERS)
_action_list = types.Array(numba.from_dtype(ACTION), 1, "C", readonly=True)
_rules = types.NamedUniTuple(_int, len(rules.RuleNumbers._fields), rules.RuleNumbers)
_fields = {"captured": _tuple, "hand_sizes": _tuple, "actions": _action_list, "rules": _rules}
_observation = types.NamedTuple(
    [_fields.get(name, _int) for name in engine.Observation._fields],
    engine.Observation,
)
STRATEGY = types.FunctionType(_int(_observation, _int))
STRATEGY_ARGUMENTS = (_observation, _int)
_table = (
    types.Array(types.int16, 2, "C"),
    types.Array(types.uint64, 2, "C"),
    types.Array(types.uint8, 1, "C"),
    types.Array(types.uint8, 2, "C"),
    types.Array(types.uint8, 1, "C"),
    types.Array(types.uint8, 3, "C"),
)
_numbers = types.Array(_int, 1, "C")
_setting = (_rules, _int, _tuple, types.UniTuple(STRATEGY, rules.MAX_PLAYERS))
_scratch = (_numbers, _action_list, _numbers)


# ---- The cache ----


def content_hash() -> str:
    """A name for all that compiled code follows from: sources, data tables, numba, Python, the processor it is for.

    Also for where the sources lie: numba, for which that is part of a function's name, would not know it elsewhere.
    """
    setting = (numba.__version__, sys.implementation.cache_tag, TARGET, __file__)
    digest = hashlib.sha256(repr(setting).encode())
    files = [Path(str(module.__file__)) for module in (*SOURCES, sys.modules[__name__])]
    for file in [*files, *(cards.DATA / f"{table}.csv" for table in TABLES)]:
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def cache_folder() -> Path | None:
    """The folder for compiled code, whether it is there or not; None for someone who has no home."""
    place = Path(os.environ.get("NUMBA_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME") or "~/.cache")
    try:
        return place.expanduser() / "sakura" / content_hash()
    except RuntimeError:
        return None


def _kept(entry: Path) -> bytes | None:
    """What `_keep` wrote there; None where that is not to be had. What was damaged since is removed."""
    with suppress(OSError):
        digest, data = hashlib.sha256(), entry.read_bytes()
        digest.update(data[digest.digest_size :])
        if data.startswith(digest.digest()):
            return data[digest.digest_size :]
        entry.unlink()
    return None


def _keep(entry: Path, data: bytes) -> None:
    """Write an entry of the cache, under its name when it is whole, if that can be done."""
    part = entry.with_name(f"{entry.name}.{uuid4().hex}")
    with suppress(OSError):
        entry.parent.mkdir(parents=True, exist_ok=True)
        try:
            part.write_bytes(hashlib.sha256(data).digest() + data)
            part.replace(entry)
        except OSError:
            part.unlink()


def _entry(loop: str) -> Path | None:
    folder = cache_folder()
    return folder and folder / f"{loop}.compiled"


def is_ready(loop: str) -> bool:
    """Whether a loop lies compiled in the cache, so that it takes no time to get."""
    entry = _entry(loop)
    return entry is not None and _kept(entry) is not None


# Threads that compile at the same time would mix up numba's settings.
_COMPILING = threading.Lock()


def _compile(function: Callable[..., Any], signature: Any) -> Any:
    """Compile an entry point, or fetch it from the cache, which costs time and nothing else, whatever fails there."""
    entry = _entry(function.__name__)
    with _COMPILING:
        if entry is not None:
            with suppress(Exception):
                return _cached(function, signature, entry)
        return numba.njit(signature, nogil=True, **_OPTIONS)(function)


def _cached(function: Callable[..., Any], signature: Any, entry: Path) -> Any:
    """A function compiled by numba with a cache that has nothing else in it, and that nobody else can see.

    It is an entry of ours, unpacked; or becomes one.
    """
    config: Any = numba.config
    ordinary = config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES
    kept = _kept(entry)
    with tempfile.TemporaryDirectory(prefix="sakura-", ignore_cleanup_errors=True) as own:
        if kept is not None:
            ZipFile(BytesIO(kept)).extractall(own)
        # Numba reads these settings when it decorates a function, and only then.
        config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES = own, "UserProvidedCacheLocator"
        try:
            compiled = numba.njit(signature, cache=True, nogil=True, **_OPTIONS)(function)
        finally:
            config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES = ordinary
        if not compiled.stats.cache_hits:
            packed = BytesIO()
            with ZipFile(packed, "w") as files:
                for file in Path(own).rglob("*.nb?"):
                    files.write(file, file.relative_to(own))
            _keep(entry, packed.getvalue())
        return compiled


@functools.cache
def play_rounds() -> Any:
    """`kernel.play_rounds`, compiled."""
    return _compile(kernel.play_rounds, types.boolean(_int, _int, _int, *_setting, _numbers, *_scratch, *_table))


@functools.cache
def play_to_questions() -> Any:
    """`kernel.play_to_questions`, compiled."""
    rows = types.Array(_int, 2, "C")
    return _compile(
        kernel.play_to_questions,
        types.boolean(_int, _int, *_setting, *_scratch, *_table, rows, rows, _numbers, _numbers),
    )


@functools.cache
def no_strategy() -> Any:
    """What stands in the seats that have no strategy of a user's; the loops take seven."""
    return _compile(random.random_strategy, _int(*STRATEGY_ARGUMENTS))


@functools.cache
def deal_rounds() -> Any:
    """`kernel.deal_rounds`, compiled."""
    hands, field = types.Array(types.uint64, 2, "C"), types.Array(types.uint64, 1, "C")
    return _compile(kernel.deal_rounds, types.void(_int, _int, _int, _rules, _int, _numbers, hands, field))


@functools.cache
def play_outs() -> Any:
    """`playouts.play_outs`, compiled."""
    margins, wins = types.Array(_int, 2, "C"), types.Array(types.float64, 2, "C")
    return _compile(
        playouts.play_outs,
        types.void(
            *(_numbers, _rules, _tuple, _int, types.boolean, _int, _tuple, _int, _int, _numbers),
            *(_numbers, _numbers, _numbers, margins, wins),
        ),
    )


@functools.cache
def solve() -> Any:
    """`search.solve`, compiled."""
    tables = [types.Array(_int, 2, "C")] * 5
    return _compile(search.solve, types.UniTuple(_int, 2)(_numbers, _rules, _int, *tables))


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
    except RuntimeError:
        raise TypeError(f"{name} was compiled for arguments of its own; decorate it with a bare @numba.njit") from None
    returned = strategy.overloads[STRATEGY_ARGUMENTS].signature.return_type
    if types.unliteral(returned) != types.int64:
        raise TypeError(
            f"the strategy {name} returns {returned}; it must return a whole number (int64), the index of one of "
            f"obs.actions"
        )
