"""Makes replies in fixtures/mail: those of tests/mail/replies/cases.txt, each in the form of its mail program.

Run as `python -m tests.makers.mails`: it writes those that are not there, as what our mails say changes, and replies to
earlier ones have to be understood for ever. Nothing in it is left to chance. What has to come of each is what was decided
when it was made: the turn that was chosen, the orders of a message, or the rule that a habit breaks; the post itself is
never asked. The other mails of the folder are written by hand and stay as they are.

The marks at the end of a line of cases.txt:

- `html`, `blank-plain`: only HTML; a plain part without text beside it. `bottom-inside`: the order below lies within
  the element of the quotation.
- `again`, `old`, `stale`: it answers our answer to a wrong turn; a mail of the player's own with old orders; our mail
  about the player's last turn.
- `alone`, `trimmed`, `marker-gone`: nothing is quoted; the beginning; all but the marker.
- `forwarded`, `forwarded-attached`: our mail is forwarded instead.
- `two`: a second order below. `signature-…`: a signature that begins with a card's name.
- `attached`, `split`: with the game's file; with the text around it. `signed`: with a signature of OpenPGP.
- `no-thread`: without References. `rare`, `nec`: a name, or a number, with a sign that its charset does not have.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

from attrs import evolve, frozen

from tests.mail.mails import EXPECTED, FOLDER
from tests.mail.replies.clients import CLIENTS, Client
from tests.mail.replies.drafts import Draft, Parent, joined, pieces
from tests.mail.replies.games import TABLES, earlier, game, legal_turn, made, others, parent
from tests.mail.replies.habits import HABITS, REFUSED
from tests.mail.replies.languages import LANGUAGES
from tests.mail.replies.messages import MESSAGES
from tests.mail.replies.wire import Part, header_word, multipart, text_part

CASES = Path(__file__).parents[1] / "mail" / "replies" / "cases.txt"
UNIX = {"mutt", "thunderbird", "k9", "apple-mail"}
"""Programs whose mails are kept with the line ends of Unix."""
SIGNATURES = {
    "signature-card": ["-- ", "Pass"],
    "signature-dashes": ["--", "March & Muster Ltd.", "Quell Street 7, Essex"],
    "signature-office": ["Support Office", "University of Warwick"],
}
OLD = ["resign", "pass always", "if anyone acts: stop", "say to all: This was said before.", "undo yes"]
"""What stands in an old mail of the player's own, where a message is what is typed."""
SIGNED = "-----BEGIN PGP SIGNATURE-----\r\n\r\niHUEABYKAB0WIQQx\r\n=Ab1C\r\n-----END PGP SIGNATURE-----\r\n"


@frozen
class Case:
    """A line of the table."""

    client: str
    language: str
    position: str
    encoding: str
    charset: str
    game: str
    card: str
    habit: str
    marks: frozenset[str]

    @property
    def name(self) -> str:
        """The file's name."""
        tail = [self.charset.rpartition("=")[2], self.habit, *sorted(self.marks)]
        kept = [part for part in tail if part not in {"utf-8", "us-ascii", ""}]
        return "-".join((self.client, self.language, self.position, self.encoding, *kept)) + ".eml"


def cases() -> Iterator[Case]:
    """The table."""
    for line in CASES.read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            client, language, position, encoding, charset, about, card, habit, marks = line.split()
            kept = frozenset(marks.split(",")) - {"-"}
            typed = "" if habit == "-" else habit
            yield Case(client, language, position, encoding, charset, about, card, typed, kept)


def _codec(charset: str) -> str:
    return charset.rpartition("=")[2]


def _fitting(text: str, charset: str) -> str:
    """A text without signs that programs leave out where the charset lacks them."""
    for sign, instead in (("\u202f", " "), ("\ufeff", ""), ("’", "'"), ("–", "-"), ("…", "...")):
        try:
            sign.encode(_codec(charset))
        except UnicodeEncodeError:
            text = text.replace(sign, instead)
    return text


# -- what the reply says ------------------------------------------------------------------------------------


