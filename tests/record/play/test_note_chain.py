"""Lines about the game in the chain of hashes: each kind added, removed, changed and moved, and what notices it."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from random import Random

import pytest
from hypothesis import given

from tests.shared.examples import examples
from tests.shared.strategies import record_of, seeds
from tkid.club.desk_changes import admit_game, list_earlier_notes
from tkid.mail.blocks import format_plain
from tkid.mail.timeline import judge_file
from tkid.record.clock_notes import (
    Adjourned,
    Announced,
    At,
    Away,
    Back,
    Deadline,
    Ended,
    Extended,
    Line,
    Marked,
    Moved,
    Paused,
    Resigned,
    Resumed,
    StandIn,
)
from tkid.record.copies import Kind, compare_copies, find_resignations, make_shared_copy
from tkid.record.format.reader import read_record
from tkid.record.play import writer
from tkid.record.play.replay import Replay, append, replay
from tkid.record.play.validation import find_impact, judge_record
from tkid.record.play.writer import write_record
from tkid.record.proof import add_revealed_hands, list_uncovered, prove, report_needless_marks

T = datetime(2026, 12, 1, 9, tzinfo=UTC)
HOUR = timedelta(hours=1)
HEAD = """\
Tkid-Record: 1
Ruleset: second-edition
Seat: Ann <ann@example.org>
Seat: Bob <bob@example.org>
Seat: Cal <cal@example.org>

