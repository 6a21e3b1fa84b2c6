"""Every command in normal use: what it prints, its exit code, what it refuses, its help with an example."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from tests.cli import FINISHED, POSITION, POSITION_KEYS, RECORD, complaint, record_in, said, tkid
from tests.shared.tables import each_row
from tkid import __version__
from tkid.cli import app
from tkid.cli.app import lazy_program, load_commands
from tkid.rulebook import all_rules, rule
from tkid.rulebook.rulesets import rulesets

COMMANDS = tuple(name for names in app.COMMANDS.values() for name in names)
ENTROPY = "07" * 32
TURN = "Manoeuvre S Moray <> E Devon; summon W Warwick"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A game in which it is Łukasz's turn, in a folder of its own."""
    return record_in(tmp_path)


# -- the program ------------------------------------------------------------------------------------------


def test_the_program_alone_tells_how_to_start() -> None:
    told = said()
    assert "tkid new game.tkid Ann Bob" in told
    for command in re.findall(r"^  tkid (\S+)", told, re.MULTILINE):
        assert command in COMMANDS


@pytest.mark.parametrize("module", app.COMMANDS)
def test_a_module_has_the_commands_that_it_is_loaded_for(module: str) -> None:
    assert tuple(load_commands(module, None)) == app.COMMANDS[module]


def test_a_program_is_given_commands_before_it_knows_how_help_is_written() -> None:
    """So did typer before 0.25 or so: the commands of the modules are not looked for until one is wanted."""
    kind = lazy_program({"tkid.cli.play": ("me", "undo")})
    program = kind.__new__(kind)
    program.commands = {"mail": "given"}  # type: ignore[dict-item]
    program.rich_markup_mode = None
    assert list(program.commands) == ["me", "undo", "mail"]
    assert program.commands["me"].name == "me"


def test_the_version() -> None:
    assert said("--version") == f"tkid {__version__}\n"


@each_row("group", ["", "mail", "letter", "host"])
def test_the_list_of_commands_shows_whole_sentences(group: str) -> None:
    """A long first sentence would be cut off with dots."""
    listed = said(*group.split(), "--help").partition("--help ")[2]
    assert listed.count("\n") > 2
    assert "..." not in listed


@each_row("words", [("help",), ("help", "play"), ("help", "mail")])
def test_help_is_a_word_too(words: tuple[str, ...]) -> None:
    assert said(*words) == said(*words[1:], "--help")


def test_a_word_for_another_command_is_told() -> None:
    assert "Did you mean 'show'?" in complaint("status", "game.tkid", code=2)
    assert "Did you mean 'new'?" in complaint("deal", code=2)


@each_row(
    "words", [(each,) for each in ("show", "play", "cite", "render", "result", "undo", "suggest")] + [("mail", "write")]
)
def test_an_empty_argument_is_named(words: tuple[str, ...]) -> None:
    refused = tkid(*words, "")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "this argument is empty" in refused.stderr


@each_row("command, hint", [("rule", "tkid rule tie"), ("ask", "who wins a tie?"), ("check", "is empty")])
def test_empty_words_are_refused(command: str, hint: str) -> None:
    refused = tkid(command, "")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert hint in refused.stderr


def test_the_help_lists_each_command_in_one_group() -> None:
    grouped = [name for names in app.HELP_GROUPS.values() for name in names]
    assert sorted(grouped) == sorted([*COMMANDS, *app.LAZY_GROUPS])
    shown = re.findall(r"^  ([a-z][a-z-]*) ", said("--help").partition("Play:")[2], re.MULTILINE)
    assert shown == grouped


@each_row("group", ["mail", "letter"])
def test_the_help_of_a_group_of_mails_has_an_example(group: str) -> None:
    told = " ".join(said(group, "--help").split())
    assert f"Example: tkid {group} write winter.tkid -o turn.eml; then: tkid {group} read winter.tkid" in told


def test_the_program_alone_names_how_to_find_and_cite_a_rule() -> None:
    told = said()
    assert "\n  tkid ask " in told
    assert "\n  tkid cite second.turn.pass " in told


