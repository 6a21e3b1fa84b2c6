"""A position of Claim in one line: reading it and writing it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import groupby
from typing import Any

from attrs import evolve
from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput, UnexpectedToken

from tkid.games.claim.notation import cards as typed
from tkid.games.claim.notation import position_data as w
from tkid.games.claim.rules.deck import SEATS, Cards
from tkid.games.claim.rules.game import Tricks
from tkid.games.claim.rules.position import Position
from tkid.kernel.game import HIDDEN
from tkid.kernel.problems import Kind, Problem
from tkid.notation.grammar_files import source
from tkid.notation.position_faults import RULE, PositionError, problem

AS_IN_JSON = "This is named as in the position in JSON, where seats count from 0."


@cache
def parser() -> Lark:
    """The parser of the line."""
    return Lark(source("claim_position"), parser="lalr", start="position", propagate_positions=True)


def group(cards: Cards) -> str:
    """Cards as codes, hidden ones together with their number: `G0 G5 3?`; `-` for none."""
    runs = ((card, sum(1 for _ in run)) for card, run in groupby(cards))
    texts = (f"{n}?" if card == HIDDEN and n > 1 else " ".join([card] * n) for card, n in runs)
    return " ".join(texts) or "-"


def write_position(game: Tricks, position: Position) -> str:
    """A position in one line."""
    clauses = [game.code]
    for seat in position.seats:
        number = seat + 1
        clauses.append(f"{number} hand {group(position.hands[seat])}")
        for label, pile in (("followers", position.followers[seat]), ("score", position.scores[seat])):
            clauses += [f"{number} {label} {group(pile)}"] if pile else []
        clauses += [f"{number} lacks {position.lacks[seat]}"] if position.lacks[seat] else []
    clauses += [f"discards {group(position.discards)}"] if position.discards else []
    clauses += [f"prize {position.prize}"] if position.prize is not None else []
    clauses += [f"deck {group(position.deck)}"] if position.deck else []
    clauses += [f"led {position.led}"] if position.led is not None else []
    if position.to_act is not None:
        clauses.append(f"to play {position.to_act + 1}")
    else:
        clauses.append(" ".join([f"ended {position.ending}", *(str(seat + 1) for seat in position.winners)]))
    return "; ".join(clauses)


def read_position(game: Tricks, text: str) -> Position:
    """The position of a line, which begins with the ruleset's code. Raises PositionError."""
    try:
        tree = parser().parse(typed.unaccented(text))
    except UnexpectedInput as error:
        ended = isinstance(error, UnexpectedToken) and error.token.type == "$END"
        at = len(text) if ended or error.pos_in_stream is None else error.pos_in_stream
        found = text[at : at + 12].strip()
        told = f"`{found}` does not belong here" if found else "the position breaks off here"
        raise PositionError(problem(told, at, max(1, len(found)))) from None
    clauses = _Clauses()
    for clause in tree.children[1:]:
        assert isinstance(clause, Tree)
        getattr(clauses, clause.data)(*clause.children)
    try:
        return w.read(clauses.written(game.code))
    except w.WrittenError as error:
        raise PositionError(*(problem(fault, 0, len(text), AS_IN_JSON) for fault in error.faults)) from None


