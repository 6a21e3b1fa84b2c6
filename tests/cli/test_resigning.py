"""Resigning from hand to hand: `tkid resign`, the line in the game file, the letters that bring it, and who passes then."""

from __future__ import annotations

import json
import re
from itertools import count
from pathlib import Path

import pytest

from tests.cli import complaint, said, tkid
from tests.cli.dealers import Player, dealt_by_two
from tests.cli.letters import ADDRESSES, AT, HASH
from tests.mail.mails import body, parsed
from tests.shared.tables import each_row
from tkid.record.format.reader import read_record
from tkid.record.play.replay import replay

LATER = "2026-11-21T11:00:00+00:00"
RESIGNED = "# resigned: Bob 2026-11-21T10:00Z"
OVER = "The game is over. Bob has resigned. The winner is Ann."


@pytest.fixture(autouse=True)
def _settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))


def table(folder: Path, *names: str) -> list[Path]:
    """A file for each player of a game that Ann begins."""
    ann = folder / "Ann.tkid"
    said("new", ann, *(f"{name} <{ADDRESSES[name]}>" for name in names), "--first", "Ann", "--me", "Ann")
    mail = written(ann, "--to", "all")
    others = [folder / f"{name}.tkid" for name in names[1:]]
    for file in others:
        said("letter", "read", file, mail, "--begin", "--me", file.stem)
    return [ann, *others]


def written(file: Path, *options: str) -> Path:
    """The letter of a file's owner."""
    mail = file.with_suffix(".eml")
    said("letter", "write", file, "-o", mail, "--at", AT, "--no-pictures", *options)
    return mail


def turns(file: Path) -> list[str]:
    """What a file has from the first turn on, without hashes."""
    return HASH.sub("", file.read_text("utf-8")).partition("Turns\n")[2].splitlines()


@pytest.mark.parametrize("acts", [True, False])
def test_of_two_the_other_has_won(tmp_path: Path, *, acts: bool) -> None:
    """Whether or not it is the turn of who resigns; cites: record.resigned, post.resign."""
    ann, bob = table(tmp_path, "Ann", "Bob")
    if acts:
        said("play", ann, "Pass")
        said("letter", "read", bob, written(ann))
    told = said("resign", bob, "--yes", "--at", AT)
    send = f"Send a letter to the others: `tkid letter write {bob} --to all -o FILE`."
    assert told.split() == f"Bob has resigned. [record.resigned] {OVER} {send}".split()
    bob.write_text(f"{bob.read_text('utf-8')}# I slept badly\n", "utf-8")
    mail = written(bob)
    assert parsed(mail.read_bytes())["Subject"] == "[tkid] Game over: you won"
    assert body(parsed(mail.read_bytes())).startswith("You won: Bob has resigned.\n")
    assert b"slept" not in mail.read_bytes()
    assert said("letter", "read", ann, mail) == f"{ann}: Bob has resigned [record.resigned].\n{OVER}\n"
    assert turns(ann) == [*(["1. Ann Pass"] if acts else []), RESIGNED]
    assert "[record.compare.same]" in said("letter", "read", ann, mail)
    assert OVER in said("show", ann)
    assert said("legal", ann) == f"{OVER} There are no legal turns.\n"
    assert said("result", ann) == "Resignation: Ann\n"
    assert "all right" in said("check", ann)
    assert complaint("play", ann, "Pass", "--for", "Bob", code=1) == f"{OVER} Nothing was played. [post.resign]\n"
    assert complaint("resign", ann, "--yes", code=1) == "The game is over. Nothing was changed.\n"


