"""The eight yaku (`data/yaku.csv`), against a table typed from the rules."""

# ruff: noqa: F403, F405 (the cards by name)

from collections import Counter
from itertools import combinations

import pytest

from helpers import *
from sakura import CARDS, YAKU, card_set, completed
from sakura.yaku import YAKU_POINTS

TABLE = [
    (1, "I", {CURTAIN, MOON, SAKE_CUP}),
    (2, "Ro", {CRANE, WARBLER, CURTAIN}),
    (3, "Ha", {PINE_RIBBON, PLUM_RIBBON, CHERRY_RIBBON}),
    (4, "Ni", {PEONY_RIBBON, CHRYSANTHEMUM_RIBBON, MAPLE_RIBBON}),
    (5, "Ho", {BUTTERFLIES, SAKE_CUP, DEER}),
    (6, "He", {WISTERIA_RIBBON, IRIS_RIBBON, CLOVER_RIBBON}),
    (7, "To", {CUCKOO, BRIDGE, BOAR}),
    (8, "Chi", {BOAR, GEESE, DEER}),
]


def test_there_are_eight_yaku_of_three_cards_and_50_points() -> None:
    assert len(YAKU) == 8
    assert all(len(yaku.cards) == 3 for yaku in YAKU)
    assert YAKU_POINTS == 50


@pytest.mark.parametrize(("number", "syllable", "cards"), TABLE, ids=[row[1] for row in TABLE])
def test_a_yaku_is_these_three_cards(number: int, syllable: str, cards: set[int]) -> None:
    yaku = YAKU[number - 1]
    assert (yaku.number, yaku.syllable, yaku.cards) == (number, syllable, cards)
    assert yaku.name and syllable in str(yaku) and yaku.name in str(yaku)


def test_every_yaku_has_a_name_of_its_own() -> None:
    assert len({yaku.name for yaku in YAKU}) == 8


@pytest.mark.parametrize(("number", "syllable", "cards"), TABLE, ids=[row[1] for row in TABLE])
def test_a_yaku_is_complete_with_all_three_cards_and_not_with_two(number: int, syllable: str, cards: set[int]) -> None:
    bit = 1 << number - 1
    assert completed(card_set(cards)) == bit
    for two in combinations(cards, 2):
        assert completed(card_set(two)) == 0
        everything_else = set(range(48)) - cards | set(two)
        assert completed(card_set(everything_else)) & bit == 0


def test_curtain_sake_cup_deer_and_boar_are_each_in_two_yaku_and_no_other_card_is() -> None:
    uses = Counter(card for yaku in YAKU for card in yaku.cards)
    assert {card for card, count in uses.items() if count == 2} == {CURTAIN, SAKE_CUP, DEER, BOAR}
    assert max(uses.values()) == 2


def test_one_card_may_serve_two_yaku_at_once() -> None:
    assert completed(card_set([CURTAIN, MOON, SAKE_CUP, CRANE, WARBLER])) == 0b11


def test_every_point_card_outside_willow_and_paulownia_is_in_a_yaku_and_no_other_card_is() -> None:
    used = {card for yaku in YAKU for card in yaku.cards}
    assert used == {card.id for card in CARDS if card.points and card.month <= 10}


def test_willow_and_paulownia_are_in_no_yaku() -> None:
    assert completed(card_set([*WILLOW, *PAULOWNIA])) == 0
    assert not any(yaku.cards & {*WILLOW, *PAULOWNIA} for yaku in YAKU)
