"""Answers to the orders of members: what was done, or what is wrong with an order and the way out."""

from __future__ import annotations

from tkid.club.door.visit import Kept, Result
from tkid.club.members import KIND, Member
from tkid.kernel.problems import Kind, Problem
from tkid.mail.letters.blocks import Block, Paragraph


def done(lead: str, *body: str | Block, kept: tuple[Kept, ...] = ()) -> Result:
    """What was done, in a sentence of at most 78 columns, and what else there is to say."""
    return Result(lead, tuple(Paragraph(each) if isinstance(each, str) else each for each in body), kept=kept)


def refused(rule: str, message: str, hint: str = "", kind: Kind = Kind.ILLEGAL, typed: str = "") -> Result:
    """An order that is not carried out: the rule, the reason and the way out; `typed` is what is wrong in it."""
    return Result(problem=Problem(kind, rule, message, hint=hint), wrong=typed)


def kept_member(member: Member) -> Kept:
    """A member that is to be kept."""
    return Kept(KIND, member.address, member.text)
