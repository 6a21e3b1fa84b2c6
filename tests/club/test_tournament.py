"""Tournaments: how they are announced, their rounds and games, what counts, and their letters."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from fractions import Fraction
from random import Random

import pytest

from tests.shared.tables import each_row
from tkid.club.club_state import compose_club_mail
from tkid.club.results import Player, Result
from tkid.club.tournament import Leg, System, Tournament
from tkid.club.tournament_letters import (
    TournamentError,
    announce_tournament,
    final_letters,
    make_game_record,
    round_letters,
    write_points,
    write_tournament_invitation,
)
from tkid.mail.blocks import format_plain

NOW = datetime(2026, 11, 22, 18, tzinfo=UTC)
NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Finn", "Gwen", "Hugo")
PARTIES = {2: ((0,), (1,)), 4: ((0, 2), (1, 3))}


def player(name: str) -> str:
    """A player as the command has it."""
    return f"{name} <{name.lower()}@example.org>"


def tournament(sides: int, system: System = "round-robin", rounds: int = 0, code: str = "second-edition") -> Tournament:
    """A tournament that begins, of single players who have accepted."""
    players = [player(name) for name in NAMES[:sides]]
    return announce_tournament("cup", system, rounds, code, players, NOW, seated=True).close_entries()


def result(leg: Leg, winner: str) -> Result:
    """A game that somebody won, "" for a draw."""
    seats = tuple(range(len(leg.seats)))
    parties = PARTIES[len(seats)]
    won = next((p for p in parties if winner in {leg.seats[seat].name for seat in p}), seats)
    others = tuple(seat for seat in seats if seat not in won)
    players = tuple(Player(each.address, each.name) for each in leg.seats)
    places = tuple(filter(None, (won, others)))
    return Result(leg.game, "second-edition", "struggle", players, parties, places, "rules", "x", 0, 9, NOW, NOW)


def finished(cup: Tournament, wins: Callable[[Leg], str]) -> tuple[Tournament, dict[str, Result], list[list[Leg]]]:
    """A tournament played to its end, and its games, those that began together in one list."""
    results: dict[str, Result] = {}
    begun = []
    while cup.rounds_left:
        cup = cup.next_round(results)
        while legs := list(cup.to_begin(results)):
            begun.append(legs)
            for leg in legs:
                cup = cup.with_game(leg)
            assert not cup.round_over(results)
            results |= {leg.game: result(leg, wins(leg)) for leg in legs}
        assert cup.round_over(results)
    return cup, results, begun


def first_by_name(leg: Leg) -> str:
    """Whoever comes first in the alphabet wins."""
    return min(each.name for each in leg.seats)


@each_row(
    ("change", "message"),
    [
        ({"name": "spring cup"}, "`spring cup` cannot be the name"),
        ({"rounds": 0}, "at least one round"),
        ({"players": [player("Ann")]}, "two sides or more"),
        ({"players": [player("Ann"), "Bob"]}, "`Bob` is not a player"),
        ({"players": [player("Ann"), "ann <b@example.org>"]}, "The name ann is named twice"),
        ({"players": [player("Ann"), "Bob <Ann@example.org>"]}, "The address ann@example.org is named twice"),
        ({"players": [player("Ann"), f"{player('Bob')} + {player('Dan')}"]}, "All sides are single players"),
        ({"code": "claim", "players": ["A <a@x.org> + B <b@x.org>", "C <c@x.org> + D <d@x.org>"]}, "not played by two teams"),
        ({"players": [player("Ann"), "Pass <p@example.org>"]}, "Pass"),
        ({"clock": "3 weeks of rain"}, "The clock"),
        ({"rulings": ("second.ruling.final-tie no-such",)}, "no-such"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_tournament_is_said(change: dict[str, object], message: str) -> None:
    asked: dict[str, object] = {
        "name": "cup",
        "system": "swiss",
        "rounds": 2,
        "code": "second-edition",
        "players": [player("Ann"), player("Bob")],
        "now": NOW,
    }
    with pytest.raises(TournamentError, match=message):
        announce_tournament(**(asked | change))  # type: ignore[arg-type]


def test_a_tournament_is_kept_as_text() -> None:
    cup, _, _ = finished(tournament(4), first_by_name)
    assert Tournament.read_text(cup.text) == cup


def test_it_begins_with_those_who_accepted() -> None:
    asked = announce_tournament("cup", "swiss", 9, "second-edition", [player(name) for name in NAMES[:4]], NOW)
    assert not asked.ready
    with pytest.raises(ValueError, match="fewer than two"):
        asked.close_entries()
    for name, answer in zip(NAMES, ("accepted", "declined", "accepted", "accepted"), strict=False):
        asked = asked.record_answer(f"{name.upper()}@example.org", answer)  # type: ignore[arg-type]
    assert asked.ready
    cup = asked.close_entries()
    assert [side.name for side in cup.sides] == ["Ann", "Cleo", "Dan"]
    assert cup.planned == 3  # nobody could meet anybody new in a fourth round


def test_a_team_plays_only_if_both_accepted() -> None:
    teams = [f"{player(one)} + {player(two)}" for one, two in zip(NAMES[::2], NAMES[1::2], strict=True)]
    cup = announce_tournament("cup", "round-robin", 0, "second-edition", teams, NOW)
    for name in NAMES[:5]:
        cup = cup.record_answer(f"{name.lower()}@example.org", "accepted")
    assert [side.name for side in cup.entered] == ["Ann and Bob", "Cleo and Dan"]


def test_open_games_of_a_pair_have_one_deal_and_follow_each_other() -> None:
    _, results, begun = finished(tournament(4), first_by_name)
    assert len(results) == 12
    assert [len(legs) for legs in begun] == [2, 2] * 3
    for first, second in zip(begun[::2], begun[1::2], strict=True):
        for one, other in zip(first, second, strict=True):
            assert other.deal_of == one.game
            assert other.seats == one.seats[::-1]
            assert not one.starts
            assert not other.starts


def test_secret_games_of_a_pair_have_two_deals_and_begin_together() -> None:
    _, _, begun = finished(tournament(2, code="claim"), first_by_name)
    ((one, other),) = begun
    assert (one.deal_of, other.deal_of) == ("", "")
    assert one.seats == other.seats[::-1]
    assert one.starts
    assert other.starts


def test_the_records_of_a_pair_have_the_same_deal_with_seats_swapped() -> None:
    cup = tournament(2).next_round({})
    entropy = Random(5).randbytes(32)
    (leg,) = cup.to_begin({})
    one = make_game_record(cup, leg, entropy)
    (second,) = cup.with_game(leg).to_begin({leg.game: result(leg, "Ann")})
    other = make_game_record(cup, second, entropy)
    assert other.deal == one.deal
    assert other.names == one.names[::-1]
    assert (one.title, other.title) == ("cup-1-1a", "cup-1-1b")
    assert any(header.name == "X-Clock" for header in one.headers)


def test_teams_sit_across_and_swap_seats() -> None:
    teams = [f"{player('Ann')} + {player('Bob')}", f"{player('Cleo')} + {player('Dan')}"]
    cup = announce_tournament("cup", "round-robin", 0, "second-edition", teams, NOW, seated=True).close_entries()
    cup, results, begun = finished(cup, lambda _: "Dan")
    assert [[each.name for each in leg.seats] for (leg,) in begun] == [
        ["Ann", "Cleo", "Bob", "Dan"],
        ["Cleo", "Ann", "Dan", "Bob"],
    ]
    assert [(cup.sides[line.side].name, line.points) for line in cup.build_table(results)] == [
        ("Cleo and Dan", Fraction(2)),
        ("Ann and Bob", Fraction(0)),
    ]


@each_row("system", ["round-robin", "swiss"])
def test_who_wins_everything_wins_the_tournament(system: System) -> None:
    cup, results, _ = finished(tournament(7, system, 3), first_by_name)
    table = cup.build_table(results)
    assert cup.sides[table[0].side].name == "Ann"
    games = [line.games for line in table]
    assert games == [12] * 7 if system == "round-robin" else max(games) == 3
    byes = sum(line.points - line.wins - Fraction(line.draws, 2) for line in table)
    assert byes == (0 if system == "round-robin" else 3)


def test_who_has_left_a_swiss_tournament_is_not_paired_and_keeps_the_points() -> None:
    cup, results = tournament(6, "swiss", 4).next_round({}), dict[str, Result]()
    for leg in list(cup.to_begin(results)):
        cup = cup.with_game(leg)
        results[leg.game] = result(leg, first_by_name(leg))
    cup = cup.withdraw_side(0).next_round(results)
    assert all(0 not in pair.sides for pair in cup.played[1])
    assert next(line for line in cup.build_table(results) if line.side == 0).points == 1


@each_row(("rounds", "points"), [(1, {1: 0, 2: 0, 3: 0}), (2, {1: 2, 2: 2, 3: 2})])
def test_who_leaves_a_round_robin_forfeits_after_half_of_it_and_never_was_there_before(
    rounds: int, points: dict[int, int]
) -> None:
    """Side 0 loses all its games; the others' points against it depend on how many it has played."""
    cup, results = tournament(4), dict[str, Result]()
    for _ in range(rounds):
        cup = cup.next_round(results)
        while legs := list(cup.to_begin(results)):
            for leg in legs:
                cup = cup.with_game(leg)
                results[leg.game] = result(leg, max(each.name for each in leg.seats))
    cup = cup.withdraw_side(0)
    against = dict.fromkeys(points, Fraction())
    for game in cup.collect_scores(results).games:
        if game.first == 0 and game.second is not None:
            against[game.second] += game.points[1]
        elif game.second == 0:
            against[game.first] += game.points[0]
    assert against == points
    cup = cup.next_round(results)
    assert all(0 not in [cup.side_of(each.address) for each in leg.seats] for leg in cup.to_begin(results))


