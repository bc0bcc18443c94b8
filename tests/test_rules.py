"""`Rules`: what a table agrees on, and what it cannot agree on."""

import dataclasses
import pickle
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from sakura import Rules

DEFAULTS = {
    "players": 2,
    "teams": None,
    "hand": 8,
    "field": 8,
    "four_on_field": "dealer",
    "hiki": True,
    "lightning": "sweep",
    "lightning_from_pile": False,
    "lightning_dealt": "stays",
    "play_out_pile": False,
    "yaku": "penalty",
    "match_scoring": "points",
    "chu": False,
    "basa": False,
}
# players: hand, field, pile
DEALS = {2: (8, 8, 24), 3: (7, 6, 21), 4: (5, 8, 20), 5: (4, 8, 20), 6: (3, 12, 18), 7: (3, 6, 21)}

CHANGED = {
    "players": 6,
    "teams": 3,
    "hand": 4,
    "field": 10,
    "four_on_field": "redeal",
    "hiki": False,
    "lightning": "claim",
    "lightning_from_pile": True,
    "lightning_dealt": "discarded",
    "play_out_pile": True,
    "yaku": "bonus",
    "match_scoring": "rounds",
    "chu": True,
    "basa": True,
}


def options(rules: Rules) -> dict[str, Any]:
    return {field.name: getattr(rules, field.name) for field in dataclasses.fields(rules)}


def test_the_defaults_are_hawaiis() -> None:
    assert options(Rules()) == DEFAULTS


@pytest.mark.parametrize("players", DEALS)
def test_the_deal_depends_on_the_number_of_players(players: int) -> None:
    rules = Rules(players=players)
    assert (rules.hand, rules.field, rules.pile) == DEALS[players]
    assert rules.pile >= players * rules.hand, "a turn would find no card to turn up"
    assert (rules.pile == players * rules.hand) == (players > 2), "only two players leave dead cards"


def test_a_table_may_deal_other_numbers_of_cards() -> None:
    rules = Rules(players=2, hand=10)
    assert (rules.hand, rules.field, rules.pile) == (10, 8, 20)
    assert Rules(players=3, field=9).hand == 7
    assert Rules(players=2, hand=1, field=0).pile == 46
    assert Rules(players=2, hand=24, field=0).pile == 0


PRESETS = {
    "hawaii": {},
    "paradise": {"match_scoring": "rounds"},
    "wikipedia": {"hiki": False, "lightning": "claim"},
}


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_differs_from_the_defaults_in_this_alone(name: str) -> None:
    assert options(Rules.preset(name)) == DEFAULTS | PRESETS[name]


def test_a_preset_takes_further_changes_which_prevail() -> None:
    rules = Rules.preset("wikipedia", players=4, teams=2, lightning="plain")
    assert (rules.players, rules.teams, rules.hiki, rules.lightning) == (4, 2, False, "plain")
    assert (rules.hand, rules.field) == (5, 8)


def test_every_option_comes_back_from_a_dict() -> None:
    assert set(CHANGED) == set(DEFAULTS)
    everything = Rules(**CHANGED)
    assert options(everything) == CHANGED
    assert everything.to_dict() == CHANGED
    assert Rules.from_dict(everything.to_dict()) == everything
    for name, value in CHANGED.items():
        changes = {"players": 6, name: value}
        assert Rules.from_dict(Rules(**changes).to_dict()) == Rules(**changes)


def test_a_dict_names_only_what_differs_from_the_defaults() -> None:
    assert Rules().to_dict() == {"players": 2}
    assert Rules(players=5, hand=4, field=8).to_dict() == {"players": 5}
    assert Rules(players=5, hand=3, hiki=False).to_dict() == {"players": 5, "hand": 3, "hiki": False}


@pytest.mark.parametrize("rules", [Rules(**CHANGED), *map(Rules.preset, PRESETS)], ids=str)
def test_rules_are_written_as_they_are_made(rules: Rules) -> None:
    assert eval(repr(rules)) == rules
    assert str(rules) in repr(rules)


