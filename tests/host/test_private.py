"""What stays private: nobody gets another player's address, and nobody who plays no game with somebody anonymous gets a name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from email.message import EmailMessage
from functools import cache
from hashlib import sha256
from itertools import count
from pathlib import Path
from random import Random
from shutil import copytree
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest
from attrs import define, evolve, field

from tests.cli import said, tkid
from tests.host.small_club import REQUIRED, VOUCHED, Club, club, text_of
from tests.host.test_digests import acting, hosted
from tests.host.year.players import HOST, TIME, address, examples, letter
from tests.mail.mails import body
from tests.shared.session import SHARED
from tests.shared.tables import sample
from tkid.club import order_values
from tkid.club.members import MEMBER_KIND, Member
from tkid.club.names import find_member
from tkid.club.observers import OBSERVER_KIND as OBSERVER
from tkid.club.observers import Observers
from tkid.club.results import rating_lists
from tkid.club.tournament_letters import announce_tournament
from tkid.host import club_mail
from tkid.host.status import describe_status
from tkid.host.store.transaction import StoredGame
from tkid.host.tournaments import Tournaments, read_results
from tkid.host.transports import Maildir
from tkid.mail import game_service
from tkid.mail.game_service import HostedGame
from tkid.mail.letter_html import finish_letter
from tkid.mail.message import ADD_ADDRESS
from tkid.mail.model import Document
from tkid.record.clock_notes import Resigned
from tkid.record.copies import Kind, compare_copies
from tkid.record.draw import Draw, add_commitment, add_nonce, check_draw
from tkid.record.draw import make_draw_record as drawn_record
from tkid.record.format.model import Record
from tkid.record.format.new_game import new_record
from tkid.record.format.reader import read_record, read_record_head
from tkid.record.play.replay import replay
from tkid.record.play.validation import judge_record
from tkid.record.play.views import hide_addresses
from tkid.record.play.writer import write_record

NAME = "Zebedee"
"""Who stays anonymous."""
FRIENDS = {NAME, "Bob", "Owner"}
"""Who may read that name: those who play with Zebedee, and the owner."""
PEOPLE = (NAME, "Bob", "Ann", "Cal", "Dee", "Fay", "Gus", "Hal", "Owner")
ADVANCED = "second-edition-advanced"
DRAWN = 10_000
"""The host of a test draws on from here: less was drawn before."""
GAMES = ("vale", "dale", "fell", "past", "spring", "summer", "autumn", "cup", "open-cup", "old-cup", "nowhere")


def record_of(name: str, *players: str, code: str = "second-edition") -> Record:
    """A game without a clock."""
    seats = [f"{player} <{address(player)}>" for player in players]
    return new_record(code, seats, Random(name).randbytes(32), title=name)


@define
class World:
    """A club in which somebody is anonymous, and all letters that went out, by their readers."""

    at: Club
    sent: dict[str, list[EmailMessage]] = field(factory=dict)
    raw: list[tuple[str, bytes]] = field(factory=list)

    def work(self) -> None:
        """A round; every letter that went out is remembered."""
        self.at.work()
        for box in sorted((self.at.folder / "out").iterdir()):
            for name, data in list(Maildir(box).list_arrived()):
                self.raw.append((box.name, data))
                self.sent.setdefault(box.name, []).append(letter(data))
                Maildir(box).mark_fetched(name)

    def latest(self, name: str) -> EmailMessage:
        """The last letter to somebody."""
        return self.sent[address(name)][-1]

    def write(self, name: str, text: str) -> str:
        """A mail to the plain address, which a mail server vouches for; the answer."""
        before = len(self.sent.get(address(name), []))
        self.at.write(name, text, VOUCHED)
        self.work()
        asked = self.sent.get(address(name), [])[before:]
        if asked and "Reply `yes`" in text_of(asked[0]):
            self.at.answer(asked[0], name, "yes", VOUCHED)
            self.work()
        return "\n".join(map(text_of, self.sent.get(address(name), [])[before:]))

    def resign(self, game: str) -> None:
        """Whoever is to act gives up, and is sure of it."""
        self.play(game, "resign")
        self.play(game, "resign", asked=True)

    def play(self, game: str, order: str = "", *, asked: bool = False) -> None:
        """A turn of whoever is to act, or another order of theirs; in reply to what was asked last, if it was `asked`."""
        at_turn = hosted(self.at, game)
        assert at_turn.to_act is not None
        name = next(each for each in PEOPLE if address(each) == at_turn.find_address(at_turn.to_act))
        about = [m for m in self.sent[address(name)] if f"[{game}]" in str(m["Subject"])]
        mail = about[-1] if asked else next(m for m in reversed(about) if examples(m))
        self.at.answer(mail, name, order or examples(mail)[-1], VOUCHED)
        self.work()


class Begun(NamedTuple):
    """The club as every test finds it: its folder, the letters so far, the time, and how many mails came in."""

    folder: Path
    sent: dict[str, list[EmailMessage]]
    raw: list[tuple[str, bytes]]
    now: datetime
    mails: int


@cache
def begun() -> Begun:
    """Begin the games and tournaments once for all tests."""
    folder = Path(SHARED.enter_context(TemporaryDirectory(prefix="tkid-club-")))
    with club(folder, required=REQUIRED) as at:
        made = begin(at)
        return Begun(folder, made.sent, made.raw, at.now, next(at.numbers))


@pytest.fixture(scope="module", autouse=True)
def _begun() -> None:
    """Begin them before a test changes the program."""
    begun()


@contextmanager
def world(folder: Path) -> Iterator[World]:
    """Games in progress, that are over and that gather players, and tournaments, each with somebody anonymous in it."""
    start = begun()
    copytree(start.folder, folder, dirs_exist_ok=True)
    with club(folder, required=REQUIRED) as at:
        at.at.owner = address("Owner")
        drawn = count(DRAWN)
        at.at.draw = lambda: sha256(str(next(drawn)).encode()).digest()
        going_on = Club(folder, at.at, start.now, count(start.mails))
        made = World(going_on, {reader: list(mails) for reader, mails in start.sent.items()}, list(start.raw))
        yield made
        made.work()
        assert at.at.store.list_put_aside() == []


def begin(at: Club) -> World:
    """Begin the games and tournaments of a club."""
    made = World(at)
    at.at.owner = address("Owner")
    at.at.open_game("moor", record_of("moor", "Ann", "Dee"), at.now)
    at.at.open_game("tarn", record_of("tarn", "Cal", "Fay"), at.now)
    at.at.open_game("loch", record_of("loch", "Gus", "Hal"), at.now)
    at.at.open_game("vale", record_of("vale", NAME, "Bob", code=ADVANCED), at.now)
    at.at.open_game("dale", record_of("dale", NAME, "Bob"), at.now)
    at.at.open_game("fell", record_of("fell", "Bob", "Owner"), at.now)
    at.at.open_game("past", record_of("past", NAME, "Bob"), at.now)
    made.work()
    made.write(NAME, "anonymous on")
    made.write("Owner", f"offer seat {NAME} of dale\noffer seat Owner of fell")
    made.write(NAME, "take seat Owner of fell")
    made.play("past")
    made.resign("past")
    made.write("Cal", "observe vale\nobserve fell\nobserve dale")
    made.write(NAME, f"new game for 3, with Bob <{address('Bob')}>, called spring")
    made.write("Gus", "new game for 3, called summer")
    made.write(NAME, "join summer")
    made.write(NAME, f"new game for 3, with Bob <{address('Bob')}>, called autumn")
    made.write("Hal", "join autumn")
    cups = Tournaments(at.at)
    entrants = [f"{name} <{address(name)}>" for name in (NAME, "Ann", "Gus", "Hal")]
    for name, rounds in (("cup", 2), ("old-cup", 1)):
        cups.announce(
            announce_tournament(name, "swiss", rounds, "second-edition", entrants, at.now, clock="none", seated=True)
        )
        cups.advance_all(at.now)
    cups.announce(
        announce_tournament("open-cup", "swiss", 2, "second-edition", entrants, at.now, clock="none", is_open=True)
    )
    made.work()
    for game in ("old-cup-1-1", "old-cup-1-2"):
        made.play(game)
        made.resign(game)
    cups.advance_all(at.now)
    made.work()
    assert cups.get_tournament("old-cup").over
    for game in ("vale", "dale", "fell"):
        made.play(game)
    return made


def whole(mail: EmailMessage) -> str:
    """All that a letter says: headers, text, pages and files."""
    parts = [f"{name}: {value}" for part in mail.walk() for name, value in part.items()]
    for part in mail.walk():
        data = part.get_payload(decode=True)
        if isinstance(data, bytes) and part.get_content_maintype() == "text":
            parts.append(data.decode("utf-8"))
    return "\n".join(parts)


def friends_of(made: World) -> set[str]:
    """The addresses of all who may read Zebedee's name: who plays a game with Zebedee, or was invited by Zebedee; the owner."""
    games = [HostedGame.read_stored(game.record, game.memory) for game in made.at.games()]
    playing = (game for game in games if NAME in game.names)
    opponents = {
        each
        for game in playing
        for seat in game.seats
        for each in (game.find_own_address(seat), game.find_address(seat))
    }
    return opponents | set(map(address, FRIENDS)) | {f"{NAME.lower()}-new@example.org"}


