"""Playing from hand to hand: whole games through letters, and everything that goes wrong on the way."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from tests.cli import RECORD, complaint, said, tkid
from tests.cli.letters import (
    ADDRESSES,
    HASH,
    NAMES,
    TURNS,
    addressed,
    both,
    files_of,
    letter,
    line_of,
    refused,
    sides,
    turns_of,
)
from tests.games.struggle.shared.family import struggle
from tests.mail.mails import body, parsed
from tests.shared.tables import each_row
from tkid.cli.files import lock_file
from tkid.games.struggle.rules.board import HIDDEN
from tkid.record.play.replay import replay
from tkid.record.play.views import hide_secrets
from tkid.record.play.writer import write_record
from tkid.rulebook.rulesets import ruleset

# -- whole games --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "seed", "players"),
    [
        ("second-edition", 1, 2),
        pytest.param("second-edition-advanced", 3, 2, marks=pytest.mark.slow),
        pytest.param("second-edition-advanced", 5, 3, marks=pytest.mark.exhaustive),
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
        own = set(struggle(hide_secrets(replay(line.cut(3).record()), None).record.game).hands.deck) - played
        assert not any(card in body(sent) for card in own)


def test_a_letter_says_what_happened_and_how_it_stands(tmp_path: Path) -> None:
    file = tmp_path / "game.tkid"
    file.write_text(RECORD, "utf-8")
    mail = letter(file, "--me", "Ann")
    sent = parsed(mail.read_bytes())
    assert sent["From"] == "Ann <ann@example.org>"
    assert sent["To"] is None
    assert sent["Subject"] == "[winter-2026] Turn 6: your turn"
    text = body(sent)
    assert text.startswith(
        "Ann played Outmanoeuvre in Lancaster and Gwynedd. Your turn.\n\n5  Ann played Outmanoeuvre, swapped "
    )
    assert "\n4  " not in text
    assert ">ESS<  contested" in text
    assert "tkid letter read" in text
    (attached,) = sent.iter_attachments()
    assert attached.get_filename() == "turn-5.tkid"
    handed = attached.get_content().replace("\r\n", "\n")
    assert "Devon comes third" not in handed
    assert "Ann was away" not in handed
    assert HASH.findall(handed) == HASH.findall(RECORD)
    result = tkid("letter", "write", file, "--me", "Łukasz", "--to", "Ann")
    assert result.exit_code == 0
    assert result.stderr.startswith("Note: This letter has no new turn of yours. It is Łukasz's turn. Play it first: ")
    assert body(parsed(result.stdout_bytes)).startswith(
        "You played Outmanoeuvre in Lancaster and Gwynedd. Łukasz is next."
    )


def test_the_letter_that_begins_a_game_says_with_whom_and_how_to_begin(tmp_path: Path) -> None:
    line = line_of("second-edition", 1)
    two = files_of(line, tmp_path / "two", 0)
    mover = line.names[line.steps[0].before.to_act or 0]
    other = next(name for name in line.names if name != mover)
    for turns in (0, 1):
        if turns:
            assert tkid("play", two[mover], turns_of(line)[0]).exit_code == 0
        mail = letter(two[mover], "--me", mover, "--to", other)
        text = body(parsed(mail.read_bytes()))
        nexts = "It is your turn." if turns else f"{mover} is next."
        assert text.startswith(f"Your new game with {mover} begins. {nexts}")
        assert f"You play {ruleset('second-edition').title}, with {mover}." in " ".join(text.split())
        assert "S Scottish, W Welsh, E English." in text
        assert "Regions whose boxes touch are neighbours." in text
        assert "tkid letter read GAME.tkid THIS-MAIL.eml --begin" in text
        assert "ten-minutes" in text
        assert ("How to write a turn: https://" in text) == bool(turns)
        begun = tmp_path / f"{turns}.tkid"
        assert tkid("letter", "read", begun, mail, "--begin", "--me", other).exit_code == 0
    assert tkid("play", begun, turns_of(line)[1]).exit_code == 0
    text = body(parsed(letter(begun, "--me", other).read_bytes()))
    assert "--begin" not in text
    assert "S Scottish" not in text


def test_a_letter_shows_the_position_where_that_can_be_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "game.tkid"
    file.write_text(RECORD, "utf-8")
    plain = parsed(letter(file, "--me", "Ann").read_bytes())
    mail = parsed(letter(file, "--me", "Ann", "--pictures").read_bytes())
    kinds = [part.get_content_type() for part in mail.walk() if not part.is_multipart()]
    assert kinds == ["text/plain", "text/html", "image/png", "text/plain", "text/html"]
    assert body(mail).startswith(body(plain))
    attached, board = mail.iter_attachments()
    assert attached.get_content() == next(plain.iter_attachments()).get_content()
    assert board.get_filename() == "turn-6.html"
    assert "open the attached turn-6.html" in body(mail)
    assert tkid("letter", "read", file, file.with_suffix(".eml")).exit_code == 0
    monkeypatch.setattr("tkid.render.raster.NEEDED", {"no_such_module": "no-such-package"})
    without = parsed(letter(file, "--me", "Ann", "--pictures").read_bytes())
    assert "image/png" not in [part.get_content_type() for part in without.walk()]
    assert body(without) == body(mail)


def test_the_board_to_click_gives_a_line_to_copy_and_no_mail(tmp_path: Path) -> None:
    """A turn is played into the file: a mail with nothing but its line would be of no use to its reader."""
    file = tmp_path / "game.tkid"
    file.write_text(RECORD, "utf-8")
    *_, board = parsed(letter(file, "--me", "Ann", "--pictures").read_bytes()).iter_attachments()
    page = board.get_content()
    assert '"mail":""' in page
    assert "ann@example.org" not in page


def test_a_board_to_click_is_for_the_next_player_in_an_open_game(tmp_path: Path) -> None:
    file = tmp_path / "game.tkid"
    file.write_text(RECORD, "utf-8")
    assert boards(letter(file, "--me", "Łukasz", "--to", "Ann", "--pictures")) == []
    whole, mine = tmp_path / "whole.tkid", tmp_path / "ann.tkid"
    said("new", whole, "Ann", "Bob", "--ruleset", "second-edition-advanced", "--first", "Bob")
    said("view", whole, "--seat", "Ann", "-o", mine)
    assert boards(letter(mine, "--pictures")) == []


def boards(mail: Path) -> list[str]:
    """The names of the pages that a letter has attached."""
    attached = parsed(mail.read_bytes()).iter_attachments()
    return [str(part.get_filename()) for part in attached if part.get_content_type() == "text/html"]


@pytest.mark.parametrize("options", [("--pictures",), ()])
def test_a_letter_says_the_same_in_html(tmp_path: Path, options: tuple[str, ...]) -> None:
    file = tmp_path / "game.tkid"
    file.write_text(RECORD, "utf-8")
    mail = parsed(letter(file, "--me", "Ann", *options).read_bytes())
    page = mail.get_body(("html",))
    assert page is not None
    shown = words(page.get_content())
    for line in body(mail).splitlines():
        if line.startswith(("Ann played", "5  Ann played", "    tkid ", "Save this mail", "Then play", "To click")):
            assert " ".join(line.split()) in shown, line
    assert ("cid:position." in page.get_content()) is bool(options)


def words(page: str) -> str:
    """The text of a page, in one line."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())


