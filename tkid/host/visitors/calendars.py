"""The calendar file that a turn mail carries, where its reader wishes it."""

from __future__ import annotations

from tkid.host.store.transaction import Transaction
from tkid.host.visitors.kept_back import member_of
from tkid.mail.game.hosted_game import HostedGame
from tkid.mail.letters.blocks import Letter
from tkid.mail.letters.mime_writer import Part, text_part
from tkid.rulebook import cites

NAME = "deadline.ics"


@cites("club.calendar")
def calendar_files(
    transaction: Transaction, name: str, game: HostedGame, letter: Letter, address: str
) -> tuple[Part, ...]:
    """The deadline of the turn that a letter asks for, as a file for its reader's calendar."""
    if letter.kind != "turn" or game.awaited != letter.seat or not member_of(transaction, address).calendar:
        return ()
    from tkid.club.pages.calendar import calendar_of, deadlines  # noqa: PLC0415 - few letters need it

    due = list(deadlines(name, game))
    if not due:
        return ()
    text = calendar_of(due).decode().replace("\r\n", "\n")
    return (text_part(text, "text/calendar; method=PUBLISH", f'Content-Disposition: attachment; filename="{NAME}"'),)