ADDRESS = re.compile(r"[\w.+-]+@example\.org")


def check_letters(made: World) -> int:
    """No letter has an address of anybody but its reader, nor a name that its reader may not see; how many there were."""
    checked, friends = 0, friends_of(made)
    people = {address(each): each for each in PEOPLE}
    for reader, data in made.raw:
        if reader == address("Owner"):
            continue
        said = whole(letter(finish_letter(data).mail))
        own = {"ann@example.org", "bob@example.org"} if "play with bob@example.org" in said else set[str]()  # the help
        others = {each for each in ADDRESS.findall(said.lower()) if each != reader and each in people} - own
        assert not others, f"{reader} reads {others}:\n{said}"
        about_tournament = "Ref tournament" in said and reader != address(NAME)
        if reader not in friends or about_tournament:
            assert NAME.lower() not in said.lower().replace("zebedees-guess", ""), f"{reader} reads {NAME}:\n{said}"
        checked += 1
    return checked


# -- every order ------------------------------------------------------------------------------------------

LINES: Mapping[str, tuple[str, ...]] = {
    "help": ("help",),
    "games": ("games",),
    "open games": ("open games",),
    "tournaments": ("tournaments",),
    "new game": (
        "new game for 2, called {game}",
        "new game for 2, called {reader}-{game}, as Zebede",
    ),
    "new game from": ("new game from {game} turn 1 with bot", "new game from {game} for 2, as {reader}"),
    "play with": ("play with tkid@games.example", "play with {reader}@example.org"),
    "notify each game": ("notify each game",),
    "join": ("join {game}", "join {game} as Guest Heron", "join {game} as {reader}"),
    "accept": ("accept {game}", "accept {game} as {reader}"),
    "decline": ("decline {game}",),
    "words": ("words: a fox in the glen",),
    "rematch": ("rematch {game}",),
    "digest": ("digest daily", "digest off"),
    "observe": ("observe {game}", "observe {game} delay 2"),
    "stop observing": ("stop observing {game}", "stop observing"),
    "observers": ("observers off {game}", "observers on {game}"),
    "take seat": ("take seat q of {game}", "take seat Bob of {game}", "take seat {guest} of {game}"),
    "offer seat": ("offer seat q of {game}", "offer seat Bob of {game}"),
    "address": ("address {reader}-new@example.org",),
    "anonymous": ("anonymous on", "anonymous off"),
    "calendar": ("calendar on", "calendar off"),
    "stop": ("stop",),
    "unblock": ("unblock",),
    "block": ("block",),
}
"""How each kind of order is written, those that end something last."""


