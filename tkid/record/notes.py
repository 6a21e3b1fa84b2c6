"""Divide the notes of a game into pieces of one turn each, even if a line has several."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import groupby, pairwise, permutations

from attrs import Factory, evolve, frozen

from tkid.notation.free_text import AND, COUNTS, FILLERS, HISTORY_BESIDE_TURN
from tkid.notation.shorthand import PASSING, SUMMONING, WRITER, Shorthand
from tkid.notation.text import drop_accents, fold_name
from tkid.record.note_players import (
    BESIDE_PASS,
    BRACKET,
    EVERYBODY,
    FEWEST_CALLED,
    FEWEST_TIMES,
    LETTERS,
    LONGEST_LABEL,
    MAIN,
    MOST_BEFORE_CARD,
    MOST_PLAYERS,
    NOTHING_DONE,
    OTHER,
    OTHERS,
    PASSES_LEFT_OUT,
    RULED,
    SPEAKING,
    WORDS,
    find_nicknames,
    split_cells,
)

NUMBER = re.compile(
    r"\s*(?:turn|t|zug|#)?\s*(?P<first>\d{1,3})(?:\s*(?:-|–|—|to|bis)\s*(?P<last>\d{1,3})\b)?(?![\w/+-])(?!\s*x\b)(?!\s*[-–]\s*\d)[.):]*\s*",
    re.IGNORECASE,
)
ROW_NUMBER = re.compile(r"^\s*\d{1,2}[.)]?\s+(?=\D)")
ROW = re.compile(r"\s*\w?\d*[.)]?\s*")
GAP = re.compile(r"\b(?:blank|empty|nothing written|leer|vide|vuoto|vacio)\b", re.IGNORECASE)
PAIR = re.compile(r"\s*\d+[.)]\s*(\S.*?)\s{2,}(\S.*)$")
OUTER = re.compile(r"^\s*\|[\s|]*|[\s|]*\|\s*$")
FIRST_CELL = re.compile(r"^([^\W_]+)\s*\|\s*")
"""The empty cells at both ends of a row with strokes, and its first cell if it is a number or a word."""
GAPS = re.compile(r"(?<=\S)(?<!^\d[.)])(?<!\s\d[.)])(?<!\d\d[.)])\s{2,}(?=\S)")
CELL = re.compile(r"\S+(?: \S+)*")
DASHED = re.compile(r"(?:[-–—]+|\.)(?=\s{2,}|\s*(?:>|$))")
PASS_BEFORE_RESULT = re.compile(r"[-–—](?=\s{2,}\S)")
"""The number of a table's row, two turns on one line as in chess, a dash alone in a cell, and one before what followed."""
ROUND = re.compile(r"\s*(?:round|runde|tour|rn?d|r)\.?\s*\d+\s*[.:)]?\s*", re.IGNORECASE)
BREAK = re.compile(
    r"\s*(?:(?<!<)->|(?<!<)=>|→|⇒)\s*|(?<=[!?;])\s+|(?<=[^\W\d_]{4}[.])\s+|(?<=\)[.])\s+|\s{2,}|\t+|\s+[-–—]\s+(?=\D)"
    r"|(?<=[\s,.;])(?=\d{1,3}(?:\s*[-–]\s*\d{1,3})?[.)]?\s+(?P<behind>[^\W\d_]+))"
)
"""Places at which a turn may end."""
SEPARATORS = " | ", " / ", "; ", " || ", " // "
SIGNS = re.compile(r"(?:->|=>|→|⇒|[-–—]|\s)+")
COMMENT = re.compile(r"^\s*(?:#(?!\d)|//)")
AGAIN = frozenset(
    [
        "again",
        "wieder",
        "nochmal",
        "encore",
        "pareil",
        "idem",
        "ebenso",
        "genauso",
        "ditto",
        "likewise",
        "weer",
        "opnieuw",
        "znowu",
        "novo",
        "nuevo",
        "nuovo",
    ]
)
ALSO = frozenset("did does too also likewise auch ebenso aussi anche pure tambien tambem tb tbm ook też tez".split())  # noqa: SIM905 - words read better so
"""Words for a pass like the one before: `So did Ann.`"""
WINNING = frozenset("win wins won winner gewinnt gewonnen sieger gagne vince gana wygral ganha".split())  # noqa: SIM905 - words read better so
CORRECTED = re.compile(
    r"[^\W_]+ ?(?:\.{2,}|…|[,–—-]) ?(?:oh |äh )?(?:no|nein|non|sorry|i mean|correction|scusa)\b ?(?:wait)?[,:] ?(?=\w)",
    re.IGNORECASE,
)
"""A word that the next one takes back: `R... no, B`."""
RETRACTED = re.compile(
    r"\b[^\W\d_]+[,.]? (?:NO|no,? (?:wait|sorry|i mean)|nein,?|non,?)[,:]? (?:on |wait |auf )?(?=[^\W_])"
)
"""A word that the next one takes back without a sign: `coin on Lancaster NO on Devon`."""
LEADING = "[Aa]nd|[Bb]ut|[Uu]nd|[Ee]n|[Ee]t|[Pp]ero|[Mm]as|[Mm]a|[Aa]le|[Pp]otem|[Dd]epois|[Tt]hen|[Dd]ann|[Dd]anach|[Pp]oi|[Pp]uis|[Ll]uego|[Nn]ow|[Nn]ext|[Ee]nsuite|[Aa]lors|[Ss]o|[Dd]aarna"
"""Words before the name of a player."""
CLAUSE = re.compile(r"[,.;!?]+(?:\s+|$)|\bso\b|&|\b(?:and|und|et|y|e) (?=(?:the|die|les|los|gli|i)\b)")
WORD = re.compile(r"[^\W\d_]+|[-–—]+")
MOST_ROUNDS, MOST_BETWEEN, MOST_OF_A_HEAD = 9, 12, 2
FEWEST_REPEATED, SHORTEST_PART, LONGEST_SHORTENED = 4, 3, 4
"""Words of a turn that may be written twice, and letters of a part of a name and of a shortened word with a capital."""
TIMES = re.compile(
    r"\b([2-9]) ?(?:x|times|mal|fois|volte|veces|rounds?|runden)\b|\bx ?([2-9])\b|\b([^\W\d_]+) ?(?:times|mal|fois|volte|veces|rounds|runden)\b|\b(twice)\b",
    re.IGNORECASE,
)
TO_THE_END = re.compile(r"\b(?:end|ende|schluss|over|fine|fin|final)\b", re.IGNORECASE)
"""How often all pass: `x3`, `4 times`, `zweimal`, `to the end`."""
SPELLINGS = [(re.compile(row["read"]), row["as"]) for row in WORDS["spelling"]]
MISREAD_NUMBER = re.compile(r"(?<!\w)(?:(?=[lIO]*\d)[\dlIO]{1,3}|l[lIO]?(?=[.)])|(?<=\d-)[lIO])(?![\w'’])")
"""What writers and text recognition put in place of other words, and numbers with letters in place of digits."""
TALLIES = re.compile(
    r"(?m)^\s*[^\W\d_]+(?: [^\W\d_]+)?:?(?=.*(?:\|\||//|\s\.(?!\S)))(?:\s+(?:\|{1,6}|/{1,6}|[.–-]|\d)){3,}\s*$"
)
TALLY = re.compile(r"(?<!\S)(?:[|/]{1,6}|\.)(?!\S)")
"""A row with strokes or points in place of numbers, and such a number: `Moray ||| . |`."""
PASSING_LABEL = re.compile(r"(?<![^\W_])P(?=:? +(?:[^\W\d_]|[-–—](?:\s|$)))")
GLUED_LABEL = re.compile(r"(?<!\S)(\d{1,2})([^\W\d_])(?=\s|-(?:\s|$))")
GONE, COME = re.compile(r"(?<=\s)[-−]\d[A-Za-z]\b"), re.compile(r"(?<=\s)\+\d[A-Za-z]\b")
"""The initial of a player that looks like a pass, a number and a player's initial, and the signs of followers that leave a region and of those that come there."""
PASSED_FOR = re.compile(
    r"^(\W*(?:\d{1,2}[.)]?)?\s*)([^\W\d_]{2,})(?:\s*[-–:,])?\s+"
    r"((?:(?:both|all|everybody|everyone|we (?:both|all))\s+)?(?:pass\w*|p\b)(?:[ ,/]+(?:pass\w*|p\b))*(?:\s+again)?)(?=\W|$)\W*(.*)$",
    re.IGNORECASE,
)
"""The region of a power struggle before the passes that ended it: `moray - both pass, Scots`."""
NOTHING_THERE = re.compile(
    r"^\W*([^\W\d_]{2,})(?: \([^()]*\))?\s*:\s*(?:rien|niente|nichts|nada|niks|nic|nothing)\b[.,]\s*(.*)$",
    re.IGNORECASE,
)
"""A power struggle for which nobody did anything: `Warwick: rien. 2B 2R`."""
DITTO = re.compile(r"(?<=\s)(?:\"|″|〃|,,)(?=\s)")
DASHES_IN_ROW = re.compile(r"^(\W*\d{1,3}\s*[-–]\s*\d{1,3}[.):]?)\s+(?:[-–—](?:\s+|$)){2,}")
"""A sign for the card of the line before, and a dash for each of several numbered turns."""
SAME_AGAIN = re.compile(r"\b(?:the )?same (?:again )?(?:for|in|with) (?=[A-Z])", re.IGNORECASE)
"""Other words for a pass, for everybody's, and for those of the power struggle before: `The same for Essex`."""
LIKEWISE = re.compile(
    r"^(?:me too|same(?: here)?|ditto|likewise|so do i|ich auch|moi aussi|anch'io|yo tambi[eé]n)[.! ]*$", re.IGNORECASE
)
"""A pass of the next speaker in a chat."""
CORRECTION = re.compile(
    r"^(?:(?:oh|oops|ah|um|er),? )?(?:no,? wait|wait,? no|no,? sorry|(?:sorry|pardon|non|nein)(?= ?[,:–—-])|i mean(?:t)?|correction|scratch that|quatsch|korrektur|scusa)\b\W*(?=\w)",
    re.IGNORECASE,
)
"""How a line begins that takes back something of the line before it."""
PASS_OF_SEVERAL = re.compile(r"\s+[-–—]\s+(?=([^\W\d_]+))")
LONE_DASH = re.compile(r"(?<![^\W_])([^\W\d_]+)(?::? *(?:[-–—]|→)|(?:: ?| )\.)(?= *(?:[,;/|]|$)| {2,})")
TO_COURT = re.compile(r"(?:\s{2,}|[;,] )([^\s→]+ [^\s→]+) (?:→|->) ([^\W\d_]+)\s*$")
TO_REGION = re.compile(r"(?<![^\W_])(\d?[A-Za-z]{1,3}) (?:→|->) ([^\W\d_]{2,})")
"""A dash before a word, a player and a dash for a pass, followers that come to a player's court at the end of a line, and followers that come to a region."""
SEAT_NUMBER = re.compile(
    r"^\s*(?:#|seat |player |no\.? ?)?(?P<seats>[1-4](?:\s*[-–,&/+]\s*[1-4])*)[.:)]?(?=\s+[^\W\d_])", re.IGNORECASE
)
"""The numbers of the players whose turns a line tells: `#2 pass`, `#1-3 pass`."""
SEAT_HOLDING = re.compile(r"(?<![^\W_])([1-4])(?= ?[=:])")
SEVERAL_PASSES = re.compile(
    r"^\W*([2-4]) (?:(?:passes|passed|passen|pass|p's)(?!\w)|x(?= *(?:$|[,;.:]|pass)))", re.IGNORECASE
)
"""The number of a player before what they hold, and several passes: `4 passes`."""
DIGITS = str.maketrans("lIO", "110")
TIME = r"(?:\d{1,4}[-/.]\d{1,2}(?:[-/.]\d{2,4})?\.?,? +)?\d{1,2}[:.h]\d\d(?:[:.]\d\d)?(?: ?[ap]m)?"
SENT = re.compile(
    rf"^\W*(?:{TIME}\W+(?P<late>[^\W\d_]+) ?[:>]|(?P<early>[^\W\d_]+)[ ,]*[(\[]?{TIME}[)\]]? ?:) *(?P<said>.*)$"
)
STAMP = re.compile(r"^\W*\d{1,2}[:.]\d\d(?::\d\d)?\W+(?=[^\W\d_])")
ONESELF = re.compile(r"\b(?:(?<!do )[Ii](?:['’]?(?:ve|m|ll)(?= ))?|me(?! too\b)|myself)\b(?!['’])")
"""A message of a chat, with its time and its sender, a time alone, and what the senders call themselves."""
SPOKEN = re.compile(r"\W*([^\W\d_]{2,}): ")
SIGN_LEGEND = re.compile(
    r"(?:^|[,;|]|\s{2,}) *[\"“]?([.^*~°x0…]|--|\.\.\.|[a-z](?= = ))[\"”]? +(?:= ?)?([^\W\d_]{2,})", re.MULTILINE
)
SIGN_IN_WORDS = re.compile(
    r"\b(dot|full stop|point|punkt|punto|dash|stroke|strich|tiret)\b(?:=|:|means|is|for|an?|\s)+(pass\w*)",
    re.IGNORECASE,
)
DASHES = frozenset({"dash", "stroke", "strich", "tiret"})
PASS_LEGEND = re.compile(r"(?:\b(?:an?|the|ein|un) )?[^\s=]+ ?(?:=|\bmeans\b) ?(?:a )?\(?pass\w*", re.IGNORECASE)
PLUS_COUNT = re.compile(r"(?<![^\W_])([^\W\d_])\+(\d)(?![^\W_])")
PLUS_FOLLOWER = re.compile(r"\+(?=\d?[A-Za-z])")
"""A sign and the word that explains it: `^ = summon`, `x takes`, `. = pass`, `a dot = pass`; the part of it that tells a pass; a faction and how many
of its followers come, `E+2`; and a sign before followers."""
CARD_CALL = re.compile(r"(?<![^\W_])([A-Z][a-z]{0,3})\(([^()]*)\)([^\W\d_]+)?")
MARKED_PAIR = re.compile(r"\b([^\W_]+)(?:\*|\(\*\))[/~]([^\W_]+)|\b([^\W_]+)[/~]([^\W_]+)(?:\*|\(\*\))")
UNDERLINED = re.compile(r"(?<!\w)_([^\W_]+)_(?!\w)")
"""A card with brackets behind it, and two regions, one with the disc: `WA*/ST`, `WA/_ST_`."""
PLUS = re.compile(r"(?<![\w+])([A-Z])\+(?=\s)|(?<!\w)([a-zA-Z])!(?=\s+[^\W_])")
"""A support card: `W+ Devon`."""
PLUS_LEGEND = re.compile(r"\+[A-Z](?:[/, ]+\+[A-Z])+ *(?:=|are|:) *(?:the )?supp", re.IGNORECASE)
PLUS_CARD = re.compile(r"(?<!\S)\+([A-Z])(?=\s)")
"""How notes explain the cards of factions by plus signs, and such a card."""
HEADED = re.compile(r"\W*([^\W\d_]+) ?[:=]")
"""A line that begins with the name of what it tells of: `Warwick: English 2`."""
CAME = re.compile(
    r"(?<![^\W_])([^\W\d_]+)(?: ?(?:->|=>|→) ?| [-–—] (?=[^\W\d_])|\t+(?=[^\t\n]*\d[^\t\n]*$|[^\t\n]*unst[^\t\n]*$))"
)
MOST_IN_SUMMONS = 5
"""A region before what it came to, as in `Essex -> Welsh` or in a table; and words of a summons in brackets, as in `[S, Devon]`."""
LETTER_CAME = re.compile(r"(?<![^\W_])([A-Z])(?= ?= ?[A-Z])")
"""The letter of a region before what it came to: `W = S`."""
LETTER_CARD = re.compile(r"(?<![^\W_])(?:([A-Z])[. ]{1,2}[Ss]u?p[a-z]*\b\.?|([a-zA-Z])-[sS](?=\s))")
SUMMON_SIGN = re.compile(r"(?<=\S) ?(?:>>+|»|›) ?(?!.*[«‹])")
"""A card that is written with the first letter of its faction, and a sign before a summons."""
TIGHT_ARROW = re.compile(r"(?<=\w)(?:→|->)(\w+)")
"""A movement, with its end: `War→Dev`."""
REMARK, TWICE, LEFT_OUT, BESIDE, NUMBERED, OF_RESULT = 2.0, 0.6, 2.0, 0.2, 2.0, 0.3
"""Costs of a remark that is listed, of a turn that is written twice, of passes, of a remark and of a number that are left out; and how much what a result names counts."""


