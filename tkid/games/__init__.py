"""The games, by name, and the package of each. A new game is one more line here."""

GAMES = {"struggle": "tkid.games.struggle", "claim": "tkid.games.claim"}
