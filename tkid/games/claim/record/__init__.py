"""How Claim is recorded: set-up lines, what turns reveal, JSON, conformance."""
