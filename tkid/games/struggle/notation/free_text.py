"""The free reader."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from functools import partial
from itertools import chain, islice, pairwise

from attrs import evolve, frozen

from tkid.games.struggle.notation import free_facts
from tkid.games.struggle.notation.free_facts import (
    Facts,
    Item,
    Summoned,
    Turn,
    find_word_spans,
    iter_readings,
    write_literal_action,
)
from tkid.games.struggle.notation.free_words import NAMED, STRANGERS, Mention, Words
from tkid.games.struggle.notation.shorthand import StruggleShorthand
from tkid.games.struggle.notation.turn_reader import TurnReader
from tkid.games.struggle.rules.board import Position
from tkid.games.struggle.rules.game import PASS, Struggle
from tkid.games.struggle.rules.moves import Apart, Place, Play, Reveal, Spread, Summon
from tkid.kernel.game import fill_names
from tkid.kernel.ladder import NOTHING
from tkid.kernel.problems import Kind, Problem, Violation
from tkid.kernel.values import derive
from tkid.notation import plugin
from tkid.notation.free_text import BOTH_WAYS, FILLERS, Sentence, is_doubtful, is_pass, split_sentences
from tkid.notation.plugin import Meant, ReadTurn
from tkid.notation.plugin import make_problems as problems_of
from tkid.notation.shorthand import STRANGE, TINY, UNSAID, WHOLE, Reading, Word
from tkid.notation.text import drop_accents
from tkid.rulebook import cites

GAME_WORDS = frozenset(
    {"card", "followers", "region", "summon", "disc", "nothing", "against", "place", "return", "swap"}
)
"""Kinds of mentions that speak of the game."""
PLOTTED = frozenset({"card", "followers", "filler", "and", "against", "to", "stop"})
"""Kinds of mentions that may come with the faction at the end."""
PER_STRANGER = 4
"""Number of words of the game for each unknown word that may stand among them."""
MOST_WORDS = 16
"""Mentions of a text in which nothing but words of the game stands."""
MOST_ALONE = 4
"""Mentions of a text that names a card and nothing more."""
ENOUGH = 4
"""Turns after which no more are looked for: one more than is shown."""
CLEAR, CLEAR_ENOUGH, VAGUE, CLOSE = 0.5, 1.5, 2.5, 0.3
"""How much the words of a text may differ from a turn (0: not at all) if another reading has turns, without a remark, and at all; and how close a second turn may come."""
STATING = frozenset({"is", "are", "ist", "sind", "est", "sont"})
"""Words that tell of the position."""
FEWEST_WORDS, MOST_OTHERS, MOST_STRANGE = 4, 1.25, 2
"""Number of words of a turn without a card, of other words for each of them, and of words that are said once too often."""
SOFT = frozenset("have has had last our us war si ne her du which does before".split())  # noqa: SIM905 - words read better so
"""Words of doubts that are harmless where all other words are those of a turn."""
EXCLUDING = re.compile(
    r"\b(?:any|all|every)\w*(?: +\w+){0,2}? +but\b|\b(?:except(?:ing)?|excluding|(?:apart|aside) from|(?:other|rather) than|instead of)\b"
    r"|\bleav(?:e|ing)\b.*\balone\b|\b(?:without touching|ausser|außer|ausgenommen|statt|anstatt|sauf|excepte|hormis|excepto|salvo|tranne|eccetto|behalve|oprocz)\b"
    r"|\bmenos (?:el|la|un|una|los|las|en|de)\b",
    re.IGNORECASE,
)
"""Words, without accents, that say which turn somebody doesn't mean."""
NOTHING_MEANT = Meant()


@frozen
class Text:
    """A text's mentions, its end, and if all is about a turn; `strangers` are words in the place of a region or followers."""

    mentions: tuple[Mention, ...]
    clear: bool
    end: int
    strangers: tuple[Mention, ...] = ()


