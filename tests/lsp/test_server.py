"""What somebody meets who writes a game down in an editor: problems, rules, legal turns, tidying, pictures, and the end."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from lsprotocol import types
from pygls.workspace import TextDocument

from tests.lsp.editor import PATIENCE, Editor, editor
from tkid.cli.docs import owners_view
from tkid.cli.game_source import note_owner
from tkid.lsp.server import find_path
from tkid.record.format.reader import read_record
from tkid.record.play.replay import append, replay
from tkid.record.play.validation import judge_record
from tkid.record.play.writer import write_record
from tkid.rulebook import rule

ROOT = Path(__file__).parents[2]
GAME = (ROOT / "fixtures/games/second-edition/whole-game-for-2.tkid").read_text("utf-8")
CLAIM = (ROOT / "fixtures/games/claim/whole-game-for-2.tkid").read_text("utf-8")
TURNS_KEPT = 6
"""The game is cut after so many turns, with Ann to play."""


def cut(text: str, turns: int) -> str:
    """A game with its first turns alone."""
    head, _, played = text.partition("\nTurns\n")
    begins = [number for number, line in enumerate(played.split("\n")) if line[:1].isdecimal()]
    return f"{head}\nTurns\n" + "".join(f"{line}\n" for line in played.split("\n")[: begins[turns]])


BEGUN = cut(GAME, TURNS_KEPT)
LINES = BEGUN.split("\n")
FIFTH = next(number for number, line in enumerate(LINES) if line.startswith("5. "))


@pytest.fixture(scope="module")
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as running:
        yield running


@pytest.fixture(scope="module")
def window(runner: asyncio.Runner) -> Iterator[Editor]:
    """An editor for all tests, as starting the program takes longer than they do."""
    context = editor()
    yield runner.run(context.__aenter__())
    runner.run(context.__aexit__(None, None, None))


def test_a_mistake_is_shown_repaired_and_gone(runner: asyncio.Runner, window: Editor) -> None:
    async def test() -> None:
        wrong = await window.open(BEGUN.replace("<> W Gwynedd", "<> W Gwynet"))
        problem = wrong[0]
        assert problem.code == "notation.region"
        assert problem.code_description == types.CodeDescription(rule("notation.region").link)
        line = window.text.split("\n")[problem.range.start.line]
        assert line[problem.range.start.character : problem.range.end.character] == "Gwynet"
        assert "Did you mean Gwynedd?" in problem.message
        assert [each.severity for each in wrong[1:]] == [types.DiagnosticSeverity.Information] * len(wrong[1:])
        (fix, *_) = await window.actions(problem.range, wrong)
        assert [fix] == (await window.actions(problem.range, wrong, types.CodeActionKind.QuickFix))[:1]
        assert isinstance(fix, types.CodeAction)
        assert fix.edit is not None
        assert fix.edit.changes is not None
        assert list(fix.diagnostics or ()) == [problem]
        window.type(window.with_edits(list(fix.edit.changes[window.uri])))
        assert window.text == BEGUN
        assert await window.problems() == []

    runner.run(test())


def test_a_hint_is_beside_the_problem_where_the_editor_can_show_it() -> None:
    shown = types.PublishDiagnosticsClientCapabilities(related_information=True)
    able = types.ClientCapabilities(text_document=types.TextDocumentClientCapabilities(publish_diagnostics=shown))

    async def test() -> None:
        async with editor(capabilities=able) as window:
            (problem, *_) = await window.open(BEGUN.replace("<> W Gwynedd", "<> W Gwynet"))
            assert "Did you mean" not in problem.message
            assert problem.related_information is not None
            assert problem.related_information[0].message == "Did you mean Gwynedd?"

    asyncio.run(test())


def test_a_move_against_the_rules_is_repaired_with_a_legal_one(runner: asyncio.Runner, window: Editor) -> None:
    async def test() -> None:
        wrong = await window.open(f"{BEGUN}7. Ann Pass; summon S Moray\n")
        assert wrong
        window.type(f"{BEGUN}7. Ann Assemble S Moray, W Devon, E Essex")
        (unfinished,) = await window.problems()
        actions = await window.actions(unfinished.range, [unfinished])
        (fix, *_) = [each for each in actions if isinstance(each, types.CodeAction)]
        assert fix.edit is not None
        assert fix.edit.changes is not None
        window.type(window.with_edits(list(fix.edit.changes[window.uri])))
        assert await window.problems() == []

    runner.run(test())


def test_the_hover_shows_the_rule_and_what_followed(runner: asyncio.Runner, window: Editor) -> None:
    async def test() -> None:
        await window.open(BEGUN)
        card, summons = LINES[FIFTH].index("Manoeuvre"), LINES[FIFTH].index("summon")
        shown = await window.hover(FIFTH, card)
        manoeuvre = rule("second.card.manoeuvre")
        assert manoeuvre.title in shown
        assert manoeuvre.link in shown
        assert "What followed" in shown
        assert rule("second.summon.must").title in await window.hover(FIFTH, summons)
        assert rule("record.turn.hash").link in await window.hover(FIFTH, LINES[FIFTH].index("#") + 2)
        assert await window.hover(0, 3) == ""

    runner.run(test())


def test_cards_then_ways_then_summonses_are_offered(runner: asyncio.Runner, window: Editor) -> None:
    async def test() -> None:
        await window.open(BEGUN)
        cards = await window.offered()
        assert cards[0].label == "7. Ann Pass"
        (assemble,) = [each for each in cards if each.label == "7. Ann Assemble"]
        assert assemble.detail
        assert isinstance(assemble.documentation, types.MarkupContent)
        assert rule("second.card.assemble").link in assemble.documentation.value
        for step in range(8):  # always the last one offered, until the turn is whole
            (*_, chosen) = await window.offered() if step else [assemble]
            assert isinstance(chosen.text_edit, types.TextEdit)
            window.type(window.with_edits([chosen.text_edit]))
            if chosen.kind is types.CompletionItemKind.Value:
                break
        assert "; summon " in window.text
        assert await window.problems() == []

    runner.run(test())


def test_a_turn_out_of_order_gets_no_offers(runner: asyncio.Runner, window: Editor) -> None:
    async def test() -> None:
        await window.open(f"{BEGUN}7. Bob ")
        assert await window.offered() == []
        window.type(f"{BEGUN}7. ann ass s")
        assert {each.label.split()[1] for each in await window.offered()} == {"S"}
        window.type(GAME + "\n")
        assert await window.offered() == []

    runner.run(test())


def test_claim_is_offered_card_by_card(runner: asyncio.Runner, window: Editor) -> None:
    async def test() -> None:
        text = cut(CLAIM, 2)
        await window.open(text)
        record = read_record(text.encode()).record
        assert record is not None
        played = replay(record)
        labels = [each.label for each in await window.offered()]
        assert labels
        for label in labels:
            assert append(played, label.split(maxsplit=2)[2]).problems == []

    runner.run(test())


def test_the_owner_of_a_file_sees_the_own_hand_alone(
    runner: asyncio.Runner, window: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`tkid me` and TKID_ME hold in an editor too; without a known name it shows what a spectator may see."""
    text = cut(CLAIM, 2)

    async def shown(window: Editor, uri: str) -> tuple[str, ...]:
        window.uri = uri
        await window.open(text)
        return (await window.position(0))["svg"], *[each.label for each in await window.offered()]

    async def by_variable() -> tuple[str, ...]:
        async with editor() as alone:
            return await shown(alone, alone.uri)

    seen = []
    for me in ("Ann", "Bob"):
        file = tmp_path / f"{me}.tkid"
        file.write_text(text, "utf-8")
        note_owner(file, me)
        seen.append(runner.run(shown(window, file.as_uri())))
    window.uri = "file:///game.tkid"
    monkeypatch.setenv("TKID_ME", "Nobody")
    seen.append(runner.run(by_variable()))
    pictures = {each[0] for each in seen}
    assert len(pictures) == len(seen)
    assert seen[0][1:] != seen[1][1:]


