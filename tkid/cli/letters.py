"""The commands letter new, read, write, escrow."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Annotated, Any

import typer
from attrs import evolve
from typer import Argument, Option

from tkid.cli import deal_file, files, game_source
from tkid.cli.deal_together import (
    LOCKED,
    OPEN,
    OPTIONS,
    RESTORE,
    UNWRITTEN,
    Dealing,
    check_library,
    check_new,
    read_own_deal,
    restore_deal,
)
from tkid.cli.mail import Output, check_sender, check_terminal, extract_enclosed, mail_bytes, send_letter, write_letter
from tkid.cli.printing import (
    DEAL,
    FILES,
    GAME,
    WRONG,
    as_typed,
    fail,
    print_events,
    print_paragraph,
    print_problems,
    print_turns,
    stop_on_os_error,
    wrap_paragraph,
)
from tkid.cli.rules import Rulings, ruleset_option
from tkid.cli.turn_input import NOTHING_CHANGED, At, read_typed_time
from tkid.mail.blocks import Board
from tkid.mail.enclosure import RECORD, Enclosed, take_out
from tkid.mail.model import Refusal
from tkid.mail.peer_letters import PeerLetter, add_passes, extract_own_words, write_peer_letter
from tkid.notation.judge import Line, judge_whole
from tkid.notation.names import list_names
from tkid.notation.text import count_noun
from tkid.record import copies
from tkid.record.draw import check_draw
from tkid.record.format import model
from tkid.record.format.new_game import find_table_faults
from tkid.record.format.reader import read_record
from tkid.record.locked_cards import InvalidError, open_sealed_text, seal_text, write_public_key
from tkid.record.play.replay import Replay, is_over
from tkid.record.play.writer import write_record
from tkid.record.proof import describe_note_lines
from tkid.render.lines import make_printable
from tkid.rulebook import cites
from tkid.rulebook.rulesets import UnknownRulesetError, state_ruleset
from tkid.rulebook.rulesets import ruleset as ruleset_of

ELSEWHERE = "If you began it already, its files are in another folder."


def new(
    file: Annotated[
        Path, Argument(help="Your file for the deal: winter.draw, or winter.deal if hands are secret.", metavar="DRAW")
    ],
    letters: Annotated[
        list[str] | None, Argument(help="The other players' mails, or their files of the same name.")
    ] = None,
    me: Annotated[
        str, game_source.player_option("--me", help="Your name or number. You need it only the first time.")
    ] = "",
    seat: Annotated[
        list[str] | None,
        Option("--seat", help="A player: NAME or 'NAME <ADDRESS>'. Repeat it for each, in turn order."),
    ] = None,
    game: game_source.Title = "",
    ruleset: Annotated[str, ruleset_option(help="The ruleset. `tkid rulesets` lists all of them.")] = "second-edition",
    ruling: Rulings = None,
    output: Annotated[Path | None, Option("--output", "-o", help="Write the mail to the others to this file.")] = None,
    at: At = "",
) -> None:
    """Deal a new game together, without a host or a dealer. Nobody can choose the deal, or see another player's cards."""
    files.check_output(output, file, *(letters or []))
    time = read_typed_time(at)
    game_source.check_players(seat or ())
    options = _write_options(seat, game, ruleset, ruling or []) if seat else []
    mails = {letter: mail_bytes(letter) for letter in letters or []}
    dealing = _choose_dealing(file, mails, ruleset)
    if file.is_file():
        _check_own_file(dealing, file, list(mails), me)
    begins = bool(seat or mails) and not file.exists()
    if begins and file.suffix != dealing.suffix and (dealing.secret or file.suffix.lower() in FILES):
        named, hands = file.with_suffix(dealing.suffix), "secret" if dealing.secret else "no secret"
        what = dealing.suffix[1:]
        fail(f"This game has {hands} hands, so its {what} is a file such as {named}. Nothing was written.")
    texts = {name: extract_enclosed(name, data, dealing.key, dealing.suffix).text for name, data in mails.items()}
    with stop_on_os_error("Nothing was written"):
        try:
            begun = False
            if not file.exists():
                header = "".join([f"{dealing.first}\n", *options]).encode() if seat else b""
                begun = _start(dealing, file, texts, me, header)
            elif seat:
                fail(f"{file} exists already, with its players. Leave out --seat. Nothing was changed.")
            so_far, own_seat, added = _go_on(dealing, file, texts, me)
        except files.BusyError:
            fail(f"{file}: another program is writing it right now. Nothing was changed. Try again.")
        except FileExistsError as error:
            name = f"A {dealing.kept.name} is used only once, so choose another name."
            fail(f"{error.filename} exists already. Nothing was written. {name}")
    if dealing.is_complete(so_far):
        game_source.note_owner(file.with_suffix(GAME), so_far.head.names[own_seat])
    told, mail = dealing.describe_progress(file, so_far, own_seat, added=begun or added), output is not None
    step = _describe_next_step(dealing, file, so_far, own_seat, unsent=added and not mail, mail=mail)
    for paragraph in filter(None, (*told, step)):
        print_paragraph(paragraph, "  ")
    if output is not None and dealing.has_part(so_far, own_seat):
        write_letter(dealing.make_letter(so_far, own_seat, time), output)