@frozen(eq=False)
class FreeReader(plugin.FreeReader):
    """Reads what people write who do not know the notation."""

    game: Struggle
    names: Sequence[str]
    words: Words = derive(lambda self: Words(self.game, self.names))
    strict: TurnReader = derive(lambda self: TurnReader(self.game, self.names))
    shorthand: StruggleShorthand = derive(lambda self: StruggleShorthand(self.game, self.names))

    @cites("notation.free.short-pass")
    def is_whole(self, read: ReadTurn, text: str) -> bool:
        """Return True unless the turn is a pass that isn't written as the whole word."""
        return read.moves != (PASS,) or text.strip(" \t\n.!").casefold() == "pass"

    @cites("notation.free.pass", "notation.free.intent")
    def find_meant(self, position: Position, text: str) -> Meant:
        said = self._read_text(position, text)
        found = EXCLUDING.search(drop_accents(text))
        if found and len(self.shorthand.find_kinds(text) & {"card", "region", "follower"}) > 1:
            message, hint = f"`{found[0]}` only says which turn you don't mean", "Write the turn that you mean."
            col, length = found.start() + 1, len(found[0])
            return Meant(
                problems=(Problem(Kind.SYNTAX, "notation.free.intent", message, col=col, length=length, hint=hint),)
            )
        meant = self._find_by_facts(position, text, said)
        if any(map(partial(_is_contradicted, said), meant.turns)):
            meant = NOTHING_MEANT
        return meant if meant.fits or position.decision != "play" else self._find_by_words(position, text, said, meant)

    @cites("notation.free", "notation.free.several")
    def _find_by_words(self, position: Position, text: str, said: Text, meant: Meant) -> Meant:
        """Return the turns that consist of the words of a text, in any order; `meant` if none does, or it seems to be something else."""
        line = " ".join(text.split())
        words = [word for word in self.shorthand.read_words(position, line) if word.meanings]
        kinds = {kind for word in words for kind, _ in word.meanings}
        cards = {card for each in said.mentions for card in each.cards}
        is_named = bool(cards or kinds & {"disc", "nothing"}) or any(map(self._names_card, words))
        is_explained = self.strict.turn(text).moves or any(each.kind is Kind.ILLEGAL for each in meant.problems)
        is_turn = {"region", "follower"} <= kinds and "pass" not in kinds and not self.shorthand.is_result(line)
        if is_explained or not is_turn or not self._is_about_turn(text, words, is_named=is_named):
            return meant
        found = [
            each for each in self.shorthand.find_readings(position, line) if not _is_contradicted(said, each.moves)
        ]
        best = [each for each in found if each.cost < found[0].cost + CLOSE]
        played = {move.card for each in best for move in each.moves if isinstance(move, Play)}
        if not 0 < len(best) < ENOUGH or (cards and not played & cards):
            return meant
        odd = self._list_odd_words(best[0], words)
        cost = best[0].cost - STRANGE * len(best[0].strange)
        most = CLEAR if meant.turns else VAGUE if is_named else UNSAID["card"] + TINY
        is_contradicted = any(WHOLE in word.meanings.values() or self._names_card(word) for word in odd)
        if cost > most or is_contradicted or len(odd) > (not meant.turns) or len(best[0].strange) > MOST_STRANGE:
            return meant
        several = "Several legal turns fit this" if len(best) > 1 else ""
        vague = "This says only a part of the turn" if cost > CLEAR_ENOUGH and not several else ""
        messages = filter(None, (f"`{odd[0].typed}` fits no turn" if odd else "", several, vague))
        length = len(text.strip().partition("\n")[0])
        problems = tuple(Problem(Kind.SYNTAX, "notation.free.several", each, col=1, length=length) for each in messages)
        known = {part for word in words for part in word.typed.split()}
        strangers = [each for each in said.strangers if each.typed not in known]
        return _add_doubts(Meant(tuple(each.moves for each in best), fits=not problems, problems=problems), strangers)

    def _is_about_turn(self, text: str, words: Sequence[Word], *, is_named: bool) -> bool:
        """Return True if a text has few words but those of a turn, and none that doubts it; without a card, none that tells of the position."""
        sentences, known = split_sentences(text), {part for word in words for part in word.typed.split()}
        tokens = [token for token in chain(*sentences) if token.is_word and token.typed not in known]
        others = [token.word for token in tokens if token.word not in FILLERS and token.word not in self.words.people]
        if any(map(self._is_in_doubt, sentences)) or len(others) > MOST_OTHERS * len(words):
            return False
        return is_named or (len(words) >= FEWEST_WORDS and STATING.isdisjoint(others))

    def _list_odd_words(self, reading: Reading, words: Sequence[Word]) -> list[Word]:
        """Return the words that do not fit a reading, but for regions that it has and that are named once more."""
        facts = {fact for move in reading.moves for part in self.shorthand.list_parts(move) for fact in part}
        again = {fact for fact in facts if fact[0] == "region"}
        return [word for word in words if word.typed in reading.strange and not word.meanings.keys() <= again]

    def _names_card(self, word: Word) -> bool:
        return self.shorthand.names_card(word.typed)

    def _is_in_doubt(self, said: Sentence) -> bool:
        denies = any(one.kind == "no" and two.kind == "card" for one, two in pairwise(self.words.list_mentions(said)))
        return denies or is_doubtful(tuple(token for token in said if token.word not in SOFT), self.words.people)

    def _find_by_facts(self, position: Position, text: str, said: Text) -> Meant:
        kinds = {mention.kind for mention in said.mentions}
        if kinds & {*NAMED, "summon"}:
            if "pass" in kinds or not self._is_order(position, said):
                return self._refuse_text(text, kinds)
            meant = _add_doubts(self._find_action(position, said), said.strangers)
            return (
                evolve(meant, problems=self._find_second_summons(text) or meant.problems) if meant.problems else meant
            )
        passing = position.decision == "play" and is_pass(text)
        return Meant(((PASS,),), fits=True) if passing else self._refuse_text(text, kinds)

    def _find_second_summons(self, text: str) -> tuple[Problem, ...]:
        """Return the problem with a second follower behind `summon`, which would otherwise count as one of the card."""
        read = self.strict.turn(text)
        is_second = len(read.decisions) > 1 and read.decisions[0].move is not None
        return tuple(each for each in read.problems[:1] if is_second and each.rule == self.strict.rules.one)

    @cites("notation.card")
    def _refuse_text(self, text: str, kinds: Collection[str]) -> Meant:
        """Return a result without turns. If the text begins with a word that resembles no card, it has a problem."""
        problems = self.strict.turn(text).problems
        first = next(iter(problems), None)
        if first is None or (first.kind, first.rule) != (Kind.NAME, "notation.card") or first.fixes or "card" in kinds:
            return NOTHING_MEANT
        line = text.strip().partition("\n")[0]
        message = (
            "This names no card"
            if "followers" in kinds or "region" in kinds
            else "This names no card, and it is not an order"
        )
        start = text.index(line)
        return Meant(problems=(evolve(first, message=message, col=start + 1, length=max(1, len(line))),))

    def _find_places(self, position: Position, mentions: Sequence[Mention]) -> Iterator[Mention]:
        """Yield mentions, with a region for each number or word such as `there` that means exactly one."""
        cards = {card for mention in mentions for card in mention.cards}
        counts_spaces = any(self.game.cards[card].form == "exchange" for card in cards)
        last = -1
        for mention in mentions:
            found = mention
            if mention.kind == "number" and counts_spaces:
                is_space = 0 < mention.value <= len(position.track)
                region = position.track[mention.value - 1] if is_space else -1
                found = evolve(mention, kind="region" if is_space else "no-region", value=region)
            elif mention.kind == "back":
                found = evolve(mention, kind="filler" if last < 0 else "region", value=last)
            last = found.value if found.kind == "region" else last
            yield found

    def _read_text(self, position: Position, text: str) -> Text:
        mentions: list[Mention] = []
        strangers: list[Mention] = []
        clear = True
        for said in map(self.words.drop_denied, split_sentences(text)):
            found = list(self._find_places(position, (*mentions, *self.words.list_mentions(said))))[len(mentions) :]
            weight = sum(mention.kind in GAME_WORDS for mention in found)
            named = any(mention.kind == "card" for mention in found)
            misplaced = [mention for mention in found if mention.kind in STRANGERS]
            passed_over = {"no-region"} if named else set[str]()
            strange = sum(mention.kind in {"unknown", *STRANGERS} - passed_over for mention in found)
            words = any(token.is_word for token in said)
            denied = any(first.kind == "no" and then.kind == "card" for first, then in pairwise(found))  # `no support`
            doubtful = denied or is_doubtful(said, self.words.people)
            if weight and not doubtful:
                strangers += misplaced
            if doubtful or strange > weight // PER_STRANGER or not weight:
                clear = clear and (not words or (not weight and not strange and not doubtful))
                continue
            clear = clear and not strange and not misplaced
            mentions += found
        return Text(tuple(mentions), clear, len(text.rstrip()), tuple(strangers))

    def _is_order(self, position: Position, said: Text) -> bool:
        """Return True if a text orders a turn: it names a card and more, or has only words of the game."""
        kinds = [mention.kind for mention in said.mentions if mention.kind in NAMED]
        others = {mention.kind for mention in said.mentions} & {"summon", "nothing", "disc"}
        if position.decision == "plot":
            return (
                said.clear and {mention.kind for mention in said.mentions} <= PLOTTED and kinds.count("followers") == 1
            )
        if "card" in kinds:
            cards = [mention for mention in said.mentions if mention.kind == "card"]
            if len(kinds) > len(cards) or others:
                return len(set(kinds)) > 1 or bool(others) or said.clear
            alone = all(mention.kind in {"card", "filler", "stop"} for mention in said.mentions)
            return said.clear and alone and cards[0].whole and len(said.mentions) <= MOST_ALONE
        named = any(mention.open & self.words.names.faction_cards.keys() for mention in said.mentions)
        if named and "nothing" in others:
            return said.clear
        short = said.clear and sum(mention.kind != "filler" for mention in said.mentions) <= MOST_WORDS
        return short and "followers" in kinds and ("region" in kinds or position.decision == "summon")

    def _find_action(self, position: Position, said: Text) -> Meant:
        every = tuple(iter_readings(said.mentions, dict(self.words.names.faction_cards)))
        if position.decision == "plot":
            return self._find_revealed(said)
        for facts in every:
            turns, whole = self._find_turns(position, facts)
            many = next((each for each in facts.summoned.said if sum(each.group) > 1), None) if facts.summoned else None
            if turns and many is not None:
                message = f"You summon one follower, not {self.game.board.group(many.group)}"
                return Meant(turns, problems=(_make_problem_at(many, self.game.summons.due, message),))
            if turns:
                fits = whole and len(turns) == 1
                return Meant(turns, fits=fits, problems=() if fits else (self._report_ambiguity(facts, turns, said),))
        return self._explain_mismatch(position, every[0], said) if every else NOTHING_MEANT

    def _find_revealed(self, said: Text) -> Meant:
        groups = [mention.group for mention in said.mentions if mention.kind == "followers"]
        turns = tuple((Reveal(self.game.plot, index),) for index, n in enumerate(groups[0]) if n)
        return Meant(turns, fits=len(turns) == len(groups) == 1)

    def _list_possible_cards(self, position: Position, facts: Facts) -> list[str]:
        assert position.to_act is not None
        held = self.game.list_held(position, position.to_act)
        meant = self._find_named_cards(facts)
        return [card for card in held if meant is None or card in meant]

    def _find_named_cards(self, facts: Facts) -> frozenset[str] | None:
        if not facts.cards:
            return None
        first = facts.cards[0].cards
        if any(self.game.cards[card].form == "copy" for card in first):
            return first
        named = frozenset.intersection(*(mention.cards for mention in facts.cards))
        groups = [item.group for item in facts.items if item.group is not None]
        factions = {faction for group in groups for faction, n in enumerate(group) if n} if len(named) > 1 else set()
        own = [self.words.names.list_cards_named_after(faction) & named for faction in factions]
        return frozenset[str]().union(*own) or named

    def _find_turns(self, position: Position, facts: Facts) -> tuple[tuple[Turn, ...], bool]:
        """Return some legal turns with these facts, and True if there are no others."""
        if position.decision == "summon":
            summoned = facts.summoned or _make_summoned(facts)
            found = tuple((move,) for move in free_facts.find_summonses(self.game, position, summoned))
            return (found, True) if summoned is not None else ((), True)
        turns: list[Turn] = []
        whole = True
        if facts.summoned is not None and not facts.cards and not facts.items:
            alone = self.game.summons.list_without_action(position)
            turns += [(move,) for move in alone if free_facts.is_summoned(move, facts.summoned)]
            return tuple(turns), True
        for card in self._list_possible_cards(position, facts):
            plays = free_facts.find_fitting_plays(self.game, position, card, facts)
            whole = whole and len(plays) <= free_facts.MAX_TRIED_PLAYS
            turns += islice(self._iter_played_turns(position, plays, facts), ENOUGH)
        return tuple(turns[:ENOUGH]), whole

    def _iter_played_turns(self, position: Position, plays: Sequence[Play], facts: Facts) -> Iterator[Turn]:
        """Yield whole turns with these plays; one for each play if the summons is open."""
        if facts.summoned is None and len(plays) > 1:
            for play in plays:
                yield from islice(free_facts.iter_whole_turns(self.game, position, (play,), None), 1)
        else:
            yield from free_facts.iter_whole_turns(self.game, position, plays, facts.summoned)

    def _report_ambiguity(self, facts: Facts, turns: Sequence[Turn], said: Text) -> Problem:
        same = len({turn[0] for turn in turns}) == 1
        if facts.summoned is None and same and len(turns[0]) > 1:
            message = "Which follower do you summon, and from which region?"
            hint = f"Add, for instance, `; {self.game.words.write_move(turns[0][-1])}`."
            return Problem(Kind.SYNTAX, self.game.summons.due, message, col=said.end + 1, hint=hint)
        start = min(mention.start for mention in said.mentions)
        length = max(mention.end for mention in said.mentions) - start
        message = "Several legal turns fit this"
        return Problem(Kind.SYNTAX, "notation.free.several", message, col=start + 1, length=max(1, length))

    def _explain_mismatch(self, position: Position, facts: Facts, said: Text) -> Meant:
        """Return the problem with a turn that isn't legal as described, and the nearest legal turns."""
        named = self._find_named_cards(facts)
        held = self._list_possible_cards(position, facts)
        if named is not None and not named:
            cards = facts.cards
            message = "This names two cards, but a turn is one card"
            return Meant((), problems=(_make_problem_at(cards[1], "notation.turn", message),))
        problem = self._find_problem(position, (held or sorted(named or ()))[:1], facts)
        if position.decision != "play":
            return Meant((), problems=tuple(filter(None, (problem,))))
        nearest = tuple(islice(self._iter_nearest_turns(position, facts, problem), ENOUGH - 1))
        vague = problem is None and bool(facts.cards)
        if problem is None:
            start = min(mention.start for mention in said.mentions)
            length = max(mention.end for mention in said.mentions) - start
            kind, rule, message = (Kind.SYNTAX, "notation.free.several", "No legal turn fits all of this")
            if not facts.cards:
                kind, rule, message = (Kind.NAME, "notation.card", "This names no card")
            problem = Problem(kind, rule, message, col=start + 1, length=length)
        return Meant(nearest, problems=(problem,), vague=vague)

    def _find_problem(self, position: Position, cards: Sequence[str], facts: Facts) -> Problem | None:
        for card in cards:
            options = self.game.list_options(position, card)
            if card not in self._list_possible_cards(position, facts) and facts.cards:
                tried = Play(card, options[0] if options else NOTHING)
                return _report_violation(facts.cards[0], self.game.check(position, tried), self.names)
            plays = free_facts.find_fitting_plays(self.game, position, card, facts)
            if plays and facts.summoned is not None:
                return self._check_summons(position, plays[0], facts.summoned)
            text = write_literal_action(self.game, card, _complete_facts(facts, options))
            read = self.strict.turn(text) if text else None
            if read is not None and read.moves:
                move = self.game.canonical(position, read.moves[0])
                violations = self.game.check(position, move)
                if violations:
                    found = problems_of(self.game, read, 0, violations[:1], canonical=move, names=self.names)[0]
                    word = text[found.col - 1 : found.col - 1 + found.length]
                    return _move_problem(found, find_word_spans(self.game, card, facts, word), facts)
            if not options and facts.cards:
                return _report_violation(facts.cards[0], (self.game.explain_unplayable(position, card),), self.names)
        return None

    def _check_summons(self, position: Position, play: Play, summoned: Summoned) -> Problem | None:
        after, _ = self.game.apply(position, play)
        if summoned.faction is None or summoned.region is None or after.decision != "summon":
            return None
        violations = self.game.check(after, Summon(summoned.faction, summoned.region))
        return _report_violation(summoned.said[0], violations, self.names)

    def _iter_nearest_turns(self, position: Position, facts: Facts, problem: Problem | None) -> Iterator[Turn]:
        """Yield legal turns with all facts except the one at fault, or else except any other one. All named facts bound them."""
        if problem is None and not facts.cards:
            return
        seen: set[Turn] = set()
        start = problem.col - 1 if problem else -1
        relaxed = sorted(
            ((any(m.start <= start < m.end for m in left), less) for left, less in _iter_relaxed_facts(facts)),
            key=lambda each: not each[0],
        )
        at_fault = False
        for is_at_fault, less in relaxed:
            if at_fault and not is_at_fault:
                return
            turns, _ = self._find_turns(position, less)
            at_fault = at_fault or (is_at_fault and bool(turns))
            for turn in turns:
                if turn not in seen:
                    seen.add(turn)
                    yield turn


