"""Calibration: whether a list has the aspects that a user is interested in, in their shares."""

from typing import Literal

import numpy as np
import scipy.sparse as sp

from rankassay.errors import RankassayError
from rankassay.metrics.beyond.intra_list import required_aspects
from rankassay.metrics.beyond.lists import Shown
from rankassay.metrics.parameters import Between
from rankassay.types import Floats, Integers


def calibration(
    lists: Shown,
    cutoffs: Integers,
    *,
    alpha: Between = 0.01,
    weights: Literal["count", "rating"] = "count",
) -> Floats:
    """Miscalibration: how far the aspects of the list are from those of the user's profile.

    ::

        MC_u@n = sum_a p(a|u) ln(p(a|u) / q~(a|u)),   q~ = (1 - alpha) q + alpha p
        p(a|u) = sum_{i in H_u} w_ui [a in A_i] / |A_i| / sum_{i in H_u} w_ui

    and q the same of the list with weights of 1. H_u are the items of the user's training ratings
    that show an aspect; items of the list that show none are passed over, too. Lower is better: 0
    is a list with the same shares, and -ln alpha is the greatest value, which an empty list and one
    without aspects have. NaN for a user whose profile shows no aspect, and for
    one whose items with aspects all have a weight of 0.

    Parameters
    ----------
    alpha : float
        Between 0 and 1: the part of the profile that keeps aspects without any item from making the
        divergence infinite.
    weights : {"count", "rating"}
        w_ui: 1, or the training rating; items of the list always have 1.

    Raises
    ------
    RankassayError
        For other parameters, without aspects, and for ratings below 0 as weights, with which there
        are no shares.

    References
    ----------
    Steck, RecSys 2018, equations (2), (3) and (6).
    """
    aspects = required_aspects(lists.catalogue)
    number = np.diff(aspects.start)
    shares = sp.diags_array(1 / np.maximum(number, 1)) @ aspects.matrix
    train = lists.catalogue.train
    if weights == "rating" and (least := train.data.min(initial=0)) < 0:
        raise RankassayError(
            f"weights='rating': expected training ratings from 0 on, found {least:g}; use "
            "weights='count'."
        )
    given = np.ones(train.nnz) if weights == "count" else train.data.astype(np.float64)
    profile = sp.csr_matrix((given, train.indices, train.indptr), shape=train.shape)[lists.users]
    p = _distribution(np.asarray((profile @ shares).todense()))
    known = ~np.isnan(p[:, 0])
    values = np.full((len(lists.items), len(cutoffs)), np.nan)
    for column, n in enumerate(cutoffs):
        shown = lists.exposure(np.ones(lists.depth), int(n))
        q = np.nan_to_num(_distribution(np.asarray((shown @ shares).todense())))
        mixed = (1 - alpha) * q + alpha * p
        ratio = np.divide(p, mixed, out=np.ones_like(p), where=p > 0)
        values[known, column] = np.maximum((p * np.log(ratio)).sum(axis=1), 0)[known]
    return values


def _distribution(sums: Floats) -> Floats:
    """Return shares of each row that add up to 1; NaN for a row of zeros."""
    total = sums.sum(axis=1, keepdims=True)
    return np.divide(sums, total, out=np.full_like(sums, np.nan), where=total > 0)
