"""What makes a strategy the one it is: two of equal `identity` play alike, and may go on from each other's rounds.

It is made of the code that runs, and of everything that the code can reach: closures, defaults, the state of objects,
the functions and values that it takes from its module and from other modules of the user's own. What belongs to Python,
to this package and to installed libraries is taken by its name, and libraries by their version. Other versions of
Python compile otherwise, and give other identities.
"""

import builtins
import copyreg
import dis
import functools
import hashlib
import importlib
import importlib.util
import os
import site
import sys
import sysconfig
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from types import (
    BuiltinFunctionType,
    CellType,
    CodeType,
    FunctionType,
    GetSetDescriptorType,
    MappingProxyType,
    MemberDescriptorType,
    MethodType,
    ModuleType,
)
from typing import Any

import numpy as np

# What Python itself notes of a class, and what follows from the rest.
_OF_EVERY_CLASS = {
    *("__dict__", "__weakref__", "__doc__", "__module__", "__qualname__", "__annotations__", "__annotate__"),
    *("__annotate_func__", "__annotations_cache__", "__firstlineno__", "__static_attributes__", "__dataclass_fields__"),
    *("__dataclass_params__", "__abstractmethods__", "__slotnames__", "_abc_impl", "__orig_bases__", "__parameters__"),
}
# What `functools.wraps` and numba note of a function.
_OF_EVERY_FUNCTION = {"__wrapped__", "__module__", "__name__", "__qualname__", "__doc__", "__annotations__"}
_GLOBAL = {"LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS"}
_ATTRIBUTE = {"LOAD_ATTR", "LOAD_METHOD"}
# What code may reach with these is only known when it plays.
_UNFORESEEABLE = {"eval", "exec", "globals", "__import__", "open", "input"}


def identity(strategy: object) -> str:
    """A digest that two strategies share only if they have the same code, and all that it reaches is equal.

    Raises ValueError, saying what is in the way, for one that cannot be told for sure from others.
    """
    whole = _walked(strategy)
    for compiled in whole.met:
        own = _walked(compiled).digest.hexdigest()
        # Numba reads globals when it compiles, and never again.
        if not compiled.signatures:
            _BEFORE_COMPILING[compiled] = own
        elif _BEFORE_COMPILING.setdefault(compiled, own) != own:
            raise ValueError(f"{compiled.__name__} was compiled when it or what it uses was another: define it anew")
    return whole.digest.hexdigest()[:32]


_BEFORE_COMPILING: "weakref.WeakKeyDictionary[Any, str]" = weakref.WeakKeyDictionary()


def _walked(strategy: object) -> "_Walk":
    walk = _Walk()
    try:
        walk.visit(strategy)
    except _Unreadable as error:
        raise ValueError(f"{walk.where()} is {error}") from None
    except KeyboardInterrupt:
        raise
    except RecursionError:
        raise ValueError("what it holds is nested too deeply") from None
    except BaseException as error:
        raise ValueError(f"{walk.where()} cannot be read ({type(error).__name__})") from None
    return walk


class _Unreadable(Exception):
    """Something that has no content to be read, in words."""


