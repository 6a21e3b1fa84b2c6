"""The commands for playing from hand to hand, without a server."""
