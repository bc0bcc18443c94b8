"""Work that takes its time, done beside everything else, so that nothing has to wait for it."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import AbstractContextManager, nullcontext
from typing import TypeVar

Result = TypeVar("Result")


def begin(work: Callable[[], Result], turn: AbstractContextManager[object] | None = None) -> Future[Result]:
    """Do `work` in a thread of its own, when it is its `turn`, if it has not been cancelled by then.

    Where there are no threads, as in a browser's Python, it is done before this returns.
    """
    # No pool: the thread of one would keep Python from ending.
    done: Future[Result] = Future()

    def run() -> None:
        with turn or nullcontext():
            if not done.set_running_or_notify_cancel():
                return
            try:
                result = work()
            except BaseException as error:
                done.set_exception(error)
            else:
                done.set_result(result)

    try:
        threading.Thread(target=run, daemon=True).start()
    except RuntimeError:
        run()
    return done
