"""The shuffle is fair, and simulated frequencies agree with chances that can be counted."""

from fractions import Fraction
from functools import cache
from math import comb, sqrt
from typing import Any

import numpy as np
import pytest
from numba import njit
from scipy.stats import chi2

import sakura
from sakura import Rules, compiled, engine
from sakura.bits import random63
from strategies_for_tests import deal_again

assert compiled.SOURCES  # importing it lets compiled code call the engine

DECKS = 200_000


@njit
def _shuffled(stream: int, decks: Any, count: int) -> None:
    state = np.zeros(engine.STATE_SIZE, np.int64)
    for row in range(len(decks)):
        engine.shuffle(state, random63(stream, row), count)
        decks[row] = state[engine.DECK :]


@cache
def our_decks(seed: int = 0, count: int = 48) -> Any:
    """The packs of rounds 0, 1, ... of a seed, `count` places of them fairly shuffled: uint8 (DECKS, 48)."""
    decks = np.zeros((DECKS, 48), np.uint8)
    _shuffled(random63(seed, 0), decks, count)
    return decks


def naively_shuffled() -> Any:
    """The well-known wrong shuffle: every place trades with any place, not only with a later one."""
    generator = np.random.default_rng(1)
    decks = np.tile(np.arange(48, dtype=np.uint8), (DECKS, 1))
    rows = np.arange(DECKS)
    for place in range(48):
        other = generator.integers(48, size=DECKS)
        decks[rows, place], decks[rows, other] = decks[rows, other], decks[rows, place]
    return decks


def cut_only() -> Any:
    """A pack in order, cut anywhere: every card is in every place as often, but beside the same neighbours."""
    first = np.random.default_rng(2).integers(48, size=(DECKS, 1))
    return ((np.arange(48) + first) % 48).astype(np.uint8)


def places_chance(decks: Any, places: int = 48) -> float:
    """The chance that a fair shuffle spreads the cards over the first places as unevenly as this, or more so."""
    counts = np.array([np.bincount(decks[:, place], minlength=48) for place in range(places)])
    expected = len(decks) / 48
    unevenness = ((counts - expected) ** 2 / expected).sum()
    # Each place has each card once in 48, and no card is in two places: the variances of chi-square, by 48 / 47, in 47
    # degrees of freedom a place; with all 48 places the last one follows from the others.
    return float(chi2.sf(unevenness * 47 / 48, 47 * 47)) if places == 48 else _subset_chance(counts, len(decks))


def _subset_chance(counts: Any, decks: int) -> float:
    """The same where the places beyond the first few are taken together."""
    rest = decks - counts.sum(axis=0)
    left = 48 - len(counts)
    unevenness = ((counts - decks / 48) ** 2).sum() / (decks / 48)
    unevenness += ((rest - decks * left / 48) ** 2).sum() / (decks * left / 48)
    return float(chi2.sf(unevenness * 47 / 48, 47 * len(counts)))


def neighbours_chance(decks: Any, place: int, distance: int = 1) -> float:
    """The chance that a fair shuffle pairs the cards of two places as unevenly as this, or more so."""
    pairs = decks[:, place].astype(np.int64) * 48 + decks[:, place + distance]
    counts = np.bincount(pairs, minlength=48 * 48)
    possible = ~np.eye(48, dtype=bool).ravel()
    assert counts[~possible].sum() == 0
    expected = len(decks) / possible.sum()
    return float(chi2.sf(((counts[possible] - expected) ** 2 / expected).sum(), possible.sum() - 1))


def test_decks_are_decks() -> None:
    assert (np.sort(our_decks()[:20_000], axis=1) == np.arange(48)).all()
    # Ten cards are enough to tell two packs apart.
    assert len(np.unique(our_decks()[:, :10].astype(np.int64) @ (48 ** np.arange(10)))) == DECKS


