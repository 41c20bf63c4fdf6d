"""Recommenders that describe a user as a mixture of topics, and a topic as a share of each item."""

from dataclasses import dataclass
from typing import Self

import numpy as np
import scipy.sparse as sp

from rankassay.errors import RankassayError, one_of
from rankassay.kernels import FOUR, ONE, THREE, TWO, njit
from rankassay.progress import progress
from rankassay.recommenders.base import check_bounds
from rankassay.recommenders.factorization import FoldedFactors
from rankassay.seeds import derive, generator
from rankassay.types import Floats

FEW = 8  # topics that a draw looks at together


@dataclass
class LDA(FoldedFactors):
    """Latent Dirichlet allocation, with users as documents and items as words.

    A user has a mixture of topics p(z|u) ~ Dirichlet(alpha), a topic a distribution over the rated
    items p(i|z) ~ Dirichlet(beta), and a rating of r is r occurrences of the item, whole stars:
    max(1, floor(r)), so that half a star still counts (Blei, Ng, Jordan. Latent Dirichlet
    allocation. JMLR 2003). score(u, i) = p(i|u) = sum_z p(z|u) p(i|z).

    Parameters
    ----------
    topics : int
        50 topics, alpha = 0.1 and beta = 0.01 fit the results of Valcarce et al. (RecSys 2018) on
        MovieLens 1M. Griffiths and Steyvers (PNAS 2004) have alpha = 50 / topics.
    alpha, beta : float
        The parameters of the symmetric Dirichlet distributions, positive.
    sweeps : int
        How often the topics of all occurrences are drawn again. For "sklearn", its iterations; it
        needs far fewer: 20 to 50.
    burn_in, thin : int
        After `burn_in` sweeps, the means of p(z|u) and p(i|z) are averaged over every `thin`-th
        sweep. "sklearn" ignores them.
    binary : bool
        Whether a rating of any value is one occurrence of the item.
    backend : {"gibbs", "sklearn"}
        Collapsed Gibbs sampling (Griffiths, Steyvers), or scikit-learn's variational inference as
        in the paper, which gives other results and takes far longer.

    Notes
    -----
    O(topics n_occurrences) a sweep, and memory for topics (n_users + n_items) counts. A user's
    scores sum to 1. Users and items without ratings have none.
    """

    topics: int = 50
    alpha: float = 0.1
    beta: float = 0.01
    sweeps: int = 200
    burn_in: int = 50
    thin: int = 10
    binary: bool = False
    backend: str = "gibbs"

    def fit(self, train: sp.csr_matrix, seed: int) -> Self:
        """Learn the topics; the seed chooses the random numbers."""
        one_of("backend", self.backend, ("gibbs", "sklearn"))
        check_bounds("lda", self, topics=">= 1", alpha="> 0", beta="> 0")
        self._note_ratings(train)
        occurrences = self._occurrences(train[:, self.rated_])
        infer = self._sample if self.backend == "gibbs" else self._infer_variationally
        self.user_factors_, items = infer(occurrences, seed)
        self.item_factors_ = np.zeros((train.shape[1], self.topics))
        self.item_factors_[self.rated_] = items
        return self

    def _users_of(self, train: sp.csr_matrix, profiles: sp.csr_matrix) -> Floats:
        """Return the most likely mixtures of the topics, as `mixtures` has them."""
        return mixtures(self._occurrences(profiles), self.item_factors_, self.alpha, self.sweeps)

    def _occurrences(self, ratings: sp.csr_matrix) -> sp.csr_matrix:
        """Return how often each item occurs, int32."""
        stars = np.ones(ratings.nnz) if self.binary else np.floor(ratings.data)
        counts = np.maximum(stars, 1).astype(np.int32)
        return sp.csr_matrix((counts, ratings.indices, ratings.indptr), ratings.shape)

    def _sample(self, occurrences: sp.csr_matrix, seed: int) -> tuple[Floats, Floats]:
        if not (self.thin >= 1 and 0 <= self.burn_in <= self.sweeps - self.thin):
            raise RankassayError(
                "lda: expected thin >= 1 and burn_in from 0 to sweeps - thin, found "
                f"thin {self.thin}, burn_in {self.burn_in} and sweeps {self.sweeps}."
            )
        chain = GibbsChain(occurrences, self.topics, self.alpha, self.beta, derive(seed, "lda"))
        users, items, samples = 0.0, 0.0, 0
        for done in progress(range(1, self.sweeps + 1), "sweeps"):
            chain.sweep()
            if done > self.burn_in and (done - self.burn_in) % self.thin == 0:
                user_topics, item_topics = chain.distributions()
                users, items, samples = users + user_topics, items + item_topics, samples + 1
        return users / samples, items / samples

    def _infer_variationally(self, occurrences: sp.csr_matrix, seed: int) -> tuple[Floats, Floats]:
        from sklearn.decomposition import LatentDirichletAllocation

        model = LatentDirichletAllocation(
            self.topics,
            doc_topic_prior=self.alpha,
            topic_word_prior=self.beta,
            max_iter=self.sweeps,
            n_jobs=1,
            random_state=derive(seed, "lda"),
        )
        users = model.fit_transform(occurrences)
        return users, (model.components_ / model.components_.sum(axis=1, keepdims=True)).T


