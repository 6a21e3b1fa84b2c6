"""Find what was played, who played and who writes, by what the notes of a game say."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from importlib.resources import files
from itertools import pairwise
from typing import Any

from attrs import frozen

from tkid.notation.free_text import DOUBTS, FILLERS
from tkid.notation.shorthand import FOREIGN, PASSING, WRITER, Shorthand
from tkid.notation.text import fold_name

BRACKET = re.compile(r"\(([^()]*)\)|\[([^\[\]]*)\]")
RULED = re.compile(r"^(?=.*[-–—=_]{5})[\s\-–—=_|+:*~]*$")
"""A line that divides a table."""
WORDS: Mapping[str, Any] = tomllib.loads((files("tkid.record") / "notes.toml").read_text("utf-8"))
"""The words and habits of writers."""
EVERYBODY, OTHERS, NOTHING_DONE, OTHER = (
    frozenset(WORDS[name].split()) for name in ("everybody", "others", "nothing_done", "other")
)
PASSES_LEFT_OUT = re.compile(WORDS["left_out"].strip())
BESIDE_PASS = EVERYBODY | OTHERS | frozenset(WORDS["beside_pass"].split())
MYSELF = re.compile(
    r"([^\W\d_]+) ?= ?(?:me|moi|ich|io|yo|I)\b|\bmyself,? \(?([^\W\d_]+)|([^\W\d_]+) *\([^(),;]*\b(?:me|ich|i)\b[^()]*\)"
    r"|\b(?:(?:i'm|(?-i:im(?= [a-z]))|i am|me is|ich bin|(?:yo )?soy|je suis|moi c'est|(?:io )?sono|eu sou)\b *[(=]?|(?:me|self|mich|mir|moi|ich)\b *[(=]) *([^\W\d_]+)",
    re.IGNORECASE,
)
"""How people say who of the players writes: `Ann (that's me)`, `me (bob)`, `im bob`."""
SIGNED = re.compile(
    r"(?:(?i:\b(?:by|von|di|par|por|scribe|love|yours|signed))\b[\s:,]*|[–—-] |\()([A-Z][^\W\d_]+)\)?[.]?\s*$",
    re.MULTILINE,
)
"""How people sign what they write."""
EXPLAINED = re.compile(r"\b([A-Z]) ?= ?([^\W\d_]{2,})|\b([A-Z])\.? \(([^\W\d_]{2,})\)")
"""The letter of a player with its meaning: `B = me F = frank`, `D. (self), M. (Milo)`."""
INITIALS_IN_ORDER = re.compile(r"\b[A-Z](?:(?:[ ,>-]|→)+[A-Z]\b){1,3}")
"""The players' order by their initials: `Played D A B C`."""
OWN_NAME = re.compile(r"\b(?:self|me|myself|I|ich|moi|io|yo|ik|ja) *\(([A-Z][^\W\d_]*)\W*\)", re.IGNORECASE)
"""The writer's name behind a word for it: `self (Ann)`."""
INITIAL = re.compile(r"\b([A-Z])\. ([A-Z][a-z]+)\b")
"""A name with only its last part in full: `I. Brandt`."""
SPEAKING = frozenset("I i ich Ich je Je me ja Ja io yo eu ik".split())  # noqa: SIM905 - words read better so
"""How writers of several languages call themselves where they act."""
LINE_SAID = re.compile(r"(?m)^(?:\W*\d{1,2}:\d\d\W+)?([^\W\d_]{2,}): ")
"""Who says a line of a chat."""
MAIN = 0.6
"""The share of the messages of a chat above which one sender tells of the game."""
MOST_BEFORE_CARD = 3
"""Words at the beginning of a line among which the card of a turn is."""
LETTERS = re.compile(r"[^\W\d_]+")
NICKNAME = re.compile(r"\b([^\W\d_]{2,}) ?(?:=|\bis\b|\balias\b|\baka\b|\"|\() ?\"?([^\W\d_]{2,})", re.IGNORECASE)
"""How notes say that a player has another name: `Cap = Ann`, `Ann is Mouse`, `White "Ann"`."""


def find_writer(text: str, names: Sequence[str]) -> int | None:
    """Return the seat of the player who writes, if the notes say it."""
    folded = [fold_name(name) for name in names]
    if "me" in folded:
        return folded.index("me")
    for found in (*OWN_NAME.finditer(text), *MYSELF.finditer(text)):
        for word in filter(None, found.groups()):
            begun = [seat for seat, name in enumerate(folded) if name.strip(".").startswith(fold_name(word))]
            if fold_name(word) in folded or (len(begun) == 1 and len(word) == 1):
                return begun[0]
    signed = (fold_name(found[1]) for pattern in WRITTEN for found in pattern.finditer(text))
    if (seat := next((folded.index(name) for name in signed if name in folded), None)) is not None:
        return seat
    if (sender := fold_name(find_main_sender(text))) in folded:
        return folded.index(sender)
    words = Counter(LETTERS.findall(text))
    said = [
        sum(words[each] for each in {name, name.title(), name.upper(), names[seat]}) for seat, name in enumerate(folded)
    ]
    said = [times + words[name[0]] * (words[name[0]] >= FEWEST_CALLED) for times, name in zip(said, names, strict=True)]
    spoken = {word for word in SPEAKING if len(word) > 1 or not any(name[0] == word.upper() for name in names)}
    speaks = sum(words[word] for word in spoken) >= FEWEST_SPOKEN
    silent = [
        seat
        for seat, times in enumerate(said)
        if times <= SILENT * max(said) and not words[names[seat][0]] > max(words["I"], FEWEST_TIMES)
    ]
    return silent[0] if speaks and len(silent) == 1 else None


