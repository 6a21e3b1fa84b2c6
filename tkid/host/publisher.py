"""Publish the pages of a club, game by game."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from datetime import datetime
from functools import partial
from hashlib import sha256
from hmac import new as hmac
from itertools import chain
from math import inf
from pathlib import Path

from attrs import define, evolve, field, frozen

from tkid.club import site
from tkid.club.calendar import calendar_of, find_deadline
from tkid.club.game_facts import GameFacts, collect_game_facts
from tkid.club.members import MEMBER_KIND as MEMBER
from tkid.club.members import Member
from tkid.club.results import Player, Result, rating_lists, result_of
from tkid.club.site import Leaf, Site, Standings, find_game_file, make_no_list, write_game_page
from tkid.club.tournament import TOURNAMENT_KIND as TOURNAMENT
from tkid.club.tournament import Tournament
from tkid.club.values import CALENDARS, TURNS, Deadline
from tkid.host.letters import OVER, find_page_key
from tkid.host.log import complain_about, is_path_open
from tkid.host.page_facts import (
    Entry,
    PageNames,
    People,
    Roster,
    State,
    make_cross_tables,
    make_digest,
    make_tournament_facts,
)
from tkid.host.published_folder import EVERY_GAME, PAGE, PUBLISHER, BusyError, PublishedFolder
from tkid.host.service import Host
from tkid.host.settings import FILE, HostSettings, SettingsError
from tkid.host.store.leases import PAGES
from tkid.host.store.store import Store
from tkid.host.store.transaction import StoredGame
from tkid.host.webhooks import Hooks, Target, explain_url, read_secret
from tkid.mail.hosted_game import HostedGame
from tkid.mail.message import add_key
from tkid.mail.model import Document
from tkid.record.play.replay import Replay
from tkid.record.play.writer import write_record
from tkid.render.click_page import Answer, Page, click_page, write_html_page
from tkid.render.frames import draw_moment, last_turn, make_views
from tkid.render.picture import Layout, write_svg_document
from tkid.render.raster import COVER_COLOURS, COVER_WIDTH, NoPngError, draw_cover, draw_png, explain_missing_png
from tkid.render.replay_page import replay_page
from tkid.rulebook import cites

MANY_GAMES, SHARE, MAX_WAIT = 50, 20, 60.0
"""In a club with more games, files about many games are made again after `SHARE` times the time that they took, and after a minute at most."""
SAVED = 500
"""Number of games after which a run of the publisher notes how far it is."""
TIDIED = 20
"""Number of games or pages after which memory is tidied up: their templates leave cycles, and commands look for those seldom."""
AT_LEAST = 50
"""Number of files about more than one game that a run makes even if its time is up, as it has read what they show."""


def make_game(
    club: site.Club, people: People, stored: StoredGame, delay: int, *, covers: bool
) -> tuple[Entry, dict[str, bytes]]:
    """Make the files of a game, by path; return also its entry, which has no key yet."""
    hosted = stored.read_hosted()
    roster = Roster.make_roster(hosted)
    cast, slug, persons = people.make_cast(stored.id, roster)
    facts, shown = collect_game_facts(hosted.replay, cast, slug, [person.page for person in persons], delay)
    files: dict[str, bytes] = {}
    if covers and facts.over:
        facts, files = _add_cover(facts, shown)
    files[find_game_file(facts, "board")] = _draw_board(shown, "board")
    if not facts.over:
        files[find_game_file(facts, "map")] = _draw_board(shown, "alone")
    else:
        files[find_game_file(facts, "record")] = write_record(shown.record, shown).encode()
        files[find_game_file(facts, "replay")] = replay_page(shown).encode()
    files[find_game_file(facts)] = write_game_page(club, facts).encode()
    players = tuple(Player(person.page, person.name) for person in persons)
    result = result_of(hosted.replay, facts.slug, players) if facts.over else None
    due = find_deadline("", hosted) if hosted.to_act is not None else None
    awaited = hosted.find_address(hosted.to_act).lower() if due and hosted.to_act is not None else ""
    kept, told = evolve(facts, told=(), decided=(), picture=""), result.text if result else ""
    return Entry(make_digest([stored.record]), "", roster, kept, told, due, awaited), files


def _add_cover(facts: GameFacts, shown: Replay) -> tuple[GameFacts, dict[str, bytes]]:
    """Return the facts of a game with a picture for links, and the picture; without one if it cannot be drawn here."""
    drawn = evolve(facts, cover=True)
    try:
        return drawn, {
            find_game_file(drawn, "cover"): draw_png(draw_cover(shown), width=COVER_WIDTH, colours=COVER_COLOURS)
        }
    except NoPngError:
        return facts, {}


def _draw_board(shown: Replay, layout: Layout) -> bytes:
    known, seen_by = make_views(shown)
    return write_svg_document(draw_moment(known, len(seen_by) - 1, None, seen_by[-1], layout=layout)).encode()


@cites("mail.page")
def _make_turn_page(secret: bytes, address: str, game: str, hosted: HostedGame) -> dict[str, bytes]:
    """Return the page for the next turn, at an address made from its key: it sends by mail. {} if no turn is asked for."""
    seat = hosted.awaited
    key = "" if seat is None else find_page_key(secret, game, hosted, seat)
    if seat is None or not key:
        return {}
    known = hosted.view_as(seat)
    rules, names, title = known.record.game, known.record.names, known.record.title or game
    view, answer = rules.view(known.position, seat), Answer(add_key(address, key), title)
    page = click_page(rules, view, names, title=title, last=last_turn(known, -1, seat), answer=answer)
    return {f"{TURNS}/{key}.html": page.encode()}


class PublishError(OSError):
    """Some games could not be published; all others were."""


@define
class Report:
    """The result of a run of the publisher."""

    written: int = 0
    removed: int = 0
    left: int = 0
    failed: dict[str, str] = field(factory=dict)


@frozen
class _PublishedState:
    """The database without its games: the games noted as changed, the last publisher, people, tournaments.

    `word` is another one after each change of members or tournaments.
    """

    changed: dict[str, str]
    publisher: str
    members: list[Member]
    people: People
    tournaments: list[Document]
    text: str
    word: str


@frozen
class _Run:
    """A run of the publisher: what it reads and writes, when its time is up, and what it has done; `step` is called after each game."""

    store: Store
    state: State
    world: _PublishedState
    until: float
    step: Callable[[], None]
    report: Report = field(factory=Report)


@define
class Publisher:
    """Publishes to a folder; `memory` is the file in which it remembers what it published.

    `delay` is by how many turns running games are late. With `covers` games that are over get a picture for links. `turns` is
    the host's address, where each turn has a page that sends a mail there. `welcome` says how to join.

    The pages of a game are made at once. In a large club, files about more than one game wait until they are `due`.
    """

    folder: PublishedFolder
    memory: Path
    secret: bytes
    club: site.Club
    delay: int = 0
    covers: bool = False
    turns: str = ""
    welcome: site.Welcome = field(factory=site.Welcome)
    clock: Callable[[], float] = time.monotonic
    _world: _PublishedState | None = None
    _behind: str = ""
    _standings: Standings = field(factory=Standings)
    _due: float = 0

    def run_chore(self, store: Store, now: datetime, seconds: float) -> int:
        """Publish changes for about `seconds`; return how many files were written or removed.

        Raises PublishError, FolderError, OSError.
        """
        world, today = self._read_world(store), now.date().isoformat()
        with State.open_file(self.memory) as state:
            known = (state.world, state.looked, state.name)
            left = world.changed or state.count("pending") or (state.unfinished and self.clock() >= self._due)
        if not left and known == (world.text, today, world.publisher):
            return 0
        try:
            report = self.publish(store, now, every=False, seconds=seconds)
        except BusyError:
            return 0
        if report.failed:
            failed = "; ".join(f"{game}: {why.partition(':')[0]}" for game, why in report.failed.items())
            raise PublishError(f"{failed}. Run `tkid host publish` to see why")
        return report.written + report.removed + bool(report.left)

    @cites("club.pages.whole")
    def publish(
        self,
        store: Store,
        now: datetime,
        *,
        every: bool = True,
        again: bool = False,
        seconds: float = inf,
        take_over: bool = False,
        step: Callable[[], None] = lambda: None,
    ) -> Report:
        """Publish: with `every`, look at all games; with `again`, make every file again. `step` is called after each game.

        Once a day it also looks which files are in the folder. Where time runs out, the games that are left are remembered, and
        nothing leads to them yet.

        Raises FolderError, OSError.
        """
        with self.folder.open_folder(take_over=take_over), State.open_file(self.memory) as state:
            if again:
                state.clear()
            world = self._read_world(store)
            every = every or again or EVERY_GAME in world.changed or state.name != world.publisher
            self._note_pending(store, state, world, every=every)
            self._due = 0 if every or state.world != world.text else self._due
            run = _Run(store, state, world, self.clock() + seconds, step)
            state.looked = "" if every else state.looked
            is_new_day = state.looked != now.date().isoformat()
            is_due = is_new_day or state.unfinished or state.world != world.text or bool(world.changed)
            state.unfinished, state.world = is_due, world.text
            try:
                self._make_games(run)
                run.report.left = state.count("pending")
                if is_due and not run.report.left and (seconds == inf or self.clock() >= self._due):
                    state.save()
                    self._make_lists(run, now, everywhere=is_new_day)
            finally:
                state.save()
            done = {
                game: word
                for game, word in world.changed.items()
                if not (game in run.report.failed or state.is_pending(game))
            }
            name = state.name
        with store.begin_transaction() as transaction:
            for game, word in done.items():
                noted = transaction.documents.get_document(PAGE, game)
                if noted is not None and noted.data == word:
                    transaction.documents.drop_document(PAGE, game)
            if name != world.publisher:
                transaction.documents.store_document(Document(PAGE, PUBLISHER, name))
        return run.report

    def _read_world(self, store: Store) -> _PublishedState:
        """Read what changed; members and tournaments are read only if one of them did."""
        with store.begin_transaction() as transaction:
            changed = {each.id: each.data for each in transaction.documents.list_documents(PAGE)}
            publisher, word = changed.pop(PUBLISHER, ""), transaction.documents.find_people_word()
            if self._world is None or self._world.word != word:
                members = transaction.documents.list_documents(MEMBER)
                tournaments = transaction.documents.list_documents(TOURNAMENT)
                texts = [each.data for each in (*members, *tournaments)]
                text = make_digest([self.club, self.delay, self.covers, self.turns, self.welcome, *texts])
                read = [Member.read_text(each.data) for each in members]
                people = People.make_people(self.secret, read)
                self._world = _PublishedState(changed, publisher, read, people, tournaments, text, word)
        self._world = evolve(self._world, changed=changed, publisher=publisher)
        return self._world

    def _note_pending(self, store: Store, state: State, world: _PublishedState, *, every: bool) -> None:
        """Note the games to look at: those that changed are made first, before this list."""
        if every:
            names = store.list_game_names()
            state.forget_games_but(names)
            state.add_pending(names)
        elif state.world != world.text:
            state.add_renamed()

    def _make_games(self, run: _Run) -> None:
        """Make the games that have changed, and then those on the list until the time is up."""
        state, people = run.state, evolve(run.world.people, pages=run.state.people)
        changed = [(game, True) for game in run.world.changed if game != EVERY_GAME]
        for number, (game, look) in enumerate(chain(changed, state.iter_pending()), 1):
            if self.clock() > run.until:
                state.add_pending(each for each, _ in changed[number - 1 :])
                break
            try:
                run.report.written += self._make_game(run.store, state, people, game, look=look)
            except OSError:
                state.add_pending([game])
                raise
            except Exception as error:  # noqa: BLE001 - a defect of ours: the other games are published
                run.report.failed[game] = f"{type(error).__name__}: {error}"
                self._forget_if_renamed(state, people, game)
            state.drop_pending(game)
            if number % TIDIED == 0:
                gc.collect(1)
            if number % SAVED == 0:
                state.save()  # from here it goes on if the process dies
            run.step()

    def _make_game(self, store: Store, state: State, people: People, game: str, *, look: bool) -> int:
        """Make the files of a game that have changed; return their number."""
        entry = state.get_entry(game)
        if entry is not None and not look and self._make_digest(people, game, entry.record, entry.roster) == entry.key:
            return 0
        stored = store.get_game(game)
        if stored is None:
            state.forget_game(game)
            return 0
        record = make_digest([stored.record])
        if entry is not None and self._make_digest(people, game, record, entry.roster) == entry.key:
            return 0
        made, files = make_game(self.club, people, stored, self.delay, covers=self.covers)
        if self.turns:
            ended = [path for path in state.list_game_files(game) if path.startswith(f"{TURNS}/")]
            files |= dict.fromkeys(ended, write_html_page(Page("tkid", f"<p>{OVER}</p>")).encode())
            files |= _make_turn_page(self.secret, self.turns, game, stored.read_hosted())
        for path, content in files.items():
            self.folder.write_file(path, [content])
        state.store_entry(game, evolve(made, key=self._make_digest(people, game, record, made.roster)), files)
        return len(files)

    def _make_digest(self, people: People, game: str, record: str, roster: Roster) -> str:
        cast, slug, persons = people.make_cast(game, roster)
        hidden, stand_ins, pages = sorted(cast.hidden), sorted(cast.stand_ins.items()), [each.page for each in persons]
        settings = self.club, self.delay, self.covers, self.turns
        return make_digest([record, cast.names, hidden, stand_ins, slug, pages, *settings])

    @cites("club.pages.anonymous")
    def _forget_if_renamed(self, state: State, people: People, game: str) -> None:
        """Forget the pages of a game that cannot be made again, if they have a name that is now private."""
        entry = state.get_entry(game)
        if entry is not None and people.make_cast(game, entry.roster)[0].names != entry.facts.names:
            state.forget_game(game)

    def _make_lists(self, run: _Run, now: datetime, *, everywhere: bool) -> None:
        """Make the files about more than one game that have changed, and note when they may be made again.

        If the time is up, the rest is made in the next run. At the end, files without a link are removed, so that no link breaks.
        """
        begun, state, world, report = self.clock(), run.state, run.world, run.report
        people = evolve(world.people, pages=PageNames(state.db))
        names: dict[str, str] = {}  # of those without a name of their own, the name in their last game
        for address, name in state.list_seats():
            person = people.find_person(address, name)
            names[person.page] = person.name
        standings = self._make_standings(state, world.tournaments, people, names, now)
        leaves = Site(self.club, state, names, standings, self.welcome).list_leaves()
        if self.turns:
            leaves = chain(leaves, [make_no_list(self.club, TURNS)])
        paths, written = [], 0
        for leaf in chain(leaves, self._list_calendars(people, world.members, state)):
            path, key = leaf.path, make_digest(chain([self.club], leaf.shows))
            paths.append(path)
            if state.find_file_key(path) == key:
                continue
            if written >= AT_LEAST and self.clock() > run.until:
                report.left += 1
                return
            made = leaf.make()
            self.folder.write_file(path, map(str.encode, [made] if isinstance(made, str) else made))
            state.store_file_key(path, key)
            report.written, written = report.written + 1, written + 1
            if written % TIDIED == 0:
                gc.collect(1)
            if written % SAVED == 0:
                state.save()
        state.drop_files_but(paths)
        for path in state.list_orphans(self.folder.list_files() if everywhere else None):
            self.folder.remove_file(path)
            report.removed += 1
        state.unfinished, state.looked = False, now.date().isoformat()
        if everywhere:
            state.forget_lost()
        took = self.clock() - begun
        self._due = begun + took + (min(SHARE * took, MAX_WAIT) if state.count("entries") > MANY_GAMES else 0)

    def _make_standings(
        self, state: State, tournaments: Sequence[Document], people: People, have_pages: Container[str], now: datetime
    ) -> Standings:
        """Work out the standings: from all results when one of them is another, or another day begins; `have_pages` are players."""
        behind = sha256(now.date().isoformat().encode())
        for row in state.list_results():
            behind.update("\n".join(row).encode("utf-8", "replace"))
        if behind.hexdigest() != self._behind:
            results = [Result.read_text(text) for _, text in state.list_results()]
            crosses = tuple(make_cross_tables(results))
            self._standings, self._behind = Standings(rating_lists(results, now), crosses), behind.hexdigest()
        cups = sorted((Tournament.read_text(each.data) for each in tournaments), key=lambda cup: cup.made, reverse=True)
        facts = (make_tournament_facts(each, state, people, have_pages) for each in cups)
        return evolve(self._standings, tournaments=tuple(facts))

    @cites("club.pages.calendar")
    def _list_calendars(self, people: People, members: Iterable[Member], state: State) -> Iterator[Leaf]:
        due: dict[str, list[Deadline]] = {people.find_home(each.address): [] for each in members if each.secret}
        for game, address in state.list_due() if due else ():
            own = due.get(people.find_home(address))
            if own is not None and (entry := state.get_entry(game)) and entry.due:
                facts, page = entry.facts, self.club.make_url(find_game_file(entry.facts))
                own.append(evolve(entry.due, game=facts.slug, name=facts.name, page=page))
        for member in members:
            if member.secret:
                deadlines = due[people.find_home(member.address)]
                yield Leaf(f"{CALENDARS}/{member.secret}.ics", deadlines, partial(calendar_of, deadlines))


HOOKS = "webhooks"
SECONDS = 0.5
"""Approximate time that a round publishes, in seconds; the rest is done in the next rounds, so that mails do not wait."""
WORD = 16
"""Characters of the host's word in the mark of a folder."""


