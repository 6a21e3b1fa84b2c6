"""The King is Dead: board, position, moves, cards, turn, power struggles, endings, views."""
