"""People, standings and tournaments as the pages show them, and what was published.

`State` is kept in the host's folder and not among the pages, as it knows addresses and who is anonymous.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from fractions import Fraction
from functools import partial
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from secrets import token_hex
from sqlite3 import Connection, connect
from sys import intern
from unicodedata import normalize

from attrs import asdict, define, evolve, field, frozen
from attrs.filters import exclude

from tkid.club.game_facts import Cast, GameFacts, short_rules
from tkid.club.members import Member, index_members
from tkid.club.names import find_display_name, number_names
from tkid.club.results import Result
from tkid.club.site import Cross, GameKey, PlayerGames, Score, TournamentFacts, find_player_page, judge_game
from tkid.club.tournament import Cell, Pairing, Side, Tournament, build_cross_table, points_between
from tkid.club.tournament_letters import write_points
from tkid.club.values import Deadline, get_mailbox
from tkid.host.log import make_file
from tkid.kernel.plugins import find_plugin
from tkid.mail.hosted_game import HostedGame
from tkid.mail.marker import draw_word
from tkid.mail.model import StoredText
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


@define
class PageNames:
    """The names of people's pages by address: those in the file of a state, and those that were `added`."""

    db: Connection | None = None
    added: dict[str, str] = field(factory=dict)

    def find_page(self, home: str) -> str:
        """Return the name of somebody's page, "" for none."""
        return self.added.get(home, "") or self._find("SELECT page FROM people WHERE home = ?", home)

    def is_taken(self, page: str) -> bool:
        return page in self.added.values() or bool(self._find("SELECT home FROM people WHERE page = ?", page))

    def _find(self, query: str, value: str) -> str:
        row = self.db.execute(query, (value,)).fetchone() if self.db is not None else None
        return str(row[0]) if row else ""


