"""The files of one game: its page and board; once it is over its replay, its record and its picture for links."""

from __future__ import annotations

from attrs import evolve, frozen

from tkid.club.pages.calendar import deadlines
from tkid.club.pages.facts import GameFacts, facts_of
from tkid.club.pages.frame import Club
from tkid.club.pages.games import cover_file, game_sheet, record_file, replay_file
from tkid.club.pages.parts import board_file, game_page, map_file
from tkid.club.results.result import Player, result_of
from tkid.host.publishing.people import People, Roster
from tkid.host.publishing.state import Due
from tkid.host.store.transaction import StoredGame
from tkid.mail.game.hosted_game import HostedGame
from tkid.record.play.replay import Replay
from tkid.record.play.writer import write_record
from tkid.render.frames import draw, views
from tkid.render.picture import Layout, document
from tkid.render.png import NoPngError, png
from tkid.render.raster.cover import COLOURS, WIDTH, cover
from tkid.render.replay_page import replay_page


@frozen
class MadeGame:
    """A game, made into files (by path), and what other pages need of it."""

    roster: Roster
    facts: GameFacts
    files: dict[str, bytes]
    result: str = ""
    due: Due | None = None


def make_game(club: Club, people: People, stored: StoredGame, delay: int, *, covers: bool) -> MadeGame:
    """Make the files of a game."""
    hosted = HostedGame.stored(stored.record, stored.memory)
    roster = Roster.of(hosted)
    cast, persons = people.cast(stored.id, roster)
    facts, shown = facts_of(
        hosted.replay, cast, people.slug(stored.id, cast), [person.page for person in persons], delay
    )
    files: dict[str, bytes] = {}
    if covers and facts.over:
        facts, files = _with_cover(facts, shown)
    files[board_file(facts)] = _board(shown, "board")
    if not facts.over:
        files[map_file(facts)] = _board(shown, "alone")
    else:
        files[record_file(facts)] = write_record(shown.record, shown).encode()
        files[replay_file(facts)] = replay_page(shown).encode()
    files[game_page(facts)] = game_sheet(club, facts).encode()
    players = tuple(Player(person.page, person.name) for person in persons)
    result = result_of(hosted.replay, facts.slug, players) if facts.over else None
    return MadeGame(roster, facts, files, result.text if result else "", _due(hosted))


def _with_cover(facts: GameFacts, shown: Replay) -> tuple[GameFacts, dict[str, bytes]]:
    """The facts of a game with a picture for links, and the picture; without one where it cannot be drawn here."""
    drawn = evolve(facts, cover=True)
    try:
        return drawn, {cover_file(drawn): png(cover(shown), width=WIDTH, colours=COLOURS)}
    except NoPngError:
        return facts, {}


def _board(shown: Replay, layout: Layout) -> bytes:
    """The board at the end of what is shown, with the rows of the players or without."""
    known, seen_by = views(shown)
    return document(draw(known, len(seen_by) - 1, None, seen_by[-1], layout=layout)).encode()


def _due(hosted: HostedGame) -> Due | None:
    """The deadline that runs in a game."""
    for each in deadlines("", hosted):
        seat = hosted.time.to_act
        if seat is not None and hosted.to_act is not None:
            return Due(hosted.address(seat).lower(), each.turn, each.since, each.until, each.end)
    return None
