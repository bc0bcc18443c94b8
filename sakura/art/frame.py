"""From a card's drawing to a finished SVG: the frame, the title, and several cards laid out together."""

from base64 import b64encode
from functools import cache
from typing import NamedTuple
from xml.sax.saxutils import escape

from ..cards import DECK_SIZE
from ..checks import is_whole, shown
from .aids import learning_aids
from .deck import DRAWINGS, HEIGHT, WIDTH, back
from .ink import HIGH_CONTRAST, PRINTED, Inks
from .shapes import number, polar
from .words import title, titles

_NAMESPACE = 'xmlns="http://www.w3.org/2000/svg"'
_GAP = 6
_FAN_STEP, _FAN_SPREAD = 12.0, 84.0  # degrees from card to card, and at most from the first to the last
_FAN_RADIUS = 280.0  # from the hand to the upper edge of a card
_SHOWN, _SHOWN_AT_MOST = 1.2, 900  # in a notebook: pixels to a unit, and the widest picture


class Svg(str):
    """The text of an SVG. A notebook shows the picture, a plain console the title."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        """With a size: a notebook would spread a picture without one over the whole page."""
        head, mark, rest = self.partition(' role="img"')
        if " width=" in head:
            return str(self)
        wide, high = map(float, head.partition('viewBox="0 0 ')[2].rstrip('"').split())
        scale = min(_SHOWN, _SHOWN_AT_MOST / wide)
        return f'{head} width="{number(wide * scale)}" height="{number(high * scale)}"{mark}{rest}'

    def _repr_html_(self) -> str:
        """What notebooks prefer to the SVG, of which they would make a picture without an alternative text."""
        label = self.partition('aria-label="')[2].partition('"')[0]
        picture = b64encode(self._repr_svg_().encode()).decode()
        return f'<img src="data:image/svg+xml;base64,{picture}" alt="{label}">'

    def __repr__(self) -> str:
        return f"<Svg: {self.partition('<title>')[2].partition('</title>')[0]}>"


def checked(card: int) -> int:
    """The card's id; raises ValueError for one that is not 0 to 47."""
    if not is_whole(card) or not 0 <= card < DECK_SIZE:
        raise ValueError(f"a card is 0 to {DECK_SIZE - 1}, got {shown(card)}")
    return int(card)


class Look(NamedTuple):
    """How cards are printed and described."""

    aids: bool
    high_contrast: bool
    language: str


def drawing(card: int | None, look: Look, width: float | None) -> Svg:
    """One card as a document of its own; None is the back."""
    name = title(card, look.language)
    return _document(WIDTH, HEIGHT, width, name, _titled(name) + _face(card, look))


def layout(cards: list[int | None], look: Look, width: float | None, *, fan: bool, columns: int | None) -> Svg:
    """Several cards as one document."""
    wide, high, spots = _fanned(len(cards)) if fan else _in_rows(len(cards), columns or len(cards) or 1)
    name = titles(cards, look.language)
    body = "".join(
        f'<g transform="{spot}">{_titled(title(card, look.language))}{_face(card, look)}</g>'
        for spot, card in zip(spots, cards, strict=True)
    )
    return _document(wide, high, width, name, _titled(name) + body)


def _titled(name: str) -> str:
    return f"<title>{escape(name)}</title>"


def _document(wide: float, high: float, width: float | None, name: str, body: str) -> Svg:
    size = "" if width is None else f' width="{number(width)}" height="{number(width * high / wide)}"'
    label = escape(name, {'"': "&quot;"})
    view = f'viewBox="0 0 {number(wide)} {number(high)}"{size}'
    return Svg(f'<svg {_NAMESPACE} {view} role="img" aria-label="{label}">{body}</svg>')


def _face(card: int | None, look: Look) -> str:
    ink = HIGH_CONTRAST if look.high_contrast else PRINTED
    aids = learning_aids(card, ink, look.language) if look.aids and card is not None else ""
    board = f'<rect x="2" y="2" width="{WIDTH - 4}" height="{HEIGHT - 4}" rx="5"'
    frame = f'{board} fill="none" stroke="{ink.black}" stroke-width="4"/>'
    return f'{board} fill="{ink.paper}"/>{_window(card, ink)}{frame}{aids}'


@cache
def _window(card: int | None, ink: Inks) -> str:
    """The art, cut off just under the frame by an inner `<svg>`: a clipPath would need an id.

    Its size is said twice, because a page may have a rule for the size of every `<svg>` in it.
    """
    art = back(ink) if card is None else DRAWINGS[card](ink)
    wide, high = WIDTH - 6, HEIGHT - 6
    return (
        f'<svg x="3" y="3" width="{wide}" height="{high}" viewBox="3 3 {wide} {high}"'
        f' style="width:{wide}px;height:{high}px;overflow:hidden">'
        f'<g fill="none" stroke-linecap="round" stroke-linejoin="round">{art}</g></svg>'
    )


def _in_rows(count: int, columns: int) -> tuple[float, float, list[str]]:
    places = [divmod(k, columns) for k in range(count)]
    spots = [f"translate({column * (WIDTH + _GAP)} {row * (HEIGHT + _GAP)})" for row, column in places]
    rows, across = max(1, -(-count // columns)), max(1, min(count, columns))
    return across * (WIDTH + _GAP) - _GAP, rows * (HEIGHT + _GAP) - _GAP, spots


def _fanned(count: int) -> tuple[float, float, list[str]]:
    """Cards on an arc, as if held below: each is turned about the hand and overlaps the one before."""
    step = min(_FAN_STEP, _FAN_SPREAD / max(1, count - 1))
    angles = [step * (k - (count - 1) / 2) for k in range(count)] or [0.0]
    # Measured from the hand, which all cards are turned about.
    corners = [
        complex(x, y) * polar(1, angle + 90)
        for angle in angles
        for x in (-WIDTH / 2, WIDTH / 2)
        for y in (-_FAN_RADIUS, HEIGHT - _FAN_RADIUS)
    ]
    left, top = min(z.real for z in corners), min(z.imag for z in corners)
    right, bottom = max(z.real for z in corners), max(z.imag for z in corners)
    shift = f"translate({number(-left)} {number(-top)})"
    lift = f"translate({number(-WIDTH / 2)} {number(-_FAN_RADIUS)})"
    spots = [f"{shift}rotate({number(angle)}){lift}" for angle in angles[:count]]
    return right - left, bottom - top, spots
