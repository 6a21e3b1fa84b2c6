"""The free reader of Claim: the card that somebody means who does not write the notation."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from importlib.resources import files
from itertools import pairwise, takewhile, zip_longest

from attrs import evolve, frozen

from tkid.games.claim.notation.turns import CARD_NAMES, LETTERS
from tkid.games.claim.rules import COPIES, FACTIONS, PLAYS, Card, Claim, Play, Position
from tkid.kernel.problems import Kind, Place, Problem
from tkid.notation import plugin
from tkid.notation.free_text import FILLERS, Sentence, Token, find_like, is_doubtful, is_out_of_place, split_sentences
from tkid.notation.plugin import Meant
from tkid.notation.text import capitalize_text

_TABLE = tomllib.loads(files(__package__).joinpath("free_text.toml").read_text("utf-8"))
VALUES: Mapping[str, int] = {word: int(value) for value, words in _TABLE["values"].items() for word in words.split()}
KINDS: Mapping[str, str] = {word: kind for kind, words in _TABLE["factions"].items() for word in words.split()}
"""Factions by other words than their names."""
AROUND, RIVAL, HIGHEST, LOWEST, MIDDLE, UNDER, OVER, THAN, LAST, GRATEFUL, OWED = (
    frozenset(_TABLE[name].split())
    for name in "around rival highest lowest middle under over than last grateful owed".split()  # noqa: SIM905 - words read better so
)
RANKS: Mapping[str, int] = {word: int(rank) for rank, words in _TABLE["ranks"].items() for word in words.split()}
"""Ordinals before `highest` and `lowest`, and their endings behind a figure."""
CARDS = frozenset(_TABLE["cards"].split())
HARMLESS = frozenset("last leads your guess have".split())  # noqa: SIM905 - words read better so
"""Words that mark a doubt elsewhere, but not beside a card."""
RANKING = HIGHEST | LOWEST | MIDDLE
CHOOSING = AROUND | RANKING | UNDER | OVER | LAST | RANKS.keys() | VALUES.keys()
NUMBER_WORD = re.compile(r"\b(?:no|nr)\.?(?=\s*\d)", re.IGNORECASE)
COMPARED = re.compile(
    rf"(?<!\d )\bover(?= (?:\d|{'|'.join(VALUES)})\b)|\b(?:{'|'.join(HIGHEST)}|more|(?P<under>{'|'.join(LOWEST)}|less))"
    rf" (?:{'|'.join(THAN)})\b",
    re.IGNORECASE,
)
"""A limit: `over 4`, `higher than 4`."""
THANKS = re.compile(
    rf"\b(?:{'|'.join(GRATEFUL)})\b(?: +[^\W\d_]+)?? +(?:{'|'.join(OWED)})\b[^,;:.!?()\n]*", re.IGNORECASE
)
"""Words about a card that somebody played before."""
LIKE_FACTION, LIKE_VALUE, SHORTEST, SHORTEST_NAME = 0.74, 0.85, 4, 5
MOST_STRANGE = 1


@frozen
class Found:
    """The factions and values that a text names, with tokens, and the number of `strangers` where a faction belongs.

    `names_card` is True if they name a card, or say which; `chosen` are the words that choose a card by its value, such as `highest` and `last`, and `limits` those before a limit.
    """

    factions: tuple[tuple[str, Token], ...]
    values: tuple[tuple[int, Token], ...]
    strange: int
    strangers: tuple[Token, ...] = ()
    names_card: bool = False
    chosen: frozenset[str] = frozenset()
    limits: frozenset[str] = frozenset()
    rank: int = 1
    """Which card it is, counted from the highest or the lowest one."""
    rivals: frozenset[str] = frozenset()
    """Factions that are beaten."""


@frozen(eq=False)
class FreeReader(plugin.FreeReader):
    """Reads what people write who do not know the notation."""

    game: Claim
    names: Sequence[str]

    def find_meant(self, position: Position, text: str) -> Meant:
        people = frozenset(word.casefold() for name in self.names for word in re.findall(r"[^\W\d_]+", name))
        plain = THANKS.sub(lambda words: " " * len(words[0]), text)  # every column is kept
        plain = NUMBER_WORD.sub(lambda word: " " * len(word[0]), plain)
        plain = COMPARED.sub(lambda words: ("under" if words["under"] else "above").ljust(len(words[0])), plain)
        others = people - {name.casefold() for name in LETTERS}
        found = [_find_names(said) for said in split_sentences(plain) if not _is_doubtful(said, others)]
        orders = [each for each in found if each.strange <= (MOST_STRANGE if each.factions else 0) and each.names_card]
        if len(orders) != 1:
            return Meant() if orders else _refuse_text(text)
        (order,) = orders
        kinds = {kind for kind, _ in order.factions}
        values = {value for value, _ in order.values}
        table = {card[0] for card in (position.led, position.prize) if card}
        if len(kinds) > 1 or not order.rivals <= table:
            return Meant()
        if not kinds or order.chosen or order.limits:
            return _add_doubts(self._choose_card(position, order), order)
        if len(values) > 1 or (not values and order.strange):
            return Meant()
        (kind,) = kinds
        if not values:
            cards = tuple((play,) for play in self.game.legal(position) if play.card[0] == kind)
            token = order.factions[0][1]
            problem = Problem(
                Kind.SYNTAX, "notation.form", f"Which {FACTIONS[kind].name}? The value is missing",
                col=token.start + 1, length=token.end - token.start,
            )  # fmt: skip
            fits = len(cards) == 1
            return _add_doubts(Meant(cards, fits=fits, problems=() if fits else (problem,)), order)
        (value,) = values
        return _add_doubts(self._find_card(position, kind, value, order), order)

    def _choose_card(self, position: Position, order: Found) -> Meant:
        """Return the legal card that words choose by its value, or by what else is in the hand; none if nothing is left to choose from."""
        kinds = {kind for kind, _ in order.factions}
        held, is_falling = Counter(position.hands[position.to_act or 0]), bool(order.chosen & HIGHEST)
        legal = [play for play in self.game.legal(position) if not kinds or play.card[0] in kinds]
        figures = [value for value, _ in order.values if not order.limits]
        if order.limits and len(order.values) != 1:
            return Meant()
        if order.limits:
            ((limit, _),) = order.values
            is_under = order.limits <= UNDER
            legal = [play for play in legal if (int(play.card[1:]) < limit) is is_under and int(play.card[1:]) != limit]
        elif not order.chosen:
            legal = [play for play in legal if int(play.card[1:]) in {value for value, _ in order.values}]
        values = sorted((int(play.card[1:]) for play in legal for _ in range(held[play.card])), reverse=is_falling)
        ranks = [*dict.fromkeys(values)]
        if order.chosen & RANKING:
            wanted = {*_choose_value(ranks, order), *_choose_value(values, order), *figures}
            legal = [play for play in legal if int(play.card[1:]) in wanted]
        cards = tuple((play,) for play in dict.fromkeys(legal))
        is_clear = not (order.chosen & HIGHEST and order.chosen & LOWEST)
        if len(cards) == 1 and is_clear and {*figures} <= {*ranks}:
            return Meant(cards, fits=True)
        token = min((token for _, token in (*order.factions, *order.values)), key=lambda each: each.start, default=None)
        if not cards or token is None:
            return Meant()
        place = Place(col=token.start + 1, length=token.end - token.start)
        return Meant(
            cards, problems=(Problem(Kind.SYNTAX, "notation.form", "Several of your cards fit this", **place),)
        )

    def list_names(self, text: str, *, spelled: bool = False) -> list[tuple[str, int, int]]:
        found = [_find_names(said) for said in split_sentences(text)]
        factions = [token for each in found for _, token in each.factions]
        if spelled:
            factions = [each for each in factions if each.word in KINDS or _find_faction_by_beginning(each.word)]
        kinds = [("faction", token) for token in factions]
        kinds += [("value", token) for each in found for _, token in each.values]
        return [(kind, token.start, token.end) for kind, token in kinds]

    def has_named(self, turn: tuple[Play, ...], text: str) -> bool:
        found = [_find_names(said) for said in split_sentences(text)]
        kinds = {kind for each in found for kind, _ in each.factions}
        values = {n for each in found for n, _ in each.values}
        kind, value = turn[0].card[0], int(turn[0].card[1:])
        return kinds <= {kind} and values <= {value}

    def _find_card(self, position: Position, kind: str, value: int, order: Found) -> Meant:
        """Return the card of a faction and a value; if it is wrong, the problem and the nearest legal cards."""
        card = f"{kind}{value}"
        first, last = order.factions[0][1], order.values[0][1]
        start, end = min(first.start, last.start), max(first.end, last.end)
        place = Place(col=start + 1, length=end - start)
        legal = tuple(self.game.legal(position))
        if card not in COPIES:
            faction = FACTIONS[kind]
            message = f"There is no {faction.name} {value}"
            hint = f"{faction.plural} have the values {min(faction.values)} to {max(faction.values)}."
            problem = Problem(Kind.NAME, "notation.card", message, hint=hint, **place)
            return Meant(_order_by_nearness(legal, card), problems=(problem,))
        play = PLAYS[card]
        violations = self.game.check(position, play)
        if not violations:
            return Meant(((play,),), fits=True)
        sentence = violations[0].sentence
        message = capitalize_text(sentence)
        problem = Problem(Kind.ILLEGAL, violations[0].rule, message, **place)
        return Meant(_order_by_nearness(legal, card), problems=(problem,))


def _choose_value(values: Sequence[int], order: Found) -> Sequence[int]:
    """Return the value that words choose from sorted ones; none if there is no such value."""
    middle, is_odd = divmod(len(values), 2)
    at = (middle if is_odd else len(values)) if order.chosen & MIDDLE else order.rank - 1
    return values[at : at + 1]


def _add_doubts(meant: Meant, order: Found) -> Meant:
    """Add a problem for each strange word where a faction belongs, so that the player is asked."""
    if not order.strangers:
        return meant
    problems = list[Problem]()
    for token in order.strangers:
        place, message = Place(col=token.start + 1, length=len(token.typed)), f"`{token.typed}` is not a faction"
        problems.append(Problem(Kind.NAME, "notation.card", message, **place))
    return evolve(meant, fits=False, problems=(*problems, *meant.problems))


def _order_by_nearness(legal: Sequence[Play], card: Card) -> tuple[tuple[Play], ...]:
    value = int(card[1:])
    nearest = sorted(legal, key=lambda play: (play.card[0] != card[0], abs(int(play.card[1]) - value)))
    return tuple((play,) for play in nearest)


def _refuse_text(text: str) -> Meant:
    """Return a result without turns; the problem is not that the first word of a text without a card is no faction."""
    words = re.findall(r"[^\W\d_]+", text.strip().partition("\n")[0])
    if len(words) < 2 or find_like(words[0].casefold(), [name.casefold() for name in LETTERS], LIKE_FACTION):
        return Meant()
    line = text.strip().partition("\n")[0]
    place = Place(col=text.index(line) + 1, length=len(line))
    return Meant(problems=(Problem(Kind.NAME, "notation.card", "This names none of your cards", **place),))


def _find_names(said: Sentence) -> Found:
    factions: list[tuple[str, Token]] = []
    values: list[tuple[int, Token]] = []
    strange = 0
    strangers: list[Token] = []
    every = tuple(token for token in said if token.word != "-")
    bare = tuple(takewhile(lambda token: token.word not in RIVAL or token is every[0], every))
    beaten, words = every[len(bare) :], {token.word for token in bare}
    ranked = words & RANKING
    rank, bare = _take_rank(bare) if ranked else (1, bare)
    for at, (token, behind) in enumerate(zip_longest(bare, bare[1:])):
        if token.word.isdecimal():
            values.append((int(token.word) if len(token.word) < 3 else 99, token))
        elif token.is_word:
            word = token.word.removesuffix("'s")
            valued = behind is not None and behind.start - token.end <= 1 and behind.word.isdecimal()
            valued = valued and (len(word) == 1 or (behind is not None and behind.start == token.end))
            kind = _find_faction_by_beginning(word) if valued else _find_faction(word)
            if kind:
                factions.append((kind, token))
            elif behind is not None and ranked and word in VALUES and _find_faction(behind.word):
                continue  # `the higher of my two Doppelgangers`
            elif _find_value(word) >= 0 and (word != "one" or not values):
                values.append((_find_value(word), token))
            elif word not in FILLERS and word not in CHOOSING:
                strange += 1
                if (behind is not None and behind.word.isdecimal()) or is_out_of_place(bare, at):
                    strangers.append(token)
    if len(values) > 1:  # `the one with 7`: a number in figures goes before one in words
        figures = [each for each in values if each[1].word.isdecimal()]
        values = figures or [each for each in values if each[1].word not in {"one", "un"}] or values
    chosen = ranked or (words & LAST if not values else set())
    return Found(
        tuple(factions),
        tuple(values),
        strange,
        tuple(strangers),
        names_card=bool(factions or (values and not ranked) or (chosen and words & CARDS)),
        chosen=frozenset(chosen),
        limits=frozenset(words & (UNDER | OVER)),
        rank=rank,
        rivals=frozenset(_find_faction(token.word) for token in beaten) - {""},
    )


def _take_rank(said: Sentence) -> tuple[int, Sentence]:
    """Return the ordinal in a sentence as a number, 1 if there is none, and the other words."""
    counted = [one for one, two in pairwise(said) if one.word.isdecimal() and two.word in RANKS]
    ordinals = [token for token in said if token.word in RANKS]
    ranks = [*(int(token.word[:2]) for token in counted), *(RANKS[token.word] for token in ordinals)]
    return next(filter(None, ranks), 1), tuple(token for token in said if token not in (*counted, *ordinals))


def _is_doubtful(said: Sentence, names: frozenset[str]) -> bool:
    """Return True if a sentence orders nothing, whatever words choose its card."""
    return is_doubtful(tuple(token for token in said if token.word not in HARMLESS), names)


def _find_value(word: str) -> int:
    return VALUES.get(word, VALUES.get(find_like(word, list(VALUES), LIKE_VALUE), -1))


def _find_faction_by_beginning(word: str) -> str:
    """Return the letter of the only faction whose name begins with a word, or ""."""
    fits = CARD_NAMES.find_fits(word)
    return LETTERS[fits[0]] if len(fits) == 1 else ""


def _find_faction(word: str) -> str:
    if word in KINDS:
        return KINDS[word]
    if word in FILLERS or word in CHOOSING:
        return ""
    begun = _find_faction_by_beginning(word)
    if begun and (len(word) > 2 or word.upper() in LETTERS.values()):
        return begun
    names = {name.casefold(): letter for name, letter in LETTERS.items()} | {each: KINDS[each] for each in KINDS}
    long = [name for name in names if len(name) >= SHORTEST_NAME]
    near = find_like(word, long, LIKE_FACTION) if len(word) >= SHORTEST else ""
    return names.get(near, "")
