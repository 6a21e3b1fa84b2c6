"""A page for each card: what it does, its ladder with an example of each step, and the questions about it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from attrs import frozen

from docs.making.comparison import short
from docs.making.drawn import NAMES, drawn
from docs.making.examples import MOST, citing, example, refused, situation, suite
from docs.making.games import Occurrence, game_link, plays, struggles
from docs.making.words import capital, folded, link, path_to, prose, table
from tkid.games.struggle.rules.cards.card import Card
from tkid.games.struggle.rules.facts import identity as which
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.position import Position
from tkid.kernel.game import with_names
from tkid.kernel.ladder import Ladder
from tkid.rulebook import Rule, all_rules, rule
from tkid.rulebook.rulesets import Ruleset

NOTHING = "nothing"
Identity = tuple[str, int]
"""A card's rule, and which of the cards it is that share the rule."""


@frozen
class Shown:
    """A card played on one step of its ladder: the game, the position before, the move in notation, where it is from."""

    game: Struggle
    position: Position
    move: str
    source: str


def slug(name: str) -> str:
    """A card's name in addresses."""
    return name.lower().replace(" ", "-")


def page_of(title: str) -> str:
    """The page of a card by the title of the page."""
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
        ways = setting.game.options(setting.position, card.name)
        if not isinstance(card.ladder, Ladder) or not ways:
            continue
        step, _ = card.ladder.tier(setting.position)
        way = card.canonical(setting.position, ways[0])
        weight = (len(case.question.get("moves", [])), sum(map(sum, setting.position.regions)))
        cases.setdefault((identity(setting.game, card), step), []).append(
            (weight, case.number, _written(setting.game, card, way))
        )
    return {key: sorted(several) for key, several in cases.items()}


def _usual(game: Struggle) -> Mapping[str, str]:
    return next(ruleset for ruleset in struggles() if ruleset.code == game.code).defaults()


def _written(game: Struggle, card: Card, way: object) -> str:
    return with_names(f"{card.name} {game.words.resolution(way)}", NAMES)


@cache
def _recorded() -> dict[tuple[Identity, int], tuple[Struggle, Position, str, Occurrence]]:
    """The first turn of the recorded games in which a card was played on a step, by card and step.

    A game in which the card has the name of its page comes before others.
    """
    turns: dict[tuple[Identity, int], tuple[Struggle, Position, str, Occurrence]] = {}
    for played, moment, game, before, move in sorted(plays(), key=lambda play: play[4].card not in cards()):
        ladder = game.cards[move.card].ladder
        if isinstance(ladder, Ladder) and moment.turn is not None:
            step, _ = ladder.tier(before)
            where = Occurrence(played.path, moment.turn.number, moment.turn.line)
            turns.setdefault(
                (identity(game, game.cards[move.card]), step),
                (game, before, with_names(game.words.move(move), NAMES), where),
            )
    return turns


def shown_on(its_identity: Identity, step: int, here: str) -> Shown | None:
    """A card played on a step of its ladder: from a case of the suite, or else from a recorded game."""
    cases = _by_step().get((its_identity, step))
    if cases:
        _, number, move = cases[0]
        setting = situation(number)
        assert setting
        return Shown(setting.game, setting.position, move, f"[{number}]({path_to('conformance.md', here)}#{number})")
    game_turn = _recorded().get((its_identity, step))
    if game_turn is None:
        return None
    game, before, move, where = game_turn
    return Shown(game, before, move, game_link(where, here))


# -- the page ---------------------------------------------------------------------------------------------


def card_page(name: str) -> str:
    """The page of a card."""
    here = page_of(name)
    blocks = [f"# {name}"]
    described: set[str] = set()
    for ruleset, card in cards()[name]:
        if card.rule in described:
            continue
        having = [(each, its) for each, its in cards()[name] if its.rule == card.rule]
        paragraphs = [
            *_statement(card, having, here),
            *_ladder(ruleset.game(), card, here),
            *_rules(card, here),
            *_more(ruleset, card, here),
            *_questions(card, here),
        ]
        blocks += [f"## {short(ruleset)}", *map(_deeper, paragraphs)] if described else paragraphs
        described.add(card.rule)
    return "\n\n".join(blocks) + "\n"


def _deeper(block: str) -> str:
    """A block whose heading, if it is one, is a step lower, below that of a ruleset."""
    return f"#{block}" if block.startswith("##") else block


