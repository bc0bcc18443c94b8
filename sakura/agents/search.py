"""The search of `solver`: alpha-beta to the end of a round with all cards open, for two sides.

Like the engine this is plain Python that `sakura.compiled` hands to numba. Values are margins of the side that decides
at the root. A line of play is kept as one row of memory for each decision on it, so that nothing recurses.
"""

from typing import Any

import numpy as np

from ..bits import lowest, popcount, random63
from ..cards import CARDS, card_set, points
from ..engine import (
    ACTION_SIZE,
    FIELD,
    HANDS,
    HIKI,
    LIGHTNING,
    LIGHTNING_SEAT,
    MAX_ACTIONS,
    NOBODY,
    ODD_SUIT,
    OVER,
    PHASE,
    PLAY,
    SEAT,
    STATE_SIZE,
    TOP,
    TURNED_UP,
    State,
    apply_action,
    legal_actions,
    side_captured,
    suit_of,
)
from ..rules import RuleNumbers
from ..yaku import YAKU_SETS, completed
from .greedy import gain
from .playouts import copy_state, margin

YAKU_CARDS = sum(1 << card.id for card in CARDS if any(cards >> card.id & 1 for cards in YAKU_SETS))
# Nothing tells the two plain cards of a suit apart.
PLAINS = card_set(card.id for card in CARDS if card.points == 0 and card.id != LIGHTNING)

# No line of play has more decisions: two in each turn, and no more turns than cards.
MAX_DEPTH = 100

# What is kept of each decision on the line: how many actions there are to try and how many were tried, the bounds
# between which its value matters, now and at first, the best so far, and which position it is.
COUNT, TRIED, LOW, HIGH, FIRST_LOW, FIRST_HIGH, BEST, BEST_ACTION, POSITION, LEAD = range(10)
NODE_SIZE = 10
INFINITE = 1 << 40

# What the table says of a position: which one, the value of its future and what that is, and the action to try first.
KEY, VALUE, BOUND, FIRST_ACTION = range(4)
ENTRY_SIZE = 4
EXACT, AT_LEAST, AT_MOST = range(3)


# Entries of the table: more positions than most rounds have.
TABLE = 1 << 18


def memory(entries: int, dtype: Any) -> tuple[Any, Any, Any, Any, Any]:
    """What `solve` works on, from `states` to `table`: int64, or object, which holds the numbers of plain Python."""
    return (
        np.zeros((MAX_DEPTH, STATE_SIZE), dtype),
        np.zeros((MAX_DEPTH, ACTION_SIZE * MAX_ACTIONS), dtype),
        np.zeros((MAX_DEPTH, 2 * MAX_ACTIONS), dtype),
        np.zeros((MAX_DEPTH, NODE_SIZE), dtype),
        np.zeros((entries, ENTRY_SIZE), dtype),
    )


def position_key(state: State, rules: RuleNumbers) -> int:
    """A number for all that decides how a position can go on, which leaves out the points made so far.

    Two positions share one by chance once in 2**63.
    """
    key = 0
    for seat in range(rules.players):
        key = random63(key ^ state[HANDS + seat], seat)
    key = random63(key ^ state[FIELD], 10)
    for side in range(2):
        key = random63(key ^ (side_captured(state, rules, side) & YAKU_CARDS), 11 + side)
    turn = (state[TOP] * 64 + state[SEAT]) * 64 + state[PHASE]
    key = random63(key ^ (turn * 64 + state[TURNED_UP] + 1), 13)
    return random63(key ^ (state[LIGHTNING_SEAT] * 64 + state[ODD_SUIT] + 65), 14)


def lead(state: State, rules: RuleNumbers, side: int) -> int:
    """The points of a side less those of the other."""
    return points(side_captured(state, rules, side)) - points(side_captured(state, rules, 1 - side))


def is_double(hand: int, field: int, kind: int, card: int, captures: int) -> bool:
    """Whether an earlier action does the same but for which of two plain cards of a suit it takes."""
    if kind == HIKI:
        return False
    if kind == PLAY and PLAINS & hand & 1 << card and PLAINS & hand & suit_of(card) & ((1 << card) - 1):
        return True
    alone = captures and captures & (captures - 1) == 0
    return bool(alone and captures & PLAINS and field & PLAINS & suit_of(lowest(captures)) & (captures - 1))


def promise(state: State, rules: RuleNumbers, kind: int, card: int, captures: int) -> int:
    """How early to try an action; the better the guess, the less there is to search."""
    side = state[SEAT] % 2
    taken = captures | (state[HANDS + state[SEAT]] & suit_of(card) if kind == HIKI else 1 << card)
    if not captures and kind != HIKI:
        return -points(taken)
    mine = side_captured(state, rules, side)
    theirs = side_captured(state, rules, 1 - side)
    guess = gain(mine, completed(mine), taken)
    for k in range(len(YAKU_SETS)):
        if taken & YAKU_SETS[k]:
            own, other = popcount(mine & YAKU_SETS[k]), popcount(theirs & YAKU_SETS[k])
            if other == 0:
                guess += 6 * own
            elif own == 0:
                guess += 7 * other * other
    return guess


