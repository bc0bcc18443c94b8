"""Sakura, the Hawaiian hanafuda card game: its cards, its rules, its numbers.

    >>> import sakura
    >>> rnd = sakura.Round(sakura.Rules(players=2), seed=7)
    >>> rnd.apply_action(rnd.legal_actions()[0])

Where to look: `cards`, `yaku` and `rules` hold the facts; `engine` is the rule book; `Round` and `Match` are for
people, `simulate` and `Results` for millions of rounds; `agents` says how to write a strategy, `tournament` how good it
is.
"""

from .agents import StrategyError
from .bits import popcount
from .card_sets import card_set, cards_in, completed, points
from .cards import CARDS, Card, Cards
from .engine import Observation, own_captured
from .match import Match
from .results import Results
from .round import Action, Event, IllegalAction, Round, scores
from .rules import Rules
from .simulate import ExecutorError, Interrupted, deals, simulate
from .tournament import Tournament, tournament
from .version import __version__
from .yaku import YAKU, Yaku

__all__ = [
    "CARDS",
    "YAKU",
    "Action",
    "Card",
    "Cards",
    "Event",
    "ExecutorError",
    "IllegalAction",
    "Interrupted",
    "Match",
    "Observation",
    "Results",
    "Round",
    "Rules",
    "StrategyError",
    "Tournament",
    "Yaku",
    "__version__",
    "card_set",
    "cards_in",
    "completed",
    "deals",
    "own_captured",
    "points",
    "popcount",
    "scores",
    "simulate",
    "tournament",
]
