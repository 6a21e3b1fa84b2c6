"""What a seat may know of a game, as text, pictures, replays and boards to click."""
