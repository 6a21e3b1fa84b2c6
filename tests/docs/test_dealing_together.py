"""The page on dealing together: the last letters of its game print what stands there.

`python -m tests.docs.test_dealing_together` writes into the page what is printed; read it before it is kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import chdir
from itertools import count
from pathlib import Path
from shlex import split
from shutil import copy
from tempfile import TemporaryDirectory

import pytest

from tests.cli import said, tkid
from tests.cli.dealers import Player, dealt_by_two

PAGE = Path(__file__).parents[2] / "docs" / "dealing-together.md"
SEED, LAST_THREE = 10, 10
"""What the game is dealt from, in which Ann gets Plot; so many turns are played before its last three letters."""
COMMAND = re.compile(r"^(ann|bob)\$ (tkid .*)\n((?:(?!(?:ann|bob)\$ |```).*\n)*)", re.MULTILINE)


def section(page: str) -> str:
    """The part of the page with the last letters."""
    return page.partition("{ #last }\n")[2].partition("\n## ")[0]


def printed(page: str, folder: Path) -> Iterator[tuple[str, str]]:
    """Each command with its output as the page has it, and as it is printed. Mails reach the other player at once."""
    dealt_by_two(folder, SEED)
    players = [Player(folder / name, name, count(10)) for name in ("Ann", "Bob")]
    for turn in range(LAST_THREE):
        player, other = players if players[0].replay.position.to_act == 0 else reversed(players)
        said("play", player.game, "Pass")
        other.reads(player.writes())
        assert len(other.replay.record.turns) == turn + 1
    for command in COMMAND.finditer(section(page)):
        who = command[1]
        to = "bob" if who == "ann" else "ann"
        with chdir(folder / who.capitalize()):
            result = tkid(*split(command[2])[1:])
            if " -o " in command[2]:
                copy(f"to-{to}.eml", folder / to.capitalize() / f"from-{who}.eml")
        yield command[0], f"{who}$ {command[2]}\n{result.output}"


@pytest.mark.slow
def test_the_last_three_letters_print_what_the_page_says(tmp_path: Path) -> None:
    found = list(printed(PAGE.read_text("utf-8"), tmp_path))
    assert sum(" -o to-" in shown for shown, _ in found) == 3
    for shown, told in found:
        assert shown == told


def main() -> None:
    """Write into the page what is printed."""
    page = PAGE.read_text("utf-8")
    with TemporaryDirectory() as folder:
        told = iter([told for _, told in printed(page, Path(folder))])
    part = section(page)
    PAGE.write_text(page.replace(part, COMMAND.sub(lambda _: next(told), part)), "utf-8")


if __name__ == "__main__":
    main()
