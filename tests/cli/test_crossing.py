"""Ends that cross with other mails: turns, resignations and ends that one player's file has before another's."""

from __future__ import annotations

import re
from itertools import permutations
from pathlib import Path

import pytest

from tests.cli import complaint, said, tkid
from tests.cli.letters import AT
from tests.cli.test_resigning import LATER, OVER, RESIGNED, _settings, table, turns, written  # noqa: F401 - the fixture is used
from tests.shared.tables import each_row

ANN = "# resigned: Ann 2026-11-21T11:00Z"
DRAW = "# ended: draw, agreed by Ann and Bob 2026-11-21T10:00Z"
ABORTED = "# ended: aborted by the host 2026-11-21T10:00Z: a test"


def passed(folder: Path, count: int, *lines: str, names: tuple[str, ...] = ("Ann", "Bob")) -> Path:
    """A game of passes; lines are put below the turn of their number, as in `1 # resigned: …`."""
    file = folder / "game.tkid"
    said("new", file, *names, "--first", "Ann")
    for _ in range(count):
        said("play", file, "Pass")
    text = file.read_text("utf-8")
    for line in lines:
        number, _, added = line.partition(" ")
        place = re.compile(rf"(^{number}\. .*\n(?:[-#].*\n)*)" if int(number) else r"(^Turns\n)", re.MULTILINE)
        text = place.sub(lambda match: f"{match[1]}{added}\n", text)  # noqa: B023 - used at once
    file.write_text(text, "utf-8")
    return file


def bare(file: Path) -> Path:
    """A file without its hashes, which `fmt` may write again."""
    file.write_text(re.sub(r" #[0-9a-f]{6}$", "", file.read_text("utf-8"), flags=re.MULTILINE), "utf-8")
    return file


@each_row(
    "count, line, wrong",
    [
        (3, f"1 {RESIGNED}", 2),
        (4, f"1 {RESIGNED}", 2),
        (3, f"1 {ANN}", 3),
        (3, f"2 {RESIGNED}", 0),
        (4, f"2 {RESIGNED}", 4),
        (2, f"1 {ANN}", 0),
        (3, f"0 {RESIGNED}", 2),
        (3, f"1 {DRAW}", 2),
        (3, f"2 {DRAW}", 3),
        (3, f"2 {ABORTED}", 3),
        (3, f"3 {ABORTED}", 0),
        (3, "2 # ended: abandoned, agreed by Ann and Bob 2026-11-21T10:00Z", 3),
        (3, "0 # ended: aborted by the host 2026-11-21T10:00Z", 1),
    ],
)
@pytest.mark.parametrize("hashes", ["stated", "left out", "written again"])
def test_no_turn_below_the_end(count: int, line: str, wrong: int, hashes: str, tmp_path: Path) -> None:
    """Only a turn that crossed with a resignation may stand below it; cites: record.turn.over."""
    folder = tmp_path / re.sub(r"\W", "", f"{count}{line}{hashes}")
    folder.mkdir()
    file = passed(folder, count, line)
    if hashes != "stated":
        bare(file)
    if hashes == "written again" and wrong:
        before = file.read_bytes()
        assert "[record.turn.over]" in complaint("fmt", file, code=1)
        assert file.read_bytes() == before
    told = tkid("check", file)
    assert told.exit_code == bool(wrong), told.stdout
    place = next(
        (number for number, row in enumerate(file.read_text("utf-8").splitlines(), 1) if row.startswith(f"{wrong}. ")),
        0,
    )
    if wrong:
        shown = line.partition(" ")[2]
        assert (
            f":{place}:4: The game was over before this turn, by the line `{shown}` [record.turn.over]" in told.stdout
        )
        assert "move the line below it" in told.stdout
        assert told.stdout.count("[record.turn.over]") == 1
    for command in ("show", "result", "replay", "verify"):
        assert tkid(command, file).exit_code == 1 or not wrong, command


def test_a_turn_that_ends_the_game_or_has_a_time_did_not_cross(tmp_path: Path) -> None:
    """Cites: record.turn.over."""
    file = passed(tmp_path, 3, f"2 {RESIGNED}")
    assert tkid("check", file).exit_code == 0
    text = file.read_text("utf-8")
    file.write_text(text.replace("3. Ann Pass", "3. Ann Pass {at 2026-11-21T12:00Z}"), "utf-8")
    assert "[record.turn.over]" in tkid("check", file).stdout
    file.unlink()
    said("new", file, "Ann", "Bob", "--first", "Ann")
    while "The game is over" not in said("play", file, "Pass"):
        pass
    text = bare(file).read_text("utf-8")
    last = max(map(int, re.findall(r"^([0-9]+)\. ", text, re.MULTILINE)))
    name = re.findall(rf"^{last}\. (\w+)", text, re.MULTILINE)[0]
    gone = RESIGNED if name == "Ann" else ANN
    file.write_text(re.sub(rf"^({last}\. )", rf"{gone}\n\1", text, flags=re.MULTILINE), "utf-8")
    assert "[record.turn.over]" in tkid("check", file).stdout
    file.write_text(f"{text}{gone}\n", "utf-8")
    assert tkid("check", file).exit_code == 0


