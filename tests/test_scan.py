"""Rounds that are more than memory holds: folders of files, how they grow, and what is found in them."""

import errno
import os
import shutil
import stat
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

import sakura
from sakura import Interrupted, Results, Rules, parquet, stats
from sakura.run import Run
from strategies_for_tests import assert_same_rows, in_memory

SIMULATE = sys.modules["sakura.simulate"]
THREE = Rules(players=3)


def simulate(rounds: int, rules: Rules = THREE, agents: Any = "greedy", seed: int = 1, **options: Any) -> Any:
    return sakura.simulate(rounds, rules, agents, seed, progress=False, **options)


def files_of(folder: Path) -> list[str]:
    """What there is in a folder, but for the lock."""
    return sorted(name for name in os.listdir(folder) if name != ".sakura.lock")


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks, files and batches of few rounds, of sizes that do not fit each other."""
    monkeypatch.setattr(SIMULATE, "CHUNK", 70)
    monkeypatch.setattr(parquet, "PART_ROUNDS", 200)
    monkeypatch.setattr(parquet, "GROUP", 64)


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """The numbers of all rounds that are played, in order."""
    rounds: list[int] = []
    play = SIMULATE.play_chunk

    def noting(job: Any, first: int, count: int) -> Any:
        rounds.extend(range(first, first + count))
        return play(job, first, count)

    monkeypatch.setattr(SIMULATE, "play_chunk", noting)
    yield rounds


# ---- The rounds from a later one on ----


@pytest.mark.parametrize("agents", ["greedy", lambda obs, random: random % len(obs.actions)], ids=["greedy", "Python"])
def test_later_rounds_are_the_same(agents: Any) -> None:
    whole, later = simulate(100, agents=agents), simulate(60, agents=agents, first=40)
    assert_same_rows(whole, later, first=40)
    assert later.first == 40 and "60 rounds from round 40 on" in repr(later)
    assert later.to_frame()["round"].tolist() == np.repeat(np.arange(40, 100), 3).tolist()


def test_later_rounds_in_files(tmp_path: Path) -> None:
    simulate(20, first=40, out=tmp_path / "rounds")
    scan = simulate(60, first=40, out=tmp_path / "rounds")
    assert_same_rows(simulate(60, first=40), in_memory(scan))
    in_memory(scan).save(tmp_path / "again.parquet")
    assert pq.read_table(tmp_path / "again.parquet")["round"].to_pylist() == list(range(40, 100))
    assert Results.load(tmp_path / "again.parquet").first == 40


@pytest.mark.parametrize(("first", "error"), [(-1, ValueError), ((1 << 63) - 10, ValueError), (1.0, TypeError)])
def test_first_rounds_of_no_sense(first: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match="first must be"):
        simulate(10, first=first)
    assert len(simulate(10, first=(1 << 63) - 11)) == 10


# ---- A folder that grows ----


@pytest.mark.usefixtures("small")
def test_a_folder_holds_the_rounds_of_one_run(tmp_path: Path) -> None:
    folder = tmp_path / "rounds"
    scan = simulate(1000, out=str(folder), yaku_turns=True)
    assert repr(scan) == repr(Results.scan(folder))
    assert_same_rows(simulate(1000, yaku_turns=True), in_memory(scan))
    names = files_of(folder)
    assert names[:2] == [f"seed-1-rounds-{0:012}.parquet", f"seed-1-rounds-{140:012}.parquet"]
    assert len(names) == 7
    assert_same_rows(simulate(140, first=140, yaku_turns=True), Results.load(folder / names[1]))


@pytest.mark.usefixtures("small")
def test_only_what_is_missing_is_played(tmp_path: Path, played: list[int]) -> None:
    folder = tmp_path / "rounds"
    simulate(100, first=300, out=folder)
    simulate(10, first=950, out=folder)
    simulate(50, seed=2, out=folder)
    files = {file: file.read_bytes() for file in folder.iterdir()}
    played.clear()
    simulate(1000, out=folder)
    assert played == [*range(300), *range(400, 950), *range(960, 1000)]
    assert all(file.read_bytes() == content for file, content in files.items())
    played.clear()
    simulate(1000, out=folder)
    simulate(500, first=200, out=folder)
    assert played == []
    scan = Results.scan(folder)
    assert (len(scan), scan.seeds) == (1050, (1, 2))
    batches = list(scan)
    assert_same_rows(simulate(1000), in_memory([batch for batch in batches if batch.seed == 1]))
    assert_same_rows(simulate(50, seed=2), in_memory([batch for batch in batches if batch.seed == 2]))


def test_a_slow_run_is_kept_every_few_minutes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SIMULATE, "CHUNK", 10)
    clock = iter(range(0, 10**6, 100))
    monkeypatch.setattr(time, "monotonic", lambda: next(clock))
    simulate(100, out=tmp_path / "rounds")
    # The clock is looked at before each chunk, and when a file is begun.
    assert [len(Results.load(tmp_path / "rounds" / name)) for name in files_of(tmp_path / "rounds")] == [40, 40, 20]


@pytest.mark.usefixtures("small")
def test_ctrl_c_leaves_a_folder_to_go_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, play = tmp_path / "rounds", SIMULATE.play_chunk

    def interrupted(job: Any, first: int, count: int) -> Any:
        if first >= 350:
            raise KeyboardInterrupt
        return play(job, first, count)

    with monkeypatch.context() as patch:
        patch.setattr(SIMULATE, "play_chunk", interrupted)
        with pytest.raises(Interrupted, match=rf"after 350 of 1_000 rounds, which are in the folder {folder}"):
            simulate(1000, out=folder)
    assert_same_rows(simulate(350), in_memory(Results.scan(folder)))
    simulate(1000, out=folder)
    assert_same_rows(simulate(1000), in_memory(Results.scan(folder)))


@contextmanager
def full_disk(at: int) -> Iterator[None]:
    """The disk is full when the file after so many is written."""
    written = 0

    def fsync(descriptor: int) -> None:
        nonlocal written
        written += stat.S_ISREG(os.fstat(descriptor).st_mode)
        if written > at:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", fsync)
        yield


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("at", [3, 6], ids=["in the middle", "at the very end"])
def test_a_full_disk_costs_the_last_file_only(at: int, tmp_path: Path) -> None:
    folder, kept = tmp_path / "rounds", at * 140
    with (
        full_disk(at),
        pytest.raises(OSError, match=rf"cannot write to {folder}: No space left.*; {kept} of the rounds are kept"),
    ):
        simulate(1000, out=folder)
    assert len(files_of(folder)) == at
    assert_same_rows(simulate(kept), in_memory(Results.scan(folder)))
    simulate(1000, out=folder)
    assert_same_rows(simulate(1000), in_memory(Results.scan(folder)))


def test_a_file_that_cannot_take_its_place_is_not_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    folder = tmp_path / "rounds"
    with monkeypatch.context() as patch:
        patch.setattr(os, "link", refuse)
        patch.setattr(os, "rename", refuse)
        patch.setattr(os, "replace", refuse)
        with pytest.raises(OSError, match=rf"cannot write to {folder}.*Permission denied"):
            simulate(100, out=folder)
        with pytest.raises(OSError, match=rf"cannot write to {folder / 'a'}.*Permission denied"):
            simulate(100).save(folder / "a")
    assert files_of(folder) == []
    simulate(100, out=folder)
    assert_same_rows(simulate(100), in_memory(Results.scan(folder)))


KILLED = """
import os, signal, sys, sakura
from sakura import parquet
simulate = sys.modules["sakura.simulate"]
parquet.PART_ROUNDS, simulate.CHUNK = 200, 70
play = simulate.play_chunk
def killed(job, first, count):
    if first >= 560:
        os.kill(os.getpid(), signal.SIGKILL)
    return play(job, first, count)
