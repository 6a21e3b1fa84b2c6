"""Mails that were made to hurt, by name: what hostile senders write, and what a hostile player may write with a good key.

The list is that of the measured facts about mail: headers, parts, charsets and bodies on which parsers take minutes or
gigabytes, or raise; and what only a player can send, as nobody else's orders are read.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator

from attrs import frozen

from tkid.mail.envelope import MOST_BYTES, MOST_HEADER_BYTES, MOST_TEXT
from tkid.mail.mime import MOST_LINES

LARGE = MOST_TEXT - 8192
LARGEST = MOST_BYTES - 8192
FLOWED = "Content-Type: text/plain; format=flowed; delsp=yes"
KEYS = "234567abcdefghijklmnopqrstuvwxyz"


@frozen
class Player:
    """A player whose key an attacker has: the address, where the host is written to with the key, and the marker line."""

    address: str
    reply_to: str
    marker: str

    def mail(self, text: str | bytes, *headers: str, sender: str = "") -> bytes:
        """A mail of the player's with some text; headers may say what the text is."""
        head = (f"From: {sender or self.address}", f"To: {self.reply_to}", "Subject: Re: turn 1", *headers)
        body = text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text
        return "\n".join((*head, "", "")).encode("utf-8", "surrogateescape") + body


def attacks(by: Player) -> Iterator[tuple[str, bytes]]:
    """Every attack: its name, and the bytes of the mail."""
    for group in (headers, senders, parts, charsets, bodies, orders, bare):
        yield from group(by)


Attack = Iterator[tuple[str, bytes]]


