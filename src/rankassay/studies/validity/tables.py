"""The tables of the study of validity."""

from collections.abc import Callable, Mapping
from itertools import product

import pandas as pd

from rankassay.answers import identical
from rankassay.answers.validity import down
from rankassay.drawing.table import MISSING, Table, by_dataset, name_of, nothing, shown, stacked
from rankassay.errors import listed
from rankassay.metrics.catalogue import label
from rankassay.metrics.evaluate import Measure
from rankassay.statistics.differences import in_short
from rankassay.studies.validity.names import (
    ALL,
    ALWAYS,
    APART,
    HALVES,
    LIKED,
    MEAN_RANK,
    OWN,
    SHOWN,
    kind_name,
    measure_name,
)
from rankassay.studies.validity.rows import of_metrics, of_yardstick, on_all_items, reference

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
        note="Yardsticks are different questions, and may have opposite answers; estimators answer "
        "the same one. Estimator: HT weighs judgements by their probability, Hajek is its ratio, "
        "DR adds a model of liking, plain has no weights; as published counts the observed test "
        "ratings as a part of the truth, unweighed, so that the two sides share ratings. Where "
        "that one differs from the others, it is biased. τ: Kendall's, over the metrics.",
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


# The kinds of APART, and what the last row of each table is about.
TOGETHER = "All together: without the kinds that are reported apart, the last ones."
STRATEGIES = {
    "power": "Best discriminative power",
    "sparsity": "Most robust to sparsity",
    "popularity": "Most robust to popularity",
    MEAN_RANK: "Best average rank",
    ALWAYS: "Always nDCG@10",
}


def kinds(kinds: pd.DataFrame) -> Table:
    """Return tau with the truth and the loss of the winner, by kind and measure."""
    rows = kinds[kinds["half"] == HALVES[1]]
    names = list(dict.fromkeys(rows["kind"]))
    frame = pd.DataFrame({"Worlds": [*map(kind_name, names)]})
    for metric, cutoff in SHOWN:
        own = rows[(rows["metric"] == metric) & (rows["cutoff"] == cutoff)]
        own = own.set_index("kind").reindex(names)
        frame[measure_name(metric, cutoff)] = [*map(_tau_and_loss, own["tau"], own["loss"])]
    chosen = rows[rows["chosen"]].set_index("kind").reindex(names)
    frame["Chosen"] = [*map(measure_name, chosen["metric"], chosen["cutoff"])]
    return Table(
        frame,
        "Simulated worlds by what decides which ratings are observed: Kendall's τ of the systems' "
        "observed order and their order by true P@10, and the share of true P@10 that the observed "
        "winner loses.",
        note=f"Means over the worlds of the second half. {TOGETHER} Chosen: the measure with the "
        "highest mean τ in the first half; of all kinds, the one whose greatest shortfall in any "
        "kind is least.",
    )


def _tau_and_loss(tau: float, loss: float) -> str:
    if pd.isna(tau):
        return or_missing("{}")(tau)
    return f"{tau:.2f} / {100 * loss:.0f} %"


def strategies(strategies: pd.DataFrame) -> Table:
    """Return how valid the measure is that each strategy takes, over all kinds."""
    rows = strategies[strategies["kind"] == ALL]
    columns = {"among": "Among", "strategy": "Strategy", "correlation": "τ of criterion"}
    frame = rows.assign(strategy=rows["strategy"].map(STRATEGIES))[[*columns, "tau", "loss"]]
    frame = frame.rename(columns=columns | {"tau": "τ with truth", "loss": "Loss"})
    several = strategies[~strategies["kind"].isin([ALL, *APART])].groupby(
        ["among", "strategy"], sort=False
    )
    ends = several["tau"].agg(["min", "max"]).reset_index()
    frame["Lowest kind"], frame["Highest kind"] = ends["min"].to_numpy(), ends["max"].to_numpy()
    number = or_missing("{:.2f}")
    return Table(
        frame.reset_index(drop=True),
        "Simulated worlds: whether a criterion that needs no truth leads to a valid measure.",
        dict.fromkeys(["τ of criterion", "τ with truth", "Lowest kind", "Highest kind"], number)
        | {"Loss": "{:.0%}".format},
        note=f"{TOGETHER} τ of criterion: Kendall's τ, over the measures of a world, of the "
        "criterion and of agreement with the truth (true P@10). Loss: of true P@10 by the winner "
        "under the measure that the strategy takes. Lowest and highest: the mean τ with the truth "
        "in any kind.",
    )


