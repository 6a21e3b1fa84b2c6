"""The conformance suite about The King is Dead: what may be asked, and the engine's answers."""

from __future__ import annotations

from typing import Any

from tkid.games.struggle.record.json import read_position_json
from tkid.games.struggle.record.moves_json import read_move_json, resolution_json
from tkid.games.struggle.rules.board import NOWHERE, Board
from tkid.games.struggle.rules.endings.ending import ranking
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.moves import Copy, Move, Play, Summon
from tkid.games.struggle.rules.position import Position
from tkid.games.struggle.rules.setup import Deal
from tkid.games.struggle.rules.transfers import NoSuchResolutionError
from tkid.games.struggle.rules.turns.summoning import NO_SUMMON
from tkid.kernel.game import with_names
from tkid.record.json.conformance import Answer, GameQuestions, Question, game_of, picked
from tkid.record.json.objects import JsonError


class StruggleQuestions(GameQuestions):
    """What may be asked about The King is Dead."""

    asked = ("borders", "setup", "dealt", "resolutions", "summons", "legal", "after", "power", "result")

    def position(self, value: Any) -> tuple[Struggle, Position]:
        """The game and the position of a JSON object, in which somebody can decide something."""
        game, position = read_position_json(value)
        if position.decision == "play" and position.contested is None:
            raise JsonError("position.decision: every region is resolved, so nobody can play")
        return game, position

    def move(self, game: Struggle, position: Position, value: Any) -> Move | None:
        """A move; None where its card can do nothing of the kind."""
        try:
            move = read_move_json(game, value)
        except NoSuchResolutionError:
            return None
        if isinstance(move, Play) and isinstance(move.resolution, Copy) and move.resolution.seat not in position.seats:
            raise JsonError(f"resolution.seat: there is no seat {move.resolution.seat}")
        return move

    def broken(self, game: Struggle, position: Position, move: Move) -> list[str]:
        """The rules that a move breaks."""
        if isinstance(move, Play) and move.card in game.absent:
            return [game.ids(game.absent[move.card])]
        return [violation.rule for violation in game.check(position, move)]

    def borders(self, question: Question) -> Answer:
        """The regions that border on one."""
        board: Board = game_of(question).board
        codes = [region.code for region in board.regions]
        code = question.get("region")
        if code not in codes:
            raise JsonError(f"region: one of {', '.join(codes)} belongs here")
        return {"borders": [codes[other] for other in board.neighbours[codes.index(code)]]}

    def setup(self, question: Question) -> Answer:
        """How the game is set up."""
        game: Struggle = game_of(question)
        players = question.get("players")
        if type(players) is not int or players not in game.parties:
            raise JsonError(f"players: one of {', '.join(map(str, game.parties))} belongs here")
        setup, board, hands = game.setup, game.board, game.hands
        letters = [faction.letter for faction in board.factions]
        total = setup.total(board, players)
        attributes = {
            "followers": dict(zip(letters, total, strict=True)),
            "home": {
                board.regions[home].code: {letter: setup.home}
                for letter, home in zip(letters, board.homes, strict=True)
                if home != NOWHERE
            },
            "waiting": {
                region.code: {letter: n for letter, n in zip(letters, group, strict=True) if n}
                for region, group in zip(board.regions, setup.waiting(board), strict=True)
                if any(group)
            },
            "region": setup.region,
            "court": setup.court,
            "supply": sum(total) - setup.court * players - setup.region * len(board.regions),
            "negotiation_discs": setup.negotiation_discs,
            "instability_discs": game.invaders,
            "track": len(board.regions),
            "hand": list(hands.same),
            "cunning": list(hands.deck),
            "cunning_dealt": hands.dealt,
            "teams": [list(party) for party in game.parties[players]],
        }
        return picked(question, attributes)

    def dealt(self, question: Question) -> Answer:
        """Whether a position is one that a deal brings."""
        game, position = read_position_json(question.get("position"))
        if position.to_act is None:
            return {"proper": False, "rules": [game.ids("setup.first")]}
        deal = Deal(position.regions, position.supply, position.courts, position.hands, position.track, position.to_act)
        broken = [violation.rule for violation in game.faults(deal)]
        start = game.start(game.table(tuple(map(str, position.seats))), deal)
        if start != position:
            broken.append(game.ids("setup.discs"))
        return {"proper": not broken, "rules": broken}

    def resolutions(self, question: Question) -> Answer:
        """The legal resolutions of a card."""
        game, position = self.situation(question)
        card = question.get("card")
        if not isinstance(card, str) or card not in game.cards:
            raise JsonError(f"card: {card!r} is not a card of {game.code}")
        if position.to_act is None:
            raise JsonError("position: the game is over")
        numbers = [str(seat + 1) for seat in position.seats]
        return {
            "resolutions": [
                {"text": with_names(game.words.resolution(each), numbers), **resolution_json(game, each)}
                for each in game.options(position, card)
            ]
        }

    def summons(self, question: Question) -> Answer:
        """The followers that may be summoned."""
        game, position = self.situation(question)
        alone = position.decision == "play" and game.summons.alone
        if position.decision != "summon" and not alone:
            raise JsonError("position: there is nothing to summon now")
        board, nobody = game.board, game.summons.optional
        moves = (move for move in game.legal(position) if isinstance(move, Summon) or (nobody and move == NO_SUMMON))
        return {
            "summons": [
                {
                    "text": game.words.summon(move.faction, move.region),
                    "faction": board.factions[move.faction].letter,
                    "region": board.regions[move.region].code,
                }
                if isinstance(move, Summon)
                else {"text": game.words.move(move), "faction": None, "region": None}
                for move in moves
            ]
        }

    def power(self, question: Question) -> Answer:
        """The factions in the order of their power."""
        game, position = self.situation(question)
        return {"power": [game.board.factions[faction].letter for faction in ranking(position, game.board.apart)]}


PLUGIN = StruggleQuestions()
