"""Positions to learn from: real rounds, stopped where there is something to play or to ask.

`classics` are laid out card by card; `found` plays rounds at random until a position of the wanted kind comes up. What
is legal and what happens is the engine's to say: this module only compares its answers.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import count, islice
from typing import Any

from .bits import SEEDS, pick, random63
from .cards import CARDS, card_set, points
from .checks import one_of, whole
from .engine import FIELD, HANDS, LIGHTNING, packet
from .round import Action, Event, Round
from .rules import Rules

TOPICS = {
    "no match": "No match",
    "one match": "One match",
    "two matches": "Two matches",
    "three matches": "Three matches",
    "pile": "Pile: a choice of two",
    "turned up": "Pile: what happens?",
    "hiki": "Hiki",
    "lightning": "Lightning: any card",
    "willow": "Lightning beside a Willow",
    "protected": "Lightning and another's hiki",
    "sweep": "Lightning: the sweep",
    "claim": "Lightning: the claim",
    "score": "The score",
}
# The topics with something to answer; in the others there is something to play.
QUESTIONS = ("turned up", "sweep", "claim", "score")


@dataclass(frozen=True)
class Position:
    """A round that has come to a certain point.

    topic: a key of TOPICS, or "" where anything legal will do.  seat: the learner's.
    action: for a question, what happens next, or has just begun to.
    """

    topic: str
    round: Round
    seat: int
    action: Action | None = None

    @property
    def after(self) -> Round:
        """The round when `action` has been taken, as a copy."""
        rnd = self.round.copy()
        if self.action is not None:
            rnd.apply_action(self.action)
        return rnd

    @property
    def events(self) -> tuple[Event, ...]:
        """All that `action` leads to."""
        return self.after.log[len(self.round.log) :]

    @property
    def before_pile(self) -> bool:
        """Whether the moment to show is that after the hand step: the card is laid, the next one is turned up."""
        return self.topic in ("turned up", "claim") and _lays_beside(self)

    def is_wanted(self, action: Action) -> bool:
        """Whether this legal action is of the kind that the topic is about."""
        return self.topic == "" or _WANTED[self.topic](self.round, action)


# ---- Rounds laid out, and the same round at another table ----


def lay_out(
    hands: Sequence[Sequence[int]],
    field: Sequence[int],
    pile: Sequence[int] = (),
    *,
    dealer: int = 0,
    **house_rules: Any,
) -> Round:
    """A round that begins with these hands, this field and this on top of the pile; the other cards lie under it.

    Raises ValueError where the hands differ in size or a card lies in two places.
    """
    if len({len(hand) for hand in hands}) != 1:
        raise ValueError(f"all hands must be of one size, got {[len(hand) for hand in hands]}")
    rules = Rules(players=len(hands), hand=len(hands[0]), field=len(field), **house_rules)
    # As the engine will deal it, each packet is what comes next of the hand or field that it goes to.
    left = [iter(field), *map(iter, hands)]
    deck: list[int] = []
    for half in range(2):
        for n in range(rules.players + 1):
            place, size = packet(rules.numbers(), dealer, half, n)
            deck += islice(left[0 if place == FIELD else 1 + place - HANDS], size)
    deck += pile
    rest = [card.id for card in CARDS if card.id not in deck]
    return Round(rules, deck=deck + rest, dealer=dealer)


def under(rnd: Round, **house_rules: Any) -> Round:
    """A copy of a round, with every card where it is, that goes on under other house rules."""
    other = rnd.copy()
    other.rules = replace(rnd.rules, **house_rules)
    other._rules = other.rules.numbers()
    return other


def protected(rnd: Round) -> dict[int, int]:
    """The field cards that the Lightning could take now if there were no hiki, with the seat whose hiki they are."""
    free = under(rnd, hiki=False).legal_actions() if rnd.rules.hiki else []
    safe = {action.captures[0] for action in set(free) - set(rnd.legal_actions())}
    return {card: _holder(rnd, card) for card in sorted(safe)}


def _holder(rnd: Round, card: int) -> int:
    """The other seat that holds all cards of this card's suit that are not on the field."""
    missing = {other.id for other in CARDS if other.suit == CARDS[card].suit} - rnd.field
    return next(seat for seat, hand in enumerate(rnd.hands) if seat != rnd.current_player and missing <= hand)


