"""Mixing the pack: how it lies after a round, how people shuffle it, and how the deal turns it into hands and a field.

Packs are uint8 arrays (packs, cards): a row is a pack, its top card first. Whatever is left to chance comes from the
`numpy.random.Generator` that is passed in. `fair` packs are the measure of all others: for them `expected` has the
exact odds of what `counted` counts.

    >>> import numpy as np, sakura
    >>> from sakura import shuffles
    >>> rng = np.random.default_rng(1)
    >>> packs = shuffles.gathered(sakura.simulate(1000), rng)
    >>> dealt = shuffles.deal(shuffles.riffle(packs, rng, times=3), sakura.Rules())

How real hands mix is a model: the riffle's is well tested (Diaconis 1988), the others are simple.
"""

import math
from collections.abc import Iterable
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from . import engine, odds
from .cards import CARDS, DECK_SIZE, KINDS
from .checks import finite, one_of, shown, whole
from .results import Results
from .round import Round
from .rules import Rules
from .simulate import Deals
from .yaku import YAKU_SETS

Packs = npt.NDArray[np.uint8]

ORDERS = ("by suit", "by kind")
WAYS = ("two passes", "one pass", "card by card")

# Cards in a packet of `overhand`, where nothing else is said: some nine packets in a pack.
PACKET = 6

_SUIT = np.arange(DECK_SIZE) // engine.SUIT_SIZE
_KIND = np.array([KINDS.index(card.kind) for card in CARDS])
_CARD_SETS = np.uint64(1) << np.arange(DECK_SIZE, dtype=np.uint64)
_SUIT_SETS = np.array([engine.suit_of(card) for card in range(0, DECK_SIZE, engine.SUIT_SIZE)], np.uint64)
_YAKU_SETS = np.array(YAKU_SETS, np.uint64)


# ---- Packs before they are shuffled ----


def fair(packs: int, rng: np.random.Generator) -> Packs:
    """So many packs of 48 (packs, 48), every order equally likely."""
    sorted_packs = np.tile(np.arange(DECK_SIZE, dtype=np.uint8), (whole("packs", packs, 0), 1))
    return rng.permuted(sorted_packs, axis=1)


def gathered(results: Results, rng: np.random.Generator, order: str = "by suit") -> Packs:
    """The pack (rounds, 48) after each of these rounds: the captured cards of each side, and what nobody captured, one
    heap on the other, as chance has it.

    order: how captured cards lie. "by suit": suit by suit, as they are captured, two or four of a suit at a time; "by
    kind": as players lay them out to see what they have, first the brights, then ribbons, animals and plain cards.
    Within a suit or a kind they lie as chance has it, and so do the cards that nobody captured.

    Raises ValueError for another order.
    """
    _check_order(order)
    rounds, sides = results.captured.shape
    owner = np.full((rounds, DECK_SIZE), sides)
    for side in range(sides):
        owner[(results.captured[:, side, None] & _CARD_SETS) != 0] = side
    heap = np.take_along_axis(rng.random((rounds, sides + 1)), owner, axis=1)
    if order == "by kind":
        group = np.broadcast_to(_KIND.astype(float), heap.shape)
    else:
        # Every heap has its own order of suits.
        group = rng.random((rounds, sides + 1, len(_SUIT_SETS)))[np.arange(rounds)[:, None], owner, _SUIT]
    group = np.where(owner == sides, 0.0, group)
    return np.lexsort((rng.random(heap.shape), group, heap)).astype(np.uint8)


