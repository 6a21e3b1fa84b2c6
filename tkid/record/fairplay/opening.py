"""Opening hidden hands: what others reveal is put into a record, and all of it is judged again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from attrs import evolve, frozen

from tkid.kernel.game import HIDDEN
from tkid.record.format.model import Record
from tkid.record.format.seal import Sealed, sealed, with_seal
from tkid.record.play.note_chain import without_hashes
from tkid.record.play.replay import Replay, replay
from tkid.record.plugin import record_plugin
from tkid.rulebook import cites

Hand = tuple[str, ...]


class OpeningError(ValueError):
    """What is revealed does not belong to this record: the messages, with their rules."""

    def __init__(self, *messages: str) -> None:
        super().__init__("; ".join(messages))
        self.messages = messages


@frozen
class Revealed:
    """A hand as somebody reveals it, and where it comes from (for messages)."""

    seat: int
    hand: Hand
    source: str


def revealed_by(played: Replay, other: Replay, source: str) -> list[Revealed]:
    """The hands that another record of the same game knows. Raises OpeningError where it is not the same game."""
    record, theirs = played.record, other.record
    if record.deal is None or theirs.deal is None:
        raise OpeningError(
            f"{source}: a game file that begins in the middle of a game has no deal to compare [record.opening]"
        )
    game, plugin = record.game, record_plugin(record.game)
    same = (
        (record.ruleset.code, record.readings, record.names) == (theirs.ruleset.code, theirs.readings, theirs.names)
        and plugin.seen_deal(game, record.deal, None) == plugin.seen_deal(game, theirs.deal, None)
        and _promised(record) == _promised(theirs)
    )
    if not same:
        raise OpeningError(f"{source}: the header or the set-up belongs to another game [record.opening]")
    for mine, its in zip(played.moments[1:], other.moments[1:], strict=False):
        if mine.line != its.line:
            raise OpeningError(f"{source}: it has `{its.line}`, but this file has `{mine.line}` [record.opening]")
    return [Revealed(seat, hand, source) for seat, hand in enumerate(theirs.deal.hands) if HIDDEN not in hand]


def _promised(record: Record) -> Sealed | None:
    """What a record says of its seal, but for the entropy, which may be opened in one and not in another."""
    stated = sealed(record)
    return stated and evolve(stated, entropy=None)


@cites("record.opening")
def opened(played: Replay, revealed: Iterable[Revealed], others: Iterable[Record] = ()) -> Replay:
    """The record with the revealed hands, and the entropy where one of the others has it, played through again.

    Raises OpeningError where hands contradict what is known; plays out of hands that do not hold the card are
    among the replay's problems.
    """
    record = played.record
    if record.deal is None:
        raise OpeningError("A game file that begins in the middle of a game has no deal to compare [record.opening]")
    hands = list(record.deal.hands)
    faults = []
    for reveal in revealed:
        known = Counter(card for card in hands[reveal.seat] if card != HIDDEN)
        if known - Counter(reveal.hand) or (HIDDEN not in hands[reveal.seat] and known != Counter(reveal.hand)):
            message = (
                f"{reveal.source}: {record.names[reveal.seat]}'s hand is known to be {', '.join(hands[reveal.seat])}"
            )
            faults.append(f"{message}, not {', '.join(reveal.hand)} [record.opening]")
        else:
            hands[reveal.seat] = reveal.hand
    others, deal = tuple(others), evolve(record.deal, hands=tuple(hands))
    for other in others:
        deal = record_plugin(record.game).filled(record.game, deal, other.deal) if other.deal else deal
    faults += [f"{fault.sentence} [{fault.rule}]" for fault in record.game.faults(deal)]
    if faults:
        raise OpeningError(*faults)
    late = {unproven.turn for unproven in played.unproven if unproven.ending}
    # the hashes were those of the other text; what followed is found anew where the ending hung on a hidden card
    record = without_hashes(record)
    turns = tuple(evolve(turn, outcomes=()) if turn.number in late else turn for turn in record.turns)
    return replay(evolve(_with_entropy(record, others), deal=deal, turns=turns))


def _with_entropy(record: Record, others: Iterable[Record]) -> Record:
    """The record with the entropy that one of the others has opened."""
    own = sealed(record)
    entropy = [stated.entropy for other in others if (stated := sealed(other)) and stated.entropy]
    return with_seal(record, evolve(own, entropy=entropy[0])) if own and entropy else record


def unopened(record: Record) -> Mapping[int, int]:
    """How many cards are hidden still, by seat."""
    hands = record.deal.hands if record.deal else record.start().hands
    return {seat: hand.count(HIDDEN) for seat, hand in enumerate(hands) if HIDDEN in hand}
