"""What players of The King is Dead may order in words of their own: passing until something happens, and what plans wait for."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from functools import cache
from types import MappingProxyType

from attrs import evolve
from lark import Token, Tree

from tkid.games.struggle.notation.conditions import Condition, Contested, Outcome, Passes, Plays, Standing, Struggle
from tkid.games.struggle.notation.intent import StruggleSigns
from tkid.games.struggle.notation.turn_reader import TurnReader
from tkid.games.struggle.rules.board import NO_FACTION, NOWHERE, UNSTABLE, Board
from tkid.games.struggle.rules.game import Struggle as Game
from tkid.kernel.problems import Kind
from tkid.notation.line_parser import Wrong
from tkid.notation.people import ANYONE, EVERYONE, People
from tkid.notation.vocabulary import Unknown, listed
from tkid.orders.lookup import Lookup, no_card, problem, shown
from tkid.orders.plan_reader import wrong_steps
from tkid.orders.thresholds import is_like

STANDING = re.compile(r"(?:always\s+|keep\s+(?:on\s+)?)pass|pass(?:ing)?\s+(?P<until>[^\W\d]+)", re.IGNORECASE)
UNTIL = ("until", "till", "til", "always", "forever", "every", "each", "for")
GIVES_UP = re.compile(
    r"I(?:['’]ll|\s+(?:will|would\s+like\s+to|want\s+to|have\s+to))?\s+(pass|resign)\W*", re.IGNORECASE
)
"""Sentences that name what they ask for; they are answered with how it is written."""
FORMS = {
    "standing": "`pass until struggle`, `pass until someone acts`, `pass until {region} is contested` or `pass always`",
    "plan": "`if anyone plays {card}: stop` or `if anyone acts: stop; else Pass`",
    "notify": "`notify every turn`, `notify my turns` or `notify struggles`; `notify no pictures` or `notify pictures`",
    "draft": "`draft Pass`, or any other turn behind `draft`",
    "legal": "`legal`, or the card as in `legal {card}`",
}
"""How those orders are written that name something of the game, with a region and a card of the edition."""
WRONG: Mapping[str, Wrong] = {
    "standing": {
        "The event to wait for is missing": ["pass until"],
        "What happens is missing": ["pass until Bob", "pass until Bob Bob"],
        "A standing order waits for one thing": [
            "pass until struggle or",
            "pass until struggle,",
            "pass until Bob acts or",
        ],
        "Nothing may follow `always`": [
            "pass always Bob",
            "pass always until",
            "keep passing Bob",
            "always pass and",
        ],
    },
    "plan": {
        "The condition is missing": ["if", "if:", "if: Pass"],
        "What happens is missing": ["if Bob", "if Bob:", "if Bob: Pass", "if Bob Bob", "if Bob Bob:"],
        "What happens to the region is missing": ["if Bob is", "if Bob is:", "if Bob goes to", "if Bob goes to:"],
        "Each player has a condition of its own, as in `if Bob passes or Cal passes`": [
            "if Bob or",
            "if Bob and",
            "if Bob,",
        ],
        "A colon and what to do are missing": ["if Bob passes", "if a struggle happens", "if Bob plays Negotiate"],
        "A condition belongs between `if` and the colon": ["if Bob passes Bob", "if a struggle happens Bob"],
        **wrong_steps("Pass", "Bob passes"),
        "What to do begins with a turn, `stop`, `if` or `(`": ["if Bob passes: )", "()"],
    },
}
"""Wrong examples of standing orders and plans by what is wrong with them."""


class StruggleOrders:
    """The orders of The King is Dead, shown with a region and a card of an edition."""

    grammar = "struggle_plans"
    wrong = WRONG
    topics: Mapping[str, str] = MappingProxyType({"pass": "standing"})
    examples = "`pass until struggle`, `if anyone acts: stop`"
    turn = "Pass"
    without_not = "There is no `not`. Write `Bob acts` if Bob does not pass, or use `else`."
    reserved: Collection[str] = frozenset({"contested", "unstable", "struggle"})
    level = "struggles"
    gives_up = GIVES_UP

    def __init__(self, region: str, card: str) -> None:
        own = {kind: form.format(region=region, card=card) for kind, form in FORMS.items()}
        self.forms: Mapping[str, str] = MappingProxyType(own)

    def is_standing(self, text: str) -> bool:
        """Whether a line begins like a standing order."""
        standing = STANDING.match(text)
        until = standing["until"] if standing else ""
        return standing is not None and (not until or is_like(until.casefold(), UNTIL))

    # -- reading ------------------------------------------------------------------------------------------

    def read_standing(self, lookup: Lookup, tree: Tree[Token]) -> Standing:
        """A standing order."""
        if tree.data in {"until_struggle", "always"}:
            return Standing("struggle" if tree.data == "until_struggle" else "always")
        name = tree.children[0]
        if tree.data == "until_contested":
            return Standing("contested", region=_region(lookup, name))
        who = lookup.who(name)
        if who == EVERYONE:
            lookup.wrong("Name a player to wait for, or write `someone`", "Write `pass until someone acts`.", name)
        return Standing("acts", who=who)

    def read_condition(self, lookup: Lookup, tree: Tree[Token]) -> Condition:
        """A condition of a plan."""
        forms: dict[str, Callable[..., Condition]] = {
            "passes": lambda name: Passes(lookup.who(name)),
            "acts": lambda name: Plays(lookup.who(name)),
            "plays": lambda name, card: Plays(lookup.who(name), _card(lookup, card)),
            "contested": lambda name: Contested(_region(lookup, name)),
            "goes": lambda name, disc: Outcome(_region(lookup, name), _disc(lookup, disc)),
            "stands": lambda name, disc: Outcome(_region(lookup, name), _disc(lookup, disc)),
            "unstable": lambda name: Outcome(_region(lookup, name), UNSTABLE),
            "struggle": lambda _: Struggle(),
        }
        return forms[tree.data](*tree.children)

    # -- writing ------------------------------------------------------------------------------------------

    def write_standing(self, order: Standing, game: Game, people: People) -> str:
        """A standing order in canonical form."""
        if order.kind == "contested" and order.region is not None:
            return f"pass until {game.board.name(order.region)} is contested"
        if order.kind == "acts" and order.who is not None:
            who = "someone" if order.who == ANYONE else people.written(order.who)
            return f"pass until {who} acts"
        return {"struggle": "pass until struggle", "always": "pass always"}[order.kind]

    def write_condition(self, condition: Condition, game: Game, people: People) -> str:
        """A condition in canonical form."""
        board = game.board
        match condition:
            case Passes(who):
                return f"{people.written(who)} passes"
            case Plays(who, ""):
                return f"{people.written(who)} acts"
            case Plays(who, card):
                return f"{people.written(who)} plays {card}"
            case Contested(region):
                return f"{board.name(region)} is contested"
            case Struggle():
                return "a struggle happens"
            case Outcome(region, disc):
                return f"{board.name(region)} {_became(board, disc)}"

    def signs(self, turns: TurnReader, people: People) -> StruggleSigns:
        """What shows that a line was meant as a turn or a plan."""
        return StruggleSigns(turns, people)


# -- names ------------------------------------------------------------------------------------------------


def _card(lookup: Lookup, tree: object) -> str:
    typed, column = lookup.typed(tree)
    card = lookup.turns.cards.find(typed)
    if isinstance(card, str) and card in lookup.turns.game.cards:
        return card
    unknown = card if isinstance(card, Unknown) else Unknown(typed, ())
    lookup.problems.append(no_card(lookup.turns, unknown, column))
    return ""


def _region(lookup: Lookup, tree: object) -> int:
    typed, column = lookup.typed(tree)
    assert isinstance(lookup.turns, TurnReader)
    regions = lookup.turns.regions
    region = regions.find(typed)
    if isinstance(region, str):
        return list(regions.names).index(region)
    unknown, hint = evolve(region, typed=shown(typed)), f"The regions are {listed(regions.names, 'and')}."
    lookup.problems.append(unknown.problem("region", "notation.region", (column, len(typed)), hint))
    return 0


def _became(board: Board, disc: int) -> str:
    """What became of a region that got this disc, as an order says it."""
    if disc == UNSTABLE:
        return f"is {board.terms.lost}"
    return f"goes to {'' if board.factions[disc].apart else 'the '}{board.disc(disc)}"


def _disc(lookup: Lookup, tree: object) -> int:
    """The disc that a region got: a faction's, by letter or name, or that of a region which nobody won."""
    typed, column = lookup.typed(tree)
    board: Board = lookup.turns.game.board
    for index, faction in enumerate(board.factions):
        if typed.casefold() in {faction.letter.casefold(), faction.name.casefold()}:
            return index
    if typed.casefold() in {word.casefold() for word in (NO_FACTION, board.terms.lost, *board.terms.takers)}:
        return UNSTABLE
    factions = listed([faction.name for faction in board.factions], "and")
    hint = f"The factions are {factions}; a region that none of them won is {board.terms.lost}."
    message = f"`{shown(typed)}` is not a faction"
    lookup.problems.append(problem("notation.faction", message, hint, column, len(typed), Kind.NAME))
    return 0


def orders_of(game: Game) -> StruggleOrders:
    """The orders of a game, shown with the home of its last faction and the card that changes the track."""
    home = [region for region in game.board.homes if region != NOWHERE][-1]
    card = next((card.name for card in game.cards.values() if card.form == "exchange"), next(iter(game.cards)))
    return _orders(game.board.name(home), card)


@cache
def _orders(region: str, card: str) -> StruggleOrders:
    """The orders of an edition: one value, by which its wrong examples are known."""
    return StruggleOrders(region, card)


PLUGIN = orders_of
