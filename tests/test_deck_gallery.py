"""The deck gallery and the stories that it tells, without a browser."""

from typing import Any

import pytest

from sakura import CARDS, YAKU, Card, Yaku
from sakura.cards import LANGUAGES, read_table
from sakura.widgets.deck_gallery import (
    CARD_LOOKS,
    CARD_STORIES,
    SUIT_LOOKS,
    SUIT_STORIES,
    DeckGallery,
    suit_looks,
    suit_names,
)
from sakura.widgets.elements import Element, walk


def press(widget: DeckGallery, key: str, *value: object) -> None:
    message = {"key": key, "version": widget.shown["version"]} | ({"value": value[0]} if value else {})
    widget._receive(None, message, [])


def words(root: Element) -> str:
    return "\n".join(child for element in walk(root) for child in element.children if isinstance(child, str))


def shown(widget: DeckGallery) -> list[int]:
    """The cards to click, in their order."""
    keys = [element.key or "" for element in walk(widget._root) if element.tag == "button"]
    return [int(key.removeprefix("card-")) for key in keys if key.startswith("card-")]


def open_story(widget: DeckGallery) -> list[Element]:
    return [e for e in walk(widget._root) if str(e.attributes.get("aria-label")).startswith("The story: ")]


def story(widget: DeckGallery) -> str:
    """The words of the story that is open, "" for none."""
    return "".join(map(words, open_story(widget)))


def drawn_in_story(widget: DeckGallery) -> list[int]:
    (found,) = open_story(widget)
    return [e.card for e in walk(found) if e.card is not None]


def said(widget: DeckGallery) -> str:
    return str(widget.shown["say"])


def error(widget: DeckGallery) -> str:
    return "".join(words(e) for e in walk(widget._root) if "sakura-error" in str(e.attributes.get("class")))


@pytest.fixture
def gallery() -> DeckGallery:
    return DeckGallery()


# ---- The stories ----


def test_every_suit_has_a_story_and_every_card_that_is_more_than_its_plant() -> None:
    assert set(SUIT_STORIES) == set(SUIT_LOOKS) == set(range(1, 13))
    more = {card.id for card in CARDS if card.kind != "plain"} | {43}
    assert set(CARD_STORIES) == set(CARD_LOOKS) == more
    assert all(row["month"] == str(CARDS[int(row["id"])].month) for row in read_table("stories") if row["id"])


@pytest.mark.parametrize("look", [*SUIT_LOOKS.values(), *CARD_LOOKS.values()])
def test_what_a_card_looks_like_does_not_tell_what_it_is(look: str) -> None:
    """Flash cards read it to those who do not see the card."""
    told = look.lower()
    for card in CARDS:
        assert card.suit.split()[0].lower() not in told
        assert card.kind not in told
        assert card.kind == "plain" or card.name.lower().rstrip("s") not in told
    assert not any(word in told for word in ("point", "yaku", "ribbon"))


def test_what_cards_look_like_tells_them_apart() -> None:
    looks = [*SUIT_LOOKS.values(), *CARD_LOOKS.values()]
    assert len(set(looks)) == len(looks)


# ---- Filters ----


def test_it_begins_with_the_whole_deck_in_order(gallery: DeckGallery) -> None:
    assert shown(gallery) == list(range(48))
    assert "48 of 48 cards: 4 brights, 11 ribbons, 10 animals, 23 plain, 240 points" in words(gallery._root)


@pytest.mark.parametrize("month", range(1, 13))
def test_a_suit(gallery: DeckGallery, month: int) -> None:
    press(gallery, "suit", str(month))
    assert shown(gallery) == list(range(4 * month - 4, 4 * month))


@pytest.mark.parametrize(
    ("kind", "count"),
    [
        ("bright", "4 of 48 cards: 4 brights, 80 points"),
        ("ribbon", "11 of 48 cards: 11 ribbons, 110 points"),
        ("animal", "10 of 48 cards: 10 animals, 50 points"),
        ("plain", "23 of 48 cards: 23 plain, 0 points"),
    ],
)
def test_a_kind(gallery: DeckGallery, kind: str, count: str) -> None:
    press(gallery, "kind", kind)
    assert shown(gallery) == [card.id for card in CARDS if card.kind == kind]
    assert count in words(gallery._root)
    assert said(gallery).endswith(f"{count.split()[0]} cards to see.")


