"""What is told of turns and ends of games: every card of every edition, every ending, and what holds for every recorded turn.

`python -m tests.games.struggle.render.test_telling` writes the tables of sentences anew; read each before it is kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import evolve

from tests.games.struggle.mail.test_sentences import NAMES, game, in_words
from tests.games.struggle.shared.family import board, struggle, struggles
from tests.makers.games import FOLDER
from tests.shared.tables import each_row
from tkid.games.struggle.rules.board import OPEN, UNSTABLE, Followers, Position, View
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.moves import FORMS, Exchange, Move, Play, follow_copy
from tkid.games.struggle.voice import describe_headline, tell_last_turn, tell_last_turn_in_steps, write_forecast
from tkid.kernel.game import fill_names
from tkid.notation.plugin import find_turn_reader
from tkid.record.play.replay import Moment, Replay
from tkid.render.frames import last_turn, open_view
from tkid.render.picture import LastTurn
from tkid.render.plugin import Tale
from tkid.rulebook import rule
from tkid.rulebook.rulesets import ruleset as by_code

TURNS = Path(__file__).with_name("turns_in_words.txt")
ENDS = Path(__file__).with_name("ends_in_words.txt")
OTHERS = {
    "second-edition": ("Pass", "Welsh Support nothing; no summon"),
    "second-edition-advanced": ("Plot W",),
    "first-edition-mordred": ("Ambassador M Ratae <> S Deva; summon S Ratae", "Garrison MM Ratae <> W Deva; no summon"),
    "digest-advanced": ("Spy Bob: Command nothing; summon W Moray", "Assassination E"),
    "manual": ("summon W Ratae", "Scots nothing; no summon"),
}
"""Turns of an edition besides its cards."""
RECORDED = sorted(path for ruleset in struggles() for path in (FOLDER / ruleset.code).glob("*.tkid"))


def start(edition: Struggle, players: int = 4) -> Position:
    return edition.start(edition.seat_players(NAMES[:players]), edition.deal(players, bytes(32)))


# -- every card -------------------------------------------------------------------------------------------


def turn(code: str, text: str) -> tuple[Move, ...]:
    moves: tuple[Move, ...] = find_turn_reader(struggle(by_code(code).game()), NAMES).read_turn(text).moves
    return moves


def sentence(code: str, text: str) -> str:
    """A turn of Ann's, told."""
    edition = struggle(by_code(code).game())
    return tell_last_turn(edition, View(None, start(edition)), NAMES, LastTurn(0, turn(code, text)))


def rows(path: Path) -> Iterator[tuple[str, str, str]]:
    """A table of sentences: the heading, the line, and the sentence below it."""
    heading = ""
    lines = iter(path.read_text("utf-8").splitlines())
    for line in lines:
        if line.startswith("["):
            heading = line.strip("[]")
        elif line:
            yield heading, line, next(lines).strip()


@each_row("code, text, words", lambda: rows(TURNS))
def test_a_turn_is_one_sentence(code: str, text: str, words: str) -> None:
    assert sentence(code, text) == words


def test_every_card_and_every_form_is_in_the_table() -> None:
    listed = {(code, text) for code, text, _ in rows(TURNS)}
    assert {(code, text) for code, texts in OTHERS.items() for text in texts} <= listed
    moves = [(code, turn(code, text)[0]) for code, text in listed]
    cards = {(code, move.card) for code, move in moves if isinstance(move, Play)}
    for ruleset in struggles():
        edition = struggle(ruleset.game())
        assert {(ruleset.code, card) for card in edition.cards if card != edition.plot} <= cards
    forms = {type(follow_copy(move.resolution)) for _, move in moves if isinstance(move, Play)}
    assert {form.__self__ for form in FORMS.values() if hasattr(form, "__self__")} | {Exchange} <= forms


# -- every ending -----------------------------------------------------------------------------------------


def ended(path: str) -> tuple[Struggle, View, Replay]:
    known = game(path)
    edition = struggle(known.record.game)
    return edition, View(None, board(known.position)), known


def end(path: str) -> str:
    """The headline of a recorded game that is over, and by what it was won, where the headline does not say that."""
    edition, view, known = ended(path)
    last = last_turn(known, len(known.moments) - 1, None)
    assert last is not None
    *_, final = tell_last_turn_in_steps(edition, view, known.record.names, last).steps
    head, reason = (
        f"{describe_headline(edition, view, known.record.names)}.",
        write_forecast(edition, view, known.record.names),
    )
    assert reason in {"", final.text}
    return head if final.text == head else f"{head} {final.text}"


@each_row("code, path, words", lambda: rows(ENDS))
def test_the_end_of_a_game(code: str, path: str, words: str) -> None:
    assert path.startswith(f"{code}/")
    assert end(path) == words


# -- forecasts --------------------------------------------------------------------------------------------

SECOND, MORDRED = "second-edition", "first-edition-mordred"


