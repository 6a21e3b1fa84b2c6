"""What a turn would bring: examples of every kind, and that what is said comes true in every recorded game."""

from __future__ import annotations

import re

import pytest

from tests.games.struggle.mail.test_sentences import NAMES, game
from tests.games.struggle.render.test_telling import RECORDED, UNREADABLE, moments
from tests.games.struggle.shared.family import board, struggle
from tests.shared.tables import each_row
from tkid.games.struggle.render.description import Consequence, compute_consequence
from tkid.games.struggle.rules.board import HIDDEN, Position, describe_struggle, find_leaders
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.struggles import ResolvedRegion
from tkid.notation.plugin import find_turn_reader
from tkid.notation.text import capitalize_text
from tkid.rulebook.rulesets import ruleset as by_code

BASIC = struggle(by_code("second-edition").game())
ADVANCED = struggle(by_code("second-edition-advanced").game())
MORAY, STRATHCLYDE, LANCASTER, NORTHUMBRIA, GWYNEDD, WARWICK, ESSEX, DEVON = range(8)
NOBODY = (0, 0, 0)
CARDS = ("Scottish Support", "Welsh Support", "English Support", "Manoeuvre", "Negotiate")


def placed(edition: Struggle = BASIC, *, players: int = 2, discs: str = "........", **changes: object) -> Position:
    """Strathclyde is contested with 1S 2W 2E, Essex comes next, and Ann plays; `discs` are the discs of the regions."""
    position = edition.start(edition.seat_players(NAMES[:players]), edition.deal(players, bytes(32)))
    held = {".": -1, "U": -2, "S": 0, "W": 1, "E": 2}
    regions = ((3, 1, 0), (1, 2, 2), (2, 1, 1), (2, 1, 1), (2, 2, 0), (0, 2, 3), (0, 0, 4), (3, 0, 1))
    marked = tuple(held[disc] for disc in discs)
    track = (STRATHCLYDE, ESSEX, MORAY, LANCASTER, NORTHUMBRIA, GWYNEDD, WARWICK, DEVON)
    return position.replace(
        regions=tuple(NOBODY if disc != -1 else region for region, disc in zip(regions, marked, strict=True)),
        discs=marked,
        struggles=tuple(region for region in track if marked[region] != -1),
        track=track,
        hands=(CARDS,) * players,
        to_act=0,
        **changes,
    )


def brought(edition: Struggle, position: Position, text: str, seat: int = 0) -> Consequence:
    moves = find_turn_reader(edition, NAMES[: len(position.courts)]).read_turn(text).moves
    shown = edition.view(position.replace(to_act=seat), seat).shown
    return compute_consequence(edition, shown, moves, NAMES[: len(position.courts)])


