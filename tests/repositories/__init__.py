"""Tests of what other repositories use of this one: the hooks for pre-commit and the Action; and what they share."""

from __future__ import annotations

import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
WRONG = "games/wrong one.tkid"
"""A game with a mistake, in a repository that has game files."""
MISTAKE = "`Anne` is not a player in this game"
PLACE = (22, 4)
"""What is wrong in it, and its line and column."""
RIGHT = "games/right.tkid"
"""A game without a mistake."""


def git(folder: Path, *arguments: str) -> str:
    """Run git in a folder, with a name of its own: what it prints."""
    named = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org")
    return subprocess.run(["git", "-C", folder, *named, *arguments], capture_output=True, text=True, check=True).stdout


def repository(folder: Path) -> Path:
    """A repository with a wrong game, a right one, and a file that is no game."""
    (folder / "games").mkdir(parents=True)
    wrong = ROOT / "fixtures" / "illegal" / "record.turn.player" / "game.tkid"
    right = ROOT / "fixtures" / "games" / "second-edition" / "coronation-second-players.tkid"
    (folder / WRONG).write_bytes(wrong.read_bytes())
    (folder / RIGHT).write_bytes(right.read_bytes())
    (folder / "games" / "notes.txt").write_text("Not a game.\n", "utf-8")
    git(folder, "init", "--quiet")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message", "Two games")
    return folder
