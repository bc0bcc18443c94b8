"""`GameTable`: a person plays rounds and matches of Sakura against agents.

The round, the match and their rules are `sakura.Round`'s and `sakura.Match`'s. `game_play` keeps what lies on the table
and makes the moves, `game_scene` follows the log step by step; the rest draws: `game_felt` what a person plays with,
`game_sides` what everybody has, `game_end` the score, `game_coach` what the coach says, `game_setup` the choices for
the next deal.
"""

from collections.abc import Sequence
from functools import partial

from ..cards import CARDS
from ..checks import one_of, whole
from ..coach import ready
from ..match import Match
from ..round import Action
from ..rules import Rules
from . import game_coach, game_end
from .base import View, css
from .elements import Element, box, button, choice, details, download, listing, text, upload
from .game_felt import felt, hand, hands, lit_css
from .game_play import SKIP, STEP, Game, Table, opponents_of, seated
from .game_scene import Scene
from .game_setup import Agent, agent_choice, ladder_source, opponent_controls
from .game_sides import scrolling, side_panels, yaku_table

# How long a step is to be seen, in milliseconds.
PACES = {"slow": 2800, "normal": 1500, "fast": 450}
_ROUNDS = 6
# Until the coach thinks, so that it is seen that it does; until it is looked whether somebody has thought; and until it
# is looked whether somebody can.
_SOON, _THOUGHT_YET, _READY_YET = 30, 250, 700