# ---- What the topics are about ----


def ways_to_play(rnd: Round, card: int) -> list[Action]:
    """The legal actions with this card, hikis aside."""
    return [action for action in rnd.legal_actions() if action.card == card and action.kind != "hiki"]


def _is_matched(ways: int, captured: int) -> Callable[[Round, Action], bool]:
    """Whether a card other than the Lightning is played that can capture in so many ways, so many cards."""

    def is_wanted(rnd: Round, action: Action) -> bool:
        ordinary = action.kind == "play" and action.card != LIGHTNING
        return ordinary and len(action.captures) == captured and len(ways_to_play(rnd, action.card)) == ways

    return is_wanted


def _is_lightning(rnd: Round, action: Action) -> bool:
    return action.card == LIGHTNING


def _is_lightnings_best(rnd: Round, action: Action) -> bool:
    best = max((points(card_set(way.captures)) for way in ways_to_play(rnd, LIGHTNING)), default=0)
    return _is_lightning(rnd, action) and points(card_set(action.captures)) == best


_WANTED: dict[str, Callable[[Round, Action], bool]] = {
    "no match": _is_matched(1, 0),
    "one match": _is_matched(1, 1),
    "two matches": _is_matched(2, 1),
    "three matches": _is_matched(1, 3),
    "pile": lambda rnd, action: action.kind == "turn_up",
    "hiki": lambda rnd, action: action.kind == "hiki",
    "lightning": _is_lightnings_best,
    "willow": _is_lightning,
    "protected": _is_lightning,
}


# ---- The classics ----


def _ids(names: str) -> list[int]:
    known = {card.name: card.id for card in CARDS}
    return [known[name] for name in names.split(", ")] if names else []


def _dealt(hands: str, field: str, pile: str, **house_rules: Any) -> Round:
    """A round laid out by the names of the cards; a bar stands between one hand and the next."""
    return lay_out([_ids(hand) for hand in hands.split(" | ")], _ids(field), _ids(pile), **house_rules)


def _play(rnd: Round, *names: str) -> Round:
    """Play these cards from the hands, each capturing as much as it can."""
    for (card,) in map(_ids, names):
        rnd.apply_action(max(ways_to_play(rnd, card), key=lambda action: len(action.captures)))
    return rnd


def _hiki(rnd: Round) -> Round:
    rnd.apply_action(next(action for action in rnd.legal_actions() if action.kind == "hiki"))
    return rnd


def _turn(topic: str, rnd: Round) -> Position:
    return Position(topic, rnd, rnd.current_player or 0)


def _first_action(topic: str, rnd: Round, seat: int) -> Position:
    return Position(topic, rnd, seat, rnd.legal_actions()[0])


def _drinking() -> Round:
    rnd = _dealt(
        "Curtain, Moon, Sake cup | Crane, Pine poetry ribbon, Paulownia plain 1",
        "Cherry plain 1, Susuki plain 1, Chrysanthemum plain 1, Pine plain 1, Pine plain 2",
        "Plum plain 1, Wisteria plain 1, Iris plain 1, Peony plain 1, Bush clover plain 1, Maple plain 1",
    )
    return _play(rnd, "Curtain", "Crane", "Moon", "Pine poetry ribbon", "Sake cup", "Paulownia plain 1")


