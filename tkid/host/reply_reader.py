"""Reads what a reply asks for, compared with the letters of ours that it may quote, and which offer it answers."""

from __future__ import annotations

import re
from itertools import chain, islice

from attrs import evolve

from tkid.host.store.transaction import Key, Transaction
from tkid.mail.game.hosted_game import HostedGame
from tkid.mail.inbound.order_finder import find_orders
from tkid.mail.inbound.order_lines import order_reader
from tkid.mail.inbound.quoted.own_letters import OwnLetter
from tkid.mail.keys import keys_in, offer_of
from tkid.mail.model import Intake, Line, Orders
from tkid.rulebook import cites

REPLY_TO = re.compile(rb"^Reply-To:[^\n]*(?:\n[ \t][^\n]*)*?\+([a-z2-7]{12})@", re.MULTILINE)
MOST_HEADER = 16 << 10
"""Bytes of a letter of ours in which its header ends."""
MOST_KEYS = 20
"""So many keys of a mail are looked at, the first ones."""


@cites("mail.offer.yes")
def read_reply(
    transaction: Transaction, secret: bytes, hosted: HostedGame, key: Key, taken: Intake
) -> tuple[Orders, str | None]:
    """Read a mail that carries a key.

    Args:
        transaction: the store, which has the letters.
        secret: what the keys of the host are made with.
        hosted: the game that the key is for.
        key: the key of the mail.
        taken: the mail.

    Returns:
        What the mail asks for, and the id of the offer in the letter with its key: "" where that letter offers nothing,
        and None where the offer is not known any more.
    """
    letters = transaction.letters(key.game, hosted.address(key.seat), taken.parents, key.turn)
    reader = order_reader(hosted.record.game, hosted.names, key.seat)
    orders = find_orders(taken, reader, tuple(map(OwnLetter, letters)))
    offers = [offer.id for offer in hosted.memory.seats[key.seat].offers]
    courses = (course(hosted, after) for after in hosted.hashes_before(key.seat, key.turn))
    made = (offer_of(key.word, secret, key.game, key.seat, key.turn, each, offers) for each in courses)
    return orders, next((offer for offer in made if offer is not None), None)


def course(game: HostedGame, after: str) -> str:
    """The hash before a turn, with the turns that were taken back, so that a key of before is not made again."""
    return " ".join((after, *(f"-{turn.number}" for turn in game.record.turns if turn.undone)))


@cites("mail.key")
def taken_back(before: HostedGame, after: HostedGame) -> list[int]:
    """The turns that were taken back. Keys that were made after one of them are good for that turn at most."""
    turns = zip(before.record.turns, after.record.turns, strict=False)
    return [was.number for was, turn in turns if turn.undone and not was.undone]


def possible_keys(taken: Intake) -> list[str]:
    """The possible keys of a mail: in an address that it went to, its subject, its lines; each once, the first ones."""
    in_lines = islice(chain(keys_in([Line(taken.subject)]), keys_in(taken.lines)), MOST_KEYS)
    return list(islice(dict.fromkeys(chain(taken.keys, in_lines)), MOST_KEYS))


def key_of_letter(letter: bytes) -> list[str]:
    """Return the key of a letter of ours, from the address for its answer; an empty list where it has none."""
    match = REPLY_TO.search(letter[:MOST_HEADER])
    return [match[1].decode()] if match else []


def unthreaded(taken: Intake) -> Intake:
    """A mail from another address than its player's, as it is answered: nothing of its headers gets into the answer."""
    return evolve(taken, message_id="", parents=(), subject="")
