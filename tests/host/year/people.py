"""Players made of code, each with a character: what they do with a letter of the host, and when.

A person reads letters only, as people do, and answers by mail. Whatever is left to chance comes from the person's own
seed, so that the same person does the same again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from email import message_from_bytes
from email.message import Message
from functools import cached_property
from html import escape
from random import Random

from attrs import define, field, frozen

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
MOST_TRIES = 4
"""So often a person answers about the same turn."""
REFERENCE = re.compile(r"^Ref .*?(\d+|over) ([0-9a-f]{6})\b", re.MULTILINE)
WRONG_SENDER = "X-Mailer: of somebody else"
"""A header of mails from an address that the letter did not go to."""
EXAMPLE = re.compile(r"    (?:[1-3]  )?([A-Z].*|summon .*)")
LOOK = "`legal` shows what you can play now."
"""How a letter says where turns are that it does not offer itself."""


@frozen
class Got:
    """A letter as its reader sees it."""

    raw: bytes
    at: datetime

    @cached_property
    def mail(self) -> Message:
        """The letter up to its text: neither the HTML nor the file is read, which would take longer than all else."""
        return message_from_bytes(self.raw.partition(b"Content-Type: text/html")[0])

    @cached_property
    def text(self) -> str:
        """What is to be read."""
        part = next(part for part in self.mail.walk() if part.get_content_type() == "text/plain")
        data = part.get_payload(decode=True)
        assert isinstance(data, bytes)
        return data.decode().replace("\r\n", "\n")

    @cached_property
    def stands(self) -> tuple[str, str]:
        """The turn at which the game stands, and the hash before it."""
        found = REFERENCE.search(self.text)
        assert found is not None
        return found[1], found[2]

    @property
    def offers(self) -> list[str]:
        """Turns to copy: they are paragraphs of their own. What happened is none, nor a line with its mistake underlined."""
        body = self.text.partition("\n\n")[2].partition("\n\nRef ")[0]
        asked = body.partition("YOUR ANSWER")[2]
        paragraphs = [paragraph.split("\n") for paragraph in (asked or body).split("\n\n")]
        turns = [line for lines in paragraphs if all(map(EXAMPLE.fullmatch, lines)) for line in lines]
        return [*(["Pass"] if "`Pass`" in asked else []), *(EXAMPLE.sub(r"\1", turn) for turn in turns)]

    @property
    def is_answer(self) -> bool:
        """Whether it answers a mail."""
        return "In-Reply-To" in self.mail

    @property
    def is_end(self) -> bool:
        """Whether it tells that the game is over."""
        return "HOW IT WAS DECIDED" in self.text

    @property
    def asks_if_sure(self) -> bool:
        """Whether it asks if its reader is sure to resign, or to give a seat back."""
        return self.text.startswith(("Do you want to resign?", "Do you want to give the seat back?"))

    @property
    def asks_if_meant(self) -> bool:
        """Whether it asks if a turn is meant, beside which its reader wrote something else."""
        return self.text.startswith("Is this the turn you meant?")

    @property
    def proposes(self) -> bool:
        """Whether it asks for consent to take a turn back."""
        return "`undo yes`" in self.text and not self.is_answer


@frozen
class Todo:
    """A mail that will arrive at some moment; it is written then. It may be none, or the same several times."""

    at: datetime
    write: Callable[[], list[bytes]]


@define
class Person:
    """Answers within a day, with one of the turns that the letter offers."""

    name: str
    address: str
    others: tuple[Person, ...]
    seed: str
    time: timedelta
    rng: Random = field(init=False)
    written: int = 0
    tries: dict[tuple[str, str], int] = field(factory=dict)
    reminded: dict[tuple[str, str], int] = field(factory=dict)
    ended: bool = False

    def __attrs_post_init__(self) -> None:
        self.rng = Random(self.seed)

    # -- what a character changes -------------------------------------------------------------------------

    def play(self, letter: Got) -> Iterator[Todo]:
        """What is done when a turn is asked for."""
        yield self.turn(letter, self.soon())

    def besides(self, _: Got) -> Iterator[Todo]:
        """What is done about any letter, before it is thought of a turn."""
        yield from ()

    def reply(self, letter: Got, *orders: str) -> bytes:
        """An answer as this person's mail program writes it."""
        return self.mail(letter, "\n".join(orders))

    # -- what all do --------------------------------------------------------------------------------------

    def read(self, letter: Got) -> list[Todo]:
        """What is done about a letter."""
        todo = list(self.besides(letter))
        self.ended = self.ended or letter.is_end
        if letter.proposes and self.rng.random() < 0.9:
            agrees = "undo yes" if self.rng.random() < 0.75 else "undo no"
            todo.append(self.todo(letter, self.soon(), agrees))
        if letter.asks_if_sure and self.rng.random() < 0.9:
            todo.append(self.todo(letter, self.soon() / 4, "yes"))
        elif letter.asks_if_meant:
            todo.append(self.todo(letter, self.soon(), "yes"))
        elif letter.offers:
            tried = self.tries.get(letter.stands, 0)
            self.reminded[letter.stands] = self.reminded.get(letter.stands, -1) + (not letter.is_answer)
            if tried < MOST_TRIES and (letter.is_answer or not tried):
                todo += self.play(letter)
        elif letter.is_answer and LOOK in letter.text:
            todo.append(self.todo(letter, self.soon(), "legal"))
        return todo

    def soon(self) -> timedelta:
        """From ten minutes to 20 hours, but within half of the time for a turn."""
        return min(timedelta(minutes=self.rng.randint(10, 1200)), self.time * self.rng.uniform(0.1, 0.5))

    def turn(self, letter: Got, after: timedelta, *more: str) -> Todo:
        """A turn, one of those that were offered, with further orders."""
        self.tries[letter.stands] = self.tries.get(letter.stands, 0) + 1
        return self.todo(letter, after, self.rng.choice(letter.offers), *more)

    def todo(self, letter: Got, after: timedelta, *orders: str) -> Todo:
        """An answer with orders, that arrives some time after the letter."""
        return Todo(letter.at + after, lambda: [self.reply(letter, *orders)])

    def mail(self, letter: Got, text: str, *, sender: str = "", page: bool = False) -> bytes:
        """An answer: the text, and the letter quoted below it; in plain text, or in HTML alone."""
        self.written += 1
        address = sender or self.address
        head = (
            f"From: {self.name} <{address}>\nTo: {letter.mail['Reply-To'] or letter.mail['From']}\n"
            f"Subject: Re: {letter.mail['Subject'].removeprefix('Re: ')}\nMessage-ID: <{self.written}.{self.address}>\n"
            f"In-Reply-To: {letter.mail['Message-ID']}\nMIME-Version: 1.0\n"
            f"{WRONG_SENDER if sender else 'X-Mailer: of mine'}\n"
        )
        if page:
            lines = "".join(f"<div>{escape(line)}</div>" for line in text.split("\n"))
            quoted = "<br>\n".join(map(escape, letter.text.split("\n")))
            body = f'{lines}<br><div class="gmail_quote"><div>On Monday tkid wrote:<br></div><blockquote>{quoted}</blockquote></div>'
            return f"{head}Content-Type: text/html; charset=utf-8\n\n{body}\n".encode()
        quoted = "".join(f"> {line}\n" for line in letter.text.rstrip("\n").split("\n"))
        return f"{head}Content-Type: text/plain; charset=utf-8\n\n{text}\n\nOn Monday tkid wrote:\n{quoted}".encode()


