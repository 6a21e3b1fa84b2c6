"""Commands to play: new, show, legal, play, serve, me, undo, resign."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, redirect_stderr, redirect_stdout, suppress
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import quote

import typer
from attrs import evolve
from typer import Argument, Option

from tkid.cli import game_source, printing, turn_input
from tkid.cli.deal_file import check_playable, check_shared, deal_beside, tell_end, tell_next, tell_waiting
from tkid.cli.files import is_position
from tkid.cli.printing import WRONG, as_typed, fail, print_paragraph, print_turns, stop_on_os_error
from tkid.cli.rules import Rulings, ruleset_option
from tkid.cli.turn_input import NOTHING_CHANGED as NOTHING
from tkid.files import HAS_MODES
from tkid.kernel.game import AnyGame, Position
from tkid.notation.names import list_names
from tkid.notation.positions import write_position
from tkid.record.format.model import PLAYERS, Record, Seat, Turn, add_bots, describe_bots, find_bot_seats
from tkid.record.format.plugin import find_record_plugin
from tkid.record.play.replay import END_RULES, Replay, append, find_early_end, is_over, replay, summarize_end
from tkid.render.plugin import UnknownCardError, find_render_plugin
from tkid.rulebook import cites
from tkid.rulebook.rulesets import find_readings

if TYPE_CHECKING:
    from tkid.host.page_server import Played


app = typer.Typer()

UNDONE = "record.turn.undone"

GameFile = Annotated[Path, Argument(help="The game file.", readable=False)]
For = Annotated[
    str, game_source.player_option("--for", help="Act for this player instead of yourself: name or number.")
]


@app.command(epilog='Example: tkid new winter.tkid "Ann <ann@example.org>" Bob --game winter-2026')
def new(
    file: Annotated[Path, Argument(help="The file to write. It must not exist yet.", readable=False)],
    players: Annotated[
        list[str] | None,
        Argument(help="The players in turn order, each as NAME or 'NAME <ADDRESS>'.", show_default=False),
    ] = None,
    game: game_source.Title = "",
    ruleset: Annotated[
        str, ruleset_option(help="The ruleset. `tkid rulesets` lists all of them.", show_default="second-edition")
    ] = "",
    first: Annotated[
        str, game_source.player_option(help="The start player. Without it, the start player is drawn.")
    ] = "",
    ruling: Rulings = None,
    entropy: Annotated[str, Option(help="Deal from these 64 hex digits, as `tkid seal` prints them.")] = "",
    word: Annotated[list[str] | None, Option(help="A player's words for the deal: NAME=TEXT. May be repeated.")] = None,
    me: Annotated[str, game_source.player_option("--me", help="Your name or number, if the file is yours alone.")] = "",
    bot: Annotated[
        list[str] | None,
        game_source.offer_for_player(*PLAYERS)(
            help="Let a program play for NAME: NAME, or NAME=PLAYER (random, greedy, search, or cmd:PROGRAM for one of "
            "your own). May be repeated."
        ),
    ] = None,
    source: Annotated[
        Path | None,
        Option(
            "--from",
            help="Don't deal, but begin in a position: that of a game file, with its ruleset, or one in one line or as JSON.",
        ),
    ] = None,
    turn: Annotated[int | None, Option(help="With --from: begin after this turn. Without it: after the last.")] = None,
) -> None:
    """Deal a new game into a file. A seal proves later that nobody changed the deal."""
    from tkid.cli.fair_play import entropy_of
    from tkid.cli.opponents import bots_of, let_programs_play
    from tkid.record.format.new_game import NewGameError, new_record, new_record_at, split_fault
    from tkid.record.play.writer import write_record

    dealing = {"--ruleset": ruleset, "--first": first, "--ruling": ruling, "--entropy": entropy, "--word": word}
    recorded = _load_start(source, turn, dealing)
    old, at, position = recorded or (None, None, None)
    players = players or ([str(seat) for seat in old.seats] if old else [])
    if not players:
        fail(f"Name the players, in turn order: `tkid new {as_typed(file)} NAME NAME`.")
    _check_no_file(players)
    game_source.check_players(players)
    bots = bots_of(players, bot or ())
    try:
        if at and position:
            chosen = [f"{name} {option}" for name, option in find_readings(at).items()]
            record = new_record_at(write_position(at, position), at.code, players, game, chosen)
        else:
            dealt_from, readings, words = entropy_of(entropy), ruling or (), word or ()
            code = ruleset or "second-edition"
            record = new_record(code, players, dealt_from, title=game, first=first, rulings=readings, words=words)
    except NewGameError as error:
        for message in error.messages:
            typer.echo(message, err=True)
        options = all(printing.is_about_option(split_fault(message)[1]) for message in error.messages)
        raise typer.Exit(printing.UNREADABLE if options else WRONG) from None
    people = [name for seat, name in enumerate(record.names) if seat not in bots]
    mine = record.names[game_source.seat_of(record.names, me)] if me else people[0] if bots and len(people) == 1 else ""
    begun = replay(add_bots(record, bots))
    game_source.create_record(file, write_record(begun.record, begun), private=record.game.secret)
    game_source.note_owner(file, mine)
    game_source.note_engines(file, record.names, bots)
    starts = record.names[record.start().to_act or 0]
    typer.echo(f"{file}: {record.ruleset.title}, with {', '.join(record.names)}. {starts} starts.")
    if bots:
        typer.echo(describe_bots(begun.record))
        with game_source.open_to_change(file, "The game file is complete, but no program has played"):
            tell_next(file, let_programs_play(file, begun))
    for note in _list_address_problems(record.seats):
        typer.echo(f"Note: {note}")
    _tell_next_steps(file, record, alone=bool(mine) or not people)


def _tell_next_steps(file: Path, record: Record, *, alone: bool) -> None:
    typed = as_typed(file)
    typer.echo(f"Look at it with `tkid show {typed}`.")
    if not alone and not record.game.secret:
        typer.echo(
            f"Is the file yours alone? `tkid me {typed} NAME` keeps you from playing somebody else's turn by mistake."
        )
    if not alone and record.game.covered:
        typer.echo("Until then, `tkid show` shows the next player's hand.")
    if record.position is not None:
        return
    if record.game.secret:
        typer.echo("It contains the entropy of the deal. Keep it to yourself: it reveals all hands.")
    else:
        typer.echo("It contains the entropy of the deal. Nothing is dealt in secret, so everybody may have it.")
    typer.echo(f"`tkid view {typed} --seat NAME` makes a player's file. `tkid verify {typed}` proves the deal.")


def _load_start(
    source: Path | None, turn: int | None, dealing: Mapping[str, object]
) -> tuple[Record | None, AnyGame, Position] | None:
    """Load the record, if there is one, the game and the position that `--from` and `--turn` name; None without them."""
    if source is None:
        if turn is not None:
            fail("--turn needs --from FILE, the game to begin in.")
        return None
    if said := [option for option, value in dealing.items() if value]:
        fail(f"{said[0]} is for a new deal. With --from, leave it out.")
    data = b"" if is_position(str(source)) else game_source.load_bytes(str(source))
    if text := game_source.find_position_text(str(source), data):
        game_source.check_no_turn(turn)
        return None, *game_source.position_of(text)
    recorded = game_source.play_through(source, data)
    moment = recorded.moments[game_source.find_turn_number(str(source), recorded, turn)]
    return recorded.record, recorded.record.game, moment.position


def _check_no_file(players: Sequence[str]) -> None:
    """End the command if the name of the file comes after the players."""
    for typed in players:
        if typed.lower().endswith(printing.GAME):
            way = f"The file comes before the players: `tkid new {as_typed(typed)} NAME NAME`"
            fail(f"`{typed}` reads like a file. {way}. Nothing was written.")


def _list_address_problems(seats: Sequence[Seat]) -> Iterator[str]:
    from tkid.mail.envelope import is_address
    from tkid.record.format.new_game import describe_shared_addresses

    for wrong in (seat.address for seat in seats if seat.address and not is_address(seat.address)):
        way = "Correct it in the file before the first turn. [mail.address]"
        yield f"`{wrong}` is not an address that mail can be sent to. {way}"
    if clause := describe_shared_addresses(seats):
        yield f"{clause}, so `tkid mail read` cannot tell who sent a mail. [mail.one-address]"


@app.command(epilog="Example: tkid show winter.tkid --turn 3")
def show(
    file: game_source.Source,
    turn: Annotated[int | None, Option(help="The position after this turn. 0 is the start.")] = None,
    seat: Annotated[
        str,
        game_source.player_option(
            help="Show what this player may see: name or number. Without it: you, if the file is yours (`tkid me`), or "
            "else the next player; --line and --json then print everything in the file."
        ),
    ] = "",
    line: Annotated[bool, Option("--line", help="Print the position in one line.")] = False,
    as_json: Annotated[bool, Option("--json", help="Print the position as JSON.")] = False,
    color: printing.ColourOption = printing.Colour.AUTO,
) -> None:
    """Show the position of a game."""
    if line and as_json:
        fail("--line and --json are two ways to print a position. Leave one out.")
    game, position, names, events, seat, early, whole = game_source.load_situation(file, seat, turn)
    if line:
        typer.echo(write_position(game, position))
    elif as_json:
        from tkid.record.json.positions import position_json

        printing.print_json(position_json(game, position))
    else:
        from tkid.render import text

        viewer = game_source.seat_of(names, seat) if seat else position.to_act
        position = position if early is None else find_record_plugin(game).close_position(position)
        shown = text.draw_position(game, game.view(position, viewer), names, events, printing.choose_pen(color))
        typer.echo(shown, nl=False, color=True)
        if whole is not None:
            if bots := describe_bots(whole.record):
                typer.echo(f"\n{bots}")
            if early is None:
                printing.print_doubt(whole)
            tell_waiting(Path(file), whole)
        if early is not None:
            typer.echo(f"\n{summarize_end(early, names)}")
            printing.print_doubt(whole)


@app.command(epilog="Example: tkid legal winter.tkid --card Manoeuvre")
def legal(
    file: game_source.Source = "",
    card: Annotated[
        str, Option(help="List every way to play this card.", autocompletion=game_source.complete_turn)
    ] = "",
    every: Annotated[bool, Option("--all", help="List every way to play every card.")] = False,
    seat: game_source.Viewer = "",
    jsonl: Annotated[
        bool, Option("--jsonl", help="Read a position as JSON from each line of standard input, and answer each.")
    ] = False,
) -> None:
    """List the legal turns: which cards you may play, and how."""
    if jsonl:
        from tkid.record.json.positions import legal_lines

        printing.check_option_alone(file or card, "--jsonl reads positions from standard input")
        turn_input.answer_lines(legal_lines)
        return
    if not file:
        fail("Which game? Write `tkid legal FILE`, or --jsonl to answer positions from standard input.")
    game, position, names, _, _, early, whole = game_source.load_situation(file, seat)
    if early is not None:
        typer.echo(f"{summarize_end(early, names)} There are no legal turns.")
    elif position.to_act is None:
        typer.echo(f"The game is over: {position.ending}. There are no legal turns.")
    if early is not None or position.to_act is None:
        printing.print_doubt(whole)
        return
    try:
        lines = find_render_plugin(game).list_legal(game, position, names, card, every=every)
    except UnknownCardError as error:
        fail(str(error), WRONG)
    for line in lines:
        typer.echo(line)
    if whole is not None:
        tell_waiting(Path(file), whole)


@app.command("play", epilog='Example: tkid play winter.tkid "Manoeuvre S Moray <> E Devon; summon W Gwynedd"')
def play_turn(
    file: GameFile,
    turn: Annotated[
        str | None,
        Argument(
            metavar="TURN",
            help='The turn: "Pass", or a card, what it does and the summons. Without it, the program whose turn it is plays.',
            autocompletion=game_source.complete_turn,
        ),
    ] = None,
    yes: Annotated[bool, Option("--yes", help="Do not ask, if your words can mean only one legal turn.")] = False,
    me: game_source.Me = "",
    whose: For = "",
    bot: Annotated[
        list[str] | None,
        game_source.offer_for_player("cmd:")(
            help="NAME=cmd:PROGRAM: the command of another program that plays NAME. tkid remembers it for this file."
        ),
    ] = None,
) -> None:
    """Play a turn. You may use your own words: tkid then asks before it plays. A wrong turn changes nothing."""
    with game_source.open_to_change(file, "Nothing was played") as data:
        played = game_source.play_through(file, data)
        if bot:
            _name_engines(file, played, bot)
        after = _take_turn(file, played, turn, yes=yes, me=me, whose=whose)
    if after is None:
        return
    tell_next(file, after)
    if after.position.to_act is not None:
        tell_waiting(file, after)
    else:
        tell_end(file, after)


def _name_engines(file: Path, played: Replay, wanted: Sequence[str]) -> None:
    """Note the commands of other programs that play in a game, or end the command."""
    from tkid.cli.opponents import bots_of

    names, known = played.record.names, find_bot_seats(played.record)
    bots = bots_of(names, wanted)
    for seat, each in bots.items():
        if not each.command or seat not in known or known[seat].player != each.player:
            name = names[seat]
            fail(f"--bot {name}: the file doesn't let another program play {name}. Leave it out.")
    game_source.note_engines(file, names, bots)


def _take_turn(
    file: Path, played: Replay, turn: str | None, *, me: str, yes: bool = False, whose: str = "", here: bool = True
) -> Replay | None:
    """Play a turn into a locked file, and what programs answer; only the program whose turn it is: None."""
    from tkid.cli.opponents import let_programs_play

    check_goes_on(played)
    due = played.position.to_act
    if not whose and due is not None and due in find_bot_seats(played.record):
        typer.echo(f"First {played.record.names[due]} plays, whose turn it is.")
        tell_next(file, let_programs_play(file, played))
        if turn:
            whose = f"It was {played.record.names[due]}'s turn, so `{turn}` was not played"
            fail(f"{whose}. Play it again if you still want to.", WRONG)
        return None
    if turn is None and due is None:
        over = f"The game is over. `tkid why {as_typed(file)}` shows who won. Nothing was played."
        fail(over, WRONG)
    if turn is None:
        fail(f"Which turn? `tkid legal {as_typed(file)}` lists the legal ones. Nothing was played.")
    check_player(file, played, me, whose)
    check_shared(file, played)
    turn = turn_input.turn_to_play(played, turn, yes=yes, here=here)
    replay = append(played, turn)
    if replay.problems:
        printing.print_problems("turn", turn, replay.problems)
        fail("Nothing was played.", WRONG)
    check_playable(file, replay)
    after = turn_input.with_passes(replay)
    game_source.write_game(file, after)
    game_source.note_played(file, after)
    print_turns(after.moments[len(played.moments) :], after.record)
    return let_programs_play(file, after)


HERE = "127.0.0.1"
"""The address of this machine that other machines cannot reach."""
WRITING = ("Type a turn", "In your own words, if you like. You are asked before it is played.")
MOVED = f"The game has moved on. {turn_input.NOTHING_PLAYED} Look at the board, and send it again if you still want to."
HANDOVER = """<p>Nobody else should look at the board now.</p>
<p><a class="k-button" href="{link}">Show {name}'s board</a></p>
<p id="w-news" role="status" hidden></p>"""
EXCERPT = re.compile(r"^turn:\d+:\d+: |^    .*\n +\^+\n|^ +", re.MULTILINE)
"""Where in a typed turn a mistake is, as a terminal shows it."""
LETTER = """<details open><summary>Send this mail to {people}</summary>
<article><p>{where} Save the answer, and read it with <code>tkid letter read {file} LETTER</code>.</p>
<pre>{text}</pre></article></details>"""


@app.command(epilog="Example: tkid serve winter.tkid; or against a program: tkid serve winter.tkid --bot Bob=greedy")
def serve(
    file: GameFile,
    bot: Annotated[
        list[str] | None,
        game_source.offer_for_player(*PLAYERS)(
            help="Let a program play from the first turn on: NAME, or NAME=PLAYER as in `tkid new`. May be repeated."
        ),
    ] = None,
    me: game_source.Me = "",
    port: Annotated[int, Option(help="The port to listen on. 0: any that is free.", min=0, max=65535)] = 0,
    opens: Annotated[bool, Option("--open/--no-open", help="Open the page in your browser.")] = True,
) -> None:
    """Play in your browser. Click a turn on the board, and send it. Only this machine can reach the page. Ctrl-C ends it."""
    import secrets
    import socket

    if find_spec("starlette") is None or find_spec("uvicorn") is None:
        fail("Python packages are missing: run pip install '.[web]' in a copy of the source.")
    from tkid.cli.opponents import let_programs_play
    from tkid.host.page_server import FilePages, make_server

    with game_source.open_to_change(file, "Nothing is served") as data:
        played = _seat_programs(file, game_source.play_through(file, data), bot or ())
        game_source.infer_owner(file, played.record, me)
        tell_next(file, let_programs_play(file, played))
    try:
        listening = socket.create_server((HERE, port))
    except OSError as error:
        fail(f"Port {port} can't be used: {error.strerror}. Choose another one with --port.")
    place = f"http://{HERE}:{listening.getsockname()[1]}"
    served = ServedFile(file, me, f"/{secrets.token_urlsafe(16)}")
    pages = FilePages(place, served.path[1:], served.show, served.play)
    with suppress(KeyboardInterrupt), listening:
        typer.echo(f"The board is at {place}{served.path}")
        typer.echo("Anybody who has this address can play. Press Ctrl-C to end this.")
        os.environ["NO_COLOR"] = "1"  # what is printed from here on is for the page
        with _open_browser(file, f"{place}{served.path}") if opens else nullcontext():
            make_server(pages.make_app(), HERE, port).run([listening])
    typer.echo(f"Stopped. The turns are in {file}.")


def _seat_programs(file: Path, played: Replay, wanted: Sequence[str]) -> Replay:
    """Seat programs in a game that has not begun, or end the command."""
    from tkid.cli.opponents import bots_of

    bots, known = bots_of(played.record.names, wanted), find_bot_seats(played.record)
    game_source.note_engines(file, played.record.names, bots)
    if {seat: evolve(each, command="") for seat, each in bots.items()}.items() <= known.items():
        return played
    if known or played.record.turns:
        way = f"tkid new again.tkid --from {as_typed(file)} --bot {as_typed(wanted[0])}"
        fault = "programs" if known else "turns"
        fail(f"{file} has {fault} already. To play against others in a new file: `{way}`.", WRONG)
    begun = replay(add_bots(played.record, bots))
    game_source.write_game(file, begun)
    typer.echo(describe_bots(begun.record))
    return begun


@contextmanager
def _open_browser(file: Path, address: str) -> Iterator[None]:
    """Open a browser. It finds the address in a private file: other people here can read the arguments of programs."""
    import webbrowser
    from tempfile import NamedTemporaryFile
    from threading import Thread

    with NamedTemporaryFile("w", encoding="utf-8", prefix=".tkid-", suffix=".html", dir=file.parent) as beside:
        beside.write(f'<!doctype html><meta http-equiv="refresh" content="0; url={address}"><title>tkid</title>')
        beside.flush()
        page = Path(beside.name).absolute().as_uri() if HAS_MODES else address
        Thread(target=webbrowser.open, args=(page,), daemon=True).start()
        yield


@contextmanager
def _keep_output() -> Iterator[Callable[[], str]]:
    """Keep what is printed, and yield a function that returns it."""
    kept = io.StringIO()
    with redirect_stdout(kept), redirect_stderr(kept):
        yield lambda: EXCERPT.sub("", kept.getvalue()).strip()


def _has_covered_hands(played: Replay) -> bool:
    return played.record.game.secret or played.record.game.covered


class ServedFile:
    """A game file with a page: for its owner, for the one person among programs, or for each player in turn.

    `path` is where the page is. If hands are secret and everybody plays at this device, a page between two turns has no hand.
    """

    def __init__(self, file: Path, me: str, path: str) -> None:
        self.file, self.me, self.path = file, me, path
        self.letter = file.with_name(f"{file.stem}-letter.eml")

    def show(self, opened: str, tried: str | None) -> tuple[int, str]:
        """Return a status, and the page or what is wrong with the file.

        `opened` is the position that a player has opened; `tried` are turns that are tried out.
        """
        with _keep_output() as printed:
            with suppress(typer.Exit):
                return 200, self._write_page(game_source.load(self.file), opened, tried)
            return 503, printed()

    def play(self, text: str, state: str) -> Played:
        """Play a text in the position that its sender saw, as `tkid play` does, and write the letter if one is due."""
        from tkid.cli import letters
        from tkid.host.page_server import Played

        with _keep_output() as printed:
            try:
                with game_source.open_to_change(self.file, "Nothing was played") as data:
                    before = game_source.play_through(self.file, data)
                    if game_source.hash_course(before) != state:
                        return Played(409, MOVED)
                    after = _take_turn(self.file, before, text, me=self.me, here=False) or before
            except turn_input.DoubtError as doubt:
                return Played(422, f"{printed()}\n{doubt}".strip(), doubt.turns)
            except typer.Exit:
                return Played(422, printed())
        _, shared, writes = self._find_reader(after)
        said = "" if shared and _has_covered_hands(after) else f"Played: {after.moments[len(before.moments)].line}"
        with _keep_output() as printed, suppress(typer.Exit):
            if writes:
                letters.write(self.file, self.letter, me=self.me)
            return Played(200, said)
        return Played(200, f"{said}\n{printed()}")

    def _find_reader(self, played: Replay) -> tuple[int, bool, bool]:
        """Return the seat whose page it is, whether it is another one after each turn, and whether it sends a letter."""
        from tkid.record.clock import has_host

        owner, bots = game_source.infer_owner(self.file, played.record, self.me), find_bot_seats(played.record)
        people = [seat for seat in range(len(played.record.seats)) if seat not in bots]
        last = next((turn.seat for turn in reversed(played.record.turns) if turn.seat in people), 0)
        if owner is not None or len(people) == 1:
            writes = owner == last and bool(played.record.turns) and len(people) > 1 and not has_host(played.record)
            return people[0] if owner is None else owner, False, writes
        return last if played.position.to_act is None else played.position.to_act, True, False

    def _write_page(self, played: Replay, opened: str, tried: str | None) -> str:
        from html import escape

        from tkid.host.page_server import ShownBoard, offer_trial, try_turns, write_notice, write_seat_page
        from tkid.mail.blocks import Events, Paragraph
        from tkid.mail.game_service import open_without_host
        from tkid.mail.letter_parts import Recipient, describe_standing, number_past_turn

        seat, shared, writes = self._find_reader(played)
        name, state = played.record.names[seat], game_source.hash_course(played)
        if shared and _has_covered_hands(played) and not is_over(played) and opened != state:
            body = HANDOVER.format(link=f"{self.path}/{state}", name=escape(name))
            return write_notice(f"Pass the device to {name}", body)
        reader = Recipient(open_without_host(played, seat), seat, datetime.now(UTC))
        events = Events(tuple(number_past_turn(reader.known, index, seat) for index in reader.round))
        with _keep_output() as waiting:
            tell_waiting(self.file, played)
        news = (Paragraph(f"{describe_standing(reader)} {waiting()}".strip()), events)
        board = None if tried is None else try_turns(reader, tried)
        title = played.record.title or self.file.stem
        board = board or ShownBoard.make_board(reader, title, offer_trial(reader), headline=("", ""))
        letter = self._show_letter(played, seat) if writes else ""
        return write_seat_page(board.build_page(), news=news, writing=WRITING, letters=letter, about=state)

    def _show_letter(self, played: Replay, owner: int) -> str:
        from html import escape

        from tkid.cli.letters import preview_letter
        from tkid.render.click_page import Answer

        letter = preview_letter(played, owner)
        written, own = (escape(as_typed(file)) for file in (self.letter, self.file))
        where = f"It is in <code>{written}</code>: open that file in your mail program, and send it."
        if not self.letter.exists():
            where = f"Write it with <code>tkid letter write {own} -o {written}</code>."
        if deal_beside(str(self.file)) is None:
            mail = Answer(",".join(seat.address for seat in letter.to if seat.address), letter.subject)
            body = quote(f"{letter.text}\n{letter.file}".replace("\n", "\r\n"))
            where += f' Or <a href="{escape(mail.href + body)}">write it in your mail program</a>, with the game below the text.'
        people = escape(list_names([seat.name for seat in letter.to], "and"))
        return LETTER.format(people=people, where=where, file=own, text=escape(letter.text))


@app.command(epilog="Example: tkid me winter.tkid Ann")
def me(
    file: GameFile,
    name: Annotated[
        str,
        Argument(
            help="Your name or number; `nobody` if several people play with this file.",
            autocompletion=game_source.complete_player,
        ),
    ] = "",
) -> None:
    """Set whose game file it is. Then you can't play somebody else's turn by mistake. Without NAME, show whose it is."""
    record = game_source.load(file).record
    hand = game_source.own_hand(record)
    if name:
        chosen = "" if name.casefold() == "nobody" else record.names[game_source.seat_of(record.names, name)]
        if hand is not None and chosen not in {"", record.names[hand]}:
            own = f"{file} has the secret hand of {record.names[hand]} alone, so it is {record.names[hand]}'s file"
            fail(f"{own}, not {chosen}'s. Nothing was changed. [record.own]", WRONG)
        with stop_on_os_error("Nothing was changed"):
            game_source.change_owner(file, chosen)
    seat = game_source.find_owner(file, record)
    if seat is None and hand is not None:
        typer.echo(f"{file} is {record.names[hand]}'s file: it has the secret hand of {record.names[hand]} alone.")
    elif seat is None:
        typer.echo(
            f"{file} belongs to nobody: every player's turns can be played into it. To change that: `tkid me {as_typed(file)} NAME`."
        )
    else:
        typer.echo(f"{file} is {record.names[seat]}'s file.")


@app.command(epilog="Example: tkid undo winter.tkid")
def undo(
    file: GameFile,
    me: game_source.Me = "",
    acting: For = "",
    agreed: Annotated[
        bool, Option("--agreed", help="Mark the last turn as taken back. All players have to agree.")
    ] = False,
) -> None:
    """Remove your last turn from the file. Programs' answers go with it. If you have sent it, all have to agree: add --agreed."""
    from tkid.record.play.writer import remove_last_turn

    with game_source.open_to_change(file, "Nothing was taken back") as data:
        whole = game_source.play_through(file, data)
        check_goes_on(whole, "Nothing was taken back.")
        if agreed:
            _mark_taken_back(file, whole)
            return
        played = _strip_automatic_turns(whole)
        check_own_turn(file, played, me, acting)
        check_unsent(file, whole)
        before = remove_last_turn(played)
        game_source.write_game(file, before)
    game_source.note_undone(file)
    names, to_act = before.record.names, before.position.to_act
    for moment in whole.moments[len(before.moments) :]:
        typer.echo(f"Taken back: {moment.line}")
    typer.echo(f"It is {names[to_act or 0]}'s turn. If you gave somebody the file, tell them.")


