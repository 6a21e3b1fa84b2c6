"""Claim by mail: what letters say, what standing orders play and tell, and what happens where nobody can pass."""

from __future__ import annotations

import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.games.claim.shared import CLAIM, PLAYERS
from tests.mail.hall import ANN, BOB, DAY, START, Hall, dealt
from tests.mail.mails import orders_of
from tests.shared.examples import examples
from tests.shared.strategies import seeds
from tkid.games.claim.mail import get_game_and_position, list_playable_cards
from tkid.games.claim.rules import FACTIONS, NAMES, ORDER, VALUES, Position
from tkid.mail import game_service
from tkid.mail.blocks import format_plain
from tkid.mail.game_letters import write_first_letter
from tkid.mail.letter_parts import Recipient
from tkid.mail.order_finder import get_order_reader
from tkid.mail.plans import Decision, Plan, add_plan, cancel_plans, decide_by_plans, summarize_plans
from tkid.orders.order_values import Planned, Standing
from tkid.record.clock_notes import NOTHING_TO_PLAY, StandIn
from tkid.record.format.new_game import new_record
from tkid.record.play.replay import Replay, append, replay
from tkid.record.play.views import hide_secrets
from tkid.rulebook import rule

FIRST = replay(new_record("claim", ("Ann", "Bob"), bytes(32), first="Ann"))
"""Ann holds G4 G6 G8 G9 K6 D0 D6 D7 D8 U4 U7 U8 X1, Bob G0 G7 K2 K3 K4 K5 D1 D9 U2 U3 U9 X8 X9; the first prize is X4."""


def after(*turns: str, of_game: Replay = FIRST) -> Replay:
    """The game after some cards."""
    for turn in turns:
        of_game = append(of_game, turn)
        assert not of_game.problems, of_game.problems
    return of_game


def given_to(known: Replay, *lines: str, seat: int = ANN) -> tuple[Plan, ...]:
    """Plans of a seat, as they are typed."""
    plans: tuple[Plan, ...] = ()
    for line in lines:
        order = get_order_reader(known.record.game, known.record.names, seat).read_line(line).order
        assert isinstance(order, Standing | Planned), line
        changed = add_plan(
            hide_secrets(known, seat), seat, plans, order, max((plan.number for plan in plans), default=0)
        )
        assert not changed.problems
        plans = changed.plans
    return plans


def decided(lines: tuple[str, ...], *turns: str, seat: int = ANN) -> Decision:
    """What plans that are given at the beginning make of a turn."""
    decision = decide_by_plans(hide_secrets(after(*turns), seat), seat, given_to(FIRST, *lines, seat=seat))
    assert all(rule(note.rule) and note.sentence.endswith(".") for note in decision.notes)
    return decision


# -- standing orders ----------------------------------------------------------------------------------------

UNDEAD_LED = ("Goblin 4", "Doppelganger 8", "Undead 3")
"""Bob wins the first trick and leads."""


@pytest.mark.parametrize(
    ("line", "turns", "played"),
    [
        ("lead my highest", (), "Goblin 9"),  # the only 9
        ("lead my lowest", (), "Dwarf 0"),
        ("lead my highest Dwarf", (), "Dwarf 8"),
        ("if led Undead: play my lowest", UNDEAD_LED, "Doppelganger 1"),
        ("if led Undead: play my lowest Undead", UNDEAD_LED, "Undead 4"),
        ("if led anything: play my highest", UNDEAD_LED, "Undead 8"),
    ],
)
def test_a_card_is_chosen_among_those_that_may_be_played(line: str, turns: tuple[str, ...], played: str) -> None:
    decision = decided((line,), *turns)
    assert (decision.kind, decision.turn) == ("play", played)
    assert len(decision.plans) == 1, "it holds on"


@pytest.mark.parametrize(
    ("line", "turns", "told"),
    [
        ("lead my highest", UNDEAD_LED, "Plan 1 waits: Bob led Undead 3."),
        ("lead my highest Knight", ("Knight 6", "Knight 2"), "Plan 1 waits: you have no Knight."),
        ("if led Goblin: play my lowest", UNDEAD_LED, "Plan 1 waits: Bob led Undead 3."),
        ("if led anything: play my lowest", (), "Plan 1 waits: nothing is led."),
        (
            "if led Undead: play my lowest Goblin",
            UNDEAD_LED,
            "Plan 1 waits: you cannot play Goblins: you have Undead, so only Undead or Doppelgangers follow.",
        ),
        ("play what is forced", UNDEAD_LED, "Plan 1 waits: you can play 4 different cards."),
        ("if led Goblin: stop", UNDEAD_LED, "Plan 1 waits: Bob led Undead 3."),
        ("if prize Goblin: stop", (), "Plan 1 waits: the prize is Doppelganger 4."),
        ("if phase two: stop", (), "Plan 1 waits: it is phase one."),
    ],
)
def test_what_does_not_apply_waits_and_says_why(line: str, turns: tuple[str, ...], told: str) -> None:
    decision = decided((line,), *turns)
    assert (decision.kind, [note.sentence for note in decision.notes]) == ("nothing", [told])


