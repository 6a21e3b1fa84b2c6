"""Playing from hand to hand: whole games through letters, everything that goes wrong on the way, and the draw without a host."""

from __future__ import annotations

import base64
import os
import re
import zipfile
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP, default
from io import BytesIO
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.cli import RECORD, complaint, said, tkid
from tests.lines import Line, random_line
from tests.post.mails import body, parsed
from tkid.games.struggle.position import HIDDEN
from tkid.kernel.game import with_names
from tkid.record.draw import check_draw
from tkid.record.read import read_record
from tkid.record.replay import replay
from tkid.record.seen import seen
from tkid.record.write import write_record
from tkid.rulesets import ruleset

AT = "2026-11-21T10:00:00+00:00"
HASH = re.compile(r" #[0-9a-f]{6}$", re.MULTILINE)
ADDRESSES = {"Ann": "ann@example.org", "Bob": "bob@example.org", "Cal": "cal@example.org", "Dee": "dee@example.org"}


def turns_of(line: Line) -> list[str]:
    """The turns of a game as they are typed."""
    return [with_names(line.game.words.turn(step.moves), line.names) for step in line.steps]


def addressed(text: str) -> str:
    """A record with addresses, without hashes that no longer fit."""
    return re.sub(
        r"^Seat: (\w+)$", lambda seat: f"{seat[0]} <{ADDRESSES[seat[1]]}>", HASH.sub("", text), flags=re.MULTILINE
    )


def files_of(line: Line, folder: Path, turns: int = 0) -> dict[str, Path]:
    """A file of the game for each player, after so many turns."""
    whole = replay(line.cut(turns).record())
    found = {}
    for seat, name in enumerate(line.names):
        known = seen(whole, seat)
        found[name] = folder / f"{name}.tkid"
        found[name].write_text(addressed(write_record(known.record, known)), "utf-8")
        said("fmt", found[name])
    return found


def letter(file: Path, *options: str) -> Path:
    """The letter that a file's owner writes."""
    mail = file.with_suffix(".eml")
    result = tkid("letter", "write", file, "-o", mail, "--at", AT, *options)
    assert result.exit_code == 0, result.output
    return mail


def line_of(code: str, seed: int, players: int = 2) -> Line:
    """A random game."""
    return random_line(ruleset(code), Random(seed), players, 0.5)


# -- whole games --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "seed", "players"),
    [
        ("second-edition", 1, 2),
        ("second-edition-advanced", 3, 2),
        pytest.param("second-edition-advanced", 5, 3, marks=pytest.mark.slow),
    ],
)
def test_a_whole_game_from_hand_to_hand(tmp_path: Path, code: str, seed: int, players: int) -> None:
    line = line_of(code, seed, players)
    files = files_of(line, tmp_path)
    for step, turn in zip(line.steps, turns_of(line), strict=True):
        assert step.before.to_act is not None
        mover = line.names[step.before.to_act]
        said("play", files[mover], turn)
        mail = letter(files[mover], "--me", mover, "--to", "all")
        assert HIDDEN not in mail.read_text() or ruleset(code).game().hands.secret
        for name in line.names:
            if name != mover:
                told = said("letter", "read", files[name], mail)
                assert told.startswith(f"{files[name]}: 1 new turn.\n")
    for file in files.values():
        assert HASH.sub("", file.read_text("utf-8").partition("Turns")[2]) == HASH.sub(
            "", files[line.names[0]].read_text("utf-8").partition("Turns")[2]
        )
        assert said("letter", "read", file, mail).count("[record.compare.same]") == 1
        assert "The game is over" in tkid("letter", "read", file, mail).stdout


def test_no_letter_tells_a_hand(tmp_path: Path) -> None:
    line = line_of("second-edition-advanced", 3)
    files = files_of(line, tmp_path, 3)
    for name, file in files.items():
        sent = parsed(letter(file, "--me", name).read_bytes())
        (attached,) = sent.iter_attachments()
        text = attached.get_content().replace("\r\n", "\n")
        rows = [row for row in text.split("\n") if row.startswith("Hand ")]
        assert [set(row[13:].split(", ")) for row in rows] == [{HIDDEN}] * len(line.names)
        played = {turn.split()[0] for turn in turns_of(line)[:3]}
        own = set(seen(replay(line.cut(3).record()), None).record.game.hands.deck) - played
        assert not any(card in body(sent) for card in own)


