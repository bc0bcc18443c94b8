"""Strategies as files: what `save` writes plays like the original, and `load` runs nothing that it was not told to."""

import functools
import math
import os
import statistics as stat
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from numba import njit

import sakura
import strategies_for_tests
from sakura import CARDS, Rules, StrategyError, points
from sakura.agents.files import UntrustedFile, load, save
from sakura.agents.greedy import greedy_strategy
from sakura.bits import pick as choose_by
from strategies_for_tests import always_fails, assert_same_rows, dearest, last_action

ROOT = Path(__file__).parents[1]


@pytest.fixture
def path(tmp_path: Path) -> Iterator[Path]:
    """Where to save; afterwards nothing half-written lies there."""
    yield tmp_path / "strategy.py"
    assert [file.name for file in tmp_path.iterdir() if file.suffix == ".part"] == []


def simulate(agents: Any, **options: Any) -> sakura.Results:
    return sakura.simulate(40, Rules(players=4), agents, 11, progress=False, **options)


def saved_and_loaded(strategy: Any, path: Path) -> Any:
    """The strategy from its file, which plays like the original, in other threads too."""
    save(strategy, path)
    loaded = load(path, trust=True)
    assert loaded is not strategy
    with ThreadPoolExecutor(2) as threads:
        assert_same_rows(simulate([strategy, "greedy"]), simulate([loaded, "greedy"], executor=threads))
    return loaded


def assert_stays_in_this_process(loaded: Any) -> None:
    message = r"other processes cannot see .*loaded from a file: put .* ThreadPoolExecutor"
    with ProcessPoolExecutor(1) as processes, pytest.raises(ValueError, match=message):
        simulate(["greedy", loaded], executor=processes)


# ---- Strategies that use all sorts of things ----

WEIGHTS = {5: 1.5, 10: -2, 20: 4e-3}
WANTED = frozenset({8, 28, 32})
TABLE = tuple(range(300, 348))
WORDS = ["it's", 'a "quoted" word', "two\nlines", "雨", None, True, b"bytes", (1, 2.5), range(3), {3}, {}]
LIMIT = 9
# Also names within the strategies, which must not be taken for these.
field = object()
values = object()


def doubled(x: int) -> int:
    return 2 * x


def worth(cards: int) -> float:
    """Uses constants, modules, functions of the package, another helper, and itself."""
    if cards > 1 << 60:
        return worth(cards >> 1)
    return doubled(points(cards)) + WEIGHTS[5] + math.floor(np.sqrt(TABLE[3])) + stat.mean([1, 2])


def remembered(function: Any) -> Any:
    """A decorator."""

    @functools.wraps(function)
    def wrapper(*args: Any) -> Any:
        return function(*args)

    return wrapper


@remembered
def decorated(x: int, limit: int = LIMIT) -> int:
    return min(x, limit)


renamed = doubled


def thoughtful(obs: sakura.Observation, random: int) -> int:
    """Keeps its docstring."""
    values = [worth(action.captures) + 5 * (action.card in WANTED) for action in obs.actions]
    values = [value + renamed(decorated(len(WORDS))) * 0 + CARDS[3].points for value in values]
    ties = [i for i in range(len(values)) if values[i] == max(values) and obs.field >= 0]  # its comments, too
    return ties[choose_by(random, len(ties))]


@njit
def compiled_helper(x: int) -> int:
    return TABLE[3] * x


@numba.njit(nogil=True)
def quick(obs: Any, random: Any) -> Any:
    best = 0
    for i in range(len(obs.actions)):
        if compiled_helper(points(obs.actions[i].captures)) > compiled_helper(points(obs.actions[best].captures)):
            best = i
    return best


def any_one(obs: Any, random: Any) -> Any:
    return random % len(obs.actions)


def test_a_strategy_with_all_that_it_uses(path: Path) -> None:
    loaded = saved_and_loaded(thoughtful, path)
    assert loaded.__doc__ == "Keeps its docstring."
    text = path.read_text()
    for part in (
        "from sakura import CARDS\nfrom sakura import points\nfrom sakura.bits import pick as choose_by\n",
        "import math\nimport numpy as np\nimport sakura\nimport statistics as stat\n\nLIMIT = 9\n",
        "\n\n\n@remembered\ndef decorated(x: int, limit: int = LIMIT) -> int:\n",
        "\n\n\nrenamed = doubled\n",
        "# its comments, too\n",
    ):
        assert part in text
    assert text.count("def doubled") == 1
    assert "\nfield =" not in text and "\nvalues =" not in text and "compiled_helper" not in text
    for name in ("WEIGHTS", "WANTED", "TABLE", "WORDS", "LIMIT"):
        constant = loaded.__globals__[name]
        assert constant == globals()[name] and type(constant) is type(globals()[name])
    assert_stays_in_this_process(loaded)


