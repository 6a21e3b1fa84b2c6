"""Commands for questions about a game: result, why, why-not, read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from tkid.cli.own_turns import check_goes_on
from tkid.cli.support import WRONG, check_alone, fail
from tkid.cli.support.printing import print_doubt, print_paragraph, print_problems
from tkid.cli.support.seats import seat_of
from tkid.cli.support.sources import Situation, Source, Viewer, load, reader_of, situation

if TYPE_CHECKING:
    from tkid.notation.free_text import Understanding

app = typer.Typer()

NO_TURNS = "There are no legal turns."


@app.command(epilog="Example: tkid result winter.tkid")
def result(
    file: Source = "",
    jsonl: Annotated[
        bool, typer.Option("--jsonl", help="Read finished positions as JSON from standard input, and answer each.")
    ] = False,
) -> None:
    """Show who won, and by which ending."""
    if jsonl:
        from tkid.cli.support.jsonl import answer_lines
        from tkid.record.json.positions import asked_position, result_json

        check_alone(file, "--jsonl reads positions from standard input")
        answer_lines(lambda request: result_json(*asked_position(request)))
        return
    if not file:
        fail("Which game? Write `tkid result FILE`, or --jsonl to answer positions from standard input.")
    from tkid.kernel.game import NOBODY
    from tkid.record.play.outcome import titled

    now = situation(file)
    ended = now.game.result(now.position)
    if now.early is not None:
        typer.echo(titled(now.early, now.names))
        print_doubt(now.replay)
        return
    if ended is None:
        _fail_undecided(now)
    typer.echo(f"{ended.ending.capitalize()}: {' and '.join(now.names[seat] for seat in ended.winners) or NOBODY}")
    print_doubt(now.replay)


def _fail_undecided(now: Situation) -> NoReturn:
    from tkid.render.plugin import render_plugin

    name, missing = now.names[now.position.to_act or 0], render_plugin(now.game).undecided(now.game, now.position)
    if missing:
        fail(f"The game is not decided yet. {name} {missing}.", WRONG)
    fail(f"The game is not over. It is {name}'s turn.", WRONG)


@app.command(epilog="Example: tkid why winter.tkid")
def why(file: Source) -> None:
    """Explain who won. Shows every comparison in order, each with its rule."""
    from tkid.record.play.outcome import reasons
    from tkid.render.text import explain_result

    now = situation(file)
    sentences = explain_result(now.game, now.position, now.names)
    if now.early is not None:
        sentences = [f"{text}{f' [{rule}]' if rule else ''}" for text, rule in reasons(now.early, now.names)]
    if not sentences:
        _fail_undecided(now)
    for number, sentence in enumerate(sentences):
        is_comparison = 0 < number < len(sentences) - 1  # between ending and winner
        print_paragraph(sentence, "   " if is_comparison else "")
    print_doubt(now.replay)


@app.command("why-not", epilog='Example: tkid why-not winter.tkid "Manoeuvre S Moray <> E Devon"')
def why_not(
    file: Annotated[str, typer.Argument(help="The game file.")],
    turn: Annotated[str, typer.Argument(help="The turn, with or without its summons.")],
    seat: Viewer = "",
) -> None:
    """Explain why a turn is not legal, and show what would be. Nothing is played."""
    from tkid.cli.support.confirming import print_choices, understood
    from tkid.kernel.problems import Kind
    from tkid.record.play.replay import append
    from tkid.record.play.views import seen
    from tkid.record.plugin import record_plugin
    from tkid.rulebook import rule

    replay = load(file)
    check_goes_on(replay, NO_TURNS)
    if seat := seat or reader_of(file, replay, replay.position):
        replay = seen(replay, seat_of(replay.record.names, seat))
    tried = append(replay, turn)
    game, without_summons = replay.record.game, ";" not in turn
    problems = [p for p in tried.problems if not (without_summons and record_plugin(game).is_unfinished(game, p))]
    if not problems:
        still = ", but its summons is still missing" if tried.problems else ""
        typer.echo(f"This turn is legal{still}: {tried.last.line.partition(' ')[2]}")
        return
    choices: tuple[str, ...] = ()
    if any(problem.kind is not Kind.ILLEGAL for problem in problems):
        meant = understood(replay, turn)
        if meant.turn:
            typer.echo(f"Your words mean a legal turn: {meant.turn}")
            return
        problems, choices = list(meant.problems), meant.choices
    print_problems("turn", turn, problems, err=False)
    if choices:
        print_choices(choices)
    typer.echo("")
    for rule_id in dict.fromkeys(problem.rule for problem in problems):
        typer.echo(f"[{rule_id}] {rule(rule_id).statement}")


@app.command(
    epilog='Example: tkid read winter.tkid "two English to Devon with English Support, take a Scot from Moray"'
)
def read(
    file: Source,
    text: Annotated[str, typer.Argument(help="The turn in your own words.")] = "",
    seat: Viewer = "",
    jsonl: Annotated[
        bool, typer.Option("--jsonl", help="Read texts from standard input, one a line, and answer each in JSON.")
    ] = False,
    mail: Annotated[str, typer.Option(help="Show whether the turn in this player's mail would be played.")] = "",
    why: Annotated[bool, typer.Option("--why", help="With --mail: also show the sentences that decide.")] = False,
) -> None:
    """Show which turn your words mean. Nothing is played."""
    from tkid.cli.support.reading import answer_texts, print_judged, print_understood
    from tkid.notation.free_text import understand

    if mail:
        check_alone(text, "--mail reads a mail")
        print_judged(load(file), mail, why=why)
        return
    if jsonl:
        check_alone(text, "--jsonl reads texts from standard input")
    elif not text:
        fail("Which text? Write `tkid read FILE TEXT`, or --jsonl to read texts from standard input.")
    game, position, names, *_, replay = situation(file, seat)
    if replay is not None:
        check_goes_on(replay, NO_TURNS)
    known = game.view(position, position.to_act).shown if position.to_act is not None and not seat else position

    def understood(typed: str) -> Understanding:
        return understand(game, names, known, typed)

    every = answer_texts(understood) if jsonl else print_understood(understood(text), text)
    if not every:
        raise typer.Exit(WRONG)
