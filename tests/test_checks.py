"""What makes no sense is refused in words: by every function, whatever it was given; and in every place of a file."""

import json
import math
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sakura
from sakura import Action, Match, Round, Rules, coach, house_rules, odds, positions, shuffles, stats
from sakura.agents import Careful, MonteCarlo, Solver
from sakura.art import card_svg, cards_svg
from sakura.cards import Cards
from sakura.tournament import tournament
from sakura.widgets import DealTable, DeckGallery, FlashCards, GameTable, RulesTable, TurnTrainer, YakuBoard
from sakura.widgets.game_play import Game
from sakura.widgets.quiz import Question, Quiz

LONGEST = 500


class Unspeakable:
    """An object that cannot even be shown."""

    def __repr__(self) -> str:
        raise RuntimeError("this should not be seen")


def nested(depth: int) -> list[Any]:
    innermost: list[Any] = []
    for _ in range(depth):
        innermost = [innermost]
    return innermost


class Long(str):
    """A class whose name alone would fill a page."""


Long.__name__ = "Long" * 1000

# Nothing here makes sense anywhere. Python refuses to write a number of a million digits at all.
HUGE: dict[str, Any] = {
    "a million digits": 10**1_000_000,
    "minus a million digits": -(10**1_000_000),
    "three megabytes": "x" * 3_000_000,
    "three megabytes of bytes": b"x" * 3_000_000,
    "a long list": [10**5000] * 100_000,
    "a long mapping": dict.fromkeys(range(100_000), "x" * 1000),
    "a deep list": nested(50_000),
    "a tuple of all": ("play", "x" * 3_000_000, (10**5000,)),
    "unspeakable": Unspeakable(),
    "unspeakable ones": [Unspeakable()] * 1000,
    "a class of a long name": Long("nobody"),
    "nan": math.nan,
    "minus nothing": -0.0,
    "no end": math.inf,
    "a truth": True,
    "nothing much": {},
    "a set": {1, 2},
    "an array": np.zeros((1000, 1000)),
}

RULES = Rules(players=2)
PLAYED = sakura.simulate(2, progress=False)
RNG = np.random.default_rng(1)
PACKS = shuffles.fair(2, RNG)
GAME = Game(Match(seed=1, rounds=6), 0, ("greedy", "greedy"), {})

