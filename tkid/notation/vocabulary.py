"""Names as people type them: whole, shortened or by code; never guessed when they are wrong."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches

from attrs import field, frozen


@frozen
class Unknown:
    """A name that was not understood: what it could have meant, and whether it fits several names."""

    typed: str
    meant: tuple[str, ...]
    ambiguous: bool = False

    def hint(self) -> str:
        """The way out in words."""
        if self.ambiguous:
            return f"It could be {listed(self.meant)}: write more of the name."
        return f"Did you mean {listed(self.meant)}?" if self.meant else ""


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

    def find(self, typed: str) -> str | Unknown:
        """The printed name that was typed: whole, by code, or by any unambiguous start of it or of its words."""
        words = typed.casefold().split()
        exact = self._exact.get(" ".join(words))
        if exact:
            return exact
        fits = [name for name in self.names if _starts(name.casefold().split(), words)]
        if len(fits) == 1:
            return fits[0]
        return Unknown(typed, tuple(fits), ambiguous=True) if fits else Unknown(typed, self._alike(typed))

    def _alike(self, typed: str) -> tuple[str, ...]:
        close = get_close_matches(typed.casefold(), self._exact, n=2, cutoff=0.6)
        starts = {name[: len(typed)].casefold(): name for name in self.names}
        close_starts = [starts[start] for start in get_close_matches(typed.casefold(), starts, n=2, cutoff=0.7)]
        found = [self._exact[name] for name in close] or close_starts
        return tuple(dict.fromkeys(found))


def _starts(name: list[str], typed: list[str]) -> bool:
    return bool(typed) and len(typed) <= len(name) and all(map(str.startswith, name, typed))
