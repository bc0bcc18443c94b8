"""Figures: what they show is what they were given, and everybody can read them."""

import io
import itertools
import math
import subprocess
import sys
import warnings
from collections.abc import Callable

import matplotlib
import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from PIL import Image

from sakura import CARDS, YAKU, Rules, charts
from sakura.results import Results
from sakura.run import Run, Table
from sakura.stats import UNKNOWN, Estimate

LONG = "A title that states a finding at some length, as those in the notebooks do, and has to be broken into lines"
WORDS = {
    "title": LONG,
    "xlabel": "points",
    "note": "some rounds of some rules with a seed, and what the lines mean, too",
}
SYLLABLES = [yaku.syllable for yaku in YAKU]


def estimates(n: int, scale: float = 1) -> list[Estimate]:
    values = scale * np.random.default_rng(n).random(n)
    return [Estimate(v, 0.9 * v, 1.2 * v, 100) for v in values]


AGENTS = {"greedy": estimates(8), "random": estimates(8)}
DECK = {"greedy": estimates(48, 20), "random": estimates(48, 10)}
TWICE = {"2 players": AGENTS, "7 players": AGENTS}
RATIOS = [[None if a == b else Estimate(1 + a, 1, 9, 9) for b in range(8)] for a in range(8)]
UPRIGHT = {**WORDS, "ylabel": "rounds"}

DRAWN: dict[str, Callable[[], Figure]] = {
    "histogram": lambda: charts.histogram(np.arange(300), 10, 50, **WORDS, colour=charts.AGENT_COLOURS["greedy"]),
    "cards": lambda: charts.cards({"2 players": DECK, "4 players": DECK}, **WORDS),
    "dots": lambda: charts.dots([str(yaku) for yaku in YAKU], {"": AGENTS}, **WORDS, mark=50),
    "groups": lambda: charts.groups(["2", "3"], {a: [estimates(8), estimates(8)] for a in AGENTS}, **UPRIGHT),
    "bars": lambda: charts.bars(SYLLABLES, TWICE, **UPRIGHT),
    "curves": lambda: charts.curves(SYLLABLES, AGENTS, **UPRIGHT),
    "matrix": lambda: charts.matrix(SYLLABLES, RATIOS, **UPRIGHT, frames=[(0, 1)]),
}


@pytest.fixture(scope="module", params=DRAWN)
def figure(request: pytest.FixtureRequest) -> Figure:
    with warnings.catch_warnings():
        # A letter that the font lacks, a layout that has no room.
        warnings.simplefilter("error")
        drawn = DRAWN[request.param]()
        drawn.draw_without_rendering()
    return drawn


def test_nothing_is_cut_off(figure: Figure) -> None:
    drawn, paper = figure.get_tightbbox(), figure.bbox_inches
    assert paper.x0 <= drawn.x0 < drawn.x1 <= paper.x1
    assert paper.y0 <= drawn.y0 < drawn.y1 <= paper.y1


def test_axes_and_title_are_named(figure: Figure) -> None:
    assert figure.get_suptitle().replace("\n", " ") == LONG
    for axes in figure.axes:
        assert axes.get_xlabel() == "points"


def test_cards_show_every_estimate_in_its_row() -> None:
    given = estimates(48, 20)
    (axes,) = charts.cards({"": {"greedy": given}}, **WORDS).axes
    labels = dict(zip(axes.get_yticks(), [label.get_text() for label in axes.get_yticklabels()], strict=True))
    (container,) = axes.containers
    line, _, (bars,) = container
    ends = [(segment[0][0], segment[1][0]) for segment in bars.get_segments()]
    seen = set()
    for value, place, (low, high) in zip(*line.get_data(), ends, strict=True):
        card = next(c for c in CARDS if given[c.id].value == value)
        assert labels[place].removeprefix("★ ") == f"{card.name}  {card.points:>2}"
        assert (low, high) == pytest.approx((given[card.id].low, given[card.id].high))
        seen.add(card.id)
    assert len(seen) == 48


def test_stars_mark_the_cards_in_two_yaku() -> None:
    assert {CARDS[card].name for card in charts.TWO_YAKU} == {"Curtain", "Boar", "Sake cup", "Deer"}


def test_the_same_thing_has_the_same_colour() -> None:
    (axes,) = charts.dots(["a"], {"": {"random": estimates(1), "greedy": estimates(1)}}, **WORDS).axes
    colours = {c.get_label(): c[0].get_color() for c in axes.containers}
    assert colours == {name: charts.AGENT_COLOURS[name] for name in ("random", "greedy")}


