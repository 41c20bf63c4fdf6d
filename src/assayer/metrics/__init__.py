"""The ranking metrics, one family a module."""
