"""The names that somebody may play under who gives none with an order."""

from __future__ import annotations

from tkid.club.door.readers import name_from
from tkid.club.door.visit import ClubState, Visit
from tkid.club.member_games import seats_of
from tkid.club.members import is_pseudonym
from tkid.record.format.names import name_faults
from tkid.rulebook import cites


@cites("club.names")
def own_names(visit: Visit, state: ClubState) -> list[str]:
    """Return the names that the sender of a mail may play under, best first.

    The name as a member comes first, then the name in another game, the name beside the address in the mail, the first word
    of that, and a name made from the address.
    """
    member = state.member(visit.sender)
    played = (game.player(seat) for _, game in state.games(visit.sender) for seat in seats_of(game, visit.sender))
    known = member.name or next(played, "")
    return list(dict.fromkeys((*([known] if known else names_of(visit)), name_from(visit.sender))))


def names_of(visit: Visit) -> list[str]:
    """Return the name beside the address in a mail and its first word, as far as they can be names."""
    written = dict.fromkeys((visit.name, visit.name.partition(" ")[0]))
    return [name for name in written if not any(name_faults(name, (), ())) and not is_pseudonym(name)]
