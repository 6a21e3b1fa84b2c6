"""Divide the notes of a game into pieces of one turn each, even if a line has several."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from importlib.resources import files
from itertools import pairwise

from attrs import Factory, evolve, frozen

from tkid.notation.free_text import FILLERS, HISTORY_BESIDE_TURN
from tkid.notation.shorthand import PASSING, Shorthand
from tkid.notation.text import fold_name

NUMBER = re.compile(
    r"\s*(?:turn|t|zug|#)?\s*(?P<first>\d{1,3})(?:\s*(?:-|–|—|to|bis)\s*(?P<last>\d{1,3})\b)?(?![\w/+-])(?!\s*[-–]\s*\d)[.):]*\s*",
    re.IGNORECASE,
)
ROUND = re.compile(r"\s*(?:round|runde|tour)\s*\d+\s*[.:]?\s*", re.IGNORECASE)
BREAK = re.compile(
    r"\s*(?:(?<!<)->|(?<!<)=>|→|⇒)\s*|(?<=[!?;])\s+|(?<=[^\W\d_]{4}[.])\s+|(?<=\)[.])\s+|\s{2,}|\t+|\s+[-–—]\s+(?=\D)"
    r"|(?<=[\s,.;])(?=\d{1,3}(?:\s*[-–]\s*\d{1,3})?[.)]?\s+(?P<behind>[^\W\d_]+))"
)
"""Places at which a turn may end."""
SIGNS = re.compile(r"(?:->|=>|→|⇒|[-–—]|\s)+")
BRACKET = re.compile(r"\(([^()]*)\)|\[([^\[\]]*)\]")
REMARK = re.compile(r"^\s*(?:#|//)")
EVERYBODY = frozenset("all everybody everyone both alle beide tous tutti todos".split())  # noqa: SIM905
BESIDE_PASS = EVERYBODY | frozenset(
    """
    and then also again too und et e y we another a so did do three two four after that third second time the once more
    all of us does nochmal wieder auch danach after
    """.split()  # noqa: SIM905 - a list of words reads better so
)
AGAIN = frozenset("again wieder nochmal encore".split())  # noqa: SIM905
WINNING = frozenset("win wins won winner gewinnt gewonnen sieger gagne vince gana wygral ganha".split())  # noqa: SIM905
SELF = frozenset("i me ich je moi yo io".split())  # noqa: SIM905
MYSELF = re.compile(
    r"([^\W\d_]+) *\([^()]*\b(?:me|ich|i)\b[^()]*\)|\b(?:i'?m|me|ich bin|ich) *[(=]? *([^\W\d_]+)", re.IGNORECASE
)
"""How people say who of the players writes: `Ann (that's me)`, `me (bob)`, `im bob`."""
CLAUSE = re.compile(r"[,.;!?]+(?:\s+|$)|\bso\b|&")
WORD = re.compile(r"[^\W\d_]+|[-–—]+")
LETTERS = re.compile(r"[^\W\d_]+")
MISREAD = (
    (re.compile(r"(?<=[^\W\d_])1(?=[^\W\d_])|\b1(?=[a-z]{3})"), "l"),
    (re.compile(r"(?<=[^\W\d_])0(?=[^\W\d_])"), "o"),
    (re.compile(r"\b0(?=[^\W\d_]{3})"), "O"),
    (re.compile(r"\bl(?=[A-Z]\b)"), "1"),
)
"""Digits within words, and letters in place of digits, that text recognition takes for each other."""
CARD = re.compile(
    r"\b([^\W\d_]{4,})[ -](?:card|carte|karte)\b|\b(?:carte|carta) ([^\W\d_]{4,})(?:-[^\W\d_]+)?", re.IGNORECASE
)
"""The name of a card beside the word for it: `Welsh card`, `carte Romano`."""
MISREAD_NUMBER = re.compile(r"(?<!\w)(?!I\b)(?=[\dlIO]*[\dl])[\dlIO]{1,3}(?!\w)")
DIGITS = str.maketrans("lIO", "110")


FEWEST_SAID = 3
"""Words of a line that may be a summons without a word for it."""


@frozen
class Chunk:
    """A piece of the notes that tells one turn, or several passes: its line, from 1, and what it says."""

    line: int
    text: str
    said: str
    """The text without number and name."""
    numbers: tuple[int, ...] = ()
    seat: int | None = None
    passes: int = 0
    """How many passes it tells in a row; 0 if it is a turn in words, -1 for everybody's."""
    results: tuple[tuple[str, int], ...] = ()
    """What followed by the notes, each with its line."""

    @property
    def is_begun(self) -> bool:
        """Return True if it is only a number or a name so far."""
        return not self.said and not self.passes

    def with_result(self, said: str, line: int) -> Chunk:
        return evolve(self, results=(*self.results, (said, line)))


