"""What a strategy is told by: whatever may change how it plays gives another identity, and nothing else does."""

import functools
import importlib
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from textwrap import dedent
from types import MethodType
from typing import Any

import numpy as np
import pytest
from numba import njit

import sakura
from sakura import Observation, Results, Rules
from sakura.agents import Careful, MonteCarlo, fingerprint
from strategies_for_tests import dearest


def made(text: str, **space: Any) -> Any:
    """The strategy `play` of a cell or module with that text."""
    exec(dedent(text), space)
    return space["play"]


def closure(held: Any) -> Any:
    def play(obs: Observation, random: int) -> int:
        return int(held % len(obs.actions))

    return play


def default(held: Any) -> Any:
    def play(obs: Observation, random: int, held: Any = held) -> int:
        return int(held)

    return play


def keyword(held: Any) -> Any:
    def play(obs: Observation, random: int, *, held: Any = held) -> int:
        return int(held)

    return play


def attribute(held: Any) -> Any:
    def play(obs: Observation, random: int) -> int:
        return int(play.held)  # type: ignore[attr-defined]

    play.held = held  # type: ignore[attr-defined]
    return play


class Plain:
    def __init__(self, held: Any) -> None:
        self.held = held

    def __call__(self, obs: Observation, random: int) -> int:
        return int(self.held)

    def play(self, obs: Observation, random: int) -> int:
        return int(self.held % len(obs.actions))

    def other(self, obs: Observation, random: int) -> int:
        return int(self.held)


class Slots:
    __slots__ = ("held",)

    def __init__(self, held: Any) -> None:
        self.held = held

    def __call__(self, obs: Observation, random: int) -> int:
        return int(self.held)


class Silent(Plain):
    """Says nothing of itself, to nobody."""

    def __repr__(self) -> str:
        return "Silent()"

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0

    def __reduce__(self) -> Any:
        return Silent, (0,)


class Table(dict[Any, Any]):
    def __call__(self, obs: Observation, random: int) -> int:
        return int(self[0])


class Number(int):
    def __call__(self, obs: Observation, random: int) -> int:
        return self % len(obs.actions)


class Dice(Random):
    def __call__(self, obs: Observation, random: int) -> int:
        return self.randrange(len(obs.actions))


@dataclass(frozen=True)
class Data:
    held: Any
    seen: list[int] = field(default_factory=list, repr=False, compare=False)

    def __call__(self, obs: Observation, random: int) -> int:
        return int(self.held)


def of_a_class(held: Any) -> Any:
    class Local(Plain):
        weight = held

    return Local(1)


def with_a_method(text: str) -> Any:
    return made(f"class Local:\n    def __call__(self, obs, random):\n        return {text}\nplay = Local()")


def wrapped(held: Any) -> Any:
    """As decorators do it, of a function that is the same."""

    @functools.wraps(dearest)
    def play(obs: Observation, random: int) -> int:
        return dearest(obs, random) if held else 0

    return play


def global_value(held: Any) -> Any:
    return made("def play(obs, random): return int(WEIGHT)", WEIGHT=held)


def helper(text: str) -> Any:
    return made(f"def value(card): return {text}\ndef play(obs, random): return value(random)")


def helper_of_a_helper(text: str) -> Any:
    return made(f"def value(c): return {text}\ndef own(c): return value(c)\ndef play(obs, random): return own(random)")


def recursive(text: str) -> Any:
    return made(f"def play(obs, random): return play(obs, random // 2) if random else {text}")


def mutual(text: str) -> Any:
    return made(f"def play(obs, r): return other(obs, r // 2)\ndef other(obs, r): return play(obs, r) if r else {text}")


def inner(text: str) -> Any:
    return made(f"def play(obs, random): return [a for a in range(9) if {text}][0]")


def compiled(text: str) -> Any:
    return njit(made(f"def play(obs, random): return {text}"))


