"""Ten positions that an engine gets wrong easily, and the four cases of matching.

Every round here is laid out card by card: `lay_out(hands, field, pile)`; what the pile is not given lies under it.
"""

# ruff: noqa: F403, F405 (the cards by name)

import pytest

from helpers import *
from sakura import Action, Round

# ---- The four cases ----


def test_a_card_without_a_match_stays_on_the_field() -> None:
    rnd = lay_out(hands=[[MOON], [CRANE]], field=[PLUM_A], pile=[WISTERIA_A])
    assert ways_to_play(rnd, MOON) == [()]
    play(rnd, MOON)
    assert MOON in rnd.field and not rnd.captured[0]


def test_a_card_with_one_match_captures_it_and_may_not_be_laid() -> None:
    rnd = lay_out(hands=[[MOON], [CRANE]], field=[SUSUKI_A, PLUM_A], pile=[WISTERIA_A])
    assert ways_to_play(rnd, MOON) == [(SUSUKI_A,)]
    play(rnd, MOON)
    assert rnd.captured[0] == {MOON, SUSUKI_A}
    assert rnd.field == {PLUM_A, WISTERIA_A}


def test_a_card_with_two_matches_captures_the_one_its_player_chooses() -> None:
    for choice, other in ((SUSUKI_A, SUSUKI_B), (SUSUKI_B, SUSUKI_A)):
        rnd = lay_out(hands=[[MOON], [CRANE]], field=[SUSUKI_A, SUSUKI_B], pile=[WISTERIA_A])
        assert ways_to_play(rnd, MOON) == [(SUSUKI_A,), (SUSUKI_B,)]
        play(rnd, MOON, choice)
        assert rnd.captured[0] == {MOON, choice}
        assert rnd.field == {other, WISTERIA_A}


def test_any_card_of_the_hand_may_be_played_even_where_another_captures() -> None:
    rnd = lay_out(hands=[[MOON, CRANE], [WARBLER, BOAR]], field=[SUSUKI_A])
    assert rnd.legal_actions() == [Action("play", CRANE, ()), Action("play", MOON, (SUSUKI_A,))]


@pytest.mark.parametrize(
    ("matches", "captured"),
    [([], set()), ([SUSUKI_A], {MOON, SUSUKI_A}), ([GEESE, SUSUKI_A, SUSUKI_B], {MOON, GEESE, SUSUKI_A, SUSUKI_B})],
    ids=["no match", "one match", "three matches"],
)
def test_a_card_turned_up_captures_by_itself_where_there_is_no_choice(matches: list[int], captured: set[int]) -> None:
    rnd = lay_out(hands=[[PINE_A], [PLUM_A]], field=[WISTERIA_A, *matches], pile=[MOON])
    play(rnd, PINE_A)
    assert (rnd.current_player, rnd.phase) == (1, "hand")
    assert rnd.captured[0] == captured
    assert rnd.field == {WISTERIA_A, PINE_A, MOON, *matches} - captured


# ---- The positions ----


def test_1_three_on_the_field_go_to_the_fourth_in_one_legal_play() -> None:
    rnd = lay_out(hands=[[GEESE], [CRANE]], field=[MOON, SUSUKI_A, SUSUKI_B], pile=[PLUM_A])
    assert rnd.legal_actions() == [Action("play", GEESE, (MOON, SUSUKI_A, SUSUKI_B))]
    play(rnd, GEESE)
    assert rnd.captured[0] == {MOON, GEESE, SUSUKI_A, SUSUKI_B}


def test_2_two_in_the_hand_and_two_on_the_field_are_four_plays_and_a_hiki() -> None:
    rnd = lay_out(hands=[[MOON, GEESE], [CRANE, BOAR]], field=[SUSUKI_A, SUSUKI_B])
    assert rnd.legal_actions() == [
        Action("play", MOON, (SUSUKI_A,)),
        Action("play", GEESE, (SUSUKI_A,)),
        Action("play", MOON, (SUSUKI_B,)),
        Action("play", GEESE, (SUSUKI_B,)),
        Action("hiki", MOON, (SUSUKI_A, SUSUKI_B)),
    ]


