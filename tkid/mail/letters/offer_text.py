"""Letters that ask before anything is played: is this the turn you meant, which of these, and why a turn was not played."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Literal

from attrs import frozen

from tkid.kernel.problems import Kind, Problem, Scope
from tkid.mail.letters import content
from tkid.mail.letters.blocks import (
    Block,
    Blocks,
    Button,
    Buttons,
    Excerpt,
    Heading,
    Paragraph,
    Quote,
    Samples,
)
from tkid.mail.letters.content import HOW, Recipient
from tkid.mail.plugin import mail_plugin
from tkid.notation.text import single_spaced
from tkid.record.play.replay import Replay
from tkid.record.plugin import record_plugin
from tkid.render.lines import printable
from tkid.rulebook import rule

LONGEST_LEAD = 78
"""Columns of the first sentence."""

Case = Literal[
    "meant",
    "which",
    "wrong",
    "marked",
    "below",
    "forms",
    "resign",
    "leave",
    "elsewhere",
    "keyless",
    "over",
    "ended",
    "gone",
    "nothing",
    "unnumbered",
    "open",
    "asked",
    "again",
    "number",
    "no",
    "by-hand",
    "orders",
    "held",
]
"""Why a letter asks: see `CASES`."""


@frozen
class _Words:
    """The first sentence of a letter, and how to answer: to one offer, to several."""

    lead: str
    one: str = ""
    several: str = ""


YES, NUMBER = "Reply `yes` to play this turn.", "Reply with the number of one"
OWN = "If it is wrong, reply with your own in the same form."
FORMS = "Your mail has a plain and an HTML form, and they do not order the same."
OPEN = "The host offered you this. Reply `yes` to this mail to accept it, or `no` to decline it."
OPEN_SEVERAL = f"The host offered you these turns. {NUMBER} to this mail, or write another turn."
CASES: Mapping[Case, _Words] = MappingProxyType(
    {
        "meant": _Words("Is this the turn you meant? Nothing has been played yet.", f"{YES} {OWN}"),
        "which": _Words(
            "Which of these turns did you mean? Nothing has been played yet.",
            f"{YES} {OWN}",
            f"{NUMBER}, or write another turn.",
        ),
        "wrong": _Words(
            "Not played: your turn breaks a rule. It is still your turn.",
            "This is legal. Reply `yes` to play it, or write another turn.",
            f"These are legal. {NUMBER}, or write another turn.",
        ),
        "marked": _Words(
            "Which of these turns do you choose? Nothing has been played yet.",
            f"{YES} {OWN}",
            f"You marked more than one. {NUMBER}, or write another turn.",
        ),
        "below": _Words(
            "Did you write this? Nothing has been done yet.",
            "It is below the copy of our mail, so it may not be yours. If it is, reply `yes`, and the host does it. "
            "Next time, write above the copy.",
        ),
        "forms": _Words(
            "Is this what you meant? Nothing has been done yet.",
            f"{FORMS} If it is what you mean, reply `yes`, and the host does it.",
            f"{FORMS} {NUMBER}, or write another turn.",
        ),
        "resign": _Words(
            "Do you want to resign? Nothing has been done yet.",
            "You cannot come back after that. If you are sure, reply `yes`. To play on, reply `no`, or just play.",
        ),
        "leave": _Words(
            "Do you want to give the seat back? Nothing has been done yet.",
            "If you are sure, reply `yes`, and you no longer play here. To play on, reply `no`, or just play.",
        ),
        "elsewhere": _Words(
            "A mail with your key came from another address. Was it you?",
            "Nothing has been done. If it was you, reply `yes`, and the host does this:",
            "Nothing has been played. If it was you, reply with the number of the turn that you mean:",
        ),
        "keyless": _Words(
            "Is this mail from you? Nothing has been done yet.",
            "If it is from you, reply `yes`, and the host does this:",
            "If it is from you, reply with the number of the turn that you mean:",
        ),
        "over": _Words("Nothing has been played: that turn is over."),
        "ended": _Words("Nothing has been played: the game is over."),
        "gone": _Words(
            "Nothing has been played: that offer has expired.",
            "This offer is still open. Reply `yes` to this mail to accept it.",
            f"You can choose one of these turns now. {NUMBER} to this mail, or write another turn.",
        ),
        "nothing": _Words("Nothing has been played: the mail that you answered offers no turn."),
        "unnumbered": _Words("Nothing has been played: the turns in that mail have no numbers."),
        "open": _Words(
            "Nothing has been played yet: you answered another mail. This offer is open.", OPEN, OPEN_SEVERAL
        ),
        "asked": _Words("Nothing has changed yet: another player waits for your answer.", OPEN, OPEN_SEVERAL),
        "again": _Words("Nothing has been done: your answer was not understood.", OPEN, OPEN_SEVERAL),
        "number": _Words(
            "Nothing has been played yet: which of these turns do you mean?",
            f"There is only this one. {YES}",
            f"{NUMBER}, or write another turn.",
        ),
        "no": _Words("Nothing has been played."),
        "orders": _Words("Is this what you meant? Nothing has been done yet.", "Reply `yes`, and the host does it."),
        "held": _Words(
            "Your turn is played at {} UTC. To stop it, reply `no`.",
            "Reply `yes` to play it now, or write another turn.",
        ),
        "by-hand": _Words("Nothing has been played: without a host, you have to write the turn itself."),
    }
)
"""The words for each reason to ask."""
RULES: Mapping[Case, str] = MappingProxyType(
    {"forms": "mail.forms", "resign": "post.resign.sure", "leave": "post.stand-in.leave"}
)
"""The rules that some letters rest on."""
SOMEBODY_HERE = "another person here"
"""The sender in a question about a mail from another player, whose address nobody else learns."""
MOST_TYPED = 300
"""Characters that are repeated of what a reader wrote."""
NOT_READ = "Not played: your turn could not be read. It is still your turn."
NO_LINE = "It has no order that the host can carry out, so nothing has been done."
COPY = "Copy a turn to the top of your reply, or mark one with an X in the copy of this mail."
NO_HOST = "To play this turn, send it as it is:"
NO_HOST_SEVERAL = "To play one of these, send it as it is:"


@frozen
class Question:
    """What a letter asks, in place of playing.

    `lines` are what it offers, in canonical form; with `choice` one of them is picked by its number. `typed` is what the
    reader wrote, and `problem` the one thing that is wrong with it; `more` says whether there is more. `example` is a
    legal turn that nobody may have meant. `asked` is what other players ask the reader, with the words that answer it. `sender` is the other address that a mail came from, and `hint` what to write
    instead. `also` are the reader's own words that are the reason to ask, and `until` is when a turn is played that is held.
    With `by_hand` nobody remembers what was offered, so turns are to be sent as they are.
    """

    case: Case
    lines: tuple[str, ...] = ()
    choice: bool = False
    typed: str = ""
    problem: Problem | None = None
    more: bool = False
    example: str = ""
    asked: Blocks = ()
    sender: str = ""
    hint: str = ""
    by_hand: bool = False
    also: str = ""
    until: datetime | None = None


def body(recipient: Recipient, question: Question, others: Blocks = (), *, about: int | None = None) -> Blocks:
    """The letter that asks; `others` are the answers to what else was in the mail, which is about a turn."""
    parts = _PARTS.get(question.case, _answered)(recipient, question)
    told = (*content.happened(recipient, recipient.moments), *content.plans(recipient))
    blocks, footer = (*parts, *others, *told), _footer(recipient, question)
    return content.framed(recipient, _lead(recipient, question), blocks, footer, about=about)


# -- the parts --------------------------------------------------------------------------------------------


def _lead(recipient: Recipient, question: Question) -> str:
    """The first sentence. Where hands are secret it names no card that the reader may hold."""
    lead = CASES[question.case].lead
    if question.case == "no" and recipient.may_act:
        return f"{lead} It is still your turn."
    if question.until is not None:
        return held_lead(question.until)
    if question.problem is None:
        return lead
    said = f"Not played: {content.sentence(question.problem.message)}"
    general = may_name_held(recipient.known, question.problem) or len(said) > LONGEST_LEAD
    return _general(question, question.problem) if general else said


def held_lead(until: datetime) -> str:
    """Say when a turn that is held is played, and how to stop it."""
    return CASES["held"].lead.format(f"{until:%H:%M}")


def may_name_held(known: Replay, problem: Problem) -> bool:
    """Whether the message of a problem with a turn may name a card of a secret hand.

    Of the rules that every game has, one says that a card is not held, the others name no card.
    """
    game = known.record.game
    rules = record_plugin(game).rules
    return game.secret and problem.rule not in {game.ids(each) for each in (rules.hand, rules.order, rules.over)}


def _general(question: Question, problem: Problem) -> str:
    """What is said of a problem first, where it has no room or is nobody else's business."""
    return CASES[question.case].lead if problem.kind is Kind.ILLEGAL else NOT_READ


