"""Every house rule in a position where it changes the outcome, with both outcomes.

Rounds are laid out card by card (`helpers.lay_out`). Plain cards of months that nobody else holds are there to be laid.
How a match counts its rounds (match_scoring, chu, basa) is in `test_match.py`.
"""

# ruff: noqa: F403, F405 (the cards by name)

import pytest

from helpers import *
from sakura import Action, Round, Rules

# ---- four_on_field ----


@pytest.mark.parametrize("dealer", [0, 1])
def test_four_of_a_suit_dealt_to_the_field_go_to_the_dealer_at_once(dealer: int) -> None:
    rnd = lay_out(hands=[[WARBLER], [CUCKOO]], field=[*PINE, BUTTERFLIES], dealer=dealer)
    assert rnd.captured[dealer] == set(PINE)
    assert rnd.captured[1 - dealer] == set()
    assert rnd.field == {BUTTERFLIES}
    assert rnd.points()[dealer] == 30
    assert (rnd.current_player, rnd.turn) == (dealer, 0)


def test_two_whole_suits_dealt_to_the_field_both_go_to_the_dealer() -> None:
    rnd = lay_out(hands=[[WARBLER], [CUCKOO]], field=[*PINE, MOON, *CHERRY])
    assert rnd.captured[0] == {*PINE, *CHERRY}
    assert rnd.field == {MOON}


def test_where_the_table_deals_again_such_a_deck_is_refused() -> None:
    with pytest.raises(ValueError, match=r"four of a suit.*four_on_field='redeal'"):
        lay_out(hands=[[WARBLER], [CUCKOO]], field=[*PINE, BUTTERFLIES], four_on_field="redeal")
    three = lay_out(hands=[[WARBLER], [PINE_B]], field=[*PINE[:3], BUTTERFLIES], four_on_field="redeal")
    assert three.field == {*PINE[:3], BUTTERFLIES}


def test_where_the_table_deals_again_a_seeded_round_shuffles_until_the_field_is_fit() -> None:
    again = 0
    for seed in range(150):
        kept = Round(Rules(players=6), seed=seed)
        redealt = Round(Rules(players=6, four_on_field="redeal"), seed=seed)
        if kept.captured[0]:
            again += 1
            assert redealt.deck != kept.deck
        else:
            assert redealt.deck == kept.deck
        assert len(redealt.field) == 12
        assert not any(redealt.captured)
        assert Round(redealt.rules, seed=seed).deck == redealt.deck
    assert again >= 3


# ---- hiki ----


def test_hiki_takes_four_cards_where_a_play_takes_two() -> None:
    rnd = lay_out(hands=[[PINE_RIBBON, PINE_A], [WARBLER, CUCKOO]], field=[CRANE, PINE_B], pile=[PLUM_A])
    assert hikis(rnd) == [Action("hiki", PINE_RIBBON, (CRANE, PINE_B))]
    declare_hiki(rnd, PINE_RIBBON)
    assert rnd.captured[0] == set(PINE)
    assert rnd.hands[0] == set()
    assert rnd.field == {PLUM_A}, "the pile step follows as usual"


def test_without_the_hiki_rule_there_is_none() -> None:
    rnd = lay_out(hands=[[PINE_RIBBON, PINE_A], [WARBLER, CUCKOO]], field=[CRANE, PINE_B], hiki=False)
    assert len(rnd.legal_actions()) == 4 and not hikis(rnd)


def test_declaring_hiki_is_optional() -> None:
    rnd = lay_out(hands=[[PINE_RIBBON, PINE_A], [WARBLER, CUCKOO]], field=[CRANE, PINE_B], pile=[PLUM_A])
    play(rnd, PINE_A, CRANE)
    assert rnd.captured[0] == {PINE_A, CRANE}
    assert rnd.field == {PINE_B, PLUM_A}


def test_hiki_may_come_wholly_from_the_hand() -> None:
    rnd = lay_out(hands=[[*PINE, MOON], [*PLUM, CUCKOO]], field=[BUTTERFLIES], pile=[WISTERIA_A])
    assert hikis(rnd) == [Action("hiki", CRANE, ())]
    declare_hiki(rnd, CRANE)
    assert rnd.captured[0] == set(PINE)
    assert rnd.hands[0] == {MOON}
    assert rnd.field == {BUTTERFLIES, WISTERIA_A}


def test_hiki_of_one_in_the_hand_and_three_on_the_field_is_the_play_of_that_card() -> None:
    rnd = lay_out(hands=[[CRANE], [MOON]], field=[PINE_RIBBON, PINE_A, PINE_B])
    assert rnd.legal_actions() == [Action("play", CRANE, (PINE_RIBBON, PINE_A, PINE_B))]


