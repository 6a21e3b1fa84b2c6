"""Colours: they add nothing to the text, mean what they should, can be seen, and let nothing through to the terminal."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.games.claim import shared
from tests.render import test_claim, test_text
from tests.render.seen_by import NO_BLUE, NO_GREEN, NO_RED, contrast, differ, without
from tests.shared.examples import examples
from tests.shared.strategies import GAME, GAMES, NAMES, any_positions
from tkid.games.claim.rules import Position as ClaimPosition
from tkid.games.struggle.rules.board import Position
from tkid.kernel.game import AnyGame, Event
from tkid.render import lines, text
from tkid.render.lines import (
    END,
    FACTIONS,
    HEADING,
    PLAIN,
    TERMINAL,
    WARNING,
    count_columns,
    make_printable,
    mark_text,
    strip_marks,
    wrap_sentence,
)
from tkid.rulebook.rulesets import rulesets

SEQUENCE = re.compile(r"\x1b\[[0-9;]+m")
PIECE = re.compile(r"\x1b\[([0-9;]+)m([^\x1b\n]+)\x1b\[0m")
HOSTILE = (
    "\x1b[31mAnn\x1b[0m",
    f"{WARNING}Bob{END}{HEADING}",
    "C\r\nal\x9b2J\x07",
    "\x1b]0;Dee\x07\u202e\u200b\x00",
)
"""Names that would take over a terminal, or be taken for markup."""


def both(
    game: AnyGame,
    position: Position | ClaimPosition,
    seat: int | None,
    names: Sequence[str],
    last: Sequence[Event] = (),
) -> tuple[str, str]:
    """A position in plain text and in colours."""
    view = game.view(position, seat)
    plain, coloured = (text.draw_position(game, view, names, last, pen) for pen in (PLAIN, TERMINAL))
    return plain, coloured


def check(plain: str, coloured: str) -> None:
    """Without its escape sequences the coloured text is the plain one; each is closed on its line; nothing else is in it."""
    assert SEQUENCE.sub("", coloured) == plain
    assert PIECE.sub(r"\2", coloured) == plain
    assert all(line.isprintable() for line in plain.split("\n"))
    assert not re.search(f"[{lines.MARKS}]", coloured)


# -- nothing but colour is added ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*test_text.CASES, *test_claim.MOMENTS])
def test_a_snapshot_is_the_same_without_its_colours(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "draw_position", partial(text.draw_position, pen=TERMINAL))
    coloured = test_text.CASES[name]() if name in test_text.CASES else test_claim.drawn(name)
    check((test_text.EXPECTED / f"{name}.txt").read_text("utf-8"), coloured)
    assert len(PIECE.findall(coloured)) > 10


def test_every_ruleset_is_among_the_random_positions() -> None:
    assert {game.code.removesuffix("-advanced") for game in (*GAMES.values(), shared.CLAIM)} == {
        ruleset.code.removesuffix("-advanced") for ruleset in rulesets()
    }


names = st.sampled_from((NAMES, test_text.WIDE, HOSTILE))
seats = st.sampled_from((0, 1, None))


@pytest.mark.slow
@examples(60)
@given(any_positions(), names, seats)
def test_any_position_is_the_same_without_its_colours(
    named: tuple[str, Position], names: tuple[str, ...], seat: int | None
) -> None:
    name, position = named
    events = (Event("second.turn.pass", "{0} passes"), Event("second.struggle.tie", "{1} " + "waits " * 20))
    check(*both(GAMES[name], position, seat, names[: len(position.courts)], events))


@examples(40)
@given(shared.positions(), names, seats)
def test_any_position_of_claim_is_the_same_without_its_colours(
    position: ClaimPosition, names: tuple[str, ...], seat: int | None
) -> None:
    check(*both(shared.CLAIM, position, seat, names[:2]))


def test_a_name_cannot_take_over_a_terminal_nor_be_taken_for_a_mark() -> None:
    assert [make_printable(name) for name in HOSTILE] == [
        "?[31mAnn?[0m",
        "?Bob??",
        "C  al?2J?",
        "?]0;Dee????",
    ]


# -- what is coloured ---------------------------------------------------------------------------------------


def pieces(coloured: str, mark: str) -> set[str]:
    """The pieces in the colour of a mark."""
    return {piece for code, piece in PIECE.findall(coloured) if code == TERMINAL.codes[mark]}


def test_what_stands_in_which_colour() -> None:
    position, events = test_text.played(2, test_text.OPENING)
    _, coloured = both(GAME, position, 1, NAMES[:2], events)
    scots, welsh, english = (pieces(coloured, mark) for mark in FACTIONS[:3])
    assert scots == {"S", "7S", "1S", "3S", "2S", "S Scottish", "SCOTTISH", "Scottish"}
    assert welsh == {"W", "WW", "WWW", "WWWW", "1W", "3W", "0W", "W Welsh", "WELSH", "Welsh"}
    assert english == {"E", "EE", "EEE", "5E", "0E", "1E", "E English"}
    heavy = pieces(coloured, HEADING)
    assert {"TRACK", "WHAT HAPPENED", "Bob to play", "Bob", "->", "Devon", ">DEV<", "contested", ">3"} <= heavy
    assert {each[:1] for each in heavy if not re.search(r"\w|[<>]", each)} == {"#"}
    assert pieces(coloured, lines.RULE) == {"[second.card.support]", "[second.summon.must]"}
    assert "Ann" not in heavy


def test_who_won_and_what_nobody_won() -> None:
    position, events = test_text.all_pass(2)
    _, coloured = both(GAME, position, None, NAMES[:2], events)
    assert {"Ann", "Ann is crowned: the Welsh hold three regions", "WINS", "Game over after turn 16"} <= pieces(
        coloured, lines.WINS
    )
    assert pieces(coloured, WARNING) == {"unstable", "Unstable 1 of 3"}


def test_what_is_forbidden_is_marked_over_two_lines() -> None:
    line = (*test_text.OPENING, "Manoeuvre S Lancaster <> W Essex; summon E Gwynedd")
    position, _ = test_text.played(2, line)
    _, coloured = both(GAME, position, None, ("A" * 32, "B" * 32))
    assert len(pieces(coloured, WARNING)) == 2
    assert pieces(coloured, lines.RULE) == {"[second.card.manoeuvre.undo]"}


def test_the_cards_of_claim_stand_in_the_colours_of_their_factions() -> None:
    position, events = test_claim.moment(test_claim.MOMENTS["claim-led"])
    _, coloured = both(shared.CLAIM, position, 0, shared.PLAYERS, events)
    listed = [pieces(coloured, mark) for mark in FACTIONS]
    named = [f"{each}s" for each in ("Goblin", "Knight", "Doppelganger")]
    assert [named[0] in listed[0], named[1] in listed[1], named[2] in listed[4]] == [True] * 3
    assert {"Dwarf 1", "Dwarf 4", "Dwarf 8", "Dwarf 0", "Dwarves"} <= listed[2]
    assert {"Undead 6", "Undead 4", "Undead"} <= listed[3]


def test_marks_take_no_column_and_are_carried_over_a_break() -> None:
    told = f"so {mark_text(WARNING, 'many words that go on')} 李"
    assert (count_columns(told), strip_marks(told)) == (27, "so many words that go on 李")
    assert TERMINAL("\n".join(wrap_sentence(told, 16))) == (
        "so \x1b[1;4mmany words\x1b[0m\n    \x1b[1;4mthat go on\x1b[0m\n    李"
    )
    assert PLAIN(told) == strip_marks(told)
    assert lines.get_faction_mark(0) == lines.get_faction_mark(len(FACTIONS))


# -- the colours can be seen --------------------------------------------------------------------------------

LEVELS = (0, 95, 135, 175, 215, 255)
EYES: dict[str, Callable[[str], str]] = {
    "all cones": str,
    "no red": partial(without, NO_RED),
    "no green": partial(without, NO_GREEN),
    "no blue": partial(without, NO_BLUE),
}
COLOURED = [mark for mark, code in TERMINAL.codes.items() if "38;5;" in code]


def colour(mark: str) -> str:
    """The colour of a mark, of the 256."""
    code = int(TERMINAL.codes[mark].rpartition("38;5;")[2])
    parts = [8 + 10 * (code - 232)] * 3 if code >= 232 else [LEVELS[(code - 16) // step % 6] for step in (36, 6, 1)]
    return "#" + "".join(f"{part:02x}" for part in parts)


@pytest.mark.parametrize("mark", COLOURED, ids=ascii)
def test_a_colour_is_legible_on_black_and_on_white(mark: str) -> None:
    assert min(contrast(colour(mark), ground) for ground in ("#000", "#fff")) >= 3


@pytest.mark.parametrize("eyes", EYES)
def test_factions_are_told_apart_by_all_eyes(eyes: str) -> None:
    """From 20 on at a glance; the four of one board are farther apart still."""
    seen = [EYES[eyes](colour(mark)) for mark in FACTIONS]
    assert min(differ(one, other) for one, other in combinations(seen[:4], 2)) > 40
    assert min(differ(one, other) for one, other in combinations(seen, 2)) > 20
