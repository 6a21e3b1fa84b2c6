"""The colours of the roles: words and lines stand out from their grounds, and every eye tells the factions apart."""

from __future__ import annotations

from itertools import combinations, product

import pytest

from tests.render.seen_by import NO_BLUE, NO_GREEN, NO_RED, contrast, differ, without
from tests.shared.tables import each_row
from tkid.render.picture import DARK, LIGHT, ROLES, paint, write_css_variables

FACTIONS = range(4)
TINTS, WON = [f"tint{f}" for f in FACTIONS], [f"won{f}" for f in FACTIONS]
GROUNDS = ["land", *TINTS]
WORDS, LINES = 4.5, 3.0
"""The contrast of words, and of lines and shapes, at least: WCAG AA."""
CONTRASTS: list[tuple[str, list[str], float]] = [
    ("ink", ["paper", "panel", "sea", "shoal", "card", *GROUNDS, *WON], WORDS),
    ("dim", ["paper", "panel", "sea", "shoal", "card"], WORDS),
    ("on-back", ["back"], WORDS),
    ("on-lost", ["lost"], WORDS),
    *[(f"on{f}", [f"piece{f}"], WORDS) for f in FACTIONS],
    ("last", ["paper", "panel", "sea", "land", *TINTS[:3]], LINES),
    ("chosen", ["paper", "panel", "sea", "land", *TINTS[:3]], LINES),
    ("coast", ["sea"], LINES),
    ("border", GROUNDS[:4], LINES),
]
"""What has to be seen on what, and how well."""
EYES = {"deuteranopia": NO_GREEN, "protanopia": NO_RED, "tritanopia": NO_BLUE}
SCHEMES = (LIGHT, DARK)


@each_row("role, grounds, least", CONTRASTS)
def test_words_and_lines_stand_out_from_their_grounds(role: str, grounds: list[str], least: float) -> None:
    for ground, side in product(grounds, SCHEMES):
        told = contrast(ROLES[role][side], ROLES[ground][side])
        assert told >= least, (role, ground, ["light", "dark"][side], round(told, 2))


def test_a_piece_has_an_edge_where_its_colour_does_not_stand_out() -> None:
    for f, ground in product(FACTIONS, ("paper", "sea", *GROUNDS)):
        seen = (contrast(ROLES[role][LIGHT], ROLES[ground][LIGHT]) for role in (f"piece{f}", "edge"))
        assert max(seen) >= LINES, (f, ground)


@pytest.mark.parametrize("eyes", [None, *EYES])
@pytest.mark.parametrize("side", SCHEMES, ids=["light", "dark"])
def test_every_eye_tells_the_factions_apart(eyes: str | None, side: int) -> None:
    """Pieces at a glance, from 20 on; grounds side by side, from 9 on: a letter and a shape say the same."""
    for what, least in (("piece", 20), ("tint", 9)):
        seen = [ROLES[f"{what}{f}"][side] for f in FACTIONS]
        colours = [without(EYES[eyes], colour) for colour in seen] if eyes else seen
        for one, other in combinations(FACTIONS, 2):
            assert differ(colours[one], colours[other]) > least, (what, one, other)


def test_a_won_region_is_stronger_than_one_that_is_led() -> None:
    for f, side in product(FACTIONS, SCHEMES):
        assert differ(ROLES[f"won{f}"][side], ROLES[f"tint{f}"][side]) > 9, (f, side)


def test_every_role_is_a_variable_of_pages_and_paints_both_schemes() -> None:
    for role, (light, dark) in ROLES.items():
        assert (
            write_css_variables().count(f"--{role}:{light};") == write_css_variables().count(f"--{role}:{dark};") >= 1
            or light == dark
        )
        assert paint("stroke-width:1", fill=role) == (f"fill:{light};stroke-width:1", f"fill:{dark}")
