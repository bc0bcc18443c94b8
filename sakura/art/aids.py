"""The learning aids: small plaques over the drawing with what a beginner would look up."""

from xml.sax.saxutils import escape

from ..cards import CARDS
from . import words
from .ink import Inks
from .shapes import number

_TOP, _BOTTOM = 6, 157  # the plaques' outer edges
_HEIGHT = 15
_LARGE, _SMALL = 13.0, 9.0
_FIGURE, _LETTER = 0.7, 0.62  # generous widths of a bold figure and of a letter, in ems: the font is not known here
_NAME_ROOM = 45.0


def learning_aids(card: int, ink: Inks, language: str) -> str:
    """Points top left, the month's number and name top right, the syllables of the card's yaku at the bottom."""
    return _points(card, ink) + _month(card, ink, language) + _yaku(card, ink)


def _points(card: int, ink: Inks) -> str:
    return _label(ink, 6, _TOP, 21, str(CARDS[card].points))


def _month(card: int, ink: Inks, language: str) -> str:
    month = CARDS[card].month
    # Japanese needs its own fonts, which may be missing; the same words in Latin letters do not.
    name = words.month_name(month, "romaji" if language == "ja" else language)
    size = min(_SMALL, (_NAME_ROOM - 9 * (month > 9)) / (_LETTER * len(name)))
    width = _LARGE * _FIGURE * len(str(month)) + size * _LETTER * len(name) + 7
    left = 94 - width
    return (
        _plaque(ink, left, _TOP, width)
        + _text(ink, left + 2.5, _TOP, _LARGE, str(month), "start", "bold")
        + _text(ink, 91.5, _TOP, size, name, "end", "normal")
    )


def _yaku(card: int, ink: Inks) -> str:
    found = words.syllables(card)
    left = 50 - 12 * len(found)
    return "".join(_label(ink, left + 24 * k + 1, _BOTTOM - _HEIGHT, 22, word) for k, word in enumerate(found))


def _label(ink: Inks, left: float, top: float, width: float, word: str) -> str:
    return _plaque(ink, left, top, width) + _text(ink, left + width / 2, top, _LARGE, word, "middle", "bold")


def _plaque(ink: Inks, left: float, top: float, width: float) -> str:
    return (
        f'<rect x="{number(left)}" y="{number(top)}" width="{number(width)}" height="{_HEIGHT}" rx="3"'
        f' fill="{ink.paper}" stroke="{ink.black}" stroke-width="1"/>'
    )


def _text(ink: Inks, x: float, top: float, size: float, word: str, anchor: str, weight: str) -> str:
    return (
        f'<text x="{number(x)}" y="{number(top + 12)}" font-family="sans-serif" font-weight="{weight}"'
        f' font-size="{number(size)}" text-anchor="{anchor}" fill="{ink.black}">{escape(word)}</text>'
    )
