"""The matrix of verdicts, tables of findings, datasets and places, and findings in a few words."""

import textwrap
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle

from rankassay.answers.findings import WITH_VALIDITY
from rankassay.claims.conditions import GENERAL, REPRODUCED, SIGNS, VERDICTS
from rankassay.claims.figure import COLOURS, DARK
from rankassay.claims.words import interval, number
from rankassay.drawing import style
from rankassay.drawing.layout import CHARACTERS, PAGE, Panel, blank, saying
from rankassay.drawing.table import MISSING, Table, nothing
from rankassay.errors import NothingToShowError
from rankassay.metrics.catalogue import label

EMPTY = "no claim is about two of these datasets."

SHORT = {
    "gains-alike": "Gains of nDCG rank systems almost the same",
    "cutoffs-lowest": "Most correlations of cut-offs are above .85",
    "cutoffs-ndcg": "Cut-offs of nDCG correlate by at least .9",
    "cutoffs-ndcg-5": "nDCG@5 differs most from other cut-offs",
    "cutoffs-deep": "Cut-offs above 20 correlate very highly",
    "deeper": "Deeper is better, by all metrics and criteria",
    "power-above-50": "nDCG has more power above cut-off 50",
    "metrics-all-alike": "All metrics correlate above .9",
    "metrics-some-below": "Some metrics correlate below .8",
    "metrics-mrr-apart": "MRR differs from the other metrics",
    "metrics-bpref-apart": "bpref differs from the other metrics",
    "metrics-bpref-map": "bpref correlates poorly with MAP",
    "metrics-map-ndcg": "MAP correlates strongly with nDCG",
    "metrics-rest-alike": "The other metrics correlate fairly strongly",
    "sparsity-half": "τ is above .9 on half of the test ratings",
    "sparsity-best": "P and nDCG are very robust to sparsity",
    "sparsity-poor": "bpref, infAP, MRR are less robust to sparsity",
    "sparsity-map": "MAP is more robust to sparsity than bpref, infAP",
    "popularity-extremes": "P is most, MRR least robust to popularity bias",
    "popularity-negative": "Without popular items τ becomes negative",
    "figure-7": "τ without the most popular items, as printed",
    "table-3": "DP at cut-off 100, as printed",
    "power-poor": "bpref and infAP have a low power",
    "power-best": "nDCG, then P have by far the highest power",
    "power-ndcg-first": "nDCG has the highest power",
    "deeper-conclusion": "Cut-offs around 100 are better than 5 to 10",
    "mrr-least-robust": "MRR is least robust to both biases",
    "p-most-robust": "P is most robust to both biases",
}

ROW, COLUMN = 0.19, 0.3  # inches: a finding, a dataset
NAMES, ABOVE = 2.6, 2.1  # inches: the findings; titles of datasets and legend
GAP = 0.4  # datasets: between the datasets and what is said of all
CORNER = 0.42  # of a cell, where other settings have another verdict
NOTE = (
    "+ holds, ? inconclusive, × does not hold: with the same systems, users drawn anew, and with "
    "settings chosen by validation. * the systems' usual settings have another verdict. † the "
    "paper reports it for other datasets than MovieLens 1M."
)


