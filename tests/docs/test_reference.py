"""The reference joins register, pages, code, tests and games; its examples, charts and tables are those of the engine."""

from __future__ import annotations

import re
import sys
import tomllib
from html import escape, unescape
from types import CodeType, FrameType

import pytest
from attrs import evolve

from docs.making import chapters
from docs.making.card_pages import card_page, groups
from docs.making.cards import cards, identity, shown_on, title
from docs.making.code import enforced, in_tests
from docs.making.comparison import only_in, rows
from docs.making.comparison_pages import columns, comparison_pages, facts, topics
from docs.making.decisions import decisions
from docs.making.drawn import DRAWINGS, NAMES, drawing, drawn
from docs.making.endings import chart, endings, list_steps
from docs.making.examples import TOLD, asked_move, citing, situation, suite, written
from docs.making.games import games
from docs.making.html import answer as bold
from docs.making.html import html
from docs.making.ledger import groups as ruling_groups
from docs.making.ledger import ledger
from docs.making.pages import fill_page
from docs.making.words import prose
from tests.docs.site import ROOT
from tests.games.struggle.shared.family import struggles
from tests.shared.tables import each_row
from tests.test_traceability import NOT_CITED, cited
from tkid.games.struggle.notation.turn_reader import TurnReader
from tkid.games.struggle.render.description import describe_position
from tkid.games.struggle.rules.board import View
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.moves import Play
from tkid.games.struggle.rulesets.digest import EXTRA
from tkid.kernel.ladder import Ladder
from tkid.notation.plugin import find_turn_reader
from tkid.notation.positions import read_position
from tkid.record.format.reader import read_record
from tkid.record.json.conformance import Case, answer, find_differences
from tkid.record.play.replay import replay
from tkid.rulebook import all_rules, rule
from tkid.rulebook.register import CITATIONS, is_known_rule, list_in_force, read_register_text
from tkid.rulebook.rulesets import Ruleset, find_stated_rules, rulesets

RULES = {entry.id: entry for entry in all_rules()}
CASES = suite().cases
LIGHT = 60_000
"""Bytes: how heavy the page of a card may be."""
each_struggle = pytest.mark.parametrize("ruleset", struggles(), ids=lambda ruleset: ruleset.code)
each_case = each_row("case", CASES, ids=lambda case: case.number)


# -- register, pages, code --------------------------------------------------------------------------------


@pytest.mark.guard
def test_register_and_code_name_the_same_ids() -> None:
    assert {text for text in cited() if text in RULES} | set(NOT_CITED) == set(RULES)


@pytest.mark.slow
def test_the_code_of_every_cited_rule_is_found() -> None:
    assert set(RULES) - set(enforced()) == set(NOT_CITED)


@pytest.mark.slow
def test_the_code_that_is_shown_is_there() -> None:
    for found in (enforced(), in_tests()):
        for places in found.values():
            for place in places:
                lines = (ROOT / place.path).read_text("utf-8").splitlines()
                assert place.line <= len(lines)
                name = place.name.rpartition(".")[2]
                assert not name or re.search(rf"\b(def|class) {name}\b", "\n".join(lines)), place


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rule_id", "path", "name"),
    [
        ("second.struggle.tie", "tkid/games/struggle/rules/struggles.py", "find_struggle_outcome"),  # named in full
        (
            "second.card.quell.near",
            "tkid/games/struggle/rules/card.py",
            "CardFactory.require_near",
        ),  # put together of two parts
        ("second.turn.once", "tkid/games/struggle/rules/game.py", "Struggle._play_card"),  # cited
        ("mail.stale", "tkid/mail/order_machine.py", "_refuse_late"),  # by a name for it
    ],
)
def test_code_is_found_however_it_names_a_rule(rule_id: str, path: str, name: str) -> None:
    assert (path, name) in {(place.path, place.name) for place in enforced()[rule_id]}


