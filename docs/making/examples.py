"""Examples: cases of the conformance suite told in words, with the position drawn and each move in notation."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from attrs import frozen

from docs.making.comparison import short
from docs.making.drawn import NAMES, judged
from docs.making.files import file_link
from docs.making.words import ROOT, link, prose
from tkid.games.claim.rules import list_votes
from tkid.games.struggle.rules.endings import rank_factions
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.moves import Play
from tkid.kernel.game import Event, fill_names
from tkid.notation.positions import write_position
from tkid.record.json.conformance import Case, Suite, read_suite
from tkid.record.json.positions import find_game_json
from tkid.rulebook.rulesets import ruleset

SUITE = ROOT / "fixtures" / "conformance"
ILLEGAL = "fixtures/illegal"
LISTED = 8
"""So many possibilities are listed in an example."""
LINES = 14
"""So many lines are shown of what is said of something wrong."""


@cache
def suite() -> Suite:
    """The conformance suite."""
    return read_suite(SUITE)


@frozen
class Situation:
    """The position of a case, and the moves that are played first: each with its notation and what followed.

    Game and positions are those of the game that the case is about.
    """

    game: Any
    start: Any
    position: Any
    played: tuple[tuple[str, tuple[Event, ...]], ...]


@cache
def situation(number: str) -> Situation | None:
    """The situation of a case; None for a case without a position."""
    case = by_number()[number]
    if "position" not in case.question:
        return None
    questions = find_game_json(ruleset(case.ruleset).game_name)
    game, start = questions.read_position(case.question["position"])
    position, played = start, []
    for value in case.question.get("moves", []):
        assert position.to_act is not None
        move = game.canonical(position, questions.read_move(game, position, value))
        turn = f"{NAMES[position.to_act]}: `{written(game, move)}`"
        position, events = game.play(position, move)
        played.append((turn, events))
    return Situation(game, start, position, tuple(played))


@cache
def by_number() -> Mapping[str, Case]:
    """The cases by their number."""
    return {case.number: case for case in suite().cases}


def written(game: Any, move: Any) -> str:
    """A move in notation; for a card that is never played there is none, but its name."""
    if isinstance(move, Play) and move.card == game.plot:
        return move.card
    return fill_names(str(game.words.write_move(move)), NAMES)


def case_path(number: str) -> str:
    """The place of a case on the site."""
    return f"conformance/{number.rpartition('.')[0]}/#{number}"


def asked_move(case: Case) -> Any:
    """The move that a case asks about, as it is written down; None if it is nothing that its card can do."""
    setting = situation(case.number)
    assert setting is not None
    move = find_game_json(setting.game.name).read_move(setting.game, setting.position, case.question["move"])
    return None if move is None else setting.game.canonical(setting.position, move)


# -- which ------------------------------------------------------------------------------------------------


def citing(rule_id: str) -> list[Case]:
    """The cases that cite a rule, simplest first: those whose first rule it is, and that show little at once."""

    def weight(case: Case) -> tuple[Any, ...]:
        setting = situation(case.number)
        moves = len(case.question.get("moves", []))
        pieces = _pieces(setting) if setting else 0
        return (list(case.rules).index(rule_id), len(case.rules), moves, pieces, _order(case))

    return sorted((case for case in suite().cases if rule_id in case.rules), key=weight)


def _pieces(setting: Situation) -> int:
    """How much there is to be seen: followers in regions, or cards in hands."""
    if isinstance(setting.game, Struggle):
        return sum(map(sum, setting.start.regions))
    return sum(map(len, setting.start.hands))


def _order(case: Case) -> int:
    return suite().cases.index(case)


# -- told -------------------------------------------------------------------------------------------------


def told(case: Case, here: str) -> list[str]:
    """A case in lines of Markdown: the position in one line, the moves that come first, the question and its answer."""
    setting = situation(case.number)
    position = [f"`{write_position(setting.game, judged(setting.game, setting.start))}`"] if setting else []
    return [*position, *_played(setting, here), *TOLD[case.question["ask"]](case, here)]


def _played(setting: Situation | None, here: str) -> Iterator[str]:
    """The moves that come first, and what follows from them."""
    for turn, events in setting.played if setting else ():
        yield f"{turn} {'; '.join(_event(event, here) for event in events)}"


def _event(event: Event, here: str) -> str:
    return f"→ {prose(event.read(NAMES))} ({link(event.rule, here)})"


def _legal(case: Case, here: str) -> Iterator[str]:
    setting, move = situation(case.number), asked_move(case)
    assert setting
    who = "Anybody" if setting.position.to_act is None else NAMES[setting.position.to_act]
    if move is None:
        yield f"May {who} do this? `{json.dumps(case.question['move'])}` **No:** the card does nothing of the kind."
        return
    turn = f"{who}: `{written(setting.game, move)}`"
    if isinstance(move, Play) and move.card in setting.game.absent:
        rule_id = setting.game.ids(setting.game.absent[move.card])
        yield f"{turn} **is not allowed:** this game has no {move.card} ({link(rule_id, here)})"
        return
    broken = setting.game.check(setting.position, move)
    if not broken:
        yield f"{turn} **is allowed.**"
    for violation in broken:
        yield f"{turn} **is not allowed:** {prose(fill_names(violation.sentence, NAMES))} ({link(violation.rule, here)})"


def _resolutions(case: Case, _: str) -> Iterator[str]:
    setting = situation(case.number)
    assert setting
    card = case.question["card"]
    ways = [
        fill_names(f"{card} {setting.game.words.resolution(way)}", NAMES)
        for way in setting.game.list_options(setting.position, card)
    ]
    yield _possible(ways, f"With {card}") if ways else f"{card} cannot be played here, not even without effect"


def _summons(case: Case, _: str) -> Iterator[str]:
    setting = situation(case.number)
    assert setting
    ways = [f"summon {each['text']}" if each["region"] else each["text"] for each in case.expected["summons"]]
    yield _possible(ways, "After the action" if setting.position.decision == "summon" else "Without a card")


def _cards(case: Case, _: str) -> Iterator[str]:
    setting = situation(case.number)
    assert setting
    yield f"{NAMES[setting.position.to_act]} may play {', '.join(f'`{card}`' for card in case.expected['cards'])}"


def _possible(ways: Sequence[str], lead: str) -> str:
    """A list of possibilities, cut where it gets long."""
    if not ways:
        return f"{lead} nothing is possible."
    more = f" and {len(ways) - LISTED} more" if len(ways) > LISTED else ""
    count = "one thing is" if len(ways) == 1 else f"{len(ways)} things are"
    return f"{lead} {count} possible: {', '.join(f'`{way}`' for way in ways[:LISTED])}{more}"


def _values(case: Case, _: str) -> Iterator[str]:
    for name, value in case.expected.items():
        yield f"Afterwards `{name}` is `{_plain(value)}`"


def _plain(value: Any) -> str:
    """A value of a JSON object for people."""
    if isinstance(value, dict) and all(isinstance(each, int) and len(name) == 1 for name, each in value.items()):
        return " ".join(f"{n}{name}" for name, n in value.items() if n) or "-"
    if isinstance(value, dict):
        return "; ".join(f"{name}: {_plain(each)}" for name, each in value.items())
    if isinstance(value, list):
        return ", ".join(map(_plain, value)) or "empty"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


def _setup(case: Case, _: str) -> Iterator[str]:
    game = short(ruleset(case.question["ruleset"]))
    for name, value in case.expected.items():
        yield f"With {case.question['players']} players ({game}) `{name}` is `{_plain(value)}`"


def _borders(case: Case, _: str) -> Iterator[str]:
    board = ruleset(case.question["ruleset"]).game().board
    names = {region.code: region.name for region in board.regions}
    others = ", ".join(names[code] for code in case.expected["borders"])
    yield f"{names[case.question['region']]} borders {others}"


def _dealt(case: Case, here: str) -> Iterator[str]:
    proper = case.expected["proper"]
    rules = ", ".join(link(rule_id, here) for rule_id in case.rules)
    yield f"This {'can' if proper else '**cannot**'} be the start of a game ({rules})"


def _power(case: Case, _: str) -> Iterator[str]:
    setting = situation(case.number)
    assert setting
    board = setting.game.board
    order = [board.factions[faction].name for faction in rank_factions(setting.position, board.apart)]
    yield f"By power: {', '.join(order) or 'no faction controls a region'}"


def _result(case: Case, here: str) -> Iterator[str]:
    setting = situation(case.number)
    result = setting and setting.game.result(setting.position)
    assert result
    for step in result.chain:
        yield f"{prose(fill_names(step.text, NAMES))} ({link(step.rule, here)})"
    winners = " and ".join(NAMES[seat] for seat in result.winners) or "nobody"
    yield f"**{result.ending.capitalize()}: {winners} {'win' if len(result.winners) > 1 else 'wins'}**"


def _votes(case: Case, here: str) -> Iterator[str]:
    setting = situation(case.number)
    assert setting
    for vote in list_votes(setting.position.scores):
        yield f"{prose(fill_names(vote.step.text, NAMES))} ({link(vote.step.rule, here)})"


TOLD: Mapping[str, Callable[[Case, str], Iterator[str]]] = {
    "legal": _legal,
    "resolutions": _resolutions,
    "summons": _summons,
    "cards": _cards,
    "after": _values,
    "setup": _setup,
    "borders": _borders,
    "dealt": _dealt,
    "power": _power,
    "result": _result,
    "votes": _votes,
}
"""How the question and the answer of a case are told, by what is asked."""


# -- something wrong --------------------------------------------------------------------------------------


def refused(rule_id: str, here: str) -> list[str]:
    """What tkid says of something that breaks a constraint; nothing where no such file is kept."""
    folder = ROOT / ILLEGAL / rule_id
    if not folder.is_dir():
        return []
    said = (folder / "expected.txt").read_text("utf-8").splitlines()
    shown = [*said[:LINES], "…"] if len(said) > LINES else said
    inputs = sorted(path.name for path in folder.iterdir() if path.name != "expected.txt")
    from_file = ", ".join(file_link(f"{ILLEGAL}/{rule_id}/{name}", here, name) for name in inputs)
    return [f"What is said of a text that breaks it ({from_file}):", "```text\n" + "\n".join(shown) + "\n```"]
