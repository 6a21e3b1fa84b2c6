"""What a text means: `tkid read`, and what `tkid play` asks before it plays a turn that is not in the notation."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from tests.cli import FINISHED, RECORD, complaint, record_in, said, tkid
from tests.shared.tables import each_row
from tkid.cli import turn_input
from tkid.cli.app import app

TURN = "Manoeuvre S Moray <> E Devon; summon W Warwick"
FREE = "I swap a scot in moray for an english one in devon with Manoeuvre and take a welshman from warwick"
SEVERAL = "manoeuvre s moray with e devon"
KEYS = ["text", "turn", "certain", "choices", "problems"]
SEAT = "second-edition; MOR SSW, STR =E, ESS WEE; supply 2S 1E; 1 hand Assemble; 2 hand Manoeuvre; to play 1"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A game in which it is Łukasz's turn, in a folder of its own."""
    return record_in(tmp_path)


def at_terminal(monkeypatch: pytest.MonkeyPatch, typed: str, *arguments: object) -> Result:
    """Run the program where somebody sits in front of it, and types this."""
    monkeypatch.setattr(turn_input, "is_terminal", lambda: True)
    return CliRunner().invoke(app, list(map(str, arguments)), input=typed)


# -- read -------------------------------------------------------------------------------------------------


def test_read_says_what_is_certain(game: Path) -> None:
    assert said("read", game, "man E Dev for S Mor; summon w war") == (
        f"This is a legal turn. It is played as it is:\n    {TURN}\n"
    )


@each_row("text", [FREE, "p", "6. Łukasz Pass"])
def test_read_proposes(text: str, tmp_path: Path) -> None:
    turn = TURN if text == FREE else "Pass"
    shown = said("read", record_in(tmp_path) if not (tmp_path / "game.tkid").exists() else tmp_path / "game.tkid", text)
    assert shown == f"This may be the turn you mean:\n    {turn}\nYou confirm it before it is played.\n"


def test_read_lists_choices_below_the_one_problem(game: Path) -> None:
    shown = said("read", game, SEVERAL, code=1)
    assert shown.count("[second.summon.must]") == 1
    first, second = "Manoeuvre S Moray <> E Devon; summon S", "\n    2  Manoeuvre S Moray <> E Devon; summon"
    assert f"These turns are legal:\n    1  {first}" in shown
    assert second in shown


def test_read_says_one_thing_that_is_wrong(game: Path) -> None:
    shown = said("read", game, "manoeuvre two scots in moray with an english in essex, summon w warwick", code=1)
    assert shown.count("text:1:") == 1
    assert "[second." in shown


def test_read_changes_nothing_and_takes_a_position(game: Path) -> None:
    said("read", game, "Pass")
    assert game.read_text("utf-8") == RECORD
    assert "Assemble S Moray, E Essex; summon W Moray" in said(
        "read", SEAT, "assemble a scot to moray and an english to essex, take the welsh from moray"
    )


def test_read_needs_a_text(game: Path) -> None:
    assert complaint("read", game, code=2).startswith("Which text?")


def test_jsonl_answers_each_line(game: Path) -> None:
    texts = [TURN, FREE, "p", SEVERAL, "Thanks, I will think about it.", "", "Łukasz, well played!"]
    typed = "\n".join([*texts, json.dumps({"text": "Pass\n"})]) + "\n"
    result = tkid("read", game, "--jsonl", stdin=typed.encode())
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert [answer["text"] for answer in answers] == [*texts, "Pass\n"]
    assert all(list(answer) == KEYS for answer in answers)
    assert [answer["turn"] for answer in answers] == [TURN, TURN, "Pass", None, None, None, None, "Pass"]
    assert [answer["certain"] for answer in answers] == [True, *[False] * 6, True]
    assert [len(answer["choices"]) for answer in answers] == [1, 1, 1, 3, 0, 0, 0, 1]
    assert [bool(answer["problems"]) for answer in answers] == [*[False] * 3, *[True] * 4, False]
    assert all(list(each) == ["rule", "message", "column"] for answer in answers for each in answer["problems"])
    assert result.exit_code == 1
    assert tkid("read", game, "--jsonl", stdin=b"Pass\n").exit_code == 0


