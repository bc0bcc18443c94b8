"""What the game table's next deal is to be like: house rules, players, length of the match, seed; and the opponents."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from ..agents import DESCRIPTIONS, Strategy
from ..cards import read_table
from ..checks import shown
from ..match import Match
from ..rules import DEALS, PRESETS, TEAMS, Rules
from .elements import Child, Element, box, choice, entry, switch

Agent = str | Strategy

# Each house rule that is one of several, in words; and each that is on or off.
RULE_CHOICES: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "four_on_field": (
        "Four of a suit dealt to the field",
        {"dealer": "go to the dealer at once", "redeal": "mean that all cards are dealt again"},
    ),
    "lightning": (
        "The Lightning",
        {
            "sweep": "takes any card, and at the end what is left of that suit on the field",
            "claim": "takes any card, and then the next point card of that suit",
            "sweep_all": "takes any card, and at the end all that is left on the field",
            "plain": "is an ordinary Willow card",
        },
    ),
    "lightning_dealt": (
        "The Lightning dealt to the field",
        {"stays": "stays there", "discarded": "leaves the game"},
    ),
    "yaku": ("A yaku", {"penalty": "costs every other side 50", "bonus": "brings its own side 50"}),
    "match_scoring": ("A match is won by", {"points": "the most points", "rounds": "the most victories, one a round"}),
}
RULE_SWITCHES: Mapping[str, str] = {
    "hiki": "Hiki: whoever has all four cards of a suit between hand and field may take them at once",
    "lightning_from_pile": "The Lightning takes any card when it is turned up from the pile, too",
    "play_out_pile": "When all hands are empty, the pile is still turned up to its end",
    "chu": "Chu: a victory by 50 or more counts one more (only with victories)",
    "basa": "Basa: a victory by 100 or more counts one more (only with victories)",
}
_PRESETS = {
    "": "our own",
    "hawaii": "Hawaii: the usual ones",
    "paradise": "Paradise: victories are counted",
    "wikipedia": "Wikipedia: no hiki, the Lightning claims",
}
_TABLE = ("players", "teams", "hand", "field")


def _number(what: str, typed: str) -> int:
    try:
        return int(typed)
    except ValueError:
        raise ValueError(f"{what}: a whole number is needed, got {shown(typed)}") from None


@dataclass
class Wish:
    """What the next deal is to be like. `options` are those of Rules; nothing is checked until `match` is called.

    goal, length: to so many "rounds", or to such a "score".
    """

    options: dict[str, Any]
    goal: str
    length: int
    seed: int

    @classmethod
    def of(cls, match: Match) -> "Wish":
        """A match like this one, of the next seed."""
        goal = "rounds" if match.rounds is not None else "score"
        return cls(match.rules.to_dict(), goal, match.rounds or match.score or 1, match.seed + 1)

    def match(self) -> Match:
        """The match that is wished for. Raises ValueError or TypeError, in words, where there can be none."""
        rules = Rules.from_dict(self.options)
        if self.goal == "score":
            return Match(rules, seed=self.seed, score=self.length)
        return Match(rules, seed=self.seed, rounds=self.length)

    def set_option(self, name: str, value: Any) -> None:
        """Wish for a house rule."""
        self.options[name] = value

    def set_players(self, value: str) -> None:
        """ "4" is four players, "4/2" four players in two teams; hands and field are as usual for so many."""
        players, _, teams = value.partition("/")
        chosen = {"players": _number("Players", players)} | ({"teams": _number("Teams", teams)} if teams else {})
        self.options = {name: value for name, value in self.options.items() if name not in _TABLE} | chosen

    def set_cards(self, name: str, what: str, typed: str) -> None:
        """How many cards are dealt to each hand, or to the field; nothing typed: as many as usual."""
        if typed.strip():
            self.options[name] = _number(what, typed)
        else:
            self.options.pop(name, None)

    def set_preset(self, name: str) -> None:
        """All house rules of a preset; the table stays as large as it is."""
        if name:
            kept = {option: self.options[option] for option in _TABLE if option in self.options}
            self.options = {**PRESETS[name], **kept}

    def set_goal(self, goal: str) -> None:
        """To go to a number of "rounds", or to a "score"."""
        self.goal = goal

    def set_length(self, typed: str) -> None:
        """To how many rounds, or to which score."""
        self.length = _number("The length of the match", typed)

    def set_seed(self, typed: str) -> None:
        """Which deal it is to be."""
        self.seed = _number("The seed", typed)

    def _value(self, name: str) -> Any:
        return self.options.get(name, getattr(Rules(), name))

    def _preset(self) -> str:
        ours = {name: value for name, value in self.options.items() if name not in _TABLE}
        ours = {name: value for name, value in ours.items() if value != getattr(Rules(), name)}
        return next((name for name, preset in PRESETS.items() if preset == ours), "")

    # ---- To be seen ----

    def draw(self, deal: Element) -> Element:
        """The controls, and the button `deal`."""
        return box(
            self._table_controls(),
            self._rule_controls(),
            box(deal, kind="controls"),
            kind="game-setup",
        )

    def _table_controls(self) -> Element:
        hand, on_field = DEALS.get(self.options["players"], ("", ""))
        lengths = {"rounds": "a number of rounds", "score": "a total"}
        players = str(self.options["players"])
        if self.options.get("teams"):
            players += f"/{self.options['teams']}"
        hand_words, field_words = "Cards in each hand", "Cards on the field"
        return box(
            choice("Players", _tables(), players, self.set_players),
            entry(
                hand_words,
                self.options.get("hand", hand),
                partial(self.set_cards, "hand", hand_words),
                number=True,
            ),
            entry(
                field_words,
                self.options.get("field", on_field),
                partial(self.set_cards, "field", field_words),
                number=True,
            ),
            choice("The match goes to", lengths, self.goal, self.set_goal),
            entry("How many", self.length, self.set_length, number=True),
            entry("Seed", self.seed, self.set_seed, number=True),
            kind="controls",
        )

    def _rule_controls(self) -> Element:
        lines: list[Child] = [choice("All house rules of", _PRESETS, self._preset(), self.set_preset)]
        for name, (words, values) in RULE_CHOICES.items():
            lines.append(choice(words, values, self._value(name), partial(self.set_option, name), key=name))
        for name, words in RULE_SWITCHES.items():
            lines.append(switch(words, self._value(name), partial(self.set_option, name), key=name))
        return box(*lines, kind="game-rules")


def _tables() -> dict[str, str]:
    found = {}
    for players in DEALS:
        found[str(players)] = f"{players}, each for oneself"
        for teams in TEAMS.get(players, ()):
            found[f"{players}/{teams}"] = f"{players}, in {teams} teams of {players // teams}"
    return found


# ---- Opponents ----


def opponent_controls(
    agents: tuple[str, ...],
    me: int | None,
    known: Mapping[str, Strategy],
    rules: Rules,
    seat: Callable[[int, str], None],
) -> Element:
    """Who plays each seat but the person's; `seat` is called with the seat and the name of its new strategy."""
    return box(
        *(
            agent_choice(f"Seat {number}", number, agents[number], known, rules, seat)
            for number in range(len(agents))
            if number != me
        ),
        kind="game-rules",
    )


