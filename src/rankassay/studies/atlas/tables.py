"""Tables of the atlas: findings by dataset, conclusions, and what the datasets are like."""

from collections.abc import Mapping

import pandas as pd

from rankassay.answers.words import WITH_VALIDITY
from rankassay.drawing.table import MISSING, Table, nothing
from rankassay.errors import NothingToShowError
from rankassay.metrics.catalogue import label
from rankassay.studies.atlas.counts import COUNTED, counted
from rankassay.studies.atlas.words import MARKS, short

NOTE = (
    "+ reproduced, ~ reproduced but uncertain, ? not shown, × contradicted, – undefined: the "
    "verdict over users, subsets of the systems and all settings. * other settings change the "
    "verdict of the dataset's own run. Holds, uncertain, fails: datasets with +, with ~ or ?, and "
    "with ×. Measured: datasets on which all rows of the finding hold for what was measured, with "
    "all settings. † the paper reports it for other datasets than MovieLens 1M."
)
EMPTY = "no claim is about two of these datasets."


def findings(findings: pd.DataFrame) -> Table:
    """Return a row for each finding, with its verdict on each dataset and how many there are."""
    if findings.empty:
        raise NothingToShowError(EMPTY)
    counts = counted(findings)
    frame = pd.DataFrame({"Finding": [*map(short, counts.index)]}, index=counts.index)
    frame["Finding"] += counts["elsewhere"].map(lambda own: " †" if own else "")
    for title, own in findings.groupby("title", sort=False):
        marks = own["verdict"].map(MARKS) + own["changed"].map(lambda new: "*" if new else "")
        by_name = dict(zip(own["sentence"], marks, strict=True))
        frame[title] = [by_name.get(name, MISSING) for name in counts.index]
    for name in (*COUNTED, "measured", "changed"):
        frame[name.capitalize()] = counts[name]
    caption = "The findings of the paper on each dataset, those first that hold on most."
    return Table(frame.reset_index(drop=True), caption, note=NOTE)


def conclusions(conclusions: pd.DataFrame) -> Table:
    """Return the conclusions, a sentence each, with the finding that each rests on."""
    if conclusions.empty:
        raise NothingToShowError(EMPTY)
    frame = pd.DataFrame(
        {
            "": conclusions["number"],
            "Kind": conclusions["kind"],
            "Conclusion": conclusions["conclusion"],
            "Row": conclusions["sentence"].fillna("").replace("", MISSING),
        }
    )
    note = (
        "A finding holds on a dataset where all its rows hold for what was measured, with all "
        "settings. The datasets are no random sample of all data."
    )
    return Table(frame, "What is general, and what is not.", note=note)


def places(places: pd.DataFrame, cutoff: int, titles: Mapping[str, str]) -> Table:
    """Return the ranks of the metrics on each dataset at a cut-off, criterion by criterion."""
    rows = places[places["cutoff"] == cutoff]
    if rows.empty:
        raise nothing("ranks of metrics", cutoff)
    parts = []
    for criterion, heading in WITH_VALIDITY.items():
        own = rows[rows["criterion"] == criterion]
        ranks = own.pivot(index="metric", columns="dataset", values="rank")
        ranks = ranks[[name for name in titles if name in ranks]]
        ranks = ranks.loc[ranks.mean(axis=1).sort_values(kind="stable").index]
        frame = ranks.rename(columns=titles).astype("Int64").reset_index(drop=True)
        frame.insert(0, "Metric", [*map(label, ranks.index)])
        frame.insert(0, "Criterion", heading)
        parts.append(frame)
    frame = pd.concat(parts, ignore_index=True)
    marked = frame.iloc[:, 2:].eq(1).fillna(False).astype(bool)
    caption = f"Ranks of the metrics on each dataset at cut-off {cutoff}; 1 is the best."
    return Table(frame, caption, marked=marked)


def datasets(datasets: pd.DataFrame) -> Table:
    """Return a row for each dataset: what it is like, and how many findings hold there."""
    if datasets.empty:
        raise NothingToShowError(EMPTY)
    implicit = datasets["implicit"].astype(bool)
    frame = pd.DataFrame(
        {
            "": range(1, len(datasets) + 1),
            "Dataset": datasets["title"],
            "Feedback": implicit.map({True: "implicit", False: "explicit"}),
            "Users": datasets["users"],
            "Items": datasets["items"],
            "Ratings": datasets["ratings"],
            "Density": datasets["density"],
            "Gini": datasets["gini"],
            "Test ratings": datasets["test_ratings"],
            "Systems": datasets["systems"],
            "Findings": datasets["findings"],
            "Hold": datasets["hold"],
            "Uncertain": datasets["uncertain"],
            "Fail": datasets["fail"],
            "Not measured": datasets["lacking"],
            "Changed": datasets["changed"],
        }
    )
    whole = dict.fromkeys(["Users", "Items", "Ratings"], "{:,.0f}".format)
    formats = whole | {"Density": "{:.4%}".format, "Gini": "{:.2f}".format}
    return Table(
        frame,
        "The datasets of the atlas.",
        formats | {"Test ratings": "{:g}".format},
        note="Users, items, ratings, density and Gini coefficient: of the training set. Test "
        "ratings: the median of a user. Hold, uncertain, fail: findings, over all settings. Not "
        "measured: findings that do not hold for what was measured with the dataset's own "
        "settings. Changed: findings of which other settings change the verdict.",
    )
