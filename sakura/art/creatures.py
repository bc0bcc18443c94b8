"""Animals and the rain man. Each is drawn where it stands on its card; those seen twice are drawn about the origin."""

from .ink import Inks, fill, layered, line, outlined
from .shapes import Shape, along, at, brush, circle, curve, dots, mirrored, outline, place, polar, polygon, segments


def crane(ink: Inks) -> str:
    """White, with a black neck and tail, a red crown and long legs."""
    body = outline("63,74 69,86 66,98 55,107 40,108 22,102! 24,96! 27,90! 33,85! 46,77")
    tail = outline("46,93! 30,95 15,105 7,119! 18,114! 16,125! 27,117! 28,127! 41,114 50,105!")
    feathers = curve("24,96 40,97 52,92"), curve("27,90 42,91 54,86"), curve("28,102 44,103 58,95")
    neck = outline("56,88! 66,80 67,70 62,60 62,48 65,36 73,35 73,43 69,48 68,56 73,66 73,78 68,92!")
    nape = curve("65.6,43 64.6,49 65.2,57 70,68")
    crown = outline("64.5,37! 66,31 71,29.5 75,35! 70,35.5")
    legs = curve("50,105 52,126 49,166"), curve("58,104 63,124 60,166")
    return (
        line(ink.paper, 6, *legs)
        + line(ink.black, 2.8, *legs)
        + outlined(ink.paper, ink.black, ink.line, body)
        + line(ink.black, ink.line * 0.9, *feathers)
        + outlined(ink.black, ink.paper, 1.2, tail)
        + outlined(ink.yellow, ink.black, ink.line * 0.7, polygon("73,36 93,42 72,42.5"))
        + outlined(ink.black, ink.paper, 1.2, neck)
        + line(ink.paper, 1.8, nape)
        + outlined(ink.red, ink.paper, 0.9, crown)
        + line(ink.paper, 1.8, dots([70.5 + 39j]))
    )


def warbler(ink: Inks, x: float, y: float) -> str:
    """A small yellow-green bird, its tail up."""
    body = outline("-17,-3 -17,-11 -9,-15.5 0,-11 10,-6 28,-18! 31,-12! 15,4 5,11 -8,9")
    wing = outline("-3,-4! 8,-5 24,-8! 13,4 3,4")

    def here(shape: Shape) -> Shape:
        return place(shape, complex(x, y), 1.15)

    return (
        line(ink.black, 2, here(segments([(2 + 9j, 0 + 16j), (7 + 8j, 6 + 16j)])))
        + fill(ink.black, here(polygon("-16,-10 -26,-6 -16,-6")))
        + outlined(ink.moss, ink.black, ink.line, here(body))
        + outlined(ink.green, ink.black, ink.line * 0.7, here(wing))
        + line(ink.paper, 1.5, here(curve("-15,-11.5 -10,-12 -6,-10")))
        + line(ink.black, 3.8, here(dots([-11 - 8.5j])))
    )


# The near wing, the rearmost feather first, so that each lies over the one behind it.
_CUCKOO_FEATHERS = (
    "54,110 67,105 78,104",
    "51,107 64,97 76,90",
    "47,105 59,90 71,76",
    "43,104 53,83 63,64",
    "38,103 45,78 53,54",
)


def cuckoo(ink: Inks) -> str:
    """A dark bird in full flight, wings and long tail spread."""
    body = outline("12,104 17,97 25,97 40,102 60,109 66,116 50,121 36,118 24,113 15,109")
    near = [brush(s, 5, 11, 4) for s in _CUCKOO_FEATHERS]
    far = [brush(s, 4, 9, 3) for s in ("38,100 33,84 32,66", "34,100 26,84 22,64")]
    tail = [brush(s, 6, 8, 6) for s in ("58,112 78,116 97,112", "58,114 78,123 97,124", "56,116 74,128 92,136")]
    breast = at("22,106 29,107 36,109 43,111 50,113 26,111 33,113 40,115 47,117")
    return (
        layered(ink.black, ink.paper, 1.2, far + tail)
        + outlined(ink.black, ink.paper, 1.3, body)
        + line(ink.paper, 1.4, segments((z, z - 1.5 + 2.5j) for z in breast))
        + layered(ink.black, ink.paper, 1.2, near)
        + fill(ink.black, brush("30,103 40,101 60,110", 5, 9, 3))
        + line(ink.paper, 2.6, dots(at("92,113 92,123.5 87,133.5 82,116 82,123.5 78,129.5")))
        + outlined(ink.yellow, ink.black, 0.8, polygon("14,100.5 4,106 14,106"))
        + line(ink.yellow, 4, dots([20 + 101.5j]))
        + line(ink.black, 2, dots([20 + 101.5j]))
    )


