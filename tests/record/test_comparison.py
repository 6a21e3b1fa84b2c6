"""Comparing records: whatever becomes of a file on its way, the diagnosis is right, and the own record is never damaged."""

from __future__ import annotations

import re
from functools import cache
from random import Random

import pytest
from attrs import evolve
from hypothesis import assume, example, given
from hypothesis import strategies as st

from tests.shared.examples import examples
from tests.shared.lines import Line, at_random, random_line
from tests.shared.tables import each_row, sample
from tkid.games.struggle.rules.game import PASS
from tkid.games.struggle.rules.moves import Play, Reveal
from tkid.record.copies import Comparison, Kind, compare_copies, make_shared_copy
from tkid.record.format.model import Record
from tkid.record.format.reader import read_record
from tkid.record.play.replay import Replay, replay
from tkid.record.play.validation import judge_record
from tkid.record.play.views import hide_secrets
from tkid.record.play.writer import write_record
from tkid.rulebook.rulesets import ruleset

RULESETS = ("second-edition", "second-edition-advanced")
HASH = re.compile(r" #[0-9a-f]{6}$", re.MULTILINE)
FEW = examples(40)


@cache
def line(code: str, seed: int, players: int = 2) -> Line:
    """A whole random game."""
    return random_line(ruleset(code), Random(seed), players, (0.2, 0.5, 0.8)[seed % 3])


def read(text: str) -> Replay:
    """A text without problems as a replay."""
    found = read_record(text.encode())
    assert found.record is not None
    played = replay(found.record)
    assert not found.problems
    assert not played.problems, played.problems
    return played


def file(of: Line, turns: int, seat: int | None = 0) -> str:
    """The file of a player after so many turns, or with None what is handed on."""
    whole = replay(of.cut(turns).record())
    known = make_shared_copy(whole) if seat is None else hide_secrets(whole, seat)
    return write_record(known.record, known)


def at(of: Line, share: float) -> int:
    """A turn of the game."""
    return int(share * len(of.steps))


codes = st.sampled_from(RULESETS)
seeds = st.integers(0, 11)
players = st.sampled_from((2, 3, 4))
shares = st.floats(0, 1)
lines = st.builds(line, codes, seeds, players)


def diagnosed(mine: str, theirs: str | bytes, me: int | None = None) -> Comparison:
    """A comparison, of which everything is checked that has to hold of each."""
    own = read(mine)
    found = compare_copies(own, theirs if isinstance(theirs, bytes) else theirs.encode(), me)
    assert write_record(own.record, own) == mine
    assert (found.replay is not None) == (found.kind is Kind.CONTINUES) == (found.new > 0)  # no marks are taken
    if found.replay is not None:
        assert not found.replay.problems
        text = write_record(found.replay.record, found.replay)
        assert text.startswith(mine.removesuffix("".join(f"{c}\n" for c in own.record.end)))
        assert write_record(read(text).record) == text
    return found


# -- nothing wrong ------------------------------------------------------------------------------------------


@FEW
@given(lines, shares, shares)
def test_the_same_a_longer_and_a_shorter_one(of: Line, one: float, other: float) -> None:
    mine, theirs = at(of, one), at(of, other)
    found = diagnosed(file(of, mine), file(of, theirs, None))
    if mine == theirs:
        assert found.kind is Kind.SAME
    elif mine > theirs:
        assert found.kind is Kind.STALE
        assert found.mine.startswith(f"{theirs + 1}. ")
    else:
        assert (found.kind, found.new) == (Kind.CONTINUES, theirs - mine)
        assert found.replay is not None
        assert write_record(found.replay.record, found.replay) == file(of, theirs)


