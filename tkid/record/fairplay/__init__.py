"""Proof that nobody cheated: draws without a dealer, proofs of a deal, opening hands."""