# --- butterflies -------------------------------------------------------------------------------------------------

_FOREWING = mirrored(outline("0,-1! -4,-11 -17,-19 -21,-11 -13,-1"))
_HINDWING = mirrored(outline("-1,0! -12,0 -16,7 -11,16 -3,9"))
_FEELERS = mirrored(curve("-.5,-6 -3,-12 -6,-15"))
_WING_MARKS = mirrored(dots(at("-14,-11 -9,7")))


def butterfly(ink: Inks, x: float, y: float, turn: float, size: float, colour: str, mark: str) -> str:
    """Four wings spread, each with a mark."""

    def here(shape: Shape) -> Shape:
        return place(shape, complex(x, y), size, turn)

    return (
        line(ink.paper, 4.5, here(_FOREWING), here(_HINDWING))
        + outlined(colour, ink.black, ink.line * 1.2, here(_HINDWING), here(_FOREWING))
        + line(mark, 5 * size, here(_WING_MARKS))
        + line(ink.black, ink.line, here(_FEELERS))
        + fill(ink.black, here(brush("0,-7 0,0 0,13", 3, 4.5, 1)))
    )


_BRISTLES = at("33,96 37,94 41,93 45,92.5 49,93.5 53,95.5 57,97 61,98.5 65,100 69,102 73,104 77,107")
_HAIR = at("44,101 52,103 60,106 68,110 76,115 46,110 54,113 62,116 70,121 78,126")


def boar(ink: Inks) -> str:
    """Heavy shoulders, a long snout with a tusk, bristles all along the back."""
    far_legs = brush("46,134 47,144 44,158", 10, 7, 5), brush("68,132 64,144 66,158", 11, 7, 5)
    body = outline(
        "6,126! 7,136! 15,139 24,138 31,141 33,148 31,160! 40,160! 43,146 46,140 58,139 70,138 76,146 75,160! 84,160!"
        " 86,146 92,134 92,120 84,109 68,100 52,94 42,92 36,96 33,88! 26,98 19,113"
    )
    return (
        outlined(ink.black, ink.paper, 1.2, *far_legs)
        + line(ink.paper, 5, segments((z, z + 4 - 6j) for z in _BRISTLES))
        + outlined(ink.black, ink.paper, 1.4, body)
        + line(ink.black, 1.9, segments((z + 1j, z + 4 - 6j) for z in _BRISTLES))
        + line(ink.paper, 1.2, segments((z, z + 5 + 2.5j) for z in _HAIR))
        + line(ink.black, 2.2, curve("90,114 96,118 94,128"))
        + fill(ink.red, outline("28,99! 31,94 33,91! 35,101 30,106"))
        + outlined(ink.red, ink.paper, 0.8, outline("5,124! 11,126 11,136 6,138! 4,131"))
        + outlined(ink.paper, ink.black, 0.8, outline("17,137! 13,130 16,120! 19,128 24,134!"))
        + line(ink.yellow, 4, dots([26 + 113j]))
        + line(ink.black, 2, dots([25.5 + 113j]))
    )


# --- geese -------------------------------------------------------------------------------------------------------

_GOOSE = outline("-18,2! -15,-2 -11,-1 -4,-2 6,-1 16,3! 6,6 -4,5 -10,2.5")
_GOOSE_FAR = outline("-3,0! -9,-7 -10,-17! -3,-11 3,0!")
_GOOSE_NEAR = outline("-3,1! 1,-8 13,-19! 11,-8 7,2!")


def goose(ink: Inks, x: float, y: float, size: float = 1) -> str:
    """A dark goose in flight, neck stretched."""
    here = complex(x, y)
    parts = (place(part, here, size) for part in (_GOOSE_FAR, _GOOSE, _GOOSE_NEAR))
    quill = place(curve("3,-3 5,-8 9,-13"), here, size)
    return layered(ink.black, ink.paper, 1.2, parts) + line(ink.paper, 1, quill)


