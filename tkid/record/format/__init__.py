"""From the bytes of a game file to a record, and back."""
