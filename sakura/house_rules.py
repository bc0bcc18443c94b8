"""What a house rule changes: the same packs, played under two sets of rules, round by round.

    >>> from sakura import Rules, house_rules
    >>> found = house_rules.effects(Rules(hiki=False), rounds=2_000, seed=1)
    >>> print(found.provenance)
    2,000 rounds by each set of rules, the same deals, greedy, seed 1: players=2, hiki=False against players=2

Which house rules there are, and what they may be, is `sakura.rules`'; what they do is the engine's. Here is what each
means in words, and what becomes of a round, or of a match, at a table that plays by it.

The players of a simulation do not rethink: `greedy` and `careful` take what the rules let them take, but neither plans
by them, and careful's weights were fitted under Hawaii's rules. A change is the effect on such players.
"""

import html
import math
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from . import stats
from .agents import Agents
from .cards import DECK_SIZE
from .checks import shown, whole
from .match import BASA, CHU, result
from .results import Results, winners
from .rules import CHOICES, DEALS, Rules
from .run import Run
from .simulate import simulate
from .stats import Estimate
from .yaku import YAKU_POINTS

if TYPE_CHECKING:
    import pandas as pd

Numbers = npt.NDArray[np.float64]

# The size of a table, rather than what it agrees on.
_SIZE = ("players", "teams", "field")
HOUSE_RULES = tuple(option.name for option in fields(Rules) if option.name not in _SIZE)
# They count the rounds of a match, and leave a round as it is.
OF_A_MATCH = ("match_scoring", "chu", "basa")


# The unit of a share of rounds; and what stands for the source of a rule that none of our sources names.
SHARE = "%"
VARIANT = "a variant, in none of our sources"


# ---- In words ----


class Told(NamedTuple):
    """What a house rule says, in a sentence, and where that is from: the short names of `sakura.rules`, or VARIANT."""

    words: str
    source: str

    def __str__(self) -> str:
        return f"{self.words} ({self.source})."


_WORDS: Mapping[str, Mapping[Any, Told]] = {
    "four_on_field": {
        "dealer": Told("Four of a suit dealt to the field go to the dealer at once", "FW"),
        "redeal": Told("With four of a suit dealt to the field, all cards are dealt again", VARIANT),
    },
    "hiki": {
        True: Told(
            "Hiki: all four cards of a suit between hand and field may be taken at once, and are safe from another's "
            "Lightning",
            "FW",
        ),
        False: Told(
            "There is no hiki: whoever has all four cards of a suit plays them one by one, and none is safe from a "
            "wild Lightning",
            "WP",
        ),
    },
    "lightning": {
        "sweep": Told(
            "The Lightning takes any card, and at the end what is left of that suit on the field", "FW and PF"
        ),
        "claim": Told(
            "The Lightning takes any card, and then the next point card of that suit that another captures or anyone "
            "turns up",
            "WP",
        ),
        "sweep_all": Told("The Lightning takes any card, and at the end all that is left on the field", "FW"),
        "plain": Told("The Lightning is an ordinary Willow card, and takes no other suit", VARIANT),
    },
    "lightning_from_pile": {
        True: Told("The Lightning takes any card when it is turned up from the pile, too", VARIANT),
        False: Told("The Lightning takes any card only when it is played from a hand", "FW"),
    },
    "lightning_dealt": {
        "stays": Told("The Lightning dealt to the field stays there, as an ordinary Willow card", "FW"),
        "discarded": Told("The Lightning dealt to the field leaves the game", "FW"),
    },
    "play_out_pile": {
        True: Told("When all hands are empty, the pile is still turned up to its end", "FW in English"),
        False: Told("The round ends when all hands are empty", "FW in French"),
    },
    "yaku": {
        "penalty": Told(f"A yaku costs every other side {YAKU_POINTS}", "HH"),
        "bonus": Told(f"A yaku brings its own side {YAKU_POINTS}, and costs nobody anything", VARIANT),
    },
    "match_scoring": {
        "points": Told("A match is won by the most points", "HH"),
        "rounds": Told("A match is won by the most victories, one for each round's winner", "PF"),
    },
    "chu": {
        True: Told(f"Chu: a victory by {CHU} or more counts one more", "PF"),
        False: Told(f"A victory by {CHU} or more counts no more than others", "PF"),
    },
    "basa": {
        True: Told(f"Basa: a victory by {BASA} or more counts one more", "PF"),
        False: Told(f"A victory by {BASA} or more counts no more than others", "PF"),
    },
}