def test_every_suit_that_is_complete_may_be_declared() -> None:
    rnd = lay_out(hands=[[PINE_A, PINE_B, *PLUM], [*range(12, 18)]], field=[CRANE, PINE_RIBBON, MOON])
    assert hikis(rnd) == [Action("hiki", PINE_A, (CRANE, PINE_RIBBON)), Action("hiki", WARBLER, ())]


def test_another_hand_does_not_complete_a_hiki() -> None:
    rnd = lay_out(hands=[[PINE_A, PINE_B], [CRANE, MOON]], field=[PINE_RIBBON])
    assert not hikis(rnd)


def test_the_lightning_in_a_hiki_is_an_ordinary_willow() -> None:
    rnd = lay_out(
        hands=[[SWALLOW, LIGHTNING], [MOON, CUCKOO]],
        field=[RAIN_MAN, WILLOW_RIBBON, BRIDGE],
        pile=[PINE_A, PLUM_A, CHERRY_A, MAPLE_A],
        lightning="sweep_all",
    )
    assert hikis(rnd) == [Action("hiki", SWALLOW, (RAIN_MAN, WILLOW_RIBBON))]
    declare_hiki(rnd, SWALLOW)
    assert rnd.captured[0] == set(WILLOW)
    finish(rnd)
    assert rnd.captured[0] == set(WILLOW), "no suit has become odd, so nothing is swept"


# ---- lightning: what it may capture ----


def test_from_the_hand_it_captures_any_card_of_the_field_or_is_laid() -> None:
    rnd = lay_out(hands=[[LIGHTNING], [CRANE]], field=[BRIDGE, MOON, SUSUKI_A])
    assert ways_to_play(rnd, LIGHTNING) == [(), (BRIDGE,), (MOON,), (SUSUKI_A,)]


def test_plain_it_is_no_wild_card_at_all() -> None:
    rnd = lay_out(hands=[[LIGHTNING], [CRANE]], field=[BRIDGE, MOON, SUSUKI_A], lightning="plain")
    assert ways_to_play(rnd, LIGHTNING) == [()]
    rnd = lay_out(hands=[[LIGHTNING], [CRANE]], field=[BRIDGE, RAIN_MAN], lightning="plain")
    assert ways_to_play(rnd, LIGHTNING) == [(RAIN_MAN,)]


def test_it_takes_one_card_of_a_suit_even_where_two_or_three_lie() -> None:
    rnd = lay_out(hands=[[LIGHTNING], [CRANE]], field=[MOON, GEESE, SUSUKI_A], pile=[PLUM_A])
    play(rnd, LIGHTNING, GEESE)
    assert rnd.captured[0] == {LIGHTNING, GEESE}
    assert rnd.field == {MOON, SUSUKI_A, PLUM_A}


def test_with_three_willows_on_the_field_it_captures_them_all_or_one_card_of_another_suit() -> None:
    field = [RAIN_MAN, SWALLOW, WILLOW_RIBBON, BRIDGE]
    rnd = lay_out(hands=[[LIGHTNING], [CRANE]], field=field, pile=[PLUM_A])
    assert ways_to_play(rnd, LIGHTNING) == [(RAIN_MAN, SWALLOW, WILLOW_RIBBON), (BRIDGE,)]
    play(rnd, LIGHTNING, RAIN_MAN, SWALLOW, WILLOW_RIBBON)
    assert rnd.captured[0] == set(WILLOW)
    rnd = lay_out(hands=[[LIGHTNING], [CRANE]], field=field, pile=[PLUM_A])
    play(rnd, LIGHTNING, BRIDGE)
    assert rnd.captured[0] == {LIGHTNING, BRIDGE}


def test_with_two_willows_on_the_field_it_captures_either_or_one_card_of_another_suit() -> None:
    rnd = lay_out(hands=[[LIGHTNING], [CRANE]], field=[RAIN_MAN, SWALLOW, BRIDGE])
    assert ways_to_play(rnd, LIGHTNING) == [(RAIN_MAN,), (SWALLOW,), (BRIDGE,)]


def test_left_on_the_field_it_is_an_ordinary_willow_for_anyone_to_take() -> None:
    rnd = lay_out(hands=[[LIGHTNING], [SWALLOW]], field=[BRIDGE], pile=[PLUM_A, CRANE], lightning="sweep_all")
    lay(rnd, LIGHTNING)
    assert LIGHTNING in rnd.field
    assert ways_to_play(rnd, SWALLOW) == [(LIGHTNING,)]
    play(rnd, SWALLOW)
    assert rnd.captured == (set(), {SWALLOW, LIGHTNING})
    assert rnd.field == {BRIDGE, PLUM_A, CRANE}, "it captured nothing, so it sweeps nothing"


# ---- lightning: protection by another's hiki ----

TWO_AND_TWO = {"hands": [[LIGHTNING, CRANE], [IRIS_A, IRIS_B]], "field": [BRIDGE, IRIS_RIBBON, MOON]}


