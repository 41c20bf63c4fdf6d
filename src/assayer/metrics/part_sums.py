"""Sums over users on parts of a test set, of the metrics that studies resample most.

What they are is said by `assayer.metrics.evaluate.measure_sums` of `Judged.sample`, which other
metrics take. Here the judged items of a system are read once for all metrics, and no array is made
for each of them: the result is the same, and takes a third of the time. It is the same to the last
bit but for parts of a single user, of whom it may be another share that is left to divide by.
"""

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assayer.kernels import kernel
from assayer.metrics.evaluate import groups_of, measure_sums, resolve
from assayer.metrics.infap import EPSILON
from assayer.metrics.judged import Judged
from assayer.metrics.judgements import Judgements
from assayer.metrics.ndcg import dcg, ideal_gain
from assayer.metrics.totals import between_cutoffs, bounds, unit_of
from assayer.types import Booleans, Floats, Integers

# What a relevant item contributes where it stands: 1, the precision there, one over the place of
# the first, the preferred share of the non-relevant items above, and the precision inferred.
HIT, PRECISION, FIRST, PREFERENCE, INFERRED = range(5)
# By metric: the form, whether the number of relevant items divides it, and the definitions that do.
FORMS = {
    "P": (HIT, False, {"denominator": "cutoff"}),
    "R": (HIT, True, {"denominator": "relevant"}),
    "AP": (PRECISION, True, {"denominator": "relevant"}),
    "RR": (FIRST, False, {}),
    "Bpref": (PREFERENCE, True, {"without_nonrelevant": "preferred"}),
    "infAP": (INFERRED, True, {"unjudged": "pooled"}),
}

SIX = 6  # metrics that are added up at once, as `_form_sums` has it written out

Columns = list[int] | slice


@dataclass(frozen=True)
class Plan:
    """How the measures are computed.

    Attributes
    ----------
    forms : list of (cut-offs, forms, whether the number of relevant items divides, columns)
        Those with the same cut-offs together, six at most: a metric may stand there by several
        names. The columns are int64 (n_forms, n_cutoffs).
    gains : list of (columns, cut-offs, parameters of `dcg`)
    rest : list of int
        The columns of all other measures.
    """

    forms: list[tuple[Integers, Integers, Booleans, Integers]]
    gains: list[tuple[Columns, Integers, dict]]
    rest: list[int]