def compiled_global(held: Any) -> Any:
    return njit(global_value(held))


def compiled_helper(text: str) -> Any:
    value = njit(made(f"def play(c): return {text}"))
    return made("play = njit(lambda obs, random: value(random))", njit=njit, value=value)


def method(held: Any) -> Any:
    return Plain(held).play


def free_method(text: str) -> Any:
    return MethodType(made(f"def play(self, obs, random): return {text}"), 5)


def partial(held: Any) -> Any:
    return functools.partial(default(0), held=held)


def remembered(held: Any) -> Any:
    @functools.lru_cache
    def value(card: int) -> int:
        return card * int(held)

    return lambda obs, random: value(random)


def generator(held: int) -> Any:
    return closure(np.random.default_rng(held))


def array(*held: Any, dtype: Any = np.int64) -> Any:
    return closure(np.array(held, dtype))


def one_line(at: int) -> Any:
    return [lambda obs, random: 0, lambda obs, random: 1 % len(obs.actions)][at]


# How two strategies may differ that a reader would take for one, or that some other way of looking finds equal.
DIFFERENT: dict[str, tuple[Callable[[Any], Any], Any, Any]] = {
    "closures over numbers": (closure, 1, 2),
    "closures over an int and a float": (closure, 1, 1.0),
    "closures over an int and a bool": (closure, 1, True),
    "closures over zeros": (closure, 0.0, -0.0),
    "closures over text and bytes": (closure, "1", b"1"),
    "closures over lists": (closure, [[1], 2], [1, [2]]),
    "closures over a list and a tuple": (closure, [1], (1,)),
    "closures over dicts": (closure, {"a": 1}, {"a": 2}),
    "closures over dicts in another order": (closure, {"a": 1, "b": 2}, {"b": 2, "a": 1}),
    "closures over sets": (closure, {"a", "b"}, {"a", "c"}),
    "closures over functions": (closure, one_line(0), one_line(1)),
    "closures over classes": (closure, Plain, Slots),
    "closures over random generators": (generator, 1, 2),
    "closures over huge numbers": (closure, 10**10_000, 10**10_000 + 1),
    "two lambdas on one line": (one_line, 0, 1),
    "arrays": (lambda held: array(1, held), 2, 3),
    "arrays of other sizes": (lambda dtype: array(1, dtype=dtype), np.int64, np.int32),
    "arrays of other shapes": (lambda held: closure(np.zeros(held)), (2, 3), (3, 2)),
    "arrays of objects": (lambda held: closure(np.array([held, None], object)), "a", "b"),
    "large arrays, the difference out of sight": (lambda held: array(*range(5000), held, *range(5000)), 1, 2),
    "defaults": (default, 1, 2),
    "keyword defaults": (keyword, 1, 2),
    "attributes of a function": (attribute, 1, 2),
    "objects": (Plain, 1, 2),
    "objects with slots": (Slots, 1, 2),
    "objects that hide their state": (Silent, 1, 2),
    "dicts that can be called": (lambda held: Table({0: held}), 1, 2),
    "numbers that can be called": (Number, 1, 2),
    "random generators that can be called": (Dice, 1, 2),
    "dataclasses": (Data, 1, 2),
    "dataclasses, in what is not compared": (lambda held: Data(1, held), [1], [2]),
    "objects of other classes": (lambda kind: kind(1), Plain, Data),
    "values of a class": (of_a_class, 1, 2),
    "methods of one name": (with_a_method, "0", "1"),
    "bound methods of objects": (method, 1, 2),
    "other bound methods": (lambda name: getattr(Plain(1), name), "play", "__call__"),
    "methods bound by hand": (free_method, "0", "1"),
    "partials": (partial, 1, 2),
    "decorated functions": (wrapped, False, True),
    "remembering functions": (remembered, 1, 2),
    "global values": (global_value, 1, 2),
    "global values that are missing": (lambda space: made("def play(obs, random): return X", **space), {}, {"X": 1}),
    "helpers": (helper, "card", "-card"),
    "helpers, in a constant": (helper, "card + 1", "card + 2"),
    "helpers, in a name": (helper, "card.real", "card.imag"),
    "helpers of helpers": (helper_of_a_helper, "1", "2"),
    "functions that call themselves": (recursive, "0", "1"),
    "functions that call each other": (mutual, "0", "1"),
    "functions within": (inner, "a > random", "a < random"),
    "constants in sets": (inner, "a in {1, 2}", "a in {1, 3}"),
    "compiled functions": (compiled, "0", "1"),
    "globals of compiled functions": (compiled_global, 1, 2),
    "helpers of compiled functions": (compiled_helper, "0", "1"),
    "compiled otherwise": (lambda fast: njit(dearest, fastmath=fast), True, False),
    "compiled and plain": (lambda wrap: wrap(dearest), njit, lambda same: same),
    "a built-in strategy": (MonteCarlo, 5, 6),
    "pieces of advice": (Careful, "deny", "hiki"),
}


