"""Whole rounds at the game table, played in a real browser by what can be read on the page."""

import json
import statistics

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

pytest.importorskip("playwright")

from playwright.sync_api import expect

from sakura import Match

# At the first of these tables the hand dealt has a choice of two, the Lightning and a hiki.
CELLS = [
    "from sakura import Rules\nfrom sakura.widgets import GameTable",
    "GameTable(seed=489, rounds=1, dealer=0)",
    "GameTable(Rules(players=4, teams=2), seed=5, rounds=1)",
    "GameTable(Rules(players=7), seed=4, rounds=1)",
]
SIDES = [2, 2, 7]
TITLE = "Game table"

# What the person can do next, as the page shows it.
_NOW = """widget => {
    if (widget.querySelector(".sakura-game-end")) return "over";
    if (widget.querySelector("button.sakura-target")) return "target";
    return widget.querySelector(".sakura-game-cards button:not([aria-disabled])") ? "hand" : "wait";
}"""
_USE = {
    "wait": "Skip",
    "hand": ".sakura-game-cards button:not([aria-disabled])",
    "target": "button.sakura-target",
}


@pytest.fixture(scope="module")
def written(request):
    """Writes the notebook into a server's folder, and gives its name."""

    def write(server, cells):
        kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
        notebook = new_notebook(metadata={"kernelspec": kernel}, cells=[new_code_cell(source) for source in cells])
        nbformat.write(notebook, server.folder / "tables.ipynb")
        return "tables"

    return write


def now(widget):
    return widget.evaluate(_NOW)


def until_changed(page, widget, was):
    for _ in range(500):
        if now(widget) != was:
            return
        page.page.wait_for_timeout(20)
    raise AssertionError(f"still {was}: {widget.get_by_role('status').inner_text()}")


def found(widget, what):
    if what == "wait":
        return widget.get_by_role("button", name="Skip", exact=True)
    return widget.locator(_USE[what]).first


def by_mouse(page, widget):
    """Play the round to its end, clicking whatever is marked first."""
    while (what := now(widget)) != "over":
        found(widget, what).click()
        until_changed(page, widget, what)


def by_keyboard(page, widget):
    """The same with nothing but Tab, the arrows and Enter."""
    widget.get_by_role("button", name="Undo", exact=True).focus()
    while (what := now(widget)) != "over":
        tab_to(page, found(widget, what))
        page.page.keyboard.press("Enter")
        until_changed(page, widget, what)
        assert widget.evaluate("node => node.contains(document.activeElement)"), "the focus is lost"


# Which key leads on to the control wanted: Tab, but in a row of cards, where Tab stops once, the arrow keys.
_KEY = """node => {
    const here = document.activeElement;
    if (node === here) return null;
    if (node.closest("[data-arrows]")?.contains(here)) return "ArrowRight";
    const below = here.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING;
    return below ? "Tab" : "Shift+Tab";
}"""


def tab_to(page, wanted):
    for _ in range(80):
        key = wanted.evaluate(_KEY)
        if key is None:
            return
        page.page.keyboard.press(key)
    raise AssertionError("no key leads there")


def check_score(page, widget, sides):
    """The score shown is that of the same actions played again by a `Match` from the file that Save gives."""
    with page.page.expect_download() as waiting:
        widget.get_by_role("button", name="Save", exact=True).click()
    data = json.loads(waiting.value.path().read_text())
    rnd = Match.from_dict(data).round
    assert rnd.is_terminal
    row = widget.locator(".sakura-game-end tr", has=page.page.get_by_role("rowheader", name="Score", exact=True))
    assert [int(cell.replace("−", "-")) for cell in row.get_by_role("cell").all_inner_texts()] == rnd.returns()
    assert len(rnd.returns()) == sides
    return data


def quiet(page):
    """The notebook as it is shown to a class: without JupyterLab's side bar."""
    page.command("application:toggle-left-area")


def at_size(page, widget, width, height, name):
    page.page.set_viewport_size({"width": width, "height": height})
    page.page.wait_for_timeout(100)
    widget.evaluate("node => node.scrollIntoView({ block: 'start' })")
    page.page.wait_for_timeout(100)
    inside = widget.evaluate("node => [node.scrollWidth - node.clientWidth, node.clientWidth]")
    assert inside[0] <= 0, f"something sticks out at {width}: {inside}"
    page.picture(name)