def test_jsonl_answers_what_is_no_text(game: Path) -> None:
    lines = tkid("read", game, "--jsonl", stdin=b'\xff\xfe\n{"text": 3}\n{\n\x1b[31m\n').stdout.splitlines()
    assert [json.loads(line)["turn"] for line in lines] == [None] * 4


# -- play -------------------------------------------------------------------------------------------------


def test_a_proposal_is_not_played_without_a_terminal(game: Path) -> None:
    result = tkid("play", game, FREE)
    assert (result.exit_code, result.stdout) == (1, f"Is this the turn you mean?\n    {TURN}\n")
    assert result.stderr == "Nothing was played. To play this turn, add --yes.\n"
    assert game.read_text("utf-8") == RECORD


def test_yes_plays_the_single_proposal(game: Path) -> None:
    told = said("play", game, FREE, "--yes")
    assert f"6. Łukasz {TURN} #" in told
    assert f"\n6. Łukasz {TURN} #" in game.read_text("utf-8")


@each_row("text", ["p", "Pa", "I pass"])
def test_a_pass_that_is_not_written_out_is_asked_about(text: str, tmp_path: Path) -> None:
    file = tmp_path / f"{text}.tkid"
    file.write_text(RECORD, "utf-8")
    assert tkid("play", file, text).exit_code == 1
    assert file.read_text("utf-8") == RECORD


