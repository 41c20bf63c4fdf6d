"""Invented claims and result tables."""

import numpy as np
import pandas as pd
import scipy.stats

from rankassay.claims import judge as judging
from rankassay.claims.lists import expand
from rankassay.claims.measure import Cube
from rankassay.statistics.replicated import Replicated

# As many on either side of what is measured. Their standard deviation is .029, so that the interval
# of 0.7 goes from 0.643 to 0.757.
NOISE = np.linspace(-0.05, 0.05, 201)
PAPER = "Author, 2018"
INTERVAL = (0.643, 0.757)
ROWS = [("P", 5, 0.5), ("P", 10, 0.7), ("P", 20, 0.9), ("RR", 5, 0.4), ("RR", 10, 0.4)]


def bare(value, holds, published=None, name="a", **said):
    """Return a claim as a file has it."""
    return {
        "id": name,
        "where": "figure 1",
        "claim": "Something.",
        "datasets": {"ml-1m": published},
        "value": {"table": "sparsity", **value},
        "holds": holds,
    } | said


def claim(value, holds, published=None, name="a", **said):
    """Return a claim as it is read from a file: with all that it says of itself."""
    (one,) = expand([bare(value, holds, published, name, **said)], PAPER)
    return one


def cube(rows, noise=(), exact=False):
    """Return a table of taus by metric and cut-off, whose replicates move together."""
    table = pd.DataFrame(rows, columns=["metric", "cutoff", "tau"])
    replicates = table[["tau"]].to_numpy() + np.asarray(noise, dtype=float)[None]
    return Cube.of(Replicated(table, "tau", replicates), "tau", exact)


def judge(claims, tables, dataset, families=None, names=()):
    """Return the rows of claims by tables that are made already."""
    return judging._judged(claims, tables, dataset, families, names)[0]


def judged(value, holds, published=None, noise=(), exact=False, rows=ROWS, **said):
    """Return the row of one claim about one table."""
    one = claim(value, holds, published, **said)
    return judge([one], {"sparsity": cube(rows, noise, exact)}, "ml-1m").iloc[0]


def ends(measured, replicates):
    """Return the interval of a number whose error is the scatter of its replicates, by scipy."""
    known = np.asarray(replicates)[~np.isnan(replicates)]
    error, df = np.std(known, ddof=1), len(replicates) - 1
    return [*map(float, scipy.stats.t.interval(0.95, df, loc=measured, scale=error))]
