"""Programs at the table: they answer in a file, and suggest turns with a reason where that is fair."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from errno import ENOSPC
from pathlib import Path

import pytest

from tests.cli import FINISHED, POSITION, complaint, said, tkid
from tests.cli.terminal import at_a_terminal, needs_a_terminal
from tkid.cli import files
from tkid.cli.printing import CLEAR

ENTROPY = "07" * 32
FEW = "search:40"

starts_programs = pytest.mark.skipif(
    os.name == "posix" and not hasattr(os, "fork"), reason="the system that is imitated here starts no programs"
)


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A new game of Ann against a program, in which Ann starts."""
    file = tmp_path / "game.tkid"
    told = said("new", str(file), "Ann", "Merlin", "--bot", f"Merlin={FEW}", "--entropy", ENTROPY, "--first", "Ann")
    assert "Played by a program: Merlin (search)." in told
    return file


def test_a_program_answers_each_turn_with_a_reason(game: Path) -> None:
    told = said("play", str(game), "Pass")
    assert "1. Ann Pass" in told
    assert "2. Merlin " in told
    assert told.rstrip().endswith("It is Ann's turn.")
    assert said("check", str(game))
    assert "X-Bot: Merlin search 40" in game.read_text("utf-8")


def test_a_program_is_named_once_in_its_reason(tmp_path: Path) -> None:
    """Nobody gives themselves the lead, and nobody extends the lead of their own name."""
    file = tmp_path / "game.tkid"
    told = said(
        "new", str(file), "Ann", "Bob", "--bot", "Ann=greedy:20", "--bot", "Bob=greedy:20", "--entropy", ENTROPY
    )
    assert "takes the lead" in told
    assert "their own lead" in told
    assert not re.search(r"(Ann|Bob) [^.]*\b\1\b('s| the lead)", told)


def test_a_program_that_starts_plays_at_once(tmp_path: Path) -> None:
    file = tmp_path / "game.tkid"
    told = said("new", str(file), "Ann", "Merlin", "--bot", "Merlin=greedy", "--entropy", ENTROPY, "--first", "Merlin")
    assert "1. Merlin " in told


def test_programs_alone_play_to_the_end(tmp_path: Path) -> None:
    file = tmp_path / "game.tkid"
    bots = ("--bot", "Ann=random", "--bot", "Bob=greedy:20")
    said("new", str(file), "Ann", "Bob", *bots, "--entropy", ENTROPY)
    assert "Coronation" in file.read_text("utf-8") or "Invasion" in file.read_text("utf-8")


def test_the_same_file_gets_the_same_answers(game: Path, tmp_path: Path) -> None:
    twin = tmp_path / "twin.tkid"
    twin.write_bytes(game.read_bytes())
    for file in (game, twin):
        said("play", str(file), "Pass")
    assert game.read_bytes() == twin.read_bytes()


@pytest.mark.parametrize(
    ("header", "why"),
    [
        ("Merlin search 0", "No program may look at 0 positions"),
        ("Merlin search 1000001", "No program may look at 1,000,001 positions"),
        ("Merlim search 40", "There is no player Merlim"),
        ("Merlin search", "This does not seat a program"),
        ("Merlin", "This does not seat a program"),
        ("Merlin serach 40", "No program plays like `serach`: there is only random, greedy, search and engine"),
        ("", "This does not seat a program"),
        ("Merlin search 40\nX-Bot: merlin greedy 40", "Merlin is played by a program already"),
    ],
)
def test_a_wrong_header_does_not_switch_a_program_off(game: Path, header: str, why: str) -> None:
    """It is a problem with its line and the way out, and nothing is played."""
    game.write_text(game.read_text("utf-8").replace("Merlin search 40", header), "utf-8")
    before = game.read_bytes()
    line = before.decode().split("\n").index(f"X-Bot: {header}".split("\n")[-1]) + 1
    for command in (("play", str(game), "Pass"), ("check", str(game))):
        run = tkid(*command)
        assert run.exit_code == 1
        assert f"{game}:{line}:" in run.output
        assert f"{why} [record.bot.form]" in run.output
        assert "Write `X-Bot: Merlin search 1000`" in run.output
    assert game.read_bytes() == before


