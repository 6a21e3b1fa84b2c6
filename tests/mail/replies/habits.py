"""What becomes of an order between the head and the wire: how people type, and what keyboards and programs change.

Each habit takes a turn in canonical form and gives the lines that stand in the mail.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

WIDE = {ord(character): ord(character) + 0xFEE0 for character in map(chr, range(0x21, 0x7F))} | {0x20: 0x3000}
CODES = {
    "Moray": "MOR",
    "Strathclyde": "STR",
    "Lancaster": "LAN",
    "Northumbria": "NOR",
    "Gwynedd": "GWY",
    "Warwick": "WAR",
    "Essex": "ESS",
    "Devon": "DEV",
}
CJK = {ord(";"): "；", ord(","): "，", ord(":"): "："}

Habit = Callable[[str], list[str]]


def arrows(both: str, one: str) -> Habit:
    """Other arrows than `<>` and `>`."""
    return lambda turn: [_arrows(turn, both, one)]


def _arrows(turn: str, both: str, one: str) -> str:
    return turn.replace("<>", "\0").replace(" > ", f" {one} ").replace("\0", both)


def replaced(changes: Mapping[str, str]) -> Habit:
    """Texts replaced by others."""

    def habit(turn: str) -> list[str]:
        for old, new in changes.items():
            turn = turn.replace(old, new)
        return [turn]

    return habit


def _short(turn: str) -> list[str]:
    head, *rest = re.split(r"(?= [A-Z]{1,3} )|(?= (?:Moray|Devon|Essex))", turn, maxsplit=1)
    short = " ".join(word[:4] for word in head.split())
    text = short + "".join(rest)
    for name, code in CODES.items():
        text = text.replace(name, code.lower())
    return [text]


def _words(turn: str) -> list[str]:
    text = re.sub(r"\b([SWE]{1,3}) (Moray|Str|Lan|Nor|Gwy|War|Ess|Dev)", r"\1 from \2", _arrows(turn, "for", "to"))
    return [text.replace("summon ", "summons ").replace(", disc ", ", disc on ")]


def _swapped(turn: str) -> list[str]:
    card, _, rest = turn.partition(" ")
    sides, semicolon, summons = rest.partition(";")
    sides, comma, disc = sides.partition(",")
    first, second = sides.split(" <> ")
    return [f"{card} {second} <> {first}{comma}{disc}{semicolon}{summons}"]


def _in_columns(width: int) -> Habit:
    def habit(turn: str) -> list[str]:
        lines = [""]
        for word in turn.split(" "):
            if len(lines[-1]) + len(word) > width or (lines[-1] and word == "<>" and len(lines) == 1):
                lines.append("")
            lines[-1] += f"{' ' if lines[-1] else ''}{word}"
        return lines

    return habit


def _two(turn: str) -> list[str]:
    first, _, second = turn.partition("; ")
    return [f"{first};", second]


HABITS: dict[str, Habit] = {
    "": lambda turn: [turn],
    "lower": lambda turn: [turn.lower()],
    "capitals": lambda turn: [turn.upper()],
    "short": _short,
    "words": _words,
    "swapped": _swapped,
    "arrow": arrows("↔", "→"),
    "double-arrow": arrows("⇔", "⇒"),
    "two-arrows": arrows("⇄", "⟶"),
    "ascii-arrow": arrows("<->", "->"),
    "long-dash-arrow": arrows("<–>", "–>"),
    "emoji-arrow": arrows("↔\ufe0f", "➡\ufe0f"),
    "word-arrow": arrows("ó", "à"),
    "entities": arrows("&lt;&gt;", "&gt;"),
    "no-break": lambda turn: [turn.replace(" ", "\u00a0", 3).replace("; ", ";\u00a0")],
    "narrow": replaced({";": "\u202f;", ":": "\u202f:"}),
    "spaces": lambda turn: ["  " + turn.replace(" ", "  ", 2) + " \t "],
    "quotes": lambda turn: [f"“{turn}”"],
    "low-quotes": lambda turn: [f"„{turn}“"],
    "guillemets": lambda turn: [f"«\u00a0{turn}\u00a0»"],
    "corner-quotes": lambda turn: [f"「{turn}」"],
    "bold": lambda turn: [f"*{turn}*"],
    "bold-card": lambda turn: [f"*{turn.partition(' ')[0]}* {turn.partition(' ')[2]}"],
    "italic": lambda turn: [f"/{turn}/"],
    "bullet": lambda turn: [f"• {turn}"],
    "dash": lambda turn: [f"- {turn}"],
    "exclaimed": lambda turn: [f"{turn}!"],
    "full-stop": lambda turn: [f"{turn}."],
    "two-lines": _two,
    "two-paragraphs": lambda turn: [_two(turn)[0], "", _two(turn)[1]],
    "summons-below": lambda turn: [turn.partition("; ")[0], turn.partition("; ")[2].capitalize().replace(" s ", " S ")],
    "broken": _in_columns(24),
    "soft-hyphens": replaced({"oeuvre": "oeu\u00advre", "Lancaster": "Lan\u00adcaster", "umbria": "um\u00adbria"}),
    "zero-width": lambda turn: ["\u200b" + turn.replace("summon", "sum\u2060mon") + "\ufeff"],
    "right-to-left": lambda turn: [f"\u200f{turn}\u200e"],
    "isolated": lambda turn: ["\u2068" + turn.replace("; ", ";\u200e ") + "\u2069"],
    "ligature": replaced({"oeuvre": "œuvre"}),
    "wide": lambda turn: [turn.translate(WIDE)],
    "wide-arrow": lambda turn: [_arrows(turn, "＜＞", "＞").translate(CJK)],
    "angle-brackets": lambda turn: [f"{_arrows(turn, '《》', '》').translate(CJK)}。"],
    "ideographic": lambda turn: [f"{turn.replace(', ', '、').replace('; ', '；')}。"],
    "curly": replaced({"Spy Ann:": "Spy Ann’s", "Spy Bob:": "Spy Bob’s", "Spy Zoë:": "Spy Zoë’s"}),
    "my-move": lambda turn: [f"My move: {turn}"],
    "marked": lambda turn: [f"> {turn}"],
    "american": replaced({"Manoeuvre": "Maneuver", "Outmanoeuvre": "Outmaneuver"}),
    "misspelt": replaced(
        {"umbria": "umberland", "wynedd": "ynwedd", "Strath": "Straith", "Moray": "Murray", "Warwick": "Warrick"}
    ),
    "half": lambda turn: [turn.partition(";")[0]],
    "paso": lambda _: ["Paso."],
}

REFUSED = {
    "my-move": "post.order.form",
    "marked": "mail.no-order",
    "american": "notation.card",
    "misspelt": "notation.region",
    "half": "second.summon.must",
    "paso": "notation.card",
}
"""The habits that leave no turn to play, and the rule that the answer names."""