def test_of_three_the_seat_passes_and_the_game_goes_on(tmp_path: Path) -> None:
    """Everybody's file passes for the seat, at the same place; cites: record.resigned."""
    ann, bob, cal = table(tmp_path, "Ann", "Bob", "Cal")
    told = said("resign", bob, "--yes", "--at", AT)
    assert "The game continues without Bob: the seat passes. It is Ann's turn.\n" in told
    assert complaint("resign", bob, "--yes", code=1) == "Bob has resigned already. Nothing was changed.\n"
    mail = written(bob)
    assert parsed(mail.read_bytes())["To"] == "Ann <ann@example.org>, Cal <cal@example.org>"
    assert "\nBob has resigned.\n" in body(parsed(mail.read_bytes()))
    said("letter", "read", ann, mail)
    told = said("play", ann, "Pass")
    assert "\n2. Bob Pass #" in told
    assert told.endswith("It is Cal's turn.\n")
    said("undo", ann)
    assert turns(ann) == [RESIGNED]
    said("play", ann, "Pass")
    assert turns(ann) == ["1. Ann Pass", RESIGNED, "2. Bob Pass {resigned}"]
    mail = written(ann)
    before = cal.read_bytes()
    assert "but nothing shows that Bob wrote that. [record.compare.marked]" in complaint(
        "letter", "read", cal, mail, code=1
    )
    assert cal.read_bytes() == before
    told = said("letter", "read", cal, mail, "--agree")
    assert told.startswith(f"{cal}: 2 new turns; Bob has resigned [record.resigned].\n")
    assert told.endswith("It is Cal's turn.\n")
    said("letter", "read", bob, mail)  # who has resigned takes passes that others made
    assert bob.read_text("utf-8") == ann.read_text("utf-8")
    for file in (ann, bob, cal):
        assert "all right, 2 turns, Cal to play" in said("check", file)
    assert said("resign", cal, "--yes", "--at", LATER).count("The winner is Ann.") == 1


def test_a_letter_that_does_not_know_it_yet_is_passed_on(tmp_path: Path) -> None:
    """Whoever reads that it is the turn of somebody who has resigned passes at once; cites: record.resigned."""
    ann, bob, cal = table(tmp_path, "Ann", "Bob", "Cal")
    said("play", ann, "Pass")
    mail = written(ann, "--to", "all")
    said("resign", bob, "--yes", "--at", AT)
    late = written(bob)
    assert said("letter", "read", bob, mail).count("\n2. Bob Pass #") == 1
    said("letter", "read", cal, mail)
    told = said("letter", "read", cal, late)  # older than the file, but it brings something
    assert told.startswith(f"{cal}: Bob has resigned [record.resigned].\n2. Bob Pass #")
    assert told.endswith("It is Cal's turn.\n")
    said("letter", "read", ann, late)
    assert "[record.compare.same]" in said("letter", "read", ann, written(cal, "--to", "all"))


def test_nobody_else_resigns_for_you(tmp_path: Path) -> None:
    """Your own resignation comes from your own file alone; cites: record.compare.own-turn."""
    ann, bob = table(tmp_path, "Ann", "Bob")
    forged = tmp_path / "forged.tkid"
    forged.write_text(f"{ann.read_text('utf-8')}{RESIGNED}\n", "utf-8")
    before = bob.read_bytes()
    told = complaint("letter", "read", bob, forged, code=1)
    assert "It says that you, Bob, have resigned, but your file does not. [record.compare.own-turn]" in told
    assert bob.read_bytes() == before
    assert OVER in said("letter", "read", bob, forged, "--restore")


def test_times_go_forward_whoever_resigned_first(tmp_path: Path) -> None:
    """A resignation that is read later keeps its time, and stands above those that are later; cites: post.note.order."""
    ann, bob, cal, dee = table(tmp_path, "Ann", "Bob", "Cal", "Dee")
    said("resign", bob, "--yes", "--at", AT)
    said("resign", dee, "--yes", "--at", LATER)
    said("letter", "read", ann, written(dee))
    said("letter", "read", ann, written(bob))
    assert turns(ann) == [RESIGNED, "# resigned: Dee 2026-11-21T11:00Z"]
    assert "all right" in said("check", ann)
    assert "The winners are Ann and Cal." in said("resign", cal, "--yes", "--at", LATER) + said("show", ann)


@each_row(
    "arguments, code, told",
    [
        ((), 1, "You cannot come back after you have resigned. If you are sure, add --yes. Nothing was changed.\n"),
        (("--yes", "--for", "Eve"), 2, "There is no player Eve. The players are Ann and Bob.\n"),
    ],
)
def test_what_stops_it(arguments: tuple[str, ...], code: int, told: str, tmp_path: Path) -> None:
    folder = tmp_path / str(code)
    folder.mkdir()
    ann, _ = table(folder, "Ann", "Bob")
    before = ann.read_bytes()
    assert complaint("resign", ann, *arguments, code=code) == told
    assert ann.read_bytes() == before