def test_a_letter_says_what_happened_and_how_it_stands(tmp_path: Path) -> None:
    file = tmp_path / "game.tkid"
    file.write_text(RECORD, "utf-8")
    mail = letter(file, "--me", "Ann")
    sent = parsed(mail.read_bytes())
    assert sent["From"] == "Ann <ann@example.org>"
    assert sent["To"] is None
    assert sent["Subject"] == "[tkid winter-2026] turn 6: Łukasz to play"
    text = body(sent)
    assert text.startswith("Łukasz, it is your turn in winter-2026.\n\nWHAT HAPPENED\n\n5. Ann plays Outmanoeuvre")
    assert "4. Łukasz" not in text
    assert "Turn 6: Łukasz to play | contested: Essex" in text
    assert "tkid letter read" in text
    (attached,) = sent.iter_attachments()
    assert attached.get_filename() == "turn-5.tkid"
    handed = attached.get_content().replace("\r\n", "\n")
    assert "Devon comes third" not in handed
    assert "Ann was away" not in handed
    assert HASH.findall(handed) == HASH.findall(RECORD)
    result = tkid("letter", "write", file, "--me", "Łukasz", "--to", "Ann")
    assert (result.exit_code, result.stderr) == (0, "")
    assert body(parsed(result.stdout_bytes)).startswith("Ann, it is Łukasz's turn in winter-2026.")


def test_a_letter_when_the_game_is_over(tmp_path: Path) -> None:
    line = line_of("second-edition", 2, 3)
    file = files_of(line, tmp_path, len(line.steps))["Ann"]
    sent = parsed(letter(file, "--me", "Ann").read_bytes())
    assert sent["To"] == "Bob <bob@example.org>, Cal <cal@example.org>"
    assert "the game is over" in sent["Subject"]
    assert body(sent).startswith("Bob and Cal, the game is over (")


def test_who_the_letter_is_to(tmp_path: Path) -> None:
    line = line_of("second-edition", 2, 4)
    file = files_of(line, tmp_path, 1)["Ann"]
    to_act = line.names[line.cut(1).position.to_act or 0]
    mover = line.names[line.steps[0].before.to_act or 0]
    assert parsed(letter(file).read_bytes())["To"] == f"{to_act} <{ADDRESSES[to_act]}>"
    others = parsed(letter(file, "--to", "all").read_bytes())["To"]
    assert mover not in others
    assert others.count("@") == 3
    assert parsed(letter(file, "--to", "Dee", "--to", "1", "--me", "Bob").read_bytes())["To"].count("@") == 2
    assert "to yourself, Dee" in complaint("letter", "write", file, "--to", "Dee", "--me", "Dee", code=2)
    assert "There is no player Eve" in complaint("letter", "write", file, "--to", "Eve", code=2)
    assert "no plain address" in complaint("letter", "write", file, "--from", "a@b>c", code=2)
    assert "would be overwritten" in complaint("letter", "write", file, "-o", file, code=2)
    begun = files_of(line, tmp_path)["Ann"]
    assert "Say who you are" in complaint("letter", "write", begun, "--to", "all", code=2)


# -- mistakes on the way ------------------------------------------------------------------------------------


@pytest.fixture
def two(tmp_path: Path) -> tuple[Path, Path]:
    """Ann's and Bob's files of one game after four turns."""
    files = files_of(LINE, tmp_path, 4)
    return files["Ann"], files["Bob"]


LINE = line_of("second-edition", 1)
TURNS = turns_of(LINE)
NAMES = [LINE.names[step.before.to_act or 0] for step in LINE.steps]


def sides(two: tuple[Path, Path]) -> tuple[Path, Path]:
    """The files of whoever plays turn 5, and of the other."""
    mover = next(file for file in two if file.stem == NAMES[4])
    return mover, next(file for file in two if file != mover)


