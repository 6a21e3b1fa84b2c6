"""Reading the set-up of a record, line by line."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from tkid.games.struggle.notation.turn_builder import Lexicon
from tkid.games.struggle.rules.board import Followers
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.position import HIDDEN
from tkid.games.struggle.rules.setup import Deal
from tkid.kernel.problems import Kind
from tkid.notation.vocabulary import Vocabulary, listed
from tkid.record.format.setup_rows import FIRST, RowError, Rows, unknown_name

COUNT = re.compile(r"(\d*)\s*([^\W\d_]+)\s*")
GAMES = 64
"""For so many games their words are remembered."""
GROUPS = 1 << 12
"""So many groups of followers are remembered as they were written."""


@lru_cache(GAMES)
def _words(game: Struggle) -> tuple[Vocabulary, Vocabulary]:
    """What the regions and the cards of a game are called: made once for all its records."""
    return Lexicon(game.board).regions, Vocabulary(game.cards, {HIDDEN: HIDDEN})


@lru_cache(GROUPS)
def _followers(game: Struggle, typed: str) -> Followers:
    """Followers as letters run together, as counts with letters, or `-`. Raises RowError."""
    counts = {faction.letter: 0 for faction in game.board.factions}
    if not typed:
        raise RowError("The followers are missing", "Write them as letters, or `-` for none.")
    if COUNT.sub("", typed) not in {"", "-"}:
        hint = "Write letters, such as `SSW`, or counts, such as `4S 5W 3E`. `-` is none."
        raise RowError(f"`{typed}` is not a group of followers", hint, typed, "notation.faction")
    for number, word in COUNT.findall(typed.upper()):
        for letter in word:
            if letter not in counts:
                known = ", ".join(f"{f.letter} {f.name}" for f in game.board.factions)
                message = f"`{typed}` is not a group of followers: {letter} is not a faction's letter"
                raise RowError(message, f"The letters are {known}.", typed, "notation.faction", Kind.NAME)
            counts[letter] += int(number or 1)
    return tuple(counts.values())


class SetupReader(Rows):
    """Reads the lines of a set-up into a deal."""

    needed = "Every region, the supply, every court, the track and the first player need a line."
    of_players = ("Court", "Hand")

    def __init__(self, game: Struggle, names: tuple[str, ...], lines: list[str]) -> None:
        super().__init__(game, names, lines)
        self.regions, self.cards = _words(game)

    @property
    def readers(self) -> Mapping[str, Callable[[str], Any]]:
        """What reads the rest of a line, by its label."""
        return {"Supply": self._followers, "Court": self._followers, "Hand": self._hand, "Track": self._track}

    def labels(self) -> Sequence[str]:
        """The labels of the lines without which there is no deal."""
        return [*self.regions.names, "Supply", "Track", FIRST, *(f"Court {name}" for name in self.names)]

    def deal(self, values: Mapping[str, Any]) -> Deal:
        """The deal of what the lines say by their labels."""
        return Deal(
            regions=tuple(values[region] for region in self.regions.names),
            supply=values["Supply"],
            courts=tuple(values[f"Court {name}"] for name in self.names),
            hands=tuple(values.get(f"Hand {name}", self.game.hands.unknown) for name in self.names),
            track=values["Track"],
            first=values[FIRST],
        )

    # -- one line -----------------------------------------------------------------------------------------

    def other_row(self, line: str) -> tuple[str, Any]:
        """A region and its followers. Raises RowError."""
        ends = [match.end() for match in re.finditer(r"\S+", line)]
        for end in reversed(ends[: max(len(name.split()) for name in self.regions.names)]):
            name = self.regions.find(line[:end])
            if isinstance(name, str):
                return name, self._followers(line[end:])
        raise self.no_label(line[: ends[0]], self.regions, "region")

    def _region(self, typed: str) -> str:
        found = self.regions.find(typed.strip())
        if isinstance(found, str):
            return found
        raise unknown_name(found, "region", self.regions)

    def _followers(self, typed: str) -> Followers:
        return _followers(self.game, typed.strip())

    def _track(self, text: str) -> tuple[int, ...]:
        names = self.each(text.split(","), lambda part: [self._region(part)])
        every = list(self.regions.names)
        twice = [name for name in every if names.count(name) > 1]
        missing = [name for name in every if name not in names]
        if twice or missing:
            faults = [f"{listed(twice, 'and')} more than once"] if twice else []
            faults += [f"no {listed(missing)}"] if missing else []
            raise RowError(
                f"The track has {' and '.join(faults)}",
                part=text.strip(),
                rule=self.game.ids("setup.track"),
                kind=Kind.ILLEGAL,
            )
        return tuple(every.index(name) for name in names)

    def _hand(self, text: str) -> tuple[str, ...]:
        """The cards of a hand; a single `?` stands for all of them."""
        cards = tuple(self.each(text.split(","), lambda part: [self._card(part)]) if text.strip(" -") else ())
        return self.game.hands.unknown if cards == (HIDDEN,) else cards

    def _card(self, typed: str) -> str:
        found = self.cards.find(typed.strip())
        if isinstance(found, str):
            return found
        raise unknown_name(found, "card", of=" of this ruleset")
