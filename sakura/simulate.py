"""Many rounds: `simulate` plays them, on one core or through any executor, into memory or into a folder.

Row `k` depends on (seed, k, rules, agents) alone. Chunks, workers and machines change when it is played, never how.
"""

import operator
import os
import pickle
import time
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, overload

import numpy as np
import numpy.typing as npt

from .agents import (
    Agents,
    Strategy,
    StrategyError,
    ask,
    check_index,
    check_names,
    fingerprint,
    name_of,
    raised,
    resolve,
    seat_agents,
)
from .agents.built_in import number_of
from .bits import SEEDS, random63
from .checks import cut, shown, switch, whole
from .engine import ACTION_SIZE, NOBODY, SEAT, Choices, decision_random, observe
from .kernel import ACTION_COUNT, ANSWER, ASKED, ASKED_SEAT, COMPILED, ROW
from .machine import Machine, PlainMachine, compile_loop, has_numba, loops_of, machine, must_compile, prepare
from .parquet import RoundsFolder, alone
from .progress import bar
from .results import Results, Scan
from .rules import MAX_PLAYERS, Rules
from .run import Run, Table, bytes_per_round
from .version import __version__

if TYPE_CHECKING:
    from .tournament import Tournament

# Rounds in a chunk, between two looks at the progress bar and at Ctrl-C: a tenth of a second, or some tenths for an
# executor, which makes the cost of handing chunks over disappear.
CHUNK = 1 << 16
EXECUTOR_CHUNK = 1 << 18
# The same for strategies in plain Python, and for everything where numba is missing.
SLOW_CHUNK = 1 << 9

# Chunks handed to an executor before the first of them has to be done: enough to keep as many workers busy. Bounds the
# memory that results wait in.
CHUNKS_AHEAD = 64

# Seconds of silence after which an executor is asked whether it is still there, and after which the person is told.
PATIENCE = 5
SILENCE = 30

# So many deals are done in plain Python before numba would be loaded.
FEW_DEALS = 1000

# Results larger than this belong into a file.
MEMORY_LIMIT = 8 << 30


Result = TypeVar("Result")


class Interrupted(KeyboardInterrupt):
    """Ctrl-C in long work. `results` holds what was finished; None where that is in a file."""

    def __init__(self, message: str, results: "Results | Tournament | None" = None) -> None:
        super().__init__(message)
        self.results = results


class ExecutorError(RuntimeError):
    """An executor that gave up in the middle of the work. `results` as in `Interrupted`."""

    def __init__(self, message: str, results: "Results | Tournament | None" = None) -> None:
        super().__init__(message)
        self.results = results


# What ends long work before its time, and keeps what was finished.
STOPS = (KeyboardInterrupt, ExecutorError, StrategyError)


def unfinished(
    stopped: BaseException, what: str, results: "Results | Tournament | None" = None
) -> Interrupted | ExecutorError | StrategyError:
    """The error that says in `what` is done and where that is, after one of `STOPS`."""
    if isinstance(stopped, ExecutorError):
        return ExecutorError(f"{stopped}. The work stopped {what}", results)
    if isinstance(stopped, StrategyError):
        return StrategyError(f"{stopped}. The work stopped {what}", results, agent=stopped.agent)
    return Interrupted(f"interrupted {what}", results)


@dataclass(frozen=True)
class Job:
    """Everything that the rounds of a simulation follow from, in a form that other processes can be sent."""

    run: Run
    agents: tuple[str | Strategy, ...]

    def stream(self) -> int:
        """The random stream whose number `k` is the seed of round `k`."""
        return random63(self.run.seed, 0)

    def rotation(self) -> int:
        """The dealer as the kernel takes it."""
        return NOBODY if self.run.dealer is None else self.run.dealer


@overload
def simulate(
    rounds: int,
    rules: Rules | None = ...,
    agents: Agents = ...,
    seed: int = ...,
    *,
    first: int = ...,
    dealer: int | None = ...,
    yaku_turns: bool = ...,
    executor: Executor | None = ...,
    progress: bool = ...,
) -> Results: ...


@overload
def simulate(
    rounds: int,
    rules: Rules | None = ...,
    agents: Agents = ...,
    seed: int = ...,
    *,
    first: int = ...,
    dealer: int | None = ...,
    yaku_turns: bool = ...,
    executor: Executor | None = ...,
    progress: bool = ...,
    out: str | os.PathLike[str],
) -> Scan: ...


