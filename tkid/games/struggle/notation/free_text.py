"""The free reader: the legal turn that the words of a text describe, and why a turn that they describe is not legal."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice, pairwise, zip_longest

from attrs import evolve, frozen

from tkid.games.struggle.notation.free_words import CARDS, PHRASES, Names, squeeze_name
from tkid.games.struggle.notation.noted_setup import NotesReader
from tkid.games.struggle.notation.shorthand import THAT_PLACE, THOSE
from tkid.games.struggle.notation.turn_reader import TurnReader
from tkid.games.struggle.rules.board import OPEN, Position
from tkid.games.struggle.rules.game import PASS, Struggle
from tkid.games.struggle.rules.moves import Apart, Move, Place, Play, Reveal, Spread, Summon
from tkid.kernel.game import fill_names
from tkid.kernel.ladder import NOTHING
from tkid.kernel.problems import Kind, Problem
from tkid.kernel.values import derive
from tkid.notation import plugin
from tkid.notation.free_text import (
    AGAINST,
    AND,
    ARTICLES,
    BOTH_WAYS,
    CHATTY,
    COLOURS,
    DOUBTS,
    FILLERS,
    FROM,
    NOT_ANY,
    NUMBERS,
    PLACING,
    SET_PHRASES,
    TO,
    WORD,
    Sentence,
    Token,
    find_like,
    is_connecting,
    is_doubtful,
    is_out_of_place,
    is_pass,
    read_word_list,
    split_sentences,
)
from tkid.notation.names import list_names
from tkid.notation.plugin import Meant, ReadTurn
from tkid.notation.plugin import make_problems as problems_of
from tkid.notation.shorthand import (
    AGAIN,
    DISC,
    FOREIGN,
    MISTYPED,
    STRANGE,
    SUMMON,
    UNCLEAR,
    UNSAID,
    Fact,
    Part,
    Reading,
    Word,
)
from tkid.notation.text import capitalize_text, drop_accents, make_plain
from tkid.rulebook import cites

Turn = tuple[Move, ...]
LONGEST_GAP = 15
"""Number of characters between a faction and a word of its card: `Support for the brave Welsh`."""
PER_STRANGER = 4
"""Number of words of the game that an incomplete turn needs for each unknown word among them."""
MOST_OTHERS = 1.25
"""Number of other words for each word of a whole turn."""
FEWEST_WORDS = 4
"""Number of words of a turn without a card."""
ENOUGH = 4
"""Turns after which no more are looked for: one more than is shown."""
CLEAR, UNNAMED, CLOSE, WIDE = 1.5, 2.35, 0.3, 1.0
"""How much words may differ from a turn that is proposed (0: not at all), also where no card is named; how close another turn comes that may be meant too, and how close where words leave something open."""
MOST_CHANGES = 2
"""Regions and factions in which an illegal turn differs from a legal one."""
ILLEGAL, WHOLE_ACTION = 0.7, 0.85
"""How much better words have to fit an illegal turn than a legal one, and how well the action if they tell no summons."""
LIKE_SPLIT = 0.85
"""Likeness of two words that make up the name of a card."""
SOFT, WEAK, OWNERS, STATING = map(read_word_list, ("soft", "weak", "owners", "stating"))
CHECK = "Check this turn: your words don't say all of it"
WHOLE, UNCERTAIN, MANY_WORDS, MOST_WORDS = 1.0, 2.6, 8, 4
"""How much the words of a whole turn may differ from it, also where the player is asked, the number of words that tell one without a card or a summons, and of other words that are named."""
NAMED = frozenset({"card", "follower", "region"})
UNTOLD = {"region": "a region", "follower": "followers", "disc": "where the disc goes", "player": "whose card it is"}
"""What words may leave open of a turn, by its kind."""
SMALL = (
    FILLERS
    | FROM
    | TO
    | AGAINST
    | AND
    | PLACING
    | NOT_ANY
    | NUMBERS.keys()
    | {word for word in FOREIGN if len(word) > 1}
)
"""Words that say nothing by themselves."""
WITHIN = FROM | {"in", "at", "im"}
"""Words between followers and the region where they are, or come."""
CLAUSES, LINKS, SPEAKING = (
    frozenset(",;:()-–—"),
    frozenset({"and", "so", "but"}),
    frozenset({"i", "i'm", "i'll", "i'd"}),
)
"""Signs, and pairs of words, with which a clause begins."""
TALK = SMALL | SET_PHRASES
"""Words that are no names, even where they resemble one."""
SUMMONS = re.compile(r"[\s,.]+summon\b", re.IGNORECASE)
"""The beginning of a summons that is divided otherwise than in the notation."""
THERE_ABROAD = re.compile(r"\b(?:lá|lì|là|allá|allí|ali|dali|tam|stamtąd)\b", re.IGNORECASE)
"""`There` in other languages, with the accents that tell it from an article."""
SIGNS = tuple(
    (re.compile("|".join(PHRASES[name]), re.IGNORECASE), sign)
    for name, sign in {
        "without": "no", "meaningless": "", "back": THAT_PLACE, "next_up": "contested", "them": THOSE, "mine": "court",
    }.items()
)  # fmt: skip
"""Phrases, and the word or sign that is read in their place: for a region or followers that were named before, the contested region, or a summons."""
TWO_CARDS = re.compile(
    r"(?i)\b(?P<end>first|next|last|final) (?:two|2)(?: (?:regions?(?: cards)?|cards|spaces|struggles|slots)\b|(?=\s*[,;.:(]|\s*\Z))"
)
"""Words for two cards at one end of the track."""
THAT_FOLLOWER = re.compile(
    r"(?i)\b(?:(?:that|this|the same)(?: very| same)*|the(?=.* (?:back|again)\W*\Z)) (?P<who>[^\W\d_]+)"
    r"(?: [^\W\d_]+){0,4}\W*\Z|\b(?:him|her|(?:summon|take) it)\W*\Z"
)
"""A follower that a text named before, at its end."""
PIECES = {"blue": "🔵🟦💙", "red": "🔴🟥❤", "yellow": "🟡🟨💛", "black": "⚫⬛🖤"}
"""Pictures of pieces in each colour."""
REASON = re.compile(r"(?i)\b(?:as|since|because|while)\b(?! (?:well|before|usual|always)\b)[^,.;:!?()\n]*")
"""A clause that tells why somebody plays a turn."""
ORDINALS = "first second third fourth fifth sixth seventh eighth".split()  # noqa: SIM905 - words read better so
PAIR = 2
"""Number of regions that `the latter` chooses from."""
OF_TWO = re.compile(
    rf"(?i)\b(?:the )?(?P<card>{'|'.join(ORDINALS)}) (?:region )?(?:card|space|slot|position)\b"
    rf"|\bthe (?P<which>former|latter|other|{'|'.join(ORDINALS)})(?: one| of (?:them|the two))?(?=\W*\Z|[,;.:!)\n]| [-–—] | (?:and|with|for|to|then)\b)"
)
"""Words for one of two regions that were named before, or for a region card by its space."""
ABSENT = re.compile(
    r"(?i)\(?(?:\b(?:the|all)(?: the)? )?\b(?<!['’])(?P<who>[^\W\d_]+)(?: followers| cubes)?(?: (?:are|is|being|have|has))?(?: all)?"
    r" (?:(?P<there>in play|on the board)|used up|exhausted|gone|run out|unavailable|not available)\b\)?"
)
"""Words that say that no follower of a faction is left."""
SWAPS = re.compile(rf"(?i)\b(?:swap|trade|switch|exchang|change)\w*|{'|'.join(map(re.escape, BOTH_WAYS))}")
SHORTENED = {"b": "blue", "r": "red", "y": "yellow"}
SHORT_COLOURS, SHORT_FACTIONS = (
    re.compile(rf"(?i)(?<![^\W_])(?:{letters})(?![^\W_])") for letters in ("b{1,2}|r{1,2}|y{1,2}", "[swe]{1,3}")
)
"""Letters of colours, and of factions."""
LIKE_FACTIONS = re.compile(r"\b(?:[Ww]e|[Ss]ee?|[Ee]s)\b")
"""Words that are not the letters of factions in a text with those of colours."""
SPANISH_AND = re.compile(
    r"(?i)(\b(?:b{1,2}|r{1,2})\b[^,;]*?\b(?!(?:with|for|and|into|from|por|con)\b)[^\W\d_]{3,} )y(?= (?:\d )?(?:b{1,2}|r{1,2}|y{1,2})\b)"
)
"""A colour's letter and its place before `y` and another colour: `b Moray y r Essex`."""
ALL = re.compile(
    r"\b(?:all(?: (?:three|of (?:them|each))|(?= (?:in|into|to|at)\b))|one of each(?: kind| colour| faction)?|everything|everyone|alle(?:s)?(?: drei)?(?= (?:nach|in)\b)|les trois|tous|los tres|todos)\b",
    re.IGNORECASE,
)
"""Words for a follower of each faction."""
CARD_OF = re.compile(r"([^\W\d_]+)[- ](?:card|karte|kaart|carte)\b", re.IGNORECASE)
"""A card that is named by its faction."""
NOTHING_MEANT = Meant()


