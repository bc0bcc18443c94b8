"""`tournament`: any two agents on the same deals from every side, intervals that hold, what is there when it stops."""

import html
import math
import multiprocessing
import re
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import scipy.optimize
import scipy.stats
from numba import njit
from scipy.special import logit

from sakura import Interrupted, Observation, Rules, StrategyError, charts, stats
from sakura.stats import UNKNOWN, Estimate
from sakura.tournament import Entrants, Tournament
from strategies_for_tests import (
    RULE_SETS,
    always_fails,
    by_everything,
    compiled_by_everything,
    compiled_dearest,
    deal_again,
    last_action,
)

TOURNAMENT = sys.modules["sakura.tournament"]
SIMULATE = sys.modules["sakura.simulate"]
TWO, THREE = Rules(), Rules(players=3)


def tournament(agents: Any, rules: Rules | None = None, deals: int = 10, seed: int = 0, **options: Any) -> Tournament:
    found = TOURNAMENT.tournament(agents, rules, deals, seed, progress=False, **options)
    assert isinstance(found, Tournament)
    return found


def other_random(obs: Observation, random: int) -> int:
    """As good as "random", by other numbers."""
    return (random >> 20) % len(obs.actions)


def assert_same(left: Tournament, right: Tournament) -> None:
    assert (left.rules, left.seed, left.names) == (right.rules, right.seed, right.names)
    np.testing.assert_array_equal(left.margins, right.margins)
    np.testing.assert_array_equal(left.wins, right.wins)


# ---- The deals ----

SIDES = ["2 players", "3 players", "4 players", "7 players", "4 in 2 teams", "6 in 3 teams", "6 in 2 teams"]


@pytest.mark.parametrize("name", SIDES)
@pytest.mark.parametrize("agent", ["random", last_action, compiled_dearest])
def test_an_agent_and_its_twin_are_level_on_every_deal(name: str, agent: Any) -> None:
    rules = RULE_SETS[name]
    found = tournament({"one": agent, "twin": agent}, rules, deals=2)
    assert (found.margins == 0).all()
    assert (found.wins == 1 / rules.sides).all()
    assert found.margin("one", "twin") == found.margin("twin", "one") == Estimate(0, UNKNOWN, UNKNOWN, 2)


@pytest.mark.parametrize("name", ["2 players", "3 players", "5 players", "4 in 2 teams", "6 in 3 teams", "bonus"])
def test_margins_are_those_of_rounds_of_the_rule_book(name: str) -> None:
    """The definitions, from rounds played one by one."""
    rules = RULE_SETS[name]
    names = ["random", "greedy"]
    found = tournament(names, rules, deals=8, seed=2026)
    for a, b in permutations(range(2)):
        for k in range(8):
            leads, shares = [], []
            for side in range(rules.sides):
                rnd = deal_again(rules, 2026, k)
                while rnd.current_player is not None:
                    rnd.apply_action(rnd.choose(names[a if rules.side_of(rnd.current_player) == side else b]))
                scores = rnd.returns()
                mine, others = scores[side], scores[:side] + scores[side + 1 :]
                leads.append(mine - sum(others) / len(others))
                shares.append((mine == max(scores)) / scores.count(max(scores)))
            assert found.margins[a, b, k] == pytest.approx(np.mean(leads))
            assert found.wins[a, b, k] == pytest.approx(np.mean(shares))


@pytest.mark.parametrize("name", ["2 players", "4 in 2 teams"])
def test_with_two_sides_one_wins_what_the_other_loses(name: str) -> None:
    found = tournament(["random", "greedy", compiled_dearest], RULE_SETS[name], deals=30)
    np.testing.assert_array_equal(found.margins, -found.margins.swapaxes(0, 1))
    np.testing.assert_array_equal(found.wins, 1 - found.wins.swapaxes(0, 1))


