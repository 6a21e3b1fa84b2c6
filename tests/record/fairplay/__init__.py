"""Tests of seals and proofs."""
