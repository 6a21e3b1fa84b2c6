"""What the desk answers its owner: every line in its order, where a line is wrong, and what becomes of filed mails."""

from __future__ import annotations

from email.message import EmailMessage
from pathlib import Path

import pytest

from tests.host.test_desk import Club, club, filed
from tests.host.test_mistyped import place_in, place_of
from tests.host.year.players import NAMES, letters
from tests.mail.mails import body
from tests.shared.club_lines import read_desk_line
from tests.shared.tables import each_row
from tkid.club.desk_orders import TABLE, DeskOrder
from tkid.kernel.problems import Problem

GAMES = ("winter", "glen")
STRANGER = "zoe@example.org"
WRONG = [
    ("pause wintr: snow", "wintr", "Did you mean winter?"),
    ("pause  wintr:   snow", "wintr", "Did you mean winter?"),
    ("pasue winter: snow", "pasue", "Did you mean `pause winter: snow`?"),
    ("pasue wintr: snow", "pasue", "Did you mean `pause wintr: snow`?"),
    ("tkae back glen from turn 2: slip", "tkae", "Did you mean `take back glen from turn 2: slip`?"),
    ("confirm clokc", "clokc", "Did you mean `confirm clock`?"),
    ("filde", "filde", "Did you mean `filed`?"),
    ("proces 12: she is known", "proces", "Did you mean `process 12: she is known`?"),
    ("show twelve", "twelve", "`filed` lists the mails"),
]
NO_ORDERS = [
    "Disk space is low",
    "Bank holiday: I am away",
    "Shower at 12",
    "Important news for everybody",
    "Please note: the host moves",
    "Back soon",
]


def written(line: str, problem: Problem) -> str:
    """The part of a line that a problem is about."""
    return line[problem.col - 1 : problem.col - 1 + problem.length]


@each_row("line, wrong, way_out", WRONG)
def test_a_mistyped_line_shows_its_place_and_the_way_out(line: str, wrong: str, way_out: str) -> None:
    problem = read_desk_line(line, GAMES)
    assert isinstance(problem, Problem)
    assert written(line, problem) == wrong
    assert way_out in problem.hint
    assert problem.rule.startswith("club.desk.")


@each_row("line", NO_ORDERS)
def test_prose_is_no_order_of_the_desk(line: str) -> None:
    assert not isinstance(read_desk_line(line, GAMES), DeskOrder)
    assert read_desk_line(line, GAMES) is None or line == "Back soon"


def answered(at: Club, *lines: str) -> EmailMessage:
    """The one answer to a reply of the owner's."""
    at.answer(at.letter(), *lines)
    (letter,) = letters(at.folder, "owner")
    return letter


def test_each_line_has_its_answer_in_its_place(tmp_path: Path) -> None:
    with club(tmp_path, "winter", "glen") as at:
        lines = ["announce all: Hello!", "pasue glen: y", "abort glen", "new game for 2", "digest dayly", "games"]
        text = body(answered(at, *lines))
        assert text.startswith("Is this what you want?")
        places = [place_of(text, line) for line in lines if not line.startswith("abort")]
        assert places == sorted(places)
        assert text.index("---") < places[0] < text.index("Announced in two games: glen, winter.") < places[1]
        assert "this is an order to the club" in text
        assert "Did you mean `digest daily`?" in text
        assert text.index("    abort glen\n") < places[0]


@pytest.mark.parametrize(
    ("line", "wrong", "way_out"),
    [
        ("extend winter Amm 2 days: ill", "Amm", "The players are Ann and Bob."),
        ("extend winter NEXT 2 dys: ill", "2 dys", "`2 days`"),
        ("extend winter NEXT: ill", "", "`2 days`"),
        ("extend winter OTHER 2 days: ill", "OTHER", "turn"),
        ("deadline winter NEXT someday: ill", "someday", "2026"),
        ("take back winter from turn 9: slip", "winter", "Nobody has played yet."),
        ("replace winter Ann by Cal: gone", "Cal", "`replace winter PLAYER by NAME <ADDRESS>`"),
        ("address winter Ann nowhere: moved", "nowhere", "plain address"),
        ("resume glen", "glen", "It is already running"),
        ("announce glen", "", "write `announce glen: TEXT`"),
        ("process 99: why not", "99", "reply `filed`"),
    ],
)
def test_the_caret_is_under_the_wrong_word(tmp_path: Path, line: str, wrong: str, way_out: str) -> None:
    with club(tmp_path, "winter", "glen") as at:
        game = at.game()
        assert game.to_act is not None
        names = {"NEXT": game.names[game.to_act], "OTHER": game.names[1 - game.to_act]}
        for word, name in names.items():
            line, wrong = line.replace(word, name), wrong.replace(word, name)
        letter = answered(at, line)
        assert body(letter).startswith("Not done: ")
        assert place_in(letter).strip(" :") == wrong
        assert way_out in " ".join(body(letter).split())


