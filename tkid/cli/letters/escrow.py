"""The commands with which a friend who does not play keeps a player's seed: letter escrow-key, letter escrow, letter escrow-open."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tkid.cli.letters.beside import check_seed, deal_beside
from tkid.cli.letters.kept import BYTES, KEY, SEED
from tkid.cli.support import DEAL, GAME, WRONG, fail, stop_on_os_error
from tkid.cli.support.files import read_bytes
from tkid.cli.support.mails import mail_bytes
from tkid.cli.support.outputs import SEALED, check_apart, check_output, print_or_write
from tkid.cli.support.printing import print_paragraph
from tkid.cli.support.seats import seat_of
from tkid.cli.support.sources import create_record

NOTHING = "Nothing was written."
KeyFile = Annotated[Path, typer.Argument(help="Your file for the key, such as eve.key.", metavar="KEYFILE")]


def escrow_key(file: KeyFile) -> None:
    """Make a key to keep friends' sealed seeds. Send the word that is printed to your friends.

    Do this only for games that you do not play in: when you open a seed, you see that hand. If the file exists, its word is printed again.
    """
    import secrets

    from tkid.cli.letters.deal import check_library
    from tkid.record.locked.escrow import public_key

    check_library()
    if not KEY.file(file).exists():
        with stop_on_os_error("Nothing was written"):
            KEY.keep(file, file.stem, secrets.token_bytes(BYTES))
        print_paragraph(
            f"Your key is in {KEY.file(file)}. Keep it secret, and make a copy. Send this word to the player:"
        )
    _, secret = KEY.read(file)
    typer.echo(public_key(secret))


def escrow(
    file: Annotated[Path, typer.Argument(help="Your own file of the game or of its deal.")],
    key: Annotated[str, typer.Argument(help="The word that `tkid letter escrow-key` has printed for your friend.")],
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write the sealed seed to this file.")] = None,
) -> None:
    """Seal your seed to a friend's key. Only the friend can open it, if you lose your file or somebody takes over your seat."""
    from tkid.cli.letters.deal import LOCKED, check_library
    from tkid.record.locked.escrow import sealed
    from tkid.record.locked.group import InvalidError

    check_library()
    own = SEED.file(file)
    check_output(output, file, again=SEALED)
    name, seed = SEED.read(file)
    deal = deal_beside(str(file))
    if deal is None or not LOCKED.is_complete(deal):
        fail(f"{file.with_suffix(DEAL)} is not a finished deal. Seal the seed when all cards are dealt. {NOTHING}")
    check_seed(file.with_suffix(DEAL), deal, seat_of(deal.names, name), seed, f" {NOTHING}")
    try:
        text = sealed(read_bytes(own).decode(), name, key)
    except InvalidError:
        fail(f"{key} is not a whole key. Copy the word that `tkid letter escrow-key` has printed. {NOTHING}")
    print_or_write(text, output)
    if output is not None:
        print_paragraph(
            f"{output} has your sealed seed. Send it to your friend, who does not play: with it they can see your hand."
        )


def escrow_open(
    letter: Annotated[str, typer.Argument(help="The text with the sealed seed. - reads standard input.")],
    key: Annotated[Path, typer.Option("--key", help="Your file for the key, such as eve.key.", metavar="KEYFILE")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The new file for the seed, such as winter.seed.")],
) -> None:
    """Open a seed that was sealed to your key. Its player has lost it, or somebody takes over the seat."""
    from tkid.cli.letters.deal import LOCKED, check_library
    from tkid.record.locked.escrow import unsealed
    from tkid.record.locked.group import InvalidError

    check_library()
    check_apart(output, key, letter, output.with_suffix(DEAL), output.with_suffix(GAME))
    _, secret = KEY.read(key)
    try:
        text = unsealed(mail_bytes(letter).decode("utf-8", "replace"), secret)
    except InvalidError as error:
        fail(f"{letter} {error}. {NOTHING}", WRONG)
    name, seed = SEED.parsed(text)
    if not seed:
        fail(f"{letter} has something else than a seed. {NOTHING}", WRONG)
    deal = deal_beside(str(output))
    if deal is not None and (name not in deal.names or LOCKED.mismatch(deal, deal.names.index(name), seed) != ("", "")):
        fail(
            f"{letter} has the seed of another game than {output.with_suffix(DEAL)}. {NOTHING} [record.deal.seed]",
            WRONG,
        )
    create_record(output, text, private=True)
    print_paragraph(
        f"{output} has the seed of {name}. Whoever has it can see that hand. It belongs beside {output.with_suffix(GAME)} "
        f"and {output.with_suffix(DEAL)}."
    )
