"""Records that somebody else sent: compare, diagnose, join."""
