"""The cunning cards by hand: what is said of a wrong resolution, witnesses for lower tiers, and undoing through Spy."""

from __future__ import annotations

from tests.games.struggle.shared.family import board
from tests.shared.strategies import CUNNING, NAMES, OTHERWISE, READER
from tests.shared.tables import each_row
from tkid.games.struggle.rules.board import Ban, Position
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.moves import Copy, Place, Play, Reveal, Shift
from tkid.kernel.game import fill_names
from tkid.kernel.problems import Violation
from tkid.notation.plugin import find_turn_reader
from tkid.notation.positions import read_position

EVERY = ", ".join(CUNNING.cards)
PLAYERS = NAMES[:3]
TURNS = find_turn_reader(CUNNING, PLAYERS).read_turn


def given(text: str) -> Position:
    """A position for three in which Ann is to play; everybody holds two of each card."""
    hands = "; ".join(f"{seat} hand {EVERY}, {EVERY}" for seat in (1, 2, 3))
    return board(read_position(f"second-edition-advanced; {text}; 3 court -; {hands}; to play 1")[1])


def violations(position: Position, turn: str, game: Struggle = CUNNING) -> tuple[Violation, ...]:
    """The violations of a turn's card."""
    move = TURNS(turn).moves[0]
    return game.check(position, game.canonical(position, move))


def wrong(position: Position, turn: str, game: Struggle = CUNNING) -> list[tuple[str, str]]:
    """Rule and part of each violation of a turn's card."""
    return [(violation.rule.removeprefix("second."), violation.part) for violation in violations(position, turn, game)]


def texts(position: Position, card: str, game: Struggle = CUNNING) -> list[str]:
    """The legal resolutions as texts."""
    return [fill_names(game.words.resolution(r), PLAYERS) for r in game.cards[card].ladder.list_options(position)]


def after(position: Position, *turns: str) -> Position:
    """The position after some legal turns."""
    for turn in turns:
        for move in TURNS(turn).moves:
            position, _ = CUNNING.play(position, CUNNING.canonical(position, move))
    return position


@each_row(
    ("position", "turn", "rules"),
    [
        ("MOR SW; supply 1S", "Ambush Moray place SS return S", [("action.supply", "placed")]),
        ("MOR SW; supply 1W", "Ambush Moray place W return S", [("card.ambush.faction", "placed")]),
        ("MOR =E; supply 2S", "Ambush Moray place SS return S", [("action.resolved", "region")]),
        ("MOR SW; supply 2S", "Ambush Moray place SS return E", [("action.region", "returned")]),
        ("MOR SW; supply 2S", "Ambush Moray place SS return SW", [("card.ambush.number", "returned")]),
        ("MOR SW; supply 2S", "Ambush Moray place SS", [("card.ambush.number", "returned")]),
        ("MOR SW, STR W", "March SW Moray > Devon", [("card.march.border", "target")]),
        ("MOR SW, STR =W", "March SW Moray > Strathclyde", [("action.resolved", "target")]),
        ("MOR SW", "March SSW Moray > Strathclyde", [("card.march.two", "group"), ("action.region", "group")]),
        ("supply 2S 3W", "Aid SS Moray", [("card.aid.most", "group")]),
        ("supply 2S 2W", "Aid SW Moray", [("card.aid.most", "group")]),
        ("supply 2S 3W; MOR =W", "Aid SS Moray", [("card.aid.most", "group"), ("action.resolved", "region")]),
        ("ESS E, MOR SE", "Influence E Essex <> SE Moray", [("card.influence.english", "take")]),
        ("ESS W, MOR SE", "Influence W Essex <> S Moray", [("card.influence.english", "give")]),
        ("ESS ES", "Influence E Essex <> S Essex", [("card.influence.another", "right")]),
        ("GWY W, MOR WS", "Dispute W Gwynedd <> W Moray", [("card.dispute.welsh", "take")]),
        ("MOR SS, DEV EE", "Edict SS Moray <> EE Devon", [("card.edict.border", "right")]),
        ("supply 2S", "Resist SS Strathclyde", [("card.resist.faction", "group")]),
        ("supply 2W", "Resist WW Devon", [("card.resist.near", "region")]),
        ("supply 2W; LAN WS", "Quell Lancaster return S place WW", [("card.quell.first", "returned")]),
        ("supply -; LAN WS", "Quell Lancaster return W place WW", [("action.supply", "placed")]),
        ("supply 2W; MOR W", "Quell Moray return W place WW", [("card.quell.near", "region")]),
        ("supply 2W; STR SW", "Muster Strathclyde return W place WW", [("card.muster.first", "returned")]),
        ("supply 2W; NOR ESW", "Suppress Northumbria return SW place W", [("card.suppress.first", "returned")]),
        ("supply 2W; NOR ESW", "Suppress Northumbria return ESW place W", [("card.suppress.number", "returned")]),
        ("MOR SS", "Plot S", [("card.plot.never", "")]),
        ("2 played March; MOR SW", "Spy Bob: Aid SS Moray", [("card.spy.top", "copied")]),
        ("2 played March; MOR SW", "Spy Ann: March SW Moray > Strathclyde", [("card.spy.other", "seat")]),
        ("2 played March; MOR SW", "Spy Cal: March SW Moray > Strathclyde", [("card.spy.other", "seat")]),
        ("2 played March, Spy; MOR SW", "Spy Bob: March SW Moray > Strathclyde", [("card.spy.no-spy", "seat")]),
        ("2 played March; MOR SW", "Spy Bob: March SW Moray > Devon", [("card.march.border", "target")]),
        ("2 played March; MOR SW", "Spy nothing", [("partial.in-full", "")]),
        ("2 played Spy; MOR SW", "Spy nothing", []),
        (
            "2 played Negotiate; 1 discs 0",
            "Spy Bob: Negotiate Moray <> Devon, disc Devon",
            [("card.negotiate.disc-left", "disc")],
        ),
        ("2 played Negotiate; 1 discs 0", "Spy Bob: Negotiate Devon <> Moray, no disc", []),
        (
            "2 played Negotiate; 2 discs 0; 1 discs 1",
            "Spy Bob: Negotiate Devon <> Moray, no disc",
            [("partial.in-full", "")],
        ),
    ],
)
def test_every_root_cause_is_named(position: str, turn: str, rules: list[tuple[str, str]]) -> None:
    assert wrong(given(position), turn) == rules


