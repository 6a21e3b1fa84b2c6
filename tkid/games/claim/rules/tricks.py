"""Tricks: who wins one, and where its cards go in each phase."""

from __future__ import annotations

from attrs import frozen

from tkid.games.claim.rules.deck import DOPPELGANGER, DWARF, GOBLIN, HAND, KNIGHT, NAMES, UNDEAD, VALUES, Card, ordered
from tkid.games.claim.rules.position import PHASES, Position
from tkid.kernel.game import HIDDEN, Event
from tkid.rulebook import cites


@frozen
class Verdict:
    """The rule by which a trick is won, why in words, and whether it is the card played second that wins."""

    rule: str
    why: str
    second_wins: bool = False


@cites("claim.trick.winner", "claim.ruling.knight-led", "claim.power.doppelgangers.powerless")
def verdict(led: Card, second: Card) -> Verdict:
    """Who wins a trick of these cards."""
    first, other = NAMES[led], NAMES[second]
    if led[0] == GOBLIN and second[0] == KNIGHT:
        return Verdict("claim.power.knights", f"{other} beats any Goblin", second_wins=True)
    wild = second[0] == DOPPELGANGER != led[0]
    if led[0] != second[0] and not wild:
        return Verdict("claim.ruling.off-faction", f"{other} is not of {first}'s faction")
    if VALUES[led] == VALUES[second]:
        return Verdict("claim.trick.tie", f"{first} and {other} are equal, so the Leader wins")
    rule = "claim.power.doppelgangers" if wild else "claim.trick.highest"
    wins = VALUES[second] > VALUES[led]
    return Verdict(rule, f"{other} beats {first}" if wins else f"{first} beats {other}", second_wins=wins)


@frozen
class Trick:
    """A trick to which both have played: in which position the second card came, and who won it by what."""

    before: Position
    led: Card
    second: Card
    leader: int
    verdict: Verdict

    @classmethod
    def of(cls, before: Position, second: Card) -> Trick | None:
        """The trick that a card completes; None for a card that is led."""
        if before.led is None or before.leader is None:
            return None
        return cls(before, before.led, second, before.leader, verdict(before.led, second))

    @property
    def winner(self) -> int:
        """Who took it."""
        return 1 - self.leader if self.verdict.second_wins else self.leader

    @property
    def cards(self) -> tuple[Card, Card]:
        """Both cards, in the order played."""
        return self.led, self.second

    @property
    def last(self) -> bool:
        """Whether it was the last of the game."""
        return self.before.phase == 2 and self.before.trick == HAND

    def of_kind(self, faction: str) -> list[Card]:
        """Its cards of a faction."""
        return [card for card in self.cards if card[0] == faction]


@cites("claim.trick.leader")
def resolve(position: Position, second: Card) -> tuple[Position, tuple[Event, ...]]:
    """The position after a trick to which both have played, `second` not in the hand any more; and what followed."""
    led, leader = position.led, position.leader
    assert led is not None
    assert leader is not None
    outcome = verdict(led, second)
    winner = 1 - leader if outcome.second_wins else leader
    number = HAND - len(position.hands[leader])
    won = Event(outcome.rule, f"{{{winner}}} wins the trick: {outcome.why}", f"Trick {number}: {{{winner}}}")
    after = position.but(leader=winner, led=None)
    collect = _recruit if position.prize is not None else _gather
    collected, events = collect(after, (led, second), winner)
    return collected, (won, *events)


def _put(piles: tuple[tuple[Card, ...], ...], seat: int, *cards: Card) -> tuple[tuple[Card, ...], ...]:
    """Piles with cards added to that of a seat."""
    return tuple([ordered((*pile, *cards)) if owner == seat else pile for owner, pile in enumerate(piles)])


@cites("claim.recruit.discard", "claim.power.undead", "claim.recruit.undead-prize")
def _recruit(position: Position, played: tuple[Card, Card], winner: int) -> tuple[Position, tuple[Event, ...]]:
    """Phase one: the winner takes the prize, the loser the next card of the deck; the Undead played are kept."""
    prize, loser = position.prize, 1 - winner
    assert prize is not None
    drawn, left = position.deck[0], position.deck[1:]
    undead = [card for card in played if card[0] == UNDEAD]
    rule = "claim.recruit.undead-prize" if prize[0] == UNDEAD else "claim.recruit.prize"
    what = "the prize" if prize == HIDDEN else NAMES[prize]
    events = [Event(rule, f"{{{winner}}} takes {what} as a follower"), _drawn(loser, drawn)]
    events += _scored("claim.power.undead", undead, winner)
    followers = _put(_put(position.followers, winner, prize), loser, drawn)
    after = position.but(
        followers=followers,
        scores=_put(position.scores, winner, *undead),
        discards=ordered((*position.discards, *(card for card in played if card[0] != UNDEAD))),
    )
    if left:
        line = f"Prize: {NAMES[left[0]]}"
        shown = f"is {NAMES[left[0]]}" if left[0] != HIDDEN else "is the next card of the deck"
        events.append(Event("claim.recruit.reveal", f"The next prize {shown}", line))
        return after.but(prize=left[0], deck=left[1:]), tuple(events)
    text = f"Phase {PHASES[2]}: the follower piles become the hands, and {{{winner}}} leads"
    events.append(Event("claim.gather.hands", text, f"Phase {PHASES[2]}: {{{winner}}} leads"))
    return _second_phase(after), tuple(events)


def _drawn(loser: int, card: Card) -> Event:
    """The loser's draw, which the loser alone may know."""
    unseen = f"{{{loser}}} takes the next card of the deck as a follower, unseen"
    if card == HIDDEN:
        return Event("claim.recruit.draw", unseen)
    text = f"{{{loser}}} draws {NAMES[card]}"
    return Event("claim.recruit.draw", f"{text} as a follower", text, only=loser, others=(unseen, ""), about=card)


@cites("claim.ruling.second-leader")
def _second_phase(position: Position) -> Position:
    """The first position of phase two: the winner of the last trick leads."""
    none = tuple(() for _ in position.seats)
    return position.but(
        hands=position.followers, followers=none, deck=(), prize=None, lacks=tuple("" for _ in position.seats)
    )


@cites("claim.gather.collect", "claim.ruling.both-dwarves")
def _gather(position: Position, played: tuple[Card, Card], winner: int) -> tuple[Position, tuple[Event, ...]]:
    """Phase two: both cards go to the winner's score pile, but Dwarves to the loser's."""
    loser = 1 - winner
    dwarves = [card for card in played if card[0] == DWARF]
    others = [card for card in played if card[0] != DWARF]
    events = _scored("claim.gather.collect", others, winner) + _scored("claim.power.dwarves", dwarves, loser)
    scores = _put(_put(position.scores, winner, *others), loser, *dwarves)
    over = not any(position.hands)
    return position.but(scores=scores, leader=None if over else winner), tuple(events)


def _scored(rule: str, cards: list[Card], seat: int) -> list[Event]:
    """The event for cards that go to a seat's score pile; none without cards."""
    names, go = " and ".join(NAMES[card] for card in cards), "goes" if len(cards) == 1 else "go"
    return [Event(rule, f"{names} {go} to {{{seat}}}'s score pile")] if cards else []
