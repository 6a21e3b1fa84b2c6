"""Play a record through: replay, writing, what a seat may know, the chain of hashes, take-backs."""