def _offered(question: Question) -> Blocks:
    """How to accept what is offered, and what that is."""
    if not question.lines:
        return ()
    words = CASES[question.case]
    how = (words.several if question.choice else words.one) if not question.by_hand else ""
    by_hand = NO_HOST_SEVERAL if question.choice else NO_HOST
    return Paragraph(how or by_hand), Samples(question.lines, numbered=question.choice and not question.by_hand)


def _meant(recipient: Recipient, question: Question) -> Blocks:
    """One turn that may have been meant, in words too; what was written comes last, to be compared."""
    buttons = (Button("Yes, play it", "yes"), Button("Change it"))
    if question.case == "held":
        buttons = (Button("No, stop it", "no"), Button("Play it now", "yes"))
    return (
        *((Buttons(buttons),) if not question.by_hand else ()),
        *_also(question),
        *_offered(question),
        *_in_words(recipient.known, question),
        *_you_wrote(question),
    )


def _also(question: Question) -> Blocks:
    """The reader's own words that are the reason to ask."""
    return (Paragraph("You also wrote:"), Quote(printable(question.also))) if question.also else ()


def _which(_: Recipient, question: Question) -> Blocks:
    """Several turns that may have been meant."""
    return *_offered(question), *_you_wrote(question)


def _below(_: Recipient, question: Question) -> Blocks:
    """Orders of which it is not certain who wrote them."""
    return Buttons((Button("Yes, do it", "yes"), Button("Write something else"))), *_offered(question)


