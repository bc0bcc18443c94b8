"""What stands where on each of the 48 cards, month by month. A card is 100 by 163 units, its border 4 wide.

Every function draws one card with the given inks; what is drawn first lies at the back. Lists hold x, y and a size,
then degrees and the name of an ink where the motif needs them.
"""

from collections.abc import Callable, Sequence

from . import creatures, objects, plants
from .ink import Inks, fill, line, outlined
from .plants import Turned
from .shapes import curve, polygon, segments

WIDTH, HEIGHT = 100, 163
Drawing = Callable[[Inks], str]


# --- January: pine -----------------------------------------------------------------------------------------------


def _crane(ink: Inks) -> str:
    return (
        objects.sun(ink, 24, 66, 37)
        + plants.twig(ink, "-2,140 8,136 16,128")
        + plants.pine(ink, [(92, 126, 20), (10, 132, 18), (82, 148, 24), (22, 152, 26), (60, 170, 24)])
        + creatures.crane(ink)
    )


def _pine_ribbon(ink: Inks) -> str:
    clumps = [(18, 46, 28), (84, 62, 28), (12, 92, 26), (90, 108, 28), (22, 138, 30), (80, 154, 32), (30, 176, 28)]
    twigs = plants.twig(ink, "-2,150 40,120 100,108", "-2,60 30,56 60,40")
    return twigs + plants.pine(ink, clumps) + objects.poetry_ribbon(ink)


def _pine_1(ink: Inks) -> str:
    clumps = [(28, 60, 32), (78, 80, 30), (18, 102, 28), (76, 126, 34), (26, 144, 32), (76, 172, 36)]
    return plants.twig(ink, "103,156 56,122 30,56", "56,122 70,100 78,76") + plants.pine(ink, clumps)


def _pine_2(ink: Inks) -> str:
    clumps = [(66, 46, 34), (14, 66, 26), (86, 88, 28), (32, 106, 33), (84, 132, 32), (22, 150, 32), (66, 178, 36)]
    return plants.twig(ink, "-3,164 44,122 66,40", "44,122 28,96 16,60") + plants.pine(ink, clumps)


# --- February: plum ----------------------------------------------------------------------------------------------


def _warbler(ink: Inks) -> str:
    stem = "103,160 72,124 48,113 -4,108"
    shoots = "74,122 84,92 80,52 88,22", "84,88 62,66 53,26", "66,122 62,136 46,153", "48,114 28,122 8,140"
    blossoms = [(84, 46, 16), (20, 128, 16), (60, 138, 17), (56, 40, 14), (88, 104, 15)]
    return (
        plants.branch(ink, stem, *shoots)
        + plants.plum_blossoms(ink, blossoms, "88,20 53,22 44,154 8,141")
        + creatures.warbler(ink, 38, 89)
    )


def _plum_ribbon(ink: Inks) -> str:
    stem = "-3,152 24,134 50,116 82,94"
    shoots = "82,94 92,72 80,48 86,20", "24,134 14,98 22,58 14,26", "50,116 74,134 94,154"
    blossoms = [(20, 60, 16), (15, 100, 15), (24, 136, 17), (82, 94, 17), (80, 50, 16), (78, 138, 16)]
    return (
        plants.branch(ink, stem, *shoots)
        + plants.plum_blossoms(ink, blossoms, "86,18 14,24")
        + objects.poetry_ribbon(ink)
    )


def _plum_1(ink: Inks) -> str:
    stem = "-3,160 22,132 40,92 72,68 80,30"
    shoots = "40,92 20,66 26,34", "30,118 60,124 92,142", "72,66 90,84 86,106"
    blossoms = [(40, 94, 18), (72, 66, 18), (22, 64, 15), (60, 124, 16), (22, 132, 17), (86, 102, 15)]
    return plants.branch(ink, stem, *shoots) + plants.plum_blossoms(ink, blossoms, "81,26 27,30 93,143")


def _plum_2(ink: Inks) -> str:
    stem = "103,152 74,134 58,100 28,80 20,42"
    shoots = "58,100 84,72 80,38", "74,134 36,138 10,152", "30,80 50,58 52,30"
    blossoms = [(58, 100, 18), (28, 78, 17), (82, 70, 17), (74, 136, 16), (34, 138, 17), (50, 54, 14)]
    return plants.branch(ink, stem, *shoots) + plants.plum_blossoms(ink, blossoms, "19,38 80,34 8,153 52,26")


