"""Tournaments as their pages show them: the table, the pairings round by round, and a cross-table."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from fractions import Fraction

from attrs import frozen

from tkid.club.pages.facts import GameFacts, short_rules
from tkid.club.pages.standings import Cross, TournamentFacts
from tkid.club.results.crosstable import points_between
from tkid.club.results.result import Result
from tkid.club.results.tournament import Pairing, Side, Tournament
from tkid.host.publishing.people import People, slug_of
from tkid.notation.numbers import counted
from tkid.notation.vocabulary import listed
from tkid.rulebook.rulesets import ruleset

SYSTEMS = {"round-robin": "Round robin", "swiss": "Swiss system"}
BYE = "has a bye"
UNNAMED = "Tournament"
"""What a tournament is called on its page whose name names somebody who stays anonymous."""
WORD = 6


@frozen
class Shown:
    """A side as it is published: its name, and its page where it is one player."""

    name: str
    page: str


def tournament_facts(
    of: Tournament, people: People, results: Mapping[str, Result], games: Mapping[str, GameFacts]
) -> TournamentFacts:
    """What the page of a tournament shows; results and games are by the host's names of games."""
    have_pages = {seat.player for game in games.values() for seat in game.seats}
    sides = [_side(side, people, have_pages) for side in of.sides]
    guests = (each.name for each in of.people if people.person(each.address, each.name).anonymous)
    title = UNNAMED if people.hidden_in(of.name, also=guests) else of.name
    table = of.table(results) if of.begun else ()
    order = [line.side for line in table]
    plain = slug_of(title)
    lines = tuple(
        (
            sides[line.side].name + (" (left)" if of.sides[line.side].left else ""),
            str(line.place),
            points(line.points),
            str(line.games),
            str(line.wins),
            str(line.draws),
            str(line.losses),
        )
        for line in table
    )
    return TournamentFacts(
        key=plain
        if plain and plain == title == of.name
        else f"{plain or 'tournament'}-{people.word('tournament', of.name, WORD)}",
        title=title,
        about=f"{SYSTEMS[of.system]} · {short_rules(ruleset(of.ruleset).title)} · {counted(len(sides), 'side')}",
        state=_state(of),
        heads=("Player", "Place", "Points", "Games", "Won", "Drawn", "Lost"),
        lines=lines,
        players=tuple(sides[side].page for side in order),
        rounds=tuple(
            (f"Round {number}", tuple(line for pair in pairs for line in _games(pair, sides, games)))
            for number, pairs in reversed(list(enumerate(of.played, 1)))
        ),
        cross=_cross(of, title, sides, order, results),
    )


def _side(side: Side, people: People, have_pages: Container[str]) -> Shown:
    """A side; whoever has no game to show, as everybody when a tournament begins, has no page."""
    persons = [people.person(each.address, each.name) for each in side.people]
    names = [who.name if who.anonymous else own.name for who, own in zip(persons, side.people, strict=True)]
    page = persons[0].page if len(persons) == 1 else ""
    return Shown(listed(names, "and"), page if page in have_pages else "")


def _state(of: Tournament) -> str:
    """How far a tournament is."""
    if of.over is not None:
        return f"Ended after {counted(len(of.played), 'round')}"
    return f"Round {len(of.played)} of {of.planned}" if of.begun else "Waiting for answers"


def _games(pair: Pairing, sides: Sequence[Shown], games: Mapping[str, GameFacts]) -> list[tuple[str, str, str]]:
    """The games of a pair, each with its page, its players and how it stands."""
    if pair.second is None:
        return [("", sides[pair.first].name, BYE)]
    players = f"{sides[pair.first].name} and {sides[pair.second].name}"
    known = [games[game] for game in pair.games if game in games]
    return [(game.slug, players, game.result or game.headline) for game in known] or [("", players, "has not begun")]


def _cross(
    of: Tournament, title: str, sides: Sequence[Shown], order: Sequence[int], results: Mapping[str, Result]
) -> Cross | None:
    """The cross-table, in the order of the table."""
    if not order:
        return None
    scores = of.scores(results)
    cells = points_between(scores.games)
    rows = tuple(tuple("+".join(map(points, cells.get((one, other), ()))) for other in order) for one in order)
    sums = tuple(points(scores.points[side]) for side in order)
    return Cross("", title, tuple((sides[side].page, sides[side].name) for side in order), rows, sums)


def points(number: Fraction) -> str:
    """Points as people write them: `2½`."""
    whole, rest = divmod(number, 1)
    half = "½" if rest == Fraction(1, 2) else f"+{rest}" if rest else ""
    return half if half == "½" and not whole else f"{whole}{half}"