def told(name: str, rules: Rules) -> Told:
    """What the house rule `name` says at this table. Raises ValueError where there is none of that name."""
    if name == "hand":
        left = f"{rules.dead} cards are never seen" if rules.dead else "no card is dead"
        usual = rules.hand == DEALS[rules.players][0]
        return Told(f"{rules.hand} cards are dealt to each hand, so that {left}", "FW" if usual else VARIANT)
    if name not in HOUSE_RULES:
        raise ValueError(f"no house rule is called {shown(name)}; there are {', '.join(HOUSE_RULES)}")
    return _WORDS[name][getattr(rules, name)]


def choices(name: str, rules: Rules) -> tuple[Any, ...]:
    """What the house rule `name` may be at this table: its usual value first.

    For `hand` that is the usual number of cards, and the number with which every card comes to be played.
    """
    if name == "hand":
        everything = max(1, (DECK_SIZE - rules.field) // (2 * rules.players))
        return tuple(dict.fromkeys((DEALS[rules.players][0], everything)))
    usual = getattr(Rules(), name)
    return tuple(dict.fromkeys((usual, *CHOICES.get(name, (True, False)))))


def alternatives(base: Rules) -> dict[str, Rules]:
    """The tables that differ from `base` in one house rule, by what differs: "hiki=False" and so on.

    Those that could not matter there, as chu where no victories are counted, or could not be dealt are left out.
    """
    found: dict[str, Rules] = {}
    for name in HOUSE_RULES:
        for value in choices(name, base):
            with suppress(ValueError):
                rules = replace(base, **{name: value})
                if rules != base and name not in idle(base) and name not in idle(rules):
                    found[f"{name}={value!r}"] = rules
    return found


def differing(rules: Rules, base: Rules) -> tuple[str, ...]:
    """The house rules in which two tables differ."""
    return tuple(name for name in HOUSE_RULES if getattr(rules, name) != getattr(base, name))


def idle(rules: Rules) -> dict[str, str]:
    """The house rules that cannot matter at this table, whatever they say; and why."""
    found: dict[str, str] = {}
    if rules.match_scoring != "rounds":
        found |= dict.fromkeys(("chu", "basa"), "it counts only where a match is won by victories")
    if rules.lightning == "plain":
        found["lightning_from_pile"] = "the Lightning takes no other suit here"
    if not rules.hiki and rules.pile == rules.players * rules.hand:
        found["play_out_pile"] = "without hiki, hands and pile here end together"
    return found


# ---- Measured ----


def dealers_side(run: Results, table: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """From a table (rounds, sides) the column of the side that deals, and so plays first: (rounds,)."""
    return np.take_along_axis(table, (run.dealer[:, None] % run.rules.sides).astype(np.intp), axis=1)[:, 0]


def _dealers_lead(run: Results) -> Numbers:
    scores, others = run.scores.astype(np.int64), run.rules.sides - 1
    # Whole numbers until the last step, so that equal leads come out equal.
    return np.asarray((dealers_side(run, scores) * (others + 1) - scores.sum(axis=1)) / others)


def _dealers_wins(run: Results) -> Numbers:
    best = winners(run.scores)
    return np.asarray(dealers_side(run, best) / best.sum(axis=1))


class Measure(NamedTuple):
    """Something that is measured of every round: `of` gives a number for each (rounds,).

    words: what it is called.  meaning: what that is, in a line.  unit: of the numbers; those of a share of rounds are
    from 0 to 1, and told in percent.
    """

    words: str
    meaning: str
    unit: str
    of: Callable[[Results], Numbers]

    def scaled(self, value: float) -> float:
        """The value in the unit: a share of rounds in percent."""
        return 100 * value if self.unit == SHARE else value


MEASURES: Mapping[str, Measure] = {
    "score": Measure(
        "score of a side",
        "the mean of all sides' scores",
        "points",
        lambda run: run.scores.mean(axis=1, dtype=np.float64),
    ),
    "lead": Measure(
        "winner's lead",
        "the best score less the next; 0 in a tie",
        "points",
        lambda run: run.margins.max(axis=1).astype(np.float64),
    ),
    "yaku": Measure(
        "yaku made",
        "of all sides together",
        "yaku",
        lambda run: np.bitwise_count(run.yaku).sum(axis=1, dtype=np.float64),
    ),
    "cards": Measure(
        "cards captured",
        "of all sides together, of 48",
        "cards",
        lambda run: np.bitwise_count(run.captured).sum(axis=1, dtype=np.float64),
    ),
    "turns": Measure("turns", "of all players together", "turns", lambda run: run.turns.astype(np.float64)),
    "dealer's lead": Measure(
        "dealer's lead", "the score of the side that plays first less the mean of the others", "points", _dealers_lead
    ),
    "dealer's wins": Measure(
        "dealer's wins", "rounds that the side wins that plays first; a tie is shared", SHARE, _dealers_wins
    ),
    "ties": Measure(
        "ties",
        "rounds with several sides at the highest score",
        SHARE,
        lambda run: (winners(run.scores).sum(axis=1) > 1).astype(np.float64),
    ),
}


@dataclass(frozen=True, repr=False)
class Effects:
    """What rules change against others, by the same players on the same packs.

    run, base: what was played; `rounds` of each.
    was: for each of `MEASURES` its mean by the base's rules.
    changes: for each of `MEASURES` the mean of the paired differences, `run` less `base`, in its own unit, a share
        of rounds from 0 to 1.
    other_winner: the share of rounds that another side wins, or other sides tie for (Wilson's interval).
    confidence: that of each interval.
    """

    run: Run
    base: Run
    rounds: int
    was: Mapping[str, float]
    changes: Mapping[str, Estimate]
    other_winner: Estimate
    confidence: float

    @property
    def same_hands(self) -> bool:
        """Whether the rounds of a pair begin with the same hands; if not, only their packs are the same."""
        rules, base = self.run.rules, self.base.rules
        return (rules.hand, rules.field) == (base.hand, base.field)

    @property
    def pairing(self) -> str:
        """How far two rounds of a pair have their cards in common, in words."""
        if not self.same_hands:
            return "the same packs dealt into other hands"
        if self.run.rules.four_on_field != self.base.rules.four_on_field:
            return "the same deals, but for those that are dealt again"
        return "the same deals"

    @property
    def provenance(self) -> str:
        """Where the numbers come from, in a line."""
        agents = ", ".join(dict.fromkeys(self.run.agents))
        return (
            f"{self.rounds:,} rounds by each set of rules, {self.pairing}, {agents}, seed {self.run.seed}: "
            f"{self.run.rules} against {self.base.rules}"
        )

    def same(self, name: str) -> bool:
        """Whether a measure is the same in every single round."""
        change = self.changes[name]
        return change.low == change.high == 0

    def shown(self, name: str) -> bool:
        """Whether a change is told from none: its interval lies on one side of 0."""
        change = self.changes[name]
        return change.low > 0 or change.high < 0

    def numbers(self, name: str) -> str:
        """A change as "+0.10 [+0.05, +0.16]", as finely as the interval allows; shares of rounds are in percent."""
        value, low, high = (MEASURES[name].scaled(number) for number in self.changes[name][:3])
        if low == high:
            return f"{value:+g}" if value else "0"
        digits = max(0, math.ceil(-math.log10((high - low) / 2)))
        # An end that is not 0 should not look as if it were.
        while self.shown(name) and not round(min(abs(low), abs(high)), digits):
            digits += 1
        return f"{Estimate(value, low, high, self.rounds):+.{digits}f}"

    def change(self, name: str) -> str:
        """A change in words: "+0.10 [+0.05, +0.16] points", or that there is none."""
        if self.same(name):
            return "the same in every round"
        words, change = f"{self.numbers(name)} {MEASURES[name].unit}", self.changes[name]
        if change.low == change.high:
            return f"{words} in every round"
        return words if self.shown(name) else f"{words}, not told from 0"

    def __repr__(self) -> str:
        return f"<Effects: {self.provenance}>"

    def _repr_html_(self) -> str:
        return f"<p>{html.escape(self.provenance)}</p>{self.to_frame().to_html()}"

    def to_frame(self) -> "pd.DataFrame":
        """A row for each measure: what it is by the base's rules, its unit, and its change in words."""
        import pandas as pd

        rows = {
            measure.words: {
                "base": f"{measure.scaled(self.was[name]):.2f}",
                "unit": measure.unit,
                "change": self.change(name),
            }
            for name, measure in MEASURES.items()
        }
        return pd.DataFrame.from_dict(rows, orient="index")


def effects(
    rules: Rules,
    base: Rules | None = None,
    agents: Agents = "greedy",
    rounds: int = 20_000,
    seed: int = 0,
    among: int = 1,
) -> Effects:
    """What `rules` change against `base`, Hawaii's for as many players if None: `rounds` of each, by the same packs.

    agents, seed: as `simulate` takes them.  among: of how many such comparisons this is one; all their intervals
    together hold with 95% (Bonferroni, over the measures, too). Raises ValueError where the two cannot be compared.
    """
    base = _base(rules, base)
    return compare(simulate(rounds, rules, agents, seed), simulate(rounds, base, agents, seed), among)


def compare(after: Results, before: Results, among: int = 1) -> Effects:
    """The `effects` of what has been simulated already: the same rounds by two sets of rules.

    Raises ValueError where seeds, players, dealers, sides, or the numbers of the rounds differ.
    """
    _base(after.rules, before.rules)
    for what, one, other in (
        ("seed", after.seed, before.seed),
        ("agents", after.agents, before.agents),
        ("dealer", after.run.dealer, before.run.dealer),
        ("first round", after.first, before.first),
        ("number of rounds", len(after), len(before)),
    ):
        if one != other:
            raise ValueError(f"rounds pair off only with the same {what}, got {one} and {other}")
    confidence = stats.simultaneous((len(MEASURES) + 1) * whole("among", among, 1))
    was, changes = {}, {}
    for name, measure in MEASURES.items():
        old = measure.of(before)
        was[name] = float(old.mean())
        changes[name] = mean_of(measure.of(after) - old, confidence)
    other = (winners(after.scores) != winners(before.scores)).any(axis=1)
    other_winner = stats.proportion(int(other.sum()), len(after), confidence)
    return Effects(after.run, before.run, len(after), was, changes, other_winner, confidence)


def mean_of(values: npt.ArrayLike, confidence: float = stats.CONFIDENCE) -> Estimate:
    """`stats.mean`, for differences that may all be the same: then that is the value, and the interval has no width.

    An interval of no width says what was seen in so many rounds; that it is so in all others takes an argument.
    """
    sample = np.asarray(values, np.float64).ravel()
    if sample.size > 1 and (sample == sample[0]).all():
        return Estimate(float(sample[0]), float(sample[0]), float(sample[0]), sample.size)
    return stats.mean(sample, confidence)


def _base(rules: Rules, base: Rules | None) -> Rules:
    """The rules to compare with: Hawaii's where none are given. Raises ValueError where that makes no sense."""
    for given in (rules, base):
        if given is not None and not isinstance(given, Rules):
            raise TypeError(f"rules must be sakura.Rules(...), got {shown(given)}")
    base = Rules(players=rules.players, teams=rules.teams) if base is None else base
    if rules.players != base.players:
        raise ValueError(
            f"{rules.players} and {base.players} players cannot be compared: each side has another share of the 240 "
            f"points, and other deals"
        )
    if rules.sides != base.sides:
        raise ValueError(
            f"{rules.sides} and {base.sides} sides cannot be compared: a team's score is that of several players"
        )
    return base


# ---- Matches ----


class MatchEffects(NamedTuple):
    """What rules change in a match: the share of matches that another side wins, or other sides tie for; and the shares
    that end in a tie, by the base's rules and by the others."""

    other_winner: Estimate
    ties_before: Estimate
    ties_after: Estimate


def match_effects(
    rules: Rules,
    base: Rules | None = None,
    agents: Agents = "greedy",
    matches: int = 2_000,
    rounds: int = 6,
    seed: int = 0,
) -> MatchEffects:
    """What `rules` change in `matches` matches of `rounds` rounds against `base`, by the same packs.

    As `effects`; each of the three intervals holds with 95%.
    """
    base = _base(rules, base)
    after, before = (winners(match_totals(table, agents, matches, rounds, seed)) for table in (rules, base))
    other = (after != before).any(axis=1)
    shares = [other, *(won.sum(axis=1) > 1 for won in (before, after))]
    return MatchEffects(*(stats.proportion(int(share.sum()), matches) for share in shares))


def match_totals(
    rules: Rules, agents: Agents = "greedy", matches: int = 2_000, rounds: int = 6, seed: int = 0
) -> npt.NDArray[np.int64]:
    """Each side's total, points or victories, at the end of each match: (matches, sides).

    Match `m` plays the packs of the rounds from `m * rounds` on of `simulate` with that seed. Its first dealer is seat
    `m % players`; then whoever won the last round deals, so every round is simulated for every dealer.
    """
    count = whole("matches", matches, 1) * whole("rounds", rounds, 1)
    by_dealer = [simulate(count, rules, agents, seed, dealer=seat).scores.tolist() for seat in range(rules.players)]
    totals = np.zeros((matches, rules.sides), np.int64)
    for match in range(matches):
        dealer = match % rules.players
        for row in range(match * rounds, (match + 1) * rounds):
            brought = result(rules, dealer, by_dealer[dealer][row])
            totals[match] += brought.added
            dealer = brought.next_dealer
    return totals
