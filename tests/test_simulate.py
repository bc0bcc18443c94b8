"""`simulate`: its rows are rounds of the rule book, whoever plays them, in whatever order, on whatever machine."""

import importlib
import multiprocessing
import random
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sakura
from sakura import ExecutorError, Interrupted, Round, Rules, StrategyError
from sakura.agents import Careful, Clairvoyant, MonteCarlo
from sakura.bits import random63
from sakura.run import Run
from sakura.simulate import MEMORY_LIMIT
from strategies_for_tests import (
    RULE_SETS,
    all_columns,
    always_fails,
    assert_same_rows,
    by_everything,
    compiled_by_everything,
    compiled_dearest,
    deal_again,
    in_memory,
    tires,
)

SIMULATE = sys.modules["sakura.simulate"]


def simulate(rounds: int, rules: Rules | None = None, agents: Any = "random", seed: int = 0, **options: Any) -> Any:
    return sakura.simulate(rounds, rules, agents, seed, progress=False, **options)


# ---- Rows are rounds ----


def play_out(rnd: Round, agents: list[str]) -> None:
    """Play a round to its end, the agents dealt out to the seats."""
    while not rnd.is_terminal:
        rnd.apply_action(rnd.choose(agents[rnd.current_player % len(agents)]))


def assert_row_is_round(results: sakura.Results, row: int, rnd: Round) -> None:
    rules = rnd.rules
    piles = [frozenset().union(*(rnd.captured[seat] for seat in rules.seats_of(side))) for side in range(rules.sides)]
    assert [frozenset(sakura.cards_in(int(cards))) for cards in results.captured[row]] == piles
    assert results.scores[row].tolist() == rnd.returns()
    assert (results.dealer[row], results.turns[row]) == (rnd.dealer, rnd.turn)
    held = [[k + 1 for k in range(8) if bits >> k & 1] for bits in results.yaku[row].tolist()]
    assert held == rnd.yaku()


@pytest.mark.parametrize("agent", ["random", "greedy"])
@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
def test_rows_are_rounds_of_the_rule_book(rules: Rules, agent: str) -> None:
    results = simulate(10, rules, agent, seed=2026)
    for number in range(len(results)):
        rnd = deal_again(rules, 2026, number)
        play_out(rnd, [agent])
        assert_row_is_round(results, number, rnd)


def test_rows_far_out_are_rounds_too() -> None:
    """Beyond one chunk, for a large seed, and with the agents dealt out to the seats."""
    rules = Rules(players=4)
    agents = ["greedy", "random"]
    results = simulate(70_001, rules, agents, seed=(1 << 63) - 1)
    for number in (1, 65_535, 65_536, 70_000):
        rnd = deal_again(rules, (1 << 63) - 1, number)
        play_out(rnd, agents)
        assert_row_is_round(results, number, rnd)


@pytest.mark.parametrize("dealer", [0, 2])
def test_a_fixed_dealer_deals_every_round(dealer: int) -> None:
    rules = Rules(players=3)
    results = simulate(9, rules, "greedy", seed=4, dealer=dealer)
    assert results.dealer.tolist() == [dealer] * 9
    for number in range(9):
        rnd = Round(rules, seed=random63(random63(4, 0), number), dealer=dealer)
        play_out(rnd, ["greedy"])
        assert_row_is_round(results, number, rnd)


@pytest.mark.parametrize("players", range(2, 8))
def test_the_deal_passes_on(players: int) -> None:
    assert simulate(50, Rules(players=players)).dealer.tolist() == [k % players for k in range(50)]


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
def test_deals_are_those_of_the_rounds(rules: Rules) -> None:
    dealt = sakura.deals(20, rules, seed=8)
    assert dealt.hands.dtype == dealt.field.dtype == np.uint64
    assert dealt.hands.shape == (20, rules.players) and dealt.field.shape == (20,)
    for number in range(20):
        rnd = deal_again(rules, 8, number)
        assert [frozenset(sakura.cards_in(int(cards))) for cards in dealt.hands[number]] == list(rnd.hands)
        assert frozenset(sakura.cards_in(int(dealt.field[number]))) == rnd.field


def test_deals_from_a_later_round_on() -> None:
    whole, later = sakura.deals(30, FOUR, 5), sakura.deals(10, FOUR, 5, first=20)
    for column, rest in zip(whole, later, strict=True):
        np.testing.assert_array_equal(column[20:], rest)


