"""Mixing the pack: each shuffle against its exact chances on a small pack, the deal against `Round`, counts by hand."""

import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy.special import ndtr

from helpers import PINE, PLUM
from sakura import CARDS, Cards, Round, Rules, card_set, cards_in, shuffles, simulate, stats
from sakura.shuffles import Packs
from sakura.simulate import Deals

Order = tuple[int, ...]
Shuffle = Callable[[Packs, np.random.Generator], Packs]

TIMES = 40_000
SHUFFLES: dict[str, Shuffle] = {
    "riffle": lambda packs, rng: shuffles.riffle(packs, rng, 2),
    "overhand": lambda packs, rng: shuffles.overhand(packs, rng, 2),
    "smoosh": lambda packs, rng: shuffles.smoosh(packs, rng, 5),
    "cut": shuffles.cut,
}


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(14)


def pack_of(cards: int, times: int = TIMES) -> Packs:
    return np.tile(np.arange(cards, dtype=np.uint8), (times, 1))


def agrees(packs: Packs, chances: dict[Order, float]) -> None:
    """Whether the orders of many small packs are as frequent as their chances, and there are no others."""
    assert math.isclose(sum(chances.values()), 1)
    seen = Counter(tuple(row) for row in packs.tolist())
    assert seen.keys() <= chances.keys()
    sure = stats.simultaneous(len(chances), 0.999)
    for order, chance in chances.items():
        found = stats.proportion(seen[order], len(packs), sure)
        assert found.low <= chance <= found.high, order


# ---- Shuffles ----


def riffles_of(cards: int) -> dict[Order, Fraction]:
    """One riffle by its definition: a binomial cut, then each way to drop the packets into one another."""
    chances: dict[Order, Fraction] = {}
    for upper in range(cards + 1):
        ways = list(itertools.combinations(range(cards), upper))
        for places in ways:
            order = list(range(upper, cards))
            for card, place in enumerate(places):
                order.insert(place, card)
            chance = Fraction(math.comb(cards, upper), 2**cards) / len(ways)
            chances[tuple(order)] = chances.get(tuple(order), Fraction(0)) + chance
    return chances


def twice(chances: dict[Order, Fraction]) -> dict[Order, Fraction]:
    done: dict[Order, Fraction] = {}
    for (first, p), (second, q) in itertools.product(chances.items(), repeat=2):
        order = tuple(first[place] for place in second)
        done[order] = done.get(order, Fraction(0)) + p * q
    return done


def rising_sequences(order: Order) -> int:
    return 1 + sum(order.index(card + 1) < order.index(card) for card in range(len(order) - 1))


def test_riffles_of_four_cards(rng: np.random.Generator) -> None:
    once = riffles_of(4)
    for times, chances in ((1, once), (2, twice(once))):
        agrees(shuffles.riffle(pack_of(4), rng, times), {order: float(p) for order, p in chances.items()})
        for order in itertools.permutations(range(4)):
            assert shuffles.riffle_chance(rising_sequences(order), times, 4) == chances.get(order, 0)


def test_the_distance_of_riffles_from_fair() -> None:
    once = riffles_of(4)
    orders = list(itertools.permutations(range(4)))
    for times, chances in ((0, {orders[0]: Fraction(1)}), (1, once), (2, twice(once))):
        apart = sum(abs(chances.get(order, Fraction(0)) - Fraction(1, 24)) for order in orders) / 2
        assert shuffles.riffle_distance(times, 4) == apart
    assert shuffles.riffle_distance(3, 1) == 0
    # As Bayer and Diaconis print them, for 52 cards and 1 to 10 riffles.
    known = [1.000, 1.000, 1.000, 1.000, 0.924, 0.614, 0.334, 0.167, 0.085, 0.043]
    assert [round(float(shuffles.riffle_distance(times, 52)), 3) for times in range(1, 11)] == known