def find_main_sender(text: str) -> str:
    """Return who says most lines of a chat in which somebody tells another one of the game, "" for other notes."""
    said = Counter(LINE_SAID.findall(text))
    return next((name for name, times in said.items() if times > MAIN * len(text.splitlines())), "")


def find_order_by_initials(text: str, names: Sequence[str]) -> tuple[str, ...]:
    """Return the players in the order in which a line lists their initials, () if none does: `Played D A B C`."""
    initials = {name[0]: name for name in names}
    lines = filter(PLAYERS.search, text.splitlines())
    runs = (re.findall(r"[A-Z]", found[0]) for line in lines for found in INITIALS_IN_ORDER.finditer(line))
    return next((tuple(map(initials.__getitem__, run)) for run in runs if sorted(run) == sorted(initials)), ())


def find_nicknames(text: str, names: Sequence[str]) -> dict[str, int]:
    """Return the other names that notes give players and use, with the seats."""
    seats = {fold_name(name): seat for seat, name in enumerate(names)}
    used = Counter(map(fold_name, LETTERS.findall(text)))
    pairs = [(fold_name(one), fold_name(other)) for one, other in NICKNAME.findall(text)]
    heads = Counter(fold_name(word) for word in re.findall(r"(?m)^\W*([^\W\d_]{2,})\b", text))
    pairs += [
        (name, head) for name in seats for head in heads if heads[head] >= FEWEST_CALLED and name.startswith(head)
    ]
    called = [(new, seats[name]) for pair in pairs for name, new in (pair, pair[::-1]) if name in seats]
    return {
        new: seat
        for new, seat in called
        if used[new] >= FEWEST_CALLED
        and new not in seats
        and (new not in FILLERS | DOUBTS or heads[new] >= FEWEST_CALLED)
    }


PLAYERS = re.compile(
    r"\b(?:players?|seats?|seating|spieler|joueurs|jugadores|giocatori|gracze|jogadores|order|reihenfolge|sat|sit|seated|present|goes|begins?|starts?"
    r"|clockwise|play(?:ed|ing)?|juegan|orden|giocano|ordine|jouent|ordre|spelen|volgorde|jogam|ordem|spielen|anwesend|f[aä]ngt an|beginnt|comincia|commence|empieza|empiezo|zaczyna\w*|come[cç]\w+|begint|begin|comincio|rond|(?:to )?open)\b",
    re.IGNORECASE,
)
"""Words of a line that lists the players."""
CERTAIN = 6
"""How much speaks for a word with a court to be a player's name."""
LABEL_WORD = re.compile(r"[^\W_]+")
NAME_WORD = r"[^\W\d_]{2,}"
SHORT_LABEL = re.compile(r"\W*(?:\d{1,3}[.)]?\s+)?(?:\d{1,2})?([a-zA-Z]|P\d)(?:\d{1,2})?(?=[\s.:)|-])")
LEGENDS = (
    (re.compile(rf"\b([A-Z]|P\d)\b\.? ?[=:(]? ?({NAME_WORD})"), 1),
    (re.compile(rf"\b({NAME_WORD}) ?[=(] ?([A-Z]|P\d)\b"), -1),
)
WRITTEN = (
    re.compile(r"(?mi)^(?:from|von|de|da): (?-i:([A-Z][^\W\d_]+))"),
    re.compile(
        r"(?i)\b(?:by|von|scribe|mitschrift|notes|protokoll|written|par|di|por)\b[\s:,]*(?:by )?(?-i:([A-Z][^\W\d_]+))"
    ),
    re.compile(r"(?m)^\W*([A-Z][^\W\d_]+?)['’]?s (?:book|diary|journal|blog|log|notes|pad|games?)\b"),
    SIGNED,
)
"""How notes explain initials, and say who wrote them."""
HEAD, HEAD_LINES, FEWEST_SPOKEN, SILENT = 300, 4, 4, 0.34
"""Letters and lines in which names are likely, how often a writer says `I`, and the share of others' names with which writers name themselves."""
LONGEST_LABEL, SHORTENED, LONGEST_LIST, FEW_TURNS = 2, 3, 14, 0.2
"""Letters of a label and of a shortened name, words of a line that lists players in small letters, and the share of the turns of others that a player has."""
MOST_PLAYERS, MOST_OTHERS, FEWEST_TIMES, FEWEST_CALLED = 4, 3, 2, 3
"""Players of a game, words of each kind that may be players too, lines that begin with a player's label, and how often notes use a nickname."""
LISTED = r"(?:[\s,;&+/>|=–—:.\-\"\[\]]|→|\b(?:second|third|fourth|and|und|et|e|y|i|then|dann|danach|(?-i:dan)|daarna|poi|puis|luego|depois|potem|goes|opens?|first|starts?|begins?|begin|beginnt|begint|f[aä]ngt an|f[aä]ngt|an|vs?|against|gegen|contre|contro|contra|\d+(?:st|er)?)\b)+"
"""The words and signs between the names of players."""
LIST_LINE = re.compile(r"\n(?=\s*(?:\d[.)]?|[-*•])\s*[^\W\d_]+(?: *\([^()]*\))?\s*$)", re.MULTILINE)
"""The end of a line before a line that has only a player's name, with a number."""
TAG = re.compile(r'\[\w+ "')
NAME = r"([^\W\d_]{2,}\b|[A-Z]\b)"
LETTER_EXPLAINED = re.compile(r"(?<![^\W_])([A-Z])\.? ?[=:] ?([^\W\d_]+)(?: *\(([A-Z][^\W\d_]+)\))?")
"""The letter of a player with the name, or a word for the writer with the name in brackets."""
ROWS_BELOW = 12
"""Rows of a table that show what the columns are."""
STARTS = r"(?:(?:is |goes |ist |was )*(?:starts?|started|begins?|began|first|1st|leads|beginnt|begann|commence|inizia|comincia|empieza))"
COURTS = r"(?:courts?|hands?|h[oö]fe?|cours?|corti?|corte|dw[oó]r|players?|spieler|joueurs|giocatori|jugadores)"
OPPOSING = r"(?:against|vs?\b\.?|versus|gegen|contre|contro|contra)"
COURT_OF = re.compile(
    rf"(?m)^\W*(?:(?:court|hand|hof|cour|corte|dw[oó]r)(?: (?:of|von|van|de|di))? ({NAME_WORD})|({NAME_WORD})['’]s? ?(?:court|hand)\b)",
    re.IGNORECASE,
)
AGAINST = re.compile(rf"\b([A-Z][^\W\d_]+)(?: *\([^()]*\))? {OPPOSING} (?-i:([A-Z][^\W\d_]+))")
"""Whose court a row tells, and two players who played against each other."""
EVIDENCE = tuple(
    re.compile(row, re.IGNORECASE | re.MULTILINE)
    for row in (
        rf"\b{NAME}(?:'s)?(?: *\([^()]*\))?:? *(?:has|have|had|hat|haben|got|holds?|drew|draws|court|hof|ha|tiene|{STARTS})\b",
        rf"\b{STARTS}(?: ?player)?\b[:= ]*(?:(?:is|was|by|est|with|ist|war) )?{NAME}",
        rf"\b{NAME}(?: *\([^()]*\))? *{OPPOSING}",
        rf"\b(?:{OPPOSING}|i am|i'm|me is|with|ich bin|me ?[=(]) *(?:uncle |aunt |o |a |il |la |el |de )?{NAME}",
        rf"^\W*{NAME} *(?:\([^()]*\))? *[:=]",
        rf"\b([A-Z]) ?= ?(?=\1){NAME}",
        rf'^\[\w+ "{NAME}"\]',
        rf"\b{NAME} ?\((?:that's |i'?m )?(?:me|ich|i|moi|io|yo)\b",
    )
)
"""How notes say that a word is a player."""


