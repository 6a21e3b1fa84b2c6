"""What a member may set and ask for by mail: digests, observing, a seat, a change of address, a pseudonym, a calendar."""
