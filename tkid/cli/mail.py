"""Commands for e-mail: mail read."""

from __future__ import annotations

import typer

app = typer.Typer(help="Play by e-mail.", no_args_is_help=True)
