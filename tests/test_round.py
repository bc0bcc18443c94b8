"""`Round` for people and agents: actions, the log, undo, files, and what a seat may know."""

# ruff: noqa: F403, F405 (the cards by name)

import copy
import json
import pickle
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from helpers import *
from sakura import Action, IllegalAction, Observation, Round, Rules, cards_in
from sakura.engine import HIKI, NOBODY, TURN_UP

# Between them: a hiki, a pile to choose from, a Lightning from hand and pile, claims and sweeps, teams, redeals.
TABLES = [
    Rules(),
    Rules(players=3, lightning_from_pile=True),
    Rules(players=4, teams=2, lightning="claim"),
    Rules(players=5, lightning="sweep_all", lightning_dealt="discarded"),
    Rules(players=6, teams=3, four_on_field="redeal", yaku="bonus"),
    Rules(players=7, hiki=False, lightning="claim", lightning_from_pile=True),
    Rules(players=2, hand=4, field=6, play_out_pile=True),
]
every_table = pytest.mark.parametrize("rules", TABLES, ids=str)


def play_at_random(rnd: Round, decisions: int | None = None) -> Round:
    """The same random choices every time, to the end or for a number of decisions."""
    while not rnd.is_terminal and (decisions is None or len(rnd.actions) < decisions):
        rnd.apply_action(rnd.choose("random"))
    return rnd


# ---- The deal ----


def test_the_deal_takes_two_passes_with_the_smaller_half_first_and_the_dealer_last() -> None:
    rnd = Round(Rules(players=3), deck=range(48), dealer=1)  # hands of 7, a field of 6
    assert rnd.field == {0, 1, 2, 12, 13, 14}
    assert rnd.hands[2] == {3, 4, 5, 15, 16, 17, 18}
    assert rnd.hands[0] == {6, 7, 8, 19, 20, 21, 22}
    assert rnd.hands[1] == {9, 10, 11, 23, 24, 25, 26}
    assert rnd.pile == tuple(range(27, 48))
    assert rnd.deck == tuple(range(48))


def test_an_odd_field_is_dealt_with_the_smaller_half_first_too() -> None:
    rnd = Round(Rules(players=2, hand=1, field=3), deck=range(48))  # 1 field, no hand, 2 field, then the hands
    assert rnd.field == {0, 1, 2}
    assert rnd.hands == ({4}, {3})


@pytest.mark.parametrize("dealer", range(4))
def test_the_dealer_plays_first_and_the_others_in_the_order_of_their_seats(dealer: int) -> None:
    rnd = Round(Rules(players=4), seed=5, dealer=dealer)
    assert rnd.dealer == dealer
    finish(rnd)
    turned_up = [event.seat for event in rnd.log if event.kind == "turned up"]
    assert turned_up == [(dealer + turn) % 4 for turn in range(20)]


def test_a_seed_always_deals_the_same_and_another_seed_something_else() -> None:
    assert everything(Round(seed=7)) == everything(Round(seed=7))
    assert len({Round(seed=seed).deck for seed in range(200)}) == 200
    assert Round(seed=7, dealer=1).deck == Round(seed=7).deck


def test_every_card_comes_to_lie_in_every_place_of_the_deck() -> None:
    seen = [set(places) for places in zip(*(Round(seed=seed).deck for seed in range(600)), strict=True)]
    assert all(len(cards) == 48 for cards in seen)


def test_rules_seed_and_deck_have_to_make_sense() -> None:
    for wrong in ({}, {"seed": 1, "deck": range(48)}):
        with pytest.raises(ValueError, match=r"either seed=.*or deck="):
            Round(**wrong)
    for seed in (1.5, "1", True):
        with pytest.raises(TypeError, match=f"seed must be a whole number, got {seed!r}"):
            Round(seed=seed)
    for seed in (-1, 1 << 63):
        with pytest.raises(ValueError, match=f"seed must be 0 to {(1 << 63) - 1}, got {seed}"):
            Round(seed=seed)
    for dealer in (-1, 2):
        with pytest.raises(ValueError, match=f"dealer must be 0 to 1, got {dealer}"):
            Round(seed=1, dealer=dealer)
    with pytest.raises(TypeError, match="dealer must be a whole number, got None"):
        Round(seed=1, dealer=None)
    with pytest.raises(TypeError, match=r"rules must be sakura.Rules\(...\), got 'hawaii'"):
        Round("hawaii", seed=1)


# What is no deck, and the reason that the refusal gives.
NO_DECKS: dict[str, tuple[list[Any], str]] = {
    "47 cards": ([*range(47)], "48 cards, got 47"),
    "49 cards": ([*range(48), 0], "48 cards, got 49"),
    "no cards": ([], "48 cards, got 0"),
    "a card repeated": ([0, *range(47)], "once; repeated are 0"),
    "a card beyond the deck": ([*range(47), 48], "0 to 47, got 48"),
    "a negative card": ([*range(47), -1], "0 to 47, got -1"),
    "a fraction": ([*range(47), 47.0], "whole number, got 47.0"),
    "a word": ([*range(47), "47"], "whole number, got '47'"),
    "a truth": ([0, True, *range(2, 48)], "whole number, got True"),
    "nothing in a place": ([*range(47), None], "whole number, got None"),
}


