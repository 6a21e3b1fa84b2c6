"""What mails say about Claim: examples for every sentence."""

from __future__ import annotations

from functools import cache

from tests.mail.said import cut
from tests.makers.games import FOLDER
from tests.shared.tables import each_row
from tkid.mail.plugin import find_mail_plugin
from tkid.record.format.reader import read_record
from tkid.record.play.replay import Replay, replay
from tkid.record.play.views import hide_secrets

WHOLE, DRAWN, EQUAL = "whole-game-for-2", "drawn", "equal-cards"


@cache
def game(name: str) -> Replay:
    """A recorded game."""
    record = read_record((FOLDER / "claim" / f"{name}.tkid").read_bytes()).record
    assert record is not None
    return replay(record)


def known(name: str, seat: int | None, turns: int | None = None) -> Replay:
    """A recorded game as a seat knows it, whole or after so many turns."""
    whole = hide_secrets(game(name), seat)
    return whole if turns is None else cut(whole, turns)


PLUGIN = find_mail_plugin(game(WHOLE).record.game)

SHORT = [
    (1, 0, "Bob led Goblin 8.", "Bob led Goblin 8"),
    (1, 1, "You led Goblin 8.", "Bob led Goblin 8"),
    (2, 0, "You played Goblin 7, and Bob won the trick.", "Bob won the trick"),
    (8, 0, "You won the trick with Doppelganger 9.", "Ann won the trick"),
    (8, None, "Ann won the trick with Doppelganger 9.", "Ann won the trick"),
    (10, 0, "Bob played Knight 5, and you won the trick.", "Ann won the trick"),
    (52, 0, "Bob played Knight 4, and you won the last trick.", "the game is over"),
]


@each_row("number, seat, text, headline", SHORT)
def test_a_card_in_short(number: int, seat: int | None, text: str, headline: str) -> None:
    at = known(WHOLE, seat)
    assert PLUGIN.shorten_turn(at, number, seat) == text
    assert PLUGIN.write_headline(at, number) == headline


SINCE = [
    (WHOLE, 1, 0, ["Bob led Goblin 8."]),
    (WHOLE, 2, 0, [
        "You played Goblin 7 on Bob's Goblin 8, and Bob won the trick.",
        "Bob recruited Undead 6, and you drew Dwarf 8 as a follower.",
        "Dwarf 4 is the next prize.",
    ]),
    (WHOLE, 2, 1, [
        "Ann played Goblin 7 on your Goblin 8, and you won the trick.",
        "You recruited Undead 6, and Ann drew the next card, unseen.",
        "Dwarf 4 is the next prize.",
    ]),
    (WHOLE, 20, 0, [
        "Bob played Knight 2 on your Undead 7, and you won the trick.",
        "You recruited Doppelganger 8, and Bob drew the next card, unseen.",
        "Undead 7 went to your score pile.",
        "Doppelganger 3 is the next prize.",
    ]),
    (WHOLE, 26, 0, [
        "You played Undead 1 on Bob's Goblin 0, and Bob won the trick.",
        "Bob recruited Dwarf 2, and you drew Knight 7 as a follower.",
        "Undead 1 went to Bob's score pile.",
        "Phase two begins: the followers are the hands now, and Bob leads.",
    ]),
    (WHOLE, 28, 0, [
        "You played Doppelganger 7 on Bob's Dwarf 1 and won the trick.",
        "Doppelganger 7 went to your score pile.",
        "Dwarf 1 went to Bob's score pile.",
    ]),
    (WHOLE, 52, 1, [
        "You played Knight 4 on Ann's Knight 7, and Ann won the last trick.",
        "Knight 7 and Knight 4 went to Ann's score pile.",
        "Ann won by four factions to one.",
    ]),
]  # fmt: skip


@each_row("name, number, seat, sentences", SINCE)
def test_a_card_in_full(name: str, number: int, seat: int, sentences: list[str]) -> None:
    at = known(name, seat)
    assert PLUGIN.tell_since(at, number, seat) == sentences