@frozen(eq=False)
class NoteReader:
    """Divides notes by the names of the players, and by what the words of the game mean.

    `writer` is the seat of who says `I` in them, and `answers` are turns that replace lines, by the number of the line.
    """

    shorthand: Shorthand
    names: tuple[str, ...]
    writer: int | None = None
    answers: Mapping[int, str] = Factory(dict)

    @cached_property
    def labels(self) -> Mapping[str, int]:
        """How players are called: by name, and by first letters that no other name begins with."""
        labels: dict[str, int] = {}
        names = [fold_name(name) for name in self.names]
        for seat, name in enumerate(names):
            for size in range(1, len(name) + 1):
                is_clear = size in {1, len(name)} or name[:size] not in FILLERS
                if is_clear and not any(other.startswith(name[:size]) for at, other in enumerate(names) if at != seat):
                    labels[name[:size]] = seat
        return labels if self.writer is None else labels | dict.fromkeys(SELF, self.writer)

    def split_notes(self, lines: Sequence[tuple[int, str]]) -> list[Chunk]:
        """Divide notes into pieces of one turn each; what followed joins the turn before it."""
        chunks: list[Chunk] = []
        for number, line in lines:
            if not line.strip() or REMARK.match(line):
                continue
            if number in self.answers:
                chunks.append(Chunk(number, line.strip(), self.answers[number]))
                continue
            if chunks and chunks[-1].passes and self._is_result_line(line):
                chunks[-1] = chunks[-1].with_result(line.strip(), number)
                continue
            for apart, piece in self._split_line(mend_misread(HISTORY_BESIDE_TURN.sub("", line))):
                known = next((chunk.numbers[-1] for chunk in reversed(chunks) if chunk.numbers), 0)
                self._add_piece(chunks, self._read_piece(number, piece, known + 1, is_first=not apart), apart)
            if chunks and chunks[-1].is_begun:
                chunks.pop()
        return chunks

    def _split_line(self, line: str) -> Iterator[tuple[str, str]]:
        """Yield each part of a line with the separator before it. A part ends at a sign, and before a name that begins a turn."""
        text = ROUND.sub("", line.strip(), count=1) if ROUND.match(line.strip()) else line.strip()
        cuts = {0, len(text)}
        for found in BREAK.finditer(text):
            if text.count("(", 0, found.start()) <= text.count(")", 0, found.start()):
                behind = found["behind"]
                if behind is None or self._is_label(behind) or self.begins_turn(behind):
                    cuts |= {found.start(), found.end()}
        words = list(WORD.finditer(text))
        for word, following in pairwise(words):
            before = WORD.findall(text[max(cut for cut in cuts if cut <= word.start()) : word.start()])
            if (
                text.count("(", 0, word.start()) <= text.count(")", 0, word.start())
                and self._is_label(word[0])
                and self.begins_turn(following[0])
                and not all(self._is_label(each) or fold_name(each) in BESIDE_PASS for each in before)
            ):
                cuts.add(word.start())
        places, apart = sorted(cuts), ""
        for start, end in pairwise(places):
            part = text[start:end].strip(" ,;/\t")
            if part and (end == len(text) or not SIGNS.fullmatch(part)):
                yield apart, part
                apart = "; " if text[start:end].rstrip().endswith(";") else " "
            elif text[start:end] != " ":
                apart = "; "

    def _is_label(self, word: str) -> bool:
        return fold_name(word) in self.labels and (len(word) > 1 or fold_name(word) not in PASSING)

    def begins_turn(self, word: str) -> bool:
        return (word[0].isalpha() and fold_name(word) in PASSING) or (len(word) > 1 and self.shorthand.names_card(word))

    def _names_card(self, text: str) -> bool:
        return any(self.shorthand.names_card(word) for word in WORD.findall(text) if len(word) > 1)

    def _read_piece(self, line: int, text: str, due: int, *, is_first: bool) -> Chunk:
        """Read a part of a line: its number (the one that is `due` is surely one), its player, and what followed in brackets."""
        said, results = self._take_results(text)
        numbered = NUMBER.match(said)
        behind = LETTERS.search(said, numbered.end()) if numbered else None
        is_count = behind and not (self._is_label(behind[0]) or self.begins_turn(behind[0]))
        is_count = is_count and not (numbered and is_first and int(numbered["first"]) == due > 1)
        if numbered and is_count and (not is_first or self.shorthand.find_kinds(said[numbered.end() :].split(" ")[0])):
            numbered = None
        numbers: tuple[int, ...] = ()
        if numbered:
            numbers = tuple(range(int(numbered["first"]), int(numbered["last"] or numbered["first"]) + 1))
            said = said[numbered.end() :]
        seat, rest = self._take_label(said)
        is_pass = rest.strip() in PASSING or any(self._is_pass(word) for word in WORD.findall(rest))
        passes = self._count_all_passes(said, len(numbers)) if is_pass and not self._names_card(rest) else 0
        if not passes and len(numbers) > 1 and not self._names_card(rest):
            passes = len(numbers)
        if passes:
            told = [clause for clause in CLAUSE.split(said) if clause.strip() and not self._count_passes(clause)]
            whole = ", ".join(told)
            results += (
                [whole] if self._is_result(whole) else [each for each in told if self._is_result(each, loose=True)]
            )
        return Chunk(line, text, rest.strip(), numbers, seat, passes, tuple((each, line) for each in results))

    def _add_piece(self, chunks: list[Chunk], piece: Chunk, apart: str) -> None:
        """Add a piece to the notes so far: as what followed, as more of the turn before, or as another turn."""
        last = chunks[-1] if chunks else None
        before = last if last is not None and last.line == piece.line else None
        is_bare = piece.seat is None and not piece.numbers
        if last is not None and not last.is_begun and not piece.passes and self.find_winners(piece.text) is not None:
            chunks[-1] = last.with_result(piece.text, piece.line)
            return
        loose = last is not None and (last.passes != 0 or (before is None and bool(re.search(r"\d", piece.said))))
        if (
            last is not None
            and not last.is_begun
            and not piece.passes
            and is_bare
            and self._is_result(piece.said, loose=loose)
        ):
            chunks[-1] = last.with_result(piece.said, piece.line)
            return
        if not piece.passes and not piece.results and not self.shorthand.find_kinds(piece.said):
            self._add_empty(chunks, piece, before)
            return
        if before is not None and before.is_begun and not (piece.numbers and before.numbers):
            chunks.pop()
            text, seat = f"{before.text} {piece.text}", before.seat if piece.seat is None else piece.seat
            piece = evolve(piece, text=text, numbers=piece.numbers or before.numbers, seat=seat)
            if piece.passes and len(piece.numbers) > 1:
                piece = evolve(piece, passes=len(piece.numbers))
        elif last is not None and self._goes_on(last, piece, before):
            is_remark = (before is None or apart == " ") and self._is_remark(last, piece)
            said = last.said if is_remark else f"{last.said}{apart if before is not None else '; '}{piece.said}"
            results = (*last.results, *piece.results)
            chunks[-1] = evolve(last, text=f"{last.text} {piece.text}", said=said, results=results)
            return
        chunks.append(piece)

    def _add_empty(self, chunks: list[Chunk], piece: Chunk, before: Chunk | None) -> None:
        """Keep a number or a name for the piece that follows; `and again` repeats a pass of everybody."""
        again = not AGAIN.isdisjoint(map(fold_name, WORD.findall(piece.said)))
        if chunks and chunks[-1].passes < 0 and again:
            chunks.append(evolve(chunks[-1], line=piece.line, text=piece.text, results=()))
        elif before is not None and before.is_begun and not piece.numbers:
            chunks[-1] = evolve(before, text=f"{before.text} {piece.text}", seat=piece.seat)
        elif piece.numbers or piece.seat is not None:
            chunks.append(evolve(piece, said=""))

    def _goes_on(self, last: Chunk, piece: Chunk, before: Chunk | None) -> bool:
        """Return True if a piece is more of the turn before it: on its line, or a line without card, number and name."""
        if last.passes or piece.passes or piece.numbers:
            return False
        names_card = self._names_card(piece.said)
        if names_card and self._names_card(last.said):
            return False
        return piece.seat in {None, last.seat} if before is not None else piece.seat is None and not names_card

    def _is_remark(self, last: Chunk, piece: Chunk) -> bool:
        """Return True if another sentence or line behind a turn names neither a card nor a summons."""
        kinds = self.shorthand.find_kinds(piece.said)
        if last.line != piece.line and len(WORD.findall(piece.said)) <= FEWEST_SAID:
            return False
        return (
            "region" in self.shorthand.find_kinds(last.said)
            and not kinds & {"summon", "pass"}
            and not self._names_card(piece.said)
        )

    def _count_all_passes(self, said: str, numbered: int) -> int:
        passes = [self._count_passes(clause) for clause in CLAUSE.split(said) if clause and clause.strip()]
        if not any(passes):
            return 0
        return -1 if -1 in passes and numbered < 2 else max(sum(map(abs, passes)), numbered)

    def _count_passes(self, clause: str) -> int:
        """Return how many passes a clause tells, if it tells nothing else: 0 for none, -1 for everybody's."""
        words = [fold_name(word) or word for word in WORD.findall(clause)]
        passing = sum(word in PASSING for word in words)
        names = sum(word in self.labels and word not in PASSING for word in words)
        strange = [
            word for word in words if word not in PASSING and word not in self.labels and word not in BESIDE_PASS
        ]
        if (strange and not passing) or any(self.shorthand.find_kinds(word) for word in strange):
            return 0
        if not EVERYBODY.isdisjoint(words):
            return -1 if passing or names else 0
        return max(passing, names)

    @staticmethod
    def _is_pass(word: str) -> bool:
        return word[0].isalpha() and fold_name(word) in PASSING

    def _take_results(self, text: str) -> tuple[str, list[str]]:
        """Return a text without what followed in brackets, and that: `Pass (Essex: English)`."""
        results = []
        for found in BRACKET.finditer(text):
            said = next(filter(None, found.groups()), "")
            if self._is_result(said):
                results.append(said)
                text = text.replace(found[0], " ")
        return text, results

    def _take_label(self, text: str) -> tuple[int | None, str]:
        """Return the seat of the name at the beginning of a text, None without one, and the rest."""
        label = re.match(r"\s*([^\W\d_][\w']*)\s*(:|-\s|–\s|—\s|=|\)|\.(?=\s)|(?=\s)|$)\s*", text)
        if not label or fold_name(label[1]) not in self.labels or label[2] == "=":
            return None, text
        rest = text[label.end() :]
        behind = WORD.match(rest)
        is_clear = label[2] == ":" or len(label[1]) > 1 or not rest or (behind and self.begins_turn(behind[0]))
        is_spoken = label[2] == ":" or (behind and self.begins_turn(behind[0]))
        if len(label[1]) == 1 and not is_spoken and self.shorthand.find_kinds(label[1]):
            return None, text
        if not is_clear and fold_name(label[1]) in PASSING:
            return None, text
        return self.labels[fold_name(label[1])], rest

    def find_winners(self, text: str) -> tuple[int, ...] | None:
        """Return the seats that a text says have won; None if it doesn't tell who won the game."""
        words = WORD.findall(text)
        others = [word for word in words if not self._is_label(word)]
        if WINNING.isdisjoint(map(fold_name, words)) or any(map(self.shorthand.find_kinds, others)):
            return None
        return tuple(self.labels[fold_name(word)] for word in words if self._is_label(word))

    def _is_result_line(self, line: str) -> bool:
        """Return True if a line behind a pass has no number, name or pass, and says what followed."""
        is_bare = not NUMBER.match(line) and self._take_label(line)[0] is None
        words = WORD.findall(line)
        is_bare = is_bare and AGAIN.isdisjoint(map(fold_name, words))
        return is_bare and not any(map(self._is_pass, words)) and self._is_result(line, loose=True)

    def _is_result(self, text: str, *, loose: bool = False) -> bool:
        """Return True if a text says how a power struggle or the game ended."""
        return self.shorthand.is_result(text, loose=loose)