def test_it_may_not_take_a_card_of_a_suit_that_is_anothers_hiki() -> None:
    assert ways_to_play(lay_out(**TWO_AND_TWO), LIGHTNING) == [(), (MOON,)]


def test_without_the_hiki_rule_there_is_no_protection() -> None:
    assert ways_to_play(lay_out(**TWO_AND_TWO, hiki=False), LIGHTNING) == [(), (BRIDGE,), (IRIS_RIBBON,), (MOON,)]


def test_a_single_card_in_anothers_hand_protects_three_on_the_field() -> None:
    rnd = lay_out(hands=[[LIGHTNING], [IRIS_B]], field=[BRIDGE, IRIS_RIBBON, IRIS_A, MOON])
    assert ways_to_play(rnd, LIGHTNING) == [(), (MOON,)]


def test_ones_own_hiki_protects_nothing_from_ones_own_lightning() -> None:
    rnd = lay_out(hands=[[LIGHTNING, IRIS_A, IRIS_B], [CRANE, PLUM_A, CUCKOO]], field=[BRIDGE, IRIS_RIBBON])
    assert ways_to_play(rnd, LIGHTNING) == [(), (BRIDGE,), (IRIS_RIBBON,)]


def test_a_suit_shared_by_two_other_hands_is_not_protected() -> None:
    rnd = lay_out(hands=[[LIGHTNING], [IRIS_A], [IRIS_B]], field=[BRIDGE, IRIS_RIBBON])
    assert ways_to_play(rnd, LIGHTNING) == [(), (BRIDGE,), (IRIS_RIBBON,)]


def test_a_suit_of_which_one_card_is_still_in_the_pile_is_not_protected() -> None:
    rnd = lay_out(hands=[[LIGHTNING], [IRIS_A]], field=[BRIDGE, IRIS_RIBBON], pile=[IRIS_B])
    assert ways_to_play(rnd, LIGHTNING) == [(), (BRIDGE,), (IRIS_RIBBON,)]


def test_a_suit_of_which_one_card_is_captured_is_not_protected() -> None:
    rnd = lay_out(**TWO_AND_TWO, dealer=1, pile=[PLUM_A])
    play(rnd, IRIS_A, BRIDGE)
    assert rnd.hands[1] == {IRIS_B}
    assert ways_to_play(rnd, LIGHTNING) == [(), (PLUM_A,), (IRIS_RIBBON,), (MOON,)]


@pytest.mark.parametrize("owner", [1, 2, 3])
def test_partners_count_as_other_players_where_a_hiki_protects(owner: int) -> None:
    hands = [[LIGHTNING, CRANE], [PLUM_A, CHERRY_A], [CLOVER_A, MAPLE_A], [SUSUKI_A, PEONY_A]]
    hands[owner] = [IRIS_A, IRIS_B]
    rnd = lay_out(hands=hands, field=[BRIDGE, IRIS_RIBBON, WISTERIA_A], teams=2)
    assert ways_to_play(rnd, LIGHTNING) == [(), (WISTERIA_A,)]


def test_protection_does_not_spare_willows_from_the_lightning_as_their_match() -> None:
    # Seat 1 cannot hold a hiki of willow while seat 0 holds the Lightning: willows are always matched.
    rnd = lay_out(hands=[[LIGHTNING, CRANE], [SWALLOW, WILLOW_RIBBON]], field=[RAIN_MAN])
    assert ways_to_play(rnd, LIGHTNING) == [(RAIN_MAN,)]


# ---- lightning: "sweep" and "sweep_all" ----


@pytest.mark.parametrize(
    ("lightning", "swept"),
    [
        ("sweep", {GEESE, SUSUKI_A}),
        ("sweep_all", {GEESE, SUSUKI_A, CRANE, CUCKOO, PLUM_A}),
        ("claim", set()),
    ],
)
def test_at_the_end_the_lightnings_player_sweeps(lightning: str, swept: set[int]) -> None:
    rnd = lay_out(
        hands=[[LIGHTNING, CRANE], [CUCKOO, BOAR]],
        field=[MOON, GEESE, SUSUKI_A],
        pile=[PLUM_A, CLOVER_A, DEER, MAPLE_A],
        lightning=lightning,
    )
    play(rnd, LIGHTNING, MOON)
    play(rnd, CUCKOO)
    play(rnd, CRANE)
    assert rnd.captured[0] == {LIGHTNING, MOON}, "nothing is swept before the end"
    assert rnd.field >= {GEESE, SUSUKI_A}
    play(rnd, BOAR)  # takes the clover; the last card turned up takes the deer
    assert rnd.is_terminal
    assert rnd.captured == ({LIGHTNING, MOON} | swept, {BOAR, CLOVER_A, DEER, MAPLE_A})
    assert rnd.points()[0] == 20 + sum({GEESE: 5, CRANE: 20, CUCKOO: 5}.get(card, 0) for card in swept)


