"""`solver` and `clairvoyant`: they see all cards, and the search finds what trying every line of play finds."""

from collections.abc import Iterator
from typing import Any

import pytest

import helpers
from sakura import Round, Rules, engine
from sakura.agents import BUILT_IN, Clairvoyant, Solver, ask, search
from sakura.agents.montecarlo import MonteCarlo
from sakura.engine import HANDS, NOBODY, OVER, PHASE, SEAT, TOP
from sakura.machine import PlainMachine, machine
from sakura.rules import RuleNumbers
from sakura.simulate import simulate
from strategies_for_tests import deal_again

State = list[int]
BUDGET = 1_000_000

# Rounds of two sides so short that every line of play can be tried, by every rule that may matter.
SHORT: dict[str, Rules] = {
    "2 players": Rules(players=2, hand=4),
    "3 cards": Rules(players=2, hand=3),
    "claim": Rules(players=2, hand=4, field=10, lightning="claim"),
    "claim from the pile": Rules(players=2, hand=3, field=12, lightning="claim", lightning_from_pile=True),
    "sweep from the pile": Rules(players=2, hand=3, field=10, lightning_from_pile=True),
    "sweep all": Rules(players=2, hand=3, field=12, lightning="sweep_all", yaku="bonus"),
    "no hiki": Rules(players=2, hand=3, field=16, hiki=False, lightning="plain"),
    "pile played out": Rules(players=2, hand=3, field=24, play_out_pile=True, lightning_dealt="discarded"),
    "4 in 2 teams": Rules(players=4, teams=2, hand=2, field=8),
    "6 in 2 teams": Rules(players=6, teams=2, hand=1, field=14, lightning="claim"),
}


def listed(state: State, rules: RuleNumbers) -> list[tuple[int, int, int]]:
    """The legal actions of a state."""
    flat = [0] * (3 * engine.MAX_ACTIONS)
    n = engine.legal_actions(state, rules, flat)
    return [(flat[3 * i], flat[3 * i + 1], flat[3 * i + 2]) for i in range(n)]


def after(state: State, rules: RuleNumbers, way: tuple[int, int, int]) -> State:
    state = state[:]
    engine.apply_action(state, rules, *way)
    return state


def margins(state: State, rules: RuleNumbers, side: int, known: dict[Any, int]) -> list[int]:
    """What each action comes to for a side against best answers: every line of play, to its end.

    `known` keeps what was found for this side, under all that there is to a state of this deck.
    """
    return [best_margin(after(state, rules, way), rules, side, known) for way in listed(state, rules)]


def best_margin(state: State, rules: RuleNumbers, side: int, known: dict[Any, int]) -> int:
    if state[PHASE] == OVER:
        mine, theirs = engine.scores(rules, [engine.side_captured(state, rules, side ^ n) for n in range(2)])
        return mine - theirs
    position = tuple(state[: engine.TURN] + state[PHASE : engine.DECK])
    if position not in known:
        known[position] = (max if state[SEAT] % 2 == side else min)(margins(state, rules, side, known))
    return known[position]


def positions(rules: Rules, rounds: int) -> Iterator[State]:
    """The first decision of some rounds, where the captured piles already hold some of the cards nobody will see."""
    for seed in range(rounds):
        rnd = Round(rules, seed=seed)
        state = rnd._state
        pile = rnd.pile
        # Yaku can be completed, and prevented, only where some are on the way.
        unused = pile[rules.players * rules.hand :] if not rules.play_out_pile else ()
        for n, card in enumerate(unused):
            state[engine.CAPTURED + n % rules.players] |= 1 << card
        yield state


@pytest.mark.parametrize("name", SHORT)
def test_the_search_finds_what_trying_everything_finds(name: str) -> None:
    """Its action is one of the best, and brings what it says; also from later decisions of the round."""
    close = 0
    for state in positions(SHORT[name], 6):
        rules = SHORT[name].numbers()
        known: tuple[dict[Any, int], dict[Any, int]] = ({}, {})
        while state[PHASE] != OVER:
            side = state[SEAT] % 2
            action, value = machine().solve(state, rules, BUDGET)
            values = margins(state, rules, side, known[side])
            assert value == max(values) == values[action]
            close += min(values) < max(values)
            state = after(state, rules, listed(state, rules)[action])
    assert close > 5


