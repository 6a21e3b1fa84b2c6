"""What has to occur in the recorded games of a ruleset, by name: every way to end, and what a card brings with it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tests.shared.endings_of import LAST_STRUGGLE, PLAYERS, TEAMS, decided, last_rule, outcome, sides, way, ways
from tests.shared.lines import Step
from tkid.games.struggle.rules.board import UNSTABLE, Ban
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.moves import Apart, Copy, Exchange, Play, Reveal, Swap
from tkid.games.struggle.rules.moving_cards import find_delta
from tkid.kernel.game import Result
from tkid.kernel.ladder import NOTHING, Ladder
from tkid.rulebook import find_base, rule
from tkid.rulebook.rulesets import Ruleset

NO_EFFECT = "digest.ruling.no-effect"
"""The ruling that says when some of the digest's cards have no effect."""
Occasion = Callable[[Struggle, Sequence[Step]], int]
"""After how many turns of a game it has occurred; 0 where it does not."""
At = Callable[[Struggle, Step], bool]
"""Whether it occurs in one turn."""


def stem(name: str) -> str:
    """A file's name for a way to end: `coronation-support-players`, `invasion-latest-teams`."""
    ending, *rest = name.split()
    rule, *others = rest
    last = "one-team" if rule.endswith("team.coronation") else rule.rpartition(".")[2]
    return "-".join((ending, last, *others))


def occasions(ruleset: Ruleset) -> dict[str, Occasion]:
    """Every occasion by the name of its file."""
    found = {stem(name): _ends(name) for name in sorted(ways(ruleset))}
    found[LAST_STRUGGLE] = _at_the_end(
        lambda game, step: step.after.ending == game.invasion.name and len(step.after.struggles) == 8
    )
    game = ruleset.game()
    if game.plot and not game.invasion.won:
        found["plot-not-revealed-in-invasion"] = _at_the_end(_not_revealed)
    if not find_base(ruleset.rule_prefix):  # what an edition takes over is shown by the other one's games
        found |= _plots(ruleset) if game.plot else {}
        found |= _with_copies() if game.names_players else {}
        found |= (
            {}
            if game.secret
            else {"hands-hidden": _at_the_end(lambda game, step: game.covered and step.after.to_act is None)}
        )
    if ruleset.rule_prefix == "first":
        found |= _first(ruleset)
    if NO_EFFECT in ruleset.switches:
        found |= {f"no-effect-{option}": _twice(_read_so(ruleset, option)) for option in rule(NO_EFFECT).options}

    found |= _summonses(game) if game.summons.alone else {}
    return found | (_copies(ruleset) if game.names_players else {})


def _read_so(ruleset: Ruleset, option: str) -> At:
    """A card goes so far under this reading of when it has no effect, and could not under another one."""
    games = {other: ruleset.game({NO_EFFECT: other}) for other in rule(NO_EFFECT).options}

    def at(game: Struggle, step: Step) -> bool:
        play = _played(step)
        return (
            play is not None
            and game.readings[NO_EFFECT] == option
            and not all(each.cards[play.card].ladder.is_legal(step.before, play.resolution) for each in games.values())
        )

    return at


def _at_the_end(at: At) -> Occasion:
    return lambda game, steps: len(steps) if steps and at(game, steps[-1]) else 0


def _once(at: At) -> Occasion:
    return lambda game, steps: next((turns for turns, step in enumerate(steps, 1) if at(game, step)), 0)


def _twice(at: At) -> Occasion:
    def occasion(game: Struggle, steps: Sequence[Step]) -> int:
        turns = [turns for turns, step in enumerate(steps, 1) if at(game, step)]
        return turns[1] if len(turns) > 1 else 0

    return occasion


def _ends(name: str) -> Occasion:
    return _at_the_end(lambda game, step: decided(game, step.after) and way(game, step.after) == name)


# -- the first edition --------------------------------------------------------------------------------------


