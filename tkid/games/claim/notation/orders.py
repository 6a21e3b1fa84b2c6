"""Standing orders and conditions of Claim, and the signs that a line is an order."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Mapping, Sequence
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Literal

from attrs import frozen
from lark import Token, Tree

from tkid.games.claim.notation import turns
from tkid.games.claim.notation import turns as card_turns
from tkid.games.claim.notation.turns import VERBS, TurnReader
from tkid.games.claim.rules import FACTIONS, Card, Claim, Faction
from tkid.games.claim.rules import NAMES as CARDS
from tkid.kernel.problems import Problem
from tkid.notation.line_parser import Wrong
from tkid.notation.names import People
from tkid.notation.plugin import ReadTurn
from tkid.orders import order_reader, order_values
from tkid.orders.forms import POLITE_WORDS, is_like_name, split_small_words

CARD = re.compile(r"([^\W\d_]+)[\s-]*(\d+|[a-z]+)?", re.IGNORECASE)
NUMBERS = frozenset(["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"])
PASSED_ON = frozenset(
    ["the", "a", "an", "my", "your", "it", "this", "that", "on", "by", "me", "along", "through", "to"]
)
"""Words behind `pass` that make a sentence of it: `pass the salt`."""
CHOICES = ("lowest", "highest", "forced", "until", "always")
LETTER_AND_VALUE = 2
"""Characters of a card in its shortest form."""
HAPPENS = re.compile(r"\b(?:led|leads?|prize|phase)\b", re.IGNORECASE)
DONE = re.compile(
    r"\W*(?:(?:then|else)\W+)*(?:(?:stop|ask(?:\s+me)?)(?=\s*(?:\W*$|[;.,()]))|(?:play|lead)\s+(?:my|what)\b)",
    re.IGNORECASE,
)
"""Text at the start of a plan's action, after the colon."""
OTHERWISE = re.compile(r"\b(?:else|otherwise)\b\W*(?:stop|ask|if)\b|(?:\bstop|\bask\s+me)\W*$", re.IGNORECASE)


class ClaimSigns(order_values.Signs):
    """Signs of turns and plans in a line; players are not named."""

    known: Sequence[str] = ("led", "lead", "nothing", "anything", "prize", "phase", "the", "a", "an")
    happens, done, otherwise = HAPPENS, DONE, OTHERWISE
    names = tuple(name.casefold() for name in turns.LETTERS)
    beginnings: Sequence[str] = tuple(
        word.casefold() for word in (*turns.LETTERS, *turns.LETTERS.values(), *VERBS, "pass")
    )

    def is_written_out(self, read: ReadTurn, letters: int) -> bool:
        """Return True if a turn is surely one; `U 2` isn't, as it may mean `you too`."""
        ((_, length),) = read.decisions[0].parts.values()
        return letters > 1 or length == LETTER_AND_VALUE

    def is_standing(self, words: Sequence[str]) -> bool:
        """Return True if a line that begins like a standing order names a card or is short."""
        if words[0] == "if":
            return True
        chooses = any(is_like_name(word, CHOICES) for word in words[1:])
        return (chooses and len(words) <= 2 * order_reader.MOST_OF_A_WISH) or len(
            words
        ) <= order_reader.MOST_OF_A_PAIR + 1

    def is_turn(self, text: str) -> bool:
        """Return True if a line was meant as a turn: a card, perhaps misspelt, a faction or a pass, and no sentence."""
        words = split_small_words(text)
        if not words:
            return False
        if words[0] in {"pass", "passes"}:
            return order_reader.is_short_pass(words, PASSED_ON)
        bare = re.sub(rf"^\W*(?:{'|'.join(VERBS)})\s+", "", text, flags=re.IGNORECASE)
        found = CARD.match(bare.lstrip(" \t*_`\"'"))
        if found is None:
            return words[0] in VERBS and len(words) == 1
        faction, value = found[1], found[2] or ""
        rest = split_small_words(bare)[1 + (not value.isdecimal() and bool(value)) :]
        if value.isdecimal():
            return self._is_like_faction(faction) and self._is_complete(bare, rest)
        if value.casefold() in NUMBERS:
            return self._is_like_faction(faction) and not set(rest) - POLITE_WORDS
        alone = not value or value.casefold() in POLITE_WORDS
        return alone and not rest and faction.casefold() in {*self.names, *(f"{name}s" for name in self.names)}

    def _is_complete(self, text: str, rest: Sequence[str]) -> bool:
        """Return True if only polite words or another card follow a card."""
        another = len(re.findall(r"\d", text)) > 1 and len(rest) <= order_reader.MOST_OF_A_PASS
        return another or not set(rest) - POLITE_WORDS

    def _is_like_faction(self, word: str) -> bool:
        if isinstance(turns.CARD_NAMES.find(word), str):
            return True
        return len(word) >= order_reader.SHORTEST_LIKE and is_like_name(word.casefold(), self.names)