def test_after_a_resignation_no_command_speaks_of_another_turn(tmp_path: Path) -> None:
    """Cites: post.order.over."""
    ann, bob = table(tmp_path, "Ann", "Bob")
    swap = next(line.strip() for line in said("legal", ann, "--card", "Manoeuvre").split("\n") if " <> " in line)
    said("play", ann, swap)
    said("letter", "read", bob, written(ann))
    shown = said("show", ann)
    assert "Turn 2: Bob to play" in shown
    said("resign", bob, "--yes", "--at", AT)
    shown = said("show", bob)
    assert shown.startswith("Game over after turn 1 | The rules did not decide it\n")
    assert OVER in shown
    for text in ("undo", "to play", "As it stands", "->"):
        assert text not in shown, text
    assert said("suggest", bob) == f"{OVER} There is no turn to suggest.\n"
    for command in (
        ("why-not", bob, "Pass"),
        ("read", bob, "Pass"),
        ("undo", bob),
        ("undo", bob, "--agreed"),
        ("play", bob, "Pass"),
    ):
        before = bob.read_bytes()
        assert complaint(*command, code=1).startswith(OVER), command
        assert bob.read_bytes() == before


def test_who_resigns_has_to_be_known_and_a_host_is_told_otherwise(tmp_path: Path) -> None:
    ann, _ = table(tmp_path, "Ann", "Bob")
    assert "`tkid resign FILE`. Nothing was played. [record.resigned]" in complaint("play", ann, "resign", code=1)
    said("me", ann, "nobody")
    assert complaint("resign", ann, "--yes", code=1).startswith(
        "Who resigns? Add --me NAME. The players are Ann and Bob."
    )
    ann.write_text(ann.read_text("utf-8").replace("\nSeat:", "\nX-Clock: 3 days a turn\nSeat:", 1), "utf-8")
    assert "Write `resign` to the host, alone on its line." in complaint("resign", ann, "--yes", "--me", "Ann", code=1)


@pytest.mark.slow
def test_in_a_locked_deal_the_seeds_are_opened(tmp_path: Path) -> None:
    """Who resigns opens the seed, and only then the winner: anybody could write that line; cites: record.resigned."""
    dealt_by_two(tmp_path, 5)
    ann, bob = Player(tmp_path / "Ann", "Ann", count(10)), Player(tmp_path / "Bob", "Bob", count(10))
    whole = ann.game.read_text("utf-8")
    ann.game.write_text(f"{whole}{RESIGNED}\n", "utf-8")
    said("letter", "write", ann.game, "-o", tmp_path / "early.eml", "--no-pictures")
    assert "Seeds" not in ann.deal.read_text("utf-8")
    ann.game.write_text(whole, "utf-8")
    said("resign", bob.game, "--yes", "--at", AT)
    told = ann.reads(bob.writes())
    assert f"Bob has opened the seed: it is in {ann.deal} now." in told
    assert "Now open your seed: it shows what you held." in told
    assert "All seeds are open." in bob.reads(ann.writes())
    for player in (ann, bob):
        assert "Not proven" not in said("verify", player.game)


def forged(file: Path, *lines: str, hashed: bool = False) -> Path:
    """A file to which somebody has added lines, with their hashes if the program has put them there."""
    file.write_text("".join((file.read_text("utf-8"), *(f"{line}\n" for line in lines))), "utf-8")
    if hashed:
        said("fmt", file)
    return file


CAL = "# resigned: Cal 2026-11-21T10:00Z"


@pytest.mark.parametrize("hashed", [False, True])
def test_a_player_cannot_make_another_one_resign(tmp_path: Path, *, hashed: bool) -> None:
    """Bob adds one line to his file: Ann's file stays as it is, and takes Cal's turn; cites: record.compare.marked."""
    ann, bob, cal = table(tmp_path, "Ann", "Bob", "Cal")
    said("play", ann, "Pass")
    said("letter", "read", bob, written(ann, "--to", "all"))
    said("letter", "read", cal, written(ann, "--to", "all"))
    said("play", bob, "Pass")
    real = written(bob, "--to", "all").read_bytes()
    mail = written(forged(bob, CAL, hashed=hashed), "--to", "all")
    before = ann.read_bytes()
    for letter in (mail, bob):
        told = complaint("letter", "read", ann, letter, code=1)
        assert "It says that Cal has resigned, but nothing shows that Cal wrote that. [record.compare.marked]" in told
        assert f"theirs:  {CAL}" in told
        assert "read this again with --agree." in " ".join(told.split())
        assert ann.read_bytes() == before
    begun = tmp_path / "begun.tkid"
    assert "[record.compare.marked]" in complaint("letter", "read", begun, mail, "--begin", "--me", "Ann", code=1)
    assert not begun.exists()
    told = complaint("letter", "read", cal, mail, code=1)
    assert "you, Cal, have resigned, but your file does not. [record.compare.own-turn]" in told
    mail.write_bytes(real)
    for file in (ann, cal):
        said("letter", "read", file, mail)
    said("play", cal, "Pass")
    assert "3. Cal Pass #" in said("letter", "read", ann, written(cal))