@pytest.mark.parametrize("answer", ["n", "", "no", "N"])
def test_only_yes_plays_at_a_terminal(game: Path, answer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    result = at_terminal(monkeypatch, f"{answer}\n", "play", game, FREE)
    assert "Play this? [y/N]" in result.stdout
    assert result.exit_code == 1
    assert game.read_text("utf-8") == RECORD


@pytest.mark.parametrize("answer", ["y", "yes", "Y"])
def test_yes_at_a_terminal_plays(game: Path, answer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert at_terminal(monkeypatch, f"{answer}\n", "play", game, FREE).exit_code == 0
    assert f"\n6. Łukasz {TURN} #" in game.read_text("utf-8")


@pytest.mark.parametrize(
    ("answers", "plays"), [(("maybe", "y"), True), (("maybe", "yeah", "n"), False), (("si", ""), False)]
)
def test_any_other_answer_is_asked_again(
    answers: tuple[str, ...], game: Path, monkeypatch: pytest.MonkeyPatch, *, plays: bool
) -> None:
    result = at_terminal(monkeypatch, "".join(f"{answer}\n" for answer in answers), "play", game, FREE)
    assert result.stdout.count("Please answer `y` for yes, or `n` for no.") == len(answers) - 1
    assert "nvalid" not in result.output
    assert (game.read_text("utf-8") != RECORD) is plays
    resigned = at_terminal(monkeypatch, "maybe\nn\n", "resign", game, "--me", "Ann")
    assert resigned.stdout.count("Please answer `y` for yes") == 1
    assert "resigned:" not in game.read_text("utf-8")


@each_row(
    "text",
    ["Pass...", "Pass…", "Pass ...", "Pass. . .", "pass... ;)", "I pass...", "Pass..", f"{TURN}...", f"{TURN} …"],
)
@pytest.mark.parametrize("yes", [(), ("--yes",)])
def test_a_turn_that_ends_with_dots_is_not_played_at_once(text: str, yes: tuple[str, ...], tmp_path: Path) -> None:
    """Dots mean that something follows; cites: notation.free.intent."""
    file = tmp_path / f"{len(text)}{len(yes)}.tkid"
    file.write_text(RECORD, "utf-8")
    result = tkid("play", file, text, *yes)
    assert result.exit_code == 1
    assert "This ends with dots, as if something followed [notation.free.intent]" in result.stderr
    assert f"    1  {'Pass' if 'ass' in text else TURN}\n" in result.stderr
    assert file.read_text("utf-8") == RECORD
    assert said("read", file, "Pass.").startswith("This is a legal turn.")


@each_row(
    "typed, told",
    [
        ("Pass {stands: we agreed}", "A turn cannot be marked with `{stands: we agreed}` as you play it."),
        (f"{TURN} {{Stands:  x}}", "A turn cannot be marked with `{Stands: x}` as you play it."),
        ("Pass {undone: Ann agreed}", "To take back a turn: `tkid undo FILE`."),
        ("Pass #012d", "The hash #012d is incomplete: it has 4 of 6 digits."),
        ("6. Łukasz Pass #012d77a", "The hash #012d77a is too long: it has 7 digits instead of 6."),
    ],
)
@pytest.mark.parametrize("yes", [(), ("--yes",)])
def test_what_only_a_game_file_has(typed: str, told: str, yes: tuple[str, ...], tmp_path: Path) -> None:
    """Cites: record.turn.stands, record.turn.hash."""
    file = tmp_path / f"{len(typed)}{len(yes)}.tkid"
    file.write_text(RECORD, "utf-8")
    assert complaint("play", file, typed, *yes, code=1).startswith(told)
    assert file.read_text("utf-8") == RECORD


def test_a_turn_after_the_end_gets_a_fix(tmp_path: Path) -> None:
    """In a file and at the terminal."""
    file = record_in(tmp_path, (FINISHED / "coronation-emptied-players.tkid").read_text("utf-8"))
    assert "`tkid why FILE` shows who won." in complaint("play", file, "Pass", code=1)
    number, name = re.findall(r"^([0-9]+)\. (\w+)", file.read_text("utf-8"), re.MULTILINE)[-1]
    with file.open("a", encoding="utf-8") as more:
        more.write(f"{int(number) + 1}. {name} Pass\n")
    assert (
        "    Remove this turn. If the game was not over, a turn above it is wrong or missing.\n"
        in tkid("check", file).stdout
    )


def test_a_number_at_a_terminal_plays_a_choice(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = at_terminal(monkeypatch, "2\n", "play", game, SEVERAL)
    chosen = result.stderr.partition("    2  ")[2].splitlines()[0]
    assert result.exit_code == 0
    assert f"\n6. Łukasz {chosen} #" in game.read_text("utf-8")


@pytest.mark.parametrize("answer", ["", "0", "4", "y", "-1", "²"])
def test_anything_else_chooses_nothing(game: Path, answer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    result = at_terminal(monkeypatch, f"{answer}\n", "play", game, SEVERAL)
    assert result.exit_code == 1
    assert result.stderr.endswith("Nothing was played.\n")
    assert (f"`{answer}` is not one of these numbers. To play another turn, start again." in result.stderr) == bool(
        answer
    )
    assert game.read_text("utf-8") == RECORD


@pytest.mark.parametrize("text", [FREE, SEVERAL])
def test_a_question_without_an_answer_plays_nothing(game: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The input ends, or somebody presses Ctrl-C."""
    result = at_terminal(monkeypatch, "", "play", game, text)
    assert result.exit_code == 1
    assert result.stderr.endswith("\nNothing was played.\n")
    assert "Aborted" not in result.output
    assert game.read_text("utf-8") == RECORD


def test_yes_never_chooses_among_several(game: Path) -> None:
    assert tkid("play", game, SEVERAL, "--yes").exit_code == 1
    assert game.read_text("utf-8") == RECORD


def test_one_error_is_shown_and_the_others_are_named(game: Path) -> None:
    wrong = "Negotiate Moray <> Strathclyde, disc Devon; summon W Warwick"
    told = complaint("play", game, wrong, code=1)
    assert told.count("turn:1:") == 1
    assert "`tkid why-not` with this turn lists everything that is wrong." in told
    assert said("why-not", game, wrong).count("turn:1:") > 1


def test_own_words_are_explained_too(game: Path) -> None:
    """As far as they are understood: a legal turn is shown in notation, and several that fit to choose from."""
    legal = "Assemble S Moray, W Devon, E Essex; summon S Moray"
    assert (
        said("why-not", game, "assemble scot moray, welsh devon, english essex, summon a scot from moray")
        == f"Your words mean a legal turn: {legal}\n"
    )
    told = said("why-not", game, SEVERAL)
    assert "\n\n[second.summon.must] " in told
    assert told.count("\n    1  ") == 1


def test_nobody_who_gives_up_is_asked_whether_they_mean_resist(game: Path) -> None:
    before = game.read_bytes()
    told = complaint("play", game, "resign", code=1)
    assert told.startswith(
        "To resign from a game without a host: `tkid resign FILE`. Nothing was played. [record.resigned]\n"
    )
    assert game.read_bytes() == before


@pytest.mark.parametrize(
    ("order", "way"),
    [
        ("undo", "In a game without a host: `tkid undo FILE`."),
        ("rules tie", "In a game without a host: `tkid ask QUESTION`."),
        ("say to all: hello", "If your game has no host, write it to the others in a mail of your own."),
        ("draft Pass", "If your game has no host, write it to the others in a mail of your own."),
    ],
)
def test_an_order_of_a_mail_is_no_turn(game: Path, order: str, way: str) -> None:
    """Cites: post.order.hosted."""
    before = game.read_bytes()
    told = complaint("play", game, order, code=1)
    assert told.startswith(
        f"`{order.split(maxsplit=1)[0]}` is an order to a host, not a turn. Nothing was played. [post.order.hosted]\n{way}"
    )
    assert game.read_bytes() == before


# -- words beside the turn --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "TURN. Actually pass.",
        "TURN. Actually no.",
        "> TURN",
        "TURN. Hmm, let me think.",
        "TURN. Let me think about it, though.",
        "TURN! Or should I wait?",
        "TURN. But I'd like to ask Bob first.",
        "TURN. Hm, nein, noch nicht.",
        "TURN. Scrap that.",
        "Not sure yet. TURN",
        "TURN\nNo wait",
    ],
)
def test_a_turn_in_doubt_is_never_certain_and_never_played(game: Path, text: str) -> None:
    before, typed = game.read_text("utf-8"), text.replace("TURN", TURN)
    asked = tkid("read", game, typed)
    assert asked.exit_code == 1
    assert "It is played as it is" not in asked.stdout
    assert TURN in asked.stdout
    played = tkid("play", game, "--yes", typed)
    assert played.exit_code == 1
    assert "Nothing was played." in played.stderr
    assert game.read_text("utf-8") == before


def test_at_a_terminal_a_turn_in_doubt_can_still_be_chosen(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = at_terminal(monkeypatch, "1\n", "play", game, f"{TURN}. Actually no.")
    assert result.exit_code == 0
    assert TURN in game.read_text("utf-8")


def test_an_unknown_sentence_is_shown_and_the_turn_played(game: Path) -> None:
    result = tkid("play", game, "--yes", f"{TURN}. This is frumious.")
    assert result.exit_code == 0
    assert "You also wrote: This is frumious." in result.stdout
    assert TURN in game.read_text("utf-8")


@pytest.mark.parametrize(
    ("text", "act", "why"),
    [
        ("{}\n\nThanks for the game!", "The turn in this mail is played at once.", ""),
        ("{}\n\nScrap that.", "The host asks the sender whether they mean the turn.", "  withdraw: Scrap that."),
        (
            "{}\n\nThis is frumious.",
            "A host plays the turn a little later",
            "  unknown: This is frumious.",
        ),
        ("Thanks!", "This mail has no turn.", ""),
    ],
)
def test_read_says_what_becomes_of_a_mail(game: Path, tmp_path: Path, text: str, act: str, why: str) -> None:
    mail, sender = tmp_path / "reply.eml", "lukasz@example.org"
    without = re.sub(r" #[0-9a-f]{6}$", "", game.read_text("utf-8"), flags=re.MULTILINE)
    game.write_text(without.replace("Seat: Łukasz\n", f"Seat: Łukasz <{sender}>\n"), "utf-8")
    mail.write_bytes(f"From: {sender}\r\n\r\n{text.format(TURN)}\r\n".encode())
    result = tkid("read", game, "--mail", mail, "--why")
    assert result.stdout.startswith(act), result.output
    assert result.stdout.splitlines()[1:] == ([why] if why else [])


def test_read_names_mails_of_strangers(game: Path, tmp_path: Path) -> None:
    mail = tmp_path / "reply.eml"
    mail.write_bytes(b"From: eve@example.org\r\n\r\nPass\r\n")
    result = tkid("read", game, "--mail", mail)
    assert result.exit_code == 1
    assert "[mail.sender]" in result.stderr
