"""Figures for the notebooks: one style, and the same colour for the same thing everywhere.

Every function returns a `matplotlib.figure.Figure` and shows nothing; titles and notes are the caller's, who knows what
was found. `described` shows a figure together with a text for those who cannot see it:

    charts.described(charts.cards(...), "The Curtain is worth most ...")
"""

import base64
import html
import io
import math
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import matplotlib
import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.patheffects import withStroke
from matplotlib.ticker import FuncFormatter, MultipleLocator
from PIL import Image

from .cards import CARDS, KINDS
from .results import Results
from .stats import Estimate
from .tournament import Tournament
from .yaku import YAKU

# Okabe and Ito's colours, told apart with any kind of colour vision. Agents also differ in their markers, and kinds
# are always named.
INK, QUIET = "#222222", "#6B6B6B"
AGENT_COLOURS = {
    "random": "#E69F00",
    "greedy": "#0072B2",
    "careful": "#117733",
    "montecarlo": "#882255",
    "expert": "#C44E00",
    "master": "#5B3A99",
    "clairvoyant": "#4D4D4D",
    "solver": "#8A8A8A",
}
AGENT_MARKERS = {"random": "D", "greedy": "o", "careful": "s", "montecarlo": "^", "expert": "v", "master": "P"}
# Of many intervals those few that miss stand out.
INTERVAL_COLOURS = {"holds": "#A8A8A8", "misses": "#D55E00"}
KIND_COLOURS = {"bright": "#C44E00", "ribbon": "#882255", "animal": "#117733", "plain": QUIET}

STYLE: Any = {
    "axes.axisbelow": True,
    "axes.edgecolor": QUIET,
    "axes.grid": True,
    "axes.labelcolor": INK,
    "axes.labelsize": 13,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": 13,
    "figure.facecolor": "white",
    "figure.titlesize": 17,
    "figure.titleweight": "bold",
    "grid.color": "#E3E3E3",
    "legend.fontsize": 13,
    "legend.frameon": False,
    "text.color": INK,
    # A name with a dollar sign in it is no formula.
    "text.parse_math": False,
    "xtick.color": QUIET,
    "xtick.labelcolor": INK,
    "xtick.labelsize": 12,
    "ytick.color": QUIET,
    "ytick.labelcolor": INK,
    "ytick.labelsize": 12,
}
PIXELS_PER_INCH = 90

# The four cards that are in two yaku each.
TWO_YAKU = frozenset(card.id for card in CARDS if sum(card.id in yaku.cards for yaku in YAKU) == 2)

Series = Mapping[str, Sequence[Estimate]]

_PERCENT = FuncFormatter(lambda share, _: f"{100 * share:g}%")


class Picture:
    """A figure as an image with alternative text, which notebooks show and keep; its repr is that text."""

    def __init__(self, png: bytes, alt: str, width: int) -> None:
        self.png, self.alt, self.width = png, alt, width

    def __repr__(self) -> str:
        return self.alt

    def _repr_html_(self) -> str:
        data = base64.b64encode(self.png).decode()
        return (
            f'<img alt="{html.escape(self.alt)}" width="{self.width}" style="max-width: 100%" '
            f'src="data:image/png;base64,{data}">'
        )


def described(figure: Figure, alt: str) -> Picture:
    """The figure, to be shown, and what is to be seen on it in words."""
    drawn, file = io.BytesIO(), io.BytesIO()
    # More pixels than shown, for sharp letters on good screens; no more colours than needed, for small notebooks.
    figure.savefig(drawn, format="png", dpi=1.6 * PIXELS_PER_INCH)
    Image.open(drawn).convert("RGB").quantize(256).save(file, "png")
    return Picture(file.getvalue(), alt, round(figure.get_figwidth() * PIXELS_PER_INCH))


def provenance(*runs: Results) -> str:
    """Where numbers come from, in a line: rounds, rules, agents and seed of these simulations, what they share once."""
    columns = zip(
        *((f"{len(r):,} rounds", str(r.rules), ", ".join(dict.fromkeys(r.agents)), f"seed {r.seed}") for r in runs),
        strict=True,
    )
    return ("each " if len(runs) > 1 else "") + ", ".join(_alternatives(list(dict.fromkeys(c))) for c in columns)


