"""Values that the modules of mail share: refusals, lines, the orders of a mail, the terms of a club, stored values."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Annotated, ClassVar, Literal, Self, TypeVar, get_args

from attrs import field, frozen
from cattrs import Converter

from tkid.kernel.problems import Kind, Problem
from tkid.orders.order_reader import ReadOrder
from tkid.orders.order_values import Order
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
    """A line of a mail's text, without quote marks that the mail program declared; `quoted` is True in a quotation."""

    text: str
    quoted: bool = False


@frozen
class Marker:
    """The turn that a mail asks for: number, chain hash before it, the game's name if known, and our `key`."""

    turn: int
    after: str
    title: str = ""
    key: str = ""


@frozen
class Intake:
    """A mail that was read: its sender (lower case), its lines, its thread, a digest of its bytes.

    `parents` are the mails it answers, nearest first; `keys` the words behind a plus in the addresses it went to;
    `subject` its subject, on one line; `name` the name beside the sender's address, "" for none. `unread` is the reason
    for a mail without readable text, else "". `html` reads the lines of the HTML form if `lines` are those of the plain
    form. `is_struck` is True if some of the text is struck out, `suppresses` if the mail asks programs not to answer it.
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
    suppresses: bool = False


@frozen
class OrderLine:
    """A line of a mail that asks for something: as it was typed, and as it was read."""

    typed: str
    read: ReadOrder

    @property
    def order(self) -> Order | None:
        return self.read.order

    @property
    def kind(self) -> str:
        """The name of its row, "" for none."""
        return self.read.kind

    def make_problem(self, rule: str, message: str, hint: str = "", kind: Kind = Kind.ILLEGAL) -> Problem:
        """Return a problem with the whole line."""
        return Problem(kind, rule, message, length=max(1, len(self.typed)), hint=hint)


@frozen
class Orders:
    """The orders of a mail.

    `lines` are those that ask for something, each whole and once, in the order of the mail, and `remark` those that
    are no orders. `marker` is that of our mail which is answered, None if none is.

    `proposed` are orders below a quotation without quote marks, or orders that the sender may not have
    written: they are offered and never carried out. So are the `differing` orders of a mail whose plain and HTML form
    do not order the same. `choices` are several turns of ours that were marked or left.
    `answer` is the answer in a whole line above the quotation: "yes", "no", "1", "2", "3", or "". `own` are the lines
    above the quotation as typed, orders and remarks, "" for an empty line. `unread` is the reason for a mail without
    readable text. `subject` is what the sender wrote into the subject, "" if it is that of our letter. `signature` are the
    lines below `--`, which are never orders. `doubt` are sentences that cast doubt on what binds: of a mail to the club, or of what may be an automatic reply.
    `is_struck` is True if some of the text is struck out.
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
    subject: str = ""
    signature: tuple[str, ...] = ()
    doubt: tuple[str, ...] = ()
    is_struck: bool = False

    @property
    def typed(self) -> tuple[str, ...]:
        """The lines that ask for something, as they were typed."""
        return tuple(line.typed for line in self.lines)


Welcome = Literal["nobody", "invited", "everybody"]
WELCOMES: tuple[Welcome, ...] = get_args(Welcome)
"""People who may come to play: only those the owner seats; also guests of members; everybody."""
Bots = Literal["no", "random", "greedy", "search", "engine"]
BOTS: tuple[Bots, ...] = get_args(Bots)
"""Which bots may take a seat: none, or all up to this player."""


@frozen
class ClubTerms:
    """The terms of a club.

    `name` is what it is called, "" for nothing. `pages` is the address at which its pages are, "" where it has none.
    `credited` is the shortest absence of the host for which clocks are set forward.

    `observers` says whether members may observe games. `unsubscribe` is the address at which a mail program's button ends
    letters that are no turns, "" where that goes by mail alone. `bots` is the strongest player that may take over a seat;
    with `no` no program plays. `delay` is by how many turns all who do not play a game see it late. `web` is the address of
    the server with a page for each turn, "" without such a server; `turn_pages` that of the published ones.
    """

    name: str = ""
    welcome: Welcome = "invited"
    pages: str = ""
    credited: timedelta = timedelta(hours=6)
    observers: bool = True
    unsubscribe: str = ""
    bots: Bots = "random"
    delay: int = 0
    web: str = ""
    turn_pages: str = ""


S = TypeVar("S", bound="Stored")
Address = Annotated[str, "address"]
"""Somebody's address in a document: a change of address finds it by this type."""
CONVERTER = Converter(detailed_validation=False, omit_if_default=True)
CONVERTER.register_unstructure_hook(datetime, datetime.isoformat)
CONVERTER.register_structure_hook(datetime, lambda text, _: datetime.fromisoformat(text))


@frozen
class Document:
    """A value of the club as it is stored: its kind and id, its text, and when to look at it again.

    It takes the place of what is there, or drops it. A `new` one takes the place of nothing: where its name is taken, the
    order is carried out again.
    """

    kind: str
    id: str
    data: str = ""
    due: datetime | None = None
    how: Literal["put", "new", "drop"] = "put"


class StoredText:
    """A value that is stored as text (JSON). Missing parts have their defaults."""

    __slots__ = ()

    @classmethod
    def read_text(cls, text: str) -> Self:
        """Read a stored value. Raises ValueError, KeyError or TypeError for a text that this program didn't write."""
        return CONVERTER.structure(json.loads(text), cls)

    @property
    def text(self) -> str:
        return json.dumps(CONVERTER.unstructure(self), ensure_ascii=False, separators=(",", ":"))


class Stored(StoredText):
    """A value that is a document of the club. Its class has the kind, and the id if there is only one, or the field with it."""

    __slots__ = ()
    KIND: ClassVar[str]
    NAME: ClassVar[str] = ""
    NAMED: ClassVar[str] = "NAME"

    @property
    def id(self) -> str:
        return str(getattr(self, self.NAMED))

    @property
    def due(self) -> datetime | None:
        """The next moment to look at it."""
        return None

    @property
    def document(self) -> Document:
        return Document(self.KIND, self.id, self.text, self.due)

    @property
    def dropped(self) -> Document:
        return Document(self.KIND, self.id, how="drop")
