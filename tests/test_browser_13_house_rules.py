"""Lesson 13 in a real browser: the table of house rules by mouse, then by keyboard alone, on screens of three sizes."""

import pytest

pytest.importorskip("playwright")

from playwright.sync_api import expect

from sakura import Rules, house_rules


def test_lesson_13(lab, visit):
    page = visit(lab, "13_house_rules", run=False)
    run_to_the_table(page)
    by_mouse(page)
    by_keyboard(page)
    sizes(page)


def run_to_the_table(page):
    """The cells up to the widget: the long ones after it are run elsewhere, and would keep it waiting."""
    below = page.page.evaluate("""() => {
        const notebook = window.jupyterapp.shell.currentWidget.content;
        const shown = notebook.widgets.findIndex((cell) => cell.model.sharedModel.source.startsWith("RulesTable("));
        notebook.activeCellIndex = shown + 1;
        return shown + 1;
    }""")
    assert below > 0
    page.command("notebook:run-all-above")


def measured(rules, base=None):
    """The words of the table for another winner."""
    return f"another winner–{house_rules.effects(rules, base, rounds=20_000, seed=1).other_winner:.1%} of rounds"


def by_mouse(page):
    table = page.widget("House rules")
    says = table.get_by_role("status")
    expect(table).to_contain_text(
        "There is no hiki: whoever has all four cards of a suit plays them one by one, and none is safe from a wild "
        "Lightning (WP)."
    )
    expect(table).to_contain_text("The Lightning is an ordinary Willow card")
    row = table.get_by_role("row", name="another winner")
    expect(row).to_have_text(measured(Rules(hiki=False, lightning="plain")))

    table.get_by_role("combobox", name="The Lightning", exact=True).select_option("sweep")
    expect(row).to_have_text(measured(Rules(hiki=False)))
    expect(says).to_contain_text("More: yaku made, cards captured, turns; less: dealer's lead")
    expect(table).not_to_contain_text("The Lightning is an ordinary Willow card")
    table.get_by_label("Hiki: whoever").check()
    expect(says).to_have_text("These are Hawaii's rules. Choose others, and see what they change.")

    # What cannot matter is said, and kept until it does.
    table.get_by_label("Chu: a victory").check()
    expect(table).to_contain_text("This changes nothing here: it counts only where a match is won by victories.")
    table.get_by_label("A match is won by").select_option("rounds")
    expect(table).to_contain_text("What changes in a match of 6 rounds")
    expect(table.get_by_label("Chu: a victory")).to_be_checked()
    table.get_by_text("What is measured?").click()
    expect(table.get_by_text("the best score less the next")).to_be_visible()
    table.get_by_label("High contrast").check()
    page.axe(table)
    table.get_by_label("Players").select_option("4")
    expect(table.get_by_label("10 cards in each hand")).to_have_count(0)
    expect(table).to_contain_text("players=4, match_scoring='rounds', chu=True against players=4")
    page.picture("13_four_players", table)


def by_keyboard(page):
    table = page.widget("House rules")
    says = table.get_by_role("status")
    keyboard, focused = page.page.keyboard, page.page.locator(":focus")
    page.type(table.get_by_label("Seed"), "x")
    expect(table.locator(".sakura-error")).to_have_text("The seed: a whole number is needed, got 'x'")
    page.type(table.get_by_label("Seed"), "1")
    expect(table.locator(".sakura-error")).to_have_count(0)
    table.get_by_label("Players").focus()
    keyboard.press("Home")
    expect(table.get_by_label("10 cards in each hand")).to_have_count(1)
    expect(table.get_by_label("Players")).to_be_focused()
    for _ in range(5):  # past the other choices for the measuring, to the first of the rules
        keyboard.press("Tab")
    keyboard.press("ArrowDown")
    expect(focused).to_have_value("hawaii")
    expect(says).to_have_text("These are Hawaii's rules. Choose others, and see what they change.")
    for _ in range(4):
        keyboard.press("Tab")
    keyboard.press("ArrowDown")
    expect(says).to_have_text("The same side wins every round. More: score of a side.")
    expect(focused).to_have_value("bonus")
    for _ in range(2):
        keyboard.press("Tab")
    keyboard.press("Space")
    expect(focused).not_to_be_checked()
    expect(table.get_by_role("row", name="another winner")).to_have_text(measured(Rules(hiki=False, yaku="bonus")))


def sizes(page):
    """Nothing may stick out of the widget, whatever the size of the screen."""
    page.command("application:toggle-left-area")
    for width, height in ((1280, 1000), (1024, 640), (390, 844)):
        page.page.set_viewport_size({"width": width, "height": height})
        table = page.widget("House rules")
        table.evaluate("node => node.scrollIntoView({ block: 'start' })")
        page.page.wait_for_timeout(300)
        assert table.evaluate("node => node.scrollWidth <= node.clientWidth"), f"cut off at {width} pixels"
        page.picture(f"13_table_{width}")
    page.axe(table)