def test_compiled_strategies_stay_compiled(path: Path) -> None:
    loaded = saved_and_loaded(quick, path)
    assert type(loaded) is type(quick) and loaded.targetoptions["nogil"]
    assert len(quick.overloads) == 1  # asked as simulations ask it
    assert_stays_in_this_process(loaded)


def test_a_strategy_compiled_without_a_decorator(path: Path) -> None:
    save(njit(any_one), path)
    assert type(load(path, trust=True)) is type(quick)


def test_a_strategy_of_the_package_is_taken_from_there(path: Path) -> None:
    save(greedy_strategy, path)
    assert load(path, trust=True) is greedy_strategy


def test_the_file_says_what_it_is(path: Path) -> None:
    save(last_action, path)
    for words in ("Sakura", "`last_action`", sakura.__version__, "Python", "all of their rights", "trust=True"):
        assert words in path.read_text().split('"""')[1]


def test_what_was_loaded_can_be_saved_again(path: Path) -> None:
    save(thoughtful, path)
    again = path.with_name("again.py")
    saved_and_loaded(load(path, trust=True), again)
    assert again.read_text() == path.read_text()


# ---- Where it is saved ----


def test_an_earlier_save_is_replaced(path: Path) -> None:
    save(last_action, path)
    save(dearest, path)
    assert load(path, trust=True).__name__ == "dearest"


