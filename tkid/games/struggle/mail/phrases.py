"""Factions, followers and resolutions in words, and turns to copy."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from attrs import frozen

from tkid.games.struggle.notation.orders import PLUGIN as ORDERS
from tkid.games.struggle.rules.board import HIDDEN, UNSTABLE, Board, Followers, Position, count_followers
from tkid.games.struggle.rules.game import PASS, Struggle
from tkid.games.struggle.rules.moves import (
    Apart,
    Copy,
    CourtSwap,
    Exchange,
    Move,
    NoSummon,
    Place,
    PlaceMove,
    PlaceReturn,
    PlaceSwap,
    Play,
    ReturnPlace,
    Shift,
    Spread,
    Summon,
    Swap,
    follow_copy,
    list_transfers,
)
from tkid.games.struggle.rules.struggles import ResolvedRegion
from tkid.kernel.game import fill_names
from tkid.kernel.ladder import Nothing
from tkid.kernel.problems import Problem, Scope
from tkid.mail.voice import list_and
from tkid.notation.names import add_article
from tkid.notation.text import single_space, spell_number
from tkid.orders.intent import MAX_LOOKED_AT
from tkid.record.format.turn_rows import reader
from tkid.record.play.replay import Replay, append


@frozen
class Phrases:
    """Words for what is on a board. `past` says what happened, else what happens."""

    board: Board
    past: bool = True

    # -- factions and followers ---------------------------------------------------------------------------

    def name_region(self, region: int) -> str:
        """Return a region's printed name."""
        return self.board.name(region)

    def name_card(self, card: str) -> str:
        """Return a card's printed name; a card named after a faction is `the Welsh card`."""
        return f"the {card} card" if any(card == faction.name for faction in self.board.factions) else card

    def name_faction(self, faction: int) -> str:
        """Name a faction as the subject or the object of a sentence: `the Welsh`, `Mordred`."""
        name = self.board.factions[faction].name
        return name if faction in self.board.apart else f"the {name}"

    def name_follower(self, faction: int) -> str:
        """Name a follower: `a Welsh follower`, `an English follower`."""
        return f"{add_article(self.board.factions[faction].name)} follower"

    def name_followers(self, group: Followers, *, again: bool = False) -> str:
        """Name some followers: `two Welsh`, `one Scottish follower`.

        `again` leaves out the noun, if the sentence has used it already.
        """
        present = [(faction, count) for faction, count in enumerate(group) if count]
        names = [f"{spell_number(count)} {self.board.factions[faction].name}" for faction, count in present]
        alone = len(present) == 1 and present[0][0] in self.board.apart
        if alone:
            return f"{names[0]} follower{'s' * (present[0][1] > 1)}"
        lone = all(count == 1 for _, count in present)
        return list_and(names) + (" follower" if lone and not again else "")

    def format_counts(self, group: Followers, join: str) -> str:
        """Return followers with figures: `2 Scottish to 2 Welsh`."""
        factions = zip(self.board.factions, group, strict=True)
        return f" {join} ".join(f"{count} {faction.name}" for faction, count in factions if count)

    # -- power struggles ----------------------------------------------------------------------------------

    def say_taken(self, struggle: ResolvedRegion) -> str:
        """Say that a faction takes a region: `the Welsh took Essex`."""
        one = struggle.disc in self.board.apart
        verb = "took" if self.past else "takes" if one else "take"
        return f"{self.name_faction(struggle.disc)} {verb} {self.name_region(struggle.region)}"

    def say_lost(self, region: int) -> str:
        """Say that nobody won a region: `Lancaster is unstable`."""
        return f"{self.name_region(region)} is {self.board.terms.lost}"

    def say_outcome(self, struggle: ResolvedRegion) -> str:
        """Describe a power struggle in a few words: `the Welsh took Essex`, `Lancaster became unstable`."""
        if struggle.disc != UNSTABLE:
            return self.say_taken(struggle)
        terms = self.board.terms
        return f"{self.name_region(struggle.region)} {terms.fell if self.past else terms.falls}"

    def describe_struggle(self, struggle: ResolvedRegion) -> str:
        """Describe a power struggle with its followers."""
        if struggle.disc != UNSTABLE:
            return f"{self.say_taken(struggle)}, {self._describe_score(struggle)}"
        most = max(struggle.followers)
        lost, name = self.say_outcome(struggle), self.name_region(struggle.region)
        if not most:
            return f"{name} was empty and {self.board.terms.fell}" if self.past else f"{lost}, as nobody is there"
        tied = tuple(count if count == most else 0 for count in struggle.followers)
        counted = self.format_counts(tied, "to")
        return f"{name} was tied, {counted}, and {self.board.terms.fell}" if self.past else f"{lost}, {counted}"

    def _describe_score(self, struggle: ResolvedRegion) -> str:
        """Return the score of a region: `3 to 2`, `2 followers to none`, `4 followers to 2 Scottish and 1 English`."""
        won = struggle.followers[struggle.disc]
        rivals = [
            (self.board.factions[faction].name, count)
            for faction, count in enumerate(struggle.followers)
            if count and faction != struggle.disc
        ]
        noun = " follower" if won == 1 else " followers"
        if len(rivals) == 1:
            return f"{won}{noun if self.past else ''} to {rivals[0][1]}"
        rivals.sort(key=lambda rival: -rival[1])
        return f"{won}{noun} to {list_and(f'{count} {name}' for name, count in rivals) or 'none'}"

    # -- resolutions --------------------------------------------------------------------------------------

    def describe_resolution(self, resolution: Any, court: str) -> str:
        """Describe a resolution, to follow the card and a colon. `court` names the court, as in `your court`."""
        done = follow_copy(resolution)
        return _SAID[type(done)](self, done, court)

    def list_places(self, resolution: Any) -> list[str]:
        """List the regions that a resolution touches."""
        done = follow_copy(resolution)
        if isinstance(done, Exchange):
            regions: list[int] = [done.first, done.second]
        else:
            regions = [where for each in list_transfers(done) if any(each.group) for where in each.ends if where >= 0]
        return [self.name_region(region) for region in dict.fromkeys(regions)]

    def describe_summons(self, move: Summon | NoSummon) -> str:
        """Describe the summoned follower, to follow the verb."""
        if isinstance(move, NoSummon):
            return "nobody"
        return f"{self.name_follower(move.faction)} from {self.name_region(move.region)}"

    @property
    def supply(self) -> str:
        """The supply, from which followers are placed."""
        return f"the {self.board.terms.supply}"

    def describe_placed(self, group: Followers, region: int, *, again: bool = False) -> str:
        """Describe followers who are placed."""
        return f"{self.name_followers(group, again=again)} into {self.name_region(region)}"

    def describe_returned(self, group: Followers, where: str, *, again: bool = False) -> str:
        """Describe followers who go back to the supply."""
        return f"{self.name_followers(group, again=again)} from {where} back to {self.supply}"


