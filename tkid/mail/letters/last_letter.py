"""The last letter of a game: who won, how it was decided, what is proven, and the whole game with every hand."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from tkid.mail.letters import content
from tkid.mail.letters.announcements import announced
from tkid.mail.letters.blocks import GAME, REPLAY, Blocks, Button, Buttons, Heading, Letter, Paragraph
from tkid.mail.letters.content import Announcement, Recipient
from tkid.mail.letters.file_names import file_stem
from tkid.mail.marker import AGAIN, DECIDED
from tkid.mail.plugin import mail_plugin
from tkid.mail.voice import both
from tkid.notation.numbers import counted_in_words
from tkid.record.fairplay.proof import Proof, prove
from tkid.record.format.model import Record
from tkid.record.format.seal import sealed
from tkid.record.play.note_chain import HASH
from tkid.record.play.writer import as_written
from tkid.rulebook import cites

LAST = frozenset({GAME, REPLAY})
PROOF = "PROOF"
THANKS = "say to all: Thank you for the game!"
REMATCH = "rematch"


@cites("post.end")
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


@cites("post.end", "post.stand-in")
def over_for_former(recipient: Recipient) -> Letter:
    """The last letter to a player whose seat somebody else has played: the same, to the player's own address."""
    names = recipient.game
    who = names.player(recipient.seat) if not names.is_bot(recipient.seat) else "a bot"
    subject, opening = result(recipient)
    body = (
        Paragraph(f"Your seat was played by {who} in the end."),
        *decided(recipient),
        *ending(recipient, asks=False),
    )
    letter = content.framed(recipient, content.lead(opening), body, (last_line(recipient),), about=0)
    return evolve(
        content.letter(recipient, "news", letter, subject, 0, LAST), to=recipient.game.own_address(recipient.seat)
    )


def result(recipient: Recipient) -> tuple[str, str]:
    """How a game ended, for a subject and as a first sentence."""
    subject, opening = mail_plugin(recipient.known.record.game).result(recipient.known, recipient.seat)
    return f"Game over: {subject}", opening


def decided(recipient: Recipient) -> Blocks:
    """How a game was decided, in a few sentences."""
    sentences = mail_plugin(recipient.known.record.game).decided(recipient.known, recipient.seat)
    return (Heading(DECIDED), Paragraph(" ".join(sentences))) if sentences else ()


def ending(recipient: Recipient, *, asks: bool = True) -> Blocks:
    """The last position, the whole game to see again, and what is proven; with `asks` how to play again."""
    record = recipient.known.record
    turns = counted_in_words(sum(not turn.undone for turn in record.turns), "turn")
    stem = file_stem(record)
    hands = " and every hand" if record.game.secret else ""
    return (
        *(_again(recipient) if asks else ()),
        *content.position(recipient),
        Heading(AGAIN),
        Paragraph(f"Open the attached {stem}.html to step through {turns}. {stem}.tkid has the whole game{hands}."),
        Heading(PROOF),
        Paragraph(f"{_proof(recipient, turns)} To check it yourself, run `tkid verify {stem}.tkid`."),
    )


def _again(recipient: Recipient) -> Blocks:
    """How to play another game with the same players, and how to thank them."""
    others = both(recipient.game.names[seat] for seat in recipient.game.others(recipient.seat))
    return (
        Paragraph(f"Reply `{REMATCH}` to invite {others} to another game on the same terms."),
        Buttons((Button("Play again", REMATCH), Button("Say thanks", THANKS))),
    )


@cites("record.seal.open")
def _proof(recipient: Recipient, turns: str) -> str:
    """What the record proves, and what it does not: what `tkid verify` finds, in few words."""
    found, record = prove(as_written(recipient.known)), recipient.known.record
    legal = f"{turns}, all of them legal" if turns != "no turns" else "no turn was played"
    if found.contradicted:
        return f"Proven: {legal}. Contradicted: {content.sentence(found.contradicted[0].message)}"
    return f"Proven: {_deal(record, found, legal)} {_unproven(record, found)}"


def _deal(record: Record, found: Proof, legal: str) -> str:
    """What is proven."""
    if not found.complete:
        return f"{legal}."
    hands = ", with every hand" if record.game.secret else ""
    return f"the deal is the one that was sealed{hands}; {legal}."


def _unproven(record: Record, found: Proof) -> str:
    """What is not proven, or whose words show that nobody chose the deal."""
    seal = sealed(record)
    if seal is None:
        return "Not proven: the deal, because it was not sealed."
    if any(fact.rule != HASH for fact in found.unproven):
        return "Not proven: the deal, because its seal has not been opened."
    if not found.complete:
        return "Not proven: some lines about the game, which its hashes do not cover."
    speakers = [name for name, words in zip(record.names, seal.words, strict=True) if words]
    if not speakers:
        return "Not proven: that nobody chose the deal, because no player added words to the seal."
    return f"The words of {both(speakers)} went into the deal, so nobody could choose it alone: compare yours."


def last_line(recipient: Recipient) -> str:
    """The last turn, and that nothing follows."""
    known = recipient.known
    last = f"Last turn {known.last.turn.number}, #{known.last.hash}. " if known.last.turn else ""
    return f"{last}This is the last mail of this game."
