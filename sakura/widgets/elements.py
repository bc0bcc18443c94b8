"""What a widget shows, as a tree of elements: described once, drawn by `view.js` in a browser and as plain HTML in a
page where nothing runs.

An element that a person can use carries the function to call; `key` names it, so that a browser can say which one was
used, and so that keyboard focus stays with it from one drawing to the next.
"""

import html
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..art import back_img, card_img
from ..cards import CARDS, LANGUAGES
from ..checks import shown

Handler = Callable[..., object]


@dataclass(frozen=True)
class Element:
    """One element. `attributes` are HTML's; None and False are left out. `handler` is called when it is used:
    a button's without arguments, that of anything with a value with the new value."""

    tag: str
    attributes: Mapping[str, Any] = field(default_factory=dict)
    children: tuple["Element | str", ...] = ()
    key: str | None = None
    handler: Handler | None = None
    # Whether a second press counts before the answer to the first could be seen: yes for "skip", no for "undo".
    steady: bool = False
    # The card whose picture it holds; BACK for one that lies face down.
    card: int | None = None


Child = Element | str | None
BACK = -1


def _kept(children: Iterable[Child]) -> tuple[Element | str, ...]:
    return tuple(child for child in children if child is not None)


def _classes(*names: str | None) -> str:
    return " ".join(f"sakura-{word}" for name in names if name for word in name.split())


# ---- Boxes and words ----


def box(
    *children: Child, kind: str = "", label: str | None = None, arrows: bool = False, key: str | None = None
) -> Element:
    """A box of style `kind`. With a `label` it is a group that a screen reader names.

    arrows: the arrow keys move among its buttons, and Tab goes past them in one step. For rows of cards.  key: with
    one, `View.focus` can lead there, where no key does any harm.
    """
    attributes = {
        "class": _classes("box", kind),
        "role": "group" if label else None,
        "aria-label": label,
        "data-arrows": "" if arrows else None,
        "tabindex": "-1" if key else None,
    }
    return Element("div", attributes, _kept(children), key)


def heading(words: str) -> Element:
    """A heading, one below those of a notebook's sections."""
    return Element("h3", {"class": _classes("heading")}, (words,))


def text(*children: Child, kind: str = "") -> Element:
    """A paragraph of style `kind`."""
    return Element("p", {"class": _classes("text", kind)}, _kept(children))


def strong(words: str) -> Element:
    """Words that stand out."""
    return Element("strong", {}, (words,))


def listing(items: Iterable[Child], *, ordered: bool = False, kind: str = "") -> Element:
    """A list."""
    lines = tuple(Element("li", {}, (item,)) for item in _kept(items))
    return Element("ol" if ordered else "ul", {"class": _classes("list", kind)}, lines)


def table(caption: str, header: Sequence[str], rows: Iterable[Sequence[Child]]) -> Element:
    """A table with a caption. The first cell of each row is its heading."""
    head = Element("tr", {}, tuple(Element("th", {"scope": "col"}, (words,)) for words in header))
    body = tuple(
        Element(
            "tr",
            {},
            tuple(
                Element("td" if column else "th", {} if column else {"scope": "row"}, _kept([cell]))
                for column, cell in enumerate(row)
            ),
        )
        for row in rows
    )
    parts = (Element("caption", {}, (caption,)), Element("thead", {}, (head,)), Element("tbody", {}, body))
    return Element("table", {"class": _classes("table")}, parts)


def details(summary: str, *children: Child, key: str, opened: bool = False) -> Element:
    """Something to unfold. The browser remembers whether it is open."""
    first = Element("summary", {}, (summary,))
    return Element("details", {"class": _classes("details"), "open": opened or None}, (first, *_kept(children)), key)


def meter(label: str, share: float, words: str, *, kind: str = "") -> Element:
    """A bar, `share` (0 to 1) of it filled, named by `label`; `words` say the value and stand beside it."""
    full = min(1.0, max(0.0, share))
    track = Element(
        "span",
        {
            "class": _classes("meter", kind),
            "role": "meter",
            "aria-label": label,
            "aria-valuemin": "0",
            "aria-valuemax": "1",
            "aria-valuenow": f"{full:.3f}",
            "aria-valuetext": words,
        },
        (Element("span", {"class": _classes("meter-full"), "style": f"width:{100 * full:.1f}%"}),),
    )
    return Element("span", {"class": _classes("metered")}, (track, Element("span", {}, (words,))))


