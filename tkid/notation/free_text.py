"""Find the turn that somebody meant in an everyday sentence.

English words, and the commonest German, French, Spanish, Italian, Portuguese and Polish ones. Accents and capitals do not
matter here.

The strict reading comes first. Where it reads a legal turn, that is certain. Otherwise each game looks for facts in the
text (a card, followers, regions) and for the legal turns that have them all.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from difflib import get_close_matches
from importlib.resources import files
from typing import Any

from attrs import evolve, frozen

from tkid.kernel.game import AnyGame, fill_names
from tkid.kernel.problems import Kind, Place, Problem, Violation
from tkid.notation.judge import DOTS, OBJECTING, Line, Verdict, find_corrections, judge_whole
from tkid.notation.names import rank_alike, simplify_name
from tkid.notation.plugin import FreeReader, Meant, ReadTurn, TurnReader, find_free_reader, find_turn_reader
from tkid.notation.plugin import make_problems as problems_of
from tkid.notation.text import NUMBER_WORDS, drop_accents, make_plain
from tkid.rulebook import cites

MIN_LIKENESS = 0.75
"""Likeness (0 to 1) that a word needs to be taken for another with a typing error."""
MIN_LETTERS_WITH_ERROR = 4
"""Minimum number of letters of a word that may have a typing error."""
TOKEN = re.compile(r"[wW]/(?=\s)|<->|<=>|<>|[-=]+>|\d+|[^\W\d_]+(?:'[^\W\d_]+)?|\n|\S")
HISTORY_BESIDE_TURN = re.compile(r"#[0-9a-f]{6}\b|\*+|\{[^{}]*\}", re.IGNORECASE)
"""History beside a turn: its hash, marks, comments."""
WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
NUMBERED = re.compile(r"\s*\d+\s*[.)](?!\d)")
"""The number before a turn of history."""
ENDS = frozenset(".!?\n")
"""End of a sentence."""

_TABLE = tomllib.loads(files(__package__).joinpath("free_text.toml").read_text("utf-8"))


def read_word_list(name: str) -> frozenset[str]:
    return frozenset(_TABLE[name].split())


def _any_of(*names: str, between: str = " +") -> str:
    """Return a pattern for the phrases of some lists, the longest first."""
    phrases = sorted((each for name in names for each in _TABLE["phrases"][name]), key=len, reverse=True)
    return f"(?:{'|'.join(between.join(map(re.escape, phrase.split())) for phrase in phrases)})"


ABBREVIATED, BOTH_WAYS, SELF = map(read_word_list, ("abbreviated", "both_ways", "self"))
AND, AGAINST, FROM, TO, NOT_ANY = map(read_word_list, ("and", "against", "from", "to", "not_any"))
NUMBERS, _COUNTED = (
    {word: int(number) for number, words in _TABLE[name].items() for word in words.split()}
    for name in ("numbers", "counts")
)
COUNTS: Mapping[str, int] = {word: number for number, word in enumerate(NUMBER_WORDS)} | NUMBERS | _COUNTED
"""The first numbers in words, and all of them, as notes have them; `no` counts nothing."""
FILLERS, DOUBTS, CONDITIONS, SET_PHRASES = map(read_word_list, ("fillers", "doubts", "conditions", "set_phrases"))
SPOKEN, THEIRS, LATER, CHATTY = map(read_word_list, ("spoken", "theirs", "later", "chatty"))
PASSIVE, BEING = map(read_word_list, ("passive", "being"))
PLACING, ARTICLES, WANTING, COLOURS = map(read_word_list, ("placing", "articles", "wanting", "colours"))
TAKEN_BACK = re.compile(
    r"\b(?:wait|scratch|forget|nevermind|kidding|joking|let me (?:think|see|check))\b", re.IGNORECASE
)
"""Words that take back what stands before them."""
_UNTIL_BUT = rf"(?:(?!\b{_any_of('but')}\b)[^,;.!?()\n])+(?=[,;.!?()\n]|\Z)"
EXCLUDING = re.compile(
    rf"\b{_any_of('every')}\w*(?P<kept>(?: +\w+){{0,2}}?) +but\b(?P<what>[^,;.!?()\n]+)"
    rf"|\b{_any_of('leaving')}\b(?P<left>[^,;.!?\n]+)\balone\b"
    rf"|\b{_any_of('denying', 'no')}\b(?P<instead>(?:(?!\bnot\b)[^,;.!?\n]){{1,60}}?)\b{_any_of('but')}\b"
    rf"|(?:^|(?<=[,;:(])|(?<=[-–—])) *(?:(?:and|but) +)?{_any_of('denying')}\b(?P<denied>{_UNTIL_BUT})"
    rf"|(?<=\w) (?P<behind>(?:(?:and|but) +)?{_any_of('denying')}) (?P<beside>{_UNTIL_BUT})"
    rf"|(?:\w+(?:one|body|thing|where) +|{_any_of('everywhere')} +)?\b{_any_of('except')}\b(?P<other>[^,;.!?()\n]+)",
    re.IGNORECASE,
)
"""Words, without accents, that say which turn somebody doesn't mean."""
CORRECTING = re.compile(
    rf"(?:[\s,;.–—-]*\b{_any_of('correcting', between=',? +')}|\s*\?\s*{_any_of('no', 'denying')})\b[\s,:;.!–—-]*(?P<what>\w[^,;.!?\n]*)",
    re.IGNORECASE,
)
"""Words with which somebody corrects what stands before them."""
MOST_CORRECTED = 5
"""Number of words of a correction."""
REQUEST = re.compile(
    r"\b(?:could|can|would|will) (?:you|somebody|someone)(?: (?:please|kindly|just|maybe))*(?= \w+ \w)(?P<rest>[^?\n]*)\?",
    re.IGNORECASE,
)
"""A turn that somebody asks for: `Could you please summon W Gwynedd?`."""
TAG = re.compile(rf"\b{_any_of('polite')}\b|[\s,;.–—-]+{_any_of('tags')}\s*\?+\s*\Z", re.IGNORECASE)
"""A question behind a turn that asks for nothing."""
MIN_LIKENESS_OF_CONNECTING = 0.8
"""Likeness that a word needs to be taken for a connecting word with a typing error."""