def test_rows_with_nothing_to_show_stay_empty() -> None:
    """And what is alone in its row is drawn on the row, what is not beside it."""
    first, second = estimates(3), estimates(3)
    (axes,) = charts.dots(
        ["a", "b", "c"], {"": {"x": [first[0], None, first[2]], "y": [None, *second[1:]]}}, **WORDS
    ).axes
    drawn = {c.get_label(): c[0] for c in axes.containers}
    assert {label: line.get_xdata().tolist() for label, line in drawn.items()} == {
        "x": [first[0].value, first[2].value],
        "y": [second[1].value, second[2].value],
    }
    assert drawn["x"].get_ydata()[0] == 0 and drawn["y"].get_ydata()[0] == 1
    assert drawn["x"].get_ydata()[1] < 2 < drawn["y"].get_ydata()[1]
    assert drawn["x"].get_color() != drawn["y"].get_color()


def test_panels_with_one_axis_have_room_for_all() -> None:
    low, high = [[Estimate(0.1, 0.05, 0.15, 9)]], [[Estimate(0.8, 0.7, 0.9, 9)]]
    for panels in ({"a": low, "b": high}, {"b": high, "a": low}):
        axes, *_ = charts.groups(["1"], panels, **UPRIGHT).axes
        assert axes.get_ylim()[0] == 0 and axes.get_ylim()[1] > 0.9


def test_letters_stand_out() -> None:
    """At least 4.5 : 1 against white, as WCAG 2 asks."""
    for colour in (charts.INK, charts.QUIET, *charts.KIND_COLOURS.values()):
        channels = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)]
        luminance = np.dot(channels, (0.2126, 0.7152, 0.0722))
        assert 1.05 / (luminance + 0.05) >= 4.5, colour


def test_described_figures_carry_their_words() -> None:
    picture = charts.described(
        charts.curves(["1", "2"], {"greedy": estimates(2)}, **WORDS, ylabel="y"), 'less < "more"'
    )
    assert repr(picture) == 'less < "more"'
    page = picture._repr_html_()
    assert page.startswith('<img alt="less &lt; &quot;more&quot;" width="900"')
    assert 'src="data:image/png;base64,' in page
    assert Image.open(io.BytesIO(picture.png)).width > picture.width


def test_provenance() -> None:
    def results(rounds: int, players: int, *agents: str, seed: int = 7) -> Results:
        rules = Rules(players=players)
        return Results(Run(seed, rules, agents), Table.empty(rounds, rules.sides, False))

    one = results(1000, 2, "greedy", "greedy")
    assert charts.provenance(one) == "1,000 rounds, players=2, greedy, seed 7"
    three = [one, results(1000, 3, *["random"] * 3), results(1000, 4, *["random"] * 4)]
    assert charts.provenance(*three) == "each 1,000 rounds, players=2, 3 or 4, greedy or random, seed 7"
    mixed = results(10, 2, "greedy", "random")
    assert charts.provenance(mixed) == "10 rounds, players=2, greedy, random, seed 7"


def test_figures_leave_pyplot_alone() -> None:
    """Or notebooks would show each of them twice."""
    code = "import sys, sakura.charts; print('matplotlib.pyplot' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_intervals_show_on_dark_bars() -> None:
    """Their lower halves, by a light edge on either side."""
    figure = charts.bars(["a"], {"": {"": [Estimate(0.5, 0.3, 0.7, 9)]}}, **UPRIGHT)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    (axes,) = figure.axes
    x, y = axes.transData.transform((0, 0.4)).round().astype(int)
    red = np.asarray(canvas.buffer_rgba())[-y, x - 6 : x + 6, 0]
    dark = red < 60
    assert dark[[0, -1]].all() and dark[5:7].any()
    assert red[:6].max() > 150 and red[6:].max() > 150


def test_legends_stand_outside_of_the_panels() -> None:
    figure = charts.bars(SYLLABLES, TWICE, **UPRIGHT)
    figure.draw_without_rendering()
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == list(AGENTS)
    assert all(not axes.get_legend() for axes in figure.axes)
    assert all(legend.get_window_extent().y0 > axes.get_window_extent().y1 for axes in figure.axes)