def list_actions(state: State, rules: RuleNumbers, first: int, listed: Any, order: Any) -> int:
    """Write the legal actions into `listed`, the numbers of those to try into `order`, best first; return how many."""
    hand = state[HANDS + state[SEAT]]
    count = 0
    for i in range(legal_actions(state, rules, listed)):
        kind, card, captures = listed[ACTION_SIZE * i], listed[ACTION_SIZE * i + 1], listed[ACTION_SIZE * i + 2]
        if is_double(hand, state[FIELD], kind, card, captures):
            continue
        guess = INFINITE if i == first else promise(state, rules, kind, card, captures)
        place = count
        while place and order[2 * place - 1] < guess:
            order[2 * place] = order[2 * place - 2]
            order[2 * place + 1] = order[2 * place - 1]
            place -= 1
        order[2 * place] = i
        order[2 * place + 1] = guess
        count += 1
    return count


def known_value(node: Any, entry: Any) -> bool:
    """Use what the table says of a node's position: True if it settles its value, which is then BEST."""
    value = entry[VALUE] + node[LEAD]
    node[BEST] = value
    if entry[BOUND] == EXACT:
        return True
    if entry[BOUND] == AT_LEAST:
        node[LOW] = max(node[LOW], value)
    else:
        node[HIGH] = min(node[HIGH], value)
    return bool(node[LOW] >= node[HIGH])


def remember(node: Any, entry: Any) -> None:
    """Write a node that is done into the table."""
    entry[KEY] = node[POSITION]
    entry[VALUE] = node[BEST] - node[LEAD]
    entry[FIRST_ACTION] = node[BEST_ACTION]
    if node[BEST] <= node[FIRST_LOW]:
        entry[BOUND] = AT_MOST
    else:
        entry[BOUND] = AT_LEAST if node[BEST] >= node[FIRST_HIGH] else EXACT


def consider(node: Any, action: int, value: int, maximises: bool) -> None:
    """Let a node know what an action of its comes to."""
    if node[BEST_ACTION] == NOBODY or (value > node[BEST] if maximises else value < node[BEST]):
        node[BEST] = value
        node[BEST_ACTION] = action
    if maximises:
        node[LOW] = max(node[LOW], value)
    else:
        node[HIGH] = min(node[HIGH], value)
    if node[LOW] >= node[HIGH]:
        node[TRIED] = node[COUNT]


def solve(
    root: State, rules: RuleNumbers, budget: int, states: Any, listed: Any, order: Any, nodes: Any, table: Any
) -> tuple[int, int]:
    """The number of the best action of the side that decides, and the margin that it brings against best answers.

    (NOBODY, 0) if that takes more positions than `budget`. states (MAX_DEPTH, STATE_SIZE), listed (MAX_DEPTH,
    ACTION_SIZE * MAX_ACTIONS), order (MAX_DEPTH, 2 * MAX_ACTIONS), nodes (MAX_DEPTH, NODE_SIZE): scratch. table
    (a power of two, ENTRY_SIZE): what is known of positions of this round by these rules for this side, or 0.
    """
    side = root[SEAT] % 2
    copy_state(root, states[0])
    depth = 0
    low, high = -INFINITE, INFINITE
    for _ in range(budget):
        # A new position.
        state, node = states[depth], nodes[depth]
        node[POSITION] = position_key(state, rules)
        node[LEAD] = lead(state, rules, side)
        node[LOW] = node[FIRST_LOW] = low
        node[HIGH] = node[FIRST_HIGH] = high
        node[COUNT] = node[TRIED] = 0
        entry = table[node[POSITION] & (len(table) - 1)]
        met = entry[KEY] == node[POSITION]
        known = met and known_value(node, entry) and depth > 0
        if not known:
            node[BEST_ACTION] = NOBODY
            node[COUNT] = list_actions(
                state, rules, entry[FIRST_ACTION] if met else NOBODY, listed[depth], order[depth]
            )
        # Back up the line as far as all is tried, and one action on from there.
        while True:
            node = nodes[depth]
            if node[TRIED] == node[COUNT]:
                if node[COUNT]:
                    remember(node, table[node[POSITION] & (len(table) - 1)])
                if depth == 0:
                    return node[BEST_ACTION], node[BEST]
                value = node[BEST]
                depth -= 1
            else:
                action = order[depth, 2 * node[TRIED]]
                node[TRIED] += 1
                child = states[depth + 1]
                copy_state(states[depth], child)
                i = ACTION_SIZE * action
                apply_action(child, rules, listed[depth, i], listed[depth, i + 1], listed[depth, i + 2])
                if child[PHASE] != OVER:
                    low, high = node[LOW], node[HIGH]
                    depth += 1
                    break
                value = margin(child, rules, side)
            node = nodes[depth]
            action = order[depth, 2 * node[TRIED] - 2]
            consider(node, action, value, states[depth, SEAT] % 2 == side)
    return NOBODY, 0
