"""`Results`: columns, tables, and files that are whole at every moment."""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

import sakura
from sakura import CARDS, YAKU, Results, Rules
from sakura.run import Run, Table, bytes_per_round
from strategies_for_tests import RULE_SETS, assert_same_rows, tires

SIMULATE = sys.modules["sakura.simulate"]


def simulate(rounds: int, rules: Rules | None = None, agents: Any = "greedy", seed: int = 0, **options: Any) -> Any:
    return sakura.simulate(rounds, rules, agents, seed, progress=False, **options)


# ---- Columns ----


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
def test_columns(rules: Rules) -> None:
    results = simulate(20, rules)
    assert len(results) == 20
    for name, dtype, shape in [
        ("scores", np.int16, (20, rules.sides)),
        ("captured", np.uint64, (20, rules.sides)),
        ("dealer", np.uint8, (20,)),
        ("yaku", np.uint8, (20, rules.sides)),
        ("turns", np.uint8, (20,)),
        ("yaku_turns", np.uint8, (0, rules.sides, 8)),
        ("points", np.int16, (20, rules.sides)),
        ("margins", np.int16, (20, rules.sides)),
    ]:
        column = getattr(results, name)
        assert (column.dtype, column.shape) == (dtype, shape), name
    assert (results.rules, results.agents, results.seed) == (rules, ("greedy",) * rules.players, 0)
    assert simulate(3, rules, yaku_turns=True).yaku_turns.shape == (3, rules.sides, 8)


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
def test_everything_follows_from_the_captured_cards(rules: Rules) -> None:
    results = simulate(40, rules, seed=5)
    for row in range(len(results)):
        piles = [set(sakura.cards_in(int(cards))) for cards in results.captured[row]]
        assert sum(map(len, piles)) == len(set().union(*piles)) <= 48
        points = [sum(CARDS[card].points for card in pile) for pile in piles]
        yaku = [[yaku.cards <= pile for yaku in YAKU] for pile in piles]
        held = [sum(each) for each in yaku]
        scores = [
            own + 50 * count if rules.yaku == "bonus" else own - 50 * (sum(held) - count)
            for own, count in zip(points, held, strict=True)
        ]
        assert results.points[row].tolist() == points
        assert results.scores[row].tolist() == scores
        assert [[results.has_yaku(k)[row, side] for k in range(8)] for side in range(rules.sides)] == yaku
        assert results.yaku[row].tolist() == [sum(1 << k for k in range(8) if each[k]) for each in yaku]
        best_other = [max(scores[:side] + scores[side + 1 :]) for side in range(rules.sides)]
        assert results.margins[row].tolist() == [own - other for own, other in zip(scores, best_other, strict=True)]


def test_has_captured() -> None:
    results = simulate(30)
    for card in range(48):
        wanted = [[card in sakura.cards_in(int(cards)) for cards in row] for row in results.captured]
        assert results.has_captured(card).tolist() == wanted
        assert results.has_captured(card).dtype == bool


@pytest.mark.parametrize("rules", [Rules(players=7), Rules(players=2)], ids=str)
def test_a_million_rounds_take_less_than_100_mb(rules: Rules) -> None:
    assert sum(column.nbytes for column in simulate(1000, rules).table) * 1000 < 100e6
    assert bytes_per_round(rules.sides, False) * 1_000_000 < 100e6


def test_repr_says_what_the_rounds_follow_from() -> None:
    words = repr(simulate(1000, Rules(players=4, teams=2, hiki=False), ["random", "greedy"], 77, dealer=3))
    for word in ("1_000 rounds", "players=4", "teams=2", "hiki=False", "random, greedy", "seed 77", "dealer 3"):
        assert word in words