@dataclass
class PLSA(FoldedFactors):
    """Probabilistic latent semantic analysis, with the ratings as counts.

    Maximises sum_{u,i} r(u, i) log p(i|u) with p(i|u) = sum_z p(z|u) p(i|z), which is also the
    score, by expectation maximisation (Hofmann. Latent semantic models for collaborative filtering.
    TOIS 2004, the model of co-occurrences; no tempering). A step is, with p the old values,

    p'(z|u) ~ sum_i r(u, i) p(z|u) p(i|z) / p(i|u),  p'(i|z) ~ sum_u r(u, i) p(z|u) p(i|z) / p(i|u)

    Parameters
    ----------
    topics, iterations : int
        50 topics and 100 steps fit the results of Valcarce et al. (RecSys 2018) on MovieLens 1M.

    Notes
    -----
    O(topics n_ratings) per step, and memory only for the factors, as a rating's shares of the
    topics are used at once. The likelihood never falls. It is that of a non-negative factorization
    by the Kullback-Leibler divergence. A user's scores sum to 1. Users and items without ratings
    have none.
    """

    topics: int = 50
    iterations: int = 100

    def fit(self, train: sp.csr_matrix, seed: int) -> Self:
        """Iterate; the seed chooses the distributions to start from."""
        check_bounds("plsa", self, topics=">= 1", iterations=">= 0")
        self._note_ratings(train)
        random = generator(seed, "plsa")
        users = 1 - random.random((train.shape[0], self.topics))
        items = 1 - random.random((train.shape[1], self.topics))
        users /= users.sum(axis=1, keepdims=True)
        items /= items.sum(axis=0)
        for _ in progress(range(self.iterations), "iterations"):
            users, items = expectation_maximization(train, users, items)
        self.user_factors_, self.item_factors_ = users, items
        return self

    def _users_of(self, train: sp.csr_matrix, profiles: sp.csr_matrix) -> Floats:
        """Return the most likely mixtures of the topics, as `mixtures` has them."""
        return mixtures(profiles, self.item_factors_, 0.0, self.iterations)


def mixtures(counts: sp.csr_matrix, topics: Floats, alpha: float, iterations: int) -> Floats:
    """Return p(z|u) of users by expectation maximisation, with p(i|z) as it is: folding-in.

    It climbs to the maximum of sum_i n(u, i) log sum_z p(z|u) p(i|z) + alpha sum_z log p(z|u),
    from equal shares by ::

        p'(z|u) ~ alpha + sum_i n(u, i) p(z|u) p(i|z) / p(i|u)

    For alpha = 0 this is Hofmann's, and for others the mixture under a Dirichlet distribution whose
    parameter is alpha + 1, which is how a maximum has the pseudo-counts that a mean has with alpha
    (Asuncion, Welling, Smyth, Teh. On smoothing and inference for topic models. UAI 2009). The
    maximum is the only one. Items that no topic has are passed over.
    `topics`, (n_items, n_topics), are p(i|z). Users of no such item get equal shares.
    """
    n_topics = topics.shape[1]
    users = np.full((counts.shape[0], n_topics), 1 / n_topics)
    known = topics.sum(axis=1) > 0
    kept = counts.multiply(known).tocsr()
    for _ in range(iterations):
        sums, _ = _reweight(kept.indptr, kept.indices, kept.data, users, topics)
        sums += alpha
        total = sums.sum(axis=1, keepdims=True)
        users = np.divide(sums, total, out=users, where=total > 0)
    return users


def expectation_maximization(
    ratings: sp.csr_matrix, users: Floats, items: Floats
) -> tuple[Floats, Floats]:
    """Return p(z|u), a user per row, and p(i|z), an item per row, after one step of `PLSA`."""
    users, items = _reweight(ratings.indptr, ratings.indices, ratings.data, users, items)
    # Nothing to divide for users without ratings, and for a topic that has died out.
    users /= np.maximum(users.sum(axis=1, keepdims=True), np.finfo(float).tiny)
    items /= np.maximum(items.sum(axis=0), np.finfo(float).tiny)
    return users, items


@njit
def _reweight(indptr, indices, data, users, items):
    """Return sum_i r q_z(u, i) and sum_u r q_z(u, i) with the posteriors q of the topics z."""
    n_topics = users.shape[1]
    new_users, new_items = np.zeros_like(users), np.zeros_like(items)
    for user in range(len(indptr) - 1):
        mine, my_sum = users[user], new_users[user]
        for x in range(indptr[user], indptr[user + 1]):
            theirs, their_sum = items[indices[x]], new_items[indices[x]]
            ratio = data[x] / max(np.dot(mine, theirs), 1e-300)
            for z in range(n_topics):
                my_sum[z] += ratio * theirs[z]
                their_sum[z] += ratio * mine[z]
        my_sum *= mine
    return new_users, new_items * items


