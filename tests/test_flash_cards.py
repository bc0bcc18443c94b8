"""Flash cards without a browser: what they ask, what they answer, and what they remember."""

import re
from collections import Counter
from html import unescape

import pytest

from sakura import CARDS, YAKU, Card
from sakura.cards import LANGUAGES
from sakura.widgets.deck_gallery import CARD_LOOKS, SUIT_LOOKS
from sakura.widgets.elements import Element, walk
from sakura.widgets.flash_cards import FlashCards

ASKS = ["suit", "kind", "points", "yaku"]


def press(widget: FlashCards, key: str, *value: object) -> None:
    message = {"key": key, "version": widget.shown["version"]} | ({"value": value[0]} if value else {})
    widget._receive(None, message, [])


def words(of: Element | str) -> str:
    return of if isinstance(of, str) else "".join(map(words, of.children))


def asked(widget: FlashCards) -> tuple[Card, str]:
    return widget.state.question.card, widget.state.question.ask


def answers(widget: FlashCards) -> dict[str, str]:
    """What can be answered: value -> the words on the button."""
    buttons = [e for e in walk(widget._root) if e.tag == "button" and (e.key or "").startswith("answer-")]
    return {str(e.key).removeprefix("answer-"): words(e) for e in buttons}


def right(card: Card, ask: str) -> str:
    """What is right, by the tables."""
    yaku = " and ".join(f"{y.syllable} ({y.name})" for y in YAKU if card.id in y.cards)
    return {"suit": str(card.month), "kind": card.kind, "points": str(card.points), "yaku": yaku or "In no yaku"}[ask]


def answer(widget: FlashCards, rightly: bool = True) -> None:
    wanted = right(*asked(widget))
    value = wanted if rightly else next(value for value in answers(widget) if value != wanted)
    press(widget, f"answer-{value}")


def go_on(widget: FlashCards, rightly: bool = True) -> None:
    answer(widget, rightly)
    press(widget, "next")


def verdict(widget: FlashCards) -> str:
    (found,) = [e for e in walk(widget._root) if "sakura-verdict" in str(e.attributes.get("class"))]
    return words(found)


def drawn(widget: FlashCards) -> list[int]:
    return [e.card for e in walk(widget._root) if e.card is not None]


# ---- Questions ----


@pytest.mark.parametrize("ask", ASKS)
def test_every_answer_that_is_right_is_offered_and_taken_as_right(ask: str) -> None:
    widget = FlashCards(seed=3, ask=ask)
    cards = 25 if ask == "yaku" else 48
    seen = Counter()
    for _ in range(cards):
        card, asks = asked(widget)
        seen[card.id] += 1
        assert asks == ask
        assert len(answers(widget)) == len(set(answers(widget).values())) == 4
        answer(widget)
        assert verdict(widget).startswith("✓ Right.")
        press(widget, "next")
    assert set(seen) == {card.id for card in CARDS if card.points or ask != "yaku"}
    assert set(seen.values()) == {1}
    assert widget.state.right == widget.state.best == cards


def test_mixed_asks_for_everything_but_never_a_plain_card_for_its_yaku() -> None:
    widget = FlashCards(seed=2)
    kinds = Counter()
    for _ in range(48):
        card, ask = asked(widget)
        kinds[ask] += 1
        assert card.points or ask != "yaku"
        go_on(widget)
    assert set(kinds) == set(ASKS) and min(kinds.values()) > 3


def test_the_suit_that_looks_alike_is_offered_too() -> None:
    widget = FlashCards(seed=1, ask="suit")
    alike = {4: 7, 7: 4, 2: 3, 3: 2, 6: 9, 9: 6}
    for _ in range(48):
        card, _ = asked(widget)
        if card.month in alike:
            assert str(alike[card.month]) in answers(widget)
        go_on(widget)


@pytest.mark.parametrize("seed", range(3))
def test_for_the_yaku_none_is_offered_and_what_the_other_cards_of_the_suit_are_in(seed: int) -> None:
    widget = FlashCards(seed=seed, ask="yaku")
    for _ in range(25):
        card, _ = asked(widget)
        suit = {right(c, "yaku") for c in CARDS if c.month == card.month}
        assert suit | {"In no yaku"} <= set(answers(widget))
        go_on(widget)