def headers(by: Player) -> Attack:
    """Headers that are long, many, or not what they seem."""
    word = "=?utf-8?b?AAAA?= "
    yield "commas in From", by.mail("Pass", sender="," * 50_000)
    yield "encoded words in From", by.mail("Pass", sender=word * 20_000)
    yield "encoded words in Subject", by.mail("Pass", f"Subject: {word * 3_000}")
    yield "encoded words, folded", by.mail("Pass", "Subject: " + f"{word}\n " * 3_000)
    yield "comments in From", by.mail("Pass", sender="(" * 2_000 + by.address)
    yield "quotes in From", by.mail("Pass", sender='"' * 1_999 + f" <{by.address}>")
    yield "backslashes in From", by.mail("Pass", sender='"' + "\\" * 1_900 + f'" <{by.address}>')
    yield "many headers", by.mail("Pass", *["X-A: b"] * 100_000)
    yield "many empty headers", by.mail("Pass", *["A:"] * 199)
    yield "a long header", by.mail("Pass", "X-Long: " + "a" * MOST_HEADER_BYTES)
    yield "a header as long as may be", by.mail("Pass", "X-Long: " + "a " * (MOST_HEADER_BYTES // 2 - 400))
    yield "no end of the header", b"From: " + by.address.encode() + b"\n" + b"X: y\n" * 200_000
    yield "no end of a line", b"a" * LARGE
    yield "only folded lines", by.mail("Pass", "X-Fold: a" + "\n a" * 20_000)
    yield "references", by.mail("Pass", "References: " + "<a@b>" * 9_000)
    yield "references without end", by.mail("Pass", "References: " + "<" * 30_000)
    yield "recipients with keys", by.mail("Pass", "Cc: " + ", ".join(_keys("tkid+{}@b.c", 60)))
    yield "recipients with plus signs", by.mail("Pass", *["Cc: " + "+" * 2_000] * 20)
    yield (
        "an id with line ends",
        by.mail("Pass", "Message-ID: <a@b>\r\n\tBcc: <eve@example.org>", "In-Reply-To: <c@d>\rX: y"),
    )
    yield "an id of Exchange", by.mail("Pass?", "Message-ID: <[0f1e@mx.example.org]>")
    yield "an id that is none", by.mail("Pass?", "Message-ID: " + "<@>" * 600)
    yield "an id in encoded words", by.mail("Pass?", "Message-ID: <=?utf-8?q?a=0Ab?=@c.d>")
    yield "a name that cannot be decoded", by.mail("Pass", sender="=?x-none?q?=ff?= <" + by.address + ">")
    yield "bytes beyond ASCII", by.mail("Pass", "X-Raw: \udcff\udcfe\udc80")
    yield "NUL in a header", by.mail("Pass", "X-Nul: a\0b")
    yield "dates", by.mail("Pass", "Date: " + "9" * 1_900, "Date: Mon, 99 Foo 99999 99:99:99 +99999")
    parameters = "; ".join(f"a*{n}*=''%ff" for n in range(120))
    yield "parameters", by.mail("Pass", f"Content-Type: text/plain; {parameters}")
    yield "parameters without end", by.mail("Pass", "Content-Type: text/plain; " + ';a="' * 480)
    yield "a number that is too large", by.mail("Pass", "Content-Type: text/plain; a*" + "9" * 1_900 + "=b")
    yield "a digit that is none", by.mail("Pass", "Content-Type: text/plain; charset*\u00b2*=utf-8''a")
    yield "a charset in pieces", by.mail("Pass", "Content-Type: text/plain; charset*0*=x''%F; charset*1*=%")
    yield "semicolons", by.mail("Pass", "Content-Type: text/plain" + ";" * 1_900)
    yield "authentication results", by.mail("Pass?", "Authentication-Results: mx; " + "(" * 1_900)
    yield "many authentication results", by.mail("Pass?", *["Authentication-Results: " + 'a;"' * 500] * 40)


def senders(by: Player) -> Attack:
    """From lines that some programs read as the player's address."""
    name, _, domain = by.address.partition("@")
    for told, sender in {
        "two in a row": f"<{by.address}>eve@evil.example",
        "a list": f"{by.address}, eve@evil.example",
        "a group": f"players: {by.address};",
        "a homoglyph": f"{name}@{domain.replace('a', 'а')}",
        "a mark of direction": f"\u202e{by.address}",
        "a soft hyphen": f"{name}\u00ad@{domain}",
        "an address as name": f'"{by.address}" <eve@evil.example>',
        "an address in an encoded word": f"=?utf-8?q?{name}=40{domain}=3E?= <eve@evil.example>",
        "a comment": f"eve@evil.example ({by.address})",
        "a route": f"<@evil.example:{by.address}>",
        "two at signs": f"{by.address}@evil.example",
        "a percent sign": f"{name}%{domain}@evil.example",
        "a quoted local part": f'"{name}"@{domain}',
        "a domain literal": f"{name}@[127.0.0.1]",
        "a NUL": f"{by.address}\0@evil.example",
        "a carriage return": f"{by.address}\rFrom: eve@evil.example",
    }.items():
        yield f"From with {told}", by.mail("Pass", sender=sender)
    yield "two From lines", by.mail("Pass", "From: eve@evil.example")
    yield "a From line with a blank", by.mail("Pass", "From : eve@evil.example")
    yield "two From lines, one folded", by.mail("Pass", "from:\n eve@evil.example")


def parts(by: Player) -> Attack:
    """Parts in great numbers, deep inside each other, or without ends."""
    multi = "Content-Type: multipart/mixed; boundary=b"
    yield "many parts", by.mail("--b\n\nPass\n" * 100_000, multi)
    yield "many empty parts", by.mail("--b\n" * 200_000, multi)
    yield (
        "deep parts",
        by.mail(
            "".join(f"--b{n}\nContent-Type: multipart/mixed; boundary=b{n + 1}\n\n" for n in range(20_000)),
            "Content-Type: multipart/mixed; boundary=b0",
        ),
    )
    yield "deep mails", by.mail("Content-Type: message/rfc822\n\n" * 30_000, "Content-Type: message/rfc822")
    yield (
        "deep alternatives",
        by.mail(
            "--b\nContent-Type: multipart/alternative; boundary=b\n\n" * 18_000,
            "Content-Type: multipart/alternative; boundary=b",
        ),
    )
    yield "no boundary", by.mail("--\n\nPass", "Content-Type: multipart/mixed")
    yield "an empty boundary", by.mail("--\n\nPass\n--\n", 'Content-Type: multipart/mixed; boundary=""')
    yield (
        "a long boundary",
        by.mail("--" + "b" * 1_900 + "\n\nPass", "Content-Type: multipart/mixed; boundary=" + "b" * 1_900),
    )
    yield "a boundary of line ends", by.mail("--b\n\nPass", "Content-Type: multipart/mixed; boundary*=us-ascii''%0A--b")
    yield "almost boundaries", by.mail("--b-\n" * 200_000, multi)
    yield "long almost boundaries", by.mail("--b" + " " * 70_000 + "x\n", multi)
    yield "parts of headers", by.mail("--b\n" + "A: b\n" * 150_000, multi)
    yield (
        "an archive",
        by.mail(
            f"--b\nContent-Type: application/zip\nContent-Transfer-Encoding: base64\n\n{b64encode(bytes(500_000)).decode()}\n--b--\n",
            multi,
        ),
    )
    yield "a compressed text", by.mail(bytes(LARGE), "Content-Type: text/plain; charset=zlib", "Content-Encoding: gzip")
    yield "base64 of base64", by.mail(b64encode(b64encode(b"Pass\n" * 80_000)), "Content-Transfer-Encoding: base64")
    yield "base64 that is none", by.mail("\u00ff=A==" * 100_000, "Content-Transfer-Encoding: base64")
    yield "quoted-printable that is none", by.mail("=" * LARGE, "Content-Transfer-Encoding: quoted-printable")
    yield "uuencoded", by.mail("begin 644 a\n" + "M" * LARGE, "Content-Transfer-Encoding: x-uuencode")


def charsets(by: Player) -> Attack:
    """Charsets that do not exist, that are no charsets, or that take long."""
    for name in ("x-none", "idna", "punycode", "zlib", "hex", "rot13", "utf-7", "unicode_escape", "undefined", "mbcs"):
        yield f"charset {name}", by.mail("Pass\\" * 100_000, f"Content-Type: text/plain; charset={name}")
    for name in ("utf-16", "utf-32", "iso2022_jp", "hz", "gb18030", "shift_jis", "utf-8-sig", "cp037"):
        yield (
            f"charset {name}, broken",
            by.mail(b"\x1b$B\xff~{\xd8\x00" * 100_000, f"Content-Type: text/plain; charset={name}"),
        )


UNITS = (
    *(
        "> ",
        ">",
        ">>>>\n",
        "> > > > ",
        "On Sat, ",
        "On Saturday, Ann wrote:\n",
        "From: a\nSent: b\n",
        "-----",
        "_____\n",
    ),
    *(
        "--- ",
        "-- \n",
        "write your order above this line ",
        "--- write your order above this line (turn 1, #",
        "\u200b",
    ),
    *(
        "Pass ",
        "Pass\n",
        "Pass; ",
        "pass until ",
        "then ",
        "if ",
        "if Bob passes: ",
        "(",
        ")",
        "((",
        "else ",
        "summon ",
    ),
    *(
        "A",
        "Assemble ",
        "Assemble S Moray, ",
        "Manoeuvre S Moray <> E Devon; ",
        "Negotiate ",
        "S ",
        "S Moray\n",
        "a\u0301",
    ),
    *("draft ", "say to all: ", "say to Bob:\n", "status\n", "legal\n", "history\nwhy\n", "rules ", "away ", "undo?\n"),
    *(
        "1. ",
        "2026-12-20 ",
        "!",
        "?",
        ".",
        "`",
        "\u201c",
        "\u2192",
        "\u202e",
        "\U0001f600",
        "\t",
        " ",
        "\r",
        "\0",
        "\x85",
        "\u2028",
    ),
)
"""What bodies are made of, again and again."""


UNITS_OF_GAMES = (
    *("Spy on Bob: ", "Ambush S Moray; ", "March S Moray > W Devon, ", "Aid ", "Mordred "),
    *(
        "Goblin 5, ",
        "G5 ",
        "Knight ",
        "lead lowest Goblin; ",
        "if led Goblin: Knight 5; else ",
        "stop then ",
        "-----",
        "--- ",
    ),
)
"""What bodies are made of in other games than the second edition's."""


def of_games(by: Player) -> Attack:
    """As much as fits into a mail of the words of other games: also in one line that is broken at blanks."""
    yield from repeated(by, UNITS_OF_GAMES)
    for unit in UNITS_OF_GAMES:
        yield f"flowed {unit!r}", by.mail(f"{unit}\n" * (LARGE // (len(unit) + 1)), FLOWED)


def repeated(by: Player, units: Iterable[str]) -> Attack:
    """As much of something as fits into a mail, on one line, and on as many lines as may be."""
    for unit in units:
        yield f"much of {unit!r}", by.mail(unit * (LARGE // len(unit.encode())))
        if "\n" not in unit:
            room = LARGE // MOST_LINES // len(unit.encode())
            yield f"lines of {unit!r}", by.mail((unit * max(1, room) + "\n") * (MOST_LINES - 10))


def bodies(by: Player) -> Attack:
    """As much of something as fits into a mail, and as HTML."""
    yield from repeated(by, UNITS)
    yield "different words", by.mail("".join(f"Pas{n}\n" for n in range(MOST_LINES - 10)))
    yield "a line with everything", by.mail("; ".join(UNITS).replace("\n", " ") * 1_000)
    html = "Content-Type: text/html"
    for unit in (
        "<",
        "<div>",
        "</div>",
        "<a href='",
        "<!--",
        "<![CDATA[",
        "&",
        "&#",
        "&#x41;",
        "&lt",
        "<blockquote>",
        "<pre>\n",
    ):
        yield f"HTML of {unit!r}", by.mail(unit * (LARGE // len(unit)), html)
    for unit in (
        "<table><tr><td>",
        "<style>",
        "<script>",
        "<br>",
        "<p>Pass</p>",
        "<b" + " a" * 400 + ">",
        "<div class='gmail_quote'>",
    ):
        yield f"HTML of {unit[:24]!r}", by.mail(unit * (LARGE // len(unit)), html)
    for unit in ("a \n", "> \n", ">" * 300 + " \n", "Assemble S Moray, \n", " \n", "-- \n"):
        yield f"flowed {unit[:24]!r}", by.mail(unit * (LARGE // len(unit)), FLOWED)


def orders(by: Player) -> Attack:
    """Orders that are long, many, or deep; they come with a good key."""
    asked = (
        "status",
        "history",
        "why",
        "help",
        "legal",
        "legal Negotiate",
        "help away",
        "rules summon",
        "rules second.turn.pass",
    )
    yield "all questions", by.mail("\n".join(asked))
    yield (
        "questions, each a little different",
        by.mail(
            "\n".join(f"rules {word}{' ' * n}" for n in range(200) for word in ("summon", "card", "of", "the", "a"))
        ),
    )
    yield (
        "questions about many words",
        by.mail("\n".join(f"rules {a}{b}{c}" for a in KEYS for b in KEYS for c in "abc")),
    )
    yield "questions about every letter", by.mail("\n".join(f"rules {a}" for a in "abcdefghijklmnopqrstuvwxyz"))
    yield (
        "many drafts",
        by.mail(
            "\n".join(
                f"draft Manoeuvre S Moray <> E Devon; summon {c} Gwynedd{' ' * n}" for n in range(700) for c in "SWE"
            )
        ),
    )
    yield (
        "many turns with errors",
        by.mail("\n".join(f"Manoeuvre S Mor{a}y <> E De{b}on; summon W Gwynedd" for a in KEYS for b in KEYS)),
    )
    yield "many words to others", by.mail("\n".join(f"say to all: word {n}" for n in range(9_000)))
    yield "long words to others", by.mail("say to all: " + "word " * 150_000)
    yield (
        "words over many lines",
        by.mail("say to all:\n" + "A line of words that goes on and on until here\n" * 15_000),
    )
    yield "an order over many lines", by.mail("if Bob passes:\n" * 19_000)
    yield "deep conditions", by.mail("if Bob passes: " * 20 + "Pass")
    yield "very deep conditions", by.mail("if Bob passes: (" * 18 + "Pass" + ")" * 18)
    yield "many steps", by.mail("; then ".join(["Pass"] * 40))
    yield (
        "many plans",
        by.mail(
            "\n".join(f"if Bob passes and {'Essex is contested and ' * n}a struggle happens: Pass" for n in range(12))
        ),
    )
    yield "many long lines", by.mail(("if Bob passes and Essex is contested: " * 7 + "Pass\n") * 3_000)
    yield (
        "many changes",
        by.mail(
            "\n".join(f"notify {wish}{' ' * n}" for n in range(500) for wish in ("every turn", "my turns", "struggles"))
        ),
    )
    yield (
        "many absences",
        by.mail(
            "\n".join(f"away 2027-{m:02}-{d:02} to 2027-{m:02}-{d:02}" for m in range(1, 13) for d in range(1, 29))
        ),
    )
    yield "many wrong days", by.mail("\n".join(f"away {n}/11/2026 to {n}/12/2026" for n in range(5_000)))
    yield "numbers", by.mail("cancel " + "9" * 280)
    yield "many cancellations", by.mail("\n".join(f"cancel {n}" for n in range(9_000)))
    yield "keys in lines", by.mail("".join(f"--- (turn 1, #abcdef, key {key}) ---\n" for key in _keys("{}", 14_000)))
    yield "keys in quoted lines", by.mail("".join(f"> turn 1, #abcdef, key {key}\n" for key in _keys("{}", 14_000)))
    yield "half a marker on each line", by.mail("--- write your order\nabove this line (turn 1,\n" * 9_000)


def bare(by: Player) -> Attack:
    """What is hardly a mail, and reports of failed delivery."""
    yield "nothing", b""
    yield "a line end", b"\n"
    yield "zeros", bytes(LARGE)
    yield "all bytes", bytes(range(256)) * 4_000
    yield "too large", by.mail("Pass\n" * (MOST_BYTES // 4))
    for unit in ("Pass\n", "\n", "x", "\n--b\n", "\n--bx"):
        kind = "multipart/mixed; boundary=b" if "--" in unit else "text/plain"
        yield f"as much as may be of {unit!r}", by.mail(unit * (LARGEST // len(unit)), f"Content-Type: {kind}")
    for kind, piece in (("text/html; charset=utf-16", b"<p hidden>"), ("text/plain; format=flowed", b"> a \n")):
        half = piece * (LARGEST // len(piece) // 2)
        for encoding, encoded in (("base64", b64encode(half)), ("quoted-printable", half)):
            headers = (f"Content-Type: {kind}", f"Content-Transfer-Encoding: {encoding}")
            yield f"as much as may be of {piece!r}, {encoding}", by.mail(encoded, *headers)
    nested = b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(19))
    yield "deep and large", b"From: " + by.address.encode() + b"\n" + nested + b"\n" + b"Pass\n" * (LARGEST // 6)
    texts = b"".join(b"--b\nContent-Type: text/html\n\n" + b"<td>" * 30_000 + b"\n" for _ in range(190))
    yield "many texts", by.mail(texts + b"--b--", "Content-Type: multipart/mixed; boundary=b")
    yield "a header without end, as large as may be", b"From: a@b\n" + b"A:\n" * (LARGEST // 3)
    yield "a header of one line, as large as may be", b"From: a@b\nX: " + b"a" * LARGEST
    yield "many lines that are no header", b"From: a@b\n" + b"a\n" * (MOST_HEADER_BYTES // 2) + b"\nPass"
    yield "keys everywhere", by.mail("".join(f"#abcdef, key {key} " for key in _keys("{}", 14_000)) + "\n--b\n" * 99)
    report = "Content-Type: multipart/report; report-type=delivery-status; boundary=b"
    ours = "<tkid.turn.1.abcdef.0123456789abcdef@games.example>\n"
    yield (
        "a report of many letters",
        by.mail("--b\nContent-Type: message/delivery-status\n\nAction: failed\n\n--b\n\n" + ours * 18_000, report),
    )
    yield "a report of half letters", by.mail("<tkid.turn.1." * 70_000, report)
    yield "a report without end", by.mail("Action: " * 120_000, report, "X-Failed-Recipients: a@b.c")


def _keys(form: str, count: int) -> list[str]:
    """Different keys that the host never gave out."""
    size = len(KEYS)
    return [
        form.format("a" * 9 + KEYS[n // size**2 % size] + KEYS[n // size % size] + KEYS[n % size]) for n in range(count)
    ]
