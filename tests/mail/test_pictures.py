"""Letters with pictures: put in when they go out, drawn from what their reader may know, and never in a letter's way."""

from __future__ import annotations

import json
import re
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path
from urllib.parse import parse_qs, quote, unquote, urlsplit

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from tests.host.looped import Clock, looped, never
from tests.host.year.players import NAMES, address, examples, game, letters, reply
from tests.mail.hall import ANN as FIRST
from tests.mail.hall import BOB as SECOND
from tests.mail.hall import Hall
from tests.mail.mails import ANN, GAME, MIDGAME, TIME, UNTIMED, answered, body, parsed
from tests.shared.clicking import Clicker
from tkid.host.loop import Loop
from tkid.host.service import Host
from tkid.host.transports import Maildir
from tkid.mail import game_service
from tkid.mail import letter_html as illustrated
from tkid.mail.enclosure import Enclosed, take_out
from tkid.mail.hosted_game import Memory
from tkid.mail.letter_html import (
    CLICK,
    HEADER,
    MOST_BYTES,
    NAME,
    SHARP,
    SHOWN_WIDTH,
    add_picture,
    finish_letter,
    write_html,
)
from tkid.mail.message import compose_mail
from tkid.mail.mime import take_in
from tkid.mail.mime_writer import (
    clean_text,
    make_file_part,
    make_multipart,
    make_text_part,
    read_text_part,
    read_written_part,
    split_multipart,
)
from tkid.mail.model import Refusal
from tkid.record.format.new_game import new_record
from tkid.record.play.replay import Replay, replay
from tkid.record.play.views import hide_secrets
from tkid.record.play.writer import write_record
from tkid.render.click_page import Answer, click_page
from tkid.render.frames import last_turn, picture_at
from tkid.render.raster import NoPngError, Tiles, encode_png

SENDER, KEY = "tkid@games.example", "abcdefghijkl"
LARGEST = 400_000
"""Bytes of a mail: programs show much larger ones, and a reply that quotes its picture is taken in."""


def stored(of: Replay, *, pictures: bool = True) -> bytes:
    """The turn mail of a game as a store keeps it."""
    letter = game_service.ask_for_turn(of, TIME)
    assert letter is not None
    return compose_mail(of, letter, ANN, SENDER, key=KEY, pictures=pictures)


def secret() -> Replay:
    """A game with secret hands."""
    players = ["Ann <ann@example.org>", "Bob <bob@example.org>"]
    return replay(new_record("second-edition-advanced", players, bytes(32), first="Ann"))


def pictures(message: EmailMessage) -> list[EmailMessage]:
    """The pictures in a mail."""
    return [part for part in message.walk() if part.get_content_type() == "image/png"]


def page_of(message: EmailMessage) -> str:
    """The HTML of a mail."""
    part = message.get_body(("html",))
    assert part is not None
    return str(part.get_content()).replace("\r\n", "\n")


