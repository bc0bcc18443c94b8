"""The drawn cards: well formed, small, the same every time, readable without seeing, and saying what they should."""

import re
from functools import cache
from itertools import combinations
from xml.etree import ElementTree

import pytest

from sakura.art import Svg, back_svg, card_svg, cards_svg
from sakura.art.deck import DRAWINGS
from sakura.art.ink import HIGH_CONTRAST, PRINTED, Inks
from sakura.cards import CARDS, LANGUAGES
from sakura.yaku import YAKU

SVG = "{http://www.w3.org/2000/svg}"
DECK = range(48)
VARIANTS = [{"aids": aids, "high_contrast": contrast} for aids in (False, True) for contrast in (False, True)]
MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip


@cache
def everything() -> list[Svg]:
    """Every drawing of a single card, front and back, in every variant."""
    fronts = [card_svg(card, **variant) for card in DECK for variant in VARIANTS]
    return [*fronts, back_svg(), back_svg(high_contrast=True)]


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def test_no_card_is_over_10_kb_and_no_deck_over_400_kb():
    for variant in VARIANTS:
        sizes = [len(card_svg(card, **variant).encode()) for card in DECK]
        assert max(sizes) < 10_000
        assert sum(sizes) < 400_000


def test_a_drawing_is_an_image_with_a_title():
    for svg in everything():
        root = ElementTree.fromstring(svg)
        assert root.tag == f"{SVG}svg"
        assert root.get("role") == "img"
        assert root[0].tag == f"{SVG}title"
        assert root[0].text == root.get("aria-label")
        _, _, wide, high = map(float, root.get("viewBox").split())
        assert 1.6 < high / wide < 1.66


def test_many_drawings_can_share_a_page():
    """No ids, so none can clash; no scripts, styles, links or pictures from elsewhere."""
    page = "".join(everything()) + cards_svg(DECK, columns=8, aids=True) + cards_svg([0, None, 47], fan=True)
    elements = set(re.findall(r"<([A-Za-z]+)", page))
    assert elements <= {"svg", "title", "g", "path", "rect", "text"}
    assert not re.search(r"""[\s"'](id|class|href|xlink:href|on\w+)=""", page)
    assert "url(" not in page
    assert set(re.findall(r"https?://[^\"]*", page)) == {"http://www.w3.org/2000/svg"}
    assert set(re.findall(r'font-family="([^"]*)"', page)) == {"sans-serif"}


def test_numbers_are_finite_and_short():
    for svg in everything():
        assert not re.search(r"nan|inf|\de[+-]?\d|\.\d\d", re.sub(r"<title>.*?</title>|aria-label=\"[^\"]*\"", "", svg))


def test_drawings_are_the_same_every_time():
    for draw in DRAWINGS:
        assert draw(PRINTED) == draw(PRINTED)
    assert cards_svg(DECK, fan=True) == cards_svg(DECK, fan=True)


def test_every_card_has_a_drawing_of_its_own():
    """The two plain cards of a suit too."""
    pictures = [re.sub(r"<title>.*?</title>|aria-label=\"[^\"]*\"", "", card_svg(card)) for card in DECK]
    assert all(a != b for a, b in combinations(pictures, 2))


def test_only_inks_of_the_palette_are_printed():
    for svg in everything():
        palette = HIGH_CONTRAST if f'"{HIGH_CONTRAST.black}"' in svg else PRINTED
        known = {value for value in vars(palette).values() if isinstance(value, str)}
        assert set(re.findall(r"#[0-9a-f]{3,6}", svg)) <= known


@pytest.mark.parametrize("card", CARDS, ids=str)
def test_without_aids_nothing_is_written_on_a_card(card):
    assert texts(card_svg(card.id)) == []


@pytest.mark.parametrize("card", CARDS, ids=str)
def test_aids_give_points_month_and_yaku(card):
    syllables = [yaku.syllable for yaku in YAKU if card.id in yaku.cards]
    expected = [str(card.points), str(card.month), MONTHS[card.month - 1], *syllables]
    assert texts(card_svg(card.id, aids=True)) == expected


def test_aids_of_some_cards_typed_by_hand():
    assert texts(card_svg(0, aids=True)) == ["20", "1", "January", "Ro"]
    assert texts(card_svg(36, aids=True)) == ["5", "10", "October", "Ho", "Chi"]
    assert texts(card_svg(42, aids=True)) == ["10", "11", "November"]
    assert texts(card_svg(43, aids=True)) == ["0", "11", "November"]


