"""`careful`: the advice that the sources give a player, weighed by numbers.

An action is worth the cards that it captures, each its points and what it does for the yaku, and what it changes for
the cards of its suits that are left: those on the field, in the hand, unseen. How much they will bring in the end
depends on how many of the suit are where. The weights, in `data/careful.csv`, were fitted to play-outs on seeds of
their own by `python -m benchmarks.fit_careful`, for each number of players and sides.

It aims at the margin of its side over the best other side, as far as one look can tell, and takes Hawaii's rules for
granted: at other tables it plays by what is legal there, with weights that were made for these.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..bits import lowest, pick, popcount
from ..cards import CARDS, DECK_SIZE, FULL_DECK, read_table
from ..checks import shown
from ..engine import (
    CAPTURED,
    HANDS,
    HIKI,
    LIGHTNING,
    MAX_ACTIONS,
    PLAY,
    REMOVED,
    SEAT,
    WILLOW,
    Actions,
    Observation,
    Options,
    State,
    nth_option,
    option_count,
    options,
    seen_state,
    seen_targets,
    side_captured,
    suit_of,
)
from ..rules import MAX_PLAYERS, PLAIN, RuleNumbers
from ..yaku import YAKU_SETS

# The pieces of advice, each of which can be left out: the bit that leaves it out is 1 << its place here.
ADVICE = {
    "two_yaku": "Prefer the cards that serve two yaku; without it they count as if they served one.",
    "advance": "Collect towards yaku of your own; without it only completing one counts.",
    "deny": "Take cards of the yaku that others collect.",
    "patience": "Think of what a capture leaves of its suit: no pair of plain cards while a better one may come.",
    "lay_cheap": "Lay a plain card rather than a dear one.",
    "open_least": "Lay where the rest of the suit gives the next player least.",
    "lightning": "Keep the Lightning for a card that is worth it.",
    "hiki": "Declare hiki when it gains, which it hardly ever does; without it, never.",
}
TWO_YAKU, ADVANCE, DENY, PATIENCE, LAY_CHEAP, OPEN_LEAST, KEEP_LIGHTNING, DECLARE_HIKI = (
    1 << place for place in range(len(ADVICE))
)

# A card's worth counts in sixteenths of a point, a share of it in parts of 8192: so whole numbers are all that is used.
POINT = 16
WHOLE = 8192
NEVER = -(1 << 62)
POINTS = np.array([POINT * card.points for card in CARDS])

# What the table's weights are called: what a card adds for a yaku of which one's own side alone holds so many cards,
# or others alone do; what it brings besides to strike another suit with the Lightning, to spend it otherwise,
# and to declare hiki; and the shares of what lies where.
WORTHS = ("own 0", "own 1", "own 2", "others 1", "others 2")
EXTRAS = ("strike", "spend", "hiki")
STRIKE, SPEND, DECLARED = range(3)
PLACES = ("field", "hand", "unseen")

# In the scratch memory of a decision the worth of each card comes first, then the value of each action.
VALUES = DECK_SIZE


def suit_row(field: int, hand: int, unseen: int) -> int:
    """The row of SHARES for a suit of which so many cards, 0 to 4 each, are on the field, in the hand and unseen."""
    return (field * 5 + hand) * 5 + unseen


def read_weights() -> tuple[Any, Any, Any]:
    """The weights of the table, int64, by players and sides.

    WORTH (8, 8, 5) in sixteenths of a point; EXTRA (8, 8, 3, 2) in sixteenths of 8192ths, and SHARES (8, 8, 125, 3, 2)
    in 8192ths: a fixed part, and one for each card left in the hand.
    """
    tables = (MAX_PLAYERS + 1, MAX_PLAYERS + 1)
    worth = np.zeros((*tables, len(WORTHS)), np.int64)
    extra = np.zeros((*tables, len(EXTRAS), 2), np.int64)
    shares = np.zeros((*tables, suit_row(4, 4, 4) + 1, len(PLACES), 2), np.int64)
    for row in read_table("careful"):
        table = int(row["players"]), int(row["sides"])
        numbers = int(row["fixed"]), int(row["per_card"])
        weight = row["weight"]
        if weight in PLACES:
            suit = suit_row(*(int(row[column]) for column in ("on_field", "in_hand", "not_seen")))
            shares[table][suit, PLACES.index(weight)] = numbers
        elif weight in EXTRAS:
            extra[table][EXTRAS.index(weight)] = numbers
        else:
            worth[table][WORTHS.index(weight)] = numbers[0]
    return worth, extra, shares


WORTH, EXTRA, SHARES = read_weights()


def weigh(rules: RuleNumbers, without: int, mine: int, theirs: int, worth: Actions) -> None:
    """Write into `worth` what each card is worth to a side that holds `mine` while all others hold `theirs`.

    The others count as one: with more than two sides a yaku that two of them share still counts as somebody's.
    """
    for card in range(DECK_SIZE):
        worth[card] = POINTS[card]
    for k in range(len(YAKU_SETS)):
        cards = YAKU_SETS[k]
        own = popcount(mine & cards)
        others = popcount(theirs & cards)
        if (own and others) or own == 3 or others == 3:
            continue
        bonus = WORTH[rules.players, rules.sides, 2 + others if others else own]
        if without & (DENY if others else ADVANCE) and own < 2:
            bonus = 0
        while cards:
            card = lowest(cards)
            if without & TWO_YAKU:
                worth[card] = max(worth[card], POINTS[card] + bonus)
            else:
                worth[card] += bonus
            cards &= cards - 1


def share(rules: RuleNumbers, stage: int, row: int, place: int) -> int:
    """How much of a card's worth will come one's way, in 8192ths, where its suit is as `row` says and it at `place`."""
    weights = SHARES[rules.players, rules.sides, row]
    value: int = weights[place, 0] + weights[place, 1] * stage
    return value


def prospects(rules: RuleNumbers, stage: int, field: int, hand: int, unseen: int, but: int, worth: Actions) -> int:
    """What the cards of one suit will bring that are where the arguments say; those in `but` are only counted."""
    row = suit_row(popcount(field), popcount(hand), popcount(unseen))
    value = 0
    for place in range(3):
        cards = (field if place == 0 else hand if place == 1 else unseen) & ~but
        total = 0
        while cards:
            total += worth[lowest(cards)]
            cards &= cards - 1
        if total:
            value += total * share(rules, stage, row, place)
    return value


def laid_value(
    rules: RuleNumbers, without: int, stage: int, card: int, hand: int, field: int, unseen: int, worth: Actions
) -> int:
    """What laying a card changes: for itself, and for the rest of its suit."""
    suit = suit_of(card)
    played = 1 << card
    own = hand & suit
    on_field = field & suit
    unseen &= suit
    value = 0
    if not without & LAY_CHEAP:
        after = suit_row(popcount(on_field) + 1, popcount(own & ~played), popcount(unseen))
        value += worth[card] * share(rules, stage, after, 0)
        if own & played:
            before = suit_row(popcount(on_field), popcount(own), popcount(unseen))
            value -= worth[card] * share(rules, stage, before, 1)
    if not without & OPEN_LEAST:
        value += prospects(rules, stage, on_field | played, own & ~played, unseen, played, worth)
        value -= prospects(rules, stage, on_field, own, unseen, played, worth)
    return value


def suit_change(
    rules: RuleNumbers, stage: int, suit: int, taken: int, hand: int, field: int, unseen: int, worth: Actions
) -> int:
    """What capturing `taken` changes in the prospects of a suit."""
    before = prospects(rules, stage, field & suit, hand & suit, unseen & suit, 0, worth)
    return prospects(rules, stage, field & suit & ~taken, hand & suit & ~taken, unseen & suit, 0, worth) - before


def action_value(
    rules: RuleNumbers,
    without: int,
    stage: int,
    kind: int,
    card: int,
    captures: int,
    hand: int,
    field: int,
    unseen: int,
    worth: Actions,
) -> int:
    """What an action is worth, in sixteenths of 8192ths of a point; `stage` is the number of cards in the hand."""
    suit = suit_of(card)
    value = 0
    if card == LIGHTNING and kind == PLAY and rules.lightning != PLAIN and not without & KEEP_LIGHTNING:
        fixed, per_card = EXTRA[rules.players, rules.sides, STRIKE if captures & ~WILLOW else SPEND]
        value += fixed + per_card * stage
    if kind == HIKI:
        if without & DECLARE_HIKI:
            return NEVER
        fixed, per_card = EXTRA[rules.players, rules.sides, DECLARED]
        value += fixed + per_card * stage
        taken = hand & suit | captures
    elif captures:
        taken = captures | 1 << card
    else:
        return value + laid_value(rules, without, stage, card, hand, field, unseen, worth)
    if not without & PATIENCE:
        value += suit_change(rules, stage, suit, taken, hand, field, unseen, worth)
        if captures & ~suit:
            other = suit_of(lowest(captures))
            value += suit_change(rules, stage, other, taken, hand, field, unseen, worth)
    while taken:
        value += worth[lowest(taken)] * WHOLE
        taken &= taken - 1
    return value


def careful_values(state: State, rules: RuleNumbers, without: int, options: Options, scratch: Actions) -> int:
    """Write what each legal action is worth into `scratch` from VALUES on, in their order; return how many there are.

    `scratch` needs room for MAX_ACTIONS more numbers than VALUES.
    """
    seat = state[SEAT]
    mine = side_captured(state, rules, seat % rules.sides)
    everyones = 0
    for other in range(rules.players):
        everyones |= state[CAPTURED + other]
    hand = state[HANDS + seat]
    field = options.field
    unseen = FULL_DECK & ~(hand | options.cards | field | everyones | state[REMOVED])
    stage = popcount(hand)
    weigh(rules, without, mine, everyones & ~mine, scratch)
    n = option_count(options)
    for i in range(n):
        kind, card, captures = nth_option(options, i)
        value = action_value(rules, without, stage, kind, card, captures, hand, field, unseen, scratch)
        scratch[VALUES + i] = value
    return n


def seen_values(obs: Observation, without: int) -> list[int]:
    """The scratch memory that `careful_values` leaves for the decision of an observation."""
    scratch = [0] * (VALUES + MAX_ACTIONS)
    state = seen_state(obs)
    # Only what other seats hold is missing there, which decides no more than what the Lightning may capture.
    seen = options(state, obs.rules)._replace(targets=seen_targets(obs))
    careful_values(state, obs.rules, without, seen, scratch)
    return scratch


def best_value(scratch: Actions, n: int, random: int) -> int:
    """Which of the `n` actions whose values are in `scratch` is worth most; among equals, any one."""
    best = scratch[VALUES]
    ties = 0
    for i in range(n):
        value = scratch[VALUES + i]
        ties = 0 if value > best else ties
        best = max(value, best)
        ties += value == best
    skip = pick(random, ties)
    i = 0
    while skip or scratch[VALUES + i] != best:
        skip -= scratch[VALUES + i] == best
        i += 1
    return i


def careful_option(
    state: State, rules: RuleNumbers, without: int, options: Options, scratch: Actions, random: int
) -> tuple[int, int, int]:
    """The action (kind, card, captures) that is worth most. `scratch` is for `careful_values`."""
    n = careful_values(state, rules, without, options, scratch)
    return nth_option(options, best_value(scratch, n, random))


@dataclass(frozen=True)
class Careful:
    """The strategy `careful`, without some pieces of `ADVICE`: `Careful("deny", "hiki")` does without two.

    Raises ValueError for a piece of another name.
    """

    without: tuple[str, ...]

    def __init__(self, *without: str) -> None:
        for piece in without:
            if piece not in ADVICE:
                raise ValueError(f"no piece of advice is called {shown(piece)}; there are {', '.join(ADVICE)}")
        # Frozen for everyone else.
        object.__setattr__(self, "without", tuple(piece for piece in ADVICE if piece in without))

    @property
    def bits(self) -> int:
        """The pieces left out, as `careful_option` takes them."""
        return sum(1 << place for place, piece in enumerate(ADVICE) if piece in self.without)

    @property
    def __name__(self) -> str:
        return " without ".join(["careful", *filter(None, [", ".join(self.without)])])

    def __call__(self, obs: Observation, random: int) -> int:
        return best_value(seen_values(obs, self.bits), len(obs.actions), random)
