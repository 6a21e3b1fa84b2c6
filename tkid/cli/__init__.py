"""The command line, a file for each group of commands. Only it sees arguments, clock, exit codes."""

import sys

__all__ = ["main"]

INTERRUPTED = 130
"""Exit code after Ctrl-C."""


def main() -> None:
    """Run the program. Ctrl-C ends it without a traceback, also while its modules are loaded."""
    try:
        from tkid.cli.app import main as run

        run()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
