"""Players that are programs: they see a view, are given a number of nodes to think with, and choose a whole turn."""
