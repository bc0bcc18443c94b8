"""The game table without a browser: every control is pressed through the widget, every rule asked of a `Round`."""

# ruff: noqa: F403, F405 (the cards by name)

import contextlib
import json
import os
import random
import re
import sys
import time
from dataclasses import fields

import cloudpickle
import pytest

from helpers import *
from sakura import CARDS, YAKU, Match, Round, Rules, coach
from sakura.agents import DESCRIPTIONS
from sakura.agents.montecarlo import MonteCarlo
from sakura.machine import compile_loop
from sakura.match import result
from sakura.round import Event
from sakura.widgets import GameTable, base, game_end, game_play, game_setup, game_table
from sakura.widgets.elements import walk
from sakura.widgets.game_coach import in_words, percent
from sakura.widgets.game_coach import points as points_
from sakura.widgets.game_felt import hint
from sakura.widgets.game_play import seated
from sakura.widgets.game_scene import Names, Scene, step_end
from sakura.widgets.game_table import PACES

# As if the strategies here were a notebook's, which no other process could import.
cloudpickle.register_pickle_by_value(sys.modules[__name__])

HOUSES = [
    Rules(),
    Rules(players=3, lightning="claim"),
    Rules(players=4, teams=2),
    Rules(players=5, lightning="sweep_all", lightning_from_pile=True),
    Rules(players=6, teams=3, yaku="bonus"),
    Rules(players=7),
    Rules(hand=10, lightning="claim", lightning_from_pile=True, play_out_pile=True),
    Rules(players=3, hand=9, field=12, play_out_pile=True, lightning_dealt="discarded"),
    Rules.preset("wikipedia", players=4),
]
# For what takes many clicks.
FEW = [HOUSES[0], HOUSES[2], HOUSES[5], HOUSES[6]]


@pytest.fixture(autouse=True)
def closed_afterwards():
    yield
    GameTable.close_all()


# ---- Hands on ----


def press(widget, key, *value):
    message = {"key": key, "version": widget.shown["version"]} | ({"value": value[0]} if value else {})
    widget._receive(None, message, [])


def wait(widget):
    """Let the time go by after which the next step is shown, and in which those who think come to an end."""
    press(widget, "after")
    settle(widget)


def settle(widget):
    until = time.monotonic() + 60
    while (widget.state.thinking and widget.shown["after"]) or widget.state.coach.begun:
        assert time.monotonic() < until, f"still waiting: {caption(widget)}"
        press(widget, "after")
        time.sleep(0.02)


def control(widget, key):
    return widget._controls[key]


def keys(widget, start):
    return [key for key in widget._controls if key.startswith(start)]


def words(element):
    return element if isinstance(element, str) else " ".join(filter(None, map(words, element.children)))


def parts(widget, name):
    """The elements of a style."""
    return [e for e in walk(widget._root) if f"sakura-{name}" in str(e.attributes.get("class", "")).split()]


def errors(widget):
    return [words(e) for e in parts(widget, "error")]


def said(widget):
    return widget.shown["say"]


def caption(widget):
    return words(parts(widget, "game-caption")[0])


def pictured(element):
    return [e.card for e in walk(element) if e.card is not None and e.card >= 0]


def hand_marks(widget):
    cards = [e for e in walk(parts(widget, "game-hand")[0]) if e.key and e.key.startswith("hand-")]
    return {int(e.key[5:]): e.attributes["class"].split() for e in cards}


def rnd_of(widget):
    return widget.state.game.match.round


def laid(rnd, **options):
    """A game table on which this round lies."""
    widget = GameTable(rnd.rules, dealer=0, **options)
    widget.state.game.match.round = rnd
    widget.state.show_all()
    widget.refresh()
    return widget


def choose(widget, how=min):
    """Decide once, by what is marked: a hand card, then a target where there are several."""
    if not keys(widget, "field-"):
        press(widget, how(keys(widget, "hand-")))
    if keys(widget, "field-"):
        press(widget, how(keys(widget, "field-")))


def play_out(widget, how=min):
    """Play the round to its end, skipping what the others do."""
    for _ in range(200):
        press(widget, "skip")
        settle(widget)
        assert not errors(widget)
        if "next-round" in widget._controls:
            return
        choose(widget, how)
    raise AssertionError("the round does not end")


# ---- A whole round ----


@pytest.mark.parametrize("rules", FEW, ids=str)
def test_a_round_played_by_its_marks_ends_with_the_score_of_the_same_actions(rules):
    widget = GameTable(rules, seed=11, rounds=1, seat=rules.players - 1)
    play_out(widget)
    rnd = rnd_of(widget)
    again = Round(rules, seed=rnd.seed, dealer=rnd.dealer)
    for action in rnd.actions:
        again.apply_action(action)
    assert again.is_terminal
    shown = table_of(widget._root, "How the score comes about")
    assert list(map(number, shown["Score"])) == again.returns()
    assert list(map(number, shown["Points"])) == again.points()
    assert words(parts(widget, "game-outcome")[0]) == " ".join(
        game_end.outcome(widget.state.game.match, widget.state.names)
    )


def number(words_):
    return int(words_.replace("−", "-"))


def table_of(root, caption_):
    """A table's rows: heading -> cells."""
    for element in walk(root):
        if element.tag == "table" and words(element.children[0]) == caption_:
            rows = [row for row in walk(element) if row.tag == "tr"]
            return {words(row.children[0]): [words(cell) for cell in row.children[1:]] for row in rows}
    raise AssertionError(f"no table {caption_!r}")


@pytest.mark.parametrize("rules", HOUSES, ids=str)
def test_the_lines_of_the_score_add_up(rules):
    for seed in range(60):
        match = Match(rules, seed=seed, rounds=1)
        match.play("random" if seed % 2 else "greedy")
        shown = table_of(game_end.score_table(match, Names(rules, 0)), "How the score comes about")
        assert [len(cells) for cells in shown.values()] == [rules.sides] * len(shown)
        del shown["What counts"]
        for side in range(rules.sides):
            so_far = points = 0
            for title, cells in shown.items():
                value = number(cells[side].split("= ")[-1])
                if title == "Points":
                    points = value
                    assert so_far == points == match.round.points()[side]
                elif title == "Score":
                    assert so_far == value == match.round.returns()[side]
                else:
                    so_far += value


def test_a_round_is_told_line_by_line_with_the_lightnings_sweep_and_each_yaku():
    rnd = lay_out([[LIGHTNING, CRANE], [SUSUKI_A, PLUM_A]], field=[BRIDGE, IRIS_RIBBON], pile=[CURTAIN, MOON, BOAR, 47])
    widget = laid(rnd, rounds=1)
    press(widget, f"hand-{LIGHTNING}")
    press(widget, f"field-{BRIDGE}")
    play_out(widget)
    shown = table_of(widget._root, "How the score comes about")
    assert shown["Animals, 5 each"][0] == "1\u00a0×\u00a05 = 5"
    assert shown["Swept by the Lightning: Iris red ribbon"] == ["+10", "0"]
    assert shown["Ribbons, 10 each"][0] == "0\u00a0×\u00a010 = 0"
    assert shown["Score"][0] == "15"


@pytest.mark.parametrize(
    ("yaku", "line", "scores"), [("penalty", ["0", "−50"], ["45", "−45"]), ("bonus", ["+50", "0"], ["95", "5"])]
)
def test_a_yaku_has_a_line_of_its_own(yaku, line, scores):
    mine, others = [CURTAIN, MOON, SAKE_CUP], [PLUM_A, PLUM_B, WARBLER]
    pile = [DEER, CUCKOO, BRIDGE, BUTTERFLIES, SWALLOW, CRANE]
    rnd = lay_out([mine, others], [CHERRY_A, SUSUKI_A, CHRYSANTHEMUM_A], pile, yaku=yaku)
    widget = laid(rnd, rounds=1, opponents=first_action)
    play_out(widget)
    shown = table_of(widget._root, "How the score comes about")
    assert shown["I (Drinking): You"] == line
    assert shown["Score"] == scores
    assert "I (Drinking): complete" in [e.attributes.get("title") for e in parts(widget, "game-done")]


# ---- What happens is seen step by step ----


