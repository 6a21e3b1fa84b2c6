"""The command with which players deal a game together, without a host: letter new."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tkid.cli.letters.dealing import Dealing
from tkid.cli.letters.kept import BYTES
from tkid.cli.letters.restoring import RESTORE, check_new, restore, whole
from tkid.cli.support import FILES, GAME, WRONG, as_typed, fail, stop_on_os_error
from tkid.cli.support.files import read_bytes
from tkid.cli.support.mails import At, enclosed_of, mail_bytes, read_time, write_letter
from tkid.cli.support.outputs import check_output
from tkid.cli.support.own_files import note_owner
from tkid.cli.support.printing import print_paragraph
from tkid.cli.support.private import tell_protection
from tkid.cli.support.seats import check_players, seat_of
from tkid.cli.support.sources import Rulings, Title, load

if TYPE_CHECKING:
    from tkid.record.format.model import Record

UNCHANGED = "Nothing was changed."
ELSEWHERE = "If you began it already, its files are in another folder."


def new(
    file: Annotated[
        Path,
        typer.Argument(help="Your file for the deal: winter.draw, or winter.deal if hands are secret.", metavar="DRAW"),
    ],
    letters: Annotated[
        list[str] | None, typer.Argument(help="The other players' mails, or their files of the same name.")
    ] = None,
    me: Annotated[str, typer.Option("--me", help="Your name or number. Needed the first time only.")] = "",
    seat: Annotated[
        list[str] | None,
        typer.Option("--seat", help="A player: NAME or 'NAME <ADDRESS>'. Repeat it for each, in turn order."),
    ] = None,
    game: Title = "",
    ruleset: Annotated[str, typer.Option(help="What you play. `tkid rulesets` lists the rulesets.")] = "second-edition",
    ruling: Rulings = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write the mail to the others to this file.")
    ] = None,
    at: At = "",
) -> None:
    """Deal a new game together, without a host or a dealer. Nobody can choose the deal, or see another player's cards."""
    from tkid.cli.support.locks import BusyError

    check_output(output, file, *(letters or []))
    time = read_time(at)
    check_players(seat or ())
    options = _options(seat, game, ruleset, ruling or []) if seat else []
    mails = {letter: mail_bytes(letter) for letter in letters or []}
    dealing = _dealing(file, mails, ruleset)
    if file.is_file():
        _check_own(dealing, file, list(mails), me)
    begins = bool(seat or mails) and not file.exists()
    if begins and file.suffix != dealing.suffix and (dealing.secret or file.suffix.lower() in FILES):
        named, hands = file.with_suffix(dealing.suffix), "secret" if dealing.secret else "no secret"
        fail(
            f"This game has {hands} hands, so its {dealing.suffix[1:]} is a file such as {named}. Nothing was written."
        )
    texts = {name: enclosed_of(name, data, dealing.key, dealing.suffix).text for name, data in mails.items()}
    with stop_on_os_error("Nothing was written"):
        try:
            begun = False
            if not file.exists():
                header = "".join([f"{dealing.first}\n", *options]).encode() if seat else b""
                begun = _start(dealing, file, texts, me, header)
            elif seat:
                fail(f"{file} exists already, with its players. Leave out --seat. Nothing was changed.")
            so_far, own_seat, added = _go_on(dealing, file, texts, me)
        except BusyError:
            fail(f"{file}: another program is writing it right now. Nothing was changed. Try again.")
        except FileExistsError as error:
            name = f"A {dealing.kept.name} is used only once, so choose another name."
            fail(f"{error.filename} exists already. Nothing was written. {name}")
    if dealing.is_complete(so_far):
        note_owner(file.with_suffix(GAME), so_far.head.names[own_seat])
    told = list(dealing.progress(file, so_far, own_seat, added=begun or added))
    told.append(_next_step(dealing, file, so_far, own_seat, unsent=added and output is None, mail=output is not None))
    for paragraph in filter(None, told):
        print_paragraph(paragraph, "  ")
    if output is not None and dealing.takes_part(so_far, own_seat):
        write_letter(dealing.letter(so_far, own_seat, time), output)


def _dealing(file: Path, mails: dict[str, bytes], ruleset: str) -> Dealing:
    """How a game is dealt: as the file says or, if there is none yet, a letter; or else as its hands ask for."""
    from tkid.cli.letters.deal import LOCKED
    from tkid.cli.letters.draw import OPEN
    from tkid.mail.inbound.enclosure import take_out
    from tkid.mail.model import Refusal
    from tkid.rulebook.rulesets import UnknownRulesetError
    from tkid.rulebook.rulesets import ruleset as ruleset_of

    ways: tuple[Dealing, ...] = (LOCKED, OPEN)
    for data in [read_bytes(file)] if file.exists() else mails.values():
        for way in ways:
            found = take_out(data, begins=way.key)
            if not isinstance(found, Refusal) and way.key.encode() in found.text.lower():
                return way
    if file.exists() or mails:
        return LOCKED if file.suffix == LOCKED.suffix else OPEN
    try:
        return LOCKED if ruleset_of(ruleset).game().secret else OPEN
    except UnknownRulesetError:
        return OPEN