def refused(file: Path, mail: Path, rule: str, *options: str) -> str:
    """What is said of a letter that is not taken in, which changes nothing."""
    before = {path: path.read_bytes() for path in file.parent.iterdir() if path.is_file()}
    result = tkid("letter", "read", file, mail, *options)
    assert (result.exit_code, result.stdout) == (1, ""), result.output
    assert f"[{rule}]" in result.stderr
    assert {path: path.read_bytes() for path in file.parent.iterdir() if path.is_file()} == before
    return result.stderr


def test_the_same_mail_twice_and_a_stale_one(two: tuple[Path, Path]) -> None:
    mover, other = sides(two)
    old = letter(mover)
    old = old.rename(old.with_name("old.eml"))
    said("play", mover, TURNS[4])
    mail = letter(mover)
    assert "1 new turn" in said("letter", "read", other, mail)
    before = other.read_bytes()
    for _ in range(2):
        told = said("letter", "read", other, mail)
        assert "Your file holds all of it already: 5 turns" in told
        assert "[record.compare.same]" in told.replace("\n  ", " ")
        assert f"It is {NAMES[5]}'s turn." in told
    assert other.read_bytes() == before
    assert "it has 4 turns, and yours 5" in refused(other, old, "record.compare.stale")


def test_comments_stay_at_home_and_stay(two: tuple[Path, Path]) -> None:
    mover, other = sides(two)
    mover.write_text(mover.read_text() + "# my secret plan\n", "utf-8")
    other.write_text(
        other.read_text().replace("\n3. ", "\n# theirs is no secret to me\n3. ") + "# to be continued\n", "utf-8"
    )
    said("play", mover, TURNS[4])
    mail = letter(mover)
    assert "secret plan" not in mail.read_text()
    said("letter", "read", other, mail)
    text = other.read_text()
    assert "# theirs is no secret to me\n3. " in text
    assert "# to be continued\n5. " in text
    said("fmt", "--check", other)


def test_a_mail_from_a_forked_game(two: tuple[Path, Path]) -> None:
    mover, other = sides(two)
    said("play", mover, TURNS[4])
    said("play", other, "Pass") if TURNS[4] != "Pass" else said("play", other, next(iter(legal(other))))
    told = refused(other, letter(mover), "record.compare.fork")
    assert "    yours:   5. " in told
    assert "    theirs:  5. " in told


def legal(file: Path) -> list[str]:
    """Some legal turns."""
    first = re.findall(r"^    (.*)$", said("legal", file), re.MULTILINE)[0]
    hint = re.findall(r"`; (.*?)`", tkid("play", file, first).stderr)[0]
    return [f"{first}; {hint}"]


def test_a_past_that_was_edited(two: tuple[Path, Path]) -> None:
    mover, other = sides(two)
    said("play", mover, TURNS[4])
    mail = letter(mover)
    number = next(n for n, turn in enumerate(TURNS[:4], 1) if turn != "Pass")
    text = mail.read_text()
    row = next(row for row in text.split("\n") if row.startswith(f"{number}. ") and " #" in row)
    mail.write_text(text.replace(row, f"{number}. {NAMES[number - 1]} Pass{row[row.rindex(' #') :]}"))
    told = refused(other, mail, "record.compare.past")
    assert f"Turn {number} was changed there" in told


def test_a_truncated_attachment(two: tuple[Path, Path]) -> None:
    mover, other = sides(two)
    said("play", mover, TURNS[4])
    data = letter(mover).read_bytes()
    start = data.index(b"Tkid-Record: 1")
    kinds = set()
    for end in range(start, len(data) - 40, 23):
        cut = other.with_name("cut.eml")
        cut.write_bytes(data[:end])
        result = tkid("letter", "read", other, cut)
        kinds |= set(re.findall(r"\[(\S+)\]", result.stderr))
        assert result.exit_code == (0 if "5. " in other.read_text() else 1)
        if result.exit_code == 0:
            break
    assert kinds <= {"record.compare.whole", "record.compare.stale", "mail.letter.enclosed"}
    assert "record.compare.whole" in kinds