class PartSums:
    """The sums of some measures, of one system after the other; see the module.

    Parameters
    ----------
    measures, profile
        As `measure_sums` takes them.
    whole : Judgements
        The whole test set.
    keep : bool (n_judged,)
        Which of its judgements the part keeps.
    part : Judgements
        The part.
    group, n_groups
        As `measure_sums` takes them, of the users of the part.
    """

    def __init__(
        self,
        measures: Sequence[str],
        profile: str,
        whole: Judgements,
        keep: Booleans,
        part: Judgements,
        group: Integers,
        n_groups: int,
    ) -> None:
        self.measures, self.profile = measures, profile
        self.keep, self.part = keep, part
        self.group, self.n_groups = group, n_groups
        self.plan = _plan(tuple(measures), profile)
        self.users = np.bincount(group, minlength=n_groups).astype(np.float64)[:, None]
        # As bytes and as numbers: of a bool, a compiler makes a branch that no processor foresees.
        self.kept, self.share = keep.view(np.uint8), keep.astype(np.float64)
        self.liked = part.n_relevant
        self.bound = np.minimum(part.n_relevant, part.n_nonrelevant)
        self.rows = np.searchsorted(whole.users, part.users)
        self.row_of = np.zeros(whole.n_users, dtype=np.int64)
        self.row_of[self.rows] = np.arange(len(self.rows))
        # Written anew for each system: memory that is asked for anew is slower than the work on it.
        self.listed = np.empty(0, dtype=np.int32)
        self.hits = np.empty((4, 0), dtype=np.int32)
        self.divided = np.zeros((SIX, 0))
        self.sums, self.values = np.empty(0), np.empty((0, 0))

    def of(self, judged: Judged, sums: Floats) -> tuple[Floats, Floats]:
        """Find what `measure_sums` returns of `judged.sample(keep, part)`.

        `judged` is the system on the whole test set. The sums, (n_groups, n_measures), are written
        where the caller wants them, and what is returned is how many users have a value, and what
        the sums are to be divided by.
        """
        count, divisor = self.users, np.ones(len(self.measures))
        if self.plan.forms:
            n = self._hits(judged)
            for cutoffs, forms, divides, columns in self.plan.forms:
                self._of_forms(n, cutoffs, forms, divides, columns, sums)
                # A divisor of the cut-off alone.
                divisor[columns[(forms == HIT) & ~divides]] = cutoffs
        for to, cutoffs, given in self.plan.gains:
            sums[:, to] = self._of_gains(judged, cutoffs, given)
        if self.plan.rest:
            rest = [self.measures[column] for column in self.plan.rest]
            sample = judged.sample(self.keep, self.part)
            found = measure_sums(sample, rest, self.group, self.n_groups, self.profile)
            sums[:, self.plan.rest], counted, divisor[self.plan.rest] = found
            if (counted != self.users).any():  # some users have no value
                count = np.repeat(count, len(self.measures), axis=1)
                count[:, self.plan.rest] = counted
        return count, divisor

    def _hits(self, judged: Judged) -> int:
        """Find the kept relevant items of a system, and return how many there are."""
        items = judged.items
        if len(self.listed) <= len(items.rank):
            self.listed = np.empty(len(items.rank) + 1, dtype=np.int32)
            self.hits = np.empty((4, len(items.rank) + 1), dtype=np.int32)
        n = _listed(items.judgement, self.kept, self.listed)
        relevant = items.relevant.view(np.uint8)
        return _hits(self.listed, n, items.row, items.rank, relevant, self.row_of, self.hits)

    def _of_forms(
        self,
        n: int,
        cutoffs: Integers,
        forms: Integers,
        divides: Booleans,
        columns: Integers,
        sums: Floats,
    ) -> None:
        """Write the sums of metrics of hits."""
        if self.divided.shape[1] < n:
            self.divided = np.zeros((SIX, self.hits.shape[1]))
        users, groups = (self.liked, self.bound), (self.group, self.n_groups)
        sizes = _contributions(self.hits, n, forms, divides, *users, self.divided)
        _form_sums(self.hits, n, sizes, cutoffs, *groups, self.divided, columns, sums)

    def _of_gains(self, judged: Judged, cutoffs: Integers, given: dict) -> Floats:
        """Return the sums of nDCG, float64 (n_groups, n_cutoffs)."""
        items = judged.items
        contribution = judged.remember(
            ("gains", *given.items()), lambda: dcg(judged, cutoffs, **given).contribution
        )
        gain, relevant_only = given["gain"], given["relevant_only"]
        best = ideal_gain(self.part, cutoffs, gain, relevant_only, given["log_base"])
        down_to = judged.remember(
            ("bounds", *cutoffs), lambda: _narrow(bounds(items.start, items.rank, cutoffs))
        )
        lists = (items.start, items.judgement, contribution, down_to)
        if len(self.sums) <= len(items.rank) or self.values.shape[1] != len(cutoffs):
            self.sums = np.empty(len(items.rank) + 1)
            self.values = np.empty((len(self.rows), len(cutoffs)))
        groups, scratch = (self.group, self.n_groups), (self.sums, self.values)
        return _gain_sums(*lists, self.rows, self.share, best, *groups, *scratch)