def _alternatives(texts: list[str]) -> str:
    """ "players=2, 3 or 4" for "players=2", "players=3" and "players=4"."""
    first, *others = texts
    start = first[: first.find("=") + 1]
    texts = [first, *(text.removeprefix(start) for text in others)]
    return " or ".join(filter(None, (", ".join(texts[:-1]), texts[-1])))


@matplotlib.rc_context(STYLE)
def histogram(values: npt.ArrayLike, step: int, mark: int, title: str, xlabel: str, note: str, colour: str) -> Figure:
    """The share of whole-numbered `values` in bins `step` wide from 0, darker from `mark` on."""
    figure, (axes,) = _figure(title, note, 10, 5)
    counted = np.bincount(np.asarray(values, np.int64).ravel() // step)
    starts = step * np.arange(len(counted))
    shares = counted / max(1, counted.sum())
    for chosen, alpha in ((starts < mark, 0.45), (starts >= mark, 1)):
        axes.bar(starts[chosen], shares[chosen], 0.9 * step, align="edge", color=colour, alpha=alpha)
    axes.axvline(mark - 0.05 * step, color=INK, linewidth=1)
    axes.set_xlabel(xlabel)
    axes.set_ylabel("share of rounds")
    axes.yaxis.set_major_formatter(_PERCENT)
    axes.xaxis.set_major_locator(MultipleLocator(mark))
    axes.set_xlim(0, starts[shares > 0.0005].max(initial=0) + step)
    axes.grid(False, axis="x")
    return figure


@matplotlib.rc_context(STYLE)
def cards(panels: Mapping[str, Series], title: str, xlabel: str, note: str) -> Figure:
    """All 48 cards, grouped by kind, on one or more panels of series of 48 estimates each.

    Within a kind the first series of the first panel sets the order. A star and a yellow stripe mark the cards in two
    yaku. The face value stands behind the name. A series named after an agent has the agent's colour.
    """
    figure, panes = _figure(title, note, 11, 13.5, len(panels), _legend_width(panels))
    leading = next(iter(next(iter(panels.values())).values()))
    rows = [[c.id for c in sorted(CARDS, key=lambda c: -leading[c.id].value) if c.kind == kind] for kind in KINDS]
    # A gap and a heading before every kind.
    places: dict[int, float] = {}
    headings: dict[str, float] = {}
    place = 0.0
    for kind, ids in zip(KINDS, rows, strict=True):
        headings[kind] = place
        places |= {card: place + 1 + k for k, card in enumerate(ids)}
        place += len(ids) + 1.6
    for axes, (name, series) in zip(panes, panels.items(), strict=True):
        for at, (label, estimates) in enumerate(series.items()):
            shift = 0.32 * (at - (len(series) - 1) / 2)
            _points(axes, label, at, [estimates[c] for c in places], [y + shift for y in places.values()])
        for card in TWO_YAKU:
            axes.axhspan(places[card] - 0.5, places[card] + 0.5, color="#F3E7B3", zorder=0)
        axes.axvline(0, color=QUIET, linewidth=1)
        axes.set_title(name, loc="left")
        axes.set_xlabel(xlabel)
        axes.set_ylim(place - 1.1, -0.6)
        axes.grid(False, axis="y")
        axes.tick_params(axis="y", length=0)
    first = panes[0]
    first.set_yticks(
        [*headings.values(), *places.values()],
        [f"{kind}s" for kind in headings]
        + [f"{'★ ' if c in TWO_YAKU else ''}{CARDS[c].name}  {CARDS[c].points:>2}" for c in places],
    )
    kinds = [*headings, *(CARDS[c].kind for c in places)]
    for tick, kind in zip(first.get_yticklabels(), kinds, strict=True):
        tick.set(color=KIND_COLOURS[kind], fontsize=11)
    for tick in first.get_yticklabels()[: len(headings)]:
        tick.set(fontsize=13, fontweight="bold")
    _legend(figure, panes)
    return figure


@matplotlib.rc_context(STYLE)
def dots(
    labels: Sequence[str],
    panels: Mapping[str, Mapping[str, Sequence[Estimate | None]]],
    title: str,
    xlabel: str,
    note: str,
    mark: float = 0,
    percent: bool = False,
) -> Figure:
    """Estimates with their intervals, a row for each label, on one or more panels with the same axis.

    A series has None in the rows where it has nothing to show.
    """
    beside = max(
        (
            sum(estimate is not None for estimate in row)
            for series in panels.values()
            for row in zip(*series.values(), strict=True)
        ),
        default=1,
    )
    height = 2.2 + (0.2 + 0.15 * beside) * len(labels)
    figure, panes = _figure(title, note, 10, height, len(panels), _legend_width(panels))
    for axes, (name, series) in zip(panes, panels.items(), strict=True):
        # Side by side where several have something to show in a row.
        rows = [
            [at for at, row in enumerate(column) if row is not None] for column in zip(*series.values(), strict=True)
        ]
        for at, (label, estimates) in enumerate(series.items()):
            there = {row: e for row, e in enumerate(estimates) if e is not None}
            places = [row + 0.26 * (rows[row].index(at) - (len(rows[row]) - 1) / 2) for row in there]
            _points(axes, label, at, list(there.values()), places)
        axes.axvline(mark, color=QUIET, linewidth=1)
        axes.set_title(name, loc="left")
        axes.set_xlabel(xlabel)
        axes.set_ylim(len(labels) - 0.4, -0.6)
        axes.grid(False, axis="y")
        axes.tick_params(axis="y", length=0)
        if percent:
            axes.xaxis.set_major_formatter(_PERCENT)
        if len(panels) > 4:
            # There is no room for more numbers side by side.
            axes.locator_params(axis="x", nbins=3)
    panes[0].set_yticks(range(len(labels)), labels)
    _legend(figure, panes)
    return figure


@matplotlib.rc_context(STYLE)
def groups(
    labels: Sequence[str],
    panels: Mapping[str, Sequence[Sequence[Estimate]]],
    title: str,
    xlabel: str,
    ylabel: str,
    note: str,
) -> Figure:
    """Several proportions side by side for each label, on a panel for each agent."""
    figure, panes = _figure(title, note, 11, 5.6, len(panels))
    for axes, (agent, table) in zip(panes, panels.items(), strict=True):
        for at, estimates in enumerate(table):
            places = at + 0.8 * (np.arange(len(estimates)) - (len(estimates) - 1) / 2) / len(estimates)
            _points(axes, agent, 0, estimates, places, upright=True, size=5)
        axes.set_title(agent, loc="left")
        axes.set_xticks(range(len(labels)), labels)
        axes.set_xlabel(xlabel)
        axes.yaxis.set_major_formatter(_PERCENT)
        axes.grid(False, axis="x")
    # The panels share the axis, and fixing an end of it keeps it from growing.
    panes[0].set_ylim(0)
    panes[0].set_ylabel(ylabel)
    return figure


@matplotlib.rc_context(STYLE)
def bars(
    labels: Sequence[str],
    panels: Mapping[str, Series],
    title: str,
    xlabel: str,
    ylabel: str,
    note: str,
) -> Figure:
    """Proportions as bars with their intervals, side by side for each label, on one or more panels."""
    figure, panes = _figure(title, note, 10, 4.8, len(panels), _legend_width(panels))
    for axes, (name, series) in zip(panes, panels.items(), strict=True):
        width = 0.8 / len(series)
        for at, (label, estimates) in enumerate(series.items()):
            places = np.arange(len(labels)) + width * (at - (len(series) - 1) / 2)
            axes.bar(places, [e.value for e in estimates], 0.94 * width, color=_colour(label, at), label=label)
            *_, (lines,) = axes.errorbar(
                places, [e.value for e in estimates], _reach(estimates), fmt="none", ecolor=INK, elinewidth=1.5
            )
            # So that they are seen on dark bars, too.
            lines.set_path_effects([withStroke(linewidth=3, foreground="white")])
        axes.set_xticks(range(len(labels)), labels)
        axes.set_xlabel(xlabel)
        axes.set_title(name, loc="left")
        axes.yaxis.set_major_formatter(_PERCENT)
        axes.grid(False, axis="x")
    panes[0].set_ylabel(ylabel)
    _legend(figure, panes)
    return figure


@matplotlib.rc_context(STYLE)
def curves(labels: Sequence[str], series: Series, title: str, xlabel: str, ylabel: str, note: str) -> Figure:
    """Proportions along the labels, as lines with a band for the interval, named at their right ends."""
    figure, (axes,) = _figure(title, note, 10, 5)
    x = np.arange(len(labels))
    for at, (label, estimates) in enumerate(series.items()):
        colour = _colour(label, at)
        axes.fill_between(x, [e.low for e in estimates], [e.high for e in estimates], color=colour, alpha=0.3)
        axes.plot(x, [e.value for e in estimates], color=colour, marker=AGENT_MARKERS.get(label, "o"), linewidth=2)
        end = (x[-1], estimates[-1].value)
        axes.annotate(label, end, (10, 0), textcoords="offset points", va="center", fontsize=13)
    axes.set_xticks(x, labels)
    axes.set_xlabel(xlabel)
    axes.set_ylabel(ylabel)
    axes.set_ylim(0)
    axes.yaxis.set_major_formatter(_PERCENT)
    return figure


@matplotlib.rc_context(STYLE)
def matrix(
    labels: Sequence[str],
    ratios: Sequence[Sequence[Estimate | None]],
    title: str,
    xlabel: str,
    ylabel: str,
    note: str,
    frames: Iterable[tuple[int, int]] = (),
) -> Figure:
    """Ratios as a coloured square: 1 is white, more is green, less is purple; None leaves a place empty.

    `frames` are the places, (row, column), to be framed.
    """
    figure, (axes,) = _figure(title, note, 8, 8)
    values = np.array([[np.nan if e is None else e.value for e in row] for row in ratios])
    with np.errstate(divide="ignore"):
        logs = np.log2(values)
    # Never and ever are as far as the farthest that has a number; with none, all that is not 1 looks alike.
    reach = np.max(np.abs(logs), where=np.isfinite(logs), initial=0) or 1.0
    # The darkest colours are left out, so that black letters stand on all that are used.
    axes.imshow(logs.clip(-reach, reach), cmap="PRGn", vmin=-1.6 * reach, vmax=1.6 * reach)
    for row, column in np.argwhere(~np.isnan(values)):
        axes.text(column, row, f"{values[row, column]:.1f}×".replace("inf", "∞"), ha="center", va="center", fontsize=13)
    for row, column in frames:
        axes.add_patch(Rectangle((column - 0.47, row - 0.47), 0.94, 0.94, fill=False, edgecolor=INK, linewidth=2))
    axes.set_xticks(range(len(labels)), labels)
    axes.set_yticks(range(len(labels)), labels)
    axes.set_xlabel(xlabel)
    axes.set_ylabel(ylabel)
    axes.grid(False)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    return figure


def _figure(
    title: str, note: str, width: float, height: float, panels: int = 1, beside: float = 0
) -> tuple[Figure, list[Axes]]:
    """A figure of so many inches with `panels` side by side, a title over them and a note below.

    Beside the title so many inches are left free.
    """
    figure = Figure((width, height), layout="constrained")
    # So many letters of the title and of the note go to an inch.
    room = 6.2 * (width - beside)
    lines = max(1, math.ceil(len(title) / room))
    # Lines of about the same length, rather than a last one of a single word.
    figure.suptitle(textwrap.fill(title, min(len(title) // lines + 8, round(room))), x=0.01, ha="left")
    figure.supxlabel(textwrap.fill(note, round(12.5 * width)), x=0.01, ha="left", fontsize=10, color=QUIET)
    return figure, list(figure.subplots(1, panels, sharex=True, sharey=True, squeeze=False)[0])


def _colour(label: str, at: int) -> str:
    return (AGENT_COLOURS | INTERVAL_COLOURS).get(label, (INK, QUIET)[at % 2])


def _reach(estimates: Iterable[Estimate]) -> npt.NDArray[np.float64]:
    """How far the intervals reach down and up from their values, (2, n), as matplotlib wants it; nan, no line, where
    that is not known or without end."""
    reach = np.array([(e.value - e.low, e.high - e.value) for e in estimates]).T
    return np.where(np.isfinite(reach), reach, np.nan)


def _points(
    axes: Axes,
    label: str,
    at: int,
    estimates: Sequence[Estimate],
    places: Sequence[float] | npt.NDArray[np.floating[Any]],
    upright: bool = False,
    size: float = 6.5,
) -> None:
    """Estimates as markers with their intervals, along x; `upright`, along y."""
    values, reach = [e.value for e in estimates], _reach(estimates)
    x, y = (places, values) if upright else (values, places)
    axes.errorbar(
        x,
        y,
        xerr=None if upright else reach,
        yerr=reach if upright else None,
        fmt=AGENT_MARKERS.get(label, "o"),
        markersize=size,
        color=_colour(label, at),
        elinewidth=2,
        label=label,
    )


def _legend_width(panels: Mapping[str, Mapping[str, object]]) -> float:
    """How many inches the legend takes, which there is where there is more than one thing to tell apart."""
    labels = {label for series in panels.values() for label in series}
    return sum(0.7 + 0.12 * len(label) for label in labels) if len(labels) > 1 else 0


def _legend(figure: Figure, panes: Iterable[Axes]) -> None:
    """A legend beside the title, where there is more than one thing to tell apart."""
    series = {label: handle for axes in panes for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)}
    if len(series) > 1:
        figure.legend(series.values(), series.keys(), loc="outside upper right", ncols=len(series), borderaxespad=0.2)


@matplotlib.rc_context(STYLE)
def timeline(events: Sequence[Mapping[str, str]], title: str, note: str) -> Figure:
    """Rows of `data/history.csv` along the years, to scale, told by turns above and below the line."""
    figure, (axes,) = _figure(title, note, 11, 5.6)
    years = [(int(event["year"]), int(event["until"] or event["year"])) for event in events]
    (first, _), (_, last) = years[0], years[-1]
    axes.axhline(0, color=INK, linewidth=3)
    for at, (event, (year, until)) in enumerate(zip(events, years, strict=True)):
        top, end = (0.82, 0.82) if at % 2 == 0 else (-0.12, -1.0)
        axes.plot([year, year], [0, end], color=QUIET, linewidth=1.5)
        dot: Any = {"linewidth": 11, "solid_capstyle": "round", "marker": "o", "markersize": 11}
        axes.plot([year, until], [0, 0], color=KIND_COLOURS["bright"], **dot)
        # The last one has no room to its right.
        beside, side = (-7, "right") if year > first + 0.8 * (last - first) else (7, "left")
        lines = ((0, event["when"], 15, "bold"), (23, event["title"], 12, "bold"))
        for down, words, size, weight in (*lines, (43, textwrap.fill(event["what_happened"], 27), 11, "normal")):
            axes.annotate(
                words,
                (year, top),
                (beside, -down),
                textcoords="offset points",
                ha=side,
                va="top",
                fontsize=size,
                fontweight=weight,
                linespacing=1.3,
            )
    axes.set_xlim(first - 10, last + 15)
    axes.set_ylim(-1.05, 0.85)
    axes.xaxis.set_major_locator(MultipleLocator(50))
    axes.set_xlabel("year")
    axes.set_yticks([])
    axes.grid(False)
    axes.spines["left"].set_visible(False)
    return figure


@matplotlib.rc_context(STYLE)
def ladder(tournament: Tournament) -> Figure:
    """By how many points each agent of a tournament beats the others, the best first."""
    names, margins = zip(*_margins(tournament).items(), strict=True)
    note = f"{tournament.provenance}. Lines are 95% intervals, from the deals."
    figure, (axes,) = _figure(tournament.finding(), note, 10, 2.2 + 0.5 * len(names))
    places = range(len(names))
    axes.barh(places, [m.value for m in margins], 0.7, color=[AGENT_COLOURS.get(name, QUIET) for name in names])
    axes.errorbar(
        [m.value for m in margins], places, xerr=_reach(margins), fmt="none", ecolor=INK, elinewidth=2, capsize=4
    )
    axes.axvline(0, color=INK, linewidth=1)
    axes.set_xlabel("points a round more than the others have")
    axes.set_yticks(places, names)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.grid(False, axis="y")
    axes.tick_params(axis="y", length=0)
    return figure


def ladder_alt(tournament: Tournament) -> str:
    """What is to be seen on the `ladder`, in words."""
    margins = "; ".join(f"{name} {margin:+z.1f}" for name, margin in _margins(tournament).items())
    return (
        f"{tournament.finding()}. Bars for the points a round by which each agent beats the others: {margins}. "
        f"{tournament.provenance}."
    )


def _margins(tournament: Tournament) -> dict[str, Estimate]:
    """Each agent's mean margin against the others, the largest first."""
    margins = {name: tournament.mean_margin(name) for name in tournament.names}
    return dict(sorted(margins.items(), key=lambda item: -item[1].value))