simulate.play_chunk = killed
sakura.simulate(1000, sakura.Rules(players=3), "greedy", 1, progress=False, out=sys.argv[1])
"""


@pytest.mark.skipif(os.name == "nt", reason="needs signals")
def test_a_killed_process_loses_the_file_it_was_writing(tmp_path: Path, played: list[int]) -> None:
    folder = tmp_path / "rounds"
    ended = subprocess.run([sys.executable, "-c", KILLED, str(folder)], check=False)
    assert ended.returncode == -9
    assert len(Results.scan(folder)) == 420
    simulate(1000, out=folder)
    assert played == list(range(420, 1000))
    assert_same_rows(simulate(1000), in_memory(Results.scan(folder)))
    assert all(name.endswith(".parquet") for name in files_of(folder))


def test_ctrl_c_before_the_first_round(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(SIMULATE, "play_chunk", interrupted)
    with pytest.raises(Interrupted, match="interrupted before any round was kept"):
        simulate(1000, out=tmp_path / "rounds")
    assert files_of(tmp_path / "rounds") == []


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("where", ["fsync", "link", "unlink"])
def test_ctrl_c_while_a_file_is_written_costs_no_rounds(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where Python comes to notice it only after the file has its name."""
    does, calls = getattr(os, where), 0

    def interrupting(*args: Any, **options: Any) -> Any:
        nonlocal calls
        done = does(*args, **options)
        calls += 1
        if calls == 5:
            raise KeyboardInterrupt
        return done

    folder = tmp_path / "rounds"
    with monkeypatch.context() as patch:
        patch.setattr(os, where, interrupting)
        with pytest.raises(Interrupted) as stopped:
            simulate(1000, out=folder)
    done = len(Results.scan(folder))
    assert f"after {done} of 1_000 rounds" in str(stopped.value) and done % 140 in (0, 70) and done >= 140
    assert_same_rows(simulate(done), in_memory(Results.scan(folder)))
    assert all(name.endswith(".parquet") for name in files_of(folder))