def test_3_a_hiki_of_three_from_the_hand_costs_two_hand_steps_later_on() -> None:
    rnd = lay_out(
        hands=[[PINE_RIBBON, PINE_A, PINE_B], [PLUM_A, WISTERIA_A, PEONY_A]],
        field=[CRANE],
        pile=[CLOVER_A, CHRYSANTHEMUM_A, MAPLE_A, PAULOWNIA_A, CURTAIN, MOON],
    )
    assert hikis(rnd) == [Action("hiki", PINE_RIBBON, (CRANE,))]
    declare_hiki(rnd, PINE_RIBBON)
    assert rnd.captured[0] == set(PINE)
    assert rnd.hands[0] == set()
    deciding = []
    while not rnd.is_terminal:
        deciding.append(rnd.current_player)
        rnd.apply_action(rnd.legal_actions()[0])
    assert deciding == [1, 1, 1]
    # The empty hand did not cost its player the pile steps: three turns each, a card turned up in every one.
    turned_up = [event.seat for event in rnd.log if event.kind == "turned up"]
    assert turned_up == [0, 1, 0, 1, 0, 1]


def test_4_the_lightning_takes_any_field_card_but_is_not_laid_beside_a_willow() -> None:
    rnd = lay_out(hands=[[LIGHTNING], [CRANE]], field=[BRIDGE, RAIN_MAN])
    assert set(ways_to_play(rnd, LIGHTNING)) == {(BRIDGE,), (RAIN_MAN,)}
    assert len(rnd.legal_actions()) == 2


def test_5_a_suit_that_is_anothers_hiki_is_safe_from_the_lightning_which_is_laid_then() -> None:
    # Seat 0 gets down to the Lightning by a hiki of pine; seat 1 keeps three irises, the field the bridge.
    rnd = lay_out(
        hands=[[LIGHTNING, PINE_RIBBON, PINE_A, PINE_B], [IRIS_RIBBON, IRIS_A, IRIS_B, CLOVER_RIBBON]],
        field=[BRIDGE, CRANE, BUTTERFLIES, BOAR, MOON],
        pile=[PEONY_RIBBON, GEESE],
    )
    declare_hiki(rnd, PINE_RIBBON)
    play(rnd, CLOVER_RIBBON)
    assert (rnd.current_player, rnd.hands[0], rnd.field) == (0, {LIGHTNING}, {BRIDGE})
    assert rnd.hands[1] == {IRIS_RIBBON, IRIS_A, IRIS_B}
    assert rnd.legal_actions() == [Action("play", LIGHTNING, ())]


def test_6_under_sweep_what_is_left_of_the_odd_suit_goes_to_the_lightnings_player_at_the_end() -> None:
    rnd = lay_out(hands=[[LIGHTNING], [PINE_A]], field=[BRIDGE], pile=[IRIS_A, PLUM_A], lightning="sweep")
    play(rnd, LIGHTNING, BRIDGE)
    assert rnd.captured[0] == {LIGHTNING, BRIDGE}
    assert IRIS_A in rnd.field, "it is swept at the end, not at once"
    play(rnd, PINE_A)
    assert rnd.is_terminal
    assert rnd.captured == ({LIGHTNING, BRIDGE, IRIS_A}, set())
    assert rnd.field == {PINE_A, PLUM_A}


def test_6_under_claim_a_point_card_of_the_odd_suit_turned_up_goes_to_the_lightnings_player_and_captures_nothing() -> (
    None
):
    rnd = lay_out(hands=[[LIGHTNING], [PINE_A]], field=[BRIDGE], pile=[IRIS_A, IRIS_RIBBON], lightning="claim")
    play(rnd, LIGHTNING, BRIDGE)
    play(rnd, PINE_A)  # and seat 1 turns up the iris ribbon
    assert rnd.captured == ({LIGHTNING, BRIDGE, IRIS_RIBBON}, set())
    assert rnd.field == {PINE_A, IRIS_A}


def test_7_a_card_turned_up_with_two_matches_is_a_choice_for_the_player_whose_turn_it_is() -> None:
    for choice in (RAIN_MAN, SWALLOW):
        rnd = lay_out(hands=[[PINE_A], [PLUM_A]], field=[RAIN_MAN, SWALLOW], pile=[WILLOW_RIBBON])
        play(rnd, PINE_A)
        assert (rnd.current_player, rnd.phase, rnd.turned_up) == (0, "pile", WILLOW_RIBBON)
        assert WILLOW_RIBBON not in rnd.pile and WILLOW_RIBBON not in rnd.field
        assert rnd.legal_actions() == [
            Action("turn_up", WILLOW_RIBBON, (RAIN_MAN,)),
            Action("turn_up", WILLOW_RIBBON, (SWALLOW,)),
        ]
        turn_up(rnd, WILLOW_RIBBON, choice)
        assert rnd.captured[0] == {WILLOW_RIBBON, choice}
        assert (rnd.current_player, rnd.phase, rnd.turned_up) == (1, "hand", None)


def test_7_with_the_lightning_on_the_field_as_well_all_four_are_captured() -> None:
    rnd = lay_out(hands=[[PINE_A], [PLUM_A]], field=[RAIN_MAN, SWALLOW, LIGHTNING], pile=[WILLOW_RIBBON])
    play(rnd, PINE_A)
    assert rnd.captured[0] == set(WILLOW)
    assert (rnd.current_player, rnd.phase) == (1, "hand")


