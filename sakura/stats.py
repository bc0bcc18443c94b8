"""Intervals: how far a simulated number can be trusted. Every one is scipy's; here they only get one shape.

>>> from sakura import stats
>>> print(f"{stats.proportion(123, 1000):.1%}")
12.3% [10.4%, 14.5%]

Observations that are all equal say nothing of how far their mean may be from the truth. Then the ends of the interval
are UNKNOWN, which is nan: an estimate is shown as "7.5 [unknown]", and is never `above` anything.
"""

import math
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import scipy.special
import scipy.stats

from .checks import whole

CONFIDENCE = 0.95

UNKNOWN = math.nan


class Estimate(NamedTuple):
    """A number with its confidence interval, `low` to `high`, from `n` observations; all in the unit of the data.

    `low` and `high` are UNKNOWN where the observations say nothing of it.
    """

    value: float
    low: float
    high: float
    n: int

    def __format__(self, spec: str) -> str:
        """All three numbers in the same format, as "12.3 [12.1, 12.5]"; by default as finely as the interval allows."""
        spec = spec or self._spec()
        # The z turns -0.0 into 0.0.
        spec = f"z{spec}" if spec.startswith(".") else spec
        if not self.known:
            return f"{self.value:{spec}} [unknown]"
        return f"{self.value:{spec}} [{self.low:{spec}}, {self.high:{spec}}]"

    def __str__(self) -> str:
        return format(self)

    def _spec(self) -> str:
        reach = (self.high - self.low) / 2
        if not (math.isfinite(reach) and reach > 0):
            return "g"
        return f".{max(0, math.ceil(-math.log10(reach)))}f"

    @property
    def known(self) -> bool:
        """Whether there is an interval."""
        return not (math.isnan(self.low) or math.isnan(self.high))

    def above(self, other: "Estimate | float") -> bool:
        """Whether the whole interval lies above a number, or above another interval."""
        return self.low > (other.high if isinstance(other, Estimate) else other)


def simultaneous(intervals: int, confidence: float = CONFIDENCE) -> float:
    """The confidence that each of so many intervals needs, for *all* of them to be right with `confidence`.

    Bonferroni: the risk of a miss is divided among them, whether or not they depend on each other.
    """
    whole("intervals", intervals, 1)
    return 1 - (1 - confidence) / intervals


def proportion(successes: int, n: int, confidence: float = CONFIDENCE) -> Estimate:
    """The share `successes` of `n` independent trials, with the interval of Wilson (1927). Value from 0 to 1."""
    n = whole("n", n, 1)
    successes = whole("successes", successes, 0, n + 1)
    interval = scipy.stats.binomtest(successes, n).proportion_ci(confidence, method="wilson")
    return Estimate(successes / n, float(interval.low), float(interval.high), n)


def mean(values: npt.ArrayLike, confidence: float = CONFIDENCE) -> Estimate:
    """The mean of independent observations, of any shape, with Student's t interval."""
    sample = _sample("values", values)
    if np.ptp(sample) == 0:
        return Estimate(float(sample[0]), UNKNOWN, UNKNOWN, sample.size)
    interval = scipy.stats.ttest_1samp(sample, 0).confidence_interval(confidence)
    return Estimate(float(sample.mean()), float(interval.low), float(interval.high), sample.size)


class Tally:
    """Observations that come a part at a time, as their number and sums: for more of them than memory holds.

    The sums are fractions, which lose nothing: it does not matter in which parts or in which order whole numbers come
    (within 2^16 of each other, in parts of at most 2^20).
    """

    def __init__(self) -> None:
        self.n = 0
        self.total, self.squares = Fraction(0), Fraction(0)
        self._yes_or_no = True

    def add(self, values: npt.ArrayLike) -> None:
        """More observations, of any shape: numbers, or yes and no."""
        part = np.asarray(values, np.float64).ravel()
        if not part.size:
            return
        # Squares of numbers near 0 lose nothing; far from it they would.
        centre = float(np.rint(part.mean()))
        apart = part - centre
        rest = Fraction(float(apart.sum()))
        self.n += part.size
        self.total += rest + part.size * Fraction(centre)
        self.squares += Fraction(float(apart @ apart)) + Fraction(centre) * (2 * rest + part.size * Fraction(centre))
        self._yes_or_no &= bool(np.all((part == 0) | (part == 1)))

    def mean(self, confidence: float = CONFIDENCE) -> Estimate:
        """As `mean` of all of them."""
        if self.n < 2:
            raise ValueError(f"a mean needs at least 2 observations, got {self.n}")
        value = self.total / self.n
        variance = (self.squares - self.total * value) / (self.n - 1)
        # Never below 0 for whole numbers, of which the sums are exact.
        if variance <= 0:
            return Estimate(float(value), UNKNOWN, UNKNOWN, self.n)
        spread = math.sqrt(variance / self.n)
        reach = float(scipy.stats.t.ppf((1 + confidence) / 2, self.n - 1)) * spread
        return Estimate(float(value), float(value) - reach, float(value) + reach, self.n)

    def proportion(self, confidence: float = CONFIDENCE) -> Estimate:
        """As `proportion`, of those that are yes."""
        if not self._yes_or_no:
            raise ValueError("a proportion needs observations that are yes or no, got other numbers")
        return proportion(int(self.total), self.n, confidence)


