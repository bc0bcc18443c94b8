"""Random play under every rule set there is: what has to hold after each step of any round.

Hypothesis draws the rules, the seed and every choice, and shrinks what fails to a small round. The numbers it draws are
the same each time (`derandomize`).
"""

# ruff: noqa: F403, F405 (the cards by name)

from dataclasses import fields

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from helpers import *
from sakura import CARDS, YAKU, Round, Rules
from sakura.rules import CHOICES, TEAMS

often = settings(
    max_examples=250,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
seldom = settings(often, max_examples=100)


@st.composite
def rule_sets(draw: st.DrawFn) -> Rules:
    """Any rules: 2 to 7 players, teams, the usual deal or another, every house rule."""
    players = draw(st.integers(2, 7))
    options: dict[str, object] = {"players": players, "teams": draw(st.sampled_from((None, *TEAMS.get(players, ()))))}
    if draw(st.booleans()):
        options["hand"] = draw(st.integers(1, 48 // players if players > 3 else 12))
        # No more, so that a redeal finds a field without four of a suit before long.
        options["field"] = draw(st.integers(0, min(16, 48 - players * options["hand"])))
    for name, choices in CHOICES.items():
        options[name] = draw(st.sampled_from(choices))
    for field in fields(Rules):
        if field.type is bool:
            options[field.name] = draw(st.booleans())
    return Rules(**options)


@st.composite
def new_rounds(draw: st.DrawFn) -> Round:
    rules = draw(rule_sets())
    seed = draw(st.integers(0, 2**63 - 1))
    return Round(rules, seed=seed, dealer=draw(st.integers(0, rules.players - 1)))


choices = st.lists(st.integers(0, 59), min_size=1, max_size=100)


def decide(rnd: Round, drawn: list[int]) -> None:
    """Take the action that the drawn numbers say here; when they are used up they begin again."""
    legal = rnd.legal_actions()
    rnd.apply_action(legal[drawn[len(rnd.actions) % len(drawn)] % len(legal)])


def check_that_every_card_is_in_one_place(rnd: Round) -> None:
    turned_up = [] if rnd.turned_up is None else [rnd.turned_up]
    places = [*rnd.hands, *rnd.captured, rnd.field, rnd.pile, rnd.removed, turned_up]
    assert sorted(card for place in places for card in place) == list(range(48))
    assert rnd.deck[48 - len(rnd.pile) :] == rnd.pile


def check_the_points(rnd: Round) -> None:
    captured = frozenset().union(*rnd.captured)
    uncaptured = set(range(48)) - captured
    assert sum(rnd.points()) + sum(CARDS[card].points for card in uncaptured) == 240
    rules = rnd.rules
    piles = [frozenset().union(*(rnd.captured[seat] for seat in rules.seats_of(side))) for side in range(rules.sides)]
    points = [sum(CARDS[card].points for card in pile) for pile in piles]
    held = [[yaku.number for yaku in YAKU if yaku.cards <= pile] for pile in piles]
    assert (rnd.points(), rnd.yaku()) == (points, held)
    for side, score in enumerate(rnd.returns()):
        if rules.yaku == "bonus":
            assert score == points[side] + 50 * len(held[side])
        else:
            assert score == points[side] - 50 * sum(len(held[other]) for other in range(rules.sides) if other != side)


def check_whose_turn_it_is(rnd: Round) -> None:
    assert rnd.is_terminal == (rnd.phase == "over") == (rnd.current_player is None)
    assert (rnd.turned_up is not None) == (rnd.phase == "pile")
    assert rnd.current_player is None or rnd.current_player == (rnd.dealer + rnd.turn) % rnd.rules.players
    # Nobody's field holds four of a suit: the dealer has them, or the table dealt again, or they were captured.
    assert not any(set(range(low, low + 4)) <= rnd.field for low in range(0, 48, 4))


def check_the_legal_actions(rnd: Round) -> None:
    """Not again what the engine computes, but what has to hold for whatever it offers."""
    legal = rnd.legal_actions()
    assert bool(legal) != rnd.is_terminal
    assert len(set(legal)) == len(legal)
    wild = rnd.rules.lightning != "plain" and (rnd.phase == "hand" or rnd.rules.lightning_from_pile)
    if rnd.phase == "hand":
        assert {action.card for action in legal if action.kind == "play"} == rnd.hands[rnd.current_player]
    for action in legal:
        assert set(action.captures) <= rnd.field
        assert list(action.captures) == sorted(action.captures)
        suit = set(range(action.card // 4 * 4, action.card // 4 * 4 + 4))
        matches = rnd.field & suit
        if action.kind == "hiki":
            from_hand = rnd.hands[rnd.current_player] & suit
            assert rnd.rules.hiki and len(from_hand) > 1 and action.card == min(from_hand)
            assert from_hand | set(action.captures) == suit
        elif set(action.captures) <= suit:
            assert len(action.captures) == (0, 1, 1, 3)[len(matches)]
        else:
            assert wild and action.card == LIGHTNING and len(action.captures) == 1
        if action.kind == "turn_up":
            assert action.card == rnd.turned_up and len(legal) > 1, "a step without a choice resolves itself"


def check_that_an_action_does_what_it_says(rnd: Round, action: Action) -> None:
    """Apply it and take it back; everything is as before, and in between just this seat's cards have moved."""
    before = everything(rnd)
    seat, hands = rnd.current_player, rnd.hands
    rnd.apply_action(action)
    check_that_every_card_is_in_one_place(rnd)
    assert rnd.actions[-1] == action
    lost = hands[seat] - rnd.hands[seat]
    if action.kind == "turn_up":
        assert not lost
    elif action.kind == "play":
        assert lost == {action.card}
    else:
        assert action.card in lost and len(lost) + len(action.captures) == 4
    assert all(rnd.hands[other] == hands[other] for other in range(rnd.rules.players) if other != seat)
    gained = {card for now, then in zip(rnd.captured, before["captured"], strict=True) for card in now - then}
    if action.captures or action.kind == "hiki":
        assert gained >= lost | set(action.captures)
    assert all(now >= then for now, then in zip(rnd.captured, before["captured"], strict=True))
    rnd.undo()
    assert everything(rnd) == before


@often
@given(new_rounds(), choices)
def test_after_every_step_the_table_is_in_order(rnd: Round, drawn: list[int]) -> None:
    steps = 0
    while True:
        check_that_every_card_is_in_one_place(rnd)
        check_the_points(rnd)
        check_whose_turn_it_is(rnd)
        check_the_legal_actions(rnd)
        if rnd.is_terminal:
            break
        decide(rnd, drawn)
        steps += 1
        assert steps <= 2 * 48, "the round does not end"
    check_the_end(rnd)


def check_the_end(rnd: Round) -> None:
    rules = rnd.rules
    assert not any(rnd.hands)
    turns = rnd.turn
    hikis = any(action.kind == "hiki" for action in rnd.actions)
    if rules.play_out_pile:
        assert not rnd.pile and turns >= rules.pile
    else:
        assert turns <= rules.players * rules.hand if hikis else turns == rules.players * rules.hand
    assert len(rnd.pile) == max(0, rules.pile - turns), "one card is turned up in a turn, while there are any"
    assert [event.kind for event in rnd.log].count("round over") == 1
    assert LIGHTNING not in rnd.removed or (rules.lightning_dealt == "discarded" and LIGHTNING not in rnd.field)


@seldom
@given(new_rounds(), choices)
def test_every_legal_action_applies_cleanly_and_is_taken_back_without_a_trace(rnd: Round, drawn: list[int]) -> None:
    while not rnd.is_terminal:
        # All of them at two decisions of the round, one at each of the others.
        if len(rnd.actions) in (drawn[0] % 8, drawn[-1] % 8):
            for action in rnd.legal_actions():
                check_that_an_action_does_what_it_says(rnd, action)
        else:
            check_that_an_action_does_what_it_says(rnd, rnd.legal_actions()[-1])
        decide(rnd, drawn)


@seldom
@given(new_rounds(), choices, st.integers(0, 60))
def test_replayed_or_undone_and_redone_or_saved_and_loaded_a_round_comes_to_the_same_end(
    rnd: Round, drawn: list[int], middle: int
) -> None:
    while not rnd.is_terminal and len(rnd.actions) < middle:
        decide(rnd, drawn)
    halfway = everything(rnd)
    loaded = Round.from_dict(rnd.to_dict())
    assert everything(loaded) == halfway
    while not rnd.is_terminal:
        decide(rnd, drawn)
        decide(loaded, drawn)
    end = everything(rnd)
    assert everything(loaded) == end
    replayed = Round(rnd.rules, seed=rnd.seed, dealer=rnd.dealer)
    for action in rnd.actions:
        replayed.apply_action(action)
    assert everything(replayed) == end
    after = len(rnd.actions) - len(halfway["actions"])
    rnd.undo(after)
    assert everything(rnd) == halfway
    rnd.redo(after)
    assert everything(rnd) == end
