"""Orders of the owner by mail: who may give them, what is confirmed, and what becomes of each."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest
import sqlalchemy as sql
from attrs import define

from tests.host.test_clock import clocked
from tests.host.year.players import HOST, NAMES, TIME, examples, letters, reply
from tests.mail.mails import body
from tkid.host.service import Host
from tkid.host.store.documents import StoredMail
from tkid.host.store.schema import known
from tkid.host.store.store import Store
from tkid.host.transports import Maildir
from tkid.mail.envelope import Required
from tkid.mail.game_service import HostedGame

OWNER = "owner@example.org"
VOUCHED = "Authentication-Results: mx.games.example; dmarc=pass header.from=example.org\n"


@define
class Club:
    """A host with an owner, and its mailboxes."""

    folder: Path
    host: Host
    mails: int = 0

    def gets(self, mail: bytes) -> None:
        """A mail comes, and the host works."""
        Maildir(self.folder / "in").add_mail(mail)
        now = TIME + timedelta(minutes=self.mails)
        self.host.fetch_mails(Maildir(self.folder / "in"), now)
        self.host.work_on_all(now)
        self.host.send_letters(now)

    def plain(self, *lines: str, sender: str = OWNER, headers: str = "") -> None:
        """A mail without a key comes."""
        self.mails += 1
        head = f"From: {sender}\nTo: {HOST}\nSubject: desk\nMessage-ID: <plain-{self.mails}@example.org>\n{headers}"
        self.gets(f"{head}\n{chr(10).join(lines)}\n".encode())

    def answer(self, letter: EmailMessage, *lines: str) -> None:
        """The owner answers a letter."""
        self.mails += 1
        self.gets(reply(letter, "\n".join(lines), "owner", self.mails))

    def told(self, name: str = "owner") -> list[str]:
        """What somebody has got since, each letter on one line."""
        return [" ".join(body(mail).split()) for mail in letters(self.folder, name)]

    def letter(self) -> EmailMessage:
        """A letter to the owner, with a key."""
        self.plain("desk")
        (letter,) = letters(self.folder, "owner")
        return letter

    def game(self, name: str = "winter") -> HostedGame:
        """A game as the host has it."""
        stored = self.host.store.get_game(name)
        assert stored is not None
        return HostedGame.read_stored(stored.record, stored.memory)


@contextmanager
def club(folder: Path, *games: str, required: Required | None = None) -> Iterator[Club]:
    """A host with games that all players know of."""
    store = Store.make_store(f"sqlite:///{folder / 'host.db'}")

    def send(to: str, mail: bytes) -> None:
        Maildir(folder / "out" / to).add_mail(mail)

    host = Host(store, HOST, b"s" * 32, send, OWNER, required)
    for game in games or ("winter",):
        host.open_game(game, clocked(), TIME)
    host.send_letters(TIME)
    yield Club(folder, host)
    store.close()


def test_a_mail_without_a_key_is_confirmed_first(tmp_path: Path) -> None:
    with club(tmp_path) as at:
        at.plain("pause winter: snow")
        (asked,) = letters(tmp_path, "owner")
        assert "Is this mail from you?" in body(asked)
        assert at.game().time.paused is None
        at.answer(asked, "yes")
        assert at.game().time.paused is not None
        (told,) = at.told()
        assert "winter: paused" in told
        at.answer(asked, "yes")
        assert "Nothing waits for your answer here" in at.told()[0]


@pytest.mark.parametrize("whose", ["nobody's", "a player's"])
def test_an_order_with_a_key_that_the_owner_did_not_get_is_confirmed_too(tmp_path: Path, whose: str) -> None:
    with club(tmp_path) as at:
        for name in NAMES[:2]:
            letters(tmp_path, name)
        letter = at.letter()
        key = find_key(letter)
        at.plain("help", sender="ann@example.org")
        other = find_key(letters(tmp_path, "Ann")[0]) if whose == "a player's" else key[::-1]
        at.gets(reply(letter, "pause winter: snow", "owner", 99).replace(key.encode(), other.encode()))
        (asked,) = letters(tmp_path, "owner")
        assert "Is this mail from you?" in body(asked)
        at.answer(asked, "yes")
        assert at.game().time.paused is not None


def find_key(letter: EmailMessage) -> str:
    """Return the key in the reply address of a letter."""
    return str(letter["Reply-To"]).partition("+")[2].partition("@")[0]


def test_a_stranger_and_a_wrong_key_order_nothing(tmp_path: Path) -> None:
    with club(tmp_path) as at:
        for name in NAMES[:2]:
            letters(tmp_path, name)
        at.plain("abort winter: ha", sender="mallory@example.org")
        letter = at.letter()
        forged = reply(letter, "abort winter: ha", "mallory", 99)
        at.gets(forged)
        assert not at.game().time.over
        assert at.told("mallory") == []
        assert at.told() == []


def test_who_forges_the_owners_address_does_not_flood_the_owner(tmp_path: Path) -> None:
    with club(tmp_path) as at:
        for number in range(15):
            at.plain(f"pause winter: {number}")
        assert len(at.told()) == 10
        assert at.game().time.paused is None


def test_where_the_server_vouches_no_key_is_needed(tmp_path: Path) -> None:
    with club(tmp_path, required=Required("mx.games.example")) as at:
        at.plain("pause winter: snow")
        assert at.told() == []
        assert at.game().time.paused is None
        at.plain("pause winter: snow", headers=VOUCHED)
        assert "winter: paused" in at.told()[0]


def test_several_orders_in_one_mail_each_with_its_answer(tmp_path: Path) -> None:
    with club(tmp_path, "winter", "glen") as at:
        for name in NAMES[:2]:
            letters(tmp_path, name)
        at.answer(at.letter(), "announce all: Happy new year!", "pause wintr: x", "games")
        (told,) = at.told()
        assert "Announced in two games: glen, winter." in told
        assert "Did you mean winter" in told
        assert "Bob to play" in told or "Ann to play" in told
        assert [len(at.told(name)) for name in NAMES[:2]] == [2, 2], "one letter a game to each"


def test_grave_orders_are_confirmed_unless_they_name_game_and_reason(tmp_path: Path) -> None:
    with club(tmp_path, "winter", "glen") as at:
        letter = at.letter()
        at.answer(letter, "abort winter")
        (asked,) = letters(tmp_path, "owner")
        assert "Reply `yes`" in body(asked)
        assert not at.game().time.over
        at.answer(asked, "yes")
        assert at.game().time.over
        at.answer(letter, "abort glen: nobody plays")
        assert at.game("glen").time.over


def test_a_turn_that_was_taken_back_is_played_again_and_an_old_key_is_not_good_for_more(tmp_path: Path) -> None:
    with club(tmp_path) as at:
        name, letter = next((n, mail) for n in NAMES[:2] for mail in letters(tmp_path, n) if examples(mail))
        at.gets(reply(letter, "Pass", name))
        assert at.game().turns == 1
        at.answer(at.letter(), "take back winter: she meant another one")
        assert [turn.undone for turn in at.game().record.turns] == [True]
        news = [mail for mail in letters(tmp_path, name) if examples(mail)]
        at.gets(reply(news[-1], "Pass", name, 7))
        assert [turn.undone for turn in at.game().record.turns] == [True, False]


def test_filed_mails_are_listed_shown_and_carried_out_after_all(tmp_path: Path) -> None:
    with club(tmp_path) as at:
        name = next(n for n in NAMES[:2] for mail in letters(tmp_path, n) if examples(mail))
        at.plain("Pass", sender=f"{name.lower()}@example.org")
        at.plain("Hello there", sender="mallory@example.org")
        key = at.letter()
        at.answer(key, "filed")
        (told,) = at.told()
        assert told.startswith("One filed mail waits for you.")
        assert "mallory@example.org" in told
        assert "reply `filed all`" in told, "the other one was answered with the help"
        at.answer(key, "filed all")
        (told,) = at.told()
        assert told.startswith("Two filed mails.")
        assert f"{name.lower()}@example.org" in told
        number = next(mail.number for mail in filed(at.host) if name.lower() in mail.raw.decode())
        at.answer(key, f"show {number}", f"process {number}: she has another phone")
        (told,) = at.told()
        assert "was carried out" in told
        assert at.game().turns == 1
        assert any("# host:" in text and "another phone" in text for text in at.game().record.turns[0].comments)
        stranger = next(mail.number for mail in filed(at.host) if b"mallory" in mail.raw)
        at.answer(key, f"process {stranger}", "process 999")
        (told,) = at.told()
        assert "there is no filed mail 999" in told
        assert told.count("Not done") >= 1


def test_an_answer_that_quotes_the_key_of_a_shown_mail_is_an_answer_to_the_desk(tmp_path: Path) -> None:
    """The key in the address counts first [mail.key]: no player is asked whether the owner's mail was theirs."""
    with club(tmp_path) as at:
        name, letter = next((n, mail) for n in NAMES[:2] for mail in letters(tmp_path, n) if examples(mail))
        at.gets(reply(letter, "Pass", name).replace(f"{name.lower()}@example".encode(), b"phone@example"))
        at.told(name)
        (mail,) = filed(at.host)
        at.answer(at.letter(), f"show {mail.number}")
        (shown,) = letters(tmp_path, "owner")
        key = find_key(letter)
        assert key in body(shown), "the shown mail quotes the key of the player"
        at.answer(shown, "pause winter: we are all away")
        (told,) = at.told()
        assert told.startswith("winter: paused")
        assert not any("was this mail yours" in str(each["Subject"]) for each in letters(tmp_path, name))
        assert [each.number for each in filed(at.host)] == [mail.number]


