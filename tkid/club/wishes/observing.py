"""Carries out observing: who begins, who ends it, and a game whose players want no observers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import evolve

from tkid.club.display_names import cast_of, find_member
from tkid.club.door.names import nearest
from tkid.club.door.visit import ClubState, Kept, Result, Visit
from tkid.club.message import ClubLetter, framed
from tkid.club.observers import ABOUT, KIND, MOST, Observer, Observers, first_look
from tkid.club.persons import plays
from tkid.club.wishes.answers import done, refused
from tkid.club.wishes.model import AllowObservers, Observe, StopObserving
from tkid.kernel.problems import Kind
from tkid.mail.desk import service
from tkid.mail.game.hosted_game import HostedGame
from tkid.mail.letters.blocks import Paragraph
from tkid.mail.letters.content import Announcement
from tkid.notation.numbers import counted
from tkid.rulebook import cites


def found(state: ClubState, typed: str) -> tuple[str, HostedGame] | None:
    """A hosted game by the name that somebody typed, capitals aside, and its name."""
    for name in dict.fromkeys((typed, typed.lower())):
        game = state.game(name)
        if game is not None:
            return name, game
    return None


def no_game(typed: str, rule: str, known: Iterable[str]) -> Result:
    """The answer where there is no such game; `known` are those of which the sender may hear."""
    near = nearest(typed.lower(), known)
    hint = f"Did you mean `{near}`?" if near else "`games` lists your games."
    return refused(rule, f"There is no game `{typed}`", hint, Kind.NAME)


def own_games(visit: Visit, state: ClubState) -> list[str]:
    """The games that go on in which the sender has a seat."""
    return [name for name, game in state.games(visit.sender) if not game.time.over]


def _in_view(typed: str, visit: Visit, state: ClubState) -> Iterator[str]:
    """The games with a name like one that was typed that the sender may observe or plays."""
    mine = own_games(visit, state)
    for name in state.running():
        if name in mine:
            yield name
        elif nearest(typed.lower(), [name]):
            game = state.game(name)
            if game is not None and _why_not(visit, state, game, observers_of(state, name)) is None:
                yield name


def observers_of(state: ClubState, game: str) -> Observers:
    """Who observes a game."""
    text = state.document(KIND, game)
    return Observers.read(text) if text else Observers(game)


def _kept(observers: Observers) -> Kept:
    return Kept(KIND, observers.game, observers.text)


@cites("club.observe", "club.observe.closed", "club.pages.delay")
def observe(order: Observe, visit: Visit, state: ClubState) -> Result:
    """A mail about each turn of a game to somebody who does not play it. The players hear of the first who observes."""
    known = found(state, order.game)
    if known is None:
        return no_game(order.game, "club.observe", _in_view(order.game, visit, state))
    name, game = known
    observers = observers_of(state, name)
    again = observers.observer(visit.sender)
    reason = _why_not(visit, state, game, observers)
    if reason is not None:
        return refused("club.observe.closed" if observers.closed else "club.observe", *reason)
    member = state.member(visit.sender)
    delay = max(order.delay, visit.club.delay)
    observer = evolve(again or Observer(member.address, member.name), delay=delay)
    cast = cast_of(game, lambda address: find_member(state.document, address))
    look, watched = first_look(observers, observer, game, cast)
    announced = not observers.announced
    late = f", {counted(delay, 'turn')} late" if delay else ""
    answer = Result(
        f"You observe {name} from now on.",
        (
            Paragraph(f"You get a mail about each turn{late}. Reply `stop observing {name}` to end that."),
            *look,
        ),
        about=f"{ABOUT} {name}",
        kept=(_kept(evolve(watched, announced=True)),),
    )
    return evolve(answer, changes=((name, _told(name, game, visit)),)) if announced else answer


def _why_not(visit: Visit, state: ClubState, game: HostedGame, observers: Observers) -> tuple[str, str] | None:
    """Why somebody may not observe a game, and the way out; None where they may."""
    if plays(game, visit.sender, state):
        return "You play this game yourself", "Reply `status` to a mail of the game to see how it stands."
    if game.time.over:
        return "This game is over", ""
    if not visit.club.observers:
        return "Nobody observes games in this club", ""
    if observers.closed:
        return "A player wants no observers in this game", ""
    if len(observers.watching) >= MOST and observers.observer(visit.sender) is None:
        return f"{MOST} people observe this game already, and there may be no more", ""
    return None


def _told(name: str, game: HostedGame, visit: Visit) -> service.Outcome:
    """The players hear, once for a game, that somebody observes it."""
    text = (
        "Somebody observes this game from now on. They see the board and the turns, but no secret cards and no messages. "
        f"We will not tell you about further observers. If you mind, reply `observers off {name}`."
    )
    everybody = Announcement(tuple(game.seats), text, rule="club.observe", subject="somebody observes this game")
    return service.announced(game, (everybody,), visit.time)


@cites("club.observe")
def stop_observing(order: StopObserving, visit: Visit, state: ClubState) -> Result:
    """Ends observing a game, or every game where none is named."""
    if order.game:
        known = found(state, order.game)
        names = [known[0] if known else order.game]
    else:
        names = [each.id for each in state.documents(KIND)]
    ended = [each for each in (observers_of(state, name) for name in names) if each.observer(visit.sender)]
    if not ended:
        what = f"`{order.game}`" if order.game else "any game"
        return done(f"You do not observe {what}.", "`games` lists your games.")
    listed = ", ".join(each.game for each in ended)
    return done(f"You no longer observe {listed}.", kept=tuple(_kept(each.without(visit.sender)) for each in ended))


@cites("club.observe.closed")
def allow_observers(order: AllowObservers, visit: Visit, state: ClubState) -> Result:
    """Keeps observers out of a game, as one of its players wishes, or lets them in again as that player does."""
    known = found(state, order.game)
    if known is None:
        return no_game(order.game, "club.observe.closed", own_games(visit, state))
    name, game = known
    if visit.sender not in {game.address(seat).lower() for seat in game.seats}:
        return refused("club.observe.closed", "Only a player of this game may say who observes it")
    observers = observers_of(state, name)
    if order.allowed:
        if observers.closed and observers.closed != visit.sender:
            return refused("club.observe.closed", "Another player wants no observers in this game")
        return done(f"Members may observe {name}.", kept=(_kept(evolve(observers, closed="")),))
    closed = observers.closed_by(visit.sender)
    letters = tuple(_ended(name, each.address, each.name, visit) for each in observers.watching)
    return evolve(done(f"From now on nobody observes {name}.", kept=(_kept(closed),)), letters=letters)


def _ended(game: str, address: str, name: str, visit: Visit) -> ClubLetter:
    """The letter to somebody who may no longer observe a game."""
    about = f"{ABOUT} {game}"
    body = framed(
        about, f"A player of {game} wants no observers.", (Paragraph("You get no more mails about that game."),)
    )
    return ClubLetter(address, about, f"[{game}] no observers", body, visit.time, name)
