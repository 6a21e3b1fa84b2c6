"""The club to try out, with the real servers that it is made of: a mail in, a letter out, from its own files."""

from __future__ import annotations

import imaplib
import os
import re
import smtplib
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.host.servers import DOVECOT, EXIM, MISSING, Runner, _folder, _give_away, installed
from tests.host.store import postgres
from tests.ports import free_port

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (installed() and postgres.tools()) and not os.environ.get("TKID_REAL_SERVERS"),
        reason=f"{MISSING}, or PostgreSQL is not: apt-get install postgresql",
    ),
]
DEPLOY = Path(__file__).parents[2] / "deploy"
PATIENCE = 60.0
"""Seconds that a letter may take."""


def placed(runner: Runner, file: str, changes: dict[str, str]) -> str:
    """A configuration file for a test's own folder and ports: its path. Every change has to be one."""
    text = (DEPLOY / "mail" / file).read_text("utf-8")
    for before, after in changes.items():
        assert before in text, (file, before)
        text = text.replace(before, after)
    (runner.folder / file).write_text(text, "utf-8")
    _give_away(runner)
    return str(runner.folder / file)


@pytest.fixture
def ports() -> dict[str, str]:
    return {name: str(free_port()) for name in ("imap", "to_mailbox", "smtp", "to_host")}


@pytest.fixture
def mail(ports: dict[str, str]) -> Iterator[None]:
    """The mail server of the club to try out."""
    assert DOVECOT, MISSING
    assert EXIM, MISSING
    with _folder("dovecot") as dovecot, _folder("exim") as exim:
        its = f"""
base_dir = {dovecot.folder}/run
state_dir = {dovecot.folder}/state
default_internal_user = {dovecot.user}
default_internal_group = {dovecot.group}
default_login_user = {dovecot.user}
service imap-login {{
  chroot =
}}
service lmtp {{
  chroot =
}}
service anvil {{
  chroot =
}}
service stats {{
  chroot =
}}
"""
        mailboxes = placed(
            dovecot,
            "dovecot.conf",
            {
                "listen = *": "listen = 127.0.0.1" + its,
                "/srv/mail": f"{dovecot.folder}/mail",
                "uid=mailbox gid=mailbox": f"uid={dovecot.user} gid={dovecot.group}",
                "port = 1143": f"port = {ports['imap']}",
                "port = 1024": f"port = {ports['to_mailbox']}",
            },
        )
        router = placed(
            exim,
            "exim.conf",
            {
                "local_interfaces = 0.0.0.0": f"local_interfaces = 127.0.0.1\npid_file_path = {exim.folder}/pid\n"
                f"log_file_path = {exim.folder}/%slog\nexim_user = {exim.user}\nexim_group = {exim.group}",
                "daemon_smtp_ports = 1025": f"daemon_smtp_ports = {ports['smtp']}",
                "/var/spool/exim4": f"{exim.folder}/spool",
                "port = 2424": f"port = {ports['to_host']}",
                "port = 1024": f"port = {ports['to_mailbox']}",
            },
        )
        running = [dovecot.start(DOVECOT, "-F", "-c", mailboxes), exim.start(EXIM, "-C", router, "-bdf", "-q2s")]
        try:
            yield
        finally:
            for process in running:
                process.terminate()
            for process in running:
                process.wait(PATIENCE)


@pytest.mark.exhaustive
def test_a_letter_goes_out_and_an_answer_comes_in(tmp_path: Path, ports: dict[str, str], mail: None) -> None:
    del mail
    with postgres.server() as database:
        program = tmp_path / "bin" / "tkid"
        program.parent.mkdir()
        program.write_text(f'#!/bin/sh\nexec {sys.executable} -m tkid "$@"\n', "utf-8")
        program.chmod(0o755)
        settings = (DEPLOY / "try" / "host.toml").read_text("utf-8")
        settings = settings.replace("2424", ports["to_host"]).replace("port = 1025", f"port = {ports['smtp']}")
        (tmp_path / "host.toml").write_text(settings, "utf-8")
        start = (DEPLOY / "try" / "start.sh").read_text("utf-8")
        for before, after in {
            "/var/lib/tkid": str(tmp_path),
            "/try/host.toml": str(tmp_path / "host.toml"),
            "postgresql://tkid:try@database/tkid": database,
        }.items():
            assert before in start
            start = start.replace(before, after)
        environment = {**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}"}
        with (tmp_path / "output").open("wb") as output:
            host = subprocess.Popen(["sh", "-c", start], stdout=output, stderr=output, env=environment)
            try:
                wait_for(lambda: "begin" in (tmp_path / "output").read_text("utf-8"), tmp_path)
                players = ["Ann <ann@club.test>", "Bob <bob@club.test>"]
                begin = [str(program), "host", "new-game", "club", *players, "--game", "winter", "--first", "Ann"]
                subprocess.run(begin, cwd=tmp_path, check=True, capture_output=True, env=environment)
                wait_for(lambda: len(letters(ports, "ann@club.test")) == 1, tmp_path)
                letter = letters(ports, "ann@club.test")[0]
                (answer,) = re.findall(r"^Reply-To: .*<(\S+)>", letter, re.MULTILINE)
                with smtplib.SMTP("127.0.0.1", int(ports["smtp"])) as out:
                    out.sendmail("ann@club.test", [answer], f"From: ann@club.test\r\nTo: {answer}\r\n\r\nPass\r\n")
                wait_for(lambda: len(letters(ports, "bob@club.test")) == 2, tmp_path)
                assert "Ann passed" in letters(ports, "bob@club.test")[-1]
            finally:
                host.terminate()
                host.wait(PATIENCE)
        assert host.returncode == 0, (tmp_path / "output").read_text("utf-8")


def letters(ports: dict[str, str], address: str) -> list[str]:
    """The mails in a player's mailbox, oldest first."""
    with suppress(OSError), imaplib.IMAP4("127.0.0.1", int(ports["imap"])) as box:
        box.login(address, "try")
        box.select(readonly=True)
        numbers = box.search(None, "ALL")[1][0].split()
        fetched = (box.fetch(number.decode(), "(BODY.PEEK[])")[1][0] for number in numbers)
        return [each[1].decode("utf-8", "replace") for each in fetched if isinstance(each, tuple)]
    return []


def wait_for(done: Callable[[], bool], folder: Path) -> None:
    """Wait until something is so."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if done():
            return
        time.sleep(0.2)
    raise AssertionError((folder / "output").read_text("utf-8"))
