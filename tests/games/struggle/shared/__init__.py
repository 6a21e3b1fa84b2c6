"""What tests of The King is Dead share: games, positions, ladders."""