def draft_of(case: Case, rng: Random) -> tuple[Draft, str, str]:
    """The reply before it is written, the turn that is meant, and another player that it may name."""
    language, at = LANGUAGES[case.language], game(case.game)
    asked = parent(earlier(at) if "stale" in case.marks else at, "again" if "again" in case.marks else "turn")
    turn = legal_turn(at, case.card.replace("-", " "), rng)
    other = next((name for name in others(at) if _has(case, name)), "")
    message = MESSAGES.get(case.habit)
    assert other or not message, case.name
    order = message.typed(turn, other) if message else HABITS[case.habit](turn)
    assert case.habit in {"", "paso"} or order != [turn], case.name
    remarks = [text for text in language.remarks if _has(case, text)]
    closings = [text for text in language.closings if _has(case, text)]
    above = [rng.choice(remarks)] if remarks and rng.random() < 0.7 else []
    below = [rng.choice(closings), *(["李镕安"] if "rare" in case.marks else [])] if closings else []
    above = ["これは①回目です。"] if "nec" in case.marks else above
    below = joined(["Pass"] if "two" in case.marks else [], below)
    for mark in sorted(case.marks & SIGNATURES.keys()):
        below += ["", *SIGNATURES[mark]]
    if (sent_from := CLIENTS[case.client].sent_from) and _has(case, language.sent_from[sent_from]):
        lead = ["-- "] if sent_from == "k9" else []
        below += ["", *lead, language.sent_from[sent_from]]
    asked = _seen_by(case, asked)
    parts = pieces("alone" if "alone" in case.marks else case.position, above, order, below, asked)
    parts = tuple(piece for piece in parts if piece.kind != "own" or piece.lines)
    forwarded = "forwarded" in case.marks
    if "forwarded-attached" in case.marks:
        parts = parts[:1]
    return Draft(language, asked, parts, rng, forwarded, "bottom-inside" in case.marks), turn, other


def _has(case: Case, text: str) -> bool:
    """Whether the charset of a case can express a text."""
    try:
        _fitting(text, case.charset).encode(_codec(case.charset))
    except UnicodeEncodeError:
        return False
    return True


def _seen_by(case: Case, asked: Parent) -> Parent:
    """What is quoted."""
    if "trimmed" in case.marks:
        return evolve(asked, lines=asked.lines[:7])
    if "marker-gone" in case.marks:
        return evolve(asked, lines=asked.lines[2:])
    if "old" not in case.marks:
        return asked
    client, language = CLIENTS[case.client], LANGUAGES[case.language]
    whole = pieces("top", [], OLD if case.habit in MESSAGES else ["Pass"], [], asked)
    text = client.plain.text(Draft(language, asked, whole, Random(0)))
    own = (language.person, asked.recipient.partition("<")[2].rstrip(">"))
    thread = f"{asked.references} {asked.message_id}"
    lines = tuple(text.rstrip("\n").split("\n"))
    return evolve(asked, lines=lines, author=own, references=thread, message_id="<first-try-1@example.org>")


def expected(case: Case, turn: str, other: str) -> dict[str, Any]:
    """What has to come of a reply: the orders that are found, and the turn that is played or the rule that is named.

    Of a message without a turn only the orders are told.
    """
    message = MESSAGES.get(case.habit)
    rule = REFUSED.get(case.habit, "")
    orders = [f"[{rule}]" if rule.startswith(("notation.", "post.")) else turn]
    if message:
        orders = message.found(turn, other)
        rule = "" if orders else "mail.no-order"
    if case.habit == "half":
        orders = [turn.partition(";")[0]]
    if "two" in case.marks and turn != "Pass":
        orders.append("[mail.one-turn]")
    if rule == "mail.no-order" or (case.position != "top" and not CLIENTS[case.client].marks):
        orders, rule = [], "mail.no-order"
    if "stale" in case.marks:
        rule = "mail.stale"
    about = {"client": case.client, "language": case.language, "position": case.position, "encoding": case.encoding}
    outcome = {"rule": rule} if rule else {"turn": turn} if turn in orders else {}
    return {"game": case.game, "orders": orders, **outcome, **about}


# -- how it is written --------------------------------------------------------------------------------------


def mail_of(case: Case, draft: Draft) -> bytes:
    """The bytes of a reply."""
    client = CLIENTS[case.client]
    body = _wrapped(case, draft, _text(case, draft, client), client)
    head = [*_headers(case, draft, client), "MIME-Version: 1.0", *client.headers]
    data = "\r\n".join(head).encode("ascii") + b"\r\n" + body.written()
    return data.replace(b"\r\n", b"\n") if case.client in UNIX else data


def _text(case: Case, draft: Draft, client: Client) -> list[Part]:
    """The text of a reply: one part, or two around an attachment."""
    plain = _fitting(client.plain.text(draft), case.charset)
    kind, encoding = client.kind, case.encoding
    if "split" in case.marks:
        first, second = plain.split("\n\n", 1)
        return [text_part(text, kind, case.charset, encoding) for text in (first, second)]
    if client.shape == "plain" and not case.marks & {"html", "blank-plain"}:
        return [text_part(plain, kind, case.charset, encoding)]
    html = text_part(_fitting(client.html.text(draft), case.charset), "text/html", case.charset, encoding)
    if "html" in case.marks or client.shape == "html":
        return [html]
    shown = text_part("\n\n" if "blank-plain" in case.marks else plain, kind, case.charset, encoding)
    return [multipart("alternative", client.boundary.format(draft.hex(12)), [shown, html])]


