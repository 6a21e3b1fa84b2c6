"""What becomes of every order in every state: `python -m tests.makers.matrix` writes fixtures/orders/matrix.json again.

A cell is `done`, or the rule for which the order is refused; for a club also `asked first`, `no order` or `nothing`. The rows are
example lines, at least one for each row of the three tables; the columns are who writes, where, and how things stand.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

from attrs import evolve

from tests.host.small_club import Club, club, text_of
from tests.host.year.players import address
from tests.mail.hall import ANN, BOB, DAY, HOUR, MINUTE, Hall, intervene_in_game
from tests.mail.typed import lines_of
from tests.shared.club_lines import read_desk_line
from tkid.club.desk_changes import INTERVENTIONS
from tkid.club.desk_orders import TABLE, DeskOrder
from tkid.club.order_reader import match_club_kind
from tkid.club.order_values import KINDS as CLUB_KINDS
from tkid.kernel.problems import Problem
from tkid.mail.game_service import HostedGame
from tkid.mail.hosted_game import make_next_marker
from tkid.mail.model import Marker
from tkid.mail.order_finder import get_order_reader
from tkid.mail.order_handlers import carry_out_order_line
from tkid.mail.order_machine import Mail, Sender
from tkid.orders.order_kinds import KINDS

FILE = Path(__file__).parents[2] / "fixtures" / "orders" / "matrix.json"
Matrix = dict[str, dict[str, str]]
GAME_LINES = (
    "Pass", "draft Pass", "pass until struggle", "if anyone acts: stop", "cancel all", "cancel away", "say to all: hi",
    "away 2026-12-20 to 2026-12-27", "time zone +02:00", "notify my turns", "notify no pictures", "undo?", "undo yes", "undo no", "agree draw",
    "agree abandon", "agree no", "pause until 2026-12-20", "resign", "status", "legal", "rules post.undo", "why", "history",
    "help", "statsu",
)  # fmt: skip
DESK_LINES = (
    "pause winter: x", "resume winter", "extend winter 2 days: x", "deadline winter 2026-12-20T18:00Z: x",
    "take back winter: x", "abort winter: x", "replace winter Ann by Cal <cal@example.org>: x",
    "replace winter Ann by bot Merlin: x", "back winter Ann", "address winter Ann ann@new.example: x",
    "announce winter: hello", "offer winter Ann: x",
)  # fmt: skip
CLUB_LINES = (
    "help", "games", "open games", "tournaments", "new game for 2, called glen, open 90 days", "play with cal@example.org, open 90 days",
    "new game from winter turn 2 with cal@example.org, open 90 days", "join spring",
    "accept", "accept spring", "decline spring", "words: seven swans", "rematch spring", "digest daily", "notify each game",
    "observe spring", "stop observing", "observers off spring", "take seat Bob of spring", "offer seat Bob of spring",
    "address new@example.org", "anonymous on", "calendar on", "stop", "unblock", "block",
    "desk", "status spring", "filed", "show 1", "process 1: x", "confirm clock", "import glen", "extend spring 2 days: x",
)  # fmt: skip


def begin(players: int, *turns: str) -> tuple[Hall, Marker]:
    """A game with some turns, and what Ann's first letter says of it."""
    hall = Hall.of(players)
    early = make_next_marker(hall.at.view_as_told(ANN))
    return hall.turns(*turns), early


def list_states() -> Iterator[tuple[str, HostedGame, Mail]]:
    """How a game may stand, with a mail of Ann's."""
    states = {
        "first turn": begin(2),
        "her turn": begin(2, "Pass", "Pass"),
        "not her turn": begin(2, "Pass", "Pass", "Pass"),
        "resigned": begin(3, "Pass", "Pass", "Pass"),
        "over": begin(2, "Pass", "Pass"),
        "paused": begin(2, "Pass", "Pass"),
        "undo asked": begin(2, "Pass", "Pass", "Pass"),
    }
    states["resigned"][0].mail(ANN, "resign")
    states["undo asked"][0].mail(BOB, "undo?")
    for seat in (BOB, ANN):
        states["over"][0].mail(seat, "agree abandon")
        states["paused"][0].mail(seat, "pause until 2026-12-01")
    for name, (hall, early) in states.items():
        now, marker = hall.now + HOUR, make_next_marker(hall.at.view_as_told(ANN))
        yield name, hall.at, Mail(Sender(ANN), now, marker)
        alone = evolve(hall.at, is_hosted=False)
        yield f"{name}, no host", alone, Mail(Sender(ANN), now, make_next_marker(alone.view_as_told(ANN)))
        yield f"{name}, first letter", hall.at, Mail(Sender(ANN), now, early)
        yield f"{name}, letter of another game", hall.at, Mail(Sender(ANN), now, Marker(1, "abcdef", "spring"))