LAST = "SSSS.SSS"
"""All but Gwynedd are settled."""
SWAP = "Manoeuvre E Strathclyde <> W Gwynedd; summon S Lancaster"
CASES = {
    "a swap": (
        (BASIC, placed(), SWAP),
        Consequence(
            "The Welsh win Strathclyde 3 to 1",
            "once both players pass; before your turn, Welsh and English tied at 2",
            (1,),
        ),
    ),
    "a turn elsewhere": (
        (BASIC, placed(), "Scottish Support S Lancaster; summon S Devon"),
        Consequence("Strathclyde becomes unstable, as Welsh and English tie at 2", "once both players pass", (1, 2)),
    ),
    "a card exchanged": (
        (BASIC, placed(), "Negotiate Strathclyde <> Essex, disc Essex; summon E Essex"),
        Consequence(
            "The English win Essex 3 to 0", "once both players pass; until now, Strathclyde was contested", (2,)
        ),
    ),
    "a first pass": (
        (BASIC, placed(), "Pass"),
        Consequence("Strathclyde becomes unstable, as Welsh and English tie at 2", "if Bob passes too", (1, 2)),
    ),
    "a first pass of three": (
        (BASIC, placed(players=3), "Pass"),
        Consequence("Strathclyde becomes unstable, as Welsh and English tie at 2", "if Bob and Cal pass too", (1, 2)),
    ),
    "a pass that settles": (
        (BASIC, placed(passes=1), "Pass"),
        Consequence(
            "Pass, and Strathclyde becomes unstable, as Welsh and English tie at 2", "Essex is contested next", (1, 2)
        ),
    ),
    "a pass that is won": (
        (BASIC, placed(passes=1, discs=".U......"), "Pass"),
        Consequence("Pass, and the English win Essex 4 to 0", "Moray is contested next", (2,)),
    ),
    "a pass where nobody is": (
        (BASIC, placed(passes=1).replace(regions=(NOBODY,) * 8), "Pass"),
        Consequence("Pass, and Strathclyde becomes unstable, as nobody is there", "Essex is contested next"),
    ),
    "the invasion is near": (
        (BASIC, placed(discs="UU......"), "Pass"),
        Consequence("The English win Essex 4 to 0", "if Bob passes too", (2,)),
    ),
    "the invasion would come": (
        (BASIC, placed(discs="U.....U."), "Pass"),
        Consequence(
            "Strathclyde becomes unstable, as Welsh and English tie at 2",
            "if Bob passes too, and the game ends",
            (1, 2),
        ),
    ),
    "the last region": (
        (BASIC, placed(discs=LAST), "Welsh Support nothing; summon W Gwynedd"),
        Consequence(
            "The Scots win Gwynedd 2 to 1",
            "once both players pass, and the game ends; before your turn, Scots and Welsh tied at 2",
            (0,),
        ),
    ),
    "the coronation": (
        (BASIC, placed(discs=LAST, passes=1, courts=((2, 0, 0), (1, 0, 0))), "Pass"),
        Consequence(
            "This ends the game: you win with more Scottish followers at court than Bob",
            "Gwynedd becomes unstable, as Scots and Welsh tie at 2",
            (0, 1),
        ),
    ),
    "the coronation of somebody else": (
        (BASIC, placed(discs=LAST, passes=1, courts=((0, 0, 2), (1, 0, 0))), "Pass"),
        Consequence(
            "This ends the game: Bob wins with more Scottish followers at court than you",
            "Gwynedd becomes unstable, as Scots and Welsh tie at 2",
            (0, 1),
        ),
    ),
    "a throne that is shared": (
        (BASIC, placed(discs=LAST, passes=1, courts=((1, 0, 0), (1, 0, 0))), "Pass"),
        Consequence(
            "This ends the game: you and Bob share the victory",
            "Gwynedd becomes unstable, as Scots and Welsh tie at 2",
            (0, 1),
        ),
    ),
    "a team": (
        (BASIC, placed(players=4, discs=LAST, passes=3, courts=((0, 0, 1), (0, 1, 0), (1, 0, 0), (0, 1, 0))), "Pass"),
        Consequence(
            "This ends the game: you and Cal win because Cal has the most Scottish followers at court",
            "Gwynedd becomes unstable, as Scots and Welsh tie at 2",
            (0, 1),
        ),
    ),
    "the last card of all": (
        (
            BASIC,
            placed(discs="SSS.SSS.", courts=((2, 0, 0), (1, 0, 0))).replace(hands=(("Welsh Support",), ())),
            "Welsh Support nothing; summon S Northumbria",
        ),
        Consequence(
            "This ends the game: you win with more Scottish followers at court than Bob",
            "Northumbria becomes unstable, as Scots, Welsh and English tie at 1; the Scots win Devon 3 to 1",
        ),
    ),
    "many regions at once": (
        (
            BASIC,
            placed(courts=((0, 2, 0), (0, 1, 2))).replace(hands=(("Welsh Support",), ())),
            "Welsh Support nothing; summon E Essex",
        ),
        Consequence(
            "This ends the game: Bob wins with more English followers at court than you, after a tie on the Scots",
            "the English win Essex and Warwick; the Scots win Moray, Lancaster, Northumbria and Devon; "
            "Strathclyde and Gwynedd become unstable",
        ),
    ),
    "the own last card": (
        (BASIC, placed().replace(hands=(("Manoeuvre",), CARDS)), SWAP),
        Consequence(
            "The Welsh win Strathclyde 3 to 1",
            "once both players pass; before your turn, Welsh and English tied at 2; "
            "this is your last card: from now on you can only pass",
            (1,),
        ),
    ),
    "nobody can answer": (
        (BASIC, placed().replace(hands=(CARDS, ())), SWAP),
        Consequence(
            "The Welsh win Strathclyde 3 to 1",
            "once both players pass; before your turn, Welsh and English tied at 2; Bob has no card left to answer with",
            (1,),
        ),
    ),
    "a player may hold only Plot": (
        (ADVANCED, placed(ADVANCED).replace(hands=(("Manoeuvre",), (HIDDEN,))), SWAP),
        Consequence(
            "The Welsh win Strathclyde 3 to 1",
            "before your turn, Welsh and English tied at 2; this may end the game",
            (1,),
        ),
    ),
    "a player may hold only Plot when a region is settled": (
        (ADVANCED, placed(ADVANCED, passes=1).replace(hands=((), (HIDDEN,))), "Pass"),
        Consequence(
            "Pass, and Strathclyde becomes unstable, as Welsh and English tie at 2",
            "Essex is contested next; this may end the game",
            (1, 2),
        ),
    ),
    "Plot may decide": (
        (
            ADVANCED,
            placed(ADVANCED, discs=LAST, passes=1, courts=((1, 0, 0), (1, 0, 0))).replace(
                hands=(("March",), (HIDDEN,) * 2)
            ),
            "Pass",
        ),
        Consequence("This ends the game", "Gwynedd becomes unstable, as Scots and Welsh tie at 2", (0, 1)),
    ),
    "Plot decides nothing": (
        (
            ADVANCED,
            placed(ADVANCED, discs=LAST, passes=1, courts=((5, 5, 5), NOBODY)).replace(
                hands=(("March",), (HIDDEN,) * 2)
            ),
            "Pass",
        ),
        Consequence(
            "This ends the game: you win with more Scottish followers at court than Bob",
            "Gwynedd becomes unstable, as Scots and Welsh tie at 2",
            (0, 1),
        ),
    ),
}