def as_captured(rounds: Iterable[Round], rng: np.random.Generator, order: str = "by suit") -> Packs:
    """What `gathered` gives, but with captured cards in the order of their capture, which a round's log knows.

    order: "by suit" leaves them so, what was captured together lying together; "by kind" is what players make of it
    who lay out each capture by kind. It is slow, as rounds with a log are.

    Raises ValueError for another order, or a round that is not over.
    """
    _check_order(order)
    packs = []
    for rnd in rounds:
        if not rnd.is_terminal:
            raise ValueError(f"cards are gathered when the round is over, got {shown(rnd)}")
        heaps: list[list[int]] = [[] for _ in range(rnd.rules.sides)]
        for event in rnd.log:
            if event.kind in ("captured", "lightning took", "swept") and event.seat is not None:
                heaps[rnd.rules.side_of(event.seat)] += event.cards
        rest = sorted(set(rnd.deck).difference(*heaps))
        if order == "by kind":
            heaps = [sorted(heap, key=_KIND.__getitem__) for heap in heaps]
        heaps.append([int(card) for card in rng.permutation(rest)])
        packs.append([card for heap in rng.permutation(len(heaps)) for card in heaps[heap]])
    return np.array(packs, np.uint8).reshape(-1, DECK_SIZE)


def _check_order(order: str) -> None:
    one_of("order", order, ORDERS)


# ---- Shuffles ----


def riffle(packs: Packs, rng: np.random.Generator, times: int = 1) -> Packs:
    """Riffle each pack so many times: cut it in two packets and let their cards drop into one another.

    The model of Gilbert, Shannon and Reeds: the upper packet has a binomial number of cards, and the next card drops
    from a packet in proportion to its size. Then every way of marking the places of the new pack "from the upper" or
    "from the lower packet" is equally likely (Bayer and Diaconis 1992). So a random bit for each place is a riffle:
    the places marked 0 take the old pack's first cards in their order, those marked 1 the others.
    """
    packs = _checked(packs)
    for _ in range(whole("times", times, 0)):
        # A stable sort lists the places marked 0, then those marked 1: where the old first, second ... card goes.
        places = np.argsort(rng.integers(0, 2, packs.shape, np.uint8), axis=1, kind="stable")
        riffled = np.empty_like(packs)
        np.put_along_axis(riffled, places, packs, axis=1)
        packs = riffled
    return packs


def overhand(packs: Packs, rng: np.random.Generator, times: int = 1, packet: float = PACKET) -> Packs:
    """Shuffle each pack overhand so many times: small packets leave its top one by one and come down on each other.

    The model of Pemantle (1989): between any two neighbours the pack is parted with the same chance, 1 / `packet`, and
    the order of the packets is turned round. `packet` is their mean size, but for the ends of the pack; at least 1.
    """
    packs = _checked(packs)
    if not (packet == math.inf or (finite(packet) and packet >= 1)):
        raise ValueError(f"packet must be a mean size of at least 1 card, got {shown(packet)}")
    for _ in range(whole("times", times, 0)):
        parted = rng.random(packs.shape) < 1 / packet
        parted[:, :1] = False
        # The last packet first, and within a packet the cards as they were.
        places = np.argsort(-np.cumsum(parted, axis=1, dtype=np.int8), axis=1, kind="stable")
        packs = np.take_along_axis(packs, places, axis=1)
    return packs


def smoosh(packs: Packs, rng: np.random.Generator, reach: float) -> Packs:
    """Smoosh each pack: spread on the table, stirred with both hands, and gathered.

    A model of our own, the simplest one with a dial: every card is pushed up or down the pack by a normal number of
    places with standard deviation `reach`, and the cards are gathered in the order in which they come to lie. 0 leaves
    all as it is; the larger, the fairer. (Diaconis and Pal 2017 have cards move on a plane.)
    """
    packs = _checked(packs)
    if not (finite(reach) and reach >= 0):
        raise ValueError(f"reach must be a number of places, at least 0, got {shown(reach)}")
    lie = np.arange(packs.shape[1]) + reach * rng.standard_normal(packs.shape)
    return np.take_along_axis(packs, np.argsort(lie, axis=1), axis=1)


