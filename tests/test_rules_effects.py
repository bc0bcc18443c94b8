"""What a house rule changes: in words, in a round and in a match; and what cannot be compared."""

import html
import re
import warnings
from dataclasses import fields, replace

import numpy as np
import pytest

from sakura import Round, Rules, house_rules, simulate, stats
from sakura.bits import random63
from sakura.house_rules import HOUSE_RULES, MEASURES, alternatives, choices, compare, differing, effects, idle, told
from sakura.match import result
from sakura.rules import CHOICES, PRESETS

ROUNDS = 400


# ---- Which rules there are ----


def test_every_option_of_the_rules_is_a_house_rule_or_the_size_of_the_table():
    assert {*HOUSE_RULES, "players", "teams", "field"} == {option.name for option in fields(Rules)}


@pytest.mark.parametrize("players", range(2, 8))
def test_every_house_rule_says_something_else_for_every_choice_and_names_a_source(players):
    usual = Rules(players=players)
    for name in HOUSE_RULES:
        values = choices(name, usual)
        assert values[0] == getattr(usual, name)
        if name in CHOICES:
            assert set(values) == set(CHOICES[name])
        said = [str(told(name, replace(usual, **{name: value}))) for value in values]
        assert len(set(said)) == len(values)
        assert all(words.endswith(").") and told(name, usual).source for words in said)


def test_what_is_told_of_hiki_has_both_its_halves_and_victories_are_of_the_source_that_counts_them():
    assert all("Lightning" in told("hiki", Rules(hiki=hiki)).words for hiki in (True, False))
    every = [(name, told(name, Rules.from_dict({name: v}))) for name in HOUSE_RULES for v in choices(name, Rules())]
    assert {name for name, words in every if "HH" in words.source} == {"yaku", "match_scoring"}


def test_only_two_players_have_a_longer_hand_with_which_nothing_is_dead():
    assert choices("hand", Rules()) == (8, 10)
    assert told("hand", Rules(hand=10)).words == "10 cards are dealt to each hand, so that no card is dead"
    assert told("hand", Rules()).words == "8 cards are dealt to each hand, so that 8 cards are never seen"
    for players in range(3, 8):
        assert choices("hand", Rules(players=players)) == (Rules(players=players).hand,)


@pytest.mark.parametrize("preset", PRESETS)
def test_alternatives_differ_in_one_house_rule_that_matters(preset):
    base = Rules.preset(preset)
    found = alternatives(base)
    assert len(set(found.values())) == len(found)
    for name, rules in found.items():
        (changed,) = differing(rules, base)
        assert name == f"{changed}={getattr(rules, changed)!r}"
        assert changed not in idle(rules) | idle(base)
    everything = sum(len(choices(name, base)) - 1 for name in HOUSE_RULES)
    assert everything - len(found) == len(idle(base))


def test_alternatives_that_cannot_be_dealt_are_left_out():
    crowded = alternatives(Rules(hand=1, field=46))
    assert crowded and not {"hand=8", "four_on_field='redeal'"} & crowded.keys()


def test_a_rule_that_there_is_not_is_named():
    with pytest.raises(ValueError, match="no house rule is called 'koi_koi'; there are hand, four_on_field"):
        told("koi_koi", Rules())


def same_rounds(rules, other):
    one, two = (simulate(ROUNDS, each, "random", 3) for each in (rules, other))
    return all(np.array_equal(a, b) for a, b in zip(one.table, two.table, strict=True))


def test_what_is_called_idle_changes_no_round():
    for rules in (Rules(lightning="plain"), Rules(players=4, hiki=False)):
        (name,) = idle(rules).keys() - {"chu", "basa"}
        assert same_rounds(rules, replace(rules, **{name: True}))
    assert not same_rounds(Rules(hiki=False), Rules(hiki=False, play_out_pile=True)), "dead cards are turned up"
    assert "play_out_pile" not in idle(Rules(hiki=False))


def test_what_is_called_idle_changes_no_match():
    assert {"chu", "basa"} <= idle(Rules()).keys() and not idle(Rules(match_scoring="rounds"))
    totals = [house_rules.match_totals(rules, "random", 20, 3) for rules in (Rules(), Rules(chu=True, basa=True))]
    assert np.array_equal(*totals)


