"""Notes of whole games, as people write them: the game that is found, and where the notes differ from it."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable
from difflib import SequenceMatcher
from pathlib import Path
from random import Random

import pytest

from tests.cli import FINISHED, complaint, said, tkid
from tests.record.note_takers import NoteTaker, write_set_up
from tkid.notation.plugin import find_notation_plugin
from tkid.record import notes
from tkid.record.format.model import Record
from tkid.record.format.new_game import new_record
from tkid.record.format.reader import read_record, write_start
from tkid.record.note_players import WORDS, find_ruleset, list_players
from tkid.record.notes import join_rows, mend_misread
from tkid.record.play.replay import Replay, replay
from tkid.record.transcription import SetupError, Transcript, read_answers, read_given_start, read_start, transcribe

NOTES = Path(__file__).parents[2] / "fixtures" / "notes"
UNREAD = {"a3", "a4"}
"""Notes that cannot be read yet, and take minutes: one-letter codes in columns (`a3`), and a story of forty turns (`a4`)."""
NAMES = sorted(file.stem for file in NOTES.glob("*.txt") if file.stem not in UNREAD)
ENOUGH = 0.95
"""Share of the turns that are found."""


def played(name: str) -> Replay:
    record = read_record((NOTES / f"{name}.tkid").read_bytes()).record
    assert record is not None
    return replay(record)


def turns_of(game: Replay) -> list[str]:
    """The turns of a game, without numbers and names."""
    return [moment.line.split(" ", 2)[2] for moment in game.moments[1:]]


def planted(name: str) -> list[dict[str, int | str]]:
    found: list[dict[str, int | str]] = tomllib.loads((NOTES / f"{name}.toml").read_text("utf-8")).get("planted", [])
    return found


def known_figure(name: str) -> int | None:
    """How many turns are right in a game that does not come out right yet; the figure of its fixture."""
    figure: int | None = tomllib.loads((NOTES / f"{name}.toml").read_text("utf-8")).get("right")
    return figure


def read_notes(name: str) -> Transcript:
    game, lines = played(name), (NOTES / f"{name}.txt").read_text("utf-8").splitlines()
    if name in COVERED:
        start, end = read_given_start(lines, game.record)
    else:
        start, end = read_start(lines, "", game.record.names, "")
        assert start.start() == game.moments[0].position
    return transcribe(start, lines, end, {})


COVERED = {"g9", "a7", "n23", "a2", "h11", "n05", "n10"}
"""Games whose set-up can't be read yet: advanced hands (`g9`, `a7`, `n23`), a slip in a region (`a2`), courts and a track in short (`h11`),
and courts that nobody noted (`n05`, `n10`)."""


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_the_game_is_found_and_what_the_notes_have_wrong_is_told(name: str) -> None:
    """Nearly every turn is as it was played; where one is not, the notes have a mistake or something is asked or reported."""
    game, found = played(name), read_notes(name)
    want, got = turns_of(game), [step.turn for step in found.steps]
    if (figure := known_figure(name)) is not None:
        assert sum(one == other for one, other in zip(want, got, strict=False)) >= figure
        assert found.findings
        return
    assert len(want) == len(got)
    differences = [number for number, (one, other) in enumerate(zip(want, got, strict=True), 1) if one != other]
    assert len(differences) <= (1 - ENOUGH) * len(want)
    assert not differences or found.findings
    if not planted(name):
        assert found.questions == ()
    told = {finding.line for finding in found.findings}
    for mistake in planted(name):
        line = int(mistake["line"])
        is_told = line in told or any(line < each for each in told)  # itself, or what follows from it
        assert is_told, mistake["what"]


@pytest.mark.slow
def test_random_habits_of_writing_a_set_up(request: pytest.FixtureRequest) -> None:
    """Players, followers, courts and the track are found, however they are listed."""
    seed = int(request.config.getoption("--hypothesis-seed") or 0)
    print(f"set-ups {seed}")  # noqa: T201 - shown with a failure
    rng = Random(seed)
    wrong = []
    for _ in range(SET_UPS):
        names = ["Ann", "Bob", "Cal", "Dee"][: rng.choice([2, 3, 4])]
        record = new_record("second-edition", names, rng.randbytes(32))
        lines = write_set_up(record, rng)
        try:
            start, end = read_start(lines, "", (), "")
        except SetupError:
            wrong.append(lines)
            continue
        is_right = start.start() == record.start() and not transcribe(start, lines, end, {}).findings
        wrong += [] if is_right else [lines]
    assert len(wrong) <= (1 - ENOUGH) * SET_UPS, "\n".join(wrong[0])


SET_UPS = 40


@pytest.mark.slow
def test_random_habits_of_writing(request: pytest.FixtureRequest) -> None:
    seed = int(request.config.getoption("--hypothesis-seed") or 0)
    print(f"notes {seed}")  # noqa: T201 - shown with a failure
    rng = Random(seed)
    right = turns = 0
    for _ in range(6):
        game = replay(_play_at_random(rng))
        lines = NoteTaker.draw(rng).write(game)
        found = transcribe(_without_turns(game.record), lines, 0, {})
        want, got = turns_of(game), [step.turn for step in found.steps]
        right += sum(one == other for one, other in zip(want, got, strict=False))
        turns += len(want)
    assert right >= ENOUGH * turns, f"{right} of {turns}"


def _cut(text: str, start: str, end: str = "\n") -> str:
    """A text without what is from one sign up to another."""
    before, _, rest = text.partition(start)
    return before + end + rest.partition(end)[2]


DAMAGES: dict[str, Callable[[str, Random], str]] = {
    "a region": lambda text, rng: _cut(text, rng.choice(["/ St ", "/ L ", "/ N ", "/ G ", "/ W ", "/ E "]), "/"),
    "the last region": lambda text, _: _cut(text, " / D WW"),
    "the courts": lambda text, _: _cut(text, "court"),
    "who began": lambda text, _: text.replace(", B begins", ""),
}  # fmt: skip
"""Ways in which notes lose something."""
MOST_LOST = 3
"""Turns that such a loss costs at most."""


@pytest.mark.slow
@pytest.mark.parametrize("lost", DAMAGES)
def test_what_is_lost_costs_few_turns_and_is_reported(lost: str, request: pytest.FixtureRequest) -> None:
    """What the notes don't tell is inferred from the rules and from the other turns, and all other turns are right."""
    seed = int(request.config.getoption("--hypothesis-seed") or 0)
    print(f"lost {seed}")  # noqa: T201 - shown with a failure
    text = (NOTES / "h1.txt").read_text("utf-8")
    lines = DAMAGES[lost](text, Random(seed)).splitlines()
    assert lines != text.splitlines()
    start, end = read_start(lines, "", (), "")
    found = transcribe(start, lines, end, {})
    want, got = turns_of(played("h1")), [step.turn for step in found.steps]
    matching = SequenceMatcher(None, want, got, autojunk=False).get_matching_blocks()
    assert sum(block.size for block in matching) >= len(want) - MOST_LOST
    assert found.findings or want == got