def test_with_more_sides_it_is_one_against_many() -> None:
    found = tournament(["random", "greedy"], Rules(players=5), deals=200)
    assert found.margin("greedy", "random").above(0)
    assert not np.allclose(found.margins[0, 1], -found.margins[1, 0])


def test_what_a_deal_brings_depends_on_the_two_agents_alone() -> None:
    two = tournament(["random", "greedy"], THREE, deals=7, seed=5)
    three = tournament(["greedy", compiled_dearest, "random"], THREE, deals=20, seed=5)
    at = np.ix_([2, 0], [2, 0], range(7))
    np.testing.assert_array_equal(two.margins, three.margins[at])
    np.testing.assert_array_equal(two.wins, three.wins[at])
    assert_same(three.head(7), tournament(["greedy", compiled_dearest, "random"], THREE, deals=7, seed=5))
    assert not np.array_equal(two.margins, tournament(["random", "greedy"], THREE, deals=7, seed=6).margins)


def test_greedy_beats_random() -> None:
    found = tournament(["random", "greedy"], deals=300)
    assert found.margin("greedy", "random").above(20)
    assert found.win_share("greedy", "random").above(0.6)
    assert not found.win_share("random", "greedy").above(0.4)
    assert found.ratings["greedy"].above(found.ratings["random"])
    assert found.finding().startswith("greedy beats random by ")


# ---- The intervals ----


def assert_covers(hits: int, times: int, confidence: float = 0.95) -> None:
    """Neither fewer nor more hits than intervals of this confidence have, but for once in a thousand."""
    least, most = scipy.stats.binom.ppf([0.0005, 0.9995], times, confidence)
    assert least <= hits <= most, f"{hits} of {times}"


def covers(estimate: Estimate, truth: float) -> bool:
    return estimate.low <= truth <= estimate.high


@pytest.fixture
def few_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stats, "_DRAWS", 400)


@pytest.mark.usefixtures("few_draws")
def test_equal_agents_come_out_level() -> None:
    agents: Entrants = {"random": "random", "other": njit(other_random)}
    found = [tournament(agents, deals=25, seed=seed) for seed in range(200)]
    assert_covers(sum(covers(t.margin("random", "other"), 0) for t in found), 200)
    assert_covers(sum(covers(t.win_share("random", "other"), 0.5) for t in found), 200)
    assert_covers(sum(covers(t.ratings["other"], 1000) for t in found), 200)
    narrow = sum(covers(t.margin("random", "other", 0.8), 0) for t in found)
    assert_covers(narrow, 200, 0.8)
    with pytest.raises(AssertionError):
        assert_covers(narrow, 200)


@cache
def many(players: int) -> Tournament:
    return tournament(["random", "greedy"], Rules(players=players), deals=20_000, seed=9)


@pytest.mark.usefixtures("few_draws")
@pytest.mark.parametrize("players", [2, 4])
def test_intervals_hold_what_many_deals_show(players: int) -> None:
    whole = many(players)
    parts = [
        replace(whole, margins=m, wins=w)
        for m, w in zip(*(np.split(x, 200, axis=2) for x in (whole.margins, whole.wins)), strict=True)
    ]
    measures: dict[str, Any] = {
        "margin": lambda t: t.margin("greedy", "random"),
        "win share": lambda t: t.win_share("greedy", "random"),
        "rating": lambda t: t.ratings["random"],
    }
    for measure in measures.values():
        truth = measure(whole).value
        assert_covers(sum(covers(measure(part), truth) for part in parts), 200)


def test_the_interval_is_over_deals() -> None:
    """Not over rounds, of which a deal has several with the same luck."""
    found = tournament(["random", "greedy"], Rules(players=4), deals=50)
    values = found.margins[1, 0]
    reach = scipy.stats.t.ppf(0.975, 49) * values.std(ddof=1) / math.sqrt(50)
    estimate = found.margin("greedy", "random")
    assert estimate == pytest.approx((values.mean(), values.mean() - reach, values.mean() + reach, 50))


