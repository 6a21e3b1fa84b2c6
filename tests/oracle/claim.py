"""The naive oracle of Claim: what may be played, who wins a trick, where its cards go, who wins the votes.

Written straight from the rules, in the words of the rules, and knows nothing of the engine: a card is a pair of its
faction's name and its value, a hand a list of cards, a player 0 or 1.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Card = tuple[str, int]

FACTIONS = ("Goblin", "Knight", "Dwarf", "Undead", "Doppelganger")
PACK: list[Card] = [
    *[("Goblin", value) for value in range(10)],
    *[("Goblin", 0)] * 4,
    *[("Dwarf", value) for value in range(10)],
    *[("Undead", value) for value in range(10)],
    *[("Doppelganger", value) for value in range(10)],
    *[("Knight", value) for value in range(2, 10)],
]
VOTES_NEEDED = 3


LETTERS = {"G": "Goblin", "K": "Knight", "D": "Dwarf", "U": "Undead", "X": "Doppelganger"}


def card(code: str) -> Card:
    """The card of a code such as `G5`."""
    return LETTERS[code[0]], int(code[1])


def playable(hand: Iterable[Card], led: Card | None) -> set[Card]:
    """The cards of a hand that may be played, second to a led card or as the Leader (None)."""
    cards = set(hand)
    if led is None:
        return cards  # The Leader plays any single card.
    same = {each for each in cards if each[0] == led[0]}
    if not same:
        return cards  # Unable to follow: any card.
    wild = {each for each in cards if each[0] == "Doppelganger"}
    return same | wild  # Doppelgangers may be played even by those able to follow.


def second_wins(led: Card, second: Card) -> bool:
    """Whether the player who plays second wins the trick."""
    faction, value = second
    if faction == "Knight" and led[0] == "Goblin":
        return True  # After a Goblin a Knight beats it regardless of its value.
    if faction == "Doppelganger":
        faction = led[0]  # Considered to be the faction of the first card.
    if faction != led[0]:
        return False  # Another faction: the Leader wins.
    if value == led[1]:
        return False  # In case of a tie the Leader wins.
    return value > led[1]


def recruited(led: Card, second: Card) -> tuple[list[Card], list[Card]]:
    """What of a trick in phase one goes to the winner's score pile, and what is discarded."""
    kept, gone = [], []
    for each in (led, second):
        if each[0] == "Undead":
            kept.append(each)
        else:
            gone.append(each)
    return kept, gone


def gathered(led: Card, second: Card) -> tuple[list[Card], list[Card]]:
    """What of a trick in phase two goes to the winner's score pile, and what to the loser's."""
    winners, losers = [], []
    for each in (led, second):
        if each[0] == "Dwarf":
            losers.append(each)
        else:
            winners.append(each)
    return winners, losers


def vote(faction: str, piles: Sequence[Sequence[Card]]) -> int | None:
    """Who gets the vote of a faction, None for nobody."""
    mine = [each for each in piles[0] if each[0] == faction]
    theirs = [each for each in piles[1] if each[0] == faction]
    if len(mine) > len(theirs):
        return 0
    if len(theirs) > len(mine):
        return 1
    if not mine:
        return None
    my_best = max(value for _, value in mine)
    their_best = max(value for _, value in theirs)
    if my_best > their_best:
        return 0
    if their_best > my_best:
        return 1
    return None


def winner(piles: Sequence[Sequence[Card]]) -> int | None:
    """Who wins the game with these score piles, None for a drawn game."""
    cast = [vote(faction, piles) for faction in FACTIONS]
    for player in (0, 1):
        if cast.count(player) >= VOTES_NEEDED:
            return player
    return None


def named(text: str) -> Card:
    """The card of a printed name such as `Goblin 5`."""
    name, _, value = text.partition(" ")
    return name, int(value)


def after_second(position: Mapping[str, Any], second: str) -> dict[str, Any]:
    """What the second card of a trick leaves on the table, for a position in JSON: all but the open questions of whose turn."""
    led, leader = position["led"], position["leader"]
    follower = 1 - leader
    winner = follower if second_wins(named(led), named(second)) else leader
    loser = 1 - winner
    hands, piles, scores = ([list(pile) for pile in position[name]] for name in ("hands", "followers", "scores"))
    hands[follower].remove(second)
    deck, discards, prize = list(position["deck"]), list(position["discards"]), position["prize"]
    if prize is None:
        kept, given = gathered(named(led), named(second))
        scores[loser] += [f"{name} {value}" for name, value in given]
    else:
        kept, gone = recruited(named(led), named(second))
        discards += [f"{name} {value}" for name, value in gone]
        piles[winner].append(prize)
        piles[loser].append(deck.pop(0))
        prize = deck.pop(0) if deck else None
        if prize is None:
            hands, piles = piles, [[], []]
    scores[winner] += [f"{name} {value}" for name, value in kept]
    over = not any(hands) and prize is None
    told = {"hands": hands, "followers": piles, "scores": scores, "discards": discards, "deck": deck, "prize": prize}
    return told | {"leader": None if over else winner, "to_act": None if over else winner}