def _choose_dealing(file: Path, mails: dict[str, bytes], ruleset: str) -> Dealing:
    """Return the way to deal: as the file says, else as a letter says, else as the ruleset's hands need."""
    ways: tuple[Dealing, ...] = (LOCKED, OPEN)
    for data in [files.read_bytes(file)] if file.exists() else mails.values():
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


def _check_own_file(dealing: Dealing, file: Path, letters: list[str], me: str) -> None:
    """End the command if a file is not the player's own, whose secret would be missing next to it."""
    data = files.read_bytes(file)
    own, foreign, what = dealing.kept.get_file(file), model.find_foreign(data), dealing.suffix[1:]
    mine = [each for each in sorted(file.parent.glob(f"*{dealing.suffix}")) if dealing.kept.get_file(each).exists()]
    name = mine[0] if len(mine) == 1 else file.with_name(f"{'my-' * (file.stem == 'winter')}winter{dealing.suffix}")
    joins = () if mine else ("--me", me or "NAME")
    way = f"`tkid letter new {' '.join(map(as_typed, (name, file, *letters, *joins)))}`"
    if foreign == model.MAILED:
        fail(f"{file} is a mail. Your own file of the {what} comes first: {way}. {NOTHING_CHANGED}")
    if foreign is not None and foreign not in {model.DEAL, model.DRAW}:
        fail(f"{file} is {foreign.what}, not a {what}. {foreign.hint} {NOTHING_CHANGED}")
    if not model.read_file_lines(data)[1]:
        show = f"`tkid show {as_typed(file)}` shows it."
        fail(f"{file} is a game file, so this game is dealt already. {show} {NOTHING_CHANGED}")
    if foreign is None or own.exists():
        return
    so_far: Any = dealing.read(data).content
    if so_far is not None and not all(dealing.has_part(so_far, each) for each in range(len(so_far.head.names))):
        came = f"If {file} came from another player, name a file of your own first: {way}"
        fail(f"{own} is missing. {came}. If it is yours, put {own.name} back. {NOTHING_CHANGED}")


def finish_deal(game: Path, letter: str, data: bytes, me: str) -> None:
    """Deal a game, if a letter brings what its deal beside the file lacks: it may come with the first turn."""
    file = game.with_suffix(LOCKED.suffix)
    if file.exists():
        text = extract_enclosed(letter, data, LOCKED.key, LOCKED.suffix).text
        so_far, seat, _ = _go_on(LOCKED, file, {letter: text}, me)
        if LOCKED.is_complete(so_far):
            game_source.note_owner(game, so_far.head.names[seat])


