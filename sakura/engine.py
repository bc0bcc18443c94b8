"""The rule book: deal, legal actions, what an action does, the end, the score.

Every rule of a round is enforced here and nowhere else. The code is plain Python over integers, so that the same
functions serve the round a person plays, where they run as they stand, and the millions of a simulation, where
`sakura.compiled` hands them to numba. The sources are those of `sakura.rules`; where all of them leave something open,
a docstring says what is *our reading*.

The state of a round is one flat sequence of integers: a list in plain Python, an int64 array in compiled code. The
constants below name its places. Hands, captured piles and the field are card sets (`sakura.cards`).
"""

from collections.abc import MutableSequence, Sequence
from typing import Any, NamedTuple

from .bits import lowest, popcount, random63, select, siphash63
from .cards import DECK_SIZE, POINT_CARDS, POINT_SETS, card_set, points
from .rules import CLAIM, MAX_PLAYERS, PLAIN, SWEEP, SWEEP_ALL, RuleNumbers
from .yaku import YAKU_POINTS, completed

State = MutableSequence[int]
Actions = MutableSequence[int]

CHANCE = 0  # for each seat the random stream that its strategy gets numbers of
HANDS = CHANCE + MAX_PLAYERS  # a card set for each seat
CAPTURED = HANDS + MAX_PLAYERS  # a card set for each seat
FIELD = CAPTURED + MAX_PLAYERS
REMOVED = FIELD + 1  # a Lightning discarded at the start
DEALER = REMOVED + 1
SEAT = DEALER + 1  # whose turn it is
TURN = SEAT + 1  # how many turns are over
DECISION = TURN + 1  # how many decisions have been made
PHASE = DECISION + 1
TURNED_UP = PHASE + 1  # the pile card that awaits a choice, or NOBODY
TOP = TURNED_UP + 1  # how many cards have left the deck
LIGHTNING_SEAT = TOP + 1  # who took a card of another suit with the Lightning, or NOBODY
ODD_SUIT = LIGHTNING_SEAT + 1  # suit (0 to 11) of that card; NOBODY before, and once the claim on it is used up
DECK = ODD_SUIT + 1  # the 48 ids, top first
STATE_SIZE = DECK + DECK_SIZE

NOBODY = -1

# What the second half of a key of `siphash63` says: what the numbers are for.
STRATEGIES = 1

# Phases. In the first two a seat decides; in the next two `advance` goes on by itself.
HAND, PILE, TURN_UP_DUE, TURN_OVER, OVER = range(5)

# Kinds of action.
PLAY, HIKI, TURN_UP = range(3)

# A list of actions is flat, ACTION_SIZE numbers an action: kind, card, card set captured from the field.
ACTION_SIZE = 3
# No position has more actions: two for each card, one for each target of the Lightning, one for each hiki.
MAX_ACTIONS = 3 * DECK_SIZE

SUIT_SIZE = 4
EVERY_SUIT = (1 << DECK_SIZE) // 15  # the lowest card of every suit
EVERY_PAIR = (1 << DECK_SIZE) // 3
EVERY_TWO = EVERY_SUIT * 3

