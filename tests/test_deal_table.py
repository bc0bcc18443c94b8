"""The deal packet by packet, in the engine and on the deal table, without a browser."""

import math
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

import sakura
from sakura import CARDS, Round, Rules, engine, stats
from sakura.bits import random63
from sakura.match import Match, draw_dealer
from sakura.widgets.deal_table import PLACES, DealTable, Scene, odds, scenes, together
from sakura.widgets.elements import Element, walk

# Deals with all four Cherry cards on the field, for 6 players and for 2.
LUCKY = 29


def press(widget: DealTable, key: str, *value: object) -> None:
    message = {"key": key, "version": widget.shown["version"]} | ({"value": value[0]} if value else {})
    widget._receive(None, message, [])


def words(root: Element | str) -> str:
    return root if isinstance(root, str) else "\n".join(filter(None, map(words, root.children)))


def part(widget: DealTable, kind: str) -> Element:
    """The first box of that style."""
    return next(e for e in walk(widget._root) if f"sakura-{kind}" in str(e.attributes.get("class")).split())


def cards(root: Element) -> list[int]:
    return [e.card for e in walk(root) if e.card is not None and e.card >= 0]


def seats(widget: DealTable) -> list[Element]:
    return [e for e in walk(widget._root) if "sakura-deal-seat" in str(e.attributes.get("class")).split()]


def rows(root: Element) -> list[list[str]]:
    """The body of the table in there, as words."""
    (body,) = [e for e in walk(root) if e.tag == "tbody"]
    return [
        [words(cell) for cell in row.children if isinstance(cell, Element)] for row in walk(body) if row.tag == "tr"
    ]


def enabled(widget: DealTable) -> set[str]:
    """Which of the four buttons of the deal can be used."""
    steps = ("back", "forward", "all", "again")
    return {e.key for e in walk(widget._root) if e.key in steps and not e.attributes.get("aria-disabled")}


def said(widget: DealTable) -> str:
    return str(widget.shown["say"])


def error(widget: DealTable) -> str:
    return "".join(words(e) for e in walk(widget._root) if "sakura-error" in str(e.attributes.get("class")))


# ---- The engine's packets ----

TABLES = [Rules(players=n) for n in range(2, 8)]
TABLES += [Rules(players=2, hand=hand) for hand in range(1, 21) if hand != 8]
TABLES += [Rules(players=3, hand=h, field=f) for h in (1, 5, 10) for f in (0, 1, 7, 18)]
TABLES += [Rules(players=6, four_on_field="redeal"), Rules(players=6, lightning_dealt="discarded")]


@pytest.mark.parametrize("rules", TABLES, ids=str)
def test_packets_laid_down_are_the_deal(rules: Rules) -> None:
    for dealer in range(rules.players):
        for seed in (1, LUCKY, 1000):
            rnd = Round(rules, seed=seed, dealer=dealer)
            left = list(rnd.deck)
            lies: dict[int | None, set[int]] = {None: set(), **{seat: set() for seat in range(rules.players)}}
            for packet in rnd.packets:
                assert packet.kind == "dealt"
                assert list(packet.cards) == left[: len(packet.cards)]
                del left[: len(packet.cards)]
                lies[packet.seat] |= set(packet.cards)
            assert [lies[seat] for seat in range(rules.players)] == list(rnd.hands)
            # Four of a suit are the dealer's, and a Lightning may be discarded, before anyone plays.
            assert lies[None] == rnd.field | rnd.captured[dealer] | rnd.removed
            assert tuple(left) == rnd.pile


@pytest.mark.parametrize("rules", TABLES, ids=str)
def test_two_passes_smaller_half_first_dealer_last(rules: Rules) -> None:
    for dealer in range(rules.players):
        packets = Round(rules, seed=1, dealer=dealer).packets
        order = [None, *range(dealer + 1, rules.players), *range(dealer + 1)]
        assert [packet.seat for packet in packets] == order * 2
        first = [math.floor(rules.field / 2), *[math.floor(rules.hand / 2)] * rules.players]
        second = [math.ceil(rules.field / 2), *[math.ceil(rules.hand / 2)] * rules.players]
        assert [len(packet.cards) for packet in packets] == first + second