def _describe_next_step(dealing: Dealing, file: Path, so_far: Any, seat: int, *, unsent: bool, mail: bool) -> str:
    """Describe a next step, or why no wanted `mail` is there; `unsent`: others need what the seat has added."""
    if dealing.is_complete(so_far) and not dealing.secret:
        return ""
    if dealing.is_complete(so_far):
        return _describe_first_turn(file.with_suffix(GAME), seat, unsent=unsent)
    if dealing.has_part(so_far, seat):
        return "" if mail else "To write the mail, add -o FILE."
    return "No mail was written, because you have nothing to send yet." if mail else ""


def _describe_first_turn(game: Path, seat: int, *, unsent: bool) -> str:
    replay = game_source.load(game)
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


def _write_options(seats: list[str], game: str, ruleset: str, rulings: list[str]) -> list[str]:
    lines = [f"Ruleset: {state_ruleset(ruleset)}", *([f"Game: {game}"] if game else [])]
    lines += [*(f"Seat: {seat}" for seat in seats), *(f"Ruling: {ruling}" for ruling in rulings)]
    if not all(line.isprintable() for line in lines):
        fail("A name or another option has characters that cannot be printed. Nothing was written.")
    return [f"{line}\n" for line in lines]


def _start(dealing: Dealing, file: Path, letters: dict[str, bytes], me: str, options: bytes) -> bool:
    """Begin a file with a new secret and what it makes, or restore it; return whether a part was added."""
    own = dealing.kept.get_file(file)
    lost = dealing.secret and not options and own.exists()
    if lost and letters:
        restore_deal(file, letters, me)
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
    name, data = (OPTIONS, options) if options else next(iter(letters.items()))
    head = dealing.read_or_fail(name, data, NOTHING_CHANGED).content.head
    if refused := find_table_faults(head.game, head.names, head.title):
        fail("\n".join([*refused, "Nothing was written."]), WRONG)
    seat, secret = game_source.seat_of(head.names, me), secrets.token_bytes(files.BYTES)
    if dealing.secret:
        check_new(file, letters, seat)
    merged = dealing.merge_letters(dealing.begin(head), letters, seat, secret, NOTHING_CHANGED)
    so_far: Any = dealing.add_part(merged, seat, secret)
    dealing.kept.keep(file, head.names[seat], secret)
    try:
        files.create(file, dealing.write(so_far))
    except OSError:
        own.unlink()  # it was used for nothing yet
        raise
    return dealing.has_part(so_far, seat)


def _go_on(dealing: Dealing, file: Path, letters: dict[str, bytes], me: str) -> tuple[Any, int, bool]:
    """Merge the letters, add what is due, write all; return what is there, the seat, and if it added something."""
    name, secret = dealing.kept.read(file)
    own = dealing.kept.get_file(file)
    with files.lock_file(file) as data:
        if dealing.secret:
            so_far: Any = read_own_deal(file, data, dealt=False)
        else:
            so_far = dealing.read_or_fail(str(file), data, NOTHING_CHANGED).content
        seat = game_source.seat_of(so_far.head.names, name)
        if me and game_source.seat_of(so_far.head.names, me) != seat:
            folder = f"If you are {name}, leave out --me. If you are {me}, look for your own folder"
            fail(f"{own} has the {dealing.kept.name} of {name}, so this is {name}'s file. {folder}.")
        what, rule = dealing.find_mismatch(so_far, seat, secret)
        if what:
            wrong = f"the {what} of {name} does not fit the {dealing.kept.name} in {own}"
            fail(f"{file}: {wrong}. One of them was changed. [{rule}]", WRONG)
        so_far = dealing.merge_letters(so_far, letters, seat, secret, NOTHING_CHANGED)
        if deck := dealing.find_single_use(so_far):
            if dealing.kept.read_deck(file) not in {"", deck}:
                other = f"the {dealing.kept.name} in {own} was used for another deck"
                way = "If you unlock two decks with one seed, others can work out your cards. Put the newer file of the deal back, or start a new deal"
                fail(f"{file}: {other}. {way}. Nothing was changed. [record.deal.seed]", WRONG)
            dealing.kept.use(file, deck)
        before, so_far = so_far, dealing.add_part(so_far, seat, secret)
        record = dealing.record(so_far, seat, secret) if dealing.is_complete(so_far) else None
        dealt = record and _write_dealt_record(record, file.with_suffix(GAME))
        text = dealing.write(so_far)
        if text.encode() != data:
            files.write_atomically(file, text)
    if dealt is not None:
        typer.echo(f"{dealt}: dealt.")
    return so_far, seat, so_far != before


