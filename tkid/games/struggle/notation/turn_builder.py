"""Making moves of parsed turns: followers, regions and resolutions, or what was not understood in them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from attrs import field, frozen
from lark import Token, Tree

from tkid.games.struggle.rules.board import Board, Followers
from tkid.games.struggle.rules.moves import (
    Apart,
    CourtSwap,
    Exchange,
    Place,
    PlaceMove,
    PlaceReturn,
    PlaceSwap,
    Resolution,
    ReturnPlace,
    Shift,
    Spread,
    Swap,
)
from tkid.kernel.problems import Kind, Problem
from tkid.notation.turns import Span, WrongError
from tkid.notation.vocabulary import Unknown, Vocabulary, listed

NO_FOLLOWER = "-"
"""In place of a group of followers."""


@frozen
class Lexicon:
    """What followers and regions of a board are called: `letters` (capitals) and names with codes."""

    board: Board
    letters: Mapping[str, int] = field(init=False)
    regions: Vocabulary = field(init=False)

    @letters.default
    def _(self) -> Mapping[str, int]:
        return {faction.letter.upper(): index for index, faction in enumerate(self.board.factions)}

    @regions.default
    def _(self) -> Vocabulary:
        return Vocabulary(
            {region.name: index for index, region in enumerate(self.board.regions)},
            {region.code: region.name for region in self.board.regions},
        )


@frozen
class Build:
    """Makes a resolution of a parsed tree, collecting what was not understood and where the parts stand."""

    lexicon: Lexicon
    start: int
    parts: dict[str, Span] = field(factory=dict)
    problems: list[Problem] = field(factory=list)

    def build(self, form: str, tree: Tree[Token]) -> tuple[Resolution, dict[str, Span]]:
        """The resolution of a form's parsed tree, and where its parts stand. Raises WrongError."""
        forms: dict[str, Callable[[Any], Resolution]] = {
            "place": self._place,
            "apart": self._apart,
            "spread": self._spread,
            "exchange": self._exchange,
            "swap": self._swap,
            "shift": self._shift,
            "place_return": self._place_return,
            "return_place": self._return_place,
            "place_swap": self._place_swap,
            "place_move": self._place_move,
            "court_swap": self._court_swap,
        }
        made = forms[form](tree.children)
        self.check()
        return made, self.parts

    def check(self) -> None:
        """Raise WrongError with everything that was not understood so far."""
        if self.problems:
            raise WrongError(*self.problems)

    def _place(self, children: Any) -> Place:
        group, region = children
        return Place(self.group("group", group), self.region("region", region))

    def _apart(self, children: Any) -> Place | Apart:
        first, *more = (item.children for item in children)
        if not more:
            return self._place(first)
        (second,) = more
        groups = self.group("groups", second[0]), self.group("groups", first[0])
        return Apart(self.region("left", first[1]), self.region("right", second[1]), groups[::-1])

    def _swap(self, children: Any) -> Swap:
        give, left, take, right = children
        groups = self.group("give", give), self.group("take", take)
        return Swap(self.region("left", left), self.region("right", right), *groups)

    def _shift(self, children: Any) -> Shift:
        group, origin, target = children
        return Shift(self.group("group", group), self.region("origin", origin), self.region("target", target))

    def _place_return(self, children: Any) -> PlaceReturn:
        region, placed, returned = self._parts(children)
        return PlaceReturn(region, placed, returned)

    def _return_place(self, children: Any) -> ReturnPlace:
        region, placed, returned = self._parts(children)
        one_by_one = (faction for faction, n in enumerate(returned) for _ in range(n))
        return ReturnPlace(region, tuple(one_by_one), placed)

    def _parts(self, children: Any) -> tuple[int, Followers, Followers]:
        """Region, followers placed and followers returned, in whichever order they are written."""
        region, *parts = children
        found: dict[str, Followers] = {}
        for part in parts:
            what, group = part.children
            name = {"PLACE": "placed", "RETURN": "returned"}[what.type]
            if name in found:
                told = f"This stands here twice: write all followers that are {name} together"
                self._wrong("notation.form", Kind.SYNTAX, part, told)
            found[name] = self.group(name, group)
        none = (0,) * len(self.lexicon.letters)
        return self.region("region", region), found.get("placed", none), found.get("returned", none)

    def _place_swap(self, children: Any) -> PlaceSwap:
        landing = self._landing(children)
        none = (0,) * len(self.lexicon.letters)
        if "swapped" not in landing:
            return PlaceSwap(landing["region"], landing["placed"], None, none, none)
        give, take, other = landing["swapped"].children
        groups = self.group("give", give), self.group("take", take)
        return PlaceSwap(landing["region"], landing["placed"], self.region("other", other), *groups)

    def _place_move(self, children: Any) -> PlaceMove:
        landing = self._landing(children)
        moved = []
        for number, going in enumerate(landing["moved"].children if "moved" in landing else (), 1):
            group, target = going.children
            moved.append((self.group(f"group {number}", group), self.region(f"target {number}", target)))
        if "moved" in landing:
            self.parts["moved"] = self._span(landing["moved"])
        return PlaceMove(landing["region"], landing["placed"], tuple(moved))

    def _landing(self, children: Any) -> dict[str, Any]:
        """The region, the followers placed there, and what else is done, as it was parsed."""
        region, *steps = children
        found: dict[str, Any] = {"region": self.region("region", region), "placed": (0,) * len(self.lexicon.letters)}
        done: set[str] = set()
        for step in steps:
            if step.data in done:
                told = "This stands here twice: write all of it together"
                self._wrong("notation.form", Kind.SYNTAX, step, told)
            elif step.data == "landed":
                found["placed"] = self.group("placed", step.children[1])
            else:
                found[str(step.data)] = step
            done.add(str(step.data))
        return found

    def _court_swap(self, children: Any) -> CourtSwap:
        """The side without a region is the court's."""
        if children[1].data == "region":
            take, region, give = children
        else:
            give, take, region = children
        groups = self.group("give", give), self.group("take", take)
        return CourtSwap(self.region("region", region), *groups)

    def _exchange(self, children: Any) -> Exchange:
        first, second, *rest = children
        disc = next((tree for tree in rest if isinstance(tree.children[0], Tree)), None)
        return Exchange(
            self.region("first", first),
            self.region("second", second),
            self.region("disc", disc.children[0]) if disc else None,
        )

    def _spread(self, children: Any) -> Spread:
        board = self.lexicon.board
        placed: dict[int, int] = {}
        for item in children:
            followers, region = item.children
            faction = self.one_follower("faction", followers)
            if faction is None:
                self.region("region", region)
                continue
            name = f"region of {board.factions[faction].name}"
            if faction in placed:
                told = f"{board.factions[faction].name} stands here twice: one of each faction is placed"
                self._wrong("notation.one-each", Kind.SYNTAX, followers, told, "Write one letter for each faction.")
            placed[faction] = self.region(name, region)
        return Spread(tuple(placed.get(faction) for faction in range(len(board.factions))))

    def one_follower(self, part: str, tree: object) -> int | None:
        """The faction of a group of one; None if it is none."""
        before = len(self.problems)
        group = self.group(part, tree)
        if len(self.problems) > before:
            return None
        if sum(group) != 1:
            told = f"One follower is named here, by one letter, not {self.lexicon.board.group(group)}"
            self._wrong("notation.one-each", Kind.SYNTAX, tree, told)
            return None
        return group.index(1)

    def faction(self, part: str, tree: object) -> int:
        """A faction by its letter or its name."""
        text = self._note(part, tree)
        factions = self.lexicon.board.factions
        found = Vocabulary({f.name: at for at, f in enumerate(factions)}, {f.letter: f.name for f in factions}).find(
            text
        )
        if isinstance(found, Unknown):
            known = listed([f"{f.letter} {f.name}" for f in factions], "and")
            self._wrong("notation.faction", Kind.NAME, tree, f"`{text}` is no faction", f"The factions are {known}.")
            return 0
        return [f.name for f in factions].index(found)

    def group(self, part: str, tree: object) -> Followers:
        """A group of followers from its letters."""
        letters = self.lexicon.letters
        text = self._note(part, tree)
        if text == NO_FOLLOWER:
            return (0,) * len(letters)
        if not set(text.upper()) <= letters.keys():
            factions = self.lexicon.board.factions
            known = ", ".join(f"{f.letter} {f.name}" for f in factions)
            strange = ", ".join(dict.fromkeys(c for c in text if c.upper() not in letters))
            told = f"`{text}` is no group of followers: {strange} is no faction's letter"
            self._wrong("notation.faction", Kind.NAME, tree, told, f"The letters are {known}.")
            return (0,) * len(letters)
        return tuple(text.upper().count(letter) for letter in letters)

    def region(self, part: str, tree: object) -> int:
        """A region from its name."""
        text = self._note(part, tree)
        regions = self.lexicon.regions
        found = regions.find(text)
        if isinstance(found, Unknown):
            hint = f"The regions are {listed(regions.names, 'and')}."
            self.problems.append(found.problem("region", "notation.region", self._span(tree), hint))
            return 0
        index = regions.names[found]
        assert isinstance(index, int)
        return index

    def _note(self, part: str, tree: object) -> str:
        """The words of a group or region; their place is noted."""
        assert isinstance(tree, Tree)
        self.parts[part] = self._span(tree)
        return " ".join(map(str, tree.children))

    def _span(self, tree: object) -> Span:
        assert isinstance(tree, Tree)
        begin, end = tree.meta.start_pos, tree.meta.end_pos
        return self.start + begin, end - begin

    def _wrong(self, rule: str, kind: Kind, tree: object, message: str, hint: str = "") -> None:
        column, length = self._span(tree)
        self.problems.append(Problem(kind, rule, message, col=column + 1, length=length, hint=hint))