@pytest.mark.parametrize("content", [b"print('mine')\n", b"", b"def dearest(:", b"\xff\xfe\x00"], ids=range(4))
def test_other_peoples_files_are_left_alone(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(FileExistsError, match=r"strategy\.py was not saved by sakura\.agents\.save, .*another path"):
        save(dearest, path)
    assert path.read_bytes() == content


def test_a_path_that_is_not_of_python(path: Path) -> None:
    with pytest.raises(ValueError, match=r"ends in \.py; got .*strategy\.txt'"):
        save(dearest, path.with_suffix(".txt"))


# ---- What cannot be saved ----

a_lambda = lambda obs, random: 0  # noqa: E731
an_array = np.arange(3)
nobody = math.nan


class Half(float):
    pass


half = Half(0.5)


class Own:
    def __call__(self, obs: Any, random: int) -> int:
        return 0

    def method(self, obs: Any, random: int) -> int:
        return 0


def within(scale: int) -> Any:
    def closed(obs: Any, random: int) -> int:
        return scale % len(obs.actions)

    return closed


def without_source() -> Any:
    space: dict[str, Any] = {}
    exec("def sourceless(obs, random): return 0", space)
    return space["sourceless"]


def uses_lambda(obs: Any, random: int) -> int:
    return a_lambda(obs, random)


def uses_array(obs: Any, random: int) -> int:
    return int(an_array[0])


def uses_nan(obs: Any, random: int) -> int:
    return int(nobody > 0)


def uses_subclass(obs: Any, random: int) -> int:
    return int(half)


def uses_class(obs: Any, random: int) -> int:
    return Own()(obs, random)


def uses_module(obs: Any, random: int) -> int:
    return strategies_for_tests.last_action(obs, random)


doubled_fast = njit(doubled)


def uses_two_of_a_name(obs: Any, random: int) -> int:
    return doubled(0) + doubled_fast(0)


def uses_missing(obs: Any, random: int) -> int:
    return missing(obs)  # type: ignore[name-defined]  # noqa: F821


def leaves_it_to_chance(obs: Any, random: int) -> int:
    return os.urandom(1)[0] % len(obs.actions)


def answers_nothing(obs: Any, random: int) -> None:
    pass


def one_argument(obs: Any) -> int:
    return 0


@njit
def returns_float(obs: Any, random: Any) -> Any:
    return 0.5


REFUSED: dict[str, tuple[Any, type[Exception], str]] = {
    "a name": ("greedy", TypeError, "only a function can be saved, def my_strategy.* got 'greedy'"),
    "a method": (Own().method, TypeError, r"only a function can be saved"),
    "an object": (Own(), TypeError, "only a function can be saved.* got <.*Own object"),
    "a lambda": (a_lambda, ValueError, "<lambda> is a lambda .*: use def"),
    "a closure": (within(3), ValueError, "closed is a lambda or a function within another one: use def, at the top"),
    "no source": (without_source(), ValueError, "the source of sourceless is not known: define it in a cell"),
    "one argument": (one_argument, StrategyError, "one_argument.* takes 1 positional argument but 2 were given"),
    "uses a lambda": (uses_lambda, ValueError, "a_lambda is a lambda"),
    "uses an array": (uses_array, ValueError, r"uses_array uses an_array, .* written down \(ndarray\): use .*tolist"),
    "uses nan": (uses_nan, ValueError, "uses_nan uses nobody, which cannot be written"),
    "uses a subclass": (uses_subclass, ValueError, r"uses half, which cannot be written down \(Half\)"),
    "uses a class": (uses_class, ValueError, r"uses_class uses Own, which cannot be written down \(type\)"),
    "uses a module": (uses_module, ValueError, r"uses strategies_for_tests, which cannot be written down \(module\)"),
    "uses two of a name": (uses_two_of_a_name, ValueError, "two different things are called doubled: rename one"),
    "uses what is not there": (uses_missing, StrategyError, "uses_missing raised NameError: name 'missing' is not"),
    "uses chance": (leaves_it_to_chance, ValueError, "chance is not saved, as it answers differently from its file"),
    "fails": (always_fails, StrategyError, "always_fails raised LookupError: lost the thread"),
    "no index": (answers_nothing, StrategyError, "answers_nothing returned None; it must return the index"),
    "no index, compiled": (returns_float, StrategyError, "returns_float returned 0.5; it must return the index"),
}


@pytest.mark.parametrize(("strategy", "error", "message"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_saved(path: Path, strategy: Any, error: type[Exception], message: str) -> None:
    save(last_action, path)
    before = path.read_bytes()
    with pytest.raises(error, match=message):
        save(strategy, path)
    assert path.read_bytes() == before


def test_a_source_that_has_changed_since(path: Path) -> None:
    """Then the file would be of another strategy than the one that was tried out."""
    save(last_action, path)
    loaded = load(path, trust=True)
    saved = path.read_text()
    for now in (saved.replace("- 1", "- len(obs.actions)"), saved.replace("def last_action", "def another")):
        path.write_text(now)
        with pytest.raises(ValueError, match=r"is not saved, as it(s file would not work| answers differently)"):
            save(loaded, path)


# ---- Loading ----

DANGEROUS = '''"""A strategy for Sakura, the Hawaiian card game: `best`. \x1b[2J

It wins.
"""
import os, sys
from urllib.request import urlopen
open({mark!r}, "w").close()
def best(obs, random):
    import socket
    return 0
'''


def test_without_trust_nothing_is_run(path: Path) -> None:
    mark = path.with_name("mark")
    path.write_text(DANGEROUS.format(mark=str(mark)))
    modules = set(sys.modules)
    with pytest.raises(UntrustedFile) as error:
        load(path)
    assert not mark.exists() and set(sys.modules) == modules
    assert str(error.value) == (
        f"{path} is Python, 10 lines that would run with all of your rights; nothing was run. It says of itself: "
        f"'A strategy for Sakura, the Hawaiian card game: `best`. \\x1b[2J'. Its import statements name: os, "
        f"socket, sys, urllib.request. Read it; then, if you trust it, call sakura.agents.load({str(path)!r}, "
        f"trust=True)"
    )
    assert load(path, trust=True).__name__ == "best"
    assert mark.exists()


@pytest.mark.parametrize("trust", [False, True])
def test_a_file_that_is_no_strategy(path: Path, trust: bool) -> None:
    for content in (b"x = 1\ndef mine(obs random): return 0", b"\x89PNG\r\n\xff\xff"):
        path.write_bytes(content)
        with pytest.raises(ValueError, match=r"strategy\.py is not Python: "):
            load(path, trust)
    path.write_text("def mine(obs, random): return 0")
    with pytest.raises(ValueError, match=r"was not saved by sakura\.agents\.save: its first line names no strategy"):
        load(path, trust)
    with pytest.raises(FileNotFoundError, match=r"missing\.py"):
        load(path.with_name("missing.py"), trust)


# ---- From one notebook to another ----

CELLS = (
    "import numba\nimport sakura\nfrom sakura import points\nBONUS = {8: 3}",
    "def helper(action):\n    return 0",
    """
    def helper(action):
        return points(action.captures) + BONUS.get(action.card, 0)


    def from_a_cell(obs, random):
        values = [helper(action) for action in obs.actions]
        return values.index(max(values))
    """,
    "BONUS = {28: 5}",
    "@numba.njit\ndef compiled_cell(obs, random):\n    return random % len(obs.actions)",
    "sakura.agents.save(from_a_cell, 'plain.py')\nsakura.agents.save(compiled_cell, 'compiled.py')",
    "scores = sakura.simulate(30, agents=[from_a_cell, compiled_cell], progress=False).scores",
    "print(scores.tolist())",
)

NOTEBOOK = """
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
for cell in {cells!r}:
    shell.run_cell(cell).raise_error()
"""


def test_from_a_notebook_to_a_friend(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", NOTEBOOK.format(cells=[textwrap.dedent(cell) for cell in CELLS])],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "IPYTHONDIR": str(tmp_path / "ipython")},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    friends = [load(tmp_path / name, trust=True) for name in ("plain.py", "compiled.py")]
    scores = sakura.simulate(30, agents=friends, progress=False).scores
    assert done.stdout.splitlines()[-1] == str(scores.tolist())
    assert "BONUS = {28: 5}\n" in (tmp_path / "plain.py").read_text()
