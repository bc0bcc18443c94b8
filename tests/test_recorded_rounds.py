"""Every recorded round, replayed decision by decision."""

import json
from pathlib import Path

import pytest

from sakura import Action, Round, Rules

RECORDED = [
    json.loads(line)
    for line in Path(__file__).with_name("recorded_rounds.jsonl").read_text(encoding="utf-8").splitlines()
]


def test_all_rounds_are_there() -> None:
    assert len(RECORDED) == 192


@pytest.mark.parametrize("recorded", RECORDED, ids=[r["name"] for r in RECORDED])
def test_replay(recorded: dict) -> None:
    rnd = Round(Rules(**recorded["rules"]), deck=recorded["deck"], dealer=recorded["dealer"])
    for step in recorded["steps"]:
        assert (rnd.current_player, rnd.phase) == (step["seat"], step["phase"])
        legal = rnd.legal_actions()
        assert sorted([a.kind, a.card, list(a.captures)] for a in legal) == step["legal"]
        kind, card, captures = step["chosen"]
        rnd.apply_action(Action(kind, card, tuple(captures)))
    assert rnd.is_terminal
    assert [sorted(cards) for cards in rnd.captured] == recorded["captured"]
    assert sorted(rnd.field) == recorded["field"]
    assert list(rnd.pile) == recorded["pile"]
    assert rnd.points() == recorded["points"]
    assert rnd.yaku() == recorded["yaku"]
    assert rnd.returns() == recorded["returns"]
