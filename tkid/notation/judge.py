"""Judge whether a turn in somebody's text is meant to be played: `play`, `ask`, or `hold` for a while.

The sender's words are split into sentences. The tables in `phrases.toml` say which phrases of a sentence withdraw, delay, doubt,
deny or quote a turn, and which words greet, thank or comment. Weights of its words and of these phrases
(`weights.bin`, made by `benchmarks/train_judge.py`) then decide whether the sentence raises a question, changes nothing, or
leaves a doubt, for which a host holds the turn until its sender could have stopped it. A sentence in a language without a
table always leaves a doubt. Each sentence is judged on its own, so a harmless one next to it makes a doubt no smaller. Only
an unknown sentence without any word of turns, sending or doubt continues what a harmless sentence of its paragraph tells.
"""

from __future__ import annotations

import re
import struct
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import combinations, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args
from zlib import crc32

from attrs import frozen

from tkid.notation.text import drop_accents, make_plain

if TYPE_CHECKING:
    from tkid.notation.plugin import FreeReader

Act = Literal["play", "hold", "ask"]
ACTS: tuple[Act, ...] = get_args(Act)
"""What may become of a turn, the safest last."""
Ordered = Literal["", "turn", "other", "quiet"]
TABLES = Path(__file__).with_name("phrases.toml")
WEIGHTS = Path(__file__).with_name("weights.bin")
_WORDS: Mapping[str, str] = tomllib.loads(Path(__file__).with_name("judge_words.toml").read_text("utf-8"))
ROW = struct.Struct(">Ib")
"""A row of the file: the checksum of a feature, and its weight."""
UNIT = 64
"""The weight by which the odds of a doubt grow by a factor of e."""
SURE = ("withdraw", "later")
NEAR = ("doubt", "deny", "other")
UNSURE = frozenset({"weak", "unknown"})
"""Classes of phrases that always raise a question, of those that do beside a word for the turn, and of evidence that only holds a turn."""
LEAST_ASKED, LEAST_DOUBTED = (50, 50), (80, 20)
"""Points from which a sentence raises a question: any, and one with a phrase of doubt; each for long sentences, and for short ones and those that run into the turn."""
CONDITION, LEAST_CONDITIONAL, MOST_BEHIND = "condition", 0, 2
"""The class of conditions, points from which one raises a question, and words behind it that are no clause of their own."""
YES = "si"
"""Yes in Spanish with a comma behind it, otherwise a condition."""
LEAST_RISKY = 60
"""Points from which a sentence raises a question that withdraws something or says that somebody else was at the writer's device."""
LEAST_HELD, LEAST_IDLE, LEAST_FOREIGN = -140, -80, -200
"""Points from which a turn is held beside a sentence: any, a greeting or a name, and one with a phrase of withdrawal or in foreign words."""
APART, LEAST_APART = ("cue", "turn", "deictic", "send", "device"), 0
"""Classes of words that an unknown sentence lacks if it may continue a harmless one beside it, and points from which it never does."""
SHORTEST, SHORT = 2, 4
"""Maximum number of words of the shortest sentences, where a phrase of doubt always raises a question, and of short ones."""
BIAS, SIGN = "", "#"
"""The feature of every sentence, and what features begin with that are signs: in training they count half."""
SIGNS = (
    "topic", "turn", "deictic", "position", "evaluate", "act", "cue", "mild", "self", "you", "theirs", "intend", "soft",
    "harmless", "being", "device", "send", "life",
)  # fmt: skip
LINKED = frozenset(["joined", "?"])
"""Signs that weigh also in pairs with others."""
STEMS, ENDING = (4, 6), 3
"""Lengths of the beginnings, and of the ending, of a word that weigh too: words of one stem mean the same."""
LONGEST_WORD = 4
"""Letters of the name of a card that is also an everyday word: Pass."""
LONGEST_NAME, LONGEST_SMALL_WORD = 3, 3
"""Words of a name, and letters of small words in a title or an address, such as `of`."""
FEW, MANY = 5, 10
"""Words of a sentence that is about the turn if it has no subject of its own, and of one in which evidence counts."""
LEAST_KNOWN, LEAST_WEIGHED, LEAST_OTHER = 0.4, 0.6, 0.8
"""The share of the words of a sentence that a language must know, or that must have weights, and how near to the best other languages must come."""
MOST_BETWEEN = 4
"""Words between harmless phrases that say nothing by themselves."""
MOST_WORDS = 20_000
"""Words whose classes are remembered."""
MOST_SENTENCES, LONGEST = 60, 400
"""Sentences of one mail that are judged, and characters of one that are read; beyond that the text is unknown."""

WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")
BREAK = ","
"""Stands for a comma or the like between words: a gap in a phrase does not go beyond it."""
LINK = re.compile(r"<?https?://\S*")
WORD_OR_BREAK = re.compile(rf"{WORD.pattern}|[,:()]")
ENDS = re.compile(r"(?<=[.!?…])['\")\]]*\s+|(?<=[!?…])|\s[-–—]+\s|[;]\s+")
ENDED = (".", "!", "?", "…", ")", "]", '"')
WEB_ADDRESS = re.compile(r"(?:https?://|\bwww\.)\S+$")
"""An address at the end of a line, which the next line does not continue."""
LAUGH = re.compile(_WORDS["laugh"].replace("\n", ""))
"""Laughter and other sounds, and the commonest letters in place of words."""
HESITATION = re.compile(_WORDS["hesitation"].replace("\n", ""))
"""Sounds that people make while they still think."""
OBJECTING = re.compile("[❓❔🤔🤷😬🛑✋⛔🚫❌✖👎]")
"""Signs that doubt or stop a turn, also on its line."""
DOUBTFUL = re.compile(rf"{OBJECTING.pattern}|[?¿⁇⁉🧐🤨😕🫤🙄😟😖🫣🥴⏳⌛⏸🙅]|ツ|(?<![\w:])[:;=]-?[/\\|sS?](?!\w)")
"""Signs that doubt or stop a turn where they stand without words."""
DOTS = re.compile(r"\.\s*\.|\u2026")
SHORT_FORMS: Mapping[str, str] = dict(each.split(": ") for each in " ".join(_WORDS["short"].split()).split(", "))
TAILS = {"n't": " not", "'m": " am", "'re": " are", "'ve": " have", "'ll": " will", "'d": " would"}
PLAYING = frozenset(_WORDS["playing"].split())
"""Words for playing, which also speak of children, music and sports."""
NAMING = frozenset(_WORDS["naming"].split())
"""Words that say no more of a thing than that a turn should have it."""
PASSING = frozenset(_WORDS["passing"].split())
NOT_BEFORE = re.compile(_WORDS["not before"].replace("\n", " "), re.IGNORECASE)
LETTERED, NUMBERED = frozenset({"follower", "value"}), "value"
"""Things that one character names, and those that a number names: other names beside a digit are parts of codes."""


@frozen
class Line:
    """A line of the sender's, "" for an empty one; `ordered` says whether it orders a turn, orders something else, or is no evidence."""

    text: str
    ordered: Ordered = ""


@frozen
class Evidence:
    """A sentence with its class: "weak" for a doubt that others lessen, "unknown" if no table knows it, and so on."""

    kind: str
    text: str


@frozen
class Verdict:
    """The act that the turn needs (`play`, `hold`, `ask`), and the sentences that are the reason."""

    act: Act = "play"
    evidence: tuple[Evidence, ...] = ()

    def join(self, other: Verdict) -> Verdict:
        """Return the verdict on a text with the evidence of both; a sentence is evidence once, of the class found here."""
        texts = {each.text for each in self.evidence}
        more = tuple(each for each in other.evidence if each.text not in texts)
        return Verdict(max(self.act, other.act, key=ACTS.index), (*self.evidence, *more))

    @property
    def is_doubtful(self) -> bool:
        """True if some sentence has a phrase of doubt: where no turn can be held, it is asked about."""
        return any(each.kind != "unknown" for each in self.evidence)

    @property
    def reason(self) -> str:
        """The sentence that decided, "" where none did."""
        return min(self.evidence, key=lambda each: each.kind == "unknown").text if self.evidence else ""


@frozen
class Said:
    """A sentence: its text, whether it runs on into the turn or on from it, whether it is one of the last, and its paragraph."""

    text: str
    joined: bool = False
    last: bool = False
    passage: str = ""


def judge_text(
    lines: Sequence[Line],
    names: Iterable[str] = (),
    cards: Iterable[str] = (),
    places: Iterable[str] = (),
    table: Mapping[int, int] | None = None,
) -> Verdict:
    """Judge what somebody wrote beside a turn.

    Args:
        lines: all lines of the sender, in their order.
        names: the names of the players.
        cards: the names of the cards.
        places: words for what is on the board of this game.
        table: the weights of features, those of the file where none are given.

    Returns:
        The verdict: `ask` where a sentence is evidence against the turn, `hold` where one is unknown, otherwise `play`.
    """
    said = list(split_into_sentences(lines))
    if not said:
        return Verdict()
    judged = _make_judge(names, cards, places, table)
    kinds = list(map(judged.judge_sentence, said[:MOST_SENTENCES]))
    found = [
        Evidence("unknown" if kind == "apart" else kind, each.text)
        for at, (kind, each) in enumerate(zip(kinds, said, strict=False))
        if kind and not (kind == "apart" and _is_beside_harmless(said, kinds, at))
    ]
    if len(said) > MOST_SENTENCES:
        found.append(Evidence("unknown", said[MOST_SENTENCES].text))
    asked = tuple(each for each in found if each.kind not in UNSURE)
    if asked:
        return Verdict("ask", asked)
    return Verdict("hold", tuple(found)) if found else Verdict()


def find_corrections(lines: Sequence[Line], turn: tuple[Any, ...], reader: FreeReader, *, passes: bool) -> Verdict:
    """Find sentences such as `Lancaster, I mean`: they say no more than what the turn should have, and it doesn't.

    Args:
        lines: all lines of the sender, in their order.
        turn: the moves of the turn.
        reader: the reader of the game's names.
        passes: whether the turn is a pass.
    """
    said = (each.text for each in split_into_sentences(lines))
    found = tuple(Evidence("other", text) for text in said if _is_correction(text, turn, reader, passes=passes))
    return Verdict("ask", found) if found else Verdict()


