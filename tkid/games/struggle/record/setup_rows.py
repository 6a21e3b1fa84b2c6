"""Reading the set-up of a record, line by line."""

from __future__ import annotations

import re
from typing import Any

from tkid.games.struggle.notation.turn_reader import TurnReader
from tkid.games.struggle.rules.board import Followers
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.position import HIDDEN
from tkid.games.struggle.rules.setup import Deal
from tkid.kernel.problems import Kind, Problem
from tkid.notation.text import plain
from tkid.notation.vocabulary import Unknown, Vocabulary, listed
from tkid.record.format.setup_rows import RowError, Rows

COUNT = re.compile(r"(\d*)\s*([^\W\d_]+)\s*")
LABELS = ("Supply", "Court", "Hand", "Track", "First")
NEEDED = "A line is needed for every region, the supply, every court, the track, and who is first."


def read_hand(game: Struggle, text: str) -> tuple[tuple[str, ...], list[Problem]]:
    """The cards of a hand that stands alone, as on a `Hand` line; () with the problems where one is not understood."""
    reader = SetupReader(game, (), [text])
    try:
        return reader.hand(plain(text)), []
    except RowError as wrong:
        reader.report(wrong, 1)
        return (), reader.problems


class SetupReader(Rows):
    """Reads the lines of a set-up into a deal."""

    def __init__(self, game: Struggle, names: tuple[str, ...], lines: list[str]) -> None:
        super().__init__(names, lines)
        self.game = game
        reader = TurnReader(game)
        self.regions, self.cards = reader.regions, Vocabulary(game.cards, {HIDDEN: HIDDEN})
        self.letters = [faction.letter for faction in game.board.factions]

    def read(self, lines: list[tuple[int, str]], comments: list[str], at: int) -> Deal | None:
        """The deal; None where it is not complete or not as the rules ask. `at` is the line `Setup`."""
        self.take(lines, comments)
        return self._deal(at)

    # -- one line -----------------------------------------------------------------------------------------

    def row(self, line: str) -> tuple[str, Any]:
        """Label and value of a line."""
        word, _, rest = line.partition(" ")
        match word.casefold():
            case "supply":
                return "Supply", self._followers(rest)
            case "track":
                return "Track", self._track(rest)
            case "first":
                return "First", self.player(rest, alone=True)[0]
            case "court":
                seat, value = self.player(rest)
                return f"Court {self.names[seat]}", self._followers(value)
            case "hand":
                seat, value = self.player(rest)
                return f"Hand {self.names[seat]}", self.hand(value)
        ends = [match.end() for match in re.finditer(r"\S+", line)]
        for end in reversed(ends[: max(len(name.split()) for name in self.regions.names)]):
            name = self.regions.find(line[:end])
            if isinstance(name, str):
                return name, self._followers(line[end:])
        raise self._no_label(line[: ends[0]])

    def _no_label(self, word: str) -> RowError:
        """The first word of a line says of nothing in a set-up what it is."""
        found = Vocabulary({**self.regions.names, **dict.fromkeys(LABELS)}, self.regions.codes).find(word)
        meant = (found,) if isinstance(found, str) else found.meant
        if meant and not set(meant) & set(LABELS):
            return self._no_region(word)
        hint = f"Did you mean {listed(meant)}?" if meant else f"It is a region, {listed(LABELS)}."
        return RowError(f"`{word}` is nothing that a set-up describes", hint, word, kind=Kind.NAME)

    def _region(self, typed: str) -> str:
        found = self.regions.find(typed)
        if isinstance(found, str):
            return found
        raise self._no_region(typed.strip())

    def _no_region(self, typed: str) -> RowError:
        found = self.regions.find(typed)
        assert isinstance(found, Unknown)
        hint = found.hint() or f"The regions are {listed(self.regions.names, 'and')}."
        told = f"`{typed}` fits several regions" if found.ambiguous else f"`{typed}` is no region"
        told = told if typed else "A region is missing"
        return RowError(told, hint, typed, "notation.region", Kind.NAME)

    def _followers(self, typed: str) -> Followers:
        """Followers as letters run together, as counts with letters, or `-`."""
        typed = typed.strip()
        counts = dict.fromkeys(self.letters, 0)
        if not typed:
            raise RowError("The followers are missing", "They are written as letters, or `-` for none.")
        if COUNT.sub("", typed) not in {"", "-"}:
            hint = "They are letters, as in `SSW`, or counts, as in `4S 5W 3E`; `-` is none."
            raise RowError(f"`{typed}` is no group of followers", hint, typed, "notation.faction")
        for number, word in COUNT.findall(typed.upper()):
            for letter in word:
                if letter not in counts:
                    known = ", ".join(f"{f.letter} {f.name}" for f in self.game.board.factions)
                    told = f"`{typed}` is no group of followers: {letter} is no faction's letter"
                    raise RowError(told, f"The letters are {known}.", typed, "notation.faction", Kind.NAME)
                counts[letter] += int(number or 1)
        return tuple(counts.values())

    def _track(self, text: str) -> tuple[int, ...]:
        names = self.each(text.split(","), lambda part: [self._region(part)])
        every = list(self.regions.names)
        twice = [name for name in every if names.count(name) > 1]
        missing = [name for name in every if name not in names]
        if twice or missing:
            told = [f"{listed(twice, 'and')} more than once"] if twice else []
            told += [f"no {listed(missing)}"] if missing else []
            raise RowError(
                f"The track has {' and '.join(told)}",
                part=text.strip(),
                rule=self.game.ids("setup.track"),
                kind=Kind.ILLEGAL,
            )
        return tuple(every.index(name) for name in names)

    def hand(self, text: str) -> tuple[str, ...]:
        """The cards of a hand; a single `?` stands for all of them."""
        cards = tuple(self.each(text.split(","), lambda part: [self._card(part)]) if text.strip(" -") else ())
        return self.game.hands.unknown if cards == (HIDDEN,) else cards

    def _card(self, typed: str) -> str:
        found = self.cards.find(typed)
        if isinstance(found, str):
            return found
        typed = typed.strip()
        told = f"`{typed}` fits several cards" if found.ambiguous else f"`{typed}` is no card of this ruleset"
        told = told if typed else "A card is missing"
        raise RowError(told, found.hint(), typed, "notation.card", Kind.NAME)

    # -- together -----------------------------------------------------------------------------------------

    def _deal(self, line: int) -> Deal | None:
        labels = [region.name for region in self.game.board.regions] + ["Supply", "Track", "First"]
        labels += [f"Court {name}" for name in self.names]
        if not self.complete(labels, NEEDED, line):
            return None
        value = {label: found for label, (_, found) in self.rows.items()}
        deal = Deal(
            regions=tuple(value[region.name] for region in self.game.board.regions),
            supply=value["Supply"],
            courts=tuple(value[f"Court {name}"] for name in self.names),
            hands=tuple(value.get(f"Hand {name}", self.game.hands.unknown) for name in self.names),
            track=value["Track"],
            first=value["First"],
        )
        self.illegal(self.game.faults(deal))
        return None if self.problems else deal
