"""What a text means as a turn, for people and for programs."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import typer

from tkid.cli.support import WRONG, fail
from tkid.cli.support.confirming import print_choices
from tkid.cli.support.files import STDIN, read_lines
from tkid.cli.support.mails import check_mail, mail_bytes
from tkid.cli.support.printing import print_json, print_problems

if TYPE_CHECKING:
    from tkid.notation.free_text import Understanding
    from tkid.record.play.replay import Replay


def print_understood(understood: Understanding, typed: str) -> bool:
    """Print what a text means; return whether it means one turn."""
    if understood.turn:
        how = "This is a legal turn. It is played as it is" if understood.certain else "This may be the turn you mean"
        typer.echo(f"{how}:\n    {understood.turn}")
        if not understood.certain:
            typer.echo("You confirm it before it is played.")
        return True
    print_problems("text", typed, understood.problems[:1], err=False)
    if understood.choices:
        print_choices(understood.choices)
    return False


ACTS = {
    "play": "The turn in this mail is played at once.",
    "ask": "The sender is asked whether the turn is meant.",
    "hold": "A host plays the turn a little later, and its sender can stop it. From hand to hand it is played at once.",
}
"""What becomes of the turn in a mail, by the verdict of the judge."""


def print_judged(replay: Replay, name: str, *, why: bool) -> None:
    """Print what the judge of intent says of a player's mail, and the sentences that decide."""
    from tkid.mail.desk import dispatch, intent, service
    from tkid.mail.inbound.intake import take_in
    from tkid.mail.inbound.order_finder import find_orders
    from tkid.mail.inbound.order_lines import order_reader
    from tkid.mail.model import Refusal

    data = mail_bytes(name)
    check_mail(name, data)
    taken = take_in(data)
    seat = taken if isinstance(taken, Refusal) else dispatch.seat_of(replay.record, taken.sender)
    if isinstance(taken, Refusal) or isinstance(seat, Refusal):
        fail(f"Not answered: {seat}", WRONG)
    orders = find_orders(taken, order_reader(replay.record.game, replay.record.names, seat))
    verdict = intent.judged(service.by_hand(replay, seat), orders, orders.lines)
    typer.echo(
        ACTS[verdict.act] if any(line.read.kind == "turn" for line in orders.lines) else "This mail has no turn."
    )
    if why:
        for each in verdict.evidence:
            typer.echo(f"  {each.kind}: {each.text}")


def answer_texts(understand: Callable[[str], Understanding]) -> bool:
    """Answer each line of standard input with a line of JSON; return whether each text means one turn.

    A line is a text as it was typed, or a JSON object with the text as `text`.
    """
    every = True
    for line in read_lines(STDIN):
        typed = _text(line.decode("utf-8-sig", "replace").rstrip("\r\n"))
        understood = understand(typed)
        every = every and bool(understood.turn)
        print_json(understood_json(typed, understood))
    return every


def _text(line: str) -> str:
    """The text of a line: the line itself, or the `text` of the JSON object on it."""
    if not line.startswith("{"):
        return line
    try:
        request = json.loads(line)
    except (ValueError, RecursionError):
        return line
    text = request.get("text") if isinstance(request, dict) else None
    return text if isinstance(text, str) else line


def understood_json(typed: str, understood: Understanding) -> dict[str, Any]:
    """What a text means, as programs read it."""
    return {
        "text": typed,
        "turn": understood.turn or None,
        "certain": understood.certain,
        "choices": list(understood.choices),
        "problems": [
            {"rule": problem.rule, "message": problem.message, "column": problem.col} for problem in understood.problems
        ],
    }
