"""Commands that answer questions about a game: result, why, why-not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tkid.cli.support.common import WRONG, fail, load, say, seat_of, situation, tell_all, typed

if TYPE_CHECKING:
    from tkid.kernel.game import AnyGame, Position


def add_to(app: typer.Typer) -> None:
    """Add these commands to the program."""
    app.command(epilog="Example: tkid result winter.tkid")(result)
    app.command(epilog="Example: tkid why winter.tkid")(why)
    app.command("why-not", epilog='Example: tkid why-not winter.tkid "Manoeuvre S Moray <> E Devon"')(why_not)


def result(
    file: Annotated[str, typer.Argument(help="A record, or a position in one line.")] = "",
    jsonl: Annotated[
        bool, typer.Option("--jsonl", help="Answer finished positions in JSON from standard input.")
    ] = False,
) -> None:
    """Say how a game ended and who won."""
    if jsonl:
        from tkid.cli.support.jsonl import answer_lines
        from tkid.record.json.positions import read_position_json, result_json

        answer_lines(lambda request: result_json(*read_position_json(request.get("position"))))
        return
    if not file:
        fail("Which game? Write `tkid result FILE`, or --jsonl to answer positions from standard input.")
    from tkid.kernel.game import NOBODY

    game, position, names, _ = situation(file)
    ended = game.result(position)
    if ended is None:
        fail(_still_going(game, names, position), WRONG)
    typer.echo(f"{ended.ending.capitalize()}: {' and '.join(names[seat] for seat in ended.winners) or NOBODY}")


def _still_going(game: AnyGame, names: tuple[str, ...], position: Position) -> str:
    from tkid.render.plugin import render_plugin

    name, missing = names[position.to_act or 0], render_plugin(game).undecided(game, position)
    if missing:
        return f"The game is not decided yet: {name} {missing}."
    return f"The game is not over: it is {name}'s turn."


def why(file: Annotated[str, typer.Argument(help="A record, or a position in one line.")]) -> None:
    """Say how a game was decided: every comparison in order, each with its rule."""
    from tkid.render.text import explain_result

    game, position, names, _ = situation(file)
    told = explain_result(game, position, names)
    if not told:
        fail(_still_going(game, names, position), WRONG)
    for at, sentence in enumerate(told):
        say(sentence, "   " if 0 < at < len(told) - 1 else "")  # between ending and winner: numbered comparisons


def why_not(
    file: Annotated[str, typer.Argument(help="The record.")],
    turn: Annotated[str, typer.Argument(help="A turn, with or without its summons.")],
    seat: Annotated[str, typer.Option(help="As far as this player may know: name or number.")] = "",
) -> None:
    """Say which rules forbid a turn, and what would be legal. Plays nothing."""
    from tkid.record.play.replay import append
    from tkid.record.play.views import seen
    from tkid.record.plugin import record_plugin
    from tkid.rulebook import rule

    played = load(file)
    if seat:
        played = seen(played, seat_of(played.record.names, seat))
    tried = append(played, turn)
    game, left_out = played.record.game, ";" not in turn
    problems = [p for p in tried.problems if not (left_out and record_plugin(game).is_unfinished(game, p))]
    if not problems:
        typer.echo(f"Nothing forbids it: {tried.last.line.partition(' ')[2]}")
        return
    tell_all("turn", typed(turn), problems, err=False)
    typer.echo("")
    for rule_id in dict.fromkeys(problem.rule for problem in problems):
        typer.echo(f"[{rule_id}] {rule(rule_id).statement}")
