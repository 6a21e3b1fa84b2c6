"""Mails that were made to hurt: each ends as answered, filed or put aside, in time, in little memory, and is kept whole."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from email.message import EmailMessage
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from tests.host.attacks.attacked import ASKED, MOST_BYTES, MOST_CALLS
from tests.host.attacks.attacks import Player, attacks, of_games
from tests.host.year.players import DATABASE, NAMES, TIME, address, examples, game, host, letters, reply
from tests.mail.mails import UNTIMED, body
from tkid.host.service import Host
from tkid.mail.envelope import Required
from tkid.mail.game_service import HostedGame

ROOT = Path(__file__).parents[3]
ENDS = {"done", "filed", "settled", "quarantined"}


@frozen
class Ended:
    """How a mail ended: its state and why, whether its bytes are kept; function calls, seconds, MB of the process; letters."""

    state: str
    reason: str
    kept: bool
    calls: int
    seconds: float
    peak: int
    letters: int


def digest_of(data: bytes) -> str:
    """What the store knows a mail by."""
    return sha256(data).hexdigest()


def ended(code: str, made: Callable[[Player], Iterator[tuple[str, bytes]]]) -> dict[str, Ended | str]:
    """How each attack ended at a host with a game of a ruleset; a text for one that ended the process."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "attacks").mkdir()
        with host(folder) as at:
            at.open_game("game", game(5, code=code), TIME)
            at.send_letters(TIME)
            who, letter = asked(folder)
        (folder / DATABASE).rename(folder / ASKED)
        reference = next(line for line in body(letter).split("\n") if line.startswith("Ref "))
        for number, order in enumerate(("draft Pass", "rules ties"), 1):
            (folder / f"warm-{number}.eml").write_bytes(reply(letter, order, who, number))
        by = Player(address(who), str(letter["Reply-To"]), reference)
        attacked = dict[str, str]()
        for number, (attack, data) in enumerate(made(by), 1):
            attacked[f"{number:04}"] = attack
            (folder / "attacks" / f"{number:04}").write_bytes(data)
        found = dict[str, Ended | str]()
        while any((folder / "attacks").iterdir()):
            run = subprocess.run(
                [sys.executable, "-m", "tests.host.attacks.attacked", str(folder)],
                cwd=ROOT,
                capture_output=True,
                text=True,
                check=False,
            )
            lines = [json.loads(line) for line in run.stdout.splitlines()]
            ends = {line.pop("ends"): Ended(**line) for line in lines if "ends" in line}
            begun = [line["begins"] for line in lines if "begins" in line]
            assert begun, run.stderr
            assert run.returncode == 0 or begun[-1] not in ends, run.stderr
            for file in begun:
                found[attacked[file]] = ends.get(file, f"exit {run.returncode}\n{run.stderr[-2000:]}")
                (folder / "attacks" / file).unlink()
        return found


@pytest.mark.exhaustive(seconds=45)
@pytest.mark.parametrize(
    ("code", "made", "count"),
    [("second-edition", attacks, 268), *((code, of_games, 39) for code in ("first-edition-mordred", "claim"))],
)
def test_every_attack_ends(code: str, made: Callable[[Player], Iterator[tuple[str, bytes]]], count: int) -> None:
    """With so many function calls at most, as seconds differ from one machine to the next; and within 300 MB.

    The kernel ends the process that hangs, or takes more. The figures are printed (`pytest -rP`).
    """
    found = ended(code, made)
    ends = {attack: end for attack, end in found.items() if isinstance(end, Ended)}
    for attack, end in sorted(ends.items(), key=lambda each: -each[1].calls)[:15]:
        cost = f"{end.calls:9,} calls {end.seconds:5.2f} s"
        print(f"{cost}  {end.state:6} {end.letters} letters  {attack}  {end.reason}")  # noqa: T201 - figures
    peak, room = max(end.peak for end in ends.values()), MOST_BYTES >> 20
    print(f"{len(ends)} mails; the process never had more than {peak} MB; {room} MB more would end it")  # noqa: T201
    assert len(found) == count
    assert [(attack, end) for attack, end in found.items() if not isinstance(end, Ended)] == []
    assert [attack for attack, end in ends.items() if not (end.state in ENDS and end.kept)] == []
    assert [(attack, end.reason) for attack, end in ends.items() if end.state == "quarantined"] == []
    assert [(attack, end.calls) for attack, end in ends.items() if end.calls > MOST_CALLS] == []


