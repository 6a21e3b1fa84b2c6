"""What the words of a text mention: cards, followers, regions, verbs, each with its place."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

from attrs import field, frozen

from tkid.games.struggle.notation.free.names import LIKE_SHORT, MOST_LETTERS, SHORTEST_ALIKE, Names
from tkid.games.struggle.notation.free.vocabulary import COUNTING, PLAIN, SPOKEN_GROUPS, STOPS, TAKING, VERBS, Kind
from tkid.games.struggle.rules.board import Followers, tally
from tkid.games.struggle.rules.game import Struggle
from tkid.notation.free_words import (
    AND,
    ARTICLES,
    BOTH_WAYS,
    FILLERS,
    NUMBERS,
    ONE_WAY,
    PLACING,
    Sentence,
    Token,
    is_connecting,
    is_out_of_place,
    like,
)

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
    names: Names = field(init=False)

    @names.default
    def _(self) -> Names:
        return Names(self.game)

    @cached_property
    def people(self) -> frozenset[str]:
        """The words of the players' names."""
        return frozenset(word.casefold() for name in self.players for word in re.findall(r"[^\W\d_]+", name))

    def mentions(self, said: Sentence) -> list[Mention]:
        """What a sentence says, in its order."""
        found: list[Mention] = []
        at = 0
        while at < len(said):
            mention, used = self._mention(said, at, first=not any(each.kind in NAMED for each in found))
            if mention is not None:
                found.append(mention)
            at += used
        return found

    def _mention(self, said: Sentence, at: int, *, first: bool) -> tuple[Mention | None, int]:
        """The mention that begins at a token, and how many tokens it takes."""
        token = said[at]
        if token.word.isdecimal():
            return self._counted(said, at, int(token.word[:2])) or (None, 1)
        if not token.is_word:
            return _sign(token), 1
        exact = token.word in self.names.followers or token.word in self.names.regions
        if token.word in self.people and not exact and self._player((token,)) is None:
            return Mention("filler", token.start, token.end), 1
        for width in range(WIDEST, 0, -1):
            words = _window(said, at, width)
            if width > 1 and words and "".join(token.word for token in words) in self.names.followers:
                return self._of_faction(words), said.index(words[-1]) - at + 1
            named = self._named(words, first=first) if words else None
            if named is not None:
                return named, said.index(words[-1]) - at + 1
        counted = self._counted(said, at, NUMBERS[token.word]) if token.word in NUMBERS else None
        return counted or (self._followers(said, at) or self._word(said, at), 1)

    # -- followers ----------------------------------------------------------------------------------------

    def _counted(self, said: Sentence, at: int, number: int) -> tuple[Mention, int] | None:
        """Followers with their number before them: `2 English`, `two of the English`, `2 x E`."""
        behind = at + 1
        while behind < len(said) and said[behind].word in COUNTING:
            behind += 1
        if behind >= len(said) or number > MOST_LETTERS:
            return None
        pair = _window(said, behind, 2)
        word = "".join(token.word for token in pair)
        last = said.index(pair[-1]) if pair and word in self.names.followers else behind
        word = word if last > behind else said[behind].word
        letters = self.names.letters(word)
        faction = letters[0] if len(letters) == 1 else self.names.faction(word)
        if faction < 0:
            return None
        group = self._group([faction] * number)
        return Mention("followers", said[at].start, said[last].end, group=group), last - at + 1

    def _of_faction(self, words: Sequence[Token]) -> Mention:
        """Followers of an open number, by a faction's name of several words."""
        faction = self.names.faction("".join(token.word for token in words))
        group, some = self._group([faction]), frozenset([faction])
        return Mention("followers", words[0].start, words[-1].end, group=group, open=some)

    def _group(self, factions: Sequence[int]) -> Followers:
        return tally(factions, len(self.game.board.factions))

    def _followers(self, said: Sentence, at: int) -> Mention | None:
        """Followers by words or letters: `English`, `a Scot`, `SSW`."""
        token = said[at]
        place = token.start, token.end
        faction = self.names.faction(token.word)
        if faction >= 0:
            _, single = self.names.followers.get(token.word, (faction, False))
            many = frozenset() if single else frozenset([faction])
            return Mention("followers", *place, group=self._group([faction]), open=many)
        letters = self.names.letters(token.word)
        behind = at + 2 if len(said) > at + 1 and said[at + 1].word in WHERE else at + 1
        around = [said[index] for index in (at - 1, behind) if 0 <= index < len(said)]
        spoken = token.word in SPOKEN_GROUPS and not token.typed.isupper()
        spoken = spoken and not (at and any(said[at - 1].word in VERBS[kind] for kind in DOING))
        if not letters or (spoken and not any(each.is_word and self._named((each,), first=False) for each in around)):
            return None
        return Mention("followers", *place, group=self._group(letters))

    # -- names --------------------------------------------------------------------------------------------

    def _named(self, words: Sequence[Token], *, first: bool) -> Mention | None:
        """The region, player or card that some words name together."""
        place = words[0].start, words[-1].end
        player = self._player(words)
        if player is not None:
            return Mention("player", *place, value=player)
        word = words[0].word
        if len(words) == 1 and word not in self.names.regions and self._is_common(word):
            return None
        if "a" in {token.word for token in words}:
            return None
        region = self.names.region(words)
        cards = frozenset[str]() if region >= 0 and word in self.names.regions else self.names.cards(words, first=first)
        if cards:
            whole = "".join(token.word for token in words) in self.names.whole_cards
            return Mention("card", *place, cards=cards, whole=whole)
        return Mention("region", *place, value=region) if region >= 0 else None

    def _is_common(self, word: str) -> bool:
        """Whether a single word is no name of a card or a region, whatever name it is like."""
        verbs = any(word in verbs for verbs in (*VERBS.values(), TAKING))
        return verbs or word in FILLERS or len(word) == 1 or self.names.faction(word) >= 0

    def _player(self, words: Sequence[Token]) -> int | None:
        """The seat of a player whom some words name, where turns may name players."""
        if not self.game.names_players:
            return None
        typed = " ".join(token.word for token in words).removesuffix("'s")
        return next((seat for seat, name in enumerate(self.players) if name.casefold() == typed), None)

    def _word(self, said: Sentence, at: int) -> Mention:
        """What a word says that names nothing."""
        token = said[at]
        word, place = token.word, (token.start, token.end)
        if word in TAKING:
            return Mention("summon", *place, strong=False)
        if len(word) >= SHORTEST_ALIKE and like(word, ("summon", "summons"), LIKE_SHORT):
            return Mention("summon", *place)
        kind = next((kind for kind, words in PLAIN.items() if word in words), None)
        return Mention(
            kind or ("filler" if word in self.people else self._strange(said, at)), *place, typed=token.typed
        )

    def _strange(self, said: Sentence, at: int) -> Kind:
        """What a word is that is not known: it may stand in the place of followers or of a region."""
        if word_is_number(said[at]):
            counts = at + 1 < len(said) and self._word(said, at + 1).kind == "no-faction"
            return "filler" if counts else "unknown"
        if self._is_among_followers(said, at):
            return "no-faction"
        return "no-region" if is_out_of_place(said, at) else "unknown"

    def _is_among_followers(self, said: Sentence, at: int) -> bool:
        """Whether a word stands where followers belong: behind a number, or before a region that somebody is in."""
        before = said[at - 1] if at else None
        behind = [token for token in said[at + 1 : at + 4] if token.word not in ARTICLES]
        if before is not None and word_is_number(before):
            return (not behind or behind[0].word != "of") and not is_connecting(said[at].word)
        if before is not None and self.names.faction(before.word) >= 0:
            return False
        if len(behind) < 2 or behind[0].word not in PLACING:
            return False
        named = self._named(behind[1:2], first=False) if behind[1].is_word else None
        return named is not None and named.kind == "region" and not is_connecting(said[at].word)


def word_is_number(token: Token) -> bool:
    """Whether a token counts what stands behind it; an article does not."""
    return token.word.isdecimal() or (token.word in NUMBERS and token.word not in ARTICLES)


def _sign(token: Token) -> Mention | None:
    """What a sign says."""
    kinds: tuple[tuple[Kind, frozenset[str]], ...] = (
        ("against", BOTH_WAYS), ("to", ONE_WAY), ("and", AND), ("stop", STOPS)
    )  # fmt: skip
    kind = next((kind for kind, signs in kinds if token.word in signs), None)
    return Mention(kind, token.start, token.end, sign=token.word) if kind else None


def _window(said: Sentence, at: int, width: int) -> tuple[Token, ...]:
    """So many words from a token on, with nothing but hyphens between them; () where there are not so many."""
    words: list[Token] = []
    for token in said[at:]:
        if token.is_word:
            words.append(token)
        elif token.word != "-":
            break
        if len(words) == width:
            return tuple(words)
    return ()
