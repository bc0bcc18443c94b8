"""The twelve plants. Each function draws one plant, or one part of it, for `deck` to place.

What tells the suits apart is the silhouette: pine is fans, plum is discs on a crooked branch, cherry is a pale notched
cloud, wisteria hangs in straight cones, bush clover rises in arches, willow hangs in long thin strands.
"""

from collections.abc import Iterable, Sequence

from .ink import Inks, fill, line, outlined
from .shapes import (
    Shape,
    along,
    at,
    brush,
    circle,
    curve,
    dots,
    join,
    length,
    lobed,
    mirrored,
    outline,
    place,
    polar,
    ring,
    segments,
    star,
)

Spot = tuple[float, float, float]  # x, y, size
Turned = tuple[float, float, float, float]  # x, y, size, degrees


# --- January: pine -----------------------------------------------------------------------------------------------

_CLUMP = place(lobed(7, 1, 0.13, -98, 98), squash=0.8)
_NEEDLES = segments((polar(0.2, a) + 0.05j, polar(0.82, a)) for a in range(-84, 85, 14))


def pine(ink: Inks, clumps: Sequence[Spot]) -> str:
    """Dark fans of needles, the later in front of the earlier."""
    return "".join(
        outlined(ink.green, ink.paper, 1.6, place(_CLUMP, complex(x, y), r))
        + line(ink.paper, 1, place(_NEEDLES, complex(x, y), r, squash=0.8))
        for x, y, r in clumps
    )


def twig(ink: Inks, *spines: str) -> str:
    """Red-brown twigs, thick where they enter."""
    return outlined(ink.red, ink.black, ink.line * 0.8, *(brush(spine, 6, 4.5, 2.5) for spine in spines))


# --- February: plum ----------------------------------------------------------------------------------------------


def branch(ink: Inks, stem: str, *shoots: str) -> str:
    """A crooked black branch, tapering, and thinner ones that leave it."""
    return fill(ink.black, brush(stem, 8.5, 7, 5.5, 3), *(brush(shoot, 4, 3.6, 2.4) for shoot in shoots))


def plum_blossoms(ink: Inks, blossoms: Sequence[Spot], buds: str = "") -> str:
    """Five round red petals about a yellow heart; the buds are single discs."""
    return "".join(_plum(ink, complex(x, y), r) for x, y, r in blossoms) + (_buds(ink, buds) if buds else "")


def _plum(ink: Inks, centre: complex, r: float) -> str:
    petals = place(dots(polar(0.56, 72 * k) for k in range(5)), centre, r)
    gaps = place(ring(segments([(0j, polar(0.95, 36))]), 5), centre, r)
    stamens = place(ring(segments([(polar(0.2, 0), polar(0.55, 0))]), 10, 18), centre, r)
    return (
        line(ink.paper, r * 0.86 + 3, petals)
        + line(ink.red, r * 0.86, petals)
        + line(ink.paper, 1, gaps)
        + line(ink.yellow, 1.1, stamens)
        + line(ink.yellow, r * 0.46, dots([centre]))
    )


def _buds(ink: Inks, spots: str) -> str:
    return line(ink.paper, 9.6, dots(at(spots))) + line(ink.red, 7, dots(at(spots)))


# --- March: cherry -----------------------------------------------------------------------------------------------

_NOTCHED = outline("0,0! -.41,-.62 -.22,-1! 0,-.8! .22,-1! .41,-.62")
_NOTCHED_FLOWER = ring(_NOTCHED, 5)
_NOTCHED_STAMENS = ring(segments([(0j, polar(0.5, 0))]), 5)


def cherry_blossoms(ink: Inks, blossoms: Sequence[Turned]) -> str:
    """Pale petals with a notch, so many that they make a cloud."""
    drawn = ""
    for x, y, r, turn in blossoms:
        spot = complex(x, y)
        drawn += outlined(ink.pink, ink.red, ink.line * 0.75, place(_NOTCHED_FLOWER, spot, r, turn))
        drawn += line(ink.red, 1.1, place(_NOTCHED_STAMENS, spot, r, turn))
    return drawn


def simple_leaves(ink: Inks, leaves: Sequence[Turned]) -> str:
    """Plain pointed leaves."""
    leaf = outline("0,0! -.32,-.45 0,-1! .32,-.45")
    return "".join(
        outlined(ink.green, ink.paper, 1, place(leaf, complex(x, y), size, turn)) for x, y, size, turn in leaves
    )


