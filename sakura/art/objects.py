"""Things on the cards: sun and moon, curtain, bridge, cup, ribbons, the storm."""

from .ink import Inks, fill, line, outlined
from .shapes import Stroke, at, brush, circle, curve, dots, join, lobed, outline, place, polar, polygon, ring, segments


def sun(ink: Inks, x: float, y: float, r: float) -> str:
    """A red disc."""
    return fill(ink.red, circle(complex(x, y), r))


def crescent(ink: Inks, x: float, y: float, r: float) -> str:
    """A thin red moon, open to the upper left."""
    moon = outline(
        "-.43,.90! .10,1.00 .60,.80 .93,.37 .99,-.16 .76,-.65 .31,-.95! .61,-.61 .73,-.18 .66,.27 .40,.64 .01,.86"
    )
    return fill(ink.red, place(moon, complex(x, y), r))


def moonlit_sky(ink: Inks, x: float, y: float, r: float) -> str:
    """A red sky with a huge white moon."""
    return fill(ink.red, polygon("0,0 100,0 100,163 0,163")) + fill(ink.paper, circle(complex(x, y), r))


# --- the curtain -------------------------------------------------------------------------------------------------

_SWAGS = "0,86 17,92 33,84! 50,92 67,84! 83,92 100,86"


def curtain(ink: Inks) -> str:
    """Striped cloth over the lower half, hung from posts so that its upper edge sags between them."""
    cloth = outline(f"{_SWAGS}! 100,165! 0,165! 0,86!")
    red = [curve(f"{x},96 {x - 1.5},124 {x},175") for x in (8, 50, 92)]
    violet = [curve(f"{x},96 {x + 1.5},124 {x},175") for x in (29, 71)]
    return (
        fill(ink.paper, cloth)
        + line(ink.red, 11, *red)
        + line(ink.violet, 9, *violet)
        + line(ink.violet, 13, curve("0,93 17,99 33,91! 50,99 67,91! 83,99 100,93"))
        + line(ink.paper, 6, dots(at("17,98 50,98 83,98")))
        + line(ink.black, ink.line * 1.4, curve(_SWAGS))
        + line(ink.red, 5, dots(at("33,84 67,84")))
    )


# --- the bridge --------------------------------------------------------------------------------------------------

# The spans, the far one first, each nearer one broader: upper left, upper right, lower right and lower left corner.
_SPANS = tuple(map(at, ("16,107 106,90 106,99 20,117", "8,107 90,127 90,140 8,119", "-6,150 98,130 98,145 -6,166")))


def bridge(ink: Inks) -> str:
    """Spans of two boards each, laid in a zigzag over still water."""
    water = map(curve, ("60,113 76,109 90,113", "2,137 16,133 30,138", "46,162 66,157 84,161 104,157"))
    posts = segments([(12 + 118j, 12 + 134j), (88 + 104j, 88 + 112j), (90 + 142j, 90 + 160j)])
    drawn = line(ink.violet, 2.4, *water) + line(ink.black, 5, posts)
    for a, b, c, d in _SPANS:
        boards = (Stroke((a, b, c, d), False, True),)
        drawn += outlined(ink.black, ink.black, ink.line, place(boards, 2j))
        drawn += outlined(ink.yellow, ink.black, ink.line, boards)
        drawn += line(ink.black, ink.line * 0.8, segments([((a + d) / 2, (b + c) / 2)]))
    return drawn


# --- the sake cup ------------------------------------------------------------------------------------------------

# A character in the manner of "long life": strokes, centred on the origin.
_CHARACTER = join(
    [
        segments([(-6 - 7j, 6 - 7j), (-5 - 3.4j, 5 - 3.4j), (-8 + 0.4j, 8 + 0.4j), (-7 + 4j, 7 + 4j)]),
        curve("0,-10 -1,-2 -8,8"),
        curve("3,1.6 3.6,7 0,8.6"),
    ]
)


def sake_cup(ink: Inks, x: float, y: float) -> str:
    """A shallow red cup on a foot, seen a little from above, with a character in it."""
    here = complex(x, y)
    foot = outline("-13,24! -15,31 -11,33.5 0,34.5 11,33.5 15,31 13,24!")
    bowl = outline("-39,0! -34,13 -17,25 0,27.5 17,25 34,13 39,0!")
    return (
        outlined(ink.black, ink.paper, 1.5, place(foot, here))
        + line(ink.paper, ink.line + 3, place(bowl, here))
        + outlined(ink.red, ink.black, ink.line * 1.2, place(bowl, here))
        + outlined(ink.red, ink.black, ink.line * 1.2, place(circle(0, 39, squash=0.41), here))
        + line(ink.yellow, 1.8, place(circle(0, 34, squash=0.39), here))
        + line(ink.yellow, 2.4, place(_CHARACTER, here, 1.1, squash=0.95))
    )


