"""Metrics that reward lists for relevance and for the variety of their aspects.

Each is a function of `lists`, an `AspectLists`, and of `cutoffs`, int64 (n_cutoffs,), with its own
parameters by name. It returns float64 (n_users, n_cutoffs).
"""