def cut(packs: Packs, rng: np.random.Generator) -> Packs:
    """Cut each pack once: an upper part, of any size that leaves a lower part, goes under it."""
    packs = _checked(packs)
    cards = packs.shape[1]
    upper = rng.integers(1, cards, (len(packs), 1))
    return np.take_along_axis(packs, (np.arange(cards) + upper) % cards, axis=1)


def _checked(packs: npt.ArrayLike, least: int = 2) -> Packs:
    """The packs, of at least so many cards, as they should be. Raises ValueError or TypeError where they are not."""
    given = np.asarray(packs)
    if given.dtype.kind not in "iu":
        raise TypeError(f"packs must be whole numbers, the ids of cards, got {given.dtype}")
    if given.ndim != 2 or not least <= given.shape[1] <= DECK_SIZE:
        width = f"{least} to {DECK_SIZE}" if least < DECK_SIZE else f"{DECK_SIZE}"
        raise ValueError(f"packs must have the shape (packs, {width}), a row for each pack, got {given.shape}")
    cards = given.shape[1]
    # As card sets, where 63 stands for all that are no ids; a negative number has become a very large one.
    held = np.bitwise_or.reduce(np.uint64(1) << np.minimum(given.astype(np.uint64), 63), axis=1)
    wrong = np.flatnonzero(held != (1 << cards) - 1)
    if len(wrong):
        raise ValueError(f"a pack of {cards} has each id from 0 to {cards - 1} once; row {wrong[0]} has not")
    return given.astype(np.uint8)


# ---- How far from fair are riffles? ----


def riffle_chance(rising: int, times: int, cards: int = DECK_SIZE) -> Fraction:
    """The chance of any one order with so many rising sequences, after so many riffles of a pack of so many cards.

    C(2^times + cards - rising, cards) / 2^(times cards) (Bayer and Diaconis 1992). A rising sequence is a run of cards
    that were neighbours in the old pack, in their order, with others between them: 1 where nothing was done, `cards`
    where the pack is turned round.
    """
    whole("cards", cards, 1)
    whole("rising", rising, 1, cards + 1)
    parts = 2 ** whole("times", times, 0)
    return Fraction(math.comb(parts + cards - rising, cards), parts**cards)


def riffle_distance(times: int, cards: int = DECK_SIZE) -> Fraction:
    """How far a pack that was riffled so many times is from fair: the total variation distance, 0 to 1.

    No bet of any kind on the order of the pack has a chance that differs from the fair one by more than this; and for
    some bet it does. Half the sum over all orders of how much their chances differ from 1 / cards!; the Eulerian
    numbers say how many orders have how many rising sequences (Bayer and Diaconis 1992).
    """
    orders = [1]
    for n in range(2, whole("cards", cards, 1) + 1):
        longer = [*orders, 0]
        orders = [(k + 1) * longer[k] + (n - k) * (orders[k - 1] if k else 0) for k in range(n)]
    even = Fraction(1, math.factorial(cards))
    return sum((n * abs(riffle_chance(k + 1, times, cards) - even) for k, n in enumerate(orders)), Fraction(0)) / 2


# ---- Dealing a given pack, and what was dealt ----


def packets(rules: Rules, dealer: int = 0, way: str = "two passes") -> list[tuple[int, int]]:
    """Where the pack goes from its top: (place, cards) for one packet after the other.

    A place is a seat, or -1 for the field. way: "two passes", the game's own (`engine.packet`); or ways that are not,
    to compare with: "one pass" serves the same places in the same order with all their cards at once; "card by card",
    one card each, round after round, until each has its number.

    Raises ValueError for another way, or a dealer who does not sit at the table.
    """
    dealer = whole("dealer", dealer, 0, rules.players)
    one_of("way", way, WAYS)
    served = range(rules.players + 1)
    halves = [[engine.packet(rules.numbers(), dealer, half, n) for n in served] for half in range(2)]
    places = [-1 if place == engine.FIELD else place - engine.HANDS for place, _ in halves[0]]
    if way == "two passes":
        return [(place, size) for half in halves for place, (_, size) in zip(places, half, strict=True)]
    sizes = [first + second for (_, first), (_, second) in zip(*halves, strict=True)]
    if way == "one pass":
        return list(zip(places, sizes, strict=True))
    return [(places[n], 1) for card in range(max(sizes)) for n in served if card < sizes[n]]


