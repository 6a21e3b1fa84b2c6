"""Read the set-up of a game from a player's notes: regions, courts, supply, track, start player."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from string import ascii_uppercase

from attrs import define, evolve, field, frozen

from tkid.games.struggle.notation.free_words import TABLE
from tkid.games.struggle.notation.shorthand import SUPPLY, StruggleShorthand
from tkid.games.struggle.rules.setup import get_home_followers
from tkid.notation.free_text import COUNTS, FILLERS, NOT_ANY
from tkid.notation.shorthand import FOREIGN, HYPHEN, MISTYPED, WRITER, NotedSetup, match_name
from tkid.notation.text import drop_accents, fold_name

STARTING = re.compile(
    r"(?<!who )\b(?:first(?! (?:ed|time|region|copy))|1st(?! (?:ed|region))|starts?|start\w+|began|begins?|begin\w*|(?:to )open|beginnt|fangt|open(?:s|ed)|(?:kicks?|kicked) off|leads?|led|commence|comienza|inizia|zaczyna\w*|comincia|comecei|come[cç]ou|come[cç]a|empec[eé]|empez[oó]|gioco per primo|per prim[ao]|als erste[rs]?|en premier|primero)\b"
)
SENTENCE, BRACKETED = re.compile(r"[.;](?:\s|$)"), re.compile(r"\([^()]*\)")
EVERY, SAME, POSSESSIVE, THEIRS = (
    frozenset(TABLE["setup"][name].split()) for name in ("every", "same", "possessive", "theirs")
)
OTHERS = re.compile(
    r"\b(?:(?:the )?(?:rest of us|others?(?: (?:two|three))?(?: players)?(?: of us)?|everybody else|everyone else)|die anderen(?: beiden)?|les (?:deux )?autres|los otros(?: dos)?"
    r"|gli altri(?: due)?|os outros(?: dois)?|de anderen|de andere twee|pozostali)\b",
    re.IGNORECASE,
)
EVERY_PLAYER = re.compile(
    r"\b(?:both(?: of us| players)|each of \w+(?: \w+)?|we each|every player|every(?:body|one)|all of us|jeder(?= (?:hat|hatte|bekommt))|alle(?= (?:haben|hatten))|tutti|tutti e due|entrambi|ciascuno|beide|allebei|ambos|os dois|oboje|les deux|chacune?|los dos|todos|cada uno)\b",
    re.IGNORECASE,
)
"""Words for all players."""
TOKEN = re.compile(
    r"\d+(?: ?[/:–-] ?\d+){2,}|\d+(?:[.,]\d+){2,}|\d+(?:st|nd|rd|th)\b|\d+|[^\W\d_]+(?:['’][^\W\d_]+)?|[-–—.,;:/|+=()]"
)
LONG_GROUP = re.compile(r"(?=\w{4})(\w)\1*(\w)\2*(?:(\w)\3*)?")
ORDINAL = re.compile(r"(\d)(st|nd|rd|th)\b")
IN_BRACKETS = re.compile(r"\b([^\W\d_]+)\((\d?[a-zA-Z](?:\d?[a-zA-Z])*)\)")
NUMBER_BEFORE = re.compile(r"\d ?x? ?\Z")
COUNT_BEHIND = re.compile(r"[=:]\d")
WORDS = re.compile(r"[^\W\d_]+")
TIMES = re.compile(r"([^\W\d_]+) [x×] ?(\d)\b")
WE = re.compile(r"\b[Ww]e(?= [a-z]{3,} [a-z])")
LEADER = re.compile(r"\.{3,}|(?<= )\. ?(?=\. )")
"""Letters of many followers, as in `SSSWWWEE`; a count behind its follower, as in `Scots x3`; `we` as a word; and dots between a region and its followers."""
SHORT_NAME = 4
Place = tuple[str, int]
SUPPLY_PLACE: Place = ("supply", 0)
BREAKS: Mapping[str, float] = {",": 0.0, "+": 0.0, "=": 0.0, ":": 0.1, ";": 0.3, "|": 0.3, "/": 0.2, ".": 0.6}
NEW_LINE, BLANK_LINE = 0.7, 3.0
"""Costs of a sign or of the end of a line between a place and its followers."""
STRANGE_WORD, BEFORE_PLACE, SHARED, DANGLING, ALL_OF_ONE, WITHOUT_HOME, GOES_ON, COPIED, OF_OTHERS, NO_HOME, MISSING = (
    0.05, 0.3, 0.4, 0.4, 1.5, 0.6, 1.5, 0.2, 1.2, 4.0, 6.0
)  # fmt: skip
"""Costs of a word between a place and its followers, of followers before their place, of those of several places, of a number that
counts nothing, of a faction that is alone, of a home without its own followers, of a row that goes on behind a sign, of the row of another
place, of followers that are nearer to another place, of a home that lacks followers, and of a place without a row."""
WRAP, WRAPPED = re.compile(r"[\w,;]\s*$"), 60
"""The end of a line that goes on behind it, and how long it is at least."""
AGAINST_RULES = 12.0
"""Cost of a set-up with a wrong number of followers of a faction."""
TOO_FAR, MOST_SHARING, MOST_STATES, MOST_OF_ONE = 4.0, 3, 300, 4
"""The cost at which followers are no longer those of a place, how many places share followers, how many set-ups are compared, and how many
followers of one faction a place may have without a number."""
FEWEST_TOLD, MOST_NAMED, LONGEST_GAP = 3, 4, 5
"""Regions that a set-up or a part of a track tells at least, how many of them a line about a turn or a result
doesn't name without a card, and lines between parts of a set-up."""
USUAL, COUNTED, OF_ROWS = 1.0, 0.5, 3.0
"""Costs of a track in the order of the board, how much numbers speak for a track, and the cost of the order of the rows as a track."""


