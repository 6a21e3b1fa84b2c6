"""The command that opens the site with the rules from the reader's own disk."""
