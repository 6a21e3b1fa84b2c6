"""The rules of The King is Dead: board, position, moves, cards, power struggles, endings, views."""
