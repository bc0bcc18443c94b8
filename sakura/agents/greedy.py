"""`greedy`: whatever brings most at once.

The action that captures the most points, counting 50 for each yaku that it completes for its own side; among equals,
any one. It looks neither ahead nor at what others collect, and does not reckon with what a Lightning may claim.
"""

from ..bits import lowest, pick, popcount
from ..cards import points
from ..engine import (
    ACTION_SIZE,
    HIKI,
    LIGHTNING,
    LIGHTNING_SET,
    Actions,
    Observation,
    Options,
    add_action,
    first_capture,
    own_captured,
    second_capture,
    suit_of,
    suits_of,
)
from ..yaku import YAKU_POINTS, completed
from .random import random_option


def gain(mine: int, done: int, taken: int) -> int:
    """What capturing `taken` brings a side that holds `mine` and in it the yaku `done`."""
    return points(taken) + YAKU_POINTS * popcount(completed(mine | taken) & ~done)


def action_gain(obs: Observation, i: int, mine: int, done: int) -> int:
    """What the legal action number `i` brings at once; a card that is laid brings nothing."""
    action = obs.actions[i]
    if action.kind == HIKI:
        return gain(mine, done, obs.hand & suit_of(action.card) | action.captures)
    return gain(mine, done, action.captures | 1 << action.card) if action.captures else 0


def greedy_strategy(obs: Observation, random: int) -> int:
    """One of the actions that bring most at once."""
    mine = own_captured(obs)
    done = completed(mine)
    best = 0
    ties = 0
    for i in range(len(obs.actions)):
        value = action_gain(obs, i, mine, done)
        if value > best:
            best = value
            ties = 0
        ties += value == best
    skip = pick(random, ties)
    i = 0
    while skip or action_gain(obs, i, mine, done) != best:
        skip -= action_gain(obs, i, mine, done) == best
        i += 1
    return i


def greedy_option(options: Options, mine: int, ties: Actions, random: int) -> tuple[int, int, int]:
    """The action (kind, card, captures) that `greedy_strategy` takes, without a list of them all: for the hot loop.

    Only what captures can gain; where nothing gains, every action ties with every other. `ties` is scratch.
    """
    kind, cards, field, twos, targets, hikis = options
    done = completed(mine)
    matching = cards & suits_of(field)
    best = 0
    n = 0
    # In the order of engine.legal_actions: first choices, second ones, the Lightning's targets, hikis.
    for second in range(2):
        rest = matching & twos if second else matching
        while rest:
            card = lowest(rest)
            captures = second_capture(field, card) if second else first_capture(field, card, twos)
            value = gain(mine, done, captures | 1 << card)
            # Without branches: which card is best is anybody's guess.
            n = 0 if value > best else n
            best = max(value, best)
            add_action(ties, n, kind, card, captures)
            n += value == best
            rest &= rest - 1
    while targets:
        value = gain(mine, done, targets & -targets | LIGHTNING_SET)
        n = 0 if value > best else n
        best = max(value, best)
        add_action(ties, n, kind, LIGHTNING, targets & -targets)
        n += value == best
        targets &= targets - 1
    while hikis:
        suit = suit_of(lowest(hikis))
        value = gain(mine, done, suit)
        n = 0 if value > best else n
        best = max(value, best)
        add_action(ties, n, HIKI, lowest(cards & suit), field & suit)
        n += value == best
        hikis ^= suit
    if best == 0:
        return random_option(options, random)
    i = ACTION_SIZE * pick(random, n)
    return ties[i], ties[i + 1], ties[i + 2]
