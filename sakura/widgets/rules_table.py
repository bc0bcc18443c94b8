"""`RulesTable`: pick the house rules of a table, and see at once what they change.

What a rule says and what it changes is `sakura.house_rules`'; the controls are those of the game table.
"""

from collections.abc import Hashable, Mapping
from concurrent.futures import Future, wait
from dataclasses import dataclass, replace
from functools import lru_cache, partial

from .. import house_rules
from ..background import begin
from ..bits import SEEDS
from ..checks import one_of, shown, whole
from ..coach import ready
from ..house_rules import MEASURES, OF_A_MATCH, SHARE, Effects, MatchEffects, choices, differing, idle, told
from ..machine import has_numba
from ..results import Results
from ..rules import DEALS, PRESETS, Rules
from ..simulate import simulate
from .base import View, css
from .elements import Child, Element, box, choice, details, entry, interval, listing, strong, switch, table, text
from .game_setup import Wish

AGENTS: Mapping[str, str] = {
    "greedy": "greedy: take what brings most at once",
    "careful": "careful: plan ahead, as under Hawaii's rules",
    "random": "random: play anything",
}
# As many as are played between a click and its answer; in plain Python that is a hundred times as slow.
ROUNDS = (5_000, 20_000, 100_000) if has_numba() else (100, 400, 2_000)
# A match has so many rounds, and no more of them are played: each takes its rounds once for every dealer.
MATCH, MATCHES = 6, 1_000
_LOOPS = ("play_rounds",)
_READY_YET, _PLAYED_YET = 700, 250
# So many seconds they may be played while everything waits.
_MOMENT = 0.2
# Where a bar reaches its end.
_FULL = {"points": 5.0, "yaku": 0.5, "cards": 5.0, "turns": 5.0, SHARE: 5.0}


@lru_cache(maxsize=8)
def _played(rules: Rules, agent: str, rounds: int, seed: int) -> Results:
    return simulate(rounds, rules, agent, seed, progress=False)


