"""Commands for fair play: seal, verify, view, open."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

from tkid.cli import archives, game_source
from tkid.cli.files import check_output, print_or_write, tell_protection
from tkid.cli.printing import WRONG, as_typed, fail, print_paragraph, print_problems, show_progress
from tkid.notation.names import list_names
from tkid.record.format.model import find_bot_seats
from tkid.record.format.plugin import find_record_plugin
from tkid.record.format.seal import BYTES, compute_seal
from tkid.record.play.replay import Replay
from tkid.rulebook import cites

if TYPE_CHECKING:
    from tkid.record.proof import Fact, Proof, Revealed

app = typer.Typer()


Output = Annotated[Path | None, Option("--output", "-o", help="The file to write.")]


@app.command(epilog="Example: tkid view winter.tkid --seat Ann -o ann.tkid")
def view(
    file: Annotated[str, Argument(help="The game file with all hands.")],
    seat: Annotated[
        str, game_source.player_option(help="The player it is for: name or number. Without it, a spectator.")
    ] = "",
    output: Output = None,
) -> None:
    """Make the game file for one player. It has that player's hand, and `?` for the others'. Without -o it is printed.

    In a basic game everybody has the whole file. Anybody can work out the hands from its turns; the ruling `hidden` only
    stops tkid from showing them.
    """
    from tkid.record.play.views import hide_secrets
    from tkid.record.play.writer import write_record

    replay = game_source.load(file)
    viewer = game_source.seat_of(replay.record.names, seat) if seat else None
    shown = hide_secrets(replay, viewer)
    text = write_record(shown.record, shown)
    check_output(output, file, record=shown.record)
    print_or_write(text, output, private=replay.record.game.secret and viewer is not None)
    game_source.note_sent(file)
    if output is None:
        return
    whom = replay.record.names[viewer] if viewer is not None else "a spectator"
    typer.echo(f"{output}: what {whom} may know.{_explain_whole_file(replay)}{_explain_silent_bots(file, replay)}")


def _explain_whole_file(replay: Replay) -> str:
    if replay.record.game.covered:
        return (
            " This is the whole file. Anybody can work out the hands from its turns; `hidden` only stops tkid from "
            "showing them."
        )
    return "" if replay.record.game.secret else " This game has no secrets, so this is the whole file."


def _explain_silent_bots(file: str, replay: Replay) -> str:
    names = [replay.record.names[seat] for seat in find_bot_seats(replay.record)]
    if not names or not replay.record.game.secret:
        return ""
    return f" {list_names(names, 'and')} cannot answer there, because the cards are missing: play in {file}."


@app.command("open", epilog="Example: tkid open ann.tkid bob.tkid")
def open_hands(
    file: Annotated[Path, Argument(help="The game file with hidden hands.", readable=False)],
    others: Annotated[list[str] | None, Argument(help="The other players' files of the same game.")] = None,
    hand: Annotated[list[str] | None, Option(help='A revealed hand: "NAME=CARD, CARD, …".')] = None,
    output: Output = None,
) -> None:
    """Add the hands that the other players reveal. Checks every play again. If a hand contradicts the game, nothing changes."""
    from tkid.record.proof import OpeningError, add_revealed_hands, list_revealed_hands

    _check_dealer(file)
    if not others and not hand:
        fail('Nothing to open. Name the other players\' game files, or write --hand "NAME=CARD, CARD, …".')
    theirs = {name: game_source.load(name) for name in others or ()}
    try:
        with game_source.open_to_change(file, "Nothing was opened") as data:
            mine = game_source.play_through(file, data)
            revealed = [_read_hand(mine, text) for text in hand or ()]
            revealed += [each for name, other in theirs.items() for each in list_revealed_hands(mine, other, name)]
            replay = add_revealed_hands(mine, revealed, [other.record for other in theirs.values()])
            if replay.problems:
                print_problems(str(file), data, replay.problems)
                fail("Nothing was opened. With these hands, the game file would be wrong.", WRONG)
            check_output(output, file, *(others or ()), record=replay.record)
            target = output or file
            is_new = not target.exists()
            game_source.write_game(target, replay, private=is_new)
            if is_new:
                tell_protection(target)
    except OpeningError as error:
        for message in error.args:
            typer.echo(message, err=True)
        fail("Nothing was opened.", WRONG)
    _print_opened(target, mine, replay)


@cites("record.opening")
def _check_dealer(file: Path) -> None:
    from tkid.cli.deal_file import SEEDS, is_dealt_together

    if file.exists() and is_dealt_together(file, game_source.load(file).record):
        opens = f"The first letter after the end opens your seed: `tkid letter write {as_typed(file)} --to all -o FILE`"
        fail(f"You dealt this game together, so seeds open the hands. {opens}. Nothing was opened. {SEEDS}", WRONG)


def _read_hand(mine: Replay, text: str) -> Revealed:
    from tkid.record.proof import Revealed

    name, equals, cards = text.partition("=")
    if not equals:
        fail(f'--hand {text}: write it as "NAME=CARD, CARD, …".')
    seat = game_source.seat_of(mine.record.names, name.strip())
    game = mine.record.game
    hand, problems = find_record_plugin(game).setup_reader(game, (), [cards]).read_hand()
    if problems:
        print_problems("--hand", cards, problems)
        fail("Nothing was opened.", WRONG)
    return Revealed(seat, hand, "--hand")


def _print_opened(file: Path, mine: Replay, replay: Replay) -> None:
    from tkid.record.proof import count_hidden_cards

    names = replay.record.names
    before, left = count_hidden_cards(mine.record), count_hidden_cards(replay.record)
    new = [names[seat] for seat in before if seat not in left]
    typer.echo(f"{file}: opened {list_names(new, 'and')}." if new else f"{file}: your file already has these hands.")
    if left:
        typer.echo(f"Still hidden: {list_names([names[seat] for seat in left], 'and')}.")
    else:
        game = replay.record.game
        typer.echo(f"Every player really had the cards they played. [{game.ids(find_record_plugin(game).rules.hand)}]")


def entropy_of(typed: str) -> bytes:
    """Return the typed entropy, or new entropy if none was typed. Unreadable entropy ends the command."""
    import secrets

    if not typed:
        return secrets.token_bytes(BYTES)
    try:
        entropy = bytes.fromhex(typed)
    except ValueError:
        fail(f"--entropy {typed}: write hex digits (0 to 9, a to f).")
    if len(entropy) != BYTES:
        fail(f"--entropy has {len(entropy) * 2} hex digits; {BYTES * 2} are needed.")
    return entropy


@app.command(epilog="Example: tkid seal")
def seal(
    entropy: Annotated[str, Option(help="Print the seal of these 64 hex digits instead of drawing new ones.")] = "",
) -> None:
    """Draw the random numbers for a deal, and print their seal. Publish the seal before the players send their words."""
    drawn = entropy_of(entropy)
    value = compute_seal(drawn).hex()
    if entropy:
        typer.echo(f"Seal: sha256:{value}")
        return
    typer.echo(f"Entropy: {drawn.hex()}")
    print_paragraph("  Keep this secret until the game is over. It reveals the deal.", "  ")
    typer.echo(f"Seal: sha256:{value}")
    print_paragraph("  Publish this in the invitation, and ask each player to reply with some words.", "  ")
    print_paragraph("When you have the words, deal the game:")
    typer.echo(f'  tkid new FILE NAME… --entropy {drawn.hex()} --word "NAME=TEXT" …')


@app.command(epilog="Example: tkid verify winter.tkid")
def verify(
    files: archives.Files,
    as_lines: archives.LinesOption = False,
    output: archives.LinesFile = None,
    resume: archives.ResumeOption = False,
    jobs: archives.JobsOption = 0,
    on: archives.OnOption = "",
) -> None:
    """Prove that a game was dealt and played by the rules. Lists what is not proven, and what no file can prove.

    The file needs its entropy opened. If the game was dealt without a dealer, the file of the deal has to be beside it. The exit code is 0 if the whole deal, every hand and every play are proven. It is 1 if something is not proven or is contradicted. For more than one game, give --jsonl.
    """
    if as_lines or output or archives.are_many(files, as_lines=False):
        if not (as_lines or output):
            fail(f"{files[0]}: several games need --jsonl.")
        raise typer.Exit(archives.write_lines(prove_source, files, output, "complete", resume=resume, jobs=jobs, on=on))
    file, data = files[0], game_source.load_bytes(files[0])
    with show_progress("parts of the deal checked") as shown:
        proof = _prove(file, game_source.play_through(file, data), shown.count_step)
    if proof.contradicted:
        typer.echo("Contradicted:")
        print_problems(file, data, proof.contradicted, err=False, every=True)
    _print_facts("Proven:", proof.proven)
    _print_facts("Not proven:", proof.unproven)
    _print_facts("No file can prove this. Compare with your mails:", proof.unprovable)
    raise typer.Exit(0 if proof.complete else WRONG)


def prove_source(source: archives.Source) -> archives.GameLines:
    proof = _prove(source.name, archives.play_source(source), lambda: None)
    row: dict[str, Any] = {"complete": proof.complete}
    row["contradicted"] = [{"line": each.line, "text": each.told, "rule": each.rule} for each in proof.contradicted]
    for name, facts in (("proven", proof.proven), ("unproven", proof.unproven), ("unprovable", proof.unprovable)):
        row[name] = [{"text": each.text, "rule": each.rule} for each in facts]
    return archives.GameLines(source.name, [row], 0 if proof.complete else WRONG)


def _prove(file: str, played: Replay, count_step: Callable[[], None]) -> Proof:
    from tkid.cli.deal_file import deal_beside, is_dealt_together, note_no_deal
    from tkid.record.proof import prove

    deal = deal_beside(file)
    if deal is not None:
        from tkid.record.locked_audit import verify_locked_game

        return verify_locked_game(played, deal, count_step)
    together = is_dealt_together(Path(file), played.record)
    if together:
        note_no_deal(Path(file), played.record, "nothing of the deal was checked")
    return prove(played, together=together)


def _print_facts(title: str, facts: Sequence[Fact]) -> None:
    if facts:
        typer.echo(title)
    for fact in facts:
        print_paragraph(f"- {fact.text} [{fact.rule}]", "  ")
