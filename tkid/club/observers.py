"""Observers of a game: a spectator's view of each turn, at once or some turns late."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from attrs import evolve, frozen

from tkid.club.club_state import ClubState, write_club_letter
from tkid.club.game_facts import Cast, make_spectator_replay
from tkid.mail import letter_parts
from tkid.mail.blocks import Block, Blocks, Events, Heading, Paragraph
from tkid.mail.hosted_game import HostedGame
from tkid.mail.marker import DECIDED
from tkid.mail.model import Address, Stored
from tkid.mail.order_machine import ClubLetter
from tkid.mail.plugin import find_mail_plugin
from tkid.notation.text import count_noun
from tkid.record.play.replay import Replay
from tkid.rulebook import cites

OBSERVER_KIND = "observer"
OBSERVE_ABOUT = "observe"
MAX_DELAY = 20
"""Maximum delay in turns."""
MAX_OBSERVERS = 50


@frozen
class Observer:
    """An observer of a game: the address, in lower case, the delay in turns, and the turn up to which letters have told it."""

    address: Address
    name: str = ""
    delay: int = 0
    told: int = 0


@frozen
class Observers(Stored):
    """The observers of a game. `closed` is the address of the player who wants none, "" if nobody minds."""

    KIND = OBSERVER_KIND
    NAMED = "game"
    game: str
    watching: tuple[Observer, ...] = ()
    closed: Address = ""
    announced: bool = False
    undelayed: tuple[Address, ...] = ()

    def find_observer(self, address: str) -> Observer | None:
        return next((each for each in self.watching if each.address == address.lower()), None)

    def add_observer(self, observer: Observer) -> Observers:
        """Return the observers with one more, or with one who observes in another way."""
        by_address = {each.address: each for each in self.watching} | {observer.address: observer}
        return self.replace_observers(tuple(by_address.values()))

    def remove_observer(self, address: str) -> Observers:
        return self.replace_observers(tuple(each for each in self.watching if each.address != address.lower()))

    @cites("club.seat")
    def replace_observers(self, watching: tuple[Observer, ...]) -> Observers:
        """Replace the observers, and remember all who see or saw turns at once."""
        at_once = (each.address for each in (*self.watching, *watching) if not each.delay)
        return evolve(self, watching=watching, undelayed=tuple(dict.fromkeys((*self.undelayed, *at_once))))


@cites("club.observe.known")
def list_observed(address: str, state: ClubState) -> Iterator[str]:
    for kept in state.list_documents(OBSERVER_KIND):
        if address in kept.data and Observers.read_text(kept.data).find_observer(address):
            yield kept.id


@cites("club.observe", "club.observe.secret", "club.pages.delay")
def make_observer_letters(
    observers: Observers, game: HostedGame, cast: Cast, now: datetime, least: int = 0
) -> tuple[tuple[ClubLetter, ...], Observers]:
    """Return letters about the turns that observers may see by now, each at least `least` turns late; and the observers after them."""
    letters, after = list[ClubLetter](), observers
    views: dict[int, Replay] = {}
    for each in observers.watching:
        late = max(each.delay, least)
        delay = 0 if game.time.over else late
        known = views[delay] = views.get(delay) or make_spectator_replay(game.replay, cast, delay)
        shown = len(known.moments) - 1
        if shown <= each.told and not game.time.over:
            continue
        letters.append(_write_letter(observers.game, game, evolve(each, delay=late), known, now))
        after = after.add_observer(evolve(each, told=shown))
    if game.time.over:
        after = evolve(after, watching=())
    return tuple(letters), after


def show_first(observers: Observers, observer: Observer, game: HostedGame, cast: Cast) -> tuple[Blocks, Observers]:
    """Return the board for somebody who begins to observe, and the observers from then on."""
    known = make_spectator_replay(game.replay, cast, observer.delay)
    shown = evolve(observer, told=len(known.moments) - 1)
    return letter_parts.show_board(known, None), observers.add_observer(shown)


def _write_letter(name: str, game: HostedGame, observer: Observer, known: Replay, now: datetime) -> ClubLetter:
    news = range(min(observer.told, len(known.moments) - 2) + 1, len(known.moments))
    plugin = find_mail_plugin(known.record.game)
    over = game.time.over
    result, why = plugin.describe_result(known, None) if over else ("", "")
    short = plugin.shorten_turn(known, news[-1], None) if news else ""
    lead = letter_parts.choose_lead(*([why or "The game is over."] if over else [short]), f"News of {name}.")
    body: list[Block] = [Events(tuple(letter_parts.number_turn(known, index, None) for index in news))] if news else []
    if over and (sentences := plugin.describe_decision(known, None)):
        body += [Heading(DECIDED), Paragraph(" ".join(sentences))]
    body += letter_parts.show_board(known, None)
    late = f" You see each turn {count_noun(observer.delay, 'turn')} late." if observer.delay and not over else ""
    last = "This is the last mail about this game."
    footer = last if over else f"You observe {name}.{late} Reply `stop observing {name}` to end that."
    subject = f"[{name}] {f'Game over: {result}' if result else 'Game over' if over else _write_headline(known, news)}"
    to, about = (observer.address, observer.name), f"{OBSERVE_ABOUT} {name}"
    return write_club_letter(to, about, subject, lead, tuple(body), now, footer, stop="" if over else "stop")


def _write_headline(known: Replay, news: range) -> str:
    turn = known.moments[news[-1]].turn if news else None
    number = f"Turn {turn.number}: " if turn else ""
    return f"{number}{find_mail_plugin(known.record.game).write_headline(known, news[-1])}" if news else "the game now"