def lines_for(reader: str, guest: str) -> Iterator[str]:
    """Every order, about every game."""
    for texts in LINES.values():
        for text in texts:
            games = GAMES if "{game}" in text else ("",)
            yield from (text.format(game=game, reader=reader.lower(), guest=guest) for game in games)


def test_every_kind_of_order_is_tried() -> None:
    """So that a new kind is not forgotten here."""
    assert {kind.name for kind in order_values.KINDS} == LINES.keys()


def guest_name(made: World) -> str:
    """The pseudonym."""
    with made.at.at.store.begin_transaction() as transaction:
        return find_member(transaction.documents.get_text, address(NAME)).pseudonym


@pytest.mark.slow
@pytest.mark.parametrize(
    "reader",
    [
        "Eve",
        "Bob",
        *[pytest.param(name, marks=pytest.mark.exhaustive) for name in ("Dee", "Cal", "Ann", "Hal", NAME)],
    ],
)
def test_no_order_tells_a_name_or_an_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reader: str) -> None:
    """A stranger, a member, an observer, an opponent in a tournament, a co-player, somebody who joined, and the player."""
    for limit in ("MAX_CLUB_ANSWERS", "MAX_CONFIRMED", "MAX_STRANGERS"):
        monkeypatch.setattr(club_mail, limit, 10_000)
    with world(tmp_path) as made:
        number, guest = count(), guest_name(made)
        for line in lines_for(reader, guest):
            sender = reader if reader != "Eve" else f"Eve{next(number)}"
            made.write(sender, line)
        for game in ("vale", "dale", "fell"):
            if hosted(made.at, game).to_act is not None:
                with_letters = {each for each in PEOPLE if address(each) in made.sent}
                assert with_letters
        made.at.now += timedelta(days=8)
        made.work()
        assert check_letters(made) > 100


def test_who_plays_together_reads_the_name(tmp_path: Path) -> None:
    """A check that finds no name anywhere would prove nothing: Bob reads it, also in an answer of the club."""
    with world(tmp_path) as made:
        check_letters(made)
        assert f"{NAME}'s turn" in made.write("Bob", "games")
        assert f"The players are {guest_name(made)} and Bob." in made.write("Dee", "take seat q of vale")
        assert f"The players are {guest_name(made)} and Bob." in made.write("Dee", "take seat q of past")
        assert any(NAME in body(mail) for mail in made.sent[address("Bob")])
        assert guest_name(made) in made.write("Dee", "open games")
        assert any(guest_name(made) in whole(mail) for mail in made.sent[address("Cal")])


