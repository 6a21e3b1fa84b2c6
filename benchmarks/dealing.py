"""What a deal without a dealer costs each player: processor time and bytes of each mail, and of checking one card.

`python -m benchmarks.dealing` runs it alone.
"""

from __future__ import annotations

from statistics import median
from time import process_time

from tests.makers.deals import TABLES, begun, seed
from tkid.record import locked_cards
from tkid.record import locked_deal as deals
from tkid.record.locked_deal import LockedDeal
from tkid.record.locked_text import merge_deals, read_deal, write_deal

MOST_SECONDS, MOST_CARD = 2.5, 5.0
CHECKS = 40


def main() -> None:
    """Deal a game of each kind, every player with a file of their own."""
    for table, (code, players) in TABLES.items():
        own = [begun(table)] * players
        spent, sizes, mail = [0.0] * players, [], write_deal(own[0])
        while owed := deals.list_missing_parts(newest(own)):
            seat = owed[0][0]
            begin = process_time()
            own[seat] = deals.add_contribution(taken(own[seat], mail, seat), seat, seed(table, seat))
            after = write_deal(own[seat])
            spent[seat] += process_time() - begin
            sizes.append(len(after.encode()))
            mail = after
        for seat in range(players):
            begin = process_time()
            own[seat] = taken(own[seat], mail, seat)
            spent[seat] += process_time() - begin
        told = ", ".join(f"{seconds:.2f}" for seconds in spent)
        print(f"dealing {code}, {players}: {told} s of each player         wanted: at most {MOST_SECONDS}")
        print(f"  {len(sizes)} mails of {', '.join(f'{size:,}' for size in sizes)} bytes")
    print(f"checking a card      {card_check(own[0]):9.2f} ms            wanted: at most {MOST_CARD}")


def newest(own: list[LockedDeal]) -> LockedDeal:
    """The deal of whoever has most of it."""
    return max(own, key=lambda deal: (sum(deck is not None for deck in deal.decks), len(deal.unlocks)))


def taken(mine: LockedDeal, mail: str, seat: int) -> LockedDeal:
    """A player's deal with what a mail has more."""
    read = read_deal(mail.encode())
    assert read.content is not None
    together, flaws = merge_deals(mine, read.content, seat)
    assert not flaws
    return together


def card_check(deal: LockedDeal) -> float:
    """The milliseconds that the check of one unlock takes."""
    each, spent = deal.unlocks[0], []
    key, deck = deal.keys[each.seat], deal.decks[-1]
    assert key is not None
    assert deck is not None
    for _ in range(CHECKS):
        begin = process_time()
        locked_cards.verify_unlock(deal.terms, deal.names[each.seat], key.public, deck[each.place], each)
        spent.append(process_time() - begin)
    return median(spent) * 1000


if __name__ == "__main__":
    main()