@frozen
class Chunk:
    """A piece of the notes: one turn, several passes, part of a turn, or something else; its line, from 1, and what it says."""

    line: int
    text: str
    said: str
    """The text without number and name."""
    numbers: tuple[int, ...] = ()
    seat: int | None = None
    passes: int = 0
    """How many passes it tells in a row; 0 if it is a turn in words, -1 for everybody's, -2 for everybody's twice."""
    results: tuple[tuple[str, int], ...] = ()
    """What followed by the notes, each with its line."""
    apart: str = ""
    """What stands between it and the piece before on its line, "" at the beginning of a line."""
    kinds: frozenset[str] = frozenset()
    """What its words may name."""
    names_card: bool = False
    weight: float = 0.0
    """What it costs to leave out all that its words name."""
    is_repeated: bool = False
    """True if an earlier piece has the same number or name, and the same words."""
    is_result: bool = False
    """True if it only says what followed the turn before."""
    may_be_result: bool = False
    end: int = 0
    """The number of pieces of the notes up to its end."""
    pieces: int = 1

    @property
    def is_begun(self) -> bool:
        """Return True if it is only a number or a name so far."""
        return not self.said and not self.passes

    @property
    def is_turn(self) -> bool:
        """Return True if it surely tells a turn: by its number, its passes or its card."""
        return bool(self.numbers or self.passes or self.names_card)

    @property
    def may_begin_turn(self) -> bool:
        """Return True if a turn may begin here: at the beginning of a line, or with what surely tells one."""
        return not self.is_result and (self.is_turn or self.seat is not None or not self.apart)

    def is_followed_by(self, piece: Chunk) -> bool:
        """Return True if the next piece may be more of the same turn: without number and pass, and only one of both with a card."""
        is_new = piece.numbers or piece.passes or self.passes or piece.is_result or self.is_result
        if is_new or (piece.names_card and (self.names_card or not piece.apart)):
            return False
        return piece.seat in {None, self.seat}

    @property
    def is_heading(self) -> bool:
        """Return True if it is a line that names regions and nothing else of a turn: `Round 2: Devon`."""
        others = {"follower", "card", "summon", "pass", "disc"}
        return not (self.apart or self.is_turn or self.seat is not None or self.kinds & others)

    @property
    def remark_cost(self) -> float:
        """Return the cost of a piece as a remark: what it would cost a turn to leave out what the piece names."""
        if self.is_repeated:
            return TWICE if self.is_turn else BESIDE
        return BESIDE + self.weight + (NUMBERED if self.numbers else 0.0) + (LEFT_OUT if self.passes else 0.0)

    def join(self, piece: Chunk) -> Chunk:
        """Return this piece with the next one as more of the same turn."""
        said = f"{self.said}{piece.apart or '; '}{piece.said}"
        return evolve(
            self, text=f"{self.text} {piece.text}", said=said, results=(*self.results, *piece.results),
            kinds=self.kinds | piece.kinds, names_card=self.names_card or piece.names_card, weight=self.weight + piece.weight,
            end=piece.end, pieces=self.pieces + 1,
        )  # fmt: skip