def test_two_agents_compared_against_a_third() -> None:
    found = tournament(["random", "greedy", compiled_dearest], deals=80)
    estimate = found.compare("greedy", "dearest", against="random")
    assert estimate == stats.mean(found.margins[1, 0] - found.margins[2, 0])
    assert found.compare("greedy", "random", against="random") == found.margin("greedy", "random")


def test_means_are_over_the_others() -> None:
    found = tournament(["random", "greedy", compiled_dearest], THREE, deals=40)
    assert found.mean_margin("greedy") == stats.mean((found.margins[1, 0] + found.margins[1, 2]) / 2)
    assert found.mean_win_share("random") == stats.share((found.wins[0, 1] + found.wins[0, 2]) / 2)


def test_share() -> None:
    """Wilson's interval where there is nothing but yes and no, but for Student's quantile."""
    heads = np.repeat([0, 1], [300, 100])
    assert stats.share(heads) == pytest.approx(stats.proportion(100, 400), abs=4e-4)
    always = stats.share(np.ones(50))
    assert always == pytest.approx(stats.proportion(50, 50), abs=5e-3) and always.low < 0.95 and always.high == 1
    assert stats.share(np.zeros(50)).low == 0
    assert stats.share([0.5, 0.5, 0.5]).low < 0.1  # for all that three say
    # Halves scatter less, so they say more.
    assert stats.share([0.5] * 98 + [0, 1]).low > stats.share(np.repeat([0, 1], 50)).low + 0.05


def test_shares_hold_the_truth_as_often_as_they_say() -> None:
    random = np.random.default_rng(4)
    for chances in ([0.2, 0.3, 0.5], [0.02, 0.1, 0.88]):
        drawn = random.choice([0, 0.5, 1], (1000, 60), p=chances)
        truth = 0.5 * chances[1] + chances[2]
        assert_covers(sum(covers(stats.share(values), truth) for values in drawn), 1000)


# ---- The ratings ----


def expected(strengths: npt.ArrayLike, sides: int) -> npt.NDArray[np.float64]:
    """The shares of wins (players, players) in the model."""
    odds = np.exp(np.asarray(strengths, float))
    shares: npt.NDArray[np.float64] = odds[:, None] / (odds[:, None] + (sides - 1) * odds)
    return shares


def synthetic(strengths: npt.ArrayLike, sides: int, n: int, random: np.random.Generator) -> npt.NDArray[np.float64]:
    """Won or lost by chance in the model (players, players, n); with two sides each pair has played but once."""
    shares = expected(strengths, sides)
    won = (random.random((*shares.shape, n)) < shares[..., None]).astype(float)
    for a, b in permutations(range(len(shares)), 2):
        if sides == 2 and a > b:
            won[a, b] = 1 - won[b, a]
    won[np.arange(len(shares)), np.arange(len(shares))] = 1 / sides
    return won


STRENGTHS = [0.9, 0.2, -0.4, -0.7]


@pytest.mark.parametrize("sides", [2, 4])
def test_strengths_are_found_again(sides: int) -> None:
    np.testing.assert_allclose(stats.bradley_terry(expected(STRENGTHS, sides), sides), STRENGTHS, atol=1e-7)
    steep = np.array([9.0, 3, -12])
    np.testing.assert_allclose(stats.bradley_terry(expected(steep, sides), sides), steep, atol=1e-6)


@pytest.mark.parametrize("sides", [2, 3, 7])
def test_strengths_are_the_most_likely(sides: int) -> None:
    shares = np.random.default_rng(sides).uniform(0.01, 0.99, (5, 4, 4))

    def unlikely(strengths: npt.NDArray[np.float64], seen: npt.NDArray[np.float64]) -> float:
        model, off = expected(strengths, sides), ~np.eye(4, dtype=bool)
        return -float((seen * np.log(model) + (1 - seen) * np.log(1 - model))[off].sum())

    for seen, strengths in zip(shares, stats.bradley_terry(shares, sides), strict=True):
        best = scipy.optimize.minimize(unlikely, np.zeros(4), (seen,), tol=1e-10).x
        np.testing.assert_allclose(strengths, best - best.mean(), atol=1e-4)
        assert strengths.sum() == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("share", [0, 1, math.nan])
