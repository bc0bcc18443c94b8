"""The second lesson in JupyterLab: deals on the deal table, by mouse and by keyboard alone."""

from collections.abc import Callable

import pytest

pytest.importorskip("playwright")

from playwright.sync_api import Locator, expect

from sakura import CARDS, Round, Rules
from sakura.match import draw_dealer

TABLES = 6


@pytest.fixture
def lesson(lab: object, visit: Callable[..., object]) -> object:
    page = visit(lab, "02_the_deal")
    expect(page.page.locator("section.sakura")).to_have_count(TABLES + 1)
    return page


def test_the_second_lesson(lesson: object) -> None:
    a_deal_by_mouse(lesson, lesson.widget("Deal table", 1))
    a_deal_by_keyboard(lesson, lesson.widget("Deal table", 1))
    the_draw_for_the_dealer(lesson, lesson.widget("Deal table", 0))
    four_of_a_suit(lesson, lesson.widget("Deal table", 4))
    a_thousand_deals(lesson, lesson.widget("Deal table", 5))
    what_is_wrong_is_said(lesson.widget("Deal table", 5), lesson)
    the_quiz(lesson, lesson.widget("Check yourself"))
    on_a_projector_and_on_a_phone(lesson)


def names(table: Locator, where: str) -> list[str]:
    """The cards that lie face up there."""
    cards = table.locator(where).get_by_role("img")
    return [name for name in (card.get_attribute("aria-label") for card in cards.all()) if "face down" not in name]


def expect_dealt(table: Locator, rnd: Round) -> None:
    """The table shows these very hands and this field."""
    seats = table.locator(".sakura-deal-seat")
    expect(seats).to_have_count(rnd.rules.players)
    assert sorted(names(table, ".sakura-deal-field")) == sorted(CARDS[card].name for card in rnd.field)
    for seat in range(rnd.rules.players):
        dealt = rnd.hands[seat] | rnd.captured[seat]
        assert sorted(names(table, f".sakura-deal-seat:nth-child({seat + 2})")) == sorted(CARDS[c].name for c in dealt)


def a_deal_by_mouse(page: object, table: Locator) -> None:
    says, forward = table.get_by_role("status"), table.get_by_role("button", name="Deal a packet")
    packets = Round(seed=1).packets
    for number, packet in enumerate(packets, 1):
        forward.click()
        expect(says).to_have_text(f"Packet {number} of 6: {packet}")
        if number == 4:
            page.picture("02_packets", table)
    expect(forward).to_have_attribute("aria-disabled", "true")
    expect_dealt(table, Round(seed=1))
    table.get_by_role("button", name="Back").click()
    expect(says).to_have_text(f"Taken back. Packet 5 of 6: {packets[4]}")
    expect(table.locator(".sakura-deal-plan")).to_contain_text("▶ 4")
    table.get_by_role("button", name="Start again").click()
    expect(says).to_have_text("All cards are back. Seed 1 shuffles them as before.")
    # Timed once the first click of each kind is over.
    times = [page.milliseconds(table, name) for name in ("Deal a packet ▶", "◀ Back one packet", "Deal all ▶▶")]
    assert max(times) < 300, times
    page.axe(table)

    # Seats lie counter-clockwise: the one after the lowest is at the right, the last at the left.
    table.get_by_label("Players").select_option("7")
    expect(says).to_have_text("7 players, Seat 0 deals, seed 1. The pack is shuffled.")
    table.get_by_role("button", name="Deal all").click()
    expect(says).to_contain_text("Everything is dealt")
    expect_dealt(table, Round(Rules(players=7), seed=1))
    boxes = [seat.bounding_box() for seat in table.locator(".sakura-deal-seat").all()]
    assert boxes[1]["x"] > boxes[0]["x"] > boxes[6]["x"]
    assert boxes[0]["y"] > boxes[1]["y"] > boxes[2]["y"] > boxes[3]["y"]
    assert boxes[3]["x"] > boxes[4]["x"] and boxes[4]["y"] < boxes[5]["y"] < boxes[6]["y"] < boxes[0]["y"]
    page.axe(table)
    page.picture("02_seven", table)


def a_deal_by_keyboard(page: object, table: Locator) -> None:
    """From the list of players on with Tab, letters, arrows, space and Enter."""
    says, press = table.get_by_role("status"), page.page.keyboard.press
    focused = page.page.locator(":focus")
    table.get_by_label("Players").focus()
    press("4")
    expect(says).to_have_text("4 players, Seat 0 deals, seed 1. The pack is shuffled.")
    press("Tab")
    press("ArrowDown")
    expect(says).to_have_text("4 players, Seat 1 deals, seed 1. The pack is shuffled.")
    press("Tab")
    expect(focused).to_have_text("Draw for the dealer")
    press("Tab")
    press("ControlOrMeta+a")
    page.page.keyboard.type("77")
    press("Enter")
    expect(says).to_have_text("4 players, Seat 1 deals, seed 77. The pack is shuffled.")
    for _ in range(4):
        press("Tab")
    expect(focused).to_have_text("Deal a packet ▶")
    rnd = Round(Rules(players=4), seed=77, dealer=1)
    for number, packet in enumerate(rnd.packets, 1):
        press("Enter" if number % 2 else "Space")
        expect(says).to_have_text(f"Packet {number} of 10: {packet}")
        expect(focused).to_have_text("Deal a packet ▶")
    expect_dealt(table, rnd)
    press("Shift+Tab")
    press("Space")
    expect(says).to_contain_text("Taken back. Packet 9 of 10")
    for _ in range(2):
        press("Tab")
    expect(focused).to_have_text("Deal all ▶▶")
    press("Enter")
    expect(says).to_contain_text("Everything is dealt: 8 cards to the field, 5 to each hand, 20 are left")
    press("Tab")
    press("Enter")
    expect(says).to_have_text("All cards are back. Seed 77 shuffles them as before.")
    expect(focused).to_have_text("Start again")


