"""Which ranking metric can I trust, at which cut-off, on my data."""

__version__ = "0.1.0"
