"""Action cards: one file for each kind, each a ladder of shapes with the rules it cites."""