def _describe_spread(phrases: Phrases, spread: Spread, _: str) -> str:
    """Describe followers by region, the regions in the order of the factions."""
    by_region: dict[int, list[int]] = {}
    for faction, region in enumerate(spread.regions):
        if region is not None:
            by_region.setdefault(region, []).append(faction)
    kinds = len(phrases.board.factions)
    groups = [(count_followers(factions, kinds), region) for region, factions in by_region.items()]
    return ", ".join(
        phrases.describe_placed(group, region, again=index > 0) for index, (group, region) in enumerate(groups)
    )


def _describe_apart(phrases: Phrases, apart: Apart, _: str) -> str:
    first, second = apart.groups
    other = "one" if first == second else phrases.name_followers(second, again=True)
    return f"{phrases.describe_placed(first, apart.left)}, {other} into {phrases.name_region(apart.right)}"


def _describe_exchange(phrases: Phrases, exchange: Exchange, _: str) -> str:
    first, second = phrases.name_region(exchange.first), phrases.name_region(exchange.second)
    disc = f"a {phrases.board.terms.negotiation}"
    change, go = ("changed", "went") if phrases.past else ("change", "goes")
    swapped = f"{first} and {second} {change} places on the track"
    if exchange.disc is None:
        return f"{swapped}, without {disc}"
    return f"{swapped}, and {disc} {go} on {phrases.name_region(exchange.disc)}"


