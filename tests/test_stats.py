"""The intervals of `sakura.stats`: their definitions, and how often they hold what they should."""

import math

import numpy as np
import pytest
from scipy.special import ndtri
from scipy.stats import binom, chi2

from sakura import stats
from sakura.stats import Estimate


def test_wilson_solves_its_equation() -> None:
    """Both ends are where the observed share lies z standard errors away (Wilson 1927)."""
    z = ndtri(0.975)
    share, low, high, n = stats.proportion(30, 400)
    for end in (low, high):
        assert abs(share - end) == pytest.approx(z * np.sqrt(end * (1 - end) / n))
    assert low < share < high


def test_proportion_keeps_within_0_and_1() -> None:
    none, all_ = stats.proportion(0, 50), stats.proportion(50, 50)
    assert none.low == 0 < none.high < 0.1
    assert 0.9 < all_.low < all_.high == 1
    with pytest.raises(ValueError):
        stats.proportion(3, 2)


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    random = np.random.default_rng(5)
    hits = {"mean": 0, "difference": 0, "paired": 0, "proportion": 0}
    times = 400
    for _ in range(times):
        shared = random.normal(0, 5, 40)
        a, b = random.normal(3, 1, 40) + shared, random.normal(1, 4, 40) + shared
        other = random.normal(1, 2, 60)
        heads = random.random(80) < 0.3
        found = {
            "mean": (stats.mean(a), 3),
            "difference": (stats.difference(a, other), 2),
            "paired": (stats.paired_difference(a, b), 2),
            "proportion": (stats.proportion(heads.sum(), 80), 0.3),
        }
        for name, (estimate, truth) in found.items():
            hits[name] += estimate.low <= truth <= estimate.high
    for name, count in hits.items():
        assert 0.92 < count / times < 0.98, name


def test_pairing_is_worth_it_where_pairs_belong_together() -> None:
    random = np.random.default_rng(6)
    deal = random.normal(0, 50, 200)
    one, other = deal + random.normal(2, 1, 200), deal + random.normal(0, 1, 200)
    paired, unpaired = stats.paired_difference(one, other), stats.difference(one, other)
    assert paired.value == pytest.approx(unpaired.value)
    assert paired.above(0) and not unpaired.above(0)
    assert (paired.n, unpaired.n) == (200, 400)


def test_small_integers_do_not_overflow() -> None:
    """Scores come as int16, and sums of their squares do not fit there."""
    scores = np.full(100_000, 30_000, np.int16)
    scores[::2] = -30_000
    assert stats.mean(scores).value == 0
    assert stats.mean(scores).high == pytest.approx(1.96 * 30_000 / np.sqrt(100_000), rel=0.001)


def test_ratio() -> None:
    found = stats.ratio(40, 100, 20, 200)
    assert found.value == pytest.approx(4)
    # The interval of Katz et al. (1978), which is good where neither share is close to 0 or 1.
    spread = ndtri(0.975) * np.sqrt(1 / 40 - 1 / 100 + 1 / 20 - 1 / 200)
    assert (found.low, found.high) == pytest.approx((4 * np.exp(-spread), 4 * np.exp(spread)), rel=0.03)
    assert found.n == 300


def test_more_confidence_is_a_wider_interval() -> None:
    values = [1, 2, 4, 8]
    narrow, wide = stats.mean(values), stats.mean(values, stats.simultaneous(48))
    assert wide.low < narrow.low < narrow.value == wide.value < narrow.high < wide.high
    assert stats.simultaneous(1) == 0.95
    assert stats.simultaneous(50, 0.9) == pytest.approx(0.998)
    with pytest.raises(ValueError, match="at least 1, got 0"):
        stats.simultaneous(0)


def test_estimates_read_well() -> None:
    estimate = Estimate(12.3456, 12.11, 12.52, 100)
    assert str(estimate) == "12.3 [12.1, 12.5]"
    assert f"{estimate}" == str(estimate)
    assert f"{estimate:.2f}" == "12.35 [12.11, 12.52]"
    assert f"{Estimate(0.1, 0.09, 0.11, 100):.1%}" == "10.0% [9.0%, 11.0%]"
    assert str(Estimate(0.0951, 0.0942, 0.0959, 9)) == "0.0951 [0.0942, 0.0959]"
    assert f"{Estimate(-0.001, -0.1, 0.1, 9):.1f}" == "0.0 [-0.1, 0.1]"
    assert str(Estimate(1234.5, 1100, 1300, 9)) == "1234 [1100, 1300]"
    assert str(Estimate(2, 2, 2, 9)) == "2 [2, 2]"


def test_above() -> None:
    low, high = Estimate(1, 0, 2, 9), Estimate(4, 3, 5, 9)
    assert high.above(low) and not low.above(high)
    assert not high.above(Estimate(2, 0, 4, 9))
    assert high.above(2.9) and not high.above(3)


def test_too_little_is_refused() -> None:
    with pytest.raises(ValueError, match="a must hold at least 2 observations, got 1"):
        stats.difference([1], [1, 2])
    with pytest.raises(ValueError, match="one size, got 2 and 3"):
        stats.paired_difference([1, 2], [1, 2, 3])


def test_a_tally_is_the_mean_of_all_in_any_parts() -> None:
    values = np.random.default_rng(8).integers(-150, 240, 10_000)
    tallies = []
    for cuts in ([], [1], [17, 5000, 9000]):
        tally = stats.Tally()
        # Backwards, too: what does not show in the sums cannot show in the digits.
        for part in reversed(np.split(values, cuts)):
            tally.add(part)
        tallies.append(tally.mean())
    assert tallies[0] == tallies[1] == tallies[2]
    assert tallies[0] == pytest.approx(stats.mean(values), rel=1e-12)
    assert tally.mean(0.5) == pytest.approx(stats.mean(values, 0.5), rel=1e-12)


