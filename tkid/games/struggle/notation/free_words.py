"""The names of a game as people write them: cards, regions, followers."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cached_property
from importlib.resources import files

from attrs import frozen

from tkid.games.struggle.notation.turn_builder import Lexicon
from tkid.games.struggle.rules.game import Struggle
from tkid.kernel.values import derive
from tkid.notation import free_text

TABLE = tomllib.loads(files(__package__).joinpath("free_words.toml").read_text("utf-8"))
FOLLOWERS, FOLLOWER, COLOURS, CARDS, NICKNAMES = (
    {key: words.split() for key, words in TABLE[name].items()}
    for name in ("followers", "follower", "colours", "cards", "regions")
)
"""Words for followers by the letter of their faction, for cards by their name or the last word of it, and for regions by their code."""
PHRASES: Mapping[str, Sequence[str]] = TABLE["phrases"]
"""Patterns of phrases by name; `free_text.py` replaces what they match."""
OTHER_PLACES = frozenset(TABLE["places"]["other"].split())
"""Places with names like a region's that are not regions."""
LIKE_SHORT, LIKE_LONG, LIKE_REGION = 0.78, 0.7, 0.75
"""How like a name (0 to 1) a word has to be: a word for followers, a long one for a region, and a short one."""
LONG = 7
"""Letters of a long word."""
SHORTEST_ALIKE, SHORTEST_REGION, SHORTEST_START = 5, 3, 3
"""Letters of a word with an error, of the start of a region, and of a word for followers."""
MOST_LETTERS = 4
"""Letters of a group of followers."""
SHORTEST_STEM = 5
"""Letters of a region's name that may have an ending: `Devonshire`."""


def squeeze_name(name: str) -> str:
    """Return a name in lower case, without anything between its words."""
    return re.sub(r"[\W\d_]+", "", name.casefold())


@frozen(eq=False)
class Names:
    """The names of a game."""

    game: Struggle
    lexicon: Lexicon = derive(lambda self: Lexicon(self.game.board))

    @cached_property
    def followers(self) -> Mapping[str, tuple[int, bool]]:
        """The words for followers: the faction, and whether it is a single one."""
        words: dict[str, tuple[int, bool]] = {}
        for letter, faction in self.lexicon.letters.items():
            words |= dict.fromkeys(FOLLOWERS.get(letter, ()), (faction, False))
            words |= dict.fromkeys(FOLLOWER.get(letter, ()), (faction, True))
            words.setdefault(squeeze_name(self.game.board.factions[faction].name), (faction, False))
        return words

    def find_faction(self, word: str) -> int:
        """Find the faction of a word for followers, also if shortened or misspelt, or -1."""
        if word in self.followers:
            return self.followers[word][0]
        if len(word) < SHORTEST_START or word in free_text.FILLERS:
            return -1
        begun = self.find_beginning(word)
        if begun >= 0:
            return begun
        long = [name for name in self.followers if len(name) >= SHORTEST_ALIKE]
        near = free_text.find_like(word, long, LIKE_SHORT) if len(word) >= SHORTEST_ALIKE else ""
        return self.followers[near][0] if near else -1

    def find_beginning(self, word: str) -> int:
        """Find the faction that a word begins, or -1."""
        begun = {faction for name, (faction, _) in self.followers.items() if name.startswith(word)}
        return begun.pop() if len(begun) == 1 else -1

    def find_letters(self, word: str) -> list[int]:
        """Find the factions of followers written as letters; [] if the word is something else."""
        factions = [self.lexicon.letters.get(letter.upper(), -1) for letter in word]
        return factions if -1 not in factions and len(factions) <= MOST_LETTERS else []

    @cached_property
    def whole_cards(self) -> frozenset[str]:
        return frozenset(squeeze_name(name) for name in self.game.cards)

    @cached_property
    def faction_cards(self) -> Mapping[int, str]:
        named = {squeeze_name(faction.name): index for index, faction in enumerate(self.game.board.factions)}
        return {named[squeeze_name(card)]: card for card in self.game.cards if squeeze_name(card) in named}

    @cached_property
    def regions(self) -> Mapping[str, int]:
        regions = self.game.board.regions
        codes = {region.code: index for index, region in enumerate(regions)}
        named = {squeeze_name(region.name): index for index, region in enumerate(regions)}
        nicknames = {name: codes[code] for code, names in NICKNAMES.items() if code in codes for name in names}
        return nicknames | {code.casefold(): index for code, index in codes.items()} | named

    @cached_property
    def _region_names(self) -> tuple[str, ...]:
        return tuple(squeeze_name(region.name) for region in self.game.board.regions)

    def find_region(self, word: str) -> int:
        """Find the region that a word names, also if it is shortened, misspelt or has an ending, or -1."""
        if word in self.regions:
            return self.regions[word]
        if word in OTHER_PLACES or len(word) < SHORTEST_REGION:
            return -1
        names = [region.name.casefold().split() for region in self.game.board.regions]
        begun = [index for index, name in enumerate(names) if name[0].startswith(word) or [word] == name[1:]]
        long = [(name, index) for name, index in self.regions.items() if len(name) >= SHORTEST_STEM]
        found = begun if len(begun) == 1 else [index for name, index in long if word.startswith(name)]
        if len(found) == 1:
            return found[0]
        near = free_text.find_like(word, self._region_names, LIKE_LONG if len(word) >= LONG else LIKE_REGION)
        return self.regions.get(near, -1)