def test_letters_fit_their_first_line_and_name_the_pairing() -> None:
    asked = announce_tournament("cup", "swiss", 3, "second-edition", [player(name) for name in NAMES[:5]], NOW)
    letters = [write_tournament_invitation(asked, each, NOW) for each in asked.people]
    cup, results, _ = finished(tournament(5, "swiss", 3), first_by_name)
    letters += [*round_letters(cup, results, NOW, lambda _: cup), *final_letters(cup, results, NOW, lambda _: cup)]
    assert len(letters) == 15
    for letter in letters:
        text = format_plain(letter.body)
        assert all(len(line) <= 78 for line in text.splitlines()), text
        assert letter.about == "tournament cup"
        assert compose_club_mail(letter, "tkid@localhost", "0123456789abcdef")
    assert len({letter.address for letter in letters}) == 5
    (bye,) = (letter for letter in letters if "bye" in letter.subject)
    assert bye.name == cup.sides[cup.played[-1][-1].first].name


@each_row(
    ("points", "text"),
    [(Fraction(), "0"), (Fraction(1, 2), "½"), (Fraction(5, 2), "2½"), (Fraction(4, 3), "1 1/3"), (Fraction(3), "3")],
)
def test_points_as_people_write_them(points: Fraction, text: str) -> None:
    assert write_points(points) == text