def test_what_is_swept_may_complete_a_yaku() -> None:
    rnd = lay_out(
        hands=[[LIGHTNING, BOAR, DEER], [PINE_A, PLUM_A, CHERRY_A]],
        field=[SUSUKI_A, CLOVER_A, MAPLE_A],
        pile=[WISTERIA_A, GEESE, IRIS_A, PEONY_A, CHRYSANTHEMUM_A, PAULOWNIA_A],
    )
    play(rnd, LIGHTNING, SUSUKI_A)
    finish(rnd)
    assert GEESE in rnd.captured[0]
    assert rnd.yaku() == [[8], []]
    assert rnd.returns() == [15, -50]


@pytest.mark.parametrize("lightning", ["sweep", "sweep_all", "claim"])
def test_a_lightning_that_took_a_willow_brings_nothing_later(lightning: str) -> None:
    rnd = lay_out(hands=[[LIGHTNING], [PINE_A]], field=[RAIN_MAN], pile=[WILLOW_RIBBON, SWALLOW], lightning=lightning)
    play(rnd, LIGHTNING)
    assert rnd.captured[0] == {LIGHTNING, RAIN_MAN}
    play(rnd, PINE_A)
    assert rnd.captured == ({LIGHTNING, RAIN_MAN}, {WILLOW_RIBBON, SWALLOW})
    assert rnd.field == {PINE_A}


def test_what_others_captured_of_the_odd_suit_is_not_swept() -> None:
    rnd = lay_out(hands=[[LIGHTNING], [GEESE]], field=[MOON, SUSUKI_A], pile=[PLUM_A, CHERRY_A])
    play(rnd, LIGHTNING, MOON)
    play(rnd, GEESE)
    assert rnd.captured == ({LIGHTNING, MOON}, {GEESE, SUSUKI_A})


@pytest.mark.parametrize("seat", [0, 1, 2])
@pytest.mark.parametrize("lightning", ["sweep", "claim"])
def test_it_is_the_player_of_the_lightning_who_gets_the_rest_wherever_that_player_sits(
    lightning: str, seat: int
) -> None:
    hands = [[PINE_A], [PLUM_A], [CHERRY_A]]
    hands[seat] = [LIGHTNING]
    rnd = lay_out(
        hands=hands, field=[BRIDGE], pile=[WISTERIA_A, PEONY_A, IRIS_RIBBON], dealer=seat, lightning=lightning
    )
    play(rnd, LIGHTNING, BRIDGE)
    finish(rnd)
    assert [len(cards) for cards in rnd.captured] == [3 if s == seat else 0 for s in range(3)]
    assert rnd.captured[seat] == {LIGHTNING, BRIDGE, IRIS_RIBBON}


def test_willows_left_on_the_field_are_not_swept_with_the_odd_suit() -> None:
    rnd = lay_out(hands=[[LIGHTNING], [PINE_A]], field=[BRIDGE, RAIN_MAN], pile=[PLUM_A, CHERRY_A])
    play(rnd, LIGHTNING, BRIDGE)
    play(rnd, PINE_A)
    assert rnd.captured[0] == {LIGHTNING, BRIDGE}
    assert RAIN_MAN in rnd.field


def test_under_sweep_the_odd_suit_is_captured_as_ever_until_the_end() -> None:
    rnd = lay_out(hands=[[LIGHTNING], [PINE_A]], field=[SUSUKI_A, SUSUKI_B], pile=[PLUM_A, MOON])
    play(rnd, LIGHTNING, SUSUKI_A)
    play(rnd, PINE_A)
    assert rnd.captured == ({LIGHTNING, SUSUKI_A}, {MOON, SUSUKI_B})


# ---- lightning: "claim" ----


def test_the_next_point_card_of_the_suit_that_another_captures_is_claimed_and_the_rest_stays_with_the_captor() -> None:
    rnd = lay_out(
        hands=[[LIGHTNING], [IRIS_RIBBON]], field=[BRIDGE, IRIS_A], pile=[PLUM_A, CHERRY_A], lightning="claim"
    )
    play(rnd, LIGHTNING, BRIDGE)
    play(rnd, IRIS_RIBBON)
    assert rnd.captured == ({LIGHTNING, BRIDGE, IRIS_RIBBON}, {IRIS_A})


def test_a_point_card_is_claimed_from_the_field_just_as_from_the_captors_hand() -> None:
    rnd = lay_out(hands=[[LIGHTNING], [IRIS_A]], field=[BRIDGE, IRIS_RIBBON], pile=[PLUM_A], lightning="claim")
    play(rnd, LIGHTNING, BRIDGE)
    play(rnd, IRIS_A)
    assert rnd.captured == ({LIGHTNING, BRIDGE, IRIS_RIBBON}, {IRIS_A})


