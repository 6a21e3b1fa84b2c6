"""What the owner changes in a game: the line in the record, the letters, and what cannot be done."""

from __future__ import annotations

from datetime import timedelta

from attrs import evolve

from tests.host.year.players import TIME, game
from tests.mail.hall import intervene_in_game
from tests.shared.club_lines import read_desk_line
from tests.shared.tables import each_row
from tkid.club.desk_changes import INTERVENTIONS
from tkid.club.desk_orders import KINDS, TABLE, DeskOrder
from tkid.kernel.problems import Problem
from tkid.mail import game_service
from tkid.mail.blocks import format_plain
from tkid.mail.game_clock import read_game_clock
from tkid.mail.game_service import HostedGame, Outcome
from tkid.mail.model import Bots
from tkid.mail.order_machine import Mail, Request, Sender
from tkid.record.format.model import Header
from tkid.record.format.reader import read_record
from tkid.record.play.validation import judge_record

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
NOW = TIME + 6 * HOUR
GAMES = ("winter", "winter two", "all that", "glen")


def begun(turns: int = 0, terms: str = "3 days a turn, 1 day grace") -> HostedGame:
    """A game for two, with some passes."""
    record = game(1)
    record = evolve(record, headers=(*record.headers, Header("X-Clock", terms)))
    at = game_service.begin_game(record, TIME).game
    for number in range(turns):
        at = at.with_turn("Pass", TIME + (number + 1) * HOUR)
    return at


def done(at: HostedGame, line: str) -> Outcome:
    """What a line makes of a game."""
    order = read_desk_line(line, GAMES)
    assert isinstance(order, DeskOrder)
    outcome = intervene_in_game(at, order, NOW)
    assert isinstance(outcome, Outcome), outcome
    return outcome


def first(at: HostedGame) -> str:
    """The next player's name."""
    assert at.to_act is not None
    return at.names[at.to_act]


@each_row(
    ("line", "written", "told"),
    [
        (
            "pause winter: she is ill",
            "# paused: by the host 2026-11-21T16:00Z: she is ill",
            "The host paused the game.",
        ),
        ("extend winter NEXT 2 days: no network", "by the host 2026-11-21T16:00Z: no network", "2 days more"),
        ("extend winter 36 hours", " 36 hours by the host 2026-11-21T16:00Z", "1 day 12 hours more"),
        (
            "deadline winter NEXT 2026-12-20T18:00Z: the end",
            "2026-12-20T18:00Z by the host",
            "20 December 2026, 18:00 UTC",
        ),
        ("deadline winter 20 Dec 2026", "2026-12-20T23:59Z by the host", "20 December 2026, 23:59 UTC"),
        (
            "abort winter: nobody answers",
            "# ended: aborted by the host 2026-11-21T16:00Z: nobody answers",
            "owner of the host aborted the game: nobody answers",
        ),
        ("address winter Ann ann@new.example: moved", "# moved: Ann <ann@new.example> 2026-11-21T16:00Z", "address"),
        ("announce winter: Happy new year!", "# host: 2026-11-21T16:00Z: Happy new year!", "Happy new year!"),
        ("offer winter Ann: who plays on?", "# host: 2026-11-21T16:00Z: The host offers Ann's seat", "Ann's seat"),
        (
            "replace winter Ann by Cal <cal@example.org>: ill",
            "# stand-in: Ann is played by Cal <cal@example.org>",
            "Why: ill",
        ),
    ],
)
def test_each_change_is_a_line_and_a_letter_to_every_player(line: str, written: str, told: str) -> None:
    at = begun()
    outcome = done(at, line.replace("NEXT", first(at)))
    comments = outcome.game.record.end
    assert any(written in text for text in comments), comments
    assert sorted(letter.seat for letter in outcome.letters if not letter.to) == [0, 1]
    assert [letter.to for letter in outcome.letters if letter.to] == ["ann@example.org"] * ("# stand-in" in written)
    assert all(told in " ".join(format_plain(letter.body).split()) for letter in outcome.letters)
    again = read_record(outcome.game.record_text.encode())
    assert judge_record(again)[0] == [], "the record is without problems"
    assert outcome.game.time.problems == ()


