"""Playing a record through: replay, what a seat may know, the chain of hashes, turns taken back."""
