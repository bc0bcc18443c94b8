"""What all widgets share, in a real browser: focus, arrow keys, errors, a cell run again, a kernel that is gone."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

pytest.importorskip("playwright")

from playwright.sync_api import expect

# A widget that can do everything the ground promises, in a module beside the notebook.
HAND = '''
from functools import partial
from sakura.cards import CARDS
from sakura.widgets.base import View
from sakura.widgets.elements import box, button, card, details, entry, text


class Hand(View[list[int]]):
    """A hand; a click lays a card down."""

    title = "Hand"

    def __init__(self, cards=16):
        self.running = False
        super().__init__(lambda: list(range(cards)), settings=cards)

    def draw(self):
        if self.running and self.state:
            self.after(1000, self.step)
        return box(
            box(*(card(c, partial(self.lay, c), key=f"hand-{c}") for c in self.state), kind="cards",
                label="Your hand", arrows=True),
            box(button("Run", self.run), button("Skip", self.skip, steady=True), button("Break", self.fail),
                kind="controls"),
            entry("Seed", 3, self.seed),
            details("More", text("Unfolded."), key="more"),
        )

    def lay(self, card_id):
        self.state.remove(card_id)
        self.say(f"You lay {CARDS[card_id]}.")

    def run(self):
        self.running = True

    def step(self):
        self.lay(self.state[0])

    def skip(self):
        self.running = False
        self.say("Skipped.")

    def fail(self):
        raise KeyError("moon")

    def seed(self, words):
        self.say(f"Seed {int(words)}.")
'''


@pytest.fixture(scope="module")
def notebook(lab):
    """The name of a notebook with two hands of the same size and one of another."""
    (lab.folder / "hand_for_tests.py").write_text(HAND)
    cells = ["from hand_for_tests import Hand", "Hand()", "Hand()", "Hand(4)"]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    written = new_notebook(metadata={"kernelspec": kernel}, cells=[new_code_cell(source) for source in cells])
    nbformat.write(written, lab.folder / "hands.ipynb")
    return "hands"


def test_the_ground_the_widgets_stand_on(lab, notebook, visit):
    page = visit(lab, notebook)
    first, second, third = (page.widget("Hand", nth) for nth in range(3))
    says = first.get_by_role("status")
    focused = page.page.locator(":focus")

    # The mouse; focus goes to the neighbour of the card that is gone.
    first.get_by_role("button", name="Crane").click()
    expect(says).to_have_text("You lay Crane.")
    expect(focused).to_have_attribute("aria-label", "Pine poetry ribbon")

    # The keyboard: one stop of Tab for the row, arrows in it, and none of JupyterLab's own shortcuts.
    for key, name in [
        ("ArrowRight", "Pine plain 1"),
        ("ArrowLeft", "Pine poetry ribbon"),
        ("End", "Wisteria plain 2"),
        ("Home", "Pine poetry ribbon"),
        ("ArrowLeft", "Wisteria plain 2"),
    ]:
        page.page.keyboard.press(key)
        expect(focused).to_have_attribute("aria-label", name)
    page.page.keyboard.press("Enter")
    expect(says).to_have_text("You lay Wisteria plain 2.")
    expect(focused).to_have_attribute("aria-label", "Wisteria plain 1")
    page.page.keyboard.press("Tab")
    expect(focused).to_have_text("Run")
    page.page.keyboard.press("Shift+Tab")
    expect(focused).to_have_attribute("aria-label", "Wisteria plain 1")
    page.page.keyboard.press("d")
    page.page.keyboard.press("d")
    expect(first).to_be_visible()

    # A double click lays one card, and the next drawing takes neither focus nor what was unfolded away.
    first.get_by_text("More").click()
    cards = first.locator("[data-arrows] button")
    before = cards.count()
    first.get_by_role("button", name="Bush warbler").dblclick()
    expect(says).to_have_text("You lay Bush warbler.")
    page.page.wait_for_timeout(300)
    assert cards.count() == before - 1
    expect(first.get_by_text("Unfolded.")).to_be_visible()

    # Typing, a refusal in words, a mistake of the program in words.
    page.type(first.get_by_label("Seed"), "11")
    expect(says).to_have_text("Seed 11.")
    first.get_by_role("button", name="Break").click()
    expect(first.locator(".sakura-error")).to_have_text("The program made a mistake, KeyError: 'moon'")
    page.axe(first)
    first.get_by_role("button", name="Run").click()
    expect(first.locator(".sakura-error")).to_have_count(0)
    expect(says).to_have_text("You lay Pine plain 2.")
    first.get_by_role("button", name="Skip").click()
    expect(says).to_have_text("Skipped.")

    # Time stands still for what nobody sees.
    page.page.set_viewport_size({"width": 1280, "height": 420})
    first.get_by_role("button", name="Run").click()
    third.get_by_label("Seed").scroll_into_view_if_needed()
    expect(first).not_to_be_in_viewport()
    left = cards.count()
    page.page.wait_for_timeout(1500)
    assert cards.count() == left
    first.get_by_role("button", name="Skip").scroll_into_view_if_needed()
    expect(cards).to_have_count(left - 1)
    first.get_by_role("button", name="Skip").click()
    expect(says).to_have_text("Skipped.")
    page.page.set_viewport_size({"width": 1280, "height": 1000})
    left = cards.count()

    # The other widgets have not noticed.
    expect(second.locator("[data-arrows] button")).to_have_count(16)
    expect(third.locator("[data-arrows] button")).to_have_count(4)

    # Every cell run again: each goes on where it was, and none is there twice.
    page.run_all()
    page.page.wait_for_timeout(1500)
    expect(page.page.locator("section.sakura")).to_have_count(3)
    expect(page.widget("Hand").locator("[data-arrows] button")).to_have_count(left)
    expect(page.page.locator(".sakura-static").first).to_be_hidden()

    # A click is answered before one could notice.
    assert page.milliseconds(page.widget("Hand"), "Plum plain 1") < 300


def test_a_kernel_that_is_gone_leaves_a_picture(lab, notebook, visit):
    page = visit(lab, notebook)
    expect(page.widget("Hand")).to_be_visible()
    page.command("docmanager:save")
    page.page.evaluate("window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart()")
    page.page.wait_for_timeout(1500)
    # Before the page is loaded again, what was seen stays.
    expect(page.widget("Hand").get_by_role("button", name="Crane")).to_be_visible()
    page.page.goto(f"{lab.url}lab/tree/{notebook}.ipynb?reset")
    page.wait_for_kernel()
    picture = page.page.locator(".sakura-static").first
    expect(picture.get_by_role("img", name="Crane")).to_be_visible()
    expect(picture).to_contain_text("Hand, as a picture. Run the cell above to use it.")
    page.picture("kernel_gone")
    # JupyterLab itself writes to the console that the live widget is gone.
    page.errors = [error for error in page.errors if "widget model not found" not in error]