PASSING = re.compile(
    r"(?:(?:ok|okay|so|well|hm+|then|and|sorry|hi|hello|hey|dear all|yes|fine|alright|right|please)[\s,]+)*"
    r"(?:(?:(?:i|ich|je|i'll|ill|i'd|i'm|im|id|let me|my (?:turn|move|answer)(?: is)?|mein zug|mon tour)\s+)"
    r"(?:(?:will|shall|would|like|want|to|have|must|just|only|simply|rather|going|gonna|am|wanna|"
    r"mochte|moechte|muss|vais|dois|veux|this|time)\s+)*)?"
    r"(?:play\s+)?(?:a\s+)?(?:pass+|passe|passen|passing|passer)"
    r"(?:\s+(?:this|the|my|me|for|turn|time|round|one|now|again|today|then|here|please|pls|thanks|thank you|too|once more|i (?:suppose|guess|think)|"
    r"diesmal|bitte|danke|meinen|zug|mon|cette|fois|merci|ce|tour|diese|runde|it is))*"
)
"""A clause that passes clearly, without accents."""
SLIP = re.compile(
    r"\s*(?=pa*s)p[as]{2,4}[\s.!]*"
    r"|\s*(?:(?:thanks|thank you|i|i'll|i'm|im|i am|i will|i want to|i'd like to|i think|let me|let's|ok|so|just|going to|gonna|nah|nope|no)[\s,]+)*(?:(?:want to|like to)\s+)?"
    r"(?:skip(?:ping)?(?: me)?|no (?:action|move|card|turn)(?: from me)?|(?:do|doing|play|playing) nothing|nothing (?:this|for|from) \w+|none"
    r"|(?:sit|stay|wait)(?:ting|ing)? (?:(?:this|it|the)(?: \w+)? )?out|sit(?:ting)? (?:this|it|the)|fold(?:ing)?|stand(?:ing)? pat"
    r"|(?:not|won't|will not|don't|do not) (?:play|do|use|want to play)(?:ing)? (?:an?y? (?:card|turn|action)|anything)|not playing)"
    r"(?:[\s,]+(?:it|this|my|the|for|one|out|turn|time|round|now|again|today|please|pls|thanks))*[\s.!]*"
)
"""The one word with its letters wrong (`pss`, `psas`, but two of them are a postscript), or other words for passing."""
PASS_FOR_NOW = re.compile(r"\W*(?:i(?:'ll| will)? )?pass for (?:now|this (?:one|time|turn|round))\W*", re.IGNORECASE)
"""A pass with words of time, which do not put it in doubt."""
PASS_ABROAD = re.compile(
    r"\b(?:(?:yo +)?paso|(?:eu +|io +)?passo(?: +a +(?:minha +)?vez)?|ik +pas|pasuj[eę])\b", re.IGNORECASE
)
"""Passing in Spanish, Italian and Dutch, whose words do not begin as the English one."""
PASS = "pass"  # noqa: S105 - the word for taking no turn
_CONNECTING = tuple(sorted(FILLERS | SET_PHRASES))