def test_overhand_with_three_cards(rng: np.random.Generator) -> None:
    part = 1 / 3
    once: dict[Order, float] = {
        (0, 1, 2): (1 - part) ** 2,
        (2, 0, 1): part * (1 - part),
        (1, 2, 0): part * (1 - part),
        (2, 1, 0): part**2,
    }
    agrees(shuffles.overhand(pack_of(3), rng, packet=3), once)
    assert (shuffles.overhand(pack_of(3, 5), rng, packet=1) == (2, 1, 0)).all()
    assert (shuffles.overhand(pack_of(3, 5), rng, packet=math.inf) == (0, 1, 2)).all()


def test_the_default_packet_of_an_overhand(rng: np.random.Generator) -> None:
    """Five packets of 25 cards, and the ends: 24 places to part it, each with a chance of a sixth."""
    shuffled = shuffles.overhand(pack_of(25), rng).astype(int)
    parted = (np.diff(shuffled, axis=1) != 1).sum(axis=1)
    found = stats.mean(parted, 0.999)
    assert found.low < 24 / 6 < found.high


def test_smooshing_two_cards(rng: np.random.Generator) -> None:
    """They change places where the difference of two normal numbers is more than 1."""
    for reach in (0.5, 3.0):
        swapped = float(ndtr(-1 / (reach * math.sqrt(2))))
        agrees(shuffles.smoosh(pack_of(2), rng, reach), {(0, 1): 1 - swapped, (1, 0): swapped})


def test_cutting_five_cards(rng: np.random.Generator) -> None:
    agrees(
        shuffles.cut(pack_of(5), rng),
        {(1, 2, 3, 4, 0): 0.25, (2, 3, 4, 0, 1): 0.25, (3, 4, 0, 1, 2): 0.25, (4, 0, 1, 2, 3): 0.25},
    )


def test_fair_packs_of_48(rng: np.random.Generator) -> None:
    packs = shuffles.fair(TIMES, rng)
    assert packs.dtype == np.uint8 and packs.shape == (TIMES, 48)
    assert (np.sort(packs[:100], axis=1) == np.arange(48)).all()
    # Where the first card lies.
    places = np.bincount(np.argwhere(packs == 0)[:, 1], minlength=48)
    assert ((places - TIMES / 48) ** 2 / (TIMES / 48)).sum() < 100


@pytest.mark.parametrize("name", SHUFFLES)
def test_a_shuffle_moves_cards_and_nothing_else(name: str, rng: np.random.Generator) -> None:
    before = shuffles.fair(200, rng)
    kept = before.copy()
    after = SHUFFLES[name](before, rng)
    assert after.shape == before.shape and after.dtype == np.uint8
    assert (np.sort(after, axis=1) == np.arange(48)).all()
    assert (before == kept).all() and (after != before).any(axis=1).mean() > 0.9
    # The same order of places for every pack would be no chance.
    moved = np.take_along_axis(np.argsort(after, axis=1), before.astype(int), axis=1)
    assert (moved != moved[0]).any()


@pytest.mark.parametrize("name", SHUFFLES)
def test_chance_is_the_generators(name: str) -> None:
    packs = pack_of(48, 50)
    first = SHUFFLES[name](packs, np.random.default_rng(3))
    np.random.seed(1)  # noqa: NPY002
    assert (SHUFFLES[name](packs, np.random.default_rng(3)) == first).all()
    assert (SHUFFLES[name](packs, np.random.default_rng(4)) != first).any()


def test_nothing_done_leaves_the_pack_as_it_is(rng: np.random.Generator) -> None:
    packs = shuffles.fair(20, rng)
    for same in (shuffles.riffle(packs, rng, 0), shuffles.overhand(packs, rng, 0), shuffles.smoosh(packs, rng, 0)):
        assert (same == packs).all()
    for shuffle in SHUFFLES.values():
        assert shuffle(packs[:0], rng).shape == (0, 48)


# ---- Packs after a round ----


def heaps_of(pack: Iterable[int], sets: Iterable[int]) -> list[list[int]]:
    """The pack taken apart into the heaps that it is made of."""
    left, heaps, remaining = list(pack), [], {cards for cards in sets if cards}
    while left:
        (heap,) = (cards for cards in remaining if cards >> left[0] & 1)
        remaining.remove(heap)
        heaps.append(left[: heap.bit_count()])
        assert card_set(heaps[-1]) == heap, "a heap is torn apart"
        del left[: heap.bit_count()]
    return heaps