@pytest.mark.usefixtures("small")
def test_an_error_that_is_not_of_writing_costs_no_rounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As where nobody reads the progress bar any more."""
    play = SIMULATE.play_chunk

    def failing(job: Any, first: int, count: int) -> Any:
        if first >= 350:
            raise BrokenPipeError
        return play(job, first, count)

    with monkeypatch.context() as patch:
        patch.setattr(SIMULATE, "play_chunk", failing)
        with pytest.raises(BrokenPipeError):
            simulate(1000, out=tmp_path / "rounds")
    assert_same_rows(simulate(350), in_memory(Results.scan(tmp_path / "rounds")))


def test_two_do_not_write_to_one_folder(tmp_path: Path) -> None:
    out = tmp_path / "rounds"
    with (
        parquet.alone(out),
        pytest.raises(BlockingIOError, match=rf"cannot write to {out}: another process does; give another path"),
    ):
        simulate(10, out=out)
    assert files_of(out) == []
    simulate(10, out=out)
    assert len(Results.scan(out)) == 10


def test_what_is_there_already_is_not_written_again(tmp_path: Path) -> None:
    folder = tmp_path / "rounds"
    simulate(100, out=folder)
    (before,) = (file.stat() for file in folder.glob("*.parquet"))
    simulate(60, out=folder)
    (after,) = (file.stat() for file in folder.glob("*.parquet"))
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_another_strategy_of_the_same_name_is_refused(tmp_path: Path) -> None:
    def first_card() -> Any:
        def mine(obs: sakura.Observation, random: int) -> int:
            return 0

        return mine

    def last_card() -> Any:
        def mine(obs: sakura.Observation, random: int) -> int:
            return len(obs.actions) - 1

        return mine

    out = tmp_path / "rounds"
    simulate(10, agents=first_card(), out=out)
    with pytest.raises(ValueError, match="other strategies of the names mine"):
        simulate(20, agents=last_card(), out=out)
    assert_same_rows(simulate(20, agents=first_card()), in_memory(simulate(20, agents=first_card(), out=out)))


def test_a_folder_of_other_rounds_is_refused_and_left_alone(tmp_path: Path, played: list[int]) -> None:
    folder = tmp_path / "rounds"
    simulate(10, out=folder)
    played.clear()
    for other, what in OTHER_WAYS:
        with pytest.raises(ValueError, match=rf"seed-1.*parquet does not go together with these rounds: it has {what}"):
            simulate(20, **other, out=folder)
    shutil.copy(next(folder.glob("*.parquet")), folder / "more.parquet")
    with pytest.raises(ValueError, match="overlap: rounds 0 to 9 of seed 1"):
        simulate(20, out=folder)
    (folder / "more.parquet").unlink()
    (folder / "notes.parquet").write_text("in the way")
    with pytest.raises(ValueError, match=r"notes\.parquet is damaged, was cut off, or is not a Parquet file"):
        simulate(20, out=folder)
    assert played == [] and len(files_of(folder)) == 2


# ---- What is found in files ----


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A folder with the rounds 0 to 299 and 500 to 599 of seed 1, and 0 to 99 of seed 2, as several runs left them."""
    simulate(300).save(tmp_path / "first.parquet")
    simulate(100, first=500).save(tmp_path / "a later one.parquet")
    simulate(100, seed=2).save(tmp_path / "0.parquet")
    return tmp_path


