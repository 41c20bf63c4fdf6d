"""Metrics beyond accuracy: of whole sets of lists, and of lists beside what training knows.

Their input is `assayer.metrics.beyond.lists.Shown`. One that is a mean over users gives its values
by user; another one gives what it makes of sums over users (`assayer.metrics.beyond.sums.Sums`).
"""
