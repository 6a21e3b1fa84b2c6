"""What can be seen of a club when somebody writes: words for the places in braces of the tables of habits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from random import Random

from attrs import frozen

from tests.host.club.habits import RULESETS
from tests.host.club.people import Person
from tkid.club.club_state import Offers
from tkid.club.tournament import TOURNAMENT_KIND as TOURNAMENT
from tkid.club.tournament import Tournament
from tkid.host.store.store import Store
from tkid.host.store.transaction import StoredGame
from tkid.mail.game_clock import read_game_clock
from tkid.mail.game_service import HostedGame


@frozen
class Sight:
    """All that is there: games, tournaments that anybody may join, seats that are offered, filed mails that are kept."""

    games: tuple[StoredGame, ...]
    cups: tuple[str, ...]
    offers: Mapping[str, tuple[int, ...]]
    filed: tuple[int, ...]
    sure: tuple[int, ...]
    """The filed mails that the owner would carry out: a player wrote from another address."""

    @classmethod
    def of(cls, store: Store) -> Sight:
        """What is there now."""
        with store.begin_transaction() as transaction:
            offers = {
                each.id: Offers.read_text(each.data).seats for each in transaction.documents.list_documents(Offers.KIND)
            }
            filed = [mail for mail in transaction.filed.list_latest() if mail.raw]
        sure = [mail.number for mail in filed if b"@phone.example" in mail.raw]
        free = tuple(cup.name for cup in held(store).values() if cup.open and not cup.begun)
        return cls(tuple(store.list_games()), free, offers, tuple(mail.number for mail in filed), tuple(sure))

    def running(self, person: Person, *, plays: bool) -> list[str]:
        """The games that go on in which somebody plays, or does not."""
        return [game.id for game in self.games if not game.over and _has(game, person) == plays]

    def seats(self) -> Iterator[str]:
        """The seats that are offered, each as one writes it."""
        for game in self.games:
            if not game.over and game.id in self.offers:
                hosted = HostedGame.read_stored(game.record, game.memory)
                yield from (f"{hosted.names[seat]} of {game.id}" for seat in self.offers[game.id])

    def for_person(self, person: Person, others: Sequence[Person], rng: Random) -> dict[str, str]:
        """What a member writes about."""
        ruleset, friends = rng.choice(RULESETS), rng.sample(others, rng.choice((1, 1, 2)))
        friends = friends[:1] if ruleset == "claim" else friends
        choices = {
            "other": self.running(person, plays=False),
            "mine": self.running(person, plays=True),
            "over": [game.id for game in self.games if game.over and _has(game, person)],
            "cup": self.cups,
            "seat": list(self.seats()),
            "friend": [each.address for each in friends],
        }
        return {
            "ruleset": ruleset,
            "friends": ", ".join(f"{each.name} <{each.address}>" for each in friends),
            "seats": "2" if ruleset == "claim" else rng.choice(("2", "3")),
            "new": f"{person.name.lower()}{len(person.addresses)}@new.example",
            **{name: rng.choice(some) for name, some in choices.items() if some},
        }

    def for_owner(self, people: Sequence[Person], now: datetime, rng: Random) -> dict[str, str]:
        """What the owner of the host writes about, each game with one of its players."""
        running = [game for game in self.games if not game.over]
        rng.shuffle(running)
        known: dict[str, str] = {"day": (now + timedelta(days=3)).strftime("%Y-%m-%d"), "copy": f"copy-{now:%m%d%H}"}
        for stored in running:
            game = HostedGame.read_stored(stored.record, stored.memory)
            for word, seat in ((word, find(game, now)) for word, find in FOUND.items()):
                if seat is not None and word not in known:
                    known |= {word: stored.id, f"{word}_player": game.names[seat]}
            if "game" in known and "person" not in known and stored.id == known["game"]:
                free = [each for each in people if not _has(stored, each) and not each.blocks]
                alone = [each for each in people if game.find_address(game.to_act or 0) in each.addresses]
                known |= {"person": f"{free[0].name} <{free[0].address}>"} if free else {}
                known |= {"alias": f"{alone[0].name.lower()}{len(alone[0].addresses)}@new.example"} if alone else {}
            if set(FOUND) <= set(known):
                break
        for word, numbers in (("mail", self.filed), ("sure", self.sure)):
            known |= {word: str(numbers[0])} if numbers else {}
        return known


def held(store: Store) -> dict[str, Tournament]:
    """The tournaments, by name."""
    with store.begin_transaction() as transaction:
        return {each.id: Tournament.read_text(each.data) for each in transaction.documents.list_documents(TOURNAMENT)}


def _has(game: StoredGame, person: Person) -> bool:
    """Whether somebody is in a game's record."""
    return any(address in game.record for address in person.addresses)


def _acts(game: HostedGame, now: datetime) -> int | None:
    """Who is to act in a game whose clock runs."""
    plays = game.to_act is not None and game.time.seats[game.to_act].stand_in is None
    return game.to_act if plays and read_game_clock(game.time, now) is not None else None


def _played(game: HostedGame, now: datetime) -> int | None:
    """Who is to act in a game with turns that somebody could take back."""
    return _acts(game, now) if game.turns > 2 else None


def _paused(game: HostedGame, now: datetime) -> int | None:
    """The first seat of a game that is paused."""
    del now
    return 0 if game.time.paused is not None else None


def _stood(game: HostedGame, now: datetime) -> int | None:
    """A seat that somebody else plays whose player has not resigned."""
    del now
    return next((s for s in game.seats if game.time.seats[s].stand_in and game.time.seats[s].resigned is None), None)


FOUND: Mapping[str, Callable[[HostedGame, datetime], int | None]] = {
    "game": _acts,
    "played": _played,
    "paused": _paused,
    "stood": _stood,
}
"""How games are found for the owner: each with the seat that is meant."""