def yaku_i_against_crane_and_ribbon(yaku: str) -> Round:
    rnd = lay_out(
        hands=[[CURTAIN, MOON, SAKE_CUP], [CRANE, PINE_RIBBON, PAULOWNIA_A]],
        field=[CHERRY_A, SUSUKI_A, CHRYSANTHEMUM_A, PINE_A, PINE_B],
        pile=[PLUM_A, WISTERIA_A, IRIS_A, PEONY_A, CLOVER_A, MAPLE_A],
        yaku=yaku,
    )
    play(rnd, CURTAIN)
    play(rnd, CRANE, PINE_A)
    play(rnd, MOON)
    play(rnd, PINE_RIBBON)
    play(rnd, SAKE_CUP)
    play(rnd, PAULOWNIA_A)
    assert rnd.is_terminal
    assert rnd.points() == [45, 30]
    assert rnd.yaku() == [[1], []]
    return rnd


def test_8_a_yaku_costs_the_opponent_50() -> None:
    assert yaku_i_against_crane_and_ribbon("penalty").returns() == [45, -20]


def test_8_or_brings_its_own_side_50_as_a_bonus() -> None:
    assert yaku_i_against_crane_and_ribbon("bonus").returns() == [95, 30]


def test_9_partners_make_a_yaku_together_which_costs_the_other_team_50_once() -> None:
    rnd = lay_out(
        hands=[
            [PINE_RIBBON, PLUM_RIBBON],
            [WISTERIA_A, WISTERIA_B],
            [CHERRY_RIBBON, IRIS_A],
            [IRIS_B, PEONY_A],
        ],
        field=[PINE_A, PLUM_A, CHERRY_A],
        pile=[PEONY_B, CLOVER_A, CLOVER_B, SUSUKI_A, SUSUKI_B, MAPLE_A, MAPLE_B, CHRYSANTHEMUM_A],
        teams=2,
    )
    play(rnd, PINE_RIBBON)
    play(rnd, WISTERIA_A)
    play(rnd, CHERRY_RIBBON)
    play(rnd, IRIS_B)
    assert rnd.yaku() == [[], []]
    play(rnd, PLUM_RIBBON)
    assert rnd.yaku() == [[3], []]
    finish(rnd)
    assert {PINE_RIBBON, PLUM_RIBBON} <= rnd.captured[0] and CHERRY_RIBBON in rnd.captured[2]
    assert rnd.points() == [30, 0]
    assert rnd.returns() == [30, -50]


def test_10_one_card_in_two_yaku_costs_each_opponent_100() -> None:
    rnd = lay_out(
        hands=[
            [CURTAIN, CRANE, MOON],
            [WISTERIA_A, PEONY_A, MAPLE_A],
            [IRIS_A, CLOVER_A, PAULOWNIA_A],
        ],
        field=[CHERRY_A, PINE_A, PLUM_A, SUSUKI_A, CHRYSANTHEMUM_A],
        pile=[WARBLER, WISTERIA_B, IRIS_B, SAKE_CUP, PEONY_B, CLOVER_B, CHRYSANTHEMUM_B, MAPLE_B, PAULOWNIA_B],
    )
    play(rnd, CURTAIN)
    play(rnd, WISTERIA_A)
    play(rnd, IRIS_A)
    play(rnd, CRANE)
    assert rnd.yaku() == [[2], [], []]
    finish(rnd)
    assert {CRANE, WARBLER, CURTAIN, MOON, SAKE_CUP} <= rnd.captured[0]
    assert rnd.yaku() == [[1, 2], [], []]
    assert rnd.points() == [70, 0, 0]
    assert rnd.returns() == [70, -100, -100]


# ---- Hands and piles ----


def test_cards_left_on_the_field_or_in_the_pile_count_for_nobody() -> None:
    rnd = lay_out(hands=[[CRANE], [MOON]], field=[], pile=[CURTAIN, BOAR])
    finish(rnd)
    assert rnd.field == {CRANE, MOON, CURTAIN, BOAR}
    assert len(rnd.pile) == 44
    assert rnd.returns() == [0, 0]


def test_with_an_empty_pile_the_pile_step_is_skipped() -> None:
    rnd = lay_out(hands=[[*range(0, 24)], [*range(24, 48)]], field=[], hiki=False)
    assert rnd.pile == ()
    play(rnd, CRANE)
    assert (rnd.current_player, rnd.phase, rnd.field) == (1, "hand", {CRANE})
    finish(rnd)
    assert rnd.turn == 48
