"""What happens to a simulated club: days go by, the machine is down, is restored, its clock jumps; tournaments are held."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from email.message import EmailMessage
from random import Random

from tests.host.club.club import STEP, Club
from tests.host.club.owner import ORDERS
from tests.host.club.people import Person
from tests.host.club.sight import Sight, held
from tkid.mail.hosted_game import HostedGame

DAY = timedelta(days=1) // STEP
"""Steps in a day."""
FEWEST = 3
"""So many stay in a tournament."""
LOSS = timedelta(minutes=20)
"""How long nobody sees that the database is damaged."""


def live(at: Club, days: int, wishes: int = 2, orders: int = 1) -> None:
    """Let days go by, on each of which so many members, somebody from outside and the owner write of their own accord."""
    for _ in range(days):
        writers = [at.something_new] * wishes + [at.owner_orders] * orders + [at.somebody_from_outside]
        for step in range(DAY):
            for write in writers[step::DAY]:
                write()
            at.step()


def outage(at: Club, hours: int) -> None:
    """The host's machine is down, and people write to it."""
    at.stop()
    for _ in range(timedelta(hours=hours) // STEP):
        at.step(works=False)
    at.start()
    at.work()


def restored(at: Club, days: int) -> None:
    """The database is damaged, and a copy from days ago is restored beside the mailbox, which the mail server keeps."""
    copy, copied = at.folder / "club.backup", at.clock.now
    at.command("backup", at.home, copy)
    live(at, days)
    at.stop()
    at.clock.now += LOSS
    (at.home / "host.db").write_bytes(b"nothing that can be read")
    at.command("restore", copy, at.home, "--force")
    at.lost.append((copied, at.clock.now))
    at.start()
    at.work()


def clock_jumps(at: Club, by: timedelta) -> None:
    """The machine's clock jumps forward, is not believed, and its owner says that it is right."""
    at.clock.now += by
    at.clock.wrong += by
    at.work()
    at.step()
    assert at.owner.keyed is not None
    at.deliver(at.owner.reply(at.owner.keyed, "confirm clock"))
    at.work()


def tournament(at: Club, name: str, people: int, *rules: str) -> None:
    """A tournament is announced to some members; anybody may join."""
    invited = [f"{each.name} <{each.address}>" for each in Random(name).sample(at.people, people)]
    at.command("tournament", at.home, "new", name, *invited, "--open", "--clock", "1 day a turn, then pass", *rules)
    at.work()


def begins(at: Club, name: str) -> None:
    """The owner begins a tournament with those who have accepted; the last of them leaves it after that."""
    at.command("tournament", at.home, "next", name)
    at.work()
    with at.store() as store:
        entered = [side for side in held(store)[name].sides if not side.left]
    if len(entered) > FEWEST:
        at.command("tournament", at.home, "withdraw", name, entered[-1].name)
    for action in ("list", "show"):
        assert name in at.command("tournament", at.home, action, *([name] if action == "show" else []))
    at.work()


def from_elsewhere(at: Club) -> None:
    """Players answer from addresses that nobody knows; the owner carries the mails out, one by mail and one by command."""
    process = next(order for order in ORDERS if "{sure}" in order.line)
    for _ in range(2):
        person, letter = next(_letters_to_players(at))
        at.deliver(person.reply(letter, "status", sender=f"{person.name.lower()}@phone.example"))
        at.work()
        at.orders.insert(0, process)
        at.owner_orders()
        live(at, 1)


def _letters_to_players(at: Club) -> Iterator[tuple[Person, EmailMessage]]:
    """Yield members with a letter of a game in which they play."""
    with at.store() as store:
        sight = Sight.of(store)
    for person in at.people:
        if person.keyed is not None:
            about = str(person.keyed["Subject"]).partition("]")[0].rpartition("[")[2]
            games = [HostedGame.read_stored(game.record, game.memory) for game in sight.games if game.id == about]
            if any(game.find_address(seat) == person.address for game in games for seat in game.seats):
                yield person, person.keyed
