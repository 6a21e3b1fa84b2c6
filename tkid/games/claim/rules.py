"""The rules of Claim. A card is its faction's letter and its value, as in `G5`, or HIDDEN."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from operator import attrgetter
from typing import ClassVar, Literal

from attrs import evolve, field, frozen

from tkid.kernel import game
from tkid.kernel.chance import Chance
from tkid.kernel.game import HIDDEN, Event, Result, Step, Table, check_seat, find_parties, prepare_start
from tkid.kernel.ladder import Condition, Ladder, LegalMoves, Shape, Slot
from tkid.kernel.pickling import Portable
from tkid.kernel.problems import Violation
from tkid.kernel.values import Changeable
from tkid.rulebook import Ids, cites
from tkid.rulebook.rulesets import Ruleset, RulesetGame

Card = str
Cards = tuple[Card, ...]
"""Some cards in the order of the list, hidden ones last; the deck alone is in the order in which it lies."""

GOBLIN, KNIGHT, DWARF, UNDEAD, DOPPELGANGER = "G", "K", "D", "U", "X"


@frozen
class Faction:
    """A faction: its letter, its name on one card and on several, and the values of its cards."""

    letter: str
    name: str
    plural: str
    values: tuple[int, ...]


TEN = tuple(range(10))
FACTIONS: Mapping[str, Faction] = {
    faction.letter: faction
    for faction in (
        Faction(GOBLIN, "Goblin", "Goblins", (0, 0, 0, 0, *TEN)),
        Faction(KNIGHT, "Knight", "Knights", TEN[2:]),
        Faction(DWARF, "Dwarf", "Dwarves", TEN),
        Faction(UNDEAD, "Undead", "Undead", TEN),
        Faction(DOPPELGANGER, "Doppelganger", "Doppelgangers", TEN),
    )
}
"""The factions by letter, in the order in which they are listed."""
PACK: Cards = tuple(f"{faction.letter}{value}" for faction in FACTIONS.values() for value in faction.values)
COPIES = Counter(PACK)
ORDER: Mapping[Card, int] = {card: place for place, card in enumerate([*COPIES, HIDDEN])}
NAMES: Mapping[Card, str] = {card: f"{FACTIONS[card[0]].name} {card[1]}" for card in COPIES} | {HIDDEN: HIDDEN}
"""The printed names of the cards: `Goblin 5`."""
VALUES: Mapping[Card, int] = {card: int(card[1]) for card in COPIES}

SEATS = 2
HAND = 13
"""Number of cards dealt to each player, and of tricks in each phase."""


def sort_cards(cards: Iterable[Card]) -> Cards:
    return tuple(sorted(cards, key=ORDER.__getitem__))


def remove_card(cards: Cards, card: Card) -> Cards:
    """Take out a card, or a hidden one if it is not among them; return `cards` if that is impossible too."""
    gone = card if card in cards else HIDDEN
    if gone not in cards:
        return cards
    place = cards.index(gone)
    return cards[:place] + cards[place + 1 :]


def format_card_list(cards: Iterable[Card]) -> str:
    """Format different cards as a list in words: `Goblin 0 (2), Knight 9`."""
    counts = Counter(cards)
    return ", ".join(f"{NAMES[card]} ({n})" if n > 1 else NAMES[card] for card, n in counts.items())


def count_by_faction(cards: Iterable[Card]) -> str:
    """Count cards by faction: `2 Goblins, 1 Undead`; "" for none. Hidden ones are left out."""
    counts = Counter(card[0] for card in cards)
    present = ((counts[letter], each) for letter, each in FACTIONS.items() if counts[letter])
    return ", ".join(f"{n} {each.name if n == 1 else each.plural}" for n, each in present)


@frozen
class Deal(Portable):
    """All that chance decides, as data: the hands by seat, the face-down deck from its top, and who leads first."""

    hands: tuple[Cards, ...]
    deck: Cards
    first: int


@cites("claim.ruling.start-player")
def draw_claim_deal(chance: Chance) -> Deal:
    """Deal from the end of the shuffled pack: hands in turn order, then the deck from its top; then the first seat."""
    left = chance.shuffle(PACK)
    hands = tuple(sort_cards(left.pop() for _ in range(HAND)) for _ in range(SEATS))
    deck = tuple(reversed(left))
    return Deal(hands, deck, chance.draw_below(SEATS))


def find_claim_faults(deal: Deal) -> Iterator[Violation]:
    """Yield each fault of a set-up; its part is the label of a line. Hidden cards may be any."""
    for seat, hand in enumerate(deal.hands):
        if len(hand) != HAND:
            sentence = f"{HAND} cards are dealt to each player, not {len(hand)}"
            yield Violation("claim.setup.hands", sentence, f"Hand {seat}")
    left = len(PACK) - HAND * SEATS
    if len(deal.deck) != left:
        yield Violation("claim.setup.deck", f"the deck has {left} cards after the deal, not {len(deal.deck)}", "Deck")
    counts: Counter[Card] = Counter()
    for part, cards in (*((f"Hand {seat}", hand) for seat, hand in enumerate(deal.hands)), ("Deck", deal.deck)):
        counts.update(cards)
        for card in dict.fromkeys(cards):
            if card != HIDDEN and counts[card] > COPIES[card]:
                sentence = f"{NAMES[card]} is dealt {counts[card]} times: {describe_copies(COPIES[card])}"
                yield Violation("claim.setup.pack", sentence, part)


def describe_copies(copies: int) -> str:
    return "there is one of it" if copies == 1 else f"there are {copies} of it"


NEEDED = 3
"""Number of factions whose votes win the game."""
VOTES, DRAWN = "votes", "drawn"
ENDINGS = {VOTES: "claim.ending.votes", DRAWN: "claim.ruling.drawn"}


@frozen
class Vote:
    """The vote of a faction: the seat that gets it, None for nobody; and how that was found."""

    faction: Faction
    seat: int | None
    step: Step


@cites("claim.vote.most", "claim.vote.highest")
def find_vote(faction: Faction, scores: tuple[Cards, ...]) -> Vote:
    """Find the vote of a faction: the score pile with most of its cards, then with its highest card."""
    held = [[VALUES[card] for card in pile if card[0] == faction.letter] for pile in scores]
    counts = [len(values) for values in held]
    text = f"{faction.plural}: " + ", ".join(f"{{{seat}}} {count}" for seat, count in enumerate(counts))
    if counts[0] != counts[1]:
        return _make_vote(faction, counts, "claim.vote.most", text)
    best = [max(values, default=-1) for values in held]
    if best[0] != best[1]:
        text += "; the highest: " + ", ".join(f"{{{seat}}} {value}" for seat, value in enumerate(best))
        return _make_vote(faction, best, "claim.vote.highest", text)
    text += f"; both have {faction.name} {best[0]} as the highest" if counts[0] else ""
    return Vote(faction, None, Step("claim.ruling.vote-tie", f"{text} (nobody's vote)"))


def _make_vote(faction: Faction, measure: list[int], rule: str, text: str) -> Vote:
    seat = measure.index(max(measure))
    return Vote(faction, seat, Step(rule, f"{text} (the vote of {{{seat}}})"))


def list_votes(scores: tuple[Cards, ...]) -> Iterator[Vote]:
    for faction in FACTIONS.values():
        yield find_vote(faction, scores)


def score_result(scores: tuple[Cards, ...]) -> Result:
    """Return the result of these score piles: every vote, and last the count of votes."""
    cast = tuple(list_votes(scores))
    counts = [sum(each.seat == seat for each in cast) for seat in range(len(scores))]
    winners = tuple(seat for seat, count in enumerate(counts) if count >= NEEDED)
    ending = VOTES if winners else DRAWN
    text = "Votes: " + ", ".join(f"{{{seat}}} {count}" for seat, count in enumerate(counts))
    text += f" ({NEEDED} win)" if winners else f" (nobody has {NEEDED}: the game is drawn)"
    return Result(ending, winners, (*(each.step for each in cast), Step(ENDINGS[ending], text)))


PHASES = {1: "one", 2: "two"}


@frozen
class Position(Changeable):
    """A moment of a game. Per-seat tuples are in turn order; cards in hands and piles in the order of the list.

    `leader` leads the trick, None when the game is over; `led` is the card that it has led. `prize` is the card played
    for in phase one, None in phase two. `deck` lies from its top on. `lacks` has for each seat the factions, by
    letter, that it has shown in this phase not to hold. `turn` counts the cards played so far; two positions that
    differ only in it are equal. In a position as one seat may know it, HIDDEN stands
    for cards in hands, in follower piles and in the deck, and for the prize of a file whose deck is not known.
    """

    leader: int | None
    led: Card | None
    hands: tuple[Cards, ...]
    followers: tuple[Cards, ...]
    scores: tuple[Cards, ...]
    discards: Cards
    deck: Cards
    prize: Card | None
    lacks: tuple[str, ...]
    turn: int = field(default=0, eq=False)

    @property
    def seats(self) -> range:
        return range(SEATS)

    @property
    def to_act(self) -> int | None:
        if self.leader is None or self.led is None:
            return self.leader
        return 1 - self.leader

    @property
    def decision(self) -> Literal["play"] | None:
        return None if self.leader is None else "play"

    @property
    def phase(self) -> int:
        """1 while followers are recruited, 2 while supporters are gathered."""
        return 1 if self.prize is not None else 2

    @property
    def trick(self) -> int:
        """The number of the trick within its phase, from 1: as many cards are gone from the hands."""
        return min(HAND, HAND + 1 - max(map(len, self.hands)))

    @property
    def ending(self) -> str | None:
        return None if self.leader is not None else score_result(self.scores).ending

    @property
    def winners(self) -> tuple[int, ...]:
        return () if self.leader is not None else score_result(self.scores).winners


@frozen
class Verdict:
    """The rule by which a trick is won, why in words, and whether it is the card played second that wins."""

    rule: str
    why: str
    second_wins: bool = False


@cites("claim.trick.winner", "claim.ruling.knight-led", "claim.power.doppelgangers.powerless")
def judge_trick(led: Card, second: Card) -> Verdict:
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
    """A completed trick: the position before the second card, both cards, and the verdict."""

    before: Position
    led: Card
    second: Card
    leader: int
    verdict: Verdict

    @classmethod
    def from_second_card(cls, before: Position, second: Card) -> Trick | None:
        """Return the trick that a card completes; None for a card that is led."""
        if before.led is None or before.leader is None:
            return None
        return cls(before, before.led, second, before.leader, judge_trick(before.led, second))

    @property
    def winner(self) -> int:
        return 1 - self.leader if self.verdict.second_wins else self.leader

    @property
    def cards(self) -> tuple[Card, Card]:
        """Both cards, in the order played."""
        return self.led, self.second

    @property
    def last(self) -> bool:
        return self.before.phase == 2 and self.before.trick == HAND

    def of_kind(self, faction: str) -> list[Card]:
        return [card for card in self.cards if card[0] == faction]


@cites("claim.trick.leader")
def resolve_trick(position: Position, second: Card) -> tuple[Position, tuple[Event, ...]]:
    """Return the position after a completed trick, and what followed; `second` has left the hand already."""
    trick = Trick.from_second_card(position, second)
    assert trick is not None
    winner, why, number = trick.winner, trick.verdict.why, HAND - len(position.hands[trick.leader])
    won = Event(trick.verdict.rule, f"{{{winner}}} wins the trick: {why}", f"Trick {number}: {{{winner}}}")
    after = position.replace(leader=winner, led=None)
    collect = _resolve_recruiting if position.prize is not None else _resolve_gathering
    collected, events = collect(after, trick.cards, winner)
    return collected, (won, *events)


def _add_cards(piles: tuple[tuple[Card, ...], ...], seat: int, *cards: Card) -> tuple[tuple[Card, ...], ...]:
    return tuple([sort_cards((*pile, *cards)) if owner == seat else pile for owner, pile in enumerate(piles)])


@cites("claim.recruit.discard", "claim.power.undead", "claim.recruit.undead-prize")
def _resolve_recruiting(
    position: Position, played: tuple[Card, Card], winner: int
) -> tuple[Position, tuple[Event, ...]]:
    """Give the winner the prize and the loser the next card of the deck; the Undead played are kept."""
    prize, loser = position.prize, 1 - winner
    assert prize is not None
    drawn, left = position.deck[0], position.deck[1:]
    undead = [card for card in played if card[0] == UNDEAD]
    rule = "claim.recruit.undead-prize" if prize[0] == UNDEAD else "claim.recruit.prize"
    what = "the prize" if prize == HIDDEN else NAMES[prize]
    events = [Event(rule, f"{{{winner}}} recruits {what}"), _make_draw_event(loser, drawn)]
    events += _make_score_events("claim.power.undead", undead, winner)
    followers = _add_cards(_add_cards(position.followers, winner, prize), loser, drawn)
    after = position.replace(
        followers=followers,
        scores=_add_cards(position.scores, winner, *undead),
        discards=sort_cards((*position.discards, *(card for card in played if card[0] != UNDEAD))),
    )
    if left:
        line = f"Prize: {NAMES[left[0]]}"
        shown = f"is {NAMES[left[0]]}" if left[0] != HIDDEN else "is the next card of the deck"
        events.append(Event("claim.recruit.reveal", f"The next prize {shown}", line))
        return after.replace(prize=left[0], deck=left[1:]), tuple(events)
    text = f"Phase {PHASES[2]}: the follower piles become the hands, and {{{winner}}} leads"
    events.append(Event("claim.gather.hands", text, f"Phase {PHASES[2]}: {{{winner}}} leads"))
    return _begin_second_phase(after), tuple(events)


def _make_draw_event(loser: int, card: Card) -> Event:
    unseen = f"{{{loser}}} draws the next card, unseen"
    if card == HIDDEN:
        return Event("claim.recruit.draw", unseen)
    text = f"{{{loser}}} draws {NAMES[card]}"
    return Event("claim.recruit.draw", f"{text} as a follower", text, only=loser, others=(unseen, ""), about=card)


@cites("claim.ruling.second-leader")
def _begin_second_phase(position: Position) -> Position:
    none = tuple(() for _ in position.seats)
    lacks = tuple("" for _ in position.seats)
    return position.replace(hands=position.followers, followers=none, deck=(), prize=None, lacks=lacks)


@cites("claim.gather.collect", "claim.ruling.both-dwarves")
def _resolve_gathering(
    position: Position, played: tuple[Card, Card], winner: int
) -> tuple[Position, tuple[Event, ...]]:
    """Move both cards to the winner's score pile, except Dwarves: they go to the loser's."""
    loser = 1 - winner
    dwarves = [card for card in played if card[0] == DWARF]
    others = [card for card in played if card[0] != DWARF]
    events = _make_score_events("claim.gather.collect", others, winner)
    events += _make_score_events("claim.power.dwarves", dwarves, loser)
    scores = _add_cards(_add_cards(position.scores, winner, *others), loser, *dwarves)
    over = not any(position.hands)
    return position.replace(scores=scores, leader=None if over else winner), tuple(events)


def _make_score_events(rule: str, cards: list[Card], seat: int) -> list[Event]:
    names, go = " and ".join(NAMES[card] for card in cards), "goes" if len(cards) == 1 else "go"
    return [Event(rule, f"{names} {go} to {{{seat}}}'s score pile")] if cards else []


@frozen(cache_hash=True)
class Play(Portable):
    """Play a card to the trick."""

    card: Card


PLAYS = {card: Play(card) for card in COPIES}


@frozen
class ClaimWords(Portable):
    """Writes moves in canonical notation."""

    def write_move(self, move: Play) -> str:
        return NAMES[move.card]

    def write_turn(self, moves: Iterable[Play]) -> str:
        return "; ".join(map(self.write_move, moves))


def count_cards(position: Position) -> Counter[Card]:
    places = (*position.hands, *position.followers, *position.scores, position.discards, position.deck)
    counts = Counter(card for cards in places for card in cards)
    counts.update(card for card in (position.led, position.prize) if card)
    return counts


def count_unseen(position: Position) -> Counter[Card]:
    """Count the cards that are not seen anywhere: any hidden card may be one of them."""
    return COPIES - count_cards(position)


@frozen
class Hand:
    """The hand of the seat to act: cards held or possible, `hidden` ones, the faction it `follows` (None: any), and those it `lacks`."""

    seat: int
    cards: Cards
    follows: str | None
    hidden: int
    lacks: str


def hand_of(position: Position) -> Hand:
    """Return the hand of the seat to act, as far as it is known. Raises ValueError after the end."""
    seat = position.to_act
    if seat is None:
        raise ValueError("the game is over")
    hand, led = position.hands[seat], position.led
    hidden = hand.count(HIDDEN)
    faction = led[0] if led else None
    if not hidden:
        has = led is not None and faction in [card[0] for card in hand]
        return Hand(seat, tuple(dict.fromkeys(hand)), faction if has else None, 0, position.lacks[seat])
    pool = count_unseen(position)
    able = {card: n for card, n in pool.items() if card[0] not in position.lacks[seat]}
    others = sum(n for card, n in able.items() if card[0] != faction)
    has = any(card[0] == faction for card in hand) or (led is not None and others < hidden)
    cards = tuple(card for card in COPIES if card in able or card in hand)
    return Hand(seat, cards, faction if has else None, hidden, position.lacks[seat])


def _explain_not_in_hand(hand: Hand, card: Card) -> str:
    if not hand.hidden:
        return f"{{{hand.seat}}} has no {NAMES[card]} in hand"
    sentence = f"{{{hand.seat}}} cannot have {NAMES[card]}"
    return sentence + f" after failing to follow {FACTIONS[card[0]].plural}" * (card[0] in hand.lacks)


def _explain_off_faction(_: Hand, card: Card) -> str:
    return f"{NAMES[card]} does not follow"


IN_HAND = Condition[Hand, Card]("claim.trick.hand", lambda hand, card: card in hand.cards, _explain_not_in_hand)
SAME_FACTION = Condition[Hand, Card](
    "claim.trick.follow", lambda hand, card: card[0] == hand.follows, _explain_off_faction
)
WILD = Condition[Hand, Card](
    "claim.power.doppelgangers.always",
    lambda hand, card: card[0] == DOPPELGANGER and hand.follows not in {None, DOPPELGANGER},
    _explain_off_faction,
)


def _explain_must_follow(position: Position, fuller: str) -> str:
    hand = hand_of(position)
    assert hand.follows is not None
    faction = FACTIONS[hand.follows]
    held = f"{{{hand.seat}}} {'must have' if hand.hidden else 'has'} {faction.plural}"
    return f"{held} and must follow: {fuller} is possible"


def _make_shape(rule: str, label: str, *conditions: Condition[Hand, Card]) -> Shape[Position, Play]:
    slot: Slot[Hand, Card] = Slot(
        "card", lambda position, _: hand_of(position), attrgetter("cards"), (IN_HAND, *conditions), remembered=False
    )
    return Shape(rule, label, Play, (slot,), make=PLAYS.__getitem__)


FOLLOW = _make_shape("claim.trick.follow", "a card of the led faction", SAME_FACTION)
STAND_IN = _make_shape("claim.power.doppelgangers.always", "a Doppelganger", WILD)
ANY = _make_shape("claim.trick.free", "any card")


def _write_move(move: object) -> str:
    return NAMES[move.card] if isinstance(move, Play) else "nothing"


LEADING: Ladder[Position, Play] = Ladder(((ANY,),), "claim.trick.lead", "claim.trick.lead", _write_move)
"""Any card may be led."""
FOLLOWING: Ladder[Position, Play] = Ladder(
    ((FOLLOW, STAND_IN), (ANY,)),
    "claim.trick.follow",
    "claim.trick.follow",
    _write_move,
    falls_short=_explain_must_follow,
)
"""Following faction if able: a card of the led faction or a Doppelganger; without one of that faction, any card."""


View = game.View[Position]


@cites("claim.ruling.open-cards")
def make_claim_view(position: Position, seat: int | None) -> View:
    """Show a position as a seat may know it: its own cards, all that were ever face up, and the numbers of all others."""

    def seen(piles: tuple[Cards, ...]) -> tuple[Cards, ...]:
        return tuple([cards if owner == seat else hide_cards(cards) for owner, cards in enumerate(piles)])

    shown = position.replace(
        hands=seen(position.hands), followers=seen(position.followers), deck=hide_cards(position.deck)
    )
    return View(seat, shown)


def hide_cards(cards: Cards) -> Cards:
    return (HIDDEN,) * len(cards)


def reveal_deck_cards(position: Position, drawn: Card = HIDDEN, prize: Card = HIDDEN) -> Position:
    """Fill in the cards that a trick of phase one reveals: `drawn` for the loser, then `prize`; HIDDEN reveals nothing."""
    revealed = [card for card, _ in zip((drawn, prize), position.deck, strict=False)]
    top = [new if new != HIDDEN else old for new, old in zip(revealed, position.deck, strict=False)]
    return position.replace(deck=(*top, *position.deck[len(top) :]))


PARTIES = {SEATS: ((0,), (1,))}


@frozen(eq=False, repr=False)
class Claim(RulesetGame):
    """Claim, for two; `ids` completes the ids of its rules, `readings` are the options taken, `cards` are by printed name."""

    name: ClassVar[str] = "claim"
    secret: ClassVar[bool] = True
    code: str
    ids: Ids
    readings: Mapping[str, str]
    parties: Mapping[int, tuple[tuple[int, ...], ...]] = field(default=PARTIES)
    cards: Mapping[str, Card] = field(init=False, factory=lambda: {NAMES[card]: card for card in COPIES})
    words: ClaimWords = field(init=False, factory=ClaimWords)

    def deal(self, players: int, entropy: bytes) -> Deal:
        find_parties(self.parties, players)
        return draw_claim_deal(Chance(entropy))

    def find_faults(self, deal: Deal) -> tuple[Violation, ...]:
        return tuple(find_claim_faults(deal))

    @cites("claim.recruit.reveal")
    def start(self, players: Table | int, deal: Deal | None = None, *, seed: int | None = None) -> Position:
        table, dealt = prepare_start(self, players, deal, seed)
        none = tuple(() for _ in table.names)
        return Position(
            leader=dealt.first,
            led=None,
            hands=dealt.hands,
            followers=none,
            scores=none,
            discards=(),
            deck=dealt.deck[1:],
            prize=dealt.deck[0],
            lacks=tuple("" for _ in table.names),
        )

    def _choose_ladder(self, position: Position) -> Ladder[Position, Play]:
        return LEADING if position.led is None else FOLLOWING

    def legal(self, position: Position) -> LegalMoves[Play]:
        """List every legal move of the seat to act: different cards, as the five Goblins 0 are alike."""
        if position.to_act is None:
            return LegalMoves(self.legal, position, [], lambda _: False)
        ladder = self._choose_ladder(position)
        _, parts = ladder.find_tier(position)
        return LegalMoves(self.legal, position, parts, lambda move: ladder.is_legal(position, move))

    def admits(self, position: Position, move: Play) -> bool:
        if position.to_act is None or move.card not in NAMES:
            return False
        return self._choose_ladder(position).is_legal(position, move)

    def check(self, position: Position, move: Play) -> tuple[Violation, ...]:
        if position.to_act is None:
            return (Violation("claim.ending.over", f"The game is over: {position.ending}"),)
        if move.card not in NAMES:
            return (Violation("claim.setup.pack", f"There is no card {move.card}"),)
        violations = self._choose_ladder(position).check(position, move)
        if not violations:
            return ()
        legal = () if hand_of(position).hidden else tuple(self.legal(position))
        hint = f"Legal cards: {', '.join(NAMES[move.card] for move in legal)}" if legal else ""
        return tuple(evolve(violation, hint=hint, alternatives=legal) for violation in violations)

    @cites("claim.trick.order")
    def apply(self, position: Position, move: Play) -> tuple[Position, tuple[Event, ...]]:
        seat, led, card = position.to_act, position.led, move.card
        assert seat is not None
        hand = remove_card(position.hands[seat], card)
        hands = (hand, position.hands[1]) if seat == 0 else (position.hands[0], hand)
        if led is None:
            event = Event("claim.trick.lead", f"{{{seat}}} leads {NAMES[card]}")
            return position.replace(led=card, hands=hands, turn=position.turn + 1), (event,)
        event = Event(_find_follow_rule(led, card), f"{{{seat}}} plays {NAMES[card]}")
        lacks = position.lacks
        if card[0] not in {led[0], DOPPELGANGER} and led[0] not in lacks[seat]:
            lacks = tuple([shown + led[0] * (owner == seat) for owner, shown in enumerate(lacks)])
        after, events = resolve_trick(position.replace(hands=hands, lacks=lacks, turn=position.turn + 1), card)
        return after, (event, *events, *(self._count_votes(after) if after.leader is None else ()))

    @cites("claim.ending.votes", "claim.ruling.drawn")
    def _count_votes(self, position: Position) -> tuple[Event, ...]:
        result = score_result(position.scores)
        steps = tuple(Event(step.rule, step.text) for step in result.chain)
        rule = ENDINGS[result.ending]
        if not result.winners:
            return (*steps, Event(rule, "The game is drawn", "Drawn"))
        (winner,) = result.winners
        return (*steps, Event(rule, f"{{{winner}}} wins", f"Votes: {{{winner}}}"))

    def view(self, position: Position, seat: int | None) -> View:
        check_seat(position, seat)
        return make_claim_view(position, seat)

    def result(self, position: Position) -> Result | None:
        return score_result(position.scores) if position.leader is None else None


def _find_follow_rule(led: Card, card: Card) -> str:
    if card[0] == led[0]:
        return "claim.trick.follow"
    return "claim.power.doppelgangers.always" if card[0] == DOPPELGANGER else ANY.rule


IDS = Ids("claim")
IDS.cite("cards.pack", "cards.values", "setup.players", "trick.phases", "power.goblins", "power.doppelgangers.led")


CLAIM = Ruleset(
    code="claim",
    version=1,
    title="Claim: tricks in two phases",
    page="editions/claim.md",
    source="rules of Claim",
    rule_prefix="claim",
    game_name="claim",
    confidence="complete; one garbled sentence is restored, and who leads first in phase two is inferred",
    switches=(),
    build=lambda readings: Claim("claim", IDS, dict(readings)),
)