@cites("notation.region", "notation.faction")
def _add_doubts(meant: Meant, strangers: Sequence[Mention]) -> Meant:
    """Add a problem for each stranger, so that the turn is never taken without a question."""
    if not strangers:
        return meant
    problems = []
    for mention in strangers:
        rule, place = STRANGERS[mention.kind]
        problem = _make_problem_at(mention, rule, f"`{mention.typed}` is not a {place}")
        problems.append(evolve(problem, kind=Kind.NAME))
    return evolve(meant, fits=False, problems=(*problems, *meant.problems))


def _is_contradicted(said: Text, turn: Turn) -> bool:
    """Return True if a card only places followers although a text has a sign of a swap."""
    places = isinstance(turn[0], Play) and isinstance(turn[0].resolution, Place | Apart | Spread)
    return places and any(each.sign in BOTH_WAYS for each in said.mentions)


def _make_summoned(facts: Facts) -> Summoned | None:
    if len(facts.items) != 1 or facts.items[0].group is None or sum(facts.items[0].group) != 1:
        return None
    item = facts.items[0]
    return Summoned(facts.items[0].group.index(1), item.place, said=item.said)


def _iter_relaxed_facts(facts: Facts) -> Iterator[tuple[tuple[Mention, ...], Facts]]:
    """Yield the facts without one of them, each with the mentions left out."""
    for index, item in enumerate(facts.items):
        others = facts.items[:index], facts.items[index + 1 :]

        def with_item(less: Item, others: tuple[tuple[Item, ...], tuple[Item, ...]] = others) -> Facts:
            return evolve(facts, items=(*others[0], less, *others[1]))

        if item.place is not None and item.group is not None:
            places = tuple(mention for mention in item.said if mention.kind == "region")
            yield places, with_item(evolve(item, place=None, way="", said=()))
            groups = tuple(mention for mention in item.said if mention.kind == "followers")
            yield groups, with_item(evolve(item, group=None, open=frozenset(), said=()))
        else:
            yield item.said, evolve(facts, items=(*others[0], *others[1]))
    if facts.summoned is not None and facts.summoned.faction is not None and facts.summoned.region is not None:
        yield facts.summoned.said, evolve(facts, summoned=evolve(facts.summoned, faction=None))
        yield facts.summoned.said, evolve(facts, summoned=evolve(facts.summoned, region=None))
    elif facts.summoned is not None:
        yield facts.summoned.said, evolve(facts, summoned=None)
    if facts.disc is not None or facts.discless:
        yield (), evolve(facts, disc=None, discless=False)