def _describe_swap(phrases: Phrases, swap: Swap, *, again: bool = False) -> str:
    """Describe the swap of followers of two regions; one side may have none."""
    left, right = phrases.name_region(swap.left), phrases.name_region(swap.right)
    if not any(swap.take):
        return f"{phrases.name_followers(swap.give, again=again)} from {left} to {right}, swapped for none"
    if not any(swap.give):
        return _describe_swap(phrases, swap.flip(), again=again)
    given, taken = phrases.name_followers(swap.give, again=again), phrases.name_followers(swap.take, again=True)
    return f"{given} from {left} swapped for {taken} from {right}"


def _describe_shift(phrases: Phrases, shift: Shift, _: str) -> str:
    return f"{phrases.name_followers(shift.group)} from {phrases.name_region(shift.origin)} to {phrases.name_region(shift.target)}"


def _describe_place_return(phrases: Phrases, done: PlaceReturn, _: str) -> str:
    if not any(done.placed):
        return phrases.describe_returned(done.returned, phrases.name_region(done.region))
    landed = phrases.describe_placed(done.placed, done.region)
    return (
        f"{landed}, then {phrases.describe_returned(done.returned, 'there', again=True)}"
        if any(done.returned)
        else landed
    )


def _describe_return_place(phrases: Phrases, done: ReturnPlace, _: str) -> str:
    returned = count_followers(done.returned, len(done.placed))
    if not any(returned):
        return phrases.describe_placed(done.placed, done.region)
    left = phrases.describe_returned(returned, phrases.name_region(done.region))
    return f"{left}, then {phrases.describe_placed(done.placed, done.region, again=True)}" if any(done.placed) else left


def _describe_place_swap(phrases: Phrases, done: PlaceSwap, _: str) -> str:
    landed = phrases.describe_placed(done.placed, done.region) if any(done.placed) else ""
    if done.other is None or not any((*done.give, *done.take)):
        return landed
    swap = _describe_swap(phrases, Swap(done.region, done.other, done.give, done.take), again=bool(landed))
    return ", then ".join(filter(None, [landed, swap]))


def _describe_place_move(phrases: Phrases, done: PlaceMove, _: str) -> str:
    landed = [phrases.describe_placed(done.placed, done.region)] if any(done.placed) else []
    origin = " from there" if landed else f" from {phrases.name_region(done.region)}"
    moved = [
        f"{phrases.name_followers(group, again=bool(landed or index))}{'' if index else origin} to {phrases.name_region(target)}"
        for index, (group, target) in enumerate(done.moved)
    ]
    return ", then ".join([*landed, *([list_and(moved)] if moved else [])])


def _describe_court_swap(phrases: Phrases, done: CourtSwap, court: str) -> str:
    given, taken = phrases.name_followers(done.give), phrases.name_followers(done.take, again=True)
    return f"{given} from {court} swapped for {taken} from {phrases.name_region(done.region)}"


_SAID: Mapping[type, Callable[[Phrases, Any, str], str]] = {
    Nothing: lambda *_: "",
    Place: lambda phrases, place, _: phrases.describe_placed(place.group, place.region),
    Apart: _describe_apart,
    Spread: _describe_spread,
    Exchange: _describe_exchange,
    Swap: lambda phrases, swap, _: _describe_swap(phrases, swap),
    Shift: _describe_shift,
    PlaceReturn: _describe_place_return,
    ReturnPlace: _describe_return_place,
    PlaceSwap: _describe_place_swap,
    PlaceMove: _describe_place_move,
    CourtSwap: _describe_court_swap,
}


def find_copied_card(resolution: Any) -> tuple[int, str] | None:
    """Return the player whose card a resolution copies, and that card; None if it copies none."""
    return (resolution.seat, resolution.card) if isinstance(resolution, Copy) else None


def is_exchange(resolution: Any) -> bool:
    """Return True if a resolution exchanges two region cards."""
    return isinstance(follow_copy(resolution), Exchange)


DECISIONS_SHOWN = 3
LONGEST_CARD = 3
MAX_WAYS_SHOWN = 4
"""Maximum number of ways to play a card for which all of them are shown."""


