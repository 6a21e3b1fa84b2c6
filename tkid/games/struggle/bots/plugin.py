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
    def judge(game: Any, *, ahead: bool = False) -> Judge:
        """What is known of an edition; whoever looks ahead has another worth of a card."""
        return StruggleJudge(game, ahead=ahead)


PLUGIN: BotsPlugin = StruggleBots()