def test_another_game_and_my_own_turn(two: tuple[Path, Path], tmp_path: Path) -> None:
    mover, other = sides(two)
    (tmp_path / "other").mkdir()
    foreign = files_of(line_of("second-edition", 7), tmp_path / "other", 5)["Ann"]
    assert "    theirs:  Moray" in refused(other, letter(foreign, "--me", "Ann"), "record.compare.game")
    said("play", mover, TURNS[4])
    said("play", mover, TURNS[5])
    mail = letter(mover, "--me", NAMES[4], "--to", NAMES[5])
    assert "Turn 6 there is your own" in refused(other, mail, "record.compare.own-turn")
    assert "2 new turns" in said("letter", "read", other, mail, "--restore")


def test_a_records_faults_are_shown_with_their_lines(two: tuple[Path, Path]) -> None:
    mover, other = sides(two)
    theirs = mover.with_name("theirs.tkid")
    theirs.write_text(
        HASH.sub("", mover.read_text()) + f"5. {NAMES[4]} Manoeuvre S Nowhere <> E Devon; summon S Moray\n"
    )
    told = refused(other, theirs, "record.compare.right")
    assert re.search(r"theirs\.tkid:\d+:\d+: .*\[notation\.region\]", told)


def mail_with(*parts: tuple[str, bytes | str], sender: str = "Bob <bob@example.org>") -> bytes:
    """A mail with attachments: name and content."""
    message = EmailMessage(policy=SMTP)
    message["From"], message["To"], message["Subject"] = sender, "Ann <ann@example.org>", "hello"
    message.set_content("Here you are.")
    for name, content in parts:
        if isinstance(content, str):
            message.add_attachment(content, filename=name)
        else:
            message.add_attachment(content, maintype="application", subtype="octet-stream", filename=name)
    return message.as_bytes()


def test_ways_in_which_mails_carry_the_file(two: tuple[Path, Path]) -> None:
    mover, other = sides(two)
    said("play", mover, TURNS[4])
    text = mover.read_text("utf-8")
    before = other.read_bytes()
    inline = f"From: {ADDRESSES[NAMES[4]]}\r\n\r\nHello,\r\n\r\n{text}\r\nYours, me\r\n-- \r\nme\r\n"
    html = "".join(f"<div>{row or '<br>'}</div>" for row in f"Hi!\n\n{text}".replace("<", "&lt;").split("\n"))
    soft = "".join(
        f"{row[:60]} \r\n {row[60:].lstrip()}\r\n" if len(row) > 70 and row[60] == " " else f"{row}\r\n"
        for row in text.split("\n")
    )
    ways = {
        "base64 as octets": mail_with(("game.tkid", text.encode())),
        "as text": mail_with(("game.txt", text)),
        "under an odd name": mail_with(("../../etc/passwd.tkid", text.encode())),
        "beside others": mail_with(
            ("photo.jpg", b"\xff\xd8\xff"), ("game.tkid", text.encode()), ("game.tkid", text.encode())
        ),
        "in the text": inline.encode(),
        "flowed": f"From: {ADDRESSES[NAMES[4]]}\r\nContent-Type: text/plain; charset=utf-8; format=flowed\r\n\r\n{soft}".encode(),
        "in HTML": f"From: a@b.c\r\nContent-Type: text/html; charset=utf-8\r\n\r\n{html}".encode(),
        "a file": text.encode(),
        "a file with a mark": b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode(),
        "in an mbox": b"From bob Sat Nov 21 10:00:00 2026\n" + inline.encode(),
        "forwarded as a whole": mail_with(("forwarded.eml", letter(mover).read_bytes())),
    }
    for name, data in ways.items():
        other.write_bytes(before)
        mail = other.with_name("way.eml")
        mail.write_bytes(data)
        result = tkid("letter", "read", other, mail)
        if name == "forwarded as a whole":
            assert "[mail.letter.enclosed]" in result.stderr
            continue
        assert (result.exit_code, result.stderr) == (0, ""), name
        assert other.read_text("utf-8") == text, name
    other.write_bytes(before)
    assert tkid("letter", "read", other, "-", stdin=inline.encode()).exit_code == 0


def zipped(text: str) -> bytes:
    """An archive with the file."""
    data = BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("game.tkid", text)
    return data.getvalue()


