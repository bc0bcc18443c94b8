"""The coach: advice from what a seat can know, what decisions have cost, and luck and skill that add up."""

# ruff: noqa: F403, F405 (the cards by name)

import copy
import math
import random

import numpy as np
import pytest

from helpers import *
from sakura import CARDS, Round, Rules, coach, reasons
from sakura.machine import compile_loop, must_compile

HOUSES = [
    Rules(),
    Rules(players=3, lightning="claim"),
    Rules(players=4, teams=2),
    Rules(players=5, lightning="sweep_all", lightning_from_pile=True),
    Rules(players=6, teams=3, yaku="bonus"),
    Rules(players=7, four_on_field="redeal"),
    Rules(hand=10, lightning="claim", lightning_from_pile=True, play_out_pile=True),
    Rules(players=3, hand=9, field=12, play_out_pile=True, lightning_dealt="discarded"),
    Rules.preset("wikipedia", players=4),
]


@pytest.fixture(autouse=True)
def few_playouts(monkeypatch):
    for name, few in (("_TRIALS", 800), ("_REVIEW_TRIALS", 300), ("_FEWEST", 40), ("_STATE_PLAYOUTS", 60)):
        monkeypatch.setattr(coach, name, few)
    monkeypatch.setattr(coach, "_DEALS", 40)


def played(rules, seed, agent="greedy", **agents):
    """A whole round; `agents` may name another agent for a seat: seat_0="random"."""
    rnd = Round(rules, seed=seed, dealer=seed % rules.players)
    while not rnd.is_terminal:
        rnd.apply_action(rnd.choose(agents.get(f"seat_{rnd.current_player}", agent)))
    return rnd


# ---- Before a move ----


def test_all_legal_actions_are_weighed_in_their_order_against_the_best():
    rnd = Round(seed=3)
    advice = coach.advise(rnd)
    assert [move.action for move in advice.moves] == rnd.legal_actions()
    best = advice.moves[advice.best]
    assert (best.behind.value, best.behind.low, best.behind.high, best.cost) == (0, 0, 0, 0) and best.level
    assert max(move.margin.value for move in advice.moves) == best.margin.value
    for move in advice.moves:
        assert move.behind.value == pytest.approx(best.margin.value - move.margin.value)
        assert move.margin.low < move.margin.value < move.margin.high
        assert 0 <= move.chance.low <= move.chance.value <= move.chance.high <= 1
        assert move.cost == (0 if move.level else move.behind.value)
        assert move.margin.n == move.chance.n == move.behind.n == advice.playouts == 800 // len(advice.moves)
    assert (advice.seat, advice.rules) == (0, rnd.rules)
    assert f"{advice.playouts} play-outs" in str(advice) and str(best.action) in str(advice)


def test_the_same_position_gets_the_same_advice_and_another_number_another():
    rnd = Round(seed=3)
    first = coach.advise(rnd)
    assert coach.advise(Round(seed=3)) == first
    assert coach.advise(rnd, random=5) == coach.advise(rnd, random=5) != first
    assert coach.advise(rnd, playouts=100).playouts == 100
    rnd.apply_action(rnd.legal_actions()[0])
    rnd.undo()
    assert coach.advise(rnd) == first


def test_advice_knows_nothing_that_the_seat_does_not():
    field, mine = [PINE_A, MOON, BRIDGE, CURTAIN], [CRANE, GEESE, LIGHTNING, 9]
    others = [[4, 5, 6, 7], [12, 13, 14, 15], [PLUM_A, IRIS_RIBBON, IRIS_A, SUSUKI_A]]
    piles = [[46, 47, 20], [20, 33, 34], [47, 46, 20]]
    advice = [coach.advise(lay_out([mine, other], field, pile)) for other, pile in zip(others, piles, strict=True)]
    assert advice[0] == advice[1] == advice[2]
    assert len({move.why for move in advice[0].moves}) > 4


@pytest.mark.parametrize("rules", HOUSES, ids=str)
def test_every_decision_of_every_house_gets_advice(rules):
    rnd, noise = Round(rules, seed=7, dealer=1), random.Random(7)
    while not rnd.is_terminal:
        advice = coach.advise(rnd, playouts=2)
        assert [move.action for move in advice.moves] == rnd.legal_actions() and advice.seat == rnd.current_player
        assert all(move.why.endswith(".") and not move.why[0].islower() for move in advice.moves)
        assert advice.nudge.endswith((".", "?"))
        rnd.apply_action(noise.choice(rnd.legal_actions()))


