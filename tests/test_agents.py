"""Strategies: the built-in ones do what they say, a user's see what they may and fail with a word about where."""

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba import njit
from scipy.stats import chi2

import helpers
import sakura
from sakura import Action, Observation, Round, Rules, StrategyError, engine
from sakura.agents import BUILT_IN
from sakura.agents.greedy import greedy_option
from sakura.agents.random import random_option
from sakura.bits import random63
from strategies_for_tests import (
    RULE_SETS,
    all_columns,
    always_fails,
    assert_same_rows,
    by_everything,
    compiled_by_everything,
    compiled_dearest,
    deal_again,
    dearest,
    last_action,
)

SIMULATE = sys.modules["sakura.simulate"]
ROOT = Path(__file__).parents[1]


def simulate(rounds: int, agents: Any, rules: Rules | None = None, seed: int = 0, **options: Any) -> sakura.Results:
    return sakura.simulate(rounds, rules, agents, seed, progress=False, **options)


# ---- Random and greedy, position by position ----


def listed_choice(rnd: Round, agent: str, random: int) -> Action:
    """What the strategy takes that chooses from a list."""
    seat = rnd.current_player
    assert seat is not None
    return rnd.legal_actions()[BUILT_IN[agent](rnd.observation(seat), random)]


def unlisted_choice(rnd: Round, agent: str, random: int) -> Action:
    """What its twin takes that chooses from card sets."""
    state, rules = rnd._state, rnd._rules
    offered = engine.options(state, rules)
    if agent == "random":
        chosen = random_option(offered, random)
    else:
        mine = engine.side_captured(state, rules, state[engine.SEAT] % rules.sides)
        chosen = greedy_option(offered, mine, [0] * (engine.ACTION_SIZE * engine.MAX_ACTIONS), random)
    kind, card, captures = chosen
    return Action(("play", "hiki", "turn_up")[kind], card, sakura.cards_in(captures))


CHOICES: dict[str, Callable[[Round, str, int], Action]] = {"listed": listed_choice, "unlisted": unlisted_choice}


@pytest.fixture(params=CHOICES)
def choice(request: pytest.FixtureRequest) -> Callable[[Round, str, int], Action]:
    return CHOICES[request.param]


def assert_uniform(counts: Counter[Action], over: Sequence[Action]) -> None:
    assert counts.keys() == set(over)
    expected = counts.total() / len(over)
    statistic = sum((counts[action] - expected) ** 2 / expected for action in over)
    assert len(over) == 1 or chi2.sf(statistic, len(over) - 1) > 1e-6, counts


def chosen(choice: Callable[[Round, str, int], Action], rnd: Round, agent: str, times: int = 3000) -> Counter[Action]:
    return Counter(choice(rnd, agent, random63(2027, n)) for n in range(times))


def two_and_hiki() -> Round:
    """Two targets for each Susuki, its hiki, targets for the Lightning, and cards that match nothing."""
    return helpers.lay_out(
        [
            [helpers.MOON, helpers.GEESE, helpers.LIGHTNING, helpers.CRANE],
            [helpers.WARBLER, helpers.PLUM_RIBBON, helpers.PEONY_A, helpers.BUTTERFLIES],
        ],
        [helpers.SUSUKI_A, helpers.SUSUKI_B, helpers.PHOENIX, helpers.BRIDGE],
    )


def pile_choice() -> Round:
    """The Rain man was turned up, and two Willows lie on the field."""
    rnd = helpers.lay_out(
        [[helpers.CRANE, helpers.WARBLER], [helpers.CUCKOO, helpers.PHOENIX]],
        [helpers.SWALLOW, helpers.WILLOW_RIBBON, helpers.BRIDGE],
        [helpers.RAIN_MAN],
    )
    helpers.lay(rnd, helpers.CRANE)
    assert rnd.phase == "pile"
    return rnd


@pytest.mark.parametrize(("position", "ways"), [(two_and_hiki, 11), (pile_choice, 2)])
def test_random_takes_every_legal_action_as_often(position: Callable[[], Round], ways: int, choice: Any) -> None:
    rnd = position()
    assert len(rnd.legal_actions()) == ways
    assert_uniform(chosen(choice, rnd, "random"), rnd.legal_actions())


