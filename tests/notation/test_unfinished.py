"""Sentences beside a turn that break off, and lines of a game file."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tkid.notation.judge import Line, _find_unfinished, judge_whole

BROKEN: Sequence[Sequence[str]] = (
    ["Actually"],
    ["Actually ..."],
    ["well actually"],
    ["But"],
    ["Good luck to you! But"],
    ["I like this position, because"],
    ["Actually", "", "Bob"],
    ["Unless"],
    ["However…"],
    ["Nice weather here and"],
    ["Eigentlich"],
    ["Schönes Wetter hier, aber"],
    ["Mais"],
    ["Pero"],
    ["# resigned: Ann 2026-12-01T09:00Z"],
    ["#stand-in: Bob is played by bot Merlin"],
    ["Thanks!", "# host: we move"],
)
WHOLE: Sequence[Sequence[str]] = (
    [],
    ["Thanks!"],
    ["Thanks, and good luck!"],
    ["Good luck, and", "see you tomorrow!"],
    ["Cheers,", "", "Bob"],
    ["Best wishes, Ann & co"],
    ["I like Devon actually."],
    ["Have fun # 1!"],
    ["#tkid is my favourite game"],
    ["Grüezi"],
    ["Well played!"],
    ["Danke und bis bald"],
)


@pytest.mark.parametrize("lines", BROKEN)
def test_what_is_unfinished_is_asked_about(lines: Sequence[str]) -> None:
    """Cites: mail.doubt."""
    turn, said = [Line("Pass", "turn")], [*map(Line, lines), Line("")]
    for above in ((), said) if "#" in lines[-1] else ((),):
        verdict = judge_whole([*above, *turn, *(() if above else said)], ("Ann", "Bob"))
        assert verdict.act == "ask"
        assert verdict.reason.split()[0] in " ".join(lines)


@pytest.mark.parametrize("lines", [["I'd rather not, but..."], ["Ich passe nicht, sondern:", ""], ["And"]])
def test_a_sentence_that_continues_in_the_turn_is_none_of_these(lines: Sequence[str]) -> None:
    assert _find_unfinished([*map(Line, lines), Line("Pass", "turn")]) == ""


@pytest.mark.parametrize("lines", WHOLE)
def test_what_is_whole_is_not_asked_about(lines: Sequence[str]) -> None:
    assert judge_whole([Line("Pass", "turn"), *map(Line, lines)], ("Ann", "Bob")).act != "ask"
