"""What cannot be shown."""


class UnknownCardError(LookupError):
    """No card has this name: why, and which are meant."""
