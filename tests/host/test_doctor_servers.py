"""What `host doctor` says of a mail server's certificate: one that is right, ends soon, is over, or is somebody else's."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import trustme

from tests.cli import tkid
from tests.host.test_smtp import Sink, listening
from tests.shared.tables import each_row
from tkid.host.directory import HostDirectory
from tkid.host.status import MIN_CERTIFICATE_DAYS, find_all

NOW = datetime.now(UTC)
DAY = timedelta(days=1)


@contextmanager
def server(folder: Path, ends: datetime, name: str) -> Iterator[Sink]:
    """A mail server on this machine, with a certificate for a name; its authority is in a file."""
    authority = trustme.CA()
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert(name, not_after=ends).configure_cert(context)
    authority.cert_pem.write_to_path(folder / "authority.pem")
    with listening(Sink(), tls_context=context, require_starttls=True) as sink:
        yield sink


def found(folder: Path, port: int) -> list[tuple[bool, str]]:
    """What doctor finds about the mail server."""
    games = folder / "games"
    assert tkid("host", "init", games, "--address", "tkid@games.example").exit_code == 0
    (games / "host.toml").write_text(
        f'address = "tkid@games.example"\npictures = false\n[smtp]\nhost = "localhost"\nport = {port}\ntls = "starttls"\n',
        "utf-8",
    )
    findings = find_all(HostDirectory.read_folder(games, {}), NOW, offline=False)
    return [(each.right, each.text) for each in findings if each.text.startswith("SMTP")]


@each_row(
    ("ends", "name", "trusted", "right", "says"),
    [
        (NOW + 90 * DAY + DAY / 2, "localhost", True, True, "it greets us. Its certificate ends in 90 days."),
        (
            NOW + MIN_CERTIFICATE_DAYS * DAY + DAY / 2,
            "localhost",
            True,
            True,
            "it greets us. Its certificate ends in 14 days.",
        ),
        (NOW + DAY + DAY / 2, "localhost", True, False, "Its certificate ends in 1 day, on "),
        (NOW - DAY, "localhost", True, False, "certificate has expired"),
        (NOW + 90 * DAY, "mail.example.org", True, False, "not valid for 'localhost'"),
        (NOW + 90 * DAY, "localhost", False, False, "unable to get local issuer certificate"),
    ],
)
def test_a_certificate(  # noqa: PLR0917 - a row of a table
    tmp_path_factory: pytest.TempPathFactory,
    ends: datetime,
    name: str,
    trusted: bool,  # noqa: FBT001
    right: bool,  # noqa: FBT001
    says: str,
) -> None:
    folder = tmp_path_factory.mktemp("server")
    with server(folder, ends, name) as sink, pytest.MonkeyPatch.context() as patch:
        if trusted:
            patch.setenv("SSL_CERT_FILE", str(folder / "authority.pem"))
        ((is_right, text),) = found(folder, sink.port)
        assert says in text, text
        assert is_right == right, text
        assert len(sink.letters) == 0


def test_a_server_that_is_not_there(tmp_path: Path) -> None:
    with server(tmp_path, NOW + DAY, "localhost") as sink:
        pass
    ((is_right, text),) = found(tmp_path, sink.port)
    assert not is_right
    assert "refused" in text
