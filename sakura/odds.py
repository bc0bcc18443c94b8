"""Exact odds of the deal, by counting.

All deals are equally likely, so a chance is a number of deals over the number of all, kept as an exact fraction. Most
questions ask how a hand and the field share out the suits. `every_suit` answers them by multiplying polynomials, one
for each suit: the coefficient of x^a y^b says in how many ways *a* of its cards can be in the hand and *b* on the
field. In the product the coefficient of x^hand y^field counts the deals; leaving terms out leaves deals out. (Wilf,
*generatingfunctionology*, 1990. For one group of cards it is the hypergeometric distribution.)

What is said of a hand holds for each of them: no seat is dealt otherwise than another. The chances are those of the
cards as dealt, before four of a suit on the field go to the dealer or bring a new deal. With those rules of 2 to 7
players, or any other deal, as in `Rules(players=2, hand=10)`.

    >>> from sakura import Rules, odds
    >>> odds.suit_on_field(Rules(players=2), 4)
    Fraction(8227, 1905803)
"""

import math
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING

from .cards import CARDS
from .checks import one_of, whole
from .engine import SUIT_SIZE
from .rules import MAX_PLAYERS, MIN_PLAYERS, Rules
from .yaku import YAKU, Yaku

if TYPE_CHECKING:
    import pandas as pd

PLACES = ("one hand", "a hand", "field", "pile", "dead")