@pytest.mark.slow
def test_the_limits_hold(tmp_path: Path) -> None:
    """That the tests above can fail: a process that takes too long, or too much, is ended."""
    begin = "from tests.host.attacks.attacked import *; from tests.host.attacks.attacked import _limit; _limit(); "
    for work, code in (
        ("signal.setitimer(signal.ITIMER_PROF, 0.2)\nwhile True: pass", -signal.SIGPROF),
        (f"bytearray({MOST_BYTES} + (1 << 20))", 1),
        (f"bytearray({MOST_BYTES} // 2)", 0),
    ):
        (tmp_path / "work.py").write_text(f"{begin}{work}\n", "utf-8")
        run = subprocess.run(
            [sys.executable, tmp_path / "work.py"],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.returncode == code, (work, run.stderr)


# -- whatever comes in ------------------------------------------------------------------------------------


class Hall:
    """A host that has asked for a turn, and how a mail ends there; the next one finds it as it was."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with host(folder) as at:
            at.open_game("game", game(5), TIME)
            at.send_letters(TIME)
        self.asked = (folder / DATABASE).read_bytes()
        self.name, self.letter = asked(folder)

    def ends(self, data: bytes) -> str:
        """Take in a mail; how it ended. Its bytes are kept, and no defect of ours has put it aside."""
        (self.folder / DATABASE).write_bytes(self.asked)
        with host(self.folder) as at:
            at.store.keep_mail(data, TIME)
            at.work_on_all(TIME)
        with closing(sqlite3.connect(self.folder / DATABASE)) as database:
            found = database.execute("SELECT state, reason, raw FROM incoming WHERE digest = ?", [digest_of(data)])
            ((state, reason, raw),) = found.fetchall()
        assert raw == data
        assert state in {"done", "filed", "settled"}, reason
        return str(state)


def asked(folder: Path) -> tuple[str, EmailMessage]:
    """Who is asked for a turn, and the letter."""
    return next((n, mail) for n in NAMES[:2] for mail in letters(folder, n) if examples(mail))


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Hall:
    return Hall(tmp_path_factory.mktemp("hall"))


ORDERS = (
    "Pass",
    "draft ",
    "if Bob passes: ",
    "pass until ",
    "say to all: ",
    "; then ",
    "else ",
    "stop",
    "legal",
    "status",
)
MORE = (
    "Negotiate ",
    "S Moray ",
    "<> ",
    "; summon ",
    "W Gwynedd",
    "(",
    ")",
    "away ",
    "2026-12-20 ",
    "undo?",
    "cancel ",
    "\n",
)
typed = st.lists(st.sampled_from(ORDERS + MORE) | st.text(max_size=12), max_size=12).map("".join)
PIECES = (
    b"\r\n",
    b"\n\n",
    b"\r",
    b"\0",
    b"--",
    b"=?utf-8?b?AAAA?=",
    b"\xff",
    b"\xe2\x80\xae",
    b"From: x@y\r\n",
    b"<",
    b";",
)


@UNTIMED
@given(st.binary(max_size=2000))
def test_raw_bytes_end(hall: Hall, data: bytes) -> None:
    assert hall.ends(data) == "filed"


@UNTIMED
@given(st.data())
def test_changed_replies_end(hall: Hall, data: st.DataObject) -> None:
    changed = bytearray(reply(hall.letter, data.draw(typed), hall.name))
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, 9_999)) % len(changed)
        length = data.draw(st.integers(0, 40))
        changed[at : at + length] = data.draw(st.binary(max_size=20) | st.sampled_from(PIECES))
    hall.ends(bytes(changed))


@UNTIMED
@given(typed)
def test_whatever_a_player_writes_ends_as_answered(hall: Hall, text: str) -> None:
    mail = reply(hall.letter, "#", hall.name)
    assert hall.ends(mail.replace(b"\n#\n", b"\n" + text.encode("utf-8", "replace") + b"\n", 1)) == "done"


# -- nobody orders for somebody else ----------------------------------------------------------------------


@pytest.fixture
def two_games(tmp_path: Path) -> Iterator[tuple[Path, Host]]:
    """A host with two games of the same players."""
    with host(tmp_path) as at:
        for seed in (5, 6):
            at.open_game(f"game-{seed}", game(seed), TIME)
        at.send_letters(TIME)
        yield tmp_path, at


def turns(at: Host, seed: int) -> int:
    """How many turns a game has."""
    stored = at.store.get_game(f"game-{seed}")
    assert stored is not None
    return len(HostedGame.read_stored(stored.record, stored.memory).record.turns)


def takes(at: Host, data: bytes) -> tuple[str, int]:
    """Take in a mail: why it was filed, "" where it was answered; and how many letters were written."""
    before = at.store.count_mails()["unsent"]
    at.store.keep_mail(data, TIME)
    (waiting,) = at.store.list_waiting()
    at.work_on_all(TIME)
    (mail,) = at.store.list_finished([waiting.number])
    return mail.reason, at.store.count_mails()["unsent"] - before


def key_in(letter: EmailMessage) -> bytes:
    return str(letter["Reply-To"]).partition("+")[2].partition("@")[0].encode()


def test_what_is_forged_is_not_taken(two_games: tuple[Path, Host]) -> None:
    """A leaked key with another sender, another game's key, two senders, an old key: no turn, and no answer to a stranger.

    A mail with a good key whose sender is not clear is told to the player whose key it is, once. A player whose key is wrong gets
    an answer without a word of the mail.
    """
    folder, at = two_games
    found = {
        mail["Subject"].partition("game-")[2][0]: (name, mail)
        for name in NAMES[:2]
        for mail in letters(folder, name)
        if examples(mail)
    }
    (name, letter), (other, theirs) = found["5"], found["6"]
    mail = reply(letter, "Pass", name)
    sender = address(name).encode()
    stranger = mail.replace(sender, b"eve@evil.example")
    opponent = address(next(n for n in NAMES[:2] if n != name)).encode()
    for data, rule, told in (
        (stranger, "mail.sender", 1),
        (mail.replace(sender, opponent), "mail.sender", 1),
        (stranger.replace(b"From:", b"Sender: " + sender + b"\nReply-To: " + sender + b"\nFrom:", 1), "mail.sender", 0),
        (mail.replace(b"From:", b"From: eve@evil.example\nFrom:", 1), "mail.from", 1),
        (mail.replace(b"From: ", b"From: eve@evil.example, ", 1), "mail.from", 0),
        (mail.replace(key_in(letter), b"abcdefghijkl"), "mail.key", 1),
        (mail.replace(key_in(letter), key_in(letter)[:-1]), "mail.key", 0),  # the mail before once more
    ):
        why, written = takes(at, data)
        assert (f"[{rule}]" in why, written) == (True, told), (rule, why)
    assert {each.address for each in at.store.list_unsent()} == {address(name)}
    assert (turns(at, 5), turns(at, 6)) == (0, 0)
    crossed = mail.replace(key_in(letter), key_in(theirs))
    why, written = takes(at, crossed)
    assert (turns(at, 5), turns(at, 6)) == (0, 0)
    if other == name:  # the sender is a player of that game too, who is told that the mail is about another
        assert written == 1
    else:  # the player whose key it is is asked, at the address that the host knows
        assert ("[mail.sender]" in why, written) == (True, 1)


def test_an_old_turn_is_not_played_again(two_games: tuple[Path, Host]) -> None:
    folder, at = two_games
    name, letter = next(
        (n, m) for n in NAMES[:2] for m in letters(folder, n) if examples(m) and "game-5" in m["Subject"]
    )
    first = reply(letter, "Pass", name, 1)
    assert takes(at, first)[0] == ""
    assert turns(at, 5) == 1
    assert not at.store.keep_mail(first, TIME), "the same bytes"
    again = takes(at, b"Received: by a mailing list\n" + first)
    assert ("[mail.duplicate]" in again[0], again[1]) == (True, 0)
    replayed = first.replace(b"-1@example.org", b"-replayed@example.org")
    assert takes(at, replayed) == ("", 1), "the player is told that it is too late"
    bare = b"\n".join(line for line in replayed.split(b"\n") if b"turn 1, #" not in line and b"In-Reply" not in line)
    told_again = takes(at, bare.replace(b"-replayed@", b"-bare@"))
    assert ("[mail.repeated]" in told_again[0], told_again[1]) == (True, 0), "the key alone tells the turn"
    assert turns(at, 5) == 1


def test_a_forged_authentication_is_not_believed(two_games: tuple[Path, Host]) -> None:
    folder, at = two_games
    at.required = Required("mx.games.example")
    name, letter = next(
        (n, m) for n in NAMES[:2] for m in letters(folder, n) if examples(m) and "game-5" in m["Subject"]
    )
    mail = reply(letter, "Pass", name)
    passes = "dmarc=pass header.from=example.org"
    for header in (
        "",
        f"Authentication-Results: mx.evil.example; {passes}\n",
        f"Authentication-Results: mx.games.example; dmarc=fail header.from=example.org\nAuthentication-Results: mx.games.example; {passes}\n",
        "Authentication-Results: mx.games.example; dmarc=pass header.from=evil.example\n",
        f"X-Authentication-Results: mx.games.example; {passes}\n",
        f"Authentication-Results: mx.evil.example; x=y (\n mx.games.example; {passes})\n",
    ):
        why, written = takes(at, header.encode() + mail)
        assert ("[mail.authenticated]" in why, written) == (True, 0), header
    assert turns(at, 5) == 0
    assert takes(at, f"Authentication-Results: mx.games.example; {passes}\n".encode() + mail)[0] == ""
    assert turns(at, 5) == 1
