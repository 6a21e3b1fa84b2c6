"""The layer below all games: legal sets, the partial-action ladder, problems, events."""