@frozen
class People:
    """The people of a club.

    `members` are by mailbox, of former addresses too. `pages` are the files' names of those without a
    pseudonym; they stay the same, and those of new people are added. `anonymous` are the names of those who stay anonymous.
    """

    secret: bytes
    members: Mapping[str, Member]
    anonymous: frozenset[str]
    pages: PageNames = field(factory=PageNames)

    @classmethod
    def make_people(cls, secret: bytes, members: Sequence[Member]) -> People:
        by_address = index_members(members)
        anonymous = frozenset(member.name for member in by_address.values() if member.anonymous)
        return cls(secret, by_address, anonymous)

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
        page = self.pages.find_page(home)
        if not page:
            plain = make_slug(shown) or "player"
            page = f"{plain}-{self.make_word('player', home, SHORT)}" if self.pages.is_taken(plain) else plain
            self.pages.added[home] = page
        return Person(shown, page)

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

    def make_cast(self, game: str, roster: Roster) -> tuple[Cast, str, tuple[Person, ...]]:
        """Return the names of a game as they are published, the name of its files, and the people at its seats.

        A game whose name or title names somebody anonymous is a copy too, even if that person does not play it. The files of a
        copy have a neutral name, as a game's name may name players.
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
        cast, slug = Cast(names, frozenset(filter(None, hidden)), shown), make_slug(game)
        if cast.is_copy:
            slug = f"game-{self.make_word('game', game, LONG)}"
        elif slug != game:
            slug = f"{slug or 'game'}-{self.make_word('game', game, SHORT)}"
        return cast, slug, tuple(person for person, _ in seats)


def make_slug(text: str) -> str:
    """Return a text as the name of a file: small letters, digits and hyphens; "" if nothing is left of it."""
    letters = normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    slug = "-".join(re.findall(r"[a-z0-9]+", letters))[:MAX_SLUG_LENGTH].strip("-")
    return slug if PLAIN.fullmatch(slug) and slug not in {"index", "404"} else ""


SYSTEMS = {"round-robin": "Round robin", "swiss": "Swiss system"}
BYE = "has a bye"
UNNAMED = "Tournament"
"""Name of a tournament on its page if its own name names somebody who stays anonymous."""


def make_tournament_facts(of: Tournament, state: State, people: People, have_pages: Container[str]) -> TournamentFacts:
    entries = {game: entry for game in of.games if (entry := state.get_entry(game))}
    results = {game: Result.read_text(entry.result) for game, entry in entries.items() if entry.result}
    games = {game: entry.facts for game, entry in entries.items()}
    sides = [_make_side(side, people, have_pages) for side in of.sides]
    guests = (each.name for each in of.people if people.find_person(each.address, each.name).anonymous)
    title = UNNAMED if people.find_hidden(of.name, also=guests) else of.name
    table = of.build_table(results) if of.begun else ()
    order = [line.side for line in table]
    slug = make_slug(title)
    if not slug or not slug == title == of.name:
        slug = f"{slug or 'tournament'}-{people.make_word('tournament', of.name, SHORT)}"
    lines = []
    for line in table:
        side = sides[line.side]
        name = side.name + (" (left)" if of.sides[line.side].left else "")
        counts = (line.place, write_points(line.points), line.games, line.wins, line.draws, line.losses)
        lines.append(((find_player_page(side.page), name), *counts))
    return TournamentFacts(
        path=f"tournaments/{slug}.html",
        title=title,
        about=f"{SYSTEMS[of.system]} · {short_rules(ruleset(of.ruleset).title)} · {count_noun(len(sides), 'side')}",
        state=_describe_state(of),
        lines=tuple(lines),
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


FORM = 3
"""The form of pages and of this file. With another number everything is made again."""
TABLES = """
CREATE TABLE head (data TEXT NOT NULL);
CREATE TABLE entries (game TEXT PRIMARY KEY, slug TEXT NOT NULL, key TEXT NOT NULL, ruleset TEXT NOT NULL, rules TEXT NOT NULL,
ending TEXT NOT NULL, time TEXT NOT NULL, began TEXT NOT NULL, ended TEXT NOT NULL, due TEXT NOT NULL, result TEXT NOT NULL,
text TEXT NOT NULL);
CREATE INDEX entries_by_slug ON entries (slug);
CREATE TABLE seats (game TEXT, seat INTEGER, player TEXT NOT NULL, address TEXT NOT NULL, name TEXT NOT NULL, counts INTEGER,
won INTEGER, drawn INTEGER, lost INTEGER, PRIMARY KEY (game, seat)) WITHOUT ROWID;
CREATE INDEX seats_by_player ON seats (player);
CREATE TABLE files (path TEXT PRIMARY KEY, game TEXT NOT NULL, key TEXT NOT NULL) WITHOUT ROWID;
CREATE INDEX files_by_game ON files (game);
CREATE TABLE people (home TEXT PRIMARY KEY, page TEXT NOT NULL UNIQUE) WITHOUT ROWID;
CREATE TABLE pending (place INTEGER PRIMARY KEY, game TEXT NOT NULL UNIQUE, look INTEGER NOT NULL);
CREATE TABLE stale (path TEXT PRIMARY KEY) WITHOUT ROWID;
"""
"""The tables of a state. An entry is stored as text; what sorts or selects entries is beside it."""
DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})


@frozen
class Entry(StoredText):
    """A game that was published.

    `record` is a digest of its record, `key` one of all that its pages show. `facts` are those that other pages need.
    `result` is its result as text, "" while it goes on. `due` is the deadline that runs, and `awaited` the address of its player.
    """

    record: str
    key: str
    roster: Roster
    facts: GameFacts
    result: str = ""
    due: Deadline | None = None
    awaited: str = ""


@define
class State:
    """The published state: games, people, files. It is a file of SQLite, so that a turn reads and writes a few rows.

    `world` is a digest of everything on which all pages depend, `looked` the day on which the folder was last
    checked. While it is `unfinished`, pages about more than one game are still to be made. `name` is its own.
    """

    db: Connection
    world: str = ""
    looked: str = ""
    unfinished: bool = False
    name: str = field(factory=partial(token_hex, 8))
    people: PageNames = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.people = PageNames(self.db)

    @classmethod
    @contextmanager
    def open_file(cls, file: Path) -> Iterator[State]:
        """Open the state; it is empty if there is no readable one. What is not saved is undone. Raises OSError."""
        make_file(file)
        try:
            with closing(_connect(file)) as db:
                head = db.execute("SELECT data FROM head").fetchone()
                yield cls(db, **json.loads(head[0]) if head else {})
        except sqlite3.Error as error:
            if getattr(error, "sqlite_errorcode", 0) & 0xFF in DAMAGED:
                file.unlink()
            raise OSError(f"{file}: {error}") from error

    def save(self) -> None:
        """Keep what was changed, even if the process dies now."""
        data = asdict(self, filter=exclude("db", "people"))
        self.db.execute("DELETE FROM head")
        self.db.execute("INSERT INTO head VALUES (?)", (json.dumps(data),))
        self.db.executemany("INSERT INTO people VALUES (?, ?)", self.people.added.items())
        self.db.commit()
        self.people.added.clear()

    def clear(self) -> None:
        """Forget everything, to begin again under another name."""
        for table in ("entries", "seats", "files", "people", "pending", "stale"):
            self.db.execute(f"DELETE FROM {table}")  # noqa: S608 - our own word
        self.name, self.world, self.looked, self.unfinished = token_hex(8), "", "", False

    def get_entry(self, game: str) -> Entry | None:
        row = self.db.execute("SELECT text FROM entries WHERE game = ?", (game,)).fetchone()
        return Entry.read_text(row[0]) if row else None

    def store_entry(self, game: str, entry: Entry, files: Iterable[str]) -> None:
        """Store a game with its files; those that it had before are stale."""
        self.forget_game(game)
        facts = entry.facts
        began, ended, since = (each.isoformat() if each else "" for each in (facts.began, facts.ended, facts.since))
        time, due = ended if facts.over else since or began, entry.awaited
        row = (facts.slug, entry.key, facts.ruleset, facts.rules, facts.ending, time, began, ended, due, entry.result)
        self._insert("entries", [(game, *row, entry.text)])
        met: set[str] = set()
        for seat, (each, (address, name)) in enumerate(zip(facts.seats, entry.roster.seats, strict=True)):
            judged = judge_game(facts, seat) if facts.over else (False, False, False)
            self._insert("seats", [(game, seat, each.player, address, name, each.player not in met, *judged)])
            met.add(each.player)
        self._insert("files", ((path, game, "") for path in files))

    def forget_game(self, game: str) -> None:
        self.db.execute("INSERT OR IGNORE INTO stale SELECT path FROM files WHERE game = ?", (game,))
        for table in ("files", "seats", "entries"):
            self.db.execute(f"DELETE FROM {table} WHERE game = ?", (game,))  # noqa: S608 - our own word

    def forget_games_but(self, games: Iterable[str]) -> None:
        self._list_paths(games)
        gone = self.db.execute("SELECT game FROM entries WHERE game NOT IN (SELECT path FROM listed)").fetchall()
        for (game,) in gone:
            self.forget_game(game)

    def list_game_files(self, game: str) -> list[str]:
        return [path for (path,) in self.db.execute("SELECT path FROM files WHERE game = ?", (game,))]

    def add_pending(self, games: Iterable[str]) -> None:
        """Note games that are to be looked at when there is time."""
        self.db.executemany("INSERT OR REPLACE INTO pending (game, look) VALUES (?, 1)", ((game,) for game in games))

    def add_renamed(self) -> None:
        """Note that people in any published game may have other names."""
        self.db.execute("INSERT OR IGNORE INTO pending (game, look) SELECT game, 0 FROM entries ORDER BY game")

    def iter_pending(self) -> Iterator[tuple[str, bool]]:
        """Yield the games that are to be looked at, each with whether its record may have changed, until none is left."""
        while found := self.db.execute("SELECT game, look FROM pending ORDER BY place LIMIT ?", (SOME,)).fetchall():
            yield from ((game, bool(look)) for game, look in found)

    def drop_pending(self, game: str) -> None:
        self.db.execute("DELETE FROM pending WHERE game = ?", (game,))

    def is_pending(self, game: str) -> bool:
        return self.db.execute("SELECT 1 FROM pending WHERE game = ?", (game,)).fetchone() is not None

    def count(self, table: str) -> int:
        (number,) = self.db.execute(f"SELECT count(*) FROM {table}").fetchone()  # noqa: S608 - our own word
        return int(number)

    def find_file_key(self, path: str) -> str:
        """Return the digest of what a file about more than one game shows, "" for another file."""
        row = self.db.execute("SELECT key FROM files WHERE path = ?", (path,)).fetchone()
        return row[0] if row else ""

    def store_file_key(self, path: str, key: str) -> None:
        self._insert("files", [(path, "", key)])

    def drop_files_but(self, listed: Iterable[str]) -> None:
        """Note as stale the files about more than one game that are not listed any more."""
        self._list_paths(listed)
        self.db.execute(
            "INSERT OR IGNORE INTO stale SELECT path FROM files WHERE game = '' AND path NOT IN (SELECT path FROM listed)"
        )
        self.db.execute("DELETE FROM files WHERE game = '' AND path NOT IN (SELECT path FROM listed)")

    def list_orphans(self, there: Iterable[str] | None = None) -> list[str]:
        """Return the files that belong to nothing: of those that are `there`, or that are stale."""
        self._list_paths(there or ())
        table = "stale" if there is None else "listed"
        found = self.db.execute(f"SELECT path FROM {table} WHERE path NOT IN (SELECT path FROM files)")  # noqa: S608
        orphans = [path for (path,) in found]
        self.db.execute("DELETE FROM stale")
        return orphans

    def forget_lost(self) -> None:
        """Forget the files that were not there as orphans were listed, so that they are made again."""
        lost = self.db.execute("SELECT DISTINCT game FROM files WHERE path NOT IN (SELECT path FROM listed)").fetchall()
        self.db.execute("DELETE FROM files WHERE game = '' AND path NOT IN (SELECT path FROM listed)")
        self.unfinished |= bool(lost)
        for (game,) in lost:
            if entry := self.get_entry(game):
                self.store_entry(game, evolve(entry, key=""), self.list_game_files(game))
                self.add_pending([game])

    def _list_paths(self, paths: Iterable[str]) -> None:
        self.db.execute("CREATE TEMP TABLE IF NOT EXISTS listed (path TEXT PRIMARY KEY) WITHOUT ROWID")
        self.db.execute("DELETE FROM listed")
        self.db.executemany("INSERT OR IGNORE INTO listed VALUES (?)", ((path,) for path in paths))

    def _insert(self, table: str, rows: Iterable[tuple[object, ...]]) -> None:
        for row in rows:
            self.db.execute(f"INSERT OR REPLACE INTO {table} VALUES ({', '.join('?' * len(row))})", row)  # noqa: S608

    def list_seats(self) -> Iterator[tuple[str, str]]:
        """Yield address and name of each seat in the record, by the beginning of the game."""
        query = "SELECT address, name FROM seats JOIN entries USING (game) ORDER BY began, game, seat"
        return iter(self.db.execute(query))

    def list_results(self) -> Iterator[tuple[str, str]]:
        """Yield the games that have ended, each with its result as text."""
        return iter(self.db.execute("SELECT game, result FROM entries WHERE result <> '' ORDER BY game"))

    def list_due(self) -> Iterator[tuple[str, str]]:
        """Yield the games in which a deadline runs, each with the address of the player whose deadline it is."""
        return iter(self.db.execute("SELECT game, due FROM entries WHERE due <> '' ORDER BY game"))

    def list_running(self) -> list[GameKey]:
        return self._list_keys("ending = '' ORDER BY time DESC, slug DESC")

    def list_ended(self) -> list[GameKey]:
        return self._list_keys("ending <> '' ORDER BY time, slug")

    def list_latest(self, most: int) -> list[GameKey]:
        latest: dict[str, GameKey] = {}
        for time in ("began", "ended"):
            of = f"game IN (SELECT game FROM entries WHERE {time} <> '' ORDER BY {time} DESC, slug DESC LIMIT {most})"  # noqa: S608
            latest |= {each.slug: each for each in self._list_keys(of)}
        return list(latest.values())

    def _list_keys(self, which: str) -> list[GameKey]:
        query = f"SELECT slug, key, ruleset, rules, ending FROM entries WHERE {which}"  # noqa: S608 - our own words
        return [GameKey(slug, key, *map(intern, row)) for slug, key, *row in self.db.execute(query)]

    def list_players(self) -> Iterator[PlayerGames]:
        rows = self.db.execute(
            "SELECT one.player, slug, key, ruleset, rules, ending, group_concat(other.player, ' '), one.won, one.drawn, one.lost "
            "FROM seats AS one JOIN entries USING (game) JOIN seats AS other USING (game) WHERE one.counts AND one.player <> '' "
            "GROUP BY one.player, one.game ORDER BY one.player, time, slug"
        )
        for player, group in groupby(rows, lambda row: str(row[0])):
            games, others, score = list[GameKey](), set[str](), Score()
            for _, *key, met, won, drawn, lost in group:
                games.append(GameKey(*key))
                if games[-1].ending:
                    others.update(met.split())
                    score = Score(score.games + 1, score.won + won, score.drawn + drawn, score.lost + lost)
            running = [game for game in games if not game.ending][::-1]
            yield PlayerGames(player, running, [game for game in games if game.ending], sorted(others), score)

    def read_facts(self, games: Sequence[GameKey]) -> Iterator[GameFacts]:
        for each in games:
            (text,) = self.db.execute("SELECT text FROM entries WHERE slug = ?", (each.slug,)).fetchone()
            yield Entry.read_text(text).facts


SOME = 50
"""Number of games that are taken from the list of those to be looked at together."""
WAIT = 30.0
"""Seconds that a publisher waits for another process that writes to the file."""


def _connect(file: Path) -> Connection:
    """Open a file of SQLite; one that has another form, or none, gets empty tables."""
    db = connect(file, timeout=WAIT)
    try:
        (form,) = db.execute("PRAGMA user_version").fetchone()
    except sqlite3.DatabaseError:
        form = -1
    if form == FORM:
        return db
    db.close()
    file.unlink()
    make_file(file)
    db = connect(file, timeout=WAIT)
    db.executescript(f"BEGIN; {TABLES} PRAGMA user_version = {FORM}; COMMIT;")
    return db


def make_digest(parts: Iterable[object]) -> str:
    """Return a digest of some values, the same in every process."""
    digest = sha256()
    for number, part in enumerate(parts):
        digest.update(f"\n{part}"[number == 0 :].encode("utf-8", "replace"))
    return digest.hexdigest()[:32]


MAX_IN_CROSS_TABLE = 30
"""Maximum number of players in a cross-table, those with the most games: more fit on no page."""


def make_cross_tables(results: Sequence[Result]) -> Iterator[Cross]:
    for plays in sorted({result.plays for result in results}):
        own = [result for result in results if result.plays == plays]
        games = Counter(player.id for result in own if result.places for player in result.players)
        most = set(sorted(games, key=lambda player: (-games[player], player))[:MAX_IN_CROSS_TABLE])
        meetings = (each for each in own if not most.isdisjoint(player.id for player in each.players))
        players, between = build_cross_table(meetings)
        players = [player for player in players if player.id in most]
        met = [[between.get((one.id, other.id), Cell()) for other in players] for one in players]
        cells = tuple(
            tuple(f"{write_points(each.points)}/{each.games}" if each.games else "" for each in row) for row in met
        )
        sums = tuple(write_points(sum((each.points for each in row), Fraction())) for row in met)
        title = f"Cross-table: {find_plugin(plays, 'mail', MailPlugin).title}"
        shown = tuple((player.id, player.club_name) for player in players)
        yield Cross(f"ratings/cross-{plays}.html", title, shown, cells, sums)
