"""Compiled code does what the same source does as plain Python, and is never older than its source."""

import ast
import inspect
import os
import shutil
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numba
import numpy as np
import pytest
from numba import njit

import sakura
from sakura import Rules, bits, cards, compiled, engine, kernel, machine, yaku
from sakura.agents import BUILT_IN, careful, playouts, search
from sakura.machine import PlainMachine
from strategies_for_tests import RULE_SETS, assert_same_rows, by_everything, compiled_by_everything

SIMULATE = sys.modules["sakura.simulate"]
ROOT = Path(__file__).parents[1]


def simulate(rounds: int, rules: Rules, agents: Any = "random", seed: int = 0, **options: Any) -> sakura.Results:
    return sakura.simulate(rounds, rules, agents, seed, progress=False, **options)


def run(code: str, folder: Path, **environment: str) -> str:
    """What a Python of its own prints, its working folder first on its path."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder), **environment},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulations run as they do where numba is missing."""
    monkeypatch.setattr(SIMULATE, "machine", PlainMachine)
    monkeypatch.setattr(SIMULATE, "must_compile", lambda loop: False)


# ---- The primitives ----

_random = np.random.default_rng(20260)
WORDS = [
    *(1 << bit for bit in range(63)),
    *((1 << bit) - 1 for bit in range(2, 64)),
    *(1 << 62 | 1 << bit for bit in range(62)),
    *_random.integers(1, 1 << 63, 2000).tolist(),
    *(_random.integers(0, 1 << 48, 2000) | 1 << 47).tolist(),
]


@njit
def popcounts(words: Any) -> Any:
    return np.array([bits.popcount(word) for word in words])


@njit
def lowests(words: Any) -> Any:
    return np.array([bits.lowest(word) for word in words])


@njit
def selects(words: Any, places: Any) -> Any:
    return np.array([bits.select(words[i], places[i]) for i in range(len(words))])


@njit
def randoms(keys: Any, places: Any) -> Any:
    return np.array([bits.random63(keys[i], places[i]) for i in range(len(keys))])


@njit
def siphashes(first: Any, second: Any, blocks: Any) -> Any:
    return np.array([bits.siphash63(first[i], second[i], blocks[i]) for i in range(len(blocks))])


@njit
def picks(randoms: Any, sizes: Any) -> Any:
    return np.array([bits.pick(randoms[i], sizes[i]) for i in range(len(randoms))])


def test_popcount_and_lowest() -> None:
    assert popcounts(np.array([0, *WORDS])).tolist() == [bin(word).count("1") for word in (0, *WORDS)]
    assert lowests(np.array(WORDS)).tolist() == [bin(word)[::-1].index("1") for word in WORDS]
    assert [bits.popcount(word) for word in (0, *WORDS)] == [bin(word).count("1") for word in (0, *WORDS)]
    assert [bits.lowest(word) for word in WORDS] == [bin(word)[::-1].index("1") for word in WORDS]


def test_select() -> None:
    words = [word for word in WORDS for _ in range(word.bit_count())]
    places = [place for word in WORDS for place in range(word.bit_count())]
    wanted = [bit for word in WORDS for bit in range(63) if word >> bit & 1]
    assert selects(np.array(words), np.array(places)).tolist() == wanted
    assert [bits.select(word, place) for word, place in zip(words[:5000], places, strict=False)] == wanted[:5000]


def test_random63() -> None:
    keys = [0, 1, (1 << 63) - 1, 1 << 62, *_random.integers(0, 1 << 63, 3000).tolist()]
    places = [0, 1, 48, 10**12, *_random.integers(0, 1 << 40, 3000).tolist()]
    drawn = randoms(np.array(keys), np.array(places)).tolist()
    assert drawn == [bits.random63(key, place) for key, place in zip(keys, places, strict=True)]
    assert min(drawn) >= 0 and max(drawn) < 1 << 63
    # The first outputs of splitmix64 seeded with 1234567, as its author's C code and Rosetta Code print them.
    published = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431]
    assert [bits.random63(1234567, n) for n in range(4)] == [number >> 1 for number in published]


