"""What the post does of its own for games of the family of Claim: cards to copy, standing orders and plans, a bot."""