def simulate(
    rounds: int,
    rules: Rules | None = None,
    agents: Agents = "random",
    seed: int = 0,
    *,
    first: int = 0,
    dealer: int | None = None,
    yaku_turns: bool = False,
    executor: Executor | None = None,
    progress: bool = True,
    out: str | os.PathLike[str] | None = None,
) -> Results | Scan:
    """Play `rounds` rounds and return their `Results`; with `out`, write them into a folder and return its `Scan`.

    rules: two players by Hawaii's rules where none are given.
    agents: a name ("random", "greedy") or a strategy (`sakura.agents`); or several, dealt out to the seats in turn.
    seed: 0 <= seed < 2**63. Round `k` follows from seed, k, rules and agents alone, and is the same for k + 1 rounds.
    first: the number of the first round, which is row 0: several machines can share out the rounds of one seed.
    dealer: the seat that deals every round; None for a deal that passes on with every round.
    yaku_turns: note in which turn each yaku is completed (`Results.yaku_turns`).
    executor: any `concurrent.futures.Executor`, to play chunks of rounds in other threads, processes or machines.
    progress: show a bar when it takes long.
    out: a folder, which gets a Parquet file for every million rounds or 5 minutes. Rounds of the same run that are
        there already are read, and not played again. What is returned is `Results.scan` of the folder, with all that
        it holds. A strategy of your own is known again by its code and all that this reaches (`agents.identity`), and
        refused where it cannot be.

    A strategy may take any time for its decisions; Ctrl-C ends one that never answers.

    Raises ValueError or TypeError for arguments that make no sense, OSError where a file cannot be written;
    StrategyError where a strategy fails, Interrupted after Ctrl-C and ExecutorError where the executor fails: `out`, or
    the exception's `results`, then has the rounds that were finished, and the same call goes on from there.
    """
    rules = Rules() if rules is None else rules
    job = _checked_job(rounds, rules, agents, seed, dealer, yaku_turns, kept=out is not None)
    switch("progress", progress)
    rounds = operator.index(rounds)
    first = _checked_first(first, rounds)
    wanted = range(first, first + rounds)
    if out is not None:
        _check_out(out)
    # Before a file is opened: also refuses a compiled strategy that does not fit.
    seats(machine(), job)
    if executor is not None:
        check_executor(job, executor)
    if out is None:
        size = rounds * bytes_per_round(rules.sides, yaku_turns)
        if size > MEMORY_LIMIT:
            raise ValueError(
                f"{rounds:_} rounds need {size / 1e9:,.0f} GB of memory; give out='rounds' to write them to a folder, "
                f"or at most {MEMORY_LIMIT // bytes_per_round(rules.sides, yaku_turns):_} rounds"
            )
        return _into_memory(job, wanted, executor, progress)
    with alone(out):
        _into_folder(RoundsFolder(out, job.run, wanted, progress), job, wanted, executor, progress)
    return Results.scan(out)


def _into_memory(job: Job, wanted: range, executor: Executor | None, progress: bool) -> Results:
    table = Table.empty(len(wanted), job.run.rules.sides, job.run.yaku_turns)
    done = 0
    try:
        with closing(_chunks(job, wanted, [wanted], executor, progress)) as chunks:
            for _, chunk in chunks:
                table.enter(done, chunk)
                done += len(chunk.dealer)
    except STOPS as stopped:
        kept = f"after {done:_} of {len(wanted):_} rounds, which are in the exception's `results`"
        results = Results(job.run, table.head(done), wanted.start)
        raise unfinished(stopped, kept if done else "before any round was finished", results) from stopped.__cause__
    return Results(job.run, table, wanted.start)


def _into_folder(folder: RoundsFolder, job: Job, wanted: range, executor: Executor | None, progress: bool) -> None:
    try:
        with folder, closing(_chunks(job, wanted, folder.missing, executor, progress)) as chunks:
            for first, chunk in chunks:
                folder.append(first, chunk)
    except STOPS as stopped:
        what = "before any round was kept"
        if folder.done:
            kept = f"which are in {folder}; the same call goes on there"
            what = f"after {folder.done:_} of {len(wanted):_} rounds, {kept}"
        raise unfinished(stopped, what) from stopped.__cause__


