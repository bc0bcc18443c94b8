"""Animals and the rain man. Each is drawn where it stands on its card; those seen twice are drawn about the origin."""

from .ink import Inks, fill, layered, line, outlined
from .shapes import Shape, at, brush, circle, curve, dots, mirrored, outline, place, polygon, segments


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


# The tail, the uppermost feather first, so that each lies over the one behind it.
_CUCKOO_TAIL = "58,116 80,116 99,110", "59,119 80,123 99,123", "57,121 76,129 93,136"


def cuckoo(ink: Inks) -> str:
    """Grey-blue in full flight, calling: long pointed wings, a long spotted tail, bars across its white breast."""
    back = outline("15,105 17,98 24,94 32,97 43,105 56,112 65,117 62,122 48,119 32,113 21,110")
    breast = outline("20,108! 27,106 37,110 49,116 62,121! 53,128 39,127 27,120")
    far = outline("33,101! 26,88 23,74 25,56! 36,66 43,82 46,104!")
    near = outline("40,106 42,88 50,74 66,58! 68,76 65,96 59,109 51,113")
    quills = curve("48,102 53,86 62,68"), curve("53,107 59,93 63,80")
    bars = [
        curve(b)
        for b in ("27,107 28,113 26,119", "34,109 35,117 33,124", "42,113 43,121 41,127", "50,117 51,122 50,127")
    ]
    return (
        outlined(ink.black, ink.paper, 1.3, far)
        + layered(ink.violet, ink.black, ink.line * 0.8, (brush(s, 6, 9, 6) for s in _CUCKOO_TAIL))
        + line(ink.paper, 3, dots(at("92,112 92,123 88,133.5 81,115.5 81,122.5 77,129")))
        + outlined(ink.paper, ink.black, ink.line, breast)
        + line(ink.black, 2.2, *bars)
        + outlined(ink.red, ink.black, ink.line * 0.8, polygon("18,100 5,96 12,101.5 6,108 18,105"))
        + outlined(ink.violet, ink.black, ink.line, back)
        + outlined(ink.violet, ink.black, ink.line, near)
        + line(ink.paper, 1.4, *quills)
        + line(ink.yellow, 4.4, dots([23 + 100j]))
        + line(ink.black, 2.2, dots([23 + 100j]))
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


# The tail feathers, the hindmost first: the spine from the body to the curled end, its ink, and that of the eye.
_TRAIN = (
    ("55,67 76,67 90,81 90,106 76,121 58,120 49,109 56,102", "red", "yellow"),
    ("52,71 67,75 78,86 78,99 70,101", "yellow", "red"),
    ("46,74 49,90 40,106 24,112 11,104 11,90 20,86", "violet", "yellow"),
)
_PRIMARIES = (
    "50,64 76,62 95,52",
    "50,63 74,52 90,35",
    "49,62 69,42 81,21",
    "47,61 61,34 67,11",
    "44,60 52,30 52,8",
)
_CREST = "22,29 28,19 40,20", "20,28 23,15 34,11", "18,29 15,17 22,9"


def phoenix(ink: Inks) -> str:
    """Slender neck, crest of three, raised wing, and a train of long feathers that curl at their ends."""
    coverts = outline("40,64! 42,50 48,40 56,36 61,41 58,47! 66,45 69,50 64,56! 70,57 71,62 60,68!")
    body = outline("29,54! 38,58 52,61 62,69 57,76 46,79 33,73 24,62!")
    neck = outline("14,36 15,29 20,27 25,30 25,37 24,43 28,50 36,57! 31,65 25,62! 18,54 16,44")
    return (
        "".join(_train_feather(ink, *feather) for feather in _TRAIN)
        + layered(ink.yellow, ink.black, ink.line, (brush(s, 4, 10, 9, 3) for s in _PRIMARIES))
        + outlined(ink.red, ink.black, ink.line, coverts)
        + outlined(ink.violet, ink.black, ink.line, body)
        + line(ink.black, 1.8, *map(curve, _CREST))
        + line(ink.black, 6, dots(at(spine)[-1] for spine in _CREST))
        + line(ink.red, 4, dots(at(spine)[-1] for spine in _CREST))
        + outlined(ink.yellow, ink.black, ink.line, neck)
        + line(ink.red, 1.8, *map(curve, ("18,48 22,46 25,48", "21,54 25,51 29,54", "26,60 30,56 34,58")))
        + outlined(ink.paper, ink.black, ink.line * 0.8, outline("15,31! 9,33 6,38! 10,37 15,36.5!"))
        + line(ink.black, 1.2, curve("17,34 20,32 23,33"))
        + line(ink.black, 2.6, dots([20 + 33.6j]))
    )


def _train_feather(ink: Inks, spine: str, colour: str, eye: str) -> str:
    """A long feather that curls, with an eye at its end."""
    end = at(spine)[-1]
    return (
        outlined(ink[colour], ink.black, ink.line, brush(spine, 3, 8, 9, 8, 6, 3))
        + line(ink.paper, 1.4, curve(spine))
        + outlined(ink[eye], ink.black, ink.line, circle(end, 5.5))
        + line(ink.black, 4, dots([end]))
    )


def frog(ink: Inks, x: float, y: float) -> str:
    """Small, sitting."""
    here = complex(x, y)
    body = outline("-11,6! -11,0 -5,-4 0,-8 2,-12 7,-12 8,-9 12,-7 11,-4 6,-2 9,6! 4,6! 2,0 0,6!")
    return outlined(ink.green, ink.paper, 1.2, place(body, here)) + line(ink.yellow, 2, dots([here + 5 - 9.5j]))