@frozen
class Token:
    """A word, a number or a sign: in small letters without accents, as it was typed, and its columns from 0."""

    word: str
    typed: str
    start: int
    end: int

    @property
    def is_word(self) -> bool:
        return self.word[0].isalpha()


Sentence = tuple[Token, ...]


def split_sentences(text: str) -> list[Sentence]:
    found: list[Sentence] = []
    said: list[Token] = []
    plain = drop_accents("\n".join(map(make_plain, text.split("\n"))))
    for match in TOKEN.finditer(plain):
        token = Token(match[0].casefold(), match[0], *match.span())
        if token.word == "." and said and said[-1].word in ABBREVIATED:
            continue
        said.append(token)
        if token.word in ENDS:
            _add_sentence(found, tuple(said))
            said = []
    _add_sentence(found, tuple(said))
    return found


def _add_sentence(found: list[Sentence], said: Sentence) -> None:
    """Add a sentence to others; one that holds only signs belongs to the last of them."""
    if found and not any(token.is_word or token.word.isdecimal() for token in said):
        found[-1] = (*found[-1], *said)
    elif said:
        found.append(said)


POLITE = frozenset({("you", ""), ("thank", "you"), ("should", "like"), ("you", "please")})
"""Pairs of words that cast no doubt; "" is the end."""


def is_doubtful(said: Sentence, names: Collection[str]) -> bool:
    """Return True if a sentence asks, doubts, denies, or speaks of other people or of the past; `names` are the players'."""
    words = [token.word for token in said if token.is_word]
    if any(token.word == "?" for token in said):
        return True
    for before, word, behind in zip(["", *words], words, [*words[1:], ""], strict=False):
        polite = (word, behind) in POLITE or (before, word) in POLITE
        if word in DOUBTS and not (polite or (word in PASSIVE and before in BEING)):
            return True
        if word in SPOKEN and before not in {"", *SELF} and (before in names or word in THEIRS):
            return True
        if word == "next" and behind in LATER:
            return True
        if word == "would" and behind not in {"like", "love"}:
            return True
    return False


def is_pass(text: str) -> bool:
    """Return True if a text says clearly, and once, that its writer passes this turn."""
    text = PASS_ABROAD.sub("I pass", text)
    every = re.split(r"[.!\n]+", drop_accents(make_plain(text.replace("\n", "!"))).casefold())
    found = [said for said in every if any(word.startswith(PASS) for word in WORD.findall(said))]
    if SLIP.fullmatch(drop_accents(make_plain(text)).casefold()):
        return True
    words = WORD.findall(found[0]) if len(found) == 1 else []
    if "?" in text or sum(word.startswith(PASS) for word in words) != 1 or not CONDITIONS.isdisjoint(words):
        return False
    return any(
        PASSING.fullmatch(" ".join(clause.split()))
        for clause in re.split(r"[,;:()-]+|\b(?:so|and)\b|[^\w\s'\ud800-\udfff]+", found[0])
    )


