"""The random numbers that a strategy gets give away nothing: not the pack, nor what other seats get.

The strategies here attack. They undo `random63`, all of whose steps can be undone, and try out what they find.
"""

from collections.abc import Iterator

import pytest

import sakura
from sakura import Observation, Round, Rules, coach, engine
from sakura.bits import SEEDS, SPLITMIX, random63
from sakura.cards import card_set
from strategies_for_tests import deal_again

WORD = 1 << 64
# More numbers than a round reads of any stream.
NUMBERS = 120


def before_shift(word: int, shift: int) -> int:
    """What x was in word = x ^ x >> shift."""
    found = word
    for _ in range(64 // shift):
        found = word ^ found >> shift
    return found


def keys_behind(random: int) -> Iterator[tuple[int, int]]:
    """Every (key, n) with random63(key, n) == random and n < NUMBERS."""
    golden, first, second = SPLITMIX
    for lost_bit in range(2):
        word = before_shift(random << 1 | lost_bit, 31)
        word = before_shift(word * pow(second, -1, WORD) % WORD, 27)
        word = before_shift(word * pow(first, -1, WORD) % WORD, 30)
        for n in range(NUMBERS):
            key = (word - (n + 1) * golden) % WORD
            if key < SEEDS:
                yield key, n


def packs_behind(obs: Observation, random: int) -> list[list[int]]:
    """The packs shuffled by a stream that `random` may be of, which agree with what the seat sees."""
    state = [0] * engine.STATE_SIZE
    seen = sum({obs.hand, obs.field, obs.removed, *obs.captured})
    found = []
    for key, _ in keys_behind(random):
        engine.deal_from_key(state, obs.rules, key, obs.dealer, 48)
        pack = state[engine.DECK :]
        pile = card_set(pack[48 - obs.pile_size :])
        if not obs.hand & ~state[engine.HANDS + obs.seat] and not seen & pile:
            found.append(pack)
    return found


def test_the_attack_finds_what_there_is_to_be_found() -> None:
    assert (12345, 67) in keys_behind(random63(12345, 67))
    rnd = Round(Rules(players=3), seed=2**62 + 5)
    assert packs_behind(rnd.observation(1), random63(rnd.seed or 0, 49)) == [list(rnd.deck)]


@pytest.mark.parametrize("players", [2, 6])
def test_no_strategy_finds_the_pack(players: int) -> None:
    asked, found = 0, set()

    def attack(obs: Observation, random: int) -> int:
        nonlocal asked
        asked += 1
        found.update(map(tuple, packs_behind(obs, random)))
        return random % len(obs.actions)

    rules = Rules(players=players, four_on_field="redeal")
    sakura.simulate(6, rules, attack, seed=5, progress=False)
    match = sakura.Match(rules, seed=5, rounds=1)
    match.play(attack)
    packs = {match.round.deck, *(deal_again(rules, 5, number).deck for number in range(6))}
    # With few cards in sight a wrong pack may agree with them, too.
    assert asked > 100 and not found & packs


def test_what_a_seat_finds_out_says_nothing_of_other_seats() -> None:
    numbers: dict[int, list[int]] = {0: [], 1: []}

    def collect(obs: Observation, random: int) -> int:
        numbers[obs.seat].append(random)
        return 0

    sakura.simulate(1, agents=collect, seed=5, progress=False)
    # A seat does find out its own stream, which is no secret from it.
    first, *others = ({key for key, _ in keys_behind(random)} for random in numbers[0])
    streams = first.intersection(*others)
    readable = {random63(key, n) for key in streams for n in range(NUMBERS)}
    assert set(numbers[0]) <= readable and not set(numbers[1]) & readable


def test_the_coach_does_not_tell_the_seed() -> None:
    rnd = Round(seed=987654321)
    found = {key for key, _ in keys_behind(coach.advise(rnd, playouts=2).random)}
    found |= {key ^ what for key in found for what in (coach._ADVICE, coach._VALUES)}
    seeds = {key for number in found for key, _ in keys_behind(number % SEEDS)}
    assert not {rnd.seed} & (found | seeds)
