"""Strategies as files: `save` writes a strategy of a notebook as Python that stands by itself, `load` reads one.

A strategy is a program, and so is its file: whoever loads it runs it, with all of their rights. `load` therefore runs
nothing until it is told that the file is trusted.
"""

import ast
import dis
import inspect
import os
import re
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from pprint import pformat
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

# `agents` imports this module: its names are there only when the functions below are called.
from .. import agents, engine
from ..bits import pick
from ..cards import DECK_SIZE
from ..engine import Observation
from ..rules import Rules
from ..version import __version__

_HEADER = '''"""A strategy for Sakura, the Hawaiian card game: `{name}`.

Saved by Sakura {version}. This is Python: whoever loads it runs it, with all of their rights. Read it, and then

    strategy = sakura.agents.load("path of this file", trust=True)
"""
'''
_SAVED = re.compile(r"A strategy for Sakura, the Hawaiian card game: `(\w+)`")


class UntrustedFile(ValueError):
    """A strategy file that was not run, as nobody said that it is trusted."""


# ---- Saving ----


def save(strategy: "agents.Strategy", path: str | os.PathLike[str]) -> None:
    """Write a strategy, with the constants and functions that it uses, as a Python file that `load` reads.

    The file is in place only once the strategy loaded from it has answered like the original; until then an earlier
    save stays as it was. Raises TypeError or ValueError, saying what is in the way, for a strategy that cannot be
    written down; StrategyError where it fails; FileExistsError where the path holds something that was not saved here;
    another OSError where the file cannot be written.
    """
    path = Path(path)
    _check_path(path)
    function = inspect.unwrap(strategy) if callable(strategy) else strategy
    if not isinstance(function, FunctionType):
        raise TypeError(f"only a function can be saved, def my_strategy(obs, random); got {strategy!r}")
    part = path.with_name(path.name + ".part")
    try:
        part.write_text(_text(function.__code__.co_name, strategy), encoding="utf-8", newline="\n")
        _check_answers(strategy, part)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _check_path(path: Path) -> None:
    if path.suffix != ".py":
        raise ValueError(f"a strategy is saved as Python, in a file that ends in .py; got {str(path)!r}")
    if path.exists():
        try:
            _read(path)
        except (OSError, ValueError):
            raise FileExistsError(f"{path} was not saved by sakura.agents.save, and stays: give another path") from None


def _text(name: str, strategy: "agents.Strategy") -> str:
    """The text of the file for a strategy whose function has that name."""
    parts = _Parts()
    parts.add(name, strategy, name)
    header = _HEADER.format(name=name, version=__version__)
    above = [header, "".join(sorted(parts.imports)), "".join(sorted(parts.constants))]
    return "\n\n".join(["\n".join(filter(None, above)), *parts.functions])


class _Parts:
    """What a file is put together from: statements, in `functions` each after what it uses."""

    def __init__(self) -> None:
        self.known: dict[str, object] = {}
        self.imports: list[str] = []
        self.constants: list[str] = []
        self.functions: list[str] = []

    def add(self, name: str, value: Any, user: str) -> None:
        """Add what the function `user` knows by that name, with all that it uses itself."""
        if name in self.known:
            if self.known[name] is not value:
                raise ValueError(f"two different things are called {name}: rename one of them")
            return
        # From here on, as a function may call itself.
        self.known[name] = value
        if line := _import_line(name, value):
            self.imports.append(line)
        elif isinstance(function := inspect.unwrap(value), FunctionType):
            self._add_function(name, value, function)
        elif literal := _literal(value):
            self.constants.append(f"{name} = {literal}\n")
        else:
            raise ValueError(
                f"{user} uses {name}, which cannot be written down ({type(value).__name__}): use functions, numbers, "
                f"texts, or tuples, lists, sets and dicts of them (an array's .tolist() is one)"
            )

    def _add_function(self, name: str, value: Any, function: FunctionType) -> None:
        """Add a function; `value` is what compiling or decorating made of it, or the function itself."""
        source, used = _source(name, function)
        own = function.__code__.co_name
        if name != own:
            self.add(own, value, name)
            self.functions.append(f"{name} = {own}\n")
            return
        if hasattr(value, "py_func") and not source.startswith("@"):
            # Compiled without a decorator, as in fast = njit(plain).
            source = "@numba.njit\n" + source
            self.add("numba", sys.modules["numba"], name)
        for each in sorted(used & function.__globals__.keys()):
            self.add(each, function.__globals__[each], name)
        self.functions.append(source)


def _import_line(name: str, value: Any) -> str:
    """The statement by which others, too, get a value under that name; empty where there is none."""
    there = getattr(value, "__name__", name)
    renamed = "" if name == there else f" as {name}"
    if isinstance(value, ModuleType):
        return f"import {there}{renamed}\n" if _travels(there) else ""
    module = getattr(value, "__module__", None) or "sakura"
    # The shorter is what people write: sakura.points, not sakura.cards.points.
    for home in (module.partition(".")[0], module):
        if _travels(home) and getattr(sys.modules.get(home), there, None) is value:
            return f"from {home} import {there}{renamed}\n"
    return ""


def _travels(module: str) -> bool:
    """Whether others have a module, too: it is of this package, of Python, or installed."""
    top = module.partition(".")[0]
    file = str(getattr(sys.modules.get(top), "__file__", None))
    # In site-packages, or in dist-packages where Debian has packed Python.
    return top in {"sakura", *sys.stdlib_module_names} or "-packages" in file


