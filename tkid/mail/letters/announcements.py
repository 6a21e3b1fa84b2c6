"""What the host announces in letters, and what players say."""

from __future__ import annotations

from collections.abc import Sequence

from tkid.mail.inbound.order_lines import order_reader
from tkid.mail.letters.blocks import Block, Blocks, Paragraph, Quote
from tkid.mail.letters.content import Announcement, Recipient
from tkid.orders.model import Say


def from_player(recipient: Recipient, message: Announcement, sender: int) -> Blocks:
    """What a player says, and how to answer."""
    record = recipient.known.record
    answer = Say("all" if message.everybody else sender, "TEXT")
    written = order_reader(record.game, record.names, recipient.seat).written(answer)
    return (*_says(recipient, message, sender), Paragraph(f"To answer, reply `{written}`."))


def _says(recipient: Recipient, message: Announcement, sender: int) -> Blocks:
    """What a player says."""
    whom = "all" if message.everybody else "you alone"
    return Paragraph(f"{recipient.game.names[sender]} says to {whom}:"), Quote(message.text)


def may_wait(announcements: Sequence[Announcement]) -> bool:
    """Whether no announcement asks for an answer: what says how to answer does."""
    return not any(each.more for each in announcements)


def repeated(recipient: Recipient, announcements: Sequence[Announcement]) -> Blocks:
    """What a later letter repeats: what the host announces, what players say, and what became of the reader's plans."""
    blocks: list[Block] = [Paragraph(each.text) for each in announcements if each.sender is None and each.text]
    for each in announcements:
        blocks += _says(recipient, each, each.sender) if each.sender is not None else ()
    return (*blocks, *map(Paragraph, recipient.memory.notes))


def announced(recipient: Recipient, announcements: Sequence[Announcement]) -> Blocks:
    """What the host announces, and what players say."""
    blocks: list[Block] = []
    for each in announcements:
        blocks += [Paragraph(each.text), *each.more] if each.sender is None else []
    for each in announcements:
        blocks += from_player(recipient, each, each.sender) if each.sender is not None else ()
    return tuple(blocks)