def _is_correction(text: str, turn: tuple[Any, ...], reader: FreeReader, *, passes: bool) -> bool:
    every = (each for each in reader.list_names(text, spelled=True) if each[0] in LETTERED or each[2] - each[1] > 1)
    named = [
        (kind, begin, end)
        for kind, begin, end in every
        if kind == NUMBERED or not any(map(str.isdigit, text[max(begin - 1, 0) : end + 1]))
    ]
    typed = _list_words(_blank_out(text, named))
    if (words := {*typed} - NAMING) and words <= PASSING:
        return bool(named) or not passes
    is_told = any(end - begin > 1 for _, begin, end in named) or (bool(named) and bool(typed))
    if words or not is_told:
        return False
    denied = [each for each in named if NOT_BEFORE.search(text[: each[1]])]
    meant = _blank_out(text, denied)
    has_other = len(denied) < len(named) and not reader.has_named(turn, meant)
    return has_other or any(reader.has_named(turn, text[begin:end]) for _, begin, end in denied)


def _blank_out(text: str, names: Iterable[tuple[str, int, int]]) -> str:
    for _, begin, end in names:
        text = f"{text[:begin]}{' ' * (end - begin)}{text[end:]}"
    return text


def _is_beside_harmless(said: Sequence[Said], kinds: Sequence[str], at: int) -> bool:
    """Return True if the sentence before or behind one is harmless, in the same paragraph, and no short greeting."""
    near = (other for other in (at - 1, at + 1) if 0 <= other < len(kinds) and not kinds[other])
    return any(
        said[other].passage == said[at].passage and len(_list_words(said[other].text)) > SHORTEST for other in near
    )


def split_into_sentences(lines: Sequence[Line]) -> Iterator[Said]:
    """Split the text around the orders into sentences, and join one that continues after a turn."""
    blocks = _split_blocks(lines)
    begun = ""
    for index, (block, order) in enumerate(blocks):
        after = blocks[index - 1][1] if index else ""
        texts = list(_join_lines(block))
        if begun:
            if texts and texts[0][:1].islower() and not _stands_alone(texts[0]):
                first, *rest = _split_passage(texts[0])
                yield Said(f"{begun} {first}", joined=True)
                yield from map(Said, rest)
                texts = texts[1:]
            else:
                yield Said(begun, joined=True)
            begun = ""
        elif after == "turn" and texts and _is_continuation(block) and not _stands_alone(texts[0]):
            first, *rest = _split_passage(texts[0])
            yield Said(first, joined=True)
            yield from map(Said, rest)
            texts = texts[1:]
        every = [(each, text) for text in texts for each in _split_passage(text)]
        if order == "turn" and every and _is_continued_in_turn(every[-1][0], block):
            begun = every.pop()[0]
        is_end = index + 1 == len(blocks)
        for number, (each, text) in enumerate(every):
            yield Said(each, last=is_end and len(every) - number <= FEW, passage=text)


def _split_blocks(lines: Sequence[Line]) -> list[tuple[list[str], Ordered]]:
    """Split the lines into blocks without orders, each with the kind of the order below it, "" at the end."""
    blocks: list[tuple[list[str], Ordered]] = [([], "")]
    for line in lines:
        if line.ordered:
            blocks[-1] = (blocks[-1][0], line.ordered)
            blocks.append(([], ""))
        else:
            blocks[-1][0].append(line.text)
    return blocks


def _join_lines(block: Sequence[str]) -> Iterator[str]:
    """Yield the lines of a block, each joined with the lines that continue it."""
    passage = ""
    for above, line in pairwise(["", *block, ""]):
        if not line.strip():
            if passage:
                yield passage
            passage = ""
        elif passage and _is_rest(above.rstrip(), line):
            passage = f"{passage} {line.strip()}"
        else:
            if passage:
                yield passage
            passage = line.strip()
    if passage:
        yield passage


def _stands_alone(text: str) -> bool:
    """Return True if a line below a turn is a sound or a sign-off such as `lg Ann`, even in small letters."""
    words = _list_words(text)
    is_sign_off = 0 < len(words) <= SHORTEST and LAUGH.fullmatch(words[0])
    return bool(is_sign_off or HESITATION.fullmatch(" ".join(words)) or _is_greeting(text))


def _is_rest(above: str, line: str) -> bool:
    """Return True if a line continues the one above it, which ends in no web address: neither of them is a greeting."""
    has_ended = above.endswith(ENDED) or WEB_ADDRESS.search(above)
    may_continue = (line.strip()[:1].islower() or len(above) >= 48) and not has_ended
    return may_continue and not (_is_greeting(above) or _is_greeting(line))


def _is_greeting(line: str) -> bool:
    """Return True if a line consists of a few harmless words."""
    words = _list_words(line)
    is_short = 0 < len(words) < FEW
    return is_short and any(
        all(language.is_in("harmless", word) for word in words) for language in load_languages().values()
    )


def _split_passage(text: str) -> list[str]:
    return [each.strip() for each in ENDS.split(make_plain(text)) if each and WORD.search(each)] or [text]


def _is_continued_in_turn(text: str, block: Sequence[str]) -> bool:
    """Return True if the last sentence above a turn may continue in it: it does not end, and is right above it or ends in an open word."""
    bare = text.rstrip(" *_")
    if bare.endswith(ENDED) or WEB_ADDRESS.search(bare) or _is_greeting(bare):
        return False
    return (
        bare.endswith((":", ",", "-", "–", "—"))
        or bool(block[-1].strip())
        or _list_words(bare)[-1:] in _list_open_words()
    )


