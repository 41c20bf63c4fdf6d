"""Grids of settings: their points, the best of them, and their figure."""
