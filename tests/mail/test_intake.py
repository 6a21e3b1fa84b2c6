"""The intake: no bytes make it fall over; who sends is certain or nobody; what programs send is not answered."""

from __future__ import annotations

import base64
import quopri
import time
from collections.abc import Callable
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.mail.mails import ANN, EXPECTED, FOLDER, MARKER, UNTIMED, game, mail, outcome
from tests.shared.tables import each_row, sample
from tkid.mail.envelope import MOST_BYTES, MOST_HEADER_BYTES, MOST_TEXT, is_address, list_message_ids, read_only_address
from tkid.mail.mime import MOST_LINES, MOST_PARTS, read_html_lines, split_html, split_parts, take_in, unflow_lines
from tkid.mail.model import Intake, Line, Refusal
from tkid.mail.order_finder import find_orders, get_order_reader
from tkid.rulebook import is_known_rule

FIXTURES = [(FOLDER / name).read_bytes() for name in sorted(EXPECTED)]
LARGE = MOST_TEXT - 4096


def rule_of(data: bytes) -> str:
    """The rule by which a mail is refused, "" where it is read."""
    taken = take_in(data)
    return taken.rule if isinstance(taken, Refusal) else ""


def ends(data: bytes) -> None:
    """A mail ends as an answer or as a refusal, with a rule that is registered wherever one is named."""
    result = outcome(data)
    assert " " in result or result == "Pass" or is_known_rule(result)


# -- whatever comes in ------------------------------------------------------------------------------------


@UNTIMED
@given(st.binary(max_size=2000))
def test_raw_bytes_end_as_a_refusal(data: bytes) -> None:
    ends(data)


@UNTIMED
@given(st.binary(max_size=2000), st.sampled_from(("text/plain", "text/html", "multipart/mixed; boundary=b", "a/b")))
def test_raw_bytes_in_a_body_end(data: bytes, kind: str) -> None:
    ends(mail("", f"Content-Type: {kind}") + data)


@UNTIMED
@given(st.sampled_from(FIXTURES), st.data())
def test_changed_fixtures_end(fixture: bytes, data: st.DataObject) -> None:
    changed = bytearray(fixture)
    for _ in range(data.draw(st.integers(1, 8))):
        at = data.draw(st.integers(0, len(changed) - 1))
        length = data.draw(st.integers(0, 40))
        changed[at : at + length] = data.draw(st.binary(max_size=20) | st.sampled_from(PIECES))
    ends(bytes(changed))


PIECES = (
    *(b"\r\n", b"\n\n", b"\r", b"\0", b"--", b";", b"=?utf-8?b?AAAA?=", b"\xff", b"\xe2\x80\xae", b"From: x@y\r\n"),
    *(b"Content-Type: multipart/mixed; boundary=x\r\n\r\n", b"charset=idna", b"charset*0*=utf-8''%FF", b"<", b">"),
    *(b"Content-Transfer-Encoding: base64\r\n", b"Content-Type: message/rfc822\r\n\r\n", b"format=flowed", b"=\r\n"),
)

header_values = st.text(st.characters(codec="latin-1", exclude_characters="\n"), max_size=80)
names = st.sampled_from(
    ("From", "Content-Type", "Content-Transfer-Encoding", "Message-ID", "In-Reply-To", "References", "X-Loop")
)


@UNTIMED
@given(st.lists(st.tuples(names, header_values), max_size=8), st.binary(max_size=200))
def test_strange_headers_end(headers: list[tuple[str, str]], text: bytes) -> None:
    ends("".join(f"{name}: {value}\n" for name, value in headers).encode("latin-1") + b"\n" + text)


