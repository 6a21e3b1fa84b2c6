"""Replies as real mail programs send them: each ends as the turn that its writer meant, or as the rule it breaks."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.mail.mails import EXPECTED, FOLDER, game, outcome
from tests.makers.mails import cases, table
from tests.shared.tables import each_row

MAILS = sorted(name for name, each in EXPECTED.items() if "turn" in each or "rule" in each)
"""The mails that give a turn, or are refused; what others ask for is in test_replies.py."""
PROGRAMS = (
    {"gmail-web"},
    {"gmail-app"},
    {"outlook-desktop", "outlook-word"},
    {"outlook-web"},
    {"apple-mail"},
    {"ios"},
    {"thunderbird"},
    {"mutt"},
    {"k9"},
    {"yahoo"},
    {"protonmail", "protonmail-app"},
)
LEAST = {
    "language": dict.fromkeys(("en", "de", "fr", "es", "it", "nl", "pl", "ru", "ja", "zh"), 10) | {"tw": 3},
    "encoding": {"7bit": 10, "8bit": 10, "qp": 30, "base64": 30},
    "position": {"top": 50, "bottom": 20, "interleaved": 20},
}
"""How many made mails there have to be at least."""


@each_row("name", MAILS)
def test_a_reply_is_understood(name: str) -> None:
    expected = EXPECTED[name]
    assert outcome((FOLDER / name).read_bytes(), game(expected["game"])) == (expected.get("turn") or expected["rule"])


def test_every_mail_has_its_expectation() -> None:
    assert {path.name for path in FOLDER.glob("*.eml")} == set(EXPECTED)


def test_the_made_mails_are_those_of_the_table() -> None:
    assert [case.name for case in cases()] == [name for name in EXPECTED if "client" in EXPECTED[name]]


def test_every_mail_program_is_there_in_its_forms() -> None:
    """The table is told (`pytest -rP`)."""
    print(table(EXPECTED))  # noqa: T201
    made = [each for each in EXPECTED.values() if "client" in each]
    for programs in PROGRAMS:
        languages = {each["language"] for each in made if each["client"] in programs}
        assert len(languages) >= 6, programs
    for kind, least in LEAST.items():
        counts = Counter(each[kind] for each in made)
        assert counts.keys() >= least.keys()
        assert all(counts[value] >= number for value, number in least.items()), (kind, counts)
    advanced = sum(game(each["game"]).record.game.secret for each in made)
    assert len(made) / 4 <= advanced <= len(made) / 2


@pytest.mark.slow
@each_row("name", MAILS, parts=3, sampled=True)
def test_other_line_ends_change_nothing(name: str) -> None:
    expected = EXPECTED[name]
    data = (FOLDER / name).read_bytes().replace(b"\r\n", b"\n")
    for eol in (b"\n", b"\r\n"):
        wanted = expected.get("turn") or expected["rule"]
        assert outcome(data.replace(b"\n", eol), game(expected["game"])) == wanted