def everything() -> list[Results]:
    return [simulate(300), simulate(100, first=500), simulate(100, seed=2)]


def test_files_of_several_runs_are_put_together(files: Path) -> None:
    scan = Results.scan(files)
    assert len(scan) == 500
    assert (scan.rules, scan.agents, scan.seeds) == (THREE, ("greedy",) * 3, (1, 2))
    for batch, wanted in zip(scan, everything(), strict=True):
        assert (batch.run, batch.first) == (wanted.run, wanted.first)
        assert_same_rows(wanted, batch)
    assert repr(scan) == "<Scan: 500 rounds in 3 files, players=3, agents greedy, seeds 1, 2>"
    assert repr(Results.scan(files / "0.parquet")) == "<Scan: 100 rounds in 1 file, players=3, agents greedy, seed 2>"
    one_by_one = Results.scan(files / "0.parquet", str(files / "a later one.parquet"))
    assert len(one_by_one) == 200


def test_questions_get_the_intervals_of_all_rounds(files: Path) -> None:
    margins = np.concatenate([results.margins[:, 1] for results in everything()])
    scan = Results.scan(files)
    np.testing.assert_allclose(scan.mean(lambda results: results.margins[:, 1]), stats.mean(margins), rtol=1e-12)
    wins = scan.proportion(lambda results: results.margins[:, 1] > 0)
    assert wins == stats.proportion(int((margins > 0).sum()), 500)
    assert scan.mean(lambda results: results.margins[:, 1] / 3).value == pytest.approx(margins.mean() / 3)


def test_the_summary_has_the_digits_of_rounds_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "GROUP", 64)
    results = simulate(1000)
    results.save(tmp_path / "rounds.parquet")
    table = results.summary()
    pd.testing.assert_frame_equal(Results.scan(tmp_path).summary(), table, check_exact=True)
    found = table.set_index(["measure", "side"])
    for side in range(3):
        others = np.delete(results.scores, side, axis=1).max(axis=1)
        own = results.scores[:, side]
        for measure, wanted in {
            "score": stats.mean(own),
            "points": stats.mean(results.points[:, side]),
            "won": stats.proportion((own > others).sum(), 1000),
            "tied": stats.proportion((own == others).sum(), 1000),
            "Ro": stats.proportion(results.has_yaku(1)[:, side].sum(), 1000),
        }.items():
            np.testing.assert_allclose(found.loc[(measure, side)].astype(float), wanted, rtol=1e-12)
    (turns,) = table[table["measure"] == "turns"].to_dict("records")
    assert turns["value"] == pytest.approx(results.turns.mean()) and turns["n"] == 1000 and pd.isna(turns["side"])
    assert len(table) == 3 * 12 + 1


def test_memory_does_not_grow_with_the_rounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "GROUP", 1 << 14)
    scan = sakura.simulate(400_000, agents="random", out=tmp_path / "rounds", progress=False)
    next(iter(scan)).summary()
    tracemalloc.start()
    scan.summary()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 400_000 * sakura.run.bytes_per_round(2, False) / 3