ADDRESSES = [
    "file:///c%3A/Users/Ann/games/w.tkid",  # VS Code on Windows
    "file:///c%3A/Users/%C3%84nne%20M%C3%BCller/k%C3%B6nig%20%26%20tod.tkid",
    "file:///C:/Users/Ann/w.tkid",  # Neovim on Windows
    "file://wsl%24/Ubuntu/home/ann/w.tkid",
    "file://server/share/my%20game.tkid",
    "file:///home/ann/my%20game%281%29.tkid",  # Emacs and Helix
    "file:///home/ann/my game (1).tkid",
    "file:///home/ann/a%2Bb%2bc%20100%25.tkid",
    "file:///home/ann/a+b.tkid",
    "file:///home/ann/%2525.tkid",
    "file:///home/ann/%23%3f%3B.tkid",
    "file:///home/ann/a;b.tkid",
    "file:///home/ann/käse.tkid",
    "file:///home/ann/%E4.tkid",
    "file:///home/ann/100%.tkid",
    "file:///home/ann/%00.tkid",
    "file:/home/ann/w.tkid",
    "untitled:Untitled-1",
    "untitled:c%3A%5CUsers%5CAnn%5Cw.tkid",
    "vscode-notebook-cell:/c%3A/Users/Ann/my%20games.ipynb#W0sZmlsZQ%3D%3D",
    "vscode-remote://wsl%2Bubuntu/home/ann/w.tkid",
    "vscode-vfs://github/ann/games/a%20b.tkid",
    "git:/c%3A/games/w.tkid?%7B%22path%22%3A%22c%3A%5C%5Cgames%22%2C%22ref%22%3A%22~%22%7D",
    "zipfile:///home/ann/games.zip%3A%3Aw.tkid",
    "",
]
"""How editors write where a file is."""


