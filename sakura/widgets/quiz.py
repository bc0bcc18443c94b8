"""Questions to check oneself: each answer is told right or wrong, and why, as soon as it is clicked."""

from collections.abc import Mapping
from functools import cache, partial
from typing import NamedTuple, Self

from ..cards import read_table
from ..checks import listed, one_of, shown
from .base import View
from .elements import Element, box, button, card, heading, room, strong, text


class Question(NamedTuple):
    """A question. `answers` are what can be answered -> what to say to it; `right` is the one that is right.

    cards: the ids of cards to show beside it.
    """

    words: str
    answers: Mapping[str, str]
    right: str
    cards: tuple[int, ...] = ()


@cache
def quizzes() -> Mapping[str, tuple[Question, ...]]:
    """The lessons' questions, by the name of their quiz: `data/quizzes.csv`, which keeps them out of sight."""
    found: dict[str, dict[str, Question]] = {}
    for row in read_table("quizzes"):
        of_quiz = found.setdefault(row["quiz"], {})
        cards = tuple(map(int, row["cards"].split()))
        asked = of_quiz.get(row["question"]) or Question(row["question"], {}, "", cards)
        right = row["answer"] if row["right"] else asked.right
        of_quiz[row["question"]] = Question(asked.words, {**asked.answers, row["answer"]: row["said"]}, right, cards)
    return {name: tuple(of_quiz.values()) for name, of_quiz in found.items()}


class Quiz(View[dict[int, list[str]]]):
    """Questions with buttons to answer them. Its state is, for each question, the answers tried so far.

    `Quiz.of("03 a turn")` asks those of a lesson. Questions of one's own:

        Quiz(Question("How many suits?", {"4": "So many cards each.", "12": "One a month."}, right="12"))

    Raises ValueError for no question, or for one whose right answer is not among its answers.
    """

    title = "Check yourself"

    def __init__(self, *questions: Question) -> None:
        if not questions:
            raise ValueError("a quiz needs a question")
        for question in questions:
            if question.right not in question.answers:
                wanted = listed(question.answers)
                raise ValueError(f"right must be one of the answers {wanted}, got {shown(question.right)}")
        self.questions = questions
        super().__init__(dict, settings=tuple(question.words for question in questions))

    @classmethod
    def of(cls, name: str) -> Self:
        """The quiz of that name in `data/quizzes.csv`. Raises ValueError where there is none."""
        return cls(*quizzes()[one_of("the quiz", name, quizzes())])

    def draw(self) -> Element:
        right_first = sum(
            tried[0] == question.right
            for number, question in enumerate(self.questions)
            if (tried := self.state.get(number))
        )
        score = f"Right at the first try: {right_first} of {len(self.questions)}."
        return box(
            *(self._question(number, question) for number, question in enumerate(self.questions)),
            text(score, kind="quiet") if self.state else None,
            box(button("Start again", self.state.clear), kind="controls") if self.state else None,
        )

    def _question(self, number: int, question: Question) -> Element:
        tried = self.state.get(number, [])
        answers = [
            button(
                answer,
                partial(self.answer, number, answer),
                key=f"question-{number}-{answer}",
                kind="answer",
                pressed=answer in tried,
                # Each question stands for itself, however fast one goes through them.
                steady=True,
                sign=self._sign(question, answer, tried),
            )
            for answer in question.answers
        ]
        return box(
            heading(f"{number + 1}. {question.words}"),
            box(*map(card, question.cards), kind="cards") if question.cards else None,
            box(*answers, kind="controls"),
            self._told(question, tried),
            kind="panel question",
        )

    @staticmethod
    def _sign(question: Question, answer: str, tried: list[str]) -> str:
        if answer not in tried:
            return ""
        return "✓" if answer == question.right else "✗"

    @staticmethod
    def _told(question: Question, tried: list[str]) -> Element:
        """What there is to say to the last answer, in the room that the longest takes."""
        said = None
        if tried:
            said = Element("span", {}, (strong(_verdict(question, tried[-1])), f" {question.answers[tried[-1]]}"))
        longest = max(question.answers.values(), key=lambda words: (len(words), words))
        return text(said, room(f"Not so. {longest}"), kind="said")

    def answer(self, number: int, answer: str) -> None:
        """Answer question `number`, counted from 0."""
        question = self.questions[number]
        self.state.setdefault(number, []).append(answer)
        self.say(f"{_verdict(question, answer)} {question.answers[answer]}")


def _verdict(question: Question, answer: str) -> str:
    return "Right." if answer == question.right else "Not so."
