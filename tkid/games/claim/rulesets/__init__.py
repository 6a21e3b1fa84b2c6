"""The ruleset of Claim, beside the register of its rules."""
