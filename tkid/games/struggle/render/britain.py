"""Britain: which boards have its regions and borders, so that a drawing of Britain fits them."""

from __future__ import annotations

from tkid.games.struggle.rules.board import Board

SECOND_EDITION = ("MOR", "STR", "LAN", "NOR", "GWY", "WAR", "ESS", "DEV")
FIRST_EDITION = ("CAL", "DIN", "DVA", "EBO", "CAE", "RAT", "LON", "AQU")
"""The same regions by the codes of the editions; the first edition's map is inferred to have the same borders."""


def regions_of_britain(board: Board, borders: set[frozenset[str]]) -> list[str] | None:
    """The regions of a board by their codes in the second edition; None if a drawing with these borders does not fit.

    A drawing fits if it has exactly the board's borders.
    """
    codes = [region.code for region in board.regions]
    for edition in (SECOND_EDITION, FIRST_EDITION):
        drawn = dict(zip(edition, SECOND_EDITION, strict=True))
        if drawn.keys() == set(codes):
            regions = [drawn[code] for code in codes]
            if {frozenset((regions[a], regions[b])) for a, b in board.borders} == borders:
                return regions
    return None