def _forms(_: Recipient, question: Question) -> Blocks:
    """Orders that only one form of a mail has."""
    if not question.lines:
        return (Paragraph(f"{FORMS} Write your order again."),)
    buttons = (Buttons((Button("Yes, do it", "yes"), Button("Write something else"))),)
    why = (Paragraph(FORMS),) if question.by_hand else ()
    return *(buttons if not (question.choice or question.by_hand) else ()), *why, *_offered(question)


def _sure(_: Recipient, question: Question) -> Blocks:
    """Whether to do what cannot be taken back."""
    buttons = Buttons((Button("Yes, I am sure", "yes"), Button("No, play on", "no")))
    return buttons, Paragraph(CASES[question.case].one), *_you_wrote(question)


def _wrong(recipient: Recipient, question: Question) -> Blocks:
    """The one thing that is wrong, at its place, and up to three legal turns."""
    problem = question.problem
    assert problem is not None
    blocks: list[Block] = []
    if _lead(recipient, question) == _general(question, problem):
        blocks.append(Paragraph(content.sentence(problem.message)))
    statement = rule(problem.rule).statement.partition(". ")[0] if problem.kind is Kind.ILLEGAL and not blocks else ""
    if statement:
        blocks.append(Paragraph(f"The rule: {statement.removesuffix('.')}."))
    blocks.append(Excerpt(question.typed, problem.col, problem.length))
    if problem.hint and not problem.proposed(Scope.DECISION) and not question.lines:
        blocks.append(Paragraph(problem.hint))
    blocks += _offered(question)
    if not question.lines and question.example:
        blocks += [
            Paragraph("Here is a legal turn with this card. Copy it, and change it:"),
            Samples((question.example,)),
        ]
    elif not question.lines:
        blocks.append(Paragraph("`legal` shows what you can play now."))
    if question.more:
        blocks.append(Paragraph("To see everything that is wrong, send `draft` and your turn."))
    return tuple(blocks)


