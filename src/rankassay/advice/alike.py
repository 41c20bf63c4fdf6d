"""Datasets of the atlas that are like the user's, and which metrics ranked first there.

`docs/render.py --atlas FOLDER` writes the two shipped tables from a run of `config/atlas.yaml`.
What they say is shown with the recommendation and takes no part in it: so few datasets inform, and
do not decide.

A dataset is near if each of three properties is: its density and its test ratings per user are
within half an order of magnitude of the user's (a factor of 3.2 either way), as those of real data
spread over several; and its Gini coefficient within .1, by which simulated worlds are called alike
(`rankassay.studies.validity.like.NEAR`). The two bounds are chosen by judgement: nothing is fitted.
"""

import functools
import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from rankassay.advice.cutoffs import default
from rankassay.advice.given import Given
from rankassay.advice.worlds import FOLDER
from rankassay.answers.words import CRITERIA
from rankassay.artifacts.tables import parsed
from rankassay.data.statistics import gini
from rankassay.studies.validity.like import NEAR

FACTOR = math.sqrt(10)  # of densities and of numbers of test ratings that are near
MOST = 3  # datasets that are named
PROPERTIES = ("density", "test_ratings", "gini")


def entry(given: Given) -> dict[str, Any] | None:
    """Return the datasets that are near, and the metrics that ranked first on most of them.

    Keys as `rankassay.advice.findings.TRUST` has them; leaders are records of criterion, metric,
    first (on how many of the datasets it ranked first) and datasets (that rank metrics by it); the
    rows are the user's data and the datasets, the nearest first. A dataset is not like itself, by
    its name. None without training ratings, and where no dataset is near.
    """
    own, known = properties(given), tables()[0]
    others = known[known["dataset"] != given.about.get("dataset")]
    near = nearest(own, others) if own else None
    if near is None or near.empty:
        return None
    cutoff = default(given.judgements.n_relevant, given.depth)
    found = leaders(tables()[1], [*near["dataset"]], cutoff)
    if not found:
        return None
    rows = [{"dataset": "your data", **own}]
    rows += near[["title", *PROPERTIES]].rename(columns={"title": "dataset"}).to_dict("records")
    return {
        "kind": "alike",
        "datasets": len(near),
        "titles": [*near["title"]],
        "cutoff": found[0]["cutoff"],
        "leaders": found,
        "rows": rows,
    }


def properties(given: Given) -> dict[str, float] | None:
    """Return density, Gini coefficient and test ratings of the user's data; None if unknown.

    Density and Gini coefficient are of the training ratings and of items that have some; test
    ratings are the median of a user with any.
    """
    if not given.train or given.popularity is None:
        return None
    rated = given.popularity[given.popularity > 0]
    counts = np.diff(given.judgements.start)
    counts = counts[counts > 0]
    if not len(rated) or not len(counts):
        return None
    pairs = given.train["users"] * given.train["items"]
    return {
        "density": given.train["ratings"] / pairs,
        "test_ratings": float(np.median(counts)),
        "gini": gini(rated),
    }


def nearest(own: Mapping[str, float], datasets: pd.DataFrame) -> pd.DataFrame:
    """Return the datasets that are near by all three properties, at most `MOST`, nearest first.

    The distance is the sum of squares of the three differences, each in units of its bound.
    """
    parts = {
        name: np.log(datasets[name].to_numpy(float) / own[name]) / math.log(FACTOR)
        for name in ("density", "test_ratings")
    }
    parts["gini"] = (datasets["gini"].to_numpy(float) - own["gini"]) / NEAR
    apart = np.abs(np.column_stack([parts[name] for name in PROPERTIES]))
    within = (apart <= 1 + 1e-9).all(axis=1)
    order = np.argsort((apart**2).sum(axis=1)[within], kind="stable")
    return datasets[within].iloc[order[:MOST]]


def leaders(places: pd.DataFrame, datasets: list[str], cutoff: int) -> list[dict[str, Any]]:
    """Return by criterion the metric that ranked first on most datasets, at the nearest cut-off.

    A metric is there only if it did on more than half of those that rank metrics by the criterion;
    of equals, the first of the table.
    """
    known = places[places["dataset"].isin(datasets)]
    if known.empty:
        return []
    at = min(known["cutoff"].unique(), key=lambda own: (abs(math.log(own / cutoff)), own))
    found = []
    for criterion in CRITERIA:
        rows = known[(known["criterion"] == criterion) & (known["cutoff"] == at)]
        n = rows["dataset"].nunique()
        first = rows.loc[rows["rank"] == 1, "metric"].value_counts(sort=False)
        if len(first) and 2 * first.max() > n:
            own = {"criterion": criterion, "cutoff": int(at), "metric": str(first.idxmax())}
            found.append(own | {"first": int(first.max()), "datasets": n})
    return found


@functools.cache
def tables() -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the shipped tables: the datasets with their properties, and the ranks of metrics."""
    return parsed(FOLDER / "atlas-datasets.csv"), parsed(FOLDER / "atlas-places.csv")
