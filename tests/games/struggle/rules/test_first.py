"""The first edition: its worked examples, its names in writing, its piles, its set-up, its tokens; and Mordred."""

from __future__ import annotations

import re
from random import Random

import pytest

from tests.games.struggle.shared.family import board
from tests.games.struggle.shared.first_games import EXAMPLES
from tests.makers.games import FOLDER
from tests.shared.lines import Line
from tests.shared.strategies import FIRST, MORDRED, NAMES, UNDOING, random_game
from tests.shared.tables import each_row
from tkid.games.struggle.rules.board import HIDDEN, UNSTABLE, Position
from tkid.games.struggle.rules.game import PASS
from tkid.games.struggle.rules.moves import Play, Spread, Summon
from tkid.games.struggle.rules.struggles import find_struggle_outcome
from tkid.notation.plugin import find_turn_reader
from tkid.notation.positions import read_position, write_position
from tkid.record.format.reader import read_record
from tkid.record.json.positions import position_json
from tkid.record.play.replay import replay
from tkid.render import text

GAME, BLACK = FIRST.game(), MORDRED.game()


def example(name: str) -> Line:
    """An example of the text before its last turn."""
    _, position, _ = EXAMPLES[name]
    return Line(FIRST, board(read_position(f"first-edition; {position}")[1]))


def refused(line: Line, turn: str) -> list[str]:
    """The rules that the first decision of a turn breaks."""
    move = find_turn_reader(GAME).read_turn(turn).moves[0]
    return [violation.rule for violation in GAME.check(line.position, GAME.canonical(line.position, move))]


def ways(line: Line, card: str) -> list[str]:
    """Every legal resolution of a card."""
    return [GAME.words.resolution(resolution) for resolution in GAME.list_options(line.position, card)]


# -- the examples of the text -----------------------------------------------------------------------------


def test_settlement_without_a_scot_in_the_pool() -> None:
    line = example("partial-settlement")
    assert len(ways(line, "Settlement")) == 8 * 8
    assert all("S " not in way for way in ways(line, "Settlement"))
    assert refused(line, "Settlement W Deva") == ["first.card.settlement.each"]


def test_a_faction_card_without_land() -> None:
    assert ways(example("partial-faction-card"), "Welsh") == ["nothing"]


def test_an_ambassador_swaps_where_it_can() -> None:
    line = example("partial-ambassador")
    assert refused(line, "Ambassador S Deva <> - Ratae") == ["first.partial.in-full"]
    assert ways(line, "Ambassador") == ["S Deva <> R Aquae Sulis", "W Deva <> R Aquae Sulis"]


def test_an_ambassador_swaps_for_nothing_where_nobody_else_is() -> None:
    line = example("partial-ambassador-for-nothing")
    assert ways(line, "Ambassador") == [
        "S Deva <> - Ratae",
        "W Deva <> - Ratae",
        "S Deva <> - Aquae Sulis",
        "W Deva <> - Aquae Sulis",
    ]


def test_a_crown_in_the_last_struggle() -> None:
    assert ways(example("partial-crown"), "Crown") == ["nothing"]


def test_the_power_struggle() -> None:
    """Had Cal passed after the first two passes it would have been over; after his action it takes three more."""
    record = read_record((FOLDER / "first-edition" / "example-power-struggle.tkid").read_bytes()).record
    assert record is not None
    moments = replay(record).moments
    assert [len(board(moment.position).struggles) for moment in moments] == [0] * 8 + [1]
    assert moments[-1].position.to_act == 2
    passed, _ = GAME.play(moments[2].position, PASS)
    assert len(passed.struggles) == 1


@pytest.mark.parametrize(
    ("name", "ending", "winner"),
    [
        ("end-scots", "control", 1),
        ("end-welsh-before-scots", "control", 1),
        ("end-welsh-before-romans", "control", 0),
        ("end-invasion", "invasion", 0),
    ],
)
def test_the_game_end(name: str, ending: str, winner: int) -> None:
    position = example(name).typed("Pass", "Pass").position
    assert (position.ending, position.winners) == (ending, (winner,))


def test_every_example_is_a_recorded_game() -> None:
    for name in (*EXAMPLES, "power-struggle"):
        assert (FOLDER / "first-edition" / f"example-{name}.tkid").exists()


# -- names ------------------------------------------------------------------------------------------------


