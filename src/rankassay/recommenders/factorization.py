"""Recommenders that describe users and items by a few factors each."""

import warnings
from dataclasses import dataclass
from typing import Self

import numpy as np
import scipy.sparse as sp

from rankassay.errors import RankassayError, one_of
from rankassay.progress import progress
from rankassay.recommenders.als_kernels import solve_rows
from rankassay.recommenders.base import changed, check_bounds
from rankassay.recommenders.sparse import has_entries
from rankassay.seeds import generator
from rankassay.types import Floats, Integers32

BLOCK = 128  # users per matrix product
COLUMNS = 64  # of whose multiples are the items of a matrix product
DENSE = 200  # users or items up to which a dense decomposition is as good
SOLVERS = ("lanczos", "randomized")


def factor_scores(users: Integers32, user_factors: Floats, item_factors: Floats) -> Floats:
    """Return the inner products of some users with all items.

    The last bits of a matrix product depend on how many rows and columns are multiplied at once.
    Therefore a user is always multiplied together with the same others, those of its block of
    `BLOCK` consecutive users, and an item with as many others, for any other users and items:
    blocks are filled up with zeros. Asking for runs of users wastes little.
    """
    scores = np.empty((len(users), len(item_factors)))
    whole = len(item_factors) // COLUMNS * COLUMNS
    rest = np.zeros((COLUMNS, item_factors.shape[1]))
    rest[: len(item_factors) - whole] = item_factors[whole:]
    together, products = np.zeros((BLOCK, user_factors.shape[1])), None
    blocks = users // BLOCK
    for block in np.unique(blocks):
        known = user_factors[block * BLOCK : (block + 1) * BLOCK]
        together[: len(known)], together[len(known) :] = known, 0.0
        wanted = np.flatnonzero(blocks == block)
        run = np.array_equal(users[wanted] % BLOCK, np.arange(BLOCK))
        if run and wanted[-1] - wanted[0] < BLOCK:
            # Most blocks are whole. What is not copied takes half the time.
            own = scores[wanted[0] : wanted[-1] + 1]
            _multiply(together, item_factors, rest, own)
        else:
            products = np.empty((BLOCK, scores.shape[1])) if products is None else products
            _multiply(together, item_factors, rest, products)
            scores[wanted] = products[users[wanted] % BLOCK]
    return scores


def _multiply(users: Floats, items: Floats, rest: Floats, out: Floats) -> None:
    """Write the products of a block with all items, of which the last ones are in `rest`, too."""
    whole = len(items) // COLUMNS * COLUMNS
    np.matmul(users, items[:whole].T, out=out[:, :whole])
    out[:, whole:] = (users @ rest.T)[:, : len(items) - whole]


class Factors:
    """Scoring from `user_factors_` and `item_factors_`."""

    user_factors_: Floats
    item_factors_: Floats

    def among(self, items: Integers32) -> Self:
        """Serve some items."""
        own = {"item_factors_": self.item_factors_[items], "rated_": self.rated_[items]}
        return changed(self, **own)

    def score(self, users: Integers32) -> Floats:
        """Return the inner products of the factors; only for users and items with ratings."""
        scores = factor_scores(users, self.user_factors_, self.item_factors_)
        scores[:, ~self.rated_] = -np.inf
        scores[~self.active_[users]] = -np.inf
        return scores

    def _note_ratings(self, train: sp.csr_matrix) -> None:
        """Note which users and items have ratings: the factors of the others mean nothing."""
        self.active_ = np.diff(train.indptr) > 0
        self.rated_ = np.bincount(train.indices, minlength=train.shape[1]) > 0


class FoldedFactors(Factors):
    """Factors of users that follow from those of the items, so that users can be folded in."""

    def fold_in(self, train: sp.csr_matrix, profiles: sp.csr_matrix) -> Self:
        """Find the factors of the users of the profiles, with those of the items as they are."""
        found = has_entries(profiles)
        users = self._users_of(train, profiles)
        self.user_factors_ = np.where(found[:, None], users, self.user_factors_)
        self.active_ = self.active_ | found
        return self

    def _users_of(self, train: sp.csr_matrix, profiles: sp.csr_matrix) -> Floats:
        """Return the factors of users, (n_users, n_factors), from their ratings."""
        raise NotImplementedError