def agent_choice(
    label: str,
    number: int,
    agent: str,
    known: Mapping[str, Strategy],
    rules: Rules,
    seat: Callable[[int, str], None],
    key: str = "agent",
) -> Element:
    """Chooses who plays the seat `number`, by name, with a line on each and its rating, where it has one."""
    rated = {row["agent"]: f" (rating {_rating(row)})" for row in ladder(rules)}
    options = {name: f"{name}: {_described(name, one)}{rated.get(name, '')}" for name, one in known.items()}
    return choice(label, options, agent, partial(seat, number), key=f"{key}-{number}")


def _described(name: str, strategy: Strategy) -> str:
    """What a strategy does, in a line: the first of its own description, if it has one."""
    if name in DESCRIPTIONS:
        return DESCRIPTIONS[name]
    words = (strategy.__doc__ or "").strip().splitlines()
    return words[0] if words else "a strategy of your own"


def ladder(rules: Rules) -> list[dict[str, str]]:
    """The ladder of agents at tables of so many players and sides, a row for each; empty where there is none."""
    try:
        rows = read_table("ladder")
    except FileNotFoundError:
        return []
    table = (str(rules.players), str(rules.sides))
    return [row for row in rows if (row["players"], row["sides"]) == table and row["rating"]]


def ladder_source(rules: Rules) -> str:
    """Where the ratings come from, in brackets; nothing where there are none."""
    rows = ladder(rules)
    if not rows:
        return ""
    few, most = (end(int(row["deals"]) for row in rows) for end in (min, max))
    deals = f"{few:,}" if few == most else f"{few:,} to {most:,}"
    return f" (95 % intervals of ratings from {deals} deals, seed {rows[0]['seed']})"


def _rating(row: Mapping[str, str]) -> str:
    value, low, high = (f"{float(row[column]):.0f}" for column in ("rating", "rating_low", "rating_high"))
    return f"{value} [{low}, {high}]" if low != high else value
