"""A whole game of Claim by mail through a host on Maildirs, by players who give standing orders and copy what they are offered."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.host.year.players import TIME, address, examples, game, host, letters, reply, work
from tests.mail.mails import body
from tkid.host.transports import Maildir
from tkid.record.format.reader import read_record
from tkid.record.play.replay import Replay, replay

SEED = 20261121
ORDERS = {
    "Ann": "if led Goblin: play my lowest Goblin\nif led Undead: play my highest\nplay what is forced\nnotify tricks",
    "Bob": "if led anything: play my lowest until the phase ends\nlead my highest Knight\nnotify every turn",
}


def played_through(text: str) -> Replay:
    """A game as a store keeps it."""
    record = read_record(text.encode()).record
    assert record is not None
    return replay(record)


@pytest.mark.slow
def test_a_whole_game_with_standing_orders(tmp_path: Path) -> None:
    rng = Random(SEED)
    said: list[str] = []
    with host(tmp_path) as at:
        at.open_game("game", game(SEED, 2, "claim"), TIME)
        at.send_letters(TIME)
        number = 0
        begun = {name: letters(tmp_path, name)[-1] for name in ORDERS}
        for name, orders in ORDERS.items():
            number += 1
            Maildir(tmp_path / "in").add_mail(reply(begun[name], orders, name, number))
            work(at, tmp_path)
        newest = dict(begun)
        while True:
            for name in ORDERS:
                got = letters(tmp_path, name)
                said += map(body, got)
                asked = [letter for letter in got if "YOUR ANSWER" in body(letter)]
                newest[name] = asked[-1] if asked else newest[name]
            stored = at.store.get_game("game")
            assert stored is not None
            if stored.over:
                break
            now = played_through(stored.record)
            assert now.position.to_act is not None
            name = now.record.names[now.position.to_act]
            number += 1
            Maildir(tmp_path / "in").add_mail(reply(newest[name], rng.choice(examples(newest[name])), name, number))
            work(at, tmp_path)
            assert number <= 60, "every mail plays a card"
        counts = at.store.count_mails()
    played = played_through(stored.record)
    assert not played.problems
    assert len(played.record.turns) == 52
    mails = number - len(ORDERS)
    assert mails < 40, "standing orders play the rest"
    assert (counts["done"], counts["unsent"]) == (number, 0)
    told = " ".join(" ".join(said).split())
    assert told.count(" plays `") == 52 - mails, "each card that was played by itself is told, with its reason"
    assert "Plan 1 has ended: phase one is over." in told
    assert "Bob is next" in told
    for name in ORDERS:
        box = tmp_path / "out" / address(name) / "cur"
        assert any(b"Game over" in file.read_bytes() for file in box.iterdir()), name
