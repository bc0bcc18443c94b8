"""A round for every preset and number of players, written out decision by decision, to be read and to be compared.

A text in `playthroughs/` shows the table, then for each decision the field, what is legal and what happened, and last
the scores. `>` marks the choice: `greedy` plays the even seats, `random` the odd ones. To write them anew:

    python tests/test_playthroughs.py --write
"""

import sys
from pathlib import Path

import pytest

from sakura import Round, Rules
from sakura.cards import names
from sakura.rules import MAX_PLAYERS, MIN_PLAYERS, PRESETS

FOLDER = Path(__file__).with_name("playthroughs")

# A seed for 2, 3 ... 7 players, such that the rounds show what there is to see. "hawaii" and "wikipedia" play the same
# deals, so that the two can be compared.
SEEDS = {
    "hawaii": (58, 22, 86, 4, 38, 92),
    "paradise": (10, 82, 6, 20, 40, 53),
    "wikipedia": (58, 22, 86, 4, 38, 92),
}
PLAYERS = range(MIN_PLAYERS, MAX_PLAYERS + 1)
CASES = [(preset, players) for preset in PRESETS for players in PLAYERS]


def file_for(preset: str, players: int) -> Path:
    return FOLDER / f"{preset}_{players}.txt"


def played(preset: str, players: int) -> tuple[Round, str]:
    """The round, and its text."""
    seed = SEEDS[preset][PLAYERS.index(players)]
    rnd = Round(Rules.preset(preset, players=players), seed=seed, dealer=seed % players)
    text = [f"Preset {preset}: {rnd.rules}", f"Seed {rnd.seed}, dealer {rnd.dealer}", "", str(rnd), ""]
    text += map(str, rnd.log)
    while not rnd.is_terminal:
        seat = rnd.current_player
        agent = "random" if seat % 2 else "greedy"
        choice = rnd.choose(agent)
        text += [
            "",
            f"Decision {len(rnd.actions) + 1}: seat {seat} ({rnd.phase})",
            f"Field: {names(sorted(rnd.field))}",
        ]
        text += [f"{'>' if action == choice else ' '} {action}" for action in rnd.legal_actions()]
        seen = len(rnd.log)
        rnd.apply_action(choice)
        text += map(str, rnd.log[seen:])
    text += ["", str(rnd), "", f"Points {rnd.points()}, yaku {rnd.yaku()}, returns {rnd.returns()}"]
    return rnd, "\n".join(text) + "\n"


@pytest.mark.parametrize(("preset", "players"), CASES)
def test_the_round_is_played_as_it_is_written(preset: str, players: int) -> None:
    assert file_for(preset, players).read_text(encoding="utf-8") == played(preset, players)[1]


def test_there_is_a_text_for_every_preset_and_number_of_players_and_no_other() -> None:
    assert set(FOLDER.iterdir()) == {file_for(*case) for case in CASES}


@pytest.mark.parametrize(
    ("preset", "special"),
    [("hawaii", {"hiki", "swept"}), ("paradise", {"hiki", "swept"}), ("wikipedia", set())],
)
def test_the_texts_show_all_that_can_happen(preset: str, special: set[str]) -> None:
    rounds = [played(preset, players) for players in PLAYERS]
    happened = {event.kind for rnd, _ in rounds for event in rnd.log}
    always = {"dealt", "played", "turned up", "captured", "lightning took", "yaku completed", "round over"}
    assert happened == always | special
    assert any("(pile)" in text for _, text in rounds)
    claims = [
        event for rnd, _ in rounds for event in rnd.log if event.kind == "lightning took" and 43 not in event.cards
    ]
    assert bool(claims) == (preset == "wikipedia")


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit(__doc__)
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.iterdir():
        old.unlink()
    for case in CASES:
        file_for(*case).write_text(played(*case)[1], encoding="utf-8")