class _Walk:
    """One way through all that a strategy reaches, always in the same order."""

    def __init__(self, seen: dict[int, int] | None = None, path: list[str] | None = None) -> None:
        self.digest = hashlib.sha256()
        # What was met before, by its number: also the end of every circle.
        self.seen = {} if seen is None else dict(seen)
        self.path: list[str] = [] if path is None else path
        # So that no other object gets the id of one that was seen.
        self.alive: list[object] = []
        # What numba compiled.
        self.met: list[Any] = []
        # The modules whose attributes were looked at for some code.
        self.asked: set[tuple[int, int]] = set()

    def where(self) -> str:
        return self.path[-1] if self.path else "it"

    def note(self, *words: str | bytes) -> None:
        for word in words:
            data = word.encode("utf-8", "surrogatepass") if isinstance(word, str) else word
            self.digest.update(b"%d:" % len(data))
            self.digest.update(data)

    @contextmanager
    def at(self, name: str) -> Iterator[None]:
        """Names what is visited, for the error that says what is in the way."""
        self.path.append(name)
        yield
        self.path.pop()

    def visit(self, value: Any) -> None:
        kind = type(value)
        plain = _PLAIN.get(kind)
        if plain is not None:
            self.note(kind.__name__, plain(value))
            return
        # Equal constants may be one object or two.
        if kind is tuple:
            self.items("tuple", value)
            return
        if kind is frozenset:
            self.a_set(value)
            return
        if id(value) in self.seen:
            self.note("seen", str(self.seen[id(value)]))
            return
        self.seen[id(value)] = len(self.seen)
        self.alive.append(value)
        handler = _HANDLERS.get(kind)
        if handler is not None:
            handler(self, value)
        elif isinstance(value, type):
            self.a_class(value)
        elif isinstance(value, ModuleType):
            self.library(value)
        elif kind.__module__.startswith("numba.") and hasattr(value, "py_func"):
            self.compiled(value)
        else:
            self.an_object(value)

    def items(self, kind: str, values: Any) -> None:
        self.note(kind, str(len(values)))
        for value in values:
            self.visit(value)

    def mapping(self, kind: str, values: Any) -> None:
        """A mapping in its order, which a strategy can see."""
        self.note(kind, str(len(values)))
        for key, value in values.items():
            self.visit(key)
            with self.at(key[:100] if isinstance(key, str) else "something in it"):
                self.visit(value)

    def names(self, kind: str, values: dict[str, Any]) -> None:
        """Values by names, whose order nobody sees."""
        self.mapping(kind, dict(sorted(values.items())))

    def a_set(self, values: Any) -> None:
        digests = []
        for value in values:
            each = _Walk(self.seen, self.path)
            each.visit(value)
            self.met += each.met
            digests.append(each.digest.digest())
        self.note(type(values).__name__, *sorted(digests))

    def an_array(self, array: Any) -> None:
        self.note("array", repr(array.shape), repr(np.lib.format.dtype_to_descr(array.dtype)))
        if array.dtype.hasobject:
            self.visit(array.tolist())
        else:
            self.note(array.tobytes())

    # ---- Code ----

    def code(self, code: CodeType) -> None:
        self.note("code", code.co_code, code.co_exceptiontable)
        counts = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags)
        self.note(*map(str, counts))
        for names in (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars):
            self.items("names", names)
        self.note(str(len(code.co_consts)))
        for const in code.co_consts:
            if isinstance(const, CodeType):
                self.code(const)
            else:
                self.visit(const)

    def function(self, function: FunctionType) -> None:
        if self.by_name(function, function.__module__, function.__qualname__):
            return
        self.note("function")
        self.code(function.__code__)
        with self.at(f"a default of {function.__name__}"):
            self.visit(function.__defaults__)
            self.visit(function.__kwdefaults__)
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            with self.at(name):
                self.visit(cell)
        self.names("attributes", _without(vars(function), _OF_EVERY_FUNCTION))
        self.reached(function.__code__, function.__globals__)

    def reached(self, code: CodeType, space: dict[str, Any]) -> None:
        """What code takes from its module, from Python, and from the modules that it imports itself."""
        steps = [step for step in dis.get_instructions(code) if step.opname != "EXTENDED_ARG"]
        loads = [(step.argval, after.opname) for step, after in pairwise(steps) if step.opname in _GLOBAL]
        whole = {name for name, after in loads if after not in _ATTRIBUTE}
        for name in sorted({name for name, _ in loads}):
            self.note("global", name)
            with self.at(name):
                if name in space and name not in whole:
                    self.used(space[name], code)
                elif name in space:
                    self.visit(space[name])
                elif name in _UNFORESEEABLE:
                    raise _Unreadable("a function with which it may reach anything")
                elif hasattr(builtins, name):
                    self.note("builtin")
                else:
                    self.note("missing")
        for level, names, step in zip(steps, steps[1:], steps[2:], strict=False):
            if step.opname == "IMPORT_NAME":
                with self.at(f"import {step.argval}"):
                    full = importlib.util.resolve_name("." * level.argval + step.argval, space.get("__package__") or "")
                    self.imported(full, names.argval or (), code)
        for inner in code.co_consts:
            if isinstance(inner, CodeType):
                self.reached(inner, space)

    def imported(self, name: str, names: tuple[str, ...], code: CodeType) -> None:
        """A module that code imports when it runs, and modules within it: imported here, as they will be anyway."""
        self.note("import", name)
        if _is_library(name):
            return
        module = importlib.import_module(name)
        for each in names:
            if not hasattr(module, each):
                importlib.import_module(f"{name}.{each}")
        for end, letter in enumerate(f"{name}."):
            if letter == ".":
                self.used(sys.modules[name[:end]], code)

    def used(self, value: object, code: CodeType) -> None:
        """What code finds under a global name; of a module, the attributes by whose names it may ask."""
        if not isinstance(value, ModuleType):
            self.visit(value)
            return
        if _is_library(value.__name__):
            self.library(value)
            return
        self.note("module", value.__name__)
        if (id(value), id(code)) in self.asked:
            return
        self.asked.add((id(value), id(code)))
        for name in _names_in(code):
            if name in vars(value):
                with self.at(f"{value.__name__}.{name}"):
                    self.note(name)
                    self.used(vars(value)[name], code)

    def library(self, module: ModuleType) -> None:
        if not _is_library(module.__name__):
            raise _Unreadable("a whole module, of which it is not known what is used")
        self.note("library", module.__name__, _version(module.__name__))

    def by_name(self, value: object, module: str | None, name: str) -> bool:
        """Whether this belongs to Python or a library, where its name says what it is."""
        if not isinstance(module, str) or not _is_library(module):
            return False
        found: Any = sys.modules.get(module)
        for part in name.split("."):
            found = getattr(found, part, None)
        if found is not value:
            return False
        self.note("library", module, name, _version(module))
        return True

    def builtin(self, function: BuiltinFunctionType) -> None:
        owner = function.__self__
        self.note("builtin", function.__qualname__)
        if owner is None or isinstance(owner, ModuleType):
            self.note(str(function.__module__))
        else:
            self.visit(owner)

    def compiled(self, compiled: Any) -> None:
        """What numba compiled: the function it was, and how."""
        self.met.append(compiled)
        self.note("compiled")
        self.visit(compiled.py_func)
        self.names("options", dict(getattr(compiled, "targetoptions", {})))

    # ---- Objects ----

    def a_class(self, kind: type) -> None:
        if self.by_name(kind, kind.__module__, kind.__qualname__):
            return
        self.note("class")
        self.visit(type(kind))
        self.items("bases", kind.__bases__)
        with self.at(f"the class {kind.__name__}"):
            self.names("class", _without(vars(kind), _OF_EVERY_CLASS))

    def an_object(self, value: Any) -> None:
        """An object by its class and its state: its attributes and slots, and what pickle would write of it."""
        kind = type(value)
        # Such as a function of numpy's, which is none of Python's.
        name = getattr(value, "__qualname__", None) or getattr(value, "__name__", None)
        if isinstance(name, str) and self.by_name(value, getattr(value, "__module__", None) or kind.__module__, name):
            return
        self.note("object")
        own = not _is_library(kind.__module__)
        if own:
            slots = {
                name: member.__get__(value)
                for base in kind.__mro__
                for name, member in vars(base).items()
                if isinstance(member, MemberDescriptorType) and hasattr(value, name)
            }
            self.visit(kind)
            self.names("slots", slots)
            held = getattr(value, "__dict__", {})
            # What a property remembers follows from the rest.
            known = {name for name in held if isinstance(getattr(kind, name, None), functools.cached_property)}
            self.names("attributes", _without(held, known))
        reduce: Callable[[Any], Any] = copyreg.dispatch_table.get(kind, lambda value: value.__reduce_ex__(4))
        try:
            reduced = reduce(value)
        except (TypeError, AttributeError):
            reduced = ""
        if isinstance(reduced, str):
            raise _Unreadable(f"of the type {kind.__name__}, whose content cannot be read")
        make, arguments, state, items, pairs = (*reduced, None, None, None)[:5]
        self.visit(make)
        self.visit(arguments)
        # Without a way of its own this is once more the attributes and slots.
        if not own or any({"__reduce__", "__reduce_ex__"} & vars(base).keys() for base in kind.__mro__[:-1]):
            self.visit(state)
        self.items("items", list(items or ()))
        self.mapping("pairs", dict(pairs or ()))

    def descriptor(self, value: Any) -> None:
        """Where an attribute of C lies: which one it is says its class."""
        self.note("descriptor", value.__name__)

    def the_property(self, value: property) -> None:
        self.items("property", (value.fget, value.fset, value.fdel))