def test_a_pause_stops_the_clock_and_resume_ends_it() -> None:
    at = begun()
    before = read_game_clock(at.time, NOW)
    paused = done(at, "pause winter").game
    assert read_game_clock(paused.time, NOW + DAY) is None
    assert isinstance(intervene_in_game(paused, DeskOrder("pause", "winter"), NOW), Problem)
    outcome = intervene_in_game(paused, DeskOrder("resume", "winter", reason="all well"), NOW + 5 * DAY)
    assert isinstance(outcome, Outcome)
    after = read_game_clock(outcome.game.time, NOW + 5 * DAY)
    assert before is not None
    assert after is not None
    assert after.left >= before.left - HOUR
    assert "Why: all well" in format_plain(outcome.letters[0].body)


def test_more_time_moves_the_deadline() -> None:
    at = begun()
    before, after = read_game_clock(at.time, NOW), read_game_clock(done(at, "extend winter 2 days").game.time, NOW)
    assert before is not None
    assert after is not None
    assert after.deadline - before.deadline == 2 * DAY


@each_row(
    ("line", "left"),
    [("take back winter: oh", 2), ("take back winter from turn 1: oh", 0), ("take back winter to 2: oh", 1)],
)
def test_turns_are_taken_back(line: str, left: int) -> None:
    outcome = done(begun(3), line)
    standing = [turn for turn in outcome.game.record.turns if not turn.undone]
    assert len(standing) == left
    assert outcome.game.turns == 3
    assert "undone by the host at 2026-11-21T16:00Z: oh" in outcome.game.record.turns[-1].notes
    assert sorted(letter.seat for letter in outcome.letters) == [0, 1]
    assert all("took back" in format_plain(letter.body) for letter in outcome.letters)
    assert judge_record(read_record(outcome.game.record_text.encode()))[0] == []
    starts = begun().to_act
    assert starts is not None
    assert outcome.game.to_act == (starts + left) % 2


@each_row(
    ("line", "rule"),
    [
        ("extend winter WAITS 2 days", "club.desk.order"),
        ("extend winter NEXT soon", "club.desk.order"),
        ("extend winter Dee 2 days", "post.note.player"),
        ("deadline winter NEXT 2026-11-20T18:00Z", "club.desk.order"),
        ("deadline winter NEXT 31 Feb 2027", "post.date.calendar"),
        ("resume winter", "club.desk.order"),
        ("take back winter from turn 9: x", "club.desk.order"),
        ("take back winter soon: x", "club.desk.order"),
        ("replace winter Ann by Cal", "club.desk.order"),
        ("replace winter Ann by Bob <cal@example.org>", "club.desk.order"),
        ("replace winter Ann by bob <cal@example.org>", "club.desk.order"),
        ("replace winter Ann by B\u043eb <cal@example.org>", "club.desk.order"),
        ("replace winter Ann by bot Bob", "club.desk.order"),
        ("replace winter Ann by bot Merlin (search)", "club.bots"),
        ("replace winter Ann by bot Merlin (wizard)", "club.desk.order"),
        ("replace winter Ann", "club.desk.order"),
        ("replace winter Ann by bot Merlin <bot@example.net>", "club.desk.order"),
        ("address winter Ann", "club.desk.order"),
        ("address winter Ann bob@example.org", "mail.one-address"),
        ("announce winter", "club.desk.order"),
        ("back winter Ann", "club.desk.back"),
    ],
)
def test_what_cannot_be_done(line: str, rule: str) -> None:
    at = begun()
    others = next(name for name in at.names if name != first(at))
    order = read_desk_line(line.replace("NEXT", first(at)).replace("WAITS", others), GAMES)
    assert isinstance(order, DeskOrder)
    problem = intervene_in_game(at, order, NOW)
    assert isinstance(problem, Problem)
    assert problem.rule == rule
    assert problem.hint or "[record.seat." in problem.message, "the message has the way out"


@each_row(
    ("bots", "who", "written"),
    [
        ("random", "Merlin", "by bot Merlin 2"),
        ("random", "Merlin (random)", "by bot Merlin 2"),
        ("greedy", "Merlin", "by bot Merlin (greedy) 2"),
        ("search", "Merlin", "by bot Merlin (search) 2"),
        ("search", "Merlin (Greedy)", "by bot Merlin (greedy) 2"),
        ("search", "Merlin (random)", "by bot Merlin 2"),
        ("engine", "Merlin", "by bot Merlin (engine) 2"),
        ("engine", "Merlin (search)", "by bot Merlin (search) 2"),
        ("engine", "Merlin (cmd:sh)", "club.desk.order"),
        ("search", "Merlin (engine)", "club.bots"),
        ("greedy", "Merlin (search)", "club.bots"),
        ("no", "Merlin", "club.bots"),
        ("no", "Merlin (random)", "club.bots"),
    ],
)
def test_a_club_says_how_strong_its_bots_are(bots: Bots, who: str, written: str) -> None:
    order = read_desk_line(f"replace winter Ann by bot {who}", GAMES)
    assert isinstance(order, DeskOrder)
    found = intervene_in_game(begun(), order, NOW, bots)
    if isinstance(found, Problem):
        assert found.rule == written
        assert found.hint
    else:
        record = found.game.record
        lines = (*record.end, *(text for turn in record.turns for text in turn.comments))
        assert any(written in line for line in lines), lines


