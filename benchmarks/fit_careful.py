"""Fit the weights of `careful` to play-outs: `python -m benchmarks.fit_careful` writes `data/careful.csv`.

What `careful` thinks an action is worth is linear in what its cards are worth, and in what share of that their places
bring. Rounds are played in which every action of every decision is played out over the same hidden cards; the two sets
of weights are then fitted in turn, by least squares, to how the actions of a decision differ. The first fit is to
play-outs by `greedy` alone, the second to play-outs in which the seat that decides plays by the first fit.

`--rounds 1500 --playouts 300` takes about half an hour on two cores.
"""

import argparse
import csv
import io
import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

import sakura
from sakura.agents import careful
from sakura.agents.montecarlo import MonteCarlo
from sakura.bits import lowest, popcount, random63
from sakura.cards import CARDS, DATA, cards_in
from sakura.engine import (
    HIKI,
    LIGHTNING,
    PLAY,
    TURN_UP,
    WILLOW,
    Observation,
    hidden_cards,
    own_captured,
    seen_state,
    suit_of,
)
from sakura.rules import TEAMS
from sakura.yaku import YAKU_SETS

# Seeds that no tournament uses: theirs are small numbers.
SEED = 1 << 40
TABLES = [(players, players) for players in range(2, 8)] + [(p, t) for p, teams in TEAMS.items() for t in teams]
RIDGE = 1.0
TURNS = 6

# What a card's worth is made of: its points, then a number of yaku for each of careful.WORTHS.
PARTS = 1 + len(careful.WORTHS)
ROWS = careful.suit_row(4, 4, 4) + 1
# The Lightning's two, each with and without the cards in the hand, and the hiki's.
EXTRAS = 5


class Sample(NamedTuple):
    """Actions one after another, with what play-outs say of them.

    decision (actions,): which decision an action belongs to.  margin (actions,).  taken (actions, PARTS).
    extra (actions, EXTRAS).  For each place of each suit that an action touches, before and after it: `action`, the
    `row` of the weights times three plus the place, `stage` and `parts` (n, PARTS), negative before the action.
    """

    decision: Any
    margin: Any
    taken: Any
    extra: Any
    action: Any
    row: Any
    stage: Any
    parts: Any


def card_parts(obs: Observation) -> Any:
    """(48, PARTS): what each card's worth is made of for the seat that looks."""
    mine = own_captured(obs)
    theirs = 0
    for cards in obs.captured:
        theirs |= cards
    theirs &= ~mine
    parts = np.zeros((len(CARDS), PARTS))
    parts[:, 0] = [card.points for card in CARDS]
    for cards in YAKU_SETS:
        own, others = popcount(mine & cards), popcount(theirs & cards)
        if not (own and others) and own < 3 and others < 3:
            for card in cards_in(cards):
                parts[card, 1 + (2 + others if others else own)] += 1
    return parts


def places(obs: Observation, action: Any) -> Iterator[tuple[int, int, int]]:
    """(sign, row times three plus place, card set) for the suits that an action touches, before and after it."""
    played = obs.hand & suit_of(action.card) if action.kind == HIKI else 1 << action.card
    laid = action.kind != HIKI and not action.captures
    field = (obs.field | (played if laid else 0)) & ~action.captures
    hand = obs.hand if action.kind == TURN_UP else obs.hand & ~played
    unseen = hidden_cards(seen_state(obs))
    suits = {suit_of(action.card), suit_of(lowest(action.captures)) if action.captures else suit_of(action.card)}
    for suit in suits:
        for sign, split in ((1, (field, hand, unseen)), (-1, (obs.field, obs.hand, unseen))):
            parts = [cards & suit for cards in split]
            row = careful.suit_row(*map(popcount, parts))
            for place, cards in enumerate(parts):
                if cards:
                    yield sign, 3 * row + place, cards


def extras(obs: Observation, action: Any) -> tuple[float, ...]:
    stage = popcount(obs.hand)
    strikes = action.card == LIGHTNING and action.kind == PLAY and bool(action.captures & ~WILLOW)
    spends = action.card == LIGHTNING and action.kind == PLAY and not strikes
    return strikes, strikes * stage, spends, spends * stage, action.kind == HIKI


def play(table: tuple[int, int], rounds: range, agent: MonteCarlo) -> list[tuple[Observation, Any]]:
    """Play rounds by the best that play-outs find, one move in eight at random: decisions, values of actions."""
    players, sides = table
    rules = sakura.Rules(players=players, teams=sides if sides < players else None)
    decisions = []
    for number in rounds:
        seed = random63(SEED + 8 * players + sides, number)
        rnd = sakura.Round(rules, seed=seed, dealer=number % players)
        while not rnd.is_terminal:
            actions = rnd.legal_actions()
            chosen = 0
            if len(actions) > 1:
                obs = rnd.observation(rnd.current_player or 0)
                random = random63(seed, 1000 + len(rnd.actions))
                margins = agent.evaluate(obs, random).values
                decisions.append((obs, margins))
                chosen = random % len(actions) if random >> 32 & 7 == 0 else int(np.argmax(margins))
            rnd.apply_action(actions[chosen])
    return decisions