@functools.cache
def _plan(measures: tuple[str, ...], profile: str) -> Plan:
    """Return how measures are computed under a profile."""
    forms: dict[tuple, list] = {}
    gains, rest, every = [], [], np.arange(len(measures))
    for metric, parameters, columns, cutoffs in groups_of(measures):
        _, given = resolve(metric, parameters, profile)
        several = len(cutoffs) > 1  # one cut-off divides what a single item contributes
        form, divides, wanted = FORMS.get(metric, (None, False, None))
        if given == wanted and (several or metric != "P"):
            forms.setdefault(tuple(cutoffs), []).append((form, divides, every[columns]))
        elif metric == "nDCG" and several and _is_of_judgements(**given):
            relevant_only = given["ideal"] == "relevant"
            named = {key: given[key] for key in ("gain", "log_base")}
            gains.append((columns, cutoffs, named | {"relevant_only": relevant_only}))
        else:
            rest += every[columns].tolist()
    together = []
    for cutoffs, own in forms.items():
        for first in range(0, len(own), SIX):
            batch = zip(*own[first : first + SIX], strict=True)
            together.append((np.array(cutoffs), *map(np.array, batch)))
    return Plan(together, gains, rest)


def _is_of_judgements(ideal: str, truncate_ideal: bool, **_: object) -> bool:
    """Say whether the ideal list of an nDCG is that of the judgements, cut where the list is."""
    return ideal != "retrieved" and truncate_ideal


def _narrow(counts: Integers) -> npt.NDArray[np.integer]:
    """Return counts in a byte each if they fit: every system's are kept, at every cut-off."""
    return counts.astype(np.uint8 if counts.max(initial=0) < 256 else np.int32)


@kernel
def _listed(judgement, kept, listed):
    """Write which listed judgements are kept, and return how many.

    Each is written, and overwritten unless kept: cheaper than a branch at random.
    """
    n = 0
    for j in range(len(judgement)):
        listed[n] = j
        n += np.int64(kept[judgement[j]])
    return n


@kernel
def _hits(listed, n_listed, row, rank, relevant, row_of, hits):
    """Write the user row, the rank and the two numbers above of each kept relevant item.

    Returns how many items there are.
    """
    n, first, first_hit, user = 0, 0, 0, -1
    for k in range(n_listed):
        j = listed[k]
        if row[j] != user:
            user, first, first_hit = row[j], k, n
        hits[0, n], hits[1, n], hits[2, n] = row_of[user], rank[j], n - first_hit
        hits[3, n] = k - first - (n - first_hit)
        n += np.int64(relevant[j])
    return n


@kernel(steps=lambda hits, n, forms, *_: n * len(forms), error_model="numpy")
def _contributions(hits, n, forms, divides, liked, bound, divided):
    """Write what each hit contributes to each metric, (n_forms, n), and return their sums.

    `liked` and `bound` are the relevant items of each user, and the most that Bpref counts.
    """
    sizes = np.zeros(len(divided))
    row, rank, above, others = hits[0, :n], hits[1, :n], hits[2, :n], hits[3, :n]
    # Looked up once, so that what is left are operations on whole arrays.
    own_liked, own_bound = np.empty(n), np.empty(n)
    for k in range(n):
        own_liked[k], own_bound[k] = liked[row[k]], bound[row[k]]
    for f in range(len(forms)):
        form, values = forms[f], divided[f, :n]
        if form == HIT:
            values[:] = 1.0
        elif form == PRECISION:
            for k in range(n):
                values[k] = (above[k] + 1) / rank[k]
        elif form == FIRST:
            for k in range(n):
                values[k] = np.int64(above[k] == 0) / rank[k]
        elif form == PREFERENCE:
            for k in range(n):
                most = own_bound[k]
                values[k] = 1.0 - min(np.float64(others[k]), most) / max(most, 1.0)
        elif form == INFERRED:
            for k in range(n):
                inferred = (above[k] + EPSILON) / (above[k] + others[k] + 2 * EPSILON)
                values[k] = (1.0 + (rank[k] - 1) * inferred) / rank[k]
        if divides[f]:
            for k in range(n):
                values[k] /= own_liked[k]
        sizes[f] = _size(values)
    return sizes


