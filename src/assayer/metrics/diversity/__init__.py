"""Metrics that reward lists for relevance and for the variety of their aspects."""
