"""Positions to learn from, the reasons given in words, and the trainer that shows both."""

# ruff: noqa: F403, F405 (the cards by name)

from itertools import product

import pytest

import helpers
from helpers import *
from sakura import CARDS, Action, Cards, Round, Rules, positions, reasons
from sakura.positions import QUESTIONS, TOPICS, Position, classics, lay_out, position_at, protected, under
from sakura.widgets import TurnTrainer, base
from sakura.widgets.elements import Element, walk
from sakura.words import told

TURNS = [topic for topic in TOPICS if topic not in QUESTIONS]
HERE = [(topic, number) for topic in TOPICS for number in range(4)]


def press(widget, key, *value):
    message = {"key": key, "version": widget.shown["version"]} | ({"value": value[0]} if value else {})
    widget._receive(None, message, [])


def words_of(element: Element | str) -> str:
    return element if isinstance(element, str) else " ".join(map(words_of, element.children))


def shown_words(widget) -> str:
    return " ".join(words_of(widget._root).split())


def shown_cards(widget) -> list[int]:
    """The cards that lie face up."""
    return [e.card for e in walk(widget._root) if e.card is not None and e.card >= 0]


def errors(widget):
    return [words_of(e) for e in walk(widget._root) if "sakura-error" in e.attributes.get("class", "")]


def at(topic, number=0, seed=1) -> Position:
    return position_at(topic, seed, number)


# ---- Rounds laid out, and at other tables ----


@pytest.mark.parametrize("dealer", [0, 2])
def test_a_round_laid_out_begins_as_it_should(dealer):
    hands = [[MOON, CRANE, BOAR], [GEESE, DEER, CUCKOO], [PLUM_A, PLUM_B, PINE_A]]
    field, pile = [BRIDGE, SUSUKI_A, LIGHTNING, PEONY_A, PINE_B], [SWALLOW, PHOENIX]
    mine = lay_out(hands, field, pile, dealer=dealer, lightning="claim")
    assert everything(mine) == everything(helpers.lay_out(hands, field, pile, dealer=dealer, lightning="claim"))
    assert mine.hands[2] == {PLUM_A, PLUM_B, PINE_A} and mine.pile[:2] == (SWALLOW, PHOENIX)
    assert mine.current_player == dealer


def test_what_cannot_be_laid_out():
    with pytest.raises(ValueError, match=r"all hands must be of one size, got \[1, 2\]"):
        lay_out([[MOON], [GEESE, DEER]], [BRIDGE])
    with pytest.raises(ValueError, match="a deck has 48 cards"):
        lay_out([[MOON], [MOON]], [BRIDGE])


def test_the_same_position_at_another_table():
    rnd = at("protected").round
    before = everything(rnd)
    other = under(rnd, hiki=False)
    assert (other.hands, other.field, other.captured, other.pile) == (rnd.hands, rnd.field, rnd.captured, rnd.pile)
    assert ways_to_play(other, LIGHTNING) == [(), (BRIDGE,)]
    other.apply_action(Action("play", LIGHTNING, (BRIDGE,)))
    assert everything(rnd) == before


# ---- The classics: section 7 of the rules ----


def test_the_classics_hold_the_positions_everybody_gets_wrong():
    one, two, three = at("three matches").round, at("hiki").round, at("hiki", 1).round
    assert one.legal_actions() == [Action("play", GEESE, (MOON, SUSUKI_A, SUSUKI_B))]
    assert len(two.legal_actions()) == 5 and hikis(two) == [Action("hiki", MOON, (SUSUKI_A, SUSUKI_B))]
    assert hikis(three) == [Action("hiki", PINE_RIBBON, (CRANE,))]
    four, five = at("willow").round, at("protected").round
    assert set(ways_to_play(four, LIGHTNING)) == {(BRIDGE,), (RAIN_MAN,)} and len(four.legal_actions()) == 2
    assert (five.hands[0], five.field) == ({LIGHTNING}, {BRIDGE})
    assert five.legal_actions() == [Action("play", LIGHTNING, ())]
    seven, also_seven = at("pile").round, at("turned up")
    assert ways_to_play(seven, WILLOW_RIBBON) == [(RAIN_MAN,), (SWALLOW,)]
    assert seven.phase == "pile" and also_seven.after.captured[0] == set(WILLOW)


