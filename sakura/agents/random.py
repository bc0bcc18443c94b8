"""`random`: any legal action, each as likely as the others."""

from ..bits import lowest, pick, popcount, select
from ..engine import EVERY_SUIT, HIKI, LIGHTNING, Observation, Options, first_capture, second_capture, suit_of


def random_strategy(obs: Observation, random: int) -> int:
    """Any of the legal actions."""
    return pick(random, len(obs.actions))


def random_option(options: Options, random: int) -> tuple[int, int, int]:
    """The action (kind, card, captures) that `random_strategy` takes, without a list of them: for the hot loop."""
    kind, cards, field, twos, targets, hikis = options
    firsts = popcount(cards)
    seconds = popcount(cards & twos)
    wild = popcount(targets)
    n = pick(random, firsts + seconds + wild + popcount(hikis & EVERY_SUIT))
    if n < firsts:
        card = select(cards, n)
        return kind, card, first_capture(field, card, twos)
    n -= firsts
    if n < seconds:
        card = select(cards & twos, n)
        return kind, card, second_capture(field, card)
    n -= seconds
    if n < wild:
        return kind, LIGHTNING, 1 << select(targets, n)
    suit = suit_of(select(hikis & EVERY_SUIT, n - wild))
    return HIKI, lowest(cards & suit), field & suit