def strip_history(text: str, names: Sequence[str]) -> tuple[str, int | None]:
    """Blank what a game history writes around a turn (`16. Bob Pass #77b0e2`); return the text and the seat it names."""
    bare = HISTORY_BESIDE_TURN.sub(_make_blank, text)
    numbered = NUMBERED.match(bare)
    bare = _make_blank(numbered) + bare[numbered.end() :] if numbered else bare
    for seat in sorted(range(len(names)), key=lambda seat: -len(names[seat])):
        written = r"\s+".join(map(re.escape, make_plain(names[seat]).split()))
        named = re.match(rf"\s*{written}(?!\w)", make_plain(bare), re.IGNORECASE)
        if named and (numbered or bare[named.end() :].strip(" .!").casefold() == PASS):
            return _make_blank(named) + bare[named.end() :], seat if numbered else None
    return bare, None


def is_out_of_place(said: Sentence, at: int) -> bool:
    """Return True if a word that names nothing stands where a name belongs, so that it must not be passed over."""
    before = at - 1
    while before >= 0 and said[before].word in ARTICLES:
        before -= 1
    if before < 0 or said[before].word not in PLACING:
        return False
    wanted = said[before].word == "to" and before and said[before - 1].word in WANTING
    return not wanted and not is_connecting(said[at].word)


def is_connecting(word: str) -> bool:
    """Return True if a word, or one that it is like, connects others or is polite."""
    return word in SET_PHRASES or word in FILLERS or bool(find_like(word, _CONNECTING, MIN_LIKENESS_OF_CONNECTING))


def _make_blank(found: re.Match[str]) -> str:
    return " " * len(found[0])


def find_like(word: str, names: Sequence[str], least: float = MIN_LIKENESS) -> str:
    """Return the one name that a word is most like, "" if none is like it or two are equally so."""
    ratios = dict(rank_alike(word, tuple(names), least)) if len(word) >= MIN_LETTERS_WITH_ERROR else {}
    best = max(ratios.values(), default=0.0)
    alike = [name for name, ratio in ratios.items() if ratio == best]
    return alike[0] if len(alike) == 1 else ""


MOST_CHOICES = 3
MAX_FREE_TEXT = 600
"""Maximum number of characters of a text that is read freely."""
ALTERNATIVE = re.compile(r"[.!?;\n]\s*(?:or|oder|ou|otherwise|alternatively)\b", re.IGNORECASE)
"""Beginning of a sentence that names another turn: then one is to be chosen, and none is taken for meant."""
MOST_PARTS = 8
"""Maximum number of parts of a sentence. Each is left out once, to see whether the turn needs it."""
PART = re.compile(r"\s*[,;:(]\s*(?=[^\W\d_])|\s+[-–—]+\s+(?=[^\W\d_])")
"""Where a remark may begin, or end, within the sentence of a turn."""
QUOTED = re.compile(r"^\s*>\s", re.MULTILINE)
"""A line that is quoted, as in a mail."""
FIRST_SORTS = (Kind.SYNTAX, Kind.NAME, Kind.ILLEGAL)
"""Kinds of problems that come first, since others may follow from them."""
UNREAD = {"notation.card", "notation.form"}
"""Messages of the strict reader for a text without anything that it knows: they say nothing about the meant turn."""
SEVERAL = ("notation.free.several", "This names more than one turn", "Write only the turn that you mean.")
UNSURE = (
    "notation.free.intent",
    "This does not look like an instruction to play a turn",
    "If you mean to play, write only the turn.",
)
"""Rule, message and hint for a text that names several turns, and for one that orders none."""
SENTENCE_ENDS = re.compile(r"[.!?]+(?=\s)")
BREAKS_OFF = (
    "notation.free.intent",
    "This ends with dots, as if something followed",
    "If it is the whole turn, write it without the dots.",
)
NOTHING_MEANT = Meant()


@frozen
class Understanding:
    """The meaning of a text as a turn."""

    turn: str = ""
    certain: bool = False
    choices: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    unknown: tuple[str, ...] = ()


LABELLED = re.compile(
    r"\s*(?:(?:for|seat|player)\s+)?(?P<who>\w[\w' .]{0,31}?)\s*(?::|\s[-–—]|\s(?=pass\W*\Z))\s*(?=\S)", re.IGNORECASE
)
"""Whose turn a line says it is: `Bob: Pass`."""


def understand_turn(game: AnyGame, names: Sequence[str], position: Any, text: str) -> Understanding:
    """Find the turn, a proposal or choices that a text means, and what is wrong; `position` is as the player knows it."""
    return _TurnFinder(game, tuple(names), position).understand_text(text)


