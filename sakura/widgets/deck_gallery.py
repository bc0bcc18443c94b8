"""`DeckGallery`: all 48 cards to look at, to sort out and to read about."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial

from IPython.display import HTML

from ..art.words import month_name, title
from ..cards import CARDS, DECK_SIZE, KINDS, LANGUAGES, Card, read_table
from ..checks import is_whole, shown
from ..yaku import YAKU, YAKU_POINTS, Yaku
from .base import LANGUAGE_NAMES, View, css
from .elements import Element, box, button, card, choice, strong, table, text, to_html

_ROWS = read_table("stories")
# What is told of a whole suit, by month, and of single cards, by id: what they look like, and their story.
SUIT_LOOKS = {int(row["month"]): row["look"] for row in _ROWS if not row["id"]}
SUIT_STORIES = {int(row["month"]): row["story"] for row in _ROWS if not row["id"]}
CARD_LOOKS = {int(row["id"]): row["look"] for row in _ROWS if row["id"]}
CARD_STORIES = {int(row["id"]): row["story"] for row in _ROWS if row["id"]}

_MANY = {"bright": "brights", "ribbon": "ribbons", "animal": "animals", "plain": "plain"}
_IN_SO_MANY = {0: "In no yaku", 1: "In one yaku", 2: "In two yaku"}
_EVERY = ""


def yaku_of(card_id: int) -> list[Yaku]:
    """The yaku that this card is in: none, one or two."""
    return [yaku for yaku in YAKU if card_id in yaku.cards]


def suit_looks() -> HTML:
    """A table of the suits for a page without widgets: of each its name, one card, and what to know it by."""
    rows: list[list[Element | str]] = [
        [_numbered(first, "en"), card(first.id + 2), SUIT_LOOKS[first.month]] for first in CARDS[::4]
    ]
    return _shown(table("How to know the twelve suits", ["Suit", "One card of it", "What you see"], rows))


def suit_names() -> HTML:
    """A table of the suits' names. In Hawaii's column are only those that it has of its own."""
    rows = []
    for first in CARDS[::4]:
        hawaii = first.suit_in("hawaii")
        japanese = f"{first.suit_in('ja')} {first.suit_in('romaji')}"
        rows.append([_numbered(first, "en"), japanese, first.suit_in("fr"), "–" if hawaii == first.suit else hawaii])
    return _shown(table("The twelve suits in other languages", ["English", "Japanese", "French", "Hawaii"], rows))


def _shown(of: Element) -> HTML:
    # Notebooks would set words to the right, as if they were numbers.
    return HTML(
        to_html(of).replace("<th>", '<th style="text-align:left">').replace("<td>", '<td style="text-align:left">')
    )  # type: ignore[no-untyped-call]


def _numbered(suit: Card, language: str) -> str:
    return f"{suit.month} {suit.suit_in(language)}"


def _yaku_values(card: Card) -> set[str]:
    held = yaku_of(card.id)
    return {_IN_SO_MANY[len(held)], *(str(yaku) for yaku in held)}


# What each filter asks of a card. It passes if what is chosen is among them.
_VALUES: Mapping[str, Callable[[Card], set[str]]] = {
    "suit": lambda card: {str(card.month)},
    "kind": lambda card: {card.kind},
    "points": lambda card: {str(card.points)},
    "yaku": _yaku_values,
}


@dataclass
class _State:
    """`chosen`: filter -> value, "" for every card.  `story`: the id of the card whose story is open."""

    chosen: dict[str, str]
    story: int | None


class DeckGallery(View[_State]):
    """The deck, suit by suit. Filters pick cards out, and a click on a card opens its story.

    suit: a month, 1 to 12.  kind: one of `sakura.cards.KINDS`.  points: 20, 10, 5 or 0.  yaku: 1 to 8.  language: of
    the names, one of `sakura.cards.LANGUAGES`.  aids: the learning aids.  story: the id of the card to open first.

    Raises ValueError for any other.
    """

    title = "Deck gallery"
    _css = css("deck_gallery")

    def __init__(
        self,
        *,
        suit: int | None = None,
        kind: str | None = None,
        points: int | None = None,
        yaku: int | None = None,
        language: str = "en",
        aids: bool = False,
        story: int | None = None,
    ) -> None:
        _check("suit", suit, range(1, 13))
        _check("kind", kind, KINDS)
        _check("points", points, (20, 10, 5, 0))
        _check("yaku", yaku, range(1, len(YAKU) + 1))
        _check("story", story, range(DECK_SIZE))
        if language not in LANGUAGES:
            raise ValueError(f"language must be one of {', '.join(LANGUAGES)}, got {shown(language)}")
        asked = (suit, kind, points, yaku and YAKU[yaku - 1])
        chosen = {name: _EVERY if value is None else str(value) for name, value in zip(_VALUES, asked, strict=True)}

        def start() -> _State:
            self.language, self.aids = language, aids
            return _State(chosen, story)

        super().__init__(start, settings=(suit, kind, points, yaku, language, aids, story))

    # ---- What it knows ----

    def _shown(self) -> list[Card]:
        return [
            card
            for card in CARDS
            if all(value in (_EVERY, *_VALUES[name](card)) for name, value in self.state.chosen.items())
        ]

    def _options(self) -> dict[str, dict[str, str]]:
        suits = {str(first.month): _numbered(first, self.language) for first in CARDS[::4]}
        kinds = {kind: words.capitalize() for kind, words in _MANY.items()}
        values = sorted({card.points for card in CARDS}, reverse=True)
        yaku = [*map(str, YAKU), *_IN_SO_MANY.values()]
        return {
            "suit": {_EVERY: "All suits", **suits},
            "kind": {_EVERY: "All kinds", **kinds},
            "points": {_EVERY: "All points", **{str(value): f"{value} points" for value in values}},
            "yaku": {_EVERY: "In a yaku or not", **{words: words for words in yaku}},
        }

    # ---- What a person does ----

    def _choose(self, name: str, value: str) -> None:
        options = self._options()[name]
        if value not in options:
            raise ValueError(f"{name} must be one of {', '.join(filter(None, options))}, got {shown(value)}")
        self.state.chosen[name] = value
        self._after_choosing(f"{options[value]}: ")

    def _clear(self) -> None:
        if not any(self.state.chosen.values()):
            self.say("No filter is set.")
            return
        self.state.chosen = dict.fromkeys(_VALUES, _EVERY)
        self._after_choosing("Filters cleared: ")

    def _after_choosing(self, what: str) -> None:
        shown = self._shown()
        if self.state.story not in [card.id for card in shown]:
            self.state.story = None
        self.say(f"{what}{len(shown)} card{'s' * (len(shown) != 1)} to see.")

    def _press(self, card_id: int) -> None:
        if self.state.story == card_id:
            self._close(card_id)
            return
        self.state.story = card_id
        self.say(f"{title(card_id, self.language)}. Its story is open.")

    def _close(self, card_id: int) -> None:
        self.state.story = None
        self.focus(_key(card_id))
        self.say("The story is closed.")

    # ---- What it looks like ----

    def draw(self) -> Element:
        shown = self._shown()
        options = self._options()
        filters = [
            choice(name.capitalize(), options[name], self.state.chosen[name], partial(self._choose, name), key=name)
            for name in _VALUES
        ]
        filtered = any(self.state.chosen.values())
        return box(
            box(*filters, button("Clear filters", self._clear, enabled=filtered, steady=True), kind="controls"),
            self.look_controls(languages=True),
            text(strong(_counted(shown)), kind="count"),
            self._deck(shown) if shown else text("No card passes all of these filters. Clear them to begin again."),
            kind="gallery",
        )

    def _deck(self, shown: list[Card]) -> Element:
        parts = []
        months = Counter(card.month for card in shown)
        for month in months:
            suit = [card for card in shown if card.month == month]
            parts.append(self._suit(suit))
            parts += [self._story(card) for card in suit if card.id == self.state.story]
        return box(*parts, kind=f"felt deck of-{max(months.values())}", label="The deck", arrows=True)

    def _suit(self, suit: list[Card]) -> Element:
        name = text(strong(_numbered(suit[0], self.language)), kind="suit-name")
        return box(name, box(*map(self._card, suit), kind="cards"), kind="suit")

    def _card(self, shown: Card) -> Element:
        name = title(shown.id, self.language)
        is_open = shown.id == self.state.story
        return card(
            shown.id,
            partial(self._press, shown.id),
            key=_key(shown.id),
            label=name,
            mark="selected" if is_open else "",
            pressed=is_open,
            hint=name,
        )

    def _story(self, told: Card) -> Element:
        name = told.name_in(self.language)
        facts = f"{told.suit} · {month_name(told.month, 'en')} · {told.kind} · {told.points} points"
        words = box(
            text(strong(name), kind="story-name"),
            text(strong(facts)),
            text(CARD_STORIES.get(told.id, "A plain card: the plant of its suit, and nothing else.")),
            text(SUIT_STORIES[told.month]),
            button("Close", partial(self._close, told.id), key="close", label=f"Close the story: {name}"),
            kind="told",
        )
        picture = box(card(told.id, label=name), kind="big")
        more = box(*_yaku(told), _names_table(told))
        return box(picture, words, more, kind="panel story", label=f"The story: {name}", key="story")


def _yaku(told: Card) -> list[Element]:
    held = yaku_of(told.id)
    if not held:
        return [text(strong("It is in no yaku."))]
    sets = [
        box(text(strong(f"Yaku {yaku}")), box(*(card(c, mark="small") for c in sorted(yaku.cards)), kind="cards"))
        for yaku in held
    ]
    all_three = "All three" if len(held) == 1 else "All three of either"
    return [box(*sets, kind="row"), text(f"{all_three} cost every opponent {YAKU_POINTS} points.")]


def _names_table(told: Card) -> Element:
    def japanese(name: Callable[[str], str]) -> str:
        return f"{name('ja')} ({name('romaji')})"

    rows = [
        ["English", told.name_in("en"), told.suit_in("en")],
        ["Japanese", japanese(told.name_in), japanese(told.suit_in)],
        *([LANGUAGE_NAMES[each], told.name_in(each), told.suit_in(each)] for each in ("fr", "hawaii")),
    ]
    return table("What it is called", ["In", "Card", "Suit"], rows)


def _counted(shown: list[Card]) -> str:
    """ "23 of 48 cards: 23 plain, 0 points"."""
    kinds = Counter(card.kind for card in shown)
    parts = [f"{n} {kind if n == 1 else many}" for kind, many in _MANY.items() if (n := kinds[kind])]
    parts.append(f"{sum(card.points for card in shown)} points")
    return f"{len(shown)} of {DECK_SIZE} cards: {', '.join(parts)}"


def _check(name: str, value: object, allowed: Iterable[object]) -> None:
    options = list(allowed)
    kind = isinstance(value, str) if isinstance(options[0], str) else is_whole(value)
    if value is not None and not (kind and value in options):
        wanted = f"{options[0]} to {options[-1]}" if isinstance(allowed, range) else ", ".join(map(str, options))
        raise ValueError(f"{name} must be {wanted}, got {shown(value)}")


def _key(card_id: int) -> str:
    return f"card-{card_id}"
