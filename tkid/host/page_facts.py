"""People, standings and tournaments as the pages show them, and what was published.

`State` is kept in the host's folder and not among the pages, as it knows addresses and who is anonymous.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from fractions import Fraction
from functools import cached_property, partial
from hashlib import sha256
from pathlib import Path
from secrets import token_hex
from unicodedata import normalize

from attrs import asdict, define, evolve, field, frozen

from tkid.club.game_facts import Cast, GameFacts, short_rules
from tkid.club.members import Member, index_members
from tkid.club.names import find_display_name, number_names
from tkid.club.results import Result, rating_lists
from tkid.club.site import Cross, Curve, RatingList, Standings, TournamentFacts, find_player_page
from tkid.club.tournament import Cell, Pairing, Side, Tournament, build_cross_table, points_between
from tkid.club.tournament_letters import write_points
from tkid.club.values import StoredText, get_mailbox
from tkid.files import open_whole_file
from tkid.kernel.plugins import find_plugin
from tkid.mail.hosted_game import HostedGame
from tkid.mail.marker import draw_word
from tkid.mail.order_machine import Document
from tkid.mail.plugin import MailPlugin
from tkid.notation.names import list_names
from tkid.notation.text import count_noun
from tkid.record.clock_notes import list_stand_ins
from tkid.rulebook import cites
from tkid.rulebook.rulesets import ruleset

SHORT, LONG = 6, 12
"""Number of characters in a word that distinguishes files, and in one that replaces a name."""
PLAIN = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
MAX_SLUG_LENGTH = 48
"""Maximum length of a file's name."""
SOMEBODY = "Somebody"


@frozen
class Person:
    """A person: the name on pages, the page, and whether the person stays anonymous."""

    name: str
    page: str
    anonymous: bool = False


@frozen
class Roster:
    """The players of a game as in its record: address and name of each seat and of all stand-ins; and the game's title."""

    seats: tuple[tuple[str, str], ...]
    stand_ins: tuple[tuple[str, str], ...] = ()
    title: str = ""

    @classmethod
    def make_roster(cls, game: HostedGame) -> Roster:
        people = tuple((line.address, line.name) for line in list_stand_ins(game.record) if not line.bot)
        return cls(
            tuple((seat.address, seat.name) for seat in game.record.seats),
            tuple(dict.fromkeys(people)),
            game.record.title,
        )