class _Clauses:
    """Collects the clauses of a line into the written form."""

    def __init__(self) -> None:
        self.by_seat: dict[str, dict[int, list[str]]] = {key: {} for key in ("hand", "followers", "score", "lacks")}
        self.once: dict[str, Any] = {}

    def written(self, code: str) -> w.WrittenPosition:
        """The written form of all clauses together."""

        def each(key: str) -> list[list[str]]:
            return [self.by_seat[key].get(seat, []) for seat in range(SEATS)]

        once = self.once
        doc = w.WrittenPosition(
            ruleset=code,
            hands=each("hand"),
            prize=once.get("prize"),
            led=once.get("led"),
            followers=each("followers"),
            scores=each("score"),
            discards=once.get("discards", []),
            deck=once.get("deck", []),
            lacks=each("lacks"),
        )
        if "ended" in once:
            ending, winners = once["ended"]
            return evolve(doc, ending=ending, winners=winners)
        return evolve(doc, to_act=once.get("due", 0))

    # -- clauses ------------------------------------------------------------------------------------------

    def hand(self, seat: Token, cards: Tree[Token]) -> None:
        """The cards in hand."""
        self._each("hand", seat, list(_names(cards)))

    def followers(self, seat: Token, cards: Tree[Token]) -> None:
        """The follower pile."""
        self._each("followers", seat, list(_names(cards)))

    def score(self, seat: Token, cards: Tree[Token]) -> None:
        """The score pile."""
        self._each("score", seat, list(_names(cards)))

    def lacks(self, seat: Token, *letters: Token) -> None:
        """The factions of which a seat has shown to hold no card."""
        self._each("lacks", seat, list(_letters(letters)))

    def discards(self, cards: Tree[Token]) -> None:
        """The discarded cards."""
        self._say(self.once, "discards", list(_names(cards)), cards)

    def deck(self, cards: Tree[Token]) -> None:
        """The deck from its top."""
        self._say(self.once, "deck", list(_names(cards)), cards)

    def prize(self, card: Tree[Token]) -> None:
        """The card that is played for."""
        self._say(self.once, "prize", next(_named(card)), card)

    def led(self, card: Tree[Token]) -> None:
        """The card that was led."""
        self._say(self.once, "led", next(_named(card)), card)

    def due(self, seat: Token) -> None:
        """Who plays next."""
        self._say(self.once, "due", _seat(seat), seat)

    def ended(self, ending: Token, *seats: Token) -> None:
        """How the game ended."""
        self._say(self.once, "ended", (ending.lower(), [_seat(seat) for seat in seats]), ending)

    def _each(self, key: str, seat: Token, value: list[str]) -> None:
        self._say(self.by_seat[key], _seat(seat), value, seat)

    @staticmethod
    def _say(said: dict[Any, Any], key: Any, value: Any, token: Token | Tree[Token]) -> None:
        """Take in what a clause says, unless one before it said it already."""
        if key in said:
            raise PositionError(problem("This is stated a second time", *_place(token)))
        said[key] = value


def _seat(token: Token) -> int:
    if not 1 <= int(token) <= SEATS:
        at, length = _place(token)
        raise PositionError(problem(f"There is no seat {token}", at, length, "Seats count from 1."))
    return int(token) - 1


def _place(token: Token | Tree[Token]) -> tuple[int, int]:
    """Where a token, or the first word of a tree, stands: column from 0, and length."""
    while isinstance(token, Tree):
        token = token.children[0]
    return token.start_pos or 0, len(token)


def _names(cards: Tree[Token]) -> Iterator[str]:
    """The cards of a clause by printed name, hidden ones each by itself."""
    for card in cards.children:
        if isinstance(card, Tree):
            yield from _named(card)


def _named(tree: Tree[Token]) -> Iterator[str]:
    token = tree.children[0]
    assert isinstance(token, Token)
    if token.type == "HIDDEN":
        yield from [HIDDEN] * int(token[:-1] or 1)
        return
    at, length = _place(token)
    word = token.rstrip("0123456789")
    faction = typed.faction(word.strip(), at)
    found = faction if isinstance(faction, Problem) else typed.card(faction, token[len(word) :], at, length)
    if isinstance(found, Problem):
        raise PositionError(evolve(found, rule=RULE))
    yield found


def _letters(tokens: tuple[Token, ...]) -> Iterator[str]:
    """Factions by letter: letters run together, or names."""
    for token in tokens:
        at, length = _place(token)
        letters = token.upper()
        if set(letters) <= {*typed.LETTERS.values()}:
            yield from letters
            continue
        faction = typed.faction(token, at)
        if isinstance(faction, Problem):
            known = ", ".join(f"{letter} {name}" for name, letter in typed.LETTERS.items())
            raise PositionError(problem(f"`{token}` is no faction", at, length, f"The letters are {known}.", Kind.NAME))
        yield faction.letter
