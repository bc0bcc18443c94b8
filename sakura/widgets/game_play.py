"""`Table`: what lies on a game table, whose move it is, and the moves themselves. Nothing here is drawn.

Rounds and matches are `sakura.Round`'s and `sakura.Match`'s; this adds who sits where, how much of what happened has
been shown, and the way back.
"""

import json
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..agents import BUILT_IN, StrategyError, name_of, resolve
from ..cards import CARDS
from ..checks import cut, items, listed, parse, record, shown, whole
from ..coach import position, ready
from ..machine import loops_of
from ..match import Match
from ..round import Action, Round
from .game_coach import Coach
from .game_scene import Names, Scene, step_begin, step_end
from .game_setup import Agent, Wish


def opponents_of(opponents: Agent | Sequence[Agent]) -> list[Agent]:
    """One opponent or several, as a list. Raises ValueError or TypeError for what is no strategy."""
    several = [opponents] if isinstance(opponents, str) or callable(opponents) else list(opponents)
    for agent in several:
        resolve(agent)
    if not several:
        raise ValueError("opponents must be a strategy, or one for each opponent; got none")
    return several


def seated(several: Sequence[Agent], players: int, me: int | None) -> tuple[Agent, ...]:
    """The opponents dealt out in turn to the other seats. One is put in the person's seat, too, and never asked."""
    if me is None:
        return tuple(several[place % len(several)] for place in range(players))
    agents = [several[place % len(several)] for place in range(players - 1)]
    return (*agents[:me], several[0], *agents[me:])


@dataclass
class Game:
    """What is played, and by whom: the person's seat, None where nobody plays by hand, and the agents by seat."""

    match: Match
    seat: int | None
    agents: tuple[Agent, ...]

    def known(self) -> dict[str, Agent]:
        """The strategies that can be named here: the built-in ones, and those that sit at the table."""
        return {**{name: name for name in BUILT_IN}, **{name_of(agent): agent for agent in self.agents}}

    def set_agent(self, seat: int, name: str) -> None:
        """Let another strategy play a seat from its next decision on."""
        known = self.known()
        if name not in known:
            raise ValueError(f"an opponent must be one of {cut(', '.join(known), 200)}, got {shown(name)}")
        self.agents = (*self.agents[:seat], known[name], *self.agents[seat + 1 :])

    def saved(self) -> str:
        """The file of this game: the match, and who sits where."""
        table = {"seat": self.seat, "opponents": [name_of(agent) for agent in self.agents]}
        return json.dumps({**self.match.to_dict(), "table": table}) + "\n"

    def loaded(self, words: str) -> "Game":
        """The game in a file that `saved` or `Match.save` wrote; this one says who sits where, if the file does not.

        Raises ValueError, saying why, for any other.
        """
        try:
            data = parse(words)
            match = Match.from_dict(data)
            return self._seats(match, record("its table", data.get("table", {}), (), ("seat", "opponents")))
        except (TypeError, ValueError) as error:
            raise ValueError(f"This file cannot be loaded, and nothing has changed: {error}.") from None

    def _seats(self, match: Match, table: Mapping[str, Any]) -> "Game":
        players, known = match.rules.players, self.known()
        seat = table.get("seat", None if self.seat is None else min(self.seat, players - 1))
        if seat is not None:
            seat = whole("the person's seat", seat, 0, players)
        if "opponents" not in table:
            return Game(match, seat, seated(self.agents, players, seat))
        saved = items("its opponents", table["opponents"])
        if len(saved) != players:
            raise ValueError(f"its opponents must be {players} names, one for each seat")
        for name in saved:
            if not isinstance(name, str) or name not in known:
                raise ValueError(f"its opponent {shown(name)} is not known here; known are {listed(known)}")
        return Game(match, seat, tuple(known[name] for name in saved))


class Failure(NamedTuple):
    """An agent that failed: in which seat, and what there is to say of it, in short and in full."""

    seat: int
    short: str
    words: str


class Practice(NamedTuple):
    """A finished round that is played again, from decision `number` on."""

    number: int
    round: Round


