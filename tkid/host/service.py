"""The host: keep each mail, carry out its orders, send letters, repeat unfinished work after a crash."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from functools import partial
from math import inf
from secrets import token_bytes
from time import monotonic

from attrs import define, evolve, field

from tkid.host.letters import ClubMailService
from tkid.host.mails import Mails, find_earlier, open_stored
from tkid.host.published_folder import Watch
from tkid.host.settings import HOLD
from tkid.host.store.connection import DATABASE_ERRORS, DatabaseError
from tkid.host.store.schema import QUARANTINED
from tkid.host.store.store import Store, Waiting, sort_in_turn
from tkid.host.store.transaction import Transaction
from tkid.host.transports import Inbox, Send
from tkid.mail import game_service
from tkid.mail.envelope import Required
from tkid.mail.game_service import HostedGame, Outcome
from tkid.mail.letter_html import finish_letter
from tkid.mail.model import ClubTerms
from tkid.record.format.model import Record
from tkid.record.format.seal import BYTES
from tkid.rulebook import cites

MAX_TRIES = 3
"""Maximum number of tries of a mail that makes the process die; then it is put aside."""
FETCHED_BYTES = 4 << 20
"""Mails are kept together as long as they are not larger."""
MAX_FETCHED = 100 << 20
"""Maximum number of bytes that are fetched from an inbox in one round."""
MAX_LEFT = 200
"""Maximum number of mails without room that are looked at in one round."""
MIN_WAITING_MAILS = 20
"""Number of waiting mails below which mails that found no room are tried again."""
CLAIMED_AT_ONCE = 50
"""Number of mails of which a worker takes the first that is free."""
Draw = Callable[[], bytes]
LETTERS_AT_ONCE = 20
"""Number of letters that are looked at together."""


@define
class Host:
    """A host with its store.

    `address` is the host's own, `secret` is used to make its keys, `owner` is the address of the person who runs
    it ("" for none), `required` is what a mail server must have found about the sender of a mail, if anything.
    With `pictures` letters get one when they go out, if their readers wish it; `missing_pictures` lists why some
    went without. `club` are the terms on which the club takes people in, `watch` notifies other parts of changes.
    `draw` draws the bytes that a new game is dealt from. `fetched` is called with each new mail and its time;
    `drawing` gives the source of random numbers for a mail. `left` are mails for which there was no room: they
    stay in the inbox, and the others there are looked at before they are tried again. `hold` is the time that a
    turn waits if the mail also has unknown words.
    """

    store: Store
    address: str
    secret: bytes
    send: Send
    owner: str = ""
    required: Required | None = None
    pictures: bool = False
    club: ClubTerms = field(factory=ClubTerms)
    watch: Watch = field(factory=Watch)
    draw: Draw = field(default=partial(token_bytes, BYTES))
    fetched: Callable[[bytes, datetime], object] = lambda _, __: None
    drawing: Callable[[bytes, Draw], Draw] = lambda _, draw: draw
    missing_pictures: list[str] = field(factory=list)
    left: set[str] = field(factory=set)
    hold: timedelta = timedelta(minutes=HOLD)

    @property
    def visitors(self) -> ClubMailService:
        """The reader of mails that carry no key of a game."""
        return ClubMailService(self.address, self.secret, self.owner, self.required, self.club)

    @property
    def mails(self) -> Mails:
        return Mails(self.visitors, self.watch, self.pictures, self.draw, self.hold)

    def open_game(self, game: str, record: Record, now: datetime) -> None:
        """Take in a new game and write its first letters. Raises ValueError if the game cannot be hosted."""
        with self.store.begin_transaction() as transaction:
            self.mails.admit_game(transaction, game, record, now)

    def change_game(self, game: str, change: Callable[[HostedGame], Outcome]) -> Outcome:
        """Change a game. Raises LookupError if there is no such game."""
        with self.store.begin_transaction() as transaction:
            found = transaction.get_game(game)
            if found is None:
                raise LookupError(f"there is no game {game}")
            outcome = change(found.read_hosted())
            self.mails.save_change(transaction, game, outcome)
        return outcome

    @cites("mail.kept")
    def fetch_mails(self, inbox: Inbox, now: datetime) -> int:
        """Keep the mails of an inbox, up to some bytes; return how many were new. Those without room stay there."""
        if self.left and len(self.store.list_waiting()) < MIN_WAITING_MAILS:
            self.left.clear()
        new, kept, left = 0, 0, len(self.left)
        mails: list[tuple[str, bytes]] = []
        try:
            for mail in inbox.list_arrived(frozenset(self.left)):
                mails.append(mail)
                kept += len(mail[1])
                if len(mails) == self.store.together or sum(len(raw) for _, raw in mails) > FETCHED_BYTES:
                    together, mails = mails, []
                    new += self._keep_mails(inbox, together, now)
                    kept -= sum(len(raw) for name, raw in together if name in self.left)
                if kept > MAX_FETCHED or len(self.left) > left + MAX_LEFT:
                    break
        finally:  # an inbox that fails does so behind the mails that it gave out
            new += self._keep_mails(inbox, mails, now)
        return new

    @cites("mail.turns")
    def work_on_all(self, now: datetime, most: int | None = None) -> int:
        """Carry out the kept mails that no other worker has, in turn by sender, all or at most some; return their number."""
        waiting, done = sort_in_turn(self.store.list_waiting(), most), 0
        if self.store.together > 1:
            return sum(self._carry_out(numbers, now) for numbers in _group_mails(waiting, self.store.together))
        left = [mail.number for mail in waiting]
        while left:  # other workers have some of them, so each transaction is for the first that is free
            some = left[:CLAIMED_AT_ONCE]
            done += self._carry_out(some, now)
            left = left[some.index(self.store.trying) + 1 if self.store.trying else len(some) :]
        return done

    def work_on_oldest(self, now: datetime) -> int:
        """Carry out the mails that wait longest, those that came together; return the number that no other worker had."""
        waiting = self.store.list_waiting()
        first = min((mail.received for mail in waiting), default="")
        together = sort_in_turn([mail for mail in waiting if mail.received == first])
        return sum(self._carry_out([mail.number], now) for mail in together)

    @cites("post.clock.out")
    def run_clocks(self, now: datetime, seconds: float = inf) -> int:
        """Apply the clocks of games up to now, for about some `seconds`; return the number of games.

        Mails that came before are carried out first: while one waits, clocks are read as of its arrival.
        """
        until = find_earlier(now, self.store.find_oldest_waiting())
        done, end = 0, monotonic() + seconds
        for name in self.store.list_due_games(until):
            if done and monotonic() > end:
                break
            try:
                done += self._apply_clock(name, until)
            except DatabaseError:
                raise
            except Exception as error:  # noqa: BLE001 - a defect of ours: the other games go on
                with self.store.begin_transaction() as transaction:
                    transaction.postpone_game(name, _describe_error(error), now)
        return done

    def send_letters(self, now: datetime, most: int | None = None) -> int:
        """Send the waiting letters, or try at most some; return how many went out.

        A letter that another worker has is left to it, and so are the later ones about the same game. They have the
        same picture, which is thus drawn once, and each reader gets the letters about a game in their order.
        """
        out, after, left, busy = 0, 0, most, set[str]()
        while waiting := self.store.list_outgoing(now, after, LETTERS_AT_ONCE):
            after = waiting[-1].number
            for letter in waiting:
                if left == 0:
                    return out
                tried = None if letter.about in busy else self.store.send_letter(letter, self._send_letter, now)
                if tried is None:
                    busy.add(letter.about)
                    continue
                left = left and left - 1
                out += tried.gone
                if tried.refused:
                    with self.store.begin_transaction() as transaction:
                        self.visitors.note_returned(transaction, tried.message_id, tried.address, tried.refused, now)
        return out

    def _send_letter(self, address: str, mail: bytes) -> None:
        letter = finish_letter(mail)
        self.send(address, letter.mail)
        self.missing_pictures += letter.missing_pictures

    def _keep_mails(self, inbox: Inbox, mails: Sequence[tuple[str, bytes]], now: datetime) -> int:
        """Keep mails and tell the inbox; return the number of new ones."""
        taken = self.store.take_mails([raw for _, raw in mails], now) if mails else []
        for (name, _), new in zip(mails, taken, strict=True):
            if new is None:
                self.left.add(name)
            else:
                inbox.mark_fetched(name)
        for (_, raw), new in zip(mails, taken, strict=True):
            if new:
                self.fetched(raw, now)
        return sum(map(bool, taken))

    def _carry_out(self, numbers: Sequence[int], now: datetime) -> int:
        """Carry out mails in one transaction, if no other worker has them; return how many were tried.

        If it fails, each is tried alone. Those that fail alone are put aside.
        """
        try:
            with self.store.begin_attempt(numbers) as transaction:
                if transaction is None:
                    return 0
                numbers = [self.store.trying] if self.store.trying else numbers
                for number in numbers:
                    self._carry_out_mail(transaction, number, now)
        except DATABASE_ERRORS:
            raise
        except Exception as error:  # noqa: BLE001 - a defect of ours: the mail is kept until it is fixed
            if len(numbers) > 1:
                for number in numbers:
                    self._carry_out([number], now)
            else:
                with self.store.begin_transaction() as transaction:
                    if transaction.get_mail(numbers[0]) is not None:  # another worker may have it, or have finished it
                        transaction.finish_mail(numbers[0], QUARANTINED, _describe_error(error))
        return len(numbers)

    def _carry_out_mail(self, transaction: Transaction, number: int, now: datetime) -> None:
        """Carry out a mail that no other worker has, or put it aside if the program died over it too often."""
        mail = transaction.get_mail(number)
        if mail is None:
            return
        if mail.tries > MAX_TRIES:
            transaction.finish_mail(number, QUARANTINED, f"the program crashed on it {MAX_TRIES} times")
            return
        mail = evolve(mail, received=min(mail.received, now))  # a clock that was wrong when it came decides nothing
        mails = evolve(self.mails, draw=self.drawing(mail.raw, self.draw))
        mails.carry_out(transaction, mail, now)

    def _apply_clock(self, name: str, until: datetime) -> int:
        """Apply the clock of a game in one transaction; return 1, or 0 if nothing was due."""
        with self.store.begin_transaction() as transaction:
            until = find_earlier(until, transaction.find_oldest_waiting())
            game = transaction.get_due_game(name, until)
            if game is None:
                return 0
            outcome = game_service.run_clock(game.read_hosted(), until)
            transaction.save_game(open_stored(name, outcome))
            self.mails.post_letters(transaction, name, outcome)
        return 1


def _group_mails(waiting: Sequence[Waiting], most: int) -> Iterator[list[int]]:
    """Group the numbers of mails that are carried out together: some never tried, or a single one at which the program may have died."""
    run: list[int] = []
    tried = 0
    for mail in waiting:
        if run and (mail.tries or tried or len(run) == most):
            yield run
            run = []
        run.append(mail.number)
        tried = mail.tries
    if run:
        yield run


def _describe_error(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"
