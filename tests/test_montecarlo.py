"""`montecarlo`: the hidden cards it imagines agree with what it sees, and its play-outs come to what counting gives."""

import itertools
import math
import statistics
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from scipy.stats import chi2

import helpers
from sakura import Observation, Round, Rules, engine, points
from sakura.agents import BUILT_IN, DESCRIPTIONS, Clairvoyant, MonteCarlo, Solver, ask, montecarlo, playouts
from sakura.agents.built_in import number_of
from sakura.agents.careful import Careful
from sakura.agents.montecarlo import Evaluation, batches, race
from sakura.bits import random63
from sakura.engine import CAPTURED, DECK, HANDS, NOBODY, OVER, PHASE, SEAT, STATE_SIZE, TOP
from sakura.machine import PlainMachine, machine
from sakura.rules import RuleNumbers
from sakura.yaku import completed
from strategies_for_tests import RULE_SETS, last_action

State = list[int]
Choice = tuple[int, int, int]


def decisions(rules: Rules, seed: int) -> Iterator[tuple[Round, Observation]]:
    """The decisions of a round of random play, with what the seat sees that decides."""
    rnd = Round(rules, seed=seed)
    while not rnd.is_terminal:
        assert rnd.current_player is not None
        yield rnd, rnd.observation(rnd.current_player)
        rnd.apply_action(rnd.choose("random"))


def listed(state: State, rules: RuleNumbers) -> list[Choice]:
    """The legal actions of a state."""
    flat = [0] * (3 * engine.MAX_ACTIONS)
    n = engine.legal_actions(state, rules, flat)
    return [(flat[3 * i], flat[3 * i + 1], flat[3 * i + 2]) for i in range(n)]


def missing(obs: Observation) -> tuple[int, ...]:
    return tuple(0 if seat == obs.seat else size for seat, size in enumerate(obs.hand_sizes))


def imagined(obs: Observation, key: int) -> State:
    """One way in which the hidden cards may lie."""
    state = [0] * STATE_SIZE
    seen = engine.seen_state(obs)
    assert playouts.imagine(seen, obs.rules, missing(obs), engine.seen_targets(obs), key, playouts.TRIES, state)
    return state


def played_out_from(monkeypatch: pytest.MonkeyPatch, obs: Observation, count: int) -> list[State]:
    """The states from which play-outs are played."""
    states: list[State] = []
    monkeypatch.setattr(playouts, "play_out", lambda state, *_: states.append(list(state)))
    seen, side = engine.seen_state(obs), obs.seat % obs.sides
    setting = (obs.rules, missing(obs), engine.seen_targets(obs), False, side, (0,) * 7, 51, 0, [NOBODY], count)
    PlainMachine().play_outs(seen, *setting)
    return states


# ---- Hidden cards ----


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
def test_what_is_imagined_agrees_with_what_is_seen(rules: Rules) -> None:
    wild = different = removed = 0
    # In the round of seed 4 a Lightning is discarded.
    for seed in (1, 2, 4):
        for rnd, obs in decisions(rules, seed):
            state = imagined(obs, seed)
            twin = engine.observe(state, obs.rules, obs.seat, [engine.Choice(*way) for way in listed(state, obs.rules)])
            assert twin._replace(actions=()) == obs._replace(actions=())
            # The Lightning's targets, that is, the suits that others protect, show in these.
            assert list(twin.actions) == list(obs.actions)
            places = [*state[HANDS : HANDS + 7], *state[CAPTURED : CAPTURED + 7], obs.field, obs.removed]
            places += [1 << obs.turned_up] if obs.turned_up != NOBODY else []
            places += [1 << card for card in state[DECK + state[TOP] :]]
            # Each card once: the sum has every bit, and no place adds to another's.
            assert sum(places) == (1 << 48) - 1 and sum(map(int.bit_count, places)) == 48
            wild += engine.seen_targets(obs) != 0
            removed |= obs.removed
            different += state[HANDS : HANDS + 7] != rnd._state[HANDS : HANDS + 7]
    assert bool(removed) == (rules.lightning_dealt == "discarded")
    assert different or rules.pile == 0 or rules.hand == 1
    assert wild or rules.lightning == "plain" or rules.hand <= 3


