"""A position, and a turn to play or a question to answer: the trainer says what happens and why, or why not."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from ..bits import SEEDS
from ..cards import CARDS, names
from ..checks import one_of, shown, whole
from ..engine import LIGHTNING
from ..positions import QUESTIONS, TOPICS, Position, position_at, ways_to_play
from ..reasons import (
    Answer,
    announced,
    at_other_tables,
    question,
    task,
    why,
    why_no_hiki,
    why_not,
)
from ..round import Action, Event, Round
from ..words import told
from .base import View, css
from .elements import Child, Element, box, button, card, choice, listing, strong, table, text
from .turn_scene import Scene

Place = Sequence[int] | Mapping[str, Any] | Round


@dataclass
class _State:
    """Where the learner is. `number` counts the positions of the topic; `round` is the position, played on."""

    topic: str
    position: Position
    round: Round
    number: int = 0
    chosen: int | None = None
    # What was answered, and whether the position has been tried or solved at all.
    answered: list[str] = field(default_factory=list)
    tried: bool = False
    solved: bool = False
    revealed: bool = False
    # What there is to say to the last try: right or not, why, and what happened.
    verdict: bool | None = None
    reason: str = ""
    happened: tuple[Event, ...] = ()
    right: int = 0
    asked: int = 0


class TurnTrainer(View[_State]):
    """Positions to play in, of one of `sakura.positions.TOPICS` or of all of them; equal seeds give equal positions.

    position: play in this one instead: a Round, one as `Round.to_dict` saves it, or the deck of a round for two.

    Raises ValueError or TypeError for a topic that does not exist, a position that cannot be, or a round that is over.
    """

    title = "Turn trainer"
    _css = css("turn_trainer")

    def __init__(self, topic: str | None = None, seed: int = 1, *, position: Place | None = None) -> None:
        if topic is not None:
            one_of("topic", topic, TOPICS)
        if topic is not None and position is not None:
            raise ValueError("give topic= or position=, not both")
        self.seed = whole("seed", seed, 0, SEEDS)
        self._given = None if position is None else _given(position)
        first = self._given or position_at(topic or "", self.seed, 0)
        settings = (topic, seed, self._given and json.dumps(self._given.round.to_dict()))
        super().__init__(lambda: _State(topic or "", first, first.round.copy()), settings=settings)

    # ---- What is to be seen ----

    def draw(self) -> Element:
        return box(
            self._top(),
            self._asked(),
            box(
                box(self._table(), self._other_tables(), kind="trainer-left"),
                box(*self._actions(), self._comment(), kind="trainer-right"),
                kind="trainer",
            ),
            self.look_controls(),
        )

    def _top(self) -> Element | None:
        if self._given:
            return None
        s = self.state
        topics = {"": "All topics", **TOPICS}
        score = f"Right at the first try: {s.right} of {s.asked}"
        return box(choice("Topic", topics, s.topic, self._set_topic), text(score, kind="quiet"), kind="controls")

    def _asked(self) -> Element:
        position = self.state.position
        if position.topic in QUESTIONS:
            return box(text(strong(question(position).words)), kind="panel asked")
        lines = announced(position.round) if position.topic == "protected" else []
        return box(text(strong(task(position))), *map(text, lines), kind="panel asked")

    def _table(self) -> Element:
        s = self.state
        scene = Scene.of(s.position, s.round, solved=s.solved)
        you = s.position.seat
        if s.position.topic == "score":
            seats = (you, *scene.others(you))
            return box(*(box(scene.captured_by(seat, you, large=True), kind="place") for seat in seats), kind="felt")
        return box(
            box(*(scene.opponent(seat, you) for seat in scene.others(you)), kind="place others"),
            box(self._field(scene), scene.pile_place(), kind="place middle"),
            box(
                text(f"Your hand (you are Seat {you}){'' if scene.hands[you] else ': empty'}", kind="name"),
                box(*map(self._hand_card, sorted(scene.hands[you])), kind="cards", label="Your hand", arrows=True),
                kind="place",
            ),
            box(scene.captured_by(you, you), kind="place"),
            kind="felt",
        )

    def _field(self, scene: Scene) -> Element:
        cards = box(*map(self._field_card, sorted(scene.field)), kind="cards", label="Field", arrows=True)
        return box(text("The field", kind="name"), cards)

    def _hand_card(self, card_id: int) -> Element:
        if not self._playing:
            return card(card_id)
        s = self.state
        chosen = s.chosen == card_id
        wanted = s.revealed and any(s.position.is_wanted(a) and _uses(a, card_id) for a in s.round.legal_actions())
        mark = "selected" if chosen else "legal" if wanted else ""
        return card(card_id, partial(self._choose, card_id), key=f"hand-{card_id}", mark=mark, pressed=chosen)

    def _field_card(self, card_id: int) -> Element:
        if not self._playing:
            return card(card_id)
        return card(card_id, partial(self._target, card_id), key=f"field-{card_id}")

    def _actions(self) -> list[Element]:
        """The answers, or what can be done besides clicking cards; and how to go on."""
        s = self.state
        asked = s.position.topic in QUESTIONS
        answers = [self._answer_button(answer) for answer in question(s.position).answers] if asked else []
        # Those that come and go stand last.
        controls = [
            None if self._given else button("Next position", self._next, key="next", kind="main" * s.solved),
            button("Declare hiki", self._hiki, key="hiki") if self._playing else None,
            button("Leave it on the field", partial(self._target, None), key="leave") if self._playing else None,
            None if s.solved or s.revealed else button("Show me", self._reveal, key="show"),
            button("Once more", self._again, key="again") if s.solved and not asked else None,
        ]
        return [box(*controls, kind="controls"), *([box(*answers, kind="answers")] * asked)]

    def _answer_button(self, answer: Answer) -> Element:
        tried = answer.words in self.state.answered
        sign = ("✓" if answer.right else "✗") if tried else ""
        answered, key = partial(self._answer, answer), f"answer-{answer.words}"
        return button(answer.words, answered, key=key, kind="answer", pressed=tried, sign=sign)

    def _comment(self) -> Element | None:
        """What there is to say to the last try, and all legal actions where they were asked for."""
        s = self.state
        if not s.reason and not s.revealed:
            return None
        verdict = {True: "✓ Right. ", False: "✗ Not so. ", None: "The answer: "}[s.verdict]
        lines = question(s.position).lines if s.solved and s.position.topic in QUESTIONS else []
        legal = s.round.legal_actions() if s.revealed and not s.solved else []
        return box(
            text(strong(verdict), s.reason) if s.reason else None,
            listing([*lines, *map(self._line, s.happened)]) if lines or s.happened else None,
            text(strong("You may:")) if legal else None,
            listing(map(self._legal_line, legal)) if legal else None,
            kind="panel comment",
        )

    def _other_tables(self) -> Element | None:
        others = at_other_tables(self.state.position) if self.state.solved else []
        rows = [(rule[0].upper() + rule[1:], words) for rule, words in others]
        shown = table("The same at other tables", ["House rule", "Then"], rows)
        return box(shown, kind="panel") if rows else None

    def _line(self, event: Event) -> Child:
        words = told(event, self.state.position.seat)
        return box(card(event.cards[0], mark="small"), words, kind="row") if event.kind == "turned up" else words

    def _legal_line(self, action: Action) -> Child:
        wanted = self.state.position.topic and self.state.position.is_wanted(action)
        words = str(action)[0].upper() + str(action)[1:]
        return strong(f"✓ {words}") if wanted else words

    # ---- What the learner does ----

    @property
    def _playing(self) -> bool:
        """Whether there is something to play: till the turn is over."""
        s = self.state
        if s.position.topic in QUESTIONS or s.round.is_terminal:
            return False
        return (s.round.current_player, s.round.turn) == (s.position.seat, s.position.round.turn) and (
            not s.solved or s.round.phase == "pile"
        )

    def _choose(self, card_id: int) -> None:
        """Play a card of the hand, if there is only one way to; else keep it in mind until a target is chosen."""
        s = self.state
        if s.round.turned_up is not None:
            self.say(f"First choose what the {names([s.round.turned_up])} captures, which you turned up.")
            return
        if s.chosen == card_id:
            s.chosen = None
            self.say(f"{names([card_id])} is put back.")
            return
        ways = [action for action in s.round.legal_actions() if _uses(action, card_id)]
        # The Lightning is a question even where there is one answer only.
        if len(ways) == 1 and card_id != LIGHTNING:
            self._take(ways[0])
            return
        s.chosen = card_id
        self.say(_how_to_go_on(card_id, ways))

    def _target(self, target: int | None) -> None:
        """Let the chosen card, or the one turned up, take a field card, or none."""
        s = self.state
        playing = s.round.turned_up if s.round.turned_up is not None else s.chosen
        if playing is None:
            self.say("First click a card of your hand.")
            return
        for action in ways_to_play(s.round, playing):
            if target in action.captures or (target is None and not action.captures):
                self._take(action)
                return
        self._judge(False, why_not(s.round, playing, target))

    def _hiki(self) -> None:
        s = self.state
        hikis = [a for a in s.round.legal_actions() if a.kind == "hiki" and (s.chosen is None or _uses(a, s.chosen))]
        if s.round.turned_up is not None:
            self.say("A hiki is declared instead of playing a card of your hand, not when one is turned up.")
        elif not hikis:
            self._judge(False, why_no_hiki(s.round))
        elif len(hikis) > 1:
            self.say("There is more than one hiki. First click a card of the suit that you mean.")
        else:
            self._take(hikis[0])

    def _take(self, action: Action) -> None:
        s = self.state
        reason = why(s.round, action)
        if not s.solved and not s.position.is_wanted(action):
            self._judge(False, f"That is legal, but not what is asked for here. {reason}")
            return
        seen = len(s.round.log)
        s.round.apply_action(action)
        s.happened = tuple(event for event in s.round.log[seen:] if event.kind != "round over")
        if self._playing:
            reason += f" Then you turn up {names([s.round.turned_up or 0])}: click the card that it captures."
            self.focus(f"field-{min(s.round.field)}")
        self._judge(True, reason)

    def _answer(self, answer: Answer) -> None:
        s = self.state
        s.answered.append(answer.words)
        self._judge(answer.right, answer.why)

    def _judge(self, right: bool, reason: str) -> None:
        s = self.state
        if not right:
            s.happened = ()
        self._count(right)
        s.verdict, s.reason, s.chosen = right, reason, None
        s.solved = s.solved or right
        self.say(f"{'Right.' if right else 'Not so.'} {reason}")
        if right and not self._playing:
            self.focus("again" if self._given else "next")

    def _count(self, right: bool) -> None:
        """Count the first try at each position."""
        s = self.state
        if not s.tried:
            s.tried = True
            s.asked += 1
            s.right += right

    def _reveal(self) -> None:
        s = self.state
        self._count(False)
        if s.position.topic in QUESTIONS:
            right = next(answer for answer in question(s.position).answers if answer.right)
            s.answered.append(right.words)
            s.solved, s.verdict, s.reason = True, None, f"{right.words.rstrip('.')}. {right.why}"
            self.say(f"The answer: {s.reason}")
        else:
            s.revealed = True
            fits = sum(s.position.is_wanted(action) for action in s.round.legal_actions())
            marked = f" What is asked for is marked ✓: {fits} of it." if s.position.topic else ""
            self.say(f"All that is legal is listed.{marked}")
        self.focus("next")

    # ---- From position to position ----

    def _next(self) -> None:
        self._go(self.state.topic, self.state.number + 1)

    def _set_topic(self, topic: str) -> None:
        if topic and topic not in TOPICS:
            raise ValueError(f"topic must be one of {', '.join(TOPICS)}, got {shown(topic)}")
        self._go(topic, 0)

    def _go(self, topic: str, number: int) -> None:
        s = self.state
        position = position_at(topic, self.seed, number)
        self.state = _State(topic, position, position.round.copy(), number, right=s.right, asked=s.asked)
        asked = question(position).words if position.topic in QUESTIONS else task(position)
        self.say(f"A new position. {asked}")

    def _again(self) -> None:
        s = self.state
        s.round = s.position.round.copy()
        s.solved, s.verdict, s.reason, s.happened = False, None, "", ()
        self.say("Back to the position as it was.")
        hand = s.round.hands[s.position.seat]
        self.focus(f"hand-{min(hand)}" if hand else f"field-{min(s.round.field)}")


def _given(position: Place) -> Position:
    """A position that the trainer was given, checked."""
    if isinstance(position, Round):
        rnd = position.copy()
    elif isinstance(position, Mapping):
        rnd = Round.from_dict(position)
    elif isinstance(position, Sequence):
        rnd = Round(deck=position)
    else:
        raise TypeError(f"position must be a Round, a saved one, or a deck, got {shown(position)}")
    if rnd.current_player is None:
        raise ValueError("this round is over, so there is nothing to play: give one in which a seat still decides")
    return Position("", rnd, rnd.current_player)


def _uses(action: Action, card_id: int) -> bool:
    """Whether an action plays this card of the hand, alone or in a hiki."""
    return action.card == card_id or (action.kind == "hiki" and CARDS[action.card].suit == CARDS[card_id].suit)


def _how_to_go_on(card_id: int, ways: Iterable[Action]) -> str:
    plays = [action for action in ways if action.kind != "hiki"]
    parts = []
    if card_id == LIGHTNING or any(action.captures for action in plays):
        parts.append("click the card that it captures")
    if card_id == LIGHTNING or not all(action.captures for action in plays):
        parts.append("leave it on the field")
    if len(plays) < len(list(ways)):
        parts.append("declare hiki")
    return f"{names([card_id])} is chosen: {', or '.join(parts)}."
