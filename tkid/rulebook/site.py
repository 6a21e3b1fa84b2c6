"""Where the site is: the address that every link in a message, a mail or a citation begins with.

The default is here and nowhere else. Whoever starts the program may choose another, with `--rules-url` or in a host's
settings, because a link that leads nowhere is worse than an id.
"""

from __future__ import annotations

from urllib.parse import urlsplit

DEFAULT = "https://tkid.readthedocs.io/"
_chosen = [DEFAULT]


def choose(address: str) -> None:
    """Let every link lead to this copy of the site. Raises ValueError if it is no address of a web page or a folder."""
    parts = urlsplit(address)
    if (
        parts.scheme not in {"http", "https", "file"}
        or not (parts.netloc or parts.path)
        or parts.query
        or parts.fragment
    ):
        raise ValueError(f"{address!r} is not the address of a site: write it like {DEFAULT}")
    _chosen[0] = address.rstrip("/") + "/"


def address(path: str = "") -> str:
    """The address of a page of the site by its path; of its home page if there is none."""
    return f"{_chosen[0]}{path}"
