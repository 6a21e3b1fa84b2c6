"""Mail servers of a test's own, on loopback, run by an ordinary user, gone when the test ends: Dovecot and Exim.

Dovecot has a mailbox for each player and for the host (IMAP), Exim takes mail (SMTP) and hands it to Dovecot, or to a
host that listens itself (LMTP). Both show a certificate of an authority made for the test.
"""

from __future__ import annotations

import grp
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import trustme
from attrs import frozen

from tests.ports import free_port

PASSWORD = "correct horse"  # noqa: S105 - of mailboxes that live as long as a test
DOVECOT, EXIM = shutil.which("dovecot", path="/usr/sbin:/usr/bin"), shutil.which("exim4", path="/usr/sbin:/usr/bin")
LMTP_PROGRAM = Path("/usr/lib/dovecot/lmtp")
MISSING = "Dovecot and Exim are not installed: apt-get install dovecot-imapd dovecot-lmtpd exim4-daemon-light"
USERS = {"dovecot": "dovecot", "exim": "Debian-exim"}
"""Whom a server is run by where the test is run by root; otherwise it is whoever runs the test."""
PATIENCE = 20.0
"""Seconds that a server may take to start."""


def installed() -> bool:
    """Whether the servers can be started here."""
    return bool(DOVECOT and EXIM and LMTP_PROGRAM.exists())


@frozen
class Servers:
    """Running servers: their ports, the file with the authority that vouches for them, and their logs."""

    imap: int
    imaps: int
    smtp: int
    smtps: int
    authority: Path
    logs: tuple[Path, ...]

    def told(self) -> str:
        """What the servers have written into their logs, for whoever wonders why a test failed."""
        return "\n".join(f"{log}:\n{log.read_text('utf-8', 'replace')}" for log in self.logs if log.exists())


@frozen
class Runner:
    """Who runs a server, and the folder it has for itself."""

    folder: Path
    user: str
    group: str

    def start(self, *command: str) -> subprocess.Popen[bytes]:
        """Start a program that stays in the foreground."""
        ids = [f"--reuid={self.user}", f"--regid={self.group}", "--clear-groups"]
        as_user = ["setpriv", *ids] if os.geteuid() == 0 else []
        with (self.folder / "output").open("wb") as output:
            return subprocess.Popen(
                [*as_user, *command], cwd=self.folder, stdout=output, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL
            )


@contextmanager
def servers(addresses: Sequence[str], by_lmtp: str = "", lmtp_port: int = 0) -> Iterator[Servers]:
    """Dovecot with mailboxes for some addresses, and Exim in front of it.

    Mail for `by_lmtp` goes to whoever listens on `lmtp_port`, and not to Dovecot.
    """
    assert installed(), MISSING
    assert DOVECOT
    assert EXIM
    ports = {name: free_port() for name in ("imap", "imaps", "lmtp", "smtp", "smtps")}
    authority = trustme.CA()
    with _folder("dovecot") as dovecot, _folder("exim") as exim:
        for runner in (dovecot, exim):
            certificate = authority.issue_cert("localhost", "127.0.0.1")
            certificate.private_key_and_cert_chain_pem.write_to_path(runner.folder / "server.pem")
        authority.cert_pem.write_to_path(exim.folder / "authority.pem")
        (dovecot.folder / "users").write_text(
            "".join(f"{each}:{{PLAIN}}{PASSWORD}:::::\n" for each in addresses), "utf-8"
        )
        (dovecot.folder / "dovecot.conf").write_text(_dovecot_conf(dovecot, ports), "utf-8")
        (exim.folder / "exim.conf").write_text(_exim_conf(exim, ports, addresses, by_lmtp, lmtp_port), "utf-8")
        for runner in (dovecot, exim):
            _give_away(runner)
        running = [
            dovecot.start(DOVECOT, "-F", "-c", str(dovecot.folder / "dovecot.conf")),
            exim.start(EXIM, "-C", str(exim.folder / "exim.conf"), "-bdf", "-q2s"),
        ]
        logs = tuple(r.folder / name for r in (dovecot, exim) for name in ("log", "mainlog", "paniclog", "output"))
        at = Servers(ports["imap"], ports["imaps"], ports["smtp"], ports["smtps"], exim.folder / "authority.pem", logs)
        try:
            for port in ports.values():
                _wait_for(port, at, running)
            yield at
        finally:
            for process in running:
                process.terminate()
            for process in running:
                process.wait(PATIENCE)


