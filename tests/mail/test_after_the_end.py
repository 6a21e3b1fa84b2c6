"""After the end of a game, every order is told that the game is over, and no text speaks of what may be done next."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.mail.hall import ANN, BOB, MINUTE, Hall
from tests.mail.mails import orders_of
from tests.shared.tables import each_row
from tkid.mail import game_service
from tkid.mail.blocks import format_plain
from tkid.orders.order_kinds import KINDS
from tkid.record.clock_notes import Ended

SWAP = "Manoeuvre S Moray <> E Lancaster; summon W Gwynedd"
"""A turn that the other player may not undo."""
ORDERS = {
    "turn": ("Pass", SWAP, "Assemble nothing", "Passs"),
    "draft": ("draft Pass", f"draft {SWAP}"),
    "standing": ("pass always",),
    "plan": ("if Bob passes: Pass", "if Ann passes: Pass"),
    "cancel": ("cancel all", "cancel away"),
    "say": ("say to all: Good game!",),
    "away": ("away 2026-12-20 to 2026-12-27",),
    "zone": ("time zone +02:00",),
    "notify": ("notify my turns",),
    "undo": ("undo?", "undo yes", "undo no"),
    "agree": ("agree draw", "agree abandon", "agree no"),
    "pause": ("pause until 2026-12-20",),
    "resign": ("resign",),
    "status": ("status",),
    "legal": ("legal", "legal Manoeuvre"),
    "rules": ("rules post.end",),
    "why": ("why",),
    "history": ("history",),
    "help": ("help",),
}
"""Every order, by its kind."""
OTHERS = ("yes", "no", "1", "Hello!", "👍", "I would like to pass", "My move: Pass", "")
DONE = frozenset({"say", "notify", "status", "rules", "why", "history", "help"})
"""Kinds that are still carried out."""


def by_resigning(hall: Hall) -> None:
    hall.mail(BOB, "resign")


def by_draw(hall: Hall) -> None:
    hall.mail(ANN, "agree draw")
    hall.mail(BOB, "agree draw")


def by_abandoning(hall: Hall) -> None:
    hall.mail(ANN, "agree abandon")
    hall.mail(BOB, "agree abandon")


def by_the_host(hall: Hall) -> None:
    line = Ended("aborted", hall.at.round_moment(hall.now))
    hall.took(game_service.publish_change(hall.at, hall.at.with_line(line), (), hall.now))


ENDS = (by_resigning, by_draw, by_abandoning, by_the_host)


def ended(how: Callable[[Hall], None]) -> Hall:
    """A game that ended after a swap."""
    hall = Hall.of(2).turns(SWAP)
    assert "You may not undo Ann's Manoeuvre" in " ".join(format_plain(hall.last(BOB).body).split())
    how(hall)
    assert hall.at.time.over
    return hall


def test_every_kind_of_order_is_tried() -> None:
    assert ORDERS.keys() == {kind.name for kind in KINDS}


@pytest.mark.parametrize("how", ENDS)
def test_every_order_is_told_that_the_game_is_over(how: Callable[[Hall], None]) -> None:
    """Cites: post.order.over."""
    hall = ended(how)
    for seat in (ANN, BOB):
        for kind, texts in [*ORDERS.items(), ("", OTHERS)]:
            for text in texts:
                hall.now += MINUTE
                letter, before = hall.last(seat), hall.at.record_text
                orders = orders_of(text, hall.at.replay, seat)
                hall.took(game_service.receive_mail(hall.at, seat, orders, hall.now, letter.turn, letter.offer))
                says = hall.says(seat)
                assert "he game is over" in says, (text, says)
                assert "may not undo" not in says, (text, says)
                assert "may undo" not in says, (text, says)
                assert "It is not your turn" not in says, (text, says)
                assert hall.at.record_text == before
                if kind and kind not in DONE:
                    assert "he game is over" in says.partition(" --- ")[0], (text, says)


@each_row("how", ENDS)
def test_the_last_letters_do_not_speak_of_another_turn(how: Callable[[Hall], None]) -> None:
    hall = ended(how)
    for seat in (ANN, BOB):
        told = " ".join(format_plain(hall.last(seat).body).split())
        assert "undo" not in told
        assert "As it stands" not in told
        assert "to play" not in told


@each_row("how", ENDS)
def test_words_to_the_others_are_not_lost_without_a_word(how: Callable[[Hall], None]) -> None:
    hall = ended(how)
    for text in ("Congratulations Ann, you deserved it.", "I never saw the swap coming!\nWhat a game, everybody."):
        hall.now += MINUTE
        orders, letter = orders_of(text, hall.at.replay, BOB), hall.last(BOB)
        hall.took(game_service.receive_mail(hall.at, BOB, orders, hall.now, letter.turn, letter.offer))
        says = hall.says(BOB)
        assert says.startswith("The game is over, and no line of your mail is an order. ---"), says
        assert "Only the host has read it. To write to the other players, begin with `say to all:`." in says, says