@pytest.mark.parametrize("points", [20, 10, 5, 0])
def test_points(gallery: DeckGallery, points: int) -> None:
    press(gallery, "points", str(points))
    assert shown(gallery) == [card.id for card in CARDS if card.points == points]


@pytest.mark.parametrize("yaku", YAKU)
def test_a_yaku(gallery: DeckGallery, yaku: Yaku) -> None:
    press(gallery, "yaku", str(yaku))
    assert shown(gallery) == sorted(yaku.cards)


def test_cards_in_no_yaku_in_one_and_in_two(gallery: DeckGallery) -> None:
    press(gallery, "yaku", "In two yaku")
    assert shown(gallery) == [8, 24, 32, 36]
    press(gallery, "yaku", "In one yaku")
    assert len(shown(gallery)) == 16
    press(gallery, "yaku", "In no yaku")
    assert len(shown(gallery)) == 28


def test_filters_work_together_and_clear(gallery: DeckGallery) -> None:
    press(gallery, "suit", "11")
    press(gallery, "kind", "animal")
    assert shown(gallery) == [40, 41]
    assert "2 of 48 cards: 2 animals, 10 points" in words(gallery._root)
    press(gallery, "Clear filters")
    assert shown(gallery) == list(range(48))
    assert said(gallery) == "Filters cleared: 48 cards to see."
    press(gallery, "Clear filters")
    assert said(gallery) == "No filter is set."


def test_no_card_passes(gallery: DeckGallery) -> None:
    press(gallery, "suit", "12")
    press(gallery, "points", "5")
    assert shown(gallery) == []
    assert "0 of 48 cards: 0 points" in words(gallery._root)
    assert "No card passes all of these filters." in words(gallery._root)
    assert gallery.static_html()


def test_one_card_is_one_card(gallery: DeckGallery) -> None:
    press(gallery, "suit", "1")
    press(gallery, "kind", "bright")
    assert "1 of 48 cards: 1 bright, 20 points" in words(gallery._root)
    assert said(gallery) == "Brights: 1 card to see."


# ---- Stories ----


@pytest.mark.parametrize("card", CARDS)
def test_every_card_has_a_story_to_open(gallery: DeckGallery, card: Card) -> None:
    press(gallery, f"card-{card.id}")
    told = story(gallery)
    assert told
    for fact in (card.name, card.suit, card.kind, f"{card.points} points", SUIT_STORIES[card.month]):
        assert fact in told
    assert CARD_STORIES.get(card.id, "A plain card") in told
    assert card.name in said(gallery)
    for language in LANGUAGES:
        assert card.name_in(language) in told and card.suit_in(language) in told
    yaku = [each for each in YAKU if card.id in each.cards]
    assert all(f"Yaku {each}" in told for each in yaku)
    assert ("in no yaku" in told) == (not yaku)
    # Itself, and the three of each yaku.
    assert drawn_in_story(gallery) == [card.id] + [c for each in yaku for c in sorted(each.cards)]


def test_one_story_at_a_time_and_it_closes(gallery: DeckGallery) -> None:
    press(gallery, "card-8")
    press(gallery, "card-40")
    assert "Rain man" in story(gallery)
    press(gallery, "card-40")
    assert story(gallery) == ""
    press(gallery, "card-8")
    press(gallery, "close")
    assert story(gallery) == ""
    assert gallery.shown["focus"] == "card-8"


def test_the_open_card_is_marked_and_says_that_it_is_pressed(gallery: DeckGallery) -> None:
    press(gallery, "card-8")
    pressed = [e.key for e in walk(gallery._root) if e.attributes.get("aria-pressed") == "true"]
    assert pressed == ["card-8"]


def test_a_story_goes_when_its_card_does(gallery: DeckGallery) -> None:
    press(gallery, "card-8")
    press(gallery, "kind", "bright")
    assert story(gallery)
    press(gallery, "kind", "ribbon")
    press(gallery, "Clear filters")
    assert story(gallery) == ""


