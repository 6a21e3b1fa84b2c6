"""How a game ended without its rules: because all others resigned, by agreement, or because the host aborted it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from attrs import frozen

from tkid.kernel.game import NOBODY
from tkid.notation.vocabulary import listed
from tkid.record.play.replay import Replay
from tkid.record.plugin import record_plugin
from tkid.rulebook import cites


@frozen
class Outcome:
    """How a game ended, who won, and why.

    `seats` are those who resigned, or those who agreed; `reason` is the host's.
    """

    how: Literal["resigned", "draw", "abandoned", "aborted"]
    winners: tuple[int, ...] = ()
    seats: tuple[int, ...] = ()
    reason: str = ""


@cites("post.resign", "post.agree", "post.agree.all", "post.host.abort")
def outcome(played: Replay) -> Outcome | None:
    """How a game ended without its rules; None where it goes on, or where its rules decided it."""
    if played.position.to_act is None:
        return None
    record, seats = played.record, range(len(played.record.seats))
    comments = [*record.remarks()]
    if not comments:
        return None
    from tkid.record.clock.interventions import Ended  # noqa: PLC0415 - without comments nothing of the clock is needed
    from tkid.record.clock.notes import Back, Resigned, StandIn, note_reader  # noqa: PLC0415 - as above

    gone, bots = set[int](), set[int]()
    for line in map(note_reader(record.names).line, comments):
        match line:
            case Resigned(seat):
                gone.add(seat)
                left = [party for party in record.table.parties if not gone.issuperset(party)]
                if len(left) == 1:
                    return Outcome("resigned", left[0], tuple(sorted(gone)))
            case StandIn(seat, bot=bot):
                gone.discard(seat)
                bots = bots | {seat} if bot else bots - {seat}
            case Back(seat):
                bots.discard(seat)
            case Ended("aborted", reason=reason):
                return Outcome("aborted", reason=reason)
            case Ended(how, agreed=agreed) if {*seats} - gone - bots <= {*agreed}:
                winners = tuple(seat for seat in seats if seat not in gone) if how == "draw" else ()
                return Outcome(how, winners, agreed)
    return None


def shown_position(played: Replay, index: int = -1) -> Any:
    """A position as it is shown: at the end of a game that its rules did not decide, nobody is to act any more."""
    moment = played.moments[index]
    is_end = moment is played.moments[-1] and outcome(played) is not None
    return record_plugin(played.record.game).closed(moment.position) if is_end else moment.position


@cites("record.opening")
def doubt(played: Replay, reader: int | None = None) -> str:
    """What may change how a game ended, in a sentence: a card that others hold unseen; "" where nothing may.

    Whoever took the last turn would have revealed it then. To the `reader` of a letter it says what reading it does.
    """
    last = played.last.turn
    unseen = [each for each in played.unproven if each.ending and not (last and each.seat == last.seat)]
    if not unseen:
        return ""
    card, others = unseen[0].card, [played.record.names[each.seat] for each in unseen if each.seat != reader]
    told = [f"If you hold {card}, reading this letter asks you for its faction."] if len(others) < len(unseen) else []
    if others:
        told.append(f"{listed(others, 'or')} may hold {card}. If so, it is revealed now, and the winner may change.")
    return " ".join(told)


TITLES = {"resigned": "Resignation", "draw": "Draw agreed", "abandoned": "Abandoned", "aborted": "Aborted by the host"}
"""What an early end is called."""


def titled(end: Outcome, names: Sequence[str]) -> str:
    """What an early end is called, and who won: `Resignation: Ann`."""
    return f"{TITLES[end.how]}: {_listed(end.winners, names) or NOBODY}"


def reasons(end: Outcome, names: Sequence[str]) -> list[tuple[str, str]]:
    """Why a game ended early, in sentences, each with its rule."""
    who, several = _listed(end.seats, names), len(end.seats) > 1
    match end.how:
        case "resigned":
            return [
                (f"{who} {'have' if several else 'has'} resigned.", "post.resign"),
                (f"The winner{'s are' if len(end.winners) > 1 else ' is'} {_listed(end.winners, names)}.", ""),
            ]
        case "draw":
            return [(f"{who} agreed to a draw.", "post.agree")]
        case "abandoned":
            return [(f"{who} agreed to abandon the game.", "post.agree"), ("Nobody has won.", "")]
        case "aborted":
            reason = f": {end.reason.removesuffix('.')}" if end.reason else ""
            return [(f"The keeper of the host aborted the game{reason}.", "post.host.abort"), ("Nobody has won.", "")]


def summed_up(end: Outcome, names: Sequence[str]) -> str:
    """That a game is over, why, and who won, in sentences."""
    return " ".join(["The game is over.", *(text for text, _ in reasons(end, names))])


def _listed(seats: Sequence[int], names: Sequence[str]) -> str:
    return listed([names[seat] for seat in seats], "and") if seats else ""
