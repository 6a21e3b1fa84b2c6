"""Gathering players by mail: from a line to a game that begins, and everything that can go wrong on the way."""

from __future__ import annotations

import re
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest

from tests.host.small_club import INVITES, Club, club, invited, text_of
from tests.host.year.players import HOST, TIME, game
from tests.mail.mails import body
from tests.shared.club_lines import read_club_line
from tests.shared.tables import each_row
from tkid.club.lobby import OPEN_FOR, REMEMBERED
from tkid.club.order_values import NewGame
from tkid.host.transports import Maildir
from tkid.mail.game_clock import format_day
from tkid.record.format.reader import read_record
from tkid.record.format.seal import find_seal
from tkid.record.play.replay import replay
from tkid.record.proof import prove

# -- invitations ------------------------------------------------------------------------------------------


def test_an_invitation_that_is_accepted_becomes_a_proven_game(at: Club) -> None:
    made, invitation = invited(at, f"{INVITES}, clock 3 days a turn, 1 day grace\nwords: a fox in the glen")
    (table,) = at.tables()
    assert at.games() == []
    seal = table.seal
    assert seal[:32] in body(invitation)
    assert seal[:32] in body(made)
    assert str(invitation["List-Unsubscribe"]).endswith("body=block>")
    first = at.replies(invitation, "Bob", "accept\nwords: seven swans")
    assert len(first) == len(at.mails("Ann")) == 1, "the first letters of the game answer the acceptance"
    (begun,) = at.games()
    record = read_record(begun.record.encode()).record
    assert begun.id == "spring"
    assert record is not None
    stated = find_seal(record)
    assert stated is not None
    assert (stated.seal.hex(), stated.words) == (seal, ("a fox in the glen", "seven swans"))
    assert "3 days a turn, 1 day grace" in begun.record
    proof = prove(replay(record))
    assert (proof.contradicted, proof.complete) == ((), True)
    assert at.tables()[0].entropy == "", "the club keeps the host's half no longer than it needs it"


def test_accept_can_be_ordered_by_name_and_under_another_name(at: Club) -> None:
    invited(at)
    (question,) = at.asks("Bob", "accept spring as Robin")
    assert at.games() == [], "a From line alone is not enough"
    at.replies(question, "Bob", "yes")
    (begun,) = at.games()
    assert "Seat: Robin <bob@example.org>" in begun.record


def test_yes_and_no_answer_an_invitation(at: Club) -> None:
    _, invitation = invited(at)
    at.replies(invitation, "Bob", "Yes please")
    assert [each.id for each in at.games()] == ["spring"]


def test_declining_starts_nothing_and_the_maker_hears(at: Club) -> None:
    _, invitation = invited(at)
    (answer,) = at.replies(invitation, "Bob", "decline")
    (news,) = at.mails("Ann")
    assert body(news).startswith("spring does not begin: Bob declined.")
    assert body(answer).startswith("spring does not begin.")
    assert at.games() == []
    (late,) = at.replies(invitation, "Bob", "accept")
    assert "club.expire" in body(late)
    assert at.games() == []


def test_an_invitation_expires_and_the_maker_hears_once(at: Club) -> None:
    _, invitation = invited(at)
    at.now = TIME + OPEN_FOR - timedelta(minutes=1)
    at.work()
    assert at.mails("Ann") == []
    at.now = TIME + OPEN_FOR
    at.work()
    (news,) = at.mails("Ann")
    assert body(news).startswith("spring does not begin: Bob did not answer in time.")
    assert at.mails("Bob") == [], "whoever was invited gets one letter"
    (late,) = at.replies(invitation, "Bob", "accept")
    assert "club.expire" in body(late)
    at.work()
    assert at.mails("Ann") == []
    at.now += REMEMBERED
    at.work()
    assert at.tables() == []


def test_an_open_game_waits_as_long_as_its_maker_chooses(at: Club) -> None:
    """Who made it and who joined read until when it is open, how others join and how to leave; both hear that it lapsed."""
    key = at.key("Ann")
    (made,) = at.replies(key, "Ann", "new game second-edition for 3, called spring, open 30 days")
    (joined,) = at.asks("Bob", "join spring")
    (joined,) = at.replies(joined, "Bob", "yes")
    until = format_day(TIME + timedelta(days=30))
    for letter in (made, joined):
        assert f"open until {until}" in text_of(letter)
        assert "`join spring`" in text_of(letter)
        assert "`decline spring`" in text_of(letter)
    at.now = TIME + timedelta(days=30) - timedelta(minutes=1)
    at.work()
    assert at.mails("Ann") == at.mails("Bob") == []
    at.now = TIME + timedelta(days=30)
    at.work()
    for name in ("Ann", "Bob"):
        (news,) = at.mails(name)
        assert body(news).startswith("spring does not begin: too few players joined in time.")
        assert "open 30 days" in body(news)