@pytest.mark.parametrize(("in_hand", "on_field"), [(MOON, GEESE), (GEESE, MOON)])
def test_of_two_point_cards_in_a_capture_the_dearer_is_claimed(in_hand: int, on_field: int) -> None:
    rnd = lay_out(
        hands=[[LIGHTNING], [in_hand]], field=[SUSUKI_A, on_field], pile=[PLUM_A, CHERRY_A], lightning="claim"
    )
    play(rnd, LIGHTNING, SUSUKI_A)
    play(rnd, in_hand)
    assert rnd.captured == ({LIGHTNING, SUSUKI_A, MOON}, {GEESE})


def test_a_point_card_of_the_suit_that_is_laid_or_a_plain_one_that_is_captured_is_not_claimed() -> None:
    rnd = lay_out(
        hands=[[LIGHTNING, CRANE], [IRIS_RIBBON, IRIS_B]],
        field=[BRIDGE],
        pile=[PLUM_A, CHERRY_A, MAPLE_A, IRIS_A],
        lightning="claim",
    )
    play(rnd, LIGHTNING, BRIDGE)
    play(rnd, IRIS_RIBBON)
    assert IRIS_RIBBON in rnd.field, "laid, not captured"
    play(rnd, CRANE)
    play(rnd, IRIS_B)  # and now the ribbon is captured
    assert rnd.captured == ({LIGHTNING, BRIDGE, IRIS_RIBBON}, {IRIS_B})
    assert IRIS_A in rnd.field, "turned up, but plain"


@pytest.mark.parametrize("by", ["another", "the Lightning's player"])
def test_turned_up_by_anyone_the_point_card_is_claimed_at_once_and_captures_nothing(by: str) -> None:
    pile = [PLUM_A, MOON] if by == "another" else [MOON, PLUM_A]
    field = [GEESE, SUSUKI_A, SUSUKI_B]
    rnd = lay_out(hands=[[LIGHTNING], [PINE_A]], field=field, pile=pile, lightning="claim")
    play(rnd, LIGHTNING, SUSUKI_B)
    play(rnd, PINE_A)  # two susuki lie there, but the moon is not to be chosen a capture
    assert rnd.is_terminal
    assert rnd.captured == ({LIGHTNING, SUSUKI_B, MOON}, set())
    assert rnd.field == {GEESE, SUSUKI_A, PINE_A, PLUM_A}


def test_a_plain_card_of_the_suit_turned_up_that_captures_a_point_card_has_it_claimed() -> None:
    rnd = lay_out(hands=[[LIGHTNING], [PINE_A]], field=[BRIDGE, IRIS_RIBBON], pile=[PLUM_A, IRIS_A], lightning="claim")
    play(rnd, LIGHTNING, BRIDGE)
    play(rnd, PINE_A)
    assert rnd.captured == ({LIGHTNING, BRIDGE, IRIS_RIBBON}, {IRIS_A})


def test_a_claim_works_once() -> None:
    rnd = lay_out(
        hands=[[LIGHTNING, PINE_A], [CUCKOO, GEESE]],
        field=[SUSUKI_A, SUSUKI_B],
        pile=[MOON, PLUM_A, CHERRY_A, MAPLE_A],
        lightning="claim",
    )
    play(rnd, LIGHTNING, SUSUKI_A)
    assert rnd.captured[0] == {LIGHTNING, SUSUKI_A, MOON}
    play(rnd, CUCKOO)
    play(rnd, PINE_A)
    play(rnd, GEESE)
    assert rnd.captured == ({LIGHTNING, SUSUKI_A, MOON}, {GEESE, SUSUKI_B})


def test_a_claim_used_by_a_capture_leaves_the_next_card_turned_up_alone() -> None:
    rnd = lay_out(
        hands=[[LIGHTNING, PINE_A], [MOON, CUCKOO]],
        field=[SUSUKI_A, SUSUKI_B],
        pile=[PLUM_A, GEESE, CHERRY_A, MAPLE_A],
        lightning="claim",
    )
    play(rnd, LIGHTNING, SUSUKI_A)
    play(rnd, MOON)  # takes the plain susuki; the moon is claimed; the geese turned up are laid
    assert rnd.captured == ({LIGHTNING, SUSUKI_A, MOON}, {SUSUKI_B})
    assert GEESE in rnd.field