@pytest.mark.parametrize("case", NO_DECKS)
def test_what_is_no_deck_is_refused_with_the_reason(case: str) -> None:
    deck, reason = NO_DECKS[case]
    with pytest.raises((ValueError, TypeError)) as refusal:
        Round(deck=deck)
    assert reason in str(refusal.value)


# ---- Legal actions ----


def test_legal_actions_are_each_cards_first_capture_then_second_ones_then_the_lightnings_then_hikis() -> None:
    rnd = lay_out(
        hands=[[LIGHTNING, MOON, PINE_A, PINE_B, CUCKOO], [WARBLER, BRIDGE, BOAR, DEER, SAKE_CUP]],
        field=[CRANE, PINE_RIBBON, SUSUKI_A, RAIN_MAN, SWALLOW],
    )
    assert rnd.legal_actions() == [
        Action("play", PINE_A, (CRANE,)),
        Action("play", PINE_B, (CRANE,)),
        Action("play", CUCKOO, ()),
        Action("play", MOON, (SUSUKI_A,)),
        Action("play", LIGHTNING, (RAIN_MAN,)),
        Action("play", PINE_A, (PINE_RIBBON,)),
        Action("play", PINE_B, (PINE_RIBBON,)),
        Action("play", LIGHTNING, (SWALLOW,)),
        Action("play", LIGHTNING, (CRANE,)),
        Action("play", LIGHTNING, (PINE_RIBBON,)),
        Action("play", LIGHTNING, (SUSUKI_A,)),
        Action("hiki", PINE_A, (CRANE, PINE_RIBBON)),
    ]


def test_a_hand_step_is_a_decision_even_with_one_action() -> None:
    rnd = lay_out(hands=[[CRANE], [MOON]], field=[PINE_A])
    assert len(rnd.legal_actions()) == 1
    assert (rnd.current_player, rnd.phase, rnd.turn) == (0, "hand", 0)


def test_when_the_round_is_over_nobody_decides() -> None:
    rnd = lay_out(hands=[[CRANE], [MOON]], field=[PINE_A])
    finish(rnd)
    assert (rnd.is_terminal, rnd.phase, rnd.current_player, rnd.legal_actions()) == (True, "over", None, [])
    with pytest.raises(ValueError, match="over"):
        rnd.choose("random")


@pytest.mark.parametrize(
    "wrong",
    [
        Action("play", CURTAIN, ()),
        Action("play", SAKE_CUP, ()),
        Action("play", MOON, ()),
        Action("play", MOON, (SUSUKI_A, SUSUKI_B)),
        Action("play", MOON, (PINE_A,)),
        Action("play", MOON, [SUSUKI_A]),
        Action("play", CRANE, (SUSUKI_A,)),
        Action("play", 48, ()),
        Action("play", "Moon", (SUSUKI_A,)),
        Action("turn_up", MOON, (SUSUKI_A,)),
        Action("hiki", MOON, (SUSUKI_A, SUSUKI_B)),
        Action("pass", MOON, (SUSUKI_A,)),
        ("play", MOON),
        ("play", MOON, (SUSUKI_A,), 0),
        (),
        None,
        "play Moon",
        0,
        {"kind": "play"},
        np.array([0, MOON, SUSUKI_A]),
    ],
    ids=repr,
)
def test_an_illegal_action_names_what_is_legal_and_changes_nothing(wrong: Any) -> None:
    rnd = lay_out(hands=[[CRANE, MOON], [SAKE_CUP, BOAR]], field=[SUSUKI_A, SUSUKI_B, PINE_A, PLUM_A])
    play(rnd, MOON, SUSUKI_B)
    play(rnd, BOAR)
    rnd.undo(2)
    before = everything(rnd)
    with pytest.raises(IllegalAction) as refusal:
        rnd.apply_action(wrong)
    assert everything(rnd) == before
    message = str(refusal.value)
    assert repr(wrong) in message and "seat 0" in message
    assert all(repr(tuple(action)) in message for action in rnd.legal_actions())
    rnd.redo(2)  # what was undone can still be done again


def test_an_illegal_choice_for_a_card_turned_up_changes_nothing() -> None:
    rnd = lay_out(hands=[[PINE_A], [PLUM_A]], field=[RAIN_MAN, SWALLOW], pile=[WILLOW_RIBBON])
    play(rnd, PINE_A)
    before = everything(rnd)
    for wrong in (
        Action("turn_up", WILLOW_RIBBON, ()),
        Action("turn_up", WILLOW_RIBBON, (RAIN_MAN, SWALLOW)),
        Action("play", WILLOW_RIBBON, (RAIN_MAN,)),
        Action("play", PINE_A, ()),
    ):
        with pytest.raises(IllegalAction, match="turn_up"):
            rnd.apply_action(wrong)
        assert everything(rnd) == before


