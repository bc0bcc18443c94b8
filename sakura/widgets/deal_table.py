"""`DealTable`: a deal round the table, packet by packet, forwards and back; and what falls together in 1,000 deals.

Which packet goes where is the engine's (`Round.packets`). Here are the words for it, and where the seats are drawn.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..art.words import month_name
from ..bits import SEEDS, random63
from ..cards import CARDS, DECK_SIZE
from ..checks import shown, whole
from ..engine import SUIT_SIZE, redeal_key, used_cards
from ..match import Draw, draw_dealer
from ..round import Event, Round
from ..rules import DEALS, Rules
from ..simulate import deals
from ..stats import Estimate, proportion
from .base import View, css
from .elements import Element, box, button, card, choice, entry, gaps, meter, room, strong, switch, table, text

# How often the deal is repeated for the odds.
TIMES = 1000

# Where each seat is drawn, the first of them nearest to the reader. Counter-clockwise, as the play runs.
PLACES: Mapping[int, tuple[str, ...]] = {
    2: ("bottom", "top"),
    3: ("bottom", "right", "left"),
    4: ("bottom", "right", "top", "left"),
    5: ("bottom", "right", "top-right", "top-left", "left"),
    6: ("bottom", "right-low", "right-high", "top", "left-high", "left-low"),
    7: ("bottom", "right-low", "right-high", "top-right", "top-left", "left-high", "left-low"),
}
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh")
_NUMBERS = {2: "two", 3: "three", 4: "four"}


# ---- A deal, step by step ----


class Scene(NamedTuple):
    """What lies where after one step of a deal.

    words: what happened in it.  packets: those of this deal; the first `dealt` of them are on the table.
    lies: the cards on the field (None) and in each hand, as they were dealt.  taken: four of a suit that the dealer
    took.  new: the cards that the step moved.
    """

    words: str
    packets: tuple[Event, ...]
    dealt: int
    lies: Mapping[int | None, tuple[int, ...]]
    taken: tuple[int, ...] = ()
    new: tuple[int, ...] = ()

    @property
    def is_packet(self) -> bool:
        """Whether the step dealt a packet; if not, the pack was shuffled, or the dealer took four of a suit."""
        return bool(self.new) and not self.taken

    @property
    def pack(self) -> int:
        """How many cards have not been dealt."""
        return DECK_SIZE - sum(len(packet.cards) for packet in self.packets[: self.dealt])


def scenes(rules: Rules, seed: int, dealer: int) -> list[Scene]:
    """The deal of a seed from the shuffled pack to its end, and before it those that four of a suit made void."""
    tries = _tries(rules, seed, dealer)
    result = _packet_scenes(tries[0], f"The pack of {DECK_SIZE} cards is shuffled. Nothing is dealt yet.")
    for void, rnd in pairwise(tries):
        why = f"{_whole_suits(void.captured[dealer])} on the field: this deal does not count."
        result += _packet_scenes(rnd, f"{why} All cards go back, and the pack is shuffled again.")
    taken = tuple(sorted(tries[-1].captured[dealer]))
    if taken:
        last, left = result[-1], tries[-1].field
        lies = {**last.lies, None: tuple(card for card in last.lies[None] if card in left)}
        words = f"{_whole_suits(taken)} on the field: the dealer, Seat {dealer}, takes them at once."
        result.append(last._replace(words=words, lies=lies, taken=taken, new=taken))
    return result


def _tries(rules: Rules, seed: int, dealer: int) -> list[Round]:
    """The deals that a seed leads to: those that do not stand at a table that deals again, and the one that does."""
    stands = Round(rules, seed=seed, dealer=dealer)
    any_deal = replace(rules, four_on_field="dealer")
    tries = [Round(any_deal, seed=seed, dealer=dealer)]
    while tries[-1].deck != stands.deck:
        seed = redeal_key(seed)
        tries.append(Round(any_deal, seed=seed, dealer=dealer))
    return tries


def _packet_scenes(rnd: Round, words: str) -> list[Scene]:
    packets = rnd.packets
    lies: dict[int | None, tuple[int, ...]] = {None: (), **{seat: () for seat in range(rnd.rules.players)}}
    result = [Scene(words, packets, 0, lies)]
    for number, packet in enumerate(packets, 1):
        lies = {**lies, packet.seat: lies[packet.seat] + packet.cards}
        result.append(Scene(f"Packet {number} of {len(packets)}: {packet}", packets, number, lies, (), packet.cards))
    return result


def _whole_suits(cards: Iterable[int]) -> str:
    suits = sorted({CARDS[card].month: CARDS[card].suit for card in cards}.items())
    return " and ".join(f"All four of {suit}" for _, suit in suits).replace("and All", "and all") + " lie"


def together(cards: Iterable[int]) -> str:
    """The cards of one suit among these, in words: "two of Pine, three of Maple"; nothing where there are none."""
    counts = sorted(Counter(CARDS[card].month for card in cards).items())
    suits = {card.month: card.suit for card in CARDS}
    return ", ".join(f"{_NUMBERS[count]} of {suits[month]}" for month, count in counts if count > 1)


# ---- The odds ----


class Odds(NamedTuple):
    """How often so many of a suit lay on the field, and in one hand; None where that cannot happen."""

    words: str
    on_field: Estimate | None
    in_hand: Estimate | None


def odds(rules: Rules, seed: int, dealer: int) -> tuple[Odds, ...]:
    """In how many of `TIMES` deals there were exactly two, three, or four of some suit."""
    dealt = deals(TIMES, rules, seed, dealer=dealer)
    on_field, in_hand = _suit_counts(dealt.field), _suit_counts(dealt.hands[:, 0])
    # Four on the field are not there to be counted: the dealer has taken them, or there was another deal.
    taken = np.bitwise_count(dealt.field) < rules.field
    fours = None if rules.four_on_field == "redeal" else proportion(int(taken.sum()), TIMES)
    return (
        Odds("a pair: two of a suit", _share(on_field, 2, rules.field), _share(in_hand, 2, rules.hand)),
        Odds("a triplet: three of a suit", _share(on_field, 3, rules.field), _share(in_hand, 3, rules.hand)),
        Odds("all four of a suit", fours, _share(in_hand, 4, rules.hand)),
    )


def _share(counts: npt.NDArray[np.uint8], size: int, cards: int) -> Estimate | None:
    """In what share of the deals exactly `size` cards of some suit were among `cards` cards."""
    return proportion(int((counts == size).any(axis=1).sum()), TIMES) if size <= cards else None


def _suit_counts(cards: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint8]:
    """How many cards of each of the twelve suits these card sets (n,) hold: (n, 12)."""
    suits = [cards >> np.uint64(first) & np.uint64(15) for first in range(0, DECK_SIZE, SUIT_SIZE)]
    return np.bitwise_count(np.stack(suits, axis=1))


# ---- The widget ----


@dataclass(frozen=True)
class _Table:
    """What has been chosen, how many steps are done, and what has been drawn or counted so far."""

    rules: Rules
    seed: int
    dealer: int
    step: int = 0
    draws: int = 0
    draw: Draw | None = None
    odds: tuple[Odds, ...] = ()


class DealTable(View[_Table]):
    """The deal of a seed, to go through packet by packet.

    hand: cards for each hand, None for the usual number.  four_on_field: the house rule of that name.  dealt: begin
    with all cards dealt. Raises ValueError or TypeError where an argument makes no sense.
    """

    title = "Deal table"
    _css = css("deal_table")

    def __init__(
        self,
        players: int = 2,
        seed: int = 1,
        *,
        dealer: int = 0,
        hand: int | None = None,
        four_on_field: str = "dealer",
        dealt: bool = False,
    ) -> None:
        rules = Rules(players=players, hand=hand, four_on_field=four_on_field)  # type: ignore[arg-type]
        last = len(scenes(rules, seed, dealer)) - 1 if dealt else 0
        super().__init__(lambda: _Table(rules, seed, dealer, last), settings=(rules, seed, dealer, dealt))

    # ---- What can be done ----

    def forward(self) -> None:
        """Deal one more packet."""
        self._go(1, "Everything is dealt. Start again, or choose another seed.")

    def back(self) -> None:
        """Take the last packet back."""
        self._go(-1, "Nothing is dealt yet.")

    def _go(self, steps: int, at_the_end: str) -> None:
        todo = self._scenes()
        step = self.state.step + steps
        if not 0 <= step < len(todo):
            self.say(at_the_end)
            return
        self.state = replace(self.state, step=step)
        self.say(("Taken back. " if steps < 0 else "") + todo[step].words)

    def deal_all(self) -> None:
        """Deal all that is left."""
        todo, rules = self._scenes(), self.state.rules
        for scene in todo[self.state.step + 1 :]:
            if not scene.is_packet:
                self.say(scene.words)
        self.state = replace(self.state, step=len(todo) - 1)
        self.say(
            f"Everything is dealt: {rules.field} cards to the field, {rules.hand} to each hand, "
            f"{rules.pile} are left for the pile."
        )

    def start_again(self) -> None:
        """Put all cards back."""
        self.state = replace(self.state, step=0)
        self.say(f"All cards are back. Seed {self.state.seed} shuffles them as before.")

    def next_seed(self) -> None:
        """Another deal."""
        self._choose(seed=(self.state.seed + 1) % SEEDS)

    def draw_for_dealer(self) -> None:
        """Let every seat draw a card; the earliest month deals. Each time another draw of the seed's own stream."""
        draws = self.state.draws
        draw = draw_dealer(self.state.rules.players, random63(self.state.seed, draws))
        self._choose(dealer=draw.dealer, draws=draws + 1, draw=draw)
        for drawn, outcome in zip(draw.draws, _outcomes(draw), strict=True):
            cards = ", ".join(f"Seat {seat} draws {CARDS[each].name}, {_month(each)}" for seat, each in drawn.items())
            self.say(f"{cards}. {outcome}")

    def deal_often(self) -> None:
        """Deal `TIMES` times and count what falls together."""
        again = " The same seed deals the same cards, so the numbers are the same." if self.state.odds else ""
        rules, seed, dealer = self.state.rules, self.state.seed, self.state.dealer
        self.state = replace(self.state, odds=odds(rules, seed, dealer))
        self.say(f"Dealt {TIMES:,} times with seed {seed}.{again} The table says what fell together.")

    def _choose(self, **chosen: Any) -> None:
        """Take other rules, another seed or another dealer. All cards go back, and what was counted is counted anew."""
        kept = {"rules": self.state.rules, "seed": self.state.seed, "dealer": self.state.dealer}
        self.state = _Table(**{**kept, **chosen})
        if self.state.draw is None:
            rules, dealer = self.state.rules, self.state.dealer
            self.say(f"{rules.players} players, Seat {dealer} deals, seed {self.state.seed}. The pack is shuffled.")

    def _choose_players(self, value: str) -> None:
        rules = Rules(players=_number("players", value), four_on_field=self.state.rules.four_on_field)
        self._choose(rules=rules, dealer=self.state.dealer if self.state.dealer < rules.players else 0)

    def _choose_dealer(self, value: str) -> None:
        self._choose(dealer=whole("dealer", _number("dealer", value), 0, self.state.rules.players))

    def _choose_seed(self, value: str) -> None:
        self._choose(seed=whole("seed", _number("seed", value), 0, SEEDS))

    def _choose_hand(self, ten: bool) -> None:
        self._choose(rules=replace(self.state.rules, hand=10 if ten else DEALS[2][0]))

    def _choose_four(self, value: str) -> None:
        self._choose(rules=replace(self.state.rules, four_on_field=value))

    # ---- What is to be seen ----

    def _scenes(self) -> list[Scene]:
        return scenes(self.state.rules, self.state.seed, self.state.dealer)

    def draw(self) -> Element:
        todo = self._scenes()
        scene = todo[self.state.step]
        at_end = self.state.step == len(todo) - 1
        return box(
            self._settings(),
            self._steps(at_end),
            self._felt(scene, at_end),
            self._draw_panel() if self.state.draw and self.state.step == 0 else None,
            self._plan(scene),
            self._odds_panel(),
            self.look_controls(),
        )

    def _settings(self) -> Element:
        rules = self.state.rules
        seats = {str(seat): f"Seat {seat}" for seat in range(rules.players)}
        fours, ten = {"dealer": "the dealer takes them", "redeal": "deal again"}, "10 cards each"
        return box(
            choice("Players", {str(n): str(n) for n in DEALS}, str(rules.players), self._choose_players),
            choice("Dealer", seats, str(self.state.dealer), self._choose_dealer),
            button("Draw for the dealer", self.draw_for_dealer),
            entry("Seed", self.state.seed, self._choose_seed, number=True),
            button("Next seed", self.next_seed),
            choice("Four of a suit on the field", fours, rules.four_on_field, self._choose_four),
            switch(ten, rules.hand == 10, self._choose_hand) if rules.players == 2 else room(f"mm {ten}"),
            kind="controls deal-settings",
        )

    def _draw_panel(self) -> Element:
        assert self.state.draw is not None
        rows: list[Element] = []
        for drawn, outcome in zip(self.state.draw.draws, _outcomes(self.state.draw), strict=True):
            cards = [
                box(card(each), text(f"Seat {seat}: {_month(each)}"), kind="deal-drawn") for seat, each in drawn.items()
            ]
            rows += [box(*cards, kind="row"), text(strong(outcome))]
        return box(text(strong("The draw: the earliest month deals")), *rows, kind="panel")

    def _steps(self, at_end: bool) -> Element:
        at_start = self.state.step == 0
        return box(
            button("◀ Back", self.back, key="back", label="◀ Back one packet", enabled=not at_start),
            button("Deal a packet ▶", self.forward, key="forward", kind="main", enabled=not at_end),
            button("Deal all ▶▶", self.deal_all, key="all", enabled=not at_end),
            button("Start again", self.start_again, key="again", enabled=not at_start),
            kind="controls",
        )

    def _felt(self, scene: Scene, at_end: bool) -> Element:
        players = self.state.rules.players
        served = [packet.seat for packet in scene.packets[1 : players + 1]]
        seats = [self._seat(seat, served.index(seat), scene, at_end) for seat in range(players)]
        return box(self._middle(scene, at_end), *seats, kind=f"felt deal-table deal-{players}")

    def _middle(self, scene: Scene, at_end: bool) -> Element:
        on_field, pack = scene.lies[None], "Pile" if at_end else "Pack"
        dead = DECK_SIZE - used_cards(self.state.rules.numbers()) if at_end else 0
        return box(
            box(
                _name("Field"),
                _cards(on_field, scene, self.state.rules.field),
                _together(on_field, at_end),
                kind=f"deal-field{_fresh(on_field, scene)}",
            ),
            box(
                _name(f"{pack}: {scene.pack}"),
                card(None, label=f"The {pack.lower()}, face down") if scene.pack else None,
                text(f"{dead} of them will never be seen: dead cards.") if dead else None,
                kind="deal-pack",
            ),
            text("↺ Play goes round counter-clockwise.", kind="deal-way"),
            kind="deal-middle",
        )

    def _seat(self, seat: int, served: int, scene: Scene, at_end: bool) -> Element:
        hand, is_dealer = scene.lies[seat], seat == self.state.dealer
        taken = scene.taken if is_dealer else ()
        return box(
            _name(f"Seat {seat}, dealer", "served last, plays first")
            if is_dealer
            else _name(f"Seat {seat}", f"served {_ORDINALS[served]}"),
            _cards(hand, scene, self.state.rules.hand),
            _together(hand, at_end),
            text("Taken at once:") if taken else None,
            _cards(taken, scene, 0) if taken else None,
            kind=f"deal-seat deal-{PLACES[self.state.rules.players][seat]}{_fresh(hand + taken, scene)}",
        )

    def _plan(self, scene: Scene) -> Element:
        each = self.state.rules.players + 1
        rows = []
        for n, packet in enumerate(scene.packets[:each]):
            both = [len(scene.packets[n].cards), len(scene.packets[n + each].cards)]
            who = "Field" if packet.seat is None else f"Seat {packet.seat}"
            first, second = _planned(both[0], n, scene.dealt), _planned(both[1], n + each, scene.dealt)
            rows.append([who, first, second, str(sum(both))])
        caption = "The packets, down the first column and then down the second: ✓ is dealt, ▶ comes next"
        return box(table(caption, ["To", "First pass", "Second pass", "Cards"], rows), kind="deal-plan")

    def _odds_panel(self) -> Element:
        state = self.state
        parts: list[Element] = [
            text(strong("How often do cards of one suit fall together?")),
            text("The program deals over and over by the rules chosen above, and counts. Seat 0 stands for any hand."),
            box(button(f"Deal {TIMES:,} times", self.deal_often, key="often"), kind="controls"),
        ]
        if state.odds:
            rows = [[row.words, _meter(row, "field"), _meter(row, "hand")] for row in state.odds]
            caption = f"n = {TIMES:,} deals, seed {state.seed}, dealer Seat {state.dealer}, rules: {state.rules}"
            parts += [
                table(caption, ["at least once", "on the field", "in the hand of Seat 0"], rows),
                text("In brackets: 95% intervals. The true chance lies in there, but for one time in twenty or so."),
            ]
        return box(*parts, kind="panel deal-odds")


