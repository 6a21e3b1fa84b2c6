"""Commands for what comes of a host's games: host tournament, ratings, results."""

from __future__ import annotations

import json
from enum import Enum
from typing import TYPE_CHECKING, Annotated

import typer

from tkid.cli.host.rounds import first_letters
from tkid.cli.host.shared import Folder, directory_in, now, store_of
from tkid.cli.support import WRONG, as_typed, fail
from tkid.notation.numbers import counted
from tkid.notation.text import folded

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tkid.club.results.ratings import RatingList
    from tkid.club.results.result import Result
    from tkid.club.results.tournament import System, Tournament
    from tkid.host.directory import HostDirectory
    from tkid.host.results.tournaments import Tournaments

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Rows = list[tuple[str, ...]]


class Action(Enum):
    """What is done with a tournament."""

    NEW = "new"
    SHOW = "show"
    NEXT = "next"
    LIST = "list"
    WITHDRAW = "withdraw"


def add_to(app: typer.Typer) -> None:
    """Add these commands to those of the host."""
    app.command(
        epilog='Example: tkid host tournament games new cup --swiss 3 "Ann <ann@example.org>" "Bob <bob@example.org>"'
    )(tournament)
    app.command(epilog="Example: tkid host ratings games")(ratings)
    app.command("results", epilog="Example: tkid host results games")(list_results)


def tournament(
    folder: Folder,
    action: Annotated[
        Action, typer.Argument(help="new, show, next (begin with those who accepted), list or withdraw.")
    ],
    name: Annotated[str, typer.Argument(help="The tournament.")] = "",
    players: Annotated[
        list[str] | None,
        typer.Argument(help="new: the players, each as 'NAME <ADDRESS>', teams joined by '+'. withdraw: who leaves."),
    ] = None,
    round_robin: Annotated[bool, typer.Option("--round-robin", help="Everybody plays everybody, twice.")] = False,
    swiss: Annotated[int, typer.Option("--swiss", help="So many rounds in which equal scores meet.", metavar="N")] = 0,
    ruleset: Annotated[str, typer.Option(help="What you play. `tkid rulesets` lists the rulesets.")] = "second-edition",
    clock: Annotated[str, typer.Option(help="Time for a turn, as in `host new-game`. 'none' for no clock.")] = "",
    ruling: Annotated[
        list[str] | None, typer.Option(help="Choose another ruling: 'ID OPTION'. May be repeated.")
    ] = None,
    seated: Annotated[
        bool, typer.Option("--seated", help="Everybody has agreed already, so nobody is invited.")
    ] = False,
    is_open: Annotated[bool, typer.Option("--open", help="Anybody may join by mail until you begin it.")] = False,
    as_json: AsJson = False,
) -> None:
    """Hold a tournament. Players are invited, rounds begin by themselves, and everybody gets the table."""
    directory = directory_in(folder)
    from tkid.club.results.entering import TournamentError, announced
    from tkid.host.results.tournaments import NoTournamentError, Tournaments
    from tkid.rulebook.rulesets import UnknownRulesetError

    with store_of(directory) as store:
        club = Tournaments(directory.host(store))
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
                    made = announced(
                        name, system, swiss, ruleset, players or (), now(), clock=clock, rulings=ruling or (), seated=seated,
                        is_open=is_open,
                    )  # fmt: skip
                    club.announce(made)
                    _go_on(club, name, directory)
                case Action.NEXT:
                    _go_on(club, name, directory, begin=True)
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
    from tkid.club.results.ratings import rating_lists
    from tkid.host.results.archive import results

    with store_of(directory) as store:
        lists = rating_lists(results(store, directory.secret()), now())
    if as_json:
        typer.echo(json.dumps([each.data for each in lists], ensure_ascii=False, indent=1))
        return
    if not lists:
        typer.echo("No game has been rated yet.")
    for each in lists:
        typer.echo(each.title)
        _print(("", "player", "rating", "", "games", "won", "drawn", "lost"), list(_ratings(each)))


def list_results(folder: Folder, as_json: AsJson = False) -> None:
    """List the games that are over. Shows who played, who won, how and when each ended."""
    directory = directory_in(folder)
    from tkid.host.results.archive import results

    with store_of(directory) as store:
        over = sorted(results(store, directory.secret()), key=lambda each: (str(each.ended or ""), each.game))
    if as_json:
        typer.echo(json.dumps([each.data for each in over], ensure_ascii=False, indent=1))
        return
    if not over:
        typer.echo("No game is over yet.")
    else:
        _print(("game", "ended", "players", "result"), [_result(each) for each in over])


# -- a tournament ------------------------------------------------------------------------------------------


def _list(club: Tournaments, *, as_json: bool) -> None:
    every = club.every()
    if as_json:
        typer.echo(json.dumps([_data(club, each) for each in every], ensure_ascii=False, indent=1))
        return
    for each in every:
        typer.echo(f"{each.name}: {_state(each)}")
    if not every:
        typer.echo("There are no tournaments.")