def test_the_classics_hold_what_the_lightning_brings():
    sweep, claim = at("sweep"), at("claim")
    assert sweep.round.rules.lightning == "sweep" and claim.round.rules.lightning == "claim"
    assert sweep.after.captured == ({LIGHTNING, BRIDGE, IRIS_A}, set())
    assert claim.after.captured == ({LIGHTNING, BRIDGE, IRIS_RIBBON}, set())
    assert IRIS_A in claim.after.field


def test_the_classics_hold_the_scores():
    eight, nine, ten = (at("score", number).round for number in range(3))
    assert (eight.points(), eight.yaku(), eight.returns()) == ([45, 30], [[1], []], [45, -20])
    assert under(eight, yaku="bonus").returns() == [95, 30]
    assert nine.rules.teams == 2 and PINE_RIBBON in nine.captured[0] and CHERRY_RIBBON in nine.captured[2]
    assert (nine.yaku(), nine.returns()) == ([[3], []], [30, -50])
    assert (ten.yaku(), ten.returns()) == ([[1, 2], [], []], [70, -100, -100])


def test_first_come_the_classics_and_all_topics_have_one():
    assert {position.topic for position in classics()} == set(TOPICS)
    assert [at("", number) for number in range(len(classics()))] == list(classics())
    later = [at("", len(classics()) + number).topic for number in range(len(TOPICS))]
    assert later == list(TOPICS)


# ---- More of them ----


def is_of_its_kind(p: Position) -> bool:
    """Whether a position is of its topic, by looking at the cards alone."""
    rnd, hand = p.round, p.round.hands[p.seat]
    same = {card: sum(CARDS[other].month == CARDS[card].month for other in rnd.field) for card in range(48)}
    ordinary = [same[card] for card in hand if card != LIGHTNING]
    match p.topic:
        case "no match" | "one match" | "two matches" | "three matches":
            wanted = ("no match", "one match", "two matches", "three matches").index(p.topic)
            return rnd.phase == "hand" and wanted in ordinary and len(hand) > ordinary.count(wanted)
        case "pile":
            return rnd.phase == "pile" and same[rnd.turned_up] == 2
        case "hiki":
            suits = [sum(CARDS[card].month == month for card in hand | rnd.field) for month in range(1, 13)]
            return 4 in suits and rnd.phase == "hand"
        case "lightning":
            return LIGHTNING in hand and not same[LIGHTNING] and not protected(rnd)
        case "willow":
            return LIGHTNING in hand and same[LIGHTNING] > 0
        case "protected":
            return LIGHTNING in hand and len(protected(rnd)) > 0
        case "turned up":
            return p.before_pile and p.action is not None and not p.action.captures
        case "sweep":
            return p.after.is_terminal and p.after.captured[p.seat] > rnd.captured[p.seat]
        case "claim":
            return rnd.rules.lightning == "claim" and p.seat != rnd.current_player
    return any(rnd.yaku())


@pytest.mark.parametrize("topic", TOPICS)
def test_positions_found_are_of_their_kind_real_and_equal_for_equal_seeds(topic):
    new = [positions.found(topic, 7, number) for number in range(6)]
    again = [positions.found(topic, 7, number) for number in range(6)]
    assert all(map(is_of_its_kind, new))
    assert [(p.round.to_dict(), p.seat, p.action) for p in new] == [
        (p.round.to_dict(), p.seat, p.action) for p in again
    ]
    decks = {p.round.deck for p in new} | {positions.found(topic, 8, number).round.deck for number in range(6)}
    assert len(decks) == 12
    for p in new:
        assert p.topic == topic
        assert everything(Round.from_dict(p.round.to_dict()))["log"] == p.round.log
        assert topic in QUESTIONS or p.round.current_player == p.seat


def test_what_is_turned_up_matches_nothing_as_often_as_one_card_or_two():
    outcomes = [positions.matches(positions.found("turned up", 7, number)) for number in range(12)]
    assert {outcomes.count(matching) >= 3 for matching in range(3)} == {True}


def test_no_claim_is_asked_about_that_nobody_else_could_have():
    # Number 15 would be one if it were looked for less closely.
    position = positions.found("claim", 7, 15)
    assert position.seat != position.round.current_player


def test_a_lightning_with_something_protected_is_not_called_free():
    for number in range(4):
        assert not positions._IS_ONE["lightning"](positions.found("protected", 3, number).round)