class Images(HTMLParser):
    """The images of a page, by their attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[dict[str, str | None]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "img":
            self.found.append(dict(attrs))


# -- a letter ---------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("of", [GAME, MIDGAME, secret()], ids=["begins", "goes on", "secret"])
def test_the_picture_stands_in_the_html_part_in_place_of_the_map(of: Replay) -> None:
    bare, whole = parsed(stored(of, pictures=False)), parsed(finish_letter(stored(of)).mail)
    texts, file, board = whole.iter_parts()
    text, related = texts.iter_parts()
    page, image = related.iter_parts()
    kinds = [part.get_content_type() for part in (whole, texts, text, related, page, image, file, board)]
    assert kinds[:4] == ["multipart/mixed", "multipart/alternative", "text/plain", "multipart/related"]
    assert kinds[4:] == ["text/html", "image/png", "text/plain", "text/html"]
    assert related.get_param("type") == "text/html"
    assert body(whole).removeprefix(body(bare)).split() == CLICK.format(board.get_filename()).split()
    assert file.get_content() == next(bare.iter_attachments()).get_content()
    assert [(name, value) for name, value in whole.items() if name != "Content-Type"] == [
        (name, value) for name, value in bare.items() if name != "Content-Type"
    ]
    seat = of.position.to_act
    known = hide_secrets(of, seat or 0)
    picture = picture_at(known, -1, seat, layout="alone")
    data = image.get_payload(decode=True)
    assert data == Tiles().draw_png(picture, width=SHARP)
    assert isinstance(data, bytes)
    assert len(data) < MOST_BYTES
    with Image.open(BytesIO(data)) as opened:
        assert opened.width == SHARP
    assert (image.get_content_disposition(), image.get_filename()) == ("inline", NAME)
    (shown,) = Images(page_of(whole)).found
    assert shown["src"] == f"cid:{image['Content-ID'][1:-1]}"
    assert shown["alt"] == f"The position in words: {' '.join(picture.description.split())} End of the position."
    assert (shown["width"], shown["height"]) == (
        str(SHOWN_WIDTH),
        str(round(SHOWN_WIDTH * picture.height / picture.width)),
    )
    assert "<pre" not in page_of(whole)
    image_gone = re.sub(r"<p [^>]*>(<img [^>]*>|To click [^<]*)</p>\n", "", page_of(whole))
    assert image_gone == re.sub(r"<pre .*?</pre>\n", "", page_of(bare), flags=re.DOTALL)


@pytest.mark.slow
def test_it_is_written_as_every_letter_is_and_the_same_every_time() -> None:
    for of in (GAME, MIDGAME):
        letter = finish_letter(stored(of))
        assert letter.missing_pictures == ()
        assert finish_letter(stored(of)).mail == letter.mail
        assert letter.mail.isascii()
        assert HEADER.encode() not in letter.mail
        assert max(map(len, letter.mail.split(b"\r\n"))) <= 998
        assert not set(b"\r\n") & set(letter.mail.replace(b"\r\n", b""))
        assert not any(part.defects for part in parsed(letter.mail).walk())


def test_only_a_letter_that_is_to_have_one_and_shows_the_position_gets_a_picture() -> None:
    without = answered("help\nhelp turn\nrules second.turn.pass", MIDGAME, 0).letters[0]
    for mail in (
        stored(GAME, pictures=False),
        compose_mail(MIDGAME, without, ANN, SENDER, pictures=True),
        b"",
        b"\xff\r\n",
    ):
        assert finish_letter(mail) == illustrated.Finished(mail)
    named = stored(GAME).replace(b"X-Loop", b"X-Other: 1\r\nX-Loop")
    assert finish_letter(named).missing_pictures == ()


def test_the_game_file_of_a_letter_with_a_picture_is_read_and_the_mail_is_ours() -> None:
    mail = finish_letter(stored(MIDGAME)).mail
    taken = take_out(mail)
    assert isinstance(taken, Enclosed)
    assert taken.text.decode().split() == write_record(MIDGAME.record).split()
    refusal = take_in(mail)
    assert isinstance(refusal, Refusal)
    assert refusal.rule == "mail.automatic"


def test_a_picture_shows_what_its_reader_may_know() -> None:
    """It is drawn from the file in the letter, so that two games which a seat cannot tell apart give it the same mail."""
    whole = secret()
    hands = whole.position.hands
    other = replay(new_record("second-edition-advanced", list(map(str, whole.record.seats)), bytes(32), first="Ann"))
    assert whole.record.deal is not None
    told = finish_letter(stored(whole)).mail
    swapped = evolve(other.record, deal=evolve(whole.record.deal, hands=(hands[0], ("Plot", *hands[1][1:]))))
    assert swapped.deal != whole.record.deal
    assert finish_letter(stored(replay(swapped))).mail == told


@pytest.mark.slow
@pytest.mark.parametrize("name", ['A"nn onerror=alert(1)', "Ann'&amp", "安藤", "[image Pass]"])
def test_names_stay_words_in_what_is_said_of_the_picture(name: str) -> None:
    record = new_record("second-edition", [f"{name} <{ANN}>", "Bob <bob@example.org>"], bytes(32), first="1")
    mail = finish_letter(stored(replay(record)))
    assert mail.missing_pictures == ()
    (shown,) = Images(page_of(parsed(mail.mail))).found
    assert set(shown) == {"class", "src", "alt", "width", "height", "style"}


def test_whatever_is_said_of_a_picture_it_stays_one_attribute() -> None:
    page = write_html(answered("status", MIDGAME, 0).letters[0].body)
    told = 'a "b" <c> & `d`\n\x00\x85 é'
    (shown,) = Images(add_picture(page, "cid:x", told, 480, 800)).found
    assert shown["alt"] == clean_text(" ".join(told.split()))


# -- without a picture ------------------------------------------------------------------------------------


def no_picture(*_: object, **__: object) -> bytes:
    """What draws where nothing to draw with is installed."""
    raise NoPngError("resvg-py is not installed here")


def a_defect(*_: object, **__: object) -> bytes:
    """What draws where it has a defect."""
    raise ZeroDivisionError("by 0")


@pytest.mark.parametrize(("draws", "told"), [(no_picture, "resvg-py is not"), (a_defect, "ZeroDivisionError: by 0")])
def test_where_no_picture_can_be_made_the_letter_goes_out_with_its_map(
    draws: object, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Tiles, "draw_png", draws)
    waits = game_service.begin_game(MIDGAME.record, TIME).letters[1 - (MIDGAME.position.to_act or 0)]
    kept = [compose_mail(MIDGAME, waits, ANN, SENDER, pictures=wished) for wished in (True, False)]
    assert finish_letter(kept[0]).mail == kept[1]
    letter, bare = parsed(finish_letter(stored(MIDGAME)).mail), parsed(stored(MIDGAME, pictures=False))
    assert [part.get_filename() for part in letter.iter_attachments()] == ["Jeu-d-t.tkid", "turn-5.html"]
    assert re.findall("<pre .*?</pre>", page_of(letter), re.DOTALL) == re.findall(
        "<pre .*?</pre>", page_of(bare), re.DOTALL
    )
    for mail in (kept[0], stored(MIDGAME)):
        (why,) = finish_letter(mail).missing_pictures
        assert told in why


def test_without_a_board_to_click_the_picture_is_there_and_without_both_the_letter(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(illustrated, "click_page", a_defect)
    whole = finish_letter(stored(MIDGAME))
    assert whole.missing_pictures == ("ZeroDivisionError: by 0",)
    assert len(pictures(parsed(whole.mail))) == 1
    assert body(parsed(whole.mail)) == body(parsed(stored(MIDGAME)))
    monkeypatch.setattr(illustrated, "read_record", a_defect)
    assert finish_letter(stored(MIDGAME)) == illustrated.Finished(
        stored(MIDGAME, pictures=False), whole.missing_pictures
    )


# -- a board to click -------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("of", [GAME, MIDGAME, secret()], ids=["begins", "goes on", "secret"])
def test_the_board_to_click_is_attached_and_answers_the_letter(of: Replay) -> None:
    whole = parsed(finish_letter(stored(of)).mail)
    board = next(part for part in whole.iter_attachments() if part.get_content_type() == "text/html")
    number = len(of.record.turns) + 1
    assert (board.get_content_disposition(), board.get_filename()) == ("attachment", f"turn-{number}.html")
    page = board.get_content().replace("\r\n", "\n")
    seat = of.position.to_act or 0
    known = hide_secrets(of, seat)
    game, last = known.record.game, last_turn(known, -1, seat)
    subject = str(whole["Subject"])
    answer = Answer(f"tkid+{KEY}@games.example", f"Re: {subject}")
    view = game.view(known.position, seat)
    assert page == click_page(game, view, known.record.names, title=subject, last=last, answer=answer)
    assert page_of(whole) != page
    assert len(finish_letter(stored(of)).mail) < LARGEST


@pytest.mark.slow
def test_only_whoever_is_to_act_gets_a_board_to_click() -> None:
    hall = Hall()
    for seat in (FIRST, SECOND):
        mail = compose_mail(hall.at.replay, hall.last(seat), ANN, SENDER, pictures=True)
        files = [part.get_filename() for part in parsed(finish_letter(mail).mail).iter_attachments()]
        assert files == (["winter.tkid", "turn-1.html"] if seat == FIRST else ["winter.tkid"])
    hall.mail(FIRST, "Mory")
    again = compose_mail(hall.at.replay, hall.last(FIRST), ANN, SENDER, pictures=True)
    assert b"attachment" not in finish_letter(again).mail
    hall.mail(SECOND, "pass until struggle")
    hall.mail(FIRST, "Manoeuvre W Lancaster <> W Warwick; summon W Gwynedd")
    played = compose_mail(hall.at.replay, hall.last(FIRST), ANN, SENDER, pictures=True)
    assert [part.get_filename() for part in parsed(finish_letter(played).mail).iter_attachments()] == [
        "winter.tkid",
        f"turn-{hall.last(FIRST).turn}.html",
    ]
    hall.mail(SECOND, "resign")
    over = compose_mail(hall.at.replay, hall.last(FIRST), ANN, SENDER, pictures=True)
    assert [part.get_filename() for part in parsed(finish_letter(over).mail).iter_attachments()] == [
        "winter.tkid",
        "winter.html",
    ]


# -- mails taken apart ------------------------------------------------------------------------------------

TEXTS = st.lists(
    st.sampled_from(("é", "日", "a ", "=", "\t", "\n", "--=_x", "--=_x--\n", "From ", "y" * 90)), max_size=30
)
"""Texts of letters: with lines that look like the edge of a part, but for its end, which a digest names."""


@UNTIMED
@given(st.lists(TEXTS.map("".join), max_size=4), st.binary(max_size=200))
def test_what_was_put_together_is_taken_apart_again(texts: list[str], data: bytes) -> None:
    parts = [*map(make_text_part, texts), make_file_part(data, "image/png", "Content-ID: <x@y>")]
    whole = make_multipart("mixed", "=_tkid_0123", parts)
    whole = evolve(whole, headers=("Subject: a\r\n b", "X-Loop: tkid", *whole.headers))
    again = read_written_part(whole.write_part())
    assert again == whole
    assert split_multipart(again) == parts
    assert [read_text_part(part) for part in split_multipart(again)[:-1]] == texts
    with pytest.raises(ValueError, match="no parts"):
        split_multipart(parts[-1])


# -- a host -----------------------------------------------------------------------------------------------


def host_with_pictures(store: object, send: object) -> Host:
    """A host that sends pictures."""
    return Host(store, SENDER, b"s" * 32, send, pictures=True)  # type: ignore[arg-type]


def begun(folder: Path) -> Loop:
    """A host that has begun a game for two, whose first letters are out."""
    loop, _ = looped(folder, Clock(), make=host_with_pictures)
    loop.database.create_database()
    store = loop.database.open_store()
    host_with_pictures(store, lambda *_: None).open_game("game", game(2), TIME)
    store.close()
    loop.run_round(never)
    return loop


def sent(folder: Path, name: str) -> list[EmailMessage]:
    """The letters that a player has got."""
    return letters(folder / "", name)


@pytest.mark.slow
def test_a_host_sends_pictures_until_a_player_wants_none(tmp_path: Path) -> None:
    loop = begun(tmp_path)
    got = {name: sent(tmp_path, name) for name in NAMES[:2]}
    assert [len(pictures(mail)) for name in NAMES[:2] for mail in got[name]] == [1, 1]
    name, letter = next((name, mail) for name in NAMES[:2] for mail in got[name] if examples(mail))
    assert "S Scottish" in body(letter)
    assert "S Scottish" in page_of(letter)
    assert "Regions whose boxes touch are neighbours." in body(letter)
    assert "boxes touch" not in page_of(letter), "there are no boxes in a picture"
    Maildir(tmp_path / "in").add_mail(reply(letter, f"notify no pictures\n{examples(letter)[0]}", name))
    loop.run_round(never)
    mine, other = sent(tmp_path, name), sent(tmp_path, next(each for each in NAMES[:2] if each != name))
    assert [len(pictures(mail)) for mail in (*mine, *other)] == [0, 1]
    assert "From now on your mails come without pictures." in body(mine[0]).replace("\n", " ")
    assert "Moray" in body(mine[0])
    loop.close()


@pytest.mark.slow
def test_what_the_board_to_click_opens_is_an_answer_that_the_host_plays(tmp_path: Path) -> None:
    """A mail program makes a new mail of the link: no quotation, no marker, no reference to the letter."""
    loop = begun(tmp_path)
    name, letter = next((name, mail) for name in NAMES[:2] for mail in sent(tmp_path, name) if examples(mail))
    board = next(part for part in letter.iter_attachments() if part.get_content_type() == "text/html")
    choices = json.loads(board.get_content().partition('id="k-choices">')[2].partition("</script>")[0])
    clicker = Clicker(choices)
    while not clicker.line():
        clicker.click(max(clicker.offered() - {"pass"}))
    link = urlsplit(choices["mail"] + quote(f"{clicker.line()}\r\n"))
    asked = parse_qs(link.query)
    made = EmailMessage(policy=SMTP)
    made["From"], made["To"], made["Subject"] = address(name), unquote(link.path), asked["subject"][0]
    made["Date"], made["Message-ID"] = format_datetime(TIME), "<made@example.org>"
    made.set_content(asked["body"][0])
    Maildir(tmp_path / "in").add_mail(made.as_bytes())
    loop.run_round(never)
    (answer,) = sent(tmp_path, name)
    assert f"1. {name} {clicker.line()} #" in " ".join(body(answer).split())
    loop.close()


@pytest.mark.slow
def test_a_letter_that_is_sent_again_is_the_same(tmp_path: Path) -> None:
    """What went out before the process died goes out once more as the same bytes, whatever came of the first."""
    went: list[bytes] = []

    class Died(BaseException):
        """The process ends."""

    def send(_: str, mail: bytes) -> None:
        went.append(mail)
        if len(went) == 1:
            raise Died

    loop, _ = looped(tmp_path, Clock())
    loop.database.create_database()
    store = loop.database.open_store()
    at = host_with_pictures(store, send)
    at.open_game("game", game(2), TIME)
    with pytest.raises(Died):
        at.send_letters(TIME)
    assert at.send_letters(TIME) == 2
    assert went[0] == went[1]
    assert pictures(parsed(went[0]))
    store.close()


def test_a_picture_that_several_see_is_drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[int] = []

    def counted(image: Image.Image, colours: int) -> bytes:
        drawn.append(colours)
        return encode_png(image, colours)

    monkeypatch.setattr("tkid.render.raster.encode_png", counted)
    monkeypatch.setattr(illustrated, "TILES", Tiles())
    mails = [
        finish_letter(compose_mail(MIDGAME, letter, ANN, SENDER, pictures=True)).mail
        for letter in game_service.begin_game(MIDGAME.record, TIME).letters
    ]
    assert len(mails) == 3
    assert len({pictures(parsed(mail))[0].get_payload(decode=True) for mail in mails}) == 1
    assert len(drawn) == 1


def test_a_host_that_cannot_draw_loses_nothing_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Tiles, "draw_png", no_picture)
    loop, log = looped(tmp_path, Clock(), make=host_with_pictures)
    loop.database.create_database()
    store = loop.database.open_store()
    host_with_pictures(store, lambda *_: None).open_game("game", game(2), TIME)
    store.close()
    done = loop.run_round(never)
    assert (done.sent, done.failed) == (2, False)
    assert [len(sent(tmp_path, name)) for name in NAMES[:2]] == [1, 1]
    (told,) = [entry for entry in log if entry["event"] == "no-picture"]
    assert (told["letters"], told["reason"]) == (2, "resvg-py is not installed here")
    loop.run_round(never)
    assert len([entry for entry in log if entry["event"] == "no-picture"]) == 1
    loop.close()


def test_many_letters_do_not_keep_a_host_from_its_mails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tkid.host.loop.MAX_LETTERS_PER_ROUND", 3)
    loop, _ = looped(tmp_path, Clock())
    loop.database.create_database()
    store = loop.database.open_store()
    for number in range(4):
        Host(store, SENDER, b"s" * 32, lambda *_: None).open_game(f"game-{number}", game(number), TIME)
    store.close()
    assert [loop.run_round(never).sent for _ in range(4)] == [3, 3, 2, 0]
    loop.close()


# -- a wish -----------------------------------------------------------------------------------------------


def test_a_player_chooses_pictures_and_is_told() -> None:
    hall = Hall()
    wishes = hall.at.memory.seats[SECOND].wish
    hall.mail(SECOND, "notify without pictures")
    assert "From now on your mails come without pictures." in hall.says(SECOND)
    assert [seat.pictures for seat in hall.at.memory.seats] == [True, False]
    hall.mail(SECOND, "status")
    assert "Your mails come without pictures." in hall.says(SECOND)
    hall.mail(SECOND, "notify me with pictures")
    assert "From now on your mails come with a picture of the board." in hall.says(SECOND)
    assert hall.at.memory.seats[SECOND].pictures
    assert hall.at.memory.seats[SECOND].wish == wishes
    assert "no pictures" not in hall.says(FIRST)


def test_what_a_host_remembered_before_there_were_pictures_is_read() -> None:
    text = Memory.make_new(2, "struggles").text
    assert "pictures" not in text
    assert all(seat.pictures for seat in Memory.read_text(text).seats)
    assert address("Ann") == ANN