def test_a_mail_of_somebody_who_was_replaced_is_not_carried_out_any_more(tmp_path: Path) -> None:
    """Nor does the stand-in get the answer: to a mail that they never wrote."""
    with club(tmp_path) as at:
        name, letter = next((n, mail) for n in NAMES[:2] for mail in letters(tmp_path, n) if examples(mail))
        at.gets(reply(letter, "Pass", name).replace(f"{name.lower()}@example".encode(), b"phone@example"))
        at.told(name)
        at.answer(at.letter(), f"replace winter {name} by Dee <dee@example.org>: she is ill")
        (mail,) = filed(at.host)
        at.told(), at.told("Dee")
        at.answer(at.letter(), f"process {mail.number}: it was her phone")
        (told,) = at.told()
        assert f"the seat has another player now: Dee plays for {name}" in told
        assert "post.stand-in.told" in told
        assert at.told("Dee") == []
        assert at.game().turns == 0
        at.answer(at.letter(), f"back winter {name}")
        at.told(), at.told("Dee"), at.told(name)
        at.answer(at.letter(), f"process {mail.number}: it was her phone")
        assert at.game().turns == 1


@pytest.mark.parametrize("sender", ["own", "phone"])
@pytest.mark.parametrize("turns", [0, 2])
def test_an_old_key_of_a_seat_that_somebody_else_plays_counts_for_nobody(
    tmp_path: Path, sender: str, turns: int
) -> None:
    """Also if the mail came after the change, from any address; a key of the present player's letter counts."""
    with club(tmp_path) as at:
        asked = {n: mail for n in NAMES[:2] for mail in letters(tmp_path, n)}
        name = next(n for n, mail in asked.items() if examples(mail))
        other = next(n for n in asked if n != name)
        old = asked[name]
        at.answer(at.letter(), f"replace winter {name} by Dee <dee@example.org>: she is ill")
        at.told()
        (new,) = letters(tmp_path, "Dee")
        for number, player in enumerate(("Dee", other)[:turns]):
            asked_now = new if player == "Dee" else next(filter(examples, letters(tmp_path, other)))
            at.gets(reply(asked_now, "Pass", player, 50 + number))
        played = at.game().turns
        assert played == turns
        new = next(filter(examples, letters(tmp_path, "Dee")), new)
        mail = reply(old, "Pass", name, 60)
        at.gets(mail if sender == "own" else mail.replace(f"{name.lower()}@example".encode(), b"phone@example"))
        (found,) = filed(at.host)
        at.told(name), at.told("Dee")
        at.answer(at.letter(), f"process {found.number}: I know her")
        (told,) = at.told()
        assert f"the seat has another player now: Dee plays for {name}" in told
        assert (at.game().turns, at.told("Dee")) == (played, [])
        at.gets(reply(new, "Pass", "Dee", 61).replace(b"dee@example", b"mobile@example"))
        mine = max(each.number for each in filed(at.host))
        at.answer(at.letter(), f"process {mine}: her other address")
        assert at.game().turns == played + 1


