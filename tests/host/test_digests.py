"""One mail a day: what waits for it, what does not, orders in answers to it, and a week in which nothing is lost or told twice."""

from __future__ import annotations

import re
from collections import Counter
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path
from random import Random

import pytest
from attrs import evolve

from tests.host.small_club import Club, club, text_of
from tests.host.year.players import NAMES, address, examples
from tests.mail.mails import body
from tests.shared.tables import sample
from tkid.club.digest import DigestBook
from tkid.host.chores import send_due_digests
from tkid.host.store.schema import DONE, FILED
from tkid.mail.hosted_game import HostedGame
from tkid.record.clock import CLOCK, DEFAULT, write_clock
from tkid.record.format.model import Header, Record
from tkid.record.format.new_game import new_record

SAMPLE = re.compile(r"^    (\w+: .+)$", re.MULTILINE)
TOLD = re.compile(r"^(?:(?P<game>[A-Z]+)  |(?P<turn>\d+) {2,}\w)", re.MULTILINE)
SIX_HOURS = timedelta(hours=6)


def of(*names: str, seed: int = 1, clock: str = "") -> Record:
    """A game for some people, with the usual clock or another one."""
    seats = [f"{name} <{address(name)}>" for name in names]
    record = new_record("second-edition", seats, Random(seed).randbytes(32), title="x")
    return evolve(record, headers=(*record.headers, Header(CLOCK, clock or write_clock(DEFAULT))))


def is_digest(letter: EmailMessage) -> bool:
    """Whether a letter is a digest."""
    return "Ref digest " in body(letter)


def begin(at: Club, *names: str) -> EmailMessage:
    """Two games of Ann and Bob, and digests for Ann; her last letter."""
    for seed, name in enumerate(names or ("winter", "glen")):
        at.at.open_game(name, of("Ann", "Bob", seed=seed), at.now)
    at.work()
    first = at.mails("Ann")[0]
    (answer,) = at.replies(first, "Ann", "digest daily")
    return answer


def hosted(at: Club, name: str) -> HostedGame:
    """A game as it stands."""
    stored = at.at.store.get_game(name)
    assert stored is not None
    return HostedGame.read_stored(stored.record, stored.memory)


def acting(at: Club, name: str) -> str:
    """Who is to act in a game."""
    played = hosted(at, name)
    assert played.to_act is not None
    return played.names[played.to_act]


def until_digest(at: Club) -> list[EmailMessage]:
    """What Ann gets by the next digest."""
    at.now += timedelta(days=1)
    at.work()
    return at.mails("Ann")


def test_a_digest_takes_the_place_of_turn_mails(tmp_path: Path) -> None:
    """News and turn mails of two games wait for one mail, which has every game with its deadline, and comes once."""
    with club(tmp_path) as at:
        answer = begin(at)
        assert "one mail a day" in text_of(answer)
        for mail in at.mails("Bob"):
            if examples(mail):
                at.answer(mail, "Bob", "Pass")
        at.work()
        assert at.mails("Ann") == []
        (digest,) = until_digest(at)
        text = body(digest)
        assert is_digest(digest)
        assert {"WINTER", "GLEN"} <= {found["game"] for found in TOLD.finditer(text)}
        assert text.count("28 November") + text.count("29 November") >= 2  # every game has its deadline
        assert digest["List-Unsubscribe"]
        at.work()
        assert at.mails("Ann") == []


def test_orders_from_a_digest(tmp_path: Path) -> None:
    """Each line is a turn in its game; the same mail again, and a stale digest, play nothing."""
    with club(tmp_path) as at:
        begin(at)
        for mail in at.mails("Bob"):
            if examples(mail):
                at.answer(mail, "Bob", "Pass")
        (digest,) = until_digest(at)
        before = {name: hosted(at, name).turns for name in ("winter", "glen")}
        mine = [name for name in ("winter", "glen") if acting(at, name) == "Ann"]
        assert mine
        lines = "\n".join(f"{name}: Pass" for name in mine)
        receipts = at.replies(digest, "Ann", lines)
        assert len(receipts) == len(mine)
        assert all(hosted(at, name).turns == before[name] + 1 for name in mine)
        after = {name: hosted(at, name).record_text for name in mine}
        at.replies(digest, "Ann", f"{lines}\nHello again")
        assert {name: hosted(at, name).record_text for name in mine} == after
        for mail in at.mails("Bob"):
            if examples(mail):
                at.answer(mail, "Bob", "Pass")
        at.work()
        turns = {name: hosted(at, name).turns for name in mine}
        (again, *_) = at.replies(digest, "Ann", lines)
        assert {name: hosted(at, name).turns for name in mine} == turns, text_of(again)


