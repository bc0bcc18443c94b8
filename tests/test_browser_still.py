"""Nothing on the page moves that the person did not move: every widget is used on a projector, a laptop and a phone,
while each painted frame is watched for where the board is, and where the thing is that was clicked."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

pytest.importorskip("playwright")

from playwright.sync_api import expect

SIZES = [
    pytest.param((1024, 640), id="projector"),
    pytest.param((1280, 800), id="laptop", marks=pytest.mark.slow),
    pytest.param((390, 844), id="telephone"),
]
AS_MUCH = 1.5  # pixels: nobody sees it

# How far, in pixels, the board and the control have been from where they were, until nothing has changed for some time.
# A board may be built anew. A control that is gone is not far. Seen from a control below it, the board's lower edge
# counts: what grows there, grows away from it.
_WATCH = """([widget, board, control, quiet]) => {
    const box = (node) => node.getBoundingClientRect();
    const far = (one, other) => Math.max(...one.map((place, n) => Math.abs(place - other[n])));
    const edge = box(control).top > box(widget.querySelector(board)).bottom ? "bottom" : "top";
    const places = [
        () => [box(widget.querySelector(board)).left, box(widget.querySelector(board))[edge]],
        () => control.isConnected ? [box(control).left, box(control).top] : used,
    ];
    const used = places[1]();
    const was = places.map((place) => place());
    let changed = performance.now();
    const observer = new MutationObserver(() => { changed = performance.now(); });
    observer.observe(widget, { subtree: true, childList: true, attributes: true, characterData: true });
    window.sakuraMoved = (async () => {
        const most = [0, 0];
        while (performance.now() - changed < quiet) {
            await new Promise(requestAnimationFrame);
            places.forEach((place, n) => { most[n] = Math.max(most[n], far(place(), was[n])); });
        }
        observer.disconnect();
        return most;
    })();
}"""


class Watched:
    """A widget that is used and watched; `moved` says what moved that should not have."""

    def __init__(self, page, title, board, nth=0):
        self.page, self.widget, self.board = page, page.widget(title, nth), board
        self.moved = []

    def use(self, control, act, *, board=True, quiet=350):
        """Do something with a control. board: whether the board stays, too, where another one is not asked for."""
        control.evaluate(
            "(node, widget) => { widget.scrollIntoView(); node.scrollIntoView({ block: 'nearest' }); }",
            self.widget.element_handle(),
        )
        self.page.page.wait_for_timeout(100)
        what = control.get_attribute("aria-label") or control.inner_text()[:40]
        self.page.page.evaluate(_WATCH, [self.widget.element_handle(), self.board, control.element_handle(), quiet])
        act()
        of_board, of_control = self.page.page.evaluate("window.sakuraMoved")
        if of_control > AS_MUCH or (board and of_board > AS_MUCH):
            self.moved.append(f"{what}: the board by {of_board:.0f}, what was used by {of_control:.0f}")

    def click(self, control, **options):
        def act():
            box = control.bounding_box()
            self.page.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + min(box["height"] / 2, 20))

        self.use(control, act, **options)

    def press(self, *names, **options):
        for name in names:
            self.click(self.widget.get_by_role("button", name=name).first, **options)

    def tick(self, label, **options):
        self.click(self.widget.get_by_role("checkbox", name=label), **options)

    def choose(self, label, value, **options):
        control = self.widget.get_by_role("combobox", name=label, exact=True)
        control.evaluate("node => node.focus({ preventScroll: true })")
        self.use(control, lambda: control.select_option(value), **options)

    def type(self, label, words, **options):
        control = self.widget.get_by_role("textbox", name=label, exact=True)
        self.use(control, lambda: self.page.type(control, words), **options)


def opened(visit, lab, size, cells):
    """A notebook of these cells, with much to read before and after each, on a screen of that size."""
    reading = "\n\n".join(["A line of a lesson."] * 30)
    code = [cell for source in cells for cell in (new_markdown_cell(reading), new_code_cell(source))]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    written = new_notebook(metadata={"kernelspec": kernel}, cells=[*code, new_markdown_cell(reading)])
    nbformat.write(written, lab.folder / "still.ipynb")
    page = visit(lab, "still")
    page.command("application:toggle-left-area")
    page.page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
    # A card that is pointed at or chosen is lifted a little.
    page.page.add_style_tag(content=".sakura .sakura-card { transform: none !important; }")
    return page


def gallery(deck):
    deck.press("Crane")
    # The story that was open above closes: the card stays under the mouse, and the rest of the deck cannot.
    deck.press("Butterflies", "Phoenix", "Close the story", board=False)
    deck.tick("Learning aids")
    deck.tick("High contrast")
    for name, value in (("Names", "fr"), ("Names", "en"), ("Kind", "ribbon"), ("Suit", "11")):
        deck.choose(name, value)
    deck.press("Clear filters")


def flash_cards(flash):
    for ask in ("suit", "yaku", "mixed"):
        flash.choose("Ask for", ask)
        for place in (0, 3):
            flash.click(flash.widget.get_by_role("group", name="Answers").get_by_role("button").nth(place))
            flash.press("Next")
    flash.choose("Names", "hawaii")
    flash.press("Start again", board=False)


def deal(table):
    table.press("Deal a packet", "Deal a packet", "Back one packet", "Deal all", "Start again")
    table.press("Draw for the dealer", "Deal a packet", "Next seed")
    table.type("Seed", "many")
    table.type("Seed", "3")
    table.tick("10 cards each")
    table.choose("Players", "4")
    table.press("Deal a packet", "Deal a packet", "Deal all", "Deal 1,000 times", "Draw for the dealer")
    table.tick("Learning aids")


def trainer(turns):
    for topic in ("two matches", "hiki", "protected", "turned up", "score"):
        # Another position has another table.
        turns.choose("Topic", topic, board=False)
        answers = turns.widget.locator(".sakura-answer")
        if answers.count():
            turns.click(answers.nth(0))
        else:
            turns.click(turns.widget.get_by_role("group", name="Your hand").get_by_role("button").first)
            turns.press("Declare hiki")
        if turns.widget.get_by_role("button", name="Show me").count():
            turns.press("Show me")
        turns.press("Next position", board=False)
    turns.tick("Learning aids")


def yaku_board(yaku):
    yaku.press("Curtain", "Moon", "Sake cup", "Side B:", "Crane", "Boar", "Side A:", "Crane", "Phoenix", "Undo")
    yaku.press("Example: one yaku", "Example: two", "Example: partners", "Deal out at random")
    yaku.type("Seed", "none")
    yaku.type("Seed", "5")
    yaku.choose("House rule", "bonus")
    yaku.press("Clear")


def quiz(asked):
    for number in range(2):
        # The board is what is to be clicked next.
        asked.board = f".sakura-question:nth-of-type({number + 2})"
        answers = asked.widget.locator(".sakura-question").nth(number).get_by_role("button")
        for place in range(answers.count()):
            asked.click(answers.nth(place))
    asked.press("Start again")


def rules(house):
    house.choose("Players", "4", board=False)
    house.choose("The Lightning", "plain")
    house.tick("Hiki: whoever")
    house.choose("Compared with", "wikipedia")
    house.type("Seed", "none")
    house.type("Seed", "7")
    house.tick("High contrast")


WIDGETS = {
    "DeckGallery()": ("Deck gallery", ".sakura-deck", gallery),
    "FlashCards(3)": ("Flash cards", ".sakura-asked-card", flash_cards),
    "DealTable()": ("Deal table", ".sakura-deal-table", deal),
    "TurnTrainer()": ("Turn trainer", ".sakura-felt", trainer),
    "YakuBoard()": ("Yaku board", ".sakura-yaku-tiles", yaku_board),
    "Quiz.of('05 a round')": ("Check yourself", ".sakura-question", quiz),
    "RulesTable(rounds=2000)": ("House rules", ".sakura-game-rules", rules),
}


@pytest.mark.parametrize("size", SIZES)
def test_in_no_widget_anything_moves_by_itself(lab, visit, size):
    page = opened(visit, lab, size, [f"from sakura.widgets import *\n{made}" for made in WIDGETS])
    moved = {}
    for title, board, use in WIDGETS.values():
        watched = Watched(page, title, board)
        use(watched)
        moved[title] = watched.moved
    assert not any(moved.values()), moved
    # A seed that is no number was refused, each time in words, and these are gone.
    page.check()


STUCK = """
def stuck(obs, random):
    raise ValueError("no idea, " + "and none at all, " * 12)

