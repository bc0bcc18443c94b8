"""Messages to widgets come in another thread, beside the cells: nothing is lost, done twice, or held up for long."""

import os
import sys
import threading
import time
from functools import partial

import cloudpickle
import psutil
import pytest

from sakura import Rules
from sakura.agents import MonteCarlo
from sakura.widgets import GameTable, base
from sakura.widgets.base import View
from sakura.widgets.elements import box, button, text, walk

# As if the strategies here were a notebook's, which no other process could import.
cloudpickle.register_pickle_by_value(sys.modules[__name__])


@pytest.fixture(autouse=True)
def closed_afterwards():
    yield
    View.close_all()


@pytest.fixture
def cell(monkeypatch):
    """Pretend to be in a cell that is run: `cell()`."""
    where = {}
    shell = type("Shell", (), {"get_parent": lambda self: where})()
    monkeypatch.setattr(base, "get_ipython", lambda: shell)
    monkeypatch.setattr(base, "_AT_PLACE", {})

    def run():
        run.count += 1
        where.update(metadata={"cellId": "a"}, header={"msg_id": f"run {run.count}"})

    run.count = 0
    return run


def press(widget, key, *value):
    message = {"key": key, "version": widget.shown["version"]} | ({"value": value[0]} if value else {})
    widget._receive(None, message, [])


def beside(work, *args):
    thread = threading.Thread(target=work, args=args)
    thread.start()
    return thread


def until(happened, widget=None):
    """Wait until something has happened, as a browser does: it goes on after the time that the widget wants."""
    end = time.monotonic() + 60
    while not happened():
        assert time.monotonic() < end, "it never happens"
        if widget and widget.shown["after"]:
            press(widget, "after")
        time.sleep(0.02)


def shown(widget, style):
    def words(element):
        return element if isinstance(element, str) else " ".join(filter(None, map(words, element.children)))

    found = [e for e in walk(widget._root) if f"sakura-{style}" in str(e.attributes.get("class", "")).split()]
    return " ".join(map(words, found))


# ---- All widgets ----


class Slow(View[list[str]]):
    """Takes its time for everything."""

    def __init__(self):
        super().__init__(list, settings=0)

    def draw(self):
        words = ", ".join(self.state)
        time.sleep(0.001)
        return box(text(words), button("Click", self.click, steady=True), button("Long", self.long, steady=True))

    def click(self):
        count = len(self.state)
        time.sleep(0.003)
        self.state[count:] = [f"click {count}"]

    def long(self):
        self.state.append("begun")
        time.sleep(0.5)
        self.state.append("done")


def test_clicks_that_come_at_once_are_all_done():
    widget = Slow()
    version = widget.shown["version"]
    threads = [beside(lambda: [press(widget, "Click") for _ in range(10)]) for _ in range(4)]
    for thread in threads:
        thread.join()
    assert widget.state == [f"click {n}" for n in range(40)]
    assert widget.shown["version"] == version + 40


def test_a_cell_run_again_in_the_middle_of_a_click_goes_on_with_all_of_it(cell):
    cell()
    first = Slow()
    thread = beside(press, first, "Long")
    until(lambda: first.state)
    cell()
    second = Slow()
    assert second.state == ["begun", "done"] and "begun, done" in shown(second, "text")
    thread.join()


def test_a_widget_that_was_replaced_is_silent(cell):
    cell()
    first = Slow()
    version = first.shown["version"]
    cell()
    second = Slow()
    press(first, "Click")
    assert second.state == [] and first.shown["version"] == version
    press(second, "Click")
    assert second.state == ["click 0"]


# ---- The game table ----


def slow(obs, random):
    time.sleep(2)
    print("decided in", os.getpid())
    return 0


def endless_told_in(path):
    """A strategy that never decides; it leaves a file where it has begun to."""

    def endless(obs, random):
        print("decides in", os.getpid())
        open(path, "w").close()
        while True:
            pass

    return endless


def pid(widget):
    """The process of a strategy that prints it."""
    return int(widget.state.printed.split()[-1])


def rnd_of(widget):
    return widget.state.game.match.round


@pytest.mark.parametrize("opponent", [slow, MonteCarlo(playouts=10_000)], ids=["one's own", "built in"])
def test_the_cell_run_again_while_an_opponent_thinks_shows_the_game_and_goes_on(cell, opponent):
    cell()
    first = GameTable(seed=3, dealer=1, opponents=opponent, rounds=1)
    thread = beside(press, first, "after")
    time.sleep(0.1)
    cell()
    second = GameTable(seed=3, dealer=1, opponents=opponent, rounds=1)
    assert second.state is first.state
    if opponent is slow:
        assert not rnd_of(second).actions, "it did not wait for the opponent"
    until(lambda: second.state.mine, second)
    thread.join()
    # A late answer would have come by now.
    time.sleep(0.5)
    press(first, "after")
    press(second, "after")
    assert [event.seat for event in rnd_of(second).log if event.kind in ("played", "hiki")] == [1]
    assert second.state.mine and len(second.state.held) == 8 and not shown(second, "error")


