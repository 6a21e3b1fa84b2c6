"""A naive oracle of the second edition's basic game, written from the rulebook."""
