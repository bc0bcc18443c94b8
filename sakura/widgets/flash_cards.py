"""`FlashCards`: one card after another; name its suit, its kind, its points or its yaku."""

from functools import partial
from random import Random
from typing import NamedTuple

from ..cards import CARDS, KINDS, Card
from ..checks import shown, whole
from .base import LANGUAGE_NAMES, View, css
from .deck_gallery import CARD_LOOKS, CARD_STORIES, SUIT_LOOKS, yaku_of
from .elements import Element, box, button, card, choice, strong, switch, text

_MIXED = "mixed"
_QUESTIONS = {
    "suit": "Which suit is this card?",
    "kind": "Which kind of card is this?",
    "points": "How many points is this card worth?",
    "yaku": "Which yaku is this card in?",
}
_ASKED_FOR = {_MIXED: "everything, mixed", **{ask: f"the {ask}" for ask in _QUESTIONS}}
_TO_CHOOSE_FROM = 4
_OTHERS_BETWEEN = 2  # a question that was missed and the same question again

# For each suit the one that it is most easily taken for.
_LOOKS_LIKE = {1: 8, 2: 3, 3: 2, 4: 7, 5: 12, 6: 9, 7: 4, 8: 1, 9: 6, 10: 7, 11: 4, 12: 5}
_LIGHTNING = 43
_WHY_KIND = {
    "bright": "one of the four brights.",
    "ribbon": "the strip of paper makes it a ribbon.",
    "animal": "an animal, or a person or thing that counts as one.",
    "plain": "the plant of its suit and nothing else, so it is plain.",
}
_A_KIND = {"bright": "a bright", "ribbon": "a ribbon", "animal": "an animal", "plain": "plain"}
_WHY_ODD_KIND = {
    40: "he counts as an animal here; in other games he is a bright.",
    _LIGHTNING: "a plain card, for all its thunder.",
    45: CARD_STORIES[45],
}


def _yaku_words(card_id: int) -> str:
    return " and ".join(map(str, yaku_of(card_id))) or _NO_YAKU


_NO_YAKU = "In no yaku"
# All answers to the question for the yaku, that for none last.
_ALL_YAKU = [*dict.fromkeys(_yaku_words(c.id) for c in CARDS if yaku_of(c.id)), _NO_YAKU]


class _Question(NamedTuple):
    card: Card
    ask: str

    @property
    def right(self) -> str:
        if self.ask == "suit":
            return str(self.card.month)
        if self.ask == "yaku":
            return _yaku_words(self.card.id)
        return self.card.kind if self.ask == "kind" else str(self.card.points)

    def choices(self, random: Random) -> list[str]:
        """The answers to choose from, always in the same order, the likeliest mistakes among them."""
        if self.ask == "kind":
            return list(KINDS)
        if self.ask == "points":
            return sorted({str(c.points) for c in CARDS}, key=int, reverse=True)
        if self.ask == "suit":
            everything = [str(month) for month in range(1, 13)]
            near = [str(_LOOKS_LIKE[self.card.month])]
        else:
            everything = _ALL_YAKU
            near = _near_yaku(self.card)
        return _some(everything, self.right, near, random)


def _near_yaku(of: Card) -> list[str]:
    """What the cards of the same suit and those in the same yaku are in."""
    near = [c.id for c in CARDS if c.month == of.month] + [c for yaku in yaku_of(of.id) for c in yaku.cards]
    return [_yaku_words(c) for c in near]


def _some(everything: list[str], right: str, near: list[str], random: Random) -> list[str]:
    far = random.sample(everything, len(everything))
    wrong = [value for value in dict.fromkeys([*near, *far]) if value != right]
    return sorted([right, *wrong[: _TO_CHOOSE_FROM - 1]], key=everything.index)