def test_strengths_without_bounds_are_refused(share: float) -> None:
    with pytest.raises(ValueError, match="shares must lie between 0 and 1, and be neither"):
        stats.bradley_terry(np.array([[0.5, share], [1 - share, 0.5]]), 2)


@pytest.mark.parametrize("sides", [2, 4])
def test_ratings_are_elo(sides: int) -> None:
    """400 points are ten times the odds; a level round, half of a deal with two sides, is among those seen."""
    won = synthetic([1, 0], sides, 500, np.random.default_rng(1))
    found = stats.elo(won, sides, anchor=1)
    assert found[1] == Estimate(1000, 1000, 1000, 500)
    if sides == 2:
        share = (won[0, 1].sum() + 0.25) / 500.5
        assert found[0].value == pytest.approx(1000 + 400 / math.log(10) * logit(share), abs=1e-4)
    assert covers(found[0], 1000 + 400 * math.log10(math.e))
    assert found == stats.elo(won, sides, anchor=1) != stats.elo(won, sides, anchor=1, seed=1)
    turned = stats.elo(won[::-1, ::-1], sides, anchor=0)
    assert turned[1].value == pytest.approx(found[0].value, abs=1e-4)


@pytest.mark.usefixtures("few_draws")
@pytest.mark.parametrize("sides", [2, 4])
def test_ratings_hold_the_truth_as_often_as_they_say(sides: int) -> None:
    random = np.random.default_rng(sides)
    truth = [1000 + stats.ELO * (strength - STRENGTHS[1]) for strength in STRENGTHS]
    hits = np.zeros(4, int)
    for _ in range(200):
        found = stats.elo(synthetic(STRENGTHS, sides, 150, random), sides, anchor=1)
        hits += [covers(rating, value) for rating, value in zip(found, truth, strict=True)]
    for player in (0, 2, 3):
        assert_covers(hits[player], 200)


def test_the_luck_that_pairs_share_is_in_the_interval() -> None:
    """Two equal players who win and lose on the same deals: no deal tells them apart, as it does the others."""
    random = np.random.default_rng(3)
    won = synthetic([0, 0, 0], 2, 400, random)
    won[1, 0], won[0, 1] = won[2, 0], won[0, 2]
    won[1, 2] = won[2, 1] = 0.5
    first, _, twin = stats.elo(won, 2, anchor=1)
    assert twin.value == pytest.approx(1000, abs=1e-6) and not twin.known
    assert first.high - first.low > 30


def test_who_always_wins_has_a_finite_rating_and_a_wide_interval() -> None:
    won = np.full((2, 2, 40), 0.5)
    won[0, 1], won[1, 0] = 1, 0
    first, _ = stats.elo(won, 2, anchor=1)
    assert 1400 < first.low < first.value < first.high < 3000 and first.high - first.low > 400


def test_one_deal_is_no_observation() -> None:
    one = tournament(["random", "greedy"]).head(1)
    with pytest.raises(ValueError, match="ratings need at least 2 observations, got 1"):
        _ = one.ratings
    with pytest.raises(ValueError, match="at least 2 observations, got 1"):
        one.margin("random", "greedy")


def test_the_anchor() -> None:
    agents = ["random", "greedy", last_action]
    assert tournament(agents).ratings["greedy"] == Estimate(1000, 1000, 1000, 10)
    assert tournament([last_action, "random"]).ratings["last_action"].value == 1000


# ---- However it is played ----

EVERYONE: Entrants = {"a": "random", "b": by_everything, "c": "greedy", "d": compiled_by_everything}