@pytest.mark.parametrize("rules", HOUSES, ids=str)
def test_every_card_is_in_one_place_at_every_step_and_at_rest_where_the_round_has_it(rules):
    for seed in range(8):
        rnd, noise = Round(rules, seed=seed, dealer=seed % rules.players), random.Random(seed)
        seen = len(rnd.log)
        while True:
            compare(Scene(rnd, len(rnd.log)), rnd)
            while seen < len(rnd.log):
                seen = step_end(rnd.log, seen)
                scene = Scene(rnd, seen, moving=True)
                lying = [card for card in scene.slots if card is not None]
                cards = [*lying, *(card for pile in scene.captured for card in pile)]
                cards += [card for hand in scene.hands for card in hand]
                cards += [card for card in scene.leads if card not in lying]
                assert len(cards) == len(set(cards)) == 48 - scene.pile - len(rnd.removed)
                assert scene.slots[-1:] != [None]
            if rnd.is_terminal:
                break
            rnd.apply_action(noise.choice(rnd.legal_actions()))


def compare(scene, rnd):
    """What the log says against what the engine has."""
    lying = {card for card in scene.slots if card is not None} - {rnd.turned_up}
    assert lying == rnd.field
    assert scene.pile == len(rnd.pile)
    assert tuple(map(frozenset, scene.hands)) == rnd.hands
    assert tuple(map(frozenset, scene.captured)) == rnd.captured
    sides = range(rnd.rules.sides)
    assert [scene.points(side) for side in sides] == rnd.points()
    assert [scene.score(side) for side in sides] == rnd.returns()
    assert [[YAKU[k].number for k in scene.yaku(side)] for side in sides] == rnd.yaku()


def test_cards_keep_their_places_on_the_field():
    rnd = lay_out([[CRANE, BOAR], [PLUM_A, 40]], field=[PINE_A, MOON, BRIDGE], pile=[CURTAIN, DEER])
    play(rnd, CRANE)
    scene = Scene(rnd, len(rnd.log))
    assert scene.slots == [CURTAIN, BRIDGE, MOON] or scene.slots == [CURTAIN, *sorted([BRIDGE, MOON])]
    before = Scene(rnd, step_end(rnd.log, 3), moving=True)
    assert before.slots == sorted([PINE_A, MOON, BRIDGE])
    assert before.leads == (CRANE,) and before.taken == {CRANE, PINE_A}
    assert before.points(0) == 0 and scene.points(0) == 20


def test_a_card_that_goes_without_taking_any_other_is_seen_on_the_field_first():
    rnd = lay_out([[LIGHTNING, 0], [4, 5]], field=[BRIDGE, MOON], pile=[DEER, IRIS_RIBBON], lightning="claim")
    play(rnd, LIGHTNING, BRIDGE)
    play(rnd, 4)
    claimed = next(n for n, e in enumerate(rnd.log) if e.kind == "turned up" and e.cards == (IRIS_RIBBON,))
    scene = Scene(rnd, step_end(rnd.log, claimed), moving=True)
    assert IRIS_RIBBON in scene.slots and scene.taken == {IRIS_RIBBON} and scene.from_pile
    assert IRIS_RIBBON in Scene(rnd, len(rnd.log)).captured[0]

    rnd = lay_out([[0, 1, 2, 3, 4], [5, 6, 7, 8, 9]], field=[MOON], pile=[DEER])
    declare_hiki(rnd, 0)
    assert Scene(rnd, 5, moving=True).slots == [MOON, 0, 1, 2, 3]


def test_a_card_is_seen_on_what_it_takes_before_it_is_taken():
    rnd = lay_out([[CRANE, BOAR], [PLUM_A, 40]], field=[PINE_A, MOON, BRIDGE], pile=[SUSUKI_A, DEER])
    widget = laid(rnd, opponents=first_action)
    press(widget, f"hand-{CRANE}")
    assert said(widget) == "You play Crane. You capture Crane and Pine plain 1."
    assert [pictured(e) for e in parts(widget, "game-lead")] == [[CRANE]]
    assert words(parts(widget, "game-flag")[0]) == "You"
    assert len(parts(widget, "taken")) == 1
    wait(widget)
    assert said(widget).startswith("You turn up Susuki plain 1. You capture Moon and Susuki plain 1.")
    assert words(parts(widget, "game-flag")[0]) == "pile"
    assert rnd.current_player == 1, "the round is ahead of what is shown"
    wait(widget)
    assert said(widget) == "Seat 1 plays Plum plain 1."
    assert caption(widget) == "Seat 1's turn."
    assert words(parts(widget, "game-flag")[0]) == "Seat 1"
    wait(widget)
    assert said(widget) == "Seat 1 turns up Deer."
    wait(widget)
    assert caption(widget) == "Your turn: play a card of your hand."
    assert said(widget) == "Seat 1 turns up Deer. Your turn: play a card of your hand."
    assert {card for e in parts(widget, "fresh") for card in pictured(e)} == {
        CRANE,
        PINE_A,
        MOON,
        SUSUKI_A,
        PLUM_A,
        DEER,
    }


def test_what_is_new_is_what_has_moved_since_the_person_last_played():
    widget = laid(lay_out([[CRANE, BOAR], [PLUM_A, 40]], [PINE_A, MOON], [SUSUKI_A, DEER, 44]), opponents=first_action)
    press(widget, f"hand-{CRANE}")
    press(widget, "skip")
    settle(widget)
    press(widget, f"hand-{BOAR}")
    assert {card for e in parts(widget, "fresh") for card in pictured(e)} == set()
    wait(widget)
    assert {card for e in parts(widget, "fresh") for card in pictured(e)} == {BOAR}


def first_action(obs, random):
    """The first of the legal actions."""
    return 0


def test_steps_follow_each_other_at_the_pace_and_stop_for_the_person():
    widget = GameTable(Rules(players=3), seed=4, dealer=1)
    assert widget.shown["after"] == PACES["normal"]
    press(widget, "pace", "slow")
    assert widget.shown["after"] == PACES["slow"]
    press(widget, "pace", "breakneck")
    assert "pace must be one of 'slow', 'normal', 'fast'" in errors(widget)[0]
    press(widget, "pause")
    assert widget.shown["after"] is None and caption(widget) == "Seat 1's turn, paused."
    press(widget, "step")
    assert widget.shown["after"] is None and said(widget).startswith("Seat 1 plays")
    press(widget, "pause")
    assert widget.shown["after"] == PACES["slow"]
    for _ in range(40):
        if not widget.shown["after"]:
            break
        wait(widget)
    assert rnd_of(widget).current_player == 0 and caption(widget).startswith("Your turn: play")
    press(widget, "step")
    assert said(widget).startswith("Your turn")
    press(widget, "skip")
    assert said(widget).startswith("Your turn")


def test_skip_goes_on_to_the_persons_next_decision_and_works_on_an_old_drawing():
    widget = GameTable(Rules(players=7), seed=4, dealer=1)
    old = widget.shown["version"]
    wait(widget)
    widget._receive(None, {"key": "skip", "version": old}, [])
    assert widget.state.mine and widget.shown["after"] is None
    assert said(widget).startswith("Skipped ahead") and "Your turn" in said(widget)
    assert control(widget, "skip").attributes["aria-disabled"] is not None


def test_nothing_shown_gives_away_a_hidden_card():
    widget = GameTable(Rules(players=4, teams=2), seed=9, rounds=1, seat=2)
    while "next-round" not in widget._controls:
        rnd, scene = rnd_of(widget), widget.state.scene()
        known = {c for c in scene.slots if c is not None} | set(scene.leads) | set(scene.hands[2])
        known |= {c for pile in scene.captured for c in pile} | {rnd.turned_up}
        assert set(pictured(widget._root)) <= known
        log = [words(e) for e in walk(parts(widget, "game-scroll")[0]) if e.tag == "li"]
        assert not [line for line in log if re.match(r"Seat \d is dealt", line)]
        told = [widget.state.names.told(event) for event in rnd.log_for(2)]
        assert [line for line in reversed(log) if line in told] == told[
            : len(told) - (len(rnd.log) - widget.state.seen)
        ]
        if widget.state.waiting:
            wait(widget)
            assert not said(widget).startswith("The round is over"), "that is no step, but the end of the last"
        else:
            choose(widget)


# ---- The person's moves ----


def two_ways():
    return lay_out(
        [[MOON, GEESE, CRANE, LIGHTNING], [PLUM_A, 9, 10, 11]],
        field=[SUSUKI_A, SUSUKI_B, PINE_A, BRIDGE],
        pile=[DEER, BOAR, 20, 44],
    )