def interval(low: float, value: float, high: float, scale: tuple[float, float], words: str) -> Element:
    """A bar from 0 to `value` with the interval `low` to `high` on it; `scale` are the ends of the axis, which holds 0.

    The bar is for the eye alone: `words` say the same and stand beside it.
    """
    begin, end = scale
    wide = (end - begin) or 1.0

    def part(kind: str, left: float, right: float) -> Element:
        place = f"left:{100 * (left - begin) / wide:.1f}%;width:{100 * (right - left) / wide:.1f}%"
        return Element("span", {"class": _classes(kind), "style": place})

    parts = (
        part("interval-bar", min(0.0, value), max(0.0, value)),
        part("interval-reach", low, high),
        part("interval-zero", 0.0, 0.0),
    )
    track = Element("span", {"class": _classes("interval"), "aria-hidden": "true"}, parts)
    return Element("span", {"class": _classes("metered")}, (track, " ", Element("span", {}, (words,))))


# ---- Cards ----


def card(
    card_id: int | None,
    on: Handler | None = None,
    *,
    key: str | None = None,
    label: str | None = None,
    mark: str = "",
    enabled: bool = True,
    pressed: bool | None = None,
    hint: Child = None,
) -> Element:
    """A card, face down for None. With a handler it is a button.

    label: what a screen reader says; the card's name where none is given. It should hold the name.  mark: the styles
    "legal", "target", "selected", "dim", "small", "large", several with spaces between.  enabled: False greys it out;
    its handler is still called, to say why it cannot be used.  pressed: for a card that is on or off.  hint: shown
    below the card while it is pointed at or has the focus.
    """
    name = label or ("A card face down" if card_id is None else CARDS[card_id].name)
    shown = BACK if card_id is None else card_id
    picture = Element("span", {"class": _classes("picture"), "aria-hidden": "true"}, (), None, None, False, shown)
    parts = _kept([picture, hint and Element("span", {"class": _classes("hint")}, (hint,))])
    if on is None:
        return Element("span", {"class": _classes("card", mark), "role": "img", "aria-label": name}, parts, key)
    return _button(parts, on, key or f"card-{shown}", _classes("card", mark), name, enabled, pressed)


def gaps(count: int, mark: str = "") -> list[Element]:
    """So many places where no card lies, as large as cards: a row with them does not shrink when it has fewer."""
    return [Element("span", {"class": _classes("gone", mark)}) for _ in range(count)]


def room(words: str) -> Element:
    """Room for so many words and no more, which nobody can read: what comes there later pushes nothing away."""
    return Element("span", {"class": _classes("room"), "data-room": re.sub(r"\S", "n", words)})


# ---- Controls ----


def button(
    words: str,
    on: Handler,
    *,
    key: str | None = None,
    label: str | None = None,
    kind: str = "",
    enabled: bool = True,
    pressed: bool | None = None,
    steady: bool = False,
    sign: str | None = None,
) -> Element:
    """A button; `label` is what a screen reader says instead of its `words` and must hold them.

    sign: one such as "✓" before the words, or "" where one may come: it has its place from the start.
    """
    parts = () if sign is None else (Element("span", {"class": _classes("sign")}, (f"{sign} ",) if sign else ()),)
    return _button((*parts, words), on, key or words, _classes("button", kind), label, enabled, pressed, steady)


def _button(
    parts: tuple[Element | str, ...],
    on: Handler,
    key: str,
    classes: str,
    label: str | None,
    enabled: bool,
    pressed: bool | None,
    steady: bool = False,
) -> Element:
    attributes = {
        "class": classes,
        "type": "button",
        "aria-label": label,
        # Not `disabled`, which would throw the keyboard's focus away.
        "aria-disabled": None if enabled else "true",
        "aria-pressed": None if pressed is None else str(pressed).lower(),
    }
    return Element("button", attributes, parts, key, on, steady)


def _labelled(label: str, control: Element, *, after: bool = False) -> Element:
    words = Element("span", {}, (label,))
    return Element("label", {"class": _classes("control")}, (control, words) if after else (words, control))


def choice(label: str, options: Mapping[str, str], value: str, on: Handler, *, key: str | None = None) -> Element:
    """A list to choose one of: `options` are value -> words. The handler gets the value."""
    items = tuple(
        Element("option", {"value": option, "selected": option == value}, (words,)) for option, words in options.items()
    )
    attributes = {"value": value}
    return _labelled(label, Element("select", attributes, items, key or label, on, True))


def switch(label: str, value: bool, on: Handler, *, key: str | None = None) -> Element:
    """A box to tick. The handler gets True or False."""
    attributes = {"type": "checkbox", "checked": value}
    return _labelled(label, Element("input", attributes, (), key or label, on, True), after=True)


