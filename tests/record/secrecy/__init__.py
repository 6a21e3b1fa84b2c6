"""What all players but one hold together before the end, and what that shows about the last hand: the claims of "Why it holds"."""