def test_the_seal_is_in_one_box(at: Club) -> None:
    _, invitation = invited(at)
    page = next(part for part in invitation.walk() if part.get_content_type() == "text/html").get_content()
    (table,) = at.tables()
    (box,) = [each for each in re.findall(r"<p.*?</p>", page, re.DOTALL) if table.seal[:20] in each]
    assert table.seal[-20:] in box


def test_block_ends_all_letters_and_declines(at: Club) -> None:
    _, invitation = invited(at)
    assert at.replies(invitation, "Bob", "block") == [], "no letter, not even an answer"
    (news,) = at.mails("Ann")
    (again,) = at.replies(news, "Ann", "play with bob@example.org")
    assert "club.block" in body(again)
    assert at.asks("Bob", "help") == []
    (welcome,) = at.replies(invitation, "Bob", "unblock")
    assert str(welcome["To"]).endswith("bob@example.org")
    at.replies(news, "Ann", "play with bob@example.org")
    assert len(at.mails("Bob")) == 1, "an invitation comes again"


def test_the_owner_may_take_nobody_in(tmp_path: Path) -> None:
    with club(tmp_path, "nobody") as at:
        at.at.open_game("winter", game(1), TIME)
        at.work()
        (letter,) = at.mails("Ann")[:1]
        (answer,) = at.replies(letter, "Ann", "play with zoe@example.org")
        assert "club.welcome" in body(answer)
        assert at.mails("Zoe") == []


# -- open games -------------------------------------------------------------------------------------------


def test_an_open_game_begins_when_all_seats_are_taken(at: Club) -> None:
    keys = {name: at.key(name) for name in ("Ann", "Bob", "Cal", "Dee")}
    at.replies(keys["Ann"], "Ann", "new game second-edition for 3, called glen")
    (listing,) = at.replies(keys["Bob"], "Bob", "open games")
    assert "join glen" in body(listing)
    (joined,) = at.replies(keys["Bob"], "Bob", "join glen")
    assert "1 more player" in body(joined)
    (twice,) = at.replies(keys["Bob"], "Bob", "join glen")
    assert "already" in body(twice)
    assert at.games() == []
    for name in ("Cal", "Dee"):  # two mails for the last seat in one round
        at.answer(keys[name], name, "join glen")
    at.work()
    assert [each.id for each in at.games()] == ["glen"]
    (one,), (other,) = at.mails("Cal"), at.mails("Dee")
    first, late = (one, other) if str(one["Subject"]).startswith("[glen]") else (other, one)
    assert str(first["Subject"]).startswith("[glen] Turn 1")
    assert "glen has begun already" in body(late)


def test_an_answer_to_what_was_mistyped_still_means_the_invitation(at: Club) -> None:
    _, invitation = invited(at)
    (wrong,) = at.replies(invitation, "Bob", "acept")
    assert at.games() == []
    at.replies(wrong, "Bob", "yes")
    assert len(at.games()) == 1


def test_an_invitation_that_is_answered_in_other_words_is_asked_about_once_more(at: Club) -> None:
    _, invitation = invited(at)
    (asked,) = at.replies(invitation, "Bob", "yes, count me in!")
    assert at.games() == []
    assert body(asked).startswith("Do you accept the invitation to ")
    at.replies(asked, "Bob", "yes")
    assert len(at.games()) == 1


def test_two_acceptances_in_one_round_begin_one_game(at: Club) -> None:
    key = at.key("Ann")
    at.replies(key, "Ann", "new game with bob@example.org, cal@example.org")
    for name in ("Bob", "Cal"):
        (invitation,) = at.mails(name)
        at.answer(invitation, name, "accept")
    at.work()
    assert len(at.games()) == 1
    assert sorted(len(at.mails(name)) for name in ("Ann", "Bob", "Cal")) == [1, 1, 2], "who accepted first heard of it"


def test_a_seat_that_is_given_back_is_free_again(at: Club) -> None:
    keys = {name: at.key(name) for name in ("Ann", "Bob")}
    at.replies(keys["Ann"], "Ann", "new game for 3, called glen")
    at.replies(keys["Bob"], "Bob", "join glen")
    at.replies(keys["Bob"], "Bob", "decline glen")
    (table,) = at.tables()
    assert (table.state, table.free) == ("open", 2)
    assert at.mails("Ann") == []