@each_row(
    ("position", "turn", "witness"),
    [
        ("MOR SW; supply 2S", "Ambush Moray place S return S", "Moray place SS return S"),
        ("MOR SW; supply 1S", "Ambush Moray return S", "Moray place S return S"),
        ("MOR SW; supply 2S", "Ambush nothing", "Moray place SS return S"),
        ("MOR SW", "March S Moray > Strathclyde", "SW Moray > Strathclyde"),
        ("MOR S, ESS WE", "March S Moray > Strathclyde", "WE Essex > Northumbria"),
        ("supply 3W", "Aid W Moray", "WW Moray"),
        ("ESS E, MOR SW", "Influence E Essex <> S Moray", "E Essex <> SW Moray"),
        ("GWY W, MOR WS", "Dispute nothing", "W Gwynedd <> S Moray"),
        ("MOR SS, STR W", "Edict S Moray <> W Strathclyde", "SS Moray <> W Strathclyde"),
        ("MOR SS, STR WE", "Edict SS Moray <> W Strathclyde", "SS Moray <> WE Strathclyde"),
        ("MOR SS, STR WE", "Edict S Moray <> WE Strathclyde", "SS Moray <> WE Strathclyde"),
        ("supply 1W 1E", "Resist W Strathclyde", "WE Strathclyde"),
        ("supply 2W; LAN W", "Quell Lancaster place WW", "Lancaster return W place WW"),
        ("supply 2W; LAN S, DEV W", "Quell Lancaster place WW", "Devon return W place WW"),
        ("supply 1W; STR S", "Muster Strathclyde return S place W", "Strathclyde return S place SW"),
        ("supply 2W; NOR ES", "Suppress Northumbria return E place W", "Northumbria return ES place W"),
        ("supply 2W; NOR E, DEV S", "Suppress Devon return S place W", "Northumbria return E place W"),
        ("supply 2W; NOR S", "Suppress Northumbria place W", "Northumbria return S place W"),
        ("2 played March; MOR SW", "Spy Bob: March S Moray > Strathclyde", "Bob: March SW Moray > Strathclyde"),
    ],
)
def test_a_fuller_resolution_is_shown(position: str, turn: str, witness: str) -> None:
    """In full if that can be done anywhere: the message names how, and the nearest such way comes first."""
    (violation,) = violations(given(position), turn)
    assert violation.rule == "second.partial.in-full"
    first = fill_names(CUNNING.words.resolution(violation.alternatives[0]), PLAYERS)
    assert first == witness
    assert fill_names(violation.sentence, PLAYERS) == (
        f"You can do more of the card: {witness.removeprefix('Bob: March ')} is possible"
    )