@each_row(
    ("code", "followers", "lost", "words"),
    (
        (SECOND, (1, 3, 0), 0, "As it stands, the Welsh win Moray 3 to 1."),
        (SECOND, (2, 0, 0), 0, "As it stands, the Scots win Moray 2 to 0."),
        (SECOND, (1, 3, 2), 2, "As it stands, the Welsh win Moray 3 to 2."),
        (SECOND, (1, 1, 0), 0, "As it stands, Scots and Welsh tie at 1: Moray would be unstable."),
        (SECOND, (1, 2, 2), 0, "As it stands, Welsh and English tie at 2: Moray would be unstable."),
        (SECOND, (1, 1, 1), 1, "As it stands, all three factions tie at 1: Moray would be unstable."),
        (SECOND, (0, 0, 0), 0, "Nobody is there: Moray would be unstable."),
        (SECOND, (0, 0, 0), 2, "Nobody is there: the French would invade."),
        (MORDRED, (1, 0, 1, 0), 0, "As it stands, Scots and Romano-British tie at 1: Caledonia would be Saxon."),
        (MORDRED, (0, 2, 0, 2), 3, "As it stands, Welsh and Mordred tie at 2: the Saxons would invade."),
        (MORDRED, (2, 2, 0, 2), 0, "As it stands, Scots, Welsh and Mordred tie at 2: Caledonia would be Saxon."),
        (MORDRED, (1, 1, 1, 1), 0, "As it stands, all four factions tie at 1: Caledonia would be Saxon."),
        (MORDRED, (0, 1, 0, 2), 0, "As it stands, Mordred wins Caledonia 2 to 1."),
        (MORDRED, (0, 1, 4, 2), 0, "As it stands, the Romano-British win Caledonia 4 to 2."),
    ),
)
def test_a_forecast(code: str, followers: Followers, lost: int, words: str) -> None:
    edition = struggle(by_code(code).game())
    position = start(edition, 2)
    discs = tuple(UNSTABLE if region > 7 - lost else OPEN for region in range(8))
    shown = position.replace(regions=(followers, *position.regions[1:]), discs=discs, track=tuple(range(8)))
    assert write_forecast(edition, View(None, shown), NAMES[:2]) == words


@each_row(
    ("changes", "head", "words"),
    (
        ({}, "Ann to play: Moray is contested", True),
        ({"to_act": 1, "decision": "summon"}, "Bob to summon: Moray is contested", True),
        ({"to_act": 1, "decision": "plot"}, "Bob to name a faction for Plot", False),
        ({"to_act": None, "decision": None}, "Every region is settled", False),
    ),
)
def test_a_headline(changes: dict[str, object], head: str, words: bool) -> None:  # noqa: FBT001 - a row
    edition = struggle(by_code("second-edition-advanced").game())
    shown = start(edition, 2).replace(track=tuple(range(8)), **changes)
    assert describe_headline(edition, View(None, shown), NAMES[:2]) == head
    assert bool(write_forecast(edition, View(None, shown), NAMES[:2])) == words


# -- whatever was recorded --------------------------------------------------------------------------------

NAME = re.compile(r"[A-Z]\w+")
UNREADABLE = re.compile(r"<>|[{}]|\b[A-Z]{3}\b|\b(he|she|his|her|him)\b|  |\.\.|\?")
"""What no sentence for people contains: notation, seats, codes, a person's sex, and marks left by a missing word."""


def moments(known: Replay) -> Iterator[tuple[int, Moment]]:
    yield from ((index, moment) for index, moment in enumerate(known.moments) if moment.moves)


def sentences(edition: Struggle, view: View, names: tuple[str, ...], last: LastTurn) -> tuple[Tale, list[str]]:
    tale_ = tell_last_turn_in_steps(edition, view, names, last)
    lines = [
        describe_headline(edition, view, names),
        write_forecast(edition, view, names),
        tell_last_turn(edition, view, names, last),
    ]
    return tale_, [*lines, tale_.heading, *(step.text for step in tale_.steps), *tale_.changes, tale_.next]


@pytest.mark.parametrize("part", range(4))
def test_every_recorded_turn_is_told(part: int) -> None:
    for path in RECORDED[part::4]:
        known = game(f"{path.parent.name}/{path.stem}")
        edition, names = struggle(known.record.game), known.record.names
        for index, moment in moments(known):
            last = last_turn(known, index, None)
            if last is None:
                continue
            view = open_view(edition, moment.position)
            tale_, lines = sentences(edition, view, names, last)
            head, _, said, *_ = lines
            where = f"{path.stem}, turn {index}: {lines}"
            assert head, where
            assert said.startswith(f"{names[last.seat]} "), where
            assert tale_.heading.startswith(f"{names[last.seat]} "), where
            assert said.endswith("."), where
            assert not [line for line in lines if UNREADABLE.search(line)], where
            assert len(tale_.steps) >= len(last.moves), where
            assert all(rule(step.rule) for step in tale_.steps), where
            assert bool(tale_.next) == (moment.position.to_act is not None), where


