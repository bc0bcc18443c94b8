"""The coach at the game table: a nudge, what each move is worth, and the round in retrospect. `sakura.coach` knows."""

from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import Future, wait
from functools import partial
from typing import Any

from .. import coach
from ..background import begin
from ..coach import Advice, Decision, Move, Review
from ..round import Action, Round
from ..stats import Estimate
from .elements import (
    Child,
    Element,
    Handler,
    box,
    button,
    choice,
    details,
    heading,
    interval,
    listing,
    strong,
    table,
    text,
)
from .game_sides import scrolling

MODES = {"off": "off", "hint": "hints", "answers": "answers"}
NOTHING, NUDGE, ANSWERS = range(3)
_DEAREST = 3
# So many seconds it may think while everything waits.
_MOMENT = 0.2
_WAITING = "The coach is being got ready. Once on each computer that takes about half a minute; you can play on."


class Coach:
    """What the coach of a table has been asked, and what it has found.

    mode: "off", "hint" or "answers".  level: how much it tells of the decision that is due, NOTHING to ANSWERS.
    advice: about that decision, if it has been worked out.  asked_back: whether a review has been asked for.
    """

    def __init__(self) -> None:
        self.mode = "off"
        self.level = NOTHING
        self.advice: Advice | None = None
        self.asked_back = False
        self._place: Hashable = None
        # What is being worked out: for which question, and what comes of it.
        self._work: tuple[Hashable, Future[Any]] | None = None
        self._reviewed: Hashable = None
        self._review: Review | None = None

    def turn_to(self, place: Hashable, *, deciding: bool) -> None:
        """Look at the position `place`, in which the person decides or not."""
        if place != self._place:
            self._place, self.level, self.advice, self.asked_back = place, NOTHING, None, False
        if not deciding or self.mode == "off":
            self.level = NOTHING
        elif self.mode == "answers":
            self.level = ANSWERS

    @property
    def thinking(self) -> bool:
        """Whether there is something to be worked out."""
        return self.asked_back or (self.level > NOTHING and self.advice is None)

    @property
    def begun(self) -> bool:
        """Whether it is being worked out already."""
        return self._work is not None

    def ask(self) -> None:
        """Tell more about the decision that is due, if what was asked before has been told."""
        if not self.thinking:
            self.level = min(ANSWERS, self.level + 1)

    def think(self, rnd: Round, seat: int, finished: Hashable) -> bool:
        """Work out what has been asked for, in the background, about a copy of the round; whether it is there now.
        `finished` names the round that is over. Raises what went wrong, and is off from then on."""
        back, mode, level = self.asked_back, self.mode, self.level
        question = (back, finished if back else self._place)
        if self._work is None or self._work[0] != question:
            work = partial(coach.review, rnd.copy(), seat) if back else partial(coach.advise, rnd.copy())
            self._work = question, begin(work)
        found = self._work[1]
        wait([found], _MOMENT)
        if not found.done():
            return False
        # So it stays if this fails, which it would again.
        self.asked_back, self.mode, self.level, self._work = False, "off", NOTHING, None
        if back:
            self._review, self._reviewed = found.result(), finished
        else:
            self.advice = found.result()
        self.mode, self.level = mode, level
        return True

    def review(self, finished: Hashable) -> Review | None:
        """The review of that round, if there is one."""
        return self._review if finished == self._reviewed else None

    def said(self) -> str:
        """What it has to say now, for those who listen."""
        if self.advice is None or self.level == NOTHING:
            return ""
        if self.level == NUDGE:
            return f"Hint: {self.advice.nudge}"
        return f"Best: {in_words(self.advice.moves[self.advice.best].action)}. All moves are below the hand."


# ---- While it is the person's turn ----


def mode_choice(mode: str, on: Handler) -> Element:
    """Whether the coach is there, and how much it says of itself."""
    return choice("Coach", MODES, mode, on, key="coach")