def test_a_swap_of_two_for_one_is_as_full_as_one_for_two() -> None:
    assert texts(given("MOR SS, STR W"), "Edict") == ["SS Moray <> W Strathclyde"]
    both = given("MOR SS, STR W, GWY S, DEV WE")
    assert texts(both, "Edict") == ["S Gwynedd <> WE Devon", "SS Moray <> W Strathclyde"]


def test_who_is_returned_may_be_placed_again() -> None:
    assert texts(given("MOR =W, GWY =W, LAN W; supply -"), "Quell") == ["Lancaster return W place W"]
    assert texts(given("ESS =S, NOR E; supply -"), "Suppress") == ["nothing"]


@each_row("card", ["Spy", *(card for card in CUNNING.hands.deck if card not in {"Plot", "Spy"})])
def test_a_resolution_of_another_card_is_told_apart(card: str) -> None:
    """By the card's own rule, and what is said is what was written."""
    position = given("MOR SS, STR SE, LAN W, GWY W, NOR EE; supply 3S 3W 3E; 2 played March")
    foreign = Shift((1, 0, 0), 0, 1) if CUNNING.cards[card].form != "shift" else Place((1, 0, 0), 1)
    (violation,) = CUNNING.check(position, Play(card, foreign))
    assert violation.rule == CUNNING.cards[card].rule
    assert violation.sentence == f"{CUNNING.words.resolution(foreign)} is not what this card does"
    assert violation.alternatives[0] in CUNNING.cards[card].ladder.list_options(position)


def test_plot_is_not_even_played_in_vain() -> None:
    position = given("MOR SS")
    for move in (Play("Plot", Place((1, 0, 0), 0)), Reveal("Plot", 0)):
        (violation,) = CUNNING.check(position, move)
        assert violation.rule == "second.card.plot.never"
        assert move not in CUNNING.legal(position)
    assert not any(isinstance(move, Play) and move.card == "Plot" for move in CUNNING.legal(position))


# -- readings -----------------------------------------------------------------------------------------------


def test_both_the_english_followers() -> None:
    position = given("supply 1W; NOR EES")
    assert texts(position, "Suppress") == [
        f"Northumbria return {returned} place {placed}"
        for returned, factions in (("ES", "SWE"), ("EE", "WE"))
        for placed in factions
    ]
    assert texts(position, "Suppress", OTHERWISE) == [f"Northumbria return EE place {placed}" for placed in "WE"]
    assert wrong(position, "Suppress Northumbria return ES place W", OTHERWISE) == [
        ("ruling.suppress-second", "returned")
    ]
    one = given("supply 1W; NOR ES")
    assert texts(one, "Suppress", OTHERWISE) == ["Northumbria return E place W", "Northumbria return E place E"]


def test_which_pile_is_copied() -> None:
    position = given("2 played Resist; 3 played March; MOR =E, DEV SW; supply 2W")
    to_all = [f"Cal: March SW Devon > {name}" for name in ("Gwynedd", "Warwick", "Essex")]
    assert texts(position, "Spy") == ["Bob: Resist nothing", *to_all]
    assert texts(position, "Spy", OTHERWISE) == to_all
    (violation,) = violations(position, "Spy Bob: Resist nothing", OTHERWISE)
    assert (violation.rule, violation.part) == ("second.ruling.spy-pile", "seat")
    assert [type(move) for move in violation.alternatives] == [Copy] * 3
    in_vain = given("2 played Resist; 3 played March; MOR =E; supply 2W")
    for game in (CUNNING, OTHERWISE):
        assert texts(in_vain, "Spy", game) == ["Bob: Resist nothing", "Cal: March nothing"]


# -- undoing ------------------------------------------------------------------------------------------------

MADE = "Manoeuvre S Moray <> E Devon; summon W Essex"
COPIED = "Spy Cal: Manoeuvre S Moray <> E Devon; summon W Essex"
BACK = "Manoeuvre E Moray <> S Devon"
BOARD = "MOR S, DEV E, ESS WWWW, LAN S; supply 3W; 3 played Manoeuvre; 2 played Aid"


def test_a_copied_manoeuvre_may_not_undo() -> None:
    position = after(given(BOARD), MADE)
    for pile in ("Ann", "Cal"):
        assert wrong(position, f"Spy {pile}: {BACK}") == [("card.manoeuvre.undo", "")]
    assert wrong(position, BACK) == [("card.manoeuvre.undo", "")]
    assert f"Ann: {BACK}" not in texts(position, "Spy")
    assert "Ann: Manoeuvre E Moray <> W Essex" in texts(position, "Spy")


