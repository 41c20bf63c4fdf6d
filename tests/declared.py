"""The contents of result tables against what is declared of their columns."""

import itertools

import numpy as np
import pandas as pd

from rankassay.declared.columns import NUMBER, bounds, column
from rankassay.studies import ANALYSES, STUDIES

# What an interval without a name of its own is of: the first of these that a table has. Those over
# samples need not hold the mean, and the bins of swap rates hold no rate.
POINTS = ("dp", "value", "tau", "correlation", "mean", "difference", "rate", "wrong")
WHOLE = ("count", "flag")  # units of whole numbers
NO_POINT = {"sparsity", "split-half", "incompleteness", "swap-rates"}
# Means of counts, which can be below 1, and a share that has the name of a count.
BELOW_ONE = {"sampling/corrections: wrong_one_draw", "validity/gamma: wrong"}


def check_ends(table, point, before="", within=0.0):
    """Raise AssertionError for intervals the wrong way round, or that never reach either side."""
    low, value, high = (
        table[name].astype(float) for name in (f"{before}low", point, f"{before}high")
    )
    assert (low.isna() == high.isna()).all()
    assert low.notna().any()
    assert not (low > value + within).any()
    assert not (value > high + within).any()
    assert (low < value).any()
    assert (value < high).any()


def turned(table, analysis):
    """Return the intervals of a table whose low end is above the point, or the point above high."""
    found = []
    for low in table.columns[table.columns.str.fullmatch("(.*_)?low")]:
        before = low.removesuffix("low")
        points = [before[:-1]] if before else [] if analysis in NO_POINT else POINTS
        ends = [low, *[name for name in points if name in table][:1], f"{before}high"]
        for lower, upper in itertools.pairwise(ends):
            found += (
                [f"{lower} above {upper}"] if (table[lower] > table[upper] + 1e-9).any() else []
            )
    return found


def faults(path):
    """Return the columns of an analysis's table that nobody declares, or beyond their bounds.

    And intervals the wrong way round, and shares that are declared as counts.
    """
    study, analysis = path.parts[-2], path.stem
    name = f"{study}/{analysis}"
    if (
        name not in ANALYSES or ANALYSES[name].judges
    ):  # claims have `rankassay.claims.judge.COLUMNS`
        return []
    own, table = STUDIES[study].columns, pd.read_csv(path, low_memory=False)
    found = [f"{name}: {each}" for each in table if column(each, own) is None]
    for each in table.select_dtypes(["number", "bool"]):
        least, greatest = bounds(each, table, own)
        values = table[each].to_numpy(float)
        outside = (values < np.array(least) - 1e-9) | (values > np.array(greatest) + 1e-9)
        found += [f"{name}: {each} of {values[outside][0]}"] if outside.any() else []
        within = (values > 0) & (values < 1)
        if (
            (column(each, own) or NUMBER).unit in WHOLE
            and within.any()
            and f"{name}: {each}" not in BELOW_ONE
        ):
            found.append(f"{name}: {each} of {values[within][0]}")
    return found + [f"{name}: {each}" for each in turned(table, path.stem)]