def gamma(gamma: pd.DataFrame) -> Table:
    """Return how often pairs that are significant at a bound of weights have the wrong sign."""
    rows = gamma[gamma["half"] == ALL]
    wide = rows.pivot(index="kind", columns="gamma", values="wrong").loc[
        [*dict.fromkeys(rows["kind"])]
    ]
    ratio = rows.drop_duplicates("kind").set_index("kind")["ratio_95"]
    frame = wide.rename(columns=lambda bound: f"Γ = {bound:g}").assign(ratio=ratio)
    frame.insert(0, "Worlds", [*map(kind_name, frame.index)])
    bounds = [name for name in frame if name.startswith("Γ")]
    heading = "95th percentile of the ratio"
    return Table(
        frame.rename(columns={"ratio": heading}).reset_index(drop=True),
        "Simulated worlds: of the pairs of systems that differ significantly under P@10 at a bound "
        "Γ of the weights of hits, the share whose true difference has the other sign.",
        dict.fromkeys(bounds, or_missing("{:.1%}")) | {heading: or_missing("{:.1f}")},
        note=f"Γ = 1 is the usual test. {TOGETHER} The ratio is what Γ bounds, of each pair: the "
        "root of the mean weight of the other system's hits divided by that of the leader's, with "
        "the weights that the world's own propensities give. The default Γ of the sensitivity "
        "analysis rests on such a table, made of more worlds.",
    )


ESTIMATORS = {"gain": "Gain", "estimator": "Estimator", "value": "Mean"}
ESTIMATORS |= {"relative_error": "Relative error", "dp": "DP", "interval": "95 % interval"}
ESTIMATORS |= {"significant_05": "Significant", "tau": "τ with plain"}


def estimators(estimators: pd.DataFrame, cutoff: int, titles: Mapping[str, str]) -> Table:
    """Return the values of propensity estimators, compared with the plain metrics."""
    shown = estimators[estimators["cutoff"] == cutoff]
    ends = shown["low"].map("{:.1f}".format) + " to " + shown["high"].map("{:.1f}".format)
    shown = shown.assign(interval=ends.where(shown["low"].notna(), ""))
    return Table(
        stacked(shown, identical.with_all(shown, ESTIMATORS), titles),
        f"Propensity-based estimators next to plain metrics, at cut-off {cutoff}.",
        {"Mean": "{:.4f}".format, "Relative error": or_missing("{:.3f}"), "DP": "{:.2f}".format}
        | {"τ with plain": or_missing("{:.2f}"), identical.ALL_PAIRS: "{:.2f}".format},
        note="Gain: what a relevant item adds at its place. Mean: of the systems. Relative error: "
        "the standard error of a system's mean over users, as a share of the mean. DP: the sum of "
        "the p-values of all pairs of systems; Significant: pairs with p < 0.05."
        f"{identical.note(shown, titles)}",
    )


def sensitivity(winners: pd.DataFrame, cutoff: int, titles: Mapping[str, str]) -> Table:
    """Return the winner and its nearest rival, a row for each metric."""
    rows = shown(winners.rename(columns={"measure": "counted"}), cutoff, "sensitivity")
    by = [Measure.parse(own) for own in rows["counted"]]
    rows = rows.assign(counted=[name_of(own.name, own.cutoff) for own in by])
    heads = {"measure": "Metric", "counted": "Hits by", "leader": "Winner", "gamma": "Γ"}
    heads |= {"rival": "Rival", "gamma_item": "Γ by item", "rival_item": "Rival by item"}
    heads |= {"standing": "Significant", "pairs": "Pairs", "default": "up to Γ"}
    rows = rows.replace({"rival": {"": None}, "rival_item": {"": None}})
    return Table(
        stacked(rows, heads, titles),
        "How much selection it takes to change the winner.",
        {"Γ": _gamma, "Γ by item": _gamma, "up to Γ": "{:g}".format},
        note="Γ: weights within [1/Γ, Γ] can put the rival first; by item: with one weight an "
        "item. ∞: no weights can. Hits by: the sum over judged items that stands for the metric. "
        "Users' denominators of Recall and nDCG are held fixed. "
        "Significant: pairs of systems that differ significantly under all weights up to this Γ.",
    )


