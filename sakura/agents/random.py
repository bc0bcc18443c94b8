"""`random`: any legal action, each as likely as the others."""

from ..bits import pick, popcount, select
from ..engine import Observation, first_capture, second_capture, suits_of_two


def random_strategy(obs: Observation, random: int) -> int:
    """Any of the legal actions."""
    return pick(random, len(obs.actions))


def random_match(cards: int, field: int, random: int) -> tuple[int, int]:
    """The same choice as (card, captures), without a list of actions, where matching is all there is to it."""
    twos = suits_of_two(field)
    count = popcount(cards)
    n = pick(random, count + popcount(cards & twos))
    if n < count:
        card = select(cards, n)
        return card, first_capture(field, card, twos)
    card = select(cards & twos, n - count)
    return card, second_capture(field, card)
