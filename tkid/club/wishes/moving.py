"""Carries out a change of address: asked for from the old one, confirmed from both, and then everything moves. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from attrs import evolve

from tkid.club.digest import KIND as DIGEST
from tkid.club.display_names import display_name
from tkid.club.door.visit import ClubState, Kept, Result, Visit
from tkid.club.kinds import HOLDING
from tkid.club.members import FORMER, Member, Move
from tkid.club.members import KIND as MEMBER
from tkid.club.message import ClubLetter, framed
from tkid.club.values import mailbox
from tkid.club.wishes.answers import done, kept_member, refused
from tkid.club.wishes.model import AnswerMove, ChangeAddress
from tkid.mail.desk import service
from tkid.mail.game.hosted_game import HostedGame
from tkid.mail.letters.blocks import Blocks, Button, Buttons, Paragraph
from tkid.mail.letters.clock_text import moment
from tkid.record.clock.interventions import Moved
from tkid.rulebook import cites

ABOUT = "address"
"""What the letters are about that ask for a confirmation: with the old address, and since when the change is asked for."""
MOST_ASKED = 3
"""Changes of address that somebody may ask for on one day."""
RULE, BOTH = "club.address", "club.address.both"


@cites("club.address", "club.address.both")
def change_address(order: ChangeAddress, visit: Visit, state: ClubState) -> Result:
    """Ask both addresses whether everything shall move. A later request takes the place of an earlier one."""
    member, new = state.member(visit.sender), order.to
    if new == member.address:
        return refused(RULE, "This is your address already", "Write your new address.")
    if mailbox(new) == mailbox(visit.host):
        return refused(RULE, f"{new} is the address of this host", "Write your new address.")
    if state.member(new).blocked or _occupied(member.address, new, state):
        return refused(RULE, f"Your games cannot move to {new}", "Choose an address that does not play here yet.")
    if state.counted(member.address, RULE) > MOST_ASKED or state.counted(new, RULE) > MOST_ASKED:
        return refused(RULE, "You have asked for a change of address often enough today", "Ask again tomorrow.")
    asked = evolve(member, move=Move(new, visit.time))
    letters = asks(asked, member.address, visit.time), asks(asked, new, visit.time)
    return Result(kept=(kept_member(asked),), letters=letters)


@cites("club.address.both")
def answer_move(order: AnswerMove, visit: Visit, state: ClubState) -> Result:
    """What follows when one of the two addresses answers `yes` or `no`; the key of the letter says which one it is."""
    old, _, since = visit.about.partition(" ")[2].partition(" ")
    member = state.member(old)
    move = member.move
    if move is None or move.since.isoformat() != since or visit.sender not in {member.address, move.to}:
        return refused(RULE, "This change of address is over, or another one was asked for since")
    if visit.time > move.until:
        return refused(
            RULE, "This change of address was not confirmed in time", "Ask again with `address` if you want it."
        )
    if not order.agrees:
        return _ended(member, move, visit)
    agreed = tuple(dict.fromkeys((*move.agreed, visit.sender)))
    if len(agreed) < 2:
        waits = evolve(member, move=evolve(move, agreed=agreed))
        lead = "Thank you. The other address has to answer too."
        return done(lead, "It has a mail with the same question.", kept=(kept_member(waits),))
    return _moved(member, move.to, visit, state)


def _ended(member: Member, move: Move, visit: Visit) -> Result:
    """Nothing moves, as one of the two does not want it. The other hears of it."""
    text = "Nothing moves: the change of address is over."
    other = move.to if visit.sender == member.address else member.address
    said = f"{visit.sender} answered `no`. Everything stays as it was."
    letters = (_letter(member, other, text, (Paragraph(said),), visit.time),) if other == member.address else ()
    return evolve(done(text, kept=(kept_member(evolve(member, move=None)),)), letters=letters)


@cites("club.address")
def _moved(member: Member, new: str, visit: Visit, state: ClubState) -> Result:
    """Everything moves: seats, documents, the member. The old address hears of it."""
    old = member.address
    if _occupied(old, new, state):
        return refused(RULE, f"Your games cannot move to {new}: it plays in one of them by now")
    former = tuple(dict.fromkeys((*member.former, *state.member(new).former, old)))
    moved = evolve(member, address=new, move=None, former=tuple(each for each in former if each != new))
    kept = [Kept(MEMBER, old, None), kept_member(moved), *_documents(old, new, state)]
    kept += [Kept(FORMER, each, new) for each in moved.former]
    names = sorted(name for name, game in state.games(old) if not game.time.over)
    games = [(name, game) for name in names if (game := state.game(name)) is not None]
    changes = tuple(
        (name, service.moved(game, Moved(seat, game.moment(visit.time), new), visit.time))
        for name, game in games
        for seat in game.seats
        if game.address(seat).lower() == old
    )
    lead = f"Your games write to {new} from now on." if len(new) < 45 else "Your games write to your new address now."
    goodbye = Paragraph(
        "This is the last mail of the host to the old address. If you did not want this, tell the host's owner."
    )
    welcome = Paragraph("If it is your turn somewhere, the mail that asks for it comes again.")
    letters = (_letter(moved, old, lead, (goodbye,), visit.time), _letter(moved, new, lead, (welcome,), visit.time))
    return Result(kept=tuple(kept), changes=changes, letters=letters)


def _documents(old: str, new: str, state: ClubState) -> Iterator[Kept]:
    """The documents in which the old address is, with the new one; and the digests."""
    for kind in HOLDING:
        for stored in state.documents(kind):
            before = json.loads(stored.text or "null")
            after = _replaced(before, old, new)
            if after != before:
                yield Kept(kind, stored.id, json.dumps(after, ensure_ascii=False), stored.due)
    digest = next((each for each in state.documents(DIGEST) if each.id == old), None)
    if digest is not None:
        yield Kept(DIGEST, old, None)
        after = _replaced(json.loads(digest.text or "null"), old, new)
        yield Kept(DIGEST, new, json.dumps(after, ensure_ascii=False), digest.due)


def _replaced(value: Any, old: str, new: str) -> Any:
    """A value of JSON with one address in the place of another, wherever it is a whole text or a key."""
    if isinstance(value, str):
        return new if value.lower() == old else value
    if isinstance(value, list):
        return [_replaced(each, old, new) for each in value]
    if isinstance(value, dict):
        return {_replaced(key, old, new): _replaced(each, old, new) for key, each in value.items()}
    return value


def _occupied(old: str, new: str, state: ClubState) -> bool:
    """Whether the new address plays in a game, or has a seat at one that gathers players, in which the old one does."""
    return any(_plays(game, new) for _, game in state.games(old) if not game.time.over and _plays(game, old)) or any(
        table.place(old) and table.place(new) for table in state.tables() if table.state == "open"
    )


def _plays(game: HostedGame, address: str) -> bool:
    return any(game.address(seat).lower() == address for seat in game.seats)


# -- letters ----------------------------------------------------------------------------------------------


@cites("club.address.both")
def asks(member: Member, to: str, now: datetime) -> ClubLetter:
    """The letter that asks one of the two addresses."""
    assert member.move is not None
    new, until = member.move.to, moment(member.move.until, year=False)
    lead = f"Should your games move to {new}?"
    text = (
        f"Somebody asked for this from your address. If it was you, reply `yes` to this mail and to the one at {new}, "
        f"by {until}. If it was not you, reply `no`, and nothing changes."
    )
    if to == new:
        lead = f"Should the games of {display_name(member.name, member) or 'a player'} come to this address?"
        text = (
            f"If you asked for this, reply `yes` to this mail and to the one at your old address, by {until}. "
            "If you do not know what this is about, you need not do anything."
        )
    buttons = Buttons((Button("No, keep it", "no"), Button("Yes, move them", "yes")))
    return _letter(member, to, lead, (Paragraph(text), buttons), now)


def _letter(member: Member, to: str, lead: str, body: Blocks, now: datetime) -> ClubLetter:
    """A letter about a change of address."""
    about = f"{ABOUT} {member.address} {member.move.since.isoformat()}" if member.move else ABOUT
    short = lead if len(lead) <= 78 else "Should your games move to another address?"
    name = member.name if to == member.address else display_name(member.name, member)
    return ClubLetter(to, about, "Your address", framed("address your address", short, body), now, name)
