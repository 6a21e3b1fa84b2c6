"""Who vouches for a sender: the topmost Authentication-Results of the host's own mail server, and nobody else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.shared.tables import each_row
from tkid.mail.envelope import AUTHENTICATED, Required, find_topmost, refuse_unauthenticated

ANN = "ann@example.org"
DMARC, ALIGNED = Required("mx.games.example"), Required("mx.games.example", "aligned")
VOUCHED = "mx.games.example; dmarc=pass header.from=example.org"


def mail(*values: str, after: str = "") -> bytes:
    """A mail with such headers, and other ones."""
    headers = "".join(f"Authentication-Results: {value}\r\n" for value in values)
    return f"Received: from x\r\n{headers}From: {ANN}\r\n{after}\r\n\r\nPass\r\n".encode()


def believed(data: bytes, required: Required = DMARC) -> bool:
    found = refuse_unauthenticated(data, ANN, required)
    assert found is None or found.rule == AUTHENTICATED
    return found is None


@pytest.mark.parametrize(
    "value",
    [
        VOUCHED,
        "MX.Games.Example; DMARC=Pass Header.From=Example.ORG",
        "mx.games.example 1; dmarc/1 = pass (p=none; dis=none) header.from=example.org",
        'mx.games.example; dmarc=pass reason="it is; spf=fail" header.from = example.org',
        (
            "mx.games.example;\r\n\tdkim=pass header.i=@example.org header.s=k1 header.b=abc;\r\n"
            "\tspf=pass (mx.games.example: domain of ann@example.org designates 192.0.2.1 as permitted sender)"
            " smtp.mailfrom=ann@example.org;\r\n\tdmarc=pass (p=REJECT sp=REJECT dis=NONE) header.from=example.org"
        ),
    ],
)
def test_what_is_believed(value: str) -> None:
    assert believed(mail(value))
    assert believed(mail(value), ALIGNED)


@each_row(
    "values",
    [
        (),
        ("mx.games.example; none",),
        ("mx.games.example",),
        ("",),
        ("mx.games.example; dmarc=fail header.from=example.org",),
        ("mx.games.example; dmarc=pass header.from=evil.example",),
        ("mx.games.example; dmarc=pass",),
        ("mx.games.example; dmarc=pass header.from=example.org; dmarc=fail header.from=example.org",),
        ("mx.games.example; dmarc=fail header.from=example.org; dkim=pass header.d=example.org",),
        ("mx.evil.example; dmarc=pass header.from=example.org",),
        ("mx.games.example.evil.example; dmarc=pass header.from=example.org",),
        ("mx.evil.example; none", VOUCHED),
        ("mx.games.example; dmarc=fail header.from=example.org", VOUCHED),
        ("mx.games.example; none", VOUCHED),
        (f"mx.games.example; x={'y' * 3000}", VOUCHED),
        ("(mx.games.example; dmarc=pass header.from=example.org)",),
        ("mx.games.example; (dmarc=pass header.from=example.org)",),
        ("mx.games.example; (; dmarc=pass header.from=example.org",),
        ("mx.games.example; spf=fail (\\); dmarc=pass header.from=example.org;) smtp.mailfrom=a",),
        ('mx.games.example; spf=fail smtp.mailfrom="x; dmarc=pass header.from=example.org; y"@evil.example',),
        ('mx.games.example; spf=fail smtp.mailfrom="x\\"; dmarc=pass header.from=example.org',),
        ("mx.games.example; dmarc=pass policy.header.from=example.org",),
    ],
)
def test_what_is_not_believed(values: tuple[str, ...]) -> None:
    assert not believed(mail(*values))
    assert not believed(mail(*values), ALIGNED)


def test_a_header_in_the_text_or_far_below_is_none() -> None:
    assert not believed(mail() + f"Authentication-Results: {VOUCHED}\r\n".encode())
    assert not believed(b"From: a\n\n" + mail(VOUCHED))
    assert not believed(mail(after="X: " + "y" * (64 << 10) + f"\r\nAuthentication-Results: {VOUCHED}"))
    assert not believed(
        mail().replace(b"Received: from x", f"Received: x\r\n Authentication-Results: {VOUCHED}".encode())
    )


@pytest.mark.parametrize(
    ("result", "holds"),
    [
        ("dkim=pass header.d=example.org", True),
        ("dkim=fail header.d=x.example; dkim=pass header.i=@example.org", True),
        ("spf=pass smtp.mailfrom=ann@example.org", True),
        ("spf=pass smtp.mailfrom=example.org", True),
        ("dkim=pass header.d=evil.example; spf=pass smtp.mailfrom=evil.example", False),
        ("dkim=pass header.d=org", False),
        ("dkim=pass header.d=le.org; spf=pass smtp.mailfrom=mail.example.org", False),
        ("spf=pass smtp.helo=example.org", False),
        ("spf=softfail smtp.mailfrom=example.org", False),
    ],
)
def test_what_will_do_besides_dmarc(result: str, holds: bool) -> None:  # noqa: FBT001 - a case of the table
    assert believed(mail(f"mx.games.example; {result}"), ALIGNED) is holds
    assert not believed(mail(f"mx.games.example; {result}"))


def test_a_parent_of_the_senders_domain() -> None:
    data = mail("mx.games.example; dkim=pass header.d=example.org")
    assert refuse_unauthenticated(data, "ann@sub.example.org", ALIGNED) is None
    assert refuse_unauthenticated(data, "ann@notexample.org", ALIGNED) is not None


@given(st.text(alphabet='mx.gamesexplorgdc=;()"\\ pf@\t', max_size=200))
def test_nothing_below_the_topmost_counts(value: str) -> None:
    data = mail("mx.other.example; " + value.replace("\t", " "), VOUCHED)
    assert not believed(data)
    assert not believed(data, ALIGNED)


@given(st.binary(max_size=300))
def test_any_bytes(data: bytes) -> None:
    stated = find_topmost(data)
    assert stated is None or b"uthentication" in data.lower()
    refuse_unauthenticated(data, ANN, ALIGNED)
