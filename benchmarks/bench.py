"""Speed of the engine, as ratios to a yardstick measured in the same run. `make bench` runs it."""

from __future__ import annotations

import io
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from email.message import EmailMessage
from functools import partial
from itertools import islice, repeat
from pathlib import Path
from random import Random
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from time import perf_counter

import chess
import chess.pgn
from attrs import evolve

from benchmarks import dealing, hosting, letters, pictures, players, tricks, two_hosts
from tests.games.struggle.shared.family import struggles
from tests.host.year.players import TIME
from tests.shared.strategies import GAME, record_of, start
from tkid.games.struggle.rules.game import Struggle
from tkid.mail.blocks import Letter, format_plain
from tkid.mail.game_service import ask_for_turn
from tkid.mail.message import compose_mail
from tkid.record.format.new_game import new_record
from tkid.record.format.reader import read_record
from tkid.record.play.replay import Replay, replay
from tkid.record.play.validation import check_canonical
from tkid.record.play.writer import write_record
from tkid.rulebook.rulesets import Ruleset

SEED = 20261121
GAMES = 600
FINISHED = Path(__file__).parents[1] / "fixtures" / "games" / "second-edition" / "coronation-emptied-players.tkid"
OWN_PARTS = re.compile(r" #[0-9a-f]{6}$|^-- .*\n", re.MULTILINE)
"""What other programs leave out of their files: hashes, and lines about what followed."""
STARTS = {
    "tkid --version": 1.2,
    "tkid rule ID": 1.2,
    **dict.fromkeys(("tkid show", "tkid check", "tkid legal", "tkid play"), 1.8),
}
"""How many times as long as a bare typer program a command may take."""
CHESS_GAMES = 60
PLIES = 200
ROUNDS = 5
BARE = """\
import typer
app = typer.Typer()
@app.command()
def main(): print("one line")
app()
"""


def rate(work: Callable[[], int]) -> float:
    """The best of some rounds, in units a second; `work` returns how many units it did."""
    best = 0.0
    for _ in range(ROUNDS):
        begin = perf_counter()
        units = work()
        best = max(best, units / (perf_counter() - begin))
    return best


def chess_archive() -> str:
    """Random games of chess as PGN."""
    rng = Random(SEED)
    games = []
    for _ in range(CHESS_GAMES):
        board, game = chess.Board(), chess.pgn.Game()
        node: chess.pgn.GameNode = game
        while not board.is_game_over() and board.ply() < PLIES:
            move = rng.choice(list(board.legal_moves))
            node = node.add_variation(move)
            board.push(move)
        games.append(f"{game}\n\n")
    return "".join(games)


def read_chess(archive: str) -> int:
    """Read and validate PGN; the plies read."""
    file, plies = io.StringIO(archive), 0
    while (game := chess.pgn.read_game(file)) is not None:
        plies += game.end().ply()
    return plies


def validate(archive: list[bytes]) -> int:
    """Validate game files as `tkid check` does where nothing is wrong; the turns read."""
    turns = 0
    for data in archive:
        found = check_canonical(data)
        assert found is not None
        turns += found.turns
    return turns


def replay_all(archive: list[bytes]) -> int:
    """Read and replay game files in the full way, which keeps every position and event; the turns read."""
    turns = 0
    for data in archive:
        found = read_record(data)
        assert found.record is not None
        assert not found.problems
        assert not replay(found.record).problems
        turns += len(found.record.turns)
    return turns


def bench_validating() -> None:
    """Recorded games against python-chess reading PGN."""
    pgn = chess_archive()
    rng = Random(SEED)
    archive = [write_record(record_of(rng, 2, 0.3)).encode() for _ in range(GAMES)]
    elsewhere = [OWN_PARTS.sub("", write_record(record_of(rng, 2, 0.3))).encode() for _ in range(GAMES)]
    plies = rate(lambda: read_chess(pgn))
    print(f"yardstick            {plies:9,.0f} plies/s of PGN read by python-chess")
    for what, games in (("records", archive), ("files from elsewhere", elsewhere)):
        begin = perf_counter()
        cold = validate(games) / (perf_counter() - begin)
        warm = rate(partial(validate, games))
        print(
            f"validating {what:20} {warm:9,.0f} turns/s, ratio {warm / plies:.2f}, in the first pass {cold / plies:.2f}"
        )
    print("  wanted: a ratio of at least 0.60, in the first pass 0.50")
    full = rate(lambda: replay_all(archive))
    print(f"  replayed in full   {full:9,.0f} turns/s, ratio {full / plies:.2f}")


def random_games(game: Struggle, count: int = 100) -> int:
    """Play whole random games of two: uniform over pass and all resolutions, then over summonses."""
    rng = Random(SEED)
    for _ in range(count):
        position = start(2, rng.randbytes(32), game)
        while position.to_act is not None:
            options = game.legal(position)
            position, _ = game.apply(position, options[rng.randrange(len(options))])
    return count


def chess_plies(count: int = 20) -> int:
    """Play random games of chess; the plies played."""
    rng, plies = Random(SEED), 0
    for _ in range(count):
        board = chess.Board()
        while not board.is_game_over() and board.ply() < PLIES:
            board.push(rng.choice(list(board.legal_moves)))
        plies += board.ply()
    return plies


