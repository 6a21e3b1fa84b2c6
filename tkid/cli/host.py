"""The commands of a host except games and rounds: folder, state, pages, backups, the owner's orders."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from datetime import datetime
from importlib.resources import files
from inspect import Parameter, Signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

import typer
from typer import Argument, Option

from tkid.cli import host_games, host_rounds
from tkid.cli.files import check_apart, check_output, print_or_write, read_bytes
from tkid.cli.host_rounds import Folder, Game, complete_game, complete_game_player, directory_in, get_time, store_of
from tkid.cli.printing import (
    UNREADABLE,
    WRONG,
    as_typed,
    fail,
    offer,
    os_error_text,
    print_json,
    show_progress,
    stop_on_os_error,
)
from tkid.notation.text import capitalize_text, count_noun
from tkid.render.lines import make_printable

if TYPE_CHECKING:
    from tkid.host.directory import HostDirectory
    from tkid.host.health import Health, Part
    from tkid.host.store.transaction import StoredGame
    from tkid.kernel.problems import Problem
    from tkid.mail.order_machine import OrderResult


STATE_WORDS = {"new": "waiting", "done": "done", "filed": "filed", "quarantined": "put aside"}
"""Names of a mail's states."""
TWO_MAILBOXES = "The host can't know whether two mailboxes belong to one person."
"""The note for the owner below seats that were taken over."""
WORK = {"clocks": "runs the clocks", "pages": "publishes the pages"}
"""What a machine does that has a lease other than that of a mailbox."""
MOST_GAMES = 20
"""Maximum number of games that `status` lists on a screen."""
MOST_LETTERS = 10
"""Maximum number of letters that `status` lists there."""
LATE = 60.0
"""Seconds, in addition to twice the pause, after which a round is missed."""


def status(
    folder: Folder,
    game: Annotated[
        str, Argument(help="A game: show only this one, with its last turns and notes.", autocompletion=complete_game)
    ] = "",
    as_json: Annotated[bool, Option("--json", help="Print a JSON object.")] = False,
    every: Annotated[bool, Option("--all", help="Also list finished games: who won, and how.")] = False,
) -> None:
    """Show the state of the host and its games. Lists what works, what fails, what waits, and whose turn it is."""
    if game:
        print_desk_answer(carry_out_desk_order(folder, "status", game))
        return
    directory = directory_in(folder)
    from tkid.host.health import Health
    from tkid.host.status import describe_status as state_of
    from tkid.host.store.connection import DATABASE_ERRORS, describe_database_error

    health, time = Health.read_file(directory.health), get_time()
    state: dict[str, Any] = {}
    try:
        with directory.open_store() as store:
            state = state_of(store, time, *((None, None) if as_json else (MOST_GAMES, MOST_LETTERS)), every=every)
    except DATABASE_ERRORS as error:
        state["error"] = describe_database_error(error, directory.folder)
    if as_json:
        print_json({**state, "loop": health.describe_as_json()}, indent=1)
    else:
        if "error" in state:
            typer.echo(f"The database cannot be read: {state['error']}.", err=True)
        loop = _describe_loop(directory, health, time, failing="error" in state)
        machines, trouble = state.get("machines", ()), () if "error" in state else _describe_trouble(state, folder)
        for line in (*trouble, *loop, *map(_describe_machine, machines), *_describe_state(state, folder)):
            typer.echo(line)
    if "error" in state:
        raise typer.Exit(UNREADABLE)


def metrics(folder: Folder) -> None:
    """Print the host's figures for Prometheus."""
    directory = directory_in(folder)
    from tkid.host.health import Health
    from tkid.host.status import write_metrics as metrics_text
    from tkid.host.store.connection import DATABASE_ERRORS, describe_database_error

    health, time = Health.read_file(directory.health), get_time()
    try:
        with directory.open_store() as store:
            typer.echo(metrics_text(store, health, time), nl=False)
    except DATABASE_ERRORS as error:
        typer.echo(metrics_text(None, health, time), nl=False)
        typer.echo(f"The database cannot be read: {describe_database_error(error, directory.folder)}.", err=True)
        raise typer.Exit(UNREADABLE) from None