@frozen(eq=False)
class NoteReader:
    """Divides notes by the names of the players, and by what the words of the game mean.

    `writer` is the seat of who says `I` in them, and `answers` are turns that replace lines, by the number of the line.
    """

    shorthand: Shorthand
    names: tuple[str, ...]
    writer: int | None = None
    answers: Mapping[int, str] = Factory(dict)
    nicknames: Mapping[str, int] = Factory(dict)
    """Other names of players, with their seats."""
    signs: Mapping[str, str] = Factory(dict)
    """Signs that the notes explain, each with a word for it."""
    columns: tuple[int | None, ...] = ()
    """The players of a table's columns, None for others."""
    column_starts: tuple[int, ...] = ()
    """Where these columns begin, if only blanks divide them."""
    first_row: int = 0
    """The number of lines up to the table's head, 0 without one."""
    has_gaps: bool = False
    """True if an empty cell of a table is a pass."""
    separator: str = "\n"
    """The sign between the turns of one round, a line end if every turn has a line."""
    is_paired: bool = False
    """True if most numbered lines have two turns with a gap between them."""
    second_column: int = 0
    """The place in these lines at which most of the second turns begin, 0 if there is none."""
    passing_name: str = ""
    """The name of a player called `P`, which elsewhere is a pass; "" without such a player."""
    adds_with_plus: bool = False
    """True if a plus sign is before each follower that a card places, so that it says no summons."""
    is_glued: bool = False
    """True if turns begin with a number and a player's initial run together: `9h`."""
    is_seated: bool = False
    """True if lines begin with the number of a player's seat."""
    is_labelled: bool = False
    """True if most turns begin with a player's name or initial, so that a letter there is no follower."""
    plus_is_card: bool = False
    """True if the notes explain a plus sign and a letter as the card of a faction: `+S/+W/+E = supports`."""
    leaves_out_passes: bool = False
    """True if the notes say that they don't mention passes."""
    is_foreign: bool = False
    """True if `i` is a player's initial, or the writer says `I` in another language, in which it may be a small word."""

    @cached_property
    def labels(self) -> Mapping[str, int]:
        """How players are called: by name, and by first letters that no other name begins with."""
        labels: dict[str, int] = {}
        names = [fold_name(name) for name in self.names]
        for seat, name in enumerate(names):
            for size in range(1, len(name) + 1):
                is_clear = size in {1, len(name)} or name[:size] not in FILLERS
                others = (other for at, other in enumerate(names) if at != seat and size < len(name))
                if is_clear and not any(other.startswith(name[:size]) for other in others):
                    labels[name[:size]] = seat
        labels |= self.nicknames
        if self.writer is None:
            return labels
        other = dict.fromkeys(OTHER, 1 - self.writer) if len(names) == len(("I", "you")) else {}
        writer = WRITER - {"i"} if self.is_foreign else WRITER
        return labels | dict.fromkeys(writer, self.writer) | other

    def split_notes(self, lines: Sequence[tuple[int, str]]) -> list[Chunk]:
        """Divide notes into the smallest pieces that may be turns."""
        chunks: list[Chunk] = []
        known, begun, card = 0, None, ""
        for number, line in self._spread_rows(lines):
            line = DITTO.sub(card, line, count=1) if card else line  # noqa: PLW2901 - the line that it stands for
            card = next(filter(self.shorthand.names_card, LETTERS.findall(line)), card)
            if not line.strip() or COMMENT.match(line) or RULED.match(line):
                continue
            if self.shorthand.tells_setup(line):
                continue
            if number in self.answers:
                chunks.append(self._name_kinds(Chunk(number, line.strip(), self.answers[number])))
                continue
            if (
                any(each.passes for each in chunks[-1:])
                and not self.is_paired
                and self._is_result_line(mend_misread(line))
            ):
                said = self._take_label(self.mend_line(line))[1]
                chunk = self._name_kinds(Chunk(number, line.strip(), said))
                spoken = SPOKEN.match(name_sender(line)) is not None
                chunks.append(evolve(chunk, is_result=not spoken, may_be_result=True))
                continue
            if self._correct(chunks, number, line):
                continue
            parts = filter(str.strip, self.mend_line(line).split("\n"))
            for apart, text in (each for part in parts for each in self._split_line(part)):
                piece = evolve(self._read_piece(number, text, known + 1, is_first=not apart), apart=apart)
                known = piece.numbers[-1] if piece.numbers else known
                if begun is not None and (apart or not piece.numbers):
                    piece = self._complete(begun, piece)
                begun = piece if piece.is_begun else None
                if begun is None:
                    chunks += self._list_pieces(piece, chunks)
        return [evolve(chunk, end=end) for end, chunk in enumerate(chunks, 1)]

    def _correct(self, chunks: list[Chunk], number: int, line: str) -> bool:
        """Correct the turn before by a line that takes something of it back: without a card, only the clauses that name the same."""
        seat, rest = self._take_label(name_sender(line))
        found = CORRECTION.match(rest)
        begun = next((at for at in reversed(range(len(chunks))) if chunks[at].may_begin_turn), None)
        if not found or begun is None or chunks[begun].passes or chunks[begun].seat not in {None, seat}:
            return False
        if any(map(self._is_pass, WORD.findall(rest))):
            return False
        said = self.mend_line(rest[found.end() :])
        turn = chunks[begun]
        if self._names_card(said):
            kept = []
        else:
            kinds = [self.shorthand.find_kinds(word) for word in WORD.findall(said)]
            first = next((kind for kind in kinds if kind), set[str]())
            clauses = [each for piece in chunks[begun:] for each in CLAUSE.split(piece.said) if each.strip()]
            kept = [clauses[0], *(each for each in clauses[1:] if first.isdisjoint(self.shorthand.find_kinds(each)))]
        text = f"{turn.text} {line.strip()}"
        chunks[begun:] = [self._name_kinds(evolve(turn, line=number, text=text, said=", ".join([*kept, said])))]
        return True

    def _spread_rows(self, lines: Sequence[tuple[int, str]]) -> list[tuple[int, str]]:
        """Return the cells of all rows; a row without a number below a numbered one is more of its cells."""
        found, at = list[tuple[int, str]](), dict[str, int]()
        margin, is_numbered = next(iter(self.column_starts), 0), False
        for number, line in lines:
            is_more = is_numbered and not line[:margin].strip()
            is_numbered = is_more or bool(line[:margin].strip())
            at = at if is_more else {}
            for _, cell in self._spread_columns(number, line):
                name, _, said = cell.partition(":")
                if name in at:
                    found[at[name]] = found[at[name]][0], found[at[name]][1] + said
                else:
                    at |= {name: len(found)} if name in self.names else {}
                    found.append((number, cell))
        return found

    def _spread_columns(self, number: int, line: str) -> Iterator[tuple[int, str]]:
        """Yield the cells of a row of a table, each as a line with its player."""
        cells = self._list_cells(line) if self.columns else []
        row = cells if len(cells) >= len(self.names) and self.list_seats(cells) != list(self.columns) else []
        pair = PAIR.match(line) if self.is_paired else None
        is_round = self.separator in line and line.count(self.separator) < len(self.names)
        if number in self.answers or not (row or pair or is_round):
            yield number, line
        elif row:
            for seat, cell in zip(self.columns, row, strict=False):
                if not cell.strip() and seat is not None and self.has_gaps:
                    yield number, f"{self.names[seat]}: pass"
                elif not (seat is None and ROW.fullmatch(cell)) and cell.strip():
                    told = ROW_NUMBER.sub("", cell).strip()
                    if (passed := PASS_BEFORE_RESULT.match(told)) and self._is_result(told[passed.end() :], loose=True):
                        told = f"pass{told[passed.end() :]}"
                    yield number, cell if seat is None else f"{self.names[seat]}: {told}"
        elif pair:
            at = self.second_column
            in_columns = len(line) > at > 0 and not line[at].isspace() and line[at - 2 : at].isspace()
            halves = (ROW.sub("", line[:at], count=1), line[at:]) if in_columns else pair.groups()
            yield from ((number, DASHED.sub("pass", cell.strip(), count=1)) for cell in halves)
        else:
            numbered = ROUND.match(line) or NUMBER.match(line)
            cells = line[numbered.end() if numbered else 0 :].split(self.separator)
            yield from ((number, "pass" if cell.strip() in {"x", "X"} else cell) for cell in cells)

    def _list_cells(self, line: str) -> list[str]:
        """Return the cells of a row below the table's head; [] if a line is none."""
        cells = split_cells(line)
        starts = [] if len(cells) > 1 else self.column_starts
        if len(cells) > len(self.columns) and self.columns[0] is not None and ROW.fullmatch(cells[0]):
            return cells[1:]
        if not starts:
            return cells
        if any(line[start - 1 : start].strip() for start in starts[1:]):
            return []
        ends = [*starts[1:], len(line)]
        cells = [line[start:end] for start, end in zip(starts, ends, strict=True)]
        told = [cell for cell in cells if cell.strip()]
        return cells if len(told) > 1 or any(not cell[0].isspace() for cell in told) else []

    def list_seats(self, cells: Sequence[str]) -> list[int | None]:
        """Return the seats of the players that are alone in cells of a table, maybe with another name: `ME (DAD)`."""
        words = [[*map(fold_name, LETTERS.findall(cell))] for cell in cells]
        named = [{self.labels[word] for word in each if word in self.labels} for each in words]
        return [
            seats.pop()
            if len(seats) == 1 and len(each) <= MOST_OF_A_HEAD and PASSING.isdisjoint(cell.split())
            else None
            for seats, each, cell in zip(named, words, cells, strict=True)
        ]

    def find_columns(self, lines: Sequence[str]) -> tuple[tuple[int | None, ...], tuple[int, ...], int]:
        """Return the players of the columns below the head of a table, where these begin if only blanks divide them, and the head's line, from 1."""
        for number, line in enumerate(lines, 1):
            seats = self.list_seats(split_cells(line))
            if {*seats} >= {*range(len(self.names))}:
                return tuple(seats), (), number
            places = [found.start() for found in CELL.finditer(line)]
            seats = self.list_seats([found[0] for found in CELL.finditer(line)])
            if sorted(each for each in seats if each is not None) == [*range(len(self.names))] == [*range(len(seats))]:
                return tuple(seats), tuple(places), number
        return (), (), 0

    @cached_property
    def _passes_of_all(self) -> re.Pattern[str]:
        """As many passes as there are players, before a word: `p p Gwynedd Welsh`."""
        one = "|".join(sorted((word for word in {*PASSING, "pas"} if word.isalpha()), key=len, reverse=True))
        return re.compile(rf"(?<![^\W_])(?:(?:{one})[ ,/]+){{{len(self.names)}}}(?=([^\W\d_]{{2,}}))", re.IGNORECASE)

    @cached_property
    def _split_names(self) -> re.Pattern[str]:
        """The long names of regions and cards with a blank in them: `strath clyde`."""
        names = [name for kind in ("region", "card") for name, _ in self.shorthand.list_signs(kind)]
        cuts = [
            (name, at) for name in names if name.isalpha() for at in range(SHORTEST_PART, len(name) - SHORTEST_PART + 1)
        ]
        return re.compile("|".join(rf"\b({name[:at]}) ({name[at:]})" for name, at in cuts) or r"(?!)", re.IGNORECASE)

    @cached_property
    def _short_regions(self) -> list[tuple[re.Pattern[str], str]]:
        """The names of regions of two words, with one of them as an initial: `Aquae S.`, `D. Eidyn`."""
        names = [name for name, _ in self.shorthand.list_signs("region") if len(name.split()) > 1]
        pairs = [(name, name.split()) for name in names]
        return [
            (re.compile(rf"\b(?:{one} {other[0]}\b\.?|{one[0]}(?:\.[ ]?| ){other}\b)", re.IGNORECASE), name)
            for name, (one, other, *_) in pairs
        ]

    def name_regions(self, line: str) -> str:
        """Return a line with the full names of regions of which one word is an initial."""
        for pattern, name in self._short_regions:
            line = pattern.sub(name, line)
        return line

    def mend_line(self, line: str) -> str:
        """Return a line without what text recognition misread, and with words for signs that the notes explain and for movements."""
        line = self._split_names.sub(lambda found: found[0].replace(" ", ""), self.name_regions(line))
        line = PASSES_LEFT_OUT.sub("", PASS_LEGEND.sub("", self.name_speaker(name_sender(line))))
        if OUTER.match(line):
            line = self._take_first_cells(OUTER.sub("", line))
        line = PLUS_CARD.sub(r"\1 Support", line) if self.plus_is_card else line
        line = PASSING_LABEL.sub(self.passing_name, line) if self.passing_name else line
        line = self._write_short_signs(DASHES_IN_ROW.sub(r"\1 pass. ", line))
        if self.is_glued:
            line = GLUED_LABEL.sub(lambda found: f"{found[1]}. {self._find_name(found[2])}: ", line)
        if self.adds_with_plus and not self.plus_is_card:
            line = PLUS_FOLLOWER.sub("", line)
        if GONE.search(line):
            line = COME.sub("", line)
        if self._names_card(line):
            line = MARKED_PAIR.sub(r"\1\3/\2\4 disc \1\4", UNDERLINED.sub(r"\1*", line))
        for sign, word in self.signs.items():
            line = re.sub(rf"(?<![\w.]){re.escape(sign)}(?=[^\W\d_]{{1,2}}\b|[\s;,]|$)", f" {word} ", line)
        line = CARD_CALL.sub(self._write_card, line)
        line = PLUS.sub(lambda found: f"{(found[1] or found[2]).upper()} Support", line)
        if not self._names_card(line):
            line = CAME.sub(lambda found: f"{found[1]}: " if self._is_place_of_result(found) else found[0], line)
        for found in BRACKET.finditer(line):
            said = next(filter(None, found.groups()), "")
            kinds, words = self.shorthand.find_kinds(said), [fold_name(word) for word in WORD.findall(said)]
            is_summons = "region" in kinds and len(words) < MOST_IN_SUMMONS and words[0] in SUMMONING
            is_other = "follower" in kinds and self._names_card(line[: found.start()]) and not self._is_result(said)
            if is_summons or ("region" in kinds and len(words) < MOST_IN_SUMMONS and is_other):
                line = line.replace(found[0], f"; {said}")
        line = TIGHT_ARROW.sub(lambda found: "" if self._is_label(found[1]) else f" {found[1]}", line)
        line = mend_misread(RETRACTED.sub("", CORRECTED.sub("", HISTORY_BESIDE_TURN.sub("", line))))
        return self._begin_with_passes(SAME_AGAIN.sub("again, ", line))

    def _take_first_cells(self, row: str) -> str:
        """Return a row of a table with a number and a player before its turn as other lines have them."""
        number = FIRST_CELL.match(row)
        start = number.end() if number and number[1].isdecimal() else 0
        player = FIRST_CELL.match(row[start:])
        rest = f"{player[1]}: {row[start + player.end() :]}" if player and self._is_label(player[1]) else row[start:]
        return f"{number[1]}. {rest}" if number and start else rest

    def _begin_with_passes(self, line: str) -> str:
        """Return a line with passes before the region of the power struggle that they ended."""
        line = self._passes_of_all.sub(
            lambda found: "\nall pass, " if "region" in self.shorthand.find_kinds(found[1]) else found[0], line
        )
        if (found := NOTHING_THERE.match(line)) and self.shorthand.find_kinds(found[1]) == {"region"}:
            return f"all pass, {found[1]}: {found[2]}"
        found = PASSED_FOR.match(line)
        is_behind = found and self.shorthand.find_kinds(found[2]) == {"region"}
        return f"{found[1]}{found[3]}, {found[2]}: {found[4]}" if found and is_behind else line

    def _write_short_signs(self, line: str) -> str:
        """Return a line with words for the numbers of players, for dashes and counts of passes, and for letters of regions and cards."""
        if self.is_seated and (found := SEAT_NUMBER.match(line)):
            line = f"{self._name_seats(found['seats'])}:{line[found.end() :]}"
        line = LONE_DASH.sub(lambda found: f"{found[1]} pass" if self._is_label(found[1]) else found[0], line)
        line = PASS_OF_SEVERAL.sub(lambda found: " " if self._is_pass_of(found) else found[0], line)
        line = SEVERAL_PASSES.sub(lambda found: "all pass" if int(found[1]) == len(self.names) else found[0], line)
        line = PLUS_COUNT.sub(lambda found: f"{found[2]}{found[1]}" if int(found[2]) else f"{found[1]} nothing", line)
        line = TO_COURT.sub(lambda found: f"; take {found[1]}" if self._is_label(found[2]) else found[0], line)
        line = TO_REGION.sub(lambda found: f"{found[1]} {found[2]}" if self._is_placing(found) else found[0], line)
        line = LETTER_CARD.sub(self._write_short_card, LETTER_CAME.sub(self._write_region, line))
        return SUMMON_SIGN.sub("; ", line)

    def _is_pass_of(self, dash: re.Match[str]) -> bool:
        """Return True if a dash is between several names and their pass: `Ann, Bob - pass`, or `pas`, which is "not" elsewhere in French."""
        names = LETTERS.findall(re.split(r"[.;!?]\s", dash.string[: dash.start()])[-1])
        are_told = all(self._is_label(name) or fold_name(name) in BESIDE_PASS for name in names)
        return are_told and len(names) > 1 and (self._is_pass(dash[1]) or dash[1] == "pas")

    def _is_placing(self, found: re.Match[str]) -> bool:
        """Return True if followers are before an arrow, and a region behind it."""
        before, behind = (self.shorthand.find_kinds(found[at]) for at in (1, 2))
        return "follower" in before and behind == {"region"}

    def _is_place_of_result(self, found: re.Match[str]) -> bool:
        """Return True if a region is before a sign; before a dash only at the beginning of a line, or behind a pass."""
        before = LETTERS.findall(found.string[: found.start()])
        is_told = found[0].rstrip()[-1] not in {"-", "–", "—"} or not before or any(map(self._is_pass, before))
        return is_told and self.shorthand.find_kinds(found[1]) == {"region"}

    def _name_seats(self, seats: str) -> str:
        """Return the names of players for the numbers of their seats: `2,3`, `1-3`."""
        ends = [int(digit) for digit in re.findall(r"\d", seats)]
        is_range = re.fullmatch(r"\d\s*[-–]\s*\d", seats) is not None and ends[0] < ends[-1]
        told = range(ends[0], ends[-1] + 1) if is_range else ends
        return ", ".join(self.names[seat - 1] for seat in told if seat <= len(self.names))

    def name_holders(self, line: str) -> str:
        """Return a line of a set-up with players in place of the numbers of their seats."""
        return SEAT_HOLDING.sub(lambda found: self._name_seats(found[1]), line) if self.is_seated else line

    def _write_region(self, found: re.Match[str]) -> str:
        """Return the name of the only region that a letter may mean."""
        meant = {fact for word in self.shorthand.read_words(None, found[1]) for fact in word.meanings}
        regions = [name for name, fact in self.shorthand.list_signs("region") if fact in meant]
        return regions[0] if len(regions) == 1 else found[0]

    def _write_short_card(self, found: re.Match[str]) -> str:
        """Return the only card of two words that begin so: `W supp`, `w-s`."""
        pairs = [(name, name.split()) for name, _ in self.shorthand.list_signs("card")]
        letter = (found[1] or found[2]).upper()
        begun = [name for name, words in pairs if len(words) > 1 and words[0][0] == letter and words[1][:2] == "Su"]
        return begun[0] if len(begun) == 1 else found[0]

    def _write_card(self, found: re.Match[str]) -> str:
        """Return a card that is written with brackets in words: `N(GW~DV)GW`, where `GW` has the disc."""
        short = fold_name(found[1])
        begun = [name for name, _ in self.shorthand.list_signs("card") if name.casefold().startswith(short)]
        is_follower = len(short) == 1 and "follower" in self.shorthand.find_kinds(found[1])  # `S(Ess)`
        if is_follower or len(begun) != 1 or "region" not in self.shorthand.find_kinds(found[2]):
            return found[0]
        return f"{begun[0]} {found[2]}" + (f" disc {found[3]}" if found[3] else "")

    def name_speaker(self, line: str) -> str:
        """Return a line with the name of who says it in a chat in place of `I` and `me`, and without it before another's turn."""
        said = SPOKEN.match(line)
        seat = self.labels.get(fold_name(said[1])) if said else None
        if not said or seat is None or self.writer not in {None, seat}:
            return line
        rest = ONESELF.sub(self.names[seat], line[said.end() :])
        words = LETTERS.findall(rest)[: MOST_OF_A_HEAD + MOST_BEFORE_CARD]
        named = next((at for at, word in enumerate(words[:MOST_OF_A_HEAD]) if fold_name(word) in self.labels), None)
        if named is None or any(map(self.begins_turn, words[:named])):
            return said[0] + rest
        behind = words[named + 1 : named + 1 + MOST_BEFORE_CARD]
        tells_others = re.match(rf"\W*{words[0]}:", rest) or any(map(self.begins_turn, behind))
        return rest if tells_others else said[0] + rest

    def drop_speaker(self, line: str) -> str:
        """Return a line of a set-up without the writer who says it in a chat, so that the writer doesn't hold what it tells."""
        said = SPOKEN.match(line)
        is_writer = said is not None and self.writer is not None and self.labels.get(fold_name(said[1])) == self.writer
        return line[said.end() :] if said and is_writer and SPOKEN.match(line[said.end() :]) is None else line

    def _find_name(self, label: str) -> str:
        seat = self.labels.get(fold_name(label))
        return label if seat is None else self.names[seat].strip(".")

    def _complete(self, begun: Chunk, piece: Chunk) -> Chunk:
        """Return a piece with the number or the name that stands before it."""
        words = [fold_name(word) for word in WORD.findall(piece.said)]
        if (
            begun.seat is not None
            and words
            and words[0] in NOTHING_DONE
            and not piece.kinds - {"nothing"}
            and len(words) < FEWEST_REPEATED
        ):
            piece = evolve(piece, said="pass", passes=1)
        numbers = piece.numbers or begun.numbers
        passes = len(numbers) if piece.passes and len(numbers) > 1 else piece.passes
        seat = begun.seat if piece.seat is None else piece.seat
        text = f"{begun.text} {piece.text}"
        return evolve(piece, text=text, numbers=numbers, seat=seat, passes=passes, apart=begun.apart)

    def _list_pieces(self, piece: Chunk, chunks: Sequence[Chunk]) -> list[Chunk]:
        """Return a piece with all that it may be, and without those that say nothing; `and again` repeats a pass of everybody."""
        piece = self._name_kinds(piece)
        is_long = len(WORD.findall(piece.said)) >= FEWEST_REPEATED
        same = (each for each in chunks[-MOST_BETWEEN:] if piece.is_turn and is_long and not piece.passes)
        is_repeated = any(
            (each.numbers, each.seat, each.said) == (piece.numbers, piece.seat, piece.said) for each in same
        )
        is_repeated |= bool(piece.apart and not piece.is_turn and chunks and chunks[-1].is_repeated)
        piece = evolve(piece, is_repeated=is_repeated)
        line = [each for each in chunks if each.line == piece.line]
        turn = next((each for each in reversed(line) if each.is_turn or not each.apart), piece)
        if piece.apart and turn.names_card and self.find_winners(piece.text) is None:
            weight = piece.weight / OF_RESULT if piece.may_be_result else piece.weight
            piece = evolve(piece, is_result=False, may_be_result=False, weight=weight)  # `gets E Devon` behind a card
        words = {fold_name(word) for word in WORD.findall(piece.text)}
        named = [self.labels[word] for word in words if word in self.labels and len(word) > 1]
        if (
            chunks
            and chunks[-1].passes
            and named
            and not (piece.kinds > {"card"} or piece.is_turn or ALSO.isdisjoint(words))
        ):
            piece = evolve(piece, passes=1, seat=named[0])
        last = next((each for each in reversed(chunks[-2:]) if each.passes > 1), None)
        if (
            last is not None
            and last.line == piece.line
            and last.passes == piece.passes
            and len(last.numbers) > 1
            and not last.said
        ):
            return []  # `14-16 pass, pass, pass`
        is_unread = not piece.apart and (piece.seat is not None or piece.numbers)
        again = not AGAIN.isdisjoint(map(fold_name, WORD.findall(piece.said))) and not piece.passes
        last = next((each for each in reversed(chunks) if not each.may_be_result), piece)
        is_every = last.passes < 0 or last.passes == len(self.names)
        if again and is_every and (piece.may_be_result or not piece.kinds) and not (piece.results or is_unread):
            results = ((piece.said, piece.line),) if piece.may_be_result else ()
            return [evolve(last, line=piece.line, text=piece.text, results=results)]
        says = piece.passes or piece.results or piece.kinds or piece.names_card or piece.is_result or is_unread
        return [piece] if says else []

    def _name_kinds(self, piece: Chunk) -> Chunk:
        kinds, names_card = frozenset(self.shorthand.find_kinds(piece.said)), self._names_card(piece.said)
        is_bare = piece.seat is None and not piece.numbers and not piece.passes
        won = not piece.passes and self.find_winners(piece.text) is not None
        is_bare &= not (piece.apart and SUMMONING.issuperset(map(fold_name, WORD.findall(piece.said)[:1])))
        is_result = won or (is_bare and self.shorthand.is_result(piece.said))
        head = HEADED.match(piece.said)
        is_headed = head is not None and self.shorthand.find_kinds(head[1]) == {"region"} and not names_card
        may_be = (
            is_result
            or (is_bare and is_headed)
            or (is_bare and not names_card and self.shorthand.is_result(piece.said, loose=True))
        )
        weight = self.shorthand.weigh(piece.said) * (OF_RESULT if may_be else 1.0)
        return evolve(
            piece, kinds=kinds, names_card=names_card, weight=weight, is_result=is_result, may_be_result=may_be
        )

    def find_order(self, chunks: Sequence[Chunk]) -> tuple[tuple[int, ...], int | None]:
        """Return the seats in the order in which turns name them, and who had the first turn; () and None if they don't tell."""
        size, due = len(self.names), 0
        follows, begun = Counter[tuple[int, int, int]](), Counter[int]()
        last, told = (-1, 0), list[tuple[int, int]]()
        for chunk in chunks:
            is_more = chunk.apart and SUMMONING.issuperset(map(fold_name, WORD.findall(chunk.said)[:1]))
            if not chunk.is_turn and (chunk.seat is None or is_more or not chunk.kinds or chunk.is_result):
                continue
            if chunk.seat is not None:
                follows[last[0], chunk.seat, (due - last[1]) % size] += last[0] >= 0
                last = chunk.seat, due
                told.append(last)
            due += max(chunk.passes, 0) or int(chunk.passes == 0) or size
        fits = {
            order: sum(
                follows[one, other, (order.index(other) - order.index(one)) % size]
                for one, other in permutations(order, 2)
            )
            for order in permutations(range(size))
        }
        best = max(fits, key=lambda order: fits[order])
        order = best if fits[best] >= fits[(*range(size),)] + CLEARLY else (*range(size),)
        begun.update(order[(order.index(seat) - at) % size] for seat, at in told[:FIRST_LABELS])
        first, times = max(begun.items(), key=lambda each: each[1], default=(0, 0))
        return order if told else (), first if times > FIRST_LABELS / 2 else None

    def learn_habits(self, lines: Sequence[str]) -> NoteReader:
        """Return the reader with what most lines of the notes have in common."""
        text = "\n".join(lines)
        named = evolve(self, nicknames=find_nicknames(text, self.names), signs=find_signs(text))
        turns = [
            words for line in lines if any(map(named.begins_turn, words := LETTERS.findall(line)[:MOST_BEFORE_CARD]))
        ]
        labelled = sum(fold_name(words[0]) in named.labels for words in turns)
        numbered = [line for line in lines if re.match(r"\s*\d+[.)]", line) or ROUND.match(line)]
        paired = sum(PAIR.match(line) is not None for line in numbered)
        begun_at = Counter(found.end() for line in numbered for found in GAPS.finditer(line))
        column, in_column = max(begun_at.items(), key=lambda each: each[1], default=(0, 0))
        columns, column_starts, first_row = named.find_columns(lines)
        several = [sign for sign in SEPARATORS for line in lines if named.has_turns(line.split(sign))]
        separator, times = max(Counter(several).items(), key=lambda each: each[1], default=("\n", 0))
        divided = sum(separator in line for line in lines)
        is_divided = times >= len(numbered) / 2 > 0 or times >= max(divided / 2, FEWEST_CALLED)
        glued = [
            found[2] for line in lines if (found := GLUED_LABEL.match(line)) and fold_name(found[2]) in named.labels
        ]
        begun = [
            LETTERS.match(line[found.end() :].lstrip()) for line in lines for found in PASSING_LABEL.finditer(line)
        ]
        acting = sum(word is not None and named.begins_turn(word[0]) for word in begun)
        seated = Counter(
            int(found["seats"]) for line in lines if (found := SEAT_NUMBER.match(line)) and found["seats"].isdecimal()
        )
        called = [name for name in self.names if name.startswith("P") and len(name) > LONGEST_LABEL]
        spoken = {*LETTERS.findall(text)}
        initials = [name for name in self.names if name.startswith("I")]
        is_initial = "I" not in spoken or bool(initials)
        is_explained = any(re.search(rf"\bI ?[=:] ?{re.escape(name)}\b", text) for name in initials)
        adding = [line for line in lines if len(PLUS_FOLLOWER.findall(line)) > 1 + named.count_cards(line) > 1]
        return evolve(
            named,
            adds_with_plus=len(adding) >= FEWEST_CALLED,
            is_seated={*seated} == {*range(1, len(self.names) + 1)} and min(seated.values()) >= FEWEST_CALLED,
            passing_name=called[0] if len(called) == 1 and acting >= FEWEST_CALLED else "",
            is_glued=len({*glued}) == len(self.names) and len(glued) > FEWEST_CALLED * len(self.names),
            separator=separator if is_divided and not columns else "\n",
            is_labelled=labelled > len(turns) / 2,
            is_paired=paired > len(numbered) / 2,
            second_column=column if in_column > len(numbered) / 2 else 0,
            columns=columns,
            column_starts=column_starts,
            first_row=first_row,
            has_gaps=GAP.search(text) is not None,
            plus_is_card=PLUS_LEGEND.search(text) is not None,
            leaves_out_passes=PASSES_LEFT_OUT.search(text) is not None,
            is_foreign=is_explained or (is_initial and not spoken.isdisjoint(SPEAKING - {"I", "i", "me"})),
        )

    def has_turns(self, parts: Sequence[str]) -> bool:
        """Return True if there is a turn for each player."""
        words = [[*LETTERS.findall(part), "-", "-"][:2] for part in parts[1:]]
        told = (second if self._is_label(first) else first for first, second in words)
        return len(parts) == len(self.names) and all(map(self._may_begin, told))

    def _may_begin(self, word: str) -> bool:
        return word in {"-", "x", "X"} or self.begins_turn(word) or "card" in self.shorthand.find_kinds(word)

    def _split_line(self, line: str) -> Iterator[tuple[str, str]]:
        """Yield each part of a line with the separator before it. A part ends at a sign, and before a name that begins a turn."""
        text = ROUND.sub("", line.strip(), count=1) if ROUND.match(line.strip()) else line.strip()
        cuts = {0, len(text)}
        for found in BREAK.finditer(text):
            is_open = text.count("(", 0, found.start()) > text.count(")", 0, found.start())
            if not is_open and not SIGNS.fullmatch(text[found.end() :]):
                behind = found["behind"]
                following = [*LETTERS.findall(text[found.end() :])[1:2], "-"][0]
                is_number = behind and re.match(r"[\d\s–-]+[.)]", text[found.end() :])
                is_label = behind and self._is_label(behind)
                is_label = is_label and (len(behind) > 1 or is_number or self.begins_turn(following))
                is_end = behind is None or is_label or self.begins_turn(behind)
                if is_end and not self._is_shortened(text[: found.start()], text[found.end() :]):
                    cuts |= {found.start(), found.end()}
        words = list(WORD.finditer(text))
        for word, following in pairwise(words):
            begun = text[max(cut for cut in cuts if cut <= word.start()) : word.start()]
            before = WORD.findall(begun)
            is_new = len(word[0]) > 1 and before and begun.rstrip()[-1] in ".!?;)"
            is_new = is_new or (len(before) > 1 and self._is_pass(before[-2]) and fold_name(before[-1]) in AND)
            if (
                text.count("(", 0, word.start()) <= text.count(")", 0, word.start())
                and self._is_label(word[0])
                and (
                    is_new
                    or self.begins_turn(following[0])
                    or self._is_apart(word[0], begun, following[0])
                    or self._summons_alone(begun, text[word.end() :])
                )
                and not all(self._is_label(each) or fold_name(each) in BESIDE_PASS for each in before)
            ):
                cuts.add(word.start())
            if self._is_pass(word[0]) and (end := self._find_end_of_pass(text, word, following[0], before)):
                cuts = {cut for cut in cuts if cut < end} | {end, len(text)}
        places, apart = sorted(cuts), ""
        for start, end in pairwise(places):
            part = text[start:end].strip(" ,;/\t")
            if part and (end == len(text) or not SIGNS.fullmatch(part)):
                yield apart, part
                apart = "; " if text[start:end].rstrip().endswith(";") else " "
            elif text[start:end] != " ":
                apart = "; "

    def _find_end_of_pass(self, text: str, word: re.Match[str], following: str, before: Sequence[str]) -> int:
        """Return where a pass ends if only what followed is behind it, else 0."""
        end, passed = word.end(), [each for each in before if self._is_pass(each)]
        is_every = not EVERYBODY.isdisjoint(map(fold_name, before))
        is_every |= len(passed) == len(before) == len(self.names) - 1  # `p p Gwynedd Welsh`
        while is_every and (more := WORD.search(text, end)) and fold_name(more[0]) in BESIDE_PASS:
            end = more.end()
        rest = text[end:]
        is_beside = not is_every and (self._is_label(following) or fold_name(following) in BESIDE_PASS)
        is_apart = rest.startswith("  ") and not any(map(self._is_pass, LETTERS.findall(rest)))
        is_result = self._is_result(rest, loose=is_apart or is_every) and not self._count_passes(text)
        return end if is_result and not is_beside else 0

    def _is_apart(self, label: str, before: str, following: str) -> bool:
        """Return True if a sign is before a player, and what may be a card or a pass behind: `, Ann welsh supp`."""
        is_divided = before.rstrip()[-1:] in {",", "/", "|", ";", "."}
        is_letter = len(label) == 1 and "follower" in self.shorthand.find_kinds(label)
        return is_divided and not is_letter and "card" in self.shorthand.find_kinds(following)

    def _summons_alone(self, before: str, behind: str) -> bool:
        """Return True if a player behind a sign summons without a card, where the rules allow it: `, Ann a Scot from Deva`."""
        is_divided = before.rstrip()[-1:] in {",", ";", "."} or fold_name((LETTERS.findall(before) or [""])[-1]) in AND
        if not is_divided or not self.shorthand.may_summon_alone:
            return False
        return self.shorthand.find_kinds(CLAUSE.split(behind)[0]) >= {"follower", "region"}

    def _is_shortened(self, before: str, behind: str) -> bool:
        """Return True if a full stop belongs to a short word, so that the turn goes on: `gall. Gwynedd`, `Angl. Devon`, `insed. S`."""
        last, following = re.search(r"([^\W\d_]+)\.$", before), LETTERS.match(behind)
        if not last or not following or self._is_label(following[0]) or self.begins_turn(following[0]):
            return False
        goes_on = following[0].islower() or "region" in self.shorthand.find_kinds(following[0])
        is_short = last[1].islower() or len(last[1]) <= LONGEST_SHORTENED
        kinds = self.shorthand.find_kinds(last[1])
        return (goes_on and is_short and kinds == {"follower"}) or (
            last[1].islower() and self.shorthand.names_card(last[1])
        )

    def _is_label(self, word: str) -> bool:
        return fold_name(word) in self.labels and (len(word) > 1 or fold_name(word) not in PASSING)

    def begins_turn(self, word: str) -> bool:
        return (word[0].isalpha() and fold_name(word) in PASSING) or self.shorthand.names_card(word)

    def _names_card(self, text: str) -> bool:
        return self.count_cards(text) > 0

    def _is_only_card(self, word: str) -> bool:
        """Return True if a word names a card and no followers, as `Romani` does in the first edition."""
        return self.shorthand.names_card(word) and "follower" not in self.shorthand.find_kinds(word)

    def count_cards(self, text: str) -> int:
        """Return how many words of a text name a card."""
        return sum(map(self.shorthand.names_card, WORD.findall(text)))

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
        seat, rest = self._take_label(said, is_first=is_first)
        if seat is not None and fold_name(rest.strip(" .!")) in NOTHING_DONE:
            said = rest = "pass"
        is_pass = rest.strip(" ?!") in PASSING or any(self._is_pass(word) for word in WORD.findall(rest))
        if is_pass and any(map(self._is_pass, LETTERS.findall(rest.partition(":")[0]))):
            said = said[: -len(rest)] + rest.replace(": ", ", ", 1)  # `all pass: Essex to the English`
        if is_pass and seat is not None and fold_name(WORD.findall(said)[0]) in PASSING:
            said = rest  # `P passes`
        is_card = any(map(self._is_only_card, WORD.findall(rest)))
        passes = self._count_all_passes(said, len(numbers)) if is_pass and not is_card else 0
        if not passes and len(numbers) > 1 and not is_card:
            passes = len(numbers)
        if passes:
            told = [clause for clause in CLAUSE.split(said) if clause.strip() and not self._count_passes(clause)]
            whole = ", ".join(told)
            results += (
                [whole] if self._is_result(whole) else [each for each in told if self._is_result(each, loose=True)]
            )
        return Chunk(line, text, rest.strip(), numbers, seat, passes, tuple((each, line) for each in results))

    def _count_all_passes(self, said: str, numbered: int) -> int:
        clauses = [
            each
            for part in re.split(r"[.;] ", said)
            for each in ([part] if TIMES.search(part) and self._count_passes(part) else CLAUSE.split(part))
            if each and each.strip()
        ]
        passes = [self._count_passes(clause) for clause in clauses]
        if not any(passes):
            return 0
        if min(passes) < 0 and numbered < 2:
            return min(passes)
        telling = " ".join(clause for clause, count in zip(clauses, passes, strict=True) if count)
        return max(abs(self._count_passes(telling)), numbered)

    def _count_passes(self, clause: str) -> int:
        """Return how many passes a clause tells, if it tells nothing else: 0 for none, -1 for everybody's."""
        words = [fold_name(word) or word for word in WORD.findall(clause)]
        words = [plain if (plain := drop_accents(word)) in PASSING else word for word in words]
        times = self._count_times(clause)
        passing = sum(word in PASSING for word in words) * times
        names = len({self.labels[word] for word in words if word in self.labels and word not in PASSING})
        strange = [
            word
            for word in words
            if word != "x" and word not in PASSING and word not in self.labels and word not in BESIDE_PASS
        ]
        if (strange and not passing) or any(self.shorthand.find_kinds(word) for word in strange):
            return 0
        if not EVERYBODY.isdisjoint(words):
            is_to_end = times == 1 and TO_THE_END.search(clause)
            return (-MOST_ROUNDS if is_to_end else -times) if passing or names else 0
        if passing and not names and not OTHERS.isdisjoint(words):
            return len(self.names) - 1
        return max(passing, names * times)

    @staticmethod
    def _count_times(clause: str) -> int:
        found = TIMES.search(clause)
        if found is None:
            return 1
        if digits := found[1] or found[2]:
            return int(digits)
        return 2 if found[4] else COUNTS.get(drop_accents(fold_name(found[3])), 1)

    @staticmethod
    def _is_pass(word: str) -> bool:
        return word[0].isalpha() and drop_accents(fold_name(word)) in PASSING

    def _take_results(self, text: str) -> tuple[str, list[str]]:
        """Return a text without what followed in brackets, and that: `Pass (Essex: English)`."""
        results = []
        for found in BRACKET.finditer(text):
            said = next(filter(None, found.groups()), "")
            parts = [part.strip() for part in said.split(";")]
            if self._is_result(said) or any(self._is_result(part) or self.find_winners(part) for part in parts):
                results += parts
                text = text.replace(found[0], " ")
        return text, results

    def _take_label(self, text: str, *, is_first: bool = True) -> tuple[int | None, str]:
        """Return the seat of the name at the beginning of a text, None without one, and the rest."""
        label = re.match(
            rf"\s*(?:(?:{LEADING}) )?([^\W\d_]\w*(?:'(?!s\b)\w*)?)(?:['’]s)?\s*(:|,|-\s|–\s|—\s|=|\)|\.(?=\s|$)|(?=\s)|$)\s*",
            text,
        )
        rest = text[label.end() :] if label else ""
        is_apart = label and label[2] == "," and not any(map(self.begins_turn, LETTERS.findall(rest)[:2]))
        if not label or fold_name(label[1]) not in self.labels or label[2] == "=" or is_apart:
            return None, text
        following = LETTERS.match(rest)
        is_apart = (
            not is_first and label[2] != ":" and following and self.shorthand.find_kinds(following[0]) == {"region"}
        )
        is_region = label[2] == ":" and len(label[1]) == 1 and self.shorthand.find_kinds(label[1]) == {"region"}
        is_turn = self._names_card(rest) or "summon" in self.shorthand.find_kinds(rest)
        is_follower = len(label[1]) == 1 and "follower" in self.shorthand.find_kinds(label[1])
        is_told = is_region and not is_turn and self._is_result(text, loose=True)  # `N: s`
        if is_told or (is_apart and is_follower):  # `outman. e northumb`
            return None, text
        if self.is_labelled and (is_first or is_turn or label[2] == ":" or not is_follower):
            return self.labels[fold_name(label[1])], rest
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
        words = WORD.findall(line)
        if SPOKEN.match(line) and not self._names_card(line):
            line = self._take_label(line)[1]
        is_bare = not NUMBER.match(line) and self._take_label(line)[0] is None
        is_bare = is_bare and AGAIN.isdisjoint(map(fold_name, words)) and not any(map(self._is_pass, words))
        return is_bare and self._is_result(line, loose=True)

    def _is_result(self, text: str, *, loose: bool = False) -> bool:
        """Return True if a text says how a power struggle or the game ended."""
        return self.shorthand.is_result(text, loose=loose)


