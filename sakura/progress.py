"""The progress bar of long work, in a terminal and in a notebook."""

import os
from typing import Any

# What is done in less time, in seconds, shows none.
DELAY = 2


def bar(rounds: int, done: int = 0, show: bool = True, at_once: bool = False) -> Any:
    """tqdm's bar for so many rounds, `done` of which are done already. What is quick is over before it shows."""
    # Not at the top: in a notebook it brings the widgets with it.
    from tqdm.auto import tqdm

    return tqdm(
        total=rounds,
        initial=done,
        desc="rounds",
        unit=" rounds",
        unit_scale=True,
        leave=False,
        delay=0 if at_once else DELAY,
        # In a terminal tqdm heeds this variable itself, in a notebook it does not.
        disable=not show or bool(os.environ.get("TQDM_DISABLE")),
    )
