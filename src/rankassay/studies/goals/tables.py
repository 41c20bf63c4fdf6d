"""The tables of the study of goals: constructed rankings, properties, and the bias measured."""

from collections.abc import Mapping

import pandas as pd

from rankassay.drawing.table import MISSING, Table, by_dataset
from rankassay.metrics.catalogue import label

STATISTICS = {"dependence": "Dependence", "spread": "Spread", "order": "Lowest τ"}
MADE = {"chance": "Chance", "confusion": "Confusion"}


def examples(examples: pd.DataFrame) -> Table:
    """Return the values behind figures 1 to 4: a row for each example, a column for each metric."""
    shown = examples.fillna({"recommender": "", "ranking": ""})
    names = {"figure": "Figure", "example": "Example", "recommender": "Recommender"}
    names |= {"ranking": "Ranking", "length": "Length"}
    wide = shown.pivot(index=list(names), columns="metric", values="value")
    metrics = list(dict.fromkeys(shown["metric"]))
    frame = wide[metrics].reset_index().rename(columns=names)
    frame[["Recommender", "Ranking"]] = frame[["Recommender", "Ranking"]].replace("", MISSING)
    # The names of single users' values, which are averaged elsewhere.
    return Table(
        frame,
        "All metrics on the constructed rankings of figures 1 to 4 (r relevant, i irrelevant, best "
        "first).",
        dict.fromkeys(metrics, "{:.3f}".format),
        note="Chance is the mean over all rankings. The rankings of figures 1 and 4 are only "
        "pictures in the paper: these are reconstructed from its captions and text.",
    )


def properties(properties: pd.DataFrame) -> Table:
    """Return the properties that the paper states, with their exceptions."""
    columns = {"section": "Section", "statement": "Statement", "cases": "Cases"}
    columns |= {"exceptions": "Exceptions", "share": "Share"}
    frame = properties[list(columns)].rename(columns=columns).reset_index(drop=True)
    frame["Section"] = frame["Section"].map(str)
    return Table(
        frame,
        "What the paper says of its metrics, tried on all rankings of a few items; exceptions are "
        "in bold.",
        {"Share": "{:.3f}".format},
        {"Exceptions": frame["Exceptions"] > 0},
        "The first statement contradicts those on order, and so has exceptions wherever the "
        "relevant items do not come first; the fourth is one of the paper's wishes for the "
        "measure, which its own construction does not fulfil.",
    )


def bias(bias: pd.DataFrame, bias_measured: pd.DataFrame, cutoff: int, titles: Mapping) -> Table:
    """Return how far each metric depends on the number of relevant items."""
    made = bias.pivot(index="metric", columns="statistic", values="value")[[*MADE]]
    parts = []
    for title, own in by_dataset(bias_measured[bias_measured["cutoff"] == cutoff], titles):
        found = own.pivot(index="metric", columns="statistic", values="value")[[*STATISTICS]]
        part = found.join(made).loc[list(dict.fromkeys(own["metric"]))]
        part.insert(0, "Dataset", title)
        part.insert(1, "Metric", part.index.map(label))
        parts.append(part)
    names = STATISTICS | MADE
    return Table(
        pd.concat(parts, ignore_index=True).rename(columns=names),
        f"How far metrics depend on the number of relevant items, at cut-off {cutoff}.",
        dict.fromkeys(names.values(), "{:.2f}".format),
        note="Dependence: the absolute rank correlation of a user's value with the user's number "
        "of relevant items, mean over the systems. Spread: the range of the mean over groups of "
        "users, as a multiple of the range over systems. Lowest τ: of a group's order of the "
        "systems with that of all groups. On the ten items of figure 3, chance: by how much the "
        "value of random lists varies with the share of relevant items; confusion: the best value "
        "of the inverse recommender less the worst of the perfect one.",
    )
