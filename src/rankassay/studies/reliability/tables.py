"""The tables of the study of reliability, and its findings on each dataset in sentences."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from rankassay.declared.correlations import CORRELATIONS
from rankassay.drawing.comparison_table import raised
from rankassay.drawing.table import (
    MISSING,
    Table,
    by_dataset,
    name_of,
    nothing,
    shown,
    told,
)
from rankassay.drawing.text import bound
from rankassay.errors import listed
from rankassay.studies.reliability.answers import sentences
from rankassay.studies.reliability.words import NEAR, NULLS, TESTS, bin_name, of_effects

# Readers' names of the tests of the audit.


def generalizability(
    generalizability: pd.DataFrame, cutoff: int, titles: Mapping[str, str]
) -> Table:
    """Return the reliability of rankings and means, and the users that a level takes."""
    parts = []
    for title, own in by_dataset(shown(generalizability, cutoff), titles):
        total = own[[f"variance_{name}" for name in SOURCES]].sum(axis=1)
        frame = pd.DataFrame(
            {"Dataset": title, "Metric": own["measure"].array, "Users": own["users"].array}
        )
        for name in SOURCES:
            frame[f"{name.capitalize()} (%)"] = (100 * own[f"variance_{name}"] / total).array
        for name, symbol in (("e_rho2", "E ρ²"), ("phi", "Φ")):
            frame[symbol] = own[name].array
            frame[f"{symbol}, interval"] = _interval(own, name, "{:.4f}".format)
        frame["Level"] = own["level"].array
        for name, symbol in (("e_rho2", "E ρ²"), ("phi", "Φ")):
            frame[f"Users for {symbol}"] = own[f"needed_{name}"].array
            frame[f"Users for {symbol}, interval"] = _interval(own, f"needed_{name}", _whole)
        parts.append(frame)
    frame = _joined(parts, cutoff)
    return Table(
        frame,
        "Generalizability: where the variance of users' values comes from, how reliable the "
        "differences between systems (E ρ²) and their means (Φ) are with the users that there "
        "are, and with how many users they reach a level.",
        {f"{name.capitalize()} (%)": "{:.1f}".format for name in SOURCES}
        | dict.fromkeys(("E ρ²", "Φ"), "{:.4f}".format)
        | dict.fromkeys(("Users for E ρ²", "Users for Φ"), _whole)
        | {"Users": _whole, "Level": "{:g}".format},
        note="Intervals assume normal effects.",
    )


SOURCES = ("systems", "users", "residual")


def split_half(split_half: pd.DataFrame, cutoff: int, titles: Mapping[str, str]) -> Table:
    """Return how well the rankings over two sets of users agree, and what was predicted.

    Of the sizes of the sets the smallest, the one in the middle and the largest are shown.
    Predictions outside of what the middle 95 % of the repetitions lie between are bold.
    """
    rows = shown(split_half, cutoff)
    rows = rows[rows["against"] == "half"]
    parts, outside = [], []
    for title, own in by_dataset(rows, titles):
        some = pd.concat(_three_sizes(each) for _, each in own.groupby("measure", sort=False))
        keys = some[some["coefficient"] == "pearson"]
        frame = pd.DataFrame(
            {"Dataset": title, "Metric": keys["measure"].array, "Users": keys["users"].array}
        )
        far = pd.DataFrame(False, frame.index, [])
        for name, predictions in SHOWN.items():
            symbol = "r" if name == "pearson" else CORRELATIONS[name].symbol
            mine = some[some["coefficient"] == name]
            frame[symbol] = mine["mean"].array
            for column in predictions:
                frame[f"{symbol}, {column}"] = mine[column].array
                far[f"{symbol}, {column}"] = _outside(mine, column)
        parts.append(frame)
        outside.append(far)
    frame = _joined(parts, cutoff)
    numbers = frame.columns[3:]
    return Table(
        frame,
        "Measured reliability: the correlation of the systems' means (r) and of their rankings "
        "between two disjoint sets of the same number of users, on average over random sets, next "
        "to the prediction of generalizability theory and gt4ireval's mapping of E ρ².",
        dict.fromkeys(numbers, "{:.3f}".format) | {"Users": _whole},
        pd.concat(outside, ignore_index=True),
        note="Users: of each set. Predictions are bold where they are outside the middle 95 % of "
        "the repetitions.",
    )


def _three_sizes(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of a metric's smallest sets, of those in the middle, and of the largest.

    Metrics without a value for some users have other sets than the others.
    """
    sizes = np.unique(rows["users"])
    return rows[rows["users"].isin(sizes[[0, len(sizes) // 2, -1]])]


# The predictions next to each coefficient; Pearson's is of the means, and no rank correlation.
SHOWN = {"pearson": ("theory",), "tau_b": ("theory", "mapped"), "tau_ap": ("mapped",), "rbo": ()}


def swap_rates(swap_rates: pd.DataFrame, cutoff: int, titles: Mapping[str, str]) -> Table:
    """Return how often other users show the opposite, by the size of the difference."""
    parts = []
    for title, own in by_dataset(shown(swap_rates, cutoff), titles):
        own = own[own["users"] == own.groupby("metric")["users"].transform("max")]
        keys = own[own["low"] == own["low"].min()]
        frame = pd.DataFrame(
            {"Dataset": title, "Metric": keys["measure"].array, "Users": keys["users"].array}
        )
        for (low, high), bin_ in own.groupby(["low", "high"]):
            frame[bin_name(low, high)] = (100 * bin_["rate"]).array
        parts.append(frame)
    frame = _joined(parts, cutoff)
    return Table(
        frame,
        "Swap rates: how often (%) the other half of the users reverses a difference between two "
        "systems, by its size in percent of the better system's mean.",
        {"Users": _whole} | dict.fromkeys(frame.columns[3:], "{:.1f}".format),
        note="Users: of each half.",
    )


def required_users(required_users: pd.DataFrame, cutoff: int, titles: Mapping[str, str]) -> Table:
    """Return how many users it takes to find a difference between two systems."""
    rows = shown(required_users, cutoff)
    parts = []
    for title, own in by_dataset(rows, titles):
        keys = ["metric", "cutoff", "percent", "difference"]
        single = own[own["tests"] == 1]
        many = own[own["tests"] == own["tests"].max()]
        both = single.merge(many, on=keys, suffixes=("", "_all"))
        sought = [
            f"{row.difference:g}" if pd.isna(row.percent) else f"{row.percent:g}%"
            for row in both.itertuples()
        ]
        frame = pd.DataFrame(
            {"Dataset": title, "Metric": both["measure"].array, "Difference": sought}
        )
        for name, heading in HEADINGS.items():
            frame[heading] = both[name].array
        parts.append(frame)
    frame = _joined(parts, cutoff)
    first = rows.iloc[0]
    single = rows[rows["tests"] == 1].iloc[0]
    return Table(
        frame,
        f"Number of users that it takes to detect a difference with {100 * first['power']:g} % "
        f"power by Student's paired t at {single['alpha']:g}, in a single test and in tests of all "
        "pairs of systems (alpha divided by their number), by formula and by resampling.",
        dict.fromkeys(HEADINGS.values(), _whole),
        note=f"{PAIRS[first['pair']]} Differences in percent are of the better system's mean. "
        "Resampling is left out where it would take too many draws.",
    )


HEADINGS = {"required": "Users", "resampled": "resampled"}
HEADINGS |= {"required_90": "for 90% of pairs", "required_worst": "for every pair"}
HEADINGS |= {"required_all": "Users, all tested", "resampled_all": "resampled, all tested"}
PAIRS = {
    "median": "Users: enough for half of the pairs of systems that vary.",
    "neighbours": "Users: enough for half of the pairs of neighbours by their means that vary.",
    "worst": "Users: enough for every pair of systems that vary.",
}


def _joined(parts: list[pd.DataFrame], cutoff: int) -> pd.DataFrame:
    """Return the rows of all datasets; raises RankassayError where there are none."""
    if not parts:
        raise nothing("measures", cutoff)
    return pd.concat(parts, ignore_index=True)


def _whole(number: float) -> str:
    return "∞" if np.isinf(number) else f"{number:,.0f}"


def _interval(rows: pd.DataFrame, name: str, printer) -> list[str]:
    """Return the intervals of a number as texts."""
    ends = zip(rows[f"{name}_low"], rows[f"{name}_high"], strict=True)
    return [
        "" if pd.isna(low) or pd.isna(high) else f"{printer(low)} to {printer(high)}"
        for low, high in ends
    ]


def _outside(rows: pd.DataFrame, column: str) -> list[bool]:
    """Return in which rows a prediction is outside of the range of the repetitions."""
    return [*((rows[column] < rows["low"]) | (rows[column] > rows["high"]))]


COUNTS = {"pairs": "Pairs", "significant": "Significant", "small": "Of these small"}
COUNTS |= {"equivalent": "Small", "open": "Open"}
SIZES = {"d_z": "Median |d|", "superiority": "Median superiority"}
NOTE = (
    "Small: shown by two one-sided t tests. Open: neither significant nor shown to be small. d: "
    "Cohen's, of paired differences. Superiority: the share of users who are better off with the "
    "system that more users are better off with; ties count half."
)


def effect_sizes(effect_sizes: pd.DataFrame, cutoff: int, titles: Mapping[str, str]) -> Table:
    """Return how many pairs of systems differ significantly, and how many too little to matter."""
    rows = shown(effect_sizes, cutoff, "effect sizes")
    parts, said = [], []
    for title, own in by_dataset(rows, titles):
        columns = {"Dataset": title, "Metric": own["measure"], "Users": own["users"]}
        parts.append(pd.DataFrame(columns | {h: own[name] for name, h in (COUNTS | SIZES).items()}))
        said.append(f"{title}: {of_effects(told(own).iloc[0])}")
    corrections = " or ".join(dict.fromkeys(rows["correction"]))
    level = (
        f"p < {rows['alpha'].iloc[0]:g}, corrected for all pairs: {corrections} for significance, "
        "holm for the one-sided tests."
    )
    region = listed([*dict.fromkeys(rows["equivalence"].map(bound))])
    return Table(
        pd.concat(parts, ignore_index=True),
        "Differences between systems: how many are significant, and how many are shown to be too "
        f"small to matter (by less than {region}).",
        {"Users": "{:,}".format, SIZES["d_z"]: "{:.2f}".format}
        | {SIZES["superiority"]: "{:.3f}".format},
        note=f"{NOTE} {level} {' '.join(said)}",
    )


def _counted(beats: str) -> str:
    """Return how many systems are named, and nothing for none."""
    return f"{beats.count(',') + 1}" if beats else ""


def systems(systems: pd.DataFrame, cutoff: int, titles: Mapping[str, str]) -> Table:
    """Return the systems' means, with raised letters for the systems that each one beats.

    Where a dataset has more systems than there are letters, their number is raised.
    """
    rows = shown(systems, cutoff, "systems")
    measures = [*dict.fromkeys(rows["measure"])]
    key = ["dataset", "letter", "system"]
    means, ranks, beats = (
        rows.pivot(index=key, columns="measure", values=value)[measures]
        for value in ("mean", "rank", "beats")
    )
    order = rows.drop_duplicates(key)[key]
    order = pd.concat([own.assign(Dataset=title) for title, own in by_dataset(order, titles)])
    index = pd.MultiIndex.from_frame(order[key])
    means, ranks, beats = (each.loc[index].reset_index(drop=True) for each in (means, ranks, beats))
    heads = order[["Dataset", "letter", "system"]].reset_index(drop=True)
    heads = heads.rename(columns={"letter": "", "system": "System"})
    corrections = " or ".join(dict.fromkeys(rows["correction"]))
    many = heads[""].str.len().max() > 1
    above = "numbers count" if many else "letters name"
    return Table(
        heads.join(means),
        f"Means of the systems at cut-off {cutoff}; the best ones are bold.",
        dict.fromkeys(measures, "{:.4f}".format),
        (ranks == 1).fillna(False),
        f"Raised {above} the systems of the same dataset that a system beats significantly: p < "
        f"{rows['alpha'].iloc[0]:g}, corrected for all pairs ({corrections}).",
        {name: [*beats[name].fillna("").map(_counted if many else raised)] for name in measures},
    )


COLUMNS = {"name": "Metric", "users": "Users", "delta": "Delta", "error": "Error", "test": "Test"}
COLUMNS |= {"rate": "Measured", "standard_error": "Standard error", "published": "Published"}
COLUMNS |= {"deviation": "Deviation"}


def type_errors(type_errors: pd.DataFrame, titles: Mapping[str, str]) -> Table:
    """Return the rates of errors of five tests, a row for each metric and way to make data."""
    rows, marked, said = [], [], []
    keys = ["metric", "cutoff", "users", "error", "null", "delta", "alpha"]
    for title, own in by_dataset(type_errors, titles):
        said += sentences(own, title)
        for key, cell in own.groupby(keys, sort=False, dropna=False):
            metric, cutoff, users, error, null, delta, alpha = key
            by_test = cell.set_index("test").loc[[*TESTS]]
            row = {"Dataset": title, "Metric": name_of(metric, cutoff), "Users": users}
            row |= {"Error": error, "Delta": delta, "Alpha": alpha, "Data": NULLS[null]}
            heads = [*TESTS.values()]
            rows.append(row | dict(zip(heads, by_test["rate"], strict=True)))
            beyond = (by_test["low"] > alpha) & (error == "I")
            marked.append(dict(zip(heads, beyond, strict=True)))
    frame = pd.DataFrame(rows)
    printed = {"Users": "{:,}".format, "Delta": "{:g}".format, "Alpha": "{:g}".format}
    return Table(
        frame,
        "How often significance tests err: type I, significant though the means are equal; II, not "
        "significant though they differ by delta; III, significant in the wrong direction.",
        printed | dict.fromkeys(TESTS.values(), "{:.3f}".format),
        pd.DataFrame(marked),
        "In bold: the 95 % interval of a rate of type I lies above alpha. Where labels were "
        "exchanged, or data simulated from exchanged labels, systems differ by chance alone; what "
        "a test rejects of the second beyond the first is due to the simulation. "
        f"{MISSING}: no system can be better by delta. {' '.join(said)}",
    )


def type_errors_published(measured: pd.DataFrame) -> Table:
    """Return the rates on TREC's tracks and the published ones.

    All rates of type I are shown, and of the other types those that differ by more than .05 (II)
    or .01 (III).
    """
    far = measured["deviation"].abs() > measured["error"].map(NEAR)
    parts = []
    for error, limit in NEAR.items():
        own = measured["error"] == error
        if own.any():
            parts.append(f"type {error}, {far[own].sum()} of {own.sum()} by more than {limit:g}")
    shown = measured[(measured["error"] == "I") | far].reset_index(drop=True)
    names = [name_of(*cell) for cell in zip(shown["metric"], shown["cutoff"], strict=True)]
    tests = shown["test"].map(TESTS)
    frame = shown.assign(name=names, test=tests)[[*COLUMNS]].rename(columns=COLUMNS)
    digits = dict.fromkeys(["Measured", "Standard error", "Published"], "{:.4f}".format)
    return Table(
        frame,
        "Errors of significance tests at alpha .05, two-tailed, on TREC's tracks, and the "
        f"published rates (Urbano, Lima and Hanjalic, 2019). They differ: {'; '.join(parts)}.",
        digits | {"Delta": "{:g}".format, "Deviation": "{:+.4f}".format},
        {"Deviation": [*(shown["deviation"].abs() > shown["error"].map(NEAR))]},
        "All cells of type I, and of the others those that differ so, which are in bold.",
    )
