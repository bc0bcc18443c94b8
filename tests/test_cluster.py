"""Rounds played by other processes, of which some die, and on a cluster: the same rounds, none lost."""

import functools
import importlib
import logging
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import sakura
from sakura import ExecutorError, Results, Rules, StrategyError
from sakura.simulate import Job, Run, play_chunk
from strategies_for_tests import assert_same_rows

distributed = pytest.importorskip("distributed")
SIMULATE = sys.modules["sakura.simulate"]
FOUR = Rules(players=4)
ROUNDS = 20_000

pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs signals")


def simulate(rounds: int = ROUNDS, agents: Any = "greedy", **options: Any) -> Any:
    return sakura.simulate(rounds, FOUR, agents, 7, **{"progress": False, **options})


@pytest.fixture(scope="module")
def wanted() -> Results:
    return simulate()


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    """A cluster of two worker processes on this machine."""
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=logging.ERROR
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


@pytest.fixture
def cluster(client: Any) -> Executor:
    return client.get_executor(pure=False)


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """So many chunks that they are not all handed out before something happens."""
    monkeypatch.setattr(SIMULATE, "EXECUTOR_CHUNK", 100)
    monkeypatch.setattr(SIMULATE, "CHUNKS_AHEAD", 8)


def after_chunks(chunks: int, happens: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> None:
    """Let something happen once so many chunks are there."""
    take, taken = SIMULATE._result, 0

    def counted(executor: Executor, future: Any) -> Any:
        nonlocal taken
        taken += 1
        if taken == chunks:
            happens()
        return take(executor, future)

    monkeypatch.setattr(SIMULATE, "_result", counted)


# ---- A cluster ----


def test_a_cluster_plays_the_same_rounds(cluster: Executor, wanted: Results) -> None:
    assert_same_rows(wanted, simulate(executor=cluster))


def test_a_cluster_plays_strategies_of_a_notebook(cluster: Executor) -> None:
    """Process pools cannot: the function is known to nobody but this process."""

    def dearest(obs: sakura.Observation, random: int) -> int:
        values = [sakura.points(action.captures) for action in obs.actions]
        return values.index(max(values))

    assert_same_rows(simulate(300, dearest), simulate(300, dearest, executor=cluster))


def test_a_module_that_a_cluster_lacks_is_named(
    client: Any, cluster: Executor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a task that they cannot read its workers die."""
    monkeypatch.syspath_prepend(tmp_path)
    file = tmp_path / "only_here.py"
    file.write_text("def play(obs, random): return 0")
    play = importlib.import_module("only_here").play
    for strategy in (play, functools.partial(play), lambda obs, random: play(obs, random)):
        with pytest.raises(ValueError, match=r"cannot see .*client\.upload_file.*No module named 'only_here'"):
            simulate(300, strategy, executor=cluster)
    assert len(client.scheduler_info()["workers"]) == 2
    client.upload_file(str(file))
    assert_same_rows(simulate(300, play), simulate(300, play, executor=cluster))


def test_a_strategy_that_fails_on_a_cluster_is_told(cluster: Executor) -> None:
    def fails(obs: sakura.Observation, random: int) -> int:
        raise LookupError("lost the thread")

    with pytest.raises(StrategyError, match=r"fails raised LookupError: lost the thread.*in round 0 of seed 7"):
        simulate(300, fails, executor=cluster)


def test_a_killed_worker_costs_no_rounds(
    client: Any, cluster: Executor, wanted: Results, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = set(client.run(os.getpid).values())
    after_chunks(20, lambda: os.kill(min(before), signal.SIGKILL), monkeypatch)
    (found,) = simulate(out=tmp_path / "rounds", executor=cluster)
    assert_same_rows(wanted, found)
    client.wait_for_workers(2, timeout=60)
    assert min(before) not in client.run(os.getpid).values()


def test_progress_is_shown_while_a_cluster_works(
    cluster: Executor, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("TQDM_DISABLE", raising=False)
    monkeypatch.setattr(sakura.progress, "DELAY", 0)
    shown = []
    after_chunks(150, lambda: shown.append(capfd.readouterr().err), monkeypatch)
    simulate(executor=cluster, progress=True)
    assert f"/{ROUNDS / 1000:.1f}k [" in shown[0]


def test_a_tournament_on_a_cluster(cluster: Executor) -> None:
    one, other = (sakura.tournament(["random", "greedy"], FOUR, 300, 7, executor=e) for e in (None, cluster))
    assert str(one) == str(other)


def test_a_worker_of_another_version_is_refused() -> None:
    job = Job(Run(7, FOUR, ("greedy",) * 4, version="0.0.9"), ("greedy",) * 4)
    with pytest.raises(RuntimeError, match=rf"this worker has sakura {sakura.__version__}, .* those of 0\.0\.9"):
        play_chunk(job, 0, 10)


# ---- Executors that give up ----


def test_a_pool_that_broke_leaves_a_folder_to_go_on_with(
    wanted: Results, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "rounds"
    with (
        ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool,
        monkeypatch.context() as patch,
    ):
        after_chunks(20, lambda: os.kill(next(iter(pool._processes)), signal.SIGKILL), patch)
        with pytest.raises(ExecutorError, match=rf"terminated abruptly.* rounds, which are in the folder {folder}"):
            simulate(executor=pool, out=folder)
    assert 1900 <= len(Results.scan(folder)) < ROUNDS
    simulate(out=folder)
    scan = Results.scan(folder)
    assert len(scan) == ROUNDS
    for batch in scan:
        assert_same_rows(Results(wanted.run, wanted.table.head(batch.first + len(batch))), batch, batch.first)


@pytest.mark.parametrize("cancel", [False, True])
def test_a_pool_that_is_shut_down_hands_over_what_is_done(
    cancel: bool, wanted: Results, monkeypatch: pytest.MonkeyPatch
) -> None:
    pool = ThreadPoolExecutor(1)
    after_chunks(20, lambda: pool.shutdown(wait=False, cancel_futures=cancel), monkeypatch)
    message = r"executor (failed: CancelledError|takes no more work: .*shutdown).* of 20_000 rounds, which are in"
    with pytest.raises(ExecutorError, match=message) as stopped:
        simulate(executor=pool)
    results = stopped.value.results
    assert isinstance(results, Results) and 1900 <= len(results) < ROUNDS
    assert_same_rows(Results(wanted.run, wanted.table.head(len(results))), results)
    assert f"after {len(results):_} of" in str(stopped.value)


def test_a_cluster_that_is_closed_hands_over_what_is_done(wanted: Results, monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        distributed.LocalCluster(1, processes=False, dashboard_address=":0", silence_logs=logging.CRITICAL) as cluster,
        distributed.Client(cluster) as client,
    ):
        after_chunks(20, client.close, monkeypatch)
        with pytest.raises(ExecutorError, match=r"the executor .* of 20_000 rounds") as stopped:
            simulate(executor=client.get_executor(pure=False))
    results = stopped.value.results
    assert isinstance(results, Results) and 1900 <= len(results) < ROUNDS
    assert_same_rows(Results(wanted.run, wanted.table.head(len(results))), results)


def test_an_executor_that_falls_silent_is_noticed(wanted: Results, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a cluster may, whose client is closed at a bad moment: what was handed over is never heard of again."""
    monkeypatch.setattr(SIMULATE, "PATIENCE", 0.1)

    class Silent(Executor):
        handed_over = 0

        def submit(self, task: Any, /, *arguments: Any, **options: Any) -> Any:
            self.handed_over += 1
            if self.handed_over > 31:
                raise RuntimeError("closed")
            future: Future[Any] = Future()
            # The first asks whether sakura is there.
            if self.handed_over <= 20:
                future.set_result(task(*arguments))
            return future

    with pytest.raises(ExecutorError, match=r"takes no more work: closed\. The work stopped after") as stopped:
        simulate(executor=Silent())
    results = stopped.value.results
    assert isinstance(results, Results) and len(results) == 1900
    assert_same_rows(Results(wanted.run, wanted.table.head(1900)), results)


def test_a_cluster_without_workers_is_told_of_and_goes_on(wanted: Results, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SIMULATE, "PATIENCE", 0.1)
    monkeypatch.setattr(SIMULATE, "SILENCE", 1)
    told: list[str] = []
    with (
        distributed.LocalCluster(1, processes=False, dashboard_address=":0", silence_logs=logging.CRITICAL) as cluster,
        distributed.Client(cluster) as client,
    ):
        cluster.scale(0)
        while client.scheduler_info()["workers"]:
            time.sleep(0.1)

        def warned(text: str, **_: Any) -> None:
            told.append(text)
            cluster.scale(1)

        monkeypatch.setattr(SIMULATE, "warnings", SimpleNamespace(warn=warned))
        assert_same_rows(wanted, simulate(executor=client.get_executor(pure=False)))
        assert len(client.scheduler_info()["workers"]) == 1
    assert len(told) == 1
    assert told[0].startswith("still waiting for the ClientExecutor: it took the work, and has not answered for 1 sec")


def test_a_tournament_hands_over_what_is_done_before_its_executor_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["sakura.tournament"], "SECONDS", 0)
    pool = ThreadPoolExecutor(1)
    after_chunks(3, pool.shutdown, monkeypatch)
    with pytest.raises(ExecutorError, match=r"The work stopped after \d+ of 300 deals, which are in") as stopped:
        sakura.tournament(["random", "greedy"], FOUR, 300, 7, executor=pool)
    found: Any = stopped.value.results
    assert str(found) == str(sakura.tournament(["random", "greedy"], FOUR, found.deals, 7))