@FEW
@given(of=lines, one=shares, other=shares, hashes=st.booleans())
def test_comments_capitals_and_missing_hashes_make_no_difference(
    of: Line, one: float, other: float, *, hashes: bool
) -> None:
    mine, theirs = file(of, at(of, one)), file(of, at(of, other), None)
    commented = mine.replace("Turns\n", "# I mean to win\nTurns\n# so be it\n").replace("\n1. ", "\n# first\n1. ")
    commented = re.sub(r"( #[0-9a-f]{6})$", r" {mine}\1", commented, flags=re.MULTILINE) + "# and now?\n"
    loose = theirs.replace("Turns\n", "Turns\n\n# theirs\n").replace("Setup\n", "setup:\n# theirs\n")
    loose = HASH.sub(" {theirs}", loose) if hashes else loose
    loose = loose.replace(" <> ", " <-> ").replace(" Pass", " pass!")
    expected, found = diagnosed(mine, theirs), diagnosed(write_record(read(commented).record), loose)
    assert found.kind is expected.kind
    if found.replay is not None:
        text = write_record(found.replay.record, found.replay)
        assert "theirs" not in text
        comments = [row for row in commented.split("\n") if row.startswith("# ")]
        assert [row for row in text.split("\n") if row.startswith("# ")] == comments
        assert text.count("{mine}") == commented.count("{mine}")


@FEW
@given(lines, shares, st.data())
def test_nobodys_own_turns_come_from_others(of: Line, share: float, data: st.DataObject) -> None:
    mine = at(of, share)
    assume(mine < len(of.steps))
    me = data.draw(st.integers(0, len(of.names) - 1))
    found = diagnosed(file(of, mine, me), file(of, len(of.steps), None), me)
    own = [number for number, step in enumerate(of.steps, 1) if step.before.to_act == me and number > mine]
    if own:
        assert (found.kind, found.rule, found.turn) == (Kind.WRONG, "record.compare.own-turn", own[0])
    else:
        assert found.kind is Kind.CONTINUES


# -- broken off ---------------------------------------------------------------------------------------------


@FEW
@given(lines, shares, shares, shares)
@example(line("second-edition", 9, 4), 0.0, 1.0, 0.125)  # cut right before a hash: such a line is whole
# what followed depends on who held Plot, which comes later
@example(line("second-edition-advanced", 0, 3), 0.0, 1.0, 0.9375)
def test_a_text_cut_anywhere(of: Line, one: float, other: float, cut: float) -> None:
    mine, data = at(of, one), file(of, at(of, other), None).encode()
    part = data[: int(cut * len(data))]
    found = diagnosed(file(of, mine), part)
    if found.kind is not Kind.TRUNCATED:
        turns = len(read(part.decode()).record.turns)
        right = Kind.SAME if turns == mine else Kind.STALE if turns < mine else Kind.CONTINUES
        assert found.kind is right
        last = part.decode().rstrip().split("\n")[-1]
        rows = file(of, at(of, other), None).split("\n")
        assert last in {*rows, *(HASH.sub("", row) for row in rows)}


@pytest.mark.parametrize("seed", sample(range(40), 10))
@pytest.mark.parametrize("code", RULESETS)
def test_the_first_turn_cut_at_every_letter(code: str, seed: int) -> None:
    """No turn before it has a hash, so nothing but its own words tells that it breaks off."""
    of = line(code, seed)
    mine, theirs = file(of, 0), file(of, 1, None).rstrip()
    rows = theirs.split("\n")
    first = next(number for number, row in enumerate(rows) if row.startswith("1. "))
    start, turn = "\n".join(rows[:first]), rows[first]
    for end in range(len("1. "), len(turn) + 1):
        found = diagnosed(mine, f"{start}\n{turn[:end]}")
        is_whole = turn[:end].rstrip() in {turn, HASH.sub("", turn)}
        assert found.kind is (Kind.CONTINUES if is_whole else Kind.TRUNCATED), turn[:end]


def test_the_end_of_a_game_cut_at_every_letter() -> None:
    """What followed from the last turn depends on who held Plot, which the last line but one tells."""
    of = line("second-edition-advanced", 0, 3)
    theirs = file(of, len(of.steps), None)
    end = theirs.index("\n-- Gwynedd: Welsh (1W)\n-- Essex: ")
    assert theirs[end:].endswith("\n-- Plot: Ann\n-- Coronation: Bob\n")
    for cut in range(end + 2, len(theirs) - 1):
        found = diagnosed(file(of, 0), theirs[:cut])
        told = theirs[:cut].rstrip().endswith("-- Plot: Ann")
        assert found.kind is (Kind.CONTINUES if told else Kind.TRUNCATED), theirs[end:cut]
        if not told:
            how = "is cut off at line" if theirs[:cut].endswith("\n") else "ends in the middle of line"
            assert f"The text {how} " in found.message
    whole_lines = theirs[: theirs.index("-- Plot: Ann")]
    hints = {problem.hint for problem in judge_record(read_record(whole_lines.encode()))[0]}
    missing = "If the game ended here, a line may be missing below, such as `-- Plot: Ann`."
    assert hints == {f"Nothing followed from this turn. {missing}"}


