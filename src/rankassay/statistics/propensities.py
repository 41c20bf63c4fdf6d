"""How likely it is that a rating is observed: estimated from the training ratings, or known.

Each function returns the propensities of the ratings of a test matrix, float64, a matrix with the
same entries, as `rankassay.metrics.judgements.Judgements.of` takes it. They are in (0, 1].
"""

import numpy as np
import scipy.sparse as sp
from scipy.special import expit, xlogy

from rankassay.errors import RankassayError
from rankassay.types import Floats, Integers

STEPS = 100  # of Newton's method, at most; it takes some ten


def by_popularity(train: sp.csr_matrix, test: sp.csr_matrix, gamma: float = 1.5) -> sp.csr_matrix:
    """Estimate propensities as a power of popularity.

    ::

        P_ui = (n_i / max_j n_j)^((gamma + 1) / 2)

    with n_i the item's number of training ratings, of which an item without any counts as having
    one. Popularity is seen to grow with how often a system recommends an item, by a power of gamma;
    Yang et al. try 1.5 to 3. P is known up to a factor only, and scaled so that the greatest is 1:
    the values of IPS are then so, too, and those of SNIPS and Stratified have no unit.

    References
    ----------
    Yang, Cui, Xuan, Wang, Belongie and Estrin, RecSys 2018 ("Unbiased offline recommender
    evaluation for missing-not-at-random implicit feedback"), the estimator of propensities.
    """
    number = np.maximum(np.bincount(train.indices, minlength=train.shape[1]), 1)
    propensity = (number / number.max(initial=1)) ** ((gamma + 1) / 2)
    return _of(test, np.maximum(propensity[test.indices], np.finfo(np.float64).tiny))


def fitted(train: sp.csr_matrix, test: sp.csr_matrix) -> sp.csr_matrix:
    """Estimate propensities by a logistic regression on popularity and activity.

    ::

        logit P_ui = a + b log(1 + n_u) + c log(1 + n_i)

    with n_u and n_i the training ratings of the user and of the item; a, b and c are those of the
    greatest likelihood of which pairs of user and item have a training rating. Users with as many
    ratings have equal terms, and so have items: it takes time and memory of the order of the number
    of ratings, and not of pairs. P is the probability of a training rating, so that of a test
    rating is smaller by a factor, to which SNIPS and Stratified are blind.

    References
    ----------
    A logistic regression on observed features: Schnabel, Swaminathan, Singh, Chandak and Joachims,
    ICML 2016, section 5.2.
    """
    by_user = np.diff(train.indptr)
    by_item = np.bincount(train.indices, minlength=train.shape[1])
    users, user, n_users = np.unique(by_user, return_inverse=True, return_counts=True)
    items, item, n_items = np.unique(by_item, return_inverse=True, return_counts=True)
    cell = np.repeat(user, by_user) * len(items) + item[train.indices]
    rated = np.bincount(cell, minlength=len(users) * len(items))
    pairs = np.outer(n_users, n_items).ravel()
    features = np.column_stack(
        [
            np.ones(len(pairs)),
            np.repeat(np.log1p(users), len(items)),
            np.tile(np.log1p(items), len(users)),
        ]
    )
    least = 1 / pairs.sum()
    propensity = np.clip(expit(features @ _logistic(features, rated, pairs)), least, 1)
    row = np.repeat(np.arange(test.shape[0]), np.diff(test.indptr))
    return _of(test, propensity[user[row] * len(items) + item[test.indices]])


def known(propensities: sp.csr_matrix, test: sp.csr_matrix) -> sp.csr_matrix:
    """Return the propensities of test ratings from those of all ratings of a dataset.

    Raises RankassayError where a test rating has none.
    """
    if propensities.shape != test.shape:
        raise RankassayError(
            "the propensities: expected those of "
            f"{test.shape[0]} users and {test.shape[1]} items, found {propensities.shape[0]} and "
            f"{propensities.shape[1]}; prepare the dataset again."
        )
    of_all, wanted = _keys(propensities), _keys(test)
    order = np.argsort(of_all, kind="stable")
    place = np.searchsorted(of_all, wanted, sorter=order)
    place = order[np.minimum(place, len(order) - 1)] if len(order) else place
    missing = of_all[place] != wanted if len(order) else np.ones(len(wanted), dtype=bool)
    if missing.any():
        user, item = divmod(int(wanted[np.argmax(missing)]), test.shape[1])
        raise RankassayError(
            f"the propensities: expected one for each test rating, found none for user {user} and "
            f"item {item} (and {missing.sum() - 1} others); prepare the dataset again."
        )
    return _of(test, propensities.data[place])


def _of(test: sp.csr_matrix, numbers: Floats) -> sp.csr_matrix:
    return sp.csr_matrix((numbers.astype(np.float64), test.indices, test.indptr), test.shape)


def _keys(matrix: sp.csr_matrix) -> Integers:
    """Return a number for the user and the item of each entry, int64 (n_entries,)."""
    user = np.repeat(np.arange(matrix.shape[0], dtype=np.int64), np.diff(matrix.indptr))
    return user * matrix.shape[1] + matrix.indices


def _logistic(features: Floats, successes: Integers, trials: Integers) -> Floats:
    """Return the coefficients of the greatest likelihood, by Newton's method.

    The first feature is 1. Where features foretell ratings without error, coefficients grow until
    the steps end.
    """

    def likelihood(coefficients: Floats) -> float:
        p = np.clip(expit(features @ coefficients), 1e-300, 1 - 1e-16)
        return float((xlogy(successes, p) + xlogy(trials - successes, 1 - p)).sum())

    share = np.clip(successes.sum() / trials.sum(), 1e-12, 1 - 1e-12)
    coefficients = np.zeros(features.shape[1])
    coefficients[0] = np.log(share / (1 - share))
    best = likelihood(coefficients)
    for _ in range(STEPS):
        p = expit(features @ coefficients)
        slope = features.T @ (successes - trials * p)
        curvature = (features * (trials * p * (1 - p))[:, None]).T @ features
        # Users, or items, that are all equal do not determine a coefficient: it is then the least
        # one.
        step = np.linalg.lstsq(curvature, slope, rcond=None)[0]
        while (found := likelihood(coefficients + step)) < best and np.abs(step).max() > 1e-12:
            step = step / 2
        if found < best or np.abs(step).max() < 1e-12:
            break
        coefficients, best = coefficients + step, found
    return coefficients
