"""Answers to a digest: each line that names a game is carried out there, by the way of an answer to its turn mail."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from attrs import evolve

from tkid.club.digest import KIND, DigestBook
from tkid.host.store.transaction import Incoming, Key, Transaction
from tkid.mail.game.hosted_game import HostedGame
from tkid.mail.model import IDS, Intake, Line, Refusal
from tkid.rulebook import cites

Play = Callable[[Transaction, Incoming, Intake, Key, HostedGame], Refusal | None]
"""Carries out the orders for a game in a mail that is believed; why they are not, if they are not."""
SENDER, KEY = IDS("sender"), IDS("key")


def keys_of(transaction: Transaction, sender: str, day: str) -> Mapping[str, str]:
    """The keys of the games in the digest of a day, by game."""
    document = transaction.documents.seen(KIND, sender)
    return DigestBook.read(document.data).keys(day) if document else {}


@cites("club.digest.order")
def play_lines(  # noqa: PLR0917 - the mail, its lines, their keys, and how a game takes them
    transaction: Transaction,
    mail: Incoming,
    taken: Intake,
    lines: Mapping[str, Sequence[str]],
    keys: Mapping[str, str],
    play: Play,
) -> list[Refusal | None]:
    """Carry out the lines for each game, in the order of the games' names; for each why it was not done, if it was not."""
    of = {name: evolve(taken, lines=tuple(map(Line, lines[name]))) for name in sorted(lines)}
    return [_play(transaction, mail, part, keys[name], play) for name, part in of.items()]


def _play(transaction: Transaction, mail: Incoming, taken: Intake, word: str, play: Play) -> Refusal | None:
    """Carry out the lines for a game, as whoever its key was sent to; only while they play that seat."""
    keyed = transaction.keyed_game([word], taken.sender)
    if keyed is None:
        return Refusal(KEY, "The game is not here any more")
    key, hosted = keyed.key, HostedGame.stored(keyed.game.record, keyed.game.memory)
    if hosted.address(key.seat).lower() != taken.sender:
        return Refusal(SENDER, f"{taken.sender} does not play this seat any more")
    return play(transaction, mail, taken, key, hosted)
