"""A locked deal and the game that is played with it: the record it deals, what the turns ask to be unlocked, what that tells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from attrs import evolve

from tkid.kernel.game import with_names
from tkid.record.exchange.merge import tells_more
from tkid.record.exchange.resignations import is_over
from tkid.record.fairplay.terms import TERMS
from tkid.record.format.model import Outcome, Record, Turn
from tkid.record.format.new_game import new_record
from tkid.record.format.seal import HEADER
from tkid.record.locked.deal import LockedDeal, card_at, entropy, header, known, unlocked
from tkid.record.locked.plugin import Share, Shown, locked_plugin
from tkid.record.play.note_chain import without_hashes
from tkid.record.play.replay import Moment, Replay, replay
from tkid.record.play.views import seen
from tkid.rulebook import cites


@cites("record.deal")
def record_of(deal: LockedDeal, seat: int, seed: bytes) -> Record:
    """The record that a complete deal makes, as the player of a seat may know it.

    It has no seal: the deal itself is the proof of what was dealt.
    """
    lines = [line.partition(": ") for line in header(deal.head)]
    terms = {name: [value for other, _, value in lines if other == name] for name in TERMS}
    (ruleset,), title = terms["Ruleset"], "".join(terms["Game"])
    code = ruleset.partition(" ")[0]
    record = new_record(code, terms["Seat"], entropy(deal), title=title, rulings=terms["Ruling"])
    dealt = locked_plugin(record.game).filled(record.game, record.deal, known(deal, {seat: seed}))
    headers = tuple(header for header in record.headers if header.name != HEADER)
    return evolve(record, deal=dealt, headers=headers)


# -- what is to be unlocked -------------------------------------------------------------------------------


def due(played: Replay, deal: LockedDeal, seat: int, seed: bytes) -> list[int]:
    """The places that a seat has to unlock for what was played, in the order in which that has to be done."""
    plugin, game = locked_plugin(played.record.game), played.record.game
    own = known(deal, {seat: seed})
    places = [share.place for share in unshared(played, deal) if share.seat == seat]
    shown = [each for each in plugin.plays(game, played.moments) if each.seat == seat]
    return [
        *places,
        *(place for _, place in _assigned(shown, own) if place is not None and card_at(deal, place) is None),
    ]


@cites("record.deal.play")
def with_due(played: Replay, deal: LockedDeal, seat: int, seed: bytes) -> LockedDeal:
    """The deal with everything unlocked that a seat has to unlock for what was played."""
    for place in due(played, deal, seat, seed):
        deal = unlocked(deal, seat, seed, place)
    return deal


def unshown(played: Replay, deal: LockedDeal) -> list[Shown]:
    """The cards that were played and not unlocked."""
    shown = locked_plugin(played.record.game).plays(played.record.game, played.moments)
    return [each for each, place in _assigned(list(shown), known(deal)) if place is None]


@cites("record.deal.word")
def on_word(played: Replay, deal: LockedDeal) -> list[Shown]:
    """The cards at the end of a game that were not unlocked, of players whose seeds are closed: nobody else has played since."""
    if not is_over(played):
        return []
    closed = [each for each in unshown(played, deal) if deal.seeds[each.seat] is None]
    turns = played.record.turns
    return [each for each in closed if all(turn.seat == each.seat for turn in turns[each.turn :])]


def unshared(played: Replay, deal: LockedDeal) -> list[Share]:
    """What the players have not yet unlocked for each other."""
    shares = locked_plugin(played.record.game).shares(played.record.game, played.moments)
    return [share for share in shares if share.seat not in deal.unlockers(share.place)]


def _assigned(shown: list[Shown], cards: Mapping[int, str]) -> Iterator[tuple[Shown, int | None]]:
    """Each card that was played with a place that holds it, every place once; None where none is known to hold it."""
    taken: set[int] = set()
    for each in shown:
        place = next((p for p in each.places if cards.get(p) == each.card and p not in taken), None)
        if place is not None:
            taken.add(place)
        yield each, place


# -- what it tells ----------------------------------------------------------------------------------------


def told(played: Replay, deal: LockedDeal, seat: int, seed: bytes) -> Replay:
    """The record of a seat with what the deal tells it: cards drawn and revealed, and the hands whose seeds are open.

    It stays as it is where the seeds tell that a turn was not legal: what they prove, and what not, is what `audit` says.
    """
    record = played.record
    if record.deal is None:
        return played
    unhashed = without_hashes(record)
    bare = tuple(evolve(turn, outcomes=()) for turn in unhashed.turns)
    seeds = {**deal.open_seeds, seat: seed}
    dealt = locked_plugin(record.game).filled(record.game, record.deal, known(deal, seeds))
    whole = replay(evolve(unhashed, deal=dealt, turns=bare))
    if tells_more(whole, played):  # on the word of a player whose seed is lost
        bare = (*bare[:-1], evolve(bare[-1], outcomes=record.turns[-1].outcomes))
        whole = replay(evolve(unhashed, deal=dealt, turns=bare))
    if whole.problems:
        return played
    if len(seeds) < len(record.names):
        hands = (dealt.hands[each] if each in seeds else hand for each, hand in enumerate(record.deal.hands))
        whole, dealt = seen(whole, seat), evolve(record.deal, hands=tuple(hands))
    turns = tuple(_told(*each, record.names) for each in zip(record.turns, whole.moments[1:], strict=True))
    after = evolve(record, deal=dealt, turns=turns)
    if dealt != record.deal:  # the hashes were those of a record that hides more
        return replay(without_hashes(after))
    return played if turns == record.turns else replay(after)


def _told(turn: Turn, moment: Moment, names: tuple[str, ...]) -> Turn:
    """A turn with the lines of what followed; with their comments, as far as there are as many."""
    lines = [with_names(event.line, names) for event in moment.events if event.line]
    if lines == [outcome.text for outcome in turn.outcomes]:
        return turn
    old = [*turn.outcomes, *[Outcome("")] * len(lines)]
    return evolve(turn, outcomes=tuple(evolve(each, text=line) for each, line in zip(old, lines, strict=False)))
