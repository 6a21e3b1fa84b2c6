"""Proof that nobody cheated: seals, draws without a dealer, proofs, opening hands."""
