"""What people ask of a set of cards, in whatever form they have it: an int as observations hold it, a `Cards` or other
set of ids as rounds do, a number of numpy's as results do.

Compiled code and the engine have ints only, and ask `sakura.cards` and `sakura.yaku` themselves.
"""

import operator
from collections.abc import Iterable
from typing import SupportsIndex

from . import cards as of_ints
from . import yaku
from .cards import DECK_SIZE, FULL_DECK
from .checks import shown

CardSet = SupportsIndex | Iterable[int]


def card_set(cards: CardSet) -> int:
    """A set of cards, in any form, as an int: bit `id` set for every card in it.

    Raises ValueError where there is no such card, TypeError for what is no set of cards.
    """
    if type(cards) is int and 0 <= cards <= FULL_DECK:
        return cards
    try:
        if isinstance(cards, Iterable):
            return of_ints.card_set(map(operator.index, cards))
        number = operator.index(cards)
    except TypeError:
        raise TypeError(f"a card set is a number, or the ids of its cards, got {shown(cards)}") from None
    if not 0 <= number <= FULL_DECK:
        raise ValueError(
            f"a card set is a number below 2**{DECK_SIZE}, or the ids of its cards, got {shown(number, hex)}"
        )
    return number


def points(cards: CardSet) -> int:
    """The face value of a card set: 20 a bright, 10 a ribbon, 5 an animal. Also callable from compiled strategies."""
    return of_ints.points(card_set(cards))


def completed(cards: CardSet) -> int:
    """The yaku a card set holds, as bits: bit `k` set for `YAKU[k]`. Also callable from compiled strategies."""
    return yaku.completed(card_set(cards))


def cards_in(cards: CardSet) -> tuple[int, ...]:
    """The ids in a card set, ascending."""
    return of_ints.cards_in(card_set(cards))
