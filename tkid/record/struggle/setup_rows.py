"""Reading the set-up of a record, line by line."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from tkid.games.struggle.board import Followers
from tkid.games.struggle.game import Struggle
from tkid.games.struggle.position import HIDDEN
from tkid.games.struggle.setup import Deal
from tkid.kernel.problems import Kind, Problem
from tkid.notation.struggle.turns import TurnReader
from tkid.notation.text import plain
from tkid.notation.vocabulary import Unknown, Vocabulary, listed
from tkid.record.lines import is_comment
from tkid.record.model import BEFORE_TURNS, Comments, Place

COUNT = re.compile(r"(\d*)\s*([^\W\d_]+)\s*")
LABELS = ("Supply", "Court", "Hand", "Track", "First")


class _RowError(Exception):
    """A line of the set-up was not understood: message and hint, the words at fault, rule and kind."""

    def __init__(
        self, message: str, hint: str = "", part: str = "", rule: str = "record.setup.row", kind: Kind = Kind.SYNTAX
    ) -> None:
        super().__init__(message)
        self.message, self.hint, self.part, self.rule, self.kind = message, hint, part, rule, kind
        self.others: list[_RowError] = []
        """What else is not understood in the same line."""


def read_hand(game: Struggle, text: str) -> tuple[tuple[str, ...], list[Problem]]:
    """The cards of a hand that stands alone, as on a `Hand` line; () with the problems where one is not understood."""
    reader = SetupReader(game, (), [text])
    try:
        return reader.hand(plain(text)), []
    except _RowError as wrong:
        reader.report(wrong, 1)
        return (), reader.problems


class SetupReader:
    """Reads the lines of a set-up into a deal, keeping the comments before each line by its label."""

    def __init__(self, game: Struggle, names: tuple[str, ...], lines: list[str]) -> None:
        self.game, self.names, self.lines = game, names, lines
        self.problems: list[Problem] = []
        self.comments: dict[str, Comments] = {}
        self.rows: dict[str, tuple[int, Any]] = {}
        self.unread = 0
        reader = TurnReader(game)
        self.regions, self.cards = reader.regions, Vocabulary(game.cards, {HIDDEN: HIDDEN})
        self.letters = [faction.letter for faction in game.board.factions]

    def read(self, lines: list[tuple[int, str]], comments: list[str], at: int) -> Deal | None:
        """The deal; None where it is not complete or not as the rules ask. `at` is the line `Setup`."""
        waiting = list(comments)
        for number, line in lines:
            if is_comment(line):
                waiting.append(line.rstrip())
                continue
            try:
                label, value = self._row(plain(line).strip())
            except _RowError as wrong:
                self.unread += 1
                self.report(wrong, number)
                continue
            if label in self.rows:
                told, hint = f"{label} is described a second time", f"The first is in line {self.rows[label][0]}."
                self._problem(Kind.SYNTAX, "record.setup.twice", told, number, hint)
                continue
            self.rows[label] = (number, value)
            self.comments[label] = tuple(waiting)
            waiting = []
        self.comments[BEFORE_TURNS] = tuple(waiting)
        return self._deal(at)

    def report(self, wrong: _RowError, number: int) -> None:
        """Note what was not understood in a line."""
        for fault in (wrong, *wrong.others):
            self._problem(fault.kind, fault.rule, fault.message, number, fault.hint, fault.part)

    @property
    def places(self) -> dict[str, Place]:
        """Where each line that was understood stands, by its label."""
        return {label: self._place(number) for label, (number, _) in self.rows.items()}

    def _place(self, line: int, part: str = "") -> Place:
        """The place of a part of a line, the last if it stands there more than once; or of the whole line."""
        text = plain(self.lines[line - 1]).rstrip()
        at = text.rfind(part) if part else len(text) - len(text.lstrip())
        return Place(line, max(0, at) + 1, max(1, len(part or text.lstrip())))

    def _problem(  # noqa: PLR0917 - kind, rule and message, then where and the way out
        self, kind: Kind, rule: str, message: str, line: int, hint: str = "", part: str = ""
    ) -> None:
        """A problem with a part of a line, or with the whole line."""
        place = self._place(line, part)
        self.problems.append(Problem(kind, rule, message, line, place.col, place.length, hint))

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
                return "First", self._player(rest, alone=True)[0]
            case "court":
                seat, value = self._player(rest)
                return f"Court {self.names[seat]}", self._followers(value)
            case "hand":
                seat, value = self._player(rest)
                return f"Hand {self.names[seat]}", self.hand(value)
        ends = [match.end() for match in re.finditer(r"\S+", line)]
        for end in reversed(ends[: max(len(name.split()) for name in self.regions.names)]):
            name = self.regions.find(line[:end])
            if isinstance(name, str):
                return name, self._followers(line[end:])
        raise self._no_label(line[: ends[0]])

    def _no_label(self, word: str) -> _RowError:
        """The first word of a line says of nothing in a set-up what it is."""
        found = Vocabulary({**self.regions.names, **dict.fromkeys(LABELS)}, self.regions.codes).find(word)
        meant = (found,) if isinstance(found, str) else found.meant
        if meant and not set(meant) & set(LABELS):
            return self._no_region(word)
        hint = f"Did you mean {listed(meant)}?" if meant else f"It is a region, {listed(LABELS)}."
        return _RowError(f"`{word}` is nothing that a set-up describes", hint, word, kind=Kind.NAME)

    def _region(self, typed: str) -> str:
        found = self.regions.find(typed)
        if isinstance(found, str):
            return found
        raise self._no_region(typed.strip())

    def _no_region(self, typed: str) -> _RowError:
        found = self.regions.find(typed)
        assert isinstance(found, Unknown)
        hint = found.hint() or f"The regions are {listed(self.regions.names, 'and')}."
        told = f"`{typed}` fits several regions" if found.ambiguous else f"`{typed}` is no region"
        told = told if typed else "A region is missing"
        return _RowError(told, hint, typed, "notation.region", Kind.NAME)

    def _player(self, rest: str, *, alone: bool = False) -> tuple[int, str]:
        """The seat of the player that a line names, and what follows the name: something, or with `alone` nothing."""
        ends = [match.end() for match in re.finditer(r"\S+", rest)]
        numbers = {str(seat): seat - 1 for seat in range(1, len(self.names) + 1)}
        seats = numbers | {name.casefold(): seat for seat, name in enumerate(self.names)}
        fits = [(end, seats.get(rest[:end].strip().casefold())) for end in reversed(ends)]
        named = [(seat, rest[end:].strip()) for end, seat in fits if seat is not None]
        fitting = [pair for pair in named if bool(pair[1]) != alone] or ([] if alone else named)
        if fitting:
            return fitting[0]
        typed = rest.strip() if alone else re.split(r"\s{2,}", rest.strip())[0]
        if not typed:
            raise _RowError("The player is missing", f"At the table are {listed(self.names, 'and')}.")
        typed = typed if alone or rest.strip() != typed else typed.split()[0]
        found = Vocabulary(dict.fromkeys(self.names), {}).find(typed)
        hint = f"Did you mean {found}?" if isinstance(found, str) else found.hint()
        hint = hint or f"At the table are {listed(self.names, 'and')}."
        raise _RowError(f"`{typed}` is no player of this game", hint, typed, kind=Kind.NAME)

    def _followers(self, typed: str) -> Followers:
        """Followers as letters run together, as counts with letters, or `-`."""
        typed = typed.strip()
        counts = dict.fromkeys(self.letters, 0)
        if not typed:
            raise _RowError("The followers are missing", "They are written as letters, or `-` for none.")
        if COUNT.sub("", typed) not in {"", "-"}:
            hint = "They are letters, as in `SSW`, or counts, as in `4S 5W 3E`; `-` is none."
            raise _RowError(f"`{typed}` is no group of followers", hint, typed, "notation.faction")
        for number, word in COUNT.findall(typed.upper()):
            for letter in word:
                if letter not in counts:
                    known = ", ".join(f"{f.letter} {f.name}" for f in self.game.board.factions)
                    told = f"`{typed}` is no group of followers: {letter} is no faction's letter"
                    raise _RowError(told, f"The letters are {known}.", typed, "notation.faction", Kind.NAME)
                counts[letter] += int(number or 1)
        return tuple(counts.values())

    def _listed(self, text: str, read: Callable[[str], str]) -> list[str]:
        """The names of a list with commas between them. Raises for all of them that are unknown together."""
        found: list[str] = []
        wrong: list[_RowError] = []
        for part in text.split(","):
            try:
                found.append(read(part))
            except _RowError as fault:
                wrong.append(fault)
        if wrong:
            wrong[0].others = wrong[1:]
            raise wrong[0]
        return found

    def _track(self, text: str) -> tuple[int, ...]:
        names = self._listed(text, self._region)
        every = list(self.regions.names)
        twice = [name for name in every if names.count(name) > 1]
        missing = [name for name in every if name not in names]
        if twice or missing:
            told = [f"{listed(twice, 'and')} more than once"] if twice else []
            told += [f"no {listed(missing)}"] if missing else []
            raise _RowError(
                f"The track has {' and '.join(told)}",
                part=text.strip(),
                rule=self.game.ids("setup.track"),
                kind=Kind.ILLEGAL,
            )
        return tuple(every.index(name) for name in names)

    def hand(self, text: str) -> tuple[str, ...]:
        """The cards of a hand; a single `?` stands for all of them."""
        cards = tuple(self._listed(text, self._card) if text.strip(" -") else ())
        return self.game.hands.unknown if cards == (HIDDEN,) else cards

    def _card(self, typed: str) -> str:
        found = self.cards.find(typed)
        if isinstance(found, str):
            return found
        typed = typed.strip()
        told = f"`{typed}` fits several cards" if found.ambiguous else f"`{typed}` is no card of this ruleset"
        told = told if typed else "A card is missing"
        raise _RowError(told, found.hint(), typed, "notation.card", Kind.NAME)

    # -- together -----------------------------------------------------------------------------------------

    def _deal(self, line: int) -> Deal | None:
        labels = [region.name for region in self.game.board.regions] + ["Supply", "Track", "First"]
        labels += [f"Court {name}" for name in self.names]
        missing = [label for label in labels if label not in self.rows]
        if missing:
            if len(missing) > self.unread:
                told = f"The set-up says nothing of {listed(missing, 'and')}"
                hint = "A line is needed for every region, the supply, every court, the track, and who is first."
                self._problem(Kind.SYNTAX, "record.setup.missing", told, line, hint)
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
        for fault in self.game.faults(deal):
            what, _, seat = fault.part.rpartition(" ")
            label = f"{what} {self.names[int(seat)]}" if seat.isdigit() else fault.part
            told = fault.sentence[:1].upper() + fault.sentence[1:]
            self._problem(Kind.ILLEGAL, fault.rule, told, self.rows[label][0], fault.hint)
        return None if self.problems else deal
