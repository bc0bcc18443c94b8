"""What lies where on the game table while a round is told step by step.

The round itself is always at its next decision. The log says which cards moved, and whose they became; this follows it
to any moment before that, so that a step can be seen before the next one happens.
"""

import re
from collections.abc import Sequence

from .. import engine
from ..cards import Cards, card_set, names, points
from ..round import Event, Round
from ..rules import Rules
from ..words import told, who
from ..yaku import YAKU, completed

# With these something new begins to happen; what follows them belongs to them.
_FIRST = ("played", "hiki", "turned up", "swept", "round over")
_TAKING = ("captured", "lightning took", "swept")


def step_begin(log: Sequence[Event], seen: int) -> int:
    """Where the step begins that is shown when the first `seen` events are."""
    return next((place for place in range(seen - 1, -1, -1) if log[place].kind in _FIRST), seen)


def step_end(log: Sequence[Event], seen: int) -> int:
    """How many events are shown after one more step."""
    return next((place for place in range(seen + 1, len(log)) if log[place].kind in _FIRST), len(log))


class Scene:
    """What lies where after the first `seen` events of a round's log.

    moving: the last step is still going on. What it plays, `leads`, lies on what it takes, and nobody has got it yet;
    `taken` is all that goes, the leads among it, unless they stay.  slots: the field, with gaps (None) where cards were
    taken, so that the others keep their places.
    """

    def __init__(self, rnd: Round, seen: int, *, moving: bool = False) -> None:
        self.rules = rnd.rules
        self.slots: list[int | None] = []
        self.hands: list[set[int]] = [set() for _ in range(rnd.rules.players)]
        self.captured: list[list[int]] = [[] for _ in range(rnd.rules.players)]
        self.pile = rnd.rules.pile
        self.leads: tuple[int, ...] = ()
        self.taken: frozenset[int] = frozenset()
        self.from_pile = False
        settled = step_begin(rnd.log, seen) if moving else seen
        for event in rnd.log[:settled]:
            self._happen(event)
        if moving:
            self._begin(rnd.log[settled:seen])

    def _happen(self, event: Event) -> None:
        match event.kind:
            case "dealt" if event.seat is None:
                self.slots = list(event.cards)
            case "dealt" if event.seat is not None:
                self.hands[event.seat] = set(event.cards)
            case "removed":
                self._lift(event.cards)
            case "played" | "hiki" | "turned up":
                self._lay(self._lead(event))
        if event.kind in _TAKING and event.seat is not None:
            self._lift(event.cards)
            self.captured[event.seat] += event.cards

    def _lead(self, event: Event) -> tuple[int, ...]:
        """Take the cards that an event brings into play from where they were."""
        if event.kind == "turned up" or event.seat is None:
            self.pile -= 1
            return event.cards
        brought = self.hands[event.seat] & set(event.cards)
        self.hands[event.seat] -= brought
        return tuple(sorted(brought))

    def _begin(self, events: Sequence[Event]) -> None:
        for event in events:
            if event.kind in ("played", "hiki", "turned up"):
                self.leads = self._lead(event)
                self.from_pile = event.kind == "turned up"
            elif event.kind in _TAKING:
                self.taken |= set(event.cards)
        if self.taken <= set(self.leads):
            self._lay(self.leads)

    def _lay(self, cards: Sequence[int]) -> None:
        for card in cards:
            if None in self.slots:
                self.slots[self.slots.index(None)] = card
            else:
                self.slots.append(card)

    def _lift(self, cards: Sequence[int]) -> None:
        self.slots = [None if card in cards else card for card in self.slots]
        while self.slots and self.slots[-1] is None:
            self.slots.pop()

    def set_aside(self, card: int) -> None:
        """Take a card off the field that is shown elsewhere: the one turned up that awaits a choice."""
        self._lift([card])

    # ---- What the sides have ----

    def cards_of(self, side: int) -> list[int]:
        """What a side has captured, in the order in which it came."""
        return [card for seat in self.rules.seats_of(side) for card in self.captured[seat]]

    def points(self, side: int) -> int:
        """The face value of what a side has captured."""
        return points(card_set(self.cards_of(side)))

    def yaku(self, side: int) -> list[int]:
        """Which yaku a side holds, as places in `YAKU`."""
        done = completed(card_set(self.cards_of(side)))
        return [k for k in range(len(YAKU)) if done >> k & 1]

    def score(self, side: int) -> int:
        """What a side would score now."""
        piles = [card_set(self.cards_of(other)) for other in range(self.rules.sides)]
        return engine.scores(self.rules.numbers(), piles)[side]


class Names:
    """What seats and sides are called at the table of the person in `seat`; None where nobody plays by hand."""

    def __init__(self, rules: Rules, seat: int | None) -> None:
        self.rules, self.me = rules, seat
        self.my_side = None if seat is None else rules.side_of(seat)

    def seat(self, seat: int) -> str:
        """ "Seat 3", or "You"."""
        return f"Seat {seat}" if self.me is None else who(seat, self.me)

    def side(self, side: int) -> str:
        """ "Seat 3", "Side 1", "You" or "Your side"."""
        if self.rules.teams is None:
            return self.seat(side)
        return "Your side" if side == self.my_side else f"Side {side}"

    def sides(self, sides: Sequence[int], *, begin: bool = False) -> str:
        """Several of them, in or at the begin of a sentence: "you and Seat 3"."""
        words = [within(self.side(side)) for side in sides]
        line = " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))
        return line[0].upper() + line[1:] if begin else line

    def verb(self, name: str, verb: str) -> str:
        """ "You win", "Seat 3 wins"."""
        return f"{name} {verb}" if name == "You" else f"{name} {verb}s"

    def turn(self, seat: int) -> str:
        """ "Your turn", "Seat 3's turn"."""
        return "Your turn" if seat == self.me else f"Seat {seat}'s turn"

    def told(self, event: Event) -> str:
        """An event in the log's words, with the names of this table."""
        if event.kind == "round over":
            return re.sub(r"side (\d+) scores", self._scores, str(event))
        return str(event) if self.me is None else told(event, self.me)

    def _scores(self, found: re.Match[str]) -> str:
        return within(self.verb(self.side(int(found[1])), "score"))


def within(name: str) -> str:
    """A name of `Names` as it is in the middle of a sentence."""
    return name[0].lower() + name[1:] if name.startswith("You") else name


def listed(cards: Sequence[int] | Cards | frozenset[int]) -> str:
    """Cards in words, in the order of their ids."""
    return names(sorted(cards))