def test_after_the_end_every_action_is_illegal() -> None:
    rnd = play_at_random(Round(seed=3))
    before = everything(rnd)
    with pytest.raises(IllegalAction, match="the round is over"):
        rnd.apply_action(rnd.actions[-1])
    assert everything(rnd) == before


def test_an_action_may_be_given_as_a_plain_tuple() -> None:
    rnd = lay_out(hands=[[CRANE], [MOON]], field=[PINE_A])
    rnd.apply_action(("play", CRANE, (PINE_A,)))
    assert rnd.actions == (Action("play", CRANE, (PINE_A,)),)
    assert isinstance(rnd.actions[0], Action)


def test_actions_are_put_into_words() -> None:
    assert str(Action("play", CRANE, ())) == "Crane is laid on the field"
    assert str(Action("play", CRANE, (PINE_A,))) == "Crane captures Pine plain 1"
    assert str(Action("turn_up", CRANE, (PINE_A,))) == "Crane, turned up, captures Pine plain 1"
    assert str(Action("hiki", PINE_A, (CRANE, PINE_RIBBON))) == (
        "declare hiki of Pine, with Crane and Pine poetry ribbon from the field"
    )
    assert str(Action("hiki", CRANE, ())) == "declare hiki of Pine"


# ---- The log ----


def words(rnd: Round, since: int = 0) -> list[str]:
    return [str(event) for event in rnd.log[since:]]


def test_the_log_tells_a_round_in_words() -> None:
    rnd = lay_out(
        hands=[[LIGHTNING, GEESE], [PINE_A, PINE_B]],
        field=[SUSUKI_A, SUSUKI_B, CRANE, PINE_RIBBON, CLOVER_A, MAPLE_A],
        pile=[BOAR, DEER, CUCKOO, MOON],
    )
    play(rnd, LIGHTNING, SUSUKI_A)
    declare_hiki(rnd, PINE_A)
    play(rnd, GEESE)
    assert rnd.is_terminal, "the hiki emptied the other hand"
    assert words(rnd) == [
        "The field is dealt Crane, Pine poetry ribbon, Bush clover plain 1, Susuki plain 1, Susuki plain 2 and "
        "Maple plain 1.",
        "Seat 0 is dealt Geese and Lightning.",
        "Seat 1 is dealt Pine plain 1 and Pine plain 2.",
        "Seat 0 plays Lightning.",
        "Seat 0's Lightning takes Susuki plain 1.",
        "Seat 0 turns up Boar.",
        "Seat 0 captures Boar and Bush clover plain 1.",
        "Seat 1 declares hiki: Crane, Pine poetry ribbon, Pine plain 1 and Pine plain 2.",
        "Seat 1 captures Crane, Pine poetry ribbon, Pine plain 1 and Pine plain 2.",
        "Seat 1 turns up Deer.",
        "Seat 1 captures Deer and Maple plain 1.",
        "Seat 0 plays Geese.",
        "Seat 0 captures Geese and Susuki plain 2.",
        "Seat 0 turns up Cuckoo.",
        "The round is over: side 0 scores 10, side 1 scores 35.",
    ]


def test_the_log_tells_of_a_sweep_and_the_yaku_that_it_completes() -> None:
    rnd = lay_out(
        hands=[[LIGHTNING, BOAR, DEER], [PINE_A, PLUM_A, CHERRY_A]],
        field=[SUSUKI_A, CLOVER_A, MAPLE_A],
        pile=[WISTERIA_A, GEESE, IRIS_A, PEONY_A, CHRYSANTHEMUM_A, PAULOWNIA_A],
    )
    play(rnd, LIGHTNING, SUSUKI_A)
    finish(rnd)
    assert words(rnd)[-4:] == [
        "Seat 1 turns up Paulownia plain 1.",
        "Seat 0 sweeps Geese off the field by the Lightning.",
        "Seat 0 completes Chi (Boar, geese and deer): Boar, Geese and Deer.",
        "The round is over: side 0 scores 15, side 1 scores -50.",
    ]


def test_the_log_tells_of_a_claim_by_capture_and_by_a_card_turned_up() -> None:
    rnd = lay_out(hands=[[LIGHTNING], [GEESE]], field=[SUSUKI_A, SUSUKI_B], pile=[PLUM_A, CUCKOO], lightning="claim")
    play(rnd, LIGHTNING, SUSUKI_A)
    since = len(rnd.log)
    play(rnd, GEESE)
    assert words(rnd, since) == [
        "Seat 1 plays Geese.",
        "Seat 1 captures Susuki plain 2.",
        "Seat 0's Lightning takes Geese.",
        "Seat 1 turns up Cuckoo.",
        "The round is over: side 0 scores 5, side 1 scores 0.",
    ]
    rnd = lay_out(hands=[[LIGHTNING], [PINE_A]], field=[SUSUKI_A, SUSUKI_B], pile=[MOON], lightning="claim")
    play(rnd, LIGHTNING, SUSUKI_A)
    assert words(rnd)[-2:] == ["Seat 0 turns up Moon.", "Seat 0's Lightning takes Moon."]
    took = [event.cards for event in rnd.log if event.kind == "lightning took"]
    assert took == [(SUSUKI_A, LIGHTNING), (MOON,)]