Setup
"""
HASH = re.compile(r" #([0-9a-f]{6})$", re.MULTILINE)
OLD = re.compile(r"^(# .*) #[0-9a-f]{6}$", re.MULTILINE)

LINES: dict[str, tuple[Line, Line]] = {
    "resigned": (Resigned(2, T), Resigned(1, T)),
    "back": (Back(2, T), Back(1, T)),
    "away": (Away(2, date(2026, 12, 20), date(2026, 12, 28), T), Away(2, date(2026, 12, 20), date(2026, 12, 29), T)),
    "stand-in": (StandIn(2, "Dee", T, "dee@example.org"), StandIn(2, "Eve", T, "dee@example.org")),
    "stand-in bot": (StandIn(2, "Merlin", T, bot=True), StandIn(2, "Merlin", T, bot=True, player="search")),
    "adjourned": (Adjourned(T), Adjourned(T + HOUR)),
    "resumed": (Resumed(T), Resumed(T + HOUR)),
    "draw": (Ended("draw", T, (0, 1, 2)), Ended("abandoned", T, (0, 1, 2))),
    "aborted": (Ended("aborted", T, reason="all left"), Ended("aborted", T + HOUR, reason="all left")),
    "paused": (Paused(T, reason="a move"), Paused(T + HOUR, reason="a move")),
    "paused until": (Paused(T, date(2026, 12, 20), (0, 1, 2)), Paused(T, date(2026, 12, 21), (0, 1, 2))),
    "extended": (Extended(0, T, 48 * HOUR, "a train"), Extended(0, T, 72 * HOUR, "a train")),
    "deadline": (Deadline(0, T, T + 9 * HOUR), Deadline(0, T, T + 10 * HOUR)),
    "moved": (Moved(2, T, "new@example.org"), Moved(1, T, "new@example.org")),
    "undone": (Marked(3, "undone: Ann, Bob, Cal agreed at 2026-12-01T09:00Z"),) * 2,
    "undone by the host": (Marked(3, "undone by the host at 2026-12-01T09:00Z: a slip"),) * 2,
}
"""A line of each kind, and the same with something changed; marks are made by taking a turn back."""
KINDS = list(LINES)
ENDS = ("draw", "aborted")
"""Lines that end the game: no turn may follow."""


def read(text: str) -> Replay:
    """A file without problems."""
    problems, played = judge_record(read_record(text.encode()))
    assert problems == []
    assert played is not None
    return played


def text_of(played: Replay) -> str:
    return write_record(played.record, played)


def game(turns: int = 3) -> Replay:
    """A game of three that Ann begins, with so many passes."""
    dealt = write_record(record_of(Random(7), 3)).partition("Setup\n")[2].partition("Turns\n")[0]
    dealt = re.sub(r"^First .*$", "First        Ann", dealt, flags=re.MULTILINE)
    at = read(f"{HEAD}{dealt}Turns\n")
    for _ in range(turns):
        at = append(at, "Pass")
    return at


def said(kind: str) -> Replay:
    """A game in which a line of some kind was written after the third turn."""
    if kind == "undone":
        return writer.take_back_turn(game(), (0, 1, 2), T)
    if kind == "undone by the host":
        return writer.take_back_by_host(game(), T, "a slip")
    return writer.add_comments(game(), LINES[kind][0])


def row(text: str) -> str:
    """The line about the game in a file."""
    return next(line for line in text.splitlines() if line.startswith("# "))


def moved(text: str) -> str:
    """A file whose line about the game stands before the turn above it."""
    lines = text.splitlines()
    at = lines.index(row(text))
    above = max(index for index in range(at) if re.match(r"\d+\.", lines[index]))
    lines.insert(above, lines.pop(at))
    return "".join(f"{line}\n" for line in lines)


def changed(text: str, kind: str) -> str:
    """A file in which the line about the game, or the mark of the turn, says something else."""
    if kind.startswith("undone"):
        return text.replace("2026-12-01T09:00Z", "2026-12-01T10:00Z", 1)
    other = HASH.sub("", row(text_of(writer.add_comments(game(), LINES[kind][1]))))
    return text.replace(HASH.sub("", row(text)), other)


def removed(text: str) -> str:
    """A file without its line about the game."""
    return text.replace(f"{row(text)}\n", "")


def wrong(text: str) -> set[str]:
    """The rules of the integrity problems that `tkid check` finds in a file."""
    problems, _ = judge_file(read_record(text.encode()))
    return {problem.rule for problem in problems if problem.kind.value == "integrity"}


CHAIN = {"record.note.hash", "record.turn.hash", "record.note.marked"}


@pytest.mark.parametrize("kind", KINDS)
def test_a_line_is_written_with_its_hash_and_read_again(kind: str) -> None:
    at = said(kind)
    text = text_of(at)
    assert HASH.search(row(text)), row(text)
    assert text_of(read(text)) == text
    assert list_uncovered(read(text).record) == []
    after = append(read(text), "Pass")
    if kind in ENDS:
        assert [problem.rule for problem in after.problems] == ["record.turn.over"]
        return
    assert text_of(read(text_of(after))) == text_of(after)
    assert after.last.hash == append(at, "Pass").last.hash
    assert text_of(read(HASH.sub("", text_of(after)))) == text_of(after)  # the hashes may be left out
    assert text_of(make_shared_copy(read(text_of(after)))) == text_of(after)


@pytest.mark.parametrize("kind", KINDS)
def test_the_last_hash_tells_of_a_line_at_the_end(kind: str) -> None:
    before, text = text_of(game()), text_of(said(kind))
    assert HASH.findall(before)[-1] != HASH.findall(text)[-1]
    if not kind.startswith("undone"):
        other = text_of(read(HASH.sub("", changed(text, kind))))
        assert HASH.findall(other)[-1] != HASH.findall(text)[-1]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("how", ["changed", "moved", "removed"])
@pytest.mark.parametrize("turns", [0, 2])
def test_what_was_done_to_a_line_is_noticed(kind: str, how: str, turns: int) -> None:
    """By `check` wherever a hash tells it, and by comparing in any case; a host does not take such a file."""
    at, turns = said(kind), 0 if kind in ENDS else turns
    for _ in range(turns):
        at = append(at, "Pass")
    text = text_of(at)
    deed: Callable[[str], str] = {"changed": lambda whole: changed(whole, kind), "moved": moved, "removed": removed}[
        how
    ]
    forged = deed(text)
    assert forged != text
    at_the_end = how == "removed" and not turns
    assert bool(wrong(forged) & CHAIN) is not at_the_end
    found = compare_copies(read(text), forged.encode())
    if at_the_end and not kind.startswith("undone"):
        assert found.kind is Kind.SAME
        (note,) = found.notes
        assert note.startswith(f"Only in your file: `{HASH.sub('', row(text))}`. Nothing shows that ")
    elif not at_the_end:
        assert found.kind is Kind.EDITED
        assert isinstance(admit_game(forged.encode(), T + 99 * HOUR), list)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("hashed", [True, False])
@pytest.mark.parametrize("place", ["Tkid-Record", "Seat: Bob", "Setup", "Essex", "First", "Turns"])
def test_a_line_before_the_turns_is_noticed(kind: str, place: str, *, hashed: bool) -> None:
    """Cites: record.note.hash."""
    text = text_of(said(kind))
    line = row(text)
    moved_line = line if hashed else HASH.sub("", line)
    before, after = removed(text).split(f"\n{place}" if place != "Tkid-Record" else place, 1)
    forged = f"{before}\n{moved_line}\n{place}{after}".removeprefix("\n")
    assert "record.note.hash" in wrong(forged)
    found = compare_copies(read(text), forged.encode())
    assert (found.kind, found.problems[0].rule) == (Kind.EDITED, "record.note.hash")


def test_other_comments_stand_anywhere() -> None:
    text = text_of(game())
    for line in ("# resigned to losing", "# host: 2026-12-01T09:00Z We move.", "# Away: we play at Ann's"):
        assert wrong(f"{line}\n{text}") == set()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("turns", [0, 2])
def test_a_line_without_a_hash_is_outside_the_chain(kind: str, turns: int) -> None:
    """As in files of before: their hashes fit, `verify` lists the line, and formatting leaves the hashes as they are."""
    bare = text_of(said(kind))
    whole = game()
    for _ in range(0 if kind in ENDS else turns):
        whole = append(whole, "Pass") if not kind.startswith("undone") else whole
    line = HASH.sub("", row(bare))
    if kind.startswith("undone"):
        text = OLD.sub("", bare).rstrip() + "\n"
    else:
        lines = text_of(whole).splitlines()
        at = next(index for index, each in enumerate(lines) if each.startswith("3. ")) + 1
        at += next((n for n, each in enumerate(lines[at:]) if not each.startswith("--")), 0)
        text = "".join(f"{each}\n" for each in (*lines[:at], line, *lines[at:]))
    assert wrong(text) & CHAIN == set()
    (outside,) = list_uncovered(read(text).record)
    assert outside.text in {line, "{" + line.partition(", ")[2] + "}"}
    proof = prove(read(text))
    assert not proof.complete
    assert any(outside.text in fact.text and fact.rule == "record.note.hash" for fact in proof.unproven)
    kept = HASH.findall(text)
    assert HASH.findall(text_of(read(text)))[: len(kept)] == kept


@pytest.mark.parametrize("kind", [kind for kind in KINDS if not kind.startswith("undone")])
def test_a_line_that_only_they_have_is_named_and_not_taken(kind: str) -> None:
    line = HASH.sub("", row(text_of(said(kind))))
    longer = [] if kind in ENDS else [append(said(kind), "Pass")]
    for theirs in map(text_of, (said(kind), *longer)):
        found = compare_copies(game(), theirs.encode(), 1)
        if kind in ENDS:
            assert (found.kind, found.rule, found.theirs) == (Kind.WRONG, "record.compare.marked", row(theirs))
            continue
        if kind == "resigned":
            assert (found.kind, found.rule) == (Kind.WRONG, "record.compare.marked")
            assert "Only Cal can say so" in found.hint
            continue
        assert any(note.startswith(f"Only there: `{line}`. Nothing shows that ") for note in found.notes), found
        assert found.replay is None or line not in text_of(found.replay)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in {"resigned", *ENDS} and kind[:6] != "undone"])
def test_files_that_differ_in_a_line_are_not_called_the_same(kind: str) -> None:
    """Cites: record.compare.notes."""
    theirs = text_of(game()) + HASH.sub("", row(text_of(said(kind)))) + "\n"
    found = compare_copies(game(), theirs.encode(), 1)
    assert (found.kind, "the same in both" in found.message) == (Kind.SAME, False)
    assert found.message == "It has the turns of your file (3 turns), but not the same lines about the game"
    assert compare_copies(game(), text_of(game()).encode(), 1).message.endswith("the same in both")


def marked(text: str, turn: int) -> str:
    return re.sub(rf"^({turn}\. .*?)( #\w+)$", r"\1 {stands: we agreed}\2", text, flags=re.MULTILINE)


@pytest.mark.parametrize("turn", [1, 3])
def test_a_mark_that_nothing_needs_is_named(turn: int) -> None:
    """Cites: record.turn.stands."""
    text = marked(text_of(game()), turn)
    at = read(text)
    (note,) = report_needless_marks(at)
    line = next(number for number, row in enumerate(text.splitlines(), 1) if "{stands" in row)
    assert (note.line, note.message) == (
        line,
        f"Turn {turn} breaks no rule, but is marked as standing although it breaks one",
    )
    assert any(f"Turn {turn}: marked as standing, but it breaks no rule" in fact.text for fact in prove(at).unprovable)
    assert not any("although it breaks a rule" in fact.text for fact in prove(at).unprovable)
    assert "marked there: {stands" in " ".join(compare_copies(game(), text.encode()).notes)
    assert compare_copies(game(), text.encode()).message.startswith("It has the turns of your file")


def test_a_mark_that_a_turn_needs_is_not() -> None:
    lines = text_of(game(1)).replace("1. Ann Pass", "1. Bob Pass {stands: out of order}")
    at = read(HASH.sub("", lines))
    assert list(report_needless_marks(at)) == []
    assert any("although it breaks a rule" in fact.text for fact in prove(at).unprovable)


def test_who_alone_can_have_written_a_line() -> None:
    found = {kind: list_uncovered(read(OLD.sub(r"\1", text_of(said(kind)))).record) for kind in KINDS}
    who = {kind: outside[0].who for kind, outside in found.items()}
    hosts = {kind for kind, each in who.items() if each == "a host"}  # and the game has none
    assert hosts == {"aborted", "paused", "extended", "deadline", "undone by the host"}
    players = {kind for kind, each in who.items() if each != "the players"} - hosts
    assert players == {"resigned", "back", "away", "draw", "paused until", "undone"}
    assert {who["resigned"], who["back"], who["away"]} == {"Cal"}
    assert {who["draw"], who["paused until"], who["undone"]} == {"Ann, Bob and Cal"}
    hosted = text_of(game()).replace("\nSetup", "X-Clock: 3 days a turn\n\nSetup", 1)
    for kind in {*KINDS} - players:
        line = OLD.sub(r"\1", row(text_of(said(kind)))) if not kind.startswith("undone") else ""
        if line:
            assert [each.who for each in list_uncovered(read(f"{HASH.sub('', hosted)}{line}\n").record)] in (
                ["the host"],
                [],
            )


@pytest.mark.parametrize(
    ("forged", "by"),
    [
        ("# resigned: Cal 2026-12-01T09:00Z\n", 1),
        ("# resigned: Cal 2026-12-01T09:00Z\n", None),
        ("# resigned: Cal 2026-12-01T09:00Z\n# resigned: Bob 2026-12-01T09:00Z\n", 1),
    ],
)
@pytest.mark.parametrize("hashed", [False, True])
def test_of_three_nobody_resigns_for_another(forged: str, by: int | None, hashed: bool) -> None:  # noqa: FBT001
    """Cal's turns would pass in Ann's file, and Cal's own turn would be a fork there."""
    ann, theirs = game(1), f"{text_of(game(2))}{forged}"
    theirs = text_of(read(theirs)) if hashed else theirs
    assert bool(HASH.search(theirs.splitlines()[-1])) is hashed
    found = compare_copies(ann, theirs.encode(), 0, writers=() if by is None else {by})
    if by == 1 and "Bob" in forged:  # what Bob says of himself is true
        assert found.replay is not None
        assert [*find_resignations(found.replay.record)] == [1]
        assert len(found.replay.record.turns) == found.new + 1 == 2  # the turn above the lines
        said = found.notes[0]
    else:
        assert (found.kind, found.rule, found.replay) == (Kind.WRONG, "record.compare.marked", None)
        said = found.message
    assert "Cal has resigned, but nothing shows that Cal wrote that" in said
    assert compare_copies(ann, theirs.encode(), 0, agree=True).kind is Kind.CONTINUES
    own = compare_copies(ann, theirs.encode(), 0, writers={1, 2})
    assert own.replay is not None
    assert "# resigned: Cal" in text_of(own.replay)


