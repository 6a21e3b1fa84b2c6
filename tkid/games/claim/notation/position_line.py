"""The position in one line: the clauses of Claim."""

from __future__ import annotations

from itertools import groupby

from attrs import evolve
from lark import Token, Tree

from tkid.games.claim.notation import cards as typed
from tkid.games.claim.notation import position_data as w
from tkid.games.claim.rules.deck import SEATS, Cards
from tkid.games.claim.rules.game import Claim
from tkid.kernel.game import HIDDEN
from tkid.kernel.problems import Kind, Problem
from tkid.notation.position_codec import Clause, PositionCodec, place
from tkid.notation.position_errors import RULE, PositionError, problem


def group(cards: Cards) -> str:
    """Cards as codes, hidden ones together with their number: `G0 G5 3?`; `-` for none."""
    if HIDDEN not in cards:
        return " ".join(cards) or "-"
    runs = ((card, sum(1 for _ in run)) for card, run in groupby(cards))
    texts = (f"{n}?" if card == HIDDEN and n > 1 else " ".join([card] * n) for card, n in runs)
    return " ".join(texts)


def _pile(cards: Cards) -> str | None:
    return group(cards) if cards else None


def _cards(_: Claim, cards: Tree[Token]) -> list[str]:
    """The cards of a clause by code, hidden ones each by itself."""
    return [card for tree in cards.children if isinstance(tree, Tree) for card in _card(tree)]


def _card(tree: Tree[Token]) -> list[str]:
    token = tree.children[0]
    assert isinstance(token, Token)
    if token.type == "HIDDEN":
        return [HIDDEN] * int(token[:-1] or 1)
    word = token.rstrip("0123456789")
    card = typed.read_card(word, token[len(word) :], *place(token))
    if isinstance(card, Problem):
        raise PositionError(evolve(card, rule=RULE))
    return [card]


def _single(_: Claim, tree: Tree[Token]) -> str:
    """The card of a clause that has one."""
    cards = _card(tree)
    if len(cards) != 1:
        hint = "Write one card, such as `G5`, or `?` for a hidden one."
        number = f"{len(cards)} cards, and one belongs here" if cards else "not a card"
        raise PositionError(problem(f"`{tree.children[0]}` is {number}", *place(tree), hint))
    return cards[0]


def _letters(_: Claim, *tokens: Token) -> list[str]:
    """Factions by letter: letters run together, or names."""
    letters: list[str] = []
    for token in tokens:
        if set(token.upper()) <= {*typed.LETTERS.values()}:
            letters += token.upper()
            continue
        faction = typed.read_faction(token, 0)
        if isinstance(faction, Problem):
            hint = f"The letters are {', '.join(f'{letter} {name}' for name, letter in typed.LETTERS.items())}."
            raise PositionError(problem(f"`{token}` is not a faction", *place(token), hint, Kind.NAME))
        letters.append(faction.letter)
    return letters


CODEC = PositionCodec(
    grammar="claim_position",
    first=(),
    of_seat=(
        Clause("hand", "hands", lambda _, position, seat: group(position.hands[seat]), _cards, []),
        Clause("followers", "followers", lambda _, position, seat: _pile(position.followers[seat]), _cards, []),
        Clause("score", "scores", lambda _, position, seat: _pile(position.scores[seat]), _cards, []),
        Clause("lacks", "lacks", lambda _, position, seat: position.lacks[seat] or None, _letters, []),
    ),
    last=(
        Clause("discards", "discards", lambda _, position: _pile(position.discards), _cards),
        Clause("prize", "prize", lambda _, position: position.prize, _single),
        Clause("deck", "deck", lambda _, position: _pile(position.deck), _cards),
        Clause("led", "led", lambda _, position: position.led, _single),
    ),
    names=lambda game: game,
    data=lambda game, stated: w.PositionData(game.code, **stated),
    position=w.read,
    decisions=("play",),
    most_seats=SEATS,
    plain=typed.unaccented,
)
write_position, read_position = CODEC.write, CODEC.read
