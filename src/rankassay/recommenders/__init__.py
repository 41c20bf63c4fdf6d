"""The recommenders, one family per module."""
