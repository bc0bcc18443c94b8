"""The loop of a simulation: rounds played from deal to score by the strategies at the seats.

Like the engine this is plain Python that `sakura.compiled` hands to numba.
"""

from collections.abc import MutableSequence, Sequence
from typing import Any

from .agents import Strategy
from .agents.built_in import built_in_option
from .bits import random63
from .engine import (
    ACTION_SIZE,
    DEALER,
    FIELD,
    HANDS,
    NOBODY,
    OVER,
    PHASE,
    PLAY,
    SEAT,
    TURN,
    Actions,
    State,
    act,
    advance,
    deal_from_key,
    decision_random,
    legal_actions,
    needs_no_decision,
    nth_option,
    observe,
    options,
    score,
    set_chances,
    side_captured,
    used_cards,
    yaku_count,
)
from .rules import RuleNumbers
from .yaku import YAKU_SETS, completed

# Who decides for a seat, where it is no built-in strategy (`agents.built_in`): one compiled by the user, or one that
# the caller has to ask.
COMPILED, ASKED = -2, -3

# Places of `where`, which tells the caller what the loop was doing if a strategy failed.
ROW, ASKED_SEAT, ANSWER, ACTION_COUNT = range(4)
WHERE_SIZE = 4


def choose(
    state: State,
    rules: RuleNumbers,
    agent: int,
    strategies: Sequence[Strategy],
    actions: Actions,
    listed: Any,
    where: MutableSequence[int],
) -> tuple[int, int, int]:
    """What the seat that decides does, as (kind, card, captures); a captured NOBODY says that its answer is no index.

    `actions` is scratch for a list of actions, and `listed` the same memory seen as objects.
    """
    random = decision_random(state)
    seat = state[SEAT]
    if agent != COMPILED:
        return built_in_option(state, rules, agent, actions, random)
    n = legal_actions(state, rules, actions)
    where[ASKED_SEAT] = seat
    i = strategies[seat](observe(state, rules, seat, listed[:n]), random)
    if i < 0 or i >= n:
        where[ANSWER] = i
        where[ACTION_COUNT] = n
        return PLAY, 0, NOBODY
    # Not read from `actions`: the strategy may have written there.
    return nth_option(options(state, rules), i)


def note_yaku(state: State, rules: RuleNumbers, yaku_turns: Any, row: int) -> None:
    """Write into `yaku_turns[row]` (sides, yaku) the turn, from 1, in which a yaku is first seen to be complete."""
    for side in range(rules.sides):
        done = completed(side_captured(state, rules, side))
        for k in range(len(YAKU_SETS)):
            if done >> k & 1 and yaku_turns[row, side, k] == 0:
                yaku_turns[row, side, k] = state[TURN] // rules.players + 1


def follow(state: State, rules: RuleNumbers, kind: int, card: int, captures: int, yaku_turns: Any, row: int) -> None:
    """Do an action and what follows of itself; where `yaku_turns` has places, watch each step for yaku."""
    noted = yaku_turns.size > 0
    act(state, rules, kind, card, captures)
    while needs_no_decision(state):
        if noted:
            note_yaku(state, rules, yaku_turns, row)
        advance(state, rules)
    if noted:
        note_yaku(state, rules, yaku_turns, row)


def play_on(
    state: State,
    rules: RuleNumbers,
    agents: Sequence[int],
    strategies: Sequence[Strategy],
    actions: Actions,
    listed: Any,
    where: MutableSequence[int],
    yaku_turns: Any,
    row: int,
) -> bool:
    """Play until the round is over or an ASKED seat has to decide; False if a strategy's answer was no index."""
    while state[PHASE] != OVER:
        agent = agents[state[SEAT]]
        if agent == ASKED:
            return True
        kind, card, captures = choose(state, rules, agent, strategies, actions, listed, where)
        if captures == NOBODY:
            return False
        follow(state, rules, kind, card, captures, yaku_turns, row)
    return True