class Table:
    """A game and how far it has been shown.

    seen: so many events of the round's log have been shown.  moving: the last of them are a step that still goes on.
    picked: the hand card whose capture is to be chosen.  undone: how many decisions can be taken again.
    before: the game that a new deal or a file has replaced.  games: how many have been laid on this table.
    practice: what is played again, while the match waits.  failed: the agent that has failed, until it goes on.
    getting_ready: what the agent that decides needs is being compiled.
    """

    def __init__(self, game: Game, pace: str) -> None:
        self.pace = pace
        self.paused = False
        self.picked: int | None = None
        self.before: Game | None = None
        self.games = 0
        self.coach = Coach()
        self._lay(game)

    def _lay(self, game: Game) -> None:
        self.game = game
        self.games += 1
        self.wish = Wish.of(game.match)
        self.practice: Practice | None = None
        self.undone = 0
        self.show_all()

    def show_all(self) -> None:
        """Show at once all that has happened."""
        self.seen, self.moving, self.picked = len(self.rnd.log), False, None
        self.failed: Failure | None = None
        self.getting_ready = False

    # ---- Who and where ----

    @property
    def rnd(self) -> Round:
        """The round that is played."""
        return self.practice.round if self.practice else self.game.match.round

    @property
    def first_round(self) -> bool:
        """Whether this is the first round of the match."""
        return len(self.game.match.results) == self.rnd.is_terminal

    @property
    def names(self) -> Names:
        """What seats and sides are called here."""
        return Names(self.rnd.rules, self.game.seat)

    @property
    def mine(self) -> bool:
        """Whether the person decides now, and has seen all that led there."""
        seat = self.rnd.current_player
        return not self.moving and seat is not None and seat == self.game.seat

    @property
    def watched(self) -> bool:
        """Whether nobody plays by hand."""
        return self.game.seat is None

    @property
    def over(self) -> bool:
        """Whether the round is over, and its end has been seen."""
        return self.rnd.is_terminal and not self.moving

    @property
    def waiting(self) -> bool:
        """Whether something happens before the person decides."""
        return not self.mine and not self.over

    @property
    def on_turn(self) -> int | None:
        """The seat whose turn is shown."""
        if self.moving:
            return self.rnd.log[step_begin(self.rnd.log, self.seen)].seat
        return self.rnd.current_player

    @property
    def held(self) -> list[int]:
        """The cards of the person's hand, by id."""
        return [] if self.game.seat is None else sorted(self.rnd.hands[self.game.seat])

    @property
    def turned_up(self) -> int | None:
        """The pile card for which the person chooses now."""
        return self.rnd.turned_up if self.mine else None

    def scene(self) -> Scene:
        """What lies where, as it is shown; the card turned up that awaits a choice is not on the field yet."""
        scene = Scene(self.rnd, self.seen, moving=self.moving)
        if self.turned_up is not None:
            scene.set_aside(self.turned_up)
        if self.over:
            scene.slots = [card for card in scene.slots if card is not None]
        return scene

    def fresh(self) -> set[int]:
        """The cards that have moved since the person last played one."""
        log = self.rnd.log[: self.seen]
        since = max(self._plays(), default=0)
        return {card for event in log[since:] if event.kind != "dealt" for card in event.cards}

    def _plays(self) -> list[int]:
        """Where in the log, as far as it is shown, the person's own plays are; where nobody plays by hand, all."""
        plays = [n for n, event in enumerate(self.rnd.log[: self.seen]) if event.kind in ("played", "hiki")]
        return plays if self.watched else [n for n in plays if self.rnd.log[n].seat == self.game.seat]

    # ---- In words ----

    def told(self) -> str:
        """The step that is being shown."""
        begin = step_begin(self.rnd.log, self.seen)
        return " ".join(self.names.told(event) for event in self.rnd.log[begin : self.seen])

    def caption(self) -> str:
        """What is going on, or what the person can do."""
        if self.over:
            return "The round is over."
        if self.getting_ready:
            return f"{self.names.turn(self.on_turn or 0)}. It is being got ready: about half a minute, once."
        if self.waiting:
            seat = self.on_turn
            return f"{self.names.turn(seat) if seat is not None else 'The end'}{', paused' if self.paused else ''}."
        chosen = self.choosing
        if chosen is None:
            hikis = any(action.kind == "hiki" for action in self.rnd.legal_actions())
            return "Your turn: play a card of your hand" + (", or declare hiki." if hikis else ".")
        return f"Choose what {CARDS[chosen].name} takes."

    def why_not(self) -> str:
        """Why the person cannot play now."""
        if self.over:
            return "The round is over."
        if self.paused:
            return f"{self.caption()} Press Step or Go on."
        if self.on_turn == self.game.seat:
            return "Your turn is still going on. Wait a moment, or press Skip."
        return f"It is {self.caption()} Wait for yours, or press Skip."

    # ---- Step by step ----

    def advance(self) -> None:
        """Show the next step; where all have been shown, let the agent that decides take one.

        Where it fails, `failed` says so, and the game is paused.
        """
        rnd = self.rnd
        if self.seen == len(rnd.log):
            seat = rnd.current_player
            if seat is None or seat == self.game.seat:
                self.moving = False
                return
            self._ask(seat)
            if self.failed or self.getting_ready:
                return
        self.seen = step_end(rnd.log, self.seen)
        self.moving = rnd.log[step_begin(rnd.log, self.seen)].kind != "round over"

    def _ask(self, seat: int) -> None:
        match, agent = self.game.match, self.game.agents[seat]
        self.failed, self.getting_ready = None, not ready(loops_of(resolve(agent)))
        if self.getting_ready:
            return
        try:
            self.rnd.apply_action(self.rnd.choose(agent))
        except StrategyError as error:
            self.paused = True
            self.failed = Failure(
                seat,
                f"{name_of(agent)}, in seat {seat}, failed. Choose who is to play the seat, and go on.",
                f"{name_of(agent)}, in seat {seat}, failed in round {self.number} of the match with seed {match.seed} "
                f"(the round's own seed is {self.rnd.seed}): {error}. Nothing is lost. Choose who is to play the seat "
                f"from here on, and go on.",
            )

    @property
    def number(self) -> int:
        """The number of the round, counted from 1."""
        return len(self.game.match.results) + (not self.game.match.round.is_terminal)

    def go_on(self) -> None:
        """Go on after a pause, or after an agent has failed."""
        self.paused, self.failed = False, None

    # ---- The person's moves ----

    def ways(self, card: int) -> list[Action]:
        """What the person can do with a card now, hiki apart."""
        return [a for a in self.rnd.legal_actions() if a.card == card and a.kind != "hiki"] if self.mine else []

    def hikis(self) -> list[Action]:
        """The hikis that the person can declare now."""
        return [a for a in self.rnd.legal_actions() if a.kind == "hiki"] if self.mine else []

    @property
    def choosing(self) -> int | None:
        """The card for which the person chooses what it takes: picked in the hand, or turned up."""
        return self.picked if self.picked is not None else self.turned_up

    def targets(self) -> dict[int, Action]:
        """The field cards to choose from, each with the action that takes it."""
        chosen = self.choosing
        return {} if chosen is None else {target: way for way in self.ways(chosen) for target in way.captures}

    def act(self, action: Action) -> None:
        """Take an action, and show its first step."""
        self.rnd.apply_action(action)
        self.picked, self.undone = None, 0
        self.seen, self.moving = step_end(self.rnd.log, self.seen), True

    # ---- Back and forth ----

    @property
    def can_undo(self) -> bool:
        """Whether the person has decided anything in this round."""
        return bool(self._plays())

    def undo(self) -> None:
        """Take back all that happened since the person's last decision, and that. Raises ValueError for none."""
        if not self.can_undo:
            raise ValueError("You have not played a card in this round yet: there is nothing to take back.")
        self._go(self.rnd.undo, 1)

    def redo(self) -> None:
        """Do again what was taken back, up to the person's next decision. Raises ValueError where nothing was."""
        if not self.undone:
            raise ValueError("Nothing has been taken back.")
        self._go(self.rnd.redo, -1)

    def _go(self, step: Callable[[], None], counted: int) -> None:
        step()
        self.undone += counted
        while self.undone and not self.watched and self.rnd.current_player not in (self.game.seat, None):
            step()
            self.undone += counted
        # Agents would do the same again at once.
        self.paused = self.paused or self.watched
        self.show_all()

    # ---- The coach ----

    @property
    def place(self) -> Hashable:
        """Which position it is that lies on the table: equal for the same one only."""
        return self.games, self.number, self.practice and self.practice.number, self.rnd.actions

    @property
    def finished(self) -> Hashable:
        """Which round of the match it is that is over: equal for the same one only."""
        return self.games, self.number, self.game.match.round.actions

    def play_again(self, number: int) -> None:
        """Put the finished round's position before decision `number` on the table; `back` returns from there."""
        self.practice = Practice(number, position(self.game.match.round, number))
        self.undone, self.paused = 0, False
        self.show_all()

    def back(self) -> None:
        """Return to the finished round."""
        self.practice = None
        self.undone = 0
        self.show_all()

    # ---- Rounds and deals ----

    def next_round(self) -> None:
        """Deal the next round of the match."""
        self.practice = None
        self.game.match.next_round()
        self.undone = 0
        self.show_all()

    def replace(self, game: Game) -> None:
        """Put another game on the table, and keep the one that lies there."""
        self.before, self.paused = self.game, False
        self._lay(game)

    def deal(self) -> None:
        """Start the match that is wished for, with the same opponents. Raises ValueError or TypeError for none."""
        match = self.wish.match()
        seat = self.game.seat
        if seat is not None and seat >= match.rules.players:
            seat = 0
        others = [agent for number, agent in enumerate(self.game.agents) if number != self.game.seat]
        self.replace(Game(match, seat, seated(others, match.rules.players, seat)))
