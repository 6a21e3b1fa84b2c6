"""What editors ask of a game file while it is written: problems, rules, legal turns, the position. `server.py` speaks to them."""
