"""What mails about Claim need: cards to copy, standing orders, plans, a bot."""
