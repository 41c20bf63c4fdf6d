"""Binary preference."""

from typing import Literal

import numpy as np

from rankassay.metrics.judged import Judged
from rankassay.metrics.totals import Total
from rankassay.types import Floats, Integers


def bpref(
    judged: Judged,
    cutoffs: Integers,
    *,
    without_nonrelevant: Literal["preferred", "nan"] = "preferred",
    negative: Literal["nonrelevant", "unjudged"] = "nonrelevant",
) -> Total | Floats:
    """Binary preference: how few judged non-relevant items stand above each relevant one.

    ::

        bpref_u@n = (1 / |R_u|) sum_{k <= n} rel(L_u[k]) (1 - min(a_k, |R_u|) / min(|N_u|, |R_u|))

    with a_k the number of judged non-relevant items above place k; unjudged items are passed
    over. Range [0, 1]; 0 for an empty list and for a user without relevant items.

    Parameters
    ----------
    without_nonrelevant : {"preferred", "nan"}
        For a user without judged non-relevant items the fraction is 0/0. Each relevant item in the
        list then adds 1, as in trec_eval, or the user's value is undefined, as in ranx if the list
        has a relevant item.
    negative : {"nonrelevant", "unjudged"}
        Whether an item rated below 0 is judged and not relevant, or not judged, as in trec_eval,
        where levels below 0 say that an item was pooled only.

    References
    ----------
    Valcarce et al., RecSys 2018, equation (6), after Buckley and Voorhees, SIGIR 2004;
    trec_eval's `bpref` (since version 8) on lists cut at n (`-M`).
    """
    if negative == "unjudged":
        judged = judged.from_zero
    n_relevant, n_nonrelevant = judged.judgements.n_relevant, judged.judgements.n_nonrelevant
    hits = judged.hits
    # Above an item stand at most |N_u| non-relevant ones, so that one bound does for both.
    bound = np.minimum(n_relevant, n_nonrelevant)[hits.row]
    fraction = np.minimum(hits.nonrelevant_above, bound) / np.maximum(bound, 1)
    total = hits.total(1 - fraction, cutoffs, judged.n_relevant)
    if without_nonrelevant == "preferred":
        return total
    return np.where(n_nonrelevant[:, None] > 0, total.values(), np.nan)
