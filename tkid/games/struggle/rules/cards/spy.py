"""Spy: the card on top of another player's discard pile, resolved as if it had been played."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from attrs import evolve, frozen

from tkid.games.struggle.rules.cards.card import Card, CardFactory, rewriting
from tkid.games.struggle.rules.moves import Copy, Resolution
from tkid.games.struggle.rules.position import Ban, Position
from tkid.games.struggle.rules.words import Words
from tkid.kernel.ladder import NOTHING, nearest
from tkid.kernel.options import Each, Options
from tkid.kernel.problems import Violation
from tkid.rulebook import cites


def spy(factory: CardFactory, name: str, cards: Mapping[str, Card], *, effect_first: bool) -> Card:
    """A copy of any of these cards. With `effect_first`, a pile whose card has an effect comes before one whose has none."""
    copying = Copying(factory, name, cards, effect_first)

    def as_copied(position: Position, copy: Copy) -> Copy:
        card = cards.get(copy.card)
        return evolve(copy, resolution=card.canonical(position, copy.resolution)) if card else copy

    def ban(resolution: Resolution, seat: int) -> Ban | None:
        return cards[resolution.card].ban(resolution.resolution, seat) if isinstance(resolution, Copy) else None

    return Card(name, factory.ids("card.spy"), "copy", copying, rewriting(Copy, as_copied), ban)


@frozen(eq=False)
class Copying:
    """What Spy may do: whatever the ladders of the copied cards allow; nothing where no pile can be chosen."""

    factory: CardFactory
    name: str
    cards: Mapping[str, Card]
    effect_first: bool

    @cites("ruling.spy-on-spy", "ruling.spy-pile", "ruling.spy-negotiate")
    def piles(self, position: Position) -> dict[int, Card]:
        """The seats whose pile may be chosen, each with the card on top."""
        tops = {seat: pile[-1] for seat, pile in enumerate(position.discards) if pile and seat != position.to_act}
        piles = {seat: self.cards[top] for seat, top in tops.items() if top in self.cards}
        if not self.effect_first:
            return piles
        return {seat: card for seat, card in piles.items() if not card.ladder.admits(position, NOTHING)} or piles

    def ways(self, position: Position) -> Sequence[Resolution]:
        """The legal copies."""
        return self.options(position)

    def options(self, position: Position) -> Options[Resolution]:
        """The legal copies, which can be asked whether they have one."""
        copies: list[Sequence[Resolution]] = [
            Each(partial(Copy, seat, card.name), card.ladder.ways(position))
            for seat, card in self.piles(position).items()
        ]
        return Options(copies or [(NOTHING,)], partial(self.admits, position))

    def admits(self, position: Position, resolution: object) -> bool:
        """Whether a copy is legal."""
        piles = self.piles(position)
        if not isinstance(resolution, Copy):
            return not piles and resolution == NOTHING
        card = piles.get(resolution.seat)
        return card is not None and card.name == resolution.card and card.ladder.admits(position, resolution.resolution)

    def check(self, position: Position, resolution: Resolution) -> tuple[Violation, ...]:
        """Every rule that a copy breaks, with what would be legal instead."""
        if self.admits(position, resolution):
            return ()
        ids = self.factory.ids
        if not isinstance(resolution, Copy):
            legal = nearest(resolution, self.options(position))
            words = Words(self.factory.board).resolution
            if resolution == NOTHING:
                sentence = f"There is a card to copy: {words(legal[0])} is possible"
                return (Violation(ids("partial.in-full"), sentence, alternatives=legal),)
            return (Violation(ids("card.spy"), f"{words(resolution)} is not what this card does", alternatives=legal),)
        pile = tuple(self._pile(position, resolution))
        if pile:
            legal = nearest(resolution, self.options(position))
            return tuple(evolve(violation, alternatives=legal) for violation in pile)
        inner = self.cards[resolution.card].ladder.check(position, resolution.resolution)
        copied = partial(Copy, resolution.seat, resolution.card)
        return tuple(evolve(violation, alternatives=tuple(map(copied, violation.alternatives))) for violation in inner)

    def _pile(self, position: Position, copy: Copy) -> Iterator[Violation]:
        """Why a pile, or the card named as its top card, cannot be chosen."""
        ids, whose = self.factory.ids, f"{{{copy.seat}}}"
        pile = position.discards[copy.seat] if copy.seat in position.seats else ()
        if copy.seat == position.to_act:
            yield Violation(ids("card.spy.other"), f"{self.name} copies another player's card, not your own", "seat")
        elif not pile:
            yield Violation(ids("card.spy.other"), f"{whose} has no discard pile yet", "seat")
        elif pile[-1] == self.name:
            yield Violation(ids("card.spy.no-spy"), f"the top card of {whose}'s pile is {self.name}", "seat")
        elif pile[-1] != copy.card:
            sentence = f"the top card of {whose}'s pile is {pile[-1]}, not {copy.card}"
            yield Violation(ids("card.spy.top"), sentence, "copied")
        elif copy.seat not in self.piles(position):
            sentence = f"{pile[-1]} would have no effect, but the top card of another pile would"
            yield Violation(ids("ruling.spy-pile"), sentence, "seat")
