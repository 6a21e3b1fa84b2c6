"""Standing orders and conditions of The King is Dead, and the signs that a line is an order."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from attrs import evolve, frozen
from lark import Token, Tree

from tkid.games.struggle.notation.turn_reader import TurnReader
from tkid.games.struggle.rules.board import NO_FACTION, NOWHERE, UNSTABLE, Board, name_factions
from tkid.games.struggle.rules.game import PASS
from tkid.games.struggle.rules.game import Struggle as Game
from tkid.kernel.problems import Kind
from tkid.notation.line_parser import Wrong
from tkid.notation.names import ANYONE, EVERYONE, People, Unknown, Who, list_names
from tkid.notation.plugin import ReadTurn
from tkid.orders import order_reader, order_values
from tkid.orders.forms import (
    LIKE_ALONE,
    POLITE_WORDS,
    WORD,
    is_like_name,
    is_single_slip,
    shorten_typed,
    split_small_words,
)
from tkid.rulebook import cites

ARROWS = ("<>", "<->", "<=>", "->", " > ", "↔", "⇄", "⇆", "⟷", "→", "⇒", "⟶", "; summon", ";summon", "; no summon")
PASSED_ON = frozenset({
    "a", "an", "that", "the", "these", "those", "my", "your", "her", "him", "his", "its", "it", "our", "us", "their", "them",
    "me", "along", "around", "by", "in", "on", "over", "through", "to",
})  # fmt: skip
"""Words behind `pass` that make a sentence of it: `pass the salt`."""
PAUSE = re.compile(r"pass\s*[,.;:!?()–—-]", re.IGNORECASE)
WHOLE_PASS = len("pass")
"""Letters of a pass that passes at once, in a mail; a shorter one may be somebody's initials."""
HAPPENS = (
    r"\b(?:pass(?:es|ed)?|plays|played|acts|acted|contested|unstable|struggle|(?:goes|went|falls|fell)\s+to"
    r"|(?:won|controlled)\s+by|{lost})\b"
)
DONE = re.compile(r"\W*(?:(?:then|else)\W+)*(?:stop|ask(?:\s+me)?|pass)(?=\s*(?:\W*$|[;.,()]))", re.IGNORECASE)
"""What a plan does, at the start of the text behind its colon."""
OTHERWISE = re.compile(r"\b(?:else|otherwise)\b\W*(?:stop|pass|ask|if)\b|(?:\bstop|\bask\s+me)\W*$", re.IGNORECASE)


class StruggleSigns(order_values.Signs):
    """The signs of turns and plans in a game with these players."""

    signs: Sequence[str] = ARROWS
    done, otherwise = DONE, OTHERWISE

    def __init__(self, turns: TurnReader, people: People) -> None:
        board = turns.game.board
        self.people = people
        self.happens = re.compile(HAPPENS.format(lost=board.terms.lost), re.IGNORECASE)
        own = [name.casefold() for name in turns.game.cards]
        absent = [name.casefold() for name in turns.game.absent]
        self.own, self.cards = frozenset(own), frozenset([*own, *absent])
        self.beginnings: Sequence[str] = (*own, *absent, "pass", "summon")
        self.starts = tuple({word for name in own for word in name.split()})
        self.known: Sequence[str] = tuple(word.casefold() for region in board.regions for word in region.name.split())
        self.codes = frozenset(region.code.casefold() for region in board.regions)
        self.letters = frozenset(faction.letter for faction in board.factions)

    def is_continuation(self, words: Sequence[str]) -> bool:
        return words[:1] in (["summon"], ["summons"]) or words == ["no", "summon"]

    @cites("notation.free.short-pass")
    def is_written_out(self, read: ReadTurn, letters: int) -> bool:
        """Return True unless the turn is a pass that isn't written out."""
        return read.moves != (PASS,) or letters >= WHOLE_PASS

    def is_standing(self, words: Sequence[str]) -> bool:
        """Return True if a line that begins like a standing order is short enough to be one."""
        most = order_reader.MOST_OF_A_WISH if words[0].startswith("pass") else order_reader.MOST_OF_A_PAIR
        return len(words) <= most

    def is_turn(self, text: str) -> bool:
        """Return True if a line looks like a turn.

        It begins with `pass`, and the rest makes no sentence of it; or with a card, whole, shortened or misspelt,
        and shows a sign of a turn: an arrow, a summons, a region, followers, or hardly another word.
        """
        words = split_small_words(text)
        signs = any(sign in text.casefold() for sign in ARROWS)
        if not words:
            return False
        if words[0] == "pass":
            return signs or PAUSE.match(text.lstrip()) is not None or order_reader.is_short_pass(words, PASSED_ON)
        groups = any(set(word) <= self.letters for word in WORD.findall(text)[1:])
        place = not {*self.known}.isdisjoint(words[1:]) or (groups and not self.codes.isdisjoint(words[1:]))
        if words[0] in {"summon", "summons"} or words[:2] == ["no", "summon"]:
            small = any({*word.upper()} <= self.letters for word in words[1:])
            short = small and len(words) <= order_reader.MOST_OF_A_PASS
            return signs or place or groups or short or words[-1].startswith("summon")
        if words[0] in self.cards or " ".join(words[:2]) in self.cards:
            return signs or self._is_played(text, words[1 if words[0] in self.cards else 2 :])
        if any(start.startswith(words[0]) for start in self.starts):
            return signs or (place and groups) or (len(words) == 1 and len(words[0]) >= order_reader.SHORTEST_START)
        return self._is_like_card(words, signs=signs or place)

    def _is_played(self, text: str, rest: list[str]) -> bool:
        """Return True if the words after a card's name soon name followers, a region or, for Spy, a player."""
        soon = rest[: order_reader.MAX_WORDS_BEHIND_CARD]
        groups = any({*word} <= self.letters for word in WORD.findall(text)[1 : order_reader.MAX_WORDS_BEHIND_CARD + 1])
        named = text.lower().lstrip().startswith("spy") and bool(rest) and self.people.find_seat(rest[0]) is not None
        coded = sum(word in self.codes for word in soon) > 1 or (len(rest) == 1 and rest[0] in self.codes)
        return not rest or groups or named or coded or any(map(self._is_like_region, soon))

    def _is_like_region(self, word: str) -> bool:
        return len(word) >= order_reader.SHORTEST_LIKE and is_like_name(word, self.known)

    def _is_like_card(self, words: list[str], *, signs: bool) -> bool:
        names = [*(self.cards if signs else self.own), "pass", "summon"]
        firsts = [first for first in (words[0], " ".join(words[:2])) if len(first) >= order_reader.SHORTEST_LIKE]
        if signs:
            return any(is_like_name(first, names) for first in firsts)
        if len(words) > order_reader.MOST_OF_A_PAIR or not firsts:
            return False
        whole = " ".join(words[:1] if words[-1] in POLITE_WORDS else words)
        long = len(whole) >= order_reader.SHORTEST_LIKE_ALONE and is_like_name(whole, names, LIKE_ALONE)
        return long or any(is_single_slip(whole, name) for name in names)


