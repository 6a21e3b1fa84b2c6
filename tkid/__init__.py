"""tkid: the rules of The King is Dead as code, and the engine to play it by e-mail."""

__version__ = "0.1.0"