def _with_function(attribute: str) -> Callable[[_Walk, Any], None]:
    """For what Python makes of a function and adds nothing to."""

    def visit(walk: _Walk, value: Any) -> None:
        walk.note(type(value).__name__)
        walk.visit(getattr(value, attribute))

    return visit


def _cell(walk: _Walk, cell: CellType) -> None:
    try:
        content = cell.cell_contents
    except ValueError:
        walk.note("empty")
    else:
        walk.visit(content)


def _method(walk: _Walk, method: MethodType) -> None:
    walk.items("method", (method.__func__, method.__self__))


def _cached(walk: _Walk, cached: Any) -> None:
    """What was remembered is not part of what it is."""
    walk.note("cached", repr(cached.cache_parameters()))
    walk.visit(cached.__wrapped__)


_PLAIN: dict[type, Callable[[Any], str | bytes]] = {
    type(None): repr,
    type(Ellipsis): repr,
    type(NotImplemented): repr,
    bool: repr,
    # Python writes no decimals of so many digits as a number may have.
    int: hex,
    float: float.hex,
    complex: lambda value: f"{value.real.hex()} {value.imag.hex()}",
    str: str,
    bytes: bytes,
}

_HANDLERS: dict[type, Callable[[_Walk, Any], None]] = {
    list: lambda walk, value: walk.items("list", value),
    dict: lambda walk, value: walk.mapping("dict", value),
    MappingProxyType: lambda walk, value: walk.mapping("mapping", value),
    set: _Walk.a_set,
    np.ndarray: _Walk.an_array,
    CodeType: _Walk.code,
    FunctionType: _Walk.function,
    BuiltinFunctionType: _Walk.builtin,
    MethodType: _method,
    CellType: _cell,
    MemberDescriptorType: _Walk.descriptor,
    GetSetDescriptorType: _Walk.descriptor,
    property: _Walk.the_property,
    staticmethod: _with_function("__func__"),
    classmethod: _with_function("__func__"),
    functools.cached_property: _with_function("func"),
    type(functools.lru_cache(len)): _cached,
}