@kernel(steps=lambda hits, n, *_: n)
def _form_sums(hits, n, sizes, cutoffs, group, n_groups, divided, columns, sums):
    """Write the sums of contributions group by group, down to each cut-off; see `Total.sums`.

    `sizes` are the sums over all hits, float64 (6,). Where fewer metrics are wanted, the rest of
    `divided`, (6, n), stands idle: to add up six at once takes half the time.
    """
    row, rank, deepest = hits[0], hits[1], 0
    for k in range(n):
        deepest = max(deepest, rank[k])
    between, width = between_cutoffs(deepest, cutoffs), len(cutoffs) + 1
    unit, per_unit = np.empty(6), np.empty(6)
    for f in range(6):
        unit[f], per_unit[f] = unit_of(sizes[f])
    p0, p1, p2, p3, p4, p5 = per_unit
    d0, d1, d2, d3, d4, d5 = divided
    added = np.zeros((n_groups * width, 6))
    for k in range(n):
        own = added[np.uint64(group[row[k]] * width + between[rank[k]])]
        # All are read before any is written: a compiler cannot know that it may.
        a0, a1, a2 = np.rint(d0[k] * p0), np.rint(d1[k] * p1), np.rint(d2[k] * p2)
        a3, a4, a5 = np.rint(d3[k] * p3), np.rint(d4[k] * p4), np.rint(d5[k] * p5)
        a0, a1, a2 = own[0] + a0, own[1] + a1, own[2] + a2
        a3, a4, a5 = own[3] + a3, own[4] + a4, own[5] + a5
        own[0], own[1], own[2], own[3], own[4], own[5] = a0, a1, a2, a3, a4, a5
    for g in range(n_groups):
        for f in range(len(columns)):
            sum_ = 0.0
            for c in range(len(cutoffs)):
                sum_ += added[g * width + c, f] * unit[f]
                sums[g, columns[f, c]] = sum_


@kernel
def _size(values):
    """Return a sum of numbers that are not negative, with the exponent that it has in their order.

    Four sums side by side are four times as fast as one. Either sum is off by less than n 2^-52 of
    it, so that both have one exponent unless they are as near to a power of two.
    """
    n, rest = len(values), len(values) % 4
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    for k in range(0, n - rest, 4):
        a += values[k]
        b += values[k + 1]
        c += values[k + 2]
        d += values[k + 3]
    for k in range(n - rest, n):
        a += values[k]
    size = (a + b) + (c + d)
    mantissa, margin = math.frexp(size)[0], n * 2.0**-51
    if 0.5 + margin < mantissa < 1.0 - margin:
        return size
    size = 0.0
    for k in range(n):
        size += values[k]
    return size


@kernel(error_model="numpy")
def _gain_sums(
    start, judgement, contribution, bounds, rows, share, best, group, n_groups, sums, values
):
    """Sum users' shares of the ideal gain group by group, at each cut-off, (n_groups, n_cutoffs).

    It is what `Total.values` and `grouped_sums` make of the kept items. `sums`, as long as any
    user's list, and `values`, (n_users, n_cutoffs), are written to.
    """
    n_cutoffs = bounds.shape[1]
    size, sums[0] = np.zeros(n_cutoffs), 0.0
    gaining, n = np.empty(len(rows), dtype=np.int64), 0
    for u in range(len(rows)):
        first, sum_ = start[rows[u]], 0.0
        for j in range(first, start[rows[u] + 1]):
            # An index without a sign needs no look at whether it counts from the end.
            sum_ += contribution[j] * share[np.uint64(judgement[j])]
            sums[np.uint64(j - first + 1)] = sum_
        if sum_ == 0.0:
            continue
        down_to, below, value = bounds[rows[u]], best[u], values[n]
        for c in range(n_cutoffs):
            value[c] = sums[np.uint64(down_to[c])]
        for c in range(n_cutoffs):
            found = value[c] / below[c]
            value[c] = found if below[c] != 0.0 else 0.0
            size[c] += value[c]
        gaining[n] = group[u]
        n += 1
    unit, per_unit = np.empty(n_cutoffs), np.empty(n_cutoffs)
    for c in range(n_cutoffs):
        unit[c], per_unit[c] = unit_of(size[c])
    added = np.zeros((n_groups, n_cutoffs))
    for k in range(n):
        own, value = added[gaining[k]], values[k]
        for c in range(n_cutoffs):
            own[c] += np.rint(value[c] * per_unit[c])
    return added * unit
