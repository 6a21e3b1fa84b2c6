"""How the games of the family of Claim are written: turns and positions."""
