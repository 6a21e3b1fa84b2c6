"""Commands for programs that play: suggest, annotate, engine; and their turns in a game file."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Option

from tkid.cli import archives, game_source, printing
from tkid.cli.files import check_output, print_or_write
from tkid.kernel.game import HIDDEN, AnyGame, AnyView, fill_names
from tkid.notation.text import count_noun
from tkid.record.format.model import ENGINE, ENOUGH, PLAYERS, BotSeat, Record, find_bot_seats
from tkid.record.play.replay import Replay, append, is_over, summarize_end
from tkid.rulebook import cites

if TYPE_CHECKING:
    from tkid.bots.player import Choice, Player, Turn

app = typer.Typer()

USUAL, THOUGHT, MOST = "search", 1000, 3
"""The player, how many positions it looks at, and how many turns are listed, unless something else is asked for."""
BY_LOT = "random"
"""The player that thinks nothing of its turn."""
SAID = ((r"\{%s\} leads", "you lead"), (r"\{%s\} has\b", "you have"), (r"\{%s\}'s", "your"), (r"\{%s\}", "you"))
"""Phrases about a seat, each with its form for the seat's own player."""
OF_ITSELF = ((r"gives \{%s\} the lead", "takes the lead"), (r"\{%s\}'s", "their own"))
"""Phrases about a seat after its name, each with its form for other readers."""

PlayerOption = Annotated[
    str,
    printing.offer(*PLAYERS, "cmd:")(
        "--player", help="The program that thinks: random, greedy, search, or cmd:PROGRAM."
    ),
]
ThoughtOption = Annotated[
    int, Option("--thought", min=1, max=ENOUGH, help="How many positions the program may look at for a turn.")
]


@app.command(epilog="Example: tkid suggest winter.tkid --most 5")
def suggest(
    file: game_source.Source,
    player: PlayerOption = USUAL,
    thought: ThoughtOption = THOUGHT,
    most: Annotated[int, Option(min=1, max=20, help="How many turns to list.")] = MOST,
    seat: game_source.Viewer = "",
    alone: Annotated[bool, Option("--alone", help="Say that you play this game by yourself.")] = False,
    as_json: Annotated[bool, Option("--json", help="Print one JSON object for each turn.")] = False,
) -> None:
    """Suggest good turns, each with a reason. The program uses only what the next player knows."""
    game, position, names, *_, early, replay = game_source.load_situation(file, seat)
    if early is not None or position.to_act is None:
        over = summarize_end(early, names) if early is not None else f"The game is over ({position.ending})."
        typer.echo(f"{over} There is no turn to suggest.", err=as_json)
        return
    if not alone and replay is not None:
        _refuse_advice(file, replay)
    whose = f"It is {names[position.to_act]}'s turn"
    asked = game_source.seat_of(names, seat) if seat else position.to_act
    if asked != position.to_act:
        listed = f"Without --seat, turns of {names[position.to_act]} are listed."
        printing.fail(f"{whose}, not {names[asked]}'s. {listed}", printing.WRONG)
    if HIDDEN in position.hands[position.to_act]:
        printing.fail(f"{whose}, and their cards are hidden in {file}.", printing.WRONG)
    view = game.view(position, position.to_act)
    thinker = _find_player(game, player)
    try:
        with printing.show_waiting(f"Looking at up to {thought:,} positions"), stop_on_engine_error():
            choices = thinker.list_best_turns(view, thought, most)
    except ValueError as error:
        printing.fail(f"{file}: {error}. Is the file complete? Lines may be missing at its end.", printing.WRONG)
    won = any(choice.proven and choice.value == 1 for choice in choices)
    for number, choice in enumerate(choices, 1):
        reason = _explain_turn(game, view, choice.turn)
        if as_json:
            printing.print_json(_as_json(game, names, choice, format_reason(reason, names), player, thought))
            continue
        chance = _describe_chance(choice, player, won=won)
        typer.echo(f"{number}. {format_turn(game, names, choice.turn)}")
        printing.print_paragraph(f"   {chance}: {format_reason(reason, names, position.to_act)}", "   ")


