"""What has to hold when months of games by mail are over: every fault is a sentence that names the game.

`python -m tests.host.year.verified SEED` plays the game of one seed alone and says what is wrong with it.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from datetime import date, datetime
from email import message_from_bytes
from email.utils import parseaddr
from pathlib import Path
from tempfile import TemporaryDirectory

from attrs import evolve

from tests.cli import tkid
from tests.host.year.people import DAY, PROGRAM, WRONG_SENDER, Gone
from tests.host.year.players import HOST, troubles
from tests.host.year.year import DOWN, OWNER, START, STEP, UP, Year, year
from tkid.mail.game_clock import list_agenda
from tkid.mail.game_service import HostedGame
from tkid.mail.hosted_game import find_hash_before, make_next_marker
from tkid.mail.timeline import read_timeline
from tkid.record.clock import Clock
from tkid.record.clock_notes import NOTHING_TO_PLAY, OUT_OF_TIME, At, make_note_reader
from tkid.record.format.reader import read_record
from tkid.record.play.replay import Replay

AT_LAST = {"pass", "adjourn", "stand-in"}
HASH = re.compile(r"#([0-9a-f]{6})\b")


def faults(year: Year) -> list[str]:
    """All that is wrong."""
    return [
        *_stuck(year),
        *_store(year),
        *_addresses(year),
        *_records(year),
        *_clock(year),
        *_told(year),
        *_answers(year),
        *_bounds(year),
    ]


def games(year: Year) -> dict[str, HostedGame]:
    """The games as the store has them."""
    return {game.id: HostedGame.read_stored(game.record, game.memory) for game in year.host.store.list_games()}


def _stuck(year: Year) -> Iterator[str]:
    """Every game is over, adjourned, or has a seat that is offered, and nothing is under way."""
    for name, at in games(year).items():
        if not year.left.get(name):
            yield f"{name} waits for {at.names[at.to_act or 0]} in turn {len(at.record.turns) + 1}, at {year.now}"


def _store(year: Year) -> Iterator[str]:
    """Every mail is done or filed, every letter is gone, but for those that no mail system takes."""
    counts = year.host.store.count_mails()
    yield from (f"{counts[state]} mails are {state}" for state in ("new", "quarantined", "unsent") if counts[state])
    for number, what, why in troubles(year.host.store):
        chair = year.chairs.get(what)
        if chair is None or not isinstance(chair.person, Gone):
            yield f"trouble with {what} {number}: {why}"


def _addresses(year: Year) -> Iterator[str]:
    """Nobody is written to but players and the owner, nobody gets a Message-ID twice, and each says what it is."""
    seen: Counter[tuple[str, str]] = Counter()
    notices: Counter[str] = Counter()
    for to, letter in year.sent:
        head = letter.mail
        seen[to, str(head["Message-ID"])] += 1
        chair = year.chairs.get(to)
        if to == OWNER:
            notices[letter.text.partition("Letters to ")[2].partition(" come back")[0]] += 1
        elif chair is None:
            yield f"a letter went to {to}, who does not play"
        elif f"<{to}>" not in head["To"]:
            yield f"a letter for {head['To']} went to {to}"
        if head["X-Loop"] != "tkid" or not str(head["Auto-Submitted"]).startswith("auto-") or HOST not in head["From"]:
            yield f"the letter {head['Message-ID']} does not say that a program sent it"
    yield from (f"{to} got {named} {times} times" for (to, named), times in seen.items() if times > 1)
    for address, times in notices.items():
        if times > 1 or address not in year.chairs or not isinstance(year.chairs[address].person, Gone):
            yield f"the owner was told {times} times that {address} is not reached"
    for game, mail in year.done():
        if WRONG_SENDER.encode() in mail:
            yield f"{game}: a mail was carried out whose sender the letter did not go to:\n{mail.decode()}"


def _records(year: Year) -> Iterator[str]:
    """Every record is right, its times too, and it is one that goes on from the deal."""
    for name, at in games(year).items():
        file = year.folder / f"{name}.tkid"
        file.write_text(at.record_text, "utf-8")
        checked = tkid("check", file)
        if checked.exit_code:
            yield f"{name}: {checked.output}"
        yield from (f"{name}: {problem}" for problem in at.time.problems)
        begun = next(table.record for table in year.tables if table.name == name)
        if at.record.deal != begun.deal or at.record.seats != begun.seats:
            yield f"{name}: the record does not begin with what was dealt"


def _clock(year: Year) -> Iterator[str]:
    """The clock passed and adjourned when time was out, and nobody played whose time was out before."""
    for name, at in games(year).items():
        reader = make_note_reader(at.names)
        for number, turn in enumerate(at.record.turns):
            before = read_timeline(_up_to(at.replay, number))
            taken = next((note.time for note in map(reader.read_note, turn.notes) if isinstance(note, At)), None)
            out = next((due for due in list_agenda(before) if due.kind in AT_LAST), None)
            if out is None or not taken or not before.seats[turn.seat].plays or NOTHING_TO_PLAY.why in turn.notes:
                continue
            if OUT_OF_TIME.why in turn.notes and not (out.kind == "pass" and out.time <= taken <= _looked(out.time)):
                yield f"{name}: turn {turn.number} was passed at {taken}, time was out at {out.time}"
            if OUT_OF_TIME.why not in turn.notes and out.kind == "pass" and taken >= out.time:
                yield f"{name}: turn {turn.number} was taken at {taken}, time was out at {out.time}"
        if at.time.adjourned and not at.time.over:
            standing = evolve(at.replay, record=evolve(at.record, end=at.record.end[:-1]))
            out = next((due for due in list_agenda(read_timeline(standing)) if due.kind == "adjourn"), None)
            if out is None or not out.time <= at.time.adjourned <= _looked(out.time):
                yield f"{name} is adjourned for no reason: {at.record.end}"


def _looked(moment: datetime) -> datetime:
    """Until when the host has looked at its clock after a moment."""
    return max(moment, UP if moment >= DOWN - STEP else moment) + STEP


def _up_to(played: Replay, turns: int) -> Replay:
    """A game as it stood before its next turn was taken."""
    record = played.record
    end = record.turns[turns].comments
    return evolve(
        played, record=evolve(record, turns=record.turns[:turns], end=end), moments=played.moments[: turns + 1]
    )


def _told(year: Year) -> Iterator[str]:
    """What the letters told is what the record says: the turn, the hashes, and the file that was enclosed last."""
    at = games(year)
    known = {address: at[chair.game].view_as_told(chair.seat) for address, chair in year.chairs.items()}
    opened = {address: at[chair.game].view_as(chair.seat) for address, chair in year.chairs.items()}
    hashes = {to: _hashes(known[to]) | _hashes(opened[to]) for to in known}
    last = {}
    for to, letter in year.sent:
        if to == OWNER:
            continue
        last[to] = letter.raw
        turn, after = letter.stands
        if (find_hash_before(known[to], int(turn)) if turn != "over" else make_next_marker(known[to]).after) != after:
            yield f"{to} was told that turn {turn} comes after #{after}"
        if unknown := set(HASH.findall(letter.text)) - hashes[to]:
            yield f"{to} was told of {unknown}, which the record does not have"
    for to, mail in last.items():
        files = (part for part in message_from_bytes(mail).walk() if str(part.get_filename()).endswith(".tkid"))
        if (enclosed := next(files, None)) is None:
            continue
        data = enclosed.get_payload(decode=True)
        assert isinstance(data, bytes)
        found = read_record(data)
        turns = found.record.turns if found.record else ()
        right = ([m.hash for m in of[to].moments[1 : len(turns) + 1]] for of in (known, opened))
        if found.problems or [turn.hash for turn in turns] not in right:  # whoever cannot be reached hears of no end
            yield f"the last file that {to} got is not the game: {found.problems}"


def _hashes(replay: Replay) -> set[str]:
    return {moment.hash for moment in replay.moments} | {find_hash_before(replay, 1)}


def _answers(year: Year) -> Iterator[str]:
    """Each mail that was carried out is answered once, to its sender, and no other; everybody was told of the end.

    Once a day somebody who writes too much is told that no more is answered.
    """
    answers: dict[str, list[str]] = {}
    ends, told = set(), Counter[tuple[str, date]]()
    for to, letter in year.sent:
        if "mail.repeated" in letter.text:
            told[to, letter.at.date()] += 1
        elif "In-Reply-To" in letter.mail:
            answers.setdefault(str(letter.mail["In-Reply-To"]), []).append(to)
        if letter.is_end:
            ends.add(to)
    for game, mail in year.done():
        head = message_from_bytes(mail.partition(b"\n\n")[0])
        sender, got = parseaddr(head["From"])[1], answers.pop(str(head["Message-ID"]), [])
        if got != [sender] and not isinstance(year.chairs[sender].person, Gone):
            yield f"{game}: the mail {head['Message-ID']} of {sender} was answered to {got}"
    yield from (f"{to} was told {times} times on {day} to write less" for (to, day), times in told.items() if times > 1)
    yield from (f"the mail {named} was filed, and answered to {to}" for named, to in answers.items())
    at = games(year)
    for address, chair in year.chairs.items():
        playing = at[chair.game].find_address(chair.seat) == address and not isinstance(chair.person, Gone)
        if playing and at[chair.game].time.over and address not in ends:
            yield f"{chair.game}: {address} was not told of the end"


# -- how many letters ---------------------------------------------------------------------------------------


def _bounds(year: Year) -> Iterator[str]:
    """Mails, moments of the clock and help make at most one letter to each seat; programs are not answered for ever."""
    mails = Counter(game for game, _ in year.done())
    programs = Counter(game for game, mail in year.done() if PROGRAM in mail)
    for name, at in games(year).items():
        letters, seats, turns = len(year.host.store.list_letters(name)), len(at.names), len(at.record.turns)
        events = 1 + mails[name] + 2 * year.helped[name] + (turns + 1) * moments(at.time.clock)
        if letters > seats * events:
            yield f"{name}: {letters} letters for {events} mails and moments of the clock, with {seats} players"
        days = (year.now - START) // DAY + 1
        if programs[name] > seats * (days + turns):
            yield f"{name}: {programs[name]} mails of programs were answered in {days} days and {turns} turns"


def moments(clock: Clock | None) -> int:
    """How often a clock may speak in a turn: reminders, the grace, the end."""
    return len(clock.reminders) + bool(clock.grace) + 1 if clock else 0


if __name__ == "__main__":
    for seed in map(int, sys.argv[1:]):
        with TemporaryDirectory() as folder, year(Path(folder), [seed]) as over:
            told = ", ".join(f"{name}: {how}, {len(over.sent)} letters" for name, how in over.left.items())
            sys.stdout.write("\n".join([told, *faults(over)]) + "\n")
