"""`Table`: what lies on a game table, whose move it is, and the moves themselves. Nothing here is drawn.

Rounds and matches are `sakura.Round`'s and `sakura.Match`'s; this adds who sits where, how much of what happened has
been shown, and the way back.
"""

import json
from collections.abc import Callable, Hashable, Mapping, Sequence
from concurrent.futures import Future, wait
from dataclasses import dataclass
from functools import partial
from itertools import chain, count
from time import monotonic
from typing import Any, NamedTuple

from ..agents import BUILT_IN, Clairvoyant, MonteCarlo, Solver, Strategy, StrategyError, apart, name_of, raised, resolve
from ..agents.apart import Apart
from ..background import begin
from ..cards import CARDS
from ..checks import cut, items, listed, parse, record, shown, whole
from ..coach import position, ready
from ..machine import loops_of
from ..match import Match
from ..round import Action, Round
from .game_coach import Coach
from .game_scene import Names, Scene, step_begin, step_end
from .game_setup import Agent, Wish


def opponents_of(opponents: Agent | Sequence[Agent]) -> tuple[list[str], dict[str, Strategy]]:
    """The names of one opponent or several, each a name of its own, and those that are a person's own strategies.

    Raises ValueError or TypeError for what is no strategy.
    """
    several = [opponents] if isinstance(opponents, str) or callable(opponents) else list(opponents)
    if not several:
        raise ValueError("opponents must be a strategy, or one for each opponent; got none")
    own: dict[str, Strategy] = {}
    return [_named(agent, own) for agent in several], own


def _named(agent: Agent, own: dict[str, Strategy]) -> str:
    """The agent's name. A strategy that is new gets its place among the own ones, and a number if the name is taken."""
    strategy = resolve(agent)
    if isinstance(agent, str):
        return agent
    for name, other in own.items():
        if other is strategy:
            return name
    called = name_of(agent)
    numbered = (f"{called} {number}" for number in count(2))
    name = next(name for name in chain([called], numbered) if name not in BUILT_IN and name not in own)
    own[name] = strategy
    return name


def _asked_here(strategy: Strategy) -> bool:
    """Whether a strategy is asked in this process: the package's own, and whoever has to see the state itself."""
    whose = getattr(strategy, "__module__", None) or ""
    return isinstance(strategy, Clairvoyant | Solver) or str(whose).partition(".")[0] == __name__.partition(".")[0]


def seated(several: Sequence[str], players: int, me: int | None) -> tuple[str, ...]:
    """The opponents dealt out in turn to the other seats. One is put in the person's seat, too, and never asked."""
    if me is None:
        return tuple(several[place % len(several)] for place in range(players))
    agents = [several[place % len(several)] for place in range(players - 1)]
    return (*agents[:me], several[0], *agents[me:])


@dataclass
class Game:
    """What is played, and by whom: the person's seat, None where nobody plays by hand, and the agents by seat.

    Agents go by their names here; `own` has the strategies that are not built in. A game that was loaded may name
    agents that are not at this table.
    """

    match: Match
    seat: int | None
    agents: tuple[str, ...]
    own: Mapping[str, Strategy]

    def known(self) -> dict[str, Strategy]:
        """The strategies that can be named here: the built-in ones, and those that came to the table."""
        return {**BUILT_IN, **self.own}

    def playing(self) -> dict[int, str]:
        """The agents by seat, without the person's."""
        return {seat: name for seat, name in enumerate(self.agents) if seat != self.seat}

    def missing(self) -> list[int]:
        """The seats whose agents are not at this table."""
        known = self.known()
        return [seat for seat, name in self.playing().items() if name not in known]

    def set_agent(self, seat: int, name: str) -> None:
        """Let another strategy play a seat from its next decision on."""
        known = self.known()
        if name not in known:
            raise ValueError(f"an opponent must be one of {cut(', '.join(known), 200)}, got {shown(name)}")
        self.agents = (*self.agents[:seat], name, *self.agents[seat + 1 :])

    def saved(self) -> str:
        """The file of this game: the match, and who sits where. What is not built in is marked as one's own."""
        opponents = [name if name in BUILT_IN else {"own": name} for name in self.agents]
        return json.dumps({**self.match.to_dict(), "table": {"seat": self.seat, "opponents": opponents}}) + "\n"

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
        players = match.rules.players
        seat = table.get("seat", None if self.seat is None else min(self.seat, players - 1))
        if seat is not None:
            seat = whole("the person's seat", seat, 0, players)
        if "opponents" not in table:
            return Game(match, seat, seated(self.agents, players, seat), self.own)
        saved = items("its opponents", table["opponents"])
        if len(saved) != players:
            raise ValueError(f"its opponents must be {players} names, one for each seat")
        return Game(match, seat, tuple(map(self._saved_name, saved)), self.own)

    def _saved_name(self, saved: object) -> str:
        """The name of an opponent in a file. A name alone is a built-in one, or, in older files, one of this table."""
        match saved:
            case str() if saved in self.known():
                return saved
            # What is not here is asked for when the game is on the table.
            case {"own": str(name), **more} if name not in BUILT_IN and not more:
                return name
        raise ValueError(f"its opponent {shown(saved)} is not known here; known are {listed(self.known())}")