def test_the_same_seed_brings_the_same_and_another_one_does_not() -> None:
    def first(seed: int) -> list[tuple[Card, str, tuple[str, ...]]]:
        widget = FlashCards(seed=seed)
        found = []
        for _ in range(12):
            found.append((*asked(widget), tuple(answers(widget))))
            go_on(widget)
        return found

    assert first(1) == first(1) != first(2)


def test_the_picture_does_not_tell_the_answer() -> None:
    widget = FlashCards(seed=4)
    for _ in range(48):
        card, _ = asked(widget)
        (label,) = [e.attributes["aria-label"] for e in walk(widget._root) if e.attributes.get("role") == "img"]
        assert label == f"A card. {CARD_LOOKS.get(card.id, SUIT_LOOKS[card.month])}"
        assert not widget.aids
        go_on(widget)


# ---- Answers ----


def test_a_wrong_answer_is_told_at_once_with_the_right_one_and_why() -> None:
    widget = FlashCards(seed=1, ask="suit")
    card, _ = asked(widget)
    answer(widget, rightly=False)
    assert verdict(widget) == f"✗ Not so. {card.suit}, month {card.month}. {SUIT_LOOKS[card.month]}"
    assert widget.shown["say"] == "Not so. This question comes again soon."
    marks = [label[0] for label in answers(widget).values()]
    assert marks.count("✓") == marks.count("✗") == 1
    # Both suits to compare, after the card itself.
    assert len(drawn(widget)) == 1 + 8
    assert set(drawn(widget)) >= {c.id for c in CARDS if c.month == card.month}


@pytest.mark.parametrize("ask", ASKS)
def test_why(ask: str) -> None:
    widget = FlashCards(seed=5, ask=ask)
    for _ in range(25 if ask == "yaku" else 48):
        card, _ = asked(widget)
        answer(widget)
        told = verdict(widget)
        assert card.name in told or ask == "suit"
        if ask == "suit":
            assert card.suit in told and f"month {card.month}" in told
        if ask == "points":
            assert f"{card.points} points" in told and card.kind in told
        if ask == "kind" and card.id not in (40, 43):
            assert {"plain": "plant", "ribbon": "ribbon", "animal": "counts", "bright": "brights"}[card.kind] in told
        if ask == "yaku":
            sets = [sorted(yaku.cards) for yaku in YAKU if card.id in yaku.cards]
            assert drawn(widget) == [card.id, *(c for three in sets for c in three)]
            assert bool(sets) != ("no card of" in told)
        press(widget, "next")


def test_only_the_first_answer_counts() -> None:
    widget = FlashCards(seed=1)
    answer(widget, rightly=False)
    answer(widget)
    assert widget.shown["say"] == "You have answered this one. Go on with Next."
    assert (widget.state.answered, widget.state.right) == (1, 0)


def test_a_double_click_answers_once() -> None:
    widget = FlashCards(seed=1)
    message = {"key": f"answer-{right(*asked(widget))}", "version": widget.shown["version"]}
    widget._receive(None, message, [])
    widget._receive(None, message, [])
    assert widget.state.answered == 1


def test_the_keyboard_is_led_from_the_answers_to_next_and_back() -> None:
    widget = FlashCards(seed=1)
    first = asked(widget)
    press(widget, "next")
    assert asked(widget) == first and widget.shown["say"] == "First click an answer."
    answer(widget)
    assert widget.shown["focus"] == "next" in widget._controls
    press(widget, "next")
    assert widget.shown["focus"] == f"answer-{next(iter(answers(widget)))}"
    assert widget.shown["say"].endswith("?")


# ---- Memory ----


def test_a_miss_comes_again_after_two_others_until_it_is_right() -> None:
    widget = FlashCards(seed=1)
    missed = asked(widget)
    for again in range(3):
        go_on(widget, rightly=False)
        for _ in range(2):
            assert asked(widget) != missed
            go_on(widget)
        assert asked(widget) == missed, again
        assert widget.shown["say"].startswith("Once more: ")
    go_on(widget)
    for _ in range(45):
        assert asked(widget) != missed
        go_on(widget)
    assert not widget.state.missed


def test_several_misses_all_come_again() -> None:
    widget = FlashCards(seed=1, ask="suit")
    missed = []
    for _ in range(3):
        missed.append(asked(widget))
        go_on(widget, rightly=False)
    found = []
    for _ in range(3):
        found.append(asked(widget))
        go_on(widget)
    assert found == missed


