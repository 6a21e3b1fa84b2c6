"""The letters and lists of the owner's desk."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from tkid.club.club_state import write_club_letter
from tkid.club.desk_orders import TABLE, Ways
from tkid.mail import game_clock, letter_parts
from tkid.mail.blocks import Blocks, Events, Facts, Heading, Paragraph, Quote
from tkid.mail.game_clock import read_game_clock
from tkid.mail.game_service import HostedGame
from tkid.mail.order_machine import ClubLetter
from tkid.mail.plugin import ENDS_IN_SUBJECT, find_mail_plugin
from tkid.notation.text import capitalize_text
from tkid.record.play.note_chain import make_hash_remover
from tkid.record.play.replay import find_early_end
from tkid.rulebook import cites

MOST_SHOWN = 40
"""Rows of a list in a mail."""
LAST_TURNS = 5
LONGEST_TEXT = 4000
"""Characters of a filed mail that a letter shows."""


def describe_state(game: HostedGame, now: datetime) -> str:
    """Describe the state of a game in a line: whose turn and until when, or how it ended."""
    turn, seat, clock = len(game.record.turns) + 1, game.to_act, read_game_clock(game.time, now)
    if game.time.over:
        return f"over {f'after turn {turn - 1}' if turn > 1 else 'before the first turn'}: {describe_end(game)}"
    if game.time.adjourned is not None:
        return f"turn {turn}, adjourned since {game_clock.format_moment(game.time.adjourned)}"
    whose = f"turn {turn}"
    if seat is not None:
        whose += f", {game.names[seat]} to {game.replay.position.decision}"
    paused = game.time.paused
    if paused is not None and (paused.until is None or now.date() < paused.until):
        return f"{whose}, paused"
    return whose + (f", {game_clock.describe_deadline(clock)}" if clock else "")


def describe_end(game: HostedGame) -> str:
    """Describe how a game ended: who won and by what, or that it was a draw, given up or ended by the host."""
    short, sentence = find_mail_plugin(game.record.game).describe_result(game.replay, None)
    early = find_early_end(game.replay)
    return short if early is not None and early.how in ENDS_IN_SUBJECT else sentence.rstrip(".")


def make_game_line(name: str, game: HostedGame, now: datetime) -> tuple[bool, str, str, str]:
    """Return what a list says of a game: if it has no clock, its deadline, its name and state. In their order, the nearest is first."""
    clock = read_game_clock(game.time, now)
    return clock is None, clock.deadline.isoformat() if clock else "", name, describe_state(game, now)


def list_hosted_games(games: Sequence[tuple[bool, str, str, str]], most: int | None) -> Blocks:
    """Return the games, nearest deadline first; `most` is the maximum, None for all."""
    if not games:
        return (Paragraph("There is no game."),)
    rows = tuple(line[2:] for line in sorted(games)[:most])
    left = len(games) - len(rows)
    return (Facts(rows), *([Paragraph(f"{left} more are not listed here: run `tkid host games`.")] if left else []))


def describe_game(game: HostedGame, letters_back: Sequence[tuple[str, str]]) -> Blocks:
    """Describe one game: its players, the last turns, comments in the record, letters that came back. Nobody's plans or cards."""
    last = [moment for moment in game.replay.moments[1:] if moment.turn is not None][-LAST_TURNS:]
    turns = tuple(
        (str(moment.turn.number), moment.line.partition(" ")[2] + "".join(f" {{{note}}}" for note in moment.turn.notes))
        for moment in last
        if moment.turn
    )
    seats = tuple(
        (game.names[seat], ", ".join(filter(None, (_name_stand_in(game, seat), game.find_address(seat)))))
        for seat in game.seats
    )
    lines = [text for turn in game.record.turns for text in turn.comments] + list(game.record.end)
    lines = [*make_hash_remover(game.record)(tuple(lines))]
    notes = tuple(("", line.lstrip("# ")) for line in lines[-LAST_TURNS:])
    return (
        Heading("PLAYERS"),
        Facts(seats),
        *((Heading("LAST TURNS"), Events(turns)) if turns else ()),
        *((Heading("NOTES IN THE RECORD"), Events(notes)) if notes else ()),
        *((Heading("LETTERS THAT CAME BACK"), Facts(tuple(letters_back))) if letters_back else ()),
    )


def _name_stand_in(game: HostedGame, seat: int) -> str:
    time = game.time.seats[seat]
    if time.stand_in is not None:
        return f"played by {'the bot ' if time.stand_in.bot else ''}{time.stand_in.name}"
    return "" if time.plays else "resigned"


def list_filed(mails: Sequence[tuple[str, str]], ways: Ways, *, every: bool) -> Blocks:
    """Return filed mails, the latest first: those that still wait for somebody, or `every` one."""
    more = Paragraph(f"To see all filed mails, even answered ones, {ways.explain('filed all')}.")
    others = () if every else (more,)
    if not mails:
        return others
    how = f"To read one, {ways.explain('show')}. To carry it out after all, {ways.explain('process')}."
    return (Facts(tuple(mails[:MOST_SHOWN])), Paragraph(how), *others)


def show_filed_mail(mail: tuple[str, str], text: Sequence[str]) -> Blocks:
    shown_text = "\n".join(text)[:LONGEST_TEXT].strip()
    return (Facts((mail,)), Quote(shown_text) if shown_text else Paragraph("Its text is not kept any more."))


def list_owner_orders() -> Blocks:
    rows = tuple(("", f"{capitalize_text(kind.help)}: {kind.form}") for kind in TABLE)
    reason = "Write the reason after a colon. It goes into the record, and every player reads it."
    return (Events(rows), Paragraph(reason))


@cites("club.desk.address")
def write_moved_away(game: HostedGame, seat: int, name: str, now: datetime) -> ClubLetter:
    """Write to a player's old address: mails go to another one from now on."""
    text = "You do not get mails about it here any more. If you did not ask for this, write to the person who runs the host."
    lead = f"The host writes to another address about {name} from now on."
    lead = letter_parts.choose_lead(lead, "The host writes to another address from now on.")
    to, subject = (game.find_address(seat), game.find_player(seat)), f"[{name}] your address was changed"
    return write_club_letter(to, "game", subject, lead, (Paragraph(text),), now)
