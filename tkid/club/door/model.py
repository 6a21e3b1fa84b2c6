"""Orders to the club as values: what anybody may ask for in one line that is about no turn."""

from __future__ import annotations

from attrs import frozen


class ClubOrder:
    """An order to the club. Each kind is a class, and the table of kinds has a row for it."""

    __slots__ = ()


@frozen
class Guest:
    """Somebody who is invited: the address in lower case, and the name to play under."""

    address: str
    name: str


@frozen
class Help(ClubOrder):
    """Asks what can be ordered."""


@frozen
class ListGames(ClubOrder):
    """Asks for the sender's own games."""


@frozen
class ListOpen(ClubOrder):
    """Asks for the games that look for players."""


@frozen
class ListTournaments(ClubOrder):
    """Asks for the tournaments."""


@frozen
class NewGame(ClubOrder):
    """Asks for a new game.

    `ruleset` is its code. `guests` are invited, `bots` are players that are programs; `seats` is how many play in all, so that seats without a guest are open
    to everybody. `clock` are the terms of the clock as the record has them, "" for the usual ones and "none" for no
    clock. `rulings` are options, each `ID OPTION`. `title` is the name of the game, "" for one that the host chooses.
    `name` is the name that the sender plays under, "" for the usual one, and `words` are mixed into the deal. It waits so
    many `days` for its players, 0 for the usual time.
    """

    ruleset: str
    guests: tuple[Guest, ...] = ()
    seats: int = 0
    clock: str = ""
    rulings: tuple[str, ...] = ()
    title: str = ""
    name: str = ""
    words: str = ""
    days: int = 0
    bots: tuple[str, ...] = ()


@frozen
class Join(ClubOrder):
    """Asks for a seat in a game that looks for players."""

    game: str
    name: str = ""
    words: str = ""


@frozen
class Accept(ClubOrder):
    """Accepts an invitation: the one that is answered, or that to a game."""

    game: str = ""
    name: str = ""
    words: str = ""


@frozen
class Decline(ClubOrder):
    """Declines an invitation, or gives back a seat in a game that has not begun."""

    game: str = ""


@frozen
class Words(ClubOrder):
    """Words to be mixed into the deal: of the order in the same mail, or of the seat that the sender has taken."""

    text: str


@frozen
class Rematch(ClubOrder):
    """Asks for another game with the same players on the same terms."""

    game: str = ""
    words: str = ""


@frozen
class Block(ClubOrder):
    """Asks the host never to write again."""


@frozen
class Unblock(ClubOrder):
    """Letters of the club are welcome again."""


TAKES_WORDS = (NewGame, Join, Accept, Rematch)
"""Orders into which words of the same mail go."""
