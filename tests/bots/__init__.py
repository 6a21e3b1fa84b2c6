"""Players that are programs, and what they find."""
