"""Who leads among which faction at court, and what regions come to, in words."""

from __future__ import annotations

from attrs import frozen

from tkid.games.struggle.bots.outlook import Outlook
from tkid.games.struggle.rules.board import UNSTABLE
from tkid.games.struggle.rules.position import Position
from tkid.notation.numbers import number

STRONG = 0.5
"""From this chance on a faction looks strongest."""


@frozen
class Leads:
    """Words about courts and regions for the turn of one seat; seats as `{0}`."""

    outlook: Outlook
    seat: int

    # -- names --------------------------------------------------------------------------------------------

    def place(self, region: int) -> str:
        """A region."""
        return self.outlook.game.board.name(region)

    def name(self, faction: int) -> str:
        """A faction's name: `Welsh`."""
        return self.outlook.game.board.factions[faction].name

    def people(self, faction: int) -> str:
        """A faction in a sentence: `the Welsh`, `Mordred`."""
        return self.name(faction) if faction in self.outlook.game.board.apart else f"the {self.name(faction)}"

    def take(self, faction: int) -> str:
        """A faction that wins a region: `the Welsh take`."""
        return f"{self.people(faction)} {'takes' if faction in self.outlook.game.board.apart else 'take'}"

    def comes_out(self, region: int, disc: int) -> str:
        """How a power struggle comes out: `the Welsh take Essex`."""
        if disc == UNSTABLE:
            return f"{self.place(region)} {self.outlook.game.board.terms.falls}"
        return f"{self.take(disc)} {self.place(region)}"

    def discs(self, position: Position) -> str:
        """How many regions nobody has won, and how many of them bring the end."""
        fallen, invaders = position.unstable, self.outlook.game.invaders
        left = invaders - fallen
        come = f"{self.outlook.game.board.terms.invaders} come"
        return f"{number(left)} more, and {come}" if left > 0 else come

    # -- courts -------------------------------------------------------------------------------------------

    def lead(self, faction: int, position: Position) -> int:
        """By how many followers of a faction the seat leads, less than 0 where it is behind."""
        mine = position.courts[self.seat][faction]
        return mine - position.courts[self.rival(faction, position)][faction]

    def rival(self, faction: int, position: Position) -> int:
        """The seat of another party with most followers of a faction."""
        party = self.outlook.parties[self.outlook.party(self.seat)]
        others = [seat for seat in position.seats if seat not in party]
        return max(others, key=lambda seat: position.courts[seat][faction])

    def of_whom(self, faction: int, position: Position) -> str:
        """That the seat leads among a faction at court, if it does: `, of whom {0} leads by two`."""
        lead = self.lead(faction, position)
        if faction in self.outlook.game.board.apart or lead < 0:
            return ""
        if lead:
            return f", of whom {{{self.seat}}} leads by {number(lead)}"
        return f", of whom {{{self.seat}}} has as many as anyone" if position.courts[self.seat][faction] else ""

    def of_whom_rival(self, faction: int, position: Position) -> str:
        """That another seat leads among a faction at court, if it does: `, of whom {1} leads by two`."""
        lead = self.lead(faction, position)
        if faction in self.outlook.game.board.apart or lead >= 0:
            return ""
        return f", of whom {{{self.rival(faction, position)}}} leads by {number(-lead)}"

    def grows(self, faction: int, among: str, before: Position, after: Position) -> str:
        """What more followers of a faction at court come to: `gives {0} the lead among the Welsh`."""
        was, lead, me = self.lead(faction, before), self.lead(faction, after), f"{{{self.seat}}}"
        comma = "," * (among != self.people(faction))
        if lead > 0:
            if was > 0:
                return f"extends {me}'s lead among {among}{comma} to {number(lead)}"
            return f"gives {me} the lead among {among}"
        rival = f"{{{self.rival(faction, after)}}}"
        if lead == 0:
            return f"draws level with {rival} among {among}"
        return f"cuts {rival}'s lead among {among}{comma} to {number(-lead)}"

    def strongest(self, faction: int, position: Position) -> str:
        """That a faction looks strongest, if it does: `, who look strongest`."""
        first, _ = self.outlook.power(self.outlook.prospect(position))
        return ", who look strongest" if first[faction] > STRONG else ""

    def sets(self, position: Position) -> int:
        """The complete sets of the seat's party."""
        party = self.outlook.parties[self.outlook.party(self.seat)]
        return min(sum(position.courts[seat][faction] for seat in party) for faction in self.outlook.game.board.courtly)
