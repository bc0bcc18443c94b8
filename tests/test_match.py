"""`Match`: who deals, what a round adds to the totals, when it is over and who has won."""

# ruff: noqa: F403, F405 (the cards by name)

from collections import Counter
from typing import Any

import pytest

from helpers import *
from sakura import CARDS, Match, Round, Rules
from sakura.match import RoundResult, draw_dealer, result

# ---- The first dealer ----


def test_the_earliest_month_deals_and_ties_draw_again_among_the_tied() -> None:
    ties = 0
    for seed in range(300):
        draw = draw_dealer(7, seed)
        seats = set(range(7))
        for number, drawn in enumerate(draw.draws):
            assert set(drawn) == seats
            months = {seat: CARDS[card].month for seat, card in drawn.items()}
            seats = {seat for seat, month in months.items() if month == min(months.values())}
            assert (len(seats) > 1) == (number + 1 < len(draw.draws))
        assert seats == {draw.dealer}
        cards = [card for drawn in draw.draws for card in drawn.values()]
        assert len(set(cards)) == len(cards), "no card is drawn twice"
        ties += len(draw.draws) > 1
    assert 30 < ties < 150


def test_the_draw_favours_no_seat() -> None:
    dealers = Counter(draw_dealer(3, seed).dealer for seed in range(1500))
    assert all(430 < dealers[seat] < 570 for seat in range(3))


def test_a_match_draws_for_the_first_dealer_and_keeps_the_draw() -> None:
    dealers = set()
    for seed in range(60):
        match = Match(Rules(players=4), seed=seed, rounds=1)
        assert match.draw is not None
        assert match.round.dealer == match.draw.dealer
        assert match.draw == Match(Rules(players=4), seed=seed, rounds=6).draw
        dealers.add(match.round.dealer)
    assert dealers == {0, 1, 2, 3}


def test_a_match_may_be_told_who_deals_first() -> None:
    match = Match(Rules(players=4), seed=1, rounds=1, dealer=3)
    assert (match.draw, match.round.dealer, match.round.current_player) == (None, 3, 3)


# ---- Who deals next ----


@pytest.mark.parametrize(
    ("dealer", "returns", "deals"),
    [
        (0, [10, 20, 30], 2),
        (2, [30, 20, 10], 0),
        (1, [20, 20, 10], 1),
        (0, [10, 20, 20], 1),
        (1, [20, 10, 20], 2),
        (2, [20, 20, 10], 0),
        (2, [20, 20, 20], 2),
        (0, [-50, -40, -60], 1),
    ],
    ids=[
        "the winner",
        "the winner again",
        "the dealer, if tied",
        "the first after the dealer",
        "the first after the dealer, not the lowest seat",
        "the first after the dealer, round the table",
        "the dealer among all",
        "the winner below zero",
    ],
)
def test_the_winner_deals_next_and_of_several_the_first_in_order_of_play(
    dealer: int, returns: list[int], deals: int
) -> None:
    for scoring in ("points", "rounds"):
        brought = result(Rules(players=3, match_scoring=scoring), dealer, returns)
        assert (brought.next_dealer, brought.winner, brought.dealer) == (deals, deals, dealer)
        assert brought.returns == tuple(returns)
        if scoring == "rounds":
            assert brought.added == tuple(int(seat == deals) for seat in range(3)), (
                "a tie is broken for the victory too"
            )
        else:
            assert brought.added == tuple(returns)


@pytest.mark.parametrize(
    ("players", "teams", "dealer", "returns", "deals"),
    [
        (4, 2, 0, [10, 40], 1),
        (4, 2, 1, [40, 10], 2),
        (4, 2, 2, [40, 10], 2),
        (4, 2, 3, [40, 10], 0),
        (6, 3, 1, [40, 10, 20], 3),
        (6, 3, 5, [10, 40, 20], 1),
        (6, 2, 4, [10, 40], 5),
        (6, 2, 5, [40, 10], 0),
        (4, 2, 3, [20, 20], 3),
        (6, 3, 1, [20, 10, 20], 2),
        (6, 3, 5, [20, 10, 20], 5),
        (6, 3, 4, [20, 10, 20], 5),
    ],
)
def test_of_a_winning_team_the_member_first_in_order_of_play_from_the_dealer_deals(
    players: int, teams: int, dealer: int, returns: list[int], deals: int
) -> None:
    rules = Rules(players=players, teams=teams)
    brought = result(rules, dealer, returns)
    assert brought.next_dealer == deals
    assert brought.winner == rules.side_of(deals)
    assert len(brought.added) == teams


# ---- What a round adds ----