def _is_continuation(block: Sequence[str]) -> bool:
    """Return True if the first line below a turn continues it."""
    first = block[0].strip()
    return first[:1].islower() or first.startswith(("...", "…", ",", "-", "–", "("))


def _list_words(text: str) -> list[str]:
    """List the words of a text in small letters without accents, short forms written out."""
    return [word for word in _list_words_and_breaks(text) if word != BREAK]


def _list_words_and_breaks(text: str) -> list[str]:
    """List the words of a text, and the breaks between them."""
    found = []
    for typed in WORD_OR_BREAK.findall(drop_accents(make_plain(LINK.sub(" ", text[:LONGEST]))).casefold()):
        if not typed[0].isalpha():
            found.append(BREAK)
            continue
        word = SHORT_FORMS.get(typed, typed)
        tail = next((tail for tail in TAILS if word.endswith(tail)), "")
        word = word[: -len(tail)] + TAILS[tail] if tail else word
        word = word.removesuffix("'s") + " is" if word.endswith("'s") and word[:-2] in ABOUT else word
        found += word.replace("'", " ").split()
    return found


def _find_breaks(text: str) -> frozenset[int]:
    found, number = set[int](), 0
    for word in _list_words_and_breaks(text):
        number += word != BREAK
        if word == BREAK:
            found.add(number)
    return frozenset(found)


ABOUT = frozenset(_WORDS["about"].split())
"""Words behind which `'s` is a verb."""


@frozen(eq=False)
class Language:
    """The table of one language: its words by class, and its phrases by their first letters."""

    words: dict[str, frozenset[str]]
    stems: dict[str, tuple[str, ...]]
    phrases: dict[str, dict[str, tuple[Phrase, ...]]]

    def is_in(self, kind: str, word: str) -> bool:
        return kind in _list_kinds(self, word)

    def has_word(self, word: str) -> bool:
        return bool(_list_kinds(self, word))


@lru_cache(MOST_WORDS)
def _list_kinds(language: Language, word: str) -> frozenset[str]:
    """Return the classes of a word in a language."""
    return frozenset(
        kind for kind, words in language.words.items() if word in words or word.startswith(language.stems[kind])
    )


Phrase = tuple[tuple[str, ...], ...]
"""A phrase: for each place, the words that fit there."""
CLASSES = ("footer", "neutral", *SURE, *NEAR, "report", CONDITION)


@lru_cache(1)
def load_languages() -> dict[str, Language]:
    return {name: _build_language(table) for name, table in tomllib.loads(TABLES.read_text("utf-8")).items()}


@lru_cache(1)
def _list_open_words() -> list[list[str]]:
    return [[word] for language in load_languages().values() for word in language.words["open"]]


def _build_language(table: dict[str, str]) -> Language:
    lists = {
        kind: [each for word in text.split() for each in _list_spellings(word)]
        for kind, text in table.items()
        if kind not in CLASSES
    }
    words = {kind: frozenset(word for word in every if not word.endswith("*")) for kind, every in lists.items()}
    stems = {kind: tuple(word[:-1] for word in every if word.endswith("*")) for kind, every in lists.items()}
    return Language(words, stems, {kind: _index_phrases(table[kind]) for kind in CLASSES})


def _list_spellings(word: str) -> tuple[str, ...]:
    """List the compared forms of a word; German umlauts may be written with an `e`."""
    lower = word.casefold()
    plain, wide = map(drop_accents, (lower, lower.replace("ä", "ae").replace("ö", "oe").replace("ü", "ue")))
    return (plain,) if wide == plain else (plain, wide)


def _index_phrases(text: str) -> dict[str, tuple[Phrase, ...]]:
    """Return phrases by the first two letters of their first word, "" for those that begin otherwise."""
    found = dict[str, list[Phrase]]()
    for typed in re.split(r"[,\n]", text):
        phrase = tuple(
            tuple(each for word in place.split("|") for each in _list_spellings(word))
            for place in typed.replace("'", " ").split()
        )
        firsts = next((place for place in phrase if place != ("^",)), ())
        for key in {"" if first in {"_", "*", "$"} else first[:2] for first in firsts}:
            found.setdefault(key, []).append(phrase)
    return {key: tuple(phrases) for key, phrases in found.items()}


def hash_feature(feature: str) -> int:
    """Return the checksum by which the table of weights knows a feature."""
    return crc32(feature.encode())


@lru_cache(1)
def load_weights() -> Mapping[int, int]:
    return dict(ROW.iter_unpack(WEIGHTS.read_bytes()))


def is_weighed_word(table: Mapping[int, int], word: str) -> bool:
    """Return True if a word was in more than one of the mails that made the weights."""
    return hash_feature(f"1 {word}") in table