def _elsewhere(recipient: Recipient, question: Question) -> Blocks:
    """Say what a mail asked for that came from another address, or without a key."""
    ways: Blocks
    if question.sender:
        source = Paragraph(
            f"It came from {question.sender if question.sender == SOMEBODY_HERE else f'`{question.sender}`'}."
        )
        last = Paragraph("If it was not you, do nothing: somebody else has a mail of yours.")
        nothing, ways = f"{NO_LINE} Write from this address.", ()
    else:
        source = Paragraph("Your mail answers a mail of ours, but it has lost the key that we put into each of them.")
        last = Paragraph("If you did not write it, do nothing.")
        nothing, ways = f"{NO_LINE} Write one in a reply to this mail.", _ways(recipient)
    hint = (Paragraph(question.hint),) if question.hint else ()
    if question.lines:
        answers = (
            () if question.choice else (Buttons((Button("No, forget it", "no"), Button("Yes, it was me", "yes"))),)
        )
        return *answers, source, *_offered(question), *_in_words(recipient.known, question), *hint, last
    return source, *(hint or (Paragraph(nothing),)), *ways, last


def _ways(recipient: Recipient) -> Blocks:
    """Say how to answer, to the player who is to act."""
    return content.ways(recipient) if recipient.may_act else ()


def _answered(recipient: Recipient, question: Question) -> Blocks:
    """What a `yes`, a `no` or a number came to that accepts nothing, and what the reader may do now."""
    asked = (*question.asked, *((Paragraph(question.hint),) if question.hint else ()))
    if question.lines:
        return *asked, *_offered(question), *_in_words(recipient.known, question), *_you_wrote(question)
    if question.asked or not recipient.may_act:
        return *asked, *_you_wrote(question)
    position = content.position(recipient) if question.case != "no" else ()
    copy = (Paragraph(COPY),) if question.case == "unnumbered" else ()
    return *asked, *position, *copy, *content.ways(recipient)


_PARTS = {
    "meant": _meant,
    "held": _meant,
    "orders": _meant,
    "which": _which,
    "wrong": _wrong,
    "marked": _which,
    "below": _below,
    "forms": _forms,
    "resign": _sure,
    "leave": _sure,
    "elsewhere": _elsewhere,
    "keyless": _elsewhere,
}


def _in_words(known: Replay, question: Question) -> Blocks:
    """What one turn does, in words; nothing of several lines, or of orders that are no turns."""
    words = mail_plugin(known.record.game).turn_in_words(known, question.lines[0]) if len(question.lines) == 1 else ""
    return (Heading("IN WORDS"), Paragraph(words)) if words else ()


def _you_wrote(question: Question) -> Blocks:
    typed = printable(single_spaced(question.typed))
    cut = typed if len(typed) <= MOST_TYPED else f"{typed[: MOST_TYPED - 1]}…"
    return (Heading("YOU WROTE"), Quote(cut)) if cut else ()


def _footer(recipient: Recipient, question: Question) -> tuple[str, ...]:
    """Whose turn it is and until when, and where to read more."""
    standing = content.standing(recipient)
    if recipient.may_act and not recipient.game.time.adjourned and question.case not in {"no", "held"}:
        standing = f"It is still your turn. {standing}".rstrip()
    about = question.problem.rule if question.problem is not None else RULES.get(question.case, HOW)
    name = f"The full rule, {about}" if about != HOW else "How to write a turn"
    return *([standing] if standing else []), f"{name}: {rule(about).link}"