def _describe_chance(choice: Choice, player: str, *, won: bool) -> str:
    if choice.proven:
        if choice.value == 1:
            return "a sure win, proven"
        return "a draw, proven" if choice.value else "no longer a win, proven"
    if won:  # beside a sure win nobody looked closely at the others
        return "not proven"
    if player.casefold() == BY_LOT:
        return "at random"
    return "no clear estimate" if choice.unsure else f"about {choice.value:.0%}"


def _explain_turn(game: AnyGame, view: AnyView, turn: Turn) -> str:
    from tkid.bots.player import apply_turn
    from tkid.bots.plugin import find_judge

    return find_judge(game).explain_turn(view.shown, turn, apply_turn(game, view.shown, turn))


def _as_json(
    game: AnyGame, names: Sequence[str], choice: Choice, reason: str, player: str, thought: int
) -> dict[str, object]:
    return {
        "turn": format_turn(game, names, choice.turn),
        "value": round(choice.value, 4),
        "proven": choice.proven,
        "reason": reason,
        "line": [format_turn(game, names, turn) for turn in choice.line],
        "player": player,
        "thought": thought,
    }


def format_turn(game: AnyGame, names: Sequence[str], turn: Turn) -> str:
    return fill_names(game.words.write_turn(turn), names)


def format_reason(reason: str, names: Sequence[str], reader: int | None = None) -> str:
    return fill_names(reason if reader is None else _replace_phrases(SAID, reason, reader), names)


def _replace_phrases(words: Sequence[tuple[str, str]], reason: str, seat: int) -> str:
    for said, instead in words:
        reason = re.sub(said % seat, instead, reason)
    return reason


def _find_player(game: AnyGame, name: str) -> Player:
    from tkid.bots.roster import COMMAND, find_player

    try:
        return find_player(game, name if name.startswith(COMMAND) else name.casefold())
    except LookupError as error:
        printing.fail(f"{error.args[0].capitalize()}.")


@contextmanager
def stop_on_engine_error(outcome: str = "") -> Iterator[None]:
    """End the command, with its outcome, if another program that plays has failed."""
    from tkid.bots.player import EngineError

    try:
        yield
    except EngineError as error:
        printing.fail(f"{error} {outcome}".strip(), printing.WRONG)


@cites("post.bot.fair")
def _refuse_advice(file: str, replay: Replay) -> None:
    bots = find_bot_seats(replay.record)
    people = [seat for number, seat in enumerate(replay.record.seats) if number not in bots]
    if len(people) > 1 and any(seat.address for seat in people) and not is_over(replay):
        printing.fail(
            f"{len(people)} people play {file} by mail, and the game isn't over. Asking a program would not be fair. "
            "[post.bot.fair] If you play it by yourself, add --alone.",
            printing.WRONG,
        )


def bots_of(players: Sequence[str], wanted: Sequence[str]) -> Mapping[int, BotSeat]:
    """Return the programs of `--bot`: NAME, NAME=PLAYER or NAME=PLAYER:THOUGHT. Any other text ends the command."""
    from tkid.bots.roster import COMMAND, PLAYERS

    names = [player.partition("<")[0].strip() for player in players]
    found = {}
    for asked in wanted:
        name, _, how = asked.partition("=") if not asked.startswith(COMMAND) else (names[-1], "", asked)
        chosen, _, thought = how.casefold().partition(":")
        command = how.removeprefix(COMMAND) if how.startswith(COMMAND) else ""
        if command:
            chosen, thought = ENGINE, ""
        elif (chosen or USUAL) not in PLAYERS:
            printing.fail(f"There is no player {chosen}. Programs play as {', '.join(PLAYERS)}, or cmd:PROGRAM.")
        if thought and not (thought.isascii() and thought.isdigit() and 0 < int(thought) <= ENOUGH):
            way = f"Write it like this: --bot {name}={chosen}:1000."
            printing.fail(f"`{thought}` is not a number of positions from 1 to {ENOUGH:,}. {way}")
        seat = game_source.seat_of(names, name.strip(), _suggest_bot_option(names, name.strip()))
        if seat in found:
            printing.fail(f"{names[seat]} is played by a program already. Name each program once. Nothing was written.")
        found[seat] = BotSeat(chosen or USUAL, int(thought or THOUGHT), command)
    return found