@frozen(eq=False)
class Features:
    """The features of a sentence that have weights: its words, its signs, and those signs that also weigh in pairs."""

    words: tuple[str, ...]
    linked: tuple[str, ...]
    signs: tuple[str, ...]

    def list_keys(self, is_known: Callable[[str], bool]) -> frozenset[str]:
        """Return the features by name; `is_known` is True for words of the mails that made the weights."""
        words = self.words
        new = min(sum(not is_known(word) for word in dict.fromkeys(words)), 4)
        pairs = [f"{one}+{other}" for one, other in combinations(sorted(self.linked), 2)]
        pairs += [f"{sign}+new {min(new, 3)}" for sign in self.linked]
        signs = [*self.signs, *self.linked, *pairs, f"new {new}", f"new of four {4 * new // len(words)}"]
        grams = [f"2 {first} {second}" for first, second in pairwise(["^", *words, "$"])]
        grams += [f"s {word[:size]}" for word in words for size in STEMS if len(word) > size]
        grams += [f"e {word[-ENDING:]}" for word in words if len(word) > ENDING + 1]
        return frozenset([*(f"1 {word}" for word in words), *grams, BIAS, *(f"{SIGN}{each}" for each in signs)])


def list_features(
    lines: Sequence[Line], names: Iterable[str] = (), cards: Iterable[str] = (), places: Iterable[str] = ()
) -> Iterator[Features]:
    """Yield the features of each sentence that has words. The arguments are those of `judge`."""
    said = list(split_into_sentences(lines))
    judged = _make_judge(names, cards, places)
    for each in said[:MOST_SENTENCES]:
        if words := _list_words(each.text):
            yield judged.make_features(each, words, *judged.read_sentence(each, words))


def _make_judge(
    names: Iterable[str], cards: Iterable[str], places: Iterable[str], table: Mapping[int, int] | None = None
) -> _Judge:
    people, board = (frozenset(_list_words(" ".join(each))) for each in (names, places))
    return _Judge(people, board, frozenset(" ".join(_list_words(card)) for card in cards), table)


class _Judge:
    """Judges sentences, each on its own."""

    def __init__(
        self, names: frozenset[str], places: frozenset[str], cards: frozenset[str], table: Mapping[int, int] | None
    ) -> None:
        self.names, self.places, self.cards, self.table = names, places, cards, table
        self.card_words = frozenset(word for card in cards if len(card) > LONGEST_WORD for word in card.split())

    def judge_sentence(self, said: Said) -> str:
        """Return the class of the evidence in a sentence: "" if it surely isn't evidence, "weak" or "unknown" if it only holds a turn."""
        words = _list_words(said.text)
        if HESITATION.fullmatch(" ".join(words)) or (not words and DOUBTFUL.search(said.text)):
            return "doubt"
        if not words or said.text.lstrip("<( ").startswith(("http://", "https://", "www.")):
            return ""
        found, readings = self.read_sentence(said, words)
        table = load_weights() if self.table is None else self.table
        is_known = partial(is_weighed_word, table)
        features = self.make_features(said, words, found, readings)
        points = sum(table.get(hash_feature(each), 0) for each in features.list_keys(is_known))
        if found in {"idle", "footer"}:
            return "unknown" if found == "idle" and points >= LEAST_IDLE else ""
        if found not in {"", "unknown"}:
            if found == CONDITION:
                return found if len(words) <= SHORTEST or points >= LEAST_CONDITIONAL else "unknown"
            is_sure = len(words) <= SHORTEST or points >= LEAST_DOUBTED[said.joined or len(words) <= SHORT]
            return found if is_sure else "weak"
        is_foreign = found == "unknown" and sum(map(is_known, features.words)) < LEAST_WEIGHED * len(words)
        return self._weigh_unknown(said, readings, points, is_foreign=is_foreign)

    def _weigh_unknown(self, said: Said, readings: Mapping[str, _Reading], points: int, *, is_foreign: bool) -> str:
        """Return the class of a sentence without a phrase of doubt: "apart" if it may continue a harmless one beside it."""
        words = _list_words(said.text)
        is_risky = any(reading.is_risky() for reading in readings.values())
        is_short = said.joined or len(words) <= SHORT
        if points >= (LEAST_RISKY if is_risky else LEAST_ASKED[is_short]):
            return "doubt"
        is_foreign = is_foreign and max(_measure_shares(words, self.names | self.places).values()) < LEAST_KNOWN
        if (is_risky or is_foreign) and points >= LEAST_FOREIGN:
            return "unknown"
        is_apart = said.passage and points < LEAST_APART and "?" not in said.text
        is_apart = is_apart and not any(each.turns or {*APART} & {*each.list_signs()} for each in readings.values())
        return "" if points < LEAST_HELD else "apart" if is_apart else "unknown"

    def read_sentence(self, said: Said, words: Sequence[str]) -> tuple[str, dict[str, _Reading]]:
        """Return the class of a sentence by its phrases, and its reading in each language that knows most of its words."""
        shares = _measure_shares(words, self.names | self.places)
        best = max(shares.values())
        near = [name for name, share in shares.items() if share and share >= best * LEAST_OTHER]
        every = near if best >= LEAST_KNOWN / 2 else []
        readings = {name: _Reading(language, said, words, self) for name, language in load_languages().items()}
        main = {name: readings[name] for name in shares if shares[name] == best}
        return self._find_class(said, every, readings, is_known=best >= LEAST_KNOWN), main

    def _find_class(self, said: Said, every: Sequence[str], readings: dict[str, _Reading], *, is_known: bool) -> str:
        """Return the class of a sentence by its phrases: one of evidence, "unknown", or "" if it is harmless.

        A greeting or a name and nothing else is "idle", and a line that a program adds to a mail a "footer".
        """
        if any(reading.is_footer for reading in readings.values()):
            return "footer"
        if any(not (readings[name].rest or readings[name].sure or readings[name].is_question) for name in every):
            return "idle"
        for name, reading in readings.items():
            if kind := reading.find_evidence(only_long=name not in every and bool(every)):
                return kind if kind in {"withdraw", CONDITION} or reading.is_about_turn() else "unknown"
        if is_known and any(readings[name].is_harmless() for name in every):
            return "idle" if any(readings[name].is_idle() for name in every) else ""
        return "idle" if self._is_signature(said, readings) else "unknown"

    def make_features(self, said: Said, typed: Sequence[str], found: str, readings: Mapping[str, _Reading]) -> Features:
        """Return the features of a sentence; `found` is its class by its phrases, `readings` those of its likeliest languages."""
        words = tuple(map(self._replace_word, typed))
        length = len(words) if len(words) < FEW else 5 if len(words) <= 7 else 8 if len(words) <= 12 else 13
        form = {"joined": said.joined, "?": "?" in said.text, "!": "!" in said.text}
        form |= {":": said.text.rstrip().endswith(":")}
        signs = [sign for sign, is_there in form.items() if is_there]
        kinds = dict.fromkeys(sign for reading in readings.values() for sign in reading.list_signs())
        linked = (*(sign for sign in signs if sign in LINKED), f"is {found}", *kinds)
        return Features(words, linked, (*signs, f"words {length}"))

    def _replace_word(self, word: str) -> str:
        """Return a word, or the placeholder for names of players, cards and places on the board."""
        if word in self.names or word in self.places:
            return "@name" if word in self.names else "@place"
        return "@card" if word in self.card_words else word

    def _is_signature(self, said: Said, readings: dict[str, _Reading]) -> bool:
        if not said.last or any(reading.doubts for reading in readings.values()):
            return False
        typed = [
            word for word in said.text.strip(" -–—*_,.").split() if len(word) > LONGEST_SMALL_WORD or word[:1].isupper()
        ]
        is_name = 0 < len(typed) <= MANY and any(word[:1].isupper() for word in typed)
        is_name = is_name and not any(word[:1].islower() for word in typed)
        is_short = len(typed) <= LONGEST_NAME and not any(map(_Reading.speaks, readings.values()))
        is_title = len(typed) > SHORTEST and self.places.isdisjoint(_list_words(said.text))
        return is_name and (is_short or is_title) and not said.text.rstrip(" )").endswith(("!", "?"))