def test_packets_stay_when_the_round_is_played() -> None:
    rnd = Round(seed=1)
    dealt = rnd.packets
    while not rnd.is_terminal:
        rnd.apply_action(rnd.legal_actions()[0])
    assert rnd.packets == dealt
    assert str(dealt[1]) == "Seat 1 is dealt Wisteria plain 1, Maple blue ribbon, Curtain and Lightning."


def test_few_deals_are_the_same_as_the_first_of_many() -> None:
    """A thousand are dealt in plain Python, more by compiled code."""
    few, many = sakura.deals(1000, Rules(players=7), seed=3), sakura.deals(1001, Rules(players=7), seed=3)
    assert (few.hands == many.hands[:1000]).all() and (few.field == many.field[:1000]).all()


# ---- Scenes ----


def check_scene(scene: Scene) -> None:
    """Every card that has left the pack is in one place, and the table names what it has moved."""
    lying = [card for place in scene.lies.values() for card in place] + list(scene.taken)
    assert len(set(lying)) == len(lying) == 48 - scene.pack
    assert set(scene.new) <= set(lying)


@pytest.mark.parametrize("players", range(2, 8))
@pytest.mark.parametrize("four_on_field", ["dealer", "redeal"])
def test_scenes_lead_to_the_round(players: int, four_on_field: str) -> None:
    rules = Rules(players=players, four_on_field=four_on_field)
    for seed in (*range(5), LUCKY, 31, 288):
        dealer = seed % players
        rnd, shown = Round(rules, seed=seed, dealer=dealer), scenes(rules, seed, dealer)
        for scene in shown:
            check_scene(scene)
        end = shown[-1]
        assert set(end.lies[None]) == rnd.field
        assert [set(end.lies[seat]) for seat in range(players)] == list(rnd.hands)
        assert set(end.taken) == rnd.captured[dealer]
        assert end.pack == len(rnd.pile)
        assert shown[0].pack == 48 and not shown[0].new
        for before, after in pairwise(shown):
            if after.is_packet:
                assert after.dealt == before.dealt + 1 and str(after.packets[before.dealt]) in after.words


def test_a_deal_that_does_not_stand_is_shown_before_the_one_that_does() -> None:
    rules = Rules(players=6, four_on_field="redeal")
    shown = scenes(rules, LUCKY, 0)
    each = 2 * (6 + 1) + 1
    assert len(shown) == 2 * each
    assert {8, 9, 10, 11} <= set(shown[each - 1].lies[None])
    assert shown[each].words == (
        "All four of Cherry blossom lie on the field: this deal does not count. "
        "All cards go back, and the pack is shuffled again."
    )
    assert shown[each].pack == 48 and not shown[each].is_packet
    assert not shown[-1].taken


def test_two_deals_in_a_row_that_do_not_stand() -> None:
    """The engine goes on shuffling; so does the table, in its footsteps."""
    rules = Rules(players=2, field=36, hand=6, four_on_field="redeal")
    shown = scenes(rules, 1, 0)
    void = [scene for scene in shown if "does not count" in scene.words]
    assert len(void) > 2
    assert set(shown[-1].lies[None]) == Round(rules, seed=1).field
    key = 1
    for _ in void:
        # By this number, or the rounds of old seeds would change.
        assert engine.redeal_key(key) == random63(key, 48)
        key = engine.redeal_key(key)
    assert [card for packet in shown[-1].packets for card in packet.cards] == list(
        Round(replace(rules, four_on_field="dealer"), seed=key).deck
    )


def test_two_suits_on_the_field() -> None:
    rules = Rules(players=2, field=20)
    seed = next(seed for seed in range(2000) if len(Round(rules, seed=seed).captured[0]) == 8)
    assert scenes(rules, seed, 0)[-1].words.count("ll four of") == 2
    assert " and all four of " in scenes(rules, seed, 0)[-1].words


def test_together() -> None:
    assert together([0, 5, 9]) == ""
    assert together([1, 9, 8, 0, 10]) == "two of Pine, three of Cherry blossom"
    assert together([40, 41, 42, 43]) == "four of Willow"


# ---- Forward, back, all at once, start again ----


