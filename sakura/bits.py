"""Bits and random numbers: the few primitives that compiled code replaces with machine instructions.

A card set is an integer with bit `i` set for card `i`; 48 bits fit a signed 64-bit machine word. `sakura.compiled`
gives `popcount`, `lowest` and `random63` bodies of its own for numba; `tests/test_compiled.py` compares the two.
"""

_MASK = (1 << 64) - 1
# The step and the two multipliers of splitmix64 (Steele, Lea, Flood 2014).
SPLITMIX = (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB)

# Seeds and random numbers are whole numbers below this.
SEEDS = 1 << 63


def popcount(x: int) -> int:
    """How many bits of `x` (0 <= x < 2**63) are set."""
    return x.bit_count()


def lowest(x: int) -> int:
    """The index of the lowest bit set in `x` (x > 0)."""
    return (x & -x).bit_length() - 1


def select(x: int, n: int) -> int:
    """The index of the bit number `n` (from 0, lowest first) among the bits set in `x`."""
    for _ in range(n):
        x &= x - 1
    return lowest(x)


def random63(key: int, n: int) -> int:
    """The `n`-th random number of the stream `key`, uniform over 0 <= r < 2**63.

    Splitmix64 read by position instead of in sequence: any number of any stream is
    reached directly, which is why a round does not depend on the rounds before it.
    """
    golden, first, second = SPLITMIX
    z = (key + (n + 1) * golden) & _MASK
    z = ((z ^ (z >> 30)) * first) & _MASK
    z = ((z ^ (z >> 27)) * second) & _MASK
    return (z ^ (z >> 31)) >> 1


def pick(random: int, n: int) -> int:
    """Turn a number of `random63` into a choice 0 <= choice < n (n < 2**31; unequal by less than n / 2**32)."""
    return ((random >> 31) * n) >> 32