def test_with_the_last_card_margin_and_chance_are_what_all_cards_of_the_pile_give_on_average():
    hands, field, first = [[CRANE], [MOON]], [SUSUKI_A, GEESE, RAIN_MAN, BRIDGE, PLUM_RIBBON], BOAR

    def at_last(top):
        rnd = lay_out(hands, field, [first, top])
        play(rnd, CRANE)
        return rnd

    unseen = sorted(set(range(48)) - {CRANE, MOON, first, *field})
    advice = coach.advise(at_last(unseen[0]), playouts=4000)
    assert [move.action.captures for move in advice.moves] == [(GEESE,), (SUSUKI_A,)]
    for number, move in enumerate(advice.moves):
        margins = []
        for top in unseen:
            rnd = at_last(top)
            rnd.apply_action(rnd.legal_actions()[number])
            assert rnd.is_terminal
            own, other = rnd.returns()[1], rnd.returns()[0]
            margins.append(own - other)
        exact, spread = np.mean(margins), np.std(margins) / math.sqrt(4000)
        assert abs(move.margin.value - exact) < 4.5 * spread
        won = np.mean([(margin > 0) + (margin == 0) / 2 for margin in margins])
        assert abs(move.chance.value - won) < 0.04
    assert advice.best == 0 and not advice.moves[1].level


def test_where_nothing_is_left_to_chance_there_is_no_doubt():
    rnd = Round(Rules(players=3, hand=8, field=24), seed=1)
    while len(rnd.legal_actions()) != 1 or sum(map(len, rnd.hands)) > 1:
        rnd.apply_action(rnd.legal_actions()[0])
    (move,) = coach.advise(rnd).moves
    assert move.margin.low == move.margin.value == move.margin.high
    assert "only one thing" in coach.advise(rnd).nudge


def test_a_yaku_is_worth_completing_and_the_hint_does_not_say_with_what():
    hands = [[PINE_A, PLUM_A, CHERRY_A, 44], [40, 41, 42, 43]]
    rnd = lay_out(hands, [PINE_RIBBON, PLUM_RIBBON, CHERRY_RIBBON], [24, 45, 46, 28, 16, 20])
    for card in (PINE_A, 40, PLUM_A):
        play(rnd, card)
    rnd.apply_action(rnd.legal_actions()[0])
    advice = coach.advise(rnd)
    assert advice.moves[advice.best].action == Action("play", CHERRY_A, (CHERRY_RIBBON,))
    assert "Ha" in advice.nudge
    for card in CARDS:
        assert card.name not in advice.nudge


def test_a_round_that_is_over_and_too_few_play_outs_are_refused():
    with pytest.raises(ValueError, match="nothing to advise"):
        coach.advise(played(Rules(), 1))
    with pytest.raises(ValueError, match="playouts must be at least 2, got 1"):
        coach.advise(Round(seed=1), playouts=1)


# ---- In words ----


def words_for(rnd, card, captures=(), kind="play"):
    obs = rnd.observation(rnd.current_player)
    action = Action(kind, card, tuple(captures))
    return reasons.good_for(obs, obs.actions[rnd.legal_actions().index(action)])


def nudge_for(rnd, card, captures=(), kind="play"):
    obs = rnd.observation(rnd.current_player)
    return reasons.nudge(obs, obs.actions[rnd.legal_actions().index(Action(kind, card, tuple(captures)))])


def test_points_and_what_is_left_to_others():
    rnd = lay_out([[CRANE, PLUM_A], [44, 45]], field=[PINE_A, PLUM_RIBBON, BRIDGE], pile=[40])
    assert words_for(rnd, CRANE, [PINE_A]) == (
        "20 points at once; has a first card for Ro; leaves Plum poetry ribbon, worth 10, "
        "to two hidden Plum blossom cards."
    )
    assert words_for(rnd, PLUM_A, [PLUM_RIBBON]) == "10 points at once; has a first card for Ha."
    assert nudge_for(rnd, CRANE, [PINE_A]) == "20 points can be had at once."


def test_a_card_that_is_laid():
    rnd = lay_out([[MOON, GEESE, 44], [5, 6, 7]], field=[BRIDGE], pile=[40])
    assert words_for(rnd, MOON) == (
        "Captures nothing; the Moon, worth 20, lies open, and two hidden Susuki grass cards may take it."
    )
    rnd = lay_out([[*PINE], [5, 6, 7, 8]], field=[BRIDGE], pile=[40], hiki=False)
    assert words_for(rnd, PINE_A) == (
        "Captures nothing; Pine plain 1 lies open, and no hidden card of its suit can take it."
    )


