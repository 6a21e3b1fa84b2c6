"""What the owner of a host is shown: the games, one game, the mails that were filed. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from attrs import frozen

from tkid.club.desk.language import TABLE
from tkid.club.desk.ways import Ways
from tkid.mail.desk.service import HostedGame
from tkid.mail.game.clock import shown
from tkid.mail.game.early_ends import SHORT
from tkid.mail.letters import clock_text
from tkid.mail.letters.blocks import Blocks, Events, Facts, Heading, Paragraph, Quote
from tkid.mail.plugin import mail_plugin
from tkid.record.play.note_chain import shear
from tkid.record.play.outcome import outcome

MOST_SHOWN = 40
"""Rows of a list in a mail."""
LAST_TURNS = 5
LONGEST_TEXT = 4000
"""Characters of a filed mail that a letter shows."""


@frozen
class FiledMail:
    """A mail that was filed or put aside: number, when it came, who it says it is from, its subject, and why."""

    number: int
    received: datetime
    sender: str
    subject: str
    reason: str
    state: str

    @property
    def row(self) -> tuple[str, str]:
        """Its row in a list."""
        who = self.sender or "an unknown sender"
        about = f", “{self.subject}”" if self.subject else ""
        return str(self.number), f"{self.received:%Y-%m-%d %H:%M}, {who}{about}: {self.reason or self.state}"


# -- games ------------------------------------------------------------------------------------------------


def stands(game: HostedGame, now: datetime) -> str:
    """How a game stands, in a line: whose turn and until when, or how it ended."""
    turn, seat, clock = len(game.record.turns) + 1, game.to_act, shown(game.time, now)
    if game.time.over:
        return f"over {f'after turn {turn - 1}' if turn > 1 else 'before the first turn'}: {ended(game)}"
    if game.time.adjourned is not None:
        return f"turn {turn}, adjourned since {clock_text.moment(game.time.adjourned)}"
    whose = (
        f"turn {turn}, {game.names[seat]} to {game.replay.position.decision}" if seat is not None else f"turn {turn}"
    )
    if is_paused(game, now):
        return f"{whose}, paused"
    return whose + (f", {clock_text.deadline(clock)}" if clock else "")


def is_paused(game: HostedGame, now: datetime) -> bool:
    """Whether a pause goes on."""
    paused = game.time.paused
    return paused is not None and (paused.until is None or now.date() < paused.until)


def ended(game: HostedGame) -> str:
    """How a game ended: who won and by what, or that it was a draw, given up or ended by the host."""
    short, sentence = mail_plugin(game.record.game).result(game.replay, None)
    early = outcome(game.replay)
    return short if early is not None and early.how in SHORT else sentence.rstrip(".")


def listed(games: Sequence[tuple[str, HostedGame]], now: datetime, most: int | None) -> Blocks:
    """The games, nearest deadline first; `most` is how many at most, None for all."""
    if not games:
        return (Paragraph("There is no game."),)

    def when(entry: tuple[str, HostedGame]) -> tuple[bool, str, str]:
        clock = shown(entry[1].time, now)
        return clock is None, clock.deadline.isoformat() if clock else "", entry[0]

    rows = tuple((name, stands(game, now)) for name, game in sorted(games, key=when)[:most])
    left = len(games) - len(rows)
    return (Facts(rows), *([Paragraph(f"{left} more are not listed here: run `tkid host games`.")] if left else []))


def one_game(game: HostedGame, letters_back: Sequence[tuple[str, str]]) -> Blocks:
    """One game: its players, the last turns, comments in the record, letters that came back. Nobody's plans or cards."""
    last = [moment for moment in game.replay.moments[1:] if moment.turn is not None][-LAST_TURNS:]
    turns = tuple(
        (str(moment.turn.number), moment.line.partition(" ")[2] + _marks(moment.turn.notes))
        for moment in last
        if moment.turn
    )
    seats = tuple(
        (game.names[seat], ", ".join(filter(None, (_plays(game, seat), game.address(seat))))) for seat in game.seats
    )
    lines = [text for turn in game.record.turns for text in turn.comments] + list(game.record.end)
    lines = [*shear(game.record)(tuple(lines))]
    back = tuple((address, reason) for address, reason in letters_back)
    return (
        Heading("PLAYERS"),
        Facts(seats),
        *((Heading("LAST TURNS"), Events(turns)) if turns else ()),
        *(
            (Heading("NOTES IN THE RECORD"), Events(tuple(("", line.lstrip("# ")) for line in lines[-LAST_TURNS:])))
            if lines
            else ()
        ),
        *((Heading("LETTERS THAT CAME BACK"), Facts(back)) if back else ()),
    )


def _marks(notes: Sequence[str]) -> str:
    return "".join(f" {{{note}}}" for note in notes)


def _plays(game: HostedGame, seat: int) -> str:
    """Who plays a seat, where that is not its player."""
    time = game.time.seats[seat]
    if time.stand_in is not None:
        return f"played by {'the bot ' if time.stand_in.bot else ''}{time.stand_in.name}"
    return "" if time.plays else "resigned"


# -- filed mails ------------------------------------------------------------------------------------------


def filed(mails: Sequence[FiledMail], ways: Ways, *, every: bool) -> Blocks:
    """Filed mails, the latest first: those that still wait for somebody, or `every` one."""
    others = (
        () if every else (Paragraph(f"To see all filed mails, also those that were answered, {ways.to('filed all')}."),)
    )
    if not mails:
        return others
    rows = tuple(mail.row for mail in mails[:MOST_SHOWN])
    how = f"To read one, {ways.to('show')}. To carry it out after all, {ways.to('process')}."
    return (Facts(rows), Paragraph(how), *others)


def one_mail(mail: FiledMail, text: Sequence[str]) -> Blocks:
    """One filed mail, with what it says."""
    shown_text = "\n".join(text)[:LONGEST_TEXT].strip()
    return (Facts((mail.row,)), Quote(shown_text) if shown_text else Paragraph("Its text is not kept any more."))


# -- help -------------------------------------------------------------------------------------------------


def orders() -> Blocks:
    """What the owner may order."""
    rows = tuple(("", f"{kind.help[:1].upper()}{kind.help[1:]}: {kind.form}") for kind in TABLE)
    reason = "A reason goes after a colon. It is written into the record, and every player reads it."
    return (Events(rows), Paragraph(reason))