def the_draw_for_the_dealer(page: object, table: Locator) -> None:
    says, draw = table.get_by_role("status"), table.get_by_role("button", name="Draw for the dealer")
    for _ in range(2):
        draw.click()
        expect(says).to_contain_text("deals.")
        expect(says).not_to_contain_text("tie")
    draw.click()
    expect(says).to_contain_text("tie and draw again.")
    panel = table.locator(".sakura-panel").first
    expect(panel).to_contain_text("tie and draw again.")
    dealer = table.get_by_role("combobox", name="Dealer", exact=True).input_value()
    expect(panel).to_contain_text(f"Seat {dealer} deals.")
    expect(table.get_by_text(f"Seat {dealer}, dealer")).to_be_visible()
    assert draw_dealer(3, 1).dealer == 2  # what the lesson prints above
    page.axe(table)
    page.picture("02_draw", table)


def four_of_a_suit(page: object, table: Locator) -> None:
    says = table.get_by_role("status")
    expect(table.locator(".sakura-deal-seat").first).to_contain_text("Taken at once:")
    expect_dealt(table, Round(Rules(players=6), seed=29))
    page.picture("02_four", table)
    table.get_by_role("button", name="Back").click()
    expect(says).to_contain_text("Packet 14 of 14")
    assert "Curtain" in names(table, ".sakura-deal-field")
    table.get_by_label("Four of a suit on the field").select_option("redeal")
    table.get_by_role("button", name="Deal all").click()
    expect(says).to_contain_text("All four of Cherry blossom lie on the field: this deal does not count.")
    expect_dealt(table, Round(Rules(players=6, four_on_field="redeal"), seed=29))


def a_thousand_deals(page: object, table: Locator) -> None:
    assert page.milliseconds(table, "Deal 1,000 times") < 1000
    says = table.get_by_role("status")
    expect(says).to_have_text("Dealt 1,000 times with seed 1. The table says what fell together.")
    panel = table.locator(".sakura-deal-odds")
    # The numbers that the lesson prints above.
    expect(panel).to_contain_text("85.0% [82.7%, 87.1%]")
    expect(panel.get_by_role("meter")).to_have_count(6)
    table.get_by_label("10 cards each").check()
    expect(says).to_contain_text("The pack is shuffled.")
    expect(panel.get_by_role("meter")).to_have_count(0)
    table.get_by_role("button", name="Deal 1,000 times").focus()
    page.page.keyboard.press("Enter")
    expect(panel.get_by_role("meter")).to_have_count(6)
    expect(panel).to_contain_text("rules: players=2, hand=10")
    page.axe(table)
    page.picture("02_odds", panel)


def what_is_wrong_is_said(table: Locator, page: object) -> None:
    page.type(table.get_by_label("Seed"), "seven")
    expect(table.locator(".sakura-error")).to_have_text("seed must be a whole number, got 'seven'")
    expect(table.get_by_label("Seed")).to_have_value("1")
    page.axe(table)
    page.type(table.get_by_label("Seed"), "7")
    expect(table.locator(".sakura-error")).to_have_count(0)
    expect(table.get_by_label("Seed")).to_have_value("7")


def the_quiz(page: object, quiz: Locator) -> None:
    for answer in ("Seat 0", "Seat 3", "1", "8", "The dealer takes them", "5 out of 48"):
        quiz.get_by_role("button", name=answer, exact=True).click()
        expect(quiz.get_by_role("status")).to_contain_text("Right.")
    expect(quiz).to_contain_text("Right at the first try: 6 of 6.")


def on_a_projector_and_on_a_phone(page: object) -> None:
    page.command("application:toggle-left-area")
    for width, height in ((1024, 640), (390, 844)):
        page.page.set_viewport_size({"width": width, "height": height})
        page.page.wait_for_timeout(300)
        for nth, name in ((1, "two"), (2, "seven")):
            table = page.widget("Deal table", nth)
            table.get_by_role("button", name="Deal a packet").evaluate("node => node.scrollIntoView()")
            assert table.evaluate("node => node.scrollWidth <= node.clientWidth")
            page.picture(f"02_{name}_{width}")
    page.page.set_viewport_size({"width": 1280, "height": 1000})
