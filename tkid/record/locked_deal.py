"""A locked deal, and the game played with it. Places of the deck are counted from 0."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate, pairwise, starmap
from typing import Any, Literal

from attrs import evolve, frozen

from tkid.kernel.game import HIDDEN, AnyGame, fill_names
from tkid.kernel.plugins import find_plugin
from tkid.record import locked_cards
from tkid.record.copies import is_better_informed
from tkid.record.draw import deal_terms, replace_value, write_terms
from tkid.record.format.model import Outcome, Record, Turn
from tkid.record.format.seal import HEADER
from tkid.record.locked_cards import Key, Point, Proof, Secrets, Unlock
from tkid.record.play.note_chain import remove_hashes
from tkid.record.play.replay import Moment, Replay, is_over, replay
from tkid.record.play.views import hide_secrets
from tkid.rulebook import cites


@frozen
class Deck:
    """A secret deck: its cards by printed name, equal ones several times; each seat's places; those that all unlock at the deal."""

    cards: tuple[str, ...]
    hands: tuple[range, ...]
    shown: tuple[int, ...] = ()


@frozen
class Share:
    """A place that a seat has to unlock for the others, after a turn."""

    turn: int
    seat: int
    place: int


@frozen
class Shown:
    """A secret card that a seat played in a turn, and the places that it may come from."""

    turn: int
    seat: int
    card: str
    places: tuple[int, ...]


class LockedPlugin:
    """The part of a game that knows how its secret cards are dealt without a dealer.

    `kept` names the duty that is proven when all hands are known and every turn is legal. Without a game's own, its
    `cards` are dealt once each, and a move has the `card` that it plays, "" for none.
    """

    kept: str = "Everybody had the cards they played"

    def make_deck(self, game: Any, players: int) -> Deck:
        """Return the secret deck."""
        ends = [0, *accumulate(map(len, game.deal(players, bytes(SEED)).hands))]
        return Deck(tuple(game.cards), tuple(starmap(range, pairwise(ends))))

    def fill_deal(self, game: Any, deal: Any, known: Mapping[int, str]) -> Any:
        """Replace the secret cards of a deal with those at known places, and with hidden ones elsewhere."""
        places = self.make_deck(game, len(deal.hands)).hands
        return evolve(deal, hands=tuple(tuple(known.get(place, HIDDEN) for place in each) for each in places))

    def list_plays(self, game: Any, moments: Sequence[Moment]) -> Iterator[Shown]:
        """List the secret cards that were played."""
        places = self.make_deck(game, len(moments[0].position.seats)).hands
        for number, moment in enumerate(moments):
            if moment.turn and not moment.turn.undone:
                seat = moment.turn.seat
                yield from (Shown(number, seat, move.card, tuple(places[seat])) for move in moment.moves if move.card)

    def list_shares(self, game: Any, moments: Sequence[Moment]) -> Iterator[Share]:
        """List the cards that the turns ask players to unlock for others, in order."""
        return iter(())


def find_locked_plugin(game: AnyGame) -> LockedPlugin:
    return find_plugin(game.name, "record/locked", LockedPlugin)


FORMAT = "1"
FIRST = f"Tkid-Deal: {FORMAT}"
SEED = 32
"""Bytes of a seed."""