def test_rows_are_as_high_as_what_stands_side_by_side() -> None:
    one, two = estimates(2), [None, None]
    heights = [
        charts.dots(["a", "b"], {"": {"x": x, "y": y}}, **WORDS).get_figheight()
        for x, y in ((one, two), ([one[0], None], [None, one[1]]), (one, [None, one[1]]))
    ]
    assert heights[0] == heights[1] < heights[2]


def test_intervals_that_miss_stand_out() -> None:
    """In print without colours, too."""
    (axes,) = charts.dots(["a"], {"": {"misses": estimates(1), "holds": estimates(1)}}, **WORDS).axes
    misses, holds = (np.dot(to_rgb(drawn[0].get_color()), (0.299, 0.587, 0.114)) for drawn in axes.containers)
    assert holds > 0.6 and misses < 0.5


def test_numbers_of_many_panels_stand_apart() -> None:
    shares = [Estimate(0.14, 0.1, 0.185, 9)]
    figure = charts.dots(["a"], {str(at): {"": shares} for at in range(5)}, **WORDS, mark=0.14, percent=True)
    figure.draw_without_rendering()
    for axes in figure.axes:
        low, high = axes.get_xlim()
        ticks = [t for t in axes.xaxis.get_major_ticks() if low <= t.get_loc() <= high]
        places = [tick.label1.get_window_extent() for tick in ticks]
        assert len(places) > 1
        assert all(right.x0 - left.x1 > 20 for left, right in itertools.pairwise(places))


NAMES = ["$\\frac$", "$5 a_b", "桜 " * 30, "two\nlines"]
AWKWARD = [
    Estimate(7.5, UNKNOWN, UNKNOWN, 2),
    Estimate(0, 0, 1.2, 9),
    Estimate(math.inf, 0.8, math.inf, 9),
    *estimates(1),
]
UNLIKELY = [[Estimate(0, 0, 1.2, 9), None], [Estimate(1, 1, 1, 9), Estimate(math.inf, 2, math.inf, 9)]]
BARE = {"title": "", "note": "", "xlabel": "$x"}


@pytest.mark.filterwarnings("ignore:Glyph")
@pytest.mark.parametrize(
    "draw",
    [
        lambda: charts.dots(NAMES, {"$": {"a_$": AWKWARD, "$b": AWKWARD}}, **BARE),
        lambda: charts.dots([], {"": {"a": []}}, **BARE),
        lambda: charts.groups(NAMES, {"$": [AWKWARD] * 4}, **BARE, ylabel="$"),
        lambda: charts.bars(NAMES[:2], {"$": {"$": AWKWARD[:2]}}, **BARE, ylabel="$"),
        lambda: charts.curves(NAMES, {"$": AWKWARD}, **BARE, ylabel="$"),
        lambda: charts.matrix(NAMES[:2], UNLIKELY, **BARE, ylabel="$"),
        lambda: charts.matrix(["a"], [[None]], **BARE, ylabel="y"),
        lambda: charts.cards({"$": {"$": AWKWARD * 12}}, **BARE),
        lambda: charts.histogram([], 10, 50, **BARE, colour="k"),
    ],
    ids=["dots", "no dots", "groups", "bars", "curves", "matrix", "empty matrix", "cards", "empty histogram"],
)
def test_awkward_numbers_and_names_are_drawn(draw: Callable[[], Figure]) -> None:
    figure = draw()
    charts.described(figure, "seen")
    written = [text.get_text() for axes in figure.axes for text in (axes.xaxis.label, axes.title)]
    assert any("$" in words for words in [*written, figure.axes[0].get_xlabel()])


def test_what_never_happens_does_not_wash_out_the_rest_of_a_matrix() -> None:
    (axes,) = charts.matrix(
        ["a", "b"], [[Estimate(0, 0, 1, 9), Estimate(4, 3, 5, 9)], [None, Estimate(1, 0, 2, 9)]], **UPRIGHT
    ).axes
    (image,) = axes.images
    never, often, _, even = image.to_rgba(image.get_array()).reshape(4, 4)[:, :3]
    assert np.ptp([never, often, even], axis=0).max() > 0.3 and [t.get_text() for t in axes.texts] == [
        "0.0×",
        "4.0×",
        "1.0×",
    ]


def test_a_font_that_was_set_is_used() -> None:
    with matplotlib.rc_context({"font.family": "DejaVu Serif"}):
        figure = charts.dots(["a"], {"": {"a": estimates(1)}}, **WORDS)
    assert figure.axes[0].xaxis.label.get_fontname() == "DejaVu Serif"
