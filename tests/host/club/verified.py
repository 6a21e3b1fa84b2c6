"""What has to hold in a simulated club, whatever happened: every fault is a sentence that names the game or the person."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from email import message_from_bytes
from html import unescape
from urllib.parse import unquote

from tests.host.club.club import Club
from tests.host.year.players import letter, troubles
from tests.mail.mails import body
from tkid.mail.game_service import HostedGame
from tkid.record.format.reader import write_start
from tkid.record.play.replay import Replay
from tkid.record.play.views import hide_secrets

TURN = re.compile(r"\[(?P<game>.+)\] Turn (?P<turn>\d+)")
LAST = re.compile(r"\[(?P<game>.+)\] Game over")
LAST_TURN = re.compile(r"^Last turn \d+, #(\w+)\.", re.MULTILINE)
LINK = re.compile(r'(?:href|src)="([^"#?]+)')
GIVEN_AWAY = re.compile(r"^# stand-in: |\{undone", re.MULTILINE)
"""In a record in which a turn was asked of two people: somebody took over a seat, or turns were taken back."""
REPLACED = re.compile(r"(?:You no longer play for |[^\n]* plays for you\.).*Nothing has been done", re.DOTALL)
"""In the answer to an order for a turn that another person plays now."""
ELSEWHERE = re.compile(r"[a-z]+:")
FROM_A_PROGRAM = re.compile(rb"(?im)^auto-submitted: *auto-")


def faults(club: Club) -> list[str]:
    """All that is wrong."""
    with club.store() as store:
        hosted = {game.id: HostedGame.read_stored(game.record, game.memory) for game in store.list_games()}
        counts, wrong = store.count_mails(), [str(each) for each in troubles(store)]
    return [
        *(f"the host failed: {each}" for each in wrong),
        *([f"{counts['new']} mails wait for ever"] if counts["new"] else []),
        *_records(hosted),
        *_letters(club),
        *_turns(club, hosted),
        *_ends(club, hosted),
        *_secrets(club, hosted),
        *_links(club),
    ]


def _records(games: dict[str, HostedGame]) -> Iterator[str]:
    """Every record is right, its times too."""
    for name, game in games.items():
        yield from (f"{name}: {problem}" for problem in (*game.replay.problems, *game.time.problems))


def _letters(club: Club) -> Iterator[str]:
    """Nobody gets a letter twice, every letter says that a program sent it, and nobody is written to who never wrote.

    From another address somebody is answered only if the owner vouches for the mail, which takes time.
    """
    times = Counter((to, str(letter(mail)["Message-ID"])) for to, mail, _ in club.sent)
    yield from (f"{to} got {named} {count} times" for (to, named), count in times.items() if count > 1)
    known = {address for person in club.everybody for address in person.addresses}
    for to, mail, when in club.sent:
        sender, came = club.wrote.get(str(letter(mail)["In-Reply-To"]), ("", when))
        if to not in known and not (to == sender and came < when):
            yield f"a letter went to {to}, who is nobody here: {letter(mail)['Subject']}"
        if not FROM_A_PROGRAM.search(mail):
            yield f"the letter {letter(mail)['Message-ID']} does not say that a program sent it"


def _turns(club: Club, games: dict[str, HostedGame]) -> Iterator[str]:
    """Each turn was asked of one person, and one that was ordered is in the record."""
    ordered = {
        (match["game"], int(match["turn"]), person.name)
        for person in club.people
        for subject, asked in person.ordered
        if (match := TURN.match(f"{subject}:")) and not club.was_lost(asked)
    }
    refused = {
        (match["game"], int(match["turn"]))
        for _, mail, _ in club.sent
        if (match := TURN.search(str(letter(mail)["Subject"]))) and REPLACED.match(body(letter(mail)))
    }
    for (game, turn), count in Counter((game, turn) for game, turn, _ in ordered).items():
        if game in games and count > 1 and not GIVEN_AWAY.search(games[game].record_text):
            yield f"{game}: turn {turn} was asked of {count} people"
        undone = (
            sum(bool(each.undone) for each in games[game].record.turns) if game in games else 0
        )  # orders crossed it
        is_due = game in games and not games[game].time.over and (game, turn) not in refused
        if is_due and turn > games[game].turns + undone:
            yield f"{game}: turn {turn} was ordered and is not in the record"


def _ends(club: Club, games: dict[str, HostedGame]) -> Iterator[str]:
    """Each player of a game that is over heard of its end, after its last turn; without having written, once.

    A game can end in days that the host loses, and go on after the restore: only an end that stands is the end.
    """
    heard, unasked = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for to, mail, when in club.sent:
        read = letter(mail)
        if (match := LAST.match(str(read["Subject"]))) and match["game"] in games:
            found, last = LAST_TURN.search(body(read)), games[match["game"]].view_as(0).last
            stands = (found[1] if found else None) == (last.hash if last.turn else None)
            heard[match["game"], to] += stands
            unasked[match["game"], to] += "In-Reply-To" not in read and (stands or not club.was_lost(when))
    for name, game in games.items():
        for seat in game.seats if game.time.over else ():
            address = game.find_address(seat)
            if not address or club.digests(address):
                continue
            if not heard[name, address]:
                yield f"{name} is over, and {address} did not hear of it"
            if unasked[name, address] > 1:
                yield f"{name} is over, and {address} was told of it {unasked[name, address]} times"


def _secrets(club: Club, games: dict[str, HostedGame]) -> Iterator[str]:
    """No file that is enclosed in a letter, and no page, shows a card that its reader may not know while a game goes on."""
    secret = {name: game for name, game in games.items() if game.record.game.secret and not game.time.over}
    hidden = {name: _hidden(game.replay) for name, game in secret.items()}
    for to, mail, _ in club.sent:
        for part in message_from_bytes(mail).walk():
            title = str(part.get_filename() or "").removesuffix(".tkid")
            if title in secret:
                text = part.get_payload(decode=True)
                assert isinstance(text, bytes)
                seats = _held(club, secret[title], to)
                known = {line for seat in seats for line in hidden[title].get(seat, ())}
                others = {line for lines in hidden[title].values() for line in lines} - known
                yield from (f"{to} was sent `{line}` of {title}" for line in others if line in text.decode())
    for page in sorted(club.pages.rglob("*")) if club.pages.exists() else ():
        if page.is_file():
            text = page.read_bytes().decode("utf-8", "replace")
            for name, lines in hidden.items():
                yield from (
                    f"{page.name} shows `{line}` of {name}"
                    for each in lines.values()
                    for line in each
                    if line in text and name in text
                )
            yield from (f"{page.name} shows an address" for person in club.people if person.address in text)


def _held(club: Club, game: HostedGame, address: str) -> list[int]:
    """The seats of a game that somebody with an address has or had, from whichever address."""
    mine = {each for person in club.everybody if address in person.addresses for each in person.addresses}
    record = game.record_text
    return [
        seat
        for seat in game.seats
        if {game.record.seats[seat].address, game.find_address(seat)} & mine
        or any(
            f"{game.names[seat]} is played by" in line and f"<{each}>" in line
            for each in mine
            for line in record.splitlines()
        )
    ]


def _links(club: Club) -> Iterator[str]:
    """Every link from page to page leads to a file."""
    for page in sorted(club.pages.rglob("*.html")) if club.pages.exists() else ():
        for link in LINK.findall(page.read_text("utf-8")):
            to = page.parent / unquote(unescape(link))
            if not ELSEWHERE.match(link) and not (to.is_file() or (to / "index.html").is_file()):
                yield f"{page.relative_to(club.pages)} links to {link}, which is not there"


def _hidden(replay: Replay) -> dict[int, tuple[str, ...]]:
    """The lines about the hand of each seat at the beginning, as a record writes them, where other seats do not know them."""

    def hands(record: Replay) -> set[str]:
        return {line.strip() for line in write_start(record.record).splitlines() if line.startswith("Hand ")}

    everybody = set.intersection(*(hands(hide_secrets(replay, seat)) for seat in range(len(replay.record.names))))
    return {
        seat: tuple(sorted(line for line in hands(hide_secrets(replay, seat)) - everybody if "?" not in line))
        for seat in range(len(replay.record.names))
    }
