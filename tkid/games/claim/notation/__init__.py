"""How Claim is written: cards, turns, positions, and what plans wait for."""