@pytest.fixture(scope="module")
def wanted() -> Tournament:
    return tournament(EVERYONE, THREE, deals=6, seed=3)


@pytest.fixture(scope="module")
def processes() -> Iterator[Executor]:
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        yield pool


@pytest.mark.parametrize("first", [1, 100])
def test_the_size_of_the_units_does_not_matter(wanted: Tournament, first: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TOURNAMENT, "FIRST_DEALS", first)
    monkeypatch.setattr(TOURNAMENT, "SECONDS", 0)
    assert_same(wanted, tournament(EVERYONE, THREE, deals=6, seed=3))


def test_the_executor_does_not_matter(wanted: Tournament, processes: Executor, monkeypatch: pytest.MonkeyPatch) -> None:
    """More units than are handed out ahead, so that they also come back in order."""
    with ThreadPoolExecutor(3) as threads:
        for executor in (threads, processes):
            assert_same(wanted, tournament(EVERYONE, THREE, deals=6, seed=3, executor=executor))
    monkeypatch.setattr(SIMULATE, "CHUNKS_AHEAD", 1000)
    assert_same(wanted, tournament(EVERYONE, THREE, deals=6, seed=3, executor=processes))


def test_no_more_is_handed_out_than_can_be_waited_for() -> None:
    class Watched(ThreadPoolExecutor):
        most = waiting = 0

        def submit(self, *args: Any, **options: Any) -> Any:
            self.waiting += 1
            self.most = max(self.most, self.waiting)
            future = super().submit(*args, **options)
            taken = future.result

            def result(timeout: float | None = None) -> Any:
                self.waiting -= 1
                return taken(timeout)

            future.result = result  # type: ignore[method-assign]
            return future

    with Watched(2) as watched:
        tournament(["random", "greedy"], Rules(players=7), deals=50, executor=watched)
        tournament(["random", "greedy", compiled_dearest], Rules(players=3), deals=50, executor=watched)
    assert 2 < watched.most <= SIMULATE.CHUNKS_AHEAD
    assert watched.waiting == 0


def test_it_is_quiet_and_light(capfd: pytest.CaptureFixture[str]) -> None:
    TOURNAMENT.tournament(["random", "greedy"], deals=2)
    assert capfd.readouterr() == ("", "")
    code = "import sakura.tournament, sys; print({'scipy', 'pandas', 'pyarrow', 'numba'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=Path(__file__).parents[1])
    assert done.stdout.strip() == "set()", done


# ---- Ctrl-C and failures ----


class Impatient:
    """A strategy that presses Ctrl-C, or fails, at a call; and counts its calls."""

    __name__ = "impatient"

    def __init__(self, patience: float, error: type[BaseException] = KeyboardInterrupt) -> None:
        self.patience, self.error, self.calls = patience, error, 0

    def __call__(self, obs: Observation, random: int) -> int:
        self.calls += 1
        if self.calls > self.patience:
            raise self.error
        return random % len(obs.actions)


@pytest.mark.parametrize("rules", [TWO, THREE], ids=str)
def test_ctrl_c_hands_over_what_is_done(rules: Rules) -> None:
    with pytest.raises(Interrupted, match=r"interrupted after \d+ of 200 deals, which are in the exc") as stopped:
        tournament(["random", Impatient(900), "greedy"], rules, deals=200, seed=4)
    found: Any = stopped.value.results
    assert 2 <= found.deals < 200 and f"after {found.deals} of" in str(stopped.value)
    assert_same(found, tournament(["random", Impatient(math.inf), "greedy"], rules, deals=found.deals, seed=4))


def test_a_failing_strategy_is_told(processes: Executor) -> None:
    told = (
        r"always_fails failed against greedy: always_fails raised LookupError: lost the thread.*seat 1 in round 0 of "
        r"seed 8"
    )
    with pytest.raises(StrategyError, match=told.replace("greedy", "random")):
        tournament(["random", "greedy", always_fails], deals=20, seed=8)
    with pytest.raises(StrategyError, match=told):
        tournament(["greedy", always_fails], deals=20, seed=8, executor=processes)


