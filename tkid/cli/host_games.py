"""The commands host new-game, new-games, tournament, ratings, results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

from tkid.cli.files import read_bytes
from tkid.cli.host_rounds import Folder, directory_in, first_letters, get_time, store_of
from tkid.cli.printing import WRONG, as_typed, fail, print_json, print_problems
from tkid.cli.rules import Rulings, ruleset_option
from tkid.notation.text import count_noun, fold_name
from tkid.render.lines import make_printable

if TYPE_CHECKING:
    from tkid.club.results import RatingList, Result
    from tkid.club.tournament import System, Tournament
    from tkid.host.directory import HostDirectory
    from tkid.host.store.store import Unsent
    from tkid.host.tournaments import Tournaments
    from tkid.record.format.model import Record

AsJson = Annotated[bool, Option("--json", help="Print JSON.")]
Rows = list[tuple[str, ...]]
Ruleset = Annotated[str, ruleset_option(help="The ruleset. `tkid rulesets` lists all of them.")]


class Action(Enum):
    """Action on a tournament."""

    NEW = "new"
    SHOW = "show"
    NEXT = "next"
    LIST = "list"
    WITHDRAW = "withdraw"


def tournament(
    folder: Folder,
    action: Annotated[Action, Argument(help="new, show, next (begin with those who accepted), list or withdraw.")],
    name: Annotated[str, Argument(help="The tournament.")] = "",
    players: Annotated[
        list[str] | None,
        Argument(help="new: the players, each as 'NAME <ADDRESS>', teams joined by '+'. withdraw: who leaves."),
    ] = None,
    round_robin: Annotated[
        bool, Option("--round-robin", help="A round robin: everybody plays everybody twice.")
    ] = False,
    swiss: Annotated[
        int,
        Option(
            "--swiss",
            help="A Swiss tournament with this number of rounds: players with equal scores meet.",
            metavar="N",
        ),
    ] = 0,
    ruleset: Ruleset = "second-edition",
    clock: Annotated[str, Option(help="Time for a turn, as in `host new-game`. 'none' for no clock.")] = "",
    ruling: Rulings = None,
    seated: Annotated[
        bool, Option("--seated", help="Send no invitations, because everybody has agreed already.")
    ] = False,
    is_open: Annotated[bool, Option("--open", help="Anybody may join by mail until you begin it.")] = False,
    as_json: AsJson = False,
) -> None:
    """Hold a tournament. The host invites the players, begins the rounds, and sends everybody the table."""
    directory = directory_in(folder)
    from tkid.club.tournament_letters import TournamentError, announce_tournament
    from tkid.host.tournaments import NoTournamentError, Tournaments
    from tkid.rulebook.rulesets import UnknownRulesetError

    with store_of(directory) as store:
        club = Tournaments(directory.open_host(store))
        try:
            match action:
                case Action.LIST:
                    _list(club, as_json=as_json)
                case Action.SHOW:
                    _show(club, name, as_json=as_json)
                case Action.NEW:
                    if round_robin == bool(swiss):
                        fail("Choose one: --round-robin, or --swiss with the number of rounds.", WRONG)
                    system: System = "round-robin" if round_robin else "swiss"
                    made = announce_tournament(
                        name, system, swiss, ruleset, players or (), get_time(), clock=clock, rulings=ruling or (), seated=seated,
                        is_open=is_open,
                    )  # fmt: skip
                    club.announce(made)
                    _advance_tournament(club, name, directory)
                case Action.NEXT:
                    _advance_tournament(club, name, directory, begin=True)
                case Action.WITHDRAW:
                    _withdraw(club, name, players or [], directory)
        except NoTournamentError as error:
            fail(f"{str(error).capitalize()}. `tkid host tournament {as_typed(folder)} list` lists them.", WRONG)
        except (TournamentError, UnknownRulesetError) as error:
            fail(str(error), WRONG)
        except ValueError as error:
            fail(f"Nothing was done: {error}.", WRONG)


def ratings(folder: Folder, as_json: AsJson = False) -> None:
    """List the ratings of all players. They are computed from the games each time."""
    directory = directory_in(folder)
    from tkid.club.results import rating_lists
    from tkid.host.tournaments import read_results

    with store_of(directory) as store:
        lists = rating_lists(read_results(store, directory.read_secret()), get_time())
    if as_json:
        print_json([each.data for each in lists], indent=1)
        return
    if not lists:
        typer.echo("No game has been rated yet.")
    for each in lists:
        typer.echo(each.title)
        _print_table(("", "player", "rating", "", "games", "won", "drawn", "lost"), list(_list_rating_rows(each)))


def print_game_results(folder: Folder, as_json: AsJson = False) -> None:
    """List the games that are over. Shows who played, who won, how and when each ended."""
    directory = directory_in(folder)
    from tkid.host.tournaments import read_results

    with store_of(directory) as store:
        over = sorted(read_results(store, directory.read_secret()), key=lambda each: (str(each.ended or ""), each.game))
    if as_json:
        print_json([each.data for each in over], indent=1)
        return
    if not over:
        typer.echo("No game is over yet.")
    else:
        _print_table(("game", "ended", "players", "result"), [_make_result_row(each) for each in over])


def _list(club: Tournaments, *, as_json: bool) -> None:
    every = club.list_all()
    if as_json:
        print_json([_make_tournament_data(club, each) for each in every], indent=1)
        return
    for each in every:
        typer.echo(f"{each.name}: {_describe_tournament(each)}")
    if not every:
        typer.echo("There are no tournaments.")


def _show(club: Tournaments, name: str, *, as_json: bool) -> None:
    from tkid.club.tournament_letters import write_points

    one = club.get_tournament(name)
    if as_json:
        print_json(_make_tournament_data(club, one), indent=1)
        return
    typer.echo(f"{one.name}: {_describe_tournament(one)}")
    if not one.begun:
        _print_table(("player", "answer"), [(each.name, each.answer) for each in one.people])
        return
    results = club.list_results(one)
    heads = ("", "", "points", "games", "won", "drawn", "lost", *(each.title for each in one.breaks))
    rows: Rows = []
    for line in one.build_table(results):
        side = one.sides[line.side]
        figures = (str(line.games), str(line.wins), str(line.draws), str(line.losses))
        left = " (has left)" if side.left else ""
        points = write_points(line.points), *figures, *map(write_points, line.breaks)
        rows.append((f"{line.place}.", side.name + left, *points))
    _print_table(heads, rows)
    for number, pairs in enumerate(one.played, 1):
        typer.echo(f"Round {number}:")
        for pair in pairs:
            names = " against ".join(one.sides[side].name for side in pair.sides)
            games = ", ".join(_describe_outcome(results.get(game), game) for game in pair.games)
            typer.echo(f"  {names}{' has a bye' if pair.second is None else ''}{': ' if games else ''}{games}")


def _advance_tournament(club: Tournaments, name: str, directory: HostDirectory, *, begin: bool = False) -> None:
    """Advance a tournament as far as possible; with `begin`, also without the players who have not accepted."""
    if begin and not club.get_tournament(name).begun:
        club.begin_early(name, get_time())
    club.advance_tournament(name, get_time())
    typer.echo(f"{name}: {_describe_tournament(club.get_tournament(name))} {_send_letters(directory)}")


def _withdraw(club: Tournaments, name: str, players: Sequence[str], directory: HostDirectory) -> None:
    one = club.get_tournament(name)
    if len(players) != 1:
        fail("Name the one player who leaves, or one player of the team.", WRONG)
    player = fold_name(players[0])
    side = next((n for n, s in enumerate(one.sides) if any(player in {fold_name(p.name), p.address} for p in s.people)), None)  # fmt: skip
    if side is None:
        fail(f"{players[0]} does not play in {name}. `tkid host tournament {as_typed(directory.folder)} show {name}` lists the players.", WRONG)  # fmt: skip
    if one.sides[side].left:
        fail(f"{one.sides[side].name} has left already.", WRONG)
    club.withdraw_side(name, side, get_time())
    typer.echo(f"{name}: {one.sides[side].name} has left. {_send_letters(directory)}")


def _send_letters(directory: HostDirectory) -> str:
    """Send the letters, and return a sentence on how many went out, and why the others wait."""
    sent, why = first_letters(directory)
    return f"{count_noun(sent, 'letter')} went out.{f' The others are waiting: {why}' if why else ''}"


def _describe_tournament(one: Tournament) -> str:
    if one.over and not one.begun:
        return "over: fewer than two sides accepted."
    if one.over:
        return f"over after {count_noun(len(one.played), 'round')}."
    if not one.begun:
        waits = sum(each.answer == "asked" for each in one.people)
        return f"waits for {count_noun(waits, 'answer')}."
    return f"round {len(one.played)} of {one.planned}, {count_noun(len(one.sides), 'side')}."


def _describe_outcome(result: Result | None, game: str) -> str:
    if result is None:
        return f"{game} is in progress"
    if not result.places:
        return f"{game} {result.how}"
    winners = " and ".join(result.players[seat].name for seat in result.winners)
    return f"{game} drawn" if result.draw else f"{game} won by {winners}"


def _make_tournament_data(club: Tournaments, one: Tournament) -> Mapping[str, object]:
    results = club.list_results(one)
    table = [
        {
            "place": line.place,
            "side": one.sides[line.side].name,
            "points": float(line.points),
            "games": line.games,
            "breaks": {each.rule: float(value) for each, value in zip(one.breaks, line.breaks, strict=True)},
        }
        for line in (one.build_table(results) if one.begun else ())
    ]
    rounds = [
        [{"sides": [one.sides[side].name for side in pair.sides], "games": list(pair.games)} for pair in pairs]
        for pairs in one.played
    ]
    terms = {"name": one.name, "system": one.system, "ruleset": one.ruleset, "planned": one.planned}
    over, answers = one.over.isoformat() if one.over else None, {each.name: each.answer for each in one.people}
    return {**terms, "over": over, "players": answers, "table": table, "rounds": rounds}


def _list_rating_rows(ratings: RatingList) -> Iterator[tuple[str, ...]]:
    for line in ratings.ratings:
        place = f"{line.place}." if line.place else "-"
        rating = f"{line.rating}{'?' if line.provisional else ''}"
        counts = (line.games, line.wins, line.draws, line.losses)
        yield place, line.player.club_name, rating, f"±{line.uncertainty}", *map(str, counts)


def _make_result_row(result: Result) -> tuple[str, ...]:
    names = [" and ".join(result.players[seat].name for seat in party) for party in result.parties]
    ended = result.ended.strftime("%Y-%m-%d") if result.ended else ""
    outcome = _describe_outcome(result, "").strip()
    why = f", by {result.how}" if result.how == "resignation" else ""
    return result.game, ended, " against ".join(names), f"{outcome}{why}{'' if result.rated else ', not rated'}"


def _print_table(heads: Sequence[str], rows: Rows) -> None:
    widths = [max(len(row[column]) for row in (tuple(heads), *rows)) for column in range(len(heads))]
    for row in (tuple(heads), *rows):
        cells = (f"{cell:{width}}" for cell, width in zip(row, widths, strict=True))
        typer.echo(make_printable("  ".join(cells).rstrip()))


ClockText = Annotated[str, Option(help="Time for a turn, such as '3 days a turn, 1 day grace'. 'none' for no clock.")]
OneAddress = Annotated[bool, Option("--one-address", help="Two players share an address on purpose.")]


def _complete_starter(context: typer.Context, incomplete: str) -> list[str]:
    from tkid.cli.game_source import complete_player

    return complete_player(context, incomplete)


def new_game(
    folder: Folder,
    players: Annotated[list[str], Argument(help="The players in turn order, each as 'NAME <ADDRESS>'.")],
    game: Annotated[str, Option(help="A name for the game.")] = "",
    ruleset: Ruleset = "second-edition",
    clock: ClockText = "",
    first: Annotated[
        str, Option(help="The start player. Without it, the start player is drawn.", autocompletion=_complete_starter)
    ] = "",
    ruling: Rulings = None,
    entropy: Annotated[str, Option(help="Deal from these 64 hex digits. The same digits deal the same game.")] = "",
    one_address: OneAddress = False,
) -> None:
    """Deal a game and write to its players. Without --clock, they have 7 days for a turn, and one day of grace."""
    from tkid.cli.fair_play import entropy_of
    from tkid.record.format.new_game import NewGameError, new_record

    directory = directory_in(folder)
    try:
        record = new_record(ruleset, players, entropy_of(entropy), title=game, first=first, rulings=ruling or ())
    except NewGameError as error:
        fail("\n".join(error.messages), WRONG)
    _begin_games(directory, [(game, "", _add_clock(_check_addresses(record, one_address=one_address), clock))])


def new_games(
    folder: Folder,
    file: Annotated[
        Path, Argument(help="A file with a game on each line: its players in turn order, with commas between them.")
    ],
    ruleset: Ruleset = "second-edition",
    clock: ClockText = "",
    ruling: Rulings = None,
    one_address: OneAddress = False,
) -> None:
    """Deal many games and write to their players. Each line of the file is a game: Ann <ann@…>, Bob <bob@…>.

    Empty lines and lines that begin with # are skipped. If a line is wrong, no game is made.
    """
    from tkid.cli.fair_play import entropy_of
    from tkid.record.format.new_game import NewGameError, new_record

    directory = directory_in(folder)
    games = []
    for number, line in _read_game_lines(file):
        players = [" ".join(player.split()) for player in line.split(",") if player.strip()]
        try:
            record = new_record(ruleset, players, entropy_of(""), rulings=ruling or ())
        except NewGameError as error:
            fail("\n".join(f"{file}:{number}: {message}" for message in error.messages), WRONG)
        record = _add_clock(_check_addresses(record, f"{file}:{number}: ", one_address=one_address), clock)
        games.append(("", f"{file}:{number}: ", record))
    if not games:
        way = "Write the players of each game on a line, with commas between them."
        fail(f"{file}: there is no game in it. {way}", WRONG)
    _begin_games(directory, games)


def _read_game_lines(file: Path) -> Iterator[tuple[int, str]]:
    try:
        lines = read_bytes(file).decode().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        fail(f"{file}: {error.strerror if isinstance(error, OSError) else 'this is not UTF-8 text'}.", WRONG)
    yield from ((n, line) for n, line in enumerate(lines, 1) if line.strip() and not line.lstrip().startswith("#"))


def _check_addresses(record: Record, place: str = "", *, one_address: bool) -> Record:
    """Return the record if each player has an address, shared only on purpose; else end the command."""
    from tkid.mail.envelope import is_address
    from tkid.record.format.new_game import describe_shared_addresses

    for seat in record.seats:
        if not is_address(seat.address):
            *name, last = seat.name.split()
            example = f"{' '.join(name) or 'Ann'} <{last}>" if is_address(last) else f"{seat.name} <ann@example.org>"
            wrong = f"`{seat.address}` is not an address"
            if not seat.address:
                wrong = f"the player `{seat.name}` has no address"
            way_out = f"Write each player as NAME <ADDRESS>, such as {example}, in quotes at the terminal."
            fail(f"{place}No game was made: {wrong}. {way_out} [mail.address]", WRONG)
    if (shared := describe_shared_addresses(record.seats)) and not one_address:
        way_out = "If they share it, add --one-address. The key in each mail then shows who it is from."
        fail(f"{place}No game was made: {shared}. {way_out} [mail.one-address]", WRONG)
    return record


def _add_clock(record: Record, typed: str) -> Record:
    from tkid.mail.plugin import with_clock
    from tkid.notation.plugin import WrongError

    try:
        return with_clock(record, typed)
    except WrongError as wrong:
        print_problems("--clock", typed.encode("utf-8", "replace"), wrong.problems)
        raise typer.Exit(WRONG) from None


def _begin_games(directory: HostDirectory, games: Sequence[tuple[str, str, Record]]) -> None:
    """Open games, each with its name, the place where it was asked for, and its record; send the letters, and report."""
    from tkid.host.host_time import find_time

    with store_of(directory) as store:
        with store.begin_transaction() as transaction:
            time = find_time(transaction, get_time(), directory.machine)
        host = directory.open_host(store)
        taken, names = set(store.list_game_names()), list[str]()
        unused = (name for number in count(len(taken) + 1) if (name := f"game-{number}") not in taken)
        for given, place, record in games:
            name = given or next(unused)
            try:
                host.open_game(name, record, time)
            except ValueError as error:
                made = f". {count_noun(len(names), 'game')} before it began" if names else ""
                fail(f"{place}No game was made: {error}{made}", WRONG)
            names.append(name)
    sent, failure = first_letters(directory)
    with store_of(directory) as store:
        unsent = [letter for letter in store.list_unsent() if letter.game in names]
    begun = zip(names, (record for _, _, record in games), strict=True)
    *before, last = (f"{name}: {record.ruleset.title}, with {', '.join(record.names)}." for name, record in begun)
    for line in before:
        typer.echo(line)
    kept = f"\nThere is no [smtp] in the settings, so they are in Maildirs under {directory.outbox}."
    kept = kept if sent and directory.settings.smtp is None else ""
    typer.echo(f"{last} {count_noun(sent, 'letter')} went out.{kept}")
    for letter in unsent:
        waits = f"waits: {letter.error or failure or 'another process is sending letters'}"
        state = f"was refused for good: {letter.error}" if letter.given_up else waits
        typer.echo(f"{letter.game}: the letter to {letter.address} {state}", err=True)
    if unsent:
        typer.echo(_suggest_remedies(directory, unsent), err=True)


def _suggest_remedies(directory: HostDirectory, unsent: Sequence[Unsent]) -> str:
    ways = []
    if any(letter.given_up for letter in unsent):
        game = next(letter.game for letter in unsent if letter.given_up)
        ways.append(
            f"If the address is wrong, give the seat to the right one: "
            f"`tkid host stand-in {as_typed(directory.folder)} {game} PLAYER 'NAME <ADDRESS>'`. If the mailbox works again: "
            f"`tkid host send-again {as_typed(directory.folder)}`."
        )
    if not all(letter.given_up for letter in unsent):
        command = "send-again" if any(letter.tries and not letter.given_up for letter in unsent) else "once"
        at_once = "lets the next round do it" if command == "send-again" else "does it at once"
        ways.append(
            f"The others wait, and `tkid host run` tries them again; `tkid host {command} {as_typed(directory.folder)}` {at_once}. "
            f"`tkid host doctor {as_typed(directory.folder)}` tries the mail server."
        )
    return "\n".join(ways) if len(ways) > 1 else ways[0].replace("The others wait", "Letters that wait are kept")
