"""What a host gives to the outside: the pages of a club, written to a folder, and what it tells other programs of turns and ends."""
