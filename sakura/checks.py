"""Checks of arguments and of files, shared by everything that people call; and values in words that are never long."""

import json
import math
import operator
import reprlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from os import PathLike
from pathlib import Path
from typing import Any, TypeVar

Read = TypeVar("Read")

# ---- Values in words ----

_LONGEST = 80
_SHORT = reprlib.Repr()
_SHORT.maxlevel, _SHORT.maxstring, _SHORT.maxother = 3, _LONGEST, _LONGEST


def shown(value: object, words: Callable[[Any], str] = _SHORT.repr, longest: int = _LONGEST) -> str:
    """A value as an error names it: its `repr`, or other `words` for it, but short, and without an error of its own."""
    try:
        text = str.__str__(words(value))
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        # A number of more digits than Python writes, or an object whose own repr fails.
        text = f"<{type(value).__name__} that cannot be shown: {type(error).__name__}>"
    return cut(text, longest)


def cut(words: str, longest: int = _LONGEST) -> str:
    """The words, without their middle where they are longer."""
    half = (longest - 5) // 2
    return words if len(words) <= longest else f"{words[:half]} ... {words[-half:]}"


def listed(values: Collection[object], most: int = 12) -> str:
    """Values as an error names what there is: all of a few, the first of many and how many more there are."""
    more = f" and {len(values) - most} more" if len(values) > most else ""
    return ", ".join(shown(value) for value, _ in zip(values, range(most), strict=False)) + more


# ---- Arguments ----

# Compiled code counts up to here.
LARGE = 1 << 63


def whole(name: str, value: object, least: int, below: int | None = None) -> int:
    """`value` as an int. Raises TypeError unless it is a whole number, ValueError unless least <= value < below, or
    2**63 where nothing else is said."""
    if not is_whole(value):
        raise TypeError(f"{name} must be a whole number, got {shown(value)}")
    number = operator.index(value)  # type: ignore[arg-type]
    if number < least or number >= (below or LARGE):
        wanted = f"{least} to {below - 1}" if below else f"at least {least}" if number < least else "below 2**63"
        raise ValueError(f"{name} must be {wanted}, got {shown(number)}")
    return number


def is_whole(value: object) -> bool:
    """Whether `value` is a whole number. To Python 1.0 and True are 1; here they are none."""
    try:
        operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return False
    return not isinstance(value, bool)


def switch(name: str, value: object) -> bool:
    """`value`, which is True or False. Raises TypeError for anything else."""
    if not isinstance(value, bool):
        raise TypeError(f"{name} must be True or False, got {shown(value)}")
    return value


def one_of(name: str, value: object, allowed: Collection[str]) -> str:
    """`value`, which is one of these texts. Raises ValueError for anything else."""
    if not isinstance(value, str) or value not in allowed:
        raise ValueError(f"{name} must be one of {listed(allowed)}, got {shown(value)}")
    return value


def finite(value: object) -> bool:
    """Whether `value` is a number that is neither endless nor nan; True and False are none."""
    try:
        return not isinstance(value, bool | str) and math.isfinite(value)  # type: ignore[arg-type]
    except (TypeError, OverflowError):
        return False


def items(name: str, value: object, length: int | None = None) -> list[Any]:
    """What a list, a tuple or an array holds, in its order: `length` things. Raises TypeError or ValueError."""
    plain = isinstance(value, Sequence) or hasattr(value, "__array__")
    if not plain or isinstance(value, str | bytes | Mapping | Set):
        raise TypeError(f"{name} must be a list, got {shown(value)}")
    if length is not None and len(value) != length:  # type: ignore[arg-type]
        raise ValueError(f"{name} must have {length} entries, got {len(value)}")  # type: ignore[arg-type]
    return list(value)  # type: ignore[call-overload,no-any-return]


# ---- What was saved ----


def record(name: str, value: object, keys: Iterable[str], optional: Iterable[str] = ()) -> Mapping[str, Any]:
    """`value`, a mapping with just these keys and any of the optional ones. Raises TypeError or ValueError."""
    keys = tuple(keys)
    if not isinstance(value, Mapping):
        raise TypeError(f"{name} must be an object, got {shown(value)}")
    if lacking := [key for key in keys if key not in value]:
        raise ValueError(f"{name} lacks {', '.join(sorted(lacking))}")
    if unknown := [key for key in value if key not in (*keys, *optional)]:
        raise ValueError(f"{name} has {listed(unknown)}, which means nothing here")
    return value


def parse(words: str | bytes) -> Any:
    """The data that a saved file holds. Raises ValueError where it is not JSON, or says a thing twice."""
    try:
        return json.loads(words, object_pairs_hook=_once, parse_constant=_no_number)
    except UnicodeDecodeError:
        raise
    except (ValueError, RecursionError) as error:
        raise ValueError(f"not JSON: {error}") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(f"{shown(name)} is there twice")
        found[name] = value
    return found


def _no_number(words: str) -> None:
    raise ValueError(f"{words} is no number")


def load(path: str | PathLike[str], read: Callable[[Any], Read]) -> Read:
    """What `read` makes of the data in a JSON file. Raises ValueError, naming the file; OSError where there is none."""
    named = cut(str(path), 250)
    try:
        # Some editors put a byte order mark in front, which utf-8-sig skips.
        return read(parse(Path(path).read_text(encoding="utf-8-sig")))
    except UnicodeDecodeError:
        raise ValueError(f"{named} is not a text file") from None
    except ValueError as error:
        raise ValueError(f"{named}: {error}") from None
    except OSError as error:
        raise type(error)(error.errno, error.strerror, named) from None
