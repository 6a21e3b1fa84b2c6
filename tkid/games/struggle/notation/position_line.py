"""The position in one line: the clauses of The King is Dead."""

from __future__ import annotations

from collections import Counter
from typing import Any

from lark import Token, Tree

from tkid.games.struggle.notation import position_data as w
from tkid.games.struggle.notation.turn_builder import Lexicon
from tkid.games.struggle.rules.board import OPEN
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.position import HIDDEN, Position
from tkid.kernel.problems import Kind
from tkid.notation.position_codec import Clause, Part, PositionCodec, number, place, seat_number, unknown_name
from tkid.notation.position_errors import PositionError, problem
from tkid.notation.vocabulary import Unknown, Vocabulary, listed

MOST_SEATS = 99
"""Seats that are counted at all; how many a game is for is its own matter."""


# -- writing ----------------------------------------------------------------------------------------------


def _regions(game: Struggle, position: Position) -> str:
    board = game.board
    return ", ".join(
        f"{region.code} {board.group(followers)}" if disc == OPEN else f"{region.code} ={w.disc_word(board, disc)}"
        for region, followers, disc in zip(board.regions, position.regions, position.discs, strict=True)
    )


def _track(game: Struggle, position: Position) -> str:
    return " ".join(game.board.regions[r].code + "*" * (r in position.negotiated) for r in position.track)


def _court(game: Struggle, position: Position, seat: int) -> str:
    return game.board.group(position.courts[seat])


def _played(_: Struggle, position: Position, seat: int) -> str | None:
    return ", ".join(position.discards[seat]) or None


def _discs(game: Struggle, position: Position, seat: int) -> int | None:
    return None if w.discs_follow(game, position) else position.negotiation_discs[seat]


def _struggles(game: Struggle, position: Position) -> str | None:
    """The resolved regions, where their order is not that of the track."""
    if position.struggles == w.resolved(position.track, position.discs):
        return None
    return " ".join(game.board.regions[region].code for region in position.struggles)


def _banned(game: Struggle, position: Position) -> str | None:
    ban, board = position.banned, game.board
    if ban is None:
        return None

    def signed(change: tuple[int, ...]) -> str:
        changes = ((n, faction.letter) for n, faction in zip(change, board.factions, strict=True) if n)
        return "".join(f"{'+' if n > 0 else '-'}{abs(n) if abs(n) > 1 else ''}{letter}" for n, letter in changes)

    changes = ", ".join(f"{board.regions[region].code} {signed(change)}" for region, change in ban.delta)
    return f"{ban.card} by {ban.by + 1}: {changes}"


def _plot(game: Struggle, position: Position) -> str | None:
    return None if position.plot is None else game.board.factions[position.plot].letter


def _starter(_: Struggle, position: Position) -> int | None:
    return None if position.starter is None else position.starter + 1


# -- reading ----------------------------------------------------------------------------------------------


