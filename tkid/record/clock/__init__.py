"""Time in a record: the terms of the clock, and notes about what happened when."""
