"""The commands me, undo, resign."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

from tkid.cli import game_source
from tkid.cli.mail import At, read_typed_time
from tkid.cli.printing import WRONG, as_typed, fail, print_paragraph, print_turns, stop_on_os_error
from tkid.cli.turn_input import NOTHING_CHANGED as NOTHING
from tkid.cli.turn_input import check_resigning
from tkid.rulebook import cites

if TYPE_CHECKING:
    from tkid.record.format.model import Turn
    from tkid.record.play.replay import Replay

app = typer.Typer()

UNDONE = "record.turn.undone"

For = Annotated[
    str,
    Option(
        "--for",
        help="Act for this player instead of yourself: name or number.",
        autocompletion=game_source.complete_player,
    ),
]


@app.command(epilog="Example: tkid me winter.tkid Ann")
def me(
    file: Annotated[Path, Argument(help="The game file.", readable=False)],
    name: Annotated[
        str,
        Argument(
            help="Your name or number; `nobody` if several of you play here.",
            autocompletion=game_source.complete_player,
        ),
    ] = "",
) -> None:
    """Say whose game file it is. Then you cannot play somebody else's turn by mistake. Without NAME, show whose it is."""
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
    file: Annotated[Path, Argument(help="The game file.", readable=False)],
    me: game_source.Me = "",
    acting: For = "",
    agreed: Annotated[
        bool, Option("--agreed", help="Mark the last turn as taken back, because everybody agrees.")
    ] = False,
) -> None:
    """Remove your last turn from the file. Answers of programs go with it. Once it is sent, everybody has to agree: add --agreed."""
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

    names, after, time = played.record.names, played, read_typed_time("")
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
    from tkid.record.format.model import find_bot_seats
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


def with_passes(played: Replay) -> Replay:
    """A replay gone on by the passes of players who have resigned; a game without comments needs nothing that is loaded for it."""
    if next(played.record.remarks(), None) is None:
        return played
    from tkid.mail.peer_letters import add_passes

    return add_passes(played)


def check_goes_on(played: Replay, nothing: str = "Nothing was played.") -> None:
    """Stop where a game is over although its rules have not decided it: somebody resigned, or all agreed."""
    from tkid.record.play.replay import END_RULES, find_early_end, summarize_end

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
    from tkid.record.format.model import find_bot_seats

    if len(played.record.seats) - len(find_bot_seats(played.record)) > 1 and not game_source.is_unsent(file, played):
        fail(
            f"Others may have turn {played.record.turns[-1].number} already, from a letter or a copy of the file. Nothing was taken back. "
            f"[record.turn.unsent]\nIt can be taken back only if everybody agrees. {_suggest_asking(file, played)} [{UNDONE}]",
            WRONG,
        )


def _suggest_asking(file: Path, played: Replay) -> str:
    from tkid.record.clock import has_host

    if has_host(played.record):
        return "Write `undo?` to the host, who asks the others."
    return f"Ask the others in a mail. When all have agreed: `tkid undo {as_typed(file)} --agreed`."


@app.command(epilog="Example: tkid resign winter.tkid")
def resign(
    file: Annotated[Path, Argument(help="The game file.", readable=False)],
    yes: Annotated[bool, Option("--yes", help="Do not ask.")] = False,
    me: game_source.Me = "",
    acting: For = "",
    at: At = "",
) -> None:
    """Give up a game that has no host. You cannot take it back. Then send a letter to the others."""
    from tkid.mail.peer_letters import add_passes
    from tkid.record.copies import add_resignation
    from tkid.record.play.replay import find_early_end, summarize_end

    time = read_typed_time(at)
    with game_source.open_to_change(file, "Nothing was changed") as data:
        played = game_source.play_through(file, data)
        names, seat = played.record.names, _find_resigning_seat(file, played, me, acting)
        _check_may_resign(file, played, seat)
        check_resigning(names[seat], yes=yes)
        after = add_passes(add_resignation(played, seat, time))
        game_source.write_game(file, after)
    if len(after.moments) > len(played.moments):
        game_source.note_played(file, after)
    typer.echo(f"{names[seat]} has resigned. [record.resigned]")
    print_turns(after.moments[len(played.moments) :], after.record)
    if (end := find_early_end(after)) is not None:
        typer.echo(summarize_end(end, names))
    else:
        typer.echo(
            f"The game continues without {names[seat]}: the seat passes. It is {names[after.position.to_act or 0]}'s turn."
        )
    print_paragraph(f"Send a letter to the others: `tkid letter write {as_typed(file)} --to all -o FILE`.")


def _find_resigning_seat(file: Path, played: Replay, me: str, acting: str) -> int:
    seat = game_source.find_acting_seat(file, played.record, me, acting)
    if seat is None:
        from tkid.notation.names import list_names

        players = list_names(played.record.names, "and")
        fail(f"Who resigns? Add --me NAME. The players are {players}. {NOTHING}", WRONG)
    return seat


def _check_may_resign(file: Path, played: Replay, seat: int) -> None:
    from tkid.record.clock import has_host
    from tkid.record.copies import find_resignations, is_over

    if has_host(played.record):
        fail(
            f"{file} is a game at a host. Write `resign` to the host, alone on its line. {NOTHING} [post.resign]", WRONG
        )
    if is_over(played):
        fail(f"The game is over. {NOTHING}", WRONG)
    if seat in find_resignations(played.record):
        fail(f"{played.record.names[seat]} has resigned already. {NOTHING}", WRONG)
