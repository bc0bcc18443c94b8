"""What a notebook shows of cards, sets of cards, yaku and rounds: whole, named, and readable without any style."""

import pickle
import re
import subprocess
import sys
from base64 import b64decode
from collections.abc import Callable, Iterable, Iterator
from copy import copy, deepcopy
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest
from IPython.core.formatters import DisplayFormatter

from helpers import LIGHTNING, finish
from sakura import CARDS, YAKU, Card, Cards, Round, Rules, Yaku
from sakura.art import back_img, back_svg, card_img, card_svg, cards_svg, page
from sakura.cards import _ROWS, LANGUAGES, names

ADDRESS = "data:image/svg+xml;base64,"
# What pages that show notebooks leave in place. `style` they take away.
TAGS = {"p", "br", "img", "strong", "small", "h5", "table", "thead", "tbody", "tr", "th", "td"}
ATTRIBUTES = {"src", "alt", "title", "width", "scope", "style"}


class Page(HTMLParser):
    """HTML taken apart; fails where a tag is left open, closed twice, or unknown."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.images: list[dict[str, str | None]] = []
        # The text of each paragraph, heading and cell, and where it stands.
        self.lines: list[tuple[str, str]] = []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in TAGS
        assert {name for name, _ in attrs} <= ATTRIBUTES
        if tag == "img":
            self.images.append(dict(attrs))
        elif tag == "br":
            self.lines.append(("br", ""))
        else:
            self.open.append(tag)
            self.lines += [(tag, "")] * (tag in ("p", "h5", "th", "td"))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if data.strip():
            assert self.open, f"{data!r} stands in no paragraph"
            where, text = self.lines[-1]
            self.lines[-1] = where, text + data

    @property
    def alts(self) -> list[str | None]:
        return [image["alt"] for image in self.images]

    @property
    def text(self) -> list[str]:
        return [text.strip() for _, text in self.lines if text.strip()]

    def all(self, tag: str) -> list[str]:
        return [text.strip() for where, text in self.lines if where == tag]


def named(cards: Iterable[int]) -> list[str]:
    return [CARDS[card].name for card in cards]


# --- Cards and yaku --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("card", CARDS, ids=str)
def test_a_card_draws_itself_and_says_what_it_is(card: Card) -> None:
    shown = Page(card._repr_html_())
    assert shown.alts == [card.name]
    assert shown.images[0]["width"] == "90"
    (line,) = shown.text
    assert card.name in line and card.suit in line and f"{card.points} point" in line
    assert {y.syllable for y in YAKU if f"{y.syllable} ({y.name})" in line} == {
        y.syllable for y in YAKU if card.id in y.cards
    }


@pytest.mark.parametrize("card", CARDS, ids=str)
def test_a_card_is_an_svg_too(card: Card) -> None:
    root = ElementTree.fromstring(card._repr_svg_())
    assert root.get("width") == "90"
    assert (root.get("aria-label") or "").startswith(f"{card.name}, ")


@pytest.mark.parametrize("yaku", YAKU, ids=str)
def test_a_yaku_is_its_name_and_three_cards(yaku: Yaku) -> None:
    shown = Page(yaku._repr_html_())
    assert shown.alts == named(sorted(yaku.cards))
    assert shown.text == [f"{yaku.syllable} ({yaku.name}): {names(sorted(yaku.cards))}; 50 points"]


# --- Pictures --------------------------------------------------------------------------------------------------------


def picture(html: str) -> str:
    (image,) = Page(html).images
    source = image["src"] or ""
    assert source.startswith(ADDRESS)
    return b64decode(source.removeprefix(ADDRESS), validate=True).decode()


@pytest.mark.parametrize("language", LANGUAGES)
def test_alt_text_is_the_name_and_the_tooltip_the_title_in_each_language(language: str) -> None:
    for card in CARDS:
        (image,) = Page(card_img(card.id, title_language=language)).images
        assert image["alt"] == card.name_in(language)
        assert image["title"] == ElementTree.fromstring(card_svg(card.id, title_language=language)).get("aria-label")
    (back,) = Page(back_img(title_language=language)).images
    assert back["alt"] == ElementTree.fromstring(back_svg(title_language=language)).get("aria-label")


def test_the_picture_is_the_drawing_asked_for() -> None:
    assert picture(card_img(0)) == card_svg(0)
    assert picture(card_img(47, aids=True)) == card_svg(47, aids=True)
    assert picture(card_img(3, high_contrast=True)) == card_svg(3, high_contrast=True)
    assert picture(back_img()) == back_svg()
    assert picture(back_img(high_contrast=True)) == back_svg(high_contrast=True)


def test_the_width_is_in_pixels() -> None:
    assert [Page(img).images[0]["width"] for img in (card_img(0), card_img(0, width=33), back_img(width=40.5))] == [
        "60", "33", "40.5",
    ]  # fmt: skip


@pytest.fixture
def hostile_name(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A card's French name made of all that HTML could trip over."""
    name = """Grue" onload='x' <b>&amp; l'oie"""
    monkeypatch.setitem(_ROWS[0], "name_fr", name)
    page._address.cache_clear()
    yield name
    page._address.cache_clear()


