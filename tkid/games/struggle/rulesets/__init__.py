"""The editions of The King is Dead: one short file each, beside the register of its rules."""
