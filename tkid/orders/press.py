"""Reads press: words to all players, or to one."""

from __future__ import annotations

from lark import Token

from tkid.kernel.problems import Kind, Problem
from tkid.notation.people import EVERYBODY, People, single
from tkid.notation.turns import WrongError
from tkid.orders.kinds import way
from tkid.orders.lookup import form, nobody, problem
from tkid.orders.model import Say
from tkid.orders.plugin import OrderLanguage
from tkid.orders.syntax import parse
from tkid.rulebook import cites


@cites("post.say")
def read_press(
    text: str, typed: str, language: OrderLanguage, people: People, *, sender: int | None, mates: tuple[int, ...]
) -> Say:
    """Words to players. Raises WrongError.

    Args:
        text: the line in plain characters.
        typed: the line as it was typed, of which the words are taken.
        language: the orders of the game.
        people: the players.
        sender: the seat of the sender, if that is known.
        mates: the seats of the sender's party.
    """
    to, said = (token for token in parse("say", text, language).children if isinstance(token, Token))
    name, column, begins = to.rstrip(), to.start_pos or 0, said.start_pos or 0
    words = "".join(c if c.isprintable() else " " for c in typed[begins:]).strip(" *_`")
    if not words:
        raise WrongError(form("The text is missing", way("say", language), begins))
    if single(name) in EVERYBODY:
        return Say("all", words)
    seat = people.seat(name)
    if seat is None:
        raise WrongError(nobody(people, name, column, "Write to one player, or to `all`. "))
    if seat in mates:
        raise WrongError(_not_to(people.names[seat], column, len(name), is_self=seat == sender))
    return Say(seat, words)


def _not_to(player: str, column: int, length: int, *, is_self: bool) -> Problem:
    """The problem with words to oneself, or to a team-mate alone."""
    hint = "To write to everybody: `say to all: TEXT`."
    if is_self:
        return problem("post.say.self", "You cannot send a message to yourself", hint, column, length, Kind.ILLEGAL)
    message = f"{player} is your team-mate. Team-mates may not discuss plans, so the message is not sent"
    return problem("post.say.team-mate", message, hint, column, length, Kind.ILLEGAL)