def _describe_loop(directory: HostDirectory, health: Health, now: datetime, *, failing: bool) -> list[str]:
    """Describe the work of the loop. If the database is `failing`, show only the last round's failures."""
    from tkid.host.directory import INNER
    from tkid.mail.game_clock import format_length, format_moment

    if health.last_round is None:
        return [f"The host has not run yet. Start it with `tkid host run {as_typed(directory.folder)}`."]
    ago = now - health.last_round
    length = format_length(ago) if ago.total_seconds() >= LATE else "less than a minute"
    summary = f"last round {length} ago"
    if ago.total_seconds() > 2 * directory.settings.pause + LATE:
        summary = f"no round since {format_moment(health.last_round)}. Is `tkid host run {as_typed(directory.folder)}` running?"
    hidden = health.parts.keys() if failing else INNER
    parts = {name: part for name, part in health.parts.items() if part.since and (part.error or name not in hidden)}
    width = max(map(len, parts), default=0)
    return [summary, *(f"  {name:{width}}  {_describe_part(part, now)}" for name, part in parts.items())]


def _describe_part(part: Part, now: datetime) -> str:
    from tkid.mail.game_clock import format_moment

    assert part.since is not None
    if not part.error:
        return f"works since {format_moment(part.since)}"
    line = f"FAILS since {format_moment(part.since)}, {count_noun(part.failures, 'time')}: {part.error}"
    if part.next_try is not None and part.next_try > now:
        line += f"; next try in {count_noun(round((part.next_try - now).total_seconds()), 'second')}"
    return line


def _describe_machine(machine: dict[str, Any]) -> str:
    """Describe what a machine does apart from the work that all do: to carry out mails, and to send letters."""
    from tkid.mail.game_clock import format_moment

    name, seen = f"machine {machine['name']}", format_moment(datetime.fromisoformat(machine["seen"]))
    if not machine["at_work"]:
        return f"{name}: not at work since {seen}"
    work = ", ".join(WORK.get(each, f"reads {each}") for each in machine["leases"]) or "shares mails and letters"
    return f"{name}: {work}; seen on {seen}, clock {machine['clock_ahead']:+.1f} s, version {machine['version']}"


def _describe_trouble(state: dict[str, Any], folder: Path) -> list[str]:
    """Describe what the owner has to look after: machines, mails that crashed the program, clocks, webhooks."""
    said, command = "mail {number} was put aside: {reason}. To carry it out: ", f"tkid host process {as_typed(folder)}"
    lines = [problem for each in state["machines"] for problem in each["problems"]]
    lines += [f"{said.format(**each)}`{command} {each['number']}`" for each in state["put_aside"]]
    lines += [capitalize_text(state["clock"])] if state["clock"] else []
    lines += [f"{each['game']}: its clock could not be checked: {each['reason']}" for each in state["stuck"]]
    return [make_printable(line) for line in (*lines, *state["webhooks"])]


def _describe_state(state: dict[str, Any], folder: Path) -> list[str]:
    if "error" in state:
        return []
    games, mails, letters = state["games"], state["mails"], state["letters"]
    lines = [
        f"games: {state['playing']} being played, {state['over']} over",
        "mails: " + ", ".join(f"{number} {STATE_WORDS[state]}" for state, number in mails.items()),
        f"letters: {letters['sent']} sent, {letters['waiting']} waiting, {letters['given_up']} given up",
    ]
    if state["oldest"]:
        lines.append(f"The oldest waiting mail came at {state['oldest']}.")
    lines += list(map(_describe_letter, letters["unsent"]))
    if (left := letters["waiting"] + letters["given_up"] - len(letters["unsent"])) > 0:
        lines.append(f"{count_noun(left, 'more letter')}: `tkid host status {as_typed(folder)} --json` lists all.")
    lines += [f"{each['address']} cannot be reached: {each['reason']}" for each in state["unreachable"]]
    if state["unreachable"] or letters["given_up"] or letters["failing"]:
        lines.append(f"To send these letters again: `tkid host send-again {as_typed(folder)}`")
    lines += [f"{game['id']}: {game['stands']}" for game in games]
    if (left := state["playing"] - len(games)) > 0:
        lines.append(f"{count_noun(left, 'more game')}: `tkid host games {as_typed(folder)}` lists all.")
    lines += list(map(_describe_person, state["persons"]))
    lines += [TWO_MAILBOXES] if any("taken_by" in person for person in state["persons"]) else []
    return [make_printable(line) for line in lines]


def _describe_person(person: dict[str, str]) -> str:
    if "taken_by" in person:
        return f"{person['game']}: {person['taken_by']} <{person['address']}> plays for {person['seat']}"
    return f"{person['game']}: {person['one_mailbox']} have one mailbox, {person['address']}"


