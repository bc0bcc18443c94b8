"""`Apart`: a strategy that is asked in a process of its own, where it can be stopped whatever it does.

What it prints is caught, what it breaks is its own, and no loop of it outlasts its time. It is no guard against ill
will: the process may do all that its user may.
"""

import contextlib
import faulthandler
import io
import json
import os
import pickle
import queue
import secrets
import signal
import subprocess
import sys
import threading
import weakref
from typing import Any, BinaryIO

from ..engine import Observation
from . import Strategy, StrategyError, ask, check_index, name_of, raised

SECONDS = 30.0
# To start, and to fetch all that the strategy uses: that is not counted against its first decision.
START_SECONDS = 120.0
# So many characters are kept of what it prints.
PRINTED = 2000
# A browser's Python has none.
HAS_PROCESSES = sys.platform not in ("emscripten", "wasi")

_MAIN = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from sakura.agents import apart; apart.serve()"


class Apart:
    """Asks `strategy` in a process of its own, which starts with the first decision and keeps what the strategy keeps.

    The process gets the strategy as it is then. Once it has ended, because of what the strategy did or because a
    decision took more than so many `seconds`, the next decision starts another one, with the strategy as it was at
    first.

    printed: what the strategy printed at the last decision; of much, the end.

    It may be asked in any thread, by whoever has its `turn`, and raises StrategyError as `ask` does: also where the
    strategy cannot be sent, ends its process, or takes too long. Where there are no processes it is asked in place.
    """

    def __init__(self, strategy: Strategy, seconds: float = SECONDS) -> None:
        self.strategy, self.seconds = strategy, seconds
        self.turn = threading.Lock()
        self.printed = ""
        self._process: _Process | None = None
        self._stopped = False

    @property
    def __name__(self) -> str:
        return name_of(self.strategy)

    def __call__(self, obs: Observation, random: int) -> int:
        self.printed = ""
        if not HAS_PROCESSES:
            return self._ask_here(obs, random)
        if self._process is None:
            self._process = _Process(self._packed())
        process = self._process
        if self._stopped:
            process.end()
        try:
            process.wait_until_ready()
            index = process.ask(pickle.dumps((self.seconds, obs, random)), self.seconds, "to decide")
        except _Ended as error:
            self._process = None
            why = "was stopped" if self._stopped else str(error)
            raise StrategyError(f"{self.__name__} {why}") from None
        finally:
            self.printed = process.printed()
        check_index(self.__name__, index, len(obs.actions))
        return index

    def stop(self) -> None:
        """End the process for good, whatever it is doing. Who waits for its answer is told so."""
        self._stopped = True
        if self._process:
            self._process.end()

    def _packed(self) -> bytes:
        import cloudpickle

        try:
            return bytes(cloudpickle.dumps(self.strategy))
        except Exception as error:
            raise StrategyError(
                f"{self.__name__} cannot be sent to the process where it is to decide: {raised(error)}"
            ) from None

    def _ask_here(self, obs: Observation, random: int) -> int:
        with io.StringIO() as out:
            try:
                with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
                    return ask(self.strategy, obs, random)
            finally:
                self.printed = _shortened(out.getvalue())


class _Ended(Exception):
    """The process has ended; the message says how, as what the strategy did."""


