"""The letters to players who are not asked: news, and words of other players."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tkid.mail.letters import content
from tkid.mail.letters.announcements import announced, from_player
from tkid.mail.letters.blocks import Blocks, Letter, Paragraph
from tkid.mail.letters.content import Announcement, Recipient
from tkid.mail.letters.last_letter import over
from tkid.mail.plugin import mail_plugin

SENTENCE = re.compile(r"(?<=[.!?]) ")
"""Between two sentences."""


def news(recipient: Recipient, announcements: Sequence[Announcement] = ()) -> Letter:
    """The letter to a player who is not to act: what happened, and how it stands; at the end, how it was decided."""
    if recipient.game.time.over:
        return over(recipient, announcements)
    body, subject = _news(recipient, announcements)
    return content.letter(recipient, "news", body, subject, _about(recipient))


def _news(recipient: Recipient, announcements: Sequence[Announcement]) -> tuple[Blocks, str]:
    """The body of a letter with news, and its subject."""
    host = [each for each in announcements if each.sender is None]
    short = content.shortly(recipient, recipient.moments)
    told = host[0].text if host else short
    nexts = (content.who_is_next(recipient), content.who_is_next(recipient, date=False), "")
    opening = content.lead(*(f"{told} {each}".strip() for each in nexts), "This is the game now.")
    shown = host[0].more if host and opening.startswith(host[0].text) else None
    rest = announcements if shown is None else [each for each in announcements if each is not host[0]]
    body = (
        *(shown or ()),
        *announced(recipient, rest),
        *content.happened(recipient, recipient.moments),
        *content.plans(recipient),
        *content.passing_does(recipient),
        *content.position(recipient),
    )
    rule = next((each.rule for each in host if each.rule), "")
    footer = (content.standing(recipient), content.help_line(), content.full_rule(rule))
    return content.framed(recipient, opening, body, footer, about=_about(recipient)), _subject(recipient, host)


def _about(recipient: Recipient) -> int | None:
    """The turn that news are about: the last one that the reader has not heard of."""
    turn = recipient.known.moments[recipient.moments[-1]].turn if recipient.moments else None
    return turn.number if turn else None


def _subject(recipient: Recipient, host: Sequence[Announcement]) -> str:
    """What the subject says: what the host announces, else what happened last."""
    announced = next((each.subject for each in host if each.subject), "")
    if announced or not recipient.moments:
        return announced or "the game now"
    return mail_plugin(recipient.known.record.game).headline(recipient.known, recipient.moments[-1])


def words(recipient: Recipient, announcements: Sequence[Announcement]) -> Letter:
    """Nothing but what was announced, and what players say."""
    host = [each for each in announcements if each.sender is None]
    said = [each for each in announcements if each.sender is not None]
    names = list(dict.fromkeys(recipient.game.names[each.sender] for each in said if each.sender is not None))
    everybody = bool(said) and said[0].everybody and len(recipient.game.names) > 2
    writes = f"{names[0]} writes to {'everybody' if everybody else 'you'}." if said else ""
    first, rest = _first_sentence(host[0].text) if host else (writes, "")
    wordings = (host[0].text, first) if host else (writes,)
    opening = content.lead(*wordings, f"{(*names, 'The host')[0]} writes to you.")
    hidden = bool(host) and opening not in wordings
    said_later = (Paragraph(rest),) if rest and opening == first else ()
    if not host and len(said) == 1:
        return _one_message(recipient, said[0], opening)
    body = (
        *said_later,
        *(host[0].more if host and not hidden else ()),
        *announced(recipient, announcements if hidden or not host else [e for e in announcements if e is not host[0]]),
    )
    rule = next((each.rule for each in host if each.rule), "")
    footer = (content.standing(recipient), content.full_rule(rule))
    subject = next(
        (each.subject for each in host if each.subject), f"{names[0]} writes" if names else "news of the host"
    )
    about = 0 if recipient.game.time.over else next((each.about for each in host if each.about), None)
    letter = content.framed(recipient, opening, body, footer, about=about)
    return content.letter(recipient, "news" if host else "words", letter, subject, about)


def _first_sentence(text: str) -> tuple[str, str]:
    """The first sentence of a text, and the rest of it."""
    first, *rest = SENTENCE.split(text, maxsplit=1)
    return first, "".join(rest)


def _one_message(recipient: Recipient, message: Announcement, opening: str) -> Letter:
    """What one player says, and nothing else."""
    about = 0 if recipient.game.time.over else None
    _, *body = from_player(recipient, message, message.sender or 0)
    letter = content.framed(recipient, opening, tuple(body), (content.standing(recipient),), about=about)
    name = recipient.game.names[message.sender or 0]
    return content.letter(recipient, "words", letter, f"{name} writes", about)
