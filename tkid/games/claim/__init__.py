"""Claim: rules, rulesets, notation, records, pictures, mail, bots."""