def test_what_is_protected_is_what_another_seats_hiki_needs():
    found = 0
    for number in range(12):
        rnd = positions.found("protected", 3, number).round
        for card, seat in protected(rnd).items():
            suit = {other.id for other in CARDS if other.month == CARDS[card].month}
            assert seat != rnd.current_player and suit <= rnd.hands[seat] | rnd.field
            assert (card,) not in ways_to_play(rnd, LIGHTNING)
            found += 1
    assert found >= 12
    assert protected(at("lightning").round) == protected(under(at("protected").round, hiki=False)) == {}


# ---- Reasons ----


def test_reasons_why():
    rnd = at("two matches").round
    assert reasons.why(rnd, Action("play", CRANE, ())) == (
        "No Pine lies on the field, so nothing is captured, and the Crane stays there."
    )
    assert reasons.why(rnd, Action("play", MOON, (GEESE,))) == (
        "Two Susuki grass cards lie there, so you choose: you take Geese, and Susuki plain 1 stays."
    )
    assert reasons.why(at("one match").round, Action("play", CURTAIN, (CHERRY_RIBBON,))) == (
        "Cherry poetry ribbon is a Cherry blossom, too: the Curtain captures it."
    )
    (action,) = at("three matches").round.legal_actions()
    assert reasons.why(at("three matches").round, action).startswith(
        "Three Susuki grass cards lie there: Geese captures"
    )


def test_reasons_why_of_hikis_and_of_the_lightning():
    (hiki,) = hikis(at("hiki", 1).round)
    assert "It costs 3 cards of your hand instead of one and leaves you none: you will play 2 cards fewer" in (
        reasons.why(at("hiki", 1).round, hiki)
    )
    willow = at("willow").round
    took = reasons.why(willow, Action("play", LIGHTNING, (BRIDGE,)))
    assert "you take the Bridge. When the round ends, the Iris cards left on the field are yours, too." in took
    assert "The Rain man is a Willow, so it could not stay on the field." in took
    assert "The next Iris card with points" in reasons.why(
        under(willow, lightning="claim"), Action("play", LIGHTNING, (BRIDGE,))
    )
    assert "brings you nothing later" in reasons.why(willow, Action("play", LIGHTNING, (RAIN_MAN,)))
    assert reasons.why(at("lightning").round, Action("play", LIGHTNING, ())) == (
        "The Lightning need not take anything. No Willow lies on the field, so it may stay there."
    )
    assert reasons.why(at("protected").round, Action("play", LIGHTNING, ())) == (
        "Bridge is protected by a hiki, and there is nothing to take: the Lightning stays on the field."
    )


def test_reasons_why_the_lightning_is_laid():
    plain = under(at("lightning").round, lightning="plain")
    assert reasons.why(plain, Action("play", LIGHTNING, ())) == (
        "No Willow lies on the field, so nothing is captured, and the Lightning stays there."
    )
    empty = helpers.lay_out([[LIGHTNING], [CRANE]], [])
    assert reasons.why(empty, Action("play", LIGHTNING, ())) == (
        "There is nothing to take: the Lightning stays on the field."
    )


def test_reasons_why_not():
    assert reasons.why_not(at("willow").round, LIGHTNING, None) == (
        "The Lightning may not stay on the field: the Rain man is a Willow, and a card that can capture must."
    )
    assert reasons.why_not(at("protected").round, LIGHTNING, BRIDGE) == (
        "Seat 1 holds all other Iris cards: a hiki is protected from the Lightning."
    )
    assert reasons.why_not(at("two matches").round, MOON, CHERRY_A) == (
        "The Moon is a Susuki grass, and Cherry plain 1 is a Cherry blossom. It takes its own suit only."
    )
    assert reasons.why_not(at("pile").round, WILLOW_RIBBON, None) == (
        "Willow red ribbon may not stay on the field: Rain man and Swallow are Willow cards, too, "
        "and a card that can capture must."
    )
    assert reasons.why_not(under(at("lightning").round, lightning="plain"), LIGHTNING, MOON) == (
        "At this table the Lightning is an ordinary Willow, and captures only Willow cards."
    )
    rnd = helpers.lay_out([[PINE_A], [PLUM_A]], [RAIN_MAN, SWALLOW, BRIDGE], [LIGHTNING])
    rnd.apply_action(rnd.legal_actions()[0])
    assert reasons.why_not(rnd, LIGHTNING, BRIDGE).startswith("Turned up from the pile the Lightning is an ordinary")
    assert "no suit has all four cards" in reasons.why_no_hiki(at("willow").round)
    assert reasons.why_no_hiki(under(at("hiki").round, hiki=False)) == "At this table there is no hiki."


