"""Turns and positions of Crosses as text."""

from __future__ import annotations

import re
from collections.abc import Mapping

from tests.games.crosses.rules import CARDS, FIELDS, Crosses, Move, Position
from tkid.kernel.problems import Kind, Problem
from tkid.notation.names import Unknown, Vocabulary
from tkid.notation.plugin import NotationPlugin, Span, TurnReader, WrongError
from tkid.notation.position_errors import report_unexpected

# --8<-- [start:turns]
HINT = "A turn is a field, as in `b2`, or a card with a field, as in `Erase b2`."
LINE = re.compile(
    r"crosses; board (?P<board>[XO.#]{9}); hands (?P<hands>\S+ \S+); played (?P<played>.+)"
    r"; (?:to play (?P<seat>[12])|ended .*)"
)


class Reader(TurnReader):
    """Reads a field, or a card and a field."""

    game: Crosses
    cards = Vocabulary({**CARDS, **dict.fromkeys(FIELDS)}, {})

    def parse_move(self, text: str) -> tuple[Move, Mapping[str, Span]]:
        words = [(match[0], match.start()) for match in re.finditer(r"\S+", text)]
        found = [self._find_word(*word) for word in words]
        parts = {
            "field" if word in FIELDS else "card": (at, len(typed))
            for word, (typed, at) in zip(found, words, strict=True)
        }
        *cards, place = found or [""]
        if place not in FIELDS or len(cards) > 1 or cards[:1] == [place] or set(cards) & set(FIELDS):
            column = len(text) if found else 0
            raise WrongError(
                Problem(Kind.SYNTAX, "notation.form", "This is no turn", col=column + 1, length=1, hint=HINT)
            )
        return Move(FIELDS.index(place), *cards), parts

    def _find_word(self, typed: str, column: int) -> str:
        name = self.cards.find(typed)
        if isinstance(name, Unknown):
            raise WrongError(name.make_problem("card", "notation.card", (column, len(typed)), HINT))
        return name

    def find_rule(self, move: Move) -> str:
        return self.game.ids(CARDS.get(move.card, "turn.mark"))


# --8<-- [end:turns]


# --8<-- [start:positions]
class CrossesNotation(NotationPlugin):
    """The notation of Crosses."""

    reader = Reader

    @property
    def positions(self) -> CrossesNotation:
        return self

    def write_line(self, game: Crosses, position: Position) -> str:
        hands = " ".join("".join(hand) or "-" for hand in position.hands)
        due = f"ended {position.ending}" if position.to_act is None else f"to play {position.to_act + 1}"
        return f"{game.code}; board {position.board}; hands {hands}; played {' '.join(position.played) or '-'}; {due}"

    def read_line(self, game: Crosses, text: str) -> Position:
        line = LINE.fullmatch(text.strip())
        if line is None:
            raise report_unexpected(text, len(game.code))
        hands = tuple((card,) if card != "-" else () for card in line["hands"].split())
        played = tuple(line["played"].split()) if line["played"] != "-" else ()
        seat = int(line["seat"]) - 1 if line["seat"] else None
        return Position(line["board"], hands, played, seat)


PLUGIN = CrossesNotation()
# --8<-- [end:positions]