@frozen
class Said:
    """What a text says of a turn: the text with all else blanked, its words that mean something, and the number of others.

    `cards` are the cards that it names. `is_clear` is True if all words are known, `is_stating` if one
    describes the position; `strangers` are words in the place of a region or a faction.
    """

    line: str
    words: tuple[Word, ...]
    cards: frozenset[str]
    others: int
    is_clear: bool
    is_stating: bool
    strangers: tuple[Problem, ...]

    @cached_property
    def kinds(self) -> frozenset[str]:
        return frozenset(kind for word in self.words for kind, _ in word.meanings)

    @property
    def is_named(self) -> bool:
        """True if a card is named, or what only some cards have."""
        spoken = {kind for word in self.words for kind, _ in word.meanings if word.typed[0].isalpha()}
        return bool(self.cards) or bool(spoken & {"disc", "nothing"} and spoken & {"region", "follower"})

    @property
    def may_be_partial(self) -> bool:
        """True if so few other words stand among those of a turn that they may also tell a part of one."""
        if self.cards:
            return not self.is_stating and self.others <= (len(self.words) - 1) // PER_STRANGER
        spoken = sum(word.typed[0].isalpha() for word in self.words)
        return self.is_clear and not self.is_stating and spoken >= FEWEST_WORDS

    def find_place(self, facts: Sequence[Fact] = (), *, is_last: bool = False) -> tuple[int, int]:
        """Return the columns, from 0, of the word that means the first of these facts, or of all words."""
        for fact in facts:
            found = [word for word in self.words if fact in word.meanings]
            if found:
                return found[-is_last].start, found[-is_last].end
        return min((word.start for word in self.words), default=0), max((word.end for word in self.words), default=1)