def test_the_same_mail_twice_is_done_once(at: Club) -> None:
    key = at.key("Ann")
    at.answer(key, "Ann", "new game for 3")
    (mail,) = (at.folder / "in" / "new").iterdir()
    copy = mail.read_bytes()
    at.work()
    (at.folder / "in" / "new" / "copy").write_bytes(b"Received: by another way\r\n" + copy)
    at.work()
    assert len(at.tables()) == 1
    assert len(at.mails("Ann")) == 1


# -- what is wrong ----------------------------------------------------------------------------------------

WRONG = [
    ("new game secnd-edition with bob@", "club.order", "second-edition"),
    ("new game second-edition with bob@", "club.order", "bob@example.org"),
    ("new game with ann@example.org", "club.new-game", "somebody else"),
    ("new game with Ann <bob@example.org>", "record.seat.unique", "as Robin"),
    ("new game with Pass <bob@example.org>", "record.seat.like-card", "Robin <robin@example.org>"),
    (
        "new game claim for 9",
        "record.seats",
        "Choose another number",
    ),
    ("new game for 2, ruling no.such thing", "record.ruling", ""),
    ("join nowhere", "club.accept", "open games"),
    ("join glem", "club.accept", "`glen`"),
    ("new game for 2, called glen", "club.name", "called glen-2"),
    ("accept", "club.accept", "games"),
    ("decline glen-7", "club.accept", "`glen`"),
    ("rematch", "club.rematch", "rematch spring"),
    ("words: a fox", "club.accept", "games"),
]


@pytest.fixture
def asking(at: Club) -> tuple[Club, EmailMessage]:
    """A club in which Cal looks for players, and a letter to Ann."""
    at.replies(at.key("Cal"), "Cal", "new game for 3, called glen")
    return at, at.key("Ann")


@each_row("order, rule, way_out", WRONG)
def test_what_cannot_be_done_changes_nothing_and_has_a_way_out(
    asking: tuple[Club, EmailMessage], order: str, rule: str, way_out: str
) -> None:
    at, key = asking
    before = at.tables()
    (answer,) = at.replies(key, "Ann", order)
    assert body(answer).startswith("Not done: ")
    assert f"The full rule, {rule}:" in body(answer)
    assert way_out in text_of(answer)
    assert (at.tables(), at.games(), at.mails("Bob")) == (before, [], [])


def test_nobody_can_invite_without_end(at: Club) -> None:
    key = at.key("Ann")
    for number in range(4):
        (answer,) = at.replies(key, "Ann", f"new game for 4, called glen-{number}")
    at.replies(key, "Ann", "new game for 2, called glen-4")
    (answer,) = at.replies(key, "Ann", "new game for 2, called glen-5")
    assert "5 games already" in text_of(answer)
    assert "decline glen-0" in text_of(answer)


def test_there_is_a_limit_of_invitations_on_a_day(at: Club) -> None:
    key = at.key("Ann")
    for number in range(5):
        guests = ", ".join(f"{name} <{name}{number}@example.org>" for name in ("Eve", "Flo", "Gus"))
        (answer,) = at.replies(key, "Ann", f"new game with {guests}")
    assert "club.invitation" in body(answer)
    assert len(at.tables()) == 4


# -- names that somebody chooses in an order ---------------------------------------------------------------

NEW = "new game claim for 2"


@each_row(
    "text, title, name",
    [
        (f"{NEW} called loch as Zoë", "loch", "Zoë"),
        (f"{NEW}, called loch as Zoë", "loch", "Zoë"),
        (f"{NEW}, called loch, and as Zoë", "loch", "Zoë"),
        (f"{NEW} as Zoë", "", "Zoë"),
        (f"{NEW}, as Zoë Lee, called loch", "loch", "Zoë Lee"),
        ("new game claim with Bob <bob@example.org> as Zoë", "", "Zoë"),
        ("play with bob@example.org, clock 3 days a turn as Zoë", "", "Zoë"),
    ],
)
def test_a_name_needs_no_comma_before_it(text: str, title: str, name: str) -> None:
    """Cites: club.new-game."""
    order = read_club_line(text)
    assert isinstance(order, NewGame)
    assert (order.title, order.name) == (title, name)