def _measure_shares(words: Sequence[str], names: frozenset[str]) -> dict[str, float]:
    """Return the share of the words that each language knows. Names of players do not count."""
    counted = [word for word in words if word not in names and not LAUGH.fullmatch(word)]
    if not counted:
        return dict.fromkeys(load_languages(), 1.0)
    return {name: sum(map(language.has_word, counted)) / len(counted) for name, language in load_languages().items()}


class _Reading:
    """A sentence as a language reads it."""

    def __init__(self, language: Language, said: Said, words: Sequence[str], judge: _Judge) -> None:
        self.language, self.said, self.judge = language, said, judge
        self.words = words
        self.left = list(words)
        self.breaks = _find_breaks(said.text)
        self.topics = self._count_words("topic", words)
        is_own = said.joined or self._count_words("self", words)
        self.is_footer = not is_own and any(True for _ in self._find_phrases("footer"))
        """True if a program has written the sentence below a mail."""
        sure = [(kind, begin, end) for kind in SURE for begin, end in self._find_phrases(kind)]
        for begin, end in self._find_phrases("neutral"):
            self.left[begin:end] = [""] * (end - begin)
        self.sure = [
            (kind, begin, end) for kind, begin, end in sure if any(self.left[begin:end]) or end - begin == len(words)
        ]
        """Phrases that surely withdraw or delay, but for those within harmless ones that say more."""
        self.rest = [word for word in self.left if word and word not in judge.names and not LAUGH.fullmatch(word)]
        self.is_question = "?" in said.text and bool(self.left[-1])

    def _count_words(self, kind: str, words: Sequence[str] | None = None) -> int:
        return sum(self.language.is_in(kind, word) for word in (self.rest if words is None else words))

    def list_signs(self) -> list[str]:
        kinds = [kind for kind in SIGNS if self._count_words(kind, self.words)]
        kinds += ["much life"] if self._count_words("life", self.words) > 1 else []
        phrases = [f"phrase {kind}" for kind in (*SURE, *NEAR, "report") if any(True for _ in self._find_phrases(kind))]
        return [
            *kinds,
            *phrases,
            *(["phrase neutral"] if "" in self.left else []),
            *(["condition"] if self.is_condition(only_long=False) else []),
            *(["asks"] if self.is_question else []),
        ]

    def speaks(self) -> bool:
        """Return True if the sentence has words other than names, addresses and words of everyday life."""
        is_in, places = self.language.is_in, self.judge.places
        words = (
            word for word in self.rest if len(word) > 1 and not is_in("life", word) and not is_in("harmless", word)
        )
        return any(word in places or self.language.has_word(word) for word in words)

    def is_idle(self) -> bool:
        is_in = self.language.is_in
        return not (self.is_question or self.sure) and all(
            is_in("harmless", word) and not (is_in("turn", word) or is_in("cue", word)) for word in self.rest
        )

    def is_risky(self) -> bool:
        """Return True if the sentence withdraws or delays something, or says that somebody else was at the writer's device."""
        is_long = any(end - begin > 1 for _, begin, end in self.sure)
        return is_long or bool(self._count_words("being", self.words) and self._count_words("device", self.words))

    def _find_phrases(self, kind: str) -> Iterator[tuple[int, int]]:
        index = self.language.phrases[kind]
        for begin, word in enumerate(self.left):
            if not word:
                continue
            for phrase in (*index.get(word[:2], ()), *index.get("", ())):
                end = self._match_phrase(phrase, begin)
                if end is not None:
                    yield begin, end

    def _match_phrase(self, phrase: Phrase, at: int) -> int | None:
        """Return where a phrase ends that begins at a word, or None if it is not there."""
        if not phrase:
            return at
        first, rest = phrase[0], phrase[1:]
        ends = (self._match_phrase(rest, end) for end in self._match_place(first, at))
        return next((end for end in ends if end is not None), None)

    def _match_place(self, place: tuple[str, ...], at: int) -> Iterator[int]:
        """Yield where one place of a phrase may end that begins at a word."""
        length = len(self.left)
        if place in {("^",), ("$",)}:
            yield from [at] if at == (0 if place == ("^",) else length) else []
        elif place == ("*",):
            reach = next((skip for skip in (0, 1) if at + skip in self.breaks), 2)
            yield from (min(at + skip, length) for skip in range(reach, -1, -1))
        elif place == ("_",):
            yield from (at + width for width in (1, 2, 3) if self._is_pointer(at, width))
        elif at < length and any(_is_like(self.left[at], each) for each in place):
            yield at + 1

    def _is_pointer(self, at: int, width: int) -> bool:
        """Return True if words point at the turn: `this`, `my last move`, the name of a card."""
        words = self.left[at : at + width]
        if len(words) < width or not all(words):
            return False
        if " ".join(words) in self.judge.cards:
            return True
        *before, last = words
        is_in = self.language.is_in
        noun = any(is_in(kind, last) for kind in ("turn", "deictic", "it"))
        return noun and all(word in DETERMINERS or is_in("deictic", word) for word in before)

    def find_evidence(self, *, only_long: bool) -> str:
        """Return the class of the evidence in the sentence, "" if it has none; `only_long` leaves out single words."""
        near = ((kind, begin, end) for kind in (*NEAR, "report") for begin, end in self._find_phrases(kind))
        for kind, begin, end in (*self.sure, *near):
            is_word = end - begin == 1
            sure = kind in SURE and not self._count_words("topic", [*self.left[:begin], *self.left[end:]])
            if (sure or self._is_near(kind, is_word=is_word)) and not (only_long and is_word):
                return kind
        if self.is_condition(only_long=only_long):
            return CONDITION
        if only_long:
            return ""
        to_reader = self._count_words("you") and not self._count_words("self")
        if self.is_question and not self.topics and (self.turns or (self.deictics and not to_reader)):
            return "doubt"
        joined = self.said.joined and not self.topics and not self._is_introduction()
        return "joined" if joined and self._count_words("cue") > self._count_words("soft") else ""

    def is_condition(self, *, only_long: bool) -> bool:
        """Return True if the sentence is a condition of the turn: it begins like one, and no other clause follows."""
        says_yes = 1 in self.breaks and self.words[0] == YES
        if self.topics or self._count_words("life", self.words) or says_yes:
            return False
        last = len(self.words) - MOST_BEHIND
        return any(
            end - begin > only_long and not any(end < at < last for at in self.breaks)
            for begin, end in self._find_phrases(CONDITION)
        )

    def _is_plain(self, word: str) -> bool:
        """Return True if a word is an everyday one, or on the board."""
        return self.language.is_in("common", word) or self.language.is_in("position", word) or word in self.judge.places

    def _is_introduction(self) -> bool:
        """Return True if the sentence introduces the turn, and says nothing more."""
        return not self.is_question and all(
            self.language.is_in("introduce", w) or self.language.is_in("harmless", w) for w in self.rest
        )

    def _is_near(self, kind: str, *, is_word: bool) -> bool:
        """Return True if phrases of a class count because the sentence is about the turn; one word alone counts less."""
        if self.said.joined:
            return not self.topics or kind != "report"
        if kind == "report":
            return bool(self.deictics) and not self.topics and bool(self.turns or self._count_words("self"))
        bare = len(self.rest) <= FEW
        return bool(self.turns) or (not self.topics and (bool(self.deictics and not is_word) or bare))

    def is_about_turn(self) -> bool:
        """Return True if the sentence runs into the turn or on from it, points at it, or is short."""
        return self.said.joined or bool(self.turns or self.deictics) or len(self.left) <= MANY

    @property
    def turns(self) -> int:
        """Words for the turn, not for that of somebody else."""
        found = 0
        for before, word in pairwise(["", *self.left]):
            if self.language.is_in("turn", word) and not (self.topics and word in PLAYING):
                found += not self.language.is_in("theirs", before)
        text = f" {' '.join(self.left)} "
        return found + sum(f" {card} " in text for card in self.judge.cards)

    @property
    def deictics(self) -> int:
        """Words that may point at the turn, without a noun of something else behind them."""
        pairs = pairwise([*self.left, ""])
        return sum(
            self.language.is_in("deictic", word) and not self.language.is_in("topic", behind) for word, behind in pairs
        )

    @property
    def doubts(self) -> bool:
        """True if any word may cast doubt on the turn."""
        return bool(
            self.sure or self._count_words("cue") or self._count_words("mild") or self.turns or self.is_question
        )

    def is_harmless(self) -> bool:
        if self._is_polite() or self._is_introduction():
            return not (self.turns and self._count_words("mild"))
        if (
            self.turns
            or self._count_cues() > self.topics
            or (self.deictics and (self._count_words("mild") or self.is_question))
        ):
            return False
        if self.said.joined:
            known = ("introduce", "harmless", "topic", "common")
            every = all(any(self.language.is_in(kind, word) for kind in known) for word in self.rest)
            return every and not (self._count_words("cue") or self._count_words("mild"))
        return bool(self.topics) or self._is_comment()

    def _is_polite(self) -> bool:
        """Return True if the sentence has harmless phrases and words, and at most a few others that say nothing."""
        if not self.rest:
            return True
        if self.is_question or self._count_words("cue"):
            return False
        few = len(self.rest) <= min(self.left.count(""), MOST_BETWEEN) and not self.turns
        return self._count_words("harmless") == len(self.rest) or (few and all(map(self._is_plain, self.rest)))

    def _count_cues(self) -> int:
        """Count the words that cast doubt, without the softer ones in long sentences that are not about the writer."""
        about_else = not self._count_words("self") or self.topics
        soft = len(self.left) > FEW and about_else and not (self.deictics or self.said.joined)
        is_in = self.language.is_in
        return sum(is_in("cue", word) and not (soft and is_in("soft", word)) for word in self.rest)

    def _is_comment(self) -> bool:
        """Return True if a sentence without another subject is a comment on the game or the players, and no turn."""
        rest, mild, you = self.rest, self._count_words("mild"), self._count_words("you")
        about_self = self._count_words("self")
        if self.is_question:
            return bool(you) and not about_self and len(rest) > FEW
        positions = sum(word in self.judge.places or self.language.is_in("position", word) for word in rest)
        evaluates = self._count_words("evaluate", self.left)
        if positions and (self._count_words("act") or (positions > 1 and not evaluates)):
            return False
        if len(self.left) <= FEW:
            known = all(self.language.has_word(word) or word in self.judge.places for word in rest)
            return known and not mild and bool(evaluates or not positions)
        names_somebody = not self.judge.names.isdisjoint(self.left) or you or "" in self.left
        if about_self:
            return bool(names_somebody) and not (mild or positions or self.deictics or self._count_words("intend"))
        return bool(positions) or (bool(names_somebody) and not mild)


