"""Claims in words: the runs that they are judged in, numbers and intervals."""

from collections.abc import Iterator, Mapping

import pandas as pd

from rankassay.claims.verdicts import Run
from rankassay.drawing.table import MISSING


def runs(
    found: pd.DataFrame, titles: Mapping[str, str], variants: Mapping[str, Mapping]
) -> Iterator[tuple[dict[str, str], pd.DataFrame]]:
    """Yield dataset and settings of each run in words, and its rows.

    Runs with settings that were chosen by validation, or otherwise, come before those with the
    dataset's own; those of further splits have no rows.
    """
    there = {*found["dataset"]}
    names = dict.fromkeys([*(name for name in titles if name in there), *found["dataset"]])
    known = {name: Run.of(name, variants) for name in names}
    data = [*dict.fromkeys(run.data for run in known.values())]
    order = sorted(known, key=lambda name: (data.index(known[name].data), name not in variants))
    for name in order:
        own = found[found["dataset"] == name]
        settings = variants[name]["label"] if name in variants else MISSING
        if own["calibrated"].any():
            settings = "calibrated"
        title = titles.get(known[name].data, known[name].data)
        yield {"Dataset": title, "Settings": settings}, own


def interval(low: float, high: float) -> str:
    """Return an interval for readers, or a dash for none."""
    return MISSING if pd.isna(low) else f"{number(low)} to {number(high)}"


def number(value: float) -> str:
    """Return a number with four significant digits, whole numbers in full."""
    if pd.isna(value):
        return MISSING
    text = f"{value:.0f}" if float(value).is_integer() else f"{value:.4g}"
    return text.replace("-", "−")
