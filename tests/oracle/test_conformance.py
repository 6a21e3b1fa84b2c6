"""The conformance suite's answers by the naive oracles, ruleset by ruleset."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.makers.conformance import FOLDER
from tests.oracle import claim, first, manual
from tests.oracle.proper import SET_UPS, proper, proper_claim
from tests.oracle.rulesets import ORACLES
from tests.shared.tables import Test, each_row
from tkid.games.struggle.record.json import read_move_json, read_position_json
from tkid.games.struggle.rules.board import Position
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.moves import Copy, NoSuchResolutionError, Play, Summon
from tkid.kernel.game import fill_names
from tkid.record.json.conformance import Case, read_suite
from tkid.record.json.positions import position_json

CASES = read_suite(FOLDER).cases
PASS = {"move": "pass"}
REVEALED = {"Plot", "Assassination"}
CLAIM = "claim"


def asking(*kinds: str, of: str = "", where: Callable[[Case], bool] = lambda _: True) -> Callable[[Test], Test]:
    """Each case that asks a question of these kinds, about a ruleset whose code begins so; of Claim only where it is named."""
    some = [
        case
        for case in CASES
        if case.question["ask"] in kinds and case.ruleset.startswith(of) and (case.ruleset == CLAIM) == (of == CLAIM)
        if where(case)
    ]
    return each_row("case", some, ids=lambda case: case.number)


def situation(case: Case) -> tuple[Struggle, Position, dict[str, Any]]:
    """The game and the position after the moves of a case, and that in JSON for the oracle."""
    game, position = read_position_json(case.question["position"])
    for value in case.question.get("moves", ()):
        position, _ = game.play(position, game.canonical(position, read_move_json(game, value)))
    written = position_json(game, position) | {"negotiation_discs": list(position.negotiation_discs)}
    return game, position, written


def texts(listed: list[dict[str, Any]]) -> set[str]:
    """The canonical texts of what a case expects."""
    return {each["text"] for each in listed}


def test_every_case_is_looked_at() -> None:
    """The kinds of questions that the tests below ask the oracles."""
    struggle = {"borders", "setup", "dealt", "resolutions", "summons", "legal", "after", "power", "result"}
    tricks = {"setup", "dealt", "cards", "legal", "after", "votes", "result"}
    for case in CASES:
        assert case.question["ask"] in (tricks if case.ruleset == CLAIM else struggle), case.number
        assert case.ruleset == CLAIM or case.ruleset in ORACLES


# -- before the game --------------------------------------------------------------------------------------


@asking("borders")
def test_the_map(case: Case) -> None:
    assert ORACLES[case.ruleset].borders[case.question["region"]] == set(case.expected["borders"])


@asking("setup")
def test_the_numbers_of_the_set_up(case: Case) -> None:
    dealt = ORACLES[case.ruleset].deal(case.question["players"])
    expected = case.expected
    totals = {
        faction: sum(place[faction] for place in (*followers(dealt), *dealt["courts"], dealt["supply"]))
        for faction in dealt["supply"]
    }
    assert expected.get("followers", totals) == totals
    assert expected.get("supply", sum(dealt["supply"].values())) == sum(dealt["supply"].values())
    assert expected.get("court", 2) == sum(dealt["courts"][0].values())
    assert {expected.get("region", 4)} == {sum(there.values()) for there in followers(dealt)}
    assert expected.get("track", 8) == len(dealt["track"])
    drawn = 3 if case.ruleset.endswith("advanced") else 0
    assert expected.get("cunning_dealt", drawn) == (len(dealt["cunning"][0]) if drawn else 0)
    needed = SET_UPS[case.ruleset]
    assert sorted(expected.get("hand", needed.hand)) == sorted(needed.hand)
    assert sorted(expected.get("cunning", needed.drawn)) == sorted(needed.drawn)
    homes = {code: {faction: 2} for code, faction in needed.homes.items()}
    assert expected.get("home", homes) == homes
    black = {code: {"M": 1} for code in needed.black}
    assert expected.get("waiting", black) == black


def followers(dealt: dict[str, Any]) -> list[dict[str, int]]:
    """What stands in each region of a deal."""
    return list(dealt["regions"].values())


@asking("dealt")
def test_what_could_have_been_dealt(case: Case) -> None:
    assert proper(case.question["position"]) == case.expected["proper"]


# -- moves ------------------------------------------------------------------------------------------------


@asking("resolutions")
def test_the_same_resolutions(case: Case) -> None:
    game, _, written = situation(case)
    found = ORACLES[case.ruleset].resolutions(written, case.question["card"], game.readings)
    assert found == texts(case.expected["resolutions"])


@asking("summons")
def test_the_same_summons(case: Case) -> None:
    _, _, written = situation(case)
    assert summons(case, written) == texts(case.expected["summons"])


def summons(case: Case, written: dict[str, Any]) -> set[str]:
    """Who may be summoned, after a card or without one."""
    oracle = ORACLES[case.ruleset]
    return oracle.summons(written) if written["decision"] == "summon" else oracle.taken(written)


@asking("legal")
def test_moves_are_judged_alike(case: Case) -> None:
    game, position, written = situation(case)
    assert allowed(case, game, position, written) == case.expected["legal"]


def allowed(case: Case, game: Struggle, position: Position, written: dict[str, Any]) -> bool:
    """Whether a move is legal, told from the kind of decision, the hand, and what the oracle lists."""
    value, due = case.question["move"], written["decision"]
    if value["move"] == "play":
        held = due == "play" and value["card"] in written["hands"][written["to_act"]]
        if not held or value["card"] in REVEALED:
            return False
        legal = ORACLES[case.ruleset].resolutions(written, value["card"], game.readings)
        try:
            move = game.canonical(position, read_move_json(game, value))
        except NoSuchResolutionError:
            return False
        assert isinstance(move, Play)
        numbers = [str(seat + 1) for seat in position.seats]
        assert isinstance(move.resolution, Copy) == (value["card"] == "Spy")
        return fill_names(game.words.resolution(move.resolution), numbers) in legal
    if value["move"] == "summon":
        summoned = read_move_json(game, value)
        assert isinstance(summoned, Summon)
        return due is not None and game.words.write_summon(summoned.faction, summoned.region) in summons(case, written)
    if value["move"] == "no summon":
        return due == "summon" and summons(case, written) <= {"no summon"} | nobody_may_be_left_out(case, written)
    return bool(due == {"pass": "play", "plot": "plot"}[value["move"]])


def nobody_may_be_left_out(case: Case, written: dict[str, Any]) -> set[str]:
    """Everybody where the oracle lists nobody among them, so that nobody need be summoned; else none."""
    listed = summons(case, written)
    return listed if "no summon" in listed else set()


# -- power struggles and endings --------------------------------------------------------------------------


@asking("result", "after")
def test_the_same_winners_and_struggles(case: Case) -> None:
    game, _, written = situation(case)
    oracle = ORACLES[case.ruleset]
    ending = case.expected.get("ending")
    if ending is not None:
        found, winners = oracle.result(written, game.readings)
        assert found == ending
        assert sorted(winners) == case.expected.get("winners", sorted(winners))
    if all(move == PASS for move in case.question.get("moves", ())):
        before = case.question["position"]["regions"]
        for struggle in written["struggles"]:
            region = before[struggle["region"]]
            assert struggle["outcome"] == (region["disc"] or oracle.struggle(region["followers"]))


@asking("power")
def test_the_factions_are_ranked_alike(case: Case) -> None:
    outcomes = [each["outcome"] for each in case.question["position"]["struggles"]]
    assert ORACLES[case.ruleset].power(outcomes) == case.expected["power"]


def told(case: Case, after: dict[str, Any]) -> dict[str, Any]:
    """Of what a case expects, what a part of the position that follows says of it."""
    found = {}
    for path in case.expected:
        value: Any = after
        for step in path.split("."):
            value = value[int(step)] if isinstance(value, list) else value.get(step) if value else None
        if value is not None or path in after:
            found[path] = value
    return found


def passes_only(case: Case) -> bool:
    """Whether passes are all that happens."""
    return all(move == PASS for move in case.question["moves"])


def struggles(case: Case) -> int:
    """How many power struggles are resolved."""
    _, _, written = situation(case)
    return len(written["struggles"]) - len(case.question["position"]["struggles"])


@asking("after", of="first", where=lambda case: passes_only(case) and struggles(case) == 1)
def test_what_a_power_struggle_leaves(case: Case) -> None:
    """The region's disc, who goes back, and who comes by himself."""
    found = told(case, first.after_struggle(case.question["position"]))
    assert found == {path: case.expected[path] for path in found}
    assert all(path in found for path in case.expected if path.partition(".")[0] in {"regions", "supply"})