def test_the_earliest_that_applies_is_carried_out() -> None:
    decision = decided(("if led Goblin: play my lowest", "if led anything: play my highest Undead"), *UNDEAD_LED)
    assert (decision.turn, [note.became for note in decision.notes]) == ("Undead 8", ["waits", "played"])
    both = decided(("if led anything: play my lowest", "if led Undead: play my highest"), *UNDEAD_LED)
    assert both.turn == "Doppelganger 1"
    assert both.notes[1].sentence == "Plan 2 waits: plan 1 comes first."


def test_a_standing_order_may_be_about_a_prize() -> None:
    """The first prize is Doppelganger 4; Bob wins it, and Goblin 0 is the next."""
    other = ("if prize Goblin: lead my highest", "if prize Doppelganger 5: lead my highest")
    decision = decided((*other, "if prize Doppelganger 4: lead my highest Dwarf"))
    assert decision.turn == "Dwarf 8"
    assert [note.sentence for note in decision.notes][:2] == [
        f"Plan {number} waits: the prize is Doppelganger 4." for number in (1, 2)
    ]
    assert summarize_plans(decision.notes) == ("Plan 3 plays `Dwarf 8`: it is your highest Dwarf.",)
    follows = decided(("if prize Goblin 0: play my lowest",), *UNDEAD_LED)
    assert (follows.turn, follows.notes[0].rule) == ("Doppelganger 1", "post.standing.prize")
    both = decided(("if led Undead and prize Knight: play my lowest", *other), *UNDEAD_LED)
    assert summarize_plans(both.notes) == (
        "Plans 1 and 3 wait: the prize is Goblin 0.",
        "Plan 2 waits: Bob led Undead 3.",
    )


def test_a_condition_goes_before_standing_orders() -> None:
    decision = decided(("lead my lowest", "if prize Doppelganger and nothing is led: Knight 6"))
    assert decision.turn == "Knight 6"
    stopped = decided(("lead my lowest", "if nothing is led: stop"))
    assert (stopped.kind, stopped.plans) == ("ask", ())


def test_a_new_one_takes_the_place_of_one_about_the_same() -> None:
    plans = given_to(FIRST, "lead my highest", "lead my highest Goblin", "lead my lowest until the phase ends")
    assert [plan.text for plan in plans] == ["lead my highest Goblin", "lead my lowest until the phase ends"]


def test_an_order_ends_with_the_phase_if_it_says_so() -> None:
    rng, game = Random(7), FIRST
    lasting = (
        "if led anything: play my lowest until the phase ends",
        "if prize Undead: play my lowest",
        "lead my lowest",
    )
    plans = given_to(game, *lasting)
    while get_game_and_position(game)[1].phase == 1:
        game = after(NAMES[rng.choice(list_playable_cards(game))], of_game=game)
    while game.position.to_act != ANN:
        game = after(NAMES[rng.choice(list_playable_cards(game))], of_game=game)
    prized = get_order_reader(CLAIM, PLAYERS, ANN).read_line("if prize Undead: play my lowest").order
    assert isinstance(prized, Standing)
    (problem,) = add_plan(hide_secrets(game, ANN), ANN, (), prized).problems
    assert problem.rule == "post.plan.over"
    ended, prize, lives = decide_by_plans(hide_secrets(game, ANN), ANN, plans).notes
    assert prize.sentence == "Plan 2 has ended: phase one is over."
    assert (ended.sentence, ended.rule) == ("Plan 1 has ended: phase one is over.", "post.standing.phase")
    assert lives.became in {"played", "waits"}
    later = given_to(game, "lead my lowest until the phase ends", "if prize Goblin: stop")
    of_two, prize = decide_by_plans(hide_secrets(game, ANN), ANN, later).notes
    assert of_two.became in {"played", "waits"}
    assert prize.sentence.endswith("can no longer happen, because there is no prize in phase two.")