@frozen
class People:
    """The people of a club.

    `members` are by mailbox, of former addresses too. `pages` are the files' names of those without a
    pseudonym, by address; they stay the same, and those of new people are added. `of` are the members that they were made
    of, `anonymous` the names of those who stay anonymous.
    """

    secret: bytes
    members: Mapping[str, Member]
    pages: dict[str, str]
    of: Sequence[Member]
    anonymous: frozenset[str]
    taken: set[str]

    @classmethod
    def make_people(cls, secret: bytes, members: Sequence[Member], pages: dict[str, str]) -> People:
        """Return the people, by the documents of the members."""
        by_address = index_members(members)
        anonymous = frozenset(member.name for member in by_address.values() if member.anonymous)
        return cls(secret, by_address, pages, members, anonymous, set(pages.values()))

    def find_home(self, address: str) -> str:
        """Return the mailbox by which a person is known here, even if a game has another address."""
        member = self.members.get(get_mailbox(address))
        return get_mailbox(member.address if member else address)

    def find_person(self, address: str, name: str) -> Person:
        """Return the person with an address; `name` is the person's name in a game."""
        home = self.find_home(address)
        member = self.members.get(home)
        if member is not None and member.anonymous:
            shown = find_display_name(name, member) or f"{SOMEBODY} {self.make_word('pseudonym', home, SHORT)}"
            return Person(shown, f"guest-{self.make_word('guest', home, LONG)}", anonymous=True)
        shown = (member.name if member else "") or name
        if not home:
            return Person(shown, "")
        if home not in self.pages:
            plain = make_slug(shown) or "player"
            page = plain if plain not in self.taken else f"{plain}-{self.make_word('player', home, SHORT)}"
            self.pages[home] = page
            self.taken.add(page)
        return Person(shown, self.pages[home])

    def make_word(self, purpose: str, of: str, length: int) -> str:
        """Return a word that identifies a value and that only this host can compute."""
        return draw_word(self.secret, f"tkid page 1\n{purpose}\n{of}", length)

    @cites("club.pages.anonymous")
    def find_hidden(self, *texts: str, also: Iterable[str] = ()) -> frozenset[str]:
        """Return the names of people who stay anonymous, `also` of others, that are in some texts, wholly or in part."""
        names = (self.anonymous | set(also)) - {""}
        if not names or not any(Cast((), frozenset(names)).has_hidden_name(text) for text in texts):
            return frozenset()
        return frozenset(n for n in names if any(Cast((), frozenset({n})).has_hidden_name(text) for text in texts))

    def make_cast(self, game: str, roster: Roster) -> tuple[Cast, tuple[Person, ...]]:
        """Return the names of a game as they are published, and the people at its seats.

        A game whose name or title names somebody anonymous is a copy too, even if that person does not play it.
        """
        seats = [(self.find_person(address, name), name) for address, name in roster.seats]
        stand_ins = [(self.find_person(address, name), name) for address, name in roster.stand_ins]
        hidden = {name for person, name in (*seats, *stand_ins) if person.anonymous}
        hidden |= self.find_hidden(game, roster.title)
        hidden |= {
            member.name
            for address, _ in (*roster.seats, *roster.stand_ins)
            if (member := self.members.get(get_mailbox(address))) and member.anonymous
        }
        names = number_names([person.name if person.anonymous else name for person, name in seats])
        shown = {name: person.name for person, name in stand_ins if person.anonymous}
        people = (person for person, _ in seats)
        return Cast(names, frozenset(filter(None, hidden)), shown), tuple(people)

    def make_slug(self, game: str, cast: Cast) -> str:
        """Return the name of a game's files: neutral if somebody in it stays anonymous, as a game's name may name players."""
        if cast.is_copy:
            return f"game-{self.make_word('game', game, LONG)}"
        plain = make_slug(game)
        return plain if plain == game else f"{plain or 'game'}-{self.make_word('game', game, SHORT)}"


def make_slug(text: str) -> str:
    """Return a text as the name of a file: small letters, digits and hyphens; "" if nothing is left of it."""
    letters = normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    slug = "-".join(re.findall(r"[a-z0-9]+", letters))[:MAX_SLUG_LENGTH].strip("-")
    return slug if PLAIN.fullmatch(slug) and slug not in {"index", "404"} else ""


SYSTEMS = {"round-robin": "Round robin", "swiss": "Swiss system"}
BYE = "has a bye"
UNNAMED = "Tournament"
"""Name of a tournament on its page if its own name names somebody who stays anonymous."""


def make_tournament_facts(
    of: Tournament, people: People, results: Mapping[str, Result], games: Mapping[str, GameFacts]
) -> TournamentFacts:
    """Return the content of a tournament's page; results and games are by the host's names of games."""
    have_pages = {seat.player for game in games.values() for seat in game.seats}
    sides = [_make_side(side, people, have_pages) for side in of.sides]
    guests = (each.name for each in of.people if people.find_person(each.address, each.name).anonymous)
    title = UNNAMED if people.find_hidden(of.name, also=guests) else of.name
    table = of.build_table(results) if of.begun else ()
    order = [line.side for line in table]
    plain = make_slug(title)
    word = people.make_word("tournament", of.name, SHORT)
    lines = []
    for line in table:
        name = sides[line.side].name + (" (left)" if of.sides[line.side].left else "")
        counts = map(str, (line.games, line.wins, line.draws, line.losses))
        lines.append((name, str(line.place), write_points(line.points), *counts))
    return TournamentFacts(
        key=plain if plain and plain == title == of.name else f"{plain or 'tournament'}-{word}",
        title=title,
        about=f"{SYSTEMS[of.system]} · {short_rules(ruleset(of.ruleset).title)} · {count_noun(len(sides), 'side')}",
        state=_describe_state(of),
        heads=("Player", "Place", "Points", "Games", "Won", "Drawn", "Lost"),
        lines=tuple(lines),
        players=tuple(sides[side].page for side in order),
        rounds=tuple(
            (f"Round {number}", tuple(line for pair in pairs for line in _list_pair_games(pair, sides, games)))
            for number, pairs in reversed(list(enumerate(of.played, 1)))
        ),
        cross=_make_cross_table(of, title, sides, order, results),
    )


