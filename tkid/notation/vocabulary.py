"""Names as people type them: whole, shortened or by code; never guessed when they are wrong."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import SequenceMatcher
from functools import lru_cache

from attrs import field, frozen

from tkid.kernel.problems import Fix, Kind, Problem, Scope

ALIKE, ALIKE_START = 0.6, 0.7
"""How like a name, or the start of one, a text has to be (0 to 1) to be taken for a typing error."""
REMEMBERED = 4096
"""So many comparisons of a word with names are remembered."""
AS_GOOD = 0.08
"""How much less like than the best another name may be and still be named beside it."""


MOST_NAMED = 12
"""So many names are listed that a name could be."""


@frozen
class Unknown:
    """A name that was not understood: what it could have meant, and whether it fits several names."""

    typed: str
    meant: tuple[str, ...]
    ambiguous: bool = False

    def message(self, kind: str, of: str = "") -> str:
        """What is wrong with the name of a region, a card and so on; `of` says where there is no such thing."""
        return f"`{self.typed}` fits several {kind}s" if self.ambiguous else f"`{self.typed}` is not a {kind}{of}"

    def problem(self, kind: str, rule: str, place: tuple[int, int], known: str, *, of: str = "") -> Problem:
        """The problem with this name.

        Args:
            kind: what it should be the name of: a region, a card and so on.
            rule: the id of the rule that it breaks.
            place: its column from 0, and its length.
            known: the hint where no name is like it.
            of: where there is no such thing.
        """
        (column, length), hint, message = place, self.hint() or known, self.message(kind, of)
        return Problem(Kind.NAME, rule, message, col=column + 1, length=length, hint=hint, fixes=self.fixes())

    def hint(self) -> str:
        """The way out in words."""
        if self.ambiguous:
            named, others = self.meant[:MOST_NAMED], len(self.meant) - MOST_NAMED
            more = (f"one of {others} others",) if others > 1 else self.meant[MOST_NAMED:]
            return f"It could be {listed((*named, *more))}. Write more of the name."
        if not self.meant:
            return ""
        other = " What you wrote has other letters, which only look the same." if self._looks_the_same() else ""
        return f"Did you mean {listed(self.meant)}?{other}"

    def _looks_the_same(self) -> bool:
        """Whether what was typed looks like a name that it may mean, with letters of another alphabet."""
        if self.typed.isascii():
            return False
        from tkid.notation.lookalikes import look_alike  # noqa: PLC0415 - few names are typed so

        return any(look_alike(self.typed, name) for name in self.meant)

    def fixes(self) -> tuple[Fix, ...]:
        """The way out as data: the names that may stand in place of this one."""
        return tuple(Fix(name, Scope.PLACE) for name in self.meant)


def with_article(noun: str) -> str:
    """A noun, or what stands before one, behind its article: `a Welsh`, `an English`."""
    return f"{'an' if noun[0] in 'AEIOU' else 'a'} {noun}"


def listed(names: Iterable[str], last: str = "or") -> str:
    """Names as a list in words: `Moray, Devon or Essex`."""
    *rest, final = names
    return f"{', '.join(rest)} {last} {final}" if rest else final


@frozen
class Vocabulary:
    """Names and what they stand for, keyed by the printed name; `codes` are other names that fit exactly."""

    names: Mapping[str, object]
    codes: Mapping[str, str]
    _exact: Mapping[str, str] = field(init=False)

    @_exact.default
    def _(self) -> Mapping[str, str]:
        own = {name.casefold(): name for name in self.names}
        return {code.casefold(): name for code, name in self.codes.items()} | own

    def fits(self, typed: str) -> tuple[str, ...]:
        """The printed names that what was typed fits: whole, by code, or by any start of one or of its words."""
        words = typed.casefold().split()
        exact = self._exact.get(" ".join(words))
        return (exact,) if exact else tuple(name for name in self.names if _starts(name.casefold().split(), words))

    def find(self, typed: str) -> str | Unknown:
        """The one printed name that was typed."""
        if typed in self.names:
            return typed
        fits = self.fits(typed)
        if len(fits) == 1:
            return fits[0]
        return Unknown(typed, fits, ambiguous=True) if fits else Unknown(typed, self._alike(typed))

    def _alike(self, typed: str) -> tuple[str, ...]:
        """The names that may have been meant: those most like what was typed, whole or by their start."""
        text = " ".join(typed.casefold().split())
        if not text:
            return ()
        starts = {name[: len(text)].casefold(): name for name in self.names}
        whole = _ratios(text, self._exact, ALIKE)
        begun = {} if whole else _ratios(text, starts, ALIKE_START)
        ratios = {self._exact[name]: ratio for name, ratio in whole.items()}
        ratios = ratios or {starts[start]: ratio for start, ratio in begun.items()}
        best = max(ratios.values(), default=0.0)
        return tuple(name for name, ratio in ratios.items() if ratio > best - AS_GOOD)


def _ratios(typed: str, names: Iterable[str], least: float) -> dict[str, float]:
    """How like a text each name is, for those that are alike enough. Bounds come first: a text may be long."""
    near = tuple(name for name in names if 2 * min(len(name), len(typed)) >= least * (len(name) + len(typed)))
    return dict(_alike(typed, near, least)) if near else {}


@lru_cache(REMEMBERED)
def _alike(typed: str, names: tuple[str, ...], least: float) -> tuple[tuple[str, float], ...]:
    """The names that are like a text, and how like; the words of mails come again and again."""
    matcher, ratios = SequenceMatcher(b=typed), []
    for name in names:
        matcher.set_seq1(name)
        if matcher.quick_ratio() >= least and (ratio := matcher.ratio()) >= least:
            ratios.append((name, ratio))
    return tuple(ratios)


def _starts(name: list[str], typed: list[str]) -> bool:
    return bool(typed) and len(typed) <= len(name) and all(map(str.startswith, name, typed))
