"""What passing would do now, played through with the engine."""

from __future__ import annotations

from tkid.games.struggle.mail.phrases import Phrases
from tkid.games.struggle.mail.turn_examples import of
from tkid.games.struggle.rules.game import PASS, Struggle
from tkid.games.struggle.rules.position import Position
from tkid.games.struggle.rules.turns.struggles import ResolvedRegion
from tkid.mail.voice import Voice, both, sentence
from tkid.record.play.replay import Replay


def outlook(known: Replay, seat: int) -> str:
    """What happens if everybody passes from now on, up to the next power struggle; "" where nobody can pass.

    Whether anybody can still act does not change by passing, so all of it is certain but the winner where hands are secret.
    """
    game, position = of(known)
    if position.decision != "play" or position.to_act is None:
        return ""
    passers, struggle, after = _all_pass(game, position)
    if struggle is None:
        return ""
    voice = Voice(known.record.names, seat)
    told = sentence(f"if {_passes(voice, passers)}, {Phrases(game.board, past=False).struggle(struggle)}")
    return " ".join([told, *_ends(game, after, voice)])


def _all_pass(game: Struggle, position: Position) -> tuple[list[int], ResolvedRegion | None, Position]:
    """Who passes until a power struggle comes, that struggle, and the position then."""
    passers: list[int] = []
    for _ in position.seats:
        assert position.to_act is not None
        passers.append(position.to_act)
        position, events = game.apply(position, PASS)
        for event in events:
            if isinstance(event.about, ResolvedRegion):
                return passers, event.about, position
    return passers, None, position


def _passes(voice: Voice, passers: list[int]) -> str:
    """That some players pass: `you pass and Bob then passes too`."""
    first, *then = passers
    told = f"{voice.who(first)} {voice.verb([first], 'passes', 'pass')}"
    if not then:
        return told
    return f"{told} and {both(map(voice.who, then))} then {voice.verb(then, 'passes', 'pass')} too"


def _ends(game: Struggle, after: Position, voice: Voice) -> list[str]:
    """That this ends the game, and who wins then, if that is known."""
    if game.end.ending(after) is None:
        return []
    if game.secret or after.to_act is not None:
        return ["That ends the game."]
    winners = after.winners
    wins = f"{voice.every(winners) or 'nobody'} {voice.verb(winners, 'wins', 'win') if winners else 'wins'}"
    return [sentence(f"that ends the game, and {wins}")]