@each_row(
    ("typed", "written"),
    [
        ("Romano-British RR Ratae", "Romano-British RR Ratae"),
        ("romano\u2013british RR ratae", "Romano-British RR Ratae"),
        ("Romano RR RAT", "Romano-British RR Ratae"),
        ("garrison R Eboracum for SS Deva", "Garrison SS Deva <> R Eboracum"),
        ("Garrison - rat <> W dva", "Garrison W Deva <> - Ratae"),
        ("Garrison SS Deva <> \u2014 Ratae", "Garrison SS Deva <> - Ratae"),
        ("Ambassador - Ratae <-> s aquae s", "Ambassador S Aquae Sulis <> - Ratae"),
        ("Ambassador S AQU <> W din e", "Ambassador W Din Eidyn <> S Aquae Sulis"),
        ("Crown deva <> lond, token on deva", "Crown Deva <> Londinium, disc Deva"),
        ("Settlement S CAE, W CAL and R EBO", "Settlement S Caerleon, W Caledonia, R Eboracum"),
    ],
)
def test_turns_in_writing(typed: str, written: str) -> None:
    position = next(random_game(Random(1), 2, 0.5, GAME))[0].replace(track=(2, 3, 6, 0, 1, 4, 5, 7))
    (move,) = find_turn_reader(GAME).read_turn(typed).moves
    assert GAME.words.write_move(GAME.canonical(position, move)) == written


