"""What all datasets of a run say: findings of a paper, the datasets themselves, metrics' places.

A finding is a sentence of the paper, and one number decides it (`rankassay.claims.judge`). What
needs a published number can be judged on the paper's data alone, and takes no part: the same
numbers are judged on all datasets.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from rankassay.answers.findings import WITH_VALIDITY
from rankassay.claims.conditions import (
    GENERAL,
    INCONCLUSIVE,
    OURS,
    REPRODUCED,
    VERDICTS,
    WITHOUT,
    Condition,
)
from rankassay.claims.verdicts import interval, without_families

DATASETS = ["dataset", "title", "source", "implicit", "users", "items", "ratings", "density"]
DATASETS += ["gini", "test_ratings", "systems"]
PLACES = ["dataset", "criterion", "cutoff", "metric", "rank", "value"]
# The sentences that the paper says of LibraryThing or BeerAdvocate, and not of MovieLens 1M.
ELSEWHERE = (
    *("metrics-all-alike", "metrics-bpref-apart", "metrics-bpref-map"),
    *("sparsity-map", "popularity-negative"),
)
FEWEST = 3  # sources of datasets: fewer have no scatter to speak of
NUMBER = ["expected", "predicate", "bound", "margin", "least", "greatest"]
COLUMNS = ["dataset", "title", "source", "settings", "sentence", "says", "said_in", "elsewhere"]
COLUMNS += ["id", "claim", *NUMBER, "holds", "mean", "low", "high", REPRODUCED]
COLUMNS += ["without", GENERAL, "over_all"]
OVER_ALL = ["sentence", "settings", "says", "said_in", "elsewhere", "claim", "expected"]
OVER_ALL += ["mean", "low", "high", GENERAL, "sources", "datasets", "hold", "without"]
OVER_ALL += ["verdict_without", "deciding"]


def findings(verdicts: pd.DataFrame, runs: Mapping[str, Mapping[str, Any]]) -> pd.DataFrame:
    """Return the number that decides each finding on each dataset, with both verdicts there.

    `runs` are as in `rankassay.claims.verdicts.over_splits`.

    Returns
    -------
    DataFrame
        A row for each dataset, settings of the systems (the label of a variant; empty for the
        dataset's own) and finding that two datasets have: source, of the dataset; elsewhere,
        whether the paper says it of other datasets than MovieLens 1M alone; id, claim and expected,
        the number and its condition; holds, whether the condition is met by what was measured; its
        mean with the interval over users, and the verdict `reproduced`; without, the numbers
        without each family of systems; the verdict `general`; and over_all, that over all
        datasets (`conclusions`). Further splits take no part.
    """
    asked = ~verdicts[REPRODUCED].isin(WITHOUT) & verdicts["decides"].astype(bool)
    of_paper = (verdicts["kind"] == "finding") & (verdicts["source"] != OURS)
    known = verdicts[asked & of_paper].drop(columns="source")
    usual = [name for name, run in runs.items() if not run["split"]]
    known = known[known["dataset"].isin(usual) & (known["predicate"] != "near")]
    known = known[~known["id"].str.endswith(":distance")]
    data = known["dataset"].map({name: run["of"] for name, run in runs.items()})
    known = known[data.groupby(known["sentence"]).transform("nunique") > 1]
    said = known["dataset"].map
    found = known.assign(
        title=said({name: run["title"] for name, run in runs.items()}),
        source=said({name: run["source"] for name, run in runs.items()}),
        settings=said({name: run["label"] for name, run in runs.items()}),
        elsewhere=known["sentence"].isin(ELSEWHERE),
    )
    found["dataset"] = said({name: run["of"] for name, run in runs.items()})
    place = {name: at for at, name in enumerate(runs)}
    found = found.sort_values("dataset", key=lambda own: own.map(place), kind="stable")
    over_all = conclusions(found).set_index(["sentence", "settings"])[GENERAL]
    keys = pd.MultiIndex.from_frame(found[["sentence", "settings"]])
    found["over_all"] = over_all.reindex(keys).fillna("").to_numpy()
    return found[COLUMNS].reset_index(drop=True)


def conclusions(findings: pd.DataFrame) -> pd.DataFrame:
    """Return the verdict on each finding over all datasets, one source counting once.

    Returns
    -------
    DataFrame
        A row for each finding and each of its datasets' settings: mean, of the means of the
        sources; low and high, its interval of 95% where datasets, by source, and systems, by
        family, are drawn anew; general, the verdict by it; sources and datasets, their numbers;
        hold, the datasets on which the condition is met by what was measured; verdict_without, the
        verdict where one source is left out, the one that is farthest from `general` in the order
        of `VERDICTS`; without, that source, empty if none changes it; and deciding, how many
        sources change it, each alone. There are none of fewer than 3 sources.
    """
    rows = []
    # A file has the usual settings as missing.
    findings = findings.assign(settings=findings["settings"].astype(object).fillna(""))
    for (sentence, settings), own in findings.groupby(["sentence", "settings"], sort=False):
        if own["source"].nunique() < FEWEST or own[["expected", "claim"]].nunique().max() > 1:
            continue
        mean, low, high, verdict = _over_sources(own)
        others = {name: _over_sources(own[own["source"] != name])[3] for name in {*own["source"]}}
        changed = sorted(
            (VERDICTS.index(other), name) for name, other in others.items() if other != verdict
        )
        # The one that is farthest from it counts.
        away = sorted(changed, key=lambda one: -abs(one[0] - VERDICTS.index(verdict)))
        first = own.iloc[0]
        rows.append(
            {name: first[name] for name in OVER_ALL if name in first}
            | {"sentence": sentence, "settings": settings, "mean": mean, "low": low, "high": high}
            | {GENERAL: verdict, "sources": own["source"].nunique(), "datasets": len(own)}
            | {"hold": int(own["holds"].astype(bool).sum())}
            | {"without": away[0][1] if away else ""}
            | {"verdict_without": VERDICTS[away[0][0]] if away else verdict}
            | {"deciding": len(changed)}
        )
    found = pd.DataFrame(rows, columns=OVER_ALL)
    by = {"key": lambda own: own.map(VERDICTS.index) if own.name == GENERAL else own}
    # The settings that were chosen by validation first; then what holds.
    found["own"] = found["settings"] == ""
    return found.sort_values(["own", GENERAL], kind="stable", **by).drop(columns="own")


def _over_sources(own: pd.DataFrame) -> tuple[float, float, float, str]:
    """Return the mean over sources, its interval and the verdict by it.

    Its errors are the scatter of the sources and that of the mean where one family of systems at a
    time is left out on all datasets.
    """
    means = own.groupby("source")["mean"].mean().to_numpy()
    weights = 1 / own.groupby("source")["mean"].transform("size")
    n = len(means)
    condition = Condition(*own.iloc[0][["predicate", "bound", "margin"]])
    if n < 2:
        return float(means.mean()), np.nan, np.nan, INCONCLUSIVE
    errors = [(means.std(ddof=1) / n**0.5, n - 1)]
    systems, families = without_families([*own["without"]], [*weights])
    errors.append((systems, max(families - 1, 1)))
    bounds = tuple(own.iloc[0][["least", "greatest"]])
    mean = float(means.mean())
    low, high = interval(mean, errors, bounds)
    return mean, low, high, condition.verdict(low, high)


def datasets(
    split: pd.DataFrame, summary: pd.DataFrame, runs: Mapping[str, Mapping[str, Any]]
) -> pd.DataFrame:
    """Return a row for each dataset.

    Returns
    -------
    DataFrame
        Columns dataset, title, source, implicit; users, items, ratings, density and gini, the Gini
        coefficient of the items' numbers of ratings, of the training set; test_ratings, the median
        number of a user; and systems.
    """
    rows = []
    for dataset, own in split.groupby("dataset", sort=False):
        parts = own.set_index("part")
        train = parts.loc["train"]
        rows.append(
            {"dataset": dataset}
            | {name: runs[dataset][name] for name in ("title", "source", "implicit")}
            | {name: int(train[name]) for name in ("users", "items", "ratings")}
            | {"density": train["ratings"] / (train["users"] * train["items"])}
            | {"gini": train["gini"], "test_ratings": float(parts.loc["test", "ratings_median"])}
            | {"systems": int(summary.loc[summary["dataset"] == dataset, "systems"].max())}
        )
    return pd.DataFrame(rows, columns=DATASETS)


def places(summary: pd.DataFrame) -> pd.DataFrame:
    """Return the ranks and values of the metrics on each dataset.

    Returns
    -------
    DataFrame
        Columns dataset, criterion (sparsity, popularity, power, and validity where there is a
        truth), cutoff, metric, rank and value: 1 is the best of the metrics at the cut-off, equals
        share the lower. Metrics without a rank are not there.
    """
    known = summary["criterion"].isin([*WITH_VALIDITY]) & summary["cutoff"].notna()
    rows = summary.loc[known & summary["rank"].notna(), PLACES]
    return rows.astype({"cutoff": int, "rank": int}).reset_index(drop=True)