def _literal(value: object) -> str:
    """Plain data as Python that gives an equal value; empty for anything else."""
    text = pformat(value, width=110, compact=True, sort_dicts=False)
    try:
        again = eval(text, {})
        return text if type(again) is type(value) and again == value else ""
    except Exception:
        return ""


def _source(name: str, function: FunctionType) -> tuple[str, set[str]]:
    """The source of a function known by `name`, and the names that it takes from outside; ValueError if it has none."""
    code = function.__code__
    if code.co_name == "<lambda>" or code.co_freevars:
        raise ValueError(f"{name} is a lambda or a function within another one: use def, at the top of a cell")
    try:
        source = textwrap.dedent(inspect.getsource(function)).rstrip() + "\n"
        return source, _names_used(compile(source, code.co_filename, "exec", dont_inherit=True))
    except (OSError, SyntaxError):
        raise ValueError(f"the source of {name} is not known: define it in a cell without %%, or in a file") from None


def _names_used(code: CodeType) -> set[str]:
    """The names that a module's code takes from the module, and the code of the functions in it."""
    load = "LOAD_NAME" if code.co_name == "<module>" else "LOAD_GLOBAL"
    names = {step.argval for step in dis.get_instructions(code) if step.opname == load}
    return names.union(*(_names_used(inner) for inner in code.co_consts if isinstance(inner, CodeType)))


def _check_answers(strategy: "agents.Strategy", path: Path) -> None:
    """Raise ValueError unless the strategy of a file answers like the original; StrategyError where that one fails."""
    name = agents.name_of(strategy)
    # Compiled by numba, that is; to import it takes its time.
    questions = list(_questions(compiled=hasattr(strategy, "py_func")))
    wanted = [agents.ask(strategy, *question) for question in questions]
    try:
        loaded = load(path, trust=True)
        answers = [agents.ask(loaded, *question) for question in questions]
    except Exception as error:
        raise ValueError(f"{name} is not saved, as its file would not work: {error}") from error
    if answers != wanted:
        raise ValueError(
            f"{name} is not saved, as it answers differently from its file: it depends on more than obs and random, or "
            f"its source has changed since it was run"
        )


def _questions(compiled: bool) -> Iterator[tuple[Observation, int]]:
    """What a strategy is asked in a round of two players, played at random."""
    rules = Rules().numbers()
    state, actions = [0] * engine.STATE_SIZE, [0] * (engine.ACTION_SIZE * engine.MAX_ACTIONS)
    engine.deal_from_key(state, rules, 0, 0, DECK_SIZE)
    while n := engine.legal_actions(state, rules, actions):
        choices = engine.Choices(actions)[:n]
        random = engine.decision_random(state)
        yield engine.observe(state, rules, state[engine.SEAT], _records(choices) if compiled else choices), random
        engine.apply_action(state, rules, *choices[pick(random, n)])


def _records(choices: Any) -> Any:
    """Actions as compiled strategies see them."""
    from ..compiled import ACTION

    records = np.array([tuple(choice) for choice in choices], ACTION)
    records.flags.writeable = False
    return records


# ---- Loading ----


def load(path: str | os.PathLike[str], trust: bool = False) -> "agents.Strategy":
    """The strategy of a file that `save` wrote.

    trust: whether to run the file, which may do anything that you may do on this computer. Without it nothing is run.

    Raises UntrustedFile, saying what is in the file, without `trust`; ValueError where it is not a strategy's file;
    OSError where it cannot be read; and whatever the file itself raises.
    """
    path = Path(path).resolve()
    text, tree, name = _read(path)
    if not trust:
        raise UntrustedFile(_description(path, text, tree))
    module = ModuleType(f"sakura_strategy_{path.stem}")
    exec(compile(tree, str(path), "exec", dont_inherit=True), vars(module))
    strategy: agents.Strategy = getattr(module, name)
    return strategy


def _read(path: Path) -> tuple[str, ast.Module, str]:
    """A file's text, what Python makes of it without running it, and the name of its strategy."""
    try:
        text = path.read_text(encoding="utf-8")
        tree = ast.parse(text, str(path))
    except (SyntaxError, ValueError) as error:
        raise ValueError(f"{path} is not Python: {error}") from None
    saved = _SAVED.match(ast.get_docstring(tree) or "")
    if not saved:
        raise ValueError(f"{path} was not saved by sakura.agents.save: its first line names no strategy")
    return text, tree, saved[1]


def _description(path: Path, text: str, tree: ast.Module) -> str:
    nodes = list(ast.walk(tree))
    modules = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    modules |= {node.module or "." for node in nodes if isinstance(node, ast.ImportFrom)}
    # As repr, so that nothing in it can disguise itself on the screen.
    header = textwrap.shorten((ast.get_docstring(tree) or "").partition("\n\n")[0], 200)
    return (
        f"{path} is Python, {len(text.splitlines())} lines that would run with all of your rights; nothing was run. It "
        f"says of itself: {header!r}. Its import statements name: {', '.join(sorted(modules)) or 'nothing'}. Read it; "
        f"then, if you trust it, call sakura.agents.load({str(path)!r}, trust=True)"
    )