@each_row(
    "names, lines, rule",
    [
        (("Ann", "Bob", "Cal"), (f"1 {RESIGNED}",), "post.resign.final"),
        (("Ann", "Bob", "Cal"), (f"1 {RESIGNED}", "1 # stand-in: Bob is played by Dee 2026-11-21T10:01Z"), ""),
        (
            ("Ann", "Bob", "Cal"),
            ("1 # stand-in: Bob is played by Dee 2026-11-21T09:00Z", f"1 {RESIGNED}"),
            "post.resign.final",
        ),
        (("Ann", "Bob", "Cal", "Dee"), (f"1 {RESIGNED}",), "post.resign.final"),
        (("Ann", "Bob", "Cal"), (f"1 {RESIGNED}", "1 # resigned: Cal 2026-11-21T10:00Z"), "record.turn.over"),
    ],
)
def test_a_seat_whose_player_has_resigned_only_passes(
    names: tuple[str, ...], lines: tuple[str, ...], rule: str, tmp_path: Path
) -> None:
    """With three and more players, unless somebody stands in; cites: post.resign.final."""
    folder = tmp_path / re.sub(r"\W", "", "".join((*names, *lines)))
    folder.mkdir()
    file = passed(folder, 1, names=names)
    card = next(line.strip() for line in said("legal", file, "--card", "Manoeuvre").split("\n") if " <> " in line)
    said("play", file, card)
    text = file.read_text("utf-8")
    added = "".join(f"{line[2:]}\n" for line in lines)
    file.write_text(text.replace("\n2. Bob", f"\n{added}2. Bob"), "utf-8")
    told = tkid("check", file)
    assert told.exit_code == bool(rule)
    assert f"[{rule}]" in told.stdout or not rule
    if rule == "post.resign.final":
        assert "Bob had resigned before this turn" in told.stdout
        assert "`# stand-in: Bob is played by NAME TIME`" in told.stdout
    file.write_text(text.partition("2. Bob")[0] + added, "utf-8")
    before = file.read_bytes()
    if rule == "post.resign.final":
        assert f"[{rule}]" in complaint("play", file, card, "--for", "Bob", code=1)
        assert file.read_bytes() == before
        said("play", file, "Pass", "--for", "Bob")


def test_a_turn_that_crosses_with_a_resignation_stands_above_it_in_both_files(tmp_path: Path) -> None:
    """Ann plays while Bob resigns: then both files are the same; cites: record.turn.over."""
    ann, bob = table(tmp_path, "Ann", "Bob")
    said("play", ann, "Pass")
    mail = written(ann)
    said("resign", bob, "--yes", "--at", AT)
    late = written(bob)
    told = said("letter", "read", bob, mail)
    assert OVER in told
    said("letter", "read", ann, late)
    assert turns(ann) == turns(bob) == ["1. Ann Pass", RESIGNED]
    assert ann.read_text("utf-8").splitlines()[-1] == bob.read_text("utf-8").splitlines()[-1]
    for file in (ann, bob):
        assert "all right, 1 turn. Ann won: Bob has resigned." in said("check", file)
    assert "[record.compare.same]" in said("letter", "read", bob, written(ann))


def test_nobody_plays_on_for_a_player_who_has_resigned(tmp_path: Path) -> None:
    """Ann's file goes on with turns of Bob's, although Bob has resigned; cites: record.turn.over."""
    ann, bob = table(tmp_path, "Ann", "Bob")
    for _ in range(3):
        said("play", ann, "Pass", *(("--for", "Bob") if _ == 1 else ()))
    mail = written(ann, "--to", "all")
    said("resign", bob, "--yes", "--at", AT)
    before = bob.read_bytes()
    told = complaint("letter", "read", bob, mail, code=1)
    assert "Turn 2 there comes too late for your file, so nothing is taken. [record.turn.over]" in told
    assert f"Note: The game was over before this turn, by the line `{RESIGNED}`." in told
    assert bob.read_bytes() == before


@pytest.mark.parametrize(("first", "second"), [(AT, LATER), (LATER, AT), (AT, AT)])
@pytest.mark.parametrize("plays", [False, True])
def test_of_two_resignations_that_cross_the_earlier_counts(
    first: str, second: str, tmp_path: Path, *, plays: bool
) -> None:
    """Both files say the same, and warn; cites: record.resigned.first."""
    ann, bob = table(tmp_path, "Ann", "Bob")
    if plays:
        said("play", ann, "Pass")
    said("resign", ann, "--yes", "--at", first)
    said("resign", bob, "--yes", "--at", second)
    mails = written(ann), written(bob)
    wins, lost = ("Bob", "Ann") if first <= second else ("Ann", "Bob")
    for file, mail in ((ann, mails[1]), (bob, mails[0])):
        told = said("letter", "read", file, mail)
        assert f"The winner is {wins}." in told
        assert "Note: Everybody has resigned. The line `# resigned: " + lost in told
        assert f"so {wins} won. [record.resigned.first]" in told
    assert turns(ann) == turns(bob)
    for file in (ann, bob):
        told = said("check", file)
        assert f"{wins} won: {lost} has resigned." in told
        assert f"so {wins} won. [record.resigned.first]" in told
        assert said("result", file) == f"Resignation: {wins}\n"