def test_every_refusal_names_the_reason_that_makes_the_difference():
    kinds = set()
    for topic, number in product(("two matches", "lightning", "willow", "protected"), range(6)):
        rnd = positions.found(topic, 5, number).round
        for card, target in product(rnd.hands[rnd.current_player], [*rnd.field, None]):
            ways = [captures for captures in ways_to_play(rnd, card)]
            if any((target in way) or (target is None and not way) for way in ways):
                continue
            words = reasons.why_not(rnd, card, target)
            if target is None:
                assert "may not stay on the field" in words
                kind = "must capture"
            elif card == LIGHTNING:
                assert (target,) in ways_to_play(under(rnd, hiki=False), card)
                assert f"holds all other {CARDS[target].suit} cards" in words
                kind = "protected"
            else:
                assert CARDS[card].suit in words and CARDS[target].suit in words
                kind = "other suit"
            kinds.add(kind)
    assert kinds == {"must capture", "protected", "other suit"}


def test_the_log_is_told_to_the_one_who_plays():
    rnd = helpers.lay_out([[MOON], [CRANE]], [SUSUKI_A], [PLUM_A])
    play(rnd, MOON)
    lines = [told(event, 0) for event in rnd.log[-3:]]
    assert lines == ["You play Moon.", "You capture Moon and Susuki plain 1.", "You turn up Plum plain 1."]
    assert told(rnd.log[-3], 1) == "Seat 0 plays Moon."
    struck = next(event for event in at("sweep").round.log if event.kind == "lightning took")
    assert told(struck, 0) == "Your Lightning takes Bridge."


# ---- Questions ----


@pytest.mark.parametrize(("topic", "number"), [pair for pair in HERE if pair[0] in QUESTIONS])
def test_a_question_has_one_right_answer_and_no_two_alike(topic, number):
    asked = reasons.question(at(topic, number))
    assert [answer.right for answer in asked.answers].count(True) == 1
    assert len({answer.words for answer in asked.answers}) == len(asked.answers) >= 3
    assert all(answer.why for answer in asked.answers) and asked.lines


def right_answer(position):
    return next(answer.words for answer in reasons.question(position).answers if answer.right)


def test_the_right_answers_are_the_engines():
    for number in range(10):
        score, sweep, claim, up = (at(topic, number) for topic in ("score", "sweep", "claim", "turned up"))
        rnd = score.round
        assert right_answer(score) == reasons.scores_in_words(rnd, rnd.returns(), score.seat)
        gained = sweep.after.captured[sweep.seat] - sweep.round.captured[sweep.seat]
        swept = next(event.cards for event in sweep.after.log if event.kind == "swept")
        assert set(swept) <= gained and right_answer(sweep) == str(Cards(swept))
        assert right_answer(claim) == "You"
        assert claim.after.captured[claim.seat] > claim.round.captured[claim.seat]
        turned_up = up.round.pile[0]
        same = sum(CARDS[card].month == CARDS[turned_up].month for card in up.round.field)
        assert right_answer(up).startswith(
            ["It stays", "It captures one card", "It captures one of", "It captures three"][same]
        )


def test_a_score_is_explained_line_by_line():
    assert reasons.score_lines(at("score").round, 0) == [
        "You captured 2 brights (40) + 1 animal (5) = 45 points.",
        "Seat 1 captured 1 bright (20) + 1 ribbon (10) = 30 points.",
        "You: yaku I (Drinking), that is 50 off every other side.",
        "You: 45.",
        "Seat 1: 30 − 50 = −20.",
    ]
    bonus = reasons.score_lines(under(at("score").round, yaku="bonus"), 1)
    assert bonus[2:] == [
        "Seat 0: yaku I (Drinking), that is 50 more for its own side.",
        "Seat 0: 45 + 50 = 95.",
        "You: 30.",
    ]
    assert "Seat 1 and Seat 3: 0 − 50 = −50." in reasons.score_lines(at("score", 1).round, 0)