def test_the_lightning_capturing_a_willow_is_an_ordinary_capture_in_the_log() -> None:
    rnd = lay_out(hands=[[LIGHTNING], [PINE_A]], field=[RAIN_MAN], pile=[PLUM_A])
    play(rnd, LIGHTNING)
    assert words(rnd)[-3:-1] == ["Seat 0 plays Lightning.", "Seat 0 captures Rain man and Lightning."]


def test_the_log_tells_what_a_lightning_turned_up_took() -> None:
    rnd = lay_out(hands=[[PINE_A], [PLUM_A]], field=[BRIDGE], pile=[LIGHTNING], lightning_from_pile=True)
    play(rnd, PINE_A)
    turn_up(rnd, LIGHTNING, BRIDGE)
    assert words(rnd)[-2:] == ["Seat 0 turns up Lightning.", "Seat 0's Lightning takes Bridge."]


def test_the_log_tells_of_a_choice_for_a_card_turned_up() -> None:
    rnd = lay_out(hands=[[PINE_A], [PLUM_A]], field=[RAIN_MAN, SWALLOW], pile=[WILLOW_RIBBON])
    play(rnd, PINE_A)
    assert words(rnd)[-2:] == ["Seat 0 plays Pine plain 1.", "Seat 0 turns up Willow red ribbon."]
    turn_up(rnd, WILLOW_RIBBON, SWALLOW)
    assert words(rnd)[-1] == "Seat 0 captures Swallow and Willow red ribbon."


def test_the_log_tells_what_the_deal_brought_the_dealer_and_what_left_the_game() -> None:
    rnd = lay_out(
        hands=[[BOAR], [DEER]], field=[*PINE, LIGHTNING, *PLUM, *CHERRY], dealer=1, lightning_dealt="discarded"
    )
    assert words(rnd)[1:] == [
        "Seat 0 is dealt Boar.",
        "Seat 1 is dealt Deer.",
        "Lightning leaves the game.",
        "Seat 1 captures Crane, Pine poetry ribbon, Pine plain 1, Pine plain 2, Bush warbler, Plum poetry ribbon, "
        "Plum plain 1, Plum plain 2, Curtain, Cherry poetry ribbon, Cherry plain 1 and Cherry plain 2.",
        "Seat 1 completes Ro (Spring): Crane, Bush warbler and Curtain.",
        "Seat 1 completes Ha (Poetry ribbons): Pine poetry ribbon, Plum poetry ribbon and Cherry poetry ribbon.",
    ]
    assert set(rnd.log[0].cards) == {*PINE, LIGHTNING, *PLUM, *CHERRY}, "what was dealt, not what is left"


def test_a_yaku_that_partners_make_together_is_completed_once_by_the_seat_whose_card_completes_it() -> None:
    rnd = lay_out(
        hands=[[PINE_RIBBON], [WISTERIA_A], [PLUM_RIBBON], [IRIS_A]],
        field=[PINE_A, PLUM_A, CHERRY_RIBBON],
        pile=[CHERRY_A, PEONY_A, CLOVER_A, MAPLE_A],
        teams=2,
    )
    finish(rnd)
    completed = [event for event in rnd.log if event.kind == "yaku completed"]
    assert [(event.seat, event.cards) for event in completed] == [(2, (PINE_RIBBON, PLUM_RIBBON, CHERRY_RIBBON))]


def test_one_seats_log_leaves_out_the_hands_dealt_to_others_and_nothing_else() -> None:
    rnd = play_at_random(Round(Rules(players=4, teams=2), seed=11))
    for seat in range(4):
        left_out = [event for event in rnd.log if event not in rnd.log_for(seat)]
        assert [(event.kind, event.seat) for event in left_out] == [("dealt", s) for s in range(4) if s != seat]
    with pytest.raises(ValueError, match="seat must be 0 to 3, got 4"):
        rnd.log_for(4)


@every_table
def test_the_log_accounts_for_every_card_captured_and_the_final_score(rules: Rules) -> None:
    for seed in range(10):
        rnd = play_at_random(Round(rules, seed=seed))
        gained: list[set[int]] = [set() for _ in range(rules.players)]
        for event in rnd.log:
            if event.kind in ("captured", "lightning took", "swept"):
                assert not gained[event.seat].intersection(event.cards)
                gained[event.seat].update(event.cards)
        assert tuple(gained) == rnd.captured
        assert rnd.log[-1].kind == "round over"
        assert rnd.log[-1].words == ", ".join(f"side {s} scores {score}" for s, score in enumerate(rnd.returns()))
        held = [[] for _ in range(rules.sides)]
        for event in rnd.log:
            if event.kind == "yaku completed":
                held[rules.side_of(event.seat)].append(event.cards)
        assert [len(cards) for cards in held] == [len(numbers) for numbers in rnd.yaku()]