def test_a_fork_after_a_forged_resignation_names_the_line(tmp_path: Path) -> None:
    """Ann agreed too soon: her file passes for Cal, who plays on; cites: record.compare.notes."""
    ann, bob, cal = table(tmp_path, "Ann", "Bob", "Cal")
    for file in (ann, bob):
        said("play", file, "Pass")
        for other in {ann, bob, cal} - {file}:
            if file == ann or other == cal:
                said("letter", "read", other, written(file, "--to", "all"))
    told = said("letter", "read", ann, written(forged(bob, CAL)), "--agree")
    assert "3. Cal Pass #" in told
    at = replay(read_record(cal.read_bytes()).record)  # type: ignore[arg-type]
    game, position = at.record.game, at.position
    card = next(move for move in game.legal(position) if game.words.write_turn((move,)) != "Pass")
    after, _ = game.play(position, card)
    said("play", cal, game.words.write_turn((card, game.legal(after)[0])))
    told = complaint("letter", "read", ann, written(cal), code=1)
    assert "[record.compare.fork]" in told
    assert f"Only in your file: `{CAL}`. Nothing shows that Cal wrote that." in told
    assert (
        "Your file says that Cal has resigned, so it passes for Cal. If that is not so, delete this line"
        in " ".join(told.split())
    )


def test_verify_and_check_name_a_line_outside_the_chain(tmp_path: Path) -> None:
    """A line changes who has won, and the last hash stays; cites: record.note.hash."""
    ann, bob = table(tmp_path, "Ann", "Bob")
    said("play", ann, "Pass")
    said("verify", ann)
    whole = ann.read_text("utf-8")
    forged(ann, RESIGNED)
    line = f"line {len(whole.splitlines()) + 1}, `{RESIGNED}`"
    told = " ".join(said("verify", ann, code=1).split())
    assert "Not proven:" in told
    assert (
        f"The chain of hashes does not cover {line}. Anybody who had the file could add or change it; ask Bob." in told
    )
    assert f"  The hashes do not cover {line}: ask Bob. [record.note.hash]\n" in said("check", ann)
    report = json.loads(said("check", ann, "--format", "json"))
    assert report["outside_chain"] == [{"line": len(whole.splitlines()) + 1, "text": RESIGNED}]
    said("resign", bob, "--yes", "--at", AT)
    assert "outside_chain" not in json.loads(said("check", bob, "--format", "json"))
    ann.write_text(whole, "utf-8")
    said("letter", "read", ann, written(bob))
    told = " ".join(said("verify", ann).split())
    assert f"That Bob wrote {line}: Bob can say so. [record.note.hash]" in told
    changed = ann.read_text("utf-8").replace("resigned: Bob", "resigned: Ann")
    ann.write_text(changed, "utf-8")
    assert "[record.note.hash]" in tkid("check", ann).stdout


@pytest.mark.parametrize("command", ["result", "why", "show", "legal"])
def test_a_result_by_a_line_outside_the_chain_says_so(command: str, tmp_path: Path) -> None:
    """Cites: record.note.hash."""
    file = tmp_path / "game.tkid"
    said("new", file, "Ann", "Bob", "--first", "Ann")
    said("play", file, "Pass")
    with file.open("a", encoding="utf-8") as more:
        more.write("# resigned: Bob 2026-12-01T09:00Z\n")
    line = len(file.read_text("utf-8").splitlines())
    told = " ".join(tkid(command, file).stdout.split())
    assert f"The chain of hashes does not cover line {line}, `# resigned: Bob 2026-12-01T09:00Z`." in told
    said("fmt", file)
    text = file.read_text("utf-8").replace("1. Ann Pass #", "1. Ann Pass  #")
    file.write_text(re.sub(r" #[0-9a-f]{6}$", "", text, flags=re.MULTILINE), "utf-8")
    said("fmt", file)
    assert "does not cover" not in tkid(command, file).stdout


def test_check_names_a_mark_that_nothing_needs(tmp_path: Path) -> None:
    """Cites: record.turn.stands."""
    file = tmp_path / "game.tkid"
    said("new", file, "Ann", "Bob", "--first", "Ann")
    said("play", file, "Pass")
    file.write_text(file.read_text("utf-8").replace("1. Ann Pass", "1. Ann Pass {stands: x}"), "utf-8")
    assert "  Turn 1 breaks no rule, but is marked as standing although it breaks one. [record.turn.stands]\n" in said(
        "check", file
    )
