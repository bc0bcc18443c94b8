"""`random`: any legal action, each as likely as the others."""

from ..bits import pick
from ..engine import Observation, Options, nth_option, option_count


def random_strategy(obs: Observation, random: int) -> int:
    """Any of the legal actions."""
    return pick(random, len(obs.actions))


def random_option(options: Options, random: int) -> tuple[int, int, int]:
    """The action (kind, card, captures) that `random_strategy` takes, without a list of them: for the hot loop."""
    return nth_option(options, pick(random, option_count(options)))