def test_packet_by_packet_and_back() -> None:
    table, rnd = DealTable(), Round(seed=1)
    assert cards(table._root) == [] and enabled(table) == {"forward", "all"}
    for number, packet in enumerate(rnd.packets, 1):
        press(table, "forward")
        assert said(table) == f"Packet {number} of 6: {packet}"
        assert len(cards(part(table, "deal-table"))) == 4 * number
        fresh = part(table, "deal-fresh")
        new = [e for e in walk(fresh) if "sakura-deal-new" in str(e.attributes.get("class")).split()]
        assert tuple(cards(Element("div", {}, tuple(new)))) == packet.cards
        assert (fresh in seats(table)) == (packet.seat is not None)
    assert enabled(table) == {"back", "again"}
    assert set(cards(part(table, "deal-field"))) == rnd.field
    assert [set(cards(seat)) for seat in seats(table)] == list(rnd.hands)
    press(table, "forward")
    assert said(table) == "Everything is dealt. Start again, or choose another seed."
    for number in range(5, 0, -1):
        press(table, "back")
        assert said(table) == f"Taken back. Packet {number} of 6: {rnd.packets[number - 1]}"
    press(table, "back")
    assert said(table) == "Taken back. The pack of 48 cards is shuffled. Nothing is dealt yet."
    press(table, "back")
    assert said(table) == "Nothing is dealt yet."
    assert cards(table._root) == []


def test_all_at_once_and_again() -> None:
    table = DealTable(3, 5)
    press(table, "forward")
    press(table, "all")
    assert said(table) == ("Everything is dealt: 6 cards to the field, 7 to each hand, 21 are left for the pile.")
    assert "Pile: 21" in words(table._root)
    press(table, "again")
    assert said(table) == "All cards are back. Seed 5 shuffles them as before."
    assert "Pack: 48" in words(table._root) and enabled(table) == {"forward", "all"}


def test_the_plan_follows() -> None:
    table = DealTable(3)
    assert rows(part(table, "deal-plan")) == [
        ["Field", "▶ 3", "3", "6"],
        ["Seat 1", "3", "4", "7"],
        ["Seat 2", "3", "4", "7"],
        ["Seat 0", "3", "4", "7"],
    ]
    for _ in range(5):
        press(table, "forward")
    plan = rows(part(table, "deal-plan"))
    assert [row[1][0] for row in plan] == ["✓"] * 4
    assert [row[2] for row in plan] == ["✓ 3", "▶ 4", "4", "4"]


def test_the_dealer_takes_four_of_a_suit() -> None:
    table = DealTable(6, LUCKY, dealer=2)
    press(table, "all")
    assert said(table).startswith(
        "All four of Cherry blossom lie on the field: the dealer, Seat 2, takes them at once. Everything is dealt"
    )
    assert "Taken at once:" in words(seats(table)[2])
    assert cards(seats(table)[2])[-4:] == [8, 9, 10, 11]
    press(table, "back")
    assert {8, 9, 10, 11} <= set(cards(part(table, "deal-field"))) and len(cards(part(table, "deal-field"))) == 12
    assert "Taken at once:" not in words(table._root)


def test_a_table_that_deals_again() -> None:
    table = DealTable(6, LUCKY)
    press(table, "Four of a suit on the field", "redeal")
    press(table, "all")
    assert "this deal does not count" in said(table)
    rnd = Round(Rules(players=6, four_on_field="redeal"), seed=LUCKY)
    assert set(cards(part(table, "deal-field"))) == rnd.field and len(rnd.field) == 12
    press(table, "Four of a suit on the field", "dealer")
    press(table, "all")
    assert "takes them at once" in said(table)


def test_dead_cards() -> None:
    table = DealTable(2, dealt=True)
    assert "8 of them will never be seen: dead cards." in words(table._root)
    press(table, "back")
    assert "dead" not in words(table._root)
    for ready in (DealTable(2, hand=10, dealt=True), *(DealTable(n, dealt=True) for n in range(3, 8))):
        assert "dead" not in words(ready._root)


# ---- Seats and the dealer ----