def difference(a: npt.ArrayLike, b: npt.ArrayLike, confidence: float = CONFIDENCE) -> Estimate:
    """The mean of `a` less the mean of `b`, two independent samples, with Welch's t interval (variances may differ)."""
    one, other = _sample("a", a), _sample("b", b)
    value = float(one.mean() - other.mean())
    if np.ptp(one) == 0 == np.ptp(other):
        return Estimate(value, UNKNOWN, UNKNOWN, one.size + other.size)
    interval = scipy.stats.ttest_ind(one, other, equal_var=False).confidence_interval(confidence)
    return Estimate(value, float(interval.low), float(interval.high), one.size + other.size)


def paired_difference(a: npt.ArrayLike, b: npt.ArrayLike, confidence: float = CONFIDENCE) -> Estimate:
    """The mean of `a - b`, where `a[i]` and `b[i]` belong together: the same deal played in two ways. `n` pairs."""
    one, other = _sample("a", a), _sample("b", b)
    if one.size != other.size:
        raise ValueError(f"pairs need two samples of one size, got {one.size} and {other.size} values")
    return mean(one - other, confidence)


def ratio(successes: int, n: int, other_successes: int, other_n: int, confidence: float = CONFIDENCE) -> Estimate:
    """How many times as likely `successes` of `n` are as `other_successes` of `other_n`: a relative risk.

    The interval comes from those of Wilson for the two shares (MOVER; Donner and Zou 2012), so that it holds for shares
    of 0 and 1, too. Its upper end, and with it the value, is infinite where the other share is 0; where both are, the
    value is nan. `n` counts both groups.
    """
    one, other = proportion(successes, n, confidence), proportion(other_successes, other_n, confidence)
    product = one.value * other.value

    def end(mine: float, theirs: float, sign: int) -> float:
        own, others = mine * (2 * one.value - mine), theirs * (2 * other.value - theirs)
        # Rounding must not make the root's argument negative.
        return (product + sign * math.sqrt(max(0.0, product**2 - own * others))) / others

    value = one.value / other.value if other.value else math.inf if one.value else math.nan
    low = end(one.low, other.high, -1)
    high = end(one.high, other.low, 1) if other.low > 0 else math.inf
    return Estimate(value, max(0.0, low), high, one.n + other.n)


def _sample(name: str, values: npt.ArrayLike) -> npt.NDArray[np.float64]:
    sample = np.asarray(values, np.float64).ravel()
    if sample.size < 2:
        raise ValueError(f"{name} must hold at least 2 observations, got {sample.size}")
    return sample


def share(values: npt.ArrayLike, confidence: float = CONFIDENCE) -> Estimate:
    """The mean of independent observations from 0 to 1, with an interval that stays within 0 and 1.

    Wilson's, for as many yes-or-no trials as would scatter like these observations (Korn and Graubard 1998; Franco et
    al. 2019), with Student's quantile. Where all are equal, for as many trials as there are observations.
    """
    sample = _sample("values", values)
    n, value = sample.size, float(sample.mean())
    most = value * (1 - value)
    # The reciprocal of the number of trials, in squared quantiles.
    unit = (
        float(scipy.stats.t.ppf((1 + confidence) / 2, n - 1)) ** 2
        / n
        * (sample.var() / most if np.ptp(sample) > 0 else 1)
    )
    centre = (value + unit / 2) / (1 + unit)
    reach = math.sqrt(unit * most + unit * unit / 4) / (1 + unit)
    # Rounding must not leave the value outside.
    return Estimate(value, min(value, max(0.0, centre - reach)), max(value, min(1.0, centre + reach)), n)


# Ratings as Elo gave them to chess players: ten times the odds are 400 points.
ELO = 400 / math.log(10)
ELO_ANCHOR = 1000
_DRAWS = 1000
# A step of Newton's that changes no rating any more, and more steps than are ever needed.
_SMALL, _STEPS = 1e-7, 200
# Random numbers drawn at a time, which bounds the memory that they take.
_WEIGHTS_AT_ONCE = 1 << 23