def _suggest_bot_option(names: Sequence[str], name: str) -> str:
    from tkid.bots.roster import PLAYERS

    for player in names:
        how = re.match(rf"{re.escape(player)}[\s:]+(\w+)(?:[\s:]+(\d+))?$", name, re.IGNORECASE)
        if how and how[1].casefold() in PLAYERS:
            way = ":".join(filter(None, how.groups())).casefold()
            return f"Write `--bot {printing.as_typed(f'{player}={way}')}`."
    if alike := get_close_matches(name.casefold(), [each.casefold() for each in names], 1):
        meant = next(each for each in names if each.casefold() == alike[0])
        return f"Did you mean `--bot {meant}`?"
    if name.casefold() in PLAYERS and names:
        return f"`{name}` is a way to play. Say who plays so: `--bot {names[-1]}={name.casefold()}`."
    return f"Name the program among the players too, as in `tkid new FILE {' '.join(names)} {name} --bot {name}`."


def let_programs_play(file: Path, replay: Replay) -> Replay:
    """Let programs play until a person is to act. Each turn is in the file before it is printed with its reason.

    At Ctrl-C, or if the file cannot be written, the command ends and says how to go on. Nobody else may write it meanwhile.
    """
    bots = find_bot_seats(replay.record)
    if not bots:
        return replay

    from tkid.cli.turn_input import with_passes

    names = replay.record.names
    engines: dict[int, Player] = {}
    while (seat := replay.position.to_act) is not None and seat in bots and not is_over(replay):
        left = f"{names[seat]} has not played. To continue: `tkid play {printing.as_typed(file)}`"
        with printing.show_waiting(f"{names[seat]} is thinking", f"Stopped. {left}."), stop_on_engine_error(f"{left}."):
            engines[seat] = engines.get(seat) or _seat_player(file, replay, bots[seat])
            played, why = _play_bot_turn(engines[seat], bots[seat].thought, replay)
        after = with_passes(played)
        with printing.stop_on_os_error(left):
            game_source.write_game(file, after)
        game_source.note_answered(file, replay, after)
        printing.print_turns([played.last], played.record)
        printing.print_paragraph(f"   {why}", "   ")
        printing.print_turns(after.moments[len(played.moments) :], after.record)
        replay = after
    return replay


def _seat_player(file: Path, replay: Replay, bot: BotSeat) -> Player:
    """Return the player of the seat to act; another program only if its command was named on this computer."""
    if bot.player != ENGINE:
        return _find_player(replay.record.game, bot.player)
    name = replay.record.names[replay.position.to_act or 0]
    known = game_source.find_engine(file, name)
    if known is None:
        way = f"`tkid play {printing.as_typed(file)} --bot {printing.as_typed(f'{name}=cmd:PROGRAM')}`"
        whose = f"Another program plays {name}, and a game file doesn't name its command"
        printing.fail(f"{whose}. To name it and go on: {way}.")
    from tkid.bots.engine import Engine

    return Engine(replay.record.game, *known)


def _play_bot_turn(player: Player, thought: int, replay: Replay) -> tuple[Replay, str]:
    game, names, seat = replay.record.game, replay.record.names, replay.position.to_act
    assert seat is not None
    view = game.view(replay.position, seat)
    turn = player.choose(view, thought)
    why = format_reason(_replace_phrases(OF_ITSELF, _explain_turn(game, view, turn), seat), names)
    return append(replay, format_turn(game, names, turn)), f"{names[seat]} {why}."


