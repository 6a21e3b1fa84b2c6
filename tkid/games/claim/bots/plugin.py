"""What Claim gives to players that are programs."""

from __future__ import annotations

from functools import cache

from tkid.bots.plugin import BotsPlugin, Judge
from tkid.games.claim.bots.judge import ClaimJudge
from tkid.kernel.game import AnyGame


class ClaimBots:
    """How Claim is judged."""

    @staticmethod
    @cache
    def judge(game: AnyGame, *, ahead: bool = False) -> Judge:  # noqa: ARG004 - one worth of everything does for all
        """What is known of Claim."""
        return ClaimJudge(game)  # type: ignore[arg-type]


PLUGIN: BotsPlugin = ClaimBots()
