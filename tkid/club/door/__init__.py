"""The front door of a club: orders by mail that are about no turn, from a line to what it changes and who hears of it."""
