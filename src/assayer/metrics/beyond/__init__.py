"""Metrics beyond accuracy: of whole sets of lists, and of lists with the training ratings.

Their input is `assayer.metrics.beyond.lists.Shown`. A metric that is a mean over users returns
values by user; any other is a function of sums over users (`assayer.metrics.beyond.sums.Sums`).
"""
