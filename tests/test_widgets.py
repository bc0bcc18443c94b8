"""What all widgets share: the tree of elements, and `View`, which carries it to the browser and the clicks back."""

from functools import partial

import pytest

from sakura.art import back_svg, card_svg
from sakura.cards import CARDS
from sakura.widgets import Question, Quiz, base
from sakura.widgets.base import View
from sakura.widgets.elements import (
    BACK,
    box,
    button,
    card,
    choice,
    controls,
    details,
    entry,
    heading,
    meter,
    switch,
    table,
    text,
    to_html,
    to_json,
    walk,
)


class Hand(View[list[int]]):
    """A hand of five cards; a click lays one down."""

    title = "Hand"

    def __init__(self, settings=0):
        self.ticks = 0
        super().__init__(lambda: [0, 1, 2, 3, 4], settings=settings)

    def draw(self):
        self.after(300, self.tick)
        return box(
            self.look_controls(languages=True),
            box(*(card(c, partial(self.lay, c), key=f"hand-{c}") for c in self.state), label="Your hand", arrows=True),
            button("Skip", partial(self.say, "Skipped."), steady=True),
            button("Refuse", self.refuse),
            button("Break", self.break_down),
            entry("Seed", 3, self.seed),
        )

    def lay(self, card_id):
        self.state.remove(card_id)
        self.say(f"You lay {CARDS[card_id]}.")

    def tick(self):
        self.ticks += 1

    def seed(self, words):
        self.say(f"Seed {int(words)}.")

    def refuse(self):
        raise ValueError("the Crane is not in your hand")

    def break_down(self):
        raise KeyError("moon")


def press(widget, key, *value, version=None):
    message = {"key": key, "version": version or widget.shown["version"]}
    widget._receive(None, message | ({"value": value[0]} if value else {}), [])


def errors(widget):
    return [
        child for e in walk(widget._root) if "sakura-error" in e.attributes.get("class", "") for child in e.children
    ]


def test_a_click_reaches_python_and_is_told_in_words():
    hand = Hand()
    press(hand, "hand-0")
    assert hand.state == [1, 2, 3, 4]
    assert hand.shown["say"] == "You lay Crane."
    assert "hand-0" not in hand._controls


def test_a_second_click_on_what_is_gone_does_nothing():
    hand = Hand()
    version = hand.shown["version"]
    press(hand, "hand-0", version=version)
    press(hand, "hand-0", version=version)
    assert hand.state == [1, 2, 3, 4]
    press(hand, "Refuse", version=version)
    press(hand, "hand-1", version=version)
    assert hand.state == [2, 3, 4]
    press(hand, "Skip", version=version)
    assert hand.shown["say"] == "Skipped."


def test_a_button_clicked_right_after_a_setting_counts():
    """A browser sends both before it has the answer to the first."""
    hand = Hand()
    version = hand.shown["version"]
    press(hand, "Seed", "5", version=version)
    press(hand, "Learning aids", True, version=version)
    press(hand, "hand-0", version=version)
    assert hand.state == [1, 2, 3, 4]


def test_messages_that_no_browser_of_ours_sends_do_nothing():
    hand = Hand()
    version = hand.shown["version"]
    for message in (
        {},
        {"key": "nothing", "version": version},
        {"key": ["hand-0"], "version": version},
    ):
        hand._receive(None, message, [])
    assert hand.state == [0, 1, 2, 3, 4]
    assert hand.shown["version"] == version


def test_a_refusal_and_a_mistake_are_shown_and_the_next_click_clears_them():
    hand = Hand()
    press(hand, "Refuse")
    assert errors(hand) == ["the Crane is not in your hand"]
    press(hand, "Break")
    assert errors(hand) == ["The program made a mistake, KeyError: 'moon'"]
    press(hand, "hand-0")
    assert errors(hand) == []
    press(hand, "Seed", "x")
    assert "invalid literal" in errors(hand)[0]
    assert hand.state == [1, 2, 3, 4]


def test_a_drawing_that_fails_leaves_the_one_before(monkeypatch):
    hand = Hand()
    monkeypatch.setattr(Hand, "draw", lambda self: 1 / 0)
    press(hand, "hand-0")
    assert errors(hand) == ["The program made a mistake, ZeroDivisionError: division by zero"]
    assert "hand-1" in hand._controls
    with pytest.raises(ZeroDivisionError):
        Hand()


def test_time_passes_only_for_the_drawing_that_is_seen():
    hand = Hand()
    assert hand.shown["after"] == 300
    version = hand.shown["version"]
    press(hand, "after")
    assert hand.ticks == 1
    press(hand, "after", version=version)
    assert hand.ticks == 1


def test_the_look_of_the_cards_is_sent_when_it_changes():
    hand = Hand()
    assert hand.pictures["0"] == card_svg(0)
    assert hand.pictures[str(BACK)] == back_svg()
    assert len(hand.pictures) == 49
    sent = hand.pictures
    press(hand, "hand-0")
    assert hand.pictures is sent
    press(hand, "Learning aids", True)
    assert hand.pictures["8"] == card_svg(8, aids=True)
    press(hand, "High contrast", True)
    press(hand, "Names", "fr")
    assert hand.pictures["8"] == card_svg(8, aids=True, high_contrast=True, title_language="fr")
    press(hand, "Names", "klingon")
    assert "language must be one of en, ja" in errors(hand)[0]
    assert hand.language == "fr"