@each_row("command", COMMANDS)
def test_every_command_has_an_example_that_names_it(command: str) -> None:
    told = said(command, "--help")
    assert f"Example: tkid {command}" in told
    for option in re.findall(r"(?<=\s)--[a-z]+", told.partition("Example:")[2]):
        assert option in told.partition("Example:")[0]


@each_row("command", COMMANDS)
def test_an_unknown_option(command: str) -> None:
    assert "No such option: --sideways" in complaint(command, "--sideways", code=2)


def test_an_unknown_command() -> None:
    assert "No such command 'plya'" in complaint("plya", code=2)


@pytest.mark.parametrize("command", [("new", "winter.tkid"), ("letter", "new", "winter.draw", "--me", "1", "--seat")])
@pytest.mark.parametrize(
    ("typed", "way"),
    [
        ("Ann ann@example.org", "'Ann <ann@example.org>'"),
        ("Ann Lee (ann@example.org)", "'Ann Lee <ann@example.org>'"),
        ("ann@example.org", "'NAME <ann@example.org>'"),
    ],
)
def test_an_address_without_its_brackets_is_no_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...], typed: str, way: str
) -> None:
    monkeypatch.chdir(tmp_path)
    told = complaint(*command, typed, *(["--seat"] if "--seat" in command else []), "Bob", code=2)
    assert told == f"`{typed}` has an address without its brackets. Write {way}. Nothing was written.\n"
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("command", ["new", "show", "play", "fmt", "replay", "verify", "why", "why-not"])
def test_a_missing_argument(command: str) -> None:
    assert "Missing argument" in complaint(command, code=2)


@pytest.mark.slow
def test_a_terminal_that_cannot_show_a_name(game: Path) -> None:
    run = (sys.executable, "-c", "from tkid.cli import main; main()", "check", str(game))
    ended = subprocess.run(
        run, env={"PYTHONIOENCODING": "iso-8859-1:strict"}, capture_output=True, text=True, check=True
    )
    assert ended.stdout == f"{game}: all right, 5 turns, \\u0141ukasz to play\n"


# -- new --------------------------------------------------------------------------------------------------


def test_new_deals_a_game(tmp_path: Path) -> None:
    file = tmp_path / "a.tkid"
    told = said("new", file, "Ann <ann@example.org>", "Bob", "--game", "winter 2026", "--entropy", ENTROPY)
    assert told == (
        f"{file}: The King is Dead, second edition: the basic game, with Ann, Bob. Bob starts.\n"
        f"Look at it with `tkid show {file}`.\n"
        f"Is the file yours alone? `tkid me {file} NAME` keeps you from playing somebody else's turn by mistake.\n"
        "It contains the entropy of the deal. Nothing is dealt in secret, so everybody may have it.\n"
        f"`tkid view {file} --seat NAME` makes a player's file. `tkid verify {file}` proves the deal.\n"
    )
    text = file.read_text("utf-8")
    assert text.startswith(
        "Tkid-Record: 1\nRuleset: second-edition\nGame: winter 2026\nSeat: Ann <ann@example.org>\nSeat: Bob\n"
        f"Seal: sha256:{sha256(bytes.fromhex(ENTROPY)).hexdigest()}\nSeal: entropy:{ENTROPY}\n\nSetup\n"
    )
    assert said("check", file) == f"{file}: all right, 0 turns, Bob to play\n"
    assert said("fmt", "--check", file) == f"{file}: nothing to change\n"


def test_new_deals_the_same_from_the_same_entropy_and_else_another(tmp_path: Path) -> None:
    for name, entropy in (("a", ("--entropy", ENTROPY)), ("b", ("--entropy", ENTROPY)), ("c", ()), ("d", ())):
        said("new", tmp_path / name, "Ann", "Bob", "Cal", *entropy)
    a, b, c, d = ((tmp_path / name).read_text("utf-8") for name in "abcd")
    assert a == b
    assert len({a, c, d}) == 3


