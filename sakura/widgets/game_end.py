"""The end of a round and of a match on the game table: the score line by line, who won and why, who deals next."""

from collections.abc import Callable, Sequence

from ..cards import CARDS, KINDS, card_set, points
from ..match import BASA, Match
from ..round import Round, yaku_effect
from ..words import change, signed
from ..yaku import YAKU, Yaku
from .elements import Child, Element, listing, strong, table
from .game_scene import Names, Scene, listed, within
from .game_sides import KIND_NAMES, scrolling

_VALUES = {card.kind: card.points for card in CARDS}


def score_table(match: Match, names: Names, practice: Round | None = None) -> Element:
    """How each side comes to its score, a line for each thing that counts; in a round of `practice` if there is one."""
    rnd = practice or match.round
    scene = Scene(rnd, len(rnd.log))
    sides = range(rnd.rules.sides)
    swept = {card for event in rnd.log if event.kind == "swept" for card in event.cards}

    def line(title: str, value: Callable[[int], object]) -> list[Child]:
        return [title, *(str(value(side)) for side in sides)]

    def total(title: str, values: Sequence[int]) -> list[Child]:
        return [title, *(strong(signed(value)) for value in values)]

    def of_kind(kind: str) -> Callable[[int], str]:
        def counted(side: int) -> str:
            number = sum(CARDS[card].kind == kind and card not in swept for card in scene.cards_of(side))
            worth = number * _VALUES[kind]
            return f"{number}\u00a0×\u00a0{_VALUES[kind]} = {worth}" if rnd.rules.sides <= 3 else f"{worth}"

        return counted

    rows = [line(f"{KIND_NAMES[kind]}, {_VALUES[kind]} each", of_kind(kind)) for kind in KINDS if _VALUES[kind]]
    rows.append(line("Plain, 0 each", of_kind("plain")))
    if swept:
        got = {side: points(card_set(swept & set(scene.cards_of(side)))) for side in sides}
        rows.append(
            line(
                f"Swept by the Lightning: {listed(frozenset(swept))}", lambda side: f"+{got[side]}" if got[side] else 0
            )
        )
    rows.append(total("Points", rnd.points()))
    for holder in sides:
        rows += [
            line(f"{YAKU[k]}: {names.side(holder)}", _yaku_counts(YAKU[k], rnd.rules.yaku, holder))
            for k in scene.yaku(holder)
        ]
    rows.append(total("Score", rnd.returns()))
    if match.rules.match_scoring == "rounds" and not practice:
        rows.append(line("Victories", lambda side: match.results[-1].added[side]))
    if match.rounds != 1 and not practice:
        rows.append(total("Match so far", match.totals))
    header = ["What counts", *map(names.side, sides)]
    return scrolling(table("How the score comes about", header, rows), "How the score comes about")


def _yaku_counts(yaku: Yaku, rule: str, holder: int) -> Callable[[int], str]:
    own, other = yaku_effect(yaku, rule)
    return lambda side: change(own if side == holder else other)


def outcome(match: Match, names: Names) -> list[str]:
    """Who won the round and why, who deals next and why, and who won the match if it is over: a sentence each."""
    result = match.results[-1]
    best, second = sorted(result.returns, reverse=True)[:2]
    first = [side for side, score in enumerate(result.returns) if score == best]
    if len(first) == 1:
        runners = [side for side, score in enumerate(result.returns) if score == second]
        wins = names.verb(names.side(first[0]), "win")
        words = [f"{wins} the round with {signed(best)}: {best - second} more than {names.sides(runners)}."]
    else:
        words = [f"{names.sides(first, begin=True)} tie for the highest score, {signed(best)}."]
    if match.rules.match_scoring == "rounds":
        words.append(_victories(match, names, best - second))
    if not match.is_over:
        words.append(_next_dealer(match, names, tied=len(first) > 1))
    elif match.rounds != 1:
        words.append(_match_won(match, names))
    return words


def practised(match: Match, practice: Round, names: Names) -> list[str]:
    """How a round came out when it was played again: a sentence for each side."""
    pairs = enumerate(zip(practice.returns(), match.round.returns(), strict=True))
    scored = [
        f"{names.verb(names.side(side), 'score')} {signed(now)} this time, {signed(was)} before."
        for side, (now, was) in pairs
    ]
    return ["The round is over, played again.", *scored]


def _victories(match: Match, names: Names, margin: int) -> str:
    result = match.results[-1]
    count = result.added[result.winner]
    why = f": it was a win by {margin}, {'basa' if match.rules.basa and margin >= BASA else 'chu'}" if count > 1 else ""
    if margin == 0:
        why = ": of those who tie, the first in order of play from the dealer"
    goal = f"{count} victor{'y' if count == 1 else 'ies'}"
    return f"{names.verb(names.side(result.winner), 'get')} {goal}{why}."


def _next_dealer(match: Match, names: Names, *, tied: bool) -> str:
    result = match.results[-1]
    dealing = names.verb(names.seat(result.next_dealer), "deal")
    if tied and result.next_dealer == result.dealer:
        return f"{dealing} again: in a tie the dealer goes first."
    if tied:
        return f"{dealing} the next round: of those who tie, the first in order of play after the dealer."
    if match.rules.teams:
        return f"{dealing} the next round: of the side that won, the first in order of play from the dealer."
    return f"{dealing} the next round: the winner deals."


def _match_won(match: Match, names: Names) -> str:
    best = max(match.totals)
    what = "victories" if match.rules.match_scoring == "rounds" else "points"
    if len(match.winners) > 1:
        return f"The match is over: {names.sides(match.winners)} win it together with {signed(best)} {what}."
    return f"The match is over: {names.verb(names.side(match.winners[0]), 'win')} it with {signed(best)} {what}."


def match_table(match: Match, names: Names) -> Element:
    """What each finished round brought, and the totals."""
    sides = range(match.rules.sides)
    rows: list[list[Child]] = [
        [f"Round {number}, dealt by {within(names.seat(result.dealer))}", *map(signed, result.added)]
        for number, result in enumerate(match.results, 1)
    ]
    rows.append(["Total", *map(signed, match.totals)])
    return scrolling(table(goal(match), ["Round", *map(names.side, sides)], rows), "The match so far")


def goal(match: Match) -> str:
    """What the match goes to, in words."""
    what = "victories" if match.rules.match_scoring == "rounds" else "points"
    if match.rounds is not None:
        return f"Match of {match.rounds} rounds" if match.rounds > 1 else "One round"
    return f"Match to {match.score} {what}"


def opening(match: Match, names: Names) -> list[str]:
    """How the first dealer was found: a sentence for each draw."""
    if match.draw is None:
        return []
    words = []
    for drawn in match.draw.draws:
        told = ", ".join(
            f"{names.seat(seat)} {CARDS[card].name} (month {CARDS[card].month})" for seat, card in drawn.items()
        )
        words.append(f"The draw for the first dealer: {told}.")
    words.append(f"The earliest month deals: {within(names.seat(match.draw.dealer))}.")
    return words


def summary(lines: list[str]) -> Element:
    """Sentences, one a line."""
    return listing(lines, kind="game-outcome")
