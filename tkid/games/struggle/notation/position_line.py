"""The position in one line: reading it and writing it."""

from __future__ import annotations

from collections import Counter
from typing import Any

from lark import Token, Tree
from lark.exceptions import UnexpectedInput, UnexpectedToken

from tkid.games.struggle.notation import position_data as w
from tkid.games.struggle.notation.parsers import position_parser
from tkid.games.struggle.notation.turn_reader import TurnReader
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.position import Position
from tkid.kernel.problems import Kind, Problem
from tkid.notation.position_faults import PositionError, problem
from tkid.notation.text import plain
from tkid.notation.vocabulary import Unknown, Vocabulary, listed
from tkid.rulebook.rulesets import readings

MOST_SEATS = 99
"""Seats that are counted at all; how many a game is for is its own matter."""
AS_IN_JSON = "This is named as in the position in JSON, where seats and spaces count from 0."


def write_position(game: Struggle, position: Position) -> str:
    """A position in one line."""
    doc = w.write(game, position, readings(game))
    letters = [faction.letter for faction in game.board.factions]

    def group(counts: w.Counts) -> str:
        return "".join(letter * counts.get(letter, 0) for letter in letters) or "-"

    def region(code: str, entry: w.WrittenRegion) -> str:
        return f"{code} {group(entry.followers)}" if entry.disc is None else f"{code} ={entry.disc}"

    supply = " ".join(f"{n}{letter}" for letter, n in doc.supply.items() if n) or "-"
    clauses = [
        doc.ruleset,
        ", ".join(region(code, entry) for code, entry in doc.regions.items()),
        f"supply {supply}",
        "track " + " ".join(card.region + "*" * card.negotiated for card in doc.track),
    ]
    for seat in position.seats:
        clauses += [
            f"{seat + 1} court {group(doc.courts[seat])}",
            f"{seat + 1} hand {', '.join(doc.hands[seat]) or '-'}",
        ]
        clauses += [f"{seat + 1} played {', '.join(doc.discards[seat])}"] if doc.discards[seat] else []
        clauses += [f"{seat + 1} acted {doc.last_acted[seat]}"] if doc.last_acted[seat] is not None else []
        clauses += [f"{seat + 1} emptied {doc.emptied[seat]}"] if doc.emptied[seat] is not None else []
        clauses += [f"{seat + 1} discs {doc.negotiation_discs[seat]}"] if doc.negotiation_discs is not None else []
    if position.struggles != tuple(r for r in position.track if position.discs[r] != -1):
        clauses.append("struggles " + " ".join(s.region for s in doc.struggles or ()))
    clauses += [f"passes {doc.passes}"] if doc.passes else []
    if doc.banned:
        changes = ", ".join(f"{code} {_signed(change)}" for code, change in doc.banned.delta.items())
        clauses.append(f"banned {doc.banned.card} by {doc.banned.by + 1}: {changes}")
    clauses += [f"plot {doc.plot}"] if doc.plot else []
    clauses += [f"started {doc.starter + 1}"] if doc.starter is not None else []
    if doc.to_act is not None:
        clauses.append(f"to {doc.decision} {doc.to_act + 1}")
    else:
        clauses.append(" ".join([f"ended {doc.ending}", *(str(seat + 1) for seat in doc.winners)]))
    return "; ".join(clauses)


def _signed(change: w.Counts) -> str:
    return "".join(
        f"{'+' if n > 0 else '-'}{abs(n) if abs(n) > 1 else ''}{letter}" for letter, n in change.items() if n
    )


def read_position(game: Struggle, text: str) -> Position:
    """The position of a line. Raises PositionError."""
    try:
        tree = position_parser().parse(plain(text))
    except UnexpectedInput as error:
        ended = isinstance(error, UnexpectedToken) and error.token.type == "$END"
        at = len(text) if ended or error.pos_in_stream is None else error.pos_in_stream
        found = text[at : at + 12].strip()
        told = f"`{found}` does not belong here" if found else "the position breaks off here"
        raise PositionError(problem(told, at, max(1, len(found)))) from None
    doc = _Clauses(game, game.code).read(list(tree.children[1:]))
    try:
        return w.read(game, doc)
    except w.WrittenError as error:
        raise PositionError(*(problem(fault, 0, len(text), AS_IN_JSON) for fault in error.faults)) from None