def _play_at_random(rng: Random) -> Record:
    """A game of the second edition, in which a pass is as likely as a card."""
    record = new_record("second-edition", ["Ann", "Bob", "Cal"][: rng.choice([2, 3])], rng.randbytes(32))
    rows: list[str] = []
    game, position = record.game, record.start()
    while position.to_act is not None:
        moves: list[object] = []
        seat = position.to_act
        while position.to_act is not None and (not moves or game.turn_continues(position)):
            legal = list(game.legal(position))
            moves.append(legal[0] if not moves and rng.random() < PASSING else rng.choice(legal))
            position, _ = game.apply(position, moves[-1])
        rows.append(f"{len(rows) + 1}. {record.names[seat]} {game.words.write_turn(tuple(moves))}")
    read = read_record((write_start(record) + "\nTurns\n" + "\n".join(rows) + "\n").encode())
    assert read.record is not None
    assert not read.problems
    return read.record


PASSING = 0.5
"""Share of passes in a random game."""


@pytest.mark.parametrize(
    ("form", "before"),
    [
        ("{} a {} from {}", ""),
        ("{} un {} à {}", ""),
        ("{} ein {} aus {}", "Runde 1: "),
        ("{} takes a {} in {}, without a card", ""),
        ("{}, sans jouer de carte, a pris un {} à {}", ""),
    ],
)
def test_players_summon_one_after_another_without_a_card(form: str, before: str) -> None:
    record = new_record("manual", ["Ann", "Bob", "Cal"], bytes(32), first="1")
    game, position = record.game, record.start()
    faction, turns, told = {"S": "Scot", "W": "Gallois", "R": "Romain"}, list[str](), list[str]()
    for name in record.names:
        move = next(move for move in game.legal(position) if game.words.write_move(move).startswith("summon"))
        turns.append(game.words.write_move(move))
        _, letter, region = turns[-1].split(" ", 2)
        told.append(form.format(name, faction[letter], region))
        position, _ = game.apply(position, move)
    lines = [f"{before}{', '.join(told)}."]
    start, end = read_given_start(lines, record)
    found = transcribe(start, lines, end, {})
    assert [step.turn for step in found.steps] == turns


def _without_turns(record: Record) -> Record:
    read = read_record((write_start(record) + "\nTurns\n").encode()).record
    assert read is not None
    return read


def test_a_game_file_is_read_like_notes(tmp_path: Path) -> None:
    """Hashes, remarks in braces and what followed say nothing else than the turns."""
    file, copy = next(iter(sorted(FINISHED.glob("*.tkid")))), tmp_path / "game.tkid"
    said("transcribe", file, "--setup", file, "-o", copy)
    first, second = (read_record(each.read_bytes()).record for each in (file, copy))
    assert first is not None
    assert second is not None
    assert turns_of(replay(first)) == turns_of(replay(second))


SHORT = """Players: Ann, Bob
Moray SSWE, Strathclyde SWWE, Lancaster SSWW, Northumbria SWEE, Gwynedd SWWE, Warwick SWEE, Essex SWEE, Devon SSEE
courts: Ann WE, Bob SW
track: Moray, Strathclyde, Lancaster, Northumbria, Gwynedd, Warwick, Essex, Devon

"""


def written(folder: Path, turns: str) -> Path:
    file = folder / "notes.txt"
    file.write_text(SHORT + turns, "utf-8")
    return file


def test_notes_become_a_game_file_that_is_right(tmp_path: Path) -> None:
    game = tmp_path / "game.tkid"
    told = said("transcribe", written(tmp_path, "Ann: ass s mor, w ess, e gwy + e war\nb p\np p\n"), "-o", game)
    assert told == f"{game}: 4 turns, 0 questions, 0 differences between the notes and the game.\n"
    text = game.read_text("utf-8")
    assert (
        "# Ann: ass s mor, w ess, e gwy + e war\n1. Ann Assemble S Moray, W Essex, E Gwynedd; summon E Warwick\n"
        in text
    )
    assert "First        Ann\n" in text
    assert said("check", game) == f"{game}: all right, 4 turns, Ann to play\n"


def test_what_is_open_is_asked_with_choices_and_answers_settle_it(tmp_path: Path) -> None:
    game, notes, answers = tmp_path / "game.tkid", written(tmp_path, "Ann: e sup ess\n"), tmp_path / "answers"
    done = tkid("transcribe", str(notes), "--batch")
    assert done.exit_code == 1
    assert "Several turns fit this [notation.notes.open]" in done.output
    choices = re.findall(r"^    (6: .*)$", done.output, re.MULTILINE)
    assert len(choices) > 1
    answers.write_text(choices[-1] + "\n", "utf-8")
    told = said("transcribe", notes, "-o", game, "--answers", answers)
    assert "1 turn, 0 questions, 0 differences" in told
    assert choices[-1].partition(": ")[2] in game.read_text("utf-8")


def test_mistakes_at_the_table_are_told_with_the_nearest_legal_turn(tmp_path: Path) -> None:
    """There is no Welsh follower in Devon, and nothing is resolved after a single pass."""
    turns = "Ann: ass s mor, w ess, e gwy + e war\nb: man s moray x w devon, s dev\na: pass -> Moray: English\n"
    data = json.loads(tkid("transcribe", str(written(tmp_path, turns)), "--json").output)
    assert [turn["line"] for turn in data["turns"]] == [6, 7, 8]
    told = {finding["line"]: finding["message"] for finding in data["findings"] if not finding["choices"]}
    assert told[7].startswith("No legal turn fits all of this. `Manoeuvre ")
    assert told[8] == "The notes say `Moray: English`, but nothing followed"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Ann passes\n", "The notes don't say who played."),
        ("Players: Ann, Bob\nMoray SSWE\nAnn: pass\n", "The notes don't tell the set-up."),
        ("", "The notes don't say who played."),
        ("Claim. Players: Ann, Bob\n", "can't be read yet"),
    ],
)
def test_notes_without_a_set_up_write_nothing(tmp_path: Path, text: str, message: str) -> None:
    file, game = tmp_path / "notes.txt", tmp_path / "game.tkid"
    file.write_text(text, "utf-8")
    told = complaint("transcribe", file, "-o", game, code=1)
    assert message in " ".join(told.split())
    assert "Nothing was written." in told
    assert not game.exists()


def test_an_unknown_ruleset_is_named(tmp_path: Path) -> None:
    told = complaint("transcribe", written(tmp_path, "a: pass\n"), "--ruleset", "secnd-edition", code=1)
    assert "There is no ruleset 'secnd-edition'" in told


def test_a_set_up_may_stand_in_a_file_of_its_own(tmp_path: Path) -> None:
    start, notes, game = tmp_path / "start.tkid", tmp_path / "notes.txt", tmp_path / "game.tkid"
    said("new", start, "Ann", "Bob", "--first", "Bob")
    notes.write_text("p\na: pass\n", "utf-8")
    assert "2 turns, 0 questions, 0 differences" in said("transcribe", notes, "--setup", start, "-o", game)
    assert "1. Bob Pass\n2. Ann Pass\n" in game.read_text("utf-8")


