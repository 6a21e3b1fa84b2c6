"""Players that are programs: each sees a view, looks at a limited number of nodes, and chooses a turn."""