def _describe_letter(letter: dict[str, Any]) -> str:
    line = f"letter {letter['number']} to {letter['address']} ({letter['game']})"
    if letter["given_up"]:
        return f"{line} was given up: {letter['error']}"
    if not letter["tries"]:
        return f"{line} waits"
    return f"{line} waits, tried {count_noun(letter['tries'], 'time')}: {letter['error']}"


def upgrade(folder: Folder) -> None:
    """Bring the database to the version that this program needs. First it makes a backup in the folder."""
    directory, time = directory_in(folder), get_time()
    from tkid.host.backup import BackupError, back_up
    from tkid.host.store import schema
    from tkid.host.store.connection import connect_database

    with host_rounds.report_host_errors(folder):
        engine = connect_database(directory.database.url)
        try:
            version = schema.find_readable_version(engine)
            if version == schema.VERSION:
                typer.echo(f"{folder}: the database already has version {version}.")
                return
            file = folder / f"before-version-{schema.VERSION}-{time:%Y%m%dT%H%M%SZ}.backup"
            back_up(directory, file, time)
            before = schema.upgrade_tables(engine)
        except BackupError as error:
            fail(f"{error}.")
        finally:
            engine.dispose()
    typer.echo(
        f"{folder}: upgraded the database from version {before} to {schema.VERSION}. Backup of the old one: {file}"
    )


def backup(
    folder: Folder,
    file: Annotated[Path, Argument(help="The new file, or a folder for a file named after the time.", metavar="FILE")],
    force: Annotated[bool, Option("--force", help="Replace an existing file.")] = False,
    since: Annotated[
        Path | None,
        Option(help="Write only what changed since this backup, which is in the same folder.", metavar="EARLIER"),
    ] = None,
) -> None:
    """Write everything that a host keeps to one file.

    The file has games, mails, letters, keys, the secret and the settings, but no passwords. The host may run meanwhile. With
    --since, keep the earlier backup too: you need both to restore the host. Anybody who can read the file can read every
    hand of every game.
    """
    directory = directory_in(folder)
    from tkid.host.backup import BackupError, back_up

    (check_apart if file.is_dir() else check_output)(file, None, *host_rounds.list_host_files(directory))
    with stop_on_os_error("Nothing was written"), host_rounds.report_host_errors(folder):
        try:
            with show_progress("rows written") as shown:
                made, rows = back_up(directory, file, get_time(), replace=force, since=since, step=shown.count_step)
        except BackupError as error:
            fail(f"{error}.", WRONG)
    typer.echo(f"{made}: a backup with {count_noun(rows, 'row')}. Keep it to yourself, and on another disk.")


def restore(
    file: Annotated[Path, Argument(help="The backup.", metavar="FILE")],
    folder: Folder,
    store: Annotated[
        str, Option(help="For a new folder: the database, as an SQLAlchemy address, instead of the one in the backup.")
    ] = "",
    force: Annotated[bool, Option("--force", help="Replace the host in the folder.")] = False,
) -> None:
    """Restore a host from a backup.

    It goes into its own folder or a new one, and may run meanwhile. The next round reads the mailbox again, carries out the
    mails that came after the backup, and writes to the players.
    """
    host_rounds.check_requirements()
    from tkid.host.backup import BackupError
    from tkid.host.backup import restore_backup as restore_host
    from tkid.host.directory import DATABASE, SECRET
    from tkid.host.settings import FILE

    for made in (FILE, SECRET, DATABASE):
        check_apart(folder / made, None, file)
    with stop_on_os_error("Nothing was restored"), host_rounds.report_host_errors(folder):
        try:
            done = restore_host(file, folder, os.environ, get_time(), store, force=force)
        except BackupError as error:
            fail(f"{error}.", WRONG)
    kept = f" The old files are kept: {done.kept}." if done.kept else ""
    typer.echo(
        f"{folder}: restored the host as of {done.made:%Y-%m-%d %H:%M} UTC, {count_noun(done.rows, 'row')}.{kept} "
        f"Start it with `tkid host run {as_typed(folder)}`, unless it is running."
    )


