"""A club for tests of its pages: games of people who play whatever is legal, with times, some over and some not."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256

from attrs import evolve

from tkid.host.store.store import Store
from tkid.host.store.transaction import StoredGame
from tkid.mail.hosted_game import BY_LOT, HostedGame, choose_bot_turn, start_clock
from tkid.mail.model import Document
from tkid.mail.plugin import find_mail_plugin
from tkid.record.clock import CLOCK, DEFAULT, write_clock
from tkid.record.clock_notes import Resigned
from tkid.record.format.model import Header
from tkid.record.format.new_game import new_record

START = datetime(2026, 9, 1, 9, tzinfo=UTC)
HOURS = timedelta(hours=7)


def hosted(  # noqa: PLR0917 - what a game is
    players: Sequence[str],
    ruleset: str = "second-edition",
    title: str = "",
    seed: str = "",
    turns: int | None = None,
    start: datetime = START,
    *,
    resigns: bool = False,
) -> HostedGame:
    """A game of some players (`Ann <ann@…>`), so many turns long, or to its end; one may resign then."""
    entropy = sha256(f"{title} {seed} {players}".encode()).digest()
    record = new_record(ruleset, list(players), entropy, title=title)
    record = evolve(record, headers=(*record.headers, Header(CLOCK, write_clock(DEFAULT))))
    game = HostedGame.make_new(start_clock(record, start))
    plugin, now = find_mail_plugin(record.game), start
    while (seat := game.to_act) is not None and (turns is None or game.turns < turns):
        now += HOURS
        alone = plugin.find_forced_turn(record.game, game.replay.position)
        text = alone[0] if alone else choose_bot_turn(game.view_as(seat), seat, BY_LOT)
        game = game.with_turn(text, now)
    if resigns and game.to_act is not None:
        game = game.with_line(Resigned(game.to_act, now + HOURS))
    return game


def person(name: str) -> str:
    """A player as `new_record` wants one."""
    return f"{name} <{name.split(maxsplit=1)[0].lower()}@example.org>"


def keep(store: Store, games: dict[str, HostedGame]) -> None:
    """Put games into a store, as a host keeps them, noted as changed."""
    with store.begin_transaction() as transaction:
        for name, game in games.items():
            stored = StoredGame(name, game.record_text, game.memory_text, None, game.time.over)
            if transaction.get_game(name) is None:
                transaction.add_game(stored)
            else:
                transaction.save_game(stored)
            transaction.documents.store_document(Document("page", name, sha256(stored.record.encode()).hexdigest()))
