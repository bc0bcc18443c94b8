"""The exact odds: against counting out every deal of a small pack, and against many simulated deals."""

import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from sakura import CARDS, YAKU, Rules, card_set, deals, odds, stats
from sakura.engine import LIGHTNING

ROUNDS = 50_000
SETTINGS = [Rules(players=n) for n in range(2, 8)] + [Rules(players=2, hand=10), Rules(players=3, hand=2, field=20)]

Dealt = tuple[tuple[int, ...], tuple[int, ...]]


# ---- Every deal of a small pack ----

# Pine, Plum blossom and Cherry blossom: all of one yaku, and cards of every value.
SMALL = CARDS[:12]
SMALL_RULES = [Rules(players=2, hand=hand, field=field) for hand, field in ((4, 4), (3, 3), (2, 4))]


@pytest.fixture(params=SMALL_RULES, ids=str)
def small(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Rules:
    monkeypatch.setattr(odds, "CARDS", SMALL)
    rules: Rules = request.param
    return rules


def every_deal(rules: Rules) -> Iterator[Dealt]:
    ids = [card.id for card in SMALL]
    for hand in itertools.combinations(ids, rules.hand):
        rest = [card for card in ids if card not in hand]
        for field in itertools.combinations(rest, rules.field):
            yield hand, field


def share(rules: Rules, happens: Callable[[Counter[int], Counter[int]], bool]) -> Fraction:
    """The share of all deals in which something happens, told by how many of each suit are in hand and on the field."""
    found = [
        happens(Counter(c // 4 for c in hand), Counter(c // 4 for c in field)) for hand, field in every_deal(rules)
    ]
    return Fraction(sum(found), len(found))


def test_suits_on_the_field(small: Rules) -> None:
    for count in (2, 3, 4):
        assert odds.suit_on_field(small, count) == share(small, lambda h, f, n=count: max(f.values()) >= n)  # type: ignore[misc]


def test_four_on_the_field_by_inclusion_and_exclusion() -> None:
    for rules in SETTINGS:
        terms = [
            (-1) ** (i + 1) * math.comb(12, i) * math.comb(48 - 4 * i, rules.field - 4 * i)
            for i in range(1, rules.field // 4 + 1)
        ]
        assert odds.suit_on_field(rules, 4) == Fraction(sum(terms), math.comb(48, rules.field))


def test_hikis(small: Rules) -> None:
    assert odds.hiki_in_hand(small) == share(small, lambda h, f: 4 in h.values())
    assert odds.hiki_with_field(small) == share(small, lambda h, f: any(h[s] + f[s] == 4 for s in h))


def test_matches(small: Rules) -> None:
    assert odds.no_match(small) == share(small, lambda h, f: not h.keys() & f.keys())
    counts = [sum(card // 4 in {c // 4 for c in field} for card in hand) for hand, field in every_deal(small)]
    assert odds.matches(small) == Fraction(sum(counts), len(counts))


def test_points_of_a_hand(small: Rules) -> None:
    points = [sum(CARDS[card].points for card in hand) for hand, _ in every_deal(small)]
    wanted = {value: Fraction(n, len(points)) for value, n in sorted(Counter(points).items())}
    assert list(odds.hand_points(small).items()) == list(wanted.items())
    mean = Fraction(sum(points), len(points))
    assert odds.mean_points(small) == mean
    assert odds.points_variance(small) == sum((p - mean) ** 2 for p in points) / len(points)


def test_a_yaku_in_a_hand(small: Rules) -> None:
    yaku = YAKU[2]
    assert yaku.cards <= {card.id for card in SMALL}
    found = [yaku.cards <= set(hand) for hand, _ in every_deal(small)]
    assert odds.yaku_in_hand(small, yaku) == Fraction(sum(found), len(found))


def test_a_yaku_that_can_be_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a pack of 12, two hands of 1, and a field of 3, five cards are dead: any five."""
    monkeypatch.setattr(odds, "CARDS", SMALL)
    rules = Rules(players=2, hand=1, field=3)
    monkeypatch.setattr(Rules, "pile", property(lambda self: 7))
    yaku = YAKU[2]
    found = [not yaku.cards & set(dead) for dead in itertools.combinations([card.id for card in SMALL], 5)]
    assert odds.yaku_alive(rules, yaku) == Fraction(sum(found), len(found))


def test_an_unseen_card(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a pack of 12, seen by the first of three players before and after a turn, and by the second."""
    monkeypatch.setattr(odds, "CARDS", SMALL)
    rules = Rules(players=3, hand=2, field=3)
    monkeypatch.setattr(Rules, "pile", property(lambda self: 3))
    assert odds.unseen_in_pile(rules) == Fraction(3, 7)
    assert odds.unseen_in_pile(rules, 1) == Fraction(2, 5)
    assert odds.unseen_in_pile(rules, 3) == 0


# ---- Many deals, and what is true of the whole pack ----


@pytest.mark.parametrize("rules", SETTINGS, ids=str)
def test_simulated_deals_agree(rules: Rules) -> None:
    hands, field = deals(ROUNDS, rules, 5)
    hand = hands[:, 0]
    suits = [np.uint64(15 << 4 * s) for s in range(12)]
    in_hand = np.stack([np.bitwise_count(hand & s) for s in suits], axis=1)
    on_field = np.stack([np.bitwise_count(field & s) for s in suits], axis=1)
    # The dealer has taken four of a suit from the field.
    taken = rules.field - np.bitwise_count(field).astype(int) >= 4
    happened = {
        odds.suit_on_field(rules, 4): taken,
        odds.suit_on_field(rules, 3): taken | (on_field >= 3).any(axis=1),
        odds.suit_on_field(rules, 2): taken | (on_field >= 2).any(axis=1),
        odds.hiki_in_hand(rules): (in_hand == 4).any(axis=1),
        odds.hiki_with_field(rules): ((in_hand > 0) & (in_hand + on_field == 4)).any(axis=1),
        odds.no_match(rules): ~((in_hand > 0) & (on_field > 0)).any(axis=1),
        odds.yaku_in_hand(rules, YAKU[0]): hand & np.uint64(card_set(YAKU[0].cards)) == card_set(YAKU[0].cards),
        odds.lightning(rules, "one hand"): hand >> np.uint64(LIGHTNING) & np.uint64(1) == 1,
        odds.lightning(rules, "a hand"): (hands >> np.uint64(LIGHTNING) & np.uint64(1)).any(axis=1),
    }
    sure = stats.simultaneous(len(happened) * len(SETTINGS), 0.999)
    for exact, found in happened.items():
        seen = stats.proportion(int(found.sum()), ROUNDS, sure)
        assert seen.low <= exact <= seen.high

    points = sum(
        np.bitwise_count(hand & np.uint64(card_set(c.id for c in CARDS if c.points == value))).astype(float) * value
        for value in (20, 10, 5)
    )
    assert (
        abs(np.mean(points) - float(odds.mean_points(rules))) < 5 * float(odds.points_variance(rules) / ROUNDS) ** 0.5
    )
    matched = (in_hand * (on_field > 0)).sum(axis=1)
    average = stats.mean(matched, sure)
    assert average.low < odds.matches(rules) < average.high


@pytest.mark.parametrize("rules", SETTINGS, ids=str)
def test_what_has_to_be_true(rules: Rules) -> None:
    chances = odds.hand_points(rules)
    assert sum(chances.values()) == 1
    mean = sum(p * chance for p, chance in chances.items())
    assert mean == odds.mean_points(rules)
    assert sum((p - mean) ** 2 * chance for p, chance in chances.items()) == odds.points_variance(rules)
    assert sum(odds.lightning(rules, place) for place in ("a hand", "field", "pile")) == 1
    assert odds.every_suit(rules, lambda a, b: True) == 1
    assert 0 <= odds.suit_on_field(rules, 4) <= odds.suit_on_field(rules, 3) <= odds.suit_on_field(rules, 2) <= 1
    assert odds.hiki_in_hand(rules) <= odds.hiki_with_field(rules)
    assert odds.unseen_in_pile(rules, rules.players * rules.hand - 1) in (0, 1)


def test_known_numbers() -> None:
    assert round(float(odds.suit_on_field(Rules(players=2), 4)), 4) == 0.0043
    assert odds.lightning(Rules(players=2), "dead") == Fraction(8, 48)
    assert odds.lightning(Rules(players=2, play_out_pile=True), "dead") == 0
    assert odds.lightning(Rules(players=2, hand=10), "dead") == 0
    assert odds.yaku_in_hand(Rules(players=2, hand=2)) == 0
    assert odds.yaku_alive(Rules(players=2)) == Fraction(40 * 39 * 38, 48 * 47 * 46)
    assert odds.yaku_alive(Rules(players=2, play_out_pile=True)) == odds.yaku_alive(Rules(players=5)) == 1


def test_tables() -> None:
    found = odds.table(odds.suit_on_field, 4)
    assert list(found.index) == [2, 3, 4, 5, 6, 7] and list(found.columns) == ["exact", "value"]
    assert found["exact"][3] == odds.suit_on_field(Rules(players=3), 4)
    assert found["value"][3] == float(found["exact"][3])
    for function, asked in ((odds.matches, ()), (odds.yaku_in_hand, (YAKU[5],)), (odds.lightning, ("field",))):
        assert isinstance(odds.table(function, *asked), pd.DataFrame)


def test_what_cannot_be_asked() -> None:
    with pytest.raises(ValueError, match="count must be 2 to 4, got 5"):
        odds.suit_on_field(Rules(), 5)
    with pytest.raises(ValueError, match=r"place must be one of 'one hand', .*, got 'sleeve'"):
        odds.lightning(Rules(), "sleeve")
    with pytest.raises(ValueError, match="turns must be 0 to 15, got 16"):
        odds.unseen_in_pile(Rules(), 16)
    with pytest.raises(ValueError, match="needs 58 cards; the deck has 48"):
        odds.hiki_in_hand(Rules(players=5, hand=10))
