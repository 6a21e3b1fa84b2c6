"""What results come to, as the pages show it: ratings over time, cross-tables and tournaments, worked out each time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from fractions import Fraction

from attrs import define, evolve, field

from tkid.club.pages.facts import MOSTLY
from tkid.club.pages.site import Standings
from tkid.club.pages.standings import Cross, Curve, Rank, RatingList
from tkid.club.results.crosstable import Cell, crosstable
from tkid.club.results.ratings import RatingList as Ratings
from tkid.club.results.ratings import rating_lists
from tkid.club.results.result import Result
from tkid.club.results.tournament import Tournament
from tkid.host.publishing.people import People
from tkid.host.publishing.state import Entry, digest
from tkid.host.publishing.tournaments import points, tournament_facts
from tkid.host.store.documents import Document

GAMES = {"struggle": MOSTLY}
TITLES = {"two": "two players", "several": "three players and teams"}
MOST_IN_CROSS = 30
"""So many players a cross-table has, those with the most games: more fit on no page."""
HALF = Fraction(1, 2)


@define
class Accounts:
    """Works out standings: from all results each time that one of them is another, or another day begins."""

    _behind: str = ""
    _results: dict[str, Result] = field(factory=dict)
    _known: Standings = field(factory=Standings)

    def of(
        self, entries: Mapping[str, Entry], tournaments: Sequence[Document], people: People, now: datetime
    ) -> Standings:
        """The standings.

        Args:
            entries: the games that were published, by the host's names of them.
            tournaments: the tournaments.
            people: who is who.
            now: until when results count.
        """
        texts = {game: entry.result for game, entry in entries.items() if entry.result}
        behind = digest(now.date(), *texts, *texts.values())
        if behind != self._behind:
            self._results = {game: Result.read(text) for game, text in texts.items()}
            self._known, self._behind = _worked_out(list(self._results.values()), now), behind
        cups = sorted((Tournament.read(each.data) for each in tournaments), key=lambda each: each.made, reverse=True)
        games = {game: entry.facts for game, entry in entries.items()}
        shown = tuple(tournament_facts(each, people, self._results, games) for each in cups)
        return evolve(self._known, tournaments=shown)


def _worked_out(results: Sequence[Result], now: datetime) -> Standings:
    """Rating lists, ratings over time and cross-tables."""
    ratings = rating_lists(results, now)
    lists = tuple(map(_list, ratings))
    curves: dict[str, tuple[Curve, ...]] = {}
    for shown, of in zip(lists, ratings, strict=True):
        for rank, line in zip(shown.ranks, of.ratings, strict=True):
            curves[rank.player] = (
                *curves.get(rank.player, ()),
                Curve(shown.title, evolve(rank, place=0), line.history),
            )
    return Standings(lists, curves, tuple(_crosses(results)))


def _list(of: Ratings) -> RatingList:
    """A rating list."""
    ranks = tuple(
        Rank(line.player.id, line.player.club_name, line.rating, line.uncertainty, line.games, line.provisional, line.place or 0)
        for line in of.ratings
    )  # fmt: skip
    title = f"{GAMES.get(of.plays, of.plays.capitalize())}, {TITLES[of.kind]}"
    return RatingList(f"{of.plays}-{of.kind}", title, ranks)


def _crosses(results: Sequence[Result]) -> Iterator[Cross]:
    """A cross-table for each game."""
    for plays in sorted({result.plays for result in results}):
        own = [result for result in results if result.plays == plays]
        games: dict[str, int] = {}
        for result in own:
            for player in result.players:
                games[player.id] = games.get(player.id, 0) + 1
        table = crosstable(own)
        most = sorted(table.players, key=lambda player: (-games[player.id], player.id))[:MOST_IN_CROSS]
        players = [player for player in table.players if player in most]
        cells = tuple(tuple(_cell(table.cells.get((one.id, other.id))) for other in players) for one in players)
        sums = tuple(
            points(sum((_worth(table.cells.get((one.id, other.id))) for other in players), Fraction()))
            for one in players
        )
        title = f"Cross-table: {GAMES.get(plays, plays.capitalize())}"
        yield Cross(plays, title, tuple((player.id, player.club_name) for player in players), cells, sums)


def _worth(cell: Cell | None) -> Fraction:
    return Fraction(0) if cell is None else cell.won + HALF * cell.drawn


def _cell(cell: Cell | None) -> str:
    """What one did against another: points of games."""
    return "" if cell is None else f"{points(_worth(cell))}/{cell.won + cell.drawn + cell.lost}"
