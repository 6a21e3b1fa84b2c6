"""The pages and the host that works beside them are killed at any moment: a turn that was sent is played once, and never lost."""

from __future__ import annotations

import os
import signal
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from email.message import EmailMessage
from http.client import HTTPConnection, HTTPException
from json import dumps, loads
from multiprocessing import get_context
from pathlib import Path
from random import Random
from threading import Thread
from time import monotonic, sleep
from typing import Any

import pytest
import sqlalchemy as sql
from attrs import define, field

from tests.host.machines import give_addresses, worker
from tests.host.test_web import LOOPBACK
from tests.host.year.players import HOST, examples, game, reply
from tests.mail.mails import body, parsed
from tests.ports import free_port
from tkid.host.directory import HostDirectory
from tkid.host.log import Log, open_log
from tkid.host.store.schema import DONE, FILED, SETTLED, incoming
from tkid.host.store.store import Store
from tkid.host.transports import Maildir
from tkid.host.web import UNANSWERED, make_message_id, serve

FORKING = get_context("forkserver")
FORKING.set_forkserver_preload(["tests.host.test_web_killed"])
ROUNDS, MANY = 6, 120
GAMES, LENGTH = 3, 8
"""Games in which a turn is sent in each round, and turns that are played in a game; then another one begins."""
LATEST = 0.4
"""Seconds from the first press of Send to the kill, at most."""
LONGEST = 60.0
"""Seconds after which something that does not come is lost."""
WAYS = ("one tab", "two tabs", "a mail in flight", "a mail in flight and two tabs")
PARTS = ("pages", "worker")


def serve_pages(folder: Path, _: float) -> None:
    """The program `tkid host web`."""
    serve(HostDirectory.read_folder(folder, {}), Log(open_log(folder / "log"), lambda: datetime.now(UTC)))


@define
class Sent:
    """A turn that a page sends: its key, its text, its token, and all answers to it."""

    key: str
    text: str
    token: str
    answers: list[tuple[int, str]] = field(factory=list)