@given(seeds, st.sampled_from(["lowest", "highest"]), st.sampled_from(["", *FACTIONS]))
@examples(15)
def test_what_is_chosen_is_what_the_rule_says(seed: int, which: str, faction: str) -> None:
    """Wherever a game stands: the extreme value of what may be played, of equal ones the faction listed first."""
    rng = Random(seed)
    game = replay(new_record("claim", ("Ann", "Bob"), rng.randbytes(32)))
    chosen = f"my {which}{f' {FACTIONS[faction].name}' if faction else ''}"
    for _ in range(rng.randrange(30)):
        game = after(NAMES[rng.choice(list_playable_cards(game))], of_game=game)
    seat = game.position.to_act
    assert seat is not None
    plans = given_to(game, f"lead {chosen}", f"if led anything: play {chosen}", "play what is forced", seat=seat)
    may = [card for card in list_playable_cards(game) if faction in {"", card[0]}]
    decision = decide_by_plans(hide_secrets(game, seat), seat, plans)
    if may:
        best = (min if which == "lowest" else max)(VALUES[card] for card in may)
        first = min((card for card in may if VALUES[card] == best), key=ORDER.__getitem__)
        assert decision.turn == NAMES[first]
    else:
        forced = list_playable_cards(game)
        assert decision.turn == (NAMES[forced[0]] if len(forced) == 1 else "")


def test_cancelling() -> None:
    plans = given_to(FIRST, "lead my highest", "if prize Goblin: stop", "play what is forced")
    reader = get_order_reader(FIRST.record.game, FIRST.record.names, ANN)

    def left(line: str) -> list[int]:
        return [plan.number for plan in cancel_plans(FIRST, ANN, plans, reader.read_line(line).order).plans]  # type: ignore[arg-type]

    assert (left("cancel 3"), left("cancel standing"), left("cancel conditional"), left("cancel")) == (
        [1, 2],
        [2],
        [1, 3],
        [],
    )


# -- at a host ----------------------------------------------------------------------------------------------


def hall(terms: str = "") -> Hall:
    """A game at a host that Ann begins."""
    return Hall(dealt(terms=terms, code="claim"))


def text_to(at: Hall, seat: int) -> str:
    """The last letter to a seat."""
    return format_plain(at.last(seat).body)


def test_standing_orders_stay_when_a_card_is_sent_and_plans_do_not() -> None:
    at = hall()
    at.mail(ANN, "if led Undead: play my lowest Undead", "if led Undead and prize Goblin: stop")
    at.mail(ANN, "Goblin 4")
    assert [plan.text for plan in at.at.memory.seats[ANN].plans] == ["if led Undead: play my lowest Undead"]
    assert "Plan 2 has ended: you sent a turn." in text_to(at, ANN)
    at.mail(BOB, "Doppelganger 8")
    at.mail(BOB, "Undead 3")
    assert at.at.record.turns[-1].moves[0].card == "U4"
    assert "Plan 1 plays `Undead 4`: it is your lowest Undead that may be played on Undead 3." in " ".join(
        text_to(at, ANN).split()
    )


def test_an_order_broken_over_two_lines_is_one() -> None:
    broken = "if led Undead: play my lowest Undead\nuntil the phase ends\nGoblin 4\nU 2!"
    found = orders_of(broken, FIRST, ANN)
    assert found.typed == ("if led Undead: play my lowest Undead until the phase ends", "Goblin 4")
    assert found.remark == ("U 2!",), "this is no Undead 2"


def test_a_turn_mail_says_all_that_is_needed() -> None:
    at = hall("3 days a turn")
    at.mail(ANN, "Goblin 4")
    at.mail(BOB, "Doppelganger 8")
    at.mail(BOB, "Undead 3")
    told = text_to(at, ANN)
    for part in (
        "Bob led Undead 3. Your turn, until Tuesday 24 November.",
        "1 You led Goblin 4.",
        "2 Bob played Doppelganger 8 on your Goblin 4 and won the trick.",
        "Bob recruited Doppelganger 4, and you drew Undead 5",
        "Goblin 0 is the next prize.",
        "3 Bob led Undead 3.",
        "PRIZE  Goblin 0",
        "TRICK  Bob led Undead 3",
        "SCORE PILES",
        "recruited: Undead 5",
        "Undead 3 is led. You must follow with one of your Undead, or play a Doppelganger.",
        "Answer by Tuesday 24 November 2026",
        "After that the game is adjourned.",
    ):
        assert part in told or part in " ".join(told.split()), part
    shown = re.findall(r"^    (\S.*)$", told.partition("YOUR ANSWER")[2], re.MULTILINE)
    assert 1 < len(shown) <= 3
    assert {*shown} <= {"Undead 4", "Undead 7", "Undead 8", "Doppelganger 1"}
    assert "pass" not in told.casefold()


@pytest.mark.parametrize(("wish", "told"), [("every turn", True), ("tricks", True), ("my turns", False)])
def test_news_of_tricks(wish: str, told: bool) -> None:  # noqa: FBT001 - what each wish brings
    """Bob wins a trick and leads the next one: Ann is told of the first as she wishes, and asked in the second."""
    at = hall()
    at.mail(ANN, f"notify {wish}", "Goblin 4")
    at.mail(BOB, "Doppelganger 8")
    assert ("Bob won the trick" in at.told(ANN)) is told
    at.mail(BOB, "Undead 3")
    assert "and won the trick" in " ".join(at.told(ANN).split())
    assert at.kinds[ANN] == "turn"