@frozen
class _Token:
    """A word or sign of the set-up: `place`, `followers`, `number`, `counts`, `every`, `same`, `dash`, `break` or `word`.

    `places` are those that a word may name, also a letter that is sooner a faction's. `value` is a faction or a number, and `cost` what
    a sign costs between a place and its followers. `group` is the number of the word.
    """

    kind: str
    line: int
    group: int = 0
    value: int = 0
    places: tuple[Place, ...] = ()
    counts: tuple[int, ...] = ()
    cost: float = 0.0


@frozen
class _Row:
    """Followers that a place may have, what speaks against them, and the last line that tells them."""

    counts: tuple[int, ...]
    cost: float
    line: int
    span: int = -1
    """The number of its first follower, -1 if several places share them."""


@frozen
class _Choice:
    """A set-up that notes may tell: what speaks against it, its followers, and the rows that tell them."""

    cost: float
    rows: dict[Place, tuple[int, ...]]
    told: Mapping[Place, _Row]


@define(slots=False)
class SetupReader:
    """Collects what may be the followers of each place and the track, and takes what agrees best with the rules.

    Each place has a known number of followers, and so has each faction. So most words that are near a place by chance drop out.
    """

    shorthand: StruggleShorthand
    labels: Mapping[str, int]
    tokens: list[_Token] = field(factory=list)
    rows: dict[Place, dict[tuple[int, ...], _Row]] = field(factory=dict)
    tracks: list[tuple[float, tuple[int, ...], int]] = field(factory=list)
    first: int | None = None
    _is_wrapped: bool = False
    """True if a line is more of the sentence before it."""
    _columns: tuple[int, ...] = ()
    """The factions of a table's columns."""

    def read_lines(self, lines: Sequence[str], turns: Sequence[str]) -> NotedSetup:
        """Return the set-up that fits the rules best; the parts that the notes don't tell are the likeliest by the rules and the turns."""
        for number, line in enumerate(lines, 1):
            self._is_wrapped = (
                number > 1 and len(lines[number - 2]) > WRAPPED and WRAP.search(lines[number - 2]) is not None
            )
            self._read_first(line)
            self._columns = self._columns or self._find_columns(line)
            self.tokens += self._list_tokens(number, line)
        for at, token in enumerate(self.tokens):
            if token.places and self._is_place(at):
                self._read_place(at, token.places)
        self._prefer_nearest()
        self._read_bare_lines()
        self._read_tracks()
        self._read_cells()
        self._copy_rows()
        return self._choose(turns)

    # what the rules say

    @cached_property
    def _sizes(self) -> dict[Place, int]:
        """How many followers each place has by the rules."""
        setup, board = self.shorthand.game.setup, self.shorthand.game.board
        players = len(self.shorthand.names)
        sizes = {("region", index): setup.region for index in range(len(board.regions))}
        sizes |= {("player", seat): setup.court for seat in range(players)}
        return sizes | {SUPPLY_PLACE: sum(self._every) - sum(sizes.values())}

    @property
    def _every(self) -> tuple[int, ...]:
        counts: tuple[int, ...] = self.shorthand.game.setup.count_all_followers(
            self.shorthand.game.board, len(self.shorthand.names)
        )
        return counts

    def _find_home(self, place: Place) -> tuple[int, ...]:
        """Return the followers that a place has in every game."""
        homes = get_home_followers(self.shorthand.game.setup, self.shorthand.game.board)
        none = (0,) * len(self._every)
        return homes[place[1]] if place[0] == "region" else none

    # followers beside places

    def _is_place(self, at: int) -> bool:
        """Return True if a word names a place here; a letter that is a faction's too only at the beginning of a part, before followers."""
        token = self.tokens[at]
        if token.kind == "place":
            return True
        before, behind = self.tokens[at - 1], self.tokens[at + 1 : at + 3]
        if len(behind) < 2:
            return False
        is_group = behind[0].kind == "followers" and behind[0].group == behind[1].group
        is_colon = behind[0].kind == "break" and behind[0].value == 1 and behind[1].kind in {"followers", "number"}
        is_word = before.kind == "break" or (
            before.kind != "place" and is_group and self.tokens[at].group not in {before.group, behind[0].group}
        )
        return is_colon or (is_word and (is_group or behind[0].kind == "counts"))

    def _read_place(self, at: int, places: tuple[Place, ...]) -> None:
        """Collect the followers before and behind a place, those of the next places in a list included."""
        for step, least in ((1, 0.0), (-1, BEFORE_PLACE)):
            self._collect(at, places, step, least + self.tokens[at].cost)

    def _collect(self, at: int, places: tuple[Place, ...], step: int, least: float) -> None:
        items, cost, passed, end, start = list[_Token](), least, 0, at + step, at
        while 0 <= end < len(self.tokens) and cost < TOO_FAR:
            token = self.tokens[end]
            if token.places and self._is_place(end):
                is_alike = {kind for kind, _ in token.places} & {kind for kind, _ in places}
                if items or not is_alike or passed >= MOST_SHARING or cost >= least + NEW_LINE:
                    break
                passed, cost = passed + 1, cost + SHARED * (1 if step > 0 else 2)
            elif token.kind == "break":
                if items and items[-1].kind != "break":
                    near = [index for index in (end + step, end + 2 * step) if 0 <= index < len(self.tokens)]
                    goes_on = next((index for index in near if self.tokens[index].kind != "break"), None)
                    more = (
                        goes_on is not None
                        and self.tokens[goes_on].kind in {"followers", "number", "counts"}
                        and not (self.tokens[goes_on].places and self._is_place(goes_on))
                        and token.cost < BREAKS["."]
                    )
                    self._add_rows(places, items[::step], cost + (GOES_ON if more else 0), at, -1 if passed else start)
                    items.append(token)
                cost += token.cost
            elif token.kind in {"same", "word"}:
                cost += STRANGE_WORD if token.kind == "word" else SHARED
            else:
                start = end if not items or step < 0 else start
                items.append(token)
            end += step
        if items and items[-1].kind != "break":
            self._add_rows(places, items[::step], cost, at, -1 if passed else start)

    def _read_bare_lines(self) -> None:
        """Take as many followers as the supply has for it, on a line without a place."""
        lines = dict[int, list[_Token]]()
        for token in self.tokens:
            lines.setdefault(token.line, []).append(token)
        for number, tokens in lines.items():
            size = self._sizes[SUPPLY_PLACE]
            if not any(token.kind == "place" for token in tokens) and len(tokens) > 1:
                items = [each for each in tokens if each.kind not in {"word", "break"}]
                for counts, cost, _ in self._interpret(items, 0) if items else ():
                    if sum(counts) == size:
                        self._add_row(SUPPLY_PLACE, counts, cost + OF_OTHERS, number)

    def _prefer_nearest(self) -> None:
        """Let followers sooner belong to the place that is nearest to them."""
        nearest = dict[int, float]()
        rows = [(place, row) for place, found in self.rows.items() for row in found.values() if row.span >= 0]
        for _, row in rows:
            nearest[row.span] = min(row.cost, nearest.get(row.span, row.cost))
        for place, row in rows:
            if row.cost > nearest[row.span]:
                self.rows[place][row.counts] = evolve(row, cost=row.cost + OF_OTHERS)

    def _look(self, at: int, step: int) -> Iterator[_Token]:
        for index in (at + step, at + 2 * step):
            if 0 <= index < len(self.tokens):
                yield self.tokens[index]

    def _add_rows(self, places: tuple[Place, ...], items: Sequence[_Token], cost: float, at: int, span: int) -> None:
        line = max(self.tokens[at].line, items[-1].line)
        for place in places:
            size, home = self._sizes.get(place, 0), self._find_home(place)
            for counts, more, slot in self._interpret(items, size):
                if sum(counts) == size:
                    lacks = min(one - other for one, other in zip(counts, home, strict=True)) < 0
                    self._add_row(place, counts, cost + more + (NO_HOME if lacks else 0), line, span)
                    if slot and place[0] == "region" and span > at:
                        self._slots.setdefault(place[1], (slot, line))
                elif sum(home) and sum(counts) == size - sum(home):
                    whole = tuple(one + other for one, other in zip(counts, home, strict=True))
                    self._add_row(place, whole, cost + more + WITHOUT_HOME, line, span)

    def _add_row(self, place: Place, counts: tuple[int, ...], cost: float, line: int, span: int = -1) -> None:
        known = self.rows.setdefault(place, {})
        if counts not in known or cost < known[counts].cost:  # a later line may be a result
            known[counts] = _Row(counts, cost, min(line, known[counts].line if counts in known else line), span)

    @cached_property
    def _slots(self) -> dict[int, tuple[int, int]]:
        """The numbers of regions on the track, from a table, with their lines."""
        return {}

    def _interpret(self, items: Sequence[_Token], size: int) -> Iterator[tuple[tuple[int, ...], float, int]]:
        """Yield what followers and numbers beside each other may count, with a cost and a number that is left over."""
        factions = [each.value for each in items if each.kind == "followers"]
        numbers = [each.value for each in items if each.kind in {"number", "dash"}]
        many, columns = len(self._every), self._columns or tuple(range(len(self._every)))
        cells = next((each.counts for each in items if each.kind == "counts"), ())
        if cells:
            heads = tuple(factions) if sorted(factions) == [*range(many)] else columns
            yield self._order(heads, cells), 0.0, 0
        elif not factions:
            while len(numbers) > many and items[0].kind == "dash":
                items, numbers = items[1:], numbers[1:]
            if any(each.kind == "every" for each in items) and len(numbers) == 1:
                yield (numbers[0],) * many, 0.0, 0
            elif len(numbers) in {many, many + 1}:
                yield self._order(columns, numbers[:many]), DANGLING / 2, (numbers[many:] or [0])[0]
        else:
            for is_behind in (False, True):
                counts, dangling = self._count(items, is_behind=is_behind)
                yield counts, DANGLING * dangling + STRANGE_WORD * is_behind, 0
            if any(each.kind == "every" for each in items) and len(numbers) == 1 and len(factions) > 1:
                yield tuple(numbers[0] * (at in factions) for at in range(many)), 0.0, 0
            if (
                len(items) > 2 and items[-1].kind == "every" and items[-2].kind == "number"
            ):  # `two Scots, one of each other sort`
                counts, _ = self._count(items[:-2], is_behind=False)
                yield tuple(count or items[-2].value for count in counts), 0.0, 0
            if len({*factions}) == 1 and size <= MOST_OF_ONE:
                yield tuple(size * (at in factions) for at in range(many)), ALL_OF_ONE, 0

    @staticmethod
    def _order(columns: Sequence[int], cells: Sequence[int]) -> tuple[int, ...]:
        row = dict(zip(columns, cells, strict=True))
        return tuple(row[at] for at in sorted(row))

    def _count(self, items: Sequence[_Token], *, is_behind: bool) -> tuple[tuple[int, ...], int]:
        """Return followers by the numbers before or behind them, and how many numbers count nothing."""
        counts, dangling = [0] * len(self._every), 0
        number, last = None, None
        for token in items[::-1] if is_behind else items:
            if token.kind == "followers":
                if last is not None and (last.value, last.kind) == (token.value, "open"):
                    continue
                counts[token.value] += 1 if number is None else number
                number = None
            elif token.kind == "number" or (token.kind == "dash" and is_behind and token.value == 0):
                dangling += number is not None and number > 0
                number = token.value
            elif token.kind == "break":
                dangling += number is not None and number > 0
                number = None
            last = token
        return tuple(counts), dangling + (number is not None and number > 0)

    # rows of other places, columns and tracks

    def _copy_rows(self) -> None:
        """Give places the followers of the place before, or of a named one: `the same in Essex`, `Devon: same as Essex`."""
        for at, token in enumerate(self.tokens):
            if token.kind != "same":
                continue
            behind, before = self._list_places(at, 1), self._list_places(at, -1)
            is_told = any(each.kind in {"followers", "number"} for each in self._look(at, 1))
            self._copy(at, before, behind[:1], GOES_ON if is_told else 0.0)
            self._copy(at, behind, [], GOES_ON / 2 if before else 0.0)

    def _copy(self, at: int, places: Sequence[Place], source: Sequence[Place], more: float = 0.0) -> None:
        """Give places the followers of another one, or else of the region before."""
        earlier = [
            place
            for each in self.tokens[:at]
            for place in each.places[:1]
            if each.kind == "place" and place[0] == "region" and place in self.rows and place not in places
        ]
        rows = self.rows.get(source[0] if source else (earlier or [SUPPLY_PLACE])[-1], {})
        for row in sorted(rows.values(), key=lambda row: row.cost)[:1]:
            for place in places:
                self._add_row(place, row.counts, COPIED + more, self.tokens[at].line)

    def _list_places(self, at: int, step: int) -> list[Place]:
        found = list[Place]()
        index = at + step
        while 0 <= index < len(self.tokens) and self.tokens[index].kind in {
            "place",
            "word",
            "break",
            "every",
            "dash",
            "same",
        }:
            if self.tokens[index].cost >= BREAKS[";"]:
                break
            found += [place for place in self.tokens[index].places if place[0] == "region"][:1]
            index += step
        return found

    def _read_tracks(self) -> None:
        """Collect lists of all regions; one in the order of the board is the track only if there is no other."""
        many = len(self.shorthand.game.board.regions)
        run, numbers = list[tuple[int, int]](), 0
        for at, token in enumerate(self.tokens):
            numbers = numbers + 1 if token.kind in {"number", "dash"} else 0 if token.kind == "place" else numbers
            region = next((value for kind, value in token.places if kind == "region"), -1)
            if len({each for each, _ in run}) == many and token.line > self.tokens[run[-1][1]].line + 1:
                run = []  # a region behind a gap is not in the list of all regions before it
            if region >= 0 and (not run or run[-1][0] != region):
                run = [*run, (region, at)]
                if len({each for each, _ in run[-many:]}) == many:
                    self._add_track(run[-many:])
            elif region < 0 and (token.kind in {"followers", "counts"} or numbers == len(self._every)):
                self._add_short_track([each for each in run if self.tokens[each[1]].line != token.line])
                run = []
        self._add_short_track(run)
        self._read_row_order()
        self._read_numbered_places()
        if sorted(slot for slot, _ in self._slots.values()) == [*range(1, many + 1)]:
            order = sorted(self._slots, key=lambda region: self._slots[region][0])
            self.tracks.append((0.0, tuple(order), max(line for _, line in self._slots.values())))

    def _read_numbered_places(self) -> None:
        """Take regions behind the numbers of the struggles as a track, even beside other columns or before their followers."""
        alone, every = list[tuple[int, int, int]](), list[tuple[int, int, int]]()
        tokens = [token for token in self.tokens if token.kind != "break" or token.cost >= NEW_LINE]
        for number, token, behind in zip(tokens, tokens[1:], [*tokens[2:], None], strict=False):
            is_alone = behind is None or behind.kind in {"place", "break", "slot", "word"}
            region = next((value for kind, value in token.places if kind == "region"), -1)
            if number.kind in {"slot", "number"} and token.kind == "place" and region >= 0:
                every.append((number.value, region, token.line))
                alone += every[-1:] if number.kind == "slot" and is_alone else []
        many = len(self.shorthand.game.board.regions)
        for cost, numbered in ((0.0, alone), (SHARED, every)):
            for at in range(len(numbered) - many + 1):
                numbers, regions, lines = zip(*sorted(numbered[at : at + many]), strict=True)
                if numbers == (*range(1, many + 1),) and sorted(regions) == [*range(many)]:
                    usual = USUAL * bool(cost and self._is_usual(regions))
                    self.tracks.append((cost + usual, regions, max(lines)))

    def _read_row_order(self) -> None:
        """Take the order in which regions have their followers as a track if it is not that of the board."""
        many, heads = len(self.shorthand.game.board.regions), list[tuple[int, int, float]]()
        for at, token in enumerate(self.tokens):
            region = next((value for kind, value in token.places if kind == "region"), -1)
            if region >= 0 and self._is_place(at) and [each[:2] for each in heads[-1:]] != [(region, token.line)]:
                is_told = any(each.kind in {"followers", "number", "counts", "same"} for each in self._look(at, 1))
                heads.append((region, token.line, 0.0 if is_told else SHARED))
        lines = Counter(line for _, line, _ in heads)
        for rows in ([each for each in heads if lines[each[1]] == 1], heads):
            for start in range(len(rows) - many + 1):
                regions, of_lines, costs = zip(*rows[start : start + many], strict=True)
                if sorted(regions) == [*range(many)] and not self._is_usual(regions):
                    self.tracks.append((OF_ROWS + STRANGE_WORD * start + sum(costs), regions, of_lines[-1]))

    def _is_usual(self, regions: Sequence[int]) -> bool:
        """Return True if regions are in the order of the board or of the alphabet, as people list them."""
        names = [self.shorthand.game.board.regions[index].name for index in regions]
        return list(regions) == sorted(regions) or names == sorted(names)

    def _add_track(self, run: Sequence[tuple[int, int]]) -> None:
        lines = [self.tokens[at].line for _, at in run]
        regions = tuple(region for region, _ in run)
        cost = STRANGE_WORD * sum(line != other for line, other in pairwise(lines))
        for step in (-1, 1):
            near = [self.tokens[at + step : at + step + 1] for _, at in run]
            numbers = [each[0].value for each in near if each and each[0].kind in {"number", "slot"}]
            if sorted(numbers) == [*range(1, len(run) + 1)]:
                regions = tuple(regions[numbers.index(number)] for number in sorted(numbers))
                cost -= COUNTED
                break
        self.tracks.append((cost + USUAL * self._is_usual(regions), regions, lines[-1]))
        self._read_groups(run)

    def _add_short_track(self, run: Sequence[tuple[int, int]]) -> None:
        """Take a list without the last regions."""
        many = len(self.shorthand.game.board.regions)
        twice = [at for at, (region, _) in enumerate(run) if region in {each for each, _ in run[at + 1 :]}]
        run = run[max(twice, default=-1) + 1 :]  # letters of followers before it may be regions, too
        regions = tuple(region for region, _ in run)
        is_named = not twice or all(self.tokens[at].kind == "place" for _, at in run)
        if FEWEST_TOLD <= len(run) < many and is_named:
            self.tracks.append((OF_ROWS - STRANGE_WORD * len(run), regions, self.tokens[run[-1][1]].line))

    def _read_groups(self, run: Sequence[tuple[int, int]]) -> None:
        """Read a row with the followers of all regions, below a row of their names."""
        size, cells = self.shorthand.game.setup.region, list[tuple[tuple[int, ...], int]]()
        places = [("region", region) for region, _ in run]
        last = run[-1][1]
        begun = last + 1
        while begun < len(self.tokens) and len(cells) <= len(run):
            token = self.tokens[begun]
            if token.places and SUPPLY_PLACE in token.places and not cells:
                places.append(SUPPLY_PLACE)
            elif token.kind == "place":
                break
            items = [each for each in self.tokens[begun : begun + size] if each.group == token.group]
            if token.kind in {"followers", "counts"}:
                counts = next(self._interpret(items, 0))[0]
                expected = self._sizes[places[len(cells)]] if len(cells) < len(places) else -1
                cells += [(counts, token.line)] if sum(counts) == expected else []
                if sum(counts) != expected and cells:
                    break
            begun += len(items) if token.kind == "followers" else 1
        if len(cells) >= len(run):
            for place, (counts, line) in zip(places, cells, strict=False):
                self._add_row(place, counts, COPIED, line)
            self.tracks[-1] = (self.tracks[-1][0] + USUAL, *self.tracks[-1][1:])

    def _read_cells(self) -> None:
        """Read lines of one faction each, with a number for each region."""
        found, last, many = dict[Place, dict[int, int]](), 0, len(self.shorthand.game.board.regions)
        heads = list[Place]()
        lines = dict[int, list[_Token]]()
        for token in self.tokens:
            lines.setdefault(token.line, []).append(token)
        for number, tokens in lines.items():
            said = [each for each in tokens if each.kind not in {"break", "word", "every"}]
            places = [each.places[0] for each in said if each.places and each.kind == "place"]
            numbers = [each.value for each in said if each.kind in {"number", "dash"}]
            factions = {each.value for each in said if each.kind == "followers"}
            if len(places) >= many and not factions and not numbers:
                heads = places
            slots = [each.value for each in said if each.kind == "slot"]
            regions = [index for kind, index in heads if kind == "region"]
            if sorted(slots) == [*range(1, many + 1)] and len(said) == len(regions) == many:
                self.tracks.append((0.0, tuple(regions[slots.index(slot)] for slot in sorted(slots)), number))
            is_row = len(factions) == 1 and len(said) > 1 and said[0].kind == "followers"
            owners = places or heads
            if is_row and len(owners) == len(numbers) > 1:
                for place, count in zip(owners, numbers, strict=True):
                    found.setdefault(place, {})[min(factions)] = count
            last = number if is_row else last
        for place, cells in found.items():
            counts = tuple(cells.get(at, 0) for at in range(len(self._every)))
            if sum(counts) == self._sizes.get(place):
                self._add_row(place, counts, 0.0, last)

    # the best set-up

    def _add_up_rows(self, places: Sequence[Place]) -> dict[tuple[int, ...], tuple[float, tuple[_Row | None, ...]]]:
        """Return by the number of followers of each faction the cheapest rows of these places, None for one without a row."""
        states: dict[tuple[int, ...], tuple[float, tuple[_Row | None, ...]]] = {(0,) * len(self._every): (0.0, ())}
        for place in places:
            longer: dict[tuple[int, ...], tuple[float, tuple[_Row | None, ...]]] = {}
            options: list[_Row | None] = [None, *self.rows.get(place, {}).values()]
            for total, (cost, rows) in states.items():
                for row in options:
                    more = total if row is None else tuple(map(sum, zip(total, row.counts, strict=True)))
                    worth = cost + (MISSING if row is None else row.cost)
                    if more not in longer or worth < longer[more][0]:
                        longer[more] = worth, (*rows, row)
            states = dict(sorted(longer.items(), key=lambda each: each[1][0])[:MOST_STATES])
        return states

    def _choose(self, turns: Sequence[str]) -> NotedSetup:
        """Return the rows that agree with the number of followers of each faction; those that are missing have what is left."""
        best = min(self._list_choices(), key=lambda each: each.cost)
        unsure = {place: row.line for place, row in best.told.items() if row.cost >= ALL_OF_ONE}
        supplies = self.rows.get(SUPPLY_PLACE, {}).values()
        if SUPPLY_PLACE in best.rows and SUPPLY_PLACE not in best.told and (unsure or supplies):
            told = min(supplies, key=lambda row: row.cost, default=None)
            unsure[SUPPLY_PLACE] = told.line if told else max(unsure.values())
        begin = min((row.line for (kind, _), row in best.told.items() if kind == "region"), default=0)
        return evolve(self._write(best, unsure, turns), begin=begin, cost=best.cost)

    def _list_choices(self) -> Iterator[_Choice]:
        """Yield set-ups with and without the supply that is told; one place that is not told has the followers that are left."""
        every, places = self._every, [place for place in self._sizes if place != SUPPLY_PLACE]
        supplies = self.rows.get(SUPPLY_PLACE, {})
        for total, (cost, rows) in self._add_up_rows(places).items():
            left = tuple(one - other for one, other in zip(every, total, strict=True))
            known = {place: row for place, row in zip(places, rows, strict=True) if row is not None}
            missing = [place for place in places if place not in known]
            for supply in [*supplies.values(), None]:
                told = known if supply is None else known | {SUPPLY_PLACE: supply}
                found = {place: row.counts for place, row in told.items()}
                worth, rest = cost + (MISSING / 2 if supply is None and supplies else 0), left
                if supply is not None:
                    rest = tuple(one - other for one, other in zip(left, supply.counts, strict=True))
                open_places = [*missing, *([SUPPLY_PLACE] if supply is None else [])]
                home = self._find_home(open_places[0]) if open_places else ()
                is_right = all(one >= other for one, other in zip(rest, home, strict=False))
                if len(open_places) == 1 and is_right and min(rest) >= 0 and sum(rest) == self._sizes[open_places[0]]:
                    found[open_places[0]] = rest
                    worth -= MISSING - STRANGE_WORD if missing and self._is_unsaid(missing[0]) else 0
                elif min(rest) < 0 or (any(rest) and not open_places):
                    worth += AGAINST_RULES
                yield _Choice(worth, found, told)

    def _is_unsaid(self, place: Place) -> bool:
        """Return True if nothing near a place tells its followers."""
        return min((row.cost for row in self.rows.get(place, {}).values()), default=MISSING) > OF_OTHERS

    def _write(self, best: _Choice, unsure: Mapping[Place, int], turns: Sequence[str]) -> NotedSetup:
        """Return the rows as a game file has them; those of some places are `unsure`, each with its line."""
        short = self.shorthand
        board = short.game.board
        labels: dict[Place, str] = {("region", index): region.name for index, region in enumerate(board.regions)}
        labels |= {("player", seat): f"Court {name}" for seat, name in enumerate(short.names)}
        labels[SUPPLY_PLACE] = "Supply"
        told = [index for kind, index in best.rows if kind == "region"]
        tracked = max(
            (1 + (len(each) == len(board.regions)) for cost, each, _ in self.tracks if cost < OF_ROWS), default=0
        )
        essential = sum(("region", index) not in unsure for index in told) + tracked
        first = {} if self.first is None else {"First": short.names[self.first]}
        if essential < FEWEST_TOLD:
            return NotedSetup(first, 0, essential=essential)
        _, track, line = min(self.tracks, key=lambda each: (each[0], each[2]), default=(0.0, (), 0))
        lines = sorted({row.line for row in best.told.values()} | set(self._list_lines_of_track(line) if track else ()))
        gaps = (one for one, other in pairwise(lines) if other > one + LONGEST_GAP)
        end = next(gaps, lines[-1])  # what follows behind a long gap is rather a result
        guessed = self._complete(best)
        written = {labels[place]: short.write_counts(counts) for place, counts in (best.rows | guessed).items()}
        names = {labels[place]: unsure.get(place, end) for place in self._sizes if place in unsure or place in guessed}
        if len(track) < len(board.regions):
            track, names["Track"] = self._complete_track(track, turns), end
        written["Track"] = ", ".join(board.regions[index].name for index in track)
        is_clear = len(told) > len(board.regions) / 2
        return NotedSetup(written | first, end if is_clear else 0, guessed=names, essential=essential)

    def _list_lines_of_track(self, last: int) -> range:
        """Return the lines of a track that ends on a line; it may have a region on each."""
        named, begin = {token.line for token in self.tokens if token.places}, last
        while begin - 1 in named:
            begin -= 1
        return range(begin, last + 1)

    def _complete(self, best: _Choice) -> dict[Place, tuple[int, ...]]:
        """Return the followers of the places that are not told, and of the most doubtful ones that break the rules, by what is left."""
        known, found = dict(best.rows), dict[Place, tuple[int, ...]]()
        doubts = sorted(known, key=lambda place: -best.told[place].cost if place in best.told else 0)
        left = self._count_left(known)
        while min(left) < 0:
            alone = (
                place
                for place in doubts
                if min(self._count_left({each: known[each] for each in known if each != place})) >= 0
            )
            wrong = next(alone, doubts[0])
            doubts.remove(wrong)
            del known[wrong]
            left = self._count_left(known)
        for place in (each for each in self._sizes if each not in known):
            counts = list(self._find_home(place))
            for _ in range(self._sizes[place] - sum(counts)):
                most = max(range(len(left)), key=lambda at: (left[at], -counts[at]))
                counts[most], left[most] = counts[most] + 1, left[most] - 1
            found[place] = tuple(counts)
        return found

    def _count_left(self, known: Mapping[Place, tuple[int, ...]]) -> list[int]:
        """Return how many followers of each faction are left for other places, beside those that live there."""
        rows = [known.get(place, self._find_home(place)) for place in self._sizes]
        return [every - sum(row[at] for row in rows) for at, every in enumerate(self._every)]

    def _complete_track(self, track: Sequence[int], turns: Sequence[str]) -> tuple[int, ...]:
        """Return a track with its other regions in the order in which the turns and results name them last, before any swaps."""
        last, swaps = dict[int, int](), list[tuple[int, int]]()
        for at, line in enumerate(turns):
            words = [word.meanings for word in self.shorthand.read_words(None, line) if word.meanings and word.cost > 1]
            facts = [min(each, key=lambda fact: (each[fact], fact[0] == "region")) for each in words]
            regions = list(dict.fromkeys(value for kind, value in facts if kind == "region"))
            cards = {value for kind, value in facts if kind == "card"}
            if len(regions) < MOST_NAMED or cards:
                last |= dict.fromkeys(regions, at)
            if len(regions) > 1 and any(self.shorthand.game.cards[card].form == "exchange" for card in cards):
                swaps.append((regions[0], regions[1]))
        order = sorted(range(len(self.shorthand.game.board.regions)), key=lambda region: last.get(region, -1))
        for one, other in reversed(swaps):
            here, there = order.index(one), order.index(other)
            order[here], order[there] = other, one
        return (*track, *(region for region in order if region not in track))

    # words

    def _find_columns(self, line: str) -> tuple[int, ...]:
        """Return the factions of a line that is the head of a table or tells an order, () for another line."""
        words = [fold_name(word) for word in WORDS.findall(self.shorthand.shorten_factions(line))]
        found = [self.shorthand.find_column(word) for word in words]
        factions = tuple(dict.fromkeys(each for each in found if each >= 0))
        is_head = len(factions) == len(self.shorthand.game.board.factions)
        return factions if is_head and COUNTS.keys().isdisjoint(words) and not re.search(r"\d", line) else ()

    def _read_first(self, line: str) -> None:
        """Find who starts: the player nearest before a word for it, or else behind it."""
        plain = re.sub(r"\b([^\W\d_])\.(?=\s)", r"\1", drop_accents(line.casefold()))  # `C. opens` is one sentence
        texts = BRACKETED.sub(" ", plain), *BRACKETED.findall(plain)
        plain = next((part for text in texts for part in SENTENCE.split(text) if STARTING.search(part)), "")
        if not plain or self.first is not None:
            return
        clause = next((part for part in plain.split(",") if STARTING.search(part)), "")
        for text in (clause, plain):
            found = STARTING.search(text)
            if (
                found
                and WRITER.isdisjoint(self.labels)
                and WRITER.intersection(WORDS.findall(text[: found.start()])[-1:])
            ):
                return  # `Ann (A) - Bob (B), I start`
            before, behind = (
                [self.labels[word] for word in WORDS.findall(part) if self._is_player(word, line)]
                for part in ((text[: found.start()], text[found.end() :]) if found else ("", ""))
            )
            if before or behind:
                self.first = before[-1] if before else behind[0]
                return

    def _is_player(self, word: str, line: str) -> bool:
        """Return True if a word is a player's name or another word for a player, or a single letter that is no faction's and written as one."""
        names = list(map(fold_name, self.shorthand.names))
        return word in self.labels and (
            len(word) > 2
            or word in WRITER
            or not any(name.startswith(word) and name != word for name in names)
            or word.upper() in re.findall(r"\b[A-Z]\b", line)
        )

    def _list_tokens(self, number: int, line: str) -> Iterator[_Token]:
        """Yield what the words and signs of a line mean for the set-up; two words of one region are one."""
        is_counting = self._is_wrapped and self.tokens[-1].kind == "number"  # `two` ends a line
        cost = STRANGE_WORD if self._is_wrapped else NEW_LINE if line.strip() else BLANK_LINE
        yield _Token("word" if is_counting else "break", number, cost=cost)
        long = [fold_name(word) for word in WORDS.findall(line) if len(word) > 1]
        has_words = any(self.shorthand.find_faction(word) >= 0 for word in long)
        text = TIMES.sub(
            r"\2 \1", LEADER.sub(" ", WE.sub("", EVERY_PLAYER.sub(" everyplayer ", OTHERS.sub(" everyother ", line))))
        )
        text = ORDINAL.sub(
            lambda found: f"{found[1]} {found[2]}" if self.shorthand.find_alias(found[2]) else found[0], text
        )
        text = IN_BRACKETS.sub(r"\1: \2, ", text)
        text = HYPHEN.sub("", self.shorthand.shorten_factions(text))
        last, tokens, is_named = None, list[_Token](), False
        for at, match in enumerate(TOKEN.finditer(text)):
            word, sign, _ = match[0].partition("’" if "’" in match[0] else "'")
            word = "i" if sign and word in {"j", "I"} else word
            group = number * 1000 + at
            if not word[0].isalpha():
                if self._joins(word, tokens, text[match.start() - SHORT_NAME - 1 : match.start()], text[match.end() :]):
                    continue
                is_slot = is_named and word.isdecimal()
                is_named = word == "=" and {token.kind for token in tokens} == {"word"}
                tokens = [self._read_sign(word, number, "." if is_slot else text[match.end() : match.end() + 1])]
            elif (
                has_words
                and len(word) == 1
                and word in FOREIGN
                and word not in self.labels
                and not NUMBER_BEFORE.search(text[: match.start()])
            ):
                continue
            else:
                is_counted = COUNT_BEHIND.match(text, match.end()) is not None
                tokens = self._read_word(word, text, number, group, is_counted=is_counted)
            places = tokens[0].places if tokens and tokens[0].kind == "place" else None
            if places is None or places != last or places[0][0] != "region":
                yield from tokens
            last = places

    @staticmethod
    def _joins(sign: str, tokens: Sequence[_Token], before: str, behind: str) -> bool:
        """Return True if a sign belongs to the word before it: `Sc=2`, or a full stop behind a short name."""
        is_short = any(token.kind == "place" for token in tokens) and not before.strip().isalpha()
        is_counted = any(token.kind == "followers" for token in tokens) and behind[:1].isdecimal()
        return (sign == "." and is_short) or (sign in "=:" and is_counted)

    def _read_sign(self, sign: str, line: int, behind: str) -> _Token:
        if sign.isdecimal():
            return _Token("number" if behind not in {".", ")"} else "slot", line, value=int(sign))
        if sign[0].isdecimal():
            counts = tuple(map(int, re.findall(r"\d+", sign)))
            is_row = len(counts) == len(self.shorthand.game.board.factions)
            return _Token("counts", line, counts=counts) if is_row else _Token("slot", line, value=counts[0])
        if sign in "-–—":
            return _Token("dash", line)
        if sign in "()":
            return _Token("word", line)
        return _Token("break", line, value=int(sign in ":="), cost=BREAKS[sign])

    def _read_word(self, word: str, text: str, line: int, group: int, *, is_counted: bool) -> list[_Token]:  # noqa: PLR0911 - one for each kind
        """Return what a word means; several followers for letters run together."""
        short, plain = self.shorthand, drop_accents(fold_name(word))
        if plain in {"everyplayer", "everyother"}:
            every = tuple(("player", seat) for seat in range(len(short.names)))
            return [_Token("place", line, group, places=every, cost=SHARED if plain == "everyother" else 0)]
        letters, seat, region = self._find_letters(word), self._find_seat(plain, text), self._find_region(word)
        places = tuple(
            place for place in (("player", -1 if seat is None else seat), ("region", region)) if place[1] >= 0
        )
        if letters and plain not in POSSESSIVE:
            return [_Token("followers", line, group, each, places if len(letters) == 1 else ()) for each in letters]
        if seat is not None and plain in POSSESSIVE:
            return [_Token("place", line, group, places=places[:1])]
        if plain in SUPPLY and seat is None:
            return [_Token("place", line, group, places=(SUPPLY_PLACE,))]
        for kind, words in (("every", EVERY), ("same", SAME)):
            if plain in words:
                return [_Token(kind, line, group)]
        if plain in COUNTS and not short.find_alias(word) and seat is None:
            return [_Token("number", line, group, COUNTS[plain])]
        faction = short.find_faction(plain)
        is_begun = region >= 0 and short.game.board.regions[region].name.casefold().startswith(plain)
        if faction < 0 and not is_begun and seat is None and len(word) > 1 and (is_counted or plain not in FILLERS):
            faction = short.find_column(plain)
        if faction >= 0 and seat is None:
            return [_Token("followers", line, group, faction, places if len(word) == len("Sc") else ())]
        return [_Token("place", line, group, places=places)] if places else [_Token("word", line, group)]

    def _find_letters(self, word: str) -> list[int]:
        """Return the factions of letters run together, also of many in their order; [] for a player where followers are small: `Y ry`."""
        aliases = [bool(self.shorthand.find_alias(each)) for each in (word, word.lower())]
        if word.isupper() and fold_name(word) in self.labels and aliases == [False, True]:
            return []
        letters = [each for letter in word for each in self.shorthand.find_letters(letter)]
        is_long = not word.istitle() and LONG_GROUP.fullmatch(word) is not None and len(letters) == len(word)
        return letters if is_long else self.shorthand.find_letters(word)

    @cached_property
    def _initials(self) -> dict[str, int]:
        """The first letters that only one region has."""
        names = [region.name[0] for region in self.shorthand.game.board.regions]
        return {letter: names.index(letter) for letter in ascii_uppercase if names.count(letter) == 1}

    def _find_seat(self, word: str, text: str) -> int | None:
        """Return the seat of a name, or of a word for the writer or, in a game of two, for the other player."""
        if self._is_player(word, text):
            return self.labels[word]
        writer = self.labels.get("me")
        if word in POSSESSIVE:
            return writer
        if word in THEIRS and writer is not None and len(self.shorthand.names) == len(("I", "you")):
            return 1 - writer
        return None

    def _find_region(self, word: str) -> int:
        """Return the region of a word, or -1: a name, its beginning, some of its letters; a long one with an error."""
        for kind, value in self.shorthand.find_alias(word):
            if kind == "region":
                return int(value)
        if len(word) == 1:
            return self._initials.get(word, -1)
        if word in self.shorthand.two_word_regions:
            return self.shorthand.two_word_regions[word]
        if STARTING.fullmatch(fold_name(word)) or word in FILLERS or (fold_name(word) in NOT_ANY and word != "No"):
            return -1
        found = match_name(word, self.shorthand.region_names, "region")
        near = {value for (_, value), cost in found.items() if cost < MISTYPED or len(word) >= SHORT_NAME}
        regions = self.shorthand.game.board.regions
        near = {index for index in near if fold_name(regions[index].name).startswith(fold_name(word))} or near
        return near.pop() if len(near) == 1 else -1


class NotesReader(StruggleShorthand):
    """Reads notes of The King is Dead, with the set-up that they tell."""

    def read_setup(self, lines: Sequence[str], labels: Mapping[str, int], turns: Sequence[str]) -> NotedSetup:
        return SetupReader(self, labels).read_lines(lines, turns)