@frozen
class Standing(order_values.Standing):
    """Playing card after card: on a card of the other player's, when leading, in either case, or the forced one.

    `led` is the faction that has to be led for a card to `follow`, "" for any; `prize` what has to be played for, a
    faction or a card, "" for anything. `which` is the card chosen among those that may be played, of `faction` alone
    where that is not "". `phase` is True if the order ends with the phase.
    """

    kind: Literal["follow", "lead", "either", "forced"]
    which: Literal["lowest", "highest", ""] = ""
    faction: str = ""
    led: str = ""
    prize: str = ""
    phase: bool = False


@frozen
class Led(order_values.Condition):
    """A condition: the other player has led a card of this faction; "" is any card."""

    faction: str = ""


@frozen
class NothingLed(order_values.Condition):
    """A condition: the owner leads."""


@frozen
class Prize(order_values.Condition):
    """A condition: a card of this faction is played for, or this very card."""

    of: str


@frozen
class PhaseTwo(order_values.Condition):
    """A condition: phase two has begun."""


Condition = Led | NothingLed | Prize | PhaseTwo


CHOSEN = r"(?:my|the|with|what\w*|an?|lowest|highest|smallest|biggest|largest|forced)\b"
STANDING = re.compile(
    rf"(?:lead|play)\s+{CHOSEN}|if\b[^:;]*[:,]\s*(?:lead|play)\s+{CHOSEN}|(?:always\s+|keep\s+(?:on\s+)?)pass"
    r"|pass(?:ing)?\s+(?:until|till?|always|for\s*ever|every|each)\b",
    re.IGNORECASE,
)
GIVES_UP = re.compile(r"I(?:['’]ll|\s+(?:will|would\s+like\s+to|want\s+to|have\s+to))?\s+(resign)\W*", re.IGNORECASE)
"""Sentences that name what they ask for; they are answered with how it is written."""
READ: Mapping[str, Any] = tomllib.loads(files(__package__).joinpath("orders.toml").read_text("utf-8"))
WRONG: Mapping[str, Wrong] = {
    "standing": READ["standing"],
    "plan": {**READ["plan"], **order_reader.list_wrong_steps("Goblin 5", "phase two"), **READ["action"]},
}
ALWAYS = "Write `if led anything: play my lowest`, or `lead my lowest`, or both."
NOBODY_PASSES = "Nobody can pass: each player plays a card to every trick"


