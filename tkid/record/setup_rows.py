"""Reading the set-up of a record, line by line."""

from __future__ import annotations

import re
from typing import Any

from tkid.games.struggle.board import Followers
from tkid.games.struggle.game import Struggle
from tkid.games.struggle.setup import Deal
from tkid.games.struggle.views import HIDDEN
from tkid.kernel.problems import Kind, Problem
from tkid.notation.text import plain
from tkid.notation.turns import TurnReader
from tkid.notation.vocabulary import Unknown, Vocabulary, listed
from tkid.record.model import BEFORE_TURNS, Comments

COUNT = re.compile(r"(\d+)\s*([^\W\d_]+)")


class _RowError(Exception):
    """A line of the set-up was not understood; carries kind, rule, message and hint."""

    def __init__(self, message: str, hint: str = "", rule: str = "record.setup.row", kind: Kind = Kind.SYNTAX) -> None:
        super().__init__(message)
        self.message, self.hint, self.rule, self.kind = message, hint, rule, kind


class SetupReader:
    """Reads the lines of a set-up into a deal, keeping the comments before each line by its label."""

    def __init__(self, game: Struggle, names: tuple[str, ...], lines: list[str]) -> None:
        self.game, self.names, self.lines = game, names, lines
        self.problems: list[Problem] = []
        self.comments: dict[str, Comments] = {}
        self.rows: dict[str, tuple[int, Any]] = {}
        reader = TurnReader(game)
        self.regions, self.cards = reader.regions, Vocabulary(game.cards, {HIDDEN: HIDDEN})
        self.letters = [faction.letter for faction in game.board.factions]

    def read(self, lines: list[tuple[int, str]], comments: list[str]) -> Deal | None:
        """The deal; None where it is not complete or not as the rules ask."""
        waiting = list(comments)
        for number, line in lines:
            if line.startswith("# ") or line.rstrip() == "#":
                waiting.append(line.rstrip())
                continue
            try:
                label, value = self._row(plain(line).strip())
            except _RowError as wrong:
                self._problem(wrong.kind, wrong.rule, wrong.message, number, wrong.hint)
                continue
            if label in self.rows:
                self._problem(Kind.SYNTAX, "record.setup.twice", f"{label} is described a second time", number)
                continue
            self.rows[label] = (number, value)
            self.comments[label] = tuple(waiting)
            waiting = []
        self.comments[BEFORE_TURNS] = tuple(waiting)
        return self._deal(lines[0][0] if lines else len(self.lines))

    def _problem(self, kind: Kind, rule: str, message: str, line: int, hint: str = "") -> None:
        length = len(self.lines[line - 1].strip()) if 0 < line <= len(self.lines) else 1
        self.problems.append(Problem(kind, rule, message, line, 1, max(1, length), hint))

    # -- one line -----------------------------------------------------------------------------------------

    def _row(self, line: str) -> tuple[str, Any]:
        """Label and value of a line."""
        word, _, rest = line.partition(" ")
        match word.casefold():
            case "supply":
                return "Supply", self._followers(rest)
            case "track":
                return "Track", self._track(rest)
            case "first":
                return "First", self._player(rest)[0]
            case "court":
                seat, value = self._player(rest)
                return f"Court {self.names[seat]}", self._followers(value)
            case "hand":
                seat, value = self._player(rest)
                return f"Hand {self.names[seat]}", self._hand(value)
        name, _, followers = line.rpartition(" ")
        return self._region(name or line), self._followers(followers if name else "")

    def _region(self, typed: str) -> str:
        found = self.regions.find(typed)
        if isinstance(found, Unknown):
            hint = found.hint() or f"The regions are {listed(self.regions.names, 'and')}."
            raise _RowError(f"`{typed.strip()}` is no region", hint, "notation.region", Kind.NAME)
        return found

    def _player(self, rest: str) -> tuple[int, str]:
        rest = rest.strip()
        for name, seat in sorted(((n, i) for i, n in enumerate(self.names)), key=lambda pair: -len(pair[0])):
            if rest.casefold().startswith(name.casefold()) and not rest[len(name) : len(name) + 1].strip():
                return seat, rest[len(name) :].strip()
        raise _RowError(f"`{rest}` names no player", f"At the table are {listed(self.names, 'and')}.", kind=Kind.NAME)

    def _followers(self, text: str) -> Followers:
        text = text.strip().upper()
        counts = dict.fromkeys(self.letters, 0)
        pairs = [(int(n), word) for n, word in COUNT.findall(text)] or [(1, "".join(text.split()))]
        if text and text != "-":
            for number, word in pairs:
                for letter in word:
                    if letter not in counts:
                        known = ", ".join(f"{f.letter} {f.name}" for f in self.game.board.factions)
                        told = f"`{text}` is no group of followers: {letter} is no faction's letter"
                        raise _RowError(told, f"The letters are {known}.", "notation.faction", Kind.NAME)
                    counts[letter] += number
        elif not text:
            raise _RowError("The followers are missing", "Write their letters, or `-` for none.")
        return tuple(counts.values())

    def _track(self, text: str) -> tuple[int, ...]:
        names = [self._region(part) for part in text.split(",")]
        every = list(self.regions.names)
        twice = [name for name in every if names.count(name) > 1]
        missing = [name for name in every if name not in names]
        if twice or missing:
            told = " and ".join(
                [f"{listed(twice, 'and')} more than once"] * bool(twice) + [f"no {listed(missing)}"] * bool(missing)
            )
            raise _RowError(f"The track has {told}", rule=self.game.ids("setup.track"), kind=Kind.ILLEGAL)
        return tuple(every.index(name) for name in names)

    def _hand(self, text: str) -> tuple[str, ...]:
        found = [self.cards.find(part) for part in text.split(",")] if text.strip(" -") else []
        for name in found:
            if isinstance(name, Unknown):
                raise _RowError(f"`{name.typed.strip()}` is no card", name.hint(), "notation.card", Kind.NAME)
        return tuple(str(name) for name in found)

    # -- together -----------------------------------------------------------------------------------------

    def _deal(self, line: int) -> Deal | None:
        labels = [region.name for region in self.game.board.regions] + ["Supply", "Track", "First"]
        labels += [f"Court {name}" for name in self.names]
        missing = [label for label in labels if label not in self.rows]
        if missing:
            if not self.problems:
                told = f"The set-up says nothing of {listed(missing, 'and')}"
                self._problem(Kind.SYNTAX, "record.setup.missing", told, line)
            return None
        value = {label: found for label, (_, found) in self.rows.items()}
        deal = Deal(
            regions=tuple(value[region.name] for region in self.game.board.regions),
            supply=value["Supply"],
            courts=tuple(value[f"Court {name}"] for name in self.names),
            hands=tuple(value.get(f"Hand {name}", self.game.hand) for name in self.names),
            track=value["Track"],
            first=value["First"],
        )
        for fault in self.game.faults(deal):
            what, _, seat = fault.part.rpartition(" ")
            label = f"{what} {self.names[int(seat)]}" if seat.isdigit() else fault.part
            self._problem(Kind.ILLEGAL, fault.rule, fault.sentence, self.rows[label][0], fault.hint)
        return None if self.problems else deal