def _write_dealt_record(record: model.Record, file: Path) -> Path | None:
    """Write the record that was dealt, and return its file; None if the file exists already."""
    if not file.exists():
        files.create(file, write_record(record), private=record.game.secret)
        if record.game.secret:
            files.tell_protection(file)
        return file
    other = read_record(files.read_bytes(file)).record
    if other is None or not copies.has_same_start(other, record):
        fail(f"{file} exists already, and is the file of another game. Move it away, and try again.")
    return None


KeyFile = Annotated[Path, Argument(help="Your file for the key, such as eve.key.", metavar="KEYFILE")]


def escrow_key(file: KeyFile) -> None:
    """Make a key with which friends can seal their seeds. Send them the word that it prints.

    Do this only for games that you do not play in: when you open a seed, you see that hand. If the file exists, its word is printed again.
    """
    check_library()
    if not files.KEY.get_file(file).exists():
        with stop_on_os_error("Nothing was written"):
            files.KEY.keep(file, file.stem, secrets.token_bytes(files.BYTES))
        print_paragraph(
            f"Your key is in {files.KEY.get_file(file)}. Keep it secret, and make a copy. Send this word to the player:"
        )
    _, secret = files.KEY.read(file)
    typer.echo(write_public_key(secret))


def escrow(
    file: Annotated[Path, Argument(help="Your own file of the game or of its deal.")],
    key: Annotated[str, Argument(help="The word that `tkid letter escrow-key` has printed for your friend.")],
    output: Annotated[Path | None, Option("--output", "-o", help="Write the sealed seed to this file.")] = None,
) -> None:
    """Seal your seed to a friend's key. Only the friend can open it, when you lose your file or somebody takes over your seat."""
    check_library()
    own = files.SEED.get_file(file)
    files.check_output(output, file, again=files.SEALED)
    name, seed = files.SEED.read(file)
    deal = deal_file.deal_beside(str(file))
    if deal is None or not LOCKED.is_complete(deal):
        fail(f"{file.with_suffix(DEAL)} is not a finished deal. Seal the seed when all cards are dealt. {UNWRITTEN}")
    deal_file.check_seed(file.with_suffix(DEAL), deal, game_source.seat_of(deal.names, name), seed, f" {UNWRITTEN}")
    try:
        text = seal_text(files.read_bytes(own).decode(), name, key)
    except InvalidError:
        fail(f"{key} is not a whole key. Copy the word that `tkid letter escrow-key` has printed. {UNWRITTEN}")
    files.print_or_write(text, output)
    if output is not None:
        print_paragraph(
            f"{output} has your sealed seed. Send it to your friend, who does not play: with it they can see your hand."
        )


def escrow_open(
    letter: Annotated[str, Argument(help="The text with the sealed seed. - reads standard input.")],
    key: Annotated[Path, Option("--key", help="Your file for the key, such as eve.key.", metavar="KEYFILE")],
    output: Annotated[Path, Option("--output", "-o", help="The new file for the seed, such as winter.seed.")],
) -> None:
    """Open a seed that was sealed to your key. You need this if its player lost it, or somebody takes over the seat."""
    check_library()
    files.check_apart(output, key, letter, output.with_suffix(DEAL), output.with_suffix(GAME))
    _, secret = files.KEY.read(key)
    try:
        text = open_sealed_text(mail_bytes(letter).decode("utf-8", "replace"), secret)
    except InvalidError as error:
        fail(f"{letter} {error}. {UNWRITTEN}", WRONG)
    name, seed = files.SEED.parse(text)
    if not seed:
        fail(f"{letter} has something else than a seed. {UNWRITTEN}", WRONG)
    deal = deal_file.deal_beside(str(output))
    if deal is not None and (
        name not in deal.names or LOCKED.find_mismatch(deal, deal.names.index(name), seed) != ("", "")
    ):
        other = f"another game than {output.with_suffix(DEAL)}"
        fail(f"{letter} has the seed of {other}. {UNWRITTEN} [record.deal.seed]", WRONG)
    game_source.create_record(output, text, private=True)
    beside = f"It belongs beside {output.with_suffix(GAME)} and {output.with_suffix(DEAL)}"
    print_paragraph(f"{output} has the seed of {name}. Anybody who has it can see that hand. {beside}.")


