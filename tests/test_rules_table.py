"""The table of house rules, used through the messages that a browser sends."""

import re
import threading
import time

import pytest

from sakura import Rules, house_rules, simulate
from sakura.house_rules import HOUSE_RULES, MEASURES, choices
from sakura.widgets import RulesTable, rules_table
from sakura.widgets.elements import walk

ROUNDS = 120


def opened(rules=None, **options):
    return RulesTable(rules, **{"rounds": ROUNDS} | options)


def press(table, key, value):
    table._receive(None, {"key": key, "version": table.shown["version"], "value": value}, [])
    # As a browser does while something is compiled or played.
    while table.shown["after"]:
        time.sleep(0.02)
        table._receive(None, {"key": "after", "version": table.shown["version"]}, [])


def words(element):
    """All the words below an element."""
    parts = (child if isinstance(child, str) else words(child) for child in element.children)
    return re.sub(r"\s+", " ", " ".join(parts))


def shown(table):
    return words(table._root)


def rows(table, caption):
    """The rows of the table of that caption: first cell -> the others, in words."""
    for part in walk(table._root):
        if part.tag == "table" and words(part.children[0]) == caption:
            lines = ([words(cell).strip() for cell in row.children] for row in part.children[2].children)
            return {first: others for first, *others in lines}
    return None


def error(table):
    found = [words(part) for part in walk(table._root) if part.attributes.get("class") == "sakura-text sakura-error"]
    return found[0] if found else None


# ---- What is shown ----


def test_at_first_there_is_nothing_to_compare():
    table = opened()
    assert table.shown["say"] == "These are Hawaii's rules. Choose others, and see what they change."
    assert rows(table, "What changes in a round") is None


def test_a_rule_that_differs_is_told_with_its_source_and_what_it_changes():
    table = opened(seed=4)
    press(table, "hiki", False)
    assert table.rules == Rules(hiki=False)
    assert "What differs from Hawaii's rules There is no hiki: whoever has all four cards" in shown(table)
    assert "(WP). Instead of: Hiki: all four cards of a suit between hand and field may be taken" in shown(table)
    found = house_rules.effects(Rules(hiki=False), rounds=ROUNDS, seed=4)
    lines = rows(table, "What changes in a round")
    for name, measure in MEASURES.items():
        was, change = lines.pop(measure.words)
        assert was.rstrip("%") == f"{measure.scaled(found.was[name]):.1f}".replace("-", "−")
        assert change == found.change(name).replace("-", "−")
    assert lines == {"another winner": ["–", f"{found.other_winner:.1%} of rounds"]}
    assert f"{ROUNDS} rounds by each set of rules, the same deals, greedy, seed 4: players=2, hiki=False" in shown(
        table
    )
    assert f"Another side wins {found.other_winner:.1%} of the rounds." in table.shown["say"]


def test_every_house_rule_can_be_chosen_and_given_up_again():
    for name in HOUSE_RULES:
        table = opened()
        usual, *others = choices(name, Rules())
        for value in (*others, usual):
            press(table, name, value == 10 if name == "hand" else value)
            assert error(table) is None
            assert getattr(table.rules, name) == value
        assert table.rules == Rules()


@pytest.mark.parametrize("players", range(2, 8))
def test_players_keep_the_house_rules(players):
    table = opened(Rules(lightning="plain"))
    press(table, "Players", str(players))
    assert table.rules == Rules(players=players, lightning="plain")
    assert ("hand" in table._controls) == (players == 2)
    assert rows(table, "What changes in a round") is not None


def test_a_preset_to_play_by_and_one_to_compare_with():
    table = opened()
    press(table, "All house rules of", "wikipedia")
    assert table.rules == Rules.preset("wikipedia")
    press(table, "Compared with", "wikipedia")
    assert table.shown["say"] == "These are Wikipedia's rules. Choose others, and see what they change."
    press(table, "All house rules of", "hawaii")
    assert "What differs from Wikipedia's rules Hiki:" in shown(table)
    assert table.effects.base.rules == Rules.preset("wikipedia") and table.effects.run.rules == Rules()


def test_players_rounds_and_seed_are_those_chosen():
    table = opened(Rules(lightning="plain"))
    press(table, "Who plays", "random")
    press(table, "Seed", "9")
    press(table, "Rounds", str(rules_table.ROUNDS[0]))
    found = table.effects
    assert (found.run.agents, found.run.seed, found.rounds) == (("random",) * 2, 9, rules_table.ROUNDS[0])
    assert f"{found.rounds:,} rounds by each set of rules, the same deals, random, seed 9" in shown(table)


def test_other_hands_are_another_round_and_no_other_winner():
    table = opened(Rules(hand=10))
    assert "the same packs dealt into other hands" in shown(table)
    assert "another winner" not in rows(table, "What changes in a round")
    assert "Another side wins" not in table.shown["say"] and "More: " in table.shown["say"]


def test_a_rule_that_leaves_every_round_as_it_is():
    table = opened(Rules(yaku="bonus"))
    assert table.shown["say"] == "The same side wins every round. More: score of a side."
    assert rows(table, "What changes in a round")["winner's lead"][1] == "the same in every round"


# ---- Matches, and rules that do not matter ----