def test_a_card_with_one_way_is_played_at_once_and_one_with_two_asks():
    rnd = two_ways()
    widget = laid(rnd)
    press(widget, f"hand-{MOON}")
    assert rnd.actions == () and caption(widget) == "Choose what Moon takes."
    assert keys(widget, "field-") == [f"field-{SUSUKI_A}", f"field-{SUSUKI_B}"]
    assert widget.shown["focus"] == f"field-{SUSUKI_A}"
    assert hand_marks(widget)[MOON] == ["sakura-card", "sakura-hand-1", "sakura-selected"]
    press(widget, "cancel")
    assert keys(widget, "field-") == [] and widget.shown["focus"] == f"hand-{MOON}"
    press(widget, f"hand-{MOON}")
    press(widget, f"hand-{MOON}")
    assert keys(widget, "field-") == [], "a second click puts it back"
    press(widget, f"hand-{MOON}")
    press(widget, "undo")
    assert keys(widget, "field-") == [], "so does Undo"
    press(widget, f"hand-{MOON}")
    press(widget, f"hand-{GEESE}")
    assert caption(widget) == "Choose what Geese takes."
    press(widget, f"field-{SUSUKI_B}")
    assert rnd.actions == (("play", GEESE, (SUSUKI_B,)),)
    press(widget, "skip")
    press(widget, f"hand-{CRANE}")
    assert rnd.actions[-1] == ("play", CRANE, (PINE_A,))


def test_the_lightning_shows_its_targets_and_may_be_left_where_no_willow_lies():
    rnd = two_ways()
    widget = laid(rnd)
    assert {card for e in parts(widget, "for-3") for card in pictured(e)} == rnd.field, "shown when pointed at"
    press(widget, f"hand-{LIGHTNING}")
    assert set(keys(widget, "field-")) == {f"field-{card}" for card in rnd.field}
    press(widget, "leave")
    assert rnd.actions == (("play", LIGHTNING, ()),)

    rnd = lay_out([[LIGHTNING, 0], [1, 2]], field=[BRIDGE, RAIN_MAN], pile=[DEER])
    widget = laid(rnd)
    press(widget, f"hand-{LIGHTNING}")
    assert set(keys(widget, "field-")) == {f"field-{BRIDGE}", f"field-{RAIN_MAN}"} and not keys(widget, "leave")

    rnd = lay_out([[LIGHTNING], [1]], field=[BRIDGE, RAIN_MAN, SWALLOW, WILLOW_RIBBON], pile=[DEER])
    widget = laid(rnd)
    press(widget, f"hand-{LIGHTNING}")
    assert (
        control(widget, f"field-{RAIN_MAN}")
        .attributes["aria-label"]
        .endswith("take Rain man, Swallow and Willow red ribbon")
    )
    press(widget, f"field-{SWALLOW}")
    assert rnd.actions == (("play", LIGHTNING, (RAIN_MAN, SWALLOW, WILLOW_RIBBON)),)

    rnd = lay_out([[LIGHTNING, 0, 1], [IRIS_RIBBON, IRIS_A, IRIS_B]], field=[BRIDGE], pile=[DEER])
    widget = laid(rnd)
    assert "takes nothing" in control(widget, f"hand-{LIGHTNING}").attributes["aria-label"]
    press(widget, f"hand-{LIGHTNING}")
    assert rnd.actions == (("play", LIGHTNING, ()),), "another's hiki protects the only card"


def test_hiki_has_a_button_of_its_own():
    rnd = lay_out([[PINE_RIBBON, PINE_A, PINE_B], [4, 5, 6]], field=[CRANE, BOAR], pile=[DEER])
    widget = laid(rnd)
    assert caption(widget).endswith("or declare hiki.")
    assert words(control(widget, f"hiki-{PINE_RIBBON}")) == "Hiki: all four of Pine"
    press(widget, f"hiki-{PINE_RIBBON}")
    assert rnd.actions == (("hiki", PINE_RIBBON, (CRANE,)),)
    assert [pictured(e)[0] for e in parts(widget, "game-lead")] == [PINE_RIBBON, PINE_A, PINE_B]
    press(widget, "skip")
    assert "Your hand is empty" in words(widget._root) or rnd.is_terminal


def test_the_card_turned_up_is_shown_large_and_its_capture_chosen_on_the_field():
    rnd = lay_out([[CURTAIN, 9], [4, 5]], field=[RAIN_MAN, SWALLOW, BOAR], pile=[WILLOW_RIBBON, DEER])
    widget = laid(rnd)
    press(widget, f"hand-{CURTAIN}")
    assert rnd.turned_up == WILLOW_RIBBON and not keys(widget, "field-"), "one step after the other"
    wait(widget)
    assert [pictured(e) for e in parts(widget, "game-flag")] == [[]] and not parts(widget, "large")
    wait(widget)
    assert [pictured(e) for e in parts(widget, "large")] == [[WILLOW_RIBBON]]
    assert caption(widget) == "Choose what Willow red ribbon takes."
    assert keys(widget, "field-") == [f"field-{RAIN_MAN}", f"field-{SWALLOW}"] and not keys(widget, "cancel")
    assert widget.shown["focus"] == f"field-{RAIN_MAN}"
    assert pictured(parts(widget, "game-field")[0]).count(WILLOW_RIBBON) == 0
    press(widget, "hand-9")
    assert said(widget) == "First choose what Willow red ribbon takes: click a marked card on the field."
    press(widget, f"field-{SWALLOW}")
    assert rnd.actions[-1] == ("turn_up", WILLOW_RIBBON, (SWALLOW,))
    assert widget.shown["focus"] == "hand-9"


@pytest.mark.parametrize("rules", FEW, ids=str)
def test_marks_and_hints_are_what_the_legal_actions_say(rules):
    widget = GameTable(rules, seed=2, rounds=1)
    while "next-round" not in widget._controls:
        press(widget, "skip")
        rnd = rnd_of(widget)
        legal = rnd.legal_actions()
        if not rnd.is_terminal and rnd.phase == "hand":
            marks = hand_marks(widget)
            for card, classes in marks.items():
                ways = [a for a in legal if a.card == card and a.kind == "play"]
                assert ("sakura-legal" in classes) == any(a.captures for a in ways)
                assert ("sakura-lays" in classes) == (not any(a.captures for a in ways))
                number = next(name[12:] for name in classes if name.startswith("sakura-hand-"))
                lit = {c for e in parts(widget, f"for-{number}") for c in pictured(e)}
                assert lit == {c for a in ways for c in a.captures}
                shown = words(parts(widget, "game-hand")[0])
                assert hint(ways) in shown
                assert control(widget, f"hand-{card}").attributes["aria-label"] == f"{CARDS[card].name}, {hint(ways)}"
            assert set(keys(widget, "hiki-")) == {f"hiki-{a.card}" for a in legal if a.kind == "hiki"}
        if "next-round" not in widget._controls:
            choose(widget)


def test_a_hint_names_what_is_taken():
    rnd = two_ways()
    ways = {c: [a for a in rnd.legal_actions() if a.card == c and a.kind == "play"] for c in rnd.hands[0]}
    assert hint(ways[MOON]) == "takes Susuki plain 1 or Susuki plain 2"
    assert hint(ways[CRANE]) == "takes Pine plain 1"
    assert hint(ways[LIGHTNING]) == "takes one of 4 cards: you choose"
    assert hint([Action("play", BOAR, ())]) == "takes nothing: it stays on the field"


def test_a_click_while_others_play_says_so_and_a_double_click_is_one():
    widget = GameTable(Rules(players=3), seed=4, dealer=1)
    rnd = rnd_of(widget)
    before = rnd.actions
    press(widget, keys(widget, "hand-")[0])
    assert said(widget) == "It is Seat 1's turn. Wait for yours, or press Skip." and rnd.actions == before
    press(widget, "pause")
    press(widget, keys(widget, "hand-")[0])
    assert said(widget) == "Seat 1's turn, paused. Press Step or Go on."
    press(widget, "skip")
    version, key = widget.shown["version"], keys(widget, "hand-")[0]
    while len(hint_ways(widget, key)) != 1:
        key = keys(widget, "hand-")[keys(widget, "hand-").index(key) + 1]
    count = len(rnd.actions)
    other = next(k for k in keys(widget, "hand-") if k != key)
    for twice in (key, other):
        widget._receive(None, {"key": twice, "version": version}, [])
    assert len(rnd.actions) == count + 1
    press(widget, other)
    assert said(widget).startswith("Your turn is still going on") or "turn" in said(widget)
    assert len(rnd.actions) == count + 1 and not errors(widget)


