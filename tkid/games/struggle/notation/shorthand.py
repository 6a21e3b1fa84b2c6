"""What the words of notes mean in The King is Dead, and what its moves say."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from types import MappingProxyType
from typing import Any

from attrs import evolve

from tkid.games.struggle.notation.free_words import CARDS, COLOURS, OTHER_PLACES, TABLE, Names, squeeze_name
from tkid.notation.free_text import COUNTS, FILLERS, NOT_ANY, NUMBERS, find_like
from tkid.notation.shorthand import (
    BEGUN,
    DISC,
    FOREIGN,
    LONGEST_SPARSE,
    MISTYPED,
    NO_EFFECT,
    NOTHING,
    OPTIONAL,
    PASS,
    PASSING,
    SHORTEST_SPARSE,
    SPARSE,
    STRANGE,
    SUMMON,
    SUMMONING,
    THERE,
    UNCLEAR,
    WHOLE,
    Fact,
    Part,
    Shorthand,
    Word,
    is_sparse,
    match_name,
)
from tkid.notation.text import drop_accents, fold_name

SUPPLY = frozenset(TABLE["setup"]["supply"].split())
LEGEND = re.compile(r"\b[^\W\d_]+(?: *\([^\W\d_]+\))?(?: *= *[^\W\d_]+\b(?:/[^\W\d_]+)?)+")
COUNTED_WORD = re.compile(r"(?<![^\W_])(?:([^\W\d_]{2,4})=\d|\d ?([A-Za-z][a-z]{1,2})(?![^\W_]))")
LIST_LEGEND = re.compile(r"\b((?:[^\W\d_][ ,/]+){2,}) *= *([^\W\d_]{2,}(?:[ ,/]+[^\W\d_]{2,})+)")
CARD_LEGEND = re.compile(r"\b([A-Z][a-z]{0,4}|[A-Z]/[A-Z])(?: +[a-z\d]/[a-z\d])? *( |=) *([^\W\d_]{4,})")
FOLLOWER_LEGEND = re.compile(r"\b([^\W\d_]{1,2}) ([^\W\d_]{3,})\b")
CODE = re.compile(r"(?<![^\W_])([^\W\d_]{1,3})(?: *= *| +)(?=([^\W\d_]{3,}))")
SUPPORT_CODES = re.compile(r"(?<![^\W_])((?:[^\W\d_]{2,3}[ ,/]+){2}[^\W\d_]{2,3}) *= *([^\W\d_]{4,})")
DASH_LEGEND = re.compile(r"(?<![^\W_])([^\W\d_]{1,3})(?: [-–—] |: )(?=\1[^\W\d_]{2})", re.IGNORECASE)
FEWEST_EXPLAINED = 3
"""How people explain their abbreviations, and how many a line of them has: `A assemble, M manoeuvre, O outman.`, `S - Scots, W - Welsh, E - English`."""
ROW_OF_REGION = re.compile(r"\W*([^\W\d_]+)\b.*?(?<![^\W\d_])(?:([^\W\d_]{3,5})\b|\d)")
"""A line with a region and its followers."""
COUNTED, SMALL_SHARE = re.compile(r"(?<![^\W_])\d?([swerSWER]{1,4})(?![^\W_])"), 0.7
"""Followers in letters behind a region, and the share of small letters in them that leaves capitals for regions."""
GROUP = re.compile(r"(?<![^\W_])([^\W\d_]{2,5})(?![^\W_])")
COLOUR_HEADS = re.compile(r"(?m)^\W*([a-zA-Z])\s+([a-zA-Z])\s+([a-zA-Z])\W*$")
SPACED_GROUP = re.compile(r"(?<![^\W_])(?:[a-zA-Z] ){2,3}[a-zA-Z](?![^\W_])")
COUNTED_LETTER = re.compile(r"(?<![^\W_])\d ?x? ?([a-zA-Z])(?![^\W_])")
FEWEST_GROUPS, FEWEST_BEGUN, FEWEST_CODES = 4, 2, 4
"""Groups of followers that show which letters a writer uses for them, lines that begin with a short word for a card, and cards that
have a code of one or two capitals."""
COLOUR_LETTERS: Mapping[str, str] = {"b": "S", "a": "S", "r": "W", "y": "E", "g": "E", "j": "E"}
"""First letters of colours in several languages, each with the letter of the faction."""
DISCS = frozenset(
    "disc disk plattchen token marker coin chip scheibe jeton disque crown disco gettone ficha disku zeton dysk krazek schijf fiche".split()  # noqa: SIM905 - words read better so
)
IGNORED = frozenset(
    """
    more most come came some them they cards card hand hands both x a the and und et on at in of with mit for to slot slots
    """.split()  # noqa: SIM905 - words read better so
)
THAT_PLACE, THOSE = "\ue000", "\ue001"
"""Signs for a region, and for followers and their region, that were named before."""
THEM: Fact = ("them", None)
"""Followers and a region that were named before."""
RECEIVING = frozenset({"get", "gets", "receives"})
"""Verbs behind a region that say what it gets."""
LOSING = frozenset({"lose", "loses"})
"""Verbs that say what the region before them gives."""
BEFORE = LOSING | frozenset({"there", "dort", "daher", "dorther", "daar", "alli", "bas", THAT_PLACE})
SMALL_LETTERS = frozenset("swrbglk")
"""Letters of followers that are no small words of a language."""
LINKING = frozenset({"n", "w", "4"})
"""Short for `and`, `with` and `for` before followers in words."""
LONGEST_GROUP = 2
"""Letters of a word that are followers even if a region begins with them."""
PARTS = re.compile(r"<>|,|\b(?:return|move|swap)\b|(?<=[A-Z] )place\b|:")
UNSTABLE = re.compile(
    r"\b(?:unst\w*|tie|tied|draw|(?:in|ine|on|nie)stab\w*|instavel|nobody(?! else)|no one|none|undecided|stalemate|deadlock|pareggio|pari|egalite|empate|remis|gleichstand|unentschieden|invader|french|france|instability)\b"
)
ENDINGS = "invasion", "coronation"
ENDED = re.compile(
    r"\b(?:invasion|coronation|crowned|game over|the end|final|wins the game|end of game|won the game)\b"
)
RESULT = re.compile(
    r"\b(?:unst\w*|tie|tied|takes?|wins?|won|gets?|controls?|(?:goes|went) to|to the|is|falls|resolved|resolves|instabil|gewinnt|gewinnen|nehmen|struggle)\b"
)
GLUED = re.compile(r"(?<![^\W_])(\d?[a-z]{1,4}?)([A-Z][a-z]*)(?![^\W_])")
NUMBERED = re.compile(r"(?<![^\W_])(\d)[.): =]{0,2}([^\W\d_]{2,})")
NUMBERED_PLACE = re.compile(r"(?<![^\W_])([swermSWERM]{1,2}|@)([1-8])(?![^\W_])")
NUMBERED_ROW = re.compile(
    r"()(?<![^\W_])([1-8])(?=(?: |: ?)(?:[swermSWERM]{4}\b|(?:(?:[swermSWERM]|unst\w*|tie) )?\d[./-]\d[./-]\d))"
)
"""Regions called by numbers: in the line that explains them, behind followers, and before theirs."""
SMALL_NAMES, PROSE = 0.15, 0.15
ENDING = re.compile(r"(?:ed|d|ing|te?|en|n)$", re.IGNORECASE)
SHORT_NAME, LIKE_COLOUR = 5, 0.85
TAKEN = ("Welsh", "take", "Warwick")
"""How somebody may say what a region came to."""
WON = re.compile(
    r"\b(?:won by|winner|goes to|falls to|to)\W+(?:the )?([^\W\d_]+)|([^\W\d_]+) (?:wins?|won|takes?|took|gets?|got|gewinn\w+)\b"
)
"""Who won a power struggle, behind the numbers of followers or alone."""
ALONE = frozenset("alone else only just instead each and".split())  # noqa: SIM905 - words read better so
NAMED_END = re.compile(r"\W*([^\W\d_]+)\s*:\s*([^\W\d_]+)[^:]*")
"""How a file tells an ending: its name, and a player."""
LONE_NUMBER, FEWEST_TOLD = re.compile(r"\(\d\)|^\W*\d+[.)]"), 2
"""Numbers in a result that count no followers, as in `unstable (2)`; and how many counts a result needs to be compared."""
WORDS = re.compile(r"[^\W\d_]+")
TRIPLE = re.compile(r"\b(\d)(?: ?[/:-] ?|[.,]|\s+)(\d)(?: ?[/:-] ?|[.,]|\s+)(\d)\b")
HOLDING = NUMBERS.keys() | frozenset(
    """
    has have had got gets holds drew draws begins starts start with a an and at court courts hand hands two one each
    crt tengo tenia tenho tinha mam mial habe hatte avevo tenevo avais had heb ai hat haben hof mit zwei und ein eine einen a ont cour deux un une et ha tiene tiene corte
    """.split()  # noqa: SIM905 - words read better so
)
"""Words between players and the followers of their courts."""


def _names_region(word: Word) -> bool:
    return any(kind == "region" for kind, _ in word.meanings)


def _find_kind(word: Word) -> str:
    """Return what a word sooner means: followers or a region."""
    return min(
        ((cost, kind) for (kind, _), cost in word.meanings.items() if kind in {"follower", "region"}), default=(0, "")
    )[1]


def _agrees_in_numbers(said: str, result: str) -> bool:
    """Return True unless notes tell other numbers of followers than there were; a single number may be another thing."""
    told = Counter(re.findall(r"[1-9]\d*", LONE_NUMBER.sub("", re.split(r"[.!?]\s", said)[0])))
    return told.total() < FEWEST_TOLD or not told - Counter(re.findall(r"\d+", result))


def _means_followers(word: Word) -> bool:
    return any(kind == "follower" for kind, _ in word.meanings)


def _adds_followers(behind: Sequence[Word]) -> bool:
    """Return True if two followers stand behind a plus, which then summons none: `Devon +SS`."""
    return len(behind) > 1 and all(map(_means_followers, behind[:2])) and _find_kind(behind[1]) == "follower"


def _is_only_region(word: Word) -> bool:
    return bool(word.meanings) and all(kind == "region" for kind, _ in word.meanings)


def _joins_regions(words: Sequence[Word], behind: Word) -> bool:
    """Return True if a sign stands between two regions, and the first one has no followers: `Negotiate Devon + Essex`."""
    return len(words) > 1 and all(map(_is_only_region, (words[-1], behind))) and not _means_followers(words[-2])


def _join_movements(words: list[Word]) -> list[Word]:
    """Return the words without the ends of two movements that are one swap: `S from Moray to Essex, W from Essex to Moray`."""
    places = [at for at, word in enumerate(words) if len(word.typed) > 1 and _names_region(word)]
    for one, two, three, four in zip(places, places[1:], places[2:], places[3:], strict=False):
        regions = [{fact for fact in words[at].meanings if fact[0] == "region"} for at in (one, two, three, four)]
        is_back = regions[0] & regions[3] and regions[1] & regions[2] and not regions[0] & regions[1]
        within = [*words[one + 1 : two], *words[three + 1 : four]]
        if is_back and any(map(_means_followers, words[two + 1 : three])) and not any(map(_means_followers, within)):
            return [word for at, word in enumerate(words) if at not in {two, four}]
    return words


class StruggleShorthand(Shorthand):
    """Knows what words mean in The King is Dead."""

    _is_capital = False
    """True if the notes write regions with capitals, so that a word without one is no region."""
    _is_prose = False
    """True if the notes are sentences, so that words in small letters are no letters of followers."""

    @cached_property
    def _names(self) -> Names:
        return Names(self.game)

    @cached_property
    def region_names(self) -> Mapping[str, tuple[int, ...]]:
        names = {name: (index,) for name, index in self._names.regions.items()}
        several = ((region.name.casefold().split(), index) for index, region in enumerate(self.game.board.regions))
        return names | {word: (index,) for words, index in several if len(words) > 1 for word in words}

    def read_words(self, position: Any, text: str) -> tuple[Word, ...]:
        """Return the words of a line. Two words of one region's name are one, and `there` is the region before."""
        if position is not None or self._meanings is None:
            return self._read_words(position, text)
        if text not in self._texts:
            self._texts[text] = self._read_words(None, text)
        return self._texts[text]

    @cached_property
    def _texts(self) -> dict[str, tuple[Word, ...]]:
        return {}

    def _read_words(self, position: Any, text: str) -> tuple[Word, ...]:
        words: list[Word] = []
        every = super().read_words(position, self.shorten_factions(text))
        is_prose = any(len(word.typed) > LONGEST_GROUP and _means_followers(word) for word in every)
        is_prose = is_prose and not any(word.typed in SMALL_LETTERS and _means_followers(word) for word in every)
        for at, word in enumerate(every):
            behind = every[at + 1] if at + 1 < len(every) else None
            near = (words[-1].meanings, behind.meanings) if is_prose and words and behind else ()
            alike = near and {kind for kind, _ in near[0]} & {kind for kind, _ in near[1]}
            if word.typed in {"e", "y"} and near and (alike or (behind and self.find_faction(behind.typed) >= 0)):
                continue
            regions = {
                fact for fact in word.meanings if fact[0] == "region" and " " in self.game.board.name_region(fact[1])
            }
            if word.typed == "+" and _adds_followers(every[at + 1 :]):
                continue
            if THERE in word.meanings:
                is_subject = word.typed.casefold() in LOSING and words and _is_only_region(words[-1])
                words += () if is_subject else self._repeat_things(words, word, "region")
            elif THEM in word.meanings:
                words += self._repeat_things(words, evolve(word, cost=OPTIONAL), "follower", "region")
            elif word.typed.casefold() in RECEIVING and words and _is_only_region(words[-1]):
                continue
            elif words and DISC in word.meanings and DISC in words[-1].meanings:
                continue  # `crown token`
            elif (
                (
                    word.typed == "+"
                    and behind is not None
                    and words
                    and _means_followers(behind)
                    and _means_followers(words[-1])
                    and _find_kind(words[-1]) == "follower"
                )
                or (word.typed == "+" and behind is not None and _joins_regions(words, behind))
                or (word.typed in LINKING and behind is not None and len(behind.typed) > 1 and _means_followers(behind))
            ):
                continue
            elif (
                words
                and len(word.typed) > 1 < len(words[-1].typed)
                and " " not in words[-1].typed
                and regions & words[-1].meanings.keys()
            ):
                words[-1] = evolve(
                    words[-1],
                    typed=f"{words[-1].typed} {word.typed}",
                    meanings=dict.fromkeys(regions & words[-1].meanings.keys(), BEGUN),
                )
            else:
                words.append(word)
        return tuple(_join_movements(words))

    def _repeat_things(self, words: Sequence[Word], word: Word, *kinds: str) -> Iterator[Word]:
        """Yield what a word such as `there` repeats: the last followers or region; those of the card if no others are named."""
        for kind in kinds:
            found = [each for each in words if each.meanings and _find_kind(each) == kind]
            found = [each for each in found if not each.typed.isdecimal()] or found
            cards = {value for each in words for of, value in each.meanings if of == "card"}
            own = {self._names.find_faction(card.split()[0].casefold()) for card in cards} - {-1}
            if found or (kind == "follower" and len(own) == 1):
                yield evolve(word, meanings=found[-1].meanings if found else {(kind, own.pop()): WHOLE})

    def shorten_factions(self, text: str) -> str:
        """Return a text with one letter for a faction of two words that is written with two."""
        text = self._initials_of_factions.sub(lambda found: found[0][0], text)
        for pattern in (NUMBERED_PLACE, NUMBERED_ROW) if self._numbered else ():
            text = pattern.sub(
                lambda found: f"{found[1]} {self.game.board.name_region(self._numbered[found[2]])} ", text
            )
        return GLUED.sub(lambda found: f"{found[1]} {found[2]}" if self._is_glued(*found.groups()) else found[0], text)

    def _is_glued(self, followers: str, region: str) -> bool:
        """Return True if letters of followers and a region are run together: `ssWar`."""
        is_region = {kind for kind, _ in self._aliases.get(region, ())} == {"region"} or (
            len(region) > 1 and self._find_begun(region)
        )
        return bool(is_region) and bool(self.find_letters(followers.lstrip("0123456789")))

    @cached_property
    def _initials_of_factions(self) -> re.Pattern[str]:
        """Faction names of two words by their first letters: `R-B`."""
        parts = [re.findall(r"[^\W\d_]+", faction.name) for faction in self.game.board.factions]
        several = [r"[-. ]?".join(word[0] for word in words) for words in parts if len(words) > 1]
        return re.compile(rf"\b(?:{'|'.join(several)})\b\.?" if several else r"(?!)", re.IGNORECASE)

    @cached_property
    def two_word_regions(self) -> Mapping[str, int]:
        """The regions of two words by their first letters, as capitals: `DE`."""
        names = [region.name.split() for region in self.game.board.regions]
        return {"".join(word[0] for word in words): at for at, words in enumerate(names) if len(words) > 1}

    @cached_property
    def _cards(self) -> Mapping[str, tuple[str, ...]]:
        words: dict[str, list[str]] = {}
        for name in self.game.cards:
            parts = [part.casefold() for part in WORDS.findall(name)]
            initials = ["".join(part[0] for part in parts)] if len(parts) > 1 else []
            for word in {squeeze_name(name), *parts, *initials}:
                words.setdefault(word, []).append(name)
        return {word: tuple(cards) for word, cards in words.items()}

    @cached_property
    def _translated(self) -> Mapping[str, tuple[str, ...]]:
        """The words of other languages for cards."""
        return {word: cards for part, cards in self._cards.items() for word in CARDS.get(part, ())}

    @cached_property
    def _colours(self) -> Mapping[str, int]:
        letters = self._names.lexicon.letters
        return {word: letters[letter] for letter, words in COLOURS.items() if letter in letters for word in words}

    _numbered: Mapping[str, int] = MappingProxyType({})
    """The regions that the notes call by a number."""

    _meanings: dict[str, Sequence[Mapping[Fact, float]]] | None = None
    """The meanings of words that don't depend on the position; None while the notes explain words."""

    def find_meanings(self, position: Any, word: str) -> Sequence[Mapping[Fact, float]]:
        if self._meanings is None or (position is not None and (word.isdecimal() or word.casefold() == "contested")):
            return self._find_meanings(position, word)
        if word not in self._meanings:
            self._meanings[word] = self._find_meanings(None, word)
        return self._meanings[word]

    def _find_meanings(self, position: Any, word: str) -> Sequence[Mapping[Fact, float]]:
        plain = drop_accents(word.casefold())
        if plain in self._players:
            return [{("player", self._players[plain]): WHOLE}] if self.game.names_players else []
        signs = (
            (THERE, BEFORE),
            (THEM, frozenset({THOSE})),
            (SUMMON, SUMMONING),
            (PASS, PASSING),
            (NOTHING, NO_EFFECT),
            (DISC, DISCS),
        )
        found: dict[Fact, float] = {fact: WHOLE for fact, words in signs if plain in words}
        if word in self._numbered:
            found["region", self._numbered[word]] = UNCLEAR
        elif position is not None and word.isdecimal() and 1 <= int(word) <= len(position.track):
            found["region", position.track[int(word) - 1]] = UNCLEAR
        if position is not None and plain == "contested" and position.contested is not None:
            found["region", position.contested] = UNCLEAR
        if alias := self.find_alias(word):
            cards = [name for kind, at in alias if kind == "follower" for name in self._faction_cards.get(at, ())]
            named = {("card", name): UNCLEAR for name in cards if len(word) > 1}
            found = {} if len(word) == 1 and {kind for kind, _ in alias} == {"card"} else found  # `O = outmanoeuvre`
            return [{**found, **named, **dict.fromkeys(alias, WHOLE)}]
        if not word[0].isalpha() or plain in IGNORED or SUMMON in found:
            return [found] if found else []
        if (
            self._is_capital
            and self._is_prose
            and word.islower()
            and 1 < len(word) <= len("war")
            and self._find_begun(plain)
        ):
            return [found] if found else []  # `war`, where regions have capitals
        if groups := self._read_groups(word):
            return groups
        found |= self._find_names(word, self.find_letters(word))
        return [found] if found else []

    def _read_groups(self, word: str) -> list[Mapping[Fact, float]]:
        """Return what each letter means, if a word is several followers, or followers and the code of a region: `BBDV`."""
        for size in (1, LONGEST_GROUP):
            code = self._aliases.get(fold_name(word[size:]), set()) if len(word) > size + 1 else set()
            letters = self.find_letters(word[:size]) if {kind for kind, _ in code} == {"region"} else []
            if len(letters) == size:
                return [*({("follower", each): WHOLE} for each in letters), dict.fromkeys(code, WHOLE)]
        letters = self.find_letters(word)
        cards = dict.fromkeys(self._find_cards(word), SPARSE) if len(letters) > 1 else {}
        return [{("follower", each): WHOLE, **cards} for each in letters] if len(letters) > 1 else []

    def _find_names(self, word: str, letters: Sequence[int]) -> dict[Fact, float]:
        """Return the regions, cards and followers that a word names; a letter of a faction is followers first."""
        plain = drop_accents(word.casefold())
        regions = match_name(word, self.region_names, "region") if plain not in OTHER_PLACES else {}
        if not regions and len(word) > SHORT_NAME and (at := self._names.find_region(plain)) >= 0:
            regions = {("region", at): MISTYPED}  # `Devonshire`
        found = regions | self._find_cards(word)
        found |= {("region", self.two_word_regions[word]): WHOLE} if word in self.two_word_regions else {}
        faction = letters[0] if letters else self.find_faction(plain)
        if faction >= 0:
            found = {fact: cost + SPARSE * (1 + len(letters)) for fact, cost in found.items()}
            found["follower", faction] = WHOLE
            named = self._faction_cards.get(faction, ()) if len(word) > 1 else ()
            return found | {("card", name): UNCLEAR for name in named}
        if len(word) == len("Sc") and word.istitle() and (begun := self._names.find_beginning(plain)) >= 0:
            found["follower", begun] = UNCLEAR
        return found

    def learn(self, text: str, rest: str) -> None:
        """Learn the abbreviations and nicknames that a text explains: `K = Kilts = Scots`, `Murray = Moray`, `bleu (b) = Scots`."""
        self._meanings = None
        self._texts.clear()
        self._last_reads.clear()
        lines = text.splitlines()
        dashed = [line for line in lines if len(DASH_LEGEND.findall(line)) >= FEWEST_EXPLAINED]
        self._learn_legends("\n".join([*lines, *(DASH_LEGEND.sub(r"\1 = ", line) for line in dashed)]))
        self._learn_codes(text)
        for line in lines:
            pairs = [(short, sign, word) for short, sign, word in CARD_LEGEND.findall(line) if self.names_card(word)]
            for short, sign, word in pairs:
                is_short = fold_name(word).startswith(fold_name(short))
                if sign == "=" or (len(pairs) >= FEWEST_EXPLAINED and is_short):
                    alias = short if len(short) == 1 else fold_name(short)
                    cards = self._find_cards(word)
                    if len(cards) == 1 or not (len(short) == 1 and self.find_letters(short)):  # `+S/+W/+E = supports`
                        self._aliases.setdefault(alias, set()).update(cards)
            named = [(letter, word, self._find_whole(word)) for letter, word in FOLLOWER_LEGEND.findall(line)]
            named = [row for row in named if row[2] and row[2][0][0] == "follower"]
            told = {letter: facts for letter, _, facts in named}
            is_legend = all(fold_name(word).startswith(fold_name(letter)) for letter, word, _ in named)
            is_legend |= 2 * len(told) > len(WORDS.findall(line)) / 2  # a turn has more words
            if is_legend and len(told) == len({*told.values()}) >= FEWEST_EXPLAINED:
                self._aliases.update(
                    {letter if len(letter) == 1 else fold_name(letter): {*facts} for letter, facts in told.items()}
                )
        regions = [
            word for word in WORDS.findall(text) if len(word) > LONGEST_GROUP and len(self._find_begun(word)) == 1
        ]
        self._is_capital = sum(word.islower() for word in regions) < SMALL_NAMES * len(regions)
        words = WORDS.findall(f"{text} {rest}")
        long = sum(len(word) >= SHORT_NAME and word.islower() for word in words)
        self._is_prose = long > PROSE * len(words) and not self._has_groups(words)
        self._learn_numbers(f"{text}\n{rest}")
        self._learn_beginnings(text)
        self._learn_letters(text, rest)
        self._learn_initials(words)
        self._learn_regions(text.splitlines())
        self._learn_cards([*text.splitlines(), *rest.splitlines()])
        self._meanings = {}

    def _learn_legends(self, text: str) -> None:
        """Learn words and letters that a text explains with `=`, and short words with numbers for all factions: `sc=2`, `1 Sc`."""
        counted = {word for words in COUNTED_WORD.findall(text) for word in words if word}
        counted = {word for word in counted if not (len(word) > LONGEST_GROUP and self._find_begun(word))}  # `1 Ess`
        columns = {word: self._find_short_columns(fold_name(word)) for word in counted}
        sure = frozenset[int]().union(*(each for each in columns.values() if len(each) == 1))
        left = {word: each if len(each) == 1 else each - sure for word, each in columns.items()}
        codes = {word: min(each) for word, each in left.items() if len(each) == 1}
        if {*codes.values()} == {*range(len(self.game.board.factions))}:
            self._aliases.update({fold_name(word): {("follower", faction)} for word, faction in codes.items()})
        for found in LIST_LEGEND.finditer(text):
            letters, names = WORDS.findall(found[1]), [word for word in WORDS.findall(found[2]) if word not in HOLDING]
            for letter, name in zip(letters, names, strict=False) if len(letters) == len(names) else ():
                self._aliases.setdefault(letter, {*self._find_whole(name)})
        for found in LEGEND.finditer(LIST_LEGEND.sub("", text)):
            first, *others = filter(None, re.split(r"[\s/=()]+", found[0]))
            words = [first, *(word for word in others if fold_name(word) not in COUNTS)]
            known = {fact for word in words[1:] for fact in self._find_whole(word)} or {*self._find_whole(words[0])}
            tells_followers = all(kind == "follower" for kind, _ in known) or bool(self.find_letters(words[-1]))
            is_result = len(words) > 1 and tells_followers and len(words[0]) > 1  # `Mor = S`
            is_result = is_result and len(self._find_begun(words[0])) == 1 and words[0][:2] != words[-1][:2]
            for word in words if len(known) == 1 and not is_result else ():  # `WA = Welsh`
                if (not self._find_whole(word) and len(self.find_letters(word)) <= LONGEST_GROUP) or len(word) == 1:
                    self._aliases.setdefault(word if len(word) == 1 else fold_name(word), set()).update(known)
        for word, facts in list(self._aliases.items()):  # `Kilts = Scots`, and then `3 K`
            if len(word) > 1 and all(kind == "follower" for kind, _ in facts):
                self._aliases.setdefault(word[0].upper(), facts)

    def _learn_codes(self, text: str) -> None:
        """Learn the codes that stand directly before all names of a kind: `CA Caledonia  DE Din Eidyn`, `SU WU EU = Support`."""
        told: dict[tuple[str, int], dict[str, set[frozenset[Fact]]]] = {}
        for code, name in CODE.findall(text):
            cards = {fact for fact, cost in self._find_cards(name).items() if cost <= UNCLEAR}
            facts = frozenset(self._find_whole(name)) | (cards if len(cards) == 1 else set())
            is_code = not self._find_whole(code) and (code.isupper() or fold_name(code) not in FILLERS)
            if facts and is_code and fold_name(name).startswith(fold_name(code[0])):
                kind = max(kind for kind, _ in facts)
                size = len(code) if kind == "follower" else 0
                told.setdefault((kind, size), {}).setdefault(code, set()).add(facts)
        board = self.game.board
        fewest = {"region": len(board.regions) - 1, "card": FEWEST_EXPLAINED, "follower": len(board.factions)}
        for (kind, _), codes in told.items():
            clear = {code: min(facts) for code, facts in codes.items() if len(facts) == 1}
            if len({*clear.values()}) == len(clear) >= fewest[kind]:
                self._aliases.update(
                    {code if len(code) == 1 else fold_name(code): {*facts} for code, facts in clear.items()}
                )
        for listed, name in SUPPORT_CODES.findall(text):
            factions = {code: self.find_letters(code[0])[:1] for code in WORDS.findall(listed)}
            supports = {card for each in self._faction_cards.values() for card in each}
            if all(factions.values()) and {card for _, card in self._find_cards(name)} == supports:
                for code, (faction,) in factions.items():
                    self._aliases[fold_name(code)] = {("card", card) for card in self._faction_cards[faction]}

    def _has_groups(self, words: Sequence[str]) -> bool:
        """Return True if some words are followers in small letters run together: `ssw`."""
        letters = {letter for letter, facts in self._aliases.items() if {kind for kind, _ in facts} == {"follower"}}
        letters |= {letter.casefold() for letter in self.game.board.letters}
        small = {word for word in words if word.islower() and len({*word}) < len(word)}
        large = {word for word in small if len(word) > LONGEST_GROUP and letters.issuperset(word)}
        return len(large) >= FEWEST_GROUPS or any(len(word) == LONGEST_GROUP for word in small)

    def _learn_numbers(self, text: str) -> None:
        """Learn the numbers of regions if notes explain them and two followers have one: `1 Essex 2 Devon`, `ss2`."""
        size = len(self.game.board.regions)
        pairs = [followers for followers, _ in NUMBERED_PLACE.findall(text) if len(followers) == LONGEST_GROUP]
        named = [(number, self._find_begun(word)) for number, word in NUMBERED.findall(text)]
        told = [(number, min(regions)) for number, regions in named if len(regions) == 1]
        for at in range(len(told) - size + 1) if len(pairs) >= FEWEST_BEGUN else ():
            codes = dict(told[at : at + size])
            if len(codes) == len({*codes.values()}) == size and not self._numbered:
                self._numbered = codes

    def _learn_regions(self, lines: Sequence[str]) -> None:
        """Learn the codes of regions from a line that has one for each, or from the first words of the lines of a set-up."""
        size = len(self.game.board.regions)
        told = [word for line in lines if ROW_OF_REGION.match(line) for word in COUNTED.findall(line)]
        small = sum(map(str.islower, told)) > SMALL_SHARE * len(told) and len(told) > size
        is_other = small or {*self._aliases} & {*COLOUR_LETTERS, *map(str.upper, COLOUR_LETTERS)}
        rows = [words for line in lines for words in self._list_runs(WORDS.findall(line), size)]
        heads = [found[1] for line in lines if (found := ROW_OF_REGION.match(line)) and self._find_begun(found[1])]
        self._learn_nickname([found[1] for line in lines if (found := ROW_OF_REGION.match(line))])
        for words in [*rows, *self._list_runs(heads, size - 1)]:
            for word, region in zip(words, map(self._find_code, words), strict=True):
                facts: set[Fact] = {("region", at) for at in region}
                if len(word) == 1 and not is_other and (faction := self.find_letters(word)):
                    facts.add(("follower", faction[0]))
                plain = fold_name(word)
                self._aliases.setdefault(word, facts)
                if len(word) > 1 and plain not in FILLERS | NOT_ANY | FOREIGN:
                    self._aliases.setdefault(plain, facts)

    def _learn_nickname(self, heads: Sequence[str]) -> None:
        """Learn the word before the followers of one region, if each of the other regions has its own: `Gwyneth`."""
        regions = [self._find_whole(word) for word in heads]
        known = {facts[0] for facts in regions if facts and facts[0][0] == "region"}
        missing = [("region", at) for at in range(len(self.game.board.regions)) if ("region", at) not in known]
        places = [at for at, facts in enumerate(regions) if facts and facts[0][0] == "region"]
        between = [word for word, facts in zip(heads, regions, strict=True) if not facts][: len(heads)]
        inner = [word for word in between if places and places[0] < heads.index(word) < places[-1]]
        inner = [word for word in inner if fold_name(word) not in HOLDING | SUPPLY]
        if len(missing) == 1 == len({*inner}) and len(inner[0]) > LONGEST_GROUP:
            self._aliases.setdefault(fold_name(inner[0]), {missing[0]})

    def _learn_beginnings(self, text: str) -> None:
        """Learn short words for all factions from the longer words that the text has for them: `Ga` beside `Gallois`."""
        words = {word for word in WORDS.findall(text) if word.istitle()}
        long = {
            word: faction
            for word in words
            if len(word) > SHORT_NAME and (faction := self.find_faction(fold_name(word))) >= 0
        }
        short = {
            word: {faction for name, faction in long.items() if name.startswith(word)}
            for word in words
            if 1 < len(word) < SHORT_NAME
        }
        found = {word: factions for word, factions in short.items() if len(factions) == 1}
        if len({faction for each in found.values() for faction in each}) == len(self.game.board.factions):
            self._aliases.update({fold_name(word): {("follower", at) for at in each} for word, each in found.items()})

    def _learn_initials(self, words: Sequence[str]) -> None:
        """Learn the first letters of the words that the notes have for factions, if these are others than those of the notation: `É.`."""
        named = Counter[tuple[int, str]]()
        for word in words:
            if len(word) >= SHORT_NAME and (faction := self.find_faction(fold_name(word))) >= 0:
                named[faction, word[0].upper()] += 1
        initials = {faction: letter for (faction, letter), _ in reversed(named.most_common())}
        letters = Counter(words)
        if len({*initials.values()}) < len(self.game.board.factions) or any(
            not letters[each] for each in initials.values()
        ):
            return
        if {drop_accents(letter) for letter in initials.values()} != {*self.game.board.letters}:
            for faction, letter in initials.items():
                self._aliases.setdefault(letter, {("follower", faction)})

    def _list_runs(self, words: Sequence[str], size: int) -> list[Sequence[str]]:
        """Return words in a row that are each the beginning or a code of another region."""
        runs = (words[at : at + size] for at in range(len(words) - size + 1))
        begun = ((run, [self._find_code(word) for word in run]) for run in runs)
        return [run for run, each in begun if all(len(one) == 1 for one in each) and len({*each}) == size]

    def _find_code(self, word: str) -> tuple[int, ...]:
        """Return the regions whose names a word begins, or else that have its letters in their order."""
        names = [region.name.casefold() for region in self.game.board.regions]
        is_short = SHORTEST_SPARSE <= len(word) <= LONGEST_SPARSE
        sparse = (at for at, name in enumerate(names) if is_short and is_sparse(word.casefold(), name))
        return self._find_begun(word) or tuple(sparse)

    def _find_begun(self, word: str) -> tuple[int, ...]:
        """Return the regions whose names a word begins."""
        plain = word.casefold()
        return tuple(
            at for at, region in enumerate(self.game.board.regions) if region.name.casefold().startswith(plain)
        )

    def _learn_letters(self, text: str, rest: str) -> None:
        """Learn the first letters of colours, if groups of followers are written with them: `BBRY`, and further down `bb`."""
        known = self._names.lexicon.letters
        of_colours = {each: known[letter] for each, letter in COLOUR_LETTERS.items() if letter in known}
        said = [*GROUP.findall(text), *COUNTED_LETTER.findall(text)]
        said += [word for word in GROUP.findall(rest) if len({*word}) == 1]
        said += ["".join(group.split()) for group in SPACED_GROUP.findall(text)]
        heads = ["".join(letters) for letters in COLOUR_HEADS.findall(text)]
        groups = [word for word in (*said, *heads) if {*word.casefold()} <= of_colours.keys() and not word.istitle()]
        for alike in (groups, [word for word in groups if word.isupper()]):
            letters = {letter for word in alike for letter in word}
            clear = {of_colours[letter.casefold()] for letter in letters}
            is_told = len(alike) >= FEWEST_GROUPS or not {*heads}.isdisjoint(alike)
            if is_told and len(clear) == len(letters) == len(self.game.board.factions):
                for letter in letters:
                    self._aliases.setdefault(letter, {("follower", of_colours[letter.casefold()])})

    def _learn_cards(self, lines: Sequence[str]) -> None:
        """Learn short words for cards with which lines begin, though they mean something else elsewhere: `out`."""
        heads = Counter(words[0] for line in lines if (words := WORDS.findall(line)))
        behind = Counter(words[1] for line in lines if len(words := WORDS.findall(line)) > 1 and words[0].istitle())
        heads |= Counter({word: times for word, times in behind.items() if times >= 2 * FEWEST_BEGUN})
        for word, times in heads.items():
            cards = match_name(word, self._cards, "card")
            if word in FILLERS and len(cards) == 1 and times >= FEWEST_BEGUN and len(word) > LONGEST_GROUP:
                self._aliases.setdefault(fold_name(word), {*cards})
        every = [words for line in lines if (words := WORDS.findall(line))]
        for place in range(2):
            codes = [(word, self._find_code_of_card(word)) for words in every for word in words[place : place + 1]]
            found = {word: cards for word, cards in codes if cards}
            if len(found) >= FEWEST_CODES and sum(bool(cards) for _, cards in codes) > len(every) / 2:
                self._aliases |= {word: {("card", card) for card in cards} for word, cards in found.items()}

    def _find_code_of_card(self, word: str) -> tuple[str, ...]:
        """Return the card that one or two capitals mean: by the first letters of its words, or by letters of its only one."""
        if not word.isupper() or len(word) > LONGEST_GROUP:
            return ()
        plain = word.casefold()
        begun = tuple(name for name in self.game.cards if len(word) == 1 and " " not in name and name.startswith(word))
        inner = tuple(name for name in self.game.cards if " " not in name and is_sparse(plain, name.casefold()))
        return next((cards for cards in (self._cards.get(plain, ()), begun, inner) if len({*cards}) == 1), ())

    @cached_property
    def _aliases(self) -> dict[str, set[Fact]]:
        return {}

    def list_signs(self, kind: str) -> Sequence[tuple[str, Fact]]:
        if kind == "region":
            return [(region.name, ("region", index)) for index, region in enumerate(self.game.board.regions)]
        if kind == "card":
            return [(name, ("card", name)) for name in self.game.cards]
        return [(letter, ("follower", index)) for index, letter in enumerate(self.game.board.letters)]

    def find_column(self, word: str) -> int:
        """Return the faction of a column's head, which may be shortened, or -1."""
        faction = self.find_faction(word)
        letters = self.find_letters(word) if len(word) == 1 else []
        return (
            faction
            if faction >= 0
            else letters[0]
            if letters
            else self._names.find_beginning(word)
            if len(word) > 1
            else -1
        )

    def _find_short_columns(self, word: str) -> frozenset[int]:
        """Return the faction of a column's head, or those of the colours that have its letters in their order: `rd`."""
        column = self.find_column(word)
        sparse = (value for colour, value in self._colours.items() if is_sparse(word, colour))
        return frozenset([column] if column >= 0 else sparse)

    def find_alias(self, typed: str) -> set[Fact]:
        """Return the meaning that the notes themselves give a word."""
        if len(typed) == 1:
            return self._aliases.get(typed, set())
        word = fold_name(typed)
        return self._aliases.get(typed) or self._aliases.get(word) or self._aliases.get(f"{word}s", set())

    def _find_whole(self, word: str) -> tuple[Fact, ...]:
        """Return what a word names without doubt: a faction or a region."""
        if len(word) < len("wel"):
            return ()
        faction = self.find_faction(fold_name(word))
        if faction >= 0:
            return (("follower", faction),)
        regions = [fact for fact, cost in match_name(word, self.region_names, "region").items() if cost <= BEGUN]
        return tuple(regions) if len(regions) == 1 else ()

    def find_faction(self, word: str) -> int:
        """Return the faction of a word or a colour, or -1."""
        for kind, value in self.find_alias(word) if len(word) > 1 else ():
            if kind == "follower":
                return int(value)
        if (plain := drop_accents(word)) in self._colours or plain in IGNORED:
            return self._colours.get(plain, -1)
        faction = self._names.find_faction(word)
        if faction >= 0 or len(word) < len("gall"):
            return faction
        begun = {value for colour, value in self._colours.items() if colour.startswith(word)}
        near = find_like(word, tuple(self._colours), LIKE_COLOUR) if len(word) >= SHORT_NAME else ""
        return begun.pop() if len(begun) == 1 else self._colours.get(near, -1)

    def find_letters(self, typed: str) -> list[int]:
        """Return the factions of letters run together; [] for other words, and for beginnings of a region of three letters and more."""
        word = drop_accents(typed.casefold())
        alias = {kind for kind, _ in self.find_alias(typed)}
        if (len(word) > 1 and (typed.istitle() or "region" in alias)) or alias == {"region"}:
            return []
        if self._is_prose and len(word) > 1 and typed.islower():
            return []  # `se`, `we`
        learned = [value for letter in typed for kind, value in self._aliases.get(letter, ()) if kind == "follower"]
        if len(learned) == len(typed):
            return learned
        if len(word) > LONGEST_GROUP and any(name.startswith(word) for name in self.region_names):
            return []
        return self._names.find_letters(word)

    def _find_cards(self, word: str) -> dict[Fact, float]:
        stem = drop_accents(word.casefold()).removesuffix("karte").removesuffix("card")
        if len(stem) < len(word) and (faction := self.find_faction(stem)) >= 0:
            return dict.fromkeys((("card", name) for name in self._faction_cards.get(faction, ())), WHOLE)
        plain = drop_accents(word.casefold())
        cards = match_name(word, self._cards, "card") if plain not in self._translated else {}
        plain = plain if plain in self._translated else plain.replace("ue", "u").replace("oe", "o")
        if not cards and (plain in self._translated or len(plain) > SHORT_NAME):
            cards = match_name(plain, self._translated, "card")
        elif not cards and len(plain) >= len("sout") and word not in FILLERS | FOREIGN:
            meant = {named for name, named in self._translated.items() if name.startswith(plain)}
            cards = {("card", card): BEGUN for named in meant for card in named} if len(meant) == 1 else cards
        bare = ENDING.sub("", word)
        if min(cards.values(), default=STRANGE) >= MISTYPED and bare != word and len(bare) > SHORT_NAME:
            begun = match_name(bare, self._cards, "card")
            cards = begun or match_name(bare.replace("ue", "u"), self._translated, "card") or cards
        return {fact: max(cost, UNCLEAR) for fact, cost in cards.items()}

    @cached_property
    def _faction_cards(self) -> Mapping[int, Sequence[str]]:
        """The cards that are named after a faction."""
        cards: dict[int, list[str]] = {}
        for name in self.game.cards:
            cards.setdefault(self._names.find_faction(fold_name(name.split()[0])), []).append(name)
        return cards

    def list_faction_cards(self, word: str) -> Sequence[str]:
        """Return the cards of the faction that a word names."""
        faction = self.find_faction(drop_accents(word.casefold()))
        return self._faction_cards.get(faction, ()) if faction >= 0 else ()

    def find_parts(self, move: Any) -> tuple[Part, ...]:
        text = self.game.words.write_move(move)
        if text == "Pass":
            return ((PASS,),)
        parts: list[Part] = []
        card = next((name for name in self._longest_first if text.startswith(f"{name} ")), "")
        if card:
            parts.append((("card", card),))
            text = text[len(card) :]
        own = self._names.find_faction(card.split()[0].casefold()) if card else -1
        for piece in PARTS.split(text):
            facts = self.list_facts(piece)
            facts = [("own", each[1]) if each == ("follower", own) else each for each in facts]
            copied = [fact for fact in facts if fact[0] == "card"]
            parts += [tuple(each) for each in (copied, [fact for fact in facts if fact not in copied]) if each]
        return tuple(parts)

    def tells_setup(self, line: str) -> bool:
        words = [word for word in self.read_words(None, line) if len(word.typed) > 1]
        regions = {
            fact for word in words if _is_only_region(word) and len(word.meanings) == 1 for fact in word.meanings
        }
        return len(regions) == len(self.game.board.regions) and not any(map(self.names_card, WORDS.findall(line)))

    def find_holders(self, line: str) -> list[str]:
        line, found = TRIPLE.sub(lambda row: self.write_counts([int(each) for each in row.groups()]), line), list[str]()
        for word in WORDS.finditer(line):
            held, end = 0, word.end()
            for each in self.read_words(None, line[word.end() :]):
                between = map(fold_name, WORDS.findall(line[end : word.end() + each.start]))
                is_near = HOLDING.issuperset(between) and (not each.meanings or _means_followers(each))
                if not (is_near or fold_name(each.typed) in HOLDING):
                    break
                held += _means_followers(each)
                end = word.end() + each.end
            if held == self.game.setup.court and not self._is_word_of_game(word[0]):
                found.append(word[0])
        return found

    def _is_word_of_game(self, word: str) -> bool:
        """Return True if a word is the whole name of a region, a card or a faction, or one that a set-up has beside followers."""
        plain = fold_name(word)
        is_whole = plain in self.region_names or plain in self._cards or plain in HOLDING | SUPPLY
        is_group = len(self.find_letters(word)) > 0 or (len(word) > 1 and self.find_faction(plain) >= 0)
        return is_whole or is_group or bool(self.find_alias(word))

    def write_counts(self, counts: Sequence[int]) -> str:
        letters = self.game.board.letters
        if max(counts) > LONGEST_GROUP:
            return " ".join(f"{count}{letter}" for count, letter in zip(counts, letters, strict=True) if count) or "-"
        return "".join(letter * count for count, letter in zip(counts, letters, strict=True)) or "-"

    @cached_property
    def _players(self) -> Mapping[str, int]:
        return {fold_name(name): seat for seat, name in enumerate(self.names)}

    @property
    def may_summon_alone(self) -> bool:
        return bool(self.game.summons.alone)

    def names_card(self, word: str) -> bool:
        if not self.find_alias(word) and (len(word) == 1 or (word.islower() and word in FILLERS)):
            return False
        every = self.find_meanings(None, word)
        if (
            not word.isupper()
            and len(word) <= SHORT_NAME
            and any(cost == SPARSE for each in every for cost in each.values())
        ):
            return False
        return bool(every) and all(kind == "card" for each in every for kind, _ in each)

    def names_thing(self, word: str) -> bool:
        is_count = word.islower() and drop_accents(word) in COUNTS
        if is_count or (len(word) > 1 and self.find_faction(fold_name(word)) >= 0):
            return True
        every = self.find_meanings(None, word)
        return (
            len(every) > 1
            or (bool(every) and (word.isupper() or len(word) < len("Ann")))
            or any(
                cost <= UNCLEAR or (len(word) > SHORT_NAME and kind != "region")
                for each in every
                for (kind, _), cost in each.items()
                if not (word.istitle() and kind == "summon")
            )
        )

    def is_result(self, text: str, *, loose: bool = False) -> bool:
        plain = drop_accents(text.casefold())
        ended = NAMED_END.fullmatch(plain)
        if ENDED.search(plain) or (ended and ended[1] not in self._players and ended[2] in self._players):
            return True
        parts = self._split_results(text)
        loose = loose or UNSTABLE.search(plain) is not None
        if len(parts) > 1 and all(self.is_result(part, loose=loose) for part in parts):
            return True
        kinds, regions, factions = self._read_result(text)
        if {"card"} in kinds:
            return False
        if UNSTABLE.search(plain):
            return len(regions) <= 1
        if len(kinds) == len(TAKEN) and kinds[1] == {"summon"}:
            del kinds[1]
        if loose:
            return len(factions) > 0 and (len(regions) == 1 or (not regions and self._tells_counts(text)))
        told = ":" in text or "=" in text or RESULT.search(plain) is not None
        return told and len(kinds) == len(regions) + 1 == 2 and "follower" in kinds[0] | kinds[1]

    def _tells_counts(self, text: str) -> bool:
        """Return True if a text tells followers and nothing else: `3 yellow 2 blue`."""
        words = [word for word in WORDS.findall(text) if fold_name(word) not in FILLERS | NO_EFFECT | ALONE]
        return all(self.find_faction(fold_name(word)) >= 0 or self.find_letters(word) for word in words)

    def _split_results(self, text: str) -> list[str]:
        """Return the parts of a text that may tell of one region each."""
        regions = [
            word.start
            for word in self.read_words(None, text)
            if (len(word.typed) > 1 or _is_only_region(word)) and _names_region(word) and word.cost == STRANGE
        ]
        cuts = [0, *regions[1:], len(text)] if len(regions) > 1 else [0, len(text)]
        several = [text[start:end] for start, end in pairwise(cuts)]
        return [part for each in several for part in re.split(r"[,;](?![^()]*\))", each) if part.strip(" .!?")]

    def _read_result(self, text: str) -> tuple[list[set[str]], set[int], set[int]]:
        """Return what the words of a result may be, and the regions and factions that it names."""
        words = [word for word in self.read_words(None, text) if word.meanings]
        said = [word for word in words if word.cost == STRANGE or self.find_alias(word.typed)]
        regions = {
            value
            for word in said
            if (len(word.typed) > 1 and not _means_followers(word)) or _is_only_region(word)
            for kind, value in word.meanings
            if kind == "region"
        }
        factions = {value for word in said for kind, value in word.meanings if kind == "follower"}
        return [{kind for kind, _ in word.meanings} for word in said], regions, factions

    def is_followed(self, said: str, lines: Sequence[str]) -> bool:
        said = self.shorten_factions(said) if self._numbered else said
        parts = self._split_results(said)
        if len(parts) > 1 and all(self.is_result(part, loose=True) for part in parts):
            return all(self.is_followed(part, lines) for part in parts)
        plain = drop_accents(said.casefold())
        if (ended := NAMED_END.fullmatch(plain)) and ended[2] in self._players:
            same = next((fold_name(line) for line in lines if fold_name(line).startswith(f"{ended[1]}:")), None)
            return same is not None and all(name in same for name in self._players if name in plain)
        _, regions, factions = self._read_result(said)
        if not regions and ENDED.search(plain):
            named = [word for word in ENDINGS if word in plain]
            return all(any(fold_name(line).startswith(word) for line in lines) for word in named)
        came = {
            self._written[name][1]: result
            for name, _, result in (line.partition(": ") for line in lines)
            if name in self._written
        }
        found = [result for region, result in came.items() if region in regions or not regions]
        found = [result for result in found if _agrees_in_numbers(said, result)]
        if UNSTABLE.search(plain):
            return any(result.startswith("unstable") for result in found)
        won = [self._names.find_faction(word) for pair in WON.findall(plain) for word in pair if word]
        factions = {won[-1]} if won and won[-1] >= 0 else factions
        if len(factions) != 1:  # how many followers there were
            return bool(found)
        return any(self._names.find_faction(fold_name(result.split()[0])) in factions for result in found)

    @cached_property
    def _longest_first(self) -> list[str]:
        return sorted(self.game.cards, key=len, reverse=True)

    @cached_property
    def _written_words(self) -> re.Pattern[str]:
        names = sorted(self._written, key=len, reverse=True)
        return re.compile("|".join([r"\{\d+\}", *map(re.escape, names), r"[^\W\d_]+"]))

    @cached_property
    def _written(self) -> Mapping[str, Fact]:
        regions = {region.name: ("region", index) for index, region in enumerate(self.game.board.regions)}
        return {"disc": DISC, "nothing": NOTHING, **regions, **{name: ("card", name) for name in self.game.cards}}

    def list_facts(self, written: str) -> list[Fact]:
        """Return what a part of a turn in notation says."""
        return [fact for word in self._written_words.findall(written) for fact in self._list_facts(word)]

    def _list_facts(self, word: str) -> list[Fact]:
        if word[0] == "{":
            return [("player", int(word[1:-1]))]
        if word in self._written:
            return [self._written[word]]
        if word.isupper():
            return [("follower", self._names.lexicon.letters[letter]) for letter in word]
        return []
