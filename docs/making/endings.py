"""The ways to end a game as lists of steps, made of the chains of comparisons themselves."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from docs.making.games import struggles
from docs.making.html import html, slug
from docs.making.pocket import EDITIONS, OF_RULESET, Edition, relative
from docs.making.words import capital, link, prose
from tkid.games.struggle.rules.endings import Ending, Remark
from tkid.games.struggle.rules.game import Struggle
from tkid.rulebook import rule
from tkid.rulebook.rulesets import Ruleset


@frozen
class Step:
    """A link of a chain: its question, its rule, its condition ("" for none), and both as a sentence; a remark doesn't compare."""

    label: str
    rule: str
    when: str
    sentence: str
    compares: bool


def list_steps(ending: Ending) -> tuple[Step, ...]:
    """Return the links of a chain as steps."""
    return tuple(
        Step(each.label, each.rule, each.where.when if each.where else "", each.sentence, not isinstance(each, Remark))
        for each in ending.chain
    )


def chart(ending: Ending, here: str) -> str:
    """The chain of an ending as a list from top to bottom: what is compared, when, with the rule, and the result."""
    chain = list_steps(ending)
    sides = "every player" if ending.ranked else "every player, or every team"
    items = "\n".join(_item(step, here) for step in chain)
    last = "Those still tied win together." if ending.won else "No player wins."
    return f'<p class="chain-begins">Compare {sides}.</p>\n<ol class="chain">\n{items}\n</ol>\n<p class="chain-ends">{last}</p>'


def _item(step: Step, here: str) -> str:
    """A step of a chain as an item of a list."""
    when = f"<p>Only if {html(step.when[:1].lower() + step.when[1:])}. Otherwise go on.</p>" if step.when else ""
    then = "<p>One left: the winner. Still tied: go on.</p>" if step.compares else ""
    page = f"{here.removesuffix('.md')}/index.html"  # a link in HTML is one from the page, not from its file
    label = f'<a href="{relative(rule(step.rule).path, page)}">{html(step.label)}</a>'
    return f"<li><b>{label}</b>{when}{then}</li>"


def _readings(ruleset: Ruleset, name: str, here: str) -> Iterator[str]:
    """How other readings change an ending, step by step."""
    usual = list_steps(_ending(ruleset, name))
    for switch in ruleset.switches:
        for option in rule(switch).options:
            changed = list_steps(_ending(ruleset, name, {switch: option}))
            if len(changed) != len(usual):
                asked = "; ".join(f"{number}. {prose(step.sentence)}" for number, step in enumerate(changed, 1))
                yield f"- If you choose `{option}` ({link(switch, here)}), the steps are: {asked}."
                continue
            for number, (step, other) in enumerate(zip(usual, changed, strict=True), 1):
                if step != other:
                    yield f"- If you choose `{option}` ({link(switch, here)}), step {number} is: {prose(other.sentence)}."


def _ending(ruleset: Ruleset, name: str, chosen: dict[str, str] | None = None) -> Ending:
    game: Struggle = ruleset.game(chosen)
    return next(ending for ending in game.endings if ending.name == name)


def _names(sharing: list[Ruleset]) -> str:
    """The editions that share an ending; the game of an edition is named where only one of its games has it."""
    named: dict[str, list[Ruleset]] = {}
    for each in sharing:
        named.setdefault(OF_RULESET[each.code], []).append(each)
    return ", ".join(_name(edition, named[edition.key]) for edition in EDITIONS if edition.key in named)


def _name(edition: Edition, some: list[Ruleset]) -> str:
    """An edition, with its game in brackets if another of its games ends otherwise."""
    games = [each for each in struggles() if OF_RULESET[each.code] == edition.key]
    return edition.name if len(some) == len(games) else f"{edition.name} ({some[0].title.partition(': the ')[2]})"


def endings(here: str) -> str:
    """Every ending of every ruleset, those that several rulesets share told once."""
    sharing_rulesets: dict[tuple[str, tuple[Step, ...]], list[Ruleset]] = {}
    games = {ruleset.code: ruleset.game() for ruleset in struggles()}
    for name in dict.fromkeys(["invasion", *(ending.name for game in games.values() for ending in game.endings)]):
        for ruleset in struggles():
            for ending in games[ruleset.code].endings:
                if ending.name == name:
                    sharing_rulesets.setdefault((name, list_steps(ending)), []).append(ruleset)
    blocks: list[str] = []
    for (name, _), sharing in sharing_rulesets.items():
        ending = _ending(sharing[0], name)
        alone = len(sharing) < len(struggles())
        titles = ", ".join(each.title.partition(", ")[2] for each in sharing)
        old_place = slug(f"{name} {titles}" if alone else name)
        of = f": {_names(sharing)}" if alone else ""
        blocks += [
            f"### {capital(name)}{of} {{: #{old_place} }}",
            f"{prose(rule(ending.rule).statement)} {link(ending.rule, here, 'The rule')}",
            chart(ending, here),
        ]
        changed = list(_readings(sharing[-1], name, here))
        blocks += ["Other readings change the steps:", "\n".join(changed)] if changed else []
    return "\n\n".join(blocks)
