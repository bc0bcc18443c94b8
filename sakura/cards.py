"""The 48 cards, read from `data/cards.csv`, and sets of them.

A card is known by its id, `4 * (month - 1) + position`. A *card set* is an integer with bit `id` set for every card in
it: quick to compare, and the same thing in plain Python and in compiled code.
"""

import csv
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple, Self

from .bits import lowest, popcount
from .checks import is_whole, shown

LANGUAGES = ("en", "ja", "romaji", "fr", "hawaii")
KINDS = ("bright", "ribbon", "animal", "plain")

_HERE = Path(__file__).resolve().parent
# Installed, the tables lie inside the package; in a checkout, beside it.
DATA = _HERE / "data" if (_HERE / "data").is_dir() else _HERE.parent / "data"


def read_table(name: str) -> list[dict[str, str]]:
    """The rows of `data/<name>.csv`. Raises FileNotFoundError where the data folder is missing."""
    with open(DATA / f"{name}.csv", encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


_ROWS = read_table("cards")


class Card(NamedTuple):
    """One card of the deck. `month` is 1 to 12, `points` 20, 10, 5 or 0, `kind` one of `KINDS`."""

    id: int
    month: int
    suit: str
    kind: str
    points: int
    name: str

    def __str__(self) -> str:
        return self.name

    def name_in(self, language: str) -> str:
        """The card's name in one of `LANGUAGES`; where Hawaii has no name of its own, the English one."""
        return _translated("name", self.id, language)

    def suit_in(self, language: str) -> str:
        """The suit's name in one of `LANGUAGES`; where Hawaii has no name of its own, the English one."""
        return _translated("suit", self.id, language)

    def _repr_svg_(self) -> str:
        # Art stands on the cards, and `import sakura` should not wait for it.
        from .art import card_svg

        return card_svg(self.id, width=90)

    def _repr_html_(self) -> str:
        from .art.page import card_html

        return card_html(self.id)


def _translated(column: str, card: int, language: str) -> str:
    if language not in LANGUAGES:
        raise ValueError(f"language must be one of {', '.join(LANGUAGES)}, got {shown(language)}")
    row = _ROWS[card]
    return (row[f"{column}_{language}"] if language != "en" else "") or row[column]


CARDS: tuple[Card, ...] = tuple(
    Card(int(r["id"]), int(r["month"]), r["suit"], r["kind"], int(r["points"]), r["name"]) for r in _ROWS
)
DECK_SIZE = len(CARDS)
FULL_DECK = (1 << DECK_SIZE) - 1


def card_set(ids: Iterable[int]) -> int:
    """The card set that holds these ids (0 to 47)."""
    cards = 0
    for card in ids:
        if not is_whole(card) or not 0 <= card < DECK_SIZE:
            raise ValueError(f"a card is 0 to {DECK_SIZE - 1}, got {shown(card)}")
        cards |= 1 << card
    return cards


def cards_in(cards: int) -> tuple[int, ...]:
    """The ids in a card set, ascending."""
    ids = []
    while cards:
        ids.append(lowest(cards))
        cards &= cards - 1
    return tuple(ids)


def names(cards: Iterable[int]) -> str:
    """Cards in words: "Moon, Geese and Susuki plain 1"; "no card" for none."""
    words = [CARDS[card].name for card in cards]
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:]))) or "no card"


class Cards(frozenset[int]):
    """A frozenset of card ids, equal to any other of the same ids: a notebook shows the cards, `str` gives their names.

    Raises ValueError for an id that is not 0 to 47.
    """

    __slots__ = ()

    def __new__(cls, ids: Iterable[int] = ()) -> Self:
        cards = super().__new__(cls, ids)
        card_set(cards)
        return cards

    def __str__(self) -> str:
        return names(sorted(self))

    def _repr_html_(self) -> str:
        # Art stands on the cards, and `import sakura` should not wait for it.
        from .art.page import cards_html

        return cards_html(self)


# Card sets by face value, dearest first: ((20, brights), (10, ribbons), (5, animals)).
POINT_SETS: tuple[tuple[int, int], ...] = tuple(
    (value, card_set(c.id for c in CARDS if c.points == value))
    for value in sorted({c.points for c in CARDS} - {0}, reverse=True)
)
POINT_CARDS = card_set(c.id for c in CARDS if c.points)


def points(cards: int) -> int:
    """The face value of a card set: 20 a bright, 10 a ribbon, 5 an animal. Also callable from compiled strategies."""
    total = 0
    for value, valued in POINT_SETS:
        total += value * popcount(cards & valued)
    return total