def test_names_are_written_as_they_are() -> None:
    edition = struggle(by_code(SECOND).game())
    names = ("{1} <b>", "Zoë\x1b")
    last = LastTurn(0, turn(SECOND, "Pass"))
    assert tell_last_turn(edition, View(None, start(edition, 2)), names, last) == "{1} <b> passes."
    assert describe_headline(edition, View(None, start(edition, 2).replace(to_act=1)), names).startswith(
        "Zoë? to play: "
    )


def test_a_turn_without_decisions_is_told() -> None:
    edition = struggle(by_code(SECOND).game())
    view = View(None, start(edition, 2))
    assert tell_last_turn(edition, view, NAMES[:2], LastTurn(1, ())) == "Bob takes a turn."
    assert tell_last_turn_in_steps(edition, view, NAMES[:2], LastTurn(1, ())).heading == "Bob takes a turn"


# -- step by step -----------------------------------------------------------------------------------------


def tale_of(path: str, number: int) -> Tale:
    known = game(path)
    last = last_turn(known, number, None)
    assert last is not None
    edition = struggle(known.record.game)
    return tell_last_turn_in_steps(
        edition, open_view(edition, known.moments[number].position), known.record.names, last
    )


def test_a_turn_step_by_step() -> None:
    told_ = tale_of("second-edition-advanced/spy-copies-edict", 2)
    assert told_.heading == "Bob plays Spy: Lancaster ⇄ Warwick"
    assert [(step.text, step.rule) for step in told_.steps] == [
        ("Bob plays Spy and copies Ann's Edict.", "second.card.spy"),
        ("Bob swaps two Scots from Lancaster for two English from Warwick.", "second.card.edict"),
        ("Bob summons a Scottish follower from Warwick.", "second.summon.must"),
    ]
    assert told_.changes == (
        "Welsh and English now tie at 2 in Lancaster; before, Scots and Welsh tied at 2.",
        "The Scots now lead Warwick 2 to 1; before, the English led 3 to 1.",
        "As it stands, the Scots win Devon 2 to 1.",
    )
    assert told_.next == "Ann is next."


def test_a_pass_that_settles_a_region() -> None:
    known = game("second-edition/whole-game-for-2")
    number = next(index for index, moment in moments(known) if board(moment.position).struggles)
    told_ = tale_of("second-edition/whole-game-for-2", number)
    before = tale_of("second-edition/whole-game-for-2", number - 1)
    assert before.next.endswith(" is next, and a pass would settle Essex.")
    assert told_.heading.endswith(" passes, and the English win Essex")
    assert told_.changes == ("Gwynedd is contested now.", "As it stands, the Welsh win Gwynedd 3 to 1.")
    assert [step.rule for step in told_.steps] == ["second.turn.pass", "second.struggle.majority"]


def test_without_the_position_before_it_a_turn_changes_nothing() -> None:
    known = game("second-edition-advanced/spy-copies-edict")
    last = last_turn(known, 2, None)
    assert last is not None
    edition = struggle(known.record.game)
    view = open_view(edition, known.moments[2].position)
    changes = tell_last_turn_in_steps(edition, view, known.record.names, evolve(last, before=None)).changes
    assert changes == ("As it stands, the Scots win Devon 2 to 1.",)


# -- the tables -------------------------------------------------------------------------------------------


def write() -> None:
    """Write both tables, with the turns and games that are in them or should be."""
    texts: dict[str, list[str]] = {}
    for code, text, _ in in_words():
        texts.setdefault(code, []).append(text)
    summons = {code: f"summon W {struggle(by_code(code).game()).board.name_region(5)}" for code in texts}
    blocks = []
    for code, cards in texts.items():
        lines = [*(f"{text}; {summons[code]}" for text in cards), *OTHERS.get(code, ())]
        edition = struggle(by_code(code).game())
        lines = [fill_names(edition.words.write_turn(turn(code, line)), NAMES) for line in lines]
        blocks.append("\n".join([f"[{code}]", *(f"{line}\n    {sentence(code, line)}" for line in lines)]))
    TURNS.write_text("\n\n".join(blocks) + "\n", "utf-8")
    over = [f"{path.parent.name}/{path.stem}" for path in RECORDED]
    over = [path for path in over if game(path).position.decision is None]
    seen: dict[str, str] = {}
    for path in over:
        seen.setdefault(f"{path.partition('/')[0]} {NAME.sub('X', end(path))}", path)
    parts: dict[str, list[str]] = {}
    for path in seen.values():
        parts.setdefault(path.partition("/")[0], []).append(f"{path}\n    {end(path)}")
    ENDS.write_text("\n\n".join("\n".join([f"[{code}]", *lines]) for code, lines in parts.items()) + "\n", "utf-8")


if __name__ == "__main__":
    write()
