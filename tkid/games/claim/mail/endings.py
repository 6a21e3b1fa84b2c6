"""The end of a game in plain sentences: who won, and which factions voted for whom."""

from __future__ import annotations

from collections.abc import Iterable

from tkid.games.claim.mail.tricks import trick_at
from tkid.games.claim.mail.turn_examples import of
from tkid.games.claim.rules import scoring
from tkid.games.claim.rules.deck import VALUES
from tkid.games.claim.rules.position import Position
from tkid.mail.game.early_ends import early_reasons, early_result
from tkid.mail.voice import LINE, Voice, both, fitting, sentence
from tkid.notation.numbers import number
from tkid.record.play.replay import Replay


def result(known: Replay, seat: int | None) -> tuple[str, str]:
    """Who won, for a subject, and by how many votes; "" while the game goes on."""
    _, position = of(known)
    if position.to_act is not None:
        return early_result(known, seat)
    voice, votes = Voice(known.record.names, seat), _votes(position)
    if not position.winners:
        return "a draw", "The game is drawn: nobody has the votes of three factions."
    (winner,) = position.winners
    won, other = f"{voice.who(winner)} won", 1 - winner
    count = f"{number(len(votes[winner]))} factions voted for {voice.who(winner)}"
    rest = f"{number(len(votes[other])) if votes[other] else 'none'} for {voice.who(other)}"
    return voice.won((winner,)), fitting(LINE, sentence(f"{won}: {count}, {rest}"), sentence(won))


def _votes(position: Position) -> list[list[str]]:
    """The factions that voted for each seat."""
    cast = list(scoring.votes(position.scores))
    return [[each.faction.plural for each in cast if each.seat == seat] for seat in position.seats]


def decided(known: Replay, seat: int | None) -> list[str]:
    """Who took the last trick, who voted for whom, and what broke ties."""
    _, position = of(known)
    voice = Voice(known.record.names, seat)
    if position.to_act is not None:
        return early_reasons(known, seat)
    trick = trick_at(known, len(known.moments) - 1)
    last = [f"{voice.who(trick.winner)} took the last trick"] if trick else []
    votes = [(f"the {both(cast)}", each) for each, cast in enumerate(_votes(position)) if cast]
    voted = [f"{cast} {'' if index else 'voted '}for {voice.who(each)}" for index, (cast, each) in enumerate(votes)]
    return [sentence(each) for each in (*last, *([", ".join(voted)] if voted else []), *_ties(position, voice))]


def _ties(position: Position, voice: Voice) -> Iterable[str]:
    """The factions of which both had as many cards, and what broke that."""
    ties = []
    for vote in scoring.votes(position.scores):
        counts = [sum(card[0] == vote.faction.letter for card in pile) for pile in position.scores]
        if counts[0] != counts[1]:
            continue
        if vote.seat is None:
            ties.append(f"the {vote.faction.plural} voted for nobody")
            continue
        best = max(VALUES[card] for card in position.scores[vote.seat] if card[0] == vote.faction.letter)
        ties.append(f"{voice.whose(vote.seat)} {vote.faction.name} {best} broke a tie of {counts[0]} to {counts[0]}")
    if ties:
        yield both(ties)
