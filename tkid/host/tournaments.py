"""Read the results of a host's games, and advance its tournaments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache, partial
from hashlib import sha256

from attrs import evolve, frozen

from tkid.club import tournament_letters
from tkid.club.members import Member, index_members
from tkid.club.names import find_display_name, find_member, seat_under_pseudonyms, show_tournament
from tkid.club.results import Player, Result, result_of
from tkid.club.tournament import Leg, Tournament
from tkid.club.values import get_mailbox
from tkid.host.service import Host
from tkid.host.store.store import Store
from tkid.host.store.transaction import StoredGame, Transaction
from tkid.mail import game_service
from tkid.mail.hosted_game import HostedGame
from tkid.mail.marker import draw_word
from tkid.mail.model import OrderLine, Orders, Stored
from tkid.mail.order_finder import get_order_reader
from tkid.mail.order_machine import ClubLetter
from tkid.record.format.reader import read_record
from tkid.record.format.seal import find_seal
from tkid.rulebook import cites

FORM = "result 2"
"""Beginning of the digests of copies: copies of another form are made again."""
MAX_SINGLE_READS = 50
"""Maximum number of copies that are looked up one by one."""
ID_LENGTH = 12
"""Characters of a player's id."""


@frozen
class Copy(Stored):
    """A result as it was made from a record with this digest. Its players' ids are addresses, so it stays in the database."""

    KIND = "result"
    digest: str
    result: Result

    @property
    def id(self) -> str:
        return self.result.game

    @classmethod
    def make_copy(cls, game: StoredGame, digest: str) -> Copy | None:
        """Return the result of a game, None before its end."""
        hosted = game.read_hosted()
        seats = zip(hosted.record.seats, hosted.time.seats, strict=True)
        players = tuple(Player((time.address or seat.address).lower(), seat.name) for seat, time in seats)
        result = result_of(hosted.replay, game.id, players)
        return None if result is None else cls(digest, result)


@cites("club.names", "club.person")
def _show_player(secret: bytes, members: Mapping[str, Member], kept: Player) -> Player:
    """Return a player as the public may know them, with an id without the address; in a copy, the id is the address.

    A member who becomes anonymous also gets another id, so that older lists do not reveal the name.
    """
    member = members.get(get_mailbox(kept.id))
    address = get_mailbox(member.address if member else kept.id)
    name = find_display_name(kept.name, member) if member else kept.name
    named = address or f"name {kept.name.casefold()}"
    purpose = "tkid guest 1" if member and member.anonymous else "tkid player 1"
    word = draw_word(secret, f"{purpose}\n{named}", ID_LENGTH)
    return Player(word, name, member.shown if member else "")


def read_results(store: Store, secret: bytes) -> list[Result]:
    """Return the results of all games of a host that are over, by name of the game; new ones are kept."""
    games = store.list_games()
    with store.begin_transaction() as transaction:
        return list(list_results_of(transaction, secret, games).values())


def list_results_of(transaction: Transaction, secret: bytes, games: Iterable[StoredGame]) -> Mapping[str, Result]:
    """Return the results of those of some games that are over, by name of the game."""
    over = [game for game in games if game.over]
    known = _read_copies(transaction, over)
    members = index_members(transaction.documents.list_values(Member)) if over else {}
    player = cache(partial(_show_player, secret, members))
    made = {}
    for game in over:
        digest = sha256(f"{FORM}\n{game.record}".encode()).hexdigest()
        copy = Copy.read_text(known[game.id]) if game.id in known else None
        if copy is None or copy.digest != digest:
            copy = Copy.make_copy(game, digest)
            if copy is None:
                continue
            transaction.documents.store_document(copy.document)
        made[game.id] = evolve(copy.result, players=tuple(map(player, copy.result.players)))
    return made


def _read_copies(transaction: Transaction, games: Sequence[StoredGame]) -> Mapping[str, str]:
    if len(games) > MAX_SINGLE_READS:
        return {document.id: document.data for document in transaction.documents.list_documents(Copy.KIND)}
    found = (transaction.documents.get_document(Copy.KIND, game.id) for game in games)
    return {document.id: document.data for document in found if document is not None}


class NoTournamentError(LookupError):
    """There is no tournament of this name."""


