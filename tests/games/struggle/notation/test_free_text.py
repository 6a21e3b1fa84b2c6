"""Turns of The King is Dead in everyday words: what stands for a region, colours by their letters, words of other languages."""

from __future__ import annotations

import pytest

from tests.shared.strategies import ADVANCED, DIGEST, FIRST, MORDRED, SECOND
from tkid.games.struggle.notation.free_words import CARDS, COLOURS, NICKNAMES
from tkid.games.struggle.notation.noted_setup import NotesReader
from tkid.games.struggle.rules.game import Struggle
from tkid.notation.free_text import understand_turn
from tkid.notation.positions import read_position

PLAYERS = "1 court WE; 1 hand {cards}; 2 court SE; 2 hand Assemble; to play 1"
CARDS_OF_SECOND = (
    "Scottish Support, Welsh Support, English Support, Assemble, Assemble, Negotiate, Manoeuvre, Outmanoeuvre"
)
POSITIONS = {
    "second": "second-edition; MOR SSWE, STR SEE, LAN SWE, NOR SWWE, GWY WWW, WAR SSEE, ESS EEE, DEV SSW; "
    f"supply 2S 5W 4E; track DEV STR MOR WAR GWY LAN NOR ESS; {PLAYERS.format(cards=CARDS_OF_SECOND)}",
    "no Welsh": "second-edition; MOR SSWE, STR SEE, LAN SWE, NOR SWWE, GWY WWW, WAR SSEE, ESS EEE, DEV SSW; "
    f"supply 2S 4E; track DEV STR MOR WAR GWY LAN NOR ESS; {PLAYERS.format(cards=CARDS_OF_SECOND)}",
    "advanced": "second-edition-advanced; MOR SSWE, STR SEE, LAN SWE, NOR SWWE, GWY WWW, WAR SSEE, ESS EEE, DEV SSW; "
    f"supply 2S 5W 4E; track DEV STR MOR WAR GWY LAN NOR ESS; {PLAYERS.format(cards='Ambush, March, Manoeuvre')}",
    "first": "first-edition; CAL SSWR, DIN SRR, EBO SWR, DVA SWWR, RAT SSRR, CAE WWW, LON RRR, AQU SSW; "
    "supply 4S 5W 4R; track DVA DIN EBO LON CAE AQU RAT CAL; 1 court WR; 1 hand Scots, Welsh, Settlement, Crown, "
    "Ambassador; 2 court SR; 2 hand Crown; to play 1",
}


def read_line(name: str, text: str) -> tuple[str, tuple[str, ...]]:
    game, position = read_position(POSITIONS[name])
    found = understand_turn(game, ("Ann", "Bob"), position, text)
    assert not found.certain
    return found.turn, found.choices


@pytest.mark.parametrize(
    ("name", "text", "turn"),
    [
        (
            "second",
            "Negotiate 1 and 4, disc on the first. W from Gwynedd.",
            "Negotiate Devon <> Warwick, disc Devon; summon W Gwynedd",
        ),
        (
            "second",
            "Negotiate Warwick and Devon, disc on the latter, W Gwynedd",
            "Negotiate Devon <> Warwick, disc Devon; summon W Gwynedd",
        ),
        (
            "second",
            "Negotiate first card with the fourth, disc on the first. W Gwynedd",
            "Negotiate Devon <> Warwick, disc Devon; summon W Gwynedd",
        ),
        (
            "second",
            "negotiate devon and warwick, disc on devon, summon S from the other one",
            "Negotiate Devon <> Warwick, disc Devon; summon S Warwick",
        ),
        ("second", "2 red -> devon, yellow warwick -> court", "Welsh Support WW Devon; summon E Warwick"),
        (
            "second",
            "two Welsh go to Devon (support card), and I'd like an Englishman out of Warwick",
            "Welsh Support WW Devon; summon E Warwick",
        ),
        (
            "second",
            "assemble b moray, r devon, y lancaster, court r gwynedd",
            "Assemble S Moray, W Devon, E Lancaster; summon W Gwynedd",
        ),
        (
            "second",
            "Assemble: b en Moray y r en Essex, y en Devon. r de Gwynedd",
            "Assemble S Moray, W Essex, E Devon; summon W Gwynedd",
        ),
        (
            "second",
            "we assemble b Moray, r Essex, y Devon and take r from Gwynedd",
            "Assemble S Moray, W Essex, E Devon; summon W Gwynedd",
        ),
        ("second", "Manoeuvre b Moray y y Essex, summon r Gwynedd", "Manoeuvre S Moray <> E Essex; summon W Gwynedd"),
        (
            "no Welsh",
            "Assemble S Moray, E Devon (Welsh are all in play). Warwick S.",
            "Assemble S Moray, E Devon; summon S Warwick",
        ),
        ("no Welsh", "Assemble w/o Welsh: S Moray, E Devon. Warwick S.", "Assemble S Moray, E Devon; summon S Warwick"),
        (
            "second",
            "gimme the devon scot after i manoeuvre moray S with gwynedd W",
            "Manoeuvre S Moray <> W Gwynedd; summon S Devon",
        ),
        (
            "second",
            "So, I thought about it over breakfast and I'm going with Welsh Support in Devon. E from Warwick",
            "Welsh Support WW Devon; summon E Warwick",
        ),
        (
            "second",
            "Negotiate Devon/Warwick (disc on Devon), summon W from Gwynedd - they have three of them!",
            "Negotiate Devon <> Warwick, disc Devon; summon W Gwynedd",
        ),
        (
            "second",
            "Negotiate Warwick and Devon - disc onto the former - and take a Welshman from Gwynedd",
            "Negotiate Devon <> Warwick, disc Warwick; summon W Gwynedd",
        ),
        (
            "second",
            "Could you please manoeuvre S Moray with W Gwynedd for me and summon an English from Essex? Thanks",
            "Manoeuvre S Moray <> W Gwynedd; summon E Essex",
        ),
        (
            "second",
            "I'm manoeuvring! A Scot of Moray for a Welshman of Gwynedd. And that Welshman is summoned.",
            "Manoeuvre S Moray <> W Gwynedd; summon W Moray",
        ),
        ("second", "assemble SWE devon, E essex", "Assemble S Devon, W Devon, E Devon; summon E Essex"),
        ("second", "Welsh Support wrwck, and an E from nthumb", "Welsh Support WW Warwick; summon E Northumbria"),
        (
            "second",
            "Assemble: a Scot in Essex, a Welsh in Lancaster and an English in Devon. I summon this Welsh one right away.",
            "Assemble S Essex, W Lancaster, E Devon; summon W Lancaster",
        ),
        ("advanced", "ambush dev +SS -S, S mor", "Ambush Devon place SS return S; summon S Moray"),
        ("first", "2 Welsh to Bath, a Welsh from Chester", "Welsh WW Aquae Sulis; summon W Deva"),
        ("first", "Ambasador: Szkot z Deva, Szkot z Ratae; Walijczyk z Caerleon", "Ambassador S Deva <> S Ratae; summon W Caerleon"),
    ],
)  # fmt: skip
def test_words_for_things_of_the_board_are_read(name: str, text: str, turn: str) -> None:
    found = read_line(name, text)
    assert found[0] == turn or (not found[0] and turn in found[1]), found


