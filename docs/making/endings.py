"""The ways to end a game as flow charts and tables, made of the chains of comparisons themselves."""

from __future__ import annotations

from collections.abc import Iterator

from docs.making.games import struggles
from docs.making.words import capital, link, prose, table
from tkid.games.struggle.rules.endings.ending import Ending
from tkid.games.struggle.rules.facts import Step, steps
from tkid.games.struggle.rules.game import Struggle
from tkid.rulebook import rule
from tkid.rulebook.rulesets import Ruleset


def chart(ending: Ending) -> str:
    """An ending as a flow chart in mermaid's language: a box for each step of the chain, `s1`, `s2` and so on."""
    chain = steps(ending)
    sides = "every player" if ending.seats else "every player, or every team"
    last = "shared" if ending.won else "lost"
    lines = [f'begin(["{capital(ending.name)}: compare {sides}"]) --> {_entry(1, chain, last)}']
    for number, step in enumerate(chain, 1):
        following = _entry(number + 1, chain, last)
        if step.when:
            lines.append(f'c{number}{{{{"{step.when}?"}}}} -->|yes| s{number}')
            lines.append(f"c{number} -->|no| {following}")
        lines.append(f's{number}["{number}. {step.label}"]')
        if step.compares:
            lines.append(f"s{number} -->|one left| won")
            lines.append(f"s{number} -->|still tied| {following}")
        else:
            lines.append(f"s{number} --> {following}")
    lines += ['won(["Winner found"])'] if any(step.compares for step in chain) else []
    lines += ['shared(["Those still tied win together"])' if ending.won else 'lost(["No player wins"])']
    return "```mermaid\nflowchart TD\n" + "\n".join(f"    {line}" for line in lines) + "\n```"


def _entry(number: int, chain: tuple[Step, ...], last: str) -> str:
    """Where the way leads that goes to a step; `last` is what stands behind them all."""
    if number > len(chain):
        return last
    return f"c{number}" if chain[number - 1].when else f"s{number}"


def steps_table(ending: Ending, here: str) -> str:
    """The same as a table with the rules."""
    rows = [
        [str(number), prose(step.label), prose(step.when) or "always", link(step.rule, here)]
        for number, step in enumerate(steps(ending), 1)
    ]
    return table(["Step", "What is asked of those still tied", "When", "Rule"], rows)


def _readings(ruleset: Ruleset, name: str, here: str) -> Iterator[str]:
    """How other readings change an ending, step by step."""
    usual = steps(_ending(ruleset, name))
    for switch in ruleset.switches:
        for option in rule(switch).options:
            changed = steps(_ending(ruleset, name, {switch: option}))
            if len(changed) != len(usual):
                asked = "; ".join(f"{number}. {prose(step.sentence)}" for number, step in enumerate(changed, 1))
                yield f"- Under `{switch} {option}` ({link(switch, here)}) the steps are: {asked}."
                continue
            for number, (step, other) in enumerate(zip(usual, changed, strict=True), 1):
                if step != other:
                    yield f"- Under `{switch} {option}` ({link(switch, here)}) step {number} is: {prose(other.sentence)}."


def _ending(ruleset: Ruleset, name: str, chosen: dict[str, str] | None = None) -> Ending:
    game: Struggle = ruleset.game(chosen)
    return next(ending for ending in game.endings if ending.name == name)


def endings(here: str) -> str:
    """Every ending of every ruleset, those that several rulesets share told once."""
    sharing_rulesets: dict[tuple[str, tuple[Step, ...]], list[Ruleset]] = {}
    games = {ruleset.code: ruleset.game() for ruleset in struggles()}
    for name in dict.fromkeys(["invasion", *(ending.name for game in games.values() for ending in game.endings)]):
        for ruleset in struggles():
            for ending in games[ruleset.code].endings:
                if ending.name == name:
                    sharing_rulesets.setdefault((name, steps(ending)), []).append(ruleset)
    blocks: list[str] = []
    for (name, _), sharing in sharing_rulesets.items():
        ending = _ending(sharing[0], name)
        alone = len(sharing) < len(struggles())
        titles = ", ".join(each.title.partition(", ")[2] for each in sharing)
        blocks.append(f"### {capital(ending.name)}{f' ({titles})' if alone else ''}")
        blocks += [
            f"{prose(rule(ending.rule).statement)} {link(ending.rule, here)}",
            chart(ending),
            steps_table(ending, here),
        ]
        changed = list(_readings(sharing[-1], name, here))
        blocks += ["Other readings change the chain:", "\n".join(changed)] if changed else []
    return "\n\n".join(blocks)
