"""What players of Claim may order in words of their own: cards that are chosen by a rule, and what plans wait for."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Literal

from lark import Token, Tree

from tkid.games.claim.notation import cards
from tkid.games.claim.notation.conditions import Condition, Led, NothingLed, PhaseTwo, Prize, Standing
from tkid.games.claim.notation.intent import ClaimSigns
from tkid.games.claim.notation.turn_reader import TurnReader
from tkid.games.claim.rules.deck import FACTIONS, Card, Faction
from tkid.games.claim.rules.deck import NAMES as CARDS
from tkid.games.claim.rules.game import Claim
from tkid.kernel.problems import Problem
from tkid.notation.line_parser import Wrong
from tkid.notation.people import People
from tkid.orders.lookup import Lookup
from tkid.orders.plan_reader import wrong_steps

CHOSEN = r"(?:my|the|with|what\w*|an?|lowest|highest|smallest|biggest|largest|forced)\b"
STANDING = re.compile(
    rf"(?:lead|play)\s+{CHOSEN}|if\b[^:;]*[:,]\s*(?:lead|play)\s+{CHOSEN}|(?:always\s+|keep\s+(?:on\s+)?)pass"
    r"|pass(?:ing)?\s+(?:until|till?|always|for\s*ever|every|each)\b",
    re.IGNORECASE,
)
GIVES_UP = re.compile(r"I(?:['’]ll|\s+(?:will|would\s+like\s+to|want\s+to|have\s+to))?\s+(resign)\W*", re.IGNORECASE)
"""Sentences that name what they ask for; they are answered with how it is written."""
WAITS = "`led Goblin`, `led anything`, `nothing is led`, `prize Undead`, `prize Undead 9` or `phase two`"
FORMS = {
    "standing": "`if led Goblin: play my lowest`, `lead my highest`, `if prize Undead 9: play my highest` or "
    "`play what is forced`, each also with a faction as in `lead my highest Goblin`, and with `until the phase ends`",
    "plan": "`if led Goblin: Knight 5`, `if prize Undead: stop` or `Goblin 5; then Knight 3`",
    "notify": "`notify every turn`, `notify my turns` or `notify tricks`; `notify no pictures` or `notify pictures`",
    "draft": "`draft Goblin 5`, or any other card behind `draft`",
    "legal": "`legal`, or the faction as in `legal Goblin`",
}
"""How those orders are written that name something of the game."""
WRONG: Mapping[str, Wrong] = {
    "standing": {
        "What is led is missing": ["if: play my lowest", "if led: play my lowest", "if the: play my lowest"],
        "`led` is missing": ["if Bob: play my lowest", "if anything: play my lowest"],
        "What the prize is is missing": ["if prize: play my lowest", "if led Bob and prize: play my lowest"],
        "What is led is missing behind `and`": ["if prize Bob and led: play my lowest"],
        "Behind `and` stands `prize` with a faction or a card": ["if led Bob and: play my lowest"],
        "Behind `and` stands `led` with a faction": ["if prize Bob and: play my lowest"],
        "Which card is missing: `lowest` or `highest`": [
            "lead my",
            "lead my Bob",
            "if led Bob: play my",
            "if led Bob: play my Bob",
        ],
        "Only `until the phase ends` may follow the card": [
            "lead my lowest;",
            "lead my lowest Bob;",
            "play what is forced;",
            "if led Bob: play my lowest;",
            "lead my lowest else",
            "lead my lowest Bob else",
        ],
        "Nothing may follow `until the phase ends`": ["lead my lowest until the phase ends Bob"],
    },
    "plan": {
        "The condition is missing": ["if", "if:", "if: stop"],
        f"A condition is {WAITS}": ["if Bob", "if Bob:", "if Bob: stop", "if Bob and", "if nothing", "if nothing:"],
        "The faction is missing": ["if led", "if led:", "if prize", "if prize:"],
        "A colon and what to do are missing": ["if led Bob", "if led anything", "if nothing led", "if phase two"],
        **wrong_steps("Goblin 5", "phase two"),
        "What to do begins with a card, `stop`, `if` or `(`": ["if phase two: )", "()"],
    },
}
"""Wrong examples of standing orders and plans by what is wrong with them."""
ALWAYS = "Write `if led anything: play my lowest`, or `lead my lowest`, or both."
NOBODY_PASSES = "Nobody can pass: each player plays a card to every trick"


class ClaimOrders:
    """The orders of Claim."""

    grammar = "claim_plans"
    forms: Mapping[str, str] = MappingProxyType(FORMS)
    wrong = WRONG
    topics: Mapping[str, str] = MappingProxyType({"lead": "standing", "play": "standing"})
    examples = "`if led Goblin: play my lowest`, `play what is forced`"
    turn = "Goblin 5"
    without_not = "There is no `not`: use `else`."
    reserved: Collection[str] = frozenset({
        *("led", "lead", "leads", "prize", "phase", "nothing", "anything", "my", "the", "a", "an", "there"),
        *(name.casefold() for name in cards.LETTERS),
    })  # fmt: skip
    level = "tricks"
    gives_up = GIVES_UP

    def is_standing(self, text: str) -> bool:
        """Whether a line begins like a standing order, also one that asks to pass, which nobody can."""
        return STANDING.match(text) is not None

    # -- reading ------------------------------------------------------------------------------------------

    def read_standing(self, lookup: Lookup, tree: Tree[Token]) -> Standing:
        """A standing order."""
        if tree.data == "passing":
            lookup.wrong(NOBODY_PASSES, f"Standing orders are {self.forms['standing']}.", tree)
            return Standing("forced")
        if tree.data == "whenever":
            lookup.wrong("When it is played is missing", ALWAYS, tree)
            return Standing("forced")
        parts = _parts(tree)
        phase = "end" in parts
        if phase and _first(parts["end"]) != "PHASE":
            message = "An order ends with the phase, or when you cancel it"
            lookup.wrong(message, "Write `until the phase ends`.", parts["end"])
        if tree.data == "forced":
            return Standing("forced", phase=phase)
        choice = parts["choice"]
        which: Literal["lowest", "highest"] = "lowest" if _first(choice) == "LOWEST" else "highest"
        faction = _faction(lookup, choice.children[1]) if choice.children[1:] else ""
        prize = _prize(lookup, parts["prize"]) if "prize" in parts else ""
        if tree.data != "lead" and "led" in parts:
            return Standing("follow", which, faction, _led(lookup, parts["led"]), prize, phase)
        if "led" in parts:
            lookup.wrong("Nobody leads on a card that is led", "On a led card write `play`.", parts["led"])
        return Standing("lead" if tree.data == "lead" else "either", which, faction, "", prize, phase)

    def read_condition(self, lookup: Lookup, tree: Tree[Token]) -> Condition:
        """A condition of a plan."""
        if tree.data == "led_faction":
            return Led(_led(lookup, tree.children[0]))
        if tree.data == "prize_is":
            return Prize(_prize(lookup, tree.children[0]))
        return NothingLed() if tree.data == "nothing_led" else PhaseTwo()

    # -- writing ------------------------------------------------------------------------------------------

    def write_standing(self, order: Standing, _: Claim, __: People) -> str:
        """A standing order in canonical form."""
        chosen = f"my {order.which}{f' {_name(order.faction)}' if order.faction else ''}"
        when = [self._written_led(order.led)] if order.kind == "follow" else []
        when += [f"prize {_named(order.prize)}"] if order.prize else []
        done = {"forced": "play what is forced", "lead": f"lead {chosen}"}.get(order.kind, f"play {chosen}")
        written = f"if {' and '.join(when)}: {done}" if when else done
        return f"{written} until the phase ends" if order.phase else written

    def write_condition(self, condition: Condition, _: Claim, __: People) -> str:
        """A condition in canonical form."""
        match condition:
            case Led(faction):
                return self._written_led(faction)
            case NothingLed():
                return "nothing is led"
            case Prize(of):
                return f"prize {_named(of)}"
            case PhaseTwo():
                return "phase two"

    @staticmethod
    def _written_led(faction: str) -> str:
        return f"led {_name(faction) if faction else 'anything'}"

    def signs(self, turns: TurnReader, people: People) -> ClaimSigns:  # noqa: ARG002 - players are not named, and every game has the same
        """What shows that a line was meant as a turn or a plan."""
        return ClaimSigns()


def _parts(tree: Tree[Token]) -> dict[str, Tree[Token]]:
    """The parts of a standing order by their kind, with those of what it depends on."""
    parts = {str(part.data): part for part in tree.children if isinstance(part, Tree)}
    return {**parts, **(_parts(parts["when"]) if "when" in parts else {})}


def _first(tree: Tree[Token]) -> str:
    """The type of the first word of a part."""
    (word, *_) = tree.children
    assert isinstance(word, Token)
    return word.type


def _name(letter: str) -> str:
    return FACTIONS[letter].name


def _named(prize: str) -> str:
    """A faction, or a card, by its name."""
    return CARDS[prize] if prize in CARDS else _name(prize)


def _prize(lookup: Lookup, tree: object) -> str:
    """The letter of the faction that the prize is of, or the card that it is."""
    assert isinstance(tree, Tree)
    typed, column = lookup.typed(tree.children[0])
    name = typed.rstrip("0123456789")
    faction = cards.read_faction(name.rstrip(), column)
    if isinstance(faction, Problem) or name == typed:
        return _code(lookup, faction)
    return _code(lookup, cards.card_of(faction, typed.removeprefix(name), column, len(typed)))


def _led(lookup: Lookup, tree: object) -> str:
    """The faction that is led; "" for any."""
    assert isinstance(tree, Tree)
    (led,) = tree.children
    return "" if isinstance(led, Token) else _faction(lookup, led)


def _faction(lookup: Lookup, tree: object) -> str:
    """The letter of a faction."""
    return _code(lookup, cards.read_faction(*lookup.typed(tree)))


def _code(lookup: Lookup, value: Faction | Card | Problem) -> str:
    """The letter of a faction, or the code of a card; "" for a problem, which is left with `lookup`."""
    if isinstance(value, Problem):
        lookup.problems.append(value)
        return ""
    return value.letter if isinstance(value, Faction) else value


ORDERS = ClaimOrders()


def orders_of(_: Claim) -> ClaimOrders:
    """The orders of a game: the same in every one."""
    return ORDERS


PLUGIN = orders_of
