"""The game that `make demo` shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.demo_host import main


@pytest.mark.slow
def test_the_demo_shows_a_mistake_put_right_words_a_standing_order_and_the_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(tmp_path / "demo", pictures=False)
    shown = capsys.readouterr().out
    signs = ["id you mean", "Ann says to you alone", "Plan 1 plays `Pass`", "The game is over", ": all right, "]
    assert [sign for sign in signs if sign not in shown] == []
    assert (
        shown.index("id you mean") < shown.index("Ann says") < shown.index("Plan 1 plays") < shown.index("game is over")
    )
    assert f"The mails lie in {tmp_path / 'demo'}" in shown
    letters = [file for name in ("ann", "bob") for file in (tmp_path / f"demo/out/{name}@example.org/cur").iterdir()]
    assert len(letters) == shown.count("a mail to ") + shown.count("\nto ")
