"""`Match`: several rounds, who deals them, the totals, the winner.

Totals add up scores (HH) or count rounds won, with chu and basa (PF); the sources are those of `sakura.rules`.
"""

import json
from collections.abc import Mapping
from os import PathLike
from typing import Any, NamedTuple

from . import engine
from .agents import Agents, seat_agents
from .bits import SEEDS, random63
from .cards import CARDS, DECK_SIZE
from .checks import items, load, record, shown, whole
from .round import Round
from .rules import Rules
from .saving import replace_file

# A win by this many points or more is chu, and basa.
CHU, BASA = 50, 100
_FORMAT = "sakura match 1"


class Draw(NamedTuple):
    """The draw for the first dealer: `draws`, in each the card of every seat that drew; and the `dealer`."""

    draws: tuple[dict[int, int], ...]
    dealer: int


class RoundResult(NamedTuple):
    """What a round brought: who dealt it, each side's score, the winning side, what was added to each side's total,
    and the seat that deals next."""

    dealer: int
    returns: tuple[int, ...]
    winner: int
    added: tuple[int, ...]
    next_dealer: int


def draw_dealer(players: int, seed: int) -> Draw:
    """Every player draws a card; the earliest month deals; ties draw again, among the tied, from what is left."""
    state = [0] * engine.STATE_SIZE
    engine.shuffle(state, seed, DECK_SIZE)
    pack = state[engine.DECK :]
    seats = list(range(players))
    draws: list[dict[int, int]] = []
    while len(seats) > 1:
        drawn = {seat: pack.pop(0) for seat in seats}
        draws.append(drawn)
        earliest = min(CARDS[card].month for card in drawn.values())
        seats = [seat for seat, card in drawn.items() if CARDS[card].month == earliest]
    return Draw(tuple(draws), seats[0])


def next_dealer(rules: Rules, dealer: int, returns: list[int]) -> int:
    """The seat that deals next: of the sides with the highest score, the seat first in order of play from the dealer.

    So a dealer among the winners deals again, and a tie goes to the dealer, or to whoever comes first after (PF). That
    of a winning team it is the member who comes first, is our reading; no source says.
    """
    best = max(returns)
    order = [(dealer + step) % rules.players for step in range(rules.players)]
    return next(seat for seat in order if returns[rules.side_of(seat)] == best)


def victories(rules: Rules, returns: list[int]) -> int:
    """How many victories a round's winner gets: more for a win by 50 (chu) and by 100 (basa), where agreed."""
    best, second = sorted(returns, reverse=True)[:2]
    count = 1
    if rules.chu and best - second >= CHU:
        count += 1
    if rules.basa and best - second >= BASA:
        count += 1
    return count


def result(rules: Rules, dealer: int, returns: list[int]) -> RoundResult:
    """What a round with these scores brings to a match."""
    dealing = next_dealer(rules, dealer, returns)
    winner = rules.side_of(dealing)
    added = list(returns)
    if rules.match_scoring == "rounds":
        added = [victories(rules, returns) if side == winner else 0 for side in range(rules.sides)]
    return RoundResult(dealer, tuple(returns), winner, tuple(added), dealing)