def start(state: State, rules: RuleNumbers, stream: int, number: int, dealer: int) -> int:
    """Shuffle and deal round `number` of `stream`; a `dealer` of NOBODY stands for a deal that rotates with it.

    Returns the round's key, with which `set_chances` gets it ready to be played.
    """
    key = random63(stream, number)
    seat = number % rules.players if dealer == NOBODY else dealer
    deal_from_key(state, rules, key, seat, used_cards(rules))
    return key


def record(
    state: State, rules: RuleNumbers, scores: Any, captured: Any, dealers: Any, yaku: Any, turns: Any, row: int
) -> None:
    """Write the end of a round into row `row` of the results."""
    dealers[row] = state[DEALER]
    turns[row] = state[TURN]
    all_yaku = yaku_count(state, rules)
    for side in range(rules.sides):
        cards = side_captured(state, rules, side)
        scores[row, side] = score(rules, cards, all_yaku)
        captured[row, side] = cards
        yaku[row, side] = completed(cards)


def play_rounds(
    stream: int,
    first: int,
    count: int,
    rules: RuleNumbers,
    dealer: int,
    agents: Sequence[int],
    strategies: Sequence[Strategy],
    state: State,
    actions: Actions,
    listed: Any,
    where: MutableSequence[int],
    scores: Any,
    captured: Any,
    dealers: Any,
    yaku: Any,
    turns: Any,
    yaku_turns: Any,
) -> bool:
    """Play rounds `first` to `first + count - 1` of `stream` into the result arrays, where no seat is ASKED.

    False if a strategy's answer was no index; `where` then tells which.
    """
    for row in range(count):
        where[ROW] = row
        set_chances(state, rules, start(state, rules, stream, first + row, dealer))
        if not play_on(state, rules, agents, strategies, actions, listed, where, yaku_turns, row):
            return False
        record(state, rules, scores, captured, dealers, yaku, turns, row)
    return True


def play_to_questions(
    stream: int,
    first: int,
    rules: RuleNumbers,
    dealer: int,
    agents: Sequence[int],
    strategies: Sequence[Strategy],
    actions: Actions,
    listed: Any,
    where: MutableSequence[int],
    scores: Any,
    captured: Any,
    dealers: Any,
    yaku: Any,
    turns: Any,
    yaku_turns: Any,
    states: Sequence[State],
    questions: Sequence[Actions],
    counts: MutableSequence[int],
    answers: Sequence[int],
) -> bool:
    """Play each of the rounds from `first` on up to the next decision of an ASKED seat.

    There is a round for each of `states`. A round goes on where its place in `counts` is not 0: with the action that
    `answers` names, or from the start where that is NOBODY. Afterwards `questions` has the legal actions and `counts`
    their number, 0 at the end of the round. False if a compiled strategy's answer was no index.
    """
    for row in range(len(counts)):
        if counts[row] == 0:
            continue
        state = states[row]
        question = questions[row]
        where[ROW] = row
        if answers[row] == NOBODY:
            set_chances(state, rules, start(state, rules, stream, first + row, dealer))
        else:
            i = ACTION_SIZE * answers[row]
            follow(state, rules, question[i], question[i + 1], question[i + 2], yaku_turns, row)
        if not play_on(state, rules, agents, strategies, actions, listed, where, yaku_turns, row):
            return False
        counts[row] = legal_actions(state, rules, question)
        if state[PHASE] == OVER:
            record(state, rules, scores, captured, dealers, yaku, turns, row)
    return True


def deal_rounds(
    stream: int,
    first: int,
    count: int,
    rules: RuleNumbers,
    dealer: int,
    state: State,
    hands: Any,
    field: Any,
) -> None:
    """Deal rounds `first` to `first + count - 1` and write their hands (rounds, players) and fields (rounds,)."""
    for row in range(count):
        start(state, rules, stream, first + row, dealer)
        field[row] = state[FIELD]
        for player in range(rules.players):
            hands[row, player] = state[HANDS + player]
