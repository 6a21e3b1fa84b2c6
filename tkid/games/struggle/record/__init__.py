"""The King is Dead's part for records, and the reader of its set-up lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import pairwise
from types import MappingProxyType
from typing import Any

from attrs import evolve

from tkid.games.struggle.notation.turn_builder import Lexicon
from tkid.games.struggle.rules.board import HIDDEN, Followers, Position
from tkid.games.struggle.rules.game import PASS, Struggle
from tkid.games.struggle.rules.moves import Move, Play, Reveal, Summon
from tkid.games.struggle.rules.setup import Deal
from tkid.games.struggle.rules.struggles import NO_SUMMON
from tkid.kernel.game import Event
from tkid.kernel.problems import Fix, Kind, Problem, Scope, Violation
from tkid.notation.names import Vocabulary, list_names
from tkid.notation.text import fold_name
from tkid.record.format.model import Record, Turn
from tkid.record.format.plugin import FIRST, Carried, RecordPlugin, RowError, Rows, Rules, make_unknown_name_error

COUNT = re.compile(r"(\d*)\s*([^\W\d_]+)\s*")
GAMES_REMEMBERED = 64
GROUPS_REMEMBERED = 1 << 12


@lru_cache(GAMES_REMEMBERED)
def _get_vocabularies(game: Struggle) -> tuple[Vocabulary, Vocabulary]:
    return Lexicon(game.board).regions, Vocabulary(game.cards, {HIDDEN: HIDDEN})


@lru_cache(GROUPS_REMEMBERED)
def _read_followers(game: Struggle, typed: str) -> Followers:
    """Read followers as letters run together, as counts with letters, or `-`. Raises RowError."""
    counts = {faction.letter: 0 for faction in game.board.factions}
    if not typed:
        raise RowError("The followers are missing", "Write them as letters, or `-` for none.")
    if COUNT.sub("", typed) not in {"", "-"}:
        hint = "Write letters, such as `SSW`, or counts, such as `4S 5W 3E`. `-` means none."
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
    """A reader of the lines of a set-up that makes a deal of them."""

    needed = "Every region, the supply, every court, the track and the first player need a line."
    of_players = ("Court", "Hand")

    def __init__(self, game: Struggle, names: tuple[str, ...], lines: list[str]) -> None:
        super().__init__(game, names, lines)
        self.regions, self.cards = _get_vocabularies(game)

    @property
    def readers(self) -> Mapping[str, Callable[[str], Any]]:
        return {
            "Supply": self._read_followers,
            "Court": self._read_followers,
            "Hand": self.read_cards,
            "Track": self._read_track,
        }

    def list_labels(self) -> Sequence[str]:
        return [*self.regions.names, "Supply", "Track", FIRST, *(f"Court {name}" for name in self.names)]

    def deal(self, values: Mapping[str, Any]) -> Deal:
        return Deal(
            regions=tuple(values[region] for region in self.regions.names),
            supply=values["Supply"],
            courts=tuple(values[f"Court {name}"] for name in self.names),
            hands=tuple(values.get(f"Hand {name}", self.game.hands.unknown) for name in self.names),
            track=values["Track"],
            first=values[FIRST],
        )

    def read_other_row(self, line: str) -> tuple[str, Any]:
        ends = [match.end() for match in re.finditer(r"\S+", line)]
        for end in reversed(ends[: max(len(name.split()) for name in self.regions.names)]):
            name = self.regions.find(line[:end])
            if isinstance(name, str):
                return name, self._read_followers(line[end:])
        raise self.make_label_error(line[: ends[0]], self.regions, "region")

    def _read_region(self, typed: str) -> str:
        found = self.regions.find(typed.strip())
        if isinstance(found, str):
            return found
        raise make_unknown_name_error(found, "region", self.regions)

    def _read_followers(self, typed: str) -> Followers:
        return _read_followers(self.game, typed.strip())

    def _read_track(self, text: str) -> tuple[int, ...]:
        names = self.read_parts(text.split(","), lambda part: [self._read_region(part)])
        every = list(self.regions.names)
        twice = [name for name in every if names.count(name) > 1]
        missing = [name for name in every if name not in names]
        if twice or missing:
            faults = [f"{list_names(twice, 'and')} more than once"] if twice else []
            faults += [f"no {list_names(missing)}"] if missing else []
            raise RowError(
                f"The track has {' and '.join(faults)}",
                part=text.strip(),
                rule=self.game.ids("setup.track"),
                kind=Kind.ILLEGAL,
            )
        return tuple(every.index(name) for name in names)

    def read_cards(self, text: str) -> tuple[str, ...]:
        """Read the cards of a hand; a single `?` is a hand of hidden cards."""
        cards = super().read_cards(text)
        return self.game.hands.unknown if cards == (HIDDEN,) else cards

    def _read_card(self, typed: str) -> Sequence[str]:
        found = self.cards.find(typed)
        if isinstance(found, str):
            return [found]
        raise make_unknown_name_error(found, "card", of=" of this ruleset")


class StruggleRecord(RecordPlugin):
    """The record plugin of The King is Dead."""

    rules = Rules(players="board.players")
    row = r"(?:court|hand|first|supply|track)\s+\S|\S+ [0-9SWEswe=-]+$"
    setup_reader = SetupReader
    parts = MappingProxyType({"": "the regions", "Supply": "the supply", "Court": "the courts", "Track": "the track"})

    def close_position(self, position: Position) -> Position:
        return evolve(position, to_act=None)

    def list_setup_rows(self, game: Struggle, deal: Deal, names: Sequence[str]) -> Iterator[tuple[str, str]]:
        board = game.board
        for region, followers in zip(board.regions, deal.regions, strict=True):
            yield region.name, board.write_group(followers)
        yield "Supply", board.format_counts(deal.supply)
        for name, court in zip(names, deal.courts, strict=True):
            yield f"Court {name}", board.write_group(court)
        if not has_equal_hands(game, deal.hands):
            for name, hand in zip(names, deal.hands, strict=True):
                yield f"Hand {name}", ", ".join(hand)
        yield "Track", ", ".join(board.name_region(region) for region in deal.track)
        yield "First", names[deal.first]

    def find_part(self, game: Struggle, label: str) -> str:
        return self.parts[""] if label in {each.name for each in game.board.regions} else super().find_part(game, label)

    def compute_decision(self, game: Struggle, position: Position) -> Position:
        return game.settle_position(position)

    def hide_deal(self, game: Struggle, deal: Deal, seat: int | None) -> Deal:
        hidden = game.hands.unknown
        return evolve(deal, hands=tuple(hand if owner == seat else hidden for owner, hand in enumerate(deal.hands)))

    def find_revelations(self, record: Record) -> Mapping[int, Callable[[Position], Position]]:
        """Find the holder of Plot by the turn after which the record tells it, often its only source."""
        game = record.game
        assert isinstance(game, Struggle)
        if not game.plot:
            return {}
        seats = {fold_name(line): seat for seat, line in enumerate(self.list_late_outcomes(game, record.names))}
        holders = {}
        for number, turn in enumerate(record.turns, 1):
            if turn.undone:
                continue
            if turn.moves and isinstance(turn.moves[0], Reveal):
                holders[number - 1] = turn.seat
            lines = (fold_name(outcome.text) for outcome in turn.outcomes)
            holders.update((number, seats[line]) for line in lines if line in seats)
        return {number: partial(game.reveal_plot, seat=seat) for number, seat in holders.items()}

    def list_unproven_cards(self, game: Struggle, position: Position, seat: int, move: Move) -> Iterable[str]:
        """Return a card of the deck that is played and not known to be in hand."""
        if isinstance(move, Play) and move.card in game.hands.deck:
            return () if move.card in position.hands[seat] else (move.card,)
        return ()

    def list_open_questions(self, game: Struggle, position: Position) -> Iterable[tuple[int, str]]:
        """Return the possible holders of Plot if the game ended and the record doesn't have it."""
        if (
            position.ending is None
            or not game.end.reveals_plot(position)
            or any(game.plot in hand for hand in position.hands)
        ):
            return ()
        return [(seat, game.plot) for seat in position.seats if game.may_hold(position, seat, game.plot)]

    def is_late_reveal(self, move: Move) -> bool:
        return isinstance(move, Reveal)

    def list_late_outcomes(self, game: Struggle, names: Sequence[str]) -> Sequence[str]:
        return [f"{game.plot}: {name}" for name in names] if game.plot else ()

    def is_idle(self, move: Move) -> bool:
        return move == PASS

    def has_late_outcome(self, game: Struggle, events: Iterable[Event]) -> bool:
        return bool(game.plot) and any(event.line and event.rule == game.ids("card.plot") for event in events)

    def list_played_cards(self, positions: Sequence[Position], turns: Sequence[Turn]) -> Iterator[tuple[Turn, str]]:
        for (before, after), turn in zip(pairwise(positions), turns, strict=True):
            yield from ((turn, card) for card in after.discards[turn.seat][len(before.discards[turn.seat]) :])

    def carry_out(self, game: Struggle, position: Position, move: Move) -> Carried | None:
        if position.to_act is None or position.decision == "plot" or isinstance(move, Reveal):
            return None
        if getattr(move, "card", "") not in {"", *game.cards}:
            return None
        try:
            after, events = game.apply(position, move)
        except (ValueError, IndexError):
            return None
        groups = (*after.regions, after.supply, *after.courts, after.negotiation_discs)
        return None if min(map(min, groups)) < 0 else (after, events)

    def set_seat(self, position: Position, seat: int) -> Position:
        """Set the seat to act, except while the owner of Plot has to name a faction."""
        return position if position.decision == "plot" else position.replace(to_act=seat)

    def skip_turn(self, position: Position, seat: int, *, acted: bool = False) -> Position:
        if position.decision == "plot":
            return position.replace(turn=position.turn + 1)
        passes = 0 if acted or position.decision == "summon" else position.passes
        return position.replace(decision="play", to_act=seat, turn=position.turn + 1, passes=passes)

    def is_passable(self, position: Position) -> bool:
        return position.decision == "play"

    def report_extra_decision(self, game: Struggle, first: Move, move: Move) -> Violation:
        rule, hint, line = "summon.after-action", "", ""
        if isinstance(first, Summon) and isinstance(move, Play):
            line = game.words.write_turn((move, first))
            message, hint = "The card comes before the summons", f"Write `{line}`."
        elif isinstance(move, Summon):
            message = "You do not summon after a pass" if first == PASS else "You summon only once in a turn"
            if first == PASS and game.summons.alone:
                line = game.words.write_move(move)
                hint = f"Write `{line}` without the pass."
        else:
            rule, message = "turn.action", "A turn is one action with one summons, or a pass: this is too much"
        fixes = (Fix(line, Scope.LINE),) if line else ()
        return Violation(game.ids(rule), message, hint=hint, fixes=fixes)

    def report_unfinished_turn(self, game: Struggle, position: Position) -> Violation:
        message, moves = "You must summon a follower after the action", [game.legal(position)[0]]
        if game.summons.optional:
            message = "Say whether you take a follower after the action"
            moves += [NO_SUMMON] if NO_SUMMON not in moves else []
        summons = [game.words.write_move(move) for move in moves]
        hint = f"Add, for instance, {list_names(f'`; {text}`' for text in summons)}."
        return Violation(game.summons.due, message, hint=hint, fixes=tuple(Fix(text, Scope.END) for text in summons))

    def is_unfinished(self, game: Struggle, problem: Problem) -> bool:
        return any(text != game.words.write_move(NO_SUMMON) for text in problem.list_fixes(Scope.END))


def has_equal_hands(game: Struggle, hands: Iterable[tuple[str, ...]]) -> bool:
    return all(sorted(hand) == sorted(game.hands.same) for hand in hands)


PLUGIN = StruggleRecord()
