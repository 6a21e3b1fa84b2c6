"""Claim's part for JSON: positions, moves, and answers to the conformance suite."""

from __future__ import annotations

from typing import Any

from tkid.games.claim import rules
from tkid.games.claim.notation import positions as w
from tkid.games.claim.rules import FACTIONS, HAND, NAMES, PACK, PLAYS, SEATS, Claim, Deal, Play, Position
from tkid.record.json.objects import JsonError, truncate_value
from tkid.record.json.positions import Answer, DataJson, Question, find_question_game, pick_attributes


class ClaimJson(DataJson):
    """Positions of Claim as JSON, and questions about them."""

    asked = ("setup", "dealt", "cards", "legal", "after", "votes", "result")

    def read_move(self, game: Claim, _: Position, value: Any) -> Play:
        if not isinstance(value, dict) or value.get("move") != "play":
            raise JsonError('move: {"move": "play", "card": "Goblin 5"} belongs here')
        card = value.get("card")
        if not isinstance(card, str) or card not in game.cards:
            raise JsonError(f"move.card: {truncate_value(card)} is not a card of {game.code}")
        return PLAYS[game.cards[card]]

    def write_move(self, game: Claim, move: Play) -> dict[str, str]:  # noqa: ARG002 - other games need it
        return {"move": "play", "card": NAMES[move.card]}

    def setup(self, question: Question) -> Answer:
        game: Claim = find_question_game(question)
        players = question.get("players")
        if type(players) is not int or players not in game.parties:
            raise JsonError(f"players: {SEATS} belongs here")
        attributes = {
            "pack": {faction.name: sorted(faction.values) for faction in FACTIONS.values()},
            "size": len(PACK),
            "hand_size": HAND,
            "deck_size": len(PACK) - HAND * SEATS,
            "teams": [list(party) for party in game.parties[players]],
        }
        return pick_attributes(question, attributes)

    def dealt(self, question: Question) -> Answer:
        game, position = self.read_position_json(question.get("position"))
        if position.leader is None or position.prize is None:
            return {"proper": False, "rules": [game.ids("recruit.reveal")]}
        deal = Deal(position.hands, (position.prize, *position.deck), position.leader)
        broken = [violation.rule for violation in game.find_faults(deal)]
        start = game.start(game.seat_players(tuple(map(str, position.seats))), deal)
        if not broken and start != position:
            broken.append(game.ids("trick.lead"))
        return {"proper": not broken, "rules": broken}

    def cards(self, question: Question) -> Answer:
        game, position = self.find_situation(question)
        if position.to_act is None:
            raise JsonError("position: the game is over")
        return {"cards": [NAMES[move.card] for move in game.legal(position)]}

    def votes(self, question: Question) -> Answer:
        _, position = self.find_situation(question)
        return {"votes": {vote.faction.name: vote.seat for vote in rules.list_votes(position.scores)}}


PLUGIN = ClaimJson(w.PositionData, w.write_claim_data, w.read_claim_data, ("rulings",))