def test_a_file_may_be_anywhere(runner: asyncio.Runner, window: Editor) -> None:
    """Every address that an editor sends gets all of the answers, under this address."""

    async def test(address: str) -> None:
        window.uri = address
        (problem, *_) = await window.open(BEGUN.replace("<> W Gwynedd", "<> W Gwynet"))
        assert problem.code == "notation.region"
        (fix, *_) = await window.actions(problem.range, [problem])
        assert isinstance(fix, types.CodeAction)
        assert fix.edit is not None
        assert fix.edit.changes is not None
        window.type(window.with_edits(list(fix.edit.changes[address])))
        assert await window.problems() == []
        assert await window.offered()
        assert "What followed" in await window.hover(FIFTH, LINES[FIFTH].index("Manoeuvre"))
        assert (await window.position(FIFTH))["turn"] == 5
        assert await window.format() == []
        assert await window.client.text_document_document_symbol_async(types.DocumentSymbolParams(window.document))

    async def each() -> None:
        for address in ADDRESSES:
            await asyncio.wait_for(test(address), PATIENCE)
        for address in ADDRESSES:
            window.uri, window.version = address, 0
            window.close()
            closed = await asyncio.wait_for(window.published.get(), PATIENCE)
            assert (closed.uri, list(closed.diagnostics)) == (address, [])
            assert await window.offered() == []
        window.uri = "file:///game.tkid"

    runner.run(each())


def test_an_editor_may_write_one_address_in_two_ways(runner: asyncio.Runner, window: Editor) -> None:
    async def test() -> None:
        window.uri = "file:///c%3A/games/w.tkid"
        await window.open(BEGUN)
        window.uri = "file:///c:/games/w.tkid"
        assert await window.offered()
        window.close()
        window.uri = "file:///c%3A/games/w.tkid"
        assert await window.offered() == []
        window.uri = "file:///game.tkid"

    runner.run(test())


