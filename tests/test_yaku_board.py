"""The yaku board, used through the messages that a browser sends."""

import json
import random
import re
from pathlib import Path

import pytest

from helpers import (
    BOAR,
    BUTTERFLIES,
    CHERRY_RIBBON,
    CRANE,
    CUCKOO,
    CURTAIN,
    DEER,
    MOON,
    PHOENIX,
    PINE_A,
    PINE_RIBBON,
    PLUM_RIBBON,
    SAKE_CUP,
    WARBLER,
)
from sakura import CARDS, YAKU, Rules, scores
from sakura.widgets import YakuBoard
from sakura.widgets.elements import walk

POSITION_8 = [[CURTAIN, MOON, SAKE_CUP], [CRANE, PINE_RIBBON]]


def press(board, key, *value):
    message = {"key": key, "version": board.shown["version"]} | ({"value": value[0]} if value else {})
    board._receive(None, message, [])


def click(board, card):
    """Click the first picture of this card."""
    press(board, next(key for key in board._controls if key.rpartition("-")[2] == str(card) and key[:4] != "side"))


def words(element):
    """All the words below an element, each part on a line."""
    lines = []
    for part in walk(element):
        lines += [child for child in part.children if isinstance(child, str)]
    return "\n".join(lines)


def said(board):
    return board.shown["say"]


def error(board):
    found = [words(part) for part in walk(board._root) if part.attributes.get("class") == "sakura-text sakura-error"]
    return found[0] if found else None


def tile(board, yaku):
    """What the board says of a yaku, by its syllable."""
    (name,) = (str(each) for each in YAKU if each.syllable == yaku)
    (found,) = (part for part in walk(board._root) if part.attributes.get("aria-label") == name)
    return words(found).replace("\u00a0", " ")


def score_table(board):
    """The lines of the score: first cell -> the other cells."""
    (found,) = (part for part in walk(board._root) if part.tag == "tbody")
    cells = [[words(cell) for cell in row.children] for row in found.children]
    return {line[0]: line[1:] for line in cells}


def number(cell):
    return int(cell.rpartition("= ")[2].replace("−", "-"))


def owners(board):
    """Card -> side, from the labels of the buttons."""
    found = {}
    for key, control in board._controls.items():
        label = str(control.attributes.get("aria-label", ""))
        if "sakura-card" in str(control.attributes.get("class")) and (match := re.search(r"Side (.) has it", label)):
            card = int(key.rpartition("-")[2])
            assert found.setdefault(card, match[1]) == match[1], "one card, two owners"
    return found


# ---- The score ----


def test_it_scores_recorded_rounds_as_they_were_scored():
    with open(Path(__file__).parent / "recorded_rounds.jsonl", encoding="utf-8") as file:
        rounds = [json.loads(line) for line in file]
    sides_seen = set()
    for recorded in rounds:
        rules = Rules.from_dict(recorded["rules"])
        piles = [
            [card for seat in rules.seats_of(side) for card in recorded["captured"][seat]]
            for side in range(rules.sides)
        ]
        assert scores(piles, rules.yaku) == recorded["returns"]
        sides_seen.add(rules.sides)
    assert sides_seen == {2, 3, 4, 5, 6, 7}


@pytest.mark.parametrize(
    ("example", "penalty", "bonus"),
    [
        ("Example: one yaku", [45, -20], [95, 30]),
        ("Example: two at once", [70, -100], [170, 0]),
        ("Example: partners", [30, -50], [80, 0]),
    ],
)
def test_the_examples_score_as_the_rules_say(example, penalty, bonus):
    board = YakuBoard()
    press(board, example)
    assert board.scores == penalty
    assert [number(cell) for cell in score_table(board)["Score"]] == penalty
    press(board, "rule", "bonus")
    assert board.scores == bonus
    assert [number(cell) for cell in score_table(board)["Score"]] == bonus


def test_with_three_sides_a_yaku_costs_both_others():
    board = YakuBoard(sides=3, captured=[*POSITION_8, [PHOENIX]])
    assert board.scores == [45, 30 - 50, 20 - 50]
    assert score_table(board)["I (Drinking) of Side A"] == ["0", "−50", "−50"]
    assert "✓ Side A has it: −50 for all others." in tile(board, "I")


