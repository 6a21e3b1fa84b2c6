"""The command for editors."""
