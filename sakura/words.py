"""Small words, shared by everything that speaks to a person at the table."""

from .round import Event


def who(seat: int | None, you: int) -> str:
    """A seat, as it is called to the one who sits on seat `you`: "You", or "Seat 3"."""
    return "You" if seat == you else f"Seat {seat}"


def told(event: Event, you: int) -> str:
    """An event in the log's words, with "you" for the seat of the one whom it is told to."""
    words, mine = str(event), f"Seat {you}"
    if event.seat != you:
        return words
    if words.startswith(f"{mine}'s "):
        return "Your " + words.removeprefix(f"{mine}'s ")
    verb, rest = words.removeprefix(f"{mine} ").split(" ", 1)
    return f"You {'are' if verb == 'is' else verb.removesuffix('s')} {rest}"


def signed(number: int) -> str:
    """A number, with a proper minus."""
    return str(number).replace("-", "−")


def change(number: int) -> str:
    """What is added or taken away: "+50", "−50" or "0"."""
    return f"{number:+}".replace("-", "−") if number else "0"
