"""A strategy in a process of its own: whatever it does, whoever asks gets an answer or words, in time."""

import os
import re
import signal
import subprocess
import sys
import threading
import time

import cloudpickle
import psutil
import pytest

from sakura import Round
from sakura.agents import StrategyError, apart
from sakura.agents.apart import Apart

# As if the strategies here were a notebook's, which no other process could import.
cloudpickle.register_pickle_by_value(sys.modules[__name__])


@pytest.fixture
def asked():
    """Asks a strategy apart, and ends its process afterwards."""
    begun = []

    def ask(strategy, seconds=30.0):
        begun.append(Apart(strategy, seconds))
        return begun[-1]

    yield ask
    for one in begun:
        one.stop()


def last(obs, random):
    return len(obs.actions) - 1


class Counting:
    """Keeps something between its decisions."""

    def __init__(self):
        self.count = 0

    def __call__(self, obs, random):
        self.count += 1
        print(f"decision {self.count}")
        print("and an error", file=sys.stderr)
        os.system("echo from another program")
        return 0


def test_it_decides_as_in_place_and_keeps_what_it_keeps(asked):
    rnd = Round(seed=3)
    assert rnd.choose(asked(last)) == rnd.legal_actions()[-1]
    counting, mine = Counting(), asked(Counting())
    mine.strategy = counting
    for n in (1, 2):
        assert rnd.choose(mine) == rnd.legal_actions()[0]
        assert mine.printed == f"decision {n}\nand an error\nfrom another program"
    assert counting.count == 0, "here nothing has happened"


def test_a_lambda_and_a_closure_can_be_sent(asked):
    rnd = Round(seed=3)
    for strategy in (lambda obs, random: 1, (lambda wanted: lambda obs, random: wanted)(1)):
        assert rnd.choose(asked(strategy)) == rnd.legal_actions()[1]


class Odd(Exception):
    def __init__(self, one, two):
        self.lock = threading.Lock()

    def __str__(self):
        raise KeyboardInterrupt


def exits(obs, random):
    sys.exit()


def interrupts(obs, random):
    raise KeyboardInterrupt


def raises_what_cannot_be_shown(obs, random):
    raise Odd(1, 2)


def recurs(obs, random):
    return recurs(obs, random)


def fills_the_memory(obs, random):
    return len(bytearray(1 << 60))


def says_too_much(obs, random):
    raise ValueError("much " * 1_000_000)


def returns_half_a_character(obs, random):
    return "\udc80"


def reads(obs, random):
    return int(input())


def ends_itself(obs, random):
    os._exit(0)


def crashes(obs, random):
    os.kill(os.getpid(), signal.SIGSEGV)


LOCK = threading.Lock()


def holds_a_lock(obs, random):
    return int(LOCK.locked())


@pytest.mark.parametrize(
    ("strategy", "words"),
    [
        (exits, "exits raised SystemExit"),
        (interrupts, "interrupts raised KeyboardInterrupt"),
        (raises_what_cannot_be_shown, "raised"),
        (recurs, "recurs raised RecursionError"),
        (fills_the_memory, "raised MemoryError"),
        (says_too_much, "says_too_much raised ValueError: much much"),
        (returns_half_a_character, "it must return the index of one of obs.actions"),
        (reads, "reads raised EOFError"),
        (ends_itself, "ends_itself ended its process (status 0)"),
        pytest.param(
            crashes,
            "crashes crashed its process (SIGSEGV)",
            marks=pytest.mark.skipif(sys.platform == "win32", reason="other signals"),
        ),
        (holds_a_lock, "holds_a_lock cannot be sent to the process where it is to decide"),
    ],
)
def test_whatever_it_does_is_told_in_words_and_the_next_question_is_heard(asked, strategy, words):
    rnd, mine = Round(seed=3), asked(strategy)
    for _ in range(2):
        with pytest.raises(StrategyError, match=re.escape(words)) as told:
            rnd.choose(mine)
        assert len(str(told.value)) < 1000
        str(told.value).encode()


def swallows(obs, random):
    if hasattr(signal, "alarm"):
        signal.signal(signal.SIGALRM, signal.SIG_IGN)
        signal.alarm(1)
    print("I am at it.")
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass


def counts_for_ever(obs, random):
    return 10**10**9 and 0  # nothing else runs in Python meanwhile


def prints_for_ever(obs, random):
    while True:
        print("and on")


@pytest.mark.parametrize("strategy", [swallows, counts_for_ever, prints_for_ever])
def test_no_loop_outlasts_its_time(asked, strategy):
    rnd, mine = Round(seed=3), asked(strategy, seconds=0.5)
    began = time.monotonic()
    with pytest.raises(StrategyError, match=r"took more than 0\.5 seconds to decide"):
        rnd.choose(mine)
    assert time.monotonic() - began < 60
    assert strategy is not swallows or mine.printed == "I am at it."
    assert len(mine.printed) < 3000


def starts_slowly():
    time.sleep(2)
    return last


class Slow:
    def __reduce__(self):
        return starts_slowly, ()

    def __call__(self, obs, random):
        raise AssertionError


def test_the_start_does_not_count_against_the_first_decision(asked):
    rnd = Round(seed=3)
    assert rnd.choose(asked(Slow(), seconds=1.9)) == rnd.legal_actions()[-1]


def test_whoever_waits_can_stop_it(asked):
    mine, told = asked(swallows, seconds=600), []

    def wait():
        try:
            Round(seed=3).choose(mine)
        except StrategyError as error:
            told.append(str(error))

    waiting = threading.Thread(target=wait)
    waiting.start()
    time.sleep(0.5)
    mine.stop()
    waiting.join(60)
    assert told == ["swallows was stopped"]
    with pytest.raises(StrategyError, match="was stopped"):
        Round(seed=3).choose(mine)


def test_it_ends_with_the_program_that_asks_however_that_ends(tmp_path):
    path = tmp_path / "pid"
    script = f"""
import os, threading, time
from sakura import Round
from sakura.agents.apart import Apart

def endless(obs, random):
    with open({str(path)!r}, "w") as file:
        print(os.getpid(), file=file)
    while True:
        pass

threading.Thread(target=lambda: Round(seed=3).choose(Apart(endless)), daemon=True).start()
while not (os.path.exists({str(path)!r}) and os.path.getsize({str(path)!r})):
    time.sleep(0.05)
os._exit(1)
"""
    subprocess.run([sys.executable, "-c", script], timeout=120)
    assert gone(int(path.read_text()))


def gone(pid):
    """Whether a process has ended, or does so within some seconds."""
    until = time.monotonic() + 20
    while time.monotonic() < until:
        try:
            if psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
                return True
        except psutil.NoSuchProcess:
            return True
        time.sleep(0.1)
    return False


def test_where_there_are_no_processes_it_is_asked_in_place(monkeypatch):
    monkeypatch.setattr(apart, "HAS_PROCESSES", False)
    rnd, counting = Round(seed=3), Counting()
    mine = Apart(counting)
    assert rnd.choose(mine) == rnd.legal_actions()[0]
    assert counting.count == 1 and mine.printed == "decision 1\nand an error"