class GibbsChain:
    """The state of a collapsed Gibbs sampler: a topic for every occurrence, and their counts.

    Parameters
    ----------
    occurrences : CSR int32 (n_users, n_items)
        How often an item occurs with a user.
    topics, alpha, beta
        As in `LDA`.
    seed : int
        The state of the generator of random numbers, splitmix64, to start from.
    """

    def __init__(
        self, occurrences: sp.csr_matrix, topics: int, alpha: float, beta: float, seed: int
    ):
        n_users, n_items = occurrences.shape
        self.priors = (float(alpha), float(beta))
        self.documents = (occurrences.indptr, occurrences.indices, occurrences.data)
        self.state = np.array([seed], np.uint64)
        self.topic = np.empty(occurrences.data.sum(), np.int32)
        self.by_user = np.zeros((n_users, topics), np.int32)
        self.by_item = np.zeros((n_items, topics), np.int32)
        self.by_topic = np.zeros(topics, np.int64)
        self._run(_start)

    def sweep(self) -> None:
        """Draw the topic of each occurrence once, given those of all others."""
        self._run(_sweep)

    def distributions(self) -> tuple[Floats, Floats]:
        """Return the means of p(z|u) and p(i|z) given the topics of all occurrences."""
        alpha, beta = self.priors
        users, items = self.by_user + alpha, self.by_item + beta
        return users / users.sum(axis=1, keepdims=True), items / items.sum(axis=0)

    def _run(self, kernel) -> None:
        counts = (self.by_user, self.by_item, self.by_topic)
        kernel(self.documents, self.topic, counts, self.priors, self.state)


@njit
def _uniform(state):
    """Return a number in [0, 1) from splitmix64 (Steele, Lea, Flood. OOPSLA 2014)."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    bits = state[0]
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    bits ^= bits >> np.uint64(31)
    return np.float64(bits >> np.uint64(11)) * 2.0**-53


@njit
def _start(documents, topic, counts, priors, state):
    """Give every occurrence a topic uniformly at random, and count."""
    indptr, indices, repeats = documents
    by_user, by_item, by_topic = counts
    token = 0
    for user in range(len(indptr) - 1):
        for x in range(indptr[user], indptr[user + 1]):
            for _ in range(repeats[x]):
                z = int(_uniform(state) * len(by_topic))
                topic[token] = z
                by_user[user, z] += 1
                by_item[indices[x], z] += 1
                by_topic[z] += 1
                token += 1


@njit
def _sweep(documents, topic, counts, priors, state):
    """Draw each topic with p(z) ~ (n_uz + alpha) (n_iz + beta) / (n_z + n_items beta).

    The counts leave out the occurrence itself. Those of the same rating follow one another: only
    the two topics that a draw changes are computed anew from one to the next.
    """
    indptr, indices, repeats = documents
    by_user, by_item, by_topic = counts
    alpha, beta = priors
    n_topics, mass = len(by_topic), len(by_item) * beta
    inverse = 1 / (by_topic + mass)
    weights = np.empty(n_topics)
    token = 0
    for user in range(len(indptr) - 1):
        mine = by_user[user]
        for x in range(indptr[user], indptr[user + 1]):
            theirs = by_item[indices[x]]
            for z in range(n_topics):
                weights[z] = (mine[z] + alpha) * (theirs[z] + beta) * inverse[z]
            total = _sum(weights)
            for _ in range(repeats[x]):
                z = topic[token]
                for change in (-1, 1):
                    mine[z] += change
                    theirs[z] += change
                    by_topic[z] += change
                    inverse[z] = 1 / (by_topic[z] + mass)
                    total -= weights[z]
                    weights[z] = (mine[z] + alpha) * (theirs[z] + beta) * inverse[z]
                    total += weights[z]
                    if change < 0:
                        z = _draw(weights, _uniform(state) * total)
                topic[token] = z
                token += 1


@njit
def _sum(weights):
    """Return their sum. Four at a time, as one would wait for each addition before the next."""
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    n = len(weights)
    for z in range(0, n - 3, 4):
        a += weights[z]
        b += weights[z + 1]
        c += weights[z + 2]
        d += weights[z + 3]
    for z in range(n - n % 4, n):
        a += weights[z]
    return (a + b) + (c + d)


@njit
def _draw(weights, rest):
    """Return the first z with weights[0] + ... + weights[z] > rest, or else the last."""
    z, last = 0, len(weights) - 1
    while z + FEW <= last:  # whole blocks are passed over by their sums
        few = _sum_of_few(weights, np.uint64(z))
        if rest < few:
            break
        rest -= few
        z += FEW
    # An index without a sign needs no look at whether it counts from the end.
    while rest >= weights[np.uint64(z)] and z < last:
        rest -= weights[np.uint64(z)]
        z += 1
    return z


@njit
def _sum_of_few(weights, z):
    """Return the sum of `FEW` weights from z on: written out, it takes a third of a loop's time."""
    a = weights[z] + weights[z + FOUR]
    b = weights[z + ONE] + weights[z + FOUR + ONE]
    c = weights[z + TWO] + weights[z + FOUR + TWO]
    d = weights[z + THREE] + weights[z + FOUR + THREE]
    return (a + b) + (c + d)
