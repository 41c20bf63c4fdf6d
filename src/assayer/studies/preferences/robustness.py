"""Analyses: does the order by preferences stay when test ratings are missing?

They are those of the study of robustness, on the same parts of the test set.
"""

from collections.abc import Sequence
from typing import Unpack

import scipy.sparse as sp

from assayer.statistics import popularity as popular
from assayer.statistics import sparsity as sparse
from assayer.statistics.replicated import Replicated
from assayer.studies.preferences.systems import Asked, Compared


def sparsity(
    evaluation: dict, seed: int, *, levels: Sequence[float], samples: int, **asked: Unpack[Asked]
) -> Replicated:
    """Correlate the systems' order on parts of the test set; see `assayer.statistics.sparsity`.

    There is one column more, systems: how many there are.
    """
    found = sparse.robustness(Compared.of(evaluation, **asked), levels, samples, seed)
    return found.assign(systems=len(asked["rankings"]))


def popularity(
    train: sp.csr_matrix,
    evaluation: dict,
    seed: int,
    *,
    percentages: Sequence[float],
    **asked: Unpack[Asked],
) -> Replicated:
    """Correlate it on the least popular items; see `assayer.statistics.popularity`."""
    number = popular.popularity(train)
    return popular.robustness(Compared.of(evaluation, **asked), number, percentages, seed)
