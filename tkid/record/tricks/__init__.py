"""How games of the family of Claim are recorded: set-ups, what their turns tell of hidden cards, JSON."""