def test_a_text_cut_within_a_character() -> None:
    of = line(RULESETS[0], 1)
    text = write_record(read(HASH.sub("", file(of, 4, None).replace("Ann", "Łukasz"))).record)
    mine = write_record(read(HASH.sub("", file(of, 2).replace("Ann", "Łukasz"))).record)
    for end in (text.index("Ł"), text.index("3. "), text.rindex("Ł")):
        data = text.encode()[: len(text[:end].encode()) + 1]
        assert diagnosed(mine, data).kind in {Kind.TRUNCATED, Kind.SAME}


@pytest.mark.parametrize("code", RULESETS)
def test_the_last_line_without_its_hash(code: str) -> None:
    of = line(code, 3)
    mine, theirs = file(of, 3), file(of, 5, None)
    last = theirs.rstrip().split("\n")[-1]
    for text, says in (
        (theirs.replace(last, HASH.sub("", last)), "has no hash, unlike the lines before it"),
        (theirs.replace(last, HASH.sub("", last)).rstrip(), "in the middle of line"),
        (
            theirs.replace(last, f"{last[:-6]}{'000001' if last[-6:] != '000001' else '000002'}"),
            "is incomplete or was changed: its hash does not fit",
        ),
        (theirs.replace(last, last[:-3]), "has no hash"),
    ):
        if not last.startswith("--"):
            found = diagnosed(mine, text)
            assert found.kind is Kind.TRUNCATED
            assert says in found.message


# -- another past -------------------------------------------------------------------------------------------


def other_turn(of: Line, number: int, rng: Random) -> Line | None:
    """The game with another turn in a place, and random ones after it."""
    fork, choose = of.cut(number - 1), at_random(of.game, rng, 0.5)
    for _ in range(20):
        fork = of.cut(number - 1)
        fork.take(choose)
        if fork.steps[-1].moves != of.steps[number - 1].moves:
            while len(fork.steps) < number + 2 and fork.position.to_act is not None:
                fork.take(choose)
            return fork
    return None


@FEW
@given(lines, shares, shares, st.integers(0, 99))
def test_a_fork(of: Line, one: float, where: float, seed: int) -> None:
    mine = max(1, at(of, one))
    number = 1 + int(where * (mine - 1))
    fork = other_turn(of, number, Random(seed))
    assume(fork is not None)
    assert fork is not None
    theirs = file(fork, len(fork.steps), None)
    for text in (theirs, HASH.sub("", theirs)):
        found = diagnosed(file(of, mine), text)
        assert (found.kind, found.turn) == (Kind.FORK, number)
        assert found.mine.startswith(f"{number}. ")
        assert found.theirs.startswith(f"{number}. ")
        assert text.split("\n")[found.line - 1] == found.theirs


def turn_rows(text: str) -> list[int]:
    """Where the turns stand among the lines of a text."""
    return [index for index, row in enumerate(text.split("\n")) if re.match(r"\d+\. ", row)]


