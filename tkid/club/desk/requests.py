"""A change of a game that the owner of a host asks for: the request, a new player named in it, and what is wrong with either. Pure."""

from __future__ import annotations

import re
from datetime import datetime

from attrs import frozen

from tkid.club.desk.language import DeskOrder
from tkid.club.terms import Bots
from tkid.kernel.problems import Kind, Problem
from tkid.mail.desk.service import HostedGame
from tkid.mail.inbound.envelope import is_address
from tkid.mail.letters.blocks import Blocks, Paragraph
from tkid.mail.letters.content import Announcement

RULE = "club.desk.record"
NEW_PLAYER = re.compile(
    r"(?:is\s+played\s+)?by\s+(?:(?P<bot>bot)\s+)?(?P<name>[^<>]+?)\s*(?:<(?P<address>[^<>\s]+)>)?", re.IGNORECASE
)
NEW = re.compile(r"(?:is\s+played\s+)?by\b\s*", re.IGNORECASE)
"""What a new player is announced with."""


@frozen
class Request:
    """An intervention: the game, the order, when it is done, and which bots the club allows."""

    game: HostedGame
    order: DeskOrder
    now: datetime
    bots: Bots = "random"

    @property
    def text(self) -> str:
        """What was written after the name of the game."""
        return self.order.text

    @property
    def reason(self) -> str:
        """Why it is done."""
        return self.order.reason

    def way(self, kind: str) -> str:
        """How the owner gives another order about the game, as the end of a sentence."""
        return f"{self.order.ways.to(kind, self.order.game)}."

    @property
    def moment(self) -> datetime:
        """When it is done, as the record writes it."""
        return self.game.moment(self.now)

    @property
    def everybody(self) -> tuple[int, ...]:
        """All seats."""
        return tuple(self.game.seats)

    def announced(self, text: str, subject: str, what_now: str = "", *, tells: bool = False) -> Announcement:
        """The announcement to all players: what was done, why, and what follows from it."""
        more: Blocks = (Paragraph(f"Why: {self.reason}"),) if self.reason else ()
        more += (Paragraph(what_now),) if what_now else ()
        return Announcement(self.everybody, text, tells=tells, rule=RULE, subject=subject, more=more)


def newcomer(request: Request, rest: str) -> tuple[str, str, bool] | Problem:
    """The name and address of a new player, and whether it is the bot; what is wrong with them."""
    form, typed = f"To name a new player, {request.way('replace')}", NEW.sub("", rest)
    match = NEW_PLAYER.fullmatch(rest)
    if match is None:
        wrong = f"`{typed}` does not name a new player" if typed else "The new player is missing"
        return malformed(wrong, form, request, typed)
    name, address, bot = " ".join(match["name"].split()), match["address"] or "", bool(match["bot"])
    if bot and address:
        return malformed(f"The bot has no address, and {name} has {address}", form, request, address)
    if not (bot or is_address(address)):
        wrong = f"`{address}` is not an address" if address else f"{name} needs an address"
        return malformed(wrong, form, request, address or name)
    return name, address, bot


def to_go_on(request: Request) -> str:
    """The way out where a game is paused or adjourned."""
    return f"To go on, {request.way('resume')}"


def malformed(message: str, hint: str, request: Request, typed: str = "") -> Problem:
    """The problem with what was typed behind the game's name; with what is missing at its end, where that is nothing."""
    column = request.text.rfind(typed) if typed else len(request.text)
    return Problem(
        Kind.SYNTAX, "club.desk.order", message, col=max(0, column) + 1, length=max(1, len(typed)), hint=hint
    )


def not_now(message: str, hint: str, typed: str = "") -> Problem:
    """The problem with what cannot be done as the game stands; `typed` is what is wrong, at the beginning."""
    return Problem(Kind.ILLEGAL, "club.desk.order", message, length=max(1, len(typed)), hint=hint)