@cites("record.turn.undone")
def _mark_taken_back(file: Path, played: Replay) -> None:
    """Mark the latest turn that stands as taken back by everybody, and say how the others hear of it."""
    from tkid.record.play.writer import take_back_turn

    names, after, time = played.record.names, played, turn_input.read_typed_time("")
    standing = [turn for turn in reversed(played.record.turns) if not turn.undone]
    turn = next((turn for turn in standing if not _is_automatic_pass(turn)), None)
    if turn is None:
        fail(f"{file} has no turn to take back. Nothing was taken back.", WRONG)
    for _ in range(standing.index(turn) + 1):  # the passes after it for players who have resigned go with it
        after = take_back_turn(after, range(len(names)), time)
    game_source.write_game(file, after)
    typer.echo(f"Marked as taken back, because everybody agreed: {after.moments[turn.number].line} [{UNDONE}]")
    typer.echo(f"It is {names[after.position.to_act or 0]}'s turn.")
    send = f"`tkid letter write {as_typed(file)} --to all -o FILE`"
    print_paragraph(f"Send a letter to the others: {send}. They read it with `tkid letter read FILE LETTER --agree`.")


def _strip_automatic_turns(played: Replay) -> Replay:
    """Remove the turns after a person's last: answers of programs, and passes for players who have resigned."""
    from tkid.record.play.writer import remove_last_turn

    bots = find_bot_seats(played.record)
    while (turns := played.record.turns) and (turns[-1].seat in bots or _is_automatic_pass(turns[-1])):
        played = remove_last_turn(played)
    return played