@frozen
class _TurnFinder:
    """Finds the turns that texts mean in a position, as the player who is to act knows it."""

    game: AnyGame
    names: tuple[str, ...]
    position: Any

    @property
    def reader(self) -> TurnReader:
        return find_turn_reader(self.game, self.names)

    @property
    def free_reader(self) -> FreeReader:
        return find_free_reader(self.game, self.names)

    @property
    def card_words(self) -> set[str]:
        return {word.casefold() for name in self.reader.cards.names for word in WORD.findall(name)}

    @cites("notation.free", "notation.free.none")
    def understand_text(self, text: str) -> Understanding:
        end = next((at for at in range(len(text), 0, -1) if text[at - 1].isalnum()), 0)
        dots = DOTS.search(text, end)
        if dots is not None and (turn := self._find_turn(text[: dots.start()]).turn):
            rule, message, hint = BREAKS_OFF
            place = Place(col=dots.start() + 1, length=len(text.rstrip()) - dots.start())
            wrong = Problem(Kind.SYNTAX, rule, message, hint=hint, **place)
            return Understanding(choices=(turn,), problems=(wrong,))
        found = self._find_turn(text)
        names_several = any(problem.rule == SEVERAL[0] for problem in found.problems)
        if not (found.turn or names_several) and (split := self._read_before_sentence(text)):
            return split
        if found.turn and (message := self._find_objection(text)):
            wrong = _report_text(text, UNSURE[0], message, UNSURE[2])
            return Understanding(choices=(found.turn,), problems=(wrong,))
        quoted = QUOTED.search(text)
        if not found.turn or (found.certain and not quoted) or PASS_FOR_NOW.fullmatch(text):
            return found
        verdict = self._judge_words_beside_turn(text, found.turn)
        reasons = tuple(each.text for each in verdict.evidence)
        if not (quoted or verdict.is_doubtful):
            return evolve(found, unknown=reasons)
        message = "This line is quoted" if quoted else f"You also wrote `{verdict.reason}`"
        begin = quoted.start() if quoted else 0
        wrong = _report_text(text[begin:], UNSURE[0], message, UNSURE[2])
        wrong = evolve(wrong, col=wrong.col + begin)
        return Understanding(choices=(found.turn,), problems=(wrong,), unknown=reasons)

    def _read_before_sentence(self, text: str) -> Understanding | None:
        """Propose the turn that ends with a sentence, as the text behind it casts doubt on it; return None if that is a turn too."""
        begin, reader = 0, self.free_reader
        for end in list(SENTENCE_ENDS.finditer(text))[:MOST_PARTS] if len(text) <= MAX_FREE_TEXT else ():
            said, begin = text[begin : end.start()], end.end()
            if said.strip().isdecimal() or not (reader.list_names(said) or is_pass(said)):
                continue  # the text is read again only where a turn may end, and not behind the number of a line
            turn, rest = self._find_turn(text[: end.start()]).turn, text[end.end() :].strip()
            if turn and rest:
                follows = self._find_turn(rest)
                if follows.turn or follows.choices:
                    return None
                wrong = _report_text(text, UNSURE[0], f"You also wrote `{rest}`", UNSURE[2])
                return Understanding(choices=(turn,), problems=(wrong,), unknown=(rest,))
        return None

    @cites("notation.free.intent", "mail.doubt")
    def _find_objection(self, text: str) -> str:
        """Return the message if a line is labelled as the turn of somebody else, or has a sign of doubt; "" if it is neither."""
        if sign := OBJECTING.search(text):
            return f"You also wrote {sign[0]}"
        seat, label = self.position.to_act, LABELLED.match(text)
        who = simplify_name(label["who"]) if label else ""
        named = next((at for at, name in enumerate(self.names) if who in {simplify_name(name), str(at + 1)}), seat)
        if seat is not None and named not in {seat, None}:
            return f"This is {self.names[named]}'s turn, and {self.names[seat]} is to play"
        return ""

    @cites("mail.doubt")
    def _judge_words_beside_turn(self, text: str, turn: str) -> Verdict:
        lines = []
        for each in split_sentences(text):
            begin, end = each[0].start, each[-1].end
            rest = f"{text[:begin]}{text[end:]}"
            if rest.strip() and self._find_turn(rest).turn == turn:
                lines.append(Line(text[begin:end]))
            else:
                lines += self._split_around_turn(text, begin, end, turn)
        moves = self.reader.read_turn(turn).moves
        corrections = find_corrections(lines, moves, self.free_reader, passes=is_pass(turn))
        return corrections.join(judge_whole(lines, self.names, tuple(self.reader.cards.names)))

    def _split_around_turn(self, text: str, begin: int, end: int, turn: str) -> Iterator[Line]:
        """Yield the parts of a sentence of a text: before the turn, the turn, and behind it."""

        def is_said(first: int, last: int) -> bool:
            said = f"{text[:begin]}{text[first:last]}{text[end:]}"
            return bool(text[first:last].strip()) and self._find_turn(said).turn == turn

        breaks = list(PART.finditer(text, begin, end))
        heads = (each.end() for each in reversed(breaks[:MOST_PARTS]) if is_said(each.end(), end))
        first = next(heads, begin)
        if not self.card_words.isdisjoint(WORD.findall(text[begin:first].casefold())):
            first = begin
        ends = (*(each.start() for each in breaks[-MOST_PARTS:]), *_list_tails(text[:end], first, turn))
        last = next((at for at in ends if is_said(first, at)), end)
        for part, ordered in ((text[begin:first], ""), (text[first:last], "turn"), (text[last:end], "")):
            if WORD.search(part):
                yield Line(part.strip(" ,;:()-–—"), "turn" if ordered else "")

    def _find_turn(self, text: str) -> Understanding:
        read = self.reader.read_turn(text)
        if read.problems and self.position.to_act is None:
            (broken,) = self.game.check(self.position, None)
            over = evolve(_report_text(text, broken.rule, broken.sentence, ""), kind=Kind.ILLEGAL)
            return Understanding(problems=(over,))
        strict = self._judge_strictly(read)
        if strict.turns:
            turn = self._write_turn(strict.turns[0])
            certain = turn == text or self.free_reader.is_whole(read, text)
            return Understanding(turn, certain=certain, choices=(turn,))
        meant = NOTHING_MEANT
        if len(text) <= MAX_FREE_TEXT:
            bare, seat = strip_history(text, self.names)
            if self.position.to_act is not None and seat in {None, self.position.to_act}:
                asked = REQUEST.sub(lambda each: f"{each['rest']}.".rjust(len(each[0])), TAG.sub(_make_blank, bare))
                meant = _find_meant(self.free_reader, self.position, asked)
        choices = tuple(dict.fromkeys(self._write_turn(moves) for moves in meant.turns))[:MOST_CHOICES]
        misnamed = _is_misnamed(strict, text)
        if meant.fits and len(choices) == 1 and not misnamed:
            twice, others = _report_repetition(text, choices[0]), self._find_other_turns(text, choices[0])
            if twice is None and others is None:
                return Understanding(choices[0], choices=choices)
            return Understanding(choices=(*choices, *(others or ())), problems=(twice or _report_text(text, *SEVERAL),))
        if not choices and (unsure := self._report_unsure(text, strict)):
            return Understanding(problems=(unsure,))
        twice = _report_repetition(text, choices[0]) if len(choices) == 1 else None
        problems = strict.problems if misnamed else self._choose_problems(strict, meant)
        return Understanding(choices=choices, problems=(twice,) if twice else problems)

    @cites("notation.free.several")
    def _find_other_turns(self, text: str, turn: str) -> tuple[str, ...] | None:
        """Return the other turns that a text names, as far as they are known; None if it names no other."""
        if is_pass(text):
            other = self._find_turn(PASS).turn
            if other != turn:
                return (other,) if other else ()
        return () if ALTERNATIVE.search(text) else None

    def _report_unsure(self, text: str, strict: Meant) -> Problem | None:
        """Return the problem with a text that names another player's turn, or orders none."""
        rule, message, hint = UNSURE
        seat = strip_history(text, self.names)[1]
        if seat is not None and seat != self.position.to_act:
            message = f"This is {self.names[seat]}'s turn, but {self.names[self.position.to_act]} is to play"
            return _report_text(text, rule, message, hint)
        first = strict.problems[0]
        is_misread = first.rule == "notation.card" or text[first.col - 1 :][: first.length].casefold() in DOUBTS
        if is_misread and self._is_unsure(text):
            return _report_text(text, rule, message, hint)
        return None

    @cites("notation.free.intent")
    def _is_unsure(self, text: str) -> bool:
        """Return True if a text speaks of a turn, and every sentence asks, doubts, denies, or tells of others or of the past."""
        people = {word.casefold() for name in self.names for word in WORD.findall(name)}
        said = split_sentences(text) if len(text) <= MAX_FREE_TEXT else []
        if not said or not all(is_doubtful(each, people) for each in said):
            return False
        cards = self.card_words
        return any(token.word in cards or token.word.startswith(PASS) for each in said for token in each)

    def _choose_problems(self, strict: Meant, meant: Meant) -> tuple[Problem, ...]:
        """Return the problems, the most useful first: those that both readings found, else those of the strict one."""
        found = tuple(evolve(problem, message=fill_names(problem.message, self.names)) for problem in meant.problems)
        understood = any(problem.kind is Kind.ILLEGAL for problem in strict.problems)
        understood = understood or (meant.vague and strict.problems[0].rule not in UNREAD)
        if (meant.turns or meant.vague) and found and not understood:
            return found
        if understood:
            places = {(problem.col, problem.length) for problem in strict.problems}
            found = tuple(problem for problem in found if (problem.col, problem.length) not in places)
        named = {(problem.kind, problem.rule) for problem in found if problem.kind is Kind.NAME}
        rest = [problem for problem in strict.problems if (problem.kind, problem.rule) not in named]
        wrong = sorted(rest, key=lambda problem: FIRST_SORTS.index(problem.kind))
        return tuple(dict.fromkeys((*wrong, *found) if understood else (*found, *wrong)))

    def _judge_strictly(self, read: ReadTurn) -> Meant:
        """Return the canonical moves of a turn that was read strictly and is legal, or the problems."""
        if read.problems:
            return Meant(problems=read.problems)
        game, position, moves = self.game, self.position, list[Any]()
        for index, decision in enumerate(read.decisions):
            move = game.canonical(position, decision.move)
            violations = game.check(position, move)
            is_extra = index > 0 and not game.turn_continues(position)
            # a rule says why nothing follows a pass, but not a whole turn
            if is_extra and (index > 1 or not violations):
                message, column = "The turn ends before this. Only one turn is played at a time", read.columns[index]
                return Meant(problems=(Problem(Kind.SYNTAX, "notation.turn", message, col=column + 1),))
            if violations:
                return Meant(problems=problems_of(game, read, index, violations, canonical=move, names=self.names))
            position, _ = game.apply(position, move)
            moves.append(move)
        if game.turn_continues(position):
            message, some = "The turn is not complete. It needs another decision", game.legal(position)[:MOST_CHOICES]
            missing = (Violation("notation.turn", message, alternatives=tuple(some)),)
            problems = problems_of(game, read, -1, missing, canonical=moves[-1], names=self.names)
            return Meant(problems=tuple(evolve(problem, kind=Kind.SYNTAX) for problem in problems))
        return Meant((tuple(moves),))

    def _write_turn(self, moves: tuple[Any, ...]) -> str:
        return fill_names(self.game.words.write_turn(moves), self.names)