# --- March: cherry -----------------------------------------------------------------------------------------------


def _curtain(ink: Inks) -> str:
    cloud = [
        (10, 22, 18, 0), (44, 18, 18, 20), (80, 20, 18, 40), (26, 46, 18, 30), (62, 46, 18, 10),
        (96, 48, 17, 50), (8, 72, 17, 15), (44, 72, 18, 0), (80, 72, 18, 25),
    ]  # fmt: skip
    return plants.cherry_blossoms(ink, cloud) + objects.curtain(ink)


def _cherry(ink: Inks, flowers: Sequence[Turned], *twigs: str) -> str:
    return plants.branch(ink, *twigs) + plants.cherry_blossoms(ink, flowers)


def _cherry_ribbon(ink: Inks) -> str:
    flowers = [
        (18, 24, 19, 0), (56, 15, 18, 20), (88, 30, 18, 40), (14, 64, 18, 30), (76, 62, 19, 10), (38, 84, 17, 10),
        (18, 108, 19, 50), (86, 104, 19, 0), (28, 146, 19, 15), (72, 142, 19, 35),
    ]  # fmt: skip
    return plants.cherry_blossoms(ink, flowers) + objects.poetry_ribbon(ink)


def _cherry_1(ink: Inks) -> str:
    flowers = [
        (14, 34, 18, 15), (52, 28, 19, 20), (88, 40, 18, 40), (32, 64, 20, 30), (70, 68, 19, 10),
        (8, 92, 17, 50), (94, 92, 18, 0), (50, 98, 20, 35), (20, 120, 17, 0), (80, 118, 17, 20),
    ]  # fmt: skip
    leaves = [(34, 143, 21, 160), (56, 139, 21, 195)]
    twigs = "-3,156 30,142 64,136 103,134", "28,142 22,132 20,122", "46,138 50,124 50,104", "76,135 80,128 80,120"
    return plants.simple_leaves(ink, leaves) + _cherry(ink, flowers, *twigs)


def _cherry_2(ink: Inks) -> str:
    flowers = [
        (80, 22, 18, 0), (42, 18, 18, 20), (8, 34, 18, 40), (62, 54, 20, 30), (26, 62, 19, 10),
        (94, 72, 18, 15), (50, 90, 20, 35), (10, 94, 17, 50), (84, 108, 18, 0), (24, 122, 17, 20),
    ]  # fmt: skip
    leaves = [(66, 142, 21, 190), (42, 140, 21, 150)]
    twigs = "103,152 72,142 38,138 -3,142", "80,144 86,130 84,112", "54,140 56,120 50,96", "30,138 22,132 24,124"
    return plants.simple_leaves(ink, leaves) + _cherry(ink, flowers, *twigs)


# --- April: wisteria ---------------------------------------------------------------------------------------------


def _cuckoo(ink: Inks) -> str:
    return (
        plants.wisteria(ink, [(15, 16, 50), (44, 16, 22), (84, 16, 20)])
        + objects.crescent(ink, 70, 74, 24)
        + creatures.cuckoo(ink)
    )


def _wisteria_ribbon(ink: Inks) -> str:
    return plants.wisteria(ink, [(20, 16, 118), (82, 16, 132)]) + objects.red_ribbon(ink)


def _wisteria_1(ink: Inks) -> str:
    return plants.wisteria(ink, [(18, 18, 96), (51, 16, 128), (84, 18, 82)])


def _wisteria_2(ink: Inks) -> str:
    return plants.wisteria(ink, [(16, 18, 126), (49, 16, 78), (82, 18, 108)])


# --- May: iris ---------------------------------------------------------------------------------------------------


def _bridge(ink: Inks) -> str:
    blades = (
        "6,165 10,100 4,50", "34,165 34,100 42,56", "62,165 62,100 54,62", "94,165 92,100 98,40",
        "78,165 80,110 88,70",
    )  # fmt: skip
    return plants.swords(ink, blades) + plants.irises(ink, [(24, 48, 20), (72, 60, 21)]) + objects.bridge(ink)


def _iris_ribbon(ink: Inks) -> str:
    blades = (
        "8,165 10,100 6,40", "30,165 30,110 22,70", "44,165 46,100 40,30", "66,165 66,110 74,70",
        "82,165 80,110 72,84", "94,165 92,100 96,44",
    )  # fmt: skip
    return plants.swords(ink, blades) + plants.irises(ink, [(22, 62, 19), (80, 46, 19)]) + objects.red_ribbon(ink)