@pytest.mark.slow
def test_a_doubt_in_an_answer_to_a_digest_is_about_every_game(tmp_path: Path) -> None:
    with club(tmp_path) as at:
        begin(at)
        for mail in at.mails("Bob"):
            if examples(mail):
                at.answer(mail, "Bob", "Pass")
        (digest,) = until_digest(at)
        before = {name: hosted(at, name).turns for name in ("winter", "glen")}
        mine = [name for name in ("winter", "glen") if acting(at, name) == "Ann"]
        lines = "\n".join(f"{name}: Pass" for name in mine)
        for text in (
            "No, wait, scrap that.",
            "cancel",
            "Undo that.",
            "undo yes",
            "agree no",
            "pause",
            "away",
            "cancl",
            "stop",
        ):
            asked = at.replies(digest, "Ann", f"{lines}\n\n{text}")
            assert sum("Is this the turn you meant?" in body(mail) for mail in asked) == len(mine) > 0, text
        assert {name: hosted(at, name).turns for name in before} == before


def test_a_forged_answer_to_a_digest_plays_nothing(tmp_path: Path) -> None:
    """The key of a digest is worth nothing from another address, and no line is carried out without it."""
    with club(tmp_path) as at:
        begin(at)
        (digest,) = until_digest(at)
        records = {name: hosted(at, name).record_text for name in ("winter", "glen")}
        lines = "winter: Pass\nglen: Pass"
        at.answer(digest, "Dee", lines)
        at.write("Ann", lines)
        at.work()
        assert {name: hosted(at, name).record_text for name in ("winter", "glen")} == records


def test_a_name_that_is_mistyped_is_explained(tmp_path: Path) -> None:
    """`wintr: Pass` is answered with the name that was meant, and the other line is done."""
    with club(tmp_path) as at:
        begin(at)
        (digest,) = until_digest(at)
        answers = at.replies(digest, "Ann", "wintr: Pass\nglen: status")
        assert sum("Did you mean `winter`?" in text_of(each) for each in answers) == 1
        assert len(answers) == 2


@pytest.mark.parametrize(
    ("line", "reason", "hint"),
    [
        ("winterfell: Pass", "there is no game `winterfell` in this digest.", "Did you mean `winter`?"),
        (
            "spring: status",
            "there is no game `spring` in this digest.",
            "The games in this digest are winter and glen.",
        ),
        ("winterr Pass", "there is no game `winterr` in this digest.", "Did you mean `winter`?"),
        ("winter Pass", "there is no colon after `winter`.", "Write `winter: Pass`."),
        ("mountain: cancel al", "there is no game `mountain` in this digest.", "The games in this digest"),
    ],
)
def test_a_line_without_the_name_of_a_game_is_reported(tmp_path: Path, line: str, reason: str, hint: str) -> None:
    """The wrong line is named with the nearest game, and the other lines are carried out."""
    with club(tmp_path) as at:
        begin(at)
        (digest,) = until_digest(at)
        mine = next(name for name in ("winter", "glen") if acting(at, name) == "Ann")
        answers = at.replies(digest, "Ann", f"{line}\n{mine}: Pass\n\nThanks: it was fun")
        assert hosted(at, mine).turns == 1
        (told,) = (text_of(each) for each in answers if reason in text_of(each))
        assert hint in told


@pytest.mark.parametrize("line", ["thanks: it was fun", "PS: I liked the last game", "winter is coming", "spring"])
def test_prose_beside_the_lines_of_a_digest_is_no_wrong_name(tmp_path: Path, line: str) -> None:
    with club(tmp_path) as at:
        begin(at)
        (digest,) = until_digest(at)
        mine = next(name for name in ("winter", "glen") if acting(at, name) == "Ann")
        answers = at.replies(digest, "Ann", f"{mine}: status\n{line}")
        assert not any("in this digest" in text_of(each) for each in answers)


