"""Makes fixtures/games/claim: whole games of Claim, one for each way to end, as the dealer and the players have them.

Run as `python -m tests.makers.claim_games`. Beside each record stands the position that it reaches, and how it was decided.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from tests.games.claim.shared import PLAYERS
from tests.makers.games import FOLDER, write_checksums
from tkid.record.format.new_game import new_record
from tkid.record.format.reader import read_record
from tkid.record.play.replay import Replay, append, replay
from tkid.record.play.views import hide_secrets
from tkid.record.play.writer import write_record
from tkid.rulebook.rulesets import ruleset

HERE = FOLDER / "claim"
CLAIM = ruleset("claim")
MOST = 2000
"""Random games that are tried; about one in four hundred is drawn."""


def random_record(seed: int) -> Replay:
    """A whole random game as a record."""
    rng = Random(f"claim game {seed}")
    played = replay(new_record(CLAIM.code, PLAYERS, rng.randbytes(32)))
    game = played.record.game
    while played.position.to_act is not None:
        options = game.legal(played.position)
        played = append(played, game.words.write_move(options[rng.randrange(len(options))]))
        assert not played.problems
    return played


def outcome(seed: int) -> tuple[str | None, set[str]]:
    """How the random game of a seed ends, played without a record, and the rules at work in it."""
    rng = Random(f"claim game {seed}")
    record = new_record(CLAIM.code, PLAYERS, rng.randbytes(32))
    game, position = record.game, record.start()
    seen_at_work: set[str] = set()
    while position.to_act is not None:
        options = game.legal(position)
        position, events = game.apply(position, options[rng.randrange(len(options))])
        seen_at_work |= {event.rule for event in events}
    return position.ending, seen_at_work


def games() -> Iterator[tuple[str, Replay]]:
    """Each game by its name."""
    votes = random_record(1)
    yield "whole-game-for-2", votes
    yield "whole-game-for-2-as-ann-has-it", hide_secrets(votes, 0)
    yield "whole-game-for-2-as-anybody-may", hide_secrets(votes, None)
    yield "drawn", random_record(next(seed for seed in range(MOST) if outcome(seed)[0] == "drawn"))
    yield "equal-cards", random_record(next(seed for seed in range(MOST) if "claim.trick.tie" in outcome(seed)[1]))


def main() -> None:
    """Find the games and write them."""
    HERE.mkdir(parents=True, exist_ok=True)
    for name, played in games():
        path = HERE / f"{name}.tkid"
        path.write_text(write_record(played.record, played), "utf-8")
        found = read_record(path.read_bytes())
        assert not found.problems
        assert found.record is not None
    write_checksums(HERE)


if __name__ == "__main__":
    main()