LIGHTNING = 43
LIGHTNING_SET = 1 << LIGHTNING
WILLOW = 15 << (LIGHTNING // SUIT_SIZE * SUIT_SIZE)


# ---- Suits and matches: what the deck's other games share ----


def suit_of(card: int) -> int:
    """The card set of the whole suit of a card."""
    return 15 << (card // SUIT_SIZE * SUIT_SIZE)


def whole_suits(cards: int) -> int:
    """The suits of which a card set holds all four cards, as the card set of those suits."""
    return (cards & cards >> 1 & cards >> 2 & cards >> 3 & EVERY_SUIT) * 15


def suits_of(cards: int) -> int:
    """The suits of which a card set holds any card, as the card set of those suits."""
    return ((cards | cards >> 1 | cards >> 2 | cards >> 3) & EVERY_SUIT) * 15


def suits_of_two(cards: int) -> int:
    """The suits of which a card set holds exactly two cards, as the card set of those suits."""
    pairs = (cards & EVERY_PAIR) + (cards >> 1 & EVERY_PAIR)
    counts = (pairs & EVERY_TWO) + (pairs >> 2 & EVERY_TWO)
    return (counts >> 1 & ~counts & EVERY_SUIT) * 15


def first_capture(field: int, card: int, twos: int) -> int:
    """What a card captures: nothing, the one match, the lower of two, or all three. `twos` is suits_of_two(field)."""
    matches = field & suit_of(card)
    return matches & -matches if twos >> card & 1 else matches


def second_capture(field: int, card: int) -> int:
    """What else a card may capture where two match: the higher of them."""
    matches = field & suit_of(card)
    return matches & (matches - 1)


# ---- The deal ----


def shuffle(state: State, key: int, count: int) -> None:
    """Shuffle the deck by the random stream `key`, fairly in its first `count` places; later ones hold the rest.

    Fair, but no cipher: five cards that were dealt in a row leave some 2**37 streams to try out.
    """
    for place in range(DECK_SIZE):
        state[DECK + place] = place
    mix(state, key, 0, count)


def mix(state: State, key: int, first: int, count: int) -> None:
    """Mix the deck from place `first` on by the random stream `key`, fairly in its next `count` places.

    Forward Fisher-Yates, so that a longer shuffle begins with the shorter one. Five choices are read off 57 random
    bits as the digits of a mixed-radix fraction; their product stays below 2**28, so no choice is off by 2**-29.
    """
    fraction = 0
    for n in range(count):
        if n % 5 == 0:
            fraction = random63(key, n // 5) >> 6
        place = first + n
        fraction *= DECK_SIZE - place
        other = place + (fraction >> 57)
        fraction &= (1 << 57) - 1
        card = state[DECK + other]
        state[DECK + other] = state[DECK + place]
        state[DECK + place] = card


def used_cards(rules: RuleNumbers) -> int:
    """How many cards of the deck a round can come to use: the dealt ones, and one of the pile for every turn."""
    dealt = rules.players * rules.hand + rules.field
    if rules.play_out_pile:
        return DECK_SIZE
    return min(DECK_SIZE, dealt + rules.players * rules.hand)


def packet(rules: RuleNumbers, dealer: int, half: int, n: int) -> tuple[int, int]:
    """Packet number `n` of the pass `half`, both from 0: the place of the state it goes to, and how many cards it has.

    In each of two passes (WP) the field gets half of its cards, then each hand in order of play after the dealer, who
    comes last, half of its own: `players + 1` packets. Smaller halves go first. That packets are whole and the dealer
    comes last are our readings.
    """
    if n == 0:
        return FIELD, (rules.field + half) // 2
    seat = dealer + n
    return HANDS + (seat if seat < rules.players else seat - rules.players), (rules.hand + half) // 2


def take_packet(state: State, size: int) -> int:
    """Take `size` cards off the top of the deck, as a card set."""
    cards = 0
    top = state[TOP]
    for place in range(top, top + size):
        cards |= 1 << state[DECK + place]
    state[TOP] = top + size
    return cards


def deal(state: State, rules: RuleNumbers, dealer: int) -> None:
    """Deal the deck, packet by packet.

    A Lightning that is discarded goes before anyone looks for four of a suit: our reading. Afterwards `needs_redeal`
    tells whether the table would deal again.
    """
    for place in range(HANDS, DECK):
        state[place] = 0
    state[DEALER] = dealer
    for half in range(2):
        for n in range(rules.players + 1):
            place, size = packet(rules, dealer, half, n)
            state[place] |= take_packet(state, size)
    if rules.lightning_discarded and state[FIELD] & LIGHTNING_SET:
        state[FIELD] ^= LIGHTNING_SET
        state[REMOVED] = LIGHTNING_SET
    if not rules.redeal:
        fours = whole_suits(state[FIELD])
        state[CAPTURED + dealer] = fours
        state[FIELD] ^= fours
    state[SEAT] = dealer
    state[PHASE] = HAND
    state[TURNED_UP] = NOBODY
    state[LIGHTNING_SEAT] = NOBODY
    state[ODD_SUIT] = NOBODY


def set_chances(state: State, rules: RuleNumbers, key: int) -> None:
    """Give each seat a random stream for its strategy, after the deal by the stream `key`.

    What a strategy gets is an invertible function of the stream, so that it may find out all of its own numbers. From
    these follow neither `key`, and with it the pack, nor the streams of other seats.
    """
    for seat in range(rules.players):
        state[CHANCE + seat] = siphash63(key, STRATEGIES, 1 << 56 | seat)


def decision_random(state: State) -> int:
    """The random number for the decision that is due."""
    return random63(state[CHANCE + state[SEAT]], state[DECISION])


def needs_redeal(state: State, rules: RuleNumbers) -> bool:
    """Whether the field just dealt holds four of a suit at a table that deals again then."""
    return rules.redeal == 1 and whole_suits(state[FIELD]) != 0


def redeal_key(key: int) -> int:
    """The random stream that shuffles the pack again, after a deal by the stream `key` that did not stand."""
    return random63(key, DECK_SIZE)


def deal_from_key(state: State, rules: RuleNumbers, key: int, dealer: int, count: int) -> None:
    """Shuffle by the random stream `key`, `count` places of the deck fairly, and deal; again, where a redeal is due."""
    shuffle(state, key, count)
    deal(state, rules, dealer)
    while needs_redeal(state, rules):
        key = redeal_key(key)
        shuffle(state, key, count)
        deal(state, rules, dealer)


# ---- What a seat may do ----


def wild_cards(rules: RuleNumbers, phase: int) -> int:
    """The card set of cards that are wild in this phase: the Lightning, or none."""
    if rules.lightning == PLAIN or (phase == PILE and not rules.lightning_from_pile):
        return 0
    return LIGHTNING_SET


def hiki_suits(rules: RuleNumbers, hand: int, field: int) -> int:
    """The suits a seat may declare hiki of. With one card in the hand it is the same as playing that card."""
    if not rules.hiki:
        return 0
    suits = 0
    whole = whole_suits(hand | field)
    while whole:
        suit = suit_of(lowest(whole))
        if popcount(hand & suit) > 1:
            suits |= suit
        whole ^= suit
    return suits


def protected_suits(state: State, rules: RuleNumbers) -> int:
    """The suits that are the hiki of a seat other than the one whose turn it is: safe from the Lightning (FW).

    Partners count as others, too.
    """
    suits = 0
    if rules.hiki:
        for seat in range(rules.players):
            if seat != state[SEAT]:
                hand = state[HANDS + seat]
                suits |= whole_suits(hand | state[FIELD]) & suits_of(hand)
    return suits


def lightning_targets(state: State, rules: RuleNumbers) -> int:
    """The field cards of other suits that a wild Lightning may capture.

    It may be laid instead only where no Willow lies; and three Willows do not keep it from another suit: our readings.
    """
    return state[FIELD] & ~WILLOW & ~protected_suits(state, rules)


class Options(NamedTuple):
    """All that the seat that decides may do, as card sets.

    kind: PLAY or TURN_UP.  cards: one of these is played.  field: what it may match.  twos: the suits with two cards
    on the field.  targets: what the Lightning among `cards` may capture of other suits.  hikis: suits to declare.
    """

    kind: int
    cards: int
    field: int
    twos: int
    targets: int
    hikis: int


def options(state: State, rules: RuleNumbers) -> Options:
    """What the seat that decides may do; only in the phases HAND and PILE."""
    field = state[FIELD]
    phase = state[PHASE]
    if phase == HAND:
        kind = PLAY
        cards = state[HANDS + state[SEAT]]
        hikis = hiki_suits(rules, cards, field)
    else:
        kind = TURN_UP
        cards = 1 << state[TURNED_UP]
        hikis = 0
    targets = lightning_targets(state, rules) if cards & wild_cards(rules, phase) else 0
    return Options(kind, cards, field, suits_of_two(field), targets, hikis)


def option_count(options: Options) -> int:
    """How many legal actions there are."""
    hikis = popcount(options.hikis & EVERY_SUIT)
    return popcount(options.cards) + popcount(options.cards & options.twos) + popcount(options.targets) + hikis


def nth_option(options: Options, n: int) -> tuple[int, int, int]:
    """The legal action number `n` of `legal_actions`, as (kind, card, captures), without making the list."""
    kind, cards, field, twos, targets, hikis = options
    firsts = popcount(cards)
    if n < firsts:
        card = select(cards, n)
        return kind, card, first_capture(field, card, twos)
    n -= firsts
    seconds = popcount(cards & twos)
    if n < seconds:
        card = select(cards & twos, n)
        return kind, card, second_capture(field, card)
    n -= seconds
    wild = popcount(targets)
    if n < wild:
        return kind, LIGHTNING, 1 << select(targets, n)
    suit = suit_of(select(hikis & EVERY_SUIT, n - wild))
    return HIKI, lowest(cards & suit), field & suit


def add_action(actions: Actions, n: int, kind: int, card: int, captures: int) -> int:
    actions[ACTION_SIZE * n] = kind
    actions[ACTION_SIZE * n + 1] = card
    actions[ACTION_SIZE * n + 2] = captures
    return n + 1


def legal_actions(state: State, rules: RuleNumbers, actions: Actions) -> int:
    """Write the legal actions of the seat that decides into `actions`, and return how many there are (0 at the end).

    Their order is fixed: for each card by id what it captures first, then the second choices of cards that match two,
    then the Lightning's targets of other suits, then each hiki.
    """
    phase = state[PHASE]
    if phase != HAND and phase != PILE:
        return 0
    kind, cards, field, twos, targets, hikis = options(state, rules)
    n = 0
    rest = cards
    while rest:
        card = lowest(rest)
        n = add_action(actions, n, kind, card, first_capture(field, card, twos))
        rest &= rest - 1
    rest = cards & twos
    while rest:
        card = lowest(rest)
        n = add_action(actions, n, kind, card, second_capture(field, card))
        rest &= rest - 1
    while targets:
        n = add_action(actions, n, kind, LIGHTNING, targets & -targets)
        targets &= targets - 1
    while hikis:
        suit = suit_of(lowest(hikis))
        n = add_action(actions, n, HIKI, lowest(cards & suit), field & suit)
        hikis ^= suit
    return n


# ---- What an action does ----


def claimed_by_lightning(state: State, rules: RuleNumbers, cards: int) -> int:
    """The dearest point card among `cards` that is due to the Lightning's player under the "claim" rule (WP), or 0.

    The dearest one; and what the Lightning's player captures itself neither counts nor is claimed: our readings.
    """
    if rules.lightning == CLAIM and state[ODD_SUIT] != NOBODY:
        due = cards & POINT_CARDS & suit_of(SUIT_SIZE * state[ODD_SUIT])
        if due:
            for _, valued in POINT_SETS:
                if due & valued:
                    return due & valued & -(due & valued)
    return 0


def place(state: State, rules: RuleNumbers, played: int, captures: int, together: bool) -> None:
    """Put `played` on the field, or with the field cards `captures` into the pile of the seat whose turn it is.

    `together` says that four of a suit go at once, even where none of them lay on the field.
    """
    seat = state[SEAT]
    # Both cases in one go: a branch here would be mispredicted in every other turn.
    stays = captures == 0 and not together
    state[FIELD] = (state[FIELD] | (played if stays else 0)) ^ captures
    taken = 0 if stays else played | captures
    if rules.lightning == CLAIM and seat != state[LIGHTNING_SEAT]:
        claimed = claimed_by_lightning(state, rules, taken)
        if claimed:
            state[CAPTURED + state[LIGHTNING_SEAT]] |= claimed
            state[ODD_SUIT] = NOBODY
            taken ^= claimed
    state[CAPTURED + seat] |= taken
    if played == LIGHTNING_SET and captures & ~WILLOW:
        state[LIGHTNING_SEAT] = seat
        state[ODD_SUIT] = lowest(captures) // SUIT_SIZE


def act(state: State, rules: RuleNumbers, kind: int, card: int, captures: int) -> None:
    """Do a legal action; `advance` does what follows of itself."""
    state[DECISION] += 1
    played = 1 << card
    if kind == TURN_UP:
        state[TURNED_UP] = NOBODY
    else:
        hand = state[HANDS + state[SEAT]]
        if kind == HIKI:
            played = hand & suit_of(card)
        state[HANDS + state[SEAT]] = hand ^ played
    place(state, rules, played, captures, kind == HIKI)
    state[PHASE] = TURN_OVER if kind == TURN_UP else TURN_UP_DUE


def turn_up(state: State, rules: RuleNumbers) -> None:
    """The pile step: turn up the top card and play it, unless the seat has to choose first."""
    if state[TOP] == DECK_SIZE:
        state[PHASE] = TURN_OVER
        return
    card = state[DECK + state[TOP]]
    state[TOP] += 1
    played = 1 << card
    claimed = claimed_by_lightning(state, rules, played)
    if claimed:
        state[CAPTURED + state[LIGHTNING_SEAT]] |= claimed
        state[ODD_SUIT] = NOBODY
        state[PHASE] = TURN_OVER
        return
    matches = state[FIELD] & suit_of(card)
    chooses = popcount(matches) == 2
    if played & wild_cards(rules, PILE) and lightning_targets(state, rules):
        chooses = True
    if chooses:
        state[TURNED_UP] = card
        state[PHASE] = PILE
    else:
        place(state, rules, played, matches, False)
        state[PHASE] = TURN_OVER


def hands_empty(state: State, rules: RuleNumbers) -> bool:
    held = 0
    for seat in range(rules.players):
        held |= state[HANDS + seat]
    return held == 0


def end_turn(state: State, rules: RuleNumbers) -> None:
    """Pass the turn on, or end the round. A seat without cards goes straight to its pile step.

    Hands that hikis emptied early end the round at once (FW, in French), or after the pile (FW, in English).
    """
    state[TURN] += 1
    over = not rules.play_out_pile or state[TOP] == DECK_SIZE
    if state[HANDS + state[SEAT]] == 0 and over and hands_empty(state, rules):
        sweep(state, rules)
        state[PHASE] = OVER
        return
    seat = state[SEAT] + 1
    if seat == rules.players:
        seat = 0
    state[SEAT] = seat
    state[PHASE] = HAND if state[HANDS + seat] else TURN_UP_DUE


def sweep(state: State, rules: RuleNumbers) -> None:
    """At the end, give the Lightning's player the field cards that its capture brings."""
    if state[LIGHTNING_SEAT] == NOBODY:
        return
    swept = 0
    if rules.lightning == SWEEP:
        swept = state[FIELD] & suit_of(SUIT_SIZE * state[ODD_SUIT])
    elif rules.lightning == SWEEP_ALL:
        swept = state[FIELD]
    state[CAPTURED + state[LIGHTNING_SEAT]] |= swept
    state[FIELD] ^= swept


def advance(state: State, rules: RuleNumbers) -> None:
    """Do one of the steps that need no decision: turn up a card, or pass the turn on."""
    if state[PHASE] == TURN_UP_DUE:
        turn_up(state, rules)
    else:
        end_turn(state, rules)


def needs_no_decision(state: State) -> bool:
    """Whether `advance` is due before anyone decides again."""
    return state[PHASE] == TURN_UP_DUE or state[PHASE] == TURN_OVER


def apply_action(state: State, rules: RuleNumbers, kind: int, card: int, captures: int) -> None:
    """Do a legal action and everything after it up to the next decision or the end of the round."""
    act(state, rules, kind, card, captures)
    while needs_no_decision(state):
        advance(state, rules)


# ---- The score ----


def side_captured(state: State, rules: RuleNumbers, side: int) -> int:
    """The cards that all seats of a side have captured."""
    cards = 0
    for seat in range(side, rules.players, rules.sides):
        cards |= state[CAPTURED + seat]
    return cards


def yaku_count(state: State, rules: RuleNumbers) -> int:
    """How many yaku all sides hold together."""
    count = 0
    for side in range(rules.sides):
        count += popcount(completed(side_captured(state, rules, side)))
    return count


def score(rules: RuleNumbers, cards: int, all_yaku: int) -> int:
    """The score of a side that captured `cards`, where all sides together hold `all_yaku` yaku.

    Its points, less 50 for each yaku of each opposing side; under "bonus" plus 50 for each of its own instead.
    """
    own_yaku = popcount(completed(cards))
    if rules.bonus:
        return points(cards) + YAKU_POINTS * own_yaku
    return points(cards) - YAKU_POINTS * (all_yaku - own_yaku)


def scores(rules: RuleNumbers, piles: Sequence[int]) -> list[int]:
    """The score of each side, from the card sets that the sides have captured."""
    all_yaku = sum(popcount(completed(cards)) for cards in piles)
    return [score(rules, cards, all_yaku) for cards in piles]


# ---- What a seat may know ----


class Choice(NamedTuple):
    """A legal action as a strategy sees it, in numbers: PLAY 0, HIKI 1 or TURN_UP 2; a card; a card set."""

    kind: int
    card: int
    captures: int


class Choices:
    """A flat list of actions seen as objects: `Choices(actions)[:n]` is the tuple of the first `n`.

    Compiled code has an array of records over the same memory instead.
    """

    def __init__(self, actions: Actions) -> None:
        self._actions = actions

    def __getitem__(self, part: slice) -> tuple[Choice, ...]:
        flat = self._actions[: part.stop * ACTION_SIZE]
        return tuple(map(Choice, flat[::ACTION_SIZE], flat[1::ACTION_SIZE], flat[2::ACTION_SIZE]))


class Observation(NamedTuple):
    """What one seat may know. Card sets are integers (`sakura.cards_in` lists one); no card is NOBODY, -1.

    seat: the seat that looks.  turn: the seat whose turn it is.  dealer, players, sides: numbers.
    hand: card set.  field: card set.  removed: card set, the Lightning if it was discarded.
    captured, hand_sizes: for each seat a card set, a number; seven places, those beyond `players` are 0.
    pile_size: cards left in the pile.  turned_up: the card that awaits a choice.
    lightning_seat: who took a card of another suit with the Lightning.
    odd_suit: that suit, 0 (Pine) to 11; -1 again when a claim on it is used up.
    actions: the legal actions if it is this seat that decides, each a `Choice`: `kind` (PLAY 0, HIKI 1, TURN_UP 2),
        `card` and `captures`, the card set taken from the field.
    rules: the rules of the table, as numbers.
    """

    seat: int
    turn: int
    dealer: int
    players: int
    sides: int
    hand: int
    field: int
    removed: int
    captured: tuple[int, ...]
    hand_sizes: tuple[int, ...]
    pile_size: int
    turned_up: int
    lightning_seat: int
    odd_suit: int
    actions: Any
    rules: RuleNumbers


def observe(state: State, rules: RuleNumbers, seat: int, actions: Any) -> Observation:
    """What `seat` may know; `actions` are its legal actions, if it decides."""
    return Observation(
        seat,
        state[SEAT],
        state[DEALER],
        rules.players,
        rules.sides,
        state[HANDS + seat],
        state[FIELD],
        state[REMOVED],
        (
            state[CAPTURED],
            state[CAPTURED + 1],
            state[CAPTURED + 2],
            state[CAPTURED + 3],
            state[CAPTURED + 4],
            state[CAPTURED + 5],
            state[CAPTURED + 6],
        ),
        (
            popcount(state[HANDS]),
            popcount(state[HANDS + 1]),
            popcount(state[HANDS + 2]),
            popcount(state[HANDS + 3]),
            popcount(state[HANDS + 4]),
            popcount(state[HANDS + 5]),
            popcount(state[HANDS + 6]),
        ),
        DECK_SIZE - state[TOP],
        state[TURNED_UP],
        state[LIGHTNING_SEAT],
        state[ODD_SUIT],
        actions,
        rules,
    )


def own_captured(obs: "Observation") -> int:
    """The cards captured by the side of the seat that looks. Also callable from compiled strategies."""
    cards = 0
    for seat in range(obs.seat % obs.sides, obs.players, obs.sides):
        cards |= obs.captured[seat]
    return cards


# ---- What a seat may imagine ----


def seen_state(obs: Observation) -> list[int]:
    """The state as far as a seat sees it: other hands empty, the cards that it does not see at the end of the deck.

    `determinize` deals those out. How many turns and decisions are over is not known and is 0: no rule asks.
    """
    state = [0] * STATE_SIZE
    state[HANDS + obs.seat] = obs.hand
    state[CAPTURED : CAPTURED + MAX_PLAYERS] = obs.captured
    state[FIELD] = obs.field
    state[REMOVED] = obs.removed
    state[DEALER] = obs.dealer
    state[SEAT] = obs.turn
    state[PHASE] = HAND if obs.turned_up == NOBODY else PILE
    state[TURNED_UP] = obs.turned_up
    state[LIGHTNING_SEAT] = obs.lightning_seat
    state[ODD_SUIT] = obs.odd_suit
    seen = obs.hand | obs.field | obs.removed | (0 if obs.turned_up == NOBODY else 1 << obs.turned_up)
    for cards in obs.captured:
        seen |= cards
    hidden = [card for card in range(DECK_SIZE) if not seen >> card & 1]
    state[TOP] = DECK_SIZE - len(hidden)
    state[DECK + state[TOP] :] = hidden
    return state


def hidden_cards(state: Sequence[int]) -> int:
    """The cards that are still in the deck; in a `seen_state` those that the seat does not see."""
    return card_set(state[DECK + state[TOP] : DECK + DECK_SIZE])


def seen_targets(obs: Observation) -> int:
    """The cards of other suits that a wild Lightning may capture, as the legal actions of the seat tell."""
    targets = 0
    for action in obs.actions:
        if action.kind != HIKI and action.card == LIGHTNING:
            targets |= action.captures & ~WILLOW
    return targets


def determinize(state: State, rules: RuleNumbers, missing: Sequence[int], key: int) -> None:
    """Deal the unseen rest of the deck out by the random stream `key`: to each seat its `missing` cards, then the pile.

    Every way of dealing is as likely as every other.
    """
    mix(state, key, state[TOP], DECK_SIZE - state[TOP])
    for seat in range(rules.players):
        state[HANDS + seat] |= take_packet(state, missing[seat])
