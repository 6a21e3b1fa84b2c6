"""How the games of the family of Claim are drawn."""