def test_rounds_in_jupyterlab_by_mouse_and_by_keyboard_alone(lab, written, visit):
    page = visit(lab, written(lab, CELLS))
    tables = [page.widget(TITLE, nth) for nth in range(3)]
    first = tables[0]
    expect(first).to_be_visible()
    quiet(page)
    at_size(page, first, 1024, 640, "game_1_start_projector")
    page.axe(first)

    # A choice of two is marked, called off, and made; the Lightning likewise.
    hand = first.get_by_role("group", name="Your hand")
    hand.get_by_role("button", name="Crane").hover()
    expect(first.locator(".sakura-hint:visible")).to_contain_text("takes")
    hand.get_by_role("button", name="Crane").click()
    expect(first.locator("button.sakura-target")).to_have_count(2)
    at_size(page, first, 1024, 640, "game_2_choice_of_two")
    first.get_by_role("button", name="Cancel").click()
    expect(first.locator("button.sakura-target")).to_have_count(0)
    hand.get_by_role("button", name="Lightning").click()
    expect(first.get_by_role("button", name="Take nothing")).to_be_visible()
    at_size(page, first, 1024, 640, "game_3_lightning")
    first.get_by_role("button", name="Cancel").click()
    at_size(page, first, 390, 844, "game_4_phone")
    page.page.set_viewport_size({"width": 1280, "height": 1000})

    # From click to drawn answer, a card of the hand and back.
    took = [page.milliseconds(first, name) for name in ("Pause", "Go on", "Pause", "Go on", "Pause", "Go on")]
    assert statistics.median(took) < 300, took

    # A double click plays one card; a click while others play says so.
    plain = hand.locator("button.sakura-lays").first
    plain.dblclick()
    expect(first.get_by_role("status")).to_contain_text("You play")
    assert hand.get_by_role("button").count() == 7
    hand.get_by_role("button").first.click(force=True)
    expect(first.get_by_role("status")).to_contain_text("turn")
    at_size(page, first, 1280, 1000, "game_5_step")

    # The cell run again in the middle of the round.
    page.run_all()
    page.page.wait_for_timeout(1500)
    assert hand.get_by_role("button").count() == 7
    expect(page.page.locator(f"section.sakura[aria-label='{TITLE}']")).to_have_count(3)

    # Left alone, but seen, the steps go on by themselves up to the person's turn.
    page.widget(TITLE)
    first.get_by_label("Pace").select_option("fast")
    until_changed(page, first, "wait")
    expect(first.get_by_role("status")).to_contain_text("Your turn: play a card")

    for nth, name in enumerate(("two", "teams", "seven")):
        table = page.widget(TITLE, nth)
        by_mouse(page, table)
        check_score(page, table, SIDES[nth])
        at_size(page, table, 1024, 640, f"game_6_end_{name}_projector")
    page.axe(table)
    at_size(page, table, 390, 844, "game_6_end_seven_phone")
    page.page.set_viewport_size({"width": 1280, "height": 1000})

    for nth in range(3):
        table = page.widget(TITLE, nth)
        again = table.get_by_role("button", name="New deal").first
        again.focus()
        page.page.keyboard.press("Enter")
        until_changed(page, table, "over")
        by_keyboard(page, table)
        check_score(page, table, SIDES[nth])


