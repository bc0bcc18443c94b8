"""What a notebook shows of cards, yaku and rounds, as HTML.

Pictures are `<img>` with the SVG in their address: pages that show notebooks, as GitHub's does, strip inline SVG and
styles but keep these, and they have alt text. Nothing here depends on a style, so that it reads well without any.
"""

from base64 import b64encode
from collections.abc import Collection, Iterable
from functools import cache
from html import escape
from typing import TYPE_CHECKING

from ..cards import CARDS, names
from ..yaku import YAKU, YAKU_POINTS, Yaku
from .frame import Look, checked, drawing
from .words import card_name, title

if TYPE_CHECKING:
    from ..round import Round

_ALONE, _ROW, _SMALL = 90, 60, 44  # widths in pixels: a card by itself, in a row, and where cards are many


def card_img(
    card_id: int,
    *,
    width: float = _ROW,
    aids: bool = False,
    high_contrast: bool = False,
    title_language: str = "en",
    alt: str | None = None,
) -> str:
    """One card, face up, as an `<img>`: its alt text is its name and its tooltip the title, or both are `alt`.

    The other arguments are those of `card_svg`, and so are the errors.
    """
    return _img(checked(card_id), Look(aids, high_contrast, title_language), width, alt)


def back_img(*, width: float = _ROW, high_contrast: bool = False, title_language: str = "en") -> str:
    """A card, face down, as an `<img>`."""
    return _img(None, Look(False, high_contrast, title_language), width)


def _img(card: int | None, look: Look, width: float, told: str | None = None) -> str:
    alt, tip = escape(told or card_name(card, look.language)), escape(told or title(card, look.language))
    # Some pages put every picture on a line of its own.
    style = "display:inline;margin:0"
    return f'<img src="{_address(card, look)}" alt="{alt}" title="{tip}" width="{width:g}" style="{style}">'


@cache
def _address(card: int | None, look: Look) -> str:
    return "data:image/svg+xml;base64," + b64encode(drawing(card, look, None).encode()).decode()


def card_html(card: int) -> str:
    """A card: what it is, the yaku that it belongs to, and its picture."""
    yaku = " and ".join(str(y) for y in YAKU if card in y.cards)
    line = title(card, "en") + (f"; part of the yaku {yaku}" if yaku else "")
    return f"<p>{_told(line, [card], _ALONE)}</p>"


def cards_html(cards: Iterable[int]) -> str:
    """Cards: their names over their pictures."""
    ids = sorted(cards)
    return f"<p>{_told(names(ids), ids)}</p>"


def yaku_html(yaku: Yaku) -> str:
    """A yaku: its name in words over its three cards."""
    ids = sorted(yaku.cards)
    line = f": {names(ids)}; {YAKU_POINTS} points"
    return f"<p><strong>{escape(str(yaku))}</strong>{_told(line, ids, _ALONE)}</p>"


def round_html(rnd: "Round") -> str:
    """A round: the field, the pile, the card turned up, every seat's cards, and the score of every side."""
    parts = [f"<p><strong>{escape(_now(rnd))}</strong></p>"]
    parts += [_heading("Field"), cards_html(rnd.field), _heading("Pile"), _pile(rnd)]
    if rnd.removed:
        parts += [_heading("Out of the game"), cards_html(rnd.removed)]
    for seat in range(rnd.rules.players):
        parts += [_heading(_seat(rnd, seat)), f"<p>{_hand(rnd.hands[seat])}<br>{_captured(rnd.captured[seat])}</p>"]
    source = "from a deck" if rnd.seed is None else f"seed {rnd.seed}"
    rules = f"Rules: {rnd.rules}; {source}; dealer: seat {rnd.dealer}."
    return "\n".join([*parts, _heading("Score"), _scores(rnd), f"<p><small>{escape(rules)}</small></p>"])


def _heading(words: str) -> str:
    # Jupyter's table of contents lists the headings of outputs too, but none this small; and it prints these light.
    return f"<h5><strong>{escape(words)}</strong></h5>"


def _told(line: str, ids: Collection[int], width: float = _ROW) -> str:
    """A line of words, and under it the cards in a row."""
    return escape(line) + "<br>" * bool(ids) + " ".join(card_img(card, width=width) for card in ids)


def _hand(cards: Iterable[int]) -> str:
    ids = sorted(cards)
    return _told(f"Hand: {names(ids)}", ids)


def _captured(cards: Iterable[int]) -> str:
    """Small and the dearest first, as they lie on the table; of so many, only the alt text and tooltips give names."""
    ids = sorted(cards, key=lambda card: (-CARDS[card].points, card))
    return _told(f"Captured: {_counted(len(ids))}", ids, _SMALL)


def _pile(rnd: "Round") -> str:
    line, pictures = _counted(len(rnd.pile)), [back_img(width=_SMALL)] if rnd.pile else []
    if rnd.turned_up is not None:
        line += f"; turned up: {names([rnd.turned_up])}"
        pictures.append(card_img(rnd.turned_up))
    return f"<p>{escape(line)}{'<br>' * bool(pictures)}{' '.join(pictures)}</p>"


def _counted(cards: int) -> str:
    return f"{cards or 'no'} card{'s' * (cards > 1)}"


def _now(rnd: "Round") -> str:
    if rnd.is_terminal:
        return f"The round is over, after {rnd.turn} turns."
    doing = "plays a card from the hand" if rnd.turned_up is None else "chooses what the card turned up captures"
    return f"Turn {rnd.turn + 1}: seat {rnd.current_player} {doing}."


def _seat(rnd: "Round", seat: int) -> str:
    parts = [f"Seat {seat}"]
    if rnd.rules.teams:
        parts.append(f"side {rnd.rules.side_of(seat)}")
    if seat == rnd.current_player:
        parts.append("whose turn it is")
    return ", ".join(parts)


def _scores(rnd: "Round") -> str:
    head = "".join(f'<th scope="col">{word}</th>' for word in ("Side", "Points", "Yaku", "Score"))
    rows = []
    for side, (points, held, score) in enumerate(zip(rnd.points(), rnd.yaku(), rnd.returns(), strict=True)):
        seats = " and ".join(map(str, rnd.rules.seats_of(side)))
        who = f"Side {side} (seats {seats})" if rnd.rules.teams else f"Seat {side}"
        yaku = ", ".join(str(YAKU[number - 1]) for number in held) or "none"
        cells = "".join(f"<td>{escape(str(cell))}</td>" for cell in (points, yaku, score))
        rows.append(f'<tr><th scope="row">{who}</th>{cells}</tr>')
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
