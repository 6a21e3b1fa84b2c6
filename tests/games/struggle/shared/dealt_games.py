"""Games dealt by hand, for what random play hardly finds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

from tests.games.struggle.shared.family import board
from tests.games.struggle.shared.first_ladders import FIRST_LADDERS
from tests.games.struggle.shared.ladders import LADDERS, Ladder
from tests.games.struggle.shared.manual_ladders import MANUAL_LADDERS
from tests.games.struggle.shared.tiers import tier
from tests.shared.lines import Chooser, Line, at_random
from tests.shared.occasions import copied_cards
from tkid.games.struggle.rules.board import Position
from tkid.games.struggle.rules.game import PASS, Struggle
from tkid.games.struggle.rules.moves import Copy, Move, Play
from tkid.games.struggle.rules.setup import Deal
from tkid.notation.positions import read_position
from tkid.rulebook import find_base
from tkid.rulebook.rulesets import Ruleset

PASSED = "Pass"
ALL_LADDERS = LADDERS | {"first-edition": FIRST_LADDERS, "manual": MANUAL_LADDERS}
"""The ladders to go down, by ruleset."""


def dealt(ruleset: Ruleset) -> dict[str, Line]:
    """The games dealt by hand for one occasion each, by its name."""
    game = ruleset.game()
    if find_base(ruleset.rule_prefix):
        ruled = {n: _from_position(ruleset, *how) for n, how in NO_EFFECT.items() if "Gathering" in game.cards}
        return ruled | (_copying(ruleset) if game.names_players else {})
    made = (PLOT_ALONE_IN_HAND if game.plot else {}) | (SPIES if game.names_players else {})
    found = {name: _from_position(ruleset, *how) for name, how in made.items()}
    return found | (_spying(ruleset) if game.names_players else {})


def ladders(ruleset: Ruleset) -> dict[str, Line]:
    """For each card a game that goes through all its tiers, by name."""
    made = ALL_LADDERS.get(ruleset.code, {})
    return {f"ladder-{name}": _down(ruleset, ladder) for name, ladder in made.items()}


# -- one faction wins all -----------------------------------------------------------------------------------


def one_faction_alone(ruleset: Ruleset) -> Iterator[Line]:
    """Games in which only the Scots win regions: who is second is not told by the regions."""
    game = ruleset.game()
    if game.ids("ruling.second-rank") not in ruleset.switches:
        return
    swap, exchange = (
        next(card.name for card in game.cards.values() if card.rule == game.ids(local))
        for local in ("card.manoeuvre", "card.negotiate")
    )
    four, turn = ("WE",) * 4, f"{swap} S Moray <> S Strathclyde; summon W Moray"
    shared = {game.ids("ruling.second-rank"): "none-ranked"}
    if not game.plot:
        yield one_faction(ruleset, ("WE", "WE"), ())
        yield one_faction(ruleset, four, ())
        yield one_faction(ruleset, four, (turn,), shared)
    else:
        more = f"{exchange} Moray <> Devon, disc Devon; summon W Devon"
        scots = ("SW", "SE", "WE", "WE")  # the last one's Plot counts as a Scot, which makes three that are tied
        yield one_faction(ruleset, scots, (turn, PASSED, PASSED, PASSED, more), shared)
    yield one_faction(ruleset, ("WE", "WE"), (turn,), shared)


def one_faction(
    ruleset: Ruleset, courts: tuple[str, ...], turns: tuple[str, ...], readings: Mapping[str, str] | None = None
) -> Line:
    """A game in which only the Scots win regions: six for them, two tied, if nobody interferes.

    The cunning cards go out in the order of the list from the last seat back, Plot first.
    """
    game, seats = ruleset.game(), len(courts)
    regions = [(2, 1, 1)] * 8
    regions[4], regions[6] = (2, 2, 0), (2, 0, 2)
    each = game.setup.followers[seats]
    count = [tuple(court.count(letter) for letter in "SWE") for court in courts]
    placed = [sum(column) for column in zip(*regions, *count, strict=True)]
    supply = tuple(each - n for n in placed)
    hands = _hands(game, [()] * (seats - 1) + [(game.plot,) if seats == 4 and game.plot else ()])
    deal = Deal(tuple(regions), supply, tuple(count), hands, (0, 1, 2, 3, 5, 7, 4, 6), 0)
    line = Line(ruleset, deal, readings or {}).typed(*turns)
    while line.position.to_act is not None:
        line.take(lambda _: PASS)
    return line


def _hands(game: Struggle, wanted: list[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
    """Hands with at least these cards; those still to be dealt are taken in order, Plot last."""
    asked = {card for cards in wanted for card in cards}
    left = [card for card in game.hands.deck if card not in {*asked, game.plot}]
    left += [game.plot] * (bool(game.plot) and game.plot not in asked)
    hands = []
    for cards in wanted:
        drawn = [card for card in cards if card in game.hands.deck]
        drawn += [left.pop(0) for _ in range(game.hands.dealt - len(drawn))]
        hands.append(game.hands.same + tuple(sorted(drawn, key=game.hands.deck.index)))
    return tuple(hands)


# -- from positions -----------------------------------------------------------------------------------------

Made = tuple[str, Mapping[str, str], tuple[str, ...]]
"""A position without its ruleset, readings, and turns."""

ONE_REGION_LEFT = (
    "MOR =S, STR =S, LAN =S, NOR =S, GWY =W, WAR =E, ESS =E, DEV EEE; supply 3S 4W 2E; "
    "track MOR WAR STR GWY LAN ESS NOR DEV; "
    "1 court SSSEEE; 1 hand -; 1 played Assemble, Assemble, Negotiate, Manoeuvre, Outmanoeuvre, March, Aid, Quell; "
    "1 acted 56; 1 emptied 56; "
    "2 court SSSWEE; 2 hand Assemble; 2 played Assemble, Negotiate, Manoeuvre, Outmanoeuvre, Spy, Dispute, Edict; "
    "2 acted 54; "
    "3 court WWWW; 3 hand Plot; 3 played Assemble, Assemble, Negotiate, Manoeuvre, Outmanoeuvre, Ambush, Resist; "
    "3 acted 52; "
    "4 court WWE; 4 hand -; 4 played Assemble, Assemble, Negotiate, Manoeuvre, Outmanoeuvre, Influence, Suppress, "
    "Muster; 4 acted 55; 4 emptied 55; to play 2"
)
BOB_IS_LAST = ("Assemble S Devon, W Devon, E Devon; summon E Devon",)
PLOT_ALONE_IN_HAND: dict[str, Made] = {
    "plot-hand-literal": (ONE_REGION_LEFT, {}, BOB_IS_LAST),
    "plot-hand-counts-as-empty": (ONE_REGION_LEFT, {"second.ruling.plot-hand": "counts-as-empty"}, BOB_IS_LAST),
}

NOT_NEAR = (
    "MOR =W, STR SSWE, LAN WWEE, NOR SWE, GWY WWWE, WAR SSEE, ESS SWEE, DEV SWWE; supply 3S 2W 4E; "
    "track MOR LAN DEV GWY STR ESS NOR WAR; 1 court SWE; 1 hand Assemble, Negotiate; 1 played Resist; 1 acted 2; "
    "2 court WEE; 2 hand Assemble, Spy; 3 court SSE; 3 hand Assemble, Outmanoeuvre; 3 played March; 3 acted 4; "
    "to play 2"
)
"""Nobody is near the Scots, so that a Resist would have no effect."""
NOTHING_BUT_A_PAIR = (
    "MOR E, STR =S, LAN =S, NOR =W, GWY =unstable, WAR =E, ESS S, DEV W; supply 3S 2W 4E; "
    "track STR WAR LAN NOR GWY DEV ESS MOR; "
)
SPIES: dict[str, Made] = {
    "spy-copies-a-card-without-effect": (NOT_NEAR, {}, ("Spy Ann: Resist nothing; summon E Lancaster",)),
    "spy-pile-resolvable": (
        NOT_NEAR,
        {"second.ruling.spy-pile": "resolvable"},
        ("Spy Cal: March SE Essex > Warwick; summon E Lancaster",),
    ),
    "spy-copies-no-spy": (
        NOTHING_BUT_A_PAIR
        + "1 court SWE; 1 hand Assemble; 1 played Spy; 1 acted 9; 2 court WEE; 2 hand Spy, Assemble; "
        "to play 2",
        {},
        ("Spy nothing; summon E Moray",),
    ),
    "spy-may-not-undo": (
        NOTHING_BUT_A_PAIR + "1 court SWE; 1 hand Manoeuvre, Assemble; 2 court WEE; 2 hand Spy, Assemble; to play 1",
        {},
        ("Manoeuvre S Essex <> W Devon; summon E Moray", "Spy Ann: Manoeuvre nothing; summon W Essex"),
    ),
    "spy-may-not-be-undone": (
        NOTHING_BUT_A_PAIR
        + "1 court SWE; 1 hand Assemble; 1 played Manoeuvre; 1 acted 9; 2 court WEE; 2 hand Spy, Assemble; "
        "3 court SWW; 3 hand Manoeuvre, Assemble; to play 2",
        {},
        ("Spy Ann: Manoeuvre S Essex <> W Devon; summon E Moray", "Manoeuvre nothing; summon W Essex"),
    ),
}


MORAY_IS_SCOTTISH = (
    "MOR =S, STR E, LAN WWE, NOR SWE, GWY WWWE, WAR SSEE, ESS SWEE, DEV SWWE; supply 3S 2W 4E; "
    "track MOR LAN DEV GWY STR ESS NOR WAR; 1 court SWE; 1 hand Assembly; 1 played Reinforcement; 1 acted 2; "
    "2 court WEE; 2 hand Assembly, Spy; to play 2"
)
CONTROLLED: dict[str, Made] = {
    "spy-copies-reinforcement": (
        MORAY_IS_SCOTTISH,
        {},
        ("Spy Ann: Reinforcement Strathclyde place SS swap SS <> WE Lancaster; summon E Strathclyde",),
    ),
}


SHORT_SUPPLY = (
    "MOR =S, STR =S, LAN =E, NOR =E, GWY -, WAR =S, ESS E, DEV S; supply 1W; track MOR STR LAN NOR WAR GWY ESS DEV; "
    "1 court SWE; 1 hand Suppression, Assembly; 2 court WE; 2 hand Influence, Gathering, Assembly; to play 1"
)
"""One follower in the supply, one Englishman, and never two others in one region."""
ONE_PLACED = "Suppression Devon place W; summon S Devon"
NO_EFFECT: dict[str, Made] = {
    "no-effect-as-worded": (SHORT_SUPPLY, {}, (ONE_PLACED, "Influence nothing; summon W Devon")),
    "no-effect-in-full": (
        SHORT_SUPPLY,
        {"digest.ruling.no-effect": "in-full"},
        ("Suppression nothing; summon S Devon", "Gathering nothing; summon E Essex"),
    ),
    "no-effect-as-far-as-possible": (
        SHORT_SUPPLY,
        {"digest.ruling.no-effect": "as-far-as-possible"},
        (ONE_PLACED, "Influence E Essex <> W Devon; summon E Devon"),
    ),
}


def _from_position(ruleset: Ruleset, text: str, readings: Mapping[str, str], turns: tuple[str, ...]) -> Line:
    _, position = read_position(f"{ruleset.code}; {text}")
    return Line(ruleset, board(position), dict(readings)).typed(*turns)


def _down(ruleset: Ruleset, made: Ladder) -> Line:
    line = _from_position(ruleset, made.position, made.readings, made.turns)
    line.notes = [tier(line.game, step) for step in line.steps]
    line.remark = f"A made-up position: everybody holds {made.card} more than once, so that all its tiers come in turn."
    return line


# -- Spy ----------------------------------------------------------------------------------------------------


def _copying(ruleset: Ruleset) -> dict[str, Line]:
    """Short games in which Spy copies each card; of one that needs a region controlled, from a position."""
    found = {
        f"spy-copies-{card.lower().replace(' ', '-')}": _scripted(ruleset, 2, card, "Spy")
        for card in copied_cards(ruleset)
    }
    return found | {name: _from_position(ruleset, *how) for name, how in CONTROLLED.items() if name in found}


def _spying(ruleset: Ruleset) -> dict[str, Line]:
    """Short games with Spy."""
    return _copying(ruleset) | {
        "spy-copies-negotiate-without-a-disc": _scripted(ruleset, 2, "Negotiate", "Negotiate", PASSED, "Spy"),
        "spy-copies-nothing": _scripted(ruleset, 2, "Spy"),
        "spy-copies-a-team-mate": _scripted(ruleset, 4, "March", PASSED, "Spy"),
    }


def _scripted(ruleset: Ruleset, players: int, *cards: str) -> Line:
    """A game from the set-up in which these cards are played in turn, resolved at random but never in vain."""
    game, rng = ruleset.game(), Random(" ".join(cards))
    wanted = [tuple(cards[seat::players]) for seat in range(players)]
    drawn = game.deal(players, rng.randbytes(32))
    deal = Deal(drawn.regions, drawn.supply, drawn.courts, _hands(game, wanted), drawn.track, 0)
    line = Line(ruleset, deal)
    for card in cards:
        line.take(_playing(game, card, rng))
    return line


def _playing(game: Struggle, card: str, rng: Random) -> Chooser:
    """Decides for a card, and at random for what comes with it."""
    anything = at_random(game, rng, 0.0)

    def choose(position: Position) -> Move:
        if position.decision != "play":
            return anything(position)
        if card == PASSED:
            return PASS
        options = game.cards[card].ladder.list_options(position)
        while True:
            resolution = options[rng.randrange(len(options))]
            played = game.cards[resolution.card if isinstance(resolution, Copy) else card]
            if not played.undo or game.cards[card].ban(resolution, position.to_act or 0):
                return Play(card, resolution)

    return choose
