"""How The King is Dead is recorded: set-up lines, hidden hands, JSON, conformance."""