def test_a_mail_whose_text_was_dropped_is_not_carried_out(tmp_path: Path) -> None:
    with club(tmp_path) as at:
        at.plain("Hello there", sender="mallory@example.org")
        (stranger,) = filed(at.host)
        key = at.letter()
        with at.host.store.begin_transaction() as transaction:
            assert transaction.retention.drop_mails(TIME + timedelta(days=99), 30) > 0
        at.answer(key, f"process {stranger.number}: he is a friend")
        (told,) = at.told()
        assert "host has dropped the text" in told
        assert "Ask the sender to write again" in told


def test_the_message_id_of_a_mail_to_the_desk_is_forgotten_in_time(tmp_path: Path) -> None:
    with club(tmp_path) as at:
        at.answer(at.letter(), "announce winter: hello")
        at.plain("help", sender="ann@example.org")
        with at.host.store.begin_transaction() as transaction:
            days = {row.day for row in transaction._connection.execute(sql.select(known).where(known.c.game == ""))}  # noqa: SLF001
        assert days == {TIME.date().isoformat()}


def filed(host: Host) -> list[StoredMail]:
    """The filed mails of a host."""
    with host.store.begin_transaction() as transaction:
        return transaction.filed.list_latest()


def test_a_new_address_gets_the_letters_and_the_old_one_hears_of_it(tmp_path: Path) -> None:
    with club(tmp_path) as at:
        for name in NAMES[:2]:
            letters(tmp_path, name)
        at.answer(at.letter(), "address winter Ann cal@example.org: moved")
        assert "another address" in at.told("Ann")[0]
        assert "writes to you at this address" in at.told("Cal")[0]
        assert "changed Ann's address" in at.told("Bob")[0]
        assert "cal@example.org" not in at.told("Bob")


