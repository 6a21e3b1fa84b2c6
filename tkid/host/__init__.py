"""A host at work: the only part that uses a database and the network."""