def mend_misread(line: str) -> str:
    """Return a line with letters in words and digits in numbers, and each card as one word."""
    for pattern, letter in MISREAD:
        line = pattern.sub(letter, line)
    return CARD.sub(r"\1\2karte", MISREAD_NUMBER.sub(lambda found: found[0].translate(DIGITS), line))


def find_writer(text: str, names: Sequence[str]) -> int | None:
    """Return the seat of the player who writes, if the notes say it."""
    folded = [fold_name(name) for name in names]
    for found in MYSELF.finditer(text):
        for word in filter(None, found.groups()):
            if fold_name(word) in folded:
                return folded.index(fold_name(word))
    return None


PLAYERS = re.compile(
    r"(?:^\W*|[.!;]\s+)(?:players?|seats?|spieler|joueurs|jugadores|(?:turn |seating )?order(?: of play)?|playing order|reihenfolge(?: am tisch)?|goes|we play(?:ed)?)"
    r"\b\s*[:=]?\s*(.+)",
    re.IGNORECASE | re.MULTILINE,
)
AGAINST = re.compile(r"\b([A-Z]\w*)\s*(?:/|\bv\.?|\bvs\.?|\bagainst\b|\bgegen\b)\s*([A-Z]\w*)\b")
APART = re.compile(r"\s*(?:,|;|&|\+|/|->|→|>|\band\b|\bund\b|\bet\b|\bthen\b|\bvs?\b\.?|\s\d\.)\s*", re.IGNORECASE)
MOST_PLAYERS = 4