@pytest.mark.parametrize(("yaku", "what"), [("penalty", "50 off every other side"), ("bonus", "50 more for you")])
def test_a_yaku_completed(yaku, what):
    # Seat 0 holds the ribbons of Pine and Plum, and takes that of Cherry.
    hand = [PINE_A, PLUM_A, CHERRY_A]
    rnd = lay_out([hand, [40, 41, 42]], [PINE_RIBBON, PLUM_RIBBON, CHERRY_RIBBON], [44, 45, 46, 47, 16, 20], yaku=yaku)
    assert "makes" not in words_for(rnd, PINE_A, [PINE_RIBBON])
    play(rnd, PINE_A)
    play(rnd, 40)
    assert "makes two of three for Ha (Poetry ribbons)" in words_for(rnd, PLUM_A, [PLUM_RIBBON])
    assert nudge_for(rnd, PLUM_A, [PLUM_RIBBON]) == "A card can be had that makes two of three for Ha (Poetry ribbons)."
    play(rnd, PLUM_A)
    rnd.apply_action(rnd.legal_actions()[0])
    assert f"completes Ha (Poetry ribbons): {what}" in words_for(rnd, CHERRY_A, [CHERRY_RIBBON])
    assert nudge_for(rnd, CHERRY_A, [CHERRY_RIBBON]) == "A yaku can be completed: look at Ha (Poetry ribbons)."


def test_a_yaku_that_another_side_cannot_complete_any_more():
    hands = [[44, 45, CHERRY_A], [PINE_A, PLUM_A, 40]]
    rnd = lay_out(hands, [PINE_RIBBON, PLUM_RIBBON, CHERRY_RIBBON], [20, 24, 28, 32, 16, 12])
    for card in (44, PINE_A, 45, PLUM_A):
        play(rnd, card)
    words = words_for(rnd, CHERRY_A, [CHERRY_RIBBON])
    assert "keeps Seat 1 from Ha (Poetry ribbons), with two of three there" in words
    assert nudge_for(rnd, CHERRY_A, [CHERRY_RIBBON]) == "Look at what Seat 1 has captured: a yaku is near."


def test_a_hiki_says_what_it_costs():
    rnd = lay_out([[PINE_RIBBON, PINE_A, PINE_B], [4, 5, 6]], field=[CRANE, BOAR], pile=[DEER])
    words = words_for(rnd, PINE_RIBBON, [CRANE], "hiki")
    assert words == (
        "30 points at once; has a first card for Ro and Ha; takes all four of Pine and costs three cards of your hand."
    )


def test_the_lightning_says_what_it_brings_later():
    for lightning, later in (
        ("sweep", "when the round ends, the Iris cards left on the field are yours, too"),
        (
            "claim",
            "the next Iris card with points that another player captures, or that anyone turns up, is yours, too",
        ),
    ):
        rnd = lay_out([[LIGHTNING, 0], [4, 5]], field=[BRIDGE, DEER], pile=[44], lightning=lightning)
        assert f"uses up the Lightning: {later}" in words_for(rnd, LIGHTNING, [BRIDGE])
    rnd = lay_out([[LIGHTNING, 0], [4, 5]], field=[BRIDGE, RAIN_MAN], pile=[44])
    assert "as an ordinary Willow card" in words_for(rnd, LIGHTNING, [RAIN_MAN])
    rnd = lay_out([[LIGHTNING, 0], [4, 5]], field=[BRIDGE, RAIN_MAN], pile=[44], lightning="plain")
    assert "Lightning" not in words_for(rnd, LIGHTNING, [RAIN_MAN])


def test_a_card_that_anothers_lightning_claims_is_not_counted_as_ones_own():
    rnd = lay_out([[LIGHTNING, 0], [IRIS_A, 5]], field=[BRIDGE, IRIS_RIBBON], pile=[44, 40], lightning="claim")
    play(rnd, LIGHTNING, BRIDGE)
    words = words_for(rnd, IRIS_A, [IRIS_RIBBON])
    assert words.startswith("No points at once; the Lightning of Seat 0 claims Iris red ribbon")