def _check_own(dealing: Dealing, file: Path, letters: list[str], me: str) -> None:
    """Stop where a file is not the player's own of a deal, so that no secret of theirs is missing beside it."""
    from tkid.record.format.foreign import DEAL, DRAW, MAILED, find_foreign
    from tkid.record.format.lines import lines_of

    data = read_bytes(file)
    own, foreign, what = dealing.kept.file(file), find_foreign(data), dealing.suffix[1:]
    mine = [each for each in sorted(file.parent.glob(f"*{dealing.suffix}")) if dealing.kept.file(each).exists()]
    name = mine[0] if len(mine) == 1 else file.with_name(f"{'my-' * (file.stem == 'winter')}winter{dealing.suffix}")
    joins = () if mine else ("--me", me or "NAME")
    way = f"`tkid letter new {' '.join(map(as_typed, (name, file, *letters, *joins)))}`"
    if foreign == MAILED:
        fail(f"{file} is a mail. Your own file of the {what} comes first: {way}. {UNCHANGED}")
    if foreign is not None and foreign not in {DEAL, DRAW}:
        fail(f"{file} is {foreign.what}, not a {what}. {foreign.hint} {UNCHANGED}")
    if not lines_of(data)[1]:
        fail(
            f"{file} is a game file, so this game is dealt already. `tkid show {as_typed(file)}` shows it. {UNCHANGED}"
        )
    if foreign is None or own.exists():
        return
    so_far, _ = dealing.read(data)
    if so_far is not None and not all(dealing.takes_part(so_far, each) for each in range(len(so_far.head.names))):
        came = f"If {file} came from another player, name a file of your own first: {way}"
        fail(f"{own} is missing. {came}. If it is yours, put {own.name} back. {UNCHANGED}")


def finish_deal(game: Path, letter: str, me: str) -> None:
    """Deal a game, if a letter brings what its deal beside the file lacks: it may come with the first turn."""
    from tkid.cli.letters.deal import LOCKED

    file = game.with_suffix(LOCKED.suffix)
    if file.exists():
        text = enclosed_of(letter, mail_bytes(letter), LOCKED.key, LOCKED.suffix).text
        so_far, seat, _ = _go_on(LOCKED, file, {letter: text}, me)
        if LOCKED.is_complete(so_far):
            note_owner(game, so_far.head.names[seat])


def _next_step(dealing: Dealing, file: Path, so_far: Any, seat: int, *, unsent: bool, mail: bool) -> str:
    """What a seat does next, or why there is no mail; "" where there is nothing to say.

    With `unsent` the others need something that the seat has added, with `mail` a mail is wanted.
    """
    if dealing.is_complete(so_far) and not dealing.secret:
        return ""
    if dealing.is_complete(so_far):
        return _first_turn(file.with_suffix(GAME), seat, unsent=unsent)
    if dealing.takes_part(so_far, seat):
        return "" if mail else "To write the mail, add -o FILE."
    return "No mail was written, because nothing of yours is due yet." if mail else ""


def _first_turn(game: Path, seat: int, *, unsent: bool) -> str:
    """Who begins a game that was dealt, and what a seat does next; with `unsent` the others need something of it."""
    replay = load(game)
    names, to_act = replay.record.names, replay.position.to_act
    show = f"`tkid show {as_typed(game)}` shows the game"
    if to_act is None or replay.record.turns:
        return f"{show}."
    if to_act == seat:
        brings = ", which also brings the others what they need of the deal" if unsent else ""
        plays = f"`tkid play {as_typed(game)} TURN`, then `tkid letter write {as_typed(game)} -o FILE`{brings}"
        return f"You begin. {show}. Play your turn: {plays}."
    needs = "The others need your part to see their hands: write the mail with -o FILE. " if unsent else ""
    waits = f"Wait for the first letter, and read it: `tkid letter read {as_typed(game)} LETTER`"
    return f"{names[to_act]} begins. {needs}{waits}. {show}."


# -- beginning --------------------------------------------------------------------------------------------


def _options(seats: list[str], game: str, ruleset: str, rulings: list[str]) -> list[str]:
    """The header of what was asked for on the command line, as lines."""
    lines = [f"Ruleset: {ruleset}", *([f"Game: {game}"] if game else [])]
    lines += [*(f"Seat: {seat}" for seat in seats), *(f"Ruling: {ruling}" for ruling in rulings)]
    if not all(line.isprintable() for line in lines):
        fail("A name or another option has characters that cannot be printed. Nothing was written.")
    return [f"{line}\n" for line in lines]


