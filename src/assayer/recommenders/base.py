"""What a recommender is: the protocol that every class of `registry.RECOMMENDERS` follows."""

from typing import Protocol, Self

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp


class Recommender(Protocol):
    """A top-N recommender.

    The constructor stores its keyword parameters under the same names and does nothing else, so
    that its signature is the list of settings that a configuration may give. A recommender never
    sees the test ratings, ranks nothing and masks nothing: `assayer.recommenders.rank` does.
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

    def score(self, users: npt.NDArray[np.int32]) -> npt.NDArray[np.float64]:
        """Return the scores of all items for some users, a new float64 (len(users), n_items).

        Higher is better. `-inf` means that the item is not scored for this user: it is never
        listed. A user who cannot be served has `-inf` throughout. Values for items that the user
        rated in training are ignored. A row does not depend on which other users are asked for.
        """
