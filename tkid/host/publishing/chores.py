"""What a host does for the outside in each round: it publishes what changed, and sends what webhooks are to tell."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from hashlib import sha256
from hmac import new as hmac
from pathlib import Path

from tkid.club.pages.frame import Club
from tkid.host.privacy import complaint, is_open
from tkid.host.publishing.folder import PublishedFolder
from tkid.host.publishing.hooks import Hooks
from tkid.host.publishing.publisher import Publisher
from tkid.host.publishing.sending import Target, read_secret, url_problem
from tkid.host.service import Host
from tkid.host.settings import FILE, HostSettings, SettingsError
from tkid.render.png import no_png

PAGES, HOOKS = "pages", "webhooks"
SECONDS = 2.0
"""For about so long a round publishes; what is left is done in the next rounds, so that mails do not wait."""
WORD = 16
"""Characters of the host's word in the mark of a folder."""


def publisher_of(folder: Path, settings: HostSettings, secret: bytes, target: Path | None = None) -> Publisher:
    """The publisher of a host, to the folder in its settings or to another one. Raises ValueError where there is none."""
    pages = settings.pages
    if target is None and pages is None:
        raise ValueError("no folder for pages is set")
    assert target or pages
    path = (target or pages.folder if pages else target).absolute()  # type: ignore[union-attr]
    owner = hmac(secret, b"tkid pages 1", sha256).hexdigest()[:WORD]
    name = sha256(str(path).encode("utf-8", "surrogateescape")).hexdigest()[:8]
    club = Club(settings.club.name, pages.url if pages else "")
    return Publisher(
        PublishedFolder(path, owner),
        folder / f"pages-{name}.json",
        secret,
        club,
        pages.delay if pages else 0,
        settings.pictures and not no_png(),
    )


def outside(
    folder: Path, settings: HostSettings, secret: Callable[[], bytes]
) -> dict[str, Callable[[Host, datetime], int]]:
    """The chores, by name."""
    chores: dict[str, Callable[[Host, datetime], int]] = {}
    if settings.pages is not None:
        publisher = publisher_of(folder, settings, secret())
        chores[PAGES] = lambda host, now: publisher.chore(host.store, now, SECONDS)
    hooks: list[Hooks] = []

    def webhooks(host: Host, now: datetime) -> int:
        if not hooks:
            hooks.append(hooks_of(settings, secret()))
        return hooks[0].chore(host.store, now)

    return chores | {HOOKS: webhooks}


def hooks_of(settings: HostSettings, secret: bytes) -> Hooks:
    """The webhooks of a host, with the pages' delay and address."""
    pages = settings.pages
    club = Club(settings.club.name, pages.url if pages else "")
    return Hooks(secret, club, pages.delay if pages else 0, lambda: _target(settings))


def _target(settings: HostSettings) -> Target | None:
    """Where the host's own webhooks go. Raises SettingsError."""
    hooks = settings.hooks
    if hooks is None:
        return None
    if problem := url_problem(hooks.url):
        raise SettingsError(f"{FILE}: [hooks] url: {problem}")
    if is_open(hooks.secret):
        raise SettingsError(f"{FILE}: [hooks] secret-file: {complaint(hooks.secret)}")
    try:
        return Target(hooks.url, read_secret(hooks.secret.read_text("utf-8")))
    except OSError as error:
        raise SettingsError(
            f"{FILE}: [hooks] secret-file: {hooks.secret}: {error.strerror}. Put the secret there, `chmod 600`."
        ) from None
    except ValueError as error:
        raise SettingsError(f"{FILE}: [hooks] secret-file: {hooks.secret}: {error}.") from None