def make_game_matrix() -> Matrix:
    """What becomes of each order of a player."""
    found: Matrix = {line: {} for line in GAME_LINES}
    for state, game, mail in list_states():
        reader = get_order_reader(game.record.game, game.names, mail.seat)
        for line in lines_of(reader, *GAME_LINES):
            result = carry_out_order_line(game, line, mail)
            found[line.typed][state] = result.problems[0].rule if result.problems else "done"
    return found


def make_desk_matrix() -> Matrix:
    """What becomes of each of the owner's orders about a game."""
    found: Matrix = {line: {} for line in DESK_LINES}
    for state, game, mail in list_states():
        if "," in state:
            continue
        for line in DESK_LINES:
            order = read_desk_line(line, ("winter",))
            assert isinstance(order, DeskOrder)
            result = intervene_in_game(game, order, mail.now + MINUTE)
            found[line][state] = result.rule if isinstance(result, Problem) else "done"
    assert {line.split(" winter")[0] for line in DESK_LINES} == INTERVENTIONS.keys()
    return found


def name_answer(answers: list[EmailMessage]) -> str:
    """What an answer of a club comes to, whatever its words are."""
    text = text_of(answers[0]) if answers else ""
    if "Nothing has been done yet" in text:
        return "asked first"
    if "you can write. ---" in text or text.startswith("Nobody with your address"):
        return "no order"
    rule = re.search(r"/r/([\w.-]+)/", text) if "Not done" in text else None
    return rule[1] if rule else "done" if text else "nothing"


def answer_each(at: Club, name: str, key: bool) -> Iterator[tuple[str, str]]:  # noqa: FBT001 - a column
    """What becomes of each line to a club."""
    letter = at.key(name) if key else None
    for line in CLUB_LINES:
        at.now += DAY  # each day has its limits
        yield line, name_answer(at.replies(letter, name, line) if letter else at.asks(name, line))


def make_club_matrix() -> Matrix:
    """The answers of a club to a player, a stranger and the owner, with and without a key."""
    found: Matrix = {line: {} for line in CLUB_LINES}
    for name in ("Ann", "Zoe", "Dee"):
        for key in (False, True):
            with tempfile.TemporaryDirectory() as folder, club(Path(folder)) as at:
                at.at.owner = address("Dee")
                at.replies(
                    at.key("Ann"),
                    "Ann",
                    "new game second-edition with Bob <bob@example.org>, called spring, clock none",
                )
                (invitation,) = at.mails("Bob")
                at.replies(invitation, "Bob", "accept")
                at.mails("Ann")
                for line, answer in answer_each(at, name, key):
                    found[line][f"{name}{', with a key' if key else ''}"] = answer
    return found


def list_rows() -> set[str]:
    """The rows of the three tables that no line of the matrix is an order of."""
    turns = get_order_reader(Hall.of(2).at.record.game, ("Ann", "Bob"), ANN)
    games = {turns.read_line(line).kind for line in GAME_LINES}
    clubs = {kind.name for line in CLUB_LINES if (kind := match_club_kind(line))}
    read = (read_desk_line(line, ("winter", "spring")) for line in (*DESK_LINES, *CLUB_LINES))
    desks = {order.kind for order in read if isinstance(order, DeskOrder)}
    return (
        ({kind.name for kind in KINDS} - games)
        | ({kind.name for kind in CLUB_KINDS} - clubs)
        | ({kind.name for kind in TABLE} - desks)
    )


def make_matrix() -> dict[str, Matrix]:
    """The three matrices."""
    return {"game": make_game_matrix(), "desk": make_desk_matrix(), "club": make_club_matrix()}


if __name__ == "__main__":
    FILE.write_text(f"{json.dumps(make_matrix(), ensure_ascii=False, indent=1)}\n", "utf-8")
