"""Tables of the atlas: conclusions, findings by dataset, and what the datasets are like."""

from collections.abc import Mapping

import pandas as pd

from rankassay.answers.findings import WITH_VALIDITY
from rankassay.claims.conditions import GENERAL, REPRODUCED, SIGNS
from rankassay.claims.words import interval, number
from rankassay.drawing.table import MISSING, Table, nothing
from rankassay.errors import NothingToShowError
from rankassay.metrics.catalogue import label
from rankassay.studies.atlas.words import EMPTY, said, short

NOTE = (
    "+ holds, ? inconclusive, × does not hold: with the same systems, users drawn anew, and with "
    "settings chosen by validation. * the systems' usual settings have another verdict. † the "
    "paper reports it for other datasets than MovieLens 1M."
)


def conclusions(conclusions: pd.DataFrame) -> Table:
    """Return the verdict on each finding over all datasets, and what rests on one source."""
    if conclusions.empty:
        raise NothingToShowError(EMPTY)
    frame = pd.DataFrame(
        {
            "Finding": conclusions["says"],
            "Settings": [
                name or "usual" for name in conclusions["settings"].astype(object).fillna("")
            ],
            "Number": conclusions["claim"],
            "Expected": conclusions["expected"],
            "Mean": conclusions["mean"].map(number),
            "Interval": [*map(interval, conclusions["low"], conclusions["high"])],
            "General": conclusions[GENERAL],
            "Without one source": [*map(said, conclusions.to_dict("records"))],
            "Holds as measured": [
                f"{hold} of {n}"
                for hold, n in zip(conclusions["hold"], conclusions["datasets"], strict=True)
            ],
        }
    )
    n = int(conclusions["sources"].max())
    note = (
        f"General: where datasets are drawn anew, a source at a time (there are {n}), and systems, "
        "a family at a time. The datasets are no random sample of all data."
    )
    return Table(frame, "Which findings are general.", note=note)


def findings(findings: pd.DataFrame) -> Table:
    """Return a row for each finding, with its verdict on each dataset."""
    if findings.empty:
        raise NothingToShowError(EMPTY)
    names = [*dict.fromkeys(findings["sentence"])]
    elsewhere = {*findings.loc[findings["elsewhere"].astype(bool), "sentence"]}
    frame = pd.DataFrame({"Finding": [short(name) + " †" * (name in elsewhere) for name in names]})
    for title, own in findings.groupby("title", sort=False):
        # Chosen by validation first, as labels stand behind the empty one.
        settings = own["settings"].astype(object).fillna("")
        own = own.loc[settings.sort_values(ascending=False, kind="stable").index]
        verdicts = own.groupby("sentence")[REPRODUCED].agg(["first", "nunique"])
        marks = verdicts["first"].map(SIGNS) + verdicts["nunique"].map(lambda n: "*" * (n > 1))
        frame[title] = [marks.get(name, MISSING) for name in names]
    return Table(frame, "The findings of the paper on each dataset.", note=NOTE)


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
    """Return a row for each dataset: what it is like."""
    if datasets.empty:
        raise NothingToShowError(EMPTY)
    implicit = datasets["implicit"].astype(bool)
    frame = pd.DataFrame(
        {
            "": range(1, len(datasets) + 1),
            "Dataset": datasets["title"],
            "Source": datasets["source"],
            "Feedback": implicit.map({True: "implicit", False: "explicit"}),
            "Users": datasets["users"],
            "Items": datasets["items"],
            "Ratings": datasets["ratings"],
            "Density": datasets["density"],
            "Gini": datasets["gini"],
            "Test ratings": datasets["test_ratings"],
            "Systems": datasets["systems"],
        }
    )
    whole = dict.fromkeys(["Users", "Items", "Ratings"], "{:,.0f}".format)
    formats = whole | {"Density": "{:.4%}".format, "Gini": "{:.2f}".format}
    return Table(
        frame,
        "The datasets of the atlas.",
        formats | {"Test ratings": "{:g}".format},
        note="Users, items, ratings, density and Gini coefficient: of the training set. Test "
        "ratings: the median of a user.",
    )