@app.command(epilog="Example: tkid annotate winter.tkid -o annotated.tkid")
def annotate(
    files: archives.Files,
    output: Annotated[
        Path | None, Option("--output", "-o", help="The file to write. Default: standard output.")
    ] = None,
    player: PlayerOption = USUAL,
    thought: ThoughtOption = 300,
    alone: Annotated[bool, Option("--alone", help="Say that you play this game by yourself.")] = False,
    resume: archives.ResumeOption = False,
    jobs: archives.JobsOption = 0,
    on: archives.OnOption = "",
) -> None:
    """Annotate a game file with what each turn was worth. Also names turning points and missed wins.

    For more than one game, it writes lines of JSON, which `tkid check` and the other commands read as an archive.
    """
    if archives.are_many(files):
        work = partial(annotate_source, player=player, thought=thought, alone=alone)
        write = partial(archives.write_lines, archive=True, resume=resume, jobs=jobs, on=on, slow=True)
        raise typer.Exit(write(work, files, output, "record"))
    from tkid.bots.annotation import MISSED, TURNING
    from tkid.record.play.writer import write_record

    file, whole = files[0], game_source.load(files[0])
    check_output(output, file, record=whole.record)
    if reason := _find_bar(whole):
        printing.fail(f"{file}: {reason}", printing.WRONG)
    if not alone:
        _refuse_advice(file, whole)
    shows = printing.show_progress("positions judged", len(whole.moments), stopped=printing.UNWRITTEN)
    with shows as shown, stop_on_engine_error("Nothing was written."):
        record = _annotate(whole, player, thought, shown.count_step)
    print_or_write(write_record(record), output, private=whole.record.game.secret)
    if output is not None:
        said = [comment for turn in record.turns for comment in turn.comments]
        turning, missed = (sum(each.startswith(mark) for each in said) for mark in (TURNING, MISSED))
        found = f"{count_noun(turning, 'turning point', 'no')}, {count_noun(missed, 'missed win', 'no')}"
        typer.echo(f"{output}: {count_noun(len(record.turns), 'turn')} judged; {found}.")


def annotate_source(source: archives.Source, player: str, thought: int, *, alone: bool) -> archives.GameLines:
    """Write into a game what each turn was worth. Raises UnusableError if cards are hidden, or, unless `alone`, it is not over."""
    from tkid.bots.player import EngineError
    from tkid.record.play.writer import write_record

    whole = archives.play_source(source)
    if reason := _find_bar(whole) or ("" if alone or is_over(whole) else "the game is not over"):
        raise archives.UnusableError(reason)
    try:
        record = _annotate(whole, player, thought, lambda: None)
    except EngineError as error:
        raise archives.UnusableError(str(error)) from None
    return archives.GameLines(source.name, [{"record": write_record(record)}])


def _find_bar(whole: Replay) -> str:
    if whole.record.game.secret and not is_over(whole):
        return "cards are still secret. Annotate the game when it is over. [post.bot.fair]"
    if any(not each.ending for each in whole.unproven):
        return "cards are hidden that were played. Annotate the whole file, as `tkid open` makes it."
    return ""


def _annotate(whole: Replay, player: str, thought: int, count_step: Callable[[], None]) -> Record:
    from tkid.bots.annotation import annotate_record
    from tkid.bots.plugin import find_judge

    game = whole.record.game
    return annotate_record(whole, _find_player(game, player), find_judge(game), thought, count_step)


@app.command(epilog="Example: tkid engine --player greedy")
def engine(
    player: Annotated[str, printing.offer(*PLAYERS)("--player", help="The player: random, greedy or search.")] = USUAL,
    thought: ThoughtOption = THOUGHT,
) -> None:
    """Let one of tkid's players speak the engine protocol. It reads and writes lines of JSON."""
    from tkid.bots.engine import Server
    from tkid.bots.roster import PLAYERS
    from tkid.bots.roster import find_player as find

    if player.casefold() not in PLAYERS:
        printing.fail(f"There is no player {player}. Programs play as {', '.join(PLAYERS)}.")
    Server(player.casefold(), thought, find, printing.print_json).serve(sys.stdin.buffer)