@pytest.mark.parametrize("sides", range(2, 8))
@pytest.mark.parametrize("rule", ["penalty", "bonus"])
def test_the_lines_add_up_to_the_score_and_the_other_rule_keeps_every_lead(sides, rule):
    other_rule = "bonus" if rule == "penalty" else "penalty"
    most = 0
    for seed in range(10):
        # Whole yaku, as many of them as do not share a card, so that several sides have some.
        piles = [set() for _ in range(sides)]
        for place, yaku in enumerate(random.Random(seed).sample(YAKU, 6)):
            if not any(yaku.cards & pile for pile in piles):
                piles[place % sides] |= yaku.cards
        board = YakuBoard(sides=sides, yaku=rule, captured=piles)
        lines = score_table(board)
        points, score = lines.pop("Points"), [number(cell) for cell in lines.pop("Score")]
        kinds = [cells for name, cells in lines.items() if name.endswith(" each")]
        assert score == board.scores == scores(piles, rule) and len(kinds) == 3
        for side in range(sides):
            assert number(points[side]) == sum(number(cells[side]) for cells in kinds)
            assert score[side] == sum(number(cells[side]) for cells in lines.values())
        other = scores(piles, other_rule)
        assert len({a - b for a, b in zip(score, other, strict=True)}) == 1
        (shown,) = re.findall(f"With the other house rule, {other_rule}: (.*); each", words(board._root))
        assert [number(part.rpartition(" ")[2]) for part in shown.split(", ")] == other
        most = max(most, len(lines) - len(kinds))
    assert most >= 4


def test_it_says_who_would_have_what_under_the_other_rule():
    board = YakuBoard(captured=POSITION_8)
    expected = "With the other house rule, bonus: Side A 95, Side B 30; each 50 more, so every lead is the same."
    assert expected in words(board._root)
    press(board, "rule", "bonus")
    expected = "With the other house rule, penalty: Side A 45, Side B −20; each 50 less, so every lead is the same."
    assert expected in words(board._root)
    assert "✓ Side A has it: +50 for Side A." in tile(board, "I")


# ---- Clicking ----


def test_a_card_is_taken_put_back_and_taken_from_the_other_side():
    board = YakuBoard()
    click(board, MOON)
    assert owners(board) == {MOON: "A"}
    assert said(board) == "Side A takes Moon. Scores: Side A 20, Side B 0."
    press(board, "side-1")
    click(board, MOON)
    assert owners(board) == {MOON: "B"}
    assert said(board) == "Side B takes Moon from Side A. Scores: Side A 0, Side B 20."
    click(board, MOON)
    assert owners(board) == {}
    assert said(board) == "Side B puts Moon back. Scores: Side A 0, Side B 0."


def test_both_pictures_of_a_double_card_are_one_card():
    board = YakuBoard()
    press(board, f"I-{CURTAIN}")
    assert "Side A: 1 of 3" in tile(board, "I") and "Side A: 1 of 3" in tile(board, "Ro")
    press(board, f"Ro-{CURTAIN}")
    assert owners(board) == {}


def test_what_a_click_makes_or_breaks_is_said():
    board = YakuBoard(captured=[[CRANE, WARBLER, MOON, SAKE_CUP]])
    click(board, CURTAIN)
    assert said(board) == (
        "Side A takes Curtain. Side A has made I (Drinking). Side A has made Ro (Spring). "
        "Scores: Side A 70, Side B −100."
    )
    press(board, "side-1")
    click(board, CRANE)
    assert said(board).startswith("Side B takes Crane from Side A. Side A no longer has Ro (Spring). Scores:")


def test_every_point_card_can_be_clicked_and_no_other():
    board = YakuBoard()
    cards = [key for key, control in board._controls.items() if "sakura-card" in control.attributes.get("class", "")]
    shown = {int(key.rpartition("-")[2]) for key in cards}
    assert shown == {card.id for card in CARDS if card.points}
    for card in shown:
        click(board, card)
    assert board.scores == [240, -400]