def test_equal_rules_are_equal_keys_and_a_single_change_makes_them_differ() -> None:
    assert len({Rules(), Rules(hand=8), Rules.preset("hawaii"), Rules.from_dict({})}) == 1
    made = [Rules(players=6), *(Rules(**{"players": 6, name: value}) for name, value in CHANGED.items())]
    assert len(set(made)) == len(CHANGED)  # with players=6 on both sides, that one makes no difference


def test_rules_do_not_change() -> None:
    rules = Rules()
    with pytest.raises(dataclasses.FrozenInstanceError):
        rules.hiki = False  # type: ignore[misc]
    assert rules == Rules()
    assert dataclasses.replace(rules, hiki=False).hiki is False


def test_each_plays_alone_where_there_are_no_teams() -> None:
    rules = Rules(players=3)
    assert rules.sides == 3
    assert [rules.side_of(seat) for seat in range(3)] == [0, 1, 2]


@pytest.mark.parametrize(
    ("players", "teams", "sides"),
    [(4, 2, [(0, 2), (1, 3)]), (6, 3, [(0, 3), (1, 4), (2, 5)]), (6, 2, [(0, 2, 4), (1, 3, 5)])],
)
def test_partners_sit_at_even_distances(players: int, teams: int, sides: list[tuple[int, ...]]) -> None:
    rules = Rules(players=players, teams=teams)
    assert rules.sides == teams
    assert [rules.seats_of(side) for side in range(teams)] == sides
    for side, seats in enumerate(sides):
        assert all(rules.side_of(seat) == side for seat in seats)


# What is wrong, and all that the message has to name.
IMPOSSIBLE: list[tuple[dict[str, Any], type[Exception], tuple[str, ...]]] = [
    ({"players": 8}, ValueError, ("players must be 2 to 7, got 8",)),
    ({"players": 1}, ValueError, ("players must be 2 to 7, got 1",)),
    ({"players": -2}, ValueError, ("players must be 2 to 7, got -2",)),
    ({"players": 2.0}, TypeError, ("players", "whole number", "2.0")),
    ({"players": "2"}, TypeError, ("players", "whole number", "'2'")),
    ({"players": True}, TypeError, ("players", "whole number", "True")),
    ({"players": None}, TypeError, ("players", "whole number", "None")),
    ({"players": 5, "teams": 2}, ValueError, ("5 players", "no teams", "teams=2", "None")),
    ({"players": 4, "teams": 3}, ValueError, ("4 players", "2 teams", "teams=3", "None")),
    ({"players": 4, "teams": 4}, ValueError, ("4 players", "2 teams", "teams=4")),
    ({"players": 4, "teams": 1}, ValueError, ("4 players", "2 teams", "teams=1")),
    ({"players": 6, "teams": 6}, ValueError, ("6 players", "2 or 3 teams", "teams=6")),
    ({"players": 2, "teams": 2}, ValueError, ("2 players", "no teams", "teams=2")),
    ({"players": 4, "teams": True}, TypeError, ("teams", "whole number", "True")),
    ({"players": 4, "teams": 2.0}, TypeError, ("teams", "whole number", "2.0")),
    ({"hand": 21}, ValueError, ("2 hands of 21", "field of 8", "50", "48")),
    ({"players": 7, "field": 28}, ValueError, ("7 hands of 3", "field of 28", "49", "48")),
    ({"hand": 0}, ValueError, ("hand", "at least 1", "got 0")),
    ({"hand": -1}, ValueError, ("hand", "at least 1", "got -1")),
    ({"hand": 7.5}, TypeError, ("hand", "whole number", "7.5")),
    ({"field": -1}, ValueError, ("field", "at least 0", "got -1")),
    ({"field": "8"}, TypeError, ("field", "whole number", "'8'")),
    ({"hand": 1, "field": 37, "four_on_field": "redeal"}, ValueError, ("field of 37", "36 cards at most")),
    ({"four_on_field": "player"}, ValueError, ("four_on_field", "'dealer'", "'redeal'", "got 'player'")),
    ({"lightning": "wild"}, ValueError, ("lightning", "'sweep'", "'claim'", "'sweep_all'", "'plain'", "got 'wild'")),
    ({"lightning": None}, ValueError, ("lightning", "'sweep'", "got None")),
    ({"lightning": ["sweep"]}, ValueError, ("lightning", "'sweep'", "got ['sweep']")),
    ({"lightning_dealt": "burned"}, ValueError, ("lightning_dealt", "'stays'", "'discarded'", "got 'burned'")),
    ({"yaku": "both"}, ValueError, ("yaku", "'penalty'", "'bonus'", "got 'both'")),
    ({"match_scoring": "wins"}, ValueError, ("match_scoring", "'points'", "'rounds'", "got 'wins'")),
    ({"hiki": "no"}, TypeError, ("hiki", "True or False", "got 'no'")),
    ({"hiki": 1}, TypeError, ("hiki", "True or False", "got 1")),
    ({"lightning_from_pile": None}, TypeError, ("lightning_from_pile", "True or False", "got None")),
    ({"play_out_pile": 0}, TypeError, ("play_out_pile", "True or False", "got 0")),
    ({"chu": 2}, TypeError, ("chu", "True or False", "got 2")),
    ({"basa": "yes"}, TypeError, ("basa", "True or False", "got 'yes'")),
]


