"""The host: keeps each mail, carries out what it asks for, sends the letters; whatever dies in between is done again."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from functools import partial
from itertools import chain, islice

from attrs import define, evolve, field

from tkid.host.notices import unreachable
from tkid.host.rate_limit import asked_often, limited, unread
from tkid.host.reply_reader import course, read_reply
from tkid.host.store.connection import DatabaseError
from tkid.host.store.queries import MOST_BOUNCES, Waiting
from tkid.host.store.schema import DONE, FILED, QUARANTINED
from tkid.host.store.store import Store
from tkid.host.store.transaction import Incoming, Key, Outgoing, StoredGame, Transaction
from tkid.host.transports.protocols import Inbox, Send
from tkid.mail.desk import service
from tkid.mail.desk.service import HostedGame, Outcome
from tkid.mail.inbound.authentication import Required, unauthenticated
from tkid.mail.inbound.bounces import report
from tkid.mail.inbound.envelope import MOST_HEADER_BYTES, is_address
from tkid.mail.inbound.intake import take_in, take_in_partly
from tkid.mail.keys import key_for, keys_in_text
from tkid.mail.letters.message import address_of, compose
from tkid.mail.letters.pictures import Finished, finished
from tkid.mail.marker import keys_in
from tkid.mail.model import IDS, Intake, Refusal
from tkid.record.format.model import Record
from tkid.rulebook import cites

SENDER, KEY, DUPLICATE = IDS("sender"), IDS("key"), IDS("duplicate")
MOST_TRIES = 3
"""So often a mail is tried that makes the process die; then it is put aside."""
MOST_KEYS = 20
"""So many keys of a mail are looked at, the first ones."""
FETCHED_BYTES = 4 << 20
"""Mails are kept together as long as they are not larger."""
TOGETHER = 20
"""So many letters are looked at together."""
MESSAGE_ID = re.compile(rb"^message-id:\s*(<[!-~]+>)", re.IGNORECASE | re.MULTILINE)


@define
class Host:
    """A host with its store.

    `address` is where it is written to, `secret` what its keys are made with, `owner` the address of whoever runs it
    ("" for nobody), `required` what a mail server has to have found about the sender of a mail, if anything. With
    `pictures` letters get one when they go out, where their readers wish it; `missing_pictures` tells why some went without.
    """

    store: Store
    address: str
    secret: bytes
    send: Send
    owner: str = ""
    required: Required | None = None
    pictures: bool = False
    missing_pictures: list[str] = field(factory=list)

    def open(self, game: str, record: Record, now: datetime) -> None:
        """Take in a new game and write its first letters. Raises ValueError where the game cannot be hosted."""
        refused = [str(r) for seat in range(len(record.seats)) if isinstance(r := address_of(record, seat), Refusal)]
        if refused:
            raise ValueError("; ".join(refused))
        outcome = service.begin(record, now)
        with self.store.writing() as transaction:
            if transaction.game(game) is not None:
                raise ValueError(f"there is already a game {game}")
            transaction.add(_stored(game, outcome))
            self._post(transaction, game, outcome)

    def change(self, game: str, change: Callable[[HostedGame], Outcome]) -> Outcome:
        """Change a game as whoever keeps it says. Raises LookupError where there is no such game."""
        with self.store.writing() as transaction:
            stored = transaction.game(game)
            if stored is None:
                raise LookupError(f"there is no game {game}")
            outcome = change(HostedGame.stored(stored.record, stored.memory))
            transaction.save(_stored(game, outcome))
            self._post(transaction, game, outcome)
        return outcome

    @cites("mail.kept")
    def fetch(self, inbox: Inbox, now: datetime) -> int:
        """Keep the mails of an inbox; how many were new."""
        new = 0
        mails: list[tuple[str, bytes]] = []
        try:
            for mail in inbox.arrived():
                mails.append(mail)
                if len(mails) == self.store.together or sum(len(raw) for _, raw in mails) > FETCHED_BYTES:
                    together, mails = mails, []
                    new += self._keep(inbox, together, now)
        finally:  # an inbox that fails does so behind the mails that it gave out
            new += self._keep(inbox, mails, now)
        return new

    def work(self, now: datetime) -> int:
        """Carry out what the kept mails ask for; how many were done."""
        waiting = self.store.waiting()
        for mails in _runs(waiting, self.store.together):
            if len(mails) == 1:
                self._work_on(mails[0].number, now)
            else:
                numbers = self.store.attempt_all([mail.number for mail in mails])
                with self.store.writing() as transaction:
                    for number in numbers:
                        self._do(transaction, number, now)
        return len(waiting)

    @cites("post.clock.out")
    def tick(self, now: datetime) -> int:
        """Do what the clocks of games ask for by now; for how many games.

        Mails that came before are carried out first: while one waits, clocks are looked at as if it were just coming.
        """
        until = _earlier(now, self.store.oldest_waiting())
        done = 0
        for name in self.store.due(until):
            try:
                done += self._tick(name, until)
            except DatabaseError:
                raise
            except Exception as error:  # noqa: BLE001 - a defect of ours: the other games go on
                with self.store.writing() as transaction:
                    transaction.postpone(name, _error_text(error), now)
        return done

    def deliver(self, now: datetime, most: int | None = None) -> int:
        """Send what is to be sent, or so many letters at most; how many went out.

        Pictures are drawn before a letter is locked for sending. Where another worker is at the same letters, they are left
        to it.
        """
        out, after = 0, 0
        while waiting := self.store.outgoing(now, after, TOGETHER if most is None else most):
            for after, mail in waiting:
                tried = self.store.send(after, partial(self._send, finished(mail)), now)
                if tried is None:
                    return out
                out += tried.gone
                if tried.refused:
                    with self.store.writing() as transaction:
                        self._came_back(transaction, tried.message_id, tried.address, tried.refused, now)
            if most is not None:
                break
        return out

    def _send(self, letter: Finished, address: str) -> None:
        """Send a letter as it goes out."""
        self.send(address, letter.mail)
        self.missing_pictures += letter.missing_pictures

    # -- one mail -----------------------------------------------------------------------------------------

    def _keep(self, inbox: Inbox, mails: Sequence[tuple[str, bytes]], now: datetime) -> int:
        """Keep mails and tell the inbox; how many were new."""
        new = self.store.keep_all([raw for _, raw in mails], now) if mails else 0
        for name, _ in mails:
            inbox.fetched(name)
        return new

    def _work_on(self, number: int, now: datetime) -> None:
        """Carry out a mail in a transaction of its own, or put it aside where the program died over it too often."""
        tries = self.store.attempt(number)
        with self.store.writing() as transaction:
            if tries <= MOST_TRIES:
                self._do(transaction, number, now)
            elif transaction.mail(number) is not None:
                transaction.finish(number, QUARANTINED, f"the program crashed on it {MOST_TRIES} times")

    def _do(self, transaction: Transaction, number: int, now: datetime) -> None:
        """Carry out a mail that nobody else is at; where that fails nothing of it is done, and it is put aside."""
        mail = transaction.mail(number)
        if mail is None:
            return
        try:
            with transaction.apart():
                self._carry_out(transaction, mail, now)
        except DatabaseError:
            raise
        except Exception as error:  # noqa: BLE001 - a defect of ours: the mail is kept for whoever mends it
            transaction.finish(number, QUARANTINED, _error_text(error))

    def _carry_out(self, transaction: Transaction, mail: Incoming, now: datetime) -> None:
        """Do what a mail asks for."""
        taken = take_in(mail.raw)
        if isinstance(taken, Refusal):
            self._reported(transaction, mail.raw, now)
            self._unread(transaction, mail, taken)
            transaction.finish(mail.id, FILED, str(taken))
            return
        refusal = self._ordered(transaction, mail, taken)
        if refusal is not None:
            transaction.finish(mail.id, FILED, str(refusal))

    def _ordered(self, transaction: Transaction, mail: Incoming, taken: Intake) -> Refusal | None:
        """Carry out the orders of a mail that was read; why it is only filed, if it is."""
        allowed = transaction.key(_possible_keys(taken))
        if allowed is None:
            return Refusal(KEY, "The mail has no key from a mail of this host")
        game = transaction.game(allowed.game)
        assert game is not None
        hosted = HostedGame.stored(game.record, game.memory)
        if hosted.address(allowed.seat).lower() != taken.sender:
            return self._doubt(transaction, game, hosted, allowed, mail, taken)
        if self.required and (refusal := unauthenticated(mail.raw, taken.sender, self.required)):
            return refusal
        if taken.message_id and not transaction.first_time(taken.sender, taken.message_id):
            return Refusal(DUPLICATE, "The mail came before")
        transaction.reached(taken.sender)
        orders, offer = read_reply(transaction, self.secret, hosted, allowed, taken)
        outcome = service.receive(hosted, allowed.seat, orders, mail.received, allowed.turn, offer)
        limit = limited(transaction, game.id, allowed.seat, orders, hosted, outcome, mail.received)
        if limit is not None:
            if limit.notice is not None:
                self._post(transaction, game.id, evolve(outcome, game=hosted, letters=(limit.notice,)), taken)
            return limit.refusal
        transaction.save(_stored(game.id, outcome))
        if back := _taken_back(hosted, outcome.game):
            transaction.bind_keys(game.id, min(back))
        self._post(transaction, game.id, outcome, taken)
        transaction.finish(mail.id, DONE, game=game.id)
        return None

    @cites("mail.other-address")
    def _doubt(  # noqa: PLR0917 - the game, its key, and the mail
        self, transaction: Transaction, game: StoredGame, hosted: HostedGame, key: Key, mail: Incoming, taken: Intake
    ) -> Refusal:
        """Ask the player whose key a mail carries whether it is theirs; the sender is never written to, and nothing is played."""
        refusal = Refusal(SENDER, f"{taken.sender} is not the address that the key was sent to")
        address = hosted.address(key.seat).lower()
        if not address or (taken.message_id and not transaction.first_time(taken.sender, taken.message_id)):
            return refusal
        if asked_often(transaction, address, mail.received):
            return refusal
        orders, offer = read_reply(transaction, self.secret, hosted, key, taken)
        outcome = service.doubted(hosted, key.seat, orders, taken.sender, mail.received, key.turn, offer)
        transaction.save(evolve(game, memory=outcome.game.memory_text))
        self._post(transaction, game.id, outcome, _unthreaded(taken))
        return refusal

    @cites("mail.unread")
    def _unread(self, transaction: Transaction, mail: Incoming, refusal: Refusal) -> None:
        """Tell the player whose key a mail carries that it could not be read. Nobody else is written to."""
        seen = take_in_partly(mail.raw)
        allowed = transaction.key(_possible_keys(seen)) if seen else None
        game = transaction.game(allowed.game) if allowed else None
        if seen and allowed and game:
            hosted = HostedGame.stored(game.record, game.memory)
            notice = unread(transaction, hosted, allowed.seat, seen, refusal, mail.received)
            if notice is not None:
                own = hosted.address(allowed.seat).lower() == seen.sender
                self._post(transaction, game.id, Outcome(hosted, (notice,)), seen if own else _unthreaded(seen))

    # -- letters that came back ---------------------------------------------------------------------------

    @cites("mail.bounce")
    def _reported(self, transaction: Transaction, raw: bytes, now: datetime) -> None:
        """Note a letter of ours that a mail reports as not delivered; the letter's key shows that the report is true."""
        bounce = report(raw)
        if bounce is None:
            return
        key = transaction.key(bounce.keys)
        for letter_id in bounce.letters:
            letter = transaction.letter(letter_id)
            if letter is None or key is None or key.game != letter[0]:
                continue
            game = transaction.game(key.game)
            if game is not None and HostedGame.stored(game.record, game.memory).address(key.seat) == letter[1]:
                self._came_back(transaction, letter_id, letter[1], bounce.reason, now)
                return

    def _came_back(self, transaction: Transaction, letter_id: str, address: str, reason: str, now: datetime) -> None:
        """Note that a letter came back; the owner is told once that a player is not reached."""
        if (
            address.lower() == self.owner.lower()
            or transaction.bounced(letter_id, address, reason, now) != MOST_BOUNCES
        ):
            return
        if is_address(self.owner):
            mail = unreachable(self.owner, self.address, address, reason, now)
            transaction.post([Outgoing(message_id(mail), "", self.owner, mail)])

    # -- the clock, and letters ---------------------------------------------------------------------------

    def _tick(self, name: str, until: datetime) -> int:
        """Do what the clock of a game asks for, in one transaction; how many games that were."""
        with self.store.writing() as transaction:
            until = _earlier(until, transaction.oldest_waiting())
            game = transaction.due_game(name, until)
            if game is None:
                return 0
            outcome = service.tick(HostedGame.stored(game.record, game.memory), until)
            transaction.save(_stored(name, outcome))
            self._post(transaction, name, outcome)
        return 1

    def _post(self, transaction: Transaction, game: str, outcome: Outcome, answered: Intake | None = None) -> None:
        """Put the letters into the outgoing mail, and make their keys valid."""
        given: dict[str, Key] = {}
        mails = []
        for letter in outcome.letters:
            address = outcome.game.address(letter.seat)
            if not address:
                continue  # a bot reads no letters
            after = course(outcome.game, letter.after)
            key = key_for(self.secret, game, letter.seat, letter.turn, after, letter.offer)
            given[key] = Key(game, letter.seat, letter.turn)
            is_answer = answered is not None and letter.kind in {"note", "again"}
            about = answered if is_answer else None
            name = outcome.game.player(letter.seat)
            pictures = self.pictures and outcome.game.memory.seats[letter.seat].pictures
            mail = compose(outcome.game.replay, letter, address, self.address, about, key, name, pictures=pictures)
            mails.append(Outgoing(message_id(mail), game, address, mail))
        transaction.allow(given)
        transaction.post(mails)


