"""Playing on without your seed: what needs none still works, and what needs one explains what you can do instead."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tkid.cli.letters.kept import SEED
from tkid.cli.support import WRONG, fail
from tkid.cli.support.own_files import own_hand
from tkid.rulebook import cites

if TYPE_CHECKING:
    from tkid.record.format.model import Record
    from tkid.record.locked.deal import LockedDeal
    from tkid.record.play.replay import Replay

INSTEAD = (
    "Put your copy of it back, or ask a friend who keeps it. Otherwise play turns that show no secret card, "
    "resign with `tkid resign`, or ask the others in a mail to deal again."
)


def name_and_seed(game: Path, record: Record) -> tuple[str, bytes]:
    """Whose file a game is, and the seed beside it; b"" where it is lost, and the hand in the file says whose it is."""
    hand = own_hand(record)
    return SEED.read(game) if SEED.file(game).exists() or hand is None else (record.names[hand], b"")


@cites("record.deal.seed")
def check_provable(file: Path, deal: LockedDeal, seat: int, played: Replay, outcome: str) -> None:
    """End the command where a turn needs the lost seed of a seat: to show a card, or to unlock one for the others.

    `file` is that of the deal, and `outcome` what became of the command.
    """
    from tkid.record.locked.course import unshared, unshown

    cards = [shown.card for shown in unshown(played, deal) if shown.seat == seat]
    if not cards and all(share.seat != seat for share in unshared(played, deal)):
        return
    proves = f"prove that you were dealt {cards[0]}" if cards else "unlock the next card"
    lost = f"{SEED.file(file)} is missing, and without it you cannot {proves}. {outcome} [record.deal.seed]"
    fail(f"{lost}\n{INSTEAD}", WRONG)


def lost_seed(beside: Path, *, over: bool) -> str:
    """What a player without the seed beside a game or its deal should know after a turn or a letter."""
    file = SEED.file(beside)
    if over:
        return f"{file} is missing, so you cannot open your seed. The others check what they can. [record.deal.seed]"
    return f"{file} is missing: you can read letters, and play turns that show no secret card. [record.deal.seed]\n{INSTEAD}"
