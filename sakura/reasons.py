"""Why an action is legal or not, and what comes of it, in words.

The facts are the engine's: its legal actions, those it would allow in the same position under other house rules, and
its log.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from . import engine
from .bits import lowest, popcount
from .cards import CARDS, cards_in, names, points
from .engine import LIGHTNING, SUIT_SIZE, Choice, Observation
from .positions import Position, claimed, matches, protected, under, ways_to_play
from .round import Action, Event, Round, yaku_effect
from .rules import CHOICES, PLAIN, Rules
from .words import signed, told, who
from .yaku import YAKU, YAKU_POINTS, YAKU_SETS, completed

# What the Lightning's capture of a card of another suit brings later on, by the house rule `lightning`.
LATER = {
    "sweep": "When the round ends, the {suit} cards left on the field are yours, too.",
    "claim": "The next {suit} card with points that another player captures, or that anyone turns up, is yours, too.",
    "sweep_all": "When the round ends, all cards left on the field are yours, too.",
}
LIGHTNING_RULES = {
    "sweep": "sweep (Hawaii)",
    "claim": "claim (encyclopedia)",
    "sweep_all": "sweep all",
}


# ---- Small words ----


def a_suit(card: int) -> str:
    """The suit of a card: "a Willow"."""
    suit = CARDS[card].suit
    return f"{'an' if suit[0] in 'AEIOU' else 'a'} {suit}"


def the(card: int) -> str:
    """A card in a sentence: "the Moon", but "Pine plain 1" and "Geese"."""
    known = CARDS[card]
    has_article = known.kind in ("bright", "animal") and known.name not in ("Geese", "Butterflies")
    return f"the {known.name}" if has_article or card == LIGHTNING else known.name


def _are_suit(cards: Sequence[int]) -> str:
    """Field cards of one suit: "the Rain man is a Willow"."""
    if len(cards) == 1:
        return f"{the(cards[0])} is {a_suit(cards[0])}"
    return f"{names(cards)} are {CARDS[cards[0]].suit} cards"


def _same_suit(rnd: Round, card: int) -> list[int]:
    return [other for other in sorted(rnd.field) if CARDS[other].suit == CARDS[card].suit]


# ---- A turn ----


def task(position: Position) -> str:
    """What the learner is asked to do where there is something to play."""
    return {
        "": "It is your turn. What would you play?",
        "no match": "Play a card that captures nothing, so that it stays on the field.",
        "one match": "Play a card that captures exactly one card.",
        "two matches": "Play a card that matches two cards on the field, and choose the one that it captures.",
        "three matches": "Play the card that captures three cards at once.",
        "pile": f"You turned up {names([position.round.turned_up or 0])}. Choose what it captures.",
        "hiki": "Declare a hiki: take all four cards of a suit at once.",
        "lightning": "Play the Lightning, and take the card that is worth most points.",
        "willow": "Play the Lightning. Mind what else lies on the field.",
        "protected": "Play the Lightning. Mind the hiki that is announced.",
    }[position.topic]


def announced(rnd: Round) -> list[str]:
    """What other seats say of their hikis, as they do when the Lightning is about to be played."""
    seats = {CARDS[card].suit: seat for card, seat in protected(rnd).items()}
    return [f"Seat {seat} announces: “All other {suit} cards are in my hand.”" for suit, seat in seats.items()]


def why(rnd: Round, action: Action) -> str:
    """Why a legal action does what it does, and what else there is to know about it."""
    if action.kind == "hiki":
        return _why_hiki(rnd, action)
    card, same = CARDS[action.card], _same_suit(rnd, action.card)
    if action.card == LIGHTNING and not set(action.captures) <= set(same):
        taken = CARDS[action.captures[0]]
        later = LATER[rnd.rules.lightning].format(suit=taken.suit)
        safe = protected(rnd)
        limits = [f"{_first_up(_are_suit(same))}, so it could not stay on the field."] if same else []
        limits += [f"{_first_up(names(safe))} could not be taken, as a hiki is protected."] if safe else []
        return " ".join([f"The Lightning takes any one card, and you take {the(taken.id)}.", later, *limits])
    if not action.captures:
        return _why_laid(rnd, action.card)
    if len(same) == 1:
        more = " So it does as any Willow would, and brings you nothing later." if action.card == LIGHTNING else ""
        return f"{_first_up(_are_suit(same))}, too: {the(card.id)} captures it.{more}"
    if len(action.captures) == 1:
        left = names(other for other in same if other not in action.captures)
        return f"Two {card.suit} cards lie there, so you choose: you take {the(action.captures[0])}, and {left} stays."
    return f"Three {card.suit} cards lie there: {the(card.id)} captures them all, and you have the whole suit."


def _first_up(words: str) -> str:
    return words[0].upper() + words[1:]


def _why_laid(rnd: Round, card: int) -> str:
    if card == LIGHTNING and len(ways_to_play(rnd, card)) > 1:
        return "The Lightning need not take anything. No Willow lies on the field, so it may stay there."
    safe = protected(rnd)
    if card != LIGHTNING or rnd.field - set(safe):
        return f"No {CARDS[card].suit} lies on the field, so nothing is captured, and {the(card)} stays there."
    reason = f"{names(safe)} {'is' if len(safe) == 1 else 'are'} protected by a hiki, and " if safe else ""
    return _first_up(f"{reason}there is nothing to take: the Lightning stays on the field.")


def _why_hiki(rnd: Round, action: Action) -> str:
    suit = CARDS[action.card].suit
    held = SUIT_SIZE - len(action.captures)
    hand = len(rnd.hands[rnd.current_player or 0]) - held
    fewer = held - 1
    return (
        f"All four {suit} cards were in your hand and on the field, so you may take them all at once. "
        f"It costs {held} cards of your hand instead of one and leaves you {hand or 'none'}: "
        f"you will play {fewer} card{'s' * (fewer > 1)} fewer, but you turn up the pile as often as before."
    )


def why_not(rnd: Round, card: int, target: int | None) -> str:
    """Why a card of the hand, or the one turned up, may not take `target`, or for None may not be left on the field."""
    if target is None:
        also = ", too" if card != LIGHTNING else ""
        reason = f"{_are_suit(_same_suit(rnd, card))}{also}, and a card that can capture must"
        return _first_up(f"{the(card)} may not stay on the field: {reason}.")
    kind = "turn_up" if rnd.turned_up is not None else "play"
    action = Action(kind, card, (target,))
    if action in under(rnd, hiki=False).legal_actions():
        other = CARDS[target].suit
        return f"Seat {protected(rnd)[target]} holds all other {other} cards: a hiki is protected from the Lightning."
    if action in under(rnd, lightning_from_pile=True).legal_actions():
        return "Turned up from the pile the Lightning is an ordinary Willow. It is wild only from the hand."
    if action in under(rnd, lightning="sweep").legal_actions():
        return "At this table the Lightning is an ordinary Willow, and captures only Willow cards."
    return _first_up(
        f"{the(card)} is {a_suit(card)}, and {the(target)} is {a_suit(target)}. It takes its own suit only."
    )


def why_no_hiki(rnd: Round) -> str:
    """Why no hiki may be declared."""
    if any(action.kind == "hiki" for action in under(rnd, hiki=True).legal_actions()):
        return "At this table there is no hiki."
    return (
        "There is no hiki here: no suit has all four cards in your hand and on the field, two or more in your hand. "
        "(With one in your hand and three on the field you simply play it.)"
    )


# ---- A question ----


class Answer(NamedTuple):
    """An answer to choose, whether it is right, and what to say to it."""

    words: str
    right: bool
    why: str


class Question(NamedTuple):
    """A question about a position; `lines` explain it when it is answered."""

    words: str
    answers: Sequence[Answer]
    lines: Sequence[str]


def question(position: Position) -> Question:
    """What is asked about a position where nothing is to be played."""
    return {"turned up": _on_turned_up, "sweep": _on_sweep, "claim": _on_claim, "score": _on_score}[position.topic](
        position
    )


def _on_turned_up(position: Position) -> Question:
    turned_up = next(event.cards[0] for event in position.events if event.kind == "turned up")
    number, name, suit = matches(position), CARDS[turned_up].name, CARDS[turned_up].suit
    same = _same_suit(position.round, turned_up)
    there = f"{_first_up(_are_suit(same))}." if same else f"No {suit} lies on the field."
    if LIGHTNING in (turned_up, *same):
        there += " Turned up or on the field, the Lightning is a Willow like others."
    what = {
        0: "It stays on the field.",
        1: "It captures one card, and you have no choice.",
        2: "It captures one of two cards: you choose.",
        3: "It captures three cards at once.",
    }
    hint = f"Count the {suit} cards on the field once more."
    answers = [Answer(words, n == number, there if n == number else hint) for n, words in what.items()]
    laid = names([position.action.card] if position.action else [])
    return Question(f"You lay {laid}. Then you turn up {name}. What happens to it?", answers, _happening(position))


def _on_sweep(position: Position) -> Question:
    swept = next(event for event in position.events if event.kind == "swept").cards
    left = sorted({*swept, *position.after.field})
    suit = CARDS[swept[0]].suit
    valued = [card for card in left if CARDS[card].points and card not in swept]
    answers = [
        Answer(names(swept), True, f"The Lightning took one {suit}, so the {suit} cards that are left are yours."),
        Answer("All the cards that are left", False, "That would be the house rule “sweep all”."),
        Answer("Nothing", False, f"The Lightning took one {suit}: look for {suit} cards."),
    ]
    if valued:
        wrong = f"Points do not matter here. The Lightning took one {suit}: look for {suit} cards."
        answers.insert(0, Answer(names(valued), False, wrong))
    words = (
        f"The last card is played, and these are left on the field. Earlier on, your Lightning took the "
        f"{CARDS[_taken_by_lightning(position.round)].name}. What does that bring you now?"
    )
    return Question(words, answers, _happening(position))


def _on_claim(position: Position) -> Question:
    claim, took = _claim_and_cause(position)
    card, suit = CARDS[claim.cards[0]], CARDS[claim.cards[0]].suit
    other = position.round.current_player
    answers = [
        Answer("You", True, f"Your Lightning took one {suit}: the next {suit} card with points is yours, this once."),
        Answer(f"Seat {other}", False, f"So it would be without the Lightning's claim: it took one {suit}."),
        Answer("Nobody: it stays on the field", False, f"Somebody has a claim on it, since it is {a_suit(card.id)}."),
    ]
    words = (
        f"At this table the Lightning has a claim. Yours took the {CARDS[took].name}. Now {_doing(position, card.id)} "
        f"Who gets the {card.name}?"
    )
    return Question(words, answers, _happening(position))


def _happening(position: Position) -> list[str]:
    """What the action of a position leads to, line by line."""
    return [told(event, position.seat) for event in position.events if event.kind != "round over"]


def _claim_and_cause(position: Position) -> tuple[Event, int]:
    """The event of the claim, and the card by which the Lightning got it."""
    claim = claimed(position.events)
    if claim is None:
        raise ValueError("no card is claimed in this position")
    return claim, _taken_by_lightning(position.round)


def _taken_by_lightning(rnd: Round) -> int:
    took = next(event for event in rnd.log if event.kind == "lightning took")
    return next(card for card in took.cards if card != LIGHTNING)


def _doing(position: Position, claimed_card: int) -> str:
    """What the other seat does when a card of its is claimed: "Seat 1 turns up Geese."."""
    action, seat = position.action, f"Seat {position.round.current_player}"
    turned_up = next((event.cards[0] for event in position.events if event.kind == "turned up"), None)
    if action is None or (position.before_pile and turned_up is not None):
        also = "" if turned_up == claimed_card else f", which captures the {CARDS[claimed_card].name}"
        return f"{seat} turns up {names([turned_up or 0])}{also}."
    if action.kind == "hiki":
        return f"{seat} declares a hiki of {CARDS[action.card].suit}."
    verb = "plays" if action.kind == "play" else "has turned up"
    return f"{seat} {verb} {CARDS[action.card].name}, which captures {names(action.captures)}."


# ---- The score ----


def side_name(rules: Rules, side: int, you: int) -> str:
    """A side: "You", "Seat 1", or the seats of a team."""
    seats = rules.seats_of(side)
    first = ["You"] if you in seats else []
    return " and ".join([*first, *(f"Seat {seat}" for seat in seats if seat != you)])


def scores_in_words(rnd: Round, scores: Iterable[int], you: int) -> str:
    """The scores of all sides in one line."""
    return ", ".join(f"{side_name(rnd.rules, side, you)}: {signed(score)}" for side, score in enumerate(scores))


def _on_score(position: Position) -> Question:
    rnd, you = position.round, position.seat
    value, held = rnd.points(), list(map(len, rnd.yaku()))
    other_rule = "penalty" if rnd.rules.yaku == "bonus" else "bonus"
    right = rnd.returns()
    slips = [
        (value, "These are the points alone. Somebody holds a yaku."),
        (under(rnd, yaku=other_rule).returns(), f"So it would be under the house rule “{other_rule}”."),
        ([v - YAKU_POINTS * n for v, n in zip(value, held, strict=True)], "A yaku does no harm to its own side."),
        ([s + YAKU_POINTS * n for s, n in zip(right, held, strict=True)], "A yaku counts once, for one side only."),
    ]
    answers = {tuple(right): Answer(scores_in_words(rnd, right, you), True, "That is the score.")}
    for scores, words in slips:
        answers.setdefault(tuple(scores), Answer(scores_in_words(rnd, scores, you), False, words))
    when = "The round is over" if rnd.is_terminal else "Suppose the round ended now"
    best = [answers[scores] for scores in sorted(list(answers)[:4])]
    return Question(f"{when}. What is the score of each side?", best, score_lines(rnd, you))


def score_lines(rnd: Round, you: int) -> list[str]:
    """How the score of each side comes about, line by line."""
    sides = [side_name(rnd.rules, side, you) for side in range(rnd.rules.sides)]
    lines = [f"{name} captured {_sum_of(rnd, side)}." for side, name in enumerate(sides)]
    what = (
        f"{YAKU_POINTS} more for its own side" if rnd.rules.yaku == "bonus" else f"{YAKU_POINTS} off every other side"
    )
    for name, numbers in zip(sides, rnd.yaku(), strict=True):
        lines += [f"{name}: yaku {YAKU[number - 1]}, that is {what}." for number in numbers]
    for name, value, score in zip(sides, rnd.points(), rnd.returns(), strict=True):
        change = f" {'+' if score > value else '−'} {abs(score - value)}" if score != value else ""
        lines.append(f"{name}: {value}{change} = {signed(score)}." if change else f"{name}: {value}.")
    return lines


def _sum_of(rnd: Round, side: int) -> str:
    """The captured cards of a side, added up by kind: "1 bright (20) + 2 ribbons (20) = 40 points"."""
    cards = [CARDS[card] for seat in rnd.rules.seats_of(side) for card in rnd.captured[seat] if CARDS[card].points]
    kinds = {card.kind: card.points for card in sorted(cards, key=lambda card: -card.points)}
    parts = []
    for kind, each in kinds.items():
        number = sum(card.kind == kind for card in cards)
        parts.append(f"{number} {kind}{'s' * (number > 1)} ({number * each})")
    return f"{' + '.join(parts)} = {sum(card.points for card in cards)} points" if parts else "no points"


# ---- The same at other tables ----


def at_other_tables(position: Position) -> list[tuple[str, str]]:
    """House rules under which this position is another one, with what is different; what is the same is left out."""
    if position.topic == "score":
        return [
            (f"yaku: {rule}", scores_in_words(rnd, rnd.returns(), position.seat))
            for rule in ("penalty", "bonus")
            for rnd in [under(position.round, yaku=rule)]
        ]
    if position.topic in ("sweep", "claim"):
        return [(f"Lightning: {words}", _under_lightning(position, rule)) for rule, words in LIGHTNING_RULES.items()]
    if position.topic not in ("", "pile", "hiki", "lightning", "willow", "protected"):
        return []
    legal = position.round.legal_actions()
    others = [(words, under(position.round, **changes).legal_actions()) for words, changes in _OTHER_TABLES.items()]
    return [(words, _difference(legal, other)) for words, other in others if other != legal]


_OTHER_TABLES: dict[str, dict[str, Any]] = {
    "with hiki": {"hiki": True},
    "without hiki": {"hiki": False},
    "Lightning: plain": {"lightning": "plain"},
    "Lightning: wild when turned up, too": {"lightning_from_pile": True},
}


def _under_lightning(position: Position, rule: str) -> str:
    """What the Lightning brings its player by the action of a position, if the house rule `lightning` is this one."""
    rnd = under(position.round, lightning=rule)
    seen = len(rnd.log)
    if position.action is not None:
        rnd.apply_action(position.action)
    brought = [card for event in rnd.log[seen:] if event.kind in ("lightning took", "swept") for card in event.cards]
    if position.topic == "claim":
        return _where(rnd, _claim_and_cause(position)[0].cards[0], position.seat)
    return f"It brings you {names(brought)}." if brought else "It brings you nothing."


def _where(rnd: Round, card: int, you: int) -> str:
    """Who has a card that was under way."""
    if card in rnd.field:
        return f"{CARDS[card].name} stays on the field."
    if card == rnd.turned_up:
        return f"{who(rnd.current_player, you)} may choose what {CARDS[card].name} captures."
    seat = next(seat for seat, cards in enumerate(rnd.captured) if card in cards)
    return f"You get {CARDS[card].name}." if seat == you else f"Seat {seat} gets {CARDS[card].name}."


def _difference(here: list[Action], there: list[Action]) -> str:
    gone, new = set(here) - set(there), set(there) - set(here)
    parts = [f"You may not: {_in_short(gone)}." if gone else "", f"You may also: {_in_short(new)}." if new else ""]
    return " ".join(filter(None, parts))


def _in_short(actions: set[Action]) -> str:
    """Actions in few words, those of one card together."""
    parts = []
    for kind, card in sorted({action[:2] for action in actions}):
        captures = sorted(action.captures for action in actions if action[:2] == (kind, card))
        targets = sorted({target for cards in captures for target in cards})
        taken = names(targets) if len(targets) <= 3 else f"{len(targets)} of the cards"
        if kind == "hiki":
            parts.append(f"declare hiki of {CARDS[card].suit}")
        elif captures == [()]:
            parts.append(f"leave {the(card)} on the field")
        else:
            parts.append(f"take {taken} with {the(card)}")
    return "; ".join(parts)


# ---- What an action is good for ----


class Fact(NamedTuple):
    """Something that a teacher would say of an action: in `words`, and as a `nudge` that does not give it away.

    weight: how much there is to it, roughly in points, to choose among nudges; negative for what speaks against it.
    """

    words: str
    nudge: str
    weight: int


# A card left to others is worth a word from so many points on.
_DEAR = 10
_NUMBERS = ("no", "one", "two", "three", "four")


def good_for(obs: Observation, action: Choice) -> str:
    """What speaks for a legal action and against it, as far as the seat of the observation can know: a sentence."""
    return _first_up("; ".join(fact.words for fact in facts(obs, action))) + "."


def nudge(obs: Observation, action: Choice) -> str:
    """Where to look, for somebody who is to find this action without being told."""
    return max(facts(obs, action), key=lambda fact: fact.weight).nudge


def facts(obs: Observation, action: Choice) -> list[Fact]:
    """What there is to say of a legal action, as far as the seat of the observation can know. At least one thing."""
    before = engine.seen_state(obs)
    after = before[:]
    engine.act(after, obs.rules, *action)
    found = _gains(obs, before, after) if after[engine.FIELD] & ~before[engine.FIELD] == 0 else [_laid(obs, after)]
    return [*found, *_of_yaku(obs, before, after), *_of_kind(obs, action), *_left(obs, action, after)]


def _sides(obs: Observation, state: Sequence[int]) -> list[int]:
    """What each side has captured, the seat's own first, then in order of play."""
    order = [(obs.seat + step) % obs.sides for step in range(obs.sides)]
    return [engine.side_captured(list(state), obs.rules, side) for side in order]


