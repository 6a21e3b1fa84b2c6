"""The documentation agrees with the register and the program; its examples are read."""

import json
import posixpath
import re
import subprocess
import sys
from functools import cache
from hashlib import sha256
from pathlib import Path

import pytest

from docs.making.comparison_pages import comparison_pages
from docs.making.ledger import ledger
from docs.making.pages import fill_page
from docs.making.reading import reading_pages
from docs.making.rule_pages import rule_page
from tests.cli import said
from tests.games.struggle.shared.family import struggle
from tests.shared.tables import each_row
from tkid.games.struggle.notation.turn_reader import TurnReader
from tkid.kernel.game import fill_names
from tkid.notation.positions import read_position, write_position
from tkid.record.format.model import Record
from tkid.record.format.reader import read_record
from tkid.record.json.positions import position_json, read_position_json
from tkid.record.play.replay import replay
from tkid.record.play.writer import write_record
from tkid.rulebook import all_rules, rule
from tkid.rulebook.register import list_prefixes
from tkid.rulebook.rulesets import ruleset, rulesets

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"

IDS = {entry.id for entry in all_rules()}


NOTATION = ("notation.md", "turns-in-other-editions.md", "game-file.md", "positions.md", "schemas.md", "grammar.md")


@cache
def written_page(name: str) -> str:
    """A page that is written, with what it asks for."""
    return fill_page((DOCS / name).read_text("utf-8"), name)


@cache
def pages() -> dict[str, str]:
    """Every page that is written, by path under docs/; filling them takes seconds."""
    names = sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md"))
    return {name: written_page(name) for name in names}


