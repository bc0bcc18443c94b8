"""The coach: what each move is worth before it is made, what the moves of a round have cost, and what was luck.

`advise` knows what the seat that decides may know, and no more. `review` looks back on a round with all cards open.
Both play rounds out with the strategy `careful` in every seat: what they say is true against players like that.

All numbers are margins, in points: how far a side ends above the best other side.
"""

import functools
from collections.abc import Iterable
from concurrent.futures import Future
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from . import engine, reasons, stats
from .agents.built_in import number_of
from .agents.montecarlo import MonteCarlo
from .agents.playouts import margin
from .background import begin
from .bits import random63, siphash63
from .cards import DECK_SIZE, card_set
from .checks import whole
from .machine import compile_loop, machine, must_compile
from .round import KINDS, Action, Round
from .rules import MAX_PLAYERS, RuleNumbers, Rules
from .stats import Estimate

# Who plays for every seat in the play-outs.
REFERENCE = "careful"
_SEATS = (number_of(REFERENCE),) * MAX_PLAYERS
# Play-outs of all actions together, and for each action: at about 10 microseconds each, advice takes 0.2 seconds.
_TRIALS = 16_000
_FEWEST, _MOST = 400, 2000
# Where nothing is compiled each takes some hundred times as long.
_UNCOMPILED = 30
# A review asks for advice some ten times, and for the value of some forty states.
_REVIEW_TRIALS = 8000
_STATE_PLAYOUTS = 1000
_DEALS = 2000
# Random streams of the coach's own, apart from those that shuffle the cards.
_ADVICE, _VALUES, _AVERAGE = 0x636F6163, 0x72657669, 0x64656C73

Margins = npt.NDArray[np.float64]


# ---- Before a move ----


class Move(NamedTuple):
    """A legal action as the coach sees it.

    margin: the expected margin of the own side.  chance: to have the highest score, from 0 to 1; a tie is shared.
    behind: how much less margin than the best action, over the same play-outs; 0 for the best itself. The intervals of
    all `behind` together hold with 95 %.  why: what speaks for it and against it.
    """

    action: Action
    margin: Estimate
    chance: Estimate
    behind: Estimate
    why: str

    @property
    def level(self) -> bool:
        """Whether the play-outs cannot tell it from the best."""
        return self.behind.low <= 0

    @property
    def cost(self) -> float:
        """What it costs against the best, in points; 0 where the play-outs cannot tell them apart."""
        return 0.0 if self.level else self.behind.value


class Advice(NamedTuple):
    """What the coach says of the decision that is due.

    seat: who decides.  moves: all legal actions, in the order of `Round.legal_actions`.  best: the number of the best.
    nudge: where to look, without the answer.  playouts: how many for each action.  random: what they were drawn from.
    """

    rules: Rules
    seat: int
    moves: tuple[Move, ...]
    best: int
    nudge: str
    playouts: int
    random: int

    def __str__(self) -> str:
        lines = [f"{self.playouts} play-outs for each action ({REFERENCE} in every seat), random number {self.random}"]
        for move in sorted(self.moves, key=lambda move: -move.margin.value):
            mark = "*" if move is self.moves[self.best] else "=" if move.level else " "
            lines.append(f"{mark} {move.action}: margin {move.margin:.1f}, chance to win {move.chance:.0%}. {move.why}")
        return "\n".join(lines)


def advise(rnd: Round, playouts: int | None = None, random: int | None = None) -> Advice:
    """What each legal action of the seat that decides is worth, as far as that seat can know.

    playouts: for each action. By default 16,000 are divided among the actions, 400 to 2000 each, which takes 0.2 s on
    one core; where numba is missing it is 30, and the intervals are as wide as that makes them.
    random: a whole number, 0 <= random < 2**63, that they are drawn from; by default one of the round's own for this
    decision, so that the same position gets the same advice.

    Raises ValueError where nobody decides.
    """
    seat = rnd.current_player
    if seat is None:
        raise ValueError("the round is over: there is nothing to advise")
    return _advise(rnd, seat, _playouts(rnd, _TRIALS) if playouts is None else playouts, random)