def test_a_resignation_keeps_its_place_so_that_hashes_stay_the_same() -> None:
    theirs = append(writer.add_comments(game(1), Resigned(1, T)), "Pass")
    found = compare_copies(game(1), text_of(theirs).encode(), 2, writers={1})
    assert found.replay is not None
    assert text_of(found.replay).replace(" {resigned}", "") == text_of(theirs)
    assert compare_copies(found.replay, text_of(theirs).encode()).kind is Kind.SAME


def test_a_fork_because_of_a_resignation_names_the_line() -> None:
    mine = writer.add_comments(game(2), Resigned(2, T))
    mine = append(mine, "Pass")
    move = mine.record.game.words.write_turn(tuple(_action(game(2))))
    found = compare_copies(mine, text_of(append(game(2), move)).encode(), 0)
    assert found.kind is Kind.FORK
    assert found.notes == (
        "Only in your file: `# resigned: Cal 2026-12-01T09:00Z`. Nothing shows that Cal wrote that.",
    )


def _action(at: Replay) -> list[object]:
    """A turn of the next player that is no pass."""
    options, moves, position = at.record.game.legal(at.position), list[object](), at.position
    moves.append(next(each for each in options if at.record.game.words.write_turn((each,)) != "Pass"))
    position, _ = at.record.game.play(position, moves[0])
    if position.decision == "summon":
        moves.append(at.record.game.legal(position)[0])
    return moves