# -- those who take their time ----------------------------------------------------------------------------


class Late(Person):
    """Answers when time is nearly out or is out, waits for a reminder, and sometimes never answers."""

    def play(self, letter: Got) -> Iterator[Todo]:
        kind = self.rng.random()
        if kind < 0.3 and not self.reminded[letter.stands]:
            return
        if kind > 0.93:
            self.tries[letter.stands] = MOST_TRIES
            return
        yield self.turn(letter, self.time * self.rng.uniform(0.3, 1.4))


class Absent(Person):
    """Announces absences, and answers when they are over; sometimes is away without a word."""

    back: datetime | None = None

    def play(self, letter: Got) -> Iterator[Todo]:
        if self.back is None and self.rng.random() < 0.25:
            first, days = letter.at.date() + self.rng.randint(0, 2) * DAY, self.rng.randint(3, 14)
            self.back = datetime.combine(first + days * DAY, letter.at.timetz())
            last = first + (days - 1) * DAY
            if self.rng.random() < 0.8:
                yield self.todo(letter, HOUR, f"away {first.isoformat()} to {last.isoformat()}")
        if self.back is not None and letter.at > self.back:
            self.back = None
        until = self.back or letter.at
        yield self.turn(letter, max(until - letter.at, timedelta()) + self.soon())