def hint_ways(widget, key):
    return widget.state.ways(int(key[5:]))


@pytest.mark.parametrize("picked", [CRANE, MOON])
def test_hints_make_way_for_the_targets_of_whichever_card_is_picked(picked):
    widget = laid(lay_out([[CRANE, MOON], [BOAR, DEER]], [PINE_A, PINE_B, SUSUKI_A, SUSUKI_B]))
    assert len(parts(widget, "hint")) == 2
    press(widget, f"hand-{picked}")
    assert widget.state.picked == picked and not parts(widget, "hint")


# ---- Back and forth ----


@pytest.mark.parametrize("rules", FEW, ids=str)
def test_undo_goes_to_the_persons_previous_decision_and_redo_forth_again(rules):
    widget = GameTable(rules, seed=6, rounds=1)
    press(widget, "undo")
    assert "nothing to take back" in errors(widget)[0]
    press(widget, "redo")
    assert "Nothing has been taken back" in errors(widget)[0]
    rnd = rnd_of(widget)
    met = []
    while True:
        press(widget, "skip")
        if rnd.is_terminal:
            break
        met.append(everything(rnd))
        choose(widget)
    end = everything(rnd)
    for before in reversed(met):
        press(widget, "undo")
        assert everything(rnd) == before and widget.state.mine and not errors(widget)
    for after in [*met[1:], end]:
        press(widget, "redo")
        assert everything(rnd) == after
    assert "next-round" in widget._controls


def test_undo_works_while_others_play_and_another_move_ends_redo():
    widget = GameTable(Rules(players=3), seed=6, dealer=0)
    rnd = rnd_of(widget)
    start = everything(rnd)
    choose(widget)
    for _ in range(3):
        wait(widget)
    assert rnd.actions and not widget.state.mine
    press(widget, "undo")
    assert everything(rnd) == start and said(widget).startswith("Taken back. Your turn")
    choose(widget, max)
    assert control(widget, "redo").attributes["aria-disabled"] == "true"


# ---- Matches ----


def test_the_next_round_is_dealt_by_the_right_dealer_until_the_match_is_won():
    widget = GameTable(Rules(players=3), seed=8, rounds=3)
    match = widget.state.game.match
    for played in range(3):
        play_out(widget)
        expected = match.results[played].next_dealer
        lines = words(parts(widget, "game-outcome")[0])
        if played < 2:
            assert f"{widget.state.names.verb(widget.state.names.seat(expected), 'deal')}" in lines
            press(widget, "next-round")
            assert match.round.dealer == expected and not match.round.actions
            assert f"Round {played + 2} is dealt" in said(widget)
            assert f"Round {played + 2} of 3" in words(widget._root)
    assert "The match is over" in lines
    totals = table_of(widget._root, "Match of 3 rounds")["Total"]
    assert list(map(number, totals)) == match.totals
    assert words(control(widget, "next-round")) == "New deal"
    press(widget, "next-round")
    assert widget.state.game.match is not match and widget.state.game.match.seed == 9
    press(widget, "before")
    assert widget.state.game.match is match and match.is_over


def test_the_dealer_is_marked_and_the_draw_told():
    widget = GameTable(Rules(players=4), seed=3)
    match = widget.state.game.match
    assert said(widget).startswith("The draw for the first dealer: ")
    (name,) = [words(e) for e in parts(widget, "game-seat") if "dealer" in words(e)]
    assert widget.state.names.seat(match.draw.dealer) in name
    (turn,) = [words(e) for e in parts(widget, "game-seat") if "On turn" in words(e)]
    assert widget.state.names.seat(match.round.current_player) in turn


@pytest.mark.parametrize(
    ("rules", "dealer", "returns", "lines"),
    [
        (
            Rules(),
            1,
            [70, 65],
            ["You win the round with 70: 5 more than Seat 1.", "You deal the next round: the winner deals."],
        ),
        (
            Rules(),
            0,
            [10, 65],
            ["Seat 1 wins the round with 65: 55 more than you.", "Seat 1 deals the next round: the winner deals."],
        ),
        (
            Rules(players=3),
            1,
            [40, 40, 0],
            ["You and Seat 1 tie for the highest score, 40.", "Seat 1 deals again: in a tie the dealer goes first."],
        ),
        (
            Rules(players=3),
            0,
            [0, 40, 40],
            [
                "Seat 1 and Seat 2 tie for the highest score, 40.",
                "Seat 1 deals the next round: of those who tie, the first in order of play after the dealer.",
            ],
        ),
        (
            Rules(players=4, teams=2),
            3,
            [40, 0],
            [
                "Your side wins the round with 40: 40 more than Side 1.",
                "You deal the next round: of the side that won, the first in order of play from the dealer.",
            ],
        ),
        (
            Rules(match_scoring="rounds", chu=True, basa=True),
            1,
            [120, 20],
            [
                "You win the round with 120: 100 more than Seat 1.",
                "You get 3 victories: it was a win by 100, basa.",
                "You deal the next round: the winner deals.",
            ],
        ),
        (
            Rules(match_scoring="rounds", chu=True),
            1,
            [20, 70],
            [
                "Seat 1 wins the round with 70: 50 more than you.",
                "Seat 1 gets 2 victories: it was a win by 50, chu.",
                "Seat 1 deals the next round: the winner deals.",
            ],
        ),
        (
            Rules(match_scoring="rounds"),
            1,
            [20, 20],
            [
                "You and Seat 1 tie for the highest score, 20.",
                "Seat 1 gets 1 victory: of those who tie, the first in order of play from the dealer.",
                "Seat 1 deals again: in a tie the dealer goes first.",
            ],
        ),
    ],
)
def test_the_outcome_says_who_won_and_who_deals_next_and_why(rules, dealer, returns, lines, monkeypatch):
    match = Match(rules, seed=1, rounds=6, dealer=dealer)
    monkeypatch.setattr(Match, "results", property(lambda self: (result(rules, dealer, returns),)))
    assert game_end.outcome(match, Names(rules, 0)) == lines


def test_the_winners_of_a_match_are_named(monkeypatch):
    rules = Rules(players=3)
    for totals, line in (
        ([90, 40, 90], "The match is over: you and Seat 2 win it together with 90 points."),
        ([0, 40, 90], "The match is over: Seat 2 wins it with 90 points."),
    ):
        match = Match(rules, seed=1, score=80)
        monkeypatch.setattr(Match, "results", property(lambda self, t=totals: (result(rules, 0, t),)))
        assert game_end.outcome(match, Names(rules, 0))[-1] == line
    assert game_end.goal(Match(rules, seed=1, score=80)) == "Match to 80 points"


def test_told_speaks_to_the_person():
    names = Names(Rules(players=3), 1)
    for event, line in (
        (Event("played", 1, (8,)), "You play Curtain."),
        (Event("turned up", 1, (8,)), "You turn up Curtain."),
        (Event("dealt", 1, (8,)), "You are dealt Curtain."),
        (Event("hiki", 1, (0, 1, 2, 3)), "You declare hiki: Crane, Pine poetry ribbon, Pine plain 1 and Pine plain 2."),
        (Event("lightning took", 1, (8, 43)), "Your Lightning takes Curtain."),
        (
            Event("yaku completed", 1, (1, 5, 9), "Ha"),
            "You complete Ha: Pine poetry ribbon, Plum poetry ribbon and Cherry poetry ribbon.",
        ),
        (Event("captured", 0, (8,)), "Seat 0 captures Curtain."),
        (Event("dealt", None, (8,)), "The field is dealt Curtain."),
    ):
        assert names.told(event) == line


# ---- Files ----