def _statement(card: Card, having: Sequence[tuple[Ruleset, Card]], here: str) -> Iterator[str]:
    yield prose(rule(card.rule).statement)
    if rule(card.rule).confidence:
        yield f"**How sure we are:** {prose(rule(card.rule).confidence)}."
    yield (
        " · ".join([link(card.rule, here), *(_copies(each, its.name, card.name) for each, its in having)])
        + "\n{: .facts }"
    )


def _copies(ruleset: Ruleset, name: str, usual: str) -> str:
    """How a ruleset has a card, and under which name if not the usual one."""
    hands = ruleset.game().hands
    held = hands.same.count(name)
    count = {1: "once", 2: "twice"}.get(held, f"{held} times")
    how = f"{count} in every hand" if held else f"one of the {len(hands.deck)} cards that are drawn from"
    return f"{short(ruleset)}: {how if name == usual else f'as {name}, {how}'}"


def _ladder(game: Struggle, card: Card, here: str) -> Iterator[str]:
    """The steps of the card's ladder as a table, and an example of each, drawn."""
    if not isinstance(card.ladder, Ladder):
        return
    yield "## What it does, step by step"
    yield f"{prose(rule(card.ladder.in_full).statement)} {link(card.ladder.in_full, here)}"
    steps = [
        (", or ".join(capital(shape.label) for shape in shapes), [shape.rule for shape in shapes])
        for shapes in card.ladder.tiers
    ]
    nothing = card.ladder.in_full.rpartition(".")[0] + ".nothing"
    steps.append((capital(NOTHING), [nothing]))
    examples = [shown_on(identity(game, card), number, here) for number in range(len(steps))]
    rows = [
        [
            str(number),
            prose(label),
            f"`{its.move}`" if its else "",
            ", ".join(link(r, here) for r in dict.fromkeys(rules)),
        ]
        for number, ((label, rules), its) in enumerate(zip(steps, examples, strict=True), 1)
    ]
    yield table(["Step", "What is done", "For example", "Rule"], rows)
    for number, ((label, _), its) in enumerate(zip(steps, examples, strict=True), 1):
        if its:
            yield f"### Step {number}: {label[:1].lower()}{label[1:]}"
            yield f"`{its.move}` is possible here ({its.source})."
            yield drawn(its.game, its.position, here)


def _rules(card: Card, here: str) -> Iterator[str]:
    entries = of_card(card)
    if entries:
        yield "## Its rules"
        yield "\n".join(f"- {prose(entry.statement)} {link(entry.id, here)}" for entry in entries)
        wrong = [block for entry in entries for block in _wrong(entry, here)]
        if wrong:
            yield folded("examples", "What is said when they are broken", wrong)


def _wrong(entry: Rule, here: str) -> Iterator[str]:
    blocks = refused(entry.id, here)
    if blocks:
        yield f"**{prose(entry.statement)}**"
        yield from blocks


def _more(ruleset: Ruleset, card: Card, here: str) -> Iterator[str]:
    """Cases about a card without a ladder."""
    if isinstance(card.ladder, Ladder):
        return
    game = ruleset.game()
    cases = [case for case in citing(card.rule) if _shows(case.number, game)][:MOST]
    if cases:
        yield "## Examples"
        for case in cases:
            yield from example(case, here)


def _shows(number: str, game: Struggle) -> bool:
    setting = situation(number)
    return setting is not None and setting.game.code == game.code


def _questions(card: Card, here: str) -> Iterator[str]:
    asked = questions(card)
    if asked:
        yield "## Questions"
        for entry in asked:
            yield f"**{prose(entry.question)}** {prose(entry.statement)} {link(entry.id, here)}"


@cache
def card_pages() -> dict[str, str]:
    """The pages of the cards by path under docs/, in the order of the rulesets."""
    return {page_of(name): card_page(name) for name in cards()}


def card_list(here: str) -> str:
    """All cards, for each ruleset as a table."""
    blocks = []
    for ruleset in struggles():
        game = ruleset.game()
        rows = [
            [
                f"[{name}]({path_to(page_of(title(game, card)), here)})",
                prose(rule(card.rule).statement),
                _held(ruleset, name),
            ]
            for name, card in game.cards.items()
        ]
        blocks += [f"## {short(ruleset)}", table(["Card", "What it does", "Where"], rows)]
    return "\n\n".join(blocks)


def _held(ruleset: Ruleset, name: str) -> str:
    held = ruleset.game().hands.same.count(name)
    return f"{held} in every hand" if held else "drawn"