@FEW
@given(lines, shares, shares, st.integers(0, 99), st.sampled_from(("other", "pass", "mistyped", "swapped", "lost")))
def test_a_past_that_was_edited_while_the_hashes_stay(of: Line, one: float, where: float, seed: int, how: str) -> None:
    mine = at(of, one)
    assume(mine >= 4)
    number = 1 + int(where * (mine - 3))
    rows = file(of, len(of.steps), None).split("\n")
    places = turn_rows("\n".join(rows))
    row, following = places[number - 1], places[number]
    tail = (HASH.search(rows[row]) or assert_never())[0]
    if how == "other":
        fork = other_turn(of, number, Random(seed))
        assume(fork is not None)
        assert fork is not None
        edited = file(fork, number, None).split("\n")
        rows[row] = HASH.sub(tail, edited[turn_rows("\n".join(edited))[number - 1]])
    elif how == "pass":
        assume(of.steps[number - 1].moves != (PASS,))
        rows[row] = f"{number}. {rows[row].split()[1]} Pass{tail}"
    elif how == "mistyped":
        rows[row] = rows[row].replace("a", "q", 1)
        assume(read_record("\n".join(rows).encode()).problems)
    elif how == "swapped":
        rows[row], rows[following] = rows[following], rows[row]
    else:
        del rows[row]
    found = diagnosed(file(of, mine), "\n".join(rows))
    assert (found.kind, found.rule, found.turn) == (Kind.EDITED, "record.compare.past", number)
    assert found.mine.startswith(f"{number}. ")
    assert found.theirs == rows[found.line - 1].strip()


def assert_never() -> re.Match[str]:
    """A turn always has a hash."""
    raise AssertionError


@FEW
@given(lines, shares, shares)
def test_a_hash_or_an_outcome_that_was_edited(of: Line, one: float, where: float) -> None:
    mine = at(of, one)
    assume(mine >= 3)
    number = 1 + int(where * (mine - 2))
    text = file(of, len(of.steps), None)
    rows = text.split("\n")
    row = turn_rows(text)[number - 1]
    wrong = [*rows]
    wrong[row] = f"{rows[row][:-6]}{'abcdef' if rows[row][-6:] != 'abcdef' else 'abcdee'}"
    found = diagnosed(file(of, mine), "\n".join(wrong))
    assert (found.kind, found.turn) == (Kind.EDITED, number)
    assert (found.mine[-6:] in rows[row], found.theirs) == (True, wrong[row])
    outcomes = [n for n, each in enumerate(rows) if each.startswith("--") and n < turn_rows(text)[mine - 1]]
    if outcomes:
        wrong = [*rows]
        wrong[outcomes[0]] = "-- Essex: Welsh (9W)"
        found = diagnosed(file(of, mine), "\n".join(wrong))
        assert (found.kind, found.theirs, found.line) == (Kind.EDITED, wrong[outcomes[0]], outcomes[0] + 1)
        assert rows[outcomes[0]] in found.mine


# -- another start ------------------------------------------------------------------------------------------


@FEW
@given(lines, lines, shares, shares)
def test_another_game(of: Line, other: Line, one: float, two: float) -> None:
    mine = file(of, at(of, one))
    assume(mine.split("Turns")[0] != file(other, 0).split("Turns")[0])
    found = diagnosed(mine, file(other, at(other, two), None))
    assert (found.kind, found.rule) == (Kind.OTHER, "record.compare.game")
    assert found.mine != found.theirs


@each_row("code", RULESETS)
@each_row("hashes", [True, False])
@each_row(
    ("old", "new"),
    [
        (r"Moray        \w+", "Moray        SSSS"),
        (r"Supply       .*", "Supply       1S 1W 1E"),
        (r"Seat: Bob", "Seat: Bea"),
        (r"(Ruleset: .*)", r"\1\nGame: winter"),
        (r"Court Bob    .*", "Court Bob    WW"),
        (r"(Track        )(\w+), (\w+)", r"\1\3, \2"),
    ],
)
def test_a_start_that_was_edited(code: str, old: str, new: str, *, hashes: bool) -> None:
    of = line(code, 2)
    text = file(of, 6, None)
    edited = re.sub(old, new, text, count=1)
    edited = edited.replace(" Bob ", " Bea ") if "Bea" in new else edited
    edited = edited if hashes else HASH.sub("", edited)
    assert edited != text
    found = diagnosed(file(of, 4), edited)
    assert (found.kind, found.rule) == (Kind.OTHER, "record.compare.game")
    assert found.theirs in edited
    assert edited.split("\n")[found.line - 1].strip() == found.theirs


