"""Lesson 05 in JupyterLab: a reader answers its questions and plays its round, by mouse and by keyboard."""

import re

import pytest

pytest.importorskip("playwright")

from playwright.sync_api import expect

from reader_at_table import Reader


def test_a_reader_goes_through_the_lesson(lab, visit):
    page = visit(lab, "05_a_round")

    # The first question: wrong by mouse, then right by keyboard.
    question = page.widget("Check yourself")
    question.get_by_role("button", name="Geese and Susuki plain 1").click()
    expect(question).to_contain_text("Not so. Both are Susuki, month 8.")
    page.page.keyboard.press("Tab")
    page.page.keyboard.press("Enter")
    expect(question).to_contain_text("Right. The Deer takes the other Maple card")
    page.axe(question)

    # The reader's round. The mouse begins as the lesson advises.
    reader = Reader(page)
    expect(reader.says).to_have_text(re.compile("^Your turn"))
    page.picture("05_before", reader.table)
    assert page.milliseconds(reader.table, "Cherry poetry ribbon, takes Curtain") < 300
    expect(reader.says).to_contain_text("You play Cherry poetry ribbon.")
    reader.skip()
    reader.check("You", "Seat 1")

    # The keyboard goes on: the Lightning, for which a target is to be chosen, and then another card.
    reader.hand.first.focus()
    reader.turn_by_keyboard(reader.place_of("Lightning"))
    reader.check("You", "Seat 1")
    reader.to_the_hand()
    reader.turn_by_keyboard(0)
    reader.check("You", "Seat 1")
    page.axe(reader.table)
    page.picture("05_table", reader.table)

    # To the end, where the score is told line by line.
    while not reader.round.is_terminal:
        reader.turn_by_mouse()
    end = reader.round
    explained = reader.table.get_by_role("table", name="How the score comes about")
    for line, values in (("Points", end.points()), ("Score", end.returns())):
        cells = explained.get_by_role("row", name=re.compile(f"^{line} ")).get_by_role("cell")
        assert cells.all_inner_texts() == [str(value) for value in values]
    page.axe(reader.table)
    page.picture("05_end", reader.table)

    # The questions at the end, all right.
    quiz = page.widget("Check yourself", 2)
    for answer in (
        "Both of them",
        "Seat 1 with 25 to 15",
        "Sake cup",
        "Lay a plain card",
        "Turn up the top card of the pile",
        "Not much",
    ):
        quiz.get_by_role("button", name=answer, exact=True).click()
        expect(quiz.get_by_role("button", name=f"✓ {answer}", exact=True)).to_be_visible()
    expect(quiz).to_contain_text("Right at the first try: 6 of 6.")
    page.axe(quiz)
    page.picture("05_quiz", quiz)

    # On a projector, and on a phone.
    page.command("application:toggle-left-area")
    for width, height in ((1024, 640), (390, 800)):
        page.page.set_viewport_size({"width": width, "height": height})
        page.widget("Game table").evaluate("node => node.scrollIntoView()")
        page.picture(f"05_{width}")
    page.page.set_viewport_size({"width": 1280, "height": 1000})
    page.command("application:toggle-left-area")
