"""What The King is Dead gives to players that are programs."""

from __future__ import annotations

from functools import cache
from typing import Any

from tkid.bots.plugin import BotsPlugin, Judge
from tkid.games.struggle.bots.judge import StruggleJudge


class StruggleBots:
    """How The King is Dead is judged."""

    @staticmethod
    @cache
    def judge(game: Any) -> Judge:
        """What is known of an edition."""
        return StruggleJudge(game)


PLUGIN: BotsPlugin = StruggleBots()
