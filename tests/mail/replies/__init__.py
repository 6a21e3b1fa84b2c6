"""Replies made in the forms of mail programs: who writes them, in what language, how they are encoded."""
