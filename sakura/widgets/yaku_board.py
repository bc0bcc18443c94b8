"""`YakuBoard`: who has which card of the eight yaku, what is missing or blocked, and what it does to the score."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial

from ..cards import CARDS, POINT_CARDS, POINT_SETS, Cards, card_set, cards_in, names, points
from ..checks import shown, whole
from ..round import Round, scores, yaku_effect
from ..rules import CHOICES, MAX_PLAYERS, Rules
from ..words import change, signed
from ..yaku import YAKU, YAKU_POINTS, YAKU_SETS, Yaku, completed
from .base import View, css
from .elements import Element, box, button, card, choice, entry, heading, meter, strong, table, text

_IN_NO_YAKU = cards_in(POINT_CARDS & ~card_set(card for yaku in YAKU for card in yaku.cards))
_DEALT = 18  # of the 25 cards with points, so that most deals leave something to be won
_RULES = {
    "penalty": f"penalty: −{YAKU_POINTS} for every other side",
    "bonus": f"bonus: +{YAKU_POINTS} for its own side",
}
# Words on the button -> what each side has captured, and what there is to see.
_EXAMPLES = {
    "Example: one yaku": (([8, 28, 32], [0, 1]), "Side A has one yaku."),
    "Example: two at once": (([0, 4, 8, 28, 32], []), "Five cards make two yaku, as Curtain counts in both."),
    "Example: partners": (
        ([1, 5, 9], []),
        "Side A is a team. One partner captured the ribbons of Pine and Plum, the other that of Cherry. "
        "They share one pile, so the team has the yaku.",
    ),
}


@dataclass
class _State:
    """owners: card -> side, for what is captured.  rule: "penalty" or "bonus".  side: who takes the cards clicked.
    seed: that of the last deal.  past: the owners before each change."""

    owners: dict[int, int]
    rule: str
    side: int = 0
    seed: int = 0
    past: list[dict[int, int]] = field(default_factory=list)


class YakuBoard(View[_State]):
    """The eight yaku, to be filled by clicking: the chosen side takes the card, or puts its own card back.

    sides: 2 to 7.  yaku: the house rule to begin with, "penalty" or "bonus".  captured: for each side the ids of the
    cards to begin with; plain cards among them count nothing and are not shown.

    Raises ValueError or TypeError for any other.
    """

    title = "Yaku board"
    _css = css("yaku_board")

    def __init__(self, *, sides: int = 2, yaku: str = "penalty", captured: Sequence[Iterable[int]] = ()) -> None:
        self.sides = whole("sides", sides, 2, MAX_PLAYERS + 1)
        _check_rule(yaku)
        piles = tuple(Cards(cards) for cards in captured)
        owners = _owners(piles, self.sides)
        super().__init__(lambda: _State(owners, yaku), settings=(self.sides, yaku, piles))

    # ---- What it knows ----

    @property
    def captured(self) -> list[int]:
        """The card set of each side."""
        owners = self.state.owners
        return [card_set(card for card in owners if owners[card] == side) for side in range(self.sides)]

    @property
    def scores(self) -> list[int]:
        """The score of each side under the house rule that is chosen."""
        return self._scores(self.state.rule)

    def _scores(self, rule: str) -> list[int]:
        return scores([cards_in(pile) for pile in self.captured], rule)

    def _held(self) -> list[tuple[int, Yaku]]:
        """Each yaku that is complete, and whose it is."""
        piles = enumerate(map(completed, self.captured))
        return [(side, yaku) for side, done in piles for k, yaku in enumerate(YAKU) if done >> k & 1]

    # ---- What a person does ----

    def choose(self, side: int) -> None:
        """From now on this side takes the cards that are clicked."""
        self.state.side = side
        self.say(f"{_name(side)} takes the cards that you click.")

    def take(self, card: int) -> None:
        """The chosen side takes a card, or puts its own card back."""
        held, side, owner = self._held(), self.state.side, self.state.owners.get(card)
        owners = {other: whose for other, whose in self.state.owners.items() if other != card}
        if owner == side:
            what = f"{_name(side)} puts {CARDS[card].name} back."
        else:
            owners[card] = side
            what = f"{_name(side)} takes {CARDS[card].name}" + ("." if owner is None else f" from {_name(owner)}.")
        self._become(owners)
        now = self._held()
        made = [f"{_name(whose)} has made {yaku}." for whose, yaku in now if (whose, yaku) not in held]
        lost = [f"{_name(whose)} no longer has {yaku}." for whose, yaku in held if (whose, yaku) not in now]
        self._tell(what, *lost, *made)

    def undo(self) -> None:
        """Take the last change back."""
        if not self.state.past:
            self.say("There is nothing to undo yet.")
            return
        self.state.owners = self.state.past.pop()
        self._tell("The last change is undone.")

    def clear(self) -> None:
        """Nobody has a card."""
        self._become({})
        self.say("The board is empty.")

    def example(self, name: str) -> None:
        """One of the examples."""
        captured, words = _EXAMPLES[name]
        self._become(_owners(captured, self.sides))
        self._tell(words)

    def deal(self, seed: int) -> None:
        """Deal most of the cards with points out to the sides in turn, as this seed shuffles them."""
        dealt = [card for card in Round(seed=seed).deck if POINT_CARDS >> card & 1][:_DEALT]
        self.state.seed = seed
        self._become({card: place % self.sides for place, card in enumerate(dealt)})
        self._tell(f"{_DEALT} cards are dealt out at random, by seed {seed}.")

    def deal_typed(self, seed: str) -> None:
        """Deal by a seed that was typed."""
        try:
            number = int(seed)
        except ValueError:
            raise ValueError(f"the seed must be a whole number, such as 7, got {shown(seed)}") from None
        self.deal(number)

    def choose_rule(self, rule: str) -> None:
        """Score by another house rule."""
        _check_rule(rule)
        self.state.rule = rule
        self._tell(f"The house rule is {rule} now.")

    def _become(self, owners: dict[int, int]) -> None:
        self.state.past.append(self.state.owners)
        self.state.owners = owners

    def _tell(self, *words: str) -> None:
        self.say(" ".join([*words, f"Scores: {self._in_words(self.scores)}."]))

    def _in_words(self, numbers: Iterable[int]) -> str:
        return ", ".join(f"{_name(side)} {signed(number)}" for side, number in enumerate(numbers))

    # ---- What is to be seen ----

    def draw(self) -> Element:
        return box(
            self._sides(),
            box(*map(self._yaku, YAKU), kind="yaku-tiles", label="The eight yaku", arrows=True),
            box(self._others(), self._positions(), kind="row yaku-below"),
            self._score(),
            self.look_controls(),
            kind="yaku-board",
        )

    def _sides(self) -> Element:
        """The sides with their scores, to choose the one that takes the next card."""
        buttons = [
            button(
                f"{_name(side)}: {signed(score)}",
                partial(self.choose, side),
                key=f"side-{side}",
                kind=f"side side-{side}",
                pressed=side == self.state.side,
            )
            for side, score in enumerate(self.scores)
        ]
        return box(
            box(*buttons, kind="row", arrows=True, label="Which side takes the cards that you click"),
            button("Undo", self.undo, enabled=bool(self.state.past)),
            button("Clear", self.clear),
            text(f"{_name(self.state.side)} takes the cards that you click."),
            kind="controls",
        )

    def _yaku(self, yaku: Yaku) -> Element:
        cards = [self._card(card_id, f"{yaku.syllable}-{card_id}") for card_id in sorted(yaku.cards)]
        parts = {side: pile & YAKU_SETS[yaku.number - 1] for side, pile in enumerate(self.captured)}
        have = {side: cards_in(part) for side, part in parts.items() if part}
        blocked = len(have) > 1
        meters = [
            meter(
                f"{_name(side)}, {yaku}",
                len(part) / len(yaku.cards),
                f"{_name(side)}: {len(part)} of {len(yaku.cards)}",
                kind="blocked" if blocked else f"side-{side}",
            )
            for side, part in have.items()
        ]
        done = "".join(f"yaku-done side-{side}" for side, held in self._held() if held == yaku)
        return box(
            heading(str(yaku)),
            box(*cards, kind="cards"),
            box(*map(text, meters), *map(text, self._standing(yaku, have)), kind="yaku-standing"),
            kind=f"panel yaku {'yaku-blocked' if blocked else done}",
            label=str(yaku),
        )

    def _card(self, card_id: int, key: str) -> Element:
        known, owner = CARDS[card_id], self.state.owners.get(card_id)
        what = f"{known.name}, {known.points} points"
        return card(
            card_id,
            partial(self.take, card_id),
            key=key,
            label=f"{what}, {'nobody has it' if owner is None else f'{_name(owner)} has it'}",
            mark="dim" if owner is None else f"owned side-{owner}",
            pressed=owner == self.state.side,
            hint=what,
        )

    def _standing(self, yaku: Yaku, have: dict[int, tuple[int, ...]]) -> list[Element | str]:
        """Who can still make a yaku, and with what; `have` is what each side has of it."""
        if not have:
            return [f"Missing: {names(sorted(yaku.cards))}."]
        if len(have) > 1:
            parts = ", ".join(f"{_name(side)} has {names(part)}" for side, part in have.items())
            return [f"✗\u00a0Blocked for all: {parts}."]
        ((side, part),) = have.items()
        others = _name(1 - side) if self.sides == 2 else "all others"
        missing = sorted(yaku.cards.difference(part))
        if missing:
            return [f"{_name(side)} is missing {names(missing)}.", f"✗\u00a0Blocked for {others}."]
        own, other = yaku_effect(yaku, self.state.rule)
        cost = f"{change(other)} for {others}" if other else f"{change(own)} for {_name(side)}"
        return [strong(f"✓\u00a0{_name(side)} has it: {cost}.")]

    def _others(self) -> Element:
        return box(
            heading("In no yaku"),
            box(
                *(self._card(card_id, f"other-{card_id}") for card_id in _IN_NO_YAKU),
                kind="cards",
                arrows=True,
                label="Cards with points that are in no yaku",
            ),
        )

    def _positions(self) -> Element:
        """What fills the board by itself."""
        return box(
            box(
                button("Deal out at random", partial(self.deal, self.state.seed + 1), key="deal"),
                entry("Seed", self.state.seed, self.deal_typed, key="seed", number=True),
                kind="controls",
            ),
            box(
                *(button(name, partial(self.example, name), key=name) for name in _EXAMPLES),
                kind="controls",
            ),
        )

    def _score(self) -> Element:
        sides, piles = range(self.sides), self.captured
        rows: list[list[Element | str]] = [
            [_kinds(value, valued), *(_product(len(cards_in(pile & valued)), value) for pile in piles)]
            for value, valued in POINT_SETS
        ]
        rows.append(["Points", *(strong(str(points(pile))) for pile in piles)])
        for side, yaku in self._held():
            own, other = yaku_effect(yaku, self.state.rule)
            rows.append([f"{yaku} of {_name(side)}", *(change(own if side == each else other) for each in sides)])
        rows.append(["Score", *(strong(signed(score)) for score in self.scores)])
        # Many columns do not fit on a telephone; what scrolls has to be in the order of Tab.
        wide = {"class": "sakura-yaku-score", "tabindex": "0", "role": "group", "aria-label": "Score"}
        lines = table("The score, line by line", ["What counts", *map(_name, sides)], rows)
        return box(
            choice("House rule", _RULES, self.state.rule, self.choose_rule, key="rule"),
            lines if self.sides < 5 else Element("div", wide, (lines,)),
            text(self._comparison(), kind="quiet"),
            kind="panel",
        )

    def _comparison(self) -> str:
        """What the other house rule would make of it."""
        other = next(rule for rule in CHOICES["yaku"] if rule != self.state.rule)
        after = self._scores(other)
        # The same for every side: under "penalty" each has lost 50 for every yaku, but for its own.
        change = after[0] - self.scores[0]
        if not change:
            return f"Nobody has a yaku: with the other house rule, {other}, the scores are the same."
        how = f"each {abs(change)} {'more' if change > 0 else 'less'}, so every lead is the same"
        return f"With the other house rule, {other}: {self._in_words(after)}; {how}."


def _check_rule(rule: str) -> None:
    Rules(yaku=rule)


def _owners(captured: Sequence[Iterable[int]], sides: int) -> dict[int, int]:
    """Card -> side. Raises ValueError where two sides have the same card."""
    if len(captured) > sides:
        raise ValueError(f"captured lists the cards of {len(captured)} sides, and there are {sides}")
    owners: dict[int, int] = {}
    for side, cards in enumerate(captured):
        for card_id in cards_in(card_set(cards)):
            if card_id in owners:
                raise ValueError(f"{CARDS[card_id].name} is captured by two sides")
            owners[card_id] = side
    return owners


def _name(side: int) -> str:
    return f"Side {'ABCDEFG'[side]}"


def _kinds(value: int, cards: int) -> str:
    """What the cards of one value are: "Brights, 20 each"."""
    kinds = sorted({f"{CARDS[card_id].kind}s" for card_id in cards_in(cards)})
    return f"{' and '.join(kinds).capitalize()}, {value} each"


def _product(count: int, value: int) -> str:
    return f"{count} × {value} = {count * value}" if count else "0"
