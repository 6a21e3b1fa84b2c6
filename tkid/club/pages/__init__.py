"""The pages of a club: each a text made of values. What is in them is what a spectator may know, under the names that players agreed to."""