def test_what_counts_in_a_match_is_measured_in_matches():
    table = opened(Rules.preset("paradise"), rounds=600)
    assert table.shown["say"] == "The same side wins every round. No change is shown in what is measured here."
    found = house_rules.match_effects(Rules.preset("paradise"), matches=100, seed=1)
    assert rows(table, "What changes in a match of 6 rounds") == {
        "another winner": [f"{found.other_winner:.1%}"],
        "a tie, Hawaii's rules": [f"{found.ties_before:.1%}"],
        "a tie, these rules": [f"{found.ties_after:.1%}"],
    }
    assert "100 matches, seed 1; 95% intervals." in shown(table)


def test_a_rule_that_cannot_matter_is_said_to_and_kept():
    table = opened(Rules(chu=True))
    assert "(PF). This changes nothing here: it counts only where a match is won by victories." in shown(table)
    assert rows(table, "What changes in a match of 6 rounds") is None
    press(table, "lightning", "plain")
    press(table, "lightning_from_pile", True)
    assert "This changes nothing here: the Lightning takes no other suit here." in shown(table)
    press(table, "match_scoring", "rounds")
    assert table.rules == Rules(chu=True, lightning="plain", lightning_from_pile=True, match_scoring="rounds")
    assert rows(table, "What changes in a match of 6 rounds") is not None


# ---- What goes wrong ----


@pytest.mark.parametrize(
    ("key", "value", "reason"),
    [
        ("Seed", "x", "The seed: a whole number is needed, got 'x'"),
        ("Seed", "-1", "seed must be 0 to"),
        ("Rounds", "3", "rounds must be at least 6, got 3"),
        ("Who plays", "nobody", "agent must be one of greedy, careful, random, got 'nobody'"),
        ("Compared with", "japan", "base must be one of hawaii, paradise, wikipedia, got 'japan'"),
    ],
)
def test_what_cannot_be_is_refused_in_words_and_nothing_is_lost(key, value, reason):
    table = opened(Rules(hiki=False), seed=7)
    before = rows(table, "What changes in a round")
    press(table, key, value)
    assert error(table).startswith(reason)
    assert table.rules == Rules(hiki=False) and rows(table, "What changes in a round") == before
    press(table, "hiki", True)
    assert error(table) is None


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"rules": Rules(players=4, teams=2)}, "teams are not compared here"),
        ({"base": "japan"}, "base must be one of 'hawaii', 'paradise', 'wikipedia', got 'japan'"),
        ({"agent": "expert"}, "agent must be one of 'greedy', 'careful', 'random', got 'expert'"),
        ({"rounds": 5}, "rounds must be at least 6, got 5"),
        ({"seed": -1}, "seed must be 0 to"),
    ],
)
def test_bad_arguments_are_named(options, reason):
    with pytest.raises(ValueError, match=reason):
        RulesTable(**options)


def test_while_the_program_is_compiled_it_says_so_and_then_goes_on(monkeypatch):
    monkeypatch.setattr(rules_table, "ready", lambda loops: False)
    table = opened(Rules(hiki=False))
    assert "is being compiled, once" in table.shown["say"] and table.shown["after"]
    assert rows(table, "What changes in a round") is None
    monkeypatch.setattr(rules_table, "ready", lambda loops: True)
    table._receive(None, {"key": "after", "version": table.shown["version"]}, [])
    assert rows(table, "What changes in a round") and table.shown["after"] is None


def test_while_many_rounds_are_played_it_says_so_and_can_be_used(monkeypatch):
    go_on = threading.Event()
    monkeypatch.setattr(rules_table, "simulate", lambda *args, **more: (go_on.wait(60), simulate(*args, **more))[1])
    table = opened(seed=78)
    table._receive(None, {"key": "hiki", "version": table.shown["version"], "value": False}, [])
    assert table.shown["say"] == "The rounds are being played." and table.shown["after"]
    table._receive(None, {"key": "lightning", "version": table.shown["version"], "value": "plain"}, [])
    assert table.rules == Rules(hiki=False, lightning="plain") and "being played" in shown(table)
    go_on.set()
    press(table, "hiki", True)
    found = house_rules.effects(Rules(lightning="plain"), rounds=ROUNDS, seed=78)
    assert f"Another side wins {found.other_winner:.1%} of the rounds." in table.shown["say"]


def test_a_table_seen_before_is_not_played_again(monkeypatch):
    table = opened(Rules(hiki=False), seed=77)
    played = []
    monkeypatch.setattr(
        rules_table, "simulate", lambda *args, **more: played.append(args[1]) or simulate(*args, **more)
    )
    press(table, "lightning", "plain")
    press(table, "lightning", "sweep")
    assert played == [Rules(hiki=False, lightning="plain")]


def test_high_contrast_is_a_look_and_changes_no_number():
    table = opened(Rules(hiki=False))
    before = rows(table, "What changes in a round")
    press(table, "High contrast", True)
    looks = [part.attributes.get("class", "") for part in walk(table._root)]
    assert sum("sakura-rules-contrast" in look for look in looks) == 1
    assert rows(table, "What changes in a round") == before
    press(table, "High contrast", False)
    assert not any("contrast" in part.attributes.get("class", "") for part in walk(table._root))


# ---- Where nothing runs ----


def test_the_picture_says_all_that_the_table_shows():
    table = opened(Rules.preset("wikipedia", match_scoring="rounds"))
    html = table.static_html()
    for part in (
        "What differs from Hawaii",
        "There is no hiki",
        "(WP)",
        "What changes in a round",
        "winner&#x27;s lead",
    ):
        assert part in html
    assert "What changes in a match of 6 rounds" in html and "seed 1" in html
    assert "<select" not in html and "<input" not in html