def test_decks_are_those_of_the_rounds() -> None:
    for number in (0, 1, 99_999):
        assert our_decks()[number].tolist() == list(deal_again(Rules(), 0, number).deck)


@pytest.mark.parametrize("seed", [0, 1])
def test_every_card_is_in_every_place_as_often(seed: int) -> None:
    assert 1e-6 < places_chance(our_decks(seed)) < 1 - 1e-6


def test_a_shuffle_of_the_first_places_is_fair_there() -> None:
    """What the simulation of two players does: eight cards are dead. It is the full shuffle's beginning."""
    short = our_decks(0, 40)
    assert (short[:, :40] == our_decks()[:, :40]).all()
    assert (np.sort(short[:20_000], axis=1) == np.arange(48)).all()
    assert 1e-6 < places_chance(short, 40) < 1 - 1e-6


# Five choices are read off one random number: within such a packet, across two, far apart, and at the end.
@pytest.mark.parametrize(("place", "distance"), [(0, 1), (3, 1), (4, 1), (0, 4), (0, 5), (2, 40), (22, 1), (46, 1)])
def test_every_pair_of_cards_is_as_frequent(place: int, distance: int) -> None:
    assert 1e-6 < neighbours_chance(our_decks(), place, distance) < 1 - 1e-6


def test_rounds_in_sequence_are_independent() -> None:
    """The top card of a round and that of the next."""
    top = our_decks()[:, 0].astype(np.int64)
    counts = np.bincount(top[:-1] * 48 + top[1:], minlength=48 * 48)
    expected = counts.sum() / 48**2
    assert 1e-6 < chi2.sf(((counts - expected) ** 2 / expected).sum(), 47 * 47) < 1 - 1e-6


def test_these_tests_reject_wrong_shuffles() -> None:
    assert places_chance(naively_shuffled()) < 1e-12
    assert places_chance(naively_shuffled(), 40) < 1e-12
    assert places_chance(cut_only()) > 1e-6
    assert neighbours_chance(cut_only(), 0) < 1e-12


# ---- Chances ----

DEALS = 500_000


def assert_frequency(count: int, of: int, chance: Fraction) -> None:
    """The count is within five standard deviations of what is expected: wrong by accident once in two million."""
    assert 0 < chance < 1
    deviation = sqrt(of * chance * (1 - chance))
    assert abs(count - of * chance) < 5 * deviation, f"{count} of {of}, expected {float(of * chance):.1f}"


