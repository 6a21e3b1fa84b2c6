"""The front door of a host: mails that carry no key of a game, what they change in the database, and the letters about it."""
