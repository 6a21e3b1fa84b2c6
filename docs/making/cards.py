"""The cards of all rulesets: the page of each, the rules and rulings about it, and an example of each step of it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from attrs import frozen

from docs.making.drawn import NAMES
from docs.making.examples import case_path, situation, suite
from docs.making.files import LINKED, published_at
from docs.making.games import Occurrence, plays, struggles
from tkid.games.struggle.rules.board import Position
from tkid.games.struggle.rules.card import Card
from tkid.games.struggle.rules.facts import identify_card as which
from tkid.games.struggle.rules.game import Struggle
from tkid.kernel.game import fill_names
from tkid.kernel.ladder import Ladder
from tkid.rulebook import Rule, all_rules, rule
from tkid.rulebook.rulesets import Ruleset

Identity = tuple[str, int]
"""A card's rule, and which of the cards it is that share the rule."""


@frozen
class Source:
    """Where an example is from: its place on the site, and the words of a link to it."""

    path: str
    words: str


@frozen
class Shown:
    """A card played on one step of its ladder: the game, the position before, the move in notation, where it is from."""

    game: Struggle
    position: Position
    move: str
    source: Source


def slug(name: str) -> str:
    """A card's name in addresses."""
    return name.lower().replace(" ", "-")


def path_of(title: str) -> str:
    """The path of a card's page on the site, by the title of the page."""
    return f"cards/{slug(title)}/"


def page_of(title: str) -> str:
    """A card's page as written pages link to it."""
    return f"cards/{slug(title)}.md"


def identity(game: Struggle, card: Card) -> Identity:
    """What makes a card the same in several rulesets, whatever it is called there, as long as one rule describes it."""
    return card.rule, which(game, card)[1]


def title(game: Struggle, card: Card) -> str:
    """The title of a card's page: its name in the first ruleset that has it."""
    its = identity(game, card)
    return next(name for name, having in cards().items() for ruleset, c in having if identity(ruleset.game(), c) == its)


@cache
def cards() -> Mapping[str, tuple[tuple[Ruleset, Card], ...]]:
    """Every card with the rulesets that have it, by the title of its page; one of the same name may share that."""
    by_title: dict[str, list[tuple[Ruleset, Card]]] = {}
    titles: dict[Identity, str] = {}
    for ruleset in struggles():
        game = ruleset.game()
        for name, card in game.cards.items():
            by_title.setdefault(titles.setdefault(identity(game, card), name), []).append((ruleset, card))
    return {name: tuple(having) for name, having in by_title.items()}


def of_card(card: Card) -> list[Rule]:
    """The rules that say more of a card than its own one."""
    return [entry for entry in all_rules() if entry.id.startswith(f"{card.rule}.") and not entry.moved]


def questions(card: Card) -> list[Rule]:
    """The rulings that touch a card: they name it, come from its heading, or are related to one of its rules."""
    own = [rule(card.rule), *of_card(card)]
    related = {other for entry in own for other in entry.related} | {entry.id for entry in own}

    def touches(ruling: Rule) -> bool:
        text = f"{ruling.statement} {ruling.question} {ruling.source}"
        return ruling.id in related or bool(related & set(ruling.related)) or card.name in text

    prefix = own[0].prefix
    return [e for e in all_rules() if e.kind == "ruling" and e.prefix == prefix and not e.moved and touches(e)]


# -- examples of each step --------------------------------------------------------------------------------


@cache
def _by_step() -> dict[tuple[Identity, int], list[tuple[tuple[int, ...], str, str]]]:
    """Cases that ask what a card may do, by card and step: how much they show, number, and the first possibility."""
    cases: dict[tuple[Identity, int], list[tuple[tuple[int, ...], str, str]]] = {}
    for case in suite().cases:
        setting = situation(case.number)
        if setting is None or case.question["ask"] != "resolutions" or setting.game.readings != _usual(setting.game):
            continue
        card = setting.game.cards[case.question["card"]]
        ways = setting.game.list_options(setting.position, card.name)
        if not isinstance(card.ladder, Ladder) or not ways:
            continue
        step, _ = card.ladder.find_tier(setting.position)
        way = card.canonical(setting.position, ways[0])
        weight = (len(case.question.get("moves", [])), sum(map(sum, setting.position.regions)))
        cases.setdefault((identity(setting.game, card), step), []).append(
            (weight, case.number, _written(setting.game, card, way))
        )
    return {key: sorted(several) for key, several in cases.items()}


def _usual(game: Struggle) -> Mapping[str, str]:
    return next(ruleset for ruleset in struggles() if ruleset.code == game.code).list_defaults()


def _written(game: Struggle, card: Card, way: object) -> str:
    return fill_names(f"{card.name} {game.words.resolution(way)}", NAMES)


@cache
def _recorded() -> dict[tuple[Identity, int], tuple[Struggle, Position, str, Occurrence]]:
    """The first turn of the recorded games in which a card was played on a step, by card and step.

    A game in which the card has the name of its page comes before others.
    """
    turns: dict[tuple[Identity, int], tuple[Struggle, Position, str, Occurrence]] = {}
    for played, moment, game, before, move in sorted(plays(), key=lambda play: play[4].card not in cards()):
        ladder = game.cards[move.card].ladder
        if isinstance(ladder, Ladder) and moment.turn is not None:
            step, _ = ladder.find_tier(before)
            where = Occurrence(played.path, moment.turn.number, moment.turn.line)
            turns.setdefault(
                (identity(game, game.cards[move.card]), step),
                (game, before, fill_names(game.words.write_move(move), NAMES), where),
            )
    return turns


def shown_on(its_identity: Identity, step: int) -> Shown | None:
    """A card played on a step of its ladder: from a case of the suite, or else from a recorded game."""
    cases = _by_step().get((its_identity, step))
    if cases:
        _, number, move = cases[0]
        setting = situation(number)
        assert setting
        return Shown(setting.game, setting.position, move, Source(case_path(number), f"Case {number}"))
    game_turn = _recorded().get((its_identity, step))
    if game_turn is None:
        return None
    game, before, move, where = game_turn
    LINKED.add(where.path)
    place = f"{published_at(where.path)}#L{where.line}"
    return Shown(game, before, move, Source(place, f"A recorded game, turn {where.turn}"))