def _chunks(
    job: Job, wanted: range, missing: Sequence[range], executor: Executor | None, progress: bool
) -> Generator[tuple[int, Table], None, None]:
    """The rounds that are missing of those wanted, in order, as chunks with the numbers of their first rounds."""
    slow = ASKED in seats(machine(), job)[0] or not has_numba()
    size = SLOW_CHUNK if slow else CHUNK if executor is None else EXECUTOR_CHUNK
    done = len(wanted) - sum(map(len, missing))
    with (
        progress_bar(len(wanted), done, progress, loops_for(job)) as shown,
        closing(in_order(executor, play_chunk, ((job, *part) for part in _cut(missing, size)))) as tables,
    ):
        for (first, count), table in zip(_cut(missing, size), tables, strict=True):
            yield first, table
            shown.update(count)


def _cut(stretches: Iterable[range], size: int) -> Iterator[tuple[int, int]]:
    """Stretches of rounds cut into chunks: the first round of each, and how many it has."""
    for rounds in stretches:
        for first in rounds[::size]:
            yield first, min(size, rounds.stop - first)


def in_order(
    executor: Executor | None, task: Callable[..., Result], parts: Iterable[tuple[Any, ...]]
) -> Generator[Result, None, None]:
    """The results of a task for the arguments `parts`, in their order, however they are worked on.

    Raises what the task does, but ExecutorError for what is the executor's fault.
    """
    if executor is None:
        for part in parts:
            yield task(*part)
        return
    waiting: deque[Future[Result]] = deque()
    try:
        for part in parts:
            waiting.append(_hand_over(executor, task, part))
            if len(waiting) == CHUNKS_AHEAD:
                yield _result(executor, waiting.popleft())
        while waiting:
            yield _result(executor, waiting.popleft())
    finally:
        for future in waiting:
            future.cancel()


def _hand_over(executor: Executor, task: Callable[..., Result], part: tuple[Any, ...]) -> "Future[Result]":
    try:
        return executor.submit(task, *part)
    except Exception as error:
        raise ExecutorError(f"the executor takes no more work: {cut(str(error), 300)}") from error


def _result(executor: Executor, future: "Future[Result]") -> Result:
    """What a task has returned, the next in line."""
    return _answer(executor, future)


def _answer(executor: Executor, future: "Future[Result]") -> Result:
    begun, told = time.monotonic(), False
    while not wait([future], PATIENCE).done:
        # A cluster whose client was closed may never answer, but then it takes no more work either.
        _hand_over(executor, int, ()).cancel()
        if not told and time.monotonic() - begun > SILENCE:
            told = True
            warnings.warn(
                f"still waiting for the {type(executor).__name__}: it took the work, and has not answered for "
                f"{SILENCE} seconds. Has it any workers left? Once it has, it goes on by itself; Ctrl-C ends the work "
                f"and keeps what is finished. (Slow strategies take their time, too.)",
                stacklevel=2,
            )
    try:
        return future.result()
    except StrategyError:
        raise
    except Exception as error:
        # Every library has its own errors for lost workers and closed connections.
        raise ExecutorError(
            f"the executor failed: {type(error).__name__}: {cut(str(error), 300)}".removesuffix(": ")
        ) from error


def play_chunk(job: Job, first: int, count: int) -> Table:
    """Play rounds `first` to `first + count - 1` of a job. Workers run this."""
    rules = job.run.rules
    if job.run.version != __version__:
        raise RuntimeError(f"this worker has sakura {__version__}, the rounds are to be those of {job.run.version}")
    _check_same(job)
    table = Table.empty(count, rules.sides, job.run.yaku_turns)
    here = machine()
    codes, strategies = seats(here, job)
    setting = (rules.numbers(), job.rotation(), codes, here.seats(strategies))
    state, actions, listed, where = here.scratch
    try:
        if ASKED in codes:
            _play_asking(here, job, first, count, setting, table)
        elif not here.play_rounds(job.stream(), first, count, *setting, state, actions, listed, where, *table):
            _refuse(job, where)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        # The kernel itself raises nothing: without a user's strategy this is not theirs to explain.
        if ASKED not in codes and COMPILED not in codes:
            raise
        raise _located(job, int(where[ASKED_SEAT]), first + int(where[ROW]), error) from error
    return table


