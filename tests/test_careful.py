"""`careful`: its advice is heard, it keeps to the rules, and compiled or not it is the same player."""

import pickle
import sys
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numba import njit
from scipy.stats import chi2

import helpers
import sakura
from sakura import Observation, Round, Rules, engine
from sakura.agents import BUILT_IN, careful
from sakura.agents.careful import ADVICE, Careful
from sakura.bits import random63
from sakura.machine import PlainMachine
from sakura.rules import DEALS, TEAMS
from strategies_for_tests import RULE_SETS, assert_same_rows

SIMULATE = sys.modules["sakura.simulate"]


def simulate(rounds: int, agents: Any, rules: Rules | None = None, seed: int = 0) -> sakura.Results:
    return sakura.simulate(rounds, rules, agents, seed, progress=False)


def as_a_users(agent: Careful) -> Callable[[Observation, int], int]:
    """The same player as a function of a user's, which is shown no more than an observation."""

    def player(obs: Observation, random: int) -> int:
        return agent(obs, random)

    player.__name__ = f"my {agent.__name__}"
    return player


# ---- Inside compiled loops and outside ----


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
def test_it_needs_no_more_than_an_observation(rules: Rules) -> None:
    """And compiled it does what it does in plain Python."""
    assert_same_rows(simulate(3, "careful", rules, 31), simulate(3, as_a_users(Careful()), rules, 31))


@pytest.mark.parametrize("piece", ADVICE)
def test_nor_without_some_of_its_advice(piece: str) -> None:
    agents = [Careful(piece), Careful(*set(ADVICE) - {piece})]
    for name in ("many hikis", "sweep from the pile"):
        inside = simulate(2, agents, RULE_SETS[name], 32)
        assert_same_rows(inside, simulate(2, [as_a_users(agent) for agent in agents], RULE_SETS[name], 32))