def test_the_coach_by_mouse_and_by_keyboard_and_a_mistake_played_again(lab, written, visit):
    page = visit(lab, written(lab, [CELLS[0], "GameTable(Rules(hand=4), seed=5, rounds=1, dealer=0)"]))
    table = page.widget(TITLE)
    quiet(page)
    table.get_by_label("Coach").select_option("hint")
    table.get_by_role("button", name="Hint", exact=True).click()
    # The first time on a machine it has to be compiled.
    expect(table.locator(".sakura-game-nudge")).to_contain_text("Hint:", timeout=120_000)
    at_size(page, table, 1024, 640, "game_9_hint_projector")
    tab_to(page, table.get_by_role("button", name="Answer", exact=True))
    page.page.keyboard.press("Enter")
    answers = table.get_by_role("group", name="What each move is worth")
    expect(answers.get_by_role("listitem").first).to_contain_text("best: ")
    assert table.evaluate("node => node.contains(document.activeElement)"), "the focus is lost"
    page.axe(table)
    at_size(page, table, 1280, 800, "game_9_answers")
    at_size(page, table, 390, 844, "game_9_answers_phone")
    page.page.set_viewport_size({"width": 1280, "height": 1000})

    by_mouse(page, table)
    tab_to(page, table.get_by_role("button", name="Look back with the coach"))
    page.page.keyboard.press("Enter")
    review = table.get_by_role("group", name="Looking back")
    expect(review).to_contain_text("Your margin")
    table.get_by_text("All your decisions").click()
    page.axe(table)
    at_size(page, table, 1024, 640, "game_9_review_projector")
    at_size(page, table, 390, 844, "game_9_review_phone")
    page.page.set_viewport_size({"width": 1280, "height": 1000})

    tab_to(page, review.get_by_role("button", name="Play it again").first)
    page.page.keyboard.press("Enter")
    expect(table.locator(".sakura-game-caption")).to_contain_text("Played again.")
    by_mouse(page, table)
    expect(table.locator(".sakura-game-outcome")).to_contain_text("this time")
    table.get_by_role("button", name="Back to the round itself").click()
    expect(review).to_contain_text("Your margin")
    check_score(page, table, 2)


def test_house_rules_a_saved_game_and_a_kernel_started_again(lab, written, visit, tmp_path):
    page = visit(lab, written(lab, [CELLS[0], "GameTable(seed=3)"]))
    table = page.widget(TITLE)
    quiet(page)
    table.get_by_text("House rules, players and seed").click()
    table.get_by_text("Opponents", exact=False).first.click()
    table.get_by_text("The eight yaku").click()
    page.axe(table)
    table.get_by_role("combobox", name="Players", exact=True).select_option("7")
    page.type(table.get_by_label("Cards in each hand"), "9")
    table.get_by_role("button", name="Deal with these rules").click()
    expect(table.locator(".sakura-error")).to_contain_text("the deck has 48")
    page.type(table.get_by_label("Cards in each hand"), "4")
    table.get_by_label("A yaku").select_option("bonus")
    table.get_by_role("button", name="Deal with these rules").click()
    expect(table.get_by_role("status")).to_contain_text("A new deal, seed 4")
    expect(table.locator(".sakura-error")).to_have_count(0)
    page.page.set_viewport_size({"width": 1280, "height": 1400})
    page.picture("game_7_house_rules", table)
    at_size(page, table, 390, 844, "game_7_seven_phone")
    at_size(page, table, 1024, 640, "game_7_seven_projector")
    page.page.set_viewport_size({"width": 1280, "height": 1000})
    for _ in range(3):
        what = now(table)
        found(table, what).click()
        until_changed(page, table, what)
    with page.page.expect_download() as waiting:
        table.get_by_role("button", name="Save", exact=True).click()
    saved = json.loads(waiting.value.path().read_text())

    page.page.evaluate("window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart()")
    page.page.wait_for_timeout(1500)
    page.wait_for_kernel()
    page.run_all()
    table = page.widget(TITLE)
    expect(table.get_by_role("status")).to_contain_text("The draw for the first dealer")
    bad, good = tmp_path / "bad.json", tmp_path / "good.json"
    bad.write_text(json.dumps(saved | {"actions": [[["play", 99, []]]]}))
    good.write_text(json.dumps(saved))
    table.get_by_label("Load a saved game").set_input_files(bad)
    expect(table.locator(".sakura-error")).to_contain_text("This file cannot be loaded, and nothing has changed")
    table.get_by_label("Load a saved game").set_input_files(good)
    expect(table.get_by_role("status")).to_contain_text("The saved game is loaded.")
    expect(table.locator(".sakura-error")).to_have_count(0)
    by_mouse(page, table)
    data = check_score(page, table, 7)
    assert data["actions"][0][: len(saved["actions"][0])] == saved["actions"][0]


OWN = """import time
from sakura.widgets import GameTable

def slow(obs, random):
    time.sleep(2)
    print("I play the first one.")
    return 0

def endless(obs, random):
    print("I am thinking about it.")
    while True:
        pass
"""


