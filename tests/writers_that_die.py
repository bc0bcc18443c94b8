"""Two writers at a time on one folder, who know nothing of each other, and of whom some are killed.

`python tests/writers_that_die.py FOLDER LOCKS SEED` prints a line of JSON for each writer: its trial, whether it was
killed, and how it ended. LOCKS is "locks", or "none" for a file system that has none. After each trial all files are
read; they must have the rounds that anybody plays.
"""

import codecs
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import ExitStack, suppress
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

import sakura
from sakura import parquet

ROUNDS, PART_ROUNDS, DEATHS = 60_000, 4_000, 20
OTHER_USER = 12_345
# How a writer plays, and the rounds in its chunks: so the files of two writers end at different rounds.
KINDS = {"none": 1_000, "other": 1_500, "processes": 1_300, "dask": 700}


def simulate(folder: Path, executor: Executor | None = None) -> Any:
    return sakura.simulate(ROUNDS, sakura.Rules(players=3), "greedy", 5, out=folder, executor=executor, progress=False)


def no_lock(*_: object, **__: object) -> None:
    raise OSError("no locks available")


def write(folder: Path, kind: str, user: int) -> None:
    """What a writer does, as another user and with temporary files of its own, where there is another."""
    # As where a cluster gives each job a folder of its own.
    os.environ["TMPDIR"] = tempfile.tempdir = str(folder.with_name(f"temporary-{user}-{kind}"))
    os.makedirs(tempfile.tempdir, exist_ok=True)
    if user:
        os.chown(tempfile.tempdir, user, user)
        os.chdir("/")
        os.setgroups([])
        os.setgid(user)
        os.setuid(user)
    simulate_module = sys.modules["sakura.simulate"]
    simulate_module.CHUNK = simulate_module.EXECUTOR_CHUNK = KINDS[kind]  # type: ignore[attr-defined]
    parquet.PART_ROUNDS = PART_ROUNDS
    with ExitStack() as stack:
        executor: Executor | None = None
        if kind == "processes":
            executor = stack.enter_context(ProcessPoolExecutor(1, mp_context=get_context("fork")))
        elif kind == "dask":
            import distributed

            cluster = distributed.LocalCluster(1, processes=False, dashboard_address=None, silence_logs=50)
            executor = stack.enter_context(distributed.Client(stack.enter_context(cluster))).get_executor(pure=False)
        simulate(folder, executor)


def start(folder: Path, kind: str, user: int, report: Path) -> int:
    """A process of its own, forked, so that all is imported and compiled already."""
    process = os.fork()
    if process:
        return process
    os.setpgid(0, 0)
    try:
        write(folder, kind, user)
        report.write_text("done")
    except BaseException as error:
        report.write_text(f"{type(error).__name__}: {error}")
    finally:
        os._exit(0)


def trial(number: int, folder: Path, chance: random.Random) -> list[dict[str, Any]]:
    users = [0, OTHER_USER] if os.getuid() == 0 else [0, 0]
    kinds = chance.sample(list(KINDS), 2)
    reports = [folder.with_name(f"report-{number}-{writer}") for writer in range(2)]
    for report in reports:
        report.touch()
        report.chmod(0o666)
    started = [start(folder, *given) for given in zip(kinds, users, reports, strict=True)]
    # At least one dies, most of the time in the middle.
    condemned = set(chance.sample(range(2), chance.choice([1, 2])))
    delays = {writer: chance.uniform(0, 0.8) for writer in condemned}
    began = time.monotonic()
    for writer, delay in sorted(delays.items(), key=lambda item: item[1]):
        time.sleep(max(0, began + delay - time.monotonic()))
        try:
            os.kill(started[writer], signal.SIGKILL)
        except ProcessLookupError:
            continue
    found = []
    for writer, process in enumerate(started):
        _, status = os.waitpid(process, 0)
        with suppress(ProcessLookupError):
            # The processes of its pool, which outlive it.
            os.killpg(process, signal.SIGKILL)
        ended = reports[writer].read_text()
        killed = os.WIFSIGNALED(status)
        found.append({"trial": number, "kind": kinds[writer], "user": users[writer], "killed": killed, "ended": ended})
    return found


def main() -> None:
    folder, locks, seed = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    # Imported and compiled before anything is forked: the other user may not be able to.
    wanted = sakura.simulate(ROUNDS, sakura.Rules(players=3), "greedy", 5, progress=False)
    simulate(folder.with_name("warm"))
    codecs.lookup("ascii")
    import distributed  # noqa: F401
    import filelock

    lock = filelock.FileLock
    if locks == "none":
        filelock.FileLock = no_lock  # type: ignore[misc,assignment]
    chance = random.Random(seed)
    number = deaths = 0
    while deaths < DEATHS:
        number += 1
        if not folder.exists() or chance.random() < 0.5:
            # A new folder now and then; the others are gone on with.
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            folder.chmod(chance.choice([0o777, 0o1777]))
        for line in trial(number, folder, chance):
            print(json.dumps(line), flush=True)
            deaths += line["killed"]
        for file in sorted(folder.glob("*.parquet")):
            results = sakura.Results.load(file)
            part = wanted.table.rows(results.first, results.first + len(results))
            for found, there in zip(results.table, part, strict=True):
                np.testing.assert_array_equal(found, there, err_msg=str(file))
    filelock.FileLock = lock  # type: ignore[misc]
    # Elsewhere a lock of the other user is not trusted, and what is not finished is left alone.
    folder.chmod(0o777)
    scan = simulate(folder)
    assert len(scan) == sum(map(len, scan)) == ROUNDS
    assert not list(folder.glob(".*.part"))


if __name__ == "__main__":
    main()
