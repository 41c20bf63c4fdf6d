"""The results of the study in short, for its tables and figures."""

import pandas as pd

from rankassay.metrics.catalogue import label


def moved(places: pd.DataFrame) -> pd.DataFrame:
    """Return whether each system has another place under each source than under the first.

    The places have a row for each source and a column for each system.
    """
    return places.ne(places.iloc[0]) & places.notna()


def distinct(sources: pd.DataFrame) -> dict:
    """Sum up sources that give the same values, the rows of `discrepancies.run` for them."""
    one = sources[sources["source"] == sources["source"].iloc[0]]
    best = one.sort_values("place", kind="stable").iloc[0]
    names = (sources["source"] + " " + sources["version"].fillna("")).str.strip()
    parts = [part for reason in dict.fromkeys(sources["reason"]) for part in reason.split("; ")]
    return {
        "sources": ", ".join(dict.fromkeys(names)),
        "mean": one["value"].mean(),
        "best": None if pd.isna(best["value"]) else best["system"],
        "max_difference": one["max_difference"].max(),
        "differing": one["differing"].max(),
        "left_out": one["left_out"].max(),
        "tau": best["tau"],
        "reordered": best["reordered"],
        "reasons": "; ".join(dict.fromkeys(parts)),
    }


def absences(rows: pd.DataFrame) -> list[str]:
    """Return which sources have no values of which metrics, and why."""
    parts = []
    absent = rows[rows["system"].isna()]
    for (source, reason), own in absent.groupby(["source", "reason"], sort=False):
        metrics = [*map(label, dict.fromkeys(own["metric"]))]
        everywhere = set(metrics) == {*map(label, rows["metric"])}
        parts.append(f"{source}: {reason}" + ("" if everywhere else f" ({', '.join(metrics)})"))
    return parts