# Functions that are given one argument that makes no sense, by what that argument is.
FUNCTIONS: dict[str, Callable[[Any], object]] = {
    **{f"Rules {name}": lambda v, name=name: Rules(**{name: v}) for name in Rules(players=2).__dataclass_fields__},
    "Rules.preset": Rules.preset,
    "Rules.from_dict": lambda v: Rules.from_dict({"lightning": v}),
    "Rules.from_dict, a name": lambda v: Rules.from_dict({"x" * 10**6: v}),
    "Round rules": lambda v: Round(v or 0, seed=1),
    "Round seed": lambda v: Round(seed=v),
    "Round deck": lambda v: Round(deck=v),
    "Round deck, a card": lambda v: Round(deck=[v, *range(1, 48)]),
    "Round dealer": lambda v: Round(seed=1, dealer=v),
    "Round.apply_action": lambda v: Round(seed=1).apply_action(v),
    "Round.apply_action, a kind": lambda v: Round(seed=1).apply_action(Action(v, 1, ())),
    "Round.apply_action, a card": lambda v: Round(seed=1).apply_action(Action("play", v, ())),
    "Round.apply_action, captures": lambda v: Round(seed=1).apply_action(Action("play", 1, v)),
    "Round.apply_action, a captured card": lambda v: Round(seed=1).apply_action(Action("play", 1, (v,))),
    "Round.observation": lambda v: Round(seed=1).observation(v),
    "Round.log_for": lambda v: Round(seed=1).log_for(v),
    "Round.undo": lambda v: Round(seed=1).undo(v),
    "Round.choose": lambda v: Round(seed=1).choose(v),
    "Round.from_dict": Round.from_dict,
    "Round.load": lambda v: Round.load(v if isinstance(v, str) else Path("/nowhere" * 1000)),
    "Match rules": lambda v: Match(v or 0, seed=1, rounds=6),
    "Match seed": lambda v: Match(seed=v, rounds=6),
    "Match rounds": lambda v: Match(seed=1, rounds=v),
    "Match score": lambda v: Match(seed=1, score=v),
    "Match dealer": lambda v: Match(seed=1, rounds=6, dealer=v),
    "Match.play": lambda v: Match(seed=1, rounds=6).play(v),
    "Match.from_dict": Match.from_dict,
    "Match.load": lambda v: Match.load(v if isinstance(v, str) else Path("/nowhere" * 1000)),
    "Cards": lambda v: Cards([v]),
    "card_svg": card_svg,
    "card_svg language": lambda v: card_svg(1, title_language=v),
    "cards_svg columns": lambda v: cards_svg([1], columns=v),
    "simulate rounds": lambda v: sakura.simulate(v),
    "simulate rules": lambda v: sakura.simulate(1, v or 0),
    "simulate agents": lambda v: sakura.simulate(1, agents=v),
    "simulate agents, one": lambda v: sakura.simulate(1, agents=["greedy", v]),
    "simulate seed": lambda v: sakura.simulate(1, seed=v),
    "simulate first": lambda v: sakura.simulate(1, first=v),
    "simulate dealer": lambda v: sakura.simulate(1, dealer=v),
    "simulate yaku_turns": lambda v: sakura.simulate(1, yaku_turns=not_true(v)),
    "simulate progress": lambda v: sakura.simulate(1, progress=not_true(v)),
    "simulate executor": lambda v: sakura.simulate(1, executor=v),
    "deals rounds": lambda v: sakura.deals(v),
    "deals dealer": lambda v: sakura.deals(1, dealer=v),
    "tournament agents": lambda v: tournament(v),
    "tournament agents, one": lambda v: tournament(["greedy", v]),
    "tournament agents, a name": lambda v: tournament({"greedy": "greedy", name_like(v): "random", 1: "random"}),
    "tournament deals": lambda v: tournament(["greedy", "random"], deals=v),
    "tournament seed": lambda v: tournament(["greedy", "random"], deals=2, seed=v),
    "tournament rules": lambda v: tournament(["greedy", "random"], v or 0, deals=2),
    "MonteCarlo playouts": lambda v: MonteCarlo(playouts=v),
    "MonteCarlo milliseconds": lambda v: MonteCarlo(milliseconds=not_positive(v)),
    "MonteCarlo own": lambda v: MonteCarlo(own=v),
    "MonteCarlo others": lambda v: MonteCarlo(others=v),
    "MonteCarlo halving": lambda v: MonteCarlo(halving=not_true(v)),
    "MonteCarlo advice": lambda v: MonteCarlo(advice=v),
    "Careful": Careful,
    "Solver positions": lambda v: Solver(positions=v),
    "advise playouts": lambda v: coach.advise(Round(seed=1), playouts=v),
    "review seat": lambda v: coach.review(Round(seed=1), v),
    "position number": lambda v: coach.position(Round(seed=1), v),
    "position_at number": lambda v: positions.position_at("hiki", 1, v),
    "position_at seed": lambda v: positions.position_at("hiki", v, 0),
    "position_at topic": lambda v: positions.position_at(v, 1, 0),
    "odds count": lambda v: odds.suit_on_field(RULES, v),
    "odds place": lambda v: odds.lightning(RULES, v),
    "odds turns": lambda v: odds.unseen_in_pile(RULES, v if v is not True else 1.0),
    "fair packs": lambda v: shuffles.fair(v, RNG),
    "gathered order": lambda v: shuffles.gathered(PLAYED, RNG, v),
    "riffle packs": lambda v: shuffles.riffle(v, RNG),
    "riffle times": lambda v: shuffles.riffle(PACKS, RNG, v),
    "overhand packet": lambda v: shuffles.overhand(PACKS, RNG, packet=not_positive(v)),
    "smoosh reach": lambda v: shuffles.smoosh(PACKS, RNG, not_positive(v)),
    "riffle_chance rising": lambda v: shuffles.riffle_chance(v if v is not True else 1.0, 2),
    "packets dealer": lambda v: shuffles.packets(RULES, v),
    "packets way": lambda v: shuffles.packets(RULES, 0, v),
    "told": lambda v: house_rules.told(v, RULES),
    "effects rules": lambda v: house_rules.effects(v or 0, rounds=2),
    "match_totals matches": lambda v: house_rules.match_totals(RULES, matches=v),
    "proportion successes": lambda v: stats.proportion(v, 10),
    "proportion n": lambda v: stats.proportion(1, v),
    "simultaneous": lambda v: stats.simultaneous(v),
    "ratio": lambda v: stats.ratio(v, 10, 3, 10),
    "GameTable opponents": lambda v: GameTable(opponents=v),
    "GameTable seat": lambda v: GameTable(seat=v),
    "GameTable pace": lambda v: GameTable(pace=v),
    "GameTable dealer": lambda v: GameTable(dealer=v),
    "GameTable rounds": lambda v: GameTable(rounds=v),
    "game table's file": lambda v: GAME.loaded(v if isinstance(v, str) else "[" * 100_000),
    "game table's file, a name": lambda v: GAME.loaded(file_with(opponents=["x" * 10**6, "greedy"])),
    "game table's file, a seat": lambda v: GAME.loaded(file_with(seat=10**4000)),
    "DealTable players": lambda v: DealTable(v),
    "DealTable seed": lambda v: DealTable(seed=v),
    "DeckGallery suit": lambda v: DeckGallery(suit=v),
    "DeckGallery kind": lambda v: DeckGallery(kind=v),
    "DeckGallery yaku": lambda v: DeckGallery(yaku=v),
    "DeckGallery language": lambda v: DeckGallery(language=v),
    "FlashCards seed": lambda v: FlashCards(v),
    "FlashCards ask": lambda v: FlashCards(ask=v),
    "RulesTable rules": lambda v: RulesTable(v or 0),
    "RulesTable base": lambda v: RulesTable(base=v),
    "RulesTable rounds": lambda v: RulesTable(rounds=v),
    "TurnTrainer topic": TurnTrainer,
    "TurnTrainer position": lambda v: TurnTrainer(position=v),
    "YakuBoard sides": lambda v: YakuBoard(sides=v),
    "YakuBoard captured": lambda v: YakuBoard(captured=[[v]]),
    "Quiz": lambda v: Quiz(Question("?", {"x" * 10**6: ""}, "y")),
}


