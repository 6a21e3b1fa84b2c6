"""Commands to play from hand to hand, without a server: letter new, letter read, letter write, and those of sealed seeds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tkid.cli.letters.beside import brought_up, note_no_deal, own_deal, tell_owed, with_letter
from tkid.cli.letters.escrow import escrow, escrow_key, escrow_open
from tkid.cli.letters.new import finish_deal, new
from tkid.cli.letters.what_next import tell_next
from tkid.cli.support import DEAL, WRONG, as_typed, fail
from tkid.cli.support.mails import (
    At,
    Output,
    check_sender,
    check_terminal,
    enclosed_of,
    mail_bytes,
    read_time,
    send_letter,
    write_letter,
)
from tkid.cli.support.outputs import check_output
from tkid.cli.support.own_files import Me, is_all_sent, is_unsent, known_hands, note_owner, note_sent, own_hand, owner
from tkid.cli.support.printing import print_events, print_problems, print_turns
from tkid.cli.support.seats import seat_of
from tkid.cli.support.sources import create_record, load, open_to_change, play_through
from tkid.notation.numbers import counted
from tkid.notation.vocabulary import listed
from tkid.rulebook import cites

if TYPE_CHECKING:
    from tkid.mail.inbound.enclosure import Enclosed
    from tkid.record.exchange.comparison import Comparison
    from tkid.record.format.model import Record, Seat
    from tkid.record.play.replay import Replay

app = typer.Typer()
app.command(epilog='Example: tkid letter new winter.draw --seat "Ann <ann@example.org>" --seat Bob --me Ann')(new)

Game = Annotated[Path, typer.Argument(help="Your own file of the game.", metavar="FILE")]
EVERYBODY = "all"
MOST_PROBLEMS = 8
"""Problems of a letter's record that are shown."""
HINT_WIDTH = 74


@app.command(epilog="Example: tkid letter read winter.tkid from-bob.eml")
def read(
    game: Game,
    letter: Annotated[str, typer.Argument(help="The other player's mail or game file. - reads standard input.")],
    me: Me = "",
    begin: Annotated[bool, typer.Option("--begin", help="Start a new FILE from this letter.")] = False,
    restore: Annotated[
        bool, typer.Option("--restore", help="Take your own turns too, because your file was lost or is old.")
    ] = False,
    agree: Annotated[
        bool,
        typer.Option(
            "--agree",
            help="Agree to marks that a turn stands, or was taken back, to a resignation that its player did not send, and to a last card without proof.",
        ),
    ] = False,
) -> None:
    """Add the other player's new turns to your file. If the letter does not fit your file, nothing changes and you are told why."""
    from tkid.cli.support.files import write_atomically
    from tkid.mail.inbound.enclosure import RECORD
    from tkid.mail.peers.resigning import passed
    from tkid.record.exchange.comparison import Kind, compare
    from tkid.record.play.writer import write_record

    data = mail_bytes(letter)
    enclosed = enclosed_of(letter, data, RECORD, ".tkid")
    if begin:
        _begin(game, letter, enclosed, me, agree=agree)
        return
    if not game.exists():
        finish_deal(game, letter, me)
    if not game.exists():
        fail(f"{game} does not exist. To start it from {letter}, add --begin.")
    with open_to_change(game, "Nothing was taken") as own_data:
        mine = play_through(game, own_data)
        known = owner(game, mine.record, me)
        seat = None if restore else _reader(mine.record, known, enclosed)
        writers = {*senders(mine.record, enclosed), *({_reader(mine.record, known, enclosed)} if restore else ())}
        comparison = compare(mine, enclosed.text, seat, agree=agree, writers=writers - {None})
        after = comparison.replay
        _check_intent(letter, comparison, data, agree=agree or not enclosed.mail)
        with own_deal(game, mine.record) as own:
            fits = comparison.kind in {Kind.CONTINUES, Kind.SAME, Kind.STALE}
            now = with_letter(own, letter, mine, after or mine, agree=agree) if own is not None and fits else None
            if now is not None and (told := now.told(after or mine)) is not mine:
                after = told
            if after is not None:
                after = passed(after)
                write_atomically(game, write_record(after.record, after))
                note_sent(game)
    brought = own is not None and now is not None and now.deal != own.deal
    if comparison.kind not in {Kind.CONTINUES, Kind.SAME} and not brought:
        guessed = mine.record.names[seat] if seat is not None and known is None else ""
        _print_diagnosis(letter, enclosed, comparison, guessed)
        fail("Nothing was changed.", WRONG)
    if after is not None:
        _print_new(game, mine, after, comparison.new)
        if seat is None and not restore and not _is_dealers(mine.record):
            typer.echo("Note: It was not checked that none of these turns is your own. Add --me NAME to check it.")
    else:
        kept = "What it has of the deal was added." if brought else "Nothing was changed."
        typer.echo(f"{letter}: {comparison.message}. [{comparison.rule}]\n{kept}")
    _print_notes(comparison, enclosed, own=known in senders(mine.record, enclosed))
    tell_next(game, after or mine)
    if own is not None and now is not None:
        tell_owed(after or mine, now, own)
    else:
        note_no_deal(game, mine.record, "no card in this letter was checked")


