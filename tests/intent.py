"""Measures how mails with a turn are judged, from the bytes of a reply to what a host does with it.

Run `python -m tests.intent FILE.toml …` to count what is played, held and asked, and to list what is wrong. The weights
of the judge are made from all files in `fixtures/intent` but those in `unseen`; `benchmarks/train_judge.py` counts what happens to
mails of the others that it leaves out.
"""

from __future__ import annotations

import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import timedelta
from email.message import EmailMessage
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tests.mail.hall import START, dealt
from tkid.games.struggle.mail import find_example_turn
from tkid.mail import game_service
from tkid.mail.game_service import HostedGame
from tkid.mail.message import compose_mail
from tkid.mail.mime import take_in
from tkid.mail.model import Refusal
from tkid.mail.order_finder import find_orders, get_order_reader
from tkid.mail.quotation import OwnLetter

FOLDER = Path(__file__).parent.parent / "fixtures" / "intent"
HOST, PLAYER = "tkid@games.example", "player1@example.org"
HOLD = timedelta(minutes=15)


class Case(NamedTuple):
    """A mail of the corpus: its language, whether it is in doubt or clear, in which way, and its text."""

    language: str
    expect: str
    way: str
    text: str


@cache
def table() -> tuple[HostedGame, OwnLetter, str]:
    """A game of Ann, Bob and Cal that waits for Ann, the letter that asks her, and the id of that letter."""
    begun = game_service.begin_game(dealt(3), START)
    letter = next(letter for letter in begun.letters if letter.seat == 0)
    mail = compose_mail(begun.game.replay, letter, PLAYER, HOST)
    identity = next(line for line in mail.decode("ascii").splitlines() if line.startswith("Message-ID:"))
    return begun.game, OwnLetter(mail), identity.partition(": ")[2]


def read_cases(*files: Path) -> Iterator[Case]:
    """Read the mails of some files."""
    for file in files:
        for mail in tomllib.loads(file.read_text("utf-8"))["mail"]:
            yield Case(mail["language"], mail["expect"], mail["way"], mail["text"])


def filled(text: str) -> str:
    """A text with legal turns in place of `TURN` and `OTHER`."""
    at = table()[0].replay
    return text.replace("TURN", find_example_turn(at, "Assemble")).replace("OTHER", find_example_turn(at, "Manoeuvre"))


def reply(text: str, *, quotes: bool = True) -> bytes:
    """The bytes of a reply to the letter, with or without a copy of it."""
    message = EmailMessage()
    message["From"], message["To"], message["In-Reply-To"] = f"Ann <{PLAYER}>", HOST, table()[2]
    message["Subject"], message["Message-ID"] = "Re: your turn", "<reply@example.org>"
    copied = "\n".join(f"> {line}" for line in table()[1].text.lines) if quotes else ""
    below = f"\n\nOn Saturday 21 November 2026, tkid <{HOST}> wrote:\n\n{copied}\n" if quotes else "\n"
    message.set_content(f"{filled(text).strip()}{below}")
    return bytes(message)


def act_of(text: str, *, quotes: bool = True, hold: timedelta = HOLD) -> str:
    """What a host does with the turn in a reply: `play`, `hold`, `ask`, or `nothing`."""
    game, letter, _ = table()
    taken = take_in(reply(text, quotes=quotes))
    assert not isinstance(taken, Refusal)
    orders = find_orders(taken, get_order_reader(game.record.game, game.names, 0), [letter])
    outcome = game_service.receive_mail(game, 0, orders, START + timedelta(hours=1), 1, "", hold=hold)
    if outcome.game.turns:
        return "play"
    if outcome.game.turn_held:
        return "hold"
    return "ask" if outcome.letters[0].offer else "nothing"


def write(line: str) -> None:
    """Write a line."""
    sys.stdout.write(f"{line}\n")


def main(files: Sequence[str]) -> None:
    """Print how the mails of some files are judged."""
    counts = Counter[tuple[str, str, str]]()
    for case in read_cases(*map(Path, files or map(str, sorted(FOLDER.glob("*.toml"))))):
        act = act_of(case.text)
        counts[case.expect, case.language, act] += 1
        if (case.expect == "doubt") == (act == "play"):
            write(f"{case.expect}, {case.language}, {case.way}: {act}: {case.text!r}")
    for expect in ("doubt", "clear"):
        every = {key: number for key, number in counts.items() if key[0] == expect}
        write(f"\n{expect}: {sum(every.values())} mails")
        for language in ("all", *sorted({key[1] for key in every})):
            acts = Counter[str]()
            for (_, of, act), number in every.items():
                acts[act] += number if language in {"all", of} else 0
            listed = ", ".join(f"{act} {number}" for act, number in sorted(acts.items()) if number)
            write(f"  {language:4} {listed}")


if __name__ == "__main__":
    main(sys.argv[1:])
