"""Former place of `assayer.analysis.rank_correlation`."""

from assayer.analysis.rank_correlation import rounded, system_values, tau_b  # noqa: F401
