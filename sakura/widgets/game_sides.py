"""What the game table shows of each side: its seats, its captured cards by kind, its yaku, its score."""

from collections.abc import Collection
from typing import NamedTuple

from ..cards import CARDS, KINDS
from ..words import signed
from ..yaku import YAKU, Yaku
from .elements import Child, Element, box, card, details, table, text
from .game_scene import Names, Scene, listed

KIND_NAMES = {"bright": "Brights", "ribbon": "Ribbons", "animal": "Animals", "plain": "Plain"}
# With more sides than this, what they captured has to be unfolded.
_OPEN = 3


def side_panels(scene: Scene, names: Names, turn: int | None, dealer: int, fresh: Collection[int]) -> Element:
    """A panel for each side, the person's own first, then in order of play.

    turn: the seat whose turn it is.  fresh: the cards to be marked as just captured.
    """
    rules = scene.rules
    order = [((names.my_side or 0) + step) % rules.sides for step in range(rules.sides)]
    panels = []
    for side in order:
        seats = [_seat(scene, names, seat, turn, dealer) for seat in rules.seats_of(side)]
        if rules.teams:
            seats.insert(0, _span("name", names.side(side)))
        head = box(box(*seats, kind="game-seats"), _score(scene, side), kind="game-head")
        opened = rules.sides <= _OPEN or side == names.my_side
        unfolded = details(
            _summary(scene, side),
            *_captured(scene, names, side, fresh),
            key=f"side-{side}-of-{rules.sides}",
            opened=opened,
        )
        mine = "game-mine" if side == names.my_side else ""
        panels.append(box(head, unfolded, kind=f"panel game-side {mine}", label=names.side(side)))
    return box(*panels, kind="game-sides game-many" if rules.sides > 2 else "game-sides")


def _seat(scene: Scene, names: Names, seat: int, turn: int | None, dealer: int) -> Element:
    held = len(scene.hands[seat])
    backs = Element("span", {"class": "sakura-game-backs", "style": f"--held:{held}"})
    count = (backs, f" {held}", _span("unseen", " in hand "))
    on_turn = [_span("arrow", "▶", hidden=True), _span("unseen", " On turn: ")] if seat == turn else []
    return box(
        Element("span", {"class": "sakura-game-turn"}, tuple(on_turn)),
        _span("name", names.seat(seat)),
        _span("dealer", " dealer ") if seat == dealer else None,
        None if seat == names.me else Element("span", {"class": "sakura-game-held"}, count),
        kind="game-seat",
    )


def _span(kind: str, words: str, *, hidden: bool = False) -> Element:
    """Words within a line; `hidden` from screen readers, "unseen" by everybody else."""
    return Element("span", {"class": f"sakura-game-{kind}", "aria-hidden": "true" if hidden else None}, (words,))


def _count(number: int, what: str) -> str:
    return f"{number or 'no'} {what}{'s' * (number != 1)}"


def _score(scene: Scene, side: int) -> Element:
    return text(_span("small", "score "), signed(scene.score(side)), kind="game-score")


def _summary(scene: Scene, side: int) -> str:
    parts = [_count(len(scene.cards_of(side)), "card"), f"{scene.points(side)} points"]
    held = [YAKU[k].syllable for k in scene.yaku(side)]
    return ", ".join(parts) + (f", yaku {' and '.join(held)}" if held else "")


def _captured(scene: Scene, names: Names, side: int, fresh: Collection[int]) -> list[Element]:
    cards = scene.cards_of(side)
    piles = [_kind(kind, [c for c in cards if CARDS[c].kind == kind], fresh) for kind in KINDS]
    return [box(*piles, kind="game-piles"), _yaku_line(scene, side)]


def _kind(kind: str, cards: list[int], fresh: Collection[int]) -> Element:
    label = _span("small", f"{KIND_NAMES[kind]} {len(cards)}")
    shown = [
        Element("span", {"class": "sakura-game-fan-card"}, (card(c, mark="small fresh" if c in fresh else "small"),))
        for c in cards
    ]
    return box(label, box(*shown, kind="game-fan"), kind="game-kind")


# ---- Yaku ----


class Reached(NamedTuple):
    """How far a side is with a yaku: the cards that it has, that nobody has yet, and that another side has."""

    mine: frozenset[int]
    free: frozenset[int]
    lost: frozenset[int]

    @property
    def marks(self) -> str:
        """ "●●○"."""
        return "●" * len(self.mine) + "○" * len(self.free) + "×" * len(self.lost)

    @property
    def reached(self) -> str:
        """ "2 of 3"."""
        return f"{len(self.mine)} of 3"

    def __str__(self) -> str:
        parts = [self.reached if self.free or self.lost else "complete"]
        parts += [f"still to be had: {listed(self.free)}"] if self.free else []
        parts += [f"another side has {listed(self.lost)}"] if self.lost else []
        return "; ".join(parts)


def reached(scene: Scene, side: int, yaku: Yaku) -> Reached:
    """How far a side is with a yaku."""
    sides = range(scene.rules.sides)
    others = {card for other in sides if other != side for card in scene.cards_of(other)}
    mine, lost = yaku.cards & set(scene.cards_of(side)), yaku.cards & others
    return Reached(mine, yaku.cards - mine - lost, lost)


def _yaku_line(scene: Scene, side: int) -> Element:
    chips = []
    for yaku in YAKU:
        far = reached(scene, side, yaku)
        state = "lost" if far.lost else "done" if not far.free else "begun" if far.mine else "open"
        shown = (
            _span("syllable", f"{yaku.syllable} "),
            _span("pips", far.marks, hidden=True),
            _span("unseen", f" {far.reached}; "),
        )
        attributes = {"class": f"sakura-game-yaku sakura-game-{state}", "title": f"{yaku}: {far}"}
        chips.append(Element("span", attributes, shown))
    return text(*chips, kind="game-chips")


def yaku_table(scene: Scene, names: Names) -> Element:
    """All yaku, with their cards and how far each side is."""
    sides = range(scene.rules.sides)
    rows: list[list[Child]] = []
    for yaku in YAKU:
        far = [reached(scene, side, yaku) for side in sides]
        marks = [box(_span("pips", f"{each.marks} ", hidden=True), each.reached, kind="game-far") for each in far]
        rows.append([str(yaku), listed(yaku.cards), *marks])
    caption = "Three cards, 50 points. ● this side has it, ○ nobody has it yet, × another side has it"
    return scrolling(table(caption, ["Yaku", "Cards", *map(names.side, sides)], rows), "The eight yaku")


def scrolling(inside: Element, label: str) -> Element:
    """Something that may be too wide or too high for its place, in a box that a keyboard can scroll."""
    return Element(
        "div", {"class": "sakura-game-scroll", "role": "group", "aria-label": label, "tabindex": "0"}, (inside,)
    )