def test_announcements_and_remarks_are_no_links() -> None:
    for line in ("# host: 2026-12-01T09:00Z: see #123456", "# I saw #123456", "# marked: by me #123456", "#"):
        text = f"{text_of(game())}{line}\n"
        assert text_of(read(text)) == text
        assert append(read(text), "Pass").last.hash == append(game(), "Pass").last.hash
        assert list_uncovered(read(text).record) == []
    announced = writer.add_comments(game(), Announced(T, "see #123456"))
    assert text_of(read(text_of(announced))) == text_of(announced)


def test_a_reason_that_ends_like_a_hash_is_no_hash() -> None:
    at = writer.add_comments(game(), Paused(T, reason="see #123456"))
    assert row(text_of(at)).startswith("# paused: by the host 2026-12-01T09:00Z: see #123456. #")
    assert text_of(read(text_of(at))) == text_of(at)


def test_a_line_may_be_written_in_other_ways() -> None:
    text = text_of(append(said("resigned"), "Pass"))
    hashed = row(text)
    loose = f"#  Resigned : cal, 2026-12-01 09:00 {hashed[-7:].upper()}"
    assert wrong(text.replace(hashed, loose)) == set()


def test_an_address_may_be_left_out() -> None:
    text = text_of(append(said("moved"), "Pass"))
    assert "<new@example.org>" in text
    assert wrong(text.replace(" <new@example.org> 2", " 2")) == set()


