"""A position and a turn told to people: the headline, what the trick would bring, what the last turn did.

Views hide what a seat may not know, so nothing here asks who looks, but for events that only one seat may hear.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tkid.games.claim.rules import scoring
from tkid.games.claim.rules.deck import DOPPELGANGER, DWARF, FACTIONS, GOBLIN, HAND, NAMES, UNDEAD, VALUES, Card
from tkid.games.claim.rules.game import Claim
from tkid.games.claim.rules.moves import Play, hand_of
from tkid.games.claim.rules.position import PHASES, Position
from tkid.games.claim.rules.tricks import Trick
from tkid.games.claim.rules.views import View
from tkid.kernel.game import HIDDEN, Event
from tkid.notation.numbers import counted, counted_in_words, number
from tkid.notation.vocabulary import listed, with_article
from tkid.render.tale import Tale, Told

if TYPE_CHECKING:  # a text needs nothing that draws
    from tkid.render.picture import LastTurn

WHY = {"claim.power.knights": "a Knight beats any Goblin", "claim.trick.tie": "equal cards go to the leader"}
"""Why somebody took a trick where it was not simply the higher card, by rule."""
HIGHEST = 9
REVEALED = "claim.recruit.draw"
"""The rule of the event that only one seat may hear in full."""


# -- a position -------------------------------------------------------------------------------------------


def headline(_: Claim, view: View, names: Sequence[str]) -> str:
    """Who plays, and what was led or is the prize; or how the game ended."""
    shown = view.shown
    if shown.to_act is None:
        return result(shown, names)
    name = names[shown.to_act]
    if shown.led is not None:
        return f"{name} to play: {NAMES[shown.led]} was led"
    if shown.prize is None:
        return f"{name} to lead: {_stage(shown)}"
    return f"{name} to lead: {_prize(shown.prize)} is the prize"


def stage(shown: Position) -> str:
    """Phase and trick, as the start of a sentence; "" where the headline has them, and when the game is over."""
    said = shown.to_act is None or (shown.led is None and shown.prize is None)
    return "" if said else _stage(shown).capitalize()


def _stage(shown: Position) -> str:
    return f"phase {PHASES[shown.phase]}, trick {shown.trick} of {HAND}"


def result(shown: Position, names: Sequence[str]) -> str:
    """How a game ended, in a few words."""
    if not shown.winners:
        return f"A draw: nobody has {number(scoring.NEEDED)} factions"
    (winner,) = shown.winners
    return f"{names[winner]} wins: {_score(shown, winner)}"


def ending(shown: Position, names: Sequence[str], you: int | None) -> str:
    """The same for one of the players: `you win, three factions to two`."""
    if not shown.winners:
        return "the game is a draw"
    (winner,) = shown.winners
    return f"{'you win' if winner == you else f'{names[winner]} wins'}, {_score(shown, winner)}"


def _score(shown: Position, winner: int) -> str:
    votes = _votes(shown)
    return f"{_factions(votes[winner])} to {_count(votes[1 - winner])}"


def forecast(_: Claim, view: View, names: Sequence[str]) -> str:
    """What the next player may play and what would win the trick, or what is played for; "" when the game is over."""
    shown = view.shown
    if shown.to_act is None:
        return ""
    if shown.led is not None:
        return _follow(shown, shown.led, names[shown.to_act])
    if shown.prize is None:
        return standing(shown, names)
    return f"The winner takes {_prize(shown.prize)}, the loser the next card of the deck."


def _follow(shown: Position, led: Card, name: str) -> str:
    """What may be played on a card as far as that is certain, and what beats it."""
    faction, hand = FACTIONS[led[0]], hand_of(shown)
    one = with_article(faction.name)
    wild = led[0] != DOPPELGANGER
    if not any(card[0] == led[0] for card in hand.cards):
        ways = ["a higher Doppelganger"] * (wild and VALUES[led] < HIGHEST) + ["a Knight"] * (led[0] == GOBLIN)
        return f"{name} has no {faction.plural} and may play any card; {_wins(led, ways)}."
    higher = ["a higher one"] * (VALUES[led] < HIGHEST)
    if hand.follows is not None:
        return f"{name} must follow with {one}{' or a Doppelganger' * wild}; {_wins(led, higher)}."
    also = ", or play a Doppelganger" * wild
    return (
        f"{name} must follow with {one} if possible{also}; {_wins(led, [*higher, *['a Knight'] * (led[0] == GOBLIN)])}."
    )


def _wins(led: Card, ways: Sequence[str]) -> str:
    """What wins a trick against a card."""
    return f"only {listed(ways, 'or')} wins" if ways else f"nothing beats {NAMES[led]}"


def standing(shown: Position, names: Sequence[str]) -> str:
    """Who would win with the votes as they are, as a sentence."""
    votes = _votes(shown)
    ahead = max(shown.seats, key=votes.__getitem__)
    if votes[ahead] >= scoring.NEEDED:
        return f"As it stands, {names[ahead]} wins, {_score(shown, ahead)}."
    needed = f"{number(scoring.NEEDED)} win"
    if votes[0] == votes[1]:
        return f"As it stands, {f'both have {_factions(votes[0])}' if votes[0] else 'nobody has a faction'}; {needed}."
    other = names[1 - ahead]
    return (
        f"As it stands, {names[ahead]} has {_factions(votes[ahead])} and {other} {_count(votes[1 - ahead])}; {needed}."
    )


def _votes(shown: Position) -> list[int]:
    """The number of factions that vote for each seat with the score piles as they are."""
    cast = [vote.seat for vote in scoring.votes(shown.scores)]
    return [cast.count(seat) for seat in shown.seats]


def _count(votes: int) -> str:
    return number(votes) if votes else "none"


def _factions(count: int) -> str:
    return counted_in_words(count, "faction")


def _prize(card: Card) -> str:
    return "the hidden card" if card == HIDDEN else NAMES[card]


# -- a turn -----------------------------------------------------------------------------------------------


def _completed(last: LastTurn) -> Trick | None:
    """The trick that a turn completed; None for a card that was led, and where the position before is not known."""
    return None if last.before is None else Trick.of(last.before, last.moves[0].card)


def told(_: Claim, view: View, names: Sequence[str], last: LastTurn) -> str:
    """The last turn as a sentence."""
    who, (move, *_rest) = names[last.seat], last.moves
    assert isinstance(move, Play)
    trick = _completed(last)
    if trick is None:
        return f"{who} led {NAMES[move.card]}."
    won = _recruited if trick.before.phase == 1 else _gathered
    why = f", as {WHY[trick.verdict.rule]}" if trick.verdict.rule in WHY else ""
    heard = [event.seen(view.seat) for event in last.events]
    return f"{who} played {NAMES[move.card]} on {NAMES[trick.led]}. {names[trick.winner]} took {won(trick, names, why, heard)}."


def _recruited(trick: Trick, names: Sequence[str], why: str, events: Sequence[Event]) -> str:
    """What a trick of phase one brought, behind `took`."""
    loser, prize = 1 - trick.winner, trick.before.prize
    drawn = next((event.about for event in events if event.rule == REVEALED and event.about is not None), None)
    gained = "the prize" if prize in {None, HIDDEN} else NAMES[prize]
    undead = [NAMES[card] for card in trick.of_kind(UNDEAD)]
    scored = f", scoring {listed(undead, 'and')}" if undead else ""
    new = "the next card" if drawn is None else NAMES[drawn]
    return f"the trick{why}{',' * bool(why)} and recruited {gained}{scored}; {names[loser]} drew {new}"


def _gathered(trick: Trick, names: Sequence[str], why: str, _: Sequence[Event]) -> str:
    """What a trick of phase two brought, behind `took`."""
    dwarves, loser = trick.of_kind(DWARF), names[1 - trick.winner]
    if len(dwarves) > 1:
        return f"the trick{why}, but both Dwarves went to {loser}"
    return f"the trick{why}, but {NAMES[dwarves[0]]} went to {loser}" if dwarves else f"both cards{why}"


def tale(_: Claim, view: View, names: Sequence[str], last: LastTurn) -> Tale:
    """The last turn step by step."""
    shown, trick = view.shown, _completed(last)
    card, who = NAMES[last.moves[0].card], names[last.seat]
    heading = f"{who} leads {card}" if trick is None else f"{who} plays {card} on {NAMES[trick.led]}"
    steps = [Told(f"{event.seen(view.seat).read(names)}.", event.rule) for event in last.events]
    if shown.to_act is None:
        steps = [*steps[: -1 - len(scoring.result(shown.scores).chain)], *_counted(shown, names)]
    return Tale(heading, tuple(steps), tuple(_changes(shown, names, last.before)), _next(shown, names))


def _counted(shown: Position, names: Sequence[str]) -> Iterator[Told]:
    """How the votes are counted at the end."""
    for vote in scoring.votes(shown.scores):
        counts = [sum(card[0] == vote.faction.letter for card in pile) for pile in shown.scores]
        whose = "nobody" if vote.seat is None else names[vote.seat]
        most, least = max(counts), min(counts)
        how = f"{counted(most, 'card')} to {least}"
        if most == least:
            best = max(
                (VALUES[card] for pile in shown.scores for card in pile if card[0] == vote.faction.letter), default=0
            )
            how = f"{most} each" + (f", and {vote.faction.name} {best} is the highest" if vote.seat is not None else "")
        yield Told(f"The {vote.faction.plural} vote for {whose}: {how}.", vote.step.rule)
    yield Told(f"{result(shown, names)}.", scoring.ENDINGS[shown.ending or scoring.DRAWN])


def _changes(shown: Position, names: Sequence[str], before: Position | None) -> Iterator[str]:
    """Which factions vote for somebody else now, and who would win with that."""
    if before is None or shown.to_act is None:
        return
    changed = False
    for then, now in zip(scoring.votes(before.scores), scoring.votes(shown.scores), strict=True):
        if then.seat != now.seat:
            changed = True
            yield f"The {now.faction.plural} now vote for {'nobody' if now.seat is None else names[now.seat]}."
    if changed:
        yield standing(shown, names)


def _next(shown: Position, names: Sequence[str]) -> str:
    """Who is next; "" after the end."""
    if shown.to_act is None:
        return ""
    return f"{names[shown.to_act]} {'leads the next trick' if shown.led is None else 'plays next'}."