def whole_suit(cards: int) -> Fraction:
    """The chance that so many cards hold a whole suit, by inclusion and exclusion over the twelve suits."""
    return sum(
        (-1) ** (n + 1) * Fraction(comb(12, n) * comb(48 - 4 * n, cards - 4 * n), comb(48, cards))
        for n in range(1, cards // 4 + 1)
    )


def has_whole_suit(cards: Any) -> Any:
    """Which card sets hold all four cards of a suit."""
    found = np.zeros(cards.shape, bool)
    for suit in range(12):
        four = np.uint64(15 << 4 * suit)
        found |= cards & four == four
    return found


def test_the_chances_counted_here() -> None:
    """Two that are easily counted another way."""
    assert whole_suit(4) == Fraction(12, comb(48, 4))
    assert whole_suit(8) == Fraction(12 * comb(44, 4) - comb(12, 2), comb(48, 8))
    assert whole_suit(3) == 0


@pytest.mark.parametrize("rules", [Rules(players=2), Rules(players=6), Rules(players=7, field=20)], ids=str)
def test_four_of_a_suit_on_the_field(rules: Rules) -> None:
    """The dealer takes them, which leaves a smaller field."""
    field = np.bitwise_count(sakura.deals(DEALS, rules, seed=1).field)
    taken, counts = np.unique(rules.field - field, return_counts=True)
    assert set(taken) <= {0, 4, 8, 12}
    assert_frequency(counts[1:].sum(), DEALS, whole_suit(rules.field))


def test_four_of_a_suit_on_the_field_are_dealt_again() -> None:
    rules = Rules(players=6, field=20, four_on_field="redeal")
    dealt = sakura.deals(100_000, rules, seed=1)
    assert (np.bitwise_count(dealt.field) == 20).all()
    assert not has_whole_suit(dealt.field).any()
    # The first deal was fit as often as it should be: then it is the one of the table that does not deal again.
    same = dealt.field == sakura.deals(100_000, Rules(players=6, field=20), seed=1).field
    assert_frequency(same.sum(), 100_000, 1 - whole_suit(20))


@pytest.mark.parametrize("players", [2, 3, 7])
@pytest.mark.parametrize("dealer", [None, 1])
def test_a_card_in_a_hand(players: int, dealer: int | None) -> None:
    rules = Rules(players=players)
    hands = sakura.deals(DEALS, rules, seed=2, dealer=dealer).hands
    for card in (0, 43, 47):
        for seat in range(players):
            held = (hands[:, seat] >> np.uint64(card) & np.uint64(1)).sum()
            assert_frequency(held, DEALS, Fraction(rules.hand, 48))


def test_a_hand_of_two_named_cards() -> None:
    hands = sakura.deals(DEALS, seed=3).hands
    both = np.uint64(1 << 8 | 1 << 28)
    assert_frequency((hands[:, 1] & both == both).sum(), DEALS, Fraction(8 * 7, 48 * 47))


@pytest.mark.parametrize(("players", "hand"), [(2, 8), (2, 10), (3, 7), (5, 4)])
def test_a_hiki_in_the_dealt_hand(players: int, hand: int) -> None:
    hands = sakura.deals(DEALS, Rules(players=players, hand=hand), seed=4).hands
    assert_frequency(has_whole_suit(hands[:, players - 1]).sum(), DEALS, whole_suit(hand))


def test_a_hiki_between_hand_and_field() -> None:
    """Field of three: nothing is taken from it beforehand, and no hiki lies on it alone."""
    dealt = sakura.deals(DEALS, Rules(players=2, field=3), seed=5)
    assert_frequency(has_whole_suit(dealt.hands[:, 0] | dealt.field).sum(), DEALS, whole_suit(11))


def test_the_lightning_among_the_dead_cards() -> None:
    """Of two players' 48 cards eight are never seen: in one round of six the Lightning."""
    decks = our_decks(6, 40)
    dead = (decks[:, 40:] == engine.LIGHTNING).any(axis=1)
    assert_frequency(dead.sum(), DECKS, Fraction(8, 48))
    # Those are what the rounds leave in the pile; and what nobody captures, in so many rounds played.
    rules = Rules(hiki=False)
    for number in range(5):
        rnd = deal_again(rules, 6, number)
        while not rnd.is_terminal:
            rnd.apply_action(rnd.legal_actions()[0])
        assert set(rnd.pile) == set(decks[number, 40:].tolist())
    results = sakura.simulate(DECKS, rules, "random", 6, progress=False)
    assert not results.has_captured(engine.LIGHTNING)[dead].any()
    # Elsewhere it is captured as often as not, at the least.
    assert results.has_captured(engine.LIGHTNING)[~dead].any(axis=1).mean() > 0.5


@pytest.mark.parametrize("players", range(2, 8))
def test_everyone_deals_as_often(players: int) -> None:
    dealers = sakura.simulate(players * 100, Rules(players=players), progress=False).dealer
    assert np.bincount(dealers).tolist() == [100] * players


def test_with_rotating_deal_no_seat_is_better_off() -> None:
    """Everyone plays the same way: the mean scores differ by chance alone."""
    scores = sakura.simulate(300_000, Rules(players=4), "greedy", 7, progress=False).scores
    difference = scores - scores.mean(axis=1, keepdims=True)
    z = difference.mean(axis=0) / (difference.std(axis=0) / sqrt(len(scores)))
    assert (abs(z) < 5).all(), z