def test_a_letter_when_the_game_is_over(tmp_path: Path) -> None:
    line = line_of("second-edition", 2, 3)
    file = files_of(line, tmp_path, len(line.steps))["Ann"]
    sent = parsed(letter(file, "--me", "Ann").read_bytes())
    assert sent["To"] == "Bob <bob@example.org>, Cal <cal@example.org>"
    assert sent["Subject"] == "[tkid] Game over: Cal won"
    assert body(sent).startswith("Cal won by playing a card last.")
    assert "\nHOW IT WAS DECIDED\n" in body(sent)


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
    assert "You are Dee" in complaint("letter", "write", file, "--to", "Dee", "--me", "Dee", code=2)
    assert "There is no player Eve" in complaint("letter", "write", file, "--to", "Eve", code=2)
    assert "write a plain address" in complaint("letter", "write", file, "--from", "a@b>c", code=2)
    assert "would overwrite" in complaint("letter", "write", file, "-o", file, code=2)
    begun = files_of(line, tmp_path)["Ann"]
    assert "Who are you?" in complaint("letter", "write", begun, "--to", "all", code=2)


# -- mistakes on the way ------------------------------------------------------------------------------------


@pytest.fixture
def two(tmp_path: Path) -> tuple[Path, Path]:
    """Ann's and Bob's files of one game after four turns."""
    return both(tmp_path)


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
        assert "Your file has all of this already: 5 turns" in told
        assert "[record.compare.same]\nNothing was changed.\n" in told
        assert f"It is {NAMES[5]}'s turn." in told
    assert other.read_bytes() == before
    assert "it has 4 turns, yours has 5" in refused(other, old, "record.compare.stale")


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
    return re.findall(r"^    (.*)$", said("legal", file), re.MULTILINE)


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
    assert "Turn 6 there is yours" in refused(other, mail, "record.compare.own-turn")
    assert "2 new turns" in said("letter", "read", other, mail, "--restore")