def test_aids_need_no_japanese_font():
    for card in DECK:
        for language in LANGUAGES:
            assert all(
                ord(letter) < 0x250 for letter in "".join(texts(card_svg(card, aids=True, title_language=language)))
            )


def test_titles_in_each_language():
    def title(card, language):
        return ElementTree.fromstring(card_svg(card, title_language=language))[0].text

    assert title(0, "en") == "Crane, Pine, January, 20 points"
    assert title(0, "fr") == "Grue, Pin, janvier, 20 points"
    assert title(2, "fr") == "Pin simple 1, Pin, janvier, 0 point"
    assert title(0, "ja") == "松に鶴, 松, 1月, 20点"
    assert title(0, "romaji") == "matsu ni tsuru, matsu, ichigatsu, 20 ten"
    assert title(43, "hawaii") == "gaji, ame, November, 0 points"
    assert title(17, "fr") == "Ruban rouge de l'iris, Iris, mai, 10 points"
    for language in LANGUAGES:
        assert len({title(card, language) for card in DECK}) == 48


def test_width_is_in_pixels_and_keeps_the_shape():
    root = ElementTree.fromstring(card_svg(0, width=60))
    assert (root.get("width"), root.get("height")) == ("60", "97.8")
    assert "width" not in ElementTree.fromstring(card_svg(0)).attrib


def test_several_cards_in_one_drawing():
    root = ElementTree.fromstring(cards_svg([0, None, 28]))
    assert root.get("role") == "img"
    assert root.get("aria-label") == (
        "Crane, Pine, January, 20 points; Card back; Moon, Susuki grass, August, 20 points"
    )
    assert [title.text for title in root.iter(f"{SVG}title")][1:] == root.get("aria-label").split("; ")
    assert root.get("viewBox") == "0 0 312 163"
    assert ElementTree.fromstring(cards_svg(DECK, columns=12)).get("viewBox") == "0 0 1266 670"
    assert ElementTree.fromstring(cards_svg([])).get("aria-label") == "No card"
    assert ElementTree.fromstring(cards_svg([], fan=True)).get("viewBox") == "0 0 100 163"


def test_a_fan_holds_all_its_cards():
    root = ElementTree.fromstring(cards_svg(range(8), fan=True, width=500))
    assert len(root.findall(f"{SVG}g")) == 8
    assert root.get("width") == "500"
    _, _, wide, high = map(float, root.get("viewBox").split())
    assert wide > 3 * 100 and high > 163


def test_a_notebook_shows_the_picture_and_a_console_the_title():
    svg = card_svg(0)
    assert isinstance(svg, str)
    assert 'viewBox="0 0 100 163" width="120" height="195.6" role="img"' in svg._repr_svg_()
    assert 'width="900"' in cards_svg(DECK, columns=12)._repr_svg_()
    assert card_svg(0, width=60)._repr_svg_() == card_svg(0, width=60)
    assert repr(svg) == "<Svg: Crane, Pine, January, 20 points>"


@pytest.mark.parametrize("card", [-1, 48])
def test_a_card_that_does_not_exist(card):
    with pytest.raises(ValueError, match=f"a card is 0 to 47, got {card}"):
        card_svg(card)
    with pytest.raises(ValueError, match=f"a card is 0 to 47, got {card}"):
        cards_svg([0, card])


def test_a_language_nobody_wrote():
    for draw in (lambda: card_svg(0, title_language="de"), lambda: back_svg(title_language="de")):
        with pytest.raises(ValueError, match="title_language must be one of en, ja, romaji, fr, hawaii, got 'de'"):
            draw()


def test_columns_below_one():
    with pytest.raises(ValueError, match="columns must be 1 or more, got 0"):
        cards_svg([0], columns=0)


def lightness(colour: str) -> float:
    """Relative luminance, 0 to 1 (WCAG 2)."""
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(a: str, b: str) -> float:
    light, dark = sorted((lightness(a), lightness(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("inks", [PRINTED, HIGH_CONTRAST], ids=["printed", "high contrast"])
def test_dark_inks_stand_out_from_the_paper(inks: Inks):
    assert contrast(inks.paper, inks.red) > 3.9
    assert min(contrast(inks.paper, ink) for ink in (inks.black, inks.violet, inks.green)) > 6
    assert contrast(inks.red, inks.black) > 3.5  # the writing on a poetry ribbon


def test_high_contrast_is_higher():
    for ink in ("red", "violet", "green", "black"):
        printed, strong = getattr(PRINTED, ink), getattr(HIGH_CONTRAST, ink)
        assert contrast(HIGH_CONTRAST.paper, strong) > contrast(PRINTED.paper, printed)
    assert HIGH_CONTRAST.line > PRINTED.line
