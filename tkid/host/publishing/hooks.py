"""Webhooks: what is to be told is kept in the database, and told in threads of its own, for three days at most."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from hashlib import sha256
from hmac import new as hmac
from queue import Empty, SimpleQueue
from threading import Thread

from attrs import define, evolve, field, frozen

from tkid.club import values
from tkid.club.members import KIND as MEMBER
from tkid.club.members import Member
from tkid.club.pages.events import END, TURN, end_event, turn_event, turns_of
from tkid.club.pages.facts import GameFacts, facts_of
from tkid.club.pages.frame import Club
from tkid.host.publishing.changes import CHANGED, HOOK
from tkid.host.publishing.people import People, Roster
from tkid.host.publishing.sending import HookError, Target, send
from tkid.host.store.documents import Document
from tkid.host.store.store import Store
from tkid.host.store.transaction import StoredGame, Transaction
from tkid.mail.game.hosted_game import HostedGame
from tkid.record.play.replay import Replay
from tkid.rulebook import cites

EVENT, TOLD, URL = "event ", "told ", "url "
"""What the ids of documents begin with: something to tell; what was told of a game; the address for one game."""
MOST_AT_ONCE = 4
"""So many webhooks are on their way at once."""
PATIENCE = 2.0
"""Seconds for which a round waits for webhooks that it has just sent; slower ones are heard of in a later round."""
PAUSES = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 30, 120, 300, 600, 840, 1200))
LONGEST = timedelta(days=3)
"""For so long something is tried."""


@frozen
class Event:
    """Something to tell: of which game, a turn (by number) or the end, to which kind of address.

    `since` is when it was noted, `tries` how often it was tried, `error` why it did not arrive.
    """

    game: str
    what: str
    turn: int
    own: bool
    since: datetime
    tries: int = 0
    error: str = ""


@frozen
class Told:
    """How far a game was told: the last turn, and whether it was over."""

    turn: int = 0
    over: bool = False


@define
class Hooks:
    """The webhooks of a host. `target` gives the host's own address and secret, None where it has none.

    `secret` is the host's, from which the secrets of games' addresses follow; `delay` is by how many turns games are late.
    """

    secret: bytes
    club: Club
    delay: int = 0
    target: Callable[[], Target | None] = lambda: None
    send: Callable[[Target, str, int, bytes], None] = send
    patience: float = PATIENCE
    _answers: SimpleQueue[tuple[str, str]] = field(factory=SimpleQueue)
    _on_their_way: set[str] = field(factory=set)

    def chore(self, store: Store, now: datetime) -> int:
        """Note what is to be told, and tell it; how many webhooks arrived or were given up."""
        with store.writing() as transaction:
            due = transaction.documents.due(HOOK, now)
            for each in due:
                if each.id.startswith(CHANGED):
                    self._note(transaction, each.id.removeprefix(CHANGED), now)
                    transaction.documents.drop(HOOK, each.id)
        done = self._heard(store, now, wait=0.0)
        started = self._claimed(store, now)
        for name, letter in started:
            self._start(name, letter, now)
        return done + (self._heard(store, now, wait=self.patience) if started else 0)

    # -- what is to be told -------------------------------------------------------------------------------

    def _note(self, transaction: Transaction, game: str, now: datetime) -> None:
        """Note the turns and the end of a game that were not told yet."""
        stored = transaction.game(game)
        if stored is None:
            return
        kinds = [own for own in (False, True) if self._target(transaction, game, own=own) is not None]
        facts, shown = self._shown(transaction, stored)
        numbers = turns_of(shown)
        kept = transaction.documents.get(HOOK, f"{TOLD}{game}")
        before = values.read(kept.data, Told) if kept else Told(numbers[-2] if len(numbers) > 1 else 0)
        told = Told(numbers[-1] if numbers else 0, facts.over)
        news = [(TURN, number) for number in numbers if number > before.turn]
        news += [(END, told.turn)] if told.over and not before.over else []
        for what, turn in news:
            for own in kinds:
                event = Event(game, what, turn, own, now)
                transaction.documents.put(Document(HOOK, f"{EVENT}{self._name(event)}", values.write(event), now))
        transaction.documents.put(Document(HOOK, f"{TOLD}{game}", values.write(told)))

    @cites("club.hooks.sent")
    def _name(self, event: Event) -> str:
        """The id of a webhook: the same each time that it is tried."""
        named = f"tkid hook 1\n{event.game}\n{event.what}\n{event.turn}\n{event.own}"
        return f"msg_{hmac(self.secret, named.encode(), sha256).hexdigest()[:32]}"

    def _shown(self, transaction: Transaction, stored: StoredGame) -> tuple[GameFacts, Replay]:
        """A game as it is published now."""
        members = [Member.read(each.data) for each in transaction.documents.every(MEMBER)]
        people, hosted = People.of(self.secret, members, {}), HostedGame.stored(stored.record, stored.memory)
        cast, persons = people.cast(stored.id, Roster.of(hosted))
        return facts_of(hosted.replay, cast, people.slug(stored.id, cast), [each.page for each in persons], self.delay)

    def _target(self, transaction: Transaction, game: str, *, own: bool) -> Target | None:
        """Where something is told: to the host's address, or to the game's own."""
        if not own:
            return self.target()
        url = transaction.documents.get(HOOK, f"{URL}{game}")
        return Target(url.data, game_secret(self.secret, game, url.data)) if url else None

    # -- telling ------------------------------------------------------------------------------------------

    def _claimed(self, store: Store, now: datetime) -> list[tuple[str, tuple[Target, bytes]]]:
        """Some of what is due, with where it goes; each is noted as tried before it is sent."""
        claimed: list[tuple[str, tuple[Target, bytes]]] = []
        with store.writing() as transaction:
            for each in transaction.documents.due(HOOK, now):
                if not each.id.startswith(EVENT) or len(self._on_their_way) >= MOST_AT_ONCE:
                    continue
                event, letter = values.read(each.data, Event), None
                if now - event.since <= LONGEST:
                    letter = self._letter(transaction, event)
                if letter is None:
                    transaction.documents.drop(HOOK, each.id)
                    continue
                pause = PAUSES[min(event.tries, len(PAUSES) - 1)]
                tried = evolve(event, tries=event.tries + 1)
                transaction.documents.put(Document(HOOK, each.id, values.write(tried), now + pause))
                claimed.append((each.id, letter))
                self._on_their_way.add(each.id)
        return claimed

    def _letter(self, transaction: Transaction, event: Event) -> tuple[Target, bytes] | None:
        """Where an event goes, and its text as it is published now; None where there is nothing to tell any more."""
        stored, target = transaction.game(event.game), self._target(transaction, event.game, own=event.own)
        if stored is None or target is None:
            return None
        facts, shown = self._shown(transaction, stored)
        if event.what == END:
            return (target, end_event(self.club, facts).encode()) if facts.over else None
        text = turn_event(self.club, facts, shown, event.turn)
        return (target, text.encode()) if text else None

    def _start(self, name: str, letter: tuple[Target, bytes], now: datetime) -> None:
        """Send a webhook in a thread of its own: however slow its server is, the host goes on."""
        target, body = letter

        def sending() -> None:
            error = ""
            try:
                self.send(target, name.removeprefix(EVENT), int(now.timestamp()), body)
            except HookError as problem:
                error = str(problem)
            except Exception as problem:  # noqa: BLE001 - whatever it is, it is tried again
                error = f"{type(problem).__name__}: {problem}"
            self._answers.put((name, error))

        Thread(target=sending, daemon=True, name=name).start()

    def _heard(self, store: Store, now: datetime, wait: float) -> int:
        """Note which webhooks arrived; those that did not are tried again."""
        done = 0
        while self._on_their_way:
            try:
                name, error = self._answers.get(timeout=wait) if wait else self._answers.get_nowait()
            except Empty:
                break
            self._on_their_way.discard(name)
            with store.writing() as transaction:
                kept = transaction.documents.get(HOOK, name)
                if kept is None:
                    continue
                event = values.read(kept.data, Event)
                if error and now - event.since <= LONGEST:
                    transaction.documents.put(evolve(kept, data=values.write(evolve(event, error=error))))
                    continue
                transaction.documents.drop(HOOK, name)
                done += 1
        return done


def game_secret(secret: bytes, game: str, url: str) -> bytes:
    """The secret that signs what is told of one game at an address of its own."""
    return hmac(secret, f"tkid hook secret 1\n{game}\n{url}".encode(), sha256).digest()


def waiting(transaction: Transaction) -> list[Event]:
    """What is still to be told."""
    documents = transaction.documents.every(HOOK)
    return [values.read(each.data, Event) for each in documents if each.id.startswith(EVENT)]


def addresses(transaction: Transaction) -> dict[str, str]:
    """The addresses that games have of their own, by game."""
    documents = transaction.documents.every(HOOK)
    return {each.id.removeprefix(URL): each.data for each in documents if each.id.startswith(URL)}