def _first(ruleset: Ruleset) -> dict[str, Occasion]:
    """What the first edition or its variant alone has."""
    game = ruleset.game()
    if game.setup.arrivals:
        return {
            "mordred-comes": _once(lambda game, step: _followed(game, step, "mordred.arrival")),
            "mordred-comes-no-more": _once(_nobody_comes),
            "mordred-in-a-tie": _once(_black_tie),
            **{
                f"mordred-court-{option}": _at_the_end(_courts_read(ruleset, option))
                for option in ("tied", "everybody")
            },
            **{f"mordred-swapped-by-{name.lower()}": _once(_black_swap(name)) for name in ("Ambassador", "Garrison")},
        }
    return {
        "last-card-wins": _once(
            lambda game, step: game.end.find_ending(step.after) is not None and _last_card(game, step)
        ),
        "one-faction-alone": _at_the_end(lambda game, step: _followed(game, step, "ruling.second-rank")),
        "undo-as-second": _once(lambda _, step: _reversal_barred(ruleset, step)),
        "nobody-left": _once(lambda game, step: _followed(game, step, "ruling.empty-hand")),
    }


def _courts_read(ruleset: Ruleset, option: str) -> At:
    """The largest court decides, and the other reading has others win."""
    ruling = ruleset.game().ids("ruling.mordred-court")
    (other,) = [ruleset.game({ruling: each}) for each in rule(ruling).options if each != option]

    def at(game: Struggle, step: Step) -> bool:
        if game.readings[ruling] != option or not decided(game, step.after):
            return False
        result, otherwise = outcome(game, step.after), other.result(step.after)
        assert result is not None
        return otherwise is not None and result.winners != otherwise.winners

    return at


def _followed(game: Struggle, step: Step, local: str) -> bool:
    return game.ids(local) in {event.rule for event in step.events}


def _last_card(game: Struggle, step: Step) -> bool:
    """The very last card of three is played, and could have been played in a way that would not win."""
    play, last = _played(step), game.last_card
    if play is None or last is None or not last.is_held(step.before, play.card):
        return False
    after, _ = game.apply(step.before, step.moves[0])
    return len(game.legal(after)) < sum(map(len, game.summons.list_after_action(after)))


def _reversal_barred(ruleset: Ruleset, step: Step) -> bool:
    """A swap is carried out in part, because the full one would undo another player's."""
    play = _played(step)
    free = ruleset.game().cards[play.card].ladder if play else None
    return free is not None and play is not None and not free.is_legal(step.before, play.resolution)


def _nobody_comes(game: Struggle, step: Step) -> bool:
    """A power struggle brings nobody, though the game goes on: the region to come to is resolved."""
    resolved = len(step.after.struggles) == len(step.before.struggles) + 1
    return resolved and step.after.ending is None and not _followed(game, step, "mordred.arrival")


def _black_tie(_: Struggle, step: Step) -> bool:
    """A region falls to the Saxons by a tie of the black followers with one faction."""
    for region in step.after.struggles[len(step.before.struggles) :][:1]:
        *others, black = step.before.regions[region]
        return 0 < black == max(others) and step.after.discs[region] == UNSTABLE
    return False


def _black_swap(card: str) -> At:
    def at(_: Struggle, step: Step) -> bool:
        play = _played(step)
        swap = play.resolution if play is not None and play.card == card else None
        return isinstance(swap, Swap) and bool(swap.give[-1] or swap.take[-1])

    return at


# -- followers taken or left ---------------------------------------------------------------------------------


def _summonses(game: Struggle) -> dict[str, Occasion]:
    """Followers left after a card, and taken without one: with an empty hand too, and so that a swap may be reversed."""
    due, alone = game.summons.optional, game.summons.alone
    return {
        "summons-left-out": _once(lambda _, step: any(event.rule == due for event in step.events)),
        "summons-alone": _once(lambda _, step: step.events[0].rule == alone and any(step.before.hands)),
        "summons-alone-with-an-empty-hand": _once(
            lambda _, step: step.events[0].rule == alone and not step.before.hands[step.before.to_act or 0]
        ),
        "summons-alone-lifts-a-ban": _once(lambda _, step: step.events[0].rule == alone and bool(step.before.banned)),
        "followers-in-two-regions": _once(lambda _, step: isinstance(_resolution(step), Apart)),
        "faction-card-in-vain": _once(_faction_card_in_vain),
    }


def _faction_card_in_vain(game: Struggle, step: Step) -> bool:
    """A card that may be played only on a condition comes to nothing although it is met."""
    play = _played(step)
    return play is not None and game.cards[play.card].form == "apart" and play.resolution == NOTHING


