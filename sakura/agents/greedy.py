"""`greedy`: whatever brings most at once.

The action that captures the most points, counting 50 for each yaku that it completes for its own side; among equals,
any one. It looks neither ahead nor at what others collect, and does not reckon with what a Lightning may claim.
"""

from ..bits import lowest, pick, popcount
from ..cards import points
from ..engine import (
    ACTION_SIZE,
    HIKI,
    Actions,
    Observation,
    add_action,
    first_capture,
    own_captured,
    second_capture,
    suit_of,
    suits_of,
    suits_of_two,
)
from ..yaku import YAKU_POINTS, completed
from .random import random_match


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


def greedy_match(
    cards: int, field: int, mine: int, ties: Actions, random: int
) -> tuple[int, int]:
    """The same choice as (card, captures), without a list of actions, where matching is all there is to it.

    Only cards that match can gain anything; where none does, every action ties with every other. `ties` is scratch.
    """
    twos = suits_of_two(field)
    done = completed(mine)
    matching = cards & suits_of(field)
    best = 0
    n = 0
    # First choices in order, then second ones, as engine.legal_actions lists them.
    for second in range(2):
        rest = matching & twos if second else matching
        while rest:
            card = lowest(rest)
            rest &= rest - 1
            captures = second_capture(field, card) if second else first_capture(field, card, twos)
            value = gain(mine, done, captures | 1 << card)
            # Without branches: which card is best is anybody's guess.
            n = 0 if value > best else n
            best = max(value, best)
            add_action(ties, n, 0, card, captures)
            n += value == best
    if best == 0:
        return random_match(cards, field, random)
    i = pick(random, n)
    return ties[ACTION_SIZE * i + 1], ties[ACTION_SIZE * i + 2]