def _team() -> Round:
    rnd = _dealt(
        "Pine poetry ribbon, Plum poetry ribbon | Wisteria plain 1, Wisteria plain 2"
        " | Cherry poetry ribbon, Iris plain 1 | Iris plain 2, Peony plain 1",
        "Pine plain 1, Plum plain 1, Cherry plain 1",
        "Peony plain 2, Bush clover plain 1, Bush clover plain 2, Susuki plain 1, Susuki plain 2, Maple plain 1,"
        " Maple plain 2, Chrysanthemum plain 1",
        teams=2,
    )
    _play(rnd, "Pine poetry ribbon", "Wisteria plain 1", "Cherry poetry ribbon", "Iris plain 2")
    return _play(rnd, "Plum poetry ribbon", "Wisteria plain 2", "Iris plain 1", "Peony plain 1")


def _curtain_twice() -> Round:
    rnd = _dealt(
        "Curtain, Crane, Moon | Wisteria plain 1, Peony plain 1, Maple plain 1"
        " | Iris plain 1, Bush clover plain 1, Paulownia plain 1",
        "Cherry plain 1, Pine plain 1, Plum plain 1, Susuki plain 1, Chrysanthemum plain 1",
        "Bush warbler, Wisteria plain 2, Iris plain 2, Sake cup, Peony plain 2, Bush clover plain 2,"
        " Chrysanthemum plain 2, Maple plain 2, Paulownia plain 2",
    )
    _play(rnd, "Curtain", "Wisteria plain 1", "Iris plain 1", "Crane", "Peony plain 1", "Bush clover plain 1")
    return _play(rnd, "Moon", "Maple plain 1", "Paulownia plain 1")


def classics() -> tuple[Position, ...]:
    """The positions that everybody should have seen: the four cases, then what people get wrong most easily."""
    # Whoever gets a position may play on in it.
    return tuple(replace(position, round=position.round.copy()) for position in _classics())


@cache
def _classics() -> tuple[Position, ...]:
    bridge_and_pine = "Lightning | Pine plain 1", "Bridge"
    return (
        _turn(
            "no match",
            _dealt(
                "Crane, Cuckoo, Moon | Boar, Deer, Curtain",
                "Pine plain 1, Plum plain 1, Bridge, Susuki plain 1",
                "Peony plain 1",
            ),
        ),
        _turn(
            "one match",
            _dealt(
                "Curtain, Butterflies, Deer | Boar, Crane, Cuckoo",
                "Plum plain 1, Cherry poetry ribbon, Iris plain 1, Moon",
                "Wisteria plain 1",
            ),
        ),
        _turn(
            "two matches",
            _dealt(
                "Crane, Boar, Moon | Curtain, Deer, Cuckoo",
                "Cherry plain 1, Geese, Susuki plain 1, Maple plain 1",
                "Iris plain 1",
            ),
        ),
        _turn("three matches", _dealt("Geese | Crane", "Moon, Susuki plain 1, Susuki plain 2", "Plum plain 1")),
        _turn(
            "pile",
            _play(
                _dealt("Pine plain 1 | Plum plain 1", "Rain man, Swallow", "Willow red ribbon"),
                "Pine plain 1",
            ),
        ),
        _first_action(
            "turned up",
            _dealt("Pine plain 1 | Plum plain 1", "Rain man, Swallow, Lightning", "Willow red ribbon"),
            0,
        ),
        _turn("hiki", _dealt("Moon, Geese | Crane, Boar", "Susuki plain 1, Susuki plain 2", "Plum plain 1")),
        _turn(
            "hiki",
            _dealt(
                "Pine poetry ribbon, Pine plain 1, Pine plain 2 | Plum plain 1, Wisteria plain 1, Peony plain 1",
                "Crane",
                "Bush clover plain 1, Chrysanthemum plain 1, Maple plain 1, Paulownia plain 1, Curtain, Moon",
            ),
        ),
        _turn(
            "lightning",
            _dealt(
                "Lightning, Plum plain 1, Maple plain 1 | Boar, Crane, Cuckoo",
                "Cherry poetry ribbon, Bridge, Moon, Pine plain 1",
                "Peony plain 1",
            ),
        ),
        _turn("willow", _dealt("Lightning | Crane", "Bridge, Rain man", "Plum plain 1")),
        _turn("protected", _safe_irises()),
        _first_action("sweep", _play(_dealt(*bridge_and_pine, "Iris plain 1, Plum plain 1"), "Lightning"), 0),
        _first_action(
            "claim",
            _play(_dealt(*bridge_and_pine, "Iris plain 1, Iris red ribbon", lightning="claim"), "Lightning"),
            0,
        ),
        *(Position("score", rnd, 0) for rnd in (_drinking(), _team(), _curtain_twice())),
    )


