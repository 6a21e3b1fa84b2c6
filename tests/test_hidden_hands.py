"""Covered hands: with `hidden`, nothing that a seat is shown names another hand, or what is buried in another pile.

A *twin* of a position has other cards there, and as many. In a game from the start hands follow from the turns, so that
twins begin in the middle. The record itself stays whole: what encloses it is left out of the comparison.
"""

from __future__ import annotations

import email
import json
import re
from collections.abc import Iterator, Sequence
from email import policy
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.cli import tkid
from tests.games.struggle.shared.family import board
from tests.host import posted
from tests.mail.mails import TIME
from tests.mail.said import everything
from tests.shared.strategies import NAMES, random_game
from tests.shared.tables import each_row, sample
from tkid.games.struggle.rules.board import HIDDEN, Position
from tkid.games.struggle.rules.game import Struggle
from tkid.mail.peer_letters import write_peer_letter
from tkid.notation.positions import write_position
from tkid.record.format.model import Header, Record, Seat
from tkid.record.format.reader import read_record
from tkid.record.json.positions import position_json
from tkid.record.play.replay import replay
from tkid.record.play.views import hide_secrets
from tkid.record.play.writer import write_record
from tkid.render import text
from tkid.render.clicks import find_drawing_plugin
from tkid.render.frames import draw_pictures
from tkid.render.picture import write_svg_document
from tkid.render.plugin import find_render_plugin
from tkid.render.replay_page import replay_page
from tkid.rulebook.rulesets import Ruleset, ruleset

HEX = re.compile(r"\b[0-9a-f]{6,64}\b")
BASIC = ("second-edition", "digest", "first-edition", "first-edition-mordred", "manual")
Shown = dict[str, Any]
"""All that a seat is shown, each by what it is."""


def hidden(code: str) -> tuple[Ruleset, Struggle, dict[str, str]]:
    """A ruleset, its game with covered hands, and the readings."""
    entry = ruleset(code)
    readings = {switch: "hidden" for switch in entry.switches if switch.endswith(".open-hands")}
    assert readings
    return entry, entry.game(readings), readings


def twin(rng: Random, game: Struggle, position: Position, seat: int | None) -> Position:
    """The position with other cards in the others' hands and under their tops, and under one's own if one may not look."""

    def drawn(cards: Sequence[str]) -> tuple[str, ...]:
        return tuple(rng.choice(list(game.cards)) for _ in cards)

    own = seat if game.own_pile else None
    hands = tuple(hand if owner == seat else drawn(hand) for owner, hand in enumerate(position.hands))
    piles = tuple(
        pile if owner == own else (*drawn(pile[:-1]), *pile[-1:]) for owner, pile in enumerate(position.discards)
    )
    return position.replace(hands=hands, discards=piles)


def reached(rng: Random, game: Struggle, passing: float = 0.3) -> Iterator[Position]:
    """Some positions of random games for two, three and four, between turns and within them."""
    for players in (2, 3, 4):
        every = [position for position, _, _ in random_game(rng, players, passing, game)]
        yield from rng.sample(every, 4)
        yield every[-1]