def open_publisher(folder: Path, settings: HostSettings, secret: bytes, target: Path | None = None) -> Publisher:
    """Return the publisher of a host, to the folder in its settings or to another one. Raises ValueError if no folder is set."""
    path = target or (settings.pages.folder if settings.pages else None)
    if path is None:
        raise ValueError("no folder for pages is set")
    path = path.absolute()
    owner = hmac(secret, b"tkid pages 1", sha256).hexdigest()[:WORD]
    name = sha256(str(path).encode("utf-8", "surrogateescape")).hexdigest()[:8]
    club = site.Club(settings.club.name, settings.club.pages)
    state = folder / f"pages-{name}.db"
    state.with_suffix(".json").unlink(missing_ok=True)  # of earlier versions
    draws = settings.pictures and not explain_missing_png()
    turns = settings.address if settings.club.turn_pages else ""
    welcome = site.Welcome(settings.club.welcome, settings.address)
    return Publisher(PublishedFolder(path, owner), state, secret, club, settings.club.delay, draws, turns, welcome)


def list_publishing_chores(
    folder: Path, settings: HostSettings, secret: Callable[[], bytes], patience: float, wake: Callable[[], None]
) -> dict[str, Callable[[Host, datetime], int]]:
    """Return the chores that publish pages and send webhooks; a round waits `patience` seconds for webhooks, or is woken by them."""
    chores: dict[str, Callable[[Host, datetime], int]] = {}
    if settings.pages is not None:
        publisher = open_publisher(folder, settings, secret())
        chores[PAGES] = lambda host, now: publisher.run_chore(host.store, now, SECONDS)
    hooks: list[Hooks] = []

    def webhooks(host: Host, now: datetime) -> int:
        if not hooks:
            hooks.append(evolve(open_hooks(settings, secret()), patience=patience, wake=wake))
        return hooks[0].run_chore(host.store, now)

    return chores | {HOOKS: webhooks}


def open_hooks(settings: HostSettings, secret: bytes) -> Hooks:
    """Return the webhooks of a host, with the pages' delay and address."""
    club = site.Club(settings.club.name, settings.club.pages)
    return Hooks(secret, club, settings.club.delay, lambda: _find_target(settings))


def _find_target(settings: HostSettings) -> Target | None:
    hooks = settings.hooks
    if hooks is None:
        return None
    if problem := explain_url(hooks.url):
        raise SettingsError(f"{FILE}: [hooks] url: {problem}")
    if is_path_open(hooks.secret):
        raise SettingsError(f"{FILE}: [hooks] secret-file: {complain_about(hooks.secret)}")
    try:
        return Target(hooks.url, read_secret(hooks.secret.read_text("utf-8")))
    except OSError as error:
        raise SettingsError(
            f"{FILE}: [hooks] secret-file: {hooks.secret}: {error.strerror}. Put the secret there, `chmod 600`."
        ) from None
    except ValueError as error:
        raise SettingsError(f"{FILE}: [hooks] secret-file: {hooks.secret}: {error}.") from None
