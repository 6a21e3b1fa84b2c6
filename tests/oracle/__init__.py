"""A naive oracle of the second edition, basic and advanced, written from the rulebook."""