def shorten(rnd: Round, left: int) -> Round:
    """The same position with so many cards in the pile; the seats have captured the others, one each in turn."""
    state = rnd._state
    pile = state[DECK + state[TOP] :]
    state[DECK + state[TOP] :] = pile[left:] + pile[:left]
    state[TOP] = 48 - left
    for n, card in enumerate(pile[left:]):
        state[CAPTURED + n % rnd.rules.players] |= 1 << card
    return rnd


def two_players() -> Round:
    """Two turns each are left. The Boar completes a yaku for whoever captures it."""
    hands = [[helpers.BOAR, helpers.MAPLE_A], [helpers.CRANE, helpers.MAPLE_RIBBON]]
    field = [helpers.CLOVER_RIBBON, helpers.CLOVER_A, helpers.PINE_A, helpers.MOON]
    return shorten(helpers.lay_out(hands, field, [helpers.PINE_RIBBON, helpers.GEESE, helpers.MAPLE_B]), 3)


def protected() -> Round:
    """Seat 0 has the Lightning, and sees that it may not take the Pines: somebody holds the Crane."""
    hands = [[helpers.LIGHTNING, helpers.BOAR], [helpers.CRANE, helpers.SWALLOW]]
    field = [helpers.PINE_RIBBON, helpers.PINE_A, helpers.PINE_B, helpers.MOON]
    return shorten(helpers.lay_out(hands, field, [helpers.GEESE, helpers.CLOVER_RIBBON, helpers.RAIN_MAN]), 3)


def unprotected() -> Round:
    """Seat 0 of three has the Lightning, and sees that it may take the Pines: the Crane is in the pile."""
    hands = [[helpers.LIGHTNING], [helpers.BOAR], [helpers.SWALLOW]]
    field = [helpers.PINE_RIBBON, helpers.PINE_A, helpers.PINE_B, helpers.MOON]
    return shorten(helpers.lay_out(hands, field, [helpers.GEESE, helpers.CRANE, helpers.CLOVER_RIBBON]), 3)


def teams() -> Round:
    """The last turn of each of four in two teams, where a claim on the Moon is open, which a partner holds."""
    hands = [[helpers.BOAR], [helpers.GEESE], [helpers.MOON], [helpers.MAPLE_RIBBON]]
    field = [helpers.CLOVER_RIBBON, helpers.CLOVER_A, helpers.MAPLE_A, helpers.SUSUKI_A]
    rnd = shorten(
        helpers.lay_out(hands, field, [helpers.SUSUKI_B, helpers.DEER], teams=2, lightning="claim", yaku="bonus"), 2
    )
    rnd._state[engine.LIGHTNING_SEAT], rnd._state[engine.ODD_SUIT] = 0, helpers.MOON // 4
    return rnd


POSITIONS = {position.__name__: position for position in (two_players, protected, unprotected, teams)}


@pytest.fixture(params=POSITIONS)
def position(request: pytest.FixtureRequest) -> Round:
    rnd = POSITIONS[request.param]()
    places = rnd._state[HANDS : HANDS + 7] + rnd._state[CAPTURED : CAPTURED + 7] + [rnd._state[engine.FIELD]]
    assert sum(places) + sum(1 << card for card in rnd.pile) == (1 << 48) - 1
    return rnd


