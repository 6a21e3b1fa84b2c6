"""What an edition prints is read and written, and what another prints stands in no message."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.games.struggle.shared.family import struggles
from tests.shared.editions import foreign
from tkid.notation.names import find_people
from tkid.notation.plugin import find_turn_reader
from tkid.orders.order_kinds import OrderWriter, list_forms
from tkid.orders.order_reader import LineReader
from tkid.orders.order_values import find_order_language
from tkid.record.format.new_game import new_record
from tkid.record.play.replay import append, replay
from tkid.rulebook.rulesets import Ruleset, rulesets

NAMES = ("Ann", "Bob")
WRONG_TURNS = [
    *["", "X", "Pass now", "Pass;", "summon", "summon W", "summon W Nowhere", "no summon"],
    *["{c}", "{c} SS", "{c} QQ {r}", "{c} S {r}", "{c} SSSS {r}", "{c} {r} <> {s}", "{c} {r} <> {s}, disc"],
    *["{c} {r} <> {s}, disc {r}", "{c} nothing", "{c} S {r} <> W {s}", "{c} S {r} <> WW {s}", "{c} S {r} <> - {s}"],
    *["{c} S {r} > {s}", "{c} {r} return W place", "{c} {r} place SS return S", "{c} S {r}, W {s}", "{c} Bob: X"],
    *["{c} S", "{c} S <> W {r}", "{c} 9", "{c} 12"],
]
ORDERS = [
    *["pass until", "pass until {r}", "pass until everyone acts", "if", "if {r} is", "if {r} is X: {t}"],
    *["if {r} goes to X: {t}", "if Bob plays X", "if {r} is contested", "if not Bob passes: {t}", "{t}; then"],
    *["draft", "legal X", "notify", "X", "say", "help X", "cancel X", "undo X", "play X", "lead X", "resign X", "away"],
    *["if led X: {t}", "if prize X: {t}"],
]
"""Wrong turns and orders: a card, two regions and a legal turn of the edition stand in them."""

every_ruleset = pytest.mark.parametrize("ruleset", rulesets(), ids=lambda ruleset: ruleset.code)


def messages(ruleset: Ruleset) -> Iterator[str]:
    """What is said of wrong lines in a game, with the ways out; and how orders are written."""
    record = new_record(ruleset.code, NAMES, bytes(32))
    known, turns = replay(record), find_turn_reader(record.game, record.names)
    board = getattr(record.game, "board", None)
    regions = [board.name_region(0), board.name_region(3)] if board else ["Goblin", "Undead"]
    filled = {"r": regions[0], "s": regions[1], "t": find_order_language(record.game).turn}
    for line in WRONG_TURNS:
        for card in turns.cards.names if "{c}" in line else ("",):
            for problem in append(known, line.format(c=card, **filled)).problems:
                yield f"{problem.message}. {problem.hint}"
    reading = LineReader(turns, find_people(record.names, find_order_language(record.game).reserved), 0)
    for line in ORDERS:
        for problem in reading.read_line(line.format(**filled)).problems:
            yield f"{problem.message}. {problem.hint}"
    yield from list_forms(find_order_language(record.game)).values()


@pytest.mark.slow
@every_ruleset
def test_no_message_has_words_that_only_another_edition_prints(ruleset: Ruleset) -> None:
    said = dict.fromkeys(messages(ruleset))
    assert len(said) > 40
    assert {text: found for text in said if (found := foreign(ruleset.code, text))} == {}


@every_ruleset
def test_the_forms_that_are_taught_are_right_in_every_edition(ruleset: Ruleset) -> None:
    turns = find_turn_reader(ruleset.game(), NAMES)
    language = find_order_language(turns.game)
    reading = LineReader(turns, find_people(NAMES, language.reserved), 0)
    for kind, form in list_forms(language).items():
        for line in re.findall(r"`([^`]+)`", form):
            read = reading.read_line(line.replace("NAME", "Bob"))
            assert read.order is not None or line in {"draft", "until the phase ends"}, line
            assert read.kind in {kind, ""}


def orders(ruleset: Ruleset, line: str) -> str:
    """An order as it is written after it was read."""
    turns = find_turn_reader(ruleset.game(), NAMES)
    players = find_people(NAMES, find_order_language(turns.game).reserved)
    read = LineReader(turns, players, 0).read_line(line)
    assert read.order is not None, read.problems
    return OrderWriter(turns, players).write_order(read.order)


@pytest.mark.parametrize("ruleset", struggles(), ids=lambda ruleset: ruleset.code)
def test_a_region_that_nobody_won_is_waited_for_by_any_word_and_written_as_printed(ruleset: Ruleset) -> None:
    board = ruleset.game().board
    name, terms = board.name_region(1), board.terms
    written = f"if {name} is {terms.lost}: Pass"
    said = ["unstable", "is unstable", "becomes unstable", "goes unstable", f"is {terms.lost}", f"becomes {terms.lost}"]
    said += [f"{verb} to the {taker}" for taker in terms.takers for verb in ("goes", "falls", "went")]
    for words in said:
        assert orders(ruleset, f"if {name} {words}: Pass") == written
        assert orders(ruleset, f"if {name} {words} and Bob passes: Pass") == written.replace(":", " and Bob passes:")
    faction = board.factions[1].name
    assert orders(ruleset, f"if {name} is {faction}: Pass") == f"if {name} goes to the {faction}: Pass"