@each_row("case", CASES)
def test_what_a_turn_would_bring(case: str) -> None:
    (edition, position, text), expected = CASES[case]
    assert brought(edition, position, text) == expected


def test_who_names_a_faction_is_said_where_that_is_known() -> None:
    hands = (("March", "Plot"), ("March",))
    position = placed(ADVANCED, discs=LAST, passes=1, courts=((1, 0, 0), (2, 0, 0))).replace(hands=hands)
    assert brought(ADVANCED, position, "Pass").text == "This ends the game: you name a faction for Plot"


@pytest.mark.parametrize("part", range(4))
def test_what_is_said_comes_true(part: int) -> None:
    """Of every recorded turn, as its player knows it."""
    for path in RECORDED[part::4]:
        known = game(f"{path.parent.name}/{path.stem}")
        edition, names = struggle(known.record.game), known.record.names
        for index, moment in moments(known):
            before, after = board(known.moments[index - 1].position), board(moment.position)
            assert moment.turn is not None
            shown = edition.view(before, moment.turn.seat).shown
            if shown.to_act != moment.turn.seat or moment.turn.undone:
                continue
            said = compute_consequence(edition, shown, moment.moves, names)
            where = f"{path.stem}, turn {index}: {said}"
            assert not UNREADABLE.search(f"{said.text} {said.detail}"), where
            assert not said.text.endswith("."), where
            struggles = [event.about for event in moment.events if isinstance(event.about, ResolvedRegion)]
            if said.text.startswith("This ends the game"):
                assert after.decision in {None, "plot"}, where
                winners = {"you" if seat == moment.turn.seat else names[seat] for seat in after.winners}
                won = {"you", *names} & set(
                    re.findall(r"\w+", re.split(" with | because ", said.text.partition(":")[2])[0])
                )
                assert won in (winners, set()) or after.decision == "plot", where
            elif said.text.startswith("Pass, and "):
                assert struggles, where
            else:
                assert not struggles or "may end" in said.detail, where
            if not struggles and after.decision == "play" and after.contested is not None:
                followers = after.regions[after.contested]
                assert said.text == capitalize_text(describe_struggle(edition.board, after.contested, followers)), where
                assert said.factions == find_leaders(followers), where
