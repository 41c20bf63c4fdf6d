"""Metrics beyond accuracy: of whole sets of lists, and of lists with the training ratings.

Their input is `rankassay.metrics.beyond.lists.Shown`. A metric that is a mean over users returns
values by user; any other is a function of sums over users (`rankassay.metrics.beyond.lists.Sums`).
"""
