"""Checks of arguments, shared by everything that people call."""

import operator


def whole(name: str, value: object, least: int, below: int | None = None) -> int:
    """`value` as an int. Raises TypeError unless it is a whole number, ValueError unless least <= value < below."""
    try:
        if isinstance(value, bool):
            raise TypeError
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"{name} must be a whole number, got {value!r}") from None
    if number < least or (below is not None and number >= below):
        wanted = f"at least {least}" if below is None else f"{least} to {below - 1}"
        raise ValueError(f"{name} must be {wanted}, got {number}")
    return number
