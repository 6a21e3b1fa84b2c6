"""What the two ways of dealing together have in common: a text that passes from hand to hand, and a secret of each player."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tkid.cli.letters.kept import Kind
from tkid.cli.support import WRONG, fail

if TYPE_CHECKING:
    from tkid.kernel.problems import Problem
    from tkid.mail.peers.letter import PeerLetter
    from tkid.record.format.model import Record


class Dealing(ABC):
    """A way to deal together: a text that passes from hand to hand, to which everybody adds what a secret of theirs makes.

    `first` is the text's first line, `suffix` the end of its file's name, and `kept` the kind of the secret. Where hands are
    `secret`, the file is looked for beside the game file, so it has to have its suffix.
    """

    first: str
    suffix: str
    kept: Kind
    secret: bool = False

    @property
    def key(self) -> str:
        """What the text begins with, in small letters."""
        return self.first.partition(":")[0].lower()

    @abstractmethod
    def read(self, data: bytes) -> tuple[Any, Sequence[Problem]]:
        """What a text says; or None, and the problems with it."""

    def checked(self, name: str, data: bytes, outcome: str) -> Any:
        """What the text of a file or a mail says; or its problems, and the end of the command with its outcome."""
        from tkid.cli.support.mails import name_in
        from tkid.cli.support.printing import print_problems

        so_far, problems = self.read(data)
        if so_far is None:
            print_problems(name_in(name, self.suffix), data, problems)
            fail(outcome, WRONG)
        return so_far

    @abstractmethod
    def begun(self, head: Record) -> Any:
        """What nobody has added anything to."""

    @abstractmethod
    def merged(self, mine: Any, theirs: bytes, seat: int, secret: bytes) -> tuple[Any, Sequence[Problem]]:
        """What is here with what another text has more; or as it is, with what is wrong with the other.

        What the other has of the seat itself is accepted only if it was made with its secret.
        """

    def with_letters(self, so_far: Any, letters: Mapping[str, bytes], seat: int, secret: bytes, outcome: str) -> Any:
        """What is here with what letters have more; or what is wrong with one, and the end of the command with its outcome."""
        from tkid.cli.support.mails import name_in
        from tkid.cli.support.printing import print_problems

        for letter, data in letters.items():
            self.checked(letter, data, outcome)
            so_far, problems = self.merged(so_far, data, seat, secret)
            if problems:
                print_problems(name_in(letter, self.suffix), data, problems)
                fail(outcome, WRONG)
        return so_far

    @abstractmethod
    def added(self, so_far: Any, seat: int, secret: bytes) -> Any:
        """With everything that a seat can add now."""

    @abstractmethod
    def mismatch(self, so_far: Any, seat: int, secret: bytes) -> tuple[str, str]:
        """What of a seat was not made with its secret, with the rule; ("", "") where nothing was."""

    def used_for(self, so_far: Any) -> str:  # noqa: ARG002 - a nonce may be used for no other draw anyway
        """What a secret may be used for only once, as a word; "" where there is nothing of that kind yet."""
        return ""

    @abstractmethod
    def takes_part(self, so_far: Any, seat: int) -> bool:
        """Whether there is a part of a seat's, which the others need."""

    @abstractmethod
    def is_complete(self, so_far: Any) -> bool:
        """Whether the game can be dealt."""

    @abstractmethod
    def write(self, so_far: Any) -> str:
        """The text."""

    @abstractmethod
    def record(self, so_far: Any, seat: int, secret: bytes) -> Record:
        """The record that is dealt, as its player may know it."""

    @abstractmethod
    def progress(self, file: Path, so_far: Any, seat: int, *, added: bool) -> Sequence[str]:
        """How far it has come, and what to do next: paragraphs. `added` is whether the command has added a part of the seat's."""

    @abstractmethod
    def letter(self, so_far: Any, seat: int, time: datetime) -> PeerLetter:
        """The letter to the others."""
