"""The seal of a deal, and the hashes of the turns after it.

The chain starts with SHA-256 of the canonical header and set-up (comments left out, every line ended by a
line feed, one empty line before `Setup`). Each turn's value is SHA-256 of the value before it followed by the
turn's canonical line, number and name included, without its hash and comments. A line shows the first 24 bits.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256

from attrs import evolve, frozen

from tkid.kernel.problems import Kind
from tkid.notation.names import list_names
from tkid.notation.text import fold_name
from tkid.record.format.model import Header, Record, suggest_player
from tkid.rulebook import cites

HEADER = "Seal"
COMMITMENT_HEADER, NONCE_HEADER = "X-Commitment", "X-Nonce"
"""The headers of a draw without a host. They fit the header of the record as it was when the players drew."""
BYTES = 32
"""How many bytes of entropy there are, and how long a seal is."""
PREFIX = b"tkid words 1"
SEAL, WORD, ENTROPY = "sha256", "word", "entropy"
KINDS = (SEAL, WORD, ENTROPY)
"""What a line may hold, in the order in which lines are written."""
FORM = re.compile(
    r"(?P<kind>sha256|entropy) *: *(?P<digits>.*)|word\b *(?P<name>[^:]*?) *: *(?P<text>.*)", re.IGNORECASE
)
HEX = re.compile(r"[0-9a-f]*")
FORMS = "Write `sha256:` or `entropy:` with 64 hex digits, or `word NAME: TEXT`."


@frozen
class Sealed:
    """A record's lines on its deal: the SHA-256, words by seat ("" for none), and the entropy, None if it is not opened."""

    seal: bytes
    words: tuple[str, ...]
    entropy: bytes | None = None

    def list_values(self, names: Sequence[str]) -> Iterator[str]:
        yield f"{SEAL}:{self.seal.hex()}"
        for name, text in zip(names, self.words, strict=True):
            if text:
                yield write_words(name, text)
        if self.entropy is not None:
            yield f"{ENTROPY}:{self.entropy.hex()}"


def write_words(name: str, text: str) -> str:
    return f"{WORD} {name}: {text}"


def compute_seal(entropy: bytes) -> bytes:
    return sha256(entropy).digest()


@cites("record.seal.words")
def compute_deal_seed(entropy: bytes, words: Sequence[str]) -> bytes:
    """Compute the bytes to deal from: the entropy, mixed with the seats' words ("" for none) if there are any."""
    if not any(words):
        return entropy
    mixed = PREFIX + entropy
    for text in words:
        written = text.encode()
        mixed += len(written).to_bytes(4, "big") + written
    return sha256(mixed).digest()


def find_seal(record: Record) -> Sealed | None:
    seal, entropy = b"", None
    words = dict.fromkeys(record.names, "")
    for header in record.headers:
        match = FORM.fullmatch(header.value) if header.name == HEADER else None
        if match and match["name"]:
            words[match["name"]] = match["text"]
        elif match and match["kind"] == SEAL:
            seal = bytes.fromhex(match["digits"])
        elif match:
            entropy = bytes.fromhex(match["digits"])
    return Sealed(seal, tuple(words.values()), entropy) if seal else None


def replace_seal(record: Record, stated: Sealed) -> Record:
    """Replace the lines about a record's seal. Lines that stay keep their comments."""
    own = {header.value: header for header in record.headers if header.name == HEADER}
    others = (header for header in record.headers if header.name != HEADER)
    lines = (own.get(value, Header(HEADER, value)) for value in stated.list_values(record.names))
    return evolve(record, headers=(*others, *lines))


