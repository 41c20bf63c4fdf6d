"""Recommenders that walk at random on the graph of users and items."""

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from rankassay.errors import RankassayError, one_of
from rankassay.recommenders.base import changed, check_bounds
from rankassay.recommenders.sparse import arrays, has_entries, shares
from rankassay.recommenders.walk import (
    WIDTH,
    columns,
    inverse,
    multiply,
    slow_modes,
    spread,
    tiles,
    two_steps,
)
from rankassay.types import Floats, Integers, Integers32

WEIGHTS = ("rating", "binary")
ERROR = 1e-4  # as a share of 1 / (1 - x)
EXACT = 10_000  # users of a component up to which a dense matrix is inverted: 800 MB, three times


@dataclass
class HittingTime:
    """Items from which a random walk reaches the user soonest.

    The graph has the users and the items for nodes and the ratings for edges; a step follows an
    edge with probability proportional to its weight. With H(q|j) the expected number of steps of
    a walk from item j until it first reaches user q, score(q, j) = -H(q|j) (Yin, Cui, Li, Yao,
    Chen. Challenging the long tail recommendation. PVLDB 5(9), 2012, section 3).

    With P_IU and P_UI the steps from items to users and back, w_q the weight of the edges of q,
    pi_q = w_q / sum_v w_v and Z = sum_t ((P_UI P_IU)^t - 1 pi^T), ::

        H(q|j) = 1 + 2 (Z_qq - (P_IU Z)_jq) / pi_q,

    so that for one user (P_IU sum_t (P_UI P_IU)^t)_jq gives the same ranking of items. That is the
    score unless `exact`. The sum is f(P_UI P_IU) with f(x) = 1 / (1 - x). It is taken by the
    eigenvalues of P_UI P_IU: for each of the `modes` largest ones below 1 by itself, and for all
    others by the polynomial of the lowest degree that is off f by a share of 1e-4 at most, or the
    nearest one of degree `steps` if this is lower.

    Parameters
    ----------
    steps : int
        The most steps from user to user that are walked one by one.
    modes : int
        How many eigenvalues are taken by themselves. With 0, the score is the sum of the terms of
        t = 0 to `steps`, as it always is for users who are folded in.
    exact : bool
        Whether to compute -H(q|j) instead, by inverting a dense matrix for every connected
        component of the graph.
    weights : {"rating", "binary"}
        The weight of an edge: the rating (the paper's) or 1.

    Notes
    -----
    H is a mean over the raters of j, so their number does not matter: items with a few raters close
    to the user come first. Items with the same single rater are tied, and ordered by index. An item
    that is not connected to the user has no score, like items and users without ratings. O(degree
    n_ratings + modes n_users) per user; O(n_users^3) and a dense matrix of users if `exact`.
    """

    steps: int = 8
    modes: int = 64
    exact: bool = False
    weights: str = "rating"

    # Where only some items are scored: these, and the last step to them.
    some_: ClassVar[tuple | None] = None

    def fit(self, train: sp.csr_matrix, seed: int) -> Self:
        """Make the steps of the walk; the seed is not used."""
        one_of("weights", self.weights, WEIGHTS)
        check_bounds("ht", self, steps=">= 0", modes=">= 0")
        edges = self._edges(train)
        self.folded_ = sp.csr_matrix(train.shape)
        # What is multiplied often lies side by side, for the sake of the cache.
        user_order, self.item_order_ = _by_entries(edges), _by_entries(edges.T)
        self.user_place_, self.item_place_ = np.argsort(user_order), np.argsort(self.item_order_)
        edges = edges[user_order][:, self.item_order_].sorted_indices()
        self.to_items_ = shares(edges)
        self.to_users_ = shares(edges.T.tocsr())
        several = tiles(self.to_users_)
        self.tiles_ = several if len(several) > 1 else ()
        _, component = connected_components(sp.bmat([[None, edges], [edges.T, None]], "csr"))
        n_users = train.shape[0]
        self.user_component_, self.item_component_ = component[:n_users], component[n_users:]
        self.user_weights_ = np.asarray(edges.sum(axis=1)).ravel()
        self.item_weights_ = np.asarray(edges.sum(axis=0)).ravel()
        if self.exact:
            self._invert(self.user_weights_)
        else:
            self._find_modes(edges, component)
        return self

    def fold_in(self, train: sp.csr_matrix, profiles: sp.csr_matrix) -> Self:
        """Add each user of the profiles to the graph, without the others of them."""
        self.folded_ = self._edges(profiles)
        return self

    def among(self, items: Integers32) -> Self:
        """Return a model of some items; the walk still goes over all."""
        places, own = np.unique(self.item_place_[items], return_inverse=True)
        last = tiles(self.to_users_[places])
        return changed(self, some_=(self.item_place_[items], last, places, own))

    @property
    def _tiled(self) -> tuple[sp.csr_matrix, ...]:
        """P_IU as `multiply` takes it; where that is whole, it is not kept twice."""
        return self.tiles_ or (self.to_users_,)

    def _edges(self, ratings: sp.csr_matrix) -> sp.csr_matrix:
        edges = ratings.astype(np.float64)
        if self.weights == "binary":
            edges.data[:] = 1.0
        return edges

    def _find_modes(self, edges: sp.csr_matrix, component: Integers) -> None:
        """Find the slow modes, whose part of the sum over all steps has a closed form."""
        self.terms_ = np.ones(self.steps + 1)
        self.slow_ = np.zeros((edges.shape[0], 0))
        if self.modes:
            weights = self.user_weights_, self.item_weights_
            values, vectors = slow_modes(edges, weights, component, self.modes)
            others = values[-1] if len(values) == self.modes else 0.0
            self.terms_ = inverse(others, ERROR, self.steps)
            root = np.sqrt(self.user_weights_)[:, None]
            self.slow_ = np.divide(vectors, root, out=np.zeros(vectors.shape), where=root > 0)
            self.missing_ = 1.0 / (1.0 - values) - np.polynomial.Polynomial(self.terms_)(values)
            # The error of values kept between steps in 24 bits is at most this in all, and mostly
            # much less.
            off = np.abs(self.terms_).sum() + np.abs(self.missing_).max(initial=0.0)
            if off * 2.0**-24 <= ERROR:
                self.slow_ = self.slow_.astype(np.float32)

    def score(self, users: Integers32) -> Floats:
        """Return the scores of all items that are connected with the user."""
        folded = has_entries(self.folded_)[users]
        if not folded.any():
            return self._known(self.user_place_[users])
        place = self.some_[0] if self.some_ else self.item_place_
        scores = np.empty((len(users), len(place)))
        scores[~folded] = self._known(self.user_place_[users[~folded]])
        for row, user in zip(np.flatnonzero(folded), users[folded], strict=True):
            scores[row] = self._added(self.folded_[user][:, self.item_order_])[place]
        return scores

    def _known(self, users: Integers) -> Floats:
        """Return the scores of users in training, given by their places."""
        place, last, places, own = self.some_ or (
            self.item_place_,
            self._tiled,
            slice(None),
            self.item_place_,
        )
        component = self.item_component_[place]
        scores = np.empty((len(users), len(place)))
        space = () if self.exact else self._space(last[0].shape[0])
        for first in range(0, len(users), WIDTH):
            block = users[first : first + WIDTH]
            found = self._exact(block)[places] if self.exact else self._series(block, last, space)
            out = scores[first : first + WIDTH]
            spread(found, own, component, self.user_component_[block], out)
        return scores

    def _space(self, n_last: int) -> tuple[Floats, ...]:
        """Return the work arrays of `_series`."""
        n_users, n_items = self.to_items_.shape
        walked = (columns(n, self.slow_.dtype) for n in (n_users, n_items, n_users))
        return (*walked, columns(n_last, np.float64))

    def _added(self, row: sp.csr_matrix) -> Floats:
        """Return the scores of a user who is added to the graph, float64 (n_items,).

        From an item of weight W, a step then leads to this user with probability w / (W + w), and
        else as before. Its `exact` scores come from one system of equations, without the user's
        node: of users h_U = 2 + P_UI D P_IU h_U, where D is the diagonal of the items' W / (W + w).
        """
        own = row.toarray().ravel()
        total = self.item_weights_ + own
        kept = np.divide(self.item_weights_, total, out=np.zeros(len(total)), where=total > 0)
        components = np.unique(self.item_component_[row.indices])
        items = np.isin(self.item_component_, components)
        if self.exact:
            inside = np.flatnonzero(np.isin(self.user_component_, components))
            walk = self.to_items_[inside] @ sp.diags_array(kept) @ self.to_users_[:, inside]
            steps = np.linalg.solve(np.eye(len(inside)) - walk.toarray(), np.full(len(inside), 2.0))
            times = 1.0 + kept * (self.to_users_[:, inside] @ steps)
            return np.where(items, -times, -np.inf)
        arriving = np.divide(own, total, out=np.zeros(len(total)), where=total > 0)
        there, others, scores = 1.0, np.zeros(self.to_items_.shape[0]), np.zeros(len(total))
        for _ in range(self.steps + 1):
            reached = arriving * there + kept * (self.to_users_ @ others)
            scores += reached
            there, others = own @ reached / own.sum(), self.to_items_ @ reached
        return np.where(items, scores, -np.inf)

    def _series(self, users: Integers, last: tuple[sp.csr_matrix, ...], space: tuple) -> Floats:
        """Return P_IU f(P_UI P_IU) e_q, one column a user, with the rows `last` of P_IU.

        The polynomial is taken by Horner's rule, from its last term to its first. There are always
        `WIDTH` columns, so that each is computed in the same way, in a `space` that serves all
        blocks: allocating memory again takes time.
        """
        there, reached, slow, found = space
        each = np.arange(len(users))
        there[:] = 0.0
        there[users, each] = self.terms_[-1]
        for step, term in enumerate(self.terms_[-2::-1]):
            if step:
                multiply(self._tiled, there, reached)
                multiply((self.to_items_,), reached, there)
            else:
                self._first_steps(users, self.terms_[-1], there)
            there[users, each] += term
        if self.slow_.shape[1]:
            shares = np.zeros((self.slow_.shape[1], WIDTH), self.slow_.dtype)
            factors = self.missing_ * self.user_weights_[users, None]
            shares[:, each] = (self.slow_[users] * factors).T
            there += np.matmul(self.slow_, shares, out=slow)
        multiply(last, there, found)
        return found

    def _first_steps(self, users: Integers, factor: float, there: Floats) -> None:
        """Write factor P_UI P_IU e_q, one column a user, who has few items."""
        for column, user in enumerate(users):
            row = slice(*self.to_items_.indptr[user : user + 2])
            edges = factor * self.to_items_.data[row] * self.user_weights_[user]
            items = (self.to_items_.indices[row], edges)
            two_steps(*items, *arrays(self.to_users_), self.user_weights_, there[:, column])

    def _exact(self, users: Integers32) -> Floats:
        """Return -H(q|j), one column a user."""
        times = np.zeros((len(self.user_component_), WIDTH))
        times[:, : len(users)] = self.inverse_[:, users]
        means = self.to_users_ @ times
        means[:, : len(users)] -= self.inverse_[users, users]
        means[:, : len(users)] *= 2.0 / self.share_[users]
        return means - 1.0

    def _invert(self, weights: Floats) -> None:
        """Compute Z, which is (I - P_UI P_IU + 1 pi^T)^-1 within a component, and pi."""
        n_users = len(weights)
        largest = int(np.bincount(self.user_component_).max(initial=0))
        if largest > EXACT:
            raise RankassayError(
                f"ht: expected at most {EXACT} connected users for exact: true, found {largest}; "
                "give a number of steps instead."
            )
        two_steps = self.to_items_ @ self.to_users_
        self.inverse_ = np.zeros((n_users, n_users))
        self.share_ = np.ones(n_users)
        members = np.argsort(self.user_component_, kind="stable")
        bounds = np.flatnonzero(np.diff(self.user_component_[members])) + 1
        for inside in np.split(members, bounds):
            total = weights[inside].sum()
            if total > 0:
                share = weights[inside] / total
                system = np.eye(len(inside)) - two_steps[inside][:, inside].toarray() + share
                self.inverse_[np.ix_(inside, inside)] = np.linalg.inv(system)
                self.share_[inside] = share


def _by_entries(matrix: sp.sparray) -> Integers:
    """Return the rows in the order of their numbers of entries, most first."""
    return np.argsort(-np.bincount(matrix.nonzero()[0], minlength=matrix.shape[0]), kind="stable")