class _Names:
    """What the clauses of a line name: regions, cards, factions and seats; and the regions that they have described."""

    def __init__(self, game: Struggle) -> None:
        self.board = game.board
        self.vocabulary, self.cards = Lexicon(game.board).regions, Vocabulary(game.cards, {HIDDEN: HIDDEN})
        self.codes = {region.name: region.code for region in game.board.regions}
        self.letters = [faction.letter for faction in game.board.factions]
        self.described: dict[str, w.RegionData] = {}

    def region(self, name: Part) -> str:
        region = self.vocabulary.find(str(name))
        if isinstance(region, Unknown):
            raise unknown_name(region, "region", name, self.vocabulary)
        return self.codes[region]

    def regions(self, *regions: Tree[Token]) -> dict[str, w.RegionData]:
        """Regions with their followers or discs, together with those of earlier clauses."""
        for region in regions:
            name, value = region.children
            code = self.region(name)
            if code in self.described:
                raise PositionError(problem(f"{code} is stated twice", *place(name)))
            if isinstance(value, Tree):
                self.described[code] = w.RegionData(self.followers(value))
            else:
                self.described[code] = w.RegionData(disc=self._disc(value))
        return self.described

    def track(self, *cards: Tree[Token]) -> list[tuple[str, bool]]:
        """The region cards by code, each with whether it has a negotiation disc."""
        return [(self.region(region), star is not None) for region, star in (card.children for card in cards)]

    def struggles(self, *regions: Token) -> list[str]:
        return [self.region(region) for region in regions]

    def hand(self, names: Tree[Token]) -> list[str]:
        return [self._card(name) for name in names.children if isinstance(name, Tree)]

    def banned(self, card: Tree[Token], seat: Token, *changes: Tree[Any]) -> w.BanData:
        """A swap that may not be reversed next."""
        delta = {}
        for change in changes:
            region, *signed = change.children
            total: Counter[str] = Counter()
            for sign, *followers in (each.children for each in signed):
                counts = self.followers(Tree("followers", followers))
                total.update({letter: n if sign == "+" else -n for letter, n in counts.items()})
            delta[self.region(region)] = dict(total)
        return w.BanData(self._card(card), self.seat(seat), delta)

    def seat(self, seat: Token) -> int:
        return seat_number(seat, MOST_SEATS)

    def plot(self, faction: Token) -> str:
        return faction.upper()

    def followers(self, tree: Tree[Token]) -> w.Counts:
        """Followers by letter, of letters run together and of counts."""
        counts = dict.fromkeys(self.letters, 0)
        multiple = 1
        for token in tree.children:
            assert isinstance(token, Token)
            if token.type == "INT":
                multiple = int(token)
                continue
            digits = "".join(c for c in token if c.isdecimal())
            multiple = int(digits) if digits else multiple
            for letter in token[len(digits) :].upper().replace("-", ""):
                if letter not in counts:
                    message = f"`{token}`: {letter} is not a faction's letter"
                    hint = f"The letters are {listed(self.letters, 'and')}."
                    raise PositionError(problem(message, *place(token), hint, Kind.NAME))
                counts[letter] += multiple
            multiple = 1
        return counts

    def _card(self, name: Tree[Token]) -> str:
        card = self.cards.find(" ".join(map(str, name.children)).replace(" - ", "-"))
        if isinstance(card, Unknown):
            raise unknown_name(card, "card", name, self.cards)
        return card

    def _disc(self, part: Part) -> str:
        word = str(part).lower()
        if w.UNSTABLE_WORD.startswith(word) or word == self.board.terms.lost.lower():
            return w.UNSTABLE_WORD
        for faction in self.board.factions:
            if word in {faction.letter.lower(), faction.name.lower()}:
                return faction.letter
        known = listed([*self.letters, w.UNSTABLE_WORD])
        raise PositionError(problem(f"`{part}` is not a disc: {known}", *place(part)))


def _data(game: Struggle, stated: dict[str, Any]) -> w.PositionData:
    """The position data of a line. The faces of the track, and the outcomes of struggles, follow from the discs."""
    discs = {code: region.disc for code, region in stated.setdefault("regions", {}).items()}
    track, struggles, left = (stated.get(name) for name in ("track", "struggles", "negotiation_discs"))
    if track:
        stated["track"] = [w.CardData(code, "down" if discs.get(code) else "up", star) for code, star in track]
    if struggles:
        stated["struggles"] = [w.StruggleData(code, discs.get(code) or "") for code in struggles]
    if left:
        stated["negotiation_discs"] = [number or 0 for number in left]
    return w.PositionData(game.code, **stated)


CODEC = PositionCodec(
    grammar="struggle_position",
    first=(
        Clause("regions", "regions", _regions, _Names.regions, marked=None, opening=""),
        Clause("supply", "supply", lambda game, position: game.board.counted(position.supply), _Names.followers),
        Clause("track", "track", _track, _Names.track),
    ),
    of_seat=(
        Clause("court", "courts", _court, _Names.followers, {}),
        Clause("hand", "hands", lambda _, position, seat: ", ".join(position.hands[seat]) or "-", _Names.hand, []),
        Clause("played", "discards", _played, _Names.hand, []),
        Clause("acted", "last_acted", lambda _, position, seat: position.last_acted[seat], number),
        Clause("emptied", "emptied", lambda _, position, seat: position.emptied[seat], number),
        Clause("discs", "negotiation_discs", _discs, number),
    ),
    last=(
        Clause("struggles", "struggles", _struggles, _Names.struggles),
        Clause("passes", "passes", lambda _, position: position.passes or None, number),
        Clause("banned", "banned", _banned, _Names.banned, marked=1),
        Clause("plot", "plot", _plot, _Names.plot),
        Clause("starter", "starter", _starter, _Names.seat, opening="started "),
    ),
    names=_Names,
    data=_data,
    position=w.read,
    decisions=("play", "summon", "plot"),
    most_seats=MOST_SEATS,
    numbered="seats and spaces",
)