@define
class Site:
    """A host with pages and a worker, and games that are played on it."""

    folder: Path
    rng: Random
    port: int = field(factory=free_port)
    store: Store = field(init=False)
    processes: dict[str, Any] = field(factory=dict)
    turns: dict[str, int] = field(factory=dict)
    read: dict[Path, EmailMessage] = field(factory=dict)
    counts: Counter[str] = field(factory=Counter)
    mails: int = 0

    def __attrs_post_init__(self) -> None:
        HostDirectory.create_folder(self.folder / "host", HOST, "", "")
        settings = self.folder / "host" / "host.toml"
        pages = f'[web]\naddress = "{LOOPBACK}{self.port}"\nlisten = "127.0.0.1:{self.port}"\n'
        settings.write_text(f"pictures = false\n{settings.read_text('utf-8')}{pages}", "utf-8")
        self.store = Store(f"sqlite:///{self.folder / 'host' / 'host.db'}")
        self.start()

    def start(self) -> None:
        """Start what does not run."""
        for part, target in zip(PARTS, (serve_pages, worker), strict=True):
            if part not in self.processes:
                self.processes[part] = FORKING.Process(target=target, args=(self.folder / "host", 0.0))
                self.processes[part].start()

    def kill(self, *parts: str) -> None:
        for part in parts:
            process = self.processes.pop(part)
            assert process.is_alive(), f"the {part} ended without being killed"
            os.kill(process.pid, signal.SIGKILL)
            process.join()

    def close(self) -> None:
        self.kill(*self.processes)
        self.store.close()

    # -- what players do --------------------------------------------------------------------------------------

    def list_asked(self) -> Iterator[tuple[str, str, EmailMessage, str]]:
        """Games with who is asked for the next turn, by which letter, and the key of its page."""
        for number in range(GAMES - sum(turns < LENGTH for turns in self.turns.values())):
            name = f"game-{len(self.turns)}"
            made = give_addresses(game(self.rng.randrange(10**6) + number), len(self.turns))
            directory = HostDirectory.read_folder(self.folder / "host", {})
            directory.open_host(self.store).open_game(name, made, datetime.now(UTC))
            self.turns[name] = 0
        for name in [name for name, turns in self.turns.items() if turns < LENGTH]:
            yield name, *self._wait_for_letter(name)

    def _wait_for_letter(self, name: str) -> tuple[str, EmailMessage, str]:
        end = monotonic() + LONGEST
        while monotonic() < end:
            for file in (self.folder / "sent").glob(f"*{name.removeprefix('game-')}@example.org/new/*"):
                if file not in self.read:
                    self.read[file] = parsed(file.read_bytes())
                letter = self.read[file]
                if f"] Turn {self.turns[name] + 1}:" in str(letter["Subject"]) and "/g/" in body(letter):
                    return file.parts[-3], letter, body(letter).partition(f"{self.port}/g/")[2][:12]
            sleep(0.02)
        raise AssertionError(f"nobody is asked for turn {self.turns[name] + 1} of {name}")

    def send(self, sent: Sent, times: int = 1) -> None:
        """Send a turn until it is answered, as somebody does who presses Send again; then some more times."""
        end = monotonic() + LONGEST
        while len(sent.answers) < times:
            assert monotonic() < end, f"no answer to {sent}"
            with suppress(OSError, HTTPException, ValueError), closing(HTTPConnection("127.0.0.1", self.port, timeout=20)) as page:  # fmt: skip
                head = {"Content-Type": "application/json", "Origin": f"{LOOPBACK}{self.port}"}
                page.request(
                    "POST", f"/g/{sent.key}", dumps({"text": sent.text, "token": sent.token, "about": ""}), head
                )
                answer = page.getresponse()
                said = loads(answer.read())["said"]
                if answer.status in {200, 202, 409}:
                    sent.answers.append((answer.status, said))
                    continue
            self.counts["answers that never came"] += 1
            sleep(0.1)

    def play_round(self) -> None:
        """Turns are sent in all games at once, and something is killed meanwhile."""
        games, tabs = [], list[Sent]()
        for name, player, letter, key in self.list_asked():
            way, offered = self.rng.choice(WAYS), examples(letter)
            by_mail, *texts = self.rng.sample(offered, min(len(offered), 3)) if len(offered) > 1 else offered * 2
            mail = reply(letter, by_mail, "X", self.rng.randrange(10**9)).replace(b"x@example.org", player.encode())
            games.append((name, mail if "mail" in way else b""))
            texts = [*texts, *texts][: 2 if "tabs" in way else 1]
            tabs += [Sent(key, text, self.rng.randbytes(16).hex()) for text in texts]
            self.counts[way] += 1
        threads = [Thread(target=self.send, args=(sent,)) for sent in tabs]
        for thread in threads:
            thread.start()
        for _, mail in games:
            if mail:
                sleep(self.rng.uniform(0, LATEST / 8))
                Maildir(self.folder / "host" / "in").add_mail(mail, f"{self.mails}")
                self.mails += 1
        sleep(self.rng.uniform(0, LATEST))
        killed = self.rng.choice((PARTS[:1], PARTS[1:], PARTS))
        self.kill(*killed)
        self.counts[f"killed: {' and '.join(killed)}"] += 1
        self.start()
        for thread in threads:
            thread.join()
        for name, _ in games:
            self.turns[name] += 1
        self.check(tabs)

    # -- what has to hold -------------------------------------------------------------------------------------

    def check(self, tabs: list[Sent]) -> None:
        """One turn was played in each game; a turn that a page called played is among them; and the same answer comes again."""
        end = monotonic() + LONGEST
        while self.store.count_mails()["new"] or any((self.folder / "host" / "in" / "new").iterdir()):
            assert monotonic() < end, "a mail is left"
            sleep(0.05)
        for sent in tabs:
            self.send(sent, 1 + len(sent.answers))
        games = {each.id: each.read_hosted() for each in self.store.list_games()}
        played = {name: [moment.line for moment in games[name].replay.moments[1:]] for name in self.turns}
        for name, turns in self.turns.items():
            assert len(played[name]) == turns, f"{name}: {played[name]}"
            assert not games[name].replay.problems
        host = HostDirectory.read_folder(self.folder / "host", {}).open_host(self.store)
        with self.store.engine.connect() as connection:
            states = [(row.state, bytes(row.raw)) for row in connection.execute(sql.select(incoming))]
        for sent in tabs:
            found = self.store.find_keyed(sent.key)
            assert found
            line = played[found[0].game][-1]
            is_played = line.split(" ", 2)[2] == sent.text
            own = make_message_id(host, sent.key, sent.text, sent.token).encode()
            kept = [state for state, raw in states if own in raw]
            assert kept.count(DONE) <= 1, "it counts once"
            assert set(kept) <= {DONE, FILED, SETTLED}, kept  # when it is sent again, it may answer a newer letter
            for status, said in sent.answers:
                self.counts[f"status {status}{', played' * said.startswith('You ')}"] += 1
                assert status == 409 or kept, f"a turn is lost that was sent: {sent}"
                assert is_played or not said.startswith("You "), f"{sent} is not {line}"
            final = {said for status, said in sent.answers if status == 200} - {UNANSWERED, "Sent."}
            assert len(final) <= 1, f"it was answered differently: {sent}"


@contextmanager
def site(folder: Path, seed: int) -> Iterator[Site]:
    made = Site(folder, Random(seed))
    try:
        yield made
    finally:
        made.close()


def play_rounds(folder: Path, seed: int, rounds: int) -> None:
    print(f"seed {seed}")  # noqa: T201 - to repeat it
    with site(folder, seed) as made:
        for _ in range(rounds):
            made.play_round()
        print(f"{rounds} rounds, {sum(made.turns.values())} turns: {dict(made.counts)}")  # noqa: T201 - the proof


@pytest.mark.slow
def test_a_turn_that_was_sent_is_played_once(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """Cites: mail.page."""
    play_rounds(tmp_path, int(request.config.getoption("--hypothesis-seed") or 0), ROUNDS)


@pytest.mark.exhaustive(200)
def test_pages_are_killed_many_times(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    play_rounds(tmp_path, int(request.config.getoption("--hypothesis-seed") or 1), MANY)
