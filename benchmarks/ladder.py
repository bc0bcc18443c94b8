"""How strong the agents are: `python -m benchmarks.ladder` writes `data/ladder.csv` and `data/ideas.csv`.

Every agent meets greedy in duplicate play, for 2 and for 4 players by Hawaii's rules; then, for 2, so does every idea
for a stronger agent that was tried. It takes about half an hour on two cores; until all is played the rows are kept in
the folder `--keep`, and the same command goes on from there.

The slow agents play few deals. What they win is measured by how much more it is than what careful wins on the same
deals, added to what careful wins on the many others: that leaves out most of the luck of the few (careful is a control
variate).
"""

import argparse
import csv
import os
import shutil
from collections.abc import Callable, Mapping
from concurrent.futures import Executor, ProcessPoolExecutor
from functools import cache
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


def play(agent: str | Strategy, players: int, deals: int, executor: Executor) -> Tournament:
    """An agent against greedy."""
    entrants: dict[str, str | Strategy] = {"greedy": "greedy", "agent": agent}
    return sakura.tournament(entrants, sakura.Rules(players=players), deals, SEED, executor=executor)


@cache
def control(players: int, executor: Executor) -> Tournament:
    return play("careful", players, DEALS[players][0], executor)


def numbers(played: Tournament, control: Tournament) -> list[str]:
    """What COLUMNS names, of an agent against greedy, and the deals and seed."""
    margin, own, careful = played.margin("agent", "greedy"), played.margins[1, 0], control.margins[1, 0]
    if played.deals < control.deals:
        margin = stats.difference(own - careful[: played.deals], -careful[played.deals :])
    measured = (margin, played.win_share("agent", "greedy"), played.ratings["agent"])
    found = [f"{number:.4g}" for estimate in measured for number in (estimate.value, estimate.low, estimate.high)]
    return [*found, str(played.deals), str(SEED)]


# What is found for a row, by the columns that it begins with.
Tasks = Mapping[tuple[str, ...], Callable[[Executor], list[str]]]


def against_greedy(agent: str | Strategy, players: int, deals: int) -> Callable[[Executor], list[str]]:
    return lambda executor: numbers(play(agent, players, deals, executor), control(players, executor))


def ladder() -> Tasks:
    return {
        (str(players), str(players), name): against_greedy(name, players, many if name in FAST else few)
        for players, (many, few) in DEALS.items()
        for name in BUILT_IN
    }


def ideas() -> Tasks:
    return {(name, what): against_greedy(agent, 2, DEALS[2][1]) for name, (agent, what) in IDEAS.items()}


def write(path: Path, columns: list[str], tasks: Tasks, executor: Executor) -> None:
    """Write a table row by row. The rows that are there already are those of the first tasks."""
    there = len(path.read_text(encoding="utf-8").splitlines()) - 1 if path.exists() else -1
    with open(path, "a", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        if there < 0:
            rows.writerow([*columns, *COLUMNS, "deals", "seed"])
        for key, find in list(tasks.items())[max(there, 0) :]:
            row = [*key, *find(executor)]
            print(*row, flush=True)
            rows.writerow(row)
            file.flush()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    # Another version may play otherwise.
    parser.add_argument("--keep", type=Path, default=Path(f"ladder-{sakura.__version__}"), help="a folder for the rows")
    keep = parser.parse_args().keep
    keep.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as executor:
        write(keep / "ladder.csv", ["players", "sides", "agent"], ladder(), executor)
        write(keep / "ideas.csv", ["idea", "what"], ideas(), executor)
    for name in ("ladder.csv", "ideas.csv"):
        shutil.move(keep / name, DATA / name)
    keep.rmdir()


if __name__ == "__main__":
    main()