@pytest.mark.parametrize("names", [("Ann", "Bob"), ("Ann", "Bob", "Cal")])
def test_the_result_does_not_depend_on_the_order_of_the_lines(names: tuple[str, ...], tmp_path: Path) -> None:
    """Cites: record.resigned.first."""
    for hours in permutations(("09", "10", "10")):
        lines = [f"# resigned: {name} 2026-12-01T{hour}:00Z\n" for name, hour in zip(names, hours, strict=False)]
        results = set()
        for order in permutations(lines):
            file = tmp_path / "game.tkid"
            file.unlink(missing_ok=True)
            said("new", file, *names, "--first", "Ann")
            with file.open("a", encoding="utf-8") as more:
                more.writelines(order)
            results.add(said("result", file).splitlines()[0])
            assert tkid("check", file).exit_code == 0
        assert len(results) == 1, (hours, results)


def ended(folder: Path, line: str) -> tuple[Path, Path]:
    """Ann's file, and a letter of Bob's with a turn and a line that ends the game."""
    ann, bob = table(folder, "Ann", "Bob")
    said("play", ann, "Pass")
    said("letter", "read", bob, written(ann))
    said("play", bob, "Pass")
    with bob.open("a", encoding="utf-8") as more:
        more.write(f"{line}\n")
    return ann, written(bob, "--to", "all")


@each_row("line, who", [(DRAW, "Ann and Bob"), (ABORTED, "a host")])
def test_an_end_in_a_letter_needs_agreement(line: str, who: str, tmp_path: Path) -> None:
    """No turn is taken from a file that says that the game has ended; cites: record.compare.marked."""
    folder = tmp_path / who
    folder.mkdir()
    ann, mail = ended(folder, line)
    before = ann.read_bytes()
    told = complaint("letter", "read", ann, mail, code=1)
    assert f"It says that the game has ended, but nothing shows that {who} wrote that. [record.compare.marked]" in told
    assert f"theirs:  {line}" in told
    assert ann.read_bytes() == before
    said("letter", "read", ann, mail, "--agree")
    assert turns(ann) == ["1. Ann Pass", "2. Bob Pass", "-- Strathclyde: Welsh (3W 1E)", line] or turns(ann)[-1] == line
    assert "The game is over" in said("check", ann)
    assert "[record.compare.same]" in said("letter", "read", ann, mail)


def test_no_turn_is_taken_into_a_file_that_says_that_the_game_ended(tmp_path: Path) -> None:
    """Cites: record.turn.over."""
    ann, bob = table(tmp_path, "Ann", "Bob")
    said("play", ann, "Pass")
    mail = written(ann)
    with bob.open("a", encoding="utf-8") as more:
        more.write(f"{DRAW}\n")
    before = bob.read_bytes()
    told = complaint("letter", "read", bob, mail, code=1)
    assert "Turn 1 there comes too late for your file, so nothing is taken. [record.turn.over]" in told
    assert f"by the line `{DRAW}`" in told
    assert bob.read_bytes() == before


@each_row(
    "line, who",
    [
        (ABORTED, "a host"),
        ("# paused: by the host 2026-11-21T10:00Z", "a host"),
        ("# extended: Ann 2 days by the host 2026-11-21T10:00Z", "a host"),
        ("# deadline: Ann 2026-12-20T18:00Z by the host 2026-11-21T10:00Z", "a host"),
        ("# paused: until 2026-12-20, agreed by Ann and Bob 2026-11-21T10:00Z", "Ann and Bob"),
        ("# away: Bob 2026-12-20 to 2026-12-21", "Bob"),
        ("# adjourned: 2026-11-21T10:00Z", "the players"),
    ],
)
def test_who_can_have_written_a_line(line: str, who: str, tmp_path: Path) -> None:
    """A host's line is not said to be the players'; cites: record.compare.notes."""
    folder = tmp_path / re.sub(r"\W", "", line)
    folder.mkdir()
    ann, mail = ended(folder, line)
    told = " ".join((tkid("letter", "read", ann, mail, "--agree").stdout).split())
    assert f"`{line}`. Nothing shows that {who} wrote that." in told


def test_a_program_is_not_asked_whether_it_agrees(tmp_path: Path) -> None:
    """Ann alone agrees to a draw with a bot; cites: post.agree.all."""
    file = tmp_path / "game.tkid"
    said("new", file, "Ann", "Merlin", "--first", "Ann", "--bot", "Merlin=random")
    with file.open("a", encoding="utf-8") as more:
        more.write("# ended: draw, agreed by Ann 2026-11-21T10:00Z\n")
    assert "all right, 0 turns. The game is over: everybody agreed to a draw." in said("check", file)
    assert "The game is over." in complaint("play", file, "Pass", code=1)
