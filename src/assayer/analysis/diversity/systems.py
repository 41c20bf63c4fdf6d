"""The recommenders by diversity metrics, with accuracy metrics beside them.

What Valcarce et al., RecSys 2018, ask of accuracy metrics, asked of those that reward diversity: do
metrics agree on the order of systems, does the order hold without a part of the judgements, and do
metrics tell systems apart?
"""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt
import pandas as pd
import scipy.sparse as sp

from assayer.analysis.diversity.experiments import DECIMALS, ground_truth_of
from assayer.analysis.popularity import least_popular
from assayer.analysis.rank_correlation import tau_b
from assayer.analysis.resampling import TestSet, random_part
from assayer.artifacts import Rankings, Ratings
from assayer.errors import AssayerError
from assayer.metrics.diversity.evaluate import diversity_values
from assayer.metrics.diversity.lists import AspectLists, Floats, Interests
from assayer.metrics.evaluate import grid, measure_values
from assayer.progress import progress
from assayer.registry import METRICS

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Systems:
    """Systems that can be evaluated on any part of the judgements.

    Attributes
    ----------
    interests : Interests
        Of the users who have judgements.
    accuracy : TestSet
        The same judgements and systems for the accuracy metrics.
    lists : dict from system to int32 (n_users, depth)
    metrics : list of str
        The diversity metrics.
    cutoffs : list of int
    measures : list of (str, int)
        Metric and cut-off of each column: those of accuracy first.
    """

    interests: Interests
    accuracy: TestSet
    lists: dict[str, npt.NDArray[np.int32]]
    metrics: list[str]
    cutoffs: list[int]
    measures: list[tuple[str, int]]

    @classmethod
    def of(
        cls,
        train: sp.csr_matrix,
        test: sp.csr_matrix,
        rankings: Mapping[str, Rankings],
        aspects: Ratings,
        evaluation: dict,
        metrics: Sequence[str],
        cutoffs: Sequence[int],
    ) -> Self:
        """Return the systems of a dataset; parameters are those of `metric_correlation`."""
        accuracy = [name for name in metrics if name in METRICS or ":" in name]
        varied = [name for name in metrics if name not in accuracy]
        spec = evaluation | {"measures": grid(accuracy, cutoffs), "aggregate": "mean"}
        whole = TestSet.of(test, rankings, spec)
        users = whole.judgements.users
        for system, ranking in rankings.items():
            if ranking.items.max(initial=-1) >= test.shape[1]:
                raise AssayerError(
                    f"{system} lists items that the dataset does not have, whose aspects are not "
                    "known; set systems.not_candidates to drop."
                )
        return cls(
            ground_truth_of(train, test, aspects, evaluation),
            whole,
            {system: ranking.items[users] for system, ranking in rankings.items()},
            varied,
            [*cutoffs],
            [*itertools.product([*accuracy, *varied], cutoffs)],
        )

    def values(self) -> Floats:
        """Return every user's values, float64 (n_users, n_systems, n_measures)."""
        spec, values = self.accuracy.evaluation, []
        for judged, items in zip(self.accuracy.systems, self.lists.values(), strict=True):
            found = measure_values(judged, spec["measures"], spec["profile"], "value")
            varied = diversity_values(AspectLists.of(items, self.interests), *self._asked)
            values.append(np.hstack([found, varied.reshape(len(varied), -1)]))
        return np.stack(values, axis=1)

    def means(self, keep: Mask | None = None) -> Floats:
        """Return the systems' means on the kept judgements, float64 (n_measures, n_systems).

        Users whom nothing is left of leave the means.
        """
        interests, rows = self.interests, slice(None)
        if keep is not None:
            rows = np.unique(interests.row[keep])
            interests = interests.part(keep, rows)
        found = [
            diversity_values(AspectLists.of(items[rows], interests), *self._asked).mean(axis=0)
            for items in self.lists.values()
        ]
        varied = np.array(found).reshape(len(found), -1).T
        return np.concatenate([self.accuracy.means(keep), varied]).round(DECIMALS)

    @property
    def _asked(self) -> tuple[list[str], list[int]]:
        return self.metrics, self.cutoffs


