"""The words of a free text: names, regions, followers, verbs."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import Literal

from attrs import evolve, frozen

from tkid.games.struggle.notation.turn_builder import Lexicon
from tkid.games.struggle.rules.board import Followers, count_followers
from tkid.games.struggle.rules.game import Struggle
from tkid.kernel.values import derive
from tkid.notation import free_text

Kind = Literal[
    "card", "followers", "region", "court", "supply", "summon", "disc", "no", "nothing", "place", "return", "move", "swap",
    "from", "to", "against", "and", "stop", "all", "player", "pass", "number", "back", "filler", "unknown", "no-region", "no-faction",
]  # fmt: skip
"""What a mention is about; `back` is a region named before (`there`), `no-region` and `no-faction` are unknown words where one belongs."""


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
    "muster": _split_words("ausheben mustern"),
    "quell": _split_words("niederschlagen ecraser"),
    "garrison": _split_words("garnison guarnicion guarnigione"),
    "ambassador": _split_words("ambassadeur botschafter embajador ambasciatore"),
    "settlement": _split_words("siedlung colonie asentamiento insediamento"),
    "crown": _split_words("krone couronne corona"),
}
"""German and French words for a card, by its name or the word of its name that is no faction."""
VERBS: Mapping[Kind, Collection[str]] = {
    "summon": _split_words(
        "summon summons summoning sum sumo summ summo recruit recruiting beschwore rufe berufe hole holen convoque convoquer recrute"
    ),
    "place": _split_words("place places placing put puts putting add adds adding setze set"),
    "return": _split_words("return returns returning remove removes back discard retire zuruck"),
    "move": _split_words("move moves moving going"),
    "swap": _split_words(
        "swap swaps swapping exchange exchanging trade trading switch switching tausche tauschen echange"
    ),
    "disc": _split_words("disc disk token marker disque jeton scheibe marke"),
    "nothing": _split_words("nothing nichts rien"),
    "court": _split_words("court hof cour"),
    "supply": _split_words("supply pool stock vorrat reserve"),
    "pass": _split_words("pass passe passen passing passer"),
    "all": _split_words("each all everyone everything alle jede tous chaque"),
}
"""Verbs and nouns of actions, and of the things that they move."""
TAKING = _split_words("take taking grab grabbing get pick draw fetch call bring nimm nehme prends pull pulling steal")
"""Verbs that mean a summons where no other word does."""
PLAIN: Mapping[Kind, Collection[str]] = {
    **VERBS, "no": free_text.NOT_ANY, "from": free_text.FROM, "against": free_text.AGAINST, "and": free_text.AND,
    "to": free_text.TO - {"a"}, "filler": free_text.FILLERS,
}  # fmt: skip
"""What a word is that names nothing, the first that has it."""
SPOKEN_GROUPS = _split_words("we see sees wee sew sews ewe ewes me mew mess mews")
"""Words that are letters of followers too: they are followers beside a region or a card only."""
OTHER_PLACES = _split_words("wessex sussex middlesex")
"""Places with names like a region's that are not regions."""
DENYING, BUT = _split_words("not nicht pas"), _split_words("but sondern mais")
"""Words before a denied part, and before the part that replaces it."""
NUMBERED = _split_words("turn round zug tour move game")
"""Words before a number that is no space of the track."""
COUNTING = _split_words("x of the der von -")
"""What may stand between a number and its followers."""
STRANGERS: Mapping[Kind, tuple[str, str]] = {"no-region": ("notation.region", "region"), "no-faction": ("notation.faction", "faction")}  # fmt: skip
"""Unknown words where a name belongs, with the rule and the word for the name."""
STOPS = _split_words(", ; : . ! ? |") | {"\n"}
"""Signs that end a clause."""


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
    def _cards(self) -> Mapping[str, frozenset[str]]:
        """The squeezed names of cards and their single words, each with the cards it may mean."""
        words: dict[str, set[str]] = {}
        for name in self.game.cards:
            parts = re.findall(r"[^\W\d_]+", name.casefold())
            single = [part for part in parts if part not in self.followers] if len(parts) > 1 else []
            own = {"".join(parts), *single}
            for word in own.union(*(CARDS.get(each, ()) for each in own)):
                words.setdefault(word, set()).add(name)
        whole = {squeeze_name(name): {name} for name in self.game.cards}
        return {word: frozenset(whole.get(word, cards)) for word, cards in words.items()}

    @cached_property
    def _prefixes(self) -> frozenset[str]:
        """Common words that begin a card's name when it is split: `Out-manoeuvre`."""
        return frozenset(
            word
            for word in free_text.FILLERS
            if len(word) >= SHORTEST_START and any(name.startswith(word) for name in self.whole_cards)
        )

    @cached_property
    def faction_cards(self) -> Mapping[int, str]:
        named = {squeeze_name(faction.name): index for index, faction in enumerate(self.game.board.factions)}
        return {named[squeeze_name(card)]: card for card in self.game.cards if squeeze_name(card) in named}

    def find_cards(self, words: Sequence[free_text.Token], *, first: bool) -> frozenset[str]:
        """Find the cards that some words may name together; a beginning may be shorter if nothing was named before."""
        joined = _join_words(words)
        if joined in self._cards:
            return self._cards[joined]
        if len(words) > 1:
            return self._find_split_cards(words, joined)
        begun = (
            [name for name in self._cards if name.startswith(joined)] if len(joined) >= SHORTEST_CARD - first else []
        )
        if begun and len({self._cards[name] for name in begun}) == 1:
            return self._cards[begun[0]]
        if len(joined) < SHORTEST_ALIKE or joined.endswith("ed"):
            return NO_CARD
        near = free_text.find_like(joined, list(self._cards), LIKE_LONG if len(joined) >= LONG else LIKE_SHORT)
        return self._cards.get(near, NO_CARD)

    def _find_split_cards(self, words: Sequence[free_text.Token], joined: str) -> frozenset[str]:
        """Find the cards named by several words: in any order, or one word split in two."""
        named = [self.find_cards((word,), first=False) for word in words]
        together = frozenset.intersection(
            *(cards or self._find_faction_cards(word.word) for cards, word in zip(named, words, strict=True))
        )
        if len(words) == 2 and len(words[0].word) == 1:  # `e support`
            factions = self.find_letters(words[0].word)
            together = (self.list_cards_named_after(factions[0]) if factions else NO_CARD) & named[1]
        if together and any(named):
            return together
        begins = words[0].word in self._prefixes
        if any(self.is_known(word) for word in (words[1:] if begins else words)):
            return NO_CARD
        return self._cards.get(free_text.find_like(joined, list(self.whole_cards), LIKE_SPLIT), NO_CARD)

    def _find_faction_cards(self, word: str) -> frozenset[str]:
        faction = self.find_faction(word)
        return self.list_cards_named_after(faction) if faction >= 0 else NO_CARD

    def list_cards_named_after(self, faction: int) -> frozenset[str]:
        name = squeeze_name(self.game.board.factions[faction].name)
        return frozenset(card for card in self.game.cards if name in squeeze_name(card) and squeeze_name(card) != name)

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

    def find_region(self, words: Sequence[free_text.Token]) -> int:
        """Find the region that some words name, also if shortened or misspelt, or -1."""
        joined = _join_words(words)
        if joined in self.regions:
            return self.regions[joined]
        if (
            joined in OTHER_PLACES
            or len(joined) < SHORTEST_REGION
            or (len(words) > 1 and any(map(self.is_known, words)))
        ):
            return -1
        spaced = [token.word for token in words]
        names = [region.name.casefold().split() for region in self.game.board.regions]
        begun = [index for index, name in enumerate(names) if _is_start(name, spaced) or spaced == name[1:]]
        long = [(name, index) for name, index in self.regions.items() if len(name) >= SHORTEST_STEM]
        found = begun if len(begun) == 1 else [index for name, index in long if joined.startswith(name)]
        if len(found) == 1:
            return found[0]
        near = free_text.find_like(joined, self._region_names, LIKE_LONG if len(joined) >= LONG else LIKE_REGION)
        return self.regions.get(near, -1)

    def is_known(self, token: free_text.Token) -> bool:
        """Return True if a word has a meaning alone, so it isn't part of a name that was split."""
        word = token.word
        verbs = any(word in verbs for verbs in (*VERBS.values(), TAKING))
        return (
            verbs
            or word in free_text.FILLERS
            or word in free_text.NUMBERS
            or word in self.regions
            or bool(self.find_letters(word))
            or self.find_faction(word) >= 0
        )


