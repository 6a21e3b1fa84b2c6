"""What programs read: the feed has what Atom requires, a calendar is read back, a rating is drawn within its frame."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from xml.etree import ElementTree as ET

from attrs import evolve, frozen
from icalendar import Calendar

from tests.club.clubs import START, hosted, person
from tests.shared.tables import each_row
from tkid.club.calendar import calendar_of, find_deadline
from tkid.club.game_facts import ABANDONED, GameFacts, SeatFacts
from tkid.club.members import MemberGame, list_games_of_member
from tkid.club.site import (
    HEIGHT,
    MOST_ENTRIES,
    ON_A_PAGE,
    WIDTH,
    Club,
    GameKey,
    PlayerGames,
    Site,
    build_shelves,
    draw_curve,
    judge_game,
    list_feed_entries,
    write_feed,
    write_sitemap,
)
from tkid.club.values import Deadline

URL = Club("The <Monday> & \x07 club", "https://club.example/pages")
ATOM = "http://www.w3.org/2005/Atom"
IN = {"a": ATOM}


def game(
    number: int = 1, *, over: bool = True, winners: tuple[int, ...] = (0,), ending: str = "coronation"
) -> GameFacts:
    seats = (SeatFacts("Ann & Co", "ann"), SeatFacts("<Bob>", "bob"))
    end = START + timedelta(days=number)
    return GameFacts(
        f"game-{number}",
        "",
        "second-edition",
        "Second edition",
        seats,
        (0, 1),
        began=START + timedelta(hours=number),
        ended=end if over else None,
        ending=ending if over else "",
        winners=winners if over else (),
        headline="Ann & Co is crowned",
    )


def test_the_feed_has_what_atom_requires() -> None:
    """Feed and entries have an id, a title and a moment; the feed an author; ids are unique, links whole addresses."""
    for club in (URL, Club()):
        root = ET.fromstring(write_feed(club, list_feed_entries([game(1), game(2, over=False)])))  # noqa: S314 - our own
        assert root.tag == f"{{{ATOM}}}feed"
        told = root.findall("a:entry", IN)
        assert len(told) == 3
        for each in (root, *told):
            for name in ("id", "title", "updated"):
                (element,) = each.findall(f"a:{name}", IN)
                assert element.text
        for element in root.iter(f"{{{ATOM}}}updated"):
            assert datetime.fromisoformat(str(element.text)).tzinfo
        ids = [element.text for element in root.iter(f"{{{ATOM}}}id")]
        assert len(set(ids)) == len(ids)
        assert all(re.match(r"[a-z]+:", str(each)) for each in ids)
        assert root.find("a:author/a:name", IN) is not None
        assert all(each.find("a:summary", IN) is not None for each in told)
        if club.url:
            assert all(element.get("href", "").startswith(club.url) for element in root.iter(f"{{{ATOM}}}link"))


def test_the_feed_is_short_and_newest_first() -> None:
    told = list_feed_entries([game(number) for number in range(200)])
    assert len(told) == MOST_ENTRIES
    assert [time for time, _, _ in told] == sorted((time for time, _, _ in told), reverse=True)


def test_the_list_of_pages() -> None:
    root = ET.fromstring("".join(write_sitemap(URL, ["index.html", "games/winter.html"])))  # noqa: S314 - our own
    assert [each.text for each in root.iter() if each.tag.endswith("loc")] == [
        "https://club.example/pages/",
        "https://club.example/pages/games/winter.html",
    ]


def test_a_calendar_is_read_back() -> None:
    until = datetime(2026, 12, 1, 18, tzinfo=UTC)
    due = Deadline(
        "winter", 9, "Winter, & more", START, until, until + timedelta(days=1), "https://club.example/games/winter.html"
    )
    data = calendar_of([due])
    (event,) = Calendar.from_ical(data).walk("VEVENT")
    assert event.decoded("DTEND") == until
    assert "Winter, & more" in str(event["SUMMARY"])
    assert {"UID", "DTSTAMP", "DTSTART"} <= set(event)
    assert calendar_of([due]) == data
    assert all(len(line.encode()) <= 75 for line in data.split("\r\n"))


def test_a_calendar_without_deadlines_is_one() -> None:
    assert Calendar.from_ical(calendar_of([])).walk("VTIMEZONE")


def deadlines_of(games: Iterable[MemberGame]) -> list[Deadline]:
    return [deadline for each in games if each.mine and (deadline := find_deadline(each.id, each.game))]


def test_a_calendar_has_the_deadlines_of_one_player() -> None:
    """Those of games in which it is that player's turn, the same whenever it is made."""
    played = {
        "one": hosted([person("Ann"), person("Bob")], turns=3),
        "two": hosted([person("Bob"), person("Ann")], turns=4),
    }
    whose = {name: each.names[each.to_act] for name, each in played.items() if each.to_act is not None}
    for name in ("Ann", "Bob"):
        games = list_games_of_member(played.items(), f"{name.lower()}@example.org", START)
        events = Calendar.from_ical(calendar_of(deadlines_of(games))).walk("VEVENT")
        assert len(events) == sum(each == name for each in whose.values())
        later = list_games_of_member(played.items(), f"{name.lower()}@example.org", START + timedelta(days=30))
        assert calendar_of(deadlines_of(later)) == calendar_of(deadlines_of(games))