def _without(values: Any, names: set[str]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if name not in names}


def _names_in(code: CodeType) -> list[str]:
    """All names of globals and attributes in code, and in the code within it."""
    names = set(code.co_names)
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            names.update(_names_in(inner))
    return sorted(names)


@functools.cache
def _is_library(module: str) -> bool:
    """Whether a module is of Python, of this package, or of an installed library that has a version."""
    top = module.partition(".")[0]
    if top == "sakura":
        return True
    try:
        file = getattr(importlib.import_module(top), "__file__", None)
    except ImportError:
        return False
    if top in sys.stdlib_module_names:
        # A file of the user's may bear the name of one of Python's.
        return file is None or _within(file, sys.base_prefix, sys.prefix, os.path.dirname(os.__file__))
    return file is not None and _within(file, *_site()) and bool(_version(top))


@functools.cache
def _site() -> list[str]:
    """The folders where libraries are installed."""
    return [*site.getsitepackages(), site.getusersitepackages(), *map(sysconfig.get_path, ("purelib", "platlib"))]


def _within(file: str, *folders: str) -> bool:
    return any(Path(file).resolve().is_relative_to(Path(folder).resolve()) for folder in folders)


def _version(module: str) -> str:
    top = module.partition(".")[0]
    known = top == "sakura" or top in sys.stdlib_module_names
    return "" if known else str(getattr(sys.modules[top], "__version__", ""))