@frozen(eq=False)
class FreeReader(plugin.FreeReader):
    """Reads what people write who do not know the notation."""

    game: Struggle
    names: Sequence[str]
    strict: TurnReader = derive(lambda self: TurnReader(self.game, self.names))
    shorthand: NotesReader = derive(lambda self: NotesReader(self.game, self.names, is_free=True))
    card_names: Names = derive(lambda self: Names(self.game))

    @cached_property
    def people(self) -> frozenset[str]:
        return frozenset(token.word for name in self.names for said in split_sentences(name) for token in said)

    @cites("notation.free.short-pass")
    def is_whole(self, read: ReadTurn, text: str) -> bool:
        """Return True unless the turn is a pass that isn't written as the whole word."""
        return read.moves != (PASS,) or text.strip(" \t\n.!").casefold() == "pass"

    @cites("notation.free", "notation.free.pass", "notation.free.several")
    def find_meant(self, position: Position, text: str) -> Meant:
        """Return the turns that consist of the words of a text, in any order, or the problem with the turn that it describes."""
        said = self._read_text(position, text)
        if position.decision == "plot":
            return self._find_revealed(said)
        if not self._is_order(position, said):
            is_passing = position.decision == "play" and not said.kinds & {*NAMED, "summon"} and is_pass(text)
            found = Meant(((PASS,),), fits=True) if is_passing else None
            return found or self._ask(position, text) or self._refuse_text(text, said)
        return self._choose_meaning(position, said, text) or self._ask(position, text) or self._refuse_text(text, said)

    @cites("notation.free.several")
    def _ask(self, position: Position, text: str) -> Meant | None:
        """Return the turns that a text tells as a whole beside words that are not understood; None if it tells none."""
        bare = REASON.sub(lambda found: " " * len(found[0]), text)
        said = self._read_text(position, bare, is_lenient=True)
        if position.decision != "play" or not self._is_order(position, evolve(said, is_stating=False)):
            return None
        readings = self._find_readings(position, said)
        followed = self._find_followed(position, said, readings)
        best = self._list_likeliest(said, followed or readings, CLOSE)
        is_turn = best and (followed or said.cards or "summon" in said.kinds or len(said.words) >= MANY_WORDS)
        is_bound = len(best) < ENOUGH or len({getattr(each.moves[-1], "faction", None) for each in best}) == 1
        if not is_turn or best[0].cost - AGAIN * len(best[0].strange) > (WHOLE, UNCERTAIN)[is_bound]:
            return None
        if not said.cards and best[0].cost > WHOLE and self._list_untold(said, best[0]):
            return None
        facts = set[Fact]().union(*self._list_groups(best[0].moves))
        if any(facts.isdisjoint(word.meanings) for word in self._list_odd_words(best[0], said.words)):
            return None
        tokens = [token.typed for each in split_sentences(bare) for token in self._list_others(each, said.words)]
        words = [f"`{each.strip()}`" for each in (*REASON.findall(text), *tokens)][:MOST_WORDS]
        message = f"Check this turn: you also wrote {list_names(words, 'and')}" if words else CHECK
        problem = _make_problem(said.find_place(), "notation.free.several", message)
        return Meant(tuple(each.moves for each in best), problems=(*said.strangers, problem))

    def _choose_meaning(self, position: Position, said: Said, text: str) -> Meant | None:
        """Return what the words of an order mean, None if they say too little of a turn or too much else."""
        readings = self._find_readings(position, said)
        if not readings:
            return self._explain(position, said, ())
        readings = self._find_followed(position, said, readings) or readings
        margin = WIDE if self._list_untold(said, readings[0]) else CLOSE
        best = self._list_likeliest(said, readings, margin)
        turns = tuple(each.moves for each in best)
        problem = self._find_strict_problem(position, said, text)
        told = said.kinds & {"region", "disc", "nothing", "summon"}
        if problem is None and not told and len(said.cards) == 1 and self._has_ways(position, said.cards):
            (missing, *_) = self.strict.read_turn(min(said.cards)).problems
            return Meant(problems=(evolve(missing, col=len(text.rstrip()) + 1),), vague=True)
        if problem is None and (second := best[0].cost > ILLEGAL and self._find_second_summons(said)):
            problem = second
        if problem is not None:
            moves = self.strict.read_turn(text).moves
            if problem.rule == self.strict.rules.one and moves and not self.game.check(position, moves[0]):
                legal = self.game.legal(self.game.apply(position, moves[0])[0])
                turns = tuple((moves[0], each) for each in moves[1:] if each in legal) or turns
            parts = self._list_parts(moves)
            turns = tuple(sorted(turns, key=lambda turn: -len(parts & self._list_parts(turn))))
        elif best[0].cost > ILLEGAL and said.cards and said.may_be_partial:
            problem = self._find_violation(position, said, readings)
        if problem is not None:
            return Meant(turns, problems=(*said.strangers, problem))
        if self._list_odd_words(best[0], said.words):
            return self._explain(position, said, best)
        is_whole = self._is_whole(said, best, is_open=margin == WIDE)
        is_one_action = bool(said.cards) or len({each.moves[0] for each in best}) == 1
        if not is_whole and not (said.may_be_partial and is_one_action):
            return None
        problems = said.strangers or self._report_ambiguity(said, best, is_whole=is_whole)
        problems = problems or self._report_torn_group(said, best[0].moves)
        return Meant(turns, fits=not problems, problems=problems)

    def _list_likeliest(self, said: Said, readings: Sequence[Reading], margin: float) -> list[Reading]:
        """Return the readings that cost little more than the cheapest one; first those that summon from where words lead."""
        best = [each for each in readings if each.cost < readings[0].cost + margin]
        named = {fact for word in said.words for fact in word.meanings}

        def rank(each: Reading) -> tuple[float, bool, bool]:
            summons = each.moves[-1]
            if not isinstance(summons, Summon) or len(each.moves) == 1:
                return each.cost, False, False
            place, who = ("region", summons.region), ("follower", summons.faction)
            parts = self.shorthand.list_parts(each.moves[0])
            is_there = any(place in part and {who, ("own", who[1])} & {*part} for part in parts)
            return each.cost, place not in named, not is_there

        factions = {getattr(each.moves[-1], "faction", None) for each in best}
        return sorted(best, key=rank) if len(factions) == 1 else best

    def _find_followed(self, position: Position, said: Said, readings: Sequence[Reading]) -> list[Reading]:
        """Return the readings that summon a follower where their action has put it, if a text says so: `summon that Scot`."""
        found = THAT_FOLLOWER.search(said.line.rstrip())
        who = (found["who"] or "").casefold() if found else ""
        faction = (self.shorthand.find_letters(who) or [-1])[0] if len(who) == 1 else self.shorthand.find_faction(who)
        followed = list[Reading]()
        for each in readings if found and (faction >= 0 or not who) else ():
            after, _ = self.game.apply(position, each.moves[0])
            if isinstance(summons := each.moves[-1], Summon) and faction in {-1, summons.faction}:
                before, now = (board.regions[summons.region][summons.faction] for board in (position, after))
                followed += [each] if now > before else []
        return followed

    def _is_whole(self, said: Said, best: Sequence[Reading], *, is_open: bool) -> bool:
        """Return True if words say all of a turn, or so much that only one turn is meant."""
        mistyped = sum(min(word.meanings.values()) >= MISTYPED for word in said.words)
        cost = best[0].cost - STRANGE * len(best[0].strange) - MISTYPED * mistyped
        if said.is_named and len(best) == 1:
            return cost <= (CLEAR if said.cards else UNNAMED)
        return cost <= UNNAMED and not is_open

    def _list_parts(self, turn: Turn) -> set[Part]:
        return {part for move in turn for part in self.shorthand.list_parts(move)}

    def _list_groups(self, turn: Turn) -> list[set[Fact]]:
        """Return the parts of a turn as words say them: a card's own followers are followers, and a summons is told."""
        return [
            {("follower", value) if kind == "own" else (kind, value) for kind, value in part}
            | ({SUMMON} if isinstance(move, Summon) else set())
            for move in turn
            for part in self.shorthand.list_parts(move)
        ]

    def _find_strict_problem(self, position: Position, said: Said, text: str) -> Problem | None:
        """Return the problem with a text that is nearly in the notation, or with a second follower behind `summon`."""
        for line in (text, SUMMONS.sub(lambda found: f";{found[0][1:]}", text)):
            read = self.strict.read_turn(line)
            second = [at for at, move in enumerate(read.moves) if isinstance(move, Summon)][1:2]
            if second:
                place = read.columns[second[0]], len(line.rstrip())
                return _make_problem(place, self.strict.rules.one, "You summon only one follower")
            if read.moves and isinstance(read.moves[0], Play):
                return self._check_turn(position, said, read, len(read.moves))
        is_second = len(read.decisions) > 1 and read.decisions[0].move is not None
        return next((each for each in read.problems[:1] if is_second and each.rule == self.strict.rules.one), None)

    def _has_ways(self, position: Position, cards: frozenset[str]) -> bool:
        """Return True if there are several ways to play some cards."""
        ways = (move for move in self.game.legal(position) if isinstance(move, Play) and move.card in cards)
        return len(list(islice(ways, 2))) > 1

    def _find_second_summons(self, said: Said) -> Problem | None:
        """Return the problem with a second follower, with its region, behind the words that summon."""
        at = next((at for at, word in enumerate(said.words) if SUMMON in word.meanings), 0)
        kinds = [min((cost, of == "card", of) for (of, _), cost in word.meanings.items())[2] for word in said.words]
        pairs = [index for index in range(at + 1, len(kinds)) if kinds[index - 1 : index + 1] == ["follower", "region"]]
        if "region" not in kinds[:at] or len(pairs) < 2:
            return None
        place = said.words[pairs[1] - 1].start, said.words[pairs[1]].end
        return _make_problem(place, self.strict.rules.one, "You summon only one follower")

    def list_names(self, text: str, *, spelled: bool = False) -> list[tuple[str, int, int]]:
        words = [word for word in self.shorthand.read_words(None, drop_accents(text)) if word.typed not in SMALL]
        words = [word for word in words if not spelled or min(word.meanings.values(), default=0) < MISTYPED]
        kinds = (
            (min((cost, kind) for (kind, _), cost in word.meanings.items())[1], word) for word in words if word.meanings
        )
        return [(kind, word.start, word.end) for kind, word in kinds if kind in NAMED]

    def has_named(self, turn: Turn, text: str) -> bool:
        words = [word for word in self.shorthand.read_words(None, drop_accents(text)) if word.typed not in SMALL]
        cards = {("card", card) for card in self._find_named_cards(words)}
        sure = [
            {fact for fact, cost in word.meanings.items() if cost <= min(word.meanings.values()) + UNCLEAR}
            for word in words
            if word.meanings
        ]
        things = [each for each in sure if not each & cards]
        things = [each for each in things if SUMMON in each or any(kind in NAMED or kind == "disc" for kind, _ in each)]
        groups = self._list_groups(turn)
        groups = [set[Fact]().union(*groups)] if cards else groups
        return any((not cards or cards & group) and all(each & group for each in things) for group in groups)

    def _list_untold(self, said: Said, reading: Reading) -> list[Fact]:
        """Return the regions, followers, disc and player of a turn that words leave open."""
        told = Counter(fact for word in said.words for fact in word.meanings)
        every = Counter(fact for move in reading.moves for part in self.shorthand.list_parts(move) for fact in part)
        is_vague = reading.cost >= UNSAID["follower"]
        return [
            fact
            for fact, count in every.items()
            if fact[0] in UNTOLD and told[fact] < (count if fact[0] == "follower" and is_vague else 1)
        ]

    def _find_readings(self, position: Position, said: Said) -> list[Reading]:
        """Return the legal turns that words may mean, the likeliest first, of the cards that they name."""
        found = self.shorthand.find_readings(position, said.line, WIDE, said.cards)
        found = tuple(each for each in found if each.moves != (PASS,) and not _is_contradicted(said.line, each.moves))
        if SUMMON in {fact for word in said.words for fact in word.meanings} or not found:
            return list(found)
        actions = dict.fromkeys(each for each in self.shorthand.find_actions(position, said.line, WIDE, said.cards))
        costs = {move: self.shorthand.compare_turn(position, said.line, (move,)) for move in actions}
        least = min(costs.values())
        whole = [move for move in actions if costs[move] <= least + WIDE]
        has_summons = getattr(found[0].moves[-1], "faction", None) is not None
        if least > WHOLE_ACTION or len(found[0].moves) == 1 or (has_summons and found[0].cost <= least):
            return list(found)
        return [Reading(moves, UNSAID["region"] + UNSAID["follower"]) for moves in self._complete(position, whole)]

    def _complete(self, position: Position, actions: Sequence[Move]) -> Iterator[Turn]:
        """Yield whole turns with these actions, first those whose summonses differ in the faction."""
        found = list[list[Turn]]()
        for move in actions:
            after, _ = self.game.apply(position, move)
            legal = list(self.game.legal(after)) if self.game.turn_continues(after) else []
            first = dict[int, Move]()
            for each in legal:
                first.setdefault(each.faction if isinstance(each, Summon) else -1, each)
            found.append([(move, each) for each in dict.fromkeys([*first.values(), *legal])] or [(move,)])
        for turns in zip_longest(*found):
            yield from filter(None, turns)

    def _read_text(self, position: Position, text: str, *, is_lenient: bool = False) -> Said:
        """Return what the sentences of a text say that order something; lenient ones may have weak signs of doubt and other words."""
        plain = self._simplify(position, text)
        words = [word for word in self.shorthand.read_words(position, plain) if word.meanings]
        line, kept, strangers = list(plain.replace("\n", ";")), list[Word](), list[Problem]()
        others, is_clear, is_stating = 0, True, False
        for said in split_sentences(plain):
            start, end = said[0].start, said[-1].end
            own = [word for word in words if start <= word.start < end and word.typed not in TALK]
            own = own if any(cost < MISTYPED for word in own for cost in word.meanings.values()) else []
            if {kind for word in own if word.typed[0].isalpha() for kind, _ in word.meanings} <= {"pass"}:
                own = []  # the clause of a pass
            spoken, meant = self._list_others(said, own), self._drop_chat(said, own)
            is_long = len(self._list_others(meant, own)) > MOST_OTHERS * len(own) and not is_lenient
            if not own or self._is_in_doubt(meant, own, is_lenient=is_lenient) or is_long:
                line[start:end] = " " * (end - start)
                is_clear = is_clear and not spoken and not own
                continue
            kept += own
            strange = list(self._report_strangers(position, said, own))
            strangers += strange
            others += len(spoken) - len(strange)
            is_clear = is_clear and not spoken
            is_stating = is_stating or any(token.word in STATING for token in said)
        cards = self._find_named_cards(kept)
        headed = [self.shorthand.list_faction_cards(found[1]) for found in CARD_OF.finditer(plain)]
        cards = cards or frozenset(card for each in headed for card in each)
        if not cards and kept and len(kept[0].typed) > 1 and not SWAPS.search(plain):
            own_cards = self.card_names.faction_cards.values()
            cards = frozenset(value for kind, value in kept[0].meanings if kind == "card" and value in own_cards)
        if not cards and ALL.search(drop_accents(text)):
            cards = frozenset(name for name, card in self.game.cards.items() if card.form == "spread")
        return Said("".join(line), tuple(kept), cards, others, is_clear, is_stating, tuple(strangers))

    def _simplify(self, position: Position, text: str) -> str:
        """Return a text of the same length without accents, with small words in small letters, and with other words for places."""
        written = "\n".join(map(make_plain, text.translate(self._pieces).split("\n")))
        plain = list(drop_accents(THERE_ABROAD.sub(lambda found: THAT_PLACE.ljust(len(found[0])), written)))
        tokens = [token for said in split_sentences(text) for token in said if token.is_word]
        for token, behind in zip_longest(tokens, tokens[1:]):
            if token.word in TALK or text.isupper():
                plain[token.start : token.end] = "".join(plain[token.start : token.end]).lower()
            if behind is not None and token.word in self._prefixes:
                joined = f"{token.word}{behind.word}"
                whole = self.card_names.whole_cards
                if find_like(joined, tuple(whole), LIKE_SPLIT) or any(name.startswith(joined) for name in whole):
                    plain[token.start : behind.end] = joined.ljust(behind.end - token.start)
        line = ABSENT.sub(self._blank_absent, self._write_colours("".join(plain)))
        for pattern, sign in SIGNS:
            line = pattern.sub(lambda found, sign=sign: sign.ljust(len(found[0])), line)  # type: ignore[misc]
        line = TWO_CARDS.sub(lambda found: self._write_ends(position, found).ljust(len(found[0])), line)
        line = self._several.sub(lambda found: found[0].split("-")[0].split(" ")[0].ljust(len(found[0])), line)
        placed = "".join(
            each.letter for each, left in zip(self.game.board.factions, position.supply, strict=True) if left
        )
        line = ALL.sub(lambda found: placed[: len(found[0])].ljust(len(found[0])), line)
        return OF_TWO.sub(lambda found: self._name_of_two(position, found).ljust(len(found[0])), line)

    def _write_colours(self, line: str) -> str:
        """Return a text with the letters of factions for those of colours, if single letters are such: `b Moray, r Essex`."""
        plain = LIKE_FACTIONS.sub(lambda found: " " * len(found[0]), SPANISH_AND.sub(r"\1,", line))
        letters = {letter for found in SHORT_COLOURS.findall(plain) for letter in found.casefold()}
        if "b" not in letters or len(letters) == 1 or SHORT_FACTIONS.search(plain):
            return line
        named = {
            letter: self.game.board.letters[at]
            for letter, word in SHORTENED.items()
            if (at := self.shorthand.find_faction(word)) >= 0
        }
        return SHORT_COLOURS.sub(lambda found: "".join(named[letter] for letter in found[0].casefold()), plain)

    def _blank_absent(self, found: re.Match[str]) -> str:
        """Return words that say that no follower of a faction is left, blanked; others as they are."""
        is_faction = len(found["who"]) == 1 or self.shorthand.find_faction(found["who"].casefold()) >= 0
        is_sure = not found["there"] or re.search(r"(?i)\b(?:all|are|is|being)\b", found[0]) is not None
        return " " * len(found[0]) if is_faction and is_sure else found[0]

    def _name_of_two(self, position: Position, found: re.Match[str]) -> str:
        """Return which of the two regions named before is meant by `the latter`; else the number of a card that is counted."""
        before = self.shorthand.read_words(position, found.string[: found.start()])
        kinds = ([fact for fact in word.meanings if fact[0] == "region"] for word in before)
        places = [of[0][1] for of, word in zip(kinds, before, strict=True) if len(of) == len(word.meanings) == 1]
        which, named = (found["which"] or "").casefold(), list(dict.fromkeys(places))
        if len(named) == PAIR:
            other = 1 - named.index(places[-1])
            at = {"former": 0, "first": 0, "latter": 1, "second": 1, "other": other}.get(which)
            if at is not None:
                return str(self.game.board.regions[named[at]].code)
        ordinal = which or found["card"].casefold()
        return str(ORDINALS.index(ordinal) + 1) if ordinal in ORDINALS else found[0]

    def _write_ends(self, position: Position, found: re.Match[str]) -> str:
        """Return the spaces of the first or the last two cards that lie face up; what was written if there are fewer."""
        spaces = [at for at, region in enumerate(position.track, 1) if position.discs[region] == OPEN]
        ends = spaces[:2] if found["end"].casefold() in {"first", "next"} else spaces[-2:]
        return " ".join(map(str, ends)) if len(ends) == 2 else found[0]

    @cached_property
    def _pieces(self) -> Mapping[int, str]:
        """The letter of a faction for each picture of a piece in its colour."""
        named = {self.shorthand.find_faction(colour): signs for colour, signs in PIECES.items()}
        letters = ((sign, self.game.board.letters[at]) for at, signs in named.items() if at >= 0 for sign in signs)
        return {0xFE0F: " "} | {ord(sign): letter for sign, letter in letters}

    @cached_property
    def _several(self) -> re.Pattern[str]:
        names = [re.findall(r"[^\W\d_]+", faction.name) for faction in self.game.board.factions]
        joined = ["[- ]".join(words) for words in names if len(words) > 1]
        return re.compile(rf"\b(?:{'|'.join(joined)})\b" if joined else r"(?!)", re.IGNORECASE)

    @cached_property
    def _prefixes(self) -> frozenset[str]:
        """Common words that begin a card's name when it is split: `Out-manoeuvre`."""
        return frozenset(
            word
            for word in FILLERS
            if len(word) > 2 and any(name.startswith(word) for name in self.card_names.whole_cards)
        )

    def _find_named_cards(self, words: Sequence[Word]) -> frozenset[str]:
        """Return the cards that most words name, if one of these means nothing else."""
        clear = {value for word in words if self.shorthand.names_card(word.typed) for _, value in word.meanings}
        names = [self.shorthand.names_card(word.typed) for word in words]
        gaps = [two.start - one.end <= LONGEST_GAP for one, two in pairwise(words)]
        beside = [
            names[at] or (at > 0 and names[at - 1] and gaps[at - 1]) or (at < len(gaps) and names[at + 1] and gaps[at])
            for at in range(len(words))
        ]
        counts = {
            card: sum(near and ("card", card) in word.meanings for near, word in zip(beside, words, strict=True))
            for card in clear
        }
        return frozenset(card for card in clear if counts[card] == max(counts.values()))

    def _list_others(self, said: Sentence, words: Sequence[Word]) -> list[Token]:
        """Return the words of a sentence that say nothing of a turn and do not connect others."""
        known = {at for word in words for at in range(word.start, word.end)}
        tokens = [token for token in said if token.is_word and token.start not in known]
        tokens = [token for token in tokens if token.word not in SMALL | FOREIGN | self.people]
        return [token for token in tokens if not self.shorthand.find_meanings(None, token.typed)]

    def _drop_chat(self, said: Sentence, words: Sequence[Word]) -> Sentence:
        """Return a sentence without its clauses that name nothing of the game, unless they may take back the others."""
        named = {word.start for word in words if word.typed[0].isalnum()}
        ends = [at for at, token in enumerate(said) if token.word in CLAUSES]
        ends += [at for at, (one, two) in enumerate(pairwise(said)) if one.word in LINKS and two.word in SPEAKING]
        clauses = [said[start:end] for start, end in pairwise([0, *sorted(ends), len(said)])]
        kept = [
            each
            for each in clauses
            if any(token.start in named for token in each)
            or not CHATTY.issuperset(token.word for token in each if token.word in DOUBTS | {"?"})
        ]
        return tuple(token for each in kept for token in each)

    def _is_in_doubt(self, said: Sentence, words: Sequence[Word], *, is_lenient: bool) -> bool:
        cards = {word.start for word in words if {kind for kind, _ in word.meanings} == {"card"}}
        denies = any(one.word in {"no", "not"} and two.start in cards for one, two in pairwise(said))
        kinds = {word.start: {kind for kind, _ in word.meanings} for word in words}
        small = {two.start for _, two in pairwise(said) if two.word == "who"}
        for one, two in pairwise(said):
            near = kinds.get(two.start, set())
            if (one.word == "il" and "follower" in near) or (one.word in OWNERS and near == {"region"}):
                small.add(one.start)
        is_lenient = is_lenient and self.people.isdisjoint(token.word for token in said)
        harmless = SOFT | WEAK if is_lenient else SOFT
        rest = (token for token in said if token.word not in harmless and token.start not in small)
        return denies or is_doubtful(tuple(rest), self.people)

    def _is_order(self, position: Position, said: Said) -> bool:
        """Return True if words order a turn: a card and more, or followers and a region."""
        if position.decision == "summon":
            return bool(said.kinds & {"follower", "region"})
        is_result = self.shorthand.is_result(said.line) and not (said.cards and "summon" in said.kinds)
        if "pass" in said.kinds or is_result:
            return False
        if said.is_named and (said.cards or not said.is_stating):
            name = squeeze_name("".join(word.typed for word in said.words))
            is_alone = said.is_clear and name in self.card_names.whole_cards - self.card_names.followers.keys()
            return is_alone or not said.kinds <= {"card", "follower"} or len(said.words) >= FEWEST_WORDS
        is_summons = bool(self.game.summons.alone) and "summon" in said.kinds
        is_long = len(said.words) >= FEWEST_WORDS or is_summons
        return {"region", "follower"} <= said.kinds and is_long and not said.is_stating

    @cites("notation.card")
    def _refuse_text(self, text: str, said: Said) -> Meant:
        """Return a result without turns. If the text begins with a word that resembles no card, it has a problem."""
        first = next(iter(self.strict.read_turn(text).problems), None)
        if first is None or (first.kind, first.rule) != (Kind.NAME, "notation.card") or first.fixes or said.cards:
            return NOTHING_MEANT
        line = text.strip().partition("\n")[0]
        message = "This names no card, and it is not an order"
        if self.shorthand.find_kinds(text) & NAMED:
            message = "This names no card, and no legal turn fits its words"
        return Meant(problems=(evolve(first, message=message, col=text.index(line) + 1, length=max(1, len(line))),))

    def _find_revealed(self, said: Said) -> Meant:
        factions = [value for word in said.words for kind, value in word.meanings if kind == "follower"]
        if not said.is_clear or len(factions) != 1 or not said.kinds <= {"follower", "card"}:
            return NOTHING_MEANT
        return Meant(((Reveal(self.game.plot, factions[0]),),), fits=True)

    def _list_odd_words(self, reading: Reading, words: Sequence[Word]) -> list[Word]:
        """Return the words that do not fit a reading, but for regions that it has and that are named once more."""
        facts = {fact for move in reading.moves for part in self.shorthand.list_parts(move) for fact in part}
        again = {fact for fact in facts if fact[0] == "region"}
        return [word for word in words if word.typed in reading.strange and not word.meanings.keys() <= again]

    def _report_ambiguity(self, said: Said, best: Sequence[Reading], *, is_whole: bool) -> tuple[Problem, ...]:
        if len(best) == 1 and is_whole:
            return ()
        first = best[0].moves
        is_open = len({each.moves[0] for each in best}) == 1 and len(first) > 1
        if is_open and len(best) > 1 and SUMMON not in {fact for word in said.words for fact in word.meanings}:
            message = "Which follower do you summon, and from which region?"
            hint = f"Add, for instance, `; {self.game.words.write_move(first[-1])}`."
            return (Problem(Kind.SYNTAX, self.game.summons.due, message, col=len(said.line.rstrip()) + 1, hint=hint),)
        message = "Several legal turns fit this" if len(best) > 1 else CHECK
        missing = [UNTOLD[kind] for kind in UNTOLD if any(fact[0] == kind for fact in self._list_untold(said, best[0]))]
        hint = f"They leave open {list_names(missing, 'and')}." if missing else ""
        return (_make_problem(said.find_place(), "notation.free.several", message, hint),)

    def _report_torn_group(self, said: Said, turn: Turn) -> tuple[Problem, ...]:
        """Return the problem with a turn in which followers come from another region than a text says."""
        groups = self._list_groups(turn)
        for one, two in pairwise(said.words):
            factions = {each for each in one.meanings if each[0] == "follower"}
            regions = {each for each in two.meanings if each[0] == "region"}
            between = WORD.findall(said.line[one.end : two.start])
            is_together = factions and regions == two.meanings.keys() and SMALL.issuperset(between)
            if is_together and WITHIN & {*between} and not any(factions & each and regions & each for each in groups):
                place = one.start, two.end
                return (_make_problem(place, "notation.free.several", f"`{said.line[slice(*place)]}` fits no turn"),)
        return ()

    def _explain(self, position: Position, said: Said, nearest: Sequence[Reading]) -> Meant | None:
        """Return the problem with a turn that isn't legal as described, and the nearest legal turns; None if it may be no turn."""
        problem = self._find_missing_card(position, said)
        if problem is None and not (said.may_be_partial and (nearest or said.cards)):
            return None
        if problem is None:
            odd = self._list_odd_words(nearest[0], said.words) if nearest else []
            message = f"`{odd[0].typed}` fits no turn" if odd else "No legal turn fits all of this"
            place = (odd[0].start, odd[0].end) if odd else said.find_place()
            problem = _make_problem(place, "notation.free.several", message)
        turns = tuple(each.moves for each in nearest)
        return Meant(turns, problems=(*said.strangers, problem), vague=problem.kind is Kind.SYNTAX)

    def _find_missing_card(self, position: Position, said: Said) -> Problem | None:
        """Return the problem with a card that isn't in the player's hand or can't be played."""
        assert position.to_act is not None
        held = said.cards & {*self.game.list_held(position, position.to_act)}
        is_clear = any(
            cost < MISTYPED for word in said.words for (_, value), cost in word.meanings.items() if value in said.cards
        )
        if not is_clear or any(self.game.list_options(position, card) for card in held):
            return None
        card = min(held or said.cards)
        violations = self.game.check(position, Play(card, NOTHING)) or (self.game.explain_unplayable(position, card),)
        message, hint = (fill_names(each, self.names) for each in (violations[0].sentence, violations[0].hint))
        place = said.find_place([("card", card)])
        return _make_problem(place, violations[0].rule, capitalize_text(message), hint, Kind.ILLEGAL)

    def _find_violation(self, position: Position, said: Said, nearest: Sequence[Reading]) -> Problem | None:
        """Return the problem with the illegal turn that differs from a legal one in a region or a faction, as the words have it."""
        is_summoning = SUMMON in {fact for word in said.words for fact in word.meanings}
        found: list[tuple[float, Problem]] = []
        differing = {each.moves[0]: each.moves for each in reversed(nearest)}
        turns = [fill_names(self.game.words.write_turn(moves), self.names) for moves in [*differing.values()][-ENOUGH:]]
        for _ in range(MOST_CHANGES):
            costs: list[tuple[float, str]] = []
            for text in dict.fromkeys(each for turn in turns for each in self.shorthand.vary_turn(turn, said.line)):
                read = self.strict.read_turn(text)
                is_named = isinstance(read.moves[:1] and read.moves[0], Play) and read.moves[0].card in said.cards
                if not read.moves or (said.cards and not is_named):
                    continue
                for moves in (read.moves,) if is_summoning else (read.moves, read.moves[:1]):
                    cost = self.shorthand.compare_turn(position, said.line, moves)
                    problem = cost < nearest[0].cost - ILLEGAL and self._check_turn(
                        position, said, read, len(moves), text
                    )
                    found += [(cost, problem)] if problem else []
                costs.append((cost, text))
            turns = [text for _, text in sorted(costs)[: 2 * ENOUGH]]
        return min(found, key=lambda each: each[0])[1] if found else None

    def _check_turn(
        self, position: Position, said: Said, read: ReadTurn, size: int, varied: str = ""
    ) -> Problem | None:
        """Return the problem with the first moves of a turn in notation; for a varied turn, its place in the message."""
        for index, move in enumerate(read.moves[:size]):
            canonical = self.game.canonical(position, move)
            violations = self.game.check(position, canonical)
            if violations:
                (wrong, *_) = problems_of(self.game, read, index, violations[:1], canonical=canonical, names=self.names)
                if not varied:
                    return wrong
                facts = self.shorthand.list_facts(varied[wrong.col - 1 : wrong.col - 1 + wrong.length])
                start, end = said.find_place(facts, is_last=index > 0)
                return evolve(wrong, col=start + 1, length=end - start)
            position, _ = self.game.apply(position, canonical)
        return None

    @cites("notation.region", "notation.faction")
    def _report_strangers(self, position: Position, said: Sentence, words: Sequence[Word]) -> Iterator[Problem]:
        """Yield a problem for each unknown word in the place of a region or of followers."""
        kinds = {at: {kind for kind, _ in word.meanings} for word in words for at in range(word.start, word.end)}
        unknown = {
            token.start
            for token in self._list_others(said, words)
            if token.word in COLOURS or not (is_connecting(token.word) or token.word in STATING)
        }
        is_exchange = any(self.game.cards[card].form == "exchange" for card in self._find_named_cards(words))
        is_exchange = is_exchange or any(DISC in word.meanings for word in words)
        for at, token in enumerate(said):
            before, behind = said[at - 1] if at else None, said[at + 1 : at + 4]
            behind = tuple(each for each in behind if each.word not in ARTICLES)
            near = kinds.get(before.start, set()) if before else set[str]()
            far = kinds.get(behind[0].start, set()) if behind else set[str]()
            through = len(behind) > 1 and behind[0].word in PLACING and kinds.get(behind[1].start, set()) == {"region"}
            if token.start in unknown and token.word in CARDS:
                yield _make_problem(
                    (token.start, token.end),
                    "notation.card",
                    f"`{token.typed}` is not a card of this ruleset",
                    kind=Kind.NAME,
                )
                continue
            counted = before is not None and before.word in NUMBERS and before.word not in ARTICLES
            swapped = before is not None and before.word in BOTH_WAYS
            is_name = token.typed[0].isupper() or not behind or not behind[0].is_word
            next_to = next((each for each in said[at + 1 :] if each.word not in FILLERS - PLACING), None)
            is_coloured = (
                token.word in COLOURS
                and next_to is not None
                and (next_to.word in PLACING or kinds.get(next_to.start) == {"region"})
            )
            is_described = token.word in {"region", "place"} and bool(behind) and behind[0].word in {"that", "where"}
            if token.start not in unknown and not is_described:
                if is_exchange and token.word.isdecimal() and int(token.word[:3]) > len(position.track):
                    yield _make_problem(
                        (token.start, token.end), "notation.region", f"`{token.typed}` is not a region", kind=Kind.NAME
                    )
                continue
            if is_coloured or counted or (through and "follower" not in near) or (near and far == {"region"}):
                rule, place = "notation.faction", "faction"
            elif is_described or is_out_of_place(said, at) or (is_name and (swapped or near & {"follower", "card"})):
                rule, place = "notation.region", "region"
            else:
                continue
            yield _make_problem((token.start, token.end), rule, f"`{token.typed}` is not a {place}", kind=Kind.NAME)


def _is_contradicted(line: str, turn: Turn) -> bool:
    """Return True if a card only places followers although a text has a sign of a swap."""
    places = isinstance(turn[0], Play) and isinstance(turn[0].resolution, Place | Apart | Spread)
    return places and any(sign in line for sign in BOTH_WAYS)


def _make_problem(place: tuple[int, int], rule: str, message: str, hint: str = "", kind: Kind = Kind.SYNTAX) -> Problem:
    return Problem(kind, rule, message, col=place[0] + 1, length=max(1, place[1] - place[0]), hint=hint)
