"""The ranking metrics, one family per module.

Each is a function of `judged`, a `Judged`, and of `cutoffs`, int64 (n_cutoffs,), increasing, with
its own parameters by name. It returns a `Total`, or float64 (n_users, n_cutoffs).
"""