def test_a_records_faults_are_shown_with_their_lines(two: tuple[Path, Path]) -> None:
    mover, other = sides(two)
    theirs = mover.with_name("theirs.tkid")
    theirs.write_text(
        HASH.sub("", mover.read_text()) + f"5. {NAMES[4]} Manoeuvre S Nowhere <> E Devon; summon S Moray\n"
    )
    told = refused(other, theirs, "record.compare.right")
    assert re.search(r"theirs\.tkid:\d+:\d+: .*\[notation\.region\]", told)


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
    with lock_file(other):
        assert "another program is writing it" in complaint("letter", "read", other, mail, code=2)
    assert "does not exist" in complaint("letter", "read", other.with_name("no.tkid"), mail, code=2)
    assert "No such file" in complaint("letter", "read", other, other.with_name("no.eml"), code=2)


def test_a_file_begins_with_a_letter(two: tuple[Path, Path], tmp_path: Path) -> None:
    mover, other = sides(two)
    said("play", mover, TURNS[4])
    mail, mine = letter(mover), tmp_path / "mine.tkid"
    assert "add --begin" in complaint("letter", "read", mine, mail, code=2)
    told = said("letter", "read", mine, mail, "--begin")
    assert told.endswith(
        f"with Ann, Bob; 5 turns.\nIt is now {NAMES[5]}'s file. `tkid me` changes that.\nIt is {NAMES[5]}'s turn.\n"
    )
    assert mine.read_text() == mover.read_text()
    assert "exists already" in complaint("letter", "read", mine, mail, "--begin", code=2)
    wrong = other.with_name("wrong.tkid")
    wrong.write_text(re.sub(r"First        \w+", "First        Eve", mover.read_text()))
    assert complaint("letter", "read", tmp_path / "new.tkid", wrong, "--begin", code=1)
    assert not (tmp_path / "new.tkid").exists()


def test_three_who_do_not_say_who_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    line = line_of("second-edition", 2, 3)
    files = files_of(line, tmp_path, 1)
    later = files_of(line, tmp_path / "later", 2)
    mover = line.names[line.steps[1].before.to_act or 0]
    other = next(name for name in line.names if name != mover)
    told = said("letter", "read", files[other], later[mover])
    assert "tkid did not check whether any of these turns is your own. Add --me NAME to check it." in told
    mail = letter(later[other], "--to", mover, "--me", other)
    told = refused(files[mover], mail, "record.compare.own-turn")
    assert f"The file and the mail suggest that you are {mover}. If you are not" in told.replace("\n    ", " ")
    monkeypatch.setenv("TKID_ME", mover)
    assert "if you are not" not in refused(files[mover], mail, "record.compare.own-turn")
    assert "Nobody looked" not in said("letter", "read", files[mover], mail, "--restore")


def test_who_dealt_keeps_a_whole_record_and_is_no_player(tmp_path: Path) -> None:
    line = line_of("second-edition-advanced", 3)
    files = files_of(line, tmp_path)
    whole = tmp_path / "whole.tkid"
    whole.write_text(addressed(write_record(line.cut(0).record())), "utf-8")
    mover, other = (line.names[at] for at in (line.steps[0].before.to_act or 0, 1 - (line.steps[0].before.to_act or 0)))
    said("play", files[mover], turns_of(line)[0])
    mail = letter(files[mover], "--to", other)
    for file in (whole, files[other]):
        told = said("letter", "read", file, mail)
        assert "1 new turn." in told
        assert "Note" not in told
    assert HIDDEN not in whole.read_text()
    said("play", files[other], turns_of(line)[1])
    assert "1 new turn." in said("letter", "read", whole, letter(files[other]))


@each_row("lines, told", [(999, "has more than 1000 lines"), (600, "is larger than 64 kB"), (900, "")])
def test_no_letter_is_written_that_nobody_could_read(lines: int, told: str, tmp_path: Path) -> None:
    """What is written can be read; cites: mail.letter.enclosed."""
    folder = tmp_path / str(lines)
    folder.mkdir()
    ann, bob, mail = folder / "ann.tkid", folder / "bob.tkid", folder / "letter.eml"
    said("new", ann, "Ann <ann@example.org>", "Bob <bob@example.org>", "--first", "Ann", "--me", "Ann")
    long = f"# paused: by the host 2026-12-01T09:00Z: {'x' * 80}\n"
    with ann.open("a", encoding="utf-8") as more:
        more.write((long if lines == 600 else "# away: Ann 2026-12-20 to 2026-12-28\n") * lines)
    result = tkid("letter", "write", ann, "-o", mail, "--no-pictures")
    assert (result.exit_code, mail.exists()) == (bool(told), not told)
    assert (
        f"turn-0.tkid {told}, so the others could not read this letter. Nothing was written." in result.stderr
        or not told
    )
    if not told:
        said("letter", "read", bob, mail, "--begin", "--me", "Bob")