def test_deals_with_a_fixed_dealer() -> None:
    rnd = Round(Rules(players=3), seed=random63(random63(1, 0), 2), dealer=1)
    dealt = sakura.deals(3, Rules(players=3), 1, dealer=1)
    assert [frozenset(sakura.cards_in(int(cards))) for cards in dealt.hands[2]] == list(rnd.hands)


@pytest.mark.parametrize("name", ["2 players", "4 in 2 teams", "claim", "many hikis", "sweep from the pile"])
def test_yaku_turns(name: str) -> None:
    """Counted in turns of each player, from 1. What only the sweep at the end completes is left aside here."""
    rules = RULE_SETS[name]
    results = simulate(40, rules, "greedy", seed=12, yaku_turns=True)
    np.testing.assert_array_equal(np.packbits(results.yaku_turns > 0, axis=2, bitorder="little")[:, :, 0], results.yaku)
    found = 0
    for number in range(len(results)):
        rnd = deal_again(rules, 12, number)
        wanted: dict[tuple[int, int], int] = {}
        while not rnd.is_terminal:
            before, turn, length = rnd.yaku(), rnd.turn, len(rnd.log)
            rnd.apply_action(rnd.choose("greedy"))
            # One action may end several turns, where seats without cards are passed over: then only bounds are known.
            if any(event.kind == "swept" for event in rnd.log[length:]) or rnd.turn > turn + 1:
                continue
            for side, held in enumerate(rnd.yaku()):
                for yaku in set(held) - set(before[side]):
                    wanted[side, yaku - 1] = turn // rules.players + 1
        for (side, k), turn in wanted.items():
            assert results.yaku_turns[number, side, k] == turn
            found += 1
    assert found > 10


# ---- Rows do not hang on how they are played ----

KINDS: dict[str, Any] = {
    "random": "random",
    "greedy": "greedy",
    "compiled": compiled_by_everything,
    "plain Python": by_everything,
    "one of each": ["random", by_everything, "greedy", compiled_by_everything],
}


@pytest.fixture(params=KINDS)
def agents(request: pytest.FixtureRequest) -> Any:
    return KINDS[request.param]


@pytest.fixture(scope="module")
def processes() -> Iterator[Executor]:
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        yield pool


@pytest.fixture(scope="module")
def threads() -> Iterator[Executor]:
    with ThreadPoolExecutor(3) as pool:
        yield pool


FOUR = Rules(players=4)


def test_fewer_rounds_are_the_first_of_more(agents: Any) -> None:
    all_rows = all_columns(simulate(200, FOUR, agents, 3))
    for rounds in (1, 2, 7, 199):
        for name, column in all_columns(simulate(rounds, FOUR, agents, 3)).items():
            np.testing.assert_array_equal(column, all_rows[name][:rounds])