def metric_correlation(
    train: sp.csr_matrix,
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    aspects: Ratings,
    evaluation: dict,
    metrics: Sequence[str],
    cutoffs: Sequence[int],
) -> pd.DataFrame:
    """Correlate the orders of the systems by all pairs of metrics at the same cut-off.

    Parameters
    ----------
    train, test : (n_users, n_items)
        The training ratings give the users' weights of aspects.
    rankings : mapping from the systems' names to Rankings
    aspects : Ratings
        Of the same items.
    evaluation : dict
        As in `assayer.analysis.sparsity.run`; one number for all users is always the mean, as some
        of these metrics can be below 0.
    metrics : sequence of str
        Keys of `assayer.registry.METRICS`, and diversity metrics, as
        `assayer.metrics.diversity.evaluate.parse` reads them.
    cutoffs : sequence of int

    Returns
    -------
    DataFrame
        Columns cutoff, metric_a, metric_b, undefined (1 where one side ties all systems), tau
        (Kendall's tau-b, empty where undefined).
    """
    systems = Systems.of(train, test, rankings, aspects, evaluation, metrics, cutoffs)
    means = systems.means()
    rows = []
    for cutoff in cutoffs:
        own = [(m, name) for m, (name, depth) in enumerate(systems.measures) if depth == cutoff]
        for (a, name_a), (b, name_b) in itertools.product(own, repeat=2):
            tau = float(tau_b(means[a], means[b]))
            rows.append((cutoff, name_a, name_b, int(np.isnan(tau)), tau))
    return pd.DataFrame(rows, columns=["cutoff", "metric_a", "metric_b", "undefined", "tau"])


def sparsity(
    train: sp.csr_matrix,
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    aspects: Ratings,
    evaluation: dict,
    seed: int,
    metrics: Sequence[str],
    cutoffs: Sequence[int],
    levels: Sequence[float],
    samples: int,
) -> pd.DataFrame:
    """Correlate the systems' order on random parts of the test set with that on the whole.

    Parameters
    ----------
    train, test, rankings, aspects, evaluation, metrics, cutoffs
        As in `metric_correlation`.
    seed, levels, samples
        As in `assayer.analysis.sparsity.run`: the parts are the same.

    Returns
    -------
    DataFrame
        Columns metric, cutoff, level, samples, undefined, tau, low, high, correlation, as
        there.
    """
    systems = Systems.of(train, test, rankings, aspects, evaluation, metrics, cutoffs)
    reference, rows = systems.means(), []
    for level in progress(levels, "levels of sparsity"):
        # The whole test set is one sample, however often it is drawn.
        numbers = range(1 if level == 100 else samples)
        masks = (random_part(systems.interests.start, level, n, seed) for n in numbers)
        taus = np.array([tau_b(systems.means(keep), reference) for keep in masks])
        for column, (metric, cutoff) in enumerate(systems.measures):
            rows.append((metric, cutoff, level, len(taus), *_spread(taus[:, column])))
    columns = ["metric", "cutoff", "level", "samples", "undefined", "tau", "low", "high"]
    return pd.DataFrame(rows, columns=columns).assign(correlation="tau_b")


def popularity(
    train: sp.csr_matrix,
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    aspects: Ratings,
    evaluation: dict,
    metrics: Sequence[str],
    cutoffs: Sequence[int],
    percentages: Sequence[float],
) -> pd.DataFrame:
    """Correlate the systems' order on the least popular items with that on all items.

    Parameters
    ----------
    train, test, rankings, aspects, evaluation, metrics, cutoffs
        As in `metric_correlation`.
    percentages : sequence of float
        Of the test set's items, the least popular by training ratings, as in
        `assayer.analysis.popularity.run`.

    Returns
    -------
    DataFrame
        Columns metric, cutoff, percentage, undefined, tau, correlation, as there.
    """
    systems = Systems.of(train, test, rankings, aspects, evaluation, metrics, cutoffs)
    reference, rows = systems.means(), []
    n_ratings, item = np.bincount(train.indices, minlength=test.shape[1]), systems.interests.item
    for percentage in percentages:
        kept = np.zeros(test.shape[1], dtype=bool)
        kept[least_popular(item, n_ratings, percentage, "items")] = True
        taus = tau_b(systems.means(kept[item]), reference)
        for (metric, cutoff), tau in zip(systems.measures, taus, strict=True):
            rows.append((metric, cutoff, percentage, int(np.isnan(tau)), tau))
    columns = ["metric", "cutoff", "percentage", "undefined", "tau"]
    return pd.DataFrame(rows, columns=columns).assign(correlation="tau_b")


def _spread(values: Floats) -> tuple[int, float, float, float]:
    """Return how many are undefined, and of the others the mean and 2.5 and 97.5 percentiles."""
    defined = values[~np.isnan(values)]
    if not len(defined):
        return len(values), np.nan, np.nan, np.nan
    low, high = np.percentile(defined, [2.5, 97.5])
    return len(values) - len(defined), defined.mean(), low, high