def test_turns_without_a_hash_at_the_end_are_listed() -> None:
    text = text_of(game(3))
    assert prove(read(text)).complete == prove(game(3)).complete
    facts = [fact.text for fact in prove(read(f"{text}4. Ann Pass\n")).unproven]
    assert any(each.startswith("Turn 4 has no hash, unlike those before.") for each in facts)
    facts = [fact.text for fact in prove(read(f"{text}4. Ann Pass\n5. Bob Pass\n")).unproven]
    assert any(each.startswith("Turns 4 to 5 have no hash") for each in facts)


def test_times_on_turns_are_said_to_be_outside() -> None:
    timed = read(text_of(writer.with_note(game(), At(T))))
    assert any("When turns were played" in fact.text for fact in prove(timed).unprovable)
    assert not any("When turns were played" in fact.text for fact in prove(game()).unprovable)


def test_a_host_shows_what_an_imported_file_says() -> None:
    told = format_plain(list_earlier_notes(read(f"{text_of(game())}# resigned: Cal 2026-12-01T09:00Z\n")))
    assert (
        "`# resigned: Cal 2026-12-01T09:00Z`. Nothing shows that Cal wrote that. The hashes do not cover it."
        in " ".join(told.split())
    )
    told = format_plain(list_earlier_notes(read(text_of(said("stand-in")))))
    assert "The hashes" not in told
    assert "Nothing shows that the players wrote that" in told
    assert list_earlier_notes(game()) == ()


@given(seeds)
@examples(60)
def test_what_is_in_memory_is_what_is_written(seed: int) -> None:
    """Any events in any order, with the file read again in between: the same hashes, and nothing outside the chain."""
    rng = Random(seed)
    at, time = game(rng.randrange(4)), T
    for _ in range(8):
        time += HOUR
        standing = any(not turn.undone for turn in at.record.turns)
        match rng.randrange(5):
            case 0 if at.position.to_act is not None:
                at = writer.with_note(append(at, "Pass"), At(time))
            case 1 if standing:
                at = writer.take_back_turn(at, (0, 1, 2), time)
            case 2 if standing:
                at = writer.take_back_by_host(at, time, "a {slip}")
            case 3:
                at = writer.add_comments(
                    at, LINES[rng.choice([k for k in KINDS if k[:6] != "undone" and k not in ENDS])][0]
                )
            case _:
                at = read(text_of(at))
        again = read(text_of(at))
        assert [moment.hash for moment in again.moments[1:]] == [moment.hash for moment in at.moments[1:]]
        assert list_uncovered(again.record) == []
        assert text_of(again) == text_of(at)
        assert find_impact(again, {}) == []
        assert replay(add_revealed_hands(again, []).record).problems == []
        if at.record.turns:
            assert read(text_of(writer.remove_last_turn(again))).problems == []
