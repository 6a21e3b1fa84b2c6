"""A third game, complete from its rules to its mails: noughts and crosses, with a hidden card for each player."""