class _Clauses:
    """Collects the clauses of a line into the written form."""

    def __init__(self, game: Struggle, code: str) -> None:
        self.game, self.code = game, code
        reader = TurnReader(game)
        self.regions, self.cards = reader.regions, Vocabulary(game.cards, {"?": "?"})
        self.letters = [faction.letter for faction in game.board.factions]
        self.by_seat: dict[str, dict[int, Any]] = {
            key: {} for key in ("court", "hand", "played", "acted", "emptied", "discs")
        }
        self.once: dict[str, Any] = {}

    def read(self, clauses: list[Any]) -> w.WrittenPosition:
        """The written form of all clauses together."""
        for clause in clauses:
            getattr(self, f"_{clause.data}")(*clause.children)
        once = self.once
        seats = max([2, *(seat + 1 for values in self.by_seat.values() for seat in values)])

        def each(key: str, default: Any) -> list[Any]:
            return [self.by_seat[key].get(seat, default) for seat in range(seats)]

        regions = once.get("regions", {})
        resolved = {code for code, entry in regions.items() if entry.disc}
        negotiated = once.get("negotiated", set())
        decision, to_act = once.get("due", ("play", 0))
        ending, winners = once.get("ended", (None, []))
        if ending:
            decision, to_act = None, None
        outcomes = {code: entry.disc for code, entry in regions.items()}
        return w.WrittenPosition(
            ruleset=self.code,
            regions=regions,
            supply=once.get("supply", {}),
            track=[
                w.WrittenCard(code, "down" if code in resolved else "up", code in negotiated)
                for code in once.get("track", ())
            ],
            courts=each("court", {}),
            hands=each("hand", []),
            discards=each("played", []),
            last_acted=each("acted", None),
            emptied=each("emptied", None),
            passes=once.get("passes", 0),
            banned=once.get("banned"),
            decision=decision,
            to_act=to_act,
            ending=ending,
            winners=winners,
            struggles=(
                [w.WrittenStruggle(code, outcomes.get(code) or "") for code in once["struggles"]]
                if "struggles" in once
                else None
            ),
            negotiation_discs=each("discs", 0) if self.by_seat["discs"] else None,
            plot=once.get("plot"),
            starter=once.get("starter"),
        )

    # -- clauses ------------------------------------------------------------------------------------------

    def _say(self, said: dict[Any, Any], key: Any, value: Any, token: Token | Tree[Token]) -> None:
        """Take in what a clause says, unless one before it said it already."""
        if key in said:
            at, length = _place(token)
            raise PositionError(problem("This is stated a second time", at, length))
        said[key] = value

    def _each(self, key: str, seat: Token, value: Any) -> None:
        """Take in what a clause says of a seat."""
        self._say(self.by_seat[key], self._seat(seat), value, seat)

    @staticmethod
    def _seat(seat: Token) -> int:
        if not 1 <= int(seat) <= MOST_SEATS:
            at, length = _place(seat)
            raise PositionError(problem(f"There is no seat {seat}", at, length, "Seats count from 1."))
        return int(seat) - 1

    def _regions(self, *regions: Any) -> None:
        entries = self.once.setdefault("regions", {})
        for region in regions:
            name, value = region.children
            code = self._code(name)
            if code in entries:
                raise PositionError(problem(f"{code} is stated a second time", *_place(name)))
            if isinstance(value, Tree):
                entries[code] = w.WrittenRegion(self._followers(value), None)
            else:
                entries[code] = w.WrittenRegion({}, self._disc(value))

    def _supply(self, followers: Tree[Token]) -> None:
        self._say(self.once, "supply", self._followers(followers), followers)

    def _track(self, *cards: Any) -> None:
        codes = [
            (self._code(card.children[0]), len(card.children) > 1 and card.children[1] is not None) for card in cards
        ]
        self._say(self.once, "track", [code for code, _ in codes], cards[0])
        self.once["negotiated"] = {code for code, marked in codes if marked}

    def _struggles(self, *regions: Token) -> None:
        self._say(self.once, "struggles", [self._code(region) for region in regions], regions[0])

    def _court(self, seat: Token, followers: Tree[Token]) -> None:
        self._each("court", seat, self._followers(followers))

    def _hand(self, seat: Token, names: Tree[Token]) -> None:
        self._each("hand", seat, self._names(names))

    def _played(self, seat: Token, names: Tree[Token]) -> None:
        self._each("played", seat, self._names(names))

    def _acted(self, seat: Token, turn: Token) -> None:
        self._each("acted", seat, int(turn))

    def _emptied(self, seat: Token, turn: Token) -> None:
        self._each("emptied", seat, int(turn))

    def _discs(self, seat: Token, left: Token) -> None:
        self._each("discs", seat, int(left))

    def _passes(self, number: Token) -> None:
        self._say(self.once, "passes", int(number), number)

    def _banned(self, card: Tree[Token], seat: Token, *changes: Any) -> None:
        delta = {}
        for change in changes:
            region, *signed = change.children
            total: Counter[str] = Counter()
            for sign in signed:
                followers = self._followers(Tree("followers", sign.children[1:]))
                total.update({letter: n if sign.children[0] == "+" else -n for letter, n in followers.items()})
            delta[self._code(region)] = dict(total)
        self._say(self.once, "banned", w.WrittenBan(self._card(card), self._seat(seat), delta), seat)

    def _plot(self, faction: Token) -> None:
        self._say(self.once, "plot", faction.upper(), faction)

    def _starter(self, seat: Token) -> None:
        self._say(self.once, "starter", self._seat(seat), seat)

    def _due(self, decision: Token, seat: Token) -> None:
        if decision.lower() not in {"play", "summon", "plot"}:
            raise PositionError(problem(f"`{decision}` is no decision", decision.start_pos or 0, len(decision)))
        self._say(self.once, "due", (decision.lower(), self._seat(seat)), decision)

    def _ended(self, ending: Token, *seats: Token) -> None:
        self._say(self.once, "ended", (ending.lower(), [self._seat(seat) for seat in seats]), ending)

    # -- names --------------------------------------------------------------------------------------------

    def _code(self, name: Token) -> str:
        found = self.regions.find(name)
        if isinstance(found, Unknown):
            raise PositionError(_unknown(found, "region", name, self.regions))
        return next(region.code for region in self.game.board.regions if region.name == found)

    def _card(self, name: Tree[Token]) -> str:
        found = self.cards.find(" ".join(map(str, name.children)).replace(" - ", "-"))
        if isinstance(found, Unknown):
            raise PositionError(_unknown(found, "card", name.children[0], self.cards))
        return found

    def _names(self, names: Tree[Token]) -> list[str]:
        return [self._card(name) for name in names.children if isinstance(name, Tree)]

    def _disc(self, token: Token) -> str:
        word = token.lower()
        if w.UNSTABLE_WORD.startswith(word) or word == self.game.board.terms.lost.lower():
            return w.UNSTABLE_WORD
        for faction in self.game.board.factions:
            if word in {faction.letter.lower(), faction.name.lower()}:
                return faction.letter
        known = listed([*self.letters, w.UNSTABLE_WORD])
        raise PositionError(problem(f"`{token}` is no disc: {known}", token.start_pos or 0, len(token)))

    def _followers(self, tree: Tree[Token]) -> w.Counts:
        counts = dict.fromkeys(self.letters, 0)
        number = 1
        for token in tree.children:
            assert isinstance(token, Token)
            if token.type == "INT":
                number = int(token)
                continue
            digits = "".join(c for c in token if c.isdecimal())
            number = int(digits) if digits else number
            for letter in token[len(digits) :].upper().replace("-", ""):
                if letter not in counts:
                    known = listed(self.letters, "and")
                    told = f"`{token}`: {letter} is no faction's letter"
                    raise PositionError(
                        problem(told, token.start_pos or 0, len(token), f"The letters are {known}.", Kind.NAME)
                    )
                counts[letter] += number
            number = 1
        return counts


def _place(token: Token | Tree[Token]) -> tuple[int, int]:
    """Where a token, or the first word of a tree, stands: column from 0, and length."""
    while isinstance(token, Tree):
        token = token.children[0]
    return token.start_pos or 0, len(token)


def _unknown(unknown: Unknown, what: str, token: object, known: Vocabulary) -> Problem:
    at, length = (token.start_pos or 0, len(token)) if isinstance(token, Token) else (0, 1)
    hint = unknown.hint() or f"The {what}s are {listed(known.names, 'and')}."
    told = f"`{unknown.typed}` fits several {what}s" if unknown.ambiguous else f"`{unknown.typed}` is no {what}"
    return problem(told, at, length, hint, Kind.NAME)