@pytest.mark.parametrize("size", [1, 64])
def test_the_size_of_the_chunks_does_not_matter(agents: Any, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = simulate(70, FOUR, agents, 3, yaku_turns=True)
    monkeypatch.setattr(SIMULATE, "CHUNK", size)
    monkeypatch.setattr(SIMULATE, "SLOW_CHUNK", size)
    assert_same_rows(wanted, simulate(70, FOUR, agents, 3, yaku_turns=True))


@pytest.mark.parametrize("pool", ["threads", "processes"])
def test_the_executor_does_not_matter(
    agents: Any, pool: str, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    """More chunks than are handed out ahead, so that they also come back in order."""
    executor = request.getfixturevalue(pool)
    wanted = simulate(150, FOUR, agents, 3)
    for name in ("CHUNK", "EXECUTOR_CHUNK", "SLOW_CHUNK", "CHUNKS_AHEAD"):
        monkeypatch.setattr(SIMULATE, name, 7)
    assert_same_rows(wanted, simulate(150, FOUR, agents, 3, executor=executor))


def test_a_resumed_folder_does_not_matter(agents: Any, tmp_path: Path) -> None:
    for rounds in (1, 50, 50, 130):
        scan = simulate(rounds, FOUR, agents, 3, out=tmp_path / "rounds")
        assert len(scan) == rounds
    assert_same_rows(simulate(130, FOUR, agents, 3), in_memory(scan))


def test_global_generators_neither_matter_nor_notice(agents: Any) -> None:
    rows = []
    for noise in range(2):
        random.seed(noise)
        np.random.seed(noise)  # noqa: NPY002
        before = random.getstate(), np.random.get_state()[1].tolist()  # type: ignore[index]  # noqa: NPY002
        rows.append(simulate(60, FOUR, agents, 3))
        assert before == (random.getstate(), np.random.get_state()[1].tolist())  # type: ignore[index]  # noqa: NPY002
    assert_same_rows(*rows)


def test_another_seed_gives_other_rounds() -> None:
    assert (simulate(50, seed=1).captured != simulate(50, seed=2).captured).any(axis=1).all()


def test_no_two_seeds_share_a_round() -> None:
    keys = {random63(random63(seed, 0), number) for seed in range(200) for number in range(200)}
    assert len(keys) == 200 * 200
    # Nor does a round's own stream meet the numbers that rounds are seeded with.
    stream = random63(5, 0)
    assert not {random63(random63(stream, k), n) for k in range(200) for n in range(80)} & keys


def test_the_random_numbers_of_all_decisions_differ() -> None:
    seen: list[int] = []

    def collect(obs: sakura.Observation, random: int) -> int:
        seen.append(random)
        return random % len(obs.actions)

    simulate(300, agents=collect)
    assert len(set(seen)) == len(seen) > 300 * 14
    assert min(seen) >= 0 and max(seen) < 1 << 63
    low, high = np.bincount([r % 16 for r in seen]), np.bincount([r >> 59 for r in seen], minlength=16)
    for counts in (low, high):
        expected = len(seen) / 16
        assert ((counts - expected) ** 2 / expected).sum() < 60  # chi-square, 15 degrees: p is 2e-7


# ---- Interrupted and failing ----


def test_ctrl_c_hands_over_what_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = 0

    def impatient(obs: sakura.Observation, random: int) -> int:
        nonlocal calls
        calls += 1
        if calls > 1000:
            raise KeyboardInterrupt
        return 0

    def patient(obs: sakura.Observation, random: int) -> int:
        return 0

    monkeypatch.setattr(SIMULATE, "SLOW_CHUNK", 10)
    with pytest.raises(Interrupted, match=r"interrupted after \d+ of 500 rounds") as stopped:
        simulate(500, agents=impatient, yaku_turns=True, first=9)
    results = stopped.value.results
    assert results is not None and 20 <= len(results) < 500 and len(results) % 10 == 0
    assert str(len(results)) in str(stopped.value)
    assert results.first == 9
    assert_same_rows(results, simulate(len(results), agents=patient, yaku_turns=True, first=9))
    assert isinstance(stopped.value, KeyboardInterrupt)


@pytest.mark.parametrize("pool", [None, "threads", "processes"])
def test_a_strategy_that_fails_late_hands_over_what_is_done(
    pool: str | None, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.setattr(SIMULATE, "SLOW_CHUNK", 5)
    executor = request.getfixturevalue(pool) if pool else None
    with pytest.raises(StrategyError, match=r"tires raised SystemExit: done.*stopped after \d+ of 100_000") as stopped:
        simulate(100_000, agents=tires, seed=3, executor=executor)
    results = stopped.value.results
    assert isinstance(results, sakura.Results) and len(results) >= 5 and len(results) % 5 == 0
    assert_same_rows(results, simulate(len(results), agents=tires, seed=3))


def test_ctrl_c_leaves_a_folder_to_go_on_with(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    ask, calls, patience = SIMULATE.ask, 0, 1000

    def impatient(*question: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls > patience:
            raise KeyboardInterrupt
        return ask(*question)

    monkeypatch.setattr(SIMULATE, "SLOW_CHUNK", 10)
    monkeypatch.setattr(SIMULATE, "ask", impatient)
    folder = tmp_path / "rounds"
    with pytest.raises(Interrupted, match="which are in the folder") as stopped:
        simulate(200, agents=by_everything, out=folder)
    assert stopped.value.results is None
    done = len(sakura.Results.scan(folder))
    assert 20 <= done < 200
    calls, patience = 0, 10**6
    scan = simulate(200, agents=by_everything, out=folder)
    # Only the missing rounds were played.
    assert calls <= (200 - done) * 17
    assert_same_rows(simulate(200, agents=by_everything), in_memory(scan))


def test_a_failing_strategy_is_told_through_a_pool(processes: Executor) -> None:
    with pytest.raises(StrategyError, match=r"always_fails raised LookupError: lost the thread.*seat 0 in round 0"):
        simulate(10, agents=always_fails, executor=processes)


# ---- Bad input ----


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"rounds": 0}, ValueError, "rounds must be at least 1, got 0"),
        ({"rounds": -1}, ValueError, "rounds must be at least 1, got -1"),
        ({"rounds": 1.5}, TypeError, "rounds must be a whole number, got 1.5"),
        ({"rounds": "10"}, TypeError, "rounds must be a whole number, got '10'"),
        ({"rounds": True}, TypeError, "rounds must be a whole number, got True"),
        ({"rounds": None}, TypeError, "rounds must be a whole number, got None"),
        ({"rounds": 10**12}, ValueError, r"1_000_000_000_000 rounds need 24,000 GB of memory; give out="),
        ({"seed": -1}, ValueError, "seed must be 0 to 9223372036854775807, got -1"),
        ({"seed": 1 << 63}, ValueError, "seed must be 0 to 9223372036854775807, got 9223372036854775808"),
        ({"seed": 1.0}, TypeError, "seed must be a whole number, got 1.0"),
        ({"seed": None}, TypeError, "seed must be a whole number, got None"),
        ({"dealer": 7}, ValueError, "dealer must be 0 to 1, got 7"),
        ({"dealer": -1}, ValueError, "dealer must be 0 to 1, got -1"),
        ({"dealer": 0.0}, TypeError, "dealer must be a whole number, got 0.0"),
        ({"rules": 2}, TypeError, r"rules must be sakura.Rules\(...\), got 2"),
        ({"rules": "hawaii"}, TypeError, r"rules must be sakura.Rules\(...\), got 'hawaii'"),
        ({"agents": "clever"}, ValueError, "no agent is called 'clever'; there are 'random', 'greedy', 'careful', "),
        ({"agents": ["random", "Greedy"]}, ValueError, "no agent is called 'Greedy'; there are 'random', 'greedy'"),
        ({"agents": []}, ValueError, "0 agents cannot be dealt out to 2 players; give 1 or 2"),
        ({"agents": ["random"] * 3}, ValueError, "3 agents cannot be dealt out to 2 players; give 1 or 2"),
        ({"agents": ["random", 5]}, TypeError, r"an agent is a name or a function of \(obs, random\), got 5"),
        ({"agents": 5}, TypeError, r"an agent is a name or a function of \(obs, random\).*5"),
        ({"executor": 4}, TypeError, r"executor must be a concurrent.futures.Executor, got 4"),
        ({"agents": None}, TypeError, r"an agent is a name or a function of \(obs, random\).*None"),
    ],
    ids=repr,
)
def test_arguments_that_make_no_sense(arguments: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        simulate(**{"rounds": 5, **arguments})


@pytest.mark.parametrize("rounds", [0, 1.5, "10", True])
def test_deals_of_no_sense(rounds: Any) -> None:
    with pytest.raises((ValueError, TypeError), match="rounds must be"):
        sakura.deals(rounds)


def test_the_largest_run_in_memory_is_named_exactly() -> None:
    with pytest.raises(ValueError, match="or at most") as refused:
        simulate(10**12, Rules(players=7))
    most = int(str(refused.value).split("or at most ")[1].split()[0].replace("_", ""))
    assert 77 * 10**6 < most <= MEMORY_LIMIT // 70


def test_numpy_numbers_are_whole_numbers_too(tmp_path: Path) -> None:
    numbers: dict[str, Any] = {"rounds": np.int32(5), "seed": np.uint64(7), "dealer": np.int64(1)}
    assert_same_rows(simulate(5, seed=7, dealer=1), in_memory(simulate(**numbers, out=tmp_path / "rounds")))
    assert simulate(**numbers).run == Run(7, Rules(), ("random", "random"), 1)


# A notebook, as seen from the processes of a pool: they have a main module of their own.
NOTEBOOK = """
import functools, multiprocessing, sys
from concurrent.futures import ProcessPoolExecutor
import numba, sakura
from strategies_for_tests import dearest, Holder

def mine(obs, random): return 0
def decorate(f):
    @functools.wraps(f)
    def wrapped(*args): return f(*args)
    return wrapped
def made():
    def inner(obs, random): return 0
    return inner
class Mine:
    def __call__(self, obs, random): return 0
    def method(self, obs, random): return 0
    @staticmethod
    def static(obs, random): return 0
    @classmethod
    def of_class(cls, obs, random): return 0
class Answer(int):
    def __new__(cls, obs, random): return 0

FORMS = {
    "function": mine, "lambda": lambda obs, random: 0, "nested": made(), "decorated": decorate(mine),
    "decorated from elsewhere": decorate(dearest), "partial": functools.partial(mine),
    "partial of partial": functools.partial(functools.partial(mine)), "object": Mine(), "bound": Mine().method,
    "static": Mine.static, "of a class": Mine.of_class, "class": Answer, "holds a function": Holder(mine),
    "holds a list of lambdas": Holder([lambda: 0]), "holds a method": Holder(Mine().method).__call__,
    "partial of a bound": functools.partial(Mine().method), "compiled": numba.njit(mine),
}
if __name__ == "__main__":
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        for form, strategy in FORMS.items():
            try:
                rounds = sakura.simulate(3, agents=["random", strategy], executor=pool, progress=False)
            except ValueError as error:
                told = "other processes cannot see" in str(error) and "into a .py file and import it" in str(error)
                print(form, "refused" if told else error)
            except BaseException as error:
                print(form, type(error), error)
            else:
                print(form, "played", len(rounds))
        print(len(sakura.simulate(3, executor=pool, progress=False)))
"""


def test_what_other_processes_cannot_see_is_refused_in_every_form() -> None:
    """In words, and the pool lives on."""
    done = subprocess.run(
        [sys.executable, "-c", NOTEBOOK], capture_output=True, text=True, cwd=Path(__file__).parent, timeout=200
    )
    *told, healthy = done.stdout.splitlines()
    assert len(told) == 17 and healthy == "3", done
    # Numba sends the code itself.
    assert [line for line in told if not line.endswith(" refused")] == ["compiled played 3"]


def test_a_worker_that_knows_an_earlier_version_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As after an edit of the module, which the workers of a pool do not hear of."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    file = tmp_path / "edited_strategy.py"
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        file.write_text("def edited(obs, random): return 0")
        module = importlib.import_module("edited_strategy")
        assert_same_rows(simulate(9, agents=module.edited), simulate(9, agents=module.edited, executor=pool))
        file.write_text("def edited(obs, random): return len(obs.actions) - 1")
        importlib.reload(module)
        with pytest.raises(ExecutorError, match="this worker has another edited, perhaps an earlier one: start the wo"):
            simulate(9, agents=module.edited, executor=pool)


def test_threads_take_any_function(threads: Executor) -> None:
    assert_same_rows(
        simulate(30, agents=lambda obs, random: 0, executor=threads), simulate(30, agents=lambda obs, random: 0)
    )


def test_compiled_and_named_agents_reach_other_processes(processes: Executor) -> None:
    for rounds, agents in (
        (30, [compiled_dearest, "greedy"]),
        (30, ["careful", Careful("deny")]),
        (4, [MonteCarlo(3), Clairvoyant(2)]),
    ):
        assert_same_rows(simulate(rounds, agents=agents, executor=processes), simulate(rounds, agents=agents))


# ---- Progress, and imports ----


def test_progress_is_only_shown_when_asked_for(capfd: pytest.CaptureFixture[str]) -> None:
    simulate(3)
    sakura.simulate(3)  # quick: nothing to show either
    assert capfd.readouterr() == ("", "")


def test_importing_is_quick_and_light() -> None:
    code = """
import sys, time
t = time.perf_counter(); import numpy; numpy_takes = time.perf_counter() - t
import tqdm.auto
t = time.perf_counter(); import sakura; sakura_takes = time.perf_counter() - t
heavy = {"pandas", "pyarrow", "matplotlib", "ipywidgets", "anywidget", "IPython", "numba", "llvmlite", "scipy"}
print(sorted(heavy & set(sys.modules)), sakura_takes < 3 * numpy_takes + 0.3)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=Path(__file__).parents[1])
    assert done.stdout.split("\n")[0] == "[] True", done