class TestRunAgain:
    @pytest.fixture
    def cell(self, monkeypatch):
        """Pretend to be in a cell: `cell(name)` runs it."""
        where = {}
        shell = type("Shell", (), {"get_parent": lambda self: where})()
        monkeypatch.setattr(base, "get_ipython", lambda: shell)
        monkeypatch.setattr(base, "_AT_PLACE", {})

        def run(name):
            run.count += 1
            where.update(metadata={"cellId": name}, header={"msg_id": f"run {run.count}"})

        run.count = 0
        return run

    def test_goes_on_with_the_state_and_closes_the_old_widget(self, cell):
        cell("a")
        first = Hand()
        press(first, "hand-0")
        press(first, "Learning aids", True)
        cell("a")
        second = Hand()
        assert second.state is first.state
        assert second.aids
        assert "hand-0" not in second._controls
        assert first.comm is None
        assert second.comm is not None

    def test_other_settings_begin_anew(self, cell):
        cell("a")
        press(Hand(1), "hand-0")
        cell("a")
        assert Hand(2).state == [0, 1, 2, 3, 4]

    def test_two_of_a_cell_and_of_two_cells_are_apart(self, cell):
        cell("a")
        one, two = Hand(), Hand()
        press(one, "hand-0")
        cell("b")
        three = Hand()
        assert two.state == three.state == [0, 1, 2, 3, 4]
        cell("a")
        assert [len(Hand().state), len(Hand().state)] == [4, 5]
        assert three.comm is not None

    def test_outside_a_notebook_every_widget_is_new(self):
        press(Hand(), "hand-0")
        assert Hand().state == [0, 1, 2, 3, 4]


def test_the_picture_that_stays_where_nothing_runs(capsys):
    hand = Hand()
    page = hand.static_html()
    assert page.count("<img ") == 5
    assert 'alt="Crane"' in page
    assert "Your hand" in page
    assert "Run the cell above to use it." in page
    for live in ("<button", "<input", "<select", "Skip", "Seed", " id=", "<script"):
        assert live not in page
    assert repr(hand) == "Hand: something to click, wherever this notebook is run."


def test_what_is_shown_is_escaped():
    root = box(heading("a < b"), text("<script>"), table("A & B", ["x"], [["<i>"]]), label='"quoted"')
    page = to_html(root)
    assert "<script>" not in page and "<i>" not in page
    assert "a &lt; b" in page and "A &amp; B" in page


def test_every_control_needs_a_key_of_its_own():
    root = box(button("Play", print, key="play"), card(3, print, key="play"))
    with pytest.raises(ValueError, match="a control needs a key of its own, got 'play' on button"):
        controls(root)


def test_what_the_browser_is_told():
    root = card(
        27, print, key="hand-27", label="Bush clover plain 2, 0 points", enabled=False, pressed=True, hint="laid"
    )
    told = to_json(root)
    assert told["t"] == "button" and told["k"] == "hand-27" and told["u"] is True
    assert told["a"]["aria-label"] == "Bush clover plain 2, 0 points"
    assert told["a"]["aria-disabled"] == told["a"]["aria-pressed"] == "true"
    picture, hint = told["c"]
    assert picture["p"] == 27
    assert hint["c"] == ["laid"]
    assert to_json(card(None))["a"]["aria-label"] == "A card face down"


def test_controls_and_meters_say_what_they_are():
    told = to_json(choice("Pace", {"slow": "Slow", "fast": "Fast"}, "fast", print))
    assert told["t"] == "label" and told["c"][0]["c"] == ["Pace"]
    options = told["c"][1]["c"]
    assert [o["a"].get("selected") for o in options] == [None, ""]
    ticked, empty = (to_json(switch("Aids", on, print))["c"][0]["a"] for on in (True, False))
    assert "checked" in ticked and "checked" not in empty
    bar = to_json(meter("Ro", 2 / 3, "2 of 3"))["c"][0]["a"]
    assert (bar["role"], bar["aria-label"], bar["aria-valuetext"]) == ("meter", "Ro", "2 of 3")
    assert to_json(meter("Ro", 7, "full"))["c"][0]["a"]["aria-valuenow"] == "1.000"
    assert "open" in to_json(details("More", key="more", opened=True))["a"]


QUIZ = (
    Question("How many cards?", {"40": "12 suits of 4.", "48": "12 suits of 4 cards."}, right="48", cards=(1, 2)),
    Question("Who plays first?", {"The dealer": "Always."}, right="The dealer"),
)


def test_a_quiz_says_right_and_wrong_at_once_and_counts_first_tries():
    quiz = Quiz(*QUIZ)
    press(quiz, "question-0-40")
    assert quiz.shown["say"] == "Not so. 12 suits of 4."
    press(quiz, "question-0-48")
    assert quiz.shown["say"] == "Right. 12 suits of 4 cards."
    assert "Right at the first try: 0 of 2." in quiz.static_html()
    press(quiz, "question-1-The dealer")
    assert "Right at the first try: 1 of 2." in quiz.static_html()
    press(quiz, "Start again")
    assert quiz.state == {}
    assert "Right at" not in quiz.static_html()


def test_a_quiz_takes_answers_as_fast_as_they_come():
    quiz = Quiz(*QUIZ)
    version = quiz.shown["version"]
    press(quiz, "question-0-48", version=version)
    press(quiz, "question-1-The dealer", version=version)
    assert "Right at the first try: 2 of 2." in quiz.static_html()


def test_a_saved_quiz_shows_questions_and_answers_but_not_which_is_right():
    page = Quiz(*QUIZ).static_html()
    assert all(words in page for words in ("How many cards?", "○ 40", "○ 48", 'alt="Pine plain 1"'))
    assert "12 suits" not in page


@pytest.mark.parametrize(
    ("questions", "words"),
    [
        ((), "a quiz needs a question"),
        ((Question("?", {"a": "b"}, right="c"),), "right must be one of the answers 'a'"),
    ],
)
def test_a_quiz_that_makes_no_sense(questions, words):
    with pytest.raises(ValueError, match=words):
        Quiz(*questions)