@dataclass
class PureSVD(FoldedFactors):
    """Projection of the user's ratings, unrated items as 0, on the first singular vectors.

    score(u, .) = r_u Q Q^T, with R ~ U S Q^T truncated to `factors` singular values (Cremonesi,
    Koren, Turrin. Performance of recommender algorithms on top-n recommendation tasks. RecSys
    2010, equation 4).

    Parameters
    ----------
    factors : int
        The number of singular values, less than the numbers of users and of items. The paper has 50
        and 150; 30 fits the results of Valcarce et al. (RecSys 2018) on MovieLens 1M.
    solver : {"lanczos", "randomized"}
        "randomized" lets scikit-learn approximate the vectors by 5 power iterations on a random
        subspace (Halko, Martinsson, Tropp. Finding structure with randomness. SIAM Review 53(2),
        2011), in about half the time. For up to 200 users or items, the decomposition is dense.

    Notes
    -----
    Scores may be negative. An item without ratings would get 0, more than some others, so it has no
    score. Users without ratings have no scores, either. O(factors n_ratings) per iteration of the
    Lanczos method, O(factors n_items) per user.
    """

    factors: int = 30
    solver: str = "lanczos"

    def fit(self, train: sp.csr_matrix, seed: int) -> Self:
        """Decompose; the seed chooses the vector, or the subspace, to start from."""
        one_of("solver", self.solver, SOLVERS)
        smaller = min(train.shape)
        if not 1 <= self.factors < smaller:
            raise RankassayError(
                f"puresvd: expected factors from 1 to {smaller - 1} for a training matrix of "
                f"{train.shape[0]} x {train.shape[1]}, found {self.factors}; set that many."
            )
        self._note_ratings(train)
        ratings = train.astype(np.float64)
        self.item_factors_ = _right_singular_vectors(ratings, self.factors, self.solver, seed)
        self.user_factors_ = self._users_of(train, ratings)
        return self

    def _users_of(self, train: sp.csr_matrix, profiles: sp.csr_matrix) -> Floats:
        return profiles.astype(np.float64) @ self.item_factors_


