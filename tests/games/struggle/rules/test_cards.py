"""Cards by hand: what each ladder offers in a position that can be seen through, and what is said of a wrong one."""

from __future__ import annotations

import pytest

from tests.games.struggle.shared.family import board, struggle
from tests.shared.strategies import GAME, READER
from tests.shared.tables import each_row
from tkid.games.struggle.rules.board import Ban, Position
from tkid.games.struggle.rules.facts import list_card_places
from tkid.games.struggle.rules.moves import Exchange, Move, Place, Play, Spread, Swap
from tkid.kernel.ladder import NOTHING
from tkid.kernel.problems import Violation
from tkid.notation.positions import read_position
from tkid.rulebook.rulesets import Ruleset, rulesets

FULL = "1 hand Scottish, Welsh, English, Assemble, Negotiate, Manoeuvre, Outmanoeuvre"


def given(text: str) -> Position:
    """A position of the second edition; seat 1 is to play and holds every card."""
    return board(read_position(f"second-edition; {text}; {FULL}")[1])


def texts(position: Position, card: str) -> list[str]:
    """The legal resolutions as texts."""
    return [GAME.words.resolution(r) for r in GAME.cards[card].ladder.list_options(position)]


def wrong(position: Position, turn: str) -> list[tuple[str, str]]:
    """Rule and part of each violation of a turn's card."""
    return [(violation.rule.removeprefix("second."), violation.part) for violation in violations(position, turn)]


def violations(position: Position, turn: str) -> tuple[Violation, ...]:
    """The violations of a turn's card."""
    move: Move = READER.read_turn(turn).moves[0]
    return struggle(GAME).check(position, GAME.canonical(position, move))


OTHERS_RESOLVED = "STR =W, LAN =W, NOR =W, GWY =E, WAR =unstable, ESS =W, DEV =E"


@each_row(
    ("position", "card", "legal"),
    [
        ("supply 2S", "Scottish Support", ["SS Strathclyde"]),
        ("supply 5S; MOR =E", "Scottish Support", ["nothing"]),
        ("supply 5S; MOR =E, DEV =S", "Scottish Support", ["SS Gwynedd", "SS Warwick", "SS Essex"]),
        ("supply 1S", "Scottish Support", ["S Strathclyde"]),
        ("supply 5W", "Scottish Support", ["nothing"]),
        ("supply 2W; GWY S, LAN =unstable", "Welsh Support", ["WW Warwick", "WW Devon"]),
        ("supply 3E; NOR =W, WAR =W", "English Support", ["EE Devon"]),
        (f"supply 1S 1E; {OTHERS_RESOLVED}", "Assemble", ["S Moray, E Moray"]),
        (f"supply -; {OTHERS_RESOLVED}", "Assemble", ["nothing"]),
        (f"MOR SS; {OTHERS_RESOLVED}", "Manoeuvre", ["nothing"]),
        ("STR SE, ESS S", "Manoeuvre", ["S Strathclyde <> S Essex", "E Strathclyde <> S Essex"]),
        ("MOR S, STR SE", "Outmanoeuvre", ["S Moray <> SE Strathclyde"]),
        ("MOR S, STR E", "Outmanoeuvre", ["S Moray <> E Strathclyde"]),
        ("MOR S, ESS EE", "Outmanoeuvre", ["nothing"]),
        ("MOR SS, STR E, ESS WW, DEV W", "Outmanoeuvre", ["E Strathclyde <> SS Moray", "W Devon <> WW Essex"]),
    ],
)
def test_what_is_legal(position: str, card: str, legal: list[str]) -> None:
    assert sorted(texts(given(position), card)) == sorted(legal)


NEGOTIATE = f"{OTHERS_RESOLVED.replace('DEV =E', 'DEV S')}; track STR LAN NOR GWY WAR ESS MOR DEV"


