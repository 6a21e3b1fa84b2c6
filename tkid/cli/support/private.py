"""What a player is told of a file that is private: on Windows no mode protects it."""

from __future__ import annotations

from pathlib import Path

import typer

from tkid import files


def tell_protection(file: Path) -> None:
    """Where files have no modes, say what protects a private file that was just written."""
    if not files.HAS_MODES:
        way = "Only the permissions of its folder protect it: keep it in a folder that others cannot open."
        typer.echo(f"{file} is private. {way}", err=True)