def every_suit(rules: Rules, fits: Callable[[int, int], bool]) -> Fraction:
    """The chance that `fits(a, b)` for every suit, of which *a* cards are in one hand and *b* on the field.

    A suit of four can send *a* cards to the hand and *b* to the field in 4! / (a! b! (4 - a - b)!) ways.
    """
    suit = {
        (a, b): math.comb(SUIT_SIZE, a) * math.comb(SUIT_SIZE - a, b)
        for a in range(SUIT_SIZE + 1)
        for b in range(SUIT_SIZE + 1 - a)
        if fits(a, b)
    }
    ways = Counter({(0, 0): 1})
    for _ in range(len(CARDS) // SUIT_SIZE):
        longer: Counter[tuple[int, int]] = Counter()
        for (hand, field), n in ways.items():
            for (a, b), m in suit.items():
                if hand + a <= rules.hand and field + b <= rules.field:
                    longer[hand + a, field + b] += n * m
        ways = longer
    deals = math.comb(len(CARDS), rules.hand) * math.comb(len(CARDS) - rules.hand, rules.field)
    return Fraction(ways[rules.hand, rules.field], deals)


def suit_on_field(rules: Rules, count: int) -> Fraction:
    """The chance that the field is dealt at least `count` (2, 3 or 4) cards of some suit.

    All deals but those with fewer of every suit. For four it is the inclusion-exclusion sum over the suits that lie
    there whole, of (-1)^(i + 1) C(12, i) C(48 - 4i, field - 4i) / C(48, field) for i = 1, 2, ...
    """
    whole("count", count, 2, SUIT_SIZE + 1)
    return 1 - every_suit(rules, lambda a, b: b < count)


def hiki_in_hand(rules: Rules) -> Fraction:
    """The chance that a hand is dealt all four cards of some suit: all deals but those with fewer of every suit."""
    return 1 - every_suit(rules, lambda a, b: a < SUIT_SIZE)


def hiki_with_field(rules: Rules) -> Fraction:
    """The chance that a hand and the field together are dealt all four cards of some suit, at least one in the hand.

    With one in the hand and three on the field it is a card that captures the other three, which is as good.
    """
    return 1 - every_suit(rules, lambda a, b: a == 0 or a + b < SUIT_SIZE)


def no_match(rules: Rules) -> Fraction:
    """The chance that no card of a hand matches any on the field: every suit is in one of the two places at most.

    A Lightning that is wild matches all the same.
    """
    return every_suit(rules, lambda a, b: a == 0 or b == 0)


def matches(rules: Rules) -> Fraction:
    """How many cards of a hand match one on the field, on average: a number of cards, 0 to `hand`.

    Each of them does unless the field misses the three others of its suit, with chance C(44, field) / C(47, field). An
    average of a sum is the sum of the averages, whatever the cards have to do with each other.
    """
    cards = len(CARDS)
    missed = Fraction(math.comb(cards - SUIT_SIZE, rules.field), math.comb(cards - 1, rules.field))
    return rules.hand * (1 - missed)


def hand_points(rules: Rules) -> dict[int, Fraction]:
    """The chance of each number of points in a hand as dealt, by points, ascending; of those that can be.

    The coefficients of x^hand t^points in the product of (1 + x t^value) over all cards, over C(48, hand).
    """
    ways = Counter({(0, 0): 1})
    for card in CARDS:
        with_it = Counter({(n + 1, p + card.points): w for (n, p), w in ways.items() if n < rules.hand})
        ways = ways + with_it
    deals = math.comb(len(CARDS), rules.hand)
    return {p: Fraction(w, deals) for (n, p), w in sorted(ways.items()) if n == rules.hand}


def mean_points(rules: Rules) -> Fraction:
    """The points in a hand as dealt, on average: `hand` cards of 240 / 48 points each."""
    return Fraction(rules.hand * sum(card.points for card in CARDS), len(CARDS))


def points_variance(rules: Rules) -> Fraction:
    """The variance of the points in a hand as dealt, in points squared; its root is the standard deviation.

    That of `hand` cards drawn one by one from N without putting back: hand (N - hand) / (N - 1) times the variance of
    the value of one card.
    """
    cards = len(CARDS)
    mean = Fraction(sum(card.points for card in CARDS), cards)
    single = sum(((card.points - mean) ** 2 for card in CARDS), Fraction(0)) / cards
    return rules.hand * Fraction(cards - rules.hand, cards - 1) * single


def yaku_in_hand(rules: Rules, yaku: Yaku = YAKU[0]) -> Fraction:
    """The chance that a hand is dealt all cards of a yaku, the same for each: C(45, hand - 3) / C(48, hand).

    That somebody is dealt it is `players` times as likely, as no two can be.
    """
    size = len(yaku.cards)
    if rules.hand < size:
        return Fraction(0)
    return Fraction(math.comb(len(CARDS) - size, rules.hand - size), math.comb(len(CARDS), rules.hand))


def yaku_alive(rules: Rules, yaku: Yaku = YAKU[0]) -> Fraction:
    """The chance that no card of a yaku is dead, in a round without hikis: C(45, dead) / C(48, dead), for each of them.

    A yaku of which a card is dead cannot be made by anybody.
    """
    size = len(yaku.cards)
    return Fraction(math.comb(len(CARDS) - size, rules.dead), math.comb(len(CARDS), rules.dead))


def lightning(rules: Rules, place: str) -> Fraction:
    """The chance that the Lightning, or any other single card, is dealt to a place: as many cards of 48 as it has.

    place: "one hand", a certain one; "a hand", anybody's; "field"; "pile"; or "dead", the part of the pile that is
    never turned up, in a round without hikis. Raises ValueError for another.
    """
    sizes = (rules.hand, rules.players * rules.hand, rules.field, rules.pile, rules.dead)
    return Fraction(sizes[PLACES.index(one_of("place", place, PLACES))], len(CARDS))


def unseen_in_pile(rules: Rules, turns: int = 0) -> Fraction:
    """The chance that a card which the seat to move has not seen is in the pile, after so many turns without a hiki.

    What it has not seen is in the pile or in other hands, and any of it is as likely to be the card as any other:
    pile / (pile + other hands). The seat itself has played a card for each round of the table that is over. After the
    first turn that is so only as far as what the others played tells nothing: a card that they would have played first
    is in the pile rather more often.
    """
    whole("turns", turns, 0, rules.players * rules.hand)
    pile = max(0, rules.pile - turns)
    own = rules.hand - turns // rules.players
    return Fraction(pile, pile + rules.players * rules.hand - turns - own)


def table(odds: Callable[..., Fraction], *asked: object) -> "pd.DataFrame":
    """A chance or a mean of those above for 2 to 7 players by the usual deal: `exact` Fractions and float `value`s.

    `odds` is the function, `asked` what it takes after the rules, as in `table(suit_on_field, 4)`.
    """
    import pandas as pd

    players = range(MIN_PLAYERS, MAX_PLAYERS + 1)
    exact = [odds(Rules(players=n), *asked) for n in players]
    return pd.DataFrame({"exact": exact, "value": list(map(float, exact))}, index=pd.Index(players, name="players"))
