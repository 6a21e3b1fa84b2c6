"""None of the sources' wording is copied: no run of eight words of ours has the fingerprint of one of theirs."""

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from tests.games.struggle.shared.family import struggles
from tests.makers.wording import DIGITS, FINGERPRINTS, PLANTED, RUN, fingerprint, made, runs, undressed, words
from tkid.rulebook import all_rules

ROOT = Path(__file__).parents[1]
THEIRS = frozenset(FINGERPRINTS.read_text("ascii").split())
GAMES = [ruleset.game() for ruleset in struggles()]
NAMES = {
    word
    for game in GAMES
    for name in (*game.cards, *(place.name for place in game.board.regions), *(f.name for f in game.board.factions))
    for word in words(name)
} | {"and", "two", "of", "copies"}
"""Names of cards, regions and factions, and what joins a list of them: such a list reads alike everywhere."""


def copied(text: str) -> list[str]:
    """The runs of a text, as it stands or undressed, that stand in the sources too, but for lists of names."""
    every = {*runs(text), *runs(undressed(text))}
    return [" ".join(run) for run in every if not NAMES.issuperset(run) and fingerprint(run) in THEIRS]


@cache
def ours() -> dict[str, str]:
    """Every text of ours, by where it stands; making them takes seconds."""
    return dict(texts())


def texts() -> Iterator[tuple[str, str]]:
    """Every text of ours, by where it stands: written pages and templates; the register; what the program says."""
    for path in (
        ROOT / "README.md",
        *ROOT.glob("docs/**/*.md"),
        *ROOT.glob("docs/templates/**/*.html"),
        *ROOT.glob("fixtures/**/*.md"),
    ):
        yield str(path.relative_to(ROOT)), path.read_text("utf-8")
    for entry in all_rules():
        asked = (part for pair in entry.asks for part in pair)
        for text in (
            entry.title,
            entry.short,
            entry.statement,
            entry.why,
            entry.means,
            *asked,
            entry.question,
            entry.reason,
        ):
            yield entry.id, text
        for text in entry.options.values():
            yield entry.id, text
    for folder in ("tkid", "grammar", "fixtures/conformance"):
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in {".py", ".toml", ".lark", ".json"}:
                yield str(path.relative_to(ROOT)), path.read_text("utf-8")


@pytest.mark.guard
def test_no_wording_of_the_sources_is_copied() -> None:
    found = {f"{where}: {run}" for where, text in ours().items() for run in copied(text)}
    assert not found, "say it in our own words"


@pytest.mark.slow
def test_every_text_is_looked_at() -> None:
    assert {
        "README.md",
        "docs/about.md",
        "docs/templates/card.html",
        "tkid/games/struggle/rulesets/second.toml",
    } <= ours().keys()
    assert {entry.id for entry in all_rules()} <= ours().keys()
    assert sum(len(words(text)) for text in ours().values()) > 50_000


# -- the test itself --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        PLANTED,
        f"Nothing here. {PLANTED} Nothing there.",
        PLANTED.upper(),
        PLANTED.replace(" ", "\n> "),
        PLANTED.replace("walrus", "**walrus**").replace("ninety", "[ninety](rules/index.md#walrus)"),
        PLANTED.replace("slippers", "<em>slippers</em>").replace("before", "<!-- aside -->bef&#111;re"),
        " ".join(PLANTED.split()[2 : 2 + RUN]),
    ],
)
def test_a_copy_is_found_however_it_is_dressed(text: str) -> None:
    assert copied(text)


def test_seven_words_are_no_copy() -> None:
    planted = PLANTED.split()
    for start in range(len(planted)):
        assert not copied(" ".join(planted[start : start + RUN - 1]))
    assert not copied(" ".join(reversed(planted)))


def test_a_list_of_names_is_no_copy_and_a_sentence_with_names_may_be_one() -> None:
    hand = re.findall(r"\w+", ", ".join(GAMES[0].hands.same))
    assert NAMES.issuperset(word.lower() for word in hand)
    assert not copied(" ".join(hand))
    listed = ("scottish", "welsh", "english", "moray", "gwynedd", "essex", "lancaster")
    assert NAMES.issuperset(listed)
    assert not NAMES.issuperset((*listed, "follower"))


def test_the_fingerprints_are_as_they_are_made() -> None:
    lines = FINGERPRINTS.read_text("ascii").splitlines()
    assert all(before < after for before, after in pairwise(lines))
    assert all(re.fullmatch(rf"[0-9a-f]{{{DIGITS}}}", line) for line in lines)
    assert set(made([]).decode().split()) < THEIRS
    assert len(lines) > 8_000


def test_words_are_letters_in_lower_case() -> None:
    text = "Ann's Doppelgänger_2: *face-up*, [here](x/y.md) &amp; <b>there</b>"
    assert words(undressed(text)) == ["anns", "doppelganger", "face", "up", "here", "there"]