def test_buttons_say_name_worth_owner_and_whether_they_are_on():
    board = YakuBoard(captured=POSITION_8)
    crane, moon, deer = (board._controls[key].attributes for key in ("Ro-0", "I-28", "Ho-36"))
    assert moon["aria-label"] == "Moon, 20 points, Side A has it" and moon["aria-pressed"] == "true"
    assert crane["aria-label"] == "Crane, 20 points, Side B has it" and crane["aria-pressed"] == "false"
    assert deer["aria-label"] == "Deer, 5 points, nobody has it" and "sakura-dim" in deer["class"]
    press(board, "side-1")
    assert board._controls["Ro-0"].attributes["aria-pressed"] == "true"
    assert board._controls["side-1"].attributes["aria-pressed"] == "true"
    assert board._controls["side-1"].children == ("Side B: −20",)


def test_a_second_click_on_the_same_drawing_does_nothing():
    board = YakuBoard()
    message = {"key": f"I-{MOON}", "version": board.shown["version"]}
    board._receive(None, message, [])
    board._receive(None, message, [])
    assert owners(board) == {MOON: "A"}


# ---- What is missing, what is blocked ----


def test_what_is_missing_and_who_is_blocked():
    board = YakuBoard(captured=[[CURTAIN, MOON, BUTTERFLIES, DEER], [CUCKOO]])
    assert "Side A: 2 of 3\nSide A is missing Sake cup.\n✗ Blocked for Side B." in tile(board, "I")
    assert "Side A is missing Crane and Bush warbler." in tile(board, "Ro")
    assert "Missing: Pine poetry ribbon, Plum poetry ribbon and Cherry poetry ribbon." in tile(board, "Ha")
    assert "Side B is missing Bridge and Boar.\n✗ Blocked for Side A." in tile(board, "To")
    press(board, "side-1")
    click(board, SAKE_CUP)
    assert "✗ Blocked for all: Side A has Curtain and Moon, Side B has Sake cup." in tile(board, "I")
    assert "✗ Blocked for all: Side A has Butterflies and Deer, Side B has Sake cup." in tile(board, "Ho")
    click(board, BOAR)
    assert "✗ Blocked for all: Side A has Deer, Side B has Boar." in tile(board, "Chi")


@pytest.mark.parametrize("sides", [2, 3, 4, 7])
def test_the_tiles_agree_with_the_cards(sides):
    for seed in range(20):
        board = YakuBoard(sides=sides)
        press(board, "seed", str(seed))
        owned = owners(board)
        assert len(owned) == 18 and set(owned.values()) == set("ABCDEFG"[:sides])
        for yaku in YAKU:
            holders = {owned[card] for card in yaku.cards if card in owned}
            missing = [CARDS[card].name for card in sorted(yaku.cards) if card not in owned]
            standing = tile(board, yaku.syllable)
            assert ("Blocked for all:" in standing) == (len(holders) > 1)
            assert ("has it:" in standing) == (len(holders) == 1 and not missing)
            if len(holders) == 1 and missing:
                said = re.search(rf"Side {min(holders)} is missing (.*)\.", standing)[1]
                assert re.split(", | and ", said) == missing
            for side in holders:
                held = sum(owned.get(card) == side for card in yaku.cards)
                assert f"Side {side}: {held} of 3" in standing


def test_meters_and_cards_show_whose_they_are_and_what_is_blocked():
    board = YakuBoard(captured=[[CURTAIN, MOON, BUTTERFLIES], [SAKE_CUP, CRANE, CUCKOO]])
    shown = {}
    for part in walk(board._root):
        if part.attributes.get("role") == "meter":
            about = part.attributes
            shown[about["aria-label"]] = (float(about["aria-valuenow"]), about["class"].split()[1:])
    assert shown["Side A, I (Drinking)"] == (0.667, ["sakura-blocked"])
    assert shown["Side B, I (Drinking)"] == (0.333, ["sakura-blocked"])
    assert shown["Side B, To (Cuckoo, bridge and boar)"] == (0.333, ["sakura-side-1"])
    tiles = {part.attributes.get("aria-label"): part for part in walk(board._root) if part.attributes.get("role")}
    assert "sakura-yaku-blocked" in tiles["I (Drinking)"].attributes["class"]
    assert "sakura-yaku-blocked" not in tiles["To (Cuckoo, bridge and boar)"].attributes["class"]
    moon, crane = (board._controls[key].attributes["class"] for key in (f"I-{MOON}", f"Ro-{CRANE}"))
    assert moon == "sakura-card sakura-owned sakura-side-0" and crane == "sakura-card sakura-owned sakura-side-1"


