"""The names of a game as people type them: cards, regions, followers; shortened, parted, or with an error."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property

from attrs import field, frozen

from tkid.games.struggle.notation.free.vocabulary import CARDS, FOLLOWERS, NICKNAMES, TAKING, VERBS
from tkid.games.struggle.notation.turn_builder import Lexicon
from tkid.games.struggle.rules.game import Struggle
from tkid.notation.free_words import FILLERS, NUMBERS, Token, like

LIKE_SHORT, LIKE_LONG, LIKE_SPLIT, LIKE_REGION = 0.78, 0.7, 0.85, 0.75
"""How like a name (0 to 1) a word has to be: a short one, a long one, several that make up one; and for a region."""
LONG = 7
"""Letters of a long word."""
SHORTEST_CARD, SHORTEST_ALIKE, SHORTEST_REGION, SHORTEST_START = 4, 5, 3, 3
"""Letters of the start of a card, of a word with an error, of the start of a region, and of a word for followers."""
MOST_LETTERS = 4
"""Letters of a group of followers."""
SHORTEST_STEM = 5
"""Letters of a region's name that may have an ending: `Devonshire`."""
NO_CARD: frozenset[str] = frozenset()


def squeezed(name: str) -> str:
    """A name in small letters without anything between its words."""
    return re.sub(r"[\W\d_]+", "", name.casefold())