def deer(ink: Inks) -> str:
    """A stag that looks back over its shoulder."""
    body = outline(
        "29,78! 43,82! 43,92 51,98 65,95 78,99 85,108 84,118 78,125 64,120 48,120 36,125 25,121 19,109 22,94"
    )
    head = outline("28,75 30,68 38,66 48,70 57,75 57,80 50,82 40,84 32,84")
    feet = 27 + 153j, 38 + 154j, 67 + 154j, 80 + 153j
    legs = [brush(s, 9, 5, 3.6) for s in ("25,116 25,136 27,155", "38,118 40,138 38,156", "68,116 68,138 67,156")]
    legs.append(brush("77,108 84,132 79,143 80,155", 16, 8, 5, 3.6))
    antlers = (
        curve("34,67 30,54 18,40"), curve("30,56 20,54"), curve("25,47 25,37"),
        curve("39,66 44,53 54,42"), curve("43,56 53,55"), curve("49,47 48,37"),
    )  # fmt: skip
    return (
        line(ink.paper, 6, *antlers)
        + line(ink.black, 3, *antlers)
        + layered(ink.yellow, ink.black, ink.line, legs)
        + line(ink.black, 5, segments((foot, foot + 5j) for foot in feet))
        + outlined(ink.yellow, ink.black, ink.line, body)
        + line(ink.yellow, 6, segments([(26 + 114j, 40 + 116j), (70 + 114j, 78 + 112j)]))
        + outlined(ink.paper, ink.black, ink.line, outline("80,100! 88,98 88,110 83,110!"))
        + outlined(ink.yellow, ink.black, ink.line, outline("31,73! 24,70 18,73! 24,79 31,78"))
        + outlined(ink.yellow, ink.black, ink.line, head)
        + line(ink.paper, 4, dots(at("34,96 44,103 55,104 66,103 75,108 38,111 50,113 62,113")))
        + fill(ink.black, circle(42 + 73j, 1.8), circle(55.5 + 76.5j, 2.2))
    )


# --- the rain man ------------------------------------------------------------------------------------------------


def _umbrella(ink: Inks) -> str:
    top = outline("54,34! 76,40 93,63! 80,59 67,64! 54,60 41,64! 28,59 15,63! 32,40")
    ribs = segments([(54 + 34j, 54 + 28j)]), curve("54,34 44,46 41,64"), curve("54,34 64,46 67,64")
    return outlined(ink.yellow, ink.black, ink.line * 1.2, top) + line(ink.black, ink.line, *ribs)


def rain_man(ink: Inks) -> str:
    """A courtier in a tall black hat and wide sleeves, his umbrella in one hand."""
    far_sleeve = outline("30,88! 18,100 8,124! 26,131! 32,112!")
    near_sleeve = outline("46,88! 56,94 66,106! 58,128! 44,120!")
    robe = outline("29,88! 25,112 26,130! 50,130! 50,112 48,88! 39,93")
    trousers = outline("25,124! 38,121 51,124! 56,150! 38,147 20,150!")
    stem = segments([(54 + 63j, 54 + 124j)])
    hat = outline("28,75! 29,66 31,54 38,47 44,50 45,60 44,68 48,76!")
    return (
        _umbrella(ink)
        + outlined(
            ink.black,
            ink.paper,
            1,
            outline("20,148! 36,148! 36,157 17,157!"),
            outline("40,148! 55,148! 60,157 40,157!"),
        )
        + outlined(ink.red, ink.black, ink.line, far_sleeve)
        + outlined(ink.red, ink.black, ink.line, robe)
        + outlined(ink.violet, ink.black, ink.line, trousers)
        + line(ink.paper, 1.4, curve("32,127 30,145"), curve("38,126 38,144"), curve("44,127 46,145"))
        + outlined(ink.paper, ink.black, ink.line, outline("31,76 30,84 33,91 39,94 45,90 46,83 45,75"))
        + outlined(ink.red, ink.black, ink.line, near_sleeve)
        + line(ink.paper, 1.4, curve("33,93 39,101 45,93"))
        + outlined(ink.black, ink.paper, 1, hat)
        + line(ink.black, 1.8, dots(at("36,82 42,82")), curve("37.5,88 40.5,88"))
        + line(ink.paper, 4.6, stem)
        + line(ink.black, 2.6, stem)
        + outlined(ink.paper, ink.black, ink.line, circle(54 + 104j, 5))
    )