def test_names_are_escaped(hostile_name: str) -> None:
    img = card_img(0, title_language="fr")
    (image,) = Page(img).images
    assert image["alt"] == hostile_name
    assert (image["title"] or "").startswith(f"{hostile_name}, ")
    assert ElementTree.fromstring(picture(img))[0].text == image["title"]


@pytest.mark.parametrize("card", [-1, 48])
def test_no_picture_of_a_card_that_does_not_exist(card: int) -> None:
    with pytest.raises(ValueError, match=f"a card is 0 to 47, got {card}"):
        card_img(card)


def test_no_picture_in_a_language_nobody_wrote() -> None:
    for draw in (lambda: card_img(0, title_language="de"), lambda: back_img(title_language="de")):
        with pytest.raises(ValueError, match="title_language must be one of en, ja, romaji, fr, hawaii, got 'de'"):
            draw()


# --- Sets of cards ---------------------------------------------------------------------------------------------------


def test_cards_are_a_frozenset() -> None:
    cards, plain = Cards([44, 0, 12]), frozenset([0, 12, 44])
    assert cards == plain and plain == cards and hash(cards) == hash(plain)
    assert {plain: "found"}[cards] == "found"
    assert cards | {1} == plain | {1} and plain <= cards and sorted(cards) == [0, 12, 44]
    assert cards != Cards([0, 12]) and not Cards()
    assert repr(Cards([7])) == "Cards({7})"


@pytest.mark.parametrize("again", [copy, deepcopy, lambda cards: pickle.loads(pickle.dumps(cards)), Cards])
def test_copies_of_cards_are_cards(again: Callable[[Cards], Cards]) -> None:
    for cards in (Cards(), Cards([3]), Cards(range(48))):
        assert again(cards) == cards
        assert type(again(cards)) is Cards


def test_cards_in_words() -> None:
    assert str(Cards([28, 0, 12])) == "Crane, Cuckoo and Moon"
    assert str(Cards()) == "no card"


def test_cards_in_pictures() -> None:
    shown = Page(Cards([28, 0, 12])._repr_html_())
    assert shown.alts == ["Crane", "Cuckoo", "Moon"]
    assert shown.text == ["Crane, Cuckoo and Moon"]
    nothing = Page(Cards()._repr_html_())
    assert (nothing.alts, nothing.text) == ([], ["no card"])
    assert Page(Cards(range(48))._repr_html_()).alts == named(range(48))


@pytest.mark.parametrize("card", [-1, 48])
def test_cards_that_do_not_exist(card: int) -> None:
    with pytest.raises(ValueError, match=f"a card is 0 to 47, got {card}"):
        Cards([0, card])


