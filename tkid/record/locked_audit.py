"""Check a finished locked deal against the opened seeds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from attrs import evolve, field, frozen

from tkid.kernel.game import HIDDEN
from tkid.kernel.problems import Kind
from tkid.notation.names import list_names
from tkid.record import locked_cards, locked_deal
from tkid.record.format.model import Place, Record
from tkid.record.format.plugin import find_record_plugin
from tkid.record.format.reader import iter_setup_rows
from tkid.record.locked_text import find_deal_faults
from tkid.record.play.note_chain import remove_hashes
from tkid.record.play.replay import Replay, is_over, replay
from tkid.record.proof import Collector, Proof
from tkid.rulebook import cites

Hand = tuple[Any, ...]
AUDIT = "record.deal.audit"
AGAIN = "Compare it with the mails of the deal. The sender broke the rules of the deal, or used a faulty program."
CHANGED = "Compare this line with the deal. One of the two was changed."


@cites(AUDIT)
def find_broken_parts(deal: locked_deal.LockedDeal, seat: int, seed: bytes) -> Iterator[str]:
    """Find the parts a seat sent that don't follow from its seed, byte for byte: in words, such as `key`."""
    secrets, deck_before, deck = deal.derive_secrets(seat, seed), deal.find_deck_before(seat), deal.decks[seat]
    if deck_before is None or deck is None:
        return
    made = locked_cards.lock_deck(secrets, deck_before)
    if deal.keys[seat] != locked_cards.make_lock_key(secrets):
        yield "key"
    elif made != deck:
        yield "deck"
    elif locked_cards.prove_shuffle(secrets, deck_before, made) != deal.proofs[seat]:
        yield "proof"
    if deal.nonces[seat] not in {None, secrets.nonce}:
        yield "nonce"
    points = dict(enumerate(deal.decks[-1] or ()))
    for each in deal.unlocks:
        if each.seat == seat and locked_cards.unlock_point(secrets, seat, each.place, points[each.place]) != each:
            yield f"unlock of card {each.place + 1}"
        points[each.place] = each.point


def verify_locked_game(played: Replay, deal: locked_deal.LockedDeal, told: Callable[[], None] = lambda: None) -> Proof:
    """Collect what a deal and its seeds prove of a game. Call `told` after each part that was checked."""
    return _Auditor(played, deal=deal, told=told).make_proof()