def bradley_terry(shares: npt.NDArray[np.float64], sides: int) -> npt.NDArray[np.float64]:
    """The strengths that explain the shares of wins best, as natural logarithms with mean 0: float (..., players).

    `shares[..., a, b]` is the share of rounds that `a`, alone on its side, wins against `sides - 1` sides of `b`; it
    is strictly between 0 and 1. In the model of Bradley and Terry (1952), for several sides by Luce (1959), a side
    wins in proportion to its strength: a / (a + (sides - 1) b). The likelihood is a logistic regression's; its maximum
    is found by Newton's method, with the steps of Sun and Tran-Dinh (2019) that cannot go astray.

    Raises ValueError for shares of 0 or 1, which no finite strengths explain.
    """
    if not np.all((shares > 0) & (shares < 1)):
        raise ValueError("shares must lie between 0 and 1, and be neither")
    strengths = np.zeros(shares.shape[:-1])
    for _ in range(_STEPS):
        expected = scipy.special.expit(strengths[..., :, None] - strengths[..., None, :] - math.log(sides - 1))
        excess = shares - expected
        slope = excess.sum(-1) - excess.sum(-2)
        weight = expected * (1 - expected)
        weight = weight + weight.swapaxes(-1, -2)
        # Only differences between strengths are determined; the ones keep the mean at 0.
        curvature = np.eye(shares.shape[-1]) * weight.sum(-1)[..., None] - weight + 1
        step = np.linalg.solve(curvature, slope[..., None])[..., 0]
        reach = np.ptp(step, axis=-1, keepdims=True)
        strengths += step * np.log1p(reach) / np.maximum(reach, _SMALL)
        if reach.max() < _SMALL:
            break
    return strengths


def elo(
    shares: npt.NDArray[np.float64], sides: int, anchor: int = 0, seed: int = 0, confidence: float = CONFIDENCE
) -> list[Estimate]:
    """A rating for each player, from shares of wins (players, players, n) as `bradley_terry` takes them, one for each
    of `n` independent observations. Player `anchor` has 1000, for certain; a difference of 400 is ten times the odds.

    An observation is of a round from each side. One round more, at which all are level, keeps the rating finite of a
    player that always wins. The intervals are from the Bayesian bootstrap (Rubin 1981) over all of these, so that what
    the pairs have in common, the luck of a deal, is in them; widened, as few observations need it, as Hesterberg
    (2015) does. `seed` is for the random numbers.
    """
    players, n = shares.shape[1:]
    if n < 2:
        raise ValueError(f"ratings need at least 2 observations, got {n}")
    seen = shares.reshape(-1, n).T

    def rated(weights: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Ratings (draws, players) for weights (draws, n + 1) of the observations, the last for the level round."""
        weights, level = weights[:, :-1], weights[:, -1:] / sides
        means = (weights @ seen + level / sides) / (weights.sum(axis=1, keepdims=True) + level)
        strengths = bradley_terry(means.reshape(-1, players, players), sides)
        return ELO_ANCHOR + ELO * (strengths - strengths[:, [anchor]])

    random = np.random.default_rng(seed)
    at_once = max(1, _WEIGHTS_AT_ONCE // (n + 1))
    draws = [
        rated(random.standard_exponential((min(at_once, _DRAWS - first), n + 1))) for first in range(0, _DRAWS, at_once)
    ]
    values, found = rated(np.ones((1, n + 1)))[0], np.concatenate(draws)
    tail = (1 - confidence) / 2
    wider = scipy.stats.t.ppf(tail, n - 1) / scipy.stats.norm.ppf(tail) * math.sqrt((n + 1) / (n - 1))
    lows, highs = values + wider * (np.quantile(found, [tail, 1 - tail], axis=0) - values)
    # Of a player whose rating no draw moves, nothing is known of how far off it is.
    unmoved = np.ptp(found, axis=0) < _SMALL * ELO
    unmoved[anchor] = False
    lows[unmoved] = highs[unmoved] = UNKNOWN
    return [Estimate(float(v), float(low), float(high), n) for v, low, high in zip(values, lows, highs, strict=True)]


def evenly_dealt(counts: npt.ArrayLike) -> float:
    """The p-value of fair shuffling, from `counts` (cards, places): how often each card was dealt to each place.

    They come from deals in which every card is in one place, and a place always takes the same number of cards: equal
    sums of the rows, and of each column so many cards' worth. Then the counts scatter a little more than independent
    ones would, with covariances n / (n - 1) times as large for n cards, and Pearson's sum, divided by that, has the
    chi-square distribution with (n - 1) (places - 1) degrees of freedom; for many deals.

    Raises ValueError where some cards were dealt more often than others.
    """
    seen = np.asarray(counts, np.float64)
    cards, places = seen.shape
    if np.ptp(seen.sum(axis=1)) > 0:
        raise ValueError("every card must have been dealt equally often: the rows of counts have different sums")
    expected = seen.sum(axis=0) / cards
    pearson = ((seen - expected) ** 2 / expected).sum()
    return float(scipy.stats.chi2.sf(pearson * (cards - 1) / cards, (cards - 1) * (places - 1)))
