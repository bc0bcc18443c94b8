"""`python -m sakura`: what it prints, where it fails, and Ctrl-C."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import sakura.stats
from sakura import Interrupted, Results, Rules, StrategyError
from sakura.__main__ import main
from strategies_for_tests import assert_same_rows, in_memory

ROOT = Path(__file__).parents[1]
COMMAND = [sys.executable, "-m", "sakura"]


def test_a_small_simulation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "rounds"
    options = "--players 4 --teams 2 --rounds 1_000 --agents random,greedy --seed 5 --rules wikipedia --quiet"
    assert main(["simulate", *options.split(), "--out", str(path)]) == 0
    (results,) = Results.scan(path)
    rules = Rules.preset("wikipedia", players=4, teams=2)
    assert_same_rows(sakura.simulate(1000, rules, ["random", "greedy"], 5, progress=False), results)
    assert results.rules == rules and results.agents == ("random", "greedy") * 2
    printed, errors = capsys.readouterr()
    assert printed.count("\n") == 1
    for word in (str(path), "1_000 rounds", "players=4", "teams=2", "random, greedy", "seed 5"):
        assert word in printed
    assert errors == ""


def test_a_folder_and_its_summary(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "rounds"
    for options in ("--rounds 100 --seed 5", "--rounds 50 --seed 5 --first 200", "--rounds 30 --seed 6"):
        assert main(["simulate", *options.split(), "--quiet", "--out", str(folder)]) == 0
    assert "180 rounds in 3 files, players=2, agents random, seeds 5, 6" in capsys.readouterr().out
    assert main(["summary", "--quiet", str(folder)]) == 0
    first, *lines = capsys.readouterr().out.splitlines()
    assert "180 rounds in 3 files" in first and "95%" in first
    rows = {line.split()[0]: line for line in lines[1:]}
    assert list(rows) == ["score", "points", "won", "tied", *(yaku.syllable for yaku in sakura.YAKU), "turns"]
    table = Results.scan(folder).summary().set_index(["measure", "side"])
    for measure in ("score", "Ro"):
        for side in (0, 1):
            assert str(sakura.stats.Estimate(*table.loc[(measure, side)])) in rows[measure]
    assert rows["turns"].count("[") == 1
    assert main(["summary", str(folder), str(tmp_path / "missing")]) == 1
    errors = capsys.readouterr().err
    assert "missing" in errors and errors.count("\n") == 1


def test_the_defaults(tmp_path: Path) -> None:
    assert main(["simulate", "--rounds", "10", "--out", str(tmp_path / "rounds"), "--quiet"]) == 0
    (results,) = Results.scan(tmp_path / "rounds")
    assert_same_rows(sakura.simulate(10, Rules(), "random", 0, progress=False), results)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--rounds 0", "rounds must be at least 1, got 0"),
        ("--rounds -5", "rounds must be at least 1, got -5"),
        ("--rounds 5 --players 8", "players must be 2 to 7, got 8"),
        ("--rounds 5 --players 1", "players must be 2 to 7, got 1"),
        ("--rounds 5 --teams 2", "2 players can form no teams, got teams=2"),
        ("--rounds 5 --players 6 --teams 4", "6 players can form 2 or 3 teams, got teams=4"),
        ("--rounds 5 --agents clever", "no agent is called 'clever'; there are 'random', 'greedy'"),
        ("--rounds 5 --agents random,", "no agent is called ''; there are 'random', 'greedy'"),
        ("--rounds 5 --agents random,random,greedy", "3 agents cannot be dealt out to 2 players; give 1 or 2"),
        ("--rounds 5 --rules tokyo", "preset must be one of 'hawaii', 'paradise', 'wikipedia', got 'tokyo'"),
        ("--rounds 5 --seed -1", "seed must be 0 to 9223372036854775807, got -1"),
        (f"--rounds 5 --seed {1 << 63}", "seed must be 0 to 9223372036854775807, got 9223372036854775808"),
    ],
)
def test_values_that_make_no_sense(
    arguments: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["simulate", *arguments.split(), "--out", str(tmp_path / "rounds")]) == 1
    printed, errors = capsys.readouterr()
    assert printed == ""
    assert errors.startswith(f"sakura: {message}") and errors.count("\n") == 1
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("simulate --rounds ten --out x", "argument --rounds: invalid int value: 'ten'"),
        ("simulate --rounds 1.5 --out x", "argument --rounds: invalid int value: '1.5'"),
        ("simulate --players two --rounds 5 --out x", "argument --players: invalid int value: 'two'"),
        ("simulate --out x", "the following arguments are required: --rounds"),
        ("simulate --rounds 5", "the following arguments are required: --out"),
        ("simulate --rounds 5 --out x --luck 7", "unrecognized arguments: --luck 7"),
        ("", "the following arguments are required: COMMAND"),
        ("play", "invalid choice: 'play'"),
    ],
)
def test_a_command_line_that_makes_no_sense(arguments: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(arguments.split())
    assert stopped.value.code == 2
    assert message in capsys.readouterr().err.splitlines()[-1]


def test_help_and_version(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, words in [
        (["--version"], [f"sakura {sakura.__version__}"]),
        (["--help"], ["simulate", "summary"]),
        (["summary", "--help"], ["95%", "folder"]),
        (["simulate", "--help"], ["--rounds", "--players", "--agents", "Ctrl-C", "wikipedia", "random or greedy"]),
    ]:
        with pytest.raises(SystemExit) as stopped:
            main(arguments)
        assert stopped.value.code == 0
        printed = capsys.readouterr().out
        assert all(word in printed for word in words)


def test_a_place_that_cannot_be_written_to(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "missing" / "rounds"
    assert main(["simulate", "--rounds", "5", "--out", str(path)]) == 1
    errors = capsys.readouterr().err
    assert errors.startswith(f"sakura: cannot write to {path}") and errors.count("\n") == 1


def test_rounds_of_another_kind(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "rounds"
    assert main(["simulate", "--rounds", "5", "--out", str(path)]) == 0
    before = sorted(os.listdir(path))
    capsys.readouterr()
    assert main(["simulate", "--rounds", "5", "--rules", "wikipedia", "--out", str(path)]) == 1
    errors = capsys.readouterr().err
    assert errors.startswith(f"sakura: {path}") and "does not go together" in errors and errors.count("\n") == 1
    assert sorted(os.listdir(path)) == before


@pytest.mark.parametrize(
    ("error", "status"),
    [(Interrupted("interrupted after 5 of 9 rounds"), 130), (KeyboardInterrupt(), 130), (StrategyError("lost"), 1)],
    ids=["in a simulation", "before or after", "strategy"],
)
def test_the_exit_status(
    error: BaseException,
    status: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("sakura.__main__.simulate", fail)
    try:
        assert main(["simulate", "--rounds", "5", "--out", str(tmp_path / "x")]) == status
    except KeyboardInterrupt:
        pytest.fail("Ctrl-C ends in a traceback")
    errors = capsys.readouterr().err
    assert errors.startswith("sakura: ") and errors.count("\n") == 1


def test_as_a_command_of_its_own(tmp_path: Path) -> None:
    command = [*COMMAND, "simulate", "--rounds", "5", "--players", "9", "--out", str(tmp_path / "x")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "sakura: players must be 2 to 7, got 9\n"


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is no signal to a single process there")
def test_ctrl_c_and_on_again(tmp_path: Path) -> None:
    rounds = 3_000_000
    wanted = sakura.simulate(rounds, Rules(players=7), "random", 3, progress=False)
    folder = tmp_path / "rounds"
    arguments = ["simulate", "--players", "7", "--rounds", str(rounds), "--seed", "3", "--out", str(folder), "--quiet"]
    # A process that was started in the background may have passed on that it ignores Ctrl-C.
    code = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from sakura.__main__ import main
sys.exit(main())
"""
    with subprocess.Popen(
        [sys.executable, "-c", code, *arguments], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        started = time.monotonic()
        while not list(folder.glob("*.parquet")):
            assert process.poll() is None, process.communicate()
            assert time.monotonic() - started < 90
            time.sleep(0.002)
        process.send_signal(signal.SIGINT)
        printed, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert printed == ""
    assert errors.startswith("sakura: interrupted after ") and errors.count("\n") == 1
    some = in_memory(Results.scan(folder))
    assert 0 < len(some) < rounds
    assert (some.captured == wanted.captured[: len(some)]).all()
    assert f"after {len(some):_} of 3_000_000 rounds" in errors

    assert main(arguments) == 0
    assert_same_rows(wanted, in_memory(Results.scan(folder)))
    assert not list(folder.glob("*.part"))
