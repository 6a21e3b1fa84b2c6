"""Commands to ask about a game: result, why, why-not, read, transcribe."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer
from typer import Argument, Option

from tkid.cli import game_source, printing
from tkid.cli.files import STDIN, check_output, print_or_write, read_bytes, read_lines
from tkid.cli.play import check_goes_on
from tkid.cli.rules import ruleset_option
from tkid.cli.turn_input import answer_lines, choose_turn, is_terminal, print_choices, understand_typed
from tkid.kernel.game import NOBODY
from tkid.kernel.problems import Kind
from tkid.notation.voice import Voice
from tkid.record.format import model
from tkid.record.format.plugin import find_record_plugin
from tkid.record.play.replay import Replay, append, list_end_reasons, write_end_title
from tkid.render.plugin import find_render_plugin
from tkid.render.text import explain_game_result
from tkid.rulebook import rule

if TYPE_CHECKING:
    from tkid.notation.free_text import Understanding
    from tkid.record.transcription import Transcript

app = typer.Typer()

NO_TURNS = "There are no legal turns."


@app.command(epilog="Example: tkid result winter.tkid")
def result(
    file: game_source.Source = "",
    jsonl: Annotated[
        bool, Option("--jsonl", help="Read finished positions as JSON from standard input, and answer each.")
    ] = False,
) -> None:
    """Show who won, and by which ending."""
    if jsonl:
        from tkid.record.json.positions import read_requested_position, result_json

        printing.check_option_alone(file, "--jsonl reads positions from standard input")
        answer_lines(lambda request: result_json(*read_requested_position(request)))
        return
    if not file:
        printing.fail("Which game? Write `tkid result FILE`, or --jsonl to answer positions from standard input.")
    now = game_source.load_situation(file)
    ended = now.game.result(now.position)
    if now.early is not None:
        typer.echo(write_end_title(now.early, now.names))
        printing.print_doubt(now.replay)
        return
    if ended is None:
        _fail_undecided(now)
    typer.echo(f"{ended.ending.capitalize()}: {' and '.join(now.names[seat] for seat in ended.winners) or NOBODY}")
    printing.print_doubt(now.replay)


def _fail_undecided(now: game_source.Situation) -> NoReturn:
    name = now.names[now.position.to_act or 0]
    missing = find_render_plugin(now.game).describe_open_decision(now.game, now.position)
    if missing:
        printing.fail(f"The game is not decided yet. {name} {missing}.", printing.WRONG)
    printing.fail(f"The game is not over. It is {name}'s turn.", printing.WRONG)


@app.command(epilog="Example: tkid why winter.tkid")
def why(file: game_source.Source) -> None:
    """Explain why the winner won. Shows every comparison in order, each with its rule."""
    now = game_source.load_situation(file)
    sentences = explain_game_result(now.game, now.position, now.names)
    if now.early is not None:
        reasons = list_end_reasons(now.early, Voice(now.names))
        sentences = [f"{text}{f' [{rule}]' if rule else ''}" for text, rule in reasons]
    if not sentences:
        _fail_undecided(now)
    for number, sentence in enumerate(sentences):
        is_comparison = 0 < number < len(sentences) - 1  # between ending and winner
        printing.print_paragraph(sentence, "   " if is_comparison else "")
    printing.print_doubt(now.replay)


ASKED = re.compile(
    r"(?i)\s*(?:why )?(?:can|could|may|am|should|do)(?:not|n?'?t)? (?:i|we) (?:not )?(?:(?:allowed|able) to )?(?:play )?(.+?)[\s?]*"
)
"""A question about a turn: `Why can't I play …?`"""


@app.command("why-not", epilog='Example: tkid why-not winter.tkid "Manoeuvre S Moray <> E Devon"')
def why_not(
    file: Annotated[str, Argument(help="The game file.")],
    turn: Annotated[
        str, Argument(help="The turn, with or without its summons.", autocompletion=game_source.complete_turn)
    ],
    seat: game_source.Viewer = "",
) -> None:
    """Explain why a turn is not legal, and show what would be. It plays nothing."""
    from tkid.record.play.views import hide_secrets

    replay = game_source.load(file)
    check_goes_on(replay, NO_TURNS)
    if seat := seat or game_source.reader_of(file, replay, replay.position):
        replay = hide_secrets(replay, game_source.seat_of(replay.record.names, seat))
    turn = asked[1] if (asked := ASKED.fullmatch(turn)) else turn
    tried = append(replay, turn)
    game, without_summons = replay.record.game, ";" not in turn
    problems = [p for p in tried.problems if not (without_summons and find_record_plugin(game).is_unfinished(game, p))]
    if not problems:
        still = ", but its summons is still missing" if tried.problems else ""
        typer.echo(f"This turn is legal{still}: {tried.last.line.partition(' ')[2]}")
        return
    choices: tuple[str, ...] = ()
    if any(problem.kind is not Kind.ILLEGAL for problem in problems):
        meant = understand_typed(replay, turn)
        if meant.turn:
            typer.echo(f"Your words mean a legal turn: {meant.turn}")
            return
        problems, choices = list(meant.problems), meant.choices
    printing.print_problems("turn", turn, problems, err=False)
    if choices:
        print_choices(choices)
    if asked and not choices:
        typer.echo("For a question about the rules, use `tkid ask`.")
    typer.echo("")
    for rule_id in dict.fromkeys(problem.rule for problem in problems):
        typer.echo(f"[{rule_id}] {rule(rule_id).statement}")


@app.command(
    epilog='Example: tkid read winter.tkid "two English to Devon with English Support, take a Scot from Moray"'
)
def read(
    file: game_source.Source,
    text: Annotated[str, Argument(help="The turn in your own words.")] = "",
    seat: game_source.Viewer = "",
    jsonl: Annotated[
        bool, Option("--jsonl", help="Read a text from each line of standard input, and answer each in JSON.")
    ] = False,
    mail: Annotated[
        str, game_source.player_option(help="Show whether the turn in this player's mail would be played.")
    ] = "",
    why: Annotated[bool, Option("--why", help="With --mail: also show the sentences that decide.")] = False,
) -> None:
    """Show which turn your words mean, without playing it."""
    from tkid.notation.free_text import understand_turn

    if mail:
        printing.check_option_alone(text, "--mail reads a mail")
        print_judged(game_source.load(file), mail, why=why)
        return
    if jsonl:
        printing.check_option_alone(text, "--jsonl reads texts from standard input")
    elif not text:
        printing.fail("Which text? Write `tkid read FILE TEXT`, or --jsonl to read texts from standard input.")
    game, position, names, *_, replay = game_source.load_situation(file, seat)
    if replay is not None:
        check_goes_on(replay, NO_TURNS)
    known = game.view(position, position.to_act).shown if position.to_act is not None and not seat else position

    def understood(typed: str) -> Understanding:
        return understand_turn(game, names, known, typed)

    every = answer_texts(understood) if jsonl else print_understood(understood(text), text)
    if not every:
        raise typer.Exit(printing.WRONG)


def print_understood(understood: Understanding, typed: str) -> bool:
    if understood.turn:
        how = "This is a legal turn. It is played as it is" if understood.certain else "This may be the turn you mean"
        typer.echo(f"{how}:\n    {understood.turn}")
        if not understood.certain:
            typer.echo("You confirm it before it is played.")
        return True
    printing.print_problems("text", typed, understood.problems[:1], err=False)
    if understood.choices:
        print_choices(understood.choices)
    return False


ACTS = {
    "play": "The turn in this mail is played at once.",
    "ask": "The host asks the sender whether they mean the turn.",
    "hold": "A host plays the turn a little later, and its sender can stop it. From hand to hand it is played at once.",
}
"""What becomes of the turn in a mail, by the verdict of the judge."""


def print_judged(replay: Replay, name: str, *, why: bool) -> None:
    from tkid.cli.mail import check_mail, mail_bytes
    from tkid.mail import game_service, intent, order_handlers
    from tkid.mail.mime import take_in
    from tkid.mail.model import Refusal
    from tkid.mail.order_finder import find_orders, get_order_reader

    data = mail_bytes(name)
    check_mail(name, data)
    taken = take_in(data)
    seat = taken if isinstance(taken, Refusal) else order_handlers.find_sender_seat(replay.record, taken.sender)
    if isinstance(taken, Refusal) or isinstance(seat, Refusal):
        printing.fail(f"Not answered: {seat}", printing.WRONG)
    orders = find_orders(taken, get_order_reader(replay.record.game, replay.record.names, seat))
    verdict = intent.judge_mail(game_service.open_without_host(replay, seat), orders, orders.lines)
    has_turn = any(line.kind == "turn" for line in orders.lines)
    typer.echo(ACTS[verdict.act] if has_turn else "This mail has no turn.")
    if why:
        for each in verdict.evidence:
            typer.echo(f"  {each.kind}: {each.text}")


def answer_texts(understand: Callable[[str], Understanding]) -> bool:
    """Answer texts, or JSON objects with a `text`, in lines of JSON; return whether each means one turn."""
    every = True
    for line in read_lines(STDIN):
        typed = _read_text(line.decode("utf-8-sig", "replace").rstrip("\r\n"))
        understood = understand(typed)
        every = every and bool(understood.turn)
        printing.print_json(make_understanding_json(typed, understood))
    return every


def _read_text(line: str) -> str:
    if not line.startswith("{"):
        return line
    try:
        request = json.loads(line)
    except (ValueError, RecursionError):
        return line
    text = request.get("text") if isinstance(request, dict) else None
    return text if isinstance(text, str) else line


def make_understanding_json(typed: str, understood: Understanding) -> dict[str, Any]:
    return {
        "text": typed,
        "turn": understood.turn or None,
        "certain": understood.certain,
        "choices": list(understood.choices),
        "problems": [
            {"rule": problem.rule, "message": problem.message, "column": problem.col} for problem in understood.problems
        ],
    }


def _read_notes(notes: str, *, has_setup: bool) -> list[str]:
    data, named = read_bytes(notes), printing.as_typed(notes)
    foreign = model.find_foreign(data)
    if model.is_game_file(data) and not has_setup:
        foreign = model.Foreign("a game file already", f"`tkid check {named}` checks it.")
    if foreign not in {None, model.MAILED}:
        printing.fail(f"{named} is {foreign.what}, not notes. {foreign.hint}\nNothing was written.", printing.WRONG)
    return data.decode("utf-8-sig", "replace").splitlines()


@app.command(epilog="Example: tkid transcribe notes.txt -o game.tkid")
def transcribe(
    notes: Annotated[str, Argument(help="Your notes of a game: a text file, or - for standard input.")],
    output: Annotated[
        Path | None, Option("-o", "--output", help="The game file to write. Without it, it is printed.")
    ] = None,
    ruleset: Annotated[
        str, ruleset_option(help="The ruleset, if the notes don't say. `tkid rulesets` lists all of them.")
    ] = "",
    player: Annotated[
        list[str] | None, Option(help="A player, in turn order, if the notes don't say. Repeat it for each.")
    ] = None,
    first: Annotated[str, game_source.player_option(help="The start player, if the notes don't say.")] = "",
    setup: Annotated[Path | None, Option(help="A game file with the set-up, if the notes don't have it.")] = None,
    answers: Annotated[
        Path | None, Option(help="Your answers to the questions, each `LINE: TURN`, with the line of the notes.")
    ] = None,
    as_played: Annotated[bool, Option("--as-played", help="Keep an illegal turn as played, marked `stands`.")] = False,
    batch: Annotated[bool, Option("--batch", help="Don't ask at a terminal. List the questions.")] = False,
    as_json: Annotated[bool, Option("--json", help="Print the turns, the findings and the game as JSON.")] = False,
) -> None:
    """Read notes of a whole game. Writes the game file, and shows where the notes differ from the game.

    The exit code is 0 if every turn is certain, and 1 if there are questions or differences.
    """
    from tkid.record import transcription

    is_named_alike = output is not None and output.suffix.casefold() == ".tkid"  # notes.txt becomes notes.tkid
    inputs = [each for each in (notes, setup, answers) if each and each != STDIN]
    check_output(output, None if is_named_alike or notes == STDIN else notes, *inputs)
    lines = _read_notes(notes, has_setup=setup is not None)
    try:
        given = transcription.read_answers(answers.read_text("utf-8") if answers else "")
        if setup:
            record, end = transcription.read_given_start(lines, game_source.load(str(setup)).record)
        else:
            record, end = transcription.read_start(lines, ruleset, player or (), first)
    except transcription.SetupError as error:
        printing.fail(f"{error}\nNothing was written.", printing.WRONG)

    def read() -> Transcript:
        is_first_given = bool(setup or first)
        return transcription.transcribe(record, lines, end, given, is_first_given=is_first_given, as_played=as_played)

    found = read()
    while not batch and not as_json and is_terminal() and found.questions:
        question = found.questions[0]
        typer.echo(f"{printing.as_typed(notes)}:{question.line}: {lines[question.line - 1].strip()}", err=True)
        given[question.line] = choose_turn(question.choices, nothing="Nothing was written.")
        found = read()
    if as_json:
        printing.print_json(found.as_json())
    else:
        _print_findings(notes, found, to_errors=output is None)
    if output is not None or not as_json:
        print_or_write(found.text, output)
    if output is not None and not as_json:
        typer.echo(f"{output}: {found.summary}.")
    if found.findings:
        raise typer.Exit(printing.WRONG)


def _print_findings(notes: str, found: Transcript, *, to_errors: bool) -> None:
    """Print what the notes leave open, with the lines for a file of answers, and where they differ from the game."""
    for each in found.findings:
        typer.echo(f"{printing.as_typed(notes)}:{each.line}: {each.message} [{each.rule}]", err=to_errors)
        for turn in each.choices:
            typer.echo(f"    {each.line}: {turn}", err=to_errors)