def test_the_list_of_orders_is_whole_and_the_owners_help_leads_to_it(tmp_path: Path) -> None:
    with club(tmp_path) as at:
        text = " ".join(body(answered(at, "desk")).split())
        for kind in TABLE:
            assert kind.form in text, kind.name
        assert "…" not in text
        at.plain("help")
        assert "reply `desk`" in at.told()[0]


def test_errors_in_a_mail_without_a_key_are_told_and_nothing_is_done(tmp_path: Path) -> None:
    with club(tmp_path) as at:
        at.plain("pause wintr: snow")
        (letter,) = letters(tmp_path, "owner")
        assert (place_in(letter), "reply `yes`" in body(letter)) == ("wintr", False)
        at.plain("pause wintr: snow", "pause winter: snow")
        (letter,) = letters(tmp_path, "owner")
        assert (place_in(letter), "\n    pause winter: snow\n" in body(letter)) == ("wintr", True)
        assert at.game().time.paused is None
        at.answer(letter, "yes")
        assert at.game().time.paused is not None


# -- filed mails ------------------------------------------------------------------------------------------


def processed(at: Club, key: EmailMessage, part: bytes) -> str:
    """What the owner hears who has a filed mail carried out, on one line."""
    number = next(mail.number for mail in filed(at.host) if part in mail.raw)
    at.answer(key, f"process {number}: a friend")
    (told,) = at.told()
    return told


def test_orders_of_a_stranger_are_carried_out_once(tmp_path: Path) -> None:
    with club(tmp_path) as at:
        at.plain("new game for 2, called spring", sender=STRANGER)
        at.plain("acept", sender="yan@example.org")
        key = at.letter()
        assert at.told("zoe") == []
        assert "was carried out" in processed(at, key, b"called spring")
        (told,) = at.told("zoe")
        assert told.startswith("spring waits for 1 more player")
        assert not any(b"called spring" in mail.raw for mail in filed(at.host)), "it is listed no more"
        told = processed(at, key, b"acept")
        assert told.startswith("Not done: the order in mail 2 was refused: ")
        assert "Its sender gets an answer that says why." in told
        (told,) = at.told("yan")
        assert "Did you mean `accept`?" in told


def test_a_key_in_another_hand_counts_for_the_address_that_it_went_to(tmp_path: Path) -> None:
    with club(tmp_path) as at:
        at.plain("new game with bob@example.org, called spring", sender="ann@example.org")
        (asked,) = [mail for mail in letters(tmp_path, "Ann") if "Is this mail from you?" in body(mail)]
        at.mails += 1
        reply_to = str(asked["Reply-To"]).rpartition("<")[2].rstrip(">")
        head = f"From: ann@work.example\nTo: {reply_to}\nMessage-ID: <work@example.org>\n"
        at.gets(f"{head}\nyes\n".encode())
        key = at.letter()
        assert "was carried out" in processed(at, key, b"ann@work.example")
        assert at.told("Ann")[0].startswith("spring waits for Bob")
        assert not (tmp_path / "out" / "ann@work.example").exists()


def test_what_stays_filed_says_why_and_what_to_do(tmp_path: Path) -> None:
    with club(tmp_path, "winter", "glen") as at:
        for name in NAMES[:2]:
            assert len(letters(tmp_path, name)) == 2, "one of each game"
        at.plain("Hello there", sender=STRANGER)
        at.plain("Pass", sender="bob@example.org")
        at.told("Bob")
        at.plain("help", sender="yan@example.org", headers="Auto-Submitted: auto-replied\n")
        key = at.letter()
        for part, why, way_out in (
            (b"Hello there", "there is no order in mail", "write to the sender yourself"),
            (b"bob@example.org", "its sender has seats in glen and winter", "reply to a mail of the game"),
            (b"yan@example.org", "automatic mail", "Ask the sender to write again"),
        ):
            told = processed(at, key, part)
            assert told.startswith("Not done:")
            assert why in told
            assert way_out in told
        assert len(filed(at.host)) == 3, "all are still listed"
        assert [at.told(name) for name in ("zoe", "Bob", "yan")] == [[], [], []]


def test_a_mail_over_which_the_program_fails_is_told_of_and_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ArithmeticError

    with club(tmp_path) as at:
        at.plain("new game for 2, called spring", sender=STRANGER)
        key = at.letter()
        monkeypatch.setattr("tkid.host.club_mail.carry_out_line", fail)
        told = processed(at, key, b"called spring")
        assert told.startswith("Not done: the program fails on mail")
        assert "ask the sender to write again" in told
        assert [mail.state for mail in filed(at.host)] == ["filed"]
        monkeypatch.undo()
        assert "was carried out" in processed(at, key, b"called spring")
