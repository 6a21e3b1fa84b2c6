"""The game's side of the mail interface."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tkid.games.struggle.mail import phrases, sentences
from tkid.games.struggle.mail.plan_judge import Judge
from tkid.games.struggle.rules.board import Position
from tkid.games.struggle.rules.game import Struggle
from tkid.kernel.ladder import NOTHING
from tkid.mail.plugin import MailPlugin
from tkid.notation.names import list_names
from tkid.record.clock_notes import NOTHING_TO_PLAY, Passed
from tkid.record.play.replay import Replay

MOST_WAYS = 12
"""Ways to play a card that are shown."""
HELPS = {
    "standing": "passes turn after turn until something happens",
    "why": "explains the result, or shows the power struggles so far",
}


class StruggleMail(MailPlugin):
    """The letters of The King is Dead, and the turns played without asking the player."""

    title = "The King is Dead"
    learn = "ten-minutes/"
    passing = "Pass"
    helps: Mapping[str, str] = MappingProxyType(HELPS)
    turn = "`Pass`, or a turn as shown under YOUR ANSWER"
    news = "of power struggles, and when the game ends"
    history = "The power struggles so far:"
    no_history = "No power struggle has been resolved yet."

    def is_passable(self, position: Position) -> bool:
        return position.decision == "play"

    def find_forced_turn(self, game: Struggle, position: Position) -> tuple[str, Passed] | None:
        return (self.passing, NOTHING_TO_PLAY) if game.only_passes(position) else None

    make_plan_judge = staticmethod(Judge)

    def list_offered(self, known: Replay) -> tuple[str, list[str]]:
        turns, few = phrases.list_offered_turns(known)
        text = "Each line is legal now. Copy one to the top of your answer, or change it to what you want."
        game, shown = phrases.get_struggle_and_position(known)
        if shown.decision == "play" and shown.to_act is not None:
            text += " After a card you may write `no summon` instead of a summons." if game.summons.optional else ""
            text += " You may also summon without playing a card." if game.summons.alone else ""
            held = [
                c for c in game.list_held(shown, shown.to_act) if c != game.plot and not game.list_options(shown, c)
            ]
            text += f" You cannot play {list_names(held, 'or')} now." if held else ""
        if few:
            text += f" This shows every way to play {list_names(few, 'and')} and one way for each other card, each with one summons."
        own = game.list_held(shown, shown.to_act) if shown.decision == "play" and shown.to_act is not None else ()
        if any(card not in few and game.list_options(shown, card) for card in own):
            text += " `legal CARD` shows more ways to play one card."
        return text, turns

    def list_playable(self, known: Replay, seat: int, card: str) -> tuple[str, list[str]]:
        game, shown = phrases.get_struggle_and_position(known)
        if not card or shown.decision != "play":
            return self.list_offered(known)
        if card not in shown.hands[seat]:
            return f"You have no {card}. [{game.ids('turn.hand')}]", []
        turns = phrases.list_example_ways(known, card, MOST_WAYS)
        if not turns:
            violations = game.cards[card].ladder.check(shown, NOTHING)
            because = [f"{violation.sentence}. [{violation.rule}]" for violation in violations]
            return " ".join([f"You cannot play {card} now.", *because]), []
        if len(turns) > MOST_WAYS:
            text = f"There are more than {MOST_WAYS} ways to play {card} now."
            return f"{text} Here are some, each with one summons:", turns[:MOST_WAYS]
        every = "The only way" if len(turns) == 1 else f"All {len(turns)} ways"
        return f"{every} to play {card} now, each with one summons:", turns

    find_repairs = staticmethod(phrases.find_repaired_turns)

    def find_similar(self, known: Replay, typed: str) -> tuple[str, str]:
        card = phrases.find_named_card(*phrases.get_struggle_and_position(known), typed)
        return card, phrases.find_example_turn(known, card) if card else ""

    explain_shorthand = staticmethod(phrases.explain_struggle_letters)
    list_aims = staticmethod(phrases.list_struggle_aims)
    list_samples = staticmethod(phrases.list_sample_turns)

    make_telling = staticmethod(sentences.Telling.make_telling)
    tell_turn = staticmethod(sentences.describe_unplayed_turn)
    describe_outlook = staticmethod(sentences.describe_pass_outlook)
    list_facts = staticmethod(sentences.list_struggle_facts)
    describe_result = staticmethod(sentences.describe_winner)
    describe_decision = staticmethod(sentences.explain_decision)


PLUGIN = StruggleMail()
