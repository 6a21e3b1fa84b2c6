"""One card in plain sentences: who led or followed, who took the trick, and what it brought."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import frozen

from tkid.games.claim.mail.endings import result
from tkid.games.claim.mail.tricks import trick_at
from tkid.games.claim.mail.turn_examples import of
from tkid.games.claim.rules.deck import DWARF, NAMES, UNDEAD, Card
from tkid.games.claim.rules.moves import Play
from tkid.games.claim.rules.position import Position
from tkid.games.claim.rules.tricks import Trick
from tkid.kernel.game import HIDDEN
from tkid.mail.voice import SHORT, SUBJECT, Voice, both, fitting, sentence
from tkid.record.format.model import Turn
from tkid.record.format.turn_rows import reader
from tkid.record.play.replay import Moment, Replay

WHY = {"claim.power.knights": "a Knight beats any Goblin", "claim.trick.tie": "equal cards go to the leader"}
"""Why somebody took a trick where it was not simply the higher card, by rule."""


@frozen
class Telling:
    """Tells one card to a reader; `trick` is the trick that it completed, None where it was led."""

    voice: Voice
    moment: Moment
    turn: Turn
    card: Card
    trick: Trick | None

    @classmethod
    def of(cls, known: Replay, number: int, reader: int | None) -> Telling | None:
        """The telling of the card that led to a moment; None for the start, and for a turn that was not carried out."""
        moment = known.moments[number]
        if moment.turn is None or not moment.moves:
            return None
        (move, *_) = moment.moves
        assert isinstance(move, Play)
        trick = trick_at(known, number)
        return cls(Voice(known.record.names, reader), moment, moment.turn, move.card, trick)

    @property
    def who(self) -> str:
        """Who played the card."""
        return self.voice.who(self.turn.seat)

    @property
    def taken_back(self) -> str:
        """That the turn was taken back, "" where it was not."""
        return f"{self.voice.whose(self.turn.seat)} turn {self.turn.number} was taken back" if self.turn.undone else ""

    @property
    def taken_back_by(self) -> str:
        """Who decided that the turn was taken back."""
        by_host = any(event.rule == "post.undo.host" for event in self.moment.events)
        return "the host decided so" if by_host else "everybody agreed"

    def shortly(self) -> Sequence[str]:
        """The card in one clause, the longest wording first."""
        if self.taken_back:
            return (self.taken_back,)
        name, trick = NAMES[self.card], self.trick
        if trick is None:
            return (f"{self.who} led {name}",)
        which = "the last trick" if trick.last else "the trick"
        if trick.winner == self.turn.seat:
            return f"{self.who} took {which} with {name}", f"{self.who} took {which}"
        return f"{self.who} played {name}, and {self.voice.who(trick.winner)} took {which}", f"{self.who} played {name}"

    def fully(self) -> Iterator[str]:
        """The card and what followed."""
        if self.taken_back:
            yield f"{self.taken_back}; {self.taken_back_by}"
        elif self.trick is None:
            yield self.shortly()[0]
        else:
            yield self._taken(self.trick)
            yield from self._recruited(self.trick) if self.trick.before.phase == 1 else self._gathered(self.trick)

    def _taken(self, trick: Trick) -> str:
        """What was played on what, and who took the trick; why, where it was not simply the higher card."""
        led = f"{self.voice.whose(trick.leader)} {NAMES[trick.led]}"
        which = "the last trick" if trick.last else "the trick"
        why = f", as {WHY[trick.verdict.rule]}" if trick.verdict.rule in WHY else ""
        taken = f"{self.voice.who(trick.winner)} took {which}{why}"
        return f"{self.who} played {NAMES[self.card]} on {led}, and {taken}"

    def _recruited(self, trick: Trick) -> Iterator[str]:
        """What followed from a trick of phase one."""
        loser, prize = 1 - trick.winner, trick.before.prize
        won = "the prize" if prize in {None, HIDDEN} else f"the prize, {NAMES[prize]},"
        drawn = next((event.about for event in self.moment.events if event.about is not None), None)
        new = "the next card, unseen" if drawn is None else f"{NAMES[drawn]} as a follower"
        yield f"{self.voice.who(trick.winner)} recruited {won} and {self.voice.who(loser)} drew {new}"
        undead = [card for card in trick.cards if card[0] == UNDEAD]
        if undead:
            yield self._scored(undead, trick.winner)
        after = self.moment.position
        assert isinstance(after, Position)
        if after.phase == 1:
            yield f"{'another card' if after.prize in {None, HIDDEN} else NAMES[after.prize]} is the next prize"
        else:
            leads = f"{self.voice.who(trick.winner)} {self.voice.verb([trick.winner], 'leads', 'lead')}"
            yield f"phase two begins: the followers are the hands now, and {leads}"

    def _gathered(self, trick: Trick) -> Iterator[str]:
        """What followed from a trick of phase two."""
        dwarves = [card for card in trick.cards if card[0] == DWARF]
        others = [card for card in trick.cards if card[0] != DWARF]
        if others:
            yield self._scored(others, trick.winner)
        if dwarves:
            yield self._scored(dwarves, 1 - trick.winner)

    def _scored(self, cards: Sequence[Card], seat: int) -> str:
        return f"{both(NAMES[card] for card in cards)} went to {self.voice.whose(seat)} score pile"


def short(known: Replay, number: int, reader: int | None) -> str:
    """A card as the first sentence of a mail has it."""
    telling = Telling.of(known, number, reader)
    return fitting(SHORT, *map(sentence, telling.shortly())) if telling else ""


def since(known: Replay, number: int, reader: int | None) -> list[str]:
    """A card with what followed."""
    telling = Telling.of(known, number, reader)
    told = [sentence(each) for each in telling.fully()] if telling else []
    over = known.moments[number].position.to_act is None and number == len(known.moments) - 1
    return [*told, *([result(known, reader)[1]] if over else [])]


def headline(known: Replay, number: int) -> str:
    """A card as a subject has it."""
    telling = Telling.of(known, number, None)
    if telling is None:
        return "a new game"
    if telling.moment.position.to_act is None:
        return "the game is over"
    if telling.taken_back:
        return f"turn {telling.turn.number} was taken back"
    if telling.trick is None:
        return fitting(SUBJECT, f"{telling.who} led {NAMES[telling.card]}", f"{NAMES[telling.card]} was led")
    return fitting(SUBJECT, f"{telling.voice.who(telling.trick.winner)} took the trick", "the trick was taken")


def turn_in_words(known: Replay, text: str) -> str:
    """A legal card that was not played yet, told to its player; "" for what is no card."""
    game, position = of(known)
    moves = reader(game, known.record.names).turn(text).moves
    seat = position.to_act
    if len(moves) != 1 or seat is None:
        return ""
    card, voice = moves[0].card, Voice(known.record.names, seat)
    trick = Trick.of(position, card)
    if trick is None:
        return f"You lead {NAMES[card]}."
    takes = f"{voice.who(trick.winner)} {voice.verb([trick.winner], 'takes', 'take')}"
    return f"You play {NAMES[card]} on {voice.whose(trick.leader)} {NAMES[trick.led]}, and {takes} the trick."