def test_negotiating_needs_two_cards_and_a_disc() -> None:
    position = given(NEGOTIATE)
    assert texts(position, "Negotiate") == ["Moray <> Devon, disc Moray", "Moray <> Devon, disc Devon"]
    used = position.replace(negotiation_discs=(0, 1))
    assert texts(used, "Negotiate") == ["Moray <> Devon, no disc"]
    assert texts(position.replace(negotiated=frozenset({7})), "Negotiate") == ["nothing"]
    assert wrong(position, "Negotiate Moray <> Devon, no disc") == [("partial.in-full", "")]
    assert wrong(used, "Negotiate Moray <> Devon, disc Moray") == [("card.negotiate.disc-left", "disc")]
    assert wrong(position, "Negotiate Moray <> Devon, disc Essex") == [("card.negotiate.disc", "disc")]
    assert wrong(position, "Negotiate Moray <> Devon, disc Strathclyde") == [("card.negotiate.disc", "disc")]
    (violation,) = violations(used, "Negotiate Moray <> Devon, disc Strathclyde")
    assert (violation.rule, violation.sentence) == ("second.card.negotiate.disc-left", "no disc is placed here")
    assert wrong(position, "Negotiate Essex <> Moray, disc Moray") == [("card.negotiate.face-up", "first")]
    assert wrong(position, "Negotiate Moray <> Moray, disc Moray") == [("card.negotiate.two-cards", "second")]
    assert wrong(position, "Negotiate nothing") == [("partial.in-full", "")]


@each_row(
    ("position", "turn", "rules"),
    [
        ("supply 5S 5W", "Scottish Support SW Strathclyde", [("card.support.faction", "group")]),
        ("supply 5S", "Scottish Support SSS Strathclyde", [("card.support.two", "group")]),
        ("supply 5S", "Scottish Support S Strathclyde", [("partial.in-full", "")]),
        ("supply 1S", "Scottish Support SS Strathclyde", [("action.supply", "group")]),
        ("supply 5S", "Scottish Support SS Devon", [("card.support.near", "region")]),
        ("supply 5S; STR =E", "Scottish Support SS Strathclyde", [("action.resolved", "region")]),
        (
            "supply 5S; STR =E",
            "Scottish Support S Devon",
            [("card.support.near", "region")],
        ),
        ("supply 5S; ESS =S, NOR S", "Scottish Support S Devon", [("partial.in-full", "")]),
        ("supply 1S", "Assemble S Moray, W Moray", [("action.supply", "region of Welsh")]),
        ("supply 1S 1W", "Assemble S Moray", [("card.assemble.each", "region of Welsh")]),
        ("supply 1S; MOR =S", "Assemble S Moray", [("action.resolved", "region of Scottish")]),
        ("MOR S, STR S", "Manoeuvre S Moray <> S Moray", [("card.manoeuvre.another", "right")]),
        ("MOR SS, STR S", "Manoeuvre SS Moray <> S Strathclyde", [("card.manoeuvre.number", "take")]),
        ("MOR S, STR S", "Manoeuvre E Moray <> S Strathclyde", [("action.region", "give")]),
        (
            "MOR S, STR S, DEV =E",
            "Manoeuvre S Moray <> E Devon",
            [("action.resolved", "right"), ("action.region", "take")],
        ),
        ("MOR S, STR S", "Manoeuvre nothing", [("partial.in-full", "")]),
        ("MOR S, DEV SS", "Outmanoeuvre S Moray <> SS Devon", [("card.outmanoeuvre.border", "right")]),
        ("MOR S, STR SS", "Outmanoeuvre S Moray <> S Strathclyde", [("partial.in-full", "")]),
        (
            "MOR S, STR SS, DEV E",
            "Outmanoeuvre S Moray <> E Devon",
            [("card.outmanoeuvre.border", "right"), ("partial.in-full", "")],
        ),
        ("MOR SS, STR SS", "Outmanoeuvre SS Moray <> SS Strathclyde", [("card.outmanoeuvre.number", "give")]),
    ],
)
def test_every_root_cause_is_named(position: str, turn: str, rules: list[tuple[str, str]]) -> None:
    assert wrong(given(position), turn) == rules