def test_an_agents_own_name_stands_in_errors() -> None:
    with pytest.raises(StrategyError, match=r"^new failed against old: always_fails raised"):
        tournament({"old": "greedy", "new": always_fails})


class Failing:
    """Plays its first action, but fails where the random number says so, in one of `times` decisions."""

    def __init__(self, times: int, error: Any = SystemExit) -> None:
        self.times, self.error = times, error

    def __call__(self, obs: Observation, random: int) -> int:
        if random % self.times == 0:
            raise self.error("so")
        return 0


def test_a_late_failure_hands_over_what_was_finished(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TOURNAMENT, "SECONDS", 0)
    with pytest.raises(StrategyError, match=r"late failed against .* of 400 deals, which are in") as stopped:
        tournament({"random": "random", "late": Failing(701), "greedy": "greedy"}, TWO, 400, 5)
    found = stopped.value.results
    assert isinstance(found, Tournament) and 2 <= found.deals < 400
    assert_same(found, tournament({"random": "random", "late": Failing(701), "greedy": "greedy"}, TWO, found.deals, 5))


@njit
def misfit(obs: Observation) -> int:
    return 0


CLASS: dict[str, Any] = {
    "anna": last_action,
    "ben": always_fails,
    "random": "random",
    "carl": Failing(307),
    "dora": misfit,
    "emil": Failing(1009, KeyError),
    "greedy": "greedy",
}


@pytest.mark.parametrize("rules", [TWO, THREE], ids=str)
def test_the_others_go_on_where_some_fail(rules: Rules, monkeypatch: pytest.MonkeyPatch) -> None:
    found = tournament(CLASS, rules, 60, 2, keep_going=True)
    assert found.names == ("anna", "random", "greedy") and found.out.keys() == {"ben", "carl", "dora", "emil"}
    # The others play the deals that they would have played without them.
    left = {name: CLASS[name] for name in found.names}
    np.testing.assert_array_equal(found.margins, tournament(left, rules, 60, 2).margins)
    assert re.match(r"ben failed against anna: .*LookupError: lost the thread.* in round 0 of seed 2", found.out["ben"])
    assert re.match(
        r"carl failed against \w+: Failing raised SystemExit: so.* in round \d+ of seed 2", found.out["carl"]
    )
    assert "misfit" in found.out["dora"] and "two arguments" in found.out["dora"]
    for name, why in found.out.items():
        assert f"\n{name} is out: {why}\n" in str(found)
        assert f'<th scope="row">{name}</th><td colspan="3">out: {html.escape(why)}</td>' in found._repr_html_()
    assert re.search(r"seed 2, without [\w, ]+ and \w+, who failed$", found.provenance)
    with pytest.raises(ValueError, match="'ben' is out: ben failed against anna"):
        found.margin("anna", "ben")
    # Who is out, and why, hangs neither on the size of the units nor on who plays them.
    monkeypatch.setattr(TOURNAMENT, "FIRST_DEALS", 7)
    with ThreadPoolExecutor(3) as threads:
        again = tournament(CLASS, rules, 60, 2, keep_going=True, executor=threads)
    assert_same(found, again)
    assert list(found.out.items()) == list(again.out.items())


def test_where_all_but_one_fail_there_is_no_tournament() -> None:
    message = "fewer than two are left: .*(ben|dora) is out: .*(ben|dora) is out: "
    with pytest.raises(StrategyError, match=message):
        tournament({name: CLASS[name] for name in ("anna", "ben", "dora")}, keep_going=True)