@asking("after", of="manual", where=lambda case: struggles(case) > 0 and case.expected.get("to_act") is not None)
def test_who_starts_the_next_power_struggle(case: Case) -> None:
    position = case.question["position"]
    starter = manual.starters(position["starter"], len(position["courts"]), struggles(case))
    assert case.expected["to_act"] == starter


@asking("after", of="manual", where=lambda case: [m["move"] for m in case.question["moves"]] == ["summon"])
def test_what_a_follower_taken_leaves(case: Case) -> None:
    """A follower taken without a card, where it is not the last of all."""
    (move,) = case.question["moves"]
    after = manual.next_position(case.question["position"], f"{move['faction']} {first.NAMES[move['region']]}")
    if not manual.followers(after):
        assert case.expected["decision"] is None
        return
    found = told(case, after)
    assert found == {path: case.expected[path] for path in found}


# -- Claim ------------------------------------------------------------------------------------------------


def held(case: Case) -> tuple[list[claim.Card], claim.Card | None]:
    """The hand of the seat to act, and the led card."""
    position = case.question["position"]
    assert "moves" not in case.question
    hand = [] if position["to_act"] is None else position["hands"][position["to_act"]]
    return list(map(claim.named, hand)), position["led"] and claim.named(position["led"])


@asking("setup", of=CLAIM)
def test_the_pack_of_claim(case: Case) -> None:
    values = {name: sorted(value for each, value in claim.PACK if each == name) for name in claim.FACTIONS}
    size = len(claim.PACK)
    told_of = {"pack": values, "size": size, "hand_size": 13, "deck_size": size - 2 * 13, "teams": [[0], [1]]}
    assert case.expected == {name: told_of[name] for name in case.expected}