@UNTIMED
@given(st.recursive(st.binary(max_size=60), lambda inner: st.lists(inner, max_size=3), max_leaves=12))
def test_nested_parts_end(tree: bytes | list[object]) -> None:
    def written(node: object, depth: int) -> bytes:
        if isinstance(node, bytes):
            return b"Content-Type: text/plain\n\n" + node
        assert isinstance(node, list)
        edge = b"b%d" % depth
        parts = b"".join(b"\n--" + edge + b"\n" + written(part, depth + 1) for part in node)
        return b'Content-Type: multipart/mixed; boundary="' + edge + b'"\n\n' + parts + b"\n--" + edge + b"--\n"

    ends(b"From: ann@example.org\n" + written(tree, 0))


# -- size -------------------------------------------------------------------------------------------------

UNITS = (
    *(b">", b" ", b",", b"\n", b">\n", b"> ", b"<", b"<a ", b"<!--", b"<div>", b"</div>", b"&amp", b"\xff", b"\0"),
    *(b"Pass\n", b"Pass;\n", b"Assemble x\n", b"A nice day for all\n", b"-- \n", b"--b\n", b"=\n", b"=3D", b"``"),
    *(b"Manoeuvre S Moray <> ", b"Assemble S Moray,\n", b"turn 1, #", b"write your order above this line (\n"),
)
KINDS = (
    *("text/plain", "text/html", "text/plain; format=flowed; delsp=yes", "multipart/mixed; boundary=b"),
    *("text/plain; charset=punycode", "text/plain; charset=idna", "multipart/alternative; boundary=b"),
)