def _show(club: Tournaments, name: str, *, as_json: bool) -> None:
    from tkid.club.results.tournament_letters import shown

    one = club.get(name)
    if as_json:
        typer.echo(json.dumps(_data(club, one), ensure_ascii=False, indent=1))
        return
    typer.echo(f"{one.name}: {_state(one)}")
    if not one.begun:
        _print(("player", "answer"), [(each.name, each.answer) for each in one.people])
        return
    results = club.results(one)
    heads = ("", "", "points", "games", "won", "drawn", "lost", *(each.title for each in one.breaks))
    rows: Rows = []
    for line in one.table(results):
        side = one.sides[line.side]
        figures = (str(line.games), str(line.wins), str(line.draws), str(line.losses))
        left = " (has left)" if side.left else ""
        rows.append((f"{line.place}.", side.name + left, shown(line.points), *figures, *map(shown, line.breaks)))
    _print(heads, rows)
    for number, pairs in enumerate(one.played, 1):
        typer.echo(f"Round {number}:")
        for pair in pairs:
            names = " against ".join(one.sides[side].name for side in pair.sides)
            games = [_outcome(results.get(game), game) for game in pair.games]
            typer.echo(
                f"  {names}{' has a bye' if pair.second is None else ''}{': ' if games else ''}{', '.join(games)}"
            )


def _go_on(club: Tournaments, name: str, directory: HostDirectory, *, begin: bool = False) -> None:
    """Let a tournament go on as far as it can; with `begin` also with those alone who have accepted."""
    if begin and not club.get(name).begun:
        club.begin(name, now())
    club.advance(name, now())
    typer.echo(f"{name}: {_state(club.get(name))} {_letters(directory)}")


def _withdraw(club: Tournaments, name: str, players: Sequence[str], directory: HostDirectory) -> None:
    one = club.get(name)
    if len(players) != 1:
        fail("Name the one player who leaves, or one player of the team.", WRONG)
    player = folded(players[0])
    side = next((n for n, s in enumerate(one.sides) if any(player in {folded(p.name), p.address} for p in s.people)), None)  # fmt: skip
    if side is None:
        fail(f"{players[0]} does not play in {name}. `tkid host tournament {as_typed(directory.folder)} show {name}` shows who does.", WRONG)  # fmt: skip
    if one.sides[side].left:
        fail(f"{one.sides[side].name} has left already.", WRONG)
    club.withdraw(name, side, now())
    typer.echo(f"{name}: {one.sides[side].name} has left. {_letters(directory)}")


def _letters(directory: HostDirectory) -> str:
    """Send the letters; how many went out, and why the others wait, in a sentence."""
    sent, why = first_letters(directory)
    return f"{counted(sent, 'letter')} went out.{f' The others are waiting: {why}' if why else ''}"


def _state(one: Tournament) -> str:
    """How far a tournament is, in a sentence."""
    if one.over:
        return (
            f"over after {counted(len(one.played), 'round')}." if one.begun else "over: fewer than two sides accepted."
        )
    if not one.begun:
        waits = sum(each.answer == "asked" for each in one.people)
        return f"waits for {counted(waits, 'answer')}."
    return f"round {len(one.played)} of {one.planned}, {counted(len(one.sides), 'side')}."


def _outcome(result: Result | None, game: str) -> str:
    if result is None:
        return f"{game} goes on"
    if not result.places:
        return f"{game} {result.how}"
    winners = " and ".join(result.players[seat].name for seat in result.winners)
    return f"{game} drawn" if result.draw else f"{game} won by {winners}"


def _data(club: Tournaments, one: Tournament) -> Mapping[str, object]:
    """A tournament as plain values, without addresses."""
    results = club.results(one)
    table = [
        {
            "place": line.place,
            "side": one.sides[line.side].name,
            "points": float(line.points),
            "games": line.games,
            "breaks": {each.rule: float(value) for each, value in zip(one.breaks, line.breaks, strict=True)},
        }
        for line in (one.table(results) if one.begun else ())
    ]
    rounds = [
        [{"sides": [one.sides[side].name for side in pair.sides], "games": list(pair.games)} for pair in pairs]
        for pairs in one.played
    ]
    answers = {each.name: each.answer for each in one.people}
    return {
        "name": one.name,
        "system": one.system,
        "ruleset": one.ruleset,
        "planned": one.planned,
        "over": one.over.isoformat() if one.over else None,
        "players": answers,
        "table": table,
        "rounds": rounds,
    }


# -- ratings and results -----------------------------------------------------------------------------------


def _ratings(ratings: RatingList) -> Iterator[tuple[str, ...]]:
    for line in ratings.ratings:
        place = f"{line.place}." if line.place else "-"
        rating = f"{line.rating}{'?' if line.provisional else ''}"
        counts = (line.games, line.wins, line.draws, line.losses)
        yield place, line.player.club_name, rating, f"±{line.uncertainty}", *map(str, counts)


def _result(result: Result) -> tuple[str, ...]:
    names = [" and ".join(result.players[seat].name for seat in party) for party in result.parties]
    ended = result.ended.strftime("%Y-%m-%d") if result.ended else ""
    outcome = _outcome(result, "").strip()
    why = f", by {result.how}" if result.how == "resignation" else ""
    return result.game, ended, " against ".join(names), f"{outcome}{why}{'' if result.rated else ', not rated'}"


def _print(heads: Sequence[str], rows: Rows) -> None:
    """A table with columns."""
    from tkid.render.lines import printable

    widths = [max(len(row[column]) for row in (tuple(heads), *rows)) for column in range(len(heads))]
    for row in (tuple(heads), *rows):
        typer.echo(printable("  ".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()))
