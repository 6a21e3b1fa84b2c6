"""A mail that answers a letter which the host no longer knows, because it was restored from a backup made before it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from datetime import datetime

from attrs import evolve, frozen

from tkid.club.restoration import KIND, NAME, Restoration
from tkid.host.reply_reader import course
from tkid.host.store.transaction import StoredGame, Transaction
from tkid.mail.desk import service
from tkid.mail.desk.service import HostedGame, Outcome
from tkid.mail.keys import key_for
from tkid.mail.letters.clock_text import moment
from tkid.mail.marker import read_id, read_marker, read_reference
from tkid.mail.model import Intake, Marker, Refusal
from tkid.rulebook import Ids, cites

RESTORED = Ids("club")("restored")
SUBJECT = "the host was restored"
MOST_LINES = 400
"""Lines of a mail in which a letter of ours is looked for."""


@frozen
class Lost:
    """A mail with a key of a letter that the restored host does not know: its game, and the seat that it was for."""

    game: StoredGame
    hosted: HostedGame
    seat: int


def lost_letter(
    transaction: Transaction,
    secret: bytes,
    games: Callable[[], Iterable[StoredGame]],
    taken: Intake,
    words: Collection[str],
) -> Lost | None:
    """The letter that a mail answers, where it went out after the backup was made from which the host was restored.

    Its key shows that it was the host's own: it is made again from the secret, and from what the letter says of itself.
    """
    if not words or restoration(transaction) is None:
        return None
    markers = set(_markers(taken))
    for game in games() if markers else ():
        hosted = HostedGame.stored(game.record, game.memory)
        for seat in hosted.seats:
            if hosted.address(seat).lower() == taken.sender and any(
                key_for(secret, game.id, seat, each.turn, course(hosted, each.after)) in words for each in markers
            ):
                return Lost(game, hosted, seat)
    return None


@cites("club.restored")
def answer(transaction: Transaction, lost: Lost, taken: Intake, now: datetime) -> tuple[Refusal, Outcome | None]:
    """Why a mail that answers a lost letter is filed; and, once a day, the letter that shows the game as it is now."""
    refusal = Refusal(RESTORED, "The mail answers a letter that went out after the backup was made")
    at, day = restoration(transaction), now.date().isoformat()
    if at is None or transaction.counted(taken.sender, day, f"{RESTORED} {lost.game.id}"[:64]) > 1:
        return refusal, None
    text = (
        f"Your mail of {moment(now)} was not carried out. It answers a letter that the host no longer has: the host was "
        f"restored from a backup of {moment(at.copied)}. The game is at turn {lost.hosted.turns + 1} now."
    )
    return refusal, service.told(lost.hosted, text, SUBJECT, now, (lost.seat,))


def told(hosted: HostedGame, at: Restoration, now: datetime) -> Outcome:
    """What all players of a game are told after a restore."""
    text = (
        f"The host was restored from a backup of {moment(at.copied)}. The game is at turn {hosted.turns + 1} now. "
        "If you sent anything since, and it is missing below, send it again."
    )
    return service.told(hosted, text, SUBJECT, now)


def _markers(taken: Intake) -> Iterable[Marker]:
    """What a mail says of the letters of ours that it answers."""
    for parent in taken.parents:
        if (marker := read_id(parent)) is not None:
            yield marker
    for index in range(min(len(taken.lines), MOST_LINES)):
        for read in (read_marker, read_reference):
            if (marker := read(taken.lines, index)) is not None:
                yield evolve(marker, title="", key="")


def restoration(transaction: Transaction) -> Restoration | None:
    """What is remembered of the restore of a host; None where it was never restored."""
    document = transaction.documents.get(KIND, NAME)
    return Restoration.read_text(document.data) if document else None