@pytest.mark.slow
def test_every_procedure_and_ending_is_carried_out_in_a_recorded_game() -> None:
    played = {each.rule_prefix for each in rulesets()}
    carried_out = at_work() | decisions().keys()
    for entry in RULES.values():
        if entry.kind in {"procedure", "ending"} and entry.prefix in played:
            assert entry.id in carried_out, entry.id


def at_work() -> set[str]:
    """The rules that are named by functions which run while the recorded games are played through."""
    ran: dict[str, set[CodeType]] = {}

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code in CITATIONS:
            ran[prefix].add(frame.f_code)

    before = sys.getprofile()
    for played in games():
        prefix = played.record.ruleset.rule_prefix
        ran.setdefault(prefix, set())
        sys.setprofile(note)
        try:
            record = read_record((ROOT / played.path).read_bytes()).record
            assert record is not None
            replay(record)
        finally:
            sys.setprofile(before)
    whole = {text for codes in ran.values() for code in codes for text in CITATIONS[code] if is_known_rule(text)}
    return whole | {
        list_in_force(prefix)[text].id
        for prefix, codes in ran.items()
        for code in codes
        for text in CITATIONS[code]
        if text in list_in_force(prefix)
    }


# -- examples ---------------------------------------------------------------------------------------------


@each_case
def test_an_example_is_answered_as_it_is_told(case: Case) -> None:
    assert not list(find_differences(case, answer(case.make_question())))
    told = list(TOLD[case.question["ask"]](case, "conformance/1.A/index.html"))
    assert told
    if case.question["ask"] == "legal":
        assert all(("is allowed" in line) == case.expected["legal"] for line in told)
        for rule_id in case.expected.get("rules", ()):
            assert any(f"[{rule_id}]" in line for line in told)


@each_row("case", lambda: [case for case in CASES if situation(case.number)], ids=lambda case: case.number)
def test_the_moves_of_an_example_can_be_read(case: Case) -> None:
    its = situation(case.number)
    assert its is not None
    read = find_turn_reader(its.game, NAMES[: len(its.position.seats)])
    typed = [text.split("`")[1] for text, _ in its.played]
    move = asked_move(case) if case.question["ask"] == "legal" else None
    typed += [written(its.game, move)] if move and "summon" not in case.question["move"]["move"] else []
    for text in typed:
        unwritten = isinstance(its.game, Struggle) and not named_cards(its.game, text)
        if not text.startswith(("summon ", "no summon")) and not unwritten:
            assert read.read_turn(text).moves, text
            assert not read.read_turn(text).problems, text


def named_cards(game: Struggle, text: str) -> bool:
    """Whether a turn is one that this game's notation has: a pass, or one of its cards."""
    return text == "Pass" or any(text.startswith(f"{card} ") for card in game.cards)


@pytest.mark.slow
def test_the_simplest_example_comes_first() -> None:
    for rule_id in RULES:
        found = citing(rule_id)
        weights = [list(case.rules).index(rule_id) for case in found]
        assert weights == sorted(weights)
        assert all(case in CASES for case in found)


def test_most_rules_of_play_have_an_example() -> None:
    """The conformance suite lists those that no case can be about, with the reason."""
    from tests.test_conformance import NOT_TOUCHED  # noqa: PLC0415 - reading it takes a while

    played = {each.rule_prefix for each in rulesets()}
    without = {entry.id for entry in RULES.values() if entry.prefix in played and not citing(entry.id)}
    assert without == set(NOT_TOUCHED)


def test_a_position_is_told_in_words() -> None:
    its = situation("3.A.01")
    assert its
    label = re.findall(r"!\[([^\]]*)\]", drawn(its.game, its.start, "index.md"))
    assert label == [describe_position(its.game, View(None, its.start), NAMES[:2])]
    assert label[0].startswith(
        "Turn 1: it is Ann's turn to play. Moray is contested. As it stands, the Scots win Moray."
    )


