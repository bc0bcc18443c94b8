"""How strong the agents are: `python -m benchmarks.ladder` writes `data/ladder.csv` and `data/ideas.csv`.

Every agent meets greedy in duplicate play, for 2 and for 4 players by Hawaii's rules; then, for 2, so does every idea
for a stronger agent that was tried. It takes about half an hour on two cores; what was played is kept in the folder
`--keep`, and the same command goes on from there.

The slow agents play few deals. What they win is measured by how much more it is than what careful wins on the same
deals, added to what careful wins on the many others: that leaves out most of the luck of the few (careful is a control
variate).
"""

import argparse
import csv
import os
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import sakura
from sakura import Tournament, stats
from sakura.agents import BUILT_IN, MonteCarlo, Strategy
from sakura.cards import DATA

SEED = 2026
FAST = ("random", "greedy", "careful")
# Deals for a fast agent and for the others.
DEALS = {2: (20_000, 800), 4: (10_000, 150)}
COLUMNS = ("margin", "low", "high", "win_share", "win_low", "win_high", "rating", "rating_low", "rating_high")

# What was tried on the way to expert and master. Each differs from `halving` in one thing.
IDEAS: dict[str, tuple[Strategy, str]] = {
    "halving": (
        MonteCarlo(100, own="careful"),
        "100 play-outs an action, careful in the own seat, greedy in the others",
    ),
    "flat": (MonteCarlo(100, own="careful", halving=False), "the same number for every action"),
    "greedy": (MonteCarlo(100), "greedy in every seat"),
    "careful": (MonteCarlo(100, own="careful", others="careful"), "careful in every seat"),
    "random": (MonteCarlo(100, own="random", others="random"), "random in every seat"),
    "advice": (MonteCarlo(100, own="careful", advice=225), "careful's opinion counts as 225 play-outs: the expert"),
    "few": (MonteCarlo(30, own="careful", advice=225), "and only 30 play-outs an action"),
    "many": (MonteCarlo(1000, own="careful"), "1,000 play-outs an action"),
}


def play(agent: str | Strategy, players: int, deals: int, executor: Executor, out: Path) -> Tournament:
    """An agent against greedy."""
    entrants: dict[str, str | Strategy] = {"greedy": "greedy", "agent": agent}
    return sakura.tournament(entrants, sakura.Rules(players=players), deals, SEED, executor=executor, out=out)


def numbers(played: Tournament, control: Tournament) -> list[str]:
    """What COLUMNS names, of an agent against greedy, and the deals and seed."""
    margin, own, careful = played.margin("agent", "greedy"), played.margins[1, 0], control.margins[1, 0]
    if played.deals < control.deals:
        margin = stats.difference(own - careful[: played.deals], -careful[played.deals :])
    measured = (margin, played.win_share("agent", "greedy"), played.ratings["agent"])
    found = [f"{number:.4g}" for estimate in measured for number in (estimate.value, estimate.low, estimate.high)]
    return [*found, str(played.deals), str(SEED)]


def ladder(executor: Executor, keep: Path) -> Iterator[list[str]]:
    yield ["players", "sides", "agent", *COLUMNS, "deals", "seed"]
    for players, (many, few) in DEALS.items():
        control = play("careful", players, many, executor, keep / f"{players}_careful.parquet")
        for name in BUILT_IN:
            deals = many if name in FAST else few
            played = play(name, players, deals, executor, keep / f"{players}_{name}.parquet")
            yield [str(players), str(players), name, *numbers(played, control)]


def ideas(executor: Executor, keep: Path) -> Iterator[list[str]]:
    yield ["idea", "what", *COLUMNS, "deals", "seed"]
    many, few = DEALS[2]
    control = play("careful", 2, many, executor, keep / "2_careful.parquet")
    for name, (agent, what) in IDEAS.items():
        played = play(agent, 2, few, executor, keep / f"idea_{name}.parquet")
        yield [name, what, *numbers(played, control)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keep", type=Path, default=Path("ladder"), help="the folder for what was played")
    keep = parser.parse_args().keep
    keep.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as executor:
        for name, rows in (("ladder", ladder(executor, keep)), ("ideas", ideas(executor, keep))):
            found = []
            for row in rows:
                print(*row, flush=True)
                found.append(row)
            with open(DATA / f"{name}.csv", "w", encoding="utf-8", newline="") as file:
                csv.writer(file, lineterminator="\n").writerows(found)


if __name__ == "__main__":
    main()
