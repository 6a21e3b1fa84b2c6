"""A host at work: the only part that uses database and network."""