def not_true(value: Any) -> Any:
    return 1 if value is True else value


def not_positive(value: Any) -> Any:
    """What is no size of anything; an int that a float cannot hold included."""
    return -1 if isinstance(value, float) or value is True else value


def name_like(value: Any) -> Any:
    return value if isinstance(value, str | bytes | int | tuple) else str(type(value))


def file_with(**table: object) -> str:
    return json.dumps({**Match(seed=1, rounds=6).to_dict(), "table": table})


# What makes sense after all: house rules that are switches, and one row for any number of cards.
SENSE = {
    *((f"Rules {name}", "a truth") for name in ("hiki", "lightning_from_pile", "play_out_pile", "chu", "basa")),
    ("cards_svg columns", "a million digits"),
}


@pytest.mark.parametrize("function", FUNCTIONS)
def test_what_makes_no_sense_is_refused_in_few_words_however_large_it_is(function: str) -> None:
    wrong = []
    for name, value in HUGE.items():
        if (function, name) in SENSE:
            continue
        try:
            FUNCTIONS[function](value)
            wrong.append(f"{name}: taken")
        except (ValueError, TypeError, OSError) as error:
            if len(str(error)) > LONGEST:
                wrong.append(f"{name}: {len(str(error)):_} characters, {str(error)[:80]} ...")
            elif "digits" in str(error) or "repr" in str(error) or "sakura" in repr(error.__cause__):
                wrong.append(f"{name}: {error}")
        except BaseException as error:
            wrong.append(f"{name}: {type(error).__name__}: {str(error)[:100]}")
    assert not wrong, "\n".join(wrong)


def test_a_refusal_lists_what_is_legal_but_not_a_page_of_it() -> None:
    """The Lightning alone has as many actions as the field has cards of other suits."""
    tables = (Round(Rules(players=2, hand=8, field=30), seed=seed) for seed in range(50))
    crowded = [rnd for rnd in tables if len(rnd.legal_actions()) > 12]
    assert crowded
    for rnd in crowded:
        with pytest.raises(sakura.IllegalAction, match=r"legal are .* more") as refusal:
            rnd.apply_action(Action("play", 99, ()))
        assert len(str(refusal.value)) < LONGEST


# ---- Files ----


def played(rnd: Round, decisions: int) -> Round:
    while len(rnd.actions) < decisions and not rnd.is_terminal:
        rnd.apply_action(rnd.choose("greedy"))
    return rnd


def a_match() -> Match:
    match = Match(Rules(players=3, chu=True, match_scoring="rounds"), seed=3, rounds=4, dealer=1)
    played(match.round, 99)
    match.next_round()
    played(match.round, 3)
    return match


SAVED: dict[str, tuple[Callable[[Any], Any], dict[str, Any]]] = {
    "a round": (Round.from_dict, played(Round(Rules(players=3, hiki=False), seed=5, dealer=1), 5).to_dict()),
    "a round from a deck": (Round.from_dict, played(Round(deck=range(47, -1, -1)), 4).to_dict()),
    "a match": (Match.from_dict, a_match().to_dict()),
    "a match to a score": (Match.from_dict, Match(seed=3, score=100, dealer=0).to_dict()),
}