def test_rounds_and_yaku_give_cards() -> None:
    rnd = Round(Rules(lightning_dealt="discarded"), seed=7)
    given = [*rnd.hands, *rnd.captured, rnd.field, rnd.removed, *(yaku.cards for yaku in YAKU)]
    assert {type(cards) for cards in given} == {Cards}


# --- Rounds ----------------------------------------------------------------------------------------------------------

TABLES = {
    "2": Rules(),
    "4 in teams": Rules(players=4, teams=2),
    "7": Rules(players=7),
    "Lightning discarded": Rules(players=3, lightning_dealt="discarded"),
}


def at_start(rules: Rules) -> Round:
    return Round(rules, seed=7)


def at_a_choice(rules: Rules) -> Round:
    """Amid a round, with a card turned up that could capture either of two."""
    for seed in range(1000):
        rnd = Round(rules, seed=seed, dealer=1)
        while not rnd.is_terminal:
            if rnd.phase == "pile" and rnd.turn > rules.players:
                return rnd
            rnd.apply_action(rnd.legal_actions()[0])
    raise AssertionError("no round comes to a choice")


def at_end(rules: Rules) -> Round:
    """The end of a round in which a side has a yaku."""
    for seed in range(1000):
        rnd = Round(rules, seed=seed)
        finish(rnd)
        if any(rnd.yaku()):
            return rnd
    raise AssertionError("no round brings a yaku")


def without_lightning(rules: Rules) -> Round:
    """A round from a given deck, the Lightning dealt to the field."""
    return Round(rules, deck=[LIGHTNING, *(card for card in range(47, -1, -1) if card != LIGHTNING)])


MOMENTS = pytest.mark.parametrize("moment", [at_start, at_a_choice, at_end, without_lightning])
TABLE = pytest.mark.parametrize("table", TABLES)


@MOMENTS
@TABLE
def test_a_round_shows_every_card_that_lies_open_once_and_the_pile_from_behind(
    table: str, moment: Callable[[Rules], Round]
) -> None:
    rnd = moment(TABLES[table])
    open_cards = [*rnd.field, *rnd.removed, *(() if rnd.turned_up is None else (rnd.turned_up,))]
    for cards in (*rnd.hands, *rnd.captured):
        open_cards += cards
    html = rnd._repr_html_()
    assert len(html.encode()) < 600_000
    backs = ["Card back"] if rnd.pile else []
    assert sorted(map(str, Page(html).alts)) == sorted(named(open_cards) + backs)
    assert len(open_cards) + len(rnd.pile) == 48


@MOMENTS
@TABLE
def test_a_round_tells_what_lies_where(table: str, moment: Callable[[Rules], Round]) -> None:
    rnd = moment(TABLES[table])
    shown = Page(rnd._repr_html_())
    lines = shown.text
    assert shown.all("h5")[:2] == ["Field", "Pile"] and shown.all("h5")[-1] == "Score"
    assert lines[lines.index("Field") + 1] == str(rnd.field)
    pile = f"{len(rnd.pile) or 'no'} card{'s' * (len(rnd.pile) > 1)}"
    turned_up = "" if rnd.turned_up is None else f"; turned up: {CARDS[rnd.turned_up].name}"
    assert lines[lines.index("Pile") + 1] == pile + turned_up
    assert ("Out of the game" in lines) == bool(rnd.removed)
    heads = [where for where, text in shown.lines if text.strip()]
    seats = [k for k, line in enumerate(lines) if heads[k] == "h5" and line.startswith("Seat ")]
    assert len(seats) == rnd.rules.players
    for seat, k in enumerate(seats):
        assert lines[k].startswith(f"Seat {seat}")
        assert lines[k].endswith("whose turn it is") == (seat == rnd.current_player)
        assert lines[k + 1] == f"Hand: {rnd.hands[seat]}"
        assert re.fullmatch(rf"Captured: {len(rnd.captured[seat]) or 'no'} cards?", lines[k + 2])


