"""Find names and players as people type them, and tell which names look alike or become links.

The table has the letters that look the same in most fonts, from the scripts that Latin letters are mixed up with; other
forms of one letter (full width, bold, ligatures) are folded by Unicode's own normalization (NFKC).

Mail programs know the top-level domains, so whether `Ann.Lee` becomes a link depends on its last part. `ENDINGS` has those of
all countries, the common ones and those of examples. Text with a space after the dot never becomes a link.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from pathlib import Path
from typing import Literal
from unicodedata import normalize

from attrs import field, frozen

from tkid.kernel.problems import Fix, Kind, Problem, Scope
from tkid.kernel.values import derive
from tkid.notation.text import fold_name, make_plain

ALIKE, ALIKE_START = 0.6, 0.7
"""How like a name, or the start of one, a text has to be (0 to 1) to be taken for a typing error."""
MAX_REMEMBERED = 1 << 14
MAX_LIKENESS_GAP = 0.08
"""Maximum distance in likeness from the best name at which another is named beside it."""
MAX_NAMED = 12
"""Maximum number of names listed as possible meanings."""


@frozen
class Unknown:
    """A name that was not understood: its possible meanings, and whether it fits several names."""

    typed: str
    meant: tuple[str, ...]
    ambiguous: bool = False

    def describe_fault(self, kind: str, of: str = "") -> str:
        """Return the fault of the name of a region, a card and so on; `of` says where there is no such thing."""
        return f"`{self.typed}` fits several {kind}s" if self.ambiguous else f"`{self.typed}` is not a {kind}{of}"

    def make_problem(self, kind: str, rule: str, place: tuple[int, int], known: str, *, of: str = "") -> Problem:
        """Report this name at a place as no `kind` (`of` something), by a rule, with the hint `known` if no name is like it."""
        (column, length), hint, message = place, self.make_hint() or known, self.describe_fault(kind, of)
        return Problem(Kind.NAME, rule, message, col=column + 1, length=length, hint=hint, fixes=self.list_fixes())

    def make_hint(self) -> str:
        if self.ambiguous:
            named, others = self.meant[:MAX_NAMED], len(self.meant) - MAX_NAMED
            more = (f"one of {others} others",) if others > 1 else self.meant[MAX_NAMED:]
            return f"It could be {list_names((*named, *more))}. Write more of the name."
        if not self.meant:
            return ""
        is_alike = not self.typed.isascii() and any(look_alike(self.typed, name) for name in self.meant)
        other = " What you wrote has other letters, which only look the same." if is_alike else ""
        return f"Did you mean {list_names(self.meant)}?{other}"

    def list_fixes(self) -> tuple[Fix, ...]:
        return tuple(Fix(name, Scope.PLACE) for name in self.meant)


def add_article(noun: str) -> str:
    """Return a noun, or an adjective before one, behind its article: `a Welsh`, `an English`."""
    return f"{'an' if noun[0] in 'AEIOU' else 'a'} {noun}"


def list_names(names: Iterable[str], last: str = "or") -> str:
    """Return names as a list in words: `Moray, Devon or Essex`."""
    *rest, final = names
    return f"{', '.join(rest)} {last} {final}" if rest else final


@frozen
class Vocabulary:
    """Names and their values, keyed by the printed name; `codes` are other names that fit exactly."""

    names: Mapping[str, object]
    codes: Mapping[str, str]
    _exact: Mapping[str, str] = field(init=False)

    @_exact.default
    def _(self) -> Mapping[str, str]:
        own = {name.casefold(): name for name in self.names}
        return {code.casefold(): name for code, name in self.codes.items()} | own

    def find_fits(self, typed: str) -> tuple[str, ...]:
        """Return the printed names that a text fits: whole, by code, or by any start of one or of its words."""
        words = typed.casefold().split()
        exact = self._exact.get(" ".join(words))
        return (exact,) if exact else tuple(name for name in self.names if _is_start(name.casefold().split(), words))

    def find(self, typed: str) -> str | Unknown:
        """Return the one printed name that was typed."""
        if typed in self.names:
            return typed
        fits = self.find_fits(typed)
        if len(fits) == 1:
            return fits[0]
        last = typed.casefold()
        shared = fits or tuple(name for name in self.names if last in name.casefold().split()[1:])
        return Unknown(typed, shared, ambiguous=len(shared) > 1) if shared else Unknown(typed, self._find_alike(typed))

    def _find_alike(self, typed: str) -> tuple[str, ...]:
        """Return the names that may have been meant: those most like the text, whole or by their start."""
        text = " ".join(typed.casefold().split())
        if not text:
            return ()
        starts = {name[: len(text)].casefold(): name for name in self.names}
        whole = _measure_likeness(text, self._exact, ALIKE)
        begun = {} if whole else _measure_likeness(text, starts, ALIKE_START)
        ratios = {self._exact[name]: ratio for name, ratio in whole.items()}
        ratios = ratios or {starts[start]: ratio for start, ratio in begun.items()}
        best = max(ratios.values(), default=0.0)
        return tuple(name for name, ratio in ratios.items() if ratio > best - MAX_LIKENESS_GAP)


def _measure_likeness(typed: str, names: Iterable[str], least: float) -> dict[str, float]:
    """Return the likeness of each name to a text, for those that are alike enough. Bounds come first: a text may be long."""
    near = tuple(name for name in names if 2 * min(len(name), len(typed)) >= least * (len(name) + len(typed)))
    return dict(rank_alike(typed, near, least)) if near else {}


@lru_cache(MAX_REMEMBERED)
def rank_alike(typed: str, names: tuple[str, ...], least: float) -> tuple[tuple[str, float], ...]:
    """Return the names that are like a text, and their likeness; the words of mails come again and again."""
    matcher, ratios = SequenceMatcher(b=typed), []
    for name in names:
        matcher.set_seq1(name)
        bounds = (matcher.real_quick_ratio, matcher.quick_ratio, matcher.ratio)
        if all(measure() >= least for measure in bounds):
            ratios.append((name, matcher.ratio()))
    return tuple(ratios)


def _is_start(name: list[str], typed: list[str]) -> bool:
    return bool(typed) and len(typed) <= len(name) and all(map(str.startswith, name, typed))


Who = int | Literal["anyone", "everyone"]
"""A seat, any other player, or all of them."""
ANYONE: Literal["anyone"] = "anyone"
EVERYONE: Literal["everyone"] = "everyone"
MASK = "\ue000"
"""Stands for each character of a name while a line is taken apart."""
ANY_WORDS = frozenset({
    "anyone", "anybody", "someone", "somebody", "anyone else", "anybody else", "someone else", "somebody else",
    "any player", "any other player", "another player",
})  # fmt: skip
EVERY_WORDS = frozenset({
    "everyone", "everybody", "everyone else", "everybody else", "all", "all others", "all players", "every player",
    "all other players", "every other player",
})  # fmt: skip
SELF: frozenset[str] = frozenset({"i", "me", "myself"})
"""Who writes, in their own words."""
ORDER_WORDS = frozenset({
    "agree", "ask", "away", "board", "cancel", "draft", "help", "history", "if", "legal", "moves", "notify", "pause", "position", "press",
    "resign", "rule", "rules", "say", "status", "tell", "time", "timezone", "undo", "why",
})  # fmt: skip
"""The first words of orders in every game. They stand here too, so that a game begins without the table of orders."""
EVERYBODY = frozenset({"all", "everyone", "everybody"})
"""Addressee of words that is no player."""
RESERVED = frozenset({
    "if", "then", "else", "otherwise", "and", "or", "is", "was", "has", "becomes", "gets", "goes", "went", "falls", "fell",
    "turns", "to", "pass", "passes", "passed", "passing", "play", "plays", "played", "act", "acts", "acted", "takes", "stop",
    "ask", "until", "till", "anyone", "anybody", "someone", "somebody", "everyone", "everybody", "any", "every", "all", "no",
    "not", "nobody", *SELF,
})  # fmt: skip
"""Words that mean something in a condition. A player whose name holds one is written by number there."""
NUMBER = re.compile(r"(?:(?:seat|player)\s*)?#?\s*([0-9]{1,2})", re.IGNORECASE)


def simplify_name(text: str) -> str:
    """Return a name for comparing: plain characters, small letters, single spaces."""
    return " ".join(fold_name(make_plain(text)).split())


@frozen
class People:
    """The players of a game, by name in turn order; `reserved` are words that mean something in a condition."""

    names: tuple[str, ...]
    reserved: frozenset[str] = RESERVED
    _seats: dict[str, int] = derive(lambda self: {simplify_name(name): seat for seat, name in enumerate(self.names)})
    _pattern: re.Pattern[str] | None = field(init=False)

    @_pattern.default
    def _(self) -> re.Pattern[str] | None:
        names = sorted((name for name in self.names if not self.is_reserved(name)), key=len, reverse=True)
        plain = map(make_plain, names)
        forms = dict.fromkeys(form for name in plain for form in (name, normalize("NFC", name), normalize("NFD", name)))
        written = (r"\s+".join(map(re.escape, name.split())) for name in forms)
        either = "|".join(f"(?:{name})" for name in written if name)
        return re.compile(rf"(?<!\w)(?:{either})(?![\w\u0300-\u036f])", re.IGNORECASE) if either else None

    def mask_names(self, text: str) -> str:
        """Return a plain text in which every name is a single word of the same width; the longest name that fits."""
        return self._pattern.sub(lambda name: MASK * len(name[0]), text) if self._pattern else text

    def find_seat(self, typed: str) -> int | None:
        seat = self._seats.get(simplify_name(typed))
        if seat is not None:
            return seat
        number = NUMBER.fullmatch(make_plain(typed).strip())
        return int(number[1]) - 1 if number and 0 < int(number[1]) <= len(self.names) else None

    def find_who(self, typed: str) -> Who | None:
        text = simplify_name(typed)
        if text in ANY_WORDS:
            return ANYONE
        return EVERYONE if text in EVERY_WORDS else self.find_seat(typed)

    def write_player(self, who: Who) -> str:
        """Return a player as an order names one: a name that cannot be misread, else the number of the seat."""
        if isinstance(who, str):
            return who
        name = self.names[who]
        return str(who + 1) if self.is_reserved(name) or self.find_who(name) != who else name

    def is_reserved(self, name: str) -> bool:
        """Return True if a name holds a word that means something in a condition, or nothing that could be read at all."""
        words = simplify_name(name).split()
        return not words or any(word.strip(".,'\"!?()") in self.reserved for word in words)

    def make_hint(self, typed: str) -> str:
        name = Vocabulary(dict.fromkeys(self.names), {}).find(make_plain(typed))
        if isinstance(name, str):
            return f"Did you mean {name}?"
        known = list_names(f"{name} ({seat})" for seat, name in enumerate(self.names, 1))
        return name.make_hint() or f"The players are {known}. Write a name or a number."


def find_people(names: Sequence[str], reserved: Iterable[str] = ()) -> People:
    return People(tuple(names), RESERVED.union(reserved))


LATIN = {
    "АВЕЅІЈКМНОРСТУҮХԚԜҒ": "ABESIJKMHOPCTYYXQWF",  # Cyrillic
    "аеёіїјѕорсухһԁԛԝѵмтк": "aeëiïjsopcyxhdqwvmtk",
    "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ": "ABEZHIKMNOPTYX",  # Greek
    "αγικνορυχ": "ayiknopux",
    "ՍՏՕցհոսօյզ": "USOghnuojq",  # Armenian
    "ᎠᎡᎢᎥᎩᎪᎫᎬᎳᎷᎻᎽᏀᏃᏙᏚᏞᏟᏢᏦ": "DRTiYAJEWMHYGZVSLCPK",  # Cherokee
    "ıɑɡⅼӏǀӀ": "iagllll",
}
LETTERS = str.maketrans(
    {other: latin for others, letters in LATIN.items() for other, latin in zip(others, letters, strict=True)}
)
STROKES = str.maketrans({"I": "l", "1": "l", "|": "l", "0": "O"})
"""Letters and digits of one script that look the same."""
INVISIBLE = frozenset("\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5ʼ") | set(map(chr, range(0xFE00, 0xFE10)))
"""Characters that show nothing, or next to nothing, although Unicode counts them as letters or marks."""
IGNORED_KINDS = ("P", "Sk", "C")
"""Kinds of characters that do not tell two names apart: punctuation, accents that stand alone, controls."""


def reduce_to_letters(name: str) -> str:
    """Return a name in small Latin letters, where it has letters that look like these, without invisible characters."""
    return _keep_visible(name).translate(LETTERS).casefold()


def look_alike(one: str, other: str) -> bool:
    """Return True if people take one name for the other."""
    return reduce_to_letters(one) == reduce_to_letters(other) or _reduce_strokes(one) == _reduce_strokes(other)


def _reduce_strokes(name: str) -> str:
    """Return a name with one character for those that are drawn alike; capitals count, as `Ian` looks like `lan`."""
    return _keep_visible(name).translate(LETTERS).translate(STROKES)


def _keep_visible(name: str) -> str:
    """Return the characters of a name that tell it from another; all of it if none would be left."""
    whole = unicodedata.normalize("NFKC", make_plain(name))
    seen = "".join(c for c in whole if c not in INVISIBLE and not unicodedata.category(c).startswith(IGNORED_KINDS))
    return " ".join(seen.split()) or whole


ENDINGS = frozenset(Path(__file__).with_name("domains.txt").read_text("utf-8").split())
"""The top-level domains, in small letters."""
DOTS = str.maketrans(dict.fromkeys("。．｡․﹒‧∙⋅ꓸ۔", "."))
"""Characters that browsers and mail programs read as the dot of a domain, or that look like it."""
SCHEME = re.compile(r"[a-z][a-z0-9+.-]*://\S*|\b(?:mailto|tel|sms):\S+|\bwww\d?\.\w\S*", re.IGNORECASE)
DOMAIN = re.compile(r"[\w-](?:[\w-]*\.)+(?P<ending>[^\W_][\w-]*)(?![\w-])")
"""Words with dots between them, as in a domain."""


def find_link(text: str) -> str:
    """Return the part of a text that a mail program turns into a link, or ""."""
    seen = "".join(c for c in text.translate(DOTS) if unicodedata.category(c) != "Cf")
    plain = unicodedata.normalize("NFKC", seen).translate(LETTERS)
    for each in (unicodedata.normalize("NFKC", seen), plain):
        if (found := SCHEME.search(each)) is not None:
            return found[0]
        for domain in DOMAIN.finditer(each):
            ending = domain["ending"].casefold()
            if ending in ENDINGS or ending.startswith("xn--"):
                return domain[0]
    return ""