class _Session:
    """What has been asked, missed and answered. `given` is the answer to `question`, None while it is open."""

    def __init__(self, seed: int, ask: str) -> None:
        self.random = Random(seed)
        self.answered = self.right = self.streak = self.best = 0
        # Each question that was missed, and the number of answers after which it is due.
        self.missed: dict[_Question, int] = {}
        self.change(ask)

    def change(self, ask: str) -> None:
        """Ask for something else from now on; what was missed is kept."""
        self.ask = ask
        self.pack: list[_Question] = []
        self.go_on()

    def go_on(self) -> str:
        """The next question: one that was missed and is due, or else from the pack. Says what there is to say."""
        said = ""
        waiting = [question for question in self.missed if self.ask in (_MIXED, question.ask)]
        earliest = min(waiting, key=self.missed.__getitem__, default=None)
        if earliest and (self.missed[earliest] <= self.answered or not self.pack):
            self.question = earliest
            said = "Once more: "
        else:
            if not self.pack:
                said = "The pack is shuffled. "
                self.pack = self._shuffled()
            self.question = self.pack.pop()
        self.choices = self.question.choices(self.random)
        self.given: str | None = None
        return said

    def _shuffled(self) -> list[_Question]:
        pack = []
        for asked in self.random.sample(CARDS, len(CARDS)):
            # That plain cards are in no yaku need not be asked again and again.
            possible = [ask for ask in _QUESTIONS if asked.points or ask != "yaku"]
            if self.ask == _MIXED:
                pack.append(_Question(asked, self.random.choice(possible)))
            elif self.ask in possible:
                pack.append(_Question(asked, self.ask))
        return pack

    def answer(self, value: str) -> bool:
        """Give an answer; whether it is right."""
        self.given = value
        self.answered += 1
        right = value == self.question.right
        self.right += right
        self.streak = self.streak + 1 if right else 0
        self.best = max(self.best, self.streak)
        if right:
            self.missed.pop(self.question, None)
        else:
            self.missed[self.question] = self.answered + _OTHERS_BETWEEN
        return right


