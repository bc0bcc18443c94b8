"""Questions to check oneself: each answer is told right or wrong, and why, as soon as it is clicked."""

from collections.abc import Mapping
from functools import partial
from typing import NamedTuple

from ..checks import listed, shown
from .base import View
from .elements import Element, box, button, card, heading, strong, text


class Question(NamedTuple):
    """A question. `answers` are what can be answered -> what to say to it; `right` is the one that is right.

    cards: the ids of cards to show beside it.
    """

    words: str
    answers: Mapping[str, str]
    right: str
    cards: tuple[int, ...] = ()


class Quiz(View[dict[int, list[str]]]):
    """Questions with buttons to answer them. Its state is, for each question, the answers tried so far.

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
                f"{self._mark(question, answer, tried)}{answer}",
                partial(self.answer, number, answer),
                key=f"question-{number}-{answer}",
                kind="answer",
                pressed=answer in tried,
                # Each question stands for itself, however fast one goes through them.
                steady=True,
            )
            for answer in question.answers
        ]
        return box(
            heading(f"{number + 1}. {question.words}"),
            box(*map(card, question.cards), kind="cards") if question.cards else None,
            box(*answers, kind="controls"),
            text(strong(_verdict(question, tried[-1])), " ", question.answers[tried[-1]]) if tried else None,
            kind="panel question",
        )

    @staticmethod
    def _mark(question: Question, answer: str, tried: list[str]) -> str:
        if answer not in tried:
            return ""
        return "✓ " if answer == question.right else "✗ "

    def answer(self, number: int, answer: str) -> None:
        """Answer question `number`, counted from 0."""
        question = self.questions[number]
        self.state.setdefault(number, []).append(answer)
        self.say(f"{_verdict(question, answer)} {question.answers[answer]}")


def _verdict(question: Question, answer: str) -> str:
    return "Right." if answer == question.right else "Not so."