@lru_cache(maxsize=8)
def _matches(rules: Rules, base: Rules, agent: str, rounds: int, seed: int) -> MatchEffects:
    return house_rules.match_effects(rules, base, agent, min(MATCHES, rounds // MATCH), MATCH, seed)


def _compared(
    rules: Rules, base: Rules, agent: str, rounds: int, seed: int, of_a_match: bool
) -> tuple[Effects, MatchEffects | None]:
    """What these rules change in a round and, where that is asked for, in a match."""
    after, before = (_played(each, agent, rounds, seed) for each in (rules, base))
    return house_rules.compare(after, before), _matches(rules, base, agent, rounds, seed) if of_a_match else None


@dataclass
class _Choice(Wish):
    """The rules that are wished for, the preset they are compared with, and who plays how many rounds."""

    base: str = "hawaii"
    agent: str = "greedy"
    rounds: int = ROUNDS[1]

    def rules(self) -> Rules:
        return Rules.from_dict(self.options)

    def base_rules(self) -> Rules:
        return Rules.preset(self.base, players=self.options["players"])

    def rule_controls(self) -> Element:
        return self._rule_controls()


class RulesTable(View[_Choice]):
    """The house rules of a table, to be chosen, and what they change against a preset.

    rules: those to begin with, Hawaii's for two players where none are given; each plays alone.  base: the preset to
    compare with.  agent: who plays, one of `AGENTS`.  rounds, seed: how many rounds, and on which packs.

    Raises ValueError or TypeError for arguments that make no sense.
    """

    title = "House rules"
    _css = css("game_table")
    # What was asked for last, and what comes of it.
    _asked: tuple[Hashable, Future[tuple[Effects, MatchEffects | None]]] | None = None

    def __init__(
        self,
        rules: Rules | None = None,
        *,
        base: str = "hawaii",
        agent: str = "greedy",
        rounds: int = ROUNDS[1],
        seed: int = 1,
    ) -> None:
        rules = Rules() if rules is None else rules
        if not isinstance(rules, Rules):
            raise TypeError(f"rules must be sakura.Rules(...), got {shown(rules)}")
        if rules.teams is not None:
            raise ValueError("teams are not compared here; give rules where each plays alone")
        for name, value, allowed in (("base", base, PRESETS), ("agent", agent, AGENTS)):
            one_of(name, value, allowed)
        chosen = whole("rounds", rounds, MATCH), whole("seed", seed, 0, SEEDS)

        def start() -> _Choice:
            return _Choice(rules.to_dict(), "rounds", MATCH, chosen[1], base, agent, chosen[0])

        super().__init__(start, settings=(rules, base, agent, *chosen))
        # The picture that stays shall show what was found.
        if self._asked and self.shown["after"]:
            wait([self._asked[1]])
            self.refresh()

    # ---- What it knows ----

    @property
    def rules(self) -> Rules:
        """The rules that are chosen."""
        return self.state.rules()

    @property
    def effects(self) -> Effects:
        """What they change."""
        state = self.state
        return _compared(self.rules, state.base_rules(), state.agent, state.rounds, state.seed, False)[0]

    # ---- What a person does ----
    # The controls change `state` itself; what came of it is said when it is drawn.

    def _choose(self, name: str, allowed: Mapping[str, object], value: str) -> None:
        if value not in allowed:
            raise ValueError(f"{name} must be one of {', '.join(allowed)}, got {shown(value)}")
        setattr(self.state, name, value)

    def _choose_rounds(self, value: str) -> None:
        self.state.rounds = whole("rounds", int(value), MATCH)

    def _choose_seed(self, typed: str) -> None:
        wish = replace(self.state)
        wish.set_seed(typed)
        whole("seed", wish.seed, 0, SEEDS)
        self.state = wish

    def _choose_hand(self, longest: bool) -> None:
        self.state.set_cards("hand", "Cards in each hand", str(choices("hand", self.rules)[longest]))

    # ---- What is to be seen ----

    def draw(self) -> Element:
        asked, answered = self._answer()
        contrast = " rules-contrast" if self.high_contrast else ""
        return box(
            self._table_controls(),
            box(box(self._rule_controls(), asked), box(*answered), kind=f"columns rules{contrast}"),
            # No cards are shown, so the learning aids printed on them are not offered.
            box(switch("High contrast", self.high_contrast, self._setter("high_contrast")), kind="controls"),
            kind="game",
        )

    def _table_controls(self) -> Element:
        state = self.state
        rounds = {str(n): f"{n:,}" for n in sorted({*ROUNDS, state.rounds})}
        return box(
            choice("Players", {str(n): str(n) for n in DEALS}, str(state.options["players"]), state.set_players),
            choice("Compared with", _presets(), state.base, partial(self._choose, "base", PRESETS)),
            choice("Who plays", AGENTS, state.agent, partial(self._choose, "agent", AGENTS)),
            choice("Rounds", rounds, str(state.rounds), self._choose_rounds),
            entry("Seed", state.seed, self._choose_seed, number=True),
            kind="controls",
        )

    def _rule_controls(self) -> Element:
        hands = choices("hand", self.rules)
        longer = None
        if len(hands) > 1:
            words = f"{hands[1]} cards in each hand instead of {hands[0]}, so that none is left over"
            longer = switch(words, self.rules.hand == hands[1], self._choose_hand, key="hand")
        controls = box(*self.state.rule_controls().children, longer, kind="game-rules")
        return box(controls, kind="panel", label="The house rules of this table")

    def _answer(self) -> tuple[Element | None, list[Child]]:
        """What differs, and what that changes."""
        rules, base = self.rules, self.state.base_rules()
        names = differing(rules, base)
        if not names:
            words = f"These are {self._base}. Choose others, and see what they change."
            self.say(words)
            return None, [box(text(words), kind="panel")]
        said = self._differences(names, rules, base)
        if not ready(_LOOPS):
            self.after(_READY_YET, lambda: None)
            words = "The part that plays the rounds is being compiled, once. That takes some seconds."
            self.say(words)
            return said, [box(text(words), kind="panel")]
        of_a_match = bool(set(names) & set(OF_A_MATCH) - set(idle(rules)))
        question = (rules, base, self.state.agent, self.state.rounds, self.state.seed, of_a_match)
        words = "The rounds are being played."
        if self._asked is None or self._asked[0] != question:
            self._asked = question, begin(partial(_compared, *question))
            wait([self._asked[1]], _MOMENT)
            if not self._asked[1].done():
                self.say(words)
        if not self._asked[1].done():
            self.after(_PLAYED_YET, lambda: None)
            return said, [box(text(words), kind="panel")]
        found, in_matches = self._asked[1].result()
        self.say(_headline(found))
        return said, [self._changes(found), in_matches and self._match(in_matches)]

    def _differences(self, names: tuple[str, ...], rules: Rules, base: Rules) -> Element:
        lines: list[Child] = []
        for name in names:
            why = idle(rules).get(name)
            instead = f" Instead of: {told(name, base)}"
            lines.append(
                text(
                    strong(str(told(name, rules))),
                    f" This changes nothing here: {why}." if why else None,
                    Element("span", {"class": "sakura-quiet"}, (instead,)),
                )
            )
        return box(text(strong(f"What differs from {self._base}")), listing(lines), kind="panel")

    @property
    def _base(self) -> str:
        return _presets()[self.state.base]

    def _changes(self, found: Effects) -> Element:
        rows: list[list[Child]] = [
            [measure.words, _was(found, name), _bar(found, name)] for name, measure in MEASURES.items()
        ]
        if found.same_hands:
            rows.append(["another winner", "–", f"{found.other_winner:.1%} of rounds"])
        return box(
            table("What changes in a round", ["measured", self._base, "change"], rows),
            text(
                f"{_minus(found.provenance)}. In brackets: intervals that hold all together with 95%. A bar is full at "
                f"5 points, 5 cards, 5 turns, 5% of rounds, or half a yaku.",
                kind="quiet",
            ),
            details(
                "What is measured?",
                listing(text(strong(measure.words), f": {measure.meaning}.") for measure in MEASURES.values()),
                key="measured",
            ),
            kind="panel",
        )

    def _match(self, found: MatchEffects) -> Element:
        rows: list[list[Child]] = [
            ["another winner", f"{found.other_winner:.1%}"],
            [f"a tie, {self._base}", f"{found.ties_before:.1%}"],
            ["a tie, these rules", f"{found.ties_after:.1%}"],
        ]
        return box(
            table(f"What changes in a match of {MATCH} rounds", ["measured", "share of matches"], rows),
            text(f"{found.other_winner.n:,} matches, seed {self.state.seed}; 95% intervals.", kind="quiet"),
            kind="panel",
        )


def _presets() -> dict[str, str]:
    return {name: f"{name.capitalize()}'s rules" for name in PRESETS}


def _minus(words: str) -> str:
    return words.replace("-", "−")


def _was(found: Effects, name: str) -> str:
    """What a measure is by the rules compared with; of units only the percent sign, the change has them all."""
    measure = MEASURES[name]
    return _minus(f"{measure.scaled(found.was[name]):.1f}") + ("%" if measure.unit == SHARE else "")


def _bar(found: Effects, name: str) -> Element | str:
    """A change as a bar with its interval, cut off where it is full, and in words."""
    measure, words = MEASURES[name], _minus(found.change(name))
    full = _FULL[measure.unit]
    value, low, high = (max(-full, min(full, measure.scaled(number))) for number in found.changes[name][:3])
    return words if found.same(name) else interval(low, value, high, (-full, full), words)


def _headline(found: Effects) -> str:
    """What came of it, in a sentence or two."""
    won = f"Another side wins {found.other_winner:.1%} of the rounds. "
    if not found.other_winner.value:
        won = "The same side wins every round. "
    parts = []
    for words, sign in (("more", 1), ("less", -1)):
        names = [name for name in MEASURES if found.shown(name) and found.changes[name].value * sign > 0]
        if names:
            parts.append(f"{words}: {', '.join(MEASURES[name].words for name in names)}")
    changed = "; ".join(parts) or "no change is shown in what is measured here"
    # Other hands are another round, and have another winner anyway.
    return (won if found.same_hands else "") + f"{changed[0].upper()}{changed[1:]}."