@pytest.mark.slow
@pytest.mark.parametrize("unit", sample(UNITS, 30), ids=repr)
def test_large_bodies_end(unit: bytes) -> None:
    """Times are told (`pytest -rP`), and decide nothing."""
    took = {}
    for kind in KINDS:
        for encoding in ("7bit", "base64", "quoted-printable"):
            start = time.perf_counter()
            headers = (f"Content-Type: {kind}", f"Content-Transfer-Encoding: {encoding}")
            ends(mail("", *headers) + unit * (LARGE // len(unit)))
            took[kind, encoding] = time.perf_counter() - start
    slowest = max(took, key=lambda each: took[each])
    print(f"{unit!r}: {took[slowest]:.2f} s at most, as {', '.join(slowest)}")  # noqa: T201


@each_row("html", ["<", "<a ", "<!--", "<div>", "<br>", "</div>", "&", "<blockquote>", "<pre>", "x"])
def test_html_is_read_token_by_token(html: str) -> None:
    """As many tokens as there are units at most: nothing is read twice."""
    made = list(split_html(html * 5000))
    assert len(made) <= 5000


def test_what_is_too_large_is_refused() -> None:
    assert rule_of(mail("x" * MOST_BYTES)) == "mail.too-large"


def photo(size: int, before: str = "Pass", after: str = "") -> bytes:
    """A mail with a photograph of so many bytes; most of it is one pattern, which costs as much as any other."""
    encoded = base64.encodebytes(bytes(range(251)) * (size // 251)).decode().replace("\n", "\r\n")
    parts = (
        f"--b\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n{before}\r\n",
        (
            '--b\r\nContent-Type: image/jpeg; name="a.jpg"\r\nContent-Disposition: attachment; filename="a.jpg"\r\n'
            f"Content-Transfer-Encoding: base64\r\n\r\n{encoded}\r\n"
        ),
        f"--b\r\nContent-Type: text/plain\r\n\r\n{after}\r\n--b--\r\n",
    )
    return mail("".join(parts), "Content-Type: multipart/mixed; boundary=b")


def test_attachments_are_skipped_whatever_their_size() -> None:
    for size in (1_500_000, 18_000_000):
        assert outcome(photo(size)) == "Pass"
        assert outcome(photo(size, "Hello!", "Pass")) == "Pass"
    assert rule_of(photo(20_000_000)) == "mail.too-large"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("unit", "encoding"),
    sample(
        product(
            ("> What I wrote\n", "What I wrote\n", "<p>What I wrote</p>\n"), ("7bit", "base64", "quoted-printable")
        ),
        4,
    ),
)
def test_of_a_long_text_the_beginning_is_read(unit: str, encoding: str) -> None:
    """An order above a long quotation is found, whatever the quotation's form; one far below it is not."""
    html = unit.startswith("<")
    for size in (MOST_LINES * 2 * len(unit), MOST_TEXT + 1, 4 * MOST_TEXT):
        body = ("Pass<br>" if html else "Pass\n") + f"\n{MARKER}\n" + unit * (size // len(unit))
        kind = "text/html" if html else "text/plain; charset=utf-8"
        headers = (f"Content-Type: {kind}", f"Content-Transfer-Encoding: {encoding}")
        data = ENCODED[encoding](body.encode())
        assert outcome(mail("", *headers) + data) == "Pass", size


ENCODED: dict[str, Callable[[bytes], bytes]] = {
    "7bit": bytes,
    "base64": base64.encodebytes,
    "quoted-printable": quopri.encodestring,
}


def test_an_order_below_a_long_quotation_is_read() -> None:
    quotation = f"> {MARKER}\n" + "> What I wrote\n" * 40_000
    assert outcome(mail(f"On Saturday tkid wrote:\n{quotation}\nPass\n")) == "Pass"


def test_a_cut_text_ends_with_a_whole_line() -> None:
    """What is left of a line that was cut, or of a letter of several bytes, is not read."""
    for charset, unit in (("utf-8", "ü"), ("utf-16", "x"), ("gb18030", "镕"), ("iso-2022-jp", "次"), ("us-ascii", "x")):
        line = unit * 60 + "\n"
        for shift in range(4):
            text = "x" * shift + "\n" + line * (MOST_TEXT // len(line.encode(charset)) * 5 // 4) + "Pass, please"
            taken = take_in(mail("", f"Content-Type: text/plain; charset={charset}") + text.encode(charset))
            assert isinstance(taken, Intake)
            assert {each.text for each in taken.lines} == {"x" * shift, line.strip(), ""}, (charset, shift)


def test_long_headers_are_read() -> None:
    """Of the headers that count, the beginning is read; of a list of addresses or of mails the end too."""
    hops = "Received: from a by b; Sat, 21 Nov 2026 10:00:00 +0000\r\n"
    for before in (hops * 1300, hops * 12_000, "X-Long: " + "x" * 70_000 + "\r\n", "X-A: b\r\n" * 500):
        assert outcome(before.encode() + mail("Pass")) == (
            "mail.unreadable" if len(before) > MOST_HEADER_BYTES else "Pass"
        )
        late = mail("Pass").replace(b"\r\n\r\n", b"\r\n" + before.encode() + b"\r\n", 1)
        assert outcome(late) == "Pass", "what counts stands in the part that is read"
    assert outcome(mail("Pass", "In-Reply-To: " + "<a@b> " * 500)) == "Pass"
    assert rule_of(b"From: " + b"," * 50_000 + b"\n\nPass") == "mail.from"
    assert outcome(b"From: ann@example.org\n" + b" " * 70_000 + b"\n\nPass") == "Pass"
    key = "abcdefghijkl"
    for place in (0, 700, 1400):
        listed = [f"friend{n}@example.org" for n in range(1400)]
        listed.insert(place, f"tkid+{key}@games.example")
        taken = take_in(
            mail("Pass", "To: " + ",\r\n ".join(listed), "References: " + "<a@b.example>\r\n " * 900 + "<c@d>")
        )
        assert isinstance(taken, Intake)
        assert taken.keys == (key,)
        assert taken.parents[0] == "<c@d>"


@each_row(
    "line",
    ["no colon here", ">From somebody", "From ann@example.org", "X Y: z", "é: x", ":", "=?x?= y", "X\rFrom: eve@x"],
)
def test_a_line_that_is_no_header_is_skipped(line: str) -> None:
    """With the lines that continue it, which belong to no other header."""
    for more in ("", "\r\n continued: here", "\r\n\tbob@example.org"):
        bad = f"{line}{more}".encode("latin-1")
        for data in (mail("Pass", "X-A: b", "#", "X-B: c"), b"#\r\n" + mail("Pass")):
            assert outcome(data.replace(b"#", bad, 1)) == "Pass"


def test_a_long_header_that_nobody_reads_is_dropped() -> None:
    """Exchange writes headers of several kB about its spam filter."""
    assert outcome(mail("Pass", "X-Microsoft-Antispam-Message-Info: " + "\r\n ".join(["QUJD" * 18] * 50))) == "Pass"
    assert outcome(mail("Pass", "References: " + "<a@b> " * 500)) == "Pass"


def test_too_many_and_too_deep_parts_are_refused() -> None:
    parts = b"--b\n\nPass\n" * (MOST_PARTS + 1)
    assert rule_of(mail("", "Content-Type: multipart/mixed; boundary=b") + parts) == "mail.parts"
    nested = b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(40))
    assert rule_of(b"From: ann@example.org\n" + nested + b"\nPass\n") == "mail.parts"


# -- who sends --------------------------------------------------------------------------------------------


@each_row(
    "value",
    [
        "ann@example.org",
        "ANN@Example.ORG",
        "<ann@example.org>",
        "Ann <ann@example.org>",
        "Ann Miller <ann@example.org>",
        '"Miller, Ann" <ann@example.org>',
        '"Ann \\"the queen\\" Miller" <ann@example.org>',
        '"bob@example.org" <ann@example.org>',
        "=?utf-8?q?Bob_=3Cbob=40example=2Eorg=3E?= <ann@example.org>",
        "ann@example.org (Ann Miller)",
        "Ann (at home) <ann@example.org>",
        "Ann\r\n <ann@example.org>",
        "Zoë Müller <ann@example.org>",
        "Анна <ann@example.org>",
        "\u202eAnn <ann@example.org>",
        "Miller, Ann <ann@example.org>",
        "Miller, Ann, Prof. <ann@example.org>",
        "ann@example.org <ann@example.org>",
        "Ann@Example.org <ann@example.org>",
        "'ann@example.org' <ann@example.org>",
        "Ann (ann@example.org) <ann@example.org>",
        "ann@example.org,",
        "Ann <ann@example.org>,",
        "Ann <ann@example.org>, ",
        ",Ann <ann@example.org>",
        "ann@example.org, ann@example.org",
        "Ann, ann@example.org",
        'Ann "the queen" Miller <ann@example.org>',
        "Ann <ann@example.org>\r",
    ],
)
def test_one_plain_address_is_read(value: str) -> None:
    taken = take_in(mail("Pass", sender=value))
    assert isinstance(taken, Intake)
    assert taken.sender == ANN


@each_row(
    "value",
    [
        "",
        "Ann",
        "<ann@example.org>bob@example.com",
        "ann@example.org <bob@example.com>",
        "<ann@example.org> <bob@example.com>",
        "ann@example.org, bob@example.com",
        "players: ann@example.org;",
        '"Ann" <ann@example.org> bob',
        '"Ann"x" <ann@example.org>',
        '"Ann\\" <ann@example.org>',
        "ann@example.org (a) (b)@evil.example",
        "ann@@example.org",
        "ann@example..org",
        "ann@[192.0.2.1]",
        "ann@example.org@evil.example",
        "аnn@example.org",
        "ann@exаmple.org",
        "Ann <ann@example.org\u202e>",
        "ann@example.org\u200b",
        "Ann\x07 <ann@example.org>",
        "Ann <ann@example.org>\x00",
        "ann @example.org",
        "Ann <ann@example.org",
        "@example.org",
        "ann@",
        "bob@example.com, Ann <ann@example.org>",
        "Ann (bob@example.com) <ann@example.org>",
        "Miller, Ann <ann@example.org>, Bob <bob@example.com>",
        "Miller: Ann <ann@example.org>",
        "ann@example.org; bob@example.com",
    ],
)
def test_what_is_not_one_plain_address_is_refused(value: str) -> None:
    assert rule_of(mail("Pass", sender=value)) in {"mail.from", "mail.unreadable"}


def test_there_is_one_from_line() -> None:
    assert rule_of(mail("Pass", "From: Ann <ann@example.org>")) == "mail.from"
    assert rule_of(mail("Pass", "FROM : Ann <ann@example.org>")) == "mail.from"
    assert rule_of(b"To: tkid@localhost\n\nPass") == "mail.from"


@UNTIMED
@given(st.text(max_size=60))
def test_an_address_is_nothing_but_an_address(text: str) -> None:
    found = read_only_address(text)
    assert found is None or (is_address(found) and found in text and not set(found) & set('<>,;:"() \t\r\n'))


def test_what_is_no_mail_is_refused() -> None:
    for data in (b"", b"\n", b"\n\nPass", b"Pass, please", b" folded: x\n\nPass"):
        assert rule_of(data) == "mail.unreadable"
    assert outcome(b"From: ann@example.org\nPass\n\n") == "mail.no-order", "a text without an empty line before it"
    assert rule_of(b"From: ann@example.org\rFrom: bob@example.org\n\nPass") == "mail.from"
    assert rule_of(b"From: ann@example.org\n b\0c\n\nPass") == "mail.from"
    assert rule_of(b"From: ann@example.org\nAuto-Submitted: \0no\n\nPass") == "mail.automatic"
    assert rule_of(b"From ann@example.org Sat Nov 21 10:00:00 2026\n" + mail()) == ""


# -- automatic mail ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "header",
    [
        "Return-Path: <>",
        "Auto-Submitted: auto-replied",
        "auto-submitted: auto-generated (vacation)",
        "Content-Type: multipart/report; report-type=delivery-status; boundary=b",
        "X-Failed-Recipients: bob@example.org",
        "Precedence: bulk",
        "Precedence: Junk",
        "Precedence: list",
        "Precedence: auto_reply",
        "Precedence: Auto-Reply",
        "X-Autoreply: yes",
        "X-Autoreply:",
        "X-AutoRespond: vacation",
        "X-Loop: tkid",
    ],
)
def test_automatic_mail_is_refused(header: str) -> None:
    assert rule_of(mail("Pass", header)) == "mail.automatic"


@pytest.mark.parametrize(
    "sender",
    ["MAILER-DAEMON@mx.example.org", "MAILER-DAEMON", "Mail System <postmaster@example.org>", "<Postmaster@x>"],
)
def test_mail_of_mail_systems_is_refused(sender: str) -> None:
    assert rule_of(mail("Pass", sender=sender)) == "mail.automatic"


@pytest.mark.parametrize(
    "header",
    [
        "Return-Path: <ann@example.org>",
        "Auto-Submitted: no",
        "Precedence: first-class",
        "X-Autoreply: no",
        "X-Autorespond: No",
        "X-Auto-Response-Suppress: All",
        "X-Loop: another",
    ],
)
def test_mail_of_people_is_read(header: str) -> None:
    assert outcome(mail("Pass", header)) == "Pass"


SUPPRESSED = ("All", "OOF", "DR, OOF, AutoReply", "DR, RN, NRN, OOF, AutoReply", "oof, autoreply")
BY_A_PROGRAM = (
    *("Automatic reply: [winter] Turn 4: your turn", "Automatische Antwort: [winter] Turn 4: your turn"),
    *("Réponse automatique : [winter] Turn 4", "Respuesta automática: [winter] Turn 4", "Risposta automatica: x"),
    *(
        "=?utf-8?q?R=C3=A9ponse_automatique_=3A_=5Bwinter=5D_Turn_4?=",
        "Out of Office: [winter] Turn 4",
        "Out of office",
    ),
    *("[External] Automatic reply: [winter] Turn 4", "Abwesenheitsnotiz: [winter] Turn 4", "Autosvar: [winter] Turn 4"),
    *(
        "Automatisch antwoord: x",
        "Automaattinen vastaus: x",
        "Odpowiedź automatyczna: x",
        "自動応答: [winter] Turn 4",
        "OOO",
    ),
    *(
        "Автоматический ответ: [winter] Turn 4",
        "자동 회신: [winter] Turn 4",
        "I am away until Monday",
        "Away",
        "Awtomatikong tugon: [winter] Turn 4",
    ),
)
BY_A_PERSON = (
    *("Re: [winter] Turn 4: your turn", "RE: [winter] Turn 4: your turn", "AW: [winter] Turn 4", "SV: [winter] Turn 4"),
    *(
        "[External] RE: [winter] Turn 4: your turn",
        "Antw.: [winter] Turn 4",
        "回复: [winter] Turn 4",
        "YNT: [winter] x",
        "",
    ),
    *(
        "Turn 4: your turn",
        "[winter] Turn 4: your turn",
        "Pass",
        "Re: Automatic reply: [winter] Turn 4",
        "My turn: Pass",
    ),
)


@pytest.mark.parametrize("value", SUPPRESSED)
def test_a_reply_of_exchange_is_automatic_if_its_subject_says_so(value: str) -> None:
    """The header alone is no sign: mails of people have it too."""
    header = f"X-Auto-Response-Suppress: {value}"
    for subject in BY_A_PROGRAM:
        assert rule_of(mail("Pass", header, f"Subject: {subject}")) == "mail.automatic", subject
        assert outcome(mail("Pass", f"Subject: {subject}")) == "Pass", "a subject alone is no sign either"
    for subject in BY_A_PERSON:
        assert outcome(mail("Pass", header, f"Subject: {subject}")) == "Pass", subject
    for other in ("None", "DR, RN", "NDR"):
        assert outcome(mail("Pass", f"X-Auto-Response-Suppress: {other}", f"Subject: {BY_A_PROGRAM[0]}")) == "Pass"


@each_row("text", ["I am out of the office until Monday.", "Automatic reply", "Abwesenheitsnotiz"])
def test_a_text_that_may_be_automatic_is_a_doubt(text: str) -> None:
    """Cites: mail.automatic."""
    record = game().record
    reader = get_order_reader(record.game, record.names, 0)
    for header, doubts in ((f"X-Auto-Response-Suppress: {SUPPRESSED[0]}", (text,)), ("X-Other: All", ())):
        taken = take_in(mail(f"{text}\nPass", header, "Subject: Re: [winter] Turn 4"))
        assert isinstance(taken, Intake)
        assert find_orders(taken, reader).doubt == doubts


@pytest.mark.parametrize(
    "header",
    ["X-Autoreply-From: <ann@example.org>", "X-Mail-Autoreply: yes", "X-MS-Exchange-Inbox-Rules-Loop: ann@example.org"],
)
def test_other_signs_of_automatic_mail(header: str) -> None:
    assert rule_of(mail("Pass", header)) == "mail.automatic"


# -- the text ---------------------------------------------------------------------------------------------


def test_charsets() -> None:
    for charset, data in {
        "utf-8": "Grüße",
        "iso-8859-1": "Grüße",
        "koi8-r": "Привет",
        "iso-2022-jp": "よろしく",
        "utf-16": "Grüße",
    }.items():
        text = mail("", f"Content-Type: text/plain; charset={charset}") + f"{data}\nPass\n".encode(charset)
        taken = take_in(text)
        assert isinstance(taken, Intake)
        assert taken.lines[0].text == data
    for charset in ("x-unknown", "zip", "idna", "punycode", "utf-8; charset=koi8-r", '"', "\\", "rot13", "us-ascii"):
        assert outcome(mail("", f"Content-Type: text/plain; charset={charset}") + "Grüße\nPass".encode()) == "Pass"
        assert outcome(mail("", f"Content-Type: text/plain; charset={charset}") + b"Gr\xfc\x81e\nPass") == "Pass"


def test_charsets_are_read_as_they_are_meant() -> None:
    for declared, real, data in (
        ("iso-8859-1", "cp1252", "Ann’s – well…"),
        ("gb2312", "gb18030", "李镕安；"),
        ("gbk", "gb18030", "€㐀"),
        ("big5", "cp950", "碁銹€"),
        ("shift_jis", "cp932", "①～"),
        ("euc-kr", "cp949", "똠방"),
    ):
        taken = take_in(mail("", f"Content-Type: text/plain; charset={declared}") + data.encode(real))
        assert isinstance(taken, Intake)
        assert taken.lines[0].text == data, declared
    unknown = "次の手；".encode("iso-2022-jp") + b"\x1b$B-!\x1b(B\nPass"
    taken = take_in(mail("", "Content-Type: text/plain; charset=iso-2022-jp") + unknown)
    assert isinstance(taken, Intake)
    assert [line.text[:4] for line in taken.lines] == ["次の手；", "Pass"]


def test_flowed_text_is_joined() -> None:
    text = "Assemble S Moray, \nW Devon\n-- \nAnn \nB\n> quoted \n> text\n>> deeper\n >stuffed\n  indented\n"
    lines = list(unflow_lines(text, delete_space=False))
    assert lines[:2] == [Line("Assemble S Moray, W Devon"), Line("-- ")]
    assert lines[2:6] == [
        Line("Ann B"),
        Line("quoted text", quoted=True),
        Line("deeper", quoted=True),
        Line(">stuffed", quoted=True),
    ]
    assert lines[6].text == " indented"
    assert next(unflow_lines("summon W Gwy \nnedd", delete_space=True)).text == "summon W Gwynedd"


def test_html_is_read_as_lines() -> None:
    html = (
        "<html><head><title>Pass</title><style>p{}</style></head><body><!-- Pass --><p>One<br>two &lt;&gt;&nbsp;three</p>"
        "<div>A <b>bold</b>\n word</div><div class='gmail_quote'>x<div>y</div></div><blockquote>q<div>r</blockquote>"
        "<pre>s\n  t</pre><span>end"
    )
    assert read_html_lines(html, 100) == [
        *(Line("One"), Line("two <> three"), Line("A bold word")),
        *(Line(text, quoted=True) for text in "xyqr"),
        *(Line("s"), Line("  t"), Line("end")),
    ]


def test_what_stands_behind_a_quotation_in_its_wrapping_is_read() -> None:
    html = (
        "<div class='gmail_quote'>On Saturday tkid wrote:<blockquote>a<div class='gmail_quote'>b<blockquote>c</blockquote>"
        "d</div></blockquote>mine<blockquote>e</blockquote>mine</div>mine</blockquote><div class='protonmail_quote'>f</div>"
    )
    assert [line.text for line in read_html_lines(html, 100) if not line.quoted] == ["mine"] * 3
    for class_name in ("yahoo_quoted", "moz-cite-prefix"):
        assert all(
            line.quoted for line in read_html_lines(f"<div class={class_name}><blockquote>a</blockquote>b</div>", 9)
        )


def test_parts_are_joined_and_attachments_left_out() -> None:
    def part(text: str, *headers: str) -> str:
        return "\n".join(("--b", *headers, "", text, ""))

    multi = "Content-Type: multipart/mixed; boundary=b"
    inline = part("Manoeuvre E Lancaster <> S Northumbria;") + part("summon E Northumbria")
    assert (
        outcome(mail("preamble\n" + inline + "--b--\nPass", multi))
        == "Manoeuvre E Lancaster <> S Northumbria; summon E Northumbria"
    )
    attached = part("Pass", "Content-Disposition: attachment")
    named = part("Pass", 'Content-Type: text/plain; name="game.tkid"')
    forwarded = part("From: ann@example.org\n\nPass", "Content-Type: message/rfc822")
    zipped = part("UEsDBA==", "Content-Type: application/zip", "Content-Transfer-Encoding: base64")
    assert outcome(mail(attached + named + forwarded + zipped + "--b--", multi)) == "mail.no-order"


def test_plain_text_is_preferred() -> None:
    alternative = "Content-Type: multipart/alternative; boundary=b"
    html = "--b\nContent-Type: text/html\n\n<p>Welsh Support WW Warwick; summon W Devon</p>\n"
    both = "--b\nContent-Type: text/html\n\n<p>Hello!</p><p>Welsh Support WW Warwick; summon W Devon</p>\n"
    plain = "--b\n\nWelsh Support WW Warwick;\nsummon W Devon\n\nHello!\n--b--"
    taken = take_in(mail(both + plain, alternative))
    assert isinstance(taken, Intake)
    assert [line.text for line in taken.lines][:2] == ["Welsh Support WW Warwick;", "summon W Devon"]
    assert [line.text for line in taken.html()] == ["Hello!", "Welsh Support WW Warwick; summon W Devon"]
    assert outcome(mail("--b\n\n \n" + html + "--b--", alternative)) == "Welsh Support WW Warwick; summon W Devon"


@UNTIMED
@given(st.lists(st.binary(max_size=20).filter(lambda part: b"--b" not in part and b"\r" not in part), max_size=5))
def test_parts_are_split_as_they_were_put_together(parts: list[bytes]) -> None:
    body = b"".join(b"\n--b\n" + part for part in parts) + b"\n--b--\n"
    assert [body[begin:end] for begin, end in split_parts(body, b"b", 0, len(body))] == parts
    assert [body[begin:end] for begin, end in split_parts(body, b"b", 1, len(body))] == parts


# -- the thread -------------------------------------------------------------------------------------------


def test_message_ids() -> None:
    assert list_message_ids("<a@b>", " <[x@y.example]>\t<c@d>") == ("<a@b>", "<[x@y.example]>", "<c@d>")
    for wrong in (
        "a@b",
        "<ab>",
        "<@b>",
        "<a@>",
        "<a b@c>",
        "<a@b\x07>",
        "<é@b>",
        "<=?utf-8?q?=0D=0ABcc:_x?=@b>",
        "<" + "a" * 300 + "@b>",
        "<a@b",
    ):
        assert list_message_ids(wrong) == ()
    assert list_message_ids(*(f"<{n}@b>" for n in range(50))) == tuple(f"<{n}@b>" for n in range(30, 50))


def test_parents_are_nearest_first() -> None:
    taken = take_in(mail("Pass", "References: <a@x> <b@x> <c@x>", "In-Reply-To: <c@x>", "Message-ID: <d@x>"))
    assert isinstance(taken, Intake)
    assert (taken.message_id, taken.parents) == ("<d@x>", ("<c@x>", "<b@x>", "<a@x>"))


SAMPLES: tuple[Callable[[str], str], ...] = (
    lambda order: f"{order}\n\n{MARKER}\nPass\n",
    lambda order: f"{order}\n\n> {MARKER}\n> Pass\n",
    lambda order: f"> {MARKER}\n> Pass\n\n{order}\n\n-- \nPass\n",
    lambda order: f"> {MARKER}\n>\n\n{order}\n\n> Pass\n\nThanks!\n",
)


@pytest.mark.parametrize("sample", SAMPLES)
@UNTIMED
@given(st.sampled_from(("Pass", "Welsh Support WW Warwick; summon W Devon")), st.booleans())
def test_the_order_is_found_wherever_it_stands(sample: Callable[[str], str], order: str, crlf: bool) -> None:  # noqa: FBT001
    text = sample(order)
    assert outcome(mail(text.replace("\n", "\r\n") if crlf else text)) == order