def test_house_rules_side_by_side():
    assert reasons.at_other_tables(at("score")) == [
        ("yaku: penalty", "You: 45, Seat 1: −20"),
        ("yaku: bonus", "You: 95, Seat 1: 30"),
    ]
    assert [words for _, words in reasons.at_other_tables(at("sweep"))] == [
        "It brings you Iris plain 1.",
        "It brings you nothing.",
        "It brings you Pine plain 1, Plum plain 1 and Iris plain 1.",
    ]
    assert [words for _, words in reasons.at_other_tables(at("claim"))] == [
        "Seat 1 gets Iris red ribbon.",
        "You get Iris red ribbon.",
        "Seat 1 gets Iris red ribbon.",
    ]
    assert reasons.at_other_tables(at("protected")) == [
        ("without hiki", "You may also: take Bridge with the Lightning.")
    ]
    assert reasons.at_other_tables(at("hiki")) == [("without hiki", "You may not: declare hiki of Susuki grass.")]
    assert reasons.at_other_tables(at("no match")) == []


# ---- The trainer ----


def test_a_right_play_is_explained_and_the_next_position_comes():
    trainer = TurnTrainer("two matches")
    press(trainer, f"hand-{MOON}")
    assert trainer.shown["say"] == "Moon is chosen: click the card that it captures."
    assert trainer._controls[f"hand-{MOON}"].attributes["aria-pressed"] == "true"
    press(trainer, f"field-{GEESE}")
    assert trainer.shown["say"].startswith("Right. Two Susuki grass cards lie there")
    assert trainer.state.round.captured[0] == {MOON, GEESE}
    assert "You turn up Iris plain 1." in shown_words(trainer)
    assert "Right at the first try: 1 of 1" in shown_words(trainer)
    assert trainer.shown["focus"] == "next"
    assert f"hand-{CRANE}" not in trainer._controls
    press(trainer, "next")
    assert trainer.shown["say"].startswith("A new position.")
    assert trainer.state.round.deck == at("two matches", 1).round.deck


def test_a_wrong_play_changes_nothing_and_is_counted_once():
    trainer = TurnTrainer("two matches")
    before = everything(trainer.state.round)
    press(trainer, f"hand-{CRANE}")
    assert trainer.shown["say"].startswith("Not so. That is legal, but not what is asked for here. No Pine lies on the")
    press(trainer, f"hand-{MOON}")
    press(trainer, f"field-{CHERRY_A}")
    assert trainer.shown["say"].startswith(
        "Not so. The Moon is a Susuki grass, and Cherry plain 1 is a Cherry blossom."
    )
    assert everything(trainer.state.round) == before
    press(trainer, f"hand-{MOON}")
    press(trainer, f"field-{SUSUKI_A}")
    assert trainer.shown["say"].startswith("Right.")
    assert "Right at the first try: 0 of 1" in shown_words(trainer)


def test_a_choice_can_be_taken_back_and_a_field_card_alone_says_what_is_missing():
    trainer = TurnTrainer("two matches")
    press(trainer, f"field-{GEESE}")
    assert trainer.shown["say"] == "First click a card of your hand."
    press(trainer, f"hand-{MOON}")
    press(trainer, f"hand-{MOON}")
    assert trainer.state.chosen is None and "put back" in trainer.shown["say"]
    press(trainer, "leave")
    assert trainer.shown["say"] == "First click a card of your hand."
    assert trainer.state.asked == 0


def test_the_lightning_is_always_asked_about():
    trainer = TurnTrainer("protected")
    assert "Seat 1 announces: “All other Iris cards are in my hand.”" in shown_words(trainer)
    press(trainer, f"hand-{LIGHTNING}")
    assert trainer.shown["say"] == "Lightning is chosen: click the card that it captures, or leave it on the field."
    press(trainer, f"field-{BRIDGE}")
    assert trainer.shown["say"] == "Not so. Seat 1 holds all other Iris cards: a hiki is protected from the Lightning."
    press(trainer, f"hand-{LIGHTNING}")
    press(trainer, "leave")
    assert trainer.shown["say"].startswith("Right. Bridge is protected by a hiki")
    assert "You may also: take Bridge with the Lightning." in shown_words(trainer)


def test_the_lightning_should_take_what_is_worth_most():
    trainer = TurnTrainer("lightning")
    press(trainer, f"hand-{LIGHTNING}")
    press(trainer, f"field-{BRIDGE}")
    assert trainer.shown["say"].startswith("Not so. That is legal, but not what is asked for here.")
    press(trainer, f"hand-{LIGHTNING}")
    press(trainer, f"field-{MOON}")
    assert trainer.shown["say"].startswith("Right.")


