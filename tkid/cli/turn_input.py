"""Read a typed turn, and ask before it is played; read typed times and lines of JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer
from attrs import evolve
from typer import Option

from tkid.cli.files import STDIN, read_lines
from tkid.cli.printing import WRONG, fail, print_json, print_problems
from tkid.record.format.model import STANDS, TAKEN_BACK
from tkid.record.format.turn_rows import CUT_HASH, HASH, NOTE, NUMBERED, describe_cut_hash
from tkid.record.play.replay import Replay, append
from tkid.rulebook import cites

if TYPE_CHECKING:
    from tkid.notation.free_text import Understanding

COMMANDS = {"undo": "undo FILE", "legal": "legal FILE", "status": "show FILE", "rules": "ask QUESTION"}
"""The commands that do what some orders of a mail do."""
NOTHING_PLAYED = "Nothing was played."
NOTHING_CHANGED = "Nothing was changed."
At = Annotated[str, Option("--at", help="Date the mail with this time (ISO 8601) instead of now.")]


class DoubtError(Exception):
    """A typed text is in doubt, and the question which of some turns it means is for somebody who is not at a terminal."""

    def __init__(self, *turns: str) -> None:
        super().__init__("Is this the turn you mean?" if len(turns) == 1 else "Do you mean one of these?")
        self.turns = turns


def turn_to_play(replay: Replay, typed: str, *, yes: bool, here: bool = True) -> str:
    """Return the turn that was typed, if certain, else a confirmed one (`yes`: a single proposal), or end the command.

    Raises DoubtError in place of a question if no terminal is `here` to answer it.
    """
    _check_row(replay, typed)
    meant = understand_typed(replay, typed)
    if meant.certain:
        return typed
    if meant.turn:
        for each in meant.unknown:
            typer.echo(f"You also wrote: {each}")
        if not here:
            raise DoubtError(meant.turn)
        typer.echo(f"{'Read as' if yes else 'Is this the turn you mean?'}\n    {meant.turn}")
        hint = f"{NOTHING_PLAYED} To play this turn, add --yes."
        _check_confirmed("Play this?", yes=yes, hint=hint, nothing=NOTHING_PLAYED)
        return meant.turn
    _check_no_order(replay, typed)
    _print_first_problem(meant, typed, over=replay.position.to_act is None)
    if not meant.choices and meant.problems[0].rule != "notation.free.intent":
        _print_legal(replay, typed)
    if meant.choices and not here:
        raise DoubtError(*meant.choices)
    return choose_turn(meant.choices)


@cites("record.turn.hash", "record.turn.number")
def _check_row(replay: Replay, typed: str) -> None:
    """End the command if a turn is typed as in a game file, with a mark, or with another turn's number or hash."""
    _check_no_mark(typed)
    rows = typed.splitlines() if NUMBERED.match(typed) else ()
    numbers = [int(found[1]) for found in map(NUMBERED.match, rows) if found]
    if len(numbers) > 1:
        fail(f"These are {len(numbers)} turns. Write one. {NOTHING_PLAYED} [record.turn.number]", WRONG)
    number, due = next(iter(numbers), 0), len(replay.moments)
    if number and number != due:
        fail(f"The next turn is turn {due}, not {number}. {NOTHING_PLAYED} [record.turn.number]", WRONG)
    stated = HASH.search(typed)
    if stated is None:
        if cut := CUT_HASH.search(typed):
            way = "Copy the whole line again, or write the turn without it."
            fail(f"{describe_cut_hash(cut)}. {way} {NOTHING_PLAYED} [record.turn.hash]", WRONG)
        return
    meant = understand_typed(replay, typed[: stated.start()])
    fitting = append(replay, meant.turn).last.hash if meant.turn else ""
    if stated[1].lower() != fitting:
        right = f"After this turn it is #{fitting}. " if fitting else ""
        message = f"The hash #{stated[1]} does not fit. {right}Copy the whole line again, or write the turn without it."
        fail(f"{message} {NOTHING_PLAYED} [record.turn.hash]", WRONG)


@cites("record.turn.stands")
def _check_no_mark(typed: str) -> None:
    for note in NOTE.finditer(typed):
        text = " ".join(note[1].split())
        if text.casefold().startswith(STANDS):
            way = "If everybody lets an illegal turn stand, write its line with this mark into the game file."
            fail(
                f"A turn cannot be marked with `{{{text}}}` as you play it. {NOTHING_PLAYED} [record.turn.stands]\n{way}",
                WRONG,
            )
        if text.casefold().startswith(TAKEN_BACK):
            fail(f"To take back a turn: `tkid undo FILE`. {NOTHING_PLAYED} [record.turn.undone]", WRONG)


@cites("post.order.hosted")
def _check_no_order(replay: Replay, typed: str) -> None:
    from tkid.mail.order_finder import get_order_reader
    from tkid.orders.order_kinds import find_order_kind
    from tkid.orders.order_values import Resign, Turn

    order = get_order_reader(replay.record.game, replay.record.names, replay.position.to_act).read_line(typed).order
    if isinstance(order, Resign):
        fail(f"To resign from a game without a host: `tkid resign FILE`. {NOTHING_PLAYED} [record.resigned]", WRONG)
    if order is not None and not isinstance(order, Turn):
        name = find_order_kind(order).name
        what = f"`{name}` is an order to a host, not a turn. {NOTHING_PLAYED} [post.order.hosted]"
        ways = "If your game has no host, write it to the others in a mail of your own. `tkid --help` lists what you can do here."
        if name in COMMANDS:
            ways = f"In a game without a host: `tkid {COMMANDS[name]}`."
        fail(f"{what}\n{ways}", WRONG)


