"""Why a turn is good, in a few words: what it changes in the regions, at court, on the track, and what it saves."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define, field, frozen

from tkid.bots.player import Turn
from tkid.bots.sums import total
from tkid.games.struggle.bots.leads import Leads
from tkid.games.struggle.bots.outlook import Outlook
from tkid.games.struggle.bots.slopes import Slopes
from tkid.games.struggle.rules.board import OPEN, UNSTABLE, Followers
from tkid.games.struggle.rules.game import PASS
from tkid.games.struggle.rules.moves import Exchange, Play, Reveal, carried_out
from tkid.games.struggle.rules.position import Position
from tkid.games.struggle.rules.turns.struggles import outcome
from tkid.notation.numbers import number
from tkid.notation.vocabulary import with_article

WORTH_SAYING = 0.3
"""A second reason is given if it is worth so much of the first."""
LIKELY = 0.15
"""From this chance on an invasion is worth preparing for."""


@frozen
class Clause:
    """A reason, with a verb for the turn first, and what it is worth.

    `about` is the faction that it is about. `court` is the same reason at length, where it is about followers at court and
    the only one; `lead` says who leads among the faction at court, to add behind it unless another clause has said it;
    `rest` is what follows the faction: ` in Essex`.
    """

    worth: float
    text: str
    about: int | None = None
    court: str = ""
    lead: str = ""
    rest: str = ""

    def told(self, *, lead: bool) -> str:
        """The reason as a text, with who leads at court or without."""
        if not lead or not self.lead:
            return self.text + self.rest
        return f"{self.text}{self.lead}{',' if self.rest else ''}{self.rest}"


def reason(outlook: Outlook, before: Position, turn: Turn, after: Position) -> str:
    """Why a turn is good, the best reason first."""
    return Reasons(outlook, before, turn, after).best()


@define(eq=False)
class Reasons:
    """The reasons for one turn: the position before it, its moves, and the position after it."""

    outlook: Outlook
    before: Position
    turn: Turn
    after: Position
    _seat: int = field(init=False)
    _leads: Leads = field(init=False)

    @_seat.default
    def _(self) -> int:
        assert self.before.to_act is not None
        return self.before.to_act

    @_leads.default
    def _(self) -> Leads:
        return Leads(self.outlook, self._seat)

    def best(self) -> str:
        """The best reason, and the next where it is nearly as good."""
        if self.after.decision is None:
            return self._ends()
        if isinstance(self.turn[0], Reveal):
            return f"counts as {with_article(self._leads.name(self.turn[0].faction))} follower"
        if self.turn == (PASS,):
            return self._passes()
        clauses = sorted(self._clauses(), key=lambda clause: -clause.worth)
        good = [clause for clause in clauses if clause.worth > 0]
        if not good:
            return "gives away as little as possible"
        first, *others = good
        also = [clause for clause in others if clause.worth > WORTH_SAYING * first.worth]
        unlike = [clause for clause in also if clause.text.split()[0] != first.text.split()[0]]
        return _joined([first, *unlike[:1]])

    # -- the end ------------------------------------------------------------------------------------------

    def _ends(self) -> str:
        winners = self.after.winners
        if not winners:
            return "ends the game without a winner"
        mine = self.outlook.parties[self.outlook.party(self._seat)]
        shares = "shares the victory" if set(mine) & set(winners) else "ends the game"
        ends = "wins the game" if set(winners) == set(mine) else shares
        resolved = self.after.struggles[len(self.before.struggles) :]
        return f"{self._resolves(resolved[0])}, and {ends}" if resolved else ends

    def _resolves(self, region: int) -> str:
        """How a region comes out in which there was a struggle."""
        won = self.after.discs[region]
        whose = "without a winner" if won == UNSTABLE else f"for {self._leads.people(won)}"
        return f"resolves {self._leads.place(region)} {whose}"

    # -- a pass -------------------------------------------------------------------------------------------

    def _passes(self) -> str:
        held = self.before.hands[self._seat]
        resolved = self.after.struggles[len(self.before.struggles) :]
        leads = self._leads
        if resolved:
            first, won = resolved[0], self.after.discs[resolved[0]]
            more = f": {leads.discs(self.after)}" if won == UNSTABLE else leads.of_whom(won, self.after)
            return self._resolves(first) + more
        region = self.before.contested
        if not held or region is None:
            return "has no card left to play"
        disc, _ = outcome(self.before.regions[region])
        slopes = Slopes(self.outlook, self.before)
        if slopes.outcomes[disc if disc != UNSTABLE else -1] <= slopes.region(region, self.before.regions[region]):
            return "saves a card for the regions ahead"
        others = "everybody else" if len(self.before.courts) > 2 else f"{{{self.after.to_act}}}"
        whom = "" if disc == UNSTABLE else leads.of_whom(disc, self.before)
        return f"saves a card: if {others} passes too, {leads.comes_out(region, disc)}{whom}"

    # -- a card, and a summons ----------------------------------------------------------------------------

    def _clauses(self) -> Iterator[Clause]:
        slopes = Slopes(self.outlook, self.before)
        action = carried_out(self.turn[0].resolution) if isinstance(self.turn[0], Play) else None
        if isinstance(action, Exchange):
            yield self._exchanged(slopes, action)
        for region, then in enumerate(self.after.regions):
            now = self.before.regions[region]
            if self.before.discs[region] == OPEN and self.after.discs[region] == OPEN and now != then:
                worth = slopes.region(region, then) - slopes.region(region, now)
                yield self._region(worth, region, now, then)
        yield from self._court(slopes)

    def _region(self, worth: float, region: int, now: Followers, then: Followers) -> Clause:
        """What a turn changes in a region."""
        leads, place, after = self._leads, self._leads.place(region), self.after
        (was, _), (comes, _) = outcome(now), outcome(then)
        if comes == UNSTABLE:
            if was == UNSTABLE:
                return Clause(worth, f"keeps {place} without a leader")
            return Clause(worth, f"keeps {place} from {leads.people(was)}", was, lead=leads.of_whom_rival(was, after))
        if comes != was:
            takes = region == self.before.contested
            text = f"takes {place} for {leads.people(comes)}" if takes else f"puts {leads.people(comes)}"
            rest = "" if takes else f" ahead in {place}"
            return Clause(worth, text, comes, lead=leads.of_whom(comes, after), rest=rest)
        if _ahead(now, comes) <= _ahead(then, comes):
            text = f"strengthens {leads.people(comes)}"
            return Clause(worth, text, comes, lead=leads.of_whom(comes, after), rest=f" in {place}")
        return Clause(worth, f"weakens {leads.people(comes)} in {place}", comes)

    def _exchanged(self, slopes: Slopes, exchange: Exchange) -> Clause:
        """What changes on the track."""
        track = self.after.track
        sooner, later = sorted((exchange.first, exchange.second), key=track.index)
        leads, disc = self._leads, outcome(self.before.regions[sooner])[0]
        when = "next" if sooner == self.after.contested else "earlier"
        sure = f", where {leads.people(disc)} lead" if disc not in {UNSTABLE, *self.outlook.game.board.apart} else ""
        text = f"has {leads.place(sooner)} resolved {when}{sure}, and {leads.place(later)} later"
        return Clause(slopes.exchanged(exchange), text)

    def _court(self, slopes: Slopes) -> Iterator[Clause]:
        """What changes at court."""
        seat, leads = self._seat, self._leads
        for faction, now in enumerate(self.before.courts[seat]):
            then = self.after.courts[seat][faction]
            if then > now:
                strong = f"{leads.people(faction)}{leads.strongest(faction, self.before)}"
                texts = [
                    leads.grows(faction, among, self.before, self.after) for among in (leads.people(faction), strong)
                ]
                yield Clause(slopes.court[faction] * (then - now), texts[0], faction, court=texts[1])
        prospect = self.outlook.prospect(self.before)
        sets = leads.sets(self.after)
        if prospect.lost > LIKELY and sets > leads.sets(self.before):
            invaders = self.outlook.game.board.terms.invaders
            gain = total(max(worth, 0) for worth in slopes.court) * prospect.lost
            yield Clause(gain, f"completes {f'{number(sets)} sets' if sets > 1 else 'a set'} in case {invaders} come")


def _ahead(followers: Followers, faction: int) -> int:
    """By how many followers a faction leads in a region."""
    return followers[faction] - max([*followers[:faction], *followers[faction + 1 :]])


def _joined(clauses: list[Clause]) -> str:
    """One clause or two as a text."""
    if len(clauses) == 1 and clauses[0].court:
        return clauses[0].court
    known = {clause.about for clause in clauses if clause.court}
    texts = []
    for clause in clauses:
        texts.append(clause.told(lead=clause.about not in known))
        known.add(clause.about)
    return ", and ".join(texts)
