"""Claim's part for pictures and for the clicks that make a turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tkid.games.claim.render import describe_consequence
from tkid.games.claim.render.picture import draw_claim_picture
from tkid.games.claim.rules import FACTIONS, NAMES, PLAYS, Card, Claim, Position, View
from tkid.kernel.game import HIDDEN, fill_names
from tkid.render import clicks
from tkid.render.picture import LastTurn, Part

TABLE = "table"
"""The place that a card changes: the trick, and the hand that it leaves."""


def _make_step(due: str, card: Card) -> clicks.Step:
    return clicks.Step(due, (f"card/{card}",), (clicks.Change(TABLE, (card,)),))


def _find_barred(game: Claim, position: Position, names: Sequence[str]) -> Iterator[tuple[str, clicks.Refusal]]:
    hand = position.hands[position.to_act or 0]
    for card in dict.fromkeys(card for card in hand if card != HIDDEN):
        for violation in game.check(position, PLAYS[card]):
            sentence = f"{NAMES[card]}: {fill_names(violation.sentence, names)}."
            yield f"card/{card}", clicks.Refusal(sentence, violation.rule)


class ClaimDrawing(clicks.DrawingPlugin):
    """Pictures of Claim."""

    draw_picture = staticmethod(draw_claim_picture)

    def make_choices(self, game: Claim, view: View, names: Sequence[str]) -> clicks.Choices:
        if nothing := clicks.find_idle_choices(view, names):
            return nothing
        position = view.shown
        due = "Choose a card to lead." if position.led is None else f"Choose a card to play on {NAMES[position.led]}."
        moves = tuple(game.legal(position))
        cards = [move.card for move in moves]
        return clicks.Choices(
            due=due,
            ways=tuple(
                clicks.Way(NAMES[move.card], clicks.Path((_make_step(due, move.card),)), None, move) for move in moves
            ),
            spots={f"card/{card}": clicks.Spot(NAMES[card], FACTIONS[card[0]].plural, NAMES[card]) for card in cards},
            rules={f"card/{card}": game.ids(f"power.{FACTIONS[card[0]].plural.casefold()}") for card in cards},
            barred=dict(_find_barred(game, position, names)),
        )

    def make_preview(self, game: Claim, view: View, names: Sequence[str], choices: clicks.Choices) -> clicks.Preview:
        position, seat = view.shown, view.seat
        if not choices.ways:
            return clicks.Preview()
        before = draw_claim_picture(game, view, names, layout="click").parts
        looks: dict[str, dict[clicks.State, tuple[Part, ...]]] = {TABLE: {}}
        brings: dict[tuple[clicks.Way, str], clicks.Outlook] = {}
        for way in choices.ways:
            move = way.move
            after, _ = game.apply(position, move)
            last = LastTurn(position.to_act or 0, (move,), (), position)
            drawn = draw_claim_picture(game, View(seat, after), names, last, layout="click").parts
            shown = [
                now
                for old, now in zip(before, drawn, strict=True)
                if now.name in {"trick", f"hand-{seat}"} and now != old
            ]
            looks[TABLE][(move.card,),] = tuple(shown)
            if words := describe_consequence(game, position, move, names):
                brings[way, ""] = clicks.Outlook(words)
        return clicks.Preview(looks, brings=brings)


PLUGIN = ClaimDrawing()
