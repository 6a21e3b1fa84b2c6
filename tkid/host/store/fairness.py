"""Whose mail is next: senders take turns, so that nobody waits for all that somebody else has written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tkid.host.store.queries import Waiting
from tkid.rulebook import cites

MOST_OF_ONE = 2
"""Mails of one sender that are done in a round: each of them may take a second."""


@cites("mail.turns")
def in_turn(waiting: Sequence[Waiting], most: int | None = None) -> list[Waiting]:
    """Mails in the order in which they are done: first one of each sender, then another of each, and so on.

    A sender's own mails stay in order. Of those in the same place, mails with a key come first, then those that came first.

    Args:
        waiting: all mails that wait, in the order in which they came.
        most: how many there are in a round; a round has only a few of each sender. None for all.
    """
    places = Counter[tuple[bool, str]]()
    ranked = []
    for mail in waiting:
        place = places[mail.keyed, mail.queue]
        places[mail.keyed, mail.queue] += 1
        if most is None or place < MOST_OF_ONE:
            ranked.append((place, not mail.keyed, mail.number, mail))
    return [mail for *_, mail in sorted(ranked, key=lambda ranks: ranks[:3])][:most]
