"""Random mails of random players at random times: whatever comes, what always holds of an outcome holds."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from random import Random

import pytest
from hypothesis import Phase, example, given

from tests.games.struggle.shared.family import struggle
from tests.mail.hall import DAY, HOUR, MINUTE, Hall, dealt
from tests.mail.typed import ordered
from tests.shared.examples import examples
from tests.shared.strategies import seeds
from tkid.games.struggle.mail import list_offered_turns
from tkid.mail import game_service, hosted_game
from tkid.mail.blocks import Letter, format_plain
from tkid.mail.game_service import Outcome
from tkid.mail.model import Marker
from tkid.mail.order_finder import get_order_reader
from tkid.record.clock_notes import Back, Resumed, StandIn

UNSHRUNK = [Phase.explicit, Phase.generate]
"""A seed is as small as any other."""
TERMS = (
    "",
    "3 days a turn",
    "12 hours a turn, 6 hours grace, remind after 2 hours and 4 hours, then pass, adjourn after 2, 2 days away",
    "1 day a turn, then stand-in",
    "3 days for 2 turns, 1 day grace, then pass, stand-in after 2",
    "2 days a turn, then pass",
)
PLAN = re.compile(r"^(Turn \d+: )?Plans? \d", re.MULTILINE)
"""What a line about plans begins with."""
SHOWN = 60
"""So much of a line is repeated at least."""
NAMES = (
    ("Ann", "Bob", "Cal", "Dee"),
    ("李明华", "Łukasz Żółć", "Zoë d'Été", "Then Stop"),
    ("Ann", "Ann Lee", "Smith, John", "1st"),
)
SMALL = (
    "status", "legal", "why", "history", "help", "help away", "rules summon", "rules second.turn.pass", "undo?", "undo yes",
    "undo no", "notify every turn", "notify my turns", "notify struggles", "cancel all", "cancel 1", "cancel standing",
    "cancel conditional", "cancel away", "say to all: Well met!", "say to 2: psst", "say to 1: psst", "pass until struggle",
    "pass until someone acts", "pass always", "Pass", "Pass; then Pass", "(Pass)", "draft Pass", "legal Assemble",
    "if anyone acts: Pass", "if anyone passes: Pass; else stop",
)  # fmt: skip
WRONG = (
    "pass until Esex is contested", "if Bob does not pass: stop", "statsu", "xyzzy", "Manoeuvre S Mory <> E Devon",
    "Pass please", "say to nobody: hi", "away 10/11/2026 to 12/11/2026", "legal Tea", "rules second.turn.pasz", "draft",
    "cancel 99", "Assemble nothing", "Plot S", "undo maybe", "notify never", "界界界", "Negotiate Moray <> Devon, no disc",
)  # fmt: skip


class Wild:
    """Players who do anything, in a game that is as random."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.players = rng.choice((2, 3, 4))
        code = rng.choice(("second-edition", "second-edition-advanced"))
        record = dealt(self.players, rng.choice(TERMS), code=code, names=rng.choice(NAMES), entropy=rng.randbytes(32))
        self.hall = Hall(record)

    def plan(self, seat: int) -> str:
        """A plan that names regions which no other seat's plans name."""
        region = self.region(seat)
        order = self.rng.choice(("Pass", "stop", "Pass; else Pass", "stop; else Pass", "Pass; then Pass; else stop"))
        return f"if {region} goes to the {self.rng.choice(('English', 'Welsh'))}: {order}"

    def region(self, seat: int) -> str:
        """A region of a seat."""
        return struggle(self.hall.at.record.game).board.name_region(self.rng.choice((seat, seat + 4)))

    def line(self, seat: int) -> str:
        """A line of a mail."""
        at = self.hall.at
        if at.awaited == seat and self.rng.random() < 0.5:
            return (
                hosted_game.choose_bot_turn(at.view_as(seat), seat, hosted_game.BY_LOT)
                if self.rng.random() < 0.7
                else self.rng.choice(list_offered_turns(at.view_as(seat))[0])
            )
        kinds: tuple[Callable[[], str], ...] = (
            lambda: self.rng.choice(SMALL),
            lambda: self.rng.choice(SMALL),
            lambda: self.rng.choice(WRONG),
            lambda: self.plan(seat),
            self.away,
            lambda: "resign" if self.rng.random() < 0.1 else self.rng.choice(("undo?", "cancel away")),
            lambda: (
                f"draft {hosted_game.choose_bot_turn(at.view_as(seat), seat, hosted_game.BY_LOT)}"
                if at.awaited == seat
                else "draft Pass"
            ),
        )
        return self.rng.choice(kinds)()

    def away(self) -> str:
        """An absence, now and then a long one."""
        first = (self.hall.now + self.rng.randint(-3, 9) * DAY).date()
        return f"away {first} to {first + self.rng.choice((0, 1, 5, 40)) * DAY}"

    def happens(self) -> None:
        """Something happens."""
        hall, rng = self.hall, self.rng
        kind = rng.random()
        if kind < 0.15 and hall.outcome.due is not None:
            hall.until_due()
        elif kind < 0.25:
            hall.tick(rng.choice((MINUTE, HOUR, DAY, 3 * DAY, timedelta(seconds=1))))
        elif kind < 0.28:
            self.kept()
        else:
            self.mailed(
                hall.at.awaited if hall.at.awaited is not None and rng.random() < 0.6 else rng.randrange(self.players)
            )

    def kept(self) -> None:
        """Whoever keeps the game changes something."""
        hall, seat = self.hall, self.rng.randrange(self.players)
        if hall.at.time.over:
            return
        hall.now += MINUTE
        moment = hall.at.round_moment(hall.now)
        line: StandIn | Back | Resumed = StandIn(seat, "Zoe", moment, "zoe@example.org", bot=self.rng.random() < 0.5)
        if self.rng.random() < 0.3 and hall.at.time.seats[seat].resigned is None:
            line = Back(seat, moment)
        elif hall.at.time.adjourned:
            line = Resumed(moment)
        hall.took(game_service.apply_owner_note(hall.at, line, hall.now))

    def mailed(self, seat: int) -> None:
        """A mail of some seat."""
        hall, rng = self.hall, self.rng
        before = hall.at
        hall.now += rng.choice((MINUTE, HOUR, 5 * HOUR, DAY, timedelta(), timedelta(seconds=30)))
        lines = tuple(dict.fromkeys(self.line(seat) for _ in range(rng.choice((0, 1, 1, 1, 2, 3, 5)))))
        theirs = [letter for letter in hall.letters if letter.seat == seat]
        letter = rng.choice(theirs) if rng.random() < 0.2 else theirs[-1]
        marker = Marker(letter.turn, letter.after)
        if rng.random() < 0.05:
            marker = Marker(rng.randint(1, 9), "0a1b2c")
        key = letter.turn if rng.random() < 0.5 else None
        orders = ordered(before, seat, *lines, remark=("Good evening!",), marker=marker if rng.random() < 0.8 else None)
        outcome = hall.took(game_service.receive_mail(before, seat, orders, hall.now, key))
        self.answered(outcome, seat, lines)
        self.secret(outcome)
        if "resign" in lines and outcome.letters[0].offer and rng.random() < 0.8:
            self.secret(hall.mail(seat, answer="yes"))

    def answered(self, outcome: Outcome, seat: int, lines: tuple[str, ...]) -> None:
        """Exactly one answer, first of all, and each line is in it. Whom another has replaced hears of the end."""
        answer, *others = outcome.letters
        assert (answer.seat, answer.kind in {"note", "again"}) == (seat, True)
        assert all((letter.seat != seat or letter.to or answer.to) for letter in others)
        assert all(letter.kind in {"turn", "news", "words"} for letter in others)
        told = " ".join(format_plain(answer.body).split())
        read = get_order_reader(self.hall.at.record.game, self.hall.at.names, seat)
        for line in lines:
            order = read.read_line(line).order
            assert line[:SHOWN] in told or (order and read.write_order(order) in told), (line, told)
        assert ("Good evening!" in told) == (not lines)

    def secret(self, outcome: Outcome) -> None:
        """Nobody else reads of a plan."""
        board = struggle(self.hall.at.record.game).board
        for letter in outcome.letters:
            text = " ".join(format_plain(letter.body).split())
            for region in {
                name
                for other in range(self.players)
                if other != letter.seat
                for name in map(board.name_region, (other, other + 4))
            }:
                assert f"{region} goes to" not in text
                assert f"struggle in {region} is still to come" not in text

    def notes_are_own(self, letters: list[Letter]) -> None:
        """A letter that tells of plans goes to somebody who gave some."""
        for letter in letters:
            told = PLAN.search(format_plain(letter.body))
            assert not told or self.hall.at.memory.seats[letter.seat].last_plan


@pytest.mark.slow
@examples(10, phases=UNSHRUNK)
@given(seeds)
def test_whatever_comes_what_always_holds_does(seed: int) -> None:
    wild = Wild(Random(seed))
    for _ in range(40):
        wild.happens()
    wild.notes_are_own(wild.hall.letters)


@pytest.mark.exhaustive
@examples(25, phases=UNSHRUNK)
@given(seeds)
@example(seed=131697)
@example(seed=184645)
@example(seed=500173)
@example(seed=517)
@example(seed=1201)
def test_whatever_comes_in_many_games(seed: int) -> None:
    wild = Wild(Random(seed))
    for _ in range(60):
        wild.happens()
    wild.notes_are_own(wild.hall.letters)
