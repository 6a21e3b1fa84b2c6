"""What follows from a change of a game for the outside: it is noted in the transaction of the change, and done later."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime

from attrs import frozen

from tkid.host.store.documents import Document, Documents
from tkid.host.store.transaction import Transaction

PAGE, HOOK = "page", "hook"
"""The kinds of documents: games whose pages are to be made again; what webhooks are to tell."""
CHANGED = "changed "
"""What the id of a document begins with that says that a game has changed."""
EVERY_GAME = "*"
"""The id of a document that says that any game may be another one now, or be gone."""
AT_ONCE = datetime(2000, 1, 1, tzinfo=UTC)


def changed_everywhere(documents: Documents) -> None:
    """Note that many games have changed behind the back of those who watch: the pages of all are looked at again."""
    documents.put(Document(PAGE, EVERY_GAME, secrets.token_hex(8)))


@frozen
class Watch:
    """Who wants to know of changes: the pages, the webhooks of the host."""

    pages: bool = False
    hooks: bool = False

    def changed(self, transaction: Transaction, game: str) -> None:
        """Note that a game has changed."""
        if self.pages:
            transaction.documents.put(Document(PAGE, game, secrets.token_hex(8)))
        if self.hooks or transaction.documents.seen(HOOK, f"url {game}") is not None:
            transaction.documents.put(Document(HOOK, f"{CHANGED}{game}", "", AT_ONCE))
