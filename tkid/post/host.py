"""The host: keeps each mail, carries out what it asks for, sends the letters; whatever dies in between is done again."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Protocol

from attrs import define

from tkid.post import hosted
from tkid.post.hosted import Hosted, Outcome
from tkid.post.intake import take_in
from tkid.post.keys import key_for
from tkid.post.letters import address_of, compose
from tkid.post.marker import TURN
from tkid.post.model import IDS, Intake, Refusal
from tkid.post.orders import find_orders
from tkid.post.store import DONE, FILED, MOST_TRIES, QUARANTINED, Key, Send, Store, StoredGame, Writing
from tkid.record.model import Record
from tkid.record.replay import reader
from tkid.rulebook import cites

SENDER, KEY, DUPLICATE = IDS("sender"), IDS("key"), IDS("duplicate")


class Inbox(Protocol):
    """Where mails come from."""

    def arrived(self) -> Iterable[tuple[str, bytes]]:
        """The mails that were not fetched yet, as (name, bytes)."""
        ...

    def fetched(self, name: str) -> None:
        """A mail is kept elsewhere now."""
        ...


@define
class Host:
    """A host with its store. `address` is where it is written to, `secret` what its keys are made with."""

    store: Store
    address: str
    secret: bytes
    send: Send

    def open(self, game: str, record: Record, now: datetime) -> None:
        """Take in a new game and write its first letters. Raises ValueError where the game cannot be hosted."""
        refused = [str(r) for seat in range(len(record.seats)) if isinstance(r := address_of(record, seat), Refusal)]
        if refused:
            raise ValueError("; ".join(refused))
        outcome = hosted.begin(record, now)
        with self.store.writing() as writing:
            if writing.game(game) is not None:
                raise ValueError(f"there is a game {game} already")
            writing.add(_stored(game, outcome.hosted))
            self._post(writing, game, outcome)

    @cites("mail.kept")
    def fetch(self, inbox: Inbox, now: datetime) -> int:
        """Keep the mails of an inbox; how many were new."""
        new = 0
        for name, raw in inbox.arrived():
            new += self.store.keep(raw, now)
            inbox.fetched(name)
        return new

    def work(self, now: datetime) -> int:
        """Carry out what the kept mails ask for; how many were done."""
        waiting = self.store.waiting()
        for number in waiting:
            tries = self.store.attempt(number)
            if tries > MOST_TRIES:
                self._put_aside(number, f"the program died over it {MOST_TRIES} times")
                continue
            try:
                self._carry_out(number, now)
            except ValueError as error:  # a defect of ours: the mail is kept for whoever mends it
                self._put_aside(number, f"{type(error).__name__}: {error}")
        return len(waiting)

    def deliver(self, now: datetime) -> int:
        """Send what is to be sent; how many letters went out."""
        out = 0
        last = self.store.send_next(self.send, now)
        while last is not None:
            out += last.gone
            last = self.store.send_next(self.send, now, last.number)
        return out

    # -- one mail -----------------------------------------------------------------------------------------

    def _put_aside(self, number: int, reason: str) -> None:
        with self.store.writing() as writing:
            writing.finish(number, QUARANTINED, reason)

    def _carry_out(self, number: int, now: datetime) -> None:
        """Do what a mail asks for, in one transaction."""
        with self.store.writing() as writing:
            mail = writing.mail(number)
            if mail is None:
                return
            taken = take_in(mail.raw)
            refusal = taken if isinstance(taken, Refusal) else self._ordered(writing, number, taken, now)
            if refusal is not None:
                writing.finish(number, FILED, str(refusal))

    def _ordered(self, writing: Writing, number: int, taken: Intake, now: datetime) -> Refusal | None:
        """Carry out the orders of a mail that was read; why it is only filed, if it is."""
        allowed = self._allowed(writing, taken)
        if allowed is None:
            return Refusal(KEY, "The mail carries no key of a mail of this host")
        game = writing.game(allowed.game)
        assert game is not None
        at = Hosted.stored(game.record, game.memory)
        record = at.replay.record
        if record.seats[allowed.seat].address.lower() != taken.sender:
            return Refusal(SENDER, f"{taken.sender} is not who the key was sent to")
        if taken.message_id and not writing.first_time(taken.sender, taken.message_id):
            return Refusal(DUPLICATE, "The mail came before")
        orders = find_orders(taken, record.game, reader(record.game, record.names).turn)
        outcome = hosted.receive(at, allowed.seat, orders, now)
        writing.save(_stored(game.id, outcome.hosted))
        self._post(writing, game.id, outcome, taken)
        writing.finish(number, DONE, game=game.id)
        return None

    @staticmethod
    def _allowed(writing: Writing, taken: Intake) -> Key | None:
        """What the first key allows that a mail carries: in an address it went to, in the marker line, or none."""
        in_lines = (word for line in taken.lines for word in _keys_in(line.text))
        return next((key for word in (*taken.keys, *in_lines) if (key := writing.key(word))), None)

    def _post(self, writing: Writing, game: str, outcome: Outcome, answered: Intake | None = None) -> None:
        """Put the letters into the outgoing mail, and make their keys valid."""
        for letter in outcome.letters:
            address = address_of(outcome.hosted.replay.record, letter.seat)
            assert isinstance(address, str)
            key = key_for(self.secret, game, letter.seat, letter.turn, letter.after)
            writing.allow(key, Key(game, letter.seat, letter.turn))
            is_answer = answered is not None and letter.kind in {"note", "again"}
            mail = compose(outcome.hosted.replay, letter, address, self.address, answered if is_answer else None, key)
            writing.post(_message_id(mail), game, address, mail)


def _keys_in(text: str) -> list[str]:
    found = TURN.search(text)
    return [found[3]] if found and found[3] else []


def _message_id(mail: bytes) -> str:
    """The Message-ID of a mail of ours: it stands on a line of its own."""
    line = next(line for line in mail.split(b"\r\n") if line.lower().startswith(b"message-id:"))
    return line.partition(b":")[2].strip().decode("ascii")


def _stored(game: str, at: Hosted) -> StoredGame:
    return StoredGame(game, at.record_text, at.memory_text, None, at.replay.position.ending is not None)