GameTable(seed=3, rounds=1, dealer=0, opponents=stuck, pace="fast")"""
ROUND = "from sakura import Rules\nfrom sakura.widgets import *\n"
ROUND += "GameTable(Rules(hand=4), seed=5, rounds=2, dealer=0, pace='fast')"


@pytest.mark.parametrize("size", SIZES)
def test_the_table_stays_through_a_round_with_the_coach_and_comes_when_a_position_is_asked_for(lab, visit, size):
    page = opened(visit, lab, size, [ROUND, STUCK])
    table = Watched(page, "Game table", ".sakura-felt")
    hand, end = table.widget.locator(".sakura-game-cards button"), table.widget.locator(".sakura-game-end")
    felt = table.widget.locator(".sakura-felt")

    table.choose("Coach", "hint")
    # The first time on a machine the coach has to be compiled.
    table.press("Hint", quiet=2000)
    expect(table.widget.locator(".sakura-game-nudge")).to_contain_text("Hint:", timeout=120_000)
    table.press("Answer", quiet=1000)
    table.choose("Coach", "answers", quiet=1000)
    while not end.count():
        target = table.widget.locator("button.sakura-target")
        table.click(target.first if target.count() else hand.first, quiet=2000)
    page.picture(f"still_end_{size[0]}")
    table.press("Undo", "Redo", quiet=1500)
    table.press("Look back with the coach", quiet=3000)

    # The mistake is far below. The board comes, all of it, clear of the upper edge, and no key plays a card yet.
    table.widget.get_by_role("button", name="Play it again").last.click()
    expect(felt).to_contain_text("Played again.")
    expect(felt).to_be_in_viewport(ratio=1)
    expect(felt).to_be_focused()
    notebook = table.widget.evaluate(
        "node => { while (!/auto|scroll/.test(getComputedStyle(node).overflowY) || node.scrollHeight <= "
        "node.clientHeight) node = node.parentElement; return node.getBoundingClientRect().top; }"
    )
    assert felt.bounding_box()["y"] > notebook + 40
    page.picture(f"still_again_{size[0]}")
    page.page.keyboard.press("Enter")
    page.page.wait_for_timeout(300)
    expect(felt).to_contain_text("Your turn")

    table.press("Back to the end", "Next round", quiet=2000)
    table.press("Pause", "Go on")
    table.widget.get_by_text("House rules, players and seed").click()
    table.type("Cards in each hand", "40")
    # Said where it is seen, and nothing is pushed away.
    table.press("Deal with these rules")
    error = table.widget.locator(".sakura-error")
    expect(error).to_contain_text("the deck has 48")
    expect(error).to_be_in_viewport(ratio=1)
    page.picture(f"still_error_{size[0]}")
    table.type("Cards in each hand", "4")
    expect(error).to_have_count(0)
    table.press("New deal", board=False)
    expect(felt).to_be_focused()

    other = Watched(page, "Game table", ".sakura-felt", nth=1)
    other.click(other.widget.locator("button.sakura-lays").first, quiet=3000)
    expect(other.widget.get_by_role("status")).to_contain_text("failed. Below the hand")
    page.picture(f"still_failed_{size[0]}")
    other.widget.get_by_role("combobox", name="Seat 1 from here on").select_option("random")
    other.press("Go on", quiet=1500)
    assert not table.moved + other.moved