app = typer.Typer()
app.command(epilog='Example: tkid letter new winter.draw --seat "Ann <ann@example.org>" --seat Bob --me Ann')(new)

Game = Annotated[Path, Argument(help="Your own file of the game.", metavar="FILE")]
EVERYBODY = "all"
MOST_PROBLEMS = 8
"""Problems of a letter's record that are shown."""


@app.command(epilog="Example: tkid letter read winter.tkid from-bob.eml")
def read(
    game: Game,
    letter: Annotated[str, Argument(help="The other player's mail or game file. - reads standard input.")],
    me: game_source.Me = "",
    begin: Annotated[bool, Option("--begin", help="Start a new FILE from this letter.")] = False,
    restore: Annotated[
        bool, Option("--restore", help="Also take your own turns, because you lost your file or it is old.")
    ] = False,
    agree: Annotated[
        bool,
        Option(
            "--agree",
            help="Accept marks of turns as standing or taken back, a resignation that its player did not send, and a last card without proof.",
        ),
    ] = False,
) -> None:
    """Add the other player's new turns to your file. If the letter does not fit your file, nothing changes, and tkid explains why."""
    data = mail_bytes(letter)
    enclosed = extract_enclosed(letter, data, RECORD, ".tkid")
    if begin:
        _begin_file(game, letter, enclosed, me, agree=agree)
        return
    if not game.exists():
        finish_deal(game, letter, data, me)
    if not game.exists():
        fail(f"{game} does not exist. To start it from {letter}, add --begin.")
    with game_source.open_to_change(game, "Nothing was taken") as own_data:
        mine = game_source.play_through(game, own_data)
        known = game_source.find_owner(game, mine.record, me)
        writers, reader = find_senders(mine.record, enclosed), _find_reader(mine.record, known, enclosed)
        writers |= {reader} if restore and reader is not None else set()
        seat = None if restore else reader
        comparison = copies.compare_copies(mine, enclosed.text, seat, agree=agree, writers=writers)
        after = comparison.replay
        _check_intent(letter, comparison, data, agree=agree or not enclosed.mail)
        with deal_file.own_deal(game, mine.record) as own:
            fits = comparison.kind in {copies.Kind.CONTINUES, copies.Kind.SAME, copies.Kind.STALE}
            now = deal_file.with_letter(own, letter, data, mine, after or mine, agree=agree) if own and fits else None
            if now is not None and (told := now.reveal_cards(after or mine)) is not mine:
                after = told
            if after is not None:
                after = add_passes(after)
                text = write_record(after.record, after)
                game_source.play_through(game, text.encode(), NOTHING_CHANGED)
                files.write_atomically(game, text)
                game_source.note_sent(game)
    brought = own is not None and now is not None and now.deal != own.deal
    if comparison.kind not in {copies.Kind.CONTINUES, copies.Kind.SAME} and not brought:
        guessed = mine.record.names[seat] if seat is not None and known is None else ""
        _print_diagnosis(letter, enclosed, comparison, guessed)
        fail("Nothing was changed.", WRONG)
    if after is not None:
        _print_news(game, mine, after, comparison.new)
        if seat is None and not restore and not _has_all_hands(mine.record):
            typer.echo("Note: tkid did not check whether any of these turns is your own. Add --me NAME to check it.")
    else:
        kept = "What it has of the deal was added." if brought else "Nothing was changed."
        typer.echo(f"{letter}: {comparison.message}. [{comparison.rule}]\n{kept}")
    _print_notes(comparison, enclosed, own=known in find_senders(mine.record, enclosed))
    deal_file.tell_next(game, after or mine)
    if own is not None and now is not None:
        deal_file.tell_owed(after or mine, now, own)
    else:
        deal_file.note_no_deal(game, mine.record, "no card in this letter was checked")


