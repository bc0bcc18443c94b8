"""The eight yaku, read from `data/yaku.csv`: sets of three cards, 50 points each."""

from typing import NamedTuple

from .cards import Cards, card_set, read_table

YAKU_POINTS = 50


class Yaku(NamedTuple):
    """One yaku: `number` 1 to 8, `syllable` of the Iroha, `cards` the set of its three card ids."""

    number: int
    syllable: str
    cards: Cards
    name: str

    def __str__(self) -> str:
        return f"{self.syllable} ({self.name})"

    def _repr_html_(self) -> str:
        # Art stands on the yaku, and `import sakura` should not wait for it.
        from .art.page import yaku_html

        return yaku_html(self)


YAKU: tuple[Yaku, ...] = tuple(
    Yaku(int(r["number"]), r["syllable"], Cards(map(int, r["cards"].split())), r["name"]) for r in read_table("yaku")
)
YAKU_SETS: tuple[int, ...] = tuple(card_set(y.cards) for y in YAKU)


def completed(cards: int) -> int:
    """The yaku a card set holds, as bits: bit `k` set for `YAKU[k]`. Also callable from compiled strategies."""
    found = 0
    for k in range(len(YAKU_SETS)):
        if cards & YAKU_SETS[k] == YAKU_SETS[k]:
            found |= 1 << k
    return found