@pytest.mark.parametrize("app", ["lab", "voila"])
def test_a_slow_and_an_endless_strategy_at_the_table(app, written, visit, request):
    server = request.getfixturevalue(app)
    cells = [OWN, *(f"GameTable(seed=489, rounds=1, dealer=1, opponents={name})" for name in ("slow", "endless"))]
    # In Lab the person stops waiting, in Voila the table does so by itself.
    seconds = {"lab": 30, "voila": 5}[app]
    cells[0] += f"\nfrom sakura.widgets import game_play\ngame_play.Table.seconds = {seconds}"
    page = visit(server, written(server, cells))
    table = page.widget(TITLE)
    expect(table.get_by_role("status")).to_contain_text(f"Seat 1 is thinking. It may take {seconds} seconds at most.")
    if app == "lab":
        quiet(page)
        # Run again as the widget itself advises: the same game goes on, and nothing is played twice.
        page.page.evaluate("window.jupyterapp.shell.currentWidget.content.activeCellIndex = 1")
        page.command("notebook:run-cell")
        table = page.widget(TITLE)
    expect(table.locator(".sakura-game-caption")).to_contain_text("Your turn")
    expect(table.get_by_text("I play the first one.")).to_be_visible()
    page.page.wait_for_timeout(2500)
    with page.page.expect_download() as waiting:
        table.get_by_role("button", name="Save", exact=True).click()
    data = json.loads(waiting.value.path().read_text())
    assert [kind != "turn_up" for kind, *_ in data["actions"][0]].count(True) == 1
    assert data["table"]["opponents"][1] == {"own": "slow"}
    table.get_by_role("group", name="Your hand").get_by_role("button").first.click()

    table = page.widget(TITLE, 1)
    expect(table.locator(".sakura-game-caption")).to_contain_text("is thinking")
    at_size(page, table, 1024, 640, f"game_10_thinking_{app}_projector")
    at_size(page, table, 390, 844, f"game_10_thinking_{app}_phone")
    page.page.set_viewport_size({"width": 1280, "height": 1000})
    page.axe(table)
    told = f"endless took more than {seconds} seconds to decide"
    if app == "lab":
        told = "endless, in seat 1, was stopped."
        tab_to(page, table.get_by_role("button", name="Stop waiting"))
        page.page.keyboard.press("Enter")
    expect(table.locator(".sakura-error")).to_contain_text(told)
    expect(table.locator(".sakura-game-failed")).to_contain_text("I am thinking about it.")
    page.axe(table)
    at_size(page, table, 1024, 640, f"game_10_stopped_{app}_projector")
    at_size(page, table, 390, 844, f"game_10_stopped_{app}_phone")
    page.page.set_viewport_size({"width": 1280, "height": 1000})
    table.get_by_label("Seat 1 from here on").select_option("greedy")
    table.locator(".sakura-game-failed").get_by_role("button", name="Go on").click()
    by_mouse(page, table)
    check_score(page, table, 2)
    if app == "voila":
        forgive_voila(page)


def forgive_voila(page):
    """Voila itself asks for a font of icons, and goes without."""
    page.outside = {url for url in page.outside if "fontawesome" not in url}
    page.errors = [error for error in page.errors if "ERR_FAILED" not in error]


def test_a_round_in_voila(voila, written, visit):
    page = visit(voila, written(voila, CELLS[:2]))
    table = page.widget(TITLE)
    by_mouse(page, table)
    check_score(page, table, 2)
    page.axe(table)
    page.picture("game_8_voila")
    table.get_by_role("button", name="New deal").first.focus()
    page.page.keyboard.press("Enter")
    until_changed(page, table, "over")
    by_keyboard(page, table)
    check_score(page, table, 2)
    forgive_voila(page)


def test_for_a_class_the_table_and_nothing_else(voila, visit):
    page = visit(voila, "play")
    table = page.widget(TITLE)
    expect(table.get_by_role("group", name="Your hand")).to_be_visible()
    for width, height in ((1280, 800), (390, 844)):
        page.page.set_viewport_size({"width": width, "height": height})
        page.page.evaluate("window.scrollTo(0, 0)")
        # At the top, with the hand to play with in sight; above it a line with the name.
        assert table.bounding_box()["y"] < 120
        expect(table.get_by_role("group", name="Your hand")).to_be_in_viewport()
        expect(page.page.locator(".sakura-static")).to_be_hidden()
        expect(page.page.get_by_text("import")).to_have_count(0)
        page.picture(f"play_{width}")
    forgive_voila(page)
