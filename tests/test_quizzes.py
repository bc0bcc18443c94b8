"""The lessons' questions: the engine gives the same answers, and no page shows one before the reader does."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import nbformat
import pytest

from sakura import CARDS, YAKU, Round, Rules, positions, scores
from sakura.cards import DATA, read_table
from sakura.match import draw_dealer, next_dealer, victories
from sakura.widgets import Question, Quiz
from sakura.widgets.quiz import quizzes

LESSONS = sorted((Path(__file__).parents[1] / "notebooks").glob("0[1-6]_*.ipynb"))
ASKED = [question for questions in quizzes().values() for question in questions]
ID = {card.name: card.id for card in CARDS}


def only(found: Iterable[Any]) -> Any:
    (one,) = set(found)
    return one


def after(kept: str, turns: int) -> Round:
    """A round of lesson 05, after so many turns."""
    rnd = Round.load(DATA / f"{kept}.json")
    rnd.undo(len(rnd.actions))
    while rnd.turn < turns and not rnd.is_terminal:
        rnd.redo()
    return rnd


def lacking(cards: Iterable[int]) -> set[int]:
    """The cards each of which completes a yaku with these."""
    rests = [yaku.cards - set(cards) for yaku in YAKU]
    return {card for rest in rests if len(rest) == 1 for card in rest}


def captures(hand: str, *field: str) -> set[tuple[int, ...]]:
    """What a card of the hand may take from such a field."""
    rnd = positions.lay_out([[ID[hand]], [ID["Crane"]]], [ID[name] for name in field])
    return {action.captures for action in positions.ways_to_play(rnd, ID[hand])}


def first_to_be_dealt(players: int, dealer: int = 0) -> Any:
    return next(
        packet for packet in Round(Rules(players=players), seed=1, dealer=dealer).packets if packet.seat is not None
    )


def swept() -> str:
    """What the Lightning that took the Deer brings at the end."""
    hands = [[ID["Lightning"]], [ID["Phoenix"]]]
    rnd = positions.lay_out(hands, [ID[name] for name in ("Deer", "Maple plain 1", "Crane")], [ID["Moon"], ID["Boar"]])
    rnd.apply_action(next(action for action in rnd.legal_actions() if action.captures == (ID["Deer"],)))
    rnd.apply_action(rnd.legal_actions()[0])
    return only(CARDS[card].suit for card in rnd.captured[0] if card not in (ID["Deer"], ID["Lightning"]))


def hikis(preset: str) -> list[str]:
    rnd = Round(Rules.preset(preset), seed=96)
    assert {8, 9, 10} <= rnd.hands[0] and 11 in rnd.field
    return [str(action) for action in rnd.legal_actions() if action.kind == "hiki"]


def who_draws_again() -> set[int]:
    draws = draw_dealer(3, seed=16).draws
    assert draws[0] == {0: ID["Iris red ribbon"], 1: ID["Geese"], 2: ID["Bridge"]}
    return set(draws[1])


# How a question begins -> the answer that follows from the cards and the engine.
ANSWERS: dict[str, Callable[[Question], object]] = {
    "How many cards are in the deck": lambda q: len(CARDS),
    "How many of them are plain": lambda q: sum(card.kind == "plain" for card in CARDS),
    "How many points is this card": lambda q: CARDS[only(q.cards)].points,
    "Which suit is this": lambda q: CARDS[only(q.cards)].suit,
    "Which of these three is a bright": lambda q: only(CARDS[c].name for c in q.cards if CARDS[c].kind == "bright"),
    "Somebody in Hawaii": lambda q: only(card.suit for card in CARDS if card.suit_in("hawaii") == "bozu"),
    "Seat 0 draws the Moon": lambda q: f"Seat {q.cards.index(min(q.cards))}",
    "Four players, and Seat 2 deals": lambda q: f"Seat {first_to_be_dealt(4, dealer=2).seat}",
    "Seven players get 3 cards": lambda q: len(first_to_be_dealt(7).cards),
    "Two players have been dealt 8": lambda q: Rules().pile - 2 * Rules().hand,
    "Four players have 5 cards": lambda q: f"{Rules(players=4).hand} out of 48",
    "The Swallow lies on the field": lambda q: (
        "Leave the Lightning there" if captures("Lightning", "Swallow", "Moon") == {(41,), (28,)} else ""
    ),
    "Your Lightning took a Maple": lambda q: f"The {swept()}",
    "Two ribbons of one yaku": lambda q: "{0.suit}, month {0.month}".format(CARDS[only(lacking(q.cards))]),
    "Yaku To is the pictures": lambda q: only(
        yaku.syllable
        for yaku in YAKU
        if yaku.cards == {card.id for card in CARDS if card.month in (4, 5, 7) and card.kind == "ribbon"}
    ),
    "Six players in three teams": lambda q: (
        "Both other teams lose 50 each." if scores([YAKU[0].cards, [], []])[1:] == [-50, -50] else ""
    ),
    "Which card completes yaku I": lambda q: CARDS[only(YAKU[0].cards - set(q.cards))].name,
    "You have these two. With which": lambda q: only(q.answers.keys() & {CARDS[c].name for c in lacking(q.cards)}),
    "Which of these cards is in two": lambda q: only(
        name for name in q.answers if sum(ID[name] in yaku.cards for yaku in YAKU) == 2
    ),
    "Your opponent has these two. What stops": lambda q: f"The {CARDS[only(lacking(q.cards))].name}",
    "Three sides. You have 60": lambda q: scores([[0, 44, 28], YAKU[2].cards, YAKU[3].cards])[0],
    "Only two of Seat 0's eight": lambda q: " and ".join(
        sorted(CARDS[action.card].name for action in after("commented_round", 0).legal_actions() if action.captures)
    ),
    "Which card do you play": lambda q: only(
        answer
        for answer in q.answers
        if (card := ID[answer.split(";")[0]]) in after("commented_round", 3).hands[1]
        and CARDS[card].suit == CARDS[32].suit
    ),
    "Who has a yaku in the round": lambda q: {2: "Both of them"}[sum(map(bool, after("round_to_judge", 99).yaku()))],
    "Seat 0 has 65 points": lambda q: "Seat 1 with {1} to {0}".format(*after("round_to_judge", 99).returns()),
    "Your opponent has captured these two": lambda q: CARDS[only(lacking(q.cards))].name,
    "Seat 0 draws the Iris red ribbon": lambda q: {2: "That is not settled yet"}[len(who_draws_again() & {0, 2})],
    "Three players. Seat 1 has dealt": lambda q: f"Seat {next_dealer(Rules(players=3), 1, [70, 30, 70])}",
    "You win a round with 95": lambda q: ("", "One victory", "Two victories", "Three victories")[
        victories(Rules(match_scoring="rounds", chu=True, basa=True), [95, -15])
    ],
    "May you take all four at once": lambda q: "No" if hikis("hawaii") and not hikis("wikipedia") else "Yes",
    "Four players in two teams": lambda q: "In Seat {1}".format(*Rules(players=4, teams=2).seats_of(1)),
    "Your partner has captured": lambda q: (
        f"Our team has yaku {only(yaku.syllable for yaku in YAKU if yaku.cards == {*q.cards})}"
    ),
    "Two players. The round ends 60": lambda q: ("I do", "My opponent")[next_dealer(Rules(), 0, [60, 60])],
}


@pytest.mark.parametrize("begin", ANSWERS)
def test_the_cards_and_the_engine_give_the_same_answer(begin: str) -> None:
    (question,) = [asked for asked in ASKED if asked.words.startswith(begin)]
    assert question.right == str(ANSWERS[begin](question)).replace("-", "−")


def test_every_question_of_the_data_can_be_asked() -> None:
    rows = read_table("quizzes")
    keys = [(row["quiz"], row["question"], row["answer"]) for row in rows]
    assert len(set(keys)) == len(keys) and all(row["said"] and row["right"] in ("", "yes") for row in rows)
    for name, questions in quizzes().items():
        for question in questions:
            asked = [row for row in rows if (row["quiz"], row["question"]) == (name, question.words)]
            assert sum(row["right"] == "yes" for row in asked) == 1 and len(asked) > 1
            assert {row["cards"] for row in asked} == {" ".join(map(str, question.cards))}
            assert set(question.cards) <= set(range(48))
    with pytest.raises(ValueError, match=r"the quiz must be one of '01 cards before', .*, got '1'"):
        Quiz.of("1")


def test_every_quiz_is_asked_in_its_lesson_and_told_nowhere() -> None:
    asked = []
    for path in LESSONS:
        cells = [cell for cell in nbformat.read(path, 4).cells if cell.cell_type == "code"]
        # Neither in the code, folded or not, nor in what was saved of it.
        shown = json.dumps(cells, ensure_ascii=False)
        told = [
            said
            for question in ASKED
            for said in question.answers.values()
            if json.dumps(said, ensure_ascii=False)[1:-1] in shown
        ]
        assert "Question(" not in shown and not told
        sources = [cell.source for cell in cells]
        asked += [name for source in sources for name in quizzes() if f'Quiz.of("{name}")' in source]
    assert asked == list(quizzes())


@pytest.mark.parametrize("name", quizzes())
def test_what_is_shown_would_be_the_same_were_another_answer_right(name: str) -> None:
    """Neither the browser's tree nor the saved picture depends on which answer is right, or on what is said to it."""
    asked = quizzes()[name]
    others = []
    for question in asked:
        names, said = [*question.answers], [*question.answers.values()]
        other = names[names.index(question.right) - 1]
        others.append(question._replace(right=other, answers=dict(zip(names, [*said[1:], said[0]], strict=True))))
    quiz, twisted = Quiz(*asked), Quiz(*others)
    assert to_be_seen(quiz) == to_be_seen(twisted)


def to_be_seen(quiz: Quiz) -> tuple[dict[str, Any], str]:
    """What the page gets, but for the name of the widget itself."""
    return {**quiz.shown, "id": ""}, quiz.static_html().replace(quiz.model_id, "")