def _iris_1(ink: Inks) -> str:
    blades = (
        "6,165 10,110 4,60", "22,165 24,110 34,74", "40,165 40,100 34,40", "60,165 60,100 68,56",
        "78,165 76,110 84,80", "94,165 92,100 97,30",
    )  # fmt: skip
    return plants.swords(ink, blades) + plants.irises(ink, [(28, 66, 23), (74, 46, 22), (58, 104, 22)])


def _iris_2(ink: Inks) -> str:
    blades = (
        "94,165 90,110 96,56", "78,165 76,110 66,80", "60,165 60,100 66,36", "40,165 40,100 32,70",
        "22,165 24,110 16,84", "6,165 8,100 3,40",
    )  # fmt: skip
    return plants.swords(ink, blades) + plants.irises(ink, [(72, 72, 23), (28, 46, 22), (34, 112, 22)])


# --- June: peony -------------------------------------------------------------------------------------------------


def _butterflies(ink: Inks) -> str:
    return (
        plants.broad_leaves(ink, [(46, 130, 30, -66), (56, 124, 28, 70), (20, 150, 24, -20), (86, 152, 24, 20)])
        + plants.peony(ink, 52, 126, 32)
        + creatures.butterfly(ink, 33, 42, -24, 1.12, ink.yellow, ink.red)
        + creatures.butterfly(ink, 70, 74, 28, 1, ink.violet, ink.yellow)
    )


def _peony_ribbon(ink: Inks) -> str:
    leaves = [(24, 80, 26, -20), (80, 80, 26, 30), (20, 150, 26, -70), (84, 90, 26, 100), (60, 26, 22, 10)]
    return (
        plants.broad_leaves(ink, leaves)
        + plants.peony(ink, 26, 112, 32)
        + plants.peony(ink, 82, 50, 26)
        + objects.blue_ribbon(ink)
    )


def _peony_1(ink: Inks) -> str:
    leaves = [(40, 62, 27, -70), (60, 62, 27, 60), (30, 126, 28, -130), (70, 118, 32, 125), (50, 112, 32, 172)]
    return plants.broad_leaves(ink, leaves) + plants.peony(ink, 54, 84, 37) + plants.peony(ink, 14, 148, 22)


def _peony_2(ink: Inks) -> str:
    leaves = [(60, 60, 27, 60), (36, 64, 27, -60), (66, 120, 28, 130), (28, 122, 30, -125), (44, 112, 30, 185)]
    return plants.broad_leaves(ink, leaves) + plants.peony(ink, 46, 96, 37) + plants.peony(ink, 84, 34, 22)


# --- July: bush clover -------------------------------------------------------------------------------------------


def _boar(ink: Inks) -> str:
    stems = "62,165 66,96 46,56 14,72", "72,165 80,80 60,26 22,24", "84,165 98,90 96,50 74,22"
    return plants.bush_clover(ink, stems) + creatures.boar(ink)


def _clover_ribbon(ink: Inks) -> str:
    stems = (
        "46,165 36,104 22,80 4,96",
        "49,165 46,90 36,38 10,24",
        "54,165 66,104 82,86 97,104",
        "51,165 60,80 74,34 95,28",
    )
    return plants.bush_clover(ink, stems) + objects.red_ribbon(ink)


def _clover_1(ink: Inks) -> str:
    stems = (
        "40,165 34,112 20,90 2,110",
        "46,165 46,90 34,42 6,34",
        "54,165 62,100 76,56 97,66",
        "60,165 70,136 82,120 97,130",
    )
    return plants.bush_clover(ink, stems)


def _clover_2(ink: Inks) -> str:
    stems = (
        "60,165 66,112 82,86 98,106",
        "54,165 52,90 64,38 94,24",
        "46,165 38,100 24,52 2,58",
        "40,165 30,138 18,122 3,132",
    )
    return plants.bush_clover(ink, stems)


# --- August: susuki ----------------------------------------------------------------------------------------------


def _moon(ink: Inks) -> str:
    return objects.moonlit_sky(ink, 52, 58, 36) + plants.hill(ink, 50, 112, 74)


def _geese(ink: Inks) -> str:
    flock = [(26, 36), (50, 61), (74, 86)]
    return "".join(creatures.goose(ink, x, y, 1.25) for x, y in flock) + plants.hill(ink, 50, 106, 72)