def _list_tails(text: str, first: int, turn: str) -> list[int]:
    """List where the last words of a text begin that are not those of a turn, as in `summon W Gwynedd actually no`; the longest tail first."""
    said, found = WORD.findall(turn.casefold()), list[int]()
    words = list(WORD.finditer(text, first))[-MOST_PARTS:]
    while words and not get_close_matches(words[-1][0].casefold(), said, 1):
        found.insert(0, words.pop().start())
    return found


@cites("notation.free.intent")
def _find_meant(reader: FreeReader, position: Any, text: str) -> Meant:
    """Return what a text means with its corrections, and without the turns that it excludes."""
    plain, excluded, needed = drop_accents(make_plain(text)), list[str](), False
    for found in CORRECTING.finditer(plain):
        text = _correct_text(reader, text, found)
    for found in EXCLUDING.finditer(plain):
        groups = found.groupdict().items()
        what = next((group for name, group in groups if group and name not in {"kept", "behind"}), "")
        named = reader.list_names(text[: found.start()]) if found["behind"] else []
        is_replaced = found["instead"] and _names_alike(reader, what, plain[found.end() :])
        if is_replaced:
            text = f"{text[: found.start()]}{' ' * len(found[0])}{text[found.end() :]}"
        elif reader.list_names(what) and (not found["behind"] or (named and named[-1][2] == found.start())):
            excluded.append(what)
            needed = needed or not found["behind"]
            kept = found["kept"] or ""
            text = f"{text[: found.start()]}{kept.rjust(len(found[0]))}{text[found.end() :]}"
    if TAKEN_BACK.search(text):
        return NOTHING_MEANT
    meant = reader.find_meant(position, text)
    turns = tuple(turn for turn in meant.turns if not any(reader.has_named(turn, what) for what in excluded))
    turns = turns if needed else turns or meant.turns
    if turns or not excluded:
        return evolve(meant, turns=turns)
    message, hint = f"`{excluded[0].strip()}` only says which turn you don't mean", "Write the turn that you mean."
    return Meant(problems=(_report_text(text, "notation.free.intent", message, hint),))


