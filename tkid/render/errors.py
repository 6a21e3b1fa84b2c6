"""What cannot be shown."""


class UnknownCardError(LookupError):
    """No card has this name: why, and which are meant."""


class NoPngError(RuntimeError):
    """A picture cannot be drawn as PNG: why, and what to install."""
