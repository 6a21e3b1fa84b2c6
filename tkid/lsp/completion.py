"""Legal turns while one is typed: cards, ways, summons; sets are counted, never built whole, and offered word by word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from attrs import frozen

from tkid.kernel.game import AnyGame, fill_names
from tkid.kernel.ladder import Options
from tkid.lsp.open_file import OpenFile, Viewer
from tkid.notation.plugin import TurnReader
from tkid.notation.text import fold_name, measure_name
from tkid.record.format.turn_rows import NUMBERED, reader

MAX_TURNS = 40
"""Maximum number of turns to offer; if there are more, their next words are offered."""
MAX_WAYS = 4096
"""Maximum number of ways to play a card that are examined; of more, this many at even distances."""
TURNS_LINE = "turns"
"""The line that begins the turns, in small letters and without its colon."""


@frozen
class Choice:
    """A text to type: the new content of the line from `start` on, a note, the rule, and whether the decision is whole."""

    start: int
    text: str
    detail: str
    rule: str
    whole: bool


def list_completions(file: OpenFile, line: int, column: int, viewer: Viewer) -> list[Choice]:
    """Return the possible continuations of the turn being typed; none outside the turns or after the end of the game."""
    replay = file.replay
    if replay is None or not 0 < line <= len(file.lines) or not _is_below_turns(file, line):
        return []
    before = file.count_turns_before(line)
    now = replay.moments[before].position
    if now.to_act is None:
        return []
    number = file.turns[before - 1].number + 1 if before else 1
    name = replay.record.names[now.to_act]
    place = _find_place(file.lines[line - 1][:column], f"{number}.", name)
    if place is None:
        return []
    start, lead, typed = place
    game, names = replay.record.game, replay.record.names
    position = game.view(now, viewer(file.path, replay, now)).shown
    offer = _Offer(game, names, reader(game, names), start, lead)
    return list(offer.list_choices(position, typed))


def _is_below_turns(file: OpenFile, line: int) -> bool:
    return any(each.strip().rstrip(":").casefold() == TURNS_LINE for each in file.lines[: line - 1])


def _find_place(typed: str, number: str, name: str) -> tuple[int, str, str] | None:
    """Return where a choice begins, the text of the turn before it, and the typed part; None if the line is no turn."""
    numbered = NUMBERED.match(typed)
    if numbered is None:
        return (0, f"{number} {name} ", "") if number.startswith(typed.strip()) else None
    rest = typed[numbered.end() :]
    length = measure_name(name, rest)
    if length is not None and rest[length:].startswith(" "):
        turn = rest[length + 1 :]
        return None if {"#", "{"} & set(turn) else (numbered.end() + length + 1, "", turn)
    return (numbered.end(), f"{name} ", "") if fold_name(name).startswith(fold_name(rest)) else None


@frozen
class _Offer:
    """The maker of the choices for one line: where they begin and what goes before them."""

    game: AnyGame
    names: Sequence[str]
    reader: TurnReader
    start: int
    lead: str

    def list_choices(self, position: Any, typed: str) -> Iterator[Choice]:
        first, semicolon, second = typed.partition(";")
        if not semicolon:
            begun = typed.lstrip()
            yield from self._list_decisions(position, begun, self.lead + typed.removesuffix(begun))
            return
        moves = self.reader.turn(first).moves
        move = self.game.canonical(position, moves[0]) if moves else None
        if move is None or self.game.check(position, move):
            return
        after, _ = self.game.apply(position, move)
        if self.game.turn_continues(after):
            yield from self._list_decisions(after, second.lstrip(), f"{self.lead}{first}; ")

    def _list_decisions(self, position: Any, typed: str, lead: str) -> Iterator[Choice]:
        legal = self.game.legal(position)
        parts = [part for part in (legal.parts if isinstance(legal, Options) else [legal]) if part]
        card, begun = self._find_card(typed)
        for part in parts:
            named = self._get_common_card(part)
            if not named:
                yield from self._list_ways(position, part, typed, lead)
            elif card:
                if named == card:
                    yield from self._list_ways(position, part, begun, lead)
            elif named.casefold().startswith(typed.casefold()):
                ways = f"{len(part)} ways"
                yield Choice(self.start, f"{lead}{named} ", ways, self.reader.find_rule(part[0]), whole=False)

    def _find_card(self, typed: str) -> tuple[str, str]:
        """Return a fully named card that a blank follows, and the typed text with its full name; "" if no card is named."""
        words = typed.split(" ")
        for count in range(len(words) - 1, 0, -1):
            card = self.reader.cards.find(" ".join(words[:count]))
            if isinstance(card, str):
                return card, " ".join([card, *words[count:]])
        return "", typed

    def _get_common_card(self, part: Sequence[Any]) -> str:
        """Return the card that all ways of a part play; "" if there is only one way, or several cards."""
        if len(part) == 1:
            return ""
        first, last = self._write_move(part[0]), self._write_move(part[-1])
        named = (name for name in self.reader.cards.names if f"{first} ".startswith(f"{name} "))
        card = max(named, key=len, default="")
        return card if f"{last} ".startswith(f"{card} ") else ""

    def _write_move(self, move: Any) -> str:
        return fill_names(self.game.words.write_move(move), self.names)

    def _list_ways(self, position: Any, part: Sequence[Any], typed: str, lead: str) -> Iterator[Choice]:
        """List the ways that begin with the typed text, or their next words if there are too many."""
        count = min(len(part), MAX_WAYS)
        moves = (part[index * len(part) // count] for index in range(count))
        written = ((self._write_move(move), move) for move in moves)
        texts = {text: move for text, move in written if text.casefold().startswith(typed.casefold())}
        if len(texts) <= MAX_TURNS:
            for text, move in texts.items():
                goes_on = self.game.turn_continues(self.game.apply(position, move)[0])
                choice = f"{lead}{text}{'; ' if goes_on else ''}"
                yield Choice(self.start, choice, "", self.reader.find_rule(move), whole=not goes_on)
            return
        rule = self.reader.find_rule(part[0])
        for step, ways in _count_next_words(tuple(texts), len(typed)).items():
            yield Choice(self.start, f"{lead}{step} ", f"{ways} ways", rule, whole=False)


def _count_next_words(texts: Sequence[str], length: int) -> dict[str, int]:
    """Count the texts by their next words: as many words as it takes to tell some texts apart."""
    while True:
        steps: dict[str, int] = {}
        for text in texts:
            end = text.find(" ", length)
            step = text[:end] if end >= 0 else text
            steps[step] = steps.get(step, 0) + 1
        if len(steps) > 1 or min(map(len, steps)) >= min(map(len, texts)):
            return dict(list(steps.items())[:MAX_TURNS])
        length = len(next(iter(steps))) + 1