def give(rnd: Round, seat: int, *cards: int) -> Round:
    """The same position, with cards from the bottom of the pile captured by a seat."""
    for card in cards:
        assert card in rnd.pile
        rnd._state[engine.CAPTURED + seat] |= 1 << card
    return rnd


def test_greedy_takes_the_most_points(choice: Any) -> None:
    rnd = helpers.lay_out(
        [[helpers.CHERRY_A, helpers.YELLOW_PAULOWNIA, helpers.MOON], [helpers.PLUM_A, helpers.DEER, helpers.BRIDGE]],
        [helpers.CURTAIN, helpers.PHOENIX, helpers.CUCKOO],
    )
    assert chosen(choice, rnd, "greedy", 50).keys() == {Action("play", helpers.YELLOW_PAULOWNIA, (helpers.PHOENIX,))}


def test_greedy_prefers_fifty_for_a_yaku(choice: Any) -> None:
    rnd = helpers.lay_out(
        [[helpers.CHERRY_A, helpers.YELLOW_PAULOWNIA, helpers.MOON], [helpers.PLUM_A, helpers.DEER, helpers.BRIDGE]],
        [helpers.CURTAIN, helpers.PHOENIX, helpers.CUCKOO],
    )
    give(rnd, 0, helpers.CRANE, helpers.WARBLER)
    assert chosen(choice, rnd, "greedy", 50).keys() == {Action("play", helpers.CHERRY_A, (helpers.CURTAIN,))}
    # But not with cards that the opponent has.
    other = give(
        helpers.lay_out(
            [
                [helpers.CHERRY_A, helpers.YELLOW_PAULOWNIA, helpers.MOON],
                [helpers.PLUM_A, helpers.DEER, helpers.BRIDGE],
            ],
            [helpers.CURTAIN, helpers.PHOENIX, helpers.CUCKOO],
        ),
        1,
        helpers.CRANE,
        helpers.WARBLER,
    )
    assert chosen(choice, other, "greedy", 50).keys() == {Action("play", helpers.YELLOW_PAULOWNIA, (helpers.PHOENIX,))}


def test_greedy_counts_a_yaku_once(choice: Any) -> None:
    """With a yaku complete, a worthless capture is still worth no more than a card that is laid."""
    rnd = helpers.lay_out(
        [[helpers.CUCKOO, helpers.MAPLE_A, helpers.MOON], [helpers.PLUM_A, helpers.BRIDGE, helpers.DEER]],
        [helpers.PEONY_A, helpers.MAPLE_B],
    )
    give(rnd, 0, helpers.CRANE, helpers.WARBLER, helpers.CURTAIN)
    assert rnd.yaku() == [[2], []]
    assert_uniform(chosen(choice, rnd, "greedy"), rnd.legal_actions())


def test_greedy_counts_the_cards_that_a_hiki_takes_from_the_hand(choice: Any) -> None:
    rnd = helpers.lay_out(
        [[helpers.CRANE, helpers.PINE_RIBBON, helpers.PINE_B], [helpers.PLUM_A, helpers.DEER, helpers.BRIDGE]],
        [helpers.PINE_A, helpers.CUCKOO, helpers.BUTTERFLIES],
    )
    assert chosen(choice, rnd, "greedy", 50).keys() == {Action("hiki", helpers.CRANE, (helpers.PINE_A,))}


def test_greedy_takes_the_second_choice_where_it_is_dearer(choice: Any) -> None:
    assert chosen(choice, pile_choice(), "greedy", 50).keys() == {
        Action("turn_up", helpers.RAIN_MAN, (helpers.WILLOW_RIBBON,))
    }


def test_greedy_takes_the_dearest_card_with_the_lightning(choice: Any) -> None:
    rnd = helpers.lay_out(
        [[helpers.LIGHTNING, helpers.PINE_A], [helpers.PLUM_A, helpers.DEER]],
        [helpers.PHOENIX, helpers.PINE_RIBBON, helpers.BRIDGE],
    )
    assert chosen(choice, rnd, "greedy", 50).keys() == {Action("play", helpers.LIGHTNING, (helpers.PHOENIX,))}


