"""Preferences between two lists, by where their relevant items stand; no values of either list."""
