"""Shapes: points in the plane, smooth outlines through them, and where they are put.

A point is a complex number, so moving is adding and turning is multiplying. A *shape* is a tuple of strokes. Shapes are
computed here, not repeated with `<use>`, so that a drawing needs no ids and can share a page with any other.

Coordinates are written as text, `"12,30 20,34! 40,50"`: a smooth curve runs through the points, and has a corner where
one is marked with an exclamation mark.
"""

from bisect import bisect_left
from cmath import exp, phase, pi
from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple


class Stroke(NamedTuple):
    """One run of the pen: a start, then for each curve two handles and an end; or, not `curved`, the corners."""

    points: tuple[complex, ...]
    curved: bool = True
    closed: bool = True


Shape = tuple[Stroke, ...]


def polar(radius: float, degrees: float) -> complex:
    """The point at this distance from the origin; 0 degrees is straight up, and angles grow clockwise."""
    return radius * exp(1j * pi * (degrees - 90) / 180)


def _read(text: str) -> tuple[list[complex], list[bool]]:
    points, corners = [], []
    for word in text.split():
        x, y = word.rstrip("!").split(",")
        points.append(complex(float(x), float(y)))
        corners.append(word.endswith("!"))
    return points, corners


def _through(points: Sequence[complex], corners: Sequence[bool], closed: bool) -> Shape:
    """A curve through the points; each handle is a third of the way to the neighbour, so that nothing overshoots."""
    n = len(points)

    def handle(at: int, to: int, away: int) -> complex:
        step = points[to % n] - points[at % n]
        along = points[to % n] - points[away % n]
        is_end = not closed and not 0 < at < n - 1
        if corners[at % n] or is_end or not along:
            return points[at % n] + step / 3
        return points[at % n] + along / abs(along) * abs(step) / 3

    path = [points[0]]
    for i in range(n if closed else n - 1):
        path += [handle(i, i + 1, i - 1), handle(i + 1, i, i + 2), points[(i + 1) % n]]
    return (Stroke(tuple(path), True, closed),)


def outline(text: str) -> Shape:
    """A closed smooth outline."""
    return _through(*_read(text), closed=True)


def curve(text: str) -> Shape:
    """An open smooth line."""
    return _through(*_read(text), closed=False)


def polygon(text: str) -> Shape:
    """Straight edges between the points."""
    return (Stroke(tuple(_read(text)[0]), False, True),)


def segments(ends: Iterable[tuple[complex, complex]]) -> Shape:
    """Straight lines, each given by its two ends."""
    return tuple(Stroke(pair, False, False) for pair in ends)


def dots(points: Iterable[complex]) -> Shape:
    """Lines of no length: drawn with a round pen of width w they are discs of diameter w, in a few bytes each."""
    return tuple(Stroke((point,), False, False) for point in points)


def at(text: str) -> list[complex]:
    """Points from text, for placing things."""
    return _read(text)[0]


def circle(centre: complex, radius: float, squash: float = 1) -> Shape:
    """A circle, or with `squash` an ellipse that many times as high as it is wide."""
    ring = [polar(radius, 45 * k) for k in range(8)]
    return _through([centre + complex(z.real, z.imag * squash) for z in ring], [False] * 8, closed=True)


def brush(text: str, *widths: float) -> Shape:
    """A brush stroke along a smooth spine, the widths spread evenly over it; width 0 makes a pointed end."""
    spine, _ = _read(text)
    left, right = [], []
    for k, point in enumerate(spine):
        along = spine[min(k + 1, len(spine) - 1)] - spine[max(k - 1, 0)]
        side = 1j * along / abs(along) * _spread(widths, k / (len(spine) - 1)) / 2
        left.append(point - side)
        right.append(point + side)
    if not widths[-1]:
        right.pop()
    edge = left + right[::-1]
    if not widths[0]:
        edge.pop()
    tips = {0} if not widths[0] else set()
    tips |= {len(spine) - 1} if not widths[-1] else set()
    return _through(edge, [k in tips for k in range(len(edge))], closed=True)


def _spread(widths: Sequence[float], where: float) -> float:
    place = where * (len(widths) - 1)
    k = min(int(place), max(len(widths) - 2, 0))
    return widths[k] + (widths[min(k + 1, len(widths) - 1)] - widths[k]) * (place - k)


def lobed(lobes: int, radius: float, depth: float, start: float = 0, end: float = 360) -> Shape:
    """A rosette of round lobes with sharp valleys `depth` deep (a share of the radius); a fan, if it is not full."""
    step = (end - start) / lobes
    points, corners = [], []
    for k in range(lobes):
        for share, reach in ((0, 1 - depth), (0.22, 1 - depth * 0.25), (0.5, 1), (0.78, 1 - depth * 0.25)):
            points.append(polar(radius * reach, start + (k + share) * step))
            corners.append(share == 0)
    if end - start < 360:
        points.append(polar(radius * (1 - depth), end))
        corners.append(True)
    return _through(points, corners, closed=True)