class Forgetful(Person):
    """Plays a few turns, and is not heard of again."""

    def play(self, letter: Got) -> Iterator[Todo]:
        if len(self.tries) < 1 + Random(self.seed).randint(0, 5):
            yield from super().play(letter)


# -- those whose mails go astray --------------------------------------------------------------------------


class Twice(Person):
    """Everything arrives twice: the same bytes, by another way, or sent again with another Message-ID."""

    last: bytes = b""

    def reply(self, letter: Got, *orders: str) -> bytes:
        self.last = super().reply(letter, *orders)
        return self.last

    def read(self, letter: Got) -> list[Todo]:
        todo = super().read(letter)
        return [each for first in todo for each in (first, self._again(first))]

    def _again(self, first: Todo) -> Todo:
        after = timedelta(minutes=self.rng.choice([0, 1, 60, 3000]))
        return Todo(first.at + after, self.rng.choice([self._same, self._other_way, self._other_id]))

    def _same(self) -> list[bytes]:
        return [self.last]

    def _other_way(self) -> list[bytes]:
        return [b"Received: from relay.example.org by games.example; Mon, 4 Jan 2027 10:00:00 +0000\n" + self.last]

    def _other_id(self) -> list[bytes]:
        self.written += 1
        return [self.last.replace(b"\nMessage-ID: <", f"\nMessage-ID: <again.{self.written}.".encode(), 1)]


class Reordering(Person):
    """Answers older letters after newer ones."""

    def play(self, letter: Got) -> Iterator[Todo]:
        yield from super().play(letter)
        if self.rng.random() < 0.5:
            orders = self.rng.choice(["status", "resign", "pass always", "say to all: sorry, an old mail", ""])
            old = orders or self.rng.choice(letter.offers)
            yield self.todo(letter, 3 * self.time if old == "resign" else self.time * self.rng.uniform(0.5, 4), old)


class Forwarding(Person):
    """Forwards letters to somebody else, who answers them; then answers himself."""

    def play(self, letter: Got) -> Iterator[Todo]:
        if self.rng.random() < 0.6:
            other = self.rng.choice([each.address for each in self.others] + [f"friend.of.{self.address}"])
            wrong = self.rng.choice([*letter.offers, "resign"])
            yield Todo(letter.at + HOUR, lambda: [self.mail(letter, wrong, sender=other)])
        yield self.turn(letter, 2 * HOUR + self.soon())


class Pages(Person):
    """Has a mail program that writes HTML alone."""

    def reply(self, letter: Got, *orders: str) -> bytes:
        return self.mail(letter, "\n".join(orders), page=True)


# -- those who have something to say ----------------------------------------------------------------------


class Mistaken(Person):
    """Gets it wrong at first, also twice, but not in the same way: the same mistake is answered once a day."""

    made: str = ""

    def play(self, letter: Got) -> Iterator[Todo]:
        if self.tries.get(letter.stands, 0) < 2 and self.rng.random() < 0.6:
            self.tries[letter.stands] = self.tries.get(letter.stands, 0) + 1
            right = self.rng.choice(letter.offers)
            wrong = [
                right.replace("Essex", "Esex").replace("Moray", "Mory").replace("summon", "sumon"),
                f"{right} and then some",
                "Manoeuvre S Moray <> S Moray; summon W Devon",
                "I would rather wait and see what the others do.",
                "Pas",
                f"{right}\nPass",
                "",
            ]
            self.made = self.rng.choice([mistake for mistake in wrong if mistake != self.made])
            yield self.todo(letter, self.soon(), self.made)
        else:
            yield from super().play(letter)


