"""Lines to the club: what each is read as, and what is wrong with it, where, and the way out."""

from __future__ import annotations

from typing import Any

from tests.shared.club_lines import read_club_line
from tests.shared.tables import each_row
from tkid.club.order_handlers import HANDLERS
from tkid.club.order_values import KINDS, ClubOrder, Guest, NewGame
from tkid.kernel.problems import Problem

BOB, CAL = Guest("bob@example.org", "Bob"), Guest("cal@example.org", "Cal")
CLOCK = "3 days a turn, 1 day grace, remind after 36 hours, then pass, adjourn after 3, 30 days away"
READ: list[tuple[str, Any]] = [
    ("help", ClubOrder("help")),
    ("Help!", ClubOrder("help")),
    ("games", ClubOrder("games")),
    ("My games, please", None),
    ("my games please", ClubOrder("games")),
    ("open  games", ClubOrder("open games")),
    ("new game second-edition with bob@example.org", NewGame("second-edition", (BOB,), 2)),
    ("New game with BOB@example.org", NewGame("second-edition", (BOB,), 2)),
    ("a new game of Second Edition with bob@example.org", NewGame("second-edition", (BOB,), 2)),
    ("play with bob@example.org", NewGame("second-edition", (BOB,), 2)),
    (
        "new game digest with Bob <bob@example.org>, cal@example.org",
        NewGame("digest", (BOB, CAL), 3),
    ),
    ("play with bob@example.org and Cal <cal@example.org>.", NewGame("second-edition", (BOB, CAL), 3)),
    ("new game with bob@example.org<mailto:bob@example.org>", NewGame("second-edition", (BOB,), 2)),
    ("new game second-edition for 3, open 30 days", NewGame("second-edition", (), 3, days=30)),
    ("new game for 3, called glen, open for 2 weeks", NewGame("second-edition", (), 3, title="glen", days=14)),
    ("new game with bob@example.org, for 3", NewGame("second-edition", (BOB,), 3)),
    ("new game with bot", NewGame("second-edition", (), 2, bots=("search",))),
    ("new game with a bot greedy and bob@example.org", NewGame("second-edition", (BOB,), 3, bots=("greedy",))),
    ("new game with bot engine", NewGame("second-edition", (), 2, bots=("engine",))),
    ("new game for 3 players", NewGame("second-edition", (), 3)),
    ("new game from winter turn 12", NewGame("second-edition", origin="winter", turn=12)),
    (
        "new game from the game winter, after turn 0 with bot",
        NewGame("second-edition", bots=("search",), origin="winter", turn=0),
    ),
    ("new game from winter with bob@example.org", NewGame("second-edition", (BOB,), origin="winter")),
    (
        "new game from winter at turn 3 for 2, called glen",
        NewGame("second-edition", (), 2, title="glen", origin="winter", turn=3),
    ),
    (
        "new game for 2, clock 3 days a turn, 1 day grace, called Glen-2, as Robin, words: a loch, as we say",
        NewGame("second-edition", (), 2, CLOCK, (), "glen-2", "Robin", "a loch, as we say"),
    ),
    ("new game for 2 called glen, clock none", NewGame("second-edition", (), 2, "none", (), "glen")),
    (
        "new game for 2, ruling second.ruling.undo=allowed, ruling x.y z",
        NewGame("second-edition", (), 2, "", ("second.ruling.undo allowed", "x.y z")),
    ),
    ("join spring", ClubOrder("join", "spring")),
    ("Join the game Spring as Robin Hood", ClubOrder("join", "spring", "Robin Hood")),
    ("join spring, words: seven swans", ClubOrder("join", "spring", "", "seven swans")),
    ("accept", ClubOrder("accept")),
    ("accept, words: seven swans", ClubOrder("accept", "", "", "seven swans")),
    ("accept spring as Robin", ClubOrder("accept", "spring", "Robin")),
    ("decline spring", ClubOrder("decline", "spring")),
    ("rematch", ClubOrder("rematch")),
    ("rematch spring-2", ClubOrder("rematch", "spring-2")),
    ("words: seven swans on a cold loch", ClubOrder("words", words="seven swans on a cold loch")),
    ("block", ClubOrder("block")),
    ("unblock", ClubOrder("unblock")),
    # -- what people write besides
    ("", None),
    ("Help me please with the rules", None),
    ("Games are fun, are they not?", None),
    ("Join us for dinner on Friday if you like", None),
    ("I accept that I have lost this game", None),
    ("accept my apologies for being so late", None),
    ("Words fail me.", None),
    ("Block the road to Devon is what I meant", None),
    ("A new game would be great one day, I think", None),
    ("Dear host, thanks for everything", None),
    ("x" * 5000, None),
]
WRONG = [
    ("new game", 9, "`new game second-edition for 3`"),
    ("new game secnd-edition with bob@example.org", 10, "`second-edition`"),
    ("new game with bob@", 15, "bob@example.org"),
    ("new game for 3, open 91 days", 22, "`open 30 days`"),
    ("new game for 3, open soon", 22, "`open 30 days`"),
    ("new game with bob@example.org, nobody", 32, "commas"),
    ("new game with bob@example.org, bob@example.org", 32, "once"),
    ("new game with bob@example.org and cal@example.org, for 2", 56, "`for 3`"),
    ("new game second-edition with bob", 30, "`bob@example.org`"),
    ("new game second-edition with bto", 30, "`bot greedy`"),
    ("new game second-edition with bot serch", 30, "`bot search`"),
    ("new game second-edition with bot search 5000", 30, "`bot search`"),
    ("new game second-edition with bot cmd:./evil", 30, "`bot search`"),
    ("new game second-edition with two bots", 30, "`with bot and bot`"),
    ("new game for many", 14, "`for 3`"),
    ("new game for 2, called Spring Fest", 24, "called spring-fest"),
    ("new game for 2, called -", 24, "begins with a letter"),
    ("new game for 2, clock soon", 23, "a turn"),
    ("new game for 2, called", 23, "new game"),
    ("join", 5, "open games"),
    ("join spring summer", 13, "join spring"),
    ("words:", 7, "words: "),
    ("jion spring", 1, "`join spring`"),
    ("acept", 1, "`accept`"),
    ("rematc", 1, "`rematch`"),
    ("new gmae with bob@example.org, called winter", 5, "`new game with bob@example.org, called winter`"),
    ("nwe game for 2", 1, "`new game for 2`"),
    ("digest dialy", 8, "`digest daily`"),
    ("observe winter late", 16, "observe winter"),
    ("anonymous off xyz", 15, "anonymous on"),
    ("take seat Bob", 14, "take seat Bob of winter"),
    ("words seven swans", 7, "`words: seven swans`"),
]


def test_a_greeting_is_no_slip_of_an_order() -> None:
    for text in ("Moin zusammen,", "Moin", "Hoi allemaal"):
        assert read_club_line(text) is None
    assert read_club_line("jion winter") is not None


@each_row("line, order", READ)
def test_lines_are_read(line: str, order: Any) -> None:
    assert read_club_line(line) == order


@each_row("line, column, way_out", WRONG)
def test_a_line_with_an_error_shows_the_place_and_the_way_out(line: str, column: int, way_out: str) -> None:
    problem = read_club_line(line)
    assert isinstance(problem, Problem)
    assert (problem.line, problem.col) == (1, column), problem
    assert way_out in problem.hint, problem.hint
    assert problem.rule.startswith(("club.", "post.clock"))


def test_every_kind_has_a_handler_and_its_forms_can_be_read() -> None:
    for kind in KINDS:
        assert kind.name in HANDLERS
        for form in kind.form.split("`")[1::2]:
            order = read_club_line(form)
            assert isinstance(order, kind.order), (kind.name, form, order)


def test_only_questions_are_harmless() -> None:
    """What is harmless is done for whoever asks."""
    assert {kind.name for kind in KINDS if kind.is_harmless} == {"help", "open games"}
