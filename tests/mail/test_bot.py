"""Bots at a host: which player chooses their turns, and what they know."""

from __future__ import annotations

import pytest

from tests.host.year.players import TIME, game
from tkid.bots.roster import PLAYERS
from tkid.mail import game_service, hosted_game
from tkid.mail.hosted_game import play_forced_turns
from tkid.record.clock_notes import StandIn
from tkid.record.format.new_game import new_record
from tkid.record.play.replay import Replay, append, replay
from tkid.record.play.views import hide_secrets

RULESETS = [("second-edition", 2), ("second-edition-advanced", 3), ("second-edition", 4), ("claim", 2)]
NAMES = ("Ann", "Bob", "Cat", "Dan")


def dealt(code: str, players: int) -> Replay:
    return replay(new_record(code, NAMES[:players], bytes(range(32))))


@pytest.mark.parametrize(("code", "players"), RULESETS)
@pytest.mark.parametrize("player", PLAYERS)
def test_each_player_takes_legal_turns_and_knows_its_seat_only(
    monkeypatch: pytest.MonkeyPatch, code: str, players: int, player: str
) -> None:
    monkeypatch.setattr(hosted_game, "BY_MAIL", 20)
    at = dealt(code, players)
    for _ in range(3):
        seat = at.position.to_act
        assert seat is not None
        known = hide_secrets(at, seat)
        turn = hosted_game.choose_bot_turn(known, seat, player)
        assert turn == hosted_game.choose_bot_turn(known, seat, player), "the same for the same game"
        at = append(at, turn)
        assert not at.problems, (turn, at.problems)


@pytest.mark.parametrize("player", ["", "random", "nobody"])
def test_a_bot_without_a_player_plays_by_lot(player: str) -> None:
    at = dealt("second-edition", 2)
    seat = at.position.to_act
    assert seat is not None
    known = hide_secrets(at, seat)
    assert hosted_game.choose_bot_turn(known, seat, player) == hosted_game.choose_bot_turn(
        known, seat, hosted_game.BY_LOT
    )


def test_only_seats_of_bots_are_thought_about(monkeypatch: pytest.MonkeyPatch) -> None:
    """post.bot.fair: nothing is computed for a seat that a person plays, whoever plays the others."""
    asked = list[int]()

    def noted(known: Replay, seat: int, who: str) -> str:
        asked.append(seat)
        return turn_of(known, seat, who)

    turn_of = hosted_game.choose_bot_turn
    monkeypatch.setattr(hosted_game, "choose_bot_turn", noted)
    at = game_service.begin_game(game(1), TIME).game
    assert at.to_act is not None
    person, other = at.to_act, 1 - at.to_act
    at = game_service.apply_owner_note(at, StandIn(other, "Merlin", TIME, bot=True, player="greedy"), TIME).game
    assert asked == []
    at = play_forced_turns(at.with_turn("Pass", TIME), TIME)
    assert asked == [other]
    assert at.to_act == person
    assert at.record.turns[-1].seat == other
