"""How fast the engine is: `python -m benchmarks [--long]`.

Every figure is a ratio of two things timed in the same run, in turn, several times; the median of the ratios is shown,
with the smallest and the largest. Machines and their moods differ; ratios differ less.
"""

import time
from collections.abc import Callable

import sakura

ROUNDS = 100_000
REPEATS = 11


def timed(task: Callable[[], object]) -> float:
    """Seconds that a task takes."""
    start = time.perf_counter()
    task()
    return time.perf_counter() - start


def ratios(task: Callable[[], object], yardstick: Callable[[], object]) -> str:
    """How many times the yardstick's time a task takes: median, and the range of the repeats."""
    task(), yardstick()
    measured = sorted(timed(task) / timed(yardstick) for _ in range(REPEATS))
    return f"{measured[REPEATS // 2]:6.2f}  ({measured[0]:.2f} to {measured[-1]:.2f})"


def play(agents: object, rounds: int = ROUNDS, players: int = 2) -> Callable[[], object]:
    """A task: play rounds of the default rules on one core."""
    rules = sakura.Rules(players=players)
    return lambda: sakura.simulate(rounds, rules, agents, seed=1, progress=False)