def test_a_copy_of_a_mail_does_nothing(tmp_path: Path) -> None:
    with club(tmp_path) as at:
        letter = at.letter()
        for name in NAMES[:2]:
            letters(tmp_path, name)
        mail = reply(letter, "announce winter: hello", "owner", 5)
        at.gets(mail)
        at.gets(mail.replace(b"On Saturday", b"On saturday"))
        assert len(at.told("Ann")) == 1
        assert sum("# host:" in text for text in at.game().record.end) == 1


@pytest.mark.parametrize("text", ["thank you", "Pass", "yes", "open the door"])
def test_what_is_not_for_the_desk_goes_to_the_front_door(tmp_path: Path, text: str) -> None:
    with club(tmp_path) as at:
        at.plain(text)
        assert not any("orders of the desk" in told for told in at.told())


@pytest.mark.parametrize("order", ["status winter", "games all", "filed", "desk"])
def test_questions_change_nothing(tmp_path: Path, order: str) -> None:
    with club(tmp_path) as at:
        before = at.game().record_text
        at.answer(at.letter(), order)
        assert len(at.told()) == 1
        assert at.game().record_text == before


def test_a_game_file_that_is_attached_goes_on_here(tmp_path: Path) -> None:
    with club(tmp_path) as at:
        letter = at.letter()
        key = str(letter["Reply-To"]).rpartition("<")[2].rstrip(">")
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Message-ID"] = OWNER, key, "<import@example.org>"
        mail.set_content("import spring")
        mail.add_attachment(at.game().record_text, filename="winter.tkid")
        at.gets(mail.as_bytes())
        assert "spring: imported, two letters to players" in at.told()[0]
        assert at.game("spring").names == ("Ann", "Bob")
        at.answer(letter, "import summer")
        assert "Attach the game file" in at.told()[0]


def test_a_letter_that_is_quoted_without_marks_orders_nothing(tmp_path: Path) -> None:
    with club(tmp_path) as at:
        at.plain("pause winter: snow", "abort winter: enough")
        (asked,) = letters(tmp_path, "owner")
        quoted = "\n".join(line for line in body(asked).splitlines() if "Reply above" not in line)
        key = str(asked["Reply-To"]).rpartition("<")[2].rstrip(">")
        head = f"From: {OWNER}\nTo: {key}\nIn-Reply-To: {asked['Message-ID']}\nMessage-ID: <bare@example.org>\n"
        at.gets(f"{head}\nNo, that was not me.\n\n{quoted}\n".encode())
        assert at.game().time.paused is None
        assert not at.game().time.over