@pytest.mark.parametrize("code", RULESETS)
def test_an_address_may_differ_and_is_told(code: str) -> None:
    of = line(code, 2)
    theirs = HASH.sub("", file(of, 6, None)).replace("Seat: Bob", "Seat: Bob <bob@example.org>\nX-Own: note", 1)
    theirs = write_record(read(theirs).record)
    found = diagnosed(file(of, 4), theirs)
    assert (found.kind, found.new) == (Kind.CONTINUES, 2)
    assert found.notes == ("Bob's address is bob@example.org there, and not known here",)
    stale = file(of, 6, None).replace("Seat: Bob", "Seat: Bob <bob@example.org>", 1)
    found = diagnosed(file(of, 4), stale)
    assert (found.kind, found.theirs) == (Kind.OTHER, "Seat: Bob <bob@example.org>")
    assert "its hashes still fit yours" in found.message


def test_readings_in_another_order_are_the_same() -> None:
    of = random_line(ruleset(RULESETS[0]), Random(1), 2, 0.5, final_tie="shared", second_rank="none-ranked")
    text = file(of, 3)
    first, second = re.findall(r"Ruling: .*\n", text)
    assert diagnosed(text, HASH.sub("", text.replace(first + second, second + first))).kind is Kind.SAME


# -- secret hands -------------------------------------------------------------------------------------------


def test_hands_that_both_know_have_to_agree() -> None:
    of = line(RULESETS[1], 4)
    mine, theirs = file(of, 5, 0), file(of, 7, 1)
    assert diagnosed(mine, theirs).kind is Kind.CONTINUES
    hands = {
        seat: next(r for r in file(of, 5, seat).split("\n") if r.startswith(f"Hand {of.names[seat]}"))
        for seat in (0, 1)
    }
    hidden = next(row for row in theirs.split("\n") if row.startswith("Hand Ann"))
    both = theirs.replace(hidden, hands[0])
    assert diagnosed(mine, HASH.sub("", both)).kind is Kind.CONTINUES
    own = hands[0].split(", ")[-1]
    undealt = next(card for card in of.game.hands.deck if all(card not in hand for hand in hands.values()))
    found = diagnosed(mine, HASH.sub("", file(of, 0, None).replace(hidden, hands[0].replace(own, undealt))))
    assert (found.kind, found.rule) == (Kind.OTHER, "record.compare.hands")


def test_a_play_that_cannot_be_for_the_hand_that_i_know() -> None:
    of = line(RULESETS[1], 4)
    game, position = of.game, of.cut(1).position
    seat = position.to_act
    assert seat is not None
    card = next(c for c in of.steps[0].before.hands[1 - seat] if c in game.hands.deck and c != game.plot)
    move = Play(card, game.cards[card].ladder.list_options(position)[0])
    after, _ = game.apply(position, move)
    turn = game.words.write_turn((move, game.legal(after)[0]))
    theirs = HASH.sub("", file(of, 1, None)) + f"2. {of.names[seat]} {turn}\n"
    assert diagnosed(file(of, 1, None), theirs).kind is Kind.CONTINUES
    found = diagnosed(file(of, 1, 1 - seat), theirs)
    assert found.kind is Kind.WRONG
    assert [problem.rule for problem in found.problems] == ["second.turn.hand"]


def plotted() -> Line:
    """A game for two in which whoever holds Plot is asked for it at the end."""
    games = (line(RULESETS[1], seed) for seed in range(12, 300))
    return next(of for of in games if isinstance(of.steps[-1].moves[0], Reveal))


def test_plot_comes_to_light_after_the_end() -> None:
    of = plotted()
    count, owner = len(of.steps), of.steps[-1].before.to_act
    assert owner is not None
    other = 1 - owner
    before = replay(of.cut(count - 1).record())
    blind = replay(
        evolve(hide_secrets(before, other).record, turns=tuple(evolve(t, outcomes=()) for t in before.record.turns))
    )
    ended = write_record(blind.record, blind)
    assert "-- Plot" not in ended.split(f"\n{count - 1}. ")[1]
    held = re.sub(r"^-- (Coronation|Invasion)", r"# told to the last\n-- \1", ended, flags=re.MULTILINE)
    found = diagnosed_loosely(held, file(of, count, None))
    assert (found.kind, found.new) == (Kind.CONTINUES, 1)
    assert found.replay is not None
    assert found.replay.position.winners == of.position.winners
    assert "# told to the last" in write_record(found.replay.record, found.replay)
    mine = file(of, count - 2, owner)
    handed = make_shared_copy(read(ended))
    found = diagnosed(mine, write_record(handed.record, handed))
    assert found.kind is Kind.CONTINUES
    assert found.replay is not None
    assert (found.replay.position.decision, found.replay.position.to_act) == ("plot", owner)
    same = diagnosed(file(of, count - 1, owner), write_record(handed.record, handed))
    assert same.kind is Kind.SAME
    assert "It states something else that followed from the last turn" in same.notes[0]