class Match:
    """Rounds until an agreed number of them (`rounds`, often 6 or 12), or until a side's total reaches `score`.

    Round `n` is shuffled by number `n + 1` of the match's own random stream. `dealer` deals first; None draws for it,
    and `draw` tells how that went. Play `round`, then call `next_round`.

    Raises ValueError or TypeError where an argument makes no sense.
    """

    def __init__(
        self,
        rules: Rules | None = None,
        *,
        seed: int,
        rounds: int | None = None,
        score: int | None = None,
        dealer: int | None = None,
    ) -> None:
        self.rules = Rules() if rules is None else rules
        if not isinstance(self.rules, Rules):
            raise TypeError(f"rules must be sakura.Rules(...), got {shown(rules)}")
        if (rounds is None) == (score is None):
            raise ValueError("a match goes to a number of rounds or to a score: give rounds= or score=, not both")
        self.seed = whole("seed", seed, 0, SEEDS)
        self.rounds = None if rounds is None else whole("rounds", rounds, 1)
        self.score = None if score is None else whole("score", score, 1)
        self.draw: Draw | None = None
        if dealer is None:
            self.draw = draw_dealer(self.rules.players, random63(self.seed, 0))
            dealer = self.draw.dealer
        self._played: list[Round] = []
        self.round = self._deal(dealer)

    def _deal(self, dealer: int) -> Round:
        return Round(self.rules, seed=random63(self.seed, len(self._played) + 1), dealer=dealer)

    @property
    def results(self) -> tuple[RoundResult, ...]:
        """What each finished round brought; the one being played counts once it is over."""
        finished = [rnd for rnd in (*self._played, self.round) if rnd.is_terminal]
        return tuple(result(self.rules, rnd.dealer, rnd.returns()) for rnd in finished)

    @property
    def totals(self) -> list[int]:
        """Each side's total: points, or victories."""
        return [sum(result.added[side] for result in self.results) for side in range(self.rules.sides)]

    @property
    def is_over(self) -> bool:
        """Whether the agreed number of rounds has been played, or the agreed score reached."""
        if self.rounds is not None:
            return len(self.results) >= self.rounds
        return self.score is not None and max(self.totals) >= self.score

    @property
    def winners(self) -> list[int]:
        """The sides with the highest total once the match is over, several if they tie; before that, none."""
        totals = self.totals
        return [side for side, total in enumerate(totals) if total == max(totals)] if self.is_over else []

    def next_round(self) -> Round:
        """Deal the next round. Raises ValueError where this one is not over, or the match is."""
        if not self.round.is_terminal:
            raise ValueError("this round is not over yet")
        if self.is_over:
            raise ValueError("the match is over")
        dealer = self.results[-1].next_dealer
        self._played.append(self.round)
        self.round = self._deal(dealer)
        return self.round

    def play(self, agents: Agents) -> None:
        """Let agents play the match to its end: one for all seats, or several dealt out to the seats in turn."""
        seated = seat_agents(agents, self.rules)
        while True:
            while (seat := self.round.current_player) is not None:
                self.round.apply_action(self.round.choose(seated[seat]))
            if self.is_over:
                return
            self.next_round()

    # ---- Files ----

    def to_dict(self) -> dict[str, Any]:
        """The match so far as plain data, for JSON: the actions of every round; the decks follow from the seed."""
        dealt = (*self._played, self.round)
        return {
            "format": _FORMAT,
            "rules": self.rules.to_dict(),
            "seed": self.seed,
            "rounds": self.rounds,
            "score": self.score,
            "dealer": None if self.draw else dealt[0].dealer,
            "actions": [rnd.to_dict()["actions"] for rnd in dealt],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Match":
        """The match that `to_dict` describes, played up to the same decision; a game table's `table` is left alone.

        Raises ValueError, with the reason, where the data are not of a match or of an impossible one.
        """
        if not isinstance(data, Mapping) or data.get("format") != _FORMAT:
            raise ValueError(f"this is no saved match: its format should be {_FORMAT!r}")
        options = ("seed", "rounds", "score", "dealer")
        record("the saved match", data, ("format", "rules", *options, "actions"), ("table",))
        place = ""
        try:
            match = cls(Rules.from_saved(data["rules"]), **{name: data[name] for name in options})
            played = items("its actions", data["actions"])
            if not played:
                raise ValueError("its actions must be those of one round at least, got []")
            for number, actions in enumerate(played, 1):
                place = f"its round {number}: "
                if number > 1:
                    match.next_round()
                match.round = Round.from_dict({**match.round.to_dict(), "actions": actions})
        except (TypeError, ValueError) as error:
            raise ValueError(f"the saved match cannot have happened: {place}{error}") from None
        return match

    def save(self, path: str | PathLike[str]) -> None:
        """Write the match so far as JSON. Raises OSError, and leaves an earlier file alone, where it cannot."""
        replace_file(path, (json.dumps(self.to_dict()) + "\n").encode())

    @classmethod
    def load(cls, path: str | PathLike[str]) -> "Match":
        """Read a match that `save` wrote; it plays on identically. Raises ValueError, saying why, for any other."""
        return load(path, cls.from_dict)

    def __repr__(self) -> str:
        goal = f"{self.rounds} rounds" if self.rounds is not None else f"a score of {self.score}"
        state = f"won by side {', '.join(map(str, self.winners))}" if self.is_over else f"round {len(self._played) + 1}"
        return f"<Match to {goal}: {self.rules}, seed {self.seed}, {state}, totals {self.totals}>"