class ClaimOrders(order_values.OrderLanguage):
    """The orders of Claim."""

    grammar = "claim_plans"
    forms: Mapping[str, str] = MappingProxyType(READ["forms"])
    wrong = WRONG
    examples = "`if led Goblin: play my lowest`, `play what is forced`"
    turn = "Goblin 5"
    reserved: Collection[str] = frozenset({
        *("led", "lead", "leads", "prize", "phase", "nothing", "anything", "my", "the", "a", "an", "there"),
        *(name.casefold() for name in card_turns.LETTERS),
    })  # fmt: skip
    level = "tricks"
    gives_up = GIVES_UP

    def begins_standing(self, text: str) -> bool:
        """Return True if a line begins like a standing order; also if it asks to pass, which the game does not allow."""
        return STANDING.match(text) is not None

    def read_standing(self, lookup: order_values.Lookup, tree: Tree[Token]) -> Standing:
        if tree.data == "passing":
            lookup.note_problem(NOBODY_PASSES, f"Standing orders are {self.forms['standing']}.", tree)
            return Standing("forced")
        if tree.data == "whenever":
            lookup.note_problem("The time to play it is missing", ALWAYS, tree)
            return Standing("forced")
        parts = _map_parts(tree)
        phase = "end" in parts
        if phase and _get_first_type(parts["end"]) != "PHASE":
            message = "An order ends with the phase, or when you cancel it"
            lookup.note_problem(message, "Write `until the phase ends`.", parts["end"])
        if tree.data == "forced":
            return Standing("forced", phase=phase)
        choice = parts["choice"]
        which: Literal["lowest", "highest"] = "lowest" if _get_first_type(choice) == "LOWEST" else "highest"
        faction = _read_faction(lookup, choice.children[1]) if choice.children[1:] else ""
        prize = _read_prize(lookup, parts["prize"]) if "prize" in parts else ""
        if tree.data != "lead" and "led" in parts:
            return Standing("follow", which, faction, _read_led(lookup, parts["led"]), prize, phase)
        if "led" in parts:
            lookup.note_problem("Nobody leads on a card that is led", "On a led card write `play`.", parts["led"])
        return Standing("lead" if tree.data == "lead" else "either", which, faction, "", prize, phase)

    def read_condition(self, lookup: order_values.Lookup, tree: Tree[Token]) -> Condition:
        if tree.data == "led_faction":
            return Led(_read_led(lookup, tree.children[0]))
        if tree.data == "prize_is":
            return Prize(_read_prize(lookup, tree.children[0]))
        return NothingLed() if tree.data == "nothing_led" else PhaseTwo()

    def write_standing(self, order: Standing, _: Claim, __: People) -> str:
        chosen = f"my {order.which}{f' {_name(order.faction)}' if order.faction else ''}"
        when = [self._write_led(order.led)] if order.kind == "follow" else []
        when += [f"prize {_name_prize(order.prize)}"] if order.prize else []
        done = {"forced": "play what is forced", "lead": f"lead {chosen}"}.get(order.kind, f"play {chosen}")
        written = f"if {' and '.join(when)}: {done}" if when else done
        return f"{written} until the phase ends" if order.phase else written

    def write_condition(self, condition: Condition, _: Claim, __: People) -> str:
        match condition:
            case Led(faction):
                return self._write_led(faction)
            case NothingLed():
                return "nothing is led"
            case Prize(of):
                return f"prize {_name_prize(of)}"
            case PhaseTwo():
                return "phase two"

    @staticmethod
    def _write_led(faction: str) -> str:
        return f"led {_name(faction) if faction else 'anything'}"

    def find_signs(self, turns: TurnReader, people: People) -> ClaimSigns:  # noqa: ARG002 - players are not named, and every game has the same
        return ClaimSigns()


def _map_parts(tree: Tree[Token]) -> dict[str, Tree[Token]]:
    """Return the parts of a standing order and of its condition, by their kind."""
    parts = {str(part.data): part for part in tree.children if isinstance(part, Tree)}
    return {**parts, **(_map_parts(parts["when"]) if "when" in parts else {})}


def _get_first_type(tree: Tree[Token]) -> str:
    (word, *_) = tree.children
    assert isinstance(word, Token)
    return word.type


def _name(letter: str) -> str:
    return FACTIONS[letter].name


def _name_prize(prize: str) -> str:
    return CARDS[prize] if prize in CARDS else _name(prize)


def _read_prize(lookup: order_values.Lookup, tree: object) -> str:
    assert isinstance(tree, Tree)
    part = lookup.find_part(tree.children[0])
    typed, column = part.text, part.column
    name = typed.rstrip("0123456789")
    faction = card_turns.read_faction(name.rstrip(), column)
    if isinstance(faction, Problem) or name == typed:
        return _get_code(lookup, faction)
    return _get_code(lookup, card_turns.card_of(faction, typed.removeprefix(name), column, len(typed)))


def _read_led(lookup: order_values.Lookup, tree: object) -> str:
    assert isinstance(tree, Tree)
    (led,) = tree.children
    return "" if isinstance(led, Token) else _read_faction(lookup, led)


def _read_faction(lookup: order_values.Lookup, tree: object) -> str:
    part = lookup.find_part(tree)
    return _get_code(lookup, card_turns.read_faction(part.text, part.column))


def _get_code(lookup: order_values.Lookup, value: Faction | Card | Problem) -> str:
    """Return the letter of a faction or the code of a card; "" for a problem, which `lookup` collects."""
    if isinstance(value, Problem):
        lookup.problems.append(value)
        return ""
    return value.letter if isinstance(value, Faction) else value


ORDERS = ClaimOrders()


def get_claim_orders(_: Claim) -> ClaimOrders:
    return ORDERS


PLUGIN = get_claim_orders