def _join_words(words: Sequence[free_text.Token]) -> str:
    return "".join(token.word.replace("'", "") for token in words)


def _is_start(name: Sequence[str], typed: Sequence[str]) -> bool:
    return len(typed) <= len(name) and all(map(str.startswith, name, typed))


DOING: tuple[Kind, ...] = ("place", "return", "swap", "move")
"""Verbs behind which followers stand."""
WHERE = frozenset({"in", "from", "at", "to", "into"})
"""Words between followers and their region."""
WIDEST = 3
"""Words of the longest name."""


@frozen
class Mention:
    """Something that a text says: its kind, its columns from 0, and what it names.

    `cards` are the cards that a name may mean; `group` are followers, of an open number for the factions in `open`;
    `value` is the index of a region or a seat. `strong` is false for a verb that may mean something else,
    `whole` true for a card by its whole name. `sign` is a mark that stops, `typed` a word that names nothing.
    """

    kind: Kind
    start: int
    end: int
    cards: frozenset[str] = frozenset()
    group: Followers = ()
    open: frozenset[int] = frozenset()
    value: int = -1
    strong: bool = True
    whole: bool = False
    sign: str = ""
    typed: str = ""


NAMED = frozenset({"card", "followers", "region"})
"""Kinds of mentions that name something of the board or the hand."""