@cites("mail.doubt")
def _check_intent(letter: str, comparison: copies.Comparison, data: bytes, *, agree: bool) -> None:
    after = comparison.replay
    if after is None or not comparison.new or agree:
        return
    lines = extract_own_words(after, data)
    verdict = judge_whole([*map(Line, lines), *([Line("", "turn")] if lines else [])], after.record.names)
    if verdict.is_doubtful:
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
        game_source.player_option("--to", help="The recipient: a name, a number, or `all` others. May be repeated."),
    ] = None,
    sender: Annotated[str, Option("--from", help="Your address, if it is not in the game file.")] = "",
    me: game_source.Me = "",
    send: Annotated[bool, Option("--send", help="Send the mail at once, through the server of --smtp.")] = False,
    smtp: Annotated[str, Option(help="The server that sends the mail, HOST:PORT. Without it, TKID_SMTP.")] = "",
    at: At = "",
    pictures: Annotated[
        bool, Option("--pictures/--no-pictures", help="Add a picture of the position, if one can be drawn.")
    ] = True,
) -> None:
    """Write the mail to the next player. It has the last turns in words, the position, and your game file."""
    if sender:
        check_sender(sender, "ann@example.org")
    files.check_output(output, game)
    if not send:
        check_terminal(output)
    time = read_typed_time(at)
    replay = game_source.load(game)
    writer = _find_writer(game, replay, me, sender)
    seats = _find_addressees(replay, to or [], writer)
    deal = deal_file.update_deal(game, replay, tell=output is not None)
    letter = write_peer_letter(replay, seats, _find_sender(replay, writer, sender), time, pictures=pictures, deal=deal)
    nothing_new = "" if deal and deal.news else _explain_nothing_new(game, replay, writer)
    if output is not None or not send:
        write_letter(letter, output)
        game_source.note_sent(game)
    if nothing_new:
        typer.echo(nothing_new, err=output is None)
    if output is not None and letter.sender is None:
        typer.echo(
            f"It does not name its sender, because the file belongs to nobody. To change that: `tkid me {as_typed(game)} NAME`."
        )
    if send:
        send_letter(letter, smtp)
        game_source.note_sent(game)


app.command("escrow-key", epilog="Example: tkid letter escrow-key eve.key")(escrow_key)
app.command(epilog="Example: tkid letter escrow winter.deal KEY -o winter.escrow")(escrow)
app.command("escrow-open", epilog="Example: tkid letter escrow-open winter.escrow --key eve.key -o winter.seed")(
    escrow_open
)


def preview_letter(replay: Replay, writer: int) -> PeerLetter:
    """Return the letter of a player to the next one, without the board and a part of a deal. Nothing is written."""
    seats, sender = _find_addressees(replay, [], writer), _find_sender(replay, writer, "")
    letter = write_peer_letter(replay, seats, sender, read_typed_time(""))
    return evolve(letter, body=tuple(block for block in letter.body if not isinstance(block, Board)))


def _find_reader(record: model.Record, known: int | None, enclosed: Enclosed) -> int | None:
    if known is not None:
        return known
    own = game_source.own_hand(record)
    if own is not None or _has_all_hands(record):
        return own
    seats = {seat.address.lower(): index for index, seat in enumerate(record.seats) if seat.address}
    sender = seats.get(enclosed.sender)
    others = [seats[address] for address in enclosed.recipients if address in seats and seats[address] != sender]
    if len(set(others)) == 1:
        return others[0]
    return 1 - sender if sender is not None and len(record.names) == 2 else None