DETERMINERS = frozenset(_WORDS["determiners"].split())
"""Words before a word for the turn that leave it the sender's."""


def _is_like(word: str, pattern: str) -> bool:
    """Return True if a word is the one of a phrase, or begins like it."""
    return word.startswith(pattern[:-1]) if pattern.endswith("*") and len(pattern) > 1 else word == pattern


NOTE = re.compile(r"\s*#\s*[^\W\d_]+(?:[ -][^\W\d_]+)*\s*:")
"""How a line about the game begins in a game file, such as `# resigned:`."""
STOPS = re.compile(r"[.!?…]+")
OPEN_WORDS = frozenset(_WORDS["open"].split())
"""Words behind which a sentence continues."""
BEGINNING = frozenset(_WORDS["beginning"].split())
"""Words that say nothing alone, and often begin a second thought."""
MOST_BEGINNING = 2
"""Words of a sentence that has only begun."""


def judge_whole(
    lines: Sequence[Line], names: Sequence[str] = (), cards: Sequence[str] = (), places: Sequence[str] = ()
) -> Verdict:
    """Judge what somebody wrote beside a turn, as `judge` does, and by its form too."""
    verdict = judge_text(lines, names, cards, places)
    if verdict.act == "ask" or not (text := _find_unfinished(lines)):
        return verdict
    return Verdict("ask", (Evidence("unfinished", text), *verdict.evidence))


def _find_unfinished(lines: Sequence[Line]) -> str:
    """Return a line of a game file among the lines, or a sentence that breaks off, or ""."""
    for at, line in enumerate(lines):
        if line.ordered:
            if line.ordered == "turn" and (dots := DOTS.search(line.text)) and not line.text[dots.end() :].strip(" .…"):
                return line.text.strip()
            continue
        if NOTE.match(line.text):
            return line.text.strip()
        last = line.text.rstrip(" .…") if line.text.rstrip().endswith(("...", "…")) else line.text
        said, below = STOPS.split(last)[-1], lines[at + 1 :]
        is_end = not below or not below[0].text.strip() or _is_greeting(below[0].text)
        ordered = next((line.ordered for line in below if line.text.strip()), "")  # a sentence may continue in it
        if is_end and not ordered and _is_broken_off(said):
            return said.strip()
    return ""


def _is_broken_off(said: str) -> bool:
    """Return True if a sentence has only begun, or ends in a word behind which it continues."""
    words = [drop_accents(make_plain(word)).casefold() for word in WORD.findall(said)]
    if not words:
        return False
    return words[-1] in OPEN_WORDS or (len(words) <= MOST_BEGINNING and {*words} <= OPEN_WORDS | BEGINNING)