# ---- Pieces ----


def _number(name: str, value: object) -> int:
    """What was typed or chosen, as a number. Raises ValueError, in words, where it is none."""
    try:
        return int(str(value).replace(",", ""))
    except ValueError:
        raise ValueError(f"{name} must be a whole number, got {shown(value)}") from None


def _month(card_id: int) -> str:
    return month_name(CARDS[card_id].month, "en")


def _outcomes(draw: Draw) -> list[str]:
    """What came of each draw: who has to draw again, and at last who deals."""
    tied = [" and ".join(f"Seat {seat}" for seat in drawn) + " tie and draw again." for drawn in draw.draws[1:]]
    return [*tied, f"Seat {draw.dealer} deals."]


def _name(words: str, more: str = "") -> Element:
    """What a place on the table is called. No heading: every seat would be in the notebook's table of contents."""
    return text(strong(words), f" {more}" if more else None, kind="deal-name")


def _cards(cards: Collection[int], scene: Scene, places: int) -> Element:
    """A row of cards, with room for as many as there will be."""
    shown = [card(each, mark="deal-new" if each in scene.new else "") for each in cards]
    return box(*shown, *gaps(places - len(cards)), kind="cards")


def _together(cards: Iterable[int], at_end: bool) -> Element:
    words = together(cards) if at_end else ""
    return text(f"Here are {words}." if words else None, kind="deal-together")


def _fresh(cards: tuple[int, ...], scene: Scene) -> str:
    return " deal-fresh" if set(cards) & set(scene.new) else ""


def _planned(size: int, number: int, dealt: int) -> str:
    return f"✓ {size}" if number < dealt else f"▶ {size}" if number == dealt else str(size)


def _meter(row: Odds, where: str) -> Element | str:
    share = row.on_field if where == "field" else row.in_hand
    if share is None:
        return "never"
    return meter(f"{row.words}, {where}", share.value, f"{share:.1%}")
