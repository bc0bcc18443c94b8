"""What all widgets share, in a real browser: focus, arrow keys, errors, a cell run again, a kernel that is gone."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

pytest.importorskip("playwright")

from playwright.sync_api import expect

from sakura.widgets import Question, Quiz
from sakura.widgets.base import css
from sakura.widgets.elements import Element, box, button, card, interval, meter, text, to_json

# A widget that can do everything the ground promises, in a module beside the notebook.
HAND = '''
from functools import partial
from sakura.cards import CARDS
from sakura.widgets.base import View
from sakura.widgets.elements import Element, box, button, card, choice, details, download, entry, switch, text, upload


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
            box(choice("Pace", {"slow": "Slow", "fast": "Fast"}, "slow", print), switch("Aids", False, print),
                upload("Load", print), download("Save", "hand.json", "[]"), kind="controls"),
            Element("div", {"tabindex": "0", "role": "group", "aria-label": "Log"}, (text("Nothing yet."),)),
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


# What in a widget can take the focus.
FOCUSABLE = {
    "card": "[data-arrows] button",
    "button": "button.sakura-button",
    "save": "button[data-filename]",
    "text": "input[type=text]",
    "tick": "input[type=checkbox]",
    "file": "input[type=file]",
    "list": "select",
    "summary": "summary",
    "box": "[aria-label=Log]",
    "words": ".sakura-body",
    "edge": None,
}
# What JupyterLab would do: cut, delete, insert, change, copy, undo, restart, leave, mark, merge, move, run.
PLAIN = "x d d a b m y r c v z 0 0 i i j k ArrowDown ArrowUp ArrowLeft ArrowRight Shift+ArrowDown Shift+M Shift+Enter"
CHORDS = "Backspace Shift+ArrowDown Shift+M a z Enter"
KEYS = [*PLAIN.split(), *(f"Control+{key}" for key in CHORDS.split()), "Enter"]
NOTEBOOK = """() => {
    const { model, widgets, activeCellIndex, mode } = window.jupyterapp.shell.currentWidget.content;
    const cells = widgets.map((cell) => [cell.model.id, cell.model.type, cell.model.executionCount]);
    return JSON.stringify([cells, activeCellIndex, mode, document.querySelectorAll(".jp-Dialog").length]);
}"""


def test_keys_pressed_in_a_widget_do_nothing_to_the_notebook(lab, notebook, visit):
    page = visit(lab, notebook)
    widget = page.widget("Hand")
    widget.get_by_text("More").click()
    page.page.wait_for_timeout(500)
    before = page.page.evaluate(NOTEBOOK)
    for kind, where in FOCUSABLE.items():
        node = widget.locator(where).first if where else widget
        for key in KEYS[: -1 if kind == "file" else None]:
            node.focus()
            page.page.keyboard.press(key)
            assert page.page.evaluate(NOTEBOOK) == before, f"{key} in {kind}"

    # A click on words brings the keys here as well.
    for words in (widget.get_by_role("status"), widget.get_by_text("Nothing yet.")):
        words.click()
        page.page.keyboard.press("x")
        assert page.page.evaluate(NOTEBOOK) == before
    # But what saves the notebook saves it.
    saved = """new Promise((done) => window.jupyterapp.shell.currentWidget.context.saveState.connect(done))"""
    page.page.evaluate(f"() => {{ window.saved = {saved}; }}")
    page.page.keyboard.press("ControlOrMeta+s")
    page.page.evaluate("() => window.saved.then(() => true)")


KERNEL = "window.jupyterapp.shell.currentWidget.sessionContext.session.kernel"


def test_a_drawing_comes_with_its_words(lab, visit):
    cells = [
        "from sakura import CARDS\nfrom sakura.art import card_svg, cards_svg",
        "card_svg(8)",
        "CARDS[0]",
        "cards_svg([28, 32])",
    ]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    written = new_notebook(metadata={"kernelspec": kernel}, cells=[new_code_cell(source) for source in cells])
    nbformat.write(written, lab.folder / "drawings.ipynb")
    page = visit(lab, "drawings").page
    for words in ("Curtain, Cherry blossom", "Crane", "Moon, Susuki grass, August, 20 points; Sake cup"):
        expect(page.get_by_role("img", name=words)).to_be_visible()


def test_a_kernel_that_is_gone_is_said_at_once_and_leaves_a_picture(lab, notebook, visit):
    page = visit(lab, notebook)
    widget = page.widget("Hand")
    says = widget.get_by_role("status")
    crane = widget.get_by_role("button", name="Crane")
    expect(crane).to_be_visible()
    page.command("docmanager:save")

    def clicks_say_so():
        for wanted in (crane, widget.get_by_role("button", name="Run")):
            was = says.text_content()
            wanted.click()
            expect(says).to_contain_text("Run the cells above and this cell again", timeout=1000)
            assert says.text_content() != was, "a screen reader says it again"
            expect(crane).to_be_visible()

    # It dies; JupyterLab has words of its own for that.
    page.page.evaluate(f"void {KERNEL}.requestExecute({{ code: 'import os; os._exit(1)' }})")
    page.page.get_by_role("dialog").get_by_role("button", name="Ok").click()
    clicks_say_so()
    page.wait_for_kernel()
    page.run_all()
    expect(says).to_have_text("")
    crane.click()
    expect(says).to_have_text("You lay Crane.")
    crane = widget.get_by_role("button", name="Bush warbler")

    # It is restarted.
    page.page.evaluate(f"{KERNEL}.restart()")
    expect(says).to_contain_text("Python was restarted or has stopped", timeout=1000)
    clicks_say_so()

    # The page is loaded again.
    page.page.goto(f"{lab.url}lab/tree/{notebook}.ipynb?reset")
    page.wait_for_kernel()
    picture = page.page.locator(".sakura-static").first
    expect(picture.get_by_role("img", name="Crane")).to_be_visible()
    expect(picture).to_contain_text("Hand, as a picture. Run the cell above to use it.")
    page.picture("kernel_gone")
    # JupyterLab itself writes to the console that the live widget is gone, and so are answers it waited for.
    own = ("widget model not found", "Canceled future")
    page.errors = [error for error in page.errors if not any(words in error for words in own)]


# A page of no known program: the widget, and a model that does what it is told to.
BARE = """async ([code, style, shown, pictures, statics]) => {
    document.body.innerHTML = statics;
    document.head.append(Object.assign(document.createElement("style"), { textContent: style }));
    const url = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
    const { render } = (await import(url)).default;
    const heard = {};
    const state = { shown, pictures };
    window.model = {
        sent: [],
        get: (name) => state[name],
        on: (names, call) => names.split(" ").forEach((name) => { heard[name] = call; }),
        off: () => {},
        send: (message) => window.model.sent.push(message),
        answer: (changes) => {
            state.shown = { ...state.shown, version: state.shown.version + 1, ...changes };
            heard["change:shown"]();
        },
    };
    window.show = (classes = "") => {
        const el = Object.assign(document.createElement("div"), { className: classes });
        document.body.append(el);
        const clean = render({ model: window.model, el });
        return () => { clean(); el.remove(); };
    };
    window.keys = [];
    for (const early of [true, false]) {
        document.addEventListener("keydown", (event) => window.keys.push(event.key), early);
    }
}"""


@pytest.fixture
def bare(chromium):
    """A page with two pictures, of which the first is of the widget that `show()` puts there; and what went wrong."""
    quiz = Quiz(Question("How many cards?", {"40": "12 suits of 4.", "48": "12 suits of 4 cards."}, right="48"))
    other = Quiz(Question("Who plays first?", {"The dealer": "Always."}, right="The dealer"))
    page = chromium.new_page()
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.clock.install()
    statics = quiz.static_html() + other.static_html()
    page.evaluate(BARE, [quiz._esm, quiz._css, quiz.shown, quiz.pictures, statics])
    yield page
    page.close()
    assert not errors


def test_a_picture_is_hidden_as_long_as_its_widget_is_there(bare):
    first, second = bare.locator(".sakura-static").all()
    expect(first).to_be_visible()
    bare.evaluate("() => { window.views = [show(), show()]; }")
    expect(first).to_be_hidden()
    expect(second).to_be_visible()
    bare.evaluate("() => window.views[0]()")
    expect(first).to_be_hidden()
    bare.evaluate("() => window.views[1]()")
    expect(first).to_be_visible()


def test_keys_reach_no_program_that_listens_early_or_late(bare):
    bare.evaluate("() => { show(); }")
    bare.get_by_role("button", name="40").focus()
    for key in ("x", "ArrowDown", "Control+a", "Shift+Enter"):
        bare.keyboard.press(key)
    assert set(bare.evaluate("window.keys")) <= {"Control", "Shift"}
    for key in ("Tab", "Escape", "Control+s"):
        bare.keyboard.press(key)
    assert {"Tab", "Escape", "s"} <= set(bare.evaluate("window.keys"))


def test_an_answer_that_is_late_and_one_that_never_comes(bare):
    bare.evaluate("() => { show(); }")
    says = bare.get_by_role("status")
    button = bare.get_by_role("button", name="40")
    button.click()
    bare.clock.run_for(7900)
    expect(says).to_have_text("")
    bare.clock.run_for(200)
    expect(says).to_contain_text("No answer from Python yet.")
    bare.evaluate("() => model.answer({ say: '' })")
    expect(says).to_have_text("")

    # What cannot be sent is said at once, and no clock asks for more.
    bare.evaluate("() => { model.answer({ after: 0 }); model.send = () => { throw new Error('Cannot send'); }; }")
    bare.clock.run_for(100)
    expect(says).to_contain_text("Python was restarted or has stopped")
    bare.clock.run_for(20_000)
    button.click()
    expect(says).to_contain_text("Python was restarted or has stopped")


def test_a_page_that_never_had_a_python_says_so(bare):
    bare.evaluate("() => { show('jupyter-widgets-disconnected'); }")
    expect(bare.get_by_role("status")).to_contain_text("nothing here answers")
    bare.get_by_role("button", name="40").click()
    bare.clock.run_for(20_000)
    expect(bare.get_by_role("status")).to_contain_text("nothing here answers")
    assert bare.evaluate("model.sent") == []


def marked(mark):
    return card(0, mark=mark), card(0)


# What looks different for a reason, and nothing but its style says which.
TOLD_BY_STYLE = {
    "legal": marked("legal"),
    "target": marked("target"),
    "selected": marked("selected"),
    "taken": marked("taken"),
    "turned up": marked("lead"),
    "new": marked("fresh"),
    "dealt last": marked("deal-new"),
    "laid": marked("lays"),
    "dim": marked("dim"),
    "owned": marked("owned side-0"),
    "a pressed button": (button("Pause", print, pressed=True), button("Pause", print, pressed=False)),
    "a disabled button": (button("Undo", print, enabled=False), button("Undo", print)),
    "a meter": (meter("Ro", 2 / 3, ""), meter("Ro", 1 / 3, "")),
    "a side's meter": (meter("Ro", 2 / 3, "", kind="side-0"), meter("Ro", 1 / 3, "", kind="side-0")),
    "a blocked meter": (meter("Ro", 2 / 3, "", kind="blocked"), meter("Ro", 2 / 3, "", kind="side-0")),
    "a bar": (interval(0, 5, 5, (0, 10), ""), interval(0, 9, 5, (0, 10), "")),
    "an interval": (interval(3, 5, 9, (0, 10), ""), interval(4, 5, 6, (0, 10), "")),
    "the felt": (box(text("Cards"), kind="felt"), box(text("Cards"))),
    "a seat": (box(text("Cards"), kind="deal-seat"), box(text("Cards"))),
    "my side": (box(text("You"), kind="panel game-mine"), box(text("You"), kind="panel")),
    "a yaku made": (box(text("Ro"), kind="panel yaku-done side-0"), box(text("Ro"), kind="panel")),
    "a yaku made at the table": (text("Ro", kind="game-yaku game-done"), text("Ro", kind="game-yaku")),
    "cards held": tuple(Element("div", {"class": "sakura-game-backs", "style": f"--held:{n}"}) for n in (8, 3)),
}


@pytest.mark.parametrize("colours", [("none", "light"), ("active", "light"), ("active", "dark")], ids=" ".join)
def test_what_a_style_tells_is_there_in_contrast_themes_too(bare, colours):
    bare.emulate_media(forced_colors=colours[0], color_scheme=colours[1])
    styles = css("game_table", "yaku_board", "deal_table")
    bare.evaluate("(style) => { document.querySelector('style').textContent = style; show(); }", styles)
    bare.mouse.move(0, 0)
    alike = []
    for name, pair in TOLD_BY_STYLE.items():
        seen = []
        for element in pair:
            shown = Element("div", {"id": "it", "style": "padding: 12px; width: 300px"}, (element,))
            bare.evaluate("(tree) => model.answer({ tree })", to_json(box(shown, kind="game")))
            seen.append(bare.locator("#it").screenshot(animations="disabled"))
        if seen[0] == seen[1]:
            alike.append(name)
    assert not alike


def test_cards_keep_their_colours_and_the_focus_its_own_in_contrast_themes(bare):
    bare.emulate_media(forced_colors="active", color_scheme="dark")
    bare.evaluate("() => { show(); }")
    bare.evaluate("(tree) => model.answer({ tree })", to_json(box(card(0, print, mark="target"), card(4, print))))
    first, second = bare.get_by_role("button").all()
    assert {node.evaluate("n => getComputedStyle(n.firstChild).forcedColorAdjust") for node in (first, second)} == {
        "none"
    }
    first.focus()
    bare.keyboard.press("Tab")
    ring = "n => getComputedStyle(n).outlineColor"
    assert second.evaluate(ring) != first.evaluate(ring)
