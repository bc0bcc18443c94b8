"""Lesson 04 in a real browser: the yaku board by mouse, then by keyboard alone; the quiz; the sizes of a screen."""

import pytest

pytest.importorskip("playwright")

from playwright.sync_api import expect


def test_lesson_04(lab, visit):
    page = visit(lab, "04_the_yaku")
    by_mouse(page)
    by_keyboard(page)
    three_sides(page)
    quiz(page)
    sizes(page)


def by_mouse(page):
    board = page.widget("Yaku board")
    says = board.get_by_role("status")
    for ribbon in ("Pine poetry ribbon", "Plum poetry ribbon", "Cherry poetry ribbon"):
        board.get_by_role("button", name=ribbon).click()
        expect(says).to_contain_text(ribbon)
    expect(says).to_have_text(
        "Side A takes Cherry poetry ribbon. Side A has made Ha (Poetry ribbons). Scores: Side A 30, Side B −50."
    )
    yaku = board.get_by_role("group", name="Ha (Poetry ribbons)")
    expect(yaku.get_by_role("meter")).to_have_attribute("aria-valuenow", "1.000")
    expect(yaku).to_contain_text("Side A has it: −50 for Side B.")

    # The other side takes one of them: the yaku is broken, and blocked for both.
    board.get_by_role("button", name="Side B: ").click()
    yaku.get_by_role("button", name="Plum poetry ribbon").click()
    expect(yaku).to_contain_text("Blocked for all: Side A has Pine poetry ribbon and Cherry poetry ribbon, Side B has")
    expect(yaku.get_by_role("button", name="Plum poetry ribbon, 10 points, Side B has it")).to_be_focused()
    board.get_by_role("button", name="Undo").click()
    expect(yaku).to_contain_text("Side A has it")

    # A double click is one click; what is pointed at tells its name.
    moon = board.get_by_role("button", name="Moon")
    moon.dblclick()
    expect(says).to_contain_text("Side B takes Moon.")
    moon.hover()
    expect(board.get_by_text("Moon, 20 points", exact=True)).to_be_visible()

    board.get_by_role("button", name="Example: one yaku").click()
    expect(says).to_have_text("Side A has one yaku. Scores: Side A 45, Side B −20.")
    expect(board.get_by_role("row", name="Score")).to_have_text("Score45−20")
    board.get_by_label("House rule").select_option("bonus")
    expect(board.get_by_role("row", name="Score")).to_have_text("Score9530")
    page.axe(board)
    # The quickest of three, as the computer may be busy with something else.
    untouched = ("Phoenix, 20 points", "Swallow, 5 points", "Rain man, 5 points")
    assert min(page.milliseconds(board, f"{card}, nobody has it") for card in untouched) < 300


def by_keyboard(page):
    board = page.widget("Yaku board", 1)
    says = board.get_by_role("status")
    keyboard, focused = page.page.keyboard, page.page.locator(":focus")
    board.get_by_role("button", name="Side A: ").focus()
    for _ in range(3):  # past Undo and Clear
        keyboard.press("Tab")
    expect(focused).to_have_attribute("aria-label", "Curtain, 20 points, nobody has it")
    keyboard.press("Enter")
    expect(says).to_have_text(
        "Side A takes Curtain. Side A has made I (Drinking). Side A has made Ro (Spring). "
        "Scores: Side A 70, Side B −100."
    )
    expect(focused).to_have_attribute("aria-label", "Curtain, 20 points, Side A has it")
    keyboard.press("ArrowDown")
    expect(focused).to_have_attribute("aria-label", "Butterflies, 5 points, nobody has it")
    keyboard.press("ArrowUp")
    keyboard.press("ArrowRight")
    expect(focused).to_have_attribute("aria-label", "Moon, 20 points, Side A has it")
    keyboard.press("Space")
    expect(says).to_contain_text("Side A puts Moon back. Side A no longer has I (Drinking).")
    keyboard.press("End")
    expect(focused).to_have_attribute("aria-label", "Deer, 5 points, nobody has it")

    # Back to the sides, and from there to the other ways to fill the board.
    for _ in range(3):
        keyboard.press("Shift+Tab")
    keyboard.press("ArrowRight")
    keyboard.press("Enter")
    expect(says).to_have_text("Side B takes the cards that you click.")
    keyboard.press("Tab")
    expect(focused).to_have_text("Undo")
    keyboard.press("Enter")
    expect(says).to_have_text("The last change is undone. Scores: Side A 70, Side B −100.")
    for name in ("Clear", None, None, "Deal out at random"):
        keyboard.press("Tab")
        if name:
            expect(focused).to_have_text(name)
    keyboard.press("Enter")
    expect(says).to_contain_text("18 cards are dealt out at random, by seed 1.")
    keyboard.press("Tab")
    expect(focused).to_have_value("1")
    keyboard.type("x")
    keyboard.press("Enter")
    expect(board.locator(".sakura-error")).to_contain_text("the seed must be a whole number, such as 7")
    page.type(board.get_by_label("Seed"), "7")
    expect(says).to_contain_text("by seed 7.")
    keyboard.press("Tab")
    keyboard.press("Enter")
    expect(says).to_have_text("Side A has one yaku. Scores: Side A 45, Side B −20.")
    for _ in range(3):
        keyboard.press("Tab")
    keyboard.press("ArrowDown")
    expect(says).to_have_text("The house rule is bonus now. Scores: Side A 95, Side B 30.")


def three_sides(page):
    board = page.widget("Yaku board", 4)
    row = board.get_by_role("row", name="Score")
    expect(row).to_have_text("Score−5−80−20")
    board.get_by_role("button", name="Side B: ").click()
    board.get_by_role("button", name="Sake cup").first.click()
    expect(row).to_have_text("Score−10−2530")
    board.get_by_role("button", name="Deal out at random").click()
    expect(board.get_by_role("status")).to_contain_text("by seed 1.")
    board.get_by_label("Learning aids").check()
    page.picture("04_three_sides")


def quiz(page):
    quiz = page.widget("Check yourself", 2)
    quiz.get_by_role("button", name="Crane").click()
    expect(quiz.get_by_role("status")).to_contain_text("Not so.")
    for answer in ("Sake cup", "Boar", "Curtain", "The Bridge", "−40", "The scores, but not the lead"):
        quiz.get_by_role("button", name=answer).click()
        expect(quiz.get_by_role("status")).to_contain_text("Right.")
    expect(quiz).to_contain_text("Right at the first try: 5 of 6.")


def sizes(page):
    """Nothing may stick out of the widget, whatever the size of the screen."""
    page.command("application:toggle-left-area")
    for width, height in ((1280, 1000), (1024, 640), (390, 844)):
        page.page.set_viewport_size({"width": width, "height": height})
        board = page.widget("Yaku board", 3)
        board.evaluate("node => node.scrollIntoView({ block: 'start' })")
        page.page.wait_for_timeout(300)
        assert board.evaluate("node => node.scrollWidth <= node.clientWidth"), f"cut off at {width} pixels"
        page.picture(f"04_board_{width}")
    page.axe(board)
