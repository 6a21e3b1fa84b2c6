"""What every game shares: legal sets, the partial-action ladder, problems, events. Knows no game."""