def _safe_irises() -> Round:
    # Seat 0 gets down to the Lightning by a hiki of pine; seat 1 keeps three irises, the field the bridge.
    rnd = _dealt(
        "Lightning, Pine poetry ribbon, Pine plain 1, Pine plain 2"
        " | Iris red ribbon, Iris plain 1, Iris plain 2, Bush clover red ribbon",
        "Bridge, Crane, Butterflies, Boar, Moon",
        "Peony blue ribbon, Geese",
    )
    return _play(_hiki(rnd), "Bush clover red ribbon")


# ---- More of them, at random ----


def position_at(topic: str, seed: int, number: int) -> Position:
    """Position `number` (from 0) of a topic, or of all topics where it is "": the classics first, then others."""
    if topic != "":
        one_of("topic", topic, TOPICS)
    seed, number = whole("seed", seed, 0, SEEDS), whole("number", number, 0)
    first = [position for position in classics() if topic in ("", position.topic)]
    if number < len(first):
        return first[number]
    number -= len(first)
    return found(topic or list(TOPICS)[number % len(TOPICS)], seed, number)


def found(topic: str, seed: int, number: int) -> Position:
    """A position of a topic out of rounds played at random; the same one for the same arguments."""
    key = random63(random63(seed, list(TOPICS).index(topic)), number)
    return next(filter(None, (_look(topic, random63(key, attempt), key % 3) for attempt in count())))


def _look(topic: str, seed: int, matching: int) -> Position | None:
    """A position of the topic in the round of this seed, if there is one; for "turned up", one where so many match."""
    luck = random63(seed, 0)
    players = 2 + luck % 3
    teams = 2 if topic == "score" and players == 4 else None
    lightning = "claim" if topic == "claim" else "sweep"
    rnd = Round(Rules(players=players, teams=teams, lightning=lightning), seed=seed)
    if topic in ("lightning", "willow", "protected") and not any(LIGHTNING in hand for hand in rnd.hands):
        return None
    if topic in ("sweep", "claim"):
        return _sweep_in(rnd) if topic == "sweep" else _claim_in(rnd)
    # The rarest are looked for from the deal on, where most of them are; of the common ones not all should be there.
    rarest = topic in ("three matches", "protected")
    begin = pick(luck, players * (rnd.rules.hand - 1)) if topic in _COMMON else 0
    for decision, _ in enumerate(_playing(rnd)):
        if rarest and decision >= 2 * players:
            break
        if decision >= begin and (position := _here(topic, rnd, matching)):
            return position
    return None


_COMMON = ("no match", "one match", "two matches", "pile", "turned up", "lightning", "willow")


def _playing(rnd: Round) -> Iterator[None]:
    """Play a round at random, and stop at each decision. The Lightning stays in the hand as long as it can, since
    most of what is to be learnt about it needs it there."""
    while not rnd.is_terminal:
        yield
        action = rnd.choose("random")
        others = [other for other in rnd.legal_actions() if other.card != LIGHTNING]
        rnd.apply_action(others[0] if action.card == LIGHTNING and others else action)


def _here(topic: str, rnd: Round, matching: int) -> Position | None:
    """The position that the round is in, if it is one of the topic."""
    if topic == "score":
        return Position(topic, rnd, 0) if any(rnd.yaku()) else None
    if topic == "turned up":
        return _turned_up_next(rnd, matching)
    return _turn(topic, rnd) if _IS_ONE[topic](rnd) else None


