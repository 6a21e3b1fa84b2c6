"""A second implementation of deals without a dealer, written from `docs/dealing-together.md` and not from the program.

It needs integers and hashlib only. It is slow and not safe against people who measure time: it is there to compare.
"""
