"""The protocol of recommenders, which every class in `catalogue.RECOMMENDERS` follows."""

import copy
import operator
from typing import Any, Protocol, Self, TypeVar

import numpy as np
import scipy.sparse as sp

from rankassay.errors import RankassayError
from rankassay.kernels import njit
from rankassay.types import Floats, Integers32

FEW_CELLS = 2**17  # scores from which some are picked at a time: 1 MB
COMPARISONS = {">": operator.gt, ">=": operator.ge}


class Recommender(Protocol):
    """A top-N recommender.

    The constructor stores its keyword parameters under the same names and does nothing else, so its
    signature lists the settings that a configuration may give. A recommender never sees the test
    ratings; `rankassay.recommenders.rank` does the ranking and masking. One that can recommend to
    users that it was not trained on has the method `fold_in`, see `rankassay.recommenders.folding`.
    One that can score some items in less time than all has the method `among`, see `among`.
    """

    def fit(self, train: sp.csr_matrix, seed: int) -> Self:
        """Learn from the training ratings and return self.

        Parameters
        ----------
        train : float32 (n_users, n_items)
            Ratings, sorted indices, no explicit zeros; not to be changed. Rows and columns may
            be empty.
        seed : int
            The same seed gives the same model, bit for bit.
        """

    def score(self, users: Integers32) -> Floats:
        """Return the scores of all items for some users, a new float64 (len(users), n_items).

        Higher is better. `-inf` means that the item is not scored for this user: it is never
        listed. A user who cannot be served has `-inf` throughout. Values for items that the user
        rated in training are ignored. A row does not depend on which other users are requested.
        """


Model = TypeVar("Model")


def among(model: Recommender, items: Integers32) -> tuple[Recommender, bool]:
    """Return a model whose scores have a column for each of some items, if there is one.

    Its `score` returns the same bits as that of the whole model has in the columns of `items`,
    which increase. Most items of a large dataset may not be among those that are ranked, and then
    their scores are not worth the memory they are written to. A model does this by the method ::

        def among(self, items: Integers32) -> Recommender

    which does not change the model itself. Of a model without it, the model itself is returned, and
    False; and of one of a class that has it from another class, whose `score` it replaced, too.
    """
    kinds = type(model).__mro__
    having = [[name in vars(kind) for kind in kinds] for name in ("among", "score")]
    found = True in having[0] and having[0].index(True) <= having[1].index(True)
    return (model.among(items) if found else model), found


def changed(model: Model, **learned: Any) -> Model:
    """Return a copy of a fitted model that has learned something else."""
    other = copy.copy(model)
    vars(other).update(learned)
    return other


class Picked:
    """A model's scores of some items, picked from those of all items while these are in the cache.

    For models that visit all items that a user's neighbours or ratings lead to.
    """

    def __init__(self, model: Recommender, items: Integers32) -> None:
        self.model, self.items = model, items

    def score(self, users: Integers32) -> Floats:
        """Return the scores, float64 (len(users), len(items))."""
        scores, first, n = np.empty((len(users), len(self.items))), 0, 1
        while first < len(users):
            whole = self.model.score(users[first : first + n])
            _pick(whole, self.items, scores[first : first + n])
            first, n = first + n, max(1, FEW_CELLS // whole.shape[1])
        return scores


@njit
def _pick(whole, items, out):
    """Write some columns of an array into another one."""
    for row in range(len(whole)):
        own, to = whole[row], out[row]
        for column in range(len(items)):
            to[column] = own[np.uint64(items[column])]


def check_bounds(method: str, model: Recommender, **bounds: str) -> None:
    """Raise RankassayError unless each of a model's parameters keeps its bound, such as "> 0"."""
    found = {name: getattr(model, name) for name in bounds}
    compared = {name: bound.split() for name, bound in bounds.items()}
    if not all(COMPARISONS[sign](found[name], int(n)) for name, (sign, n) in compared.items()):
        expected = _listed([f"{name} {bound}" for name, bound in bounds.items()])
        raise RankassayError(f"{method}: expected {expected}, found {_listed([*found.values()])}.")


def _listed(things: list) -> str:
    *others, last = map(str, things)
    return f"{', '.join(others)} and {last}" if others else last