@pytest.mark.parametrize(
    ("line", "mended"),
    [
        ("l. Cal We1sh Support", "1. Cal Welsh Support"),
        ("l2. Bob 0utman.", "12. Bob Outman."),
        ("9-2l pass", "9-21 pass"),
        ("5O-5l pass", "50-51 pass"),
        ("I passed. All left.", "I passed. All left."),
        ("[19:05] Ann: I pass", "Ann: Ann pass"),
        ("19:05 <Ann> I pass", "Ann: Ann pass"),
        ("Ann, 19:05: pass", "Ann: pass"),
        ("19:05 Ann pass", "Ann pass"),
        ("A EnSup E Devon", "A En Sup E Devon"),
        ("lnes pa5ses. WeIsh", "Ines passes. Welsh"),
        ("con l'appoggio, 🔵🔴 Moray", "con appoggio, blue red Moray"),
    ],
)
def test_what_text_recognition_misreads_is_mended(line: str, mended: str) -> None:
    assert mend_misread(line) == mended


@pytest.mark.parametrize("at", range(len(WORDS["spelling"])))
def test_each_spelling_is_read_by_its_row(at: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The example of a row is read as it says, and otherwise without the row."""
    written, meant = WORDS["spelling"][at]["example"]
    assert mend_misread(written) == meant
    monkeypatch.setattr(notes, "SPELLINGS", [row for place, row in enumerate(notes.SPELLINGS) if place != at])
    assert mend_misread(written) != meant


@pytest.mark.parametrize(
    ("text", "ruleset"),
    [
        ("TKiD 2nd ed.", "second-edition"),
        ("the ADVANCED one", "second-edition-advanced"),
        ("2nd ed no cunning cards", "second-edition"),
        ("cunning = FALSE", "second-edition"),
        ("gioco avanzato", "second-edition-advanced"),
        ("The King is Dead, alte Ausgabe", "first-edition"),
        ("1ère édition", "first-edition"),
        ("1. Ann English Forces 2 Essex", "digest"),
        ("Eboracum SSRW", "first-edition"),
        ("d'après le manuel de référence, Eboracum", "manual"),
        ("rules: reference manual", "manual"),
        ("we had no manual at hand", "second-edition"),
    ],
)
def test_the_notes_say_what_was_played(text: str, ruleset: str) -> None:
    assert find_ruleset(text) == ruleset


@pytest.mark.parametrize(
    ("text", "players"),
    [
        ("Players: 1. Igor (starts)  2. Ravi", ("Igor", "Ravi")),
        ("Turn order: cal, ann, bob", ("Cal", "Ann", "Bob")),
        ("goes me > cal > ann\nme (bob)", ("Bob", "Cal", "Ann")),
        ("Sven v. Pia", ("Sven", "Pia")),
        ("Ann plays\nAnn: pass\nBob: pass\nAnn: pass\nBob: pass", ("Ann", "Bob")),
        ("brewers arms, sven olga igor (me) playing in that order, sven starts", ("Sven", "Olga", "Igor")),
        ("3 players:\n1. Ann\n2. Bob (starts)\n3. Cal", ("Ann", "Bob", "Cal")),
        ("with Nina and Hugo. I am Jo\nhands Nina SW, Hugo WE, Jo SE", ("Nina", "Hugo", "Jo")),
        ("A = Ann, B = Bob", ("Ann", "Bob")),
        ("nothing about it", ()),
        ('[White "Jonas"]\n[Black "Marta"]\nRuleset: first edition', ("Jonas", "Marta")),
        ("ORDER I(nes) P(iet) M(arta) J(onas), I starts", ("Ines", "Piet", "Marta", "Jonas")),
        ('[First "Joe"] [Second "Kay"] [Third "Lee"]\nJoe won, Kay and Lee lost', ("Joe", "Kay", "Lee")),
        ("LOG (Hedda/Teo/Rolf clockwise)\nHedda pass\nTeo pass\nRolf pass", ("Hedda", "Teo", "Rolf")),
        ("Mr Jack passed. Mr Quentin passed. Mr Jack passed. Mr Quentin passed.", ("Jack", "Quentin")),
        ("A = Al, B = Bea", ("Al", "Bea")),
        (
            "a game with Mia, Zed and me (Cora)\nMia: pass\nZed: pass\nI pass\nMia: pass\nZed: pass\nI pass",
            ("Mia", "Zed", "Cora"),
        ),
        (
            "Spieler: Dora, Zed. Jeder hat W + E am Hof.\n" + 3 * "Dora spielt Assemble. Zed spielt Assemble.\n",
            ("Dora", "Zed"),
        ),
        ("| Zug | Mia | Zed | Ergebnis |\n|-----|-----|-----|-----|\n| 1 | passt | passt | |", ("Mia", "Zed")),
        ("Turn order: Mia -> Zed\nM pass. Z pass. M plays ASSEMBLE. Z plays ASSEMBLE.", ("Mia", "Zed")),
        (
            "Bert y Lou (yo soy Lou). Empiezo yo.\n1. Yo paso.\n2. Bert pasa.\n3. Yo paso.\n4. Bert pasa.",
            ("Bert", "Lou"),
        ),
        ("Cap = Marta, Prof = Jonas. going round Cap > Prof, Cap first", ("Marta", "Jonas")),
        (
            "3 of us: Ann, Bob, Cleo. Bob begins. If I don't mention someone they passed.\nCleo: s support\nAnn: w support\n",
            ("Ann", "Bob", "Cleo"),
        ),
    ],
)
def test_the_notes_say_who_played(text: str, players: tuple[str, ...]) -> None:
    record = played("g2").record
    shorthand = find_notation_plugin(record.game).make_shorthand(record.game)
    assert shorthand is not None
    assert next(iter(list_players(mend_misread(text), shorthand)), ()) == players


def test_answers_name_their_lines() -> None:
    assert read_answers("# mine\n12: Pass\n") == {12: "Pass"}
    with pytest.raises(ValueError, match="Line 1 of the answers is not `LINE: TURN`"):
        read_answers("Pass\n")


@pytest.mark.parametrize(
    ("regions", "courts"),
    [
        (
            "REGION MO ST LA NO GW WA ES DE supply\nS/W/E 3/0/1 2/1/1 1/2/1 1/2/1 1/3/0 1/3/0 0/1/3 2/1/1 3/2/7\n",
            "COURTS Ann SE, Bob SW\n",
        ),
        (
            (
                "Three Scots and one English follower were in Moray. There were two Scots, one Welsh and one English in Strathclyde, "
                "and just the same in Devon. In Lancaster one Scot, two Welsh and one English, the same in Northumbria. "
                "Gwynedd and Warwick had one Scot and three Welsh, Essex one Welsh and three English. "
                "Three Scots, two Welsh and seven English were left.\n"
            ),
            "Ann had one Scot and one English at court, Bob one Scot and one Welsh.\n",
        ),
        (
            (
                "[setup] mor: sc=3 en=1\n[setup] str: sc=2 we=1 en=1\n[setup] lan: sc=1 we=2 en=1\n[setup] nor: sc=1 we=2 en=1\n"
                "[setup] gwy: sc=1 we=3\n[setup] war: sc=1 we=3\n[setup] ess: we=1 en=3\n[setup] dev: sc=2 we=1 en=1\n"
            ),
            "[setup] court ann: sc=1 en=1 | court bob: sc=1 we=1\n",
        ),
        (
            (
                "1 Moray 2 Strathclyde 3 Lancaster 4 Northumbria 5 Gwynedd 6 Warwick 7 Essex 8 Devon\n"
                "1:3.0.1  2:2.1.1  3:1.2.1  4:1.2.1  5:1.3.0  6:1.3.0  7:0.1.3  8:2.1.1\npool 3.2.7\n# as in ss2 and ww3\n"
            ),
            "Ann (1,0,1)  Bob (1,1,0)\n",
        ),
        (
            (
                "Moray 3 scots 1 e\nStrathclyde 2 s 1 welsh 1 e\nLancaster 1 scot 2 w 1 english\nNorthumbria like Lancaster\n"
                "Gwynedd 1 s 3 welsh\nWarwick 1 scot 3 w\nEssex 1 w 3 english\nDevon 2 scots 1 w 1 e\nbag 3 s 2 welsh 7 e\n"
            ),
            "Ann 1 scot 1 e, Bob 1 s 1 welsh\n",
        ),
        (
            ("Mo(SSSE) St(SSWE) La(SWWE) No(SWWE)\nGw(SWWW) Wa(SWWW) Es(WEEE) De(SSWE)\nsupply 3S 2W 7E\n"),
            "Ann(SE) Bob(SW)\n",
        ),
        (
            (
                "Moray SSSE       1. Moray         Ann SE\nStrathclyde SSWE 2. Strathclyde   Bob SW\n"
                "Lancaster SWWE   3. Lancaster     supply SSSWWEEEEEEE\nNorthumbria SWWE 4. Northumbria\nGwynedd SWWW     5. Gwynedd\n"
                "Warwick SWWW     6. Warwick\nEssex WEEE       7. Essex\nDevon SSWE       8. Devon\n"
            ),
            "",
        ),
        (
            (
                "En Moray hay tres escoceses y un inglés. En Strathclyde hay dos escoceses, un galés y un inglés. En Lancaster hay un escocés, "
                "dos galeses y un inglés. En Northumbria hay un escocés, dos galeses y un inglés. En Gwynedd hay un escocés y tres galeses.\n"
                "En Warwick hay un escocés y tres galeses. En Essex hay un galés y tres ingleses. En Devon hay dos escoceses, un galés y un inglés.\n"
                "En la reserva hay tres escoceses, dos galeses y siete ingleses.\n"
            ),
            "Ann tiene un escocés y un inglés. Bob tiene un escocés y un galés.\n",
        ),
        (
            (
                "Moray 3 niebieskie i żółty; Strathclyde dwa niebieskie, czerwony i żółty; Lancaster niebieski, dwa czerwone i żółty; "
                "Northumbria tak samo; Gwynedd niebieski i 3 czerwone; Warwick niebieski i trzy czerwone; Essex czerwony i 3 żółte; "
                "Devon dwa niebieskie, czerwony i żółty\nzapas 3 niebieskie 2 czerwone 7 żółtych\n"
            ),
            "Ann niebieski i żółty, Bob niebieski i czerwony\n",
        ),
        (
            (
                "Moray 3 azuis 1 amarelo, Strathclyde 2 azuis 1 vermelho 1 amarelo, Lancaster 1 azul 2 vermelhos 1 amarelo, Northumbria igual\n"
                "Gwynedd 1 azul 3 vermelhos, Warwick 1 azul 3 vermelhos, Essex 1 vermelho 3 amarelos, Devon dois azuis um vermelho um amarelo\n"
                "saco três azuis, duas vermelhas, sete amarelas\n"
            ),
            "Ann azul amarelo, Bob azul vermelho\n",
        ),
        (
            (
                "Moray trois bleus un jaune, Strathclyde deux bleus un rouge un jaune, Lancaster un\n"
                "bleu deux rouges un jaune, Northumbria un bleu deux rouges un jaune, Gwynedd un bleu\n"
                "trois rouges, Warwick un bleu trois rouges, Essex un rouge trois jaunes, Devon deux\n"
                "bleus un rouge un jaune. Réserve trois bleus, deux rouges, sept jaunes.\n"
            ),
            "Ann un bleu un jaune, Bob un bleu un rouge\n",
        ),
        (
            (
                "DEAL |  Mor  Str  Lan  Nor  Gwy  War  Ess  Dev  |  Ann  Bob\n"
                "  s  |  3    2    1    1    1    1    -    2    |   1    1\n"
                "  w  |  -    1    2    2    3    3    1    1    |   -    1\n"
                "  e  |  1    1    1    1    -    -    3    1    |   1    -\n"
            ),
            "",
        ),
    ],
)
def test_set_ups_in_rows_and_in_sentences_are_read(regions: str, courts: str) -> None:
    text = (
        f"Players: Ann, Bob. Ann starts\n{regions}{courts}order Mor Str Lan Nor Gwy War Ess Dev\n\nAnn pass\nBob pass\n"
    )
    start, _ = read_start(text.splitlines(), "", (), "")
    written = write_start(start)
    for row in (
        "Moray        SSSE",
        "Devon        SSWE",
        "Supply       3S 2W 7E",
        "Court Ann    SE",
        "Court Bob    SW",
    ):
        assert row in written


COLOURED = """Ann v Bob. 2nd ed. B R Y cubes
E W M St L G N D is the order
M BBBR
St BBRY
E BRYY
L BRYY
G RRRY
N BRYY
D BBRR
W BBRY
left over 3B 4R 5Y
Ann has R Y
"""
DOTTED = """Ann and Bob play. Sc = Scottish, We = Welsh, En = English.
Moray ........... Sc 3   We 1   En -
Strathclyde ..... Sc 2   We 1   En 1
Essex ........... Sc 1   We 1   En 2
Lancaster ....... Sc 1   We 1   En 2
Gwynedd ......... Sc -   We 3   En 1
Northumbria ..... Sc 1   We 1   En 2
Devon ........... Sc 2   We 2   En -
Warwick ......... Sc 2   We 1   En 1
Stock: Sc 3, We 4, En 5
Court: Ann We 1 En 1
1 Essex / 2 Warwick / 3 Moray / 4 Strathclyde / 5 Lancaster / 6 Gwynedd / 7 Northumbria / 8 Devon
"""


@pytest.mark.parametrize(
    ("head", "turns", "first"),
    [
        ("Ann + Bob, starts Bob", "pass\npass\n", "Bob"),
        ("Ann, Bob (Bob is first, Ann second)", "pass\npass\n", "Bob"),
        ("Ann, Bob", "Bob begins. pass\npass. Moray Scottish\n", "Bob"),
        ("Ann, Bob", "começa o Bob. passa, claro\nAnn passa\n", "Bob"),
        ("Ann, Bob. Bob starts", "1B -\n2A man s moray x w strath; s dev\n3B -\n", "Bob"),
        ("Bob and me (Ann)", "And he passed.\nI passed too.\n", "Bob"),
        ("Turn order Bob, Ann. If I don't mention a turn, they passed", "Ann: man s moray x w strath; s dev\n", "Bob"),
    ],
)
def test_the_notes_say_who_started(head: str, turns: str, first: str) -> None:
    lines = f"{head}\n{DOTTED.partition(chr(10))[2]}\n{turns}".splitlines()
    start, _ = read_start(lines, "", (), "")
    seat = start.start().to_act
    assert seat is not None
    assert start.names[seat].replace("Me", "Ann") == first


SEATED = """with Will, Nick and Pia
Moray SSWE, Strathclyde SWWE, Lancaster SSWW, Northumbria SWEE, Gwynedd SWWE, Warwick SWEE, Essex SWEE, Devon SSEE
hands: Pia WE, Nick has SW, Will 2S
track: Moray, Strathclyde, Lancaster, Northumbria, Gwynedd, Warwick, Essex, Devon
"""
OPENING = (
    "Pia Assemble S Moray, W Essex, E Gwynedd; summon E Warwick",
    "Nick Pass",
    "Will Pass",
    "Pia Pass",
    "Nick Pass",
)


@pytest.mark.parametrize(
    "turns",
    [
        "Pia: ass s mor, w ess, e gwy + e war\nNick: p\nWill: p\nPia: p\nNick: p\n",
        "P ass s mor, w ess, e gwy (court: e war)\nN p\nW p\nP pass\nN p\n",
        "| # | Pia | Nick | Will |\n| 1 | ass s mor, w ess, e gwy; e war | - | - |\n| 2 | - | - | |\n",
        "R1: P: ass s mor, w ess, e gwy -> e war; N: pass; W: no\nR2: P: pass; N: pass\n",
        "Pia begins, then Nick, Will\n1. ass s mor, w ess, e gwy + e war / pass / pass\n2. pass / pass\n",
        "Pia ass s mor, w ess, e gwy + e war. Nick p. Will p. Pia p. Nick p.\n",
    ],
)
@pytest.mark.parametrize("is_late", [False, True])
def test_the_turns_show_the_order_of_the_players(turns: str, *, is_late: bool) -> None:
    """Players are listed in another order than they play, their names are words too, and the set-up may come behind the turns."""
    text = f"{turns}\n{SEATED}" if is_late else f"{SEATED}\n{turns}"
    lines = text.splitlines()
    start, end = read_start(lines, "", (), "")
    found = transcribe(start, lines, end, {})
    assert tuple(f"{start.names[step.seat]} {step.turn}" for step in found.steps) == OPENING
    assert "Court Pia    WE" in write_start(start)


@pytest.mark.parametrize(
    ("head", "turns", "players"),
    [
        (
            "der König ist tot, 2 Pers.   Ann beginnt",
            "Ann -\nBob -\nAnn manövriert s moray gg. w strath, n. s dev\nBob -\n",
            {"Ann", "Bob"},
        ),
        (
            "ann vs mij (bob). ann begint",
            "ann pas, ik pas. moray blauw\np p strath rood\nann pas\nik pas\n",
            {"Ann", "Bob"},
        ),
        (
            "Ann y yo (Bob), empieza Ann",
            "ANN          YO\n-            -            Moray S\n-            -            Strath W\n-            -\n",
            {"Ann", "Bob"},
        ),
    ],
)
def test_words_that_look_like_players_are_none_if_the_game_does_not_fit(
    head: str, turns: str, players: set[str]
) -> None:
    rows = DOTTED.partition("\n")[2].replace("Ann We 1 En 1", "Ann We 1 En 1, Bob Sc 1 En 1")
    start, _ = read_start(f"{head}\n{rows}\n{turns}".splitlines(), "", (), "")
    assert {name.replace("Me", "Bob") for name in start.names} == players


REGIONS = SEATED.splitlines()[1]
THREE = "track: Moray, Strathclyde, Lancaster, Northumbria, Gwynedd, Warwick, Essex, Devon"


@pytest.mark.parametrize(
    ("told", "turns", "players"),
    [
        (
            "A = me, R = Rosa, K = Karl\ncourts A SE, R WW, K WE",
            "rd | A | R | K\n1 | - | - | -\n2 | - | - | -\n3 | Ass S Str, W Ess, E Gwy, takes E War | - | -\n",
            ["A.", "Rosa", "Karl"],
        ),
        (
            "H = me (Hugo), I = Ines, P = Petra. Turns go H I P\nH has S E, I has W W, P has W E",
            (
                "all pass\nH ass S Str, W Ess, E Gwy, takes E War\nI man S War / W Gwy, takes E Dev\n"
                "P out E Ess / SS Lan, takes S Dev\nH I P pass\n"
            ),
            ["Hugo", "Ines", "Petra"],
        ),
        (
            "Rainy day at Cutter Castle. Margaret v. Owen, Owen begins (Cutter Castle)\nCourts: Margaret 2 S. Owen 2 W.",
            "1. Owen Passes.\n2. Margaret Passes.\n3. Owen Assemble S Devon, W Essex, E Gwynedd. Court: E, Warwick\n",
            ["Margaret", "Owen"],
        ),
        (
            "Nr | Moritz | Lena\nMoritz' court SE\nLena's court WW",
            "Nr | Moritz | Lena\n1 | pass | pass\n2 | pass | pass\n3 | Ass S Str, W Ess, E Gwy, takes E War | pass\n4 | pass | pass\n",
            ["Moritz", "Lena"],
        ),
        (
            "Crew: Lars (keeps this log), Nadia, Femi. Seats in that order\nLars SE, Nadia SS, Femi WW",
            "Lars pass\nNadia pass\nFemi ass S Str, W Ess, E Gwy, takes E War\nLars pass\n",
            ["Lars", "Nadia", "Femi"],
        ),
        (
            "jugamos Beto, Lupe y yo\nyo tengo SE, Beto SW, Lupe WW",
            "".join(
                f"8/11/25, 20:{at:02} - {said}\n"
                for at, said in enumerate(
                    ("Toni: hola", *("Xime: yo paso", "Xime: Beto: paso", "Xime: Lupe paso", "Toni: ya") * 9)
                )
            ),
            ["Beto", "Lupe", "Xime"],
        ),
        (
            "Mrs Wren v. G. (self)\nMrs W.  1 - 1\nG.  2 - -\nG. starts (Castle Howard, with the Coach Club)",
            (
                "7.05 | both pass\n7.06 | G. | pass | |\n7.08 | Mrs W. | Assemble | S Str, W Ess, E Gwy | E War\n"
                "7.09 | G. | pass | |\n7.10 | Mrs W. | Manoeuvre | S Dev for E Ess | S Dev\n7.12 | G. | pass | |\n"
            ),
            ["G.", "Wren"],
        ),
        (
            "The King is Dead, Fritzi and Mo\nColours: S, W, E\nFritzi WW\nMo SE",
            "rd | Fritzi | Mo\n1  | -- | -- (Mor: W)\n2 | -- | --\n3 | Ass S Lan, W Ess, E Gwy, takes E War | --\n4 | -- | --\n",
            ["Fritzi", "Mo"],
        ),
    ],
    ids=["head", "letters", "opponents", "courts", "list", "chat", "column", "short"],
)
def test_the_players_are_told_in_many_places(told: str, turns: str, players: list[str]) -> None:
    start, _ = read_start(f"{told}\n{REGIONS}\n{THREE}\n\n{turns}".splitlines(), "", (), "")
    assert sorted(start.names) == sorted(players)


@pytest.mark.parametrize(
    ("legend", "turn"),
    [
        (
            "MY Moray  SC Strathclyde  LR Lancaster  NB Northumbria\nGD Gwynedd  WK Warwick  EX Essex  DV Devon",
            "Ann Ass SMY, WEX, EGD; takes EWK",
        ),
        (
            "AS = Assemble, AU = Ausmanövrieren, VH = Verhandeln, MN = Manöver\nSU WU EU = Unterstützung",
            "Ann AS S Moray, W Essex, E Gwynedd, nimmt E aus Warwick",
        ),
        (
            "sz - szkoci, wa - walijczycy, an - anglicy",
            "Ann Assemble sz Moray, wa Essex, an Gwynedd, summon an Warwick",
        ),
        ("W: walijczycy, S: szkoci, A: anglicy", "Ann Assemble S Moray, W Essex, A Gwynedd, summon A z Warwick"),
    ],
)
def test_a_legend_needs_no_signs(legend: str, turn: str) -> None:
    lines = f"{legend}\n{SHORT}\n{turn}\nBob pass".splitlines()
    start, end = read_start(lines, "", (), "")
    turns = [step.turn for step in transcribe(start, lines, end, {}).steps]
    assert turns == ["Assemble S Moray, W Essex, E Gwynedd; summon E Warwick", "Pass"]


@pytest.mark.parametrize("passes", ["Ann, Bob - pass", "Ann, Bob – pas", "Ann i Bob - pas", "Ann passé, Bob passé"])
def test_several_players_pass_in_one_line(passes: str) -> None:
    start, end = read_start(lines := f"{SHORT}{passes}".splitlines(), "", (), "")
    assert [step.turn for step in transcribe(start, lines, end, {}).steps] == ["Pass", "Pass"]


@pytest.mark.parametrize(
    "text",
    [
        "Moray: inestable",
        "Moray onstabiel",
        "Moray niestabilny",
        "Moray instável",
        "Essex: English (3, 2); Devon: Welsh (2, 1)",
    ],
)
def test_results_are_told_in_other_languages_and_with_counts(text: str) -> None:
    record = played("g2").record
    shorthand = find_notation_plugin(record.game).make_shorthand(record.game)
    assert shorthand is not None
    assert shorthand.is_result(text)
    assert not shorthand.is_result("Assemble S Moray, W Essex, E Gwynedd")


def test_two_letters_that_count_elsewhere_mean_what_the_legend_says() -> None:
    head = "Ann et Bob\néc = Écossais, ga = Gallois, an = Anglais"
    rows = REGIONS.replace(", ", "\n").replace("SS", "2 éc ").replace("WW", "2 ga ").replace("EE", "2 an ")
    rows = re.sub(
        "[SWE](?![a-z])", lambda found: f"1 {dict(zip('SWE', ('éc', 'ga', 'an'), strict=True))[found[0]]} ", rows
    )
    start, _ = read_start(f"{head}\n{rows}\nAnn 1 éc 1 an\nBob 2 ga\n{THREE}\n\nAnn passe\n".splitlines(), "", (), "")
    assert "Warwick      SWEE" in write_start(start)


def test_short_names_of_regions_beside_numbers_are_no_followers() -> None:
    rows = ["Mor 2 Sc 2 We", "Str 2 Sc 1 We 1 En", "Lan 2 Sc 1 We 1 En", "Nor 1 Sc 2 We 1 En", "Gwy 1 Sc 2 We 1 En"]
    rows += ["War 1 Sc 3 En", "Ess 2 Sc 2 En", "Dev 1 Sc 1 We 2 En", "supply 3 Sc, 9 We, 4 En"]
    rows += [
        "Ann 2 En, Bob 2 Sc, Cal 1 Sc 1 En",
        "track: 1 Ess 2 Lan 3 Gwy 4 Dev 5 Mor 6 Nor 7 Str 8 War",
        "",
        "Ann passes",
    ]
    start, _ = read_start(["Ann, Bob and Cal; Ann starts", *rows], "", (), "")
    for row in ("Warwick      SEEE", "Essex        SSEE", "Track        Essex, Lancaster, Gwynedd, Devon, Moray"):
        assert row in write_start(start)


@pytest.mark.parametrize(
    ("head", "first"), [("v. C. (he opens)", "C."), ("v. C. (I open)", "Me"), ("C. and me, C. opens", "C.")]
)
def test_turns_without_names_begin_with_the_first_line_behind_the_set_up(head: str, first: str) -> None:
    """A line that is only a dash is a pass, also where blank lines divide it from the set-up."""
    lines = f"{head}\n{REGIONS}\nme WW, C SE\n{THREE}\n\n-\n-\nA s Str w Ess e Gwy, e War\n-\n".splitlines()
    start, end = read_start(lines, "", (), "")
    steps = transcribe(start, lines, end, {}).steps
    assert [step.turn for step in steps] == [
        "Pass", "Pass", "Assemble S Strathclyde, W Essex, E Gwynedd; summon E Warwick", "Pass",
    ]  # fmt: skip
    assert start.names[steps[0].seat] == first


def test_the_sender_of_a_chat_does_not_hold_what_a_message_tells() -> None:
    told = f"Teo: Rosa y yo, dos jugadores\nTeo: {REGIONS}\nTeo: en la reserva 4 de cada. Rosa tiene 2 rojos y yo 1 azul 1 amarillo\nTeo: {THREE}"
    turns = [
        f"Teo: {said}"
        for said in (
            "Rosa pasa, yo paso",
            "Rosa juega Assemble: azul Str, rojo Ess, amarillo Gwy, se lleva amarillo War",
            "yo paso",
        )
    ]
    lines = [f"[12/4/25, 21:{at:02}] {line}" for at, line in enumerate([*told.splitlines(), *turns])]
    start, end = read_start(lines, "", (), "")
    assert {"Court Rosa   WW", "Court Teo    SE"} <= {*write_start(start).splitlines()}
    steps = transcribe(start, lines, end, {}).steps
    assert [start.names[step.seat] for step in steps] == ["Rosa", "Teo", "Rosa", "Teo"]
    assert steps[2].turn == "Assemble S Strathclyde, W Essex, E Gwynedd; summon E Warwick"


@pytest.mark.parametrize("said", ["Bob again, E", "Ann wants Essex", "Ann Essex"])
def test_a_line_of_a_player_is_never_left_out_in_silence(said: str) -> None:
    lines = [*SHORT.splitlines(), "Ann pass", "Bob pass", said, "Ann pass", "Bob pass"]
    start, end = read_start(lines, "", (), "")
    found = transcribe(start, lines, end, {})
    number = lines.index(said) + 1
    assert number in {step.line for step in found.steps} | {each.line for each in found.findings}


@pytest.mark.parametrize("stroke", ["", "| "])
def test_rows_of_several_lines_are_joined_where_each_player_has_a_column(stroke: str) -> None:
    rows = ["1 | Assemble, all on Devon. | Pass", "  | Took Sc | ", "2 | Negotiate: Devon | Assemble,"]
    rows += ["  | with Essex | no Sc: We", "  | and took Sc | Devon"]
    lines = [f"{stroke}{row} |" for row in rows]
    assert join_rows(["Essex | 2 Scots", "", *lines, "Ann won"])[2:-1] == join_rows(lines)
    joined = [" ".join(line.split()) for line in join_rows(lines)]
    assert joined == [
        f"{stroke}1 | Assemble, all on Devon. Took Sc | Pass |", "",
        f"{stroke}2 | Negotiate: Devon with Essex and took Sc | Assemble, no Sc: We Devon |", "", "",
    ]  # fmt: skip


def test_rows_that_each_name_a_player_are_not_joined() -> None:
    rows = ["1 | Ann | Assemble on Devon |", "  | Bob | Pass |", "  | Cal | Pass |", "2 | Bob | Negotiate Devon |"]
    rows += ["  | Cal | Pass |", "  | Ann | Pass |"]
    assert join_rows(rows) == rows


def test_strokes_are_numbers_and_a_table_begins_below_its_head() -> None:
    rows = """       S     W    E   place
Moray        ||    |    |     1
Strathclyde   |   ||    |     2
Lancaster    ||   ||    .     3
Northumbria   |    |   ||     4
Gwynedd       |   ||    |     5
Warwick       |    |   ||     6
Essex         |    |   ||     7
Devon        ||    .   ||     8
"""
    lines = f"""players Ann and Bob
{rows}
Ann SW, Bob WE
"-" is a pass, x = the card did nothing
Nr | Ann | Bob
1 | - | -
2 | Ass S Str, W Ess, E Gwy +E War | -
""".splitlines()
    start, end = read_start(lines, "", (), "")
    written = write_start(start)
    assert "Moray        SSWE" in written
    assert "Devon        SSEE" in written
    assert "Track        Moray, Strathclyde, Lancaster" in written
    turns = [step.turn for step in transcribe(start, lines, end, {}).steps]
    assert turns == ["Pass", "Pass", "Assemble S Strathclyde, W Essex, E Gwynedd; summon E Warwick", "Pass"]


def test_four_players_by_name_by_letter_and_as_the_writer() -> None:
    """One is named in the head, two only by letters, of which one is a word too, and the writer says `me`."""
    head = (
        "King is Dead at Cleo's. E starts, then A, C, me. S W E. p = pass\n"
        + SEATED.partition("\n")[2].partition("hands")[0]
    )
    turns = "E p. A p. C ass s mor, w ess, e gwy, takes E War. me p\nE p. A p. C p. me p\n"
    lines = f"{head}A SE, C WW, me SW, E WE\ntrack: Moray, Strathclyde, Lancaster, Northumbria, Gwynedd, Warwick, Essex, Devon\n\n{turns}".splitlines()
    start, end = read_start(lines, "", (), "")
    assert [name[0] for name in start.names] == ["E", "A", "C", "M"]
    assert transcribe(start, lines, end, {}).steps[2].turn == "Assemble S Moray, W Essex, E Gwynedd; summon E Warwick"


def test_what_the_others_have_is_told_at_once() -> None:
    told = SEATED.replace("Will", "Hugo").replace("Pia WE, Nick has SW, Hugo 2S", "Pia WE, the other two SW")
    start, _ = read_start(f"{told}\n{OPENING[0]}\n".splitlines(), "", (), "")
    courts = dict(re.findall(r"Court (\w+) +(\w+)", write_start(start)))
    assert courts == {"Pia": "WE", "Hugo": "SW", "Nick": "SW"}


def test_letters_for_all_supports_stay_letters_of_factions() -> None:
    legend = "A = assemble, M = manoeuvre, +S/+W/+E = supports"
    lines = f"{legend}\n{SHORT}\nAnn A S Mor W Ess E Gwy / E War\nBob +S Str / W Mor\nAnn pass".splitlines()
    start, end = read_start(lines, "", (), "")
    turns = [step.turn for step in transcribe(start, lines, end, {}).steps]
    assert turns[:2] == [
        "Assemble S Moray, W Essex, E Gwynedd; summon E Warwick",
        "Scottish Support SS Strathclyde; summon W Moray",
    ]


@pytest.mark.parametrize("head", [COLOURED, DOTTED])
@pytest.mark.parametrize("first", ["Ann", "Bob"])
def test_the_turns_show_who_started(head: str, first: str) -> None:
    """The set-ups have letters of colours, codes of regions, dots and counts behind; the second court and the start player are left out."""
    support = "red 2 in D. Y from E" if head == COLOURED else "Welsh Support 2 We Devon. En from Essex"
    seats = ["Ann", "Bob"] if first == "Ann" else ["Bob", "Ann"]
    lines = [*head.splitlines(), "", support, f"{seats[1]}: pass", f"{seats[0]}: pass"]
    start, end = read_start(lines, "", (), "")
    found = transcribe(start, lines, end, {})
    assert [start.names[step.seat] for step in found.steps] == [seats[0], seats[1], seats[0]]
    assert found.steps[0].turn == "Welsh Support WW Devon; summon E Essex"
    messages = [each.message for each in found.findings]
    assert messages[-1] == f"The notes don't say who started. It fits best that {first} did"
    assert len(messages) == 1 + (head == COLOURED), (
        "where a letter is a colour and a region, the turn is listed as the likeliest"
    )
    written = write_start(start)
    for row in ("Moray        SSSW", "Gwynedd      WWWE", "Court Ann    WE", "Court Bob    SE"):
        assert row in written


@pytest.mark.parametrize(
    ("turns", "got", "told"),
    [
        (
            "a: man s moray x w strath, s dev\nb: ass s mor, w ess, e gwy + e war\nb: ass s mor, w ess, e gwy + e war\na p\n",
            3,
            "`b: ass s mor, w ess, e gwy + e war` is written twice",
        ),
        ("Ann passes.\nSo did Bob.\nAll pass, 3 times\n", 8, ""),
        ("[20:31] Ann: pass\n[20:33] Bob: man s moray x w strath [S Devon]\n", 2, ""),
        ("a: man s... no, w moray x e strath, s dev\n", 1, ""),
        ("1a pass\n2b man s moray x w strath; s dev\n3a pass\n4b pass\n5a pass\n6b pass\n7a pass\n8b pass\n", 8, ""),
        ("dot = pass\n-----------\nAnn .\nBob .\n", 2, ""),
        ("2.1 Mr Ann passed.\n2.2 Mr Bob passed.\n", 2, ""),
        ("Ann, manoeuvre: s moray for w strath. s dev\nBob, pass\n", 2, ""),
        ("A -, B -        M = S\nA -\nB -\n", 4, ""),
        ("#1 pass\n#2 pass\n#1 pass\n#2 pass\n#1 pass\n#2 pass\n#1-2 pass\n", 8, ""),
        ("[20:31] ann: pass\n[20:33] bob: me too\n[20:33] bob: moray scottish\n", 2, ""),
        (
            "[20:31] ann: negotiate devon with essex, disc on essex\n[20:32] ann: no wait, disc on devon! take S moray\n",
            1,
            "",
        ),
        ("Ann S Supp Strathclyde >> W Moray\nBob pass\n", 2, ""),
        ("2 passes -> Moray Scottish\nAnn pass\nBob pass\n", 4, ""),
        ("p p Moray Scottish. p p Strathclyde Welsh. p p Lanc nobody\nAnn pass\nBob pass\n", 8, ""),
        ("1) x x  Moray Scottish\n2) x x  Strathclyde Welsh\nAnn pass\nBob pass\n", 6, ""),
        (
            "   ANN          BOB\n1  -            -            Moray S\n2  -            man s dev x w strath,\n                e gwy\n3  -            -\n",
            6,
            "",
        ),
        ("Ann passes and Bob manoeuvre s moray for w strath, s devon\n", 2, ""),
        ("Ann manoeuvre s moray for w strath, s devon. The others sat.\nAnn pass\nBob pass\n", 4, ""),
        (
            "|---|---|---|---|---|\n| 1 | Ann | passes | | |\n| 2 | Bob | passes | | |\n| | | *Moray* | 2S 1W 1E -> S | |\n| 3 | Ann | passes | | |\n| 4 | Bob | Manoeuvre | S Devon <-> W Strathclyde | W Gwynedd |\n",
            4,
            "",
        ),
        (
            "Ann. Card: Manoeuvre. Action: S of Moray for W of Strath. To the court: S of Devon\nBob. Card: pass\n",
            2,
            "",
        ),
        ("Ann man s moray / w strath   > s devon\nBob -\n", 2, ""),
    ],
)
def test_habits_of_writing_turns(tmp_path: Path, turns: str, got: int, told: str) -> None:
    data = json.loads(tkid("transcribe", str(written(tmp_path, turns)), "--json", "--first", "Ann").output)
    assert len(data["turns"]) == got
    assert [finding["message"] for finding in data["findings"]] == [told] * bool(told)


def test_results_imply_the_passes_before_them(tmp_path: Path) -> None:
    turns = "Ann pass\nBob pass\nMoray Scottish\nStrathclyde Welsh, Lancaster nobody\nAnn pass\nBob pass\n"
    data = json.loads(tkid("transcribe", str(written(tmp_path, turns)), "--json", "--first", "Ann").output)
    assert [turn["move"] for turn in data["turns"]] == ["Pass"] * 8
    assert sum("is missing before this. It was taken as a pass" in each["message"] for each in data["findings"]) == 4


COURTLESS = """blue = Scots, red = Welsh, yelow = English
Moray blue blue red yelow
Strathclide blue red red yelow
Lancaster blue blue red red
Northumbria blue red yelow yelow
Gwinned blue red red yelow
Warick blue red yelow yelow
Esex blue red yelow yelow
Devon blue blue yelow yelow
cards: Moray, Strathclide, Lancaster, Northumbria, Gwinned, Warick, Esex, Devon

Ann asembeld blue Moray, red Esex, yelow Gwinned. she took a yelow from Warick
Bob - nothing
Ann passed
Bob: nothing
"""


def test_misspelt_notes_without_courts_are_read_and_the_gap_is_reported() -> None:
    """Names are known by their sound, players by their turns, and courts that nobody told are taken from what is left."""
    lines = COURTLESS.splitlines()
    start, end = read_start(lines, "", (), "")
    found = transcribe(start, lines, end, {})
    turns = [f"{start.names[step.seat]} {step.turn}" for step in found.steps]
    assert turns == ["Ann Assemble S Moray, W Essex, E Gwynedd; summon E Warwick", "Bob Pass", "Ann Pass", "Bob Pass"]
    told = [each.message for each in found.findings if "don't clearly tell the followers" in each.message]
    assert len(told) == len(("Court Ann", "Court Bob", "Supply"))


@pytest.mark.parametrize("devon", ["swe", "s", "sswwe", "3 scots 2 welsh", "3 scots"])
def test_followers_that_break_the_rules_are_reported(devon: str) -> None:
    lines = (
        "Players: Ann, Bob. Ann starts\nMoray ssse\nStrathclyde sswe\nLancaster swwe\nNorthumbria swwe\nGwynedd swww\n"
        f"Warwick swww\nEssex weee\nDevon {devon}\nCourts: Ann se, Bob sw\norder Mor Str Lan Nor Gwy War Ess Dev\n\nAnn pass\n"
    ).splitlines()
    start, end = read_start(lines, "", (), "")
    found = transcribe(start, lines, end, {})
    told = [each.line for each in found.findings if "clearly tell the followers of Devon" in each.message]
    assert told
    assert 1 not in told  # not the line of the players


def test_an_illegal_turn_is_kept_as_played(tmp_path: Path) -> None:
    game = tmp_path / "game.tkid"
    notes = written(tmp_path, "a p\nb p\na: ass s mor, w ess, e gwy + e war\nb p\n")
    done = tkid("transcribe", str(notes), "--as-played", "-o", str(game))
    assert "is illegal and stands as played. Moray is resolved" in " ".join(done.output.split())
    assert "3. Ann Assemble S Moray, W Essex, E Gwynedd; summon E Warwick {stands: " in game.read_text("utf-8")
    assert said("check", game) == f"{game}: all right, 4 turns (1 illegal, kept as played), Ann to play\n"


def test_an_illegal_card_that_stands_as_played_is_the_one_that_was_noted(tmp_path: Path) -> None:
    game = tmp_path / "game.tkid"
    notes = written(tmp_path, "a: scottish support ss devon + s str\nb: p\n")
    tkid("transcribe", str(notes), "--as-played", "--first", "Ann", "-o", str(game))
    assert "1. Ann Scottish Support SS Devon; summon S Strathclyde {stands: " in game.read_text("utf-8")


def test_turns_behind_a_line_that_does_not_fit_are_listed_until_turns_fit_again(tmp_path: Path) -> None:
    turns = "a: man s moray x w devon, s dev\nb: p\na: p\nb: p\na: p\n"
    data = json.loads(tkid("transcribe", str(written(tmp_path, turns)), "--json", "--first", "Ann").output)
    doubted = [each["line"] for each in data["findings"] if "after a line that does not fit" in each["message"]]
    assert doubted == [data["turns"][at]["line"] for at in (1, 2)]
