"""The letters to players who are not asked: news, words of other players, and the last one of a game."""

from __future__ import annotations

from collections.abc import Sequence

from tkid.mail.letters import clock_text, content
from tkid.mail.letters.announcements import announced, from_player
from tkid.mail.letters.blocks import GAME, REPLAY, Blocks, Button, Buttons, Heading, Letter, Paragraph
from tkid.mail.letters.content import Announcement, Recipient
from tkid.mail.marker import AGAIN, DECIDED
from tkid.mail.plugin import mail_plugin
from tkid.record.fairplay.proof import prove
from tkid.record.format.seal import sealed

LAST = frozenset({GAME, REPLAY})
PROOF = "PROOF"
THANKS = "say to all: Thank you for the game!"


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
    opening = content.lead(host[0].text if host else writes, f"{(*names, 'The host')[0]} writes to you.")
    hidden = bool(host) and opening != host[0].text
    if not host and len(said) == 1:
        return _one_message(recipient, said[0], opening)
    body = (
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


def _one_message(recipient: Recipient, message: Announcement, opening: str) -> Letter:
    """What one player says, and nothing else."""
    about = 0 if recipient.game.time.over else None
    _, *body = from_player(recipient, message, message.sender or 0)
    letter = content.framed(recipient, opening, tuple(body), (content.standing(recipient),), about=about)
    name = recipient.game.names[message.sender or 0]
    return content.letter(recipient, "words", letter, f"{name} writes", about)


# -- the end ----------------------------------------------------------------------------------------------


def over(recipient: Recipient, announcements: Sequence[Announcement] = ()) -> Letter:
    """The last letter of a game: who won, how it was decided, the whole game to see again, and what is proven."""
    subject, opening = result(recipient)
    body = (
        *decided(recipient),
        *announced(recipient, [each for each in announcements if each.sender is not None]),
        *content.happened(recipient, recipient.moments),
        *content.plans(recipient),
        *ending(recipient),
    )
    letter = content.framed(recipient, content.lead(opening), body, (last_line(recipient),), about=0)
    return content.letter(recipient, "news", letter, subject, 0, LAST)


def result(recipient: Recipient) -> tuple[str, str]:
    """How a game ended, for a subject and as a first sentence."""
    subject, opening = mail_plugin(recipient.known.record.game).result(recipient.known, recipient.seat)
    return f"Game over: {subject}", opening


def decided(recipient: Recipient) -> Blocks:
    """How a game was decided, in a few sentences."""
    sentences = mail_plugin(recipient.known.record.game).decided(recipient.known, recipient.seat)
    return (Heading(DECIDED), Paragraph(" ".join(sentences))) if sentences else ()


def ending(recipient: Recipient) -> Blocks:
    """The last position, the whole game to see again, and what is proven."""
    turns = clock_text.counted(sum(not turn.undone for turn in recipient.known.record.turns), "turn")
    stem = content.file_stem(recipient.known.record)
    return (
        Buttons((Button("Say thanks", THANKS),)),
        *content.position(recipient),
        Heading(AGAIN),
        Paragraph(f"Open the attached {stem}.html to step through {turns}."),
        Heading(PROOF),
        Paragraph(f"{_proof(recipient, turns)} To check it yourself, run `tkid verify {stem}.tkid`."),
    )


def _proof(recipient: Recipient, turns: str) -> str:
    """What the record proves, and what it does not."""
    found, seal = prove(recipient.known), sealed(recipient.known.record)
    legal = f"{turns}, all of them legal"
    if found.contradicted:
        return f"Proven: {legal}. Contradicted: {content.sentence(found.contradicted[0].message)}"
    if seal is None:
        return f"Proven: {legal}. Not proven: the deal, because it was not sealed."
    if not found.complete:
        return f"Proven: {legal}. Not proven: the deal, because its seal has not been opened."
    alone = (
        "" if any(seal.words) else " Not proven: that nobody chose the deal, because no player added words to the seal."
    )
    return f"Proven: the deal is the one that was sealed; {legal}.{alone}"


def last_line(recipient: Recipient) -> str:
    """The last turn, and that nothing follows."""
    known = recipient.known
    last = f"Last turn {known.last.turn.number}, #{known.last.hash}. " if known.last.turn else ""
    return f"{last}This is the last mail of this game."