@frozen
class Standing(order_values.Standing):
    """Passing turn after turn: until a power struggle, until `who` acts, until `region` is contested, or always."""

    kind: Literal["struggle", "acts", "contested", "always"]
    region: int | None = None
    who: Who | None = None


@frozen
class Passes(order_values.Condition):
    """A condition: a player passes."""

    who: Who


@frozen
class Plays(order_values.Condition):
    """A condition: a player plays a card; "" is any card."""

    who: Who
    card: str = ""


@frozen
class Contested(order_values.Condition):
    """A condition: the next power struggle is in this region."""

    region: int


@frozen
class Struggle(order_values.Condition):
    """A condition: a power struggle is resolved."""


@frozen
class Outcome(order_values.Condition):
    """A condition: the region's power struggle ended with this disc, a faction or UNSTABLE."""

    region: int
    disc: int


Condition = Passes | Plays | Contested | Struggle | Outcome


STANDING = re.compile(r"(?:always\s+|keep\s+(?:on\s+)?)pass|pass(?:ing)?\s+(?P<until>[^\W\d]+)", re.IGNORECASE)
UNTIL = ("until", "till", "til", "always", "forever", "every", "each", "for")
GIVES_UP = re.compile(
    r"I(?:['’]ll|\s+(?:will|would\s+like\s+to|want\s+to|have\s+to))?\s+(pass|resign)\W*", re.IGNORECASE
)
"""Sentences that name what they ask for; they are answered with how it is written."""
READ: Mapping[str, Any] = tomllib.loads(files(__package__).joinpath("orders.toml").read_text("utf-8"))
WRONG: Mapping[str, Wrong] = {
    "standing": READ["standing"],
    "plan": {**READ["plan"], **order_reader.list_wrong_steps("Pass", "Bob passes"), **READ["action"]},
}