def test_who_held_plot_is_news_though_no_turn_is_new() -> None:
    games = (line(RULESETS[1], seed) for seed in range(12, 300))
    found = 0
    for of in games:
        count = len(of.steps)
        whole = replay(of.record())
        lines = [event.line for event in whole.last.events]
        told = next((text for text in lines if text.startswith("Plot: ")), "")
        if not told or isinstance(of.steps[-1].moves[0], Reveal):
            continue
        owner = int(told[-2])
        bare = tuple(evolve(turn, outcomes=()) for turn in whole.record.turns)
        blind = replay(evolve(hide_secrets(whole, 1 - owner).record, turns=bare, end=("# the end",)))
        mine = write_record(blind.record, blind)
        news = compare_copies(read(mine), file(of, count, None).encode())
        assert (news.kind, news.new) == (Kind.CONTINUES, 0)
        assert news.replay is not None
        assert news.replay.position.winners == of.position.winners
        text = write_record(news.replay.record, news.replay)
        assert f"-- Plot: {of.names[owner]}\n" in text
        assert text.endswith("# the end\n")
        assert compare_copies(read(text), file(of, count, None).encode()).kind is Kind.SAME
        lie = file(of, count, None).replace(f"-- Plot: {of.names[owner]}", f"-- Plot: {of.names[1 - owner]}")
        assert compare_copies(read(mine), lie.encode()).kind in {Kind.WRONG, Kind.EDITED, Kind.TRUNCATED}
        found += 1
        if found == 5:
            return
    raise AssertionError


def diagnosed_loosely(mine: str, theirs: str) -> Comparison:
    """A comparison after which what followed from the last own turn is another."""
    return compare_copies(read(mine), theirs.encode())


# -- turns that stand ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", RULESETS)
def test_a_turn_that_stands_is_told_and_taken_in_by_those_who_agree(code: str) -> None:
    of = line(code, 5)
    seat = of.cut(3).position.to_act
    assert seat is not None
    illegal = f"4. {of.names[seat]} Manoeuvre S Moray <> S Moray; summon S Moray {{stands: we saw it late}}\n"
    mine, theirs = file(of, 3), HASH.sub("", file(of, 3, None)) + illegal
    own = read(mine)
    assert not replay(record(theirs)).problems
    found = compare_copies(own, theirs.encode())
    assert (found.kind, found.rule, found.turn) == (Kind.WRONG, "record.compare.marked", 4)
    agreed = compare_copies(own, theirs.encode(), agree=True)
    assert agreed.kind is Kind.CONTINUES
    assert agreed.notes == ("Turn 4 is marked there: {stands: we saw it late}",)
    assert agreed.replay is not None
    kept = write_record(agreed.replay.record, agreed.replay)
    assert "{stands: we saw it late}" in kept
    unmarked = HASH.sub("", kept).replace(" {stands: we saw it late}", "")
    assert compare_copies(agreed.replay, unmarked.encode()).kind is Kind.SAME
    assert compare_copies(own, unmarked.encode()).kind is Kind.WRONG


def taken_back(text: str, of: Line, number: int) -> str:
    """A file with its last turn taken back, and another turn in its place."""
    text = re.sub(rf"^({number}\..*?)( #\w+)?$", r"\1 {undone: Ann, Bob agreed}", text.rstrip(), flags=re.MULTILINE)
    rows = text.split("\n")
    rows = rows[: turn_rows(text)[number - 1] + 1]
    again = "Pass" if of.steps[number - 1].moves != (PASS,) else "Assemble S Moray; summon W Gwynedd"
    return "\n".join([*rows, f"{number + 1}. {of.names[of.steps[number - 1].before.to_act or 0]} {again}", ""])