def test_a_fuller_resolution_is_shown() -> None:
    (violation,) = violations(given("supply 5S"), "Scottish Support S Strathclyde")
    assert violation.alternatives == (Place((2, 0, 0), 1),)
    assert violation.sentence == "You can do more of the card: SS Strathclyde is possible"
    (violation,) = violations(given("MOR S, STR SW, ESS E, DEV EE"), "Outmanoeuvre S Moray <> W Strathclyde")
    assert violation.alternatives[0] == Swap(0, 1, (1, 0, 0), (1, 1, 0))
    (violation,) = violations(given("supply 5S; MOR =E"), "Scottish Support SS Strathclyde")
    assert violation.alternatives == (NOTHING,)


@pytest.mark.parametrize("resolution", [Place((1, 0, 0), 0), Exchange(0, 1, None), Spread((0, None, None))])
def test_a_resolution_of_another_card_is_told_apart(resolution: Place | Exchange | Spread) -> None:
    position = given("MOR S, STR S; supply 3S 3W 3E")
    (violation,) = GAME.check(position, Play("Manoeuvre", resolution))
    assert violation.rule == "second.card.manoeuvre"
    assert violation.sentence == f"{GAME.words.resolution(resolution)} is not what this card does"
    assert violation.alternatives == (Swap(0, 1, (1, 0, 0), (1, 0, 0)),)


@pytest.mark.parametrize(("card", "local"), [(c, GAME.cards[c].rule) for c in GAME.cards])
def test_every_card_tells_what_it_is_not(card: str, local: str) -> None:
    """A resolution that no tier of a card has is told by the card's own rule."""
    position = given("MOR S, STR S; supply 3S 3W 3E")
    other = Spread((0, None, None)) if card != "Assemble" else Place((1, 0, 0), 0)
    (violation,) = GAME.check(position, Play(card, other))
    assert violation.rule == local
    assert local.startswith("second.card.")


def test_a_spread_of_nothing_is_nothing() -> None:
    position = given("supply -")
    assert GAME.canonical(position, Play("Assemble", Spread((None, None, None)))) == Play("Assemble", NOTHING)
    assert GAME.canonical(position, Play("Assemble", Spread((0, None, None)))) == Play(
        "Assemble", Spread((0, None, None))
    )


def test_a_swap_leaves_a_ban_for_everybody_else() -> None:
    after, _ = GAME.play(given("MOR S, STR E"), READER.read_turn("Manoeuvre S Moray <> E Strathclyde").moves[0])
    assert after.banned == Ban("Manoeuvre", 0, ((0, (-1, 0, 1)), (1, (1, 0, -1))))
    after, _ = GAME.play(given("MOR S, STR S"), READER.read_turn("Manoeuvre S Moray <> S Strathclyde").moves[0])
    assert after.banned is None


BANNED = "MOR SE, STR SE; 2 hand Manoeuvre; banned {card} by {by}: MOR {moray}, STR {strathclyde}"


@pytest.mark.parametrize(
    ("card", "by", "moray", "strathclyde", "turn", "barred"),
    [
        ("Manoeuvre", 2, "+S-E", "-S+E", "Manoeuvre S Moray <> E Strathclyde", True),
        ("Manoeuvre", 2, "+S-E", "-S+E", "Manoeuvre E Strathclyde <> S Moray", True),
        ("Manoeuvre", 2, "+S-E", "-S+E", "Manoeuvre E Moray <> S Strathclyde", False),
        ("Manoeuvre", 2, "+S-E", "-S+E", "Manoeuvre S Moray <> S Strathclyde", False),
        ("Manoeuvre", 1, "+S-E", "-S+E", "Manoeuvre S Moray <> E Strathclyde", False),
        ("Outmanoeuvre", 2, "+S-E", "-S+E", "Manoeuvre S Moray <> E Strathclyde", False),
        ("Outmanoeuvre", 2, "+S", "-S", "Outmanoeuvre E Strathclyde <> SE Moray", True),
        ("Outmanoeuvre", 2, "+S", "-S", "Outmanoeuvre S Strathclyde <> SE Moray", False),
        ("Outmanoeuvre", 2, "+E", "-E", "Outmanoeuvre S Strathclyde <> SE Moray", True),
    ],
)
def test_undoing(card: str, by: int, moray: str, strathclyde: str, turn: str, *, barred: bool) -> None:
    position = given(BANNED.format(card=card, by=by, moray=moray, strathclyde=strathclyde))
    rule = f"card.{card.lower()}.undo"
    assert ((rule, "") in wrong(position, turn)) == barred
    assert (turn.partition(" ")[2] in texts(position, turn.partition(" ")[0])) == (
        not barred and "E Strathclyde <> S" not in turn
    )


