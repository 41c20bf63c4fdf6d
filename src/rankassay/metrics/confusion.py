"""The metrics of a list as a classification: listed or not, against relevant or not.

Schröder, Thiele and Lehner, UCERSTI 2011 ("Setting goals and choosing metrics for recommender
system evaluations"), sections 4.2, 4.3 and 5.1, after Powers, 2007. Every item that is not known to
be relevant counts as irrelevant, so these metrics need the number of items that could have been
listed. The first n places hold tp relevant and fp irrelevant items; fn and tn are not listed.

A share of nothing is 0, and a correlation with a constant is 0: so are fallout and inverse recall
where every item is relevant, miss rate where none is, inverse precision where every item is
listed, and markedness, informedness and the correlations wherever one of their terms is a share
of nothing.
"""

from typing import Literal, NamedTuple

import numpy as np

from rankassay.metrics.judged import Judged
from rankassay.metrics.totals import Total, ratio
from rankassay.types import Floats, Integers


class Confusion(NamedTuple):
    """True and false positives, false and true negatives, each float64."""

    tp: Floats
    fp: Floats
    fn: Floats
    tn: Floats

    @classmethod
    def at(cls, judged: Judged, cutoffs: Integers, metric: str) -> "Confusion":
        """Return the counts at each cut-off, each (n_users, n_cutoffs)."""
        tp, listed = judged.hits.total(1.0, cutoffs).values(), judged.listed(cutoffs)
        return cls.of(tp, listed, judged.n_relevant, judged.n_candidates(metric))

    @classmethod
    def of(cls, tp: Floats, listed: Floats, relevant: Floats, items: Floats) -> "Confusion":
        """Return the counts for `tp` hits among `listed` items, `relevant` of all `items`."""
        return cls(tp, listed - tp, relevant - tp, items - listed - (relevant - tp))

    @property
    def markedness(self) -> Floats:
        """Precision plus inverse precision minus 1, and 0 where one is undefined."""
        tp, fp, fn, tn = self
        return _chance_corrected(tp, tp + fp, tn, fn + tn)

    @property
    def informedness(self) -> Floats:
        """Recall plus inverse recall minus 1, and 0 where one is undefined."""
        tp, fp, fn, tn = self
        return _chance_corrected(tp, tp + fn, tn, fp + tn)

    @property
    def correlation(self) -> Floats:
        """The correlation of being listed with being relevant; 0 where one of them is constant."""
        tp, fp, fn, tn = self
        return ratio(tp * tn - fp * fn, np.sqrt((tp + fn) * (fp + tn) * (tp + fp) * (fn + tn)))


def fallout(judged: Judged, cutoffs: Integers) -> Floats:
    """Fallout: the share of the irrelevant items that are listed, fp / (fp + tn). Range [0, 1]."""
    _, fp, _, tn = Confusion.at(judged, cutoffs, "Fallout")
    return ratio(fp, fp + tn)


def miss_rate(judged: Judged, cutoffs: Integers) -> Floats:
    """Miss rate: the share of the relevant items not listed, fn / (tp + fn). Range [0, 1]."""
    missed = judged.n_relevant - judged.hits.total(1.0, cutoffs).values()
    return ratio(missed, judged.n_relevant)


def inverse_precision(judged: Judged, cutoffs: Integers) -> Floats:
    """Inverse precision: the share of irrelevant items among those not listed, tn / (fn + tn).

    Range [0, 1]; near 1 for any list when there are many items.
    """
    _, _, fn, tn = Confusion.at(judged, cutoffs, "InversePrecision")
    return ratio(tn, fn + tn)


def inverse_recall(judged: Judged, cutoffs: Integers) -> Floats:
    """Inverse recall: the share of irrelevant items that are not listed, tn / (fp + tn).

    Range [0, 1]; also called specificity; 1 minus fallout.
    """
    _, fp, _, tn = Confusion.at(judged, cutoffs, "InverseRecall")
    return ratio(tn, fp + tn)


def markedness(judged: Judged, cutoffs: Integers) -> Floats:
    """Markedness: tp / (tp + fp) + tn / (fn + tn) - 1, how far lists mark relevance.

    Range [-1, 1]; 0 is chance. Precision has the number of listed items in its denominator.
    """
    return Confusion.at(judged, cutoffs, "Markedness").markedness


def informedness(judged: Judged, cutoffs: Integers) -> Floats:
    """Informedness: tp / (tp + fn) + tn / (fp + tn) - 1, how far relevance informs lists.

    Range [-1, 1]; 0 is chance.
    """
    return Confusion.at(judged, cutoffs, "Informedness").informedness


def matthews_correlation(judged: Judged, cutoffs: Integers) -> Floats:
    """Matthews correlation: that of being listed with being relevant.

    (tp tn - fp fn) / sqrt((tp + fn) (fp + tn) (tp + fp) (fn + tn)), the geometric mean of
    informedness and markedness with their sign. Range [-1, 1]; 0 is chance.
    """
    return Confusion.at(judged, cutoffs, "MCC").correlation


def kendall_tau(
    judged: Judged, cutoffs: Integers, *, variant: Literal["b", "a", "gamma"] = "b"
) -> Floats:
    """Boolean Kendall's tau: the rank correlation of listed or not with relevant or not.

    (tp tn - fp fn) / pairs, as tp tn pairs of items are concordant and fp fn discordant, and all
    others are tied. Range [-1, 1]; 0 where no pair counts.

    Parameters
    ----------
    variant : {"b", "a", "gamma"}
        Section 4.3 does not say which: tau-b leaves out the pairs tied on either side (it equals
        the Matthews correlation), tau-a divides by all pairs, gamma by the untied ones (Goodman
        and Kruskal; Yule's Q).
    """
    confusion = Confusion.at(judged, cutoffs, "KendallTau")
    if variant == "b":
        return confusion.correlation
    tp, fp, fn, tn = confusion
    items = tp + fp + fn + tn
    pairs = tp * tn + fp * fn if variant == "gamma" else items * (items - 1) / 2
    return ratio(tp * tn - fp * fn, pairs)


def average_markedness(judged: Judged, cutoffs: Integers) -> Total:
    """Average markedness: `(1 / |R_u|) sum_{k <= n} rel(L_u[k]) markedness_u@k`.

    Average precision with markedness in the place of precision (section 5.1). Range [-1, 1].
    """
    confusion = _at_hits(judged, "AverageMarkedness")
    return judged.hits.total(confusion.markedness, cutoffs, judged.n_relevant)


def average_informedness(judged: Judged, cutoffs: Integers) -> Total:
    """Average informedness: `(1 / |R_u|) sum_{k <= n} rel(L_u[k]) informedness_u@k`.

    Average precision with informedness in the place of precision (section 5.1). Range [-1, 1].
    """
    confusion = _at_hits(judged, "AverageInformedness")
    return judged.hits.total(confusion.informedness, cutoffs, judged.n_relevant)


def _at_hits(judged: Judged, metric: str) -> Confusion:
    """Return the counts of the list down to each relevant item, each (n_hits,)."""
    row = judged.hits.row
    items, relevant = judged.n_candidates(metric)[row, 0], judged.judgements.n_relevant[row]
    return Confusion.of(judged.hits.relevant_above + 1.0, judged.hits.rank, relevant, items)


def _chance_corrected(right, chosen, left_right, left) -> Floats:
    defined = (chosen > 0) & (left > 0)
    return np.where(defined, ratio(right, chosen) + ratio(left_right, left) - 1, 0.0)
