"""Intervals: how far a simulated number can be trusted. Every one is scipy's; here they only get one shape.

>>> from sakura import stats
>>> print(f"{stats.proportion(123, 1000):.1%}")
12.3% [10.4%, 14.5%]
"""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import scipy.stats
from scipy.stats.contingency import relative_risk

CONFIDENCE = 0.95


class Estimate(NamedTuple):
    """A number with its confidence interval, `low` to `high`, from `n` observations; all in the unit of the data."""

    value: float
    low: float
    high: float
    n: int

    def __format__(self, spec: str) -> str:
        """All three numbers in the same format, as "12.3 [12.1, 12.5]"; by default as finely as the interval allows."""
        spec = spec or self._spec()
        # The z turns -0.0 into 0.0.
        spec = f"z{spec}" if spec.startswith(".") else spec
        return f"{self.value:{spec}} [{self.low:{spec}}, {self.high:{spec}}]"

    def __str__(self) -> str:
        return format(self)

    def _spec(self) -> str:
        reach = (self.high - self.low) / 2
        if not (math.isfinite(reach) and reach > 0):
            return "g"
        return f".{max(0, math.ceil(-math.log10(reach)))}f"

    def above(self, other: "Estimate | float") -> bool:
        """Whether the whole interval lies above a number, or above another interval."""
        return self.low > (other.high if isinstance(other, Estimate) else other)


def simultaneous(intervals: int, confidence: float = CONFIDENCE) -> float:
    """The confidence that each of so many intervals needs, for *all* of them to be right with `confidence`.

    Bonferroni: the risk of a miss is divided among them, whether or not they depend on each other.
    """
    if intervals < 1:
        raise ValueError(f"intervals must be at least 1, got {intervals}")
    return 1 - (1 - confidence) / intervals


def proportion(successes: int, n: int, confidence: float = CONFIDENCE) -> Estimate:
    """The share `successes` of `n` independent trials, with the interval of Wilson (1927). Value from 0 to 1."""
    interval = scipy.stats.binomtest(int(successes), int(n)).proportion_ci(confidence, method="wilson")
    return Estimate(successes / n, float(interval.low), float(interval.high), int(n))


def mean(values: npt.ArrayLike, confidence: float = CONFIDENCE) -> Estimate:
    """The mean of independent observations, of any shape, with Student's t interval."""
    sample = _sample("values", values)
    interval = scipy.stats.ttest_1samp(sample, 0).confidence_interval(confidence)
    return Estimate(float(sample.mean()), float(interval.low), float(interval.high), sample.size)


def difference(a: npt.ArrayLike, b: npt.ArrayLike, confidence: float = CONFIDENCE) -> Estimate:
    """The mean of `a` less the mean of `b`, two independent samples, with Welch's t interval (variances may differ)."""
    one, other = _sample("a", a), _sample("b", b)
    interval = scipy.stats.ttest_ind(one, other, equal_var=False).confidence_interval(confidence)
    value = float(one.mean() - other.mean())
    return Estimate(value, float(interval.low), float(interval.high), one.size + other.size)


def paired_difference(a: npt.ArrayLike, b: npt.ArrayLike, confidence: float = CONFIDENCE) -> Estimate:
    """The mean of `a - b`, where `a[i]` and `b[i]` belong together: the same deal played in two ways. `n` pairs."""
    one, other = _sample("a", a), _sample("b", b)
    if one.size != other.size:
        raise ValueError(f"pairs need two samples of one size, got {one.size} and {other.size} values")
    return mean(one - other, confidence)


def ratio(successes: int, n: int, other_successes: int, other_n: int, confidence: float = CONFIDENCE) -> Estimate:
    """How many times as likely `successes` of `n` are as `other_successes` of `other_n`: a relative risk.

    The interval is that of Katz et al. (1978), from the logarithm; `n` counts both groups.
    """
    risk = relative_risk(int(successes), int(n), int(other_successes), int(other_n))
    interval = risk.confidence_interval(confidence)
    return Estimate(float(risk.relative_risk), float(interval.low), float(interval.high), int(n) + int(other_n))


def _sample(name: str, values: npt.ArrayLike) -> npt.NDArray[np.float64]:
    sample = np.asarray(values, np.float64).ravel()
    if sample.size < 2:
        raise ValueError(f"{name} must hold at least 2 observations, got {sample.size}")
    return sample
