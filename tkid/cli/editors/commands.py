"""Commands for editors: lsp."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tkid.cli.support import fail
from tkid.cli.support.seats import seat_of
from tkid.cli.support.sources import reader_of

if TYPE_CHECKING:
    from tkid.kernel.game import Position
    from tkid.record.play.replay import Replay

NEEDED = ("pygls", "lsprotocol")

app = typer.Typer()


@app.command(epilog="Example: tkid lsp")
def lsp(
    stdio: Annotated[  # noqa: ARG001 - some editors always add it, and there is no other way
        bool, typer.Option("--stdio", help="Use standard input and output. This is always so.")
    ] = False,
) -> None:
    """Serve an editor: problems, rules, legal turns, pictures. Your editor starts it, for files that end in .tkid."""
    try:
        from tkid.lsp.server import serve
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in NEEDED:
            raise
        fail("The language server needs pygls. Install it with: pip install 'tkid[editor]'")
    serve(owners_view)


def owners_view(path: str, replay: Replay, position: Position) -> int | None:
    """The view that `tkid show` and `tkid render` give of a file: its owner's, or the next player's.

    Where they end with a complaint about who the owner is, or no file can have this path, a spectator's.
    """
    try:
        seat = reader_of(path, replay, position)
    except (typer.Exit, ValueError):
        return None
    return seat_of(replay.record.names, seat) if seat else position.to_act