def test_a_guess_is_answered_like_a_wrong_name(tmp_path: Path) -> None:
    """Somebody who types the real name learns nothing by it."""
    with world(tmp_path) as made:
        for game in ("vale", "past", "dale"):
            wrong, guess = (made.write("Dee", f"take seat {name} of {game}") for name in ("Quentin", NAME))
            cut = [re.sub(r"Ref .*", "", text) for text in (wrong, guess)]
            assert cut[0].replace("Quentin", NAME).replace("^", "") == cut[1].replace("^", "")


def test_an_anonymous_seat_is_taken_under_the_pseudonym(tmp_path: Path) -> None:
    """Who takes it plays on, under a name that differs from the real one."""
    with world(tmp_path) as made:
        guest = guest_name(made)
        assert f"`take seat {guest} of dale`" in made.write("Dee", "join dale")
        made.write("Dee", f"take seat {guest} of dale")
        assert hosted(made.at, "dale").find_player(0) == "Dee"
        check_letters(made)


def test_an_anonymous_player_of_a_tournament_plays_under_the_pseudonym(tmp_path: Path) -> None:
    """No opponent there reads the name, in no letter; a rematch keeps the pseudonym too."""
    with world(tmp_path) as made:
        guest = guest_name(made)
        games = [each for each in made.at.games() if "cup-" in each.id and address(NAME) in each.record.lower()]
        assert len(games) == 2
        for each in games:
            game = HostedGame.read_stored(each.record, each.memory)
            assert guest in game.names
            assert NAME not in each.record.replace(address(NAME), "").replace(address(NAME).title(), "")
        over = next(each for each in games if each.over)
        opponent = next(name for name in HostedGame.read_stored(over.record, over.memory).names if name != guest)
        assert "waits for" in made.write(opponent, f"rematch {over.id}")
        made.write(NAME, f"accept {over.id.removesuffix('-1')}-2")
        made.work()
        check_letters(made)
        assert guest not in made.write(NAME, f"new game for 2, with Dee <{address('Dee')}>, called otter")
        with made.at.at.store.begin_transaction() as transaction:
            assert find_member(transaction.documents.get_text, address(NAME)).name == NAME


MUTANTS = {
    "names": ("tkid.club.names.find_display_name", lambda name, _: name),
    "a game": ("tkid.club.names.is_player", lambda *_: True),
    "a table": ("tkid.club.order_handlers.show_lobby", lambda table, *_: table),
    "a tournament": ("tkid.host.tournaments.show_tournament", lambda tournament, *_: tournament),
    "files": ("tkid.mail.hosted_game.hide_addresses", lambda played: played),
}