@asking("dealt", of=CLAIM)
def test_what_could_have_been_dealt_in_claim(case: Case) -> None:
    assert proper_claim(case.question["position"]) == case.expected["proper"]


@asking("cards", of=CLAIM)
def test_the_same_cards_of_claim(case: Case) -> None:
    expected = list(map(claim.named, case.expected["cards"]))
    assert claim.playable(*held(case)) == set(expected)
    assert len(set(expected)) == len(expected)


@asking("legal", of=CLAIM)
def test_cards_of_claim_are_judged_alike(case: Case) -> None:
    assert (claim.named(case.question["move"]["card"]) in claim.playable(*held(case))) == case.expected["legal"]


@asking("after", of=CLAIM)
def test_what_a_trick_of_claim_leaves(case: Case) -> None:
    """Where the cards go and who leads next; where a card is led, it is the other's turn."""
    position, (move,) = case.question["position"], case.question["moves"]
    if position["led"] is None:
        assert case.expected == {"led": move["card"], "to_act": 1 - position["leader"], "leader": position["leader"]}
        return
    after = claim.after_second(position, move["card"])
    after |= {"phase": 2 if after["prize"] is None else 1, "decision": None if after["to_act"] is None else "play"}
    after["trick"] = 14 - max(map(len, after["hands"]))
    found = told(case, after)
    assert found.keys() == case.expected.keys()
    for path, value in found.items():
        expected = case.expected[path]
        ordered = path == "deck" or not isinstance(value, list)
        assert value == expected if ordered else sorted(value) == sorted(expected), path


@asking("votes", "result", of=CLAIM)
def test_the_same_votes_and_winner_of_claim(case: Case) -> None:
    piles = [list(map(claim.named, pile)) for pile in case.question["position"]["scores"]]
    if "votes" in case.expected:
        assert case.expected["votes"] == {faction: claim.vote(faction, piles) for faction in claim.FACTIONS}
        return
    winner = claim.winner(piles)
    assert case.expected == (
        {"ending": "drawn", "winners": []} if winner is None else {"ending": "votes", "winners": [winner]}
    )