@pytest.mark.parametrize("name", ["2 players", "claim from the pile", "4 in 2 teams"])
def test_the_search_is_the_same_in_plain_python(name: str) -> None:
    for state in positions(SHORT[name], 3):
        rules = SHORT[name].numbers()
        assert PlainMachine().solve(state, rules, BUDGET) == machine().solve(state, rules, BUDGET)


def test_what_makes_no_difference_is_not_searched_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two plain cards of a suit one is enough, to play or to take: fewer positions, the same value."""
    rnd = helpers.lay_out(
        [
            [helpers.PINE_A, helpers.PINE_B, helpers.SUSUKI_A, helpers.BOAR],
            [helpers.CRANE, helpers.CLOVER_A, helpers.DEER, helpers.MOON],
        ],
        [helpers.PINE_RIBBON, helpers.MAPLE_A, helpers.MAPLE_B, helpers.SUSUKI_B, helpers.GEESE],
        [helpers.CLOVER_B, helpers.MAPLE_RIBBON],
    )
    state, rules = rnd._state, rnd._rules
    legal = listed(state, rules)
    hand, field = state[HANDS], state[engine.FIELD]
    doubles = [way for way in legal if search.is_double(hand, field, *way)]
    assert doubles == [(engine.PLAY, helpers.PINE_B, 1 << helpers.PINE_RIBBON)]
    answer = PlainMachine().solve(state, rules, BUDGET)

    def budget_needed() -> int:
        few, enough = 0, 1 << 12
        while enough - few > 1:
            half = (few + enough) // 2
            few, enough = (few, half) if PlainMachine().solve(state, rules, half)[0] != NOBODY else (half, enough)
        return enough

    needed = budget_needed()
    monkeypatch.setattr(search, "is_double", lambda *_: False)
    assert PlainMachine().solve(state, rules, BUDGET) == answer
    assert needed < budget_needed() < 1 << 12


@pytest.mark.parametrize("name", ["3 cards", "claim from the pile"])
def test_what_is_noted_of_a_position_is_true(name: str) -> None:
    """Not only of the first one: each value or bound in the table, for the side that asked."""
    rules = SHORT[name].numbers()
    bounds = set()
    for state in positions(SHORT[name], 3):
        *scratch, table = search.memory(1 << 12, object)
        assert search.solve(state, rules, BUDGET, *scratch, table)[0] != NOBODY
        known: dict[Any, int] = {}
        best_margin(state, rules, 0, known)
        # A position as it is known there is a state but for what no rule asks, and for the deck.
        for position, value in known.items():
            twin = [*position[: engine.TURN], 0, 0, *position[engine.TURN :], *state[engine.DECK :]]
            key = search.position_key(twin, rules)
            entry = table[key & (len(table) - 1)]
            if entry[search.KEY] == key:
                said, true = entry[search.VALUE], value - search.lead(twin, rules, 0)
                bound = entry[search.BOUND]
                bounds.add(bound)
                assert said == true or bound != search.EXACT
                assert said <= true or bound != search.AT_LEAST
                assert said >= true or bound != search.AT_MOST
    assert bounds == {search.EXACT, search.AT_LEAST, search.AT_MOST}


def test_too_small_a_budget_is_told() -> None:
    rnd = Round(Rules(players=2, hand=4), seed=3)
    before = rnd._state[:]
    assert machine().solve(rnd._state, rnd._rules, 5) == PlainMachine().solve(rnd._state, rnd._rules, 5) == (NOBODY, 0)
    assert rnd._state == before


# ---- The players ----


def test_solver_takes_what_the_search_finds() -> None:
    for state in positions(SHORT["2 players"], 4):
        rules = SHORT["2 players"].numbers()
        assert Solver().foresee(state, rules, 71) == machine().solve(state, rules, BUDGET)[0]


@pytest.mark.parametrize(
    ("rules", "few"), [(Rules(players=3), 3_000_000), (Rules(players=6, teams=3), 3_000_000), (Rules(players=2), 10)]
)
def test_solver_does_otherwise_where_it_cannot_search(rules: Rules, few: int) -> None:
    """Where three sides play, and where there are too many positions."""
    otherwise = Clairvoyant(7)
    for seed in range(8):
        state = Round(rules, seed=seed)._state
        wanted = otherwise.foresee(state, rules.numbers(), 72)
        assert Solver(few, otherwise).foresee(state, rules.numbers(), 72) == wanted


def swapped(state: State, rules: RuleNumbers) -> State:
    """The same to the seat that decides, but its opponent's hand comes off the bottom of the pile."""
    twin = state[:]
    other = 1 - state[SEAT]
    size = state[HANDS + other].bit_count()
    twin[HANDS + other] = helpers.bits(state[-size:])
    twin[-size:] = [card for card in range(48) if state[HANDS + other] >> card & 1]
    return twin


