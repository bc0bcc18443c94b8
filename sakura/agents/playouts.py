"""Play-outs: from a position to the end of the round, with hidden cards dealt out anew, played by built-in strategies.

Like the engine this is plain Python that `sakura.compiled` hands to numba.
"""

from collections.abc import Sequence
from typing import Any

from ..bits import random63
from ..engine import (
    CHANCE,
    NOBODY,
    OVER,
    PHASE,
    SEAT,
    STATE_SIZE,
    Actions,
    State,
    advance,
    apply_action,
    decision_random,
    determinize,
    needs_no_decision,
    nth_option,
    options,
    score,
    side_captured,
    yaku_count,
)
from ..rules import RuleNumbers
from .built_in import built_in_option

# Where a seat holds the Lightning, so many determinizations may contradict the targets it has before the last one that
# did not is taken again: never yet seen, but nothing may take for ever.
TRIES = 10_000


def play_out(state: State, rules: RuleNumbers, agents: Sequence[int], actions: Actions) -> None:
    """Play to the end of the round with the built-in strategies `agents`, one a seat. `actions` is scratch."""
    while state[PHASE] != OVER:
        if needs_no_decision(state):
            advance(state, rules)
        else:
            random = decision_random(state)
            kind, card, captures = built_in_option(state, rules, agents[state[SEAT]], actions, random)
            apply_action(state, rules, kind, card, captures)


def margin(state: State, rules: RuleNumbers, side: int) -> int:
    """The score of a side less the best score among the others."""
    all_yaku = yaku_count(state, rules)
    best = 0
    none = True
    for other in range(rules.sides):
        if other != side:
            theirs = score(rules, side_captured(state, rules, other), all_yaku)
            best = theirs if none or theirs > best else best
            none = False
    return score(rules, side_captured(state, rules, side), all_yaku) - best


def level_share(state: State, rules: RuleNumbers, side: int) -> float:
    """A side's share of what all who have the same score as it, itself included, have in common."""
    all_yaku = yaku_count(state, rules)
    own = score(rules, side_captured(state, rules, side), all_yaku)
    level = 0
    for other in range(rules.sides):
        level += score(rules, side_captured(state, rules, other), all_yaku) == own
    return 1.0 / level


def copy_state(source: State, target: State) -> None:
    for place in range(STATE_SIZE):
        target[place] = source[place]


def imagine(
    seen: State, rules: RuleNumbers, missing: Sequence[int], targets: int, key: int, tries: int, state: State
) -> bool:
    """Deal the hidden cards of `seen` out into `state` so that the Lightning has the `targets` that were seen.

    False, if that has not come about in so many tries.
    """
    for n in range(tries):
        copy_state(seen, state)
        determinize(state, rules, missing, random63(key, n))
        if needs_no_decision(state) or options(state, rules).targets == targets:
            return True
    return False


def play_outs(
    seen: State,
    rules: RuleNumbers,
    missing: Sequence[int],
    targets: int,
    open_cards: bool,
    side: int,
    agents: Sequence[int],
    key: int,
    first: int,
    choices: Sequence[int],
    dealt: State,
    state: State,
    actions: Actions,
    margins: Any,
    wins: Any,
) -> None:
    """Play the round out after each of `choices`, over the same determinizations.

    seen: what is known, with the cards that are not at the end of the deck.  missing: how many of them each seat holds.
    targets: what the Lightning may capture, as far as the seat that decides knows.  open_cards: nothing is hidden, and
    only the strategies' random numbers differ.  choices: numbers of legal actions; NOBODY plays on without one.
    margins, wins: (play-outs, choices) of int64 and float64, what `side` got.  first: the number of the first one;
    it and `key` name the determinization and all random numbers.  dealt, state, actions: scratch.
    """
    copy_state(seen, dealt)
    for row in range(len(margins)):
        own_key = random63(key, first + row)
        if not open_cards:
            # A failure leaves the last one that was right; the first has to be.
            if imagine(seen, rules, missing, targets, own_key, TRIES, state):
                copy_state(state, dealt)
            elif row == 0:
                n = 1
                while not imagine(seen, rules, missing, targets, random63(own_key, -n), TRIES, dealt):
                    n += 1
        # One stream serves all seats: nothing is hidden from the built-in strategies that could look for it.
        chance = random63(own_key, TRIES)
        for seat in range(rules.players):
            dealt[CHANCE + seat] = chance
        for i in range(len(choices)):
            copy_state(dealt, state)
            if choices[i] != NOBODY:
                kind, card, captures = nth_option(options(state, rules), choices[i])
                apply_action(state, rules, kind, card, captures)
            play_out(state, rules, agents, actions)
            ahead = margin(state, rules, side)
            margins[row, i] = ahead
            wins[row, i] = ahead > 0
            if ahead == 0:
                wins[row, i] = level_share(state, rules, side)
