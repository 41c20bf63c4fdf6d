"""The table of unbiased estimators."""

from collections.abc import Mapping

import pandas as pd

from rankassay.answers import identical
from rankassay.drawing.table import Table, stacked
from rankassay.studies.validity.tables import or_missing

COLUMNS = {"gain": "Gain", "estimator": "Estimator", "value": "Mean"}
COLUMNS |= {"relative_error": "Relative error", "dp": "DP", "interval": "95 % interval"}
COLUMNS |= {"significant_05": "Significant", "tau": "τ with plain"}


def estimators(estimators: pd.DataFrame, cutoff: int, titles: Mapping[str, str]) -> Table:
    """Return the values of propensity estimators, compared with the plain metrics."""
    shown = estimators[estimators["cutoff"] == cutoff]
    ends = shown["low"].map("{:.1f}".format) + " to " + shown["high"].map("{:.1f}".format)
    shown = shown.assign(interval=ends.where(shown["low"].notna(), ""))
    return Table(
        stacked(shown, identical.with_all(shown, COLUMNS), titles),
        f"Propensity-based estimators next to plain metrics, at cut-off {cutoff}.",
        {"Mean": "{:.4f}".format, "Relative error": or_missing("{:.3f}"), "DP": "{:.2f}".format}
        | {"τ with plain": or_missing("{:.2f}"), identical.ALL_PAIRS: "{:.2f}".format},
        note="Gain: what a relevant item adds at its place. Mean: of the systems. Relative error: "
        "the standard error of a system's mean over users, as a share of the mean. DP: the sum of "
        "the p-values of all pairs of systems; Significant: pairs with p < 0.05."
        f"{identical.note(shown, titles)}",
    )