def test_a_saved_game_plays_on_identically():
    widget = GameTable(Rules(players=3, teams=None), seed=5, rounds=3, opponents=["random", "greedy"], seat=1)
    play_out(widget)
    press(widget, "next-round")
    for _ in range(2):
        press(widget, "skip")
        choose(widget)
    press(widget, "skip")
    saved = file_of(widget)
    other = GameTable(seed=77)
    press(other, "load", saved)
    assert not errors(other) and said(other).startswith("The saved game is loaded.")
    assert other.state.game.match.to_dict() == widget.state.game.match.to_dict()
    assert (other.state.game.seat, other.state.game.agents[0], other.state.game.agents[2]) == (1, "random", "greedy")
    assert everything(rnd_of(other)) == everything(rnd_of(widget))
    for table in (widget, other):
        play_out(table)
    assert rnd_of(other).to_dict() == rnd_of(widget).to_dict()
    press(other, "before")
    assert other.state.game.match.seed == 77


def file_of(widget):
    (button,) = [e for e in walk(widget._root) if e.attributes.get("data-filename")]
    assert button.attributes["data-filename"] == f"sakura-seed-{widget.state.game.match.seed}.json"
    return button.attributes["data-content"]


def test_a_file_of_the_match_alone_is_loaded_with_the_seats_as_they_are(tmp_path):
    match = Match(Rules(players=4), seed=3, rounds=2)
    match.save(tmp_path / "match.json")
    widget = GameTable(opponents="random")
    press(widget, "load", (tmp_path / "match.json").read_text())
    assert not errors(widget) and widget.state.game.agents == ("random",) * 4
    (tmp_path / "table.json").write_text(file_of(widget))
    assert Match.load(tmp_path / "table.json").to_dict() == match.to_dict()


BAD_FILES = {
    "words": (lambda d: "no game at all", "not JSON"),
    "nested too deep": (lambda d: "[" * 100_000, "not JSON"),
    "a list": (lambda d: "[1, 2]", "no saved match"),
    "a round": (lambda d: Round(seed=1).to_dict(), "no saved match"),
    "no actions": (lambda d: {k: v for k, v in d.items() if k != "actions"}, "lacks actions"),
    "nine players": (lambda d: d | {"rules": {"players": 9}}, "players must be 2 to 7, got 9"),
    "an unknown rule": (lambda d: d | {"rules": {"playerz": 3}}, "no house rule is called 'playerz'"),
    "rules that are none": (lambda d: d | {"rules": 7}, "cannot have happened"),
    "a seed in words": (lambda d: d | {"seed": "x"}, "seed must be a whole number"),
    "another seed": (lambda d: d | {"seed": d["seed"] + 1}, "not legal"),
    "a fifth seat": (lambda d: d | {"dealer": 5}, "dealer must be 0 to 1"),
    "no goal": (lambda d: d | {"rounds": None}, "give rounds= or score="),
    "an unknown card": (lambda d: d | {"actions": [[["play", 99, []]]]}, "its round 1: .*action number 0"),
    "a round too many": (lambda d: d | {"actions": d["actions"] * 2}, "its round 2: this round is not over yet"),
    "actions that are none": (lambda d: d | {"actions": 3}, "cannot have happened"),
    "a seat that is not there": (lambda d: d | {"table": {"seat": 4}}, "the person's seat must be 0 to 1, got 4"),
    "an unknown opponent": (lambda d: d | {"table": {"opponents": ["greedy", "clever"]}}, "'clever' is not known here"),
    "an opponent too few": (lambda d: d | {"table": {"opponents": ["greedy"]}}, "opponents must be 2 names"),
    "an opponent that is no name": (
        lambda d: d | {"table": {"opponents": [["greedy"], "random"]}},
        "is not known here",
    ),
    "a table that is none": (lambda d: d | {"table": 5}, "cannot be loaded"),
}


@pytest.mark.parametrize(("change", "reason"), BAD_FILES.values(), ids=BAD_FILES)
def test_a_file_that_is_no_game_is_refused_in_words_and_nothing_is_lost(change, reason):
    widget = GameTable(seed=5)
    press(widget, "skip")
    choose(widget)
    press(widget, "skip")
    saved = file_of(widget)
    changed = change(json.loads(saved))
    press(widget, "load", changed if isinstance(changed, str) else json.dumps(changed))
    assert "This file cannot be loaded, and nothing has changed" in errors(widget)[0]
    assert re.search(reason, errors(widget)[0])
    assert "mistake" not in errors(widget)[0]
    assert file_of(widget) == saved
    choose(widget)
    assert not errors(widget)


# ---- The coach ----


@pytest.fixture
def quick(monkeypatch):
    """A coach that is ready, and does not look hard."""
    compile_loop("play_outs")
    few = {"_TRIALS": 600, "_REVIEW_TRIALS": 300, "_FEWEST": 40, "_STATE_PLAYOUTS": 50, "_DEALS": 40}
    for name, number_ in few.items():
        monkeypatch.setattr(coach, name, number_)


def test_the_coach_is_off_until_it_is_asked(quick):
    widget = GameTable(seed=3, dealer=0)
    assert control(widget, "coach").attributes["value"] == "off" and not keys(widget, "hint")
    assert not parts(widget, "game-nudge") and widget.shown["after"] is None
    press(widget, "coach", "loud")
    assert "the coach must be one of 'off', 'hint', 'answers', got 'loud'" in errors(widget)[0]


def test_a_hint_comes_first_and_the_answer_second(quick):
    widget = GameTable(seed=3, dealer=0)
    press(widget, "coach", "hint")
    assert words(control(widget, "hint")) == "Hint" and widget.shown["after"] is None
    press(widget, "hint")
    assert "thinking" in words(parts(widget, "game-nudge")[0]) and widget.shown["after"]
    wait(widget)
    advice = coach.advise(rnd_of(widget))
    assert words(parts(widget, "game-nudge")[0]) == f"Hint:  {advice.nudge}" and said(widget) == f"Hint: {advice.nudge}"
    assert not parts(widget, "game-answers") and not parts(widget, "game-worth")
    press(widget, "hint")
    assert words(parts(widget, "game-nudge")[0]) == said(widget) == widget.state.coach.said()
    assert said(widget).endswith("All moves are below the hand.")
    assert control(widget, "hint").attributes["aria-disabled"]
    rows = parts(widget, "game-answer")
    moves = sorted(advice.moves, key=lambda move: -move.margin.value)
    assert len(rows) == len(moves) == len(rnd_of(widget).legal_actions())
    for row, move in zip(rows, moves, strict=True):
        shown = words(row)
        for part in (in_words(move.action), move.why, points_(move.margin), percent(move.chance)):
            assert part in shown
        best = move is advice.moves[advice.best]
        assert ("★" in shown, "best:" in shown) == (best, best)
        assert ("≈" in shown) == ("as good:" in shown) == (move.level and not best)
        assert ("sakura-game-best" in row.attributes["class"]) == best
    assert f"{advice.playouts:,} play-outs" in words(parts(widget, "game-coach")[0])
    assert len(parts(widget, "game-worth")) == len(widget.state.held)
    choose(widget)
    assert not parts(widget, "game-answer") and not parts(widget, "game-worth")
    press(widget, "skip")
    assert words(control(widget, "hint")) == "Hint", "each decision is asked about anew"
    press(widget, "undo")
    assert words(control(widget, "hint")) == "Hint"


def test_answers_come_by_themselves_where_they_are_wanted(quick):
    widget = GameTable(seed=3, dealer=0, rounds=1)
    press(widget, "coach", "answers")
    for _ in range(40):
        if "next-round" in widget._controls:
            break
        if widget.state.mine:
            assert not parts(widget, "game-answer")
            wait(widget)
            assert len(parts(widget, "game-answer")) == len(rnd_of(widget).legal_actions())
            choose(widget)
        press(widget, "skip")
    assert not errors(widget) and "next-round" in widget._controls
    press(widget, "coach", "off")
    assert not parts(widget, "game-answer")


def test_until_the_coach_is_ready_the_table_says_so_and_can_be_played_at(quick, monkeypatch):
    for module in (coach, game_table):
        monkeypatch.setattr(module, "ready", lambda: False)
    widget = GameTable(seed=3, dealer=0)
    press(widget, "coach", "hint")
    press(widget, "hint")
    for _ in range(3):
        wait(widget)
        assert "about half a minute" in words(parts(widget, "game-nudge")[0]) and widget.shown["after"]
    choose(widget)
    assert rnd_of(widget).actions and not errors(widget)