# -- Plot ---------------------------------------------------------------------------------------------------


def _plots(ruleset: Ruleset) -> dict[str, Occasion]:
    """Plot asked for and taken as read, in each ending; and in the last hand of all."""
    game = ruleset.game()
    follower = {game.coronation.name: "ending.coronation.support", game.invasion.name: "ending.invasion.sets"}
    found: dict[str, Occasion] = {}
    for ending, local in follower.items():
        for who in (PLAYERS, TEAMS):
            found[f"plot-named-in-{ending}-{who}"] = _at_the_end(_named(ending, who, local))
        found[f"plot-as-read-in-{ending}"] = _at_the_end(_as_read(ending))
    found["plot-named-for-the-second-faction"] = _at_the_end(
        _named(game.coronation.name, PLAYERS, "ending.coronation.second")
    )
    found["plot-in-the-last-hand"] = _at_the_end(_plot_left)
    for option in ("literal", "counts-as-empty"):
        found[f"plot-hand-{option}"] = _at_the_end(_plot_hand(ruleset, option))
    return found


def _named(ending: str, who: str, local: str) -> At:
    """Its owner names a faction and wins by the follower that it counts as, and would not have without."""

    def at(game: Struggle, step: Step) -> bool:
        if not isinstance(step.moves[0], Reveal) or step.after.ending != ending or sides(step.after) != who:
            return False
        result = outcome(game, step.after)
        assert result is not None
        assert step.before.to_act is not None
        without = _without_plot(game, step)
        won = step.before.to_act in result.winners and step.before.to_act not in without.winners
        return won and last_rule(result) == game.ids(local)

    return at


def _without_plot(game: Struggle, step: Step) -> Result:
    hands = tuple(tuple(card for card in hand if card != game.plot) for hand in step.after.hands)
    result = game.result(step.after.replace(hands=hands, plot=None))
    assert result is not None
    return result


def _as_read(ending: str) -> At:
    return lambda game, step: (
        step.after.ending == ending and any(event.rule == game.ids("ruling.plot") for event in step.events)
    )


def _plot_left(game: Struggle, step: Step) -> bool:
    """Nobody holds a card that can be played any more, but somebody holds Plot: the rest is resolved."""
    nobody = any(event.rule == game.ids("ruling.empty-hand") for event in step.events)
    return nobody and any(game.plot in hand for hand in step.after.hands)


def _plot_hand(ruleset: Ruleset, option: str) -> At:
    """The team of Plot's owner is compared by whose hands ran out first, and the other reading has others win."""
    ruling = ruleset.game().ids("ruling.plot-hand")
    others = [ruleset.game({ruling: reading}) for reading in ("literal", "counts-as-empty") if reading != option]

    def at(game: Struggle, step: Step) -> bool:
        if game.readings[ruling] != option or not decided(game, step.after):
            return False
        result, otherwise = outcome(game, step.after), others[0].result(step.after)
        assert result is not None
        emptied = last_rule(result) == game.ids("ending.coronation.emptied")
        return emptied and otherwise is not None and result.winners != otherwise.winners

    return at


def _not_revealed(game: Struggle, step: Step) -> bool:
    """The game ends without a winner, so that whoever holds Plot need not show it."""
    held = any(game.plot in hand for hand in step.after.hands)
    return held and not step.after.winners and game.ids("card.plot") not in {event.rule for event in step.events}


# -- Spy ----------------------------------------------------------------------------------------------------


def copied_cards(ruleset: Ruleset) -> list[str]:
    """The cards of a ruleset of which a copy has to be shown: those that it has from no other edition."""
    own = [card for card in ruleset.game().cards.values() if rule(card.rule).prefix == ruleset.rule_prefix]
    return [card.name for card in own if card.form not in {"copy", "reveal"}]


def _copies(ruleset: Ruleset) -> dict[str, Occasion]:
    """Every card copied with an effect, if it can have any."""
    return {
        f"spy-copies-{card.lower().replace(' ', '-')}": _once(_copying(card, in_vain=never_works(ruleset.game(), card)))
        for card in copied_cards(ruleset)
    }