def _susuki_1(ink: Inks) -> str:
    return plants.hill(ink, 34, 82, 78)


def _susuki_2(ink: Inks) -> str:
    return plants.hill(ink, 70, 92, 76)


# --- September: chrysanthemum ------------------------------------------------------------------------------------


def _sake_cup(ink: Inks) -> str:
    return (
        plants.lobed_leaves(ink, [(24, 96, 28, -50), (76, 96, 28, 50)])
        + objects.sake_cup(ink, 50, 60)
        + plants.lobed_leaves(ink, [(50, 108, 30, 175), (88, 120, 28, 160), (12, 120, 28, 200)])
        + plants.chrysanthemums(ink, [(22, 110, 22, "yellow"), (78, 108, 22, "yellow"), (50, 142, 22, "red")])
    )


def _kiku_ribbon(ink: Inks) -> str:
    leaves = [(20, 66, 26, -10), (80, 110, 26, 170), (20, 146, 26, 200), (82, 80, 24, 20)]
    flowers = [(20, 44, 22, "yellow"), (80, 66, 22, "red"), (22, 114, 22, "red"), (80, 134, 22, "yellow")]
    return plants.lobed_leaves(ink, leaves) + plants.chrysanthemums(ink, flowers) + objects.blue_ribbon(ink)


def _kiku_1(ink: Inks) -> str:
    leaves = [(50, 90, 28, -10), (84, 90, 28, 30), (16, 96, 28, -30), (50, 150, 28, 100), (64, 112, 26, 60)]
    flowers = [(30, 60, 23, "yellow"), (74, 54, 21, "red"), (66, 128, 24, "yellow"), (22, 138, 18, "red")]
    return plants.lobed_leaves(ink, leaves) + plants.chrysanthemums(ink, flowers)


def _kiku_2(ink: Inks) -> str:
    leaves = [(50, 96, 28, 10), (16, 90, 28, -30), (84, 96, 28, 30), (50, 150, 28, -100), (36, 112, 26, -60)]
    flowers = [(72, 66, 23, "yellow"), (28, 50, 21, "yellow"), (32, 126, 24, "red"), (80, 140, 18, "yellow")]
    return plants.lobed_leaves(ink, leaves) + plants.chrysanthemums(ink, flowers)


# --- October: maple ----------------------------------------------------------------------------------------------


def _deer(ink: Inks) -> str:
    leaves = [
        (84, 26, 22, 200, "red"), (60, 16, 18, 160, "green"), (86, 62, 21, 185, "yellow"), (8, 20, 20, 150, "red"),
        (34, 14, 18, 180, "yellow"), (66, 42, 15, 215, "red"), (94, 92, 18, 170, "green"),
    ]  # fmt: skip
    return plants.maples(ink, leaves) + creatures.deer(ink)


def _maple_ribbon(ink: Inks) -> str:
    leaves = [
        (18, 30, 23, 160, "red"), (52, 16, 20, 190, "green"), (84, 34, 23, 200, "yellow"), (14, 72, 23, 200, "green"),
        (86, 78, 23, 160, "red"), (20, 112, 23, 170, "yellow"), (82, 120, 23, 210, "green"), (46, 144, 22, 180, "red"),
        (94, 154, 18, 190, "yellow"), (8, 150, 20, 190, "red"),
    ]  # fmt: skip
    return plants.maples(ink, leaves) + objects.blue_ribbon(ink)


def _maple_1(ink: Inks) -> str:
    leaves = [
        (24, 44, 25, 160, "red"), (66, 34, 23, 200, "green"), (86, 68, 24, 190, "red"), (48, 74, 25, 175, "yellow"),
        (14, 92, 23, 150, "green"), (76, 108, 25, 205, "yellow"), (40, 116, 25, 165, "red"),
        (14, 146, 22, 190, "yellow"), (64, 146, 24, 180, "red"), (98, 140, 21, 170, "green"),
    ]  # fmt: skip
    return plants.branch(ink, "-3,48 30,32 66,26 103,8") + plants.maples(ink, leaves)


