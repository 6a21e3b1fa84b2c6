"""A game at a host as values: mails go in, letters come out, and what always holds is looked at each time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from attrs import evolve

from tests.games.struggle.shared.family import struggle
from tests.mail.typed import ordered
from tkid.club.desk_changes import INTERVENTIONS
from tkid.club.desk_orders import KINDS, DeskOrder
from tkid.games.struggle.mail import find_example_turn
from tkid.kernel.problems import Problem
from tkid.mail import game_service
from tkid.mail.blocks import Board, Letter, format_plain
from tkid.mail.game_service import HostedGame, Outcome
from tkid.mail.hosted_game import make_next_marker
from tkid.mail.message import write_subject
from tkid.mail.model import Bots, ClubTerms, Marker
from tkid.mail.order_machine import Mail, Request, Sender, carry_out
from tkid.mail.timeline import read_timeline
from tkid.record.clock import CLOCK
from tkid.record.format.model import Header, Record
from tkid.record.format.new_game import new_record
from tkid.record.format.reader import read_record
from tkid.record.play.replay import replay

START = datetime(2026, 11, 21, 10, tzinfo=UTC)
DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)
NAMES = ("Ann", "Bob", "Cal", "Dee")
ANN, BOB, CAL, DEE = range(4)


def dealt(
    players: int = 2,
    terms: str = "3 days a turn",
    *,
    code: str = "second-edition",
    names: Sequence[str] = NAMES,
    entropy: bytes = bytes(32),
    title: str = "winter",
) -> Record:
    """A game that begins with Ann."""
    seats = [f"{name} <player{seat}@example.org>" for seat, name in enumerate(names[:players], 1)]
    record = new_record(code, seats, entropy, title=title, first="1")
    return evolve(record, headers=(*record.headers, *([Header(CLOCK, terms)] if terms else [])))


class Hall:
    """A game at a host; `letters` are all letters there were, `outcome` what came of the last thing."""

    def __init__(self, record: Record | None = None, now: datetime = START) -> None:
        self.now = now
        self.letters: list[Letter] = []
        self.took(game_service.begin_game(record or dealt(), now))

    @classmethod
    def of(cls, players: int = 2, terms: str = "3 days a turn", code: str = "second-edition") -> Hall:
        """A game that begins."""
        return cls(dealt(players, terms, code=code))

    def took(self, outcome: Outcome) -> Outcome:
        """Go on from an outcome, of which all must hold that always does."""
        self.outcome, self.at = outcome, outcome.game
        self.letters += outcome.letters
        holds(outcome, self.now)
        return outcome

    # -- what happens -------------------------------------------------------------------------------------

    def mail(
        self,
        seat: int,
        *lines: str,
        after: timedelta = MINUTE,
        answering: Letter | None = None,
        remark: str = "",
        sure: bool = True,
        **more: Any,
    ) -> Outcome:
        """A mail, in answer to the last letter to its sender; `more` is what else was found in it.

        Who resigns and is `sure` says so before, as the host asks.
        """
        if (
            sure
            and lines == ("resign",)
            and self.mail(seat, *lines, after=after, answering=answering, sure=False).letters[0].offer
        ):
            lines, after, answering, more = (), MINUTE, None, {**more, "answer": "yes"}
        self.now += after
        letter = answering or self.last(seat)
        orders = ordered(
            self.at, seat, *lines, remark=(remark,) if remark else (), marker=Marker(letter.turn, letter.after)
        )
        orders = evolve(orders, **more)
        outcome = self.took(game_service.receive_mail(self.at, seat, orders, self.now, letter.turn, letter.offer))
        first = outcome.letters[0]
        assert (first.seat, first.kind in {"again", "note"}) == (seat, True)
        return outcome

    def turns(self, *turns: str) -> Hall:
        """Turns by whoever is to act, a card standing for a turn with it."""
        for turn in turns:
            seat = self.at.awaited
            assert seat is not None
            text = find_example_turn(self.at.replay, turn) if turn in struggle(self.at.record.game).cards else turn
            outcome = self.mail(seat, text)
            assert not outcome.problems, (turn, outcome.problems)
        return self

    def tick(self, after: timedelta) -> Outcome:
        """Time goes by."""
        self.now += after
        return self.took(game_service.run_clock(self.at, self.now))

    def until_due(self) -> Outcome:
        """Time goes by until there is something to be done."""
        assert self.outcome.due is not None
        return self.tick(self.outcome.due - self.now)

    # -- what is told -------------------------------------------------------------------------------------

    def last(self, seat: int) -> Letter:
        """The last letter to a seat."""
        return next(letter for letter in reversed(self.letters) if letter.seat == seat)

    def told(self, seat: int) -> str:
        """What the last thing told a seat; "" where it got no letter."""
        return next((format_plain(letter.body) for letter in self.outcome.letters if letter.seat == seat), "")

    def says(self, seat: int) -> str:
        """What the last thing told a seat, on one line."""
        return " ".join(self.told(seat).split())

    def shows_board(self, seat: int) -> bool:
        """Whether the last thing showed a seat the board."""
        return any(
            isinstance(block, Board) for each in self.outcome.letters if each.seat == seat for block in each.body
        )

    @property
    def subjects(self) -> dict[int, str]:
        """What the subject of the letter to each seat says, without the game's name."""
        return {
            letter.seat: write_subject(self.at.record, letter).partition("] ")[2] for letter in self.outcome.letters
        }

    @property
    def kinds(self) -> dict[int, str]:
        """The kind of letter that each seat got."""
        return {letter.seat: letter.kind for letter in self.outcome.letters if not letter.to}

    @property
    def rules(self) -> list[str]:
        """The rules that were broken."""
        return [problem.rule for problem in self.outcome.problems]