@pytest.mark.parametrize(("teams", "taken"), [(2, helpers.CURTAIN), (None, helpers.PHOENIX)])
def test_greedy_reckons_with_the_pile_of_its_side(teams: int | None, taken: int, choice: Any) -> None:
    """The partner has the Crane, it has the Warbler: the Curtain completes spring for a team."""
    rnd = helpers.lay_out(
        [
            [helpers.CHERRY_A, helpers.YELLOW_PAULOWNIA],
            [helpers.PLUM_A, helpers.DEER],
            [helpers.PLUM_B, helpers.BOAR],
            [helpers.MAPLE_A, helpers.BRIDGE],
        ],
        [helpers.CURTAIN, helpers.PHOENIX, helpers.CUCKOO],
        teams=teams,
    )
    give(give(rnd, 0, helpers.WARBLER), 2, helpers.CRANE)
    assert [action.captures for action in chosen(choice, rnd, "greedy", 50)] == [(taken,)]


def test_greedy_takes_equals_as_often(choice: Any) -> None:
    """Two plays and one of the Lightning's worth 20; and anything at all where nothing is worth anything."""
    rnd = helpers.lay_out(
        [[helpers.PINE_A, helpers.PAULOWNIA_A, helpers.LIGHTNING], [helpers.PLUM_A, helpers.DEER, helpers.BRIDGE]],
        [helpers.CRANE, helpers.PHOENIX, helpers.CUCKOO],
    )
    best = [action for action in rnd.legal_actions() if set(action.captures) & {helpers.CRANE, helpers.PHOENIX}]
    assert len(best) == 4
    assert_uniform(chosen(choice, rnd, "greedy"), best)
    rnd = helpers.lay_out(
        [[helpers.PINE_A, helpers.MAPLE_A, helpers.MOON], [helpers.PLUM_A, helpers.DEER, helpers.BRIDGE]],
        [helpers.PINE_B, helpers.PAULOWNIA_A, helpers.MAPLE_B],
    )
    assert len(rnd.legal_actions()) == 3
    assert_uniform(chosen(choice, rnd, "greedy"), rnd.legal_actions())


def gain(rnd: Round, action: Action) -> int:
    """What an action brings at once, counted on the cards themselves."""
    seat = rnd.current_player
    assert seat is not None
    mine = set().union(*(rnd.captured[partner] for partner in rnd.rules.seats_of(rnd.rules.side_of(seat))))
    taken = set(action.captures)
    suit = {card.id for card in sakura.CARDS if card.month == sakura.CARDS[action.card].month}
    if action.kind == "hiki":
        taken |= suit
    elif taken:
        taken.add(action.card)
    new = [yaku for yaku in sakura.YAKU if yaku.cards <= mine | taken and not yaku.cards <= mine]
    return sum(sakura.CARDS[card].points for card in taken) + 50 * len(new)


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
def test_greedy_always_takes_one_of_the_best(rules: Rules) -> None:
    for seed in range(4):
        rnd = Round(rules, seed=seed)
        while not rnd.is_terminal:
            action = rnd.choose("greedy")
            assert gain(rnd, action) == max(gain(rnd, other) for other in rnd.legal_actions())
            rnd.apply_action(action)


# ---- What a strategy may see ----


def test_an_observation_has_these_fields_and_no_others() -> None:
    assert Observation._fields == (
        *("seat", "turn", "dealer", "players", "sides", "hand", "field", "removed", "captured", "hand_sizes"),
        *("pile_size", "turned_up", "lightning_seat", "odd_suit", "actions", "rules"),
    )
    assert [field for field in engine.Choice._fields] == ["kind", "card", "captures"]


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
def test_a_strategy_sees_what_a_round_shows(rules: Rules, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[Observation, int]] = []

    def watching(obs: Observation, random: int) -> int:
        seen.append((obs, random))
        return random % len(obs.actions)

    monkeypatch.setattr(SIMULATE, "SLOW_CHUNK", 1)  # one round after the other
    simulate(4, watching, rules, seed=6)
    shown: list[tuple[Observation, int]] = []
    for number in range(4):
        rnd = deal_again(rules, 6, number)
        while not rnd.is_terminal:
            seat = rnd.current_player
            assert seat is not None

            def noting(obs: Observation, random: int) -> int:
                shown.append((obs, random))
                return random % len(obs.actions)

            action = rnd.choose(noting)
            assert shown[-1][0] == rnd.observation(seat)
            assert shown[-1][0].seat == seat == shown[-1][0].turn
            rnd.apply_action(action)
    assert seen == shown