def runs(values: Iterable[object]) -> int:
    return sum(1 for _ in itertools.groupby(values))


@pytest.mark.parametrize("rules", [Rules(players=2), Rules(players=4, teams=2), Rules(players=7)], ids=str)
def test_cards_are_gathered_heap_by_heap(rules: Rules, rng: np.random.Generator) -> None:
    results = simulate(300, rules, "greedy", 7)
    by_suit = shuffles.gathered(results, rng)
    by_kind = shuffles.gathered(results, rng, "by kind")
    firsts: Counter[int] = Counter()
    descents, ascents = 0, 0
    for row, captured in enumerate(results.captured.tolist()):
        rest = (1 << 48) - 1 - sum(captured)
        for heap in heaps_of(by_suit[row].tolist(), [*captured, rest]):
            if card_set(heap) != rest:
                suits = [card // 4 for card in heap]
                assert runs(suits) == len(set(suits))
                descents += suits[0] > suits[-1]
                ascents += suits[0] < suits[-1]
        for heap in heaps_of(by_kind[row].tolist(), [*captured, rest]):
            kinds = [CARDS[card].points for card in heap]
            assert card_set(heap) == rest or kinds == sorted(kinds, reverse=True)
        firsts[next((side for side, cards in enumerate(captured) if cards >> int(by_suit[row, 0]) & 1), -1)] += 1
    # Any heap may be on top, and suits come in any order.
    assert len([side for side in firsts if side >= 0]) == rules.sides
    assert max(firsts.values()) < 250
    assert descents > 100 and ascents > 100
    assert by_suit.dtype == by_kind.dtype == np.uint8


@pytest.mark.parametrize("order", shuffles.ORDERS)
def test_cards_that_nobody_captured_lie_in_any_order(order: str, rng: np.random.Generator) -> None:
    results = simulate(200, Rules(players=2), "greedy", 7)
    suits_torn, kinds_torn = 0, 0
    for pack, captured in zip(shuffles.gathered(results, rng, order).tolist(), results.captured.tolist(), strict=True):
        rest = (1 << 48) - 1 - sum(captured)
        (heap,) = (heap for heap in heaps_of(pack, [*captured, rest]) if card_set(heap) == rest)
        suits, kinds = [card // 4 for card in heap], [CARDS[card].kind for card in heap]
        suits_torn += runs(suits) > len(set(suits))
        kinds_torn += runs(kinds) > len(set(kinds))
    assert suits_torn > 100 and kinds_torn > 100


@pytest.mark.parametrize("rules", [Rules(players=2), Rules(players=4, teams=2)], ids=str)
def test_cards_lie_as_they_were_captured(rules: Rules, rng: np.random.Generator) -> None:
    rounds = [Round(rules, seed=seed, dealer=1) for seed in range(30)]
    for rnd in rounds:
        while not rnd.is_terminal:
            rnd.apply_action(rnd.choose("random"))
    assert {"captured", "lightning took", "swept"} < {event.kind for rnd in rounds for event in rnd.log}
    packs, laid_out = shuffles.as_captured(rounds, rng), shuffles.as_captured(rounds, rng, "by kind")
    assert packs.shape == laid_out.shape == (30, 48) and packs.dtype == laid_out.dtype == np.uint8
    tops = set()
    for rnd, pack, sorted_pack in zip(rounds, packs.tolist(), laid_out.tolist(), strict=True):
        gains: list[list[int]] = [[] for _ in range(rules.sides)]
        for event in rnd.log:
            if event.kind in ("captured", "lightning took", "swept"):
                gains[rules.side_of(event.seat or 0)] += event.cards
        by_kind = [sorted(gain, key=lambda card: -CARDS[card].points) for gain in gains]
        piles = [card_set(gain) for gain in gains]
        assert piles == [
            card_set(c for s in rules.seats_of(side) for c in rnd.captured[s]) for side in range(len(piles))
        ]
        sets = [*piles, (1 << 48) - 1 - sum(piles)]
        assert all(heap in gains for heap in heaps_of(pack, sets) if card_set(heap) in piles)
        assert all(heap in by_kind for heap in heaps_of(sorted_pack, sets) if card_set(heap) in piles)
        tops.add(next((side for side, pile in enumerate(piles) if pile >> pack[0] & 1), -1))
    assert tops >= set(range(rules.sides))
    assert shuffles.as_captured([], rng).shape == (0, 48)


# ---- Dealing ----

TABLES = [Rules(players=n) for n in range(2, 8)] + [Rules(players=2, hand=9, field=7), Rules(players=3, field=0)]


@pytest.mark.parametrize("rules", TABLES, ids=str)
def test_packs_are_dealt_as_a_round_deals_them(rules: Rules, rng: np.random.Generator) -> None:
    packs = shuffles.fair(4, rng)
    for dealer in range(rules.players):
        dealt = shuffles.deal(packs, rules, dealer)
        assert dealt.hands.dtype == dealt.field.dtype == np.uint64
        for row, pack in enumerate(packs.tolist()):
            rnd = Round(rules, deck=pack, dealer=dealer)
            assert [Cards(cards_in(hand)) for hand in dealt.hands[row].tolist()] == list(rnd.hands)
            assert set(cards_in(int(dealt.field[row]))) == {
                card for packet in rnd.packets if packet.seat is None for card in packet.cards
            }
        sizes = [(-1 if packet.seat is None else packet.seat, len(packet.cards)) for packet in rnd.packets]
        assert shuffles.packets(rules, dealer) == sizes


def test_four_of_a_suit_are_still_on_the_field() -> None:
    pack = [*PINE, *range(8, 16), *PLUM, *range(16, 48)]
    dealt = shuffles.deal(np.array([pack]), Rules(players=2))
    assert int(dealt.field[0]) == card_set([*PINE, *PLUM])


def test_other_ways_to_deal() -> None:
    rules = Rules(players=3, hand=3, field=2)
    assert shuffles.packets(rules, 1, "two passes") == [
        (-1, 1),
        (2, 1),
        (0, 1),
        (1, 1),
        (-1, 1),
        (2, 2),
        (0, 2),
        (1, 2),
    ]
    assert shuffles.packets(rules, 1, "one pass") == [(-1, 2), (2, 3), (0, 3), (1, 3)]
    everyone = [(-1, 1), (2, 1), (0, 1), (1, 1)]
    assert shuffles.packets(rules, 1, "card by card") == everyone + everyone + everyone[1:]
    pack = pack_of(48, 1)
    field, hands = card_set([0, 4]), [card_set([2, 6, 9]), card_set([3, 7, 10]), card_set([1, 5, 8])]
    dealt = shuffles.deal(pack, rules, 1, "card by card")
    assert dealt.field.tolist() == [field] and dealt.hands.tolist() == [hands]
    dealt = shuffles.deal(pack, rules, 1, "one pass")
    assert dealt.field.tolist() == [3] and dealt.hands.tolist() == [[card_set(range(5, 8)), card_set(range(8, 11)), 28]]


# ---- What was dealt ----


def test_one_deal_counted_by_hand() -> None:
    """Field: three Pines and a Plum. Hands: a Pine and a Plum among others; a whole suit; two of a suit and others."""
    field = card_set([1, 2, 3, 4])
    hands = [card_set([0, 5, 8, 12]), card_set([32, 33, 34, 35]), card_set([16, 17, 20, 24])]
    dealt = Deals(np.array([hands], np.uint64), np.array([field], np.uint64))
    found = {what: shares.tolist()[0] for what, shares in shuffles.counted(dealt).items()}
    assert found == {
        "two of a suit on the field": [1],
        "three of a suit on the field": [1],
        "four of a suit on the field": [0],
        "two of a suit in a hand": [0, 1, 1],
        "three of a suit in a hand": [0, 1, 0],
        "a hiki in a hand": [0, 1, 0],
        "a hiki with the field": [1, 1, 0],
        "a card that matches": [0.5, 0, 0],
        "no match at all": [0, 1, 1],
        "a given yaku in a hand": [0, 0, 0],
    }
    crane, warbler, curtain, geese = 0, 4, 8, 29
    hand = [card_set([crane, warbler, curtain, geese])]
    dealt = Deals(np.array([hand], np.uint64), np.array([card_set([28, 30, 31])], np.uint64))
    assert shuffles.counted(dealt)["a given yaku in a hand"].tolist() == [[1 / 8]]


@pytest.mark.parametrize("rules", [Rules(players=2), Rules(players=3), Rules(players=6)], ids=str)
@pytest.mark.parametrize("way", shuffles.WAYS)
def test_fair_packs_have_the_exact_odds(rules: Rules, way: str, rng: np.random.Generator) -> None:
    found = shuffles.counted(shuffles.deal(shuffles.fair(20_000, rng), rules, 1, way))
    exact = shuffles.expected(rules)
    assert found.keys() == exact.keys()
    sure = stats.simultaneous(9 * len(exact), 0.999)
    for what, chance in exact.items():
        for place in found[what].T:
            seen = stats.share(place, sure)
            assert seen.low <= chance <= seen.high, what


# ---- What cannot be done ----


def test_packs_that_are_none(rng: np.random.Generator) -> None:
    shape = r"packs must have the shape \(packs, 2 to 48\), a row for each pack, got "
    for wrong, got in ((pack_of(48, 1)[0], r"\(48,\)"), (pack_of(49, 1), r"\(1, 49\)"), (pack_of(1, 3), r"\(3, 1\)")):
        for shuffle in SHUFFLES.values():
            with pytest.raises(ValueError, match=shape + got):
                shuffle(wrong, rng)
    with pytest.raises(ValueError, match=r"packs must have the shape \(packs, 48\), .*, got \(2, 40\)"):
        shuffles.deal(pack_of(40, 2), Rules())
    for bad in (0, 48, -1, 95, 303):
        packs: Any = pack_of(48, 3).astype(int)
        packs[2, 47] = bad
        with pytest.raises(ValueError, match="a pack of 48 has each id from 0 to 47 once; row 2 has not"):
            shuffles.riffle(packs, rng)
    with pytest.raises(TypeError, match="packs must be whole numbers, the ids of cards, got float64"):
        shuffles.cut(pack_of(48, 1).astype(float), rng)


def test_arguments_that_make_no_sense(rng: np.random.Generator) -> None:
    packs = pack_of(48, 1)
    for call, message in (
        (lambda: shuffles.riffle(packs, rng, -1), "times must be at least 0, got -1"),
        (lambda: shuffles.overhand(packs, rng, -2), "times must be at least 0, got -2"),
        (lambda: shuffles.overhand(packs, rng, packet=0.5), "packet must be a mean size of at least 1 card, got 0.5"),
        (lambda: shuffles.overhand(packs, rng, packet=math.nan), "packet must be .* got nan"),
        (lambda: shuffles.smoosh(packs, rng, -1), "reach must be a number of places, at least 0, got -1"),
        (lambda: shuffles.smoosh(packs, rng, math.inf), "reach must be .* got inf"),
        (lambda: shuffles.fair(-1, rng), "packs must be at least 0, got -1"),
        (lambda: shuffles.riffle_chance(5, 1, 4), "rising must be 1 to 4, got 5"),
        (lambda: shuffles.riffle_distance(-1), "times must be at least 0, got -1"),
        (lambda: shuffles.packets(Rules(), 2), "dealer must be 0 to 1, got 2"),
        (lambda: shuffles.deal(packs, Rules(), 0, "all at once"), "way must be one of 'two passes', .* got 'all at"),
        (lambda: shuffles.gathered(simulate(1), rng, "neatly"), "order must be one of 'by suit', 'by kind', got 'neat"),
        (lambda: shuffles.as_captured([], rng, "neatly"), "order must be one of 'by suit', 'by kind', got 'neatly'"),
        (lambda: shuffles.as_captured([Round(seed=1)], rng), "gathered when the round is over, got <Round: "),
    ):
        with pytest.raises(ValueError, match=message):
            call()
