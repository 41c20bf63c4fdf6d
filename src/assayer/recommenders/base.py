"""The protocol of recommenders, which every class in `catalogue.RECOMMENDERS` follows."""

import operator
from typing import Protocol, Self

import scipy.sparse as sp

from assayer.errors import AssayerError
from assayer.types import Floats, Integers32

COMPARISONS = {">": operator.gt, ">=": operator.ge}


class Recommender(Protocol):
    """A top-N recommender.

    The constructor stores its keyword parameters under the same names and does nothing else, so its
    signature lists the settings that a configuration may give. A recommender never sees the test
    ratings; `assayer.recommenders.rank` does the ranking and masking. One that can serve users whom
    it did not learn from has the method `fold_in`, see `assayer.recommenders.folding`.
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


def check_bounds(method: str, model: Recommender, **bounds: str) -> None:
    """Raise AssayerError unless each of a model's parameters keeps its bound, such as "> 0"."""
    found = {name: getattr(model, name) for name in bounds}
    compared = {name: bound.split() for name, bound in bounds.items()}
    if not all(COMPARISONS[sign](found[name], int(n)) for name, (sign, n) in compared.items()):
        expected = _listed([f"{name} {bound}" for name, bound in bounds.items()])
        raise AssayerError(f"{method}: expected {expected}, found {_listed([*found.values()])}.")


def _listed(things: list) -> str:
    *others, last = map(str, things)
    return f"{', '.join(others)} and {last}" if others else last
