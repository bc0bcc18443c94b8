"""The inks, and how a shape is printed with them.

Every drawing takes its inks as an argument, so that the same lines print in two palettes.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from .shapes import Shape, number, path_data


@dataclass(frozen=True)
class Inks:
    """A palette of flat colours, and `line`, the width of an outline in the card's units (a card is 100 wide)."""

    paper: str
    black: str
    red: str
    yellow: str
    violet: str
    green: str
    moss: str
    pink: str
    line: float

    def __getitem__(self, name: str) -> str:
        """An ink by its name, for tables of coordinates."""
        return str(getattr(self, name))


PRINTED = Inks(
    paper="#f7f0de",
    black="#211c1e",
    red="#d63a22",
    yellow="#f2b632",
    violet="#4f4599",
    green="#2c5a3f",
    moss="#a3a63a",
    pink="#f6c9c2",
    line=1.4,
)

# For projectors and for eyes that do not tell red from green: inks further apart in lightness, thicker outlines.
HIGH_CONTRAST = Inks(
    paper="#ffffff",
    black="#000000",
    red="#e3170a",
    yellow="#ffcf00",
    violet="#2f1fb0",
    green="#00492b",
    moss="#b8cc00",
    pink="#ffd3d3",
    line=2.2,
)


def fill(colour: str, *shapes: Shape) -> str:
    """Flat colour without an outline."""
    return f'<path fill="{colour}" d="{_data(shapes)}"/>'


def line(colour: str, width: float, *shapes: Shape) -> str:
    """A line of even width with round ends."""
    return f'<path stroke="{colour}" stroke-width="{number(width)}" d="{_data(shapes)}"/>'


def outlined(colour: str, edge: str, width: float, *shapes: Shape) -> str:
    """Flat colour with an outline."""
    return f'<path fill="{colour}" stroke="{edge}" stroke-width="{number(width)}" d="{_data(shapes)}"/>'


def layered(colour: str, edge: str, width: float, shapes: Iterable[Shape]) -> str:
    """Shapes with an outline each, the later over the earlier."""
    paths = "".join(f'<path d="{path_data(shape)}"/>' for shape in shapes)
    return f'<g fill="{colour}" stroke="{edge}" stroke-width="{number(width)}">{paths}</g>'


def _data(shapes: tuple[Shape, ...]) -> str:
    return "".join(map(path_data, shapes))