def test_the_lightning_may_not_be_left_beside_a_willow():
    trainer = TurnTrainer("willow")
    press(trainer, f"hand-{LIGHTNING}")
    press(trainer, "leave")
    assert trainer.shown["say"].startswith("Not so. The Lightning may not stay on the field: the Rain man is a Willow")


def test_a_hiki_is_declared_with_or_without_choosing_a_card_first():
    trainer = TurnTrainer("hiki")
    press(trainer, f"hand-{MOON}")
    assert trainer.shown["say"] == "Moon is chosen: click the card that it captures, or declare hiki."
    press(trainer, "hiki")
    assert trainer.state.round.captured[0] == set(SUSUKI) and trainer.state.solved
    press(trainer, "again")
    assert trainer.shown["focus"] == f"hand-{MOON}"
    press(trainer, "hiki")
    assert trainer.state.round.captured[0] == set(SUSUKI)
    assert (trainer.state.right, trainer.state.asked) == (1, 1)


def test_a_hiki_of_cards_of_the_hand_alone_and_two_at_once():
    both = helpers.lay_out([[*PINE, *PLUM], [*CHERRY, *WISTERIA]], [BRIDGE])
    trainer = TurnTrainer(position=both)
    press(trainer, f"hand-{CRANE}")
    assert trainer.shown["say"] == "Crane is chosen: leave it on the field, or declare hiki."
    press(trainer, f"hand-{CRANE}")
    press(trainer, "hiki")
    assert trainer.shown["say"].startswith("There is more than one hiki.")
    press(trainer, f"hand-{PLUM_A}")
    press(trainer, "hiki")
    assert set(PLUM) <= trainer.state.round.captured[0] and not set(PINE) & trainer.state.round.captured[0]


def test_a_hiki_that_is_none_is_refused_with_the_reason():
    trainer = TurnTrainer("one match")
    press(trainer, "hiki")
    assert trainer.shown["say"].startswith("Not so. There is no hiki here")


def test_a_card_turned_up_is_chosen_for():
    trainer = TurnTrainer("pile")
    assert WILLOW_RIBBON in shown_cards(trainer)
    press(trainer, f"field-{PINE_A}")
    assert "Willow red ribbon is a Willow, and Pine plain 1 is a Pine." in trainer.shown["say"]
    press(trainer, "leave")
    assert "may not stay on the field" in trainer.shown["say"]
    press(trainer, "hiki")
    assert trainer.shown["say"].startswith("A hiki is declared instead of playing a card")
    press(trainer, f"field-{SWALLOW}")
    assert trainer.state.round.captured[0] == {WILLOW_RIBBON, SWALLOW}
    assert trainer.shown["say"].startswith("Right.")


def test_a_turn_goes_on_when_the_pile_asks_for_a_choice():
    rnd = helpers.lay_out([[PINE_A, CRANE], [PLUM_A, BOAR]], [RAIN_MAN, SWALLOW], [WILLOW_RIBBON])
    trainer = TurnTrainer(position=rnd)
    press(trainer, f"hand-{PINE_A}")
    assert "Then you turn up Willow red ribbon: click the card that it captures." in trainer.shown["say"]
    assert trainer.shown["focus"] == f"field-{PINE_A}"
    press(trainer, f"hand-{CRANE}")
    assert trainer.shown["say"] == "First choose what the Willow red ribbon captures, which you turned up."
    press(trainer, f"field-{RAIN_MAN}")
    assert trainer.state.round.captured[0] == {WILLOW_RIBBON, RAIN_MAN}
    assert trainer.shown["focus"] == "again"
    assert not [key for key in trainer._controls if key.startswith(("hand-", "field-"))]
    press(trainer, "again")
    assert everything(trainer.state.round) == everything(rnd)