def _is_automatic_pass(turn: Turn) -> bool:
    """Return True if a turn is a pass for a player who has resigned. Turns without notes need no import."""
    if not turn.notes:
        return False
    from tkid.mail.peer_letters import is_passed

    return is_passed(turn)


def check_goes_on(played: Replay, nothing: str = "Nothing was played.") -> None:
    """Stop where a game is over although its rules have not decided it: somebody resigned, or all agreed."""
    if (early := find_early_end(played)) is not None:
        rule = END_RULES.get(early.how, "post.agree")
        fail(f"{summarize_end(early, played.record.names)} {nothing} [{rule}]", WRONG)


def check_player(file: Path, before: Replay, me: str, acting: str) -> None:
    """Stop where it is somebody else's turn than the player's whose file it is, or than who is named with --for."""
    names, to_act = before.record.names, before.position.to_act
    seat = game_source.find_acting_seat(file, before.record, me, acting)
    if to_act is None or seat is None or seat == to_act:
        return
    turn = f"It is {names[to_act]}'s turn"
    if acting:
        fail(f"{turn}, not {names[seat]}'s. Nothing was played.", WRONG)
    mine = f"{turn}, and this is {names[seat]}'s file. Nothing was played. [record.own]"
    fail(f"{mine}\nTo play for {names[to_act]}, add --for {as_typed(names[to_act])}.", WRONG)


