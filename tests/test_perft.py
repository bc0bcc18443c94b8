"""Perft: how many sequences of actions lead on from a fixed deal, for every number of decisions.

The counts hang on nearly every rule, so that a change in any of them shows. They are kept in `perft.json`, one line for
each deal: its rules, seed and dealer, and the counts for 1, 2, 3 ... decisions. To write them anew:

    python tests/test_perft.py --write
"""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from sakura import Round, Rules

FILE = Path(__file__).with_name("perft.json")

# Name: rules, seed, dealer, decisions.
DEALS: dict[str, tuple[Rules, int, int, int]] = {
    "two players": (Rules(players=2), 1, 0, 4),
    "three players": (Rules(players=3), 2, 1, 4),
    "four players": (Rules(players=4), 3, 3, 4),
    "five players": (Rules(players=5), 4, 2, 5),
    "six players": (Rules(players=6), 5, 0, 5),
    "seven players": (Rules(players=7), 6, 6, 5),
    "two players with ten cards": (Rules(players=2, hand=10), 7, 1, 4),
    "hiki": (Rules(players=2, hand=5, field=12), 56, 0, 4),
    "no hiki": (Rules(players=2, hand=5, field=12, hiki=False), 56, 0, 4),
    "sweep": (Rules(players=3, hand=4, field=8, lightning="sweep"), 2201, 0, 4),
    "claim": (Rules(players=3, hand=4, field=8, lightning="claim"), 2201, 0, 4),
    "plain": (Rules(players=3, hand=4, field=8, lightning="plain"), 2201, 0, 4),
    "lightning from the pile": (Rules(players=3, hand=3, field=10, lightning_from_pile=True), 2, 1, 4),
    "lightning from the hand alone": (Rules(players=3, hand=3, field=10), 2, 1, 4),
    "lightning discarded": (Rules(players=4, hand=3, field=12, lightning_dealt="discarded"), 62, 0, 4),
    "lightning dealt": (Rules(players=4, hand=3, field=12), 62, 0, 4),
    "four on the field": (Rules(players=6), 29, 2, 4),
    "dealt again": (Rules(players=6, four_on_field="redeal"), 29, 2, 4),
    "two teams of two": (Rules(players=4, teams=2), 6, 1, 4),
    "two teams of three": (Rules(players=6, teams=2, lightning="claim"), 17, 4, 5),
    "three teams of two": (Rules(players=6, teams=3), 40, 4, 5),
}

# Deals of few cards, played to the end in every way there is: also the sum of each side's scores over all those ways.
WHOLE_ROUNDS: dict[str, tuple[Rules, int, int]] = {
    "whole round": (Rules(players=2, hand=3, field=8), 4, 0),
    "whole round, bonus": (Rules(players=2, hand=3, field=8, yaku="bonus"), 4, 0),
    "whole round, claim": (Rules(players=2, hand=3, field=8, lightning="claim"), 4, 0),
    "whole round, sweep_all": (Rules(players=2, hand=3, field=8, lightning="sweep_all"), 4, 0),
    "whole round, plain": (Rules(players=2, hand=3, field=8, lightning="plain"), 4, 0),
    "whole round, five players": (Rules(players=5, hand=1, field=12, lightning_from_pile=True), 31, 3),
    "whole round, pile played out": (Rules(players=2, hand=2, field=24, play_out_pile=True), 30, 0),
    "whole round, pile left": (Rules(players=2, hand=2, field=24), 30, 0),
}


def perft(rnd: Round, decisions: int) -> int:
    """How many sequences of so many actions there are from here."""
    legal = rnd.legal_actions()
    if decisions == 1:
        return len(legal)
    count = 0
    for action in legal:
        rnd.apply_action(action)
        count += perft(rnd, decisions - 1)
        rnd.undo()
    return count


def play_out(rnd: Round, scores: list[int]) -> int:
    """How many ways there are to play to the end; adds the scores of each to `scores`."""
    if rnd.is_terminal:
        for side, score in enumerate(rnd.returns()):
            scores[side] += score
        return 1
    count = 0
    for action in rnd.legal_actions():
        rnd.apply_action(action)
        count += play_out(rnd, scores)
        rnd.undo()
    return count


def described(rules: Rules, seed: int, dealer: int) -> dict[str, Any]:
    return {"rules": rules.to_dict(), "seed": seed, "dealer": dealer}


def counted(name: str) -> dict[str, Any]:
    """The line of the file for a deal."""
    if name in DEALS:
        rules, seed, dealer, decisions = DEALS[name]
        counts = [perft(Round(rules, seed=seed, dealer=dealer), n) for n in range(1, decisions + 1)]
        return {"name": name, **described(rules, seed, dealer), "counts": counts}
    rules, seed, dealer = WHOLE_ROUNDS[name]
    scores = [0] * rules.sides
    ways = play_out(Round(rules, seed=seed, dealer=dealer), scores)
    return {"name": name, **described(rules, seed, dealer), "ways": ways, "scores": scores}


def per_first_move(name: str) -> str:
    """For each first move what follows it: where two engines differ, and so on down from there."""
    rules, seed, dealer, *decisions = DEALS.get(name) or WHOLE_ROUNDS[name]
    rnd = Round(rules, seed=seed, dealer=dealer)
    lines = [f"{name}: counted now for each first move"]
    for action in rnd.legal_actions():
        rnd.apply_action(action)
        scores = [0] * rules.sides
        count = perft(rnd, decisions[0] - 1) if decisions else play_out(rnd, scores)
        lines.append(f"{count:8}  {tuple(action)}" + (f"  scores {scores}" if not decisions else ""))
        rnd.undo()
    return "\n".join(lines)


STORED = {row["name"]: row for row in json.loads(FILE.read_text(encoding="utf-8"))} if FILE.exists() else {}
NAMES = [*DEALS, *WHOLE_ROUNDS]


def test_every_deal_is_stored_and_nothing_else() -> None:
    assert list(STORED) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_as_many_sequences_of_actions_as_stored(name: str) -> None:
    now = counted(name)
    if now != STORED[name]:
        pytest.fail(f"stored:  {STORED[name]}\ncounted: {now}\n{per_first_move(name)}")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("hiki", "no hiki"),
        ("sweep", "plain"),
        ("sweep", "claim"),
        ("lightning from the pile", "lightning from the hand alone"),
        ("lightning discarded", "lightning dealt"),
        ("four on the field", "dealt again"),
        ("whole round", "whole round, bonus"),
        ("whole round", "whole round, claim"),
        ("whole round", "whole round, sweep_all"),
        ("whole round", "whole round, plain"),
        ("whole round, pile played out", "whole round, pile left"),
    ],
)
def test_a_house_rule_shows_in_the_counts(one: str, other: str) -> None:
    assert STORED[one]["seed"] == STORED[other]["seed"]
    assert [v for k, v in STORED[one].items() if k in ("counts", "ways", "scores")] != [
        v for k, v in STORED[other].items() if k in ("counts", "ways", "scores")
    ]


def test_the_counts_per_first_move_add_up() -> None:
    for name in ("hiki", "whole round, plain"):
        counts = [int(line.split(maxsplit=1)[0]) for line in per_first_move(name).splitlines()[1:]]
        assert sum(counts) == (STORED[name]["counts"][-1] if name in DEALS else STORED[name]["ways"])


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit(__doc__)
    FILE.write_text("[\n" + ",\n".join(json.dumps(counted(name)) for name in NAMES) + "\n]\n", encoding="utf-8")
