"""The tables of the study of validity."""

from collections.abc import Callable, Mapping

import pandas as pd

from rankassay.drawing.table import MISSING, Table, stacked
from rankassay.errors import listed
from rankassay.metrics.catalogue import label
from rankassay.studies.validity.candidates import of_metrics, of_yardstick, on_all_items
from rankassay.studies.validity.words import LIKED, OWN, reference

TRUTHS = {LIKED: "true P@10", OWN: "own"}
RANKS = {"popularity_observed": "Popularity, observed", "popularity_true": "Popularity, true"}


def closed_world(closed_world: pd.DataFrame) -> Table:
    """Return observed and true P@1 of rankings in the closed world, next to the printed ones."""
    columns = {"ranking": "Ranking", "kind": "P@1", "value": "Mean", "error": "Standard error"}
    columns |= {"published": "Printed", "apart": "Apart"}
    frame = closed_world[[*columns]].rename(columns=columns)
    return Table(
        frame,
        "Observed and true P@1 of rankings of independent items, on average over worlds.",
        {"Mean": "{:.4f}".format, "Standard error": "{:.5f}".format}
        | {"Printed": or_missing("{:.4f}"), "Apart": or_missing("{:.1f}")},
        note="Apart: the distance of the mean from the printed one, in standard errors of the "
        "difference of two such means.",
    )


def worlds(worlds: pd.DataFrame, cutoff: int) -> Table:
    """Return the agreement of observed and true rankings in simulated worlds."""
    rows = of_metrics(of_yardstick(worlds[worlds["cutoff"] == cutoff], LIKED))
    keys = ["bias", "strength"]
    wide = rows.pivot_table("tau", keys, "metric", sort=False, dropna=False)
    frame = wide.rename(columns=lambda name: label(name, cutoff)).reset_index()
    means = rows.groupby(keys, sort=False)[["gini", *RANKS]].mean().reset_index(drop=True)
    frame.insert(2, "Gini", means["gini"])
    for name, heading in RANKS.items():
        frame[heading] = means[name]
    metrics = [column for column in frame if "@" in str(column)]
    frame = frame.rename(columns={"bias": "Bias", "strength": "Strength"})
    candidates = ", ".join(rows["candidates"].unique())
    return Table(
        frame,
        "Simulated worlds: Kendall's τ between the ranking of systems as observed and under true "
        "P@10, and the rank of the recommender by popularity; means over worlds.",
        dict.fromkeys(metrics, or_missing("{:.2f}"))
        | {"Strength": "{:g}".format, "Gini": "{:.2f}".format}
        | dict.fromkeys(RANKS.values(), or_missing("{:.1f}")),
        note=f"Lists are of {candidates}. Gini: of the items' numbers of observed ratings. The "
        "ranks of popularity are means over the metrics.",
    )


def prediction(prediction: pd.DataFrame) -> Table:
    """Return whether robustness to popularity, and power, go with validity."""
    rows = prediction[prediction["strength"].isna()]
    columns = {"yardstick": "Truth", "criterion": "Criterion", "among": "Among", "bias": "Bias"}
    columns |= {"cases": "Cases", "correlation": "τ"}
    return Table(
        rows.replace({"yardstick": TRUTHS})[[*columns]]
        .rename(columns=columns)
        .reset_index(drop=True),
        "Whether a criterion predicts validity in simulated worlds: Kendall's τ of the two.",
        {"τ": or_missing("{:.2f}")},
        note="Among measures: of one world, on average over worlds. Among worlds: of one measure, "
        "on average over measures. Power is the negative of DP. Own: each measure is compared with "
        "its own true value, and not with what users like.",
    )


def prediction_on_data(prediction_on_data: pd.DataFrame, titles: Mapping) -> Table:
    """Return whether the criteria go with validity on data with a truth."""
    columns = {"criterion": "Criterion", "measures": "Measures", "correlation": "τ"}
    return Table(
        stacked(prediction_on_data, columns, titles),
        "Whether a criterion goes with validity on data with a truth: Kendall's τ of the two over "
        "the measures.",
        {"τ": or_missing("{:.2f}")},
        note="Power is the negative of DP. Of one dataset there is no interval.",
    )


