"""Recommenders that learn to order pairs of items."""

import warnings
from typing import Self

import numba
import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from assayer.errors import AssayerError, unknown
from assayer.recommenders.factorization import Factors
from assayer.seeds import generator

Floats = npt.NDArray[np.float64]

SAMPLINGS = ("ratings", "users")
BACKENDS = ("numba", "implicit")


class BPRMF(Factors):
    """Matrix factorization for Bayesian personalised ranking.

    Maximises the sum of ln sigma(x_ui - x_uj) - regularization / 2 (|p_u|^2 + |q_i|^2)
    - negative_regularization / 2 |q_j|^2 over drawn triples of a user u, an item i that the user
    rated and one j that the user did not, with x_ui = p_u . q_i (+ b_i), sigma the logistic
    function; score(u, i) = x_ui (Rendle, Freudenthaler, Gantner, Schmidt-Thieme. BPR: Bayesian
    personalized ranking from implicit feedback. UAI 2009, section 4.3.1 and figure 4).

    Parameters
    ----------
    factors : int
        The length of p_u and q_i.
    learning_rate : float
        The length of a step; MyMediaLite has 0.05, LibRec and implicit 0.01.
    regularization : float
        Of p_u and q_i; 0.0025 in MyMediaLite, 0.01 in LibRec and implicit.
    negative_regularization : float or None
        Of q_j; None for the same. A tenth of the other in MyMediaLite.
    epochs : int
        An epoch is as many triples as there are positive ratings.
    decay : bool
        Whether the learning rate falls linearly to 0 over all steps.
    item_bias : bool
        Whether there are b_i; they are not regularised.
    sampling : {"ratings", "users"}
        How u and i are drawn: a rating uniformly (the paper's), or a user uniformly and then one
        of the user's items (MyMediaLite's). j is uniform among the items that the user did not
        rate but somebody did.
    threshold : float
        The least rating that makes an item i; 0 for all ratings.
    backend : {"numba", "implicit"}
        "implicit" has the library do it, with its own sampler: j is drawn from the ratings and so
        by popularity, which is another objective. It always has biases and one regularization.

    Notes
    -----
    O(epochs n_ratings factors), whatever the number of items; O(factors n_items) a user. Users
    without positive ratings and items without ratings have no scores. A user who rated everything
    teaches nothing.
    """

    def __init__(
        self,
        factors: int = 100,
        learning_rate: float = 0.05,
        regularization: float = 0.01,
        negative_regularization: float | None = None,
        epochs: int = 300,
        decay: bool = False,
        item_bias: bool = False,
        sampling: str = "ratings",
        threshold: float = 0.0,
        backend: str = "numba",
    ):
        self.factors = factors
        self.learning_rate = learning_rate
        self.regularization = regularization
        self.negative_regularization = negative_regularization
        self.epochs = epochs
        self.decay = decay
        self.item_bias = item_bias
        self.sampling = sampling
        self.threshold = threshold
        self.backend = backend

    def fit(self, train: sp.csr_matrix, seed: int) -> Self:
        """Learn; the seed chooses the factors to start from and the triples."""
        if self.sampling not in SAMPLINGS:
            raise unknown("sampling", self.sampling, SAMPLINGS)
        if self.backend not in BACKENDS:
            raise unknown("backend", self.backend, BACKENDS)
        if self.factors < 1 or self.learning_rate <= 0 or self.regularization < 0:
            raise AssayerError(
                "bprmf: expected factors >= 1, learning_rate > 0 and regularization >= 0, found "
                f"{self.factors}, {self.learning_rate} and {self.regularization}."
            )
        positives = train.copy()
        positives.data = (train.data >= self.threshold).astype(np.float32)
        positives.eliminate_zeros()
        self._note_ratings(train)
        self.active_ = np.diff(positives.indptr) > 0
        learn = self._learn if self.backend == "numba" else self._implicit
        self.user_factors_, self.item_factors_ = learn(train, positives, seed)
        if not np.isfinite(self.item_factors_).all():
            raise AssayerError("bprmf: the factors grew without bound; lower the learning_rate.")
        return self

    def _learn(self, train: sp.csr_matrix, positives: sp.csr_matrix, seed: int):
        random = generator(seed, "bprmf")
        users, items = (random.standard_normal((n, self.factors)) * 0.1 for n in train.shape)
        if self.item_bias:
            # The bias is one more factor, which is 1 for all users.
            users = np.column_stack((users, np.ones(len(users))))
            items = np.column_stack((items, np.zeros(len(items))))
        negative = self.negative_regularization
        penalties = (self.regularization, self.regularization if negative is None else negative)
        drawn = _drawn(train, positives, np.count_nonzero(self.rated_))
        if len(drawn[0]):
            _descend(
                (users, items),
                drawn,
                (train.indptr, train.indices, np.flatnonzero(self.rated_)),
                (self.factors, float(self.learning_rate), *map(float, penalties)),
                (self.epochs * len(drawn[0]), bool(self.decay), self.sampling == "users"),
                random.integers(0, 2**64, dtype=np.uint64),
            )
        return users, items

    def _implicit(self, train: sp.csr_matrix, positives: sp.csr_matrix, seed: int):
        from implicit.bpr import BayesianPersonalizedRanking

        with warnings.catch_warnings():
            # It warns of slowness when BLAS may use more than one thread.
            warnings.simplefilter("ignore", RuntimeWarning)
            model = BayesianPersonalizedRanking(
                factors=self.factors,
                learning_rate=self.learning_rate,
                regularization=self.regularization,
                dtype=np.float64,
                iterations=self.epochs,
                verify_negative_samples=True,
                use_gpu=False,
                num_threads=1,
                random_state=generator(seed, "bprmf"),
            )
        model.fit(positives, show_progress=False)
        return model.user_factors, model.item_factors