def of_position(game: Struggle, position: Position, seat: int | None) -> Shown:
    """What is made of a position for a seat."""
    view = game.view(position, seat)
    shown, names = view.shown, NAMES[: len(position.seats)]
    render = find_render_plugin(game)
    legal = game.legal(shown)
    return {
        "view": repr(view),
        "text": text.draw_position(game, view, names),
        "words": render.describe_position(game, view, names),
        "head": (render.write_headline(game, view, names), render.write_forecast(game, view, names)),
        "picture": write_svg_document(find_drawing_plugin(game).draw_picture(game, view, names, None)),
        "json": json.dumps(position_json(game, shown)),
        "line": write_position(game, shown),
        "legal": (len(legal), list(legal[:: max(1, len(legal) // 50)])),
        "held": [game.list_held(shown, owner) for owner in position.seats],
    }


@each_row("code", BASIC)
def test_a_view_names_no_other_hand_and_nothing_buried(code: str) -> None:
    _, game, _ = hidden(code)
    rng = Random(code)
    for position in reached(rng, game):
        for seat in (None, *position.seats):
            shown = game.view(position, seat).shown
            for owner in position.seats:
                own = owner == seat
                assert shown.hands[owner] == (position.hands[owner] if own else (HIDDEN,) * len(position.hands[owner]))
                pile, buried = position.discards[owner], shown.discards[owner][:-1]
                assert shown.discards[owner][-1:] == pile[-1:]
                assert len(shown.discards[owner]) == len(pile)
                assert buried == (pile[:-1] if own and game.own_pile else (HIDDEN,) * len(buried))


@each_row("code", BASIC)
def test_positions_that_differ_in_what_is_covered_look_alike(code: str) -> None:
    _, game, _ = hidden(code)
    rng = Random(code)
    for position in reached(rng, game):
        for seat in (None, *position.seats):
            other = twin(rng, game, position, seat)
            assert of_position(game, position, seat) == of_position(game, other, seat)


def test_open_hands_are_shown_to_everybody() -> None:
    game = ruleset("second-edition").game()
    position = next(reached(Random(1), game))
    assert game.view(position, None).shown.hands == position.hands


def test_the_advanced_game_hides_other_hands_under_both_readings() -> None:
    entry = ruleset("second-edition-advanced")
    switch = "second.ruling.open-hands"
    games = [entry.game({switch: option}) for option in ("open", "hidden")]
    for position in reached(Random(2), games[0]):
        for seat in (None, *position.seats):
            one, two = (game.view(position, seat) for game in games)
            assert one == two


# -- records ------------------------------------------------------------------------------------------------


def record_from(code: str, position: Position) -> Record:
    """A record of a game with covered hands that begins with a position."""
    entry, game, readings = hidden(code)
    names = NAMES[: len(position.seats)]
    headers = [Header("Tkid-Record", "1"), Header("Ruleset", code)]
    headers += [Header("Seat", f"{name} <{name.lower()}@example.org>") for name in names]
    headers += [Header("Ruling", f"{switch} {option}") for switch, option in readings.items()]
    headers.append(Header("Position", write_position(game, position)))
    seats = tuple(Seat(name, f"{name.lower()}@example.org") for name in names)
    return Record(entry, seats, tuple(headers), readings, position=position)


def pairs(code: str, games: int) -> Iterator[tuple[Record, Record, int]]:
    """Records that begin in the middle of a game, with a twin each, and the seat that cannot tell them apart."""
    _, game, _ = hidden(code)
    rng = Random(f"records {code}")
    while games:
        players = rng.choice((2, 3, 4))
        every = [p for p, _, _ in random_game(rng, players, 0.3, game) if p.decision == "play"]
        position = rng.choice(every)
        seat = rng.choice(position.seats)
        # Whoever acts next plays from a hand that both records have.
        other = twin(rng, game, position, seat)
        yield record_from(code, position), record_from(code, other), seat
        games -= 1


def said_in(mail: bytes) -> list[str]:
    """The text and the page of a mail, without what follows from the text of the enclosed record: hashes."""
    message = email.message_from_bytes(mail, policy=policy.default)
    bodies = [part.get_content() for part in message.walk() if part.get_content_type() in {"text/plain", "text/html"}]
    assert bodies
    return [HEX.sub("#", body) for body in bodies if not body.startswith("Tkid-Record")]


ORDERS = (
    "status\nhistory\nwhy\nlegal\nlegal Negotiate\nlegal Crown",
    "draft Pass\ndraft Manoeuvre S Moray <> E Devon\ndraft Crown Deva <> Ratae, disc Deva; summon S Deva",
    "if anyone plays Assemble: stop; else Pass\nsay to all: What do you hold?\nundo?",
    "Pass",
    "Negotiate the devil",
    "resign",
)


@pytest.mark.slow
@pytest.mark.parametrize("games", sample([2, 6], 2))
@each_row("code", BASIC)
def test_mails_say_nothing_of_what_is_covered(code: str, games: int) -> None:
    compare_mails(code, games)


@pytest.mark.slow
@pytest.mark.parametrize("place", ["mail.hosted_game", "mail.peer_letters"])
def test_a_leak_is_found(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"tkid.{place}.hide_secrets", lambda played, _: played)
    with pytest.raises(AssertionError):
        compare_mails("second-edition", 3)


def compare_mails(code: str, games: int) -> None:
    """All that mails and pages say of some games, and of their twins."""
    for one, two, seat in pairs(code, games):
        first, second = replay(one), replay(two)
        assert [repr(m.position) for m in hide_secrets(first, seat).moments] == [
            repr(m.position) for m in hide_secrets(second, seat).moments
        ]
        assert list(everything(hide_secrets(first, seat), seat)) == list(everything(hide_secrets(second, seat), seat))
        for order in ORDERS:
            answers = [posted.answered(played, seat, order) for played in (first, second)]
            assert answers[0][0] == answers[1][0], order
            for mails in zip(*([*answer[1], *answer[2]] for answer in answers), strict=True):
                assert said_in(mails[0]) == said_in(mails[1]), order
        for mails in zip(*([*posted.begun(each, seat)] for each in (one, two)), strict=True):
            assert said_in(mails[0]) == said_in(mails[1])
        letters = [write_peer_letter(played, [seat], None, TIME) for played in (first, second)]
        assert HEX.sub("#", repr(letters[0].body)) == HEX.sub("#", repr(letters[1].body))
        pages = [HEX.sub("#", replay_page(played, seat)) for played in (first, second)]
        assert pages[0] == pages[1]


@each_row("code", BASIC)
def test_the_record_stays_whole(code: str) -> None:
    """What a seat knows is written with all hands, and with the same hashes."""
    one, _, seat = next(pairs(code, 1))
    played = replay(one)
    known = hide_secrets(played, seat)
    assert write_record(known.record, known) == write_record(one, played)
    assert known.value == played.value


def test_a_finished_game_stays_covered() -> None:
    """A replay for everybody shows no hand after the end either, where it would show all otherwise."""
    for option, covered in (("open", False), ("hidden", True)):
        path = Path(__file__).parents[1] / "fixtures" / "games" / "second-edition" / "hands-hidden.tkid"
        written = path.read_text("utf-8").replace("open-hands hidden", f"open-hands {option}")
        assert f"second.ruling.open-hands {option}" in written
        played = loaded(re.sub(r" #[0-9a-f]{6}", "", written))
        known, _ = draw_pictures(played, None)
        middle = board(known.moments[len(known.moments) // 2].position)
        assert (HIDDEN in middle.hands[0]) == covered


def loaded(written: str) -> Any:
    """A record's text, played through."""
    found = read_record(written.encode())
    assert found.record is not None
    assert not found.problems
    return replay(found.record)


# -- the program --------------------------------------------------------------------------------------------


def answers(record: Record, seat: int) -> list[str]:
    """What the program prints about a record."""
    name = record.names[seat]
    Path("game.tkid").write_text(write_record(record, replay(record)), "utf-8")
    asked: list[tuple[str, ...]] = [("show", *more) for more in ((), ("--line",), ("--json",), ("--turn", "0"))]
    asked += [("legal",), ("legal", "--all"), ("render", "-o", "-"), ("render", "-o", "-", "--format", "html")]
    whose = ("--seat", name)
    printed = [tkid(command, "game.tkid", *more, *whose).output for command, *more in asked]
    turns = ("Pass", "Negotiate nothing", "Crown nothing; summon S Deva", "Assemble S Moray; summon S Moray")
    printed += [tkid("why-not", "game.tkid", turn, *whose).output for turn in turns]
    return [HEX.sub("#", each) for each in printed]


@pytest.mark.slow
@each_row("code", ("second-edition", "first-edition"))
def test_the_program_shows_nothing_of_what_is_covered(code: str, tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(tmp_path)
        for one, two, seat in pairs(code, 3):
            assert answers(one, seat) == answers(two, seat)


def test_a_file_shows_the_view_of_its_owner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without --seat it is the player whose file it is, or else the next player."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TKID_ME", raising=False)
    ruling = "second.ruling.open-hands hidden"
    assert tkid("new", "game.tkid", "Ann", "Bob", "--ruling", ruling, "--first", "Ann").exit_code == 0
    line = tkid("show", "game.tkid", "--line").output
    assert "1 hand Scottish Support" in line
    assert "2 hand ?, ?" in line
    assert tkid("me", "game.tkid", "Bob").exit_code == 0
    line = tkid("show", "game.tkid", "--line").output
    assert "1 hand ?, ?" in line
    assert "2 hand Scottish Support" in line


def test_an_error_lists_no_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody who checks the file reads it."""
    monkeypatch.chdir(tmp_path)
    one, _, _ = next(pairs("second-edition", 1))
    assert one.position is not None
    position = board(one.position)
    assert position.to_act is not None
    bare = position.replace(hands=tuple(("Manoeuvre",) for _ in position.seats))
    record = record_from("second-edition", bare)
    written = (
        write_record(record, replay(record)) + f"\n1. {record.names[position.to_act]} Negotiate nothing; no summon\n"
    )
    Path("game.tkid").write_text(written, "utf-8")
    found = tkid("check", "game.tkid").output
    assert "[second.turn.hand]" in found
    assert "In hand" not in found
    assert "Manoeuvre" not in found