# --- ribbons -----------------------------------------------------------------------------------------------------

_STRIP = outline("38,30! 60,33! 59,60 63,90 61,128! 39,125! 41,90 37,60")
_INNER = outline("41.5,34! 56.7,36! 55.6,60 59.5,90 57.8,124! 42.3,122! 44.5,90 40.5,60")
_WRITING = (
    "48,40 53,43 46,47 52,50",
    "50,53 45,58 51,60 54,56 50,65",
    "53,69 46,73 54,76 48,82",
    "51,86 53,92 47,92 52,97 55,101",
    "49,105 54,108 48,112 52,117",
)


def _strip(ink: Inks, colour: str) -> str:
    return line(ink.paper, ink.line + 3, _STRIP) + outlined(colour, ink.black, ink.line, _STRIP)


def poetry_ribbon(ink: Inks) -> str:
    """A red strip with a line of cursive writing."""
    return _strip(ink, ink.red) + line(ink.black, 2.6, *map(curve, _WRITING))


def red_ribbon(ink: Inks) -> str:
    """A red strip with nothing on it."""
    return _strip(ink, ink.red)


def blue_ribbon(ink: Inks) -> str:
    """A violet strip with a double edge and a row of diamonds."""
    diamond = polygon("0,-5 4.5,0 0,5 -4.5,0")
    spots = at("48.7,48 48.4,64 50.2,79 51.8,94 50.6,109")
    return (
        _strip(ink, ink.violet)
        + line(ink.paper, 1.6, _INNER)
        + fill(ink.paper, *(place(diamond, spot) for spot in spots))
    )


# --- the Lightning -----------------------------------------------------------------------------------------------

_COMMA = outline("0,-1.2! 4.6,-3 7,1 4,5 -.5,3.4 1.6,1.5")


def drum(ink: Inks, x: float, y: float, r: float) -> str:
    """The thunder's drum: a ring of studs about three commas."""
    here = complex(x, y)
    commas = ring(place(_COMMA, -2 - 5j, 0.95), 3)
    return (
        outlined(ink.yellow, ink.black, ink.line, circle(here, r))
        + outlined(ink.paper, ink.black, ink.line, circle(here, r * 0.74))
        + line(ink.black, 2, dots(here + polar(r * 0.87, 30 * k) for k in range(12)))
        + fill(ink.black, place(commas, here, r / 18))
    )


def storm(ink: Inks) -> str:
    """A red sky, a black cloud, a jagged flash, thick rain, a drum and a claw: nothing like any other card."""
    sky = fill(ink.red, polygon("0,0 100,0 100,163 0,163"))
    rain = line(ink.black, 3.2, segments((complex(x, y), complex(x - 9, y + 26)) for x, y in _RAIN))
    cloud = fill(ink.black, place(lobed(9, 64, 0.12, 70, 290), 50 - 10j, squash=0.8))
    flash = outlined(ink.yellow, ink.black, ink.line * 1.4, polygon("64,18 34,78 52,76 26,146 74,62 54,64 82,18"))
    hand = outline("0,120! 10,120 18,127 19,137 12,146 0,148!")
    fingers = [brush(finger, 9, 8, 7) for finger in _FINGERS]
    talons = [brush(talon, 8, 6, 0) for talon in _TALONS]
    claw = outlined(ink.paper, ink.black, ink.line, *talons) + line(ink.black, ink.line * 2, *fingers, hand)
    claw += fill(ink.green, *fingers) + fill(ink.green, hand)
    return sky + rain + cloud + drum(ink, 76, 118, 18) + flash + claw


_RAIN = ((14, 52), (28, 64), (12, 88), (92, 44), (95, 82), (58, 128), (40, 150), (96, 140), (74, 142))
_FINGERS = "8,126 18,114 30,111", "10,134 24,131 35,133", "8,141 18,147 25,153"
_TALONS = "29,111 39,114 42,127", "34,133 43,138 44,151", "24,152 31,157 32,167"
