"""What an edition consists of, fact by fact, each with the rules that say so: for tables, charts and comparisons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from attrs import evolve, frozen

from tkid.games.struggle.rules.board import NOWHERE
from tkid.games.struggle.rules.cards.card import Card
from tkid.games.struggle.rules.endings.comparisons import If, Remark
from tkid.games.struggle.rules.endings.ending import Ending
from tkid.games.struggle.rules.game import Struggle
from tkid.kernel.ladder import Ladder, Shape
from tkid.rulebook.comparison import NONE, Fact

TOPICS = ("the board", "set-up", "turns", "cards", "endings")
"""What facts are about, in reading order."""
CARD, ENDING = "Card: ", "Ending: "
"""How the titles of facts about cards and endings begin."""


@frozen
class Step:
    """A link of a chain: what is asked, by which rule, and when ("" for always); `compares` is false for a remark."""

    label: str
    rule: str
    when: str = ""
    compares: bool = True

    @property
    def sentence(self) -> str:
        """What is asked and when, as one text."""
        return f"If {self.when[:1].lower()}{self.when[1:]}: {self.label}" if self.when else self.label


def steps(ending: Ending) -> tuple[Step, ...]:
    """The links of an ending's chain in order."""
    asked = ((link.then, link.when) if isinstance(link, If) else (link, "") for link in ending.chain)
    return tuple(Step(each.label, each.rule, when, not isinstance(each, Remark)) for each, when in asked)


def facts(game: Struggle) -> Iterator[Fact]:
    """Everything that an edition says of itself, in reading order."""
    for topic, stated in zip(TOPICS, (_board, _start, _turns, _cards, _endings), strict=True):
        yield from (evolve(fact, topic=topic) for fact in stated(game))


def _endings(game: Struggle) -> Iterator[Fact]:
    """What ends a game, and what is asked then."""
    yield _fact("Regions without a winner that start an invasion", str(game.invaders), game.invasion.rule)
    for ending in game.endings:
        asked = "\n".join(f"{number}. {step.sentence}" for number, step in enumerate(steps(ending), 1))
        rules = dict.fromkeys((ending.rule, *(step.rule for step in steps(ending))))
        yield _fact(f"{ENDING}{ending.name.capitalize()}, step by step", asked, *rules)


def _fact(title: str, text: str, *rules: str) -> Fact:
    return Fact(title, title, text, rules)


def _board(game: Struggle) -> Iterator[Fact]:
    """The board of a game."""
    board, ids = game.board, game.ids
    names = [region.name for region in board.regions]
    yield _fact("Factions", ", ".join(faction.name for faction in board.factions), ids("board.factions"))
    yield _fact("Regions", f"{len(names)}: {', '.join(names)}", ids("board.regions"))
    borders = ", ".join(f"{names[a]}-{names[b]}" for a, b in sorted(board.borders))
    yield _fact("Borders", f"{len(board.borders)}: {borders}", ids("ruling.borders"))
    at_home = [(f.name, home) for f, home in zip(board.factions, board.homes, strict=True) if home != NOWHERE]
    homes = ", ".join(f"{name} {names[home]}" for name, home in at_home)
    yield _fact("Homes", homes, ids("board.homes"))


def _start(game: Struggle) -> Iterator[Fact]:
    """Who plays, and what they start with."""
    ids, setup, hands = game.ids, game.setup, game.hands
    yield _fact("Players", ", ".join(map(str, game.parties)), ids("board.players"))
    for players, each in setup.followers.items():
        yield _fact(f"Followers of each faction, {players} players", str(each), ids("setup.supply"))
    teams = [players for players, parties in game.parties.items() if len(parties) < players]
    yield _fact("Teams", ", ".join(f"with {n} players" for n in teams) or NONE, ids("ruling.team-order"))
    yield _fact("Followers placed at home first", str(setup.home), ids("setup.homes"))
    yield _fact("Followers in a region at the start", str(setup.region), ids("setup.regions"))
    yield _fact("Followers at each court at the start", str(setup.court), ids("setup.courts"))
    yield from _first_editions(game)
    yield _fact("Discs or tokens each player has for region cards", str(setup.negotiation_discs), ids("setup.discs"))
    counted = Counter(hands.same)
    held = ", ".join(f"{name} ×{n}" if n > 1 else name for name, n in counted.items())
    yield _fact("Cards that everybody holds", f"{len(hands.same)}: {held}", ids(hands.rule))
    dealt = (f"{hands.dealt} of {len(hands.deck)}, in secret", ids(hands.rule)) if hands.deck else (NONE,)
    yield _fact("Cards drawn in addition", *dealt)