@contextmanager
def _folder(server: str) -> Iterator[Runner]:
    """A folder for a server, in a place with a short name: names of sockets are at most 108 characters long."""
    me = pwd.getpwuid(os.geteuid())
    user = USERS[server] if os.geteuid() == 0 else me.pw_name
    group = grp.getgrgid(pwd.getpwnam(user).pw_gid).gr_name
    with tempfile.TemporaryDirectory(prefix=f"tkid-{server}-", ignore_cleanup_errors=True) as name:
        yield Runner(Path(name), user, group)


def _give_away(runner: Runner) -> None:
    """Make a folder and what is in it its user's."""
    if os.geteuid() == 0:
        for path in (runner.folder, *runner.folder.rglob("*")):
            shutil.chown(path, runner.user, runner.group)


def _wait_for(port: int, at: Servers, running: Sequence[subprocess.Popen[bytes]]) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and all(process.poll() is None for process in running):
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.02)
    raise AssertionError(f"a server did not start\n{at.told()}")


def _dovecot_conf(its: Runner, ports: dict[str, int]) -> str:
    return f"""
base_dir = {its.folder}/run
state_dir = {its.folder}/state
log_path = {its.folder}/log
default_internal_user = {its.user}
default_internal_group = {its.group}
default_login_user = {its.user}
first_valid_uid = 1
listen = 127.0.0.1
protocols = imap lmtp
recipient_delimiter = +
disable_plaintext_auth = no
ssl = yes
ssl_cert = <{its.folder}/server.pem
ssl_key = <{its.folder}/server.pem
mail_location = maildir:{its.folder}/mail/%u
mail_uid = {its.user}
mail_gid = {its.group}
passdb {{
  driver = passwd-file
  args = {its.folder}/users
}}
userdb {{
  driver = passwd-file
  args = {its.folder}/users
  default_fields = uid={its.user} gid={its.group} home={its.folder}/mail/%u
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {ports["imap"]}
  }}
  inet_listener imaps {{
    port = {ports["imaps"]}
    ssl = yes
  }}
}}
service lmtp {{
  chroot =
  inet_listener lmtp {{
    port = {ports["lmtp"]}
  }}
}}
service anvil {{
  chroot =
}}
service stats {{
  chroot =
}}
"""


def _exim_conf(its: Runner, ports: dict[str, int], addresses: Sequence[str], by_lmtp: str, lmtp_port: int) -> str:
    def router(name: str, known: Sequence[str]) -> str:
        return f"""
{name}:
  driver = manualroute
  condition = ${{if inlisti{{${{local_part}}@${{domain}}}}{{{" : ".join(known)}}}}}
  local_part_suffix = +*
  local_part_suffix_optional
  route_list = * 127.0.0.1
  self = send
  transport = to_{name}
"""

    def transport(name: str, port: int) -> str:
        return f"""
to_{name}:
  driver = smtp
  protocol = lmtp
  port = {port}
  hosts_override
  rcpt_include_affixes
  return_path_add
"""

    names = [("host", [by_lmtp], lmtp_port)] if by_lmtp else []
    names += [("dovecot", [each for each in addresses if each != by_lmtp], ports["lmtp"])]
    return f"""
primary_hostname = mail.example.org
spool_directory = {its.folder}/spool
log_file_path = {its.folder}/%slog
pid_file_path =
local_interfaces = 127.0.0.1
daemon_smtp_ports = {ports["smtp"]} : {ports["smtps"]}
tls_on_connect_ports = {ports["smtps"]}
tls_advertise_hosts = *
tls_certificate = {its.folder}/server.pem
tls_privatekey = {its.folder}/server.pem
admin_groups = {its.group}
exim_user = {its.user}
exim_group = {its.group}
deliver_drop_privilege
never_users =
keep_environment =
smtp_accept_max_per_connection = 1000
acl_smtp_rcpt = recipient
acl_smtp_data = accept

begin acl
recipient:
  require message = nobody has this address here
          verify = recipient
  accept

begin routers
{"".join(router(name, known) for name, known, _ in names)}
begin transports
{"".join(transport(name, port) for name, _, port in names)}
begin retry
* * F,1h,2s

begin authenticators
plain:
  driver = plaintext
  public_name = PLAIN
  server_prompts = :
  server_condition = ${{if and{{{{eq{{$auth2}}{{tkid@games.example}}}}{{eq{{$auth3}}{{{PASSWORD}}}}}}}}}
"""