def get_struggle_and_position(replay: Replay) -> tuple[Struggle, Position]:
    """Return the game and the position of a replay."""
    game, position = replay.record.game, replay.position
    assert isinstance(game, Struggle)
    assert isinstance(position, Position)
    return game, position


def list_offered_turns(replay: Replay) -> tuple[list[str], list[str]]:
    """List legal turns, and the cards with so few ways to play them that all are listed.

    The turns are a pass and one for each card in hand, or some of the decisions if another one is due.
    """
    game, position = get_struggle_and_position(replay)
    if position.to_act is None:
        return [], []
    if position.decision != "play":
        moves = game.legal(position)
        return [game.words.write_move(move) for move in islice(moves, DECISIONS_SHOWN)], []
    turns, few = [game.words.write_move(PASS)], []
    for card in game.list_held(position, position.to_act):
        options = game.list_options(position, card)
        if 0 < len(options) <= MAX_WAYS_SHOWN:
            few.append(card)
            turns += [build_whole_turn(replay, Play(card, option)) for option in options]
        elif options:
            turns.append(_find_middle_turn(replay, card, options))
    return [*turns, *list_lone_summons(replay)], few


def list_lone_summons(replay: Replay) -> list[str]:
    """List a legal turn that summons without playing a card, if the ruleset has such turns."""
    game, position = get_struggle_and_position(replay)
    summons = game.summons.list_without_action(position)
    return [_write_moves(replay, (summons[len(summons) // 2],))] if summons else []


def list_example_ways(replay: Replay, card: str, most: int) -> list[str]:
    """List legal turns with a card, one for each way to play it.

    If there are more than `most`, the list has one more than that, spread over all.
    """
    game, position = get_struggle_and_position(replay)
    options, shown = game.list_options(position, card), most + 1
    spread = [options[index * len(options) // shown] for index in range(shown)] if len(options) > shown else options
    return [build_whole_turn(replay, Play(card, option)) for option in spread]


def find_example_turn(replay: Replay, card: str) -> str:
    """Return a legal turn with a card; "" if it cannot be played."""
    game, position = get_struggle_and_position(replay)
    return _find_middle_turn(replay, card, game.list_options(position, card))


def _find_middle_turn(replay: Replay, card: str, options: Sequence[Any]) -> str:
    return build_whole_turn(replay, Play(card, options[len(options) // 2])) if options else ""


def build_whole_turn(replay: Replay, action: Move, wanted: Move | None = None) -> str:
    """Return a legal action with a legal summons: the wanted one if it is legal."""
    game, position = get_struggle_and_position(replay)
    after, _ = game.apply(position, action)
    if after.decision != "summon":
        return _write_moves(replay, (action,))
    options = game.legal(after)
    summons = wanted if wanted is not None and wanted in options else options[len(options) // 2]
    return _write_moves(replay, (action, summons))


def _write_moves(replay: Replay, moves: tuple[Move, ...]) -> str:
    return fill_names(replay.record.game.words.turn(moves), replay.record.names)


def find_repaired_turns(replay: Replay, typed: str, problem: Problem) -> list[str]:
    """Return whole legal turns with the fixes of a problem, each tried out; none if it has no fixes."""
    return list(
        dict.fromkeys((*_iter_repaired_turns(replay, typed, problem), *_iter_renamed_turns(replay, typed, problem)))
    )


def _iter_repaired_turns(replay: Replay, typed: str, problem: Problem) -> Iterator[str]:
    game, position = get_struggle_and_position(replay)
    read_turn = reader(game, replay.record.names).turn
    first, *others = [decision.move for decision in read_turn(typed).decisions]
    for text in problem.proposed(Scope.DECISION, Scope.LINE, Scope.END):
        read = read_turn(text)
        if len(read.moves) != 1:
            continue
        move = game.canonical(position, read.moves[0])
        if not isinstance(move, Summon | NoSummon):
            if not game.check(position, move):
                yield build_whole_turn(replay, move, others[0] if others else None)
        elif isinstance(first, Play) and not game.check(position, game.canonical(position, first)):
            action = game.canonical(position, first)
            if move in game.legal(game.play(position, action)[0]):
                yield _write_moves(replay, (action, move))
        elif not game.check(position, move):
            yield game.words.write_move(move)


def _iter_renamed_turns(replay: Replay, typed: str, problem: Problem) -> Iterator[str]:
    """Yield the turns with a wrong name corrected as a problem proposes, and legal ones like them."""
    for text in problem.mended(typed):
        tried = append(replay, text)
        if not tried.problems:
            yield _write_moves(replay, tried.last.moves)
        for further in tried.problems:
            yield from _iter_repaired_turns(replay, text, further)


def find_named_card(game: Struggle, position: Position, typed: str) -> str:
    """Return the card in hand that a wrong turn begins with; "" if that isn't clear."""
    words = single_space(typed[:MAX_LOOKED_AT]).split()
    for count in range(min(LONGEST_CARD, len(words)), 0, -1):
        card = reader(game).cards.find(" ".join(words[:count]).rstrip(",.:;!"))
        if isinstance(card, str) and position.to_act is not None and card in position.hands[position.to_act]:
            return card
    return ""


MOST = 3
MAX_WAYS_COMPARED = 12
"""Maximum number of ways to play a card compared to find an instructive one."""


def list_sample_turns(known: Replay) -> list[str]:
    """List up to three turns of the next player.

    They are cards of different forms in the order of the hand, the plain ones first.
    """
    game, position = get_struggle_and_position(known)
    if position.to_act is None or HIDDEN in position.hands[position.to_act]:
        return []
    if position.decision != "play":
        names = known.record.names
        return [fill_names(game.words.write_move(move), names) for move in list(game.legal(position))[:MOST]]
    shown, vain = dict[str, Play](), dict[str, Play]()
    for card in game.list_held(position, position.to_act):
        form = game.cards[card].form
        if form not in shown and len(shown) < MOST and (options := game.list_options(position, card)):
            play = Play(card, _choose_instructive_way(game, options))
            (vain if isinstance(follow_copy(play.resolution), Nothing) else shown).setdefault(form, play)
    plays = [*shown.values(), *(play for form, play in vain.items() if form not in shown)]
    return [*(build_whole_turn(known, play) for play in plays), *list_lone_summons(known)][:MOST]


def _choose_instructive_way(game: Struggle, options: Sequence[Any]) -> Any:
    """Return the way to play a card that touches most regions, out of some spread over all."""
    phrases, count = Phrases(game.board), len(options)
    middle = [
        options[(count // 2 + step * count // MAX_WAYS_COMPARED) % count]
        for step in range(min(MAX_WAYS_COMPARED, count))
    ]
    return max(middle, key=lambda option: len(phrases.list_places(option)))


def list_struggle_aims(known: Replay, _: int) -> tuple[tuple[str, str], ...]:
    """List each aim with an example."""
    game = get_struggle_and_position(known)[0]
    card, turn = next(iter(game.cards)), _find_card_turn(known)
    return (
        ("Pass your turn", "Pass"),
        *([("Play a card", turn)] if turn else []),
        ("Only check a turn", "draft Pass"),
        ("See what you can play", f"legal, or legal {card}"),
        ("Pass for a while", ORDERS(game).examples.partition(",")[0].strip("`")),
        ("Make a plan", "if anyone passes: Pass; else stop"),
    )


def _find_card_turn(known: Replay) -> str:
    """Return a turn with a card: a legal one, else the last one played; "" if there is neither."""
    played = (moment for moment in reversed(known.moments) if moment.moves and isinstance(moment.moves[0], Play))
    game, names = get_struggle_and_position(known)[0], known.record.names
    last = (fill_names(game.words.turn(moment.moves), names) for moment in played)
    return min(list_sample_turns(known), key=len, default="") or next(last, "")


def explain_struggle_letters(known: Replay) -> str:
    """Explain the letters of a turn."""
    factions = get_struggle_and_position(known)[0].board.factions
    letters = ", ".join(
        f"{each.letter}{' is' if index == 0 else ''} {each.name}" for index, each in enumerate(factions)
    )
    first = factions[0]
    return f"{letters}; {first.letter * 2} is two {first.name}. Names may be shortened."