@pytest.mark.parametrize("mode", ["hint", "answers"])
def test_a_coach_that_fails_is_asked_once_and_the_round_goes_on(quick, monkeypatch, mode):
    def fail(rnd):
        raise RuntimeError("out of order")

    monkeypatch.setattr(coach, "advise", fail)
    widget = GameTable(seed=3, dealer=0)
    press(widget, "coach", mode)
    press(widget, "hint")
    press(widget, "hint")
    wait(widget)
    assert "out of order" in errors(widget)[0] and widget.shown["after"] is None
    choose(widget)
    assert rnd_of(widget).actions and not errors(widget)


def test_an_opponent_that_makes_play_outs_waits_until_they_are_compiled(quick, monkeypatch):
    is_ready = False
    monkeypatch.setattr(game_play, "ready", lambda loops: is_ready or "play_outs" not in loops)
    widget = GameTable(seed=3, dealer=1, opponents=MonteCarlo(playouts=4), rounds=1)
    for _ in range(3):
        wait(widget)
        assert "got ready" in caption(widget) and widget.shown["after"] and not rnd_of(widget).actions
    press(widget, "skip")
    assert not rnd_of(widget).actions and not errors(widget)
    is_ready = True
    wait(widget)
    assert rnd_of(widget).actions


def test_the_coach_at_a_choice_for_the_card_turned_up(quick):
    rnd = lay_out([[CURTAIN, 9], [4, 5]], field=[RAIN_MAN, SWALLOW, BOAR], pile=[WILLOW_RIBBON, DEER])
    widget = laid(rnd)
    press(widget, "coach", "answers")
    press(widget, f"hand-{CURTAIN}")
    press(widget, "skip")
    wait(widget)
    shown = [words(e) for e in parts(widget, "game-move")]
    assert len(shown) == 2 and any("Willow red ribbon takes Rain man" in move for move in shown)
    assert len(parts(widget, "game-answer")) == 2 and not parts(widget, "game-worth")


# ---- Looking back ----


def reviewed(widget):
    press(widget, "review")
    assert words(control(widget, "review")) == "Look back with the coach" and widget.shown["after"]
    wait(widget)
    return coach.review(rnd_of(widget), widget.state.game.seat)


@pytest.mark.parametrize("rules", FEW, ids=str)
def test_the_round_in_retrospect_shows_what_the_coach_found(quick, rules):
    widget = GameTable(rules, seed=11, rounds=1, seat=1)
    play_out(widget, max)
    found = reviewed(widget)
    rows = [" ".join(words(e).split()) for e in parts(widget, "game-part")]
    assert rows == [f"{part.name} {points_(part.value)}" for part in found.parts] + [
        f"Your margin {points_(found.total)}"
    ]
    shown = table_of(
        widget._root, next(words(e) for e in walk(widget._root) if e.tag == "caption" and "Cost in" in words(e))
    )
    del shown["You did"]
    assert len(shown) == len(found.decisions)
    for cells, decision in zip(shown.values(), found.decisions, strict=True):
        assert cells[0] == (points_(decision.taken.behind).replace("+", "") if decision.taken.cost else "0")
        assert cells[1] == (in_words(decision.best.action) if decision.taken.cost else "")
    again = [f"again-{decision.number}" for decision in found.mistakes[:3]]
    assert keys(widget, "again-") == again
    assert "No mistakes" in words(widget._root) or again
    picture = widget.static_html()
    assert "Luck and skill" in picture and f"Your margin  {points_(found.total)}" in picture


def test_a_mistake_is_played_again_and_the_finished_round_is_not_lost(quick):
    widget = GameTable(seed=5, rounds=2, dealer=0)
    play_out(widget, max)
    found = reviewed(widget)
    finished, saved = everything(rnd_of(widget)), file_of(widget)
    number_ = found.mistakes[0].number
    press(widget, f"again-{number_}")
    practice = widget.state.rnd
    assert everything(practice) == everything(coach.position(rnd_of(widget), number_)) and widget.state.mine
    assert caption(widget).startswith("Played again. Your turn") or "Choose" in caption(widget)
    assert file_of(widget) == saved and everything(rnd_of(widget)) == finished
    press(widget, "coach", "hint")
    press(widget, "hint")
    wait(widget)
    assert words(parts(widget, "game-nudge")[0]).startswith("Hint:")
    press(widget, "back")
    assert everything(rnd_of(widget)) == finished and "back" not in widget._controls
    assert keys(widget, "again-"), "the review is still there"

    press(widget, f"again-{number_}")
    play_out(widget, min)
    practice = widget.state.rnd
    assert practice.actions != rnd_of(widget).actions and practice.is_terminal
    outcome = words(parts(widget, "game-outcome")[0])
    assert "played again" in outcome
    for now, before in zip(practice.returns(), rnd_of(widget).returns(), strict=True):
        assert f"{now} this time, {before} before".replace("-", "−") in outcome
    shown = table_of(widget._root, "How the score comes about")
    assert list(map(number, shown["Score"])) == practice.returns()
    press(widget, "once-more")
    assert widget.state.mine and len(widget.state.rnd.actions) == number_
    press(widget, "undo")
    press(widget, "back")
    assert everything(rnd_of(widget)) == finished and file_of(widget) == saved
    press(widget, "next-round")
    assert widget.state.rnd is rnd_of(widget) and len(widget.state.game.match.results) == 1
    assert not parts(widget, "game-review")


def test_a_review_belongs_to_its_round(quick):
    widget = GameTable(seed=5, rounds=2, dealer=0)
    play_out(widget)
    reviewed(widget)
    assert parts(widget, "game-part")
    for _ in range(5):
        press(widget, "undo")
    play_out(widget, max)
    assert "review" in widget._controls and not parts(widget, "game-part"), "another end is another round"


# ---- Watching ----


def test_where_nobody_plays_by_hand_the_agents_play_on_at_the_pace_with_all_hands_open():
    widget = GameTable(Rules(players=3), seat=None, opponents=["greedy", "random", "greedy"], seed=6, rounds=2)
    rnd = rnd_of(widget)
    assert widget.state.game.agents == ("greedy", "random", "greedy")
    assert not keys(widget, "hand-") and "coach" not in widget._controls and "hint" not in widget._controls
    for _ in range(12):
        assert widget.shown["after"] == PACES["normal"]
        held = {card for hand_ in widget.state.scene().hands for card in hand_}
        shown = {card for e in parts(widget, "game-open-hand") for card in pictured(e)}
        assert shown == held and held >= {card for hand_ in rnd.hands for card in hand_}
        wait(widget)
    assert "Seat" in said(widget) and "You" not in words(widget._root)
    press(widget, "skip")
    assert rnd.is_terminal and "next-round" in widget._controls and "review" not in widget._controls
    again = Round(Rules(players=3), seed=rnd.seed, dealer=rnd.dealer)
    while not again.is_terminal:
        again.apply_action(again.choose(widget.state.game.agents[again.current_player]))
    assert again.actions == rnd.actions
    press(widget, "next-round")
    assert widget.shown["after"] == PACES["normal"] and not errors(widget)


def test_watching_one_goes_back_a_decision_at_a_time_and_it_pauses():
    widget = GameTable(seat=None, opponents="greedy", seed=6)
    for _ in range(9):
        press(widget, "step")
    count = len(rnd_of(widget).actions)
    press(widget, "undo")
    assert len(rnd_of(widget).actions) == count - 1 and widget.state.paused
    press(widget, "undo")
    press(widget, "redo")
    press(widget, "redo")
    assert len(rnd_of(widget).actions) == count and not errors(widget)
    saved = file_of(widget)
    assert json.loads(saved)["table"]["seat"] is None
    other = GameTable()
    press(other, "load", saved)
    assert not errors(other) and other.state.watched
    press(other, "Players", "4")
    press(other, *keys(other, "deal-wish"))
    assert len(other.state.game.agents) == 4 and not errors(other)


# ---- Opponents ----


def raises(obs, random):
    """Gives up at once."""
    raise LookupError("no idea")


def illegal(obs, random):
    return len(obs.actions)


def nonsense(obs, random):
    return "the Moon"


def leaves(obs, random):
    print("I have had enough.")
    sys.exit()


def dies(obs, random):
    os._exit(3)


def hangs(obs, random):
    while True:
        with contextlib.suppress(BaseException):
            while True:
                pass