def doctor(
    folder: Folder,
    offline: Annotated[bool, Option("--offline", help="Do not try to reach the servers.")] = False,
    as_json: Annotated[bool, Option("--json", help="Print a JSON object.")] = False,
) -> None:
    """Check everything about a host, and say what to fix."""
    directory = directory_in(folder)
    from tkid.host.status import find_all

    findings = find_all(directory, get_time(), offline=offline)
    problems = [finding for finding in findings if not finding.right]
    if as_json:
        checks = [{"check": each.check, "ok": each.right, "text": each.text} for each in findings]
        print_json({"ok": not problems, "checks": checks}, indent=1)
    else:
        for finding in findings:
            if finding.text:
                typer.echo(finding.text, err=not finding.right)
        if not problems:
            games = next(finding.count for finding in findings if finding.check == "games")
            typer.echo(f"{folder}: all right, {count_noun(games, 'game')}.")
    if problems:
        raise typer.Exit(WRONG)


def publish(
    folder: Folder,
    target: Annotated[
        Path | None, Argument(help="The folder for the pages. Without it, the one in the settings.", metavar="FOLDER")
    ] = None,
    again: Annotated[bool, Option("--again", help="Write every page again, even unchanged ones.")] = False,
    take_over: Annotated[
        bool, Option("--take-over", help="Publish into a folder that has other files. The command keeps them.")
    ] = False,
) -> None:
    """Publish the club's pages to a folder.

    They show running games as a spectator sees them, the archive, players, ratings and tournaments.
    """
    directory = directory_in(folder)
    from tkid.host.published_folder import FolderError
    from tkid.host.publisher import open_publisher

    if target is None and directory.settings.pages is None:
        command = f"tkid host publish {as_typed(folder)} FOLDER"
        fail(f"Where to? Write `{command}`, or set folder under [pages] in host.toml.")
    with store_of(directory) as store:
        publisher = open_publisher(directory.folder, directory.settings, directory.read_secret(), target)
        try:
            with show_progress("games looked at") as shown:
                report = publisher.publish(store, get_time(), again=again, take_over=take_over, step=shown.count_step)
        except FolderError as error:
            fail(str(error), WRONG)
        except OSError as error:
            fail(f"Publishing stopped, and the pages left are unchanged: {os_error_text(error)}")
    gone = f", {count_noun(report.removed, 'old file')} removed" if report.removed else ""
    typer.echo(f"{publisher.folder.path}: {count_noun(report.written, 'file')} written{gone}.")
    for game, why in report.failed.items():
        typer.echo(f"{game} could not be published: {why}", err=True)
    if report.failed:
        raise typer.Exit(WRONG)


def hook(
    folder: Folder,
    game: Annotated[
        str, Argument(help="The game. Without it, the webhooks are listed.", autocompletion=complete_game)
    ] = "",
    url: Annotated[
        str, Argument(help="The address that gets messages about its turns and its end.", metavar="URL")
    ] = "",
    remove: Annotated[bool, Option("--remove", help="Stop sending messages about this game to its address.")] = False,
) -> None:
    """Send messages about one game to a web address. For all games, set url under [hooks] in host.toml."""
    directory = directory_in(folder)
    from tkid.host.published_folder import HOOK
    from tkid.host.webhooks import URL, explain_url, list_hook_addresses, list_waiting, make_game_secret, write_secret
    from tkid.mail.model import Document

    if bool(game) != bool(url or remove) or (url and remove):
        command = f"tkid host hook {as_typed(folder)} GAME"
        fail(f"Write `{command} URL`, or `{command} --remove`.")
    if url and (problem := explain_url(url)):
        fail(f"Nothing was changed: {problem}", WRONG)
    with store_of(directory) as store, store.begin_transaction() as transaction:
        if not game:
            for name, address in list_hook_addresses(transaction).items():
                typer.echo(f"{name}: {address}")
            for event in list_waiting(transaction):
                why = f", last: {event.error}" if event.error else ""
                tries = count_noun(event.tries, "time")
                typer.echo(f"{event.game}: {event.what} {event.turn} waits, tried {tries}{why}")
            return
        _check_found(transaction.get_game(game), game, folder)
        if remove:
            transaction.documents.drop_document(HOOK, f"{URL}{game}")
            typer.echo(f"{game}: no more messages go to its own address.")
            return
        transaction.documents.store_document(Document(HOOK, f"{URL}{game}", url))
        typer.echo(f"{game}: messages about turns and the end go to {url}.")
        typer.echo(f"The secret that signs them: {write_secret(make_game_secret(directory.read_secret(), game, url))}")


