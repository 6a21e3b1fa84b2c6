"""Replies as real mail programs send them: of each, every order is found, and what is quoted never counts."""

from __future__ import annotations

from collections import Counter

from tests.mail.mails import EXPECTED, FOLDER, game
from tests.mail.replies.messages import MESSAGES
from tests.makers.mails import cases
from tests.shared.tables import each_row
from tkid.kernel.game import fill_names
from tkid.mail.mime import take_in
from tkid.mail.model import Refusal
from tkid.mail.order_finder import find_orders, get_order_reader, sort_lines
from tkid.mail.order_handlers import find_sender_seat
from tkid.orders.order_values import Draft, Order, Turn
from tkid.record.play.replay import Replay

ANSWERED = sorted(name for name, each in EXPECTED.items() if "orders" in each)


def orders_in(data: bytes, of: Replay) -> list[str] | Refusal:
    """The orders in a mail as they are written, in the order of carrying out; in brackets the rule that one breaks."""
    taken = take_in(data)
    if isinstance(taken, Refusal):
        return taken
    record, seat = of.record, find_sender_seat(of.record, taken.sender)
    if isinstance(seat, Refusal):
        return seat
    reader = get_order_reader(record.game, record.names, seat)
    lines = sort_lines(find_orders(taken, reader).lines)

    def written(order: Order) -> str:
        if isinstance(order, Draft):
            return f"draft {written(order.turn)}"
        return _turn(order, of) if isinstance(order, Turn) else reader.write_order(order)

    return [
        f"[{line.read.problems[0].rule}]" if line.read.order is None else written(line.read.order) for line in lines
    ]


def _turn(order: Turn, of: Replay) -> str:
    """A turn with what may stand in any order, as two sides of an exchange, in the order in which it is recorded."""
    game, position, moves = of.record.game, of.position, []
    for move in order.read.moves:
        canonical = game.canonical(position, move)
        if game.check(position, canonical):
            return order.text
        moves.append(canonical)
        position, _ = game.play(position, canonical)
    return fill_names(game.words.write_turn(tuple(moves)), of.record.names)


@each_row("name", ANSWERED)
def test_all_orders_of_a_reply_are_found(name: str) -> None:
    expected = EXPECTED[name]
    assert orders_in((FOLDER / name).read_bytes(), game(expected["game"])) == expected["orders"]


def test_replies_that_are_not_answered_have_no_orders() -> None:
    for name in EXPECTED.keys() - set(ANSWERED):
        result = orders_in((FOLDER / name).read_bytes(), game(EXPECTED[name]["game"]))
        assert isinstance(result, Refusal)
        assert result.rule == EXPECTED[name]["rule"]


def test_every_message_is_sent_and_many_programs_send_them() -> None:
    """How often each is told (`pytest -rP`)."""
    sent = [case for case in cases() if case.habit in MESSAGES]
    counts = Counter(case.habit for case in sent)
    print(dict(counts))  # noqa: T201
    assert counts.keys() == MESSAGES.keys()
    assert len({case.client for case in sent}) >= 15
    assert len({case.language for case in sent}) >= 10
    assert {case.position for case in sent} == {"top", "bottom", "interleaved"}
    assert sum("old" in case.marks for case in sent) >= 10