def test_the_lightnings_player_capturing_of_the_suit_itself_neither_uses_nor_triggers_the_claim() -> None:
    rnd = lay_out(
        hands=[[LIGHTNING, GEESE], [PINE_A, CUCKOO]],
        field=[SUSUKI_A, SUSUKI_B],
        pile=[PLUM_A, CHERRY_A, MAPLE_A, MOON],
        lightning="claim",
    )
    play(rnd, LIGHTNING, SUSUKI_A)
    play(rnd, PINE_A)
    play(rnd, GEESE)
    assert rnd.captured[0] == {LIGHTNING, SUSUKI_A, GEESE, SUSUKI_B}
    assert rnd.observation(0).odd_suit == SUSUKI_A // 4, "the claim is still open"
    play(rnd, CUCKOO)  # and seat 1 turns up the moon
    assert rnd.captured[0] == {LIGHTNING, SUSUKI_A, GEESE, SUSUKI_B, MOON}


def test_a_partner_counts_as_another_player_for_a_claim() -> None:
    rnd = lay_out(
        hands=[[LIGHTNING], [PINE_A], [GEESE], [CUCKOO]],
        field=[SUSUKI_A, SUSUKI_B],
        pile=[PLUM_A, CHERRY_A, MAPLE_A, CLOVER_A],
        lightning="claim",
        teams=2,
    )
    play(rnd, LIGHTNING, SUSUKI_A)
    play(rnd, PINE_A)
    play(rnd, GEESE)
    assert rnd.captured[0] == {LIGHTNING, SUSUKI_A, GEESE}
    assert rnd.captured[2] == {SUSUKI_B}


def test_point_cards_of_other_suits_are_not_claimed() -> None:
    rnd = lay_out(
        hands=[[LIGHTNING], [CRANE]], field=[SUSUKI_A, PINE_A], pile=[PHOENIX, BOAR, CLOVER_A], lightning="claim"
    )
    play(rnd, LIGHTNING, SUSUKI_A)
    play(rnd, CRANE)
    assert rnd.captured == ({LIGHTNING, SUSUKI_A}, {CRANE, PINE_A})
    assert rnd.field == {PHOENIX, BOAR}


# ---- lightning_from_pile ----

TURNED_UP = {"hands": [[PINE_A], [PLUM_A]], "field": [BRIDGE, MOON], "pile": [LIGHTNING, IRIS_A]}


def test_turned_up_the_lightning_is_an_ordinary_willow() -> None:
    rnd = lay_out(**TURNED_UP)
    play(rnd, PINE_A)
    assert (rnd.current_player, rnd.phase) == (1, "hand")
    assert LIGHTNING in rnd.field


def test_from_the_pile_it_may_be_wild_too_and_sweeps_for_whoever_turned_it_up() -> None:
    rnd = lay_out(**TURNED_UP, lightning_from_pile=True)
    play(rnd, PINE_A)
    assert (rnd.current_player, rnd.phase, rnd.turned_up) == (0, "pile", LIGHTNING)
    assert ways_to_play(rnd, LIGHTNING) == [(), (PINE_A,), (BRIDGE,), (MOON,)]
    assert len(rnd.legal_actions()) == 4
    turn_up(rnd, LIGHTNING, BRIDGE)
    play(rnd, PLUM_A)
    assert rnd.captured == ({LIGHTNING, BRIDGE, IRIS_A}, set())


def test_from_the_pile_it_may_be_laid_where_no_willow_lies() -> None:
    rnd = lay_out(**TURNED_UP, lightning_from_pile=True)
    play(rnd, PINE_A)
    lay(rnd, LIGHTNING)
    assert LIGHTNING in rnd.field and not rnd.captured[0]


def test_from_the_pile_with_a_willow_on_the_field_it_captures_that_or_another_card() -> None:
    rnd = lay_out(hands=[[PINE_A], [PLUM_A]], field=[BRIDGE, RAIN_MAN], pile=[LIGHTNING], lightning_from_pile=True)
    play(rnd, PINE_A)
    assert set(ways_to_play(rnd, LIGHTNING)) == {(RAIN_MAN,), (BRIDGE,), (PINE_A,)}


def test_from_the_pile_it_spares_anothers_hiki_and_resolves_itself_where_nothing_else_lies_there() -> None:
    field, pile = [BRIDGE, IRIS_RIBBON], [LIGHTNING]
    rnd = lay_out(
        hands=[[PINE_A, CRANE], [IRIS_A, IRIS_B]], field=[*field, PINE_B], pile=pile, lightning_from_pile=True
    )
    play(rnd, PINE_A)
    assert (rnd.current_player, rnd.phase) == (1, "hand"), "no choice: it is laid"
    assert rnd.field == {BRIDGE, IRIS_RIBBON, LIGHTNING}


def test_from_the_pile_it_is_not_wild_where_it_is_plain() -> None:
    rnd = lay_out(**TURNED_UP, lightning_from_pile=True, lightning="plain")
    play(rnd, PINE_A)
    assert (rnd.current_player, rnd.phase) == (1, "hand")