WORDS = [
    (0, "Goblin 8", "You lead Goblin 8."),
    (1, "Goblin 7", "You play Goblin 7 on Bob's Goblin 8, and Bob wins the trick."),
    (7, "Doppelganger 9", "You play Doppelganger 9 on Bob's Dwarf 5 and win the trick."),
    (0, "nonsense", ""),
]


@each_row("turns, text, words", WORDS)
def test_a_card_before_it_is_played(turns: int, text: str, words: str) -> None:
    at = known(WHOLE, game(WHOLE).moments[turns].position.to_act, turns)
    assert PLUGIN.tell_turn(at, text) == words


def test_why_a_trick_was_taken_where_cards_do_not_say_it() -> None:
    """Equal cards, and Knights on Goblins."""
    said = {
        text
        for name in (WHOLE, DRAWN, EQUAL)
        for number in range(1, len(game(name).moments))
        for text in PLUGIN.tell_since(known(name, None), number, None)
        if ", as " in text
    }
    assert any(text.endswith("won the trick, as equal cards go to the leader.") for text in said)
    assert any(text.endswith("won the trick, as a Knight beats any Goblin.") for text in said)


FACTS = [
    (3, 0, [
        ("You", ("in hand: Goblins 2 5, Knights 6 8, Dwarf 0, Undead 1 7, Doppelgangers 1 2 4 5 9; recruited: Dwarf 8; "
         "score pile: empty")),
        ("Bob", "11 cards in hand; 1 card recruited; score pile: empty"),
    ]),
    (30, 1, [
        ("Ann", "11 cards in hand; score pile: 1 Undead, 1 Doppelganger"),
        ("You", "in hand: Goblins 0 0 3 4, Knight 4, Dwarf 4, Undead 0 2 6 8, Doppelganger 0; score pile: 3 Dwarves, 1 Undead"),
    ]),
    (52, 0, [
        ("You", "score pile: 4 Goblins, 2 Knights, 7 Undead, 4 Doppelgangers; winner"),
        ("Bob", "score pile: 2 Goblins, 6 Dwarves, 3 Undead"),
    ]),
]  # fmt: skip


@each_row("turns, seat, rows", FACTS)
def test_what_each_has(turns: int, seat: int, rows: list[tuple[str, str]]) -> None:
    assert list(PLUGIN.list_facts(known(WHOLE, seat, turns), seat)) == rows


def test_what_a_player_has_shown_not_to_hold() -> None:
    _, (_, shown) = PLUGIN.list_facts(known(WHOLE, 0, 18), 0)
    assert shown == "4 cards in hand; no Dwarves or Doppelgangers in hand; 9 cards recruited; score pile: empty"


def test_samples_are_of_different_factions() -> None:
    assert PLUGIN.list_samples(known(WHOLE, 1, 0)) == ["Goblin 0", "Knight 2", "Dwarf 5"]
    assert PLUGIN.list_samples(known(WHOLE, 0, 0)) == []


RESULTS = [
    (WHOLE, 0, "you won", "You won by four factions to one.", [
        "You won the last trick.",
        "The Goblins, Knights, Undead and Doppelgangers voted for you, the Dwarves for Bob.",
    ]),
    (EQUAL, 0, "Bob won", "Bob won by three factions to two.", [
        "You won the last trick.",
        "The Goblins and Dwarves voted for you, the Knights, Undead and Doppelgangers for Bob.",
        "Bob's Knight 7 broke a tie of 2 to 2.",
    ]),
    (DRAWN, 1, "a draw", "The game was drawn: nobody had three factions.", [
        "Ann won the last trick.",
        "The Undead and Doppelgangers voted for Ann, the Goblins and Dwarves for you.",
        "The Knights voted for nobody and Ann's Doppelganger 9 broke a tie of 3 to 3.",
    ]),
]  # fmt: skip


@each_row("name, seat, subject, sentence, decided", RESULTS)
def test_who_won_and_why(name: str, seat: int, subject: str, sentence: str, decided: list[str]) -> None:
    at = known(name, seat)
    assert PLUGIN.describe_result(at, seat) == (subject, sentence)
    assert PLUGIN.describe_decision(at, seat) == decided
    assert PLUGIN.describe_outlook(at, seat) == ""
