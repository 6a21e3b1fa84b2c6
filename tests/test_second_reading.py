"""The readings that were given for the second edition are rulings of the register, each with its options."""

import re

from tests.shared.readings import ids, rows, section
from tkid.rulebook import all_rules, rule

PAGE = "0011-a-second-reading.md"

READINGS = {
    "second.ruling.borders": ("thirteen",),
    "second.ruling.undo": ("exact-reversal",),
    "second.ruling.spy-on-spy": ("not-chosen",),
    "second.ruling.spy-pile": ("any", "resolvable"),
    "second.ruling.ladder-scope": ("everywhere",),
    "second.ruling.suppress-second": ("any", "english"),
    "second.ruling.spy-negotiate": ("own",),
    "second.ruling.nobody-to-summon": ("none",),
    "second.ruling.empty-hand": ("resolve",),
    "second.ruling.second-rank": ("skip", "none-ranked"),
    "second.ruling.final-tie": ("shared", "last-card"),
    "second.ruling.plot-hand": ("literal", "counts-as-empty"),
    "second.ruling.invasion-tie": ("shared",),
    "second.ruling.third-disc": ("invasion",),
    "second.ruling.team-emptied": ("both",),
    "second.ruling.team-order": ("opposite",),
    "second.ruling.plot": ("at-the-end",),
    "second.ruling.open-record": ("top-only",),
    "second.ruling.open-hands": ("open", "hidden"),
    "second.ruling.start-player": ("drawn",),
}
"""The readings that were given for the second edition, with their options, the default first; the id's last word is the
short name by which each was given (`borders`: the maps)."""


def test_every_reading_given_has_its_entry_and_no_other_is_taken() -> None:
    assert READINGS.keys() == {entry.id for entry in all_rules() if entry.prefix == "second" and entry.kind == "ruling"}
    for each, options in READINGS.items():
        assert tuple(rule(each).options) == options
        assert rule(each).default == options[0]
    listed = {ids(row[1])[0]: tuple(re.findall(r"`(.+?)`", row[2])) for row in rows(section(PAGE, "Rulings"))}
    assert listed == READINGS
    for short, linked, _ in rows(section(PAGE, "Rulings")):
        assert ids(linked)[0].endswith(f".{short.strip('`')}") or ids(linked) == ["second.ruling.borders"]