def bench_random_games() -> None:
    """Random games of the basic game against random chess, and the other rulesets against the basic game."""
    basic, plies = rate(lambda: random_games(GAME)), rate(chess_plies)
    print(f"random games of two  {basic:9,.0f} games/s       wanted: at least 150")
    print(f"  yardstick          {plies:9,.0f} plies/s of random chess played with python-chess")
    print(f"  ratio              {basic / plies * 1000:9.2f} games per 1,000 plies")
    for ruleset in struggles():
        if ruleset.code != GAME.code:
            game = ruleset.game()
            found = rate(lambda game=game: random_games(game))  # type: ignore[misc]
            print(f"  {ruleset.code}: {found:,.0f} games/s, ratio {found / basic:.2f} to the basic game, wanted: 0.50")


def long_game(ruleset: Ruleset, turns: int) -> Replay:
    """The beginning of a random game of four that lasts longer."""
    rng = Random(SEED)
    records = (record_of(rng, 4, 0.5, ruleset) for _ in range(1000))
    record = next(record for record in records if len(record.turns) > turns)
    return replay(evolve(record, turns=record.turns[:turns], end=()))


def compose_many(games: Iterator[Replay], letter: Letter, count: int = 40) -> int:
    """Compose a letter so many times; the letters."""
    for at in islice(games, count):
        compose_mail(at, letter, "ann@example.org", "tkid@games.example", key="abcdefghijkl")
    return count


def email_messages(text: str, file: str, count: int = 100) -> int:
    """The same text and file as mails of the standard library, without HTML; the mails."""
    for _ in range(count):
        mail = EmailMessage()
        mail["From"], mail["To"] = "tkid <tkid@games.example>", "Ann <ann@example.org>"
        mail["Subject"] = "[tkid] turn 41: Ann to play"
        mail.set_content(text)
        mail.add_attachment(file, filename="game.tkid")
        mail.as_bytes()
    return count


def bench_composing() -> None:
    """A letter as a mail, text, HTML and game file, against `EmailMessage` with text and file.

    The first to a seat costs more in a game with secrets: what the seat may know is made for it and remembered.
    """
    for ruleset in struggles():
        for turns in (10, 40, 80):
            at = long_game(ruleset, turns)
            letter = ask_for_turn(at, TIME)
            assert letter is not None
            text, file = format_plain(letter.body), write_record(at.record, at)
            size = len(compose_mail(at, letter, "ann@example.org", "tkid@games.example"))
            anew = [evolve(at, moments=[evolve(moment) for moment in at.moments]) for _ in range(40 * ROUNDS)]
            first, ours = (rate(partial(compose_many, games, letter)) for games in (iter(anew), repeat(at)))
            theirs = rate(partial(email_messages, text, file))
            told = (
                f"{1000 / ours:9.2f} ms a letter of {size / 1000:.0f} kB, the first {1000 / first:.2f}; wanted: under 3"
            )
            print(f"composing, {turns:2} turns  {told}; ratio to EmailMessage {theirs / ours:.2f} ({ruleset.code})")


def processor_time_of_children() -> float:
    """Seconds that processes took which this one began, and which have ended."""
    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def bench_start() -> None:
    """Whole commands against a bare typer program, in processor time."""
    with tempfile.TemporaryDirectory() as folder:
        bare = Path(folder) / "bare.py"
        bare.write_text(BARE, "utf-8")
        dealt = write_record(new_record("second-edition", ("Ann", "Bob"), bytes(32)))
        game = Path(folder) / "game.tkid"
        program = [sys.executable, "-c", "from tkid.cli import main; main()"]
        commands = {
            "a bare typer program": [sys.executable, str(bare)],
            "tkid --version": [*program, "--version"],
            "tkid rule ID": [*program, "rule", "second.partial.in-full"],
            "tkid show": [*program, "show", str(FINISHED)],
            "tkid check": [*program, "check", str(FINISHED)],
            "tkid legal": [*program, "legal", str(game)],
            "tkid play": [*program, "play", str(game), "Pass"],
        }
        times: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(15):
            for name, command in commands.items():
                game.write_text(dealt, "utf-8")
                begin = processor_time_of_children()
                subprocess.run(command, check=True, capture_output=True)
                times[name].append(processor_time_of_children() - begin)
    yardstick = median(times["a bare typer program"])
    for name, taken in times.items():
        wanted = STARTS.get(name)
        ratio = f"ratio {median(taken) / yardstick:.2f}, wanted: at most {wanted}" if wanted else "yardstick"
        print(f"{name:<21}{median(taken) * 1000:9.0f} ms            {ratio}")


if __name__ == "__main__":
    print(f"seed {SEED}, Python {sys.version.split()[0]}, best of {ROUNDS} rounds\n")
    bench_validating()
    bench_random_games()
    tricks.main()
    players.main(rate, chess_plies)
    bench_composing()
    pictures.main()
    hosting.main()
    two_hosts.main(["1"])
    letters.main()
    dealing.main()
    bench_start()