CLICK = b"List-Unsubscribe=One-Click"
"""Body that the button posts."""
MOST = 1000
"""Bytes of a body that are read."""
FORM = """\
<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click"><button>Unsubscribe</button></form>
"""
OK, UNKNOWN, WRONG_METHOD = "200 OK", "404 Not Found", "405 Method Not Allowed"


def unsubscribe(
    folder: Folder,
    key: Annotated[str, Argument(help="The key of the letter. A web server passes it in QUERY_STRING.")] = "",
) -> None:
    """Unsubscribe somebody by the key of a letter. As a web server's CGI program, the command does so only on a POST."""
    method = os.environ.get("REQUEST_METHOD", "")
    key = key or os.environ.get("QUERY_STRING", "")
    if not method:
        if not _end_letters(folder, key):
            fail(f"`{key}` is not the key of a letter from which somebody can unsubscribe.")
        typer.echo("Unsubscribed.")
    elif method in {"GET", "HEAD"}:
        _print_cgi_answer(OK, "Unsubscribe", "Press the button, and you get no more letters of this kind.", FORM)
    elif method != "POST" or CLICK not in _read_body():
        _print_cgi_answer(WRONG_METHOD, "Nothing was changed", "To unsubscribe, use the button of your mail program.")
    elif _end_letters(folder, key):
        _print_cgi_answer(OK, "Unsubscribed", "You get no more letters of this kind. Your own games continue.")
    else:
        _print_cgi_answer(
            UNKNOWN, "Nothing was changed", "This link belongs to no letter. Reply `stop` to the letter instead."
        )


def _read_body() -> bytes:
    """Read the body of a request. Web servers keep the line open after it, so read only CONTENT_LENGTH bytes."""
    length = os.environ.get("CONTENT_LENGTH", "")
    return sys.stdin.buffer.read(min(int(length), MOST)) if length.isdecimal() else b""


def _end_letters(folder: Folder, key: str) -> bool:
    directory = directory_in(folder)
    from tkid.host.chores import end_letters as end

    with store_of(directory) as store:
        return end(directory.open_host(store), key, get_time())


def _print_cgi_answer(status: str, title: str, text: str, form: str = "") -> None:
    head = f"Status: {status}\r\nContent-Type: text/html; charset=utf-8\r\nCache-Control: no-store\r\n\r\n"
    page = files(__package__).joinpath("unsubscribe.html").read_text("utf-8")
    sys.stdout.write(head + page.format(title=title, text=text, form=form))


def init(
    folder: Folder,
    address: Annotated[str, Option(help="The address that players write to.")] = "tkid@localhost",
    store: Annotated[str, Option(help="The database, as an SQLAlchemy address. Without it, a file in DIR.")] = "",
    owner: Annotated[str, Option(help="Your own address. The host writes to it when you have to do something.")] = "",
) -> None:
    """Set up a host in a folder. Mails come in under DIR/in and go out under DIR/out."""
    host_rounds.check_requirements()
    from tkid.host.directory import HostDirectory

    try:
        with host_rounds.report_host_errors(folder):
            HostDirectory.create_folder(folder, address, store, owner)
    except OSError as error:
        fail(f"Nothing was set up: {os_error_text(error)}")
    directory = directory_in(folder)
    host_rounds.warn_of_readers(directory)
    typer.echo(f"{folder}: this host is ready. Players write to {address}.")
    typer.echo(
        f"Put incoming mails into the Maildir {directory.inbox}. Letters go into Maildirs under {directory.outbox}."
    )
    typer.echo(
        f'Make a game with `tkid host new-game {as_typed(folder)} "Ann <ann@example.org>" "Bob <bob@example.org>"`.'
    )


def join(
    store: Annotated[
        str, Argument(help="The PostgreSQL database of the club, as an SQLAlchemy address.", metavar="STORE")
    ],
    folder: Folder,
    name: Annotated[str, Option(help="A name for this machine. Without it, its host name.", show_default=False)] = "",
) -> None:
    """Add this machine to a club on PostgreSQL. The other machines may run meanwhile.

    DIR has a copy of the first machine's host.toml. The secret comes on standard input, unless the file DIR/secret has it.
    """
    host_rounds.check_requirements()
    from tkid.host.directory import HostDirectory

    try:
        with host_rounds.report_host_errors(folder):
            directory = HostDirectory.join_folder(folder, store, name, os.environ, lambda: _read_secret(folder))
    except OSError as error:
        fail(f"Nothing was changed: {os_error_text(error)}")
    host_rounds.warn_of_readers(directory)
    typer.echo(f"{folder}: the machine {directory.machine} can work for {directory.settings.address} now.")
    typed = as_typed(folder)
    typer.echo(f"Check it with `tkid host doctor {typed}`, and start it with `tkid host run {typed}`.")


