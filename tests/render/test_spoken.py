"""Positions in words: read back they are the position, and they tell no card that the listener may not know."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.games.claim import shared
from tests.games.claim.shared import CLAIM, PLAYERS
from tests.render import test_claim, test_text
from tests.render.test_marks import HOSTILE
from tests.shared.examples import examples
from tests.shared.strategies import CUNNING, GAME, GAMES, NAMES, any_positions, positions, random_game, seeds
from tests.shared.twins import redealt
from tkid.games.claim import rules
from tkid.games.claim.rules import Position as ClaimPosition
from tkid.games.struggle.rules.board import HIDDEN, OPEN, UNSTABLE, Followers, Position, find_leaders
from tkid.games.struggle.rules.game import Struggle
from tkid.kernel.game import AnyGame
from tkid.notation.positions import read_position
from tkid.render import text
from tkid.render.clicks import find_drawing_plugin
from tkid.render.plugin import find_render_plugin
from tkid.rulebook.rulesets import Ruleset, rulesets

LONGEST = 1150
"""Characters with names as short as ours: what a screen reader says in a minute."""
SENTENCE = re.compile(r"(?<=\.) (?=[A-Z])")


def spoken(game: AnyGame, position: Position | ClaimPosition, seat: int | None, names: Sequence[str] = NAMES) -> str:
    """A position in words, as a seat may know it."""
    return find_render_plugin(game).describe_position(game, game.view(position, seat), names[: len(position.seats)])


# -- The King is Dead ---------------------------------------------------------------------------------------


def test_a_position() -> None:
    position, _ = test_text.played(
        2, (*test_text.OPENING, "Manoeuvre S Lancaster <> W Essex; summon E Gwynedd", "Pass")
    )
    assert spoken(GAME, position, 0) == (
        "Turn 16: it is Bob's turn to play. Devon is contested, with 1 of 2 passes in a row. "
        "Only Bob may undo Bob's Manoeuvre. "
        "As it stands, all three factions tie: Devon would be unstable. "
        "The open regions, in the order of their struggles. "
        "Devon: 1 Scot, 1 Welsh and 1 English tie. Essex: 3 English lead 1 Scot, 2 Welsh. "
        "Gwynedd: 2 Welsh lead 1 Scot. Northumbria: 4 Welsh lead 1 English. "
        "Moray: 1 Scot, 1 Welsh and 1 English tie. Lancaster: 2 Welsh and 2 English tie. "
        "Welsh control: Warwick. Scots control: Strathclyde. "
        "Supply: 7 Scots, 1 Welsh, 5 English. "
        "Negotiation disc on Northumbria. Negotiation disc left: Bob. "
        "Ann: court 3 Scots, 3 Welsh, 1 English; "
        "in hand Scottish Support, English Support and Outmanoeuvre; 5 discarded, Welsh Support on top. "
        "Bob: court 2 Scots, 2 English; 6 cards in hand; 2 discarded, Manoeuvre on top."
    )


def test_a_game_that_is_over() -> None:
    position, _ = test_text.all_pass(4)
    told = spoken(GAME, position, None)
    assert told.startswith(
        "The game is over after turn 32. "
        "Ann, Bob, Cal and Dee share the throne: the Welsh hold four regions. English control: "
    )
    assert "Cal: team A; court 1 Scot, 1 English; 8 cards in hand." in told
    assert "contested" not in told
    assert "open regions" not in told
    assert "Negotiation disc left: Ann, Bob, Cal and Dee." in told
    resolved = position.replace(ending=None)
    assert spoken(GAME, resolved, None).startswith("Every region is settled. English control: ")


def test_each_edition_is_told_in_its_own_words() -> None:
    game = GAMES["Mordred"]
    position = next(p for p, _, _ in random_game(Random(4), 2, 0.3, game) if p.negotiated and p.unstable)
    told = spoken(game, position, 0)
    assert re.search(r" Crown token on (Aquae Sulis|[A-Z])", told)
    assert re.search(r" Saxon, \d of 4: ", told)
    assert re.search(r" Pool: .*\d Mordred\. ", told)


def test_who_starts_next_is_told_where_that_changes() -> None:
    position = test_text.played(3, ())[0]
    assert " is contested, then Ann starts. " in spoken(GAMES["manual"], position.replace(starter=2), None)


def test_the_card_that_a_faction_is_named_for_has_its_own_name() -> None:
    position = test_text.played(2, ())[0].replace(decision="plot")
    for game, card in ((CUNNING, "Plot"), (GAMES["digest"], "Assassination")):
        assert f" it is Ann's turn to name a faction for {card}. " in spoken(game, position.replace(to_act=0), None)
        assert f": Ann to name a faction for {card} |" in text.draw_position(
            game, game.view(position.replace(to_act=0), None), NAMES
        )


def followers(game: Struggle, told: str) -> Followers:
    """Followers in words, read back."""
    counts = {name: int(count) for count, name in re.findall(r"(\d+) ([\w-]+)", told)}
    people = [faction.people for faction in game.board.factions]
    return tuple(counts.pop(each, 0) + counts.pop(each.removesuffix("s"), 0) * each.endswith("s") for each in people)


@examples(60)
@given(any_positions(), st.sampled_from((0, 1, None)))
def test_what_is_told_read_back_is_the_position(named: tuple[str, Position], seat: int | None) -> None:
    """Of every game."""
    game, position = GAMES[named[0]], named[1]
    board, told = game.board, spoken(game, position, seat)
    assert len(told) <= LONGEST
    sentences = dict(each.removesuffix(".").split(": ", 1) for each in SENTENCE.split(told) if ": " in each)
    for region, disc in enumerate(position.discs):
        name = board.name_region(region)
        listed = f"{board.terms.lost.capitalize()}, {position.unstable} of {game.invaders}"
        if disc == OPEN:
            assert followers(game, sentences[name]) == position.regions[region]
            ahead = [board.factions[faction].people for faction in find_leaders(position.regions[region])]
            first = re.split(r" leads?\b| tie\b", sentences[name])[0] if any(position.regions[region]) else ""
            one = max(position.regions[region]) == 1
            assert re.findall(r"\d+ ([\w-]+)", first) == [each.removesuffix("s") if one else each for each in ahead]
        else:
            assert name in sentences[listed if disc == UNSTABLE else f"{board.factions[disc].people} control"]
    assert followers(game, sentences[board.terms.stock]) == position.supply
    for owner, court in enumerate(position.courts):
        assert followers(game, re.findall(r"court ([^;]*)", sentences[NAMES[owner]])[0]) == court
    if position.to_act is None:
        assert told.startswith("The game is over")
        winners = [name for seat, name in enumerate(NAMES) if seat in position.winners]
        ended = re.split(" with | because ", SENTENCE.split(told)[1])[0]
        assert [name for name in NAMES if name in ended] == winners
        assert winners or ended.endswith(": nobody wins.")
        return
    assert f"{NAMES[position.to_act]}'s turn to " in told or f"{NAMES[position.to_act]} must " in told
    if position.contested is None:
        assert position.decision == "plot"
        assert " is contested" not in told
    else:
        assert f" {board.name_region(position.contested)} is contested" in told
    order = [board.name_region(region) for region in position.track if position.discs[region] == OPEN]
    assert [name for name in sentences if name in order] == order
    left = sentences[f"{board.terms.negotiation.capitalize()} left"]
    assert {name for seat, name in enumerate(NAMES[: len(position.courts)]) if position.negotiation_discs[seat]} == {
        name for name in NAMES if name in left
    }


ALL_RESOLVED = (
    "second-edition-advanced; MOR =E, STR =W, LAN =W, NOR =S, GWY =W, WAR =unstable, ESS =unstable, DEV =W; supply 7S 13W 7E; "
    "track STR LAN GWY MOR DEV WAR ESS NOR; 1 court SSSSWWEEEE; 1 hand -; 1 acted 23; 1 emptied 23; 1 discs 0; "
    "2 court SSWWEEEEE; 2 hand Plot; 2 acted 21; 2 discs 0; to plot 2"
)
"""Every power struggle is resolved, and Bob has to name a faction."""


def test_the_last_thing_to_name_is_told_without_a_contested_region() -> None:
    game, position = read_position(ALL_RESOLVED)
    assert isinstance(position, Position)
    told = spoken(game, position, 0)
    assert told.startswith("Turn 24: it is Bob's turn to name a faction for Plot.")
    assert " is contested" not in told


@examples(60)
@given(any_positions(), st.sampled_from((0, 1, None)), seeds)
def test_of_hands_only_the_own_one_is_told(named: tuple[str, Position], seat: int | None, seed: int) -> None:
    """Whatever the others hold, and lies below the tops of their piles, of every game the same is told.

    Plot stays where it is: who holds it at the end wins ties, and everybody is told of that.
    """
    game, position = GAMES[named[0]], named[1]
    rng, cards = Random(seed), [card for card in game.cards if card != game.plot]
    hands, discards = list(position.hands), list(position.discards)
    for owner in position.seats:
        if owner != seat:
            hands[owner] = tuple(card if card == game.plot else rng.choice(cards) for card in hands[owner])
            discards[owner] = (*(rng.choice(cards) for _ in discards[owner][:-1]), *discards[owner][-1:])
    told = spoken(game, position, seat)
    assert told == spoken(game, position.replace(hands=tuple(hands), discards=tuple(discards)), seat)
    held = Counter(position.hands[seat] if seat is not None else ())
    own = re.findall(r"in hand ([^;.]*)", told)
    assert len(own) == bool(held)
    assert all((f"{count} {card}" if count > 1 else card) in own[0] for card, count in held.items())


@examples(30)
@given(positions(CUNNING), st.sampled_from((0, 1, None)), seeds)
def test_another_deal_that_a_seat_cannot_tell_from_this_one_sounds_the_same(
    position: Position, seat: int | None, seed: int
) -> None:
    twin = redealt(Random(seed), position, seat)
    if twin is not None:
        assert spoken(CUNNING, twin, seat) == spoken(CUNNING, position, seat)


def test_cards_that_a_file_does_not_tell_are_counted() -> None:
    position = test_text.played(2, ())[0].replace(hands=((HIDDEN, HIDDEN, "Assemble"), ()), discards=((HIDDEN,), ()))
    told = spoken(GAME, position, 0)
    assert "in hand 2 unknown and Assemble; 1 discarded. " in told
    assert told.endswith("; no cards in hand.")


@pytest.mark.parametrize("ruleset", rulesets(), ids=lambda ruleset: ruleset.code)
def test_a_picture_is_told_in_these_words(ruleset: Ruleset) -> None:
    game = ruleset.game()
    position = game.start(game.seat_players(NAMES[:2]), game.deal(2, bytes(32)))
    view = game.view(position, 1)
    told = find_render_plugin(game).describe_position(game, view, NAMES[:2])
    assert find_drawing_plugin(game).draw_picture(game, view, NAMES[:2]).description == told
    assert "Bob: " in told


@pytest.mark.parametrize("game", [GAME, CLAIM], ids=lambda game: game.name)
def test_names_are_told_in_printable_characters(game: AnyGame) -> None:
    position = game.start(game.seat_players(NAMES[:2]), game.deal(2, bytes(32)))
    assert spoken(game, position, 0, HOSTILE).isprintable()


# -- Claim --------------------------------------------------------------------------------------------------


def test_a_position_of_claim() -> None:
    position, _ = test_claim.moment(test_claim.MOMENTS["claim-led"])
    assert spoken(CLAIM, position, 0, PLAYERS) == (
        "Bob to play: Undead 6 was led. "
        "Bob must follow with an Undead if possible, or play a Doppelganger; only a higher one wins. "
        "Phase one, trick 4 of 13. Ann led Undead 6. The prize is Dwarf 1; 19 cards in the deck. "
        "Ann: in hand Goblin 0 (2), Goblin 4, Knight 2, Knight 6, Knight 7, Knight 8, Dwarf 4, Dwarf 8; followers 3; "
        "score pile nothing; votes 0. "
        "Bob: 10 in hand; followers 3; has no Knights; score pile nothing; votes 0. "
        "Discarded: 1 Goblin, 1 Knight, 1 Dwarf, 3 Doppelgangers."
    )


def test_the_end_of_claim() -> None:
    position, _ = test_claim.moment(52)
    assert spoken(CLAIM, position, None, PLAYERS) == (
        "Ann wins by three factions to two. The game is over. "
        "Ann: score pile 3 Goblins, 3 Dwarves, 6 Undead, 2 Doppelgangers; votes 3. "
        "Bob: score pile 3 Knights, 3 Dwarves, 4 Undead, 4 Doppelgangers; votes 2. "
        "Discarded: 11 Goblins, 5 Knights, 4 Dwarves, 4 Doppelgangers."
    )
    drawn = position.replace(scores=((), ()))
    assert spoken(CLAIM, drawn, None, PLAYERS).startswith(
        "The game is drawn: nobody has three factions. The game is over. "
    )


@examples(60)
@given(shared.positions(), st.sampled_from((0, 1, None)), seeds)
def test_of_claim_only_what_may_be_known_is_told(position: ClaimPosition, seat: int | None, seed: int) -> None:
    told = spoken(CLAIM, position, seat, PLAYERS)
    assert told == spoken(CLAIM, shared.twin(Random(seed), position, seat), seat, PLAYERS)
    assert len(told) <= LONGEST
    known = {card for card in (position.led, position.prize) if card is not None}
    if seat is not None and position.to_act is not None:
        known |= set(position.hands[seat])
    named = [rules.NAMES[card] for card in known]
    assert sorted(set(re.findall(r"(?:Goblin|Knight|Dwarf|Undead|Doppelganger) \d", told))) == sorted(named)
    for owner in position.seats:
        assert f"{PLAYERS[owner]}: " in told
        if owner != seat and position.to_act is not None:
            assert f"{PLAYERS[owner]}: {len(position.hands[owner])} in hand" in told


def test_a_prize_that_a_file_does_not_tell() -> None:
    position = test_claim.moment(7)[0].replace(prize=HIDDEN)
    assert " The prize is not known; " in spoken(CLAIM, position, 0, PLAYERS)