@style.style()
def findings(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw a matrix of verdicts: a row for each finding, a column for each dataset, one for all.

    Findings are ordered by the verdict over all datasets; datasets are in the order of the table.
    """
    if table.empty:
        return saying(EMPTY)
    rank = {verdict: place for place, verdict in enumerate(VERDICTS)}
    ordered = table.assign(own=table["settings"].isna() | (table["settings"] == ""))
    ordered = ordered.assign(rank=ordered["over_all"].map(rank).fillna(len(rank)))
    names = [*dict.fromkeys(ordered.sort_values(["own", "rank"], kind="stable")["sentence"])]
    datasets = dict(zip(table["dataset"], table["title"], strict=True))
    at = {name: float(i) for i, name in enumerate(datasets)} | {"": len(datasets) + GAP}
    columns = len(datasets) + GAP + 1
    size = (max(NAMES + COLUMN * columns, PAGE), ABOVE + ROW * len(names))
    figure = blank(size, layout="constrained")
    axes = figure.add_subplot()
    known = ["settings", "sentence"]
    both = [table[["dataset", *known, REPRODUCED]], table[[*known, "over_all"]].drop_duplicates()]
    both = [own.set_axis([*own.columns[:-1], "verdict"], axis=1) for own in both]
    cells = pd.concat([both[0], both[1][both[1]["verdict"].isin(VERDICTS)].assign(dataset="")])
    for (dataset, sentence), own in cells.groupby(["dataset", "sentence"], sort=False):
        own = own.fillna({"settings": ""}).sort_values("settings", ascending=False)
        said = own["verdict"].tolist()
        _cell(axes, at[dataset], names.index(sentence), said)
    axes.set_xlim(0, columns)
    axes.set_ylim(len(names), 0)
    elsewhere = {*table.loc[table["elsewhere"].astype(bool), "sentence"]}
    labels = [f"{short(name)}{' †' * (name in elsewhere)}" for name in names]
    axes.set_yticks(np.arange(len(names)) + 0.5, labels, fontsize=6.5)
    heads = [*datasets.values(), "All datasets"]
    axes.set_xticks(np.array([*at.values()]) + 0.5, heads, rotation=90, fontsize=6.5)
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    _legend(figure, {*cells["verdict"]}, bool(elsewhere))
    return figure


def _cell(axes: Axes, column: float, row: int, said: Sequence[str]) -> None:
    """Draw a verdict, and in its corner that with other settings, where it differs."""
    look = {"edgecolor": "white", "linewidth": 0.8}
    axes.add_patch(Rectangle((column, row), 1, 1, facecolor=COLOURS[said[0]], **look))
    differs = len({*said}) > 1
    middle = (column + (0.36 if differs else 0.5), row + (0.46 if differs else 0.53))
    ink = "white" if said[0] in DARK else "0.1"
    axes.text(*middle, SIGNS[said[0]], ha="center", va="center", fontsize=6.5, color=ink)
    if differs:
        right, low = column + 1, row + 1
        corner = [(right, low), (right - CORNER * 1.25, low), (right, low - CORNER * 1.6)]
        axes.fill(*zip(*corner, strict=True), facecolor=COLOURS[said[1]], **look)


def _legend(figure: Figure, found: set, elsewhere: bool) -> None:
    """Explain colours, corners and the last column below the matrix."""
    handles = [
        Patch(facecolor=colour, label=f"{SIGNS[name]} {name}")
        for name, colour in COLOURS.items()
        if name in found
    ]
    said = "Cells: with the same systems, users drawn anew. All datasets: datasets, a source at a "
    said += "time, and systems, a family at a time, drawn anew. Corner: with the systems' usual "
    said += "settings, where that differs from settings chosen by validation."
    said += " † The paper reports it for other datasets." * elsewhere
    width = round(1.2 * CHARACTERS * figure.get_figwidth())
    figure.legend(
        handles=handles,
        loc="outside lower center",
        ncols=4,
        title=textwrap.fill(said, width),
        title_fontsize=6,
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


def findings_table(findings: pd.DataFrame) -> Table:
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


def short(sentence: str) -> str:
    """Return a finding in a few words; one that has none here by its name.

    >>> short("p-most-robust"), short("my-own")
    ('P is most robust to both biases', 'my own')
    """
    return SHORT.get(sentence, sentence.replace("-", " "))


def said(conclusion: Mapping) -> str:
    """Return what becomes of a verdict over all datasets where one source is left out.

    >>> said({"general": "holds", "verdict_without": "holds", "without": "", "deciding": 0})
    'the same'
    >>> row = {"verdict_without": "inconclusive", "without": "MovieLens", "deciding": 2}
    >>> said(row), said(row | {"deciding": 1})
    ('inconclusive without MovieLens (2 sources change it)', 'inconclusive without MovieLens')
    """
    changed = isinstance(conclusion["without"], str) and conclusion["without"]
    if not changed:
        return "the same"
    n = int(conclusion["deciding"])
    others = f" ({n} sources change it)" if n > 1 else ""
    return f"{conclusion['verdict_without']} without {conclusion['without']}{others}"
