"""Compiled code does what the same source does as plain Python, and is never older than its source."""

import ast
import inspect
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
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


# What the first line of a numba that does not work is, and what is said of it then.
BROKEN = {
    "raise ImportError('Numba needs NumPy 9.9 or less')": "ImportError: Numba needs NumPy 9.9 or less",
    "import ctypes; ctypes.CDLL('libllvm-is-gone.so')": "OSError: libllvm-is-gone.so",
    "class config: DISABLE_JIT = 0": "cannot import name",
}


@pytest.mark.parametrize("how", ["missing", "switched off", *BROKEN])
def test_without_a_numba_that_works_the_rounds_are_the_same(how: str, tmp_path: Path) -> None:
    code = """
import sakura
rules = sakura.Rules(players=4, teams=2)
for _ in range(2):
    results = sakura.simulate(40, rules, ["random", "greedy"], 9, progress=False)
    sakura.deals(3)
print(results.captured.tolist(), results.scores.tolist())
"""
    environment = {"PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"}
    trouble = BROKEN.get(how, "numba is not installed")
    if how in BROKEN:
        (tmp_path / "numba").mkdir()
        (tmp_path / "numba" / "__init__.py").write_text(how)
    elif how == "missing":
        code = NO_NUMBA + code + "assert 'numba' not in sys.modules"
    else:
        environment["NUMBA_DISABLE_JIT"] = "1"
        trouble = "numba is switched off by NUMBA_DISABLE_JIT"
    output = run(code, ROOT, **environment)
    wanted = simulate(40, Rules(players=4, teams=2), ["random", "greedy"], 9)
    assert f"{wanted.captured.tolist()} {wanted.scores.tolist()}" in output.splitlines()
    assert output.count(trouble) == output.count("some hundred times slower") == 1
    assert "Traceback" not in output


def test_another_processor_than_this_one_is_compiled_for_where_numba_is_told_so() -> None:
    """One that has none of the instructions that this one may have."""
    code = """
import numba
from sakura import bits, compiled

@numba.njit
def select(x, n):
    return bits.select(x, n)

print(select(0b101001, 0), select(0b101001, 1), select(0b101001, 2))
"""
    assert run(code, ROOT, NUMBA_CPU_NAME="generic").split() == ["0", "3", "5"]


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


def picked_anew() -> tuple[int, int]:
    """What one small function gives, compiled or fetched from the cache; and whether it was fetched."""
    picks = compiled._compile(bits.pick, numba.int64(numba.int64, numba.int64))
    return picks(1 << 62, 10), sum(picks.stats.cache_hits.values())


COMPILED, FETCHED = (5, 0), (5, 1)


@pytest.fixture
def no_cache_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(variable, raising=False)


@pytest.mark.parametrize(("variable", "below"), [("NUMBA_CACHE_DIR", ""), ("XDG_CACHE_HOME", ""), ("HOME", ".cache")])
def test_the_cache_lies_where_the_environment_says(
    variable: str, below: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, no_cache_set: None
) -> None:
    monkeypatch.setenv(variable, str(tmp_path))
    assert [picked_anew(), picked_anew()] == [COMPILED, FETCHED]
    assert (tmp_path / below / "sakura" / compiled.content_hash()).is_dir()


def test_a_person_without_a_home_needs_none(monkeypatch: pytest.MonkeyPatch, no_cache_set: None) -> None:
    """As in a container that runs under some number that has no name."""
    pwd = pytest.importorskip("pwd")

    def nobody(number: int) -> Any:
        raise KeyError(number)

    monkeypatch.setattr(pwd, "getpwuid", nobody)
    assert [picked_anew(), picked_anew(), compiled.is_ready("pick")] == [COMPILED, COMPILED, False]


def test_a_cache_that_cannot_be_there_does_no_harm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = sakura.deals(2000, seed=4)
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "file" / "cache"))
    monkeypatch.setattr(compiled, "deal_rounds", compiled.deal_rounds.__wrapped__)
    np.testing.assert_array_equal(sakura.deals(2000, seed=4).hands, wanted.hands)
    assert (tmp_path / "file").read_text() == "in the way"


@pytest.mark.parametrize("step", ["write_bytes", "replace", "mkdir"])
def test_a_cache_that_cannot_be_written_does_no_harm(
    step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Say on a full disk, or in a folder of somebody else's; what is there is still of use."""

    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    with monkeypatch.context() as broken:
        broken.setattr(Path, step, full)
        assert picked_anew() == COMPILED
    assert not [file for file in tmp_path.rglob("*") if file.is_file()]
    assert picked_anew() == COMPILED
    monkeypatch.setattr(Path, step, full)
    assert picked_anew() == FETCHED


def test_a_temporary_folder_that_cannot_be_had_does_no_harm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    assert picked_anew() == COMPILED


def damages(data: bytes) -> Iterator[bytes]:
    """What may become of a file: cut off, zeros after some place, other bytes, one bit turned, two of it joined."""
    yield from (b"", data[: len(data) // 2], data[:-1], bytes(len(data)), data + data)
    yield from (_random.bytes(len(data)), b"PK\5\6" + bytes(18), b"\x80\x04N.", data[32:], b"no such thing")
    for place in _random.integers(0, len(data), 10).tolist():
        yield data[:place]
        yield data[:place] + bytes(len(data) - place)
        yield data[:place] + bytes([data[place] ^ 1 << place % 8]) + data[place + 1 :]
        yield data[:place] + _random.bytes(40) + data[place + 40 :]


def test_a_damaged_file_of_the_cache_is_put_right(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    assert picked_anew() == COMPILED
    for file in [file for file in tmp_path.rglob("*") if file.is_file()]:
        sound = file.read_bytes()
        for damaged in damages(sound):
            file.write_bytes(damaged)
            assert not compiled.is_ready("pick")
            assert picked_anew() == COMPILED, damaged
            assert picked_anew() == FETCHED, damaged
        file.unlink()
        file.mkdir()
        assert picked_anew() == COMPILED
        file.rmdir()


def test_processes_may_write_the_same_cache_at_the_same_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And one damages it all the while."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    assert picked_anew() == COMPILED
    (file,) = [file for file in tmp_path.rglob("*") if file.is_file()]
    code = """
import numba
from sakura import bits, compiled
print([compiled._compile(bits.pick, numba.int64(numba.int64, numba.int64))(1 << 62, 10) for _ in range(15)])
"""
    writers = [
        subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, text=True) for _ in range(3)
    ]
    while any(writer.poll() is None for writer in writers):
        file.write_bytes(b"damaged")
        time.sleep(0.05)
    assert [writer.communicate()[0] for writer in writers] == [f"{[5] * 15}\n"] * 3
    picked_anew()
    assert picked_anew() == FETCHED
    assert [other for other in tmp_path.rglob("*") if other.is_file()] == [file]


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
