"""A collapsed Gibbs sampler for latent Dirichlet allocation."""

import numpy as np
import scipy.sparse as sp

from rankassay.kernels import FOUR, ONE, THREE, TWO, njit
from rankassay.types import Floats

FEW = 8  # topics that a draw looks at together


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