@every_table
def test_the_same_actions_give_the_same_log(rules: Rules) -> None:
    for seed in range(5):
        rnd = play_at_random(Round(rules, seed=seed, dealer=1))
        again = Round(rules, deck=rnd.deck, dealer=1)
        for action in rnd.actions:
            again.apply_action(action)
        assert again.log == rnd.log
        assert again.returns() == rnd.returns()


# ---- Back and forth ----


@every_table
def test_every_decision_can_be_undone_and_redone(rules: Rules) -> None:
    for seed in range(2):
        rnd = Round(rules, seed=seed)
        stages = [everything(rnd)]
        while not rnd.is_terminal:
            rnd.apply_action(rnd.choose("random"))
            stages.append(everything(rnd))
        for stage in reversed(stages[:-1]):
            rnd.undo()
            assert everything(rnd) == stage
        for stage in stages[1:]:
            rnd.redo()
            assert everything(rnd) == stage
        rnd.undo(len(stages) - 1)
        assert everything(rnd) == stages[0]
        rnd.redo(len(stages) - 1)
        assert everything(rnd) == stages[-1]


def test_another_action_after_an_undo_forgets_what_was_undone_and_the_same_one_does_not() -> None:
    rnd = play_at_random(Round(seed=2), decisions=6)
    taken = rnd.actions
    rnd.undo(3)
    rnd.apply_action(taken[3])
    rnd.redo(2)
    assert rnd.actions == taken
    rnd.undo(3)
    rnd.apply_action(next(action for action in rnd.legal_actions() if action != taken[3]))
    with pytest.raises(ValueError, match="decisions to take again must be 0 to 0, got 1"):
        rnd.redo()


def test_more_decisions_than_there_are_cannot_be_undone_or_redone() -> None:
    rnd = play_at_random(Round(seed=2), decisions=3)
    before = everything(rnd)
    for count in (4, -1):
        with pytest.raises(ValueError, match=f"decisions to take back must be 0 to 3, got {count}"):
            rnd.undo(count)
    with pytest.raises(ValueError, match="decisions to take again must be 0 to 0, got 1"):
        rnd.redo()
    assert everything(rnd) == before
    rnd.undo(0)
    assert everything(rnd) == before


# ---- Files ----


@every_table
def test_a_round_saved_at_any_decision_plays_on_identically(rules: Rules, tmp_path: Path) -> None:
    file = tmp_path / "round.json"
    for seed in (0, 1):
        rnd = Round(rules, seed=seed, dealer=1)
        end = everything(play_at_random(Round(rules, seed=seed, dealer=1)))
        while not rnd.is_terminal:
            if len(rnd.actions) % 4 == 0 or rnd.phase == "pile":
                rnd.save(file)
                loaded = Round.load(file)
                assert everything(loaded) == everything(rnd)
                assert everything(play_at_random(loaded)) == end
            rnd.apply_action(rnd.choose("random"))
        rnd.save(file)
        assert everything(Round.load(file)) == end


def test_a_round_is_saved_while_a_card_turned_up_waits_for_a_choice(tmp_path: Path) -> None:
    rnd = lay_out(hands=[[PINE_A], [PLUM_A]], field=[RAIN_MAN, SWALLOW], pile=[WILLOW_RIBBON])
    play(rnd, PINE_A)
    rnd.save(tmp_path / "round.json")
    loaded = Round.load(str(tmp_path / "round.json"))
    assert (loaded.phase, loaded.turned_up, loaded.seed) == ("pile", WILLOW_RIBBON, None)
    assert everything(loaded) == everything(rnd)
    loaded.undo()
    assert loaded.hands == ({PINE_A}, {PLUM_A})


def test_a_saved_round_is_json_that_says_what_it_is() -> None:
    rnd = play_at_random(Round(Rules(players=3), seed=5), decisions=2)
    data = json.loads(json.dumps(rnd.to_dict()))
    assert data["rules"] == {"players": 3}
    assert (data["dealer"], data["seed"], data["deck"]) == (0, 5, list(rnd.deck))
    assert data["actions"] == [[kind, card, list(captures)] for kind, card, captures in rnd.actions]


def change(**changes: Any) -> Callable[[dict[str, Any]], Any]:
    return lambda data: data | changes


def without(key: str) -> Callable[[dict[str, Any]], Any]:
    return lambda data: {k: v for k, v in data.items() if k != key}


def an_illegal_action_in_the_middle(data: dict[str, Any]) -> Any:
    actions = list(data["actions"])
    actions[2] = ["play", actions[0][1], []]  # a card that has been played already
    return data | {"actions": actions}


