"""Who heard what in a simulated club: every mail is answered once, nobody gets two letters about one thing, no program is answered."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import datetime

from tests.host.club.club import Club
from tests.host.club.sight import held
from tests.host.year.players import letter
from tests.mail.mails import body
from tkid.host.store.schema import DONE

REFERENCE = re.compile(r"^Ref (\S+)", re.MULTILINE)
KEYS = re.compile(r"^(?:Ref .*|.*Reply above.*)$", re.MULTILINE)
"""The lines of a letter that differ from letter to letter."""


def unheard(club: Club) -> list[str]:
    """All that is wrong with who heard what."""
    answers: defaultdict[str, list[tuple[str, bytes, datetime]]] = defaultdict(list)
    for to, mail, moment in club.sent:
        if answered := str(letter(mail)["In-Reply-To"] or "").strip():
            answers[answered].append((to, mail, moment))
    return [*_answers(club, answers), *_silence(club, answers), *_doubles(club), *_cups(club)]


def _answers(club: Club, answers: dict[str, list[tuple[str, bytes, datetime]]]) -> Iterator[str]:
    """A mail is answered to its sender, once about each game and once about the club; a program's mail never is.

    A mail of days that the host has lost is read again after the restore, and may get another answer then, but only one.
    """
    for named, letters in answers.items():
        if named in club.automatic:
            yield f"{named} is from a program, and was answered"
        if named in club.wrote:
            sender, when = club.wrote[named]
            restores = [last for _, last in club.lost] if club.was_lost(when) else []
            told = Counter((to, _about(mail), sum(last <= moment for last in restores)) for to, mail, moment in letters)
            for (to, about, _), count in told.items():
                if sender not in {to, *club.at_hand(to)}:
                    yield f"{named} of {sender} was answered to {to}"
                if count > 1:
                    yield f"{named} of {sender}, {when}, was answered {count} times about {about}"


def _silence(club: Club, answers: dict[str, list[tuple[str, bytes, datetime]]]) -> Iterator[str]:
    """Every mail is carried out or filed, and one that was carried out and has something to hear is answered."""
    for named, (sender, when) in club.wrote.items():
        states = [state for state, _ in club.counts.became[named]]
        if not states:
            yield f"{named} of {sender}, {when}, was lost"
        elif DONE in states and named in club.counts.answers and not answers.get(named):
            yield f"{named} of {sender}, {when}, was not answered"


def _doubles(club: Club) -> Iterator[str]:
    """No letter that answers no mail says what another one said to the same person, but for questions about two mails alike."""
    said = Counter(
        (to, str(letter(mail)["Subject"]), KEYS.sub("", body(letter(mail))))
        for to, mail, when in club.sent
        if not (letter(mail)["In-Reply-To"] or str(letter(mail)["Subject"]).startswith("Re: "))
        and not club.was_lost(when)
    )
    for (to, subject, _), count in said.items():
        if count > 1 and not subject.endswith("was this mail yours?"):
            yield f"{to} got {count} letters that say the same: {subject}"


def _cups(club: Club) -> Iterator[str]:
    """Everybody who played in a tournament to its end, and never blocked the club, heard of the end once."""
    with club.store() as store:
        over = [cup for cup in held(store).values() if cup.over]
    for cup in over:
        for side in (side for side in cup.sides if not side.left):
            for each in side.people:
                mine = club.at_hand(each.address)
                told = [letter(mail) for to, mail, _ in club.sent if to in mine]
                ends = sum(str(mail["Subject"]).startswith(f"[{cup.name}] Tournament over") for mail in told)
                if ends != 1 and not (each.silent or mine & club.blocked):
                    yield f"{each.name} heard of the end of {cup.name} {ends} times"


def _about(mail: bytes) -> str:
    """The game that an answer is about, or the club."""
    if ".club." in str(letter(mail)["Message-ID"]):
        return "the club"
    found = REFERENCE.search(body(letter(mail)))
    return found[1] if found else ""