def test_the_frame_is_tidy() -> None:
    results = simulate(50, Rules(players=6, teams=3), seed=2)
    frame = results.to_frame()
    syllables = [yaku.syllable for yaku in YAKU]
    assert list(frame) == ["round", "side", "dealer", "turns", "score", "points", "yaku", *syllables]
    assert len(frame) == 50 * 3
    assert not frame.duplicated(["round", "side"]).any()
    assert not frame.isna().any().any()
    pd.testing.assert_index_equal(frame.index, pd.RangeIndex(150))
    for row, side in ((0, 0), (17, 2), (49, 1)):
        (line,) = frame[(frame["round"] == row) & (frame["side"] == side)].to_dict("records")
        assert (line["dealer"], line["turns"]) == (results.dealer[row], results.turns[row])
        assert line["score"] == results.scores[row, side]
        assert line["points"] == results.points[row, side]
        assert [line[syllable] for syllable in syllables] == [bool(results.yaku[row, side] >> k & 1) for k in range(8)]
        assert line["yaku"] == sum(line[syllable] for syllable in syllables)
    assert all(frame[syllable].dtype == bool for syllable in syllables)


# ---- Files ----


@pytest.mark.parametrize("yaku_turns", [False, True])
@pytest.mark.parametrize("rules", [Rules(), Rules(players=7), Rules.preset("wikipedia", players=6, teams=2)], ids=str)
def test_save_and_load(rules: Rules, yaku_turns: bool, tmp_path: Path) -> None:
    results = simulate(100, rules, ["greedy"], seed=(1 << 63) - 1, dealer=1, yaku_turns=yaku_turns)
    results.save(tmp_path / "rounds.parquet")
    loaded = Results.load(str(tmp_path / "rounds.parquet"))
    assert_same_rows(results, loaded)
    assert loaded.run == results.run
    assert repr(loaded) == repr(results)
    assert [getattr(loaded, name).dtype for name in Table._fields] == [column.dtype for column in results.table]
    assert os.listdir(tmp_path) == ["rounds.parquet"]


def test_others_can_read_the_file(tmp_path: Path) -> None:
    results = simulate(100, yaku_turns=True)
    results.save(tmp_path / "rounds.parquet")
    frame = pd.read_parquet(tmp_path / "rounds.parquet")
    assert frame["round"].tolist() == list(range(100))
    assert (frame["score_1"] == results.scores[:, 1]).all()
    assert (frame["captured_0"].to_numpy() == results.captured[:, 0]).all()
    assert frame["captured_0"].dtype == np.uint64
    assert (frame[f"turn_{YAKU[1].syllable}_1"] == results.yaku_turns[:, 1, 1]).all()
    about = json.loads(pq.read_metadata(tmp_path / "rounds.parquet").metadata[b"sakura"])
    assert about["seed"] == 0 and about["rules"] == {"players": 2} and about["agents"] == ["greedy", "greedy"]
    assert about["version"] == sakura.__version__


def test_save_replaces_a_file(tmp_path: Path) -> None:
    path = tmp_path / "rounds.parquet"
    path.write_text("something else")
    results = simulate(10)
    results.save(path)
    assert_same_rows(results, Results.load(path))
    simulate(10, seed=1).save(path)
    assert Results.load(path).seed == 1


