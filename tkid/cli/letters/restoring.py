"""A deal that was lost or damaged: what restores it from the mails of the other players, and what says so."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer
from attrs import evolve

from tkid.cli.letters.deal import LOCKED
from tkid.cli.letters.kept import SEED
from tkid.cli.support import GAME, WRONG, as_typed, fail
from tkid.cli.support.printing import print_paragraph, print_problems
from tkid.cli.support.seats import seat_of
from tkid.rulebook import cites

if TYPE_CHECKING:
    from tkid.record.locked.deal import LockedDeal

WHOLE = "The last mail of the deal has all of it, and so has every other player's file {file}"
LOST = "[record.deal.lost]"
RESTORE = f"To restore it, read the last mail of the deal, or another player's file: `tkid letter new {{file}} LETTER`. {LOST}"
UNWRITTEN = "Nothing was written."
ONCE = f"A seed is used only once. {UNWRITTEN}"
TWICE = f"Whoever gets two decks unlocked with one seed sees your cards. {UNWRITTEN} [record.deal.seed]"


def whole(file: Path, data: bytes, *, dealt: bool) -> LockedDeal:
    """A player's own deal; or, if it is damaged, where, the way to restore it, and the end of the command.

    If the game was `dealt`, a deal that is not complete is damaged too.
    """
    deal, problems = LOCKED.read(data)
    if deal is None or (dealt and not LOCKED.is_complete(deal)):
        print_problems(str(file), data, [evolve(problem, hint="") for problem in problems])
        what = "is damaged" if problems else "is cut off: part of the deal is missing"
        fail(
            f"{file} {what}. To restore it, move it away, and read a whole one: `tkid letter new {as_typed(file)} LETTER`. {LOST}\n"
            f"{WHOLE.format(file=file.name)}. Nothing was changed.",
            WRONG,
        )
    return deal


@cites("record.deal.lost")
def restore(file: Path, letters: dict[str, bytes], me: str) -> None:
    """Write a lost deal again, as letters have it, for the seed beside it; or end the command."""
    from tkid.cli.support.files import create
    from tkid.record.locked.deal import begin

    name, seed = SEED.read(file)
    deals: dict[str, LockedDeal] = {letter: LOCKED.checked(letter, data, UNWRITTEN) for letter, data in letters.items()}
    newest = sorted(deals, key=lambda letter: (_locks(deals[letter]), len(deals[letter].unlocks)), reverse=True)
    head = deals[newest[0]].head
    own = SEED.file(file)
    if name not in head.names:
        fail(f"{own} has {name}'s seed, and {name} does not play in {newest[0]}. Give a letter of this game. {LOST}")
    seat = seat_of(head.names, name)
    if me and seat_of(head.names, me) != seat:
        fail(f"{own} has {name}'s seed. Leave out --me {me}, or look for your own folder. {LOST}")
    if not _locks(deals[newest[0]]):
        fail(
            f"{file} is missing, and {newest[0]} has only part of the deal, as every mail about a turn. {LOST}\n"
            f"{WHOLE.format(file=file.name)}: read one of them. Nothing was written.",
            WRONG,
        )
    _check_lock(file, deals[newest[0]], seat, seed, newest[0])
    so_far = LOCKED.with_letters(begin(head), {each: letters[each] for each in newest}, seat, seed, UNWRITTEN)
    _check_deck(file, so_far, seat, newest[0])
    create(file, LOCKED.write(so_far))
    typer.echo(f"{file}: restored from {newest[0]}.")
    if file.with_suffix(GAME).exists():
        read = f"`tkid letter read {as_typed(file.with_suffix(GAME))} LETTER`"
        print_paragraph(
            f"What was unlocked later comes with the newest mail of each player: read it again with {read}.", "  "
        )


def check_new(file: Path, letters: dict[str, bytes], seat: int) -> None:
    """End the command where a letter has a lock of whoever wants to join, who has no seed for it."""
    for letter, data in letters.items():
        deal: LockedDeal = LOCKED.checked(letter, data, UNWRITTEN)
        if deal.keys[seat] is None:
            continue
        name, own = deal.names[seat], SEED.file(file)
        fail(
            f"{letter} has {name}'s lock already, and {own} is not here. Nothing was written. {LOST}\n"
            f"If you are not {name}, give your own name with --me. If you are, look for the folder that has {own.name}, or put "
            f"your copy of it back: then this letter restores {file}.",
            WRONG,
        )


def _locks(deal: LockedDeal) -> int:
    """How many players have locked the deck in a deal."""
    return sum(key is not None for key in deal.keys)


def _check_lock(file: Path, deal: LockedDeal, seat: int, seed: bytes, letter: str) -> None:
    """End the command where a letter's deal lacks the seat's own lock, or has one that the seed did not make."""
    own, name = SEED.file(file), deal.names[seat]
    new = f"If this is a new game, choose another name for its files. {ONCE}"
    if deal.keys[seat] is None:
        way = "To restore a lost deal, give a later mail of it, or the one that you sent."
        fail(f"{own} exists already, and {letter} has no lock of {name}'s. {way} {LOST}\n{new}", WRONG)
    if LOCKED.mismatch(deal, seat, seed) != ("", ""):
        made = f"{name}'s lock in {letter} was not made with the seed in {own}"
        fail(f"{made}: one of them is of another game, or of an earlier try. {LOST}\n{new}", WRONG)


@cites("record.deal.seed")
def _check_deck(file: Path, deal: LockedDeal, seat: int, letter: str) -> None:
    """End the command where a seed would unlock a second deck, or might."""
    from tkid.record.locked.deal import deck_id, missing

    noted = SEED.deck(file)
    if not deal.locked or noted == deck_id(deal):
        return
    if noted:
        used = f"The seed in {SEED.file(file)} was used for another deck than that in {letter}"
        fail(f"{used}. Perhaps that is an earlier try: give the last mail of the deal. {TWICE}", WRONG)
    if seat in {owing for owing, _ in missing(deal)}:
        lacks = f"{letter} is from before {deal.names[seat]} unlocked the others' cards"
        fail(f"{lacks}. Give a later mail of the deal; if there is none, start a new deal. {TWICE}", WRONG)