def test_siphash63() -> None:
    keys, blocks = _random.integers(0, 1 << 63, (2, 3000)), _random.integers(0, 1 << 63, 3000)
    hashed = siphashes(*keys, blocks).tolist()
    assert hashed == [bits.siphash63(*words) for words in zip(*keys.tolist(), blocks.tolist(), strict=True)]
    # What its authors' reference code prints for the key 00 01 .. 0f and the messages "", 00, 00 01 .. 00 .. 06.
    published = ["310e0edd47db6f72", "fd67dc93c539f874", "5a4fa9d909806c0d", "2d7efbd796666785"]
    published += ["b7877127e09427cf", "8da699cd64557618", "cee3fe586e46c9cb", "37d1018bf50002ab"]
    for length, wanted in enumerate(published):
        block = bytes(range(length)).ljust(7, b"\0") + bytes([length])
        first, second, word = (int.from_bytes(part, "little") for part in (bytes(range(8)), bytes(range(8, 16)), block))
        assert bits.siphash63(first, second, word) == int.from_bytes(bytes.fromhex(wanted), "little") >> 1


def test_pick() -> None:
    drawn = [0, (1 << 63) - 1, 1 << 62, *_random.integers(0, 1 << 63, 3000).tolist()]
    sizes = [1, 1, (1 << 31) - 1, *_random.integers(1, 200, 3000).tolist()]
    picked = picks(np.array(drawn), np.array(sizes)).tolist()
    assert picked == [bits.pick(random, n) for random, n in zip(drawn, sizes, strict=True)]
    assert all(0 <= choice < n for choice, n in zip(picked, sizes, strict=True))
    assert [bits.pick((1 << 63) - 1, n) for n in range(1, 200)] == list(range(199))


# ---- The loops ----