def test_a_copied_manoeuvre_may_not_be_undone() -> None:
    """By the next player's Manoeuvre as little as by another copy; its author may."""
    position = after(given(BOARD), COPIED)
    assert position.banned == Ban("Manoeuvre", 0, ((0, (-1, 0, 1)), (7, (1, 0, -1))))
    assert wrong(position, BACK) == [("card.manoeuvre.undo", "")]
    assert wrong(position, f"Spy Cal: {BACK}") == [("card.manoeuvre.undo", "")]
    still = after(position, "Pass")
    assert wrong(still, BACK) == [("card.manoeuvre.undo", "")]
    authors = after(still, "Pass")
    assert authors.to_act == 0
    assert wrong(authors, BACK) == []
    assert wrong(authors, f"Spy Cal: {BACK}") == []


def test_where_only_the_undoing_is_left_nothing_is() -> None:
    bare = "MOR S, DEV E, STR =W, LAN =W, NOR =W, GWY =W, WAR =unstable, ESS W; supply -; 3 played Manoeuvre"
    position = after(given(bare), "Spy Cal: Manoeuvre S Moray <> E Devon; summon W Essex")
    assert texts(position, "Manoeuvre") == ["nothing"]
    assert texts(position, "Spy") == ["Cal: Manoeuvre nothing"]
    assert wrong(position, "Spy Cal: Manoeuvre nothing") == []
    assert wrong(position, "Manoeuvre nothing") == []


def test_any_other_action_lifts_the_ban() -> None:
    """A copied one too; and what it swaps may not be undone in turn."""
    position = after(given(BOARD), MADE, "Pass")
    assert wrong(position, BACK) == [("card.manoeuvre.undo", "")]
    aided = after(position, "Spy Bob: Aid WW Moray; summon W Essex", "Pass")
    assert (aided.to_act, aided.banned) == (1, None)
    assert wrong(aided, BACK) == []
    swapped = after(position, "Spy Ann: Manoeuvre S Lancaster <> W Essex; summon W Essex", "Pass")
    assert wrong(swapped, BACK) == []
    assert wrong(swapped, "Spy Ann: Manoeuvre W Lancaster <> S Essex") == [("card.manoeuvre.undo", "")]


def test_a_copy_of_the_one_does_not_ban_the_other() -> None:
    """Manoeuvre and Outmanoeuvre may undo each other, copied or not; a swap without effect leaves no ban."""
    board = "MOR S, STR E, ESS WWW; 3 played Outmanoeuvre; 2 played Manoeuvre"
    position = after(given(board), "Spy Cal: Outmanoeuvre S Moray <> E Strathclyde; summon W Essex")
    assert position.banned is not None
    assert position.banned.card == "Outmanoeuvre"
    assert wrong(position, "Outmanoeuvre E Moray <> S Strathclyde") == [("card.outmanoeuvre.undo", "")]
    assert wrong(position, "Spy Cal: Outmanoeuvre E Moray <> S Strathclyde") == [("card.outmanoeuvre.undo", "")]
    assert wrong(position, "Manoeuvre E Moray <> S Strathclyde") == []
    alike = after(
        given("MOR S, DEV S, ESS W; 3 played Manoeuvre"), "Spy Cal: Manoeuvre S Moray <> S Devon; summon W Essex"
    )
    assert alike.banned is None
    nothing = after(given("MOR S; 3 played Manoeuvre"), "Spy Cal: Manoeuvre nothing; summon S Moray")
    assert nothing.banned is None


def test_dispute_is_no_manoeuvre() -> None:
    """A swap of colours is never banned, and bans nothing; nor does it undo a Manoeuvre."""
    position = after(
        given("MOR W, DEV E, ESS SS; 3 played Manoeuvre"), "Spy Cal: Manoeuvre W Moray <> E Devon; summon S Essex"
    )
    assert wrong(position, "Dispute W Devon <> E Moray") == []
    disputed = after(position, "Dispute W Devon <> E Moray; summon S Essex")
    assert disputed.banned is None


def test_a_copy_is_told_in_full() -> None:
    """What was copied, from whom; by a basic card's reader it cannot be read at all."""
    position = given(BOARD)
    _, (event,) = CUNNING.play(position, TURNS("Spy Cal: Manoeuvre S Moray <> E Devon").moves[0])
    assert event.read(PLAYERS) == "Ann plays Spy Cal: Manoeuvre S Moray <> E Devon"
    assert event.rule == "second.card.spy"
    assert READER.read_turn("Spy Cal: Manoeuvre S Moray <> E Devon").problems