def _maple_2(ink: Inks) -> str:
    leaves = [
        (74, 48, 25, 200, "yellow"), (30, 36, 23, 160, "red"), (12, 74, 24, 170, "red"), (52, 80, 25, 185, "green"),
        (90, 90, 23, 210, "red"), (26, 114, 25, 155, "yellow"), (64, 122, 25, 195, "red"),
        (92, 140, 22, 170, "yellow"), (36, 148, 23, 180, "green"), (4, 146, 21, 190, "red"),
    ]  # fmt: skip
    return plants.branch(ink, "103,46 72,30 34,26 -3,10") + plants.maples(ink, leaves)


# --- November: willow --------------------------------------------------------------------------------------------


def _rain_man(ink: Inks) -> str:
    strands = "24,0 22,12 25,28", "44,0 42,6 45,14", "66,0 68,6 66,14", "91,0 88,40 92,96", "8,0 5,40 9,84"
    stream = map(curve, ("66,118 80,114 100,119", "66,126 82,122 100,127", "68,134 84,130 100,135"))
    return (
        plants.willow(ink, strands, 18)
        + line(ink.violet, 2.4, *stream)
        + creatures.rain_man(ink)
        + creatures.frog(ink, 82, 156)
    )


def _swallow(ink: Inks) -> str:
    strands = "14,0 10,60 18,130", "34,0 32,40 36,80", "66,0 70,60 62,150", "88,0 84,60 92,110"
    return plants.willow(ink, strands) + creatures.swallow(ink, 42, 96, -38)


def _willow_ribbon(ink: Inks) -> str:
    strands = "11,0 8,60 12,138", "30,0 27,60 32,104", "50,0 52,80 48,156", "70,0 67,60 71,116", "90,0 92,60 88,144"
    return plants.willow(ink, strands) + objects.red_ribbon(ink)


# --- December: paulownia -----------------------------------------------------------------------------------------


def _phoenix(ink: Inks) -> str:
    return plants.kiri_leaves(ink, [(20, 141, 24, 20), (80, 141, 24, -20), (50, 137, 25, 0)]) + creatures.phoenix(ink)


def _paulownia(ink: Inks, low: float, *, tall: int) -> str:
    """The crest form: three leaves, and over them three spikes, the middle one with `tall` bells."""
    spikes = [(20, 92, 5), (80, 92, 5), (50, 88, tall)]
    leaves = [(20, 100 + low, 30, 24), (80, 100 + low, 30, -24), (50, 96 + low, 33, 0)]
    bells = "".join(plants.kiri_spike(ink, x, y + low, count) for x, y, count in spikes)
    return bells + plants.kiri_leaves(ink, leaves)


def _yellow_paulownia(ink: Inks) -> str:
    """The band is ruled off by a double line, so that it is seen without its colour."""
    band = fill(ink.yellow, polygon("0,128 100,128 100,163 0,163"))
    rules = line(ink.black, ink.line, segments([(128j, 100 + 128j), (133j, 100 + 133j)]))
    return band + rules + _paulownia(ink, -12, tall=7)


def _paulownia_1(ink: Inks) -> str:
    return _paulownia(ink, 0, tall=7)


def _paulownia_2(ink: Inks) -> str:
    return _paulownia(ink, 16, tall=9)


# --- all of them -------------------------------------------------------------------------------------------------

DRAWINGS: tuple[Drawing, ...] = (
    _crane, _pine_ribbon, _pine_1, _pine_2,
    _warbler, _plum_ribbon, _plum_1, _plum_2,
    _curtain, _cherry_ribbon, _cherry_1, _cherry_2,
    _cuckoo, _wisteria_ribbon, _wisteria_1, _wisteria_2,
    _bridge, _iris_ribbon, _iris_1, _iris_2,
    _butterflies, _peony_ribbon, _peony_1, _peony_2,
    _boar, _clover_ribbon, _clover_1, _clover_2,
    _moon, _geese, _susuki_1, _susuki_2,
    _sake_cup, _kiku_ribbon, _kiku_1, _kiku_2,
    _deer, _maple_ribbon, _maple_1, _maple_2,
    _rain_man, _swallow, _willow_ribbon, objects.storm,
    _phoenix, _yellow_paulownia, _paulownia_1, _paulownia_2,
)  # fmt: skip


def back(ink: Inks) -> str:
    """The back of every card: one cherry blossom on red, within a thin rule."""
    ground = fill(ink.red, polygon("0,0 100,0 100,163 0,163"))
    rule = outlined("none", ink.paper, 1.5, polygon("10,10 90,10 90,153 10,153"))
    return ground + rule + plants.cherry_blossoms(ink, [(50, 81.5, 28, 0)])
