"""How an order of the desk is written where it is given: a line in a mail, or a command at the terminal. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from shlex import quote
from types import MappingProxyType

from attrs import frozen

MAIL: Mapping[str, str] = MappingProxyType(
    {
        "status": "reply `status {game}`",
        "filed": "reply `filed`",
        "filed all": "reply `filed all`",
        "show": "reply `show {number}`",
        "process": "reply `process {number}`",
        "resume": "write `resume {game}`",
        "take back": "write `take back {game} from turn 12: REASON`",
        "replace": "write `replace {game} PLAYER by NAME <ADDRESS>`; for the bot, `replace {game} PLAYER by bot NAME`",
        "announce": "write `announce {game}: TEXT`",
    }
)
TERMINAL: Mapping[str, str] = MappingProxyType(
    {
        "status": "run `tkid host status {folder} {game}`",
        "filed": "run `tkid host filed {folder}`",
        "filed all": "run `tkid host filed {folder} --all`",
        "show": "run `tkid host show {folder} {number}`",
        "process": "run `tkid host process {folder} {number}`",
        "resume": "run `tkid host resume {folder} {game}`",
        "take back": "run `tkid host take-back {folder} {game} 12 --reason REASON`",
        "replace": "run `tkid host stand-in {folder} {game} PLAYER 'NAME <ADDRESS>'`; for the bot, `tkid host stand-in {folder} {game} PLAYER NAME --bot`",
        "announce": "run `tkid host announce {folder} {game} TEXT`",
    }
)


@frozen
class Ways:
    """How orders are written by whoever gives them: at the terminal of the host in `folder`, or by mail where it is ""."""

    folder: str = ""

    @property
    def by_mail(self) -> bool:
        """Whether they come by mail."""
        return not self.folder

    def to(self, kind: str, game: str = "GAME", number: int | str = "NUMBER") -> str:
        """How to give an order of a kind about a game or a filed mail, as the end of a sentence."""
        if self.by_mail:
            return MAIL[kind].format(game=game, number=number)
        return TERMINAL[kind].format(folder=quote(self.folder), game=quote(game), number=number)


BY_MAIL = Ways()