def _read_secret(folder: Path) -> bytes:
    secret = b"" if sys.stdin is None or sys.stdin.isatty() else sys.stdin.buffer.read(MOST)
    return secret or fail(
        "The secret of the first machine is missing. Send its file `secret` to standard input, for example with "
        f"`ssh FIRST cat /var/lib/tkid/club/secret | tkid host join STORE {as_typed(folder)}`. Nothing was changed."
    )


def _check_found(stored: StoredGame | None, game: str, folder: Path) -> StoredGame:
    return stored or fail(f"There is no game {game}. `tkid host status {as_typed(folder)}` lists them.", WRONG)


def mail(folder: Folder, game: Game) -> None:
    """List a game's letters: when they were sent, and to whom."""
    with store_of(directory_in(folder)) as store:
        _check_found(store.get_game(game), game, folder)
        for message_id, address, sent in store.list_letters(game):
            typer.echo(f"{sent or 'waits':32} {address:30} {message_id}")


def send_again(
    folder: Folder,
    address: Annotated[str, Argument(help="Only send letters to this address. Without it: to everybody.")] = "",
) -> None:
    """Resend letters that did not arrive.

    It resends the letters that wait for another try. Of letters that the host has given up or that came back, it resends only
    the last one of each game to each player.
    """
    with store_of(directory_in(folder)) as store:
        waiting = store.send_again(address)
    for game, reader in waiting:
        typer.echo(f"The letter to {reader} ({game or 'the club'}) goes out with the next round.")
    if not waiting:
        whom = f" to {address}" if address else ""
        typer.echo(f"No last letter{whom} was given up or came back, and none waits for another try.")


def export(
    folder: Folder,
    game: Game,
    output: Annotated[
        Path | None, Option("--output", "-o", help="Write it to this file. Without it, it is printed.")
    ] = None,
) -> None:
    """Write a game to a file, with all hands and addresses. Keep it to yourself."""
    from tkid.record.format.reader import read_record

    directory = directory_in(folder)
    with store_of(directory) as store:
        stored = _check_found(store.get_game(game), game, folder)
    record = read_record(stored.record.encode()).record
    check_output(output, None, *host_rounds.list_host_files(directory), record=record)
    print_or_write(stored.record, output, private=True)
    if output is None:
        return
    typer.echo(f"{output}: the whole game file of {game}.")


Player = Annotated[str, Argument(help="The player: name or number.", autocompletion=complete_game_player)]
Reason = Annotated[str, Option(help="The reason. It goes into the record, and every player reads it.")]
Arguments = dict[str, Any]
ALL = "The game, or 'all' for all running games."
GAMES: Arguments = {"game": Annotated[str, Argument(help=ALL, metavar="GAME", autocompletion=complete_game)]}
GAME: Arguments = {"game": Game}
PLAYER: Arguments = {**GAME, "player": Player}
NUMBER: Arguments = {"number": Annotated[int, Argument(help="The number of the mail. `tkid host filed` lists them.")]}


class DeskCommand(NamedTuple):
    """A command for an order of the desk; a `reason` may be required, and `every` is the help of `--all`."""

    words: str
    arguments: Arguments
    help: str
    example: str
    reason: Literal["optional", "required", "none"] = "optional"
    every: str = ""
    optional: str = ""

    def __call__(self, folder: Path, *, reason: str = "", every: bool = False, **given: Any) -> None:
        about = given.pop("game", "")
        if given.get("turn"):
            given["turn"] = f"from turn {given['turn']}"
        text = " ".join(str(each) for each in given.values() if each != "")
        if self.words == "announce":
            text, reason = "", text
        words = f"{self.words} all" if every else self.words
        print_desk_answer(carry_out_desk_order(folder, words, about, text, reason))

    def make_command(self) -> Callable[..., None]:
        kinds: Arguments = {"folder": Folder, **self.arguments}
        parameters = []
        for name, kind in kinds.items():
            default = "" if name == self.optional else Parameter.empty
            parameters.append(Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, default=default, annotation=kind))
        if self.every:
            option = Annotated[bool, Option("--all", help=self.every)]
            parameters.append(Parameter("every", Parameter.KEYWORD_ONLY, default=False, annotation=option))
        if self.reason != "none":
            default = "" if self.reason == "optional" else Parameter.empty
            parameters.append(Parameter("reason", Parameter.KEYWORD_ONLY, default=default, annotation=Reason))

        def command(**given: Any) -> None:
            self(**given)

        command.__signature__ = Signature(parameters)  # type: ignore[attr-defined] # typer asks it
        command.__annotations__ = {each.name: each.annotation for each in parameters}
        command.__doc__ = self.help
        return command


