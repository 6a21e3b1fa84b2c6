"""Playing on without your seed: what needs none still works, and what needs one explains what you can do instead."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tkid.cli.letters.kept import SEED
from tkid.cli.support import WRONG, as_typed, fail
from tkid.cli.support.own_files import known_hands, owner
from tkid.notation.vocabulary import listed
from tkid.rulebook import cites

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tkid.record.format.model import Record
    from tkid.record.locked.deal import LockedDeal
    from tkid.record.play.replay import Replay

WORD = "The others decide whether they take your word for it, with `tkid letter read --agree`"
INSTEAD = (
    "Put your copy of it back, or ask a friend who keeps it. Otherwise play turns that show no secret card, "
    "resign with `tkid resign`, or ask the others in a mail to deal again."
)


def name_and_seed(game: Path, record: Record, deal: LockedDeal) -> tuple[str, bytes]:
    """Whose file a game is, and the seed beside it; b"" where it is lost, and the file, the deal or a note says whose it is.

    A hand that no open seed shows is the player's own.
    """
    if SEED.file(game).exists():
        return SEED.read(game)
    hands = known_hands(record)
    unopened = [seat for seat in hands if deal.seeds[seat] is None]
    seat = next((own[0] for own in (hands, unopened) if len(own) == 1), None)
    seat = owner(game, record) if seat is None else seat
    if seat is None:
        fail(f"{SEED.file(game)} is missing, so say whose file this is: `tkid me {as_typed(game)} NAME`. [record.own]")
    return record.names[seat], b""


@cites("record.deal.seed")
def check_provable(file: Path, deal: LockedDeal, seat: int, played: Replay, outcome: str) -> None:
    """End the command where a turn needs the lost seed of a seat: to show a card, or to unlock one for the others.

    `file` is that of the deal, and `outcome` what became of the command. What ends the game the others may take on a player's word.
    """
    from tkid.record.exchange.resignations import is_over
    from tkid.record.locked.course import on_word, unshared, unshown

    word = on_word(played, deal)
    cards = [shown.card for shown in unshown(played, deal) if shown.seat == seat and shown not in word]
    if not cards and is_over(played):
        return
    if not cards and all(share.seat != seat for share in unshared(played, deal)):
        return
    proves = f"prove that you were dealt {cards[0]}" if cards else "unlock the next card"
    lost = f"{SEED.file(file)} is missing, and without it you cannot {proves}. {outcome} [record.deal.seed]"
    fail(f"{lost}\n{INSTEAD}", WRONG)


def lost_seed(beside: Path, *, over: bool, cards: Sequence[str] = ()) -> str:
    """What a player without the seed beside a game or its deal should know after a turn or a letter.

    `cards` are those that ended the game, and that nothing proves.
    """
    file = SEED.file(beside)
    if cards:
        proof = f"your letter cannot prove that you were dealt {listed(cards, 'and')}"
        return f"{file} is missing, so {proof}. {WORD}. If you have a copy of the seed, put it back first. [record.deal.word]"
    if over:
        return f"{file} is missing, so you cannot open your seed. The others check what they can. [record.deal.seed]"
    return f"{file} is missing: you can read letters, and play turns that show no secret card. [record.deal.seed]\n{INSTEAD}"
