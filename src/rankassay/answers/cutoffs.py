"""The best cut-off of a metric, by the criteria of a summary, and its weaknesses.

Several cut-offs are mostly tied with the best one. Of these the smallest is named: it can be filled
by the most users, and lists need not be longer.
"""

from collections.abc import Iterator, Mapping

import pandas as pd

from rankassay.answers.validity import decimal
from rankassay.drawing.sentences import fill
from rankassay.drawing.text import sum_of_p_values
from rankassay.metrics.catalogue import entry, label

OVERALL = "overall"
ROBUST = 0.8  # a mean correlation below is not called robust: of ten pairs of systems, one reversed
AGAINST = {"sparsity": "missing ratings", "popularity": "popularity bias"}
BEST = "The best cut-off for {metric} by average rank is {best}{tied}."
TIED = ", tied with {first} (95%)"
EVIDENCE = (
    "{name} reaches mean {correlation} = {sparsity} with missing ratings and {popularity} without "
    "popular items. Its DP is {power}."
)
NOT_ROBUST = "It is not robust to {what} (below {bound})."
LESS_ROBUST = "It is less robust to {what} than {other} ({value})."
LESS_POWER = "It has less discriminative power than {other} (DP {value})."
UNFILLED = (
    "{half} {users:has|have} at most {median:n test rating}, too few to fill a list of {cutoff}."
)


def best_cutoff(rows: pd.DataFrame, metric: str, criterion: str = OVERALL) -> int | None:
    """Return the smallest cut-off that is the best of a metric or tied with it (95%), or None.

    There is none of a metric that no cut-off changes, and none of one without ranks. Without
    replicates nothing is known of ties, and the best counts.
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
    """Return which cut-off suits a metric, on what evidence, and what the metric is bad at there.

    Several sentences, or none of a metric with fewer than two cut-offs.
    """
    own = _ranked(rows, metric, OVERALL)
    if len(own) < 2:
        return ""
    cutoff = best_cutoff(rows, metric)
    first = [at(k) for k in own.loc[own["cutoff_rank"] == 1, "cutoff"].astype(int)]
    tied = "" if at(cutoff) in first else fill(TIED, first=first)
    by = {name: _ranked(rows, metric, name) for name in (*AGAINST, "power")}
    here = {name: found[found["cutoff"] == cutoff].iloc[0] for name, found in by.items()}
    said = [fill(BEST, metric=label(metric), best=at(cutoff), tied=tied)]
    values = {name: decimal(here[name]["value"], 3) for name in AGAINST}
    values |= {"power": sum_of_p_values(here["power"]["value"], 1)}
    name = label(metric, cutoff)
    said.append(fill(EVIDENCE, values, name=name, correlation=_correlation(rows)))
    return " ".join([*said, *_weaknesses(by, here, metric), *_unfilled(rows, cutoff)])


def _ranked(rows: pd.DataFrame, metric: str, criterion: str) -> pd.DataFrame:
    """Return the cut-offs of a metric that are compared by a criterion."""
    own = rows[(rows["metric"] == metric) & (rows["criterion"] == criterion)]
    compared = own["cutoff"].notna() & own["cutoff_rank"].notna()
    return own[compared & entry(metric).cut]


def _correlation(rows: pd.DataFrame) -> str:
    """Return the name of the correlation that robustness is the mean of."""
    known = rows["correlation"].dropna().unique()
    return "τ" if all(name.startswith("tau") for name in known) else "correlation"


def _weaknesses(
    by: Mapping[str, pd.DataFrame], here: Mapping[str, pd.Series], metric: str
) -> Iterator[str]:
    """Yield by what criteria a cut-off is bad, or significantly worse than another."""
    for name, what in AGAINST.items():
        if here[name]["value"] < ROBUST:
            yield fill(NOT_ROBUST, what=what, bound=decimal(ROBUST))
        elif _is_behind(here[name]):
            best = by[name][by[name]["cutoff_rank"] == 1].iloc[0]
            other, value = label(metric, best["cutoff"]), decimal(best["value"], 3)
            yield fill(LESS_ROBUST, what=what, other=other, value=value)
    if _is_behind(here["power"]):
        best = by["power"][by["power"]["cutoff_rank"] == 1].iloc[0]
        other, value = label(metric, best["cutoff"]), sum_of_p_values(best["value"], 1)
        yield fill(LESS_POWER, other=other, value=value)


def _is_behind(row: pd.Series) -> bool:
    """Whether a cut-off is known to be worse than the best one."""
    return bool(pd.notna(row["cutoff_apart"]) and row["cutoff_apart"])


def _unfilled(rows: pd.DataFrame, cutoff: int | None) -> Iterator[str]:
    """Yield that most users cannot fill a cut-off, where they cannot."""
    median, users = rows["ratings_median"].max(), rows["test_users"].max()
    if cutoff is not None and cutoff > median:
        who = half(users)
        who = f"{who[0].upper()}{who[1:]}"
        number = 2 if users > 1 else 1
        yield fill(UNFILLED, half=who, users=number, median=int(median), cutoff=cutoff)


def half(users: int) -> str:
    """Return whose numbers of test ratings are at most the median."""
    return f"half of the {users:,} test users" if users > 1 else "the one test user"
