"""Read, write and merge the text of a locked deal; merging also checks locks and proofs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from string import ascii_lowercase, ascii_uppercase, digits
from typing import Any

from attrs import define, evolve, field

from tkid.kernel.problems import Kind, Problem
from tkid.notation.names import list_names
from tkid.notation.text import fold_name, make_plain
from tkid.record import locked_cards
from tkid.record.draw import Flaw, ReadText, TextReader, replace_value, report_other_game
from tkid.record.format.model import Record
from tkid.record.format.reader import LABEL
from tkid.record.locked_deal import (
    FIRST,
    LockedDeal,
    add_lock,
    begin,
    find_awaited_seat,
    has_fitting_seed,
    write_deal_header,
)
from tkid.rulebook import cites

KEYS, DECK, PROOF, NONCES, UNLOCKS, SEEDS = "Keys", "Deck", "Proof", "Nonces", "Unlocks", "Seeds"
LETTERS = f"{ascii_uppercase}{ascii_lowercase}{digits}+/"
"""The letters of an order: the number of each is its value in base64."""
CHECK = 6


def compute_check(terms: bytes, heading: str, text: str) -> str:
    return locked_cards.compute_domain_hash("line", terms, heading, text).hex()[:CHECK]


def write_deal(deal: LockedDeal) -> str:
    return _write_sections(deal, (KEYS, DECK, NONCES, UNLOCKS, SEEDS))


def write_deal_news(deal: LockedDeal) -> str:
    """Write the part of a deal that goes with a letter: all except keys and decks, which everybody has."""
    return _write_sections(deal, (NONCES, UNLOCKS, SEEDS))


def _write_sections(deal: LockedDeal, sections: Sequence[str]) -> str:
    lines = list(write_deal_header(deal.head))
    for heading, rows in _iter_sections(deal):
        if rows and {heading.partition(" ")[0].replace(PROOF, DECK)} & set(sections):
            lines += ["", heading, *(_write_line(deal, heading, row) for row in rows)]
    return "".join(f"{line}\n" for line in lines)


def _write_line(deal: LockedDeal, heading: str, row: tuple[str, ...]) -> str:
    """Write a line, with blanks after a name so that the columns are aligned."""
    first, *others = row
    wide = f"{first:<{LABEL}}" if heading in {KEYS, NONCES, UNLOCKS, SEEDS} else first
    return f"{' '.join([wide, *others])} #{compute_check(deal.terms, heading, ' '.join(row))}"


def _iter_sections(deal: LockedDeal) -> Iterator[tuple[str, list[tuple[str, ...]]]]:
    names = deal.names
    keys = zip(names, deal.keys, strict=True)
    yield KEYS, [_encode(name, key.commitment, key.nonce_commitment, key.public) for name, key in keys if key]
    for name, deck, proof in zip(names, deal.decks, deal.proofs, strict=True):
        yield f"{DECK} {name}", [_encode(str(place), point) for place, point in enumerate(deck or (), 1)]
        rounds = enumerate(proof.answers if proof else (), 1)
        answers = [(*_encode(str(n), scalar), "".join(LETTERS[at] for at in order)) for n, (scalar, order) in rounds]
        yield f"{PROOF} {name}", [_encode("0", proof.challenge), *answers] if proof else []
    yield NONCES, [_encode(name, nonce) for name, nonce in zip(names, deal.nonces, strict=True) if nonce]
    yield UNLOCKS, [(names[u.seat], *_encode(str(u.place + 1), u.point, u.e, u.z)) for u in deal.unlocks]
    yield SEEDS, [_encode(name, seed) for name, seed in zip(names, deal.seeds, strict=True) if seed]


def _encode(first: str, *values: bytes) -> tuple[str, ...]:
    return first, *map(locked_cards.encode_base64, values)


MAX_DIGITS = 9
"""Maximum number of digits in the number of a place."""
MOST_BYTES = 256 << 10
WHOLE = "record.deal.whole"
CHANGED = "It was changed on its way. Ask for it again."
ASK_AGAIN = "Ask for the file again, as an attachment."
CHECKED = re.compile(rf"(?P<text>\S.*?)\s+#(?P<check>[0-9a-fA-F]{{{CHECK}}})")
HEADING = re.compile(r"(?:(keys|nonces|unlocks|seeds)|(deck|proof)\s+(\S.*?))\s*:?", re.IGNORECASE)
QUOTED = re.compile(r"^(?:> ?)+")
BROKEN_IN = 4
"""Maximum number of parts of a line that was broken on its way."""
COLUMNS = {KEYS: 3, NONCES: 1, SEEDS: 1, UNLOCKS: 4}
"""Number of columns after a name."""
Row = tuple[str, ...]


def read_deal(data: bytes) -> ReadText[LockedDeal]:
    return _Reader(data).read()


class _RowError(ValueError):
    """A row that cannot be read: the message."""


class _Reader(TextReader[LockedDeal]):
    what, first, form, most_bytes = "deal", FIRST, "record.deal.form", MOST_BYTES

    def _split_lines(self, data: bytes) -> list[str]:
        lines = super()._split_lines(data)
        quoted = all(line.startswith(">") for line in lines if line.strip())
        return [QUOTED.sub("", line) for line in lines] if quoted else lines

    def _read_content(self) -> LockedDeal | None:
        titles = [number for number, line in enumerate(self.lines, 1) if HEADING.fullmatch(make_plain(line).strip())]
        head = self.read_terms(titles[0] - 1 if titles else len(self.lines))
        if head is None:
            return None
        if not head.game.secret:
            hint = "Its deal is a draw: `tkid letter new FILE.draw` makes it."
            message = f"{head.ruleset.title} has no secret hands"
            self.problems.append(Problem(Kind.ILLEGAL, "record.deal", message, 1, 1, 1, hint))
            return None
        deal = begin(head)
        self.sections = dict(self._read_sections(head, deal.terms, titles))
        if len(titles) > 1 and [p.rule for p in self.problems] == [WHOLE] * len(titles):
            message = "No line of this deal fits its header, so the header was changed"
            self.problems = [Problem(Kind.SYNTAX, WHOLE, message, self.begin, 1, 1, ASK_AGAIN)]
        return None if self.problems else self._build_deal(deal)

    def _read_sections(self, head: Record, terms: bytes, titles: list[int]) -> Iterator[tuple[str, list[Row]]]:
        """Yield the headings as they are written, each with those of its rows whose checks fit."""
        names = {fold_name(name): name for name in head.names}
        seen: set[str] = set()
        for number, end in pairwise([*titles, len(self.lines) + 1]):
            match = HEADING.fullmatch(make_plain(self.lines[number - 1]).strip())
            assert match is not None
            name = names.get(fold_name(" ".join((match[3] or "").split())), "")
            heading = match[1].capitalize() if match[1] else f"{match[2].capitalize()} {name}"
            if match[3] and not name:
                hint = f"The players are {list_names(head.names, 'and')}."
                self.note_problem(number, f"`{match[3]}` is not a player in this game", hint)
            elif heading in seen:
                self.note_problem(number, f"`{heading}` is here twice", "Leave one out.")
            else:
                seen.add(heading)
                yield heading, self._read_rows(heading, terms, number + 1, end)

    def _read_rows(self, heading: str, terms: bytes, begin: int, end: int) -> list[Row]:
        """Read the rows between two lines. Parts of a broken line are joined if its check then fits."""
        rows: list[Row] = []
        number = begin
        while number < end:
            if not self.lines[number - 1].strip():
                number += 1
                continue
            parts = 0
            for parts in range(1, min(BROKEN_IN, end - number) + 1):
                row = self._read_checked_row(heading, terms, self.lines[number - 1 : number - 1 + parts])
                if row:
                    break
            else:
                fault = "has no check at its end, so it is not complete"
                if CHECKED.fullmatch(make_plain(self.lines[number - 1]).strip()):
                    fault = "was changed: its check does not fit"
                self.note_problem(number, f"This line {fault}", ASK_AGAIN, WHOLE)
                return rows
            self.places[heading, len(rows)] = number
            rows.append(row)
            number += parts
        return rows

    def _read_checked_row(self, heading: str, terms: bytes, lines: Sequence[str]) -> Row:
        """Read the columns of a row from one line or several; () if the check does not fit."""
        for between in ("", " ") if len(lines) > 1 else ("",):
            match = CHECKED.fullmatch(make_plain(between.join(line.strip() for line in lines)).strip())
            text = " ".join(match["text"].split()) if match else ""
            if match and compute_check(terms, heading, text) == match["check"].lower():
                behind = COLUMNS.get(heading)
                return tuple(text.rsplit(" ", behind) if behind else text.split(" "))
        return ()

    def _build_deal(self, deal: LockedDeal) -> LockedDeal:
        by_seat = {name: self._read_by_seat(deal, name, read) for name, read in READERS.items()}
        keys = by_seat[KEYS]
        decks, proofs = [], []
        for seat, name in enumerate(deal.names):
            self._check_numbers(f"{DECK} {name}", 1)
            self._check_numbers(f"{PROOF} {name}", 0)
            deck = self._read_column(f"{DECK} {name}", lambda row: locked_cards.check_point(_read_bytes(row)))
            proof = self._read_proof(f"{PROOF} {name}", len(deal.deck.cards))
            whole = len({keys[seat] is None, not deck, proof is None}) == 1
            if not self.problems and not (whole and len(deck) in {0, len(deal.deck.cards)}):
                headings = [each for each in (f"{PROOF} {name}", f"{DECK} {name}", KEYS) if self.sections.get(each)]
                line = self.places[headings[0], len(self.sections[headings[0]]) - 1] if headings else 1
                parts = f"a key, a deck of {len(deal.deck.cards)} cards, and its proof"
                self.note_problem(line, f"{name}'s part is not complete: it is {parts}", ASK_AGAIN, WHOLE)
            decks.append(deck or None)
            proofs.append(proof)
        unlocks = self._read_column(UNLOCKS, lambda row: _read_unlock(deal, row))
        nonces, seeds = tuple(by_seat[NONCES]), tuple(by_seat[SEEDS])
        return LockedDeal(deal.head, tuple(keys), tuple(decks), tuple(proofs), nonces, unlocks, seeds)

    def _check_numbers(self, heading: str, first: int) -> None:
        """Report a row whose number is not the next one, from `first` on."""
        for at, row in enumerate(self.sections.get(heading, ())):
            if row[0] != str(first + at):
                message = f"This is line {first + at} of the section, not `{row[0]}`"
                self.note_problem(self.places[heading, at], message, ASK_AGAIN)
                return

    def _read_column(self, heading: str, read: Callable[[Row], Any]) -> tuple[Any, ...]:
        values = (self._read_row(heading, at, read) for at in range(len(self.sections.get(heading, ()))))
        return tuple(value for value in values if value is not None)

    def _read_row(self, heading: str, at: int, read: Callable[[Row], Any]) -> Any:
        """Read the value of a row; None, and note the problem, if it has none."""
        try:
            return read(self.sections[heading][at])
        except _RowError as error:
            self.note_problem(self.places[heading, at], str(error), CHANGED)
        except locked_cards.InvalidError as error:
            self.note_problem(self.places[heading, at], f"This {error}", CHANGED, "record.deal.point")
        return None

    def _read_by_seat(self, deal: LockedDeal, heading: str, read: Callable[[Row], Any]) -> list[Any]:
        found: list[Any] = [None] * len(deal.names)
        for at, row in enumerate(self.sections.get(heading, ())):
            seat = _find_seat(deal, row[0])
            if seat is None:
                self.note_problem(self.places[heading, at], f"`{row[0]}` is not a player in this game")
            elif found[seat] is not None:
                self.note_problem(self.places[heading, at], f"{row[0]} is here twice", "Leave one line out.")
            else:
                found[seat] = self._read_row(heading, at, read)
        return found

    def _read_proof(self, heading: str, size: int) -> locked_cards.Proof | None:
        rows = self.sections.get(heading, [])
        if not rows:
            return None
        parts = self._read_column(heading, lambda row: _read_answer(row, size))
        if len(rows) != locked_cards.ROUNDS + 1:
            message = f"This proof has {len(rows)} lines instead of {locked_cards.ROUNDS + 1}"
            self.note_problem(self.places[heading, len(rows) - 1], message, ASK_AGAIN, WHOLE)
        return locked_cards.Proof(parts[0], parts[1:]) if len(parts) == locked_cards.ROUNDS + 1 else None


def _find_seat(deal: LockedDeal, name: str) -> int | None:
    return next((seat for seat, known in enumerate(deal.names) if fold_name(known) == fold_name(name)), None)


def _check_columns(row: Row, count: int) -> Row:
    if len(row) != count:
        raise _RowError(f"This line has {len(row)} columns instead of {count}")
    return row


def _decode(text: str) -> bytes:
    return locked_cards.decode_base64(text, locked_cards.SIZE)


def _read_key(row: Row) -> locked_cards.Key:
    _, commitment, nonce, public = _check_columns(row, 4)
    return locked_cards.Key(_decode(commitment), _decode(nonce), locked_cards.check_point(_decode(public)))


def _read_bytes(row: Row) -> bytes:
    return _decode(_check_columns(row, 2)[1])


def _read_unlock(deal: LockedDeal, row: Row) -> locked_cards.Unlock:
    name, place, point, e, z = _check_columns(row, 5)
    seat, size = _find_seat(deal, name), len(deal.deck.cards)
    if seat is None:
        raise _RowError(f"`{name}` is not a player in this game")
    if not place.isdecimal() or len(place) > MAX_DIGITS or not 1 <= int(place) <= size:
        raise _RowError(f"`{place[:MAX_DIGITS]}` is not a place of the deck: there are {size}")
    left = locked_cards.check_point(_decode(point))
    return locked_cards.Unlock(seat, int(place) - 1, left, _read_scalar(e), _read_scalar(z))


def _read_scalar(text: str) -> bytes:
    return locked_cards.read_scalar(_decode(text))


def _read_answer(row: Row, size: int) -> Any:
    """Read the challenge in line 0, else the answer of a round."""
    if row[0] == "0":
        return locked_cards.decode_base64(_check_columns(row, 2)[1], locked_cards.CHALLENGE)
    _, scalar, letters = _check_columns(row, 3)
    order = tuple(LETTERS.find(letter) for letter in letters)
    if sorted(order) != list(range(size)):
        raise _RowError(f"`{letters}` is not an order of {size} cards")
    return _read_scalar(scalar), order


READERS: Mapping[str, Callable[[Row], Any]] = {KEYS: _read_key, NONCES: _read_bytes, SEEDS: _read_bytes}


SEND_AGAIN = (
    "Perhaps it was made by a broken program. Ask {name} to send it again; if it stays wrong, start a new deal."
)


@cites("record.deal.key", "record.deal.lock", "record.deal.order", "record.deal.unlock")
def merge_deals(
    mine: LockedDeal, theirs: LockedDeal, me: int | None, told: Callable[[], None] = lambda: None
) -> tuple[LockedDeal, list[Flaw]]:
    """Add what another's deal has more than that of `me` (None: nobody); or return mine and flaws. Call `told` after each part."""
    own, its = write_deal_header(mine.head), write_deal_header(theirs.head)
    if own != its:
        return mine, [report_other_game(own, its, "deal", "record.deal.game")]
    merger = _Merger(mine, theirs, me)
    seats = range(len(mine.names))
    steps: list[Callable[[], None]] = [
        partial(step, seat) for step in (merger.take_lock, merger.take_nonce) for seat in seats
    ]
    steps += [partial(merger.take_unlock, at, each) for at, each in enumerate(theirs.unlocks)]
    steps += [partial(merger.take_seed, seat) for seat in seats]
    for step in steps:
        step()
        told()
        if merger.flaws:  # later differences may follow from it
            break
    return (mine, merger.flaws) if merger.flaws else (merger.deal, [])