def test_answers_are_told_right_or_wrong():
    trainer = TurnTrainer("score")
    press(trainer, "answer-You: 45, Seat 1: 30")
    assert trainer.shown["say"] == "Not so. These are the points alone. Somebody holds a yaku."
    assert "= 45 points" not in shown_words(trainer)
    press(trainer, "answer-You: 45, Seat 1: −20")
    assert trainer.shown["say"].startswith("Right.")
    assert "✗ You: 45, Seat 1: 30" in shown_words(trainer) and "✓ You: 45, Seat 1: −20" in shown_words(trainer)
    assert "Seat 1: 30 − 50 = −20." in shown_words(trainer)
    assert "You: 95, Seat 1: 30" in shown_words(trainer)
    assert (trainer.state.right, trainer.state.asked) == (0, 1)


@pytest.mark.parametrize("topic", TOPICS)
def test_show_me_tells_all_and_the_position_no_longer_counts(topic):
    trainer = TurnTrainer(topic)
    press(trainer, "show")
    words = shown_words(trainer)
    if topic in QUESTIONS:
        assert f"✓ {right_answer(at(topic))}" in words and "The answer:" in words and "Right." not in words
    else:
        for action in trainer.state.round.legal_actions():
            told = str(action)[0].upper() + str(action)[1:]
            wanted = trainer.state.position.is_wanted(action)
            assert (f"✓ {told}" in words) == wanted and told in words
    assert (trainer.state.right, trainer.state.asked) == (0, 1)
    assert "show" not in trainer._controls


@pytest.mark.parametrize(("topic", "number"), HERE)
def test_every_position_can_be_solved_by_clicking(topic, number):
    trainer = TurnTrainer(topic, seed=4)
    for _ in range(number):
        press(trainer, "next")
    position = trainer.state.position
    assert position.topic == topic
    if topic in QUESTIONS:
        press(trainer, f"answer-{right_answer(position)}")
    else:
        action = next(filter(position.is_wanted, position.round.legal_actions()))
        if position.round.phase == "hand":
            press(trainer, f"hand-{action.card}")
        if not trainer.state.solved:
            lowest = f"field-{action.captures[0]}" if action.captures else "leave"
            press(trainer, "hiki" if action.kind == "hiki" else lowest)
        assert trainer.state.round.actions[-1] == action
    assert trainer.shown["say"].startswith("Right.")
    assert trainer.state.solved and trainer.state.right == 1 and not errors(trainer)


@pytest.mark.parametrize(("topic", "number"), HERE)
def test_nobody_sees_what_is_face_down(topic, number):
    trainer = TurnTrainer(topic)
    for _ in range(number):
        press(trainer, "next")
    position = trainer.state.position
    others = [hand for seat, hand in enumerate(position.after.hands) if seat != position.seat]
    hidden = set(position.after.pile).union(*others)
    assert not hidden & set(shown_cards(trainer))
    # The Lightning is in the list of topics.
    assert not [card for card in hidden - {LIGHTNING} if CARDS[card].name in shown_words(trainer)]
    # And nothing lies in two places.
    assert len(set(shown_cards(trainer))) == len(shown_cards(trainer))


def test_seeds_give_the_same_positions_and_others_others():
    one, same, other = TurnTrainer("hiki", 3), TurnTrainer("hiki", 3), TurnTrainer("hiki", 4)
    for trainer in (one, same, other):
        press(trainer, "next")
        press(trainer, "next")
    assert one.state.round.deck == same.state.round.deck != other.state.round.deck


def test_the_topic_can_be_changed_and_the_count_goes_on():
    trainer = TurnTrainer("hiki")
    press(trainer, "hiki")
    press(trainer, "Topic", "score")
    assert trainer.state.position == at("score") and trainer.state.right == 1
    press(trainer, "Topic", "")
    assert trainer.state.position == at("no match")
    press(trainer, "Topic", "cheating")
    assert errors(trainer)[0].startswith("topic must be one of no match, one match")


def test_a_double_click_is_one():
    trainer = TurnTrainer("two matches")
    version = trainer.shown["version"]
    for _ in range(2):
        trainer._receive(None, {"key": f"hand-{CRANE}", "version": version}, [])
    press(trainer, "next")
    version = trainer.shown["version"]
    for _ in range(2):
        trainer._receive(None, {"key": "next", "version": version}, [])
    assert trainer.state.asked == 1 and trainer.state.number == 2


# ---- A position of one's own ----


