"""Commands that answer questions about the rules."""