def _divide_row(line: str) -> list[str]:
    """Return the cells of a row, also of one that only blanks divide."""
    cells = split_cells(line)
    return cells if len(cells) > 1 else re.split(r" {2,}", line.strip())


def find_ruleset(text: str) -> str:
    """Return the code of the ruleset that notes name, or the usual one."""
    return str(next(code for words, code in WORDS["rulesets"] if re.search(words, text, re.IGNORECASE)))


def list_players(text: str, shorthand: Shorthand, *, anybody: bool = False) -> list[tuple[str, ...]]:
    """Return who may have played, the likeliest first, each in turn order as notes list them and as they take turns; [] if the notes tell neither.

    With `anybody`, the likeliest need not have played.
    """
    finder = _PlayerFinder(text, shorthand)
    likeliest = finder.find_names()
    return [each for each in dict.fromkeys((likeliest, *finder.list_others(likeliest, anybody=anybody))) if each]


def list_told_players(text: str, shorthand: Shorthand) -> list[tuple[str, ...]]:
    """Return the players that the head of a table, a legend, their courts, a list, or `Ann against Bob` tells, each in the order in which they are told."""
    return list(dict.fromkeys(_PlayerFinder(text, shorthand).list_told()))


def split_cells(line: str) -> list[str]:
    """Return the cells of a row of a table."""
    sign = "|" if "|" in line else "\t"
    return line.strip(" ").removeprefix("|").removesuffix("|").split(sign)