DESK_COMMANDS = (
    DeskCommand("games", {}, "List the games, nearest deadline first. With --all, also list finished games: who won, and how.", "games games --all", "none", every="Also list finished games."),
    DeskCommand("filed", {}, "List filed mails without an answer. Shows the reason for each, the latest first.", "filed games", "none", every="Also list answered mails."),
    DeskCommand("show", NUMBER, "Show a filed mail.", "show games 12", "none"),
    DeskCommand("process", NUMBER, "Carry out a filed mail after all. You vouch for its sender.", 'process games 12 --reason "Ann wrote from her phone"'),
    DeskCommand("pause", GAMES, "Stop the clocks of a game, or of all. They run again when you resume it.", 'pause games winter --reason "Ann is in hospital"'),
    DeskCommand("resume", GAMES, "Resume a game that is paused or adjourned, or all of them.", "resume games winter"),
    DeskCommand("extend", {**PLAYER, "time": Annotated[str, Argument(help="How much more time, such as '2 days' or '36 hours'.")]}, "Give the next player more time for this turn.", 'extend games winter Ann "2 days" --reason "no network"'),
    DeskCommand("deadline", {**PLAYER, "time": Annotated[str, Argument(help="The deadline in UTC: 2026-12-20T18:00Z, or a day.")]}, "Set the time by which the next player has to answer.", "deadline games winter Ann 2026-12-20T18:00Z"),
    DeskCommand("take back", {**GAME, "turn": Annotated[str, Argument(help="The first turn to take back. Without it, the last one.")]}, "Take back a turn and all later ones. The record keeps them, marked as taken back.", 'take-back games winter 12 --reason "a typing error"', "required", optional="turn"),
    DeskCommand("abort", GAME, "End a game without a result.", 'abort games winter --reason "both players left"', "required"),
    DeskCommand("back", PLAYER, "Note that a player is back. It ends an absence, or the time of a stand-in.", "back games winter Ann"),
    DeskCommand("address", {**PLAYER, "new": Annotated[str, Argument(help="The new address.", metavar="ADDRESS")]}, "Write to a player at another address from now on. The old address gets a letter that says so.", "address games winter Ann ann@new.example"),
    DeskCommand("announce", {**GAMES, "text": Annotated[str, Argument(help="Your announcement.")]}, "Write to all players of a game, or of all games. The record keeps it.", 'announce games all "The host moves on Sunday."', "none"),
    DeskCommand("offer", PLAYER, "Offer a player's seat to somebody else. Until somebody takes it, the player may play.", "offer games winter Ann"),
)  # fmt: skip
"""The commands that only give an order, as `tkid host --help` lists them."""


def import_game(
    folder: Folder,
    game: Annotated[str, Argument(help="A name for the game.")],
    file: Annotated[Path, Argument(help="The game file, with an address for each player.")],
) -> None:
    """Continue a game that began elsewhere. Every player gets a letter."""
    directory = directory_in(folder)
    from tkid.host.host_time import find_time

    with stop_on_os_error("Nothing was imported"):
        record = read_bytes(file)
    with store_of(directory) as store, store.begin_transaction() as transaction:
        time = find_time(transaction, get_time(), directory.machine)
        answer = directory.open_host(store).mails.desk.take_in(transaction, game, record, time)
    print_desk_answer(answer)


def stand_in(
    folder: Folder,
    game: Game,
    player: Player,
    who: Annotated[str, Argument(help="Who plays the seat from now on: 'NAME <ADDRESS>', or a name for the bot.")],
    bot: Annotated[bool, Option("--bot", help="A bot plays the seat.")] = False,
    player_of_bot: Annotated[
        str,
        offer("random", "greedy", "search")(
            "--player", help="With --bot: random, greedy or search, as far as the club allows it."
        ),
    ] = "",
    reason: Reason = "",
) -> None:
    """Give a seat to somebody else, or to the bot. Its hand, court and bank of days go with it."""
    if player_of_bot and not bot:
        fail("--player is for a bot. Add --bot, or leave --player out.")
    change = f"{player} by {'bot ' if bot else ''}{who}{f' ({player_of_bot})' if player_of_bot else ''}"
    print_desk_answer(carry_out_desk_order(folder, "replace", game, change, reason))