def _playouts(rnd: Round, trials: int) -> int:
    if not machine().compiled:
        return _UNCOMPILED
    return min(_MOST, max(_FEWEST, trials // len(rnd.legal_actions())))


def _advise(rnd: Round, seat: int, playouts: int, random: int | None) -> Advice:
    whole("playouts", playouts, 2)
    if random is None:
        random = random63(_own_key(rnd, _ADVICE), len(rnd.actions))
    obs, actions = rnd.observation(seat), rnd.legal_actions()
    trial = MonteCarlo(playouts=playouts, own=REFERENCE, others=REFERENCE, halving=False).evaluate(obs, random)
    best = int(np.argmax(trial.values))
    moves = tuple(
        Move(
            action,
            _mean(trial.margins[:, n]),
            stats.share(trial.wins[:, n]),
            _mean(trial.margins[:, best] - trial.margins[:, n], max(1, len(actions) - 1)),
            reasons.good_for(obs, obs.actions[n]),
        )
        for n, action in enumerate(actions)
    )
    return Advice(rnd.rules, seat, moves, best, _nudge(obs, moves, best), playouts, random)


def _nudge(obs: engine.Observation, moves: tuple[Move, ...], best: int) -> str:
    if len(moves) == 1:
        return "There is only one thing that you can do."
    if all(move.level for move in moves):
        return "As far as the play-outs can tell, everything here is equally good."
    return reasons.nudge(obs, obs.actions[best])


def _mean(values: Margins, intervals: int = 1) -> Estimate:
    """The mean with its interval, one of so many that are to hold together; where nothing varies, as at the end of a
    round, there is no doubt about it."""
    if np.ptp(values) == 0:
        value = float(values[0])
        return Estimate(value, value, value, values.size)
    return stats.mean(values, stats.simultaneous(intervals))


def _difference(a: Margins, b: Margins) -> Estimate:
    """The difference of the means of independent values, where all may be the same."""
    if np.ptp(a) == 0 == np.ptp(b):
        return _mean(a[:1] - b[:1])._replace(n=a.size + b.size)
    return stats.difference(a, b)


def _own_key(rnd: Round, what: int) -> int:
    # The key of its advice is public, what shuffled the pack is not to be found out from it.
    return siphash63(rnd.seed or 0, what, 0)


# ---- After a round ----


class Decision(NamedTuple):
    """A decision of a seat: how many were made before it in the round, the coach's advice, and the action taken."""

    number: int
    advice: Advice
    action: Action

    @property
    def taken(self) -> Move:
        """The move made."""
        return next(move for move in self.advice.moves if move.action == self.action)

    @property
    def best(self) -> Move:
        """The move that the coach would have made."""
        return self.advice.moves[self.advice.best]


class Part(NamedTuple):
    """A part of a margin: where it came from, and how much it was. What is known for certain has no interval."""

    name: str
    value: Estimate


class Review(NamedTuple):
    """What a round was for one seat.

    decisions: the seat's own, in order.  parts: what the margin is made of; their values add up to `total`, exactly.
    total: the margin of the seat's side at the end; in a round that goes on, what is expected of it.
    over: whether the round is over.  playouts, deals: how many gave each value, and the average deal.
    """

    rules: Rules
    seed: int | None
    seat: int
    decisions: tuple[Decision, ...]
    parts: tuple[Part, ...]
    total: Estimate
    over: bool
    playouts: int
    deals: int

    @property
    def mistakes(self) -> list[Decision]:
        """The decisions that cost something for certain, the dearest first."""
        return sorted((d for d in self.decisions if d.taken.cost), key=lambda d: (-d.taken.cost, d.number))

    def __str__(self) -> str:
        lines = [f"{part.name}: {part.value:+.1f}" for part in self.parts]
        lines.append(f"{'Margin' if self.over else 'Expected margin so far'}: {self.total.value:+.1f}")
        if not self.decisions:
            lines.append(f"Seat {self.seat} has decided nothing yet.")
        for decision in self.mistakes:
            lines.append(f"{decision.action}: cost {decision.taken.behind:.1f}; better: {decision.best.action}")
        return "\n".join(lines)


# The parts of a margin, in the order in which they are shown.
AVERAGE, DEAL, OWN, OTHERS, TURNED_UP = (
    "An average deal",
    "Your deal",
    "Your decisions",
    "Others’ decisions",
    "The pile",
)


def review(rnd: Round, seat: int) -> Review:
    """What the decisions of a seat have cost in a round, and what part of its margin was skill and what luck.

    *Costs* are against the best move by what the seat could know then: `advise`.

    *Luck and skill* look at the cards as they lay. Let V be the margin that is expected of a state when all hands are
    open, the pile is shuffled, and `careful` plays for everybody. Then the margin is the sum of

    - V of an average deal, for a seat as far from the dealer under these rules;
    - what V was more for the deal of this round;
    - all changes of V by the seat's own decisions, those of others, and the cards turned up.

    A decision thus counts as it turned out: more than 0 where it went better than what `careful` would have done.
    The play-outs of all states share their random numbers; so each part has an interval of its own, and the values add
    up exactly. A round that goes on is reviewed so far: its last V stands for the margin.

    Raises ValueError where there is no such seat.
    """
    whole("seat", seat, 0, rnd.rules.players)
    playouts = _STATE_PLAYOUTS if machine().compiled else _UNCOMPILED
    deals = _DEALS if machine().compiled else _UNCOMPILED
    first, own, others, cards = _changes(rnd, seat, playouts)
    average = _average(rnd.rules, (seat - rnd.dealer) % rnd.rules.players, deals)
    parts = (
        Part(AVERAGE, _mean(average)),
        Part(DEAL, _difference(first, average)),
        Part(OWN, _mean(own)),
        Part(OTHERS, _mean(others)),
        Part(TURNED_UP, _mean(cards)),
    )
    total = _mean(first + own + others + cards)
    return Review(rnd.rules, rnd.seed, seat, _decisions(rnd, seat), parts, total, rnd.is_terminal, playouts, deals)


def position(rnd: Round, number: int) -> Round:
    """The round as it was before decision `number`, counted from 0, to be played again from there."""
    whole("number", number, 0, len(rnd.actions) + 1)
    data = rnd.to_dict()
    return Round.from_dict({**data, "actions": data["actions"][:number]})


def _decisions(rnd: Round, seat: int) -> tuple[Decision, ...]:
    again = position(rnd, 0)
    found = []
    for number, action in enumerate(rnd.actions):
        if again.current_player == seat:
            advice = _advise(again, seat, _playouts(again, _REVIEW_TRIALS), None)
            found.append(Decision(number, advice, action))
        again.apply_action(action)
    return tuple(found)


def _changes(rnd: Round, seat: int, playouts: int) -> tuple[Margins, Margins, Margins, Margins]:
    """V after the deal, and what own decisions, others' and turned-up cards have changed of it, for each play-out."""
    rules, side = rnd.rules.numbers(), rnd.rules.side_of(seat)
    key = _own_key(rnd, _VALUES)
    state = [0] * engine.STATE_SIZE
    state[engine.DECK :] = rnd.deck
    engine.deal(state, rules, rnd.dealer)
    first = now = _value(state, rules, side, key, playouts)
    own, others, cards = np.zeros((3, playouts))
    for kind, card, captures in rnd.actions:
        part = own if state[engine.SEAT] == seat else others
        engine.act(state, rules, KINDS.index(kind), card, card_set(captures))
        was, now = now, _value(state, rules, side, key, playouts)
        part += now - was
        while engine.needs_no_decision(state):
            turns_up = state[engine.PHASE] == engine.TURN_UP_DUE
            engine.advance(state, rules)
            if turns_up:
                was, now = now, _value(state, rules, side, key, playouts)
                cards += now - was
    return first, own, others, cards


def _value(state: list[int], rules: RuleNumbers, side: int, key: int, playouts: int) -> Margins:
    """The margin of a side in each of so many play-outs, all hands as they are and the pile shuffled."""
    if state[engine.PHASE] == engine.OVER:
        return np.full(playouts, float(margin(state, rules, side)))
    targets = 0 if engine.needs_no_decision(state) else engine.options(state, rules).targets
    setting = (rules, (0,) * MAX_PLAYERS, targets, False, side, _SEATS, key, 0, [engine.NOBODY])
    margins, _ = machine().play_outs(state, *setting, playouts)
    return np.asarray(margins[:, 0], np.float64)


@functools.lru_cache(maxsize=64)
def _average(rules: Rules, place: int, deals: int) -> Margins:
    """The margin of the seat `place` seats after the dealer, in so many deals, each played out once."""
    numbers, side = rules.numbers(), rules.side_of(place)
    here = machine()
    found = np.zeros(deals)
    state = [0] * engine.STATE_SIZE
    for n in range(deals):
        key = random63(_AVERAGE, n)
        engine.deal_from_key(state, numbers, key, 0, DECK_SIZE)
        setting = (numbers, (0,) * MAX_PLAYERS, 0, True, side, _SEATS, key, 0, [engine.NOBODY])
        found[n] = here.play_outs(state, *setting, 1)[0][0, 0]
    found.flags.writeable = False  # it is kept for the next one who asks
    return found


# ---- Ready or not ----


@functools.cache
def _compiling(loop: str) -> Future[None]:
    return begin(functools.partial(compile_loop, loop))


def ready(loops: Iterable[str] = ("play_outs",)) -> bool:
    """Whether compiled loops, those of the coach or others, can run at once. If not, they are being compiled from now
    on, while everything else goes on. Where that fails, whoever needs them will be told."""
    begun = [_compiling(loop) for loop in loops if must_compile(loop)]
    return all(done.done() for done in begun)
