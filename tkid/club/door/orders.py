"""The kinds of orders to the club: all that is true of each, in one table.

`tkid.club.door.language` reads by it, the help lists it, and `tkid.club.door.handlers` carries the orders out. A part of
the club adds an order with a row here, its class in a `model`, and a handler.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Literal

from attrs import field, frozen

from tkid.club.door import model, readers
from tkid.club.door.model import ClubOrder
from tkid.club.wishes import model as wishes
from tkid.club.wishes import readers as wish_readers

Who = Literal["anybody", "owner"]
"""Who may give an order: anybody whom the club takes in, or the owner of the host alone."""


@frozen
class ClubOrderKind:
    """A kind of orders to the club, and all that is true of it.

    `name` is what `help` calls it and `order` the class of its values. `begins` is how a line with it begins, and `read`
    makes a value of such a line, or raises WrongError. `form` shows how it is written, and `help` says what it does.
    `shown_by` is what shows that a line that cannot be read was meant as one, if it has more than `most` words. `who` may give it. An order that
    is `harmless` changes nothing and tells nothing that is not public, so it is carried out for whoever asks.
    `listed` is where in the list of help, the lowest first; an order with a negative number is not listed.
    """

    name: str
    order: type[ClubOrder]
    begins: re.Pattern[str]
    read: Callable[[str], ClubOrder]
    form: str
    help: str
    shown_by: re.Pattern[str] = field(default=re.compile(r"@"))
    most: int = 4
    who: Who = "anybody"
    harmless: bool = False
    listed: int = 5


def words(*alternatives: str) -> re.Pattern[str]:
    """How a line begins that consists of one of these orders, or begins with it; blanks are as many as somebody types."""
    either = "|".join(each.replace(" ", r"\s+") for each in alternatives)
    return re.compile(rf"(?:{either})(?!\w)", re.IGNORECASE)


def alone(order: Callable[[], ClubOrder]) -> Callable[[str], ClubOrder]:
    """Reads an order that has nothing behind its first words."""
    return lambda _: order()


def whole(*alternatives: str) -> re.Pattern[str]:
    """How a line looks that is one of these orders and nothing else."""
    return re.compile(rf"{words(*alternatives).pattern}[\s.!?]*(?:please|pls|thanks)?[\s.!?]*\Z", re.IGNORECASE)


NEVER = re.compile(r"(?!)")
"""Nothing in a longer line shows that it was meant."""
KINDS: tuple[ClubOrderKind, ...] = (
    ClubOrderKind(
        "help", model.Help, whole("help"), alone(model.Help), "`help`", "lists the orders", harmless=True, listed=9
    ),
    ClubOrderKind(
        "games",
        model.ListGames,
        whole("games", "my games"),
        alone(model.ListGames),
        "`games`",
        "lists your games",
        listed=1,
    ),
    ClubOrderKind(
        "open games",
        model.ListOpen,
        whole("open games"),
        alone(model.ListOpen),
        "`open games`",
        "lists games that look for players",
        harmless=True,
        listed=2,
    ),
    ClubOrderKind(
        "tournaments",
        model.ListTournaments,
        whole("tournaments", "my tournaments"),
        alone(model.ListTournaments),
        "`tournaments`",
        "lists the tournaments and your games in them",
        listed=2,
    ),
    ClubOrderKind(
        "new game",
        model.NewGame,
        re.compile(r"(?:a\s+)?new\s+game(?!\w)", re.IGNORECASE),
        readers.read_new_game,
        "`new game second-edition with bob@example.org`, `new game with bot`, or `new game second-edition for 3`",
        "invites people to a game, or looks for players",
        shown_by=re.compile(r"@|\bfor\s+\d|-edition\b|\bbots?\b", re.IGNORECASE),
        listed=0,
    ),
    ClubOrderKind(
        "play with",
        model.NewGame,
        words("play with"),
        readers.read_new_game,
        "`play with bob@example.org`",
        "invites Bob to the basic game",
        listed=0,
    ),
    ClubOrderKind(
        "join",
        model.Join,
        words("join"),
        readers.read_join,
        "`join spring`",
        "takes a seat in a game that looks for players",
        listed=3,
    ),
    ClubOrderKind(
        "accept",
        model.Accept,
        words("accept"),
        readers.read_accept,
        "`accept`, or `accept spring`",
        "accepts an invitation",
        listed=4,
    ),
    ClubOrderKind(
        "decline",
        model.Decline,
        words("decline"),
        readers.read_decline,
        "`decline`, or `decline spring`",
        "declines an invitation, or gives your seat back before the game begins",
        listed=4,
    ),
    ClubOrderKind(
        "words",
        model.Words,
        words("words"),
        readers.read_words,
        "`words: seven swans on a cold loch`",
        "mixes your words into the deal, so that nobody can choose it",
        shown_by=re.compile(r"\Awords\s*:", re.IGNORECASE),
        most=9,
        listed=4,
    ),
    ClubOrderKind(
        "rematch",
        model.Rematch,
        words("rematch"),
        readers.read_rematch,
        "`rematch`, or `rematch spring`",
        "invites the players of a game to another one",
        listed=4,
    ),
    ClubOrderKind(
        "block",
        model.Block,
        whole("block", "block me"),
        alone(model.Block),
        "`block`",
        "ends all letters of the club to you",
        listed=8,
    ),
    ClubOrderKind(
        "unblock",
        model.Unblock,
        whole("unblock"),
        alone(model.Unblock),
        "`unblock`",
        "lets the club write to you again",
        listed=8,
    ),
    ClubOrderKind(
        "digest",
        wishes.SetDigest,
        words("digest"),
        wish_readers.read_digest,
        "`digest daily`, or `digest off`",
        "puts all your games into one mail a day, or ends that",
        shown_by=NEVER,
        listed=6,
    ),
    ClubOrderKind(
        "notify each game",
        wishes.SetDigest,
        whole("notify each game", "notify every game"),
        lambda _: wishes.SetDigest(daily=False),
        "`notify each game`",
        "ends the digest",
        listed=-1,
    ),
    ClubOrderKind(
        "observe",
        wishes.Observe,
        words("observe"),
        wish_readers.read_observe,
        "`observe winter`, or `observe winter delay 3`",
        "sends you each turn of a game, at once or three turns late",
        shown_by=re.compile(r"\bdelay\b", re.IGNORECASE),
        listed=6,
    ),
    ClubOrderKind(
        "stop observing",
        wishes.StopObserving,
        words("stop observing"),
        wish_readers.read_stop_observing,
        "`stop observing`, or `stop observing winter`",
        "ends that",
        shown_by=NEVER,
        listed=6,
    ),
    ClubOrderKind(
        "observers",
        wishes.AllowObservers,
        re.compile(r"observers\s+(?:on|off)(?!\w)", re.IGNORECASE),
        wish_readers.read_observers,
        "`observers off winter`",
        "keeps observers out of a game that you play",
        shown_by=NEVER,
        listed=7,
    ),
    ClubOrderKind(
        "take seat",
        wishes.TakeSeat,
        words("take seat", "take the seat"),
        wish_readers.read_take_seat,
        "`take seat Bob of winter`",
        "takes over a seat that is offered",
        shown_by=NEVER,
        listed=6,
    ),
    ClubOrderKind(
        "offer seat",
        wishes.OfferSeat,
        words("offer seat", "offer the seat"),
        wish_readers.read_offer_seat,
        "`offer seat Bob of winter`",
        "offers a seat to whoever takes it first",
        shown_by=NEVER,
        who="owner",
        listed=-1,
    ),
    ClubOrderKind(
        "address",
        wishes.ChangeAddress,
        words("address"),
        wish_readers.read_address,
        "`address ann@example.com`",
        "moves everything of yours to another address",
        listed=7,
    ),
    ClubOrderKind(
        "anonymous",
        wishes.SetAnonymous,
        words("anonymous"),
        wish_readers.read_anonymous,
        "`anonymous on`, or `anonymous off`",
        "hides your name on the club's pages",
        shown_by=NEVER,
        listed=7,
    ),
    ClubOrderKind(
        "calendar",
        wishes.SetCalendar,
        words("calendar"),
        wish_readers.read_calendar,
        "`calendar on`, or `calendar off`",
        "puts deadlines into your calendar",
        shown_by=NEVER,
        listed=7,
    ),
    ClubOrderKind(
        "stop",
        wishes.Stop,
        whole("stop", "unsubscribe"),
        alone(wishes.Stop),
        "`stop`",
        "ends letters of the kind that you answer",
        listed=8,
    ),
)
"""All kinds of orders to the club."""
BY_NAME: Mapping[str, ClubOrderKind] = MappingProxyType({kind.name: kind for kind in KINDS})
_OF_CLASS: Mapping[type[ClubOrder], ClubOrderKind] = MappingProxyType({kind.order: kind for kind in reversed(KINDS)})
LISTED = tuple(sorted((kind for kind in KINDS if kind.listed >= 0), key=lambda kind: kind.listed))
"""The kinds as `help` lists them."""


def kind_of(order: ClubOrder) -> ClubOrderKind:
    """The kind of an order to the club."""
    return _OF_CLASS[type(order)]
