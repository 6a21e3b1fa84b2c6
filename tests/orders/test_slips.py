"""Slips in orders of a game: what was meant is named, with the whole line where one word of it is wrong."""

from __future__ import annotations

from tests.mail.hall import ANN, Hall
from tests.shared.tables import each_row


@each_row(
    "line, hint",
    [
        ("agree drw", "Did you mean `agree draw`?"),
        ("agree abandn", "Did you mean `agree abandon`?"),
        ("undo yess", "Did you mean `undo yes`?"),
        ("sya to all", "Did you mean `say`?"),
    ],
)
def test_what_was_meant(line: str, hint: str) -> None:
    hall = Hall.of(2)
    hall.mail(ANN, line)
    assert hint in hall.says(ANN)