class StruggleOrders(order_values.OrderLanguage):
    """The orders of The King is Dead, shown with a region and a card of an edition."""

    grammar = "struggle_plans"
    wrong = WRONG
    examples = "`pass until struggle`, `if anyone acts: stop`"
    turn = "Pass"
    without_not = "There is no `not`. Write `Bob acts` if Bob does not pass, or use `else`."
    reserved: Collection[str] = frozenset({"contested", "unstable", "struggle"})
    level = "struggles"
    gives_up = GIVES_UP

    def __init__(self, region: str, card: str) -> None:
        forms = READ["forms"].items()
        self.forms: Mapping[str, str] = {kind: form.format(region=region, card=card) for kind, form in forms}

    def begins_standing(self, text: str) -> bool:
        standing = STANDING.match(text)
        until = standing["until"] if standing else ""
        return standing is not None and (not until or is_like_name(until.casefold(), UNTIL))

    def read_standing(self, lookup: order_values.Lookup, tree: Tree[Token]) -> Standing:
        if tree.data in {"until_struggle", "always"}:
            return Standing("struggle" if tree.data == "until_struggle" else "always")
        name = tree.children[0]
        if tree.data == "until_contested":
            return Standing("contested", region=_look_up_region(lookup, name))
        who = lookup.find_who(name)
        if who == EVERYONE:
            lookup.note_problem(
                "Name a player to wait for, or write `someone`", "Write `pass until someone acts`.", name
            )
        return Standing("acts", who=who)

    def read_condition(self, lookup: order_values.Lookup, tree: Tree[Token]) -> Condition:
        forms: dict[str, Callable[..., Condition]] = {
            "passes": lambda name: Passes(lookup.find_who(name)),
            "acts": lambda name: Plays(lookup.find_who(name)),
            "plays": lambda name, card: Plays(lookup.find_who(name), _look_up_card(lookup, card)),
            "contested": lambda name: Contested(_look_up_region(lookup, name)),
            "goes": lambda name, disc: Outcome(_look_up_region(lookup, name), _look_up_disc(lookup, disc)),
            "stands": lambda name, disc: Outcome(_look_up_region(lookup, name), _look_up_disc(lookup, disc)),
            "unstable": lambda name: Outcome(_look_up_region(lookup, name), UNSTABLE),
            "struggle": lambda _: Struggle(),
        }
        return forms[tree.data](*tree.children)

    def write_standing(self, order: Standing, game: Game, people: People) -> str:
        if order.kind == "contested" and order.region is not None:
            return f"pass until {game.board.name_region(order.region)} is contested"
        if order.kind == "acts" and order.who is not None:
            who = "someone" if order.who == ANYONE else people.write_player(order.who)
            return f"pass until {who} acts"
        return {"struggle": "pass until struggle", "always": "pass always"}[order.kind]

    def write_condition(self, condition: Condition, game: Game, people: People) -> str:
        board = game.board
        match condition:
            case Passes(who):
                return f"{people.write_player(who)} passes"
            case Plays(who, ""):
                return f"{people.write_player(who)} acts"
            case Plays(who, card):
                return f"{people.write_player(who)} plays {card}"
            case Contested(region):
                return f"{board.name_region(region)} is contested"
            case Struggle():
                return "a struggle happens"
            case Outcome(region, disc):
                return f"{board.name_region(region)} {_describe_outcome(board, disc)}"

    def find_signs(self, turns: TurnReader, people: People) -> StruggleSigns:
        return StruggleSigns(turns, people)


def _look_up_card(lookup: order_values.Lookup, tree: object) -> str:
    part = lookup.find_part(tree)
    card = lookup.turns.cards.find(part.text)
    if isinstance(card, str) and card in lookup.turns.game.cards:
        return card
    unknown = card if isinstance(card, Unknown) else Unknown(part.text, ())
    lookup.problems.append(order_values.report_unknown_card(lookup.turns, unknown, part.column))
    return ""


def _look_up_region(lookup: order_values.Lookup, tree: object) -> int:
    part = lookup.find_part(tree)
    typed = part.text
    assert isinstance(lookup.turns, TurnReader)
    regions = lookup.turns.regions
    region = regions.find(typed)
    if isinstance(region, str):
        return list(regions.names).index(region)
    unknown, hint = evolve(region, typed=shorten_typed(typed)), f"The regions are {list_names(regions.names, 'and')}."
    lookup.problems.append(unknown.make_problem("region", "notation.region", (part.column, len(typed)), hint))
    return 0


def _describe_outcome(board: Board, disc: int) -> str:
    if disc == UNSTABLE:
        return f"is {board.terms.lost}"
    return f"goes to {name_factions(board, [disc])}"


def _look_up_disc(lookup: order_values.Lookup, tree: object) -> int:
    """Look up the disc of a region: a faction's, by letter or name, or the one of a region that nobody won."""
    part = lookup.find_part(tree)
    typed = part.text
    board: Board = lookup.turns.game.board
    for index, faction in enumerate(board.factions):
        if typed.casefold() in {word.casefold() for word in (faction.letter, faction.name, faction.people)}:
            return index
    if typed.casefold() in {word.casefold() for word in (NO_FACTION, board.terms.lost, *board.terms.takers)}:
        return UNSTABLE
    factions = list_names([faction.people for faction in board.factions], "and")
    hint = f"The factions are {factions}; a region that none of them won is {board.terms.lost}."
    message = f"`{shorten_typed(typed)}` is not a faction"
    lookup.problems.append(part.make_problem(message, hint, Kind.NAME, "notation.faction"))
    return 0


def make_struggle_orders(game: Game) -> StruggleOrders:
    """Return a game's orders; examples name its last faction's home and the card that changes the track."""
    home = [region for region in game.board.homes if region != NOWHERE][-1]
    card = next((card.name for card in game.cards.values() if card.form == "exchange"), next(iter(game.cards)))
    return _make_edition_orders(game.board.name_region(home), card)


@cache
def _make_edition_orders(region: str, card: str) -> StruggleOrders:
    """Return the orders of an edition: one value, so that the wrong examples are found again."""
    return StruggleOrders(region, card)


PLUGIN = make_struggle_orders