class SealReader:
    """Reads the `Seal` headers for players in turn order, () if that isn't clear; `report` gets everything that is wrong."""

    def __init__(self, names: Sequence[str], report: Callable[[Kind, str, str, Header, str], None]) -> None:
        self.names, self._report = names, report
        self._seats = {fold_name(name): seat for seat, name in enumerate(names)}
        self._found: dict[tuple[int, int], Header] = {}
        """The headers understood, in canonical form, by kind and seat."""
        self._faulty = False

    def read(self, headers: Iterable[Header]) -> list[Header]:
        """Return the headers in canonical form and order, without those that have faults."""
        for header in headers:
            self._read_line(header)
        self._compare()
        return [self._found[key] for key in sorted(self._found)]

    def _note_fault(self, header: Header, message: str, hint: str, kind: Kind = Kind.SYNTAX) -> None:
        self._faulty = True
        self._report(kind, "record.seal", message, header, hint)

    def _read_line(self, header: Header) -> None:
        match = FORM.fullmatch(header.value)
        if match is None:
            message = f"`{header.value}` does not belong to a seal" if header.value else "The seal is missing"
            self._note_fault(header, message, FORMS)
        elif match["kind"]:
            self._read_digits(header, match["kind"].lower(), match["digits"])
        elif self.names:
            self._read_words(header, match["name"], match["text"])

    def _read_digits(self, header: Header, kind: str, typed: str) -> None:
        digits = typed.replace(" ", "").lower()
        if not HEX.fullmatch(digits):
            strange = list_names([f"`{c}`" for c in dict.fromkeys(digits) if not HEX.fullmatch(c)], "and")
            self._note_fault(header, f"Hex digits are 0 to 9 and a to f, not {strange}", FORMS)
        elif len(digits) != 2 * BYTES:
            self._note_fault(header, f"There are {len(digits)} hex digits here, and {2 * BYTES} are needed", FORMS)
        else:
            self._keep(header, (KINDS.index(kind), 0), f"{kind}:{digits}", f"`{kind}`")

    def _read_words(self, header: Header, typed: str, text: str) -> None:
        seat = self._seats.get(fold_name(typed))
        strange = [f"character {ord(c):#x}" for c in dict.fromkeys(text) if not c.isprintable()]
        if seat is None:
            message = f"`{typed}` is not a player in this game" if typed else "The player's name is missing"
            self._note_fault(header, message, suggest_player(typed, self.names), Kind.NAME)
        elif not text:
            self._note_fault(header, f"{self.names[seat]}'s words are missing", "Write them, or leave the line out.")
        elif strange:
            hint = "Leave out characters that cannot be printed. Nobody could compare them."
            self._note_fault(header, f"{list_names(strange, 'and')} may not be in words".capitalize(), hint)
        else:
            name = self.names[seat]
            self._keep(header, (KINDS.index(WORD), seat), write_words(name, text), f"{name}'s `{WORD}`")

    def _keep(self, header: Header, key: tuple[int, int], value: str, what: str) -> None:
        if key in self._found:
            self._note_fault(header, f"{what} appears twice", "Leave one of them out.")
        else:
            self._found[key] = evolve(header, value=value)

    def _compare(self) -> None:
        seal, entropy = (self._found.get((KINDS.index(kind), 0)) for kind in (SEAL, ENTROPY))
        if seal is None and self._found and not self._faulty:
            first = min(self._found.values(), key=lambda header: header.line)
            hint = "Add the line `Seal: sha256:…` that was published before the game."
            self._note_fault(first, "This needs a seal, but the file has none", hint)
        if not seal or not entropy:
            return
        stated, due = seal.value.partition(":")[2], compute_seal(bytes.fromhex(entropy.value.partition(":")[2])).hex()
        if due != stated:
            begins = f"Its SHA-256 begins with {due[:8]}, the seal with {stated[:8]}"
            message = f"This entropy does not fit the seal. {begins}"
            hint = "One of them was changed. Compare the seal with the one that was published before the game."
            self._report(Kind.INTEGRITY, "record.seal.entropy", message, entropy, hint)


def compute_first_hash(start: str) -> bytes:
    return sha256(start.encode()).digest()


def link_hash(before: bytes, line: str) -> bytes:
    return sha256(before + line.encode()).digest()


def shorten_hash(value: bytes) -> str:
    return value[:3].hex()