@pytest.mark.parametrize("name", ["my game.tkid", "a;b.tkid", "a+b.tkid", "100%.tkid", "k\u00e4se #1?.tkid"])
@pytest.mark.parametrize("safe", ["/", "/;+"], ids=["VS Code", "Emacs"])
def test_the_owner_is_found_under_any_name(
    name: str, safe: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The view of a file is that of the player who owns it, as at the terminal."""
    text = cut(CLAIM, 2)
    file = tmp_path / name
    file.write_text(text, "utf-8")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    note_owner(file, "Bob")
    document = TextDocument("file://" + quote(str(file), safe=safe), text)
    assert find_path(document) == str(file)
    read = read_record(text.encode()).record
    assert read is not None
    played = replay(read)
    assert owners_view(find_path(document), played, played.position) == read.names.index("Bob")


def test_a_file_is_tidied_and_a_wrong_one_is_not(runner: asyncio.Runner, window: Editor) -> None:
    async def test() -> None:
        untidy = f"{BEGUN}7. ann  pass"
        await window.open(untidy)
        edits = await window.format()
        assert edits is not None
        _, played = judge_record(read_record(untidy.encode()))
        assert played is not None
        assert window.with_edits(edits) == write_record(played.record, played)
        window.type(BEGUN)
        assert await window.format() == []
        window.type(f"{BEGUN}7. Ann Nonsense\n")
        assert await window.format() is None
        assert "mistakes" in window.messages[-1]

    runner.run(test())


def test_the_position_is_shown_and_the_turns_are_listed(runner: asyncio.Runner, window: Editor) -> None:
    async def test() -> None:
        await window.open(BEGUN)
        shown = await window.position(FIFTH)
        assert shown["turn"] == 5
        assert shown["svg"].startswith("<svg ")
        assert (await window.position(0))["turn"] == 0
        place = types.Position(FIFTH, 0)
        (command,) = await window.actions(types.Range(place, place), [])
        assert await window.actions(types.Range(place, place), [], types.CodeActionKind.QuickFix) == []
        assert await window.actions(types.Range(place, place), [], types.CodeActionKind.Refactor) == []
        assert isinstance(command, types.Command)
        assert command.arguments is not None
        assert list(command.arguments) == [window.uri, FIFTH]
        listed = await window.client.text_document_document_symbol_async(types.DocumentSymbolParams(window.document))
        assert listed is not None
        assert [each.name for each in listed] == [line.rpartition(" #")[0] for line in LINES if "#" in line]

    runner.run(test())


def test_what_is_no_game_is_said_to_be_none(runner: asyncio.Runner, window: Editor) -> None:
    async def test() -> None:
        (problem,) = await window.open("Dear Bob,\nshall we play?\n")
        assert problem.code == "record.first-line"
        assert await window.offered() == []
        assert await window.hover(1, 2) == ""
        assert await window.position(0) is None
        for text, code in {
            "": "record.first-line",
            "Tkid-Record: 1\nGame: \ud800\n": "record.encoding",
            "Tkid-Record: 1\n" + "x" * 5000: "record.size",
            "Tkid-Record: 1\n" + "# a comment\n" * 1_500_000: "record.size",
        }.items():
            window.type(text)
            (problem, *_) = await window.problems()
            assert problem.code == code

    runner.run(test())


def test_columns_are_counted_as_editors_count(runner: asyncio.Runner, window: Editor) -> None:
    async def test() -> None:
        text = BEGUN.replace("Ann", "Änn 🙂").replace("<> W Gwynedd", "<> W Gwynet")
        (problem, *_) = [each for each in await window.open(text) if each.code == "notation.region"]
        line = text.split("\n")[problem.range.start.line].encode("utf-16-le")
        start, end = 2 * problem.range.start.character, 2 * problem.range.end.character
        assert line[start:end].decode("utf-16-le") == "Gwynet"

    runner.run(test())


def test_the_server_ends_when_its_editor_goes() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "tkid", "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as alone:
        assert alone.stdin is not None
        alone.stdin.close()
        assert alone.wait(PATIENCE) == 0


def test_without_pygls_the_command_says_what_to_install() -> None:
    code = "import sys; sys.modules['pygls'] = None; sys.argv = ['tkid', 'lsp']; from tkid.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "pip install '.[editor]'" in done.stderr