@pytest.mark.slow
@pytest.mark.parametrize("mutant", sample(MUTANTS, 3))
def test_a_leak_is_found(tmp_path: Path, mutant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is told too much, the check fails."""
    monkeypatch.setattr(*MUTANTS[mutant])
    with club(tmp_path, required=REQUIRED) as at:
        made = begin(at)
        made.write("Dee", "open games\ntournaments")
        made.write("Dee", "take seat q of vale")
        with pytest.raises(AssertionError):
            check_letters(made)


# -- one person -------------------------------------------------------------------------------------------


def write_from(made: World, sender: str, text: str) -> str:
    """A mail from any address, which a mail server vouches for; the answer."""
    made.at.now += timedelta(days=1)  # a stranger is answered once a day
    typed, sender = sender, sender.lower()
    before = len(made.sent.get(sender, []))
    head = f"{VOUCHED}From: Somebody <{typed}>\nTo: {HOST}\nMessage-ID: <{sender}{len(made.raw)}{hash(text)}@example.org>\n"
    Maildir(made.at.folder / "in").add_mail(f"{head}\n{text}\n".encode())
    made.work()
    asked = made.sent.get(sender, [])[before:]
    if asked and "Reply `yes`" in text_of(asked[0]):
        head = head.replace("-ID: <", "-ID: <yes").replace(f"To: {HOST}", f"To: {asked[0]['Reply-To']}")
        Maildir(made.at.folder / "in").add_mail(f"{head}\nyes\n".encode())
        made.work()
    return "\n".join(map(text_of, made.sent.get(sender, [])[before:]))


def test_a_sock_puppet_takes_no_seat(tmp_path: Path) -> None:
    """An opponent does not get to read the hand of a seat that is offered, under whatever address of the mailbox."""
    with world(tmp_path) as made:
        made.write("Owner", f"offer seat {NAME} of vale")
        for sender in ("bob@example.org", "bob+2@example.org", "bob+a+b@example.org", "BOB+x@Example.org"):
            answer = write_from(made, sender, f"take seat {guest_name(made)} of vale")
            assert "play this game, or have played it" in answer, sender
            assert "play this game yourself" in write_from(made, sender, "observe vale"), sender
        assert hosted(made.at, "vale").find_address(0) == address(NAME)


def test_who_has_moved_or_left_takes_no_seat(tmp_path: Path) -> None:
    """An address that somebody had before, and a stand-in who gave the seat back."""
    with world(tmp_path) as made:
        made.write("Owner", f"offer seat {NAME} of vale\noffer seat Bob of vale")
        made.at.write("Bob", "address robert@example.org", VOUCHED)
        made.work()
        for who in ("bob@example.org", "robert@example.org"):
            mail = made.sent[who][-1]
            head = f"{VOUCHED}From: {who}\nTo: {mail['Reply-To']}\nMessage-ID: <m{who}>\n"
            Maildir(made.at.folder / "in").add_mail(f"{head}\nyes\n".encode())
            made.work()
        assert hosted(made.at, "vale").find_address(1) == "robert@example.org"
        for who in ("bob@example.org", "bob+1@example.org", "robert@example.org", "robert+1@example.org"):
            assert "have played it" in write_from(made, who, f"take seat {guest_name(made)} of vale"), who
        made.write("Dee", "take seat Bob of vale")
        assert hosted(made.at, "vale").find_player(1) == "Dee"
        for _ in range(2):  # the second time in reply to the question whether she is sure
            made.at.answer(made.latest("Dee"), "Dee", "resign", VOUCHED)
            made.work()
        assert hosted(made.at, "vale").find_player(1) == "Bob"
        assert "have played it" in write_from(made, "dee+1@example.org", f"take seat {guest_name(made)} of vale")


@pytest.mark.parametrize(("delay", "may"), [(0, False), (2, True)])
def test_who_has_observed_without_a_delay_takes_no_seat(tmp_path: Path, delay: int, *, may: bool) -> None:
    """It does not help to stop observing first, nor to write from another address of the mailbox."""
    with world(tmp_path) as made:
        made.write("Owner", f"offer seat {NAME} of vale")
        made.write("Dee", f"observe vale delay {delay}")
        assert "observe this game" in write_from(made, "dee+1@example.org", "take seat Bob of vale")
        made.write("Dee", "stop observing vale")
        answer = write_from(made, "dee+1@example.org", f"take seat {guest_name(made)} of vale")
        assert ("without a delay" in answer) is not may
        assert (hosted(made.at, "vale").find_address(0) == "dee+1@example.org") is may


def test_one_mailbox_has_one_seat_at_a_table_and_one_place_in_a_tournament(tmp_path: Path) -> None:
    """Neither joining nor inviting gives anybody a second seat."""
    with world(tmp_path) as made:
        assert "under another address" in write_from(made, "gus+2@example.org", "join summer")
        assert "under another address" in write_from(made, "gus+2@example.org", "join open-cup")
        assert "you cannot invite yourself" in made.write("Dee", "play with dee+2@example.org")
        twice = "new game for 3, with hal@example.org, hal+2@example.org, called twice"
        assert "is an address of somebody you named" in made.write("Dee", twice)


def test_the_host_plays_no_game(tmp_path: Path) -> None:
    """It cannot be invited, seated or entered, and nobody moves to its address."""
    with world(tmp_path) as made:
        for host in (HOST, HOST.replace("@", "+abcdefghijkl@"), HOST.upper()):
            assert "is the address of this host" in made.write("Dee", f"play with {host}")
            assert "is the address of this host" in made.write("Dee", f"address {host}")
            record = new_record("second-edition", [f"Ann <{address('Ann')}>", f"Host <{host}>"], bytes(32))
            with pytest.raises(ValueError, match="Host has the address of this host"):
                made.at.at.open_game("hosts", record, made.at.now)
            players = ["Ann <a@example.org>", f"Host <{host}>"]
            with pytest.raises(ValueError, match="Host has the address of this host"):
                Tournaments(made.at.at).announce(
                    announce_tournament("c", "swiss", 1, "second-edition", players, made.at.now)
                )


@pytest.mark.parametrize("how", sample(["stop observing vale", "observers off vale"], 2))
def test_an_observer_of_before_takes_no_seat(tmp_path: Path, how: str) -> None:
    """Documents that say only who observes now: who stops, or is kept out, is remembered too."""
    with world(tmp_path) as made:
        with made.at.at.store.begin_transaction() as transaction:
            kept = transaction.documents.get_text(OBSERVER, "vale")
            assert kept is not None
            old = evolve(Observers.read_text(kept), undelayed=())
            transaction.documents.store_document(Document(OBSERVER, "vale", old.text))
        made.write("Owner", f"offer seat {NAME} of vale")
        made.write("Cal" if how.startswith("stop") else "Bob", how)
        assert "without a delay" in made.write("Cal", f"take seat {guest_name(made)} of vale")


def test_the_owner_sees_who_took_over_a_seat(tmp_path: Path) -> None:
    """And which players have one mailbox; of two mailboxes nobody can know."""
    with world(tmp_path) as made:
        made.write("Dee", f"take seat {guest_name(made)} of dale")
        family = new_record("second-edition", ["Ida <i+a@example.org>", "Jan <i+b@example.org>"], bytes(32))
        made.at.at.open_game("pair", family, made.at.now)
        seen = describe_status(made.at.at.store, made.at.now)["persons"]
        assert {"game": "dale", "seat": NAME, "taken_by": "Dee", "address": "dee@example.org"} in seen
        assert {"game": "pair", "one_mailbox": "Ida and Jan", "address": "i@example.org"} in seen


# -- names from mails -------------------------------------------------------------------------------------


SENDERS = {
    "Bob Baker <{}>": "Bob Baker",
    '"Baker, Bob" <{}>': "Bob Baker",
    "{} (Bob Baker)": "Bob Baker",
    "=?utf-8?q?Zo=C3=AB?= <{}>": "Zoë",
    "=?utf-8?q?Zoe=CC=88?= <{}>": "Zoë",
    "=?iso-8859-1?q?J=F6rg?= Maier <{}>": "Jörg Maier",
    "{}": "X",
    "'{}' via games <{}>": "X",
    '"{}" <{}>': "X",
    "=?utf-8?q?Bob_=3Cann=40example=2Eorg=3E?= <{}>": "X",
    "Guest Heron <{}>": "X",
    "7 <{}>": "X",
    "Pass <{}>": "X",
    "Gus <{}>": "X",
    "Robert Bartholomew Alexander Featherstonehaugh <{}>": "Robert",
    "=?utf-8?q?=E2=80=AEboB?= <{}>": "boB",
}
"""What stands in a From line, and the name that follows at a table of Gus."""


def send_from(at: Club, sender: str, text: str, to: str = HOST) -> None:
    """A mail with any From line, which a mail server vouches for."""
    head = f"{VOUCHED}From: {sender}\nTo: {to}\nMessage-ID: <{hash((sender, text, to))}@example.org>\n"
    Maildir(at.folder / "in").add_mail(f"{head}\n{text}\n".encode())
    at.work()


def test_who_joins_or_accepts_has_the_name_in_the_mail(tmp_path: Path) -> None:
    """If it can be a name at that table; else a name made from the address."""
    with club(tmp_path, required=REQUIRED) as at:
        at.at.open_game("loch", record_of("loch", "Gus", "Hal"), at.now)
        at.work()
        for number, (sender, name) in enumerate(SENDERS.items()):
            at.now += timedelta(days=1)
            at.write("Gus", f"new game for 2, called game{number}", VOUCHED)
            at.work()
            who = f"x{number}@example.org"
            send_from(at, sender.replace("{}", who), f"join game{number}")
            (asked,) = at.mails(f"x{number}")
            send_from(at, sender.replace("{}", who), "yes", str(asked["Reply-To"]))
            assert hosted(at, f"game{number}").names == ("Gus", name), sender
        for number, (guest, answer, name) in enumerate(
            (("{}", "accept", "Bob Baker"), ("Rob <{}>", "accept", "Rob"), ("{}", "accept as Bo", "Bo"))
        ):
            at.now += timedelta(days=1)
            who = f"z{number}@example.org"
            at.write("Gus", f"new game second-edition with {guest.format(who)}, called fen{number}", VOUCHED)
            at.work()
            (invitation,) = at.mails(f"z{number}")
            send_from(at, f"Bob Baker <{who}>", answer, str(invitation["Reply-To"]))
            assert hosted(at, f"fen{number}").names == ("Gus", name)


def test_who_joins_a_tournament_or_takes_a_seat_has_the_name_in_the_mail(tmp_path: Path) -> None:
    """As at a table."""
    with world(tmp_path) as made:
        for order in ("join open-cup", f"take seat {guest_name(made)} of dale"):
            who = f"{order.split()[0]}@example.org"
            send_from(made.at, f"Carla Coot <{who}>", order)
            made.work()
            send_from(made.at, f"Carla Coot <{who}>", "yes", str(made.sent[who][-1]["Reply-To"]))
        assert "Carla Coot" in [each.name for each in Tournaments(made.at.at).get_tournament("open-cup").people]
        assert hosted(made.at, "dale").find_player(0) == "Carla Coot"


# -- delays -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("least", "asked", "shown"), sample([(0, 0, 0), (2, 0, 2), (2, 1, 2), (1, 3, 3)], 2))
def test_observers_are_as_late_as_the_pages_at_least(tmp_path: Path, least: int, asked: int, shown: int) -> None:
    """At first, with each letter, and for those who began to observe before the delay was set."""
    with world(tmp_path) as made:
        made.at.at.club = evolve(made.at.at.club, delay=least)
        answer = made.write("Dee", f"observe vale delay {asked}")
        assert (f"{shown} turn" in answer) is (shown > 0)
        for _ in range(5):
            made.play("vale")
        turns = hosted(made.at, "vale").turns
        for name, late in (("Dee", shown), ("Cal", least)):
            told = [mail for mail in made.sent[address(name)] if str(mail["Subject"]).startswith("[vale] Turn")]
            assert max(int(re.findall(r"Turn (\d+)", str(mail["Subject"]))[0]) for mail in told) == turns - late


# -- files ------------------------------------------------------------------------------------------------


def file_in(mail: EmailMessage) -> bytes:
    """The game file that a letter has."""
    (file,) = [part for part in mail.walk() if str(part.get_filename()).endswith(".tkid")]
    data = file.get_payload(decode=True)
    assert isinstance(data, bytes)
    return data


@pytest.mark.parametrize("game", sample(["vale", "dale", "fell"], 3))
def test_a_file_from_a_host_is_a_whole_game(tmp_path: Path, game: str) -> None:
    """It has no address and no mistake; the host's record, and files with addresses, compare as the same game."""
    with world(tmp_path) as made:
        for _ in range(4):
            made.play(game)
        stored = hosted(made.at, game)
        mail = next(m for m in reversed(made.sent[address("Bob")]) if examples(m) and f"[{game}]" in str(m["Subject"]))
        file = file_in(
            letter(
                finish_letter(
                    next(data for to, data in made.raw if letter(data)["Message-ID"] == mail["Message-ID"])
                ).mail
            )
        )
        assert b"@" not in file
        problems, played = judge_record(read_record(file))
        assert played is not None
        assert not problems
        assert write_record(played.record, played).encode() == file.replace(b"\r\n", b"\n")
        kinds = {Kind.SAME, Kind.STALE}
        assert compare_copies(stored.replay, file).kind in kinds
        assert compare_copies(stored.public, file).kind in kinds
        if not stored.record.game.secret:
            assert compare_copies(played, stored.record_text.encode()).kind in {Kind.SAME, Kind.CONTINUES}


@pytest.mark.parametrize("code", ["second-edition", ADVANCED])
def test_mails_from_before_still_count(tmp_path: Path, code: str) -> None:
    """Answers to letters with the hashes of files with addresses: a turn, a `yes` to what was offered, an old digest's key."""
    with club(tmp_path) as at:
        with pytest.MonkeyPatch.context() as before:
            before.setattr("tkid.mail.hosted_game.hide_addresses", lambda played: played)
            at.at.open_game("vale", record_of("vale", "Ann", "Bob", code=code), at.now)
            at.work()
            name = acting(at, "vale")
            asks = next(mail for mail in at.mails(name) if examples(mail))
            (offer,) = at.replies(asks, name, "I pass, I think")
            assert "@example.org" in file_in(letter(finish_letter(asks.as_bytes()).mail)).decode()
        answered = at.replies(offer, name, "yes")
        assert hosted(at, "vale").turns == 1, text_of(answered[0])
        (again,) = at.replies(asks, name, "history")
        assert f"1. {name} Pass" in text_of(again)


def test_addresses_in_comments_and_headers_stay_at_the_host() -> None:
    """Other comments and headers stay in a game without secrets."""
    text = write_record(record_of("vale", "Ann", "Bob"))
    head, _, rest = text.partition("\nSetup")
    text = f"{head}\nX-Organiser: carl@example.org\nX-Note: a friendly game\n\nSetup{rest}"
    text += "# stand-in: Bob is played by Cal <cal@example.org> 2026-12-01T09:00Z\n# moved: Ann <new@example.org> 2026-12-01T09:00Z\n"
    text += "# Ann moved to new@example.org\n# a remark\n"
    read = read_record(text.encode())
    assert read.record is not None
    public = HostedGame.make_new(read.record).public
    shown = re.sub(r" #[0-9a-f]{6}$", "", write_record(public.record, public), flags=re.MULTILINE)
    assert "@" not in shown
    assert "# stand-in: Bob is played by Cal 2026-12-01T09:00Z\n# moved: Ann 2026-12-01T09:00Z\n# a remark\n" in shown
    assert "X-Note: a friendly game\n" in shown
    assert replay(public.record).value == public.value


def test_members_are_found_by_any_address_of_their_mailbox() -> None:
    """An anonymous one comes first."""
    documents = {
        (MEMBER_KIND, "bob@example.org"): evolve(
            Member.make_new("bob@example.org", "Bob"), anonymous=True, pseudonym="Guest Owl"
        ).text,
        (MEMBER_KIND, "bob+2@example.org"): Member.make_new("bob+2@example.org", "Robert").text,
        ("moved", "old@example.org"): "bob@example.org",
    }
    for each in ("bob@example.org", "bob+2@example.org", "bob+3@example.org", "old@example.org", "old+x@example.org"):
        assert find_member(lambda kind, name: documents.get((kind, name)), each).shown == "Guest Owl"
    assert find_member(lambda kind, name: documents.get((kind, name)), "ann@example.org") == Member.make_new(
        "ann@example.org"
    )


# -- ratings ----------------------------------------------------------------------------------------------


def test_one_mailbox_has_one_line_in_ratings_and_wins_nothing_against_itself(tmp_path: Path) -> None:
    """Whatever addresses somebody plays under, also one that they had before."""
    with club(tmp_path) as at:
        pairs = [("Ann", "ann+1@example.org"), ("Bob", "bob@example.org"), ("Rob", "bob+x@example.org")]
        seats = {name: f"{name} <{each}>" for name, each in pairs}
        for game, names in {"one": ("Ann", "Bob"), "two": ("Ann", "Rob"), "three": ("Bob", "Rob")}.items():
            record = new_record(
                "second-edition", [seats[name] for name in names], Random(game).randbytes(32), title=game
            )
            outcome = game_service.begin_game(record, at.now)
            played = outcome.game.with_turn("Pass", at.now).with_line(Resigned(0, at.now))
            with at.at.store.begin_transaction() as transaction:
                transaction.add_game(StoredGame(game, played.record_text, played.memory_text, None, over=True))
        made = {each.game: each for each in read_results(at.at.store, b"s" * 32)}
        assert made["one"].rated
        assert made["two"].players[1].id == made["one"].players[1].id
        assert not made["three"].rated
        (list_of_two,) = rating_lists(made.values(), at.now + timedelta(days=1))
        assert sorted(line.games for line in list_of_two.ratings) == [2, 2]


# -- going on without the host ----------------------------------------------------------------------------


def test_a_file_from_a_host_goes_on_by_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command says how addresses get into it; done so, it is a right file of the same game, and letters go out."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    game = HostedGame.make_new(record_of("vale", "Ann", "Bob"))
    for _ in range(3):
        game = game.with_turn("Pass", game.round_moment(TIME))
    Path("vale.tkid").write_text(write_record(game.public.record, game.public), "utf-8")
    Path("other.tkid").write_text(write_record(game.public.record, game.public), "utf-8")
    assert "There is no address for" in tkid("letter", "write", "vale.tkid", "--to", "Bob", "--me", "Ann").stderr
    answer = tkid("mail", "write", "vale.tkid")
    assert answer.exit_code == 1
    assert ADD_ADDRESS in answer.stderr
    text = Path("vale.tkid").read_text("utf-8")
    for name in ("Ann", "Bob"):
        text = text.replace(f"Seat: {name}\n", f"Seat: {name} <{address(name)}>\n")
    Path("vale.tkid").write_text(re.sub(r" #[0-9a-f]{6}$", "", text, flags=re.MULTILINE), "utf-8")
    said("fmt", "vale.tkid")
    assert "all right" in said("check", "vale.tkid")
    assert "To: " in said("mail", "write", "vale.tkid")
    read = read_record(Path("other.tkid").read_bytes()).record
    assert read is not None
    assert compare_copies(replay(read), Path("vale.tkid").read_bytes()).kind is Kind.SAME


def test_a_draw_that_rests_on_addresses_is_left_out() -> None:
    """The proof of a file without addresses contradicts nothing; a draw without addresses stays."""
    for people, kept in ((("Ann <ann@example.org>", "Bob <bob@example.org>"), 0), (("Ann", "Bob"), 4)):
        text = "\n".join(("Tkid-Record: 1", "Ruleset: second-edition", *(f"Seat: {each}" for each in people), ""))
        head = read_record_head(text).record
        assert head is not None
        draw = Draw(head, ("", ""), ("", ""))
        for seat, nonce in enumerate(("11" * 32, "22" * 32)):
            draw = add_commitment(draw, seat, nonce)
        for seat, nonce in enumerate(("11" * 32, "22" * 32)):
            draw = add_nonce(draw, seat, nonce)
        record = drawn_record(draw)
        assert check_draw(record) == []
        public = hide_addresses(replay(record)).record
        assert check_draw(public) == []
        assert sum(header.name in {"X-Commitment", "X-Nonce"} for header in public.headers) == kept
