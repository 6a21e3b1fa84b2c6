"""What positions in JSON ask of a game: its position data, its cards, and what is legal."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from cattrs.gen import make_dict_unstructure_fn, override

from tkid.kernel.game import HIDDEN
from tkid.notation.position_errors import PositionDataError
from tkid.record.json.objects import JsonError, converter, game_of, shown, structured
from tkid.rulebook.rulesets import readings


class GameJson(ABC):
    """Positions of a game as JSON, and what is legal in them.

    `data` is the class of the game's position data; `write` makes it of a game, a position and the readings that differ
    from the defaults, and `read` makes a position of a game and the data. The `optional` attributes are left out where
    they have their default.
    """

    def __init__(
        self,
        data: type[Any],
        write: Callable[[Any, Any, Mapping[str, str]], Any],
        read: Callable[[Any, Any], Any],
        optional: Sequence[str],
    ) -> None:
        self._data, self._write, self._read = data, write, read
        self._converter = converter()
        left_out: dict[str, Any] = {name: override(omit_if_default=True) for name in optional}
        self._converter.register_unstructure_hook(data, make_dict_unstructure_fn(data, self._converter, **left_out))

    def position_json(self, game: Any, position: Any) -> dict[str, Any]:
        """A position as the documented JSON object; `ruleset` is its code."""
        value: dict[str, Any] = self._converter.unstructure(self._write(game, position, readings(game)))
        return value

    def read_position_json(self, value: Any) -> tuple[Any, Any]:
        """The game and the position of a JSON object. Raises JsonError with every fault found."""
        data = structured(value, self._data, self._converter)
        game = game_of(data.ruleset, data.rulings)
        try:
            return game, self._read(game, data)
        except PositionDataError as error:
            raise JsonError(*(f"position.{fault}" for fault in error.faults)) from None

    @abstractmethod
    def legal_json(self, game: Any, position: Any) -> dict[str, Any]:
        """Whether a pass is legal, and for each card in hand the number of its resolutions; `unknown` cards apart."""

    def legal_lines(self, game: Any, position: Any, request: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to one line of `tkid legal --jsonl` about a position. Raises JsonError."""
        typed = request.get("card")
        if typed is None:
            return self.legal_texts(game, position)
        card = self.card(game, typed) if isinstance(typed, str) else None
        if card is None:
            raise JsonError(f"card: {shown(typed)} is not a card of {game.code}")
        if position.to_act is None:
            raise JsonError("position: the game is over")
        return {"resolutions": self.resolutions(game, position, card)}

    @abstractmethod
    def legal_texts(self, game: Any, position: Any) -> dict[str, Any]:
        """What is legal in a position, as texts."""

    @abstractmethod
    def card(self, game: Any, typed: str) -> Any | None:
        """The card of a name; None if there is none."""

    @abstractmethod
    def resolutions(self, game: Any, position: Any, card: Any) -> list[str]:
        """The legal resolutions of a card for the seat to act, as texts, whether it holds the card or not."""

    def undecided(self, game: Any, position: Any) -> str:  # noqa: ARG002 - most positions have no result for one reason
        """Why a position has no result yet."""
        return "position: the game is not finished"


def unknown(position: Any) -> dict[str, int]:
    """How many cards of the seat to act are not known, as an attribute of what is legal; nothing where all are known."""
    hidden = 0 if position.to_act is None else position.hands[position.to_act].count(HIDDEN)
    return {"unknown": hidden} if hidden else {}
