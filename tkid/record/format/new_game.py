"""A new record: players, seal and deal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from attrs import evolve

from tkid.notation.text import composed, folded
from tkid.record.format.lines import LONGEST_LINE
from tkid.record.format.model import FORMAT, Record
from tkid.record.format.names import player_hint
from tkid.record.format.reader import read_head
from tkid.record.format.seal import BYTES, ENTROPY, HEADER, SEAL, seal_of, sealed, seed, word_value
from tkid.record.format.table_names import new_table_faults


class NewGameError(ValueError):
    """A game cannot be made as it was asked for: the messages, one for each fault."""

    def __init__(self, *messages: str) -> None:
        super().__init__("; ".join(messages))
        self.messages = messages


def new_record(
    code: str,
    players: Sequence[str],
    entropy: bytes,
    *,
    title: str = "",
    first: str = "",
    rulings: Iterable[str] = (),
    words: Iterable[str] = (),
) -> Record:
    """Deal a game, sealed and opened in its header.

    Args:
        code: the ruleset.
        players: `NAME` or `NAME <ADDRESS>`, in turn order.
        entropy: 32 bytes to deal from.
        title: the game's name.
        first: who starts, by name or number, instead of drawing.
        rulings: readings of rulings, each `ID OPTION` or `ID=OPTION`.
        words: what players add to the entropy, each `NAME=TEXT`.

    Returns:
        The record, without turns.

    Raises:
        NewGameError: the game cannot be made as it was asked for.
        TypeError: a single name stands in place of the players.
    """
    if isinstance(players, str):
        raise TypeError("the players are a list of names, such as ['Ann', 'Bob']")
    if len(entropy) != BYTES:
        raise NewGameError(f"The entropy of a deal has {BYTES} bytes, and here are {len(entropy)}.")
    lines = [f"Tkid-Record: {FORMAT}", f"Ruleset: {code}", *([f"Game: {title}"] if title else [])]
    lines += [
        *(f"Seat: {player}" for player in players),
        *(f"Ruling: {ruling.replace('=', ' ', 1)}" for ruling in rulings),
    ]
    spoken = (word_value(*_whose(players, typed)) for typed in words)
    seals = (f"{SEAL}:{seal_of(entropy).hex()}", *spoken, f"{ENTROPY}:{entropy.hex()}")
    lines += [f"{HEADER}: {value}" for value in seals]
    faults = [fault for line in lines for fault in _faults(line)]
    if faults:
        raise NewGameError(*faults)
    head = read_head("\n".join(lines))
    if head.record is None or head.problems:
        raise NewGameError(*(f"{problem} {problem.hint}".rstrip() for problem in head.problems))
    record = head.record
    if refused := new_table_faults(record.game, record.names, title):
        raise NewGameError(*refused)
    stated = sealed(record)
    assert stated is not None
    deal = record.game.deal(len(players), seed(entropy, stated.words))
    if first:
        starter = next((s for s, name in enumerate(record.names) if folded(first) in {folded(name), str(s + 1)}), None)
        if starter is None:
            raise NewGameError(f"{first} cannot start. {player_hint(first, record.names)}")
        deal = evolve(deal, first=starter)
    return evolve(record, deal=deal)


def _whose(players: Sequence[str], typed: str) -> tuple[str, str]:
    """Name and text of `NAME=TEXT`; the longest name that fits, as one may hold `=` itself. Raises NewGameError."""
    typed = composed(typed)
    if "=" not in typed:
        raise NewGameError(f"`{typed}` does not say whose words these are. Write NAME=TEXT.")
    names = sorted((player.partition("<")[0].strip() for player in players), key=len, reverse=True)
    name = next((name for name in names if folded(typed).startswith(f"{folded(name)}=")), typed.partition("=")[0])
    return name, typed[len(composed(name)) + 1 :]


def _faults(line: str) -> Iterator[str]:
    """Why a line cannot stand in a record."""
    if not line.isprintable():
        yield f"{line!r} has characters that cannot be printed"
    if len(line) > LONGEST_LINE:
        yield f"`{line[:40]}…` has {len(line)} characters, and at most {LONGEST_LINE} are allowed [record.size]"