def test_from_the_pile_it_claims_as_from_the_hand() -> None:
    rnd = lay_out(
        hands=[[PINE_A], [IRIS_RIBBON]],
        field=[BRIDGE, IRIS_A],
        pile=[LIGHTNING, PLUM_A],
        lightning_from_pile=True,
        lightning="claim",
    )
    play(rnd, PINE_A)
    turn_up(rnd, LIGHTNING, BRIDGE)
    play(rnd, IRIS_RIBBON)
    assert rnd.captured == ({LIGHTNING, BRIDGE, IRIS_RIBBON}, {IRIS_A})


# ---- lightning_dealt ----


def test_dealt_to_the_field_the_lightning_stays_or_leaves_the_game() -> None:
    position = {"hands": [[SWALLOW], [PLUM_A]], "field": [LIGHTNING, MOON]}
    stays = lay_out(**position)
    assert (stays.field, stays.removed) == ({LIGHTNING, MOON}, set())
    assert ways_to_play(stays, SWALLOW) == [(LIGHTNING,)]
    discarded = lay_out(**position, lightning_dealt="discarded")
    assert (discarded.field, discarded.removed) == ({MOON}, {LIGHTNING})
    assert ways_to_play(discarded, SWALLOW) == [()]
    finish(discarded)
    assert discarded.removed == {LIGHTNING}


@pytest.mark.parametrize("place", ["hand", "pile"])
def test_only_on_the_field_is_the_lightning_discarded(place: str) -> None:
    mine, pile = (LIGHTNING, [CRANE]) if place == "hand" else (CRANE, [LIGHTNING])
    rnd = lay_out(hands=[[mine], [PLUM_A]], field=[MOON], pile=pile, lightning_dealt="discarded")
    assert rnd.removed == set()
    play(rnd, mine, *([MOON] if place == "hand" else []))
    assert (LIGHTNING in rnd.captured[0]) == (place == "hand")
    assert (LIGHTNING in rnd.field) == (place == "pile")


# ---- play_out_pile ----

THREE_HIKIS = {
    "hands": [[*PINE], [*PLUM], [*CHERRY]],
    "field": [MOON],
    "pile": [IRIS_A, PEONY_A, CLOVER_A, GEESE, BRIDGE, SUSUKI_A],
}


def test_hikis_that_empty_all_hands_end_the_round_at_once() -> None:
    rnd = lay_out(**THREE_HIKIS)
    for lowest in (CRANE, WARBLER, CURTAIN):
        declare_hiki(rnd, lowest)
    assert rnd.is_terminal
    assert rnd.turn == 3
    assert rnd.captured == (set(PINE), set(PLUM), set(CHERRY))
    assert len(rnd.pile) == 48 - 12 - 1 - 3


def test_or_the_pile_is_played_out_by_hands_without_cards() -> None:
    rnd = lay_out(**THREE_HIKIS, play_out_pile=True)
    for lowest in (CRANE, WARBLER, CURTAIN):
        declare_hiki(rnd, lowest)
    assert {GEESE, MOON} <= rnd.captured[0], "seat 0 turned up the geese"
    assert {BRIDGE, IRIS_A} <= rnd.captured[1], "seat 1 turned up the bridge"
    assert rnd.is_terminal, "no card turned up in this pile leaves a choice"
    assert rnd.pile == ()
    assert [event.seat for event in rnd.log if event.kind == "turned up"] == [turn % 3 for turn in range(35)]


def test_a_choice_in_a_pile_that_is_played_out_is_that_of_the_seat_whose_turn_it_is() -> None:
    rnd = lay_out(
        hands=[[*PINE], [*PLUM]],
        field=[SUSUKI_A, SUSUKI_B],
        pile=[IRIS_A, PEONY_A, CLOVER_A, MOON],
        play_out_pile=True,
    )
    declare_hiki(rnd, CRANE)
    declare_hiki(rnd, WARBLER)
    assert (rnd.current_player, rnd.phase, rnd.turned_up) == (1, "pile", MOON)
    assert rnd.hands == (set(), set())


def test_the_sweep_waits_for_a_pile_that_is_played_out() -> None:
    for play_out_pile in (False, True):
        rnd = lay_out(
            hands=[[LIGHTNING], [PINE_A]], field=[BRIDGE], pile=[PLUM_A, CHERRY_A], play_out_pile=play_out_pile
        )
        play(rnd, LIGHTNING, BRIDGE)
        play(rnd, PINE_A)
        finish(rnd)
        # The pile goes on in order of ids: one iris is laid, the next takes it, the last is laid and swept.
        assert rnd.captured[0] >= {LIGHTNING, BRIDGE}
        assert (IRIS_B in rnd.captured[0]) == play_out_pile


# ---- yaku, and teams ----


