"""Answers to an editor about a game file: problems, rules, legal turns, the position."""