class Failure(NamedTuple):
    """An agent that gave no answer: in which seat, and what there is to say of it, in short and in full."""

    seat: int
    short: str
    words: str


class Thinking(NamedTuple):
    """A question to an agent, and what is to come of it. The answer belongs to this place, this seat and this agent;
    once something else is asked nobody looks at it any more."""

    place: Hashable
    seat: int
    name: str
    answer: Future[Action]


class Practice(NamedTuple):
    """A finished round that is played again, from decision `number` on."""

    number: int
    round: Round


STEP, SKIP = "step", "skip"
# So many seconds may pass before what is done in the background is said to be going on.
MOMENT = 0.2
# So many characters of what strategies print are kept.
_PRINTED = 4000


class Table:
    """A game and how far it has been shown.

    seen: so many events of the round's log have been shown.  moving: the last of them are a step that still goes on.
    picked: the hand card whose capture is to be chosen.  undone: how many decisions can be taken again.
    before: the game that a new deal or a file has replaced.  games: how many have been laid on this table.
    practice: what is played again, while the match waits.  failed: the agent that has failed, until it goes on.
    wanted: STEP or SKIP, while an agent has to decide first.  thinking: its question.  getting_ready: what it needs is
    being compiled.  printed: what a person's own strategies have printed, the end of it.
    seconds: so long may one of them think. They are asked in processes of their own, see `agents.apart`.
    """

    seconds = apart.SECONDS

    def __init__(self, game: Game, pace: str) -> None:
        self.pace = pace
        self.paused = False
        self.picked: int | None = None
        self.before: Game | None = None
        self.games = 0
        self.coach = Coach()
        self.thinking: Thinking | None = None
        self._apart: dict[str, Apart] = {}
        self._lay(game)

    def _lay(self, game: Game) -> None:
        self.game = game
        self.games += 1
        self.wish = Wish.of(game.match)
        self.practice: Practice | None = None
        self.undone = 0
        self.printed = ""
        self.show_all()
        self._end_apart()
        if game.missing():
            self._fail_missing(game.missing()[0])

    def show_all(self) -> None:
        """Show at once all that has happened."""
        self.seen, self.moving, self.picked = len(self.rnd.log), False, None
        self.failed: Failure | None = None
        self.wanted = ""
        self.getting_ready = False
        self._forget()

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
    def busy(self) -> bool:
        """Whether an agent takes its time."""
        return self.getting_ready or self.thinking is not None

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
        if self.thinking:
            return f"Seat {self.thinking.seat} is thinking{'' if self.wanted or not self.paused else ', paused'}."
        if self.waiting:
            seat = self.on_turn
            return f"{self.names.turn(seat) if seat is not None else 'The end'}{', paused' if self.paused else ''}."
        chosen = self.choosing
        if chosen is None:
            hikis = any(action.kind == "hiki" for action in self.rnd.legal_actions())
            return "Your turn: play a card of your hand" + (", or declare hiki." if hikis else ".")
        return f"Choose what {CARDS[chosen].name} takes."

    def limit(self) -> str:
        """How long the agent that thinks may go on, to be said after the caption; empty where nothing ends that."""
        known = self.thinking and self.thinking.name in self._apart
        return f" It may take {self.seconds:g} seconds at most." if known else ""

    def why_not(self) -> str:
        """Why the person cannot play now."""
        if self.over:
            return "The round is over."
        if self.paused:
            return f"{self.caption()} Press Step or Go on."
        if self.thinking:
            return f"{self.caption()} Wait, or press Stop waiting."
        if self.on_turn == self.game.seat:
            return "Your turn is still going on. Wait a moment, or press Skip."
        return f"It is {self.caption()} Wait for yours, or press Skip."

    # ---- Step by step ----

    def go(self, wanted: str) -> None:
        """Show the next step, or, to SKIP, all up to the person's next decision; agents decide what is not yet decided.

        Where one takes longer than a moment, `wanted` stays, and this is to be called again. Where one fails, `failed`
        says so, and the game is paused.
        """
        self.wanted = wanted
        until = monotonic() + MOMENT
        self._advance(until)
        while wanted == SKIP and self.waiting and not self.busy and not self.failed:
            self._advance(until)
        if not self.busy:
            self.wanted = ""

    def _advance(self, until: float) -> None:
        rnd = self.rnd
        if self.seen == len(rnd.log):
            seat = rnd.current_player
            if seat is None or seat == self.game.seat:
                self.moving = False
                return
            if not self._decide(seat, until):
                # What was shown last has been seen.
                self.moving = False
                return
        self.seen = step_end(rnd.log, self.seen)
        self.moving = rnd.log[step_begin(rnd.log, self.seen)].kind != "round over"

    def _decide(self, seat: int, until: float) -> bool:
        """Let the agent of a seat take its action; False where it has failed or needs more time."""
        self.failed = None
        if seat in self.game.missing():
            self._fail_missing(seat)
            return False
        name = self.game.agents[seat]
        strategy = self.game.known()[name]
        loops = loops_of(strategy) if isinstance(strategy, MonteCarlo | Clairvoyant | Solver) else ()
        self.getting_ready = not ready(loops)
        if self.getting_ready:
            return False
        try:
            if loops or not _asked_here(strategy):
                action = self._asked_beside(seat, name, strategy, until)
            else:
                action = self.rnd.choose(strategy)
        except Exception as error:
            why = str(error) if isinstance(error, StrategyError) else raised(error)
            self._fail(
                seat,
                f"{name}, in seat {seat}, failed.",
                f"{name}, in seat {seat}, failed in round {self.number} of the match with seed {self.game.match.seed} "
                f"(the round's own seed is {self.rnd.seed}): {why}. Nothing is lost.",
            )
            return False
        if action is None:
            return False
        self.rnd.apply_action(action)
        return True

    def _asked_beside(self, seat: int, name: str, strategy: Strategy, until: float) -> Action | None:
        """What an agent does, as soon as it has decided. It thinks in the background, about a copy of the round."""
        question = (self.place, seat, name)
        if self.thinking is None or self.thinking[:3] != question:
            self._forget()
            if _asked_here(strategy):
                answer = begin(partial(self.rnd.copy().choose, strategy))
            else:
                asked = self._apart.setdefault(name, Apart(strategy, self.seconds))
                answer = begin(partial(self.rnd.copy().choose, asked), asked.turn)
            self.thinking = Thinking(*question, answer)
        answer = self.thinking.answer
        wait([answer], max(0.0, until - monotonic()))
        if not answer.done():
            return None
        self.thinking = None
        if name in self._apart:
            self._keep_printed(seat, name, self._apart[name].printed)
        return answer.result()

    def _keep_printed(self, seat: int, name: str, text: str) -> None:
        if text:
            self.printed = f"{self.printed}Seat {seat}, {name}:\n{text}\n"[-_PRINTED:]

    def _fail(self, seat: int, short: str, words: str) -> None:
        self.paused, self.wanted = True, ""
        self.failed = Failure(
            seat,
            f"{short} Below the hand, choose who plays the seat, and go on.",
            f"{words} Choose who is to play the seat from here on, and go on.",
        )

    def _fail_missing(self, seat: int) -> None:
        what = f"{self.game.agents[seat]}, a strategy of somebody's own that plays seat {seat}, is not at this table."
        self._fail(seat, what, what)

    def stop(self) -> None:
        """Wait no longer for the agent that thinks."""
        if self.thinking is None:
            return
        _, seat, name, answer = self.thinking
        asked = self._apart.get(name)
        self._end_apart(name)
        if asked:
            wait([answer], MOMENT)
            self._keep_printed(seat, name, asked.printed)
        self._forget()
        words = f"{name}, in seat {seat}, was stopped."
        self._fail(seat, words, f"{words} Nothing is lost.")

    def _forget(self) -> None:
        """Whatever is asked now is asked in vain."""
        if self.thinking:
            self.thinking.answer.cancel()
            self.thinking = None

    def _end_apart(self, *names: str) -> None:
        """End the processes of these strategies, and of those that do not play any more."""
        playing = self.game.playing().values()
        for name in [name for name in self._apart if name in names or name not in playing]:
            self._apart.pop(name).stop()

    def set_agent(self, seat: int, name: str) -> None:
        """Let another strategy play a seat from its next decision on. Raises ValueError for a name not known here."""
        self.game.set_agent(seat, name)
        if self.thinking and self.thinking.seat == seat:
            self._forget()
        self._end_apart()

    def end(self) -> None:
        """Nobody plays on: end all that still runs."""
        self._forget()
        self._end_apart(*self._apart)

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
        self.replace(Game(match, seat, seated(others, match.rules.players, seat), self.game.own))