# What a file may hold instead of a round, and what the refusal has to say. A function changes a good round.
CORRUPT: dict[str, tuple[bytes | Callable[[dict[str, Any]], Any], tuple[str, ...]]] = {
    "empty": (b"", ("not JSON",)),
    "prose": (b"Once upon a time", ("not JSON",)),
    "half a file": (b'{"format": "sakura round 1", "rules": {"play', ("not JSON",)),
    "nested too deep": (b"[" * 200_000, ("not JSON",)),
    "binary": (bytes(range(256)), ("not a text file",)),
    "a list": (lambda data: [data], ("no saved round", "sakura round 1")),
    "a number": (b"48", ("no saved round", "sakura round 1")),
    "null": (b"null", ("no saved round", "sakura round 1")),
    "another format": (change(format="sakura round 2"), ("no saved round", "sakura round 1")),
    "no format": (without("format"), ("no saved round", "sakura round 1")),
    "no rules": (without("rules"), ("lacks rules",)),
    "no dealer": (without("dealer"), ("lacks dealer",)),
    "no seed": (without("seed"), ("lacks seed",)),
    "no deck": (without("deck"), ("lacks deck",)),
    "no actions": (without("actions"), ("lacks actions",)),
    "rules that are none": (change(rules=7), ("cannot have happened",)),
    "rules in a list": (change(rules=["players", 2]), ("cannot have happened",)),
    "eight players": (change(rules={"players": 8}), ("players must be 2 to 7, got 8",)),
    "an unknown rule": (change(rules={"jokers": 2}), ("'jokers'",)),
    "other rules than the deck was played by": (change(rules={"players": 2, "hand": 2}), ("action number",)),
    "a dealer who does not sit there": (change(dealer=2), ("dealer must be 0 to 1, got 2",)),
    "a dealer by name": (change(dealer="Ann"), ("dealer", "'Ann'")),
    "a seed that shuffles another deck": (change(seed=6), ("deck", "seed 6")),
    "a seed that is none": (change(seed="five"), ("seed", "'five'")),
    "a deck that is none": (change(deck=48), ("cannot have happened",)),
    **{f"a deck with {case}": (change(deck=deck), (reason,)) for case, (deck, reason) in NO_DECKS.items()},
    "an illegal action in the middle": (an_illegal_action_in_the_middle, ("action number 2", "legal are")),
    "an action after the end": (
        lambda data: data | {"actions": [*data["actions"], *[["play", 0, []]] * 30]},
        ("action number", "is not legal"),
    ),
    "an action of two parts": (change(actions=[["play", 0]]), ("cannot have happened",)),
    "an action that is a number": (change(actions=[3]), ("cannot have happened",)),
    "captures that are none": (change(actions=[["play", 0, 5]]), ("cannot have happened",)),
    "captures in captures": (change(actions=[["play", 0, [[5]]]]), ("action number 0", "is not legal")),
    "actions that are none": (change(actions=None), ("cannot have happened",)),
}


@pytest.mark.parametrize("case", CORRUPT)
def test_a_file_that_is_no_round_is_refused_with_the_reason(case: str, tmp_path: Path) -> None:
    content, named = CORRUPT[case]
    file = tmp_path / "round.json"
    if not isinstance(content, bytes):
        good = play_at_random(Round(seed=5), decisions=5).to_dict()
        assert everything(Round.from_dict(good))["file"] == good
        content = json.dumps(content(good)).encode()
    file.write_bytes(content)
    with pytest.raises(ValueError) as refusal:
        Round.load(file)
    assert all(part in str(refusal.value) for part in (str(file), *named)), refusal.value


def test_a_deck_that_the_table_would_deal_again_is_no_saved_round_either() -> None:
    data = lay_out(hands=[[BOAR], [DEER]], field=[*PINE, MOON]).to_dict()
    data["rules"]["four_on_field"] = "redeal"
    with pytest.raises(ValueError, match="four of a suit"):
        Round.from_dict(data)


def test_a_file_that_is_not_there_is_reported_by_its_name(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="nowhere"):
        Round.load(tmp_path / "nowhere.json")


# ---- What a seat may know ----


def test_an_observation_says_what_lies_on_the_table() -> None:
    rnd = lay_out(
        hands=[[LIGHTNING, CRANE], [GEESE, BOAR], [SAKE_CUP, DEER]],
        field=[SUSUKI_A, SUSUKI_B, PINE_A],
        pile=[PLUM_A, CUCKOO],
        lightning="claim",
        dealer=0,
    )
    play(rnd, LIGHTNING, SUSUKI_A)
    observed = rnd.observation(1)._asdict()
    legal = rnd.legal_actions()
    actions = [(action.kind, action.card, cards_in(action.captures)) for action in observed.pop("actions")]
    assert actions == [(0, action.card, action.captures) for action in legal]
    assert observed == {
        "seat": 1,
        "turn": 1,
        "dealer": 0,
        "players": 3,
        "sides": 3,
        "hand": bits([GEESE, BOAR]),
        "field": bits([SUSUKI_B, PINE_A, PLUM_A]),
        "removed": 0,
        "captured": (bits([LIGHTNING, SUSUKI_A]), 0, 0, 0, 0, 0, 0),
        "hand_sizes": (1, 2, 2, 0, 0, 0, 0),
        "pile_size": 48 - 6 - 3 - 1,
        "turned_up": NOBODY,
        "lightning_seat": 0,
        "odd_suit": SUSUKI_A // 4,
        "rules": rnd.rules.numbers(),
    }
    assert rnd.observation(0).hand == bits([CRANE])
    assert rnd.observation(0).actions == ()
    play(rnd, GEESE)
    assert (rnd.observation(2).lightning_seat, rnd.observation(2).odd_suit) == (0, NOBODY), "the claim is used up"