def sample(decisions: list[tuple[Observation, Any]]) -> Sample:
    columns: list[list[Any]] = [[] for _ in Sample._fields]
    decision, margin, taken, extra, touched, row, stage, parts = columns
    for number, (obs, margins) in enumerate(decisions):
        worth = card_parts(obs)
        for action, value in zip(obs.actions, margins - np.mean(margins), strict=True):
            for sign, place, cards in places(obs, action):
                touched.append(len(decision))
                row.append(place)
                stage.append(popcount(obs.hand))
                parts.append(sign * worth[list(cards_in(cards))].sum(axis=0))
            decision.append(number)
            margin.append(value)
            extra.append(extras(obs, action))
            hiki = obs.hand & suit_of(action.card) if action.kind == HIKI else 0
            cards = hiki | action.captures | (1 << action.card if action.captures else 0)
            taken.append(worth[list(cards_in(cards))].sum(axis=0))
    return Sample(*map(np.array, columns))


def centred(values: Any, decision: Any) -> Any:
    """Values less their mean over the actions of the same decision."""
    groups = sp.csr_matrix((np.ones(len(decision)), (decision, np.arange(len(decision)))))
    means = (groups @ values) / np.asarray(groups.sum(axis=1)).reshape(-1, *[1] * (values.ndim - 1))
    return values - means[decision]


def ridge(features: Any, target: Any) -> Any:
    return np.linalg.solve(features.T @ features + RIDGE * np.eye(features.shape[1]), features.T @ target)


def fit(data: Sample) -> tuple[Any, Any, Any]:
    """(PARTS,) what a card's parts are worth; (ROWS * 3, 2) the shares, fixed and per card in the hand; (EXTRAS,)."""
    n = len(data.margin)
    used, column = np.unique(data.row, return_inverse=True)
    worth = np.array([1.0, 6, 10, 35, 10, 35])
    for _ in range(TURNS):
        amount = data.parts @ worth
        fixed, per_card = (
            sp.csr_matrix((weights, (data.action, column)), shape=(n, len(used))).toarray()
            for weights in (amount, amount * data.stage)
        )
        features = centred(np.hstack([fixed, per_card, data.extra]), data.decision)
        weights = ridge(features, centred(data.margin - data.taken @ worth, data.decision))
        shares = weights[: 2 * len(used)].reshape(2, -1)
        extra = weights[2 * len(used) :]
        each = shares[0][column] + shares[1][column] * data.stage
        parts = data.taken.copy()
        np.add.at(parts, data.action, data.parts * each[:, None])
        parts = centred(parts, data.decision)
        # A point is worth a point.
        target = centred(data.margin - data.extra @ extra, data.decision) - parts[:, 0]
        worth = np.concatenate([[1.0], ridge(parts[:, 1:], target)])
    table = np.zeros((3 * ROWS, 2))
    table[used] = shares.T
    return worth, table, extra


def rows(table: tuple[int, int], worth: Any, shares: Any, extra: Any) -> list[list[object]]:
    """The rows of the file for a table's weights, in the units of `careful`."""
    found: list[list[object]] = []
    for name, value in zip(careful.WORTHS, worth[1:], strict=True):
        found.append([*table, name, "", "", "", round(value * careful.POINT), 0])
    unit = careful.POINT * careful.WHOLE
    for name, fixed, per_card in zip(careful.EXTRAS, extra[::2], [*extra[1::2], 0.0], strict=True):
        found.append([*table, name, "", "", "", round(fixed * unit), round(per_card * unit)])
    for number, (fixed, per_card) in enumerate(shares * careful.WHOLE):
        if fixed or per_card:
            row, place = divmod(number, 3)
            split = row // 25, row // 5 % 5, row % 5
            found.append([*table, careful.PLACES[place], *split, round(fixed), round(per_card)])
    return found


def write(found: list[list[object]]) -> None:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["players", "sides", "weight", "on_field", "in_hand", "not_seen", "fixed", "per_card"])
    writer.writerows(found)
    (DATA / "careful.csv").write_text(text.getvalue(), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=1500, help="rounds at each table, in each of two fits")
    parser.add_argument("--playouts", type=int, default=300, help="play-outs of each action")
    args = parser.parse_args()
    for own in ("greedy", "careful"):
        agent = MonteCarlo(playouts=args.playouts, own=own, halving=False)
        found = []
        # New processes for each fit: they read the weights when they start.
        with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
            for table in TABLES:
                size = -(-args.rounds // 20)
                starts = range(0, args.rounds, size)
                parts = [range(start, min(start + size, args.rounds)) for start in starts]
                played = pool.map(play, [table] * len(parts), parts, [agent] * len(parts))
                data = sample([decision for part in played for decision in part])
                worth, shares, extra = fit(data)
                print(own, table, len(data.margin), "actions; yaku are worth", worth.round(1), flush=True)
                found += rows(table, worth, shares, extra)
        write(found)


if __name__ == "__main__":
    main()