def confirm_machine_clock(folder: Folder) -> None:
    """Confirm that the machine's clock is right. The clocks of games run again."""
    directory = directory_in(folder)
    from tkid.host import host_time
    from tkid.host.desk import answer_confirmed_clock, refuse_confirmation

    with store_of(directory) as store, store.begin_transaction() as transaction:
        visitors = directory.open_host(store).visitors
        clocks = host_time.read_clocks(get_time(), machine=directory.machine)
        after = host_time.accept_machine_clock(visitors, transaction, clocks)
    if after is None:
        print_desk_answer(refuse_confirmation().result)
    else:
        typer.echo(answer_confirmed_clock(after.last))


def carry_out_desk_order(folder: Folder, words: str, about: str = "", text: str = "", reason: str = "") -> OrderResult:
    """Carry out an order as if it had come by mail; the letters about it go out in the host's next round."""
    directory = directory_in(folder)
    from attrs import evolve

    from tkid.club.desk_orders import DeskOrder, Ways, read_desk_line
    from tkid.host.host_time import find_time

    line = " ".join(filter(None, (words, about, text)))
    line = f"{line}: {reason}" if reason else line
    with store_of(directory) as store, store.begin_transaction() as transaction:
        read = read_desk_line(line, transaction.filed.list_games())
        if read is not None and isinstance(read.order, DeskOrder):
            order = evolve(read.order, ways=Ways(str(folder)))
            desk = directory.open_host(store).mails.desk
            mail = desk.make_mail(find_time(transaction, get_time(), directory.machine))
            return desk.carry_out(transaction, order, mail)
    if read is None:
        fail(f"`{about}` is not the name of a game. `tkid host games {as_typed(folder)}` lists them.", WRONG)
    return _refuse(read.problems[0])


def print_desk_answer(answer: OrderResult) -> None:
    from tkid.mail.blocks import format_plain

    if answer.problem is not None:
        _refuse(answer.problem)
    typer.echo(make_printable(answer.lead))
    if answer.blocks:
        typer.echo(format_plain(answer.blocks), nl=False)


def _refuse(problem: Problem) -> OrderResult:
    fail(f"{problem.told} [{problem.rule}]", WRONG)


COMMANDS: tuple[tuple[Callable[..., None], str], ...] = (
    (host_games.new_game, 'new-game games "Ann <ann@example.org>" "Bob <bob@example.org>" --game winter'),
    (host_games.new_games, "new-games games pairings.txt"),
    (host_rounds.once, "once games"),
    (host_rounds.run, "run games"),
    (host_rounds.web, "web games"),
    (host_rounds.receive, "receive games < reply.eml"),
    (publish, "publish games /srv/www/club"),
    (hook, "hook games winter https://club.example/hook"),
    (status, "status games"),
    (metrics, "metrics games"),
    *((desk.make_command(), desk.example) for desk in DESK_COMMANDS),
    (stand_in, 'stand-in games winter Ann "Cal <cal@example.org>"'),
    (import_game, "import games winter winter.tkid"),
    (confirm_machine_clock, "confirm-clock games"),
    (host_games.tournament, 'tournament games new cup --swiss 3 "Ann <ann@example.org>" "Bob <bob@example.org>"'),
    (host_games.ratings, "ratings games"),
    (host_games.print_game_results, "results games"),
    (unsubscribe, "unsubscribe games mfrggzdfmztw"),
    (upgrade, "upgrade games"),
    (backup, "backup games /var/backups/games.backup"),
    (restore, "restore /var/backups/games.backup games"),
    (doctor, "doctor games"),
    (init, "init games --address tkid@games.example"),
    (join, "join postgresql://tkid@db.example/tkid games --name right < secret"),
    (mail, "mail games winter"),
    (send_again, "send-again games bob@example.org"),
    (export, "export games winter -o winter.tkid"),
)
"""The commands in the order of the help, each with an example, which begins with its name."""
app = typer.Typer()
for command, example in COMMANDS:
    app.command(example.partition(" ")[0], epilog=f"Example: tkid host {example}")(command)
