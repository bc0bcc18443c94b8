"""`Rules`: what a table has agreed on. Frozen, checked, and the same in every part of the program."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple

from .cards import DECK_SIZE, read_table
from .checks import one_of, shown, switch, whole

# players -> (hand, field)
DEALS: Mapping[int, tuple[int, int]] = {
    int(r["players"]): (int(r["hand"]), int(r["field"])) for r in read_table("deals")
}
MIN_PLAYERS, MAX_PLAYERS = min(DEALS), max(DEALS)

# players -> numbers of teams that they may form: seats i and i + 2 of four; i and i + 3, or every other seat, of six.
TEAMS: Mapping[int, tuple[int, ...]] = {4: (2,), 6: (2, 3)}

CHOICES: Mapping[str, tuple[str, ...]] = {
    "four_on_field": ("dealer", "redeal"),
    "lightning": ("sweep", "claim", "sweep_all", "plain"),
    "lightning_dealt": ("stays", "discarded"),
    "yaku": ("penalty", "bonus"),
    "match_scoring": ("points", "rounds"),
}
_SWITCHES = ("hiki", "lightning_from_pile", "play_out_pile", "chu", "basa")

PRESETS: Mapping[str, Mapping[str, Any]] = {
    "hawaii": {},
    "paradise": {"match_scoring": "rounds"},
    "wikipedia": {"hiki": False, "lightning": "claim"},
}


class RuleNumbers(NamedTuple):
    """The rules of one round as whole numbers, for the engine. Switches are 0 or 1; `lightning` indexes CHOICES."""

    players: int
    sides: int
    hand: int
    field: int
    redeal: int
    hiki: int
    lightning: int
    lightning_from_pile: int
    lightning_discarded: int
    play_out_pile: int
    bonus: int


SWEEP, CLAIM, SWEEP_ALL, PLAIN = range(4)


class _Usual(int):
    """A number of cards that nobody gave: the usual one. Rules made from others find it anew, for their own players."""


@dataclass(frozen=True, kw_only=True)
class Rules:
    """The rules of one table; the defaults are Hawaii's. Raises ValueError or TypeError on anything else.

    Sources: WP, the encyclopedia's "Sakura (card game)"; FW, the FudaWiki; HH and PF, its accounts of Hanafuda Hawaii
    Style and of the Paradise Factors leaflet. Where they differ there is a house rule:

    players: 2 to 7 (FW).
    teams: None, each for oneself; or 2 of 4 players, 2 or 3 of 6 (WP).
    hand, field: cards dealt to each hand and to the field; None for the table in `data/deals.csv` (FW). Rules remember
        that: where they are handed on to a table for more or fewer players (`replace`), its own numbers count.
    four_on_field: four of a suit dealt to the field go to the "dealer" (FW), or there is a "redeal".
    hiki: all four cards of a suit between hand and field may be taken at once (FW; WP has no hiki).
    lightning: what the Lightning brings when it takes a card of another suit. "sweep": at the end, what is left of
        that suit on the field (FW, PF). "claim": the next point card of that suit that another player takes or anyone
        turns up (WP). "sweep_all": at the end, all that is left on the field (FW). "plain": it is not wild at all.
    lightning_from_pile: it is wild when turned up, too.
    lightning_dealt: dealt to the field it "stays", or is "discarded" from the game (FW).
    play_out_pile: hands that hikis emptied early do not end the round; the pile is turned up to its end (FW, English).
    yaku: each costs every opposing side 50, "penalty", or brings its own side 50, "bonus".
    match_scoring: scores add up, "points" (HH), or the round's winner gets a victory, "rounds" (PF).
    chu, basa: with "rounds", a win by 50 or more, and by 100 or more, counts for more (PF).
    """

    players: int = 2
    teams: int | None = None
    hand: int = None  # type: ignore[assignment]  # None is filled in from DEALS
    field: int = None  # type: ignore[assignment]
    four_on_field: str = "dealer"
    hiki: bool = True
    lightning: str = "sweep"
    lightning_from_pile: bool = False
    lightning_dealt: str = "stays"
    play_out_pile: bool = False
    yaku: str = "penalty"
    match_scoring: str = "points"
    chu: bool = False
    basa: bool = False

    def __post_init__(self) -> None:
        self._set("players", whole("players", self.players, MIN_PLAYERS, MAX_PLAYERS + 1))
        hand, on_field = DEALS[self.players]
        self._set("hand", _Usual(hand) if _not_given(self.hand) else whole("hand", self.hand, 1))
        self._set("field", _Usual(on_field) if _not_given(self.field) else whole("field", self.field, 0))
        self._check_deal()
        self._check_teams()
        for name, allowed in CHOICES.items():
            one_of(name, getattr(self, name), allowed)
        for name in _SWITCHES:
            switch(name, getattr(self, name))
        largest = DECK_SIZE * 3 // 4
        if self.four_on_field == "redeal" and self.field > largest:
            raise ValueError(
                f"a field of {self.field} always holds four of a suit, so four_on_field='redeal' would deal for ever; "
                f"it can have {largest} cards at most"
            )

    def _set(self, name: str, value: object) -> None:
        # Frozen for everyone else.
        object.__setattr__(self, name, value)

    def _check_deal(self) -> None:
        dealt = self.players * self.hand + self.field
        if dealt > DECK_SIZE:
            raise ValueError(
                f"a deal of {self.players} hands of {shown(self.hand)} and a field of {shown(self.field)} needs "
                f"{shown(dealt)} cards; the deck has {DECK_SIZE}"
            )

    def _check_teams(self) -> None:
        if self.teams is None:
            return
        self._set("teams", whole("teams", self.teams, 1))
        allowed = TEAMS.get(self.players, ())
        if self.teams not in allowed:
            possible = " or ".join(map(str, allowed)) or "no"
            raise ValueError(
                f"{self.players} players can form {possible} teams, got teams={shown(self.teams)}; "
                f"None means that each plays alone"
            )

    @classmethod
    def preset(cls, name: str, **changes: Any) -> "Rules":
        """One of the presets "hawaii" (HH), "paradise" (PF) and "wikipedia" (WP), with `changes`."""
        return cls.from_dict({**PRESETS[one_of("preset", name, PRESETS)], **changes})

    @classmethod
    def from_dict(cls, options: Mapping[str, Any]) -> "Rules":
        """The rules with these options; raises ValueError for an option that does not exist."""
        _check_names(options)
        return cls(**options)

    def replace(self, **changes: Any) -> "Rules":
        """These rules with `changes`; raises ValueError for an option that does not exist.

        >>> Rules(players=2, hiki=False).replace(players=4)
        Rules(players=4, hiki=False)
        """
        _check_names(changes)
        return replace(self, **changes)

    @classmethod
    def from_saved(cls, options: Mapping[str, Any]) -> "Rules":
        """The rules that `to_dict` has written. Raises ValueError or TypeError for what it would not write."""
        rules = cls.from_dict(options)
        if "players" not in options or None in options.values():
            raise ValueError(f"rules are saved with their players, and without what is as usual, got {shown(options)}")
        return rules

    def to_dict(self) -> dict[str, Any]:
        """`players`, and the options that differ from their defaults, as `from_dict` reads them."""
        default = Rules(players=self.players)
        return {
            f.name: getattr(self, f.name)
            for f in fields(self)
            if f.name == "players" or getattr(self, f.name) != getattr(default, f.name)
        }

    def __str__(self) -> str:
        return ", ".join(f"{name}={value!r}" for name, value in self.to_dict().items())

    def __repr__(self) -> str:
        return f"Rules({self})"

    @property
    def sides(self) -> int:
        """How many sides score: the teams, or the players where each plays alone."""
        return self.teams or self.players

    def side_of(self, seat: int) -> int:
        """The side on which a seat plays; partners sit `sides` seats apart."""
        return seat % self.sides

    def seats_of(self, side: int) -> tuple[int, ...]:
        """The seats of a side, in order of play."""
        return tuple(range(side, self.players, self.sides))

    @property
    def pile(self) -> int:
        """How many cards the pile has after the deal."""
        return DECK_SIZE - self.players * self.hand - self.field

    @property
    def dead(self) -> int:
        """How many cards of the pile are never turned up in a round without hikis."""
        return 0 if self.play_out_pile else max(0, self.pile - self.players * self.hand)

    def numbers(self) -> RuleNumbers:
        """What the engine needs to know, as numbers."""
        return RuleNumbers(
            players=self.players,
            sides=self.sides,
            hand=int(self.hand),
            field=int(self.field),
            redeal=int(self.four_on_field == "redeal"),
            hiki=int(self.hiki),
            lightning=CHOICES["lightning"].index(self.lightning),
            lightning_from_pile=int(self.lightning_from_pile),
            lightning_discarded=int(self.lightning_dealt == "discarded"),
            play_out_pile=int(self.play_out_pile),
            bonus=int(self.yaku == "bonus"),
        )


def _not_given(cards: object) -> bool:
    return cards is None or isinstance(cards, _Usual)


def _check_names(options: Mapping[str, Any]) -> None:
    if not isinstance(options, Mapping):
        raise TypeError(f"rules must be house rules by their names, got {shown(options)}")
    known = {f.name for f in fields(Rules)}
    for name in options:
        if name not in known:
            raise ValueError(f"no house rule is called {shown(name)}; there are {', '.join(sorted(known))}")