def _right_singular_vectors(matrix: sp.csr_matrix, factors: int, solver: str, seed: int) -> Floats:
    """Return the right singular vectors of the largest singular values, as columns."""
    if min(matrix.shape) <= DENSE:
        # The Lanczos method runs out of directions on a matrix of low rank and then continues from
        # a random one that cannot be seeded in all versions of scipy. Small matrices may be such.
        return np.linalg.svd(matrix.toarray(), full_matrices=False)[2][:factors].T.copy()
    random = generator(seed, "puresvd")
    if solver == "randomized":
        from sklearn.utils.extmath import randomized_svd

        # scikit-learn takes no generators of the current kind.
        start = int(random.integers(2**32))
        return randomized_svd(matrix, factors, n_iter=5, random_state=start)[2].T.copy()
    smaller = min(matrix.shape)
    start = random.standard_normal(smaller)
    # Scipy would keep 2 factors + 1 vectors, and take longer to keep them orthogonal.
    kept = min(max(3 * factors // 2 + 5, 20), smaller)
    found = sp.linalg.svds(matrix, factors, ncv=kept, v0=start, return_singular_vectors="vh")
    return found[2].T.copy()


@dataclass
class WRMF(FoldedFactors):
    """Weighted regularised matrix factorization by alternating least squares.

    Minimises ::

        sum_{u,i} c(u, i) (t(u, i) - x_u . y_i)^2 + regularization (sum |x_u|^2 + sum |y_i|^2)

    over all pairs of user and item, with c = 1 + alpha r(u, i) and r = 0 where there is no rating;
    score(u, i) = x_u . y_i (Hu, Koren, Volinsky. Collaborative filtering for implicit feedback
    datasets. ICDM 2008, equations 3 to 5).

    Parameters
    ----------
    factors : int
        The length of x_u and y_i.
    regularization : float
        Positive; the same for all users and items.
    alpha : float
        How much more a rating weighs than its absence; 40 in the paper, on counts of views.
    iterations : int
        Rounds of solving for all users and then for all items.
    target : {"rating", "binary"}
        t is the rating, or 1 where there is one (the paper's, solved by `implicit`). The defaults,
        with the rating as target, fit the results of Valcarce et al. (RecSys 2018) on MovieLens 1M.

    Notes
    -----
    Each half round is solved exactly. O(n_ratings factors^2 + (n_users + n_items) factors^3) a
    round. Users and items without ratings have no scores. Negative ratings are refused.
    """

    factors: int = 50
    regularization: float = 0.1
    alpha: float = 0.1
    iterations: int = 10
    target: str = "rating"

    def fit(self, train: sp.csr_matrix, seed: int) -> Self:
        """Alternate; the seed chooses the factors to start from."""
        one_of("target", self.target, ("rating", "binary"))
        check_bounds("wrmf", self, factors=">= 1", regularization="> 0", alpha=">= 0")
        self._note_ratings(train)
        solve = self._fit_rating if self.target == "rating" else self._fit_binary
        self.user_factors_, self.item_factors_ = solve(train, seed)
        return self

    def _users_of(self, train: sp.csr_matrix, profiles: sp.csr_matrix) -> Floats:
        """Return the users of the first half of a round."""
        return least_squares(
            profiles, self.item_factors_, self.regularization, self.alpha, self.target
        )

    def _fit_rating(self, train: sp.csr_matrix, seed: int) -> tuple[Floats, Floats]:
        by_user = train.astype(np.float64)
        by_item = by_user.T.tocsr()
        items = generator(seed, "wrmf").standard_normal((train.shape[1], self.factors)) * 0.01
        users = np.zeros((train.shape[0], self.factors))
        for _ in progress(range(self.iterations), "iterations"):
            users = least_squares(by_user, items, self.regularization, self.alpha)
            items = least_squares(by_item, users, self.regularization, self.alpha)
        return users, items

    def _fit_binary(self, train: sp.csr_matrix, seed: int) -> tuple[Floats, Floats]:
        from implicit.als import AlternatingLeastSquares

        # implicit takes the confidences themselves for data.
        confidences = train.copy()
        confidences.data = (1 + self.alpha * train.data).astype(np.float32)
        settings = {"iterations": self.iterations, "alpha": 1.0, "use_cg": False}
        random = generator(seed, "wrmf")
        return by_implicit(AlternatingLeastSquares, self, confidences, random, **settings)


def by_implicit(
    kind: type, model, ratings: sp.csr_matrix, random: np.random.Generator, **settings
) -> tuple[Floats, Floats]:
    """Return the factors that a model class of `implicit` finds with the settings of ours."""
    with warnings.catch_warnings():
        # It warns of slowness when BLAS may use more than one thread.
        warnings.simplefilter("ignore", RuntimeWarning)
        settings |= {"factors": model.factors, "regularization": model.regularization}
        settings |= {"dtype": np.float64, "use_gpu": False, "num_threads": 1}
        found = kind(**settings, random_state=random)
    found.fit(ratings, show_progress=False)
    return found.user_factors, found.item_factors


def least_squares(
    ratings: sp.csr_matrix,
    factors: Floats,
    regularization: float,
    alpha: float,
    target: str = "rating",
) -> Floats:
    """Return the rows' factors that minimise WRMF's objective for the columns' `factors`.

    x = (Y^T C Y + regularization I)^-1 Y^T C t, with the diagonal matrix C of 1 + alpha r: equation
    4 of Hu et al. with the targets t. A row without ratings gets zeros.
    """
    weights = alpha * ratings.data.astype(np.float64, copy=False)
    if np.any(weights < 0):
        raise RankassayError(
            f"wrmf: expected ratings >= 0, found {ratings.data.min():g}: the confidence "
            "grows with them; leave the others out or shift the ratings."
        )
    targets = ratings.data if target == "rating" else np.ones(ratings.nnz)
    solution = solve_rows(
        (ratings.indptr, ratings.indices),
        (np.sqrt(weights), targets * (1 + weights)),
        factors,
        1.0,
        np.full(ratings.shape[0], float(regularization)),
    )
    return solved("wrmf", solution)


def solved(method: str, solution: Floats) -> Floats:
    """Return the solution of least squares, or refuse it if there was none."""
    if not np.isfinite(solution).all():
        raise RankassayError(
            f"{method}: the factors are not determined by the ratings; raise the regularization."
        )
    return solution