def never_works(game: Struggle, card: str) -> bool:
    """Whether nothing can ever be done with a card."""
    ladder = game.cards[card].ladder
    return isinstance(ladder, Ladder) and not ladder.tiers


def _with_copies() -> dict[str, Occasion]:
    """What copying brings with it."""
    return {
        "spy-copies-negotiate-without-a-disc": _once(_without_disc),
        "spy-copies-a-team-mate": _once(_of_a_team_mate),
        "spy-copies-nothing": _once(lambda game, step: _spies(game, step) and _resolution(step) == NOTHING),
        "spy-copies-no-spy": _once(_before_a_spy),
        "spy-copies-a-card-without-effect": _once(_in_vain),
        "spy-pile-resolvable": _once(_must_have_effect),
        "spy-may-not-undo": _once(lambda game, step: _barred(game, step, _copy(step))),
        "spy-may-not-be-undone": lambda game, steps: (
            len(steps) if len(steps) > 1 and _copy(steps[-2]) and _barred(game, steps[-1], _played(steps[-1])) else 0
        ),
    }


def _played(step: Step) -> Play | None:
    return step.moves[0] if isinstance(step.moves[0], Play) else None


def _resolution(step: Step) -> object:
    play = _played(step)
    return play.resolution if play else None


def _spies(game: Struggle, step: Step) -> bool:
    """Whether the card that copies others is played."""
    play = _played(step)
    return play is not None and game.cards[play.card].form == "copy"


def _copy(step: Step) -> Copy | None:
    resolution = _resolution(step)
    return resolution if isinstance(resolution, Copy) else None


def _copying(card: str, *, in_vain: bool) -> At:
    """A copy of the card that changes something, if it can; of a swap, one that the next player may not undo."""

    def at(game: Struggle, step: Step) -> bool:
        copy = _copy(step)
        if copy is None or copy.card != card or (copy.resolution == NOTHING) != in_vain or step.after.ending:
            return False
        ban = (
            Ban(card, step.before.to_act or 0, find_delta(copy.resolution))
            if isinstance(copy.resolution, Swap)
            else None
        )
        if game.cards[card].undo:
            return step.after.banned == ban
        return step.after.banned is None and not (
            isinstance(copy.resolution, Exchange) and copy.resolution.disc is None
        )

    return at


def _without_disc(_: Struggle, step: Step) -> bool:
    copy = _copy(step)
    return copy is not None and isinstance(copy.resolution, Exchange) and copy.resolution.disc is None


def _of_a_team_mate(game: Struggle, step: Step) -> bool:
    copy, seat = _copy(step), step.before.to_act
    return copy is not None and any({copy.seat, seat} <= set(team) for team in game.parties[len(step.before.courts)])


def _before_a_spy(game: Struggle, step: Step) -> bool:
    """Nothing is copied because the only pile has on top what copies itself; the deck has one such card."""
    tops = [pile[-1] for seat, pile in enumerate(step.before.discards) if pile and seat != step.before.to_act]
    copying = [game.cards[top].form == "copy" for top in tops]
    return _spies(game, step) and _resolution(step) == NOTHING and bool(copying) and all(copying)


def _in_vain(_: Struggle, step: Step) -> bool:
    copy = _copy(step)
    return copy is not None and copy.resolution == NOTHING


def _must_have_effect(game: Struggle, step: Step) -> bool:
    """A copy under the reading that takes a pile out of question because its card has no effect."""
    copy = _copy(step)
    if copy is None or game.readings[game.ids("ruling.spy-pile")] != "resolvable":
        return False
    vain = [
        seat
        for seat, pile in enumerate(step.before.discards)
        if pile and seat != step.before.to_act and game.cards[pile[-1]].ladder.is_legal(step.before, NOTHING)
    ]
    return copy.seat not in vain and bool(vain)


def _barred(game: Struggle, step: Step, done: Play | Copy | None) -> bool:
    """A swap comes to nothing because the only one left would undo another player's."""
    if done is None or done.resolution != NOTHING or not game.cards[done.card].undo:
        return False
    ban, allowed = step.before.banned, step.before.replace(banned=None)
    barred = ban is not None and ban.card == done.card and ban.by != step.before.to_act
    return barred and not game.cards[done.card].ladder.is_legal(allowed, NOTHING)
