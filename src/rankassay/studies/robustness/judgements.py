"""How complete and how personal the judgements of a test set are: the facts behind table 1."""

import numpy as np
import pandas as pd
import scipy.sparse as sp


def run(train: sp.csr_matrix, test: sp.csr_matrix, evaluation: dict) -> pd.DataFrame:
    """Measure the assumptions in which recommendation differs from information retrieval.

    Returns
    -------
    DataFrame
        Columns fact and value, with the facts
        judged: the share of the pairs of a test user and a candidate item that are judged, the
        candidates being the test set's items that the user did not rate in training;
        disputed: the share of the items with at least two judgements that are relevant to one
        user and non-relevant to another.
    """
    in_test = np.bincount(test.indices, minlength=test.shape[1]) > 0
    users = np.flatnonzero(np.diff(test.indptr))
    seen = train[users][:, in_test].nnz
    judged = test.nnz / max(len(users) * in_test.sum() - seen, 1)

    relevant = np.bincount(
        test.indices, weights=test.data >= evaluation["threshold"], minlength=test.shape[1]
    )
    count = np.bincount(test.indices, minlength=test.shape[1])
    several = count >= 2
    disputed = (relevant > 0) & (relevant < count) & several
    facts = {"judged": judged, "disputed": disputed.sum() / max(several.sum(), 1)}
    return pd.DataFrame({"fact": facts.keys(), "value": facts.values()})