def test_partners_are_one_side_and_others_are_named_together():
    rnd = lay_out([[44, 45], [PINE_A, PLUM_A], [46, 20], [24, 28]], [PINE_RIBBON, CHERRY_RIBBON, PLUM_RIBBON], teams=2)
    assert reasons._side_words(rnd.observation(0), 1) == "Seat 1 and Seat 3"
    rnd = lay_out([[44], [45], [46]], [PINE_RIBBON])
    assert reasons._side_words(rnd.observation(2), 1) == "Seat 0"


@pytest.mark.parametrize("rules", HOUSES, ids=str)
def test_the_points_named_are_those_that_the_action_itself_brings(rules):
    rnd, noise = Round(rules, seed=5), random.Random(5)
    while not rnd.is_terminal:
        seat, obs = rnd.current_player, rnd.observation(rnd.current_player)
        for action, choice in zip(rnd.legal_actions(), obs.actions, strict=True):
            after = copy.deepcopy(rnd)
            seen = len(after.log)
            after.apply_action(action)
            got = set()
            for event in after.log[seen:]:
                if event.kind == "turned up":
                    break
                if event.kind in ("captured", "lightning took") and event.seat == seat:
                    got |= set(event.cards)
            points = sum(CARDS[card].points for card in got)
            words = reasons.good_for(obs, choice)
            assert words.startswith(
                f"{points or 'No'} points at once" if got or action.captures else "Captures nothing"
            )
        rnd.apply_action(noise.choice(rnd.legal_actions()))


def test_cards_that_only_the_seat_itself_can_take_can_wait():
    rnd = lay_out([[CRANE, PINE_RIBBON, BOAR], [4, 5, 6]], field=[PINE_A, PINE_B, CLOVER_A], pile=[40])
    assert words_for(rnd, BOAR, [CLOVER_A]) == (
        "5 points at once; has a first card for To and Chi; Pine can wait, as nobody else can have any."
    )
    assert nudge_for(rnd, BOAR, [CLOVER_A]) == "Which cards are of use for a yaku?"
    assert "can wait" in words_for(rnd, CRANE, [PINE_A]), "the other two"
    assert "can wait" not in words_for(rnd, CRANE, [PINE_A, PINE_B], "hiki")


# ---- After a round ----


@pytest.mark.parametrize("rules", HOUSES, ids=str)
def test_the_parts_add_up_to_the_margin(rules):
    rnd = played(rules, 11, agent="random")
    seat = rules.players - 1
    found = coach.review(rnd, seat)
    scores = rnd.returns()
    own = scores.pop(rules.side_of(seat))
    assert found.over and (found.total.value, found.total.low, found.total.high) == (own - max(scores),) * 3
    assert sum(part.value.value for part in found.parts) == pytest.approx(own - max(scores), abs=1e-9)
    assert [part.name for part in found.parts] == [coach.AVERAGE, coach.DEAL, coach.OWN, coach.OTHERS, coach.TURNED_UP]
    assert all(part.value.low <= part.value.value <= part.value.high for part in found.parts)
    assert f"Margin: {found.total.value:+.1f}" in str(found)


@pytest.mark.parametrize("rules", HOUSES, ids=str)
def test_every_decision_of_the_seat_is_reviewed_and_its_position_can_be_played_again(rules):
    rnd = played(rules, 12, agent="random")
    again, seat = Round(rules, seed=12, dealer=rnd.dealer), 1
    found = {decision.number: decision for decision in coach.review(rnd, seat).decisions}
    for number, action in enumerate(rnd.actions):
        assert (number in found) == (again.current_player == seat)
        if number in found:
            decision = found[number]
            assert decision.action == decision.taken.action == action
            assert [move.action for move in decision.advice.moves] == again.legal_actions()
            assert everything(coach.position(rnd, number)) == everything(again)
        again.apply_action(action)
    assert everything(coach.position(rnd, len(rnd.actions))) == everything(rnd)
    with pytest.raises(ValueError, match="number must be"):
        coach.position(rnd, len(rnd.actions) + 1)