@pytest.mark.parametrize("agents", ["random", "greedy"])
@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
def test_plain_python_plays_the_same_rounds(
    rules: Rules, agents: str, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    fast = simulate(60, rules, agents, seed=11, yaku_turns=True)
    request.getfixturevalue("plain")
    assert_same_rows(fast, simulate(60, rules, agents, seed=11, yaku_turns=True))


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
def test_a_compiled_strategy_sees_what_a_plain_one_sees(rules: Rules) -> None:
    """Also: the rounds of a strategy that is asked from outside are those of one that is called from inside."""
    fast = simulate(12, rules, compiled_by_everything, seed=5, yaku_turns=True)
    slow = simulate(12, rules, by_everything, seed=5, yaku_turns=True)
    assert_same_rows(fast, slow)


@pytest.mark.parametrize("players", range(2, 8))
def test_deals_are_the_same(players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = Rules(players=players, four_on_field="redeal", field=12)
    fast = sakura.deals(300, rules, seed=3)
    monkeypatch.setattr(SIMULATE, "machine", PlainMachine)
    slow = sakura.deals(300, rules, seed=3)
    np.testing.assert_array_equal(fast.hands, slow.hands)
    np.testing.assert_array_equal(fast.field, slow.field)


# Between them these have every kind of decision; 30,000 rounds of each are some six million decisions.
MILLIONS = [
    *("2 players", "3 players", "5 players", "7 players", "6 in 2 teams", "many hikis", "claim from the pile"),
    *("sweep from the pile", "sweep all", "four on the field, dealer", "no hiki"),
]


@pytest.mark.parametrize("agent", ["random", "greedy"])
def test_the_built_in_strategies_take_the_same_actions_with_and_without_a_list(agent: str) -> None:
    """Named, a strategy chooses from card sets; compiled like a user's it chooses from the list of legal actions."""
    listed = njit(BUILT_IN[agent])
    for name in MILLIONS:
        assert_same_rows(simulate(30_000, RULE_SETS[name], agent, 1), simulate(30_000, RULE_SETS[name], listed, 1))


# ---- Without numba ----

NO_NUMBA = """
import sys

class Without:
    '''A finder of modules that finds no numba, as where it is not installed.'''
    def __init__(self, finder):
        self.finder = finder

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] not in ("numba", "llvmlite"):
            return self.finder.find_spec(name, path, target)

sys.meta_path[:] = map(Without, sys.meta_path)
"""


def test_without_numba_the_rounds_are_the_same() -> None:
    code = """
import sys, sakura
rules = sakura.Rules(players=4, teams=2)
for _ in range(2):
    results = sakura.simulate(40, rules, ["random", "greedy"], 9, progress=False)
    sakura.deals(3)
assert "numba" not in sys.modules
print(results.captured.tolist(), results.scores.tolist())
"""
    output = run(NO_NUMBA + code, ROOT)
    wanted = simulate(40, Rules(players=4, teams=2), ["random", "greedy"], 9)
    assert f"{wanted.captured.tolist()} {wanted.scores.tolist()}" in output.splitlines()
    assert output.count("numba is not installed") == 1
    assert "Traceback" not in output


# ---- The cache ----


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A copy of the package, to edit, with a cache of its own beside it."""
    folder = tmp_path / "checkout"
    shutil.copytree(ROOT / "sakura", folder / "sakura", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "data", folder / "data")
    return folder


def test_compiled_code_notices_an_edit_to_the_cards(copied: Path) -> None:
    """From end to end: the same cache, another process, a card of another value."""
    # The score alone, compiled as the loops are, which would take half a minute more.
    code = """
from sakura import Rules, compiled, engine
score = compiled._compile(engine.score, compiled._int(compiled._rules, compiled._int, compiled._int))
print(score(Rules().numbers(), 1 << 45 | 1 << 0, 0), sum(score.stats.cache_hits.values()), compiled.cards.__file__)
"""
    cache = {"NUMBA_CACHE_DIR": str(copied.parent / "cache")}
    module = str(copied / "sakura" / "cards.py")
    assert run(code, copied, **cache).split() == ["30", "0", module]
    assert run(code, copied, **cache).split() == ["30", "1", module]

    table = copied / "data" / "cards.csv"
    text = table.read_text(encoding="utf-8")
    assert text.count("45,12,Paulownia,ribbon,10,") == 1
    table.write_text(text.replace("45,12,Paulownia,ribbon,10,", "45,12,Paulownia,plain,0,"), encoding="utf-8")
    assert run(code, copied, **cache).split() == ["20", "0", module]


@pytest.fixture
def copied_sources(copied: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The files that `content_hash` reads, as copies."""
    fakes = []
    for module in compiled.SOURCES:
        path = copied / Path(str(module.__file__)).relative_to(ROOT)
        fakes.append(SimpleNamespace(__file__=str(path)))
    monkeypatch.setattr(compiled, "SOURCES", tuple(fakes))
    monkeypatch.setattr(cards, "DATA", copied / "data")
    return [Path(fake.__file__) for fake in fakes] + [copied / "data" / f"{table}.csv" for table in compiled.TABLES]


def test_the_content_hash_hangs_on_every_source_and_table(copied_sources: list[Path]) -> None:
    assert len(copied_sources) >= 8 + 3
    seen = {compiled.content_hash()}
    assert compiled.content_hash() in seen
    for file in copied_sources:
        content = file.read_bytes()
        file.write_bytes(content + b"#")
        seen.add(compiled.content_hash())
        file.write_bytes(content)
    assert len(seen) == 1 + len(copied_sources)
    assert compiled.content_hash() in seen


def test_the_content_hash_hangs_on_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    before = compiled.content_hash()
    monkeypatch.setattr(numba, "__version__", "0.0")
    assert compiled.content_hash() != before


def reached_functions() -> set[Any]:
    """The functions of this package that the compiled loops come to call, one way or another."""
    loops = {kernel.play_rounds, kernel.play_to_questions, kernel.deal_rounds, playouts.play_outs, search.solve}
    found, new = set(), {*loops, BUILT_IN["random"], BUILT_IN["greedy"]}
    while new:
        found |= new
        named = [f.__globals__.get(name) for f in new for name in f.__code__.co_names if name != "__builtins__"]
        new = {f for f in named if inspect.isfunction(f) and f.__module__.startswith("sakura")} - found
    return found


def imports_of(module: Any) -> dict[str, str]:
    """The names that a module imports from this package, and the modules that they come from."""
    origins = {}
    for node in ast.walk(ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            parents = str(module.__package__).split(".")
            base = parents[: len(parents) - node.level + 1]
            for alias in node.names:
                origins[alias.asname or alias.name] = ".".join([*base, *filter(None, [node.module])])
    return origins


def test_everything_that_is_compiled_is_among_the_sources() -> None:
    """Functions, and the constants that they name: an edit to any of them must not go unnoticed."""
    reached = reached_functions()
    assert len(reached) > 80 and {bits.random63, cards.points, yaku.completed, engine.sweep} <= reached
    assert {careful.careful_values, engine.determinize} <= reached
    sources = {module.__name__: imports_of(module) for module in compiled.SOURCES}
    for function in reached:
        assert function.__module__ in sources, function
        for name in function.__code__.co_names:
            assert sources[function.__module__].get(name, function.__module__) in sources, (function, name)


def test_the_cache_lies_where_the_environment_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    assert compiled.cache_folder() == tmp_path / "xdg" / "sakura" / compiled.content_hash()
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "numba"))
    assert compiled.cache_folder() == tmp_path / "numba" / "sakura" / compiled.content_hash()
    assert (tmp_path / "numba" / "sakura" / compiled.content_hash()).is_dir()


@pytest.mark.parametrize("variable", ["NUMBA_CACHE_DIR", "XDG_CACHE_HOME"])
def test_an_unwritable_cache_does_no_harm(variable: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = sakura.deals(50, seed=4)
    (tmp_path / "file").write_text("in the way")
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setenv(variable, str(tmp_path / "file" / "cache"))
    assert compiled.cache_folder() is None
    if variable == "XDG_CACHE_HOME":
        return  # compiling once is enough
    monkeypatch.setattr(compiled, "deal_rounds", compiled.deal_rounds.__wrapped__)
    np.testing.assert_array_equal(sakura.deals(50, seed=4).hands, wanted.hands)
    assert (tmp_path / "file").read_text() == "in the way"


def test_a_cache_that_fails_in_the_middle_does_no_harm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Say on a full disk: the folder can be made, and then nothing can be written into it."""

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(numba.core.caching.IndexDataCacheFile, "save", full)
    doubled = compiled._compile(yaku.completed, numba.int64(numba.int64))
    assert doubled(cards.card_set([8, 28, 32])) == 1


def test_an_ordinary_cache_setting_of_the_users_is_left_alone() -> None:
    """Also where several threads fetch the loops from the cache at the same time."""
    code = """
import sys, numba, sakura
from concurrent.futures import ThreadPoolExecutor
ordinary = numba.config.CACHE_DIR
sys.modules["sakura.simulate"].EXECUTOR_CHUNK = 100
with ThreadPoolExecutor(8) as executor:
    sakura.simulate(2000, executor=executor, progress=False)
print(numba.config.CACHE_DIR == ordinary)
"""
    simulate(1, Rules())  # is in the cache now
    assert run(code, ROOT).split() == ["True"]


def test_threads_have_a_scratch_memory_each() -> None:
    wanted = simulate(20_000, Rules(), "greedy", 2)
    with ThreadPoolExecutor(8) as executor:
        each = list(executor.map(lambda _: simulate(20_000, Rules(), "greedy", 2), range(8)))
    for results in each:
        assert_same_rows(wanted, results)


def test_no_position_overflows_the_list_of_actions() -> None:
    """The bound that the arrays of compiled code, which nobody checks, are made for."""
    for rules in RULE_SETS.values():
        held = rules.hand
        assert 2 * held + (48 - held) + 12 <= engine.MAX_ACTIONS


@pytest.mark.parametrize("presses", [1, 2])
def test_ctrl_c_while_compiling_is_not_lost(presses: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The compiler would swallow it; so it has its effect at the end, but for a second one."""
    finished = False

    def compiling() -> None:
        nonlocal finished
        for _ in range(presses):
            signal.raise_signal(signal.SIGINT)
        finished = True

    usual = signal.getsignal(signal.SIGINT)
    monkeypatch.setattr(compiled, "play_rounds", compiling)
    with pytest.raises(KeyboardInterrupt):
        machine.compile_loop("play_rounds")
    assert finished == (presses == 1)
    assert signal.getsignal(signal.SIGINT) is usual