# ---- Undo, clear, deals ----


def test_undo_takes_back_one_change_at_a_time():
    board = YakuBoard()
    assert board._controls["Undo"].attributes["aria-disabled"] == "true"
    press(board, "Undo")
    assert said(board) == "There is nothing to undo yet." and error(board) is None
    click(board, MOON)
    press(board, "deal")
    press(board, "Clear")
    assert owners(board) == {} and said(board) == "The board is empty."
    press(board, "Undo")
    assert len(owners(board)) == 18
    press(board, "Undo")
    assert owners(board) == {MOON: "A"}
    press(board, "Undo")
    assert owners(board) == {}
    assert board._controls["Undo"].attributes["aria-disabled"] == "true"


def test_a_seed_repeats_a_deal_and_the_button_brings_new_ones():
    board, other = YakuBoard(), YakuBoard()
    deals = []
    for _ in range(5):
        press(board, "deal")
        deals.append(owners(board))
    assert len({tuple(sorted(deal.items())) for deal in deals}) == 5
    assert board._controls["seed"].attributes["value"] == "5"
    press(other, "seed", "3")
    assert owners(other) == deals[2]
    assert said(other).startswith("18 cards are dealt out at random, by seed 3. Scores: ")


@pytest.mark.parametrize("seed", ["", "seven", "1.5", "-1", str(1 << 70), "9" * 5000])
def test_a_seed_that_is_none_is_refused_in_words(seed):
    board = YakuBoard(captured=POSITION_8)
    press(board, "seed", seed)
    assert re.search(r"seed must be (a whole number|0 to)", error(board))
    assert len(error(board)) < 150
    assert board.scores == [45, -20] and board._controls["seed"].attributes["value"] == "0"
    press(board, "deal")
    assert error(board) is None


def test_a_rule_that_is_none_is_refused_in_words():
    board = YakuBoard(captured=POSITION_8)
    press(board, "rule", "double")
    assert error(board) == "yaku must be one of 'penalty', 'bonus', got 'double'"
    assert board.scores == [45, -20]


# ---- Bad arguments ----


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"sides": 1}, "sides must be 2 to 7, got 1"),
        ({"sides": 8}, "sides must be 2 to 7, got 8"),
        ({"sides": "2"}, "sides must be a whole number"),
        ({"yaku": "none"}, "yaku must be one of"),
        ({"captured": [[MOON], [CRANE, MOON]]}, "Moon is captured by two sides"),
        ({"captured": [[], [], []]}, "captured lists the cards of 3 sides, and there are 2"),
        ({"captured": [[48]]}, "a card is 0 to 47, got 48"),
    ],
)
def test_bad_arguments_are_named(arguments, reason):
    with pytest.raises((ValueError, TypeError), match=reason):
        YakuBoard(**arguments)


def test_scores_refuses_what_cannot_be():
    with pytest.raises(ValueError, match="a card is captured by one side only; two have Curtain and Moon"):
        scores([[MOON, CURTAIN], [MOON], [CURTAIN, MOON]])
    with pytest.raises(ValueError, match="a card is 0 to 47, got 48"):
        scores([[48], []])
    with pytest.raises(ValueError, match="players must be 2 to 7, got 1"):
        scores([[MOON]])


def test_plain_cards_are_counted_for_nothing():
    board = YakuBoard(captured=[[MOON, PINE_A], []])
    assert board.scores == [20, 0]
    assert owners(board) == {MOON: "A"}


# ---- Where nothing runs ----


def test_the_picture_says_all_that_the_board_shows():
    board = YakuBoard(captured=[[PINE_RIBBON, PLUM_RIBBON, CHERRY_RIBBON], [CRANE]])
    html = board.static_html().replace("\u00a0", " ")
    for yaku in YAKU:
        assert f"<h3>{yaku}</h3>" in html
    assert html.count("<img") == 8 * 3 + 5
    for expected in ("<p>Side A: 3 of 3</p>", "✓ Side A has it: −50 for Side B.", "Side B is missing Bush warbler and"):
        assert expected in html
    assert "<td><strong>−30</strong></td>" in html
    assert "Undo" not in html
