"""Readers of whatever somebody else writes, fed with damaged texts, and with texts that grow."""