def _side_words(obs: Observation, step: int) -> str:
    """The side `step` places after the own one: "Seat 2", or "Seat 1 and Seat 3"."""
    side = (obs.seat + step) % obs.sides
    return " and ".join(f"Seat {seat}" for seat in range(side, obs.players, obs.sides))


def _gains(obs: Observation, before: Sequence[int], after: Sequence[int]) -> list[Fact]:
    own, *others = (now & ~was for was, now in zip(_sides(obs, before), _sides(obs, after), strict=True))
    value = points(own)
    where = f"{value} points can be had at once." if value >= _DEAR else "Look at what a capture leaves to others."
    found = [Fact(f"{value or 'no'} points at once", where, value)]
    for step, claimed_cards in enumerate(others, 1):
        if claimed_cards:
            words = f"the Lightning of {_side_words(obs, step)} claims {names(cards_in(claimed_cards))}"
            found.append(Fact(words, "Mind the claim of a Lightning.", -points(claimed_cards)))
    return found


def _laid(obs: Observation, after: Sequence[int]) -> Fact:
    card = lowest(after[engine.FIELD] & ~obs.field)
    value, suit = CARDS[card].points, CARDS[card].suit
    hidden = popcount(engine.suit_of(card) & engine.hidden_cards(after))
    who_takes = f"{_cards_of(hidden, suit)} may take it" if hidden else "no hidden card of its suit can take it"
    worth = f", worth {value}," if value else ""
    where = "Look for the card that brings others least when it lies open."
    return Fact(f"captures nothing; {the(card)}{worth} lies open, and {who_takes}", where, 0)