@pytest.mark.parametrize(
    ("teams", "yaku", "returns"),
    [
        (None, "penalty", [75, -100, -100, -100, -100, -100]),
        (2, "penalty", [75, -100]),
        (3, "penalty", [75, -100, -100]),
        (None, "bonus", [175, 0, 0, 0, 0, 0]),
        (2, "bonus", [175, 0]),
        (3, "bonus", [175, 0, 0]),
    ],
)
def test_two_yaku_cost_every_opposing_side_100_once_or_bring_their_own_100(
    teams: int | None, yaku: str, returns: list[int]
) -> None:
    # The field holds three whole suits, which go to the dealer: crane, warbler and curtain, and the poetry ribbons.
    for dealer in range(6):
        rnd = lay_out(
            hands=[[CUCKOO], [BRIDGE], [BOAR], [MOON], [DEER], [PHOENIX]],
            field=[*PINE, *PLUM, *CHERRY],
            dealer=dealer,
            teams=teams,
            yaku=yaku,
        )
        side = rnd.rules.side_of(dealer)
        expected = returns[1:]
        expected.insert(side, returns[0])
        assert rnd.returns() == expected
        assert rnd.points() == [75 if s == side else 0 for s in range(len(returns))]
        assert rnd.yaku() == [[2, 3] if s == side else [] for s in range(len(returns))]


def test_both_sides_yaku_cost_each_other() -> None:
    rnd = lay_out(
        hands=[[PINE_RIBBON, PLUM_RIBBON, CHERRY_RIBBON], [CURTAIN, MOON, SAKE_CUP]],
        field=[PINE_A, PLUM_A, CHERRY_A, CHERRY_B, SUSUKI_A, CHRYSANTHEMUM_A],
        pile=[WISTERIA_A, IRIS_A, PEONY_A, CLOVER_A, MAPLE_A, PAULOWNIA_A],
    )
    play(rnd, PINE_RIBBON)
    play(rnd, CURTAIN, CHERRY_A)
    play(rnd, PLUM_RIBBON)
    play(rnd, MOON)
    play(rnd, CHERRY_RIBBON)
    play(rnd, SAKE_CUP)
    assert rnd.yaku() == [[3], [1]]
    assert rnd.points() == [30, 45]
    assert rnd.returns() == [30 - 50, 45 - 50]


def test_a_team_may_complete_a_yaku_by_two_seats_neither_of_which_holds_it() -> None:
    for teams, held in ((2, [[3], []]), (None, [[], [], [], []])):
        rnd = lay_out(
            hands=[[PINE_RIBBON], [WISTERIA_A], [PLUM_RIBBON], [IRIS_A]],
            field=[PINE_A, PLUM_A, CHERRY_RIBBON],
            pile=[CHERRY_A, PEONY_A, CLOVER_A, MAPLE_A],
            teams=teams,
        )
        finish(rnd)
        assert rnd.captured[0] == {PINE_RIBBON, PINE_A, CHERRY_RIBBON, CHERRY_A}
        assert rnd.captured[2] == {PLUM_RIBBON, PLUM_A}
        assert rnd.yaku() == held


def test_opponents_do_not_complete_a_yaku_together() -> None:
    rnd = lay_out(
        hands=[[PINE_RIBBON], [PLUM_RIBBON]],
        field=[PINE_A, PLUM_A, CHERRY_RIBBON],
        pile=[CHERRY_A, PEONY_A],
    )
    finish(rnd)
    assert rnd.yaku() == [[], []]
    assert rnd.returns() == rnd.points() == [20, 10]


# ---- hand=10 ----


def test_ten_cards_each_leave_no_dead_cards_to_two_players() -> None:
    for hand, dead in ((8, 8), (10, 0)):
        rnd = Round(Rules(players=2, hand=hand, hiki=False), seed=1)
        assert [len(cards) for cards in rnd.hands] == [hand, hand]
        finish(rnd)
        assert len(rnd.pile) == dead
        assert rnd.turn == 2 * hand


# ---- three to seven players ----


@pytest.mark.parametrize("players", range(3, 8))
def test_with_three_to_seven_players_the_pile_is_as_long_as_the_round(players: int) -> None:
    rnd = Round(Rules(players=players, hiki=False), seed=1)
    finish(rnd)
    assert rnd.pile == ()
    assert rnd.turn == players * rnd.rules.hand


def test_the_deck_that_a_position_needs_is_found_by_undoing_the_deal() -> None:
    rules = Rules(players=3, hand=3, field=3)
    deck = deck_for(rules, hands=[[0, 1, 2], [4, 5, 6], [8, 9, 10]], field=[12, 16, 20], pile=[47, 46], dealer=1)
    rnd = Round(rules, deck=deck, dealer=1)
    assert rnd.hands == ({0, 1, 2}, {4, 5, 6}, {8, 9, 10})
    assert rnd.field == {12, 16, 20}
    assert rnd.pile[:2] == (47, 46)
    assert rnd.pile[2:] == tuple(card for card in range(46) if card not in {0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 16, 20})
