"""Names that cannot sit at one table when a game begins. Records that exist are read whatever their players are called."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tkid.kernel.game import AnyGame
from tkid.notation.links import find_link
from tkid.notation.lookalikes import letters
from tkid.notation.people import ANY_WORDS, EVERY_WORDS, single
from tkid.notation.vocabulary import listed
from tkid.orders.kinds import FIRST_WORDS
from tkid.orders.plugin import order_language
from tkid.record.format.model import Seat
from tkid.record.format.names import OTHERWISE, say_alike
from tkid.rulebook import cites

ANSWERS = frozenset(
    {"yes", "y", "no", "n", "ok", "okay", "ja", "nein", "oui", "non", "pass", "stop", "nobody", "me", "i"}
)
"""What people answer or order with a single word, besides the first words of orders."""


def new_table_faults(game: AnyGame, names: Sequence[str], title: str = "") -> list[str]:
    """Why these players cannot begin a game, or not under a title: sentences with the rule and the way out."""
    named = link_faults(title, "the name of a game") if title else ()
    return [*named, *(fault for seat, name in enumerate(names) for fault in newcomer_faults(game, name, names[:seat]))]


@cites("record.seat.link")
def link_faults(name: str, what: str = "a player's name") -> Iterator[str]:
    """Why a name cannot stand in mails, whose programs would make a link of it: a sentence with the rule and the way out."""
    if link := find_link(name):
        reason = f"mail programs turn `{link}` into a link"
        way = "Put a space after the dot, or choose another name." if name.isascii() else "Choose another name."
        if "@" in name:
            *first, address = name.split()
            way = f"Write an address in angle brackets: {' '.join(first) or address.partition('@')[0].capitalize()} <{address}>."
        yield f"`{name}` cannot be {what}: {reason} [record.seat.link]. {way}"


@cites("record.seat.word", "record.seat.unique", "record.seat.alike")
def newcomer_faults(game: AnyGame, name: str, others: Sequence[str]) -> Iterator[str]:
    """Why somebody cannot sit down under a name, beside others: sentences with the rule and the way out."""
    if letters(name) in {*ANSWERS, *ANY_WORDS, *EVERY_WORDS, *FIRST_WORDS, *order_language(game).topics}:
        reason = "in a mail, this word would be read as an order or an answer"
        yield f"`{name}` cannot be a player's name: {reason} [record.seat.word]. {OTHERWISE}"
    yield from link_faults(name)
    for other in others:
        if single(name) == single(other):
            yield f"Another player is called {other} [record.seat.unique]. {OTHERWISE}"
        elif reason := say_alike(other, name):
            yield f"{reason} [record.seat.alike]. {OTHERWISE}"


@cites("mail.one-address")
def shared_address(seats: Sequence[Seat]) -> str:
    """Who has one address, in a clause; "" where everybody has another."""
    names: dict[str, list[str]] = {}
    for seat in seats:
        names.setdefault(seat.address.casefold(), []).append(seat.name)
    shared = {address: who for address, who in names.items() if address and len(who) > 1}
    return "; ".join(f"{listed(who, 'and')} have the same address, {address}" for address, who in shared.items())