def test_ctrl_c_keeps_who_is_out() -> None:
    agents = {"random": "random", "ben": always_fails, "slow": Impatient(3000), "greedy": "greedy"}
    with pytest.raises(Interrupted) as stopped:
        tournament(agents, deals=400, keep_going=True)
    found = stopped.value.results
    assert isinstance(found, Tournament)
    assert found.names == ("random", "slow", "greedy") and found.out.keys() == {"ben"} and 2 <= found.deals < 400


def versions() -> list[Any]:
    """Two functions of one name."""

    def mine(obs: Observation, random: int) -> int:
        return 0

    first = mine

    def mine(obs: Observation, random: int) -> int:  # type: ignore[no-redef]
        return len(obs.actions) - 1

    return [first, mine]


# ---- Tables, words and figures ----


@pytest.fixture(scope="module")
def shown() -> Tournament:
    return tournament({"<mine>": last_action, "random": "random", "greedy": "greedy"}, deals=120, seed=11)


def test_standings(shown: Tournament) -> None:
    table = shown.standings()
    assert table.name.tolist() == list(shown.ratings) and table.name[0] == "greedy"
    assert table.rating.is_monotonic_decreasing and (table.deals == 120).all()
    for row in table.itertuples():
        assert (row.rating, row.rating_low, row.rating_high) == shown.ratings[row.name][:3]
        assert (row.margin, row.margin_low, row.margin_high) == shown.mean_margin(row.name)[:3]
        assert (row.win_share, row.win_share_low, row.win_share_high) == shown.mean_win_share(row.name)[:3]


def test_cross_table(shown: Tournament) -> None:
    table = shown.cross_table()
    assert list(table.index) == list(table.columns) == ["<mine>", "random", "greedy"]
    assert table.loc["greedy", "random"] == f"{shown.margin('greedy', 'random'):+.1f}"
    assert table.loc["greedy", "random"].startswith("+") and table.loc["random", "greedy"].startswith("-")
    assert table.loc["random", "random"] == ""


def test_it_tells_in_words_what_it_is(shown: Tournament) -> None:
    where = "120 deals, each played from both sides, players=2, seed 11"
    title, header, first, *_, note = str(shown).splitlines()
    assert title == f"Tournament: {where}" and "rating" in header
    assert (
        first.split()
        == f"greedy 1000 [1000, 1000] {shown.mean_margin('greedy'):+.1f} {shown.mean_win_share('greedy'):.1%}".split()
    )
    assert note == "[95% intervals, from the deals]; greedy has a rating of 1000"
    assert repr(shown) == f"<Tournament: <mine>, random and greedy; {where}>"
    page = shown._repr_html_()
    assert where in page and '<th scope="row">&lt;mine&gt;</th>' in page and "<mine>" not in page
    assert "each played from all 3 sides" in tournament(["random", "greedy"], THREE).provenance


def test_the_finding_is_no_more_than_was_found(shown: Tournament) -> None:
    assert shown.finding().startswith("greedy beats every other agent; ")
    level = tournament({"one": "random", "twin": "random"})
    assert level.finding() == "one is rated highest, but these deals do not show that it beats twin"
    few = tournament({"greedy": "greedy", "twin": "greedy", "random": "random"}, deals=100)
    assert few.finding() == "greedy is rated highest, but these deals do not show that it beats twin"
    # Against several others the interval is wider.
    assert f"{shown.margin('greedy', '<mine>', stats.simultaneous(3)):.1f}" in shown.finding() or (
        f"{shown.margin('greedy', 'random', stats.simultaneous(3)):.1f}" in shown.finding()
    )