@pytest.mark.parametrize(
    ("margin", "plain", "chu", "basa", "both"),
    [
        (0, 1, 1, 1, 1),
        (5, 1, 1, 1, 1),
        (45, 1, 1, 1, 1),
        (50, 1, 2, 1, 2),
        (95, 1, 2, 1, 2),
        (100, 1, 2, 2, 3),
        (300, 1, 2, 2, 3),
    ],
)
def test_chu_and_basa_count_wins_by_50_and_by_100_for_more(
    margin: int, plain: int, chu: int, basa: int, both: int
) -> None:
    for (has_chu, has_basa), victories in {
        (False, False): plain,
        (True, False): chu,
        (False, True): basa,
        (True, True): both,
    }.items():
        rules = Rules(players=3, match_scoring="rounds", chu=has_chu, basa=has_basa)
        # The margin is over the second, not over the last.
        assert result(rules, 1, [-200, 20 + margin, 20]).added == (0, victories, 0)
        by_points = Rules(players=3, chu=has_chu, basa=has_basa)
        assert result(by_points, 1, [-200, 20 + margin, 20]).added == (-200, 20 + margin, 20)


def test_a_match_adds_up_scores_or_victories() -> None:
    for rules in (Rules(players=3), Rules(players=3, match_scoring="rounds")):
        match = Match(rules, seed=5, rounds=6)
        match.play(["greedy", "random", "greedy"])
        assert len(match.results) == 6
        for side in range(3):
            if rules.match_scoring == "points":
                assert match.totals[side] == sum(brought.returns[side] for brought in match.results)
            else:
                assert match.totals[side] == sum(brought.winner == side for brought in match.results)


def test_each_round_is_dealt_by_whom_the_last_one_named_from_a_deck_of_its_own() -> None:
    match = Match(Rules(players=3), seed=5, rounds=8)
    decks, dealers = [match.round.deck], [match.round.dealer]
    while True:
        finish(match.round)
        if match.is_over:
            break
        assert match.next_round() is match.round
        decks.append(match.round.deck)
        dealers.append(match.round.dealer)
    assert len(set(decks)) == 8
    assert [brought.dealer for brought in match.results] == dealers
    assert [brought.next_dealer for brought in match.results[:-1]] == dealers[1:]
    assert len(set(dealers)) > 1


def test_the_same_seed_plays_the_same_match() -> None:
    first, again = (Match(Rules(players=4, teams=2), seed=9, rounds=4) for _ in range(2))
    first.play(["random"] * 4)
    again.play(["random"] * 4)
    assert (first.results, first.totals, first.winners) == (again.results, again.totals, again.winners)
    assert Match(seed=10, rounds=1).round.deck != Match(seed=9, rounds=1).round.deck


# ---- The end ----


def test_a_match_to_a_number_of_rounds_ends_with_the_last_of_them() -> None:
    match = Match(seed=3, rounds=2)
    assert (match.is_over, match.results, match.totals, match.winners) == (False, (), [0, 0], [])
    finish(match.round)
    assert (match.is_over, len(match.results), match.winners) == (False, 1, [])
    assert match.totals == list(match.results[0].added)
    match.next_round()
    assert (match.is_over, len(match.results)) == (False, 1)
    finish(match.round)
    assert (match.is_over, len(match.results)) == (True, 2)
    assert match.totals == [a + b for a, b in zip(*(brought.added for brought in match.results), strict=True)]


@pytest.mark.parametrize("scoring", ["points", "rounds"])
def test_a_match_to_a_score_ends_as_soon_as_a_side_reaches_it(scoring: str) -> None:
    goal = 200 if scoring == "points" else 3
    match = Match(Rules(match_scoring=scoring, yaku="bonus"), seed=3, score=goal)
    while True:
        finish(match.round)
        if max(match.totals) >= goal:
            break
        assert not match.is_over and match.winners == []
        match.next_round()
    assert match.is_over
    before = [sum(brought.added[side] for brought in match.results[:-1]) for side in (0, 1)]
    assert max(before) < goal <= max(match.totals)


def crane_and_curtain_against(mine: int, other: int) -> Round:
    """A round of one turn each in which seat 0 gets two cards and seat 1 gets two others."""
    match_of = {CRANE: PINE_A, CURTAIN: CHERRY_A, MOON: SUSUKI_A, BOAR: CLOVER_A, PINE_RIBBON: PINE_B}
    return lay_out(hands=[[mine], [other]], field=[match_of[mine], match_of[other]], pile=[PLUM_A, WISTERIA_A])


def test_the_highest_total_wins() -> None:
    match = Match(seed=1, rounds=1)
    match.round = crane_and_curtain_against(BOAR, CRANE)
    finish(match.round)
    assert (match.totals, match.winners) == ([5, 20], [1])
    assert match.results == (RoundResult(0, (5, 20), 1, (5, 20), 1),)


def test_sides_that_tie_for_the_highest_total_win_together() -> None:
    match = Match(seed=1, rounds=1)
    match.round = crane_and_curtain_against(CURTAIN, CRANE)
    finish(match.round)
    assert (match.totals, match.winners) == ([20, 20], [0, 1])
    match = Match(Rules(match_scoring="rounds"), seed=1, rounds=1)
    match.round = crane_and_curtain_against(CURTAIN, CRANE)
    assert match.round.dealer == 0
    finish(match.round)
    assert match.results[0].next_dealer == 0


