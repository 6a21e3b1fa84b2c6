"""What passes between the parts of mail: refusals, the lines of a mail, the orders in it."""

from __future__ import annotations

from collections.abc import Callable

from attrs import field, frozen

from tkid.orders.order_reader import ReadOrder
from tkid.rulebook import Ids

IDS = Ids("mail")


@frozen
class Refusal:
    """A mail that is not answered: the rule it breaks, and why, in words."""

    rule: str
    reason: str

    def __str__(self) -> str:
        return f"{self.reason} [{self.rule}]"


class RefusedError(Exception):
    """Reading a mail stops here; carries the refusal. Never leaves the intake."""

    def __init__(self, rule: str, reason: str) -> None:
        super().__init__(reason)
        self.refusal = Refusal(rule, reason)


@frozen
class Line:
    """A line of a mail's text, without quote marks that the mail program declared; whether it is quoted."""

    text: str
    quoted: bool = False


@frozen
class Marker:
    """What a mail of ours says of the turn that it asks for: number, chain hash before it, the game's name if known.

    `key` is what a host knows its own mails by.
    """

    turn: int
    after: str
    title: str = ""
    key: str = ""


@frozen
class Intake:
    """A mail that was read: who sent it (lower case), its lines, how it is threaded, a digest of its bytes.

    `parents` are the mails it answers, nearest first; `keys` what stands behind a plus in the addresses it went to;
    `subject` its subject, on one line; `name` the name beside the sender's address, "" for none. `unread` says why it has
    no text that can be read, "" where it has some. `html` reads the lines of the HTML form, where `lines` are those of the
    plain form. `is_struck` is True if some of the text is struck out.
    """

    sender: str
    lines: tuple[Line, ...]
    message_id: str
    parents: tuple[str, ...]
    digest: str
    keys: tuple[str, ...] = ()
    subject: str = ""
    name: str = ""
    unread: str = ""
    html: Callable[[], tuple[Line, ...]] = field(default=tuple, eq=False, repr=False)
    is_struck: bool = False


@frozen
class OrderLine:
    """A line of a mail that asks for something: as it was typed, and as it was read."""

    typed: str
    read: ReadOrder


@frozen
class Orders:
    """What a mail asks for.

    `lines` are those that ask for something, each whole and once, in the order of the mail, and `remark` those that
    are no orders. `marker` tells which of our mails is answered, None where nothing does.

    `proposed` are orders that stand below a quotation without quote marks, or of which it is not certain that the sender
    wrote them: they are offered and never carried out. So are the `differing` orders of a mail whose plain and HTML form
    do not order the same. `choices` are several turns of ours that were marked or left.
    `answer` is what a whole line above the quotation answers: "yes", "no", "1", "2", "3", or "". `own` are the lines above
    the quotation as they are there, orders and remarks, "" for an empty line. `unread` says why the mail has no text that
    can be read.
    """

    lines: tuple[OrderLine, ...] = ()
    remark: tuple[str, ...] = ()
    marker: Marker | None = None
    proposed: tuple[OrderLine, ...] = ()
    differing: tuple[OrderLine, ...] = ()
    choices: tuple[str, ...] = ()
    answer: str = ""
    own: tuple[str, ...] = ()
    unread: str = ""

    @property
    def typed(self) -> tuple[str, ...]:
        """The lines that ask for something, as they were typed."""
        return tuple(line.typed for line in self.lines)
