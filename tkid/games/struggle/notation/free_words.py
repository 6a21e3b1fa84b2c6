"""The names of a game as people write them: cards, regions, followers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property

from attrs import frozen

from tkid.games.struggle.notation.turn_builder import Lexicon
from tkid.games.struggle.rules.game import Struggle
from tkid.kernel.values import derive
from tkid.notation import free_text


def _split_words(text: str) -> frozenset[str]:
    return frozenset(text.split())


FOLLOWERS: Mapping[str, tuple[str, str]] = {
    "S": ("scots scottish scotch scotsmen schotten schottische schottischen blue blues ecossais ecossaise ecossaises",
          "scot scotsman scotswoman schotte"),
    "W": ("welsh welch welshmen walisische walisischen waliser red reds gallois galloise galloises", "welshman welshwoman"),
    "E": ("english englishmen englische englischen englander yellow yellows anglais anglaise anglaises", "englishman englishwoman"),
    "R": ("romanobritish romano-british romano british romans britons romanobritons romer yellow yellows romains",
          "roman briton romanobriton"),
    "M": ("mordred mordreds mordred's black", ""),
}  # fmt: skip
"""By a faction's letter its followers in words and in the colour of their pieces: of any number, and a single one."""
NICKNAMES: Mapping[str, str] = {"lancs": "LAN", "lancashire": "LAN", "london": "LON", "northumberland": "NOR"}
"""Other names of regions, each with the code of its own."""
CARDS: Mapping[str, frozenset[str]] = {
    "support": _split_words("unterstutzung unterstutze unterstutzen soutien soutenir"),
    "assemble": _split_words("versammlung versammeln versammle sammeln rassembler rassemblement rassemble"),
    "negotiate": _split_words("verhandlung verhandlungen verhandeln verhandle negocier negociation negocie"),
    "manoeuvre": _split_words("manover manovrieren manovriere manoeuvrer"),
    "outmanoeuvre": _split_words("ausmanovrieren uberlisten uberliste dejouer dejoue"),
    "plot": _split_words("verschworung intrige complot"),
    "spy": _split_words("spion spionieren espion espionner"),
    "suppress": _split_words("unterdrucken unterdruckung reprimer"),
    "resist": _split_words("widerstand resister resistance"),
    "ambush": _split_words("hinterhalt uberfall uberfallen embuscade emboscada imboscata zasadzka hinderlaag"),
    "march": _split_words("marsch marschieren marschiere marche marcher marcha marchar marcia marciare marsz"),
    "aid": _split_words("beistand aide aider ayuda ayudar ajuda ajudar"),
    "influence": _split_words("einfluss influencer influencia influir influenza invloed"),
    "dispute": _split_words("streit disput disputer disputa disputar"),
    "edict": _split_words("edikt edit edicto editto edykt"),
    "muster": _split_words("ausheben mustern"),
    "quell": _split_words("niederschlagen ecraser"),
    "garrison": _split_words("garnison guarnicion guarnigione"),
    "ambassador": _split_words("ambassadeur botschafter embajador ambasciatore"),
    "settlement": _split_words("siedlung colonie asentamiento insediamento"),
    "crown": _split_words("krone couronne corona"),
}
"""Words of other languages for a card, by its name or the word of its name that is no faction."""
OTHER_PLACES = _split_words("wessex sussex middlesex")
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
            several, single = FOLLOWERS.get(letter, ("", ""))
            words |= dict.fromkeys(several.split(), (faction, False)) | dict.fromkeys(single.split(), (faction, True))
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
        nicknames = {name: codes[code] for name, code in NICKNAMES.items() if code in codes}
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
