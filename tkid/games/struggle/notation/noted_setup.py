"""Read the set-up of a game as somebody noted it: followers in regions and courts, the supply, the track, who starts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from string import ascii_uppercase
from typing import Any, Protocol

from attrs import define, field, frozen

from tkid.notation.free_text import FILLERS, NOT_ANY, NUMBERS
from tkid.notation.shorthand import FOREIGN, HYPHEN, MISTYPED, NotedSetup, match_name
from tkid.notation.text import NUMBER_WORDS, drop_accents, fold_name

STARTING = re.compile(
    r"(?<!who )\b(?:first(?! (?:ed|time|region|copy))|1st(?! (?:ed|region))|starts?|start\w+|began|begins?|begin\w*|beginnt|fangt|commence|comienza|inizia)\b"
)
SUPPLY = frozenset(
    """
    supply spl pool spare spares bag box lid bank remainder stock reserve left vorrat beutel rest remaining riserva reserva sacchetto bolsa zapas sac pioche
    """.split()  # noqa: SIM905 - a list of words reads better so
)
EVERY = frozenset("each every jede jeder chaque all".split())  # noqa: SIM905 - words read better so
FEWEST_EXPLAINED = 3
"""Signs of equality in a line that explains abbreviations."""
SAME = frozenset("same gleiche ebenso genauso idem ditto likewise".split())  # noqa: SIM905 - words read better so
OTHERS = re.compile(r"\b(?:the )?(?:rest of us|others|everybody else|everyone else)\b", re.IGNORECASE)
EVERY_PLAYER = re.compile(
    r"\b(?:both(?: of us| players)?|each of \w+(?: \w+)?|every player|tutti e due|entrambi|beide|les deux|los dos)\b",
    re.IGNORECASE,
)
"""Words for all players, where no region is before them."""
REST = re.compile(r"\b(?:the )?(?:rest|others?|resto|reste)\W*$", re.IGNORECASE)
CELL = re.compile(r"\d+(?:[/:]\d+){2,}|\b[a-zA-Z]{4}\b")
"""What a line has for the followers that are left, and followers of a region in a row that has those of all."""
THEIRS = frozenset("his her their sein seine ihr ihre".split())  # noqa: SIM905 - words read better so
POSSESSIVE = frozenset("my mine our mein meine meiner ma mon mio mi".split())  # noqa: SIM905 - words read better so
TOKEN = re.compile(r"\d+(?:\s*[/:–-]\s*\d+){2,}|\d+(?:st|nd|rd|th)\b|\d+|[^\W\d_]+(?:['’][^\W\d_]+)?:?|[-–—.;]")
WORDS = re.compile(r"[^\W\d_]+")
COUNTS_BEHIND = re.compile(r"\b[A-Z]\d(?![\w/])")
TIMES = re.compile(r"([^\W\d_]+) [x×] ?(\d)\b")
WE = re.compile(r"\b[Ww]e(?= [a-z]{3,} [a-z])")
LEADER = re.compile(r"\.{3,}|(?<= )\. ?(?=\. )")
"""A count behind its follower, as in `Scots x3`; `we` as a word; and dots between a region and its followers."""
COUNTING = frozenset({"number", "followers"})
SHORT_NAME = 4
COUNTS: Mapping[str, int] = {word: number for number, word in enumerate(NUMBER_WORDS)} | {**NUMBERS,
    "vier": 4, "funf": 5, "sechs": 6, "sieben": 7, "acht": 8, "quatre": 4, "cinq": 5, "six": 6, "sept": 7, "huit": 8,
    "uno": 1, "una": 1, "due": 2, "tre": 3, "quattro": 4, "cinque": 5, "sei": 6, "sette": 7, "otto": 8,
    "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5, "seis": 6, "siete": 7, "ocho": 8,
}  # fmt: skip
"""Numbers in words. `no` counts nothing."""
LONGEST_LETTERS = 2
Place = tuple[str, int]
CLOSED: Place = ("closed", 0)
"""A place whose followers are known already."""


class SetupWords(Protocol):
    """What the words of a set-up may mean."""

    game: Any
    names: tuple[str, ...]

    @property
    def region_names(self) -> Mapping[str, tuple[int, ...]]: ...

    def find_alias(self, typed: str) -> set[tuple[str, Any]]: ...

    def find_column(self, word: str) -> int: ...

    def find_faction(self, word: str) -> int: ...

    def find_letters(self, typed: str) -> list[int]: ...

    def shorten_factions(self, text: str) -> str: ...

    def write_counts(self, counts: Sequence[int]) -> str: ...


@frozen
class _Token:
    """A word of the set-up: a place (`region`, `player`, `supply`), followers, numbers or a sign, and its value."""

    kind: str
    value: int
    counts: tuple[int, ...] = ()


LAST_START = 20
"""The last line behind which a set-up may begin."""


def _join_paragraphs(lines: Sequence[str]) -> list[str]:
    """Return as many lines, each paragraph as a whole on its first one: its sentences may go over the ends of lines."""
    joined = list[str]()
    at = 0
    for number, line in enumerate(lines):
        is_new = not line.strip() or number == 0 or not lines[number - 1].strip()
        at = number if is_new else at
        joined.append(line if is_new else "")
        if not is_new:
            joined[at] += f" {line.strip()}"
    return joined


@define
class SetupReader:
    """Reads notes line by line: followers belong to the places named before them, or else to the next one."""

    shorthand: SetupWords
    labels: Mapping[str, int]
    has_long_rows: bool = False
    """True if a row may begin on one line and end on the next."""
    is_place_last: bool = False
    """True if followers stand before their place."""
    rows: dict[Place, list[int]] = field(factory=dict)
    track: tuple[int, ...] = ()
    first: int | None = None
    end: int = 0
    """How many lines belong to the set-up so far."""
    _run: list[int] = field(factory=list)
    _places: list[Place] = field(factory=list)
    _is_counted: bool = False
    _waiting: list[int] = field(factory=list)
    """Followers without a place so far."""
    _last: list[int] = field(factory=list)
    """The followers of the place before."""
    _left: set[int] = field(factory=set)
    """Regions that get the remaining followers."""
    _copy: list[int] = field(factory=list)
    """Followers that the places behind have too: `the same in Essex`."""
    _numbers: dict[int, int] = field(factory=dict)
    """The regions by the number of their power struggle, from a table."""
    _columns: tuple[int, ...] = ()
    """The factions of a table's columns."""
    _usual: tuple[int, ...] = ()
    """All regions in their usual order, which is the track only if there is no other."""

    def read_lines(self, lines: Sequence[str]) -> NotedSetup:
        """Read a set-up in each way in which people write one, and take the one that is right in most; what the notes do not tell is left out."""
        blank = [number for number, line in enumerate(lines[:LAST_START], 1) if not line.strip()]
        readers = list[SetupReader]()
        for begin, is_joined in ((0, False), (0, True), *product(blank, (False, True))):
            for last, long in product((False, True), repeat=2):
                reader = SetupReader(self.shorthand, self.labels, long, last)
                reader.read_way(_join_paragraphs(lines) if is_joined else lines, begin)
                readers.append(reader)
            if min(map(SetupReader.count_faults, readers)) == 0:
                break
        return min(readers, key=SetupReader.count_faults).write_setup()

    def write_setup(self) -> NotedSetup:
        return NotedSetup(self._write_rows(), self.end if self._knows_regions else 0)

    def read_way(self, lines: Sequence[str], begin: int = 0) -> None:
        """Read some lines; those up to the line `begin`, such as a key, say only who starts."""
        for number, line in enumerate(self._spread_rows(lines), 1):
            self._read_first(line)
            if number <= begin:
                continue
            if self.is_complete and not any(token.kind == "supply" for token in self._list_tokens(line)):
                if self.first is not None:
                    break
            elif self._names_rest(line):
                self._left.add(next(token.value for token in self._list_tokens(line)))
            elif not self._is_legend(line):
                self._read_line(number, line)

    def _spread_rows(self, lines: Sequence[str]) -> list[str]:
        """Return lines; a row with the followers of all regions, below a row of their names, has each behind its region."""
        names, spread = list[str](), list[str]()
        for given in lines:
            line = given
            cells = [cell for cell in CELL.findall(line) if cell[0].isdecimal() or self.shorthand.find_letters(cell)]
            regions = [token.value for token in self._list_tokens(line) if token.kind == "region"]
            if names and not regions and len(names) <= len(cells) <= len(names) + 1:
                head = [*names, "supply"][: len(cells)]
                rest = line[line.rindex(cells[-1]) + len(cells[-1]) :]
                line = "; ".join(f"{name} {cell} ." for name, cell in zip(head, cells, strict=True)) + rest
                spread[-1] = ""
            is_row = not cells and len(regions) == len({*regions}) == len(self.shorthand.game.board.regions)
            names = [self.shorthand.game.board.regions[index].name for index in regions] if is_row else []
            spread.append(line)
        return spread

    def _names_rest(self, line: str) -> bool:
        tokens = [token.kind for token in self._list_tokens(line)]
        return tokens[:1] == ["region"] and tokens[1:] in ([], ["supply"]) and REST.search(line) is not None

    def _is_legend(self, line: str) -> bool:
        words = re.findall(r"[^\W\d_]+", line)
        is_counted = re.search(r"\d", line) or any(
            fold_name(word) in COUNTS or len(self.shorthand.find_letters(word)) > LONGEST_LETTERS for word in words
        )
        return line.count("=") >= FEWEST_EXPLAINED and not is_counted

    def _find_sizes(self) -> dict[Place, int]:
        """Return how many followers each place has by the rules."""
        setup, board = self.shorthand.game.setup, self.shorthand.game.board
        players = len(self.shorthand.names)
        sizes = {("region", index): setup.region for index in range(len(board.regions))}
        sizes |= {("player", seat): setup.court for seat in range(players)}
        return sizes | {("supply", 0): sum(setup.count_all_followers(board, players)) - sum(sizes.values())}

    def count_faults(self) -> int:
        """Return how many rows are missing or have another number of followers than the rules ask."""
        setup, board, sizes = self.shorthand.game.setup, self.shorthand.game.board, self._find_sizes()
        wrong: int = sum(sum(self.rows.get(place, ())) != size for place, size in sizes.items() if place[0] != "supply")
        wrong += not self.track
        total = [sum(counts) for counts in zip(*self.rows.values(), strict=True)]
        every = setup.count_all_followers(board, len(self.shorthand.names))
        return wrong + (total != [*every] and ("supply", 0) in self.rows)

    @property
    def _knows_regions(self) -> bool:
        return all(("region", index) in self.rows for index in range(len(self.shorthand.game.board.regions)))

    @property
    def is_complete(self) -> bool:
        """Return True if every region, every court and the track are known."""
        board = self.shorthand.game.board
        known = len({place for place in self.rows if place[0] != "supply"} | {("region", each) for each in self._left})
        return known == len(board.regions) + len(self.shorthand.names) and bool(self.track)

    def _read_line(self, number: int, line: str) -> None:
        if self._is_counted or not self.has_long_rows or not line.strip():
            self._forget_places()
        self._places = [place for place in self._places if place[0] != "player"]
        tokens = list(self._list_tokens(line))
        factions = [token.value for token in tokens if token.kind == "followers"]
        places = [token for token in tokens if token.kind in {"region", "player", "supply"}]
        if columns := self._find_columns(line):
            self._columns = columns
            return
        size = len(self._columns)
        if size and places and not factions and tokens[0].kind in {"region", "player", "supply"}:
            cells = [token.value for token in tokens if token.kind in {"number", "sign"} and token.value >= 0]
            if len(places) == 1 and len(cells) == size + 1 and places[0].kind == "region":
                self._add_number(places[0].value, cells.pop(), number)
            if len(cells) == len(places) * size:
                for index, token in enumerate(places):
                    row = dict(zip(self._columns, cells[index * size : (index + 1) * size], strict=True))
                    self._add_row((token.kind, token.value), [row[faction] for faction in range(size)], number)
                return
        kinds = [token.kind for token in tokens if token.kind in {"followers", "number", "sign"} and token.value >= 0]
        ends = kinds[:1] == ["followers"] and kinds[-1:] in (["number"], ["sign"]) and kinds.count("followers") > 1
        is_behind = COUNTS_BEHIND.search(line) is not None or ends
        for index, token in enumerate(tokens):
            self._read_token(
                token, tokens[index - 1 : index], tokens[index + 1 : index + 2], number, is_behind=is_behind
            )

    def _add_number(self, region: int, struggle: int, line: int) -> None:
        """Note the number of a region's power struggle; all of them are the track."""
        self._numbers[struggle] = region
        if [*range(1, len(self.shorthand.game.board.regions) + 1)] == sorted(self._numbers):
            self.track, self.end = tuple(self._numbers[at] for at in sorted(self._numbers)), line

    def _find_columns(self, line: str) -> tuple[int, ...]:
        """Return the factions of a line that is the head of a table, () for another line."""
        words = [fold_name(word) for word in re.findall(r"[^\W\d_]+", self.shorthand.shorten_factions(line))]
        found = [self.shorthand.find_column(word) for word in words]
        factions = tuple(each for each in found if each >= 0)
        is_head = len(factions) == len({*factions}) == len(self.shorthand.game.board.factions)
        return factions if is_head and COUNTS.keys().isdisjoint(words) and not re.search(r"\d", line) else ()

    def _read_token(
        self, token: _Token, before: Sequence[_Token], behind: Sequence[_Token], line: int, *, is_behind: bool
    ) -> None:
        if token.kind in {"region", "player", "supply"}:
            self._read_place((token.kind, token.value), line)
        elif token.kind == "counts":
            self._add_counts(list(token.counts), line)
        elif token.kind == "followers":
            self._run.clear()
            near = behind if is_behind else before
            is_none = is_behind and near and near[0].kind == "sign"
            count = near[0].value if near and near[0].kind == "number" else 0 if is_none else 1
            counts = [0] * len(self.shorthand.game.board.factions)
            counts[token.value] = count
            if self._places or (near and near[0].kind == "number"):
                self._add_counts(counts, line)
        elif token.kind == "every":
            count = before[0].value if before and before[0].kind == "number" else 0
            if count:
                self._add_counts([count] * len(self.shorthand.game.board.factions), line)
        elif (
            token.kind == "same" and self._places and not (self._is_counted or (behind and behind[0].kind in COUNTING))
        ):
            self._add_counts(self._last, line)
        elif token.kind == "same" and self._is_counted and not (behind and behind[0].kind == "number"):
            self._copy, self._places = [*self._last], []
        elif token.kind == "sign" and token.value < 0:
            self._places, self._is_counted, self._copy = [], False, []  # the end of a sentence

    def _read_place(self, place: Place, line: int) -> None:
        if place[0] == "region":
            if not self._run or self._run[-1] != place[1]:
                self._run = [each for each in self._run if each != place[1]] + [place[1]]
            if self._run == [*range(len(self.shorthand.game.board.regions))]:
                self._usual, self._run = tuple(self._run), []
            if len(self._run) == len(self.shorthand.game.board.regions) and not self.track:
                self.track, self.end = tuple(self._run), line
                self._forget_places()
                return
        else:
            self._run.clear()
        if self._is_counted:
            self._places, self._is_counted = [], False
        place = CLOSED if place in self.rows else place
        if place not in self._places:
            self._places.append(place)
        if self._copy and place != CLOSED:
            self._add_row(place, [*self._copy], line)
            return
        if self._waiting:
            counts, self._waiting, is_last, self.is_place_last = self._waiting, [], self.is_place_last, False
            self._add_counts(counts, line)
            self.is_place_last = is_last

    def _add_counts(self, counts: list[int], line: int) -> None:
        self._run.clear()
        self._last = [old + new for old, new in zip(self._last, counts, strict=True)] if self._is_counted else [*counts]
        if not self._places or self.is_place_last:
            known = self._waiting or [0] * len(counts)
            self._waiting = [old + new for old, new in zip(known, counts, strict=True)]
            return
        for place in self._places:
            if place != CLOSED:
                known = self.rows.get(place, [0] * len(counts))
                self.rows[place] = [old + new for old, new in zip(known, counts, strict=True)]
                self.end = line
        self._is_counted = True

    def _add_row(self, place: Place, counts: list[int], line: int) -> None:
        self._run.clear()
        self.rows.setdefault(place, counts)
        self.end = line

    def _forget_places(self) -> None:
        self._places, self._is_counted, self._waiting, self._copy = [], False, [], []

    def _read_first(self, line: str) -> None:
        """Find who starts: the player nearest before a word for it, or else behind it."""
        plain = drop_accents(line.casefold())
        found = STARTING.search(plain)
        if not found or self.first is not None:
            return
        before = [
            self.labels[word]
            for word in re.findall(r"[^\W\d_]+", plain[: found.start()])
            if self._is_player(word, line)
        ]
        behind = [
            self.labels[word] for word in re.findall(r"[^\W\d_]+", plain[found.end() :]) if self._is_player(word, line)
        ]
        if before or behind:
            self.first = before[-1] if before else behind[0]

    def _is_player(self, word: str, line: str) -> bool:
        """Return True if a word is a player's name, or a single letter that is no faction's and written as one."""
        return word in self.labels and (
            len(word) > 2
            or word in map(fold_name, self.shorthand.names)
            or word in {"i", "me"}
            or word.upper() in re.findall(r"\b[A-Z]\b", line)
        )

    def _list_tokens(self, line: str) -> Iterator[_Token]:
        """Yield what the words and signs of a line mean for the set-up; two words of one region are one."""
        seats = range(len(self.shorthand.names))
        others = " ".join(self.shorthand.names[seat] for seat in seats if ("player", seat) not in self.rows)
        long = [fold_name(word) for word in WORDS.findall(line) if len(word) > 1]
        has_words = any(self.shorthand.find_faction(word) >= 0 for word in long)
        line = TIMES.sub(r"\2 \1", LEADER.sub(" ", WE.sub("", line)))
        head, sign, rest = line.partition(":")
        if sign and fold_name(head) in self.labels and len(rest.split()) > 1:
            behind = WORDS.findall(rest)[:1]
            line = rest if behind and (self._find_region(behind[0]) >= 0 or fold_name(behind[0]) in SUPPLY) else line
        text, last = HYPHEN.sub("", OTHERS.sub(others, self.shorthand.shorten_factions(line))), -1
        for part in text.split(". "):
            every = EVERY_PLAYER.split(part)
            if len(every) > 1 and not any(self._find_region(word) >= 0 for word in WORDS.findall(every[0])):
                text = text.replace(part, others.join(every))
        for found in TOKEN.findall(text):
            word = re.split("['’:]", found)[0]
            if not word[0].isalpha():
                yield from self._read_sign(word)
                last = -1
                continue
            if has_words and len(word) == 1 and word in FOREIGN and word not in self.labels:
                continue
            tokens = self._read_word(word, text, is_heading=found.endswith(":"))
            region = tokens[0].value if tokens and tokens[0].kind == "region" else -1
            yield from tokens if region < 0 or region != last else ()
            last = region

    def _read_sign(self, sign: str) -> Iterator[_Token]:
        if sign.isdecimal():
            yield _Token("number", int(sign))
        elif sign[0].isdecimal():
            counts = tuple(map(int, re.findall(r"\d+", sign)))
            if len(counts) == len(self.shorthand.game.board.factions):
                yield _Token("counts", 0, counts)
        elif sign in ".-–—":
            yield _Token("sign", -1 if sign == "." else 0)

    def _read_word(self, word: str, text: str, *, is_heading: bool) -> list[_Token]:
        """Return what a word means; `is_heading` if a colon follows it."""
        short, plain = self.shorthand, fold_name(word)
        letters, seat = short.find_letters(word), self._find_seat(plain, text)
        is_code = word in self._codes
        is_court = word in re.findall(rf"{word}\W*(?=[^\W\d_])", text) and not self._knows_regions
        if is_code and (not letters or (is_court and WORDS.findall(text)[:1] == [word])):
            return [_Token("region", self._find_region(word))]
        if seat is not None and (not letters or plain in POSSESSIVE):
            return [_Token("player", seat)]
        if letters:
            return [_Token("followers", each) for each in letters]
        kinds = (("supply", SUPPLY), ("every", EVERY), ("same", SAME))
        if kind := next((kind for kind, words in kinds if plain in words), ""):
            return [_Token(kind, 0)]
        if drop_accents(plain) in COUNTS and not short.find_alias(word):
            return [] if is_heading else [_Token("number", COUNTS[drop_accents(plain)])]  # `my two: Welsh, English`
        named = ("followers", short.find_faction(plain)), ("region", self._find_region(word))
        return [_Token(kind, value) for kind, value in named if value >= 0][:1]

    @property
    def _codes(self) -> set[str]:
        """The letters of regions, if the notes have one for most of them."""
        found = {
            each for each in ascii_uppercase if any(kind == "region" for kind, _ in self.shorthand.find_alias(each))
        }
        return found if len(found) > len(self.shorthand.game.board.regions) / 2 else set()

    def _find_seat(self, word: str, text: str) -> int | None:
        """Return the seat of a name, or of a word for the writer or, in a game of two, for the other player."""
        writer = self.labels.get("i")
        if word in POSSESSIVE:
            return writer
        if word in THEIRS and writer is not None and len(self.shorthand.names) == len(("I", "you")):
            return 1 - writer
        return self.labels[word] if self._is_player(word, text) else None

    def _find_region(self, word: str) -> int:
        """Return the region of a word, or -1: a name, its beginning, some of its letters; a long one with an error."""
        for kind, value in self.shorthand.find_alias(word):
            if kind == "region":
                return int(value)
        if len(word) < 2 or STARTING.fullmatch(fold_name(word)) or word in FILLERS or fold_name(word) in NOT_ANY:
            return -1
        found = match_name(word, self.shorthand.region_names, "region")
        near = {value for (_, value), cost in found.items() if cost < MISTYPED or len(word) >= SHORT_NAME}
        return near.pop() if len(near) == 1 else -1

    def _write_rows(self) -> dict[str, str]:
        """Return the rows as a game file has them. The followers of one place that is missing or wrong are those that are left."""
        short = self.shorthand
        board = short.game.board
        labels: dict[Place, str] = {("region", index): region.name for index, region in enumerate(board.regions)}
        labels |= {("player", seat): f"Court {name}" for seat, name in enumerate(short.names)}
        labels[("supply", 0)] = "Supply"
        sizes = self._find_sizes()
        wrong = [place for place in labels if sum(self.rows.get(place, ())) != sizes[place]]
        if len(wrong) == 1:
            every = short.game.setup.count_all_followers(board, len(short.names))
            others = [counts for place, counts in self.rows.items() if place in labels and place != wrong[0]]
            left = [total - sum(row[index] for row in others) for index, total in enumerate(every)]
            if min(left) >= 0 or wrong[0] not in self.rows:
                self.rows[wrong[0]] = [max(0, count) for count in left]
        rows = {labels[place]: short.write_counts(counts) for place, counts in self.rows.items() if place in labels}
        if track := self.track or self._usual:
            rows["Track"] = ", ".join(board.regions[index].name for index in track)
        if self.first is not None:
            rows["First"] = short.names[self.first]
        return rows