@pytest.mark.parametrize("players", range(2, 8))
def test_hidden_cards_do_not_show(players: int) -> None:
    """Other hands and the pile trade their cards: the seat that plays first sees the very same."""
    compared = 0
    for seed in range(20):
        rnd = Round(Rules(players=players), seed=seed)
        if helpers.LIGHTNING in rnd.hands[0] or rnd.captured[0]:
            continue  # whose hiki protects a suit is announced; four of a suit would lie elsewhere in the deck
        deck = list(rnd.deck)
        hidden = [place for place in range(48) if deck[place] not in rnd.hands[0] | rnd.field]
        for place, other in zip(hidden, hidden[::-1], strict=True):
            deck[place] = rnd.deck[other]
        twin = Round(Rules(players=players), deck=deck)
        assert twin.hands != rnd.hands and twin.hands[0] == rnd.hands[0]
        assert twin.observation(0) == rnd.observation(0)
        compared += 1
    assert compared >= 8


def test_what_a_plain_strategy_is_handed_cannot_be_written_to() -> None:
    def meddling(obs: Observation, random: int) -> int:
        with pytest.raises((TypeError, AttributeError)):
            obs.actions[0] = obs.actions[-1]
        with pytest.raises(AttributeError):
            obs.actions[0].card = 3
        with pytest.raises(AttributeError):
            obs.hand = 0  # type: ignore[misc]
        return 0

    def first(obs: Observation, random: int) -> int:
        return 0

    assert_same_rows(simulate(5, meddling), simulate(5, first))


MEDDLING = {
    "a field of an action": "obs.actions[0].card = 5",
    "an item of an action": "obs.actions[0]['captures'] = 0",
    "all actions": "for action in obs.actions: action['captures'] = 0",
    "an action": "obs.actions[0] = obs.actions[len(obs.actions) - 1]",
    "a column": "obs.actions['card'][0] = 5",
}


def test_what_a_compiled_strategy_is_handed_cannot_be_written_to() -> None:
    """In a process of its own: a round of which an action was tampered with may never end."""
    code = f"""
import numba, sakura
def first(obs, random):
    return 0
wanted = sakura.simulate(30, agents=numba.njit(first), progress=False)
for how in {list(MEDDLING.values())}:
    exec(f"def meddling(obs, random):\\n    {{how}}\\n    return 0")
    try:
        rows = sakura.simulate(30, agents=numba.njit(meddling), progress=False)
        harmless = (rows.captured == wanted.captured).all() and (rows.scores == wanted.scores).all()
        print("harmless" if harmless else "other rows", flush=True)
    except TypeError as error:
        print("refused" if "meddling" in str(error) else error, flush=True)
"""
    simulate(1, "random")  # compiled by now, and in the cache
    command = [sys.executable, "-c", code]
    try:
        output = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=45).stdout
    except subprocess.TimeoutExpired as stopped:
        output = (stopped.stdout or b"").decode() + "never ends"
    for how, outcome in zip(MEDDLING, [*output.splitlines(), *["not reached"] * 5], strict=False):
        assert outcome in ("refused", "harmless"), (how, outcome)


# ---- Who sits where ----


def played(rules: Rules, seed: int, number: int, agents: Sequence[Any]) -> list[int]:
    rnd = deal_again(rules, seed, number)
    while not rnd.is_terminal:
        seat = rnd.current_player
        assert seat is not None
        rnd.apply_action(rnd.choose(agents[seat]))
    return rnd.returns()