def swallow(ink: Inks, x: float, y: float, turn: float) -> str:
    """Seen from below as it dives: sickle wings, red throat, white belly, deeply forked tail."""

    def here(shape: Shape) -> Shape:
        return place(shape, complex(x, y), 1.15, turn)

    wing = outline("-11,-3! -6,-16 8,-30 34,-40! 22,-24 10,-12 8,-2!")
    fork = outline("10,-3! 26,-5 52,-20! 34,-2 22,0!")
    body = outline("-22,0 -18,-6 -8,-7 8,-4 22,0! 8,4 -8,7 -18,6")
    parts = [part for half in (wing, fork) for part in (here(half), here(place(half, squash=-1)))]
    return (
        outlined(ink.black, ink.paper, 1.5, *parts)
        + outlined(ink.black, ink.paper, 1.2, here(body))
        + fill(ink.paper, here(outline("-8,-4 8,-2 16,0 8,2 -8,4")))
        + fill(ink.red, here(outline("-19,0 -16,-4 -9,-5 -9,5 -16,4")))
        + outlined(ink.yellow, ink.black, 0.8, here(polygon("-21,-2 -28,0 -21,2")))
    )


# Of the three tail plumes: the spine from the body to the curled end, and which inks the plume and its eye have.
_PLUMES = (
    ("58,67 78,69 92,81 94,98 86,108", "red", "yellow"),
    ("54,74 69,87 77,103 71,117 58,116", "yellow", "red"),
    ("48,76 52,92 40,108 22,110 14,97", "violet", "yellow"),
)
_PHOENIX_FEATHERS = (
    "54,68 76,60 94,56",
    "53,66 76,50 94,41",
    "51,65 71,42 88,26",
    "49,64 64,36 76,14",
    "47,64 54,36 60,9",
)
_CREST = "20,26 22,16 32,9", "23,26 29,18 39,17", "25,29 32,25 40,27"


def phoenix(ink: Inks) -> str:
    """Crest, raised wing, and three long plumes that curl and end in an eye."""
    coverts = outline("44,68! 43,52 50,38 58,32 64,37 61,44! 69,40 73,46 67,54! 74,54 74,62 64,70!")
    body = outline("31,49! 40,56 54,60 66,70 62,79 48,80 35,72 25,58!")
    neck = outline("17,38 15,31 19,26 26,27 27,33 25,41 28,48 36,54! 33,62 25,62 18,54 16,46")
    return (
        "".join(_plume(ink, spine, colour) for spine, colour, _ in _PLUMES)
        + "".join(_eye(ink, spine, colour) for spine, _, colour in _PLUMES)
        + layered(ink.yellow, ink.black, ink.line, (brush(s, 5, 11, 3) for s in _PHOENIX_FEATHERS))
        + outlined(ink.red, ink.black, ink.line, coverts)
        + outlined(ink.violet, ink.black, ink.line, body)
        + line(ink.black, 4.6, *map(curve, _CREST))
        + line(ink.red, 2.4, *map(curve, _CREST))
        + outlined(ink.yellow, ink.black, ink.line, neck)
        + line(ink.red, 1.6, *map(curve, ("20,50 25,47 28,50", "22,56 27,52 31,55")))
        + outlined(ink.red, ink.black, ink.line * 0.8, outline("16,29! 8,31 6,37! 11,36 16,36!"))
        + line(ink.black, 3, dots([20.5 + 31.5j]))
    )


def _plume(ink: Inks, spine: str, colour: str) -> str:
    barbs = segments(
        (spot, spot + polar(8.5 - k / 4, heading + side * 48))
        for k, (spot, heading) in enumerate(along(curve(spine), (k / 13 for k in range(13))))
        for side in (-1, 1)
    )
    return (
        line(ink.black, 3.4 + ink.line * 1.4, barbs)
        + line(ink[colour], 3.4, barbs)
        + line(ink.black, ink.line, curve(spine))
    )


def _eye(ink: Inks, spine: str, colour: str) -> str:
    end = at(spine)[-1]
    return outlined(ink[colour], ink.black, ink.line, circle(end, 7)) + line(ink.black, 5, dots([end]))


def frog(ink: Inks, x: float, y: float) -> str:
    """Small, sitting."""
    here = complex(x, y)
    body = outline("-11,6! -11,0 -5,-4 0,-8 2,-12 7,-12 8,-9 12,-7 11,-4 6,-2 9,6! 4,6! 2,0 0,6!")
    return outlined(ink.green, ink.paper, 1.2, place(body, here)) + line(ink.yellow, 2, dots([here + 5 - 9.5j]))
