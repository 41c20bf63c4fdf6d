"""What the results of the study say in short, for its tables and figures and for the guide."""

import pandas as pd

from assayer.metrics.catalogue import label


def most_turned(orders: pd.DataFrame) -> pd.Series | None:
    """Return the two definitions that turn most pairs of systems significantly, or None.

    Parameters
    ----------
    orders : pandas.DataFrame
        Rows of one metric at one cut-off, as `assayer.studies.definitions.choices.orders` returns
        them.
    """
    worst = orders.loc[orders["turned_significantly"].idxmax()]
    return worst if worst["turned_significantly"] else None


def moved(places: pd.DataFrame) -> pd.DataFrame:
    """Say of each system and source if it has another place than under the first source.

    Parameters
    ----------
    places : pandas.DataFrame
        A row for each source, a column for each system.
    """
    return places.ne(places.iloc[0]) & places.notna()


def distinct(sources: pd.DataFrame) -> dict:
    """Return what the sources of one definition of a metric have in common.

    Parameters
    ----------
    sources : pandas.DataFrame
        The rows of sources with the same values, as
        `assayer.studies.definitions.discrepancies.run` returns them.
    """
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
    """Say which sources have no values of which metrics, and why."""
    parts = []
    absent = rows[rows["system"].isna()]
    for (source, reason), own in absent.groupby(["source", "reason"], sort=False):
        metrics = [*map(label, dict.fromkeys(own["metric"]))]
        everywhere = set(metrics) == {*map(label, rows["metric"])}
        parts.append(f"{source}: {reason}" + ("" if everywhere else f" ({', '.join(metrics)})"))
    return parts