def _make_side(side: Side, people: People, have_pages: Container[str]) -> Person:
    """Make a side. Players without a published game have no page, for example when a tournament begins."""
    persons = [people.find_person(each.address, each.name) for each in side.people]
    names = [who.name if who.anonymous else own.name for who, own in zip(persons, side.people, strict=True)]
    page = persons[0].page if len(persons) == 1 else ""
    return Person(list_names(names, "and"), page if page in have_pages else "")


def _describe_state(of: Tournament) -> str:
    if of.over is not None:
        return f"Ended after {count_noun(len(of.played), 'round')}"
    return f"Round {len(of.played)} of {of.planned}" if of.begun else "Waiting for answers"


def _list_pair_games(
    pair: Pairing, sides: Sequence[Person], games: Mapping[str, GameFacts]
) -> list[tuple[str, str, str]]:
    """List the games of a pair, each with its page, its players and its state."""
    if pair.second is None:
        return [("", sides[pair.first].name, BYE)]
    players = f"{sides[pair.first].name} and {sides[pair.second].name}"
    known = [games[game] for game in pair.games if game in games]
    return [(game.slug, players, game.result or game.headline) for game in known] or [("", players, "has not begun")]


def _make_cross_table(
    of: Tournament, title: str, sides: Sequence[Person], order: Sequence[int], results: Mapping[str, Result]
) -> Cross | None:
    if not order:
        return None
    scores = of.collect_scores(results)
    cells = points_between(scores.games)
    rows = tuple(tuple("+".join(map(write_points, cells.get((one, other), ()))) for other in order) for one in order)
    sums = tuple(write_points(scores.points[side]) for side in order)
    return Cross("", title, tuple((sides[side].page, sides[side].name) for side in order), rows, sums)


FORM = 1
"""The form of pages and of this file. With another number everything is made again."""


@frozen
class Due:
    """The deadline that runs in a game: whose it is (by address), and the times of it."""

    address: str
    turn: int
    since: datetime
    until: datetime
    end: datetime


@frozen
class Entry(StoredText):
    """A game that was published.

    `record` is a digest of its record, `key` one of all that its pages show. `facts` are those that other pages need.
    `result` is its result as text, "" while it goes on.
    """

    record: str
    key: str
    roster: Roster
    facts: GameFacts
    files: tuple[str, ...]
    result: str = ""
    due: Due | None = None

    @cached_property
    def line(self) -> str:
        """The entry as it is stored: made once, as most entries never change again."""
        return self.text


@define
class State:
    """The published state: games, files about more than one game with a digest of their content, pages of people.

    `pending` are the games that are left to do, `stale` files to which no page links any more.

    `world` is a digest of everything on which all pages depend, `looked` the day on which every game was last
    checked. While it is `unfinished`, pages about more than one game are still to be made. `name` is its own.
    """

    entries: dict[str, Entry] = field(factory=dict)
    files: dict[str, str] = field(factory=dict)
    people: dict[str, str] = field(factory=dict)
    pending: list[str] = field(factory=list)
    stale: list[str] = field(factory=list)
    world: str = ""
    looked: str = ""
    unfinished: bool = False
    name: str = field(factory=partial(token_hex, 8))

    @classmethod
    def read_file(cls, file: Path) -> State:
        """Read the state; return an empty one if no readable one exists."""
        try:
            first, *lines = file.read_text("utf-8").splitlines()
            data = json.loads(first)
            if data.pop("form") != FORM:
                return cls()
            pairs = (line.split("\t", 1) for line in lines)
            entries = {json.loads(name): Entry.read_text(text) for name, text in pairs}
            return cls(entries, **data)
        except (OSError, ValueError, KeyError, TypeError):
            return cls()

    def write_file(self, file: Path) -> None:
        """Write it, whole or not at all: a line about all, and one for each game. Raises OSError."""
        data = asdict(self, filter=lambda attribute, _: attribute.name != "entries")
        lines = (f"{json.dumps(name)}\t{entry.line}\n" for name, entry in self.entries.items())
        head = json.dumps({"form": FORM} | data, ensure_ascii=False, separators=(",", ":")) + "\n"
        with open_whole_file(file, lasting=False) as out:
            out.writelines(line.encode() for line in (head, *lines))


