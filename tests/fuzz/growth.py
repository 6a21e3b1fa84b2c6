"""Texts that grow: for each reader and each kind of line in it, a text with as many of them as are asked for."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
import zipfile
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.cli import RECORD
from tests.fuzz.readers import DRAW, FIXTURES, SETTINGS
from tkid.record.clock import write_time
from tkid.record.format.reader import KNOWN_HEADERS

Grown = Callable[[int], bytes]
Named = Iterator[tuple[str, Grown]]
HEAD, _, REST = RECORD.partition("\nSetup\n")
SETUP, _, TURNS = REST.partition("\nTurns\n")
TIME = "2026-12-01T09:00Z"

HEADERS = (
    *("X-A: b", "X-A@: b", "Foo@: b", "Seatt: b", "foo @", "# a remark", "", "Setup", "Setup:"),
    *(f"{name}: @" for name in sorted(KNOWN_HEADERS)),
    *("Seat: P@", "Seat: Ann", "Seat: P@ <", "Seat: <a@@example.org>", "Bot: Ann search 100", "Clock: 3 days"),
    *("Ruling: second.ruling.final-tie shared", "Ruling: second.ruling.tie@ shared", "Seal: word Ann=x", "Seal: x@"),
    f"Seal: SHA-256:{'ab' * 32}",
)
ROWS = (
    *("Foo@  SSS", "Foo  SSS", "Moray  SSWE", "Moray  SXQ@", "Supply  3S", "Court X@ SS", "Court Ann SS"),
    *("Hand Ann Foo@", "Track  a@, b", "First  X@", "# a remark", "x@ 3", "Tracks"),
)
LINES = (
    *("foo", "foo@", "@. Ann Pass", "1. Ann Pass", "@. Amm Pass", "@. Ann Foo@", "@. Ann Assemble @ Q"),
    *("@. Ann Pass {a} {b}", "@. Ann Pass {undone: all agreed}", "@. Ann Pass {stands: agreed}", "@. Ann Pass {"),
    *("@. Ann Pass #123456", "@. Ann Plot S", "-- foo", "-- Essex: unstable (2S 2W)", "# a remark", "Turns", "Setup"),
    *(f"@. Ann Pass {{at {TIME}}}", f"# resigned: Ann {TIME}", f"# paused: {TIME}", f"# resumed: {TIME}"),
    *(f"# away: Ann {TIME} {TIME}", f"# host: {TIME} pause", f"# announced: {TIME} x", f"# stand-in: Ann {TIME}"),
    "@. Ann Manoeuvre S Moray <> E Devon; summon W Gwynedd",
)
NOTES = (
    ("# away: Ann 2026-12-20 to 2026-12-28, said {time}",),
    ("# marked: turn {number}, stands: agreed at {time}",),
    ("# stand-in: Ann is played by Dee {time}", "# back: Ann {time}"),
    ("# paused: by the host {time}: x",),
    ("# paused: until 2027-12-20, agreed by Ann and Łukasz {time}", "# adjourned: {time}"),
    ("# stood still: {before} to {time}: x", "# resumed: {time}"),
    ("# deadline: Ann 2027-12-20T18:00Z by the host {time}: x", "# stood still: {before} to {time}: x"),
    ("# moved: Ann <a{number}@example.org> {time}", "# extended: Ann 2 days by the host {time}: x"),
    ("TURN {{stands: agreed}} {{at {time}}}",),
    ("TURN {{undone: Ann, Łukasz agreed at {time}}} {{at {before}}}",),
    ("# paused: by the host {before}: x", "TURN {{undone by the host at {time}: x}} {{at {time}}}"),
)
"""Lines about the game that come again and again, each later than the one before."""
REPEATED = 4
"""Lines of this kind for each line that is asked for: few of them take hardly more steps for the square."""
FIELDS = (
    *("Subject: a@", "Received: from a@ by b; @", "To: a@@example.org", "X-A: b", " continued", "no field"),
    *("References: <a@@b>", "In-Reply-To: <a@@b>", "Authentication-Results: a; spf=pass", "Content-Type: text/plain"),
)
BODIES = (
    *("Pass", "> Pass", ">> a", "", "a@", "    1  Pass", "On Monday, Bob wrote:", "-- ", "say a@", "yes", "* Pass"),
    *("Ref @", "Tkid-Record: 1", "From: a@@example.org", "_____", "I don't want to", "=20", "if Bob passes: Pass"),
)
TAGS = (
    *("<p>a</p>", "<div>", "</div>", "<blockquote>a", "<s>Pass</s>", "<", "<a href='x'>", "&amp;", "<!--"),
    *("<table><tr><td>", "<style>a@"),
)
PARTS = (
    *("--x\n\na", "--x\nContent-Type: message/rfc822\n\nA: b\n\na", "--y", "--x--"),
    "--x\nContent-Type: multipart/mixed; boundary=x\n",
)
DEAL_ROWS = ("Ann a b c #123456", "foo", "", "Deck Ann", "Keys", "Proof X@", "@ a #123456")
DRAW_ROWS = ("Ann x@", "P@ x", "Ann " + "ab" * 32, "Nonces", "# a remark", "")
PIECES = (
    *("a ", "; ", "Pass; ", "S ", "1 ", "Moray ", "<> ", "SS Moray, ", "summon S Moray; ", "( ", "'", "don't "),
    *("Ann ", "? ", "é", "- "),
)
CLAUSES = (
    *("MOR SS", "FOO S", "supply 3S", "1 hand Assemble", "9 court S", "track MOR DEV", "foo@", "", "to play 1"),
    "1 played Pass, Pass",
)
TOML = ("a@ = 1", "[a@]", "[club.a@]", "# a remark", "[[b]]", "a@.b = 1", "foo")
JSON_LINES = ('"a"', '{"record": "a", "file": "b@"}', "[", "", "foo")


def between(before: str, form: str, after: str = "", end: str = "\n") -> Grown:
    """Texts with many lines of a form, or pieces with another end, between two others; @ is the number of each."""
    return lambda count: (
        before + "".join(form.replace("@", str(n), 1) + end for n in range(1, count + 1)) + after
    ).encode()


def _tell(forms: tuple[str, ...], clock: str) -> Grown:
    """Make a game with lines of some forms in turn, a minute after one another."""

    def grown(count: int) -> bytes:
        begin, lines, turns = datetime(2026, 12, 1, tzinfo=UTC), list[str](), 0
        for number in range(REPEATED * count):
            form = forms[number % len(forms)]
            before, time = (begin + timedelta(minutes=2 * number + late) for late in (0, 1))
            turns += form.startswith("TURN")
            said = form.format(number=number + 1, time=write_time(time), before=write_time(before))
            lines.append(said.replace("TURN", f"{turns}. {'Ann' if turns % 2 else 'Łukasz'} Pass"))
        head = HEAD.replace("\nGame:", f"\nX-Clock: {clock}\nX-Clock-Started: 2026-11-01T00:00Z\nGame:")
        return "\n".join((head, "", f"Setup\n{SETUP}", "Turns", *lines, "")).encode()

    return grown


def _notes() -> Named:
    for forms in NOTES:
        yield f"notes {' and '.join(forms)}", _tell(forms, "10 days for 5 turns")


def _records() -> Named:
    for form in HEADERS:
        yield f"header {form}", between(f"{HEAD}\n", form, f"\nSetup\n{SETUP}\nTurns\n{TURNS}")
    for form in ROWS:
        yield f"row {form}", between(f"{HEAD}\nSetup\n", form, f"{SETUP}\nTurns\n{TURNS}")
    for form in LINES:
        yield f"line {form}", between(RECORD, form)


def _mails() -> Named:
    begin = "From: Ann <ann@example.org>\nTo: tkid@example.org\n"
    for form in FIELDS:
        yield f"field {form}", between(begin, form, "Content-Type: text/plain\n\nPass\n")
    kinds = {"plain": BODIES, "html": TAGS, "mixed; boundary=x": PARTS}
    for kind, forms in kinds.items():
        for form in forms:
            main = "multipart" if forms is PARTS else "text"
            yield f"{kind} {form}", between(f"{begin}Content-Type: {main}/{kind}\n\n", form)


def _deals() -> Named:
    head = (FIXTURES / "deals" / "two.deal").read_text("utf-8").partition("\nKeys\n")[0]
    for form in ("Seat: P@", "X-A: b", "Ruling: a@ b", "foo", "", "# a remark"):
        yield f"header {form}", between(f"{head}\n", form, "\nKeys\n")
    for form in DEAL_ROWS:
        yield f"row {form}", between(f"{head}\n\nKeys\n", form)


def _draws() -> Named:
    for form in DRAW_ROWS:
        yield f"row {form}", between(DRAW.decode(), form)


def _pieces(*begins: str) -> Named:
    for begin in begins:
        for piece in PIECES:
            yield f"piece {begin}{piece}", between(begin, piece, end="")


def _positions() -> Named:
    for clause in CLAUSES:
        yield f"clause {clause}", between("second-edition; ", clause, end="; ")
    yield from _pieces("second-edition; MOR ", "second-edition; track ")


def _object(make: Callable[[int], dict[str, Any]]) -> Grown:
    return lambda count: json.dumps({"ruleset": "second-edition", **make(count)}).encode()


def _list(name: str) -> Grown:
    return _object(lambda count: {name: list(range(count))})


def _mapping(name: str) -> Grown:
    return _object(lambda count: {name: {f"a{number}": {"S": number} for number in range(count)}})


def _objects() -> Named:
    yield "attributes", _object(lambda count: {f"a{number}": number for number in range(count)})
    for name in ("regions", "supply", "track", "courts", "hands", "discards", "struggles"):
        yield f"list {name}", _list(name)
        yield f"object {name}", _mapping(name)


def _settings() -> Named:
    for form in TOML:
        yield f"line {form}", between(SETTINGS.decode(), form)


def _zip(count: int) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for number in range(count):
            archive.writestr(f"{number}.tkid", "a")
    return packed.getvalue()


def _tar(count: int) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for number in range(count):
            archive.addfile(tarfile.TarInfo(f"{number}.tkid"))
    return packed.getvalue()


def _backup(count: int) -> bytes:
    head = {"tkid-backup": 1, "version": 1, "made": TIME, "address": "a@b", "settings": "", "secret": ""}
    rows = [head, {"table": "games", "columns": ["id", "text"]}, *([number, ["YQ=="]] for number in range(count))]
    return gzip.compress("".join(json.dumps(row) + "\n" for row in rows).encode())


GROWING: Mapping[str, Mapping[str, Grown]] = {
    "record": dict((*_records(), *_notes())),
    "written again": dict(_records()),
    "editor": dict(_records()),
    "mail": dict(_mails()),
    "letter": dict(_mails()) | {f"record {name}": grown for name, grown in list(_records())[::4]},
    "deal": dict(_deals()),
    "draw": dict(_draws()),
    "position": dict(_positions()),
    "position as JSON": dict(_objects()),
    "order": dict((*_pieces("", "say ", "if Bob passes: "), ("lines", between("", "Pass")))),
    "turn": dict(_pieces("", "Assemble ", "Negotiate Moray <> ")),
    "free text": dict(_pieces("", "I play Assemble with ")),
    "settings": dict(_settings()),
    "zip": {"members": _zip},
    "tar": {"members": _tar},
    "jsonl": {f"line {form}": between("", form) for form in JSON_LINES},
    "backup": {"rows": _backup},
}
