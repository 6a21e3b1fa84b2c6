"""Speed and size of letters when they go out with their pictures, in processor time: `python -m benchmarks.letters`.

What a host remembers of earlier letters counts: each figure is of a picture that it has not drawn yet, from parts of which it
knows most. At the end, a host sends the letters of a turn in each of many games, which have nothing in common.
"""

from __future__ import annotations

from functools import partial
from time import process_time

from attrs import evolve

from benchmarks.hosting import LENGTHS, answers, filled
from benchmarks.pictures import best
from tests.host.year.players import HOST, TIME
from tests.makers.games import FOLDER
from tkid.mail.game_service import ask_for_turn
from tkid.mail.letter_html import TILES, finish_letter
from tkid.mail.message import compose_mail
from tkid.record.format.reader import read_record
from tkid.record.play.replay import replay
from tkid.render.raster import Remembered

GAMES = (
    "second-edition/whole-game-for-4",
    "second-edition-advanced/whole-game-for-4",
    "first-edition/whole-game-for-4",
    "digest-advanced/whole-game-for-4",
    "claim/whole-game-for-2",
)
GAMES_AT_ONCE = 30


def stored(name: str) -> bytes:
    """The turn mail of a recorded game half way, as a store keeps it."""
    record = read_record((FOLDER / f"{name}.tkid").read_bytes()).record
    assert record is not None
    half = replay(evolve(record, turns=record.turns[: len(record.turns) // 2], end=()))
    letter = ask_for_turn(half, TIME)
    assert letter is not None
    return compose_mail(half, letter, "ann@example.org", HOST, pictures=True)


def again(mail: bytes) -> None:
    """A letter goes out with a picture that is composed of known parts."""
    pictures = TILES.pictures
    TILES.pictures = Remembered(pictures.most, len)
    finish_letter(mail)
    TILES.pictures = pictures


def delivered(turns: int) -> tuple[int, float]:
    """A host plays a turn in each of some games and sends the letters: how many, and seconds of processor time.

    Before, it has done so in other games: that is when it draws what all games have in common.
    """
    with filled(0) as running:
        running.pictures, running.send = True, lambda _, __: None
        for name, some in (("before", slice(GAMES_AT_ONCE)), ("timed", slice(GAMES_AT_ONCE, 2 * GAMES_AT_ONCE))):
            running.store.take_mails(answers(running, turns, name)[some], TIME)
            running.work_on_all(TIME)
            begin = process_time()
            sent = running.send_letters(TIME)
        assert not running.missing_pictures
        return sent, process_time() - begin


def main() -> None:
    """Print the figures."""
    for name in GAMES:
        mail = stored(name)
        whole = finish_letter(mail)
        assert not whole.missing_pictures, whole.missing_pictures
        taken, size = best(partial(again, mail)), len(whole.mail) / 1000
        print(f"letter goes out, {name.partition('/')[0]:24} {taken:5.0f} ms, {size:5.1f} kB with all that it encloses")
    for turns in LENGTHS[1:]:
        sent, seconds = delivered(turns)
        rate = f"{sent / seconds:5.0f} letters a second of processor time   wanted: 20"
        print(f"  with pictures, {sent:3} letters of {GAMES_AT_ONCE} games after {turns} turns  {rate}")


if __name__ == "__main__":
    main()