def hint_button(state: Coach, on: Handler, *, deciding: bool) -> Element:
    """Asks for the next thing that the coach has to tell, if the person decides and there is one."""
    words = "Hint" if state.level == NOTHING else "Answer"
    return button(words, on, key="hint", enabled=deciding and not state.thinking and state.level < ANSWERS)


def counsel(state: Coach) -> Element | None:
    """What the coach tells of the decision that is due."""
    if state.level > NOTHING and state.advice is None:
        return text(_waiting(), kind="quiet game-nudge")
    if state.level == NUDGE and state.advice is not None:
        return text(strong("Hint: "), state.advice.nudge, kind="game-nudge")
    if state.level == ANSWERS:
        return text(state.said(), kind="game-nudge")
    return None


def _waiting() -> str:
    return "The coach is thinking." if coach.ready() else _WAITING


def answers(state: Coach) -> Element | None:
    """Every legal action with what it is worth, the best first."""
    advice = state.advice
    if advice is None or state.level < ANSWERS:
        return None
    moves = sorted(advice.moves, key=lambda move: -move.margin.value)
    reach = [edge for move in moves for edge in (move.margin.low, move.margin.high)]
    scale = min(0.0, *reach), max(0.0, *reach)
    best = advice.moves[advice.best]
    lines = [_answer(move, best, scale) for move in moves]
    return box(
        heading("What each move is worth"),
        text(
            "How many points you are expected to end above the best other side, and your chance to win the round, "
            "with 95 % intervals. ★ is best, ≈ cannot be told from it.",
            kind="quiet",
        ),
        listing(lines, kind="game-answers"),
        text(_source(advice.playouts, "for each move, with what you can see"), kind="quiet"),
        kind="panel game-coach",
        label="What each move is worth",
    )


def _answer(move: Move, best: Move, scale: tuple[float, float]) -> Element:
    mark, said = ("★", "best: ") if move is best else ("≈", "as good: ") if move.level else ("", "")
    return box(
        Element(
            "span",
            {"class": "sakura-game-move"},
            (
                Element("span", {"class": "sakura-game-star", "aria-hidden": "true"}, (f"{mark} ",)),
                Element("span", {"class": "sakura-game-unseen"}, (said,)),
                in_words(move.action),
            ),
        ),
        " ",
        interval(move.margin.low, move.margin.value, move.margin.high, scale, points(move.margin)),
        text(move.why),
        Element("span", {"class": "sakura-game-chance"}, (f"wins {percent(move.chance)}",)),
        kind="game-best game-answer" if move is best else "game-answer",
    )


def worth(state: Coach, card_id: int) -> Element | None:
    """What the best that can be done with a card of the hand is worth, to be shown under it."""
    if state.advice is None or state.level < ANSWERS:
        return None
    moves = [move for move in state.advice.moves if move.action.card == card_id and move.action.kind != "hiki"]
    if not moves:
        return None
    move = max(moves, key=lambda move: move.margin.value)
    mark = "★ " if move is state.advice.moves[state.advice.best] else "≈ " if move.level else ""
    words = f"{mark}{move.margin.value:+z.0f}".replace("-", "−")
    return Element("span", {"class": "sakura-game-worth", "aria-hidden": "true"}, (words,))


def in_words(action: Action) -> str:
    """An action in few words: "Crane takes Pine plain 1"."""
    words = str(action).replace(", turned up,", "").replace("captures", "takes").replace("is laid on the field", "laid")
    return words[0].upper() + words[1:]


def points(estimate: Estimate) -> str:
    """Points with their interval: "+3.1 [−0.2, +6.4]"; the same without one where there is no doubt."""
    value, low, high = (_signed(number) for number in estimate[:3])
    return f"{value} [{low}, {high}]" if estimate.low < estimate.high else value


def _signed(number: float) -> str:
    return f"{number:+z.1f}".replace("-", "−") if round(number, 1) else "0"


def percent(estimate: Estimate) -> str:
    """A chance with its interval: "51 % [49, 53]"."""
    value, low, high = (f"{100 * number:.0f}" for number in estimate[:3])
    return f"{value} % [{low}, {high}]"


