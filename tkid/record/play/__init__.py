"""Playing a record through: replay, writing, what a seat may know, the chain of hashes, turns taken back."""
