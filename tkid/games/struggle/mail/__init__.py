"""What mails about The King is Dead need: turns to copy, plans, a bot."""