class Talker(Person):
    """Asks and tells, with turns and without."""

    said: int = 0

    def besides(self, letter: Got) -> Iterator[Todo]:
        if self.said < 12 and self.rng.random() < 0.4:
            self.said += 1
            yield self.todo(letter, self.rng.random() * DAY, *self._words())

    def play(self, letter: Got) -> Iterator[Todo]:
        yield self.turn(letter, self.soon(), *(self._words() if self.rng.random() < 0.5 else ()))

    def _words(self) -> list[str]:
        other = self.rng.choice(self.others).name
        words = [
            "say to all: Well played!",
            f"say to {other}: Shall we take Essex together?",
            *("status", "history", "why", "help", "help away", "legal", "legal Negotiate", "rules summon"),
            *("rules second.turn.pass", "draft Pass", "undo no", "cancel all", "legl", "say to Nobody: Hello"),
            f"notify {self.rng.choice(['every turn', 'my turns', 'struggles'])}",
        ]
        return self.rng.sample(words, self.rng.randint(1, 3))


class Planner(Person):
    """Gives plans with the turns, and in mails of their own."""

    def play(self, letter: Got) -> Iterator[Todo]:
        if self.rng.random() < 0.2:
            self.tries[letter.stands] = self.tries.get(letter.stands, 0) + 1
            yield self.todo(letter, self.soon(), *self._plans(letter))
        else:
            yield self.turn(letter, self.soon(), *(self._plans(letter) if self.rng.random() < 0.5 else ()))

    def _plans(self, letter: Got) -> list[str]:
        other, turn = self.rng.choice(self.others).name, self.rng.choice(letter.offers)
        return self.rng.choice(
            [
                ["pass until struggle"],
                ["pass until someone acts"],
                [f"pass until {other} acts", "if anyone plays Negotiate: stop"],
                ["pass always"],
                ["Pass; then Pass"],
                [f"({turn})"],
                [f"if {other} passes: {turn}; else stop"],
                [f"if {other} acts and a struggle happens: stop; else if Essex goes to the English: stop; else Pass"],
                ["pass until Essex is contested", "cancel 1"],
            ]
        )


class Undoing(Person):
    """Asks for a turn back that was just played."""

    asked: int = 0

    def besides(self, letter: Got) -> Iterator[Todo]:
        if letter.is_answer and "Recorded as: " in letter.text and self.asked < 3 and self.rng.random() < 0.4:
            self.asked += 1
            yield self.todo(letter, self.rng.random() * 6 * HOUR, "undo?")


class Resigning(Person):
    """Gives up after a few turns."""

    def play(self, letter: Got) -> Iterator[Todo]:
        if len(self.tries) >= 1 + Random(self.seed).randint(1, 6):
            self.tries[letter.stands] = MOST_TRIES
            yield self.todo(letter, self.soon(), "resign")
        else:
            yield from super().play(letter)


# -- programs ---------------------------------------------------------------------------------------------

VACATION = "I am on holiday and cannot read my mail. In urgent cases please write to office@example.org.\n"
PROGRAM = b"X-Mailer: a program"
"""A header of mails that programs wrote; nobody knows it but the tests."""
SIGNS = ("Auto-Submitted: auto-replied\n", "Precedence: bulk\n", "X-Autoreply: yes\n", "")
"""What programs say of themselves; the last two do not say it in a way that may be relied on."""


class Answered(Person):
    """Plays, and has a program that answers every letter at once."""

    def besides(self, letter: Got) -> Iterator[Todo]:
        yield Todo(letter.at + timedelta(minutes=1), lambda: [self._program(letter)])

    def _program(self, letter: Got) -> bytes:
        sign = SIGNS[Random(self.seed).randrange(len(SIGNS))].encode()
        return sign + self.mail(letter, VACATION).replace(b"X-Mailer: of mine", PROGRAM)


class Unattended(Answered):
    """Only the program answers."""

    def play(self, letter: Got) -> Iterator[Todo]:
        del letter
        yield from ()


class Gone(Person):
    """Has an address that cannot be reached after a few mails."""

    @property
    def has_moved(self) -> bool:
        """Whether letters come back."""
        return self.written >= Random(self.seed).randrange(4)


CHARACTERS: tuple[type[Person], ...] = (
    *(Person, Late, Absent, Forgetful, Twice, Reordering, Forwarding, Pages, Mistaken, Talker, Planner, Undoing),
    *(Resigning, Answered, Unattended, Gone),
)
RELIABLE: tuple[type[Person], ...] = (Person, Twice, Pages, Mistaken, Talker, Planner, Undoing)
"""Those who answer in the end, so that a game without a clock comes to its end."""
