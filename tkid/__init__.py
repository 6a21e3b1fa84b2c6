"""tkid: the rules of The King is Dead as code, and the engine to play it by e-mail.

`import tkid` gives programs the names they need most; each is loaded when it is first used. `__init__.pyi` has their types.
"""

from importlib import import_module

__version__ = "0.1.0"

PLACES = {
    "Game": "tkid.kernel.game",
    "NewGameError": "tkid.record.format.new_game",
    "Position": "tkid.games.struggle.rules.board",
    "TurnError": "tkid.library",
    "View": "tkid.kernel.game",
    "draw": "tkid.library",
    "legal": "tkid.library",
    "legal_turns": "tkid.library",
    "new_game": "tkid.library",
    "play": "tkid.library",
    "read_record": "tkid.record.format.reader",
    "replay": "tkid.record.play.replay",
    "rulesets": "tkid.rulebook.rulesets",
    "write_record": "tkid.record.play.writer",
}
"""The module of each name."""


def __getattr__(name: str) -> object:
    if name not in PLACES:
        raise AttributeError(f"module 'tkid' has no attribute {name!r}")
    value: object = getattr(import_module(PLACES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({"__version__", *PLACES})
