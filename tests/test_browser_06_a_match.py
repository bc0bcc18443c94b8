"""Lesson 06 in JupyterLab: a reader answers its questions, plays in a team and then a match, by mouse and keyboard."""

import re

import pytest

pytest.importorskip("playwright")

from playwright.sync_api import expect

from reader_at_table import Reader


def test_a_reader_goes_through_the_lesson(lab, visit):
    page = visit(lab, "06_a_match")

    # The first question: wrong by mouse, then right by keyboard.
    question = page.widget("Check yourself")
    question.get_by_role("button", name="Seat 1", exact=True).click()
    expect(question).to_contain_text("Not so. The Geese are month 8")
    page.page.keyboard.press("Tab")
    page.page.keyboard.press("Enter")
    expect(question).to_contain_text("Right. Seats 0 and 2 have both drawn month 5.")
    page.axe(question)

    # In a team. Nobody else's hand is told, the partner's no more than the opponents'.
    team = Reader(page, 0)
    log = team.table.get_by_role("group", name="Log")
    expect(log).to_contain_text("You are dealt Pine plain 2")
    expect(log).not_to_contain_text(re.compile(r"Seat \d is dealt"))
    team.turn_by_mouse(team.place_of("Cherry poetry ribbon"))
    team.check("Your side", "Side 1")
    team.hand.first.focus()
    team.turn_by_keyboard(1)
    team.check("Your side", "Side 1")
    page.axe(team.table)
    page.picture("06_team", team.table)

    # A match: the first round to its end by mouse, on to the next by keyboard. The winner deals it.
    reader = Reader(page, 1)
    while not reader.round.is_terminal:
        reader.turn_by_mouse()
    result = reader.match.results[0]
    on = reader.table.get_by_role("button", name="Next round")
    page.axe(reader.table)
    page.picture("06_round_over", reader.table)
    on.focus()
    page.page.keyboard.press("Enter")
    expect(reader.table).to_contain_text("Round 2 of 3")
    assert reader.round.dealer == result.next_dealer and reader.match.totals == list(result.returns)
    dealer = reader.table.get_by_role("group", name=["You", "Seat 1"][result.winner], exact=True)
    expect(dealer).to_contain_text("dealer")
    page.picture("06_round_two", reader.table)

    # The house rules are where the lesson says.
    reader.table.get_by_text("House rules, players and seed").click()
    expect(reader.table.get_by_role("button", name="Deal with these rules")).to_be_visible()
    page.axe(reader.table)
    page.picture("06_house_rules", reader.table)

    # The questions at the end, all right.
    quiz = page.widget("Check yourself", 6)
    for answer in (
        "It depends on how we count",
        "In Seat 3",
        "Our team has yaku Ro",
        "I do",
        "One round does not tell",
    ):
        quiz.get_by_role("button", name=answer, exact=True).click()
        expect(quiz.get_by_role("button", name=f"✓ {answer}", exact=True)).to_be_visible()
    expect(quiz).to_contain_text("Right at the first try: 5 of 5.")
    page.axe(quiz)

    # On a projector, and on a phone.
    page.command("application:toggle-left-area")
    for width, height in ((1024, 640), (390, 800)):
        page.page.set_viewport_size({"width": width, "height": height})
        page.widget("Game table").evaluate("node => node.scrollIntoView()")
        page.picture(f"06_{width}")
    page.page.set_viewport_size({"width": 1280, "height": 1000})
    page.command("application:toggle-left-area")