# --- April: wisteria ---------------------------------------------------------------------------------------------

_FLORET = outline("0,0! .5,-.3 1.05,.15 .6,.85!")


def wisteria(ink: Inks, hanging: Sequence[Spot]) -> str:
    """Straight clusters, wide above and pointed below: x, where the florets begin, and the length."""
    return "".join(_raceme(ink, complex(x, y), length) for x, y, length in hanging) + _vine(ink)


def _raceme(ink: Inks, top: complex, length: float) -> str:
    rows = max(4, round(length / 9.6))
    pairs, beads = [], []
    for k in range(rows):
        size = 15.5 - 10 * (k / (rows - 1)) ** 1.2
        spot = top + 1j * length * (k / rows) ** 0.92
        pairs.append(place(mirrored(_FLORET), spot, size))
        beads.append(spot + 3j)
    tip = top + 1j * (length + 1)
    return (
        line(ink.black, 1.8, segments([(top.real + 0j, tip)]))
        + outlined(ink.violet, ink.paper, 1.1, join(pairs))
        + line(ink.black, 4, dots(beads))
        + line(ink.black, 4.6, dots([tip]))
    )


def _vine(ink: Inks) -> str:
    """Feathered leaves along the upper edge, from which the racemes hang."""
    leaflet = outline("0,0! -.2,.5 0,1! .2,.5")
    frond = join(place(leaflet, size=s, turn=a) for a, s in ((78, 16), (42, 16), (0, 15), (-42, 16), (-78, 16)))
    return outlined(ink.green, ink.paper, 1, *(place(frond, spot) for spot in at("6,3 28,5 50,3 72,5 94,3")))


# --- May: iris ---------------------------------------------------------------------------------------------------

_STANDARD = outline("0,.1! -.3,-.35 -.2,-.9 0,-1.05! .2,-.9 .3,-.35") + mirrored(
    outline("0,.05! -.45,-.3 -.6,-.75! -.2,-.6")
)
_SIDE_FALL = outline("0,0! -.5,-.18 -1,.05 -1.1,.75! -.6,.72 -.25,.4")
_FALLS = mirrored(_SIDE_FALL) + outline("0,.05! -.42,.5 -.36,1.05 0,1.25! .36,1.05 .42,.5")
_SIGNALS = mirrored(curve("-.3,.15 -.6,.22 -.8,.45")) + curve("0,.3 0,.8")


def swords(ink: Inks, spines: Iterable[str]) -> str:
    """Tall narrow leaves that rise from the bottom to a point."""
    return outlined(ink.green, ink.paper, 1, *(brush(spine, 7, 7.5, 0) for spine in spines))


def irises(ink: Inks, flowers: Sequence[Spot]) -> str:
    """Violet flowers with three drooping petals, each on a stem that goes down out of the card."""
    stems = line(ink.green, 2.6, segments((complex(x, y), complex(x, 165)) for x, y, _ in flowers))
    return stems + "".join(
        outlined(ink.violet, ink.paper, 1.2, place(_STANDARD, complex(x, y), r), place(_FALLS, complex(x, y), r))
        + line(ink.yellow, 1.8, place(_SIGNALS, complex(x, y), r))
        for x, y, r in flowers
    )


# --- June: peony -------------------------------------------------------------------------------------------------

_PEONY_LAYERS = ((lobed(9, 1, 0.14), 0), (lobed(8, 0.76, 0.16), 20), (lobed(7, 0.52, 0.18), 5))
_BROAD_LEAF = outline(
    "0,0! -.3,-.2 -.62,-.25 -.95,-.5! -.66,-.58 -.5,-.62! -.5,-.9 -.3,-1.05 0,-1.4!"
    " .3,-1.05 .5,-.9 .5,-.62! .66,-.58 .95,-.5! .62,-.25 .3,-.2"
)
_BROAD_VEINS = segments([(0j, -1.15j), (-0.25j, -0.68 - 0.48j), (-0.25j, 0.68 - 0.48j)])


def peony(ink: Inks, x: float, y: float, r: float) -> str:
    """One very large round flower, petals packed in rings."""
    spot = complex(x, y)
    rings = "".join(outlined(ink.red, ink.paper, 1.5, place(layer, spot, r, t)) for layer, t in _PEONY_LAYERS)
    heart = line(ink.yellow, 2, place(ring(segments([(0j, polar(0.26, 0))]), 9), spot, r))
    return rings + heart + line(ink.yellow, r * 0.2, dots([spot]))


