"""How fast the engine is: `python -m benchmarks`, with `--long` up to 10^8 rounds.

Every figure is a ratio of two things timed in turn in the same run; shown are the median of the ratios and their range.
Machines and their moods differ, ratios differ less. Single times, where they matter, are shown as they came.
"""

import argparse
import multiprocessing
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor
from pathlib import Path

import numba
import numpy as np

import sakura
from sakura.agents import BUILT_IN, MonteCarlo

from . import others

ROUNDS = 100_000
REPEATS = 11
# For what takes seconds.
FEW_REPEATS = 3
FIRST_RESULT = "import sakura; sakura.simulate(1000, progress=False)"

Task = Callable[[], object]


def seconds(task: Task) -> float:
    """How long a task takes."""
    start = time.perf_counter()
    task()
    return time.perf_counter() - start


def compare(what: str, task: Task, yardstick: Task, wanted: str, repeats: int = REPEATS) -> None:
    """Print how many times the yardstick's time a task takes."""
    task(), yardstick()
    ratios = sorted(seconds(task) / seconds(yardstick) for _ in range(repeats))
    show(what, f"{ratios[repeats // 2]:.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})", wanted)


def show(what: str, measured: str, wanted: str = "") -> None:
    print(f"{what:68} {measured:>24}   {wanted}", flush=True)


def playing(agents: object, rounds: int = ROUNDS, players: int = 2) -> Task:
    """A task: rounds by the default rules on one core."""
    rules = sakura.Rules(players=players)
    return lambda: sakura.simulate(rounds, rules, agents, seed=1, progress=False)


def hot_loop() -> None:
    """The loop against numpy's shuffle, our own deal, and strategies called through a pointer."""
    packs = np.tile(np.arange(48, dtype=np.uint8), (ROUNDS, 1))
    generator = np.random.default_rng(1)

    def shuffling() -> object:
        return generator.permuted(packs, axis=1)

    user = {name: numba.njit(BUILT_IN[name]) for name in ("random", "greedy")}
    compare("a random round / numpy's Generator.permuted of a pack", playing("random"), shuffling, "at most 1")
    compare("a greedy round / numpy's Generator.permuted of a pack", playing("greedy"), shuffling, "at most 2")
    compare(
        "a random round / our shuffle and deal alone",
        playing("random"),
        lambda: sakura.deals(ROUNDS, seed=1),
        "at most 6",
    )
    compare("random compiled by a user / built in", playing(user["random"]), playing("random"), "at most 1.5")
    compare("greedy compiled by a user, over the list / built in", playing(user["greedy"]), playing("greedy"), "")
    for players in (4, 7):
        compare(f"a random round of {players} / of 2", playing("random", players=players), playing("random"), "")


def play_outs() -> None:
    """Play-outs against rounds played for their own sake, and careful play against greedy."""
    obs = sakura.Round(seed=3).observation(0)
    agent = MonteCarlo(playouts=1000, halving=False)
    count = 1000 * len(obs.actions)
    compare(
        f"{len(obs.actions)} actions x 1,000 greedy play-outs / {count:,} greedy rounds",
        lambda: agent.evaluate(obs, 1),
        playing("greedy", count),
        "at most 1.5",
    )
    compare("a careful round / a greedy one", playing("careful"), playing("greedy"), "")


def start_up() -> None:
    """A fresh process to its first result, with and without compiled code in the cache."""

    def fresh(cache: str) -> float:
        environment = os.environ | {"NUMBA_CACHE_DIR": cache}
        return seconds(lambda: subprocess.run([sys.executable, "-c", FIRST_RESULT], env=environment, check=True))

    with tempfile.TemporaryDirectory() as cache:
        show("fresh process to first result, compiling", f"{fresh(cache):.1f} s", "under 8 s")
        show(
            "fresh process to first result, compiled before",
            f"{min(fresh(cache) for _ in range(3)):.2f} s",
            "under 1 s",
        )


