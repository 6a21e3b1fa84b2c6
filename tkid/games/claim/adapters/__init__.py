"""How this game is shown to programs that learn."""
