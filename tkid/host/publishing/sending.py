"""Sends a webhook: signed, encrypted, to a public address, without following redirects, and never for long."""

from __future__ import annotations

import http.client
import socket
import ssl
from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from collections.abc import Iterable, Iterator
from contextlib import suppress
from hashlib import sha256
from hmac import new as hmac
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from threading import Timer
from urllib.parse import SplitResult, urlsplit

from attrs import frozen

from tkid.rulebook import cites

TIMEOUT, LONGEST = 5.0, 12.0
"""Seconds for one step of sending, and for all of it."""
PREFIX = "whsec_"
FEWEST = 16
"""Bytes of a secret."""
LOOPBACK = "localhost"
TUNNELS = tuple(map(ip_network, ("64:ff9b::/96", "2002::/16", "2001::/32")))
"""Addresses of IPv6 that have one of IPv4 in them, which may be private."""


class HookError(Exception):
    """A webhook did not arrive: why."""


@frozen
class Target:
    """Where webhooks go, and the secret that signs them."""

    url: str
    secret: bytes


@cites("club.hooks.safe")
def url_problem(url: str) -> str:
    """Why webhooks cannot go to an address, and what to write; "" for one where they can."""
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018 - reading it checks it
    except ValueError:
        return f"{url} is not an address such as https://club.example/hook."
    if not parts.hostname or parts.username or not url.isprintable() or " " in url:
        return f"{url} is not an address such as https://club.example/hook."
    if parts.scheme == "https" or (parts.scheme == "http" and _is_loopback(parts.hostname)):
        return ""
    return f"{url} is not encrypted. Use an address that begins with https."


def read_secret(text: str) -> bytes:
    """The bytes of a secret: base64 behind `whsec_`, or the text itself. Raises ValueError."""
    text = text.strip()
    try:
        secret = b64decode(text.removeprefix(PREFIX), validate=True) if text.startswith(PREFIX) else text.encode()
    except Base64Error:
        raise ValueError(f"what is behind {PREFIX} is not base64") from None
    if len(secret) < FEWEST:
        raise ValueError(f"the secret is too short: it needs {FEWEST} bytes")
    return secret


def written_secret(secret: bytes) -> str:
    """A secret as whoever receives webhooks is told it."""
    return PREFIX + b64encode(secret).decode()


def signature(secret: bytes, name: str, time: int, body: bytes) -> str:
    """The signature of a webhook, as Standard Webhooks has it."""
    digest = hmac(secret, f"{name}.{time}.".encode() + body, sha256).digest()
    return f"v1,{b64encode(digest).decode()}"


@cites("club.hooks.sent", "club.hooks.safe")
def send(target: Target, name: str, time: int, body: bytes) -> None:
    """Send a webhook; `name` is its id, `time` the moment of the try. Raises HookError."""
    problem = url_problem(target.url)
    if problem:
        raise HookError(problem)
    parts = urlsplit(target.url)
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "tkid",
        "webhook-id": name,
        "webhook-timestamp": str(time),
        "webhook-signature": signature(target.secret, name, time, body),
    }
    try:
        status = _posted(parts, headers, body)
    except (OSError, http.client.HTTPException) as error:
        raise HookError(f"{parts.hostname}: {error or type(error).__name__}") from error
    if not 200 <= status < 300:
        raise HookError(f"{parts.hostname} answered {status}")


def _posted(parts: SplitResult, headers: dict[str, str], body: bytes) -> int:
    """The status with which a server answers; of the answer nothing else is read."""
    host = parts.hostname or ""
    port = parts.port or (443 if parts.scheme == "https" else 80)
    connection = http.client.HTTPConnection(host, port, timeout=TIMEOUT)
    connection.sock = _connected(host, port)
    watch = Timer(LONGEST, _cut, (connection.sock,))
    watch.daemon = True
    watch.start()
    try:
        if parts.scheme == "https":
            connection.sock = ssl.create_default_context().wrap_socket(connection.sock, server_hostname=host)
        where = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        default = port == (443 if parts.scheme == "https" else 80)
        named = f"[{host}]" if ":" in host else host
        connection.request("POST", where, body, headers | {"Host": named if default else f"{named}:{port}"})
        return connection.getresponse().status
    finally:
        watch.cancel()
        connection.close()


def _cut(connected: socket.socket) -> None:
    """End a connection that takes too long: whoever waits for it gets an error."""
    with suppress(OSError):
        connected.shutdown(socket.SHUT_RDWR)


def _connected(host: str, port: int) -> socket.socket:
    """A connection to a server at an address that webhooks may go to. Raises OSError, HookError."""
    found = [str(each[4][0]) for each in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    if not _is_number(host) and host != LOOPBACK and (private := next(_private(found), "")):
        raise HookError(
            f"{host} leads to the private address {private}. If that is meant, write the address as a number."
        )
    return socket.create_connection((found[0], port), TIMEOUT)


def _private(addresses: Iterable[str]) -> Iterator[str]:
    """Those of some addresses that are not public."""
    return (each for each in addresses if not _is_public(ip_address(each.partition("%")[0])))


def _is_public(address: IPv4Address | IPv6Address) -> bool:
    """Whether an address is one of the public internet, and hides no other."""
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return _is_public(address.ipv4_mapped)
        if any(address in tunnel for tunnel in TUNNELS):
            return False
    return address.is_global and not address.is_multicast


def _is_number(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _is_loopback(host: str) -> bool:
    return host == LOOPBACK or (_is_number(host) and ip_address(host).is_loopback)