def where_hidden_cards_lie(state: State, seat: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The other hands, and the pile."""
    others = tuple(0 if n == seat else state[HANDS + n] for n in range(7))
    return others, tuple(state[DECK + state[TOP] :])


def arrangements(rnd: Round) -> list[State]:
    """Every state that looks to the seat that decides as this one does."""
    state, rules, seat = rnd._state, rnd._rules, rnd.current_player
    legal = listed(state, rules)
    others = [n for n in range(rules.players) if n != seat]
    hidden = [*itertools.chain(*(sorted(rnd.hands[n]) for n in others)), *rnd.pile]
    found: dict[Any, State] = {}
    for dealt in itertools.permutations(hidden):
        twin, rest = state[:], list(dealt)
        for n in others:
            twin[HANDS + n] = helpers.bits(rest[: len(rnd.hands[n])])
            del rest[: len(rnd.hands[n])]
        twin[DECK + twin[TOP] :] = rest
        if listed(twin, rules) == legal:
            found[where_hidden_cards_lie(twin, seat)] = twin
    return list(found.values())


def test_every_way_in_which_they_may_lie_is_as_likely(position: Round, monkeypatch: pytest.MonkeyPatch) -> None:
    seat = position.current_player
    assert seat is not None
    ways = {where_hidden_cards_lie(state, seat) for state in arrangements(position)}
    states = played_out_from(monkeypatch, position.observation(seat), 30 * len(ways))
    counts = Counter(where_hidden_cards_lie(state, seat) for state in states)
    assert counts.keys() == ways
    assert chi2.sf(sum((counts[way] - 30) ** 2 / 30 for way in ways), len(ways) - 1) > 1e-4


def test_what_the_lightning_may_take_says_where_cards_lie() -> None:
    """Who sees the Pines protected knows that the other has the Crane, else that it is in the pile."""
    for rnd, everywhere in ((protected(), 10 * 6), (unprotected(), 5 * 4 * 6)):
        states = arrangements(rnd)
        assert 0 < len(states) < everywhere
        held = {any(state[HANDS + seat] >> helpers.CRANE & 1 for seat in (1, 2)) for state in states}
        assert held == {rnd.rules.players == 2}


def test_where_nothing_agrees_the_last_that_did_is_taken_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playouts, "TRIES", 1)
    seen = {where_hidden_cards_lie(state, 0) for state in played_out_from(monkeypatch, protected().observation(0), 60)}
    assert len(seen) > 5 and seen <= {where_hidden_cards_lie(state, 0) for state in arrangements(protected())}


# ---- Values ----


def brings(state: State, rules: RuleNumbers, choice: Choice) -> int:
    """What an action brings at once, in the eyes of `greedy`."""
    kind, card, captures = choice
    mine = engine.side_captured(state, rules, state[SEAT] % rules.sides)
    hand = state[HANDS + state[SEAT]]
    taken = captures | (hand & engine.suit_of(card) if kind == engine.HIKI else 1 << card)
    if not captures and kind != engine.HIKI:
        taken = 0
    new = completed(mine | taken).bit_count() - completed(mine).bit_count()
    return points(taken) + 50 * new


def outcome(state: State, rules: RuleNumbers, policy: str, side: int) -> tuple[float, float]:
    """What a side may expect where all play by a policy: its margin, and its share of the win."""
    if state[PHASE] == OVER:
        scores = engine.scores(rules, [engine.side_captured(state, rules, other) for other in range(rules.sides)])
        own, best = scores[side], max(scores)
        others = scores[:side] + scores[side + 1 :]
        return own - max(others), (own == best) / scores.count(best)
    ways = listed(state, rules)
    if policy == "greedy":
        most = max(brings(state, rules, way) for way in ways)
        ways = [way for way in ways if brings(state, rules, way) == most]
    margins, wins = zip(*(after(state, rules, way, policy, side) for way in ways), strict=True)
    return statistics.fmean(margins), statistics.fmean(wins)


def after(state: State, rules: RuleNumbers, way: Choice, policy: str, side: int) -> tuple[float, float]:
    state = state[:]
    engine.apply_action(state, rules, *way)
    return outcome(state, rules, policy, side)


@pytest.mark.parametrize("policy", ["random", "greedy"])
def test_values_are_those_that_counting_gives(policy: str, position: Round) -> None:
    """All arrangements, all lines of play, against 20,000 play-outs: within 4.5 standard errors."""
    seat, rules = position.current_player, position._rules
    assert seat is not None
    states = arrangements(position)
    n = 20_000
    agent = MonteCarlo(playouts=n, own=policy, others=policy, halving=False)
    evaluation = agent.evaluate(position.observation(seat), 52)
    assert evaluation.playouts.tolist() == [n] * len(listed(position._state, rules))
    for i, way in enumerate(listed(position._state, rules)):
        margins, wins = zip(*(after(state, rules, way, policy, seat % rules.sides) for state in states), strict=True)
        assert abs(evaluation.values[i] - statistics.fmean(margins)) < 4.5 * evaluation.errors[i] + 1e-9
        chance = statistics.fmean(wins)
        error = float(evaluation.wins[:, i].std()) / math.sqrt(n)
        assert abs(evaluation.chances[i] - chance) < 4.5 * error + 1e-9


def test_own_seat_and_others_play_as_told() -> None:
    """Each by the strategy named for it: the own side fares best where it plays well and others do not."""
    rnd = Round(Rules(players=3), seed=4)
    rnd.apply_action(rnd.choose("greedy"))
    assert rnd.current_player == 1

    def value(own: Any, others: Any) -> float:
        agent = MonteCarlo(300, own=own, others=others, halving=False)
        return float(agent.evaluate(rnd.observation(1), 53).margins.mean())

    assert value("random", "greedy") < value("random", "random") < value("greedy", "random")
    assert value("greedy", "greedy") < value("careful", "greedy") != value(Careful("deny"), "greedy")


@pytest.mark.parametrize("name", RULE_SETS)
def test_play_outs_are_the_same_in_plain_python(name: str) -> None:
    for _, obs in itertools.islice(decisions(RULE_SETS[name], 7), 1, 12, 5):
        agents = tuple(number_of(agent) for agent in ("careful", "greedy", "random", Careful("deny"), "greedy") * 2)[:7]
        setting = (obs.rules, missing(obs), engine.seen_targets(obs), False, obs.seat % obs.sides, agents, 54, 1)
        choices = [0, len(obs.actions) - 1, NOBODY]
        plain = PlainMachine().play_outs(engine.seen_state(obs), *setting, choices, 2)
        fast = machine().play_outs(engine.seen_state(obs), *setting, choices, 2)
        for slow, quick in zip(plain, fast, strict=True):
            np.testing.assert_array_equal(slow, quick)


def test_actions_are_compared_on_the_same_cards_and_luck() -> None:
    """Which of two plain cards is laid makes no difference, in any play-out."""
    rnd = helpers.lay_out(
        [[helpers.PINE_A, helpers.PINE_B, helpers.MOON], [helpers.PLUM_A, helpers.DEER, helpers.BRIDGE]],
        [helpers.PHOENIX, helpers.CUCKOO],
    )
    evaluation = MonteCarlo(200, halving=False).evaluate(rnd.observation(0), 55)
    first, second, moon = evaluation.margins.T
    assert (first == second).all() and (first != moon).any()
    assert evaluation.values[0] == evaluation.values[1] and len(set(first.tolist())) > 10


def test_an_evaluation_says_what_its_play_outs_say() -> None:
    nan = math.nan
    evaluation = Evaluation(
        np.array([[10.0, -5, 0], [20, 5, 0], [60, 0, nan]]), np.array([[1, 0, 0.5], [1, 1, 0.5], [0, 0.5, nan]]), 0
    )
    assert evaluation.values.tolist() == [30, 0, 0]
    assert evaluation.playouts.tolist() == [3, 3, 2]
    assert evaluation.chances.tolist() == pytest.approx([2 / 3, 0.5, 0.5])
    spread = [statistics.stdev([10, 20, 60]) / math.sqrt(3), 5 / math.sqrt(3), 0]
    assert evaluation.errors.tolist() == pytest.approx(spread)


# ---- Where the play-outs go ----


def trial_of(means: list[float], scatter: float, seed: int) -> Any:
    """Play-outs of actions that come to these margins, give or take; also notes how many of which were asked for."""
    asked: list[tuple[int, list[int], int]] = []

    def trial(first: int, actions: Any, count: int) -> tuple[Any, Any]:
        asked.append((first, actions.tolist(), count))
        random = np.random.default_rng([seed, first])
        margins = np.array(means)[actions] + scatter * random.standard_normal((count, len(actions)))
        return margins, (margins > 0).astype(float)

    return trial, asked


def test_halving_spends_its_budget_where_it_is_close() -> None:
    trial, asked = trial_of([0, 9, 3, 8, 1, -2, -7], 4, 56)
    evaluation = race(7, trial, 300)
    assert abs(evaluation.playouts.sum() - 7 * 300) <= 7 * len(asked)
    assert [len(actions) for _, actions, _ in asked] == [7, 4, 2]
    assert [actions for _, actions, _ in asked][2] == [1, 3] and evaluation.best == 1
    assert [first for first, _, _ in asked] == list(np.cumsum([0] + [count for _, _, count in asked])[:-1])
    shares = [count * len(actions) / 2100 for _, actions, count in asked]
    assert shares == pytest.approx([1 / 3] * 3, abs=0.01)
    # What is no longer tried is no longer there.
    assert np.isnan(evaluation.margins[-1]).tolist() == [n not in (1, 3) for n in range(7)]


def test_without_halving_all_are_tried_as_often() -> None:
    trial, asked = trial_of([0, 9, 3, 8, 1], 4, 57)
    evaluation = race(5, trial, 200, halving=False)
    assert asked == [(0, [0, 1, 2, 3, 4], 200)]
    assert evaluation.playouts.tolist() == [200] * 5 and evaluation.best == 1
    assert evaluation.values.tolist() == pytest.approx([0, 9, 3, 8, 1], abs=1.5)


def test_an_opinion_counts_as_so_many_play_outs() -> None:
    """Ten points more in the eyes of careful weigh up ten points less in as many play-outs, and not in more."""
    for playouts_, best in ((90, 1), (110, 0)):
        trial, _ = trial_of([10, 0], 0, 58)
        assert race(2, trial, playouts_, opinion=np.array([1000, 1010]), advice=100).best == best


class Clock:
    """Shows a millisecond more each time that one looks."""

    def __init__(self) -> None:
        self.looks = 0

    def perf_counter(self) -> float:
        self.looks += 1
        return self.looks / 1000


def test_as_many_play_outs_as_the_time_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(montecarlo, "time", Clock())
    assert list(batches(10, 8.5)) == [1, 2, 4, 8, 16, 32, 64, 64, 64]
    assert list(batches(10, 0.5)) == [1]
    assert list(batches(10.4, None)) == [10] and list(batches(0.2, None)) == [1]
    trial, asked = trial_of([0, 9, 3, 8], 4, 59)
    assert race(4, trial, 1, milliseconds=9).best == 1
    assert [len(actions) for _, actions, _ in asked] == [4] * 5 + [2] * 5
    obs = Round(Rules(players=4), seed=5).observation(0)
    evaluation = MonteCarlo(milliseconds=4, halving=False).evaluate(obs, 60)
    assert evaluation.playouts.tolist() == [1 + 2 + 4 + 8] * len(obs.actions)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"playouts": 0}, "playouts must be .*1.*, got 0"),
        ({"advice": -1}, "advice must be .*0.*, got -1"),
        ({"milliseconds": 0}, "milliseconds must be above 0, got 0"),
        ({"milliseconds": math.nan}, "milliseconds must be above 0, got nan"),
        ({"own": "expert"}, "own must be a fast strategy, 'random', 'greedy', 'careful' or a Careful, got 'expert'"),
        ({"others": last_action}, "others must be a fast strategy"),
    ],
)
def test_settings_that_make_no_sense(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        MonteCarlo(**arguments)


def test_only_who_decides_has_something_to_evaluate() -> None:
    with pytest.raises(ValueError, match="seat 1 does not decide here: there is nothing to evaluate"):
        MonteCarlo(5).evaluate(Round(Rules(), seed=1).observation(1), 0)


# ---- Fair play ----

FAIR = ["random", "greedy", "careful", MonteCarlo(6), MonteCarlo(3, own=Careful("hiki"), halving=False, advice=9)]
FEW = [MonteCarlo(4), MonteCarlo(3, own="careful", advice=20), Clairvoyant(3), Solver(500, Clairvoyant(2))]


@pytest.mark.parametrize("name", ["2 players", "3 players", "4 in 2 teams", "sweep from the pile", "many hikis"])
def test_hidden_cards_change_no_move_of_a_fair_player(name: str) -> None:
    """Shown other hidden cards behind the same view, it takes the same action, given the same random number."""
    moved = 0
    for rnd, obs in decisions(RULE_SETS[name], 8):
        random = random63(61, rnd._state[engine.DECISION])
        other = imagined(obs, random)
        for agent in FAIR:
            strategy = BUILT_IN[agent] if isinstance(agent, str) else agent
            chosen = ask(strategy, obs, random, rnd._state[:])
            twin = engine.observe(other, obs.rules, obs.seat, obs.actions)
            assert ask(strategy, twin, random, other) == chosen
        moved += where_hidden_cards_lie(other, obs.seat) != where_hidden_cards_lie(rnd._state, obs.seat)
    assert moved > 3


def test_the_same_random_number_makes_the_same_evaluation() -> None:
    obs = Round(Rules(), seed=6).observation(0)
    first, again, other = (MonteCarlo(20).evaluate(obs, random) for random in (62, 62, 63))
    np.testing.assert_array_equal(first.margins, again.margins)
    assert not np.array_equal(first.margins, other.margins)


@pytest.mark.parametrize("name", RULE_SETS)
def test_they_play_every_table_to_the_end(name: str) -> None:
    """Each at every fourth seat; a move that is not legal would raise."""
    rnd = Round(RULE_SETS[name], seed=9)
    while not rnd.is_terminal:
        assert rnd.current_player is not None
        rnd.apply_action(rnd.choose(FEW[(rnd.current_player + rnd.turn) % 4]))


def test_each_of_them_is_described() -> None:
    assert DESCRIPTIONS.keys() == BUILT_IN.keys()
    plays = {name: agent.playouts for name, agent in BUILT_IN.items() if isinstance(agent, MonteCarlo)}
    assert plays == {"montecarlo": 1000, "expert": 100, "master": 1000}
    for name, count in plays.items():
        assert f" {count:,} times" in DESCRIPTIONS[name]


@pytest.mark.parametrize(("piles", "share"), [((1, 5, 9), 1 / 3), ((1, 5, 2), 1 / 2), ((1, 4, 2), 1), ((4, 5, 9), 0)])
def test_a_win_is_shared_by_all_who_are_level(piles: tuple[int, ...], share: float) -> None:
    """Three sides with a card each at the end of a round: ribbons of 10, the warbler of 5, a plain card."""
    state = [0] * STATE_SIZE
    state[PHASE] = OVER
    for seat, card in enumerate(piles):
        state[CAPTURED + seat] = 1 << card
    rules = Rules(players=3).numbers()
    margins, wins = machine().play_outs(state, rules, (0,) * 7, 0, True, 0, (0,) * 7, 1, 0, [NOBODY], 1)
    assert wins.tolist() == [[share]]
    assert (margins[0, 0] > 0) == (share == 1)