def entry(label: str, value: object, on: Handler, *, key: str | None = None, number: bool = False) -> Element:
    """A line to type in; Enter or leaving it hands the text to the handler. `number` only brings up digits."""
    attributes = {
        "type": "text",
        "value": str(value),
        "inputmode": "numeric" if number else None,
        "size": 8 if number else 16,
        "autocomplete": "off",
    }
    return _labelled(label, Element("input", attributes, (), key or label, on, True))


def download(words: str, filename: str, content: str) -> Element:
    """A button that saves `content` as a file on the reader's computer."""
    attributes = {
        "class": _classes("button"),
        "type": "button",
        "data-filename": filename,
        "data-content": content,
    }
    return Element("button", attributes, (words,), words)


def upload(label: str, on: Handler, *, key: str | None = None) -> Element:
    """A file to choose on the reader's computer. The handler gets its text."""
    attributes = {"type": "file"}
    return _labelled(label, Element("input", attributes, (), key or label, on, True))


# ---- Out of the tree ----


def walk(element: Element | str) -> Iterator[Element]:
    """An element and all below it."""
    if isinstance(element, Element):
        yield element
        for child in element.children:
            yield from walk(child)


def controls(root: Element) -> dict[str, Element]:
    """The elements with a handler, by key. Raises ValueError where two share a key."""
    found: dict[str, Element] = {}
    for element in walk(root):
        if element.handler is not None:
            if element.key is None or element.key in found:
                raise ValueError(f"a control needs a key of its own, got {shown(element.key)} on {element.tag}")
            found[element.key] = element
    return found


def to_json(element: Element | str) -> Any:
    """The element as `view.js` reads it: t tag, k key, a attributes, c children, p picture, u usable."""
    if isinstance(element, str):
        return element
    attributes = {
        name: "" if value is True else str(value)
        for name, value in element.attributes.items()
        if value is not None and value is not False
    }
    plain = {
        "t": element.tag,
        "k": element.key,
        "a": attributes,
        "c": [to_json(child) for child in element.children],
        "p": element.card,
        "u": element.handler is not None or None,
    }
    return {name: value for name, value in plain.items() if value not in (None, [], {})}


# What nobody can use in a page where nothing runs.
_LIVE_ONLY = {"select", "input", "summary", "label"}
_STYLED_ALIKE = {"h3", "p", "ul", "ol", "li", "table", "caption", "thead", "tbody", "tr", "th", "td", "strong"}
_ROW_OR_CARD = {"sakura-card", "sakura-cards"}


def to_html(element: Element | str, **look: Any) -> str:
    """The element as HTML that needs neither scripts nor styles: cards as images, words as words, no controls.

    look: `aids`, `high_contrast` and `title_language`, as `art.card_img` takes them.
    """
    if isinstance(element, str):
        return html.escape(element)
    if element.tag in _LIVE_ONLY:
        return ""
    pictures = [part for part in walk(element) if part.card is not None]
    if element.tag == "button" and not pictures:
        # The answers to a question are part of the question.
        return f"<p>○ {html.escape(_words(element))}</p>" if "sakura-answer" in element.attributes["class"] else ""
    # The label of a row of cards is for those who do not see what stands beside it.
    if pictures and _ROW_OR_CARD & _styles(element):
        return "".join(_img(part, **look) for part in walk(element) if "sakura-card" in _styles(part)) + " "
    inside = "".join(to_html(child, **look) for child in element.children)
    if element.tag in _STYLED_ALIKE:
        return f"<{element.tag}>{inside}</{element.tag}>" if inside.strip() else ""
    label = element.attributes.get("aria-label")
    if label and inside.strip() and not any(part.tag == "h3" for part in walk(element)):
        inside = f"<p><b>{html.escape(str(label))}</b></p>{inside}"
    return f"<div>{inside}</div>" if inside and element.tag == "div" else inside


def _words(element: Element) -> str:
    return "".join(child if isinstance(child, str) else _words(child) for child in element.children)


def _styles(element: Element) -> set[str]:
    return set(str(element.attributes.get("class", "")).split())


def _img(shown: Element, **look: Any) -> str:
    (card_id,) = (part.card for part in walk(shown) if part.card is not None)
    if card_id == BACK:
        look.pop("aids", None)
        return back_img(width=_STATIC_WIDTH, **look)
    # A label without the card's name is there to keep it secret.
    label, names = str(shown.attributes["aria-label"]), map(CARDS[card_id].name_in, LANGUAGES)
    alt = None if any(name in label for name in names) else label
    return card_img(card_id, width=_STATIC_WIDTH, alt=alt, **look)


_STATIC_WIDTH = 60