class FlashCards(View[_Session]):
    """Cards to practise with. Every card comes up once before the pack is shuffled again.

    A question that is missed comes again after two others, and so on until it is answered right.

    seed: a whole number; the same one brings the same cards.  ask: "suit", "kind", "points", "yaku" (of the cards with
    points) or "mixed".

    Raises ValueError or TypeError for any other.
    """

    title = "Flash cards"
    _css = css("flash_cards")

    def __init__(self, seed: int = 1, *, ask: str = _MIXED) -> None:
        self.seed = whole("seed", seed, 0)
        _check(ask)
        super().__init__(lambda: _Session(self.seed, ask), settings=(seed, ask))

    # ---- What a person does ----

    def _answer(self, value: str) -> None:
        if self.state.given is not None:
            self.say("You have answered this one. Go on with Next.")
        elif not self.state.answer(value):
            self.say("Not so. This question comes again soon.")
        else:
            self.say("Right." if self.state.streak == 1 else f"Right, {self.state.streak} in a row.")
        self.focus("next")

    def _next(self) -> None:
        if self.state.given is None:
            self.say("First click an answer.")
            return
        self._put(self.state.go_on())

    def _change(self, ask: str) -> None:
        _check(ask)
        self.state.change(ask)
        self.say(f"The next question: {_QUESTIONS[self.state.question.ask]}")

    def _start_again(self) -> None:
        self.state = _Session(self.seed, self.state.ask)
        self._put("From the beginning. ")

    def _put(self, before: str) -> None:
        """Say the question that there is now, and take the keyboard to its answers."""
        self.say(before + _QUESTIONS[self.state.question.ask])
        self.focus(_key(self.state.choices[0]))

    # ---- What it looks like ----

    def draw(self) -> Element:
        shown, ask = self.state.question
        # What is to be seen on it, and not its name, which would tell too much.
        seen = CARD_LOOKS.get(shown.id, SUIT_LOOKS[shown.month])
        asked = box(
            text(strong(_QUESTIONS[ask]), kind="question"),
            box(*map(self._choice, self.state.choices), kind="controls answers", arrows=True, label="Answers"),
            self._verdict(),
            self._to_compare(),
            kind="asked",
        )
        return box(
            box(
                choice("Ask for", _ASKED_FOR, self.state.ask, self._change),
                choice("Names", LANGUAGE_NAMES, self.language, self._setter("language")),
                switch("High contrast", self.high_contrast, self._setter("high_contrast")),
                kind="controls",
            ),
            box(
                # With the card, so that no answer, long or short, moves what is clicked again and again.
                box(
                    card(shown.id, label=f"A card. {seen}"),
                    button("Next", self._next, key="next", kind="main", enabled=self.state.given is not None),
                    kind="asked-card",
                ),
                asked,
                kind="panel flash",
            ),
            text(self._score()),
            box(button("Start again", self._start_again), kind="controls"),
        )

    def _choice(self, value: str) -> Element:
        given, right = self.state.given, self.state.question.right
        sign, kind = "", ""
        if given is not None and value == right:
            sign, kind = "✓", "right"
        elif value == given:
            sign, kind = "✗", "wrong"
        answer = partial(self._answer, value)
        return button(self._words(value), answer, key=_key(value), kind=kind, enabled=given is None, sign=sign)

    def _words(self, value: str) -> str:
        """An answer, in the chosen language if it is a name."""
        ask = self.state.question.ask
        if ask == "suit":
            return CARDS[4 * (int(value) - 1)].suit_in(self.language)
        if ask == "points":
            return f"{value} points"
        return value.capitalize() if ask == "kind" else value

    def _verdict(self) -> Element:
        """Right or not, and why. It is there from the start: screen readers miss what comes with a new paragraph."""
        given, question = self.state.given, self.state.question
        words: tuple[Element | str, ...] = ()
        if given is not None:
            words = (strong("✓ Right." if given == question.right else "✗ Not so."), f" {self._why(question)}")
        return Element("p", {"class": "sakura-text sakura-verdict", "aria-live": "polite"}, words)

    def _why(self, question: _Question) -> str:
        shown, ask = question
        name = shown.name_in(self.language)
        if ask == "suit":
            return self._why_suit(shown)
        if ask == "kind":
            return f"{name}: {_WHY_ODD_KIND.get(shown.id, _WHY_KIND[shown.kind])}"
        if ask == "points":
            return f"{name}: {_A_KIND[shown.kind]}, so {shown.points} points."
        if not any(map(yaku_of, _suit(shown.month))):
            return f"{name}: no card of {shown.suit} is in a yaku."
        return (
            f"{name}: it is one of these three." if len(yaku_of(shown.id)) == 1 else f"{name}: it is in both of these."
        )

    def _why_suit(self, shown: Card) -> str:
        suit = shown.suit_in(self.language)
        words = suit if suit == shown.suit else f"{suit} ({shown.suit})"
        if shown.id == _LIGHTNING:
            return (
                f"{shown.name_in(self.language)}: the odd one of {words}, month {shown.month}. {CARD_LOOKS[shown.id]}"
            )
        return f"{words}, month {shown.month}. {SUIT_LOOKS[shown.month]}"

    def _to_compare(self) -> Element | None:
        """The yaku of the card; after a miss the two suits that were taken for each other."""
        given, question = self.state.given, self.state.question
        if given is None:
            return None
        if question.ask == "yaku":
            groups = [(str(yaku), sorted(yaku.cards)) for yaku in yaku_of(question.card.id)]
        elif question.ask == "suit" and given != question.right:
            groups = [(self._words(month), _suit(int(month))) for month in (question.right, given)]
        else:
            return None
        return box(
            *(
                box(text(strong(name)), box(*(card(c, mark="small") for c in ids), kind="cards"))
                for name, ids in groups
            ),
            kind="row",
        )

    def _score(self) -> str:
        state = self.state
        return (
            f"Right: {state.right} of {state.answered} · in a row: {state.streak} (best {state.best}) · "
            f"missed, to come again: {len(state.missed)} · left in the pack: {len(state.pack)}"
        )


def _suit(month: int) -> list[int]:
    return [c.id for c in CARDS if c.month == month]


def _check(ask: str) -> None:
    if ask not in _ASKED_FOR:
        raise ValueError(f"ask must be one of {', '.join(_ASKED_FOR)}, got {shown(ask)}")


def _key(value: str) -> str:
    return f"answer-{value}"