@pytest.mark.parametrize(
    ("agent", "reason"),
    [
        (raises, "raised LookupError: no idea"),
        (illegal, "a whole number 0 to"),
        (nonsense, "returned 'the Moon'"),
        (leaves, "leaves raised SystemExit"),
        (dies, "ended its process (status 3)"),
        (hangs, "more than 0.2 seconds"),
    ],
)
def test_the_round_goes_on_with_another_agent_whatever_the_first_one_did(agent, reason, monkeypatch):
    monkeypatch.setattr(game_play.Table, "seconds", 0.2 if agent is hangs else 30)
    widget = GameTable(Rules(players=3), seed=41, opponents=["greedy", agent], dealer=1, rounds=1)
    for _ in range(10):
        wait(widget)
        if errors(widget):
            break
    (shown,) = errors(widget)
    assert f"{agent.__name__}, in seat 2, failed" in shown and reason in shown
    assert "seed 41" in shown and str(rnd_of(widget).seed) in shown
    assert said(widget).startswith(f"{agent.__name__}, in seat 2, failed.") and widget.shown["focus"] == "instead-2"
    before = everything(rnd_of(widget))
    printed = parts(widget, "game-failed")[0]
    assert ("I have had enough." in words(printed)) == (agent is leaves)
    press(widget, "go-on")
    wait(widget)
    assert errors(widget) == [shown], "the same one fails again"
    press(widget, "instead-2", "random")
    assert errors(widget) == [shown] and control(widget, "instead-2").attributes["value"] == "random"
    assert everything(rnd_of(widget)) == before
    press(widget, "go-on")
    assert not errors(widget) and not keys(widget, "instead") and widget.shown["after"]
    play_out(widget)
    assert rnd_of(widget).actions[: len(before["actions"])] == before["actions"]


def test_a_strategy_of_ones_own_sits_at_the_table_by_its_name():
    widget = GameTable(opponents=raises)
    shown = agents_shown(widget)
    assert list(shown) == [*DESCRIPTIONS, "raises"]
    assert shown["raises"] == "raises: Gives up at once." and shown["greedy"].startswith(
        f"greedy: {DESCRIPTIONS['greedy']}"
    )
    assert agents_shown(GameTable(opponents=illegal))["illegal"] == "illegal: a strategy of your own"


def agents_shown(widget):
    return {e.attributes["value"]: words(e) for e in walk(control(widget, "agent-1")) if e.tag == "option"}


def of_seat(seat):
    """A strategy that plays only in one seat, called like all others of its kind."""

    def strategy(obs, random):
        print(f"for {seat} in {obs.seat}")
        return 0

    return strategy


def greedy(obs, random):
    """Not the greedy that everybody knows."""
    print("another greedy")
    return 0


def test_strategies_of_one_name_get_numbers_and_stay_apart_in_a_saved_game():
    opponents = [of_seat(1), of_seat(2), greedy, "greedy"]
    widget = GameTable(Rules(players=5), opponents=opponents, rounds=1, dealer=1)
    assert list(agents_shown(widget))[len(DESCRIPTIONS) :] == ["strategy", "strategy 2", "greedy 2"]
    assert agents_shown(widget)["greedy 2"] == "greedy 2: Not the greedy that everybody knows."
    saved = file_of(widget)
    assert json.loads(saved)["table"]["opponents"][1:] == [
        {"own": "strategy"},
        {"own": "strategy 2"},
        {"own": "greedy 2"},
        "greedy",
    ]
    other = GameTable(Rules(players=5), opponents=opponents, seed=77)
    press(other, "load", saved)
    assert "Not in the file, but of this table: greedy 2, strategy, strategy 2." in said(other)
    for table in (widget, other):
        play_out(table)
        printed = set(re.findall(r"for \d in \d|Seat \d, greedy|another greedy", words(table._root)))
        assert printed == {"for 1 in 1", "for 2 in 2", "Seat 3, greedy", "another greedy"}
    assert rnd_of(other).to_dict() == rnd_of(widget).to_dict()


def test_a_strategy_that_is_not_at_the_table_is_asked_for_and_none_is_taken_instead():
    saved = file_of(GameTable(Rules(players=3), opponents=[greedy, of_seat(2)], rounds=1, seed=8, dealer=1))
    widget = GameTable()
    press(widget, "load", saved)
    assert "greedy 2, a strategy of somebody's own that plays seat 1, is not at this table" in errors(widget)[0]
    assert "The saved game is loaded" in said(widget) and widget.shown["after"] is None
    assert file_of(widget) == saved
    press(widget, "skip")
    assert not rnd_of(widget).actions and "greedy 2" in errors(widget)[0]
    press(widget, "instead-1", "greedy")
    press(widget, "go-on")
    press(widget, "skip")
    assert "strategy, a strategy of somebody's own that plays seat 2" in errors(widget)[0]
    press(widget, "instead-2", "random")
    press(widget, "go-on")
    play_out(widget)


def test_those_who_see_all_cards_are_labelled():
    shown = agents_shown(GameTable())
    assert {name for name, label in shown.items() if "sees all cards" in label} == {"clairvoyant", "solver"}


def test_ratings_are_shown_with_their_intervals_for_the_table_they_are_of(monkeypatch):
    columns = ("players", "sides", "agent", "rating", "rating_low", "rating_high", "deals", "seed")
    rows = ["2 2 random 720.4 700 741 4000 9", "2 2 greedy 1000 1000 1000 4000 9", "3 3 greedy 7 6 8 5 4"]
    ladder = [dict(zip(columns, row.split(), strict=True)) for row in rows]
    monkeypatch.setattr(game_setup, "read_table", lambda name: ladder)
    shown = agents_shown(GameTable())
    assert shown["random"].endswith(" (rating 720 [700, 741])") and shown["greedy"].endswith(" (rating 1000)")
    assert "rating" not in shown["careful"]
    assert "ratings from 4,000 deals, seed 9" in words(GameTable()._root)
    assert "rating" not in "".join(agents_shown(GameTable(Rules(players=5))).values())

    def missing(name):
        raise FileNotFoundError(name)

    monkeypatch.setattr(game_setup, "read_table", missing)
    assert "rating" not in "".join(agents_shown(GameTable()).values()) + words(GameTable()._root)


def broken_late(obs, random):
    """Plays until it has to decide for seat 2."""
    return 1 // (obs.seat != 2) - 1


def test_a_failing_opponent_is_named_with_seat_and_seed_and_can_be_replaced():
    widget = GameTable(Rules(players=3), seed=41, opponents=broken_late, dealer=1)
    before = None
    for _ in range(10):
        before = len(rnd_of(widget).actions)
        wait(widget)
        if errors(widget):
            break
    (words_,) = errors(widget)
    assert "broken_late, in seat 2, failed" in words_ and "seed 41" in words_ and str(rnd_of(widget).seed) in words_
    assert "broken_late raised ZeroDivisionError" in words_
    assert len(rnd_of(widget).actions) == before and widget.shown["after"] is None, "it waits for help"
    press(widget, "pause")
    wait(widget)
    assert errors(widget) and widget.state.paused
    press(widget, "agent-2", "random")
    assert said(widget) == "Seat 2 now plays by random."
    press(widget, "skip")
    settle(widget)
    assert not errors(widget) and widget.state.mine
    press(widget, "agent-2", "clever")
    assert "must be one of random, greedy, careful, " in errors(widget)[0]


def test_opponents_are_dealt_out_to_the_other_seats():
    assert seated(["a"], 3, 1) == ("a", "a", "a")
    assert seated(["a", "b", "c"], 4, 1) == ("a", "a", "b", "c")
    assert seated(["a", "b", "c"], 4, 3) == ("a", "b", "c", "a")

    def spy(obs, random):
        print(f"asked in seat {obs.seat}")
        return 0

    widget = GameTable(Rules(players=4), opponents=["random", spy, "greedy"], seat=0, rounds=1)
    play_out(widget)
    assert set(re.findall(r"asked in seat \d", words(widget._root))) == {"asked in seat 2"}


# ---- The next deal ----