def _gamma(value: float) -> str:
    """Return a Γ with two decimals, rounded down as in sentences.

    >>> _gamma(1.3456), _gamma(float("inf"))
    ('1.34', '∞')
    """
    return "∞" if value == float("inf") else down(value)


COMPARED = {"mean": "Mean difference", "absolute": "Mean absolute difference"}
COMPARED |= {"largest": "Largest difference", "tau": "τ"}
NOTHING = "No dataset of this run has published numbers: there is nothing to compare."
NOTE = (
    "Differences are measured less published, in percent of what was published. τ: Kendall's τ-b "
    "of the published and our values of a row's cells. The published p-values are of 78 systems, "
    "and compare only with those of the same number."
)


def target_items(target_items: pd.DataFrame, cutoff: int, titles: Mapping[str, str]) -> Table:
    """Return the mean of every system by metric and number of items added to the test items."""
    means = target_items.query("statistic == 'mean' and cutoff == @cutoff")
    if means.empty:
        raise nothing("target items", cutoff)
    parts, best = [], []
    for title, own in by_dataset(means, titles):
        last = own["size"].max()
        columns = own["size"].map(lambda n, last=last: "all" if n == last else f"N = {n}")
        wide = own.assign(size=columns).pivot(
            index=["metric", "system"], columns="size", values="value"
        )
        wide = wide.loc[[*product(own["metric"].unique(), own["system"].unique())]]
        wide = wide[[*dict.fromkeys(columns)]]
        best.append(wide == wide.groupby(level="metric").transform("max"))
        parts.append(wide.reset_index().assign(dataset=title))
    frame = pd.concat(parts, ignore_index=True)
    sizes = sorted(
        (name for name in frame if name.startswith("N = ")), key=lambda name: int(name[4:])
    )
    frame = frame[["dataset", "metric", "system", *sizes, "all"]]
    frame["metric"] = frame["metric"].map(lambda metric: f"{label(metric)}@{cutoff}")
    heads = {"dataset": "Dataset", "metric": "Metric", "system": "System"}
    marked = pd.concat(best, ignore_index=True).reindex(columns=[*sizes, "all"])
    return Table(
        frame.rename(columns=heads),
        "The systems' means when they rank the test items and N others; in bold the best of each "
        "metric.",
        dict.fromkeys([*sizes, "all"], "{:.3f}".format),
        {name: marked[name].eq(True).tolist() for name in marked},
        "Means over the users of all folds. Training items of a user that are drawn are left out, "
        "so that fewer than N are ranked. Where the best changes along a row, the choice of target "
        "items decides which system wins.",
    )


def target_published(target_items: pd.DataFrame, titles: Mapping[str, str]) -> Table:
    """Return how near the measured values are to the published ones, in short."""
    rows = []
    for title, own in by_dataset(target_items.dropna(subset="published"), titles):
        whole = own.fillna({"system": "", "metric": ""})
        for (statistic, system), cells in whole.groupby(["statistic", "system"], sort=False):
            what = f"{statistic.capitalize()}: {system}" if system else statistic.capitalize()
            row = {"Dataset": title, "What": what, "Cells": len(cells)}
            rows.append(row | in_short(cells, "value", relative=True))
    return Table(
        pd.DataFrame(rows, columns=["Dataset", "What", "Cells", *COMPARED]).rename(
            columns=COMPARED
        ),
        "Target items, published against measured: the differences of the values and of their "
        "ranking.",
        dict.fromkeys(COMPARED.values(), "{:.1f} %".format) | {"τ": "{:.3f}".format},
        note=NOTE if rows else NOTHING,
    )
