"""What lies where at the moment that the turn trainer shows, and how it is drawn where nothing is to be clicked."""

from collections.abc import Sequence, Set
from dataclasses import dataclass

from ..cards import CARDS
from ..positions import Position
from ..round import Round
from ..rules import Rules
from ..words import who
from .elements import Element, box, card, text


@dataclass(frozen=True)
class Scene:
    """Card ids by place; `pile` is the number of cards in it."""

    rules: Rules
    hands: Sequence[Set[int]]
    field: Set[int]
    captured: Sequence[Set[int]]
    pile: int
    turned_up: int | None

    @classmethod
    def of(cls, position: Position, rnd: Round, *, solved: bool) -> "Scene":
        """The round as it is; for a question, the moment that it is about, or what came of it when it is solved."""
        action = position.action
        if action is not None and not solved:
            if position.topic == "sweep":
                return cls._before_sweep(position)
            if position.before_pile:
                return cls._before_pile(position, action.card)
        shown = position.after if action is not None and solved else rnd
        return cls(shown.rules, shown.hands, shown.field, shown.captured, len(shown.pile), shown.turned_up)

    @classmethod
    def _before_sweep(cls, position: Position) -> "Scene":
        """When all is played, and the Lightning's player is about to get what it brings."""
        rnd = position.after
        swept = {card for event in position.events if event.kind == "swept" for card in event.cards}
        captured = [cards - swept for cards in rnd.captured]
        return cls(rnd.rules, rnd.hands, rnd.field | swept, captured, len(rnd.pile), None)

    @classmethod
    def _before_pile(cls, position: Position, laid: int) -> "Scene":
        """When a card is laid, and the next one is turned up but not yet played."""
        rnd = position.round
        hands = [hand - {laid} for hand in rnd.hands]
        return cls(rnd.rules, hands, rnd.field | {laid}, rnd.captured, len(rnd.pile) - 1, rnd.pile[0])

    def others(self, you: int) -> list[int]:
        """The other seats, in the order of play."""
        return [(you + step) % len(self.hands) for step in range(1, len(self.hands))]

    # ---- Drawn ----

    def opponent(self, seat: int, you: int) -> Element:
        """Another seat: the backs of its hand, and what it has captured."""
        partner = ", your partner" if self.rules.side_of(seat) == self.rules.side_of(you) else ""
        backs = [card(None, mark="small") for _ in self.hands[seat]]
        return box(
            text(f"Seat {seat}{partner}: {len(backs)} in the hand", kind="name"),
            box(*backs, kind="cards heap", label=f"Seat {seat}: hand") if backs else None,
            *self._heaps(seat, f"Seat {seat}", "small", "cards fan"),
            kind="seat",
        )

    def captured_by(self, seat: int, you: int, *, large: bool = False) -> Element:
        """What a seat has captured; large where there is nothing else to look at."""
        name = who(seat, you)
        valued, plain = self._captured(seat)
        parts = [f"{len(cards)} {kind}" for cards, kind in ((valued, "with points"), (plain, "plain")) if cards]
        words = f"{name} captured {' and '.join(parts) or 'nothing yet'}"
        heaps = self._heaps(seat, name, "" if large else "small", "cards")
        return box(text(words, kind="name"), *heaps, kind="seat")

    def _captured(self, seat: int) -> tuple[list[int], list[int]]:
        """A seat's cards with points, the dearest first, and its plain cards."""
        taken = sorted(self.captured[seat], key=lambda card_id: (-CARDS[card_id].points, card_id))
        valued = [card_id for card_id in taken if CARDS[card_id].points]
        return valued, taken[len(valued) :]

    def _heaps(self, seat: int, name: str, mark: str, kind: str) -> list[Element]:
        heaps = zip(self._captured(seat), ("captured", "plain cards"), (kind, "cards heap"), strict=True)
        return [
            box(*(card(card_id, mark=mark) for card_id in cards), kind=how, label=f"{name}: {what}")
            for cards, what, how in heaps
            if cards
        ]

    def pile_place(self) -> Element:
        """The pile, and the card turned up where it is still to be played."""
        up = None if self.turned_up is None else _place("Turned up", card(self.turned_up))
        return box(_place(f"Pile: {self.pile}", card(None) if self.pile else None), up)


def _place(name: str, shown: Element | None) -> Element:
    return box(text(name, kind="name"), box(shown, kind="cards"))