@pytest.mark.parametrize(("make", "one", "other"), DIFFERENT.values(), ids=DIFFERENT)
def test_what_differs_is_told_apart_and_what_is_equal_is_not(make: Callable[[Any], Any], one: Any, other: Any) -> None:
    assert fingerprint(make(one)) == fingerprint(make(one)) != fingerprint(make(other)) == fingerprint(make(other))


def test_no_two_of_all_these_are_one() -> None:
    prints = {
        f"{name} {k}": fingerprint(make(held))
        for name, (make, *pair) in DIFFERENT.items()
        for k, held in enumerate(pair)
    }
    twins = {name for name, one in prints.items() if list(prints.values()).count(one) > 1}
    # The same thing, made twice.
    assert twins == {
        *("bound methods of objects 0", "other bound methods 0"),
        *("closures over numbers 0", "closures over an int and a float 0", "closures over an int and a bool 0"),
        *("objects 0", "objects of other classes 0", "dataclasses 0", "objects of other classes 1"),
    }


SCRIPT = """
from test_identity import *
for name, (make, one, other) in DIFFERENT.items():
    print(name, fingerprint(make(one)), fingerprint(make(other)))
"""


def test_an_identity_is_the_same_in_every_process() -> None:
    """Whatever the order of sets there, and wherever objects lie."""
    told = set()
    for seed in ("1", "2", "3"):
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            cwd=Path(__file__).parent,
            check=True,
        )
        told.add(done.stdout)
    here = "".join(
        f"{name} {fingerprint(make(one))} {fingerprint(make(other))}\n"
        for name, (make, one, other) in DIFFERENT.items()
    )
    assert told == {here}