def test_who_follows_the_coach_makes_no_mistake_and_who_does_the_opposite_many():
    def by(choose):
        rnd = Round(Rules(), seed=21)
        while not rnd.is_terminal:
            if rnd.current_player:
                rnd.apply_action(rnd.choose("greedy"))
            else:
                moves = coach._advise(rnd, 0, coach._playouts(rnd, coach._REVIEW_TRIALS), None).moves
                rnd.apply_action(choose(moves, key=lambda move: move.margin.value).action)
        return coach.review(rnd, 0)

    good, bad = by(max), by(min)
    assert good.mistakes == [] and all(decision.taken.behind.value == 0 for decision in good.decisions)
    costs = [decision.taken.cost for decision in bad.mistakes]
    assert len(costs) > 2 and costs == sorted(costs, reverse=True) and costs[-1] > 0
    assert all(decision.taken.behind.low > 0 for decision in bad.mistakes)
    skill = {part.name: part.value for part in bad.parts}[coach.OWN]
    assert skill.high < 0
    assert f"cost {bad.mistakes[0].taken.behind:.1f}" in str(bad)


def test_who_plays_as_the_reference_does_owes_everything_to_luck(monkeypatch):
    monkeypatch.setattr(coach, "_STATE_PLAYOUTS", 300)
    rnd = played(Rules(), 4, agent="careful")
    parts = {part.name: part.value for part in coach.review(rnd, 0).parts}
    # All that is left is what the reference leaves to chance among equals.
    assert abs(parts[coach.OWN].value) < 10 and abs(parts[coach.OTHERS].value) < 10
    worse = {part.name: part.value for part in coach.review(played(Rules(), 4, "careful", seat_1="random"), 0).parts}
    assert worse[coach.OTHERS].low > parts[coach.OTHERS].high


def test_the_turned_up_cards_are_no_ones_decision():
    rnd = lay_out([[CRANE, MOON], [44, 45]], field=[BRIDGE], pile=[PINE_A, SUSUKI_A, 40, 20])
    start = {part.name: part.value for part in coach.review(rnd, 0).parts}
    assert [start[name].value for name in (coach.OWN, coach.OTHERS, coach.TURNED_UP)] == [0, 0, 0]
    play(rnd, CRANE)
    after = {part.name: part.value for part in coach.review(rnd, 0).parts}
    assert after[coach.AVERAGE] == start[coach.AVERAGE] and after[coach.DEAL] == start[coach.DEAL]
    assert after[coach.TURNED_UP].value > 0, "Pine plain 1 takes the Crane"
    assert after[coach.OTHERS].value == 0


def test_a_round_that_goes_on_or_has_hardly_begun_is_reviewed_so_far():
    rnd = Round(Rules(players=3), seed=2)
    found = coach.review(rnd, 0)
    assert not found.over and found.decisions == () and found.mistakes == []
    assert "Seat 0 has decided nothing yet." in str(found) and "Expected margin so far" in str(found)
    assert found.total.low < found.total.value < found.total.high
    rnd.apply_action(rnd.legal_actions()[0])
    later = coach.review(rnd, 0)
    assert len(later.decisions) == 1 and coach.review(rnd, 1).decisions == ()
    assert sum(part.value.value for part in later.parts) == pytest.approx(later.total.value)
    with pytest.raises(ValueError, match="seat must be 0 to 2, got 3"):
        coach.review(rnd, 3)


def test_a_review_is_the_same_every_time_and_changes_nothing():
    rnd = played(Rules(), 8)
    before = everything(rnd)
    assert coach.review(rnd, 0) == coach.review(rnd, 0)
    assert everything(rnd) == before


def test_the_average_deal_is_that_of_the_place_after_the_dealer():
    coach._average.cache_clear()
    by_dealer = {}
    for dealer in range(3):
        rnd = Round(Rules(players=3), seed=5, dealer=dealer)
        by_dealer[dealer] = [coach.review(rnd, seat).parts[0].value for seat in range(3)]
    assert by_dealer[0] == by_dealer[1][1:] + by_dealer[1][:1] == by_dealer[2][2:] + by_dealer[2][:2]
    assert len(set(by_dealer[0])) == 3


# ---- Ready or not ----


def test_play_outs_are_compiled_beside_everything_else(monkeypatch):
    compile_loop("play_outs")
    assert not must_compile("play_outs") and coach.ready()

    monkeypatch.setattr(coach, "must_compile", lambda loop: True)
    coach._compiling.cache_clear()
    done = coach._compiling("play_outs")
    done.result(timeout=60)
    assert coach.ready()

    def broken(loop):
        raise OSError("no room")

    monkeypatch.setattr(coach, "compile_loop", broken)
    coach._compiling.cache_clear()
    with pytest.raises(OSError, match="no room"):
        coach._compiling("play_outs").result(timeout=60)
    assert coach.ready(), "it is for the play-outs to fail"
    coach._compiling.cache_clear()
