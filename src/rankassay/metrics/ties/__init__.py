"""Metrics of lists in which items have equal scores, over all orders of the tied items."""
