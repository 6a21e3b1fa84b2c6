"""The King is Dead's part for JSON: positions, moves, and answers to the conformance suite."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from tkid.games.struggle.notation import positions as w
from tkid.games.struggle.rules import moves
from tkid.games.struggle.rules.board import NOWHERE, Board, Position
from tkid.games.struggle.rules.endings import rank_factions
from tkid.games.struggle.rules.game import PASS, Struggle
from tkid.games.struggle.rules.setup import Deal, get_waiting_followers
from tkid.games.struggle.rules.struggles import NO_SUMMON
from tkid.kernel.game import fill_names
from tkid.kernel.ladder import NOTHING
from tkid.record.json import positions
from tkid.record.json.objects import JsonError

ENDS = {"supply": moves.SUPPLY, "court": moves.COURT}
"""The two places of a transfer that are no region: the supply, and the court of the player of the card."""


def make_resolution_json(game: Struggle, resolution: moves.Resolution) -> dict[str, Any]:
    codes = [region.code for region in game.board.regions]
    match resolution:
        case moves.Exchange(first, second, disc):
            return {"cards": [codes[first], codes[second]], "disc": None if disc is None else codes[disc]}
        case moves.Copy(seat, card, copied):
            return {"seat": seat, "card": card, "resolution": make_resolution_json(game, copied)}
        case _:
            letters = [faction.letter for faction in game.board.factions]
            ends = dict(enumerate(codes)) | {place: end for end, place in ENDS.items()}
            return {
                "transfers": [
                    {
                        "followers": {f: n for f, n in zip(letters, group, strict=True) if n},
                        "from": ends[origin],
                        "to": ends[target],
                    }
                    for group, origin, target in moves.list_transfers(resolution)
                    if any(group)
                ]
            }


def make_move_json(game: Struggle, move: moves.Move) -> dict[str, Any]:
    board = game.board
    match move:
        case moves.Play(card, resolution):
            return {"move": "play", "card": card, "resolution": make_resolution_json(game, resolution)}
        case moves.Summon(faction, region):
            return {"move": "summon", "faction": board.factions[faction].letter, "region": board.regions[region].code}
        case moves.Reveal(_, faction):
            return {"move": "plot", "faction": board.factions[faction].letter}
        case _:
            return {"move": "pass" if move == PASS else "no summon"}


def read_move_json(game: Struggle, value: Any) -> moves.Move:
    """Read a move. Raises JsonError for no documented form or unknown names, NoSuchResolutionError for what its card never does."""
    read = _MoveReader(game)
    kind = read.read_attribute(value, "move", str, "move")
    match kind:
        case "pass":
            return PASS
        case "no summon":
            return NO_SUMMON
        case "summon":
            return moves.Summon(read.read_faction(value, "move"), read.read_region(value, "region", "move"))
        case "plot" if game.plot:
            return moves.Reveal(game.plot, read.read_faction(value, "move"))
        case "play":
            card = read.read_card(value, "move")
            return moves.Play(card, read.read_resolution(card, read.read_attribute(value, "resolution", dict, "move")))
        case "plot":
            raise moves.NoSuchResolutionError
    raise JsonError(f"move.move: {kind!r} is not one of pass, play, summon, no summon, plot")


class _MoveReader:
    """A reader of the parts of moves of a game."""

    def __init__(self, game: Struggle) -> None:
        self.game = game
        self.codes = [region.code for region in game.board.regions]
        self.letters = [faction.letter for faction in game.board.factions]

    def read_attribute(self, value: Any, name: str, kind: type, place: str) -> Any:
        """Return an attribute of an object. Raises JsonError if it is missing or of another type."""
        if not isinstance(value, dict):
            raise JsonError(f"{place}: a JSON object belongs here")
        found = value.get(name)
        if type(found) is not kind:
            raise JsonError(f"{place}.{name}: is missing, or of another type than documented")
        return found

    def read_faction(self, value: Any, place: str) -> int:
        letter = self.read_attribute(value, "faction", str, place)
        if letter not in self.letters:
            raise JsonError(f"{place}.faction: {letter} is not one of {', '.join(self.letters)}")
        return self.letters.index(letter)

    def read_region(self, value: Any, name: str, place: str) -> int:
        return self._find_region(self.read_attribute(value, name, str, place), f"{place}.{name}")

    def _find_region(self, code: Any, place: str) -> int:
        if code not in self.codes:
            raise JsonError(f"{place}: {code} is not one of {', '.join(self.codes)}")
        return self.codes.index(code)

    def read_card(self, value: Any, place: str) -> str:
        """Read a card of the edition, in this game or not."""
        card: str = self.read_attribute(value, "card", str, place)
        if card not in self.game.cards and card not in self.game.absent:
            raise JsonError(f"{place}.card: {card} is not a card of {self.game.code}")
        return card

    def read_resolution(self, card: str, value: Mapping[str, Any]) -> moves.Resolution:
        """Read the resolution of a card; that of a card that is not in this game is `nothing`."""
        if value.get("transfers") == [] or card in self.game.absent:
            return NOTHING
        form = self.game.cards[card].form
        if form == "exchange":
            return self._read_exchange(value)
        if form == "copy":
            copied = self.read_card(value, "resolution")
            if copied not in self.game.cards or self.game.cards[copied].form in {"copy", "reveal"}:
                raise moves.NoSuchResolutionError
            inner = self.read_resolution(copied, self.read_attribute(value, "resolution", dict, "resolution"))
            return moves.Copy(self.read_attribute(value, "seat", int, "resolution"), copied, inner)
        if form not in moves.FORMS:
            raise moves.NoSuchResolutionError
        return moves.find_resolution(form, moves.Flow.from_transfers(self._read_transfers(value), len(self.letters)))

    def _read_exchange(self, value: Mapping[str, Any]) -> moves.Resolution:
        cards = [self._find_region(code, "cards") for code in self.read_attribute(value, "cards", list, "resolution")]
        if len(cards) != 2:
            raise moves.NoSuchResolutionError
        disc = value.get("disc")
        return moves.Exchange(cards[0], cards[1], None if disc is None else self._find_region(disc, "disc"))

    def _read_transfers(self, value: Mapping[str, Any]) -> Iterator[moves.Transfer]:
        for transfer in self.read_attribute(value, "transfers", list, "resolution"):
            origin, target = (self._read_place(transfer, name) for name in ("from", "to"))
            counts = self.read_attribute(transfer, "followers", dict, "transfers")
            if not set(counts) <= set(self.letters) or any(
                type(n) is not int or not 0 <= n <= w.MOST for n in counts.values()
            ):
                raise JsonError("transfers.followers: counts by the letters of factions belong here")
            yield moves.Transfer(tuple(counts.get(letter, 0) for letter in self.letters), origin, target)

    def _read_place(self, transfer: Any, name: str) -> moves.Where:
        code = self.read_attribute(transfer, name, str, "transfers")
        return ENDS[code] if code in ENDS else self._find_region(code, name)


class StruggleJson(positions.DataJson):
    """Positions of The King is Dead as JSON, and questions about them."""

    asked = ("borders", "setup", "dealt", "resolutions", "summons", "legal", "after", "power", "result")

    def legal_json(self, game: Struggle, position: Position) -> dict[str, Any]:
        """Report whether a pass is legal, and the number of ways to play each card, and of summonses without one."""
        if position.decision != "play" or position.to_act is None:
            return {"pass": False, "cards": {}}
        cards = {card: len(game.list_options(position, card)) for card in _list_held(game, position)}
        return _describe_plays(game, position, cards, len(game.summons.list_without_action(position)))

    def legal_texts(self, game: Struggle, position: Position) -> dict[str, Any]:
        if position.decision == "plot":
            plots = [game.words.write_move(move).removeprefix(f"{game.plot} ") for move in game.legal(position)]
            return {"plots": plots}
        if position.decision == "summon":
            return {"summons": _write_summonses(game, game.legal(position))}
        if position.to_act is None:
            return {"pass": False, "cards": {}}
        cards = {card: self.list_resolutions(game, position, card) for card in _list_held(game, position)}
        summonses = _write_summonses(game, game.summons.list_without_action(position))
        return _describe_plays(game, position, cards, summonses)

    def find_card(self, game: Struggle, typed: str) -> str | None:
        return typed if typed in game.cards else None

    def list_resolutions(self, game: Struggle, position: Position, card: str) -> list[str]:
        """List the legal resolutions of a card. Players are numbers of seats, from 1, as there are no names."""
        numbers = [str(seat + 1) for seat in position.seats]
        return [fill_names(game.words.resolution(each), numbers) for each in game.list_options(position, card)]

    def explain_undecided(self, game: Struggle, position: Position) -> str:
        if position.decision == "plot":
            return f"position.plot: the faction that {game.plot} counts for decides, and is missing"
        return super().explain_undecided(game, position)

    def read_position(self, value: Any) -> tuple[Struggle, Position]:
        game, position = self.read_position_json(value)
        if position.decision == "play" and position.contested is None:
            raise JsonError("position.decision: every region is resolved, so no player can play")
        return game, position

    def read_move(self, game: Struggle, position: Position, value: Any) -> moves.Move | None:
        """Read a move; None if its card can do nothing of the kind."""
        try:
            move = read_move_json(game, value)
        except moves.NoSuchResolutionError:
            return None
        if (
            isinstance(move, moves.Play)
            and isinstance(move.resolution, moves.Copy)
            and move.resolution.seat not in position.seats
        ):
            raise JsonError(f"resolution.seat: there is no seat {move.resolution.seat}")
        return move

    def write_move(self, game: Struggle, move: moves.Move) -> dict[str, Any]:
        return make_move_json(game, move)

    def find_broken_rules(self, game: Struggle, position: Position, move: moves.Move) -> list[str]:
        if isinstance(move, moves.Play) and move.card in game.absent:
            return [game.ids(game.absent[move.card])]
        return super().find_broken_rules(game, position, move)

    def borders(self, question: positions.Question) -> positions.Answer:
        board: Board = positions.find_question_game(question).board
        codes = [region.code for region in board.regions]
        code = question.get("region")
        if code not in codes:
            raise JsonError(f"region: one of {', '.join(codes)} belongs here")
        return {"borders": [codes[other] for other in board.neighbours[codes.index(code)]]}

    def setup(self, question: positions.Question) -> positions.Answer:
        game: Struggle = positions.find_question_game(question)
        players = question.get("players")
        if type(players) is not int or players not in game.parties:
            raise JsonError(f"players: one of {', '.join(map(str, game.parties))} belongs here")
        setup, board, hands = game.setup, game.board, game.hands
        letters = [faction.letter for faction in board.factions]
        total = setup.count_all_followers(board, players)
        attributes = {
            "followers": dict(zip(letters, total, strict=True)),
            "home": {
                board.regions[home].code: {letter: setup.home}
                for letter, home in zip(letters, board.homes, strict=True)
                if home != NOWHERE
            },
            "waiting": {
                region.code: {letter: n for letter, n in zip(letters, group, strict=True) if n}
                for region, group in zip(board.regions, get_waiting_followers(setup, board), strict=True)
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
        return positions.pick_attributes(question, attributes)

    def dealt(self, question: positions.Question) -> positions.Answer:
        game, position = self.read_position_json(question.get("position"))
        if position.to_act is None:
            return {"proper": False, "rules": [game.ids("setup.first")]}
        deal = Deal(position.regions, position.supply, position.courts, position.hands, position.track, position.to_act)
        broken = [violation.rule for violation in game.find_faults(deal)]
        start = game.start(game.seat_players(tuple(map(str, position.seats))), deal)
        if start != position:
            broken.append(game.ids("setup.discs"))
        return {"proper": not broken, "rules": broken}

    def resolutions(self, question: positions.Question) -> positions.Answer:
        game, position = self.find_situation(question)
        card = question.get("card")
        if not isinstance(card, str) or card not in game.cards:
            raise JsonError(f"card: {card!r} is not a card of {game.code}")
        if position.to_act is None:
            raise JsonError("position: the game is over")
        texts, options = self.list_resolutions(game, position, card), game.list_options(position, card)
        pairs = zip(texts, options, strict=True)
        return {"resolutions": [{"text": text, **make_resolution_json(game, each)} for text, each in pairs]}

    def summons(self, question: positions.Question) -> positions.Answer:
        game, position = self.find_situation(question)
        alone = position.decision == "play" and game.summons.alone
        if position.decision != "summon" and not alone:
            raise JsonError("position: there is nothing to summon now")
        board, nobody = game.board, game.summons.optional
        summonses = list[dict[str, str | None]]()
        for move in game.legal(position):
            if isinstance(move, moves.Summon):
                text, region = game.words.write_summon(move.faction, move.region), board.regions[move.region]
                summonses.append({"text": text, "faction": board.factions[move.faction].letter, "region": region.code})
            elif nobody and move == NO_SUMMON:
                summonses.append({"text": game.words.write_move(move), "faction": None, "region": None})
        return {"summons": summonses}

    def power(self, question: positions.Question) -> positions.Answer:
        game, position = self.find_situation(question)
        return {"power": [game.board.factions[faction].letter for faction in rank_factions(position, game.board.apart)]}


def _list_held(game: Struggle, position: Position) -> list[str]:
    return [card for card in dict.fromkeys(position.hands[position.actor]) if card in game.cards]


def _describe_plays(game: Struggle, position: Position, cards: dict[str, Any], summonses: Any) -> dict[str, Any]:
    """Return what may be played, and the summonses without a card if the ruleset has such turns."""
    alone = {"summons": summonses} if game.summons.alone else {}
    return {"pass": True, "cards": cards, **positions.count_unknown_cards(position), **alone}


def _write_summonses(game: Struggle, legal: Iterable[moves.Move]) -> list[str]:
    """Write the followers who may be summoned; `no summon` for none."""
    return [game.words.write_move(move).removeprefix("summon ") for move in legal]


PLUGIN = StruggleJson(
    w.PositionData,
    w.make_struggle_position_data,
    w.make_struggle_position,
    ("negotiation_discs", "rulings", "plot", "starter"),
)
read_position_json = PLUGIN.read_position_json
