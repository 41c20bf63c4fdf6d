"""What the datasets of a run are like, and how many findings hold on each."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from rankassay.studies.atlas.counts import FAILS, HOLDS, UNCERTAIN, as_measured

COLUMNS = ["dataset", "title", "implicit", "users", "items", "ratings", "density", "gini"]
COLUMNS += ["test_ratings", "systems", "findings", "hold", "uncertain", "fail", "lacking"]
COLUMNS += ["changed"]


def datasets(
    split: pd.DataFrame,
    summary: pd.DataFrame,
    findings: pd.DataFrame,
    runs: Mapping[str, Mapping[str, Any]],
) -> pd.DataFrame:
    """Return a row for each dataset.

    Parameters
    ----------
    split : DataFrame
        Columns dataset, part (train, test), users, items, ratings, ratings_median and gini, of what
        is left after filters.
    summary : DataFrame
        Columns dataset and systems, how many were compared.
    findings : DataFrame
        As `rankassay.studies.atlas.findings.findings` returns it.
    runs : mapping
        By dataset title and implicit.

    Returns
    -------
    DataFrame
        Columns dataset, title, implicit; users, items, ratings, density and gini, the Gini
        coefficient of the items' numbers of ratings, of the training set; test_ratings, the median
        number of a user; systems; findings, how many of MovieLens 1M were judged (those that the
        paper reports for other datasets may contradict them), and how many of these hold, are
        uncertain and fail by the verdict over all settings; lacking, how many do not hold for what
        was measured with all settings; and changed, of how many other settings change
        the verdict.
    """
    rows = []
    known = findings[~findings["elsewhere"].astype(bool)]
    for dataset, own in known.groupby("dataset", sort=False):
        parts = split[split["dataset"] == dataset].set_index("part")
        train = parts.loc["train"]
        rows.append(
            {"dataset": dataset, "title": runs[dataset]["title"]}
            | {"implicit": runs[dataset]["implicit"]}
            | {name: int(train[name]) for name in ("users", "items", "ratings")}
            | {"density": train["ratings"] / (train["users"] * train["items"])}
            | {"gini": train["gini"], "test_ratings": float(parts.loc["test", "ratings_median"])}
            | {"systems": int(summary.loc[summary["dataset"] == dataset, "systems"].max())}
            | {"findings": len(own), "hold": int((own["outcome"] == HOLDS).sum())}
            | {"uncertain": int((own["outcome"] == UNCERTAIN).sum())}
            | {"fail": int((own["outcome"] == FAILS).sum())}
            | {"lacking": int((~as_measured(own)).sum())}
            | {"changed": int(own["changed"].astype(bool).sum())}
        )
    return pd.DataFrame(rows, columns=COLUMNS)