# ---- Languages and looks ----


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_in_every_language(gallery: DeckGallery, language: str) -> None:
    press(gallery, "Names", language)
    labels = [str(e.attributes["aria-label"]) for e in walk(gallery._root) if (e.key or "").startswith("card-")]
    for card, label in zip(CARDS, labels, strict=True):
        assert card.name_in(language) in label and card.suit_in(language) in label
        assert f"{card.month} {card.suit_in(language)}" in words(gallery._root)


def test_an_unknown_language_is_an_error_in_words(gallery: DeckGallery) -> None:
    with pytest.raises(ValueError, match="language must be one of en, ja, romaji, fr, hawaii, got 'klingon'"):
        DeckGallery(language="klingon")
    press(gallery, "Names", "klingon")
    assert error(gallery) == "language must be one of en, ja, romaji, fr, hawaii, got 'klingon'"
    assert gallery.language == "en" and shown(gallery) == list(range(48))


def test_aids_and_high_contrast_redraw_the_cards(gallery: DeckGallery) -> None:
    plain = gallery.pictures["8"]
    press(gallery, "Learning aids", True)
    aids = gallery.pictures["8"]
    press(gallery, "High contrast", True)
    assert len({plain, aids, gallery.pictures["8"]}) == 3


# ---- Arguments ----


def test_arguments_set_the_filters() -> None:
    widget = DeckGallery(language="fr", kind="bright", aids=True)
    assert shown(widget) == [0, 8, 28, 44]
    assert widget.aids and "Cerisier" in words(widget._root)
    assert shown(DeckGallery(yaku=1)) == [8, 28, 32]
    assert shown(DeckGallery(points=5, suit=8)) == [29]
    assert "Crane" in story(DeckGallery(story=0))


def test_a_cell_that_is_run_again_goes_on_where_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sakura.widgets.base._place_in_notebook", lambda: ("gallery", 0))
    first = DeckGallery(language="fr", kind="bright")
    press(first, "Names", "romaji")
    press(first, "card-28")
    again = DeckGallery(language="fr", kind="bright")
    assert again.language == "romaji" and "Moon" in story(again) and shown(again) == [0, 8, 28, 44]
    other = DeckGallery(language="fr", kind="ribbon")
    assert other.language == "fr" and story(other) == ""


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ({"suit": 13}, "suit must be 1 to 12, got 13"),
        ({"kind": "dragon"}, "kind must be bright, ribbon, animal, plain, got 'dragon'"),
        ({"points": 50}, "points must be 20, 10, 5, 0, got 50"),
        ({"yaku": 0}, "yaku must be 1 to 8, got 0"),
        ({"story": 48}, "story must be 0 to 47, got 48"),
    ],
)
def test_what_is_wrong_with_an_argument_is_said(argument: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        DeckGallery(**argument)


@pytest.mark.parametrize("name", ["suit", "kind", "points", "yaku"])
def test_a_filter_that_there_is_not_changes_nothing(gallery: DeckGallery, name: str) -> None:
    press(gallery, name, "dragon")
    assert error(gallery).startswith(f"{name} must be one of") and error(gallery).endswith("got 'dragon'")
    assert shown(gallery) == list(range(48))


def test_the_picture_that_stays_holds_every_card_and_the_count() -> None:
    page = DeckGallery(story=40).static_html()
    assert page.count("<img") == 48 + 1
    assert "48 of 48 cards" in page and CARD_STORIES[40] in page
    assert "<button" not in page and "<select" not in page


# ---- Tables for the lesson ----


def test_the_table_of_looks_shows_a_card_of_each_suit() -> None:
    page = suit_looks().data
    for first in CARDS[::4]:
        assert f"{first.month} {first.suit}</th>" in page and f">{SUIT_LOOKS[first.month]}</td>" in page
        assert f'alt="{CARDS[first.id + 2].name}"' in page
    assert page.count("<img") == 12


def test_the_table_of_names_leaves_hawaii_out_where_it_has_no_name_of_its_own() -> None:
    page = suit_names().data
    assert page.count(">–</td>") == 5
    for first in CARDS[::4]:
        japanese = f"{first.suit_in('ja')} {first.suit_in('romaji')}"
        assert f">{japanese}</td>" in page and f">{first.suit_in('fr')}</td>" in page
    for nickname in ("kuromame", "kusa", "akamame", "bozu", "shika", "ame", "chicken"):
        assert f">{nickname}</td>" in page
