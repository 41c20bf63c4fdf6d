"""Declarations of result tables: correlations, and units and bounds of columns."""