def test_reminders_and_questions_do_not_wait(tmp_path: Path) -> None:
    """A question of another player, and the reminder at the end of the time, go out singly and at once."""
    with club(tmp_path) as at:
        begin(at)
        mine = [name for name in ("winter", "glen") if acting(at, name) == "Bob"]
        for mail in at.mails("Bob"):
            if examples(mail):
                (receipt, *_) = at.replies(mail, "Bob", "Pass")
                at.answer(receipt, "Bob", "undo?")
        at.work()
        assert len([mail for mail in at.mails("Ann") if "undo yes" in body(mail)]) == len(mine) > 0
        seen: list[EmailMessage] = []
        for _ in range(6):
            seen += until_digest(at)
        assert any("left" in str(mail["Subject"]) for mail in seen if not is_digest(mail))


def test_a_turn_that_cannot_wait(tmp_path: Path) -> None:
    """A turn whose time ends before the next digest is asked for at once, and not told again."""
    with club(tmp_path) as at:
        at.at.open_game("fast", of("Ann", "Bob", seed=1, clock="8 hours a turn"), at.now)
        at.work()
        begun = {name: at.mails(name) for name in ("Ann", "Bob")}
        first = acting(at, "fast")
        other = next(name for name in begun if name != first)
        at.replies(begun[other][0], other, "digest daily")
        at.answer(begun[first][-1], first, "Pass")
        at.work()
        (asked,) = at.mails(other)
        assert examples(asked)
        assert not is_digest(asked)


def test_what_was_kept_comes_in_a_last_digest(tmp_path: Path) -> None:
    """After `digest off` nothing is lost: one last digest, then single mails."""
    with club(tmp_path) as at:
        begin(at)
        asked = [mail for mail in at.mails("Bob") if examples(mail)]
        (digest,) = until_digest(at)
        for mail in asked:
            at.answer(mail, "Bob", "say to all: seven swans\nPass")
        at.work()
        assert at.mails("Ann") == []
        letters = at.replies(digest, "Ann", "notify each game")
        assert sum("seven swans" in body(mail) for mail in letters) == 1
        assert [is_digest(mail) for mail in letters].count(True) == 1
        at.now += timedelta(days=3)
        at.work()
        assert not any(is_digest(mail) for mail in at.mails("Ann"))


def test_a_quiet_day_brings_no_digest(tmp_path: Path) -> None:
    """Where nothing happens and no game waits, nothing comes."""
    with club(tmp_path) as at:
        at.at.open_game("winter", of("Ann", "Bob"), at.now)
        at.work()
        begun = {name: at.mails(name) for name in ("Ann", "Bob")}
        other = next(name for name in ("Ann", "Bob") if name != acting(at, "winter"))
        at.replies(begun[other][0], other, "digest daily")
        at.now += timedelta(days=1)
        at.work()
        at.mails(other)
        at.now += timedelta(days=1)
        at.work()
        assert at.mails(other) == []


def test_a_defect_in_one_digest_does_not_stop_the_others(tmp_path: Path) -> None:
    """A digest that cannot be made waits, the failure is raised, and the others go out once."""
    with club(tmp_path) as at:
        begin(at)
        with at.at.store.begin_transaction() as transaction:
            stored = transaction.documents.get_document("digest", address("Ann"))
            assert stored is not None
            broken = DigestBook.read_text(stored.data)
            transaction.documents.store_document(type(stored)("digest", "aaa@example.org", "{}", stored.due))
            assert broken.address == address("Ann")
        at.now += timedelta(days=1)
        with pytest.raises(Exception, match="address"):
            send_due_digests(at.at, at.now)
        at.at.send_letters(at.now)
        assert [is_digest(mail) for mail in at.mails("Ann")] == [True]
        send_due_digests(at.at, at.now)
        at.at.send_letters(at.now)
        assert at.mails("Ann") == []


