"""The letters with which players deal a game together: draws, and locked deals where hands are secret."""

from __future__ import annotations

from datetime import datetime

from tkid.mail.letters.blocks import Block, Blocks, Board, Copies, Footer, Heading, Paragraph
from tkid.mail.letters.first_steps import learn
from tkid.mail.peers.letter import PeerLetter, seats_of, tagged
from tkid.notation.vocabulary import listed
from tkid.record.fairplay.draw import Draw, write_draw
from tkid.record.locked.deal import LockedDeal, complete, missing
from tkid.record.locked.text import write_deal
from tkid.rulebook import rule

HOW_IT_WORKS = "record.deal"
"""The rule that explains a locked deal."""
INSTALL = "pip install 'tkid[secret]'"


# -- a draw -----------------------------------------------------------------------------------------------


def draw_letter(draw: Draw, me: int, time: datetime) -> PeerLetter:
    """The letter with which a seat sends its commitment, or its nonce, to all others."""
    names, head = draw.names, draw.head
    to = [seat for seat in range(len(names)) if seat != me]
    what = "my nonce" if draw.nonces[me] else "my commitment"
    missing = draw.missing()
    still = "All nonces are here: the game can be dealt."
    if missing:
        still = f"Still missing is the {'nonce' if draw.committed else 'commitment'} of {listed(missing, 'and')}."
    here = f"Here is {what} for the draw{f' of {head.title}' if head.title else ''}. {still}"
    file = write_draw(draw)
    body = (
        Paragraph(f"{listed([names[seat] for seat in to], 'and')},"),
        Paragraph(here),
        Heading("THE DRAW"),
        Board(tuple(f"  {line}".rstrip() for line in file.splitlines())),
        *_how_to_draw(draw, me),
    )
    subject = tagged(head, f"{'nonce' if draw.nonces[me] else 'commitment'} of {names[me]}")
    return PeerLetter(seats_of(head, to), head.seats[me], subject, body, "game.draw", file, time)


def _how_to_draw(draw: Draw, me: int) -> Blocks:
    """What to do with a letter of a draw: to join it, to go on, or to deal."""
    joined = all(made for seat, made in enumerate(draw.commitments) if seat != me)
    look = "" if joined else "Check that this is the game that you want to play. Then save"
    command = "tkid letter new GAME.draw THIS-MAIL.eml"
    command += "" if joined else ' --me "YOUR NAME"'
    command += "" if draw.complete else " -o NEXT-MAIL.eml"
    deals = [Paragraph("This deals the game, the same for everybody: GAME.tkid.")] if draw.complete else []
    return Heading("WHAT TO DO"), Paragraph(f"{look or 'Save'} this mail as a file:"), Copies((command,)), *deals


# -- a locked deal ----------------------------------------------------------------------------------------


def deal_letter(deal: LockedDeal, me: int, time: datetime) -> PeerLetter:
    """The letter with which a seat sends its part of a locked deal: to whoever is next, or to all when nobody is."""
    head, done = deal.head, complete(deal)
    names, others = head.names, [seat for seat in range(len(head.names)) if seat != me]
    nexts = [] if done else [seat for seat, _ in missing(deal)][:1]
    to = [seat for seat in nexts if seat != me] or others
    game = f" of {head.title}" if head.title else ""
    joins = not all(deal.keys[seat] for seat in to)
    body: list[Block] = [Paragraph(f"{listed([names[seat] for seat in to], 'and')},")]
    if done:
        body.append(Paragraph(f"The cards{game} are dealt. With this mail you can see your hand."))
    else:
        body.append(Paragraph(f"Here is my part of the deal{game}. Now it needs yours."))
    if joins:
        listing = tuple(f"  {line}" for line in write_deal(deal).split("\n\n")[0].splitlines()[1:])
        body += [Heading("THE GAME"), Board(listing), Paragraph("The players are listed in turn order.")]
    look = "Check that this is the game that you want to play. Then save" if joins else "Save"
    command = "tkid letter new GAME.deal THIS-MAIL.eml"
    command += ' --me "YOUR NAME"' if joins else ""
    command += "" if done else " -o NEXT-MAIL.eml"
    body.append(Heading("WHAT TO DO"))
    if joins:
        body += [Paragraph("Secret hands need tkid with an extra package. To install both:"), Copies((INSTALL,))]
    body += [Paragraph(f"{look} this mail as a file:"), Copies((command,))]
    if not done:
        body.append(
            Paragraph(
                "Nobody can see the deck: everybody shuffles and locks it, and your own cards are unlocked for you alone. "
                "The attached file is long, because it proves that every lock is right."
            )
        )
    footer = (f"How dealing together works: {rule(HOW_IT_WORKS).link}", *([learn(head.game)] if joins else []))
    subject = tagged(head, "the cards are dealt" if done else f"the deal, part of {names[me]}")
    return PeerLetter(
        seats_of(head, to), head.seats[me], subject, (*body, Footer(footer)), "game.deal", write_deal(deal), time
    )