def test_a_goal_counts_as_reached_exactly() -> None:
    for goal, over in ((20, True), (21, False)):
        match = Match(seed=1, score=goal)
        match.round = crane_and_curtain_against(BOAR, CRANE)
        finish(match.round)
        assert match.is_over is over


def test_the_next_round_waits_for_the_end_of_this_one_and_does_not_follow_the_last() -> None:
    match = Match(seed=3, rounds=1)
    playing = match.round
    with pytest.raises(ValueError, match="this round is not over"):
        match.next_round()
    finish(match.round)
    with pytest.raises(ValueError, match="the match is over"):
        match.next_round()
    assert match.round is playing and len(match.results) == 1


def test_a_round_taken_back_no_longer_counts() -> None:
    match = Match(seed=3, rounds=1)
    finish(match.round)
    assert match.is_over
    match.round.undo()
    assert (match.is_over, match.results, match.totals) == (False, (), [0, 0])
    with pytest.raises(ValueError, match="not over"):
        match.next_round()


# ---- Agents, and what makes no sense ----


def test_agents_play_a_match_to_its_end_each_in_its_own_seat() -> None:
    asked = set()

    def first(obs: Any, random: int) -> int:
        asked.add(obs.seat)
        return 0

    match = Match(Rules(players=3), seed=2, rounds=2)
    match.play(["random", first, "greedy"])
    assert match.is_over and len(match.results) == 2
    assert asked == {1}
    assert match.winners == [side for side in range(3) if match.totals[side] == max(match.totals)]
    by_hand = Match(Rules(players=3), seed=2, rounds=2)
    while not by_hand.is_over:
        if by_hand.round.is_terminal:
            by_hand.next_round()
        while (seat := by_hand.round.current_player) is not None:
            by_hand.round.apply_action(by_hand.round.choose(("random", first, "greedy")[seat]))
    assert by_hand.results == match.results


def test_agents_may_take_over_in_the_middle() -> None:
    match = Match(Rules(players=3), seed=2, rounds=2)
    for _ in range(4):
        match.round.apply_action(match.round.legal_actions()[0])
    match.play(["random"] * 3)
    assert match.is_over


def test_agents_are_dealt_out_to_the_seats_in_equal_numbers() -> None:
    match = Match(Rules(players=3), seed=2, rounds=2)
    with pytest.raises(ValueError, match="2 agents cannot be dealt out to 3 players; give 1 or 3"):
        match.play(["random", "random"])
    alone, each = Match(seed=2, rounds=2), Match(seed=2, rounds=2)
    alone.play("greedy")
    each.play(["greedy", "greedy"])
    assert alone.results == each.results
    with pytest.raises(ValueError, match="no agent is called 'clever'"):
        match.play(["clever", "random", "random"])


@pytest.mark.parametrize(
    ("wrong", "error", "words"),
    [
        ({"seed": 1}, ValueError, "rounds= or score="),
        ({"seed": 1, "rounds": 6, "score": 100}, ValueError, "rounds= or score=, not both"),
        ({"seed": 1, "rounds": 0}, ValueError, "rounds must be at least 1, got 0"),
        ({"seed": 1, "rounds": 2.5}, TypeError, "rounds must be a whole number, got 2.5"),
        ({"seed": 1, "rounds": True}, TypeError, "rounds must be a whole number, got True"),
        ({"seed": 1, "score": -5}, ValueError, "score must be at least 1, got -5"),
        ({"seed": 1, "score": "100"}, TypeError, "score must be a whole number, got '100'"),
        ({"seed": -1, "rounds": 6}, ValueError, "seed must be 0 to"),
        ({"seed": "a", "rounds": 6}, TypeError, "seed must be a whole number, got 'a'"),
        ({"seed": None, "rounds": 6}, TypeError, "seed must be a whole number, got None"),
        ({"seed": 1, "rounds": 6, "dealer": 2}, ValueError, "dealer must be 0 to 1, got 2"),
        ({"seed": 1, "rounds": 6, "dealer": "0"}, TypeError, "dealer must be a whole number, got '0'"),
        ({"rules": 2, "seed": 1, "rounds": 6}, TypeError, "rules must be sakura.Rules"),
    ],
    ids=str,
)
def test_what_makes_no_sense_is_refused_with_what_would(
    wrong: dict[str, Any], error: type[Exception], words: str
) -> None:
    with pytest.raises(error) as refusal:
        Match(**wrong)
    assert words in str(refusal.value)


def test_a_match_says_how_it_stands() -> None:
    match = Match(seed=3, rounds=2)
    assert repr(match) == "<Match to 2 rounds: players=2, seed 3, round 1, totals [0, 0]>"
    match.play(["greedy", "random"])
    assert f"won by side {match.winners[0]}, totals {match.totals}" in repr(match)
    assert "a score of 300" in repr(Match(seed=3, score=300))