@pytest.mark.slow
def test_every_picture_has_its_description() -> None:
    shown = [
        (name, *picture)
        for name in cards()
        for picture in re.findall(r'<img src="../../([^"]+)" width="\d+" height="\d+" alt="([^"]*)"', card_page(name))
    ]
    assert {path for _, path, _ in shown} <= DRAWINGS.keys()
    assert all(label.endswith(".") for _, _, label in shown)
    assert {name for name, *_ in shown} == {*cards()}
    assert len(shown) > 100


@pytest.mark.slow
def test_a_picture_is_of_the_position_whose_line_stands_below() -> None:
    """All that is drawn, but for the number of the turn, which a line does not tell."""
    names = [path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")]
    texts = [fill_page((ROOT / "docs" / name).read_text("utf-8"), name) for name in names]
    below = re.compile(
        r"\((?:\.\./)?(\S+)\)\{: \.board [^\n]*\n\n<details class=\"line\".*?```text\n(.*?)\n```", re.DOTALL
    )
    found = {path: line for text in texts for path, line in below.findall(text)}
    assert found
    for path, line in found.items():
        game, position = read_position(line)
        again, *_ = drawing(game, position)
        assert pieces(DRAWINGS[again]) == pieces(DRAWINGS[path]), line


def pieces(svg: str) -> list[str]:
    """The parts of a drawing but for its head."""
    return [part for part in svg.splitlines()[1:] if 'data-part="head"' not in part]


# -- cards ------------------------------------------------------------------------------------------------


@pytest.mark.slow
@each_struggle
def test_every_card_has_a_page(ruleset: Ruleset) -> None:
    game = ruleset.game()
    for name, card in game.cards.items():
        text = card_page(title(game, card))
        assert name in text
        assert str(html(rule(card.rule).statement)) in text
        assert f'href="../../{rule(card.rule).path}"' in text
        for entry in RULES.values():
            if entry.id.startswith(f"{card.rule}."):
                assert str(html(entry.statement)) in text, entry.id
                assert f'href="../../{entry.path}"' in text, entry.id
        assert all(str(html(question)) in text for question, _ in rule(card.rule).asks)
    assert len(card_page(title(game, card)).encode()) < LIGHT


@pytest.mark.slow
@each_struggle
def test_every_card_is_on_the_list(ruleset: Ruleset) -> None:
    game = ruleset.game()
    listed = {(name, page) for *_, new, again in groups() for name, page, *_ in (*new, *again)}
    assert {(name, title(game, card)) for name, card in game.cards.items()} <= listed
    assert [place for place, *_ in groups()] == ["second", "advanced", "first", "digest", "manual"]


@pytest.mark.slow
@each_struggle
def test_every_step_of_every_ladder_has_an_example_that_can_be_played(ruleset: Ruleset) -> None:
    steps_seen = 0
    game = ruleset.game()
    for name, card in game.cards.items():
        if not isinstance(card.ladder, Ladder):
            continue
        for number in range(len(card.ladder.tiers) + 1):
            found = shown_on(identity(game, card), number)
            assert found, f"{name} is shown on step {number + 1} nowhere"
            shown_as = next(c for c in found.game.cards.values() if identity(found.game, c) == identity(game, card))
            ladder = shown_as.ladder
            assert isinstance(ladder, Ladder)
            assert ladder.find_tier(found.position)[0] == number
            (move,) = TurnReader(found.game, NAMES[: len(found.position.courts)]).read_turn(found.move).moves
            assert isinstance(move, Play)
            its = card.canonical(found.position, move.resolution)
            assert ladder.is_legal(found.position, its), found.move
            assert f'data-copy="{escape(found.move)}"' in card_page(title(game, card))
            assert found.game.words.write_move(Play(shown_as.name, its)) == found.move
            steps_seen += 1
    assert steps_seen > 10


# -- endings ----------------------------------------------------------------------------------------------


@each_struggle
def test_a_list_of_steps_has_exactly_the_steps_of_the_chain(ruleset: Ruleset) -> None:
    for option in [{}, *({switch: other} for switch in ruleset.switches for other in rule(switch).options)]:
        game = ruleset.game(option)
        for ending in (game.coronation, game.invasion):
            drawn = chart(ending, "chapters/endings.md")
            asked = ending.chain
            boxes = re.findall(r'<li><b><a href="\.\./\.\./([^"]+)/">(.+?)</a></b>(.*)</li>', drawn)
            assert [unescape(label) for _, label, _ in boxes] == [comparison.label for comparison in asked]
            assert [path for path, *_ in boxes] == [rule(comparison.rule).path.rstrip("/") for comparison in asked]
            assert [step.rule for step in list_steps(ending)] == [comparison.rule for comparison in asked]
            for (_, _, rest), step in zip(boxes, list_steps(ending), strict=True):
                assert ("Only if" in rest) == bool(step.when)
                assert ("One left: the winner" in rest) == step.compares


def test_every_step_is_on_the_page_and_every_other_reading_that_changes_one() -> None:
    text = endings("chapters/endings.md")
    for ruleset in struggles():
        for ending in (ruleset.game().coronation, ruleset.game().invasion):
            assert chart(ending, "chapters/endings.md") in text
    for switch, option in (("second.ruling.final-tie", "last-card"), ("second.ruling.second-rank", "none-ranked")):
        assert f"If you choose `{option}` ([{switch}]" in text
    for edition in ("Second edition, Digest (basic game)", "Advanced game, Digest (advanced game)"):
        assert f"### Coronation: {edition} " in text


# -- rulesets side by side --------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_comparison_names_every_switch_card_and_ruleset() -> None:
    text = dict(comparison_pages())["comparison/index.html"]
    for ruleset in rulesets():
        assert f"<code>{ruleset.code}</code>" in text
    for ruleset in struggles():
        assert f'data-code="{ruleset.code}"' in text
        for switch in ruleset.switches:
            assert f">{switch}</a>" in text
        for card in ruleset.game().cards:
            assert f"{card}: " in text


def test_what_differs_stands_under_what_differs() -> None:
    assert [line.title for line in facts(differing=True)] == [row.title for row in rows() if row.differs]
    assert [line.title for line in facts(differing=False)] == [row.title for row in rows() if not row.differs]


def test_rules_on_the_same_matter_are_side_by_side() -> None:
    """Each text once: the other columns name the one that has it."""
    codes = [code for code, *_ in columns()]
    line = next(each for each in topics() if each.title == RULES["second.struggle.tie"].title)
    by_code = dict(zip(codes, line.cells, strict=True))
    assert [entry.id for entry in by_code["second-edition"].rules] == ["second.struggle.tie"]
    assert codes[by_code["second-edition-advanced"].column] == "second-edition"
    assert [entry.id for entry in by_code["first-edition"].rules] == ["first.struggle.tie"]
    assert all(cell.lines or cell.column >= 0 for each in topics() for cell in each.cells)


def test_a_difference_is_found_by_itself() -> None:
    hands = next(row for row in rows() if row.title == "Cards that everybody holds")
    assert hands.differs
    first = next(iter(hands.cells.values()))
    assert not evolve(hands, cells=dict.fromkeys(hands.cells, first)).differs


def test_rules_of_one_ruleset_alone_are_known() -> None:
    advanced = ["second-edition-advanced", "digest-advanced"]
    assert [ruleset.code for ruleset in only_in(RULES["second.card.spy"])] == advanced
    assert [ruleset.code for ruleset in only_in(RULES["second.setup.hands"])] == ["second-edition"]
    assert not only_in(RULES["second.card.assemble"])
    for ruleset in rulesets():
        assert find_stated_rules(ruleset.code) <= set(RULES)
        assert find_stated_rules(ruleset.code) >= set(ruleset.switches)


@pytest.mark.slow
def test_the_cards_that_no_other_source_knows_say_so_on_their_pages() -> None:
    for name in EXTRA:
        assert "<b>How sure we are:</b> known from the digest only." in card_page(name)


# -- chapters and the ledger ------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_chapters_hold_every_rule_of_play() -> None:
    """Cards have pages of their own; a rule is stated nowhere else than in the register."""
    text = "".join(
        fill_page(path.read_text("utf-8"), f"chapters/{path.name}")
        for path in (ROOT / "docs" / "chapters").glob("*.md")
    )
    of_cards = "".join(map(card_page, cards()))
    for entry in RULES.values():
        if entry.prefix == "second" and not entry.moved:
            assert prose(entry.statement) in text or str(html(entry.statement)) in of_cards, entry.id
            assert f"](../{entry.path}index.html)" in text or f'"../../{entry.path}"' in of_cards, entry.id


@pytest.mark.slow
def test_the_ledger_says_all_of_every_ruling() -> None:
    for entry in RULES.values():
        if entry.kind == "ruling" and not entry.moved:
            others = entry.options.values() if len(entry.options) > 1 else ()
            for said in (entry.question, entry.reason, *others):
                assert str(html(said)) in ledger(), entry.id
            assert str(html(entry.statement) if entry.short else bold(entry.statement)) in ledger(), entry.id
            for option in entry.options:
                assert (f"<code>Ruling: {entry.id} {option}</code>" in ledger()) == (option != entry.default)
    assert [group.title for group in ruling_groups()][:2] == ["Second edition", "First edition"]


@pytest.mark.slow
def test_what_a_written_page_asks_for_is_there() -> None:
    for path in (ROOT / "docs").rglob("*.md"):
        assert re.findall(r"<!-- [a-z ]+(?::.*?)? -->", fill_page(path.read_text("utf-8"), path.name)) == [], path


def test_the_positions_of_pages_are_read_and_used() -> None:
    named = tomllib.loads(chapters.POSITIONS.read_text("utf-8"))
    written_pages = "".join(path.read_text("utf-8") for path in (ROOT / "docs").rglob("*.md"))
    start = (ROOT / "docs" / "making" / "start.py").read_text("utf-8")
    for name in named:
        chapters.position(name)
        assert f"<!-- position: {name} -->" in written_pages or f'position("{name}")' in start


def test_a_turn_on_a_page_has_to_be_legal_and_canonical() -> None:
    with pytest.raises(ValueError, match="is to be written 'Pass'"):
        chapters.turns("ten-minutes / pass", "ten-minutes.md")
    with pytest.raises(ValueError, match=r"second\.summon"):
        chapters.turns("ten-minutes / Assemble S Moray, W Devon, E Warwick; summon S Essex", "ten-minutes.md")


def test_the_commands_on_the_page_about_game_files_exist() -> None:
    from tests.cli import tkid  # noqa: PLC0415 - for this test only

    commands = re.findall(r"`tkid (\w[\w-]*) ", (ROOT / "docs" / "game-file.md").read_text("utf-8"))
    assert len(commands) >= 5
    for command in commands:
        assert tkid(command, "--help").exit_code == 0, command


# -- the register's sections ------------------------------------------------------------------------------


def test_the_sections_that_pages_name_are_there() -> None:
    text = read_register_text("second")
    titles = re.findall(r"^# -- (.+?) -+$", text, re.MULTILINE)
    asked = {
        which
        for path in (ROOT / "docs" / "chapters").glob("*.md")
        for which in re.findall(r"<!-- rules: second / (.+?) -->", path.read_text("utf-8"))
    }
    assert asked == set(titles) - {"The cards"}, "the cards have pages of their own"
    with pytest.raises(LookupError, match="no section"):
        chapters.rules_of("second / the weather", "")