def make_digest(*parts: object) -> str:
    """Return a digest of some values, the same in every process."""
    return sha256("\n".join(map(str, parts)).encode("utf-8", "replace")).hexdigest()[:32]


MAX_IN_CROSS_TABLE = 30
"""Maximum number of players in a cross-table, those with the most games: more fit on no page."""
HALF = Fraction(1, 2)


@define
class Accounts:
    """Works out standings: from all results each time that one of them is another, or another day begins."""

    _behind: str = ""
    _results: dict[str, Result] = field(factory=dict)
    _known: Standings = field(factory=Standings)

    def make_accounts(
        self, entries: Mapping[str, Entry], tournaments: Sequence[Document], people: People, now: datetime
    ) -> Standings:
        """Return the standings from the results until now; `entries` are by the host's names of the games."""
        texts = {game: entry.result for game, entry in entries.items() if entry.result}
        behind = make_digest(now.date(), *texts, *texts.values())
        if behind != self._behind:
            self._results = {game: Result.read_text(text) for game, text in texts.items()}
            self._known, self._behind = _compute_standings(list(self._results.values()), now), behind
        cups = sorted(
            (Tournament.read_text(each.data) for each in tournaments), key=lambda each: each.made, reverse=True
        )
        games = {game: entry.facts for game, entry in entries.items()}
        shown = tuple(make_tournament_facts(each, people, self._results, games) for each in cups)
        return evolve(self._known, tournaments=shown)


def _compute_standings(results: Sequence[Result], now: datetime) -> Standings:
    ratings = rating_lists(results, now)
    lists, curves = list[RatingList](), dict[str, tuple[Curve, ...]]()
    for of in ratings:
        lines = list[tuple[object, ...]]()
        for line in of.ratings:
            player, span = line.player, f"±{line.uncertainty}"
            shown = find_player_page(player.id), player.club_name
            lines.append((shown, line.place or "–", f"{line.rating}{'?' * line.provisional}", span, line.games))
            sentence = f"{line.rating} ± {line.uncertainty}, {count_noun(line.games, 'rated game')}"
            curve = Curve(of.title, line.rating, sentence, line.provisional, line.history)
            curves[player.id] = (*curves.get(player.id, ()), curve)
        lists.append(RatingList(f"{of.plays}-{of.kind}", of.title, tuple(lines)))
    return Standings(tuple(lists), curves, tuple(_make_cross_tables(results)))


def _make_cross_tables(results: Sequence[Result]) -> Iterator[Cross]:
    for plays in sorted({result.plays for result in results}):
        own = [result for result in results if result.plays == plays]
        games = Counter(player.id for result in own for player in result.players)
        table = build_cross_table(own)
        most = sorted(table.players, key=lambda player: (-games[player.id], player.id))[:MAX_IN_CROSS_TABLE]
        players = [player for player in table.players if player in most]
        met = [[table.cells.get((one.id, other.id)) for other in players] for one in players]
        cells = tuple(tuple(map(_make_cell, row)) for row in met)
        sums = tuple(write_points(sum(map(_count_points, row), Fraction())) for row in met)
        title = f"Cross-table: {find_plugin(plays, 'mail', MailPlugin).title}"
        yield Cross(plays, title, tuple((player.id, player.club_name) for player in players), cells, sums)


def _count_points(cell: Cell | None) -> Fraction:
    return Fraction(0) if cell is None else cell.won + HALF * cell.drawn


def _make_cell(cell: Cell | None) -> str:
    return "" if cell is None else f"{write_points(_count_points(cell))}/{cell.won + cell.drawn + cell.lost}"
