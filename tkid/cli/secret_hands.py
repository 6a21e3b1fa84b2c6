"""Commands for games with secret hands: view, open."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tkid.cli.support import WRONG, as_typed, fail
from tkid.cli.support.outputs import check_output, print_or_write
from tkid.cli.support.own_files import note_sent
from tkid.cli.support.printing import print_problems
from tkid.cli.support.private import tell_protection
from tkid.cli.support.seats import seat_of
from tkid.cli.support.sources import load, open_to_change, play_through
from tkid.notation.vocabulary import listed
from tkid.rulebook import cites

if TYPE_CHECKING:
    from tkid.record.fairplay.opening import Revealed
    from tkid.record.play.replay import Replay

app = typer.Typer()


Output = Annotated[Path | None, typer.Option("--output", "-o", help="The file to write.")]


@app.command(epilog="Example: tkid view winter.tkid --seat Ann -o ann.tkid")
def view(
    file: Annotated[str, typer.Argument(help="The game file with all hands.")],
    seat: Annotated[str, typer.Option(help="The player it is for: name or number. Without it, a spectator.")] = "",
    output: Output = None,
) -> None:
    """Make the game file for one player. It has that player's hand, and `?` for the others'. Without -o it is printed.

    In a basic game everybody has the whole file. Anybody can work out the hands from its turns; the ruling `hidden` only
    stops tkid from showing them.
    """
    from tkid.record.play.views import seen
    from tkid.record.play.writer import write_record

    replay = load(file)
    viewer = seat_of(replay.record.names, seat) if seat else None
    shown = seen(replay, viewer)
    text = write_record(shown.record, shown)
    check_output(output, file, record=shown.record)
    print_or_write(text, output, private=replay.record.game.secret and viewer is not None)
    note_sent(file)
    if output is None:
        return
    whom = replay.record.names[viewer] if viewer is not None else "a spectator"
    typer.echo(f"{output}: what {whom} may know.{_all_there_is(replay)}{_silent(file, replay)}")


def _all_there_is(replay: Replay) -> str:
    """Explains why a player's file is the whole record."""
    if replay.record.game.covered:
        return (
            " This is the whole file. Anybody can work out the hands from its turns; `hidden` only stops tkid from "
            "showing them."
        )
    return "" if replay.record.game.secret else " This game has no secrets, so this is the whole file."


def _silent(file: str, replay: Replay) -> str:
    """Explains why a program does not answer in a player's file."""
    from tkid.record.format.bot_seats import bot_seats

    names = [replay.record.names[seat] for seat in bot_seats(replay.record)]
    if not names or not replay.record.game.secret:
        return ""
    return f" {listed(names, 'and')} cannot answer there, because the cards are missing: play in {file}."


@app.command("open", epilog="Example: tkid open ann.tkid bob.tkid")
def open_hands(
    file: Annotated[Path, typer.Argument(help="The game file with hidden hands.", readable=False)],
    others: Annotated[list[str] | None, typer.Argument(help="The other players' files of the same game.")] = None,
    hand: Annotated[list[str] | None, typer.Option(help='A revealed hand: "NAME=CARD, CARD, …".')] = None,
    output: Output = None,
) -> None:
    """Add the hands that the other players reveal. Every play is checked again. Contradictions change nothing."""
    from tkid.cli.support.files import write_atomically
    from tkid.record.fairplay.opening import OpeningError, opened, revealed_by
    from tkid.record.play.writer import write_record

    _check_dealer(file)
    if not others and not hand:
        fail('Nothing to open. Name the other players\' game files, or write --hand "NAME=CARD, CARD, …".')
    if output is not None:
        check_output(output, file, *(others or ()), record=load(file).record)
    theirs = {name: load(name) for name in others or ()}
    try:
        with open_to_change(file, "Nothing was opened") as data:
            mine = play_through(file, data)
            revealed = [_read_hand(mine, text) for text in hand or ()]
            revealed += [each for name, other in theirs.items() for each in revealed_by(mine, other, name)]
            replay = opened(mine, revealed, [other.record for other in theirs.values()])
            if replay.problems:
                print_problems(str(file), data, replay.problems)
                fail("Nothing was opened. With these hands, the game file would be wrong.", WRONG)
            target = output or file
            is_new = not target.exists()
            write_atomically(target, write_record(replay.record, replay), private=is_new)
            if is_new:
                tell_protection(target)
    except OpeningError as error:
        for message in error.messages:
            typer.echo(message, err=True)
        fail("Nothing was opened.", WRONG)
    _print_opened(target, mine, replay)


@cites("record.opening")
def _check_dealer(file: Path) -> None:
    """End the command where the players dealt together: there the seeds open the hands."""
    from tkid.cli.letters.beside import SEEDS, dealt_together

    if file.exists() and dealt_together(file, load(file).record):
        opens = f"The first letter after the end opens your seed: `tkid letter write {as_typed(file)} --to all -o FILE`"
        fail(f"You dealt this game together, so seeds open the hands. {opens}. Nothing was opened. {SEEDS}", WRONG)


def _read_hand(mine: Replay, text: str) -> Revealed:
    """A hand as it was typed: `NAME=CARD, CARD`."""
    from tkid.record.fairplay.opening import Revealed
    from tkid.record.plugin import record_plugin

    name, equals, cards = text.partition("=")
    if not equals:
        fail(f'--hand {text}: write it as "NAME=CARD, CARD, …".')
    seat = seat_of(mine.record.names, name.strip())
    game = mine.record.game
    hand, problems = record_plugin(game).setup_reader(game, (), [cards]).read_hand()
    if problems:
        print_problems("--hand", cards, problems)
        fail("Nothing was opened.", WRONG)
    return Revealed(seat, hand, "--hand")


def _print_opened(file: Path, mine: Replay, replay: Replay) -> None:
    """Print which hands were opened, what that shows, and which are hidden still."""
    from tkid.notation.vocabulary import listed
    from tkid.record.fairplay.opening import unopened
    from tkid.record.plugin import record_plugin

    names = replay.record.names
    before, left = unopened(mine.record), unopened(replay.record)
    new = [names[seat] for seat in before if seat not in left]
    typer.echo(f"{file}: opened {listed(new, 'and')}." if new else f"{file}: you knew these hands already.")
    if left:
        typer.echo(f"Still hidden: {listed([names[seat] for seat in left], 'and')}.")
    else:
        game = replay.record.game
        typer.echo(f"Every player really had the cards they played. [{game.ids(record_plugin(game).rules.hand)}]")