@pytest.mark.parametrize("code", RULESETS)
def test_a_turn_that_was_taken_back_is_so_for_those_who_agree(code: str) -> None:
    of = next(of for of in (line(code, seed) for seed in range(9)) if of.steps[3].moves != (PASS,))
    back = write_record(read(HASH.sub("", taken_back(HASH.sub("", file(of, 4, None)), of, 4))).record)
    for turns in (3, 4):
        own = read(file(of, turns).replace("Turns\n", "Turns\n# mine\n"))
        found = compare_copies(own, back.encode())
        assert (found.kind, found.rule, found.turn) == (Kind.WRONG, "record.compare.marked", 4)
        agreed = compare_copies(own, back.encode(), agree=True)
        assert (agreed.kind, agreed.new) == (Kind.CONTINUES, 5 - turns)
        assert agreed.notes == ("Turn 4 is marked there: {undone: Ann, Bob agreed}",)
        assert agreed.replay is not None
        text = write_record(agreed.replay.record, agreed.replay)
        assert text.count("{undone: Ann, Bob agreed}") == 1
        assert "# mine\n" in text
        assert compare_copies(read(text), back.encode()).kind is Kind.SAME
        assert compare_copies(read(text), file(of, 4, None).encode()).notes == (
            "Turn 4 is marked in your file, but not there: {undone: Ann, Bob agreed}",
        )
    marked = "\n".join(back.split("\n")[: turn_rows(back)[3] + 1]) + "\n"
    own = read(file(of, 4))
    assert compare_copies(own, marked.encode()).rule == "record.compare.marked"
    only = compare_copies(own, marked.encode(), agree=True)
    assert (only.kind, only.new) == (Kind.CONTINUES, 0)
    longer = read(file(of, 6))
    assert compare_copies(longer, back.encode(), agree=True).kind is Kind.FORK


def test_a_mark_on_a_turn_that_is_legal_is_told() -> None:
    of = line(RULESETS[0], 5)
    rows = file(of, 4, None).rstrip().split("\n")
    index = turn_rows("\n".join(rows))[1]
    rows[index] = HASH.sub(lambda tail: f" {{stands: odd}}{tail[0]}", rows[index])
    for mine, kind in ((3, Kind.CONTINUES), (4, Kind.SAME), (1, Kind.CONTINUES)):
        found = diagnosed(file(of, mine), "\n".join([*rows, ""]))
        assert found.kind is kind
        assert found.notes == ("Turn 2 is marked there: {stands: odd}",)


def record(text: str) -> Record:
    """A record that may have problems."""
    found = read_record(text.encode()).record
    assert found is not None
    return found


# -- anything -----------------------------------------------------------------------------------------------

PIECES = (
    "\n",
    " ",
    "#",
    "{",
    "}",
    "--",
    "1. ",
    "Ann ",
    "Pass",
    "Setup\n",
    "Turns\n",
    "S",
    "W Devon",
    "ß",
    "\x00",
    "9" * 99,
)


@pytest.mark.slow
@examples(120)
@given(lines, shares, shares, st.lists(st.tuples(shares, st.sampled_from(PIECES), st.integers(0, 9)), max_size=4))
def test_any_edit_is_diagnosed_and_only_legal_turns_are_taken(
    of: Line, one: float, other: float, edits: list[tuple[float, str, int]]
) -> None:
    text = file(of, at(of, other), None)
    for where, piece, gone in edits:
        place = int(where * len(text))
        text = text[:place] + piece + text[place + gone :]
    found = diagnosed(file(of, at(of, one)), text)
    assert found.message
    assert found.kind in {Kind.SAME, Kind.CONTINUES} or found.hint or found.problems


@examples(40)
@given(st.binary(max_size=300))
def test_any_bytes(data: bytes) -> None:
    of = line(RULESETS[0], 1)
    start = file(of, 3, None)
    for text in (data, b"Tkid-Record: 1\n" + data, start.encode() + data):
        found = diagnosed(file(of, 3), text)
        assert found.kind in {Kind.WRONG, Kind.TRUNCATED, Kind.OTHER, Kind.SAME, Kind.CONTINUES, Kind.EDITED}