def _cards_of(number: int, suit: str) -> str:
    return f"{_NUMBERS[number]} hidden {suit} card{'s' * (number > 1)}"


def _of_yaku(obs: Observation, before: Sequence[int], after: Sequence[int]) -> list[Fact]:
    was, now = _sides(obs, before), _sides(obs, after)
    found, begun = [], []
    for k, (yaku, cards) in enumerate(zip(YAKU, YAKU_SETS, strict=True)):
        had, has = popcount(was[0] & cards), popcount(now[0] & cards)
        held = {step: popcount(theirs & cards) for step, theirs in enumerate(was[1:], 1) if theirs & cards}
        if has == had:
            continue
        if completed(now[0]) >> k & 1:
            own, other = yaku_effect(yaku, "bonus" if obs.rules.bonus else "penalty")
            what = f"{own} more for you" if own else f"{-other} off every other side"
            found.append(Fact(f"completes {yaku}: {what}", f"A yaku can be completed: look at {yaku}.", YAKU_POINTS))
        elif not held and has == SUIT_SIZE - 2:
            words = f"makes two of three for {yaku}"
            found.append(Fact(words, f"A card can be had that makes two of three for {yaku}.", YAKU_POINTS // 4))
        elif had == 0 and len(held) == 1 and 2 in held.values():
            other_side = _side_words(obs, *held)
            words = f"keeps {other_side} from {yaku}, with two of three there"
            found.append(Fact(words, f"Look at what {other_side} has captured: a yaku is near.", YAKU_POINTS - 10))
        elif not held and had == 0:
            begun.append(yaku.syllable)
    if begun:
        words = f"has a first card for {' and '.join(filter(None, (', '.join(begun[:-1]), begun[-1])))}"
        found.append(Fact(words, "Which cards are of use for a yaku?", 6 * len(begun)))
    return found


def _of_kind(obs: Observation, action: Choice) -> list[Fact]:
    suit = engine.suit_of(action.card)
    if action.kind == engine.HIKI:
        held = popcount(obs.hand & suit)
        words = f"takes all four of {CARDS[action.card].suit} and costs {_NUMBERS[held]} cards of your hand"
        return [Fact(words, "Look for a suit of which you see all four cards.", YAKU_POINTS // 2)]
    where = "The Lightning: play it now, or keep it?"
    if action.captures & ~suit:
        taken = CARDS[lowest(action.captures)]
        later = LATER[CHOICES["lightning"][obs.rules.lightning]].format(suit=taken.suit)
        return [Fact(f"uses up the Lightning: {later[0].lower()}{later[1:].rstrip('.')}", where, taken.points)]
    if action.card == LIGHTNING and action.kind == engine.PLAY and obs.rules.lightning != PLAIN:
        return [Fact("uses up the Lightning as an ordinary Willow card", where, -1)]
    return []


def _left(obs: Observation, action: Choice, after: Sequence[int]) -> list[Fact]:
    """Of what other actions would have taken: what can wait, and the dearest card that is left to others."""
    hidden = engine.hidden_cards(after)
    mine, within_reach = after[engine.HANDS + obs.seat], 0
    for other in obs.actions:
        within_reach |= other.captures & after[engine.FIELD]
    found, dear = [], []
    while within_reach:
        card = lowest(within_reach)
        suit = engine.suit_of(card)
        if hidden & suit:
            dear += [left for left in cards_in(within_reach & suit) if CARDS[left].points >= _DEAR]
        elif mine & suit:
            words = f"{CARDS[card].suit} can wait, as nobody else can have any"
            found.append(Fact(words, "Look for cards that only you can take: they can wait.", 8))
        within_reach &= ~suit
    if dear:
        card = max(dear, key=lambda c: CARDS[c].points)
        others = _cards_of(popcount(engine.suit_of(card) & hidden), CARDS[card].suit)
        words = f"leaves {the(card)}, worth {CARDS[card].points}, to {others}"
        found.append(Fact(words, "Look for what you can leave for later.", -1))
    return found