def find_ruleset(text: str) -> str:
    """Return the code of the ruleset that notes name, or the usual one."""
    rows: list[tuple[str, str]] = tomllib.loads((files("tkid.record") / "notes.toml").read_text("utf-8"))["rulesets"]
    return next(code for words, code in rows if re.search(words, text, re.IGNORECASE))


def find_players(text: str, shorthand: Shorthand) -> tuple[str, ...]:
    """Return the players in turn order, by a line of the notes that lists them, or by those who take turns; () if neither tells."""
    writer = next(
        (word for found in MYSELF.finditer(text) for word in filter(None, found.groups()) if word[0].isalpha()), ""
    )
    for listed in PLAYERS.finditer(text):
        plain = re.sub(r"\s*\(.*?\)|[.!]+$|^\d\.\s*", "", listed[1].strip())
        names = [writer if fold_name(name) in SELF else name for name in APART.split(plain) if name]
        if 2 <= len(names) <= MOST_PLAYERS and all(re.fullmatch(r"[^\W\d_][\w'-]*", name) for name in names):
            return tuple(name[0].upper() + name[1:] for name in names)
    labels = _list_labels(text, shorthand)
    names = [_expand_label(label, text, writer, shorthand) for label in labels]
    names = list(dict.fromkeys(name for name in names if name))
    if len(names) > 1:
        return tuple(names[:MOST_PLAYERS])
    two = AGAINST.search(text)
    return (
        (_expand_label(two[1], text, writer, shorthand), _expand_label(two[2], text, writer, shorthand)) if two else ()
    )