def _runs(waiting: Sequence[Waiting], most: int) -> Iterator[Sequence[Waiting]]:
    """Mails that are done together: some that were never tried, or one over which the program may have died."""
    run: list[Waiting] = []
    for mail in waiting:
        if run and (mail.tries or run[-1].tries or len(run) == most):
            yield run
            run = []
        run.append(mail)
    if run:
        yield run


@cites("mail.key")
def _taken_back(before: HostedGame, after: HostedGame) -> list[int]:
    """The turns that a mail has taken back. Keys that were made after one of them are good for that turn at most."""
    turns = zip(before.record.turns, after.record.turns, strict=False)
    return [was.number for was, turn in turns if turn.undone and not was.undone]


def _possible_keys(taken: Intake) -> list[str]:
    """The possible keys of a mail: in an address that it went to, then in its lines; each once, the first ones."""
    in_lines = islice(chain(keys_in_text(taken.lines), keys_in(taken.lines)), MOST_KEYS)
    return list(islice(dict.fromkeys(chain(taken.keys, in_lines)), MOST_KEYS))


def _unthreaded(taken: Intake) -> Intake:
    """A mail from another address than its player's, as it is answered: nothing of its headers gets into the answer."""
    return evolve(taken, message_id="", parents=(), subject="")


def message_id(mail: bytes) -> str:
    """The Message-ID of a letter, "" where it has none."""
    match = MESSAGE_ID.search(mail, 0, MOST_HEADER_BYTES)
    return match[1].decode("ascii") if match else ""


def _earlier(now: datetime, other: datetime | None) -> datetime:
    return min(now, other) if other else now


def _error_text(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def _stored(game: str, outcome: Outcome) -> StoredGame:
    hosted = outcome.game
    return StoredGame(game, hosted.record_text, hosted.memory_text, outcome.due, hosted.time.over)
