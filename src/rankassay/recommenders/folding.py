"""Folding-in: recommending to users that a model was not trained on, from their ratings.

A model with the method ::

    def fold_in(self, train: sp.csr_matrix, profiles: sp.csr_matrix) -> Self

learns nothing more about items, nor about the users in training; it makes of the profiles, CSR
(n_users, n_items), what `score` needs of a user, and returns itself. `train` is what it was fitted
on, where the users of the profiles have no ratings. A user's scores depend on no other profile.
"""

import numpy as np
import scipy.sparse as sp

from rankassay.errors import RankassayError
from rankassay.recommenders.base import Recommender
from rankassay.types import Booleans


def of_users(ratings: sp.csr_matrix, chosen: Booleans) -> sp.csr_matrix:
    """Return the ratings of some users, in a matrix of the same shape."""
    counts = np.diff(ratings.indptr)
    kept = np.repeat(chosen, counts)
    starts = np.concatenate(([0], np.cumsum(counts * chosen)))
    return sp.csr_matrix((ratings.data[kept], ratings.indices[kept], starts), ratings.shape)


def fitted(
    model: Recommender, train: sp.csr_matrix, seed: int, held_out: Booleans | None = None
) -> Recommender:
    """Fit on the users who are not held out, and fold in the others by their ratings.

    Raises RankassayError when the model cannot fold them in, and when `fit` returns no model.
    """
    if held_out is None:
        learned = model.fit(train, seed)
        if isinstance(learned, type(model)) and not hasattr(learned, "score"):
            raise RankassayError(
                f"{type(model).__name__}: expected the method score, found none; add "
                "score(self, users)."
            )
        if not hasattr(learned, "score"):
            raise RankassayError(
                f"{type(model).__name__}.fit: expected the recommender itself, found "
                f"{type(learned).__name__}; end it with `return self`."
            )
        return learned
    if not hasattr(model, "fold_in"):
        raise RankassayError(
            f"{type(model).__name__} cannot serve users whom it did not learn from; leave it out, "
            "or take a split that holds no users out."
        )
    known = of_users(train, ~held_out)
    return model.fit(known, seed).fold_in(known, of_users(train, held_out))
