"""Clubs of any size, made of a few games that are played once; and mails with turns in some of their games."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta
from functools import cache
from random import Random

from attrs import evolve

from tests.club.clubs import START, hosted
from tests.host.year.players import TIME, examples, reply
from tests.mail.mails import parsed
from tkid.club.members import Member
from tkid.host.service import Host
from tkid.host.store.store import Store
from tkid.host.store.transaction import Key, StoredGame
from tkid.mail.game_service import HostedGame, ask_for_turn
from tkid.mail.marker import make_key
from tkid.mail.message import compose_mail
from tkid.record.format.model import Header, Seat
from tkid.record.play.writer import write_record

PLAYERS = ("Ann Archer", "Bob Baker", "Cal Carter", "Dee Dyer")


@cache
def templates(kinds: int) -> tuple[HostedGame, ...]:
    """Games of two and four players, in turn one that goes on and one that is over."""
    people = [f"{name} <{name.split()[0].lower()}@example.org>" for name in PLAYERS]
    made = []
    for number in range(kinds):
        some, start = people[: 2 + 2 * (number % 2)], START + timedelta(days=number)
        made += [hosted(some, seed=f"large {number}", turns=turns, start=start) for turns in (8 + 2 * number, None)]
    return tuple(made)


def player(number: int) -> Seat:
    """A player by number."""
    name = PLAYERS[number % len(PLAYERS)]
    return Seat(f"{name} {number}", f"{name.split()[0].lower()}{number}@example.org")


def copy_game(template: HostedGame, seats: Sequence[Seat]) -> HostedGame:
    """A game with other players, who were told of all turns. Its hashes are made again; it has no seal, as nobody drew it."""
    of = template.record
    headers = [header for header in of.headers if header.name not in {"Seat", "Seal"}]
    headers += [Header("Seat", f"{seat.name} <{seat.address}>") for seat in seats]
    turns = tuple(evolve(turn, hash="") for turn in of.turns)
    record = evolve(of, seats=tuple(seats), headers=tuple(headers), turns=turns)
    made = HostedGame.read_stored(write_record(record), template.memory_text)
    memory = made.memory
    for seat in made.seats:
        memory = memory.with_seat(seat, told=made.turns)
    return evolve(made, memory=evolve(memory, asked=made.turn_id))


def fill(store: Store, numbers: Iterable[int], seats: Iterable[Sequence[Seat]], kinds: int) -> None:
    """Keep games of these numbers, each with its players, and the players as members."""
    with store.begin_transaction() as transaction:
        for number, players in zip(numbers, seats, strict=True):
            template = templates(kinds)[number % (2 * kinds)]
            game = copy_game(template, players[: len(template.seats)])
            stored = StoredGame(f"game-{number}", game.record_text, game.memory_text, None, game.time.over)
            transaction.add_game(stored)
            for seat in game.record.seats:
                transaction.documents.store_document(Member.make_new(seat.address, seat.name).document)


def fill_at_random(store: Store, games: int, kinds: int, rng: Random) -> None:
    """Keep so many games, of as many people."""
    for first in range(0, games, 500):
        numbers = range(first, min(games, first + 500))
        fill(store, numbers, [[*map(player, rng.sample(range(max(games, 4)), 4))] for _ in numbers], kinds)


def turn_mails(host: Host, games: Iterable[str]) -> Iterator[bytes]:
    """Mails with the next turns of some games; their keys are made."""
    for name in games:
        stored = host.store.get_game(name)
        assert stored is not None
        game = stored.read_hosted()
        letter = ask_for_turn(game.replay, TIME)
        assert letter is not None
        key = make_key(host.secret, name, letter.seat, letter.turn, letter.after)
        with host.store.begin_transaction() as transaction:
            transaction.allow_keys({key: Key(name, letter.seat, letter.turn)})
        seat = game.record.seats[letter.seat]
        asked = parsed(compose_mail(game.replay, letter, seat.address, host.address, key=key))
        mail = reply(asked, examples(asked)[0], "Xyz", hash((name, game.turns)) % 10**9)
        yield mail.replace(b"Xyz <xyz@example.org>", f"{seat.name} <{seat.address}>".encode(), 1)
