"""Robustness of sampled metrics: is the ranking stable when test ratings are missing?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from rankassay.artifacts.arrays import Rankings
from rankassay.metrics.judgements import Judgements, Lists
from rankassay.metrics.sampled.lists import Instances
from rankassay.statistics import incomplete
from rankassay.statistics.draws import Draws
from rankassay.statistics.incomplete import against_whole, correlations_table, random_parts
from rankassay.statistics.judged_systems import means_of_values
from rankassay.statistics.rank_correlation import tau_b
from rankassay.statistics.replicated import Replicated
from rankassay.studies.sampling.systems import judged
from rankassay.types import Booleans, Floats


@dataclass(frozen=True)
class SampledSystems:
    """Systems judged by metrics on samples of the items, in expectation."""

    judgements: Judgements
    item: npt.NDArray[np.integer]  # of each judgement
    lists: list[Lists]  # of each system
    metrics: Sequence[str]
    cutoffs: Sequence[int]
    sizes: Sequence[int | None]  # None is all irrelevant items
    replacement: bool
    relevant: str

    @property
    def n_systems(self) -> int:
        """The number of systems."""
        return len(self.lists)

    @property
    def measures(self) -> list[dict[str, object]]:
        """The metric, the cut-off and the size m of each measure; inf is all irrelevant items."""
        return [
            {"metric": metric, "cutoff": cutoff, "m": np.inf if size is None else float(size)}
            for size in self.sizes
            for metric in self.metrics
            for cutoff in self.cutoffs
        ]

    def values(self, keep: Booleans | None = None) -> Floats:
        """Return every user's values on the kept judgements; see `UsersValues`.

        Users without relevant items have none.
        """
        part = self.judgements if keep is None else self.judgements.sample(keep)
        rows = np.searchsorted(self.judgements.users, part.users)
        users = rows[part.n_relevant > 0]
        shape = (self.judgements.n_users, len(self.lists), len(self.measures))
        values = np.full(shape, np.nan)
        choices = (self.metrics, self.cutoffs, self.replacement)
        for s, lists in enumerate(self.lists):
            own = lists if keep is None else lists.part(keep, rows)
            system = Instances.of(part, own, self.relevant)
            values[users, s] = np.hstack([system.values(m, *choices) for m in self.sizes])
        return values

    def means(self, keep: Booleans | None = None, draws: Draws | None = None) -> Floats:
        """Return the systems' means on the kept judgements; see `UsersValues`."""
        return means_of_values(self.values(keep), draws or Draws.none(self.judgements.n_users))


def robustness(
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    evaluation: dict,
    seed: int,
    *,
    metrics: Sequence[str],
    cutoffs: Sequence[int],
    sizes: Sequence[int],
    levels: Sequence[float],
    samples: int,
    resamples: int,
    relevant: Sequence[str],
    replacement: bool,
) -> Replicated:
    """Correlate the ranking of systems on random parts of the test set with that on the whole.

    Both orders are by the same metric on samples of the same size, uniform ones, in expectation.
    Relevant items are ranked in the first of the ways `relevant`. Ratings that are excluded are
    unknown, so that their items count as irrelevant ones.

    Returns
    -------
    Replicated
        Columns metric, cutoff, m (inf: all irrelevant items), those of
        `rankassay.statistics.incomplete.sparsity_bias_of`, and tau_exact (the mean of tau between
        the order on the part and the exact order on the whole test set).
    """
    judgements, _ = judged(test, evaluation["threshold"])
    choices = (metrics, cutoffs, [*sizes, None], replacement, relevant[0])
    lists = [Lists.of(ranking, judgements) for ranking in rankings.values()]
    systems = SampledSystems(judgements, test.indices, lists, *choices)
    draws = Draws.of(judgements.n_users, resamples, seed)
    n = len(metrics) * len(cutoffs)

    def both(means: Floats, whole: Floats) -> Floats:
        exact = np.tile(whole[:, -n:], (1, len(systems.sizes), 1))
        return np.stack([tau_b(means, whole), tau_b(means, exact)], axis=-1)

    parts = random_parts(judgements.start, levels, samples, seed)
    by_level = against_whole(systems, parts, draws, both).items()
    names = ("tau_b", "exact")
    found = correlations_table(systems.measures, "level", by_level, incomplete.over_samples, names)
    own, exact = (found.of_rows(found.table["correlation"] == name) for name in names)
    own = own.with_interval(before="tau_").assign(systems=systems.n_systems)
    return own.assign(tau_exact=exact.table["tau"].to_numpy())