def test_a_position_of_ones_own_is_played_on_a_copy():
    rnd = Round(Rules(players=4, teams=2), seed=11)
    before = everything(rnd)
    trainer = TurnTrainer(position=rnd)
    assert "Seat 2, your partner" in shown_words(trainer)
    press(trainer, f"hand-{next(a.card for a in rnd.legal_actions() if not a.captures)}")
    assert len(trainer.state.round.actions) == 1 and everything(rnd) == before
    assert "next" not in trainer._controls and "Topic" not in trainer._controls
    rnd.apply_action(rnd.legal_actions()[0])
    press(trainer, "again")
    assert everything(trainer.state.round) == before
    rnd.undo()
    assert everything(TurnTrainer(position=rnd.to_dict()).state.round)["hands"] == before["hands"]
    assert TurnTrainer(position=list(rnd.deck)).state.round.deck == rnd.deck


def over():
    rnd = Round(seed=1)
    finish(rnd)
    return rnd


@pytest.mark.parametrize(
    ("position", "words"),
    [
        ([1, 2, 3], "a deck has 48 cards, got 3"),
        ([0, *range(47)], "every card is in a deck once; repeated are 0"),
        ([*range(1, 49)], "a card of the deck must be 0 to 47, got 48"),
        ("crane", "a deck must be a list, got 'crane'"),
        ({"deck": [1]}, "this is no saved round"),
        (Round(seed=1).to_dict() | {"deck": [*range(48)]}, "the saved round cannot have happened"),
        (Round(seed=1).to_dict() | {"actions": [["play", 99, []]]}, "the saved round cannot have happened"),
        (over(), "this round is over, so there is nothing to play"),
        (over().to_dict(), "this round is over, so there is nothing to play"),
    ],
)
def test_an_impossible_position_is_refused_in_words(position, words):
    with pytest.raises((ValueError, TypeError), match=words):
        TurnTrainer(position=position)


def test_other_things_that_make_no_sense():
    with pytest.raises(ValueError, match=r"topic must be one of 'no match', 'one match', .* got 'bluffing'"):
        TurnTrainer("bluffing")
    with pytest.raises(ValueError, match="give topic= or position=, not both"):
        TurnTrainer("hiki", position=Round(seed=1))
    with pytest.raises(TypeError, match="position must be a Round, a saved one, or a deck, got 5"):
        TurnTrainer(position=5)
    with pytest.raises(ValueError, match="seed must be 0 to"):
        TurnTrainer(seed=-1)


# ---- In a notebook ----


def test_a_cell_run_again_goes_on_where_it_was(monkeypatch):
    where = {}
    shell = type("Shell", (), {"get_parent": lambda self: where})()
    monkeypatch.setattr(base, "get_ipython", lambda: shell)
    monkeypatch.setattr(base, "_AT_PLACE", {})

    def cell(run, *args, **options):
        where.update(metadata={"cellId": "a"}, header={"msg_id": f"run {run}"})
        return TurnTrainer(*args, **options)

    first = cell(1, "hiki")
    press(first, "hiki")
    press(first, "next")
    again = cell(2, "hiki")
    assert again.state is first.state and again.state.right == 1
    assert cell(3, "hiki", 2).state.asked == 0
    given = cell(4, position=Round(seed=1))
    press(given, "show")
    assert cell(5, position=Round(seed=1)).state.revealed
    assert not cell(6, position=Round(seed=2)).state.revealed


@pytest.mark.parametrize("topic", TOPICS)
def test_the_picture_that_stays_says_what_is_asked(topic):
    trainer = TurnTrainer(topic)
    page = trainer.static_html()
    asked = at(topic)
    question = reasons.question(asked).words if topic in QUESTIONS else reasons.task(asked)
    assert question in page.replace("&#x27;", "'")
    assert 'alt="' in page and "Turn trainer, as a picture." in page
    assert not any(tag in page for tag in ("<button", "<select", "Show me", "Next position"))
    if topic in QUESTIONS:
        assert page.count("○") == len(reasons.question(asked).answers)


def test_aids_and_high_contrast_reach_the_cards():
    trainer = TurnTrainer("hiki")
    plain = trainer.pictures
    press(trainer, "Learning aids", True)
    assert trainer.pictures["28"] != plain["28"]


@pytest.mark.parametrize("topic", TOPICS)
def test_whoever_gets_a_position_may_change_it(topic: str) -> None:
    first, position = position_at(topic, 1, 0), position_at(topic, 1, 0)
    if topic == "score":
        position.round.undo()
    else:
        position.round.apply_action(position.round.legal_actions()[0])
    assert position_at(topic, 1, 0) == first != position