@each_row(
    "winners, ending, expected",
    [
        ((0,), "coronation", (True, False, False)),
        ((1,), "coronation", (False, False, True)),
        ((0, 1), "draw", (False, True, False)),
        ((), "votes", (False, True, False)),
        ((), ABANDONED, (False, False, False)),
    ],
)
def test_who_won(winners: tuple[int, ...], ending: str, expected: tuple[bool, bool, bool]) -> None:
    assert judge_game(game(winners=winners, ending=ending), 0) == expected


def test_older_pages_of_the_archive_stay() -> None:
    """A game more changes the newest page, and the one before it when a page begins."""
    full = [
        GameKey(f"game-{number}", str(number), "second-edition", "Second edition", "coronation")
        for number in range(201)
    ]
    before, after = (list(build_shelves(full[:most])[0].list_pages()) for most in (2 * ON_A_PAGE, None))
    assert [page.path for page in before] == ["archive/index-1.html", "archive/index.html"]
    assert before[0] == evolve(after[0], newer="archive/index.html")
    assert after[0].newer == after[1].path == "archive/index-2.html"
    assert [page.older for page in after] == ["", "archive/index-1.html", "archive/index-2.html"]
    assert [len(page.games) for page in after] == [ON_A_PAGE, ON_A_PAGE, 1]


@frozen
class Ended:
    """Finished games whose players have no page."""

    keys: list[GameKey]

    def list_running(self) -> list[GameKey]:
        return []

    def list_ended(self) -> list[GameKey]:
        return self.keys

    def list_latest(self, most: int) -> list[GameKey]:
        return self.list_running()[:most]

    def list_players(self) -> list[PlayerGames]:
        return []

    def read_facts(self, games: Sequence[GameKey]) -> Iterator[GameFacts]:
        return (game() for _ in games)


def test_a_page_of_the_archive_is_written_again_when_the_page_behind_it_gets_another_name() -> None:
    keys = [GameKey(f"game-{n}", str(n), "second-edition", "Second edition", "coronation") for n in range(201)]
    shows = [
        {leaf.path: str(list(leaf.shows)) for leaf in Site(Club(), Ended(keys[:most]), {}).list_leaves()}
        for most in (ON_A_PAGE + 1, 2 * ON_A_PAGE, 2 * ON_A_PAGE + 1)
    ]
    assert shows[0]["archive/index-1.html"] == shows[1]["archive/index-1.html"]
    assert shows[1]["archive/index-1.html"] != shows[2]["archive/index-1.html"]
    assert shows[1]["archive/index.html"] != shows[2]["archive/index.html"]


def test_a_rating_is_drawn_within_its_frame() -> None:
    for points in ([(0, 1500), (1, 1500)], [(0, 900), (40, 2100), (90, 1433)]):
        svg = draw_curve([(START + timedelta(days=day), rating) for day, rating in points], "a & b")
        path = re.search(r'class="line" d="M([^"]+)"', svg)
        assert path
        for spot in path[1].split("L"):
            x, y = map(float, spot.split())
            assert 0 <= x <= WIDTH
            assert 0 <= y <= HEIGHT
        assert "a &amp; b" in svg
