"""Lesson 03 in JupyterLab: the turn trainer by mouse, then by keyboard alone, and the quiz at the end."""

import pytest

pytest.importorskip("playwright")

from playwright.sync_api import expect

PLACES, TWO, HIKI, WILLOW, PROTECTED, LAST = 0, 3, 7, 9, 10, 13


def test_a_turn(lab, visit):
    page = visit(lab, "03_a_turn")
    press, focused = page.page.keyboard.press, page.page.locator(":focus")

    def click(widget, *names):
        for name in names:
            widget.get_by_role("button", name=name, exact=True).click()

    # The mouse: a wrong card, the right one, the choice of two, and on.
    trainer = page.widget("Turn trainer", TWO)
    says = trainer.get_by_role("status")
    click(trainer, "Crane")
    expect(says).to_contain_text("Not so. That is legal, but not what is asked for here. No Pine lies on the field")
    # Chosen, put back, chosen: the quickest, as other programs may be busy, too.
    assert min(page.milliseconds(trainer, "Moon") for _ in range(3)) < 300
    expect(says).to_have_text("Moon is chosen: click the card that it captures.")
    page.picture("03_chosen", trainer)
    click(trainer, "Geese")
    expect(says).to_contain_text("Right. Two Susuki grass cards lie there, so you choose")
    expect(trainer.get_by_text("Right at the first try: 0 of 1")).to_be_visible()
    page.picture("03_right", trainer)
    page.axe(trainer)
    click(trainer, "Next position", "Show me")
    expect(trainer.get_by_text("You may:")).to_be_visible()
    page.axe(trainer)
    page.picture("03_show_me", trainer)

    # What the Lightning may not do, and why.
    trainer = page.widget("Turn trainer", WILLOW)
    says = trainer.get_by_role("status")
    click(trainer, "Lightning", "Leave it on the field")
    expect(says).to_contain_text("Not so. The Lightning may not stay on the field: the Rain man is a Willow")
    click(trainer, "Lightning", "Bridge")
    expect(says).to_contain_text("When the round ends, the Iris cards left on the field are yours, too.")

    # The keyboard: from the list of topics to the field, to the hand, and to the buttons.
    trainer = page.widget("Turn trainer", HIKI)
    says = trainer.get_by_role("status")
    trainer.get_by_role("combobox", name="Topic").focus()
    press("Tab")
    expect(focused).to_have_attribute("aria-label", "Susuki plain 1")
    press("Tab")
    press("ArrowRight")
    expect(focused).to_have_attribute("aria-label", "Geese")
    press("Enter")
    expect(says).to_have_text("Geese is chosen: click the card that it captures, or declare hiki.")
    press("Tab")
    press("Tab")
    expect(focused).to_have_text("Declare hiki")
    press("Enter")
    expect(says).to_contain_text("Right. All four Susuki grass cards were in your hand and on the field")
    expect(focused).to_have_text("Next position")
    press("Enter")
    expect(says).to_contain_text("A new position.")

    trainer = page.widget("Turn trainer", PROTECTED)
    says = trainer.get_by_role("status")
    trainer.get_by_role("combobox", name="Topic").focus()
    chosen = "Lightning is chosen: click the card that it captures, or leave it on the field."
    for keys, answer in (
        (("Tab", "Tab", "Enter"), chosen),
        (("Shift+Tab", "Enter"), "Not so. Seat 1 holds all other Iris cards: a hiki is protected from the Lightning."),
        (("Tab", "Enter"), chosen),
        (("Tab", "Tab", "Tab", "Enter"), "Right. Bridge is protected by a hiki, and there is nothing to take"),
    ):
        for key in keys:
            press(key)
        expect(says).to_contain_text(answer)
    page.axe(trainer)
    page.picture("03_protected", trainer)

    # A position of one's own, and a question about the score.
    trainer = page.widget("Turn trainer", PLACES)
    click(trainer, "Deer", "Once more", "Moon")
    expect(trainer.get_by_role("status")).to_contain_text("Right. Geese is a Susuki grass, too: the Moon captures it.")
    page.picture("03_places", trainer)
    trainer = page.widget("Turn trainer", LAST)
    trainer.get_by_role("combobox", name="Topic").select_option("score")
    click(trainer, "You: 45, Seat 1: 30")
    expect(trainer.get_by_role("status")).to_contain_text("Not so. These are the points alone.")
    click(trainer, "You: 45, Seat 1: −20")
    expect(trainer.get_by_text("Seat 1: 30 − 50 = −20.")).to_be_visible()
    page.axe(trainer)
    page.picture("03_score", trainer)

    quiz = page.widget("Check yourself")
    for answer in ("You capture the ribbon, and both are yours", "You choose one", "Two later hand steps"):
        click(quiz, answer)
    click(quiz, "Leave the Lightning there", "No", "The Maple")
    expect(quiz.get_by_text("Right at the first try: 6 of 6.")).to_be_visible()

    # A projector, and a telephone.
    page.command("application:toggle-left-area")
    for width, height in ((1024, 640), (390, 844)):
        page.page.set_viewport_size({"width": width, "height": height})
        trainer = page.widget("Turn trainer", TWO)
        trainer.evaluate("node => node.scrollIntoView()")
        page.picture(f"03_{width}")
        assert trainer.evaluate("node => node.scrollWidth <= node.clientWidth")