@pytest.mark.parametrize(
    ("given", "seated"),
    [
        ("greedy", ["greedy"] * 4),
        (last_action, [last_action] * 4),
        (["greedy"], ["greedy"] * 4),
        (["greedy", "random"], ["greedy", "random"] * 2),
        (("random", last_action), ["random", last_action] * 2),
        ([dearest, "random", last_action, "greedy"], [dearest, "random", last_action, "greedy"]),
        (["random", compiled_dearest, by_everything, "greedy"], ["random", dearest, by_everything, "greedy"]),
        ([compiled_by_everything, compiled_dearest], [by_everything, dearest] * 2),
    ],
    ids=range(8),
)
def test_agents_are_dealt_out_to_the_seats(given: Any, seated: list[Any]) -> None:
    rules = Rules(players=4)
    results = simulate(6, given, rules, seed=3)
    assert [played(rules, 3, number, seated) for number in range(6)] == results.scores.tolist()
    several = given if isinstance(given, list | tuple) else [given]
    names = [agent if isinstance(agent, str) else agent.__name__ for agent in several]
    assert list(results.agents) == names * (4 // len(several))


@pytest.mark.parametrize(
    ("number", "players", "fitting"),
    [(3, 4, "1 or 2 or 4"), (4, 6, "1 or 2 or 3 or 6"), (2, 7, "1 or 7"), (0, 5, "1 or 5"), (5, 4, "1 or 2 or 4")],
)
def test_a_number_of_agents_that_does_not_fit(number: int, players: int, fitting: str) -> None:
    with pytest.raises(ValueError, match=f"^{number} agents cannot be dealt out to {players} players; give {fitting}$"):
        simulate(5, ["random"] * number, Rules(players=players))


def test_an_object_that_can_be_called_is_a_strategy() -> None:
    class Stubborn:
        def __call__(self, obs: Observation, random: int) -> int:
            return len(obs.actions) - 1

    results = simulate(5, Stubborn())
    assert results.agents == ("Stubborn", "Stubborn")
    for name, column in all_columns(simulate(5, last_action)).items():
        assert (column == all_columns(results)[name]).all()


# ---- Strategies that fail ----


def answering(answer: Any, name: str = "confused") -> Any:
    """A strategy that gives this answer as soon as its seat has the Lightning in hand."""

    def confused(obs: Observation, random: int) -> Any:
        if obs.hand >> helpers.LIGHTNING & 1:
            return answer(obs) if callable(answer) else answer
        return random % len(obs.actions)

    confused.__name__ = name
    return confused


class Whim(BaseException):
    """Neither an error nor an exit."""


class Dumb(Exception):
    def __str__(self) -> str:
        sys.exit("nothing to say")


class Sly:
    """An answer that does something when it is looked at."""

    def __init__(self, index: Any = None, words: Any = None) -> None:
        self.index, self.words = index, words

    def __index__(self) -> int:
        return int(self.index())

    def __repr__(self) -> str:
        return str(self.words())


def throwing(error: BaseException) -> Any:
    def throw(*_: Any) -> Any:
        raise error

    return throw


async def later() -> int:
    return 0


WRONG: dict[str, tuple[Any, str]] = {
    "None": (None, "confused returned None; it must return the index of one of obs.actions, a whole number 0 to "),
    "a float": (1.0, "confused returned 1.0; it must return the index"),
    "True": (True, "confused returned True; it must return the index"),
    "a string": ("0", "confused returned '0'; it must return the index"),
    "an action": (lambda obs: obs.actions[0], r"confused returned Choice\(kind=0.*; it must return the index"),
    "-1": (-1, "confused returned -1; it must return the index"),
    "beyond the last": (lambda obs: len(obs.actions), r"confused returned (\d+); it must return .* 0 to "),
    "a card": (lambda obs: 43, "confused returned 43; it must return"),
    "a huge number": (1 << 70, "confused returned 1180591620717411303424; it must return"),
    "an exception": (lambda obs: 1 // 0, "confused raised ZeroDivisionError: "),
    "a missing key": (lambda obs: {}["x"], "confused raised KeyError: 'x'"),
    "an exit": (lambda obs: sys.exit(), "confused raised SystemExit"),
    "an exit with words": (lambda obs: sys.exit("enough"), "confused raised SystemExit: enough"),
    "a generator's exit": (throwing(GeneratorExit()), "confused raised GeneratorExit"),
    "a whim": (throwing(Whim("so")), "confused raised Whim: so"),
    "an error that cannot be told": (throwing(Dumb()), "confused raised Dumb: <Dumb that cannot be shown: SystemExit>"),
    "a long error": (
        throwing(ValueError("x" * 3_000_000)),
        r"confused raised ValueError: x{100,150} \.\.\. x{100}",
    ),
    "a long answer": ("x" * 3_000_000, r"confused returned 'x{30,40}\.\.\.x{30,40}'; it must return"),
    "an endless number": (10**10_000, "confused returned <int that cannot be shown: ValueError>; it must"),
    "an answer that exits": (Sly(sys.exit), "confused raised SystemExit"),
    "an answer that cannot be shown": (
        Sly(throwing(TypeError()), sys.exit),
        "returned <Sly that cannot be shown: SystemExit>",
    ),
    "a numpy bool": (np.True_, r"confused returned np\.True_; it must return the index"),
    "a coroutine": (lambda obs: later(), "returned <coroutine .*>, which nobody awaits: write def, not async def; it"),
    "a generator": (lambda obs: (i for i in range(3)), "returned <generator .*>: write return, not yield; it must"),
}


def assert_leads_back(message: str, seed: int, rules: Rules) -> Round:
    """The message names the round in such a way that it can be dealt again; returns that round."""
    found = re.search(
        r"This was at seat (\d) in round (\d+) of seed (\d+); (sakura\.Round\(rules, seed=(\d+), dealer=(\d)\)) deals",
        message,
    )
    assert found, message
    seat, number, told_seed = map(int, found.groups()[:3])
    assert told_seed == seed
    rnd = eval(found[4], {"sakura": sakura, "rules": rules})
    assert rnd.deck[:40] == deal_again(rules, seed, number).deck[:40]
    assert rnd.dealer == number % rules.players
    assert 0 <= seat < rules.players
    assert helpers.LIGHTNING in rnd.hands[seat]
    return rnd


@pytest.mark.parametrize(("answer", "message"), WRONG.values(), ids=WRONG)
def test_a_wrong_answer_stops_the_simulation(answer: Any, message: str) -> None:
    with pytest.raises(StrategyError, match=message) as error:
        simulate(100, answering(answer), seed=17)
    assert "at seat" in str(error.value) and len(str(error.value)) < 1000
    rnd = assert_leads_back(str(error.value), 17, Rules())
    # And there, the strategy fails again.
    with pytest.raises(StrategyError, match=message):
        while True:
            rnd.apply_action(rnd.choose(answering(answer)))


def test_any_whole_number_is_an_answer() -> None:
    for number in (np.int8(0), np.uint64(0), 0, type("Card", (int,), {"__le__": None, "__lt__": None})(0)):
        assert Round(seed=1).choose(lambda obs, random, number=number: number) == Round(seed=1).legal_actions()[0]


def test_ctrl_c_stays_ctrl_c() -> None:
    with pytest.raises(KeyboardInterrupt):
        Round(seed=1).choose(throwing(KeyboardInterrupt()))


def test_the_seat_that_failed_is_named_among_others() -> None:
    agents = ["random", "greedy", answering(None, "third"), by_everything]
    with pytest.raises(StrategyError, match=r"third returned None.*at seat 2 in round") as error:
        simulate(100, agents, Rules(players=4), seed=23)
    assert_leads_back(str(error.value), 23, Rules(players=4))


def test_the_round_that_failed_is_counted_from_the_start_of_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not from the start of a chunk, and with the dealer that was asked for."""
    monkeypatch.setattr(SIMULATE, "SLOW_CHUNK", 2)
    dealt = sakura.deals(100, Rules(players=7), 5, dealer=3)
    first = next(k for k in range(100) if int(dealt.hands[k, 6]) >> helpers.LIGHTNING & 1)
    assert first > 2
    with pytest.raises(StrategyError, match=rf"at seat 6 in round {first} of seed 5; .*dealer=3\)"):
        simulate(100, ["random"] * 6 + [answering(None)], Rules(players=7), seed=5, dealer=3)


def test_the_strategys_own_exception_is_kept() -> None:
    with pytest.raises(StrategyError, match="always_fails raised LookupError: lost the thread") as error:
        simulate(3, always_fails)
    cause: BaseException | None = error.value
    while cause is not None and not isinstance(cause, LookupError):
        cause = cause.__cause__
    assert cause is not None and cause.__traceback__ is not None


@pytest.mark.parametrize(
    "strategy", [lambda obs: 0, lambda: 0, lambda obs, random, more: 0], ids=["one", "none", "three"]
)
def test_a_function_of_another_number_of_arguments(strategy: Any) -> None:
    with pytest.raises(StrategyError, match=r"<lambda> raised TypeError: .*argument.*at seat 0 in round 0"):
        simulate(3, strategy)


# ---- The same, compiled ----


@njit
def compiled_raises(obs: Any, random: Any) -> Any:
    if obs.hand >> 43 & 1:
        raise ValueError("no idea")
    return random % len(obs.actions)


@njit
def compiled_negative(obs: Any, random: Any) -> Any:
    if obs.hand >> 43 & 1:
        return -1
    return random % len(obs.actions)


@njit
def compiled_beyond(obs: Any, random: Any) -> Any:
    if obs.hand >> 43 & 1:
        return len(obs.actions)
    return random % len(obs.actions)


@pytest.mark.parametrize(
    ("strategy", "message"),
    [
        (compiled_raises, "compiled_raises raised ValueError: no idea"),
        (compiled_negative, "compiled_negative returned -1; it must return the index .* a whole number 0 to "),
        (compiled_beyond, "compiled_beyond returned .*; it must return the index .* a whole number 0 to "),
    ],
)
@pytest.mark.parametrize("beside", ["random", last_action], ids=["named", "plain"])
def test_a_compiled_strategy_that_fails(strategy: Any, message: str, beside: Any) -> None:
    with pytest.raises(StrategyError, match=message) as error:
        simulate(300, ["random", strategy], seed=29)
    assert "seat 1 in round" in str(error.value)
    assert_leads_back(str(error.value), 29, Rules())


@njit
def returns_float(obs: Any, random: Any) -> Any:
    return 0.0


@njit
def returns_bool(obs: Any, random: Any) -> Any:
    return random > 5


@njit
def returns_nothing(obs: Any, random: Any) -> Any:
    pass


@njit
def sometimes_nothing(obs: Any, random: Any) -> Any:
    if random > 5:
        return 0


@njit
def uncompilable(obs: Any, random: Any) -> Any:
    return obs.hidden


@njit
def one_argument(obs: Any) -> Any:
    return 0


@njit("int64(int64, int64)")
def of_its_own(obs: Any, random: Any) -> Any:
    return 0


@pytest.mark.parametrize(
    ("strategy", "message"),
    [
        (returns_float, "the strategy returns_float returns float64; it must return"),
        (returns_bool, "the strategy returns_bool returns bool.*; it must return"),
        (returns_nothing, "the strategy returns_nothing returns none; it must return"),
        (sometimes_nothing, "the strategy sometimes_nothing returns .*; it must return"),
        (
            uncompilable,
            r"numba cannot compile the strategy uncompilable\(obs, random\)(.|\n)*hidden(.|\n)*without @njit",
        ),
        (one_argument, r"one_argument must take two arguments, \(obs, random\)"),
        (of_its_own, "of_its_own was compiled for arguments of its own; decorate it with a bare @numba.njit"),
    ],
)
def test_a_compiled_strategy_that_cannot_be_right_is_refused_at_once(strategy: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        simulate(3, ["random", strategy])


@pytest.mark.parametrize("number", ["int32", "uint8", "uint64", "intp"])
def test_a_compiled_strategy_may_return_a_whole_number_of_any_size(number: str) -> None:
    """Or is refused as it is, with a word about it: never blamed on a round."""
    space: dict[str, Any] = {}
    exec(f"import numpy as np\ndef sized(obs, random):\n    return np.{number}(len(obs.actions) - 1)", space)
    try:
        results = simulate(5, njit(space["sized"]))
    except TypeError as error:
        assert "sized" in str(error) and number in str(error)
    else:
        assert results.scores.tolist() == simulate(5, last_action).scores.tolist()
