"""Finds the orders to games in an answer to a digest: `winter: Pass`, one line for each order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches

from attrs import frozen

from tkid.club.door import language
from tkid.club.door.finder import ClubLine
from tkid.kernel.problems import Kind, Problem
from tkid.mail.inbound.broken_lines import was_broken
from tkid.mail.inbound.normalize import bare
from tkid.notation.judge import Line as Said
from tkid.notation.judge import judge
from tkid.notation.vocabulary import listed
from tkid.rulebook import cites

NAMED = re.compile(r"(?P<game>[^\s:]{1,64})\s*:\s*(?P<order>\S.*)")
LIKE = 0.7
RULE = "club.digest.order"


@frozen
class DigestOrders:
    """What an answer to a digest asks of games: for each its lines, as they were typed; and names that are none."""

    lines: Mapping[str, tuple[str, ...]]
    wrong: tuple[ClubLine, ...] = ()


@cites("club.digest.order", "mail.doubt")
def orders_in(own: Sequence[str], games: Iterable[str]) -> DigestOrders:
    """The orders to games among the sender's own lines; what a mail program broke off a line belongs to it.

    Sentences that withdraw or doubt what the mail orders belong to each game.
    """
    known = {game.casefold(): game for game in games}
    found: dict[str, list[str]] = {}
    wrong: list[ClubLine] = []
    said: list[Said] = []
    game = ""
    for index, text in enumerate(own):
        line = bare(text)
        named = NAMED.fullmatch(line)
        name = known.get(named["game"].casefold()) if named else None
        if named and name:
            game = name
            found.setdefault(game, []).append(named["order"])
            said.append(Said(text, "turn"))
        elif game and language.read(line) is None and was_broken(own[index - 1], text):
            found[game].append(line)
        else:
            game = ""
            said += [] if language.read(line) else [Said(text)]
            near = get_close_matches(named["game"].casefold(), known, 1, LIKE) if named else []
            if named and near and language.read(line) is None:
                wrong.append(ClubLine(line, _no_game(named["game"], known[near[0]], known.values())))
    verdict = judge(said)
    doubts = ["", *(each.text for each in verdict.evidence)] if verdict.act == "ask" else []
    return DigestOrders({name: (*lines, *doubts) for name, lines in found.items()}, tuple(wrong))


def _no_game(typed: str, near: str, games: Iterable[str]) -> Problem:
    """The problem with a game that is not in the digest."""
    hint = f"Did you mean `{near}`? The games in this digest are {listed(games, 'and')}."
    return Problem(Kind.NAME, RULE, f"There is no game `{typed}` in this digest", length=len(typed), hint=hint)