@cites("record.compare.marked")
def find_senders(record: model.Record, enclosed: Enclosed) -> set[int]:
    return {seat for seat, each in enumerate(record.seats) if each.address and each.address.lower() == enclosed.sender}


def _has_all_hands(record: model.Record) -> bool:
    return len(game_source.find_known_hands(record)) == len(record.names)


def _begin_file(game: Path, name: str, enclosed: Enclosed, me: str, *, agree: bool) -> None:
    """Begin a file with the game in a letter, if nothing is wrong with it. It belongs to the mail's recipient."""
    if game.with_suffix(DEAL).exists():
        fail(f"You dealt this game together, and {game.with_suffix(DEAL)} has your hand. Leave out --begin.")
    replay = game_source.play_through(name, enclosed.text)
    record = replay.record
    problems = check_draw(record)
    if problems:
        print_problems(name, enclosed.text, problems)
        fail("Nothing was written.", WRONG)
    foreign = sorted(copies.find_resignations(record).keys() - find_senders(record, enclosed))
    if foreign and not agree:
        player = record.names[foreign[0]]
        said = f"{name}: It says that {player} has resigned, but nothing shows that {player} wrote that."
        fail(f"{said} [record.compare.marked]\nIf it is true, add --agree. Nothing was written.", WRONG)
    known = game_source.seat_of(record.names, me) if me else None
    game_source.create_record(game, write_record(record, replay), " To compare the letter with it, leave out --begin.")
    turns = count_noun(len(record.turns), "turn")
    typer.echo(f"{game}: {record.ruleset.title}, with {', '.join(record.names)}; {turns}.")
    seat = _find_reader(record, known, enclosed)
    game_source.note_owner(game, "" if seat is None else record.names[seat])
    if seat is not None:
        typer.echo(f"It is now {record.names[seat]}'s file. `tkid me` changes that.")
    for turn in record.turns:
        for note in turn.notes:
            typer.echo(f"Note: turn {turn.number} has the comment {{{make_printable(note)}}}")
    for each in describe_note_lines(replay):
        typer.echo(f"Note: {make_printable(each)}")
    deal_file.tell_next(game, replay)


def _print_news(game: Path, mine: Replay, after: Replay, new: int) -> None:
    names, pairs = after.record.names, zip(mine.record.turns, after.record.turns, strict=False)
    undone = [str(turn.number) for was, turn in pairs if turn.undone and not was.undone]
    gone = [names[seat] for seat in sorted(copies.find_new_resignations(mine.record, after.record))]
    news = [count_noun(new, "new turn")] if new else []
    if undone:
        several = len(undone) > 1
        news.append(f"turn{'s' * several} {list_names(undone, 'and')} {'were' if several else 'was'} taken back")
    if gone:
        news.append(f"{list_names(gone, 'and')} {'have' if len(gone) > 1 else 'has'} resigned [record.resigned]")
    nothing = "no new turn, but new information about the game"
    if mine.record.end != after.record.end:
        nothing = "the same turns, with the resignations where they belong [record.turn.over]"
    typer.echo(f"{game}: {'; '.join(news) or nothing}.")
    last = min(len(mine.moments), len(after.moments)) - 1  # a game may have been over before passes that mine has
    known = mine.moments[last].events
    print_events([event for event in after.moments[last].events if event not in known], after.record)
    print_turns(after.moments[len(mine.moments) :], after.record)


def _print_notes(comparison: copies.Comparison, enclosed: Enclosed, *, err: bool = False, own: bool = False) -> None:
    if own:
        typer.echo(f"Note: This is your own mail: it comes from {enclosed.sender}.")
    for note in comparison.notes:
        typer.echo(f"Note: {make_printable(note)}", err=err)
    if enclosed.broken:
        typer.echo("Note: The mail is not complete. The last turns may be missing. Ask for it again.", err=err)


