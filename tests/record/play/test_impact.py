"""What another reading makes of recorded games: named turn by turn, and nothing where the reading does not matter."""

from __future__ import annotations

from pathlib import Path

from tests.shared.tables import each_row
from tkid.record.format.reader import read_record
from tkid.record.play.replay import Replay, replay
from tkid.record.play.validation import find_impact

GAMES = Path(__file__).parents[3] / "fixtures" / "games"
FINAL_TIE = "second.ruling.final-tie"


def game(name: str) -> Replay:
    """A recorded game."""
    record = read_record((GAMES / f"{name}.tkid").read_bytes()).record
    assert record is not None
    return replay(record)


def test_a_result_that_hangs_on_a_ruling() -> None:
    changes = find_impact(game("second-edition/coronation-final-tie-last-card-players"), {FINAL_TIE: "shared"})
    assert [(change.turn, change.rule) for change in changes] == [
        (17, FINAL_TIE),
        (17, "second.ending.coronation"),
        (17, FINAL_TIE),
    ]
    assert changes[0].as_played == "Whose latest card is older: Ann never, Bob in turn 5 (decides)"
    assert changes[-1].as_played == "coronation: Ann"
    assert changes[-1].otherwise == "coronation: Ann and Bob"


@each_row("path", sorted((GAMES / "second-edition").glob("*.tkid")), ids=lambda path: path.stem)
def test_the_same_reading_changes_nothing(path: Path) -> None:
    played = game(f"second-edition/{path.stem}")
    assert find_impact(played, played.record.ruleset.list_defaults() | dict(played.record.readings)) == []


def test_a_turn_that_would_not_be_legal() -> None:
    found = {}
    for path in sorted((GAMES / "second-edition-advanced").glob("*.tkid")):
        played = game(f"second-edition-advanced/{path.stem}")
        read = played.record.readings.get("second.ruling.spy-pile", "any")
        other = "resolvable" if read == "any" else "any"
        found[path.stem] = find_impact(played, {"second.ruling.spy-pile": other})
    illegal = [change for changes in found.values() for change in changes if not change.as_played]
    assert illegal
    assert all(change.line and change.otherwise for change in illegal)