@pytest.mark.parametrize("name", ["clairvoyant", "solver"])
def test_hidden_cards_change_their_moves(name: str) -> None:
    changed = 0
    strategy = BUILT_IN[name]
    for seed in range(12):
        rnd = Round(Rules(players=2, hand=6, lightning="plain"), seed=seed)
        obs = rnd.observation(0)
        twin = swapped(rnd._state, rnd._rules)
        assert engine.observe(twin, rnd._rules, 0, obs.actions) == obs
        changed += ask(strategy, obs, 73, rnd._state) != ask(strategy, obs, 73, twin)
    assert changed >= 3


@pytest.mark.parametrize("strategy", [Clairvoyant(), Solver()], ids=["clairvoyant", "solver"])
def test_they_cannot_be_asked_without_the_cards(strategy: Any) -> None:
    with pytest.raises(TypeError, match="sees every card"):
        strategy(Round(Rules(), seed=1).observation(0), 0)


def test_clairvoyant_makes_the_best_of_the_last_card() -> None:
    """Nothing is left to chance there, nor to others: each action has one outcome."""
    choices = 0
    for seed in range(60):
        rnd = Round(Rules(players=3, hand=2, field=20), seed=seed)
        while rnd._state[engine.TURN] < 5:
            rnd.apply_action(rnd.choose("random"))
        if rnd.is_terminal:
            continue
        state, rules, side = rnd._state, rnd._rules, rnd.current_player
        best = []
        for way in listed(state, rules):
            end = after(state, rules, way)
            if end[PHASE] != OVER:  # it chooses for the card turned up as well
                break
            scores = engine.scores(rules, [end[engine.CAPTURED + n] for n in range(3)])
            best.append(scores.pop(side) - max(scores))
        else:
            assert best[Clairvoyant(3).foresee(state, rules, 74)] == max(best)
            choices += min(best) < max(best)
    assert choices >= 5


@pytest.mark.parametrize(
    "agent", [Clairvoyant(4), Solver(200, Clairvoyant(2)), MonteCarlo(4)], ids=lambda a: str(a)[:8]
)
def test_a_simulation_shows_them_what_a_round_does(agent: Any) -> None:
    rules = Rules(players=4, teams=2)
    agents = [agent, "greedy"]
    results = simulate(3, rules, agents, 75, progress=False)
    for number in range(3):
        rnd = deal_again(rules, 75, number)
        while not rnd.is_terminal:
            assert rnd.current_player is not None
            rnd.apply_action(rnd.choose(agents[rnd.current_player % 2]))
        assert results.scores[number].tolist() == rnd.returns()


def test_who_sees_the_cards_wins() -> None:
    """Forty rounds each, not by luck: more than three standard errors ahead of greedy."""
    for agent in (Clairvoyant(20), "solver"):
        lead = simulate(40, Rules(players=2, hand=6), [agent, "greedy"], 76, progress=False).scores @ [1, -1]
        assert lead.mean() > 3 * lead.std() / 40**0.5 > 0


def test_the_key_of_a_position_is_of_all_that_matters() -> None:
    """And of nothing that does not: points, dealer, and plain cards that somebody has captured."""
    rnd = Round(Rules(players=2), seed=5)
    state, rules = rnd._state, rnd._rules
    key = search.position_key(state, rules)
    for place in (HANDS, HANDS + 1, engine.FIELD, SEAT, PHASE, TOP, engine.TURNED_UP, engine.LIGHTNING_SEAT):
        changed = state[:]
        changed[place] += 1
        assert search.position_key(changed, rules) != key
    for card, matters in ((helpers.CRANE, True), (helpers.PHOENIX, False), (helpers.PINE_A, False)):
        for seat in range(2):
            changed = state[:]
            changed[engine.CAPTURED + seat] ^= 1 << card
            assert (search.position_key(changed, rules) != key) == matters
    changed = state[:]
    changed[engine.ODD_SUIT] = 3
    assert search.position_key(changed, rules) != key
    changed = state[:]
    changed[engine.DEALER] = 1
    assert search.position_key(changed, rules) == key