def test_files_that_are_not_ours(tmp_path: Path) -> None:
    path = tmp_path / "rounds.parquet"
    with pytest.raises(FileNotFoundError, match=r"rounds\.parquet"):
        Results.load(path)
    path.write_text("round,score\n0,50\n")
    with pytest.raises(ValueError, match=r"rounds\.parquet is damaged, was cut off, or is not a Parquet file"):
        Results.load(path)
    path.write_bytes(b"")
    with pytest.raises(ValueError, match=r"rounds\.parquet is empty, as a power cut may leave a file"):
        Results.load(path)
    simulate(1000).save(path)
    whole = path.read_bytes()
    for size in (len(whole) - 1, len(whole) // 2, 100, 8):
        path.write_bytes(whole[:size])
        with pytest.raises(ValueError, match=r"rounds\.parquet is damaged, was cut off, or is not a Parquet file"):
            Results.load(path)
    pd.DataFrame({"round": [0], "score_0": [3]}).to_parquet(path)
    with pytest.raises(ValueError, match=r"rounds\.parquet is damaged, or was not written by sakura\.simulate or"):
        Results.load(path)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"rules": {"players": 9}}, "players must be 2 to 7, got 9"),
        ({"rules": {"players": 2, "luck": 1}}, "no house rule is called 'luck'"),
        ({"rules": {"players": 3}}, "agents must have 3 entries, got 2"),
        ({"agents": [1, 2]}, "agents must be text, got 1"),
        ({"seed": "7"}, "seed must be a whole number, got '7'"),
        ({"dealer": False}, "dealer must be a whole number, got False"),
        ({"yaku_turns": 0}, "yaku_turns must be True or False, got 0"),
        ({"version": 2}, "version must be text, got 2"),
        ({"strategies": ""}, "strategies must be a list, got ''"),
        ({"luck": 1}, "it has 'luck', which means nothing here"),
    ],
    ids=range(10),
)
def test_files_with_a_description_that_makes_no_sense(
    changes: dict[str, Any], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, results = tmp_path / "rounds.parquet", simulate(5)
    described = {**results.run.to_dict(), **changes}
    monkeypatch.setattr(Run, "to_dict", lambda run: described)
    results.save(path)
    with pytest.raises(ValueError, match=rf"rounds\.parquet cannot be used: its description .* damaged: .*{message}"):
        Results.load(path)


def test_a_file_of_an_earlier_version_is_told_so(tmp_path: Path) -> None:
    path = tmp_path / "rounds.parquet"
    simulate(5).save(path)
    described = {b"sakura": b'{"format": "sakura rounds 2", "version": "0.1.0", "seed": 1}'}
    pq.write_table(pq.read_table(path).replace_schema_metadata(described), path)
    with pytest.raises(ValueError, match=r"rounds\.parquet is of an earlier version of sakura: play its rounds again"):
        Results.load(path)


@pytest.mark.parametrize("way", ["save", "out"])
def test_places_that_cannot_be_written_to(way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With `out` that shows before a round is played."""
    results = simulate(10)
    (tmp_path / "file").write_text("in the way")
    (tmp_path / "folder").mkdir()

    def never(*_: Any) -> None:
        raise AssertionError("a round was played")

    monkeypatch.setattr(SIMULATE, "play_chunk", never)
    monkeypatch.setattr(SIMULATE, "must_compile", lambda loop: False)
    for path in (tmp_path / "missing" / "rounds", tmp_path / "file" / "rounds", tmp_path / "folder"):
        if way == "out" and path.name == "folder":
            continue
        with pytest.raises(OSError, match=f"cannot write to {path}"):
            results.save(path) if way == "save" else simulate(10, out=path)
    assert sorted(os.listdir(tmp_path)) == ["file", "folder"]
    assert (tmp_path / "file").read_text() == "in the way"


@contextmanager
def small_files(size: int) -> Iterator[None]:
    """No file may grow beyond `size`: as near to a full disk as can be had without one."""
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))  # Python ignores the signal, so writing fails with EFBIG
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_full_disk_leaves_nothing_behind(tmp_path: Path) -> None:
    path = tmp_path / "rounds.parquet"
    with small_files(100_000), pytest.raises(OSError, match=rf"cannot write to {path}"):
        simulate(20_000).save(path)
    assert os.listdir(tmp_path) == []


def test_a_full_disk_leaves_an_earlier_file_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "rounds.parquet"
    simulate(1000).save(path)
    before = path.read_bytes()
    with small_files(len(before) // 2), pytest.raises(OSError, match=rf"cannot write to {path}"):
        simulate(1000, seed=2).save(path)
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["rounds.parquet"]


def test_a_strategy_that_fails_leaves_the_rounds_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SIMULATE, "SLOW_CHUNK", 10)
    folder = tmp_path / "rounds"
    with pytest.raises(sakura.StrategyError, match=r"done.*The work stopped after \d+ of 10_000 rounds, which are in"):
        simulate(10_000, agents=tires, out=folder)
    (kept,) = Results.scan(folder)
    assert 10 <= len(kept) < 10_000 and len(kept) % 10 == 0
    assert_same_rows(simulate(len(kept), agents=tires), kept)


def test_a_yaku_or_card_that_there_is_not_is_refused() -> None:
    results = sakura.simulate(10, seed=1, progress=False)
    for question, wrong in ((results.has_yaku, 8), (results.has_yaku, -1), (results.has_captured, 48)):
        with pytest.raises(ValueError, match=f"must be 0 to .*, got {wrong}"):
            question(wrong)


def test_nobody_can_write_into_the_results() -> None:
    results = sakura.simulate(10, seed=1, progress=False)
    for name in ("scores", "captured", "dealer", "yaku", "turns"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(results, name)[:] = 0
