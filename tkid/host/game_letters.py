"""The letters of a game as mails with keys, put into the outgoing mail within a transaction."""

from __future__ import annotations

from attrs import frozen

from tkid.club.members import FORMER
from tkid.club.members import KIND as MEMBER
from tkid.club.observers import KIND as OBSERVER
from tkid.host.publishing.changes import HOOK, Watch
from tkid.host.reply_reader import course
from tkid.host.store.transaction import Key, Outgoing, Transaction, message_id
from tkid.host.visitors.calendars import calendar_files
from tkid.host.visitors.kept_back import kept_back
from tkid.mail.desk.service import HostedGame, Outcome
from tkid.mail.keys import key_for
from tkid.mail.letters.blocks import Letter
from tkid.mail.letters.message import ANSWERS, compose
from tkid.mail.model import Intake
from tkid.rulebook import cites


@frozen
class GameLetters:
    """Writes the letters of games: from which address, with which secret for the keys, and whether with pictures."""

    address: str
    secret: bytes
    watch: Watch
    pictures: bool

    def post(self, transaction: Transaction, game: str, outcome: Outcome, answered: Intake | None = None) -> None:
        """Put the letters into the outgoing mail, make their keys valid, and note that the game has changed."""
        addresses = {outcome.game.address(seat).lower() for seat in outcome.game.seats}
        transaction.documents.look_up(
            [(kind, each) for each in sorted(addresses) for kind in (MEMBER, FORMER)]
            + [(HOOK, f"url {game}"), (OBSERVER, game)]
        )
        self.watch.changed(transaction, game)
        given: dict[str, Key] = {}
        mails = []
        for letter in outcome.letters:
            address = outcome.game.address(letter.seat)
            about = answered if letter.kind in ANSWERS else None
            if letter.to:
                mails.append(self._to_former(game, outcome.game, letter, about))
                continue
            if not address:
                continue  # a bot reads no letters
            if kept_back(transaction, game, outcome.game, letter, address, letter.time):
                continue
            after = course(outcome.game, letter.after)
            key = key_for(self.secret, game, letter.seat, letter.turn, after, letter.offer)
            given[key] = Key(game, letter.seat, letter.turn)
            name = outcome.game.player(letter.seat)
            pictures = self.pictures and outcome.game.memory.seats[letter.seat].pictures
            files = calendar_files(transaction, game, outcome.game, letter, address)
            mail = compose(
                *(outcome.game.public, letter, address, self.address, about, key, name),
                pictures=pictures,
                attached=files,
                opened=outcome.game.time.over,
            )
            mails.append(Outgoing(message_id(mail), game, address, mail))
        transaction.allow(given)
        transaction.post(mails)

    @cites("post.end", "post.stand-in.told")
    def _to_former(self, name: str, game: HostedGame, letter: Letter, about: Intake | None) -> Outgoing:
        """A letter to somebody whose seat somebody else plays now: without a key."""
        known = (game.public, letter, letter.to, self.address, about)
        mail = compose(*known, pictures=self.pictures, opened=game.time.over)
        return Outgoing(message_id(mail), name, letter.to, mail)