@pytest.mark.parametrize(("wrong", "error", "named"), IMPOSSIBLE, ids=[str(row[0]) for row in IMPOSSIBLE])
def test_what_cannot_be_played_is_refused_with_what_would_be_right(
    wrong: dict[str, Any], error: type[Exception], named: tuple[str, ...]
) -> None:
    for make in (Rules, lambda **options: Rules.from_dict(options), partial(Rules.preset, "paradise")):
        with pytest.raises(error) as refusal:
            make(**wrong)
        assert all(words in str(refusal.value) for words in named), refusal.value


def test_an_unknown_preset_is_refused_with_the_names_of_all() -> None:
    with pytest.raises(ValueError) as refusal:
        Rules.preset("kauai")
    assert all(words in str(refusal.value) for words in ("'kauai'", *map(repr, PRESETS)))


def test_an_unknown_option_is_refused_with_the_names_of_all() -> None:
    for make in (lambda **options: Rules.from_dict(options), partial(Rules.preset, "hawaii")):
        with pytest.raises(ValueError) as refusal:
            make(lightening="sweep")
        assert all(words in str(refusal.value) for words in ("'lightening'", *DEFAULTS))
    with pytest.raises(TypeError, match="lightening"):
        Rules(lightening="sweep")  # type: ignore[call-arg]


def test_options_have_no_order() -> None:
    with pytest.raises(TypeError, match="positional"):
        Rules(2)  # type: ignore[misc]


@pytest.mark.parametrize(
    "changed", [lambda rules, **c: dataclasses.replace(rules, **c), Rules.replace], ids=["field by field", "replace"]
)
def test_other_players_get_the_usual_deal_of_their_own_table(changed: Callable[..., Rules]) -> None:
    assert changed(Rules(players=2, hiki=False), players=4) == Rules(players=4, hiki=False)
    assert changed(pickle.loads(pickle.dumps(Rules())), players=7).hand == 3
    assert changed(Rules(hand=6), players=4) == Rules(players=4, hand=6)
    assert changed(Rules(players=4, field=10), hand=3) == Rules(players=4, field=10, hand=3)


def test_a_rule_that_does_not_exist_cannot_be_replaced() -> None:
    with pytest.raises(ValueError, match="no house rule is called 'player'"):
        Rules().replace(player=4)