@pytest.mark.parametrize("players", range(2, 8))
def test_seats_go_round_counter_clockwise(players: int) -> None:
    across = {"left": -1, "right": 1}
    angles = []
    for place in PLACES[players]:
        side = next((x for name, x in across.items() if name in place), 0)
        height = {"bottom": -1, "low": -0.5, "high": 0.5, "top": 1}.get(
            place.split("-")[0 if "top" in place else -1], 0
        )
        if "top-" in place:
            side *= 0.6
        angles.append(math.atan2(height, side))
    turns = [(after - before) % math.tau for before, after in pairwise([*angles, angles[0]])]
    assert PLACES[players][0] == "bottom" and len(set(PLACES[players])) == players
    # Counter-clockwise is the way in which angles grow; once round, and no step of more than half a turn.
    assert sum(turns) == pytest.approx(math.tau) and max(turns) < math.pi + 0.01
    drawn = [str(seat.attributes["class"]) for seat in seats(DealTable(players))]
    assert all(f"sakura-deal-{place}" in classes.split() for place, classes in zip(PLACES[players], drawn, strict=True))


def test_who_is_served_when() -> None:
    table = DealTable(4, dealer=1)
    assert [words(seat).split("\n") for seat in seats(table)] == [
        ["Seat 0", " served third"],
        ["Seat 1, dealer", " served last, plays first"],
        ["Seat 2", " served first"],
        ["Seat 3", " served second"],
    ]
    assert Round(Rules(players=4), seed=1, dealer=1).current_player == 1
    press(table, "Dealer", "3")
    assert said(table) == "4 players, Seat 3 deals, seed 1. The pack is shuffled."
    assert words(seats(table)[3]).startswith("Seat 3, dealer")


def test_the_draw_for_the_dealer() -> None:
    table = DealTable(3, 5)
    press(table, "forward")
    for number in range(3):
        press(table, "Draw for the dealer")
        draw = draw_dealer(3, random63(5, number))
        assert said(table).endswith(f"Seat {draw.dealer} deals.")
        assert table.state.dealer == draw.dealer and table.state.step == 0
        assert cards(part(table, "panel")) == [card for drawn in draw.draws for card in drawn.values()]
    # The third time there is a tie.
    assert len(draw.draws) == 2
    tied = " and ".join(f"Seat {seat}" for seat in draw.draws[1])
    assert f"{tied} tie and draw again." in said(table) and f"{tied} tie and draw again." in words(table._root)
    first = draw.draws[0]
    assert f"Seat 0 draws {CARDS[first[0]].name}, " in said(table)
    press(table, "forward")
    assert "The draw" not in words(table._root)
    # The first of them is that of a match with this seed.
    assert Match(Rules(players=3), seed=5, rounds=6).draw == draw_dealer(3, random63(5, 0))


# ---- Settings ----


def test_other_players_other_seed() -> None:
    table = DealTable(7, dealer=6)
    press(table, "all")
    press(table, "Players", "3")
    assert said(table) == "3 players, Seat 0 deals, seed 1. The pack is shuffled."
    assert len(seats(table)) == 3 and table.state.step == 0
    press(table, "Seed", "1,000")
    press(table, "all")
    assert [set(cards(seat)) for seat in seats(table)] == list(Round(Rules(players=3), seed=1000).hands)
    press(table, "Next seed")
    assert said(table) == "3 players, Seat 0 deals, seed 1001. The pack is shuffled."
    press(table, "Seed", str(2**63 - 1))
    press(table, "Next seed")
    assert table.state.seed == 0


def test_ten_cards_each() -> None:
    table = DealTable()
    press(table, "10 cards each", True)
    assert [row[1:] for row in rows(part(table, "deal-plan"))] == [
        ["▶ 4", "4", "8"],
        ["5", "5", "10"],
        ["5", "5", "10"],
    ]
    press(table, "all")
    assert "Pile: 20" in words(table._root)
    press(table, "10 cards each", False)
    assert table.state.rules == Rules()
    press(table, "10 cards each", True)
    press(table, "Players", "4")
    assert table.state.rules == Rules(players=4)
    assert "10 cards each" not in words(table._root)


@pytest.mark.parametrize(
    ("key", "value", "reason"),
    [
        ("Seed", "abc", "seed must be a whole number, got 'abc'"),
        ("Seed", "", "seed must be a whole number, got ''"),
        ("Seed", "1.5", "seed must be a whole number, got '1.5'"),
        ("Seed", "-1", f"seed must be 0 to {2**63 - 1}, got -1"),
        ("Seed", str(2**63), f"seed must be 0 to {2**63 - 1}, got {2**63}"),
        ("Players", "8", "players must be 2 to 7, got 8"),
        ("Dealer", "2", "dealer must be 0 to 1, got 2"),
        ("Four of a suit on the field", "cheat", "four_on_field must be one of 'dealer', 'redeal', got 'cheat'"),
    ],
)
def test_what_cannot_be_is_said_and_changes_nothing(key: str, value: str, reason: str) -> None:
    table = DealTable()
    press(table, "forward")
    before = table.state
    press(table, key, value)
    assert error(table) == reason
    assert table.state == before
    press(table, "forward")
    assert error(table) == ""