def test_a_refused_name_is_pointed_at_with_advice_that_works(tmp_path: Path) -> None:
    """Cites: club.names."""
    with club(tmp_path) as at:
        keys = {name: at.key(name) for name in ("Ann", "Bob", "Dee")}
        at.replies(keys["Ann"], "Ann", f"{NEW}, called loch as Ann")
        for sender, order, name in (
            ("Ann", f"{NEW}, as Ann#1", "Ann#1"),
            ("Ann", f"{NEW}, called tarn as 123", "123"),
            ("Ann", f"{NEW} as www.evil.example", "www.evil.example"),
            ("Ann", "new game second-edition with Cal.Cal.example <cal@example.org>", "Cal.Cal.example"),
            ("Dee", f"{NEW} as pass", "pass"),
            ("Dee", f"{NEW} as Guest Wren", "Guest Wren"),
            ("Bob", "join loch as www.evil.example", "www.evil.example"),
        ):
            (answer,) = at.replies(keys[sender], sender, order)
            lines = body(answer).split("\n")
            assert lines[0].startswith(f"Not done: `{name}`") or lines[0] == "Not done, for the reason below."
            place = next(index for index, line in enumerate(lines) if set(line.strip()) == {"^"})
            begin = lines[place].index("^")
            assert lines[place - 1][begin : begin + lines[place].count("^")] == name
            assert "[record." not in text_of(answer)
            assert "`as Robin`" in text_of(answer)
            (done,) = at.replies(keys[sender], sender, order.replace(name, "Robin"))[:1]
            assert not body(done).startswith("Not done"), order


@pytest.mark.parametrize(
    ("address", "written", "name", "reason"),
    [
        ("x78", "Florian Berg", "Florian Berg", ""),
        ("x78", "", "X", ""),
        ("x79", "www.evil.example", "X", "into a link"),
        ("x79", "Guest Wren", "X", "pseudonym"),
        ("x79", "Pass", "X", "begins a turn"),
        ("x79", f"Ann{'n' * 70} Smith", "X", "characters"),
        ("m1", "www.evil.example", "Player", "into a link"),
        ("m1", "", "Player", "would be read as Manoeuvre"),
        ("pass", "", "Player", "begins a turn"),
        ("yes", "", "Player", "an order or an answer"),
    ],
)
@pytest.mark.parametrize("order", ["new game second-edition for 2", "join spring", "new game with bot"])
def test_the_name_of_the_first_mail_is_taken_or_the_answer_says_why_not(  # noqa: PLR0917 - of a table
    at: Club, order: str, address: str, written: str, name: str, reason: str
) -> None:
    at.replies(at.key("Zoe"), "Zoe", "new game second-edition for 3, called spring")
    sender = f'"{written}" <{address}@example.org>' if written else f"{address}@example.org"
    mail = f"From: {sender}\nTo: {HOST}\nMessage-ID: <first@x.example>\n\n{order}\n"
    Maildir(at.folder / "in").add_mail(mail.encode())
    at.work()
    (question,) = at.mails(address)
    yes = f"From: {address}@example.org\nTo: {question['Reply-To']}\nMessage-ID: <second@x.example>\n\nyes\n"
    Maildir(at.folder / "in").add_mail(yes.encode())
    at.work()
    answers = at.mails(address)
    said = " ".join(map(text_of, answers))
    assert any(str(answer["To"]).startswith((f"{name} <", f'"{name}" <')) for answer in answers)
    assert (f"You play as {name}, not under your own name" in said) == bool(reason)
    assert reason in said
    assert ("as NAME`" in said) == bool(reason)
    if name == "Player" and order != "new game with bot":
        table = next(each for each in at.tables() if each.place(f"{address}@example.org"))
        at.replies(answers[0], address, f"join {table.name} as Robin")
        assert "Robin" in {place.name for each in at.tables() for place in each.places}


def test_a_name_of_a_game_with_accents_is_proposed_without_them(tmp_path: Path) -> None:
    with club(tmp_path) as at:
        (answer,) = at.replies(at.key("Ann"), "Ann", f"{NEW}, called Lôch Ness")
        assert "You could write `called loch-ness`." in text_of(answer)


def test_a_line_is_no_longer_than_its_paragraph(tmp_path: Path) -> None:
    """What a mail program writes below an empty line is no part of a long order."""
    with club(tmp_path) as at:
        order = "new game second-edition with Bob Baker the Second <bob@example.org>, called tarn"
        (answer,) = at.replies(at.key("Ann"), "Ann", order)
        assert body(answer).startswith("tarn waits for Bob Baker the Second.")
