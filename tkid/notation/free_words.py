"""Words of everyday sentences: which connect, which count, and which show that a sentence orders nothing.

English words, and the commonest German and French ones. Accents and capitals do not matter here.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from difflib import SequenceMatcher
from functools import lru_cache

from attrs import frozen

from tkid.notation.text import plain, unaccented

LIKE = 0.75
"""How like a word (0 to 1) another has to be to be taken for it with a typing error."""
SHORTEST_LIKE = 4
"""Letters of a word that may have a typing error."""
REMEMBERED = 1 << 14
TOKEN = re.compile(r"<->|<=>|<>|[-=]+>|\d+|[^\W\d_]+(?:'[^\W\d_]+)?|\n|\S")
HASH = re.compile(r"#[0-9a-f]{6}\b|\*+|\{[^{}]*\}", re.IGNORECASE)
"""What history shows beside a turn: its hash, marks, comments."""
WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
NUMBERED = re.compile(r"\s*\d+\s*[.)](?!\d)")
"""The number before a turn of history."""
ENDS = frozenset(".!?\n")
"""Where a sentence ends."""

ABBREVIATED = frozenset(
    ["scot", "scott", "eng", "engl", "wel", "wels", "rom", "brit", "schott", "ecoss", "ang", "gall", "no", "nr"]
)
"""Words whose full stop ends no sentence."""

BOTH_WAYS = frozenset({"<->", "<=>", "<>", "↔", "⇄", "⇆", "⟷"})
ONE_WAY = frozenset({"->", "=>", "-->", "==>", ">", "→", "⇒", "⟶"})
AND = frozenset({"and", "then", "plus", "also", "und", "dann", "et", "puis", "ainsi", "&", "+", "/"})
AGAINST = frozenset({"for", "with", "against", "fur", "mit", "gegen", "pour", "avec", "contre"})
FROM = frozenset({"from", "out", "off", "aus", "von", "vom", "depuis", "du", "de", "d'"})
TO = frozenset({"to", "into", "onto", "towards", "nach", "ins", "zu", "zum", "vers", "a"})
NOT_ANY = frozenset({"no", "without", "nobody", "none", "noone", "kein", "keine", "keinen", "ohne", "niemand", "sans", "aucun"})  # fmt: skip
NUMBERS: Mapping[str, int] = {
    "one": 1, "a": 1, "an": 1, "two": 2, "both": 2, "pair": 2, "couple": 2, "three": 3,
    "ein": 1, "eine": 1, "einen": 1, "zwei": 2, "beide": 2, "drei": 3, "un": 1, "une": 1, "deux": 2, "trois": 3,
}  # fmt: skip
FILLERS = frozenset(
    """
    a an the this my mine i i'll i'd i'm ill id im will would shall like want wish to it's its it so ok okay well hi hello hey
    dear please pls plz thanks thank thx cheers now here just again go going gonna wanna let let's lets do use using make play
    playing card turn move action order orders answer reply choose choosing pick picking want in into on onto at of by as from
    out off for with against and then also plus too next first second finally afterwards after both each follower followers
    guy guys one ones man men cube cubes meeple meeples piece pieces dude dudes person people region regions court your ok
    counts count goes go get gets put puts place add adds set sets send sends sending drop
    ich spiele spiel moechte mochte will bitte danke und dann mit gegen fur in im ins den dem der die das ein eine einen nach aus
    von vom zu zum zur auf an meine mein meinen mir karte zug hallo je joue jouer veux voudrais s'il vous plait merci et puis le la
    les l' un une des du de d' au aux en dans sur pour avec contre vers ma mon mes carte tour bonjour setze stelle lege place mets
    x no yes yep right alright hmm hm um uh
    """.split()  # noqa: SIM905 - a list of words reads better so
) - {"your", "no"}
"""Words that say nothing of a turn and may stand anywhere in one."""
DOUBTS = frozenset(
    """
    if unless when whenever whether should could can may might maybe perhaps possibly probably hope hoping hopefully wonder
    wondering guess suppose think thought thinking consider considering would've why who what where how which because or
    not never don't dont won't wont can't cant cannot wouldn't shouldn't didn't isn't aren't instead
    you you'll you'd you're your yours he he'll he's she she'll she's they they'll they're his her their theirs him us our
    was were did does done had has have been played passed took taken moved summoned placed swapped went won lost made said told
    tomorrow yesterday later soon last ago earlier before until say tell ask cancel undo draft legal help remember
    wenn falls ob nicht nie vielleicht konnte sollte wurde du er sie wir ihr gestern morgen hat hast war waren oder
    si ne pas jamais peut-etre pourrait devrait tu il elle nous vous ils demain hier ou
    """.split()  # noqa: SIM905
) - {"vous"}
"""Words of questions, conditions, doubts, of the past and of other people: a sentence with one of them orders nothing."""
SPOKEN = frozenset(
    {"plays", "passes", "summons", "takes", "leads", "moves", "puts", "places", "swaps", "will", "spielt", "joue"}
)
"""Verbs that say what somebody else does, where a subject stands before them."""
THEIRS = frozenset({"plays", "passes", "leads", "spielt"})
"""Those of them that nobody says of himself."""
LATER = frozenset({"turn", "time", "round", "week", "game"})
"""Words behind `next` that speak of later."""
SELF = frozenset({"i", "ich", "je", "i'll"})
TAKEN_BACK = re.compile(
    r"\b(?:wait|scratch|forget|nevermind|kidding|joking|let me (?:think|see|check))\b", re.IGNORECASE
)
"""Words that take back what stands before them."""
CONDITIONS = frozenset({
    "if", "when", "unless", "whether", "or", "should", "could", "might", "maybe", "perhaps", "you", "you'll", "your",
    "not", "never", "won't", "wont", "don't", "dont", "can't", "cant", "nicht", "nie", "say", "tell", "ask", "said", "told", "draft", "cancel", "he", "she", "they", "until", "till", "because", "wenn", "falls", "oder", "si", "ou", "quand",
})  # fmt: skip
"""Words with which a sentence that passes does not pass surely."""

PLACING = frozenset(
    "in at on from to into onto towards with im ins nach aus von vom zu zum mit dans en au aux vers depuis avec chez".split()  # noqa: SIM905
)
"""Words behind which a name belongs."""
ARTICLES = frozenset("a an the my this that each der die das dem den ein eine einen le la les l' un une mon ma".split())  # noqa: SIM905
"""Words that may stand between one of them and the name."""
SET_PHRASES = frozenset(
    """
    advance pleasure regards greetings love kindness best mind fact case there once last time moment haste order general total
    short return response reply answer respect luck everyone everybody all me myself you mir gruss grussen voraus avance plaisir
    hand hands board map favour favor phone iphone ipad mobile behalf monday tuesday wednesday thursday friday saturday sunday
    """.split()  # noqa: SIM905
)
"""Words that stand behind a preposition and name nothing of a game: `in advance`, `on my phone`."""
WANTING = frozenset({"want", "like", "going", "wish", "need", "have", "prefer", "try", "love", "plan", "decided", "decide"})  # fmt: skip
"""Words behind which `to` begins a verb."""
LIKE_CONNECTING = 0.8
"""How like a connecting word another has to be to be one with a typing error."""

PASSING = re.compile(
    r"(?:(?:ok|okay|so|well|hm+|then|and|sorry|hi|hello|hey|dear all|yes|fine|alright|right)[\s,]+)*"
    r"(?:(?:(?:i|ich|je|i'll|ill|i'd|i'm|im|id|let me|my (?:turn|move|answer)(?: is)?|mein zug|mon tour)\s+)"
    r"(?:(?:will|shall|would|like|want|to|have|must|just|only|simply|rather|going|gonna|am|wanna|"
    r"mochte|moechte|muss|vais|dois|veux|this|time)\s+)*)?"
    r"(?:play\s+)?(?:a\s+)?(?:pass+|passe|passen|passing|passer)"
    r"(?:\s+(?:this|the|my|for|turn|time|round|one|now|again|today|then|here|please|pls|thanks|thank you|too|once more|"
    r"diesmal|bitte|danke|cette|fois|merci|ce|tour|diese|runde|it is))*"
)
"""A clause that passes clearly, without accents."""
SLIP = re.compile(r"\s*(?=pa*s)p[as]{2,4}[\s.!]*")
"""The one word, with its letters wrong: `pss`, `psas`; but two of them are a postscript."""
PASS = "pass"  # noqa: S105 - the word for taking no turn


_CONNECTING = tuple(sorted(FILLERS | SET_PHRASES))


@frozen
class Token:
    """A word, a number or a sign: in small letters without accents, as it was typed, and its columns from 0."""

    word: str
    typed: str
    start: int
    end: int

    @property
    def is_word(self) -> bool:
        """Whether it is made of letters."""
        return self.word[0].isalpha()


Sentence = tuple[Token, ...]


def tokens(text: str) -> Sentence:
    """The tokens of a text."""
    lines = "\n".join(map(plain, text.split("\n")))
    return tuple(Token(m[0].casefold(), m[0], *m.span()) for m in TOKEN.finditer(unaccented(lines)))


def sentences(text: str) -> list[Sentence]:
    """The sentences of a text, each with the signs at its end."""
    found: list[Sentence] = []
    said: list[Token] = []
    for token in tokens(text):
        if token.word == "." and said and said[-1].word in ABBREVIATED:
            continue
        said.append(token)
        if token.word in ENDS:
            _add(found, tuple(said))
            said = []
    _add(found, tuple(said))
    return found


def _add(found: list[Sentence], said: Sentence) -> None:
    """Add a sentence to others; what holds signs only belongs to the last of them."""
    if found and not any(token.is_word or token.word.isdecimal() for token in said):
        found[-1] = (*found[-1], *said)
    elif said:
        found.append(said)


def is_doubtful(said: Sentence, names: Collection[str]) -> bool:
    """Whether a sentence asks, doubts, denies, or speaks of other people or of the past; `names` are those of players."""
    words = [token.word for token in said if token.is_word]
    if any(token.word == "?" for token in said):
        return True
    for before, word, behind in zip(["", *words], words, [*words[1:], ""], strict=False):
        if word in DOUBTS and (word, behind) != ("you", "") and (before, word) != ("thank", "you"):
            return True
        if word in SPOKEN and before not in {"", *SELF} and (before in names or word in THEIRS):
            return True
        if word == "next" and behind in LATER:
            return True
        if word == "would" and behind not in {"like", "love"}:
            return True
    return False


def passes(text: str) -> bool:
    """Whether a text says clearly that its writer passes this turn, and says it once."""
    every = re.split(r"[.!\n]+", unaccented(plain(text.replace("\n", "!"))).casefold())
    found = [said for said in every if any(word.startswith(PASS) for word in WORD.findall(said))]
    if SLIP.fullmatch(unaccented(plain(text)).casefold()):
        return True
    words = WORD.findall(found[0]) if len(found) == 1 else []
    if "?" in text or sum(word.startswith(PASS) for word in words) != 1 or not CONDITIONS.isdisjoint(words):
        return False
    return any(PASSING.fullmatch(" ".join(clause.split())) for clause in re.split(r"[,;:()-]+", found[0]))


def is_taken_back(text: str) -> bool:
    """Whether a text takes back what it says."""
    return TAKEN_BACK.search(text) is not None


def without_history(text: str, names: Sequence[str]) -> tuple[str, int | None]:
    """A text without what history writes around a turn, and the seat that it names so; every column is kept.

    Args:
        text: what was typed, such as `16. Bob Pass #77b0e2`.
        names: the players in turn order.

    Returns:
        The text with spaces in place of number, name, hash and marks; the seat, None where nobody is named.
    """
    bare = HASH.sub(_blank, text)
    numbered = NUMBERED.match(bare)
    if numbered is None:
        return bare, None
    bare = _blank(numbered) + bare[numbered.end() :]
    for seat in sorted(range(len(names)), key=lambda seat: -len(names[seat])):
        written = r"\s+".join(map(re.escape, plain(names[seat]).split()))
        named = re.match(rf"\s*{written}(?!\w)", plain(bare), re.IGNORECASE)
        if named:
            return _blank(named) + bare[named.end() :], seat
    return bare, None


def is_out_of_place(said: Sentence, at: int) -> bool:
    """Whether a word that names nothing stands where a name belongs, so that it must not be passed over."""
    before = at - 1
    while before >= 0 and said[before].word in ARTICLES:
        before -= 1
    if before < 0 or said[before].word not in PLACING:
        return False
    wanted = said[before].word == "to" and before and said[before - 1].word in WANTING
    return not wanted and not is_connecting(said[at].word)


def is_connecting(word: str) -> bool:
    """Whether a word, or one that it is like, connects others or is polite."""
    return word in SET_PHRASES or word in FILLERS or bool(like(word, _CONNECTING, LIKE_CONNECTING))


def _blank(found: re.Match[str]) -> str:
    """Spaces in place of what was found."""
    return " " * len(found[0])


def like(word: str, names: Sequence[str], least: float = LIKE) -> str:
    """The one name that a word is most like, "" where none is like it or two are equally so."""
    return _like(word, tuple(names), least) if len(word) >= SHORTEST_LIKE else ""


@lru_cache(REMEMBERED)
def _like(word: str, names: tuple[str, ...], least: float) -> str:
    matcher, ratios = SequenceMatcher(b=word, autojunk=False), list[tuple[float, str]]()
    for name in names:
        matcher.set_seq1(name)
        if matcher.real_quick_ratio() >= least and matcher.quick_ratio() >= least and matcher.ratio() >= least:
            ratios.append((matcher.ratio(), name))
    ratios.sort(reverse=True)
    if not ratios or (len(ratios) > 1 and ratios[0][0] == ratios[1][0]):
        return ""
    return ratios[0][1]