def name_sender(line: str) -> str:
    """Return a message of a chat with its sender at the beginning, and with the sender's name in place of `I`; another line without its time."""
    found = SENT.match(line)
    if not found:
        return STAMP.sub("", line)
    name = found["late"] or found["early"]
    return f"{name}: {ONESELF.sub(name, LIKEWISE.sub('pass', found['said']))}"


def find_senders(lines: Sequence[str]) -> tuple[str, ...]:
    """Return those who send the messages of a chat, () if the notes are none."""
    sent = [found["late"] or found["early"] for line in lines if (found := SENT.match(line))]
    times = Counter(sent)
    often = tuple(name for name in times if times[name] >= FEWEST_CALLED)
    return often if len(often) > 1 and len(sent) > len(lines) / 2 else ()


def join_rows(lines: Sequence[str]) -> list[str]:
    """Return the lines of notes with the rows of a table that have several lines in one: the others are empty.

    Such a line has nothing in the first cell. A table with a column of names has one line for each turn.
    """
    found, begin = list(lines), 0
    for size, table in groupby(lines, key=lambda line: 0 if RULED.match(line) else line.count("|")):
        count = len(list(table))
        if size > 1:
            found[begin : begin + count] = _join_table([line.split("|") for line in lines[begin : begin + count]])
        begin += count
    return found