def test_while_an_opponent_thinks_the_table_says_so_and_can_be_used():
    widget = GameTable(seed=3, dealer=1, opponents=slow)
    press(widget, "after")
    assert widget.shown["say"] == "Seat 1 is thinking. It may take 30 seconds at most."
    assert shown(widget, "game-caption") == "Seat 1 is thinking."
    press(widget, "after")
    assert widget.shown["say"] == "", "once is enough"
    press(widget, "coach", "hint")
    press(widget, "pause")
    assert widget.shown["after"] is None and shown(widget, "game-caption") == "Seat 1 is thinking, paused."
    press(widget, "hand-" + str(widget.state.held[0]))
    assert "Press Step or Go on" in widget.shown["say"] and not rnd_of(widget).actions
    press(widget, "step")
    until(lambda: rnd_of(widget).actions, widget)
    assert widget.state.paused and widget.state.moving and "plays" in widget.shown["say"]
    assert "stop" not in widget._controls


def test_skip_goes_on_when_a_slow_opponent_has_decided():
    widget = GameTable(Rules(players=3), seed=3, dealer=1, opponents=["greedy", slow])
    press(widget, "skip")
    assert "Seat 2 is thinking" in widget.shown["say"]
    until(lambda: widget.state.mine, widget)
    assert widget.shown["say"].startswith("Skipped ahead") and len(rnd_of(widget).actions) >= 2


def test_an_endless_opponent_is_stopped_with_all_that_it_is_and_can_be_replaced(tmp_path):
    begun = tmp_path / "begun"
    widget = GameTable(seed=3, dealer=1, opponents=endless_told_in(begun))
    press(widget, "after")
    until(begun.exists, widget)
    press(widget, "stop")
    assert widget.shown["say"].startswith("endless, in seat 1, was stopped.")
    assert "choose who plays the seat" in widget.shown["say"]
    assert "Seat 1, endless: decides in" in " ".join(shown(widget, "game-failed").split())
    until(lambda: not psutil.pid_exists(pid(widget)))
    assert widget.shown["after"] is None and not rnd_of(widget).actions
    press(widget, "instead-1", "greedy")
    press(widget, "go-on")
    until(lambda: widget.state.mine, widget)
    assert not shown(widget, "error")


def test_an_answer_that_was_not_waited_for_is_thrown_away():
    widget = GameTable(seed=3, dealer=1, opponents=slow)
    press(widget, "after")
    press(widget, *[key for key in widget._controls if key.startswith("new-deal")])
    assert widget.state.game.match.seed == 4
    actions, seat = rnd_of(widget).actions, rnd_of(widget).current_player
    time.sleep(3)
    assert (rnd_of(widget).actions, rnd_of(widget).current_player) == (actions, seat)
    press(widget, "before")
    assert not rnd_of(widget).actions
    until(lambda: widget.state.mine, widget)
    assert not shown(widget, "error")


class Counting:
    """Decides, and says how often it has and where."""

    count = 0

    def __call__(self, obs, random):
        self.count += 1
        print(f"decision {self.count} in {os.getpid()}")
        return 0


def decide(widget):
    """Let the opponent decide once: it plays, the person does, it plays again."""
    had = len(widget.state.printed)
    if widget.state.mine:
        press(widget, next(key for key in widget._controls if key.startswith("hand-")))
        for key in [key for key in widget._controls if key.startswith("field-")][:1]:
            press(widget, key)
    until(lambda: len(widget.state.printed) > had, widget)
    until(lambda: widget.state.mine, widget)
    return widget.state.printed.splitlines()[-1]


def test_a_strategy_keeps_its_process_while_it_plays_and_no_longer(cell):
    counting = Counting()

    def table(**options):
        cell()
        return GameTable(seed=3, dealer=1, opponents=counting, **options)

    widget = table()
    one, two = decide(widget), decide(widget)
    assert one.startswith("decision 1 in") and two == one.replace("decision 1", "decision 2")
    assert all(words in shown(widget, "details") for words in ("Your strategy printed:", "decision 1", "decision 2"))
    widget = table()
    assert decide(widget) == one.replace("decision 1", "decision 3"), "the cell run again goes on with it"

    process = pid(widget)
    press(widget, "agent-1", "greedy")
    until(lambda: not psutil.pid_exists(process))
    press(widget, "agent-1", "Counting")
    assert decide(widget).startswith("decision 1 in")

    process = pid(widget)
    widget = table(pace="fast")
    until(lambda: not psutil.pid_exists(process))
    assert decide(widget).startswith("decision 1 in")

    process = pid(widget)
    widget.close()
    until(lambda: not psutil.pid_exists(process))


def test_the_coach_thinks_beside_the_table(monkeypatch):
    from sakura import coach

    begun, go_on = threading.Event(), threading.Event()
    advise = coach.advise

    def thinks_long(rnd):
        begun.set()
        go_on.wait(60)
        return advise(rnd, playouts=20)

    monkeypatch.setattr(coach, "advise", thinks_long)
    widget = GameTable(seed=3, dealer=0)
    until(lambda: coach.ready())
    press(widget, "coach", "answers")
    thread = beside(partial(press, widget, "after"))
    assert begun.wait(60)
    widget.refresh()
    press(widget, "hand-" + str(widget.state.held[0]))
    for key in [key for key in widget._controls if key.startswith("field-")][:1]:
        press(widget, key)
    assert rnd_of(widget).actions, "one can play on"
    go_on.set()
    thread.join()
    press(widget, "undo")
    until(lambda: shown(widget, "game-answer"), widget)
    assert len(widget.state.coach.advice.moves) == len(rnd_of(widget).legal_actions())
