"""From the bytes of a game file to a record: headers, seal, set-up, turns."""