def _play_asking(here: Machine, job: Job, first: int, count: int, setting: tuple[Any, ...], table: Table) -> None:
    """Play rounds side by side, asking the strategies that the machine cannot call itself."""
    rules = job.run.rules.numbers()
    _, actions, listed, where = here.scratch
    states, questions, counts, answers = here.batch(count)
    strategies = [resolve(agent) for agent in job.agents]
    for strategy in strategies:
        prepare(strategy)
    asked = list(range(count))
    while asked:
        if not here.play_to_questions(
            *(job.stream(), first, *setting, actions, listed, where, *table), states, questions, counts, answers
        ):
            _refuse(job, where)
        asked = [row for row in asked if counts[row]]
        # As Python numbers, all at once: one at a time, array elements are slow.
        longest = ACTION_SIZE * max(counts)
        seen, offered = np.asarray(states).tolist(), np.asarray(questions)[:, :longest].tolist()
        for row in asked:
            state = seen[row]
            choices = Choices(offered[row])[: counts[row]]
            seat = state[SEAT]
            where[ROW], where[ASKED_SEAT] = row, seat
            obs = observe(state, rules, seat, choices)
            answers[row] = ask(strategies[seat], obs, decision_random(state), state)


def _refuse(job: Job, where: Sequence[int]) -> None:
    """Raise the error for a compiled strategy whose answer was no index."""
    agent = job.agents[int(where[ASKED_SEAT])]
    check_index(name_of(agent), int(where[ANSWER]), int(where[ACTION_COUNT]))


def _located(job: Job, seat: int, number: int, error: BaseException) -> StrategyError:
    """The error of a strategy with the round and the seat added, in words that lead back to the position."""
    told = isinstance(error, StrategyError)
    what = str(error) if told else f"{name_of(job.agents[seat])} raised {raised(error)}"
    dealer = job.run.dealer
    dealer = number % job.run.rules.players if dealer is None else dealer
    return StrategyError(
        f"{what}. This was at seat {seat} in round {number} of seed {job.run.seed}; "
        f"sakura.Round(rules, seed={random63(job.stream(), number)}, dealer={dealer}) deals that round",
        agent=job.run.agents[seat],
    )


def seats(here: Machine, job: Job) -> tuple[tuple[int, ...], list[Strategy | None]]:
    """For each of seven seats the kernel's code for its agent; and the strategies that the machine calls itself."""
    codes: list[int] = []
    strategies: list[Strategy | None] = []
    for agent in job.agents:
        number = number_of(agent)
        if number is not None:
            codes.append(number)
            strategies.append(None)
        elif not isinstance(agent, str) and here.runs(agent):
            codes.append(COMPILED)
            strategies.append(agent)
        else:
            codes.append(ASKED)
            strategies.append(None)
    return (*codes, *[NOBODY] * (MAX_PLAYERS - len(codes))), strategies


# ---- Arguments ----


def _checked_job(
    rounds: int, rules: Rules, agents: Agents, seed: int, dealer: int | None, yaku_turns: bool, kept: bool = False
) -> Job:
    if not isinstance(rules, Rules):
        raise TypeError(f"rules must be sakura.Rules(...), got {shown(rules)}")
    whole("rounds", rounds, 1)
    switch("yaku_turns", yaku_turns)
    dealer = None if dealer is None else whole("dealer", dealer, 0, rules.players)
    seated = seat_agents(agents, rules)
    names = tuple(name_of(agent) for agent in seated)
    check_names(zip(names, seated, strict=True))
    strategies = fingerprints(seated, kept)
    return Job(Run(whole("seed", seed, 0, SEEDS), rules, names, dealer, yaku_turns, strategies=strategies), seated)


# Those that were taken in this process, of strategies as they are here.
_TAKEN: set[str] = set()


def fingerprints(agents: Sequence[str | Strategy], kept: bool = False) -> tuple[str, ...]:
    """A fingerprint of each agent, "" for one that has none; nothing at all where all are built in.

    kept: whether other rounds are to be told from theirs later; then ValueError for one that has none.
    """
    if all(isinstance(agent, str) for agent in agents):
        return ()
    found = []
    for agent in agents:
        try:
            found.append(fingerprint(agent))
        except ValueError as error:
            if kept:
                raise ValueError(f"{error}, or leave out= and keep the rounds in memory") from None
            found.append("")
    _TAKEN.update(found)
    return tuple(found)


def _check_same(job: Job) -> None:
    """RuntimeError where this process knows another strategy by the name that it was sent."""
    for agent, name, wanted in zip(job.agents, job.run.agents, job.run.strategies, strict=False):
        if wanted and wanted not in _TAKEN and fingerprint(agent) != wanted:
            raise RuntimeError(f"this worker has another {name}, perhaps an earlier one: start the workers anew")
        _TAKEN.add(wanted)


def _checked_first(first: int, rounds: int) -> int:
    # The numbers of the rounds are 64-bit ones.
    return whole("first", first, 0, max(1, SEEDS - rounds))


