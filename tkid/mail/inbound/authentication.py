"""Whether a mail server has vouched for a mail's sender: the header Authentication-Results (RFC 8601). Pure.

Anybody can write such a header into a mail. Only the topmost one counts, which the host's own mail server has put there,
and only if it bears that server's name. That server has to take out those that come in under its name.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, get_args

from attrs import frozen

from tkid.mail.inbound.envelope import LONGEST_HEADER
from tkid.mail.model import IDS, Refusal
from tkid.rulebook import cites

AUTHENTICATED = IDS("authenticated")
NAME = b"authentication-results"
MOST_LOOKED = 64 << 10
"""Bytes of a header in which it is looked for: servers put it on top."""

What = Literal["dmarc", "aligned"]
"""DMARC has to have passed; or that, or SPF or DKIM for the sender's own domain."""
REQUIREMENTS: tuple[What, ...] = get_args(What)
DOMAINS = {"spf": ("smtp.mailfrom",), "dkim": ("header.d", "header.i"), "dmarc": ("header.from",)}


@frozen
class Required:
    """What is required: the name of the server that has to have checked, and what it has to have found."""

    authserv: str
    what: What = "dmarc"


@frozen
class Result:
    """What a check has found: `dmarc`, `pass`, and about which domains, in lower case."""

    method: str
    result: str
    domains: tuple[str, ...]


@cites("mail.authenticated")
def unauthenticated(mail: bytes, sender: str, required: Required) -> Refusal | None:
    """Why the sender of a mail (an address in lower case) is not believed; None where the server has vouched for it."""
    stated = topmost(mail)
    if stated is None:
        return Refusal(AUTHENTICATED, f"{required.authserv} does not say who sent the mail")
    pieces = [piece.split() for piece in _pieces(stated)]
    authserv, *rest = pieces or [[]]
    if not authserv or authserv[0].lower() != required.authserv.lower():
        return Refusal(AUTHENTICATED, f"The first server to say who sent the mail is not {required.authserv}")
    results = [_result(piece) for piece in rest if piece]
    domain = sender.rpartition("@")[2]
    if _passes(results, "dmarc", domain, exactly=True):
        return None
    aligned = any(_passes(results, method, domain, exactly=False) for method in ("spf", "dkim"))
    refused_by_dmarc = any(each.method == "dmarc" and each.result == "fail" for each in results)
    if required.what == "aligned" and aligned and not refused_by_dmarc:
        return None
    return Refusal(AUTHENTICATED, f"{required.authserv} does not vouch for {sender}")


def topmost(mail: bytes) -> str | None:
    """The topmost of these headers, unfolded; None where there is none. One that is too long says nothing: ""."""
    header = mail[:MOST_LOOKED].replace(b"\r\n", b"\n").partition(b"\n\n")[0]
    folded: list[bytes] = []
    for line in header.split(b"\n"):
        if folded:
            if line[:1] not in b" \t" or not line:
                break
            folded.append(line.strip())
        elif line.partition(b":")[0].rstrip(b" \t").lower() == NAME:
            folded = [line.partition(b":")[2].strip()]
    if not folded:
        return None
    value = b" ".join(folded)
    return value.decode("latin-1") if len(value) <= LONGEST_HEADER else ""


def _passes(results: list[Result], method: str, domain: str, *, exactly: bool) -> bool:
    """Whether a check has passed for a sender's domain; with DMARC, whether none has failed."""
    checks = [each for each in results if each.method == method]
    if method == "dmarc" and any(each.result != "pass" for each in checks):
        return False
    passed = (checked for each in checks if each.result == "pass" for checked in each.domains)
    return any(
        domain == checked or (not exactly and "." in checked and domain.endswith(f".{checked}")) for checked in passed
    )


def _result(piece: list[str]) -> Result:
    """`dmarc=pass header.from=example.org` as a value; what cannot be read is a result that nobody asks for."""
    method, _, result = piece[0].lower().partition("=")
    method = method.partition("/")[0]
    properties = [part.lower().partition("=") for part in piece[1:]]
    domains = tuple(value.rpartition("@")[2] for name, _, value in properties if name in DOMAINS.get(method, ()))
    return Result(method, result, domains)


def _pieces(value: str) -> Iterator[str]:
    """What stands between semicolons, without comments and quotation marks; blanks around `=` are taken out.

    A quoted string is one word: blanks and semicolons in it are lost, so that nothing in it passes for a result.
    """
    piece, depth, quoted, escaped = "", 0, False, False
    for c in value:
        if escaped:
            escaped = False
        elif c == "\\" and (quoted or depth):
            escaped = True
        elif quoted:
            quoted = c != '"'
            piece += c if quoted and c not in " \t;=" else ""
        elif c == "(":
            depth += 1
        elif depth:
            depth -= c == ")"
            piece += "" if depth else " "
        elif c == '"':
            quoted = True
        elif c == ";":
            yield _tight(piece)
            piece = ""
        else:
            piece += c
    if not (depth or quoted):
        yield _tight(piece)


def _tight(piece: str) -> str:
    return "=".join(part.strip() for part in piece.split("="))