@frozen
class Tournaments:
    """The tournaments of a host, which draws their deals as it draws those of other games."""

    host: Host

    @cites("club.tournament.accept")
    def announce(self, tournament: Tournament) -> None:
        """Announce a tournament, with invitations. Raises ValueError if its name is taken or the host is to play."""
        with self.host.store.begin_transaction() as transaction:
            host = get_mailbox(self.host.visitors.address)
            if name := next((each.name for each in tournament.people if get_mailbox(each.address) == host), ""):
                raise ValueError(f"{name} has the address of this host, which plays no game")
            transaction.documents.store_document(evolve(tournament.document, how="new"))
            asked = [each for each in tournament.people if each.answer == "asked"]
            seen = _make_reader_view(transaction, tournament)
            letters = (
                tournament_letters.write_tournament_invitation(seen(each.address), each, tournament.made)
                for each in asked
            )
            self._post_letters(transaction, letters)

    def list_all(self) -> list[Tournament]:
        with self.host.store.begin_transaction() as transaction:
            return transaction.documents.list_values(Tournament)

    def get_tournament(self, name: str) -> Tournament:
        """Return a tournament. Raises NoTournamentError."""
        with self.host.store.begin_transaction() as transaction:
            return _get_tournament(transaction, name)

    def list_results(self, tournament: Tournament) -> Mapping[str, Result]:
        with self.host.store.begin_transaction() as transaction:
            return self._list_results(transaction, tournament.games)

    def _list_results(self, transaction: Transaction, games: Iterable[str]) -> Mapping[str, Result]:
        found = map(transaction.get_game, games)
        return list_results_of(transaction, self.host.secret, filter(None, found))

    def begin_early(self, name: str, now: datetime) -> Tournament:
        """Begin before all have answered. Raises NoTournamentError; ValueError if it has begun or too few accepted."""
        with self.host.store.begin_transaction() as transaction:
            tournament = _get_tournament(transaction, name)
            if tournament.begun:
                raise ValueError(
                    f"{name} has begun already. Its next round begins when every game of this round is over"
                )
            tournament = self._begin_round(transaction, tournament.close_entries(), {}, now)
        self.advance_tournament(name, now)
        return tournament

    @cites("club.tournament.withdraw")
    def withdraw_side(self, name: str, side: int, now: datetime) -> Tournament:
        """Take a side out of a tournament; its games are resigned. Raises NoTournamentError."""
        with self.host.store.begin_transaction() as transaction:
            tournament = _get_tournament(transaction, name).withdraw_side(side)
            if not tournament.begun:
                people = tournament.sides[side].people
                for each in people:
                    tournament = tournament.record_answer(each.address, "declined")
            transaction.documents.store_document(tournament.document)
        self.advance_tournament(name, now)
        return tournament

    def advance_all(self, now: datetime) -> int:
        """Look at each tournament that is not over; return how many advanced. One that fails does not stop the others."""
        with self.host.store.begin_transaction() as transaction:
            names = [document.id for document in transaction.documents.list_due(Tournament.KIND, now)]
        done, failures = 0, []
        for name in names:
            try:
                done += self.advance_tournament(name, now)
            except (ValueError, KeyError, TypeError) as error:
                failures.append(f"{name}: {error}")
        if failures:
            raise ValueError("; ".join(failures))
        return done

    @cites("club.tournament.round")
    def advance_tournament(self, name: str, now: datetime) -> bool:
        """Take all possible steps; return True for any. Raises NoTournamentError, or ValueError if no game begins."""
        done = False
        while self._take_step(name, now):
            done = True
        return done

    def _take_step(self, name: str, now: datetime) -> bool:
        """Take the next step: a resignation, a game that begins, or a round. Return False if there is nothing to do."""
        tournament = self.get_tournament(name)
        if tournament.over or not (tournament.begun or tournament.ready):
            return False
        if self._resign_games(tournament, now):
            return True
        played = [game for pair in (tournament.played[-1] if tournament.begun else ()) for game in pair.games]
        with self.host.store.begin_transaction() as transaction:
            over = self._list_results(transaction, played)
        for leg in tournament.to_begin(over):
            self._deal_game(tournament, leg, now)
            with self.host.store.begin_transaction() as transaction:
                current = _get_tournament(transaction, name)
                if current == tournament:
                    transaction.documents.store_document(current.with_game(leg).document)
            return True
        if tournament.begun and not tournament.round_over(over):
            return False
        with self.host.store.begin_transaction() as transaction:
            if _get_tournament(transaction, name) == tournament:
                self._begin_round(transaction, tournament, self._list_results(transaction, tournament.games), now)
        return True

    def _begin_round(
        self, transaction: Transaction, tournament: Tournament, over: Mapping[str, Result], now: datetime
    ) -> Tournament:
        """Begin the next round, or end the tournament; everybody in it hears of that."""
        if not tournament.begun:
            if len(tournament.entered) < 2:
                ended = evolve(tournament, over=now)
                transaction.documents.store_document(ended.document)
                return ended
            tournament = tournament.close_entries()
        if tournament.rounds_left:
            tournament, write_letters = tournament.next_round(over), tournament_letters.round_letters
        else:
            tournament, write_letters = evolve(tournament, over=now), tournament_letters.final_letters
        transaction.documents.store_document(tournament.document)
        seen = _make_reader_view(transaction, tournament)
        self._post_letters(transaction, write_letters(tournament, over, now, seen))
        return tournament

    def _post_letters(self, transaction: Transaction, letters: Iterable[ClubLetter]) -> None:
        """Post letters of the club, except to people who want none."""
        blocked = {each.address for each in transaction.documents.list_values(Member) if each.blocked}
        wanted = (each for each in letters if each.address not in blocked)
        self.host.visitors.post_letters(transaction, wanted)

    def _deal_game(self, tournament: Tournament, leg: Leg, now: datetime) -> None:
        """Deal a game and write to its players, unless that was done before. Raises ValueError if its name is taken."""
        there = self.host.store.get_game(leg.game)
        if there is not None:
            if not _is_same_game(there, leg):
                raise ValueError(f"the game {leg.game} is about something else")
            return
        entropy = self._read_entropy(leg.deal_of) if leg.deal_of else self.host.draw()
        with self.host.store.begin_transaction() as transaction:
            seated = seat_under_pseudonyms(leg, partial(find_member, transaction.documents.get_text))
        self.host.open_game(leg.game, tournament_letters.make_game_record(tournament, seated, entropy), now)

    @cites("club.tournament.deals")
    def _read_entropy(self, game: str) -> bytes:
        stored = self.host.store.get_game(game)
        record = read_record(stored.record.encode()).record if stored else None
        stated = find_seal(record) if record else None
        if stated is None or stated.entropy is None:
            raise ValueError(f"the deal of {game} is not known")
        return stated.entropy

    @cites("club.tournament.withdraw")
    def _resign_games(self, tournament: Tournament, now: datetime) -> bool:
        """Resign the games of sides that have left, for one seat; return True if there was one."""
        gone = {each.address: each for side in tournament.sides if side.left for each in side.people}
        games = [game for pair in tournament.played[-1] for game in pair.games] if gone and tournament.begun else []
        for name in games:
            stored = self.host.store.get_game(name)
            if stored is None or stored.over:
                continue
            hosted = stored.read_hosted()
            for seat in hosted.seats:
                if hosted.record.seats[seat].address.lower() in gone and hosted.time.seats[seat].plays:
                    outcome = self.host.change_game(name, partial(_resign_game, seat=seat, now=now))
                    if outcome.problems:
                        raise ValueError(f"{name} cannot be resigned: {outcome.problems[0]}")
                    return True
        return False


def advance_tournaments(host: Host, now: datetime) -> int:
    return Tournaments(host).advance_all(now)


def _resign_game(game: HostedGame, seat: int, now: datetime) -> game_service.Outcome:
    line = "resign"
    read = get_order_reader(game.record.game, game.names, seat).read_line(line)
    return game_service.receive_mail(game, seat, Orders((OrderLine(line, read),)), now, is_sure=True)


def _is_same_game(stored: StoredGame, leg: Leg) -> bool:
    record = read_record(stored.record.encode()).record
    addresses = [seat.address.lower() for seat in record.seats] if record is not None else []
    return addresses == [each.address for each in leg.seats]


def _make_reader_view(transaction: Transaction, tournament: Tournament) -> tournament_letters.Seen:
    """Return a function that gives the tournament as the reader with an address may see it."""
    member = cache(partial(find_member, transaction.documents.get_text))
    return lambda reader: show_tournament(tournament, reader, member)


def _get_tournament(transaction: Transaction, name: str) -> Tournament:
    tournament = transaction.documents.find_value(Tournament, name)
    if tournament is None:
        raise NoTournamentError(f"there is no tournament {name}")
    return tournament
