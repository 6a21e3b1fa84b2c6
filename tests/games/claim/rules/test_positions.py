"""The positions of Claim with their counts: read, written, judged and counted as they were; the oracle agrees."""

from __future__ import annotations

from tests.games.claim.shared import CLAIM
from tests.makers.claim_positions import FILE, counted, lines, perft
from tests.oracle import claim as oracle
from tests.shared.tables import each_row
from tkid.games.claim.notation.positions import read_position, write_position
from tkid.games.claim.rules import FACTIONS
from tkid.kernel.game import HIDDEN

LINES = FILE.read_text("utf-8").splitlines()


@each_row("line", LINES, ids=range(len(LINES)))
def test_a_position_has_its_counts(line: str) -> None:
    text, counts, rows = line.split("\t")
    position = read_position(CLAIM, text)
    assert write_position(CLAIM, position) == text
    assert (counted(position), perft(position)) == (counts, int(rows))
    assert position.to_act is not None
    hand = position.hands[position.to_act]
    if HIDDEN not in hand:
        led = oracle.card(position.led) if position.led else None
        playable = oracle.playable(map(oracle.card, hand), led)
        assert {each.rpartition(" ")[0] for each in counts.split(", ")} == {
            f"{name} {value}" for name, value in playable
        }


def test_the_positions_are_of_every_kind() -> None:
    positions = [read_position(CLAIM, line.partition("\t")[0]) for line in LINES]
    assert list(lines()) == LINES
    assert {(p.phase, p.led is None) for p in positions} == {(1, True), (1, False), (2, True), (2, False)}
    assert {HIDDEN in p.hands[p.to_act or 0] for p in positions} == {True, False}
    assert any("".join(p.lacks) for p in positions)
    assert {card[0] for p in positions for card in p.hands[p.to_act or 0]} == {HIDDEN, *FACTIONS}