def _check_out(out: str | os.PathLike[str]) -> None:
    path = os.fspath(out)
    if not path or os.path.isfile(path) or Path(path).suffix == ".parquet":
        raise ValueError(
            f"out must be a folder for the rounds, got {shown(path)}; a single file is written by Results.save, as in "
            f"simulate(...).save('rounds.parquet')"
        )


def check_executor(job: Job, executor: Executor) -> None:
    """Other processes and machines can only run what they find under its name; say so before they die of the attempt.

    Raises TypeError, ValueError; ExecutorError where there is no answer, or no sakura.
    """
    if not isinstance(executor, Executor):
        raise TypeError(f"executor must be a concurrent.futures.Executor, got {shown(executor)}")
    if isinstance(executor, ThreadPoolExecutor):
        return
    # A task of Python's own, in which to miss sakura is an error like any other.
    _answer(executor, _hand_over(executor, pickle.loads, (pickle.dumps(play_chunk),)))
    for name, agent in zip(job.run.agents, job.agents, strict=True):
        if not isinstance(agent, str) and (why := _why_unseen(executor, agent)):
            raise ValueError(
                f"other processes cannot see {name}: put it, with what it uses, into a .py file and import it, where "
                f"they can import it, too (to those of dask client.upload_file sends it), or use a ThreadPoolExecutor "
                f"({why})"
            )


def _why_unseen(executor: Executor, agent: Strategy) -> str:
    """Why the processes of an executor cannot see an agent, if they cannot."""
    dumps: Callable[[object], bytes] = pickle.dumps
    if not isinstance(executor, ProcessPoolExecutor):
        # As clusters do, which send code as well. Without it nothing can be said.
        try:
            import cloudpickle
        except ImportError:
            return ""
        dumps = cloudpickle.dumps
    try:
        sent = dumps(agent)
    except Exception as error:
        return raised(error)
    return _answer(executor, _hand_over(executor, _why_unreadable, (sent,)))


def _why_unreadable(sent: bytes) -> str:
    """Why an agent that was sent here cannot be read, if it cannot. Workers run this."""
    try:
        pickle.loads(sent)
    except Exception as error:
        return raised(error)
    return ""


def loops_for(job: Job) -> tuple[str, ...]:
    """The compiled loops that a job needs, the one that plays its rounds first."""
    asks = ASKED in seats(machine(), job)[0]
    own = (loop for agent in job.agents if number_of(agent) is None for loop in loops_of(resolve(agent)))
    return tuple(dict.fromkeys(["play_to_questions" if asks else "play_rounds", *own]))


@contextmanager
def progress_bar(rounds: int, done: int, progress: bool, loops: Iterable[str]) -> Iterator[Any]:
    """A progress bar, on which the loops that the work needs are compiled first; for what is quick it does not show."""
    compiles = [loop for loop in loops if must_compile(loop)]
    with bar(rounds, done, progress, at_once=bool(compiles)) as shown:
        for loop in compiles:
            shown.set_description("compiling, once")
            compile_loop(loop)
            shown.set_description("rounds")
        yield shown


# ---- Deals ----


class Deals(NamedTuple):
    """What was dealt: `hands` uint64 (rounds, players) and `field` uint64 (rounds,), as card sets."""

    hands: npt.NDArray[np.uint64]
    field: npt.NDArray[np.uint64]


def deals(
    rounds: int, rules: Rules | None = None, seed: int = 0, *, first: int = 0, dealer: int | None = None
) -> Deals:
    """The deals of `simulate` with the same arguments, without playing the rounds.

    Four of a suit that the dealer took are no longer on the field. Tables of different rules get the same packs from
    the same seed: what is compared between them is paired, and is not independent.
    """
    rules = Rules() if rules is None else rules
    job = _checked_job(rounds, rules, "random", seed, dealer, False)
    size = 8 * (rules.players + 1) * rounds
    if size > MEMORY_LIMIT:
        raise ValueError(
            f"{rounds:_} deals need {size / 1e9:,.0f} GB of memory; there is room for {MEMORY_LIMIT * rounds // size:_}"
        )
    dealt = Deals(np.zeros((rounds, rules.players), np.uint64), np.zeros(rounds, np.uint64))
    here = PlainMachine() if rounds <= FEW_DEALS else machine()
    here.deal_rounds(
        job.stream(),
        _checked_first(first, rounds),
        rounds,
        rules.numbers(),
        job.rotation(),
        here.scratch[0],
        *dealt,
    )
    return dealt
