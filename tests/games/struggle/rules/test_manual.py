"""The reference manual: followers taken or left, cards that need a region, a start player who moves on; in every medium."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from tests.games.struggle.shared.family import board, struggle
from tests.mail.hall import ANN, BOB, Hall
from tests.shared.examples import examples
from tests.shared.schemas import faults
from tests.shared.strategies import NAMES, moves_of, positions, start
from tkid.cli.app import app
from tkid.games.struggle.mail import list_offered_turns
from tkid.games.struggle.record.json import make_move_json, read_move_json
from tkid.games.struggle.rules.board import UNSTABLE, Position
from tkid.games.struggle.rules.game import PASS
from tkid.games.struggle.rules.moves import Apart, Move, Pass, Place, Play, Summon
from tkid.games.struggle.rules.struggles import NO_SUMMON
from tkid.kernel.ladder import NOTHING
from tkid.mail.blocks import format_plain
from tkid.notation.plugin import find_turn_reader
from tkid.notation.positions import read_position, write_position
from tkid.record.format.model import Header
from tkid.record.format.new_game import new_record
from tkid.record.json.positions import legal_json, legal_lines, position_json, read_position_json
from tkid.record.play.replay import append, replay
from tkid.record.play.writer import write_record
from tkid.rulebook.rulesets import ruleset

GAME = struggle(ruleset("manual").game())
HELD = "1 hand Scots, Ambassador, Ambassador, Garrison; 2 hand Welsh, Ambassador, Settlement; "
OPEN = (
    "manual; CAL =S, DIN SSWW, EBO SWWR, DVA SWRR, RAT SWWR, CAE SWWR, LON SRRR, AQU SSWR; supply 5S 5W 5R; "
    "track CAL DVA DIN CAE EBO LON RAT AQU; 1 court SWR; 2 court SWR; "
)
CASES = st.data()


def at(text: str = f"{OPEN}{HELD}started 1; to play 1") -> Position:
    """A position from its line."""
    return board(read_position(text)[1])


def move(text: str) -> Move:
    """A move from its text, as it is written down."""
    (found,) = find_turn_reader(GAME, NAMES).read_turn(text).moves
    return GAME.canonical(at(), found)


def broken(position: Position, text: str) -> list[str]:
    """The rules that a move breaks."""
    return [violation.rule for violation in GAME.check(position, move(text))]


def after(position: Position, *texts: str) -> Position:
    """The position after some legal moves."""
    for text in texts:
        position, _ = GAME.play(position, move(text))
    return position


# -- taking followers -------------------------------------------------------------------------------------


def test_a_follower_is_taken_after_a_card_or_not() -> None:
    due = after(at(), "Scots SS Din Eidyn")
    assert due.decision == "summon"
    assert NO_SUMMON in GAME.legal(due)
    assert NO_SUMMON in list(GAME.legal(due))
    assert broken(due, "Pass") == ["manual.summon.may"]
    left, events = GAME.play(due, NO_SUMMON)
    assert (left.courts, left.regions, left.to_act, left.decision) == (due.courts, due.regions, 1, "play")
    assert [event.rule for event in events] == ["manual.summon.nobody"]
    taken, events = GAME.play(due, move("summon S Din Eidyn"))
    assert taken.courts[0] == (2, 1, 1)
    assert [event.rule for event in events] == ["manual.summon.may"]


def test_nobody_is_found_where_no_region_holds_anybody() -> None:
    bare = at(f"{OPEN}{HELD}started 1; to summon 1").replace(regions=((0, 0, 0),) * 8)
    assert list(GAME.legal(bare)) == [NO_SUMMON]
    _, events = GAME.play(bare, NO_SUMMON)
    assert events[0].rule == "first.ruling.nobody-to-summon"


def test_a_follower_is_taken_without_a_card() -> None:
    before = after(at(), "Pass")
    taken, events = GAME.play(before, move("summon W Caerleon"))
    assert [event.rule for event in events] == ["manual.turn.take"]
    assert (taken.to_act, taken.decision, taken.passes) == (0, "play", 0), "an action: the passes start anew"
    assert taken.last_acted == before.last_acted, "no action card"
    assert (taken.hands, taken.discards) == (before.hands, before.discards)
    assert taken.courts[1] == (1, 2, 1)


def test_what_is_no_turn() -> None:
    assert broken(at(), "no summon") == ["manual.summon.after-action"]
    assert broken(at(), "summon W Londinium") == ["first.summon.region"]
    assert broken(at(), "summon S Caledonia") == ["first.summon.region"]
    nobody = at().replace(regions=((0, 0, 0),) * 8)
    assert not any(isinstance(each, Summon) for each in GAME.legal(nobody))
    (violation,) = GAME.check(nobody, move("summon S Deva"))
    assert violation.alternatives == (), "`no summon` would be no turn"


def test_an_empty_hand_goes_on_taking() -> None:
    """Only where nobody holds a card, and nobody stands anywhere, what is left is resolved."""
    empty = at().replace(hands=((), ()))
    assert not GAME.only_passes(empty)
    assert not GAME.only_passes(at().replace(regions=((0, 0, 0),) * 8))
    one = empty.replace(regions=(*((0, 0, 0),) * 7, (1, 0, 0)))
    after_pass, _ = GAME.play(one, PASS)
    assert after_pass.to_act == 1
    over, events = GAME.play(one, move("summon S Aquae Sulis"))
    assert over.ending == "invasion"
    assert "manual.ruling.empty-hand" in {event.rule for event in events}
    assert GAME.only_passes(one.replace(regions=((0, 0, 0),) * 8))


@examples(50)
@given(positions(GAME), CASES)
def test_listing_and_judging_agree(position: Position, data: st.DataObject) -> None:
    """Whatever is moved: it is listed if and only if nothing speaks against it."""
    legal = GAME.legal(position)
    options = list(legal)
    assert len(legal) == len(options) == len(set(options))
    assert all(GAME.check(position, each) == () for each in options)
    tried = data.draw(moves_of(GAME))
    canonical = GAME.canonical(position, tried)
    assert (tried in legal) == (canonical in options) == (GAME.check(position, tried) == ())


# -- the cards --------------------------------------------------------------------------------------------


def test_a_faction_card_needs_a_region_of_its_faction() -> None:
    assert broken(at(), "Welsh WW Ratae") == ["first.turn.hand", "manual.card.support.control"]
    assert GAME.check(at(), Play("Welsh", NOTHING))[-1].rule == "manual.card.support.control"
    assert not GAME.list_options(at(), "Welsh")
    assert not GAME.cards["Welsh"].ladder.is_legal(at(), NOTHING)
    in_vain = at().replace(supply=(0, 5, 5))
    assert list(GAME.list_options(in_vain, "Scots")) == [NOTHING]


def test_its_followers_go_to_one_region_or_two() -> None:
    two = at().replace(discs=(UNSTABLE, *at().discs[1:5], 0, *at().discs[6:]))  # Caerleon is the Scots'
    assert {GAME.words.resolution(each) for each in GAME.list_options(two, "Scots")} == {
        "SS Deva",
        "SS Ratae",
        "SS Aquae Sulis",
        "S Deva, S Ratae",
        "S Deva, S Aquae Sulis",
        "S Ratae, S Aquae Sulis",
    }
    assert broken(two, "Scots S Deva") == ["first.partial.in-full"]
    assert broken(two, "Scots S Deva, W Ratae") == ["first.card.support.faction"]
    assert broken(two, "Scots S Deva, SS Ratae") == ["manual.card.support.two"]
    assert broken(two, "Scots S Deva, S Eboracum") == ["manual.card.support.near"]
    assert broken(two.replace(supply=(1, 5, 5)), "Scots S Deva, S Ratae") == ["first.action.supply"]
    left = after(two, "Scots S Ratae, S Deva")
    assert (left.regions[3], left.regions[4], left.supply) == ((2, 1, 2), (2, 2, 1), (3, 5, 5))


def test_only_regions_that_the_faction_of_the_card_controls_count() -> None:
    """`manual.ruling.controlled-region`: beside Caledonia of the Scots, not beside Londinium of the Welsh."""
    discs = tuple(1 if index == 6 else disc for index, disc in enumerate(at().discs))
    both = at().replace(discs=discs)
    assert {GAME.words.resolution(each) for each in GAME.list_options(both, "Scots")} == {"SS Din Eidyn"}
    assert broken(both, "Scots SS Eboracum") == ["manual.card.support.near"]
    assert not broken(both, "Scots SS Din Eidyn")


def test_two_regions_are_written_in_the_order_of_the_list() -> None:
    group = (1, 0, 0)
    assert move("Scots S Ratae, S Deva") == Play("Scots", Apart(3, 4, (group, group)))
    assert move("Scots S Deva and S Deva") == Play("Scots", Place((2, 0, 0), 3))
    assert move("Scots SS Deva") == Play("Scots", Place((2, 0, 0), 3))
    written = make_move_json(GAME, move("Scots S Ratae, S Deva"))
    assert faults("move", written) == []
    assert read_move_json(GAME, written) == move("Scots S Deva, S Ratae")
    assert read_move_json(GAME, make_move_json(GAME, move("Scots SS Deva"))) == move("Scots SS Deva")


@pytest.mark.parametrize("card", ["Ambassador", "Garrison"])
@pytest.mark.parametrize("seat", [0, 1])
def test_a_swap_is_reversed_by_nobody_as_the_next_action(card: str, seat: int) -> None:
    there, back = {
        "Ambassador": ("S Din Eidyn <> R Aquae Sulis", "R Din Eidyn <> S Aquae Sulis"),
        "Garrison": ("SW Din Eidyn <> R Deva", "SW Deva <> R Din Eidyn"),
    }[card]
    both = at().replace(hands=((card, card), (card, "Settlement")))
    swapped = after(both, f"{card} {there}", "no summon")
    swapped = after(swapped, "Pass") if seat == 0 else swapped
    assert swapped.to_act == seat
    assert broken(swapped, f"{card} {back}") == [f"manual.card.{card.lower()}.undo"]
    assert move(f"{card} {back}") not in list(GAME.legal(swapped))
    between = after(swapped, "summon S Ratae").replace(to_act=seat)
    assert broken(between, f"{card} {back}") == [], "a follower taken without a card is an action in between"


def test_a_swap_is_never_for_nothing() -> None:
    assert broken(at(), "Ambassador S Din Eidyn <> - Aquae Sulis") == ["manual.card.ambassador.number"]
    assert broken(at(), "Garrison SS Din Eidyn <> - Deva") == ["manual.card.garrison.number"]


# -- who starts -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_start_player_moves_on_with_each_struggle(players: int) -> None:
    position = start(players, bytes(32), GAME)
    first = position.starter
    assert first == position.to_act
    assert first is not None
    for number in range(1, 4):
        position = after(position, "summon S Deva" if number == 1 and position.regions[3][0] else "Pass")
        while len(position.struggles) < number and position.to_act is not None:
            position, _ = GAME.play(position, PASS)
        assert position.to_act == position.starter == (first + number) % players


def test_most_followers_win_a_region_without_more_than_half() -> None:
    """`manual.ruling.majority`: two of five are enough where no other faction has two."""
    start_of = at(f"{OPEN}{HELD}started 1; passes 1; to play 1")
    contested = start_of.contested
    assert contested is not None
    for group, disc in (((1, 1, 2), 2), ((2, 2, 1), UNSTABLE)):
        regions = tuple(group if index == contested else each for index, each in enumerate(start_of.regions))
        resolved, _ = GAME.play(start_of.replace(regions=regions), PASS)
        assert resolved.discs[contested] == disc


def test_the_only_cards_are_hands_and_one_for_each_region() -> None:
    """`manual.ruling.struggle-cards`, `manual.ruling.face-down`: a row of eight region cards, and nothing else."""
    position = start(2, bytes(32), GAME)
    assert sorted(position.track) == list(range(8))
    assert [sorted(hand) for hand in position.hands] == [sorted(GAME.hands.same)] * 2


def test_with_two_players_nobody_starts_with_two_alike() -> None:
    for seed in range(200):
        courts = GAME.deal(2, bytes([seed])).courts
        assert all(max(court) == 1 for court in courts)
    alike = [max(court) == 2 for seed in range(100) for court in GAME.deal(3, bytes([seed])).courts]
    assert any(alike), "with three one alone may"
    fault = evolve(GAME.deal(2, bytes(1)), courts=((2, 0, 0), (1, 1, 0)))
    assert "manual.setup.redraw" in {violation.rule for violation in GAME.find_faults(fault)}


# -- in writing -------------------------------------------------------------------------------------------


@examples(50)
@given(positions(GAME))
def test_positions_are_written_and_read(position: Position) -> None:
    assert read_position(write_position(GAME, position)) == (GAME, position)
    written = position_json(GAME, position)
    assert written["starter"] == position.starter
    assert read_position_json(written) == (GAME, position)


def test_who_started_is_the_one_to_act_where_it_is_not_said() -> None:
    assert at(f"{OPEN}{HELD}to play 2").starter == 1
    with pytest.raises(ValueError, match="starter: there is no seat 4"):
        at(f"{OPEN}{HELD}started 5; to play 2")
    with pytest.raises(ValueError, match="starter: in second-edition it makes no difference"):
        read_position("second-edition; MOR S; started 1; to play 1")


def test_what_is_listed_for_programs() -> None:
    position = after(at(), "Pass")
    assert legal_json(GAME, position) == {
        "pass": True,
        "cards": {"Welsh": 0, "Ambassador": len(GAME.list_options(position, "Ambassador")), "Settlement": 7**3},
        "summons": 19,
    }
    listed = legal_lines({"position": position_json(GAME, position)})
    assert listed["summons"][0] == "S Din Eidyn"
    assert len(listed["summons"]) == 19
    due = after(at(), "Scots SS Din Eidyn")
    assert legal_lines({"position": position_json(GAME, due)})["summons"][-1] == "no summon"


TYPED = {
    # what is typed: the rule that it breaks, and the way out
    "Ambassador S Caledonia <> R Deva": ("manual.summon.may", "or `; no summon`"),
    "Pass; summon S Ratae": ("manual.summon.after-action", "Write `summon S Ratae` without the pass"),
    "summon S Ratae; summon S Deva": ("manual.summon.after-action", ""),
    "summon S Ratae; Ambassador S Caledonia <> R Deva": (
        "manual.summon.after-action",
        "Write `Ambassador S Caledonia <> R Deva; summon S Ratae`",
    ),
    "no summon": ("manual.summon.after-action", "Write `Pass`"),
    "Scots S, S Deva; no summon": ("notation.form", "`Scots S Deva, S Ratae`"),
    "Scots S Deva, S Ratae, S Aquae; no summon": ("notation.form", "`Scots S Deva, S Ratae`"),
    "Scots SS Deva; no summon": ("manual.card.support.control", "Play another card, or pass"),
}


@pytest.mark.parametrize("typed", TYPED)
def test_what_is_said_of_a_wrong_turn(typed: str) -> None:
    rule, hint = TYPED[typed]
    played = replay(new_record("manual", NAMES[:2], bytes(32), first="1"))
    (problem,) = append(played, typed).problems
    assert problem.rule == rule
    assert hint in problem.hint


def test_a_record_is_written_with_what_was_left_out(tmp_path: Path) -> None:
    played = replay(new_record("manual", NAMES[:2], bytes(32), first="1"))
    for typed in ("amb s caledonia for r deva; no summon", "summon s ratae", "Pass"):
        played = append(played, typed)
        assert played.problems == []
    turns = [moment.line for moment in played.moments[1:]]
    assert turns == ["1. Ann Ambassador S Caledonia <> R Deva; no summon", "2. Bob summon S Ratae", "3. Ann Pass"]
    file = tmp_path / "game.tkid"
    file.write_text(write_record(played.record, played), "utf-8")
    assert CliRunner().invoke(app, ["check", str(file)]).exit_code == 0
    listed = CliRunner().invoke(app, ["legal", str(file)]).output
    assert "summon, without a card: 15 ways [manual.turn.take]" in listed
    assert "Scots: not now. Scots cannot be played" in listed
    asked = CliRunner().invoke(app, ["why-not", str(file), "Crown Deva <> Ratae, disc Deva"]).output
    assert asked.startswith("This turn is legal"), "the question is about the card; the summons may be missing"


def test_the_turns_in_the_documentation_are_canonical() -> None:
    text = (Path(__file__).parents[4] / "docs" / "turns-in-other-editions.md").read_text("utf-8")
    (block,) = re.findall(r"^```turn-manual\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    for turn in block.splitlines():
        moves = find_turn_reader(GAME, NAMES).read_turn(turn).moves
        assert GAME.words.write_turn(tuple(GAME.canonical(at(), each) for each in moves)) == turn


# -- by mail ----------------------------------------------------------------------------------------------


def told(hall: Hall, seat: int, kind: str = "") -> str:
    """The last letter to a seat, as one line."""
    found = [letter for letter in hall.letters if letter.seat == seat and kind in {"", letter.kind}]
    return " ".join(format_plain(found[-1].body).split())


def test_a_letter_says_what_may_be_answered() -> None:
    hall = Hall.of(2, "", "manual")
    hall.mail(hall.at.to_act or 0, "legal")
    answers = told(hall, hall.at.to_act or 0)
    assert (
        "After a card you may write `no summon` instead of a summons. You may also summon without playing a card."
        in answers
    )
    assert "You cannot play Scots, Welsh or Romano-British now." in answers
    turns, _ = list_offered_turns(hall.at.replay)
    assert [text for text in turns if text.startswith("summon ")] == turns[-1:]
    for text in turns:
        assert append(hall.at.replay, text).problems == [], text


def test_turns_by_mail_with_and_without_followers() -> None:
    hall = Hall.of(2, "", "manual")
    hall.turns("Ambassador S Caledonia <> R Deva; no summon", "summon S Ratae")
    assert "Bob played no card and summoned a Scots follower from Ratae." in told(hall, ANN)
    outcome = hall.mail(ANN, "Crown Deva <> Ratae, disc Deva")
    assert [problem.rule for problem in outcome.problems] == ["manual.summon.may"]
    assert "Crown Deva <> Ratae, disc Deva; summon S Caledonia" in told(hall, ANN).partition("These are legal.")[2]
    hall.mail(ANN, "Pass; summon S Deva")
    assert "This is legal. Reply `yes` to play it, or write another turn. summon S Deva" in told(hall, ANN)
    hall.mail(ANN, "legal Scots")
    assert "the Scots control no region. [manual.card.support.control]" in told(hall, ANN)


def test_a_plan_takes_a_follower_and_looks_at_one_that_was_taken() -> None:
    hall = Hall.of(2, "", "manual")
    hall.mail(BOB, "if Ann acts: summon S Ratae; else stop")
    hall.turns("summon S Deva")
    assert [moment.moves for moment in hall.at.replay.moments[1:]] == [(Summon(0, 3),), (Summon(0, 4),)]
    (note,) = hall.at.memory.seats[BOB].notes
    assert "Ann summoned a follower without playing a card in turn 1" in note
    hall = Hall.of(2, "", "manual")
    hall.mail(BOB, "pass until someone acts")
    hall.turns("Pass")
    assert isinstance(hall.at.replay.last.moves[0], Pass)
    hall.turns("summon S Deva")
    assert hall.at.awaited == BOB, "a follower taken is an action"


def test_who_has_no_card_is_asked_as_long_as_a_follower_can_be_taken() -> None:
    record = new_record("manual", ("Ann <ann@example.org>", "Bob <bob@example.org>"), bytes(32))
    position = at().replace(hands=((), ("Crown",)))
    headers = (*record.headers, Header("Position", write_position(GAME, position)))
    hall = Hall(evolve(record, headers=headers, deal=None, position=position))
    assert hall.at.awaited == ANN
    hall.turns("summon S Deva")
    assert board(hall.at.replay.position).courts[0] == (2, 1, 1)


def test_rules_are_those_of_the_game() -> None:
    hall = Hall.of(2, "", "manual")
    hall.mail(ANN, "rules undo")
    text = told(hall, ANN)
    assert "Undoing a swap: " in text
    assert "The full rule, manual.ruling.undo: " in text
    assert "second.ruling.undo" not in text
    assert "digest." not in text
