"""What the tests of the rules share: the cards by name, and rounds laid out card by card."""

from collections.abc import Iterable, Sequence
from typing import Any

from sakura import Action, Round, Rules

# Typed here rather than read from data/cards.csv, which is itself under test. A and B are the plain cards of a suit.
CRANE, PINE_RIBBON, PINE_A, PINE_B = PINE = range(0, 4)
WARBLER, PLUM_RIBBON, PLUM_A, PLUM_B = PLUM = range(4, 8)
CURTAIN, CHERRY_RIBBON, CHERRY_A, CHERRY_B = CHERRY = range(8, 12)
CUCKOO, WISTERIA_RIBBON, WISTERIA_A, WISTERIA_B = WISTERIA = range(12, 16)
BRIDGE, IRIS_RIBBON, IRIS_A, IRIS_B = IRIS = range(16, 20)
BUTTERFLIES, PEONY_RIBBON, PEONY_A, PEONY_B = PEONY = range(20, 24)
BOAR, CLOVER_RIBBON, CLOVER_A, CLOVER_B = CLOVER = range(24, 28)
MOON, GEESE, SUSUKI_A, SUSUKI_B = SUSUKI = range(28, 32)
SAKE_CUP, CHRYSANTHEMUM_RIBBON, CHRYSANTHEMUM_A, CHRYSANTHEMUM_B = CHRYSANTHEMUM = range(32, 36)
DEER, MAPLE_RIBBON, MAPLE_A, MAPLE_B = MAPLE = range(36, 40)
RAIN_MAN, SWALLOW, WILLOW_RIBBON, LIGHTNING = WILLOW = range(40, 44)
PHOENIX, YELLOW_PAULOWNIA, PAULOWNIA_A, PAULOWNIA_B = PAULOWNIA = range(44, 48)


def deck_for(
    rules: Rules, hands: Sequence[Sequence[int]], field: Sequence[int], pile: Sequence[int] = (), dealer: int = 0
) -> list[int]:
    """The pack from which `rules` deal these hands, this field and, on top, this pile; the rest lies under it by id."""
    assert [len(hand) for hand in hands] == [rules.hand] * rules.players
    assert len(field) == rules.field
    small, served = rules.hand // 2, [*hands[dealer + 1 :], *hands[: dealer + 1]]
    deck = list(field[: rules.field // 2])
    for hand in served:
        deck += hand[:small]
    deck += field[rules.field // 2 :]
    for hand in served:
        deck += hand[small:]
    deck += pile
    assert len(set(deck)) == len(deck), "a card lies in two places"
    return deck + sorted(set(range(48)) - set(deck))


def lay_out(
    hands: Sequence[Sequence[int]],
    field: Sequence[int],
    pile: Sequence[int] = (),
    dealer: int = 0,
    **house_rules: Any,
) -> Round:
    """A round that begins with these hands (all of one size), this field, and this on top of the pile."""
    rules = Rules(players=len(hands), hand=len(hands[0]), field=len(field), **house_rules)
    return Round(rules, deck=deck_for(rules, hands, field, pile, dealer), dealer=dealer)


def play(rnd: Round, card: int, *captures: int) -> None:
    """Play a card from the hand; the captures need not be said where there is only one way to play it."""
    _take(rnd, "play", card, captures)


def turn_up(rnd: Round, card: int, *captures: int) -> None:
    """Choose what the card turned up captures."""
    _take(rnd, "turn_up", card, captures)


def _take(rnd: Round, kind: str, card: int, captures: tuple[int, ...]) -> None:
    if not captures:
        ways = [action for action in rnd.legal_actions() if (action.kind, action.card) == (kind, card)]
        assert len(ways) == 1, f"say which: {ways}"
        captures = ways[0].captures
    rnd.apply_action(Action(kind, card, captures))


def lay(rnd: Round, card: int) -> None:
    """Play a card from the hand, or the one turned up, without a capture."""
    rnd.apply_action(Action("play" if rnd.phase == "hand" else "turn_up", card, ()))


def declare_hiki(rnd: Round, card: int) -> None:
    """Declare hiki of the suit of which `card` is the lowest in the hand."""
    (action,) = (action for action in rnd.legal_actions() if (action.kind, action.card) == ("hiki", card))
    rnd.apply_action(action)


def ways_to_play(rnd: Round, card: int) -> list[tuple[int, ...]]:
    """What this card may capture now, played or turned up, in the order of the legal actions."""
    return [action.captures for action in rnd.legal_actions() if action.card == card and action.kind != "hiki"]


def hikis(rnd: Round) -> list[Action]:
    """The hikis that may be declared now."""
    return [action for action in rnd.legal_actions() if action.kind == "hiki"]


def finish(rnd: Round) -> None:
    """Play the first legal action until the round is over."""
    while not rnd.is_terminal:
        rnd.apply_action(rnd.legal_actions()[0])


def everything(rnd: Round) -> dict[str, Any]:
    """All that can be asked of a round, to compare two of them or one before and after."""
    return {
        "file": rnd.to_dict(),
        "hands": rnd.hands,
        "captured": rnd.captured,
        "field": rnd.field,
        "pile": rnd.pile,
        "removed": rnd.removed,
        "turned up": rnd.turned_up,
        "who decides": (rnd.current_player, rnd.phase, rnd.is_terminal, rnd.turn),
        "legal": rnd.legal_actions(),
        "actions": rnd.actions,
        "log": rnd.log,
        "score": (rnd.points(), rnd.yaku(), rnd.returns()),
        "observations": [rnd.observation(seat) for seat in range(rnd.rules.players)],
        "words": str(rnd),
    }


def bits(cards: Iterable[int]) -> int:
    """A card set as an observation gives it."""
    return sum(1 << card for card in set(cards))