def deal(packs: Packs, rules: Rules, dealer: int = 0, way: str = "two passes") -> Deals:
    """Deal each pack (packs, 48): `hands` uint64 (packs, players) and `field` uint64 (packs,), as card sets.

    The cards are those dealt, before four of a suit on the field go to the dealer or bring another deal. `way` and
    errors are those of `packets`.
    """
    sets = _CARD_SETS[_checked(packs, least=DECK_SIZE)]
    hands = np.zeros((len(sets), rules.players), np.uint64)
    field = np.zeros(len(sets), np.uint64)
    top = 0
    for place, size in packets(rules, dealer, way):
        cards = np.bitwise_or.reduce(sets[:, top : top + size], axis=1, initial=0)
        if place < 0:
            field |= cards
        else:
            hands[:, place] |= cards
        top += size
    return Deals(hands, field)


def counted(dealt: Deals) -> dict[str, npt.NDArray[np.float64]]:
    """What each deal holds of the things that `expected` has the odds of, as float shares from 0 to 1.

    Things on the field have the shape (deals, 1), things in the hands (deals, players). Most shares are 0 or 1; "a card
    that matches" is the share of a hand's cards that match one on the field, "a given yaku in a hand" the share of the
    eight yaku that a hand holds.
    """
    on_field, in_hand = _in_suits(dealt.field[:, None]), _in_suits(dealt.hands)
    most_on_field, most_in_hand = on_field.max(axis=0), in_hand.max(axis=0)
    matching = (in_hand * (on_field > 0)).sum(axis=0, dtype=np.uint8)
    yaku = [(dealt.hands & cards) == cards for cards in _YAKU_SETS]
    found = {
        "two of a suit on the field": most_on_field >= 2,
        "three of a suit on the field": most_on_field >= 3,
        "four of a suit on the field": most_on_field == 4,
        "two of a suit in a hand": most_in_hand >= 2,
        "three of a suit in a hand": most_in_hand >= 3,
        "a hiki in a hand": most_in_hand == 4,
        "a hiki with the field": ((in_hand > 0) & (in_hand + on_field == 4)).any(axis=0),
        "a card that matches": matching / np.maximum(np.bitwise_count(dealt.hands), 1),
        "no match at all": matching == 0,
        "a given yaku in a hand": np.mean(yaku, axis=0),
    }
    return {what: shares.astype(np.float64) for what, shares in found.items()}


def expected(rules: Rules) -> dict[str, Fraction]:
    """The exact odds, with fair packs, of what `counted` counts, under the same names (`sakura.odds`)."""
    return {
        "two of a suit on the field": odds.suit_on_field(rules, 2),
        "three of a suit on the field": odds.suit_on_field(rules, 3),
        "four of a suit on the field": odds.suit_on_field(rules, 4),
        "two of a suit in a hand": 1 - odds.every_suit(rules, lambda a, b: a < 2),
        "three of a suit in a hand": 1 - odds.every_suit(rules, lambda a, b: a < 3),
        "a hiki in a hand": odds.hiki_in_hand(rules),
        "a hiki with the field": odds.hiki_with_field(rules),
        "a card that matches": odds.matches(rules) / rules.hand,
        "no match at all": odds.no_match(rules),
        "a given yaku in a hand": odds.yaku_in_hand(rules),
    }


def _in_suits(cards: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint8]:
    """How many cards of each suit are in these card sets, with a first axis of twelve."""
    counts: npt.NDArray[np.uint8] = np.bitwise_count(cards & _SUIT_SETS[:, None, None])
    return counts
