"""Moves as JSON objects that say who goes where, so that no notation has to be read to understand them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tkid.games.struggle.notation.position_data import MOST
from tkid.games.struggle.rules.game import PASS, Struggle
from tkid.games.struggle.rules.moves import (
    FORMS,
    Copy,
    Exchange,
    Move,
    NoSummon,
    Pass,
    Play,
    Resolution,
    Reveal,
    Summon,
    resolution_of,
    transfers,
)
from tkid.games.struggle.rules.transfers import COURT, SUPPLY, Flow, NoSuchResolutionError, Transfer, Where
from tkid.games.struggle.rules.turns.summoning import NO_SUMMON
from tkid.kernel.ladder import NOTHING
from tkid.record.json.objects import JsonError

ENDS = {"supply": SUPPLY, "court": COURT}
"""What stands in place of a region's code: the supply, and the court of whoever plays the card."""


def move_json(game: Struggle, move: Move) -> dict[str, Any]:
    """A move as a JSON object."""
    board = game.board
    match move:
        case Pass():
            return {"move": "pass"}
        case Play(card, resolution):
            return {"move": "play", "card": card, "resolution": resolution_json(game, resolution)}
        case Summon(faction, region):
            return {"move": "summon", "faction": board.factions[faction].letter, "region": board.regions[region].code}
        case NoSummon():
            return {"move": "no summon"}
        case Reveal(_, faction):
            return {"move": "plot", "faction": board.factions[faction].letter}


def resolution_json(game: Struggle, resolution: Resolution) -> dict[str, Any]:
    """A resolution as a JSON object: the ways that followers go, or the region cards that change places, or a copy."""
    codes = [region.code for region in game.board.regions]
    match resolution:
        case Exchange(first, second, disc):
            return {"cards": [codes[first], codes[second]], "disc": None if disc is None else codes[disc]}
        case Copy(seat, card, copied):
            return {"seat": seat, "card": card, "resolution": resolution_json(game, copied)}
        case _:
            letters = [faction.letter for faction in game.board.factions]
            ends = dict(enumerate(codes)) | {place: end for end, place in ENDS.items()}
            return {
                "transfers": [
                    {
                        "followers": {f: n for f, n in zip(letters, group, strict=True) if n},
                        "from": ends[origin],
                        "to": ends[target],
                    }
                    for group, origin, target in transfers(resolution)
                    if any(group)
                ]
            }


def read_move_json(game: Struggle, value: Any) -> Move:
    """The move of a JSON object.

    Raises JsonError where the object is none of the documented forms or names what there is not, and
    NoSuchResolutionError where it is one, but nothing of the kind that its card does.
    """
    read = _Moves(game)
    kind = read.attribute(value, "move", str, "move")
    match kind:
        case "pass":
            return PASS
        case "no summon":
            return NO_SUMMON
        case "summon":
            return Summon(read.faction(value, "move"), read.region(value, "region", "move"))
        case "plot" if game.plot:
            return Reveal(game.plot, read.faction(value, "move"))
        case "play":
            card = read.card(value, "move")
            return Play(card, read.resolution(card, read.attribute(value, "resolution", dict, "move")))
        case "plot":
            raise NoSuchResolutionError
    raise JsonError(f"move.move: {kind!r} is none of pass, play, summon, no summon, plot")


class _Moves:
    """Reads the parts of moves of a game."""

    def __init__(self, game: Struggle) -> None:
        self.game = game
        self.codes = [region.code for region in game.board.regions]
        self.letters = [faction.letter for faction in game.board.factions]

    def attribute(self, value: Any, name: str, kind: type, place: str) -> Any:
        """An attribute of an object that has to be there and of a type."""
        if not isinstance(value, dict):
            raise JsonError(f"{place}: a JSON object belongs here")
        found = value.get(name)
        if type(found) is not kind:
            raise JsonError(f"{place}.{name}: is missing, or of another type than documented")
        return found

    def faction(self, value: Any, place: str) -> int:
        """A faction by its letter."""
        letter = self.attribute(value, "faction", str, place)
        if letter not in self.letters:
            raise JsonError(f"{place}.faction: {letter} is none of {', '.join(self.letters)}")
        return self.letters.index(letter)

    def region(self, value: Any, name: str, place: str) -> int:
        """A region by its code."""
        return self._coded(self.attribute(value, name, str, place), f"{place}.{name}")

    def _coded(self, code: Any, place: str) -> int:
        if code not in self.codes:
            raise JsonError(f"{place}: {code} is none of {', '.join(self.codes)}")
        return self.codes.index(code)

    def card(self, value: Any, place: str) -> str:
        """A card of the edition, in this game or not."""
        card: str = self.attribute(value, "card", str, place)
        if card not in self.game.cards and card not in self.game.absent:
            raise JsonError(f"{place}.card: {card} is not a card of {self.game.code}")
        return card

    def resolution(self, card: str, value: Mapping[str, Any]) -> Resolution:
        """What is done with a card. Of a card that is not in this game nothing is known but what is done."""
        if value.get("transfers") == [] or card in self.game.absent:
            return NOTHING
        form = self.game.cards[card].form
        if form == "exchange":
            return self._exchange(value)
        if form == "copy":
            copied = self.card(value, "resolution")
            if copied not in self.game.cards or self.game.cards[copied].form in {"copy", "reveal"}:
                raise NoSuchResolutionError
            inner = self.resolution(copied, self.attribute(value, "resolution", dict, "resolution"))
            return Copy(self.attribute(value, "seat", int, "resolution"), copied, inner)
        if form not in FORMS:
            raise NoSuchResolutionError
        return resolution_of(form, Flow.of(self._transfers(value), len(self.letters)))

    def _exchange(self, value: Mapping[str, Any]) -> Resolution:
        cards = [self._coded(code, "cards") for code in self.attribute(value, "cards", list, "resolution")]
        if len(cards) != 2:
            raise NoSuchResolutionError
        disc = value.get("disc")
        return Exchange(cards[0], cards[1], None if disc is None else self._coded(disc, "disc"))

    def _transfers(self, value: Mapping[str, Any]) -> Iterator[Transfer]:
        """Who goes from where to where."""
        for transfer in self.attribute(value, "transfers", list, "resolution"):
            origin, target = (self._end(transfer, name) for name in ("from", "to"))
            counts = self.attribute(transfer, "followers", dict, "transfers")
            if not set(counts) <= set(self.letters) or any(
                type(n) is not int or not 0 <= n <= MOST for n in counts.values()
            ):
                raise JsonError("transfers.followers: counts by the letters of factions belong here")
            yield Transfer(tuple(counts.get(letter, 0) for letter in self.letters), origin, target)

    def _end(self, transfer: Any, name: str) -> Where:
        """The place that a transfer comes from or goes to."""
        code = self.attribute(transfer, name, str, "transfers")
        return ENDS[code] if code in ENDS else self._coded(code, name)