# ---- What they change ----


def by_hand(rules):
    """The measures of each round, counted the slow way."""
    run = simulate(ROUNDS, rules, "greedy", 5)
    found = {name: [] for name in MEASURES}
    for row in range(ROUNDS):
        scores = run.scores[row].tolist()
        first = run.rules.side_of(int(run.dealer[row]))
        best, second = sorted(scores, reverse=True)[:2]
        others = [score for side, score in enumerate(scores) if side != first]
        found["score"].append(sum(scores) / len(scores))
        found["lead"].append(best - second)
        found["yaku"].append(sum(int(held).bit_count() for held in run.yaku[row]))
        found["cards"].append(sum(int(pile).bit_count() for pile in run.captured[row]))
        found["turns"].append(int(run.turns[row]))
        found["dealer's lead"].append(scores[first] - sum(others) / len(others))
        found["dealer's wins"].append((scores[first] == best) / scores.count(best))
        found["ties"].append(best == second)
    return found


@pytest.mark.parametrize("players, teams", [(2, None), (3, None), (6, 3)])
def test_effects_are_the_mean_differences_of_the_same_rounds(players, teams):
    rules, base = Rules(players=players, teams=teams, lightning="plain"), Rules(players=players, teams=teams)
    found = effects(rules, agents="greedy", rounds=ROUNDS, seed=5)
    after, before = by_hand(rules), by_hand(base)
    for name in MEASURES:
        assert found.was[name] == pytest.approx(np.mean(before[name]))
        change = found.changes[name]
        assert change.value == pytest.approx(np.mean(after[name]) - np.mean(before[name]), abs=1e-9)
        assert change.low <= change.value <= change.high and change.n == ROUNDS
    assert 0 < found.other_winner.value < 0.5
    assert found.confidence == pytest.approx(1 - 0.05 / 9)


def test_the_more_comparisons_the_wider_the_intervals():
    after, before = simulate(ROUNDS, Rules(hiki=False), "greedy"), simulate(ROUNDS, Rules(), "greedy")
    one, many = compare(after, before), compare(after, before, among=10)
    assert many.confidence == pytest.approx(1 - 0.05 / 90)
    for name in ("score", "cards"):
        assert many.changes[name].low < one.changes[name].low and many.changes[name].high > one.changes[name].high
    assert many.other_winner.low < one.other_winner.low


@pytest.mark.parametrize("players, teams", [(2, None), (3, None), (7, None), (4, 2), (6, 3)])
def test_penalty_and_bonus_differ_by_as_much_for_every_side(players, teams):
    table = {"players": players, "teams": teams}
    bonus, penalty = (simulate(ROUNDS, Rules(**table, yaku=yaku), "greedy", 1) for yaku in ("bonus", "penalty"))
    yaku = np.bitwise_count(bonus.yaku).sum(axis=1, keepdims=True)
    assert yaku.any()
    assert np.array_equal(bonus.scores - penalty.scores, np.broadcast_to(50 * yaku, bonus.scores.shape))
    found = compare(bonus, penalty)
    assert all(found.same(name) for name in MEASURES if name != "score") and found.shown("score")
    assert found.change("lead") == "the same in every round" and found.other_winner.value == 0


def test_changes_are_told_in_words():
    found = effects(Rules(hiki=False), rounds=2_000, seed=1)
    assert found.change("cards").startswith("+0.12 [+0.0") and found.change("cards").endswith("] cards")
    assert found.change("score").endswith(" points, not told from 0") and not found.shown("score")
    assert found.change("ties").split()[-5] == "%,", "a share of rounds is in percent"
    longer = effects(Rules(hand=10, hiki=False), Rules(hiki=False), rounds=ROUNDS)
    assert longer.change("turns") == "+4 turns in every round"
    frame = found.to_frame()
    assert frame.loc["ties", "base"] == f"{100 * found.was['ties']:.2f}"
    assert frame.loc["cards captured", "change"] == found.change("cards")