def star(rays: Iterable[tuple[float, float]]) -> Shape:
    """A polygon from the origin's point of view: (degrees, distance) of each corner."""
    return (Stroke(tuple(polar(distance, degrees) for degrees, distance in rays), False, True),)


def place(
    shape: Shape, to: complex = 0, size: float = 1, turn: float = 0, flip: bool = False, squash: float = 1
) -> Shape:
    """The shape squashed in height, mirrored left to right, enlarged, turned clockwise by degrees, and moved."""
    spin = size * exp(1j * pi * turn / 180)

    def moved(z: complex) -> complex:
        return to + spin * complex(-z.real if flip else z.real, z.imag * squash)

    return tuple(stroke._replace(points=tuple(map(moved, stroke.points))) for stroke in shape)


def ring(shape: Shape, count: int, start: float = 0) -> Shape:
    """The shape repeated round the origin."""
    return join(place(shape, turn=start + 360 * k / count) for k in range(count))


def mirrored(shape: Shape) -> Shape:
    """The shape together with its mirror image in the upright axis."""
    return shape + place(shape, flip=True)


def join(shapes: Iterable[Shape]) -> Shape:
    """Many shapes as one."""
    return tuple(stroke for shape in shapes for stroke in shape)


def along(line: Shape, shares: Iterable[float]) -> list[tuple[complex, float]]:
    """Points of an open curve at these shares (0 to 1) of its length, and the heading there, degrees as in `polar`."""
    spots = _sampled(line[0].points)
    lengths = _lengths(spots)
    found = []
    for share in shares:
        k = min(max(bisect_left(lengths, share * lengths[-1]), 1), len(spots) - 1)
        step = spots[k] - spots[k - 1]
        beyond = (share * lengths[-1] - lengths[k - 1]) / (lengths[k] - lengths[k - 1])
        found.append((spots[k - 1] + step * beyond, phase(step) * 180 / pi + 90))
    return found


def length(line: Shape) -> float:
    """The length of an open curve."""
    return _lengths(_sampled(line[0].points))[-1]


def _lengths(spots: Sequence[complex]) -> list[float]:
    return list(accumulate((abs(b - a) for a, b in pairwise(spots)), initial=0.0))


def _sampled(points: Sequence[complex], per_piece: int = 12) -> list[complex]:
    spots = [points[0]]
    for a, b, c, d in zip(points[:-1:3], points[1::3], points[2::3], points[3::3], strict=True):
        for t in (k / per_piece for k in range(1, per_piece + 1)):
            u = 1 - t
            spots.append(u**3 * a + 3 * u * u * t * b + 3 * u * t * t * c + t**3 * d)
    return spots


# --- path data ---------------------------------------------------------------------------------------------------


def path_data(shape: Shape) -> str:
    """The `d` of a `<path>`: relative, in tenths of a unit, no needless character."""
    return "".join(_stroke_data(stroke) for stroke in shape)


def _stroke_data(stroke: Stroke) -> str:
    tenths = [(round(z.real * 10), round(z.imag * 10)) for z in stroke.points]
    start = "M" + _numbers(tenths[:1])
    if len(tenths) == 1:
        return start + "h0"
    pieces = range(0, len(tenths) - 1, 3 if stroke.curved else 1)
    text, last = start, ""
    for k in pieces:
        letter, steps = _piece([_minus(point, tenths[k]) for point in tenths[k + 1 : k + 1 + pieces.step]])
        numbers = _numbers(steps)
        text += (letter if letter != last else "" if numbers[0] == "-" else " ") + numbers
        last = letter
    return text + ("z" if stroke.closed else "")


def _piece(steps: list[tuple[int, int]]) -> tuple[str, list[tuple[int, int]]]:
    """One straight or curved piece; a curve whose handles lie on the straight line is written as one."""
    end = steps[-1]
    straight = all(abs(x * end[1] - y * end[0]) <= max(map(abs, end)) for x, y in steps)
    return ("l", [end]) if straight else ("c", steps)


def _minus(a: tuple[int, int], b: tuple[int, int]) -> tuple[int, int]:
    return a[0] - b[0], a[1] - b[1]


def _numbers(pairs: Iterable[tuple[int, int]]) -> str:
    text = ""
    for tenths in (value for pair in pairs for value in pair):
        word = number(tenths / 10)
        text += word if not text or word[0] == "-" else " " + word
    return text


def number(value: float) -> str:
    """A number as SVG likes it, to a tenth: `-.5`, `3`, `12.4`."""
    text = f"{value:.1f}".removesuffix(".0")
    text = text.replace("0.", ".") if text.startswith(("0.", "-0.")) else text
    return "0" if text == "-0" else text
