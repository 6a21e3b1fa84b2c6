"""The third hand in the mails of a real deal: its cards have the third player's lock, whatever the two others take off."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

from tests.makers import deals
from tests.record.second_deal.curve import L
from tests.record.second_deal.text import Deal, check_of, word, write
from tests.shared.tables import sample
from tkid.record import locked_deal
from tkid.record.locked_deal import LockedDeal
from tkid.record.locked_text import write_deal

from .coalition import SEATS, Held, dealt, divided, held, player_of, seeds_without, times, whole

thirds = pytest.mark.parametrize("third", SEATS)
sampled_thirds = pytest.mark.parametrize("third", sample(SEATS, len(SEATS)))


def points_of(deal: Deal) -> Iterator[tuple[str, int, bytes]]:
    """Every point of a text: the section, the row from 0, and the point."""
    for row, owner in enumerate(deal.owners):
        yield "Keys", row, owner.public
    for owner, deck in zip(deal.owners, deal.decks, strict=True):
        for row, point in enumerate(deck):
            yield f"Deck {owner.name}", row, point
    for row, unlock in enumerate(deal.unlocks):
        yield "Unlocks", row, unlock.point


@thirds
def test_the_third_hand_without_the_others_locks_is_nothing_that_they_know(third: int) -> None:
    """With the locks of both others off, each card is a point that the third player's lock explains, and no card."""
    seen = Held(dealt(), third, seeds_without(third))
    for place in seen.hand:
        point = seen.without_locks(place)
        assert point not in seen.deal.start
        assert point == seen.points[seen.slot(place)], "it comes from the deck that the third player has locked"
        last = max(row for row, unlock in enumerate(seen.deal.unlocks) if unlock.place == place)
        expected = {("Unlocks", last)} | ({("Deck Ann", seen.slot(place))} if third == 0 else set())
        assert {(section, row) for section, row, each in points_of(seen.deal) if each == point} == expected


@pytest.mark.slow
@sampled_thirds
def test_no_locks_of_the_others_lead_from_a_locked_card_to_an_unlocked_one(third: int) -> None:
    """Two of three put their locks on the points of the mails, or take them off: the third lock stays on."""
    seen = held(third)
    decks, off = seen.deal.decks, set[int]()
    locked = {point for deck in decks[third:] for point in deck}
    free = {point for deck in (seen.deal.start, *decks[:third]) for point in deck}
    for unlock in seen.deal.unlocks:
        if unlock.name == seen.deal.names[third]:
            off.add(unlock.place)
        (free if unlock.place in off else locked).add(unlock.point)
    first, second = (player.key for player in seen.players.values())
    for a, b in product((-1, 0, 1), repeat=2):
        both = pow(first, a, L) * pow(second, b, L)
        assert not free & set(times(locked, both))
    key = player_of(seen.deal, third, whole().seeds[third]).key
    assert len(free & set(divided(seen.points, key))) == len(seen.points), "the third key alone leads there"


# -- the third player's own lines -------------------------------------------------------------------------


def lines_of(text: str, name: str) -> dict[str, list[str]]:
    """The lines that a player has written, by section."""
    found: dict[str, list[str]] = {}
    for block in text.rstrip("\n").split("\n\n")[1:]:
        heading, *lines = block.split("\n")
        own = lines if heading.endswith(f" {name}") else [line for line in lines if line.split()[0] == name]
        if own:
            found[heading] = [" ".join(line.split()) for line in own]
    return found


def mails() -> Iterator[LockedDeal]:
    """A real deal as it is in each mail."""
    made = deals.begun("three")
    while owed := locked_deal.list_missing_parts(made):
        seat, _ = owed[0]
        made = locked_deal.add_contribution(made, seat, deals.seed("three", seat))
        yield made


@pytest.mark.exhaustive(seconds=2)
def test_what_the_third_player_writes_follows_from_seed_and_deck_alone() -> None:
    """In every mail a player's lines are the same bytes, the other program makes them too, and none unlocks that player's hand."""
    made = list(mails())
    assert len(made) == 5
    for third, name in enumerate(dealt().names):
        before: dict[str, list[str]] = {}
        for mail in made:
            lines = lines_of(write_deal(mail), name)
            assert all(lines[heading][: len(each)] == each for heading, each in before.items())
            before = lines
        assert before == made_again(third)
        own = {str(place + 1) for place in held(third).hand}
        assert not own & {line.split()[1] for line in before["Unlocks"]}


def made_again(third: int) -> dict[str, list[str]]:
    """The lines of a player in the second implementation, from the seed and from the points that the others sent."""
    deal = dealt()
    player = player_of(deal, third, whole().seeds[third])
    locked, proof = player.lock()
    alone = Deal(deal.header, [player.owner()], [locked], [proof])
    now = Deal(deal.header, decks=deal.decks)
    for unlock in deal.unlocks:
        if unlock.name == player.name:
            alone.unlocks.append(player.unlock(unlock.place, now.point_at(unlock.place)))
        now.unlocks.append(unlock)
    nonce = f"{player.name} {word(player.nonce)}"
    return {**lines_of(write(alone), player.name), "Nonces": [f"{nonce} #{check_of(deal.terms, 'Nonces', nonce)}"]}