@frozen(eq=False)
class Words:
    """The words of a game with these players."""

    game: Struggle
    players: Sequence[str]
    names: Names = derive(lambda self: Names(self.game))

    @cached_property
    def people(self) -> frozenset[str]:
        return frozenset(word.casefold() for name in self.players for word in re.findall(r"[^\W\d_]+", name))

    def list_mentions(self, said: free_text.Sentence) -> list[Mention]:
        found: list[Mention] = []
        at = 0
        while at < len(said):
            mention, used = self._read_mention(said, at, first=not any(each.kind in NAMED for each in found))
            if mention is not None:
                is_named = found and found[-1].kind in {"followers", "card"} and found[-1].end == said[at - 1].end
                is_swapped = found and found[-1].kind == "against" and said[at].typed[0].isupper()
                is_named = is_named or (is_swapped and found[-1].end == said[at - 1].end)
                misplaced = mention.kind == "unknown" and is_named and not free_text.is_connecting(said[at].word)
                found.append(evolve(mention, kind=self._find_missing_name(said, at)) if misplaced else mention)
            at += used
        return found

    def _find_missing_name(self, said: free_text.Sentence, at: int) -> Kind:
        """Return the likely meaning of an unknown word after a card or followers: followers before a region, else a region at the end or with a capital."""
        behind = said[at + 1 : at + 2]
        named = self._read_name(behind, first=False) if behind and behind[0].is_word else None
        if named is not None and named.kind == "region":
            return "no-faction"
        ends = not behind or behind[0].word in STOPS
        return "no-region" if ends or said[at].typed[0].isupper() else "unknown"

    def drop_denied(self, said: free_text.Sentence) -> free_text.Sentence:
        """Leave out what a sentence denies beside what it means instead: `Devon, not Essex`, `not from Moray but from Devon`."""
        kept, at = list[free_text.Token](), 0
        while at < len(said):
            denied, end = self._find_denied(said, at) if self._is_contrast(said, at) else (None, at)
            rest = [*kept, *said[end:]]
            if denied is not None and any(mention.kind == denied for mention in self.list_mentions(tuple(rest))):
                at = end
                continue
            kept.append(said[at])
            at += 1
        return tuple(kept)

    def _is_contrast(self, said: free_text.Sentence, at: int) -> bool:
        """Return True if a word denies what is behind it, and not the verb before it as in `I will not`."""
        if said[at].word not in DENYING or not at:
            return False
        last = next(reversed(self.list_mentions(said[:at])), None)
        return not said[at - 1].is_word or (last is not None and last.kind in {*NAMED, "summon"})

    def _find_denied(self, said: free_text.Sentence, at: int) -> tuple[Kind | None, int]:
        """Return the kind of the name behind a word that denies, and the index after it."""
        begin = at + 1
        while begin < len(said) and said[begin].word in free_text.PLACING | free_text.ARTICLES:
            begin += 1
        for width in range(WIDEST, 0, -1):
            words = _take_words(said, begin, width)
            named = self._read_name(words, first=False) if words else None
            if named is not None and named.kind in {"card", "region"}:
                end = said.index(words[-1]) + 1
                more = [token.word for token in said[end : end + 2]]
                return named.kind, end + next((number for number, word in enumerate(more, 1) if word in BUT), 0)
        return None, at

    def _read_mention(self, said: free_text.Sentence, at: int, *, first: bool) -> tuple[Mention | None, int]:
        token = said[at]
        if token.word.isdecimal():
            return self._read_counted(said, at, int(token.word[:2])) or (_read_space(said, at), 1)
        if not token.is_word:
            return _read_sign(token), 1
        exact = token.word in self.names.followers or token.word in self.names.regions
        if token.word in self.people and not exact and self._find_player((token,)) is None:
            return Mention("filler", token.start, token.end), 1
        for width in range(WIDEST, 0, -1):
            words = _take_words(said, at, width)
            if width > 1 and words and "".join(token.word for token in words) in self.names.followers:
                return self._make_open_followers(words), said.index(words[-1]) - at + 1
            named = self._read_name(words, first=first) if words else None
            if named is not None:
                return named, said.index(words[-1]) - at + 1
        number = free_text.NUMBERS.get(token.word)
        counted = None if number is None else self._read_counted(said, at, number)
        return counted or (_read_back(said, at) or self._read_followers(said, at) or self._read_word(said, at), 1)

    def _read_counted(self, said: free_text.Sentence, at: int, number: int) -> tuple[Mention, int] | None:
        """Read followers with a number before them: `2 English`, `two of the English`, `2 x E`."""
        behind = at + 1
        while behind < len(said) and said[behind].word in COUNTING:
            behind += 1
        if behind >= len(said) or number > MOST_LETTERS:
            return None
        pair = _take_words(said, behind, 2)
        word = "".join(token.word for token in pair)
        last = said.index(pair[-1]) if pair and word in self.names.followers else behind
        word = word if last > behind else said[behind].word
        letters = self.names.find_letters(word)
        faction = letters[0] if len(letters) == 1 else self.names.find_faction(word)
        if faction < 0:
            return None
        group = self._make_group([faction] * number)
        return Mention("followers", said[at].start, said[last].end, group=group), last - at + 1

    def _make_open_followers(self, words: Sequence[free_text.Token]) -> Mention:
        faction = self.names.find_faction("".join(token.word for token in words))
        group, some = self._make_group([faction]), frozenset([faction])
        return Mention("followers", words[0].start, words[-1].end, group=group, open=some)

    def _make_group(self, factions: Sequence[int]) -> Followers:
        return count_followers(factions, len(self.game.board.factions))

    def _read_followers(self, said: free_text.Sentence, at: int) -> Mention | None:
        token = said[at]
        place = token.start, token.end
        faction = self.names.find_faction(token.word)
        if faction >= 0:
            _, single = self.names.followers.get(token.word, (faction, False))
            many = frozenset() if single else frozenset([faction])
            return Mention("followers", *place, group=self._make_group([faction]), open=many)
        letters = self.names.find_letters(token.word)
        behind = at + 2 if len(said) > at + 1 and said[at + 1].word in WHERE else at + 1
        around = [said[index] for index in (at - 1, behind) if 0 <= index < len(said)]
        spoken = token.word in SPOKEN_GROUPS and not token.typed.isupper()
        spoken = spoken and not (at and any(said[at - 1].word in VERBS[kind] for kind in DOING))
        if not letters or (
            spoken and not any(each.is_word and self._read_name((each,), first=False) for each in around)
        ):
            return None
        return Mention("followers", *place, group=self._make_group(letters))

    def _read_name(self, words: Sequence[free_text.Token], *, first: bool) -> Mention | None:
        place = words[0].start, words[-1].end
        player = self._find_player(words)
        if player is not None:
            return Mention("player", *place, value=player)
        word = words[0].word
        if len(words) == 1 and word not in self.names.regions and self._is_common(word):
            return None
        if "a" in {token.word for token in words}:
            return None
        region = self.names.find_region(words)
        cards = (
            frozenset[str]()
            if region >= 0 and word in self.names.regions
            else self.names.find_cards(words, first=first)
        )
        if cards:
            whole = "".join(token.word for token in words) in self.names.whole_cards
            return Mention("card", *place, cards=cards, whole=whole)
        return Mention("region", *place, value=region) if region >= 0 else None

    def _is_common(self, word: str) -> bool:
        """Return True if a word is no name of a card or a region, even if it resembles one."""
        verbs = any(word in verbs for verbs in (*VERBS.values(), TAKING))
        return verbs or word in free_text.FILLERS or len(word) == 1 or self.names.find_faction(word) >= 0

    def _find_player(self, words: Sequence[free_text.Token]) -> int | None:
        if not self.game.names_players:
            return None
        typed = " ".join(token.word for token in words).removesuffix("'s")
        return next((seat for seat, name in enumerate(self.players) if name.casefold() == typed), None)

    def _read_word(self, said: free_text.Sentence, at: int) -> Mention:
        token = said[at]
        word, place = token.word, (token.start, token.end)
        if word in TAKING:
            return Mention("summon", *place, strong=False)
        if len(word) >= SHORTEST_ALIKE and free_text.find_like(word, ("summon", "summons"), LIKE_SHORT):
            return Mention("summon", *place)
        kind = next((kind for kind, words in PLAIN.items() if word in words), None)
        return Mention(
            kind or ("filler" if word in self.people else self._classify_unknown(said, at)), *place, typed=token.typed
        )

    def _classify_unknown(self, said: free_text.Sentence, at: int) -> Kind:
        """Return the kind of an unknown word: it may mean followers or a region."""
        if is_number_word(said[at]):
            counts = at + 1 < len(said) and self._read_word(said, at + 1).kind == "no-faction"
            return "filler" if counts else "unknown"
        if self._is_among_followers(said, at):
            return "no-faction"
        return "no-region" if free_text.is_out_of_place(said, at) else "unknown"

    def _is_among_followers(self, said: free_text.Sentence, at: int) -> bool:
        """Return True if a word stands where followers belong: after a number, or before an occupied region."""
        before = said[at - 1] if at else None
        behind = [token for token in said[at + 1 : at + 4] if token.word not in free_text.ARTICLES]
        if before is not None and is_number_word(before):
            return (not behind or behind[0].word != "of") and not free_text.is_connecting(said[at].word)
        if before is not None and self.names.find_faction(before.word) >= 0:
            return False
        if len(behind) < 2 or behind[0].word not in free_text.PLACING:
            return False
        named = self._read_name(behind[1:2], first=False) if behind[1].is_word else None
        return named is not None and named.kind == "region" and not free_text.is_connecting(said[at].word)


