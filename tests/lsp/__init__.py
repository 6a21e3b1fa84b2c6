"""The language server, driven by a client as an editor drives it."""