def test_differences_that_are_all_the_same_need_no_interval():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert house_rules.mean_of([4, 4, 4]) == (4, 4, 4, 3)
    assert house_rules.mean_of([4, 4, 5]) == stats.mean([4, 4, 5])
    with pytest.raises(ValueError, match="at least 2 observations, got 1"):
        house_rules.mean_of([4])


def test_an_end_that_is_not_0_does_not_look_like_it():
    ends = 0
    for rules in alternatives(Rules()).values():
        found = effects(rules, rounds=2_000, seed=1)
        for name in filter(found.shown, MEASURES):
            words = re.findall(r"[+-][\d.]+(?=[],])", found.change(name))
            assert all(map(float, words)), words
            ends += len(words)
    assert ends > 20


def test_where_the_numbers_come_from():
    assert effects(Rules(hiki=False), rounds=50, seed=4).provenance == (
        "50 rounds by each set of rules, the same deals, greedy, seed 4: players=2, hiki=False against players=2"
    )
    for rules, words in (
        (Rules(hand=10), "the same packs dealt into other hands"),
        (Rules(field=6), "the same packs dealt into other hands"),
        (Rules(four_on_field="redeal"), "the same deals, but for those that are dealt again"),
    ):
        assert effects(rules, rounds=50).pairing == words


# ---- What cannot be compared ----


def test_other_numbers_of_players_or_sides_are_refused():
    with pytest.raises(ValueError, match="3 and 2 players cannot be compared: each side has another share"):
        effects(Rules(players=3), Rules())
    with pytest.raises(ValueError, match="2 and 4 sides cannot be compared: a team's score"):
        effects(Rules(players=4, teams=2), Rules(players=4))
    with pytest.raises(ValueError, match="3 and 2 players cannot be compared"):
        house_rules.match_effects(Rules(players=3), Rules())
    with pytest.raises(TypeError, match=r"rules must be sakura\.Rules\(\.\.\.\), got 'wikipedia'"):
        effects("wikipedia")


def test_effects_show_themselves():
    found = effects(Rules(hiki=False), rounds=50)
    assert repr(found) == f"<Effects: {found.provenance}>"
    assert html.escape(found.provenance) in found._repr_html_() and found.to_frame().to_html() in found._repr_html_()


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        ({"seed": 2}, "same seed, got 1 and 2"),
        ({"agents": "random"}, "same agents, got"),
        ({"dealer": 0}, "same dealer, got None and 0"),
        ({"first": 5}, "same first round, got 0 and 5"),
        ({"rounds": 60}, "same number of rounds, got 50 and 60"),
    ],
)
def test_rounds_that_do_not_pair_off_are_refused(other, reason):
    usual = {"rounds": 50, "agents": "greedy", "seed": 1}
    with pytest.raises(ValueError, match=reason):
        compare(simulate(**usual), simulate(**usual | other))


# ---- Matches ----


@pytest.mark.parametrize("table", [{"players": 3, "match_scoring": "rounds", "chu": True}, {"players": 4, "teams": 2}])
def test_a_match_is_dealt_by_the_winners_and_counted_by_its_rules(table):
    rules, seed, matches, rounds = Rules(**table), 6, 4, 3
    found = house_rules.match_totals(rules, "greedy", matches, rounds, seed)
    for match in range(matches):
        dealer, totals = match % rules.players, np.zeros(rules.sides, int)
        for number in range(match * rounds, (match + 1) * rounds):
            rnd = Round(rules, seed=random63(random63(seed, 0), number), dealer=dealer)
            while not rnd.is_terminal:
                rnd.apply_action(rnd.choose("greedy"))
            brought = result(rules, dealer, rnd.returns())
            totals, dealer = totals + brought.added, brought.next_dealer
        assert found[match].tolist() == totals.tolist()


def test_victories_instead_of_points_have_other_winners_and_more_ties():
    found = house_rules.match_effects(Rules.preset("paradise"), matches=300, seed=1)
    assert found.ties_after.above(found.ties_before) and found.other_winner.above(0.2)
    none = house_rules.match_effects(Rules(chu=True), matches=50)
    assert none.other_winner.value == 0 and none.ties_before == none.ties_after