def _has_choice(topic: str) -> Callable[[Round], bool]:
    """Whether one card of the hand is what the topic asks for and another one is not."""

    def is_one(rnd: Round) -> bool:
        if rnd.phase != "hand":
            return False
        legal = rnd.legal_actions()
        wanted = {action.card for action in legal if _WANTED[topic](rnd, action)}
        return bool(wanted) and wanted < {action.card for action in legal}

    return is_one


def _lightning_here(rnd: Round) -> list[Action]:
    return ways_to_play(rnd, LIGHTNING) if rnd.phase == "hand" else []


def _is_free_lightning(rnd: Round) -> bool:
    ways = _lightning_here(rnd)
    worth = {points(card_set(way.captures)) for way in ways}
    return any(not way.captures for way in ways) and len(worth) > 2 and not protected(rnd)


def _is_beside_willow(rnd: Round) -> bool:
    ways = _lightning_here(rnd)
    return len(ways) > 1 and all(way.captures for way in ways)


_IS_ONE: dict[str, Callable[[Round], bool]] = {
    **{topic: _has_choice(topic) for topic in ("no match", "one match", "two matches", "three matches")},
    "pile": lambda rnd: rnd.phase == "pile",
    "hiki": lambda rnd: any(action.kind == "hiki" for action in rnd.legal_actions()),
    "lightning": _is_free_lightning,
    "willow": _is_beside_willow,
    "protected": lambda rnd: bool(_lightning_here(rnd)) and bool(protected(rnd)),
}


def _lays_beside(position: Position) -> bool:
    """Whether the action lays a card that has nothing to do with the one turned up next."""
    action = position.action
    turned_up = [event.cards[0] for event in position.events if event.kind == "turned up"]
    if action is None or action.kind != "play" or action.captures or not turned_up:
        return False
    return CARDS[action.card].suit != CARDS[turned_up[0]].suit


def _turned_up_next(rnd: Round, matching: int) -> Position | None:
    laid = [action for action in rnd.legal_actions() if action.kind == "play" and not action.captures]
    suit = [card for card in rnd.field if CARDS[card].suit == CARDS[rnd.pile[0]].suit]
    # Most positions are none, and a glance costs less than to play on.
    if not laid or laid[0].card == LIGHTNING or len(suit) != matching:
        return None
    position = Position("turned up", rnd, rnd.current_player or 0, laid[0])
    return position if _lays_beside(position) and matches(position) == matching else None


def matches(position: Position) -> int:
    """How many field cards match the card turned up after the action; 2 is a choice of two."""
    if position.after.turned_up is not None:
        return 2
    kinds = [event.kind for event in position.events]
    following = position.events[kinds.index("turned up") + 1 :][:1]
    return len(following[0].cards) - 1 if following and following[0].kind == "captured" else 0


def claimed(events: Iterable[Event]) -> Event | None:
    """The point card that goes to the Lightning's player by a claim, if one does."""
    return next((event for event in events if event.kind == "lightning took" and LIGHTNING not in event.cards), None)


def _claim_in(rnd: Round) -> Position | None:
    """The action that the Lightning's player gets a point card by, if it can be shown at one glance."""
    while not rnd.is_terminal:
        seen = len(rnd.log)
        action = rnd.choose("random")
        rnd.apply_action(action)
        if claim := claimed(rnd.log[seen:]):
            rnd.undo()
            if claim.seat == rnd.current_player:
                return None
            position = Position("claim", rnd, claim.seat or 0, action)
            at_once = all(event.kind != "turned up" for event in position.events[: position.events.index(claim)])
            return position if at_once or _lays_beside(position) else None
    return None


def _sweep_in(rnd: Round) -> Position | None:
    """The last action of the round, if the sweep brings something then, but not everything."""
    while not rnd.is_terminal:
        rnd.apply_action(rnd.choose("random"))
    swept = [event.seat for event in rnd.log if event.kind == "swept"]
    action = rnd.actions[-1]
    if not swept or not rnd.field or action.card == LIGHTNING:
        return None
    rnd.undo()
    return Position("sweep", rnd, swept[0] or 0, action)