def check_own_turn(file: Path, played: Replay, me: str, acting: str) -> None:
    """Stop where the last turn is not the player's own, or its player has resigned."""
    from tkid.record.copies import find_resignations

    turns, names = played.record.turns, played.record.names
    seat = game_source.find_acting_seat(file, played.record, me, acting)
    gone = find_resignations(played.record)
    if seat in gone or (seat is None and turns and turns[-1].seat in gone):
        name = names[turns[-1].seat if seat is None else seat]
        fail(f"{name} has resigned, and cannot take that back. Nothing was taken back. [post.resign.final]", WRONG)
    if not turns:
        fail(f"{file} has no turns of yours yet. Nothing was taken back.", WRONG)
    last = turns[-1]
    if seat is not None and seat != last.seat:
        whose = f"Turn {last.number} is {names[last.seat]}'s turn, not {names[seat]}'s"
        fail(f"{whose}. Nothing was taken back. [record.own]", WRONG)


def check_unsent(file: Path, played: Replay) -> None:
    """Stop where the last turn may have left the machine; a game of one person with programs concerns nobody else."""
    if len(played.record.seats) - len(find_bot_seats(played.record)) > 1 and not game_source.is_unsent(file, played):
        from tkid.record.clock import has_host

        ask = f"Ask the others in a mail. When all have agreed: `tkid undo {as_typed(file)} --agreed`."
        if has_host(played.record):
            ask = "Write `undo?` to the host, who asks the others."
        fail(
            f"Others may have turn {played.record.turns[-1].number} already, from a letter or a copy of the file. Nothing was taken back. "
            f"[record.turn.unsent]\nIt can be taken back only if everybody agrees. {ask} [{UNDONE}]",
            WRONG,
        )


