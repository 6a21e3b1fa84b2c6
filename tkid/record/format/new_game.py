"""Make a new record, and find names that cannot play at one table."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from attrs import evolve

from tkid.kernel.game import AnyGame
from tkid.kernel.pickling import PortableError
from tkid.notation.names import (
    ANY_WORDS,
    EVERY_WORDS,
    ORDER_WORDS,
    SELF,
    find_link,
    list_names,
    reduce_to_letters,
    simplify_name,
)
from tkid.notation.plugin import find_notation_plugin
from tkid.notation.positions import read_position
from tkid.notation.text import compose_accents, fold_name
from tkid.record.format import seal
from tkid.record.format.model import FORMAT, LONGEST_LINE, OTHERWISE, Record, Seat, say_alike, suggest_player
from tkid.record.format.reader import read_record_head
from tkid.rulebook import cites
from tkid.rulebook.rulesets import state_ruleset

ANSWERS = frozenset({"yes", "y", "no", "n", "ok", "okay", "ja", "nein", "oui", "non", "pass", "stop", "nobody", *SELF})
"""Single words that people answer or order with, apart from the first words of orders."""
FAULT = re.compile(r"(?P<message>.*?)\.? \[(?P<rule>[a-z][a-z.-]*)\]\.?(?: (?P<hint>.*))?", re.DOTALL)


def split_fault(fault: str) -> tuple[str, str, str]:
    """Split a sentence about a fault into what is wrong, its rule and the fix; the last two are "" if it has none."""
    found = FAULT.fullmatch(fault)
    return (found["message"], found["rule"], found["hint"] or "") if found else (fault, "", "")


def find_table_faults(game: AnyGame, names: Sequence[str], title: str = "") -> list[str]:
    """Find why these players cannot begin a game, or not under a title: sentences, each with the rule and a hint."""
    named = find_link_faults(title, "the name of a game") if title else ()
    return [
        *named,
        *(fault for seat, name in enumerate(names) for fault in find_newcomer_faults(game, name, names[:seat])),
    ]


@cites("record.seat.link")
def find_link_faults(name: str, what: str = "a player's name") -> Iterator[str]:
    """Find why a name cannot be in mails, where programs would make a link of it: a sentence with the rule and a hint."""
    if link := find_link(name):
        reason = f"mail programs turn `{link}` into a link"
        way = "Put a space after the dot, or choose another name." if name.isascii() else "Choose another name."
        if "@" in name:
            *first, address = name.split()
            way = f"Write an address in angle brackets: {' '.join(first) or address.partition('@')[0].capitalize()} <{address}>."
        yield f"`{name}` cannot be {what}: {reason}. [record.seat.link] {way}"


@cites("record.seat.word", "record.seat.unique", "record.seat.alike")
def find_newcomer_faults(game: AnyGame, name: str, others: Sequence[str]) -> Iterator[str]:
    """Find the reasons why somebody cannot join others under a name: sentences with the rule and a hint."""
    words = {*ANSWERS, *ANY_WORDS, *EVERY_WORDS, *ORDER_WORDS, *find_notation_plugin(game).standing}
    if reduce_to_letters(name) in words:
        reason = "in a mail, this word would be read as an order or an answer"
        yield f"`{name}` cannot be a player's name: {reason}. [record.seat.word] {OTHERWISE}"
    yield from find_link_faults(name)
    for other in others:
        if simplify_name(name) == simplify_name(other):
            yield f"Another player is called {other}. [record.seat.unique] {OTHERWISE}"
        elif reason := say_alike(other, name):
            yield f"{reason}. [record.seat.alike] {OTHERWISE}"


@cites("mail.one-address")
def describe_shared_addresses(seats: Sequence[Seat]) -> str:
    names: dict[str, list[str]] = {}
    for seat in seats:
        names.setdefault(seat.address.casefold(), []).append(seat.name)
    shared = {address: who for address, who in names.items() if address and len(who) > 1}
    return "; ".join(f"{list_names(who, 'and')} have the same address, {address}" for address, who in shared.items())


class NewGameError(PortableError, ValueError):
    """A game that cannot be dealt: the messages, one for each fault."""

    def __init__(self, *messages: str) -> None:
        super().__init__(*messages)
        self.messages = messages


def new_record_at(
    written: str, ruleset: str, players: Sequence[str], title: str = "", rulings: Iterable[str] = ()
) -> Record:
    """Begin a game in a position as it is written in one line. Raises NewGameError."""
    position = read_position(written)[1]
    if position.to_act is None:
        raise NewGameError("No turn follows: the game is over there. [record.position] Choose an earlier turn.")
    if len(players) != len(position.seats):
        wrong = f"The game has {len(position.seats)} players, and here are {len(players)}"
        raise NewGameError(f"{wrong}. [record.seats] Name one for each seat, in turn order, or none.")
    begun = _read_head([*_write_head(state_ruleset(ruleset), title, players, rulings), f"Position: {written}"], title)
    return evolve(begun, position=position)


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
        first: the start player, by name or number. By default it is drawn.
        rulings: rulings to choose, each `ID OPTION` or `ID=OPTION`.
        words: players' words that are added to the entropy, each `NAME=TEXT`.

    Returns:
        The record, without turns.

    Raises:
        NewGameError: such a game cannot be dealt.
        TypeError: the players are a single name.
    """
    if isinstance(players, str):
        raise TypeError("the players are a list of names, such as ['Ann', 'Bob']")
    if len(entropy) != seal.BYTES:
        raise NewGameError(f"The entropy of a deal has {seal.BYTES} bytes, and here are {len(entropy)}.")
    lines = _write_head(state_ruleset(code), title, players, rulings)
    spoken = (seal.write_words(*_parse_words(players, typed)) for typed in words)
    seals = (f"{seal.SEAL}:{seal.compute_seal(entropy).hex()}", *spoken, f"{seal.ENTROPY}:{entropy.hex()}")
    lines += [f"{seal.HEADER}: {value}" for value in seals]
    record = _read_head(lines, title)
    stated = seal.find_seal(record)
    assert stated is not None
    deal = record.game.deal(len(players), seal.compute_deal_seed(entropy, stated.words))
    if first:
        wanted = fold_name(first)
        starter = next((s for s, name in enumerate(record.names) if wanted in {fold_name(name), str(s + 1)}), None)
        if starter is None:
            raise NewGameError(f"{first} cannot start. {suggest_player(first, record.names)}")
        deal = evolve(deal, first=starter)
    return evolve(record, deal=deal)


