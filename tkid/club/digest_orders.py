"""Finds the orders to games in an answer to a digest: `winter: Pass`, one line for each order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches

from attrs import frozen

from tkid.club.door import language
from tkid.club.door.finder import ClubLine
from tkid.club.wishes.model import Stop
from tkid.kernel.problems import Kind, Problem
from tkid.mail.desk.intent import WITHDRAWING
from tkid.mail.desk.offers import gives_up
from tkid.mail.inbound.broken_lines import was_broken
from tkid.mail.inbound.normalize import bare
from tkid.notation.judge import Line as Said
from tkid.notation.judge import judge
from tkid.notation.vocabulary import listed
from tkid.orders.thresholds import is_slip, words_of
from tkid.rulebook import cites

NAMED = re.compile(r"(?P<game>[^\s:]{1,64})\s*:\s*(?P<order>\S.*)")
LIKE = 0.7
FEW_WORDS = 4
"""Words of a line without the name of a game that may withdraw a turn."""
NAMELESS = "(without a game)"
ANSWERING = frozenset({"agree", "cancel", "undo"})
"""The kinds of orders that are whole in a few words, so that a game would carry them out."""
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
    lost: dict[str, str] = {}
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
            is_club_order = language.read(line) is not None
            said += [] if is_club_order and not isinstance(language.read(line), Stop) else [Said(text)]
            if not is_club_order and (marked := _without_game(line)):
                lost[text.strip()] = marked
            near = get_close_matches(named["game"].casefold(), known, 1, LIKE) if named else []
            if named and near and language.read(line) is None:
                wrong.append(ClubLine(line, _no_game(named["game"], known[near[0]], known.values())))
    verdict = judge(said)
    doubts = [each.text for each in verdict.evidence if verdict.act == "ask" and each.text not in lost]
    doubts = ["", *lost.values(), *doubts] if lost or doubts else []
    return DigestOrders({name: (*lines, *doubts) for name, lines in found.items()}, tuple(wrong))


def _without_game(line: str) -> str:
    """A line that may withdraw a turn but names no game, marked so that no game takes it for an order; "" for other lines."""
    first, *more = words_of(line) or [""]
    meant = next((each for each in WITHDRAWING if first and (first == each or is_slip(first, each))), "")
    if len(more) >= FEW_WORDS or any(map(str.isdigit, line)) or not (meant or gives_up(line)):
        return ""
    return f"{line} {NAMELESS}" if first in ANSWERING else line


def _no_game(typed: str, near: str, games: Iterable[str]) -> Problem:
    """The problem with a game that is not in the digest."""
    hint = f"Did you mean `{near}`? The games in this digest are {listed(games, 'and')}."
    return Problem(Kind.NAME, RULE, f"There is no game `{typed}` in this digest", length=len(typed), hint=hint)