def test_every_house_rule_can_be_chosen_and_holds_from_the_next_deal_on():
    widget = GameTable(seed=3)
    match = widget.state.game.match
    wanted = {
        "four_on_field": "redeal",
        "lightning": "claim",
        "lightning_dealt": "discarded",
        "yaku": "bonus",
        "match_scoring": "rounds",
        "hiki": False,
        "lightning_from_pile": True,
        "play_out_pile": True,
        "chu": True,
        "basa": True,
    }
    press(widget, "Players", "6/3")
    for key, value in wanted.items():
        press(widget, key, value)
    press(widget, "Cards in each hand", "2")
    press(widget, "Cards on the field", "10")
    press(widget, "The match goes to", "score")
    press(widget, "How many", "4")
    press(widget, "Seed", "1234")
    assert {f.name for f in fields(Rules)} == {*wanted, "players", "teams", "hand", "field"}
    assert widget.state.game.match is match and match.rules == Rules() and not errors(widget)
    press(widget, *keys(widget, "deal-wish"))
    new = widget.state.game.match
    assert new.rules == Rules(players=6, teams=3, hand=2, field=10, **wanted)
    assert (new.seed, new.score, new.rounds) == (1234, 4, None)
    assert "A new deal, seed 1234." in said(widget)
    play_out(widget)
    press(widget, *keys(widget, "new-deal"))
    assert widget.state.game.match.rules == new.rules and widget.state.game.match.seed == 1235


def test_a_preset_sets_all_house_rules_and_leaves_the_table_as_it_is():
    widget = GameTable(Rules(players=4, teams=2, hand=6, yaku="bonus"))
    chosen = control(widget, "All house rules of").attributes["value"]
    assert chosen == ""
    for name in ("wikipedia", "paradise", "hawaii"):
        press(widget, "All house rules of", name)
        assert control(widget, "All house rules of").attributes["value"] == name
        press(widget, *keys(widget, "deal-wish"))
        assert widget.state.game.match.rules == Rules.preset(name, players=4, teams=2, hand=6)
    press(widget, "All house rules of", "")
    assert control(widget, "All house rules of").attributes["value"] == "hawaii"
    press(widget, "hiki", False)
    assert control(widget, "All house rules of").attributes["value"] == ""


@pytest.mark.parametrize(
    ("presses", "reason"),
    [
        ([("Cards in each hand", "30")], "needs 68 cards"),
        ([("Cards in each hand", "0")], "hand must be at least 1"),
        ([("Cards on the field", "40"), ("Cards in each hand", "4"), ("four_on_field", "redeal")], "deal for ever"),
        ([("How many", "0")], "rounds must be at least 1"),
        ([("Seed", "-4")], "seed must be 0 to"),
        ([("lightning", "sharp")], "lightning must be one of"),
        ([("Players", "5/2")], "5 players can form no teams"),
        ([("Players", "12")], "players must be 2 to 7"),
    ],
)
def test_impossible_rules_are_refused_in_words_and_nothing_is_lost(presses, reason):
    widget = GameTable(seed=3)
    saved = file_of(widget)
    for key, value in presses:
        press(widget, key, value)
    press(widget, *keys(widget, "new-deal"))
    assert reason in errors(widget)[0]
    assert file_of(widget) == saved


def test_what_is_no_number_is_refused_where_it_is_typed():
    widget = GameTable(seed=3)
    for key in ("Cards in each hand", "Cards on the field", "How many", "Seed", "Players"):
        press(widget, key, "lots")
        assert "a whole number is needed, got 'lots'" in errors(widget)[0]
    press(widget, "Cards in each hand", "")
    assert not errors(widget) and control(widget, "Cards in each hand").attributes["value"] == "8"


@pytest.mark.parametrize("key", ["Cards in each hand", "Cards on the field", "How many", "Seed"])
def test_a_0_that_is_typed_stays_to_be_seen(key):
    widget = GameTable(seed=3)
    press(widget, key, "0")
    assert control(widget, key).attributes["value"] == "0"


def test_another_number_of_players_keeps_the_opponents_and_a_seat():
    widget = GameTable(Rules(players=4), seat=1)
    press(widget, "Players", "3")
    press(widget, *keys(widget, "deal-wish"))
    assert widget.state.game.seat == 1
    widget = GameTable(Rules(players=4), seat=3, opponents=["random", "greedy", "random"])
    press(widget, "Players", "2")
    press(widget, *keys(widget, "deal-wish"))
    assert widget.state.game.seat == 0 and widget.state.game.agents == ("random", "random")
    press(widget, "Players", "7")
    press(widget, *keys(widget, "deal-wish"))
    assert widget.state.game.agents == ("random",) * 7
    play_out(widget)


def test_what_was_just_typed_counts_and_two_clicks_are_one_deal():
    widget = GameTable(seed=3)
    (key,), old = keys(widget, "deal-wish"), widget.shown["version"]
    press(widget, "Seed", "50")
    for _ in range(2):
        widget._receive(None, {"key": key, "version": old}, [])
    assert widget.state.game.match.seed == 50
    press(widget, "before")
    assert widget.state.game.match.seed == 3


# ---- As a widget ----


def test_two_tables_are_apart_and_a_cell_run_again_goes_on(monkeypatch):
    where = {}
    shell = type("Shell", (), {"get_parent": lambda self: where})()
    monkeypatch.setattr(base, "get_ipython", lambda: shell)
    monkeypatch.setattr(base, "_AT_PLACE", {})

    def run(number):
        where.update(metadata={"cellId": "a"}, header={"msg_id": f"run {number}"})
        return GameTable(seed=3, dealer=0), GameTable(seed=3, dealer=0)

    one, two = run(1)
    choose(one)
    wait(one)
    assert rnd_of(one).actions and not rnd_of(two).actions
    again, other = run(2)
    assert again.state is one.state and other.state is two.state
    assert said(again).startswith("The game goes on.") and again.shown["after"], "in the middle of a step"
    press(again, "skip")
    assert again.state.mine
    play_out(again)


def test_a_picture_is_left_where_nothing_runs():
    widget = GameTable(seed=3, rounds=1)
    play_out(widget)
    picture = widget.static_html()
    assert "How the score comes about" in picture and "<button" not in picture and "<select" not in picture
    for line in game_end.outcome(widget.state.game.match, widget.state.names):
        assert line in picture


@pytest.mark.parametrize(
    ("wrong", "error", "reason"),
    [
        ({"rules": "hawaii"}, TypeError, "rules must be"),
        ({"seed": -1}, ValueError, "seed must be"),
        ({"seat": 2}, ValueError, "seat must be 0 to 1, got 2"),
        ({"rounds": 2, "score": 9}, ValueError, "not both"),
        ({"opponents": "clever"}, ValueError, "no agent is called 'clever'"),
        ({"opponents": []}, ValueError, "got none"),
        ({"opponents": ["random", "greedy"]}, ValueError, "1 for all or 1, one for each, got 2"),
        ({"opponents": ["random"] * 3, "seat": None}, ValueError, "1 for all or 2, one for each, got 3"),
        ({"opponents": 5}, TypeError, "not iterable"),
        ({"pace": "breakneck"}, ValueError, "pace must be one of 'slow'"),
        ({"dealer": 2}, ValueError, "dealer must be 0 to 1"),
    ],
)
def test_arguments_that_make_no_sense_are_refused(wrong, error, reason):
    with pytest.raises(error, match=reason):
        GameTable(**wrong)


def test_a_match_is_of_six_rounds_unless_said_otherwise():
    assert GameTable().state.game.match.rounds == 6
    assert GameTable(score=100).state.game.match.score == 100


# ---- Saved matches ----


def test_a_saved_match_is_the_same_match(tmp_path):
    for rules in HOUSES:
        match = Match(rules, seed=12, rounds=3)
        finish(match.round)
        match.next_round()
        for _ in range(3):
            match.round.apply_action(match.round.legal_actions()[-1])
        match.save(tmp_path / "match.json")
        again = Match.load(tmp_path / "match.json")
        assert again.to_dict() == match.to_dict() and again.results == match.results and again.draw == match.draw
        assert everything(again.round) == everything(match.round)
        match.play("greedy")
        again.play("greedy")
        assert again.results == match.results
    told = Match(Rules(players=3), seed=12, score=50, dealer=2)
    assert Match.from_dict(told.to_dict()).to_dict() == told.to_dict()
    assert Match.from_dict(told.to_dict()).round.dealer == 2


def test_a_file_that_is_no_match_says_why(tmp_path):
    path = tmp_path / "match.json"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ValueError, match=r"match\.json is not a text file"):
        Match.load(path)
    path.write_text("{")
    with pytest.raises(ValueError, match=r"match\.json: not JSON"):
        Match.load(path)
    path.write_text(json.dumps(Match(seed=1, rounds=1).to_dict()), encoding="utf-8-sig")
    assert Match.load(path).seed == 1
