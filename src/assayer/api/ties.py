"""How many ties runs have, and what they could change."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from assayer.api.evaluate import DEFAULT, checked
from assayer.data import inputs
from assayer.data.frames import Qrels, lists_with_ties
from assayer.data.sources import QrelsSource, RunSource, rows_of, several
from assayer.errors import AssayerError, one_of
from assayer.metrics.judgements import Judgements
from assayer.metrics.profiles import PROFILES
from assayer.metrics.ties.expected import OVER, tied_values


def ties(
    qrels: QrelsSource | Qrels,
    run: RunSource | Mapping[str, RunSource],
    metrics: str | Sequence[str] = DEFAULT,
    profile: str = "paper",
    threshold: float | None = None,
) -> pd.DataFrame:
    """Return what the order of items with equal scores could change in the means of metrics.

    Parameters are those of `assayer.evaluate`.

    Returns
    -------
    DataFrame
        One row for each metric, or for each run and metric of several, with the columns expected,
        least and greatest, the mean over users of the mean, least and greatest value over all
        orders of tied items; users, the share of all users whose value depends on the order; and
        tied, the share of the listed judged items that share their score. Of several runs also
        open: whether the order of ties alone could put another run on the other side of this one.

    Raises
    ------
    AssayerError
        As `assayer.evaluate` with ties="expected".

    Examples
    --------
    >>> import assayer
    >>> run = {"ann": {"film": 2, "book": 2}, "bob": {"song": 1}}
    >>> assayer.ties({"ann": {"film": 5, "book": 1}, "bob": {"song": 4}}, run, ["RR", "P@1"])
         expected  least  greatest  users      tied
    RR      0.875   0.75       1.0    0.5  0.666667
    P@1     0.750   0.50       1.0    0.5  0.666667
    """
    metrics = inputs.names("metrics", metrics)
    one_of("profile", profile, PROFILES)
    if isinstance(qrels, Judgements):
        raise AssayerError("ties need judgements with ids, found Judgements; give their rows.")
    qrels = checked(qrels, threshold)
    if not several(run):
        return _of_one(qrels, run, "the run", metrics, profile)
    tables = {n: _of_one(qrels, r, f"the run {n}", metrics, profile) for n, r in run.items()}
    table = pd.concat(tables, names=["run", "metric"])
    return table.assign(open=_open(table, len(metrics)))


def _of_one(qrels: Qrels, run, what: str, metrics: list[str], profile: str) -> pd.DataFrame:
    """Return the table of one run."""
    lists, first, last, _ = lists_with_ties(rows_of(run, what, "score"), qrels)
    arrays = qrels.judgements, lists, first, last, metrics
    values = {over: tied_values(*arrays, over, profile) for over in OVER}
    counted = ~np.isnan(values["worst"])
    n = np.maximum(counted.sum(axis=0), 1)
    means = {over: np.where(counted, v, 0).sum(axis=0) / n for over, v in values.items()}
    listed = lists.ranks > 0
    columns = {
        "expected": means["expected"],
        "least": means["worst"],
        "greatest": means["best"],
        "users": (values["best"] > values["worst"]).mean(axis=0),
        "tied": np.count_nonzero(first < last) / max(np.count_nonzero(listed), 1),
    }
    return pd.DataFrame(columns, index=metrics)


def _open(table: pd.DataFrame, n_metrics: int) -> np.ndarray:
    """Say for each row whether the range of another run on the same metric allows both orders."""
    least, greatest = (
        table[name].to_numpy().reshape(-1, n_metrics) for name in ("least", "greatest")
    )
    overlap = (least[:, None] < greatest[None]) & (least[None] < greatest[:, None])
    overlap[np.arange(len(least)), np.arange(len(least))] = False
    return overlap.any(axis=1).ravel()
