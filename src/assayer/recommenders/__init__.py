"""The recommenders, one family a module."""