def test_ladder(shown: Tournament) -> None:
    figure = charts.ladder(shown)
    figure.draw_without_rendering()
    drawn, paper = figure.get_tightbbox(), figure.bbox_inches
    assert paper.x0 <= drawn.x0 < drawn.x1 <= paper.x1 and paper.y0 <= drawn.y0 < drawn.y1 <= paper.y1
    (axes,) = figure.axes
    margins = sorted(((shown.mean_margin(name), name) for name in shown.names), reverse=True)
    assert [label.get_text() for label in axes.get_yticklabels()] == [name for _, name in margins]
    assert [bar.get_width() for bar in axes.patches] == [margin.value for margin, _ in margins]
    ends = [segment[:, 0].tolist() for line in axes.collections for segment in line.get_segments()]
    assert ends == [pytest.approx([margin.low, margin.high]) for margin, _ in margins]
    assert figure.get_suptitle().replace("\n", " ") == shown.finding()
    for text in (charts.ladder_alt(shown), figure.get_supxlabel().replace("\n", " ")):
        assert shown.provenance in text
    assert f"greedy {shown.mean_margin('greedy'):+.1f}" in charts.ladder_alt(shown)


# ---- Bad input ----


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"agents": "greedy"}, TypeError, "agents must be a list of at least two, or a mapping .*, got 'greedy'"),
        ({"agents": 3}, TypeError, "agents must be a list of at least two, or a mapping .*, got 3"),
        ({"agents": last_action}, TypeError, "agents must be a list of at least two"),
        ({"agents": []}, ValueError, "a tournament needs at least two agents, got 0"),
        ({"agents": {"a": "greedy"}}, ValueError, "a tournament needs at least two agents, got 1"),
        ({"agents": ["greedy", "greedy", "random"]}, ValueError, "2 agents are called 'greedy'; give a mapping"),
        ({"agents": versions()}, ValueError, "2 agents are called 'mine'; give a mapping"),
        ({"agents": ["greedy", "clever"]}, ValueError, "no agent is called 'clever'; there are 'random', 'greedy'"),
        ({"agents": {"a": "greedy", "b": 5}}, TypeError, r"an agent is a name or a function of \(obs, random\), got 5"),
        ({"agents": {1: "greedy", 2: "random"}}, TypeError, "the name of an agent must be text, got 1"),
        ({"rules": 2}, TypeError, r"rules must be sakura.Rules\(...\), got 2"),
        ({"deals": 1}, ValueError, "deals must be at least 2, got 1"),
        ({"deals": 2.5}, TypeError, "deals must be a whole number, got 2.5"),
        ({"deals": 10**12}, ValueError, r"1_000_000_000_000 deals of 2 agents need 64,000 GB of memory; there is room"),
        ({"seed": -1}, ValueError, "seed must be 0 to 9223372036854775807, got -1"),
        ({"seed": 1.0}, TypeError, "seed must be a whole number, got 1.0"),
        ({"executor": 4}, TypeError, r"executor must be a concurrent.futures.Executor, got 4"),
    ],
)
def test_arguments_that_make_no_sense(arguments: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        tournament(**{"agents": ["random", "greedy"], **arguments})


def test_what_other_processes_cannot_see_is_refused(processes: Executor) -> None:
    with pytest.raises(ValueError, match="other processes cannot see mine: "):
        tournament(["greedy", versions()[0]], executor=processes)


def test_a_compiled_strategy_that_does_not_fit_is_refused_first() -> None:
    @njit
    def lost(obs: Observation) -> int:
        return 0

    first = Impatient(math.inf)
    with pytest.raises(TypeError, match="lost"):
        tournament([first, "greedy", lost])
    assert first.calls == 0


def test_who_does_not_take_part_is_named(shown: Tournament) -> None:
    unknown = "no agent is called 'a' here; there are '<mine>', 'random', 'greedy'"
    for ask in (shown.margin, shown.win_share):
        with pytest.raises(ValueError, match=unknown):
            ask("greedy", "a")
    with pytest.raises(ValueError, match=unknown):
        shown.compare("greedy", "random", against="a")


def test_numpy_numbers_are_whole_numbers_too() -> None:
    numbers: dict[str, Any] = {"deals": np.int32(3), "seed": np.uint64(7)}
    assert_same(tournament(["random", "greedy"], **numbers), tournament(["random", "greedy"], deals=3, seed=7))
