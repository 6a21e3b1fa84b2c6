"""Claim: rules, notation, records, pictures, mail."""