@app.command(epilog="Example: tkid resign winter.tkid")
def resign(
    file: GameFile,
    yes: Annotated[bool, Option("--yes", help="Do not ask.")] = False,
    me: game_source.Me = "",
    acting: For = "",
    at: turn_input.At = "",
) -> None:
    """Give up a game that has no host. You cannot take it back. Afterwards, send a letter to the others."""
    from tkid.mail.peer_letters import add_passes
    from tkid.record.copies import add_resignation

    time = turn_input.read_typed_time(at)
    with game_source.open_to_change(file, "Nothing was changed") as data:
        played = game_source.play_through(file, data)
        names, seat = played.record.names, game_source.find_acting_seat(file, played.record, me, acting)
        if seat is None:
            fail(f"Who resigns? Add --me NAME. The players are {list_names(names, 'and')}. {NOTHING}", WRONG)
        _check_may_resign(file, played, seat)
        turn_input.check_resigning(names[seat], yes=yes)
        after = add_passes(add_resignation(played, seat, time))
        game_source.write_game(file, after)
    if len(after.moments) > len(played.moments):
        game_source.note_played(file, after)
    typer.echo(f"{names[seat]} has resigned. [record.resigned]")
    print_turns(after.moments[len(played.moments) :], after.record)
    if (end := find_early_end(after)) is not None:
        typer.echo(summarize_end(end, names))
    else:
        name, due = names[seat], names[after.position.to_act or 0]
        typer.echo(f"The game continues without {name}: the seat passes. It is {due}'s turn.")
    print_paragraph(f"Send a letter to the others: `tkid letter write {as_typed(file)} --to all -o FILE`.")


def _check_may_resign(file: Path, played: Replay, seat: int) -> None:
    from tkid.record.clock import has_host
    from tkid.record.copies import find_resignations

    if has_host(played.record):
        way = "Write `resign` to the host, alone on its line."
        fail(f"{file} is a game at a host. {way} {NOTHING} [post.resign]", WRONG)
    if is_over(played):
        fail(f"The game is over. {NOTHING}", WRONG)
    if seat in find_resignations(played.record):
        fail(f"{played.record.names[seat]} has resigned already. {NOTHING}", WRONG)