def _list_labels(text: str, shorthand: Shorthand) -> list[str]:
    """Return the words before cards and passes with which several lines begin, in their order."""
    reader, found = NoteReader(shorthand, ()), Counter[str]()
    for line in text.splitlines():
        label = re.match(r"\W*(?:\d{1,3}\W+)?([^\W\d_]+)\W{1,3}([^\W\d_]+)", line)
        if label and reader.begins_turn(label[2]) and not reader.begins_turn(label[1]) and label[1] not in BESIDE_PASS:
            found[label[1]] += 1
    return [label for label, times in found.items() if times > 1]


def _expand_label(label: str, text: str, writer: str, shorthand: Shorthand) -> str:
    """Return the name that an initial or a beginning means, as the notes write it elsewhere."""
    if fold_name(label) in SELF:
        return writer[:1].upper() + writer[1:]
    begun = label[0].upper() + label[1:]
    told = re.findall(rf"\b{label} ?= ?({begun}\w+)", text)  # `B = Bob`
    names = told or re.findall(rf"\b{begun}[a-z]\w*", text) or re.findall(rf"\b{label}\w+", text)
    names = names if len(label) < len("Ann") else []
    name = next((name for name in names if fold_name(name) not in FILLERS and not shorthand.find_kinds(name)), label)
    return f"{name[0].upper()}{name[1:] or '.'}"  # a card begins with `A`, none with `A.`
