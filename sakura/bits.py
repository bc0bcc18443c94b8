"""Bits and random numbers: the few primitives that compiled code replaces with machine instructions.

A card set is an integer with bit `i` set for card `i`; 48 bits fit a signed 64-bit machine word. `sakura.compiled`
gives `popcount`, `lowest`, `random63` and `siphash63` bodies of its own for numba; `tests/test_compiled.py` compares
them.
"""

_MASK = (1 << 64) - 1
# The step and the two multipliers of splitmix64 (Steele, Lea, Flood 2014).
SPLITMIX = (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB)

# What siphash begins with: "somepseudorandomlygeneratedbytes" (Aumasson, Bernstein 2012).
SIPHASH = (0x736F6D6570736575, 0x646F72616E646F6D, 0x6C7967656E657261, 0x7465646279746573)

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
    reached directly, which is why a round does not depend on the rounds before it. Each
    step can be undone: whoever has one number and its `n` has all others of the stream.
    """
    golden, first, second = SPLITMIX
    z = (key + (n + 1) * golden) & _MASK
    z = ((z ^ (z >> 30)) * first) & _MASK
    z = ((z ^ (z >> 27)) * second) & _MASK
    return (z ^ (z >> 31)) >> 1


def siphash63(first: int, second: int, block: int) -> int:
    """SipHash-2-4 under the key of two words, `first` and `second`: the upper 63 bits of its 64.

    For numbers that must not give away what they come from: whoever does not have the key learns nothing of it or of
    other numbers, short of trying out every key. `block` is a message of up to seven bytes, lowest first, their number
    in the eighth. All arguments are 0 <= x < 2**63.
    """
    a, b, c, d = SIPHASH
    a, b, c, d = a ^ first, b ^ second, c ^ first, d ^ second
    a, b, c, d = sip_round(*sip_round(a, b, c, d ^ block))
    a, c = a ^ block, c ^ 255
    for _ in range(4):
        a, b, c, d = sip_round(a, b, c, d)
    return (a ^ b ^ c ^ d) >> 1


def sip_round(a: int, b: int, c: int, d: int) -> tuple[int, int, int, int]:
    """One round of siphash on its four unsigned words."""
    a = (a + b) & _MASK
    c = (c + d) & _MASK
    b = (b << 13 | b >> 51) & _MASK ^ a
    d = (d << 16 | d >> 48) & _MASK ^ c
    a = (a << 32 | a >> 32) & _MASK
    c = (c + b) & _MASK
    a = (a + d) & _MASK
    b = (b << 17 | b >> 47) & _MASK ^ c
    d = (d << 21 | d >> 43) & _MASK ^ a
    c = (c << 32 | c >> 32) & _MASK
    return a, b, c, d


def pick(random: int, n: int) -> int:
    """Turn a number of `random63` into a choice 0 <= choice < n (n < 2**31; unequal by less than n / 2**32)."""
    return ((random >> 31) * n) >> 32