def _names_alike(reader: FreeReader, what: str, instead: str) -> bool:
    """Return True if other words begin with things of the kinds that these words name: `not the E but the S`."""
    kinds = [kind for kind, *_ in reader.list_names(what)]
    return bool(kinds) and [kind for kind, *_ in reader.list_names(instead)][: len(kinds)] == kinds


def _correct_text(reader: FreeReader, text: str, found: re.Match[str]) -> str:
    """Return a text in which a correction has replaced the last thing of its kind before it; the columns stay."""
    names, before = reader.list_names(found["what"]), text[: found.start()]
    last = {each[0]: each for each in reader.list_names(before)}
    places = [last.get(kind) for kind, *_ in names]
    if not names or None in places or len(found["what"].split()) > MOST_CORRECTED:
        return text
    replaced = [each for each in places if each and before[slice(*each[1:])] not in found["what"]]
    for _, start, end in replaced:
        before = f"{before[:start]}{' ' * (end - start)}{before[end:]}"
    return f"{before}{' ' * (found.start('what') - found.start())}{text[found.start('what') :]}"


REPEATED = re.compile(
    r"\b(?P<word>\w+(?:[ \t]+\w+){0,3})(?P<again>(?:[ \t]*(?:[,;+&]|\band\b)[ \t]*|[ \t]+)(?P=word))\b"
    r"|(?P<sign>[,;>]|<-?>|->)(?P<more>\s*(?P=sign))",
    re.IGNORECASE,
)
"""Words or a sign that somebody wrote twice in a row."""