def test_hostile_letters(two: tuple[Path, Path]) -> None:
    mover, other = sides(two)
    said("play", mover, TURNS[4])
    text = mover.read_text("utf-8")
    fork = text.replace(TURNS[4], "Pass") if TURNS[4] != "Pass" else text.replace("Turns", "Turns\n# other")
    quoted = "From: a@b.c\n\n" + "".join(f"> {row}\n" for row in text.split("\n"))
    deep = b"".join(b'Content-Type: multipart/mixed; boundary="%d"\n\n--%d\n' % (n, n) for n in range(50))
    bomb = "Tkid-Record: 1\n" + "1. Ann Manoeuvre S Nowhere\n" * 30_000
    cases: dict[str, tuple[bytes, str]] = {
        "an archive": (mail_with(("game.zip", zipped(text))), "mail.letter.enclosed"),
        "an archive that says it is text": (mail_with(("game.tkid", zipped(text))), "mail.letter.enclosed"),
        "two different files": (mail_with(("a.tkid", text), ("b.tkid", fork)), "mail.letter.enclosed"),
        "only quoted": (
            quoted.encode(),
            "mail.letter.enclosed",
        ),
        "deep": (b"From: a@b.c\n" + deep, "mail.parts"),
        "many parts": (mail_with(*[("a.txt", "x")] * 250), "mail.parts"),
        "large": (mail_with(("game.tkid", b"\0" * (2 << 20))), "mail.too-large"),
        "a large file": (b"Tkid-Record: 1\n" + b"# x\n" * 400_000, "mail.too-large"),
        "a slow one": (mail_with(("game.tkid", bomb)), "mail.too-large"),
        "no mail": (b"PK\x03\x04", "mail.unreadable"),
        "Outlook's own": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "mail.unreadable"),
        "nothing": (b"From: a@b.c\n\n", "mail.letter.enclosed"),
        "an escape sequence": (
            mail_with(("game.tkid", text.replace("Turns", "# \x1b[31mred\nTurns"))),
            "record.compare.right",
        ),
        "UTF-16": (mail_with(("game.tkid", text.encode("utf-16"))), "mail.letter.enclosed"),
    }
    for name, (data, rule) in cases.items():
        mail = other.with_name("hostile.eml")
        mail.write_bytes(data)
        told = refused(other, mail, rule)
        assert "\x1b" not in told, name
        assert told.rstrip().endswith("."), name
    bidi = other.with_name("bidi.tkid")
    bidi.write_text(text.replace("Game", "X-\u202etxt: 1\nGame").replace("4S", "\u202e4S"), "utf-8")
    assert "\u202e" not in tkid("letter", "read", other, bidi).output