# -- a week -----------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("seed", sample(range(3), 3))
def test_a_week_of_four_people_and_three_games(tmp_path: Path, seed: int) -> None:
    """Everybody hears of each turn and of each word once, whoever reads digests; and no turn that was sent is lost."""
    rng = Random(20261123 + seed)
    print(f"seed {20261123 + seed}")  # noqa: T201 - so that a failure can be repeated
    tables = {"winter": ("Ann", "Bob"), "glen": ("Ann", "Cal", "Dee"), "moor": ("Bob", "Dee")}
    got: dict[str, list[EmailMessage]] = {name: [] for name in NAMES}
    said = Counter[str]()
    with club(tmp_path) as at:
        for number, (name, names) in enumerate(tables.items()):
            at.at.open_game(name, of(*names, seed=number), at.now)
        at.work()
        for name in NAMES:
            got[name] += at.mails(name)
        for name in ("Ann", "Bob"):
            at.answer(got[name][0], name, "digest daily")
        waiting = {name: list(got[name]) for name in NAMES}
        for _ in range(28):
            at.now += SIX_HOURS
            at.work()
            for name in NAMES:
                new = at.mails(name)
                got[name] += new
                waiting[name] = _answer(at, name, [*waiting[name], *new], rng, said)
        at.now += timedelta(days=1)
        at.work()
        for name in NAMES:
            got[name] += at.mails(name)
        games = {name: hosted(at, name) for name in tables}
        mails = at.at.store.list_finished(list(range(1, 500)))
    assert all(mail.state in {DONE, FILED} for mail in mails)
    assert sum(each.turns for each in games.values()) > 12
    for name in ("Ann", "Bob"):
        _check_told(name, got[name], games, tables)
    _check_words(said, got, tables)


def _answer(at: Club, name: str, letters: list[EmailMessage], rng: Random, said: Counter[str]) -> list[EmailMessage]:
    """Answer some of the letters that ask, each with a word to all; those that are left for later."""
    left = []
    for mail in letters:
        lines = _lines(mail, rng)
        if lines and rng.random() < 0.5:
            left.append(mail)
        elif lines:
            word = f"word{len(said)}x{name}"
            prefix = lines[0].partition(": ")[0] + ": " if is_digest(mail) else ""
            said[word] += 1
            at.answer(mail, name, "\n".join((*lines, f"{prefix}say to all: {word}")))
    return left


def _lines(mail: EmailMessage, rng: Random) -> list[str]:
    """What somebody answers to a letter that asks for turns."""
    if not is_digest(mail):
        offered = examples(mail)
        return [rng.choice(offered)] if offered else []
    by_game: dict[str, list[str]] = {}
    for line in SAMPLE.findall(body(mail)):
        by_game.setdefault(line.partition(":")[0], []).append(line)
    return [rng.choice(lines) for lines in by_game.values()]


def _check_told(
    name: str, letters: list[EmailMessage], games: dict[str, HostedGame], tables: dict[str, tuple[str, ...]]
) -> None:
    """Each turn of a game that somebody reads digests of is in one digest, unless a single mail told it."""
    told = Counter[tuple[str, int]]()
    for mail in filter(is_digest, letters):
        current = ""
        for found in TOLD.finditer(body(mail)):
            current = found["game"] or current
            if found["turn"]:
                told[current.lower(), int(found["turn"])] += 1
    assert max(told.values()) == 1, [key for key, count in told.items() if count > 1]
    singles = [str(mail["Subject"]) for mail in letters if not is_digest(mail)]
    over = any("Game over" in subject for subject in singles)
    for game_name, names in tables.items():
        if name in names:
            wanted = {(game_name, number) for number in range(1, games[game_name].turns + 1)}
            missing = wanted - told.keys()
            assert not missing or over, (game_name, missing)


def _check_words(
    said: Counter[str],
    got: dict[str, list[EmailMessage]],
    tables: dict[str, tuple[str, ...]],
) -> None:
    """Nobody reads a word of somebody else twice, and most words are read."""
    assert any(f'"{word}"' in body(mail) for word in said for mails in got.values() for mail in mails)
    for word in said:
        speaker = word.partition("x")[2]
        for name in NAMES:
            heard = sum(f'"{word}"' in body(mail) for mail in got[name])
            near = any({speaker, name} <= set(names) for names in tables.values())
            assert heard <= (1 if near and name != speaker else 0), (word, name)