def test_a_ban_leaves_the_other_full_swaps_due() -> None:
    """One full swap would undo; another one is possible, so a partial one is not."""
    position = given("MOR S, STR EE, LAN S; 2 hand Manoeuvre; banned Outmanoeuvre by 2: MOR -2E+S, STR +2E-S")
    assert texts(position, "Outmanoeuvre") == ["S Lancaster <> EE Strathclyde"]
    assert wrong(position, "Outmanoeuvre S Moray <> E Strathclyde") == [("partial.in-full", "")]


def test_a_tier_that_only_undoing_is_left_of_is_empty() -> None:
    """The full swap would undo, so the partial one is legal."""
    position = given("MOR S, STR EE; 2 hand Manoeuvre; banned Outmanoeuvre by 2: MOR -2E+S, STR +2E-S")
    assert texts(position, "Outmanoeuvre") == ["S Moray <> E Strathclyde"]
    assert wrong(position, "Outmanoeuvre S Moray <> EE Strathclyde") == [("card.outmanoeuvre.undo", "")]
    assert wrong(position, "Outmanoeuvre S Moray <> E Strathclyde") == []


@pytest.mark.parametrize(
    ("position", "turn", "sentence"),
    [
        (
            "supply 5S",
            "Scottish Support SS Devon",
            "Devon borders neither Moray nor a region controlled by the Scots",
        ),
        (
            "supply 5S",
            "Scottish Support SS Moray",
            "Moray is the home of the Scots: only regions beside it count, and it borders no region controlled by the Scots",
        ),
        (
            "supply 5S; MOR =E, NOR =S",
            "Scottish Support SS Devon",
            "Devon borders no region controlled by the Scots",
        ),
        (
            "MOR S, DEV SS",
            "Outmanoeuvre S Devon <> SS Moray",
            "Moray does not border Devon, which borders Gwynedd, Warwick, Essex",
        ),
        ("supply 5S; STR =unstable", "Scottish Support SS Strathclyde", "Strathclyde is resolved (unstable)"),
        (
            "MOR SSW, STR S",
            "Manoeuvre E Moray <> S Strathclyde",
            "Moray has 2S 1W, so you cannot take E",
        ),
        ("supply 1S", "Assemble S Moray, W Moray", "the supply has no Welsh follower to place"),
        ("supply 1S 1W", "Assemble S Moray", "Welsh followers are in the supply, so one must be placed too"),
        ("supply 2S 1W", "Scottish Support SW Strathclyde", "only Scottish followers (S) are placed, not SW"),
    ],
)
def test_the_sentence_says_why(position: str, turn: str, sentence: str) -> None:
    told = violations(given(position), turn)[0].sentence
    assert told.removesuffix(", so nothing can change there") == sentence


@each_row("entry", [each for each in rulesets() if each.game_name == "struggle"])
def test_where_a_card_works_is_everywhere_or_beside_the_home(entry: Ruleset) -> None:
    game = entry.game()
    board = game.board
    found = list(list_card_places(game))
    assert {each.card for each in found} >= {name for name in game.hands.same if game.cards[name].form == "place"}
    for each in found:
        home = next((place for place in range(len(board.regions)) if board.name_region(place) == each.home), None)
        beside = (
            range(len(board.regions)) if not each.people else () if home is None else sorted(board.neighbours[home])
        )
        assert each.regions == tuple(map(board.name_region, beside)), each
