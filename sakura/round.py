"""`Round`: one round for people and agents, with names, a log, undo, and files.

All rules are the engine's; this module puts them into words and keeps the past.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from os import PathLike
from typing import Any, NamedTuple

from . import engine
from .agents import Strategy, ask, resolve
from .bits import SEEDS
from .card_sets import CardSet, card_set
from .cards import CARDS, DECK_SIZE, FULL_DECK, Cards, cards_in, names, points
from .checks import is_whole, items, listed, load, record, shown, whole
from .engine import Observation
from .machine import prepare
from .rules import Rules
from .saving import replace_file
from .yaku import YAKU, Yaku, completed

KINDS = ("play", "hiki", "turn_up")
PHASES = {engine.HAND: "hand", engine.PILE: "pile", engine.OVER: "over"}
_FORMAT = "sakura round 1"


class Action(NamedTuple):
    """What a seat may do. `captures` are the field cards that it takes, ascending; empty when the card is laid.

    kind "play": `card` is played from the hand.  "hiki": `card` is the lowest of the suit in the hand, all of which
    go.  "turn_up": `card` was turned up from the pile.
    """

    kind: str
    card: int
    captures: tuple[int, ...]

    def __str__(self) -> str:
        try:
            card_set({self.card, *self.captures})
        except (TypeError, ValueError):
            return repr(self)
        card = CARDS[self.card]
        if self.kind == "hiki":
            taken = f", with {names(self.captures)} from the field" if self.captures else ""
            return f"declare hiki of {card.suit}{taken}"
        what = card.name if self.kind == "play" else f"{card.name}, turned up,"
        return f"{what} captures {names(self.captures)}" if self.captures else f"{what} is laid on the field"


class IllegalAction(ValueError):
    """An action that the rules do not allow here. Nothing has changed."""


class Event(NamedTuple):
    """One thing that happened. `str` puts it into words.

    kind: "dealt" (seat None: to the field), "removed", "played", "hiki", "turned up", "captured", "lightning took",
        "swept", "yaku completed" or "round over".
    seat: whom it happened to, or None.
    cards: the ids of the cards concerned. What the Lightning took of another suit, at once or by a later claim, is
        "lightning took" instead of "captured".
    words: what else there is to say.
    """

    kind: str
    seat: int | None
    cards: tuple[int, ...]
    words: str = ""

    def __str__(self) -> str:
        cards = names(card for card in self.cards if self.kind != "lightning took" or card != engine.LIGHTNING)
        who = f"Seat {self.seat}"
        match self.kind:
            case "dealt":
                return f"{'The field' if self.seat is None else who} is dealt {cards}."
            case "removed":
                return f"{cards} leaves the game."
            case "played":
                return f"{who} plays {cards}."
            case "hiki":
                return f"{who} declares hiki: {cards}."
            case "turned up":
                return f"{who} turns up {cards}."
            case "captured":
                return f"{who} captures {cards}."
            case "lightning took":
                return f"{who}'s Lightning takes {cards}."
            case "swept":
                return f"{who} sweeps {cards} off the field by the Lightning."
            case "yaku completed":
                return f"{who} completes {self.words}: {cards}."
            case _:
                return f"The round is over: {self.words}."


class Round:
    """One round, shuffled by its own `seed`, or dealt from a given `deck`: 48 ids in the order in which they leave it.

    rules: two players by Hawaii's rules where none are given.  dealer: the seat that deals and plays first.

    A round belongs to one thread at a time; give another thread a `copy`.

    Raises ValueError or TypeError where an argument makes no sense, or where the table would deal this deck again.
    """

    def __init__(
        self,
        rules: Rules | None = None,
        *,
        seed: int | None = None,
        deck: Sequence[int] | None = None,
        dealer: int = 0,
    ) -> None:
        self.rules = Rules() if rules is None else rules
        if not isinstance(self.rules, Rules):
            raise TypeError(f"rules must be sakura.Rules(...), got {shown(rules)}")
        if (seed is None) == (deck is None):
            raise ValueError("give either seed=, a whole number, or deck=, the 48 card ids from the top")
        dealer = whole("dealer", dealer, 0, self.rules.players)
        self.seed = None if seed is None else whole("seed", seed, 0, SEEDS)
        self._rules = self.rules.numbers()
        self._state: list[int] = [0] * engine.STATE_SIZE
        if deck is not None:
            self._state[engine.DECK :] = _checked_deck(deck)
            engine.deal(self._state, self._rules, dealer)
            if engine.needs_redeal(self._state, self._rules):
                raise ValueError("this deck deals four of a suit to the field, and four_on_field='redeal'")
        else:
            engine.deal_from_key(self._state, self._rules, self.seed or 0, dealer, DECK_SIZE)
        engine.set_chances(self._state, self._rules, self.seed or 0)
        self.dealer = dealer
        self._log: list[Event] = []
        self._actions: list[Action] = []
        # For each decision made, the state before it and the length of the log then; and what was undone.
        self._past: list[tuple[list[int], int]] = []
        self._undone: list[Action] = []
        self._log_deal()

    def copy(self) -> "Round":
        """The same round at the same point, with its own log and past: what happens to one does not touch the other."""
        other = object.__new__(type(self))
        other.__dict__ |= self.__dict__
        other._state, other._log, other._actions = self._state[:], self._log[:], self._actions[:]
        other._past = [(state[:], length) for state, length in self._past]
        other._undone = self._undone[:]
        return other

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> "Round":
        # All that a copy shares cannot change.
        return self.copy()

    # ---- What lies where ----

    @property
    def deck(self) -> tuple[int, ...]:
        """All 48 ids in the order in which they leave the pack."""
        return tuple(self._state[engine.DECK :])

    @property
    def packets(self) -> tuple[Event, ...]:
        """The deal as it was done, packet by packet: "dealt" events, their cards in the order of the deck."""
        events = []
        left = iter(self.deck)
        for half in range(2):
            for n in range(self.rules.players + 1):
                place, size = engine.packet(self._rules, self.dealer, half, n)
                seat = None if place == engine.FIELD else place - engine.HANDS
                events.append(Event("dealt", seat, tuple(islice(left, size))))
        return tuple(events)

    @property
    def hands(self) -> tuple[Cards, ...]:
        """Each seat's hand."""
        return self._by_seat(engine.HANDS)

    @property
    def captured(self) -> tuple[Cards, ...]:
        """Each seat's captured cards. A side's are those of all its seats."""
        return self._by_seat(engine.CAPTURED)

    @property
    def field(self) -> Cards:
        """The cards on the field."""
        return Cards(cards_in(self._state[engine.FIELD]))

    @property
    def pile(self) -> tuple[int, ...]:
        """The pile, top first, without the card turned up."""
        return tuple(self._state[engine.DECK + self._state[engine.TOP] :])

    @property
    def removed(self) -> Cards:
        """The Lightning, where it was discarded at the start."""
        return Cards(cards_in(self._state[engine.REMOVED]))

    @property
    def turned_up(self) -> int | None:
        """The pile card that awaits a choice, or None."""
        card = self._state[engine.TURNED_UP]
        return None if card == engine.NOBODY else card

    def _by_seat(self, place: int) -> tuple[Cards, ...]:
        return tuple(Cards(cards_in(self._state[place + seat])) for seat in range(self.rules.players))

    # ---- Who does what ----

    @property
    def phase(self) -> str:
        """What is to be decided: "hand", a card to play; "pile", a capture for the card turned up; "over", nothing."""
        return PHASES[self._state[engine.PHASE]]

    @property
    def is_terminal(self) -> bool:
        """Whether the round is over."""
        return self._state[engine.PHASE] == engine.OVER

    @property
    def current_player(self) -> int | None:
        """The seat that decides; None when the round is over."""
        return None if self.is_terminal else self._state[engine.SEAT]

    @property
    def turn(self) -> int:
        """How many turns are over."""
        return self._state[engine.TURN]

    @property
    def actions(self) -> tuple[Action, ...]:
        """The actions taken so far."""
        return tuple(self._actions)

    @property
    def log(self) -> tuple[Event, ...]:
        """All that has happened. It names every hand that was dealt; `log_for` tells what one seat saw."""
        return tuple(self._log)

    def log_for(self, seat: int) -> tuple[Event, ...]:
        """All that has happened, as one seat saw it: without the hands dealt to others."""
        seat = whole("seat", seat, 0, self.rules.players)
        return tuple(e for e in self._log if e.kind != "dealt" or e.seat in (None, seat))

    def legal_actions(self) -> list[Action]:
        """What the seat that decides may do, in a fixed order: each card's first capture by id, then second choices
        of cards that match two, then the Lightning's targets of other suits, then each hiki. Empty at the end."""
        return [Action(KINDS[kind], card, cards_in(captures)) for kind, card, captures in self._choices(self._state)]

    def _choices(self, state: list[int]) -> tuple[engine.Choice, ...]:
        listed = [0] * (engine.ACTION_SIZE * engine.MAX_ACTIONS)
        count = engine.legal_actions(state, self._rules, listed)
        return engine.Choices(listed)[:count]

    def apply_action(self, action: Action) -> None:
        """Take an action, and do all that follows of itself up to the next decision or the end.

        Raises IllegalAction, naming what is legal, for any other; nothing has changed then.
        """
        legal = self.legal_actions()
        if not _is_action(action) or action not in legal:
            raise IllegalAction(self._refusal(action, legal))
        if self._undone and self._undone[-1] != action:
            self._undone.clear()
        elif self._undone:
            self._undone.pop()
        kind, card, captures = self._choices(self._state)[legal.index(action)]
        self._past.append((self._state[:], len(self._log)))
        self._actions.append(legal[legal.index(action)])
        self._step(lambda: engine.act(self._state, self._rules, kind, card, captures), kind, card)
        while engine.needs_no_decision(self._state):
            self._step(lambda: engine.advance(self._state, self._rules))

    def _refusal(self, action: object, legal: list[Action]) -> str:
        if not legal:
            return f"{shown(action)} is not legal: the round is over"
        allowed = listed([tuple(each) for each in legal])
        return f"{shown(action)} is not legal for seat {self.current_player}; legal are {allowed}"

    def observation(self, seat: int) -> Observation:
        """What a seat may know, and nothing else; with its legal actions, if it decides."""
        seat = whole("seat", seat, 0, self.rules.players)
        choices = self._choices(self._state) if seat == self.current_player else ()
        return engine.observe(self._state, self._rules, seat, choices)

    def choose(self, agent: str | Strategy) -> Action:
        """The action that an agent takes here, with the random number that a simulation of this seed gives it.

        An agent may take any time; Ctrl-C ends one that never answers. Raises StrategyError where the agent fails,
        ValueError when the round is over.
        """
        seat = self.current_player
        if seat is None:
            raise ValueError("the round is over: there is nothing to choose")
        random = engine.decision_random(self._state)
        strategy = resolve(agent)
        prepare(strategy)
        return self.legal_actions()[ask(strategy, self.observation(seat), random, self._state[:])]

    # ---- The score ----

    def points(self) -> list[int]:
        """Each side's points so far: the face value of its captured cards."""
        return [points(cards) for cards in self._side_cards()]

    def yaku(self) -> list[list[int]]:
        """The numbers (1 to 8) of the yaku that each side holds so far."""
        return [[y.number for k, y in enumerate(YAKU) if completed(cards) >> k & 1] for cards in self._side_cards()]

    def returns(self) -> list[int]:
        """Each side's score, as it would be if the round ended now."""
        return engine.scores(self._rules, self._side_cards())

    def _side_cards(self) -> list[int]:
        return [engine.side_captured(self._state, self._rules, side) for side in range(self.rules.sides)]

    # ---- The log ----

    def _log_deal(self) -> None:
        removed = cards_in(self._state[engine.REMOVED])
        on_field = self._state[engine.FIELD] | self._state[engine.REMOVED] | self._state[engine.CAPTURED + self.dealer]
        self._log.append(Event("dealt", None, cards_in(on_field)))
        for seat, hand in enumerate(self.hands):
            self._log.append(Event("dealt", seat, tuple(sorted(hand))))
        if removed:
            self._log.append(Event("removed", None, removed))
        empty = [0] * engine.STATE_SIZE
        empty[engine.ODD_SUIT] = engine.NOBODY
        self._log_gains(empty, self.dealer, "captured")

    def _step(self, step: Any, kind: int | None = None, card: int = 0) -> None:
        """Do one step of the engine and log what it changed; `kind` and `card` are those of an action."""
        before = self._state[:]
        seat = before[engine.SEAT]
        step()
        if kind == engine.PLAY:
            self._log.append(Event("played", seat, (card,)))
        elif kind == engine.HIKI:
            self._log.append(Event("hiki", seat, cards_in(engine.suit_of(card))))
        elif self._state[engine.TOP] > before[engine.TOP]:
            self._log.append(Event("turned up", seat, (before[engine.DECK + before[engine.TOP]],)))
        self._log_gains(before, seat, "swept" if self.is_terminal else "captured")
        if self.is_terminal:
            scores = ", ".join(f"side {side} scores {score}" for side, score in enumerate(self.returns()))
            self._log.append(Event("round over", None, (), scores))

    def _log_gains(self, before: list[int], seat: int, how: str) -> None:
        """Log what the step from `before` brought each seat, in cards and in yaku; `seat` had the turn."""
        # The odd suit changes when the Lightning takes a card of another suit, and when it claims one more.
        struck = before[engine.ODD_SUIT] != self._state[engine.ODD_SUIT]
        lightning_seat = self._state[engine.LIGHTNING_SEAT] if struck else engine.NOBODY
        for player in sorted(range(self.rules.players), key=lambda p: (p != seat, p)):
            gained = self._state[engine.CAPTURED + player] & ~before[engine.CAPTURED + player]
            if gained:
                kind = "lightning took" if player == lightning_seat else how
                self._log.append(Event(kind, player, cards_in(gained)))
                self._log_yaku(before, player)

    def _log_yaku(self, before: list[int], player: int) -> None:
        side = self.rules.side_of(player)
        cards = engine.side_captured(self._state, self._rules, side)
        new = completed(cards) & ~completed(engine.side_captured(before, self._rules, side))
        for k, yaku in enumerate(YAKU):
            if new >> k & 1:
                self._log.append(Event("yaku completed", player, tuple(sorted(yaku.cards)), str(yaku)))

    # ---- Back and forth ----

    def undo(self, decisions: int = 1) -> None:
        """Take back the last decisions, with all that followed. Raises ValueError where there are not so many."""
        for _ in range(whole("decisions to take back", decisions, 0, len(self._past) + 1)):
            self._undone.append(self._actions.pop())
            self._state, length = self._past.pop()
            del self._log[length:]

    def redo(self, decisions: int = 1) -> None:
        """Take decisions again that were undone. Raises ValueError where there are not so many."""
        for _ in range(whole("decisions to take again", decisions, 0, len(self._undone) + 1)):
            self.apply_action(self._undone[-1])

    # ---- Files ----

    def to_dict(self) -> dict[str, Any]:
        """The round so far as plain data, for JSON."""
        return {
            "format": _FORMAT,
            "rules": self.rules.to_dict(),
            "dealer": self.dealer,
            "seed": self.seed,
            "deck": list(self.deck),
            "actions": [[kind, card, list(captures)] for kind, card, captures in self._actions],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Round":
        """The round that `to_dict` describes, played up to the same decision.

        Raises ValueError, with the reason, where the data are not of a round or of an impossible one.
        """
        if not isinstance(data, Mapping) or data.get("format") != _FORMAT:
            raise ValueError(f"this is no saved round: its format should be {_FORMAT!r}")
        record("the saved round", data, ("format", "rules", "dealer", "seed", "deck", "actions"))
        try:
            rnd = cls(Rules.from_saved(data["rules"]), deck=data["deck"], dealer=data["dealer"])
            if data["seed"] is not None:
                seeded = cls(rnd.rules, seed=data["seed"], dealer=rnd.dealer)
                if rnd.deck != seeded.deck:
                    raise ValueError(f"its deck is not the one that seed {seeded.seed} shuffles")
                rnd = seeded
            for number, action in enumerate(items("its actions", data["actions"])):
                try:
                    kind, card, captures = items(f"its action number {number}", action, 3)
                    rnd.apply_action(Action(kind, card, tuple(items("what is captured", captures))))
                except IllegalAction as error:
                    raise ValueError(f"its action number {number}: {error}") from None
        except (TypeError, ValueError) as error:
            raise ValueError(f"the saved round cannot have happened: {error}") from None
        return rnd

    def save(self, path: str | PathLike[str]) -> None:
        """Write the round so far as JSON. Raises OSError, and leaves an earlier file alone, where it cannot."""
        replace_file(path, (json.dumps(self.to_dict()) + "\n").encode())

    @classmethod
    def load(cls, path: str | PathLike[str]) -> "Round":
        """Read a round that `save` wrote; it plays on identically. Raises ValueError, saying why, for any other."""
        return load(path, cls.from_dict)

    # ---- In words ----

    def __eq__(self, other: object) -> bool:
        """Whether both were dealt alike and have come to the same point."""
        return self.to_dict() == other.to_dict() if isinstance(other, Round) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        source = "from a deck" if self.seed is None else f"seed {self.seed}"
        doing = (
            "over" if self.is_terminal else f"turn {self.turn + 1}, seat {self.current_player} decides ({self.phase})"
        )
        return f"<Round: {self.rules}, {source}, dealer {self.dealer}, {doing}>"

    def __str__(self) -> str:
        lines = [f"Field: {names(sorted(self.field))}"]
        if self.turned_up is not None:
            lines.append(f"Turned up: {CARDS[self.turned_up].name}")
        lines.append(f"Pile: {len(self.pile)} cards")
        for seat, hand in enumerate(self.hands):
            mark = ">" if seat == self.current_player else " "
            lines.append(f"{mark} Seat {seat} holds {names(sorted(hand))}")
            lines.append(f"    and has captured {names(sorted(self.captured[seat]))}")
        for side, (score, held) in enumerate(zip(self.returns(), self.yaku(), strict=True)):
            yaku = ", ".join(YAKU[number - 1].syllable for number in held) or "none"
            lines.append(f"Side {side}: {score} (yaku: {yaku})")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        # Art stands on the round, and `import sakura` should not wait for it.
        from .art.page import round_html

        return round_html(self)


def scores(captured: Iterable[CardSet], yaku: str = "penalty") -> list[int]:
    """The score of each of 2 to 7 sides that have captured these sets of cards, under the house rule `yaku`.

    Raises ValueError where there can be no such sides, or where two of them have the same card.

    >>> scores([[8, 28, 32], [0, 1]])
    [45, -20]
    """
    piles = [card_set(cards) for cards in captured]
    shared = [card.id for card in CARDS if sum(pile >> card.id & 1 for pile in piles) > 1]
    if shared:
        raise ValueError(f"a card is captured by one side only; two have {names(shared)}")
    rules = Rules(players=len(piles), yaku=yaku).numbers()
    return engine.scores(rules, piles)


def yaku_effect(yaku: Yaku, rule: str) -> tuple[int, int]:
    """What a yaku changes in the score of its own side, and of every other; `rule` is "penalty" or "bonus"."""
    own, other = scores([yaku.cards, ()], rule)
    return own - points(card_set(yaku.cards)), other


def _is_action(action: object) -> bool:
    """Whether it is made as an `Action` is."""
    match action:
        case (str(), card, tuple(captures)) if isinstance(action, tuple):
            return all(map(is_whole, (card, *captures)))
    return False


def _checked_deck(deck: Sequence[int]) -> list[int]:
    cards = items("a deck", deck)
    if len(cards) != DECK_SIZE:
        raise ValueError(f"a deck has {DECK_SIZE} cards, got {len(cards)}")
    cards = [whole("a card of the deck", card, 0, DECK_SIZE) for card in cards]
    if card_set(cards) != FULL_DECK:
        repeated = sorted({card for card in cards if cards.count(card) > 1})
        raise ValueError(f"every card is in a deck once; repeated are {', '.join(map(str, repeated))}")
    return cards
