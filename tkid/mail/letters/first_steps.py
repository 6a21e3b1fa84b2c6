"""What readers who are new to a game are told in its first letter: what the board shows, and where the game is explained."""

from __future__ import annotations

from attrs import evolve

from tkid.kernel.game import AnyGame
from tkid.mail.letters.blocks import Block, Blocks, Board, Paragraph
from tkid.mail.plugin import mail_plugin
from tkid.render.plugin import render_plugin
from tkid.rulebook.site import address


def explained(game: AnyGame, position: Blocks) -> Blocks:
    """A position with the meaning of its letters below it, and how to read the lines below what they draw.

    What explains the lines is one of them, so that it goes with them where a picture takes their place.
    """
    letters, lines = render_plugin(game).legend(game)
    blocks = tuple(_with_line(block, lines) for block in position)
    return (*blocks, *([Paragraph(letters)] if letters else []))


def _with_line(block: Block, line: str) -> Block:
    return evolve(block, lines=(*block.lines, "", line)) if isinstance(block, Board) and line else block


def learn(game: AnyGame) -> str:
    """Where a game is explained."""
    return f"How to play: {address(mail_plugin(game).learn)}"