def test_misses_at_the_end_of_the_pack_come_before_it_is_shuffled() -> None:
    widget = FlashCards(seed=1, ask="yaku")
    for _ in range(24):
        go_on(widget)
    missed = asked(widget)
    go_on(widget, rightly=False)
    assert asked(widget) == missed
    go_on(widget)
    assert widget.shown["say"].startswith("The pack is shuffled. ")
    assert len(widget.state.pack) == 24


def test_score_and_streak() -> None:
    widget = FlashCards(seed=1)
    for rightly in (True, True, True, False, True):
        go_on(widget, rightly)
    assert "Right: 4 of 5 · in a row: 1 (best 3) · missed, to come again: 1 · left in the pack: 42" in words(
        widget._root
    )
    widget = FlashCards(seed=1)
    go_on(widget)
    answer(widget)
    assert widget.shown["say"] == "Right, 2 in a row."


# ---- Settings ----


def test_asking_for_something_else_keeps_the_score_and_what_was_missed() -> None:
    widget = FlashCards(seed=1, ask="suit")
    missed = asked(widget)
    go_on(widget, rightly=False)
    press(widget, "Ask for", "points")
    for _ in range(5):
        assert asked(widget)[1] == "points"
        go_on(widget)
    assert widget.state.answered == 6
    press(widget, "Ask for", "mixed")
    assert asked(widget) == missed
    # Nor is it forgotten where it is asked, and not answered.
    press(widget, "Ask for", "points")
    press(widget, "Ask for", "suit")
    assert asked(widget) == missed


def test_start_again_brings_the_same_cards() -> None:
    widget = FlashCards(seed=1, ask="kind")
    first = asked(widget)
    for _ in range(5):
        go_on(widget, rightly=False)
    press(widget, "Start again")
    assert asked(widget) == first
    assert (widget.state.answered, widget.state.missed) == (0, {})


def test_a_cell_that_is_run_again_goes_on_where_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sakura.widgets.base._place_in_notebook", lambda: ("flash", 0))
    widget = FlashCards(seed=1)
    missed = asked(widget)
    go_on(widget, rightly=False)
    widget = FlashCards(seed=1)
    assert (widget.state.answered, list(widget.state.missed)) == (1, [missed])
    assert FlashCards(seed=2).state.answered == 0


@pytest.mark.parametrize("language", LANGUAGES)
def test_suits_in_every_language(language: str) -> None:
    widget = FlashCards(seed=1, ask="suit")
    press(widget, "Names", language)
    assert all(label == CARDS[4 * int(month) - 1].suit_in(language) for month, label in answers(widget).items())
    card, _ = asked(widget)
    answer(widget)
    assert card.suit_in(language) in verdict(widget) and card.suit in verdict(widget)


@pytest.mark.parametrize(
    ("arguments", "kind", "message"),
    [
        ({"ask": "colour"}, ValueError, "ask must be one of mixed, suit, kind, points, yaku, got 'colour'"),
        ({"seed": -1}, ValueError, "seed must be at least 0, got -1"),
        ({"seed": "one"}, TypeError, "seed must be a whole number, got 'one'"),
    ],
)
def test_what_is_wrong_with_an_argument_is_said(arguments: dict, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        FlashCards(**arguments)


def test_what_cannot_be_asked_for_changes_nothing() -> None:
    widget = FlashCards(seed=1)
    before = asked(widget)
    for key, value in (("Ask for", "colour"), ("Names", "klingon")):
        press(widget, key, value)
        assert f"got {value!r}" in words(widget._root)
        assert (asked(widget), widget.state.ask, widget.language) == (before, "mixed", "en")


def test_the_picture_that_stays_holds_the_question_and_the_card() -> None:
    page = FlashCards(seed=1).static_html()
    assert page.count("<img") == 1 and "?" in page


def test_the_card_that_is_asked_for_is_described_and_not_named() -> None:
    for seed in range(12):
        widget = FlashCards(seed)
        card, _ = asked(widget)
        live = [str(e.attributes["aria-label"]) for e in walk(widget._root) if e.attributes.get("role") == "img"]
        saved = re.findall(r'(?:alt|title)="([^"]+)"', unescape(widget.static_html()))
        assert live * 2 == saved == [f"A card. {CARD_LOOKS.get(card.id, SUIT_LOOKS[card.month])}"] * 2
