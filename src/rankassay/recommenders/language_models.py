"""Smoothed language models of the rows of a rating matrix.

A row is a document whose terms are the columns and whose term frequencies are the ratings; every
smoothing gives a sparse part plus a multiple of one distribution that all rows share, which is
what makes sums over many models cheap.

References
----------
D. Valcarce, J. Parapar, A. Barreiro. A study of smoothing methods for relevance-based language
modelling of recommender systems. ECIR 2015. Additive smoothing after their Additive smoothing for
relevance-based language modelling of recommender systems. CERI 2016.
"""

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from rankassay.errors import RankassayError, one_of
from rankassay.types import Floats

SMOOTHINGS = ("absolute_discounting", "jelinek_mercer", "dirichlet", "additive")


@dataclass(frozen=True)
class LanguageModels:
    """The models p(i|v) = seen(v, i) + share(v) background(i) of all rows v.

    Attributes
    ----------
    seen : float64 CSR (n_rows, n_columns)
        With the pattern of the ratings, all positive.
    share : (n_rows,)
    background : (n_columns,)
        The share p(i|C) of column i in the sum of all ratings; 1 for additive smoothing.
    """

    seen: sp.csr_matrix
    share: Floats
    background: Floats

    def gains(self) -> sp.csr_matrix:
        """Return log(p(i|v) / (share(v) background(i))), which is 0 off the pattern of `seen`."""
        gains = self.seen.copy()
        unseen = np.repeat(self.share, np.diff(gains.indptr)) * self.background[gains.indices]
        gains.data = np.log1p(gains.data / unseen)
        return gains


def language_models(ratings: sp.csr_matrix, smoothing: str, amount: float) -> LanguageModels:
    """Return the smoothed models of the rows; transpose the ratings for those of the columns.

    With r(v, i) the ratings, s_v and n_v their sum and number in row v, m the number of columns
    and p(i|C) the share of column i in the sum of all ratings, p(i|v) is

    - "jelinek_mercer": (1 - amount) r(v, i) / s_v + amount p(i|C), for 0 < amount < 1;
    - "dirichlet": (r(v, i) + amount p(i|C)) / (s_v + amount), for amount > 0;
    - "absolute_discounting": (max(r(v, i) - amount, 0) + amount n_v p(i|C)) / s_v, for amount
      above 0 and below every rating;
    - "additive": (r(v, i) + amount) / (s_v + amount m), for amount > 0.

    Each sums to 1 over the columns. A row without ratings has the background for its model. No
    amount may be 0, since the methods take logarithms.

    Raises RankassayError if the smoothing is not known, or the amount not in its range.
    """
    one_of("smoothing", smoothing, SMOOTHINGS)
    _check(ratings, smoothing, amount)
    seen = ratings.astype(np.float64)
    totals = np.asarray(seen.sum(axis=0)).ravel()
    background = totals / max(totals.sum(), np.finfo(float).tiny)
    if smoothing == "additive":
        background = np.ones(len(totals))
    length, share = _discount(seen, smoothing, amount)
    counts = np.diff(seen.indptr)
    seen.data /= np.repeat(length, counts)
    of_empty = 1 / max(background.sum(), np.finfo(float).tiny)
    share = np.divide(share, length, out=np.full(len(length), of_empty), where=counts > 0)
    return LanguageModels(seen, share, background)


def _discount(seen: sp.csr_matrix, smoothing: str, amount: float) -> tuple[Floats, Floats]:
    """Discount the ratings in favour of the background; return the denominators and shares."""
    sums = np.asarray(seen.sum(axis=1)).ravel()
    given = np.full(len(sums), float(amount))
    if smoothing == "jelinek_mercer":
        seen.data *= 1 - amount
        return sums, amount * sums
    if smoothing == "dirichlet":
        return sums + amount, given
    if smoothing == "additive":
        return sums + amount * seen.shape[1], given
    seen.data -= amount
    return sums, amount * np.diff(seen.indptr)


def _check(ratings: sp.csr_matrix, smoothing: str, amount: float) -> None:
    """Refuse an amount with which a logarithm would fail or a model not sum to 1."""
    below = 1.0 if smoothing == "jelinek_mercer" else np.inf
    if smoothing == "absolute_discounting" and ratings.nnz:
        below = float(ratings.data.min())
    if not 0 < amount < below:
        raise RankassayError(
            f"{smoothing} expects an amount above 0 and below {below:g}, found {amount:g}."
        )