@frozen(slots=False)
class LockedDeal:
    """A deal as far as it has come; by seat, None for what is missing yet.

    `head` is a record that has nothing but its header. `decks` are as each seat has locked them, with `proofs`. `nonces`
    make the open part. `unlocks` are in the order in which locks were taken off, `seeds` those opened at the end.
    """

    head: Record
    keys: tuple[Key | None, ...]
    decks: tuple[locked_cards.Deck | None, ...]
    proofs: tuple[Proof | None, ...]
    nonces: tuple[bytes | None, ...]
    unlocks: tuple[Unlock, ...]
    seeds: tuple[bytes | None, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return self.head.names

    @cached_property
    def terms(self) -> bytes:
        """The hash of the header, which is part of all that is hashed in this deal."""
        return locked_cards.compute_domain_hash("terms", "".join(f"{line}\n" for line in write_deal_header(self.head)))

    @cached_property
    def deck(self) -> Deck:
        return find_locked_plugin(self.head.game).make_deck(self.head.game, len(self.names))

    @cached_property
    def cards(self) -> Mapping[Point, str]:
        return dict(zip(locked_cards.compute_card_points(self.terms, self.deck.cards), self.deck.cards, strict=True))

    @property
    def locked(self) -> bool:
        return None not in self.decks

    @property
    def open_seeds(self) -> dict[int, bytes]:
        return {seat: seed for seat, seed in enumerate(self.seeds) if seed is not None}

    @cached_property
    def _now(self) -> Mapping[int, tuple[Point, tuple[int, ...]]]:
        last = self.decks[-1] or ()
        now: dict[int, tuple[Point, tuple[int, ...]]] = {place: (each, ()) for place, each in enumerate(last)}
        for each in self.unlocks:
            if each.place in now:
                now[each.place] = each.point, (*now[each.place][1], each.seat)
        return now

    def point_at(self, place: int) -> Point:
        return self._now[place][0]

    def list_unlockers(self, place: int) -> tuple[int, ...]:
        return self._now[place][1] if place in self._now else ()

    def derive_secrets(self, seat: int, seed: bytes) -> Secrets:
        deck = self.find_deck_before(seat)
        assert deck is not None
        return Secrets(self.terms, self.names[seat], seed, deck)

    def find_deck_before(self, seat: int) -> locked_cards.Deck | None:
        """Return the deck that a seat has to lock; None before the previous seat has locked."""
        return self.decks[seat - 1] if seat else locked_cards.compute_card_points(self.terms, self.deck.cards)


def write_deal_header(head: Record) -> tuple[str, ...]:
    return FIRST, *write_terms(head)[1:]


def begin(head: Record) -> LockedDeal:
    nobody = (None,) * len(head.names)
    return LockedDeal(head, nobody, nobody, nobody, nobody, (), nobody)


def add_contribution(deal: LockedDeal, seat: int, seed: bytes) -> LockedDeal:
    """Add everything that a seat can add now: its lock, and when all have locked, nonce and unlocks."""
    before = deal.find_deck_before(seat)
    if before is None:
        return deal
    secrets = deal.derive_secrets(seat, seed)
    if deal.decks[seat] is None:
        after = locked_cards.lock_deck(secrets, before)
        proof = locked_cards.prove_shuffle(secrets, before, after)
        deal = add_lock(deal, seat, locked_cards.make_lock_key(secrets), after, proof)
    if not deal.locked:
        return deal
    deal = evolve(deal, nonces=replace_value(deal.nonces, seat, secrets.nonce))
    for place, owed in sorted(_iter_due_unlocks(deal)):
        if next(iter(owed), None) == seat:
            deal = unlock_card(deal, seat, seed, place)
    return deal


def add_lock(deal: LockedDeal, seat: int, key: Key, deck: locked_cards.Deck, proof: Proof) -> LockedDeal:
    keys, decks = replace_value(deal.keys, seat, key), replace_value(deal.decks, seat, deck)
    return evolve(deal, keys=keys, decks=decks, proofs=replace_value(deal.proofs, seat, proof))


def unlock_card(deal: LockedDeal, seat: int, seed: bytes, place: int) -> LockedDeal:
    """Take the lock of a seat off a place, unless it is off already."""
    if seat in deal.list_unlockers(place):
        return deal
    taken = locked_cards.unlock_point(deal.derive_secrets(seat, seed), seat, place, deal.point_at(place))
    return evolve(deal, unlocks=(*deal.unlocks, taken))


def open_seed(deal: LockedDeal, seat: int, seed: bytes) -> LockedDeal:
    return evolve(deal, seeds=replace_value(deal.seeds, seat, seed))


def has_fitting_seed(deal: LockedDeal, seat: int, seed: bytes) -> bool:
    """Return True if a seat's part of the deal, if any, was made with this seed."""
    key = deal.keys[seat]
    if key is None or deal.find_deck_before(seat) is None:
        return key is None
    return key == locked_cards.make_lock_key(deal.derive_secrets(seat, seed))


What = Literal["lock", "unlock"]
"""A seat's duty at the deal: to lock the deck; or to unlock the others' cards, with the nonce."""


def list_missing_parts(deal: LockedDeal) -> tuple[tuple[int, What], ...]:
    """List the seats and what each owes before the game can be dealt, in the required order."""
    if not deal.locked:
        return tuple((seat, "lock") for seat, deck in enumerate(deal.decks) if deck is None)
    owed = {seat for _, seats in _iter_due_unlocks(deal) for seat in seats}
    owed |= {seat for seat, nonce in enumerate(deal.nonces) if not nonce}
    return tuple((seat, "unlock") for seat in _list_unlock_order(deal) if seat in owed)


def is_deal_complete(deal: LockedDeal) -> bool:
    return not list_missing_parts(deal)


def _list_unlock_order(deal: LockedDeal) -> tuple[int, ...]:
    """List the seats in the order of unlocking: the last to lock, then the others."""
    last = len(deal.names) - 1
    return (last, *range(last))


def _iter_due_unlocks(deal: LockedDeal) -> Iterator[tuple[int, list[int]]]:
    """Yield the places that are unlocked at the deal, with the seats that still have to unlock, in their order."""
    order = _list_unlock_order(deal)
    places = [(place, owner) for owner, hand in enumerate(deal.deck.hands) for place in hand]
    for place, owner in (*places, *((place, None) for place in deal.deck.shown)):
        yield place, [seat for seat in order if seat != owner and seat not in deal.list_unlockers(place)]


@cites("record.deal.order")
def find_awaited_seat(deal: LockedDeal, seat: int, place: int) -> int | None:
    """Find the seat that must unlock something before a seat's place: at the deal the one before it, later all of the deal."""
    awaited = next((seats for due, seats in _iter_due_unlocks(deal) if due == place and seats), None)
    if awaited is not None and seat in awaited:
        return awaited[0] if awaited[0] != seat else None
    owed = list_missing_parts(deal)
    return owed[0][0] if owed else None


def compute_deck_id(deal: LockedDeal) -> str:
    """Compute the id of the deck that all have locked, in hex digits; "" before all have locked."""
    return locked_cards.compute_short_hash("deck", deal.terms, *(deal.decks[-1] or ())).hex() if deal.locked else ""


def compute_open_entropy(deal: LockedDeal) -> bytes:
    return locked_cards.compute_short_hash("entropy", deal.terms, *(nonce or b"" for nonce in deal.nonces))


def find_known_cards(deal: LockedDeal, seeds: Mapping[int, bytes] | None = None) -> dict[int, str]:
    """Find the cards that everybody knows, by place; with seeds, also those locked only by their seats."""
    if not deal.locked:
        return {}
    secrets = [(seat, deal.derive_secrets(seat, seed)) for seat, seed in (seeds or {}).items()]
    keys = {seat: locked_cards.invert_scalar(each.key) for seat, each in secrets}
    found = {}
    for place in range(len(deal.deck.cards)):
        point, locking = deal.point_at(place), set(range(len(deal.names))).difference(deal.list_unlockers(place))
        if locking <= keys.keys():
            for seat in locking:
                point = locked_cards.multiply_point(keys[seat], point)
            if point in deal.cards:
                found[place] = deal.cards[point]
    return found


@cites("record.deal")
def make_locked_record(deal: LockedDeal, seat: int, seed: bytes) -> Record:
    """Return a complete deal's record as a seat may know it, without a seal: the deal itself proves what was dealt."""
    record = deal_terms(deal.head, compute_open_entropy(deal))
    dealt = find_locked_plugin(record.game).fill_deal(record.game, record.deal, find_known_cards(deal, {seat: seed}))
    headers = tuple(header for header in record.headers if header.name != HEADER)
    return evolve(record, deal=dealt, headers=headers)


def list_due_places(played: Replay, deal: LockedDeal, seat: int, seed: bytes) -> list[int]:
    """List the places that a seat has to unlock for the cards played, in the required order."""
    plugin, game = find_locked_plugin(played.record.game), played.record.game
    own = find_known_cards(deal, {seat: seed})
    places = [share.place for share in list_due_shares(played, deal) if share.seat == seat]
    shown = [each for each in plugin.list_plays(game, played.moments) if each.seat == seat]
    held = (place for _, place in _assign_places(shown, own) if place is not None)
    return [*places, *(place for place in held if not deal.locked or deal.point_at(place) not in deal.cards)]


@cites("record.deal.play")
def unlock_due_places(played: Replay, deal: LockedDeal, seat: int, seed: bytes) -> LockedDeal:
    for place in list_due_places(played, deal, seat, seed):
        deal = unlock_card(deal, seat, seed, place)
    return deal


def list_unshown_cards(played: Replay, deal: LockedDeal) -> list[Shown]:
    shown = find_locked_plugin(played.record.game).list_plays(played.record.game, played.moments)
    return [each for each, place in _assign_places(list(shown), find_known_cards(deal)) if place is None]


@cites("record.deal.word")
def list_cards_on_word(played: Replay, deal: LockedDeal) -> list[Shown]:
    """List cards at the end of a game that were not unlocked, of players with closed seeds; nobody else has played since."""
    if not is_over(played):
        return []
    closed = [each for each in list_unshown_cards(played, deal) if deal.seeds[each.seat] is None]
    turns = played.record.turns
    return [each for each in closed if all(turn.seat == each.seat for turn in turns[each.turn :])]


def list_due_shares(played: Replay, deal: LockedDeal) -> list[Share]:
    shares = find_locked_plugin(played.record.game).list_shares(played.record.game, played.moments)
    return [share for share in shares if share.seat not in deal.list_unlockers(share.place)]


def _assign_places(shown: list[Shown], cards: Mapping[int, str]) -> Iterator[tuple[Shown, int | None]]:
    """Yield each card that was played with a place that holds it, every place once; None if none is known."""
    taken: set[int] = set()
    for each in shown:
        place = next((p for p in each.places if cards.get(p) == each.card and p not in taken), None)
        if place is not None:
            taken.add(place)
        yield each, place


def reveal_dealt_cards(played: Replay, deal: LockedDeal, seat: int, seed: bytes) -> Replay:
    """Add to a seat's record what the deal shows, unless the seeds show that a turn was not legal (`verify_locked_game`)."""
    record = played.record
    if record.deal is None:
        return played
    unhashed = remove_hashes(record)
    bare = tuple(evolve(turn, outcomes=()) for turn in unhashed.turns)
    seeds = {**deal.open_seeds, seat: seed}
    dealt = find_locked_plugin(record.game).fill_deal(record.game, record.deal, find_known_cards(deal, seeds))
    whole = replay(evolve(unhashed, deal=dealt, turns=bare))
    if is_better_informed(whole, played):  # on the word of a player whose seed is lost
        bare = (*bare[:-1], evolve(bare[-1], outcomes=record.turns[-1].outcomes))
        whole = replay(evolve(unhashed, deal=dealt, turns=bare))
    if whole.problems:
        return played
    if len(seeds) < len(record.names):
        hands = (dealt.hands[each] if each in seeds else hand for each, hand in enumerate(record.deal.hands))
        whole, dealt = hide_secrets(whole, seat), evolve(record.deal, hands=tuple(hands))
    turns = tuple(_replace_outcomes(*each, record.names) for each in zip(record.turns, whole.moments[1:], strict=True))
    after = evolve(record, deal=dealt, turns=turns)
    if dealt != record.deal:  # the hashes were those of a record that hides more
        return replay(remove_hashes(after))
    return played if turns == record.turns else replay(after)


def _replace_outcomes(turn: Turn, moment: Moment, names: tuple[str, ...]) -> Turn:
    """Replace the lines of what followed from a turn, and keep as many comments as there are lines."""
    lines = [fill_names(event.line, names) for event in moment.events if event.line]
    if lines == [outcome.text for outcome in turn.outcomes]:
        return turn
    old = [*turn.outcomes, *[Outcome("")] * len(lines)]
    return evolve(turn, outcomes=tuple(evolve(each, text=line) for each, line in zip(old, lines, strict=False)))
