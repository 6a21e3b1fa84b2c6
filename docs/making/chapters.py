"""What is put into written pages: sections of rules, endings, tables, and positions."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

from docs.making import editions
from docs.making.drawn import NAMES, drawn
from docs.making.endings import endings
from docs.making.puzzles import puzzle_list
from docs.making.rule_pages import title_of
from docs.making.words import capital, link, prose, section, table, to_rules
from tkid.games.struggle.notation.turn_reader import TurnReader
from tkid.games.struggle.rules.board import Position
from tkid.games.struggle.rules.game import Struggle
from tkid.kernel.game import Event
from tkid.notation.positions import read_position

ASKED = re.compile(r"<!-- (?P<what>[a-z ]+?)(?:: (?P<which>[^>]+?))? -->")
"""A comment in place of which something stands: `<!-- rules: second / set-up -->`."""

POSITIONS = Path(__file__).parent / "positions.toml"
"""Positions that pages show."""


def rules_of(which: str, here: str) -> str:
    """What the rules of a section of the register say (`second / set-up`), each under its title; rulings as answers."""
    prefix, _, title = which.partition(" / ")
    lines = []
    for entry in section(prefix, title):
        if entry.moved:
            continue
        question = f"*{prose(entry.question)}* " if entry.kind == "ruling" else ""
        sure = f" *{prose(capital(entry.confidence))}.*" if entry.confidence else ""
        lines.append(f"- **{link(entry.id, here, prose(title_of(entry)))}**: {question}{prose(entry.statement)}{sure}")
    return "\n".join(lines)


@cache
def position(name: str) -> tuple[Struggle, Position]:
    """A position that is kept for pages. Raises KeyError where there is none of this name."""
    game, position = read_position(tomllib.loads(POSITIONS.read_text("utf-8"))[name])
    assert isinstance(game, Struggle)
    assert isinstance(position, Position)
    return game, position


def turns(which: str, here: str) -> str:
    """Turns played one after the other from a position that is kept (`ten-minutes / Pass / Pass`), and what follows.

    Raises ValueError where a turn is not legal, or not written as it should be.
    """
    name, *typed = which.split(" / ")
    game, now = position(name)
    rows = []
    for turn in typed:
        assert now.to_act is not None
        who, followed = NAMES[now.to_act], list[Event]()
        moves = [game.canonical(now, move) for move in TurnReader(game).read_turn(turn).moves]
        if game.words.write_turn(tuple(moves)) != turn:
            raise ValueError(f"{here}: {turn!r} is to be written {game.words.write_turn(tuple(moves))!r}")
        for move in moves:
            now, events = game.play(now, move)
            followed += events
        what_follows = "<br>".join(f"{prose(event.read(NAMES))} ({link(event.rule, here)})" for event in followed)
        rows.append([f"{who}: `{turn}`", what_follows])
    return table(["Turn", "What follows"], rows)


MADE: Mapping[str, Callable[[str, str], str]] = {
    "rules": rules_of,
    "endings": lambda _, here: endings(here),
    "rulesets": editions.every,
    "ruleset": editions.about,
    "dealers": editions.dealers,
    "differs": editions.differs,
    "changes": editions.changes,
    "unsure": editions.unsure,
    "contradictions": editions.contradictions,
    "printed": editions.printed,
    "card names": editions.names,
    "cards of": editions.cards_of,
    "pack": editions.pack,
    "position": lambda which, here: drawn(*position(which), here),
    "turns": turns,
    "puzzles": lambda _, __: puzzle_list(),
}
"""What may be asked for, by name: made of what is asked for more exactly and the page that asks."""


def filled(markdown: str, here: str) -> str:
    """A written page with what it asks for."""

    def made(asked: re.Match[str]) -> str:
        make = MADE.get(asked["what"])
        return make(asked["which"] or "", here) if make else asked[0]

    return to_rules(ASKED.sub(made, markdown))