def _source(playouts: int, what: str) -> str:
    return f"From {playouts:,} play-outs {what}; {coach.REFERENCE} plays every seat in them."


# ---- After the round ----


def look_back(state: Coach, finished: Hashable, ask: Handler, again: Callable[[int], object]) -> Element:
    """What the round was for the person's seat; or the button that asks for it."""
    found = state.review(finished)
    if found is None:
        waiting = text(_waiting(), kind="quiet") if state.asked_back else None
        return box(
            box(
                button("Look back with the coach", ask, key="review", enabled=not state.asked_back),
                waiting,
                kind="controls",
            ),
            kind="game-review",
        )
    return box(
        heading("Looking back"),
        _luck_and_skill(found),
        _mistakes(found, again),
        details(
            "All your decisions, and what each cost",
            scrolling(_decisions(found), "All your decisions"),
            key="decisions",
        ),
        kind="panel game-review",
        label="Looking back",
        key="review",
    )


def _luck_and_skill(found: Review) -> Element:
    reach = [0.0, *(edge for part in (*found.parts, ("", found.total)) for edge in part[1][1:3])]
    scale = min(reach), max(reach)
    lines = [_part(name, value, scale) for name, value in found.parts]
    total = "Your margin" if found.over else "Your margin, as expected now"
    lines.append(_part(total, found.total, scale, kind="game-total"))
    seed = "" if found.seed is None else f" Seed of the round: {found.seed}."
    return box(
        text(strong("Luck and skill: where your margin came from"), " (points above the best other side)"),
        listing(lines, kind="game-parts"),
        text(
            "Your decisions and those of others count as they turned out, with all cards seen, against what "
            f"{coach.REFERENCE} would have done. {_source(found.playouts, 'of every moment')} The average is of "
            f"{found.deals:,} deals.{seed}",
            kind="quiet",
        ),
    )


def _part(name: str, value: Estimate, scale: tuple[float, float], kind: str = "") -> Element:
    return box(
        Element("span", {"class": "sakura-game-move"}, (name,)),
        " ",
        interval(value.low, value.value, value.high, scale, points(value)),
        kind=f"game-part {kind}",
    )


def _mistakes(found: Review, again: Callable[[int], object]) -> Element:
    dearest = found.mistakes[:_DEAREST]
    if not dearest:
        return text(
            strong("No mistakes: "), "as far as the play-outs can tell, nothing you could know spoke for another move."
        )
    return box(
        text(strong("Your dearest mistakes"), ", by what you could see then"),
        listing([_mistake(decision, again) for decision in dearest], ordered=True, kind="game-mistakes"),
    )


def _mistake(decision: Decision, again: Callable[[int], object]) -> Element:
    taken, best = decision.taken, decision.best
    cost = f" cost {points(taken.behind).replace('+', '')} points. {taken.why}"
    return box(
        text(strong(f"{in_words(taken.action)}:"), cost),
        text(strong(f"Better: {in_words(best.action)}."), f" {best.why}"),
        box(
            button(
                "Play it again",
                partial(again, decision.number),
                key=f"again-{decision.number}",
                label=f"Play it again, from {in_words(taken.action)}",
            ),
            kind="controls",
        ),
    )


def _decisions(found: Review) -> Element:
    rows: list[Sequence[Child]] = []
    for place, decision in enumerate(found.decisions, 1):
        taken = decision.taken
        cost = points(taken.behind).replace("+", "") if taken.cost else "0"
        better = in_words(decision.best.action) if taken.cost else ""
        rows.append([f"{place}. {in_words(decision.action)}", cost, better])
    counts = [decision.advice.playouts for decision in found.decisions]
    many = f" {min(counts):,} to {max(counts):,} play-outs for each move." if counts else ""
    caption = f"Cost in points, with its interval; 0 where the play-outs cannot tell it from the best.{many}"
    return table(caption, ["You did", "Cost", "Better, by what you could see"], rows)
