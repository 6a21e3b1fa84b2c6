"""Settings of transports: where a server is, who logs in, how the connection is encrypted. Wrong ones raise ValueError."""

from __future__ import annotations

from ipaddress import ip_address
from typing import Any, ClassVar, Literal, get_args

from attrs import Attribute, field, frozen, validators

from tkid.mail.inbound.envelope import is_address

Tls = Literal["implicit", "starttls", "none"]
"""From the first byte on, after a command of the protocol, or not at all."""
SECONDS = 30.0
"""So long a server may take for an answer."""


def is_loopback(host: str) -> bool:
    """Whether a host is this machine, without asking anybody who it is."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def _one_line(_: object, attribute: Attribute[str], value: str) -> None:
    """A text goes into a line of a protocol: an end of line in it would begin another command."""
    if not value.isprintable():
        shown = "it" if attribute.name == "password" else repr(value)
        raise ValueError(f"{attribute.name}: {shown} has a character that cannot be printed, perhaps an end of line")


def _given(_: object, attribute: Attribute[str], value: str) -> None:
    if not value:
        raise ValueError(f"{attribute.name} is missing")


def _port(_: object, attribute: Attribute[int], value: int) -> None:
    if not 0 < value < 1 << 16:
        raise ValueError(f"{attribute.name}: {value} is not a port. Ports are 1 to 65535")


def _encrypted(server: Any, _: Attribute[str], value: str) -> None:
    if value not in get_args(Tls):
        raise ValueError(f"tls: `{value}` is not known. Choose one of {', '.join(get_args(Tls))}")
    if value == "none" and not is_loopback(server.host):
        raise ValueError(
            f"tls: `none` is for a server on this machine only (127.0.0.1, ::1, localhost), and {server.host} is another. "
            "Anybody on the way could read the password; write `implicit` or `starttls`"
        )


class _Server:
    """A server with a name for people."""

    __slots__ = ()
    protocol: ClassVar[str]
    host: str
    port: int

    @property
    def name(self) -> str:
        """The protocol, the host and the port."""
        return f"{self.protocol} {self.host}:{self.port}"


@frozen
class ImapSettings(_Server):
    """A mailbox that a host fetches its mails from. It should be the host's alone: every mail in `folder` is taken."""

    protocol = "IMAP"
    host: str = field(validator=[_given, _one_line])
    user: str = field(validator=[_given, _one_line])
    password: str = field(repr=False, validator=[_given, _one_line])
    port: int = field(default=993, validator=_port)
    folder: str = field(default="INBOX", validator=[_given, _one_line])
    tls: Tls = field(default="implicit", validator=_encrypted)
    seconds: float = field(default=SECONDS, validator=validators.gt(0))


@frozen
class SmtpSettings(_Server):
    """A mail server that takes a host's letters. Without a user nobody logs in.

    With `bounce_addresses`, the bounces of each letter come to an address of their own.
    """

    protocol = "SMTP"
    host: str = field(validator=[_given, _one_line])
    user: str = field(default="", validator=_one_line)
    password: str = field(default="", repr=False, validator=_one_line)
    port: int = field(default=465, validator=_port)
    tls: Tls = field(default="implicit", validator=_encrypted)
    seconds: float = field(default=SECONDS, validator=validators.gt(0))
    bounce_addresses: bool = True

    def __attrs_post_init__(self) -> None:
        if bool(self.user) != bool(self.password):
            raise ValueError(f"{'password' if self.user else 'user'} is missing: give both, or neither")


@frozen
class LmtpSettings(_Server):
    """Where a host listens for mails that a mail server hands it. `address` is the host's own; port 0 is any free one."""

    protocol = "LMTP"
    host: str = field(validator=[_given, _one_line])
    port: int = field(validator=validators.and_(validators.ge(0), validators.lt(1 << 16)))
    address: str = field()
    seconds: float = field(default=300.0, validator=validators.gt(0))

    @host.validator
    def _is_ip(self, _: Attribute[str], value: str) -> None:
        try:
            ip_address(value)
        except ValueError:
            raise ValueError(f"listen: `{value}` is not an IP address such as 127.0.0.1") from None

    @address.validator
    def _is_plain(self, _: Attribute[str], value: str) -> None:
        if not is_address(value) or "+" in value:
            raise ValueError(f"address: `{value}` is not a plain address such as tkid@games.example")

    @classmethod
    def listening(cls, listen: str, address: str) -> LmtpSettings:
        """Settings from `127.0.0.1:2424` or `[::1]:2424`. Raises ValueError."""
        host, colon, port = listen.rpartition(":")
        if not colon or not (port.isascii() and port.isdigit()):
            raise ValueError(f"listen: `{listen}` is not an address and a port such as 127.0.0.1:2424")
        number = int(port)
        if not 0 < number < 1 << 16:
            raise ValueError(f"listen: {port} is not a port. Ports are 1 to 65535")
        bracketed = host.startswith("[") and host.endswith("]")
        return cls(host[1:-1] if bracketed else host, number, address)
