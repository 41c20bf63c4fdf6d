"""Sentences on comparisons across datasets."""

from collections.abc import Callable

import pandas as pd

from rankassay.answers.across import POWER
from rankassay.answers.average_ranks import average_ranks
from rankassay.answers.words import SELECTION
from rankassay.errors import listed
from rankassay.statistics.across_datasets import ENOUGH

BY = {
    "sparsity": "more robust to sparsity",
    "popularity": "more robust to popularity bias",
    POWER: "more discriminative",
    "validity": "more valid for liked items",
    SELECTION: "more robust to selection",
    "validity-new": "more valid for liked items that are new to the user",
}


def sentence(rows: pd.DataFrame, what: str, better: str, label: Callable[[str], str] = str) -> str:
    """Return the findings on the pairs of one measure or criterion.

    Nobody is named as better unless both tests say so on `ENOUGH` datasets or more.

    Parameters
    ----------
    rows : DataFrame
        One row per pair, of `systems_across` or `metrics_across`.
    what : {"system", "metric"}
    better : str
        Such as "more robust to sparsity".
    label : callable
        Names for readers.
    """
    left_out = rows["left_out"].iloc[0]
    if not pd.isna(left_out) and left_out:
        names = listed([label(name) for name in left_out.split(", ")])
        said = _found(rows, what, better, label)
        return f"{said} Not compared, for lack of results on some datasets: {names}."
    return _found(rows, what, better, label)


def too_few(n: int) -> str:
    """Return that these are too few datasets."""
    return f"{n} datasets are too few for significant differences: it takes {ENOUGH} or more."


def _found(rows: pd.DataFrame, what: str, better: str, label: Callable[[str], str]) -> str:
    n, p, alpha = (rows[name].iloc[0] for name in ("datasets", "p_friedman", "alpha"))
    if n < ENOUGH:
        return too_few(n)
    ranks = average_ranks(rows, what)
    first, lead = ranks.index[0], ranks.iloc[0]
    sharing = [label(name) for name in ranks.index[ranks == lead]]
    said = f"On {n} datasets, {listed(sharing)} {'have' if len(sharing) > 1 else 'has'} the best "
    said += f"average rank ({lead:.1f})"
    told = rows[(rows[f"{what}_a"] == first) & rows["apart"]].rename(columns={f"{what}_b": "b"})
    if told.empty:
        return (
            f"{said}. No {what} is significantly {better} than another (Iman and Davenport, "
            f"p = {p:.2g}; Nemenyi, α = {alpha:g})."
        )
    beaten = listed([label(name) for name in told["b"]])
    others = [label(name) for name in ranks.index[1:] if name not in {*told["b"]}]
    rest = f" It is not significantly better than {listed(others)}." if others else ""
    wins = told["wins"].min()
    each = f"each of these on at least {wins}" if len(told) > 1 else f"it on {wins}"
    return (
        f"{said}. {label(first)} is significantly {better} than {beaten} (Nemenyi, p < {alpha:g}). "
        f"It beats {each} of {n} datasets.{rest}"
    )