def _turns(game: Struggle) -> Iterator[Fact]:
    """When followers are summoned, and who begins."""
    ids, summons, last = game.ids, game.summons, game.last_card
    restricted = (f"with {last.players} players, only if you win outright with it", ids(last.rule)) if last else (NONE,)
    yield _fact("Who may play the last card of the game", *restricted)
    piles = "its owner may look through it" if game.own_pile else "even its owner may see only the top card"
    yield _fact("Discard piles", piles, ids("turn.discard"))
    yield _fact("Summoning after an action", "if you like" if summons.optional else "always", summons.due)
    alone = ("if you like", summons.alone) if summons.alone else (NONE,)
    yield _fact("Summoning without playing a card", *alone)
    after = "the player after the last starter" if game.rotating else "the player after the last to pass"
    yield _fact("Who starts after a power struggle", after, ids("struggle.next"))


def _first_editions(game: Struggle) -> Iterator[Fact]:
    """What editions have that draw courts again, or have followers who come by themselves."""
    ids, setup, come = game.ids, game.setup, game.setup.arrivals
    by_number = groupby(setup.redraw.items(), lambda pair: pair[1])
    again = "; ".join(
        f"if {n} or more are of a single faction ({', '.join(str(players) for players, _ in some)} players)"
        for n, some in by_number
    )
    redrawn = (again, ids("setup.redraw")) if again else (NONE,)
    yield _fact("Redrawing courts", *redrawn)
    coming = (f"{come.number} of {game.board.factions[come.faction].name}", ids("mordred.arrival")) if come else (NONE,)
    yield _fact("Followers who come by themselves", *coming)


def _cards(game: Struggle) -> Iterator[Fact]:
    """The cards: each with its name, what it does step by step, and the rules of its steps."""
    for card in game.cards.values():
        text = f"{card.name}: {ladder(card)}"
        rules = [card.rule, *(shape.rule for shapes in _tiers(card) for shape in shapes)]
        if card.undo:
            text += f"; {'nobody may' if card.binds_all else 'no other player may'} reverse it at once"
            rules.append(card.undo)
        gate = card.ladder.gate if isinstance(card.ladder, Ladder) else None
        if gate:
            text += f"; {gate.label}"
            rules.append(gate.rule)
        yield Fact(f"{CARD}{identity(game, card)}", f"{CARD}{card.name}", text, tuple(dict.fromkeys(rules)))


def identity(game: Struggle, card: Card) -> tuple[str, int]:
    """What makes a card the same in several editions, whatever it is called: its local rule, and which of several."""
    alike = [each.name for each in game.cards.values() if each.rule == card.rule]
    return card.rule.partition(".")[2], alike.index(card.name)


def ladder(card: Card) -> str:
    """What a card does step by step, in one line."""
    if card.form == "reveal":
        return "revealed at the end"
    if card.form == "copy":
        return "copies another player's top card"
    return ", or else ".join([*(" or ".join(shape.label for shape in shapes) for shapes in _tiers(card)), "nothing"])


def _tiers(card: Card) -> tuple[tuple[Shape[Any, Any], ...], ...]:
    return card.ladder.tiers if isinstance(card.ladder, Ladder) else ()


PLUGIN = facts
