"""The syntax of turns: the parser, and for each form of card right lines to copy and wrong ones to explain errors by."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from tkid.kernel.problems import Fix, Kind, Place, Problem
from tkid.notation.turns import WrongError

if TYPE_CHECKING:
    from lark import Token, Tree

    from tkid.notation.line_parser import LineParser

RIGHT = {
    "place": "SS Lancaster",
    "apart": "S Deva, S Ratae",
    "spread": "S Moray, W Devon, E Essex",
    "exchange": "Moray <> Devon, disc Devon",
    "swap": "S Moray <> E Devon",
    "shift": "SW Essex > Warwick",
    "place_return": "Devon place SS return W",
    "return_place": "Devon return W place SE",
    "place_swap": "Devon place WW swap W <> SE Warwick",
    "place_move": "Devon place WW move W > Gwynedd, E > Warwick",
    "court_swap": "W <> E Devon",
    "copy": "NAME: {} SW Essex > Warwick",
    "reveal": "S",
    "summon": "{}",
}
"""A right example of each form.

Left open is what editions have names of their own for: the card that is copied, and who is summoned. Whose pile Spy
copies is left open too, as it is never one's own.
"""

TAKING = {
    "SS Lancaster": ("Scottish Support", "Aid", "Scottish Forces"),
    "WW Warwick": ("Welsh Support", "Welsh Forces"),
    "EE Devon": ("English Support", "English Forces"),
    "S Essex <> WW Warwick": ("Outmanoeuvre", "Defeat"),
    "E Essex <> SW Moray": ("Influence",),
    "W Moray <> E Devon": ("Dispute", "Clash"),
    "SS Moray <> WE Strathclyde": ("Edict", "Decree"),
    "WE Lancaster": ("Resist", "Opposition"),
    "Devon return EW place S": ("Suppress", "Repression"),
    "Strathclyde return S place SW": ("Muster", "Gathering"),
    "SW Strathclyde": ("Conquest",),
    "Devon place EE swap E <> W Gwynedd": ("Invasion",),
    "Strathclyde place SS swap SS <> WE Lancaster": ("Reinforcement",),
    "nothing": ("Command",),
    "SS Din Eidyn": ("Scots",),
    "WW Deva": ("Welsh",),
    "RR Eboracum": ("Romano-British",),
    "S Caledonia, W Deva, R Londinium": ("Settlement",),
    "Deva <> Londinium, disc Deva": ("Crown",),
    "S Deva <> W Ratae": ("Ambassador",),
    "WW Ratae <> S Londinium": ("Garrison",),
}
"""Right examples for cards that take other followers, or have another map, than the example of their form."""
OF_CARDS = {card: line for line, cards in TAKING.items() for card in cards}
APART = {"Scots": "S Deva, S Ratae", "Welsh": "W Deva, W Ratae", "Romano-British": "R Deva, R Ratae"}
"""The same of cards that place into one region or two."""

WRONG = {
    "place": {
        "Which followers, and into which region?": [""],
        "The region is missing": ["SS"],
        "Only one group and one region belong here": ["SS Lancaster <> E Devon", "SS Lancaster, E Devon"],
    },
    "apart": {
        "Which followers, and into which region?": [""],
        "The region is missing": ["SS", "S,", "S Deva, S", "S Deva, S,"],
        "Another follower is expected after the comma": ["S Deva,"],
        "There may be at most two regions": ["S Deva, S Ratae,", "S Deva, S Ratae, S Caerleon"],
        "No arrow belongs here": ["S Deva <> W Ratae"],
    },
    "spread": {
        "Which followers go where?": [""],
        "The region is missing": ["S", "S,", "S Moray, W", "S Moray, W,"],
        "Another follower is expected after the comma": ["S Moray,"],
        "No arrow belongs here": ["S Moray <> W Devon"],
    },
    "exchange": {
        "Which two region cards?": [""],
        "`<>` and the second region are missing": ["Moray", "Moray, Devon", "Moray, disc Devon"],
        "The second region is missing": ["Moray <>", "Moray <>, disc Devon"],
        "After the comma, write `disc` with a region, or `no disc`": [
            "Moray <> Devon,",
            "Moray <> Devon, Devon",
            "Moray <> Devon, no",
        ],
        "The region of the disc is missing": ["Moray <> Devon, disc"],
    },
    "swap": {
        "Which follower of which region, for which?": [""],
        "The region is missing": ["S", "S <> E Devon", "S Moray <> E"],
        "`<>` and the other side are missing": ["S Moray", "S Moray, E Devon"],
        "The other side is missing": ["S Moray <>"],
    },
    "shift": {
        "Which followers go from where to where?": [""],
        "The region is missing": ["SW", "SW > Warwick"],
        "`>` and the region that they go to are missing": ["SW Essex", "SW Essex, Warwick"],
        "The region that they go to is missing": ["SW Essex >"],
        "A March leads one way": ["SW Essex <> Warwick", "SW Essex > W Warwick"],
    },
    "place_return": {
        "Which region, and which followers?": [""],
        "`place` or `return` with followers is missing": ["Devon", "Devon, SS"],
        "The followers are missing": ["Devon place", "Devon place SS return"],
        "The region comes first": ["place SS"],
    },
    "return_place": {
        "Which region, and which followers?": [""],
        "`return` or `place` with followers is missing": ["Devon", "Devon, W"],
        "The followers are missing": ["Devon return", "Devon return W place"],
        "The region comes first": ["return W"],
    },
    "place_swap": {
        "Which region, and which followers?": [""],
        "`place` or `swap` with followers is missing": ["Devon", "Devon, WW"],
        "The followers are missing": ["Devon place", "Devon swap", "Devon place WW swap"],
        "`<>` and the other side are missing": ["Devon swap W", "Devon place WW swap W", "Devon swap W Warwick"],
        "The other side is missing": ["Devon swap W <>", "Devon place WW swap W <>"],
        "The region is missing": ["Devon swap W <> SE", "Devon place WW swap W <> SE"],
        "The region comes first": ["place WW", "swap W <> SE Warwick"],
    },
    "place_move": {
        "Which region, and which followers?": [""],
        "`place` or `move` with followers is missing": ["Devon", "Devon, WW"],
        "The followers are missing": ["Devon place", "Devon move", "Devon place WW move"],
        "The region that they go to is missing": [
            *("Devon move W", "Devon move W >", "Devon move W > Gwynedd, E"),
            *("Devon place WW move W", "Devon place WW move W >", "Devon place WW move W > Gwynedd, E"),
        ],
        "Another follower is expected after the comma": [
            "Devon move W > Gwynedd,",
            "Devon place WW move W > Gwynedd,",
        ],
        "They move one way": ["Devon move W <> E Gwynedd"],
        "The region comes first": ["place WW", "move W > Gwynedd"],
    },
    "court_swap": {
        "Which follower of your court, for which of which region?": [""],
        "`<>` and the other side are missing": ["W"],
        "`<>` and the follower of your court are missing": ["E Devon"],
        "The other side is missing": ["W <>", "E Devon <>"],
        "The region is missing": ["W <> E"],
        "Only the follower of a region has a region; the other is your court's": ["E Devon <> W Moray"],
    },
    "reveal": {
        "Which faction does it count for?": [""],
        "Nothing may follow the faction": ["S Devon", "S, W", "S > Devon"],
    },
    "summon": {
        "Which follower do you summon?": ["summon"],
        "The region is missing": ["summon W"],
        "You summon one follower from one region": ["summon W Gwynedd, E Essex", "summon W Gwynedd <> E Essex"],
        "`no summon` has to be alone": ["no summon W", "no"],
    },
}
"""Wrong examples of each form by what is wrong with them."""


@cache
def parser() -> LineParser:
    """The parser of resolutions and summonses, by form."""
    from tkid.notation.line_parser import LineParser, lark  # noqa: PLC0415 - turns as the program writes them need no grammar

    return LineParser(lark(("struggle_turn",), tuple(WRONG)), WRONG)


def parse(form: str, text: str, start: int, hint: str) -> Tree[Token]:
    """What stands from a column on, as a form. Raises WrongError, which carries the hint."""
    from tkid.notation.line_parser import LineError  # noqa: PLC0415 - as above

    try:
        return parser().parse(form, text[start:])
    except LineError as error:
        if error.is_character:
            message = f"`{error.found}` does not belong here"
        else:
            message = error.label or "This is not understood"
            if error.found and not message.endswith("?"):
                message = f"{message}, but this is `{error.found}`"
        raise form_error(message, start + error.column, error.length, hint) from None


def form_error(message: str, column: int, length: int, hint: str, fixes: tuple[Fix, ...] = ()) -> WrongError:
    """The error of a turn that does not have its form; the column counts from 0."""
    place = Place(col=column + 1, length=max(1, length))
    return WrongError(Problem(Kind.SYNTAX, "notation.form", message, hint=hint, fixes=fixes, **place))


def example(form: str, name: str, own: str) -> str:
    """The form of a card, for the hint. The example need not be legal now. `own` is what the form leaves open: a card that moves followers, or a summons."""
    own_examples = APART if form == "apart" else OF_CARDS
    return f"The form is `{name} {own_examples.get(name, RIGHT[form].format(own))}`."