def broad_leaves(ink: Inks, leaves: Sequence[Turned]) -> str:
    """Broad lobed leaves with pale veins."""
    return _veined(ink, _BROAD_LEAF, _BROAD_VEINS, leaves)


def _veined(ink: Inks, leaf: Shape, veins: Shape, leaves: Sequence[Turned]) -> str:
    return "".join(
        outlined(ink.green, ink.paper, 1.2, place(leaf, complex(x, y), size, turn))
        + line(ink.paper, 1, place(veins, complex(x, y), size, turn))
        for x, y, size, turn in leaves
    )


# --- July: bush clover -------------------------------------------------------------------------------------------

_BARE = 0.46  # the share of a stem, from the ground, that has no leaves
_APART = 14.5  # from pair to pair
_LEAFLET = outline("0,0! -.36,-.35 -.3,-.8 0,-1 .3,-.8 .36,-.35")


def bush_clover(ink: Inks, stems: Sequence[str], size: float = 13) -> str:
    """Arching stems with pairs of oval leaflets, red and black by turns."""
    red: list[Shape] = []
    black: list[Shape] = []
    lines = [curve(stem) for stem in stems]
    for stem in lines:
        reach = length(stem)
        pairs = int(reach * (1 - _BARE) / _APART) + 1
        for spot, heading in along(stem, (1 - _APART * k / reach for k in range(pairs))):
            red.append(place(_LEAFLET, spot, size, heading - 58))
            black.append(place(_LEAFLET, spot, size, heading + 58))
            red, black = black, red
    return (
        line(ink.black, 1.6, *lines)
        + outlined(ink.red, ink.paper, 0.8, join(red))
        + outlined(ink.black, ink.paper, 0.8, join(black))
    )


# --- August: susuki ----------------------------------------------------------------------------------------------


def hill(ink: Inks, x: float, top: float, r: float) -> str:
    """The bald hill: one round black mass, hatched all over like short grass."""
    centre = complex(x, top + r)
    fringe = [(centre + polar(r - 1, a), centre + polar(r + 4, a + 2)) for a in range(-60, 61, 3)]
    return (
        fill(ink.black, circle(centre, r))
        + line(ink.black, 1.1, segments(fringe))
        + line(ink.paper, 0.8, segments(_grass(centre, r)))
    )


def _grass(centre: complex, r: float) -> list[tuple[complex, complex]]:
    """Rows of short blades, all leaning one way, as far as they can be seen."""
    blades = []
    for row in range(9):
        reach = r - 8 - 10.5 * row
        step = 270 / reach
        for k in range(-round(75 / step), round(75 / step)):
            angle = (k + row % 2 / 2) * step
            foot, tip = centre + polar(reach, angle), centre + polar(reach + 7.5, angle + 2)
            if 2 < foot.real < 98 and foot.imag < 162:
                blades.append((foot, tip))
    return blades


# --- September: chrysanthemum ------------------------------------------------------------------------------------

_LOBED_LEAF = outline(
    "0,0! -.35,-.12 -.7,-.2 -.72,-.48 -.42,-.5! -.72,-.68 -.62,-.98 -.28,-.88! -.24,-1.25 0,-1.38"
    " .24,-1.25 .28,-.88! .62,-.98 .72,-.68 .42,-.5! .72,-.48 .7,-.2 .35,-.12"
)
_LOBED_VEINS = segments([(0j, -1.1j), (-0.3j, -0.5 - 0.38j), (-0.3j, 0.5 - 0.38j)])


def chrysanthemums(ink: Inks, flowers: Sequence[tuple[float, float, float, str]]) -> str:
    """Round flowers of many narrow petals: x, y, radius and ink."""
    return "".join(_chrysanthemum(ink, complex(x, y), r, colour) for x, y, r, colour in flowers)


def _chrysanthemum(ink: Inks, centre: complex, r: float, colour: str) -> str:
    outer = place(ring(segments([(polar(0.4, 0), polar(0.88, 0))]), 16), centre, r)
    inner = place(ring(segments([(polar(0.1, 0), polar(0.42, 0))]), 10), centre, r)
    width = r * 0.23
    edge, heart = (ink.black, ink.red) if colour == "yellow" else (ink.paper, ink.yellow)
    drawn = line(ink.black, r * 1.3, dots([centre]))
    for petals, scale in ((outer, 1.0), (inner, 0.9)):
        drawn += line(edge, width * scale + ink.line * 1.3, petals) + line(ink[colour], width * scale, petals)
    return drawn + line(edge, r * 0.5, dots([centre])) + line(heart, r * 0.36, dots([centre]))


