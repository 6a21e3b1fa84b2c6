"""What mail needs of Claim."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tkid.games.claim.mail import aims, endings, facts, sentences, turn_examples
from tkid.games.claim.mail.plan_judge import Judge
from tkid.games.claim.rules.deck import DOPPELGANGER, FACTIONS, NAMES, named
from tkid.games.claim.rules.game import Claim
from tkid.games.claim.rules.moves import hand_of
from tkid.games.claim.rules.position import Position
from tkid.record.clock.notes import Passed
from tkid.record.play.replay import Replay

HELPS = {
    "standing": "plays a card by a rule, trick after trick, until you cancel it or the phase ends",
    "why": "explains the result, or shows who has won the tricks so far",
}


class ClaimMail:
    """What letters say of Claim, and what goes on without asking anybody."""

    title = "Claim"
    learn = "claim/"
    passing = ""
    helps: Mapping[str, str] = MappingProxyType(HELPS)
    turn = "`Goblin 5`, or another card as shown under YOUR ANSWER"
    news = "of tricks, and when the game ends"
    history = "The tricks so far:"
    no_history = "No trick has been played yet."

    # -- without asking -----------------------------------------------------------------------------------

    def passable(self, _: Position) -> bool:
        """Nobody can pass."""
        return False

    def by_itself(self, _: Claim, __: Position) -> tuple[str, Passed] | None:
        """Nothing: a card that is forced would show by itself that the hand holds no other."""
        return None

    judge = staticmethod(Judge)

    # -- turns to copy ------------------------------------------------------------------------------------

    def own(self, known: Replay, seat: int) -> str:
        """Hand and followers of a seat."""
        shown = turn_examples.of(known)[1]
        followers = f" Your followers: {named(shown.followers[seat]) or 'none yet'}." if shown.phase == 1 else ""
        return f"Your hand: {named(shown.hands[seat])}.{followers}"

    def offered(self, known: Replay) -> tuple[str, list[str]]:
        """All cards that may be played."""
        shown = turn_examples.of(known)[1]
        if shown.to_act is None:
            return "The game is over.", []
        turns = [NAMES[card] for card in turn_examples.playable(known)]
        text = "Copy one of these cards to the top of your answer."
        if len(turns) == 1:
            text = "You can play only this card. Copy it to the top of your answer."
        return f"{self._due(shown)} {text}", turns

    def playable(self, known: Replay, seat: int, card: str) -> tuple[str, list[str]]:
        """The cards of a faction that may be played."""
        game, shown = turn_examples.of(known)
        if not card:
            return self.offered(known)
        faction = next(each for each in FACTIONS.values() if each.name == card)
        if not any(held[0] == faction.letter for held in shown.hands[seat]):
            return f"You have no {card}. [{game.ids('trick.hand')}]", []
        turns = [NAMES[held] for held in turn_examples.playable(known) if held[0] == faction.letter]
        if not turns:
            return f"You cannot play {faction.plural} now. {self._due(shown)} [{game.ids('trick.follow')}]", []
        return f"{self._due(shown)} You may play these {faction.plural}:", turns

    @staticmethod
    def _due(shown: Position) -> str:
        """What has to be played, in words."""
        if shown.led is None:
            return "You lead. Play any card."
        follows = hand_of(shown).follows
        if follows is None:
            return f"{NAMES[shown.led]} is led. You have no {FACTIONS[shown.led[0]].name}, so you may play any card."
        other = "" if follows == DOPPELGANGER else f", or play a {FACTIONS[DOPPELGANGER].name}"
        return f"{NAMES[shown.led]} is led. You must follow with one of your {FACTIONS[follows].plural}{other}."

    repairs = staticmethod(turn_examples.repairs)
    similar = staticmethod(turn_examples.similar)
    shorthand = staticmethod(aims.shorthand)
    aims = staticmethod(aims.aims)
    samples = staticmethod(facts.samples)

    # -- in plain sentences -------------------------------------------------------------------------------

    short = staticmethod(sentences.short)
    since = staticmethod(sentences.since)
    headline = staticmethod(sentences.headline)
    turn_in_words = staticmethod(sentences.turn_in_words)
    facts = staticmethod(facts.facts)
    result = staticmethod(endings.result)
    decided = staticmethod(endings.decided)

    def outlook(self, known: Replay, seat: int) -> str:
        """What the seat has to play, as nobody can pass; "" where it is not its turn."""
        shown = turn_examples.of(known)[1]
        return self._due(shown) if shown.to_act == seat else ""


PLUGIN = ClaimMail()
