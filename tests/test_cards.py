"""The deck (`data/cards.csv`), against a table typed from the rules."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from sakura import CARDS, Cards, card_set, cards_in, completed, points, scores
from sakura.cards import LANGUAGES

# Of each month the suit and its four cards with their points, position 0 to 3.
DECK = {
    1: ("Pine", "Crane 20", "Poetry ribbon 10", "plain 0", "plain 0"),
    2: ("Plum blossom", "Bush warbler 5", "Poetry ribbon 10", "plain 0", "plain 0"),
    3: ("Cherry blossom", "Curtain 20", "Poetry ribbon 10", "plain 0", "plain 0"),
    4: ("Wisteria", "Cuckoo 5", "Red ribbon 10", "plain 0", "plain 0"),
    5: ("Iris", "Bridge 5", "Red ribbon 10", "plain 0", "plain 0"),
    6: ("Peony", "Butterflies 5", "Blue ribbon 10", "plain 0", "plain 0"),
    7: ("Bush clover", "Boar 5", "Red ribbon 10", "plain 0", "plain 0"),
    8: ("Susuki grass", "Moon 20", "Geese 5", "plain 0", "plain 0"),
    9: ("Chrysanthemum", "Sake cup 5", "Blue ribbon 10", "plain 0", "plain 0"),
    10: ("Maple", "Deer 5", "Blue ribbon 10", "plain 0", "plain 0"),
    11: ("Willow", "Rain man 5", "Swallow 5", "Red ribbon 10", "Lightning 0"),
    12: ("Paulownia", "Phoenix 20", "Yellow paulownia 10", "plain 0", "plain 0"),
}
KIND_OF_POINTS = {20: "bright", 10: "ribbon", 5: "animal", 0: "plain"}

SUITS = {
    "ja": "松 梅 桜 藤 菖蒲 牡丹 萩 芒 菊 紅葉 柳 桐",
    "romaji": "matsu ume sakura fuji ayame botan hagi susuki kiku momiji yanagi kiri",
    "fr": "Pin Prunier Cerisier Glycine Iris Pivoine Lespédéza Eulalie Chrysanthème Érable Saule Paulownia",
}
IN_HAWAII = {4: "kuromame", 5: "kusa", 7: "akamame", 8: "bozu", 10: "shika", 11: "ame", 12: "chicken"}
JAPANESE = {
    0: "松に鶴", 4: "梅に鶯", 8: "桜に幕", 12: "藤に不如帰", 16: "菖蒲に八橋", 20: "牡丹に蝶", 24: "萩に猪",
    28: "芒に月", 29: "芒に雁", 32: "菊に盃", 36: "紅葉に鹿", 40: "柳に小野道風", 41: "柳に燕", 44: "桐に鳳凰",
}  # fmt: skip
FRENCH = {
    0: "Grue", 4: "Bouscarle", 8: "Rideau", 12: "Coucou", 16: "Pont", 20: "Papillons", 24: "Sanglier",
    28: "Lune", 29: "Oies", 32: "Coupe de saké", 36: "Cerf", 40: "Homme au parapluie", 41: "Hirondelle",
    43: "Foudre", 44: "Phénix", 45: "Paulownia jaune",
}  # fmt: skip


def test_a_cards_id_is_its_place_in_the_deck() -> None:
    assert [card.id for card in CARDS] == list(range(48))
    assert [card.month for card in CARDS] == [month for month in range(1, 13) for _ in range(4)]


@pytest.mark.parametrize("month", DECK)
def test_the_four_cards_of_a_month(month: int) -> None:
    suit, *expected = DECK[month]
    for position, words in enumerate(expected):
        card = CARDS[4 * (month - 1) + position]
        name, worth = words.rsplit(maxsplit=1)
        assert (card.suit, card.month, card.points) == (suit, month, int(worth))
        assert card.kind == KIND_OF_POINTS[int(worth)]
        # "Poetry ribbon" is told apart by its suit: "Pine poetry ribbon".
        assert card.name.lower().endswith(name.lower()) or f" {name} " in card.name


def test_there_are_4_brights_11_ribbons_10_animals_and_23_plain_cards() -> None:
    assert Counter(card.kind for card in CARDS) == {"bright": 4, "ribbon": 11, "animal": 10, "plain": 23}


def test_the_deck_is_worth_240_points() -> None:
    assert sum(card.points for card in CARDS) == 240
    assert points(card_set(range(48))) == 240


def test_the_points_of_a_card_set_are_those_of_its_cards() -> None:
    for card in CARDS:
        assert points(card_set([card.id])) == card.points
    assert points(card_set([0, 1, 2, 4])) == 20 + 10 + 0 + 5
    assert points(0) == 0


def test_a_card_set_holds_the_ids_put_into_it() -> None:
    assert cards_in(card_set([47, 0, 13])) == (0, 13, 47)
    assert cards_in(0) == ()
    for wrong in (-1, 48):
        with pytest.raises(ValueError, match=f"0 to 47, got {wrong}"):
            card_set([wrong])


def test_every_card_has_a_name_of_its_own_in_every_language() -> None:
    assert set(LANGUAGES) == {"en", "ja", "romaji", "fr", "hawaii"}
    for language in LANGUAGES:
        named = [card.name_in(language) for card in CARDS]
        assert all(name.strip() for name in named)
        assert len(set(named)) == 48


def test_the_japanese_and_french_names_are_those_of_the_sources() -> None:
    assert {card: CARDS[card].name_in("ja") for card in JAPANESE} == JAPANESE
    assert {card: CARDS[card].name_in("fr") for card in FRENCH} == FRENCH


def test_japanese_ribbons_are_akatan_aotan_and_tanzaku() -> None:
    word = {"赤短": (1, 5, 9), "青短": (21, 33, 37), "短冊": (13, 17, 25, 42)}
    for ribbon, cards in word.items():
        assert all(CARDS[card].name_in("ja").endswith(ribbon) for card in cards)
    for card in CARDS:
        if card.kind == "plain":
            assert "カス" in card.name_in("ja")


@pytest.mark.parametrize("language", SUITS)
def test_every_suit_has_its_name_in(language: str) -> None:
    assert [CARDS[4 * suit].suit_in(language) for suit in range(12)] == SUITS[language].split()


def test_hawaii_has_names_of_its_own_for_seven_suits_and_the_lightning() -> None:
    for card in CARDS:
        assert card.suit_in("hawaii") == IN_HAWAII.get(card.month, card.suit)
        assert card.name_in("hawaii") == ("gaji" if card.id == 43 else card.name)


def test_an_unknown_language_is_refused() -> None:
    for ask in (CARDS[0].name_in, CARDS[0].suit_in):
        with pytest.raises(ValueError, match="language must be one of en, ja, romaji, fr, hawaii, got 'de'"):
            ask("de")


@pytest.mark.parametrize(
    "form", [int, np.int64, np.uint64, cards_in, Cards, set, list, iter], ids=lambda form: form.__name__
)
def test_a_card_set_is_understood_in_every_form(form: Callable[[Any], Any]) -> None:
    drinking = card_set([8, 28, 32])
    given = lambda: form(drinking if form in (int, np.int64, np.uint64, cards_in) else cards_in(drinking))  # noqa: E731
    assert (points(given()), completed(given()), cards_in(given())) == (45, 1, (8, 28, 32))
    assert card_set(given()) == drinking and scores([given(), [0, 1]]) == [45, -20]


@pytest.mark.parametrize("wrong", [-1, 1 << 48, 1 << 999, [48], ["Crane"], [1.0], "8", 1.5, None])
def test_what_is_no_card_set_is_refused_in_words(wrong: Any) -> None:
    for question in (points, completed, cards_in, card_set, lambda cards: scores([cards, ()])):
        with pytest.raises((TypeError, ValueError), match=r"^a card (set )?is .{,60}, got .{1,80}$"):
            question(wrong)