def _drawn(train: sp.csr_matrix, positives: sp.csr_matrix, n_rated: int):
    """Return the users and items to draw from, sorted by user, and where each user's begin.

    Users who rated all items are left out: nothing can be drawn for them to be compared with.
    """
    lengths = np.diff(positives.indptr)
    lengths[np.diff(train.indptr) >= n_rated] = 0
    kept = np.repeat(np.diff(train.indptr) < n_rated, np.diff(positives.indptr))
    users = np.repeat(np.arange(len(lengths), dtype=np.int32), lengths)
    starts = np.concatenate(([0], np.cumsum(lengths[lengths > 0])))
    return users, positives.indices[kept], starts


@numba.njit(cache=True)
def _descend(factors, drawn, rated, settings, steps, state):
    """Take `n_steps` steps of gradient ascent, each for one drawn triple."""
    users, items = factors
    n_factors, rate, penalty, negative_penalty = settings
    n_steps, decay, by_user = steps
    scratch = np.empty(users.shape[1])
    for step in range(n_steps):
        state, u, i, j = _draw(drawn, rated, by_user, state)
        now = rate * (1.0 - step / n_steps) if decay else rate
        _step(users[u], items[i], items[j], n_factors, (now, penalty, negative_penalty), scratch)


@numba.njit(cache=True)
def _draw(drawn, rated, by_user, state):
    """Draw a triple of a user, an item of its positive ones and one that it did not rate."""
    users, items, starts = drawn
    indptr, indices, pool = rated
    if by_user:
        state, user = _below(state, len(starts) - 1)
        state, x = _below(state, starts[user + 1] - starts[user])
        x += starts[user]
    else:
        state, x = _below(state, len(users))
    u = users[x]
    first, last = indptr[u], indptr[u + 1]
    while True:
        state, y = _below(state, len(pool))
        j = pool[y]
        low, high = first, last
        while low < high:
            middle = (low + high) // 2
            if indices[middle] < j:
                low = middle + 1
            else:
                high = middle
        if low == last or indices[low] != j:
            return state, u, items[x], j


@numba.njit(cache=True)
def _below(state, n):
    """Return the next state of SplitMix64 and an integer from 0 to n - 1, for n < 2^31.

    The high 32 bits are scaled to n, so that the probabilities differ by a share of n / 2^32.
    """
    state = state + np.uint64(0x9E3779B97F4A7C15)
    z = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return state, np.int64(((z >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))


@numba.njit(cache=True)
def _step(p, q, r, n_factors, settings, difference):
    """Go up the gradient of one triple, of a user p, a positive item q and a negative one r.

    Factors beyond `n_factors` are biases: the user's is 1 and stays so. `difference` is scratch.
    """
    rate, penalty, negative_penalty = settings
    n = len(p)
    for f in range(n):
        difference[f] = q[f] - r[f]
    # Four sums, because one would have to wait for every addition before the next.
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    for f in range(0, n - 3, 4):
        a += p[f] * difference[f]
        b += p[f + 1] * difference[f + 1]
        c += p[f + 2] * difference[f + 2]
        d += p[f + 3] * difference[f + 3]
    for f in range(n - n % 4, n):
        a += p[f] * difference[f]
    pull = rate / (1.0 + np.exp((a + b) + (c + d)))
    kept, negative_kept = 1.0 - rate * penalty, 1.0 - rate * negative_penalty
    for f in range(n_factors):
        q[f] = kept * q[f] + pull * p[f]
    for f in range(n_factors):
        r[f] = negative_kept * r[f] - pull * p[f]
    for f in range(n_factors):
        p[f] = kept * p[f] + pull * difference[f]
    for f in range(n_factors, n):
        q[f] += pull
        r[f] -= pull