def agreement(agreement: pd.DataFrame, cutoff: int, titles: Mapping) -> Table:
    """Return the agreement of observed and true rankings, by the reference yardsticks."""
    columns = {"yardstick": "Yardstick", "metric": "Metric", "candidates": "Candidates"}
    columns |= {"tau": "τ", "interval": "95 % interval", "tau_ap": "τ_AP"}
    columns |= {"observed_winner": "Observed winner", "true_winner": "True winner"}
    columns |= {"winner_loss": "Loss", "right": "Right", "wrong": "Wrong", "undecided": "Tied"}
    columns |= {"popularity_true": "Popularity, true", "power": "DP"}
    at = agreement[agreement["cutoff"] == cutoff]
    own = [reference(of, cutoff) for _, of in at.groupby("dataset", sort=False)]
    rows = pd.concat(own) if own else at
    utility = listed(rows.loc[rows["yardstick"] != OWN, "utility"].unique()) or "P"
    ends = rows["low"].map("{:.2f}".format) + " to " + rows["high"].map("{:.2f}".format)
    shown = rows.assign(
        metric=rows["metric"].map(label), interval=ends.where(rows["low"].notna(), "")
    )
    return Table(
        stacked(shown, columns, titles),
        "Agreement of metrics on the test ratings with judgements of random items, at cut-off "
        f"{cutoff}.",
        dict.fromkeys(("τ", "τ_AP"), or_missing("{:.2f}"))
        | {"Loss": or_missing("{:.1%}"), "DP": "{:.1f}".format}
        | {"Popularity, true": or_missing("{:.1f}")},
        note=f"Yardstick: {utility} of what users like (liked), or like and had not known (new), "
        "by the truth alone; own: the metric itself on judgements of all candidates. Loss: the "
        "share of the best true value that the observed winner lacks. Right, Wrong, Tied: the "
        "pairs of systems that differ significantly as observed (two-sided at .05, not adjusted), "
        "by the sign of the true difference. Popularity, true: the rank of the recommender by "
        "popularity.",
    )


def yardsticks(agreement: pd.DataFrame, cutoff: int, titles: Mapping) -> Table:
    """Return the results under each yardstick and estimator, of systems and of metrics."""
    by = ["yardstick", "utility", "yardstick_cutoff", "estimator"]
    rows = on_all_items(agreement[agreement["cutoff"] == cutoff])
    rows = rows[rows["yardstick"] != OWN]
    groups = rows.groupby(["dataset", *by], sort=False)
    parts = groups.agg(
        true_winner=("true_winner", "first"),
        popularity_true=("popularity_true", "first"),
        median=("tau", "median"),
        least=("tau", "min"),
        most=("tau", "max"),
    ).reset_index()
    columns = {"yardstick": "Yardstick", "utility": "Utility", "yardstick_cutoff": "At"}
    columns |= {"estimator": "Estimator", "true_winner": "True winner"}
    columns |= {"popularity_true": "Popularity, true", "median": "τ, median", "least": "Lowest"}
    columns |= {"most": "Highest"}
    return Table(
        stacked(parts, columns, titles),
        f"The true ranking under each yardstick, and how the metrics at cut-off {cutoff} agree "
        "with it.",
        dict.fromkeys(("τ, median", "Lowest", "Highest"), or_missing("{:.2f}"))
        | {"Popularity, true": or_missing("{:.1f}")},
        note="Estimator: HT weighs judgements by their probability, Hajek is its ratio, DR adds a "
        "model of liking, plain has no weights; as published counts the observed test ratings as a "
        "part of the truth, unweighed, so that the two sides share ratings. Where that one differs "
        "from the others, it is biased. τ: Kendall's, over the metrics.",
    )


DIAGNOSTICS = {
    "inclusion": "Inclusion, by popularity",
    "weighed": "Weighed judgements a candidate",
    "set-aside": "In the truth, of judged candidates",
    "odds-ratio": "Odds ratio of liking, known",
    "judged-per-list": "Judged items a list",
    "effective-sample-size": "Effective sample size",
    "shared": "Shared ratings",
}


def diagnostics(diagnostics: pd.DataFrame, titles: Mapping) -> Table:
    """Return the diagnostics of the judgements that are the truth."""
    columns = {"diagnostic": "Diagnostic", "group": "Of", "value": "Value", "low": "Low"}
    columns |= {"high": "High", "warning": "Warning"}
    shown = diagnostics.assign(
        diagnostic=diagnostics["diagnostic"].map(DIAGNOSTICS),
        warning=diagnostics["warning"].fillna(""),
    )
    return Table(
        stacked(shown, columns, titles),
        "Diagnostics of the truth: what must hold of judgements of random items.",
        dict.fromkeys(("Value", "Low", "High"), or_missing("{:.3g}")),
        note="Inclusion: the share of the candidates of lists that is in the truth, by fifths of "
        "the items (5 is the most popular). Weighed judgements a candidate: 1 on average where the "
        "weights are right. In the truth, of judged candidates: the others are test ratings. Odds "
        "ratio: of liking, of known against unknown pairs of the same item (Mantel and "
        "Haenszel). Shared ratings: in the truth and observed (all); left out of what is observed, "
        "as they are in the truth (test); and of the truth, as they train (training).",
    )


def or_missing(form: str) -> Callable[[float], str]:
    """Return a formatter that prints a dash for no number."""
    return lambda value: MISSING if pd.isna(value) else form.format(value)
