"""Cards, tricks and results of Claim in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tkid.games.claim import rules
from tkid.games.claim.rules import DWARF, NAMES, UNDEAD, Card, Position, Trick
from tkid.kernel.game import HIDDEN, Event
from tkid.notation.text import count_noun_in_words, spell_number
from tkid.notation.voice import Voice, inflect_verb, list_and

WHY = {"claim.power.knights": "a Knight beats any Goblin", "claim.trick.tie": "equal cards go to the leader"}
"""Reasons for winning a trick other than simply the higher card, by rule."""


def say(voice: Voice, seat: int, verb: str, what: str) -> str:
    """Say what a player does: `Ann leads Goblin 5`."""
    return f"{voice.name_player(seat)} {voice.inflect(verb, seat)} {what}"


def describe_card(voice: Voice, seat: int, card: Card, trick: Trick | None) -> str:
    """Describe a card and who wins the trick that it completes: `Bob plays Goblin 8 on Ann's Goblin 5 and wins the trick`."""
    if trick is None:
        return say(voice, seat, "lead", NAMES[card])
    played = say(voice, seat, "play", f"{NAMES[card]} on {voice.name_owner(trick.leader)} {NAMES[trick.led]}")
    won = describe_winning(voice, trick)
    if trick.winner == seat:
        return f"{played} and {won.removeprefix(voice.name_player(seat)).lstrip()}"
    return f"{played}, and {won}"


def describe_winning(voice: Voice, trick: Trick) -> str:
    why = f", as {WHY[trick.verdict.rule]}" if trick.verdict.rule in WHY else ""
    return say(voice, trick.winner, "win", f"the {'last ' * trick.last}trick{why}")


def list_gains(voice: Voice, trick: Trick, drawn: Card | None = None) -> Iterator[str]:
    """Yield what the players gain by a trick; `drawn` is the card that the loser draws, if the reader may know it."""
    loser, prize = 1 - trick.winner, trick.before.prize
    if trick.before.phase == 1:
        recruited = say(
            voice, trick.winner, "recruit", "the prize" if prize is None or prize == HIDDEN else NAMES[prize]
        )
        new = "the next card, unseen" if drawn is None else f"{NAMES[drawn]} as a follower"
        yield f"{recruited}, and {say(voice, loser, 'draw', new)}"
        yield from _list_scored(voice, trick.of_kind(UNDEAD), trick.winner)
    else:
        dwarves = trick.of_kind(DWARF)
        yield from _list_scored(voice, [card for card in trick.cards if card not in dwarves], trick.winner)
        yield from _list_scored(voice, dwarves, loser)


def _list_scored(voice: Voice, cards: Sequence[Card], seat: int) -> Iterator[str]:
    if cards:
        go = inflect_verb("go", one=len(cards) == 1, past=voice.past)
        yield f"{list_and(NAMES[card] for card in cards)} {go} to {voice.name_owner(seat)} score pile"


def find_drawn_card(events: Sequence[Event]) -> Card | None:
    """Return the card that the loser of a trick draws, if the reader of these events may know it."""
    return next((event.about for event in events if event.about is not None), None)


def count_votes(shown: Position) -> list[int]:
    cast = [vote.seat for vote in rules.list_votes(shown.scores)]
    return [cast.count(seat) for seat in shown.seats]


def compare_votes(shown: Position, winner: int) -> str:
    """Compare the votes of the players: `three factions to two`."""
    votes = count_votes(shown)
    return f"{count_noun_in_words(votes[winner], 'faction')} to {spell_number(votes[1 - winner]) if votes[1 - winner] else 'none'}"


def describe_claim_result(shown: Position, voice: Voice) -> str:
    if not shown.winners:
        return f"the game {'was' if voice.past else 'is'} drawn: nobody {'had' if voice.past else 'has'} {spell_number(rules.NEEDED)} factions"
    (winner,) = shown.winners
    return say(voice, winner, "win", f"by {compare_votes(shown, winner)}")
