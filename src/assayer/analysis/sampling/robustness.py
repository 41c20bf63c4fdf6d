"""Robustness of sampled metrics: do systems keep their order when test ratings are missing?"""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd
import scipy.sparse as sp

from assayer.analysis.definitions import DECIMALS
from assayer.analysis.rank_correlation import tau_b
from assayer.analysis.resampling import random_part
from assayer.analysis.sampling.samplers import uniform
from assayer.artifacts import Rankings
from assayer.metrics.judgements import Judgements
from assayer.progress import progress

Floats = npt.NDArray[np.float64]


def run(
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    evaluation: dict,
    metrics: Sequence[str],
    cutoffs: Sequence[int],
    sizes: Sequence[int],
    levels: Sequence[float],
    samples: int,
    seed: int,
    relevant: str = "together",
    replacement: bool = True,
) -> pd.DataFrame:
    """Correlate the systems' order on random parts of the test set with that on the whole.

    Both orders are by the same metric on samples of the same size, uniform ones, in expectation.
    Ratings that are left out are unknown, so that their items count as irrelevant ones.

    Parameters
    ----------
    test, rankings, evaluation, metrics, cutoffs, sizes, replacement
        As in `assayer.analysis.sampling.systems.run`.
    levels : sequence of float
        Percentages of the test ratings to keep.
    samples : int
        Random parts at each level, those of `assayer.analysis.resampling.random_part`.
    seed : int
    relevant : {"together", "alone"}

    Returns
    -------
    DataFrame
        Columns metric, cutoff, m (inf: all irrelevant items), level, samples, undefined (samples in
        which one side ties all systems), tau (the mean over the other samples), tau_exact (the mean
        of tau between the order on the part and the exact order on the whole test set).
    """
    judgements = Judgements.of(test, evaluation["threshold"])
    steps = [*sizes, None]

    def means(keep: npt.NDArray[np.bool_] | None) -> Floats:
        return _means(judgements, rankings, keep, steps, (metrics, cutoffs, replacement), relevant)

    whole = means(None)
    tables = []
    for level in progress(levels, "levels of sparsity"):
        taus, exact = [], []
        for number in range(samples):
            part = means(random_part(judgements.start, level, number, seed))
            taus.append(tau_b(part, whole))
            exact.append(tau_b(part, whole[-1:]))
        tables.append(_rows(steps, metrics, cutoffs, level, np.array(taus), np.array(exact)))
    return pd.concat(tables)


def _means(judgements, rankings, keep, steps, choices, relevant) -> Floats:
    """Return the systems' means on a part, float64 (n_sizes, n_measures, n_systems)."""
    part = judgements if keep is None else judgements.sample(keep)
    metrics, cutoffs, replacement = choices
    means = []
    for ranking in rankings.values():
        ranks = ranking.ranks if keep is None else ranking.ranks[keep]
        system = uniform(ranking, part, relevant, ranks)
        values = [system.values(m, metrics, cutoffs, replacement).mean(axis=0) for m in steps]
        means.append(np.array(values))
    return np.round(np.moveaxis(np.array(means), 0, -1), DECIMALS)


def _rows(steps, metrics, cutoffs, level, taus: Floats, exact: Floats) -> pd.DataFrame:
    """Return the rows of a level from the correlations (n_samples, n_sizes, n_measures)."""
    rows = []
    for s, m in enumerate(steps):
        for column, (metric, cutoff) in enumerate((n, k) for n in metrics for k in cutoffs):
            own = taus[:, s, column]
            known = ~np.isnan(own)
            row = {"metric": metric, "cutoff": cutoff, "m": np.inf if m is None else float(m)}
            row |= {"level": level, "samples": len(own), "undefined": int((~known).sum())}
            row["tau"] = own[known].mean() if known.any() else np.nan
            other = exact[known, s, column]
            row["tau_exact"] = other.mean() if known.any() else np.nan
            rows.append(row)
    return pd.DataFrame(rows)