def holds(outcome: Outcome, now: datetime) -> None:
    """What is true of every outcome."""
    at, seats = outcome.game, [(letter.seat, letter.to) for letter in outcome.letters]
    assert len(set(seats)) == len(seats), "one letter to each player"
    assert outcome.due is None or outcome.due > now
    found = read_record(at.record_text.encode())
    assert found.record is not None
    assert not [*found.problems, *replay(found.record).problems, *read_timeline(replay(found.record)).problems]
    again = HostedGame.read_stored(at.record_text, at.memory_text)
    assert (again.record_text, again.memory_text) == (at.record_text, at.memory_text)
    assert all(mine.told <= at.turns for mine in at.memory.seats)
    if at.to_act is not None:
        assert at.memory.asked == at.turn_id, "whoever is to act was asked"
        assert at.memory.seats[at.to_act].told == at.turns or not outcome.letters
    for letter in outcome.letters:
        assert (letter.turn, letter.after) == (
            make_next_marker(at.view_as_told(letter.seat)).turn,
            make_next_marker(at.view_as_told(letter.seat)).after,
        )
        assert narrow(format_plain(letter.body))


def narrow(text: str) -> bool:
    """Whether every line fits in 78 columns, or is a link or a turn to copy."""
    from tkid.render.lines import count_columns  # noqa: PLC0415

    wide = [line for line in text.split("\n") if count_columns(line) > 78 and not line.startswith("https://")]
    assert all(line.startswith(("--- ", "    ")) and not line.startswith("     ") for line in wide), wide
    return True


def texts(letters: Iterable[Letter]) -> list[str]:
    """Letters as plain text."""
    return [format_plain(letter.body) for letter in letters]


def intervene_in_game(game: HostedGame, order: DeskOrder, now: datetime, bots: Bots = "random") -> Outcome | Problem:
    """What follows if the owner of a host gives an order about a game."""
    mail = Mail(Sender(role="owner"), now, terms=ClubTerms(bots=bots))
    result = carry_out(Request(order, KINDS[order.kind], mail), game, INTERVENTIONS, game)
    return result.problem or result.changes[0][1]