def _print_legal(replay: Replay, typed: str) -> None:
    from tkid.mail.plugin import find_mail_plugin
    from tkid.record.play.views import hide_secrets

    card, turn = find_mail_plugin(replay.record.game).find_similar(hide_secrets(replay, replay.position.to_act), typed)
    if turn:
        typer.echo(f"A legal turn with {card}: {turn}", err=True)


def understand_typed(replay: Replay, typed: str) -> Understanding:
    from tkid.notation.free_text import understand_turn

    game, position = replay.record.game, replay.position
    known = position if position.to_act is None else game.view(position, position.to_act).shown
    return understand_turn(game, replay.record.names, known, typed)


def _check_confirmed(question: str, *, yes: bool, hint: str, nothing: str, refused: str = "") -> None:
    """End the command unless `yes`, or somebody at a terminal, confirms it; the `hint` is for everybody else."""
    if yes:
        return
    if not is_terminal():
        fail(hint, WRONG)
    with _stop_unanswered(nothing):
        if not confirm(question):
            fail(refused or nothing, WRONG)


def confirm(question: str) -> bool:
    while True:
        answer: str = typer.prompt(f"{question} [y/N]", default="", show_default=False).strip().casefold()
        if answer in {"y", "yes", "n", "no", ""}:
            return answer.startswith("y")
        typer.echo("Please answer `y` for yes, or `n` for no.")


@contextmanager
def _stop_unanswered(nothing: str) -> Iterator[None]:
    """Say that nothing was done if a question is left without an answer, by Ctrl-C or the end of the input."""
    try:
        yield
    except typer.Abort:
        fail(f"\n{nothing}", WRONG)


def choose_turn(turns: Sequence[str], *, nothing: str = NOTHING_PLAYED) -> str:
    if turns:
        print_choices(turns, err=True)
    typed = ""
    if turns and is_terminal():
        with _stop_unanswered(nothing):
            typed = typer.prompt("Which one? Press Enter to choose none", default="", show_default=False).strip()
    if typed not in map(str, range(1, len(turns) + 1)):
        none = f"`{typed}` is not one of these numbers. To play another turn, start again. " if typed else ""
        fail(f"{none}{nothing}", WRONG)
    return turns[int(typed) - 1]


def print_choices(turns: Sequence[str], *, err: bool = False) -> None:
    typer.echo("These turns are legal:", err=err)
    for number, turn in enumerate(turns, 1):
        typer.echo(f"    {number}  {turn}", err=err)


def _print_first_problem(understood: Understanding, typed: str, *, over: bool) -> None:
    first, *_ = understood.problems
    if over:
        first = evolve(first, hint="`tkid why FILE` shows who won. `tkid new` begins another game.")
    listed = understood.choices and first.fixes  # the hint says what to do too, but these turns are nearer
    print_problems("turn", typed, [evolve(first, hint="") if listed else first])
    if len(understood.problems) > 1:
        typer.echo("`tkid why-not` with this turn lists everything that is wrong.", err=True)


@cites("post.resign.sure")
def check_resigning(name: str, *, yes: bool) -> None:
    """End the command unless somebody who sits in front of it is sure that a player resigns, or has said so before."""
    hint = f"You cannot come back after you have resigned. If you are sure, add --yes. {NOTHING_CHANGED}"
    question = f"{name} resigns from this game and cannot come back. Are you sure?"
    _check_confirmed(question, yes=yes, hint=hint, nothing=NOTHING_CHANGED)


@cites("mail.hold")
def check_doubt(doubt: str, *, yes: bool) -> None:
    """End the command unless the user confirms a turn that came with words that may be a doubt."""
    hint = f"{doubt}. If the turn is meant all the same, add --yes. {NOTHING_CHANGED}"
    refused = f"{NOTHING_CHANGED} Ask the player which turn is meant."
    _check_confirmed(f"{doubt}. Play the turn?", yes=yes, hint=hint, nothing=NOTHING_CHANGED, refused=refused)


def is_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def answer_lines(answer: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Answer each line; a line that is not understood is answered with its problems, and the exit code says so."""
    from tkid.record.json.objects import JsonError

    exit_code = 0
    for line in read_lines(STDIN):
        if not line.strip():
            continue
        try:
            answered = answer(json_object(line))
        except JsonError as error:
            messages = [problem.message for problem in error.problems]
            answered = {"problems": [{"rule": "notation.json", "message": message} for message in messages]}
        exit_code = WRONG if "problems" in answered else exit_code
        print_json(answered)
    raise typer.Exit(exit_code)


def json_object(line: bytes) -> dict[str, Any]:
    """Return the JSON object of a line. Raises JsonError."""
    from tkid.record.json.objects import JsonError

    try:
        request = json.loads(line.rstrip().decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise JsonError("This line is not UTF-8") from None
    except json.JSONDecodeError as error:
        raise JsonError(f"This is not JSON: {error.msg} in column {error.colno}") from None
    except RecursionError:
        raise JsonError("This JSON is nested too deeply") from None
    except ValueError:  # a number of thousands of digits
        raise JsonError("This JSON has a number that is too long") from None
    if not isinstance(request, dict):
        raise JsonError("A request is a JSON object")
    return request


def read_typed_time(text: str) -> datetime:
    try:
        time = datetime.fromisoformat(text) if text else datetime.now(UTC)
    except ValueError:
        fail(f"--at {text}: write a time such as 2026-11-21T10:00+00:00.")
    return time if time.tzinfo else time.replace(tzinfo=UTC)


def with_passes(played: Replay) -> Replay:
    """Add the automatic passes of resigned players. A game without comments has none, and loads no module for them."""
    if next(played.record.list_remarks(), None) is None:
        return played
    from tkid.mail.peer_letters import add_passes

    return add_passes(played)