def _print_diagnosis(name: str, enclosed: Enclosed, comparison: copies.Comparison, reader: str) -> None:
    mine, theirs = make_printable(comparison.mine), make_printable(comparison.theirs)
    typer.echo(f"{name}: {make_printable(comparison.message)}. [{comparison.rule}]", err=True)
    if mine or theirs:
        line = f" (line {comparison.line})" if comparison.line else ""
        if mine or comparison.kind not in {copies.Kind.TRUNCATED, copies.Kind.WRONG}:
            typer.echo(f"    yours:   {mine or '(nothing)'}", err=True)
        typer.echo(f"    theirs:  {theirs or '(nothing)'}{line}", err=True)
    _print_hint(comparison.hint)
    if comparison.rule == copies.OWN_TURN and reader:
        _print_hint(f"The file and the mail suggest that you are {reader}. If you are not, add --me NAME.")
    if comparison.problems:
        print_problems("record" if enclosed.mail else name, enclosed.text, comparison.problems[:MOST_PROBLEMS])
        more = len(comparison.problems) - MOST_PROBLEMS
        if more > 0:
            typer.echo(f"    And {more} more.", err=True)
    _print_notes(comparison, enclosed, err=True)


def _print_hint(text: str) -> None:
    for line in wrap_paragraph(f"    {text}", "    "):
        typer.echo(make_printable(line), err=True)


@cites("mail.letter.repeated")
def _explain_nothing_new(game: Path, replay: Replay, writer: int | None) -> str:
    """Say that a letter has no new turn of its writer, and whose turn it is; "" if it has one."""
    turns, names, to_act = replay.record.turns, replay.record.names, replay.position.to_act
    if is_over(replay) or writer in copies.find_resignations(replay.record):
        return ""
    is_new = bool(turns) and turns[-1].seat == writer and not game_source.is_all_sent(game)
    if writer is None or not turns or turns[-1].undone or is_new:
        return ""
    due = f" It is {names[to_act]}'s turn." if to_act is not None else ""
    play = f" Play it first: `tkid play {as_typed(game)} TURN`." if to_act == writer else ""
    return f"Note: This letter has no new turn of yours.{due}{play} [mail.letter.repeated]"


def _find_addressees(replay: Replay, to: list[str], writer: int | None) -> list[int]:
    """Return the seats of people that a letter is to: those named, else the next player, else all others."""
    seats, bots = _find_meant_seats(replay, to, writer), model.find_bot_seats(replay.record)
    people = [seat for seat in seats if seat not in bots]
    if seats and not people:
        name = replay.record.names[seats[0]]
        fail(f"{name} is played by a program, which reads no letters. `tkid play FILE`, without a turn, lets it play.")
    return people


def _find_meant_seats(replay: Replay, to: list[str], writer: int | None) -> list[int]:
    names, to_act = replay.record.names, None if is_over(replay) else replay.position.to_act
    known = {name.casefold() for name in names}
    if not to:
        if to_act is not None and to_act != writer and writer not in copies.find_resignations(replay.record):
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
            seats.append(game_source.seat_of(names, name))
    if writer in seats:
        fail(f"You are {names[writer or 0]}. You cannot write a letter to yourself.")
    return sorted(set(seats))


def _find_writer(file: Path, replay: Replay, me: str, sender: str) -> int | None:
    """Return the writer's seat: by the file's owner, an address, the only known hand, or the last turn played here."""
    record = replay.record
    by_address = [index for index, seat in enumerate(record.seats) if sender and seat.address.lower() == sender.lower()]
    writer = game_source.find_owner(file, record, me)
    if writer is not None:
        if by_address and writer not in by_address:
            other = record.names[by_address[0]]
            fail(f"{sender} is {other}'s address, but the letter is from {record.names[writer]}. [record.own]", WRONG)
        return writer
    if len(by_address) == 1:
        return by_address[0]
    if record.turns and game_source.is_unsent(file, replay):
        return record.turns[-1].seat
    return game_source.own_hand(record)


def _find_sender(replay: Replay, writer: int | None, sender: str) -> model.Seat | None:
    """Return the sender of a letter; None if unknown, so that the mail program has to say it."""
    if writer is None:
        return model.Seat("", sender) if sender else None
    seat = replay.record.seats[writer]
    return evolve(seat, address=sender) if sender else seat