class _Process:
    """A process that serves one strategy, `packed` by cloudpickle."""

    def __init__(self, packed: bytes) -> None:
        # Stands in the output where an answer was given.
        mark = secrets.token_hex(16)
        self._popen = subprocess.Popen(
            [sys.executable, "-uPc", _MAIN, json.dumps(list(map(str, sys.path))), mark],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONIOENCODING": "utf-8:backslashreplace"},
            # Ctrl-C in the terminal is not meant for it; and all that it starts ends with it.
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        self._packed: bytes | None = packed
        self._late: str = ""
        self._heard: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._printed = ""
        threading.Thread(target=_hear, args=(self._popen, mark.encode(), self._heard), daemon=True).start()
        # Also when nobody asks it any more, and when Python ends.
        self.end = weakref.finalize(self, _kill, self._popen)

    def wait_until_ready(self) -> None:
        if self._packed is not None:
            self.ask(self._packed, START_SECONDS, "to start")
            self._packed = None

    def ask(self, question: bytes, seconds: float, what: str) -> int:
        """The answer. Raises StrategyError for one that says why there is none, _Ended where the process has ended."""
        popen = self._popen
        assert popen.stdin and popen.stdout

        def stop() -> None:
            self._late = f"took more than {seconds:g} seconds {what}"
            _kill(popen)

        timer = threading.Timer(seconds, stop)
        timer.daemon = True
        timer.start()
        line = b""
        try:
            with contextlib.suppress(OSError, ValueError):
                pickle.dump(question, popen.stdin)
                popen.stdin.flush()
                line = popen.stdout.readline()
        finally:
            timer.cancel()
        with contextlib.suppress(queue.Empty):
            self._printed += self._heard.get(timeout=1).decode(errors="replace")
        try:
            answer = json.loads(line)
        except ValueError:
            self.end()
            raise _Ended(self._late or _how(popen.returncode)) from None
        if "failed" in answer:
            raise StrategyError(_readable(answer["failed"]))
        return int(answer["index"])

    def printed(self) -> str:
        """What has been printed since this was asked last."""
        text, self._printed = self._printed, ""
        return _shortened(text)


def _hear(popen: "subprocess.Popen[bytes]", mark: bytes, heard: "queue.SimpleQueue[bytes]") -> None:
    """Take all that is printed out of the pipe, and pass on, for each answer, the end of what came before it."""
    assert popen.stdout and popen.stderr
    kept = b""
    with popen.stdout, popen.stderr:
        while chunk := os.read(popen.stderr.fileno(), 1 << 16):
            *before, kept = (kept + chunk).split(mark)
            for text in before:
                heard.put(text)
            # A character takes up to 4 bytes.
            kept = kept[-(4 * PRINTED + len(mark)) :]
        heard.put(kept)


def _shortened(text: str) -> str:
    text = _readable(text).replace("\r\n", "\n").strip("\n")
    return text if len(text) <= PRINTED else f"...{text[-PRINTED:]}"


def _readable(text: str) -> str:
    """Without halves of characters, which no page can show."""
    return text.encode(errors="replace").decode()


def _kill(popen: "subprocess.Popen[bytes]") -> None:
    """End a process and what it started."""
    if popen.poll() is None:
        with contextlib.suppress(OSError):
            if sys.platform == "win32":
                popen.kill()
            else:
                os.killpg(popen.pid, signal.SIGKILL)
    with contextlib.suppress(OSError):
        popen.stdin.close() if popen.stdin else None
    with contextlib.suppress(subprocess.TimeoutExpired):
        popen.wait(5)


def _how(status: int | None) -> str:
    """What a strategy did whose process ended with this status."""
    if status is None or status >= 0:
        return f"ended its process (status {status})"
    with contextlib.suppress(ValueError):
        return f"crashed its process ({signal.Signals(-status).name})"
    return f"crashed its process (signal {-status})"


# ---- In the process ----


def serve() -> None:
    """Answer what is asked on the standard input, until it ends."""
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    # From here on the strategy reads nothing, and all it prints goes where errors go.
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(2, 1)
    mark = sys.argv[2].encode()
    asked: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(questions, asked), daemon=True).start()
    strategy: Any = None
    while True:
        answer: dict[str, Any] = {"index": 0}
        try:
            given = pickle.loads(asked.get())
            if strategy is None:
                strategy = given
            else:
                seconds, obs, random = given
                # Should nobody be left who could stop it, this does, even in the middle of compiled code.
                faulthandler.dump_traceback_later(2 * seconds, exit=True, file=nowhere)
                answer = {"index": ask(strategy, obs, random)}
        except StrategyError as error:
            answer = {"failed": str(error)}
        except BaseException as error:
            what = "it cannot be had in the process where it is to decide:"
            answer = {"failed": f"{what if strategy is None else f'{name_of(strategy)} raised'} {raised(error)}"}
        faulthandler.cancel_dump_traceback_later()
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(BaseException):
                stream.flush()
        with contextlib.suppress(OSError):
            os.write(2, mark)
        answers.write(json.dumps(answer).encode() + b"\n")
        answers.flush()


def _listen(questions: BinaryIO, asked: "queue.SimpleQueue[bytes]") -> None:
    with contextlib.suppress(EOFError, OSError, pickle.UnpicklingError):
        while True:
            asked.put(pickle.load(questions))
    # Whoever asked is gone.
    if sys.platform != "win32":
        os.killpg(0, signal.SIGKILL)
    os._exit(0)
