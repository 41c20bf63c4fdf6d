"""Tables of the study of reliability: reliability of rankings, and planning."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from rankassay.declared.correlations import CORRELATIONS
from rankassay.drawing.table import Table, by_dataset, nothing, shown


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


def bin_name(low: float, high: float) -> str:
    """Return a bin of differences for readers.

    >>> bin_name(1, 2), bin_name(50, float("inf"))
    ('1–2%', 'over 50%')
    """
    return f"{low:g}–{high:g}%" if np.isfinite(high) else f"over {low:g}%"


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