def _start(dealing: Dealing, file: Path, letters: dict[str, bytes], me: str, options: bytes) -> bool:
    """Begin a file: draw a secret, keep it, and write down what it makes; or restore it, where its secret is here already.

    Return whether the player's own part was added.
    """
    import secrets

    from tkid.cli.support.files import create
    from tkid.record.format.table_names import new_table_faults

    own = dealing.kept.file(file)
    lost = dealing.secret and not options and own.exists()
    if lost and letters:
        restore(file, letters, me)
        return False
    if lost:
        fail(f"{file} is missing, and {own} is here. {RESTORE.format(file=as_typed(file))}")
    if not options and not letters:
        new = "To start, add --seat NAME for each player. To join, name the letter"
        fail(f"{file} does not exist. {new}. {ELSEWHERE}")
    if not me:
        if options:
            fail("Who are you? Add --me NAME.")
        fail(f"There is no {file} and no {own} here. {ELSEWHERE}\nTo join, say who you are: add --me NAME.")
    name, data = ("the options", options) if options else next(iter(letters.items()))
    head = dealing.checked(name, data, UNCHANGED).head
    if refused := new_table_faults(head.game, head.names, head.title):
        fail("\n".join([*refused, "Nothing was written."]), WRONG)
    seat, secret = seat_of(head.names, me), secrets.token_bytes(BYTES)
    if dealing.secret:
        check_new(file, letters, seat)
    so_far = dealing.added(dealing.with_letters(dealing.begun(head), letters, seat, secret, UNCHANGED), seat, secret)
    dealing.kept.keep(file, head.names[seat], secret)
    try:
        create(file, dealing.write(so_far))
    except OSError:
        own.unlink()  # it was used for nothing yet
        raise
    return dealing.takes_part(so_far, seat)


# -- going on ---------------------------------------------------------------------------------------------


def _go_on(dealing: Dealing, file: Path, letters: dict[str, bytes], me: str) -> tuple[Any, int, bool]:
    """Merge the letters, add what is due, and write the file, and the record if all is there.

    Return what is there now, the player's seat, and whether something of the player's own was added.
    """
    from tkid.cli.support.files import write_atomically
    from tkid.cli.support.locks import locked

    name, secret = dealing.kept.read(file)
    own = dealing.kept.file(file)
    with locked(file) as data:
        so_far = whole(file, data, dealt=False) if dealing.secret else dealing.checked(str(file), data, UNCHANGED)
        seat = seat_of(so_far.head.names, name)
        if me and seat_of(so_far.head.names, me) != seat:
            folder = f"If you are {name}, leave out --me. If you are {me}, look for your own folder"
            fail(f"{own} has the {dealing.kept.name} of {name}, so this is {name}'s file. {folder}.")
        what, rule = dealing.mismatch(so_far, seat, secret)
        if what:
            wrong = f"the {what} of {name} does not fit the {dealing.kept.name} in {own}"
            fail(f"{file}: {wrong}. One of them was changed. [{rule}]", WRONG)
        so_far = dealing.with_letters(so_far, letters, seat, secret, UNCHANGED)
        if deck := dealing.used_for(so_far):
            if dealing.kept.deck(file) not in {"", deck}:
                other = f"the {dealing.kept.name} in {own} was used for another deck"
                way = "Whoever gets two decks unlocked sees your cards. Put the newer file of the deal back, or start a new deal"
                fail(f"{file}: {other}. {way}. Nothing was changed. [record.deal.seed]", WRONG)
            dealing.kept.use(file, deck)
        before, so_far = so_far, dealing.added(so_far, seat, secret)
        record = dealing.record(so_far, seat, secret) if dealing.is_complete(so_far) else None
        dealt = record and _deal(record, file.with_suffix(GAME))
        text = dealing.write(so_far)
        if text.encode() != data:
            write_atomically(file, text)
    if dealt is not None:
        typer.echo(f"{dealt}: dealt.")
    return so_far, seat, so_far != before


def _deal(record: Record, file: Path) -> Path | None:
    """Write the record that was dealt; None where the file exists already."""
    from tkid.cli.support.files import create
    from tkid.record.exchange.comparison import alike
    from tkid.record.format.reader import read_record
    from tkid.record.play.writer import write_record

    if not file.exists():
        create(file, write_record(record), private=record.game.secret)
        if record.game.secret:
            tell_protection(file)
        return file
    other = read_record(read_bytes(file)).record
    if other is None or not alike(other, record):
        fail(f"{file} exists already, and is the file of another game. Move it away, and try again.")
    return None