@pytest.mark.parametrize(
    ("terms", "then"),
    [
        ("3 days a turn, then pass", "the game is adjourned"),
        ("3 days a turn", "the game is adjourned"),
        ("3 days a turn, stand-in after 2", "the host offers your seat to somebody else"),
    ],
)
def test_the_terms_that_letters_tell_are_those_that_hold(terms: str, then: str) -> None:
    at = hall(terms).at
    begun = " ".join(format_plain(write_first_letter(Recipient(at, ANN, START)).body).split())
    assert f"If your time runs out, {then}. You can be away for 30 days in all." in begun
    assert "misses" not in begun


def test_time_that_is_out_adjourns_as_nobody_can_pass() -> None:
    at = hall("3 days a turn")
    at.tick(9 * DAY)
    assert at.at.time.adjourned
    assert not at.at.record.turns
    at.mail(ANN, "Goblin 4", after=DAY)
    assert not at.at.time.adjourned


def test_giving_up_ends_the_game() -> None:
    at = hall("3 days a turn")
    at.mail(ANN, "resign")
    assert at.at.time.winners == (BOB,)
    assert text_to(at, BOB).startswith("You won: Ann has resigned.")


@pytest.mark.slow
def test_a_bot_plays_any_card_at_once() -> None:
    at = hall()
    at.took(game_service.apply_owner_note(at.at, StandIn(BOB, "Merlin", at.now, bot=True), at.now))
    while at.at.to_act is not None:
        assert at.at.to_act == ANN
        at.mail(ANN, NAMES[list_playable_cards(at.at.view_as(ANN))[0]])
    assert len(at.at.record.turns) == 52


def test_a_card_may_be_taken_back() -> None:
    at = hall()
    at.mail(ANN, "Goblin 4")
    at.mail(ANN, "undo?")
    at.mail(BOB, "undo yes")
    assert at.at.to_act == ANN
    at.mail(ANN, "Goblin 6")
    assert at.at.to_act == BOB


def test_two_who_order_everything_play_a_whole_game_in_two_mails() -> None:
    at = hall()
    orders = ("if led anything: play my lowest", "lead my highest")
    at.mail(BOB, *orders)
    at.mail(ANN, *orders)
    position = at.at.replay.position
    assert isinstance(position, Position)
    assert position.ending in {"votes", "drawn"}
    assert len(at.at.record.turns) == 52
    assert not at.at.replay.problems
    assert all(NOTHING_TO_PLAY.why not in turn.notes for turn in at.at.record.turns)
    for seat in (ANN, BOB):
        assert at.subjects[seat].startswith("Game over: ")
        assert "HOW IT WAS DECIDED" in text_to(at, seat)


def test_questions_and_wrong_cards() -> None:
    at = hall()
    at.mail(ANN, "why", "history", "status", "help", "help lead", "legal Goblin 4", "legal Knight", "draft Goblin 5")
    told = text_to(at, ANN)
    for part in (
        "No trick has been played yet",
        "news of tricks",
        "lead my highest",
        "You may play these Knights:",
    ):
        assert part in " ".join(told.split()), part
    at.mail(ANN, "Goblin 5")
    assert text_to(at, ANN).startswith("Not played: Ann has no Goblin 5 in hand.")
    at.mail(ANN, "Goblin 4")
    at.mail(ANN, "Goblin 6")
    assert text_to(at, ANN).startswith("Not played: it is Bob's turn, not Ann's.")
    at.mail(BOB, "Knight 2")
    told = text_to(at, BOB)
    assert told.startswith("Not played: your turn breaks a rule. It is still your turn."), (
        "no card that is held is named"
    )
    assert "The full rule, claim.trick.follow:" in told
    assert (
        "These are legal. Reply with the number of one, or write another turn.\n\n    1  Goblin 0\n    2  Goblin 7\n"
        in told
    )
    at.mail(BOB, "Gobln 7")
    assert "Reply `yes` to play" in text_to(at, BOB)
    assert "\n    Goblin 7\n" in text_to(at, BOB)
    at.mail(BOB, "Goblin 77")
    assert "Not played: " in text_to(at, BOB)
    assert "\n    Goblin 77\n" in text_to(at, BOB)
    at.mail(BOB, "legal Knight", "legal Elf")
    assert "You cannot play Knights now." in text_to(at, BOB)
    at.mail(BOB, "legal Undead")
    assert "[claim.trick.follow]" in text_to(at, BOB)
