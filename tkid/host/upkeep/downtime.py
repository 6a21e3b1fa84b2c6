"""The time of a host at work: whether the machine's clock is believed, and whether the host was away."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from attrs import define, evolve

from tkid.club.desk.host_time import HostTime
from tkid.host.service import Host
from tkid.host.upkeep.host_time import Uptime, look, read_clocks, tell_players, uptime


@define
class Watch:
    """Watches the time for a host at work: `now` is the machine's clock, `since_start` the one that nobody sets."""

    now: Callable[[], datetime]
    since_start: Uptime = uptime
    _known: HostTime | None = None

    @property
    def believed(self) -> bool:
        """Whether the machine's clock is believed, after a look at it: else no clock of a game runs."""
        return self._known is not None and self._known.believed

    def time(self) -> datetime:
        """What time it is, as far as the host believes."""
        now = self.now()
        return self._known.time(read_clocks(now, self.since_start)) if self._known is not None else now

    def begin(self, host: Host) -> None:
        """Look at the clocks as a round begins. What was noted less than a minute ago is not noted again."""
        seen = read_clocks(self.now(), self.since_start)
        if self._known is None or not self._known.is_recent(seen):
            with host.store.writing() as transaction:
                self._known = look(host.visitors, transaction, seen)

    def forget(self) -> None:
        """Forget what the time was: the host is as it was at another time, because it was restored."""
        self._known = None

    def tell(self, host: Host) -> int:
        """Tell players of an absence that they do not know of yet; how many letters that were."""
        if self._known is None or self._known.away is None:
            return 0
        with host.store.writing() as transaction:
            count = tell_players(host.visitors, transaction, self.time())
        self._known = evolve(self._known, away=None)
        return count
