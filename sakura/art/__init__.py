"""The 48 cards as SVG, drawn for this project from the facts of the traditional design.

    >>> from sakura.art import card_svg
    >>> card_svg(0)
    <Svg: Crane, Pine, January, 20 points>

`ink` holds the palettes, `shapes` the geometry, `plants`, `creatures` and `objects` the motifs, `deck` says what stands
where, `aids` and `words` add what a beginner would look up, `page` shows cards, yaku and rounds as HTML. A drawing uses
no ids, scripts, fonts or outside files, so any number of them share a page.
"""

from collections.abc import Iterable

from ..checks import is_whole, shown
from .frame import Look, Svg, checked, drawing, layout
from .page import back_img, card_img

__all__ = ["Svg", "back_img", "back_svg", "card_img", "card_svg", "cards_svg"]


def card_svg(
    card_id: int,
    *,
    aids: bool = False,
    high_contrast: bool = False,
    width: float | None = None,
    title_language: str = "en",
) -> Svg:
    """One card, face up.

    `aids` prints points, month and yaku on it; `high_contrast` is for projectors and for eyes that do not tell red from
    green; `width` is in pixels, None fills whatever the card is put into; `title_language` is one of
    `sakura.cards.LANGUAGES`. Raises ValueError for a card that is not 0 to 47 or an unknown language.
    """
    return drawing(checked(card_id), Look(aids, high_contrast, title_language), width)


def back_svg(*, high_contrast: bool = False, width: float | None = None, title_language: str = "en") -> Svg:
    """A card, face down."""
    return drawing(None, Look(False, high_contrast, title_language), width)


def cards_svg(
    ids: Iterable[int | None],
    *,
    fan: bool = False,
    columns: int | None = None,
    aids: bool = False,
    high_contrast: bool = False,
    width: float | None = None,
    title_language: str = "en",
) -> Svg:
    """Several cards as one drawing: in a row, in rows of `columns`, or as a hand held in a `fan`.

    None among the ids is a card face down; `width` is the whole drawing's. The titles of all cards are its text form.
    """
    cards = [card if card is None else checked(card) for card in ids]
    if columns is not None and not (is_whole(columns) and columns >= 1):
        raise ValueError(f"columns must be 1 or more, got {shown(columns)}")
    return layout(cards, Look(aids, high_contrast, title_language), width, fan=fan, columns=columns)