def test_the_turns_of_the_notations_page_are_canonical() -> None:
    page = (FOLDER.parents[1] / "docs" / "turns-in-other-editions.md").read_text("utf-8")
    position = next(random_game(Random(1), 2, 0.5, GAME))[0].replace(track=(2, 3, 6, 0, 1, 4, 5, 7))
    (block,) = re.findall(r"^```turn-first\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    table = re.findall(r"^\| `((?:Scots|Settlement|Crown|Ambassador|Garrison) [^`]+)`", page, re.MULTILINE)
    assert len(table) == 6
    for turn in (*block.splitlines(), *table):
        moves = tuple(GAME.canonical(position, move) for move in find_turn_reader(GAME).read_turn(turn).moves)
        assert GAME.words.write_turn(moves) == turn


def test_a_romano_british_card_in_a_position_of_one_line() -> None:
    _, position, _ = EXAMPLES["partial-settlement"]
    for name in ("Romano-British", "Romano - British", "romano"):
        _, read = read_position(f"first-edition; {position.replace('Romano-British', name)}")
        assert "Romano-British" in read.hands[0]


def test_the_saxons_in_writing_and_in_words() -> None:
    """`unstable` as in every notation; read as `Saxon` too; and Saxon wherever people read."""
    line = example("end-invasion")
    game, position = read_position(write_position(GAME, line.position).replace("=unstable", "=Saxon"))
    assert position == line.position
    assert "=unstable" in write_position(game, position)
    assert position_json(game, position)["regions"]["CAL"]["disc"] == "unstable"
    drawn = text.draw_position(game, game.view(position, None), NAMES[:2])
    assert drawn.count("* Saxon") == 3
    assert "Saxon 3 of 4" in drawn
    assert "Crown token left" in drawn
    assert "Pool    3S 8W 7R" in drawn
    for word in ("unstable", "disc ", "Supply"):
        assert word not in drawn
    after, events = game.play(game.play(position, PASS)[0], PASS)
    assert after.ending == "invasion"
    assert any(event.text.endswith("falls to the Saxons, as Welsh and Romano-British tie at 1") for event in events)
    assert "Aquae Sulis: unstable (1W 1R)" in [event.line for event in events]


# -- piles ------------------------------------------------------------------------------------------------


def test_nobody_looks_through_a_pile_not_even_through_the_own() -> None:
    covered = 0
    for position, _, _ in random_game(Random(3), 3, 0.2, GAME):
        for seat in (None, *position.seats):
            for pile, shown in zip(position.discards, GAME.view(position, seat).shown.discards, strict=True):
                covered += len(pile) > 1
                assert shown == (HIDDEN,) * (len(pile) - 1) + pile[-1:]
    assert covered > 100


# -- set-up -----------------------------------------------------------------------------------------------


def test_courts_of_one_faction_are_drawn_again() -> None:
    for game in (GAME, BLACK):
        single = 0
        for seed in range(300):
            deal = game.deal(2 + seed % 3, bytes([seed % 256, seed // 256]))
            alike = [court for court in deal.courts if max(court) == 2]
            assert len(alike) < 2
            single += len(alike)
            assert game.find_faults(deal) == ()
        assert single > 30


def test_black_followers_at_the_start() -> None:
    deal = BLACK.deal(3, b"black")
    assert [group[3] for group in deal.regions] == [0, 1, 0, 0, 0, 0, 0, 1]
    assert deal.supply[3] == 7
    assert all(sum(group) == 4 for group in deal.regions)


# -- undoing ----------------------------------------------------------------------------------------------

PAIR = (
    "first-edition; CAL W, DIN =S, DVA W, EBO =W, CAE =W, RAT =R, LON =R, AQU S; supply 9S 9W 9R; "
    "1 court SW; 1 hand Ambassador, Crown; 2 court SR; 2 hand Ambassador; to play 1"
)


def test_a_swap_may_be_reversed_unless_chosen_otherwise() -> None:
    position = read_position(PAIR)[1]
    for game, allowed in ((GAME, True), (FIRST.game(UNDOING), False)):
        swap, back, taken = (
            game.canonical(position, find_turn_reader(game).read_turn(turn).moves[0])
            for turn in (
                "Ambassador W Deva <> S Aquae Sulis",
                "Ambassador S Deva <> W Aquae Sulis",
                "summon W Caledonia",
            )
        )
        after = game.play(game.play(position, swap)[0], taken)[0]
        assert (after.banned is None) == allowed
        assert (back in game.legal(after)) == allowed
        assert [v.rule for v in game.check(after, back)] == ([] if allowed else ["first.card.ambassador.undo"])


def test_a_swap_for_nothing_is_undone_by_one_for_nothing() -> None:
    game = FIRST.game(UNDOING)
    alone = PAIR.replace("CAL W", "CAL -").replace("DVA W", "DVA SS").replace("AQU S", "AQU -")
    position = read_position(alone)[1]
    turn = find_turn_reader(game).read_turn
    for move in turn("Ambassador S Deva <> - Caledonia; summon S Deva").moves:
        position, _ = game.play(position, game.canonical(position, move))
    (back,) = turn("Ambassador S Caledonia <> - Deva").moves
    assert [v.rule for v in game.check(position, back)] == ["first.card.ambassador.undo"]
    assert [game.words.resolution(r) for r in game.list_options(position, "Ambassador")] == [
        "S Caledonia <> - Aquae Sulis"
    ]


# -- Mordred ----------------------------------------------------------------------------------------------


def test_black_followers_count_in_a_struggle() -> None:
    assert find_struggle_outcome((1, 1, 0, 2)) == (3, "struggle.majority")
    assert find_struggle_outcome((2, 1, 0, 2)) == (UNSTABLE, "struggle.tie")
    assert find_struggle_outcome((2, 0, 0, 1)) == (0, "struggle.majority")


def test_nobody_places_or_summons_black_followers() -> None:
    seen = 0
    for position, _, _ in random_game(Random(2), 3, 0.4, BLACK):
        if position.decision == "summon":
            assert not any(isinstance(move, Summon) and move.faction == 3 for move in BLACK.legal(position))
            seen += 1
        elif position.decision == "play" and "Settlement" in position.hands[position.to_act or 0]:
            spread = Play("Settlement", Spread((1, 1, 1, 1)))
            assert [v.rule for v in BLACK.check(position, spread) if "mordred" in v.rule] == ["first.mordred.apart"]
    assert seen > 10


def test_only_black_followers_are_nobody_to_summon() -> None:
    text = (
        "first-edition-mordred; CAL =S, DIN MM, DVA =S, EBO =W, CAE =W, RAT =R, LON =R, AQU M; supply 9S 9W 9R 6M; "
        "1 court SW; 1 hand Crown, Scots; 2 court SR; 2 hand Crown; to play 1"
    )
    _, position = read_position(text)
    (first, *_) = BLACK.list_options(position, "Crown")
    after, _ = BLACK.play(position, Play("Crown", first))
    assert [BLACK.words.write_move(move) for move in BLACK.legal(after)] == ["no summon"]


def test_nine_black_followers_are_enough() -> None:
    """Two from the start and seven more: the stock is never empty before the last of them comes."""
    for seed in range(20):
        for position, _, _ in random_game(Random(seed), 2, 0.9, BLACK):
            assert position.supply[3] + sum(group[3] for group in position.regions) == 9
            assert position.supply[3] >= 0


def test_a_region_of_black_followers_is_no_bodys_power() -> None:
    """The factions are ranked without them, and the tie-breakers say so."""
    position = Position(
        regions=((0, 0, 0, 0),) * 8,
        discs=(3, 0, -1, -1, -1, -1, -1, -1),
        supply=(0, 0, 0, 9),
        track=tuple(range(8)),
        negotiated=frozenset(),
        struggles=(1, 0),
        courts=((1, 0, 0, 0), (1, 3, 0, 0)),
        hands=((), ()),
        discards=((), ()),
        negotiation_discs=(1, 1),
        last_acted=(None, None),
        emptied=(None, None),
        passes=0,
        banned=None,
        decision="play",
        to_act=0,
    )
    result = BLACK.result(position)
    assert result is not None
    assert (result.ending, result.winners) == ("mordred", (1,))
    assert [step.rule.removeprefix("first.") for step in result.chain] == [
        "ending.power",
        "mordred.ending.support",
        "mordred.ending.court",
    ]