def test_a_program_whose_turn_it_is_plays_first(game: Path) -> None:
    """A file that was written by hand may wait for it: nobody plays its turn by mistake."""
    said("play", str(game), "Pass")
    whole = game.read_bytes()
    due = whole[: whole.index(b"2. Merlin")]
    for words, code in ((("Pass",), 1), ((), 0)):
        game.write_bytes(due)
        run = tkid("play", str(game), *words)
        assert run.exit_code == code
        assert "2. Merlin " in run.output
        assert "It is Ann's turn." in run.output
        assert ("It was Merlin's turn, so `Pass` was not played." in run.output) == bool(words)
        assert game.read_bytes() == whole
    game.write_bytes(due)
    assert "2. Merlin Pass" in said("play", str(game), "Pass", "--for", "Merlin")
    assert "Which turn?" in complaint("play", str(game), code=2)


@pytest.mark.parametrize("known", [True, False])
def test_a_game_of_one_person_is_undone_wherever_its_file_is(game: Path, *, known: bool) -> None:
    """Nobody else has to agree; with two people somebody has."""
    before = game.read_bytes()
    said("play", str(game), "Pass")
    copy = game.with_name("copy.tkid")
    copy.write_bytes(game.read_bytes())
    if known:
        said("me", str(copy), "Ann")
    assert "Taken back: 1. Ann Pass" in said("undo", str(copy))
    assert copy.read_bytes() == before


def test_who_reads_no_further_is_told_nothing_wrong(game: Path) -> None:
    """The turn is in the file, so nobody says that nothing was played."""
    command = [sys.executable, "-c", "from tkid.cli import main; main()", "play", str(game), "Pass"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout
        assert running.stderr
        running.stdout.close()
        told = running.stderr.read().decode()
    assert told == ""
    assert "\n1. Ann Pass" in game.read_text("utf-8")


def stopped(*_: object) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("how", "told"),
    [(["suggest"], "\nStopped.\n"), (["annotate", "-o", "annotated.tkid"], "\nStopped. Nothing was written.\n")],
)
def test_who_stops_a_program_that_thinks_is_told_so(
    game: Path, monkeypatch: pytest.MonkeyPatch, how: list[str], told: str
) -> None:
    monkeypatch.chdir(game.parent)
    before = sorted(game.parent.iterdir())
    monkeypatch.setattr("tkid.bots.search.Search.list_best_turns", stopped)
    run = tkid(how[0], game.name, "--alone", *how[1:])
    assert run.exit_code == 130
    assert run.output == told
    assert sorted(game.parent.iterdir()) == before


def fails_second(game: Path) -> Callable[..., None]:
    """A writer of files that finds the disk full when it writes a game for the second time."""
    write = files.write_atomically
    written: list[str] = []

    def second(path: Path, content: str, **how: bool) -> None:
        if path == game:
            written.append(content)
        if len(written) == 2:
            raise OSError(ENOSPC, os.strerror(ENOSPC), str(game))
        write(path, content, **how)

    return second