def test_a_click_on_an_old_drawing_deals_nothing() -> None:
    table = DealTable()
    message = {"key": "forward", "version": table.shown["version"]}
    table._receive(None, message, [])
    table._receive(None, message, [])
    assert table.state.step == 1


@pytest.mark.parametrize(
    "options",
    [
        {"players": 8},
        {"players": 1},
        {"seed": -1},
        {"dealer": 2},
        {"hand": 21},
        {"four_on_field": "cheat"},
    ],
)
def test_arguments_that_make_no_sense(options: dict[str, Any]) -> None:
    for dealt in (False, True):
        with pytest.raises(ValueError, match=r"must be|needs"):
            DealTable(**options, dealt=dealt)


# ---- The odds ----


def counted(rules: Rules, seed: int, dealer: int) -> list[tuple[int, int]]:
    """The same counts, card by card from the rounds: on the field as it was dealt, and in the hand of Seat 0."""
    found = {size: [0, 0] for size in (2, 3, 4)}
    for number in range(1000):
        rnd = Round(rules, seed=random63(random63(seed, 0), number), dealer=dealer)
        for place, lying in enumerate((rnd.field | rnd.captured[dealer], rnd.hands[0])):
            for size in set(Counter(CARDS[card].month for card in lying).values()) - {1}:
                found[size][place] += 1
    return [(field, hand) for field, hand in found.values()]


@pytest.mark.parametrize(
    "rules", [Rules(players=2), Rules(players=6), Rules(players=3, four_on_field="redeal")], ids=str
)
def test_odds_are_what_the_rounds_show(rules: Rules) -> None:
    expected = [tuple(stats.proportion(n, 1000) for n in pair) for pair in counted(rules, 4, 1)]
    if rules.four_on_field == "redeal":
        assert expected[2][0].value == 0
    if rules.hand < 4:
        assert expected[2][1].value == 0
    for line, (on_field, in_hand) in zip(odds(rules, 4, 1), expected, strict=True):
        assert line.on_field in (on_field, None)
        assert line.in_hand in (in_hand, None)


def test_what_cannot_happen_is_no_estimate() -> None:
    pair, triplet, four = odds(Rules(players=6, four_on_field="redeal"), 1, 0)
    assert pair.in_hand and triplet.in_hand and pair.on_field and triplet.on_field
    assert four.on_field is None and four.in_hand is None
    assert odds(Rules(players=6), 1, 0)[2].on_field is not None


def test_deal_often() -> None:
    table = DealTable(players=6)
    assert "95% intervals" not in words(table._root)
    press(table, "often")
    assert said(table) == "Dealt 1,000 times with seed 1. The table says what fell together."
    panel = part(table, "deal-odds")
    pair = odds(Rules(players=6), 1, 0)[0]
    assert rows(panel)[0] == ["a pair: two of a suit", f"{pair.on_field:.1%}", f"{pair.in_hand:.1%}"]
    assert rows(panel)[2][2] == "never"
    assert "n = 1,000 deals, seed 1, dealer Seat 0, rules: players=6" in words(panel)
    meter = next(e for e in walk(panel) if e.attributes.get("role") == "meter")
    assert float(meter.attributes["aria-valuenow"]) == pytest.approx(pair.on_field.value, abs=0.001)
    press(table, "often")
    assert "The same seed deals the same cards" in said(table)
    # Going through the deal keeps the numbers; other rules, another seed or dealer make them void.
    press(table, "forward")
    assert table.state.odds
    press(table, "Next seed")
    assert not table.state.odds and "95% intervals" not in words(table._root)


def test_the_picture_left_in_a_saved_notebook() -> None:
    html = DealTable(2, dealt=True).static_html()
    assert html.count("<img") == 8 + 8 + 8 + 1
    assert "Seat 0, dealer" in html and "counter-clockwise" in html and "<caption>The packets" in html
