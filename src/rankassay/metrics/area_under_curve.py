"""The area under the ROC curve, of whole rankings and of lists."""

import numpy as np

from rankassay.metrics.judged import Judged
from rankassay.metrics.totals import ratio
from rankassay.types import Floats, Integers


def auc(judged: Judged, cutoffs: Integers) -> Floats:
    """Area under the ROC curve: how likely a relevant item is to rank above an irrelevant one.

    ::

        AUC_u = (1 / (|R_u| (n - |R_u|))) sum_{r in R_u} sum_{r' not in R_u} [rank r < rank r']

    From the exact ranks in the whole ranking: cut-offs make no difference. Items that are not
    ranked stand below all that are, and a pair of them counts one half. Every item not known to
    be relevant is irrelevant. Range [0, 1], 0.5 is chance; 0 for a user without relevant items, 1
    where every item is relevant.

    References
    ----------
    Rendle, 2019 ("Evaluation metrics for item recommendation under sampling"), equation (2).
    """
    judgements, ranks = judged.judgements, judged.ranks
    ranked = judgements.relevant & (ranks > 0)
    hits = np.bincount(judgements.row, weights=ranked, minlength=judgements.n_users)
    places = np.bincount(judgements.row, weights=ranked * ranks, minlength=judgements.n_users)
    length = judged.lists.length.astype(np.float64)
    area = _area(hits, places, length, judgements.n_relevant, judged.n_candidates("AUC")[:, 0])
    return np.repeat(area[:, None], len(cutoffs), axis=1)


def limited_auc(judged: Judged, cutoffs: Integers) -> Floats:
    """Limited area under the ROC curve: the curve is known only for the first n places.

    From its last point, a straight line leads to (1, 1), as if the items not listed came in random
    order::

        LAUC_u@n = (sum_{irrelevant in L_u^n} hits above it + (N - fp) (tp + |R_u|) / 2) / (|R_u| N)

    with N the number of irrelevant items, tp and fp the relevant and irrelevant ones listed.
    Range [0, 1]; 1 only when the relevant items come first; 0 for a user without relevant items,
    1 where every item is relevant.

    References
    ----------
    Schröder, Thiele and Lehner, UCERSTI 2011, section 5.2; implicit's `AUC_at_k`.
    """
    hits = judged.hits.total(1.0, cutoffs).values()
    places = judged.hits.total(judged.hits.rank, cutoffs).values()
    items = judged.n_candidates("LAUC")
    return _area(hits, places, judged.listed(cutoffs), judged.n_relevant, items)


def _area(hits, places, listed, relevant, items) -> Floats:
    """Return the area for `hits` relevant items, whose `places` have this sum, in lists.

    Below the hit at place k stand listed - k items, of which those that are hits too do not count.
    """
    pairs_won = hits * listed - places - hits * (hits - 1) / 2
    irrelevant = items - relevant
    later = (irrelevant - (listed - hits)) * (hits + relevant) / 2
    area = ratio(pairs_won + later, relevant * irrelevant)
    return np.where((irrelevant == 0) & (relevant > 0), 1.0, area)