@MOMENTS
@TABLE
def test_a_round_gives_the_score_of_every_side(table: str, moment: Callable[[Rules], Round]) -> None:
    rnd = moment(TABLES[table])
    shown = Page(rnd._repr_html_())
    yaku = [", ".join(str(YAKU[number - 1]) for number in held) or "none" for held in rnd.yaku()]
    columns = zip(rnd.points(), yaku, rnd.returns(), strict=True)
    assert shown.all("td") == [str(cell) for row in columns for cell in row]
    heads = shown.all("th")
    assert heads[:4] == ["Side", "Points", "Yaku", "Score"]
    assert len(heads) == 4 + rnd.rules.sides


def test_rows_and_seats_name_the_team() -> None:
    shown = Page(at_start(TABLES["4 in teams"])._repr_html_())
    assert shown.all("th")[4:] == ["Side 0 (seats 0 and 2)", "Side 1 (seats 1 and 3)"]
    assert [head for head in shown.all("h5") if head.startswith("Seat")] == [
        "Seat 0, side 0, whose turn it is", "Seat 1, side 1", "Seat 2, side 0", "Seat 3, side 1",
    ]  # fmt: skip


def test_a_round_says_whose_turn_it_is_and_under_which_rules() -> None:
    rnd = at_start(TABLES["7"])
    assert Page(rnd._repr_html_()).text[0] == "Turn 1: seat 0 plays a card from the hand."
    assert Page(rnd._repr_html_()).text[-1] == f"Rules: {rnd.rules}; seed 7; dealer: seat 0."
    rnd = at_a_choice(TABLES["2"])
    said = f"Turn {rnd.turn + 1}: seat {rnd.current_player} chooses what the card turned up captures."
    assert Page(rnd._repr_html_()).text[0] == said
    rnd = at_end(TABLES["2"])
    assert Page(rnd._repr_html_()).text[0] == f"The round is over, after {rnd.turn} turns."
    rnd = without_lightning(TABLES["Lightning discarded"])
    assert Page(rnd._repr_html_()).text[-1].endswith("lightning_dealt='discarded'; from a deck; dealer: seat 0.")


def test_captured_cards_lie_dearest_first() -> None:
    rnd = at_end(TABLES["2"])
    alts = Page(rnd._repr_html_()).alts
    worth = {card.name: card.points for card in CARDS}
    first = len(rnd.field) + len(rnd.hands[0]) + bool(rnd.pile)
    shown = [worth[str(alt)] for alt in alts[first : first + len(rnd.captured[0])]]
    assert shown == sorted(shown, reverse=True) and shown[0] > shown[-1]


def test_showing_a_round_changes_nothing() -> None:
    rnd = at_a_choice(TABLES["2"])
    before = rnd.to_dict(), str(rnd)
    assert rnd._repr_html_() == rnd._repr_html_()
    assert (rnd.to_dict(), str(rnd)) == before


def test_importing_sakura_does_not_wait_for_the_drawings() -> None:
    code = "import sakura, sys; print([name for name in sys.modules if name.startswith('sakura.art')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_whatever_comes_as_a_picture_comes_with_words_first() -> None:
    """JupyterLab makes an image without alternative text of an SVG; it, and all others, prefer HTML."""
    for shown in (card_svg(8), back_svg(), cards_svg([0, 8, None]), CARDS[8], Cards([0, 8]), YAKU[0], Round(seed=1)):
        data, _ = DisplayFormatter().format(shown)
        pictures = Page(data["text/html"]).images
        assert pictures and all(picture["alt"] for picture in pictures)
    (curtain,) = Page(card_svg(8)._repr_html_()).images
    assert curtain["alt"] == "Curtain, Cherry blossom, March, 20 points"