@pytest.mark.parametrize(
    ("name", "text", "first"),
    [
        ("second", "welsh support into devon & out comes a scot", "Welsh Support WW Devon; summon S Devon"),
        ("second", "Assemble, Lancaster gets S and E, Devon gets W and loses an S to me", "Assemble S Lancaster, W Devon, E Lancaster; summon S Devon"),
        ("second", "Welsh Support, but there's still a red left, so two Welshmen to Warwick. I summon a Welsh follower from Moray.", "Welsh Support WW Warwick; summon W Moray"),
    ],
)  # fmt: skip
def test_a_turn_beside_other_words_is_asked_about_or_read_the_likeliest_first(name: str, text: str, first: str) -> None:
    turn, choices = read_line(name, text)
    assert (turn or choices[0]) == first


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("second", "Scottish Support in Narnia, W from Gwynedd"),
        ("second", "March a Scot from Moray to Devon, summon E Essex"),
        ("second", "If Bob passes, I hope, Welsh Support in Devon, E from Warwick"),
        ("second", "They put two Welsh into Devon, I think, and summon E Essex"),
        ("second", "Manoeuvre S Moray <> W Gwynedd; summon a dwarf"),
        ("second", "Outmanoeuvre E Lancaster with 3 S from Strathclyde, take W Northumbria"),
        ("second", "Negotiate Devon, Moray and Warwick, disc on the latter, W Gwynedd"),
        ("second", "How many yellows are left in the other one?"),
    ],
)
def test_a_thing_that_is_named_and_does_not_fit_stops_a_proposal(name: str, text: str) -> None:
    assert not read_line(name, text)[0]


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("English Support in Moray please, summon W from Gwynedd", "second.card.support.near"),
        ("Scottish Support in Essex. Haven't decided what to summon", "second.card.support.near"),
    ],
)
def test_an_illegal_turn_is_explained_by_the_card_that_is_named(text: str, rule: str) -> None:
    game, position = read_position(POSITIONS["second"])
    assert rule in {problem.rule for problem in understand_turn(game, ("Ann", "Bob"), position, text).problems}


GAMES = [SECOND.game(), ADVANCED.game(), FIRST.game(), MORDRED.game(), DIGEST]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: str(game.code))
def test_each_word_of_the_table_means_its_thing(game: Struggle) -> None:
    shorthand = NotesReader(game, ("Ann", "Bob"), is_free=True)
    letters, codes = game.board.letters, [region.code for region in game.board.regions]
    wrong = []
    for part, words in CARDS.items():
        named = {("card", name) for name in game.cards if part in name.casefold().split()}
        wrong += [
            (part, word)
            for word in words
            if named and not any(named & each.keys() for each in shorthand.find_meanings(None, word))
        ]
    for kind, table, signs in (("follower", COLOURS, letters), ("region", NICKNAMES, codes)):
        for sign, words in table.items():
            fact = (kind, signs.index(sign)) if sign in signs else None
            wrong += [
                (sign, word)
                for word in words
                if fact and not any(fact in each for each in shorthand.find_meanings(None, word))
            ]
    assert not wrong