@pytest.mark.parametrize(
    ("where", "told"),
    [
        ("tkid.bots.search.Search.choose", "\nStopped. Merlin"),
        ("tkid.cli.game_source.write_atomically", os.strerror(ENOSPC)),
    ],
)
def test_the_own_turn_is_in_the_file_before_a_program_thinks(
    game: Path, monkeypatch: pytest.MonkeyPatch, where: str, told: str
) -> None:
    """Whether somebody stops it, or the disk is full when it has thought; then the file goes on as if nothing had been."""
    twin = game.with_name("twin.tkid")
    twin.write_bytes(game.read_bytes())
    said("play", str(twin), "Pass")
    with monkeypatch.context() as patched:
        patched.setattr(where, stopped if where.endswith("choose") else fails_second(game))
        run = tkid("play", str(game), "Pass")
    assert run.exit_code != 0
    assert "1. Ann Pass" in run.output
    assert told in run.output
    assert "Merlin has not played. To continue: `tkid play " in run.output
    assert game.read_text("utf-8").splitlines()[-1].startswith("1. Ann Pass")
    assert "2. Merlin " in said("play", str(game))
    assert game.read_bytes() == twin.read_bytes()
    assert "Taken back: 1. Ann Pass" in said("undo", str(game))


def test_a_turn_is_taken_back_with_the_answers_of_programs(game: Path) -> None:
    before = game.read_bytes()
    said("play", str(game), "Pass")
    told = said("undo", str(game))
    assert [line.partition(". ")[0] for line in told.splitlines()[:2]] == ["Taken back: 1", "Taken back: 2"]
    assert "It is Ann's turn." in told
    assert game.read_bytes() == before


def test_turns_of_programs_alone_are_not_taken_back(tmp_path: Path) -> None:
    file = tmp_path / "game.tkid"
    said("new", str(file), "Ann", "Merlin", "--bot", "Merlin=greedy", "--entropy", ENTROPY, "--first", "Merlin")
    before = file.read_bytes()
    assert "has no turns of yours yet" in complaint("undo", str(file), code=1)
    assert file.read_bytes() == before


def test_show_says_who_is_a_program(game: Path) -> None:
    assert "Played by a program: Merlin (search)." in said("show", str(game))


def test_turns_are_suggested_to_whoever_is_to_act(game: Path) -> None:
    told = said("suggest", str(game), "--thought", "60", "--most", "2")
    assert told.startswith("1. ")
    assert "\n2. " in told
    assert "%: " in told
    first = told.split("1. ", 1)[1].split("\n", 1)[0]
    assert "1. Ann " in said("play", str(game), first)