class GameTable(View[Table]):
    """A table to play at: you against 1 to 6 agents, or in teams. A coach helps if you ask.

    rules: those of the table, Hawaii's for two players where none are given.  seed: which deals it is.
    opponents: a strategy by name (`sakura.agents.DESCRIPTIONS`) or a function, for all opponents; or one for each.
        Your own ones decide in processes of their own, where they can be stopped. They get there with the first
        decision, as they are then, and what they print is shown. Two of one name get numbers.
    seat: yours; None to watch agents play, all cards open: then `opponents` are for all seats.
    rounds, score: how long a match goes; 6 rounds without either.  dealer: the seat that deals first; None draws for
    it.  pace: "slow", "normal" or "fast".

    Raises ValueError or TypeError, saying why, where an argument makes no sense.
    """

    title = "Game table"
    _css = css("game_table") + lit_css()

    def __init__(
        self,
        rules: Rules | None = None,
        *,
        seed: int = 1,
        opponents: Agent | Sequence[Agent] = "greedy",
        seat: int | None = 0,
        rounds: int | None = None,
        score: int | None = None,
        dealer: int | None = None,
        pace: str = "normal",
    ) -> None:
        if rounds is None and score is None:
            rounds = _ROUNDS
        match = Match(rules, seed=seed, rounds=rounds, score=score, dealer=dealer)
        players = match.rules.players
        several, own = opponents_of(opponents)
        others = players if seat is None else players - 1
        if len(several) not in (1, others):
            raise ValueError(f"opponents must be 1 for all or {others}, one for each, got {len(several)}")
        chosen = None if seat is None else whole("seat", seat, 0, players)
        game = Game(match, chosen, seated(several, players, chosen), own)
        agents = (tuple(several), tuple(own.values()))
        settings = (match.rules, seed, agents, seat, rounds, score, dealer, one_of("pace", pace, PACES))
        super().__init__(lambda: Table(game, pace), settings=settings)
        self.say(" ".join([*self._opening(), self.state.caption()]) + self.state.limit())
        self.refresh()

    def _opening(self) -> list[str]:
        table = self.state
        if table.rnd.actions or table.game.match.results:
            return ["The game goes on."]
        return game_end.opening(table.game.match, table.names)

    # ---- Step by step ----

    def end(self) -> None:
        self.state.end()

    def _go(self, wanted: str) -> None:
        """What is to be seen next, as far as it can be now."""
        table = self.state
        was = table.caption()
        table.go(wanted)
        if table.busy:
            if table.caption() != was:
                self.say(f"{table.caption()}{table.limit()}")
            return
        if wanted == SKIP and not table.failed:
            self.say("Skipped ahead; the log says all that happened.")
        self._tell()
        if wanted == STEP and not table.paused:
            if table.targets():
                self.focus(f"field-{min(table.targets())}")
            elif table.over:
                self.focus("next-round")

    def _tell(self) -> None:
        """Say what is shown now."""
        table = self.state
        if table.failed:
            self.say(table.failed.short)
            self.focus(f"instead-{table.failed.seat}")
        elif table.moving:
            self.say(table.told())
        elif table.over:
            self.say(" ".join(self._outcome()))
        else:
            self.say(f"{table.told()} {table.caption()}".strip())

    def _outcome(self) -> list[str]:
        match, names, practice = self.state.game.match, self.state.names, self.state.practice
        return game_end.practised(match, practice.round, names) if practice else game_end.outcome(match, names)

    def _skip(self) -> None:
        table = self.state
        if not table.waiting:
            self.say(table.caption())
            return
        self._go(SKIP)

    def _stop(self) -> None:
        self.state.stop()
        self._tell()

    def _pause(self) -> None:
        if self.state.paused:
            self.state.go_on()
        else:
            self.state.paused, self.state.wanted = True, ""
        self.say("Paused. Step shows the next thing that happens." if self.state.paused else "Going on.")

    def _one_step(self) -> None:
        table = self.state
        if not table.waiting:
            self.say(table.caption())
            return
        table.paused = True
        self._go(STEP)

    def _set_pace(self, pace: str) -> None:
        self.state.pace = one_of("pace", pace, PACES)

    # ---- The person's moves ----

    def _play(self, card: int) -> None:
        """A card of the hand was clicked."""
        table = self.state
        ways = table.ways(card)
        if not table.mine:
            self.say(table.why_not())
        elif not ways and table.turned_up is not None:
            self.say(f"First choose what {CARDS[table.turned_up].name} takes: click a marked card on the field.")
        elif len(ways) == 1:
            self._act(ways[0])
        elif table.picked == card:
            self._cancel()
        else:
            table.picked = card
            self.say(table.caption())
            self.focus(f"field-{min(table.targets())}")

    def _act(self, action: Action) -> None:
        after = [card for card in self.state.held if card > action.card]
        self.state.act(action)
        self._tell()
        left = self.state.held
        if left:
            self.focus(f"hand-{after[0] if after and after[0] in left else left[-1]}")

    def _cancel(self) -> None:
        picked, self.state.picked = self.state.picked, None
        self.say(self.state.caption())
        self.focus(f"hand-{picked}")

    def _undo(self) -> None:
        if self.state.picked is not None:
            self._cancel()
            return
        self.state.undo()
        self.say(f"Taken back. {self.state.caption()}")

    def _redo(self) -> None:
        self.state.redo()
        self.say("Done again.")
        self._tell()

    # ---- Rounds, deals and files ----

    def _next_round(self) -> None:
        self.state.next_round()
        self.say(f"Round {len(self.state.game.match.results) + 1} is dealt. {self.state.caption()}")
        self._show_table()

    def _show_table(self) -> None:
        """Where a person has asked for another position, the table is to be seen, and no key plays a card yet."""
        self.focus("felt", bring=True)

    def _began(self, words: str) -> None:
        """Another game lies on the table."""
        self.say(" ".join([words, *self._opening(), self.state.caption()]))
        self._show_table()

    def _deal(self) -> None:
        self.state.deal()
        self._began(f"A new deal, seed {self.state.game.match.seed}.")

    def _go_back(self) -> None:
        if self.state.before is not None:
            self.state.replace(self.state.before)
            self._began("The game that lay here before is back.")

    def _load(self, words: str) -> None:
        self.state.replace(self.state.game.loaded(words))
        self._began("The saved game is loaded.")
        game = self.state.game
        own = sorted(set(game.playing().values()) & game.own.keys())
        if own:
            self.say(f"Not in the file, but of this table: {', '.join(own)}.")
        if self.state.failed:
            self._tell()

    def _set_agent(self, seat: int, name: str) -> None:
        self.state.set_agent(seat, name)
        self.say(f"Seat {seat} now plays by {name}.")

    # ---- The coach ----

    def _set_coach(self, mode: str) -> None:
        self.state.coach.mode = one_of("the coach", mode, game_coach.MODES)
        self.say({"off": "The coach is off.", "hint": "Press Hint when it is your turn."}.get(mode, "The coach is on."))

    def _ask_coach(self) -> None:
        coach = self.state.coach
        if not self.state.mine:
            self.say(self.state.why_not())
            return
        coach.ask()
        self.say(coach.said())

    def _think(self) -> None:
        table = self.state
        if not ready() or table.game.seat is None:
            return
        rnd = table.game.match.round if table.coach.asked_back else table.rnd
        looking_back = table.coach.asked_back
        if table.coach.think(rnd, table.game.seat, table.finished):
            self.say("The round in retrospect is below." if looking_back else table.coach.said())
            if looking_back:
                self.focus("review")

    def _look_back(self) -> None:
        self.state.coach.asked_back = True
        self.say("The coach looks back on the round.")

    def _play_again(self, number: int) -> None:
        self.state.play_again(number)
        self.say(f"The round as it was then. {self.state.caption()}")
        self._show_table()

    def _back(self) -> None:
        self.state.back()
        self.say("Back at the end of the round.")
        self._show_table()

    # ---- To be seen ----

    def draw(self) -> Element:
        table = self.state
        table.coach.turn_to(table.place, deciding=table.mine)
        if table.wanted:
            self.after(_READY_YET if table.getting_ready else _THOUGHT_YET, partial(self._go, table.wanted))
        elif table.waiting and not table.paused:
            self.after(PACES[table.pace], partial(self._go, STEP))
        elif table.coach.thinking:
            soon = _THOUGHT_YET if table.coach.begun else _SOON
            self.after(soon if ready() else _READY_YET, self._think)
        scene = table.scene()
        on_felt = felt(table, scene, self._act, self._cancel, self._stop)
        # What is new stands below: the table stays where it is.
        below = (self._end(), self._review()) if table.over else (*self._hand(scene), self._failure())
        log = scrolling(listing(reversed(self._story())), "Log")
        sides = side_panels(scene, table.names, None if table.over else table.on_turn, table.rnd.dealer, table.fresh())
        return box(
            self._toolbar(),
            box(
                box(
                    on_felt,
                    *below,
                    game_coach.answers(table.coach),
                    details("Log: what happened, the latest first", log, key="log", opened=True),
                    None if table.failed else self._printed(),
                    kind="game-main",
                ),
                sides,
                kind="game-table",
            ),
            self._below(scene),
            kind="game",
        )

    def _hand(self, scene: Scene) -> list[Element]:
        table, seat = self.state, self.state.game.seat
        if seat is None:
            return [hands(table, scene)]
        return [hand(table, scene, seat, self._play, self._act, self._ask_coach)]

    def _failure(self) -> Element | None:
        table = self.state
        if table.failed is None:
            return None
        seat, game = table.failed.seat, table.game
        return box(
            text(table.failed.words, kind="error"),
            self._printed(),
            box(
                agent_choice(
                    f"Seat {seat} from here on",
                    seat,
                    game.agents[seat],
                    game.known(),
                    table.rnd.rules,
                    self._set_agent,
                    key="instead",
                ),
                button("Go on", self._pause, key="go-on", kind="main"),
                kind="controls",
            ),
            kind="panel game-failed",
        )

    def _printed(self) -> Element | None:
        """What a person's own strategies have printed, the latest last."""
        if not self.state.printed:
            return None
        shown = scrolling(Element("pre", {}, (self.state.printed.rstrip(),)), "What strategies printed")
        return details("Your strategy printed:", shown, key="printed", opened=True)

    def _toolbar(self) -> Element:
        table = self.state
        return box(
            button("Undo", self._undo, key="undo", enabled=table.can_undo or table.picked is not None),
            button("Redo", self._redo, key="redo", enabled=table.undone > 0),
            button("Go on" if table.paused else "Pause", self._pause, key="pause", pressed=table.paused, steady=True),
            button("Step", self._one_step, key="step", enabled=table.waiting),
            button("Skip", self._skip, key="skip", enabled=table.waiting, steady=True),
            choice("Pace", {pace: pace for pace in PACES}, table.pace, self._set_pace, key="pace"),
            None if table.watched else game_coach.mode_choice(table.coach.mode, self._set_coach),
            button("Back to the end", self._back, key="back")
            if table.practice
            else text(self._where(), kind="game-where"),
            kind="controls game-bar",
        )

    def _where(self) -> str:
        match = self.state.game.match
        if match.rounds == 1:
            return f"One round, seed {match.seed}"
        number = len(match.results) + (not self.state.rnd.is_terminal)
        goal = f" of {match.rounds}" if match.rounds else f", {game_end.goal(match).lower()}"
        return f"Round {number}{goal}, seed {match.seed}"

    def _end(self) -> Element:
        match, names, practice = self.state.game.match, self.state.names, self.state.practice
        if practice:
            return box(
                game_end.summary(self._outcome()),
                box(
                    button("Once more", partial(self._play_again, practice.number), key="once-more"),
                    button("Back to the round itself", self._back, key="next-round", kind="main"),
                    kind="controls",
                ),
                game_end.score_table(match, names, practice.round),
                kind="panel game-end",
            )
        again = ("New deal", self._deal) if match.is_over else ("Next round", self._next_round)
        return box(
            box(
                game_end.summary(game_end.outcome(match, names)),
                button(*again, key="next-round", kind="main"),
                kind="game-line",
            ),
            game_end.score_table(match, names),
            game_end.match_table(match, names) if len(match.results) > 1 else None,
            kind="panel game-end",
        )

    def _review(self) -> Element | None:
        table = self.state
        if table.watched or table.practice:
            return None
        return game_coach.look_back(table.coach, table.finished, self._look_back, self._play_again)

    def _below(self, scene: Scene) -> Element:
        table = self.state
        game = table.game
        others = opponent_controls(game.agents, game.seat, game.known(), table.rnd.rules, self._set_agent)
        who = "Who plays" if table.watched else "Opponents"
        deal = self._deal_button("Deal with these rules", "deal-wish", kind="main")
        return box(
            box(
                self._deal_button("New deal", "new-deal"),
                download("Save", f"sakura-seed-{game.match.seed}.json", game.saved()),
                upload("Load a saved game", self._load, key="load"),
                button("Back to the game before", self._go_back, key="before") if table.before else None,
                kind="controls",
            ),
            details("The eight yaku, and how far everybody is", yaku_table(scene, table.names), key="yaku"),
            details(
                f"{who}, from their next decision on{ladder_source(table.rnd.rules)}",
                others,
                key="opponents",
            ),
            details("House rules, players and seed, for the next deal", table.wish.draw(deal), key="wish"),
            details("Look", self.look_controls(), key="look"),
            kind="game-below",
        )

    def _deal_button(self, words: str, key: str, kind: str = "") -> Element:
        # Steady: what was typed last may still be on its way. Another after each deal, so that two clicks are one.
        return button(words, self._deal, key=f"{key}-{self.state.games}", kind=kind, steady=True)

    def _story(self) -> list[str]:
        """What the person's seat has seen happen in this round."""
        table = self.state
        known = table.rnd.log if table.game.seat is None else table.rnd.log_for(table.game.seat)
        hidden = len(table.rnd.log) - len(known)
        first = game_end.opening(table.game.match, table.names) if table.first_round else []
        return [*first, *(table.names.told(event) for event in known[: table.seen - hidden])]