def examples(name: str) -> list[str]:
    """The fenced blocks of the pages on notation that are marked with a name."""
    text = "".join(map(written_page, NOTATION))
    found = re.findall(rf"^```{name}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert found, f"no page on notation has an example marked {name}"
    return found


def lines(name: str) -> list[str]:
    """The lines of all examples that are marked with a name."""
    return [line for block in examples(name) for line in block.splitlines()]


def example_record() -> Record:
    """The game in game-file.md."""
    read = read_record(examples("tkid")[0].encode())
    assert read.record is not None
    assert not read.problems
    return read.record


@pytest.mark.slow
def test_the_example_with_schemas_runs(tmp_path: Path) -> None:
    (tmp_path / "docs").symlink_to(DOCS)
    (tmp_path / "winter.tkid").write_text(examples("tkid")[0], "utf-8")
    printed = said("replay", tmp_path / "winter.tkid", "--json")
    for text, code in ((printed, 0), (printed.replace('"turn": ', '"number": '), 1)):
        (tmp_path / "winter.jsonl").write_text(text, "utf-8")
        run = subprocess.run(
            [sys.executable, "-c", examples("python")[0]], check=False, cwd=tmp_path, capture_output=True, text=True
        )
        assert run.returncode == code, run.stderr
    assert "ValidationError" in run.stderr


# -- pages and links --------------------------------------------------------------------------------------


@pytest.mark.slow
def test_rulings_are_listed_and_the_choices_that_are_told_exist() -> None:
    listed = ledger()
    switches = {switch for entry in rulesets() for switch in entry.switches}
    for entry in all_rules():
        if entry.kind == "ruling":
            assert f'"../{entry.path}"' in listed
            told = re.findall(rf"<code>Ruling: {re.escape(entry.id)} (\S+)</code>", rule_page(entry))
            assert told == [option for option in entry.options if option != entry.default]
            assert not told or entry.id in switches


@pytest.mark.slow
def test_links_to_places_lead_somewhere() -> None:
    for path, text in pages().items():
        for target, fragment in re.findall(r"\]\(([^)#\s]*)#([^)\s]+)\)", text):
            page = posixpath.normpath(posixpath.join(posixpath.dirname(path), target)) if target else path
            file = re.fullmatch(r"source/(.+)\.html", page)
            if file:
                assert int(fragment.removeprefix("L")) <= len((ROOT / file[1]).read_text("utf-8").splitlines())
                continue
            if page in pages_of_rules():
                assert f'id="{fragment}"' in pages_of_rules()[page], f"{path} links to {target}#{fragment}"
                continue
            assert page in pages(), f"{path} links to {target}"
            assert fragment in places(page), f"{path} links to {target}#{fragment}"


@cache
def pages_of_rules() -> dict[str, str]:
    """The pages in the site's own look that written pages link to places of, as HTML."""
    return dict(reading_pages()) | dict(comparison_pages()) | {"rulings/index.html": ledger()}


@cache
def places(page: str) -> frozenset[str]:
    """What links to a page may name behind `#`."""
    headings = re.findall(r"^#+ .*\{:? #(\S+) \}$", pages()[page], re.MULTILINE)
    return frozenset([*headings, *re.findall(r'<a id="([^"]+)"', pages()[page])])


@pytest.mark.slow
def test_links_to_rules_go_to_their_own_pages() -> None:
    for path, text in pages().items():
        for shown, target in re.findall(r"\[`?([\w.-]+)`?\]\(([^)\s]+)\)", text):
            if shown in IDS:
                page = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
                assert page == f"{rule(shown).path}index.html", path


@pytest.mark.slow
def test_ids_that_are_mentioned_exist() -> None:
    mentioned = re.compile(rf"(?<![\w./-])(?:{'|'.join(list_prefixes())})\.[a-z0-9.-]*[a-z0-9]")
    for path, text in pages().items():
        for rule_id in mentioned.findall(text):
            assert rule_id in IDS or rule_id.endswith((".md", ".py", ".lark", ".timer", ".test")), (
                f"{path} mentions {rule_id}"
            )


@pytest.mark.slow
def test_every_page_has_its_place_in_the_navigation() -> None:
    written_out = re.findall(r"^ +- [\w -]+: (\S+\.md)$", (ROOT / "mkdocs.yml").read_text("utf-8"), re.MULTILINE)
    others = [
        path for path in pages() if path.startswith(("editions/", "decisions/")) and not path.endswith("index.md")
    ]
    assert sorted(written_out + others) == sorted(pages())


@pytest.mark.slow
def test_every_decision_is_on_the_list() -> None:
    for path in pages():
        if re.match(r"decisions/\d", path):
            assert f"({posixpath.basename(path)})" in pages()["decisions/index.md"]


# -- examples ---------------------------------------------------------------------------------------------


def written(typed: str) -> str:
    """A turn as it is written, read in the example game before its first turn."""
    record = example_record()
    game, position = record.game, record.start()
    read = TurnReader(struggle(game)).read_turn(typed)
    assert not read.problems, typed
    return game.words.write_turn(tuple(game.canonical(position, move) for move in read.moves))


@each_row("turn", lambda: lines("turn"))
def test_a_turn_is_canonical(turn: str) -> None:
    assert written(turn) == turn


@each_row("turn", lambda: lines("turn-digest"))
def test_a_turn_of_the_digest_is_canonical(turn: str) -> None:
    games = [ruleset(code).game() for code in ("digest", "digest-advanced")]
    game = next(game for game in games if any(turn.startswith(f"{card} ") for card in game.cards))
    read = TurnReader(game).read_turn(turn)
    assert not read.problems
    position = example_record().start()
    moves = tuple(game.canonical(position, move) for move in read.moves)
    assert fill_names(game.words.write_turn(moves), ("1", "2", "3", "4")) == turn


@each_row("pair", lambda: lines("turn-loose"))
def test_a_turn_may_be_typed_otherwise(pair: str) -> None:
    typed, canonical = pair.split(" => ")
    assert written(typed) == canonical
    assert written(canonical) == canonical


def test_turns_in_sentences_and_tables_are_canonical() -> None:
    cards = "|".join(struggle(example_record().game).cards)
    for turn in re.findall(rf"`((?:{cards}) [^`]+)`", written_page("notation.md")):
        assert written(turn) == turn


def test_places_that_the_page_on_notation_had_lead_to_the_pages_that_have_them_now() -> None:
    moved = re.findall(r"\]\(([\w-]+\.md)#([\w-]+)\)\{ #([\w-]+) \}", written_page("notation.md"))
    assert [place for _, _, place in moved] == [
        *("turn-first", "turn-manual", "turn-digest"),
        *("record", "header", "setup", "turns", "comments", "chain-hash"),
        *("line", "json", "schemas", "grammar", "grammar-turn", "grammar-position"),
    ]
    for page, there, place in moved:
        assert there == place
        assert f"{{ #{place} }}\n" in written_page(page)


def test_the_game_is_right_and_canonical() -> None:
    played = replay(example_record())
    assert not played.problems
    assert write_record(played.record, played) == examples("tkid")[0]


def test_the_chain_hash_is_what_the_page_says() -> None:
    start, turns = examples("tkid")[0].split("\nTurns\n")
    value = sha256(start.encode()).digest()
    checked = 0
    for line in turns.splitlines():
        hashed = re.fullmatch(r"(\d+\. .+?)(?: \{.*\})? #([0-9a-f]{6})", line)
        if hashed:
            value = sha256(value + hashed[1].encode()).digest()
            assert value[:3].hex() == hashed[2], line
            checked += 1
    assert checked == 12


def test_both_forms_of_the_position_are_that_of_the_game() -> None:
    moment = replay(example_record()).moments[5]
    game, position = read_position(examples("position")[0].strip())
    assert write_position(game, position) == examples("position")[0].strip()
    assert write_position(game, moment.position) == examples("position")[0].strip()
    told = json.loads(examples("json")[0])
    assert position_json(*read_position_json(told)) == told == position_json(game, moment.position)
    assert list(told) == list(position_json(game, moment.position))


def test_the_first_game_can_be_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from shlex import split  # noqa: PLC0415 - for this test only

    from typer.testing import CliRunner  # noqa: PLC0415

    from tkid.cli.app import app  # noqa: PLC0415

    monkeypatch.chdir(tmp_path)
    block = re.search(r"^```text\n((?:tkid .*\n)+)```$", written_page("about.md"), re.MULTILINE)
    assert block
    for line in block[1].splitlines():
        command = split(line)[1:] + (["--entropy", "00" * 32] if " new " in line else [])
        result = CliRunner().invoke(app, command)
        assert result.exit_code == 0, f"{line}: {result.output}"