ODD = [None, True, False, -1, 1 << 63, 10**5000, 0.0, -0.0, 1.0, math.nan, math.inf, "", "1", b"1", [], [[]], [None]]
ODD += [{}, {"0": 1}, {1}, nested(5000), Unspeakable(), np.array([[1]])]


def places(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every value in nested data; of a list, the first three will do."""
    inside = data.items() if isinstance(data, dict) else enumerate(data[:3]) if isinstance(data, list) else ()
    for key, value in inside:
        yield (*path, key)
        yield from places(value, (*path, key))


def at(data: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        data = data[key]
    return data


def makes_sense(path: tuple[Any, ...], old: Any, new: Any) -> bool:
    """Whether the new value is another that may stand there: a switch the other way, nothing played yet, no seed."""
    if isinstance(old, bool) and isinstance(new, bool):
        return True
    if path in (("seed",), ("dealer",)) and new is None:
        return True
    # A match says what was played in each of its rounds.
    nothing_played = type(new) is list and (new == [] or (path == ("actions",) and new == [[]]))
    return path[0] == "actions" and len(path) <= 2 and nothing_played


@pytest.mark.parametrize("kind", SAVED)
def test_a_value_of_another_kind_is_refused_wherever_it_stands_in_a_file(kind: str) -> None:
    read, good = SAVED[kind]
    assert read(deepcopy(good)).to_dict() == good
    wrong, tried = [], 0
    for path in places(good):
        old = at(good, path)
        # The same number as a float, or in words, is another kind, too.
        for new in [*ODD, *([float(old), str(old)] if isinstance(old, int) else [])]:
            if makes_sense(path, old, new):
                continue
            changed = deepcopy(good)
            at(changed, path[:-1])[path[-1]] = new
            tried += 1
            try:
                read(changed)
                if type(new) is not type(old) or json.dumps(new) != json.dumps(old):
                    wrong.append(f"{path}: {old!r} may be {sakura.checks.shown(new)}")
            except (ValueError, TypeError) as error:
                if len(str(error)) > LONGEST:
                    wrong.append(f"{path}: {len(str(error))} characters")
            except BaseException as error:
                wrong.append(f"{path}: {type(error).__name__}")
    assert tried > 200
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("kind", SAVED)
def test_a_file_says_each_thing_once_and_nothing_else(kind: str, tmp_path: Path) -> None:
    read, good = SAVED[kind]
    load = Round.load if read == Round.from_dict else Match.load
    text = json.dumps(good)
    file = tmp_path / "saved.json"
    file.write_bytes(b"\xef\xbb\xbf" + text.encode())
    assert load(file).to_dict() == good
    for path in [("rules",), ()]:
        for key in at(good, path):
            lacking = deepcopy(good)
            del at(lacking, path)[key]
            if path == () or key == "players":
                with pytest.raises(ValueError, match=r"lacks|should be|players"):
                    read(lacking)
        more = deepcopy(good)
        at(more, path)["luck"] = 1
        with pytest.raises(ValueError, match="'luck'"):
            read(more)
    bad = {
        text[:-1] + ', "seed": 1}': "'seed' is there twice",
        text.replace('"players": ', '"players": 2, "players": ', 1): "'players' is there twice",
        text.replace('"seed": ', '"seed": NaN, "x": ', 1): "NaN is no number",
        text.replace('"seed": ', '"seed": ' + "9" * 5000 + ', "x": ', 1): "not JSON",
        "[" * 100_000: "not JSON",
    }
    for words, reason in bad.items():
        file.write_text(words)
        with pytest.raises(ValueError, match=rf"saved\.json: .*{reason}"):
            load(file)
    file.write_bytes(text.encode().replace(b'"seed"', b'"se\xff"', 1))
    with pytest.raises(ValueError, match="is not a text file"):
        load(file)


TABLES = [5, None, [], "", {"seat": 1.0}, {"seat": True}, {"seat": []}, {"seat": 4}, {"opponents": None}]
TABLES += [{"opponents": names} for names in ("greedy", {"greedy": 1, "random": 2}, ["greedy", 1], [[], {}])]


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_a_table_in_a_file_that_nobody_could_sit_at_is_refused(table: object) -> None:
    with pytest.raises(ValueError, match="This file cannot be loaded, and nothing has changed"):
        GAME.loaded(json.dumps({**Match(seed=1, rounds=6).to_dict(), "table": table}))
