"""The timeline of the first lesson, and the table behind it."""

import warnings
from itertools import combinations

import pytest
from matplotlib.figure import Figure

from sakura import charts
from sakura.cards import read_table

EVENTS = read_table("history")


@pytest.fixture(scope="module")
def figure() -> Figure:
    with warnings.catch_warnings():
        # A letter that the font lacks, a layout that has no room.
        warnings.simplefilter("error")
        drawn = charts.timeline(EVENTS, title="A title that tells what was found", note="a note")
        drawn.draw_without_rendering()
    return drawn


def test_the_events_are_in_order_and_complete() -> None:
    years = [int(event["year"]) for event in EVENTS]
    assert years == sorted(years) == [1549, 1633, 1765, 1791, 1889, 2006]
    for event in EVENTS:
        assert event["year"] in event["when"] and event["until"] in event["when"]
        assert event["title"] and event["what_happened"].endswith(".")


def test_every_event_is_told_at_its_year(figure: Figure) -> None:
    (axes,) = figure.axes
    told = {(int(words.xy[0]), words.get_text().replace("\n", " ")) for words in axes.texts}
    for event in EVENTS:
        for column in ("when", "title", "what_happened"):
            assert (int(event["year"]), event[column]) in told
    lines = [tuple(line.get_xdata()) for line in axes.get_lines()]
    for event in EVENTS:
        year = int(event["year"])
        assert (year, int(event["until"] or year)) in lines


def test_no_words_lie_over_others_or_over_the_edge(figure: Figure) -> None:
    (axes,) = figure.axes
    boxes = [words.get_window_extent() for words in axes.texts]
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
    for box in boxes:
        assert figure.bbox.x0 <= box.x0 and box.x1 <= figure.bbox.x1
        assert box.y0 > axes.bbox.y0 and box.y1 < figure.bbox.y1


def test_no_words_lie_over_a_line(figure: Figure) -> None:
    (axes,) = figure.axes
    for words in axes.texts:
        box = words.get_window_extent()
        for line in axes.get_lines():
            (x, _), (_, top) = axes.transData.transform([(line.get_xdata()[0], 0), (0, max(line.get_ydata()))])
            if len(set(line.get_xdata())) == 1 and len(set(line.get_ydata())) == 2:
                low = axes.transData.transform([(0, min(line.get_ydata()))])[0][1]
                assert not (box.x0 < x < box.x1 and low < box.y1 and box.y0 < top)


def test_it_has_a_title_and_an_axis_with_a_unit(figure: Figure) -> None:
    assert figure.get_suptitle() == "A title that tells what was found"
    assert figure.axes[0].get_xlabel() == "year"