def test_progress_is_shown_for_what_takes_long(
    files: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("TQDM_DISABLE", raising=False)
    monkeypatch.setattr(sakura.progress, "DELAY", 0)
    Results.scan(files).summary(progress=False)
    assert capfd.readouterr().err == ""
    Results.scan(files).summary()
    assert "/500 [" in capfd.readouterr().err
    # What is there already counts from the start.
    sakura.simulate(800, THREE, "greedy", 2, out=files)
    assert "12%" in capfd.readouterr().err


def test_questions_of_no_sense(files: Path) -> None:
    scan = Results.scan(files)
    with pytest.raises(ValueError, match=r"one value for each of 300 rounds, shape \(300,\), got shape \(300, 3\)"):
        scan.mean(lambda results: results.scores)
    with pytest.raises(ValueError, match="a proportion needs observations that are yes or no"):
        scan.proportion(lambda results: results.scores[:, 0])
    for answer in (np.nan, np.inf, None, "1", 1j):
        with pytest.raises(ValueError, match="the question must return a finite number, or yes or no, for each round"):
            scan.mean(lambda results, answer=answer: np.full(len(results), answer))


# ---- What does not go together ----

OTHER_WAYS: list[tuple[dict[str, Any], str]] = [
    ({"rules": Rules(players=3, hiki=False)}, r"rules players=3, not players=3, hiki=False"),
    ({"rules": Rules(players=4)}, r"rules players=3, not players=4"),
    ({"agents": "random"}, "agents greedy, greedy, greedy, not random, random, random"),
    ({"dealer": 1}, "dealer None, not 1"),
    ({"yaku_turns": True}, "yaku_turns False, not True"),
]


@pytest.mark.parametrize(("other", "what"), OTHER_WAYS, ids=range(len(OTHER_WAYS)))
def test_rounds_played_in_another_way_are_refused(files: Path, other: dict[str, Any], what: str) -> None:
    simulate(10, **{"seed": 0, **other}).save(files / "other.parquet")
    with pytest.raises(ValueError, match=rf"first\.parquet does not go together with .*: it has {what}"):
        Results.scan(files)


def test_rounds_of_another_version_are_refused(files: Path) -> None:
    results = simulate(10, seed=3)
    Results(Run(3, THREE, results.agents, version="0.0.9"), results.table).save(files / "old.parquet")
    with pytest.raises(ValueError, match=rf"old\.parquet does not go .* version 0\.0\.9, not {sakura.__version__}"):
        Results.scan(files)


@pytest.mark.parametrize(
    ("first", "rounds", "both"),
    [(0, 300, "0 to 299"), (299, 1, "299 to 299"), (100, 50, "100 to 149"), (450, 200, "500 to 599")],
)
def test_rounds_that_are_there_twice_are_refused(files: Path, first: int, rounds: int, both: str) -> None:
    simulate(rounds, first=first).save(files / "more.parquet")
    with pytest.raises(ValueError, match=rf"overlap: rounds {both} of seed 1 are in both") as refused:
        Results.scan(files)
    assert "more.parquet" in str(refused.value)


def test_neighbours_do_not_overlap(files: Path) -> None:
    simulate(200, first=300).save(files / "between.parquet")
    assert len(Results.scan(files)) == 700


def test_the_same_file_twice_is_refused(files: Path) -> None:
    with pytest.raises(ValueError, match="overlap: rounds 0 to 99 of seed 2"):
        Results.scan(files, files / "0.parquet")


# ---- What cannot be read ----


def test_nothing_to_scan(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=rf"{tmp_path} holds no rounds: there is no \.parquet file in this folder"):
        Results.scan(tmp_path)
    with pytest.raises(FileNotFoundError, match=r"missing: no such file or folder"):
        Results.scan(tmp_path / "missing")
    with pytest.raises(ValueError, match="give at least one file or folder"):
        Results.scan()


def test_a_truncated_file_is_named(files: Path) -> None:
    damaged = files / "first.parquet"
    damaged.write_bytes(damaged.read_bytes()[:-20])
    with pytest.raises(ValueError, match=r"first\.parquet is damaged, was cut off, or is not a Parquet file"):
        Results.scan(files)


def flip(path: Path, bit: int) -> None:
    content = bytearray(path.read_bytes())
    content[bit // 8] ^= 1 << bit % 8
    path.write_bytes(content)


def test_rounds_that_have_changed_on_the_disk_are_named(files: Path) -> None:
    damaged = files / "first.parquet"
    scores = pq.read_metadata(damaged).row_group(0).column(4)
    assert scores.path_in_schema == "score_0"
    flip(damaged, 8 * (scores.data_page_offset + scores.total_compressed_size - 30))
    scan = Results.scan(files)
    with pytest.raises(ValueError, match=r"first\.parquet is damaged: its rounds have changed"):
        scan.summary()
    with pytest.raises(ValueError, match=r"first\.parquet is damaged: its rounds have changed"):
        Results.load(damaged)


def assert_each_is_noticed(bits: Iterable[int], path: Path) -> None:
    """Each bit of a file, flipped on its own."""
    content = path.read_bytes()
    for bit in bits:
        flip(path, bit)
        with pytest.raises(ValueError, match=f"{path} is (damaged|of an earlier version)"):
            in_memory(Results.scan(path))
        path.write_bytes(content)
    assert in_memory(Results.scan(path))


def test_a_flipped_bit_in_what_says_where_things_are_is_noticed(tmp_path: Path) -> None:
    """Which no checksum of Parquet's is for."""
    path = tmp_path / "rounds.parquet"
    simulate(20).save(path)
    size = path.stat().st_size
    footer = pq.read_metadata(path).serialized_size + 8
    assert_each_is_noticed(map(int, np.random.default_rng(4).integers(8 * (size - footer), 8 * size, 300)), path)


@pytest.mark.slow
@pytest.mark.parametrize("yaku_turns", [False, True])
def test_a_flipped_bit_anywhere_is_noticed(yaku_turns: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "GROUP", 100)
    path = tmp_path / "rounds.parquet"
    simulate(250, seed=9, first=7, yaku_turns=yaku_turns).save(path)
    assert_each_is_noticed(map(int, np.random.default_rng(5).integers(0, 8 * path.stat().st_size, 5000)), path)


def test_rounds_that_another_program_has_changed_are_refused(files: Path) -> None:
    path = files / "first.parquet"
    described = pq.read_metadata(path).metadata
    table = pq.read_table(path).replace_schema_metadata({b"sakura": described[b"sakura"]})
    for changed in (table.take([1, 0, *range(2, 300)]), table.append_column("notes", table["round"]), table):
        pq.write_table(changed, path)
        for read in (Results.load, lambda path: Results.scan(path).summary(), lambda path: simulate(20, out=files)):
            with pytest.raises(
                ValueError, match=r"first\.parquet is damaged: what it says about its rounds has changed"
            ):
                read(path)


def test_a_file_that_was_replaced_is_noticed(files: Path) -> None:
    path = files / "first.parquet"
    for other in (simulate(400), simulate(300, agents="random")):
        simulate(300).save(path)
        scan = Results.scan(path)
        other.save(path)
        with pytest.raises(ValueError, match=r"first\.parquet was replaced by other rounds meanwhile: scan it again"):
            scan.summary()


def test_files_that_a_system_hides_are_left_out(files: Path) -> None:
    (files / "._first.parquet").write_bytes(b"what macOS notes about a file")
    (files / "folder.parquet").mkdir()
    assert len(Results.scan(files)) == 500


def test_a_file_without_rounds_is_no_hindrance(files: Path) -> None:
    nothing = Results(simulate(1).run, simulate(1).table.head(0))
    nothing.save(files / "nothing.parquet")
    assert len(Results.scan(files)) == 500


def test_a_folder_is_not_loaded(files: Path) -> None:
    with pytest.raises(IsADirectoryError, match=r"is a folder: Results\.scan reads it"):
        Results.load(files)


def test_files_name_their_seed(tmp_path: Path) -> None:
    """For those who read several of them with other tools."""
    for seed in (5, (1 << 63) - 1):
        simulate(10, seed=seed, out=tmp_path / "rounds")
    frame = pd.read_parquet(tmp_path / "rounds")
    found = {seed: rows["round"].tolist() for seed, rows in frame.groupby("seed")}
    assert found == {5: list(range(10)), (1 << 63) - 1: list(range(10))}


@pytest.mark.parametrize("out", ["", "rounds.parquet", Path("missing", "rounds.parquet"), Path(__file__)], ids=str)
def test_what_is_no_folder_is_refused_with_what_to_do(out: Any, played: list[int]) -> None:
    with pytest.raises(ValueError, match=r"out must be a folder for the rounds, .*Results\.save"):
        simulate(10, out=out)
    assert played == []