def test_a_tally_loses_nothing_far_from_0() -> None:
    """Where sums of squares as floating-point numbers would have no digits left."""
    values = 60_000 + np.arange(1 << 20) % 2
    tally = stats.Tally()
    for _ in range(8):
        tally.add(values)
    estimate, n = tally.mean(), 8 << 20
    assert estimate.value == 60_000.5
    assert (estimate.high - estimate.low) / 2 == pytest.approx(ndtri(0.975) * 0.5 / np.sqrt(n), rel=1e-6)


@pytest.mark.parametrize("far", [1e9, 1e12])
def test_a_tally_of_other_numbers_is_as_good(far: float) -> None:
    values = np.random.default_rng(9).integers(-150, 240, 5_000) / 3
    tally = stats.Tally()
    for part in np.split(values + far, 10):
        tally.add(part)
    near, found = stats.mean(values), tally.mean()
    assert found.value - far == pytest.approx(near.value, abs=1e-3)
    assert found.high - found.low == pytest.approx(near.high - near.low, rel=1e-3)


def test_a_tally_counts_yes_and_no() -> None:
    tally = stats.Tally()
    tally.add([True, False, True])
    tally.add(np.zeros((2, 2), bool))
    tally.add([])
    assert tally.proportion() == stats.proportion(2, 7)
    # The sum of these is the sum of their squares.
    tally.add([0.5] * 8 + [2])
    with pytest.raises(ValueError, match="yes or no"):
        tally.proportion()
    with pytest.raises(ValueError, match="at least 2 observations, got 0"):
        stats.Tally().mean()


def test_one_deal_scatters_as_far_as_is_to_be_expected() -> None:
    """The statistic of a single pack is the same for every order, so it is its own mean: the degrees of freedom."""
    assert stats.evenly_dealt(np.eye(5)) == pytest.approx(chi2.sf(16, 16))


def places_of(packs: np.ndarray) -> np.ndarray:
    """How often each card lies in places of one, two and three cards."""
    parts = np.split(packs, [1, 3], axis=1)
    return np.array([[(part == card).sum() for part in parts] for card in range(packs.shape[1])])


def test_evenly_dealt_seldom_accuses_a_fair_shuffle() -> None:
    random = np.random.default_rng(8)
    orders = np.tile(np.arange(6), (300, 1))
    found = np.array([stats.evenly_dealt(places_of(random.permuted(orders, axis=1))) for _ in range(600)])
    for level in (0.01, 0.1, 0.5):
        low, high = binom(len(found), level).interval(0.999)
        assert low <= (found < level).sum() <= high


def test_evenly_dealt_catches_a_wrong_shuffle() -> None:
    """Each card is swapped with any other, settled or not."""
    random = np.random.default_rng(9)
    packs = np.tile(np.arange(6), (3000, 1))
    for pack in packs:
        for place, other in enumerate(random.integers(6, size=6)):
            pack[[place, other]] = pack[[other, place]]
    assert stats.evenly_dealt(places_of(packs)) < 1e-6
    with pytest.raises(ValueError, match="the rows of counts have different sums"):
        stats.evenly_dealt([[3, 1], [2, 1]])


@pytest.mark.parametrize(
    "estimate",
    [
        stats.mean([7.5, 7.5]),
        stats.paired_difference([8, 8.5], [0.5, 1]),
        stats.difference([2, 2, 2], [1, 1]),
        stats.elo(np.full((3, 3, 20), 0.5), 2)[1],
    ],
    ids=["mean", "pairs", "difference", "rating"],
)
def test_equal_observations_say_nothing_of_the_spread(estimate: Estimate) -> None:
    assert not estimate.known and f"{estimate:.1f}" == f"{estimate.value:.1f} [unknown]"
    assert not estimate.above(estimate.value - 1) and not Estimate(1e9, 1e8, 1e10, 9).above(estimate)


def test_equal_observations_of_a_tally() -> None:
    tally = stats.Tally()
    tally.add([3, 3, 3])
    assert tally.mean() == stats.mean([3, 3, 3])


@pytest.mark.parametrize(
    ("counts", "low", "high"),
    [((0, 10, 3, 10), 0, 1.21), ((10, 10, 10, 10), 0.72, 1.39), ((3, 10, 0, 10), 0.83, math.inf)],
)
def test_ratios_of_shares_that_are_0_or_1(counts: tuple[int, ...], low: float, high: float) -> None:
    found = stats.ratio(*counts)
    assert (found.low, found.high) == pytest.approx((low, high), abs=0.01)
    assert found.low <= found.value <= found.high


@pytest.mark.parametrize(("n", "share", "other"), [(10, 0.3, 0.3), (20, 0.1, 0.5), (30, 0.9, 0.95), (200, 0.05, 0.02)])
def test_ratios_are_caught_as_often_as_they_should(n: int, share: float, other: float) -> None:
    random = np.random.default_rng(1978)
    pairs = zip(random.binomial(n, share, 2000), random.binomial(n, other, 2000), strict=True)
    caught = sum(e.low <= share / other <= e.high for e in (stats.ratio(a, n, b, n) for a, b in pairs))
    assert caught >= 1880  # 95% would be 1900, with a standard deviation of 10
