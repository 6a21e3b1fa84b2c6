"""Who can read a private file: its mode decides, but on Windows the permissions of its folder."""

from __future__ import annotations

import os
from pathlib import Path

import typer

HAS_MODES = os.name == "posix"
OTHERS = 0o077
"""The rights of everybody but the owner."""


def others_read(file: Path) -> bool:
    """Whether the mode of a file lets others read it; False where files have no modes. Raises OSError."""
    return HAS_MODES and bool(file.stat().st_mode & OTHERS)


def tell_protection(file: Path) -> None:
    """Where files have no modes, say what protects a private file that was just written."""
    if not HAS_MODES:
        way = "Only the permissions of its folder protect it: keep it in a folder that others cannot open."
        typer.echo(f"{file} is private. {way}", err=True)