def test_new_with_readings_and_a_start_player(tmp_path: Path) -> None:
    file = tmp_path / "a.tkid"
    ruling = "second.ruling.final-tie last-card"
    said("new", file, "Ann", "Bob", "Cal", "Dee", "--first", "cal", "--ruling", ruling)
    text = file.read_text("utf-8")
    assert f"\nRuling: {ruling}\n" in text
    assert "\nFirst        Cal\n" in text
    assert json.loads(said("show", file, "--json"))["rulings"] == dict([ruling.split()])


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (("Ann",), 1, "1 seat; the game is for 2, 3 or 4 players. [record.seats]"),
        (("Ann", "ANN"), 1, "ANN and Ann differ only in capitals. [record.seat.unique]"),
        (("Ann", "Pas"), 1, "`Pas` would be read as Pass, which begins a turn. [record.seat.like-card]"),
        (("Ann", "B{b"), 1, "`B{b` cannot be a name: `{` may not be in it. [record.seat.name]"),
        (("Ann", "Bob <b b>"), 1, "Write an address after the name: `Ann <ann@example.org>`."),
        (("Ann", ""), 1, "The name is missing. [record.seat.name]"),
        (("Ann", "B\nSeat: Cal"), 1, "has characters that cannot be printed"),
        (("Ann", "Bob", "--ruleset", "second"), 2, "There is no ruleset 'second'. [record.ruleset] Did you mean"),
        (("Ann", "Bob", "--ruling", "second.ruling.undo x"), 2, "is not a ruling that you can choose. [record.ruling]"),
        (("Ann", "Bob", "--ruling", "open-hands hidden"), 2, "Did you mean second.ruling.open-hands?"),
        (("Ann", "Bob", "--first", "Cal"), 2, "Cal cannot start. The players are Ann and Bob"),
        (("Ann", "Bob", "--entropy", "xyz"), 2, "--entropy xyz: write hex digits (0 to 9, a to f)."),
        (("Ann", "Bob", "--entropy", "0707"), 2, "--entropy has 4 hex digits; 64 are needed."),
    ],
)
def test_new_refuses(arguments: tuple[str, ...], code: int, told: str, tmp_path: Path) -> None:
    assert told in complaint("new", tmp_path / "a.tkid", *arguments, code=code)
    assert list(tmp_path.iterdir()) == []


@each_row("text", ["second.ruling.open-hands hidden", "second.ruling.open-hands=hidden"])
def test_a_ruling_is_chosen_with_a_space_or_an_equals_sign(text: str, tmp_path: Path) -> None:
    file = tmp_path / f"{'=' in text}.tkid"
    said("new", file, "Ann", "Bob", "--ruling", text)
    assert "\nRuling: second.ruling.open-hands hidden\n" in file.read_text("utf-8")