@frozen(eq=False)
class _PlayerFinder:
    """Finds the players by what notes say about them, above all by who takes turns."""

    text: str
    shorthand: Shorthand

    def find_names(self) -> tuple[str, ...]:
        """Return the players, those who are listed together in the order of their list; () if there are fewer than two."""
        names, told = self._list_labelled() or self._list_likely(), {name for _, name in self._legend}
        small = self.text.casefold()
        explained = sorted(told, key=lambda name: small.find(name.casefold()))
        in_order = explained if {*names} == told else self._listed
        listed = {name: at for at, name in enumerate(in_order)}
        names.sort(key=lambda name: listed.get(name, len(listed)))
        left = [name for name in self._listed if name not in names]
        is_silent = all(self._acting[name] < FEWEST_TIMES for name in names)  # turns without names
        is_used = is_silent or all(self._acting[name[0]] for name in left)  # also if letters mean something else too
        if {*names} < {*self._listed} and self._is_listed_clearly and is_used:
            names = self._listed
        is_guess = is_silent and not (self._short_labels or told or self._holding or self._is_listed_clearly)
        if (len(names) < 2 or is_guess) and self._speaks:
            acting = [label for label, times in self._acting.most_common() if times >= FEWEST_CALLED]
            is_label = (label for label in acting if label[0].isupper() or len(label) == 1)
            others = [label for label in is_label if label.isalpha() and not self._begins_turn(label)]
            found = [self._expand(label) for label in others if fold_name(label) not in WRITER | OTHER]
            names = [self._writer or "Me", *found][:2] if found else names
        names = list(dict.fromkeys(map(self._find_own_name, names)))[:MOST_PLAYERS]
        if len(names) < 2 and len(self._holding) == 1 and any(map(self._times.__getitem__, SPEAKING)):
            names = [self._writer or "Me", *self._holding]  # `Hanna had …, I …`
        holding = self._list_holding_letters()
        names = holding if len(names) < 2 or {*names} < {*holding} else names
        return find_order_by_initials(self.text, names) or tuple(names) if len(names) > 1 else ()

    def list_others(self, likeliest: tuple[str, ...], *, anybody: bool) -> Iterator[tuple[str, ...]]:
        """Yield other players than the likeliest: those of a list or with courts, and the likeliest without one, with another one or with one more.

        Without `anybody`, a name behind which turns are stays, unless it looks like a pass. So does the writer, unless another name may be the
        writer's.
        """
        acts = (name for name in likeliest if self._acting[name] or self._acting[name[0]])
        sure = {name for name in acts if fold_name(name.strip(".")) not in PASSING and not anybody}
        sure |= {"Me"} if {*likeliest} - sure == {"Me"} else set()
        letters = [label for label, _ in self._acting.most_common() if len(label) == 1 and label.isupper()]
        acting = [self._expand(label) for label in letters if fold_name(label) not in PASSING | WRITER][:MOST_OTHERS]
        writer = [self._writer or "Me"] if self._speaks else []
        for names in (self._listed, [*self._holding], self._list_holding_letters(), [*acting, *writer]):
            if len(names) > 1 and sure <= {*names}:
                yield tuple(dict.fromkeys(names))[:MOST_PLAYERS]
        more = [*[name for name, _ in self._worth.most_common(MOST_OTHERS)], *acting, *writer]
        more = [name for name in dict.fromkeys(more) if name not in likeliest]
        for at in (at for at, name in enumerate(likeliest) if name not in sure):
            if len(likeliest) > len(("I", "you")):
                yield likeliest[:at] + likeliest[at + 1 :]
            yield from ((*likeliest[:at], name, *likeliest[at + 1 :]) for name in more)
        if likeliest and len(likeliest) < MOST_PLAYERS:
            yield from ((*likeliest, name) for name in more)

    def list_told(self) -> Iterator[tuple[str, ...]]:
        """Yield the players of each place that tells them all."""
        for names in (
            self._list_heads(), self._list_column(), self._list_explained(), self._list_opponents(), self._list_holders(),
            self._listed,
        ):  # fmt: skip
            called = tuple(map(str.title, names))
            if 1 < len({*called}) == len(called) <= MOST_PLAYERS and all(map(self._may_play, called)):
                yield called

    def _may_play(self, name: str) -> bool:
        plain = fold_name(name.strip("."))
        is_common = len(plain) > 1 and plain in FILLERS | DOUBTS | PASSING | OTHER | self._common
        means = self.shorthand.find_kinds(name) if len(plain) > 1 else set[str]()
        is_region = plain in {fold_name(region) for region, _ in self.shorthand.list_signs("region")}
        return name == "Me" or not (is_common or is_region or means & {"follower", "supply", "court"})

    def _call(self, word: str) -> str:
        """Return the name that a word has where it surely means a player."""
        if fold_name(word) in WRITER:
            return self._writer.title() or "Me"
        explained = dict(self._explained)
        return explained.get(word) or (self._expand(word) if len(word) == 1 else word.title())

    def _list_heads(self) -> list[str]:
        """Return the players in the head of a table: the cells of one word below which most cells tell turns."""
        lines = [line for line in self.text.splitlines() if not RULED.match(line)]
        for at, line in enumerate(lines):
            heads = [LETTERS.findall(BRACKET.sub("", cell)) for cell in _divide_row(line)]
            rows = [
                cells for row in lines[at + 1 : at + 1 + ROWS_BELOW] if len(cells := _divide_row(row)) == len(heads)
            ]
            if sum(len(words) == 1 for words in heads) < FEWEST_TIMES or len(rows) < FEWEST_CALLED:
                continue
            below = zip(*rows, strict=True)
            acting = [
                words[0]
                for words, cells in zip(heads, below, strict=True)
                if len(words) == 1 and sum(map(self._is_turn_in_cell, cells)) > len(cells) / 2
            ]
            if len(acting) > 1:
                return list(map(self._call, acting))
        return []

    def _list_column(self) -> list[str]:
        """Return the players in the column of a table that says who acted: one of few words in most rows."""
        every = [cells for line in self.text.splitlines() if len(cells := _divide_row(line)) > len(("who", "what"))]
        size = max(Counter(map(len, every)).items(), key=lambda each: each[1], default=(0, 0))[0]
        rows = [cells for cells in every if len(cells) == size]
        for at in range(len(("number", "who")) if rows else 0):
            words = [LETTERS.findall(cells[at])[-1:] for cells in rows]
            told = Counter(word for row in words for word in row)
            often = [word for word, times in told.items() if times >= FEWEST_CALLED and not self._begins_turn(word)]
            if 1 < len(often) <= MOST_PLAYERS and sum(told[word] for word in often) > MAIN * len(rows):
                return list(map(self._call, often))
        return []

    def _is_turn_in_cell(self, cell: str) -> bool:
        said = BRACKET.sub("", cell)
        return not said.strip(" -–—.x") or any(map(self._begins_turn, LETTERS.findall(said)[:MOST_BEFORE_CARD]))

    @cached_property
    def _explained(self) -> list[tuple[str, str]]:
        """The letters of all players as one line explains them: `A = me, R = Rhea`, `H = me (Hugh)`; the writer's own name may be left out."""
        for line in self.text.splitlines():
            pairs = list[tuple[str, str]]()
            for letter, word, name in LETTER_EXPLAINED.findall(line):
                is_writer = fold_name(word) in WRITER
                called = name if is_writer and name else f"{letter}." if is_writer else word.title()
                if is_writer or (called[0] == letter and self._may_play(called)):
                    pairs.append((letter, called))
            if len({letter for letter, _ in pairs}) == len(pairs) > 1:
                return pairs
        return []

    def _list_explained(self) -> list[str]:
        return [name for _, name in self._explained]

    def _list_opponents(self) -> list[str]:
        """Return two players of whom a line says that they played against each other."""
        found = next((found for found in AGAINST.finditer(self.text) if PLAYERS.search(found[0]) is None), None)
        return list(map(self._call, found.groups())) if found else []

    def _list_holders(self) -> list[str]:
        """Return the players whose courts one line tells, or several lines that name a court: `Ann's court`, `hof Bob`."""
        found = [name for one, other in COURT_OF.findall(self.text) if (name := one or other)]
        names = [name for name in dict.fromkeys(map(self._call, found)) if self._may_play(name)]
        if len(names) > 1:
            return names
        for line in self.text.splitlines():
            held = (
                word
                for word in self.shorthand.find_holders(line)
                if word.istitle() or self._acting[word] or fold_name(word) in WRITER
            )
            names = [name for name in dict.fromkeys(map(self._call, held)) if self._may_play(name)]
            if 1 < len(names) <= MOST_PLAYERS:
                return names
        return []

    def _list_holding_letters(self) -> list[str]:
        """Return the players whom the notes call only by letters, in their order or with courts: `A se, B ee`."""
        for line in self.text.splitlines():
            listed = INITIALS_IN_ORDER.search(line) if PLAYERS.search(line) else None
            if listed and len({*(run := re.findall(r"[A-Z]", listed[0]))}) == len(run):
                return [f"{letter}." for letter in run]
            letters = [word for word in self.shorthand.find_holders(line) if len(word) == 1 and word.isupper()]
            if 1 < len(letters) == len({*letters}) <= MOST_PLAYERS:
                return [f"{letter}." for letter in letters]
        return []

    def _list_labelled(self) -> list[str]:
        """Return the players whose letters turns begin with, and the writer who tells as many turns of their own."""
        if not self._short_labels:
            return []
        explained = [letter for letter, _ in self._legend if self._is_often(letter)]
        short = list(dict.fromkeys((*self._short_labels, *explained)))
        is_other = self._speaks and self._spoken >= max(self._acting[label] for label in short) / 2
        return list(dict.fromkeys((*map(self._expand, short), *([self._writer or "Me"] if is_other else ()))))

    def _list_likely(self) -> list[str]:
        """Return the players by what speaks for each name, and the writer who isn't among them."""
        best, told = sorted(self._worth, key=lambda name: -self._worth[name]), {name for _, name in self._legend}
        least = max(FEWEST_TIMES, FEW_TURNS * self._worth[best[0]]) if best else 0
        names = [name for name in best if self._worth[name] >= least][:MOST_PLAYERS]
        names = [name for name in names if name in told or not told or self._acting[name] >= FEWEST_CALLED]
        called = [name for name in names if self._acting[name] or self._acting[name[0]]]
        is_named = self._writer in names or 0 < len(called) == len(names) - 1
        return [*names, *([self._writer or "Me"] if self._speaks and not told and not is_named else ())]

    def _find_own_name(self, name: str) -> str:
        """Return the name of a player with a nickname: `Cap = Ann`."""
        own = re.search(rf"\b{name} ?= ?({NAME_WORD})|\b({NAME_WORD}) is {name}\b", self.text)
        found = (own[1] or own[2]) if own else ""
        return found if found.istitle() and fold_name(found) not in WRITER and self._name(found) else name

    @cached_property
    def _acting(self) -> Counter[str]:
        """The words behind which a card or a pass is, with how often."""
        found = Counter[str]()
        for line in self.text.splitlines():
            words = list(LABEL_WORD.finditer(line))
            for at, word in enumerate(words):
                for step, other in enumerate(words[at + 1 : at + 1 + MOST_BEFORE_CARD]):
                    between = line[word.end() : other.start()]
                    if re.search(r"[.!?;](?=\s)", between) and not (step == 0 and len(word[0]) <= LONGEST_LABEL):
                        break
                    if self._begins_turn(other[0]) or (step == 0 and fold_name(other[0]) in NOTHING_DONE):
                        found[word[0]] += 1
                        break
        for short, name in list(self._list_shortened(found)):
            found[name] += found.pop(short)
        return found

    def _list_shortened(self, acting: Counter[str]) -> Iterator[tuple[str, str]]:
        """Yield each acting word of two or three letters that begins only one name near the beginning, with that name."""
        heads = {word for word in LETTERS.findall(self.text[:HEAD]) if word.istitle() and word not in acting}
        heads = {word for word in heads if not self.shorthand.names_thing(word) and fold_name(word) not in self._common}
        for short, times in acting.items():
            begun = [name for name in heads if name.startswith(short.title()) and name != short]
            is_short = 1 < len(short) <= SHORTENED and fold_name(short) not in FILLERS | DOUBTS | WRITER
            if is_short and len(begun) == 1 and times >= FEWEST_CALLED and not self.shorthand.names_card(short):
                yield short, begun[0]

    @cached_property
    def _verbs(self) -> frozenset[str]:
        """The words in small letters that stand directly behind several words with capitals and before what these do: `Ann spielt`."""
        before = dict[str, set[str]]()
        for one, other in re.findall(r"\b([A-Z][^\W\d_]*):? (?=([a-z][^\W\d_]+) )", self.text):
            if self._acting[other] and self._acting[one]:
                before.setdefault(other, set()).add(one)
        return frozenset(verb for verb, names in before.items() if len(names) > 1)

    def _begins_turn(self, word: str) -> bool:
        return (fold_name(word) in PASSING and word[0].isalpha()) or self.shorthand.names_card(word)

    @cached_property
    def _short_labels(self) -> list[str]:
        """The letters and codes with which turns begin, if they do: `A`, `P2`."""
        lines = self.text.splitlines()
        heads = Counter(found[1] for line in lines if (found := SHORT_LABEL.match(line)) and self._tells_turn(line))
        heads |= Counter(
            {
                word: times
                for word, times in self._acting.items()
                if SHORT_LABEL.match(f"{word}.")
                and not word.islower()
                and self.shorthand.find_kinds(word).isdisjoint({"card", "follower", "region"})
            }
        )
        heads = Counter({label: times for label, times in heads.items() if not self.shorthand.names_card(label)})
        most = max(heads.values(), default=0)
        labels = [label for label, times in heads.items() if times >= max(FEWEST_CALLED, FEW_TURNS * most)]
        called = [name for label in labels for name in [self._expand(label)] if self._worth[name]]
        named = max(
            (times for name, times in self._acting.items() if len(name) > LONGEST_LABEL and self._name(name)), default=0
        )
        if len(labels) > len(called) > 1:
            labels = [
                label
                for label in labels
                if self._worth[self._expand(label)] or heads[label] >= most / len(("I", "you"))
            ]
        if all("follower" in self.shorthand.find_kinds(label) for label in labels) and len(self._listed) > 1:
            return []  # `Y sup`, where the players are named elsewhere
        return labels if 1 < len(labels) <= MOST_PLAYERS and most > named else []

    def _is_long_or_often(self, word: str) -> bool:
        return len(word) > LONGEST_LABEL or self._times[word] > FEWEST_TIMES

    def _is_often(self, label: str) -> bool:
        """Return True if many turns or lines begin with a label."""
        return max(self._acting[label], self._short_heads[label]) >= FEWEST_CALLED

    @cached_property
    def _short_heads(self) -> Counter[str]:
        """The letters and codes with which lines begin."""
        return Counter(found[1] for line in self.text.splitlines() if (found := SHORT_LABEL.match(line)))

    def _tells_turn(self, line: str) -> bool:
        return any(self._begins_turn(word) for word in LETTERS.findall(line)[:MOST_BEFORE_CARD])

    def _expand(self, label: str) -> str:
        """Return the name for a letter or a code."""
        letter = label.strip("0123456789").upper()
        told = [name for short, name in self._legend if short.upper() == label.upper()]
        begun = [name for name in (*self._listed, *self._worth) if name.upper().startswith(letter)]
        small = [
            word.title()
            for word in LETTERS.findall(self.text[:HEAD])
            if word[0].upper() == letter and len(word) > LONGEST_LABEL
        ]
        small = [name for name in small if label.islower() and self._is_free(name)]
        often = [
            word
            for word, times in self._times.most_common()
            if word.istitle() and word[0] == letter and times >= FEWEST_TIMES and len(word) > LONGEST_LABEL
        ]
        often = [word for word in often if self._is_free(word) and self._times[word] > self._times[word.lower()]]
        own = [self._writer] if self._writer.upper().startswith(letter) else []
        near = {word for word in LETTERS.findall(self.text[:HEAD]) if word.istitle() and word[0] == letter}
        near = {word for word in near if len(word) > LONGEST_LABEL and self._is_free(word)}
        alone = [*near] if len(near) == 1 else []
        likely = [
            *told,
            *own,
            *sorted(begun, key=lambda name: -self._worth[name]),
            *often,
            *small,
            *alone,
            f"{letter}.",
        ]
        return str(likely[0])

    @cached_property
    def _legend(self) -> list[tuple[str, str]]:
        """The letters and codes of players that notes explain: `L. = Lars`, `Leo (L)`, `P1 Carl`; [] if it is only one."""
        pairs = [
            (short, name)
            for pattern, order in LEGENDS
            for found in pattern.finditer(self.text)
            for short, name in [found.groups()[::order]]
        ]
        found = [
            (short, name)
            for short, name in pairs
            if (self._name(name) or (name.istitle() and not self.shorthand.names_thing(name)))
            and (name[0] == short[0] or short[-1].isdigit())
        ]
        for line in self.text.splitlines():  # `A = Al, B = Bea`, where `Al` may be another word; `B = me, F = frank`
            rows = [pair for pair in LEGENDS[0][0].findall(line) if pair[1].istitle() and pair[1][0] == pair[0]]
            found += rows if len(rows) > 1 and any(pair in found for pair in rows) else []
            pairs = [(one or two, name or other) for one, name, two, other in EXPLAINED.findall(line)]
            told = [pair for pair in pairs if self._is_often(pair[0])]
            own = [(short, f"{short}.") for short, name in told if fold_name(name) in WRITER]
            named = [(short, name.title()) for short, name in told if name[0].upper() == short]
            named = [(short, name) for short, name in named if not self.shorthand.names_thing(name.lower())]
            found += [*own, *named] if len(own) + len(named) > 1 else []
        return found if len({short for short, _ in found}) > 1 else []

    @cached_property
    def _worth(self) -> Counter[str]:
        """How much speaks for each word to be a player's name."""
        found = Counter[str]()
        for word, times in self._acting.items():
            if len(word) > LONGEST_LABEL and (name := self._name(word)):
                found[name] += times
        found.update(self._holding)
        for pattern in EVIDENCE:
            told = {match[match.lastindex or 1]: match.start() < HEAD for match in pattern.finditer(self.text)}
            names = {name: is_head for word, is_head in told.items() if (name := self._name(word))}
            found.update({name: 1 + (is_head and name[0].isupper()) for name, is_head in names.items()})
        for name in self._listed:
            found[name] += FEWEST_TIMES
        for _, name in self._legend:
            found[name] += CERTAIN
        return found

    @cached_property
    def _holding(self) -> Counter[str]:
        """The words behind which the followers of a court are, above all several on one line."""
        found = Counter[str]()
        for line in self.text.splitlines():
            holders = [word for word in self.shorthand.find_holders(line) if len(word) > 1]
            words = (word for word in LETTERS.findall(line) if word not in holders or self.shorthand.names_card(word))
            if any(map(self._begins_turn, words)):
                continue
            is_own = any(fold_name(word) in WRITER for word in holders)
            named = [word for word in holders if self._name(word) and self._is_long_or_often(word)]
            named = [word for word in named if not (word.isupper() and len(holders) < 2)]
            named += [word for word in holders if is_own and word not in named and self._is_free(word)]
            if len(holders) > 1 and named:
                named = [
                    word
                    for word in holders
                    if word in named
                    or (
                        word.istitle() and self._is_long_or_often(word) and fold_name(word) not in self._common | WRITER
                    )
                ]
            found.update({word.title(): CERTAIN for word in named})
        return found

    @property
    def _listed(self) -> list[str]:
        """The names of the likeliest list of players."""
        return self._likeliest_list[1]

    @property
    def _is_listed_clearly(self) -> bool:
        return self._likeliest_list[0] >= CERTAIN

    @cached_property
    def _likeliest_list(self) -> tuple[float, list[str]]:
        best: tuple[float, list[str]] = 0.0, []
        lines = INITIAL.sub(r"\2", LIST_LINE.sub(", ", OWN_NAME.sub(r"\1", self.text))).splitlines()
        for line, behind in pairwise([*lines, ""]):
            is_head = line.count("|") > 1 and RULED.match(behind) is not None
            told = (
                is_head * CERTAIN
                + bool(PLAYERS.search(line)) * CERTAIN
                + bool(re.search(rf"\b{STARTS}\b", line)) * FEWEST_TIMES
            )
            within = [text for each in BRACKET.findall(line) for text in each]
            whole = [] if TAG.match(line) else [(each, each) for each in within]
            parts = [(BRACKET.sub(" ", line) if whole else line, line), *whole]
            for run in (each for part in parts for each in self._list_runs(*part)):
                initials = [name[0] for name in run]
                is_short = len({*initials}) == len(run) and all(map(self._acting.__getitem__, initials))
                worth = (
                    told
                    + CERTAIN * is_short
                    + sum(
                        min(self._acting[each], CERTAIN)
                        + min(self._holding[each], 1)
                        + (self._times[each] + self._times[each.lower()] > 1)
                        for each in run
                    )
                )
                best = max(best, (worth, run), key=lambda each: each[0])
        return best

    def _list_runs(self, line: str, whole: str) -> Iterator[list[str]]:
        """Yield each run of names in a part of a whole line that have the same sign between them."""
        run, end, has_signs = dict[str, None](), 0, False
        for word in [*LETTERS.finditer(line), None]:
            if word and re.fullmatch(LISTED, f" {word[0]} ", re.IGNORECASE):
                continue
            name, between = (self._read_listed(word[0], whole), line[end : word.start()]) if word else ("", "")
            if len(run) == 1 and between.strip() == ":":
                run = {}  # `Crew: Ann, Bob`
            is_near = not run or (
                re.fullmatch(LISTED, between, re.IGNORECASE) and (len(run) == 1 or has_signs == bool(between.strip()))
            )
            if run and not (name and is_near):
                if 1 < len(run) <= MOST_PLAYERS:
                    yield [*run]
                run = {}
            if name and word:
                has_signs, end = bool(between.strip()), word.end()
                run[name] = None

    def _read_listed(self, word: str, line: str) -> str:
        """Return the name of a player in a list, also one in small letters; "" for other words."""
        is_list = PLAYERS.search(line) is not None
        if fold_name(word) in WRITER and (is_list or self._writer):
            return self._writer or "Me"
        is_small = (
            is_list
            and len(LETTERS.findall(line)) <= LONGEST_LIST
            and not re.search(r"[:,>] *[A-Z]", line)
            and self._is_free(word)
        )
        plain = fold_name(word)
        is_titled = (
            is_list and word.istitle() and not self._times[word.lower()] and not self.shorthand.names_thing(word)
        )
        is_titled = (
            is_titled
            and plain not in self._common | FILLERS | DOUBTS | FOREIGN | PASSING
            and not PLAYERS.fullmatch(plain)
        )
        is_given = is_small or is_titled or word.title() in self._holding
        return self._name(word) or (word.title() if is_given else "")

    @cached_property
    def _speaks(self) -> bool:
        """True if somebody tells turns or a court of their own: `I passed`, `me 1 blue`."""
        return self._spoken >= FEWEST_TIMES or any(map(self._tells_own_court, self.text.splitlines()))

    @property
    def _spoken(self) -> int:
        return sum(times for word, times in self._acting.items() if fold_name(word) in WRITER)

    def _tells_own_court(self, line: str) -> bool:
        holders = self.shorthand.find_holders(line)
        return len(holders) > 1 and any(fold_name(word) in WRITER for word in holders)

    @cached_property
    def _writer(self) -> str:
        spoken = [word for found in MYSELF.finditer(self.text) for word in found.groups() if word]
        lines = [line for line in self.text.splitlines() if line.strip()]
        if sender := find_main_sender(self.text):
            return sender
        ends = "\n".join((*lines[:HEAD_LINES], *lines[-HEAD_LINES:]))
        signed = [found[1] for pattern in WRITTEN for found in pattern.finditer(ends)]
        is_small = self.text.replace("I", "i").islower()
        known = [
            name
            for word in (*spoken, *signed)
            if (word[0].isupper() or self._acting[word] or is_small)
            and (name := self._name(word) or (word.title() if self._is_free(word) and is_small else ""))
        ]
        known = [
            name
            for name in known
            if max(self._acting[name], self._acting[name.lower()]) < FEWEST_CALLED or not self._speaks
        ]
        often = [name for name in known if self._times[name] > 1 or self._times[name.lower()] > 1]
        return (often or known or [""])[0]

    def _name(self, word: str) -> str:
        """Return a word as a name, "" if it is a word of the game or of the language."""
        capitals, small = self._times[word.title()] + self._times[word.upper()], self._times[word.lower()]
        is_code = len(word) <= LONGEST_LABEL and not self._times[word.title()]
        is_written = (
            word.istitle()
            or (word.isupper() and not is_code)
            or (
                word.islower()
                and (capitals or self._acting[word] >= FEWEST_CALLED or self._heads[word] >= FEWEST_CALLED)
            )
        )
        return (
            word.title()
            if is_written
            and (capitals > small or not capitals or self._acting[word] >= FEWEST_CALLED)
            and self._is_free(word)
            else ""
        )

    def _is_free(self, word: str) -> bool:
        """Return True if a word means nothing else."""
        plain = fold_name(word)
        if (
            len(word) < 2
            or not word.isalpha()
            or word in self._verbs
            or plain in FILLERS | DOUBTS | BESIDE_PASS | self._common | WRITER
            or plain in PASSING | OTHER
            or (plain in FOREIGN and self._times[word.lower()] >= self._times[word.title()])
        ):
            return False
        is_name = word.istitle() and not self._times[word.lower()] and self._times[word] <= CERTAIN
        others = {"pass", "player", *(("summon", "disc", "nothing") if is_name else ())}
        others |= {"region"} if is_name and len(word) <= len("Tess") else set()
        return not (
            re.fullmatch(f"{STARTS}|{COURTS}|{LISTED}", word, re.IGNORECASE)
            or PLAYERS.fullmatch(plain)
            or self.shorthand.names_thing(word)
            or (self._acting[word] < FEWEST_CALLED and self.shorthand.find_kinds(word) - others)
        )

    @cached_property
    def _heads(self) -> Counter[str]:
        """The words with which lines begin."""
        return Counter(found[1] for found in re.finditer(r"(?m)^\W*([^\W\d_]+)", self.text))

    @cached_property
    def _times(self) -> Counter[str]:
        return Counter(LETTERS.findall(self.text))

    @cached_property
    def _common(self) -> frozenset[str]:
        return frozenset(WORDS["common"].split())
