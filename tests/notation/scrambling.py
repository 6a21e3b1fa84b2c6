"""Scrambling: a legal turn as people may write it, by what is known to vary. It still means that turn and no other."""

from __future__ import annotations

import re
from random import Random

from tkid.games.struggle.rules.board import Position
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.moves import Move

NAMES = ("Ann", "Bob", "Cal", "Dee")
PEOPLE = {
    "S": ("Scots", "Scottish", "Scot", "Scotsman"),
    "W": ("Welsh", "Welsh", "Welshman", "Welshman"),
    "E": ("English", "English", "Englishman", "Englishman"),
    "R": ("Romans", "Romano-British", "Roman", "Briton"),
    "M": ("Mordred", "Mordred", "Mordred", "Mordred"),
}
"""By a faction's letter: two words for several followers, two for a single one."""
NUMBERS = {1: ("a", "one", "1"), 2: ("two", "2", "both")}
SWAPS = ("<>", "<->", "↔", "with", "for", "against")
ENDS = ("; ", ", ", ". ", "\n", " and ", " then ", ", then ", " ; ")
COMMAS = (", ", " and ", " ", "; ", ",")
BEGINNINGS = ("", "", "I play ", "Please: ", "my turn: ", "I'd like to play ", "7. ", "* ", "Hi all! ")
LONG = 6
"""Letters of a name that may have a typing error."""
OPERATIONS = (
    "order",
    "connecting words",
    "punctuation",
    "numbers",
    "factions",
    "typing error",
    "case",
    "history",
    "arrows",
)


def legal_turn(rng: Random, game: Struggle, position: Position) -> tuple[Move, ...]:
    """A legal turn by chance."""
    moves: list[Move] = []
    while not moves or position.decision == "summon":
        options = game.legal(position)
        moves.append(options[rng.randrange(len(options))])
        position, _ = game.apply(position, moves[-1])
    return tuple(moves)


def scrambled(rng: Random, game: Struggle, turn: str, operations: frozenset[str]) -> str:
    """A turn in canonical notation as somebody may write it, by some of the OPERATIONS."""
    action, *summons = turn.split("; ")
    card = max((name for name in game.cards if action.startswith(name)), key=len, default="")
    action = action[len(card) :]
    parts = [f"{_name(rng, card, operations)}{_part(rng, game, action, operations)}"]
    parts += [_part(rng, game, text, operations) for text in summons]
    if "order" in operations and len(parts) == 2 and parts[1].startswith("summon"):
        parts.reverse()
    between = rng.choice(ENDS) if "punctuation" in operations else "; "
    text = between.join(parts)
    if "connecting words" in operations:
        text = f"{rng.choice(BEGINNINGS)}{text}{rng.choice(('', ' please', '.', '!', ' thanks'))}"
    if "history" in operations:
        text = f"{rng.randrange(1, 60)}. {text} #{rng.randrange(1 << 24):06x}"
    if "case" in operations:
        text = rng.choice((text.lower(), text.upper(), text.capitalize()))
    return text


def _name(rng: Random, name: str, operations: frozenset[str]) -> str:
    """A name, perhaps with an error."""
    return _mistyped(rng, name) if "typing error" in operations and rng.random() < 0.5 else name


def _part(rng: Random, game: Struggle, text: str, operations: frozenset[str]) -> str:
    """A decision of a turn: its followers, regions and signs."""
    letters = "".join(faction.letter for faction in game.board.factions)
    regions = "|".join(re.escape(region.name) for region in game.board.regions)
    summons = text.startswith("summon")

    def group(match: re.Match[str]) -> str:
        return _followers(rng, match[0], operations)

    def region(match: re.Match[str]) -> str:
        name = _name(rng, match[0], operations)
        preposition = "from " if summons else "in "
        return f"{preposition}{name}" if "connecting words" in operations and rng.random() < 0.5 else name

    text = re.sub(rf"(?<![\w>])(?<!> )(?:{regions})(?!\w)", region, text)
    text = re.sub(rf"\b[{letters}]{{1,3}}\b", group, text)
    if "arrows" in operations:
        text = text.replace("<>", rng.choice(SWAPS))
        text = re.sub(r" > ", rng.choice((" > ", " -> ", " to ", " → ")), text)
    if "punctuation" in operations:
        text = text.replace(", ", rng.choice(COMMAS))
    return text


def _followers(rng: Random, letters: str, operations: frozenset[str]) -> str:
    """Followers of one faction in other words."""
    if len(set(letters)) > 1 or letters[0] not in PEOPLE:
        return letters
    several, other, single, another = PEOPLE[letters[0]]
    number = len(letters)
    if "factions" in operations:
        word = rng.choice((single, another) if number == 1 else (several, other))
        return f"{rng.choice(NUMBERS[number])} {word}" if number > 1 or rng.random() < 0.5 else word
    if "numbers" in operations and number in NUMBERS:
        return f"{rng.choice(NUMBERS[number][1:])} {letters[0]}"
    return letters


def _mistyped(rng: Random, name: str) -> str:
    """A name with one wrong letter in one of its long words, not the first."""
    words = name.split()
    long = [index for index, word in enumerate(words) if len(word) >= LONG and word.isalpha()]
    if not long:
        return name
    index = rng.choice(long)
    word, at = words[index], rng.randrange(1, len(words[index]) - 1)
    letter = rng.choice("abcdefghijklmnopqrstuvwxyz")
    words[index] = rng.choice((
        word[:at] + word[at + 1 :],
        word[:at] + letter + word[at:],
        word[:at] + letter + word[at + 1 :],
        word[:at] + word[at + 1] + word[at] + word[at + 2 :],
    ))  # fmt: skip
    return " ".join(words)
