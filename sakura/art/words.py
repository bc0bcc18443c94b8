"""What a drawing says: titles for screen readers and tooltips, and the words of the learning aids."""

from ..cards import CARDS, LANGUAGES
from ..checks import shown
from ..yaku import YAKU

_ENGLISH = "January February March April May June July August September October November December"
_FRENCH = "janvier février mars avril mai juin juillet août septembre octobre novembre décembre"
_ROMAJI = (
    "ichigatsu nigatsu sangatsu shigatsu gogatsu rokugatsu shichigatsu hachigatsu kugatsu jūgatsu jūichigatsu jūnigatsu"
)
_MONTHS = {
    "en": _ENGLISH.split(),
    "ja": [f"{month}月" for month in range(1, 13)],
    "romaji": _ROMAJI.split(),
    "fr": _FRENCH.split(),
    "hawaii": _ENGLISH.split(),
}
_BACKS = {"en": "Card back", "ja": "札の裏", "romaji": "fuda no ura", "fr": "Dos de carte", "hawaii": "Card back"}
_NO_CARDS = {"en": "No card", "ja": "札なし", "romaji": "fuda nashi", "fr": "Aucune carte", "hawaii": "No card"}


def month_name(month: int, language: str) -> str:
    """The name of month 1 to 12."""
    return _MONTHS[language][month - 1]


def points_in_words(points: int, language: str) -> str:
    """The worth of a card: "20 points"."""
    if language == "ja":
        return f"{points}点"
    if language == "romaji":
        return f"{points} ten"
    alone = points < 2 if language == "fr" else points == 1
    return f"{points} point" + ("" if alone else "s")


def card_name(card: int | None, language: str) -> str:
    """The card's name alone: "Crane". None is a card seen from behind."""
    _known(language)
    return _BACKS[language] if card is None else CARDS[card].name_in(language)


def title(card: int | None, language: str) -> str:
    """What a card is: "Crane, Pine, January, 20 points"."""
    name = card_name(card, language)
    if card is None:
        return name
    known = CARDS[card]
    parts = name, known.suit_in(language), month_name(known.month, language)
    return ", ".join((*parts, points_in_words(known.points, language)))


def titles(cards: list[int | None], language: str) -> str:
    """The titles of several cards, as one text."""
    _known(language)
    return "; ".join(title(card, language) for card in cards) or _NO_CARDS[language]


def syllables(card: int) -> list[str]:
    """The syllables of the yaku this card belongs to: `["Ro"]` for the Crane, `[]` for a plain card."""
    return [yaku.syllable for yaku in YAKU if card in yaku.cards]


def _known(language: str) -> None:
    if language not in LANGUAGES:
        raise ValueError(f"title_language must be one of {', '.join(LANGUAGES)}, got {shown(language)}")