@cites("mail.doubt")
def _check_intent(letter: str, comparison: Comparison, data: bytes, *, agree: bool) -> None:
    """End the command where words above the letter withdraw or doubt the turns that it brings."""
    from tkid.mail.peers.turns import own_words
    from tkid.notation.judge import Line, judge_whole

    after = comparison.replay
    if after is None or not comparison.new or agree:
        return
    lines = own_words(after, data)
    verdict = judge_whole([*map(Line, lines), *([Line("", "turn")] if lines else [])], after.record.names)
    if verdict.act == "ask":
        way = "If the new turns count all the same, add --agree."
        fail(f"{letter}: its sender also wrote `{verdict.reason}`. {way} [mail.doubt]\nNothing was changed.", WRONG)
    for each in verdict.evidence:
        typer.echo(f"Note: The sender also wrote: {each.text}")


@app.command(epilog="Example: tkid letter write winter.tkid -o to-bob.eml")
def write(
    game: Game,
    output: Output = None,
    to: Annotated[
        list[str] | None,
        typer.Option("--to", help="Who gets the letter: a name, a number, or `all` others. May be repeated."),
    ] = None,
    sender: Annotated[str, typer.Option("--from", help="Your address, if it is not in the game file.")] = "",
    me: Me = "",
    send: Annotated[bool, typer.Option("--send", help="Send the mail at once, through the server of --smtp.")] = False,
    smtp: Annotated[str, typer.Option(help="The server that sends the mail, HOST:PORT. Without it, TKID_SMTP.")] = "",
    at: At = "",
    pictures: Annotated[
        bool, typer.Option("--pictures/--no-pictures", help="Add a picture of the position, if one can be drawn.")
    ] = True,
) -> None:
    """Write the mail to the next player. It has the last turns in words, the position, and your game file."""
    from tkid.mail.peers.turns import turn_letter

    if sender:
        check_sender(sender, "ann@example.org")
    check_output(output, game)
    if not send:
        check_terminal(output)
    time = read_time(at)
    replay = load(game)
    writer = _writer(game, replay, me, sender)
    seats = _addressees(replay, to or [], writer)
    deal = brought_up(game, replay, tell=output is not None)
    letter = turn_letter(replay, seats, _sender(replay, writer, sender), time, pictures=pictures, deal=deal)
    nothing_new = "" if deal and deal.news else _nothing_new(game, replay, writer)
    if output is not None or not send:
        write_letter(letter, output)
        note_sent(game)
    if nothing_new:
        typer.echo(nothing_new, err=output is None)
    if output is not None and letter.sender is None:
        typer.echo(
            f"It does not name its sender, because the file belongs to nobody. To change that: `tkid me {as_typed(game)} NAME`."
        )
    if send:
        send_letter(letter, smtp)
        note_sent(game)


app.command("escrow-key", epilog="Example: tkid letter escrow-key eve.key")(escrow_key)
app.command(epilog="Example: tkid letter escrow winter.deal KEY -o winter.escrow")(escrow)
app.command("escrow-open", epilog="Example: tkid letter escrow-open winter.escrow --key eve.key -o winter.seed")(
    escrow_open
)


# -- reading ----------------------------------------------------------------------------------------------


def _reader(record: Record, known: int | None, enclosed: Enclosed) -> int | None:
    """Whose file it is: as is known, the only known hand, whom the mail is to, or of two players who did not send it."""
    if known is not None:
        return known
    own = own_hand(record)
    if own is not None or _is_dealers(record):
        return own
    seats = {seat.address.lower(): index for index, seat in enumerate(record.seats) if seat.address}
    sender = seats.get(enclosed.sender)
    others = [seats[address] for address in enclosed.recipients if address in seats and seats[address] != sender]
    if len(set(others)) == 1:
        return others[0]
    return 1 - sender if sender is not None and len(record.names) == 2 else None