def test_a_command_that_is_shown_can_be_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The name of the file has blanks, an apostrophe and an umlaut."""
    monkeypatch.chdir(tmp_path)
    name = "mein spiel's ä.tkid"
    told = said("new", name, "Ann", "Bob", "--first", "Ann") + said("me", name) + complaint("play", name, code=2)
    shown = re.findall(r"`tkid ([^`]*)`", " ".join(told.split()))
    assert {shlex.split(each)[0] for each in shown} == {"show", "me", "view", "verify", "legal"}
    assert {shlex.split(each)[1] for each in shown} == {name}


def test_new_writes_over_nothing(game: Path) -> None:
    assert complaint("new", game, "Ann", "Bob", code=2) == f"{game} exists already. Nothing was written.\n"
    assert game.read_text("utf-8") == RECORD
    missing = game.parent / "no" / "a.tkid"
    assert (
        complaint("new", missing, "A1", "B1", code=2) == f"There is no folder {missing.parent}. Nothing was written.\n"
    )


# -- show, legal, play ------------------------------------------------------------------------------------


def test_show(game: Path) -> None:
    told = said("show", game)
    for words in ("Łukasz to play", "contested: Essex", "Ann", "Moray", "Ann plays Outmanoeuvre"):
        assert words in told
    assert "contested: Strathclyde" in said("show", game, "--turn", "2")
    assert said("show", "-", "--turn", "2", stdin=game.read_bytes()) == said("show", game, "--turn", "2")
    assert said("show", game, "--seat", "1") == said("show", game, "--seat", "ann")
    assert said("show", "-", stdin=RECORD.encode()) == told


def test_show_a_position(game: Path) -> None:
    line = said("show", game, "--line").strip()
    assert len(line) > 400, "longer than any file's name"
    assert said("show", line, "--line").strip() == line
    assert said("show", line, "--json") == said("show", game, "--json")
    assert list(json.loads(said("show", line, "--json"))) == POSITION_KEYS
    assert "Seat 1" in said("show", POSITION)
    assert complaint("show", line, "--turn", "1", code=2) == "--turn needs a game file. This is a position.\n"


def test_show_refuses(game: Path) -> None:
    assert complaint("show", game, "--turn", "6", code=1) == f"{game} has only the turns 0 to 5.\n"
    assert (
        complaint("show", game, "--seat", "Cal", code=2) == "There is no player Cal. The players are Ann and Łukasz.\n"
    )


def test_legal(game: Path) -> None:
    told = said("legal", game)
    assert told.startswith("Łukasz may pass (`Pass`) or play:\n  Scottish Support: 1 way [second.card.support]\n")
    assert "Negotiate" not in told
    every = said("legal", game, "--card", "out").splitlines()
    ways = re.fullmatch(r"  Outmanoeuvre: (\d+) ways \[second.card.outmanoeuvre\]", every[0])
    assert ways is not None
    assert len(every) == int(ways[1]) + 2
    assert every[-1] == "Each line is a whole turn, with one of the summonses that may follow."
    assert set(every) <= set(said("legal", game, "--all").splitlines())
    assert told.endswith(f"{every[-1]} `--card CARD` lists every way to play a card, `--all` every way to play any.\n")
    assert said("legal", game, "--card", "Negotiate").startswith(
        "Łukasz does not have Negotiate. A player who has it could play:"
    )


def test_legal_in_other_positions(game: Path) -> None:
    assert said("legal", POSITION.replace("to play 1", "to summon 2")).startswith(
        "Seat 2 must summon:\n  summon S Moray\n"
    )
    assert said("legal", "second-edition; to summon 1") == "Seat 1 must summon:\n  no summon\n"
    assert said("legal", "second-edition; 1 hand -; to play 1") == "Seat 1 may pass (`Pass`).\n"
    hidden = "second-edition; 1 hand ?, ?; to play 1"
    assert said("legal", hidden) == (
        "It is Seat 1's turn, and you cannot see Seat 1's hand.\n"
        "`--all` lists what Seat 1 might play, `--card CARD` what a card might do.\n"
    )
    assert said("legal", hidden, "--all").startswith(
        "Seat 1 may pass (`Pass`).\nYou cannot see Seat 1's hand. If Seat 1 holds them, these cards could be played:\n"
    )
    over = FINISHED / "coronation-second-players.tkid"
    assert said("legal", over) == "The game is over: coronation. There are no legal turns.\n"
    assert complaint("legal", game, "--card", "Spy", code=1).startswith(
        "`Spy` is not a card of second-edition. The cards are"
    )
    assert "Did you mean Assemble?" in complaint("legal", game, "--card", "Asemble", code=1)
    assert complaint("legal", code=2).startswith("Which game?")


def test_play(game: Path) -> None:
    told = said("play", game, "man E Dev for S Mor; summon w war")
    line, *events, following = told.splitlines()
    assert re.fullmatch(rf"6\. Łukasz {TURN} #[0-9a-f]{{6}}", line)
    assert events == [
        "Łukasz plays Manoeuvre and swaps a Scottish follower from Moray for an English",
        "    one from Devon [second.card.manoeuvre]",
        "Łukasz summons a Welsh follower from Warwick [second.summon.must]",
    ]
    assert following == "It is Ann's turn."
    assert game.read_text("utf-8") == f"{RECORD}{line}\n"
    assert said("fmt", "--check", game) == f"{game}: nothing to change\n"


@pytest.mark.parametrize(
    ("turn", "rule", "hint"),
    [
        ("Manoeuvre S Moray <> E Devon", "second.summon.must", "Add, for instance, `; summon"),
        ("Negotiate Moray <> Essex, disc Essex; summon W Warwick", "second.turn.hand", "In hand: Scottish Support"),
        ("Pass; summon W Warwick", "second.summon.after-action", ""),
        ("", "notation.form", "A turn is `Pass`, or a card and what it does."),
        ("Pass\n7. Ann Pass", "notation.form", "Write `Pass`"),
        ("Pass \x1b[31m", "notation.form", "Write `Pass`"),
        ("Pass \udcff", "notation.form", "Write `Pass`"),
    ],
)
def test_a_wrong_turn_changes_nothing(game: Path, turn: str, rule: str, hint: str) -> None:
    told = complaint("play", game, turn, code=1)
    assert told.startswith(("turn:1:", "turn:2:"))
    assert f"[{rule}]" in told
    assert hint in told
    assert told.endswith("\nNothing was played.\n")
    assert game.read_text("utf-8") == RECORD


def test_a_game_that_is_over_takes_no_turn(tmp_path: Path) -> None:
    game = tmp_path / "game.tkid"
    game.write_bytes((FINISHED / "coronation-second-players.tkid").read_bytes())
    assert "The game is over: coronation [second.ending.over]" in complaint("play", game, "Pass", code=1)
    assert f"`tkid why {game}` shows who won" in complaint("play", game, code=1)


# -- check, fmt, replay -----------------------------------------------------------------------------------


def test_check(game: Path) -> None:
    over = FINISHED / "invasion-sets-teams.tkid"
    told = said("check", game, over).splitlines()
    assert told[0] == f"{game}: all right, 5 turns, Łukasz to play"
    assert re.fullmatch(rf"{over}: all right, \d+ turns, invasion: \w+ and \w+", told[1])
    assert said("check", "-", stdin=RECORD.encode()) == "-: all right, 5 turns, Łukasz to play\n"


def test_check_goes_on_and_ends_with_the_worst(game: Path) -> None:
    wrong = game.with_name("wrong.tkid")
    wrong.write_text(RECORD.replace("3. Ann Pass", "3. Ann Pas!s"), "utf-8")
    result = tkid("check", wrong, "missing.tkid", game)
    assert result.exit_code == 2
    assert result.stderr == "missing.tkid: No such file or directory\n"
    first, *_, right, last = result.stdout.splitlines()
    assert re.fullmatch(rf"{wrong}:\d+:\d+: .* \[notation.form\]", first)
    assert right == f"{game}: all right, 5 turns, Łukasz to play"
    assert last == "3 games: 1 all right, 1 with mistakes, 1 not read"
    assert tkid("check", game, wrong).exit_code == 1


def test_check_knows_its_formats(game: Path) -> None:
    assert (
        complaint("check", game, "--format", "xml", code=2)
        == "--format xml: choose one of text, json, sarif, github.\n"
    )


def test_fmt(game: Path) -> None:
    assert said("fmt", game) == f"{game}: nothing to change\n"
    typed = RECORD.replace("Assemble S Moray, W Devon, E Essex", "ass e ess, s mor, w dev").replace(" #1000be", "")
    game.write_text(typed, "utf-8")
    assert said("fmt", game, "--check", code=1) == f"{game}: would change\n"
    assert game.read_text("utf-8") == typed
    assert said("fmt", "-", stdin=typed.encode()) == RECORD
    assert said("fmt", game) == f"{game}: changed\n"
    assert game.read_text("utf-8") == RECORD


def test_fmt_does_all_files(game: Path) -> None:
    other = game.with_name("other.tkid")
    other.write_text(RECORD.replace("Turns", "turns"), "utf-8")
    result = tkid("fmt", "missing.tkid", other, game)
    assert (result.exit_code, result.stdout) == (2, f"{other}: changed\n{game}: nothing to change\n")
    assert result.stderr == "Nothing was changed: missing.tkid: No such file or directory\n"


def test_replay(game: Path) -> None:
    told = said("replay", game)
    assert told.startswith("1. Ann Assemble S Moray, W Devon, E Essex; summon W Gwynedd #1000be\nAnn plays Assemble")
    assert "Strathclyde becomes unstable, as Scots and Welsh tie at 2\n    [second.struggle.tie]\n" in told
    assert complaint("replay", game, "--legal", code=2) == "--legal needs --json.\n"


# -- result, why, why-not ---------------------------------------------------------------------------------


def test_result_and_why(game: Path) -> None:
    over = FINISHED / "coronation-second-players.tkid"
    assert said("result", over) == "Coronation: Bob\n"
    told = said("why", over)
    assert told.startswith("Coronation, after the power struggles: Northumbria English, ")
    assert re.findall(r"^(\d)\. ", told, re.MULTILINE) == ["1", "2", "3"]
    assert "[second.ending.coronation.second]\nThe winner is Bob.\n" in told
    line = said("show", over, "--line").strip()
    assert said("result", line) == "Coronation: Seat 2\n"
    assert said("why", FINISHED / "invasion-sets-teams.tkid").splitlines()[-1].startswith("The winners are ")
    for command in ("result", "why"):
        assert complaint(command, game, code=1) == "The game is not over. It is Łukasz's turn.\n"
    assert complaint("result", code=2).startswith("Which game?")


def test_why_not(game: Path) -> None:
    told = said("why-not", game, "Scottish Support SS Devon")
    assert told.startswith("turn:1:21: Devon borders neither Moray")
    statement = next(rule.statement for rule in all_rules() if rule.id == "second.card.support.near")
    assert told.endswith(f"\n\n[second.card.support.near] {statement}\n")
    for turn, still in ((TURN, ""), (TURN.partition(";")[0], ", but its summons is still missing")):
        assert said("why-not", game, turn) == f"This turn is legal{still}: Łukasz {turn}\n"
    assert game.read_text("utf-8") == RECORD


def test_why_not_of_a_question_explains_its_turn(game: Path) -> None:
    for asked in ("Why can't I play {}?", "can I play {}", "Could we play {}?", "Am I not allowed to play {}?"):
        told = said("why-not", game, asked.format("Scottish Support SS Devon"))
        assert told.startswith("turn:1:21: Devon borders neither Moray")
    assert "use `tkid ask`" in said("why-not", game, "Can I play Negotiate twice?")


@pytest.mark.parametrize("typed", ["Support", "support"])
def test_a_word_of_several_cards_is_said_to_fit_all_of_them(game: Path, typed: str) -> None:
    told = said("why-not", game, typed)
    assert f"`{typed}` fits several cards" in told
    assert "Scottish Support, Welsh Support or English Support" in told


# -- rule, rulesets ---------------------------------------------------------------------------------------


def test_a_rule() -> None:
    told = said("rule", "Second.Ruling.Final-Tie")
    ruling = rule("second.ruling.final-tie")
    for words in ("\nA ruling: ", "  shared (the usual reading): ", "\nWhy: ", "\nSource: "):
        assert words in told
    assert told.startswith(f"{ruling.title or ruling.id} (Second edition)\n")
    assert told.endswith(f"\n{ruling.id} (ruling)\n{ruling.link}\n")


def test_rules_are_found_by_words() -> None:
    assert "second.card.negotiate.disc" in said("rule", "negotiation", "disc")
    unknown = tkid("rule", "rhubarb")
    assert (unknown.exit_code, unknown.stdout) == (1, "The rules don't say.\n")
    assert 'No rule mentions "rhubarb"' in unknown.stderr
    wrong = complaint("rule", "recrod.seats", code=1)
    assert wrong.startswith("There is no rule 'recrod.seats'. Did you mean record.seats or ")


def test_all_rules_are_listed() -> None:
    assert said("rule") == "".join(f"{rule.id} ({rule.kind})\n" for rule in all_rules())


def test_the_rulesets() -> None:
    told = said("rulesets")
    for entry in rulesets():
        assert f"{entry.code} (version {entry.version}): {entry.title}\n" in told
        assert all(f"Ruling {switch}: " in told for switch in entry.switches)


def test_a_turn_without_its_form_is_answered_with_a_legal_turn(tmp_path: Path) -> None:
    file, before = tmp_path / "game.tkid", "A legal turn with Manoeuvre: "
    said("new", file, "Ann", "Bob", "--first", "Ann")
    told = complaint("play", file, "Manoeuvre 7 of nine", code=1)
    assert "The form is `Manoeuvre S Moray <> E Devon`." in told
    (legal,) = (line.removeprefix(before) for line in told.splitlines() if line.startswith(before))
    assert "This turn is legal" in said("why-not", file, legal)
    assert before not in complaint("play", file, "blah", code=1)
