"""The game table's field, pile and hand: what a person plays with."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from ..cards import CARDS
from ..round import Action
from .elements import Child, Element, Handler, box, button, card, gaps, heading, strong, text
from .game_coach import counsel, hint_button, worth
from .game_play import Table
from .game_scene import Scene, listed

# So many cards of a hand light up on the field what they would take.
_LIT = 24
_NAMED = 3
# More cards hardly ever lie on the field; if they do, it grows.
_PLACES = 12

Act = Callable[[Action], object]


def lit_css() -> str:
    """The style that marks on the field what the hand card takes that is pointed at or has the focus."""
    pointed = ":is(:hover, :focus-visible)"
    lit = (f".sakura-game:has(.sakura-hand-{n}{pointed}) .sakura-for-{n}" for n in range(_LIT))
    return ",\n".join(lit) + " { box-shadow: 0 0 0 3px #fff, 0 0 0 7px var(--legal); }"


def felt(table: Table, scene: Scene, act: Act, cancel: Handler, stop: Handler) -> Element:
    """The table itself: pile and field, and what is to be chosen there."""
    left = table.over and (scene.pile or any(card is not None for card in scene.slots))
    words = "The round is over. Left over, and counting for nobody:" if left else table.caption()
    words = f"Played again. {words}" if table.practice and not table.over else words
    return box(
        box(text(strong(words), kind="game-caption"), _choice(table, act, cancel, stop), kind="game-line"),
        box(_pile(table, scene), _field(table, scene, act), kind="game-middle"),
        kind="felt",
        label="The table",
        key="felt",
    )


def _pile(table: Table, scene: Scene) -> Element:
    card_id = table.turned_up
    if card_id is not None:
        shown: Element | None = card(card_id, mark="large lead", label=f"{CARDS[card_id].name}, turned up")
    else:
        shown = card(None, label="The pile, face down") if scene.pile else None
    return box(shown, text(f"Pile: {scene.pile}"), kind="game-pile")


def _field(table: Table, scene: Scene, act: Act) -> Element:
    first = next((c for c in scene.slots if c in scene.taken and c not in scene.leads), None)
    places = []
    for card_id in scene.slots:
        on_top = scene.leads if card_id is not None and card_id == first else ()
        places.append(_place(table, scene, card_id, on_top, act))
    room = max(_PLACES, scene.rules.field) - len(places)
    return box(*places, *gaps(room), kind="cards game-field", arrows=True, label="Field")


def _place(table: Table, scene: Scene, card_id: int | None, on_top: Sequence[int], act: Act) -> Element:
    """One place of the field: nothing, a card, or a card and on it those that take it."""
    if card_id is None:
        return box(kind="game-gap")
    way = table.targets().get(card_id)
    if way is None:
        shown = card(card_id, mark=_marks(table, scene, card_id))
    else:
        label = f"{CARDS[card_id].name}: take {listed(way.captures)}"
        shown = card(card_id, partial(act, way), key=f"field-{card_id}", label=label, mark="target")
    parts: list[Child] = [shown, _flag(table, scene) if card_id in scene.leads else None]
    for place, lead in enumerate(on_top):
        attributes = {"class": "sakura-game-lead", "style": f"--place:{place}"}
        parts.append(Element("span", attributes, (card(lead, mark="lead"), _flag(table, scene))))
    return box(*parts, kind="game-place")


def _marks(table: Table, scene: Scene, card_id: int) -> str:
    taking = [n for n, held in enumerate(table.held[:_LIT]) if any(card_id in way.captures for way in table.ways(held))]
    marks = [f"for-{n}" for n in taking]
    if card_id in scene.leads:
        marks.append("lead")
    elif card_id in scene.taken:
        marks.append("taken")
    elif table.targets():
        marks.append("dim")
    elif card_id in table.fresh():
        marks.append("fresh")
    return " ".join(marks)


def _flag(table: Table, scene: Scene) -> Element:
    """Who plays the card, or that it comes from the pile."""
    seat = table.on_turn
    words = "pile" if scene.from_pile or seat is None else table.names.seat(seat)
    return Element("span", {"class": "sakura-game-flag"}, (words,))


def _choice(table: Table, act: Act, cancel: Handler, stop: Handler) -> Element | None:
    if table.thinking:
        return box(button("Stop waiting", stop, key="stop"), kind="row")
    if table.choosing is None:
        return None
    leave = next((way for way in table.ways(table.choosing) if not way.captures), None)
    return box(
        button("Take nothing", partial(act, leave), key="leave") if leave else None,
        button("Cancel", cancel, key="cancel") if table.picked is not None else None,
        kind="row",
    )


def hands(table: Table, scene: Scene) -> Element:
    """All hands, open: what there is to be seen where nobody plays by hand."""
    rows = [
        box(
            text(strong(f"{table.names.seat(seat)}: "), table.game.agents[seat], kind="game-agent"),
            box(
                *(card(card_id, mark="small") for card_id in sorted(held)),
                *gaps(scene.rules.hand - len(held), "small"),
                kind="cards",
                label=table.names.seat(seat),
            ),
            kind="game-open-hand",
        )
        for seat, held in enumerate(scene.hands)
    ]
    return box(heading("All hands"), *rows, kind="panel game-hands")


def hand(table: Table, scene: Scene, seat: int, play: Callable[[int], object], act: Act, ask_coach: Handler) -> Element:
    """The hand of the person in `seat`, the hikis that can be declared, and what the coach has to say."""
    held = sorted(scene.hands[seat])
    coach = table.coach
    cards = [_hand_card(table, card_id, number, play) for number, card_id in enumerate(held)]
    free = table.mine and table.choosing is None
    hikis = [
        button(f"Hiki: all four of {CARDS[way.card].suit}", partial(act, way), key=f"hiki-{way.card}", kind="main")
        for way in table.hikis()
    ]
    return box(
        box(
            heading("Your hand"),
            hint_button(coach, ask_coach, deciding=table.mine) if coach.mode == "hint" else None,
            text("▲ takes a card, ▽ stays on the field", kind="quiet game-legend"),
            kind="game-line",
        ),
        box(*cards, *gaps(scene.rules.hand - len(held)), kind="cards game-cards", arrows=True, label="Your hand"),
        None if held else text("Your hand is empty.", kind="quiet"),
        box(*hikis, kind="controls") if hikis and free else None,
        counsel(coach),
        kind="panel game-hand",
    )


def _hand_card(table: Table, card_id: int, number: int, play: Callable[[int], object]) -> Element:
    ways = table.ways(card_id)
    mark = f"hand-{number}"
    if table.picked == card_id:
        mark += " selected"
    elif ways and table.picked is None:
        mark += " legal" if any(way.captures for way in ways) else " lays"
    words = hint(ways) if ways else None
    label = f"{CARDS[card_id].name}, {words}" if words else None
    held = card(
        card_id,
        partial(play, card_id),
        key=f"hand-{card_id}",
        label=label,
        mark=mark,
        enabled=bool(ways),
        hint=words if table.picked is None else None,
    )
    return replace(held, children=(*held.children, *filter(None, [worth(table.coach, card_id)])))


def hint(ways: Sequence[Action]) -> str:
    """What a card of the hand would do, in words."""
    taking = [way for way in ways if way.captures]
    if not taking:
        return "takes nothing: it stays on the field"
    if len(taking) > _NAMED:
        return f"takes one of {len(taking)} cards: you choose"
    return "takes " + " or ".join(listed(way.captures) for way in taking)
