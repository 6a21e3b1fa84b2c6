"""Records, positions and the conformance suite as JSON."""