@cites("notation.form")
def _report_repetition(text: str, turn: str) -> Problem | None:
    """Return the problem with words that a turn repeats, as it may be another turn; None if it repeats none."""
    known = set(WORD.findall(turn.casefold()))
    for found in REPEATED.finditer(text):
        words = WORD.findall((found["word"] or "").casefold())
        if any(not any(each.startswith(word) for each in known) for word in words) or "".join(words * 2) in known:
            continue
        message = f"`{found['word'] or found['sign']}` appears twice here"
        place = found.start("again" if found["word"] else "more")
        return Problem(Kind.SYNTAX, "notation.form", message, col=place + 1, length=found.end() - place)
    return None


@cites("notation.region", "notation.faction")
def _is_misnamed(strict: Meant, text: str) -> bool:
    """Return True if the word for a region, or the letter for followers, is like no name."""
    first = strict.problems[0]
    word = text[first.col - 1 :][: first.length].strip()
    if first.kind is not Kind.NAME or first.fixes or not word.isalpha():
        return False
    if first.rule == "notation.faction":
        return len(word) == 1
    return first.rule == "notation.region" and len(word) > 2 and word.casefold() not in FILLERS


def _report_text(text: str, rule: str, message: str, hint: str) -> Problem:
    line = text.strip().partition("\n")[0]
    return Problem(Kind.SYNTAX, rule, message, col=text.index(line) + 1, length=len(line), hint=hint)
