"""The desk of whoever keeps the games of a host: what they may change in a game, what they are shown, and the host's time. Pure."""