def _complete_facts(facts: Facts, options: Sequence[object]) -> Facts:
    """Add the followers that a placing card always places, if none are named."""
    if len(facts.items) != 1 or facts.items[0].group is not None or not options or not isinstance(options[0], Place):
        return facts
    return evolve(facts, items=(evolve(facts.items[0], group=options[0].group),))


def _report_violation(mention: Mention, violations: Sequence[Violation], names: Sequence[str]) -> Problem | None:
    for violation in violations:
        sentence = fill_names(violation.sentence, names)
        return _make_problem_at(
            mention, violation.rule, sentence[:1].upper() + sentence[1:], fill_names(violation.hint, names)
        )
    return None


def _make_problem_at(mention: Mention, rule: str, message: str, hint: str = "") -> Problem:
    return Problem(Kind.ILLEGAL, rule, message, col=mention.start + 1, length=mention.end - mention.start, hint=hint)


def _move_problem(problem: Problem, places: Sequence[tuple[int, int]], facts: Facts) -> Problem:
    """Move a problem of the notation to its place in the text, or to the whole action."""
    if not places:
        said = [*facts.cards, *(mention for item in facts.items for mention in item.said)]
        places = [(min(mention.start for mention in said), max(mention.end for mention in said))] if said else [(0, 1)]
    start, end = places[-1]
    return evolve(problem, col=start + 1, length=max(1, end - start))