def test_an_observation_shows_the_card_turned_up_to_all_and_the_choice_to_one() -> None:
    rnd = lay_out(hands=[[PINE_A], [PLUM_A]], field=[RAIN_MAN, SWALLOW], pile=[WILLOW_RIBBON])
    play(rnd, PINE_A)
    for seat in (0, 1):
        obs = rnd.observation(seat)
        assert (obs.turn, obs.turned_up) == (0, WILLOW_RIBBON)
    assert rnd.observation(0).actions == (
        (TURN_UP, WILLOW_RIBBON, bits([RAIN_MAN])),
        (TURN_UP, WILLOW_RIBBON, bits([SWALLOW])),
    )
    assert rnd.observation(1).actions == ()


def test_an_observation_shows_what_left_the_game() -> None:
    rnd = lay_out(hands=[[CRANE], [MOON]], field=[LIGHTNING, BOAR], lightning_dealt="discarded")
    assert rnd.observation(1).removed == bits([LIGHTNING])


def test_only_a_seat_at_the_table_observes() -> None:
    rnd = Round(seed=1)
    for wrong in (2, -1):
        with pytest.raises(ValueError, match=f"seat must be 0 to 1, got {wrong}"):
            rnd.observation(wrong)


def numbers_in(value: Any) -> Iterator[int]:
    if isinstance(value, tuple):
        for part in value:
            yield from numbers_in(part)
    else:
        yield value


@every_table
def test_no_number_in_an_observation_holds_a_hidden_card(rules: Rules) -> None:
    for seed in range(3):
        rnd = Round(rules, seed=seed)
        while not rnd.is_terminal:
            for seat in range(rules.players):
                others = (hand for other, hand in enumerate(rnd.hands) if other != seat)
                hidden = bits(card for cards in (*others, rnd.pile) for card in cards)
                # Numbers below 48 are seats, sizes, suits and the ids of cards that lie open; above, sets of cards.
                sets = [number for number in numbers_in(rnd.observation(seat)) if number >= 48]
                assert not any(cards & hidden for cards in sets)
            rnd.apply_action(rnd.choose("random"))


def protected(rnd: Round) -> set[int]:
    """The suits that are the hiki of a player other than the one who decides: announced, so no secret from then on."""
    suits = set()
    for seat, hand in enumerate(rnd.hands):
        for suit in range(12):
            cards = set(range(4 * suit, 4 * suit + 4))
            if rnd.rules.hiki and seat != rnd.current_player and cards & hand and cards <= hand | rnd.field:
                suits.add(suit)
    return suits


def with_hidden_cards_exchanged(rnd: Round, seat: int, chance: random.Random) -> Round | None:
    """The same moves in a deck in which the cards that `seat` has not seen yet have changed places.

    None where the moves tell the two decks apart: a Lightning could not have taken there what it took, or could have.
    """
    known = rnd.hands[seat] | rnd.field | rnd.removed | frozenset().union(*rnd.captured)
    known |= {rnd.turned_up} - {None}
    places = [place for place, card in enumerate(rnd.deck) if card not in known]
    deck = list(rnd.deck)
    for place, other in zip(places, chance.sample(places, len(places)), strict=True):
        deck[place] = rnd.deck[other]
    twin = Round(rnd.rules, deck=deck, dealer=rnd.dealer)
    for action in rnd.actions:
        if action not in twin.legal_actions():
            assert rnd.rules.hiki and LIGHTNING in known
            return None
        twin.apply_action(action)
    if twin.phase != rnd.phase:  # a Lightning turned up here has nothing to choose from there
        assert rnd.rules.hiki and rnd.rules.lightning_from_pile and LIGHTNING in known
        return None
    return twin


def without_lightning(obs: Observation) -> Observation:
    kept = tuple(action for action in obs.actions if action.card != LIGHTNING or action.kind == HIKI)
    return obs._replace(actions=kept)


@every_table
def test_states_that_differ_only_in_hidden_cards_give_equal_observations(rules: Rules) -> None:
    chance = random.Random(1)
    compared = 0
    for seed in range(6):
        rnd = Round(rules, deck=Round(rules, seed=seed).deck)
        while not rnd.is_terminal:
            seat = chance.randrange(rules.players)
            twin = with_hidden_cards_exchanged(rnd, seat, chance)
            if twin is not None:
                here, there = rnd.observation(seat), twin.observation(seat)
                if protected(rnd) != protected(twin):
                    here, there = without_lightning(here), without_lightning(there)
                assert here == there
                assert rnd.log_for(seat) == twin.log_for(seat)
                compared += twin.deck != rnd.deck
            rnd.apply_action(rnd.choose("random"))
    assert compared > 50