def _wrapped(case: Case, draft: Draft, texts: list[Part], client: Client) -> Part:
    """The text with what is attached to it."""
    boundary = client.boundary.format(draft.hex(12)) + "m"
    if "signed" in case.marks:
        kind = 'Content-Type: application/pgp-signature; name="signature.asc"'
        signature = Part((kind, "Content-Description: OpenPGP digital signature"), SIGNED.encode())
        how = ("micalg=pgp-sha512", 'protocol="application/pgp-signature"')
        return multipart("signed", boundary, [*texts, signature], *how)
    attached = []
    if case.marks & {"attached", "split"}:
        text = (FOLDER / case.game).read_text("utf-8")
        named = ('Content-Disposition: attachment; filename="game.tkid"',)
        attached = [text_part(text, 'text/plain; name="game.tkid"', "utf-8", "base64", *named)]
    if "forwarded-attached" in case.marks:
        headers = ('Content-Type: message/rfc822; charset=UTF-8; name="turn.eml"', "Content-Disposition: attachment")
        attached = [Part(headers, draft.parent.raw)]
    if not attached:
        return texts[0]
    return multipart("mixed", boundary, [texts[0], *attached, *texts[1:]])


def _headers(case: Case, draft: Draft, client: Client) -> Iterator[str]:
    """The header, up to what describes the text."""
    asked, language = draft.parent, draft.language
    name, _, address = asked.recipient.partition(" <")
    person = language.person if name == "Ann" else name
    charset = case.charset.partition("=")[0] if _has(case, person) and case.charset != "us-ascii" else "utf-8"
    shown = header_word(person, charset, "Q" if case.encoding == "qp" else "B")
    reply, forward = language.prefixes
    prefix = (forward if not client.reply else "Fwd: ") if draft.forwarded else client.reply or reply
    prefix = "Fwd: " if "forwarded-attached" in case.marks else prefix
    subject = asked.subject if asked.subject.startswith(prefix) else prefix + asked.subject
    yield f"From: {shown} <{address}"
    yield "To: tkid <tkid@localhost>"
    yield f"Subject: {header_word(subject)}"
    yield f"Date: Sat, 21 Nov 2026 {11 + int(language.offset[1:3]):02}:12:13 {language.offset}"
    yield f"Message-ID: {client.message_id.replace('{}', draft.hex(16))}"
    if "no-thread" not in case.marks and not draft.forwarded:
        yield f"In-Reply-To: {asked.message_id}"
        yield "References: " + "\r\n ".join((*asked.references.split(), asked.message_id))


# -- all of them --------------------------------------------------------------------------------------------


def replies() -> Iterator[tuple[str, bytes, dict[str, Any]]]:
    """Name, bytes and expectation of every reply of the table."""
    for case in cases():
        draft, turn, other = draft_of(case, Random(case.name))
        yield case.name, mail_of(case, draft), expected(case, turn, other)


def table(about: Mapping[str, Mapping[str, Any]]) -> str:
    """How many replies there are of each program in each language, in each encoding and with each position."""
    made_here = [each for each in about.values() if "client" in each]
    clients = sorted({each["client"] for each in made_here})
    lines = []
    for kind in ("language", "encoding", "position", "game"):
        columns = sorted({each[kind] for each in made_here})
        counts = Counter((each["client"], each[kind]) for each in made_here)
        lines += [f"{kind:<18}" + "".join(f"{column:>{len(column) + 2}}" for column in (*columns, "all"))]
        for client in (*clients, "all"):
            row = [sum(n for (c, k), n in counts.items() if client in {c, "all"} and k == column) for column in columns]
            lines += [
                f"{client:<18}"
                + "".join(f"{n or '.':>{len(c) + 2}}" for n, c in zip((*row, sum(row)), (*columns, "all"), strict=True))
            ]
        lines.append("")
    return "\n".join(lines)


def main() -> None:
    """Write the replies that are missing and what has to come of all; before, the games (that takes minutes)."""
    for name in TABLES:
        if not (FOLDER / name).exists():
            (FOLDER / name).write_text(made(name), "utf-8")
    kept = {name: each for name, each in EXPECTED.items() if "client" not in each}
    written: dict[str, dict[str, Any]] = {}
    for name, data, outcome in replies():
        assert name not in kept, name
        assert name not in written, name
        if not (FOLDER / name).exists():
            (FOLDER / name).write_bytes(data)
        written[name] = outcome
    for name in EXPECTED.keys() - kept.keys() - written.keys():
        (FOLDER / name).unlink(missing_ok=True)
    everything = kept | written
    (FOLDER / "expected.json").write_text(json.dumps(everything, indent=1, ensure_ascii=False) + "\n", "utf-8")
    print(table(everything))  # noqa: T201 - a tool for people


if __name__ == "__main__":
    main()