def lobed_leaves(ink: Inks, leaves: Sequence[Turned]) -> str:
    """Leaves with round lobes."""
    return _veined(ink, _LOBED_LEAF, _LOBED_VEINS, leaves)


# --- October: maple ----------------------------------------------------------------------------------------------

# The right half of a leaf, point and valley by turns: degrees from the tip, distance.
_HALF_LEAF = ((21, 0.47), (42, 0.98), (63, 0.47), (84, 0.9), (107, 0.47), (130, 0.62))
_MAPLE = star([(0, 1), *_HALF_LEAF, (180, 0.2), *((-angle, reach) for angle, reach in reversed(_HALF_LEAF))])
_MAPLE_STALK = segments([(0.1j, 0.75j)])
_MAPLE_VEINS = segments((0.05j, polar(0.7, angle)) for angle in (-84, -42, 0, 42, 84))


def maples(ink: Inks, leaves: Sequence[tuple[float, float, float, float, str]]) -> str:
    """Small seven-pointed leaves: x, y, size, degrees and ink."""
    drawn = ""
    for x, y, size, turn, colour in leaves:
        spot = complex(x, y)
        pale = colour == "yellow"
        drawn += line(ink.black, 1.4, place(_MAPLE_STALK, spot, size, turn))
        drawn += outlined(ink[colour], ink.black if pale else ink.paper, 1.1, place(_MAPLE, spot, size, turn))
        drawn += line(ink.red if pale else ink.paper, 0.8, place(_MAPLE_VEINS, spot, size, turn))
    return drawn


# --- November: willow --------------------------------------------------------------------------------------------

_BLADE = outline("0,0! -.18,-.4 0,-1! .18,-.4")


def willow(ink: Inks, strands: Iterable[str], size: float = 21) -> str:
    """Long strands that hang from the top, with narrow leaves along them."""
    lines = [curve(strand) for strand in strands]
    blades = []
    for strand in lines:
        leaves = round(length(strand) / (0.9 * size))
        for k, (spot, heading) in enumerate(along(strand, ((j + 0.6) / leaves for j in range(leaves)))):
            blades.append(place(_BLADE, spot, size, heading + (22 if k % 2 else -22)))
        ((end, heading),) = along(strand, [1])
        blades.append(place(_BLADE, end, size * 0.8, heading))
    return line(ink.green, 2.4, *lines) + fill(ink.green, join(blades))


# --- December: paulownia -----------------------------------------------------------------------------------------

_KIRI_LEAF = outline(
    "0,0! -.4,-.3 -.85,-.2 -.8,.15! -1.05,.35 -.9,.75! -.6,.7 -.35,.8 -.2,1.1 0,1.35!"
    " .2,1.1 .35,.8 .6,.7 .9,.75! 1.05,.35 .8,.15! .85,-.2 .4,-.3"
)
_KIRI_VEINS = segments([(0.05j, 1.15j)]) + mirrored(segments([(0.1j, -0.66 + 0.02j), (0.25j, -0.68 + 0.58j)]))
_BELL = outline("0,-.9 -.5,-.7 -.65,0 -.9,.75! -.45,.6 -.3,.95! 0,.7 .3,.95! .45,.6 .9,.75! .65,0 .5,-.7")


def kiri_leaves(ink: Inks, leaves: Sequence[Turned]) -> str:
    """Broad leaves that hang from their stalk."""
    return _veined(ink, _KIRI_LEAF, _KIRI_VEINS, leaves)


def kiri_spike(ink: Inks, x: float, y: float, bells: int, size: float = 7.4) -> str:
    """An upright spike: one bell on top, then pairs; (x, y) is its foot."""
    rows = (bells - 1) // 2
    gap = size * 1.95
    foot = complex(x, y)
    top = foot - 1j * gap * (rows + 0.4)
    spots = [top]
    for k in range(rows):
        spread = size * (0.85 + 0.22 * k)
        spots += [top + complex(side * spread, gap * (k + 0.75)) for side in (-1, 1)]
    stem = line(ink.green, 2, segments([(foot, top)]))
    bell = [place(_BELL, spot, size, turn=(top.real - spot.real) * 2.2) for spot in spots]
    return stem + outlined(ink.violet, ink.paper, 1, join(bell))
