"""The best cut-off of a metric, by the criteria of a summary, and its weaknesses.

Several cut-offs are mostly tied with the best one. Of these the smallest is named: it can be filled
by the most users, and lists need not be longer.
"""

from collections.abc import Iterator, Mapping

import pandas as pd

from assayer.drawing.text import sum_of_p_values
from assayer.errors import listed, number_of
from assayer.metrics.catalogue import is_cut, label

OVERALL = "overall"
ROBUST = 0.8  # a mean correlation below is not called robust: of ten pairs of systems, one reversed
# The criteria of robustness: the part of the ratings that a mean is over, and what it is against.
PARTS = {"sparsity": "with missing ratings", "popularity": "without popular items"}
AGAINST = {"sparsity": "missing ratings", "popularity": "popularity bias"}


def best_cutoff(rows: pd.DataFrame, metric: str, criterion: str = OVERALL) -> int | None:
    """Return the smallest cut-off that is the best of a metric or tied with it (95%), or None.

    There is none of a metric that no cut-off changes, and none of one without ranks. Without
    replicates nothing is known of ties, and the best counts.

    Parameters
    ----------
    rows : pandas.DataFrame
        The rows of one dataset, as `assayer.answers.criteria.summary` returns them.
    metric, criterion : str
    """
    own = _ranked(rows, metric, criterion)
    tied = ~own["cutoff_apart"].astype("boolean").fillna(True).astype(bool)
    found = own.loc[(own["cutoff_rank"] == 1) | tied, "cutoff"]
    return int(found.min()) if len(found) else None


def at(cutoff: int | None) -> str:
    """Return a best cut-off as figures and tables have it.

    >>> at(10), at(None)
    ('@10', '–')
    """
    return "–" if cutoff is None else f"@{cutoff}"


def sentence(rows: pd.DataFrame, metric: str) -> str:
    """Return the best cut-off of a metric, with the evidence and its weaknesses, as a sentence."""
    own = _ranked(rows, metric, OVERALL)
    if len(own) < 2:
        return ""
    cutoff = best_cutoff(rows, metric)
    first = [f"@{k:.0f}" for k in own.loc[own["cutoff_rank"] == 1, "cutoff"]]
    tied = "" if at(cutoff) in first else f", tied with {listed(first)} (95%)"
    said = f"{label(metric)} does best at @{cutoff} by the average rank of its cut-offs{tied}"
    by = {name: _ranked(rows, metric, name) for name in (*PARTS, "power")}
    here = {name: found[found["cutoff"] == cutoff].iloc[0] for name, found in by.items()}
    rests = ", ".join(f"{here[name]['value']:.3f} {part}" for name, part in PARTS.items())
    power = sum_of_p_values(here["power"]["value"], 1)
    said += f" (mean {_correlation(rows)} {rests}; DP {power})"
    weak = [*_weaknesses(by, here), *_unfilled(rows, cutoff)]
    return f"{said}, but there {listed(weak)}." if weak else f"{said}."


def _ranked(rows: pd.DataFrame, metric: str, criterion: str) -> pd.DataFrame:
    """Return the cut-offs of a metric that are compared by a criterion."""
    own = rows[(rows["metric"] == metric) & (rows["criterion"] == criterion)]
    compared = own["cutoff"].notna() & own["cutoff_rank"].notna()
    return own[compared & is_cut(metric)]


def _correlation(rows: pd.DataFrame) -> str:
    """Return the name of the correlation that robustness is the mean of."""
    known = rows["correlation"].dropna().unique()
    return "τ" if all(name.startswith("tau") for name in known) else "correlation"


def _weaknesses(by: Mapping[str, pd.DataFrame], here: Mapping[str, pd.Series]) -> Iterator[str]:
    """Yield the criteria under which a cut-off is bad, or significantly worse than another."""
    for name, what in AGAINST.items():
        if here[name]["value"] < ROBUST:
            yield f"it is not robust to {what} (below {ROBUST})"
        elif _is_behind(here[name]):
            best = by[name][by[name]["cutoff_rank"] == 1].iloc[0]
            value = f"{best['value']:.3f}"
            yield f"it is less robust to {what} than at @{best['cutoff']:.0f} ({value})"
    if _is_behind(here["power"]):
        best = by["power"][by["power"]["cutoff_rank"] == 1].iloc[0]
        value = sum_of_p_values(best["value"], 1)
        yield f"it has less discriminative power than at @{best['cutoff']:.0f} (DP {value})"


def _is_behind(row: pd.Series) -> bool:
    """Whether a cut-off is known to be worse than the best one."""
    return bool(pd.notna(row["cutoff_apart"]) and row["cutoff_apart"])


def _unfilled(rows: pd.DataFrame, cutoff: int) -> Iterator[str]:
    """Yield that most users cannot fill a cut-off, where they cannot."""
    median, users = rows["ratings_median"].max(), rows["test_users"].max()
    if cutoff > median:
        yield f"{half(users)} at most {number_of(int(median), 'test rating')}, too few to fill it"


def half(users: int) -> str:
    """Return whose numbers of test ratings are at most the median, before that number."""
    return f"half of the {users:,} test users have" if users > 1 else "the one test user has"