@cites("record.compare.marked")
def senders(record: Record, enclosed: Enclosed) -> set[int]:
    """The seats whose player sent a mail, by its address."""
    return {seat for seat, each in enumerate(record.seats) if each.address and each.address.lower() == enclosed.sender}


def _is_dealers(record: Record) -> bool:
    """Whether every secret hand is in a record."""
    return len(known_hands(record)) == len(record.names)


def _begin(game: Path, name: str, enclosed: Enclosed, me: str, *, agree: bool) -> None:
    """Begin a file with what a letter encloses, if nothing is wrong with it; it is the file of whom the mail is to."""
    if game.with_suffix(DEAL).exists():
        fail(f"You dealt this game together, and {game.with_suffix(DEAL)} has your hand. Leave out --begin.")
    from tkid.record.exchange.resignations import resignations
    from tkid.record.fairplay.draw import check_draw
    from tkid.record.fairplay.notes import noted_lines
    from tkid.record.play.writer import write_record
    from tkid.render.lines import printable

    replay = play_through(name, enclosed.text)
    record = replay.record
    problems = check_draw(record)
    if problems:
        print_problems(name, enclosed.text, problems)
        fail("Nothing was written.", WRONG)
    foreign = sorted(resignations(record).keys() - senders(record, enclosed))
    if foreign and not agree:
        player = record.names[foreign[0]]
        said = f"{name}: It says that {player} has resigned, but nothing shows that {player} wrote that."
        fail(f"{said} [record.compare.marked]\nIf it is true, add --agree. Nothing was written.", WRONG)
    known = seat_of(record.names, me) if me else None
    create_record(game, write_record(record, replay), " To compare the letter with it, leave out --begin.")
    typer.echo(f"{game}: {record.ruleset.title}, with {', '.join(record.names)}; {counted(len(record.turns), 'turn')}.")
    seat = _reader(record, known, enclosed)
    note_owner(game, "" if seat is None else record.names[seat])
    if seat is not None:
        typer.echo(f"It is now {record.names[seat]}'s file. `tkid me` changes that.")
    for turn in record.turns:
        for note in turn.notes:
            typer.echo(f"Note: turn {turn.number} has the comment {{{printable(note)}}}")
    for each in noted_lines(replay):
        typer.echo(f"Note: {printable(each)}")
    tell_next(game, replay)


def _print_new(game: Path, mine: Replay, after: Replay, new: int) -> None:
    """Print what a letter brought: so many turns, turns taken back, who has resigned, or only more of what followed."""
    from tkid.record.exchange.resignations import new_resignations

    names, pairs = after.record.names, zip(mine.record.turns, after.record.turns, strict=False)
    undone = [str(turn.number) for was, turn in pairs if turn.undone and not was.undone]
    gone = [names[seat] for seat in sorted(new_resignations(mine.record, after.record))]
    news = [counted(new, "new turn")] if new else []
    if undone:
        several = len(undone) > 1
        news.append(f"turn{'s' * several} {listed(undone, 'and')} {'were' if several else 'was'} taken back")
    if gone:
        news.append(f"{listed(gone, 'and')} {'have' if len(gone) > 1 else 'has'} resigned [record.resigned]")
    typer.echo(f"{game}: {'; '.join(news) or 'no new turn, but more is known of the game'}.")
    last = min(len(mine.moments), len(after.moments)) - 1  # a game may have been over before passes that mine has
    known = mine.moments[last].events
    print_events([event for event in after.moments[last].events if event not in known], names)
    print_turns(after.moments[len(mine.moments) :], names)


def _print_notes(comparison: Comparison, enclosed: Enclosed, *, err: bool = False, own: bool = False) -> None:
    from tkid.render.lines import printable

    if own:
        typer.echo(f"Note: This is your own mail: it comes from {enclosed.sender}.")
    for note in comparison.notes:
        typer.echo(f"Note: {printable(note)}", err=err)
    if enclosed.broken:
        typer.echo("Note: The mail is not complete. The last turns may be missing. Ask for it again.", err=err)


