"""Where the site is: the address that every link in a message, a mail or a citation begins with.

The default is here and nowhere else. Whoever starts the program may choose another, with `--rules-url` or in a host's
settings, because a link that leads nowhere is worse than an id.
"""

from __future__ import annotations

from urllib.parse import urlsplit

DEFAULT = "https://tkid.readthedocs.io/"
_chosen: list[str] = []


def choose(address: str) -> None:
    """Let every link lead to this copy of the site. Raises ValueError if it is no address of a site."""
    if not is_site(address):
        raise ValueError(f"{address!r} is not the address of a site. Write it like {DEFAULT}")
    _chosen[:] = [address.rstrip("/") + "/"]


def forget() -> None:
    """Let every link lead to the default site again."""
    _chosen.clear()


def is_chosen() -> bool:
    """Whether another address than the default was chosen."""
    return bool(_chosen)


def is_site(address: str) -> bool:
    """Whether this can be the address of a site: on the web, or in a folder of this machine."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    place = parts.netloc if parts.scheme in {"http", "https"} else parts.path if parts.scheme == "file" else ""
    return bool(place) and not (parts.query or parts.fragment or " " in address) and address.isprintable()


def address(path: str = "") -> str:
    """The address of a page of the site by its path; of its home page if there is none."""
    return f"{_chosen[0] if _chosen else DEFAULT}{path}"