@pytest.mark.parametrize("name", ["2 players", "4 in 2 teams", "claim from the pile"])
def test_the_loop_in_plain_python_has_the_same_player(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    agents = ["careful"] if RULE_SETS[name].players == 5 else ["careful", Careful("patience", "lightning")]
    fast = simulate(3, agents, RULE_SETS[name], 33)
    monkeypatch.setattr(SIMULATE, "machine", PlainMachine)
    monkeypatch.setattr(SIMULATE, "must_compile", lambda loop: False)
    assert_same_rows(fast, simulate(3, agents, RULE_SETS[name], 33))


def test_its_name_is_that_of_the_object() -> None:
    rules = Rules(players=4)
    assert_same_rows(simulate(50, "careful", rules), simulate(50, Careful(), rules))
    assert BUILT_IN["careful"] == Careful()


# ---- The rules ----


@njit
def count_illegal(rules: Any, seed: Any, positions: Any, state: Any, listed: Any, scratch: Any) -> Any:
    """Of so many positions of random play, those where `careful`, with each piece of advice or without, breaks a rule.

    Every ninth decision it has all of its advice, else one piece is left out.
    """
    wrong = 0
    over = True
    number = 0
    for n in range(positions):
        if over:
            number += 1
            key = random63(seed, number)
            engine.deal_from_key(state, rules, key, number % rules.players, engine.used_cards(rules))
            engine.set_chances(state, rules, key)
        random = engine.decision_random(state)
        offered = engine.options(state, rules)
        without = (1 << n % 9) & 255
        kind, card, captures = careful.careful_option(state, rules, without, offered, scratch, random)
        legal = False
        count = engine.legal_actions(state, rules, listed)
        for i in range(count):
            same = listed[3 * i] == kind and listed[3 * i + 1] == card and listed[3 * i + 2] == captures
            legal = legal or same
        wrong += not legal
        i = 3 * (random % count)
        engine.apply_action(state, rules, listed[i], listed[i + 1], listed[i + 2])
        over = state[engine.PHASE] == engine.OVER
    return wrong


def test_it_never_breaks_a_rule() -> None:
    """In 35,000 positions of random play at each of these tables, more than a million in all."""
    scratch = [np.zeros(size, np.int64) for size in (engine.STATE_SIZE, 3 * engine.MAX_ACTIONS, 48 + 144)]
    for rules in RULE_SETS.values():
        assert count_illegal(rules.numbers(), 34, 35_000, *scratch) == 0
    assert 35_000 * len(RULE_SETS) > 1_000_000


# ---- Its advice ----


# A hiki never gains by the weights that were fitted: nobody else can take its cards, and declaring costs turns.
@pytest.mark.parametrize("piece", [piece for piece in ADVICE if piece != "hiki"])
def test_each_piece_of_advice_changes_some_decision(piece: str) -> None:
    ordinary, without = simulate(2000, "careful", seed=35), simulate(2000, Careful(piece), seed=35)
    assert (ordinary.captured != without.captured).any()


def test_unknown_advice_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^no piece of advice is called 'bluff'; there are two_yaku, advance, "):
        Careful("hiki", "bluff")


def test_what_is_left_out_counts_and_not_in_which_order() -> None:
    assert Careful("hiki", "deny", "deny") == Careful("deny", "hiki") != Careful("deny")
    assert len({Careful("hiki", "deny"), Careful("deny", "hiki"), Careful()}) == 2
    assert Careful("deny", "hiki").__name__ == "careful without deny, hiki" and Careful().__name__ == "careful"
    assert pickle.loads(pickle.dumps(Careful("deny"))) == Careful("deny")
    assert simulate(2, [Careful(), Careful("deny")]).agents == ("careful", "careful without deny")


def test_without_hiki_it_never_declares_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even where declaring were worth a fortune, as it is then at every chance by who has that advice."""
    fortune = careful.EXTRA.copy()
    fortune[:, :, careful.DECLARED] = 1 << 40
    monkeypatch.setattr(careful, "EXTRA", fortune)
    for seed in range(4):
        rnd = Round(RULE_SETS["many hikis"], seed=seed)
        chances = 0
        while not rnd.is_terminal:
            possible = bool(helpers.hikis(rnd))
            chances += possible
            assert (rnd.choose(Careful()).kind == "hiki") == possible
            action = rnd.choose(Careful("hiki"))
            assert action.kind != "hiki"
            rnd.apply_action(action)
        assert chances


def two_ways() -> Round:
    """The Cherry plain takes the Curtain, the yellow paulownia the Phoenix, dearer by 10; or a card is laid."""
    return helpers.lay_out(
        [[helpers.CHERRY_A, helpers.YELLOW_PAULOWNIA, helpers.MOON], [helpers.PLUM_A, helpers.DEER, helpers.BRIDGE]],
        [helpers.CURTAIN, helpers.PHOENIX, helpers.CUCKOO],
    )


@pytest.mark.parametrize(("seat", "without"), [(0, ["deny"]), (0, ["deny", "advance"]), (1, ["advance"])])
def test_it_reckons_with_the_yaku_that_a_side_collects(seat: int, without: list[str]) -> None:
    """Somebody has the Crane and the Warbler: the Curtain makes spring, or keeps it from being made.

    To complete a yaku needs no advice.
    """
    rnd = two_ways()
    rnd._state[engine.CAPTURED + seat] = helpers.bits([helpers.CRANE, helpers.WARBLER])
    assert rnd.choose(Careful(*without)).captures == (helpers.CURTAIN,)


def test_without_that_advice_the_dearer_card_is_taken() -> None:
    rnd = two_ways()
    rnd._state[engine.CAPTURED + 1] = helpers.bits([helpers.CRANE, helpers.WARBLER])
    assert rnd.choose(Careful("advance", "deny")).captures == (helpers.PHOENIX,)


def test_equals_are_taken_as_often() -> None:
    """The four that are worth most, the first and the last among them, of seven."""
    values = [0] * careful.VALUES + [5, -9, 5, 5, 4, 0, 5]
    counts = Counter(careful.best_value(values, 7, random63(36, n)) for n in range(4000))
    assert counts.keys() == {0, 2, 3, 6}
    assert chi2.sf(sum((count - 1000) ** 2 / 1000 for count in counts.values()), 3) > 1e-6


def test_two_plain_cards_that_nothing_tells_apart_are_equals() -> None:
    rnd = helpers.lay_out(
        [[helpers.PINE_A, helpers.PINE_B], [helpers.PLUM_A, helpers.DEER]], [helpers.PHOENIX, helpers.CUCKOO]
    )
    obs = rnd.observation(0)
    assert {Careful()(obs, random63(37, n)) for n in range(30)} == {0, 1}


# ---- Its weights ----

TABLES = sorted({(n, n) for n in DEALS} | {(n, teams) for n, allowed in TEAMS.items() for teams in allowed})


@pytest.mark.parametrize(("players", "sides"), TABLES)
def test_there_are_weights_for_every_table(players: int, sides: int) -> None:
    """What cards are worth for yaku; and what share of a card comes to whom for every way a suit can lie."""
    assert (careful.WORTH[players, sides] != 0).all() and careful.EXTRA[players, sides].any(axis=1).all()
    for field in range(5):
        for hand in range(5 - field):
            for unseen in range(5 - field - hand):
                shares = careful.SHARES[players, sides, careful.suit_row(field, hand, unseen)]
                for place, cards in enumerate((field, hand, unseen)):
                    assert cards or not shares[place].any()


def test_there_are_weights_for_no_other_table() -> None:
    for weights in (careful.WORTH, careful.EXTRA, careful.SHARES):
        players, sides, *_ = np.nonzero(weights)
        assert set(zip(players.tolist(), sides.tolist(), strict=True)) <= set(TABLES)
