"""Strategies and tables of rules that several tests of the simulation share, importable by worker processes."""

import itertools
import sys
from collections.abc import Iterable
from typing import Any

import numpy as np
from numba import njit

import sakura
from sakura import Round, Rules
from sakura.agents import Strategy
from sakura.bits import random63
from sakura.run import Table

# Every number of players, every team, every house rule of a round; and tables where the rare cases are common.
RULE_SETS: dict[str, Rules] = {
    **{f"{players} players": Rules(players=players) for players in range(2, 8)},
    "4 in 2 teams": Rules(players=4, teams=2),
    "6 in 3 teams": Rules(players=6, teams=3),
    "6 in 2 teams": Rules(players=6, teams=2),
    "ten cards each": Rules(players=2, hand=10),
    "all cards dealt": Rules(players=2, hand=20, field=8),
    "no field": Rules(players=3, hand=9, field=0),
    "one card each": Rules(players=7, hand=1, field=20),
    "four on the field, dealer": Rules(players=6, field=20),
    "four on the field, redeal": Rules(players=6, field=20, four_on_field="redeal"),
    "no hiki": Rules(players=2, hand=12, hiki=False),
    "many hikis": Rules(players=2, hand=14, field=16),
    "many hikis, pile played out": Rules(players=2, hand=14, field=16, play_out_pile=True),
    "pile played out": Rules(players=4, play_out_pile=True),
    "claim": Rules(players=3, lightning="claim"),
    "claim, teams": Rules(players=4, teams=2, lightning="claim"),
    "claim from the pile": Rules(players=5, lightning="claim", lightning_from_pile=True),
    "sweep from the pile": Rules(players=2, lightning_from_pile=True),
    "sweep all": Rules(players=4, lightning="sweep_all"),
    "sweep all from the pile": Rules(players=6, teams=2, lightning="sweep_all", lightning_from_pile=True),
    "plain": Rules(players=3, lightning="plain"),
    "Lightning discarded": Rules(players=6, lightning_dealt="discarded"),
    "bonus": Rules(players=3, yaku="bonus"),
    "bonus, teams": Rules(players=6, teams=3, yaku="bonus"),
    "wikipedia": Rules.preset("wikipedia", players=4),
    "paradise": Rules.preset("paradise", players=2),
}


def deal_again(rules: Rules, seed: int, number: int) -> Round:
    """Round `number` of a simulation as a round of its own: what `simulate` promises of its rows, spelled out."""
    return Round(rules, seed=random63(random63(seed, 0), number), dealer=number % rules.players)


def all_columns(results: sakura.Results) -> dict[str, Any]:
    """The columns of some results by name."""
    return results.table._asdict()


def assert_same_rows(left: sakura.Results, right: sakura.Results, first: int = 0) -> None:
    """Both have the same rows, those of `left` from `first` on."""
    assert len(left) - first == len(right)
    for name, column in all_columns(left).items():
        np.testing.assert_array_equal(column[first:], getattr(right, name), err_msg=name)


def in_memory(batches: Iterable[sakura.Results]) -> sakura.Results:
    """All rounds of a scan, of one seed, as if they had been played in one go."""
    batches = list(batches)
    for before, batch in itertools.pairwise(batches):
        assert batch.first == before.first + len(before)
    tables = zip(*(batch.table for batch in batches), strict=True)
    return sakura.Results(batches[0].run, Table(*map(np.concatenate, tables)), batches[0].first)


# ---- Strategies ----


def last_action(obs: sakura.Observation, random: int) -> int:
    """Whatever comes last in the list."""
    return len(obs.actions) - 1


def by_everything(obs: sakura.Observation, random: int) -> int:
    """An action that hangs on every number of the observation, so that a wrong one shows in the rows."""
    digest = random % 1_000_003
    for number in (obs.seat, obs.turn, obs.dealer, obs.players, obs.sides, obs.hand, obs.field, obs.removed):
        digest = (digest * 31 + number) % 1_000_003
    for number in (obs.pile_size, obs.turned_up, obs.lightning_seat, obs.odd_suit):
        digest = (digest * 31 + number) % 1_000_003
    for seat in range(7):
        digest = (digest * 31 + obs.captured[seat]) % 1_000_003
        digest = (digest * 31 + obs.hand_sizes[seat]) % 1_000_003
    for i in range(len(obs.actions)):
        action = obs.actions[i]
        digest = (digest * 31 + action.kind) % 1_000_003
        digest = (digest * 31 + action.card) % 1_000_003
        digest = (digest * 31 + action.captures) % 1_000_003
    return digest % len(obs.actions)


def dearest(obs: sakura.Observation, random: int) -> int:
    """The action that captures the most points from the field."""
    best = 0
    for i in range(len(obs.actions)):
        if sakura.points(obs.actions[i].captures) > sakura.points(obs.actions[best].captures):
            best = i
    return best


compiled_by_everything: Strategy = njit(by_everything)
compiled_by_everything.__name__ = "compiled_by_everything"
compiled_dearest: Strategy = njit(dearest)


def tires(obs: sakura.Observation, random: int) -> int:
    """Ends the interpreter in one of 500 decisions."""
    return random % len(obs.actions) if random % 499 else sys.exit("done")


def always_fails(obs: sakura.Observation, random: int) -> int:
    raise LookupError("lost the thread")


class Holder:
    """Plays the first action, and holds something."""

    def __init__(self, held: Any) -> None:
        self.held = held

    def __call__(self, obs: sakura.Observation, random: int) -> int:
        return 0