def _write_head(ruleset: str, title: str, players: Sequence[str], rulings: Iterable[str]) -> list[str]:
    lines = [f"Tkid-Record: {FORMAT}", f"Ruleset: {ruleset}", *([f"Game: {title}"] if title else [])]
    lines += [f"Seat: {player}" for player in players]
    return lines + [f"Ruling: {ruling.replace('=', ' ', 1)}" for ruling in rulings]


def _read_head(lines: Sequence[str], title: str) -> Record:
    """Read the lines of a new game's header. Raises NewGameError with all faults."""
    if faults := [fault for line in lines for fault in _find_line_faults(line)]:
        raise NewGameError(*faults)
    head = read_record_head("\n".join(lines))
    if head.record is None or head.problems:
        raise NewGameError(*(f"{found.message}. [{found.rule}] {found.hint}".rstrip() for found in head.problems))
    if refused := find_table_faults(head.record.game, head.record.names, title):
        raise NewGameError(*refused)
    return head.record


def _parse_words(players: Sequence[str], typed: str) -> tuple[str, str]:
    """Split `NAME=TEXT` at the end of the longest name that fits, as one may hold `=` itself. Raises NewGameError."""
    typed = compose_accents(typed)
    if "=" not in typed:
        raise NewGameError(f"`{typed}` does not say whose words these are. Write NAME=TEXT.")
    names = sorted((player.partition("<")[0].strip() for player in players), key=len, reverse=True)
    name = next((name for name in names if fold_name(typed).startswith(f"{fold_name(name)}=")), typed.partition("=")[0])
    return name, typed[len(compose_accents(name)) + 1 :]


def _find_line_faults(line: str) -> Iterator[str]:
    if not line.isprintable():
        yield f"{line!r} has characters that cannot be printed. [record.encoding]"
    if len(line) > LONGEST_LINE:
        yield f"`{line[:40]}…` has {len(line)} characters, and at most {LONGEST_LINE} are allowed. [record.size]"