def _join_table(rows: Sequence[Sequence[str]]) -> list[str]:
    first = int(all(not cells[0].strip() for cells in rows))
    more = [at for at, cells in enumerate(rows) if at and not cells[first].strip()]
    whole = [map(str.strip, cells) for at, cells in enumerate(rows) if at not in more]
    for column in zip(*whole, strict=True):
        names = Counter(cell for cell in column if cell.istitle() and cell.isalpha())
        if sum(names.values()) > MAIN * len(column) and len(names) <= MOST_PLAYERS:
            more = []
    joined = ["|".join(cells) for cells in rows]
    for at in more if len(more) >= FEWEST_TIMES else ():
        above = next(other for other in range(at - 1, -1, -1) if other not in more)
        cells = zip(joined[above].split("|"), rows[at], strict=True)
        joined[above] = "|".join(f"{one.rstrip()} {other.strip()} " for one, other in cells)
        joined[at] = ""
    return joined


def mend_misread(line: str) -> str:
    """Return a line with letters in words and digits in numbers, and each card as one word."""
    line = "\n".join(map(name_sender, line.split("\n")))
    line = TALLIES.sub(lambda row: TALLY.sub(lambda found: str(len(found[0].strip("."))), row[0]), line)
    for pattern, text in SPELLINGS:
        line = pattern.sub(text, line)
    return MISREAD_NUMBER.sub(lambda found: found[0].translate(DIGITS), line)


def find_signs(text: str) -> dict[str, str]:
    """Return the signs that notes explain, each with a word for what it means."""
    meanings = {**dict.fromkeys(PASSING, "pass"), **dict.fromkeys(SUMMONING, "summon"), "disc": "disc", "disk": "disc"}
    meanings |= {"no": "nothing", "nothing": "nothing"}
    told = SIGN_LEGEND.findall(text)
    told += [("-" if sign.casefold() in DASHES else ".", word) for sign, word in SIGN_IN_WORDS.findall(text)]
    found = ((sign, meanings.get(fold_name(word))) for sign, word in told)
    return {sign: word for sign, word in found if word}


CLEARLY, FIRST_LABELS = 3, 5
"""By how many turns another order has to fit better than the listed one, and first labels that show who began."""
