"""Metrics on a sample of the irrelevant items: what they are worth in expectation."""