def test_a_stand_in_is_called_like_no_other_player_nor_like_another_stand_in() -> None:
    after = done(begun(), "replace winter Ann by Cal <cal@example.org>").game
    for name in ("Cal", "CAL", "Ann"):
        order = DeskOrder("replace", "winter", f"Bob by {name} <dee@example.org>")
        problem = intervene_in_game(after, order, NOW)
        assert isinstance(problem, Problem)
        assert "record.seat.unique" in problem.message


def test_a_game_without_a_host_stays_one_when_a_turn_is_taken_back() -> None:
    at = begun(2)
    for opens in (True, False):
        before = HostedGame(at.replay, at.memory, is_hosted=opens)
        assert done(before, "take back winter: wrong").game.is_hosted is opens


def test_a_game_that_is_over_is_not_changed() -> None:
    over = done(begun(), "abort winter: enough").game
    for kind in INTERVENTIONS:
        problem = intervene_in_game(over, DeskOrder(kind, "winter"), NOW)
        assert isinstance(problem, Problem)
        assert problem.rule == "club.desk.over"


@each_row(
    ("line", "order"),
    [
        ("pause winter: Ann: ill", DeskOrder("pause", "winter", reason="Ann: ill")),
        ("Pause winter two.", DeskOrder("pause", "winter two")),
        ("pause all: snow", DeskOrder("pause", "all", reason="snow")),
        ("announce all that: hello", DeskOrder("announce", "all that", reason="hello")),
        ("extend winter Ann 2 days: x", DeskOrder("extend", "winter", "Ann 2 days", "x")),
        ("deadline glen 2026-12-20T18:00Z: x", DeskOrder("deadline", "glen", "2026-12-20T18:00Z", "x")),
        ("process mail 12: she vouches", DeskOrder("process", reason="she vouches", number=12)),
        ("show 3", DeskOrder("show", number=3)),
        ("games", DeskOrder("games")),
        ("games all", DeskOrder("games", "all")),
        ("confirm clock", DeskOrder("confirm clock")),
        ("take back glen from turn 3: x", DeskOrder("take back", "glen", "from turn 3", "x")),
    ],
)
def test_lines_are_read(line: str, order: DeskOrder) -> None:
    assert read_desk_line(line, GAMES) == order
    assert read_desk_line(order.line, GAMES) == order


@each_row(
    "line",
    ["pause until 2026-12-20", "address ann@new.example", "status", "Pass", "thanks for all", "games are fun", ""],
)
def test_lines_that_are_no_orders_of_the_desk(line: str) -> None:
    assert read_desk_line(line, GAMES) is None


@each_row(
    ("line", "told"),
    [
        ("pause wintr: x", "Did you mean winter"),
        ("abort", "The name of the game is missing"),
        ("extend all 2 days", "There is no game `all`"),
        ("process it", "is not the number of a mail"),
        ("show", "The number of the mail is missing"),
    ],
)
def test_orders_that_cannot_be_read(line: str, told: str) -> None:
    problem = read_desk_line(line, GAMES)
    assert isinstance(problem, Problem)
    assert told in f"{problem.message}. {problem.hint}"


def test_grave_orders_are_confirmed_unless_they_name_game_and_reason() -> None:
    def has_to_be_confirmed(line: str, games: tuple[str, ...] = GAMES) -> bool:
        order = _order(line, games)
        return Request(order, KINDS[order.kind], Mail(Sender(role="owner"), NOW)).has_to_be_confirmed

    assert not has_to_be_confirmed("abort winter: x")
    assert has_to_be_confirmed("abort winter")
    assert has_to_be_confirmed("abort: x", ("winter",))
    assert not has_to_be_confirmed("pause winter")
    assert {kind.name for kind in TABLE if kind.is_grave} == {"abort", "take back"}


def _order(line: str, games: tuple[str, ...]) -> DeskOrder:
    order = read_desk_line(line, games)
    assert isinstance(order, DeskOrder)
    return order