def test_the_file_is_written_whole_or_not_at_all(two: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    mover, other = sides(two)
    said("play", mover, TURNS[4])
    mail, before = letter(mover), other.read_bytes()

    def fails(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", fails)
        assert "Nothing was taken: No space left" in complaint("letter", "read", other, mail, code=2)
    assert other.read_bytes() == before
    assert list(other.parent.glob(".*")) == []
    import fcntl  # noqa: PLC0415 - not on every system

    with other.open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert "somebody else is writing it" in complaint("letter", "read", other, mail, code=2)
    assert "does not exist" in complaint("letter", "read", other.with_name("no.tkid"), mail, code=2)
    assert "No such file" in complaint("letter", "read", other, other.with_name("no.eml"), code=2)


def test_a_file_begins_with_a_letter(two: tuple[Path, Path], tmp_path: Path) -> None:
    mover, other = sides(two)
    said("play", mover, TURNS[4])
    mail, mine = letter(mover), tmp_path / "mine.tkid"
    assert "add --begin" in complaint("letter", "read", mine, mail, code=2)
    told = said("letter", "read", mine, mail, "--begin")
    assert told.endswith(f"with Ann, Bob; 5 turns.\nIt is {NAMES[5]}'s turn.\n")
    assert mine.read_text() == mover.read_text()
    assert "exists already" in complaint("letter", "read", mine, mail, "--begin", code=2)
    wrong = other.with_name("wrong.tkid")
    wrong.write_text(re.sub(r"First        \w+", "First        Eve", mover.read_text()))
    assert complaint("letter", "read", tmp_path / "new.tkid", wrong, "--begin", code=1)
    assert not (tmp_path / "new.tkid").exists()


# -- a draw without a host ----------------------------------------------------------------------------------


class Player:
    """Somebody with a folder, a file of the draw, and letters."""

    def __init__(self, folder: Path, name: str) -> None:
        self.name, self.folder = name, folder / name
        self.folder.mkdir()
        self.draw, self.letters = self.folder / "winter.draw", 0

    def run(self, *arguments: object, code: int = 0) -> str:
        """Run `tkid letter new`, and expect an exit code."""
        result = tkid("letter", "new", self.draw, *arguments)
        assert result.exit_code == code, result.output
        return result.output

    def sends(self, *arguments: object) -> Path:
        """Run it and write a letter."""
        self.letters += 1
        mail = self.folder / f"{self.letters}.eml"
        self.run(*arguments, "-o", mail)
        return mail

    def begins(self, *names: str, game: str = "winter-2026") -> Path:
        """Begin a draw."""
        seats = [part for name in names for part in ("--seat", f"{name} <{ADDRESSES[name]}>")]
        return self.sends(*seats, "--me", self.name, "--game", game)

    @property
    def record(self) -> Path:
        """The record that is dealt."""
        return self.folder / "winter.tkid"


@pytest.fixture
def players(tmp_path: Path) -> tuple[Player, Player, Player]:
    """Three of them."""
    ann, bob, cal = (Player(tmp_path, name) for name in ("Ann", "Bob", "Cal"))
    return ann, bob, cal


Players = tuple[Player, Player, Player]


def test_two_draw_a_game_by_letters(players: Players) -> None:
    ann, bob, _ = players
    first = ann.begins("Ann", "Bob")
    assert oct((ann.folder / "winter.nonce").stat().st_mode & 0o777) == "0o600"
    nonces = {p.name: (p.folder / "winter.nonce") for p in (ann, bob)}
    secret = nonces["Ann"].read_text().split()[-1]
    assert secret not in first.read_text()
    second = bob.sends(first, "--me", "Bob")
    third = ann.sends(second)
    assert secret in third.read_text()
    told = bob.run(third)
    assert "All nonces are here" in told
    assert ann.record.read_bytes() == bob.record.read_bytes()
    said("check", ann.record)
    assert "Proven" in tkid("verify", ann.record).stdout
    record = read_record(ann.record.read_bytes()).record
    assert record is not None
    assert check_draw(record) == []
    assert ann.letters + bob.letters == 3
    before = ann.record.read_bytes()
    assert "All nonces are here" in ann.run(third)
    said("play", ann.record, "Pass")
    assert "All nonces are here" in ann.run()
    assert ann.record.read_bytes() != before
    said("letter", "read", bob.record, letter(ann.record))


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_three_draw_a_game_in_any_order_of_letters(players: Players, order: tuple[int, int, int]) -> None:
    names = [p.name for p in players]
    commitments = [p.begins(*names) for p in players]
    assert all(p.letters == 1 for p in players)
    nonces = {}
    for each in order:
        others = [mail for mail, p in zip(commitments, players, strict=True) if p is not players[each]]
        nonces[each] = players[each].sends(*others)
    for each in order:
        players[each].run(*(mail for of, mail in nonces.items() if of != each))
    assert len({p.record.read_bytes() for p in players}) == 1
    assert all(p.letters == 2 for p in players)


def test_no_nonce_is_told_before_all_commitments_are_there(players: Players) -> None:
    ann, bob, cal = players
    first = ann.begins("Ann", "Bob", "Cal")
    second = bob.sends(first, "--me", "Bob")
    assert "Still missing: the commitment of Cal" in bob.run().replace("\n  ", " ")
    ann.run(second)
    for p in (ann, bob):
        assert "Nonces" not in p.draw.read_text()
    third = cal.sends(second, "--me", "Cal")
    assert "Nonces\nCal" in third.read_text().replace("\r", "")


def test_cheats_are_found(players: Players) -> None:
    ann, bob, _ = players
    first = ann.begins("Ann", "Bob")
    second = bob.sends(first, "--me", "Bob")
    good = second.read_bytes()
    own = re.findall(r"^Bob +(\w{64})$", bob.draw.read_text(), re.MULTILINE)
    anns = re.findall(r"^Ann +(\w{64})$", bob.draw.read_text(), re.MULTILINE)[0]
    before = {path: path.read_bytes() for path in ann.folder.iterdir()}
    other = bob.folder / "other"
    other.mkdir()
    changed = Player(other, "Bob").begins("Ann", "Bob", game="winter-2027").read_bytes()
    for data, rule, says in (
        (good.replace(own[1].encode(), b"0" * 64), "record.draw.nonce", "Bob's nonce is not the one"),
        (good.replace(own[0].encode(), anns.encode()), "record.draw.commitment", "Bob's commitment is that of Ann"),
        (good.replace(anns.encode(), b"1" * 64), "record.draw.commitment", "Ann's commitment was another before"),
        (good.replace(b"Bob          " + own[0].encode(), b""), "record.draw.order", "no commitment of Bob"),
        (changed, "record.draw.game", "it has `Game: winter-2027`, and yours `Game: winter-2026`"),
        (good.replace(b"Bob   ", b"Eve   "), "record.draw.form", "`Eve` is no player of this game"),
        (good[: good.rindex(own[1].encode()) + 30], "record.draw.form", "30 characters stand here"),
        (b"From: bob@example.org\n\nhello", "mail.letter.enclosed", "The mail has no draw"),
        (mail_with(("winter.draw", b"\xff\xfe")), "mail.letter.enclosed", "The mail has no draw"),
    ):
        second.write_bytes(data)
        told = ann.run(second, code=1)
        assert f"[{rule}]" in told, told
        assert says in told
        assert {path: path.read_bytes() for path in ann.folder.iterdir()} == before
    second.write_bytes(good)
    ann.run(second)


def test_a_commitment_from_an_earlier_draw_cannot_be_opened(players: Players, tmp_path: Path) -> None:
    ann, bob, _ = players
    first = ann.begins("Ann", "Bob")
    bob.sends(first, "--me", "Bob")
    old = re.findall(r"^Bob +(\w{64})$", bob.draw.read_text(), re.MULTILINE)
    (tmp_path / "again").mkdir()
    later = Player(tmp_path / "again", "Ann")
    later.begins("Ann", "Bob", game="winter-2027")
    text = later.draw.read_text() + f"Bob          {old[0]}\n\nNonces\nBob          {old[1]}\n"
    replayed = tmp_path / "replayed.draw"
    replayed.write_text(text)
    assert "[record.draw.nonce]" in later.run(replayed, code=1)


def test_a_commitment_that_is_told_otherwise_or_made_for_me(players: Players) -> None:
    ann, bob, cal = players
    first = ann.begins("Ann", "Bob", "Cal")
    second = bob.sends(first, "--me", "Bob")
    ann.run(second)
    forged = ann.folder / "forged.draw"
    forged.write_text(ann.draw.read_text() + f"Cal          {'2' * 64}\n")
    assert "A commitment stands here for Cal, who has not made one" in cal.run(forged, "--me", "Cal", code=1)
    assert list(cal.folder.iterdir()) == []
    cal.begins("Ann", "Bob", "Cal")
    assert "Cal's commitment was another before" in cal.run(forged, code=1)


def test_a_draw_is_begun_and_gone_on_with_care(players: Players) -> None:
    ann, bob, _ = players
    assert "Begin a draw with --seat" in ann.run(code=2)
    assert "Who are you?" in ann.run("--seat", "Ann", "--seat", "Bob", code=2)
    assert "There is no player Eve" in ann.run("--seat", "Ann", "--seat", "Bob", "--me", "Eve", code=2)
    assert "[record.seats]" in ann.run("--seat", "Ann", "--me", "Ann", code=1)
    assert "[record.ruling]" in ann.run("--seat", "Ann", "--seat", "Bob", "--me", "1", "--ruling", "x y", code=1)
    advanced = ann.run("--seat", "Ann", "--seat", "Bob", "--me", "1", "--ruleset", "second-edition-advanced", code=1)
    assert "[record.draw.secret]" in advanced
    assert list(ann.folder.iterdir()) == []
    first = ann.begins("Ann", "Bob")
    assert "exists already" in ann.run("--seat", "Ann", "--seat", "Bob", "--me", "Ann", code=2)
    assert "is the nonce of Ann, not of Bob" in ann.run("--me", "Bob", code=2)
    (ann.folder / "winter.nonce").chmod(0o644)
    assert "can be read by others" in ann.run()
    nonce = (ann.folder / "winter.nonce").read_text()
    (ann.folder / "winter.nonce").write_text(nonce.replace(nonce.split()[-1], "3" * 64))
    assert "not that to the nonce" in ann.run(code=1)
    (ann.folder / "winter.nonce").write_text("hello")
    assert "not the file of a nonce" in ann.run(code=2)
    (ann.folder / "winter.nonce").unlink()
    assert "is missing" in ann.run(code=2)
    (bob.folder / "winter.nonce").write_text("old")
    assert "A nonce is used once" in bob.run(first, "--me", "Bob", code=2)
    (bob.folder / "winter.nonce").unlink()
    bob.record.write_text("something else")
    second = bob.sends(first, "--me", "Bob")
    (ann.folder / "winter.nonce").write_text(nonce)
    third = ann.sends(second)
    assert "is not the record of this draw" in bob.run(third, code=2)
    assert bob.record.read_text() == "something else"
    bob.record.unlink()
    bob.run(third)


def test_a_record_that_keeps_its_draw_is_checked(players: Players, tmp_path: Path) -> None:
    ann, bob, _ = players
    first = ann.begins("Ann", "Bob")
    ann.run(bob.sends(first, "--me", "Bob"))
    text = ann.record.read_text()
    said("letter", "read", tmp_path / "good.tkid", ann.record, "--begin")
    commitment, nonce = (re.search(rf"X-{what}: Bob (\w+)", text) for what in ("Commitment", "Nonce"))
    assert commitment is not None
    assert nonce is not None
    swapped = re.sub(r"(Track        )(\w+), (\w+)", r"\1\3, \2", text)
    for wrong, rule in (
        (text.replace(nonce[1], "4" * 64), "record.draw.nonce"),
        (text.replace(f"X-Nonce: Bob {nonce[1]}\n", ""), "record.draw.entropy"),
        (re.sub(r"Seal: .*\n", "", text), "record.draw.entropy"),
        (swapped, "record.draw.entropy"),
    ):
        file = tmp_path / "wrong.tkid"
        file.write_text(wrong)
        assert f"[{rule}]" in complaint("letter", "read", tmp_path / "new.tkid", file, "--begin", code=1)


def test_draws_are_mended_by_hand(players: Players) -> None:
    ann, bob, _ = players
    first = ann.begins("Ann", "Bob")
    text = ann.draw.read_text()
    loose = text.replace("Tkid-Draw: 1", "# from Ann\n\ntkid-draw:1").replace("Commitments", "\ncommitments:\n# hers\n")
    loose = re.sub(r"Ann +(\w{64})", lambda row: f"ann\t{row[1].upper()}", loose)
    mail = ann.folder / "typed.eml"
    mail.write_text(f"From: ann@example.org\n\nHello Bob,\n\n{text}\nWhat do you say?\nAnn\n")
    file = ann.folder / "loose.draw"
    file.write_text(loose)
    bob.run(first, mail, file, "--me", "Bob")
    assert bob.draw.read_text().startswith(text.rstrip())


def test_private_files_are_never_in_a_letter(players: Players) -> None:
    ann, bob, _ = players
    first = ann.begins("Ann", "Bob")
    message = message_from_bytes(first.read_bytes(), policy=default)
    assert message["Subject"] == "[tkid winter-2026] commitment of Ann"
    assert message["To"] == "Bob <bob@example.org>"
    nonce = (ann.folder / "winter.nonce").read_text().split()[-1]
    for data in (first.read_bytes(), ann.draw.read_bytes()):
        assert nonce.encode() not in data
        assert base64.b64encode(nonce.encode()) not in data
    assert os.listdir(bob.folder) == []  # noqa: PTH208