def _read_space(said: free_text.Sentence, at: int) -> Mention | None:
    """Return the mention of a number that may be a space of the track."""
    token = said[at]
    is_other = at and said[at - 1].word in NUMBERED
    return None if is_other else Mention("number", token.start, token.end, value=int(token.word[:3]), typed=token.typed)


def _read_back(said: free_text.Sentence, at: int) -> Mention | None:
    """Return the mention of a region that was named before: `there`, `from it`, `from the same region`."""
    token, places = said[at], free_text.PLACING | {"of"}
    before = next((each.word for each in reversed(said[:at]) if each.word not in free_text.ARTICLES), "")
    behind = said[at + 1] if at + 1 < len(said) else None
    ends = behind is None or not behind.is_word
    is_back = {
        "there": before in places or ends,
        "dort": before in places or ends,
        "same": before in places and (ends or (behind is not None and behind.word in {"region", "place", "one"})),
        "that": before in places and behind is not None and behind.word in {"region", "place"},
        "it": before in free_text.FROM | {"of"},
    }
    return Mention("back", token.start, token.end) if is_back.get(token.word, False) else None


def is_number_word(token: free_text.Token) -> bool:
    """Return True if a token counts the words after it. An article doesn't."""
    return token.word.isdecimal() or (token.word in free_text.NUMBERS and token.word not in free_text.ARTICLES)


def _read_sign(token: free_text.Token) -> Mention | None:
    kinds: tuple[tuple[Kind, frozenset[str]], ...] = (
        ("against", free_text.BOTH_WAYS), ("to", free_text.ONE_WAY), ("and", free_text.AND), ("stop", STOPS)
    )  # fmt: skip
    kind = next((kind for kind, signs in kinds if token.word in signs), None)
    return Mention(kind, token.start, token.end, sign=token.word) if kind else None


def _take_words(said: free_text.Sentence, at: int, width: int) -> tuple[free_text.Token, ...]:
    """Return this many words from a token on, with only hyphens between them; () if there are too few."""
    words: list[free_text.Token] = []
    for token in said[at:]:
        if token.is_word:
            words.append(token)
        elif token.word != "-":
            break
        if len(words) == width:
            return tuple(words)
    return ()
