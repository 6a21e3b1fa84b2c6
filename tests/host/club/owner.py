"""Whoever runs the host of a simulated club: orders of the desk by mail and by command, and tournaments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import SMTP

from attrs import define, field, frozen

from tests.host.club.habits import fields
from tests.host.club.people import Person
from tests.host.year.players import HOST
from tests.mail.mails import body


@frozen
class DeskOrder:
    """An order of the desk: as a line of a mail, and as words of a command, "" where there is none such.

    Words in braces are filled in as those of people are.
    """

    line: str
    command: str = ""


WHY = "the club wished it"
ORDERS = (
    DeskOrder("desk"),
    DeskOrder("games all", "games,{home},--all"),
    DeskOrder("status {game}", "status,{home},{game}"),
    DeskOrder("filed", "filed,{home}"),
    DeskOrder("show {mail}", "show,{home},{mail}"),
    DeskOrder(f"process {{sure}}: {WHY}", f"process,{{home}},{{sure}},--reason,{WHY}"),
    DeskOrder(f"pause {{game}}: {WHY}", f"pause,{{home}},{{game}},--reason,{WHY}"),
    DeskOrder("resume {paused}", "resume,{home},{paused}"),
    DeskOrder("extend {game} {game_player} 2 days: " + WHY, "extend,{home},{game},{game_player},36 hours"),
    DeskOrder("deadline {game} {game_player} {day}: " + WHY, "deadline,{home},{game},{game_player},{day}"),
    DeskOrder(f"take back {{played}}: {WHY}", f"take-back,{{home}},{{played}},--reason,{WHY}"),
    DeskOrder("take back {played}"),
    DeskOrder(f"abort {{game}}: {WHY}", f"abort,{{home}},{{game}},--reason,{WHY}"),
    DeskOrder("replace {game} {game_player} by {person}: " + WHY, "stand-in,{home},{game},{game_player},{person}"),
    DeskOrder(
        "replace {game} {game_player} by bot Merlin: " + WHY, "stand-in,{home},{game},{game_player},Merlin,--bot"
    ),
    DeskOrder("back {stood} {stood_player}", "back,{home},{stood},{stood_player}"),
    DeskOrder("address {game} {game_player} {alias}: " + WHY, "address,{home},{game},{game_player},{alias}"),
    DeskOrder("announce {game}: The club is well.", "announce,{home},all,The club is well."),
    DeskOrder("offer {game} {game_player}: " + WHY, "offer,{home},{game},{game_player}"),
    DeskOrder("offer seat {game_player} of {game}"),
    DeskOrder("import {copy}", "import,{home},{copy},{file}"),
)
"""What the owner orders, each as often as the others: `confirm clock` comes when the clock is in doubt."""
IMPORT = "import"
ANSWERING = 0.6
"""How likely a mail to the desk answers the last letter, so that it has a key."""


@define
class Owner(Person):
    """The owner of the host, who reads letters as people do."""

    orders: list[str] = field(factory=list)
    """What was ordered, for whoever looks for a fault."""
    times: Counter[DeskOrder] = field(factory=Counter)
    """How often each order was given: by mail and by command in turn."""

    def chosen(self, known: dict[str, str], some: list[DeskOrder]) -> tuple[DeskOrder, str, bool] | None:
        """The next order that can be given now, filled in; whether it goes by mail."""
        for order in some:
            ways = [text for text in (order.line, order.command) if text and fields(text) <= set(known)]
            if not ways:
                continue
            some.remove(order)
            text = ways[self.times[order] % len(ways)]
            self.times[order] += 1
            self.orders.append(text.format_map(known))
            return order, self.orders[-1], text is order.line
        return None

    def desk_mail(self, line: str, record: bytes) -> bytes:
        """A mail to the desk: in answer to the last letter, or without a key. A record goes with a game that is to come."""
        if line.startswith(IMPORT) and self.keyed is not None:
            return self._enclosed(self.keyed, line, record)
        if self.keyed is not None and self.rng.random() < ANSWERING:
            return self.reply(self.keyed, line)
        return self.write(line, HOST, "desk")

    def _enclosed(self, letter: EmailMessage, line: str, record: bytes) -> bytes:
        """An answer with a file."""
        mail = BytesParser(policy=SMTP).parsebytes(self.reply(letter, line))
        mail.add_attachment(record, maintype="text", subtype="plain", filename="elsewhere.tkid")
        return mail.as_bytes()

    def answer(self, letter: EmailMessage) -> Iterator[bytes]:
        """What the owner answers: `yes` to a question about orders."""
        if "+" in str(letter["Reply-To"]):
            self.keyed = letter
        if "eply `yes`" in body(letter):
            yield self.reply(letter, "yes")