@frozen(eq=False)
class Names:
    """The names of a game."""

    game: Struggle
    lexicon: Lexicon = field(init=False)

    @lexicon.default
    def _(self) -> Lexicon:
        return Lexicon(self.game.board)

    # -- followers ----------------------------------------------------------------------------------------

    @cached_property
    def followers(self) -> Mapping[str, tuple[int, bool]]:
        """The words for followers: the faction, and whether it is a single one."""
        words: dict[str, tuple[int, bool]] = {}
        for letter, faction in self.lexicon.letters.items():
            several, single = FOLLOWERS.get(letter, ("", ""))
            words |= dict.fromkeys(several.split(), (faction, False)) | dict.fromkeys(single.split(), (faction, True))
            words.setdefault(squeezed(self.game.board.factions[faction].name), (faction, False))
        return words

    def faction(self, word: str) -> int:
        """The faction of a word for followers, whole, begun or with an error; -1 for none."""
        if word in self.followers:
            return self.followers[word][0]
        if len(word) < SHORTEST_START or word in FILLERS:
            return -1
        begun = {faction for name, (faction, _) in self.followers.items() if name.startswith(word)}
        if len(begun) == 1:
            return begun.pop()
        long = [name for name in self.followers if len(name) >= SHORTEST_ALIKE]
        near = like(word, long, LIKE_SHORT) if len(word) >= SHORTEST_ALIKE else ""
        return self.followers[near][0] if near else -1

    def letters(self, word: str) -> list[int]:
        """The factions of followers written as letters; [] where a word is none of that."""
        factions = [self.lexicon.letters.get(letter.upper(), -1) for letter in word]
        return factions if -1 not in factions and len(factions) <= MOST_LETTERS else []

    # -- cards --------------------------------------------------------------------------------------------

    @cached_property
    def whole_cards(self) -> frozenset[str]:
        """The squeezed names of the cards."""
        return frozenset(squeezed(name) for name in self.game.cards)

    @cached_property
    def _cards(self) -> Mapping[str, frozenset[str]]:
        """The squeezed names of cards, and their single words, with the cards that they may mean."""
        words: dict[str, set[str]] = {}
        for name in self.game.cards:
            parts = re.findall(r"[^\W\d_]+", name.casefold())
            single = [part for part in parts if part not in self.followers] if len(parts) > 1 else []
            own = {"".join(parts), *single}
            for word in own.union(*(CARDS.get(each, ()) for each in own)):
                words.setdefault(word, set()).add(name)
        whole = {squeezed(name): {name} for name in self.game.cards}
        return {word: frozenset(whole.get(word, cards)) for word, cards in words.items()}

    @cached_property
    def _prefixes(self) -> frozenset[str]:
        """The common words that names of cards begin with, as people part them: `Out-manoeuvre`."""
        return frozenset(
            word
            for word in FILLERS
            if len(word) >= SHORTEST_START and any(name.startswith(word) for name in self.whole_cards)
        )

    @cached_property
    def faction_cards(self) -> Mapping[int, str]:
        """The cards that are called like a faction, by faction."""
        named = {squeezed(faction.name): index for index, faction in enumerate(self.game.board.factions)}
        return {named[squeezed(card)]: card for card in self.game.cards if squeezed(card) in named}

    def cards(self, words: Sequence[Token], *, first: bool) -> frozenset[str]:
        """The cards that some words may name together; a shorter start is taken where nothing was named before."""
        joined = _joined(words)
        if joined in self._cards:
            return self._cards[joined]
        if len(words) > 1:
            return self._several(words, joined)
        begun = (
            [name for name in self._cards if name.startswith(joined)] if len(joined) >= SHORTEST_CARD - first else []
        )
        if begun and len({self._cards[name] for name in begun}) == 1:
            return self._cards[begun[0]]
        if len(joined) < SHORTEST_ALIKE or joined.endswith("ed"):
            return NO_CARD
        near = like(joined, list(self._cards), LIKE_LONG if len(joined) >= LONG else LIKE_SHORT)
        return self._cards.get(near, NO_CARD)

    def _several(self, words: Sequence[Token], joined: str) -> frozenset[str]:
        """The cards that several words may name: the words of a name in any order, or one word that was parted."""
        named = [self.cards((word,), first=False) for word in words]
        together = frozenset.intersection(
            *(cards or self._of_faction(word.word) for cards, word in zip(named, words, strict=True))
        )
        if len(words) == 2 and len(words[0].word) == 1:  # `e support`
            together = self._of_letter(words[0].word) & named[1]
        if together and any(named):
            return together
        begins = words[0].word in self._prefixes
        if any(self.is_known(word) for word in (words[1:] if begins else words)):
            return NO_CARD
        return self._cards.get(like(joined, list(self.whole_cards), LIKE_SPLIT), NO_CARD)

    def _of_faction(self, word: str) -> frozenset[str]:
        """The cards with a faction in their names, by any word for it."""
        faction = self.faction(word)
        return self._with_name(faction) if faction >= 0 else NO_CARD

    def _of_letter(self, letter: str) -> frozenset[str]:
        """The cards with a faction in their names, by its letter."""
        factions = self.letters(letter)
        return self._with_name(factions[0]) if factions else NO_CARD

    def _with_name(self, faction: int) -> frozenset[str]:
        """The cards with a faction in their names."""
        name = squeezed(self.game.board.factions[faction].name)
        return frozenset(card for card in self.game.cards if name in squeezed(card) and squeezed(card) != name)

    # -- regions ------------------------------------------------------------------------------------------

    @cached_property
    def regions(self) -> Mapping[str, int]:
        """The squeezed names of regions, their codes and nicknames."""
        regions = self.game.board.regions
        codes = {region.code: index for index, region in enumerate(regions)}
        named = {squeezed(region.name): index for index, region in enumerate(regions)}
        nicknames = {name: codes[code] for name, code in NICKNAMES.items() if code in codes}
        return nicknames | {code.casefold(): index for code, index in codes.items()} | named

    @cached_property
    def _region_names(self) -> tuple[str, ...]:
        """The squeezed names of regions, for comparing."""
        return tuple(squeezed(region.name) for region in self.game.board.regions)

    def region(self, words: Sequence[Token]) -> int:
        """The region that some words name, whole, begun or with an error; -1 for none."""
        joined = _joined(words)
        if joined in self.regions:
            return self.regions[joined]
        if len(joined) < SHORTEST_REGION or (len(words) > 1 and any(map(self.is_known, words))):
            return -1
        spaced = [token.word for token in words]
        names = [region.name.casefold().split() for region in self.game.board.regions]
        begun = [index for index, name in enumerate(names) if _starts(name, spaced) or spaced == name[1:]]
        long = [(name, index) for name, index in self.regions.items() if len(name) >= SHORTEST_STEM]
        found = begun if len(begun) == 1 else [index for name, index in long if joined.startswith(name)]
        if len(found) == 1:
            return found[0]
        near = like(joined, self._region_names, LIKE_LONG if len(joined) >= LONG else LIKE_REGION)
        return self.regions.get(near, -1)

    def is_known(self, token: Token) -> bool:
        """Whether a word means something alone, so that it is no part of a name that was parted."""
        word = token.word
        verbs = any(word in verbs for verbs in (*VERBS.values(), TAKING))
        return (
            verbs
            or word in FILLERS
            or word in NUMBERS
            or word in self.regions
            or bool(self.letters(word))
            or self.faction(word) >= 0
        )


def _joined(words: Sequence[Token]) -> str:
    """Some words as one."""
    return "".join(token.word.replace("'", "") for token in words)


def _starts(name: Sequence[str], typed: Sequence[str]) -> bool:
    return len(typed) <= len(name) and all(map(str.startswith, name, typed))