def _print_diagnosis(name: str, enclosed: Enclosed, comparison: Comparison, reader: str) -> None:
    """Print what a letter is that is not taken in. `reader` is whose file it is by the mail, "" if typed."""
    from tkid.record.exchange.comparison import OWN_TURN, Kind
    from tkid.render.lines import printable

    mine, theirs = printable(comparison.mine), printable(comparison.theirs)
    typer.echo(f"{name}: {printable(comparison.message)}. [{comparison.rule}]", err=True)
    if mine or theirs:
        line = f" (line {comparison.line})" if comparison.line else ""
        if mine or comparison.kind not in {Kind.TRUNCATED, Kind.WRONG}:
            typer.echo(f"    yours:   {mine or '(nothing)'}", err=True)
        typer.echo(f"    theirs:  {theirs or '(nothing)'}{line}", err=True)
    _print_hint(comparison.hint)
    if comparison.rule == OWN_TURN and reader:
        _print_hint(f"The file and the mail suggest that you are {reader}. If you are not, add --me NAME.")
    if comparison.problems:
        print_problems("record" if enclosed.mail else name, enclosed.text, comparison.problems[:MOST_PROBLEMS])
        more = len(comparison.problems) - MOST_PROBLEMS
        if more > 0:
            typer.echo(f"    And {more} more.", err=True)
    _print_notes(comparison, enclosed, err=True)


def _print_hint(text: str) -> None:
    import textwrap

    from tkid.render.lines import printable

    for line in textwrap.wrap(text, HINT_WIDTH, break_long_words=False, break_on_hyphens=False):
        typer.echo(f"    {printable(line)}", err=True)


# -- writing ----------------------------------------------------------------------------------------------


@cites("mail.letter.repeated")
def _nothing_new(game: Path, replay: Replay, writer: int | None) -> str:
    """That a letter has no turn of its writer that was not sent before, and whose turn it is; "" where it has one."""
    from tkid.record.exchange.resignations import is_over, resignations

    turns, names, to_act = replay.record.turns, replay.record.names, replay.position.to_act
    if is_over(replay) or writer in resignations(replay.record):
        return ""
    if writer is None or not turns or turns[-1].undone or not (turns[-1].seat != writer or is_all_sent(game)):
        return ""
    due = f" It is {names[to_act]}'s turn." if to_act is not None else ""
    play = f" Play it first: `tkid play {as_typed(game)} TURN`." if to_act == writer else ""
    return f"Note: This letter has no new turn of yours.{due}{play} [mail.letter.repeated]"


def _addressees(replay: Replay, to: list[str], writer: int | None) -> list[int]:
    """The seats that a letter is to, of those that people play: those named, else whoever is to act, else all others."""
    from tkid.record.format.bot_seats import bot_seats

    seats, bots = _meant(replay, to, writer), bot_seats(replay.record)
    people = [seat for seat in seats if seat not in bots]
    if seats and not people:
        name = replay.record.names[seats[0]]
        fail(f"{name} is played by a program, which reads no letters. `tkid play FILE`, without a turn, lets it play.")
    return people


def _meant(replay: Replay, to: list[str], writer: int | None) -> list[int]:
    """The seats that a letter is meant for."""
    from tkid.record.exchange.resignations import is_over, resignations

    names, to_act = replay.record.names, None if is_over(replay) else replay.position.to_act
    known = {name.casefold() for name in names}
    if not to:
        if to_act is not None and to_act != writer and writer not in resignations(replay.record):
            return [to_act]
        to = [EVERYBODY]
    seats: list[int] = []
    for name in to:
        if name.casefold() == EVERYBODY and EVERYBODY not in known:
            last = replay.record.turns[-1].seat if replay.record.turns else None
            mine = writer if writer is not None else last
            if mine is None:
                fail("Who are you? `all` means everybody else. Add --me NAME.")
            seats += [seat for seat in range(len(names)) if seat != mine]
        else:
            seats.append(seat_of(names, name))
    if writer in seats:
        fail(f"You are {names[writer or 0]}. You cannot write a letter to yourself.")
    return sorted(set(seats))


def _writer(file: Path, replay: Replay, me: str, sender: str) -> int | None:
    """Who writes: whose file it is, whose address it is, the only known hand, or who just played at this machine."""
    record = replay.record
    by_address = [index for index, seat in enumerate(record.seats) if sender and seat.address.lower() == sender.lower()]
    writer = owner(file, record, me)
    if writer is not None:
        if by_address and writer not in by_address:
            other = record.names[by_address[0]]
            fail(f"{sender} is {other}'s address, but the letter is from {record.names[writer]}. [record.own]", WRONG)
        return writer
    if len(by_address) == 1:
        return by_address[0]
    return record.turns[-1].seat if record.turns and is_unsent(file, replay) else own_hand(record)


def _sender(replay: Replay, writer: int | None, sender: str) -> Seat | None:
    """Whom a letter is from; None where that is not known, so that the mail program has to say it."""
    from attrs import evolve

    from tkid.record.format.model import Seat as Sender

    if writer is None:
        return Sender("", sender) if sender else None
    seat = replay.record.seats[writer]
    return evolve(seat, address=sender) if sender else seat
