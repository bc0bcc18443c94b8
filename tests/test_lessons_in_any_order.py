"""A reader runs the cells of a lesson in any order and as often as they like; what is to be solved stays solvable."""

import gc
import json
import os
import re
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from jupyter_client.blocking import BlockingKernelClient
from jupyter_client.manager import run_kernel

from sakura import CARDS
from sakura.positions import QUESTIONS, Position, classics, position_at
from sakura.widgets import FlashCards, Quiz, TurnTrainer
from sakura.widgets.base import View
from test_flash_cards import answer, verdict
from test_turn_trainer import errors, press, right_answer

NOTEBOOKS = Path(__file__).parent.parent / "notebooks"
LESSONS = sorted(NOTEBOOKS.glob("0[0-6]_*.ipynb"))
BEYOND_CLASSICS = 3
# How to solve a position: for each way to, the buttons and cards to press.
Ways = list[list[str]]


# ---- In this process, which no lesson has touched: what is right ----


def ways_to_solve(position: Position) -> Ways:
    if position.topic in QUESTIONS:
        return [[f"answer-{right_answer(position)}"]]
    rnd = position.round
    return [
        ([f"hand-{action.card}"] if rnd.phase == "hand" else [])
        + ["hiki" if action.kind == "hiki" else f"field-{action.captures[0]}" if action.captures else "leave"]
        for action in rnd.legal_actions()
        if position.is_wanted(action)
    ]


def all_to_solve(topic: str, seed: int) -> list[Ways]:
    first = [position for position in classics() if topic in ("", position.topic)]
    numbers = range(len(first) + BEYOND_CLASSICS)
    return [ways_to_solve(position_at(topic, seed, number)) for number in numbers]


# ---- In the lesson's kernel: its widgets, as its reader presses them ----


def there(kind: type[View[Any]]) -> list[Any]:
    """The widgets that are alive."""
    return [found for found in gc.get_objects() if isinstance(found, kind) and found.comm is not None]


def trainers() -> list[tuple[str, int]]:
    return [(trainer.state.topic, trainer.seed) for trainer in there(TurnTrainer) if trainer.state.position.topic]


def solve_all(solutions: Iterable[tuple[str, int, list[Ways]]]) -> dict[str, int]:
    """Solve everything; how many right answers each kind of widget has been given."""
    right = {"TurnTrainer": 0, "FlashCards": 0, "Quiz": 0}
    by_settings = {(topic, seed): positions for topic, seed, positions in solutions}
    for trainer in there(TurnTrainer):
        given = trainer.state.position
        positions = by_settings[trainer.state.topic, trainer.seed] if given.topic else [ways_to_solve(given)]
        right["TurnTrainer"] += sum(map(len, positions))
        train(trainer, positions)
    for flash_cards in there(FlashCards):
        for _ in CARDS:
            answer(flash_cards)
            assert verdict(flash_cards).startswith("✓ Right."), (flash_cards.state.question, verdict(flash_cards))
            press(flash_cards, "next")
            right["FlashCards"] += 1
    for quiz in there(Quiz):
        for number, question in enumerate(quiz.questions):
            press(quiz, f"question-{number}-{question.right}")
            assert quiz.shown["say"].startswith("Right."), (question.words, quiz.shown["say"])
            right["Quiz"] += 1
    assert not [error for widget in there(View) for error in errors(widget)]
    return right


def train(trainer: TurnTrainer, positions: list[Ways]) -> None:
    assert trainer.state.number == 0
    for number, ways in enumerate(positions):
        where = trainer.state.topic, trainer.seed, number
        assert ways, where
        for way in ways:
            for key in way:
                # What can only be done in one way is done with the first click.
                if not trainer.state.solved:
                    assert key in trainer._controls, (where, way, sorted(trainer._controls))
                    press(trainer, key)
            assert trainer.shown["say"].startswith("Right."), (where, way, trainer.shown["say"])
            if "again" in trainer._controls:
                press(trainer, "again")
        if "next" in trainer._controls:
            press(trainer, "next")


# ---- The lesson, cell by cell ----


def run(client: BlockingKernelClient, source: str, cell: str = "") -> str:
    """Run this in the kernel, as JupyterLab runs a cell; what it prints. Raises AssertionError for an error."""
    content = {"code": source, "silent": False, "store_history": True, "user_expressions": {}, "allow_stdin": False}
    message = client.session.msg("execute_request", content, metadata={"cellId": cell} if cell else {})
    client.shell_channel.send(message)
    printed, error = "", ""
    while True:
        told = client.get_iopub_msg(timeout=120)
        if told["parent_header"].get("msg_id") != message["header"]["msg_id"]:
            continue
        if told["msg_type"] == "stream" and told["content"]["name"] == "stdout":
            printed += told["content"]["text"]
        elif told["msg_type"] == "error":
            error = "\n".join(told["content"]["traceback"])
        elif told["msg_type"] == "status" and told["content"]["execution_state"] == "idle":
            break
    client.get_shell_msg(timeout=60)
    assert not error, error
    return printed


@pytest.mark.slow
@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.stem)
def test_after_all_cells_in_any_order_every_right_answer_is_called_right(lesson: Path) -> None:
    cells = [cell for cell in json.loads(lesson.read_text("utf-8"))["cells"] if cell["cell_type"] == "code"]
    seed = LESSONS.index(lesson)
    in_order = list(range(len(cells)))
    at_random = Random(seed).sample(2 * in_order, 2 * len(cells))
    python_path = os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")])
    with run_kernel(cwd=str(NOTEBOOKS), env={**os.environ, "PYTHONPATH": python_path}) as client:
        done = []
        for number in in_order + at_random:
            done.append(number)
            try:
                run(client, "".join(cells[number]["source"]), cells[number]["id"])
            except AssertionError as error:
                pytest.fail(f"seed {seed}: code cell {number} fails after these: {done[:-1]}\n{error}")
        run(client, "import json, test_lessons_in_any_order as lessons_test")
        asked = json.loads(run(client, "print(json.dumps(lessons_test.trainers()))"))
        solutions = [(topic, seed, all_to_solve(topic, seed)) for topic, seed in asked]
        right = json.loads(run(client, f"print(json.dumps(lessons_test.solve_all({solutions!r})))"))
    used = "\n".join("".join(cell["source"]) for cell in cells)
    assert {kind for kind in right if right[kind]} == {kind for kind in right if re.search(rf"\b{kind}(\.of)?\(", used)}
