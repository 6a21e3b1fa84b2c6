"""Build moves from parsed turns: look up cards, regions and followers, and report unknown ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from tkid.games.struggle.rules import moves
from tkid.games.struggle.rules.board import Board, Followers
from tkid.kernel.problems import Kind, Problem
from tkid.kernel.values import derive
from tkid.notation.names import Unknown, Vocabulary, list_names
from tkid.notation.plugin import Span, WrongError

if TYPE_CHECKING:
    from lark import Token, Tree

NO_FOLLOWER = "-"
"""In place of a group of followers."""
SUPPLY = frozenset({"supply", "pool", "common pool", "reserve", "stock", "bag"})
"""What people call the followers that are in no region and no court."""
COURT = frozenset({"court", "my court", "courts"})
TAKEN_FROM = frozenset({"left", "right", "origin", "other"})
"""The regions of a resolution that followers are taken from."""


@frozen
class TurnRules:
    """The rules on whence followers are `taken` or `summoned` and on `one` summons, and the players with courts."""

    taken: str
    summoned: str
    one: str
    players: tuple[str, ...] = ()


@frozen
class Lexicon:
    """The words for followers and regions of a board: `letters` (capitals), names with codes, and `none`, an empty group."""

    board: Board
    letters: Mapping[str, int] = derive(
        lambda self: {faction.letter.upper(): index for index, faction in enumerate(self.board.factions)}
    )
    regions: Vocabulary = derive(
        lambda self: Vocabulary(
            {region.name: index for index, region in enumerate(self.board.regions)},
            {region.code: region.name for region in self.board.regions},
        )
    )

    factions: Vocabulary = field(init=False)
    none: Followers = derive(lambda self: (0,) * len(self.letters))

    @factions.default
    def _(self) -> Vocabulary:
        factions = self.board.factions
        return Vocabulary(
            {faction.name: index for index, faction in enumerate(factions)},
            {faction.letter: faction.name for faction in factions},
        )


@frozen
class Build:
    """Makes a resolution of a parsed tree, collecting what was not understood and where the parts stand."""

    lexicon: Lexicon
    start: int
    rules: TurnRules
    parts: dict[str, Span] = field(factory=dict)
    problems: list[Problem] = field(factory=list)

    def build(self, form: str, tree: Tree[Token]) -> tuple[moves.Resolution, dict[str, Span]]:
        """Return the resolution of a form's parsed tree, and where its parts stand. Raises WrongError."""
        forms: dict[str, Callable[[Any], moves.Resolution]] = {
            "place": self._build_place,
            "apart": self._build_apart,
            "spread": self._build_spread,
            "exchange": self._build_exchange,
            "swap": lambda children: moves.Swap(**self._read_parts(children, "give", "left", "take", "right")),
            "shift": lambda children: moves.Shift(**self._read_parts(children, "group", "origin", "target")),
            "place_return": lambda children: moves.PlaceReturn(*self._read_placed_and_returned(children)),
            "return_place": self._build_return_place,
            "place_swap": self._build_place_swap,
            "place_move": self._build_place_move,
            "court_swap": self._build_court_swap,
        }
        made = forms[form](tree.children)
        self.check()
        return made, self.parts

    def check(self) -> None:
        """Raise WrongError with everything that was not understood so far."""
        if self.problems:
            raise WrongError(*self.problems)

    def _read_parts(self, children: Any, *names: str) -> dict[str, Any]:
        parts: dict[str, Any] = {}
        for name, tree in zip(names, children, strict=True):
            if tree.data == "region":
                rule = self.rules.taken if name in TAKEN_FROM else ""
                parts[name] = self.read_region(name, tree, rule, "taken")
            else:
                parts[name] = self.read_group(name, tree)
        return parts

    def _build_place(self, children: Any) -> moves.Place:
        return moves.Place(**self._read_parts(children, "group", "region"))

    def _build_apart(self, children: Any) -> moves.Place | moves.Apart:
        first, *more = (item.children for item in children)
        if not more:
            return self._build_place(first)
        (second,) = more
        groups = self.read_group("groups", second[0]), self.read_group("groups", first[0])
        return moves.Apart(self.read_region("left", first[1]), self.read_region("right", second[1]), groups[::-1])

    def _build_return_place(self, children: Any) -> moves.ReturnPlace:
        region, placed, returned = self._read_placed_and_returned(children)
        one_by_one = (faction for faction, n in enumerate(returned) for _ in range(n))
        return moves.ReturnPlace(region, tuple(one_by_one), placed)

    def _read_placed_and_returned(self, children: Any) -> tuple[int, Followers, Followers]:
        region, *parts = children
        groups: dict[str, Followers] = {}
        for part in parts:
            verb, group = part.children
            name = {"PLACE": "placed", "RETURN": "returned"}[verb.type]
            if name in groups:
                message = f"This appears twice. Write all followers that are {name} together"
                self._report_problem("notation.form", Kind.SYNTAX, part, message)
            groups[name] = self.read_group(name, group)
        none = self.lexicon.none
        return self.read_region("region", region), groups.get("placed", none), groups.get("returned", none)

    def _build_place_swap(self, children: Any) -> moves.PlaceSwap:
        region, placed, swapped = self._read_landing(children)
        none = self.lexicon.none
        swap: dict[str, Any] = {"other": None, "give": none, "take": none}
        if swapped:
            swap = self._read_parts(swapped.children, "give", "take", "other")
        return moves.PlaceSwap(region, placed, **swap)

    def _build_place_move(self, children: Any) -> moves.PlaceMove:
        region, placed, moved = self._read_landing(children)
        if moved:
            self.parts["moved"] = self._find_span(moved)
        groups = [
            (self.read_group(f"group {number}", group), self.read_region(f"target {number}", target))
            for number, (group, target) in enumerate((each.children for each in moved.children) if moved else (), 1)
        ]
        return moves.PlaceMove(region, placed, tuple(groups))

    def _read_landing(self, children: Any) -> tuple[int, Followers, Any]:
        region, *steps = children
        index, placed = self.read_region("region", region), self.lexicon.none
        done: dict[str, Any] = {}
        for step in steps:
            if step.data in done:
                self._report_problem("notation.form", Kind.SYNTAX, step, "This appears twice. Write all of it together")
                continue
            if step.data == "landed":
                placed = self.read_group("placed", step.children[1])
            done[step.data] = step
        done.pop("landed", None)
        return index, placed, next(iter(done.values()), None)

    def _build_court_swap(self, children: Any) -> moves.CourtSwap:
        """Build a court swap. The side without a region is the court's."""
        court_last = children[1].data == "region"
        names = ("take", "region", "give") if court_last else ("give", "take", "region")
        trees = dict(zip(names, children, strict=True))
        give, take = self.read_group("give", trees["give"]), self.read_group("take", trees["take"])
        region = self.read_region("region", trees["region"], self.rules.taken, "taken")
        return moves.CourtSwap(give=give, take=take, region=region)

    def _build_exchange(self, children: Any) -> moves.Exchange:
        first, second, *rest = children
        disc = next((tree for tree in rest if not isinstance(tree.children[0], str)), None)  # a token is a str
        regions = self._read_parts((first, second), "first", "second")
        return moves.Exchange(**regions, disc=self.read_region("disc", disc.children[0]) if disc else None)

    def _build_spread(self, children: Any) -> moves.Spread:
        board = self.lexicon.board
        placed: dict[int, int] = {}
        for item in children:
            followers, region = item.children
            faction = self.read_one_follower(followers)
            if faction is None:
                self.read_region("region", region)
                continue
            name = f"region of {board.factions[faction].name}"
            if faction in placed:
                told = f"{board.factions[faction].name} appears twice, but one of each faction is placed"
                self._report_problem(
                    "notation.one-each", Kind.SYNTAX, followers, told, "Write one letter for each faction."
                )
            placed[faction] = self.read_region(name, region)
        return moves.Spread(tuple(placed.get(faction) for faction in range(len(board.factions))))

    def build_summon(self, followers: object, region: object) -> moves.Summon:
        faction = self.read_one_follower(followers, self.rules.one, "You summon one follower")
        place = self.read_region("region", region, self.rules.summoned, "summoned")
        self.check()
        assert faction is not None
        return moves.Summon(faction, place)

    def read_one_follower(
        self, tree: Any, rule: str = "notation.one-each", what: str = "Write one follower here, with one letter"
    ) -> int | None:
        """Return the faction of a group of one; None if it isn't one follower, which breaks the rule."""
        before = len(self.problems)
        group = self.read_group("faction", tree)
        if len(self.problems) > before:
            return None
        if sum(group) != 1:
            self._report_problem(rule, Kind.SYNTAX, tree, f"{what}, not {self.lexicon.board.write_group(group)}")
            return None
        return group.index(1)

    def read_faction(self, part: str, tree: Any) -> int:
        text, factions = self._note_part(part, tree), self.lexicon.factions
        name = factions.find(text)
        if isinstance(name, Unknown):
            known = list_names([f"{faction.letter} {faction.name}" for faction in self.lexicon.board.factions], "and")
            self._report_problem(
                "notation.faction", Kind.NAME, tree, f"`{text}` is not a faction", f"The factions are {known}."
            )
            return 0
        return list(factions.names).index(name)

    def read_group(self, part: str, tree: Any) -> Followers:
        text, letters = self._note_part(part, tree), self.lexicon.letters
        if text == NO_FOLLOWER:
            return self.lexicon.none
        if not set(text.upper()) <= letters.keys():
            known = ", ".join(f"{faction.letter} {faction.name}" for faction in self.lexicon.board.factions)
            strange = {c for c in text if c.upper() not in letters}
            letter = f": {min(strange)} is not a faction's letter" if len(strange) == 1 < len(text) else ""
            message = f"`{text}` is not a group of followers{letter}"
            self._report_problem("notation.faction", Kind.NAME, tree, message, f"The letters are {known}.")
            return self.lexicon.none
        return tuple(text.upper().count(letter) for letter in letters)

    def read_region(self, part: str, tree: Any, rule: str = "", verb: str = "") -> int:
        """Return a region from its name. If followers are `verb` from it, the supply and courts break the rule."""
        text, regions = self._note_part(part, tree), self.lexicon.regions
        name = regions.find(text)
        if isinstance(name, Unknown):
            hint, elsewhere = f"The regions are {list_names(regions.names, 'and')}.", self._name_other_place(text)
            if rule and elsewhere:
                message = f"A follower is {verb} from a region, not from {elsewhere}"
                self._report_problem(rule, Kind.NAME, tree, message, hint)
            elif joined := self._find_second_region(tree.children):
                begin, end = self.start + joined[0].start_pos, self.start + tree.meta.end_pos
                message = f"`{' '.join(joined)}` does not belong here without a comma or another sign before it"
                self.problems.append(Problem(Kind.SYNTAX, "notation.form", message, col=begin + 1, length=end - begin))
            else:
                self.problems.append(name.make_problem("region", "notation.region", self._find_span(tree), hint))
            return 0
        return list(regions.names).index(name)

    def _name_other_place(self, text: str) -> str:
        """Return the words for a place of followers that isn't a region; "" if the text names none."""
        named = text.casefold().removeprefix("the ")
        if named in SUPPLY:
            return f"the {self.lexicon.board.terms.supply}"
        player = next((name for name in self.rules.players if name.casefold() == named), "")
        return f"{player}'s court" if player else "a court" if named in COURT else ""

    def _find_second_region(self, words: Any) -> Any:
        """Return the second of two regions with only followers' letters between them, or ()."""
        regions, letters = self.lexicon.regions, self.lexicon.letters
        for at in range(1, len(words) - 1):
            around = (" ".join(words[:at]), " ".join(words[at + 1 :]))
            if set(words[at].upper()) <= letters.keys() and not any(
                isinstance(regions.find(each), Unknown) for each in around
            ):
                return words[at:]
        return ()

    def _note_part(self, part: str, tree: Any) -> str:
        self.parts[part] = self._find_span(tree)
        return " ".join(map(str, tree.children))

    def _find_span(self, tree: Any) -> Span:
        begin, end = tree.meta.start_pos, tree.meta.end_pos
        return self.start + begin, end - begin

    def _report_problem(self, rule: str, kind: Kind, tree: Any, message: str, hint: str = "") -> None:
        column, length = self._find_span(tree)
        self.problems.append(Problem(kind, rule, message, col=column + 1, length=length, hint=hint))