def test_an_estimate_that_is_too_uncertain_is_not_printed(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tkid.bots.search.MAX_DOUBT", -1)
    told = said("suggest", str(game), "--thought", "60", "--most", "2")
    assert told.count("   no clear estimate: ") == 2
    assert "%" not in told


def test_a_turn_that_falls_by_lot_has_no_estimate(game: Path) -> None:
    (_, chance, *_) = said("suggest", str(game), "--player", "Random").splitlines()
    assert chance.startswith("   at random: ")


def test_suggestions_as_json_and_for_a_position() -> None:
    lines = said("suggest", POSITION, "--thought", "60", "--json").splitlines()
    told = [json.loads(line) for line in lines]
    assert [set(each) for each in told] == [{"turn", "value", "proven", "reason", "line", "player", "thought"}] * len(
        told
    )
    assert told[0]["player"] == "search"
    assert 0 <= told[0]["value"] <= 1


@pytest.mark.parametrize(
    "position",
    [
        "claim; 1 hand G0 G4 K2; 1 score U0 U6; 2 hand 3?; 2 score U5; 2 lacks K; discards G9 K4 D3; prize D4; deck 5?; to play 1",
        "claim; 1 hand K2; 1 score G9; 2 hand G5 X0; 2 score U3; led D7; to play 2",
        "claim; 1 hand K2 K3; 2 hand 2?; 2 lacks K; to play 1",
    ],
)
def test_cards_that_a_position_leaves_out_lie_nowhere(position: str) -> None:
    assert said("suggest", position, "--thought", "60").startswith("1. ")


def test_an_annotated_game_does_not_take_the_place_of_the_game(game: Path) -> None:
    before = game.read_bytes()
    assert "This would overwrite" in complaint("annotate", str(game), "-o", str(game), code=2)
    assert game.read_bytes() == before


def test_the_end_of_a_game_needs_no_suggestion() -> None:
    assert "The game is over" in said("suggest", str(next(FINISHED.glob("*.tkid"))))


def test_the_end_of_a_game_is_no_line_of_json() -> None:
    """No turn, no line; whoever looks on is told why."""
    run = tkid("suggest", str(next(FINISHED.glob("*.tkid"))), "--json")
    assert run.exit_code == 0
    assert not run.stdout
    assert "The game is over" in run.stderr


def test_a_game_with_a_secret_card_that_nobody_saw_is_shown_replayed_and_annotated(tmp_path: Path) -> None:
    """Nothing is advised about that card; a card that was played has to be known."""
    fixture = (FINISHED.parent / "second-edition-advanced" / "coronation-support-players.tkid").read_text("utf-8")
    open_turns = re.sub(r" #[0-9a-f]{6}$", "", fixture, flags=re.MULTILINE)
    unseen, played = (tmp_path / name for name in ("unseen.tkid", "played.tkid"))
    unseen.write_text(open_turns.replace("Outmanoeuvre, Plot, Influence", "Outmanoeuvre, ?, Influence"), "utf-8")
    played.write_text(open_turns.replace("Plot, Influence, Suppress", "Plot, Influence, ?"), "utf-8")
    assert "?" in unseen.read_text("utf-8")
    assert said("check", str(unseen)).endswith("all right, 15 turns, coronation: Ann\n")
    assert "Ann is crowned" in said("show", str(unseen))
    assert "1. Ann" in said("replay", str(unseen))
    said("annotate", "--alone", "--thought", "40", str(unseen), "-o", str(tmp_path / "noted.tkid"))
    noted = (tmp_path / "noted.tkid").read_text("utf-8")
    assert noted.count("{value: ") == 15
    assert not [
        line for line in noted.splitlines() if line.startswith("# what if:") and ("?" in line or "Plot" in line)
    ]
    assert "hidden that were played" in complaint("annotate", "--alone", str(played), code=1)


def test_with_a_hand_that_is_hidden_nothing_is_suggested(tmp_path: Path) -> None:
    """For the seat that waits, from either file. The seat to act gets the same from its own file and from the whole one."""
    whole, anns, bobs = (tmp_path / name for name in ("whole.tkid", "ann.tkid", "bob.tkid"))
    rules = ("--ruleset", "second-edition-advanced", "--entropy", ENTROPY, "--first", "Ann")
    said("new", str(whole), "Ann", "Bob", *rules)
    said("view", str(whole), "--seat", "Ann", "-o", str(anns))
    said("view", str(whole), "--seat", "Bob", "-o", str(bobs))
    waits = "It is Ann's turn, not Bob's. Without --seat, turns of Ann are listed.\n"
    assert complaint("suggest", str(whole), "--seat", "Bob", code=1) == waits
    assert complaint("suggest", str(bobs), code=1) == f"It is Ann's turn, and their cards are hidden in {bobs}.\n"
    few = ("--thought", "30")
    assert said("suggest", str(whole), *few) == said("suggest", str(anns), *few)


@pytest.mark.parametrize(
    ("puzzle", "turns", "proven"),
    [
        ("01", (), "a sure win"),
        ("01", ("Scottish Support nothing; summon S Moray", "Pass"), "no longer a win"),
        ("38", ("Pass",), "a draw"),
    ],
)
def test_what_is_proven_is_said(tmp_path: Path, puzzle: str, turns: tuple[str, ...], proven: str) -> None:
    file = tmp_path / "game.tkid"
    file.write_bytes((FINISHED.parents[1] / "puzzles" / f"{puzzle}.tkid").read_bytes())
    for turn in turns:
        said("play", str(file), turn)
    told = said("suggest", str(file), "--thought", "300", "--most", "1")
    assert told.splitlines()[1].startswith(f"   {proven}, proven: ")


def test_a_game_of_people_by_mail_gets_no_advice(tmp_path: Path) -> None:
    file = tmp_path / "mail.tkid"
    said("new", str(file), "Ann <ann@example.org>", "Bob <bob@example.org>", "--entropy", ENTROPY)
    told = complaint("suggest", str(file), code=1)
    assert "would not be fair" in told
    assert "post.bot.fair" in told
    assert "--alone" in told
    assert said("suggest", str(file), "--alone", "--thought", "20").startswith("1. ")


@pytest.mark.parametrize(
    ("bot", "why"),
    [
        ("Merlin=merlin", "There is no player merlin. Programs play as random, greedy, search, or cmd:PROGRAM."),
        ("Merlin=Gredy", "There is no player gredy. Programs play as random, greedy, search, or cmd:PROGRAM."),
        ("Merln", "There is no player Merln. Did you mean `--bot Merlin`?"),
        ("Merlin greedy", "There is no player Merlin greedy. Write `--bot Merlin=greedy`."),
        ("merlin:Search", "There is no player merlin:Search. Write `--bot Merlin=search`."),
        ("Merlin search 1000", "There is no player Merlin search 1000. Write `--bot Merlin=search:1000`."),
        ("greedy", "There is no player greedy. `greedy` is a way to play. Say who plays so: `--bot Merlin=greedy`."),
        ("Bob", "There is no player Bob. Name the program among the players too, as in `tkid new FILE Ann"),
        ("Merlin=search:99999999", "`99999999` is not a number of positions from 1 to 1,000,000."),
        ("Merlin=search:many", "`many` is not a number of positions from 1 to 1,000,000."),
    ],
)
def test_a_program_that_there_is_not_is_refused(tmp_path: Path, bot: str, why: str) -> None:
    file = tmp_path / "game.tkid"
    assert why in complaint("new", str(file), "Ann", "Merlin", "--bot", bot, code=2)
    assert not file.exists()


def test_turns_are_suggested_for_whoever_is_to_act(game: Path) -> None:
    told = complaint("suggest", str(game), "--seat", "Merlin", code=1)
    assert told == "It is Ann's turn, not Merlin's. Without --seat, turns of Ann are listed.\n"


def test_a_player_s_file_says_that_a_program_does_not_answer_there(tmp_path: Path) -> None:
    """Its cards are missing there."""
    whole, own = tmp_path / "whole.tkid", tmp_path / "ann.tkid"
    said(
        "new", str(whole), "Ann", "Merlin", "--bot", "Merlin", "--ruleset", "second-edition-advanced", "--first", "Ann"
    )
    told = said("view", str(whole), "--seat", "Ann", "-o", str(own))
    assert told.endswith(f"Merlin cannot answer there, because the cards are missing: play in {whole}.\n")


# -- what a game was about --------------------------------------------------------------------------------


def games(code: str, number: int) -> list[Path]:
    """Some recorded games of a ruleset that are over."""
    return sorted((FINISHED.parent / code).glob("*.tkid"))[:number]


@pytest.mark.parametrize("code", ["second-edition", "second-edition-advanced", "claim"])
def test_a_game_that_is_over_is_annotated_and_stays_the_same_game(code: str, tmp_path: Path) -> None:
    """Nearly every turn has a value, the file is right, and a second time changes nothing."""
    (game,) = games(code, 1)
    first, second = tmp_path / "first.tkid", tmp_path / "second.tkid"
    told = said("annotate", str(game), "--thought", "12", "-o", str(first))
    counts = re.fullmatch(
        rf"{re.escape(str(first))}: (\d+) turns judged; (\w+) turning points?, (\w+) missed wins?\.\n", told
    )
    assert counts
    assert "all right" in said("check", str(first))
    turns = [line for line in first.read_text("utf-8").splitlines() if line[:1].isdigit()]
    assert turns
    assert sum("{value: " in line for line in turns) > 0.8 * len(turns)
    assert "proven}" in turns[-1]
    marked = [first.read_text("utf-8").count(f"\n# {mark}:") for mark in ("Turning point", "Missed")]
    assert counts.groups() == (str(len(turns)), *[str(count or "no") for count in marked])
    before = [line for line in game.read_text("utf-8").splitlines() if line[:1].isdigit()]
    assert [line.rsplit("#", 1)[1] for line in turns] == [line.rsplit("#", 1)[1] for line in before]
    said("annotate", str(first), "--thought", "12", "-o", str(second))
    assert second.read_bytes() == first.read_bytes()


def test_a_missed_win_is_named_with_the_turn_that_wins(tmp_path: Path) -> None:
    """In this recorded game the last turn gave a sure win away."""
    out = tmp_path / "annotated.tkid"
    said("annotate", str(FINISHED / "coronation-emptied-players.tkid"), "--thought", "100", "-o", str(out))
    lines = out.read_text("utf-8").splitlines()
    (missed,) = [number for number, line in enumerate(lines) if line.startswith("# Missed: ")]
    assert lines[missed].startswith("# Missed: Bob had a sure win with a turn that ")
    assert lines[missed + 1].startswith("# what if: ")


@needs_a_terminal
@pytest.mark.parametrize(
    ("command", "waits"),
    [(("play", "Pass"), "Merlin is thinking ... 0 s"), (("suggest",), "Looking at up to 1,000 positions ... 0 s")],
)
def test_who_waits_at_a_terminal_sees_for_what(game: Path, command: tuple[str, ...], waits: str) -> None:
    code, _, shown = at_a_terminal(command[0], game, *command[1:])
    assert code == 0
    assert waits in shown
    assert shown.endswith(CLEAR)


@pytest.mark.slow
@needs_a_terminal
def test_a_line_at_a_terminal_says_how_far_it_is() -> None:
    """It is on the terminal alone, and gone at the end: what is written is the same with it."""
    game = FINISHED / "coronation-emptied-players.tkid"
    code, written, shown = at_a_terminal("annotate", game, "--thought", "10")
    assert code == 0
    assert written == said("annotate", str(game), "--thought", "10")
    states = [(int(done), int(total)) for done, total in re.findall(r"(\d+) of (\d+) positions judged", shown)]
    assert states == sorted(states)
    assert states == [(done, states[-1][1]) for done in range(1, states[-1][1] + 1)]
    assert shown.endswith(CLEAR)


def test_comments_of_people_stay(tmp_path: Path) -> None:
    (game,) = games("second-edition", 1)
    text = game.read_text("utf-8").replace("\n3. ", "\n# A bold plan!\n# what if: Pass\n3. ")
    noted = tmp_path / "noted.tkid"
    noted.write_text(text, "utf-8")
    told = said("annotate", str(noted), "--thought", "12")
    assert "# A bold plan!\n# what if: Pass\n" in told


def test_a_game_that_goes_on_is_not_annotated(tmp_path: Path) -> None:
    secret, mail = tmp_path / "secret.tkid", tmp_path / "mail.tkid"
    said("new", str(secret), "Ann", "Bob", "--ruleset", "second-edition-advanced", "--entropy", ENTROPY)
    assert "cards are still secret" in complaint("annotate", str(secret), code=1)
    said("new", str(mail), "Ann <ann@example.org>", "Bob <bob@example.org>", "--entropy", ENTROPY)
    assert "would not be fair" in complaint("annotate", str(mail), code=1)


@pytest.mark.parametrize("command", ["suggest", "annotate"])
def test_a_game_comes_from_standard_input_too(command: str) -> None:
    """It is read once."""
    game = (FINISHED / "coronation-emptied-players.tkid").read_bytes()
    assert said(command, "-", "--thought", "10", stdin=game)


@pytest.mark.parametrize("kind", ["Deal", "Draw", "Seed", "Escrow"])
@pytest.mark.parametrize(
    "command",
    [("letter", "write", "--me", "Ann"), ("render", "--format", "svg"), ("annotate",), ("view", "--seat", "Ann")],
)
def test_no_file_that_a_game_needs_is_overwritten(game: Path, command: tuple[str, ...], kind: str) -> None:
    """Cards could not be opened without it."""
    needed = game.with_name("needed")
    needed.write_text(f"Tkid-{kind}: 1\n", "utf-8")
    told = complaint(*command, str(game), "-o", str(needed), code=2)
    assert f"{needed} is a file that a game needs. Move it away" in told
    assert needed.read_text("utf-8") == f"Tkid-{kind}: 1\n"


@pytest.mark.parametrize("command", [("annotate", "--thought", "1"), ("view", "--seat", "Ann")])
def test_the_file_of_another_game_is_not_overwritten(tmp_path: Path, command: tuple[str, ...]) -> None:
    first, second, out = (tmp_path / f"{name}.tkid" for name in ("first", "second", "out"))
    said("new", str(first), "Ann", "Bob", "--first", "Ann", "--entropy", ENTROPY)
    said("new", str(second), "Ann", "Bob", "--first", "Ann", "--entropy", "1" + ENTROPY[1:])
    name, *options = command
    said("play", str(first), "Pass")
    said(name, str(first), *options, "-o", str(out))
    said("play", str(first), "Pass")
    said(name, str(first), *options, "-o", str(out))
    before = second.read_bytes()
    told = complaint(name, str(first), *options, "-o", str(second), code=2)
    assert told == f"{second} is the file of another game. Move it away, or choose another name. Nothing was written.\n"
    assert second.read_bytes() == before


@pytest.mark.parametrize("name", ["other.tkid", "linked.tkid", "alike.tkid"])
@pytest.mark.parametrize(
    "command", [("render", "--format", "svg"), ("letter", "write", "--me", "Ann"), ("view",), ("annotate",)]
)
def test_no_output_takes_the_place_of_a_game(game: Path, command: tuple[str, ...], name: str) -> None:
    """Neither of another game, nor of the game that is read, by whatever name it goes."""
    target = game.with_name(name)
    if name == "other.tkid":
        target.write_bytes((FINISHED / "coronation-emptied-players.tkid").read_bytes())
    elif name == "linked.tkid":
        target.hardlink_to(game)
    else:
        target.symlink_to(game.name)
    before = target.read_bytes()
    words = command[:2] if command[0] == "letter" else command[:1]
    told = complaint(*words, str(game), *command[len(words) :], "-o", str(target), code=2)
    assert told.endswith("Nothing was written.\n")
    assert target.read_bytes() == before


def test_each_program_is_named_once(tmp_path: Path) -> None:
    file = tmp_path / "game.tkid"
    told = complaint("new", str(file), "Ann", "Merlin", "--bot", "Merlin", "--bot", "Merlin=greedy", code=2)
    assert told.startswith("Merlin is played by a program already.")
    assert not file.exists()


def test_no_letter_goes_to_a_program(tmp_path: Path) -> None:
    file, letter = tmp_path / "game.tkid", tmp_path / "letter.eml"
    said("new", file, "Ann", "Bob <bob@example.org>", "Merlin", "--bot", "Merlin", "--first", "Ann", "--me", "Ann")
    assert "played by a program" in complaint("letter", "write", str(file), "--to", "Merlin", "-o", str(letter), code=2)
    assert not letter.exists()
    said("letter", "write", file, "--to", "all", "-o", letter)
    assert "Merlin" not in letter.read_text("ascii").partition("\n\n")[0]


PASSING = """\
import json, sys
for line in sys.stdin:
    kind = json.loads(line)["type"]
    if kind == "hello":
        print('{"type": "hello", "protocol": 1}', flush=True)
    elif kind == "go":
        print('{"type": "best", "turns": [{"turn": "Pass", "value": 0.45}]}', flush=True)
"""


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The command of a program that passes, from the folder in which it is."""
    (tmp_path / "passing.py").write_text(PASSING, "utf-8")
    monkeypatch.chdir(tmp_path)
    return f"cmd:{sys.executable} passing.py"


@starts_programs
@pytest.mark.parametrize("named", ["Merlin=", ""])
def test_another_program_plays_and_no_file_names_its_command(
    own: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: str
) -> None:
    told = said("new", "game.tkid", "Ann", "Merlin", "--bot", f"{named}{own}", "--first", "Merlin")
    assert "Played by a program: Merlin (engine)." in told
    assert "1. Merlin Pass" in told
    text = (tmp_path / "game.tkid").read_text("utf-8")
    assert "X-Bot: Merlin engine 1000" in text
    assert "passing.py" not in text
    assert said("check", "game.tkid")
    monkeypatch.chdir("/")  # the program runs in the folder in which it was named
    assert "3. Merlin Pass" in said("play", tmp_path / "game.tkid", "Pass")


@starts_programs
def test_a_file_from_somebody_else_runs_nothing(own: str, tmp_path: Path) -> None:
    """Who gets it names the command again; otherwise the turn before stays, and nothing is played."""
    said("new", "game.tkid", "Ann", "Merlin", "--bot", own, "--first", "Ann")
    (tmp_path / "copy.tkid").write_bytes((tmp_path / "game.tkid").read_bytes())
    run = tkid("play", "copy.tkid", "Pass")
    assert run.exit_code == 2
    assert "1. Ann Pass" in run.output
    assert "Another program plays Merlin, and a game file doesn't name its command." in run.stderr
    assert "`tkid play copy.tkid --bot Merlin=cmd:PROGRAM`" in run.stderr
    assert "2. Merlin Pass" in said("play", "copy.tkid", "--bot", f"Merlin={own}")
    assert "4. Merlin Pass" in said("play", "copy.tkid", "Pass")
    assert "doesn't let another program play Ann" in complaint("play", "copy.tkid", "--bot", f"Ann={own}", code=2)


@starts_programs
def test_a_program_that_fails_loses_nothing(own: str, tmp_path: Path) -> None:
    said("new", "game.tkid", "Ann", "Merlin", "--bot", own, "--first", "Ann")
    (tmp_path / "passing.py").write_text("print('hello')", "utf-8")
    run = tkid("play", "game.tkid", "Pass")
    assert run.exit_code == 1
    assert run.stderr.startswith(f'{own}: it wrote "hello", which isn\'t a JSON object. ')
    assert "Merlin has not played. To continue: `tkid play game.tkid`." in run.stderr
    assert "1. Ann Pass" in (tmp_path / "game.tkid").read_text("utf-8")
    (tmp_path / "passing.py").write_text(PASSING, "utf-8")
    assert "2. Merlin Pass" in said("play", "game.tkid")
    for words in (("suggest", "game.tkid"), ("annotate", "game.tkid", "--alone")):
        assert "it can't be started" in complaint(*words, "--player", "cmd:./there-is-none", code=1)


@starts_programs
def test_another_program_suggests_and_annotates(own: str) -> None:
    said("new", "game.tkid", "Ann", "Bob", "--first", "Ann")
    assert "1. Pass\n   about 45%" in said("suggest", "game.tkid", "--player", own)
    assert json.loads(said("suggest", "game.tkid", "--player", own, "--json"))["turn"] == "Pass"
    said("play", "game.tkid", "Pass")
    assert "{value: Ann " in said("annotate", "game.tkid", "--alone", "--player", own)


def test_an_engine_speaks_on_standard_streams() -> None:
    hello = b'{"type": "hello", "protocol": [1]}\n'
    told = json.loads(said("engine", "--player", "Greedy", stdin=hello))
    assert (told["type"], told["protocol"]) == ("hello", 1)
    assert "greedy" in told["name"]
    assert "Programs play as random, greedy, search." in complaint("engine", "--player", "merlin", code=2)
