"""Plans in recorded games: what they decide is what happened there."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.games.struggle.shared.family import board, struggle, struggles
from tests.mail.planned import GAMES, cut, given, recorded
from tests.shared.tables import each_row
from tkid.games.claim.rules import FACTIONS, HAND, Deal
from tkid.games.struggle.rules.moves import Pass, Play, Summon
from tkid.mail.plans import Plan, decide_by_plans
from tkid.record.play.views import hide_secrets

WHOLE = sorted(path for each in struggles() for path in GAMES.glob(f"{each.code}/whole-game-for-*.tkid"))
CLAIM = sorted(GAMES.glob("claim/whole-game-for-?.tkid"))


@pytest.mark.slow
@each_row("path", WHOLE, ids=lambda path: f"{path.parent.name}/{path.stem}", parts=2)
def test_what_is_decided_in_recorded_games_is_what_happened(path: Path) -> None:
    """At each turn of a whole game, for the player whose turn it is, told again by looking at the bare moves."""
    game = recorded(path)
    players = len(game.record.names)
    card = next(card.name for card in struggle(game.record.game).cards.values() if card.form == "spread")
    for at in range(len(game.moments) - 1):
        known = cut(game, at)
        seat, position = known.position.to_act, known.position
        if seat is None or position.decision != "play":
            continue
        known = hide_secrets(known, seat)
        turn = game.moments[at].turn
        before = turn.seat if turn and turn.seat != seat else (seat - 1) % players
        moves = game.moments[at].moves if turn and turn.seat == before else ()
        name, region = (
            game.record.names[before],
            struggle(game.record.game).board.name_region(board(position).contested or 0),
        )
        facts = {
            f"{name} passes": bool(moves) and isinstance(moves[0], Pass),
            f"{name} acts": bool(moves) and isinstance(moves[0], Play | Summon),
            f"{name} plays {card}": bool(moves) and isinstance(moves[0], Play) and moves[0].card == card,
            f"{region} is contested": True,
        }
        for condition, fact in facts.items():
            decision = decide_by_plans(known, seat, given(known, f"if {condition}: Pass; else stop", seat=seat))
            assert decision.kind == ("play" if fact else "ask"), (at, condition)
        assert decide_by_plans(known, seat, given(known, "pass always", seat=seat)).turn == "Pass"


@pytest.mark.slow
@each_row("path", WHOLE, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_standing_orders_in_recorded_games_end_when_they_should(path: Path) -> None:
    game = recorded(path)
    for seat in range(len(game.record.names)):
        given_at = 0
        plans = (Plan(1, 1, "pass until struggle"),)
        acts = (Plan(1, 1, "pass until someone acts"),)
        for at in range(len(game.moments) - 1):
            known = cut(game, at)
            if known.position.to_act != seat or known.position.decision != "play":
                continue
            known = hide_secrets(known, seat)
            struggles = len(board(known.position).struggles) - len(board(game.moments[given_at].position).struggles)
            assert (decide_by_plans(known, seat, plans).kind == "nothing") == (struggles > 0)
            others = [m for m in game.moments[1 : at + 1] if m.turn and m.turn.seat != seat]
            acted = any(isinstance(moment.moves[0], Play | Summon) for moment in others)
            assert (decide_by_plans(known, seat, acts).kind == "nothing") == acted


@pytest.mark.slow
@pytest.mark.parametrize("path", [path for path in WHOLE if "advanced" in str(path)], ids=lambda path: path.stem)
def test_a_decision_rests_on_what_the_owner_may_know(path: Path) -> None:
    """Whoever knows all would decide the same: no hidden card has a part in it."""
    game = recorded(path)
    lines = ("if anyone acts: Pass; else stop", "if a struggle happens: stop", "pass until struggle")
    for at in range(0, len(game.moments) - 1, 3):
        whole = cut(game, at)
        seat = whole.position.to_act
        assert seat is not None
        known = hide_secrets(whole, seat)
        assert decide_by_plans(known, seat, given(known, *lines, seat=seat)) == decide_by_plans(
            whole, seat, given(whole, *lines, seat=seat)
        )


@pytest.mark.slow
@pytest.mark.parametrize("path", CLAIM, ids=lambda path: path.stem)
def test_what_is_decided_in_recorded_games_of_claim_is_what_happened(path: Path) -> None:
    """At each turn, told again by counting cards: two make a trick, and use up two of the deck."""
    game = recorded(path)
    deal = game.record.deal
    assert isinstance(deal, Deal)
    played = [moment.moves[0].card for moment in game.moments[1:]]
    for at in range(len(played)):
        seat, tricks = game.moments[at].position.to_act, at // 2
        assert seat is not None
        led = played[at - 1][0] if at % 2 else ""
        prize = deal.deck[2 * tricks][0] if tricks < HAND else ""
        facts = {"led anything": bool(led), "nothing is led": not led, "phase two": not prize}
        facts |= {f"led {each.name}": led == each.letter for each in FACTIONS.values()}
        facts |= {f"prize {each.name}": prize == each.letter for each in FACTIONS.values()}
        known = hide_secrets(cut(game, at), seat)
        for condition, fact in facts.items():
            decision = decide_by_plans(known, seat, given(known, f"if {condition}: stop", seat=seat))
            assert (decision.kind == "ask") is fact, (at, condition)