@frozen
class _Auditor(Collector):
    deal: locked_deal.LockedDeal = field(kw_only=True)
    told: Callable[[], None] = field(kw_only=True)

    def collect_facts(self) -> None:
        if self._check_locks() and self._check_game():
            self._check_seeds()
            whole = self._compare_setup()
            self._check_turns(whole)
        self.add_unprovable("That nobody showed others their cards or their seed before the end.", "record.deal.seed")
        self.add_unprovable("That these turns were really played: each player compares their own.", "record.turn.hash")
        self.add_notes()

    def _name_players(self, seats: Iterable[int]) -> str:
        return list_names((self.deal.names[seat] for seat in seats), "and")

    def _check_locks(self) -> bool:
        flaws = find_deal_faults(self.deal, self.told)
        for flaw in flaws:
            self.add_contradiction(flaw.rule, flaw.message, Place(), flaw.hint)
        if not flaws and not locked_deal.is_deal_complete(self.deal):
            owed = dict.fromkeys(seat for seat, _ in locked_deal.list_missing_parts(self.deal))
            self.add_unproven(f"The deal: something of {self._name_players(owed)} is missing.", "record.deal.order")
        if self.contradicted or self.unproven:
            return False
        everybody = self._name_players(range(len(self.deal.names)))
        text = f"{everybody} each locked and shuffled all {len(self.deal.deck.cards)} cards: the proofs fit."
        self.add_proven(text, "record.deal.lock")
        text = f"All {len(self.deal.unlocks)} locks that were taken off were the right ones: the proofs fit."
        self.add_proven(text, "record.deal.unlock")
        return True

    def _check_game(self) -> bool:
        if (
            locked_deal.write_deal_header(self.record) != locked_deal.write_deal_header(self.deal.head)
            or self.record.deal is None
        ):
            message = "The deal beside this game file is for another game"
            self.add_contradiction("record.deal.game", message, Place(), "Give the deal of this game.")
            return False
        return True

    def _check_seeds(self) -> None:
        right, goes_on = [], not is_over(self.played)
        for seat, seed in enumerate(self.deal.seeds):
            name = self.deal.names[seat]
            if seed is None:
                when = f"{name} opens it when the game is over" if goes_on else f"{name} has not opened it yet"
                self.add_unproven(f"What follows from {name}'s seed: {when}.", "record.deal.seed")
                continue
            wrong = list(find_broken_parts(self.deal, seat, seed))
            self.told()
            if wrong:
                message = f"{name}'s {list_names(wrong, 'and')} {'does' if len(wrong) == 1 else 'do'} not follow from the seed"
                self.add_contradiction(AUDIT, message, Place(), AGAIN)
            else:
                right.append(seat)
        if right:
            text = f"Everything that {self._name_players(right)} sent in the deal follows from the {'seed' if len(right) == 1 else 'seeds'}."
            self.add_proven(text, AUDIT)

    def _compare_setup(self) -> Any:
        record, plugin = self.record, locked_deal.find_locked_plugin(self.record.game)
        opened = record.game.deal(len(record.names), locked_deal.compute_open_entropy(self.deal))
        dealt = plugin.fill_deal(record.game, opened, locked_deal.find_known_cards(self.deal, self.deal.open_seeds))
        wrong = False
        for label, value, expected in _compare_rows(record, dealt):
            if value != expected:
                message = f"This was not dealt. The deal is: {expected}"
                self.add_contradiction("record.deal", message, record.places.get(label, Place()), CHANGED)
                wrong = True
        right = [seat for seat, hand in enumerate(dealt.hands) if HIDDEN not in hand and not wrong]
        if not wrong:
            text = "The open part of the set-up: drawn from a number of each player, which nobody could choose after seeing another's."
            self.add_proven(text, "record.deal.nonce")
        if right:
            text = f"What {self._name_players(right)} held at the start: dealt, and unknown to all others until it was played or a seed opened it."
            self.add_proven(text, "record.deal")
        return dealt

    def _check_turns(self, dealt: Any) -> None:
        record = self.record
        if not self.played.moments[1:]:
            return
        unhashed = remove_hashes(record)
        bare = tuple(evolve(turn, outcomes=()) for turn in unhashed.turns)
        whole = replay(evolve(unhashed, deal=dealt, turns=bare))
        self.contradicted.extend(evolve(problem, kind=Kind.INTEGRITY) for problem in whole.problems)
        word = locked_deal.list_cards_on_word(self.played, self.deal)
        for shown in word:
            text = f"Turn {shown.turn}: nothing but {record.names[shown.seat]}'s word says that {record.names[shown.seat]} was dealt {shown.card}."
            self.add_unproven(text, "record.deal.word")
        unsent = bool(word)
        for shown in locked_deal.list_unshown_cards(whole, self.deal):
            name = record.names[shown.seat]
            answered = any(turn.seat != shown.seat for turn in record.turns[shown.turn :])
            if shown in word:
                continue
            if not answered and whole.position.to_act is not None:
                text = f"Turn {shown.turn}: {name} proves {shown.card} in the letter about this turn."
                self.add_unproven(text, "record.deal.play")
                unsent = True
                continue
            text = f"{name} never showed {shown.card}, which turn {shown.turn} asks for"
            turn = record.turns[shown.turn - 1]
            place = Place(turn.line or 1, turn.col + 1)
            self.add_contradiction(
                "record.deal.play", text, place, "Ask for the deal file that was sent with this turn."
            )
        for share in locked_deal.list_due_shares(whole, self.deal):
            text = f"Card {share.place + 1} of the deck: {record.names[share.seat]} has not unlocked it after turn {share.turn}."
            self.add_unproven(text, "record.deal.silent")
        if self.contradicted or unsent:
            return
        count = f"Turns 1 to {len(record.turns)}" if len(record.turns) > 1 else "Turn 1"
        self.add_proven(f"{count}: each secret card that was played was dealt to its player.", "record.deal.play")
        hidden = [seat for seat, hand in enumerate(dealt.hands) if HIDDEN in hand]
        if hidden:
            text = f"{count}: whether {self._name_players(hidden)} held a card that a rule of the game made them play or show. The seeds show it."
            self.add_unproven(text, AUDIT)
        else:
            kept = locked_deal.find_locked_plugin(record.game).kept
            self.add_proven(f"{count}: legal with all hands known. {kept}.", AUDIT)


def _compare_rows(record: Record, dealt: Any) -> Iterator[tuple[str, str, str]]:
    """Yield each line of a set-up: its label, its value and the value dealt, as far as neither hides anything."""
    plugin = find_record_plugin(record.game)
    stated = plugin.hide_unknown_parts(record.game, record.deal, dealt)
    known = plugin.hide_unknown_parts(record.game, dealt, record.deal)
    pairs = [_hide_hands(*pair) for pair in zip(stated.hands, known.hands, strict=True)]
    both = [evolve(deal, hands=hands) for deal, hands in zip((stated, known), zip(*pairs, strict=True), strict=True)]
    rows = [iter_setup_rows(evolve(record, deal=deal)) for deal in both]
    return ((label, value, expected) for (label, value), (_, expected) in zip(*rows, strict=True))


def _hide_hands(stated: Hand, dealt: Hand) -> tuple[Hand, Hand]:
    """Return a hand as stated and as dealt. Cards that one of them hides are hidden in both."""
    hidden = max(hand.count(HIDDEN) for hand in (stated, dealt))
    ours, theirs = (Counter(card for card in hand if card != HIDDEN) for hand in (stated, dealt))
    if not hidden or len(stated) != len(dealt) or (ours - theirs and theirs - ours):
        return stated, dealt
    return (HIDDEN,) * len(stated), (HIDDEN,) * len(stated)