def size(long: bool) -> None:
    """Memory, and the cost of a round from few rounds to many."""
    results = sakura.simulate(1_000_000, progress=False)
    megabytes = sum(column.nbytes for column in results.table) / 1e6
    show("results of a million rounds of 2", f"{megabytes:.0f} MB", "under 100 MB")
    base = seconds(playing("random", 10**5)) / 10**5
    for power in range(6, 9 if long else 8):
        cost = seconds(playing("random", 10**power)) / 10**power
        show(f"cost of a round among 10^{power} / among 10^5", f"{cost / base:.2f}", "about 1")


def processes() -> None:
    """Rounds through pools of one and two processes against rounds played here."""
    rounds = 3_000_000

    def through(pool: Executor) -> Task:
        return lambda: sakura.simulate(rounds, agents="greedy", seed=1, executor=pool, progress=False)

    for workers in (1, 2):
        with ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn")) as pool:
            what = f"greedy rounds here / through {workers} process{'es' if workers > 1 else ''}"
            compare(what, playing("greedy", rounds), through(pool), f"near {workers}", FEW_REPEATS)


def files() -> None:
    """Rounds written to a folder of files, and summed up from there."""
    rounds = 2_000_000
    with tempfile.TemporaryDirectory() as base:
        for players in (2, 4, 7):
            rules, folder = sakura.Rules(players=players), Path(base, str(players))

            def write(rules: sakura.Rules = rules, folder: Path = folder) -> object:
                shutil.rmtree(folder, ignore_errors=True)
                return sakura.simulate(rounds, rules, "greedy", seed=1, out=folder, progress=False)

            compare(
                f"a greedy round of {players}, written / kept",
                write,
                playing("greedy", rounds, players),
                "",
                FEW_REPEATS,
            )
            size = sum(file.stat().st_size for file in folder.iterdir()) / rounds
            show(f"a round of {players} on disk", f"{size:.1f} bytes")
            scan = sakura.Results.scan(folder)
            compare(
                f"a round of {players}, summed up from disk / played and written",
                lambda scan=scan: scan.summary(progress=False),
                write,
                "below 1",
                FEW_REPEATS,
            )
            billion = 1e9 / rounds / 3600 * seconds(write)
            show(f"a billion greedy rounds of {players} on one core, written", f"{billion:.2f} hours")


def beside_others() -> None:
    """Our rounds and decisions a second against those of other engines."""
    ours = ROUNDS / min(seconds(playing("random")) for _ in range(3))
    show("rounds a second, random, 2 players, one core", f"{ours:,.0f}")
    try:
        theirs = others.open_spiel_euchre(seconds=3)
        show(f"our rounds / OpenSpiel's euchre ({theirs:,.0f} a second)", f"{ours / theirs:.0f}", "10 or more")
    except ImportError:
        show("OpenSpiel is not installed", "")
    try:
        theirs = others.pgx_leduc_holdem()
        decisions = ours * decisions_per_round()
        show(f"our decisions / pgx's leduc_holdem ({theirs:,.0f} a second)", f"{decisions / theirs:.1f}")
    except ImportError:
        show("pgx is not installed", "")


def decisions_per_round(rounds: int = 200) -> float:
    """How many decisions a random round of two takes, on average."""
    count = 0
    for seed in range(rounds):
        rnd = sakura.Round(seed=seed)
        while not rnd.is_terminal:
            rnd.apply_action(rnd.choose("random"))
        count += len(rnd.actions)
    return count / rounds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--long", action="store_true", help="also play 10^8 rounds")
    args = parser.parse_args()
    print(f"numba {numba.__version__}, numpy {np.__version__}, {ROUNDS:_} rounds a timing, {REPEATS} timings in turn\n")
    hot_loop()
    play_outs()
    start_up()
    size(args.long)
    processes()
    files()
    beside_others()


if __name__ == "__main__":
    main()