def find_deal_faults(deal: LockedDeal, told: Callable[[], None] = lambda: None) -> list[Flaw]:
    """Find all contradictions in a deal. Call `told` after each part that was checked."""
    _, flaws = merge_deals(begin(deal.head), deal, None, told)
    return flaws


def _count_rows_before(values: Sequence[object], seat: int) -> int:
    """Count the rows before a seat's, in a section with a row for each seat that has a value."""
    return sum(value is not None for value in values[:seat])


@define
class _Merger:
    """Takes over what is new and right of another deal, one part after the other."""

    deal: LockedDeal
    theirs: LockedDeal
    me: int | None
    flaws: list[Flaw] = field(factory=list)

    def _add_flaw(self, section: str, at: int, rule: str, message: str, hint: str) -> None:
        self.flaws.append(Flaw(section, at, rule, message, hint))

    def take_lock(self, seat: int) -> None:
        deal, theirs, name = self.deal, self.theirs, self.deal.names[seat]
        key, deck, proof = theirs.keys[seat], theirs.decks[seat], theirs.proofs[seat]
        if key is None or deck is None or proof is None:
            return
        at = _count_rows_before(theirs.keys, seat)
        if deal.keys[seat] is not None:
            if (deal.keys[seat], deal.decks[seat], deal.proofs[seat]) != (key, deck, proof):
                hint = f"Perhaps {name} began twice, or somebody else joined as {name} by mistake. Ask all, and start a new deal."
                self._add_flaw(KEYS, at, "record.deal.key", f"{name}'s lock was different before", hint)
            return
        before = deal.find_deck_before(seat)
        twins = [other for other, known in enumerate(deal.keys) if known and known.public == key.public]
        if seat == self.me:
            hint = f"Perhaps somebody joined with `--me {name}` by mistake, or you joined twice: ask, and start a new deal."
            self._add_flaw(KEYS, at, "record.deal.key", f"This has another lock for {name} than yours", hint)
        elif before is None:
            message = f"{name}'s deck is here, but not the deck of {deal.names[seat - 1]}, which {name} locked"
            self._report_disorder(f"{DECK} {name}", 0, message, f"read {deal.names[seat - 1]}'s mail first")
        elif twins:
            message = f"{name}'s key is the same as {deal.names[twins[0]]}'s. One of them repeated the other's"
            self._add_flaw(KEYS, at, "record.deal.key", message, "Ask both, and start a new deal.")
        else:
            try:
                locked_cards.verify_shuffle(locked_cards.Locking(deal.terms, name, key, before, deck), proof)
            except locked_cards.InvalidError as error:
                self._report_wrong(f"{PROOF} {name}", 0, "record.deal.lock", f"{name}'s proof {error}", name)
            else:
                self.deal = add_lock(deal, seat, key, deck, proof)

    def take_nonce(self, seat: int) -> None:
        deal, nonce, name = self.deal, self.theirs.nonces[seat], self.deal.names[seat]
        if nonce is None or nonce == deal.nonces[seat]:
            return
        at, key = _count_rows_before(self.theirs.nonces, seat), deal.keys[seat]
        if not deal.locked or key is None:
            self._report_early(NONCES, at, f"{name}'s nonce")
        elif locked_cards.compute_nonce_commitment(deal.terms, name, nonce) != key.nonce_commitment:
            message = f"{name}'s nonce does not fit {name}'s commitment"
            self._report_wrong(NONCES, at, "record.deal.nonce", message, name)
        else:
            self.deal = evolve(deal, nonces=replace_value(deal.nonces, seat, nonce))

    def take_unlock(self, at: int, each: locked_cards.Unlock) -> None:
        deal, name, place = self.deal, self.deal.names[each.seat], each.place + 1
        known = next((u for u in deal.unlocks if (u.seat, u.place) == (each.seat, each.place)), None)
        key = deal.keys[each.seat]
        if known == each:
            return
        if known is not None:
            message = f"{name} has unlocked card {place} in another way before"
            self._report_wrong(UNLOCKS, at, "record.deal.unlock", message, name)
        elif not deal.locked or key is None:
            self._report_early(UNLOCKS, at, f"{name}'s unlock of card {place}")
        elif (awaited := find_awaited_seat(deal, each.seat, each.place)) is not None:
            other = deal.names[awaited]
            message = f"{name}'s lock is off card {place} too early: {other} has to unlock before"
            self._report_disorder(UNLOCKS, at, message, f"read the mail with {other}'s unlocks first")
        else:
            try:
                locked_cards.verify_unlock(deal.terms, name, key.public, deal.point_at(each.place), each)
            except locked_cards.InvalidError as error:
                self._report_wrong(UNLOCKS, at, "record.deal.unlock", f"{name}'s line for card {place} {error}", name)
            else:
                self.deal = evolve(deal, unlocks=(*deal.unlocks, each))

    def take_seed(self, seat: int) -> None:
        deal, seed, name = self.deal, self.theirs.seeds[seat], self.deal.names[seat]
        if seed is None or seed == deal.seeds[seat]:
            return
        at = _count_rows_before(self.theirs.seeds, seat)
        if deal.keys[seat] is None:
            self._report_early(SEEDS, at, f"{name}'s seed")
        elif not has_fitting_seed(deal, seat, seed):
            self._report_wrong(SEEDS, at, "record.deal.seed", f"{name}'s lock was not made with this seed", name)
        else:
            self.deal = evolve(deal, seeds=replace_value(deal.seeds, seat, seed))

    def _report_early(self, section: str, at: int, what: str) -> None:
        lacking = next((name for name, deck in zip(self.deal.names, self.deal.decks, strict=True) if deck is None), "")
        message = f"{what} comes after {lacking}'s lock, which you do not have yet"
        way = f"first read the last mail of the deal, which has {lacking}'s lock"
        self._report_disorder(section, at, message, way)

    def _report_disorder(self, section: str, at: int, message: str, way: str) -> None:
        self._add_flaw(section, at, "record.deal.order", message, f"Perhaps a mail was not read yet: {way}.")

    def _report_wrong(self, section: str, at: int, rule: str, message: str, name: str) -> None:
        self._add_flaw(section, at, rule, message, SEND_AGAIN.format(name=name))
