"""`python -m tkid`: the program, where its command is not on the path."""

from tkid.cli import main

if __name__ == "__main__":
    main()