def test_the_one_thing_that_hidden_cards_change_is_what_the_lightning_may_take() -> None:
    """Two irises on the field, the other two in one hand or shared with the pile: only the first is announced."""
    lightning = [LIGHTNING, CRANE]
    field = [BRIDGE, IRIS_RIBBON, MOON]
    hiki = lay_out(hands=[lightning, [IRIS_A, IRIS_B]], field=field, pile=[BOAR])
    none = lay_out(hands=[lightning, [IRIS_A, BOAR]], field=field, pile=[IRIS_B])
    assert (protected(hiki), protected(none)) == ({IRIS[0] // 4}, set())
    here, there = hiki.observation(0), none.observation(0)
    assert without_lightning(here) == without_lightning(there)
    more = {action.captures for action in there.actions} - {action.captures for action in here.actions}
    assert more == {1 << BRIDGE, 1 << IRIS_RIBBON}
    # Without the hiki rule nothing is announced.
    hiki = lay_out(hands=[lightning, [IRIS_A, IRIS_B]], field=field, pile=[BOAR], hiki=False)
    none = lay_out(hands=[lightning, [IRIS_A, BOAR]], field=field, pile=[IRIS_B], hiki=False)
    assert hiki.observation(0) == none.observation(0)


# ---- Chance ----


@every_table
def test_noise_in_the_global_generators_changes_nothing(rules: Rules) -> None:
    quiet = everything(play_at_random(Round(rules, seed=9)))
    random.seed(1)
    np.random.seed(1)  # noqa: NPY002
    noisy = Round(rules, seed=9)
    while not noisy.is_terminal:
        random.random()
        np.random.random()  # noqa: NPY002
        random.seed(len(noisy.log))
        np.random.seed(len(noisy.log))  # noqa: NPY002
        noisy.apply_action(noisy.choose("random"))
    assert everything(noisy) == quiet


def test_a_round_does_not_touch_the_global_generators() -> None:
    random.seed(1)
    np.random.seed(1)  # noqa: NPY002
    before = random.getstate(), np.random.get_state()[1].tolist()  # noqa: NPY002
    play_at_random(Round(seed=9))
    assert (random.getstate(), np.random.get_state()[1].tolist()) == before  # noqa: NPY002


# ---- In words ----


def test_a_round_shows_the_table() -> None:
    rnd = lay_out(hands=[[CRANE, PINE_A], [MOON, BOAR]], field=[PINE_RIBBON, RAIN_MAN], pile=[PLUM_A])
    play(rnd, CRANE)
    assert str(rnd).splitlines() == [
        "Field: Plum plain 1 and Rain man",
        "Pile: 41 cards",
        "  Seat 0 holds Pine plain 1",
        "    and has captured Crane and Pine poetry ribbon",
        "> Seat 1 holds Boar and Moon",
        "    and has captured no card",
        "Side 0: 30 (yaku: none)",
        "Side 1: 0 (yaku: none)",
    ]


def test_a_round_says_what_it_is_and_whose_turn() -> None:
    rnd = Round(Rules(players=3), seed=4, dealer=2)
    assert repr(rnd) == "<Round: players=3, seed 4, dealer 2, turn 1, seat 2 decides (hand)>"
    finish(rnd)
    assert repr(rnd).endswith("over>")
    assert "from a deck" in repr(Round(deck=range(48)))


@pytest.mark.parametrize(
    "copied",
    [Round.copy, copy.copy, copy.deepcopy, lambda rnd: pickle.loads(pickle.dumps(rnd))],
    ids=["Round.copy", "copy", "deepcopy", "pickle"],
)
def test_a_copy_shares_nothing_with_the_round(copied: Callable[[Round], Round]) -> None:
    rnd = Round(seed=7)
    for _ in range(5):
        rnd.apply_action(rnd.legal_actions()[-1])
    rnd.undo(2)
    before, log = rnd.to_dict(), rnd.log
    other = copied(rnd)
    assert (other.to_dict(), other.log) == (before, log)
    other.redo(2)
    other.undo(4)
    while not other.is_terminal:
        other.apply_action(other.legal_actions()[0])
    assert (rnd.to_dict(), rnd.log) == (before, log)
    rnd.redo(2)
    rnd.undo(5)
    assert not rnd.actions and rnd.field == Round(seed=7).field and other.is_terminal


@pytest.mark.parametrize("action", [("play", 99, ()), ("hiki", -1, (3,)), ("turn_up", 0, None), (None, "Crane", ({},))])
def test_any_action_can_be_shown(action: tuple[Any, ...]) -> None:
    assert str(Action(*action)) == repr(Action(*action))