MODULE = """
    import numpy as np
    import {name}_helpers as helpers
    from {name}_helpers import taken

    def play(obs, random):
        from {name}_helpers import late
        return helpers.value(obs) + helpers.WEIGHT + taken(obs) + late(obs) + int(np.argmax([1, 2]))
"""
HELPERS = """
    WEIGHT = 1
    TABLE = [1, 2, 3]
    def value(obs): return TABLE[0]
    def taken(obs): return 1
    def late(obs): return 1
    def unused(obs): return 1
"""


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        ("WEIGHT = 1", "WEIGHT = 2", False),
        ("TABLE = [1, 2, 3]", "TABLE = [1, 2, 4]", False),
        ("def value(obs): return TABLE[0]", "def value(obs): return TABLE[1]", False),
        ("def taken(obs): return 1", "def taken(obs): return 2", False),
        ("def late(obs): return 1", "def late(obs): return 2", False),
        ("def unused(obs): return 1", "def unused(obs): return 2", True),
        ("    WEIGHT", "    # A word more.\n\n    WEIGHT", True),
    ],
)
def test_modules_of_ones_own_count_with_what_is_used_of_them(
    before: str, after: str, same: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    prints = []
    for name, helpers in (("first", HELPERS), ("then", HELPERS.replace(before, after))):
        folder = tmp_path / name
        folder.mkdir()
        monkeypatch.syspath_prepend(folder)
        # Of one name both times, as after an edit.
        for module in ("own_strategy", "own_strategy_helpers"):
            sys.modules.pop(module, None)
        importlib.invalidate_caches()
        (folder / "own_strategy.py").write_text(dedent(MODULE.format(name="own_strategy")))
        (folder / "own_strategy_helpers.py").write_text(dedent(helpers))
        module = importlib.import_module("own_strategy")
        assert module.__file__ is not None and name in module.__file__
        prints.append(fingerprint(module.play))
    assert (prints[0] == prints[1]) == same


def test_what_is_remembered_does_not_change_a_strategy() -> None:
    class Knowing(Plain):
        @functools.cached_property
        def known(self) -> int:
            return int(self.held)

        def __call__(self, obs: Observation, random: int) -> int:
            return self.known % len(obs.actions)

    strategy = Knowing(3)
    before = fingerprint(strategy)
    sakura.simulate(20, agents=strategy, progress=False)
    assert "known" in vars(strategy) and fingerprint(strategy) == before == fingerprint(Knowing(3)) != fingerprint(
        Knowing(4)
    )


def test_what_a_function_remembers_does_not_change_it() -> None:
    @functools.lru_cache
    def value(card: int) -> int:
        return card % 2

    def play(obs: Observation, random: int) -> int:
        return value(random) % len(obs.actions)

    before = fingerprint(play)
    sakura.simulate(20, agents=play, progress=False)
    assert value.cache_info().currsize and fingerprint(play) == before


LOCK = threading.Lock()
NOTHING = open(os.devnull)  # noqa: SIM115

# What has something in it that nobody can read, and what the message names.
UNTOLD: dict[str, tuple[Callable[[], Any], str]] = {
    "an open file": (lambda: closure(NOTHING), "held is of the type TextIOWrapper, whose content cannot"),
    "a lock": (lambda: closure(LOCK), "held is of the type lock"),
    "a lock in an object": (lambda: Plain([LOCK]), "held is of the type lock"),
    "a generator": (lambda: default(i for i in range(3)), "a default of play is of the type generator"),
    "a thread's own values": (lambda: closure(threading.local()), "held is of the type _local"),
    "a whole module of one's own": (lambda: closure(sys.modules[__name__]), "held is a whole module"),
    "a file it opens": (lambda: made("def play(obs, random): return len(open('x').read())"), "open is a function with"),
    "text it runs": (lambda: made("def play(obs, random): return eval('WEIGHT')", WEIGHT=1), "eval is a function with"),
    "a function of C's": (lambda: closure(np.frompyfunc(abs, 1, 1)), "held is of the type ufunc"),
    "too many boxes": (lambda: closure(functools.reduce(lambda a, _: [a], range(5000), [])), "nested too deeply"),
    "an object that refuses": (lambda: closure(Refusing()), "held cannot be read"),
}


class Refusing:
    def __reduce_ex__(self, protocol: Any) -> Any:
        sys.exit("no")


@pytest.mark.parametrize(("make", "why"), UNTOLD.values(), ids=UNTOLD)
def test_what_cannot_be_told_is_kept_in_memory_alone(make: Callable[[], Any], why: str, tmp_path: Path) -> None:
    for strategy in (make(), functools.partial(make(), held=0)):
        with pytest.raises(
            ValueError, match=f"cannot be told for sure from other strategies.*: .*{why}.*or leave out="
        ):
            sakura.simulate(5, agents=strategy, out=tmp_path / "rounds", progress=False)
    assert not (tmp_path / "rounds").exists()


def test_rounds_of_strategies_that_cannot_be_told_are_not_put_together(tmp_path: Path) -> None:
    def play(obs: Observation, random: int) -> int:
        return 0 if LOCK else 1

    for first in (0, 5):
        results = sakura.simulate(5, agents=play, first=first, progress=False)
        results.save(tmp_path / f"{first}.parquet")
        assert len(Results.load(tmp_path / f"{first}.parquet")) == len(Results.scan(tmp_path / f"{first}.parquet")) == 5
    with pytest.raises(ValueError, match="a strategy that cannot be told for sure from others of its name"):
        Results.scan(tmp_path)


def test_compiled_code_that_is_older_than_what_it_uses_is_noticed(tmp_path: Path) -> None:
    """Numba reads a global when it compiles, and never again."""
    space: dict[str, Any] = {"WEIGHT": 0}
    play = njit(made("def play(obs, random): return WEIGHT", **space))
    space = play.py_func.__globals__
    sakura.simulate(5, agents=play, out=tmp_path / "rounds", progress=False)
    space["WEIGHT"] = 1
    with pytest.raises(ValueError, match="play was compiled when it or what it uses was another: define it anew"):
        sakura.simulate(10, agents=play, out=tmp_path / "more", progress=False)
    space["WEIGHT"] = 0
    sakura.simulate(10, agents=play, out=tmp_path / "rounds", progress=False)


@pytest.mark.parametrize("name", ["numbers that can be called", "closures over numbers", "bound methods of objects"])
def test_no_rounds_go_on_from_those_of_another(name: str, tmp_path: Path) -> None:
    make, one, other = DIFFERENT[name]
    sakura.simulate(20, agents=make(one), out=tmp_path / "rounds", progress=False)
    with pytest.raises(ValueError, match="other strategies of the names"):
        sakura.simulate(40, agents=make(other), out=tmp_path / "rounds", progress=False)
    sakura.simulate(40, agents=make(one), out=tmp_path / "rounds", progress=False)
    assert len(Results.scan(tmp_path / "rounds")) == 40


# ---- Names ----


def greedy(obs: Observation, random: int) -> int:
    return 0


NAMES: dict[str, tuple[Any, str]] = {
    "a built-in's": ([greedy, "random"], "'greedy' is the name of a built-in agent, which yours is not.*my_greedy"),
    "beside it": ([greedy, "greedy"], "'greedy' is the name of a built-in agent"),
    "two of one name": ([closure(0), closure(1)], "two different agents are called 'play'.*my_play"),
    "two lambdas": ([one_line(0), one_line(1)], "two different agents are called '<lambda>'.*'mine'"),
    "two that cannot be told": ([closure(LOCK), closure(LOCK)], "two different agents are called 'play'"),
}


@pytest.mark.parametrize(("agents", "message"), NAMES.values(), ids=NAMES)
def test_names_that_mean_two_are_refused(agents: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        sakura.simulate(5, agents=agents, progress=False)


def test_a_name_may_stand_for_one_agent_in_several_seats() -> None:

    def unknown(obs: Observation, random: int) -> int:
        return int(LOCK.locked())

    for agents in (closure(1), [closure(1), closure(1)], unknown, ["careful", Careful()]):
        assert len(sakura.simulate(2, Rules(players=4), agents, progress=False)) == 2
    renamed = one_line(1)
    renamed.__name__ = "other"
    assert sakura.simulate(2, agents=[one_line(0), renamed], progress=False).agents == ("<lambda>", "other")


@pytest.mark.parametrize(
    "entrants", [{"greedy": "careful", "random": "random"}, {"greedy": greedy, "random": "random"}, [greedy, "random"]]
)
def test_a_tournament_lends_no_built_in_name(entrants: Any) -> None:
    with pytest.raises(ValueError, match="'greedy' is the name of a built-in agent, which yours is not"):
        sakura.tournament(entrants, deals=2, progress=False)
    found = sakura.tournament({"careful": Careful(), "other": greedy}, deals=2, progress=False)
    assert found.names == ("careful", "other")
