"""Commands for fair play: seal, verify."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tkid.cli.support import WRONG, fail
from tkid.cli.support.printing import print_paragraph, print_problems
from tkid.cli.support.sources import load_bytes, play_through

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tkid.record.fairplay.proof import Fact

BYTES = 32
"""How many bytes of entropy a game is dealt from."""

app = typer.Typer()


def entropy_of(typed: str) -> bytes:
    """The entropy that somebody typed, or new entropy; or the end of the command."""
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
    entropy: Annotated[
        str, typer.Option(help="Print the seal of these 64 hex digits instead of drawing new ones.")
    ] = "",
) -> None:
    """Draw the random numbers for a deal, and print their seal. Publish the seal before the players send their words."""
    from tkid.record.format.seal import seal_of

    drawn = entropy_of(entropy)
    value = seal_of(drawn).hex()
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
    file: Annotated[str, typer.Argument(help="The game file, with its entropy opened. - reads standard input.")],
) -> None:
    """Prove that a game was dealt and played right. Lists what is not proven, and what no file can prove.

    If the game was dealt without a dealer, the file of the deal has to be beside it. The exit code is 0 if the whole deal, every hand and every play are proven. It is 1 if something is not proven or is contradicted.
    """
    from pathlib import Path

    from tkid.cli.letters.beside import deal_beside, dealt_together, note_no_deal
    from tkid.record.fairplay.proof import prove

    data = load_bytes(file)
    played = play_through(file, data)
    deal = deal_beside(file)
    if deal is None:
        together = dealt_together(Path(file), played.record)
        if together:
            note_no_deal(Path(file), played.record, "nothing of the deal was checked")
        proof = prove(played, together=together)
    else:
        from tkid.cli.support.progress import progress
        from tkid.record.locked.audit import audit

        with progress("parts of the deal checked") as shown:
            proof = audit(played, deal, shown.step)
    if proof.contradicted:
        typer.echo("Contradicted:")
        print_problems(file, data, proof.contradicted, err=False, every=True)
    _print_facts("Proven:", proof.proven)
    _print_facts("Not proven:", proof.unproven)
    _print_facts("No file can prove this. Compare with your mails:", proof.unprovable)
    raise typer.Exit(0 if proof.complete else WRONG)


def _print_facts(title: str, facts: Sequence[Fact]) -> None:
    """Print facts with their rules below a title, or nothing where there are none."""
    if facts:
        typer.echo(title)
    for fact in facts:
        print_paragraph(f"- {fact.text} [{fact.rule}]", "  ")
