"""The desk and what its letters say: pure, exact, and nothing played but what was ordered in time."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.mail.mails import ANN, GAME, LEGAL, MARKER, MIDGAME, TIME, answered, orders_of, played, said, write_marker
from tests.shared.examples import examples
from tests.shared.strategies import record_of, seeds
from tkid.games.struggle.mail import list_offered_turns
from tkid.mail import game_service, order_handlers
from tkid.mail.blocks import Samples, format_plain
from tkid.mail.hosted_game import make_next_marker
from tkid.mail.marker import ANSWERS, HEADINGS, write_reference
from tkid.mail.model import Marker, Refusal
from tkid.mail.plugin import find_mail_plugin
from tkid.record.format.model import Seat
from tkid.record.format.new_game import new_record
from tkid.record.format.reader import read_record
from tkid.record.play.replay import append, replay
from tkid.record.play.views import hide_secrets
from tkid.record.play.writer import write_record
from tkid.render.lines import count_columns

WRONG = "Manoeuvre S Mory <> E Lancaster; summon W Gwynedd"


def short(text: str) -> bool:
    """Whether every line fits in 78 columns, or is a link or a turn to copy: these are never broken."""
    whole = ("https://", "    Negotiate ", "    Manoeuvre ", "    Outmanoeuvre ", "    Assemble ")
    return all(count_columns(line) <= 78 or line.startswith(whole) for line in text.split("\n"))


def test_a_turn_is_played_and_told() -> None:
    answer = answered(f"{LEGAL}\n> {MARKER}")
    assert answer.record_changed
    text = said(answer)
    assert f"Recorded as: 1. Ann {LEGAL} #{answer.game.replay.last.hash}" in " ".join(text.split())
    assert text.startswith(
        "You played Manoeuvre in Lancaster and Northumbria. Bob is next.\n\n--- Reply above this line."
    )
    assert "\n1  You played Manoeuvre, swapped " in text
    again = read_record(write_record(answer.game.replay.record, answer.game.replay).encode())
    assert again.record is not None
    assert not replay(again.record).problems


def test_a_wrong_turn_is_explained_in_its_own_line() -> None:
    typed = "Welsh Support WW Devn; summon W Gwynedd"
    answer = answered("Welsh Support WWW Warwick; summon W Devon")
    assert not answer.record_changed
    text = said(answer)
    assert text.startswith("Not played: ")
    assert "\n    Welsh Support WWW Warwick; summon W Devon\n                  ^^^" in text
    assert "\n    1  Welsh Support WW Warwick; summon W Devon\n" in text or "    Welsh Support WW Warwick" in text
    assert len(text.rstrip("\n").split("\n")) <= 24
    meant = said(answered(typed))
    assert meant.startswith("Is this the turn you meant? Nothing has been played yet.\n\n--- Reply above this line.")
    assert "\n    Welsh Support WW Devon; summon W Gwynedd\n" in meant
    assert f'\n    "{typed}"\n' in meant
    assert len(meant.rstrip("\n").split("\n")) <= 24


@pytest.mark.parametrize(
    ("order", "rule", "repair"),
    [
        ("Welsh Support WW Warwick", "second.summon.must", "Welsh Support WW Warwick; summon"),
        ("Pass, I think", "mail.doubt", "Pass"),
        (
            "Outmaneuver W Northumbria <> SW Warwick; summon W Devon",
            "notation.card",
            "Outmanoeuvre W Northumbria <> SW",
        ),
        ("Scottish Support S Strathclyde; summon W Devon", "second.partial.in-full", "Scottish Support SS Strathclyde"),
        ("Welsh Support WW Warwick; summon E Moray", "second.summon.region", "Welsh Support WW Warwick; summon"),
        (
            "Manoeuvre W Gwynedd <> W Moray; summon W Ess",
            "second.summon.region",
            "Manoeuvre W Moray <> W Gwynedd; summon",
        ),
    ],
)
def test_repairs_are_offered_that_are_legal(order: str, rule: str, repair: str) -> None:
    answer = answered(order)
    assert [problem.rule for problem in answer.problems] == [rule]
    turns = [line for block in answer.letters[0].body if isinstance(block, Samples) for line in block.lines]
    assert turns
    assert all(not append(GAME, turn).problems for turn in turns)
    assert any(turn.startswith(repair) for turn in turns)


def test_where_no_repair_is_known_all_cards_are_shown() -> None:
    text = said(answered("Summon the devil from hell"))
    assert ANSWERS in text


def test_no_order() -> None:
    answer = answered(f"Thanks!\n> {MARKER}")
    assert not answer.record_changed
    assert [problem.rule for problem in answer.problems] == ["mail.no-order"]
    assert '"Thanks!"' in said(answer)
    assert ANSWERS in said(answer)
    other = answered("Thanks!", seat=1)
    assert ANSWERS not in said(other)
    assert said(other).startswith("Nothing has been played: no line of your mail is an order. Ann is next.\n\n---")


def test_one_mail_gives_one_turn() -> None:
    answer = answered(f"{LEGAL}\nPass")
    assert not answer.record_changed
    assert [problem.rule for problem in answer.problems] == ["mail.one-turn"]
    assert said(answer).startswith("Which of these turns did you mean? Nothing has been played yet.")
    assert answered(f"{LEGAL}\n{LEGAL}").record_changed, "the same turn twice is one"


def test_who_may_not_act_is_told() -> None:
    answer = answered("Pass", seat=1)
    assert [problem.rule for problem in answer.problems] == ["second.turn.order"]
    assert said(answer).startswith("Not played: it is Ann's turn, not Bob's.\n\n---")
    over = replay(record_of(Random(5), 2))
    answer = answered("Pass", over)
    assert [problem.rule for problem in answer.problems] == ["second.ending.over"]
    assert game_service.ask_for_turn(over, TIME) is None
    assert not answered("hello", over).record_changed


def test_a_stale_mail_is_diagnosed() -> None:
    later = played(LEGAL, "Pass")
    answer = answered(f"Pass\n> {MARKER}", later)
    assert not answer.record_changed
    assert [problem.rule for problem in answer.problems] == ["mail.stale"]
    told = " ".join(said(answer).split())
    assert told.startswith("Not played: your mail answers turn 1, but the game is at turn 3.")
    assert f"1. Ann {LEGAL}" in told
    assert answer.letters[0].about == 1
    assert "--- Reply above this line. winter-2026, turn 1 ---" in told
    assert write_reference(make_next_marker(later)) in told


@pytest.mark.parametrize(
    "marker",
    [Marker(1, "000000"), Marker(3, "c3aea4"), Marker(1, "123456", "summer"), Marker(2, "c3aea4", "winter-2026")],
)
def test_a_mail_from_another_history_is_diagnosed(marker: Marker) -> None:
    answer = answered(f"Pass\n> {write_marker(marker)}")
    assert [problem.rule for problem in answer.problems] == ["mail.history"]
    if marker.title == "summer":
        assert "of summer, but this is winter-2026" in said(answer)


def test_seats_by_address() -> None:
    record = GAME.record
    assert order_handlers.find_sender_seat(record, "BOB@example.org") == 1
    assert isinstance(order_handlers.find_sender_seat(record, ""), Refusal)
    assert order_handlers.find_sender_seat(record, "eve@example.com") == Refusal(
        "mail.sender", "eve@example.com is not a player in this game"
    )
    seats = (Seat("Ann", ANN), Seat("Bob", ANN.upper()))
    both = order_handlers.find_sender_seat(type(record)(record.ruleset, seats, record.headers), ANN)
    assert isinstance(both, Refusal)
    assert both.rule == "mail.one-seat"


def test_a_turn_mail_tells_what_happened_since() -> None:
    letter = game_service.ask_for_turn(MIDGAME, TIME)
    assert letter is not None
    text = format_plain(letter.body)
    first = "Zoë played Negotiate for Northumbria and Gwynedd. Your turn."
    assert text.startswith(f"{first}\n\n--- Reply above this line. Jeu d'été, turn 5 ---\n\n2  You played ")
    assert "\n3  Дарья passed.\n4  Zoë played Negotiate" in text
    assert "\nYou    court 2S 0W 1E   cards: Scottish and English Support, Assemble x2," in text
    assert "\nRef Jeu d'été 5 04dccf\n\n-- \n" in text
    begun = game_service.ask_for_turn(GAME, TIME)
    assert begun is not None
    assert format_plain(begun.body).startswith("Your new game with Bob begins. You play first.\n\n---")


def test_a_letter_quoted_without_marks_holds_no_order() -> None:
    """Whoever writes nothing and quotes a whole letter of ours, orders nothing: whichever letter it is."""
    letters = [answered(order).letters[0] for order in (WRONG, "hello", "Pass", f"Pass\n{LEGAL}")]
    letters += [answered("Pass", seat=1).letters[0], answered(f"Pass\n> {MARKER}", played("Pass")).letters[0]]
    asked = game_service.ask_for_turn(GAME, TIME)
    assert asked is not None
    for letter in (*letters, asked):
        assert orders_of(format_plain(letter.body)).typed == ()
        assert orders_of("Sure.\n\n" + format_plain(letter.body)).typed == ()
        assert orders_of("\n".join(f"> {line}" for line in format_plain(letter.body).split("\n"))).typed == ()


@pytest.mark.slow
@examples(40)
@given(seeds, st.integers(2, 4), st.data())
def test_letters_of_any_moment_are_short_lined_and_their_examples_legal(
    seed: int, players: int, data: st.DataObject
) -> None:
    whole = record_of(Random(seed), players)
    cut = data.draw(st.integers(0, len(whole.turns)))
    at = replay(
        type(whole)(whole.ruleset, whole.seats, whole.headers, whole.readings, whole.deal, turns=whole.turns[:cut])
    )
    letter = game_service.ask_for_turn(at, TIME)
    assert (letter is None) == (at.position.to_act is None)
    if letter is None:
        return
    assert short(format_plain(letter.body))
    seat, shown = letter.seat, [line for each in letter.body if isinstance(each, Samples) for line in each.lines]
    assert len(shown) <= 3
    assert all(f"\n    {turn}\n" in format_plain(letter.body) for turn in shown)
    for turn in shown:
        answer = answered(turn, at, seat)
        assert answer.record_changed, turn
        assert short(said(answer))
    wrong = data.draw(
        st.sampled_from((WRONG, "Negotiate Moray <> Devon, no disc", "Assemble nothing", "Pass; no summon"))
    )
    answer = answered(wrong, at, seat)
    if not answer.record_changed:
        assert short(said(answer))
        assert "It is still your turn." in said(answer)


@pytest.mark.slow
@pytest.mark.parametrize(("code", "seed"), [("second-edition", 0), *(("second-edition-advanced", n) for n in range(6))])
def test_a_game_is_played_by_letters_alone(code: str, seed: int) -> None:
    """Each asks, each answers with one of the examples of the mail, until the king is crowned."""
    rng = Random(seed)
    players = [f"{name} <{name.lower()}@example.org>" for name in ("Ann", "Bob")]
    at = replay(new_record(code, players, rng.randbytes(32)))
    for _ in range(100):
        letter = game_service.ask_for_turn(at, TIME)
        if letter is None:
            break
        turns = list_offered_turns(hide_secrets(at, letter.seat))[0]
        order = turns[-1] if seed == 0 else rng.choice(turns)
        reply = f"{order}\n\nOn Saturday tkid wrote:\n" + "\n".join(
            f"> {line}" for line in format_plain(letter.body).split("\n")
        )
        answer = answered(reply, at, letter.seat)
        assert answer.record_changed, (order, answer.problems)
        assert short(format_plain(letter.body))
        assert short(said(answer))
        at = answer.game.replay
    assert at.position.ending is not None
    assert said(answer).startswith(find_mail_plugin(at.record.game).describe_result(at, answer.letters[0].seat)[1])
    assert not HEADINGS.isdisjoint(said(answer).split("\n"))
