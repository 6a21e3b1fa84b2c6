"""The command line: one file for each group of commands. Only here are arguments, clock and exit codes seen."""

from tkid.cli.app import main

__all__ = ["main"]
